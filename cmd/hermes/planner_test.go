package main

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool/post"
	"hermes/bot"
	"hermes/internal/store"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
)

const (
	planAna = "slack:T1:U1"
	planGus = "slack:T1:U2"
	planLee = "slack:T1:U9" // an admin
)

// newPlanner is a planner with a store of its own, at noon of 2 November 2026 in UTC.
func newPlanner(t *testing.T) (planner, *store.DB) {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC) }
	db, err := store.Open(t.Context(), store.Config{DSN: filepath.Join(t.TempDir(), "p.db"), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	find := func(_ context.Context, home, name string) (post.Target, error) {
		if home != "slack/T1/U1/" {
			t.Errorf("a channel is looked for from %s", home)
		}
		switch name {
		case "C0SALES":
			return post.Target{Place: "slack/T1/C0SALES/", Name: "#sales", Member: true}, nil
		case "C0BOARD":
			return post.Target{Place: "slack/T1/C0BOARD/", Name: "#board"}, nil
		case "C0DOWN":
			return post.Target{}, errors.New("slack is away")
		}
		return post.Target{}, post.ErrNoChannel
	}
	return planner{
		jobs: db.Jobs(), inbox: db.Inbox(), find: find, zone: "Asia/Shanghai", now: now,
		admin: func(p string) bool { return p == planLee },
	}, db
}

// SLK-04: a form shows what it means in the words and on the clock of its reader.
func TestSLK04APreviewSaysWhenInOnesOwnZoneAndWords(t *testing.T) {
	p, _ := newPlanner(t)
	for name, tt := range map[string]struct {
		draft      bot.Draft
		when, zone string
		next       []string
	}{
		"English words": {
			bot.Draft{When: "every month on the 1st at 9:00", Zone: "Europe/Berlin", Lang: "en"},
			"every month on the 1st at 09:00", "Europe/Berlin",
			[]string{"2026-12-01T09:00:00+01:00", "2027-01-01T09:00:00+01:00", "2027-02-01T09:00:00+01:00", "2027-03-01T09:00:00+01:00", "2027-04-01T09:00:00+02:00"},
		},
		"Chinese words, and the zone of nobody": {
			bot.Draft{When: "每周一上午9点", Lang: "zh"}, "每周一 09:00", "Asia/Shanghai",
			[]string{"2026-11-09T09:00:00+08:00", "2026-11-16T09:00:00+08:00", "2026-11-23T09:00:00+08:00", "2026-11-30T09:00:00+08:00", "2026-12-07T09:00:00+08:00"},
		},
		"cron":     {bot.Draft{When: " 0 9 1 1 * ", Zone: "UTC", Lang: "en"}, "every year on the 1st of January at 09:00", "UTC", []string{"2027-01-01T09:00:00Z", "2028-01-01T09:00:00Z", "2029-01-01T09:00:00Z", "2030-01-01T09:00:00Z", "2031-01-01T09:00:00Z"}},
		"one time": {bot.Draft{When: "tomorrow at 8:30", Zone: "UTC", Lang: "en"}, "", "UTC", []string{"2026-11-03T08:30:00Z"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := p.Preview(t.Context(), planAna, tt.draft)
			if err != nil {
				t.Fatal(err)
			}
			var next []string
			for _, n := range got.Next {
				next = append(next, n.Format(time.RFC3339))
			}
			if d := cmp.Diff(tt.next, next); d != "" || got.Zone != tt.zone || tt.when != "" && got.When != tt.when || got.When == "" {
				t.Errorf("%q in %s, next (-want +got):\n%s", got.When, got.Zone, d)
			}
		})
	}
}

// A preview says which period the first time will be about, as the slot will have it: the
// one before, or what the request names; a reminder and a single time are about none.
func TestAPreviewSaysWhichPeriodTheFirstIsAbout(t *testing.T) {
	p, db := newPlanner(t)
	if err := db.Jobs().Add(t.Context(), scheduler.Job{
		ID: "j1", Name: "sales", Owner: planAna, Origin: "slack/T1/U1/", Spec: "0 9 1 * *", Zone: "UTC", Request: "sum up sales", About: scheduler.Current, State: scheduler.Active,
	}); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		draft bot.Draft
		want  string
	}{
		"a month":                 {bot.Draft{When: "every month on the 1st at 9:00", Zone: "UTC", Lang: "en"}, "November 2026"},
		"a month, in Chinese":     {bot.Draft{When: "每月1号上午9点", Zone: "UTC", Lang: "zh"}, "2026年11月"},
		"last month on its last":  {bot.Draft{What: "sum up last month", When: "every month on the last day at 9:00", Zone: "UTC", Lang: "en"}, "October 2026"},
		"上个月":                     {bot.Draft{What: "汇总上个月的销售额", When: "每月最后一天上午9点", Zone: "UTC", Lang: "zh"}, "2026年10月"},
		"a day":                   {bot.Draft{When: "every day at 9:00", Zone: "UTC", Lang: "en"}, "2 November 2026"},
		"a reminder":              {bot.Draft{What: "remind us of the meeting", When: "every day at 9:00", Zone: "UTC", Lang: "en"}, ""},
		"one time":                {bot.Draft{When: "tomorrow at 8:30", Zone: "UTC", Lang: "en"}, ""},
		"every hour":              {bot.Draft{When: "0 * * * *", Zone: "UTC", Lang: "en"}, ""},
		"the change of another":   {bot.Draft{Job: "j1", What: "sum up sales by region", When: "0 9 1 * *", Zone: "UTC", Lang: "en"}, "December 2026"},
		"the change of its times": {bot.Draft{Job: "j1", What: "sum up sales", When: "0 9 2 * *", Zone: "UTC", Lang: "en"}, "November 2026"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := p.Preview(t.Context(), planAna, tt.draft); err != nil || got.About != tt.want {
				t.Errorf("%+v, %v; want about %q", got, err, tt.want)
			}
		})
	}
}

