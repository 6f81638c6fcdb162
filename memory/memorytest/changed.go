package memorytest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"hermes/memory"
)

func testSupersede(t *testing.T, s memory.Store) {
	ctx := t.Context()
	ok(t, s.Put(ctx, fact("f1", memory.Note, "Excel", day)))
	next := fact("f2", memory.Note, "CSV", day.Add(time.Hour))
	for range 2 {
		ok(t, s.Supersede(ctx, "f1", next))
	}
	old, found, err := s.Fact(ctx, "f1")
	if err != nil || !found {
		t.Fatalf("the old is lost: %v, %v", found, err)
	}
	same(t, "old", old, with(fact("f1", memory.Note, "Excel", day), func(f *memory.Fact) {
		f.Status, f.ReplacedBy, f.Closed = memory.Superseded, "f2", next.Said
	}))
	got, _, err := s.Fact(ctx, "f2")
	ok(t, err)
	same(t, "new", got, next)
	same(t, "listed", idsOf(must[[]memory.Fact](t)(s.List(ctx, annAlone, 9))), []string{"f2"})
	same(t, "the old is found", must[[]memory.Scored](t)(search(s, ctx, annAlone, "Excel", 9)), []memory.Scored{})

	ok(t, s.Supersede(ctx, "f1", fact("f3", memory.Note, "PDF", day.Add(2*time.Hour))))
	old, _, err = s.Fact(ctx, "f1")
	ok(t, err)
	same(t, "what is superseded once stays so", old.ReplacedBy, "f2")
}

func testMoves(t *testing.T, s memory.Store) {
	ctx := t.Context()
	cities := []string{"Oslo", "Rome", "Lima", "Cairo", "Quito"}
	for i, city := range cities {
		f := fact(fmt.Sprintf("f%d", i), "lives-in", city, day.AddDate(0, i, 0))
		if i == 0 {
			ok(t, s.Put(ctx, f))
			continue
		}
		ok(t, s.Supersede(ctx, fmt.Sprintf("f%d", i-1), f))
	}
	same(t, "now", idsOf(must[[]memory.Fact](t)(s.Current(ctx, memory.Audience{Kind: memory.ForUser, ID: ann}, ann, "lives-in"))), []string{"f4"})
	for i, city := range cities[:4] {
		f, found, err := s.Fact(ctx, fmt.Sprintf("f%d", i))
		if err != nil || !found {
			t.Fatalf("%s is lost: %v", city, err)
		}
		same(t, city+" ended", f.Closed, day.AddDate(0, i+1, 0))
	}
}

func testStaleFillsNothing(t *testing.T, s memory.Store) {
	ctx := t.Context()
	ok(t, s.Put(ctx, fact("f0", memory.Note, "quota of the year", day)))
	for i := range 40 {
		id := fmt.Sprintf("old%d", i)
		ok(t, s.Put(ctx, fact(id, memory.Note, "quota", day)))
		ok(t, s.Supersede(ctx, id, fact("f1", memory.Note, "quota now", day.Add(time.Hour))))
	}
	found := must[[]memory.Scored](t)(search(s, ctx, annAlone, "quota", 2))
	if len(found) != 2 {
		t.Fatalf("search finds %d, want the 2 that are current", len(found))
	}
	for _, f := range found {
		same(t, f.ID, f.Status, memory.Active)
	}
}

// at is when things are settled.
var at = day.AddDate(0, 1, 0)

func dispute(t *testing.T, s memory.Store) memory.Conflict {
	t.Helper()
	old, next := fact("f1", memory.PrefersFormat, "xlsx", day), fact("f2", memory.PrefersFormat, "csv", day.Add(time.Hour))
	ok(t, s.Put(t.Context(), old))
	c := memory.Conflict{ID: "c1", Old: old, New: next}
	ok(t, s.Dispute(t.Context(), c))
	return c
}

func statuses(t *testing.T, s memory.Store, ids ...string) map[string]memory.Status {
	t.Helper()
	got := map[string]memory.Status{}
	for _, id := range ids {
		f, found, err := s.Fact(t.Context(), id)
		ok(t, err)
		if found {
			got[id] = f.Status
		}
	}
	return got
}

