package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"hermes/agent/exec"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/redact"
)

// use brings the open calls of the last step further: it turns away those that
// cannot run, runs those that only read side by side, and then the first that
// writes, or stops the Run with a Question about it.
func (a *Agent) use(ctx context.Context, r run.Run, calls []llm.Call) (run.Run, error) {
	var batch []llm.Call
	for _, call := range calls {
		if _, ok := r.TwinOf(call.ID); ok {
			continue // it gets the other's result, below
		}
		c, res := a.vet(ctx, r, call)
		switch {
		case res != nil && res.Unrun == run.Twice:
			continue
		case res != nil && len(res.Missing) > 0 && a.mayAsk(r, call, res):
			if len(batch) > 0 {
				return a.readAll(ctx, r, batch)
			}
			return a.askMissing(r, call, res), nil
		case res != nil:
			r = r.With(*res)
			continue
		}
		t := a.Tools.Lookup(c.Name)
		if a.pauses(r, c) {
			if len(batch) > 0 {
				return a.readAll(ctx, r, batch)
			}
			r.Paused = c.ID
			return a.end(r, guard.Verdict{Guard: "interrupt", State: run.Suspended, Why: run.Paused}, ""), nil
		}
		if _, asked := r.Asked(c.ID); t.Spec().Effect == tool.Read && !asked {
			forced, err := a.forced(ctx, r, c, t)
			if err != nil {
				return r, err
			}
			if !forced {
				batch = append(batch, c)
				continue
			}
		}
		if len(batch) > 0 {
			// What reads comes first and is saved with what follows: it can be done
			// again.
			var err error
			if r, err = a.readAll(ctx, r, batch); err != nil || r.State != run.Working {
				return r, err
			}
		}
		return a.single(ctx, r, c, t)
	}
	var err error
	if len(batch) > 0 {
		if r, err = a.readAll(ctx, r, batch); err != nil || r.State != run.Working {
			return r, err
		}
	}
	return twins(r), nil
}

// single does one call that writes, that waits for an answer, or that has got one.
func (a *Agent) single(ctx context.Context, r run.Run, call llm.Call, t tool.Tool) (run.Run, error) {
	if r.Started() == call.ID {
		res := refusal(call, run.Ended, tool.Error{
			Type: tool.LogicError, Message: "unknown: the program stopped while this ran; nobody knows whether it took effect",
			Suggestion: "look whether it is there before you try again",
		})
		res.Unknown = true
		return r.With(res), nil
	}
	q, asked := r.Asked(call.ID)
	if asked && q.Answer == nil {
		return r.Wait(q), nil
	}
	if asked && (q.Answer.Choice == run.Late || q.Answer.Choice == run.Ceased) {
		// Somebody pressed Continue after the question had run out or was called off.
		asked = false
	}
	switch {
	case asked && q.Token == missingToken && q.Kind == run.Say:
		return answeredMissing(r, call, q), nil
	case asked && q.Kind != run.Approve:
		return a.choose(ctx, r, call, t, q)
	case asked && q.Answer.Choice == run.Remake:
		return r.With(unrun(call, run.Remade, "not posted: "+who(q)+" wants it made anew first")), nil
	case asked && q.Answer.Choice == run.Change:
		return failed(r, call, run.SentBack, sentBack(q)), nil
	case asked:
		approved, ok := q.Approved(call.ID)
		switch {
		case q.Altered(call.ID):
			return a.altered(r, call, q.ID), nil
		case !ok:
			res := refusal(call, run.Forbidden, denied(q))
			res.Denied = who(q)
			return r.With(res), nil
		}
		return a.act(ctx, r, approved, t, q.ID, "")
	case t.Spec().Effect == tool.Read:
		if forced, err := a.forced(ctx, r, call, t); err != nil || !forced {
			if err != nil {
				return r, err
			}
			return a.readAll(ctx, r, []llm.Call{call})
		}
	}
	return a.propose(ctx, r, r.OpenCalls(), t)
}

