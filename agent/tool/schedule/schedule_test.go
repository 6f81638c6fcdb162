package schedule_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	"hermes/agent/tool/post"
	"hermes/agent/tool/schedule"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
	"hermes/scheduler/schedulertest"
)

const (
	ana  = "slack:T:ana"
	gus  = "slack:T:gus"
	lee  = "slack:T:lee" // an admin
	home = "slack/T/C0/1.0"
)

// A bench has the tools on a book in memory.
type bench struct {
	t    *testing.T
	book *schedulertest.Store
	now  time.Time
	set  *tool.Set
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchWith(t, nil)
}

func newBenchWith(t *testing.T, off func(time.Time) (*calendar.Holidays, error)) *bench {
	t.Helper()
	b := &bench{t: t, book: &schedulertest.Store{}, now: time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)}
	var err error
	b.set, err = tool.NewSet(schedule.New(schedule.Parts{
		Book: b.book, Artifacts: shelf{}, Find: find,
		Admin: func(p string) bool { return p == lee },
		Now:   func() time.Time { return b.now }, DaysOff: off,
	})...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

type shelf struct{}

func (shelf) Put(context.Context, tool.Artifact) (tool.Artifact, error) {
	return tool.Artifact{}, errors.New("nothing is put here")
}

func (shelf) Artifact(_ context.Context, id string) (tool.Artifact, error) {
	switch id {
	case "a1":
		return tool.Artifact{ID: "a1", Kind: tool.Report, Run: "k", Recipe: "r1"}, nil
	case "a7":
		return tool.Artifact{ID: "a7", Kind: tool.Report, Run: "k", Recipe: "r1", Meta: []byte(`{"words":true}`)}, nil
	case "a2":
		return tool.Artifact{ID: "a2", Kind: tool.Report, Run: "other", Recipe: "r1"}, nil
	case "a3":
		return tool.Artifact{ID: "a3", Kind: tool.Table, Run: "k"}, nil
	}
	return tool.Artifact{}, tool.ErrNoArtifact
}

func find(_ context.Context, _, name string) (post.Target, error) {
	switch name {
	case "#sales":
		return post.Target{Place: "slack/T/C1/", Name: "#sales", Member: true}, nil
	case "#finance":
		return post.Target{Place: "slack/T/C2/", Name: "#finance"}, nil
	}
	return post.Target{}, post.ErrNoChannel
}

func (b *bench) call(args, lang string) tool.Call {
	return tool.Call{
		ID: "k/s1c1", Args: json.RawMessage(args), Run: "k", Asker: ana, Home: home, Lang: lang,
		Now: b.now, Zone: "Asia/Shanghai",
	}
}

const changeTool = "schedule_change"

// change is a call that does something to the job of those words.
func (b *bench) change(action, job string) tool.Call {
	return b.call(fmt.Sprintf(`{"action":%q,"job":%q}`, action, job), "en")
}

func (b *bench) plan(name string, c tool.Call) tool.Plan {
	b.t.Helper()
	p, err := b.set.Lookup(name).(tool.Planner).Plan(b.t.Context(), c)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

// do runs what a plan resolves to, as after an approval.
func (b *bench) do(name string, c tool.Call, p tool.Plan) tool.Result {
	b.t.Helper()
	if p.Fault != "" {
		b.t.Fatalf("%s: %s", name, p.Fault)
	}
	c.Args = p.Args
	res, err := b.set.Lookup(name).Run(b.t.Context(), c)
	if err != nil {
		b.t.Fatal(err)
	}
	if notes, err := tool.CheckOutput(b.set.Lookup(name), res); err != nil || len(notes) > 0 {
		b.t.Errorf("%s returns what it does not promise: %v, notes %v", name, err, notes)
	}
	return res
}

// add plans and adds a job of somebody.
func (b *bench) add(id, owner, origin, args string) string {
	b.t.Helper()
	c := b.call(args, "en")
	c.ID, c.Asker, c.Home = id, owner, origin
	p := b.plan("schedule_add", c)
	b.do("schedule_add", c, p)
	return p.Job
}

func (b *bench) job(id string) scheduler.Job {
	b.t.Helper()
	j, err := b.book.Job(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return j
}

const monthly = `{"when":"0 9 1 * *","request":"summarise sales","channel":"#sales","report":"a1","name":"Sales"}`

// A15, A17: a plan says when, in which zone, the next times, what and where, in the
// asker's language, and proposes the grant that the posts will need: a year of them.
func TestAPlanSaysWhenWhatAndWhere(t *testing.T) {
	s, err := calendar.Parse("0 9 1 * *")
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]tool.Plan{
		"en": {Cadence: "monthly", Lines: []string{
			"Do it again **" + phrase.Say(s, "en") + "** (Asia/Shanghai): next on Tue 1 Dec 2026 09:00, Fri 1 Jan 2027 09:00, Mon 1 Feb 2027 09:00, Mon 1 Mar 2027 09:00, Thu 1 Apr 2027 09:00",
			"Each time: “summarise sales”, posted to **#sales**", "If allowed for later too, this covers the next 12 posts, through 1 Nov 2027; people are told before it ends",
		}},
		"zh": {Cadence: "每月", Lines: []string{
			"按计划重复：**" + phrase.Say(s, "zh") + "**（Asia/Shanghai），接下来是 2026年12月1日（周二）09:00、2027年1月1日（周五）09:00、2027年2月1日（周一）09:00、2027年3月1日（周一）09:00、2027年4月1日（周四）09:00",
			"每次做“summarise sales”，发到 **#sales**", "如果允许按计划发送，则涵盖接下来的 12 次，最后一次是 2027年11月1日；结束前会提醒",
		}},
	} {
		b := newBench(t)
		got := b.plan("schedule_add", b.call(monthly, lang))
		want.Args = json.RawMessage(`{"job":"` + got.Job + `","name":"Sales","spec":"0 9 1 * *","zone":"Asia/Shanghai","request":"summarise sales",` +
			`"to":"slack/T/C1/","channel":"#sales","report":"a1","recipe":"r1"}`)
		want.To, want.ToName = "slack/T/C1/", "#sales"
		want.Job, want.GrantTool, want.GrantControl = got.Job, "post_message", "slack/T/C1/ r1"
		want.Until = time.Date(2027, 11, 2, 1, 0, 0, 0, time.UTC) // the day after the twelfth
		if d := cmp.Diff(want, got, cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })); d != "" {
			t.Errorf("plan (-want +got):\n%s", d)
		}
		if again := b.plan("schedule_add", b.call(monthly, lang)); again.Job != got.Job || string(again.Args) != string(got.Args) {
			t.Errorf("a second plan of one call differs: %s and %s", got.Args, again.Args)
		}
		if jobs, err := b.book.Jobs(t.Context()); err != nil || len(jobs) != 0 {
			t.Errorf("a plan has added %+v, %v", jobs, err)
		}
	}
}

