package store

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// An Entry is one row of the audit. All that it says are ids, hashes and words of the
// program; only rows of version 1 may hold a Detail.
type Entry struct {
	Seq     int64     `json:"seq"`
	At      time.Time `json:"at"` // UTC, to the microsecond
	Version int       `json:"version"`
	Key     string    `json:"key"`     // id of the key that Hash is made with; empty in version 1
	Who     string    `json:"who"`     // person; empty for the program
	What    string    `json:"what"`    // one of the acts below
	Subject string    `json:"subject"` // what it was done to: a question, a grant, a post, a call, a job, a fact
	Under   string    `json:"under"`   // the question or grant that allowed it
	Part    string    `json:"part_of"` // key of the run or id of the job
	Place   string    `json:"place"`   // where it was asked for or, of a post, where it stands
	Tool    string    `json:"tool"`    // names, with commas between
	Digest  string    `json:"digest"`  // SHA-256 of canonical arguments or of an artifact, or a keyed hash
	Outcome string    `json:"outcome"`
	Detail  string    `json:"detail,omitempty"`
	Prev    string    `json:"prev"` // Hash of the row before
	Hash    string    `json:"hash"`
}

// What the audit tells of.
const (
	Approved     = "approved"       // a question, with all that was approved
	Denied       = "denied"         // a question
	Agreed       = "agreed"         // a question that several must agree to, by one of them
	Expired      = "expired"        // a question that nobody answered
	CalledOff    = "called off"     // a question, by who asked for it
	Answered     = "answered"       // a question of a tool, or with something else than a yes or a no
	Granted      = "granted"        // a grant
	GrantKept    = "grant kept"     // a grant, as it stood when rows of before were pruned or said too little
	GrantUsed    = "grant used"     // a grant
	GrantOver    = "grant over"     // a grant whose time is up
	Revoked      = "revoked"        // a grant
	Written      = "write"          // a call; Outcome is done, failed or unknown
	PostQueued   = "post queued"    // a post
	Posted       = "posted"         // a post
	PostFailed   = "post failed"    // a post
	Refused      = "refused"        // what somebody tried who may not
	FactDeleted  = "fact deleted"   // a fact
	JobAdded     = "job added"      // a job; its other changes are "job " and its state
	ReportSaved  = "report saved"   // a saved report, by name; Digest is its hash
	ReportGone   = "report removed" // a saved report
	Configured   = "configured"     // the whole configuration, at a start where it differs
	ConfigKey    = "key set"        // one key of it
	BudgetRaised = "budget raised"  // a budget, for the rest of its period
	LoggedIn     = "logged in"      // a browser at the console
	Sealed       = "sealed"         // the rows of version 1
	Rekeyed      = "audit key"      // from here on the rows are under another key
	HeadSet      = "head set"       // Subject had no head of the audit; from here on it has
	Pruned       = "audit pruned"   // rows up to Subject, whose hash is Digest
)

const (
	version1  = 1                // plain SHA-256
	version2  = 2                // HMAC under a key
	hashed    = "hmac:"          // begins a value that stands as its keyed hash
	macHeader = "hermes-audit-2" // begins the bytes of a row
)

type auditRow struct {
	Seq                                         int64 `gorm:"primaryKey"`
	At                                          stamp
	Who, What, Subject, Under, Detail           string
	Prev, Hash                                  string
	Version                                     int
	KeyID, PartOf, Place, Tool, Digest, Outcome string
}

// TableName implements gorm's Tabler.
func (auditRow) TableName() string { return "audit" }

// sum is the hash of a row of version 1: over the row before and all of this one but
// its number.
func (r auditRow) sum() (string, error) {
	b, err := json.Marshal([]string{r.Prev, r.At.Format(layout), r.Who, r.What, r.Subject, r.Under, r.Detail})
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), err
}

// bytes are those that the hash of a row of version 2 is made of; the comment of the
// package says how.
func (r auditRow) bytes() []byte {
	return []byte(strings.Join([]string{
		macHeader, r.KeyID, strconv.FormatInt(r.Seq, 10), r.Prev, r.At.UTC().Format(layout),
		r.Who, r.What, r.Subject, r.Under, r.PartOf, r.Place, r.Tool, r.Digest, r.Outcome, "",
	}, "\n"))
}

// fields are what a row says, without its place in the chain.
func (r *auditRow) fields() []*string {
	return []*string{&r.Who, &r.What, &r.Subject, &r.Under, &r.PartOf, &r.Place, &r.Tool, &r.Digest, &r.Outcome}
}

// whole reports whether a row of version 2 could be one of ours: no line break can
// shift what its bytes say from one field to the next.
func (r auditRow) whole() bool {
	for _, f := range r.fields() {
		if strings.ContainsRune(*f, '\n') {
			return false
		}
	}
	return r.Detail == ""
}

func (r auditRow) entry() Entry {
	return Entry{
		Seq: r.Seq, At: r.At.Time, Version: r.Version, Key: r.KeyID, Who: r.Who, What: r.What, Subject: r.Subject, Under: r.Under,
		Part: r.PartOf, Place: r.Place, Tool: r.Tool, Digest: r.Digest, Outcome: r.Outcome, Detail: r.Detail, Prev: r.Prev, Hash: r.Hash,
	}
}

// mac is the hash of a row under a key.
func (k auditKey) mac(r auditRow) string { return k.sum(r.bytes()) }

func (k auditKey) sum(b []byte) string {
	m := hmac.New(sha256.New, k.secret)
	m.Write(b)
	return hex.EncodeToString(m.Sum(nil))
}

// value is the keyed hash of what must not stand in a row: without the key nobody can
// try what it was.
func (k auditKey) value(s string) string { return hashed + k.sum([]byte("value\n"+s)) }

// An id has no spaces, no letters beyond ASCII, and does not begin as a formula of a
// spreadsheet does.
var anID = regexp.MustCompile(`^[A-Za-z0-9/#][A-Za-z0-9_.:/@#+,|~-]{0,299}$`)

// asID is s if it reads like an id, and else its keyed hash: text never stands in the
// audit, whoever hands it in.
func (k auditKey) asID(s string) string {
	if s == "" || anID.MatchString(s) {
		return s
	}
	return k.value(s)
}
