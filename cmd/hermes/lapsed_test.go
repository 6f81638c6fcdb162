package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/fakeslack"
	"hermes/scheduler"
)

// SLK-06, Issue 6: a schedule whose owner is known to the console no more is paused at its
// next time, its slot says why, the admin is told once, and it goes on once an admin has
// given it to somebody else. Both languages.
func TestAScheduleWhoseOwnerIsGoneIsPaused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ lang, ask, told, resume, stays, hand, handed string }{
		{"en", "sales by region last month", "is paused: its owner", "resume schedule j1a2b3c4d", "cannot be resumed: its owner", "hand schedule %s to @ana", "belongs to @ana now"},
		{"zh", "上个月各地区的销售额", "已暂停：它的所有者", "恢复定时任务 j1a2b3c4d", "不能恢复：它的所有者", "把定时任务 %s 交给 @ana", "已交给 @ana"},
	} {
		t.Run(tt.lang, func(t *testing.T) {
			t.Parallel()
			in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
			j := scheduler.Job{
				ID: "j1a2b3c4d", Name: "sales", Spec: "0 9 1 * *", Zone: berlin, Request: tt.ask, Origin: room("general", "t1").String(),
				Owner: "web:demo:former", Lang: tt.lang, State: scheduler.Active, Created: in.time(), Since: in.time(),
			}
			if err := in.db.Jobs().Add(t.Context(), j); err != nil {
				t.Fatal(err)
			}
			in.set(time.Date(2026, 12, 1, 8, 0, 20, 0, time.UTC))
			for range 2 {
				if _, err := in.scheduler.Look(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			in.slots(j.ID, scheduler.Blocked)
			if got := in.job(); got.State != scheduler.Paused {
				t.Fatalf("the schedule is %s, want paused", got.State)
			}
			alone := room("dm-lead", "")
			ls := in.linesOf(demoLead, alone, tt.told, func(ls []bot.Line) bool { return len(ls) > 0 })
			if len(ls) != 1 || !strings.Contains(ls[0].Text, tt.told) || !strings.Contains(ls[0].Text, j.ID) {
				t.Errorf("the admin is told %+v, want once that %s %s", ls, j.ID, tt.told)
			}
			// It cannot be resumed as it is, in chat or by the command, and each says what to do.
			if _, err := opScheduleSet.do(t.Context(), in.hermes, []byte(`{"ID":"j1a2b3c4d","To":"active"}`)); err == nil || !strings.Contains(err.Error(), "--owner") {
				t.Errorf("resume by the command = %v, want a refusal that says what to do", err)
			}
			in.asLead("h0", tt.resume)
			in.sees(room("general", "h0"), tt.stays)
			if got := in.job(); got.State != scheduler.Paused {
				t.Fatalf("the schedule is %s, want paused still", got.State)
			}
			in.asLead("h1", strings.Replace(tt.hand, "%s", j.ID, 1))
			in.press(in.card("h1"), demoLead, run.Yes)
			in.sees(room("general", "h1"), tt.handed)
			if got := in.job(); got.State != scheduler.Active || got.Owner != anaInDemo {
				t.Fatalf("the schedule is %s and owned by %s, want active and ana's", got.State, got.Owner)
			}
			in.set(time.Date(2027, 1, 1, 8, 0, 20, 0, time.UTC))
			if _, err := in.scheduler.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
			in.slots(j.ID, scheduler.Ran, scheduler.Blocked)
		})
	}
}

// asLead has the sales lead say something in a thread of #general.
func (in *inside) asLead(thread, text string) {
	in.t.Helper()
	in.said++
	in.clock.Add(int64(time.Second))
	err := in.bot.Receive(in.t.Context(), bot.Message{
		Key: fmt.Sprintf("web/demo/general/%s-%d", thread, in.said), Place: room("general", thread),
		From: demoLead, Name: "Lee", Text: text, Addressed: true, At: in.time(), Zone: berlin,
	})
	if err != nil {
		in.t.Fatal(err)
	}
}

// In Slack it is paused as soon as its owner or who had allowed what it posts is
// deactivated; what these allowed ends, and `hermes schedule set --owner` has it go on.
func TestWhoIsDeactivatedInSlackHasNoSchedules(t *testing.T) {
	t.Parallel()
	for who, told := range map[string]string{"ana": "is paused: its owner", "leo": "who had allowed what it posts"} {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, fakeslack.Options{})
			root := o.says("ana", "general", "@hermes post last month's sales by region to #sales every month on the 1st at 9:00")
			card := o.card(root)
			o.press("leo", card, card.Buttons()[0].Label)
			job := jobIDs.FindString(o.answer(root, "Scheduled as").Shown())
			o.fake.ChangeUser(who, func(u *fakeslack.User) { u.Deleted = true })
			o.message("who it is for to be told", func(m fakeslack.Message) bool {
				return strings.Contains(m.Shown(), told) && strings.Contains(m.Shown(), job)
			})
			o.until("the schedule to be paused", func() bool { return strings.Contains(o.command("schedule", "list"), job+"  paused") })
			show := o.command("schedule", "show", job)
			if granted := strings.Contains(show, "grant "); granted == (who == "leo") {
				t.Errorf("a grant stands: %v, when %s is gone:\n%s", granted, who, show)
			}
			out := o.command("schedule", "set", job, "--owner", "slack:T0FAKE001:U0GUS0001")
			if !strings.Contains(out, "is active and owned by slack:T0FAKE001:U0GUS0001") {
				t.Errorf("schedule set --owner: %s", out)
			}
			if show := o.command("schedule", "show", job); strings.Contains(show, "grant ") {
				t.Errorf("what was allowed for its owner of before still is:\n%s", show)
			}
		})
	}
}

var jobIDs = regexp.MustCompile(`\bj[0-9a-f]{8}\b`)
