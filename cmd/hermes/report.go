package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/bot/terminal"
	"hermes/router"
)

// A shownReport is what `hermes report` shows.
type shownReport struct {
	Name, Title, Period, Post, Owner, Origin, File, By, Hash string
	Version                                                  int
	Words                                                    []string
	Changed                                                  time.Time
	YAML                                                     string
	Jobs                                                     []jobOfReport
	Versions                                                 []reportVersion
	Told                                                     int // schedules whose grants have ended with this version
}

type jobOfReport struct {
	ID, Name, State string
	Grants          int
}

type reportVersion struct {
	Version  int
	Hash, By string
	At       time.Time
}

func (h *hermes) shownReport(ctx context.Context, k playbook.Kept) (shownReport, error) {
	text, err := playbook.Write(k.Playbook)
	s := shownReport{
		Name: k.Name, Title: k.Called("en"), Period: string(k.Period), Post: k.Post, Owner: k.Owner, Origin: string(k.Origin), File: k.File, By: k.By,
		Hash: k.Hash, Version: k.Version, Words: k.Words, Changed: k.Changed, YAML: string(text),
	}
	if err != nil {
		return s, err
	}
	jobs, err := h.db.Reports().Running(ctx, k.Name)
	if err != nil {
		return s, err
	}
	for _, j := range jobs {
		grants, err := h.db.Runs().Grants(ctx, j.ID)
		if err != nil {
			return s, err
		}
		s.Jobs = append(s.Jobs, jobOfReport{j.ID, j.Name, string(j.State), len(grants)})
	}
	versions, err := h.db.Reports().Versions(ctx, k.Name)
	for _, v := range versions {
		s.Versions = append(s.Versions, reportVersion{v.Version, v.Hash, v.By, v.Changed})
	}
	return s, err
}

// A listedReports is what `hermes report list` shows: those that there are, and files that
// are none.
type listedReports struct {
	Reports []shownReport
	Broken  []string
}

var opReportList = asOp("report.list", func(ctx context.Context, h *hermes, _ struct{}) (listedReports, error) {
	if err := h.loadReports(ctx); err != nil {
		return listedReports{}, err
	}
	out := listedReports{Reports: []shownReport{}}
	for _, f := range h.broken {
		out.Broken = append(out.Broken, filepath.Join(h.cfg.Reports.Dir, f.Name)+": "+f.Err.Error())
	}
	all, err := h.db.Reports().All(ctx)
	if err != nil {
		out.Broken = append(out.Broken, err.Error())
	}
	for _, k := range all {
		s, err := h.shownReport(ctx, k)
		if err != nil {
			return out, err
		}
		out.Reports = append(out.Reports, s)
	}
	return out, nil
})

type reportArgs struct {
	Name, YAML, Period, Owner, To, Lang, Zone string
}

var opReportShow = asOp("report.show", func(ctx context.Context, h *hermes, in reportArgs) (shownReport, error) {
	k, err := h.report(ctx, in.Name)
	if err != nil {
		return shownReport{}, err
	}
	return h.shownReport(ctx, k)
})

// report is the saved report of a name, or of one of its words.
func (h *hermes) report(ctx context.Context, name string) (playbook.Kept, error) {
	if err := h.loadReports(ctx); err != nil {
		return playbook.Kept{}, err
	}
	all, err := h.db.Reports().All(ctx)
	if err != nil && len(all) == 0 {
		return playbook.Kept{}, err
	}
	k, near, ok := playbook.Find(all, name)
	switch {
	case ok:
		return k, nil
	case len(near) == 0:
		return k, fmt.Errorf("%w: %q\n  hint: save one in chat with “save this as report NAME”, write one in %s, or `hermes report edit NAME --file FILE`", playbook.ErrNone, name, h.cfg.Reports.Dir)
	}
	return k, fmt.Errorf("%w: %q\n  hint: there are %s", playbook.ErrNone, name, strings.Join(near, ", "))
}

