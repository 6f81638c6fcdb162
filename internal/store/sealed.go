package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"hermes/agent/tool"
	"hermes/bot"
)

// Whoever can write to the database could put a press into the inbox, a post into the
// outbox, or other words into a report. So what the program acts on later is sealed under
// the key of the audit when it is written, and looked at when it is taken out: a row that
// somebody else has written, changed or copied to another key is not acted on.
//
//	inbox      seal of what it says; none once it is done, so it cannot be put back
//	outbox     the same (ended in its place), then seal of its receipt, if it has one
//	artifacts  seal of all that it is, its bytes by their hash

// An asIs is a text from which secrets were taken already: it is bound as it is.
type asIs struct{ text string }

// Value implements driver.Valuer.
func (k asIs) Value() (driver.Value, error) { return k.text, nil }

// keep is a text as it reaches the database. A seal is of that.
func (d *DB) keep(s string) asIs { return asIs{d.asKept(s)} }

// line is the seal of texts, each with its length before it.
func (k auditKey) line(texts ...string) string {
	m := hmac.New(sha256.New, k.secret)
	var n [8]byte
	for _, t := range texts {
		binary.BigEndian.PutUint64(n[:], uint64(len(t)))
		m.Write(n[:])
		_, _ = io.WriteString(m, t) // a hash takes all
	}
	var out [keyIDSize + 1 + 2*sha256.Size]byte
	copy(out[:], k.id)
	out[keyIDSize] = ':'
	hex.Encode(out[keyIDSize+1:], m.Sum(n[:0:0]))
	return string(out[:])
}

// sealSize is how long a seal is: the id of its key, a colon, and digits.
const sealSize = keyIDSize + 1 + 2*sha256.Size

// ended stands where the seal of a post was that has been said.
var ended = strings.Repeat("-", sealSize)

// holds reports whether a seal is that of texts under a key that is known here.
func (r keyring) holds(seal string, texts ...string) bool {
	if len(seal) != sealSize {
		return false
	}
	key, known := r.known[seal[:keyIDSize]]
	return known && hmac.Equal([]byte(key.line(texts...)), []byte(seal))
}

// says are the texts that a row of the inbox is sealed by.
func (r inboxRow) says() []string {
	return []string{"inbox", r.Claim.Key, r.Lane, strconv.Itoa(r.Ahead), r.Place, r.Body}
}

// says are the texts that a row of the outbox is sealed by: what it is in words stands in
// its body.
func (r outboxRow) says() []string {
	return []string{"outbox", r.Claim.Key, strconv.Itoa(r.Rev), r.Lane, strconv.Itoa(r.Ahead), r.Place, r.AfterKey, r.Body}
}

// came are the texts that the receipt of a row is sealed by.
func (r outboxRow) came() []string {
	return []string{"receipt", r.Claim.Key, strconv.Itoa(r.ReceiptRev), r.Ref, r.Receipt}
}

// halves are the seals of a row of the outbox.
func (r outboxRow) halves() (says, came string) {
	return r.Mac[:min(len(r.Mac), sealSize)], r.Mac[min(len(r.Mac), sealSize):]
}

func (r outboxRow) noted() bool { return r.Ref != "" || r.Receipt != "" || r.ReceiptRev >= 0 }

// landed reports whether a row is where the program has noted that it is, if anywhere.
func (r keyring) landed(row outboxRow) bool {
	_, came := row.halves()
	return !row.noted() && came == "" || r.holds(came, row.came()...)
}

// errNotAsWritten is why a row is not acted on.
var errNotAsWritten = errors.New("it is not as hermes has written it")

// notAsWritten is how the audit calls that.
const notAsWritten = "not-as-written"

// asWritten checks a row of the inbox.
func (d *DB) asWritten(r inboxRow) error {
	if !d.keys.holds(r.Mac, r.says()...) {
		return errNotAsWritten
	}
	return nil
}

