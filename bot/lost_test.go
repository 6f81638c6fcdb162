package bot_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/bot/bottest"
	"hermes/scheduler"
)

// A town is a platform in which some channels take nothing.
type town struct {
	*bottest.Platform
	mu   sync.Mutex
	shut map[string]error // by channel
}

func (w *town) shuts(channel string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shut == nil {
		w.shut = map[string]error{}
	}
	w.shut[channel] = err
}

func (w *town) Post(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	w.mu.Lock()
	err := w.shut[p.Place.Channel]
	w.mu.Unlock()
	if err != nil {
		return bot.Receipt{}, err
	}
	return w.Platform.Post(ctx, p)
}

func (w *town) Alone(person string) bot.Place {
	return bot.Place{Platform: "slack", Workspace: "T1", Channel: bot.UserOf(person)}
}

func (w *town) PlaceName(_ context.Context, p bot.Place) string { return "#" + p.Channel }

func (w *town) NameOf(person string) string { return "<@" + bot.UserOf(person) + ">" }

// inTown starts a bot there.
func inTown(t *testing.T, s setup) (*rig, *town) {
	w := &town{}
	s.poster = func(p bot.Poster) bot.Poster { w.Platform = p.(*bottest.Platform); return w }
	return start(t, s), w
}

var anaAlone = bot.Place{Platform: "slack", Workspace: "T1", Channel: "ana"}

// O8: an answer that its place finally refuses comes to who asked, alone and once, in
// their language: what it answers, where it is not and why, all that it says, and the
// trace.
func TestO8AnAnswerThatIsRefusedComesToWhoAsked(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		text string
		want string
	}{
		"archived":            {bot.ErrArchived, "export the list", "My answer to [“export the list”](https://chat/m1) could not be posted in #C1: it is archived. Here it is:\n\ndone with m1"},
		"not found":           {bot.ErrVanished, "export the list", "My answer to [“export the list”](https://chat/m1) could not be posted in #C1: it does not exist any more, or I cannot see it. Here it is:\n\ndone with m1"},
		"not a member":        {bot.ErrOutside, "export the list", "My answer to [“export the list”](https://chat/m1) could not be posted in #C1: I am not a member there. Here it is:\n\ndone with m1"},
		"restricted":          {bot.ErrRestricted, "export the list", "My answer to [“export the list”](https://chat/m1) could not be posted in #C1: posting there is restricted. Here it is:\n\ndone with m1"},
		"refused":             {bot.ErrRefused, "export the list", "My answer to [“export the list”](https://chat/m1) could not be posted in #C1: I may not post there, or what was approved has changed. Here it is:\n\ndone with m1"},
		"broken for long":     {fmt.Errorf("no idea"), "export the list", "My answer to [“export the list”](https://chat/m1) could not be posted in #C1: the place did not take it. Here it is:\n\ndone with m1"},
		"nobody knows":        {bot.ErrUnknown, "export the list", "Nobody knows whether my answer to [“export the list”](https://chat/m1) has arrived in #C1. Here it is once more:\n\ndone with m1"},
		"archived, Chinese":   {bot.ErrArchived, "导出数据", "我对[“导出数据”](https://chat/m1)的回答没能发到 #C1：那里已归档。内容如下：\n\ndone with m1"},
		"not found, Chinese":  {bot.ErrVanished, "导出数据", "我对[“导出数据”](https://chat/m1)的回答没能发到 #C1：那里已不存在，或者我看不到。内容如下：\n\ndone with m1"},
		"outside, Chinese":    {bot.ErrOutside, "导出数据", "我对[“导出数据”](https://chat/m1)的回答没能发到 #C1：我不在那里。内容如下：\n\ndone with m1"},
		"restricted, Chinese": {bot.ErrRestricted, "导出数据", "我对[“导出数据”](https://chat/m1)的回答没能发到 #C1：那里限制发言。内容如下：\n\ndone with m1"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, w := inTown(t, setup{})
				w.shuts("C1", tt.err)
				r.receive(bot.Message{Key: "m1", Place: here, From: ana, Name: "Ana", Text: tt.text, Addressed: true, At: time.Now(), Link: "https://chat/m1"})
				pass(3 * time.Hour)
				if d := cmp.Diff([]string{tt.want}, r.said(anaAlone)); d != "" {
					t.Errorf("said alone (-want +got):\n%s", d)
				}
				if p := r.shows("m1/end/lost"); !strings.Contains(p.Footer, run.TraceOf("m1")) || p.Only != "" {
					t.Errorf("footer %q, only %q", p.Footer, p.Only)
				}
				if n := len(r.chat.Posts()); n != 1 {
					t.Errorf("%d posts, want one", n)
				}
			})
		})
	}
}

