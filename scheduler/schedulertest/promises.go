package schedulertest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hermes/scheduler"
)

var nine = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// TestStore checks the promises of scheduler.Store on empty ones.
func TestStore(t *testing.T, open func(*testing.T) scheduler.Store) {
	for name, check := range map[string]func(*testing.T, scheduler.Store){
		"a job comes back as it was added, and is added once":    added,
		"C16 of many writers each change stands":                 writers,
		"a deleted job is kept, and in no list":                  deleted,
		"C1 of many claims of one slot one is new":               claims,
		"a slot comes back as it was claimed, the newest first":  newest,
		"C5 what was claimed is unfired until it is handed over": unfired,
		"a slot ends by its run, handed over or not":             finished,
		"what was changed after a mark is told, and only that":   changed,
		"the newest slot of each job is told":                    newestOf,
		"a deferred slot is unfired until it is handed over":     deferred,
		"C5 a slot that has failed begins again":                 again,
	} {
		t.Run(name, func(t *testing.T) { check(t, open(t)) })
	}
}

// same compares times as instants: which zone a store gives them in is its own.
var same = cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })

func job(id string, created time.Time) scheduler.Job {
	return scheduler.Job{
		ID: id, Name: "Sales", Spec: "0 9 1 * *", Zone: "Asia/Shanghai", Request: "sales <b> 销售", Origin: "test/w/c/t", To: "test/w/sales/",
		ToName: "#sales", Profile: "p", Owner: "test:w:ana", Lang: "zh", State: scheduler.Active, Created: created, Since: created,
		Policy: scheduler.Policy{
			CatchUp: scheduler.Within, Window: 6 * time.Hour, Overlap: scheduler.Wait, Stagger: time.Minute,
			Quiet: scheduler.Quiet{From: "22:00", To: "07:00"}, Retries: -1,
		},
	}
}

