package guard_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"hermes/agent/guard"
	"hermes/agent/run"
)

// X8 Days and months are those of the zone, over the change of its clocks too.
func TestThePeriodOfABudget(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) time.Time {
		x, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for name, tt := range map[string]struct {
		every, at, from, until string
		zone                   *time.Location
	}{
		"a day in UTC":                        {"day", "2026-11-02T12:00:00Z", "2026-11-02T00:00:00Z", "2026-11-03T00:00:00Z", time.UTC},
		"its first moment":                    {"day", "2026-11-02T00:00:00Z", "2026-11-02T00:00:00Z", "2026-11-03T00:00:00Z", time.UTC},
		"late in UTC, the next day elsewhere": {"day", "2026-11-02T23:30:00Z", "2026-11-03T00:00:00+01:00", "2026-11-04T00:00:00+01:00", berlin},
		"a day of 25 hours":                   {"day", "2026-10-25T12:00:00Z", "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00", berlin},
		"a month":                             {"month", "2026-12-31T12:00:00Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z", time.UTC},
		"the last evening of a month":         {"month", "2026-10-31T23:30:00Z", "2026-11-01T00:00:00+01:00", "2026-12-01T00:00:00+01:00", berlin},
	} {
		t.Run(name, func(t *testing.T) {
			from, until := guard.Budget{Per: guard.PerUser, Every: tt.every}.Period(at(tt.at), tt.zone)
			if !from.Equal(at(tt.from)) || !until.Equal(at(tt.until)) {
				t.Errorf("period = %s to %s, want %s to %s", from, until, tt.from, tt.until)
			}
		})
	}
	if from, until := (guard.Budget{Per: guard.PerRun}).Period(at("2026-11-02T12:00:00Z"), time.UTC); !from.IsZero() || !until.IsZero() {
		t.Errorf("a run has the period %s to %s", from, until)
	}
}

// X8 A slot of a job is paid by its job, its owner, and where it answers.
func TestWhoPays(t *testing.T) {
	r := run.Request{Key: "k", Asker: "slack:T1:U1", Home: "slack/T1/C%2F1/17.2", Job: "j1"}
	for per, want := range map[string]string{
		"": "", guard.PerRun: "k", guard.PerUser: "slack:T1:U1", guard.PerChannel: "slack:T1:C/1", guard.PerJob: "j1", guard.PerWorkspace: "slack:T1",
	} {
		if of, pays := (guard.Budget{Per: per}).Of(r); of != want || !pays {
			t.Errorf("per %s pays %q, %t; want %q", per, of, pays, want)
		}
	}
	if _, pays := (guard.Budget{Per: guard.PerJob}).Of(run.Request{Key: "k"}); pays {
		t.Error("what is of no job is paid by one")
	}
	for _, b := range []struct {
		b    guard.Budget
		want string
	}{{guard.Budget{Per: "user", Every: "day"}, "user/day"}, {guard.Budget{Every: "month"}, "month"}, {guard.Budget{Per: "run"}, "run"}} {
		if got := b.b.Name(); got != b.want {
			t.Errorf("name = %q, want %q", got, b.want)
		}
	}
}

