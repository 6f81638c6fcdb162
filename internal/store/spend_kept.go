package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"gorm.io/gorm"

	"hermes/agent/run"
	"hermes/bot"
)

// Rows of spend have no seal: what a step has cost stands in the step, which has one, and
// is held against the table before a budget is. What the table has lost is counted all the
// same, so a row that somebody deletes, lessens or gives to somebody else lifts no budget:
//
//	at the first look   each run that was saved within the longest period
//	at each look        the runs that this process has saved since the last
//	at each look        the sum of a period, which never falls
//
// A row that was given to somebody else, or that is put back later, counts twice in what
// all have spent until the next start: too much, and never too little. Who deletes a run
// with its steps and its costs while hermes is stopped has taken the costs away; of that
// nothing is left to hold against.

// books are what is known of spend besides its rows.
type books struct {
	mu     sync.Mutex
	read   bool
	saved  map[string]bool       // keys of runs to be looked at
	owing  map[string][]spendRow // by the run: what the table lacks
	floors map[floorKey]run.Amount
}

// A floorKey is a sum of a period.
type floorKey struct {
	per, of     string
	from, until int64
}

// longestPeriod is longer than that of any budget.
const longestPeriod = 32 * 24 * time.Hour

// A spendRow is what a step has cost and who pays.
type spendRow struct {
	Run                            string
	N                              int
	At                             stamp
	Asker, Channel, Workspace, Job string
	Tokens, Nanos                  int64
}

func (r spendRow) amount() run.Amount { return run.Amount{Tokens: r.Tokens, Nanos: r.Nanos} }

// pays reports whether a row is one of those that are added up.
func (r spendRow) pays(per, of string, from, until time.Time) bool {
	whose := map[string]string{"run": r.Run, "user": r.Asker, "channel": r.Channel, "workspace": r.Workspace, "job": r.Job}
	if per != "" && whose[per] != of || per == "job" && of == "" {
		return false
	}
	return (from.IsZero() || !r.At.Before(from)) && (until.IsZero() || r.At.Before(until))
}

// spendOf is the row of a step; false if it has cost nothing.
func spendOf(r run.Run, n int, s run.Step, now stamp) (spendRow, bool) {
	cost := run.AmountOf(run.UsageOf([]run.Step{s}))
	row := spendRow{Run: r.Key, N: n, At: at(s.At).or(now), Asker: plain(r.Asker), Job: r.Job, Tokens: cost.Tokens, Nanos: cost.Nanos}
	if p, err := bot.ParsePlace(r.Home); err == nil {
		row.Workspace = plain(p.Platform + ":" + p.Workspace)
		row.Channel = plain(p.Platform + ":" + p.Workspace + ":" + p.Channel)
	}
	return row, cost != (run.Amount{})
}

// toBook notes that what a run has cost is to be looked at; before the first look all are.
func (d *DB) toBook(r run.Run) {
	if run.AmountOf(r.Usage()) == (run.Amount{}) {
		return
	}
	d.books.mu.Lock()
	defer d.books.mu.Unlock()
	if d.books.read {
		d.books.saved[r.Key] = true
	}
}

// book holds the rows of spend against the steps, as far as that was not done yet. The
// lock of the books is held.
func (d *DB) book(ctx context.Context) error {
	b := &d.books
	if !b.read {
		var keys []string
		if err := d.r.WithContext(ctx).Raw("SELECT key FROM runs WHERE updated >= ?", at(d.now().Add(-longestPeriod))).Scan(&keys).Error; err != nil {
			return fmt.Errorf("runs that have spent: %w", err)
		}
		b.saved, b.owing, b.floors, b.read = map[string]bool{}, map[string][]spendRow{}, map[floorKey]run.Amount{}, true
		for _, key := range keys {
			b.saved[key] = true
		}
	}
	for key := range b.saved {
		owing, err := d.owed(ctx, key)
		if err != nil {
			return err
		}
		if delete(b.owing, key); len(owing) > 0 {
			b.owing[key] = owing
			if err := d.disown(ctx, "spend", key, "", errNotAsWritten); err != nil {
				return err
			}
		}
		delete(b.saved, key)
	}
	return nil
}

// owed is what the steps of a run have cost and the table has not, or has of somebody else.
func (d *DB) owed(ctx context.Context, key string) (owing []spendRow, err error) {
	err = d.snapshot(ctx, func(r *gorm.DB) error {
		owing = nil
		var rows []runRow
		if err := r.Raw("SELECT * FROM runs WHERE key = ?", key).Scan(&rows).Error; err != nil || len(rows) == 0 {
			return err
		}
		steps, err := stepRows(r, key)
		if err != nil {
			return err
		}
		var noted []spendRow
		if err := r.Raw("SELECT * FROM spend WHERE run = ?", key).Scan(&noted).Error; err != nil {
			return err
		}
		has := map[int]spendRow{}
		for _, n := range noted {
			has[n.N] = n
		}
		payer := run.Run{Request: run.Request{Key: rows[0].Key, Asker: rows[0].Asker, Home: rows[0].Home, Job: rows[0].Job}}
		for _, s := range steps {
			var step run.Step
			if err := json.Unmarshal([]byte(s.Body), &step); err != nil {
				continue // it has no seal, and the run does not go on
			}
			want, costs := spendOf(payer, s.N, step, rows[0].Created)
			is := has[s.N]
			if step.At.IsZero() && !is.At.IsZero() {
				want.At = is.At // when it was saved
			}
			same := want
			same.Tokens, same.Nanos, same.At = is.Tokens, is.Nanos, is.At
			switch {
			case !costs:
			case same != is || !want.At.Equal(is.At.Time):
				owing = append(owing, want)
			case is.Tokens < want.Tokens || is.Nanos < want.Nanos:
				want.Tokens, want.Nanos = max(0, want.Tokens-is.Tokens), max(0, want.Nanos-is.Nanos)
				owing = append(owing, want)
			}
		}
		return nil
	})
	return owing, wrapped(err, "what run "+key+" has spent")
}

// atLeast is a sum of the table with what the table lacks.
func (d *DB) atLeast(ctx context.Context, sum func() (run.Amount, error), per, of string, from, until time.Time) (run.Amount, error) {
	b := &d.books
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := d.book(ctx); err != nil {
		return run.Amount{}, err
	}
	spent, err := sum()
	if err != nil {
		return run.Amount{}, err
	}
	for _, rows := range b.owing {
		for _, r := range rows {
			if r.pays(per, of, from, until) {
				spent = spent.Add(r.amount())
			}
		}
	}
	if from.IsZero() || until.IsZero() {
		return spent, nil
	}
	now := d.now().Time
	for k := range b.floors {
		if k.until < now.Add(-longestPeriod).UnixNano() {
			delete(b.floors, k)
		}
	}
	key := floorKey{per, of, from.UnixNano(), until.UnixNano()}
	floor := b.floors[key]
	if spent.Tokens < floor.Tokens || spent.Nanos < floor.Nanos {
		if err := d.disown(ctx, "spend", run.Purse{Budget: per, Of: of}.Name(), "", errNotAsWritten); err != nil {
			return run.Amount{}, err
		}
	}
	spent = run.Amount{Tokens: max(spent.Tokens, floor.Tokens), Nanos: max(spent.Nanos, floor.Nanos)}
	b.floors[key] = spent
	return spent, nil
}