var opReportSave = asOp("report.save", func(ctx context.Context, h *hermes, in reportArgs) (shownReport, error) {
	p, err := playbook.Read([]byte(in.YAML))
	switch {
	case err != nil:
		return shownReport{}, err
	case in.Name != "" && p.Name != in.Name:
		return shownReport{}, fmt.Errorf("name: the text is of %s, not of %s\n  hint: a report keeps its name; give what is edited the name %s, or save it as one of its own with `hermes report edit %s --file FILE`", p.Name, in.Name, in.Name, p.Name)
	}
	if err := h.fits(p); err != nil {
		return shownReport{}, err
	}
	kept, ended, err := h.db.Reports().Save(ctx, playbook.Kept{Playbook: p, Owner: terminal.Owner, Home: "terminal/local/chat/", Origin: playbook.Hand, By: terminal.Owner}, false)
	if errors.Is(err, playbook.ErrIsFile) {
		k, _ := h.db.Reports().Report(ctx, p.Name)
		return shownReport{}, fmt.Errorf("%s: %w\n  hint: change %s; `hermes report list` takes it over", p.Name, playbook.ErrIsFile, filepath.Join(h.cfg.Reports.Dir, k.File))
	}
	if err != nil {
		return shownReport{}, err
	}
	if err := h.tellEnded(ctx, kept, ended, false); err != nil {
		return shownReport{}, err
	}
	s, err := h.shownReport(ctx, kept)
	s.Told = len(ended)
	return s, err
})

var opReportDelete = asOp("report.delete", func(ctx context.Context, h *hermes, in reportArgs) (shownReport, error) {
	k, err := h.report(ctx, in.Name)
	if err != nil {
		return shownReport{}, err
	}
	ended, err := h.db.Reports().Remove(ctx, k.Name, terminal.Owner, false)
	if errors.Is(err, playbook.ErrIsFile) {
		return shownReport{}, fmt.Errorf("%s: %w\n  hint: remove %s", k.Name, playbook.ErrIsFile, filepath.Join(h.cfg.Reports.Dir, k.File))
	}
	if err != nil {
		return shownReport{}, err
	}
	s, err := h.shownReport(ctx, k)
	return s, errors.Join(err, h.tellEnded(ctx, k, ended, true))
})

// orderOf is a report by hand, with the period that was named.
func (h *hermes) orderOf(ctx context.Context, in reportArgs) (playbook.Kept, run.Request, error) {
	k, err := h.report(ctx, in.Name)
	if err != nil {
		return k, run.Request{}, err
	}
	zone := or(in.Zone, or(h.cfg.Zone, "UTC"))
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return k, run.Request{}, fmt.Errorf("--zone %q is no time zone\n  hint: write Europe/Berlin or Asia/Shanghai", zone)
	}
	now := h.now().In(loc)
	o := run.Order{Report: k.Name, Channel: in.To, Period: playbook.PeriodOf(k.Period, run.Period{}, now, loc)}
	if in.Period != "" {
		p, ok := playbook.ReadPeriod(k.Period, in.Period, now, loc)
		switch {
		case k.Period == "":
			return k, run.Request{}, fmt.Errorf("--period: %s is about no period", k.Name)
		case !ok:
			return k, run.Request{}, fmt.Errorf("--period %q is no %s\n  hint: write %s", in.Period, k.Period, playbook.WordOf(k.Period, o.Period, loc))
		case p.From.After(now):
			return k, run.Request{}, fmt.Errorf("--period %q has not begun", in.Period)
		}
		o.Period = p
	}
	if in.Owner == "" {
		in.Owner = terminal.Owner
	}
	home, err := h.homeOf(ctx, in.Owner)
	if err != nil {
		return k, run.Request{}, err
	}
	lang := or(in.Lang, or(k.Lang, "en"))
	return k, run.Request{
		Key: fmt.Sprintf("report/%s/%d", k.Name, h.now().UnixNano()), Home: home.String(), Asker: in.Owner, Text: wishFor(k.Name, lang), Lang: lang,
		Now: now, Zone: zone, Intent: string(router.Task), Order: &o,
	}, nil
}

// A begun run is what the caller can follow.
type begun struct{ Name, Trace, Label, Home, Channel string }

var opReportRun = asOp("report.run", func(ctx context.Context, h *hermes, in reportArgs) (begun, error) {
	k, req, err := h.orderOf(ctx, in)
	if err != nil {
		return begun{}, err
	}
	home, err := bot.ParsePlace(req.Home)
	if err != nil {
		return begun{}, err
	}
	loc := req.Now.Location()
	b := begun{k.Name, run.TraceOf(req.Key), playbook.LabelOf(k.Period, req.Order.Period, loc, "en"), req.Home, or(req.Order.Channel, k.Post)}
	return b, h.db.Inbox().Add(ctx, bot.Item{Key: req.Key, Place: home, Lane: bot.Talk, Request: &req})
})

