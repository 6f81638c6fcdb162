package scheduler

import (
	"context"
	"fmt"
	"time"

	"hermes/scheduler/calendar"
)

// RunNow runs a job now, because somebody says so. It is a slot of its own, about the
// period of the newest time that has passed, and leaves the others as they are; what
// the job may post is what it may post by itself.
func (s *Scheduler) RunNow(ctx context.Context, id string) (Slot, error) {
	now := s.now()
	// What is due has its row before ours, which is later than all of them.
	if _, err := s.Look(ctx); err != nil {
		return Slot{}, err
	}
	s.looking.Lock()
	defer s.looking.Unlock()
	j, err := s.store.Job(ctx, id)
	switch {
	case err != nil:
		return Slot{}, fmt.Errorf("job %s: %w", id, err)
	case j.State == Deleted:
		return Slot{}, fmt.Errorf("job %s: %w", id, ErrNoJob)
	case j.Altered:
		return Slot{}, fmt.Errorf("job %s: %w", id, ErrAltered)
	}
	if err := s.keeper.mayRun(ctx, j); err != nil {
		return Slot{}, err
	}
	sched, loc, err := j.times()
	if err != nil {
		return Slot{}, err
	}
	t := calendar.Time{Nominal: now.In(loc).Format("2006-01-02T15:04"), At: now}
	if last, ok := newestOf(sched, loc, now); ok {
		t = last
	}
	slot := j.slot(sched, loc, t)
	slot.At, slot.Nominal = now, t.Nominal+"~"+now.UTC().Format("20060102T150405.000Z")
	slot.State, slot.Reason, slot.Claimed, slot.Due, slot.Run = Claimed, "run by hand", now, now, slot.runKey()
	fresh, err := s.store.Claim(ctx, slot)
	switch {
	case err != nil:
		return Slot{}, fmt.Errorf("claim %s: %w", slot.Key(), err)
	case !fresh:
		return slot, nil // the same second click
	}
	return slot, s.fire(ctx, j, slot)
}

// newestOf is the newest time of a schedule up to now. It looks back in growing
// steps, so that what comes each minute costs no more than what comes each year.
func newestOf(s calendar.Schedule, loc *time.Location, now time.Time) (last calendar.Time, ok bool) {
	for back := 2 * time.Minute; back < 10*366*24*time.Hour; back *= 6 {
		if due, _, _ := between(s, loc, now.Add(-back), now); len(due) > 0 {
			return due[len(due)-1], true
		}
	}
	return calendar.Time{}, false
}