// A grant given with a schedule ends after so many slots, or so many months.
// Issue 5 Who allows a schedule reads on its card that what a model has written in the
// report before them does not come each time, and what makes it come.
func TestACardSaysThatAModelsWordsAreLeftOut(t *testing.T) {
	for lang, want := range map[string]string{"en": "commentary are left out; to have commentary each time, first press “Save as report”", "zh": "不含模型自己写的标题和评述。如果每次都要评述，请您先点“存为报表”"} {
		for report, says := range map[string]bool{"a1": false, "a7": true} {
			b := newBench(t)
			p := b.plan("schedule_add", b.call(`{"when":"every month on the 1st at 9:00","request":"sales","channel":"#sales","report":"`+report+`"}`, lang))
			if p.Fault != "" || strings.Contains(strings.Join(p.Lines, "\n"), want) != says {
				t.Errorf("%s %s: %s %q", lang, report, p.Fault, p.Lines)
			}
			if p.GrantControl == "" {
				t.Errorf("%s %s: no grant is proposed", lang, report)
			}
		}
	}
}

func TestAGrantEndsWithAYear(t *testing.T) {
	b := newBench(t)
	for spec, want := range map[string]string{
		"0 9 1 * *":              "2027-11-02", // the day after the twelfth slot
		"0 9 * * *":              "2026-11-15",
		"0 9 1 1 *":              "2027-12-02", // thirteen months on, long before the twelfth
		"@once 2026-12-01T09:00": "2027-12-02",
	} {
		p := b.plan("schedule_add", b.call(strings.Replace(monthly, "0 9 1 * *", spec, 1), "en"))
		if got := p.Until.Format(time.DateOnly); got != want {
			t.Errorf("grant of %s ends on %s, want %s", spec, got, want)
		}
	}
}