// pauses reports whether a Run stops before a call until somebody lets it go on.
func (a *Agent) pauses(r run.Run, c llm.Call) bool {
	return r.Paused != c.ID && slices.Contains(a.cfg.Profiles.For(r.Request).Before, c.Name)
}

// screened reports whether a call holds a word of danger where it counts: in control, and
// in the further arguments that its tool names.
func (a *Agent) screened(c llm.Call, s tool.Spec, control []tool.Value) (string, bool) {
	if word, found := a.cfg.Words.Finds(c, s.Screen); found {
		return word, true
	}
	for _, v := range control {
		if word, found := a.cfg.Words.In(v.Text); found {
			return word, true
		}
	}
	return "", false
}

// propose brings a write that nobody has allowed yet before a grant or a person.
func (a *Agent) propose(ctx context.Context, r run.Run, calls []llm.Call, t tool.Tool) (run.Run, error) {
	call, res := a.vet(ctx, r, calls[0])
	if res != nil {
		return r.With(*res), nil
	}
	plan, err := a.plan(ctx, r, call, t)
	switch {
	case err != nil:
		return r, err
	case plan.Fault != "":
		return failed(r, call, run.Unfit, tool.Error{Type: tool.InputError, Message: plan.Fault}), nil
	case r.Rehearse:
		return rehearsed(r, call, plan)
	}
	if res, err := a.done(r, call, plan); err != nil || res != nil {
		if err != nil {
			return r, err
		}
		return r.With(*res), nil
	}
	if cites := a.unfounded(r); len(cites) > 0 && !sentForCites(r) {
		return failed(r, call, run.Unfit, tool.Error{
			Type: tool.InputError, Message: citesNothing + strings.Join(cites, ", "),
			Suggestion: "run what it rests on first, or make the call again and say only what has been found, with its step or tool",
		}), nil
	}
	g, ok, err := a.covering(ctx, r, t.Spec(), plan)
	switch {
	case err != nil:
		return r, err
	case ok:
		granted := call
		granted.Args = plan.Args
		switch taken, err := a.takes(ctx, r, granted, t, g.ID); {
		case err != nil:
			return r, err
		case taken:
			return a.act(ctx, r, granted, t, g.ID, g.ID)
		}
	}
	return a.ask(ctx, r, calls)
}

// citesNothing begins what a model hears of a write whose reason cites what has not run.
const citesNothing = "not run: the words beside this call cite what has not run: "

// unfounded is what the words of the last reply cite of steps that were not and of tools
// that have not run. The built-in rules give no reasons.
func (a *Agent) unfounded(r run.Run) []string {
	last, ok := r.Last()
	if !ok || a.Models.rules(r.Model) {
		return nil
	}
	return a.record(r.Steps[:len(r.Steps)-1]).Miscited(thought(last))
}

// sentForCites reports whether a write of a Run was turned away for that already: then a
// person sees it.
func sentForCites(r run.Run) bool {
	return slices.ContainsFunc(r.Steps, func(s run.Step) bool {
		return slices.ContainsFunc(s.Results, func(res run.Result) bool {
			return res.Error != nil && strings.HasPrefix(res.Error.Message, citesNothing)
		})
	})
}

// takes takes the use of a grant for a call that is about to start, and reports false if
// none is left since it was looked at. A post takes its own when it is queued.
func (a *Agent) takes(ctx context.Context, r run.Run, call llm.Call, t tool.Tool, grant string) (bool, error) {
	if t.Spec().Effect == tool.Send {
		return true, nil
	}
	hash, err := run.HashArgs(call.Name, call.Args)
	if err != nil {
		return false, fmt.Errorf("hash %s: %w", call.Name, err)
	}
	err = a.Store.Take(ctx, run.Use{Grant: grant, Run: r.Key, Call: call.ID, Hash: hash, By: r.Asker, Home: r.Home})
	if errors.Is(err, ErrNoGrant) {
		return false, nil
	}
	return err == nil, err
}

