package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// ask stops the Run with one Question about the first of the calls and all writes
// that follow it.
func (a *Agent) ask(ctx context.Context, r run.Run, calls []llm.Call) (run.Run, error) {
	q := run.Question{Kind: run.Approve, Broken: playbook.Broken(r)}
	var lasting *tool.Plan
	var all, once []string
	var plans []tool.Plan
	grantable := true
	for i, c := range calls {
		c, unfit := a.vet(ctx, r, c)
		if unfit != nil && unfit.Unrun == run.Twice {
			continue
		}
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
		planned, err := a.planned(ctx, r, c, plan)
		if err != nil {
			return r, err
		}
		same := slices.IndexFunc(q.Calls, func(p run.Planned) bool { return p.Name == c.Name && p.Hash == planned.Hash })
		if same >= 0 && !twice(r.Wish()) {
			q.Calls[same].Twins = append(q.Calls[same].Twins, c.ID)
			continue
		}
		q.Calls = append(q.Calls, planned)
		plans = append(plans, plan)
		// What is marked in one post says nothing of those that a schedule will make; each of
		// them is looked at in its turn.
		grantable = grantable && t.Spec().Risk < tool.HighRisk && (plan.Job == "" || len(planned.Marks) == 0)
		all = append(all, c.ID)
		if plan.Job == "" {
			once = append(once, c.ID)
		} else if lasting == nil {
			lasting = &plan
		}
	}
	q.At, q.Asked = a.Now(), r.Asker
	if lasting != nil && lasting.GrantControl != "" && grantable && a.mayGrant(lasting.GrantTool) {
		q.Cadence = lasting.Cadence
		q.Grant = &run.Grant{
			Owner: r.Asker, Job: lasting.Job, Tool: lasting.GrantTool, Control: lasting.GrantControl,
			Until: lasting.Until, Max: a.cfg.Uses, Label: lasting.ToName, Given: q.At,
		}
		q.Options = append(q.Options, run.Option{ID: run.Always, Calls: all, Grant: true})
	} else {
		q.Options = append(q.Options, run.Option{ID: run.Yes, Calls: all})
	}
	if lasting != nil && len(once) > 0 {
		q.Options = append(q.Options, run.Option{ID: run.Once, Calls: once})
	}
	if len(plans) == 1 && grantable && a.cfg.Deciders.Say(q, "", q.At).Quorum() == 1 {
		spec := a.Tools.Lookup(q.Calls[0].Name).Spec()
		q.Scopes = guard.Scopes(r.Request, spec, plans[0], q.Calls[0].Marks, a.cfg.Uses, q.At)
	}
	if len(q.Scopes) > 0 {
		q.Options = append(q.Options, run.Option{ID: run.Like, Calls: all})
	}
	if r.Saved == nil {
		q.Options = append(q.Options, run.Option{ID: run.Change})
	}
	if len(q.Broken) > 0 {
		q.Options = append(q.Options, run.Option{ID: run.Remake})
	}
	q.Options = append(q.Options, run.Option{ID: run.No})
	if n := a.cfg.Deciders.Say(q, "", q.At).Quorum(); n > 1 {
		q.Quorum = n
	}
	var err error
	if q.Habit, err = a.habit(ctx, q); err != nil {
		return r, err
	}
	q.Reason, q.Rests, q.Cost = stated(r), restsOf(r, q.Calls), r.Usage()
	until := a.openUntil(r, q.At)
	a.translate(ctx, r, &q, until)
	return r.Ask(q, until), nil
}

// translate has the calls of a Question say themselves in the languages of those who may
// decide on it until then, too. Only a tool can say that, and only before it has run.
func (a *Agent) translate(ctx context.Context, r run.Run, q *run.Question, until time.Time) {
	if a.Speaks == nil {
		return
	}
	for _, person := range slices.Concat(a.cfg.Deciders.Say(*q, "", q.At).People(), a.cfg.Deciders.Say(*q, "", until).People()) {
		lang := a.Speaks(person)
		if _, there := q.In(lang); lang == "" || there {
			continue
		}
		in := r
		in.Lang = lang
		for i, c := range q.Calls {
			plan, err := a.planOf(ctx, in, llm.Call{ID: c.ID, Name: c.Name, Args: c.Wrote}, a.Tools.Lookup(c.Name))
			if err != nil || plan.Fault != "" || !bytes.Equal(plan.Args, c.Args) {
				a.Log.Warn("a card stays in the language of who asked", "run", r.Key, "tool", c.Name, "fault", plan.Fault, "err", err)
				break
			}
			q.Calls[i].Said = maps.Clone(c.Said)
			if q.Calls[i].Said == nil {
				q.Calls[i].Said = map[string]run.Saying{}
			}
			q.Calls[i].Said[lang] = run.Saying{Lines: plan.Lines, Diff: plan.Diff, Cadence: plan.Cadence}
		}
	}
}

// longArgs is how many characters of arguments stand on a card; more are a file.
const longArgs = 1500

// planned is a call as it is asked for: with all that it comes to, its hash, and a
// file of its arguments where they are too long to be read on a card.
func (a *Agent) planned(ctx context.Context, r run.Run, c llm.Call, plan tool.Plan) (run.Planned, error) {
	hash, err := run.HashArgs(c.Name, plan.Args)
	if err != nil {
		return run.Planned{}, fmt.Errorf("hash %s: %w", c.Name, err)
	}
	p := run.Planned{
		ID: c.ID, Name: c.Name, Args: plan.Args, Hash: hash, Control: plan.Control, Wrote: c.Args,
		Lines: plan.Lines, Diff: plan.Diff, Artifact: plan.Artifact, Job: plan.Job, Own: plan.Own,
		To: plan.To, ToName: plan.ToName, Member: plan.Member, Marks: plan.Marks,
	}
	if utf8.RuneCount(plan.Args) <= longArgs {
		return p, nil
	}
	var body bytes.Buffer
	if err := json.Indent(&body, plan.Args, "", "  "); err != nil {
		return p, fmt.Errorf("arguments of %s: %w", c.Name, err)
	}
	file, err := a.Shelf.Put(ctx, tool.Artifact{
		ID: tool.NewID(r.Key+"/"+c.ID, "arguments "+hash), Kind: tool.File, Title: c.Name, Name: "arguments.json",
		Mime: "application/json", Body: body.Bytes(), Run: r.Key, Call: r.Key + "/" + c.ID,
	})
	if err != nil {
		return p, fmt.Errorf("keep arguments of %s: %w", c.Name, err)
	}
	p.File = file.ID
	return p, nil
}

// mayGrant reports whether a tool may run without being asked for.
func (a *Agent) mayGrant(name string) bool {
	t := a.Tools.Lookup(name)
	return t != nil && t.Spec().Risk < tool.HighRisk
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
	for _, field := range res.Missing {
		if fromTools.MatchString(describing(a.Tools.Lookup(call.Name).Spec().Schema, field)) {
			return false
		}
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

// fromTools is how an argument is described that only a tool can have given: no person
// knows it.
var fromTools = regexp.MustCompile(`^(?i:ids?(?:$|,| from| of)|of the (?:cut )?result\b|in its note$)`)

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
	if text := describing(schema, field); text != "" {
		return fmt.Sprintf("%s (%s)", field, text)
	}
	return field
}

// describing is what a schema says of an argument.
func describing(schema json.RawMessage, field string) string {
	var s struct {
		Properties map[string]struct {
			Description string `json:"description"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return ""
	}
	return s.Properties[field].Description
}
