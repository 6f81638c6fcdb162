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

var _ tool.Chooser = forget{}

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
	mine, err := t.keeper.Mine(ctx, v)
	if err != nil {
		return tool.Result{}, err
	}
	shown, err := t.keeper.List(ctx, v)
	if err != nil {
		return tool.Result{}, err
	}
	shown = slices.DeleteFunc(shown, func(f memory.Fact) bool { return !f.Own(c.Asker) })
	w := wordsIn(c.Lang)
	what := strings.TrimSpace(in.What)
	switch strings.ToLower(what) {
	case "":
		return tool.Fail("what to forget is not said"), nil
	case "last", "that", "it", "最后", "刚才", "那个":
		if len(shown) == 0 {
			return tool.Result{Text: w.nothing, Failed: true}, nil
		}
		// Nothing was said here just now: "it" could be anything, and what is
		// deleted cannot be had back.
		f, near := t.last(c, shown)
		if !near {
			return t.ask(w, c, shown)
		}
		return t.erase(ctx, c, v, []string{f.ID})
	case "all", "everything", "全部", "所有":
		if len(mine) == 0 {
			return tool.Result{Text: w.nothing}, nil
		}
		return t.confirm(w, mine)
	}
	if i := slices.IndexFunc(mine, func(f memory.Fact) bool { return f.ID == what }); i >= 0 {
		return t.erase(ctx, c, v, []string{what})
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

// byWords deletes the one fact that the words mean, or asks which.
func (t forget) byWords(ctx context.Context, c tool.Call, v memory.Viewer, what string, shown []memory.Fact) (tool.Result, error) {
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
			return tool.Result{}, err
		}
	}
	switch {
	case len(found) == 0:
		return tool.Result{Text: fmt.Sprintf(w.notFound, what), Failed: true}, nil
	case len(found) == 1 && sure:
		return t.erase(ctx, c, v, []string{found[0].ID})
	}
	// What was only found by likeness is asked about even if it is alone:
	// deleting cannot be undone.
	return t.ask(w, c, found)
}

// ask asks which of the facts is meant.
func (t forget) ask(w words, c tool.Call, found []memory.Fact) (tool.Result, error) {
	found = found[:min(options, len(found))]
	a := &tool.Ask{Text: w.which}
	var ids []string
	for _, f := range found {
		ids = append(ids, f.ID)
		a.Choices = append(a.Choices, tool.Choice{ID: f.ID, Label: short(w.words(f, c.Asker)) + " · " + w.date(f.Said, c)})
	}
	if len(found) > 1 {
		a.Choices = append(a.Choices, tool.Choice{ID: every, Label: w.allOfThese})
	}
	a.Choices = append(a.Choices, tool.Choice{ID: none, Label: w.noneOfThese})
	return asking(a, ids)
}

func (t forget) confirm(w words, mine []memory.Fact) (tool.Result, error) {
	var ids []string
	for _, f := range mine {
		ids = append(ids, f.ID)
	}
	return asking(&tool.Ask{
		Text: fmt.Sprintf(w.confirmAll, len(mine)),
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