// plan is what a call would do. A tool that is no Planner does what its arguments
// say. One that cannot plan is at fault as one that cannot run.
func (a *Agent) plan(ctx context.Context, r run.Run, call llm.Call, t tool.Tool) (tool.Plan, error) {
	plan, err := a.planOf(ctx, r, call, t)
	if err != nil || plan.Fault != "" {
		return plan, err
	}
	spec := t.Spec()
	control, _ := spec.Parts(call.Args)
	if _, danger := a.screened(call, spec, control); danger {
		plan.Final = true // it is asked about each time
	}
	plan.Control = guard.Control(spec, plan)
	if plan.Marks, err = a.marks(ctx, r, call, spec, plan); err != nil {
		return plan, err
	}
	if cites := a.unfounded(r); len(cites) > 0 && spec.Effect != tool.Read {
		plan.Marks = append(plan.Marks, fmt.Sprintf(pick(r.Lang, "the reason given cites what has not run: %s", "给出的理由引用了没有执行过的内容：%s"), strings.Join(cites, ", ")))
	}
	return plan, nil
}

func (a *Agent) planOf(ctx context.Context, r run.Run, call llm.Call, t tool.Tool) (tool.Plan, error) {
	p, ok := t.(tool.Planner)
	if !ok {
		// What a Read keeps or deletes is the asker's own.
		return tool.Plan{Args: call.Args, Own: t.Spec().Effect == tool.Read && t.Spec().Keeps}, nil
	}
	job := a.job(ctx, r, r.ToolCall(call), call.ID, t)
	job.Spec.Effect, job.Check = tool.Read, nil // to plan changes nothing
	var made atomic.Pointer[tool.Plan]
	job.Do = func(ctx context.Context) (tool.Result, error) {
		plan, err := p.Plan(ctx, r.ToolCall(call))
		if err == nil {
			made.Store(&plan)
		}
		return tool.Result{}, err
	}
	done, err := a.exec.One(ctx, job)
	if err != nil {
		return tool.Plan{}, fmt.Errorf("plan %s: %w", call.Name, err)
	}
	if done.Err == nil {
		return *made.Load(), nil
	}
	return tool.Plan{Fault: done.Err.Message}, nil
}

// rehearsed is what a write comes to in a rehearsal: it is shown, not done.
func rehearsed(r run.Run, call llm.Call, p tool.Plan) (run.Run, error) {
	text, err := json.Marshal(map[string]any{"rehearsed": true, "would": p.Lines})
	if err != nil {
		return r, fmt.Errorf("rehearse %s: %w", call.Name, err)
	}
	res := run.Result{Result: llm.Result{ID: call.ID, Text: string(text), Mark: result.MarkOf(call.Name, call.ID)}}
	if p.Artifact != "" {
		res.Shows = []string{p.Artifact}
	}
	return r.With(res), nil
}

