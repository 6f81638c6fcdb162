package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/memory"
)

func TestNobodyRemembersNothing(t *testing.T) {
	m, _ := open()
	for name, c := range map[string]struct {
		change func(*memory.Fact)
		want   error
	}{
		"M2 without a person":         {func(f *memory.Fact) { f.By = "" }, memory.ErrNobody},
		"M1 without an audience":      {func(f *memory.Fact) { f.Audience = memory.Audience{} }, memory.ErrNoAudience},
		"M1 an audience without name": {func(f *memory.Fact) { f.Audience.ID = "" }, memory.ErrNoAudience},
		"M1 an unknown audience":      {func(f *memory.Fact) { f.Audience.Kind = "world" }, memory.ErrNoAudience},
		"without an object":           {func(f *memory.Fact) { f.Object = " “” " }, memory.ErrEmpty},
		"without a subject":           {func(f *memory.Fact) { f.Subject = " " }, memory.ErrEmpty},
	} {
		t.Run(name, func(t *testing.T) {
			f := says(1, memory.Note, "x")
			c.change(&f)
			if _, err := m.Remember(t.Context(), f); !errors.Is(err, c.want) {
				t.Errorf("Remember = %v, want %v", err, c.want)
			}
		})
	}
	t.Run("M2 a viewer without a name recalls nothing", func(t *testing.T) {
		keep(t, m, says(1, memory.Note, "x marks the spot"))
		nobody := memory.Viewer{Team: "web:w", Direct: true}
		if got, _ := m.Recall(t.Context(), nobody, "spot", 5); len(got) != 0 {
			t.Errorf("Recall = %v", got)
		}
		if got, _ := m.List(t.Context(), nobody); len(got) != 0 {
			t.Errorf("List = %v", got)
		}
		if got := preference(t, m, nobody); got != "" {
			t.Errorf("Preferences = %v", got)
		}
		if _, err := m.Forget(t.Context(), nobody, []string{"f1"}); err != nil {
			t.Error(err)
		}
	})
}

// A person's facts are for that person; in a channel the preferences are used and
// not shown.
func TestPrivate(t *testing.T) {
	m, _ := open()
	keep(t, m, says(1, memory.PrefersFormat, "csv"))
	keep(t, m, says(2, memory.Note, "the secret word is zebra"))
	here := says(3, memory.Note, "zebra crossing")
	here.Place = "web/w/sales/17.4"
	keep(t, m, here)

	list := func(v memory.Viewer) []string {
		got := []string{}
		facts, err := m.List(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			got = append(got, f.Object)
		}
		return got
	}
	recall := func(v memory.Viewer) []string {
		got := []string{}
		facts, err := m.Recall(t.Context(), v, "zebra secret csv format", 9)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			got = append(got, f.Object)
		}
		return got
	}
	bobAlone := memory.Viewer{Person: bob, Channel: "web/w/dm-bob", Team: "web:w", Direct: true}
	bobInSales := memory.Viewer{Person: bob, Channel: "web/w/sales", Team: "web:w"}
	t.Run("M1 another sees nothing", func(t *testing.T) {
		for _, v := range []memory.Viewer{bobAlone, bobInSales} {
			if got := append(list(v), recall(v)...); len(got) != 0 {
				t.Errorf("%+v sees %v", v, got)
			}
			if got := preference(t, m, v); got != "" {
				t.Errorf("%+v gets %s", v, got)
			}
		}
	})
	t.Run("M3 in a channel only what was said there is listed", func(t *testing.T) {
		if d := cmp.Diff([]string{"zebra crossing"}, list(inSales)); d != "" {
			t.Error(d)
		}
		if n, err := m.Withheld(t.Context(), inSales); n != 2 || err != nil {
			t.Errorf("withheld %d, %v, want 2", n, err)
		}
		if got := recall(inSales); len(got) != 0 {
			t.Errorf("recalls %v", got)
		}
	})
	t.Run("M3 in a channel the asker's preference is used", func(t *testing.T) {
		if got := preference(t, m, inSales); got != "csv" {
			t.Errorf("uses %q", got)
		}
	})
	t.Run("alone everything is there", func(t *testing.T) {
		if got := list(alone); len(got) != 3 {
			t.Errorf("lists %v", got)
		}
	})
}

func TestRecallDisputed(t *testing.T) {
	m, _ := open()
	keep(t, m, says(1, memory.Means, "gross merchandise value of paid orders"))
	next := keep(t, m, says(2, memory.Means, "value"))
	got, err := m.Recall(t.Context(), alone, "gross merchandise paid orders", 5)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].ID != next.Fact.ID || got[0].Behind != "" || got[1].Behind != next.Fact.ID {
		t.Errorf("M6 Recall = %+v, want the newer one first and named by the other", got)
	}
	for _, s := range got {
		if s.Status != memory.Disputed {
			t.Errorf("%s is not marked", s.Object)
		}
	}
}

