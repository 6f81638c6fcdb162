package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool"
	"hermes/memory"
)

// forget is a tool.Chooser: what is meant must be one thing, and all of it is
// confirmed first.
type forget struct{ desk }

var (
	_ tool.Chooser = forget{}
	_ tool.Planner = forget{}
)

type forgetArgs struct {
	What string `json:"what" jsonschema:"last, all, id or words"`
}

// Spec implements tool.Tool. The Effect is Read, although facts are deleted: they
// are the asker's own, who has just said so, and all of them go only after a
// question to that person. Nobody else could approve it.
func (t forget) Spec() tool.Spec {
	return tool.Spec{
		Name:        "memory_forget",
		Description: "Delete facts of the asker, if they ask to.",
		Words:       []string{"forget", "erase", "remove", "忘记", "忘掉", "删除", "清除"},
		Schema:      tool.SchemaOf[forgetArgs](),
		Effect:      tool.Read,
		Risk:        tool.HighRisk,
		Keeps:       true,
	}
}

// The choices of a question, beside the ids of facts.
const (
	yes   = "yes"
	none  = "none"
	every = "every"
)

// options is how many facts a question offers: a person chooses among few.
const options = 5

// Run implements tool.Tool.
func (t forget) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	in, err := tool.Decode[forgetArgs](c.Args)
	if err != nil {
		return tool.Fail("arguments of memory_forget: %v", err), nil
	}
	v, err := t.viewer(ctx, c)
	if err != nil {
		return tool.Result{}, fmt.Errorf("see who is at %s: %w", c.Home, err)
	}
	// This very call may have deleted before a crash: then "last" would mean
	// the next one.
	if ids, err := t.keeper.Meant(ctx, v, c.ID, nil); err != nil {
		return tool.Result{}, err
	} else if len(ids) > 0 {
		return t.erase(ctx, c, v, ids)
	}
	f, res, err := t.meant(ctx, c, v, in.What)
	if err != nil || f == nil {
		return res, err
	}
	return t.erase(ctx, c, v, []string{f.ID})
}

// Plan implements tool.Planner, for a call that a person is asked about first. Where it
// means one fact, that very one is approved.
func (t forget) Plan(ctx context.Context, c tool.Call) (tool.Plan, error) {
	in, err := tool.Decode[forgetArgs](c.Args)
	if err != nil {
		return tool.Plan{Fault: fmt.Sprintf("arguments of memory_forget: %v", err)}, nil
	}
	v, err := t.viewer(ctx, c)
	if err != nil {
		return tool.Plan{}, fmt.Errorf("see who is at %s: %w", c.Home, err)
	}
	f, res, err := t.meant(ctx, c, v, in.What)
	w, plan := wordsIn(c.Lang), tool.Plan{Args: c.Args, Own: true, Final: true}
	switch {
	case err != nil:
		return tool.Plan{}, err
	case f != nil:
		said := w.private
		if v.MayHear(*f) {
			said, plan.Diff = w.say(*f, c.Asker), []tool.Diff{w.erased(*f, c)}
		}
		plan.Lines = []string{fmt.Sprintf(w.willForget, said)}
		plan.Args, err = json.Marshal(forgetArgs{f.ID})
		return plan, err
	case res.Ask == nil:
		return tool.Plan{Fault: res.Text}, nil
	}
	// Which they mean is asked then.
	plan.Lines, plan.Diff = []string{oneLine(res.Ask.Text)}, res.Ask.Diff
	return plan, nil
}

// oneLine is a text without its breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// meant is the one fact that a call means; nil if it could be several or is none, with what
// is said or asked of that then.
func (t forget) meant(ctx context.Context, c tool.Call, v memory.Viewer, what string) (*memory.Fact, tool.Result, error) {
	mine, err := t.keeper.Mine(ctx, v)
	if err != nil {
		return nil, tool.Result{}, err
	}
	shown, err := t.keeper.List(ctx, v)
	if err != nil {
		return nil, tool.Result{}, err
	}
	shown = slices.DeleteFunc(shown, func(f memory.Fact) bool { return !f.Own(c.Asker) })
	w := wordsIn(c.Lang)
	what = strings.TrimSpace(what)
	switch strings.ToLower(what) {
	case "":
		return nil, tool.Fail("what to forget is not said"), nil
	case "last", "that", "it", "最后", "刚才", "那个":
		if len(shown) == 0 {
			return nil, tool.Result{Text: w.nothing, Failed: true}, nil
		}
		// Nothing was said here just now: "it" could be anything, and what is
		// deleted cannot be had back.
		if f, near := t.last(c, shown); near {
			return &f, tool.Result{}, nil
		}
		res, err := t.ask(w, c, shown)
		return nil, res, err
	case "all", "everything", "全部", "所有":
		if len(mine) == 0 {
			return nil, tool.Result{Text: w.nothing}, nil
		}
		res, err := t.confirm(w, c, mine, shown)
		return nil, res, err
	}
	if i := slices.IndexFunc(mine, func(f memory.Fact) bool { return f.ID == what }); i >= 0 {
		return &mine[i], tool.Result{}, nil
	}
	return t.byWords(ctx, c, v, what, shown)
}

// justNow is how long what was said in a conversation is what "that" points at.
const justNow = 24 * time.Hour

// last returns the newest of the facts that were said in this very conversation
// not long ago, if there is one.
func (t forget) last(c tool.Call, shown []memory.Fact) (memory.Fact, bool) {
	i := slices.IndexFunc(shown, func(f memory.Fact) bool { return f.Place == c.Home && c.Now.Sub(f.Said) < justNow })
	if i < 0 {
		return memory.Fact{}, false
	}
	return shown[i], true
}

