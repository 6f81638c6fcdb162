package agent

import (
	"context"
	"slices"

	"hermes/agent/guard"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/agent/verify"
)

// goal is what must be done before a Run counts as done: the acts that its words ask
// for, the post that its slot is for, and the check of its profile. Small talk and what
// is answered in words have none, and a form has brought its calls with it.
func (a *Agent) goal(ctx context.Context, r run.Run) []run.Effect {
	if r.Light || r.NoTools || r.Rehearse || r.Ready != nil || r.Order != nil || r.Saved != nil {
		return nil
	}
	wants := verify.Wants(said(r)...)
	if r.Job != "" {
		// The slot is what was planned.
		wants = slices.DeleteFunc(wants, func(w verify.Want) bool { return w.Act == run.Scheduled })
	}
	if r.Expect != "" && !slices.ContainsFunc(wants, func(w verify.Want) bool { return w.Act == run.Posted }) {
		wants = append(wants, verify.Want{Act: run.Posted})
	}
	var goal []run.Effect
	if len(wants) > 0 {
		specs := a.specs(ctx, r)
		for _, w := range wants {
			goal = append(goal, run.Effect{Act: w.Act, Tools: doing(specs, r, w)})
		}
	}
	if name := a.cfg.Profiles.For(r.Request).Verify; name != "" {
		names := []string{name}
		if t := a.Tools.Lookup(name); t != nil {
			names = named(t.Spec())
		}
		goal = append(goal, run.Effect{Tools: names})
	}
	return goal
}

// said is what people have asked of a Run: its request, and what was said under way.
func said(r run.Run) []string {
	all := []string{r.Text}
	for _, s := range r.Taken {
		all = append(all, s.Text)
	}
	return all
}

// doing are the names of the tools of which any does what is wanted.
func doing(specs []tool.Spec, r run.Run, w verify.Want) []string {
	var names []string
	for _, s := range specs {
		writes := s.Effect != tool.Read
		does := verify.Claim{Act: w.Act}.Proved(s.Name, writes) || w.Later && verify.Does(s.Name, writes, run.Scheduled)
		if does && (r.Job == "" || s.Unattended) {
			names = append(names, named(s)...)
		}
	}
	return names
}

// named are all names of a tool, that of today first.
func named(s tool.Spec) []string {
	names := []string{s.Name}
	for name := range s.Formerly {
		names = append(names, name)
	}
	slices.Sort(names[1:])
	return names
}

// reread is a Run with its goal as what was said to it under way has made it.
func (a *Agent) reread(ctx context.Context, r run.Run) run.Run {
	if len(r.Taken) > 0 {
		r.Goal = a.goal(ctx, r)
	}
	return r
}

// An objection is what is to be said against an answer.
type objection struct {
	claimed  []run.Act  // acts that it speaks of and that nothing proves
	lacking  []run.Tick // what was asked for and has not come about
	miscites []string   // what it cites and has not run
	defers   bool       // it is none: it announces a look, and there is no call
}

func (o objection) none() bool {
	return len(o.claimed)+len(o.lacking)+len(o.miscites) == 0 && !o.defers
}

// unmet are the acts that are lacking, and skipped the checks.
func (o objection) unmet() []run.Act {
	var acts []run.Act
	for _, t := range o.lacking {
		if t.Act != "" {
			acts = append(acts, t.Act)
		}
	}
	return acts
}

func (o objection) skipped() []string {
	var names []string
	for _, t := range o.lacking {
		if t.Act == "" {
			names = append(names, t.Tools[0])
		}
	}
	return names
}

// objection holds an answer against what the Run was to do and has done. An answer that
// asks for what the work needs is no end of it. The built-in rules do what they can and
// say so; a check of the profile is asked of them too.
func (a *Agent) objection(r run.Run, text string) objection {
	rules := a.Models.rules(r.Model)
	o := objection{claimed: a.claimed(r, text)}
	if !rules {
		o.miscites = a.record(r.Steps).Miscited(text)
		o.defers = !r.Light && !r.NoTools && a.idle(r) && verify.Defers(text)
	}
	for _, t := range r.Ticks() {
		if !t.Mark.Lawful() && (t.Act == "" || !rules) {
			o.lacking = append(o.lacking, t)
		}
	}
	if len(o.lacking) > 0 && len(o.claimed) == 0 && verify.Asks(text) {
		o.lacking = nil
	}
	return o
}

// verdict is how a Run ends with an answer against which something is to be said.
func (a *Agent) verdict(r run.Run, o objection, otherwise guard.Verdict) guard.Verdict {
	if len(o.lacking) == 0 && !o.defers {
		return otherwise
	}
	return a.cfg.Profiles.For(r.Request).Unfinished()
}

// record is what there is to be cited of some steps.
func (a *Agent) record(steps []run.Step) verify.Record {
	return verify.Record{
		Steps: len(steps),
		Acted: func() bool { return ran(steps, func(string, run.Result) bool { return true }) },
		Ran: func(name string) bool {
			return ran(steps, func(tool string, _ run.Result) bool { return tool == name })
		},
		Known: func(name string) bool { return a.Tools.Lookup(name) != nil },
	}
}

// cited notes on the steps of a Run that has ended what they cite wrongly or not at all.
func (a *Agent) cited(r run.Run) run.Run {
	if a.Models.rules(r.Model) {
		return r
	}
	steps := slices.Clone(r.Steps)
	for i := range steps {
		s := &steps[i]
		text := thought(*s)
		s.Miscites, s.Uncited = a.record(steps[:i]).Miscited(text), verify.Uncited(text)
	}
	r.Steps = steps
	return r
}

// thought is what a model has written in a step, with what it thought where that is kept.
func thought(s run.Step) string {
	if s.Raw != "" {
		return s.Raw
	}
	return s.Reply.Message.Text
}