// A tested report is what `hermes report test` shows.
type tested struct {
	Name, Title, Label, Trace string
	Version                   int
	Steps                     []testedStep
	Verdict                   *playbook.Verdict
	Report                    string // Markdown
	Files                     []string
	Comment                   string // why there is none, if one is wanted
	Why                       string // what has failed
	Post                      string
}

type testedStep struct {
	ID, Tool, Said string
	Failed         bool
	Took           time.Duration
}

var opReportTest = asOp("report.test", func(ctx context.Context, h *hermes, in reportArgs) (tested, error) {
	k, req, err := h.orderOf(ctx, in)
	if err != nil {
		return tested{}, err
	}
	// Nobody else works at this home, and nothing of it is said anywhere.
	req.Key += "/test"
	req.Home, req.Rehearse, req.Order.Test = fmt.Sprintf("terminal/local/test/%s", run.TraceOf(req.Key)), true, true
	var r run.Run
	if _, err := h.agent.Start(ctx, req, func(_ context.Context, now run.Run) error { r = now; return nil }); err != nil {
		return tested{}, err
	}
	out := tested{Name: k.Name, Title: k.Called(req.Lang), Label: playbook.LabelOf(k.Period, req.Order.Period, req.Now.Location(), req.Lang), Trace: run.TraceOf(req.Key), Version: k.Version, Post: k.Post}
	for _, s := range r.Steps {
		for c, res := range s.Pairs() {
			step := testedStep{ID: playbook.StepOf(c.ID), Tool: c.Name, Said: inBrief(res.Text), Failed: res.Failed, Took: res.Took}
			if c.Name == playbook.CheckReport && !res.Failed {
				out.Verdict, err = playbook.ReadVerdict(res.Text)
				if err != nil {
					return out, err
				}
				continue
			}
			out.Steps = append(out.Steps, step)
			if c.Name == playbook.MakeReport && !res.Failed {
				a, err := h.db.Artifacts().Artifact(ctx, playbook.ArtifactOf(res.Text))
				if err != nil {
					return out, err
				}
				out.Report = string(a.Body)
				for _, id := range a.Files {
					f, err := h.db.Artifacts().Artifact(ctx, id)
					if err != nil {
						return out, err
					}
					out.Files = append(out.Files, f.Name)
				}
			}
		}
		if s.Form == playbook.Written && s.Reply.Message.Text == "" {
			out.Comment = or(s.Raw, "the model wrote nothing")
		}
	}
	if k.Commentary != nil && !h.cfg.UsesModel() {
		out.Comment = "no language model is configured"
	}
	switch r.Outcome.Why {
	case "", run.Breached:
	default:
		out.Why = or(r.Outcome.Text, string(r.Outcome.Why))
	}
	return out, nil
})

// inBrief is a result as a line.
func inBrief(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 100 {
		return string(r[:100]) + "…"
	}
	return text
}

func (s *shell) report() *cobra.Command {
	root := &cobra.Command{Use: "report", Short: "List, show, edit, run and test saved reports"}
	root.AddCommand(s.listReports(), s.showReport(), s.editReport(), s.runReport(), s.testReport(), &cobra.Command{
		Use: "delete NAME", Short: "Take a saved report away; its versions stay on record", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := inquire[shownReport](cmd.Context(), s, opReportDelete, reportArgs{Name: args[0]})
			if err != nil {
				return err
			}
			p := printer{w: s.out}
			p.f("%s is gone\n", r.Name)
			for _, j := range r.Jobs {
				p.f("! the schedule %s (%s) cannot run it any more; `hermes schedule delete %s` ends it\n", j.ID, j.Name, j.ID)
			}
			return p.err
		},
	})
	return root
}