func testDispute(t *testing.T, s memory.Store) {
	ctx := t.Context()
	c := dispute(t, s)
	both := map[string]memory.Status{"f1": memory.Disputed, "f2": memory.Disputed}
	same(t, "statuses", statuses(t, s, "f1", "f2"), both)
	same(t, "current", idsOf(must[[]memory.Fact](t)(s.Current(ctx, c.Old.Audience, ann, memory.PrefersFormat))), []string{"f2", "f1"})
	same(t, "listed", idsOf(must[[]memory.Fact](t)(s.List(ctx, annAlone, 9))), []string{"f2", "f1"})
	same(t, "found", len(must[[]memory.Scored](t)(search(s, ctx, annAlone, "xlsx csv", 9))), 2)

	ok(t, s.Dispute(ctx, c))
	same(t, "disputed again", statuses(t, s, "f1", "f2"), both)
	must[memory.Conflict](t)(s.Close(ctx, "c1", memory.TakeNew, ann, at))
	ok(t, s.Dispute(ctx, c))
	same(t, "disputed after it was settled", statuses(t, s, "f1", "f2"), map[string]memory.Status{"f1": memory.Superseded, "f2": memory.Active})
	if _, err := s.Close(ctx, "c1", memory.KeepOld, ann, at); !errors.Is(err, memory.ErrSettled) {
		t.Errorf("a conflict opened again: %v", err)
	}
}

func testClose(t *testing.T, s memory.Store) {
	ctx := t.Context()
	if _, err := s.Close(ctx, "c1", memory.KeepOld, ann, at); !errors.Is(err, memory.ErrNoConflict) {
		t.Errorf("an unknown conflict: %v, want ErrNoConflict", err)
	}
	c := dispute(t, s)
	got := must[memory.Conflict](t)(s.Close(ctx, "c1", memory.KeepOld, bob, at))
	if got.Settled != string(memory.KeepOld) || got.By != bob || !got.At.Equal(at) || got.Old.ID != "f1" || got.New.ID != "f2" {
		t.Errorf("settled = %+v", got)
	}
	same(t, "keep-old", statuses(t, s, "f1", "f2"), map[string]memory.Status{"f1": memory.Active, "f2": memory.Superseded})
	lost, _, err := s.Fact(ctx, "f2")
	ok(t, err)
	same(t, "the loser names the winner", lost.ReplacedBy, "f1")
	same(t, "and when", lost.Closed, at)

	got, err = s.Close(ctx, "c1", memory.TakeNew, ann, at.Add(time.Hour))
	if !errors.Is(err, memory.ErrSettled) || got.Settled != string(memory.KeepOld) || got.By != bob || got.Old.ID != "f1" {
		t.Errorf("a second settlement = %+v, %v", got, err)
	}
	same(t, "it changes nothing", statuses(t, s, "f1", "f2"), map[string]memory.Status{"f1": memory.Active, "f2": memory.Superseded})

	// f3 contradicts f1; both are right.
	next := fact("f3", memory.PrefersFormat, "pdf", day.Add(2*time.Hour))
	ok(t, s.Dispute(ctx, memory.Conflict{ID: "c2", Old: c.Old, New: next}))
	must[memory.Conflict](t)(s.Close(ctx, "c2", memory.KeepBoth, ann, at))
	same(t, "keep-both", statuses(t, s, "f1", "f3"), map[string]memory.Status{"f1": memory.Active, "f3": memory.Active})

	// f4 contradicts f3; while that is open f3 is replaced in another way.
	ok(t, s.Dispute(ctx, memory.Conflict{ID: "c3", Old: next, New: fact("f4", memory.PrefersFormat, "json", day.Add(3*time.Hour))}))
	ok(t, s.Supersede(ctx, "f3", fact("f5", memory.PrefersFormat, "html", day.Add(4*time.Hour))))
	must[memory.Conflict](t)(s.Close(ctx, "c3", memory.KeepOld, ann, at))
	same(t, "the superseded is not revived", statuses(t, s, "f3", "f4"), map[string]memory.Status{"f3": memory.Superseded, "f4": memory.Superseded})
}

