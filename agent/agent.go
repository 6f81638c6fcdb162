// Package agent thinks: it takes a request, speaks with a model, runs tools, and
// comes back with an answer or with a question for a person.
//
// It knows nothing of chat. Whoever calls it decides where the answer goes.
//
// What a newcomer would break: the loop does one next thing, saves, and starts
// over. Nothing may happen between two saves that cannot be done again, except a
// Write, and that is marked on disk before it starts.
package agent

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"hermes/agent/decision"
	"hermes/agent/exec"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/prompt"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/redact"
)

// A Store keeps Runs over restarts, and what others note on them. It never loses
// a note to a Save: a Run comes back with all that was noted on it meanwhile.
type Store interface {
	// Run returns the notes alone, and false, if the Run has yet to begin.
	Run(ctx context.Context, key string) (run.Run, bool, error)
	// Save keeps the Run and its new Questions, and returns it with its next
	// Version and all notes. It fails with run.ErrStale if Version is not the
	// one on disk, and with run.ErrUnheard if the Run is Done and has not taken
	// in all that was said to it.
	Save(context.Context, run.Run) (run.Run, error)
	// Deliver is Save for a Run that is Delivering. It puts what the Run is
	// Sending into the outbox and takes a use of its Grant: all or nothing. If
	// the Grant has none left, is revoked or over, it returns ErrNoGrant and
	// changes nothing.
	Deliver(context.Context, run.Run) (run.Run, error)
	// Take takes a use of a Grant for a call that is no post, once for each call with its
	// Hash. It returns ErrNoGrant as Deliver does.
	Take(context.Context, run.Use) error
	// Turns returns the last n of what was said at a home before a time, oldest
	// first, without what the router ignored.
	Turns(ctx context.Context, home string, before time.Time, n int) ([]run.Turn, error)
	// Grants returns the grants of a job that are neither revoked nor used up.
	Grants(ctx context.Context, job string) ([]run.Grant, error)
	// Standing returns the grants of an owner, or of everybody, with a job and without,
	// that are neither revoked nor used up nor over, the oldest first.
	Standing(ctx context.Context, owner string) ([]run.Grant, error)
	// Grant returns the one with that id, however it stands; run.ErrNoGrant if there is
	// none. Revoke ends it and returns it, and may be called again.
	Grant(ctx context.Context, id string) (run.Grant, error)
	Revoke(ctx context.Context, id, by string) (run.Grant, error)

	// Question returns the one with that id, with its Answer if it has one;
	// run.ErrNoQuestion if there is none.
	Question(ctx context.Context, id string) (run.Question, error)
	// Settle notes the Answer and returns its Question with it; a Grant that it
	// gives stands from then on. Of many answers to one question it takes the
	// first, as often as it comes; the others get run.ErrAnswered with the
	// Question as it was answered.
	Settle(context.Context, run.Answer) (run.Question, error)
	// Receive notes a Receipt, once.
	Receive(context.Context, run.Receipt) error
	// Stop notes the wish on the Run of that key, unless it has ended, and
	// returns it; of one that has yet to begin it returns none, and notes it.
	Stop(context.Context, run.Stop) ([]run.Request, error)
	// Steer notes what was said to the Run of that key, once for each Key, and
	// reports whether it is noted: of a Run that is neither Working nor
	// Delivering it is not.
	Steer(ctx context.Context, key string, s run.Steer) (bool, error)
	// Resume notes that a suspended Run should go on, once for each press, and
	// returns its request; run.ErrAnswered if it is not suspended.
	Resume(ctx context.Context, key, press, by string) (run.Request, error)
	// Open returns the open Questions at a home, of Runs that have not ended,
	// the newest first; and Under those Runs, the oldest first.
	Open(ctx context.Context, home string) ([]run.Question, error)
	Under(ctx context.Context, home string) ([]run.Request, error)
	// Theirs returns such Runs of a person, wherever they are, the oldest first.
	Theirs(ctx context.Context, asker string) ([]run.Request, error)
	// Serves reports whether by has begun a Run at home.
	Serves(ctx context.Context, home, by string) (bool, error)
	// Lately returns the last n Runs that people asked for at home in more than small
	// talk, the newest first; without their Steps, Questions and notes.
	Lately(ctx context.Context, home string, n int) ([]run.Run, error)
	// Agree notes that a person agrees to a Question, once for each person and choice,
	// and returns all who have, in the order in which they did. It returns the errors of
	// Settle for a Question that is answered or has expired.
	Agree(ctx context.Context, ans run.Answer) ([]run.Answer, error)
	// Overdue returns open questions that expire before a time.
	Overdue(ctx context.Context, before time.Time) ([]run.Question, error)
}

