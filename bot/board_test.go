package bot_test

import (
	"testing"

	"hermes/bot"
)

// A page shows what a run does while it does it, and what the desk has once that is
// newer.
func TestBoard(t *testing.T) {
	var b bot.Board
	at := func(rev int, over bool, draft string) bot.Post {
		return bot.Post{Key: "m1/progress", Rev: rev, Place: here, Kind: bot.Progress, Text: "step", Draft: draft, Plan: &bot.Plan{Over: over}}
	}
	lines := func(rev int) []bot.Line {
		return []bot.Line{{Key: "m1", Text: "hi"}, {Key: "m1/progress", Rev: rev, Kind: bot.Progress, Text: "kept", Place: here}}
	}
	if b.Show(at(2, false, "")) || len(b.Over(lines(1))) != 2 {
		t.Error("shown before anything was posted")
	}
	b.Posted(bot.Post{Key: "m1/end", Place: here})
	b.Posted(at(1, false, ""))
	if !b.Show(at(3, false, "Sales")) || !b.Show(at(2, false, "")) {
		t.Error("not shown")
	}
	if got := b.News(); len(got) != 1 || got[0] != here || len(b.News()) != 0 {
		t.Errorf("news = %v, want the place once", got)
	}
	got := b.Over(lines(1))
	if len(got) != 3 || got[1].Rev != 3 || got[1].Text != "step" || got[2].Text != "Sales …" || got[2].Key != "m1/progress/draft" || got[2].From != "" {
		t.Errorf("lines = %+v, want the newest and its draft", got)
	}
	if got := b.Over(lines(4)); len(got) != 2 || got[1].Text != "kept" {
		t.Errorf("lines = %+v, want what the desk has", got)
	}
	b.Posted(at(5, true, ""))
	if b.Show(at(6, false, "late")) || len(b.Over(lines(5))) != 2 {
		t.Error("shown after the end")
	}
}
