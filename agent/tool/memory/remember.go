package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/tool"
	"hermes/memory"
)

// remember is a tool.Chooser: a statement that contradicts an older one is kept
// beside it, and the person is asked which one holds.
type remember struct{ desk }

var (
	_ tool.Chooser = remember{}
	_ tool.Planner = remember{}
)

type rememberArgs struct {
	Subject   string `json:"subject" jsonschema:"me, team or a term" tool:"content"`
	Predicate string `json:"predicate" jsonschema:"means: of a term; note: else" tool:"enum=prefers-format|prefers-language|reports-to|means|likes|note"`
	Object    string `json:"object" jsonschema:"what is said of it"`
	Text      string `json:"text,omitempty" jsonschema:"their words"`
}

var predicates = []string{
	memory.PrefersFormat, memory.PrefersLanguage, memory.ReportsTo, memory.Means, memory.Likes, memory.Note,
}

// Spec implements tool.Tool. The Effect is Read: the tool changes nothing that a
// person would miss without asking that person itself.
func (t remember) Spec() tool.Spec {
	return tool.Spec{
		Name:        "remember",
		Description: "Keep for later one fact the person has just said, never other text.",
		Schema:      tool.SchemaOf[rememberArgs](),
		Content:     tool.ContentOf[rememberArgs](),
		Effect:      tool.Read,
		Keeps:       true,
		Words:       []string{"remember", "note", "prefer", "call", "means", "记住", "记下", "记得", "偏好", "意思是"},
	}
}

// Run implements tool.Tool.
func (t remember) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	f, v, fault, err := t.fact(ctx, c)
	if err != nil || fault != "" {
		return tool.Result{Text: fault, Failed: true}, err
	}
	w := wordsIn(c.Lang)
	if memory.Once(f.Text) || memory.Once(f.Object) {
		return t.hold(w, c, f)
	}
	r, err := t.keeper.Keep(ctx, f)
	if err != nil {
		return unkept(err)
	}
	if r.Queued {
		return tool.Result{Text: fmt.Sprintf(w.queued, w.say(r.Fact, c.Asker))}, nil
	}
	if r.Conflict != nil {
		return ask(w, c, v, *r.Conflict)
	}
	if r.Known && !r.Again {
		return tool.Result{Text: fmt.Sprintf(w.knew, w.say(r.Fact, c.Asker), r.Fact.ID)}, nil
	}
	return tool.Result{Text: fmt.Sprintf(w.kept, w.say(r.Fact, c.Asker), r.Fact.ID)}, nil
}

// hold has a wish for this once hold in this conversation alone.
func (t remember) hold(w words, c tool.Call, f memory.Fact) (tool.Result, error) {
	if t.opt.Working == nil {
		return tool.Result{Text: w.once}, nil
	}
	if err := t.opt.Working.Hold(f); err != nil {
		return unkept(err)
	}
	return tool.Result{Text: w.once}, nil
}

// unkept is why a fact is not kept.
func unkept(err error) (tool.Result, error) {
	switch {
	case errors.Is(err, memory.ErrNobody), errors.Is(err, memory.ErrNoAudience):
		return tool.Fail("nothing is remembered: it is not known who asks, or for whom it would be"), nil
	case errors.Is(err, memory.ErrQuota):
		return tool.Fail("so much was remembered for this person today that no more is kept until tomorrow"), nil
	case errors.Is(err, memory.ErrUnsure), errors.Is(err, memory.ErrEvidence):
		return tool.Fail("it is not kept: %v", err), nil
	case errors.Is(err, memory.ErrEmpty):
		return tool.Fail("subject and object must say something"), nil
	}
	return tool.Result{}, err
}

// fact is what a call would have kept, and who is there to hear of it; fault is what the
// model can mend.
func (t remember) fact(ctx context.Context, c tool.Call) (f memory.Fact, v memory.Viewer, fault string, err error) {
	in, err := tool.Decode[rememberArgs](c.Args)
	if err != nil {
		return f, v, fmt.Sprintf("arguments of remember: %v", err), nil
	}
	if !slices.Contains(predicates, in.Predicate) {
		return f, v, fmt.Sprintf("predicate %q is not one of %s", in.Predicate, strings.Join(predicates, ", ")), nil
	}
	if v, err = t.viewer(ctx, c); err != nil {
		return f, v, "", fmt.Errorf("see who is at %s: %w", c.Home, err)
	}
	f = memory.Fact{
		Predicate: in.Predicate, Object: in.Object, Text: in.Text,
		Kind: memory.Stated, Confidence: 1,
		Source: c.Run, Link: t.link(ctx, c), Place: c.Home, By: c.Asker, Said: t.clock(c),
	}
	f.Subject, f.Audience = t.about(in, c, v)
	return f, v, "", nil
}

// Plan implements tool.Planner, for a call that a person is asked about first.
func (t remember) Plan(ctx context.Context, c tool.Call) (tool.Plan, error) {
	f, v, fault, err := t.fact(ctx, c)
	if err != nil || fault != "" {
		return tool.Plan{Fault: fault}, err
	}
	is, was, known, err := t.keeper.Before(ctx, f)
	if err != nil {
		res, err := unkept(err)
		return tool.Plan{Fault: res.Text}, err
	}
	w := wordsIn(c.Lang)
	d := tool.Diff{What: w.kindOf(is.Predicate), Is: w.object(is), IsFrom: w.from(is, c)}
	if known {
		d.Was, d.WasFrom = w.heard(was, c, v), w.from(was, c)
	}
	return tool.Plan{Args: c.Args, Own: true, Lines: []string{fmt.Sprintf(w.willKeep, w.say(is, c.Asker))}, Diff: []tool.Diff{d}}, nil
}

