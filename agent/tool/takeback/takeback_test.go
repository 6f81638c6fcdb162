package takeback_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	"hermes/agent/tool/takeback"
)

// book has one post and remembers what became of it.
type book struct {
	post    takeback.Post
	err     error
	changed []string
}

func (b *book) Find(context.Context, tool.Call, string) (takeback.Post, error) { return b.post, b.err }

func (b *book) Change(_ context.Context, _ tool.Call, key string, rev int, text string) error {
	if rev != b.post.Rev {
		return takeback.ErrNone
	}
	b.changed = append(b.changed, key+" "+text)
	return b.err
}

func call(lang, args string) tool.Call {
	return tool.Call{ID: "k/1", Run: "k", Asker: "slack:T:ana", Home: "slack/T/C/1", Lang: lang, Args: json.RawMessage(args)}
}

// A person approves one post, by its key and as it stands: the card names its first
// words, where it is, and its link. What the model hears after it claims nothing that
// the platform may yet refuse.
func TestAPlanNamesOnePost(t *testing.T) {
	sales := takeback.Post{Key: "r/p1", Rev: 2, Place: "slack/T/S/", Where: "#sales", Link: "https://x/p1", Text: "**Sales** by region\n\n| a |", Own: true}
	here := takeback.Post{Key: "r/end", Place: "slack/T/C/1", Text: strings.Repeat("word ", 40), Own: true}
	for name, tt := range map[string]struct {
		post  takeback.Post
		lang  string
		args  string
		lines []string
		own   bool
		asked string
	}{
		"elsewhere":           {sales, "en", `{}`, []string{"Take back my post in **#sales**: “Sales by region a” (https://x/p1)"}, true, "deletion"},
		"in Chinese":          {sales, "zh", `{}`, []string{"撤回我在 **#sales** 里的消息：“Sales by region a” (https://x/p1)"}, true, "deletion"},
		"corrected elsewhere": {sales, "en", `{"text":"Sales were 5"}`, []string{"Correct my post in **#sales**: “Sales by region a” (https://x/p1)", "It then says: Sales were 5"}, false, "correction"},
		"corrected here":      {here, "zh", `{"text":"5"}`, []string{"更正我在这里的消息：“" + strings.TrimSpace(strings.Repeat("word ", 16)[:79]) + "…”", "改为：5"}, true, "correction"},
	} {
		b := &book{post: tt.post}
		x := takeback.New(b)
		plan, err := x.Plan(t.Context(), call(tt.lang, tt.args))
		if err != nil || plan.Fault != "" {
			t.Fatalf("%s: %+v, %v", name, plan, err)
		}
		if d := cmp.Diff(tt.lines, plan.Lines); d != "" || plan.Own != tt.own || plan.Control != "" {
			t.Errorf("%s: own %t, control %q, lines (-want +got):\n%s", name, plan.Own, plan.Control, d)
		}
		for range 2 {
			res, err := x.Run(t.Context(), tool.Call{Args: plan.Args})
			var said takeback.Asked
			if err != nil || res.Failed || json.Unmarshal([]byte(res.Text), &said) != nil || said.Asked != tt.asked || said.Done || !strings.Contains(said.Note, "not done yet") {
				t.Errorf("%s: run = %+v, %v; want a %s that is asked for and not done", name, res, err, tt.asked)
			}
		}
		if len(b.changed) != 2 || !strings.HasPrefix(b.changed[0], tt.post.Key+" ") {
			t.Errorf("%s: changed %q", name, b.changed)
		}
		// What has changed since the yes is left alone.
		b.post.Rev++
		if res, err := x.Run(t.Context(), tool.Call{Args: plan.Args}); err != nil || !res.Failed {
			t.Errorf("%s: run after a change = %+v, %v; want it left alone", name, res, err)
		}
	}
}

// What cannot be taken back is said before anybody is asked, in both languages; it is
// never granted, and no slot may do it.
func TestWhatCannotBeTakenBack(t *testing.T) {
	for lang, wants := range map[string][2]string{"en": {"no post of mine", "somebody else asked"}, "zh": {"找不到", "别人让我发的"}} {
		for i, err := range []error{takeback.ErrNone, takeback.ErrNotOwn} {
			plan, got := takeback.New(&book{err: err}).Plan(t.Context(), call(lang, `{}`))
			if got != nil || !strings.Contains(plan.Fault, wants[i]) || plan.Args != nil {
				t.Errorf("%s: %+v, %v; want the fault %q", lang, plan, got, wants[i])
			}
		}
	}
	if _, err := takeback.New(&book{err: errors.New("disk")}).Plan(t.Context(), call("en", `{}`)); err == nil {
		t.Error("trouble of ours is told as the model's")
	}
	if plan, err := takeback.New(&book{}).Plan(t.Context(), call("en", `{"key":"x"}`)); err != nil || plan.Fault == "" {
		t.Errorf("a key from the model = %+v, %v; want a fault", plan, err)
	}
	if s := takeback.New(nil).Spec(); s.Effect == tool.Read || s.Unattended || !s.Later {
		t.Errorf("spec = %+v", s)
	}
}

// It is told of only where somebody speaks of taking back, so that it costs nobody
// else a byte.
func TestItIsToldWhereItIsWanted(t *testing.T) {
	set, err := tool.NewSet(takeback.New(nil))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"take that back": 1, "please delete that": 1, "撤回": 1, "把刚才那条删掉": 1, "RETRACT it": 1, "sales last month": 0, "what is in the news": 0, "上个月的销售": 0,
	} {
		if got := set.Wanted(text); len(got) != want {
			t.Errorf("%q wants %q, want %d", text, got, want)
		}
	}
}