// act does what was allowed under a question or a grant. The decision is read once more
// from disk before it starts: what does not stand there for these very arguments does
// not run.
func (a *Agent) act(ctx context.Context, r run.Run, call llm.Call, t tool.Tool, under, grant string) (run.Run, error) {
	if grant == "" {
		stands, err := a.stands(ctx, r, call, under)
		switch {
		case err != nil:
			return r, err
		case !stands:
			return a.altered(r, call, under), nil
		}
	}
	spec := t.Spec()
	if spec.Effect == tool.Write {
		free, ok := a.live.hold(ctx, r.Key)
		if !ok {
			return r, fmt.Errorf("start %s: %w", call.Name, context.Cause(ctx))
		}
		defer free()
		hash, err := run.HashArgs(call.Name, call.Args)
		if err != nil {
			return r, fmt.Errorf("hash %s: %w", call.Name, err)
		}
		if r, err = a.Store.Save(ctx, r.Start(call.ID, hash)); err != nil {
			return r, fmt.Errorf("save run %s: %w", r.Key, err)
		}
	}
	began := a.Now()
	done, err := a.exec.One(ctx, a.job(ctx, r, r.ToolCall(call), call.ID, t))
	a.live.recalls(r.Key, nil, time.Time{}) // it may have changed what is remembered
	if err != nil {
		return r, fmt.Errorf("tool %s: %w", call.Name, err)
	}
	if done.Err == nil && done.Result.Post != nil {
		return r.Send(call.ID, *done.Result.Post, under, grant), nil
	}
	r = r.Note(func(s *run.Step) { s.Acted += a.Now().Sub(began) })
	if done.Err == nil && done.Result.Ask != nil {
		return a.asked(r, call, done.Result.Ask), nil
	}
	return a.take(ctx, r, call, t, done, under)
}

// job is a call as the Executor runs it.
func (a *Agent) job(ctx context.Context, r run.Run, call tool.Call, id string, t tool.Tool) exec.Job {
	spec := a.spec(ctx, r, t)
	return exec.Job{
		Spec: spec, ID: id,
		Do:    func(ctx context.Context) (tool.Result, error) { return t.Run(ctx, call) },
		Check: func(res tool.Result) ([]string, *tool.Error) { return tool.CheckOutput(t, res) },
	}
}

// readAll runs calls that only read side by side and takes in what they say, in
// the order of the calls. Of several that ask a person the first does; the others
// are run again after the answer.
func (a *Agent) readAll(ctx context.Context, r run.Run, calls []llm.Call) (run.Run, error) {
	jobs := make([]exec.Job, len(calls))
	tools := make([]tool.Tool, len(calls))
	for i, c := range calls {
		tools[i] = a.Tools.Lookup(c.Name)
		vetted := r.ToolCall(c)
		vetted.Checked, vetted.Ruled = true, a.Models.rules(r.Model)
		jobs[i] = a.job(ctx, r, vetted, c.ID, tools[i])
	}
	began := a.Now()
	within, cancel := a.within(ctx, r)
	defer cancel()
	done, err := a.exec.All(within, jobs)
	if err != nil {
		if ctx.Err() != nil {
			return r, fmt.Errorf("tools of step %d: %w", len(r.Steps), err)
		}
		// The time of the whole task is over; the guard says so at the next move.
		return r, nil
	}
	r = r.Note(func(s *run.Step) { s.Acted += a.Now().Sub(began) })
	asks := -1
	for i, d := range done {
		if d.Err == nil && d.Result.Ask != nil {
			if asks < 0 {
				asks = i
			}
			continue
		}
		if r, err = a.take(ctx, r, calls[i], tools[i], d, ""); err != nil || r.State != run.Working {
			return r, err
		}
	}
	if asks >= 0 {
		return a.asked(r, calls[asks], done[asks].Result.Ask), nil
	}
	return r, nil
}

// choose gives a tool the answer to what it asked.
func (a *Agent) choose(ctx context.Context, r run.Run, call llm.Call, t tool.Tool, q run.Question) (run.Run, error) {
	chooser, ok := t.(tool.Chooser)
	if !ok {
		return failed(r, call, "", tool.Error{Type: tool.LogicError, Message: "the tool " + call.Name + " asks and cannot take an answer"}), nil
	}
	pick := tool.Pick{Token: q.Token, Choice: q.Answer.Choice, Words: q.Answer.Note, By: q.Answer.By}
	job := a.job(ctx, r, r.ToolCall(call), call.ID, t)
	job.Spec.Idempotent = true // by the contract of a Chooser
	job.Do = func(ctx context.Context) (tool.Result, error) { return chooser.Choose(ctx, r.ToolCall(call), pick) }
	done, err := a.exec.One(ctx, job)
	if err != nil {
		return r, fmt.Errorf("tool %s: %w", call.Name, err)
	}
	if done.Err == nil && done.Result.Ask != nil {
		return a.asked(r, call, done.Result.Ask), nil
	}
	return a.take(ctx, r, call, t, done, q.ID)
}