func (s *shell) listReports() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List saved reports, and the files that are none", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := inquire[listedReports](cmd.Context(), s, opReportList, struct{}{})
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
			p := printer{w: w}
			if len(all.Reports) == 0 {
				p.f("no saved reports yet; say “save this as report NAME” under one in chat\n")
			} else {
				p.f("NAME\tVERSION\tABOUT\tTO\tFROM\tSCHEDULES\tTITLE\n")
			}
			for _, r := range all.Reports {
				from := r.Origin
				if r.File != "" {
					from = r.File
				}
				var jobs []string
				for _, j := range r.Jobs {
					jobs = append(jobs, j.ID)
				}
				p.f("%s\t%d\t%s\t%s\t%s\t%s\t%s\n", r.Name, r.Version, or(r.Period, "-"), or(r.Post, "here"), from, or(strings.Join(jobs, ","), "-"), r.Title)
			}
			for _, b := range all.Broken {
				p.f("✗ %s\n", b)
			}
			return errors.Join(p.err, w.Flush())
		},
	}
}

func (s *shell) showReport() *cobra.Command {
	history := false
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show a saved report as YAML, with what runs it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := inquire[shownReport](cmd.Context(), s, opReportShow, reportArgs{Name: args[0]})
			if err != nil {
				return err
			}
			p := printer{w: s.out}
			p.f("# version %d (%s), changed %s by %s\n", r.Version, r.Hash[:12], r.Changed.Format("2006-01-02 15:04"), r.By)
			if r.File != "" {
				p.f("# from the file %s, which is where it is changed\n", r.File)
			}
			for _, j := range r.Jobs {
				p.f("# run by the schedule %s (%s), %s, %s\n", j.ID, j.Name, j.State, grantsSaid(j.Grants))
			}
			if history {
				for _, v := range r.Versions {
					p.f("# version %d  %s  %s  %s\n", v.Version, v.At.Format("2006-01-02 15:04"), v.Hash[:12], v.By)
				}
			}
			p.f("%s", r.YAML)
			return p.err
		},
	}
	cmd.Flags().BoolVar(&history, "history", false, "list its versions too")
	return cmd
}

func grantsSaid(n int) string {
	if n == 0 {
		return "which asks before each post"
	}
	return "which may post without asking"
}

func (s *shell) editReport() *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use: "edit NAME", Short: "Change a saved report in $EDITOR, or take it from a file; what was allowed for the text before ends",
		Long: `Change a saved report in $VISUAL or $EDITOR, or take its text from a file (- is standard
input). With a file, a name that there is not yet becomes a new report. A text that is not
right is not saved, and says what is wrong.`,
		Example: `  hermes report edit sales-by-region
  hermes report show sales-by-region > r.yaml; hermes report edit sales-by-region --file r.yaml`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := reportArgs{Name: args[0]}
			var before, text string
			if r, err := inquire[shownReport](cmd.Context(), s, opReportShow, in); err == nil {
				before, in.Name = r.YAML, r.Name
			} else if file == "" {
				return err
			}
			draft := ""
			switch {
			case file == "-":
				b, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), 1<<20))
				if err != nil {
					return fmt.Errorf("read standard input: %w", err)
				}
				text = string(b)
			case file != "":
				b, err := os.ReadFile(file)
				if err != nil {
					return fmt.Errorf("--file: %w", err)
				}
				text = string(b)
			default:
				var err error
				if draft, err = s.inEditor(cmd.Context(), in.Name, before); err != nil {
					return err
				}
				b, err := os.ReadFile(draft)
				if err != nil {
					return fmt.Errorf("read what was edited: %w", err)
				}
				text = string(b)
			}
			if strings.TrimSpace(text) == strings.TrimSpace(before) {
				_, err := fmt.Fprintln(s.out, "nothing was changed")
				return err
			}
			in.YAML = text
			r, err := inquire[shownReport](cmd.Context(), s, opReportSave, in)
			if err != nil {
				hint := ""
				if draft != "" {
					hint = "\n  hint: what you wrote is in " + draft + "; mend it and save it with --file"
				}
				return fmt.Errorf("not saved: %w%s", err, hint)
			}
			if draft != "" {
				_ = os.Remove(draft) // it is saved
			}
			p := printer{w: s.out}
			p.f("%s is saved as version %d (%s)\n", r.Name, r.Version, r.Hash[:12])
			if r.Told > 0 {
				p.f("! what was allowed for it without asking has ended; its next post asks again, and its owner is told\n")
			}
			return p.err
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "take the text from this file; - is standard input")
	return cmd
}

