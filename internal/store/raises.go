package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"hermes/agent/run"
)

// A raise counts as a grant does: as far as the audit has it. One that was put into the
// table, changed or copied to another period counts for nothing, and where one that the
// audit has is gone from the table, those before it do not come back: then the budget is
// what the configuration says.

// RaiseKept is the row about a raise that repeats what an earlier one said, or said less.
const RaiseKept = "budget raise kept"

// A raiseRow is a run.Raise.
type raiseRow struct {
	Key, Budget, OfWhom, Period string
	Tokens, Nanos               int64
	ByWhom                      string
	At                          looseTime
}

const raiseColumns = "SELECT key, budget, of_whom, period, tokens, nanos, by_whom, at FROM raises "

func (r raiseRow) raise() run.Raise {
	x := run.Raise{
		Key: r.Key, Budget: r.Budget, Of: r.OfWhom, Limit: run.Amount{Tokens: r.Tokens, Nanos: r.Nanos}, By: r.ByWhom, At: r.At.Time,
	}
	if from, err := time.Parse(layout, r.Period); err == nil {
		x.From = from
	}
	return x
}

// purse is how the audit calls what was raised.
func (r raiseRow) purse() string { return run.Purse{Budget: r.Budget, Of: r.OfWhom}.Name() }

// raiseLives is longer than any budget that a raise is for.
const raiseLives = 62 * 24 * time.Hour

// lives reports whether a raise may still count.
func (r raiseRow) lives(now time.Time) bool {
	since := r.At.Time
	if from := r.raise().From; !from.IsZero() {
		since = from
	}
	return now.Sub(since) < raiseLives
}

// raised is the keyed hash of all that a raise says.
func (k auditKey) raised(r raiseRow) string {
	b, err := json.Marshal([]string{
		"raise", r.Key, r.Budget, r.OfWhom, r.Period, strconv.FormatInt(r.Tokens, 10), strconv.FormatInt(r.Nanos, 10), r.ByWhom, r.At.Format(layout),
	})
	if err != nil {
		return "" // texts always marshal; nothing is equal to it
	}
	return hashed + k.sum(b)
}

// raising is the row about a raise.
func (d *DB) raising(what string, r raiseRow) entry {
	return entry{
		Who: r.ByWhom, What: what, Subject: r.purse(), Under: r.Key, Part: raisedRun(r.raise()),
		Digest: d.keys.current.raised(r), Outcome: raisedTo(r.raise().Limit),
	}
}

// A raises is what the table and the audit have of some raises.
type raises struct {
	proven  []raiseRow          // in the order in which they were given
	at      []int64             // the row of the audit that gives each
	forged  []raiseRow          // that no row gives
	missing map[string]auditRow // that a row gives and the table has not, by its key
	newest  int64               // of those rows; 0 for none
}

// raisesOf holds the raises of a condition against the audit, whose rows a second one
// picks.
func (d *DB) raisesOf(r *gorm.DB, where string, args []any, told string, of ...any) (raises, error) {
	var rows []raiseRow
	if err := r.Raw(raiseColumns+where+" ORDER BY seq", args...).Scan(&rows).Error; err != nil {
		return raises{}, fmt.Errorf("raises: %w", err)
	}
	var audit []auditRow
	if err := r.Raw("SELECT * FROM audit WHERE what IN ? AND digest <> '' "+told+" ORDER BY seq", append([]any{[]string{BudgetRaised, RaiseKept}}, of...)...).Scan(&audit).Error; err != nil {
		return raises{}, fmt.Errorf("audit of raises: %w", err)
	}
	found := raises{missing: map[string]auditRow{}}
	given := map[string]int64{}
	for _, row := range audit {
		if !d.keys.signed(row) {
			continue
		}
		key := d.keys.known[row.KeyID]
		i := slices.IndexFunc(rows, func(x raiseRow) bool { return key.raised(x) == row.Digest })
		if i >= 0 {
			given[rows[i].Key] = row.Seq
			continue
		}
		// A row of the table with that key is another raise by now, or for another period.
		found.missing[row.Under] = row
		found.newest = max(found.newest, row.Seq)
	}
	for _, x := range rows {
		if seq := given[x.Key]; seq > 0 {
			found.proven, found.at = append(found.proven, x), append(found.at, seq)
		} else {
			found.forged = append(found.forged, x)
		}
	}
	return found, nil
}

// last is the raise that counts, if one does.
func (r raises) last() (raiseRow, bool) {
	best, seq := raiseRow{}, int64(0)
	for i, x := range r.proven {
		if r.at[i] > seq {
			best, seq = x, r.at[i]
		}
	}
	return best, seq > r.newest
}

// periodOf is how a raise names its period: by its beginning.
func periodOf(from time.Time) string {
	if from.IsZero() {
		return ""
	}
	return at(from).Format(layout)
}

// Raised implements agent.Treasury.
func (s Runs) Raised(ctx context.Context, budget, of string, from time.Time) (run.Raise, bool, error) {
	d, period := s.db, periodOf(from)
	var found raises
	err := d.snapshot(ctx, func(r *gorm.DB) (err error) {
		purse := run.Purse{Budget: budget, Of: of}.Name()
		found, err = d.raisesOf(r, "WHERE budget = ? AND of_whom = ?", []any{budget, plain(of)}, "AND subject = ?", d.keys.current.asID(d.asKept(purse)))
		return err
	})
	if err != nil {
		return run.Raise{}, false, wrapped(err, "limit of "+budget)
	}
	for _, x := range found.forged {
		if x.Period == period {
			if err := d.disown(ctx, "raises", x.Key, "", errNotAsWritten); err != nil {
				return run.Raise{}, false, err
			}
		}
	}
	// Of a raise that is gone nobody can tell which period it was for.
	now := raises{newest: found.newest}
	for i, x := range found.proven {
		if x.Period == period {
			now.proven, now.at = append(now.proven, x), append(now.at, found.at[i])
		}
	}
	row, ok := now.last()
	if !ok {
		return run.Raise{}, false, nil
	}
	x := row.raise()
	x.Of, x.From = of, from
	return x, true, nil
}

