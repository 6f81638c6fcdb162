package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/decision"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/playbook"
	"hermes/agent/prompt"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// A Library has the saved reports.
type Library interface {
	// Report returns the one of that name as it stands now; playbook.ErrNone if there is
	// none, playbook.ErrAltered if it is not as it was saved.
	Report(ctx context.Context, name string) (playbook.Kept, error)
}

// A Past knows what was posted.
type Past interface {
	// Delivered returns the newest post of a job about a period, with the revision that
	// another one would be; false if there is none.
	Delivered(ctx context.Context, job string, p run.Period) (run.Earlier, bool, error)
}

// order makes a Run the saved report that it asks for. One that there is not ends it.
func (a *Agent) order(ctx context.Context, r run.Run, o run.Order) (run.Run, error) {
	kept, err := playbook.Kept{}, playbook.ErrNone
	if a.Library != nil {
		kept, err = a.Library.Report(ctx, o.Report)
	}
	switch {
	case errors.Is(err, playbook.ErrNone):
		r = a.end(r, guard.Verdict{Guard: "report", State: run.Failed, Why: run.NoReport}, "")
		r.Outcome.Stuck, r.Outcome.Detail = "", o.Report
		return r, nil
	case errors.Is(err, playbook.ErrAltered):
		r = a.end(r, guard.Verdict{Guard: "report", State: run.Failed, Why: run.Forged}, "")
		r.Outcome.Stuck, r.Outcome.Detail = "", o.Report
		return r, nil
	case err != nil:
		return r, fmt.Errorf("saved report %s: %w", o.Report, err)
	}
	period := o.Period
	if period.To.IsZero() {
		period = playbook.PeriodOf(kept.Period, r.Period, r.Now, zoneOf(r))
	}
	saved, err := kept.Saved(o, period, len(r.Steps))
	if err != nil {
		return r, err
	}
	r.Saved, r.Goal = saved, nil
	return a.earlierPost(ctx, r)
}

// earlierPost notes what was posted before about what a slot is about.
func (a *Agent) earlierPost(ctx context.Context, r run.Run) (run.Run, error) {
	p := r.About()
	if a.Past == nil || r.Job == "" || p.To.IsZero() {
		return r, nil
	}
	old, found, err := a.Past.Delivered(ctx, r.Job, p)
	if err != nil {
		return r, fmt.Errorf("posts of job %s: %w", r.Job, err)
	}
	if r.Again = nil; found {
		r.Again = &old
	}
	return r, nil
}

// zoneOf is the zone that a Run's days are of.
func zoneOf(r run.Run) *time.Location {
	if loc, err := time.LoadLocation(r.Zone); err == nil && r.Zone != "" {
		return loc
	}
	return time.UTC
}

// play does the next thing of a Run that is a saved report: what stands in the report
// takes the place of what a model would say, and all else is as ever.
func (a *Agent) play(ctx context.Context, r run.Run) (run.Run, error) {
	book, err := playbook.Decode(r.Saved.Book)
	if err != nil {
		return r, fmt.Errorf("report %s of run %s: %w", r.Saved.Name, r.Key, err)
	}
	d, err := book.Next(r, zoneOf(r), a.Models.writer() != nil)
	switch {
	case err != nil:
		return a.endSaved(r, book, playbook.End{Failed: r.Saved.Name, Why: err.Error()}), nil //nolint:nilerr // people are told of it, and it ends the run
	case d.Write:
		return a.comment(ctx, r, book)
	case d.End != nil:
		return a.endSaved(r, book, *d.End), nil
	}
	said := llm.Message{Role: llm.Assistant}
	for _, c := range d.Calls {
		said.Calls = append(said.Calls, llm.Call{ID: c.ID, Name: c.Name, Args: c.Args})
	}
	return r.Heard(llm.Reply{Message: said}, a.Now(), 0), nil
}

// endSaved ends a Run that is a saved report. What a person could have tried again is
// suspended: Continue runs it anew.
func (a *Agent) endSaved(r run.Run, book playbook.Playbook, e playbook.End) run.Run {
	lang := r.Lang
	text := e.Say(playbook.Said{
		Title: book.Called(lang), Label: playbook.LabelOf(book.Period, r.Saved.Period, zoneOf(r), lang),
		Name: r.Saved.Name, Version: r.Saved.Version, Test: r.Saved.Test,
	}, lang)
	if r.Steers() {
		text += "\n\n" + pick(lang, "A saved report runs as it is saved: what you said meanwhile was not taken up. Please say it again.",
			"已保存的报表按保存的内容运行：您中途说的话没有采用，请再说一遍。")
	}
	v := guard.Verdict{Guard: "finish", State: run.Done}
	switch {
	case e.Failed != "":
		v = guard.Verdict{Guard: "report", State: run.Suspended, Why: run.Unmade}
	case len(e.Broken) > 0:
		v = guard.Verdict{Guard: "report", State: run.Suspended, Why: run.Breached}
	}
	if v.Why != "" && (r.Rehearse || r.Saved.Test) {
		v.State = run.Done
	}
	r = a.end(r, v, text)
	r.Outcome.Stuck, r.Outcome.Detail = "", ""
	return r
}