// about returns what the fact is about and who may see it. What is said where
// nobody else looks on stays with the person, whatever it is about; what is said
// in a channel is for that channel, and only an explicit "team" is for more.
func (t remember) about(in rememberArgs, c tool.Call, v memory.Viewer) (string, memory.Audience) {
	mine := memory.Audience{Kind: memory.ForUser, ID: c.Asker}
	subject := strings.TrimSpace(in.Subject)
	switch strings.ToLower(subject) {
	case "me", "i", "user", "我", "":
		return c.Asker, mine
	case "team", "we", "us", "我们", "团队":
		subject = teamOf(c.Asker)
		if !v.Direct && v.Team != "" {
			return subject, memory.Audience{Kind: memory.ForTeam, ID: v.Team}
		}
	}
	if v.Direct || v.Channel == "" {
		return subject, mine
	}
	return subject, memory.Audience{Kind: memory.ForChannel, ID: v.Channel}
}

// note is what the tool needs to know of a conflict when the answer comes.
type note struct {
	Conflict  string `json:"c"`
	Predicate string `json:"p"`
	Old       string `json:"o"`
	New       string `json:"n"`
}

// ask asks the person which of two statements holds. What was said in private is not
// read out where others look on.
func ask(w words, c tool.Call, v memory.Viewer, k memory.Conflict) (tool.Result, error) {
	b, err := json.Marshal(note{k.ID, k.New.Predicate, k.Old.Object, k.New.Object})
	if err != nil {
		return tool.Result{}, fmt.Errorf("note conflict %s: %w", k.ID, err)
	}
	old := w.private
	if v.MayHear(k.Old) {
		old = w.words(k.Old, c.Asker)
	}
	return tool.Result{Ask: &tool.Ask{
		Token: string(b),
		Text:  fmt.Sprintf(w.conflict, w.said(k.Old, c), old, w.said(k.New, c), w.words(k.New, c.Asker), w.object(k.New)),
		Diff: []tool.Diff{{
			What: w.kindOf(k.New.Predicate), Was: w.heard(k.Old, c, v), WasFrom: w.from(k.Old, c), Is: w.object(k.New), IsFrom: w.from(k.New, c),
		}},
		Choices: []tool.Choice{
			{ID: string(memory.KeepOld), Label: fmt.Sprintf(w.keepOld, short(w.heard(k.Old, c, v)))},
			{ID: string(memory.TakeNew), Label: fmt.Sprintf(w.takeNew, short(w.object(k.New)))},
			{ID: string(memory.KeepBoth), Label: w.keepBoth},
		},
	}}, nil
}

// Choose implements tool.Chooser. The same Pick again says the same again.
func (t remember) Choose(ctx context.Context, c tool.Call, p tool.Pick) (tool.Result, error) {
	w := wordsIn(c.Lang)
	var n note
	if err := json.Unmarshal([]byte(p.Token), &n); err != nil {
		return tool.Result{}, fmt.Errorf("read the note of a conflict: %w", err)
	}
	choice := choiceOf(p, n)
	if choice == "" {
		return tool.Result{Text: w.unclear}, nil
	}
	k, err := t.keeper.Settle(ctx, n.Conflict, choice, p.By)
	switch {
	case errors.Is(err, memory.ErrSettled):
		choice = memory.Choice(k.Settled) // somebody was faster, or said otherwise before
	case errors.Is(err, memory.ErrNoConflict):
		return tool.Result{Text: w.forgotten}, nil
	case err != nil:
		return tool.Result{}, err
	}
	v, err := t.viewer(ctx, c)
	if err != nil {
		return tool.Result{}, fmt.Errorf("see who is at %s: %w", c.Home, err)
	}
	older, newer := w.heard(k.Old, c, v), w.heard(k.New, c, v)
	switch choice {
	case memory.KeepOld:
		return tool.Result{Text: fmt.Sprintf(w.oldHolds, older, newer)}, nil
	case memory.TakeNew:
		return tool.Result{Text: fmt.Sprintf(w.newHolds, newer, older)}, nil
	}
	return tool.Result{Text: fmt.Sprintf(w.bothHold, older, newer)}, nil
}

// choiceOf returns what a person picked: a button, or words that name one side.
// It is empty if the words could mean either.
func choiceOf(p tool.Pick, n note) memory.Choice {
	switch c := memory.Choice(p.Choice); c {
	case memory.KeepOld, memory.TakeNew, memory.KeepBoth:
		return c
	}
	said := strings.ToLower(p.Words)
	names := func(object string) bool { return memory.Mentions(n.Predicate, said, object) }
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
	}
	older, newer := names(n.Old), names(n.New)
	switch {
	case has("both", "两个", "都", "兩個"):
		return memory.KeepBoth
	case older != newer && has("not", "don't", "no ", "不", "别"):
		return "" // "not CSV": which one, then, is for the person to say
	case older && !newer:
		return memory.KeepOld
	case newer && !older:
		return memory.TakeNew
	case older && newer:
		return ""
	case has("old", "before", "旧", "原来", "以前", "之前"):
		return memory.KeepOld
	case has("new", "latest", "from now on", "新", "现在", "以后", "今后"):
		return memory.TakeNew
	}
	return ""
}
