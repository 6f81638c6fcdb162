package memory_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/memory"
	"hermes/memory/memorytest"
)

const (
	ann = "web:w:ann"
	bob = "web:w:bob"
)

var (
	day     = time.Date(2026, 5, 3, 9, 0, 0, 0, time.UTC)
	settled = day.AddDate(0, 0, 7)
	alone   = memory.Viewer{Person: ann, Channel: "web/w/dm-ann", Team: "web:w", Direct: true}
	inSales = memory.Viewer{Person: ann, Channel: "web/w/sales", Team: "web:w"}
)

func open() (*memory.Memory, *memorytest.Store) {
	s := memorytest.New()
	return memory.New(s, func() time.Time { return settled }), s
}

// says is a fact about Ann that she states in her direct messages, n hours after
// day, in a message of its own.
func says(n int, predicate, object string) memory.Fact {
	return memory.Fact{
		Subject: ann, Predicate: predicate, Object: object, Text: "I said " + object,
		Source: fmt.Sprintf("web/w/dm-ann/%d", n), Place: "web/w/dm-ann/", By: ann,
		Said: day.Add(time.Duration(n) * time.Hour), Audience: memory.Audience{Kind: memory.ForUser, ID: ann},
	}
}

func keep(t *testing.T, m *memory.Memory, f memory.Fact) memory.Receipt {
	t.Helper()
	r, err := m.Remember(context.Background(), f)
	if err != nil {
		t.Fatalf("Remember(%s %s): %v", f.Predicate, f.Object, err)
	}
	return r
}

