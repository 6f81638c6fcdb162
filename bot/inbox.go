package bot

import (
	"context"
	"errors"
	"time"

	"hermes/agent/run"
)

// A Lane is one of the two lines in which Items wait.
type Lane string

// The lanes. What is under way in Talk may take long and is one thing at a time
// for each Place. Control only notes something for a Run and is soon done: it is
// never kept waiting, since it may be what ends the Talk before it.
const (
	Talk    Lane = "talk"
	Control Lane = "control"
)

// An Item is one thing to do: a Message to answer, a Click or words to note, or a
// Run to begin or to go on with. Of the last four fields one is set, except that
// an Answer in words comes with its Message.
type Item struct {
	Key     string
	Place   Place // whose turn it is: where it was heard, or the Run's home
	Lane    Lane
	First   bool  // before all that waits in its lane: a Run that goes on
	Attempt int   // how often Next has given it out, this time included
	Fence   int64 // of the claim, set by Next: an end with an older one is refused

	Message *Message
	// Lines are those that are one turn, in the order in which they are read, if
	// they are more than the Message alone; it is one of them, or takes one back.
	Lines []Message `json:",omitempty"`
	// Steers is set on a Message of Control that may belong into what is under way.
	Steers bool `json:",omitempty"`
	// Gather is set on a Message that may be one of several quick ones. It is for Add
	// alone, and is not kept.
	Gather *Gathering `json:"-"`

	Answer  *run.Answer
	Click   *Click
	Request *run.Request
}

// A Gathering is how lines that come one after the other become one Item.
type Gathering struct {
	Of   string        // whose lines, and where
	Wait time.Duration // how long the Item waits after its last line
	Most time.Duration // how long after its first
	Span time.Duration // how far apart they may have been written; 0: as far as may be
	Only bool          // it joins others and waits for none
}

// ErrLost is returned to who ends an Item or a Post that has meanwhile been given
// to another.
var ErrLost = errors.New("claim was lost to another")

// An Inbox keeps Items until they are done. The lane of an Item is settled when it
// is heard, and kept with it. While an Item is lent out the Inbox itself renews the
// claim; if the process dies, the Item is given out again after the lease.
type Inbox interface {
	// Add keeps an Item, unless it has seen its Key. It is on disk when Add
	// returns. One with a Gathering is joined to the Item that waits for lines of
	// the same name, and is done with it; else it waits for others itself. One
	// with Lines has the words of all of them from now on.
	Add(context.Context, Item) error
	// Next waits for the next Item of a Lane, and lends it out. In Talk that is
	// the oldest Item of a Place in which none is under way, in Control the
	// oldest. It fails when ctx ends.
	Next(context.Context, Lane) (Item, error)
	// Holding returns the Item that has the words of the Message with that Key: its
	// own, the one that it was joined to, or the one that has it as a Line since.
	Holding(ctx context.Context, message string) (Item, bool, error)
	// Gathering returns the Item that waits for more lines of that name.
	Gathering(ctx context.Context, of string) (Item, bool, error)
	// Withdraw ends an Item that was never given out, and reports whether it did.
	Withdraw(ctx context.Context, key string) (bool, error)
	// Queued returns what waits its turn in Talk at a Place and was never given out,
	// the oldest first; a Run that goes on is none of it.
	Queued(context.Context, Place) ([]Item, error)
	// QueuedAll returns the same of all Places.
	QueuedAll(context.Context) ([]Item, error)
	// Before returns the last Messages heard at the Place of an Item, its own first
	// and at most n.
	Before(ctx context.Context, it Item, n int) ([]Message, error)
	// Done ends an Item, and Fail one that cannot be done. Both may be called
	// again for one Item.
	Done(context.Context, Item) error
	Fail(ctx context.Context, it Item, reason string) error
	// Moved notes that the work on an Item has come further since Next: whatever
	// stops it now is another thing, so its attempts count anew.
	Moved(context.Context, Item) error
	// Retry gives an Item back, to be given out again from at on.
	Retry(ctx context.Context, it Item, reason string, at time.Time) error
}

// A Ledger remembers over restarts what is no work.
type Ledger interface {
	// Once reports whether nothing was marked under a name for so long before at,
	// and marks it then. Asked again with the key that has marked it, it says so
	// again.
	Once(ctx context.Context, name, key string, at time.Time, every time.Duration) (bool, error)
	// Rate keeps what a person thinks of the answer of a Run, in the place of what
	// they thought before.
	Rate(ctx context.Context, r Rating) error
}

// A Rating is what a person thinks of the answer of a Run.
type Rating struct {
	Run, Person string
	Good        bool
	At          time.Time
}

// An Outbox keeps Posts until they are delivered: of each Place one at a time, the
// oldest first; a Post with After not before that one is delivered, and not at all
// if that one has failed. While a Post with After waits for another try, it holds up
// nothing.
type Outbox interface {
	// Add keeps a Post. If its Key is known with the same or a higher Rev, or as
	// Gone and this is not, nothing changes; if with a lower one, the content is replaced and the
	// Post is due again, with Delivered set. Revs that were never given out
	// are skipped. Where nobody knows the fate of the lower one, the higher is
	// not at its first Attempt.
	Add(context.Context, Post) error
	Next(context.Context) (Post, error)
	// Note keeps the Receipt of a Post's Rev: given again, it comes with it, and
	// is to be told and not to be posted.
	Note(ctx context.Context, p Post, r Receipt) error
	Done(context.Context, Post) error
	Retry(ctx context.Context, p Post, reason string, at time.Time) error
	// Wake has what waits for another try in a workspace, with a reason that begins
	// so, given out again at once: what it waited for is there. Of the Place only
	// platform and workspace count.
	Wake(ctx context.Context, workspace Place, reason string) error
	// Following returns the Posts with After, each with its Receipt once that is
	// noted, in the order in which they came.
	Following(ctx context.Context, after string) ([]Post, error)
	// Asking returns the Posts of a Question, in the order in which they came.
	Asking(ctx context.Context, question string) ([]Post, error)
}
