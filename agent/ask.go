package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// ask stops the Run with one Question about the first of the calls and all writes
// that follow it.
func (a *Agent) ask(ctx context.Context, r run.Run, calls []llm.Call) (run.Run, error) {
	q := run.Question{Kind: run.Approve}
	var lasting *tool.Plan
	var all, once []string
	for i, c := range calls {
		c, unfit := a.vet(r, c)
		if unfit != nil {
			break
		}
		t := a.Tools.Lookup(c.Name)
		if i > 0 && t.Spec().Effect == tool.Read {
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
	return r.Ask(q, a.Now().Add(wait)), nil
}

// missingToken marks a question of the loop's own: what a tool needs and the model
// has left out twice.
const missingToken = "missing"

// mayAsk reports whether the person is asked for what a call lacks: the model has
// had its chance to mend it, and somebody is there to answer.
func (a *Agent) mayAsk(r run.Run, call llm.Call, res *run.Result) bool {
	if r.Job != "" || len(r.Steps) < 2 || res.Error == nil || !slices.Equal(res.Error.Fields, res.Missing) {
		return false // or it has put it under another name
	}
	before := r.Steps[len(r.Steps)-2]
	for _, c := range before.Reply.Message.Calls {
		for _, old := range before.Results {
			if c.Name == call.Name && old.ID == c.ID && slices.Equal(old.Missing, res.Missing) {
				return true
			}
		}
	}
	return false
}

// askMissing asks the person for what a call lacks.
func (a *Agent) askMissing(r run.Run, call llm.Call, res *run.Result) run.Run {
	var wants []string
	for _, field := range res.Missing {
		wants = append(wants, described(a.Tools.Lookup(call.Name).Spec().Schema, field))
	}
	text := "To go on I need: " + strings.Join(wants, "; ") + ". What should I use?"
	if r.Lang == "zh" {
		text = "要继续，我还需要：" + strings.Join(wants, "；") + "。请告诉我用什么？"
	}
	q := run.Question{Kind: run.Say, Token: missingToken, Text: text, Calls: []run.Planned{{ID: call.ID, Name: call.Name, Args: call.Args}}}
	return r.Ask(q, a.Now().Add(a.cfg.Patience))
}

// answeredMissing is what the model hears of the answer.
func answeredMissing(r run.Run, call llm.Call, q run.Question) run.Run {
	return r.With(run.Result{
		Result: llm.Result{ID: call.ID, Failed: true, Text: fmt.Sprintf("the arguments were incomplete; the person was asked and says: %q. Make the call again with it.", q.Answer.Note)},
		Under:  q.ID, Unrun: run.Unfit,
	})
}

// described is an argument with what its schema says of it, for a person.
func described(schema json.RawMessage, field string) string {
	var s struct {
		Properties map[string]struct {
			Description string `json:"description"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil || s.Properties[field].Description == "" {
		return field
	}
	return fmt.Sprintf("%s (%s)", field, s.Properties[field].Description)
}
