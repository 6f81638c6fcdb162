package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"

	"hermes/bot"
)

// sweep is how often a line is looked through for what is due or abandoned though
// nothing has said so.
const sweep = 2 * time.Second

// A line is the claim that inbox and outbox share. A row of a line that waits is
// free, or lent to an owner until a time; the fence counts how often it was lent, so
// that an end tells whether it comes from the last borrower.
//
//	waiting --lend--> waiting, with owner and lease --end--> done, failed
//	   ^                 |                                     |
//	   +-----retry-------+-- lease over --> lent again    (outbox: a higher rev)
type line struct {
	db    *DB
	table string
	talk  claiming // of a lane in which a place has one thing under way
	other claiming // of one in which things do not wait for each other

	mu      sync.Mutex
	lent    map[string]int64 // fence by key: what we renew
	lanes   map[bot.Lane]*news
	renewed time.Time
}

// A claiming are two statements: one that claims the next row, and one that only says
// whether there is any.
type claiming struct{ claim, look string }

// news tell who waits for a row of a lane that there may be one.
type news struct {
	changed chan struct{} // closed and renewed then
	sure    bool          // there is one, as far as anybody knows: it need not be looked for first
}

// claimable is a row that may be lent, if nothing before it forbids that.
const claimable = `c.state = 'waiting' AND c.lane = @lane AND c.due <= @now AND (c.owner IS NULL OR c.lease_until < @now)`

// first is a row before which its place has nothing, neither under way nor waiting.
// One that waits for its due time holds up what came after it: a place keeps its
// order.
const first = `NOT EXISTS (
	SELECT 1 FROM TABLE o WHERE o.state = 'waiting' AND o.lane = c.lane AND o.place = c.place AND o.seq <> c.seq AND (
		o.owner IS NOT NULL AND o.lease_until >= @now
		OR (o.ahead > c.ahead OR o.ahead = c.ahead AND o.seq < c.seq) AND READY(o)))`

const (
	next    = `SELECT c.seq FROM TABLE c WHERE ` + claimable + ` AND READY(c) AND FIRST ORDER BY c.ahead DESC, c.seq LIMIT 1`
	lendOne = `UPDATE TABLE SET owner = @owner, fence = fence + 1, attempts = attempts + 1, lease_until = @until
	WHERE seq = (` + next + `)
	RETURNING *`
)

// newLine returns the line of a table. ready is the further condition, on a row
// called ROW, under which a row takes part in the order of its place.
func newLine(d *DB, table, ready string) *line {
	build := func(s, first string) string {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "FIRST", first), "TABLE", table)
		for _, row := range []string{"c", "o"} {
			is := "1 = 1"
			if ready != "" {
				is = strings.ReplaceAll(ready, "ROW", row)
			}
			s = strings.ReplaceAll(s, "READY("+row+")", is)
		}
		return s
	}
	both := func(first string) claiming { return claiming{build(lendOne, first), build(next, first)} }
	return &line{
		db: d, table: table, talk: both(first), other: both("1 = 1"),
		lent: map[string]int64{}, renewed: d.cfg.Now(),
		lanes: map[bot.Lane]*news{bot.Talk: {changed: make(chan struct{})}, bot.Control: {changed: make(chan struct{})}},
	}
}

// A claim is what every lent row has.
type claim struct {
	Key      string
	Attempts int
	Fence    int64
}

type lent interface{ claimed() claim }

// take claims the next row of a lane, if there is one now.
func take[T lent](ctx context.Context, l *line, lane bot.Lane) (T, error) {
	row, ok, err := claimOne[T](ctx, l, lane)
	if err == nil && !ok {
		err = ErrNothing
	}
	return row, err
}

