package scheduler

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Warden knows the people whose rights a Job runs with: its owner, and who has allowed
// what it posts.
type Warden interface {
	// Lapsed returns why a Job may not run for these people any more, and sees to it that
	// it is paused then and that somebody is told; nothing if it may run. An error means
	// that nobody knows.
	Lapsed(context.Context, Job) (why string, err error)
}

// ErrLapsed is why a Job does not run that a person wants to run now.
var ErrLapsed = errors.New("it does not run for its people any more")

// A slot of whose people nothing is known waits so long for word of them, and asks so
// often: a platform that cannot be reached for a while takes no report away.
const (
	wordWithin = time.Hour
	wordAgain  = time.Minute
)

// Under returns a Keeper that lets nothing run that a Warden says has lapsed.
func (k Keeper) Under(w Warden) Keeper {
	k.warden = w
	return k
}

// lapsed is Warden.Lapsed; without a Warden no Job has.
func (k Keeper) lapsed(ctx context.Context, j Job) (string, error) {
	if k.warden == nil {
		return "", nil
	}
	return k.warden.Lapsed(ctx, j)
}

// admit claims a slot if its Job may still run for its people. One of whom nobody knows
// may not: its slot waits for word, and does not run without.
func (k Keeper) admit(ctx context.Context, j Job, slot Slot) Slot {
	why, err := k.lapsed(ctx, j)
	switch now := k.now(); {
	case err != nil && now.Sub(slot.Claimed) < wordWithin:
		slot.State, slot.Due = Deferred, now.Add(wordAgain)
		slot.Reason = "whether its owner may still run it is not known yet"
		return slot
	case err != nil:
		return k.over(slot, Blocked, "whether its owner may still run it could not be found out")
	case why != "":
		return k.over(slot, Blocked, why)
	}
	slot.State = Claimed
	return slot
}

// mayRun is for a Job that a person wants to run at once.
func (k Keeper) mayRun(ctx context.Context, j Job) error {
	why, err := k.lapsed(ctx, j)
	switch {
	case err != nil:
		return fmt.Errorf("whether %s may still run for its owner is not known: %w", j.ID, err)
	case why != "":
		return fmt.Errorf("%s: %w: %s", j.ID, ErrLapsed, why)
	}
	return nil
}