// A17: without a report to be like, or without a channel, no grant is proposed.
func TestA17NoGrantIsProposedForWhatIsNotKnown(t *testing.T) {
	b := newBench(t)
	for name, args := range map[string]string{
		"no report":  `{"when":"0 9 1 * *","request":"x","channel":"#sales"}`,
		"no channel": `{"when":"0 9 1 * *","request":"x","report":"a1"}`,
		"neither":    `{"when":"0 9 1 * *","request":"x"}`,
	} {
		if p := b.plan("schedule_add", b.call(args, "en")); p.Fault != "" || p.GrantControl != "" || p.GrantTool != "" || !p.Until.IsZero() {
			t.Errorf("%s: plan = %+v, want no grant", name, p)
		}
	}
}

// C20: what cannot be planned is told to the model before anybody is asked.
func TestC20WhatCannotBePlannedIsToldBeforeAnybodyIsAsked(t *testing.T) {
	b := newBench(t)
	for args, want := range map[string]string{
		`{"when":"0 9 1 * *","request":" "}`:                      "request is empty",
		`{"when":"","request":"x"}`:                               "names no time",
		`{"when":"0 9 30 2 *","request":"x"}`:                     "0 9 30 2 *",
		`{"when":"TZ=UTC","request":"x"}`:                         "TZ=UTC",
		`{"when":"0 9 1 * *","request":"x","channel":"#nowhere"}`: `there is no channel "#nowhere"`,
		`{"when":"0 9 1 * *","request":"x","channel":"#finance"}`: "not a member of #finance",
		`{"when":"0 9 1 * *","request":"x","report":"a9"}`:        `"a9" is no report of this request`,
		`{"when":"0 9 1 * *","request":"x","report":"a2"}`:        `"a2" is no report of this request`,
		`{"when":"0 9 1 * *","request":"x","report":"a3"}`:        `"a3" is no report of this request`,
		`{"when":"0 9 1 * *","request":"x","owner":"lee"}`:        `unknown field "owner"`,
	} {
		if p := b.plan("schedule_add", b.call(args, "en")); !strings.Contains(p.Fault, want) || p.Args != nil {
			t.Errorf("plan of %s = %+v, want the fault %q", args, p, want)
		}
	}
	for channel, want := range map[string]string{"#nowhere": "没有我能看到的频道“#nowhere”", "#finance": "我不在 #finance 里"} {
		if p := b.plan("schedule_add", b.call(`{"when":"0 9 1 * *","request":"x","channel":"`+channel+`"}`, "zh")); !strings.Contains(p.Fault, want) {
			t.Errorf("plan for %s in Chinese = %+v, want the fault %q", channel, p, want)
		}
	}
}

