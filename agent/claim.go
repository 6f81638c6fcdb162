package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/verify"
)

// held holds the last words of a Run against what it was told and what it has done.
func (a *Agent) held(ctx context.Context, r run.Run, o objection) (run.Run, error) {
	var err error
	if r.Outcome.Unproven, err = a.unproven(ctx, r, r.Outcome.Text); err != nil {
		return r, err
	}
	undone := r.Undone(a.writes) // people are told of these by name
	told := func(act run.Act) bool {
		return slices.ContainsFunc(undone, func(u run.Undone) bool { return verify.Does(u.Tool, true, act) })
	}
	if r.Outcome.Why == run.Unfinished {
		r.Outcome.Skipped = o.skipped()
		r.Outcome.Unmet = slices.DeleteFunc(o.unmet(), told)
	}
	r.Outcome.Miscites = o.miscites
	r.Outcome.Claimed = slices.DeleteFunc(o.claimed, func(act run.Act) bool { return told(act) || slices.Contains(r.Outcome.Unmet, act) })
	return a.cited(r), nil
}

// claimed returns the acts that an answer says are done, or will be, and that nothing
// proves: neither a tool of the run nor an earlier answer at the same place. The
// built-in rules claim nothing.
func (a *Agent) claimed(r run.Run, text string) []run.Act {
	if a.Models.rules(r.Model) {
		return nil
	}
	told := func() string {
		var all strings.Builder
		for _, l := range r.Request.Heard {
			all.WriteString(l.Text + "\n")
		}
		for _, s := range r.Steps {
			for _, res := range s.Results {
				all.WriteString(res.Text + "\n")
			}
		}
		return all.String()
	}
	var acts []run.Act
	claims := verify.Claims(text, told)
	for _, c := range claims {
		if !a.proved(r, c) && !slices.Contains(acts, c.Act) {
			acts = append(acts, c.Act)
		}
	}
	if len(claims) == 0 && a.feigned(r, text) {
		acts = append(acts, feignedAct(r))
	}
	return acts
}

// feigned reports whether an answer says that what was ordered is done, where no tool has
// done more than look.
func (a *Agent) feigned(r run.Run, text string) bool {
	if r.Rehearse || r.Ready != nil || len(r.Undone(a.writes)) > 0 {
		return false // what was tried is told of by name
	}
	if did(r, func(name string) bool { return !verify.Looks(name, a.writes(name)) }) {
		return false
	}
	seen := did(r, func(string) bool { return true }) || slices.ContainsFunc(r.Turns, func(t run.Turn) bool {
		return t.Role == llm.Assistant && !strings.Contains(t.Text, run.Doubt) && len(verify.Claims(t.Text, nil)) > 0
	})
	return verify.Feigns(text, seen, said(r)...)
}

// feignedAct is the act that was ordered, as far as it is known.
func feignedAct(r run.Run) run.Act {
	for _, w := range verify.Wants(said(r)...) {
		return w.Act
	}
	return run.Changed
}

// proved reports whether a claim is of something that was done. What may have taken
// effect counts: people are told of it in other words.
func (a *Agent) proved(r run.Run, c verify.Claim) bool {
	if did(r, func(name string) bool { return c.Proved(name, a.writes(name)) }) {
		return true
	}
	return slices.ContainsFunc(r.Turns, func(t run.Turn) bool {
		return t.Role == llm.Assistant && !strings.Contains(t.Text, run.Doubt) &&
			slices.ContainsFunc(verify.Claims(t.Text, nil), func(old verify.Claim) bool { return old.Act == c.Act })
	})
}

// idle reports whether no call of a Run is one of the acts that people are told of.
func (a *Agent) idle(r run.Run) bool {
	return !did(r, func(name string) bool {
		return a.writes(name) || slices.ContainsFunc(run.Acts(), func(act run.Act) bool { return verify.Does(name, false, act) })
	})
}

// did reports whether a call of a tool has taken effect, or may have.
func did(r run.Run, is func(tool string) bool) bool {
	return ran(r.Steps, func(tool string, res run.Result) bool { return (!res.Failed || res.Unknown) && is(tool) })
}

// ran reports whether a call has run in some steps of which is says so.
func ran(steps []run.Step, is func(tool string, res run.Result) bool) bool {
	for _, s := range steps {
		for call, res := range s.Pairs() {
			if res.Ran() && is(call.Name, res) {
				return true
			}
		}
	}
	return false
}

// dispute has the model answer again, once, if something is to be said against its
// answer. It reports false if there is nothing, or no round left to say it in.
func (a *Agent) dispute(ctx context.Context, r run.Run, o objection) (run.Run, bool) {
	if o.none() || a.Models.rules(r.Model) || slices.ContainsFunc(r.Counted(), func(s run.Step) bool { return s.Claimed || len(s.Lacks) > 0 }) {
		return r, false
	}
	var faults, lacks []string
	if wants := a.naming(ctx, r, o.claimed); len(wants) > 0 {
		faults = append(faults, "it speaks of something as done, or as sure to be, that no tool has done in this run: "+strings.Join(wants, ", "))
	}
	if o.defers {
		faults, lacks = append(faults, "it only says that you are about to look, and no call of a tool came with it"), append(lacks, "an answer")
	}
	if len(o.miscites) > 0 {
		faults = append(faults, "it cites what has not run: "+strings.Join(o.miscites, ", "))
	}
	unmet := o.unmet()
	if wants := a.naming(ctx, r, unmet); len(wants) > 0 {
		faults = append(faults, "the request asks for what no tool has done in this run: "+strings.Join(wants, ", "))
	}
	for _, act := range unmet {
		lacks = append(lacks, string(act))
	}
	if skipped := o.skipped(); len(skipped) > 0 {
		faults = append(faults, "before an answer counts here, this must have run: "+strings.Join(skipped, ", "))
		lacks = append(lacks, skipped...)
	}
	r = r.Note(func(s *run.Step) {
		s.Claimed, s.Lacks = len(o.claimed)+len(o.miscites) > 0, lacks
		s.Fault = "Your answer was not shown: " + strings.Join(faults, "; ") + ". Make the call now, or answer again and say plainly what is not done."
	})
	_, ends := a.cfg.Profiles.For(r.Request).Check(r, nil, a.repeatable)
	return r, !ends
}

// naming are acts with the tools that do them.
func (a *Agent) naming(ctx context.Context, r run.Run, acts []run.Act) []string {
	var out []string
	for _, act := range acts {
		out = append(out, fmt.Sprintf("%s (%s)", act, a.doers(ctx, r, act)))
	}
	return out
}

// mostDoers is how many tools are named for one act.
const mostDoers = 3

// doers names the tools by which a Run could do an act: those whose names say so, else
// those that may do anything.
func (a *Agent) doers(ctx context.Context, r run.Run, act run.Act) string {
	var sure, perhaps []string
	if !r.NoTools {
		for _, t := range told(a.specs(ctx, r), r) {
			switch {
			case verify.Does(t.Name, false, act):
				sure = append(sure, t.Name)
			case verify.Does(t.Name, a.writes(t.Name), act):
				perhaps = append(perhaps, t.Name)
			}
		}
	}
	if len(sure) == 0 {
		sure = perhaps
	}
	if len(sure) == 0 {
		return "there is no tool for it here"
	}
	return strings.Join(sure[:min(mostDoers, len(sure))], " or ")
}
