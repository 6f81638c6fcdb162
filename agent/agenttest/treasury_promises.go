package agenttest

import (
	"slices"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/agent/run"
)

// A Keeper keeps Runs and what they have spent.
type Keeper interface {
	agent.Store
	agent.Treasury
}

// TestTreasury checks the promises of agent.Treasury on empty ones.
func TestTreasury(t *testing.T, open func(*testing.T) Keeper) {
	for name, check := range map[string]func(*testing.T, Keeper){
		"X8 what steps have cost is added up by whose it is and when": spent,
		"X8 a step that is saved again is paid once":                  paidOnce,
		"X8 who spent most comes first":                               spenders,
		"X8 the last raise of a period counts, each key once":         raises,
		"X8 what is pledged is there for others until it is redeemed": pledging,
	} {
		t.Run(name, func(t *testing.T) { check(t, open(t)) })
	}
}

// paying is a run of somebody with one step that has cost so much, at a time.
func paying(key, asker, home, job string, at time.Time, in, out int, nanos int64) run.Run {
	r := fresh(key)
	r.Asker, r.Home, r.Job = asker, home, job
	return r.Heard(llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: "x"}, Usage: llm.Usage{In: in, Out: out, Nanos: nanos}}, at, 0)
}

func spent(t *testing.T, s Keeper) {
	const bob = "test:w:bob"
	day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
	for _, r := range []run.Run{
		paying("a", asker, home, "", day(0), 100, 10, 5),
		paying("b", asker, other, "", day(0), 200, 20, 7),
		paying("c", bob, home, "j1", day(0), 1000, 0, 0),
		paying("d", asker, home, "", day(1), 10_000, 0, 11),
		paying("e", bob, "test/v/c/", "", day(0), 100_000, 0, 0),
		paying("f", asker, home, "", day(0), 0, 0, 0), // the built-in rules cost nothing
	} {
		save(t, s, r)
	}
	from, until := day(0).Truncate(24*time.Hour), day(1).Truncate(24*time.Hour)
	for name, tt := range map[string]struct {
		per, of     string
		from, until time.Time
		want        run.Amount
	}{
		"of all in a day":        {"", "", from, until, run.Amount{Tokens: 101_330, Nanos: 12}},
		"of a person in a day":   {"user", asker, from, until, run.Amount{Tokens: 330, Nanos: 12}},
		"of a person in all":     {"user", asker, time.Time{}, time.Time{}, run.Amount{Tokens: 10_330, Nanos: 23}},
		"in a channel":           {"channel", "test:w:c", from, until, run.Amount{Tokens: 1110, Nanos: 5}},
		"of a job":               {"job", "j1", from, until, run.Amount{Tokens: 1000}},
		"of no job":              {"job", "", from, until, run.Amount{}},
		"of a workspace":         {"workspace", "test:v", from, until, run.Amount{Tokens: 100_000}},
		"of a run":               {"run", "b", time.Time{}, time.Time{}, run.Amount{Tokens: 220, Nanos: 7}},
		"of nobody":              {"user", "test:w:eve", from, until, run.Amount{}},
		"the end does not count": {"user", asker, until, day(1), run.Amount{}},
	} {
		got, err := s.Spent(t.Context(), tt.per, tt.of, tt.from, tt.until)
		if err != nil || got != tt.want {
			t.Errorf("spent %s = %+v, %v; want %+v", name, got, err, tt.want)
		}
	}
}

func paidOnce(t *testing.T, s Keeper) {
	r := save(t, s, paying("a", asker, home, "", noon, 100, 0, 0))
	r = save(t, s, r)
	r = save(t, s, r.Note(func(st *run.Step) { st.Digests = append(st.Digests, run.Digest{Usage: llm.Usage{In: 7}}) }))
	save(t, s, r.Heard(llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: "y"}, Usage: llm.Usage{Out: 50}}, noon, 0))
	if got, err := s.Spent(t.Context(), "run", "a", time.Time{}, time.Time{}); err != nil || got != (run.Amount{Tokens: 157}) {
		t.Errorf("spent = %+v, %v; want 157 tokens", got, err)
	}
}

func spenders(t *testing.T, s Keeper) {
	for i, who := range []string{"test:w:a", "test:w:b", "test:w:c", "test:w:b"} {
		save(t, s, paying(Key(i), who, home, "", noon, 100, 0, 0))
	}
	save(t, s, paying(Key(9), "test:w:d", home, "", noon, 1, 0, 3))
	got, err := s.Spenders(t.Context(), "user", noon, time.Time{}, 3)
	if want := []string{"test:w:d", "test:w:b", "test:w:a"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("spenders = %q, %v; want %q", got, err, want)
	}
	if got, err := s.Spenders(t.Context(), "user", noon.Add(time.Second), time.Time{}, 3); err != nil || len(got) != 0 {
		t.Errorf("spenders of later = %q, %v", got, err)
	}
}

func raises(t *testing.T, s Keeper) {
	today, tomorrow := noon.Truncate(24*time.Hour), noon.Truncate(24*time.Hour).AddDate(0, 0, 1)
	raise := func(key string, limit run.Amount, from time.Time) {
		t.Helper()
		if err := s.Raise(t.Context(), run.Raise{Key: key, Budget: "user/day", Of: asker, From: from, Limit: limit, By: "test:w:lee", At: noon}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, err := s.Raised(t.Context(), "user/day", asker, today); ok || err != nil {
		t.Fatalf("raised before anybody did: %t, %v", ok, err)
	}
	raise("k1", run.Amount{Nanos: 5}, today)
	raise("k2", run.Amount{Nanos: 9, Tokens: 4}, today)
	raise("k1", run.Amount{Nanos: 100}, today)
	raise("k3", run.Amount{Nanos: 1}, tomorrow)
	got, ok, err := s.Raised(t.Context(), "user/day", asker, today.In(time.FixedZone("", 3600)))
	if err != nil || !ok || got.Limit != (run.Amount{Nanos: 9, Tokens: 4}) || got.By != "test:w:lee" || got.Key != "k2" {
		t.Errorf("raised = %+v, %t, %v; want the second", got, ok, err)
	}
	for _, x := range []struct{ budget, of string }{{"user/month", asker}, {"user/day", "test:w:bob"}} {
		if _, ok, err := s.Raised(t.Context(), x.budget, x.of, today); ok || err != nil {
			t.Errorf("%s of %s is raised: %t, %v", x.budget, x.of, ok, err)
		}
	}
}

func pledging(t *testing.T, s Keeper) {
	mine := run.Pledge{Run: "a", Asker: asker, Home: home, Cost: run.Amount{Tokens: 5, Nanos: 7}}
	theirs := run.Pledge{Run: "b", Asker: "test:w:bob", Home: other, Job: "j1", Cost: run.Amount{Tokens: 1}}
	for i, p := range []run.Pledge{mine, theirs, mine} {
		got, err := s.Pledge(t.Context(), p)
		if want := []run.Pledge{mine, theirs}[:i]; err != nil || !slices.Equal(got, want) {
			t.Errorf("before pledge %d = %+v, %v; want %+v", i+1, got, err, want)
		}
	}
	for range 2 {
		if err := s.Redeem(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Pledge(t.Context(), mine); err != nil || !slices.Equal(got, []run.Pledge{theirs}) {
		t.Errorf("after it was redeemed = %+v, %v", got, err)
	}
}