// inEditor lets a person edit a text, and returns the file that has it then.
func (s *shell) inEditor(ctx context.Context, name, text string) (string, error) {
	editor := strings.Fields(or(os.Getenv("VISUAL"), os.Getenv("EDITOR"))) //nolint:forbidigo // the editor is the person's, not the program's
	if len(editor) == 0 {
		return "", errors.New("neither $VISUAL nor $EDITOR names an editor\n  hint: set one, or use --file")
	}
	f, err := os.CreateTemp("", "hermes-"+name+"-*.yaml")
	if err != nil {
		return "", fmt.Errorf("file to edit: %w", err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("file to edit: %w", err)
	}
	cmd := exec.CommandContext(ctx, editor[0], append(slices.Clone(editor[1:]), f.Name())...) //nolint:gosec // it is the person's own editor
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, s.out, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", editor[0], err)
	}
	return f.Name(), nil
}

func (in *reportArgs) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&in.Period, "period", "", "what it is about: 2026-09, 2026-Q3, 2026-W40, 2026 (default: the last whole one)")
	cmd.Flags().StringVar(&in.Zone, "zone", "", "time zone of its days (default: zone of the configuration)")
	cmd.Flags().StringVar(&in.Lang, "lang", "", "en or zh (default: that of the report)")
}

func (s *shell) runReport() *cobra.Command {
	var in reportArgs
	cmd := &cobra.Command{
		Use: "run NAME", Short: "Run a saved report; it posts where it says, once that is approved", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Name = args[0]
			b, err := inquire[begun](cmd.Context(), s, opReportRun, in)
			if err != nil {
				return err
			}
			p := printer{w: s.out}
			p.f("running %s", b.Name)
			if b.Label != "" {
				p.f(", %s", b.Label)
			}
			p.f("\n")
			if b.Channel != "" {
				p.f("it asks before it posts to %s\n", b.Channel)
			}
			p.f("the result comes to %s; `hermes trace %s` shows its steps\n", b.Home, b.Trace)
			return p.err
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVar(&in.To, "to", "", "channel to post to, in place of the report's own")
	cmd.Flags().StringVar(&in.Owner, "owner", "", "person for whom it runs: slack:TEAM:USER (default: you, in the terminal)")
	return cmd
}

var errContract = errors.New("the contract is not met")

func (s *shell) testReport() *cobra.Command {
	var in reportArgs
	cmd := &cobra.Command{
		Use: "test NAME", Short: "Run the steps of a saved report on the sources and hold it against its contract; nothing is posted", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Name = args[0]
			t, err := inquire[tested](cmd.Context(), s, opReportTest, in)
			if err != nil {
				return err
			}
			return s.tellTest(t)
		},
	}
	in.flags(cmd)
	return cmd
}

func (s *shell) tellTest(t tested) error {
	p := printer{w: s.out}
	p.f("%s, version %d", t.Name, t.Version)
	if t.Label != "" {
		p.f(", %s", t.Label)
	}
	p.f("\n\nsteps:\n")
	for _, st := range t.Steps {
		mark := "✓"
		if st.Failed {
			mark = "✗"
		}
		p.f("  %s %s (%s, %s): %s\n", mark, st.ID, st.Tool, st.Took.Round(time.Millisecond), st.Said)
	}
	if t.Comment != "" {
		p.f("  · no comment: %s\n", t.Comment)
	}
	if t.Verdict != nil {
		p.f("\ncontract:\n")
		for _, c := range t.Verdict.Checks {
			mark := "✓"
			if !c.OK {
				mark = "✗"
			}
			p.f("  %s %s\n", mark, c.Text)
		}
	}
	if t.Report != "" {
		p.f("\n%s\n", bytes.TrimSpace([]byte(t.Report)))
	}
	if len(t.Files) > 0 {
		p.f("\nfiles: %s\n", strings.Join(t.Files, ", "))
	}
	p.f("\nnothing was posted")
	if t.Post != "" {
		p.f("; it would go to %s", t.Post)
	}
	p.f(". `hermes trace %s` shows every step\n", t.Trace)
	switch {
	case p.err != nil:
		return p.err
	case t.Why != "":
		return errors.New(t.Why)
	case t.Verdict != nil && !t.Verdict.Met:
		return errContract
	}
	return nil
}
