package exec_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/exec"
	"hermes/agent/tool"
)

// trying is how many goroutines there are that try something.
func trying() int {
	all := make([]byte, 1<<20)
	return strings.Count(string(all[:runtime.Stack(all, true)]), "created by hermes/agent/exec.(*Executor).try")
}

// EXEC-03, FAIL-33: a tool that ignores its deadline holds up nobody. It is counted
// until it ends, and nobody hears what it says then.
func TestEXEC03NobodyWaitsForAToolThatHangs(t *testing.T) {
	for name, tt := range map[string]struct {
		obeys bool
		took  time.Duration // of each
		left  int
	}{
		"EXEC-03 100 that obey leave nothing":             {true, 10 * time.Second, 0},
		"EXEC-03 100 that do not are left until they end": {false, 10*time.Second + 200*time.Millisecond, 100},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := exec.New(exec.Config{Open: 1000, Attempts: 1}, nil)
				release := make(chan struct{})
				d := deaf(release)
				if tt.obeys {
					d = takes(time.Hour)
				}
				for range 100 {
					got := one(t, e, read("slow"), d)
					if got.Err == nil || got.Err.Type != tool.NetworkError || got.Took != tt.took {
						t.Fatalf("took %s and gave %+v, want a timeout after %s", got.Took, got, tt.took)
					}
				}
				synctest.Wait()
				if got, n := e.Leaked(), trying(); got != tt.left || n != tt.left {
					t.Errorf("Leaked = %d with %d goroutines, want %d of both", got, n, tt.left)
				}
				close(release)
				synctest.Wait()
				if got, n := e.Leaked(), trying(); got != 0 || n != 0 {
					t.Errorf("in the end Leaked = %d with %d goroutines, want none of both", got, n)
				}
			})
		})
	}
}

// EXEC-03: a tool that never ends cannot fill the memory: with so many calls left,
// there are no more until one ends.
func TestEXEC03AToolThatNeverEndsIsNotCalledForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := exec.New(exec.Config{Open: 1000, Attempts: 1}, nil)
		release := make(chan struct{})
		for range 200 {
			one(t, e, read("slow"), deaf(release))
		}
		if got := e.Leaked(); got != 128 {
			t.Errorf("Leaked = %d after 200 calls, want 128", got)
		}
		if got := one(t, e, read("slow"), says("ok")); got.Err == nil || got.Attempts != 0 || !strings.Contains(got.Err.Message, "not called: 128 earlier calls") {
			t.Errorf("then = %+v, want that it was not called", got)
		}
		if got := one(t, e, read("other"), says("ok")); got.Result.Text != "ok" {
			t.Errorf("another tool = %+v, want ok", got)
		}
		close(release)
		synctest.Wait()
		if got := one(t, e, read("slow"), says("ok")); got.Result.Text != "ok" {
			t.Errorf("after they ended = %+v, want ok", got)
		}
	})
}

// A tool that comes back just after its time was up is heard.
func TestAnAnswerInTheLastMomentCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := exec.New(exec.Config{}, nil)
		got := one(t, e, tool.Spec{Name: "pay"}, func(context.Context) (tool.Result, error) {
			<-time.After(10*time.Second + 50*time.Millisecond)
			return tool.Result{Text: "paid"}, nil
		})
		if got.Err != nil || got.Result.Text != "paid" {
			t.Errorf("One = %+v, want what it did", got)
		}
	})
}

// A tool's own words for what its deadline did to it are better than ours.
func TestOfALateToolItsOwnWordsHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := exec.New(exec.Config{}, nil)
		got := one(t, e, read("query"), func(ctx context.Context) (tool.Result, error) {
			<-ctx.Done()
			if cause := context.Cause(ctx); !errors.Is(cause, context.DeadlineExceeded) || cause.Error() != "query gave no answer within 10s" {
				t.Errorf("cause = %v, want what is the matter", cause)
			}
			return tool.Result{}, tool.Failf(tool.InputError, "a year is too long: ask for a month")
		})
		if got.Err == nil || got.Err.Type != tool.InputError || got.Attempts != 1 || e.Slow()[0].Timeouts != 1 {
			t.Errorf("One = %+v, want the tool's error, once, counted as a timeout", got)
		}
	})
}

// EXEC-09: a tool that breaks is a LogicError that names it. What it broke with may
// be a secret; the stack is for the log.
func TestEXEC09APanicIsAnError(t *testing.T) {
	var none *tool.Error
	for name, tt := range map[string]struct {
		do   do
		want string
		log  bool
	}{
		"EXEC-09 of the runtime": {func(context.Context) (tool.Result, error) {
			var rows []string
			return tool.Result{Text: rows[len(rows)]}, nil
		}, "the tool bad is broken: it panicked: runtime error: index out of range [0] with length 0", true},
		"EXEC-09 of its own":    {func(context.Context) (tool.Result, error) { panic("token xoxb-1") }, "the tool bad is broken: it panicked", true},
		"EXEC-09 a nil error":   {fails(none), "the tool bad is broken: it panicked: runtime error: invalid memory address or nil pointer dereference", true},
		"EXEC-09 nothing to do": {nil, "the tool bad is broken: it panicked: runtime error: invalid memory address or nil pointer dereference", true},
		"EXEC-09 end of the goroutine": {func(context.Context) (tool.Result, error) {
			runtime.Goexit()
			return tool.Result{}, nil
		}, "the tool bad is broken: it ended without an answer", false},
		"EXEC-09 an error nobody knows": {fails(errors.New("no column x")), "the tool bad is broken: no column x", false},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			e := exec.New(exec.Config{}, slog.New(slog.NewTextHandler(&log, nil)))
			got := one(t, e, read("bad"), tt.do)
			if got.Err == nil || got.Err.Type != tool.LogicError || got.Err.Tool != "bad" || got.Err.Message != tt.want || got.Attempts != 1 {
				t.Errorf("One = %+v with %v, want a LogicError %q after one try", got, got.Err, tt.want)
			}
			if strings.Contains(got.Err.Error()+got.Err.Suggestion, "goroutine") {
				t.Errorf("the model reads the stack: %v", got.Err)
			}
			if has := strings.Contains(log.String(), "stack=") && strings.Contains(log.String(), "call=r1/1/a"); has != tt.log {
				t.Errorf("log = %q, with stack and call %t, want %t", log.String(), has, tt.log)
			}
		})
	}
}