// Raise implements agent.Treasury, and tells the audit.
func (s Runs) Raise(ctx context.Context, r run.Raise) error {
	d := s.db
	err := d.write(ctx, func(tx *gorm.DB) error {
		res := tx.Exec(`INSERT INTO raises (key, budget, of_whom, period, tokens, nanos, by_whom, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
			plain(r.Key), r.Budget, plain(r.Of), periodOf(r.From), r.Limit.Tokens, r.Limit.Nanos, plain(r.By), at(r.At).or(d.now()))
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		// What is held against the audit later is the row as it was kept.
		var rows []raiseRow
		if err := tx.Raw(raiseColumns+"WHERE key = ?", plain(r.Key)).Scan(&rows).Error; err != nil || len(rows) != 1 {
			return fmt.Errorf("read raise: %d rows: %w", len(rows), err)
		}
		return d.audit(tx, d.raising(BudgetRaised, rows[0]))
	})
	return wrapped(err, "raise "+r.Budget)
}

// raisesSealed is the subject of the row about the raises of before the audit said all of
// them.
const raisesSealed = "raises"

// vouchRaises gives the raises of before that still count a row that says all of them,
// once, as far as the audit has them.
func (d *DB) vouchRaises(ctx context.Context) error {
	done := entry{What: LinesSealed, Subject: raisesSealed}
	var n int64
	if err := d.r.WithContext(ctx).Raw("SELECT COUNT(*) FROM raises").Scan(&n).Error; err != nil || n == 0 {
		return wrapped(err, "raises of before")
	}
	if is, err := d.told(d.r.WithContext(ctx), done); err != nil || is {
		return err
	}
	return wrapped(d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		if is, err := d.told(tx, done); err != nil || is { // another replica was faster
			return err
		}
		all, err := d.raisesOf(tx, "WHERE 1 = 1", nil, "")
		if err != nil {
			return err
		}
		for _, x := range all.forged {
			was := d.raising(BudgetRaised, x)
			was.Under, was.Digest = "", ""
			if is, err := d.told(tx, was); err != nil || !is || !x.lives(d.now().Time) {
				if err != nil {
					return err
				}
				continue
			}
			if err := d.audit(tx, d.raising(RaiseKept, x)); err != nil {
				return err
			}
		}
		return d.audit(tx, done)
	}), "raises of before")
}

// keepRaised repeats, before rows up to one go for good, all raises that still count, in
// their order.
func (d *DB) keepRaised(tx *gorm.DB, until int64) error {
	all, err := d.raisesOf(tx, "WHERE 1 = 1", nil, "")
	if err != nil {
		return err
	}
	order := make([]int, 0, len(all.proven))
	goes := false
	for i, x := range all.proven {
		if x.lives(d.now().Time) {
			order, goes = append(order, i), goes || all.at[i] <= until
		}
	}
	if !goes {
		return nil
	}
	slices.SortFunc(order, func(a, b int) int { return int(all.at[a] - all.at[b]) })
	for _, i := range order {
		if err := d.audit(tx, d.raising(RaiseKept, all.proven[i])); err != nil {
			return err
		}
	}
	return nil
}

// raisedOtherwise are the raises that the table has otherwise than the audit, whose rows
// from the first signed one are there.
func (d *DB) raisedOtherwise(r *gorm.DB, from time.Time) ([]Doubt, error) {
	all, err := d.raisesOf(r, "WHERE 1 = 1", nil, "")
	if err != nil {
		return nil, err
	}
	var doubts []Doubt
	there := map[string]bool{}
	for _, x := range all.forged {
		if !x.At.Before(from) || x.lives(d.now().Time) {
			there[d.keys.current.asID(d.asKept(x.Key))] = true
			doubts = append(doubts, Doubt{x.Key, "a raise of the budget " + x.purse() + " that no row of the audit gives: it does not count", ""})
		}
	}
	var gone []string
	for key, row := range all.missing {
		if !there[key] && strings.HasPrefix(row.Digest, hashed) {
			gone = append(gone, key)
		}
	}
	slices.Sort(gone)
	for _, key := range gone {
		doubts = append(doubts, Doubt{key, "a raise of the budget " + all.missing[key].Subject + " that the audit has, and the table has not: none before it counts", ""})
	}
	return doubts, nil
}

// raisedRun is the run that a raise is for, if it is for one.
func raisedRun(r run.Raise) string {
	if r.Budget == "run" {
		return r.Of
	}
	return ""
}

// raisedTo is a limit as the audit has it: "usd:10.00", "tokens:200000".
func raisedTo(a run.Amount) string {
	text := ""
	if a.Nanos > 0 {
		text = fmt.Sprintf("usd:%.4f", float64(a.Nanos)/1e9)
	}
	if a.Tokens > 0 {
		if text != "" {
			text += ","
		}
		text += fmt.Sprintf("tokens:%d", a.Tokens)
	}
	return text
}