// C15, C21: the job is what was approved: owner, origin and zone come from the call.
// The model hears its next five times. Run again it adds nothing.
func TestC21TheJobIsWhatWasApproved(t *testing.T) {
	b := newBench(t)
	c := b.call(monthly, "en")
	p := b.plan("schedule_add", c)
	res := b.do("schedule_add", c, p)
	want := scheduler.Job{
		ID: p.Job, Name: "Sales", Spec: "0 9 1 * *", Zone: "Asia/Shanghai", Request: "summarise sales", Origin: home, To: "slack/T/C1/",
		ToName: "#sales", Owner: ana, Lang: "en", State: scheduler.Active, Created: b.now, Since: b.now,
	}
	if d := cmp.Diff(want, b.job(p.Job)); d != "" {
		t.Errorf("job (-want +got):\n%s", d)
	}
	var said struct {
		Job, Zone, Channel, State string
		Next                      []string
	}
	if err := json.Unmarshal([]byte(res.Text), &said); err != nil {
		t.Fatal(err)
	}
	if said.Job != p.Job || said.Zone != "Asia/Shanghai" || said.Channel != "#sales" || len(said.Next) != 5 || said.Next[0] != "2026-12-01T09:00:00+08:00" {
		t.Errorf("said %s", res.Text)
	}
	b.do("schedule_add", c, p)
	if jobs, err := b.book.Jobs(t.Context()); err != nil || len(jobs) != 1 {
		t.Errorf("%d jobs, %v; want 1", len(jobs), err)
	}
}

// Words for a time are read in the asker's zone; the job keeps what they mean.
func TestWordsForATimeAreReadInTheAskersZone(t *testing.T) {
	b := newBench(t)
	for when, want := range map[string]string{
		"every month on the 1st at 9:00": "0 9 1 * *",
		"每个月1号早上9点":                      "0 9 1 * *",
	} {
		p := b.plan("schedule_add", b.call(fmt.Sprintf(`{"when":%q,"request":"x"}`, when), "en"))
		var args struct{ Spec, Zone, Name string }
		if err := json.Unmarshal(p.Args, &args); err != nil {
			t.Fatalf("%s: %s, %v", when, p.Fault, err)
		}
		if args.Spec != want || args.Zone != "Asia/Shanghai" || args.Name != "x" {
			t.Errorf("%s = %+v, want %s", when, args, want)
		}
	}
}

// Pause, resume and delete change the one job that words mean; what was due in a
// pause stays undone.
func TestWordsNameTheJobToChange(t *testing.T) {
	for words, want := range map[string]string{
		"the sales report":  "sales",
		"SALES":             "sales",
		"orders":            "orders",
		"订单":                "orders",
		"the weekly orders": "orders",
	} {
		t.Run(words, func(t *testing.T) {
			b := newBench(t)
			ids := map[string]string{
				"sales":  b.add("k/1", ana, home, monthly),
				"orders": b.add("k/2", ana, home, `{"when":"0 9 * * 1","request":"count orders 订单","name":"Orders"}`),
			}
			p := b.plan(changeTool, b.change("pause", words))
			if !strings.Contains(strings.Join(p.Lines, ""), ids[want]) {
				t.Fatalf("plan = %+v, want %s", p, ids[want])
			}
			if got := b.job(ids[want]).State; got != scheduler.Active {
				t.Errorf("a plan has made it %s", got)
			}
			b.do(changeTool, b.change("pause", words), p)
			if got := b.job(ids[want]).State; got != scheduler.Paused {
				t.Errorf("it is %s, want it paused", got)
			}
			b.now = b.now.AddDate(0, 3, 0)
			res := b.do(changeTool, b.change("resume", words), b.plan(changeTool, b.change("resume", words)))
			if j := b.job(ids[want]); j.State != scheduler.Active || !j.Since.Equal(b.now) {
				t.Errorf("it is %s since %s, want it active since now", j.State, j.Since)
			}
			if !strings.Contains(res.Text, `"next":["2027-0`) {
				t.Errorf("said %s, want its next times", res.Text)
			}
			b.do(changeTool, b.change("delete", words), b.plan(changeTool, b.change("delete", words)))
			if got := b.job(ids[want]).State; got != scheduler.Deleted {
				t.Errorf("it is %s, want it deleted", got)
			}
		})
	}
}

