package exec_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/exec"
	"hermes/agent/tool"
)

// A do is what a Job does.
type do = func(context.Context) (tool.Result, error)

// says answers at once.
func says(text string) do {
	return func(context.Context) (tool.Result, error) { return tool.Result{Text: text}, nil }
}

// fails returns an error at once.
func fails(err error) do {
	return func(context.Context) (tool.Result, error) { return tool.Result{}, err }
}

// takes answers after d, and gives up when its context ends.
func takes(d time.Duration) do {
	return func(ctx context.Context) (tool.Result, error) {
		select {
		case <-time.After(d):
			return tool.Result{Text: "done"}, nil
		case <-ctx.Done():
			return tool.Result{}, fmt.Errorf("query: %w", ctx.Err())
		}
	}
}

// deaf answers when released and never looks at its context.
func deaf(release <-chan struct{}) do {
	return func(context.Context) (tool.Result, error) {
		<-release
		return tool.Result{Text: "too late"}, nil
	}
}

// A tape makes each try another thing, the last one for ever, and notes when.
type tape struct {
	mu    sync.Mutex
	steps []do
	at    []time.Time
}

func record(steps ...do) *tape { return &tape{steps: steps} }

func (p *tape) do(ctx context.Context) (tool.Result, error) {
	p.mu.Lock()
	step := p.steps[min(len(p.at), len(p.steps)-1)]
	p.at = append(p.at, time.Now())
	p.mu.Unlock()
	return step(ctx)
}

func (p *tape) tries() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.at)
}

// waits are the times between the begins of the tries.
func (p *tape) waits() []time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []time.Duration
	for i := 1; i < len(p.at); i++ {
		all = append(all, p.at[i].Sub(p.at[i-1]))
	}
	return all
}

// one runs a Job that must not be cut short.
func one(t *testing.T, e *exec.Executor, s tool.Spec, d do) exec.Done {
	t.Helper()
	done, err := e.One(t.Context(), exec.Job{Spec: s, ID: "r1/1/a", Do: d})
	if err != nil {
		t.Fatalf("One = %v, want no error while the context goes on", err)
	}
	return done
}

// read is the Spec of a tool that may be tried again.
func read(name string) tool.Spec { return tool.Spec{Name: name, Effect: tool.Read} }

// refusedConnection is what an HTTP client says of a closed port.
var refusedConnection = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}

// lostConnection is what it says of one that was open.
var lostConnection = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}

// EXEC-01, C-11: how long a try may take is said by the operator, else by the tool,
// else by its class.
func TestEXEC01ATryHasTheTimeOfItsTool(t *testing.T) {
	policy := exec.Config{Tools: []exec.Policy{
		{Name: "other", Timeout: time.Hour}, {Name: "slow", Timeout: 12 * time.Second}, {Name: "slow", Timeout: time.Second},
	}}
	for name, tt := range map[string]struct {
		cfg  exec.Config
		spec tool.Spec
		took time.Duration
		late bool
	}{
		"EXEC-01 11 s are too long for a normal tool": {exec.Config{}, tool.Spec{}, 10 * time.Second, true},
		"EXEC-01 and not for a heavy one":             {exec.Config{}, tool.Spec{Class: tool.Heavy}, 11 * time.Second, false},
		"EXEC-01 nor for a shell":                     {exec.Config{}, tool.Spec{Class: tool.Shell}, 11 * time.Second, false},
		"EXEC-01 a tool may want more":                {exec.Config{}, tool.Spec{Timeout: 15 * time.Second}, 11 * time.Second, false},
		"EXEC-01 or less":                             {exec.Config{}, tool.Spec{Class: tool.Heavy, Timeout: 2 * time.Second}, 2 * time.Second, true},
		"C-11 the class as configured":                {exec.Config{Heavy: 5 * time.Second}, tool.Spec{Class: tool.Heavy}, 5 * time.Second, true},
		"C-11 an operator may give more":              {policy, tool.Spec{Timeout: time.Second}, 11 * time.Second, false},
		"C-11 nonsense is the default":                {exec.Config{Normal: -1}, tool.Spec{Timeout: -1}, 10 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt.spec.Name, tt.spec.Attempts, tt.spec.Effect = "slow", 1, tool.Read
				got := one(t, exec.New(tt.cfg, nil), tt.spec, takes(11*time.Second))
				if got.Took != tt.took || (got.Err != nil) != tt.late {
					t.Errorf("took %s and gave %v, want %s, too late %t", got.Took, got.Err, tt.took, tt.late)
				}
				if tt.late && (got.Err.Type != tool.NetworkError || got.Err.Message != "slow gave no answer within "+tt.took.String()) {
					t.Errorf("EXEC-02 error = %v, want the tool and the time it had", got.Err)
				}
			})
		})
	}
}