// What chat would ask about, a form is told of at its field, in its language.
func TestWhatIsUnclearIsSaidAtItsField(t *testing.T) {
	p, _ := newPlanner(t)
	for name, tt := range map[string]struct {
		draft          bot.Draft
		field, en, zh  string
		plan, noLookup bool
	}{
		"no time":                {bot.Draft{}, bot.FieldWhen, "Say when", "请填写时间", true, false},
		"no time in it":          {bot.Draft{When: "the sales of Asia"}, bot.FieldWhen, "no time in this", "没有时间", true, false},
		"no day and no hour":     {bot.Draft{When: "every month"}, bot.FieldWhen, "On which day, and at what time?", "哪一天、几点？", true, false},
		"no hour":                {bot.Draft{When: "every Monday"}, bot.FieldWhen, "At what time?", "几点？", true, false},
		"a day that some lack":   {bot.Draft{When: "every month on the 31st at 9:00"}, bot.FieldWhen, "31", "31", true, false},
		"holidays":               {bot.Draft{When: "every day at 9:00 except holidays"}, bot.FieldWhen, "holidays", "假日", true, false},
		"what has passed":        {bot.Draft{When: "@once 2026-01-01T09:00"}, bot.FieldWhen, "passed", "过去", true, false},
		"no such zone":           {bot.Draft{When: "0 9 * * *", Zone: "Mars/Base"}, bot.FieldZone, "time zone", "时区", true, false},
		"the machine's zone":     {bot.Draft{When: "0 9 * * *", Zone: "Local"}, bot.FieldZone, "time zone", "时区", true, false},
		"no such channel":        {bot.Draft{When: "0 9 * * *", To: "C0NONE"}, bot.FieldTo, "do not see", "看不到", false, true},
		"a channel without us":   {bot.Draft{When: "0 9 * * *", To: "C0BOARD"}, bot.FieldTo, "not a member of #board", "不是 #board 的成员", false, true},
		"nothing to do":          {bot.Draft{When: "0 9 * * *", What: "  "}, bot.FieldWhat, "what to do", "要做什么", true, true},
		"a schedule of nobody's": {bot.Draft{When: "0 9 * * *", What: "x", Job: "j1"}, "", "", "", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			for lang, want := range map[string]string{"en": tt.en, "zh": tt.zh} {
				d := tt.draft
				d.Lang = lang
				check := func(how string, err error) {
					var no *bot.Invalid
					if tt.field == "" {
						if !errors.Is(err, bot.ErrNoSchedule) {
							t.Errorf("%s = %v, want ErrNoSchedule", how, err)
						}
						return
					}
					if !errors.As(err, &no) || no.Field != tt.field || !strings.Contains(no.Text, want) {
						t.Errorf("%s in %s = %v, want %q at %s", how, lang, err, want, tt.field)
					}
				}
				if tt.plan {
					check("Plan", p.Plan(t.Context(), "k", bot.Place{Platform: "slack", Workspace: "T1", Channel: "D1"}, planAna, d))
				}
				if !tt.plan || !tt.noLookup {
					_, err := p.Preview(t.Context(), planAna, d)
					check("Preview", err)
				}
			}
		})
	}
	if _, err := p.Preview(t.Context(), planAna, bot.Draft{When: "0 9 * * *", To: "C0DOWN"}); err == nil || errors.As(err, new(*bot.Invalid)) {
		t.Errorf("a channel that cannot be looked for = %v, want trouble and no fault of the form", err)
	}
}

