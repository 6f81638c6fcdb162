package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// use brings the first of the open calls one step further: it runs the tool, or
// stops the Run with a Question.
func (a *Agent) use(ctx context.Context, r run.Run, calls []llm.Call) (run.Run, error) {
	call := calls[0]
	t := a.tools.Lookup(call.Name)
	if why := a.unfit(r, call, t); why != "" {
		return failed(r, call, why), nil
	}
	if r.Started() == call.ID {
		return failed(r, call, "unknown: the program stopped while this ran. Nobody knows whether it took effect; look before you try again."), nil
	}
	q, asked := r.Asked(call.ID)
	if asked && q.Answer == nil {
		return r.Wait(q), nil
	}
	if asked && (q.Answer.Choice == run.Late || q.Answer.Choice == run.Ceased) {
		// Somebody pressed Continue after the question had run out or was called off.
		asked = false
	}
	effect := t.Spec().Effect
	switch {
	case asked && q.Kind != run.Approve:
		return a.choose(ctx, r, call, t, q)
	case effect == tool.Read:
		return a.run(ctx, r, call, t, "")
	case asked:
		approved, ok := q.Approved(call.ID)
		if !ok {
			return failed(r, call, denied(q)), nil
		}
		return a.act(ctx, r, approved, t, q.ID, "")
	}
	return a.propose(ctx, r, calls, t)
}

// unfit is why a call cannot even be looked at, for the model to mend.
func (a *Agent) unfit(r run.Run, call llm.Call, t tool.Tool) string {
	var args map[string]json.RawMessage
	switch {
	case r.NoTools:
		return "there are no tools here; answer in words"
	case t == nil:
		return "there is no tool " + call.Name
	case r.Job != "" && !t.Spec().Unattended:
		return "the tool " + call.Name + " may not be used by a scheduled run"
	case json.Unmarshal(call.Args, &args) != nil:
		return "the arguments are not a JSON object"
	case args[llm.Unreadable] != nil:
		return "the arguments are not JSON: " + string(args[llm.Unreadable])
	}
	return ""
}

// propose brings a write that nobody has allowed yet before a grant or a person.
func (a *Agent) propose(ctx context.Context, r run.Run, calls []llm.Call, t tool.Tool) (run.Run, error) {
	call := calls[0]
	plan, err := a.plan(ctx, r, call, t)
	switch {
	case err != nil:
		return r, err
	case plan.Fault != "":
		return failed(r, call, plan.Fault), nil
	case r.Rehearse:
		return rehearsed(r, call, plan)
	}
	if r.Job != "" {
		grants, err := a.store.Grants(ctx, r.Job)
		if err != nil {
			return r, fmt.Errorf("grants of job %s: %w", r.Job, err)
		}
		if g, ok := guard.Covering(grants, r.Job, call.Name, plan, a.now()); ok {
			call.Args = plan.Args
			return a.act(ctx, r, call, t, g.ID, g.ID)
		}
	}
	return a.ask(ctx, r, calls)
}

// plan is what a call would do. A tool that is no Planner does what its arguments
// say.
func (a *Agent) plan(ctx context.Context, r run.Run, call llm.Call, t tool.Tool) (tool.Plan, error) {
	p, ok := t.(tool.Planner)
	if !ok {
		return tool.Plan{Args: call.Args}, nil
	}
	plan, err := p.Plan(ctx, r.ToolCall(call))
	if err != nil {
		return plan, fmt.Errorf("plan %s: %w", call.Name, err)
	}
	return plan, nil
}

// rehearsed is what a write comes to in a rehearsal: it is shown, not done.
func rehearsed(r run.Run, call llm.Call, p tool.Plan) (run.Run, error) {
	text, err := json.Marshal(map[string]any{"rehearsed": true, "would": p.Lines})
	if err != nil {
		return r, fmt.Errorf("rehearse %s: %w", call.Name, err)
	}
	res := run.Result{Result: llm.Result{ID: call.ID, Text: string(text)}}
	if p.Artifact != "" {
		res.Shows = []string{p.Artifact}
	}
	return r.With(res), nil
}

// ask stops the Run with one Question about the first of the calls and all writes
// that follow it.
func (a *Agent) ask(ctx context.Context, r run.Run, calls []llm.Call) (run.Run, error) {
	q := run.Question{Kind: run.Approve}
	var lasting *tool.Plan
	var all, once []string
	for _, c := range calls {
		t := a.tools.Lookup(c.Name)
		if a.unfit(r, c, t) != "" || t.Spec().Effect == tool.Read {
			break
		}
		plan, err := a.plan(ctx, r, c, t)
		if err != nil {
			return r, err
		}
		if plan.Fault != "" {
			break
		}
		hash, err := run.HashArgs(c.Name, plan.Args)
		if err != nil {
			return r, fmt.Errorf("hash %s: %w", c.Name, err)
		}
		q.Calls = append(q.Calls, run.Planned{
			ID: c.ID, Name: c.Name, Args: plan.Args, Hash: hash, Control: plan.Control,
			Lines: plan.Lines, Artifact: plan.Artifact, Job: plan.Job, Own: plan.Own,
		})
		all = append(all, c.ID)
		if plan.Job == "" {
			once = append(once, c.ID)
		} else if lasting == nil {
			lasting = &plan
		}
	}
	if lasting != nil && lasting.GrantControl != "" {
		q.Cadence = lasting.Cadence
		q.Grant = &run.Grant{
			Owner: r.Asker, Job: lasting.Job, Tool: lasting.GrantTool, Control: lasting.GrantControl,
			Until: lasting.Until, Max: a.cfg.Uses,
		}
		q.Options = append(q.Options, run.Option{ID: run.Always, Calls: all, Grant: true})
	} else {
		q.Options = append(q.Options, run.Option{ID: run.Yes, Calls: all})
	}
	if lasting != nil && len(once) > 0 {
		q.Options = append(q.Options, run.Option{ID: run.Once, Calls: once})
	}
	q.Options = append(q.Options, run.Option{ID: run.No})
	wait := a.cfg.Patience
	if r.Job != "" {
		wait = a.cfg.JobWait
	}
	return r.Ask(q, a.now().Add(wait)), nil
}