// What does not name one job, or not one's own, changes nothing and says why.
func TestWhatMayNotBeChangedIsSaid(t *testing.T) {
	b := newBench(t)
	none := b.plan(changeTool, b.change("pause", "it"))
	if !strings.Contains(none.Fault, "no schedules here") {
		t.Errorf("without any = %+v", none)
	}
	sales := b.add("k/1", ana, home, monthly)
	b.add("k/2", ana, home, `{"when":"0 9 * * 1","request":"count sales","name":"Sales weekly"}`)
	theirs := b.add("k/3", gus, "slack/T/C0/9.9", `{"when":"0 9 * * 1","request":"stock","name":"Stock"}`)
	hidden := b.add("k/4", gus, "slack/T/D9/", `{"when":"0 9 * * 1","request":"salaries","name":"Salaries"}`)
	for args, want := range map[string]string{
		`{"action":"pause","job":"the sales"}`:      "say its id", // the whole name would be one
		`{"action":"pause","job":"it"}`:             "say its id",
		`{"action":"pause","job":"j00000000"}`:      "say its id",
		`{"action":"pause","job":"` + theirs + `"}`: "belongs to somebody else",
		`{"action":"pause","job":"stock"}`:          "belongs to somebody else",
		`{"action":"pause","job":"salaries"}`:       "say its id",
		`{"action":"pause","name":"sales"}`:         "unknown field",
		`{"action":"retime","job":"` + sales + `"}`: "none of pause, resume and delete",
		`{"job":"` + sales + `"}`:                   "none of pause, resume and delete",
	} {
		p := b.plan(changeTool, b.call(args, "en"))
		if !strings.Contains(p.Fault, want) || p.Args != nil || strings.Contains(p.Fault, hidden) {
			t.Errorf("plan of %s = %+v, want the fault %q, and nothing of what the asker cannot see", args, p, want)
		}
	}
	if p := b.plan(changeTool, b.change("resume", sales)); !strings.Contains(p.Fault, "is active already") {
		t.Errorf("resume of an active one = %+v", p)
	}
	admin := b.call(`{"action":"delete","job":"`+theirs+`"}`, "zh")
	admin.Asker = lee
	if p := b.plan(changeTool, admin); p.Fault != "" || !strings.HasPrefix(p.Lines[0], "删除定时任务 **"+theirs+"**：“Stock”") {
		t.Errorf("an admin's plan = %+v", p)
	}
}

// A schedule that was deleted after the approval is not brought back by it.
func TestADeletedScheduleIsNotBroughtBack(t *testing.T) {
	b := newBench(t)
	id := b.add("k/1", ana, home, monthly)
	pause, end := b.change("pause", id), b.change("delete", id)
	p := b.plan(changeTool, pause)
	b.do(changeTool, end, b.plan(changeTool, end))
	if res := b.do(changeTool, pause, p); !res.Failed || b.job(id).State != scheduler.Deleted {
		t.Errorf("pause = %+v, and it is %s; want it to fail and stay deleted", res, b.job(id).State)
	}
}

// Runs of a version in which each action was a tool of its own go on: what was called
// by the old name, or approved under it, is done.
func TestTOOL26AnActionThatWasAToolOfItsOwnIsStillDone(t *testing.T) {
	for name, want := range map[string]scheduler.State{
		"schedule_pause": scheduler.Paused, "schedule_resume": scheduler.Active, "schedule_delete": scheduler.Deleted,
	} {
		b := newBench(t)
		id := b.add("k/1", ana, home, monthly)
		if name == "schedule_resume" {
			b.do(changeTool, b.change("pause", id), b.plan(changeTool, b.change("pause", id)))
		}
		old := b.set.Lookup(name)
		c := b.call(`{"job":"sales"}`, "en")
		checked := tool.Check(old.Spec(), c.Args, tool.CheckOptions{})
		if len(checked.Faults) > 0 {
			t.Fatalf("%s: %v", name, checked.Faults)
		}
		if p := b.plan(name, b.call(string(checked.Args), "en")); p.Fault != "" {
			t.Errorf("%s: plan = %+v", name, p)
		}
		// What was approved then says nothing of an action.
		b.do(name, c, tool.Plan{Args: json.RawMessage(`{"job":"` + id + `"}`)})
		if got := b.job(id).State; got != want {
			t.Errorf("%s: it is %s, want %s", name, got, want)
		}
	}
}

