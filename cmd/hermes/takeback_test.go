package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/config"
)

// atOnce has each line be a turn of its own, though the clock of the test stands.
func atOnce(c *config.Config) { c.Agent.Gather = 0 }

// sayAs has somebody say something in a thread of #general.
func (in *inside) sayAs(who, thread, text string, files ...bot.Attachment) string {
	in.t.Helper()
	in.said++
	in.clock.Add(int64(time.Second))
	key := fmt.Sprintf("web/demo/general/%s-%d", thread, in.said)
	for i, f := range files {
		kept, err := in.db.Artifacts().Keep(in.t.Context(), key, i+1, f, []byte(f.URL))
		if err != nil {
			in.t.Fatal(err)
		}
		kept.URL = ""
		files[i] = kept
	}
	err := in.bot.Receive(in.t.Context(), bot.Message{
		Key: key, Place: room("general", thread), From: who, Name: bot.UserOf(who), Text: text, Addressed: true, At: in.time(), Zone: berlin, Files: files,
	})
	if err != nil {
		in.t.Fatal(err)
	}
	return key
}

// gone waits until a line of a place is taken back.
func (in *inside) gone(p bot.Place, key string) {
	in.t.Helper()
	in.lines(p, key+" taken back", func(ls []bot.Line) bool {
		return slices.ContainsFunc(ls, func(l bot.Line) bool { return l.Key == key && l.Gone && l.Text == "" && len(l.Files) == 0 })
	})
}

// Issue 4: "take that back" takes back the bot's last answer here after a press of who
// asked; nobody else can have it taken back but an admin, and what was taken back is
// no turn of the conversation any more.
func TestTakeThatBack(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	in.sayAs(demoLead, "t0", "sales last month by region")
	in.sees(room("general", "t0"), "Asia")
	in.say("t0", "take that back")
	in.sees(room("general", "t0"), "somebody else asked")

	thread := room("general", "t1")
	in.say("t1", "sales last month by region")
	answer := in.sees(thread, "Asia")
	own, ok, err := in.db.Journal().OwnOf(t.Context(), answer.Key)
	if err != nil || !ok || own.Link == "" {
		t.Fatalf("own post = %+v, %t, %v", own, ok, err)
	}
	in.sayAs(anaInDemo, "t1", "take back the post http://127.0.0.1:8484"+own.Link)
	card := in.card("t1")
	if !strings.Contains(card.Text, "Take back my post here") {
		t.Errorf("the card says %q", card.Text)
	}
	in.press(card, anaInDemo, "approve")
	in.gone(thread, answer.Key)
	in.sees(thread, "I have asked for my post to be taken back")
	turns, err := in.db.Runs().Turns(t.Context(), thread.String(), in.time().Add(time.Hour), 50)
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range turns {
		if strings.Contains(turn.Text, "| Asia") {
			t.Errorf("what was taken back is still a turn: %q", turn.Text)
		}
	}
}

// Issue 4: in the thread of the one that posted a report elsewhere "take that back"
// means the report; its files go with it, and an answer can be corrected in its place.
func TestTakeBackWhatWasPostedElsewhere(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	in.say("t2", "summarise last month's sales by region and post it to #sales")
	in.press(in.card("t2"), demoLead, "approve")
	report := in.sees(room("sales", ""), "Asia")
	in.sees(room("general", "t2"), "#sales")
	in.say("t2", "take that back")
	card := in.card("t2")
	if !strings.Contains(card.Text, "**#sales**") {
		t.Errorf("the card says %q, want the report in #sales", card.Text)
	}
	in.press(card, anaInDemo, "approve")
	in.gone(room("sales", ""), report.Key)
	for _, l := range in.lines(room("sales", ""), "no file left", func([]bot.Line) bool { return true }) {
		if l.File != nil {
			t.Errorf("a file of it is still there: %+v", l)
		}
	}
	in.say("t3", "orders last month by region")
	old := in.sees(room("general", "t3"), "Asia")
	in.say("t3", "correct that: ask the finance team")
	in.press(in.card("t3"), anaInDemo, "approve")
	in.lines(room("general", "t3"), "the correction", func(ls []bot.Line) bool {
		return slices.ContainsFunc(ls, func(l bot.Line) bool { return l.Key == old.Key && l.Text == "ask the finance team" })
	})
}

// Issue 4: as a new message "take that back" means the last post in the channel, for who
// asked for it and for an admin, or what was last asked for in another thread there.
func TestTakeThatBackAsANewMessage(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	in.say("t4", "summarise last month's sales by region and post it to #sales")
	in.press(in.card("t4"), demoLead, "approve")
	in.sees(room("sales", ""), "Asia")
	in.sees(room("general", "t4"), "#sales")
	for thread, said := range map[string]string{"t5": "take that back", "t6": "撤回", "t7": "收回刚才那条"} {
		in.say(thread, said)
		if card := in.card(thread); !strings.Contains(card.Text, "**#sales**") {
			t.Errorf("%s: the card says %q, want the report in #sales", said, card.Text)
		}
	}
	in.sayAs(demoLead, "t8", "take that back")
	in.sees(room("general", "t8"), "no post of mine")
}

// Issue 4: a file is read in the console, answered by rule in both languages, asked
// about later, and its rows are made a report of.
func TestAFileInTheConsole(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	csv := bot.Attachment{Name: "plan.csv", Mime: "text/csv", URL: "city,visitors\nParis,1200\nRome,800\n"}
	en, zh := room("general", "f1"), room("general", "f2")
	in.sayAs(anaInDemo, "f1", "what's in this file?", csv)
	in.sees(en, "visitors: sum 2,000, mean 1,000.00, from 800 to 1,200")
	in.sayAs(anaInDemo, "f1", "make a report of the file")
	in.sees(en, "Rome")
	in.sayAs(anaInDemo, "f2", "总结一下这个文件", bot.Attachment{Name: "笔记.md", URL: "# 计划\n\n第一句。第二句。第三句。\n"})
	in.sees(zh, "开头是：“第一句。第二句。”")
	in.sayAs(anaInDemo, "f2", "看看这个附件", bot.Attachment{Name: "x.bin", URL: "\x7fELF\x00\x01\x02\x03"})
	in.sees(zh, "它都不是")
	if ls := in.lines(en, "the file beside the message", func([]bot.Line) bool { return true }); len(ls) == 0 || len(ls[0].Files) != 1 || ls[0].Files[0].Name != "plan.csv" {
		t.Errorf("the message shows %+v", ls)
	}
}
