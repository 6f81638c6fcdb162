package scheduler

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hermes/scheduler/calendar"
)

// An agenda knows when each job comes next, so that a look costs what is due and what
// was changed, not what there is. It holds no job: what is due is read again before
// it fires.
type agenda struct {
	read  bool
	mark  string // of the Store's changes
	byJob map[string]*entry
	queue entries
	nth   int // entries so far
}

// An entry says when a job must be looked at.
type entry struct {
	job string
	at  time.Time
	pos int // in the queue
	nth int // of the entries: what is due together is looked at in the order it came
}

// catchUp brings the agenda up to what the Store has: all jobs at first, then those
// that were changed.
func (a *agenda) catchUp(ctx context.Context, s Store, now time.Time) error {
	if !a.read {
		return a.load(ctx, s, now)
	}
	ids, mark, err := s.Changed(ctx, a.mark)
	if err != nil {
		return fmt.Errorf("changed jobs: %w", err)
	}
	for _, id := range ids {
		a.set(id, now) // to be looked at now
	}
	a.mark = mark
	return nil
}

func (a *agenda) load(ctx context.Context, s Store, now time.Time) error {
	*a = agenda{byJob: map[string]*entry{}}
	// The mark first: what is changed meanwhile is looked at once more.
	_, mark, err := s.Changed(ctx, "")
	if err != nil {
		return fmt.Errorf("changed jobs: %w", err)
	}
	jobs, err := s.Jobs(ctx)
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	newest, err := s.Newest(ctx)
	if err != nil {
		return fmt.Errorf("newest slots: %w", err)
	}
	read := texts{map[string]calendar.Schedule{}, map[string]*time.Location{}}
	for _, j := range jobs {
		if j.State != Active {
			continue
		}
		at := now // a job that cannot be read says so when it is looked at
		if sched, loc, err := read.times(j); err == nil {
			after := j.Since
			if last := newest[j.ID]; last.After(after) {
				after = last
			}
			if next, ok := sched.Next(after, loc); ok {
				at = next.At
			}
		}
		a.set(j.ID, at)
	}
	a.mark, a.read = mark, true
	return nil
}

// texts are the schedules and zones of many jobs, each text read once.
type texts struct {
	specs map[string]calendar.Schedule
	zones map[string]*time.Location
}

func (t texts) times(j Job) (calendar.Schedule, *time.Location, error) {
	sched, known := t.specs[j.Spec]
	loc, placed := t.zones[j.Zone]
	if known && placed {
		return sched, loc, nil
	}
	sched, loc, err := j.times()
	if err == nil {
		t.specs[j.Spec], t.zones[j.Zone] = sched, loc
	}
	return sched, loc, err
}

// set says when a job must be looked at.
func (a *agenda) set(job string, at time.Time) {
	if e, ok := a.byJob[job]; ok {
		e.at = at
		heap.Fix(&a.queue, e.pos)
		return
	}
	a.nth++
	e := &entry{job: job, at: at, nth: a.nth}
	a.byJob[job] = e
	heap.Push(&a.queue, e)
}

func (a *agenda) drop(job string) {
	if e, ok := a.byJob[job]; ok {
		heap.Remove(&a.queue, e.pos)
		delete(a.byJob, job)
	}
}

// due are the jobs to look at now. They stay in the agenda.
func (a *agenda) due(now time.Time) (jobs []string) {
	var due entries
	var walk func(i int)
	walk = func(i int) {
		if i < len(a.queue) && !a.queue[i].at.After(now) {
			due = append(due, a.queue[i])
			walk(2*i + 1)
			walk(2*i + 2)
		}
	}
	walk(0)
	slices.SortFunc(due, func(x, y *entry) int { return cmp.Compare(x.nth, y.nth) })
	for _, e := range due {
		jobs = append(jobs, e.job)
	}
	return jobs
}

// next is when something is due, if that is before a time.
func (a *agenda) next(before time.Time) time.Time {
	if len(a.queue) > 0 && a.queue[0].at.Before(before) {
		return a.queue[0].at
	}
	return before
}

// lookAt looks at one job as the Store has it now.
func (s *Scheduler) lookAt(ctx context.Context, id string, now time.Time) error {
	j, err := s.store.Job(ctx, id)
	switch {
	case errors.Is(err, ErrNoJob), err == nil && j.State != Active:
		s.agenda.drop(id)
		return nil
	case err != nil:
		s.agenda.set(id, now.Add(tick))
		return fmt.Errorf("job %s: %w", id, err)
	}
	next, err := s.look(ctx, j, now)
	s.agenda.set(id, next)
	return err
}

// entries are a heap, the soonest on top.
type entries []*entry

func (q entries) Len() int           { return len(q) }
func (q entries) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q entries) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].pos, q[j].pos = i, j
}

// Push implements heap.Interface, and so does Pop.
func (q *entries) Push(x any) {
	e, ok := x.(*entry)
	if !ok {
		return
	}
	e.pos = len(*q)
	*q = append(*q, e)
}

func (q *entries) Pop() any {
	old := *q
	e := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return e
}
