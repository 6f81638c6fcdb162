package store

import (
	"context"
	"crypto/hmac"
	"fmt"
	"time"
)

// A Head is a row that was the last one at some time, as it was noted elsewhere. Seq
// is 0 if only the hash was.
type Head struct {
	Seq  int64
	Hash string
	At   time.Time // when it was noted; zero if nobody knows
}

// Verified is what Verify has found.
type Verified struct {
	Rows        int
	First, Last time.Time // of the rows; zero if there are none
	Head        Head      // of now
	Plain       int       // rows of version 1, which a seal holds
	Unproven    int       // rows under a key that is lost
	Heads       int       // noted heads that were found
	Headless    []string  // where a head should be and is none; the end may have been cut off
	Doubts      []Doubt   // what tables have otherwise
	signed      time.Time // of the first row under a key
}

// A Broken says which row is the first that is not as it was written.
type Broken struct {
	Seq int64 // 0 if nobody can tell
	How string
}

// Error implements error.
func (b *Broken) Error() string {
	if b.Seq == 0 {
		return fmt.Sprintf("%v: %s", ErrBroken, b.How)
	}
	return fmt.Sprintf("%v: row %d %s", ErrBroken, b.Seq, b.How)
}

// Unwrap returns ErrBroken.
func (*Broken) Unwrap() error { return ErrBroken }

// Verify goes through the whole audit, row by row, and returns what it has found, or a
// *Broken. An end that was cut off shows by heads alone: by the one that the database
// keeps, and by those that were noted elsewhere. What tables have otherwise is no fault
// of the audit's, and is found.
func (j Journal) Verify(ctx context.Context, heads ...Head) (Verified, error) {
	v, err := j.verify(ctx, heads)
	if err == nil && v.Rows > 0 {
		v.Doubts, err = j.db.doubtful(ctx, v.signed)
	}
	return v, err
}

// HeadInDatabase is the place in Headless of the head that the database keeps.
const HeadInDatabase = "database"

