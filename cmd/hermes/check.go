package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/tool/report"
	"hermes/config"
)

// checkTime is how long one check may take.
const checkTime = 20 * time.Second

func (s *shell) check() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the configuration, the store, Slack, the model and the sources, and say what to mend",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return s.runCheck(cmd.Context()) },
	}
	cmd.AddCommand(s.checkSlackCommand())
	return cmd
}

var errChecks = errors.New("not all is well; the lines marked ✗ say what to do")

// A checking prints what was looked at, and remembers whether all is well.
type checking struct {
	printer
	bad bool
}

func (c *checking) report(what string, err error, hint string) {
	if err == nil {
		c.f("✓ %s\n", what)
		return
	}
	c.bad = true
	c.f("✗ %s: %v\n", what, err)
	if hint != "" {
		c.f("  hint: %s\n", hint)
	}
}

func (c *checking) end() error {
	if c.bad {
		return errors.Join(errChecks, c.err)
	}
	return c.err
}

func (s *shell) runCheck(ctx context.Context) error {
	cfg, err := s.config()
	if err != nil {
		return err
	}
	c := checking{printer: printer{w: s.out}}
	tell := c.report
	tell("configuration", nil, "")
	s.checkStore(ctx, cfg, tell)
	checkAudit(cfg, &c)
	s.checkSlacks(ctx, cfg, &c)
	if _, err := profiles(cfg.Loop); err != nil {
		tell("loop", err, "")
	}
	s.checkToolNames(ctx, cfg, tell)
	s.checkReports(ctx, cfg, &c)
	if off := daysOff(cfg.Schedules); off != nil {
		_, err := off(time.Now())
		c.report("schedules.holidays", err, "it names an iCalendar file (.ics) of the days off")
	}
	s.checkRights(ctx, cfg, &c)
	if cfg.Model.PromptFile != "" {
		_, loose, err := prompts(cfg.Model)
		tell("prompt "+cfg.Model.PromptFile, err, "")
		for _, words := range loose {
			c.f("! prompt: %s\n", words)
		}
	}
	for i, e := range cfg.Endpoints() {
		key := "model"
		if i > 0 {
			key = fmt.Sprintf("model.fallbacks[%d]", i-1)
		}
		hint, err := checkModel(ctx, key, e, s)
		tell("model "+e.Provider+"/"+e.Name, err, hint)
	}
	if !cfg.UsesModel() {
		c.f("· no language model: the built-in rules answer\n")
	}
	switch path, err := report.FontOf(cfg.Reports.Font); {
	case err != nil:
		c.report("reports.font", err, "name a TrueType file (.ttf, .ttc), or leave it out and one is looked for")
	case path == "":
		c.f("! no font with Chinese characters: charts number the rows, and PDF of Chinese comes as Excel\n  hint: apt-get install fonts-wqy-microhei, or name one under reports.font\n")
	default:
		c.f("✓ font %s\n", path)
	}
	if len(cfg.Sources) == 0 {
		c.f("· no sources: figures come from the sample sales database\n")
	} else {
		checkSources(ctx, cfg, s.logger("warn"), tell)
	}
	return c.end()
}

func checkSources(ctx context.Context, cfg config.Config, log *slog.Logger, report func(what string, err error, hint string)) {
	f, err := openFigures(ctx, cfg, time.Now, log)
	if err != nil {
		report("sources", err, "")
		return
	}
	for _, src := range f.sources {
		within, cancel := context.WithTimeout(ctx, checkTime)
		hint := "sources[].dsn; the user needs to read only"
		if l := src.Layer(); l.Files != nil || l.Web != nil {
			hint = "" // its own errors say
		}
		report(fmt.Sprintf("source %s", src.Name()), src.Check(within), hint)
		cancel()
	}
	if err := f.close(); err != nil {
		report("sources", err, "")
	}
}
