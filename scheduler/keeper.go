package scheduler

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// longest is for how long a slot that was claimed and has not ended counts as running:
// one of which nothing is heard any more does not hold up its job for ever.
const longest = 6 * time.Hour

// pauses are how long after a failure a slot is tried again: the first time, the second
// and so on, and all later times as the last.
var pauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// A Keeper writes down what becomes of slots. It is safe for concurrent use, and by
// several processes.
type Keeper struct {
	store  Store
	policy Policy
	now    func() time.Time
	warden Warden // may be nil
}

// NewKeeper returns the Keeper of a Store. What the Policy leaves empty is as Defaults
// has it.
func NewKeeper(s Store, p Policy, now func() time.Time) Keeper {
	return Keeper{store: s, policy: p.or(Defaults), now: now}
}

// Finish notes how the slot of a run ended, as Store.Finish does.
func (k Keeper) Finish(ctx context.Context, runKey string, s SlotState, reason, link string, at time.Time) error {
	return k.store.Finish(ctx, runKey, s, reason, link, at)
}

// Failed notes that the run of a slot has failed for a reason that may pass. If the slot
// is tried again, it returns when: by the same run, if anew is not set, else by another.
// A zero time means that it is not, or that the run is no slot's; then the slot has failed.
// It may be told of one failure twice.
func (k Keeper) Failed(ctx context.Context, runKey, reason, link string, anew bool) (again time.Time, err error) {
	if again, err := k.Planned(ctx, runKey); err != nil || !again.IsZero() {
		return again, err // told before
	}
	slot, ok, err := k.store.ByRun(ctx, runKey)
	if err != nil || !ok {
		return time.Time{}, err
	}
	j, err := k.store.Job(ctx, slot.Job)
	if err != nil {
		return time.Time{}, fmt.Errorf("job %s: %w", slot.Job, err)
	}
	again, ok, err = k.retry(j, slot)
	switch {
	case err != nil:
		return time.Time{}, err
	case !ok:
		return time.Time{}, k.store.Finish(ctx, runKey, Broken, reason, link, k.now())
	}
	next := runKey
	if anew {
		next = nextTry(runKey)
	}
	if err := k.store.Again(ctx, runKey, next, again, reason); err != nil {
		return time.Time{}, fmt.Errorf("try %s again: %w", slot.Key(), err)
	}
	return again, nil
}

// nextTry is the key of the run that begins anew what another has failed at.
func nextTry(runKey string) string {
	base, n, ok := strings.Cut(runKey, "/try")
	tries, err := strconv.Atoi(n)
	if !ok || err != nil {
		return runKey + "/try2"
	}
	return fmt.Sprintf("%s/try%d", base, tries+1)
}

// Planned returns when the slot is tried again at which a run has failed, in the zone of
// its job; zero if it is not.
func (k Keeper) Planned(ctx context.Context, runKey string) (time.Time, error) {
	for _, key := range []string{runKey, nextTry(runKey)} {
		slot, ok, err := k.store.ByRun(ctx, key)
		if err != nil {
			return time.Time{}, err
		}
		if ok && slot.State == Deferred && slot.Tries > 0 {
			if loc, err := time.LoadLocation(slot.Zone); err == nil {
				slot.Due = slot.Due.In(loc)
			}
			return slot.Due, nil
		}
	}
	return time.Time{}, nil
}

// retry is when a slot that has failed is tried again; false if it is not: it was tried
// often enough, or the next one comes sooner.
func (k Keeper) retry(j Job, slot Slot) (time.Time, bool, error) {
	if slot.Tries >= j.Policy.or(k.policy).Retries || j.State == Paused || j.State == Deleted {
		return time.Time{}, false, nil
	}
	at := k.now().Add(pauses[min(slot.Tries, len(pauses)-1)])
	next, err := j.next(slot)
	return at, err == nil && (next.IsZero() || at.Before(next)), err
}

// underWay returns a slot of a job that runs, other than one; false if there is none.
func (k Keeper) underWay(ctx context.Context, job string, but Slot) (Slot, bool, error) {
	all, err := k.store.Working(ctx, job)
	if err != nil {
		return Slot{}, false, fmt.Errorf("slots of %s under way: %w", job, err)
	}
	now := k.now()
	for _, s := range all {
		if s.Key() != but.Key() && now.Sub(s.Claimed) < longest {
			return s, true, nil
		}
	}
	return Slot{}, false, nil
}

// verdict is what becomes of a slot now that its time has come, or that it was deferred
// to: it is claimed, it waits until Due, or it ends at once with a reason.
func (k Keeper) verdict(ctx context.Context, j Job, slot Slot) (Slot, error) {
	p, now := j.Policy.or(k.policy), k.now()
	loc, err := time.LoadLocation(j.Zone)
	if err != nil {
		return slot, fmt.Errorf("zone of job %s: %w", j.ID, err)
	}
	if slot.State == "" {
		slot.Claimed = now
		slot.Due, slot.Reason = p.begin(j.ID, slot.At, loc)
	}
	if slot.Due.After(now) {
		slot.State = Deferred
		return slot, nil
	}
	if reason, late := p.tooLate(slot.Due, now); late {
		return k.over(slot, Missed, reason), nil
	}
	running, busy, err := k.underWay(ctx, j.ID, slot)
	switch {
	case err != nil:
		return slot, err
	case !busy:
		return k.admit(ctx, j, slot), nil
	case p.Overlap != Wait:
		return k.over(slot, Skipped, "the slot of "+running.Nominal+" still ran"), nil
	}
	slot.State, slot.Reason = Deferred, "waits until the slot of "+running.Nominal+" has ended"
	return slot, nil
}

// over ends a slot without another run. One that has failed stays so.
func (k Keeper) over(slot Slot, s SlotState, reason string) Slot {
	slot.State, slot.Ended = s, k.now()
	if slot.Tries > 0 {
		slot.State = Broken
		return slot
	}
	slot.Reason = reason
	return slot
}