// byWords finds the one fact that the words mean, or asks which.
func (t forget) byWords(ctx context.Context, c tool.Call, v memory.Viewer, what string, shown []memory.Fact) (*memory.Fact, tool.Result, error) {
	w := wordsIn(c.Lang)
	var found []memory.Fact
	for _, f := range shown {
		if mentions(f, what) {
			found = append(found, f)
		}
	}
	sure := len(found) > 0
	if !sure {
		var err error
		if found, err = t.matching(ctx, v, what, shown); err != nil {
			return nil, tool.Result{}, err
		}
	}
	switch {
	case len(found) == 0:
		return nil, tool.Result{Text: fmt.Sprintf(w.notFound, what), Failed: true}, nil
	case len(found) == 1 && sure:
		return &found[0], tool.Result{}, nil
	}
	// What was only found by likeness is asked about even if it is alone:
	// deleting cannot be undone.
	res, err := t.ask(w, c, found)
	return nil, res, err
}

// ask asks which of the facts is meant.
func (t forget) ask(w words, c tool.Call, found []memory.Fact) (tool.Result, error) {
	found = found[:min(options, len(found))]
	a := &tool.Ask{Text: w.which}
	var ids []string
	for _, f := range found {
		ids = append(ids, f.ID)
		a.Diff = append(a.Diff, w.erased(f, c))
		a.Choices = append(a.Choices, tool.Choice{ID: f.ID, Label: short(w.words(f, c.Asker)) + " · " + w.date(f.Said, c)})
	}
	if len(found) > 1 {
		a.Choices = append(a.Choices, tool.Choice{ID: every, Label: w.allOfThese})
	}
	a.Choices = append(a.Choices, tool.Choice{ID: none, Label: w.noneOfThese})
	return asking(a, ids)
}

// mostErased is how many of the facts that would be forgotten a card shows one by one.
const mostErased = 10

// confirm asks whether all is meant. Facts that are not for this place are only counted.
func (t forget) confirm(w words, c tool.Call, mine, shown []memory.Fact) (tool.Result, error) {
	var ids []string
	var diff []tool.Diff
	for _, f := range mine {
		ids = append(ids, f.ID)
		sayable := slices.ContainsFunc(shown, func(g memory.Fact) bool { return g.ID == f.ID })
		if sayable && len(diff) < mostErased {
			diff = append(diff, w.erased(f, c))
		}
	}
	text := fmt.Sprintf(w.confirmAll, len(mine))
	if rest := len(mine) - len(diff); rest > 0 && len(diff) > 0 {
		text += " " + fmt.Sprintf(w.unlisted, rest)
	}
	return asking(&tool.Ask{
		Text: text, Diff: diff,
		Choices: []tool.Choice{
			{ID: yes, Label: w.forgetAll},
			{ID: none, Label: w.keepAll},
		},
	}, ids)
}

// asking returns a Result that asks a, with what it is about in its Token.
func asking(a *tool.Ask, ids []string) (tool.Result, error) {
	b, err := json.Marshal(ids)
	if err != nil {
		return tool.Result{}, fmt.Errorf("note what to forget: %w", err)
	}
	a.Token = string(b)
	return tool.Result{Ask: a}, nil
}

// Choose implements tool.Chooser.
func (t forget) Choose(ctx context.Context, c tool.Call, p tool.Pick) (tool.Result, error) {
	w := wordsIn(c.Lang)
	var ids []string
	if err := json.Unmarshal([]byte(p.Token), &ids); err != nil {
		return tool.Result{}, fmt.Errorf("read what to forget: %w", err)
	}
	v, err := t.viewer(ctx, c)
	if err != nil {
		return tool.Result{}, fmt.Errorf("see who is at %s: %w", c.Home, err)
	}
	choice := p.Choice
	if choice == "" {
		choice = spoken(p.Words)
	}
	switch {
	case choice == yes, choice == every:
		return t.erase(ctx, c, v, ids)
	case slices.Contains(ids, choice):
		return t.erase(ctx, c, v, []string{choice})
	}
	return tool.Result{Text: w.keptAll}, nil
}

// spoken reads a yes out of words. All that is no clear yes is a no: what is
// deleted cannot be had back.
func spoken(words string) string {
	s := strings.Trim(strings.ToLower(words), " .!。！,，")
	if slices.Contains([]string{
		"yes", "y", "ok", "sure", "yes please", "yes, please", "forget all", "forget everything", "all", "do it", "all of these",
		"是", "是的", "好", "好的", "确认", "确定", "全部", "全部忘记", "都忘掉", "可以",
	}, s) {
		return yes
	}
	return none
}

// erase deletes facts and says what is gone: in words only what may be said here.
func (t forget) erase(ctx context.Context, c tool.Call, v memory.Viewer, ids []string) (tool.Result, error) {
	w := wordsIn(c.Lang)
	sayable, err := t.keeper.List(ctx, v)
	if err != nil {
		return tool.Result{}, err
	}
	ids, err = t.keeper.Meant(ctx, v, c.ID, ids)
	if err != nil {
		return tool.Result{}, err
	}
	gone, err := t.keeper.Forget(ctx, v, ids)
	if err != nil {
		return tool.Result{}, err
	}
	// Deleted by an earlier try at this call: the words are gone, the count
	// is not.
	if gone.Count == 0 {
		return tool.Result{Text: fmt.Sprintf(w.gone, len(ids))}, nil
	}
	lines := []string{fmt.Sprintf(w.gone, len(gone.Facts))}
	for _, f := range gone.Facts {
		if slices.ContainsFunc(sayable, func(g memory.Fact) bool { return g.ID == f.ID }) {
			lines = append(lines, fmt.Sprintf("- %s (%s)", w.words(f, c.Asker), w.date(f.Said, c)))
		}
	}
	return tool.Result{Text: strings.Join(lines, "\n")}, nil
}