// asked stops the Run with what a tool wants to know.
func (a *Agent) asked(r run.Run, call llm.Call, ask *tool.Ask) run.Run {
	q := run.Question{Kind: run.Choose, Words: ask.Words, Token: ask.Token, Text: ask.Text, Calls: []run.Planned{{ID: call.ID, Name: call.Name, Args: call.Args, Diff: ask.Diff}}}
	for _, c := range ask.Choices {
		q.Options = append(q.Options, run.Option{ID: c.ID, Label: c.Label})
	}
	if len(q.Options) == 0 {
		q.Kind = run.Say
	}
	return r.Ask(q, a.Now().Add(a.cfg.Patience))
}

// inline is how long a result may be that stands beside the run as the tool gave it.
const inline = 64 << 10

// take takes in what came of a call: all of it is kept, and what the model reads is
// cut to size.
func (a *Agent) take(ctx context.Context, r run.Run, call llm.Call, t tool.Tool, d exec.Done, under string) (run.Run, error) {
	began, spec := a.Now(), a.spec(ctx, r, t)
	d.Result, d.Err = redact.Deep(a.Redact, d.Result), redact.Deep(a.Redact, d.Err)
	res := run.Result{
		Result: llm.Result{ID: call.ID, Text: d.Result.Text, Failed: d.Result.Failed},
		Took:   d.Took, Attempts: d.Attempts, Error: d.Err, Shows: d.Result.Shows, Under: under, Unknown: d.Unknown,
	}
	switch {
	case d.Err != nil && d.Err.Type == tool.ConfigError && len(spec.Alternates) == 0:
		// No other call of the model can mend it; after Continue it is tried again.
		r = a.end(r, guard.Verdict{Guard: "config", State: run.Suspended, Why: run.Misset}, "")
		r.Outcome.Stuck, r.Outcome.Detail = call.Name, d.Err.Message
		a.Log.Error("a tool is configured wrong", "tool", call.Name, "run", r.Key, "err", d.Err)
		return r, nil
	case d.Err != nil:
		res.Text, res.Failed = d.Err.Message, true
	case res.Failed:
		res.Error = &tool.Error{
			Type: tool.InputError, Tool: call.Name, Attempt: max(1, d.Attempts), Message: res.Text, Suggestion: exec.Mend(spec, res.Text),
		}
	}
	if res.Failed {
		a.catalog.Failed(call.Name, res.Error)
	} else {
		a.catalog.Succeeded(call.Name)
	}
	said := res.Text
	if d.Err != nil {
		b, err := json.Marshal(d.Err)
		if err != nil {
			return r, fmt.Errorf("encode error of %s: %w", call.Name, err)
		}
		said = string(b)
	}
	id := tool.NewID(r.Key+"/"+call.ID, "result")
	read, err := result.Read(result.Input{
		Spec: spec, Call: call, Text: said, Failed: res.Failed, Artifact: id, Notes: d.Notes, Goal: r.Text, Now: r.Now,
	}, a.cfg.Result)
	if err != nil {
		// What came breaks the tool's own schema as a whole.
		res.Failed, res.Error = true, tool.Classify(call.Name, err)
	}
	res.Brief, res.Mark, res.Note = read.Brief, read.Mark, read.Note
	if read.Keep {
		if _, err := a.Shelf.Put(ctx, tool.Artifact{
			ID: id, Kind: tool.File, Title: call.Name, Name: call.Name + ".txt",
			Mime: "text/plain; charset=utf-8", Body: []byte(res.Text), Run: r.Key, Call: r.Key + "/" + call.ID,
		}); err != nil {
			return r, fmt.Errorf("keep result of %s: %w", call.Name, err)
		}
		res.Kept = id
	}
	if read.Keep && len(res.Text) > inline {
		// All of it is on the shelf; beside the run stands what was read.
		res.Text = read.Brief
	}
	if r, res, err = a.digest(ctx, r, spec, res); err != nil {
		return r, err
	}
	r = r.With(res)
	r.Steps[len(r.Steps)-1].Read += a.Now().Sub(began) // With has made them anew
	if d.Err == nil && d.Result.Order != nil && !res.Failed {
		return a.become(ctx, r, *d.Result.Order)
	}
	return r, nil
}