// O8: what fails there as well is logged, and nothing goes round.
func TestO8WhatIsRefusedTwiceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := inTown(t, setup{})
		w.shuts("C1", bot.ErrArchived)
		w.shuts("ana", bot.ErrRefused)
		r.hear("m1", here, "export the list")
		pass(time.Hour)
		if posts, left := r.chat.Posts(), r.out.Waiting(); len(posts) != 0 || len(left) != 0 {
			t.Errorf("posts %+v, left %q", posts, left)
		}
		r.heard.mu.Lock()
		defer r.heard.mu.Unlock()
		if log := r.heard.text.String(); !strings.Contains(log, `level=ERROR msg="post failed" post=m1/end/lost`) {
			t.Error("the log does not say that it failed there as well")
		}
	})
}

// O8: the answer of a schedule comes to its owner; a report beside it, and its files,
// come with it.
func TestO8TheOwnerOfAScheduleHearsOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := "job/j1@2026-01-01"
		r, w := inTown(t, setup{says: map[string][]llm.Reply{key: {says("", call("make_report", `{}`)), says("ready")}}})
		w.shuts("C1", bot.ErrArchived)
		job := scheduler.Job{ID: "j1", Owner: lee, Origin: here.String(), Request: "sales by region", Lang: "en"}
		if err := r.bot.Fire(t.Context(), scheduler.Firing{Key: key, Job: job, Slot: scheduler.Slot{Zone: "UTC"}}); err != nil {
			t.Fatal(err)
		}
		pass(time.Hour)
		leeAlone := bot.Place{Platform: "slack", Workspace: "T1", Channel: "lee"}
		got := r.said(leeAlone)
		if len(got) != 3 || !strings.HasPrefix(got[0], "My answer to “sales by region” could not be posted in #C1: it is archived. Here it is:\n\nready") || !strings.Contains(got[0], "# Sales") {
			t.Errorf("said to the owner %q, want the answer with its report, and two files", got)
		}
	})
}

// C19: where not even the owner of a schedule can be told, the admins are, on their own
// lane, without what it says.
func TestC19WhereTheOwnerCannotBeToldAnAdminIs(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "What the schedule `j1` has made came to nobody", "zh": "日程 `j1` 的结果没有人收到",
	} {
		synctest.Test(t, func(t *testing.T) {
			r, w := inTown(t, setup{cfg: bot.Config{Approvers: []string{lee, ana, "web:demo:lead"}}})
			w.shuts("C1", bot.ErrArchived)
			w.shuts("ana", bot.ErrRefused)
			job := scheduler.Job{ID: "j1", Owner: ana, Origin: here.String(), Request: "export the list", Lang: lang}
			if err := r.bot.Fire(t.Context(), scheduler.Firing{Key: "job/j1@2026-01-01@UTC", Job: job, Slot: scheduler.Slot{Zone: "UTC"}}); err != nil {
				t.Fatal(err)
			}
			pass(time.Hour)
			leeAlone := bot.Place{Platform: "slack", Workspace: "T1", Channel: "lee"}
			if got := r.said(leeAlone); len(got) != 1 || !strings.HasPrefix(got[0], want) || strings.Contains(got[0], "done with") {
				t.Errorf("said to an admin %q, want %q", got, want)
			}
			if posts, left := r.chat.Posts(), r.out.Waiting(); len(posts) != 1 || len(left) != 0 {
				t.Errorf("posts %+v, left %q", posts, left)
			}
		})
	}
}

// O8: a card that its place refuses is asked where who asked for it sees it; pressed
// there it counts, and that copy says so.
func TestO8ACardThatIsRefusedIsAskedAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := inTown(t, setup{says: map[string][]llm.Reply{"m1": {says("", call("schedule_change", `{}`)), says("ready")}}})
		w.shuts("C1", bot.ErrOutside)
		r.hear("m1", here, "pause it")
		pass(time.Minute) // what is refused for good may stand behind what is looked for once more
		card := r.shows("m1/q1/lost")
		if card.Place != anaAlone || len(card.Choices) == 0 || card.Question != "m1/q1" ||
			!strings.HasPrefix(card.Text, "Something waits for a decision before I go on with “pause it”, and I could not ask in #C1: I am not a member there. I ask here instead:\n\n**May I do this?**") {
			t.Fatalf("card = %+v", card)
		}
		r.press(anaAlone, ana, "m1/q1", run.Yes)
		pass(time.Minute)
		if card = r.shows("m1/q1/lost"); len(card.Choices) != 0 || !strings.Contains(card.Text, "Approved by Ana") {
			t.Errorf("settled card = %+v", card)
		}
		if got := r.shows("m1/end/lost").Text; !strings.Contains(got, "ready") {
			t.Errorf("answer = %q", got)
		}
	})
}

// O8: what only one person should see where they cannot see it any more comes to them
// alone: no press is silent.
func TestO8AWhisperThatIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := inTown(t, setup{})
		r.hear("m1", here, "export the list")
		w.shuts("C1", bot.ErrArchived)
		r.click(bot.Click{Place: here, From: ana, Rates: "m1", Good: true})
		if got := r.said(anaAlone); len(got) != 1 || !strings.Contains(got[0], "Thank you. I have kept that this helped.") {
			t.Errorf("said alone %q", got)
		}
	})
}