func statusOf(t *testing.T, s memory.Store, id string) memory.Status {
	t.Helper()
	f, _, err := s.Fact(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return f.Status
}

func preference(t *testing.T, m *memory.Memory, v memory.Viewer) string {
	t.Helper()
	p, err := m.Preferences(context.Background(), v)
	if err != nil {
		t.Fatal(err)
	}
	if len(p) == 0 {
		return ""
	}
	return p[0].Object
}

// A contradiction keeps both and uses the newer one, until a person says.
func TestContradiction(t *testing.T) {
	for name, c := range map[string]struct {
		choice   memory.Choice
		old, new memory.Status
		use      string
	}{
		"M5 nobody has answered yet":     {"", memory.Disputed, memory.Disputed, "csv"},
		"M5 keep-old supersedes the new": {memory.KeepOld, memory.Active, memory.Superseded, "xlsx"},
		"M5 take-new supersedes the old": {memory.TakeNew, memory.Superseded, memory.Active, "csv"},
		"M5 keep-both uses the newer":    {memory.KeepBoth, memory.Active, memory.Active, "csv"},
	} {
		t.Run(name, func(t *testing.T) {
			m, s := open()
			old := keep(t, m, says(1, memory.PrefersFormat, "Excel reports"))
			next := keep(t, m, says(2, memory.PrefersFormat, "CSV"))
			if old.Conflict != nil || next.Conflict == nil {
				t.Fatalf("conflicts: %v, %v", old.Conflict, next.Conflict)
			}
			if next.Conflict.Old.ID != old.Fact.ID || next.Conflict.New.ID != next.Fact.ID {
				t.Errorf("conflict is of %s and %s", next.Conflict.Old.Object, next.Conflict.New.Object)
			}
			if c.choice != "" {
				if _, err := m.Settle(t.Context(), next.Conflict.ID, c.choice, ann); err != nil {
					t.Fatal(err)
				}
			}
			if got := statusOf(t, s, old.Fact.ID); got != c.old {
				t.Errorf("old is %s, want %s", got, c.old)
			}
			if got := statusOf(t, s, next.Fact.ID); got != c.new {
				t.Errorf("new is %s, want %s", got, c.new)
			}
			if got := preference(t, m, inSales); got != c.use {
				t.Errorf("uses %s, want %s", got, c.use)
			}
		})
	}
}

// The loser stays in the history, with when.
func TestSettledLoserIsHistory(t *testing.T) {
	m, s := open()
	old := keep(t, m, says(1, memory.PrefersFormat, "xlsx"))
	next := keep(t, m, says(2, memory.PrefersFormat, "csv"))
	c, err := m.Settle(t.Context(), next.Conflict.ID, memory.TakeNew, ann)
	if err != nil || c.By != ann || !c.At.Equal(settled) {
		t.Fatalf("Settle = %+v, %v", c, err)
	}
	f, _, _ := s.Fact(t.Context(), old.Fact.ID)
	if f.ReplacedBy != next.Fact.ID || !f.Closed.Equal(settled) {
		t.Errorf("loser = %+v", f)
	}
}

func TestSettleTwice(t *testing.T) {
	m, _ := open()
	keep(t, m, says(1, memory.PrefersFormat, "xlsx"))
	id := keep(t, m, says(2, memory.PrefersFormat, "csv")).Conflict.ID
	for range 2 {
		if _, err := m.Settle(t.Context(), id, memory.KeepOld, ann); err != nil {
			t.Errorf("the same answer: %v", err)
		}
	}
	if c, err := m.Settle(t.Context(), id, memory.TakeNew, ann); !errors.Is(err, memory.ErrSettled) || c.Settled != string(memory.KeepOld) {
		t.Errorf("another answer = %+v, %v", c, err)
	}
	if _, err := m.Settle(t.Context(), id, "maybe", ann); err == nil {
		t.Error("a word that is no choice settles")
	}
	if _, err := m.Settle(t.Context(), "c0", memory.KeepOld, ann); !errors.Is(err, memory.ErrNoConflict) {
		t.Errorf("an unknown conflict: %v", err)
	}
}

// Whatever is said in whatever order, and whichever of the open questions is
// answered, an answer leaves no third statement disputed.
func TestSettleHoldsForAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, s := open()
		ctx := context.Background()
		objects := rapid.SliceOfN(rapid.SampledFrom([]string{"xlsx", "csv", "pdf"}), 2, 6).Draw(t, "objects")
		var conflicts []memory.Conflict
		for i, o := range objects {
			r, err := m.Remember(ctx, says(i, memory.PrefersFormat, o))
			if err != nil {
				t.Fatal(err)
			}
			if r.Conflict != nil {
				conflicts = append(conflicts, *r.Conflict)
			}
		}
		if len(conflicts) == 0 {
			return
		}
		c := rapid.SampledFrom(conflicts).Draw(t, "conflict")
		choice := rapid.SampledFrom([]memory.Choice{memory.KeepOld, memory.TakeNew, memory.KeepBoth}).Draw(t, "choice")
		for range 2 {
			if _, err := m.Settle(ctx, c.ID, choice, ann); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]bool{}
		if choice != memory.TakeNew {
			want[c.Old.Object] = true
		}
		if choice != memory.KeepOld {
			want[c.New.Object] = true
		}
		current, err := s.Current(ctx, c.New.Audience, ann, memory.PrefersFormat)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, f := range current {
			if f.Status != memory.Active {
				t.Errorf("%s is %s", f.Object, f.Status)
			}
			got[f.Object] = true
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%v, %s of %s and %s (-want +got):\n%s", objects, choice, c.Old.Object, c.New.Object, d)
		}
		if len(current) != len(want) {
			t.Errorf("%d facts for %d objects", len(current), len(want))
		}
	})
}

// What is said last is used, also if it is what was said first.
func TestNewestExplicitIsUsed(t *testing.T) {
	m, _ := open()
	keep(t, m, says(1, memory.PrefersFormat, "xlsx"))
	keep(t, m, says(2, memory.PrefersFormat, "csv"))
	r := keep(t, m, says(3, memory.PrefersFormat, "Excel"))
	if r.Conflict == nil || r.Conflict.Old.Object != "csv" {
		t.Errorf("conflict = %+v, want one with csv", r.Conflict)
	}
	if got := preference(t, m, alone); got != "xlsx" {
		t.Errorf("uses %s, want xlsx", got)
	}
	seen := says(4, memory.PrefersFormat, "pdf")
	seen.Kind = memory.Observed
	keep(t, m, seen)
	if got := preference(t, m, alone); got != "xlsx" {
		t.Errorf("after something observed uses %s, want what was stated", got)
	}
}

