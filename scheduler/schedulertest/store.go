// Package schedulertest has a store of jobs in memory, and the promises that every
// other one must keep as well.
//
// What a newcomer would break: a slot is found by its key and by its run's key, and
// the second is there from the claim on.
package schedulertest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"hermes/scheduler"
)

// Store is a scheduler.Store in memory. Its zero value is ready for use.
type Store struct {
	mu    sync.Mutex
	jobs  []scheduler.Job // in the order in which they came
	slots []slot
	// changed are the ids of jobs in the order of their changes.
	changed []string
}

type slot struct {
	scheduler.Slot
	fired bool
}

var _ scheduler.Store = (*Store)(nil)

// Jobs implements scheduler.Store, and so do the methods below.
func (s *Store) Jobs(context.Context) ([]scheduler.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var jobs []scheduler.Job
	for _, j := range s.jobs {
		if j.State != scheduler.Deleted {
			jobs = append(jobs, j)
		}
	}
	slices.SortStableFunc(jobs, func(a, b scheduler.Job) int { return a.Created.Compare(b.Created) })
	return jobs, nil
}

// find returns -1 for an id that is not known.
func (s *Store) find(id string) int {
	return slices.IndexFunc(s.jobs, func(j scheduler.Job) bool { return j.ID == id })
}

func (s *Store) Job(_ context.Context, id string) (scheduler.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(id)
	if i < 0 {
		return scheduler.Job{}, fmt.Errorf("job %s: %w", id, scheduler.ErrNoJob)
	}
	return s.jobs[i], nil
}

func (s *Store) Add(_ context.Context, j scheduler.Job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.find(j.ID) < 0 {
		s.jobs, s.changed = append(s.jobs, j), append(s.changed, j.ID)
	}
	return nil
}

func (s *Store) Changed(_ context.Context, mark string) (ids []string, next string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next = strconv.Itoa(len(s.changed))
	if mark == "" {
		return nil, next, nil
	}
	from, err := strconv.Atoi(mark)
	if err != nil || from < 0 || from > len(s.changed) {
		return nil, "", fmt.Errorf("mark %q of changes is none of ours", mark)
	}
	return slices.Clone(s.changed[from:]), next, nil
}

func (s *Store) Newest(context.Context) (map[string]time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	newest := map[string]time.Time{}
	for _, sl := range s.slots {
		if sl.At.After(newest[sl.Job]) {
			newest[sl.Job] = sl.At
		}
	}
	return newest, nil
}

func (s *Store) Update(_ context.Context, j scheduler.Job) (scheduler.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(j.ID)
	switch {
	case i < 0:
		return j, fmt.Errorf("job %s: %w", j.ID, scheduler.ErrNoJob)
	case s.jobs[i].Version != j.Version:
		return j, fmt.Errorf("job %s: %w", j.ID, scheduler.ErrChanged)
	}
	j.Version++
	s.jobs[i] = j
	s.changed = append(s.changed, j.ID)
	return j, nil
}

func (s *Store) Claim(_ context.Context, sl scheduler.Slot) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.slots, func(o slot) bool { return o.Key() == sl.Key() }) {
		return false, nil
	}
	s.slots = append(s.slots, slot{Slot: sl})
	return true, nil
}

func (s *Store) Finish(_ context.Context, runKey string, state scheduler.SlotState, reason, link string, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.slots {
		if sl := &s.slots[i]; sl.Run == runKey && runKey != "" {
			sl.State, sl.Reason, sl.Link, sl.Ended = state, reason, link, at
		}
	}
	return nil
}

func (s *Store) Last(ctx context.Context, job string) (scheduler.Slot, bool, error) {
	slots, err := s.Slots(ctx, job, 1)
	if err != nil || len(slots) == 0 {
		return scheduler.Slot{}, false, err
	}
	return slots[0], true, nil
}

func (s *Store) Slots(_ context.Context, job string, n int) ([]scheduler.Slot, error) {
	slots := s.pick(func(sl slot) bool { return sl.Job == job })
	slices.Reverse(slots)
	return slots[:min(n, len(slots))], nil
}

func (s *Store) Unfired(context.Context) ([]scheduler.Slot, error) {
	return s.pick(func(sl slot) bool {
		return (sl.State == scheduler.Claimed || sl.State == scheduler.Deferred) && !sl.fired
	}), nil
}

func (s *Store) Working(_ context.Context, job string) ([]scheduler.Slot, error) {
	return s.pick(func(sl slot) bool { return sl.Job == job && sl.State == scheduler.Claimed }), nil
}

func (s *Store) ByRun(_ context.Context, runKey string) (scheduler.Slot, bool, error) {
	all := s.pick(func(sl slot) bool { return runKey != "" && sl.Run == runKey })
	if len(all) == 0 {
		return scheduler.Slot{}, false, nil
	}
	return all[0], true, nil
}

func (s *Store) Defer(_ context.Context, key, reason string, due time.Time) error {
	s.change(func(sl *slot) bool { return sl.Key() == key && !sl.fired }, func(sl *slot) {
		sl.State, sl.Reason, sl.Due = scheduler.Deferred, reason, due
	})
	return nil
}

func (s *Store) Again(_ context.Context, runKey, next string, due time.Time, reason string) error {
	s.change(func(sl *slot) bool { return runKey != "" && sl.Run == runKey }, func(sl *slot) {
		sl.State, sl.Reason, sl.Due, sl.Run, sl.fired, sl.Tries = scheduler.Deferred, reason, due, next, false, sl.Tries+1
	})
	return nil
}

// change changes slots.
func (s *Store) change(which func(*slot) bool, how func(*slot)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.slots {
		if which(&s.slots[i]) {
			how(&s.slots[i])
		}
	}
}

// pick returns slots, the oldest first.
func (s *Store) pick(want func(slot) bool) []scheduler.Slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []scheduler.Slot
	for _, sl := range s.slots {
		if want(sl) {
			found = append(found, sl.Slot)
		}
	}
	slices.SortStableFunc(found, func(a, b scheduler.Slot) int { return a.At.Compare(b.At) })
	return found
}

func (s *Store) Fired(_ context.Context, key, runKey string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.slots {
		if s.slots[i].Key() == key {
			s.slots[i].fired, s.slots[i].Run = true, runKey
			if s.slots[i].State == scheduler.Deferred {
				s.slots[i].State = scheduler.Claimed
			}
		}
	}
	return nil
}
