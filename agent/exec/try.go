package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"hermes/agent/tool"
)

// grace is what a tool has for coming back after it was told to stop: enough to
// close what it has open.
const grace = 200 * time.Millisecond

// An outcome is what came of one try.
type outcome struct {
	res   tool.Result
	notes []string
	err   *tool.Error
	own   bool // the tool itself says of what kind err is
	late  bool // there was no answer in time
	ran   bool // there was a try
	took  time.Duration
}

// refused is the outcome of a try that is not made, and may be after a while.
func refused(k tool.ErrorType, name string, after time.Duration, why string) outcome {
	return outcome{err: &tool.Error{Type: k, Tool: name, Message: name + " was not called: " + why, After: after}}
}

// A lateError is why the context of a try has ended.
type lateError struct {
	tool  string
	limit time.Duration
}

func (e *lateError) Error() string {
	return fmt.Sprintf("%s gave no answer within %s", e.tool, e.limit)
}

// Unwrap is for tools that return the cause of their context.
func (e *lateError) Unwrap() error { return context.DeadlineExceeded }

var errLeft = errors.New("it did not stop when told to, and was left")

// try makes one try in a goroutine of its own. One that does not come back soon
// after its time is up is left: it counts as leaked until it ends, and nobody hears
// what it says then.
func (e *Executor) try(ctx context.Context, job Job, m *meter, limit time.Duration) outcome {
	late := &lateError{job.Spec.Name, limit}
	within, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	answers, left := make(chan outcome), make(chan struct{})
	began := time.Now()
	go func() {
		var o outcome
		answered := false
		defer func() {
			if p := recover(); p != nil {
				o.err = e.panicked(job, p)
			} else if !answered { // runtime.Goexit
				o.err = broken(job.Spec.Name, "it ended without an answer")
			}
			select {
			case answers <- o:
			case <-left:
				m.leaked.Add(-1)
				e.leaked.Add(-1)
			}
		}()
		o = ask(within, job)
		answered = true
	}()

	var o outcome
	select {
	case o = <-answers:
	case <-within.Done():
		t := time.NewTimer(grace)
		defer t.Stop()
		select {
		case o = <-answers:
		case <-t.C:
			m.leaked.Add(1)
			e.leaked.Add(1)
			close(left)
			o.err = &tool.Error{Err: errLeft}
		}
	}
	o.ran, o.took = true, time.Since(began)
	if o.err != nil && within.Err() != nil {
		// Whatever a tool says once its time is up, that is the cause; but its
		// own words for it are better than ours.
		o.late = true
		if !o.own {
			o.err = &tool.Error{Type: tool.NetworkError, Tool: job.Spec.Name, Message: late.Error(), Err: errors.Join(late, o.err.Err)}
		}
	}
	return o
}

// Leaked returns how many tries were left and have not ended yet.
func (e *Executor) Leaked() int { return int(e.leaked.Load()) }

// ask lets the tool answer and looks at what it says. An error is looked at here,
// where a panic is caught, since it may be a nil *tool.Error or worse.
func ask(ctx context.Context, job Job) outcome {
	res, err := job.Do(ctx)
	if err != nil {
		return failed(job.Spec.Name, err)
	}
	if job.Check == nil || res.Failed || res.Ask != nil || res.Post != nil {
		return outcome{res: res}
	}
	notes, soft := job.Check(res)
	if soft == nil {
		return outcome{res: res, notes: notes}
	}
	o := failed(job.Spec.Name, soft)
	o.err.Type = tool.LogicError
	return o
}

// failed is the outcome of a try that ended with an error.
func failed(name string, err error) outcome {
	o := outcome{err: tool.Classify(name, err)}
	var (
		own  *tool.Error
		slow net.Error
		no   syscall.Errno
	)
	o.own = errors.As(err, &own)
	o.late = errors.As(err, &slow) && slow.Timeout() // context.DeadlineExceeded is one as well
	switch {
	case o.own || o.err.Type != tool.NetworkError:
	case o.late:
		o.err.Message = "it gave no answer in time"
	case errors.As(err, &no):
		o.err.Message += ": " + no.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		o.err.Message += ": the other side closed it"
	}
	return o
}

// mayHaveActed reports whether a failed try leaves open what it did. That it was
// refused, or could not even connect, is proof of nothing done; a Write that
// connects more than once has to give an error of its own that says more.
func mayHaveActed(s tool.Spec, err *tool.Error) bool {
	if s.Effect != tool.Write {
		return false
	}
	var (
		dial   *net.OpError
		lookup *net.DNSError
	)
	switch {
	case err.Type == tool.InputError, err.Type == tool.ConfigError, err.Type == tool.RateError:
		return false
	case errors.As(err.Err, &dial) && dial.Op == "dial", errors.As(err.Err, &lookup):
		return false
	}
	return true
}

// panicked is the error of a tool that has panicked. Only what the runtime says of
// it is for the model: anything else may hold what is not for it.
func (e *Executor) panicked(job Job, p any) *tool.Error {
	e.log.Error("tool panicked", "tool", job.Spec.Name, "call", job.ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	why := "it panicked"
	if r, ok := p.(runtime.Error); ok {
		why += ": " + r.Error()
	}
	return broken(job.Spec.Name, why)
}

func broken(name, why string) *tool.Error {
	return &tool.Error{Type: tool.LogicError, Tool: name, Message: "the tool " + name + " is broken: " + why}
}
