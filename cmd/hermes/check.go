package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/llm"
	"hermes/agent/llm/openai"
	"hermes/bot/slack"
	"hermes/config"
)

// checkTime is how long one check may take.
const checkTime = 20 * time.Second

func (s *shell) check() *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check the configuration, Slack, the model and the sources, and say what to mend",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return s.runCheck(cmd.Context()) },
	}
}

var errChecks = errors.New("not all is well; the lines marked ✗ say what to do")

func (s *shell) runCheck(ctx context.Context) error {
	cfg, err := s.config()
	if err != nil {
		return err
	}
	p := printer{w: s.out}
	bad := false
	report := func(what string, err error, hint string) {
		if err == nil {
			p.f("✓ %s\n", what)
			return
		}
		bad = true
		p.f("✗ %s: %v\n", what, err)
		if hint != "" {
			p.f("  hint: %s\n", hint)
		}
	}
	report("configuration", nil, "")
	if spaces := cfg.AllWorkspaces(); len(spaces) == 0 {
		p.f("· no Slack workspace: the console is a demo workspace, where the lead may approve\n")
	} else {
		if len(cfg.Admins) == 0 {
			report("admins", errors.New("nobody may approve"), "put a person under admins: slack:TEAM:USER; `hermes init` asks for one")
		}
		for _, w := range spaces {
			report("Slack workspace "+w.Name, checkSlack(ctx, cfg, w, s), "see the README's Slack steps")
		}
	}
	if cfg.UsesModel() {
		report("model "+cfg.Model.Name, checkModel(ctx, cfg, s), "model.base_url, model.name and OPENAI_API_KEY say which and how")
	} else {
		p.f("· no language model: the built-in rules answer\n")
	}
	if len(cfg.Sources) == 0 {
		p.f("· no sources: figures come from the sample sales database\n")
	} else {
		checkSources(ctx, cfg, report)
	}
	if bad {
		return errors.Join(errChecks, p.err)
	}
	return p.err
}

func checkSlack(ctx context.Context, cfg config.Config, w config.Workspace, s *shell) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	return slack.New(slack.Config{
		Name: w.Name, APIURL: cfg.Slack.APIURL, AppToken: string(w.AppToken), BotToken: string(w.BotToken),
	}, nil, s.logger("error")).Check(ctx)
}

func checkModel(ctx context.Context, cfg config.Config, s *shell) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	m := openai.New(openai.Config{BaseURL: cfg.Model.BaseURL, APIKey: string(cfg.Model.APIKey), Model: cfg.Model.Name, Timeout: checkTime}, s.logger("error"))
	_, err := m.Generate(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Say ok."}}})
	return err
}

func checkSources(ctx context.Context, cfg config.Config, report func(what string, err error, hint string)) {
	f, err := openFigures(ctx, cfg, time.Now)
	if err != nil {
		report("sources", err, "")
		return
	}
	for _, src := range f.sources {
		within, cancel := context.WithTimeout(ctx, checkTime)
		report(fmt.Sprintf("source %s", src.Name()), src.Check(within), "sources[].dsn; the user needs to read only")
		cancel()
	}
	if err := f.close(); err != nil {
		report("sources", err, "")
	}
}
