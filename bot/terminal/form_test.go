package terminal_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
	"hermes/bot/terminal"
)

// forms are a bot.Decider that has one form for each choice, and takes what fits.
type forms struct {
	bot.Decider
	lang string

	mu    sync.Mutex
	taken []map[string]string
	by    []bot.Click
}

func (f *forms) Sheet(_ context.Context, person, question, choice string) (bot.Sheet, error) {
	s := bot.Sheet{Question: question, Choice: choice, Lang: f.lang, Title: "Change and approve", Send: "Approve this", Lead: "What you send here is checked."}
	switch {
	case person != terminal.Owner:
		s.Lead = "You may not."
	case question == "late":
		s.Lead = "Too late."
	case choice == "like":
		s.Fields = []bot.Field{{ID: bot.FieldScope, Label: "What may run?", Kind: bot.PickField, Options: []bot.Choice{{ID: "g1", Label: "for a day"}, {ID: "g2", Label: "for a month"}}}}
	default:
		s.Fields = []bot.Field{
			{ID: "0.channel", Label: "Channel", Kind: bot.TextField, Value: "#sales"},
			{ID: "0.what_to_do", Label: "What to do", Kind: bot.LongField, Value: "one\ntwo", Optional: true},
			{ID: "0.how", Label: "How", Kind: bot.PickField, Value: "fast", Options: []bot.Choice{{ID: "fast", Label: "Fast"}, {ID: "slow", Label: "Slow"}}},
		}
	}
	return s, nil
}

func (f *forms) Decide(_ context.Context, c bot.Click, values map[string]string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if values["0.channel"] == "#nowhere" {
		return &bot.Invalid{Field: "0.channel", Text: "there is no channel #nowhere"}
	}
	if values["0.channel"] == "#ops: all" && values[bot.FieldSeen] == "" {
		return &bot.Becoming{Text: "Not yet: it goes to **#ops**", Send: "Approve that", Seen: "5ee4"}
	}
	f.taken, f.by = append(f.taken, values), append(f.by, c)
	return nil
}

func (f *forms) decided() ([]map[string]string, []bot.Click) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.taken, f.by
}

var formCard = bot.Line{Key: "m1/q1", Text: "May I?", Kind: bot.Card, Question: "m1/q1", Choices: []bot.Choice{
	{ID: "approve", Label: "Approve"}, {ID: bot.EditChoice, Label: "Edit …"}, {ID: "change", Label: "Ask for changes …"},
	{ID: "like", Label: "Allow like this …"}, {ID: "deny", Label: "Deny"}, {ID: bot.ReasonChoice, Label: "Deny with reason …"},
}}

// A20: what elsewhere is a form is filled in by typed lines: it is shown with what stands
// there, each line changes one field, what is wrong is said and leaves it open, and what is
// sent is decided once, by that person, with what was typed. The numbers of plain buttons
// are what they were.
func TestA20AFormIsFilledInByTypedLines(t *testing.T) {
	f := &forms{lang: "en"}
	k := &desk{forms: f}
	d := newDaemon(t, k)
	c := d.client(t)
	k.say(formCard)
	d.wakes(t)
	c.sees(t, "  [1] Approve\n  [2] Deny\n  [3] Edit …\n  [4] Allow like this …\n  or write: /deny REASON")
	c.types("3")
	c.sees(t, "hermes: Change and approve\nWhat you send here is checked.\n  Channel = #sales\n  What to do = one\\ntwo   (may be empty)\n  How = Fast   (one of Fast | Slow)\n"+
		"  To change one write NAME = VALUE (\\n for a new line, nothing to leave it out).\n  /send: Approve this\n  /cancel leaves all as it is.")
	c.types("how is it going?")
	c.sees(t, "the names are: Channel, What to do, How")
	c.types("channel = #nowhere", "/send")
	c.sees(t, "✗ Channel: there is no channel #nowhere")
	c.types("how = sideways")
	c.sees(t, `"sideways" is none of: Fast | Slow`)
	c.types("Channel：#ops: all", `whattodo = a\nb`, "HOW = 2", "/send")
	c.sees(t, "Not yet: it goes to #ops\n  /send: Approve that\n  /cancel leaves all as it is.")
	c.types("/send", "hello")
	if m := d.message(t); m.Text != "hello" {
		t.Errorf("said %q, want what comes after the form", m.Text)
	}
	taken, by := f.decided()
	want := []map[string]string{{"0.channel": "#ops: all", "0.what_to_do": "a\nb", "0.how": "slow", "seen": "5ee4"}}
	if diff := cmp.Diff(want, taken); diff != "" {
		t.Errorf("decided (-want +got):\n%s", diff)
	}
	if len(by) != 1 || by[0].From != terminal.Owner || by[0].Question != "m1/q1" || by[0].Choice != bot.EditChoice || !strings.HasPrefix(by[0].Key, "terminal/local/chat/press/") {
		t.Errorf("decided by %+v", by)
	}
}

