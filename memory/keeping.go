package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Keeping says for how long what is kept, and how much.
type Keeping struct {
	FactLife    time.Duration // after the last use
	EpisodeLife time.Duration
	Unused      time.Duration // a fact without a hit for so long is archived
	History     time.Duration // what is over is deleted after so long
	Floor       float64       // facts of less confidence are not kept
	PerDay      int           // facts of one person
	PerScope    int           // facts that one audience has at most: the least used is archived
	AskAgain    time.Duration // after which a dispute is asked about a second time
}

// DefaultKeeping is Keeping as it is without a configuration.
func DefaultKeeping() Keeping {
	const day = 24 * time.Hour
	return Keeping{
		FactLife: 180 * day, EpisodeLife: 30 * day, Unused: 60 * day, History: 365 * day, Floor: 0.6,
		PerDay: 200, PerScope: 100_000, AskAgain: 7 * day,
	}
}

// Errors of Remember that say that a fact is not worth keeping, or not yet.
var (
	ErrUnsure   = errors.New("it is not sure enough to be kept")
	ErrEvidence = errors.New("nothing is named that it follows from")
	ErrQuota    = errors.New("too much was remembered today")
)

// A Use is that facts were told to somebody.
type Use struct {
	ID      string
	Times   int
	At      time.Time
	Expires time.Time
}

// A Sweep is what a Store does once a day.
type Sweep struct {
	Now      time.Time
	Unused   time.Time // not used since: archived
	History  time.Time // over since: deleted
	PerScope int
}

// Swept counts what a Sweep did. A fact that is Over its scope's cap is archived.
type Swept struct{ Expired, Archived, Over, Deleted int }

// A Report is what a patrol did. Ask are the conflicts that are still open and are to be
// asked about once more.
type Report struct {
	Swept
	Kept   int // of what could not be kept before
	Queued int // of what still cannot
	Ask    []Conflict
}

// alive reports whether a fact is still valid.
func (m *Memory) alive(f Fact) bool { return f.Expires.IsZero() || f.Expires.After(m.now()) }

// living leaves out what is not valid any more and was not yet swept.
func (m *Memory) living(all []Fact) []Fact {
	return slices.DeleteFunc(all, func(f Fact) bool { return !m.alive(f) })
}

// quota counts the facts of a person and a day; it begins anew with the program.
type quota struct {
	day string
	by  map[string]int
}

// spend takes one fact from a person's quota.
func (m *Memory) spend(person string) error {
	if today := m.now().UTC().Format(time.DateOnly); m.quota.day != today {
		m.quota = quota{today, map[string]int{}}
	}
	if m.keeping.PerDay > 0 && m.quota.by[person] >= m.keeping.PerDay {
		return ErrQuota
	}
	m.quota.by[person]++
	return nil
}

// Told notes that somebody was told facts, which keeps them alive. It is written by
// Flush.
func (m *Memory) Told(ids ...string) {
	now := m.now()
	m.uses.Lock()
	defer m.uses.Unlock()
	for _, id := range ids {
		u := m.uses.by[id]
		m.uses.by[id] = Use{ID: id, Times: u.Times + 1, At: now, Expires: now.Add(m.keeping.FactLife)}
	}
}

// mostQueued is how many facts wait for a store that cannot write.
const mostQueued = 1000

// Keep is Remember that does not fail with the store: what cannot be written now is
// kept by Flush, and the Receipt says so. Nobody waits for it.
func (m *Memory) Keep(ctx context.Context, f Fact) (Receipt, error) {
	r, err := m.Remember(ctx, f)
	if err == nil || refused(err) {
		return r, err
	}
	f, bad := m.ready(f)
	if bad != nil {
		return Receipt{}, bad
	}
	m.uses.Lock()
	defer m.uses.Unlock()
	if len(m.queue) >= mostQueued {
		return Receipt{}, err
	}
	if !slices.ContainsFunc(m.queue, func(g Fact) bool { return g.ID == f.ID }) {
		m.queue = append(m.queue, f)
	}
	return Receipt{Fact: f, Queued: true}, nil
}

