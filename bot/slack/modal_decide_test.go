package slack_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// sheetOf is a form that has something of everything.
func sheetOf(choice, lang string) bot.Sheet {
	s := bot.Sheet{Question: "slack/T0/C1/1.0/q1", Choice: choice, Lang: lang, Title: "Change and approve", Send: "Approve this", Lead: "**What** you send <!channel> is checked."}
	if lang == "zh" {
		s.Title, s.Send = "修改并批准", "批准"
	}
	switch choice {
	case "edit":
		s.Fields = []bot.Field{
			{ID: "0.channel", Label: "channel", Hint: "as in #sales", Kind: bot.TextField, Value: "#sales", Most: 80},
			{ID: "0.text", Label: "text", Kind: bot.LongField, Value: "one\ntwo", Optional: true},
			{ID: "0.amount", Label: "amount", Kind: bot.NumberField, Value: "5"},
			{ID: "0.day", Label: "day", Kind: bot.DateField, Value: "2026-12-31", Optional: true},
			{ID: "0.how", Label: "how", Kind: bot.PickField, Value: "slow", Options: []bot.Choice{{ID: "fast", Label: "fast"}, {ID: "slow", Label: "slow"}}, Optional: true},
		}
	case "like":
		s.Fields = []bot.Field{{ID: bot.FieldScope, Label: "What?", Kind: bot.PickField, Options: []bot.Choice{{ID: "g1", Label: "here, 3 times"}, {ID: "g2", Label: "anywhere, 12 times"}}}}
	default:
		s.Fields = []bot.Field{{ID: bot.FieldNote, Label: "Why not?", Kind: bot.LongField, Most: 1000}}
	}
	return s
}

// What the forms for a decision look like, and one that says that there is none.
func TestDecisionFormGolden(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		for _, choice := range []string{"edit", "like", "reason"} {
			body, err := slack.SheetView(sheetOf(choice, lang))
			goldenView(t, "decide_"+choice+"."+lang, body, err)
		}
		late := sheetOf("edit", lang)
		late.Lead, late.Fields = "This question expired.", nil
		body, err := slack.SheetView(late)
		goldenView(t, "decide_none."+lang, body, err)
	}
}

// A judge is a Decider of which tests say what it answers.
type judge struct {
	mu      sync.Mutex
	sheets  []string
	decided []map[string]string
	clicks  []bot.Click
	revoked []string
	refuse  error
}

func (*judge) Barred(context.Context, bot.Click, string) (string, error) { return "", nil }

func (j *judge) set(f func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f()
}

func (j *judge) Sheet(_ context.Context, person, question, choice string) (bot.Sheet, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sheets = append(j.sheets, fmt.Sprintf("%s of %s for %s", choice, question, person))
	s := sheetOf(choice, "en")
	s.Question = question
	return s, nil
}

func (j *judge) Decide(_ context.Context, c bot.Click, values map[string]string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.clicks, j.decided = append(j.clicks, c), append(j.decided, values)
	return j.refuse
}

func (j *judge) Grants(context.Context, string, string) ([]bot.Allowance, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.revoked) > 0 && j.refuse == nil {
		return nil, nil
	}
	return []bot.Allowance{{ID: "g0a1b2c3d", Says: "Post → #sales: the same kind of report", Used: 1, Max: 12, Owner: ana, By: leo}}, nil
}

func (j *judge) Revoke(_ context.Context, person, grant, _ string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.revoked = append(j.revoked, grant+" by "+person)
	return j.refuse
}

func judgeRig(t *testing.T) (*rig, *judge) {
	t.Helper()
	j := &judge{}
	r := newRig(t, setup{office: newOffice(), before: func(r *rig) { r.s.Decides(j) }})
	r.connected()
	return r, j
}

// cardIn posts a card into #general and returns it as it stands there.
func (r *rig) cardIn(question string) fakeslack.Message {
	r.t.Helper()
	rc := r.post(bot.Post{
		Key: question, Place: bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: "C0GENERAL"}, Text: "May I?", Kind: bot.Card, Question: question,
		Choices: []bot.Choice{{ID: "approve", Label: "Approve"}, {ID: "edit", Label: "Edit …"}, {ID: "change", Label: "Ask for changes …"}, {ID: "deny", Label: "Deny"}},
	})
	return r.fake.Channel("general").Thread(rc.Ref.ID)[0]
}