// postAsWritten checks a row of the outbox. One that went elsewhere goes there once,
// whatever its row says: the audit has that.
func (d *DB) postAsWritten(ctx context.Context, r outboxRow, p bot.Post) error {
	says, _ := r.halves()
	if !d.keys.holds(says, r.says()...) || !d.keys.landed(r) {
		return errNotAsWritten
	}
	if p.Run == "" || r.noted() {
		return nil
	}
	posted, err := audited(d.r.WithContext(ctx), Posted, d.keys.current.asID(d.asKept(p.Key)))
	if err == nil && posted {
		err = fmt.Errorf("%w: the audit has it as posted", errNotAsWritten)
	}
	return err
}

// disown tells the log and the audit of a row that is not acted on, once for each key.
func (d *DB) disown(ctx context.Context, line, key, place string, why error) error {
	e := entry{What: Refused, Subject: key, Place: place, Outcome: notAsWritten}
	if known, err := d.told(d.r.WithContext(ctx), e); err != nil || known {
		return wrapped(err, "audit of "+key)
	}
	d.cfg.Log.Error("a row in the database is not one that hermes has written; it is not acted on", "table", line, "row", key, "err", why,
		"hint", "somebody has changed the table "+line+": look at `hermes audit verify`, and at who can write to the database")
	if d.cfg.Altered != nil {
		if err := d.cfg.Altered(ctx, line, key); err != nil {
			return fmt.Errorf("tell of %s: %w", key, err)
		}
	}
	err := d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		if known, err := d.told(tx, e); err != nil || known {
			return err
		}
		return d.audit(tx, e)
	})
	return wrapped(err, "audit of "+key)
}

// says are the texts that an artifact is sealed by.
func (r artifactRow) says(files []string) []string {
	return append([]string{"artifact", r.ID, r.Hash, r.Kind, r.Title, r.Name, r.Mime, r.Recipe, string(r.Meta), r.Run, r.Call}, files...)
}

// LinesSealed is the row about the rows of before there were seals.
const LinesSealed = "rows sealed"

// sealLines seals, once, what was written before there were seals. That it was done stands
// in the audit: what comes without a seal later is none of ours.
func (d *DB) sealLines(ctx context.Context) error {
	// Looked at first: to find what has no seal is to go through all artifacts.
	if done, err := d.allSealed(d.r.WithContext(ctx)); err != nil || done {
		return err
	}
	var n int64
	err := d.r.WithContext(ctx).Raw(`SELECT (SELECT COUNT(*) FROM inbox WHERE mac = '' AND state = 'waiting') +
		(SELECT COUNT(*) FROM outbox WHERE mac = '' AND (state = 'waiting' OR ref <> '' OR receipt <> '')) +
		(SELECT COUNT(*) FROM artifacts WHERE mac = '') + (SELECT COUNT(*) FROM jobs WHERE mac = '') +
		(SELECT COUNT(*) FROM runs WHERE mac = '') + (SELECT COUNT(*) FROM reports WHERE mac = '') + (SELECT COUNT(*) FROM facts WHERE mac = '')`).Scan(&n).Error
	if err != nil || n == 0 {
		return wrapped(err, "rows without a seal")
	}
	if v, err := (Journal{d}).verify(ctx, nil); err != nil || len(v.Headless) > 0 && v.Rows > 0 {
		if err != nil && !errors.Is(err, ErrBroken) {
			return err
		}
		// Of an audit that was changed nobody can tell whether they were sealed before.
		d.cfg.Log.Error("rows of before there were seals are not acted on, as the audit does not hold together or has no head", "rows", n, "err", err,
			"hint", "`hermes audit verify` says more; what waited must be asked for again")
		return nil
	}
	err = d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		return d.eachSealing(tx, func(seal func(*gorm.DB) error) error { return seal(tx) })
	})
	return wrapped(err, "seal what was written before")
}

// sealings are what was sealed from some version on, by the subject of the row that says
// that what is older has its seals.
func (d *DB) sealings() map[string]func(*gorm.DB) error {
	return map[string]func(*gorm.DB) error{linesSealed: d.sealAll, recordsSealed: d.sealRecords}
}

// linesSealed is the subject of the row about inbox, outbox and artifacts.
const linesSealed = "database"

