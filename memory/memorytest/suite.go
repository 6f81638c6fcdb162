package memorytest

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hermes/memory"
)

// People and places of the suite.
const (
	ann = "slack:T1:U1"
	bob = "slack:T1:U2"

	sales = "slack/T1/C1"
	ops   = "slack/T1/C2"
	team  = "slack:T1"
)

var (
	// day has no more than milliseconds, so that a database may keep it.
	day = time.Date(2026, 5, 3, 9, 30, 0, 0, time.UTC)

	annAlone   = memory.Viewer{Person: ann, Channel: "slack/T1/D1", Team: team, Direct: true}
	annInSales = memory.Viewer{Person: ann, Channel: sales, Team: team}
	bobAlone   = memory.Viewer{Person: bob, Channel: "slack/T1/D2", Team: team, Direct: true}
	bobInSales = memory.Viewer{Person: bob, Channel: sales, Team: team}
)

// fact returns a fact of Ann's for her alone.
func fact(id, predicate, object string, said time.Time) memory.Fact {
	return memory.Fact{
		ID: id, Subject: ann, Predicate: predicate, Object: object, Text: "words of " + object,
		Kind: memory.Stated, Confidence: 1, Source: "slack/T1/C1/" + id, Link: "https://x/" + id, Place: "slack/T1/C1/17.4",
		By: ann, Said: said, Audience: memory.Audience{Kind: memory.ForUser, ID: ann}, Status: memory.Active,
	}
}

func with(f memory.Fact, change func(*memory.Fact)) memory.Fact {
	change(&f)
	return f
}

func idsOf(facts []memory.Fact) []string {
	ids := []string{}
	for _, f := range facts {
		ids = append(ids, f.ID)
	}
	return ids
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// search asks a Memory that has just been opened over s.
func search(s memory.Store, ctx context.Context, v memory.Viewer, text string, limit int) ([]memory.Scored, error) { //nolint:revive // as the store is asked
	return memory.New(s, func() time.Time { return day }).Recall(ctx, v, text, limit)
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateApproxTime(time.Millisecond), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// TestStore runs every promise of memory.Store, each against a fresh store that
// open makes.
func TestStore(t *testing.T, open func(*testing.T) memory.Store) {
	run := func(name string, f func(*testing.T, memory.Store)) {
		t.Run(name, func(t *testing.T) { f(t, open(t)) })
	}
	run("a fact comes back as it was put", testRoundTrip)
	run("a put of a known id changes nothing", testPutTwice)
	run("current is of one audience, subject and predicate, newest first", testCurrent)
	run("M1 nobody sees another's facts, in no place and by no words", testAudiences)
	run("M2 a viewer without a name sees nothing", testNobody)
	run("M1 the filter comes before the limit", testFilterFirst)
	run("words find, in English and Chinese", testSearchWords)
	run("what people type is no query language", testSearchHostile)
	run("M5 a dispute keeps both and opens one conflict", testDispute)
	run("M5 a supersede closes the old and keeps the new", testSupersede)
	run("M6 after five moves the last is current and the history is there", testMoves)
	run("M9 what is superseded takes no place in an answer", testStaleFillsNothing)
	run("settling", testClose)
	run("the first settlement wins, of many at once", testCloseRace)
	run("M17 deleted is gone from every way to ask", testDelete)
	run("M17 what the deleted had replaced is gone with it", testDeleteHistory)
	run("M17 the other side of a deleted dispute is at peace", testDeleteDisputed)
	run("M9 what a warm index holds and the store has given up is not found", testWarm)
	run("MEM-04 a walk goes three steps, along what may be seen", testLinked)
	run("MEM-19 a sweep expires, archives, keeps within the cap and deletes", testSweep)
	run("MEM-15 an open dispute is asked about again once", testAsked)
	run("M18 episodes have audiences too", testEpisodes)
}

func testRoundTrip(t *testing.T, s memory.Store) {
	ctx := t.Context()
	want := with(fact("f1", memory.Note, "Größe “A” 部署\nsecond line", day), func(f *memory.Fact) {
		f.Event, f.Confidence, f.Kind = day.AddDate(0, -1, 0), 0.5, memory.Observed
		f.Until, f.Expires, f.Evidence = day.AddDate(0, 2, 0), day.AddDate(0, 6, 0), []string{"slack/T1/C1/1", "run/1/s2"}
	})
	ok(t, s.Put(ctx, want))
	got, found, err := s.Fact(ctx, "f1")
	if err != nil || !found {
		t.Fatalf("Fact = %v, %v", found, err)
	}
	same(t, "fact", got, want)
	if !got.Closed.IsZero() {
		t.Errorf("Closed = %v, want the zero time", got.Closed)
	}
	if _, found, err := s.Fact(ctx, "f2"); found || err != nil {
		t.Errorf("an unknown id: found %v, %v", found, err)
	}
}

func testPutTwice(t *testing.T, s memory.Store) {
	ctx := t.Context()
	ok(t, s.Put(ctx, fact("f1", memory.Note, "first", day)))
	ok(t, s.Put(ctx, fact("f1", memory.Note, "second", day.Add(time.Hour))))
	got, _, err := s.Fact(ctx, "f1")
	ok(t, err)
	same(t, "object", got.Object, "first")
	same(t, "found by the second's words", must[[]memory.Scored](t)(search(s, ctx, annAlone, "second", 5)), []memory.Scored{})
	same(t, "list", idsOf(must[[]memory.Fact](t)(s.List(ctx, annAlone, 5))), []string{"f1"})
}

func testCurrent(t *testing.T, s memory.Store) {
	ctx := t.Context()
	inSales := memory.Audience{Kind: memory.ForChannel, ID: sales}
	for _, f := range []memory.Fact{
		fact("f1", memory.PrefersFormat, "xlsx", day),
		fact("f3", memory.PrefersFormat, "pdf", day.Add(2*time.Hour)),
		fact("f2", memory.PrefersFormat, "csv", day.Add(time.Hour)),
		fact("f4", memory.PrefersLanguage, "zh", day),
		with(fact("f5", memory.PrefersFormat, "json", day), func(f *memory.Fact) { f.Audience = inSales }),
		with(fact("f6", memory.PrefersFormat, "html", day), func(f *memory.Fact) { f.Subject = bob }),
	} {
		ok(t, s.Put(ctx, f))
	}
	current := must[[]memory.Fact](t)
	alone := memory.Audience{Kind: memory.ForUser, ID: ann}
	same(t, "Ann's", idsOf(current(s.Current(ctx, alone, ann, memory.PrefersFormat))), []string{"f3", "f2", "f1"})
	same(t, "in sales", idsOf(current(s.Current(ctx, inSales, ann, memory.PrefersFormat))), []string{"f5"})
	same(t, "of Bob", idsOf(current(s.Current(ctx, alone, bob, memory.PrefersFormat))), []string{"f6"})
	same(t, "none", idsOf(current(s.Current(ctx, alone, ann, memory.ReportsTo))), []string{})
}