// A form with one field takes a line as it is, or a number of it; one that is left decides
// nothing, and one that cannot be had says why.
func TestAFormWithOneFieldNeedsNoName(t *testing.T) {
	f := &forms{lang: "zh"}
	k := &desk{forms: f}
	d := newDaemon(t, k)
	c := d.client(t)
	card := formCard
	card.Lang = "zh"
	k.say(card)
	d.wakes(t)
	c.sees(t, "[4] Allow like this …")
	c.types("4")
	c.sees(t, "    [1] for a day\n    [2] for a month\n  直接写内容，或写选项的编号。\n  /发送（/send）：Approve this")
	c.types("/取消")
	c.sees(t, "什么都没有决定")
	c.types("4", "2", "/发送", "after")
	d.message(t)
	if taken, _ := f.decided(); len(taken) != 1 || taken[0][bot.FieldScope] != "g2" {
		t.Errorf("decided %+v, want the second alone", taken)
	}
	late := formCard
	late.Key, late.Question = "late", "late"
	k.say(late)
	d.wakes(t)
	c.sees(t, "/deny REASON")
	c.types("3")
	c.sees(t, "Too late.")
	c.types("2") // no form is open
	if got := d.click(t); got.Choice != "deny" {
		t.Errorf("pressed %+v", got)
	}
}

// Where input is no person's, a form that is left open is an error: nothing was decided.
func TestAFormThatIsLeftOpenIsNoDecision(t *testing.T) {
	f := &forms{lang: "en"}
	k := &desk{forms: f}
	d := newDaemon(t, k)
	k.say(formCard)
	c := d.script(t)
	c.pipes("3", "channel = #ops")
	if err := c.end(t); err == nil || !strings.Contains(err.Error(), "a form was left open") {
		t.Errorf("ended with %v after %s", err, c.text())
	}
	if taken, _ := f.decided(); len(taken) != 0 {
		t.Errorf("decided %+v", taken)
	}
}

// Without forms nothing that needs one is offered or taken.
func TestWithoutFormsNoneIsOffered(t *testing.T) {
	k := &desk{}
	d := newDaemon(t, k)
	c := d.client(t)
	k.say(formCard)
	d.wakes(t)
	c.sees(t, "  [1] Approve\n  [2] Deny\n  or write")
	if code, _ := d.posts(t, "/chat/decide", `{"id":"X","question":"m1/q1","choice":"edit"}`); code != http.StatusNotFound {
		t.Errorf("decide = %d", code)
	}
	k.forms = &forms{}
	d = newDaemon(t, k)
	for body, want := range map[string]int{
		`{"id":"X","question":"m1/q1","choice":"approve"}`: http.StatusNotFound, `{"question":"m1/q1","choice":"edit"}`: http.StatusBadRequest, `{`: http.StatusBadRequest,
	} {
		if code, _ := d.posts(t, "/chat/decide", body); code != want {
			t.Errorf("decide %s = %d, want %d", body, code, want)
		}
	}
}