// failed gives a call a result that the model can mend.
func failed(r run.Run, call llm.Call, why run.Unrun, e tool.Error) run.Run {
	return r.With(refusal(call, why, e))
}

func refusal(call llm.Call, why run.Unrun, e tool.Error) run.Result {
	e.Tool = call.Name
	res := run.Result{Result: llm.Result{ID: call.ID, Text: e.Message, Failed: true}, Error: &e, Unrun: why}
	if e.Suggestion != "" {
		res.Note = result.Note(e.Suggestion)
	}
	return res
}

// unrun is the result of a call that was not run and is nobody's fault.
func unrun(call llm.Call, why run.Unrun, text string) run.Result {
	return run.Result{Result: llm.Result{ID: call.ID, Text: text, Failed: true}, Unrun: why}
}

// stands reports whether a question on disk has been answered with a yes to a call with
// these arguments.
func (a *Agent) stands(ctx context.Context, r run.Run, call llm.Call, question string) (bool, error) {
	q, err := a.Store.Question(ctx, question)
	switch {
	case errors.Is(err, run.ErrNoQuestion):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("decision on %s: %w", call.Name, err)
	}
	approved, ok := q.Approved(call.ID)
	if !ok || q.Run != r.Key {
		return false, nil
	}
	want, err := run.HashArgs(approved.Name, approved.Args)
	if err != nil {
		return false, nil //nolint:nilerr // what cannot be hashed was not approved
	}
	got, err := run.HashArgs(call.Name, call.Args)
	return err == nil && got == want, nil
}

// altered is a call that does not run, since what stands on disk is not what a person
// has approved.
func (a *Agent) altered(r run.Run, call llm.Call, question string) run.Run {
	a.Log.Error("a decision on disk is not the one that was made; the call is not run", "run", r.Key, "call", call.ID, "tool", call.Name, "question", question,
		"hint", "`hermes audit show --subject "+question+"` shows what was decided; `hermes audit verify` says what else was changed in the database")
	return failed(r, call, run.Altered, tool.Error{
		Type: tool.LogicError, Message: "not run: what is stored is not what was approved",
		Suggestion: "say that it was not done, since the stored arguments are not those that were approved, and that an operator must look",
	})
}

// sentBack is what the model hears of a call that a person wants otherwise.
func sentBack(q run.Question) tool.Error {
	return tool.Error{
		Type: tool.InputError, Message: fmt.Sprintf("not run: %s asks for changes: %q", who(q), q.Answer.Note),
		Suggestion: "change what you prepare as they say, within what was asked for, and make the call again; if it cannot be, say so",
	}
}

// denied is what the model hears of a call that its Question did not allow.
func denied(q run.Question) tool.Error {
	said := "denied by " + who(q)
	if q.Answer.Choice == run.Once {
		said = "denied: " + who(q) + " approved what is done now and nothing that lasts"
	}
	if why := q.Answer.Reason(); why != "" {
		said += fmt.Sprintf(": %q", why)
	}
	return tool.Error{Type: tool.InputError, Message: said, Suggestion: "say that it was not done; do not ask again for the same"}
}

// who is how people call the one who answered.
func who(q run.Question) string {
	if q.Answer.Name != "" {
		return q.Answer.Name
	}
	return q.Answer.By
}
