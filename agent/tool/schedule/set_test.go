package schedule_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
	"hermes/agent/tool/schedule"
	"hermes/scheduler"
	"hermes/scheduler/schedulertest"
)

const setTool = schedule.SetName

func newSetBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, book: &schedulertest.Store{}, now: time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)}
	var err error
	b.set, err = tool.NewSet(schedule.New(schedule.Parts{
		Book: b.book, Artifacts: shelf{}, Find: find, Admin: func(p string) bool { return p == lee },
		Now: func() time.Time { return b.now },
		Heir: func(_ context.Context, _ tool.Call, _ scheduler.Job, words string) (schedule.Heir, string, error) {
			if words == "@gus" {
				return schedule.Heir{Person: gus, Name: "Gus"}, "", nil
			}
			return schedule.Heir{}, "nobody is called " + words, nil
		},
	})...)
	if err != nil {
		t.Fatal(err)
	}
	err = b.book.Add(t.Context(), scheduler.Job{
		ID: "j1a2b3c4d", Name: "sales", Spec: "0 9 1 * *", Zone: "UTC", Request: "sales last month", Origin: home, Owner: ana, Lang: "en", State: scheduler.Active, Created: b.now, Since: b.now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// C6, SLK-05: what becomes of times that are no good ones is set in chat, with a card that
// says what it was and what it will be, in both languages.
func TestPolicyIsSetInChat(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"Quiet hours: as configured → 22:00–07:00; what is due then begins at the end", "Times that were missed: as configured → are not caught up", "up to 5 times"},
		"zh": {"不运行的时段: 按配置 → 22:00–07:00；这段时间到期的推迟到结束时", "错过的时间: 按配置 → 不补跑", "最多 5 次"},
	} {
		b := newSetBench(t)
		c := b.call(`{"job":"it","quiet":"22:00-07:00","catch_up":"none","retries":"5"}`, lang)
		p := b.plan(setTool, c)
		var card strings.Builder
		for _, d := range p.Diff {
			card.WriteString(d.What + ": " + d.Was + " → " + d.Is + "\n")
		}
		for _, w := range want {
			if !strings.Contains(card.String(), w) {
				t.Errorf("%s: the card does not say %q:\n%s", lang, w, card.String())
			}
		}
		b.do(setTool, c, p)
		j, err := b.book.Job(t.Context(), "j1a2b3c4d")
		if got := (scheduler.Policy{CatchUp: scheduler.Never, Quiet: scheduler.Quiet{From: "22:00", To: "07:00"}, Retries: 5}); err != nil || j.Policy != got {
			t.Errorf("%s: policy = %+v, %v; want %+v", lang, j.Policy, err, got)
		}
		if p := b.plan(setTool, c); p.Fault == "" {
			t.Errorf("%s: set the same again is planned as a change", lang)
		}
	}
	b := newSetBench(t)
	for args, want := range map[string]string{
		`{"job":"it","quiet":"25:00-07:00"}`:       "quiet hours",
		`{"job":"it","catch_up":"soon"}`:           "catch-up",
		`{"job":"it","retries":"many"}`:            "0 to 10",
		`{"job":"it"}`:                             "set like that already",
		`{"job":"j9999abcd","quiet":"22:00-7:00"}`: "j9999abcd",
	} {
		if p := b.plan(setTool, b.call(args, "en")); !strings.Contains(p.Fault, want) {
			t.Errorf("%s: fault %q does not say %q", args, p.Fault, want)
		}
	}
}

// Issue 6: a schedule runs with the rights of its owner, so only an admin gives it to
// somebody else; one that was paused goes on then.
func TestAScheduleIsHandedOver(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		b := newSetBench(t)
		j, err := b.book.Job(t.Context(), "j1a2b3c4d")
		if err != nil {
			t.Fatal(err)
		}
		j.State = scheduler.Paused
		if _, err = b.book.Update(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		c := b.call(`{"job":"j1a2b3c4d","owner":"@gus"}`, lang)
		if p := b.plan(setTool, c); p.Fault == "" || lang == "en" && !strings.Contains(p.Fault, "only an admin") || lang == "zh" && !strings.Contains(p.Fault, "只有管理员") {
			t.Errorf("%s: its owner gives it away: %q", lang, p.Fault)
		}
		c.Asker, c.Home = lee, "slack/T/Dlee/"
		p := b.plan(setTool, c)
		b.do(setTool, c, p)
		if j, err = b.book.Job(t.Context(), "j1a2b3c4d"); err != nil || j.Owner != gus || j.State != scheduler.Active || !j.Since.Equal(b.now) {
			t.Errorf("%s: job = %+v, %v; want it with gus, at work from now on", lang, j, err)
		}
		c = b.call(`{"job":"j1a2b3c4d","owner":"@nobody"}`, lang)
		c.Asker = lee
		if p := b.plan(setTool, c); !strings.Contains(p.Fault, "@nobody") {
			t.Errorf("%s: fault %q does not say who is not known", lang, p.Fault)
		}
		if p.Own {
			t.Errorf("%s: handing over counts as the asker's own", lang)
		}
	}
}

// forged is a book whose jobs somebody else has written.
type forged struct{ *schedulertest.Store }

func (forged) Update(_ context.Context, j scheduler.Job) (scheduler.Job, error) {
	return j, scheduler.ErrAltered
}

// Of a schedule that somebody else has written nothing is changed, by whichever
// tool, and the person hears what can be done.
func TestNothingOfAForgedScheduleIsChanged(t *testing.T) {
	b := newSetBench(t)
	tools := schedule.New(schedule.Parts{Book: forged{b.book}, Artifacts: shelf{}, Find: find, Admin: func(string) bool { return true }, Now: func() time.Time { return b.now }})
	for name, args := range map[string]string{
		setTool:    `{"job":"j1a2b3c4d","catch_up":"none"}`,
		changeTool: `{"job":"j1a2b3c4d","action":"pause"}`,
	} {
		for lang, want := range map[string]string{"en": "can only be deleted", "zh": "只能删除"} {
			for _, x := range tools {
				if x.Spec().Name != name {
					continue
				}
				c := b.call(args, lang)
				if res, err := x.Run(t.Context(), c); err != nil || !res.Failed || !strings.Contains(res.Text, want) {
					t.Errorf("%s in %s: %+v, %v; want a failure that says %q", name, lang, res, err, want)
				}
			}
		}
	}
}
