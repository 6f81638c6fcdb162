// Package exec runs the calls of tools, once it is decided that they run: each try
// under a deadline, again if that may help, some side by side, and for a while not
// at all if the tool has stopped answering. Whether a call may run, and what becomes
// of what it says, is the agent's business; what a tool is, package tool's.
//
// What a newcomer would break: whether a call is tried again is for its Spec to
// allow, and then for its error to ask. A Write that is not Idempotent is tried
// once, however harmless the error looks.
package exec

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"hermes/agent/tool"
)

// A Config says how tools are run by default. What is zero or makes no sense is as
// its comment says.
type Config struct {
	// Normal, Heavy and Shell are how long one try of a tool of that class may
	// take; 10 s, 30 s, 30 s. The Spec of a tool may say otherwise.
	Normal, Heavy, Shell time.Duration
	Parallel             int // calls of one All that run at once; 3
	Attempts             int // tries of one call in all; 3

	// Base is the wait before the second try, 1 s. Each wait after it is Factor
	// times as long, 2, up to Max, 30 s. Jitter takes up to half off each, so
	// that those who failed together do not come back together.
	Base, Max time.Duration
	Factor    float64
	Jitter    bool

	// Open timeouts of a tool in a row, 5, open its circuit: for Rest, 30 s, its
	// calls fail at once. Then one goes through, and says whether the others may.
	Open int
	Rest time.Duration

	PerSecond float64 // tries of one tool a second; 0: as they come

	// Tools are the exceptions. Of two with one name the first holds.
	Tools []Policy

	// Sleep passes the time between tries, or returns the error of its context; nil: on
	// the clock of the host. Whoever plays a day in a second gives another.
	Sleep func(context.Context, time.Duration) error
}

// A Policy is what an operator wants of one tool. What is zero is as the Spec of
// the tool says, or else the Config.
type Policy struct {
	Name      string
	Attempts  int // of a Write that is not Idempotent it stays one
	Timeout   time.Duration
	Base      time.Duration
	PerSecond float64
}

// A Job is one call of a tool.
type Job struct {
	Spec tool.Spec
	ID   string // of the call, for the log
	// Do makes one try. It may be called again only as Spec allows. It should
	// return soon after its context has ended; if it does not, nobody waits.
	Do func(context.Context) (tool.Result, error)
	// Check, if not nil, looks at what a try gave, unless that failed, asks or
	// posts. Its notes go with the Result; its error, nil if all is well, makes
	// a LogicError of the call, which is not tried again.
	Check func(tool.Result) (notes []string, soft *tool.Error)
}

// A Done is what came of a Job: a Result, or an Err that is complete, with Attempt,
// Tool and Suggestion.
type Done struct {
	Result   tool.Result
	Notes    []string
	Err      *tool.Error
	Attempts int           // tries; 0 if the tool was not called at all
	Took     time.Duration // of all tries together
	Waited   time.Duration // between tries, for a place in the line, and for pace
	// Unknown says that the call is a Write that has failed in a way that leaves
	// open whether it took effect. A person must look; nothing else may try.
	Unknown bool
}

// An Executor runs Jobs. It is safe for concurrent use, and no tool waits for
// another but in the line of one All.
type Executor struct {
	cfg    Config
	log    *slog.Logger
	leaked atomic.Int64

	mu     sync.Mutex
	meters map[string]*meter
}

// New returns an Executor. The logger may be nil.
func New(cfg Config, log *slog.Logger) *Executor {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	cfg.Normal = positive(cfg.Normal, 10*time.Second)
	cfg.Heavy = positive(cfg.Heavy, 30*time.Second)
	cfg.Shell = positive(cfg.Shell, 30*time.Second)
	cfg.Parallel = positive(cfg.Parallel, 3)
	cfg.Attempts = positive(cfg.Attempts, 3)
	cfg.Base = positive(cfg.Base, time.Second)
	cfg.Max = positive(cfg.Max, 30*time.Second)
	cfg.Open = positive(cfg.Open, 5)
	cfg.Rest = positive(cfg.Rest, 30*time.Second)
	if cfg.Sleep == nil {
		cfg.Sleep = sleep
	}
	if !(cfg.Factor >= 1) { // so that NaN is none either
		cfg.Factor = 2
	}
	return &Executor{cfg: cfg, log: log, meters: map[string]*meter{}}
}