func testCloseRace(t *testing.T, s memory.Store) {
	dispute(t, s)
	var wg sync.WaitGroup
	won := make(chan memory.Choice, 8)
	for i := range 8 {
		choice := []memory.Choice{memory.KeepOld, memory.TakeNew}[i%2]
		wg.Go(func() {
			_, err := s.Close(t.Context(), "c1", choice, ann, at)
			if err == nil {
				won <- choice
			} else if !errors.Is(err, memory.ErrSettled) {
				t.Errorf("close: %v", err)
			}
		})
	}
	wg.Wait()
	close(won)
	if len(won) != 1 {
		t.Fatalf("%d settlements won, want 1", len(won))
	}
	want := map[string]memory.Status{"f1": memory.Active, "f2": memory.Superseded}
	if <-won == memory.TakeNew {
		want = map[string]memory.Status{"f1": memory.Superseded, "f2": memory.Active}
	}
	same(t, "statuses", statuses(t, s, "f1", "f2"), want)
}

func testDelete(t *testing.T, s memory.Store) {
	ctx := t.Context()
	ok(t, s.Put(ctx, fact("f1", memory.Note, "the secret is Zanzibar 桑给巴尔", day)))
	ok(t, s.Put(ctx, fact("f2", memory.Note, "harmless", day)))
	gone := must[[]memory.Fact](t)(s.Delete(ctx, []string{"f1", "nothing"}))
	same(t, "deleted", idsOf(gone), []string{"f1"})
	same(t, "with its words", gone[0].Object, "the secret is Zanzibar 桑给巴尔")
	for _, text := range []string{
		"Zanzibar", "secret", "the secret is Zanzibar", "桑给巴尔", "桑给", "words of the secret", ann, "note secret", "zanzibar 桑给巴尔", "SECRET",
	} {
		for _, f := range must[[]memory.Scored](t)(search(s, ctx, annAlone, text, 9)) {
			if f.ID == "f1" {
				t.Errorf("search for %q finds what is deleted", text)
			}
		}
	}
	same(t, "listed", idsOf(must[[]memory.Fact](t)(s.List(ctx, annAlone, 9))), []string{"f2"})
	same(t, "current", idsOf(must[[]memory.Fact](t)(s.Current(ctx, memory.Audience{Kind: memory.ForUser, ID: ann}, ann, memory.Note))), []string{"f2"})
	same(t, "by id", statuses(t, s, "f1"), map[string]memory.Status{})
	same(t, "deleted again", idsOf(must[[]memory.Fact](t)(s.Delete(ctx, []string{"f1"}))), []string{})
	same(t, "deleted nothing", idsOf(must[[]memory.Fact](t)(s.Delete(ctx, nil))), []string{})
	ok(t, s.Put(ctx, fact("f1", memory.Note, "said anew", day)))
	same(t, "said anew", statuses(t, s, "f1"), map[string]memory.Status{"f1": memory.Active})
}

func testDeleteHistory(t *testing.T, s memory.Store) {
	ctx := t.Context()
	ok(t, s.Put(ctx, fact("f1", memory.Note, "one", day)))
	ok(t, s.Supersede(ctx, "f1", fact("f2", memory.Note, "two", day.Add(time.Hour))))
	ok(t, s.Supersede(ctx, "f2", fact("f3", memory.Note, "three", day.Add(2*time.Hour))))
	ok(t, s.Put(ctx, fact("other", memory.Note, "four", day)))
	gone := map[string]bool{}
	for _, f := range must[[]memory.Fact](t)(s.Delete(ctx, []string{"f3"})) {
		gone[f.ID] = true
	}
	same(t, "deleted", gone, map[string]bool{"f1": true, "f2": true, "f3": true})
	same(t, "left", statuses(t, s, "f1", "f2", "f3", "other"), map[string]memory.Status{"other": memory.Active})
}

func testDeleteDisputed(t *testing.T, s memory.Store) {
	ctx := t.Context()
	dispute(t, s)
	must[[]memory.Fact](t)(s.Delete(ctx, []string{"f2"}))
	same(t, "the other side", statuses(t, s, "f1", "f2"), map[string]memory.Status{"f1": memory.Active})
	if _, err := s.Close(ctx, "c1", memory.TakeNew, ann, at); !errors.Is(err, memory.ErrNoConflict) {
		t.Errorf("settling it = %v, want ErrNoConflict", err)
	}
}

