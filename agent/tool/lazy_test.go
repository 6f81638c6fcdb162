package tool_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/tool"
)

func echo(name string) tool.Tool {
	return tool.New(tool.Spec{Name: name, Effect: tool.Read}, func(_ context.Context, c tool.Call, _ struct{}) (tool.Result, error) {
		return tool.Result{Text: name + " for " + c.Asker}, nil
	})
}

// TOOL-17: of fifty heavy tools only the one that is used is opened, and that once,
// however many calls come at the same time. Looking at the list opens nothing.
func TestTOOL17AToolIsOpenedWhenItIsNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened [50]atomic.Int32
		var tools []tool.Tool
		for i := range opened {
			name := fmt.Sprintf("tool_%d", i)
			tools = append(tools, tool.Lazy(tool.Spec{Name: name}, func(context.Context) (tool.Tool, error) {
				<-time.After(5 * time.Second) // of the bubble's clock
				opened[i].Add(1)
				return echo(name), nil
			}))
		}
		began := time.Now()
		set, err := tool.NewSet(tools...)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(tool.NewCatalog(set, time.Now).For(t.Context(), tool.Viewer{}, "tool_7", 50, nil)); n != 50 || time.Since(began) != 0 {
			t.Errorf("%d tools after %s", n, time.Since(began))
		}
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if res, err := set.Lookup("tool_7").Run(t.Context(), tool.Call{Asker: "ana"}); err != nil || res.Text != "tool_7 for ana" {
					t.Errorf("result = %+v, %v", res, err)
				}
			})
		}
		wg.Wait()
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("it took %s, want one opening", took)
		}
		for i := range opened {
			if want := map[bool]int32{true: 1}[i == 7]; opened[i].Load() != want {
				t.Errorf("tool %d was opened %d times", i, opened[i].Load())
			}
		}
	})
}

// An opening that fails is the error of that call alone; who does not want to wait
// for another's does not.
func TestAnOpeningThatFailsIsTriedAgain(t *testing.T) {
	tries := 0
	down := errors.New("down")
	x := tool.Lazy(tool.Spec{Name: "x"}, func(context.Context) (tool.Tool, error) {
		if tries++; tries == 1 {
			return nil, down
		}
		return echo("x"), nil
	})
	if _, err := x.Run(t.Context(), tool.Call{}); !errors.Is(err, down) {
		t.Errorf("first = %v", err)
	}
	for range 2 {
		if _, err := x.Run(t.Context(), tool.Call{}); err != nil || tries != 2 {
			t.Errorf("later = %v after %d tries", err, tries)
		}
	}
	other := tool.Lazy(tool.Spec{Name: "y"}, func(context.Context) (tool.Tool, error) { return echo("x"), nil })
	if _, err := other.Run(t.Context(), tool.Call{}); err == nil {
		t.Error("a tool of another name was taken")
	}
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		slow := tool.Lazy(tool.Spec{Name: "x"}, func(context.Context) (tool.Tool, error) { <-free; return echo("x"), nil })
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := slow.Run(t.Context(), tool.Call{}); err != nil {
				t.Errorf("who opens = %v", err)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := slow.Run(ctx, tool.Call{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who waits = %v", err)
		}
		close(free)
		wg.Wait()
	})
}

// many is a tool that can do more than run.
type many struct{ tool.Tool }

func (many) Plan(context.Context, tool.Call) (tool.Plan, error) { return tool.Plan{Control: "c"}, nil }

func (many) Choose(_ context.Context, _ tool.Call, p tool.Pick) (tool.Result, error) {
	return tool.Result{Text: p.Choice}, nil
}

func (many) Describe(context.Context, tool.Viewer) (string, error) { return "now", nil }

// What a tool can do it can do behind a lazy one, and what it cannot do is done as
// for a tool that cannot.
func TestALazyToolCanWhatItsToolCan(t *testing.T) {
	lazy := func(t tool.Tool) tool.Tool {
		return tool.Lazy(tool.Spec{Name: "x"}, func(context.Context) (tool.Tool, error) { return t, nil })
	}
	able, plain := lazy(many{echo("x")}), lazy(echo("x"))
	if text, err := able.(tool.Describer).Describe(t.Context(), tool.Viewer{}); err != nil || text != "" {
		t.Errorf("before it is opened it says %q, %v", text, err)
	}
	c := tool.Call{Args: []byte(`{"a":1}`)}
	if p, err := able.(tool.Planner).Plan(t.Context(), c); err != nil || p.Control != "c" {
		t.Errorf("plan = %+v, %v", p, err)
	}
	if p, err := plain.(tool.Planner).Plan(t.Context(), c); err != nil || string(p.Args) != `{"a":1}` {
		t.Errorf("plan of none = %+v, %v", p, err)
	}
	if r, err := able.(tool.Chooser).Choose(t.Context(), c, tool.Pick{Choice: "y"}); err != nil || r.Text != "y" {
		t.Errorf("choice = %+v, %v", r, err)
	}
	if r, err := plain.(tool.Chooser).Choose(t.Context(), c, tool.Pick{}); err != nil || !r.Failed {
		t.Errorf("choice of none = %+v, %v", r, err)
	}
	if text, err := able.(tool.Describer).Describe(t.Context(), tool.Viewer{}); err != nil || text != "now" {
		t.Errorf("it says %q, %v", text, err)
	}
	if text, err := plain.(tool.Describer).Describe(t.Context(), tool.Viewer{}); err != nil || text != "" {
		t.Errorf("one that says nothing says %q, %v", text, err)
	}
}