// positive is v, or what it is by default.
func positive[N ~int | ~int64](v, byDefault N) N {
	if v > 0 {
		return v
	}
	return byDefault
}

// One runs a Job. Its error says that ctx has ended, and wraps why: then nothing
// of the call counts, and whether a Write took effect is not known. A Result that
// came all the same is returned without an error.
func (e *Executor) One(ctx context.Context, job Job) (Done, error) {
	return e.call(ctx, job, nil, time.Now())
}

// All runs Jobs side by side, Config.Parallel at a time; the next begins when one
// ends or waits for its next try. The Dones are in the order of the Jobs. With an
// error, which is that of One, the Dones of those that had ended are there, and the
// others are zero.
func (e *Executor) All(ctx context.Context, jobs []Job) ([]Done, error) {
	var (
		began = time.Now()
		at    = make(line, e.cfg.Parallel)
		done  = make([]Done, len(jobs))
		errs  = make([]error, len(jobs))
		wg    sync.WaitGroup
	)
	for i, job := range jobs {
		at.enter()
		wg.Go(func() {
			defer at.leave()
			done[i], errs[i] = e.call(ctx, job, at, began)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// A line lets as many in as it has room for; nil lets everybody in.
type line chan struct{}

func (l line) enter() {
	if l != nil {
		l <- struct{}{}
	}
}

func (l line) leave() {
	if l != nil {
		<-l
	}
}

// call makes the tries of a Job that has its place in the line.
func (e *Executor) call(ctx context.Context, job Job, at line, began time.Time) (Done, error) {
	var (
		r    = e.rules(job.Spec)
		m    = e.meter(job.Spec.Name)
		d    Done
		last outcome
	)
	for {
		o, err := e.once(ctx, job, m, r)
		if err != nil {
			return Done{}, err
		}
		if o.ran {
			d.Attempts++
			d.Took += o.took
		}
		if o.err == nil {
			d.Result, d.Notes, d.Unknown = o.res, o.notes, false
			break
		}
		if o.ran || last.err == nil { // a refusal says less than the failure before it
			last = o
		}
		d.Unknown = d.Unknown || o.ran && mayHaveActed(job.Spec, o.err)
		wait := e.wait(r, d.Attempts, o.err.After)
		if !o.ran || d.Attempts >= r.attempts || !o.err.Type.Passing() || !e.worth(ctx, m, o.err, wait) {
			d.Err = last.err
			e.explain(job.Spec, &d, last, max(wait, e.rest(m)))
			break
		}
		e.log.Warn("tool will be tried again", "tool", job.Spec.Name, "call", job.ID, "try", d.Attempts, "wait", wait, "err", o.err)
		at.leave()
		err = e.cfg.Sleep(ctx, wait)
		at.enter()
		if err != nil {
			return Done{}, ended(ctx, job.Spec.Name)
		}
	}
	d.Waited = time.Since(began) - d.Took
	e.count(m, d)
	return d, nil
}

// once makes one try, or says why there is none.
func (e *Executor) once(ctx context.Context, job Job, m *meter, r rules) (outcome, error) {
	name := job.Spec.Name
	if ctx.Err() != nil {
		return outcome{}, ended(ctx, name)
	}
	o, probe, ok := e.admit(m, name)
	if !ok {
		return o, nil
	}
	pause, ok := e.turn(ctx, m, r.gap)
	switch {
	case !ok:
		o = refused(tool.RateError, name, pause, fmt.Sprintf("only one call of it goes out in %s, and others come before this one", r.gap))
	case e.cfg.Sleep(ctx, pause) == nil:
		o = e.try(ctx, job, m, r.timeout)
	}
	stopped := ctx.Err() != nil && (o.err != nil || !o.ran)
	if stopped {
		o = outcome{} // says nothing about the tool
	}
	if e.settle(m, probe, o) {
		e.log.Warn("tool does not answer and will rest", "tool", name, "rest", e.cfg.Rest)
	}
	if stopped {
		return outcome{}, ended(ctx, name)
	}
	return o, nil
}

// ended is the error of a call whose context has ended.
func ended(ctx context.Context, name string) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("run tool %s: %w", name, cause)
	}
	return fmt.Errorf("run tool %s: %w: %w", name, err, cause)
}
