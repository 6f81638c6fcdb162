// Package scheduler fires jobs at their times, once per time, over restarts. What
// a job means is its Runner's business; when it is due is scheduler/calendar's.
//
// What a newcomer would break: the clock on the wall is the only clock. A slot is
// named by its nominal wall time and zone, and its row is on disk before anything
// comes of it.
package scheduler

import (
	"context"
	"errors"
	"regexp"
	"time"

	"hermes/scheduler/calendar"
)

// A Job is something to do again and again, or once. What comes of it goes to its
// Origin; where else it may post is a grant's to say.
type Job struct {
	ID      string
	Name    string // how people call it
	Spec    string // as calendar.Parse reads it
	Zone    string // IANA name; Spec is read in it
	Request string // what is asked of the agent at each slot, in the owner's words
	Report  string // the saved report that each slot runs, if it is one; Request says so in words
	About   About  // which period a slot is about
	Origin  string // the place where it was made
	To      string // the place it posts to, if any
	ToName  string // "#sales"
	Profile string
	Owner   string // person
	Lang    string
	State   State
	Created time.Time
	// Since is the time after which slots count: when it was made, changed or
	// resumed.
	Since   time.Time
	Policy  Policy
	Version int64 // counts changes; Update of an old one fails with ErrChanged
	// Altered is set by a Store if somebody else has changed what is kept of it. Then it is
	// paused, and Update takes its end alone.
	Altered bool `json:"-"`
}

// An About is which period a Slot is about.
type About string

// The choices. By default a slot on the last days of a round, such as the last working day
// of a month, is about that round, and any other about the one before.
const (
	AsUsual  About = ""
	Previous About = "previous" // the round before that of the slot
	Current  About = "current"  // the round that the slot is in
)

// rounds are the words of a request for the round before, and for the one that it comes in,
// by what the rounds of a schedule are.
var rounds = map[calendar.Unit][2]*regexp.Regexp{
	calendar.Month:   {regexp.MustCompile(`(?i)\b(?:last|previous|prior) month|上个?月|前一个?月`), regexp.MustCompile(`(?i)\bthis month|\bmonth to date|本月|这个?月|当月`)},
	calendar.Quarter: {regexp.MustCompile(`(?i)\b(?:last|previous|prior) quarter|上个?季度?|前一个?季度`), regexp.MustCompile(`(?i)\bthis quarter|本季度?|这个?季度`)},
	calendar.Year:    {regexp.MustCompile(`(?i)\b(?:last|previous|prior) year|去年|上一?年`), regexp.MustCompile(`(?i)\bthis year|今年|本年`)},
}

// For is the About of a Job with that request: one that asks for "last month" is about
// the month before, on whichever day of the month it comes, unless the month itself is
// asked for beside it.
func (a About) For(request string, s calendar.Schedule) About {
	unit, _ := s.Cycle()
	words, ok := rounds[unit]
	if a == AsUsual && ok && words[0].MatchString(request) && !words[1].MatchString(request) {
		return Previous
	}
	return a
}

// Of is the period of a slot of a schedule at a time.
func (a About) Of(s calendar.Schedule, at time.Time, loc *time.Location) calendar.Period {
	switch a {
	case Previous:
		return s.Before(at, loc)
	case Current:
		return s.Round(at, loc)
	}
	return s.Period(at, loc)
}

// A State is whether a Job fires.
type State string

// The states of a Job.
const (
	Active  State = "active"
	Paused  State = "paused"
	Ended   State = "ended"   // a schedule without further times
	Deleted State = "deleted" // kept for its history
)

// A Slot is one time of a Job. Its Key is job + nominal wall time + zone.
type Slot struct {
	Job     string
	Nominal string // "2026-12-01T09:00"
	Zone    string
	At      time.Time // the instant it falls on
	Due     time.Time // when it begins: At, or later by its Policy; zero of one that never did
	Tries   int       // how often it was tried again
	From    time.Time // the period it is about, up to but without To
	To      time.Time
	State   SlotState
	Reason  string
	Run     string // key of the run
	Link    string // of what was posted
	Claimed time.Time
	Ended   time.Time
}