// A20: Edit opens a form with one input for each argument; what is wrong is said at its
// field; what is right comes once, however often it is sent, from whom Slack says.
func TestA20ADecisionIsMadeInAForm(t *testing.T) {
	r, j := judgeRig(t)
	card := r.cardIn("k/q1")
	h := r.fake.Human("leo")
	d, err := h.Press(card, "Edit …")
	answered(r, d, err)
	v := r.form("leo", "is checked")
	j.set(func() { j.refuse = &bot.Invalid{Field: "0.channel", Text: "there is no channel #nowhere"} })
	d, err = h.Submit(map[string]string{"0.channel": "#nowhere", "0.amount": "7"})
	answered(r, d, err)
	r.must(r.fake.Wait(r.ctx(), "an error at a field", func() bool {
		m, _ := h.Modal()
		return m.Errors["0.channel"] == "there is no channel #nowhere"
	}))
	j.set(func() { j.refuse = nil })
	d, err = h.Submit(map[string]string{"0.channel": "#board"})
	answered(r, d, err)
	r.fake.Redeliver(d)
	r.until("the form to be sent again", func() bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		return len(j.clicks) == 3
	})
	want := map[string]string{"0.channel": "#board", "0.text": "one\ntwo", "0.amount": "7", "0.day": "2026-12-31", "0.how": "slow"}
	if d := cmp.Diff(want, j.decided[1]); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	c := j.clicks[1]
	if c.Key != j.clicks[2].Key || c.Key != "slack/"+fakeslack.Team+"/view/"+v.ID+"/decision" || c.From != leo || c.Question != "k/q1" || c.Choice != "edit" || c.Place.Channel != "C0GENERAL" {
		t.Errorf("click = %+v", c)
	}
	if _, open := h.Modal(); open {
		t.Error("the form is still open")
	}
	if d := cmp.Diff([]string{"edit of k/q1 for " + leo}, j.sheets); d != "" {
		t.Errorf("forms (-want +got):\n%s", d)
	}
	if n := len(r.ears.clicks); n != 0 {
		t.Errorf("%d presses went the way of those without a form", n)
	}
}

// A20: what comes of a change is shown with the form as it was filled in, and sent again it
// says that it was seen; the first time, told of again by Slack, does not.
func TestA20AnEditIsSeenBeforeItCounts(t *testing.T) {
	r, j := judgeRig(t)
	h := r.fake.Human("leo")
	d, err := h.Press(r.cardIn("k/q1"), "Edit …")
	answered(r, d, err)
	r.form("leo", "is checked")
	j.set(func() {
		j.refuse = &bot.Becoming{Text: "**Not yet.**\n- Post it on Fridays", Send: "Approve this", Seen: "5ee4"}
	})
	first, err := h.Submit(map[string]string{"0.channel": "#board"})
	answered(r, first, err)
	v := r.form("leo", "Post it on Fridays")
	if !strings.Contains(string(v.View), `"initial_value":"#board"`) || !strings.Contains(string(v.View), `"text":"Approve this"`) {
		t.Errorf("the form is %s", v.View)
	}
	r.fake.Redeliver(first)
	d, err = h.Submit(nil)
	answered(r, d, err)
	r.until("the form to be sent again", func() bool { j.mu.Lock(); defer j.mu.Unlock(); return len(j.decided) == 3 })
	seen := 0
	for _, values := range j.decided {
		if values[bot.FieldSeen] == "5ee4" {
			seen++
		}
	}
	if seen != 1 {
		t.Errorf("%d of %+v say that it was seen, want the last press alone", seen, j.decided)
	}
}

// A form that comes too late, or whose sender has no say, says so in its place.
func TestAFormThatIsNotTakenSaysWhy(t *testing.T) {
	r, j := judgeRig(t)
	h := r.fake.Human("leo")
	d, err := h.Press(r.cardIn("k/q1"), "Ask for changes …")
	answered(r, d, err)
	r.form("leo", "is checked")
	j.set(func() { j.refuse = errors.New("the disk is full") })
	sent, err := h.Submit(map[string]string{bot.FieldNote: "October, please"})
	r.must(err)
	r.until("the form to be sent", func() bool { j.mu.Lock(); defer j.mu.Unlock(); return len(j.clicks) == 1 })
	j.set(func() { j.refuse = &bot.Invalid{Text: "This is settled already."} })
	r.fake.Redeliver(sent)
	r.form("leo", "This is settled already.")
	if got := j.decided[0][bot.FieldNote]; got != "October, please" {
		t.Errorf("note = %q", got)
	}
}

// A home lists what may run without a question, and ends it; who may not is told there.
func TestAGrantIsRevokedInAHome(t *testing.T) {
	r, j := judgeRig(t)
	h := r.fake.Human("ana")
	v := r.opens("ana", "Allowed without asking")
	j.set(func() { j.refuse = &bot.Invalid{Text: "This is not yours to end."} })
	d, err := h.PressIn(v, "Revoke")
	answered(r, d, err)
	v = r.shown(h, "This is not yours to end.")
	j.set(func() { j.refuse = nil })
	d, err = h.PressIn(v, "Revoke")
	answered(r, d, err)
	r.until("the home to be without it", func() bool {
		v, _ := h.Home()
		return !strings.Contains(v.Shown(), "Allowed without asking")
	})
	if d := cmp.Diff([]string{"g0a1b2c3d by " + ana, "g0a1b2c3d by " + ana}, j.revoked); d != "" {
		t.Errorf("revoked (-want +got):\n%s", d)
	}
}
