// Package memory keeps facts and episodes, finds them again, and never overwrites
// one behind a person's back. It does not know who stores them, nor chat.
//
// What a newcomer would break: every Fact has an Audience, and whoever reads is a
// Viewer. There is no way to ask for facts without saying who will see them.
package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// An Audience is who may see a Fact: one person, who is in one channel, or all
// members of a workspace.
type Audience struct {
	Kind string // "user", "channel", "team"
	ID   string // person; platform/workspace/channel; platform:workspace
}

// A Viewer is who will see what is read.
type Viewer struct {
	Person  string // platform:workspace:user
	Channel string // platform/workspace/channel, without thread
	Team    string // platform:workspace; empty for guests, who see no team facts
	Direct  bool   // nobody but Person sees the place: only there are their "user" facts listed
}

// A Status is where a Fact stands.
type Status string

// The statuses.
const (
	Active     Status = "active"
	Disputed   Status = "disputed"   // contradicts another; the newest explicit one is used
	Superseded Status = "superseded" // a person or a newer statement replaced it
	Archived   Status = "archived"   // nobody has used it for long; it can be restored
	Expired    Status = "expired"    // not valid any more
	Forgotten  Status = "forgotten"  // only in receipts: a forgotten fact is deleted
)

// A Fact is one thing worth knowing, with where it came from.
type Fact struct {
	ID         string // made of Source, Subject, Predicate and Object: the same for the same
	Subject    string // a person, or a word
	Predicate  string // "prefers-format", "prefers-language", "reports-to", "means", "note"
	Object     string
	Text       string // the words it was said in
	Kind       string // "stated", "observed", "inferred"
	Confidence float64
	Source     string   // Key of the message it was taken from
	Evidence   []string // keys of the messages and steps that it follows from, of one that was not stated
	Link       string
	Place      string // where it was said
	By         string // person
	Said       time.Time
	Event      time.Time // since when it is true; zero: since it was said
	Until      time.Time // until when; zero: nobody knows of an end
	Audience   Audience
	Status     Status
	ReplacedBy string    // id, of a Superseded one
	Closed     time.Time // since when it is not believed any more

	Used    time.Time // the last time somebody was told
	Hits    int       // how often
	Expires time.Time // not told from then on; a use puts it off
}

// Label says how a fact is known, how sure it is and since when, in a few English words
// for whoever is told.
func (f Fact) Label() string {
	if f.Said.IsZero() {
		return ""
	}
	label := cmp.Or(f.Kind, Stated) + " " + f.When().UTC().Format(time.DateOnly)
	if f.Confidence < 1 && f.Confidence > 0 {
		label += fmt.Sprintf(", confidence %.2g", f.Confidence)
	} else {
		label += ", confidence 1"
	}
	if f.Status == Disputed {
		label += ", disputed"
	}
	return label
}

// A Link is a fact that a walk through the graph came to, and after how many steps.
type Link struct {
	Seq   int64
	Depth int
}

// A Conflict is a new Fact that contradicts a current one. Both are kept and
// recalled as disputed until somebody settles it.
type Conflict struct {
	ID       string
	Old, New Fact
	Settled  string // Choice, once settled
	By       string
	At       time.Time
}

// A Choice settles a Conflict.
type Choice string

// The ways to settle a Conflict.
const (
	KeepOld  Choice = "keep-old"
	TakeNew  Choice = "take-new"
	KeepBoth Choice = "keep-both"
)

// ErrSettled is returned for a Conflict that is no longer open.
var ErrSettled = errors.New("conflict is already settled")

// ErrNoConflict is returned for an id that names none.
var ErrNoConflict = errors.New("no such conflict")

// An Episode is something that happened: a run and what came of it.
type Episode struct {
	ID       string // key of the run
	At       time.Time
	Who      string
	Place    string
	Text     string // one line: the summary
	Link     string
	Audience Audience

	Asked   string   // what was wanted
	Outcome string   // what was answered
	Steps   string   // what came between that matters, a line each
	Tools   []string // that were used
	Result  string   // where the report is
	Data    string   // where the figures came from
	Expires time.Time
}

// A Store keeps facts, conflicts and episodes. Every Put ignores an ID it knows.
// What is read is filtered by audiences in the store, before any limit. How facts are
// found by words is not the store's: it keeps their signs for the index of Memory.
type Store interface {
	// Current returns the active and disputed facts of one subject and
	// predicate with one audience, newest first.
	Current(ctx context.Context, a Audience, subject, predicate string) ([]Fact, error)
	Fact(ctx context.Context, id string) (Fact, bool, error)
	Put(context.Context, Fact) error
	// Dispute keeps c.New, marks both facts disputed and opens the Conflict, in
	// one transaction.
	Dispute(ctx context.Context, c Conflict) error
	// Close ends a Conflict, sets the statuses that the Choice means (keep-old:
	// the new one superseded; take-new: the old one; both: both active) and
	// returns it; ErrSettled if it is not open, with the Conflict as settled;
	// ErrNoConflict if there is none. It never revives a superseded fact.
	Close(ctx context.Context, id string, c Choice, by string, at time.Time) (Conflict, error)
	// Supersede marks old as replaced by its successor, which it keeps: as
	// active if it is new, untouched if its ID is known. Closed is the
	// successor's Said. An old that is already superseded stays as it is.
	Supersede(ctx context.Context, old string, successor Fact) error
	// List returns the active and disputed facts that v may see, newest first.
	List(ctx context.Context, v Viewer, limit int) ([]Fact, error)
	// Fresh returns what an index takes in of the current facts with audience a
	// whose Seq is above after, by Seq.
	Fresh(ctx context.Context, a Audience, after int64, limit int) ([]Entry, error)
	// At returns, in any order, the facts with these Seqs that are current and
	// have one of the audiences.
	At(ctx context.Context, as []Audience, seqs []int64) ([]Numbered, error)
	// Sign keeps what facts are found by, in place of what was kept before. Facts
	// that are not there are left out.
	Sign(ctx context.Context, signed []Signed) error
	// Linked walks from the nodes along current facts with those audiences, which
	// lead from From to To, at most depth steps, and returns the nearest.
	Linked(ctx context.Context, as []Audience, nodes []string, depth, limit int) ([]Link, error)
	// Delete removes facts with their conflicts and index entries, and with the
	// facts that they replaced, and those that these replaced: what is forgotten
	// leaves no history. It returns all that were there.
	Delete(ctx context.Context, ids []string) ([]Fact, error)
	// Touch notes uses; of a fact that is not current nothing.
	Touch(ctx context.Context, uses []Use) error
	// Sweep ends what is over. A dispute of which a side has ended is one no more.
	Sweep(ctx context.Context, s Sweep) (Swept, error)
	// Restore makes an archived or expired fact active, as used at that time.
	Restore(ctx context.Context, id string, at, expires time.Time) error
	// Disputes returns the conflicts that were opened before and are still open, but
	// for those that Asked has noted.
	Disputes(ctx context.Context, before time.Time) ([]Conflict, error)
	Asked(ctx context.Context, conflict string, at time.Time) error
	PutEpisode(context.Context, Episode) error
	// Episodes returns those that match the words of text, best first, or the
	// newest first if there is no text.
	Episodes(ctx context.Context, v Viewer, text string, limit int) ([]Episode, error)
}

// Scored is a Fact that was found.
type Scored struct {
	Fact
	Score float64 // higher is better; comparable within one answer only
	// Behind is the id of the fact that is used instead of this one while both
	// are disputed; empty for a fact that may be used. Memory sets it.
	Behind string

	says Statement // of a note, if it is one
}