func (j Journal) verify(ctx context.Context, heads []Head) (Verified, error) {
	kept, has, err := j.db.kept(j.db.r.WithContext(ctx))
	if err != nil {
		return Verified{}, err
	}
	rows, err := j.db.r.WithContext(ctx).Model(&auditRow{}).Order("seq").Rows()
	if err != nil {
		return Verified{}, fmt.Errorf("read audit: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells what matters
	c := newChain(j.db.keys, heads)
	c.kept = kept
	for rows.Next() {
		var r auditRow
		if err := j.db.r.ScanRows(rows, &r); err != nil {
			return c.found, j.db.unreadable(ctx, c.last.Seq, err)
		}
		if err := c.add(r); err != nil {
			return c.found, err
		}
	}
	if err := rows.Err(); err != nil {
		return c.found, fmt.Errorf("read audit: %w", err)
	}
	if c.found.Rows > 0 && !has {
		c.found.Headless = append(c.found.Headless, HeadInDatabase)
	}
	return c.found, c.end()
}

// unreadable names the row after one that cannot be read: somebody has written into it
// what the program never does.
func (d *DB) unreadable(ctx context.Context, after int64, err error) error {
	var seq []int64
	if failed := d.r.WithContext(ctx).Raw("SELECT seq FROM audit WHERE seq > ? ORDER BY seq LIMIT 1", after).Scan(&seq).Error; failed != nil || len(seq) == 0 {
		return fmt.Errorf("read audit: %w", err)
	}
	return &Broken{seq[0], fmt.Sprintf("cannot be read, so it was changed or put in (%v)", err)}
}

// A chain is the audit as far as it has been gone through.
type chain struct {
	keys   keyring
	found  Verified
	last   auditRow
	keyed  bool   // a row of version 2 was there
	since  int64  // the first row
	behind string // what the first row follows and is not there
	pruned bool   // and that it may not be there
	kept   Head   // that the database keeps
	bySeq  map[int64]Head
	byHash map[string]bool
}

func newChain(keys keyring, heads []Head) *chain {
	c := &chain{keys: keys, bySeq: map[int64]Head{}, byHash: map[string]bool{}}
	for _, h := range heads {
		if h.Seq == 0 {
			c.byHash[h.Hash] = false
			continue
		}
		// Two heads of one number are a fork; the first was there before.
		if was, ok := c.bySeq[h.Seq]; !ok || was.Hash == h.Hash {
			c.bySeq[h.Seq] = h
		}
	}
	return c
}

func (c *chain) add(r auditRow) error {
	first := c.found.Rows == 0
	if err := c.proves(r); err != nil {
		return err
	}
	switch {
	case first && r.Prev == "" && r.Seq > 1 && r.Version >= version2:
		return &Broken{1, "is missing, with all up to the next that is there"}
	case first:
		c.since, c.behind = r.Seq, r.Prev
		c.found.First = r.At.Time
	case r.Version >= version2 && r.Seq != c.last.Seq+1:
		return &Broken{c.last.Seq + 1, fmt.Sprintf("is missing: the next that is there is %d", r.Seq)}
	case r.Prev != c.last.Hash:
		return &Broken{r.Seq, fmt.Sprintf("does not follow row %d: that was changed, or one between them is missing", c.last.Seq)}
	}
	if h, ok := c.bySeq[r.Seq]; ok {
		if h.Hash != r.Hash {
			return anew(h)
		}
		c.found.Heads++
	}
	if r.Seq == c.kept.Seq && r.Hash != c.kept.Hash {
		return anew(c.kept)
	}
	if seen, ok := c.byHash[r.Hash]; ok && !seen {
		c.byHash[r.Hash] = true
		c.found.Heads++
	}
	if r.What == Pruned && r.Version >= version2 {
		c.pruned = c.pruned || r.Digest == c.behind
		if seen, ok := c.byHash[r.Digest]; ok && !seen {
			c.byHash[r.Digest] = true
		}
	}
	c.found.Rows++
	c.found.Last, c.found.Head = r.At.Time, Head{Seq: r.Seq, Hash: r.Hash, At: r.At.Time}
	if !c.keyed && r.Version >= version2 {
		c.found.signed = r.At.Time
	}
	c.last, c.keyed = r, c.keyed || r.Version >= version2
	return nil
}

// proves checks a row by itself.
func (c *chain) proves(r auditRow) error {
	changed := &Broken{r.Seq, fmt.Sprintf("was changed or put in (%s)", r.What)}
	if r.Version == version1 {
		sum, err := r.sum()
		if err != nil {
			return fmt.Errorf("hash of audit row %d: %w", r.Seq, err)
		}
		plain := r.KeyID+r.PartOf+r.Place+r.Tool+r.Digest+r.Outcome == ""
		if c.keyed || sum != r.Hash || !plain {
			return changed
		}
		c.found.Plain++
		return nil
	}
	key, known := c.keys.known[r.KeyID]
	switch {
	case r.Version != version2 || !r.whole():
		return changed
	case !known && c.keys.lost[r.KeyID]:
		c.found.Unproven++
		return nil
	case !known:
		return &Broken{r.Seq, fmt.Sprintf("is under key %.40q, which is not among audit.key and audit.former_keys", r.KeyID)}
	case !hmac.Equal([]byte(key.mac(r)), []byte(r.Hash)):
		return changed
	}
	return nil
}

// end says what is missing at both ends.
func (c *chain) end() error {
	if c.behind != "" && !c.pruned {
		return &Broken{c.since - 1, "is missing, and no row says that it was pruned"}
	}
	if c.found.Plain > 0 && !c.keyed {
		return &Broken{c.last.Seq + 1, "is missing: it was the seal of the rows before"}
	}
	beyond := Head{Seq: c.last.Seq}
	if c.kept.Seq > c.last.Seq {
		beyond = c.kept
	}
	for seq, h := range c.bySeq {
		if seq > beyond.Seq {
			beyond = h
		}
	}
	if beyond.Seq > c.last.Seq {
		return cutOff(c.last.Seq, beyond)
	}
	for hash, seen := range c.byHash {
		if !seen {
			return &Broken{0, fmt.Sprintf("no row has the hash %.64q: the end was cut off or changed after row %d or before", hash, c.last.Seq)}
		}
	}
	return nil
}

func on(h Head) string {
	if h.At.IsZero() {
		return ""
	}
	return " on " + h.At.UTC().Format(time.RFC3339)
}