func testSweep(t *testing.T, s memory.Store) {
	ctx := t.Context()
	long := day.AddDate(1, 0, 0)
	put := func(id string, said, expires time.Time) {
		t.Helper()
		ok(t, s.Put(ctx, with(fact(id, memory.Note, "words "+id, said), func(f *memory.Fact) { f.Expires = expires })))
	}
	put("over", day, day.AddDate(0, 0, 9))
	put("idle", day.AddDate(0, 0, -70), long)
	put("used", day.AddDate(0, 0, -70), long)
	put("new1", day, long)
	put("new2", day.Add(time.Hour), long)
	dispute(t, s)
	ok(t, s.Touch(ctx, []memory.Use{{ID: "used", Times: 2, At: day, Expires: long.AddDate(0, 1, 0)}, {ID: "nothing", Times: 1, At: day}}))
	used, _, err := s.Fact(ctx, "used")
	ok(t, err)
	if used.Hits != 2 || !used.Used.Equal(day) || !used.Expires.Equal(long.AddDate(0, 1, 0)) {
		t.Errorf("used = %+v", used)
	}
	now := day.AddDate(0, 0, 10)
	sweep := memory.Sweep{Now: now, Unused: now.AddDate(0, 0, -60), History: now.AddDate(-1, 0, 0), PerScope: 2}
	got := must[memory.Swept](t)(s.Sweep(ctx, sweep))
	same(t, "swept", got, memory.Swept{Expired: 1, Archived: 1, Over: 1})
	same(t, "statuses", statuses(t, s, "over", "idle", "used", "new1", "new2", "f1", "f2"), map[string]memory.Status{
		"over": memory.Expired, "idle": memory.Archived, "used": memory.Archived, "new1": memory.Active, "new2": memory.Active, "f1": memory.Disputed, "f2": memory.Disputed,
	})
	same(t, "swept again", must[memory.Swept](t)(s.Sweep(ctx, sweep)), memory.Swept{})
	same(t, "found", len(must[[]memory.Scored](t)(search(s, ctx, annAlone, "words", 9))), 4)
	ok(t, s.Restore(ctx, "idle", now, long))
	ok(t, s.Restore(ctx, "f1", now, long))
	same(t, "restored", statuses(t, s, "idle", "f1"), map[string]memory.Status{"idle": memory.Active, "f1": memory.Disputed})

	// A side of the dispute ends: the other is at peace, and nothing is left to settle.
	ok(t, s.Touch(ctx, []memory.Use{{ID: "f1", At: day, Expires: now}, {ID: "f2", At: day, Expires: long}}))
	sweep.PerScope = 9
	must[memory.Swept](t)(s.Sweep(ctx, sweep))
	same(t, "statuses", statuses(t, s, "f1", "f2"), map[string]memory.Status{"f1": memory.Expired, "f2": memory.Active})
	if _, err := s.Close(ctx, "c1", memory.TakeNew, ann, now); !errors.Is(err, memory.ErrSettled) {
		t.Errorf("settling it = %v", err)
	}
	sweep.Now, sweep.History = now.AddDate(0, 0, 1), now.Add(time.Minute)
	sweep.Unused = day.AddDate(0, 0, -90)
	same(t, "deleted", must[memory.Swept](t)(s.Sweep(ctx, sweep)), memory.Swept{Deleted: 3})
	same(t, "left", statuses(t, s, "over", "used", "f1", "f2"), map[string]memory.Status{"f2": memory.Active})
}

func testAsked(t *testing.T, s memory.Store) {
	ctx := t.Context()
	c := dispute(t, s)
	disputes := func(before time.Time) []string {
		ids := []string{}
		for _, d := range must[[]memory.Conflict](t)(s.Disputes(ctx, before)) {
			same(t, "sides", []string{d.Old.ID, d.New.ID}, []string{c.Old.ID, c.New.ID})
			ids = append(ids, d.ID)
		}
		return ids
	}
	same(t, "too early", disputes(day), []string{})
	same(t, "open", disputes(at), []string{"c1"})
	ok(t, s.Asked(ctx, "c1", at))
	same(t, "asked", disputes(at), []string{})
}