// Key names the Slot for ever.
func (s Slot) Key() string { return s.Job + "@" + s.Nominal + "@" + s.Zone }

// runKey is the key of the one run of the Slot.
func (s Slot) runKey() string { return "job/" + s.Key() }

// A SlotState is what became of a Slot.
type SlotState string

// The states of a Slot.
const (
	Claimed  SlotState = "claimed"  // on disk, and with the Runner or on its way there
	Deferred SlotState = "deferred" // on disk, and begins when it is Due
	Ran      SlotState = "ran"
	Late     SlotState = "late"    // ran, but later than its time
	Skipped  SlotState = "skipped" // by policy or by a person
	Missed   SlotState = "missed"  // the program was away
	Blocked  SlotState = "blocked" // waits for a person, or the grant did not cover it
	Broken   SlotState = "failed"
)

// A Firing is one due Slot of a Job.
type Firing struct {
	Job      Job
	Slot     Slot
	Next     time.Time // the slot after it; zero if there is none
	Rehearse bool      // to its origin only: no post elsewhere, no grant used
	Due      time.Time // when it should begin
	// Try counts the times that the slot has failed before. Then Key is that of the run
	// that has failed, if it can go on, or of a new one.
	Try int
	Key string // of the run; made of the Slot's, and for a rehearsal of its own
}

// A Runner takes a Firing over; bot.Bot is one. A nil error means that it is safe
// on disk. It is called again for a Firing whose last call returned another.
type Runner interface {
	Fire(context.Context, Firing) error
}

// Errors of a Store.
var (
	ErrNoJob   = errors.New("no such job")
	ErrChanged = errors.New("job was changed by another") // read it again
	// ErrAltered is of a job that is not as it was kept: it can only be deleted.
	ErrAltered = errors.New("the schedule was changed in the database, and not by this program; delete it and make it anew")
)

// A Store keeps jobs and their slots.
type Store interface {
	Jobs(context.Context) ([]Job, error) // all but deleted ones, oldest first
	Job(ctx context.Context, id string) (Job, error)
	// Changed returns the jobs that were added or changed after a mark, and the mark to
	// ask with next. To "" it answers with the mark of now and no jobs. A job may be
	// among them that has not changed, but none that has is ever left out.
	Changed(ctx context.Context, mark string) (ids []string, next string, err error)
	// Newest returns by job the time of its newest slot.
	Newest(context.Context) (map[string]time.Time, error)
	// Add keeps a Job, unless it knows its ID.
	Add(context.Context, Job) error
	// Update replaces a Job of the same Version and returns it with the next.
	Update(context.Context, Job) (Job, error)
	// Claim keeps a Slot, with its Run, and reports whether it was new. Only the
	// first claim of a Key is.
	Claim(context.Context, Slot) (bool, error)
	// Finish sets State, Reason, Link and Ended of the Slot that has that Run. A
	// run that is no Slot's finishes none.
	Finish(ctx context.Context, runKey string, s SlotState, reason, link string, at time.Time) error
	// Last returns the newest Slot of a job, and false if it has none.
	Last(ctx context.Context, job string) (Slot, bool, error)
	// Slots returns the n newest, newest first.
	Slots(ctx context.Context, job string, n int) ([]Slot, error)
	// Unfired returns claimed and deferred Slots that the Runner has not taken over, the
	// oldest first.
	Unfired(context.Context) ([]Slot, error)
	// Fired notes that the Runner has taken a Slot over; a deferred one is claimed then.
	Fired(ctx context.Context, key, runKey string) error
	// Defer notes why and until when an unfired Slot is deferred.
	Defer(ctx context.Context, key, reason string, due time.Time) error
	// Working returns the claimed Slots of a job, which are with the Runner or on their
	// way there, the oldest first.
	Working(ctx context.Context, job string) ([]Slot, error)
	// ByRun returns the Slot that has that run, and false if none has.
	ByRun(ctx context.Context, runKey string) (Slot, bool, error)
	// Again has the Slot of a run that has failed begin once more at a time: it is
	// deferred and unfired, has the run next from now on, and one more try.
	Again(ctx context.Context, runKey, next string, due time.Time, reason string) error
}