// A form is one request however often it is sent, with the one call that it comes to
// and the words for its end; the model is not asked.
func TestAFormIsOneRequestWithItsCall(t *testing.T) {
	p, db := newPlanner(t)
	home := bot.Place{Platform: "slack", Workspace: "T1", Channel: "D1"}
	d := bot.Draft{What: " count orders ", When: "每月1号上午9点", Zone: "UTC", To: "C0SALES", Lang: "zh"}
	for range 2 {
		if err := p.Plan(t.Context(), "slack/T1/view/V1", home, planAna, d); err != nil {
			t.Fatal(err)
		}
	}
	it, err := db.Inbox().Next(t.Context(), bot.Talk)
	if err != nil {
		t.Fatal(err)
	}
	r := it.Request
	if r == nil || r.Ready == nil || len(r.Ready.Calls) != 1 {
		t.Fatalf("item = %+v", it)
	}
	var args map[string]string
	if err := json.Unmarshal(r.Ready.Calls[0].Args, &args); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"when": "0 9 1 * *", "request": "count orders", "channel": "C0SALES"}
	if diff := cmp.Diff(want, args); diff != "" || r.Ready.Calls[0].Name != "schedule_add" {
		t.Errorf("call of %s (-want +got):\n%s", r.Ready.Calls[0].Name, diff)
	}
	if it.Place != home || r.Asker != planAna || r.Home != home.String() || r.Zone != "UTC" || r.Lang != "zh" || !strings.HasSuffix(r.Text, "count orders") ||
		r.Ready.Words != "已安排：**每月1号 09:00**（UTC）。下一次：2026年12月1日（周二）09:00。" {
		t.Errorf("request = %+v, words %q", r, r.Ready.Words)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if it, err := db.Inbox().Next(ctx, bot.Talk); err == nil {
		t.Errorf("a second item: %+v", it)
	}
}

func addJob(t *testing.T, db *store.DB, j scheduler.Job) {
	t.Helper()
	j.Zone, j.Origin, j.Lang, j.Request = "UTC", "slack/T1/D1/", "en", "count orders"
	if j.State == "" {
		j.State = scheduler.Active
	}
	if err := db.Jobs().Add(t.Context(), j); err != nil {
		t.Fatal(err)
	}
}