// allSealed reports whether the audit says that all rows of before are sealed.
func (d *DB) allSealed(r *gorm.DB) (bool, error) {
	for subject := range d.sealings() {
		if done, err := d.told(r, entry{What: LinesSealed, Subject: subject}); err != nil || !done {
			return false, err
		}
	}
	return true, nil
}

// sealsBegin has the audit say that all that is written from now on is sealed, if it does
// not yet.
func (d *DB) sealsBegin(tx *gorm.DB) error {
	return d.eachSealing(tx, func(func(*gorm.DB) error) error { return nil })
}

// eachSealing does something with each sealing that the audit has not, and has it say so.
func (d *DB) eachSealing(tx *gorm.DB, do func(seal func(*gorm.DB) error) error) error {
	sealings := d.sealings()
	for _, subject := range slices.Sorted(maps.Keys(sealings)) {
		e := entry{What: LinesSealed, Subject: subject}
		if done, err := d.told(tx, e); err != nil || done { // another replica may have been faster
			if err != nil {
				return err
			}
			continue
		}
		if err := do(sealings[subject]); err != nil {
			return err
		}
		if err := d.audit(tx, e); err != nil {
			return err
		}
	}
	return nil
}

func (d *DB) sealAll(tx *gorm.DB) error {
	key := d.keys.current
	var items []inboxRow
	if err := tx.Raw("SELECT * FROM inbox WHERE mac = '' AND state = 'waiting'").Scan(&items).Error; err != nil {
		return err
	}
	for _, r := range items {
		if err := tx.Exec("UPDATE inbox SET mac = ? WHERE key = ?", key.line(r.says()...), r.Claim.Key).Error; err != nil {
			return err
		}
	}
	for after := int64(0); ; {
		var posts []struct {
			Row   outboxRow `gorm:"embedded"`
			Seq   int64
			State string
		}
		if err := tx.Raw("SELECT * FROM outbox WHERE seq > ? AND mac = '' AND (state = 'waiting' OR ref <> '' OR receipt <> '') ORDER BY seq LIMIT ?", after, chunk).Scan(&posts).Error; err != nil {
			return err
		}
		for _, r := range posts {
			mac := ended
			if r.State == "waiting" {
				mac = key.line(r.Row.says()...)
			}
			if r.Row.noted() {
				mac += key.line(r.Row.came()...)
			}
			if err := tx.Exec("UPDATE outbox SET mac = ? WHERE seq = ?", mac, r.Seq).Error; err != nil {
				return err
			}
			after = r.Seq
		}
		if len(posts) < chunk {
			break
		}
	}
	var ids []string
	if err := tx.Raw("SELECT id FROM artifacts WHERE mac = ''").Scan(&ids).Error; err != nil {
		return err
	}
	for _, id := range ids {
		var r artifactRow
		if err := tx.Raw("SELECT id, hash, kind, title, name, mime, recipe, meta, run, call FROM artifacts WHERE id = ?", id).Scan(&r).Error; err != nil {
			return err
		}
		files, err := filesOf(tx, id)
		if err != nil {
			return err
		}
		if err := tx.Exec("UPDATE artifacts SET mac = ? WHERE id = ?", key.line(r.says(files)...), id).Error; err != nil {
			return err
		}
	}
	return nil
}

func filesOf(r *gorm.DB, artifact string) ([]string, error) {
	var files []string
	err := r.Raw("SELECT file FROM artifact_files WHERE artifact = ? ORDER BY n", artifact).Scan(&files).Error
	return files, err
}

// rehash is the hash of the bytes that an artifact has now, those of its files included,
// and whether all of it is as it was made.
func (d *DB) rehash(r *gorm.DB, row artifactRow, a tool.Artifact) (string, bool, error) {
	var hashes []string
	whole := d.keys.holds(row.Mac, row.says(a.Files)...)
	for _, id := range a.Files {
		f, err := d.artifact(r, id)
		if errors.Is(err, tool.ErrNoArtifact) {
			whole = false
			continue
		}
		if err != nil {
			return "", false, err
		}
		hashes, whole = append(hashes, f.Hash), whole && !f.Altered
	}
	hash := tool.HashOf(a, hashes)
	return hash, whole && hash == row.Hash, nil
}
