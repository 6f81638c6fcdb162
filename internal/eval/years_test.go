package eval

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// small is how many jobs for how long a test plays; `hermes eval years` plays all.
func small() (jobs int, long time.Duration) {
	if race {
		return 6, 45 * 24 * time.Hour
	}
	return 20, 100 * 24 * time.Hour
}

// C1, C3, C5, C7, C13, C14, C19 Every slot has exactly one row, and every report that is
// due exactly one post, whatever befalls the program.
func TestNoSlotIsLostOrDoubled(t *testing.T) {
	t.Parallel()
	jobs, long := small()
	s, err := Years(t.Context(), t.TempDir(), 7, jobs, long)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Print(t.Output()); err != nil {
		t.Fatal(err)
	}
	if len(s.Faults) > 0 {
		t.Errorf("%d slots are not as they must be", len(s.Faults))
	}
	if s.Jobs != jobs || s.Due < jobs/2 || s.Posts == 0 || s.Fate["cut off at work"] == 0 || s.Fate["restarts"] == 0 {
		t.Errorf("%d jobs, %d slots, %d posts, %v: too little has happened to say anything", s.Jobs, s.Due, s.Posts, s.Fate)
	}
}

// The judge sees what is lost, doubled, posted twice or about another time. Without that
// its silence would say nothing.
func TestTheJudgeSeesWhatIsWrong(t *testing.T) {
	t.Parallel()
	y := aWeek(t)
	good, err := y.judge(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(good.Faults) > 0 || good.Posts < 3 {
		t.Fatalf("%d posts and faults %q, want some and none", good.Posts, good.Faults)
	}
	var key string
	for k, p := range y.chat.said {
		if p.Run != "" {
			key = k
			break
		}
	}
	one := y.chat.said[key]
	for name, tt := range map[string]struct {
		spoil func()
		want  string
	}{
		"a post twice":      {func() { p := one; p.times = 2; y.chat.said[key] = p }, "its report was posted 2 times"},
		"a post lost":       {func() { delete(y.chat.said, key) }, "its report was posted 0 times"},
		"a post of no slot": {func() { p := one; p.Run = "job/none@2026"; y.chat.said["x"] = p }, "which is no slot"},
		"another channel":   {func() { p := one; p.Place = place("elsewhere", ""); y.chat.said[key] = p }, "it was posted to"},
		"another time":      {func() { y.wishes[0].hour++ }, "a row that the oracle knows no slot for"},
		"no row":            {func() { y.wishes[0].hour-- }, "no row"},
		"another period": {func() {
			y.wishes[0].about = func(d time.Time) (from, to time.Time) { return d.AddDate(0, 0, -7), d }
		}, "its report is about"},
	} {
		t.Run(name, func(t *testing.T) {
			was := y.wishes[0]
			defer func() {
				y.wishes[0], y.chat.said[key] = was, one
				delete(y.chat.said, "x")
			}()
			tt.spoil()
			s, err := y.judge(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if all := strings.Join(s.Faults, "\n"); !strings.Contains(all, tt.want) {
				t.Errorf("faults are %q, want one with %q", all, tt.want)
			}
		})
	}
}

// aWeek is a week of one daily job, in which nothing goes wrong.
func aWeek(t *testing.T) *years {
	t.Helper()
	w := wish{
		id: "K000", owner: person("ana"), channel: "c1", zone: "Europe/Berlin", lang: "en", when: "every day at 9:00", hour: 9, period: "yesterday",
		on: func(time.Time) bool { return true }, about: dayBefore,
	}
	y, err := newYears(t.Context(), filepath.Join(t.TempDir(), "0"), 1, []wish{w}, &fate{began: yearsBegan}, 8*24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := y.close(); err != nil {
			t.Error(err)
		}
	})
	if err := y.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	return y
}

// The oracle's own times, by hand: what a clock leaves out comes at the first minute after
// it, what it shows twice comes once.
func TestTheOracleKnowsTheClocks(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		zone, wall, want string
	}{
		"plain":         {"Europe/Berlin", "2026-06-01T09:00", "2026-06-01T07:00:00Z"},
		"left out":      {"Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:00:00Z"},
		"twice":         {"Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00Z"},
		"half an hour":  {"Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:30:00Z"},
		"from midnight": {"America/Havana", "2026-03-08T00:15", "2026-03-08T05:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			zone, err := time.LoadLocation(tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			wall, err := time.Parse("2006-01-02T15:04", tt.wall)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := walk(wall, zone)
			if !ok || got.UTC().Format(time.RFC3339) != tt.want {
				t.Errorf("walk(%s) in %s = %s, %t; want %s", tt.wall, tt.zone, got.UTC().Format(time.RFC3339), ok, tt.want)
			}
		})
	}
}