// What is one's own, or an admin's to change, is changed at once and may be again; the
// audit says who it was. Of everything else nobody hears whether it is there.
func TestAScheduleIsPausedByWhoMayAndTheAuditSaysWho(t *testing.T) {
	p, db := newPlanner(t)
	addJob(t, db, scheduler.Job{ID: "j1", Name: "Orders", Spec: "0 9 * * 1", Owner: planAna})
	state := func() scheduler.State {
		j, err := db.Jobs().Job(t.Context(), "j1")
		if err != nil {
			t.Fatal(err)
		}
		return j.State
	}
	for _, f := range []func(context.Context, string, string) error{p.Pause, p.Resume, p.Delete} {
		for _, who := range []string{planGus, ""} {
			if err := f(t.Context(), who, "j1"); !errors.Is(err, bot.ErrNoSchedule) || state() != scheduler.Active {
				t.Errorf("by %q: %v, and it is %s", who, err, state())
			}
		}
		if err := f(t.Context(), planAna, "j0"); !errors.Is(err, bot.ErrNoSchedule) {
			t.Errorf("of none: %v", err)
		}
	}
	for _, step := range []struct {
		do   func(context.Context, string, string) error
		by   string
		want scheduler.State
	}{
		{p.Pause, planLee, scheduler.Paused}, {p.Pause, planAna, scheduler.Paused}, {p.Resume, planAna, scheduler.Active},
		{p.Delete, planLee, scheduler.Deleted}, {p.Delete, planLee, scheduler.Deleted},
	} {
		if err := step.do(t.Context(), step.by, "j1"); err != nil || state() != step.want {
			t.Errorf("by %s: %v, and it is %s; want %s", step.by, err, state(), step.want)
		}
	}
	if err := p.Resume(t.Context(), planAna, "j1"); !errors.Is(err, bot.ErrNoSchedule) {
		t.Errorf("resume of what is deleted = %v", err)
	}
	entries, err := db.Journal().Audit(t.Context(), 9)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Who+" "+e.What)
	}
	if d := cmp.Diff([]string{planLee + " job deleted", planAna + " job active", planLee + " job paused", planAna + " job added"}, got); d != "" {
		t.Errorf("audit (-want +got):\n%s", d)
	}
}

// A schedule comes into its form as somebody would have filled it in, and from there it
// is the same schedule.
func TestAScheduleComesBackIntoItsForm(t *testing.T) {
	p, db := newPlanner(t)
	addJob(t, db, scheduler.Job{ID: "j1", Name: "Orders", Spec: "0 9 * * 1", Owner: planAna, To: "slack/T1/C0SALES/", ToName: "#sales"})
	addJob(t, db, scheduler.Job{ID: "j2", Name: "Odd", Spec: "7,19 3-5 */2 * 1-5", Owner: planAna})
	for _, lang := range []string{"en", "zh"} {
		for job, spec := range map[string]string{"j1": "0 9 * * 1", "j2": "7,19 3-5 */2 * 1-5"} {
			d, err := p.Draft(t.Context(), planAna, job, lang)
			if err != nil || d.Job != job || d.What != "count orders" || d.Zone != "UTC" || d.Lang != lang {
				t.Fatalf("draft = %+v, %v", d, err)
			}
			if m, err := p.read(d); err != nil || !sameTimes(m.spec, calendar.MustParse(spec), p.now(), time.UTC) {
				t.Errorf("%q in %s reads as %s, %v; want %s", d.When, lang, m.spec, err, spec)
			}
		}
	}
	if d, err := p.Draft(t.Context(), planAna, "j1", "en"); err != nil || d.When != "every Monday at 09:00" || d.To != "C0SALES" {
		t.Errorf("draft = %+v, %v", d, err)
	}
	if _, err := p.Draft(t.Context(), planGus, "j1", "en"); !errors.Is(err, bot.ErrNoSchedule) {
		t.Errorf("another's = %v", err)
	}
}
