package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/memory"
)

// A conversation goes on from what was said before, in both languages, and every
// answer is about the period that was meant.
func TestTheConversation(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	thread := room("general", "talk")
	for _, turn := range [][2]string{
		{"what were last month's sales by region?", "Sales by region, October 2026"},
		{"now by product", "Sales by product, October 2026"},
		{"and the month before?", "Sales by product, September 2026"},
		{"same for Asia", "Asia, September 2026"},
		{"换成上上个月", "2026年9月"},
	} {
		in.say("talk", turn[0])
		in.sees(thread, turn[1])
	}
	zh := room("general", "zh")
	for _, turn := range [][2]string{
		{"上个月亚洲的销售额是多少？", "2026年10月亚洲"},
		{"按产品看一下", "产品"},
	} {
		in.say("zh", turn[0])
		in.sees(zh, turn[1])
	}
}

// Small talk gets a friendly answer and runs no tool.
func TestSmallTalkRunsNoTool(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC))
	for _, text := range []string{"good morning", "早上好", "thanks!"} {
		in.say("chat", text)
	}
	answered := func(ls []bot.Line) bool {
		n := 0
		for _, l := range ls {
			if l.From == "" && l.Trace != "" {
				n++
			}
		}
		return n == 3
	}
	for _, l := range in.lines(room("general", "chat"), "three answers", answered) {
		if l.From != "" {
			continue
		}
		r, err := in.db.Journal().Trace(t.Context(), l.Trace)
		if err != nil {
			t.Fatal(err)
		}
		if !r.NoTools || len(r.Steps) != 1 || len(r.Steps[0].Reply.Message.Calls) != 0 {
			t.Errorf("%q took %d steps and tools %t", r.Text, len(r.Steps), !r.NoTools)
		}
	}
}

// A contradiction keeps both facts, uses the newer one, and asks with buttons; what
// is remembered is told with its source, and forgetting says what was forgotten.
func TestAContradictionIsAskedAbout(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	thread := room("general", "mem")
	in.say("mem", "I like Excel reports")
	in.sees(thread, "Excel")
	in.say("mem", "From now on I want CSV")
	card := in.card("mem")
	facts, err := in.db.Facts().Current(t.Context(), memory.Audience{Kind: "user", ID: anaInDemo}, anaInDemo, "prefers-format")
	if err != nil || len(facts) != 2 || facts[0].Object != "csv" || facts[0].Status != memory.Disputed {
		t.Errorf("facts while it is open = %+v, %v; want both, disputed, the newer first", facts, err)
	}
	if len(card.Choices) != 3 {
		t.Errorf("choices = %+v, want three", card.Choices)
	}
	in.press(card, demoLead, string(memory.TakeNew))
	in.lines(thread, "a plain answer to who was not asked", func(ls []bot.Line) bool {
		open := slices.ContainsFunc(ls, func(l bot.Line) bool { return l.Question == card.Question && len(l.Choices) == 3 })
		private, err := in.desk.Lines(t.Context(), thread, demoLead, 200)
		return err == nil && open && slices.ContainsFunc(private, func(l bot.Line) bool { return l.Only == demoLead })
	})
	in.press(card, anaInDemo, string(memory.TakeNew))
	in.lines(thread, "the card settled", func(ls []bot.Line) bool {
		return slices.ContainsFunc(ls, func(l bot.Line) bool { return l.Question == card.Question && len(l.Choices) == 0 })
	})
	in.say("mem", "what do you remember about me?")
	in.sees(thread, "From now on I want CSV")
	in.say("mem", "forget that")
	in.lines(thread, "what was forgotten", func(ls []bot.Line) bool {
		return strings.HasPrefix(ls[len(ls)-1].Text, "Forgotten") && ls[len(ls)-1].From == ""
	})
	facts, err = in.db.Facts().Current(t.Context(), memory.Audience{Kind: "user", ID: anaInDemo}, anaInDemo, "prefers-format")
	if err != nil || slices.ContainsFunc(facts, func(f memory.Fact) bool { return f.Object == "csv" }) {
		t.Errorf("facts after forgetting = %+v, %v", facts, err)
	}
}

// Stop and Continue with a card open: the card is called off, and asked anew. This
// once took the daemon down at each start.
func TestStopAndContinueWithACardOpen(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	in.say("stop", headline)
	first := in.card("stop")
	in.say("stop", "stop")
	stopped := func(l bot.Line) bool {
		return slices.ContainsFunc(l.Choices, func(c bot.Choice) bool { return strings.HasPrefix(c.ID, "continue:") })
	}
	ls := in.lines(room("general", "stop"), "Continue", func(ls []bot.Line) bool { return slices.ContainsFunc(ls, stopped) })
	l := ls[slices.IndexFunc(ls, stopped)]
	in.said++
	if err := in.bot.Click(t.Context(), bot.Click{
		Key: "continue/1", Place: l.Place, From: anaInDemo, Continue: strings.TrimPrefix(l.Choices[0].ID, "continue:"), At: in.time(),
	}); err != nil {
		t.Fatal(err)
	}
	again := func(l bot.Line) bool { return l.Question != "" && l.Question != first.Question && len(l.Choices) > 0 }
	ls = in.lines(room("general", "stop"), "a new card", func(ls []bot.Line) bool { return slices.ContainsFunc(ls, again) })
	in.press(ls[slices.IndexFunc(ls, again)], demoLead, run.Once)
	in.sees(room("sales", ""), "October 2026")
}