// ErrNoGrant is returned by Deliver and Take when the Grant does not cover one more use.
var ErrNoGrant = errors.New("grant does not cover this any more")

// A Recaller finds what is worth knowing for a request.
type Recaller interface {
	Recall(ctx context.Context, r run.Request) ([]llm.Fact, error)
}

// Config is what an Agent can be told. A number that is 0 has its default.
type Config struct {
	Profiles guard.Profiles // none: guard.Builtin
	Deciders guard.Deciders
	Budgets  guard.Budgets
	Zone     *time.Location // of the days and months of Budgets; nil: UTC
	Patience time.Duration  // how long a Question stays open
	JobWait  time.Duration  // how long a Question of a job's slot stays open
	Uses     int            // of a Grant given with a schedule
	// OfferAfter is after how many approvals of one kind by one person in a week the card
	// offers to allow more of the kind; 0: never.
	OfferAfter int

	Words   guard.Screen  // in the screened arguments of a tool they stop a call for a person; nil: guard.Words
	WarnAt  float64       // the share of what a run may use at which the model is told to end; 0.8
	Tools   int           // how many tools a model is told of; the others are found by the request; 12
	Closing time.Duration // how long the closing call may take; 20 s
	Exec    exec.Config
	Result  result.Config
	Reading decision.Options // its Tools are set by the Agent
	Digest  bool             // a model may shorten long texts of tools that allow it
	Prompt  prompt.Writer
	Loose   bool // the Prompt invites a model to go on for ever; runs say so
	// Named are words of the team, in small letters, that a model may take for tools.
	Named map[string]Named
}

func (c Config) filled() Config {
	if len(c.Profiles) == 0 {
		c.Profiles = guard.Builtin()
	}
	if c.Words == nil {
		c.Words = guard.Words()
	}
	if c.WarnAt == 0 {
		c.WarnAt = 0.8
	}
	if c.Tools == 0 {
		c.Tools = 12
	}
	if c.Closing == 0 {
		c.Closing = 20 * time.Second
	}
	return c
}

// Parts are what an Agent works with.
type Parts struct {
	Models *Models
	Tools  *tool.Set
	Memory Recaller
	Store  Store
	// Treasury has what was spent; it may be nil only without Budgets.
	Treasury Treasury
	Habits   Habits         // nil: no card offers what was approved again and again
	Rights   Rights         // nil: everybody may use every tool
	Shelf    tool.Artifacts // keeps results that are too long to be read whole
	Keeper   Keeper         // of what was learned of the tools; nil: until the program ends
	// Draft, if not nil, is told what the answer of a Run is so far, while a model
	// writes it; an empty text says that it begins anew, or was none.
	Draft func(key, text string)
	// Speaks is the language in which a person reads, "en" or "zh", and empty if nobody
	// knows; nil: nobody ever does.
	Speaks func(person string) string
	Redact *redact.Redactor // of what tools say; a call with a secret is turned away
	Roster Roster           // of groups and channels; nil: nobody is in any
	// Library has the saved reports; nil: there are none. Past knows what was posted; nil:
	// nothing was.
	Library Library
	Past    Past
	// Threads knows what threads began with; nil: nobody does.
	Threads Threads
	Now     func() time.Time
	Log     *slog.Logger
}

// Agent is safe for concurrent use.
type Agent struct {
	Parts
	cfg      Config
	catalog  *tool.Catalog
	exec     *exec.Executor
	contract string
	live     live
	pledged  pledges
	learned  sync.Once
}

// New returns an Agent.
func New(cfg Config, p Parts) *Agent {
	cfg = cfg.filled()
	version := cfg.Prompt.Version()
	if cfg.Loose {
		version += guard.Loose
	}
	catalog := tool.NewCatalog(p.Tools, p.Now)
	catalog.Log = p.Log
	if p.Rights != nil {
		catalog.May = p.Rights.MayUse
	}
	return &Agent{
		Parts: p, cfg: cfg, catalog: catalog, exec: exec.New(cfg.Exec, p.Log),
		contract: version + " " + p.Tools.Version(),
	}
}
