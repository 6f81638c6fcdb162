package slack_test

import (
	"strings"
	"testing"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// A mention in, an answer with buttons out, a press in, and the answer changed:
// over real HTTP and a real socket, with exactly the scopes of the manifest.
func TestMentionAnswerPress(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	m, k := r.say("sales", "@hermes last month's sales, please")
	got := r.ears.message(t, k)
	want := bot.Message{
		Key: k, Place: place(m), From: "slack:" + fakeslack.Team + ":" + r.fake.Human("ana").ID(),
		Text: "last month's sales, please", Addressed: true,
		At: got.At, Name: got.Name, Zone: got.Zone, Link: got.Link, Raw: got.Raw,
	}
	if !equal(got, want) {
		t.Errorf("Receive got %+v, want %+v", got, want)
	}
	r.must(r.fake.WaitAcked(r.ctx()))

	rc := r.post(bot.Post{
		Key: k + "/answer", Place: got.Place, Text: "**Sales** were 12.", Kind: bot.Card, Question: "q7",
		Choices: []bot.Choice{{ID: "yes", Label: "Post now", Style: bot.Primary}, {ID: "stop:" + k, Label: "Stop"}},
	})
	thread := r.fake.Channel("sales").Thread(m.TS)
	if len(thread) != 2 || rc.Ref.ID != thread[1].TS || rc.Ref.Place != got.Place {
		t.Fatalf("thread = %+v, receipt = %+v; want the answer in the thread", thread, rc)
	}
	if !strings.Contains(rc.Link, strings.ReplaceAll(rc.Ref.ID, ".", "")) {
		t.Errorf("Link = %q, want one to %s", rc.Link, rc.Ref.ID)
	}

	for _, label := range []string{"Post now", "Stop"} {
		_, err := r.fake.Human("leo").Press(thread[1], label)
		r.must(err)
	}
	r.must(r.fake.WaitAcked(r.ctx()))
	leo := "slack:" + fakeslack.Team + ":" + r.fake.Human("leo").ID()
	for _, c := range r.ears.clicks {
		if c.Place != got.Place || c.From != leo {
			t.Errorf("Click = %+v, want it by %s at %s", c, leo, got.Place)
		}
		if c.Question == "q7" && c.Choice == "yes" || c.Stop == k && c.Question == "" {
			continue
		}
		t.Errorf("Click = %+v, want choice yes of q7 or stop of %s", c, k)
	}
	if len(r.ears.clicks) != 2 {
		t.Errorf("%d clicks, want 2", len(r.ears.clicks))
	}
	for k := range r.ears.clicks {
		// slack/T/C/message_ts/action_id/user/action_ts
		head := "slack/" + fakeslack.Team + "/" + thread[1].Channel + "/" + thread[1].TS + "/choice:"
		if !strings.HasPrefix(k, head) || !strings.Contains(k, "/"+r.fake.Human("leo").ID()+"/") {
			t.Errorf("key of the press = %q, want %s…/user/action ts", k, head)
		}
	}

	r.post(bot.Post{Key: k + "/answer", Rev: 1, Place: got.Place, Text: "Posted by leo.", Delivered: &rc.Ref})
	now := r.fake.Channel("sales").Thread(m.TS)[1]
	if now.Shown() != "Posted by leo." || len(now.Buttons()) != 0 || now.Revs != 1 {
		t.Errorf("after the change %q with %d buttons, want the new text alone", now.Shown(), len(now.Buttons()))
	}
}

func equal(a, b bot.Message) bool {
	a.Raw, b.Raw = nil, nil
	return a.Key == b.Key && a.Place == b.Place && a.From == b.From && a.Text == b.Text && a.Addressed == b.Addressed &&
		a.InThread == b.InThread && a.Direct == b.Direct && a.Edits == b.Edits && a.At.Equal(b.At)
}
