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
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// A Store keeps Runs over restarts, and what others note on them. It never loses
// a note to a Save: a Run comes back with all that was noted on it meanwhile.
type Store interface {
	// Run returns the notes alone, and false, if the Run has yet to begin.
	Run(ctx context.Context, key string) (run.Run, bool, error)
	// Save keeps the Run and its new Questions, and returns it with its next
	// Version and all notes. It fails with run.ErrStale if Version is not the
	// one on disk.
	Save(context.Context, run.Run) (run.Run, error)
	// Deliver is Save for a Run that is Delivering. It puts what the Run is
	// Sending into the outbox and takes a use of its Grant: all or nothing. If
	// the Grant has none left, is revoked or over, it returns ErrNoGrant and
	// changes nothing.
	Deliver(context.Context, run.Run) (run.Run, error)
	// Turns returns the last n of what was said at a home before a time, oldest
	// first, without what the router ignored.
	Turns(ctx context.Context, home string, before time.Time, n int) ([]run.Turn, error)
	// Grants returns the grants of a job that are neither revoked nor used up.
	Grants(ctx context.Context, job string) ([]run.Grant, error)

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
	// Stop notes the wish on each Run that it means and that has not ended,
	// and returns them. It notes it on a Run by key that has yet to begin, too.
	Stop(context.Context, run.Stop) ([]run.Request, error)
	// Resume notes that a suspended Run should go on, once for each press, and
	// returns its request; run.ErrAnswered if it is not suspended.
	Resume(ctx context.Context, key, press, by string) (run.Request, error)
	// Open returns the newest open Question that by is asked at home, of a
	// Run that has not ended.
	Open(ctx context.Context, home, by string) (run.Question, bool, error)
	// Overdue returns open questions that expired before a time.
	Overdue(ctx context.Context, before time.Time) ([]run.Question, error)
}

// ErrNoGrant is returned by Deliver when the Grant does not cover one more use.
var ErrNoGrant = errors.New("grant does not cover this any more")

// A Recaller finds what is worth knowing for a request.
type Recaller interface {
	Recall(ctx context.Context, r run.Request) ([]llm.Fact, error)
}

// Config is what an Agent can be told.
type Config struct {
	Limits   guard.Limits
	Deciders guard.Deciders
	Patience time.Duration // how long a Question stays open
	JobWait  time.Duration // how long a Question of a job's slot stays open
	Uses     int           // of a Grant given with a schedule
}

// Agent is safe for concurrent use.
type Agent struct {
	cfg    Config
	models *Models
	tools  *tool.Set
	memory Recaller
	store  Store
	now    func() time.Time
	log    *slog.Logger
}

// New returns an Agent.
func New(cfg Config, m *Models, tools *tool.Set, mem Recaller, s Store, now func() time.Time, log *slog.Logger) *Agent {
	return &Agent{cfg, m, tools, mem, s, now, log}
}