// X8 What is left decides, of tokens and of money, each for itself.
func TestWhatAPurseHolds(t *testing.T) {
	p := func(spent, limit run.Amount) run.Purse { return run.Purse{Spent: spent, Limit: limit, Warn: 0.8} }
	for name, tt := range map[string]struct {
		purse       run.Purse
		more        run.Amount
		holds, near bool
	}{
		"nothing spent":              {p(run.Amount{}, run.Amount{Tokens: 100}), run.Amount{Tokens: 100}, true, false},
		"one too many":               {p(run.Amount{}, run.Amount{Tokens: 100}), run.Amount{Tokens: 101}, false, false},
		"near the end":               {p(run.Amount{Tokens: 80}, run.Amount{Tokens: 100}), run.Amount{Tokens: 20}, true, true},
		"money is another thing":     {p(run.Amount{Tokens: 99, Nanos: 50}, run.Amount{Nanos: 100}), run.Amount{Tokens: 1000, Nanos: 50}, true, false},
		"money is over":              {p(run.Amount{Nanos: 100}, run.Amount{Nanos: 100, Tokens: 1000}), run.Amount{Nanos: 1}, false, true},
		"without a price it is free": {p(run.Amount{Tokens: 1e6}, run.Amount{Nanos: 100}), run.Amount{Tokens: 1e6}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tt.purse.Holds(tt.more); got != tt.holds {
				t.Errorf("Holds = %t, want %t", got, tt.holds)
			}
			if got := tt.purse.Near(); got != tt.near {
				t.Errorf("Near = %t, want %t", got, tt.near)
			}
		})
	}
	usd := func(n int64) run.Raise { return run.Raise{Limit: run.Amount{Nanos: n}} }
	was := p(run.Amount{}, run.Amount{Nanos: 100})
	for _, tt := range []struct {
		raise run.Raise
		want  error
	}{{usd(101), nil}, {usd(100), run.ErrNotMore}, {usd(7), run.ErrNotMore}, {usd(0), run.ErrNotMore}, {run.Raise{Limit: run.Amount{Tokens: 5}}, run.ErrNoNumber}} {
		if err := was.Takes(tt.raise); !errors.Is(err, tt.want) {
			t.Errorf("raise to %+v = %v, want %v", tt.raise.Limit, err, tt.want)
		}
	}
	if got := was.With(usd(500)); got.Limit.Nanos != 500 || got.Holds(run.Amount{Nanos: 501}) {
		t.Errorf("raised = %+v", got)
	}
}

// SAFE-05 Each guardrail that a configuration switches off is named with its key.
func TestRails(t *testing.T) {
	with := func(change func(*guard.Profile)) guard.Profiles {
		all := guard.Builtin()
		for i := range all {
			change(&all[i])
		}
		return all
	}
	same := with(func(*guard.Profile) {})
	unbounded := with(func(p *guard.Profile) { p.Tokens, p.Nanos = 0, 0 })
	perRun := guard.Budgets{{Per: guard.PerRun, Limit: run.Amount{Tokens: 9000}}}
	for name, tt := range map[string]struct {
		words   guard.Screen
		limits  guard.Profiles
		budgets guard.Budgets
		priced  bool
		want    []guard.Rail
	}{
		"as it comes":                 {guard.Words(), same, nil, false, nil},
		"no word stops a call":        {guard.Screen{}, same, nil, true, []guard.Rail{guard.ScreenRail}},
		"nothing bounds a run":        {guard.Words(), unbounded, nil, true, []guard.Rail{guard.BudgetRail}},
		"a budget of each run does":   {guard.Words(), unbounded, perRun, false, nil},
		"a budget of a day does not":  {guard.Words(), unbounded, guard.Budgets{{Every: "day", Limit: run.Amount{Tokens: 9000}}}, true, []guard.Rail{guard.BudgetRail}},
		"money with a price does":     {guard.Words(), with(func(p *guard.Profile) { p.Tokens, p.Nanos = 0, 5 }), nil, true, nil},
		"money without one does not":  {guard.Words(), with(func(p *guard.Profile) { p.Tokens, p.Nanos = 0, 5 }), nil, false, []guard.Rail{guard.BudgetRail}},
		"one profile without rounds":  {guard.Words(), with(func(p *guard.Profile) { p.Rounds *= len(p.Name) - len("qa") }), nil, true, []guard.Rail{guard.RoundRail}},
		"two at once, each told once": {nil, unbounded, nil, true, []guard.Rail{guard.ScreenRail, guard.BudgetRail}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []guard.Rail
			for _, o := range guard.Rails(tt.words, tt.limits, tt.budgets, tt.priced) {
				if o.Why == "" {
					t.Errorf("%s does not say why", o.Rail)
				}
				got = append(got, o.Rail)
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("off = %v, want %v", got, tt.want)
			}
		})
	}
}