func TestForget(t *testing.T) {
	m, s := open()
	mine := keep(t, m, says(1, memory.Note, "the secret word is zebra")).Fact
	keep(t, m, says(2, memory.PrefersFormat, "xlsx"))
	c := keep(t, m, says(3, memory.PrefersFormat, "csv")).Conflict
	if _, err := m.Settle(t.Context(), c.ID, memory.TakeNew, ann); err != nil {
		t.Fatal(err)
	}
	theirs := says(4, memory.Note, "team rule")
	theirs.By, theirs.Audience = bob, memory.Audience{Kind: memory.ForTeam, ID: "web:w"}
	rule := keep(t, m, theirs).Fact

	got, err := m.Forget(t.Context(), alone, []string{mine.ID, c.New.ID, rule.ID, "f0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("M17 the receipt counts what is gone, history too", func(t *testing.T) {
		if got.Count != 3 || len(got.Facts) != 2 {
			t.Errorf("count %d of %d facts, want 3 of 2", got.Count, len(got.Facts))
		}
		for _, f := range got.Facts {
			if f.Status != memory.Forgotten {
				t.Errorf("%s is %s in the receipt", f.Object, f.Status)
			}
		}
	})
	t.Run("M17 ten probes find nothing", func(t *testing.T) {
		for _, text := range []string{"zebra", "secret", "secret word", "word", "what is the secret?", "the", "I said", "csv", "xlsx", "format"} {
			found, err := m.Recall(t.Context(), alone, text, 9)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				if f.ID != rule.ID {
					t.Errorf("%q finds %s", text, f.Object)
				}
			}
		}
	})
	t.Run("another's stays", func(t *testing.T) {
		if d := cmp.Diff([]string{rule.ID, "f0"}, got.Kept); d != "" {
			t.Error(d)
		}
		if got := statusOf(t, s, rule.ID); got != memory.Active {
			t.Errorf("it is %q", got)
		}
	})
	t.Run("again deletes nothing", func(t *testing.T) {
		again, err := m.Forget(t.Context(), alone, []string{mine.ID})
		if err != nil || again.Count != 0 {
			t.Errorf("Forget = %+v, %v", again, err)
		}
	})
}

func TestEpisodes(t *testing.T) {
	m, _ := open()
	e := memory.Episode{ID: "r1", At: day, Who: bob, Text: "posted the report", Audience: memory.Audience{Kind: memory.ForUser, ID: bob}}
	if err := m.Log(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if err := m.Log(t.Context(), memory.Episode{ID: "r2", Who: bob, Text: "x"}); !errors.Is(err, memory.ErrNoAudience) {
		t.Errorf("M18 an episode for nobody: %v", err)
	}
	if _, err := m.Meant(t.Context(), alone, "k", []string{"f1"}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "report", "posted", "f1"} {
		if got, _ := m.Episodes(t.Context(), alone, text, 9); len(got) != 0 {
			t.Errorf("M18 Ann asks for %q and hears of %v", text, got)
		}
	}
}

func TestMeant(t *testing.T) {
	m, _ := open()
	for _, ids := range [][]string{{"f1"}, {"f2"}, nil} {
		got, err := m.Meant(t.Context(), alone, "call-1", ids)
		if d := cmp.Diff([]string{"f1"}, got); d != "" || err != nil {
			t.Errorf("Meant(%v): %v %s", ids, err, d)
		}
	}
	if got, err := m.Meant(t.Context(), alone, "call-2", nil); got != nil || err != nil {
		t.Errorf("Meant of a new wish = %v, %v", got, err)
	}
}

// What words mean to a person is told with the preferences, whatever the request
// says: "and by product?" takes its words from the turn before.
func TestTermsWithPreferences(t *testing.T) {
	m, _ := open()
	term := func(n int, subject, object string, a memory.Audience) {
		f := says(n, memory.Means, object)
		f.Subject, f.Audience = subject, a
		keep(t, m, f)
	}
	keep(t, m, says(1, memory.PrefersFormat, "csv"))
	term(2, "turnover", "profit", memory.Audience{Kind: memory.ForUser, ID: ann})
	term(3, "业绩", "利润", memory.Audience{Kind: memory.ForUser, ID: ann})
	term(4, "业绩", "销售额", memory.Audience{Kind: memory.ForUser, ID: ann})
	term(5, "takings", "orders", memory.Audience{Kind: memory.ForUser, ID: "web:w:zoe"})
	got, err := m.Preferences(t.Context(), inSales)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range got {
		all = append(all, f.Subject+" "+f.Object)
	}
	if s, want := strings.Join(all, "; "), ann+" csv; 业绩 销售额; turnover profit"; s != want {
		t.Errorf("Preferences = %s, want %s", s, want)
	}
}
