package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"gorm.io/gorm"

	"hermes/bot"
)

// Tries that were refused: the first of a kind is told at once, and those of the next
// minutes are counted and told in one row a minute. So each counts, and nobody can fill
// the audit by pressing on.
const (
	tallySpan  = time.Minute
	tallyKinds = 1000 // counted apart at a time; what is beyond counts together
	tallyKeys  = 1000 // of one kind in one minute; what is beyond counts as new
	manyKinds  = "others"
)

// A kind of try is by one person the same, at one place, about one thing.
type kind struct {
	who, try, about string
	place           bot.Place
}

func (k kind) compare(l kind) int {
	return cmp.Or(cmp.Compare(k.who, l.who), cmp.Compare(k.about, l.about), cmp.Compare(k.try, l.try), cmp.Compare(k.place.String(), l.place.String()))
}

// A tally has the tries of this process that no row tells of yet.
type tally struct {
	mu    sync.Mutex
	kinds map[kind]*count
}

type count struct {
	n    int
	keys map[string]bool
	ends time.Time // of its minute
}

// add reports whether a try is one that has to be told at once; else it is counted.
func (t *tally) add(k kind, key string, now time.Time) (kind, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kinds == nil {
		t.kinds = map[kind]*count{}
	}
	c := t.kinds[k]
	if c == nil && len(t.kinds) >= tallyKinds {
		k = kind{try: k.try, about: manyKinds}
		if c = t.kinds[k]; c == nil {
			k.try = manyKinds
			c = t.kinds[k]
		}
	}
	if c == nil {
		t.kinds[k] = &count{keys: map[string]bool{key: true}, ends: now.Add(tallySpan)}
		return k, true
	}
	if c.keys[key] {
		return k, false
	}
	if c.n++; len(c.keys) < tallyKeys {
		c.keys[key] = true
	}
	return k, false
}

// forget takes back a try that could not be told.
func (t *tally) forget(k kind) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.kinds, k)
}

// due takes what was counted in minutes that are over, or in all.
func (t *tally) due(now time.Time, all bool) map[kind]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	due := map[kind]int{}
	for k, c := range t.kinds {
		switch {
		case !all && now.Before(c.ends):
		case c.n == 0:
			delete(t.kinds, k)
		default:
			due[k] = c.n
			*c = count{keys: map[string]bool{}, ends: now.Add(tallySpan)}
		}
	}
	return due
}

// back counts once more what could not be told.
func (t *tally) back(k kind, n int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.kinds[k]; c != nil {
		c.n += n
		return
	}
	t.kinds[k] = &count{n: n, keys: map[string]bool{}, ends: now.Add(tallySpan)}
}

// Refused implements bot.Auditor: the try of a key is told or counted once.
func (j Journal) Refused(ctx context.Context, r bot.Refusal) error {
	d := j.db
	k, first := d.tries.add(kind{r.Who, r.Try, r.About, r.Place}, r.Key, d.cfg.Now())
	if !first {
		return nil
	}
	err := d.write(ctx, func(tx *gorm.DB) error {
		// The lock comes first: two replicas may hear of one press.
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		digest := d.keys.current.value(r.Key)
		var n int64
		if err := tx.Raw("SELECT COUNT(*) FROM audit WHERE subject = ? AND what = ? AND digest = ?", d.keys.current.asID(d.asKept(k.about)), Refused, digest).Scan(&n).Error; err != nil || n > 0 {
			return err
		}
		return d.audit(tx, entry{Who: k.who, What: Refused, Subject: k.about, Place: placed(k.place), Digest: digest, Outcome: k.try})
	})
	if err != nil {
		d.tries.forget(k)
	}
	return wrapped(err, "audit of what was refused")
}

// placed is a place as the audit has it; empty for a try that was made at none.
func placed(p bot.Place) string {
	if p == (bot.Place{}) {
		return ""
	}
	return p.String()
}

// Tally tells of the tries that were refused in minutes that are over, or of all that
// were counted, by their number.
func (j Journal) Tally(ctx context.Context, all bool) error {
	d, now := j.db, j.db.cfg.Now()
	due := d.tries.due(now, all)
	var errs []error
	for _, k := range slices.SortedFunc(maps.Keys(due), kind.compare) {
		n, key := due[k], d.keys.current
		err := d.write(ctx, func(tx *gorm.DB) error {
			outcome := key.asID(d.asKept(k.try)) + "/" + strconv.Itoa(n)
			return d.audit(tx, entry{Who: k.who, What: Refused, Subject: k.about, Place: placed(k.place), Outcome: outcome})
		})
		if err != nil {
			d.tries.back(k, n, now)
			errs = append(errs, fmt.Errorf("audit of %d tries that were refused: %w", n, err))
		}
	}
	return errors.Join(errs...)
}
