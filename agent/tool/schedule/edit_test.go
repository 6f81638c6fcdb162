package schedule_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	"hermes/agent/tool/schedule"
	"hermes/scheduler"
)

// editor is a bench that has Edit too, as the program has.
func editor(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	parts := schedule.Parts{
		Book: b.book, Artifacts: shelf{}, Find: find,
		Admin: func(p string) bool { return p == lee },
		Now:   func() time.Time { return b.now },
	}
	set, err := tool.NewSet(append(schedule.New(parts), schedule.Edit(parts))...)
	if err != nil {
		t.Fatal(err)
	}
	b.set = set
	return b
}

// SLK-04: an edit is one card that says what was and what will be; the job keeps its id,
// owner and home, and what was due by its old times stays undone.
func TestSLK04AnEditSaysWhatWasAndWhatWillBe(t *testing.T) {
	b := editor(t)
	id := b.add("k/1", ana, home, `{"when":"0 9 * * 1","request":"count orders"}`)
	before := b.job(id)
	b.now = b.now.AddDate(0, 0, 3)
	c := b.call(`{"job":"`+id+`","when":"every month on the 1st at 9:00","request":"count orders by region","channel":"#sales"}`, "en")
	p := b.plan(schedule.EditName, c)
	want := []string{
		"Change the schedule **" + id + "**: “count orders”, which has been every Monday at 09:00 (Asia/Shanghai)",
		"Do it again **every month on the 1st at 09:00** (Asia/Shanghai): next on Tue 1 Dec 2026 09:00, Fri 1 Jan 2027 09:00, Mon 1 Feb 2027 09:00, Mon 1 Mar 2027 09:00, Thu 1 Apr 2027 09:00",
		"Each time: “count orders by region”, posted to **#sales**",
	}
	if d := cmp.Diff(want, p.Lines); d != "" {
		t.Errorf("card (-want +got):\n%s", d)
	}
	diff := []tool.Diff{
		{What: "When", Was: "every Monday at 09:00 (Asia/Shanghai)", Is: "every month on the 1st at 09:00 (Asia/Shanghai)"},
		{What: "Request", Was: "count orders", Is: "count orders by region"}, {What: "Channel", Is: "#sales"},
	}
	if d := cmp.Diff(diff, p.Diff); d != "" {
		t.Errorf("before and after (-want +got):\n%s", d)
	}
	if p.Own || p.Job != id || p.GrantControl != "" {
		t.Errorf("plan = %+v: what goes to a channel is not the asker's own, and nothing is granted", p)
	}
	if d := cmp.Diff(before, b.job(id)); d != "" {
		t.Errorf("a plan has changed it (-want +got):\n%s", d)
	}
	b.do(schedule.EditName, c, p)
	after := before
	after.Name, after.Request, after.Spec, after.To, after.ToName = "count orders by region", "count orders by region", "0 9 1 * *", "slack/T/C1/", "#sales"
	after.Since, after.Version = b.now, before.Version+1
	if d := cmp.Diff(after, b.job(id)); d != "" {
		t.Errorf("job (-want +got):\n%s", d)
	}
}

// A name that somebody gave stays; one that was made of the request goes with it. One
// that has ended begins again with new times, and one that is paused stays so.
func TestAnEditKeepsWhatItIsNotAbout(t *testing.T) {
	for state, want := range map[scheduler.State]scheduler.State{
		scheduler.Active: scheduler.Active, scheduler.Paused: scheduler.Paused, scheduler.Ended: scheduler.Active,
	} {
		b := editor(t)
		id := b.add("k/1", ana, home, `{"when":"0 9 * * 1","request":"count orders","name":"Orders"}`)
		j := b.job(id)
		j.State = state
		if _, err := b.book.Update(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		c := b.call(`{"job":"`+id+`","when":"0 9 * * 2","request":"count all orders"}`, "zh")
		p := b.plan(schedule.EditName, c)
		if !p.Own || len(p.Lines) != 3 || !strings.HasPrefix(p.Lines[0], "修改定时任务 **"+id+"**：“Orders”，原来是") {
			t.Errorf("plan = %+v", p)
		}
		b.do(schedule.EditName, c, p)
		if j := b.job(id); j.State != want || j.Name != "Orders" || j.Request != "count all orders" {
			t.Errorf("of one that was %s: %+v", state, j)
		}
	}
}

// Nobody changes what is somebody else's, nor hears whether it is there; an admin may.
func TestOnlyTheOwnerOrAnAdminEdits(t *testing.T) {
	b := editor(t)
	id := b.add("k/1", gus, home, `{"when":"0 9 * * 1","request":"count orders"}`)
	args := `{"job":"` + id + `","when":"0 9 * * 2","request":"x"}`
	theirs := b.plan(schedule.EditName, b.call(args, "en")).Fault
	none := b.plan(schedule.EditName, b.call(strings.Replace(args, id, "j00000000", 1), "en")).Fault
	if theirs == "" || strings.Replace(theirs, id, "j00000000", 1) != none {
		t.Errorf("another's: %q; none: %q; want the same words", theirs, none)
	}
	admin := b.call(args, "en")
	admin.Asker = lee
	if p := b.plan(schedule.EditName, admin); p.Fault != "" {
		t.Errorf("an admin's edit = %q", p.Fault)
	}
	b.do(schedule.EditName, admin, b.plan(schedule.EditName, admin))
	if j := b.job(id); j.Owner != gus || j.Spec != "0 9 * * 2" {
		t.Errorf("job = %+v, want gus's on Tuesdays", j)
	}
	for args, want := range map[string]string{
		`{"job":"` + id + `","when":"0 9 1 * *","request":" "}`:                    "request is empty",
		`{"job":"` + id + `","when":"soon","request":"x"}`:                         "names no time",
		`{"job":"` + id + `","when":"0 9 1 * *","request":"x","channel":"#later"}`: `there is no channel "#later"`,
	} {
		c := b.call(args, "en")
		c.Asker = gus
		if p := b.plan(schedule.EditName, c); !strings.Contains(p.Fault, want) {
			t.Errorf("plan of %s = %+v, want the fault %q", args, p, want)
		}
	}
}