// month is the slot of the n-th month.
func month(id string, n int) scheduler.Slot {
	at := nine.AddDate(0, n, 0)
	return scheduler.Slot{
		Job: id, Nominal: at.Format("2006-01-02T15:04"), Zone: "Asia/Shanghai", At: at, From: at.AddDate(0, -1, 0), To: at,
		State: scheduler.Claimed, Run: fmt.Sprintf("run/%s/%d", id, n), Claimed: at.Add(time.Second),
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func value[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func claim(t *testing.T, s scheduler.Store, sl scheduler.Slot) {
	t.Helper()
	if fresh := value[bool](t)(s.Claim(t.Context(), sl)); !fresh {
		t.Fatalf("claim of %s is not the first", sl.Key())
	}
}

func changed(t *testing.T, s scheduler.Store) {
	ctx := t.Context()
	told := func(mark string, want ...string) string {
		t.Helper()
		ids, next, err := s.Changed(ctx, mark)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(ids)
		if d := cmp.Diff(want, slices.Compact(ids), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("changed after %q (-want +got):\n%s", mark, d)
		}
		return next
	}
	must(t, s.Add(ctx, job("j0", nine)))
	mark := told("")
	mark = told(mark)
	must(t, s.Add(ctx, job("j1", nine)))
	must(t, s.Add(ctx, job("j2", nine)))
	after := told(mark, "j1", "j2")
	told(mark, "j1", "j2")
	mark = told(after)
	must(t, s.Add(ctx, job("j1", nine))) // which is there
	j := value[scheduler.Job](t)(s.Job(ctx, "j0"))
	for _, state := range []scheduler.State{scheduler.Paused, scheduler.Active, scheduler.Ended, scheduler.Deleted} {
		j.State = state
		j = value[scheduler.Job](t)(s.Update(ctx, j))
		mark = told(mark, "j0")
	}
	if _, _, err := s.Changed(ctx, "yesterday"); err == nil {
		t.Error("a mark that is none is taken")
	}
}

func newestOf(t *testing.T, s scheduler.Store) {
	ctx := t.Context()
	for _, id := range []string{"j1", "j2"} {
		must(t, s.Add(ctx, job(id, nine)))
	}
	if got := value[map[string]time.Time](t)(s.Newest(ctx)); len(got) != 0 {
		t.Errorf("newest slots of none = %v", got)
	}
	claim(t, s, month("j1", 2))
	claim(t, s, month("j1", 1))
	claim(t, s, month("j2", 1))
	want := map[string]time.Time{"j1": month("j1", 2).At, "j2": month("j2", 1).At}
	if d := cmp.Diff(want, value[map[string]time.Time](t)(s.Newest(ctx)), same); d != "" {
		t.Errorf("newest slots (-want +got):\n%s", d)
	}
}

func added(t *testing.T, s scheduler.Store) {
	ctx := t.Context()
	if _, err := s.Job(ctx, "j1"); !errors.Is(err, scheduler.ErrNoJob) {
		t.Errorf("an unknown job = %v, want ErrNoJob", err)
	}
	want := job("j1", nine)
	must(t, s.Add(ctx, want))
	other := want
	other.Name = "Other"
	must(t, s.Add(ctx, other))
	if d := cmp.Diff(want, value[scheduler.Job](t)(s.Job(ctx, "j1")), same); d != "" {
		t.Errorf("job (-added +got):\n%s", d)
	}
	want.Name, want.State = "Third", scheduler.Paused
	changed := value[scheduler.Job](t)(s.Update(ctx, want))
	if changed.Version != want.Version+1 {
		t.Errorf("version %d after %d", changed.Version, want.Version)
	}
	if d := cmp.Diff(changed, value[scheduler.Job](t)(s.Job(ctx, "j1")), same); d != "" {
		t.Errorf("job (-changed +got):\n%s", d)
	}
	if _, err := s.Update(ctx, want); !errors.Is(err, scheduler.ErrChanged) {
		t.Errorf("update of an old version = %v, want ErrChanged", err)
	}
	if _, err := s.Update(ctx, job("none", nine)); !errors.Is(err, scheduler.ErrNoJob) {
		t.Errorf("update of an unknown job = %v, want ErrNoJob", err)
	}
}

func writers(t *testing.T, s scheduler.Store) {
	const each = 20
	ctx := t.Context()
	must(t, s.Add(ctx, job("j1", nine)))
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for n := 0; n < each; {
				j, err := s.Job(ctx, "j1")
				if err == nil {
					j.Name += "x"
					_, err = s.Update(ctx, j)
				}
				switch {
				case err == nil:
					n++
				case !errors.Is(err, scheduler.ErrChanged):
					t.Errorf("update: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	j := value[scheduler.Job](t)(s.Job(ctx, "j1"))
	if n := len(j.Name) - len("Sales"); n != 2*each || j.Version != 2*each {
		t.Errorf("%d changes and version %d, want %d of both", n, j.Version, 2*each)
	}
}

func deleted(t *testing.T, s scheduler.Store) {
	ctx := t.Context()
	for i, id := range []string{"j1", "j2", "j3"} {
		must(t, s.Add(ctx, job(id, nine.Add(time.Duration(i)*time.Second))))
	}
	j := value[scheduler.Job](t)(s.Job(ctx, "j2"))
	j.State = scheduler.Deleted
	value[scheduler.Job](t)(s.Update(ctx, j))
	var ids []string
	for _, j := range value[[]scheduler.Job](t)(s.Jobs(ctx)) {
		ids = append(ids, j.ID)
	}
	if d := cmp.Diff([]string{"j1", "j3"}, ids); d != "" {
		t.Errorf("jobs, oldest first (-want +got):\n%s", d)
	}
	if got := value[scheduler.Job](t)(s.Job(ctx, "j2")); got.State != scheduler.Deleted {
		t.Errorf("a deleted job is %s", got.State)
	}
}

func claims(t *testing.T, s scheduler.Store) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	won := 0
	for range 20 {
		wg.Go(func() {
			fresh, err := s.Claim(t.Context(), month("j1", 0))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Errorf("claim: %v", err)
			}
			if fresh {
				won++
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d claims were new, want 1", won)
	}
	elsewhere := month("j1", 0)
	elsewhere.Zone = "Europe/Berlin"
	claim(t, s, elsewhere)
	claim(t, s, month("j2", 0))
}

func newest(t *testing.T, s scheduler.Store) {
	ctx := t.Context()
	if _, found, err := s.Last(ctx, "j1"); found || err != nil {
		t.Errorf("last of nothing = %t, %v", found, err)
	}
	missed := month("j1", 1)
	missed.State, missed.Reason, missed.Run, missed.Ended = scheduler.Missed, "away", "", nine
	for _, sl := range []scheduler.Slot{month("j1", 2), month("j1", 0), missed, month("j2", 9)} {
		claim(t, s, sl)
	}
	last, found, err := s.Last(ctx, "j1")
	if err != nil || !found {
		t.Fatalf("last = %t, %v", found, err)
	}
	if d := cmp.Diff(month("j1", 2), last, same); d != "" {
		t.Errorf("last (-want +got):\n%s", d)
	}
	want := []scheduler.Slot{month("j1", 2), missed}
	if d := cmp.Diff(want, value[[]scheduler.Slot](t)(s.Slots(ctx, "j1", 2)), same); d != "" {
		t.Errorf("the two newest (-want +got):\n%s", d)
	}
	if all := value[[]scheduler.Slot](t)(s.Slots(ctx, "j1", 9)); len(all) != 3 {
		t.Errorf("%d slots, want the 3 of the job", len(all))
	}
}

func unfired(t *testing.T, s scheduler.Store) {
	ctx := t.Context()
	missed := month("j1", 0)
	missed.State = scheduler.Missed
	for _, sl := range []scheduler.Slot{missed, month("j1", 2), month("j1", 1)} {
		claim(t, s, sl)
	}
	keys := func() []string {
		var keys []string
		for _, sl := range value[[]scheduler.Slot](t)(s.Unfired(ctx)) {
			keys = append(keys, sl.Key())
		}
		return keys
	}
	if d := cmp.Diff([]string{month("j1", 1).Key(), month("j1", 2).Key()}, keys()); d != "" {
		t.Errorf("unfired, oldest first (-want +got):\n%s", d)
	}
	must(t, s.Fired(ctx, month("j1", 1).Key(), "run/j1/1"))
	must(t, s.Fired(ctx, month("j1", 1).Key(), "run/j1/1"))
	if d := cmp.Diff([]string{month("j1", 2).Key()}, keys()); d != "" {
		t.Errorf("unfired after one was handed over (-want +got):\n%s", d)
	}
}

func deferred(t *testing.T, s scheduler.Store) {
	ctx := t.Context()
	sl := month("j1", 0)
	sl.State, sl.Due, sl.Reason = scheduler.Deferred, sl.At.Add(time.Hour), "quiet"
	claim(t, s, sl)
	claim(t, s, month("j1", 1))
	working := func() (keys []string) {
		for _, sl := range value[[]scheduler.Slot](t)(s.Working(ctx, "j1")) {
			keys = append(keys, sl.Key())
		}
		return keys
	}
	if d := cmp.Diff([]string{month("j1", 1).Key()}, working()); d != "" {
		t.Errorf("under way (-want +got):\n%s", d)
	}
	must(t, s.Defer(ctx, sl.Key(), "waits", sl.At.Add(2*time.Hour)))
	sl.Reason, sl.Due = "waits", sl.At.Add(2*time.Hour)
	if d := cmp.Diff([]scheduler.Slot{sl, month("j1", 1)}, value[[]scheduler.Slot](t)(s.Unfired(ctx)), same); d != "" {
		t.Errorf("unfired (-want +got):\n%s", d)
	}
	must(t, s.Fired(ctx, sl.Key(), sl.Run))
	must(t, s.Defer(ctx, sl.Key(), "too late for that", sl.At))
	sl.State = scheduler.Claimed
	if d := cmp.Diff([]scheduler.Slot{month("j1", 1), sl}, value[[]scheduler.Slot](t)(s.Slots(ctx, "j1", 9)), same); d != "" {
		t.Errorf("slots (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{sl.Key(), month("j1", 1).Key()}, working()); d != "" {
		t.Errorf("under way (-want +got):\n%s", d)
	}
}

func again(t *testing.T, s scheduler.Store) {
	ctx := t.Context()
	sl := month("j1", 0)
	claim(t, s, sl)
	claim(t, s, month("j1", 1))
	must(t, s.Fired(ctx, sl.Key(), sl.Run))
	must(t, s.Fired(ctx, month("j1", 1).Key(), month("j1", 1).Run))
	for n := range 2 {
		due := nine.Add(time.Duration(n+1) * time.Minute)
		next := fmt.Sprint(sl.Run, "/", n)
		must(t, s.Again(ctx, sl.Run, next, due, "away"))
		sl.State, sl.Run, sl.Due, sl.Reason, sl.Tries = scheduler.Deferred, next, due, "away", n+1
		got, ok, err := s.ByRun(ctx, next)
		if d := cmp.Diff(sl, got, same); err != nil || !ok || d != "" {
			t.Errorf("by its run: %v, %v (-want +got):\n%s", ok, err, d)
		}
		if d := cmp.Diff([]scheduler.Slot{sl}, value[[]scheduler.Slot](t)(s.Unfired(ctx)), same); d != "" {
			t.Errorf("unfired (-want +got):\n%s", d)
		}
		must(t, s.Fired(ctx, sl.Key(), next))
	}
	must(t, s.Again(ctx, "", "x", nine, "no run"))
	must(t, s.Again(ctx, "run/none", "x", nine, "none"))
	for _, run := range []string{"", "x", month("j1", 0).Run} {
		if _, ok, err := s.ByRun(ctx, run); ok || err != nil {
			t.Errorf("a slot has the run %q: %v, %v", run, ok, err)
		}
	}
}

func finished(t *testing.T, s scheduler.Store) {
	ctx := t.Context()
	for n := range 3 {
		claim(t, s, month("j1", n))
	}
	must(t, s.Fired(ctx, month("j1", 0).Key(), "run/j1/0"))
	end := nine.Add(time.Hour)
	must(t, s.Finish(ctx, "run/j1/0", scheduler.Blocked, "waits", "", end))
	must(t, s.Finish(ctx, "run/j1/0", scheduler.Ran, "", "https://x", end))
	must(t, s.Finish(ctx, "run/j1/1", scheduler.Broken, "busy", "", end))
	must(t, s.Finish(ctx, "a rehearsal", scheduler.Ran, "", "", end))
	want := []scheduler.Slot{month("j1", 2), month("j1", 1), month("j1", 0)}
	want[1].State, want[1].Reason, want[1].Ended = scheduler.Broken, "busy", end
	want[2].State, want[2].Link, want[2].Ended = scheduler.Ran, "https://x", end
	if d := cmp.Diff(want, value[[]scheduler.Slot](t)(s.Slots(ctx, "j1", 9)), same); d != "" {
		t.Errorf("slots (-want +got):\n%s", d)
	}
	if un := value[[]scheduler.Slot](t)(s.Unfired(ctx)); len(un) != 1 || un[0].Key() != month("j1", 2).Key() {
		t.Errorf("unfired = %+v; want the one without an end", un)
	}
}
