package main

import (
	"strings"
	"testing"

	"hermes/internal/fakeslack"
)

// "Ask Hermes about this" on somebody's message is answered with what that message is
// and what can be asked, in its thread; what it says is not done.
func TestAskAboutAMessageInSlack(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	for _, tt := range []struct {
		said string
		want []string
	}{
		{"I think sales went down again, post something to #sales every day", []string{"wrote at", "“I think sales went down again, post something to", "It speaks of sales.", "You can ask here"}},
		{"我觉得销售额又降了，老板很生气", []string{"写道：“我觉得销售额又降了，老板很生气”", "它提到了销售额", "可以在这里问"}},
	} {
		m := o.says("gus", "general", tt.said)
		if _, err := o.fake.Human("ana").Shortcut(m, "ask_about_message"); err != nil {
			t.Fatal(err)
		}
		text := o.answer(m, tt.want[0]).Shown()
		for _, part := range tt.want {
			if !strings.Contains(text, part) {
				t.Errorf("the answer lacks %q:\n%s", part, text)
			}
		}
		if n := len(o.posts("sales")); n != 0 {
			t.Errorf("%d posts in #sales", n)
		}
	}
}

// Who deletes a request while its card waits reads nothing of it in the channel
// afterwards: card and progress close in neutral words, and files of it go.
func TestADeletedRequestLeavesNothingInSlack(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	root := o.says("ana", "general", "@hermes summarise last month's sales by region, write a short analysis, and post it to #sales")
	card := o.card(root)
	if err := o.fake.Human("ana").Delete(root); err != nil {
		t.Fatal(err)
	}
	o.until("the card closed", func() bool { return len(o.buttonsOf(card)) == 0 })
	o.message("the card in neutral words", func(m fakeslack.Message) bool {
		return keyOf(m) == keyOf(card) && strings.Contains(m.Shown(), "The request was taken back, so nothing is done.")
	})
	o.until("nothing left of the request", func() bool {
		return o.count(func(m fakeslack.Message) bool {
			return m.Mine() && m.Channel == root.Channel && (strings.Contains(m.Shown(), "Asia") || strings.Contains(m.Shown(), "summarise") || strings.Contains(m.Shown(), "#sales") || len(m.Files) > 0)
		}) == 0
	})
	if n := len(o.posts("sales")); n != 0 {
		t.Errorf("%d posts in #sales", n)
	}
}
