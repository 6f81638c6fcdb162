package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"hermes/bot/slack"
	"hermes/config"
)

// checkTime is how long one check may take.
const checkTime = 20 * time.Second

func (s *shell) check() *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check the configuration, the store, Slack, the model and the sources, and say what to mend",
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
	s.checkStore(ctx, cfg, report)
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
	if _, err := profiles(cfg.Loop); err != nil {
		report("loop", err, "")
	}
	s.checkToolNames(ctx, cfg, report)
	if cfg.Model.PromptFile != "" {
		_, loose, err := prompts(cfg.Model)
		report("prompt "+cfg.Model.PromptFile, err, "")
		for _, words := range loose {
			p.f("! prompt: %s\n", words)
		}
	}
	for i, e := range cfg.Endpoints() {
		key := "model"
		if i > 0 {
			key = fmt.Sprintf("model.fallbacks[%d]", i-1)
		}
		hint, err := checkModel(ctx, key, e, s)
		report("model "+e.Provider+"/"+e.Name, err, hint)
	}
	if !cfg.UsesModel() {
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