// The end of the context is no failure of the tool: nothing of the call counts.
func TestTheEndOfTheContextIsTheOnlyError(t *testing.T) {
	stop := errors.New("stopped by a person")
	for name, tt := range map[string]struct {
		do   do
		last time.Duration // how long One goes on after the end
	}{
		"in a try":              {takes(time.Minute), 0},
		"in a try that is deaf": {nil, 200 * time.Millisecond},
		"between two tries":     {fails(&tool.StatusError{Code: 429, After: 30 * time.Second}), 0},
		"with an error at once": {func(ctx context.Context) (tool.Result, error) { <-ctx.Done(); return tool.Result{}, refusedConnection }, 0},
		"with a panic at once":  {func(ctx context.Context) (tool.Result, error) { <-ctx.Done(); panic("x") }, 0},
		"with an own error": {func(ctx context.Context) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, tool.Failf(tool.ConfigError, "x")
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				if tt.last > 0 {
					tt.do = deaf(release)
				}
				e := exec.New(exec.Config{}, nil)
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(3*time.Second, func() { cancel(stop) })
				began := time.Now()
				got, err := e.One(ctx, exec.Job{Spec: read("slow"), Do: tt.do})
				if !errors.Is(err, context.Canceled) || !errors.Is(err, stop) || !strings.Contains(err.Error(), "slow") {
					t.Errorf("One = %v, want the end and its cause, with the tool", err)
				}
				if got.Err != nil || got.Attempts != 0 || got.Result.Text != "" {
					t.Errorf("One = %+v, want nothing", got)
				}
				if took := time.Since(began) - 3*time.Second; took != tt.last {
					t.Errorf("went on for %s, want %s", took, tt.last)
				}
				if all := e.Slow(); len(all) != 1 || all[0].Calls != 0 || all[0].Timeouts != 0 {
					t.Errorf("Slow = %+v, want that nothing counts", all)
				}
				close(release)
			})
		})
	}
	t.Run("before it began", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		p := record(says("ok"))
		if _, err := exec.New(exec.Config{}, nil).One(ctx, exec.Job{Spec: read("x"), Do: p.do}); !errors.Is(err, context.Canceled) || p.tries() != 0 {
			t.Errorf("One = %v after %d tries, want none", err, p.tries())
		}
	})
	t.Run("what was done all the same counts", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		got, err := exec.New(exec.Config{}, nil).One(ctx, exec.Job{Spec: tool.Spec{Name: "pay"}, Do: func(context.Context) (tool.Result, error) {
			cancel()
			return tool.Result{Text: "paid"}, nil
		}})
		if err != nil || got.Result.Text != "paid" {
			t.Errorf("One = %+v, %v, want what it did", got, err)
		}
	})
}

// TOOL-30, TOOL-31: what a tool says is passed on as it is.
func TestTOOL31AResultIsPassedOnUntouched(t *testing.T) {
	e := exec.New(exec.Config{}, nil)
	want := tool.Result{Text: " {\"rows\": []}\n", Shows: []string{"a1"}}
	got := one(t, e, read("query"), func(context.Context) (tool.Result, error) { return want, nil })
	if got.Result.Text != want.Text || len(got.Result.Shows) != 1 || got.Err != nil {
		t.Errorf("TOOL-31 One = %+v, want %+v", got, want)
	}
	// ERR-07: that nothing was found is an answer, and no reason to ask again.
	p := record(func(context.Context) (tool.Result, error) { return tool.Fail("no region of that name"), nil })
	if got := one(t, e, read("query"), p.do); !got.Result.Failed || got.Err != nil || p.tries() != 1 {
		t.Errorf("ERR-07 One = %+v after %d tries, want the failed Result after one", got, p.tries())
	}
}
