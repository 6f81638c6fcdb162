package scheduler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"hermes/scheduler/calendar"
)

const (
	// tick is the longest time between two looks at the clock on the wall: a
	// host that slept or a clock that was set is noticed within it.
	tick = 10 * time.Second
	// grace is how late a slot may be claimed and still be in time: a tick, a
	// restart.
	grace = 5 * time.Minute
	// most is how many missed slots of one job are written down one by one.
	most = 1000
)

// Scheduler claims slots when they are due and hands them to its Runner.
type Scheduler struct {
	store  Store
	keeper Keeper
	runner Runner
	now    func() time.Time
	log    *slog.Logger

	looking sync.Mutex // held by a look
	agenda  agenda
	waits   time.Time // when the next deferred slot begins
}

// never is later than all slots.
var never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// New returns a Scheduler of the jobs and slots that a Keeper keeps.
func New(k Keeper, r Runner, log *slog.Logger) *Scheduler {
	return &Scheduler{store: k.store, keeper: k, runner: r, now: k.now, log: log, waits: never}
}

// Run fires jobs until ctx ends.
func (s *Scheduler) Run(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		next, err := s.Look(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Error("schedules not looked at", "err", err)
		}
		timer.Reset(min(tick, max(0, next.Sub(s.now()))))
	}
}

// Look claims and fires all that is due, and returns when to look again.
func (s *Scheduler) Look(ctx context.Context) (time.Time, error) {
	s.looking.Lock()
	defer s.looking.Unlock()
	now := s.now()
	again := now.Add(tick)
	var err error
	if s.waits, err = s.refire(ctx, never); err != nil {
		return again, err
	}
	if err := s.agenda.catchUp(ctx, s.store, now); err != nil {
		return again, err
	}
	for _, id := range s.agenda.due(now) {
		err := s.lookAt(ctx, id, now)
		switch {
		case err != nil && ctx.Err() != nil:
			return again, err
		case err != nil:
			// One broken job must not hold up the others.
			s.log.Error("job not looked at", "job", id, "err", err)
		}
	}
	if s.waits.Before(again) {
		again = s.waits
	}
	return s.agenda.next(again), nil
}

// Next is when a slot begins next, as far as the last Look knows; false if none does. Look
// itself returns a time at most a tick away, since jobs are added and clocks are set:
// Next is for whoever keeps the clock.
func (s *Scheduler) Next() (time.Time, bool) {
	s.looking.Lock()
	defer s.looking.Unlock()
	next := s.agenda.next(s.waits)
	return next, next.Before(never)
}

// refire hands over what was claimed but, for a crash, never reached the Runner, and what
// was deferred until now. It returns when the next deferred slot begins, if that is before
// a time. One slot that cannot be handed over must not hold up the others.
func (s *Scheduler) refire(ctx context.Context, before time.Time) (time.Time, error) {
	slots, err := s.store.Unfired(ctx)
	if err != nil {
		return before, fmt.Errorf("unfired slots: %w", err)
	}
	for _, slot := range slots {
		due, err := s.refireOne(ctx, slot)
		switch {
		case err != nil && ctx.Err() != nil:
			return before, err
		case err != nil:
			s.log.Error("slot not fired", "slot", slot.Key(), "err", err)
		case !due.IsZero() && due.Before(before):
			before = due
		}
	}
	return before, nil
}

// refireOne returns when a slot begins that still has to wait for its time.
func (s *Scheduler) refireOne(ctx context.Context, slot Slot) (due time.Time, err error) {
	now := s.now()
	if slot.State == Deferred && slot.Due.After(now) {
		return slot.Due, nil
	}
	j, err := s.store.Job(ctx, slot.Job)
	if err != nil {
		return due, fmt.Errorf("job %s: %w", slot.Job, err)
	}
	end := func(slot Slot) error {
		return s.store.Finish(ctx, slot.Run, slot.State, slot.Reason, slot.Link, now)
	}
	if j.State == Paused || j.State == Deleted {
		// Meanwhile somebody has said that it shall not run.
		return due, end(s.keeper.over(slot, Skipped, "the schedule is "+string(j.State)))
	}
	switch next, err := j.next(slot); {
	case err != nil:
		return due, err
	case j.State == Active && !next.IsZero() && !next.After(now) && slot.State == Deferred:
		return due, end(s.keeper.over(slot, Skipped, "a later one took its place"))
	case j.State == Active && !next.IsZero() && !next.After(now):
		return due, end(s.keeper.over(slot, Missed, "the program was away; a later one came"))
	}
	if slot.State == Deferred {
		was := slot
		if slot, err = s.keeper.verdict(ctx, j, slot); err != nil {
			return due, err
		}
		switch {
		case slot.State == Deferred && slot.Reason == was.Reason && slot.Due.Equal(was.Due):
			return due, nil
		case slot.State == Deferred:
			return due, s.store.Defer(ctx, slot.Key(), slot.Reason, slot.Due)
		case slot.State != Claimed:
			return due, end(slot)
		}
	}
	return due, s.fire(ctx, j, slot)
}

