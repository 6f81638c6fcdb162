package memory_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/memory"
	"hermes/memory/memorytest"
)

const oneDay = 24 * time.Hour

// clock is a time that the test moves.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func (c *clock) pass(d time.Duration) { c.Time = c.Add(d) }

func kept(t *testing.T) (*memory.Memory, *memorytest.Store, *clock) {
	s, c := memorytest.New(), &clock{day}
	return memory.New(s, c.now), s, c
}

func told(t *testing.T, m *memory.Memory, text string) []string {
	t.Helper()
	found, err := m.Recall(t.Context(), alone, text, 9)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range found {
		all = append(all, f.Object)
	}
	return all
}

func patrol(t *testing.T, m *memory.Memory, c *clock) memory.Report {
	t.Helper()
	r, err := m.Patrol(t.Context(), c.now())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKeeping(t *testing.T) {
	t.Run("MEM-18 what is not sure enough is refused", func(t *testing.T) {
		m, _, _ := kept(t)
		for confidence, want := range map[float64]error{0.5: memory.ErrUnsure, 0.59: memory.ErrUnsure, 0.6: nil, 0.7: nil} {
			f := says(int(confidence*100), memory.Note, fmt.Sprint("sure to ", confidence))
			f.Confidence = confidence
			if _, err := m.Remember(t.Context(), f); !errors.Is(err, want) {
				t.Errorf("confidence %v: %v, want %v", confidence, err, want)
			}
		}
	})
	t.Run("M14 what follows from nothing is refused", func(t *testing.T) {
		m, _, _ := kept(t)
		f := says(1, memory.Note, "Ann goes by Sparky")
		f.Kind, f.Source = memory.Inferred, ""
		if _, err := m.Remember(t.Context(), f); !errors.Is(err, memory.ErrEvidence) {
			t.Errorf("Remember = %v", err)
		}
		f.Evidence = []string{"web/w/c/1", "web/w/c/2"}
		if r := keep(t, m, f); len(r.Fact.Evidence) != 2 || r.Fact.Kind != memory.Inferred {
			t.Errorf("MEM-10 kept as %+v", r.Fact)
		}
	})
	t.Run("MEM-26 one person cannot fill it in a day", func(t *testing.T) {
		_, s, c := kept(t)
		k := memory.DefaultKeeping()
		k.PerDay = 3
		m := memory.NewWith(s, c.now, memory.Options{Keeping: &k})
		for i := range 5 {
			_, err := m.Remember(t.Context(), says(i, memory.Note, fmt.Sprint("note ", i)))
			if got := errors.Is(err, memory.ErrQuota); got != (i >= 3) {
				t.Errorf("note %d: %v", i, err)
			}
		}
		c.pass(oneDay)
		keep(t, m, says(9, memory.Note, "tomorrow"))
	})
	t.Run("MEM-16 every fact has confidence and times", func(t *testing.T) {
		m, _, _ := kept(t)
		f := keep(t, m, says(1, memory.Note, "x marks the spot")).Fact
		if f.Confidence == 0 || f.Said.IsZero() || f.Expires.IsZero() {
			t.Errorf("kept as %+v", f)
		}
	})
	t.Run("MEM-17 a fact of 181 days is not told, nor one of an hour before the sweep", func(t *testing.T) {
		m, s, c := kept(t)
		f := keep(t, m, says(1, memory.PrefersFormat, "csv")).Fact
		keep(t, m, says(2, memory.Note, "the printer is on floor 3"))
		c.pass(179 * oneDay)
		if got := told(t, memory.New(s, c.now), "the printer"); len(got) == 0 {
			t.Fatalf("after 179 days: %v", got)
		}
		c.pass(2 * oneDay)
		m = memory.New(s, c.now)
		if got := told(t, m, "the printer csv format"); len(got) != 0 {
			t.Errorf("told %v", got)
		}
		if p := preference(t, m, alone); p != "" {
			t.Errorf("the preference is %q", p)
		}
		if all, _ := m.List(t.Context(), alone); len(all) != 0 {
			t.Errorf("lists %v", all)
		}
		if r := patrol(t, m, c); r.Expired != 2 || statusOf(t, s, f.ID) != memory.Expired {
			t.Errorf("swept %+v", r)
		}
	})
	t.Run("MEM-17 a use puts the end off", func(t *testing.T) {
		m, _, c := kept(t)
		keep(t, m, says(1, memory.Note, "the printer is on floor 3"))
		for range 8 {
			c.pass(50 * oneDay)
			if got := told(t, m, "where is the printer"); len(got) != 1 {
				t.Fatalf("at %v: %v", c.Time, got)
			}
			patrol(t, m, c)
		}
	})
	t.Run("MEM-19 what nobody used for 60 days is archived, and can be restored", func(t *testing.T) {
		m, s, c := kept(t)
		f := keep(t, m, says(1, memory.Note, "the printer is on floor 3")).Fact
		c.pass(61 * oneDay)
		if r := patrol(t, m, c); r.Archived != 1 || statusOf(t, s, f.ID) != memory.Archived {
			t.Fatalf("swept %+v", r)
		}
		if got := told(t, m, "the printer"); len(got) != 0 {
			t.Errorf("told %v", got)
		}
		bobAlone := memory.Viewer{Person: bob, Direct: true}
		if _, err := m.Restore(t.Context(), bobAlone, f.ID); !errors.Is(err, memory.ErrNothing) {
			t.Errorf("M1 another restores it: %v", err)
		}
		if _, err := m.Restore(t.Context(), alone, f.ID); err != nil {
			t.Fatal(err)
		}
		if got := told(t, m, "the printer"); len(got) != 1 {
			t.Errorf("restored, and told %v", got)
		}
		if _, err := m.Restore(t.Context(), alone, f.ID); !errors.Is(err, memory.ErrNothing) {
			t.Errorf("restored again: %v", err)
		}
	})
	t.Run("MEM-09 of two that say the same the newer is first, and what does not fit is absent", func(t *testing.T) {
		m, _, c := kept(t)
		for i, text := range []string{"the quarterly figures go to the board", "the quarterly figures go to the board too"} {
			f := says(1, memory.Note, text)
			f.Source, f.Said = fmt.Sprint("s", i), day.Add(time.Duration(i)*50*oneDay)
			keep(t, m, f)
		}
		keep(t, m, says(7, memory.Likes, "quarterly figures"))
		c.pass(51 * oneDay)
		found, err := m.Find(t.Context(), alone, memory.Query{Text: "the quarterly figures go to the board", Limit: 5, Now: c.now(), Without: []string{memory.Likes}})
		if err != nil || len(found) != 2 || !strings.HasSuffix(found[0].Object, "too") {
			t.Errorf("found %v, %v", found, err)
		}
	})
	t.Run("MEM-25 what has no room is dropped, the last first", func(t *testing.T) {
		m, _, c := kept(t)
		for i := range 6 {
			keep(t, m, says(i, memory.Note, fmt.Sprintf("the deploy of service %d waits for the green light of team %d", i, i)))
		}
		size := func(tokens int) (n int) {
			found, err := m.Find(t.Context(), alone, memory.Query{Text: "deploy of service", Limit: 6, Now: c.now(), Tokens: tokens})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				if tokens -= memory.Tokens(f.Fact); tokens < 0 {
					t.Errorf("more than there is room for")
				}
			}
			return len(found)
		}
		if all, some, none := size(1000), size(80), size(5); all != 6 || some == 0 || some >= 6 || none != 0 {
			t.Errorf("%d, %d and %d of 6", all, some, none)
		}
	})
	t.Run("MEM-04 A leads to B and B to C: who asks for A hears of C", func(t *testing.T) {
		m, _, _ := kept(t)
		for i, f := range [][2]string{{"billing", "platform"}, {"platform", "Grace"}} {
			x := says(i, "owned-by", f[1])
			x.Subject, x.Text = f[0], f[0]+" is owned by "+f[1]
			keep(t, m, x)
		}
		if got := told(t, m, "Who is behind billing?"); len(got) != 2 || got[1] != "Grace" {
			t.Errorf("told %v", got)
		}
	})
}

