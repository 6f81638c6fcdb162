package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// vet returns a call as its tool gets it, or why it does not run: what is said to
// the model, which can mend it. It asks nobody and changes nothing.
func (a *Agent) vet(ctx context.Context, r run.Run, call llm.Call) (llm.Call, *run.Result) {
	no := func(why run.Unrun, format string, args ...any) (llm.Call, *run.Result) {
		res := refusal(call, why, tool.Error{Type: tool.InputError, Message: fmt.Sprintf(format, args...)})
		return call, &res
	}
	if r.Started() == call.ID {
		return call, nil
	}
	t := a.lookup(ctx, r, call.Name)
	if t == nil && a.Tools.Lookup(call.Name) != nil {
		// It is there, and not for who asks: neither now nor after a yes of before.
		res := refusal(call, run.Unfit, tool.Error{Type: tool.InputError, Message: a.unknown(ctx, r, call.Name)})
		res.Hidden = true
		return call, &res
	}
	if _, asked := r.Asked(call.ID); asked {
		return call, nil // it was fit when the question was asked
	}
	last, _ := r.Last()
	var args map[string]json.RawMessage
	switch {
	case r.NoTools:
		return no(run.Forbidden, "there are no tools here; answer in words")
	case t == nil:
		return no(run.Unfit, "%s", a.unknown(ctx, r, call.Name))
	case r.Job != "" && !t.Spec().Unattended:
		return no(run.Forbidden, "the tool %s may not be used by a scheduled run", call.Name)
	case last.Scraped && (t.Spec().Effect != tool.Read || t.Spec().Keeps):
		return no(run.Unfit, "what you wrote was cut off; write this call again, whole")
	case json.Unmarshal(call.Args, &args) == nil && args[llm.Unreadable] != nil:
		return no(run.Unfit, "the arguments are not JSON: %s", args[llm.Unreadable])
	}
	if kinds := a.Redact.Taken(string(call.Args)); len(kinds) > 0 {
		res := refusal(call, run.Unfit, tool.Error{
			Type: tool.InputError, Message: "not run: the arguments hold a secret (" + strings.Join(kinds, ", ") + "), which is not passed on",
			Suggestion: "leave it out, or say that it cannot be used here and should be changed where it is from",
		})
		return call, &res
	}
	if why := a.cfg.Profiles.For(r.Request).Excess(r, call, a.repeatable); why != "" {
		res := refusal(call, run.Excess, tool.Error{
			Type: tool.InputError, Message: why, Suggestion: "read the results that came; then ask for fewer, or for all at once, or answer",
		})
		return call, &res
	}
	checked := tool.Check(t.Spec(), call.Args, tool.CheckOptions{})
	if fault := checked.Err(call.Name); fault != nil {
		a.catalog.Failed(call.Name, fault)
		res := refusal(call, run.Unfit, *fault)
		res.Missing = checked.Missing
		for _, field := range checked.Missing {
			if said := describing(t.Spec().Schema, field); fromTools.MatchString(said) {
				res.Note = strings.TrimSpace(res.Note + "\n" + result.Note(field+" ("+said+") comes from a tool and no person knows it: call that first"))
			}
		}
		return call, &res
	}
	if res := a.again(r, call, t.Spec()); res != nil {
		return call, res
	}
	call.Args = checked.Args
	return call, nil
}

// again is why a call is not run once more: the same reply holds it twice, the round
// before has made it, or it is a write that this run has done.
func (a *Agent) again(r run.Run, call llm.Call, s tool.Spec) *run.Result {
	last, _ := r.Last()
	several := s.Effect != tool.Read && twice(r.Wish())
	for _, c := range last.Reply.Message.Calls {
		if c.ID == call.ID || several {
			break
		}
		if run.Same(c, call) {
			res := unrun(call, run.Twice, "")
			return &res
		}
	}
	if s.Effect != tool.Read {
		if by, ok := r.Denied(call); ok {
			res := refusal(call, run.Forbidden, tool.Error{
				Type: tool.InputError, Message: "denied by " + by + " before in this very work", Suggestion: "say that it was not done; it is not asked again",
			})
			res.Denied = by
			return &res
		}
		if done, ok := r.Ran(call); ok && !several {
			return cached(call, done)
		}
		return nil
	}
	if s.Repeatable || len(r.Steps) < 2 || len(r.Steps)-1 <= r.From {
		return nil
	}
	before := r.Steps[len(r.Steps)-2]
	for _, c := range before.Reply.Message.Calls {
		if !run.Same(c, call) {
			continue
		}
		for _, old := range before.Results {
			if old.ID == c.ID && (old.Error == nil || !old.Error.Type.Passing()) && old.Unrun != run.Ended && old.Unrun != run.Excess {
				res := unrun(call, run.Repeated, "not run: the round before made this very call, and it brought no new information. Use its result, change the arguments or the approach, or answer.")
				return &res
			}
		}
	}
	return nil
}

// twins gives calls that stand twice in one reply, or come to the same on a card, the
// result of the first.
func twins(r run.Run) run.Run {
	last, _ := r.Last()
	for _, open := range r.OpenCalls() {
		for _, c := range last.Reply.Message.Calls {
			if of, ok := r.TwinOf(open.ID); c.ID == open.ID || !(ok && of == c.ID) && !run.Same(c, open) {
				continue
			}
			for _, res := range last.Results {
				if res.ID == c.ID {
					twin := res
					twin.ID, twin.Unrun, twin.Shows, twin.Attempts = open.ID, run.Twice, nil, 0
					r = r.With(twin)
				}
			}
			break
		}
	}
	return r
}

// A Named is what a word of the team stands for, which models may take for a tool.
type Named struct {
	Tool  string // the tool that is meant; empty: none
	Means string
}

// meant has a call of a word of the team be one of the tool that it stands for.
func (a *Agent) meant(calls []llm.Call) {
	for i, c := range calls {
		if n := a.cfg.Named[strings.ToLower(c.Name)]; n.Tool != "" && a.Tools.Lookup(c.Name) == nil {
			calls[i].Name = n.Tool
		}
	}
}

// word says what a word of the team means that a model took for a tool.
func (a *Agent) word(name string) string {
	n, ok := a.cfg.Named[strings.ToLower(name)]
	if !ok {
		return ""
	}
	return "; " + name + " is a word of the team for " + n.Means + ", which is no tool"
}

// unknown says that there is no such tool, which there are, and which was meant.
func (a *Agent) unknown(ctx context.Context, r run.Run, name string) string {
	var names []string
	for _, s := range a.specs(ctx, r) {
		names = append(names, s.Name)
	}
	return tool.Unknown(name, names) + a.word(name)
}
