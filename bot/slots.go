package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/scheduler"
)

// Slots are told what became of a job's run; scheduler.Keeper is them.
type Slots interface {
	Finish(ctx context.Context, runKey string, s scheduler.SlotState, reason, link string, at time.Time) error
	// Failed notes a failure that may pass, and returns when the slot is tried again, by
	// another run if it is to be anew; zero if it is not.
	Failed(ctx context.Context, runKey, reason, link string, anew bool) (time.Time, error)
	// Planned returns when the slot is tried again that a run has failed at; zero if it
	// is not.
	Planned(ctx context.Context, runKey string) (time.Time, error)
}

// tellSlot tells the slot that a Run stands for how it ended.
func (b *Bot) tellSlot(ctx context.Context, r run.Run) error {
	if r.Job == "" {
		return nil
	}
	state, reason, link := slotState(r)
	switch {
	case state == "", r.State == run.Suspended && !r.Idle(): // somebody lets it go on
		return nil
	case state == scheduler.Broken && mayPass(r):
		_, err := b.Slots.Failed(ctx, r.Key, reason, link, r.State != run.Suspended)
		return err
	}
	return b.Slots.Finish(ctx, r.Key, state, reason, link, b.Now())
}

// mayPass reports whether a Run has failed for a reason that another time may not be
// there: its model, or what it asked, could not be reached. One that begins anew must not
// have changed anything.
func mayPass(r run.Run) bool {
	switch {
	case r.State == run.Suspended:
		return r.Outcome.Why == run.ModelGone
	case slices.ContainsFunc(r.Steps, func(s run.Step) bool { return len(s.Did) > 0 }):
		return false
	case r.Outcome.Why == run.Busy:
		return true
	}
	last := r.Steps[max(0, len(r.Steps)-2):] // the calls and what was said of them
	return r.State == run.Done && slices.ContainsFunc(last, func(s run.Step) bool {
		return slices.ContainsFunc(s.Results, func(res run.Result) bool { return res.Error != nil && res.Error.Type.Passing() })
	})
}

// sayAgain adds to the end of a job's run when it is tried again.
func (b *Bot) sayAgain(ctx context.Context, p *Post, key string, out run.Outcome) {
	if !strings.HasPrefix(key, "job/") || out.Question != nil {
		return
	}
	at, err := b.Slots.Planned(ctx, key)
	switch {
	case err != nil:
		b.Log.Warn("whether a slot is tried again is not known", "run", key, "err", err)
	case !at.IsZero():
		p.Text = strings.TrimSpace(p.Text + "\n\n" + words(p.Lang).triedAgain(at))
	}
}

// fireAgain has a slot that has failed begin once more: its Run goes on, or another
// begins. One that a person has let go on meanwhile is theirs.
func (b *Bot) fireAgain(ctx context.Context, f scheduler.Firing) (done bool, err error) {
	out, ended, err := b.Agent.Outcome(ctx, f.Key)
	if err != nil || !ended || out.State != run.Suspended {
		return false, err
	}
	press := fmt.Sprintf("%s/again%d", f.Key, f.Try)
	req, err := b.Agent.Resume(ctx, f.Key, press, f.Job.Owner)
	if _, told := excuse(run.Question{}, err, "en"); told {
		return true, nil
	}
	if err != nil {
		return true, err
	}
	if err := b.settleEnd(ctx, req, out); err != nil {
		return true, err
	}
	return true, b.goOn(ctx, press, req.Key, req.Home)
}

// slotState is what a Run means for its slot; nothing while it is under way.
func slotState(r run.Run) (state scheduler.SlotState, reason, link string) {
	posted, failure := r.Posted()
	reached, due := false, r.Now
	if !r.Due.IsZero() {
		due = r.Due
	}
	for _, p := range posted {
		link = p.Link
		reached = reached || p.To == r.Expect
	}
	switch {
	case r.State == run.Waiting:
		return scheduler.Blocked, "waits for a decision", link
	case !r.Ended():
		return "", "", ""
	case r.State != run.Done || r.Outcome.Why == run.Abandoned:
		return scheduler.Broken, string(r.Outcome.Why), link
	case r.Expect != "" && !reached && failure != "":
		return scheduler.Broken, "not posted: " + failure, link
	case r.Expect != "" && !reached:
		return scheduler.Broken, "nothing was posted where it should be", link
	case r.Outcome.Why == run.Unfinished:
		return scheduler.Broken, "not all of it was done", link
	case scheduler.IsLate(due, r.Created):
		return scheduler.Late, "late by " + r.Created.Sub(due).Round(time.Minute).String(), link
	case due.Sub(r.Now) >= time.Minute:
		return scheduler.Ran, "deferred to " + due.In(r.Now.Location()).Format("15:04"), link
	default:
		return scheduler.Ran, "", link
	}
}