// A dispute that nobody settles is asked about once more, and one whose side ends is no
// dispute.
func TestDisputesAskedOnce(t *testing.T) {
	m, s, c := kept(t)
	keep(t, m, says(1, memory.PrefersFormat, "xlsx"))
	conflict := keep(t, m, says(2, memory.PrefersFormat, "csv")).Conflict
	asked := 0
	for range 30 {
		c.pass(oneDay)
		preference(t, m, alone)
		for _, a := range patrol(t, m, c).Ask {
			if asked++; a.ID != conflict.ID || a.Old.Object != "xlsx" || a.New.Object != "csv" {
				t.Errorf("asks about %+v", a)
			}
			if err := m.AskedAgain(t.Context(), a.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times in 30 days, want once", asked)
	}
	if statusOf(t, s, conflict.New.ID) != memory.Disputed {
		t.Error("nobody answered, and it is settled")
	}
}

// H-29 a year of a busy team: nothing that is over is told, and the store is bounded.
func TestYear(t *testing.T) {
	s, c := memorytest.New(), &clock{day}
	k := memory.DefaultKeeping()
	k.History = 90 * oneDay
	m := memory.NewWith(s, c.now, memory.Options{Keeping: &k})
	most := 0
	for d := range 400 {
		for i := range 3 {
			f := says(d*3+i, memory.Note, fmt.Sprintf("standup of day %d item %d: ship number %d", d, i, d*7+i))
			f.Said = c.now()
			keep(t, m, f)
		}
		found, err := m.Recall(t.Context(), alone, fmt.Sprintf("standup item ship number %d", d*7), 20)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if !f.Expires.After(c.now()) || f.Status != memory.Active {
				t.Fatalf("day %d tells %s, %s, valid until %v", d, f.Object, f.Status, f.Expires)
			}
		}
		c.pass(oneDay)
		patrol(t, m, c)
		if n := s.Len(); n > most {
			most = n
		}
	}
	if most > 3*(60+90+40) {
		t.Errorf("the store grew to %d facts", most)
	}
}

// stuck is a Store that cannot write for a while.
type stuck struct {
	memory.Store
	locked bool
}

var errLocked = errors.New("database is locked")

func (s *stuck) Put(ctx context.Context, f memory.Fact) error {
	if s.locked {
		return errLocked
	}
	return s.Store.Put(ctx, f)
}

func TestKeptLater(t *testing.T) {
	c := &clock{day}
	s := &stuck{memorytest.New(), true}
	m := memory.New(s, c.now)
	for range 2 {
		r, err := m.Keep(t.Context(), says(1, memory.Note, "the printer is on floor 3"))
		if err != nil || !r.Queued {
			t.Fatalf("MEM-21 a locked store fails it: %+v, %v", r, err)
		}
	}
	if _, err := m.Keep(t.Context(), memory.Fact{}); !errors.Is(err, memory.ErrNobody) {
		t.Errorf("what is refused is refused at once: %v", err)
	}
	if _, err := m.Flush(t.Context()); !errors.Is(err, errLocked) || m.Queued() != 1 {
		t.Errorf("MEM-21 %d wait, %v", m.Queued(), err)
	}
	s.locked = false
	if n, err := m.Flush(t.Context()); n != 1 || err != nil || m.Queued() != 0 {
		t.Errorf("MEM-21 unlocked: kept %d, %v, %d wait", n, err, m.Queued())
	}
	if got := told(t, m, "printer"); len(got) != 1 {
		t.Errorf("told %v", got)
	}
}

func TestWorking(t *testing.T) {
	c := &clock{day}
	w := memory.NewWorking(c.now)
	brief := memory.Fact{Subject: ann, Predicate: memory.Note, Object: "be brief", By: ann, Place: "web/w/c/1"}
	if err := w.Hold(brief); err != nil {
		t.Fatal(err)
	}
	t.Run("MEM-02 it holds in its conversation and for who said it", func(t *testing.T) {
		if got := w.Held("web/w/c/1", ann); len(got) != 1 || got[0].Object != "be brief" {
			t.Errorf("held %v", got)
		}
		if got := append(w.Held("web/w/c/2", ann), w.Held("web/w/c/1", bob)...); len(got) != 0 {
			t.Errorf("MEM-29 held elsewhere: %v", got)
		}
	})
	t.Run("MEM-02 after two silent hours it is gone", func(t *testing.T) {
		c.pass(119 * time.Minute)
		if got := w.Held("web/w/c/1", ann); len(got) != 1 {
			t.Errorf("held %v", got)
		}
		c.pass(2 * time.Hour)
		if got := w.Held("web/w/c/1", ann); len(got) != 0 {
			t.Errorf("held %v", got)
		}
	})
	t.Run("MEM-02 with the end of the conversation it is gone", func(t *testing.T) {
		_ = w.Hold(brief)
		w.End("web/w/c/1")
		if got := w.Held("web/w/c/1", ann); len(got) != 0 {
			t.Errorf("held %v", got)
		}
	})
	t.Run("the newer wish takes the place of the older, and there is an end to them", func(t *testing.T) {
		for _, o := range []string{"Excel", "CSV"} {
			f := brief
			f.Predicate, f.Object = memory.PrefersFormat, o
			_ = w.Hold(f)
		}
		for i := range 50 {
			f := brief
			f.Object = fmt.Sprint("wish ", i)
			_ = w.Hold(f)
		}
		if got := w.Held("web/w/c/1", ann); len(got) != 20 {
			t.Errorf("held %d", len(got))
		}
	})
	t.Run("nobody's wishes are not held", func(t *testing.T) {
		if err := w.Hold(memory.Fact{Object: "x", Place: "p"}); !errors.Is(err, memory.ErrNobody) {
			t.Error(err)
		}
	})
}

func TestOnce(t *testing.T) {
	for text, want := range map[string]bool{
		"Just this once, be brief": true, "only for now use PDF": true, "this time only, in German please": true, "use CSV just for this time": true,
		"这次就用中文": true, "仅此一次，简短一点": true, "就这一次用PDF": true, "这次请简短": true,
		"from now on use PDF": false, "I told you once": false, "Once a month send it": false, "以后都用PDF": false, "每次都用Excel": false, "this is the time": false, "上一次的报告": false,
	} {
		if got := memory.Once(text); got != want {
			t.Errorf("Once(%q) = %v", text, got)
		}
	}
}

func TestEpisodeLife(t *testing.T) {
	m, _, c := kept(t)
	for i, d := range []int{0, 20} {
		at := day.AddDate(0, 0, d)
		c.Time = at
		e := memory.Episode{
			ID: fmt.Sprint("r", i), At: at, Who: ann, Text: "posted the sales report of Asia", Audience: memory.Audience{Kind: memory.ForUser, ID: ann},
			Asked: "sales by region", Outcome: "posted", Tools: []string{"query_metric", "render_report"}, Result: "artifact/a1", Data: "sales.db", Link: "https://x/1",
		}
		if err := m.Log(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	ids := func() (all []string) {
		es, err := m.Episodes(t.Context(), alone, "sales report", 9)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range es {
			all = append(all, e.ID)
		}
		return all
	}
	if got := ids(); len(got) != 2 || got[0] != "r1" {
		t.Errorf("MEM-03 found %v, want the newer first", got)
	}
	es, _ := m.Episodes(t.Context(), alone, "sales report", 1)
	if e := es[0]; len(e.Tools) != 2 || e.Result != "artifact/a1" || e.Data != "sales.db" || e.Asked == "" || e.Outcome == "" {
		t.Errorf("MEM-24 MEM-05 it comes back as %+v", e)
	}
	c.Time = day.AddDate(0, 0, 31)
	if got := ids(); len(got) != 1 || got[0] != "r1" {
		t.Errorf("MEM-17 after 31 days found %v", got)
	}
	patrol(t, m, c)
	c.Time = day.AddDate(0, 0, 51)
	if got := ids(); len(got) != 0 {
		t.Errorf("MEM-17 found %v", got)
	}
}