// lend waits for the next row of a lane and claims it. It returns when ctx ends;
// a database that is away for a while is waited for.
func lend[T lent](ctx context.Context, l *line, lane bot.Lane) (T, error) {
	for {
		changed := l.signal(lane)
		row, ok, err := claimOne[T](ctx, l, lane)
		switch {
		case ok:
			return row, nil
		case ctx.Err() != nil:
			return row, ctx.Err()
		case l.db.ctx.Err() != nil:
			return row, ErrClosed
		case err != nil:
			l.db.cfg.Log.Error("line cannot be read; trying again", "line", l.table, "err", err)
		}
		timer := time.NewTimer(sweep)
		select {
		case <-ctx.Done():
		case <-l.db.ctx.Done():
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

func claimOne[T lent](ctx context.Context, l *line, lane bot.Lane) (T, bool, error) {
	var none T
	l.db.lending.RLock()
	defer l.db.lending.RUnlock()
	if l.db.ctx.Err() != nil {
		return none, false, ErrClosed
	}
	now := l.db.now()
	if err := l.catchUp(ctx, now); err != nil {
		return none, false, err
	}
	text := l.talk
	if lane == bot.Control {
		text = l.other
	}
	with := map[string]any{"owner": l.db.cfg.Owner, "until": at(now.Add(l.db.cfg.Lease)), "lane": string(lane), "now": now}
	if !l.sure(lane) {
		// Who writes is waited for, also by the answer that is on its way: most looks find
		// nothing, and so are none of them.
		var there []int64
		if err := l.db.r.WithContext(ctx).Raw(text.look, with).Scan(&there).Error; err == nil && len(there) == 0 {
			return none, false, nil
		}
	}
	var rows []T
	do := func(tx *gorm.DB) error { return tx.Raw(text.claim, with).Scan(&rows).Error }
	err := l.serial(ctx, do)
	if err != nil || len(rows) == 0 {
		return none, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c := rows[0].claimed()
	l.lent[c.Key] = c.Fence
	return rows[0], true, nil
}

// serial claims while no other replica does: two that look at once would both find
// a place with nothing under way, and take a thing of it each.
func (l *line) serial(ctx context.Context, do func(*gorm.DB) error) error {
	if !l.db.postgres {
		return l.db.soften(ctx, do)
	}
	return l.db.w.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		// As on SQLite a claim need not survive the power. The disk is not
		// waited for while everybody else waits for the lock.
		err := tx.Exec("SELECT set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(hashtext(current_schema()), hashtext(?))", l.table).Error
		if err != nil {
			return err
		}
		return do(tx)
	})
}

// end changes a row by who has it and gives it back. It fails with bot.ErrLost if
// it was lent to another since; a row that has ended under this fence is left as
// it is.
func (l *line) end(ctx context.Context, key string, fence int64, set map[string]any) error {
	set["owner"], set["lease_until"] = nil, nil
	var n int64
	err := l.db.soften(ctx, func(w *gorm.DB) error {
		res := w.Table(l.table).Where("key = ? AND fence = ? AND state = 'waiting'", key, fence).Updates(set)
		n = res.RowsAffected
		return res.Error
	})
	if err == nil && n == 0 {
		err = l.lost(ctx, key, fence)
	}
	// However it ended, its borrower is through with it. If the end could not be
	// written the lease runs out, and the row is lent again.
	l.mu.Lock()
	if l.lent[key] == fence {
		delete(l.lent, key)
	}
	l.mu.Unlock()
	if _, again := set["due"]; again {
		l.wake()
	} else {
		l.stir(bot.Talk) // its place is free; nothing waits for a place in another lane
	}
	return err
}

// moved lets the attempts of a row count anew, by who has it.
func (l *line) moved(ctx context.Context, key string, fence int64) error {
	return l.db.soften(ctx, func(w *gorm.DB) error {
		res := w.Table(l.table).Where("key = ? AND fence = ? AND state = 'waiting'", key, fence).Update("attempts", 1)
		if res.Error == nil && res.RowsAffected == 0 {
			return bot.ErrLost
		}
		return res.Error
	})
}

// lost returns bot.ErrLost if the fence is not the last one of the row.
func (l *line) lost(ctx context.Context, key string, fence int64) error {
	var is []int64
	err := l.db.r.WithContext(ctx).Raw("SELECT fence FROM "+l.table+" WHERE key = ?", key).Scan(&is).Error
	if err == nil && (len(is) == 0 || is[0] != fence) {
		return bot.ErrLost
	}
	return err
}

// catchUp renews before it claims if the process has slept: nobody may be given what
// another here is at work on.
func (l *line) catchUp(ctx context.Context, now stamp) error {
	l.mu.Lock()
	late := now.Sub(l.renewed) > l.db.cfg.Lease/2
	l.mu.Unlock()
	if !late {
		return nil
	}
	return l.renew(ctx)
}

// renew lengthens the lease of all that we have lent and that nobody has taken.
func (l *line) renew(ctx context.Context) error {
	now := l.db.now()
	l.mu.Lock()
	keys := slices.Collect(maps.Keys(l.lent))
	l.mu.Unlock()
	if len(keys) > 0 {
		err := l.db.soften(ctx, func(w *gorm.DB) error {
			return w.Exec("UPDATE "+l.table+" SET lease_until = ? WHERE key IN ? AND owner = ? AND state = 'waiting'",
				at(now.Add(l.db.cfg.Lease)), keys, l.db.cfg.Owner).Error
		})
		if err != nil {
			return fmt.Errorf("renew %s: %w", l.table, err)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.renewed = now.Time
	return nil
}

// renew keeps both lines of a DB renewed until it is closed.
func (d *DB) renew() {
	tick := time.NewTicker(d.cfg.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-d.ctx.Done():
			return
		case <-tick.C:
		}
		for _, l := range []*line{d.inbox, d.outbox} {
			if err := l.renew(d.ctx); err != nil && d.ctx.Err() == nil {
				d.cfg.Log.Warn("claims not renewed; trying again", "line", l.table, "err", err)
			}
		}
	}
}

// free gives back what others, or we, had been lent.
func (l *line) free(ctx context.Context, where string, args ...any) error {
	err := l.db.commit(ctx, func(w *gorm.DB) error {
		return w.Exec("UPDATE "+l.table+" SET owner = NULL, lease_until = NULL WHERE state = 'waiting' AND "+where, args...).Error
	})
	if err != nil {
		return fmt.Errorf("free claims of %s: %w", l.table, err)
	}
	return nil
}

// signal is closed when there may be something to lend of a lane.
func (l *line) signal(lane bot.Lane) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lanes[lane].changed
}

// sure reports, once, that there is something of a lane.
func (l *line) sure(lane bot.Lane) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.lanes[lane]
	was := n.sure
	n.sure = false
	return was
}

// wake says that there is something of these lanes; of all, if none is named.
func (l *line) wake(lanes ...bot.Lane) {
	if len(lanes) == 0 {
		lanes = []bot.Lane{bot.Talk, bot.Control}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, lane := range lanes {
		l.lanes[lane].sure = true
		l.lanes[lane].renew()
	}
}

// stir says that there may be something of a lane, which is to be looked for.
func (l *line) stir(lane bot.Lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lanes[lane].renew()
}

func (n *news) renew() {
	close(n.changed)
	n.changed = make(chan struct{})
}

// wakeAt wakes at a time, which is sooner than the sweep finds out.
func (l *line) wakeAt(t time.Time) {
	if wait := t.Sub(l.db.cfg.Now()); wait > 0 && wait < time.Hour {
		time.AfterFunc(wait, func() { l.wake() })
	}
}