// look fires what is due of one job, and returns when it is due next. If several
// slots have passed, the newest is for the Policy of the job, and the others are
// written down as missed.
func (s *Scheduler) look(ctx context.Context, j Job, now time.Time) (time.Time, error) {
	sched, loc, err := j.times()
	if err != nil {
		return now.Add(tick), err
	}
	after := j.Since
	if last, ok, err := s.store.Last(ctx, j.ID); err != nil {
		return now.Add(tick), fmt.Errorf("last slot of %s: %w", j.ID, err)
	} else if ok && last.At.After(after) {
		after = last.At
	}
	due, next, over := between(sched, loc, after, now)
	for i, t := range due {
		slot := j.slot(sched, loc, t)
		if i < len(due)-1 {
			slot.State, slot.Claimed, slot.Reason, slot.Ended = Missed, now, "the program was away; a later one came", now
		} else {
			if slot, err = s.keeper.verdict(ctx, j, slot); err != nil {
				return now.Add(tick), err
			}
			if slot.State == Claimed || slot.State == Deferred {
				// From here on, so that a run that ends before Fired is noted has
				// its slot.
				slot.Run = slot.runKey()
			}
		}
		fresh, err := s.store.Claim(ctx, slot)
		if err != nil {
			return now.Add(tick), fmt.Errorf("claim %s: %w", slot.Key(), err)
		}
		switch {
		case fresh && slot.State == Claimed:
			if err := s.fire(ctx, j, slot); err != nil {
				return now.Add(tick), err
			}
		case slot.State == Deferred && slot.Due.After(now) && slot.Due.Before(s.waits):
			s.waits = slot.Due
		}
	}
	if over {
		j.State = Ended
		if _, err := s.store.Update(ctx, j); err != nil && !errors.Is(err, ErrChanged) {
			return now.Add(tick), fmt.Errorf("end job %s: %w", j.ID, err)
		}
		return now.Add(tick), nil
	}
	return next, nil
}

// between returns the slots after one time up to another, at most the newest of
// them, the first one later, and whether there is none.
func between(s calendar.Schedule, loc *time.Location, after, now time.Time) (due []calendar.Time, next time.Time, over bool) {
	for {
		t, ok := s.Next(after, loc)
		if !ok {
			return due, time.Time{}, true
		}
		if t.At.After(now) {
			return due, t.At, false
		}
		if due = append(due, t); len(due) > most {
			due = due[1:]
		}
		after = t.At
	}
}

func (s *Scheduler) fire(ctx context.Context, j Job, slot Slot) error {
	key := cmp.Or(slot.Run, slot.runKey()) // of rows of before, too
	next, err := j.next(slot)
	if err != nil {
		return err
	}
	if err := s.runner.Fire(ctx, Firing{Job: j, Slot: slot, Next: next, Key: key, Due: slot.Due, Try: slot.Tries}); err != nil {
		return fmt.Errorf("fire %s: %w", slot.Key(), err)
	}
	if err := s.store.Fired(ctx, slot.Key(), key); err != nil {
		return fmt.Errorf("note %s as fired: %w", slot.Key(), err)
	}
	s.log.Info("slot fired", "job", j.ID, "slot", slot.Nominal, "zone", slot.Zone)
	return nil
}

// Rehearse fires the slot of a job at a time, or the first one after it, to its
// origin only. No slot is claimed and no grant is used. It returns the run's key.
func (s *Scheduler) Rehearse(ctx context.Context, id string, at time.Time) (string, error) {
	j, err := s.store.Job(ctx, id)
	if err != nil {
		return "", fmt.Errorf("job %s: %w", id, err)
	}
	if err := s.keeper.mayRun(ctx, j); err != nil {
		return "", err
	}
	slot, ok, err := j.SlotFrom(at)
	switch {
	case j.Altered:
		return "", fmt.Errorf("job %s: %w", id, ErrAltered)
	case err != nil:
		return "", err
	case !ok:
		return "", fmt.Errorf("job %s has no slot at or after %s", id, at.Format(time.RFC3339))
	}
	key := fmt.Sprintf("%s/rehearsal/%d", slot.runKey(), s.now().UnixNano())
	return key, s.runner.Fire(ctx, Firing{Job: j, Slot: slot, Rehearse: true, Key: key, Due: slot.At})
}

// SlotFrom is the Slot of a Job at a time, or the first one after it, with its times in the
// zone of the Job; false if there is none.
func (j Job) SlotFrom(at time.Time) (Slot, bool, error) {
	sched, loc, err := j.times()
	if err != nil {
		return Slot{}, false, err
	}
	t, ok := sched.Next(at.Add(-time.Second), loc)
	if !ok {
		return Slot{}, false, nil
	}
	s := j.slot(sched, loc, t)
	s.At, s.From, s.To = s.At.In(loc), s.From.In(loc), s.To.In(loc)
	return s, true, nil
}

// times are the schedule of a job and the zone it is read in.
func (j Job) times() (calendar.Schedule, *time.Location, error) {
	sched, err := calendar.Parse(j.Spec)
	if err != nil {
		return sched, nil, fmt.Errorf("schedule of job %s: %w", j.ID, err)
	}
	loc, err := time.LoadLocation(j.Zone)
	if err != nil {
		return sched, nil, fmt.Errorf("zone of job %s: %w", j.ID, err)
	}
	return sched, loc, nil
}

// next is when the slot after one is; zero if there is none.
func (j Job) next(after Slot) (time.Time, error) {
	sched, loc, err := j.times()
	if err != nil {
		return time.Time{}, err
	}
	t, _ := sched.Next(after.At, loc)
	return t.At, nil
}

func (j Job) slot(s calendar.Schedule, loc *time.Location, t calendar.Time) Slot {
	p := j.About.For(j.Request, s).Of(s, t.At, loc)
	return Slot{Job: j.ID, Nominal: t.Nominal, Zone: j.Zone, At: t.At, From: p.From, To: p.To}
}

// IsLate reports whether a slot that began at a time began too late.
func IsLate(slot, began time.Time) bool { return began.Sub(slot) > grace }