// TOOL-06 What later reports are like is called report, and artifact is understood.
func TestTOOL06AReportIsNoArtifact(t *testing.T) {
	s := newBench(t).set.Lookup("schedule_add").Spec()
	c := tool.Check(s, json.RawMessage(`{"when":"0 9 1 * *","request":"x","artifact":"a1"}`), tool.CheckOptions{})
	if want := `{"report":"a1","request":"x","when":"0 9 1 * *"}`; len(c.Faults) > 0 || string(c.Args) != want {
		t.Errorf("Check = %s, %v; want %s", c.Args, c.Faults, want)
	}
}

// The list has what the asker owns and what answers or posts here, with the owner of
// what is another's; nothing of other places.
func TestTheListHasWhatTheAskerMaySee(t *testing.T) {
	b := newBench(t)
	want := map[string]string{
		b.add("k/1", ana, "slack/T/D1/", monthly):                                    "",
		b.add("k/2", gus, "slack/T/C0/9.9", `{"when":"0 9 * * 1","request":"here"}`): gus,
	}
	b.add("k/3", gus, "slack/T/D9/", `{"when":"0 9 * * 1","request":"elsewhere"}`)
	toHere := scheduler.Job{ID: "j4", Spec: "0 9 * * 1", Zone: "UTC", Owner: gus, Origin: "slack/T/D9/", To: "slack/T/C0/", State: scheduler.Paused}
	if err := b.book.Add(t.Context(), toHere); err != nil {
		t.Fatal(err)
	}
	want["j4"] = gus
	res, err := b.set.Lookup("schedule_list").Run(t.Context(), b.call(`{}`, "en"))
	if err != nil {
		t.Fatal(err)
	}
	var said struct {
		Jobs []struct {
			Job, Owner, State string
			Next              []string
		}
	}
	if err := json.Unmarshal([]byte(res.Text), &said); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, j := range said.Jobs {
		got[j.Job] = j.Owner
		if n := len(j.Next); n != map[string]int{"active": 5, "paused": 0}[j.State] {
			t.Errorf("%s is %s with %d next times", j.Job, j.State, n)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("jobs and owners (-want +got):\n%s", d)
	}
}

// C30: a scheduled run makes no schedules. What changes one is a Keep.
func TestC30AScheduledRunMakesNoSchedules(t *testing.T) {
	b := newBench(t)
	for _, s := range b.set.Specs() {
		want := tool.Keep // killed while it runs, it runs again
		if s.Name == "schedule_list" {
			want = tool.Read
		}
		if s.Unattended || s.Effect != want {
			t.Errorf("%s: unattended %t, effect %v", s.Name, s.Unattended, s.Effect)
		}
	}
}

// A rhythm that has a name is called by it; another is said.
func TestARhythmIsCalledByItsName(t *testing.T) {
	for spec, want := range map[string][2]string{
		"0 9 * * *": {"daily", "每天"}, "0 9 * * 1": {"weekly", "每周"}, "0 9 1 * *": {"monthly", "每月"},
		"@quarterly": {"quarterly", "每季度"}, "0 9 1 1 *": {"yearly", "每年"},
	} {
		s, err := calendar.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]string{schedule.Cadence(s, "en"), schedule.Cadence(s, "zh")}; got != want {
			t.Errorf("%s is %v, want %v", spec, got, want)
		}
	}
	for _, spec := range []string{"@every 36h", "@once 2026-12-01T09:00"} {
		s, err := calendar.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		if got := schedule.Cadence(s, "en"); got != phrase.Say(s, "en") {
			t.Errorf("%s is %q, want what people say", spec, got)
		}
	}
}