func TestSimilarIsNotContradictory(t *testing.T) {
	type said struct{ subject, predicate, object string }
	for name, c := range map[string]struct {
		old, new said
		want     bool
	}{
		"M7 my player and my brother's player": {said{"my player", memory.Means, "Messi"}, said{"my brother's player", memory.Means, "Ronaldo"}, false},
		"M7 two notes":                         {said{ann, memory.Note, "the report goes to Bob"}, said{ann, memory.Note, "the report goes to Eve"}, false},
		"M7 two likes":                         {said{ann, memory.Likes, "tea"}, said{ann, memory.Likes, "coffee"}, false},
		"M7 two predicates":                    {said{ann, memory.PrefersFormat, "csv"}, said{ann, memory.PrefersLanguage, "zh"}, false},
		"M7 one thing in two words":            {said{ann, memory.PrefersFormat, "Excel 表格"}, said{ann, memory.PrefersFormat, "xlsx"}, false},
		"M7 one language in two words":         {said{ann, memory.PrefersLanguage, "中文"}, said{ann, memory.PrefersLanguage, "Chinese"}, false},
		"M7 two kinds of Chinese":              {said{ann, memory.PrefersLanguage, "Chinese"}, said{ann, memory.PrefersLanguage, "traditional Chinese"}, true},
		"M7 a term twice alike":                {said{"GMV", memory.Means, "Gross merchandise value."}, said{"gmv", memory.Means, "gross  merchandise value"}, false},
		"M7 a term twice":                      {said{"GMV", memory.Means, "gross merchandise value"}, said{"ＧＭＶ", memory.Means, "value without refunds"}, true},
		"M7 two bosses":                        {said{ann, memory.ReportsTo, "Eve"}, said{ann, memory.ReportsTo, "Bob"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := open()
			first, second := says(1, c.old.predicate, c.old.object), says(2, c.new.predicate, c.new.object)
			first.Subject, second.Subject = c.old.subject, c.new.subject
			keep(t, m, first)
			if r := keep(t, m, second); (r.Conflict != nil) != c.want {
				t.Errorf("conflict = %+v, want one: %v", r.Conflict, c.want)
			}
		})
	}
	t.Run("M7 one word in two audiences", func(t *testing.T) {
		m, _ := open()
		keep(t, m, says(1, memory.Means, "x"))
		other := says(2, memory.Means, "y")
		other.Audience = memory.Audience{Kind: memory.ForTeam, ID: "web:w"}
		if r := keep(t, m, other); r.Conflict != nil {
			t.Error("what is said to the team contradicts what is said in private")
		}
	})
}

func TestSaidAgain(t *testing.T) {
	t.Run("M11 the same again is one fact of the newer date", func(t *testing.T) {
		m, _ := open()
		for i := range 9 {
			r := keep(t, m, says(i, memory.PrefersFormat, "CSV"))
			if r.Known != (i > 0) || r.Conflict != nil {
				t.Errorf("time %d: %+v", i, r)
			}
		}
		got, _ := m.List(t.Context(), alone)
		if len(got) != 1 || !got[0].Said.Equal(day.Add(8*time.Hour)) {
			t.Errorf("listed %+v", got)
		}
	})
	t.Run("a step done again adds nothing", func(t *testing.T) {
		m, _ := open()
		keep(t, m, says(1, memory.PrefersFormat, "xlsx"))
		first, again := keep(t, m, says(2, memory.PrefersFormat, "csv")), keep(t, m, says(2, memory.PrefersFormat, "csv"))
		if !again.Again || again.Fact.ID != first.Fact.ID || again.Conflict == nil || again.Conflict.ID != first.Conflict.ID {
			t.Errorf("again = %+v, want the conflict %s", again, first.Conflict.ID)
		}
		if got, _ := m.List(t.Context(), alone); len(got) != 2 {
			t.Errorf("%d facts, want 2", len(got))
		}
	})
	t.Run("what was kept as both may be said again", func(t *testing.T) {
		m, _ := open()
		keep(t, m, says(1, memory.PrefersFormat, "xlsx"))
		c := keep(t, m, says(2, memory.PrefersFormat, "csv")).Conflict
		if _, err := m.Settle(t.Context(), c.ID, memory.KeepBoth, ann); err != nil {
			t.Fatal(err)
		}
		if r := keep(t, m, says(3, memory.PrefersFormat, "xlsx")); r.Conflict != nil || !r.Known {
			t.Errorf("receipt = %+v", r)
		}
		if got := preference(t, m, alone); got != "xlsx" {
			t.Errorf("uses %s", got)
		}
	})
}