// refused reports whether Remember would refuse the fact at any time.
func refused(err error) bool {
	for _, e := range []error{ErrNobody, ErrNoAudience, ErrEmpty, ErrUnsure, ErrEvidence, ErrQuota} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// Queued is how many facts wait to be kept.
func (m *Memory) Queued() int {
	m.uses.Lock()
	defer m.uses.Unlock()
	return len(m.queue)
}

// Flush writes what has waited: facts that could not be kept, and what was used. What
// fails waits on.
func (m *Memory) Flush(ctx context.Context) (kept int, err error) {
	m.uses.Lock()
	queue := slices.Clone(m.queue)
	uses := slices.SortedFunc(maps.Values(m.uses.by), func(a, b Use) int { return a.At.Compare(b.At) })
	m.uses.by = map[string]Use{}
	m.uses.Unlock()
	for _, f := range queue {
		_, failed := m.Remember(ctx, f)
		if failed != nil && !refused(failed) {
			err = fmt.Errorf("keep what waits: %w", failed)
			break
		}
		if failed == nil {
			kept++
		}
		m.uses.Lock()
		m.queue = slices.DeleteFunc(m.queue, func(g Fact) bool { return g.ID == f.ID })
		m.uses.Unlock()
	}
	if len(uses) == 0 {
		return kept, err
	}
	if failed := m.store.Touch(ctx, uses); failed != nil {
		m.uses.Lock()
		for _, u := range uses {
			u.Times += m.uses.by[u.ID].Times
			m.uses.by[u.ID] = u
		}
		m.uses.Unlock()
		err = errors.Join(err, fmt.Errorf("note uses: %w", failed))
	}
	return kept, err
}

// Patrol keeps what is kept clean: it is for once a day. What is not valid any more ends
// as expired, what nobody has used is archived and can be restored, and what is over for
// long is deleted. A dispute that nobody has settled is reported until AskedAgain.
func (m *Memory) Patrol(ctx context.Context, now time.Time) (Report, error) {
	var r Report
	var err error
	if r.Kept, err = m.Flush(ctx); err != nil {
		return r, err
	}
	r.Queued = m.Queued()
	k := m.keeping
	r.Swept, err = m.store.Sweep(ctx, Sweep{Now: now, Unused: now.Add(-k.Unused), History: now.Add(-k.History), PerScope: k.PerScope})
	if err != nil {
		return r, fmt.Errorf("sweep: %w", err)
	}
	if r.Ask, err = m.store.Disputes(ctx, now.Add(-k.AskAgain)); err != nil {
		return r, fmt.Errorf("list disputes: %w", err)
	}
	m.index.idle(now.Add(-stale))
	return r, nil
}

// AskedAgain notes that people were asked a second time about a dispute. There is no
// third time.
func (m *Memory) AskedAgain(ctx context.Context, conflict string) error {
	if err := m.store.Asked(ctx, conflict, m.now()); err != nil {
		return fmt.Errorf("note that %s is asked about again: %w", conflict, err)
	}
	return nil
}

// Restore makes a person's own fact that was archived or has expired current again.
func (m *Memory) Restore(ctx context.Context, v Viewer, id string) (Fact, error) {
	f, ok, err := m.store.Fact(ctx, id)
	if err != nil {
		return f, fmt.Errorf("look up fact %s: %w", id, err)
	}
	if !ok || !f.Own(v.Person) || f.Status != Archived && f.Status != Expired {
		return Fact{}, ErrNothing
	}
	now := m.now()
	if err := m.store.Restore(ctx, id, now, now.Add(m.keeping.FactLife)); err != nil {
		return f, fmt.Errorf("restore fact %s: %w", id, err)
	}
	m.index.drop(f.Audience) // it may be dead in it
	f, _, err = m.store.Fact(ctx, id)
	return f, err
}

// ErrNothing is returned by Restore where there is nothing of that id to restore.
var ErrNothing = errors.New("no such fact to restore")