// SCEN-11, SCEN-12, EVAL-11, H-08..H-12 The first days of the fortnight: a report that was
// approved once is posted at each of its times and asks nobody again, what never comes to
// an end is ended by a guard with what there is, and the same seed gives the same figures.
func TestDaysOfAnOffice(t *testing.T) {
	t.Parallel()
	n := 2
	if race {
		n = 1
	}
	f := playedDays(t, n)
	var said bytes.Buffer
	if err := f.Print(&said, true); err != nil {
		t.Fatal(err)
	}
	t.Log(said.String())
	if len(f.Faults) > 0 {
		t.Errorf("promises were broken: %q", f.Faults)
	}
	slots, cut := 0, 0
	for _, p := range f.Tasks {
		switch {
		case strings.HasPrefix(p.Key, "job/"):
			slots++
		case !p.Whole:
			cut++
		}
	}
	if slots != 3*n || cut != n-1 {
		t.Errorf("%d slots ran and %d tasks were cut, want %d, and the one of the second day that cannot end", slots, cut, 3*n)
	}
	for _, g := range f.Targets {
		if g.ID == "H-10" && !g.OK || strings.Contains(g.Is, "again") {
			t.Errorf("%s: %s, want %s", g.What, g.Is, g.Want)
		}
	}
	if race {
		return
	}
	again := playedDays(t, n)
	for _, days := range []*Days{&f, &again} {
		for i := range days.Tasks { // what is measured is never the same
			days.Tasks[i].Own, days.Tasks[i].tools = 0, 0
		}
	}
	if d := cmp.Diff(f.Tasks, again.Tasks, cmp.AllowUnexported(Played{})); d != "" {
		t.Errorf("the same seed gave another story (-first +again):\n%s", d)
	}
}

func playedDays(t *testing.T, n int) Days {
	t.Helper()
	long := time.Duration(n) * 24 * time.Hour
	var tasks []task
	for _, k := range fortnightTasks() {
		if k.at.Before(fortnightBegan.Add(long)) {
			tasks = append(tasks, k)
		}
	}
	f, err := days(context.WithoutCancel(t.Context()), t.TempDir(), 1, tasks, long)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The fortnight is what its figures are about: 84 tasks, 61 of them reports.
func TestTheFortnightHasItsTasks(t *testing.T) {
	t.Parallel()
	reports, tasks, end := 0, 0, fortnightBegan.Add(fortnightLong)
	for _, k := range fortnightTasks() {
		tasks++
		if k.report {
			reports++
		}
		if len(k.slots) == 0 {
			continue
		}
		for d := k.at; d.Before(end); d = d.AddDate(0, 0, 1) {
			if friday := strings.Contains(k.text, "Friday"); workday(d) && (!friday || d.Weekday() == time.Friday) {
				tasks, reports = tasks+1, reports+1
			}
		}
	}
	if tasks != allTasks || reports != allReports {
		t.Errorf("%d tasks and %d reports, want %d and %d", tasks, reports, allTasks, allReports)
	}
}
