package eval

import (
	"context"
	"time"

	"hermes/agent"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/internal/store"
	"hermes/scheduler"
)

// These stand around the store as the program has it: they cut it off where the fuse
// says, and note when something was put off to. All else is the store's.

var (
	_ bot.Inbox       = fusedInbox{}
	_ bot.Outbox      = fusedOutbox{}
	_ agent.Store     = fusedRuns{}
	_ scheduler.Store = fusedJobs{}
	_ tool.Artifacts  = slowShelf{}
)

type fusedInbox struct {
	store.Inbox
	w *world
}

// Next implements bot.Inbox.
func (in fusedInbox) Next(ctx context.Context, l bot.Lane) (bot.Item, error) {
	at := talkLane
	if l == bot.Control {
		at = controlLane
	}
	thing, err := in.w.turns.next(ctx, at)
	it, _ := thing.(bot.Item)
	return it, err
}

// Add implements bot.Inbox.
func (in fusedInbox) Add(ctx context.Context, it bot.Item) error {
	if err := in.w.fuse.before("take over"); err != nil {
		return err
	}
	if g := it.Gather; g != nil {
		in.w.wakes.add(in.w.clock.now().Add(g.Wait))
		in.w.wakes.add(in.w.clock.now().Add(g.Most))
	}
	if err := in.Inbox.Add(ctx, it); err != nil {
		return err
	}
	return in.w.fuse.after("take over")
}

// Done implements bot.Inbox.
func (in fusedInbox) Done(ctx context.Context, it bot.Item) error {
	if err := in.w.fuse.before("end of item"); err != nil {
		return err
	}
	return in.Inbox.Done(ctx, it)
}

// Fail implements bot.Inbox.
func (in fusedInbox) Fail(ctx context.Context, it bot.Item, reason string) error {
	if err := in.w.fuse.before(""); err != nil {
		return err
	}
	return in.Inbox.Fail(ctx, it, reason)
}

// Retry implements bot.Inbox.
func (in fusedInbox) Retry(ctx context.Context, it bot.Item, reason string, at time.Time) error {
	if err := in.w.fuse.before(""); err != nil {
		return err
	}
	in.w.wakes.add(at)
	return in.Inbox.Retry(ctx, it, reason, at)
}

type fusedOutbox struct {
	store.Outbox
	w *world
}

// Next implements bot.Outbox.
func (out fusedOutbox) Next(ctx context.Context) (bot.Post, error) {
	thing, err := out.w.turns.next(ctx, sayLane)
	p, _ := thing.(bot.Post)
	return p, err
}

// Add implements bot.Outbox.
func (out fusedOutbox) Add(ctx context.Context, p bot.Post) error {
	if err := out.w.fuse.before("put post"); err != nil {
		return err
	}
	return out.Outbox.Add(ctx, p)
}

// Note implements bot.Outbox.
func (out fusedOutbox) Note(ctx context.Context, p bot.Post, r bot.Receipt) error {
	if err := out.w.fuse.before("note receipt"); err != nil {
		return err
	}
	if err := out.Outbox.Note(ctx, p, r); err != nil {
		return err
	}
	return out.w.fuse.after("note receipt")
}

// Done implements bot.Outbox.
func (out fusedOutbox) Done(ctx context.Context, p bot.Post) error {
	if err := out.w.fuse.before("end of post"); err != nil {
		return err
	}
	return out.Outbox.Done(ctx, p)
}

// Retry implements bot.Outbox.
func (out fusedOutbox) Retry(ctx context.Context, p bot.Post, reason string, at time.Time) error {
	if err := out.w.fuse.before(""); err != nil {
		return err
	}
	out.w.wakes.add(at)
	return out.Outbox.Retry(ctx, p, reason, at)
}

type fusedRuns struct {
	store.Runs
	w *world
}

// Save implements agent.Store.
func (s fusedRuns) Save(ctx context.Context, r run.Run) (run.Run, error) {
	if err := s.w.fuse.before("save run"); err != nil {
		return r, err
	}
	if s.w.set.saving != nil {
		if err := s.w.set.saving(r); err != nil {
			return r, err
		}
	}
	kept, err := s.Runs.Save(ctx, r)
	if err != nil {
		return kept, err
	}
	return kept, s.w.fuse.after("save run")
}

// Deliver implements agent.Store.
func (s fusedRuns) Deliver(ctx context.Context, r run.Run) (run.Run, error) {
	if err := s.w.fuse.before("put report"); err != nil {
		return r, err
	}
	kept, err := s.Runs.Deliver(ctx, r)
	if err != nil {
		return kept, err
	}
	return kept, s.w.fuse.after("put report")
}

// Receive implements agent.Store.
func (s fusedRuns) Receive(ctx context.Context, r run.Receipt) error {
	if err := s.w.fuse.before("tell run"); err != nil {
		return err
	}
	return s.Runs.Receive(ctx, r)
}

// Settle implements agent.Store.
func (s fusedRuns) Settle(ctx context.Context, a run.Answer) (run.Question, error) {
	if err := s.w.fuse.before("settle"); err != nil {
		return run.Question{}, err
	}
	q, err := s.Runs.Settle(ctx, a)
	if err != nil {
		return q, err
	}
	return q, s.w.fuse.after("settle")
}

type jobRows = store.Jobs // which has a method Jobs

type fusedJobs struct {
	jobRows
	fuse *fuse
}

// Claim implements scheduler.Store.
func (s fusedJobs) Claim(ctx context.Context, sl scheduler.Slot) (bool, error) {
	if err := s.fuse.before("claim"); err != nil {
		return false, err
	}
	fresh, err := s.jobRows.Claim(ctx, sl)
	if err != nil {
		return fresh, err
	}
	return fresh, s.fuse.after("claim")
}

// Fired implements scheduler.Store.
func (s fusedJobs) Fired(ctx context.Context, key, runKey string) error {
	if err := s.fuse.before("note fired"); err != nil {
		return err
	}
	return s.jobRows.Fired(ctx, key, runKey)
}

// Finish implements scheduler.Store.
func (s fusedJobs) Finish(ctx context.Context, runKey string, state scheduler.SlotState, reason, link string, at time.Time) error {
	if err := s.fuse.before("finish slot"); err != nil {
		return err
	}
	return s.jobRows.Finish(ctx, runKey, state, reason, link, at)
}

// Defer implements scheduler.Store.
func (s fusedJobs) Defer(ctx context.Context, key, reason string, due time.Time) error {
	if err := s.fuse.before("defer"); err != nil {
		return err
	}
	return s.jobRows.Defer(ctx, key, reason, due)
}

// Again implements scheduler.Store.
func (s fusedJobs) Again(ctx context.Context, runKey, next string, due time.Time, reason string) error {
	if err := s.fuse.before("try again"); err != nil {
		return err
	}
	if err := s.jobRows.Again(ctx, runKey, next, due, reason); err != nil {
		return err
	}
	return s.fuse.after("try again")
}

// A slowShelf takes the time that making a report takes.
type slowShelf struct {
	store.Artifacts
	w *world
}

// Put implements tool.Artifacts.
func (s slowShelf) Put(ctx context.Context, a tool.Artifact) (tool.Artifact, error) {
	if err := s.w.fuse.before("keep artifact"); err != nil {
		return a, err
	}
	if a.Kind == tool.Report {
		s.w.clock.pass(reportTime)
	}
	return s.Artifacts.Put(ctx, a)
}
