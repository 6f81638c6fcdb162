package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// Editable returns the calls of an open approval whose arguments a person may change,
// with these as they are now. by must have a say in it.
func (a *Agent) Editable(ctx context.Context, question, by string) (run.Question, []run.Editable, error) {
	q, err := a.forming(ctx, question, by, run.Yes)
	if err != nil {
		return q, nil, err
	}
	if q.Quorum > 1 {
		return q, nil, fmt.Errorf("edit %s: %w", question, run.ErrAsIs)
	}
	var out []run.Editable
	for _, c := range q.Calls {
		if t := a.Tools.Lookup(c.Name); t != nil && len(c.Wrote) > 0 {
			out = append(out, run.Editable{Call: c.ID, Name: c.Name, Args: c.Wrote, Schema: t.Spec().Schema})
		}
	}
	return q, out, nil
}

// Asked returns an open approval for a form by which by would answer with a choice. Its
// errors are those of Settle.
func (a *Agent) Asked(ctx context.Context, question, by, choice string) (run.Question, error) {
	return a.forming(ctx, question, by, choice)
}

func (a *Agent) forming(ctx context.Context, question, by, choice string) (run.Question, error) {
	q, err := a.Store.Question(ctx, question)
	switch {
	case err != nil:
		return q, fmt.Errorf("question %s: %w", question, err)
	case q.Kind != run.Approve:
		return q, fmt.Errorf("question %s is no approval: %w", question, run.ErrNoQuestion)
	}
	if a.Speaks != nil && by != q.Asked {
		if lang := a.Speaks(by); lang != "" {
			q, _ = q.In(lang) // nobody else reads their form
		}
	}
	ans := run.Answer{Question: question, By: by, Choice: choice}
	if err := a.allowed(ctx, q, ans); err != nil {
		return q, fmt.Errorf("question %s: %w", question, err)
	}
	switch {
	case q.Answer != nil:
		return q, fmt.Errorf("question %s: %w", question, run.ErrAnswered)
	case a.Now().After(q.Expires):
		return q, fmt.Errorf("question %s: %w", question, run.ErrExpired)
	}
	return q, nil
}

// Fits reports whether an Answer could be taken as it is: a form is told by it what is
// wrong, in an *run.Unfitting, before it closes, or what the Answer comes to. It notes
// nothing.
func (a *Agent) Fits(ctx context.Context, ans run.Answer) (run.Answer, error) {
	q, err := a.forming(ctx, ans.Question, ans.By, ans.Choice)
	if err != nil {
		return ans, err
	}
	return a.fitting(ctx, q, ans)
}

// fitting returns an Answer with all that it comes to. What a person has changed is
// checked and planned as what a model writes is, and who decides on what it has become
// must have a say in that, too.
func (a *Agent) fitting(ctx context.Context, q run.Question, ans run.Answer) (run.Answer, error) {
	ans.Edited = nil
	o, ok := q.Option(ans.Choice)
	switch {
	case q.Kind == run.Say, q.Kind == run.Choose && q.Words && ans.Choice == "" && strings.TrimSpace(ans.Note) != "":
		return ans, nil
	case !ok:
		return ans, fmt.Errorf("no option %q: %w", ans.Choice, run.ErrNoQuestion)
	case ans.Choice == run.Change && strings.TrimSpace(ans.Note) == "":
		return ans, &run.Unfitting{Text: pick(q.Lang, "Say what should be different.", "请写明要怎么改。")}
	case ans.Choice == run.Like && !slices.ContainsFunc(q.Scopes, func(g run.Grant) bool { return g.ID == ans.Scope }):
		return ans, fmt.Errorf("no scope %q: %w", ans.Scope, run.ErrNoQuestion)
	case ans.Choice != run.Like && ans.Scope != "", len(o.Calls) == 0 && len(ans.Args) > 0:
		return ans, fmt.Errorf("option %q changes and grants nothing: %w", ans.Choice, run.ErrNoQuestion)
	}
	switch {
	case ans.Choice == run.Change:
		return ans, a.followed(ctx, q, ans)
	case ans.Choice == run.Like && len(ans.Args) > 0:
		return ans, fmt.Errorf("what is changed is approved for this time: %w", run.ErrAsIs)
	case ans.Choice == run.Like:
		// What it will let pass nobody knows, so whatever it could be counts.
		later := q
		later.Calls = slices.Clone(q.Calls)
		for i := range later.Calls {
			later.Calls[i].Args = nil
		}
		return ans, a.alone(ctx, later, ans)
	case len(ans.Args) == 0:
		return ans, nil
	}
	return a.revise(ctx, q, ans)
}