// act does what was allowed under a question or a grant.
func (a *Agent) act(ctx context.Context, r run.Run, call llm.Call, t tool.Tool, under, grant string) (run.Run, error) {
	if t.Spec().Effect == tool.Write {
		var err error
		if r, err = a.store.Save(ctx, r.Start(call.ID)); err != nil {
			return r, fmt.Errorf("save run %s: %w", r.Key, err)
		}
		return a.run(ctx, r, call, t, under)
	}
	res, err := a.safely(ctx, t, func(ctx context.Context) (tool.Result, error) { return t.Run(ctx, r.ToolCall(call)) })
	switch {
	case err != nil:
		return r, fmt.Errorf("tool %s: %w", call.Name, err)
	case res.Post == nil:
		return a.said(r, call, res, under, 0), nil
	}
	return r.Send(call.ID, *res.Post, under, grant), nil
}

// run runs a tool and takes in what it says.
func (a *Agent) run(ctx context.Context, r run.Run, call llm.Call, t tool.Tool, under string) (run.Run, error) {
	began := a.now()
	res, err := a.safely(ctx, t, func(ctx context.Context) (tool.Result, error) { return t.Run(ctx, r.ToolCall(call)) })
	if err != nil {
		return r, fmt.Errorf("tool %s: %w", call.Name, err)
	}
	return a.said(r, call, res, under, a.now().Sub(began)), nil
}

// choose gives a tool the answer to what it asked.
func (a *Agent) choose(ctx context.Context, r run.Run, call llm.Call, t tool.Tool, q run.Question) (run.Run, error) {
	chooser, ok := t.(tool.Chooser)
	if !ok {
		return failed(r, call, "the tool "+call.Name+" asks and cannot take an answer"), nil
	}
	pick := tool.Pick{Token: q.Token, Choice: q.Answer.Choice, Words: q.Answer.Note, By: q.Answer.By}
	began := a.now()
	res, err := a.safely(ctx, t, func(ctx context.Context) (tool.Result, error) {
		return chooser.Choose(ctx, r.ToolCall(call), pick)
	})
	if err != nil {
		return r, fmt.Errorf("tool %s: %w", call.Name, err)
	}
	return a.said(r, call, res, q.ID, a.now().Sub(began)), nil
}

// safely runs a tool under its deadline. A panic, and a deadline that has passed,
// are results: the tool is at fault, not the program.
func (a *Agent) safely(ctx context.Context, t tool.Tool, do func(context.Context) (tool.Result, error)) (res tool.Result, err error) {
	name := t.Spec().Name
	limit := timeout(t.Spec().Timeout, 30*time.Second)
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			a.log.Error("tool panicked", "tool", name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			res, err = tool.Fail("the tool %s is broken: it panicked", name), nil
		}
	}()
	res, err = do(within)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		return tool.Fail("the tool %s took longer than %s", name, limit), nil
	}
	return res, err
}

// said takes in what a tool has to say.
func (a *Agent) said(r run.Run, call llm.Call, res tool.Result, under string, took time.Duration) run.Run {
	if res.Ask == nil {
		return r.With(run.Result{
			Result: llm.Result{ID: call.ID, Text: res.Text, Failed: res.Failed},
			Took:   took, Shows: res.Shows, Under: under,
		})
	}
	q := run.Question{Kind: run.Choose, Token: res.Ask.Token, Text: res.Ask.Text, Calls: []run.Planned{{ID: call.ID, Name: call.Name, Args: call.Args}}}
	for _, c := range res.Ask.Choices {
		q.Options = append(q.Options, run.Option{ID: c.ID, Label: c.Label})
	}
	if len(q.Options) == 0 {
		q.Kind = run.Say
	}
	return r.Ask(q, a.now().Add(a.cfg.Patience))
}

// failed gives a call a result that the model can mend.
func failed(r run.Run, call llm.Call, text string) run.Run {
	return r.With(run.Result{Result: llm.Result{ID: call.ID, Text: text, Failed: true}})
}

// denied is what the model hears of a call that its Question did not allow.
func denied(q run.Question) string {
	who := q.Answer.Name
	if who == "" {
		who = q.Answer.By
	}
	said := "denied by " + who
	if q.Answer.Choice == run.Once {
		said = "denied: " + who + " approved what is done now and nothing that lasts"
	}
	if q.Answer.Note != "" {
		said += ": " + q.Answer.Note
	}
	return said
}