// comment has a model write what stands under the figures. It sees what the steps have
// said and has no tools. Without its words the report is made all the same.
func (a *Agent) comment(ctx context.Context, r run.Run, book playbook.Playbook) (run.Run, error) {
	m := a.Models.writer()
	none := func(why string) run.Run {
		return r.Heard(llm.Reply{Message: llm.Message{Role: llm.Assistant}}, a.Now(), 0).Note(func(s *run.Step) { s.Form, s.Raw = playbook.Written, why })
	}
	if m == nil {
		return none("no language model"), nil
	}
	began := a.Now()
	lang := or2(r.Saved.Lang, r.Lang)
	system, err := prompt.Commentary(prompt.Comment{
		Title: book.Called(lang), Period: playbook.LabelOf(book.Period, r.Saved.Period, zoneOf(r), lang), About: book.Commentary.About, Zh: lang == "zh",
	})
	if err != nil {
		return r, err
	}
	req := llm.Request{System: system, Messages: []llm.Message{{Role: llm.User, Text: figuresOf(r)}}, Scene: llm.Scene{
		Run: r.Key, Asker: r.Asker, Home: r.Home, Profile: r.Profile, Lang: lang, Now: r.Now, Zone: r.Zone,
	}}
	if over, err := a.overdrawn(ctx, r, *m, req, run.Amount{}); err != nil || over != nil {
		return none("the budget is used"), err
	}
	asked := a.Now()
	within, cancel := a.within(ctx, r)
	defer cancel()
	reply, err := m.Model.Generate(within, req)
	if ctx.Err() != nil {
		return r, fmt.Errorf("commentary of %s: %w", r.Key, ctx.Err())
	}
	why, text := "", ""
	if err != nil {
		a.Log.Warn("no commentary", "run", r.Key, "report", r.Saved.Name, "model", m.Model.Name(), "err", err)
		reply.Usage, why = spent(req, reply, err), err.Error()
	} else if d, err := decision.Read(llm.Message{Role: llm.Assistant, Text: reply.Message.Text}, a.reading(*m)); err == nil && len(d.Calls) == 0 {
		text = strings.TrimSpace(d.Result)
	}
	raw := reply.Message.Text
	reply.Model = m.Model.Name()
	reply.Message = llm.Message{Role: llm.Assistant, Text: text}
	return r.Heard(reply, asked, a.Now().Sub(asked)).Note(func(s *run.Step) {
		s.Form, s.Began = playbook.Written, asked.Sub(began)
		if s.Raw = why; raw != text && why == "" {
			s.Raw = raw
		}
	}), nil
}

// figuresOf is what the steps of a saved report have said, fenced: it is data.
func figuresOf(r run.Run) string {
	var b strings.Builder
	for _, s := range r.Steps[min(r.Saved.From, len(r.Steps)):] {
		for c, res := range s.Pairs() {
			if !res.Failed && c.Name != playbook.CheckReport {
				b.WriteString(result.Clean(or2(res.Brief, res.Text)) + "\n\n")
			}
		}
	}
	return strings.TrimSpace(b.String())
}

func or2(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// writer is the first language model that is to be had; nil if there is none.
func (m *Models) writer() *Member {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.members, func(x Member) bool { return !x.Rules && !m.now().Before(m.down[x.Model.Name()]) })
	if i < 0 {
		return nil
	}
	return &m.members[i]
}

// become has a Run go on as the saved report that a tool has found for it.
func (a *Agent) become(ctx context.Context, r run.Run, o tool.Order) (run.Run, error) {
	if r.Saved != nil {
		return r, nil
	}
	return a.order(ctx, r, run.Order{Report: o.Report, Period: o.Period, Channel: o.Channel})
}

// Pinned makes a saved report of a Run, by its key. name may be empty.
func (a *Agent) Pinned(ctx context.Context, key, name string) (playbook.Playbook, []playbook.Note, run.Run, error) {
	r, ok, err := a.Store.Run(ctx, key)
	switch {
	case err != nil:
		return playbook.Playbook{}, nil, r, fmt.Errorf("load run %s: %w", key, err)
	case !ok:
		return playbook.Playbook{}, nil, r, playbook.ErrNothing
	}
	p, notes, err := playbook.Pin(r, a.pinning(ctx, name))
	return p, notes, r, err
}

func (a *Agent) pinning(ctx context.Context, name string) playbook.Pinning {
	return playbook.Pinning{
		Name: name,
		Check: func(name string, args []byte) []byte {
			t := a.Tools.Lookup(name)
			if t == nil {
				return args
			}
			if checked := tool.Check(t.Spec(), args, tool.CheckOptions{}); checked.Err(name) == nil {
				return checked.Args
			}
			return args
		},
		Table: func(id string) (tool.Artifact, bool) {
			got, err := a.Shelf.Artifact(ctx, id)
			return got, err == nil
		},
	}
}

// repeats reports whether a Run has made a report that can be saved, with the unit that it
// is about if nothing is planned yet.
func (a *Agent) repeats(r run.Run) (bool, string) {
	if r.State != run.Done || r.Saved != nil || r.Job != "" || r.Rehearse || r.Light || !did(r, func(name string) bool { return name == playbook.MakeReport }) {
		return false, ""
	}
	p, _, err := playbook.Pin(r, playbook.Pinning{Name: "x"})
	if err != nil || did(r, func(name string) bool { return name == "schedule_add" }) {
		return err == nil, ""
	}
	return true, string(p.Period)
}