// followed reports in an *run.Unfitting that whoever prepared the calls of a Question
// cannot follow a wish for changes: sent back, they would only be given up.
func (a *Agent) followed(ctx context.Context, q run.Question, ans run.Answer) error {
	r, ok, err := a.Store.Run(ctx, q.Run)
	if err != nil || !ok {
		return err
	}
	revise := a.Models.revising(r.Model)
	if revise == nil {
		return nil
	}
	at := a.Now()
	if zone, err := time.LoadLocation(r.Zone); err == nil {
		at = at.In(zone)
	}
	for _, c := range q.Calls {
		if _, ok := revise(llm.Call{ID: c.ID, Name: c.Name, Args: c.Wrote}, ans.Note, at, q.Lang); ok {
			return nil
		}
	}
	return &run.Unfitting{Text: pick(q.Lang,
		"I work by built-in rules here, without a language model, and of changes can read only another channel (“to #ops”) or another time (“every Friday at 9:00”). Nothing has changed: the card is still open for Edit, a yes or a no.",
		"这里用的是内置规则，没有语言模型；要改的内容里我只看得懂换频道（“发到 #ops”）和换时间（“每周五早上9点”）。什么都没有变：卡片还开着，可以按“修改”，也可以批准或拒绝。")}
}

// alone returns run.ErrAsIs if the yes of one person is not enough for a Question.
func (a *Agent) alone(ctx context.Context, q run.Question, ans run.Answer) error {
	ans.At = a.pressed(ans)
	in := a.roll(ctx)
	_, left := a.cfg.Deciders.Left(q, ans.Choice, []run.Answer{ans}, a.Now(), in)
	switch {
	case len(left) == 0:
		return nil
	case in.trouble != nil:
		return in.trouble
	}
	return run.ErrAsIs
}

// revise plans the calls whose arguments a person has changed.
func (a *Agent) revise(ctx context.Context, q run.Question, ans run.Answer) (run.Answer, error) {
	r, ok, err := a.Store.Run(ctx, q.Run)
	if err != nil || !ok {
		return ans, fmt.Errorf("run of question %s: %w", q.ID, errors.Join(err, run.ErrNoQuestion))
	}
	changed := maps.Clone(ans.Args)
	ans.Args = nil
	become := q
	become.Calls = slices.Clone(q.Calls)
	for i, c := range q.Calls {
		args, ok := changed[c.ID]
		if !ok {
			continue
		}
		delete(changed, c.ID)
		p, err := a.revised(ctx, r, q, c, args)
		if err != nil {
			return ans, err
		}
		become.Calls[i] = p
		ans.Edited = append(ans.Edited, p)
	}
	if len(changed) > 0 {
		return ans, fmt.Errorf("arguments of a call that nobody has asked about: %w", run.ErrNoQuestion)
	}
	switch err := a.alone(ctx, become, ans); {
	case errors.Is(err, run.ErrAsIs):
		return ans, &run.Unfitting{Text: pick(q.Lang,
			"What it would become is not yours alone to decide. Ask for changes instead.",
			"改成这样就不由您一个人决定了。请改用“要求修改”。")}
	case err != nil:
		return ans, err
	}
	ans.Args = map[string]json.RawMessage{}
	for _, p := range ans.Edited {
		ans.Args[p.ID] = p.Args
	}
	return ans, nil
}

// revised is a call with other arguments.
func (a *Agent) revised(ctx context.Context, r run.Run, q run.Question, c run.Planned, args json.RawMessage) (run.Planned, error) {
	t := a.Tools.Lookup(c.Name)
	if t == nil {
		return run.Planned{}, fmt.Errorf("tool %s is gone: %w", c.Name, run.ErrNoQuestion)
	}
	wrong := func(field, text string) error { return &run.Unfitting{Call: c.ID, Field: field, Text: text} }
	if kinds := a.Redact.Taken(string(args)); len(kinds) > 0 {
		return run.Planned{}, wrong("", pick(q.Lang, "This holds a secret, which is not passed on.", "这里面有密钥之类的内容，不会传出去。"))
	}
	checked := tool.Check(t.Spec(), args, tool.CheckOptions{})
	if len(checked.Faults) > 0 {
		f := checked.Faults[0]
		field, _, _ := strings.Cut(f.Path, ".")
		field, _, _ = strings.Cut(field, "[")
		return run.Planned{}, wrong(field, tool.Explain(t.Spec(), args, f, q.Lang))
	}
	call := c.Call()
	call.Name, call.Args = t.Spec().Name, checked.Args
	plan, err := a.plan(ctx, r, call, t)
	switch {
	case err != nil:
		return run.Planned{}, err
	case plan.Fault != "":
		return run.Planned{}, wrong(changedField(c.Wrote, checked.Args), plan.Fault)
	}
	p, err := a.planned(ctx, r, call, plan)
	for _, m := range c.Marks { // where the others came from they still do
		if !slices.Contains(p.Marks, m) {
			p.Marks = append(p.Marks, m)
		}
	}
	return p, err
}

// changedField is the one argument that differs; empty if it is none or several. What a
// plan finds wrong was right before.
func changedField(was, is json.RawMessage) string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil {
		return ""
	}
	var names []string
	for name, v := range b {
		if !bytes.Equal(a[name], v) {
			names = append(names, name)
		}
	}
	for name := range a {
		if _, still := b[name]; !still {
			names = append(names, name)
		}
	}
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

func pick(lang, en, zh string) string {
	if lang == "zh" {
		return zh
	}
	return en
}
