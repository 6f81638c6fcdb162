package store

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"gorm.io/gorm"
)

// batch is how many writes share one transaction at most: the first of them waits
// for the last.
const batch = 16

// A job is a write that waits for its turn.
type job struct {
	ctx  context.Context
	soft bool // it need not survive the power
	one  bool // it is one statement, which is a transaction by itself
	do   func(*gorm.DB) error

	done   chan struct{} // closed when it is
	err    error
	threw  any // what it panicked with
	thrown []byte
}

// run does a job. Whoever takes the pen does what waits in front of it as well, and as
// one transaction: fifty people who ask at once wait for the disk a few times, not a
// few times each. A job that fails takes nothing of the others with it, but for a
// database that cannot be written to at all.
func (p *pen) run(w *gorm.DB, j *job) error {
	j.done = make(chan struct{})
	p.queue.Lock()
	p.queue.jobs = append(p.queue.jobs, j)
	p.queue.Unlock()
	select {
	case p.held <- struct{}{}:
		func() {
			defer func() { <-p.held }()
			for !j.over() {
				p.some(w)
			}
		}()
	case <-j.done:
	case <-j.ctx.Done():
		if p.withdraw(j) {
			return j.ctx.Err()
		}
		<-j.done
	}
	if j.threw != nil {
		panic(fmt.Sprintf("%v\n%s", j.threw, j.thrown))
	}
	return j.err
}

func (j *job) over() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// withdraw takes a job out of the queue, if nobody is at it yet.
func (p *pen) withdraw(j *job) bool {
	p.queue.Lock()
	defer p.queue.Unlock()
	i := slices.Index(p.queue.jobs, j)
	if i < 0 {
		return false
	}
	p.queue.jobs = slices.Delete(p.queue.jobs, i, i+1)
	return true
}

// some does the first jobs of the queue.
func (p *pen) some(w *gorm.DB) {
	p.queue.Lock()
	n := min(batch, len(p.queue.jobs))
	jobs := slices.Clone(p.queue.jobs[:n])
	p.queue.jobs = slices.Delete(p.queue.jobs, 0, n)
	p.queue.Unlock()
	if n == 1 {
		p.alone(w, jobs[0])
	} else {
		p.all(w, jobs)
	}
	for _, j := range jobs {
		close(j.done)
	}
}

// alone does one job for which nobody waits.
func (p *pen) alone(w *gorm.DB, j *job) {
	if j.err = p.level(j.ctx, j.soft); j.err != nil {
		return
	}
	if w = w.WithContext(j.ctx); j.one {
		j.try(w)
		return
	}
	j.err = w.Transaction(func(tx *gorm.DB) error {
		j.try(tx)
		return j.err
	})
}

// all does several jobs in one transaction, and each of them within a savepoint.
// They cannot be called off under way: SQLite would roll back all of them.
func (p *pen) all(w *gorm.DB, jobs []*job) {
	ctx := context.WithoutCancel(jobs[0].ctx)
	soft := !slices.ContainsFunc(jobs, func(j *job) bool { return !j.soft })
	err := p.level(ctx, soft)
	if err == nil {
		err = w.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			for _, j := range jobs {
				if err := p.part(context.WithoutCancel(j.ctx), tx, j); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		for _, j := range jobs {
			j.err = err
		}
	}
}

// part does a job as a part of a transaction. The error is of the whole of it.
func (p *pen) part(ctx context.Context, tx *gorm.DB, j *job) error {
	if j.err = j.ctx.Err(); j.err == nil {
		return p.savepoint(ctx, tx, j)
	}
	return nil
}

// savepoint does a job so that, failing, it can be taken back alone.
func (p *pen) savepoint(ctx context.Context, tx *gorm.DB, j *job) error {
	if _, err := p.ExecContext(ctx, "SAVEPOINT job"); err != nil {
		return err
	}
	j.try(tx.WithContext(ctx))
	if j.err == nil {
		j.err = j.ctx.Err()
	}
	if j.err != nil {
		if _, err := p.ExecContext(ctx, "ROLLBACK TO job"); err != nil {
			return fmt.Errorf("%w, of %w", err, j.err)
		}
	}
	_, err := p.ExecContext(ctx, "RELEASE job")
	return err
}

// try keeps what a job throws for who waits for it.
func (j *job) try(tx *gorm.DB) {
	defer func() {
		if j.threw = recover(); j.threw != nil {
			j.err, j.thrown = fmt.Errorf("panic: %v", j.threw), debug.Stack()
		}
	}()
	j.err = j.do(tx)
}
