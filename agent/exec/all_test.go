package exec_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/exec"
	"hermes/agent/tool"
)

// EXEC-06: so many run at once and no more; the rest waits, in order, and none is
// dropped.
func TestEXEC06SoManyRunAtOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		parallel, jobs, most int
		took                 time.Duration
	}{
		"EXEC-06 seven calls, three at once": {0, 7, 3, 3 * time.Second},
		"EXEC-06 one at a time":              {1, 4, 1, 4 * time.Second},
		"EXEC-06 fewer than there is room":   {8, 2, 2, time.Second},
		"EXEC-06 none":                       {3, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var now, most int
				enter := func(n int) {
					mu.Lock()
					defer mu.Unlock()
					now += n
					most = max(most, now)
				}
				var jobs []exec.Job
				for i := range tt.jobs {
					jobs = append(jobs, exec.Job{Spec: read("t"), ID: strconv.Itoa(i), Do: func(ctx context.Context) (tool.Result, error) {
						enter(1)
						defer enter(-1)
						if _, err := takes(time.Second)(ctx); err != nil {
							return tool.Result{}, err
						}
						return tool.Result{Text: strconv.Itoa(i)}, nil
					}})
				}
				began := time.Now()
				done, err := exec.New(exec.Config{Parallel: tt.parallel}, nil).All(t.Context(), jobs)
				if err != nil || len(done) != tt.jobs {
					t.Fatalf("All = %d Dones, %v, want %d", len(done), err, tt.jobs)
				}
				for i, d := range done {
					if d.Result.Text != strconv.Itoa(i) || d.Took != time.Second {
						t.Errorf("Done %d = %+v, want its own result after 1s", i, d)
					}
					if at := time.Duration(i/max(tt.most, 1)) * time.Second; d.Waited != at {
						t.Errorf("EXEC-06 job %d began after %s, want %s: in the order of the jobs", i, d.Waited, at)
					}
				}
				if took := time.Since(began); most != tt.most || took != tt.took {
					t.Errorf("%d at once in %s, want %d in %s", most, took, tt.most, tt.took)
				}
			})
		})
	}
}

// EXEC-08, FAIL-19: whoever is ready first, the results are in the order of the jobs.
func TestEXEC08ResultsAreInTheOrderOfTheJobs(t *testing.T) {
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 8))
			e := exec.New(exec.Config{Parallel: 1 + rnd.IntN(5), Jitter: true}, nil)
			var jobs []exec.Job
			for i := range rnd.IntN(20) {
				var steps []do
				for range rnd.IntN(3) {
					steps = append(steps, fails(&tool.StatusError{Code: 503}))
				}
				d := time.Duration(rnd.IntN(9000)) * time.Millisecond
				steps = append(steps, func(ctx context.Context) (tool.Result, error) {
					_, err := takes(d)(ctx)
					return tool.Result{Text: strconv.Itoa(i)}, err
				})
				jobs = append(jobs, exec.Job{Spec: read("t" + strconv.Itoa(i%3)), Do: record(steps...).do})
			}
			done, err := e.All(t.Context(), jobs)
			if err != nil || len(done) != len(jobs) {
				t.Fatalf("seed %d: All = %d Dones, %v, want %d", seed, len(done), err, len(jobs))
			}
			for i, d := range done {
				if d.Err != nil || d.Result.Text != strconv.Itoa(i) {
					t.Errorf("seed %d: Done %d = %+v, want its own result", seed, i, d)
				}
			}
		})
	}
}

// EXEC-06, FAIL-33: who waits for its next try makes room, and a tool that hangs
// delays the others by its own place alone.
func TestOneHungToolDelaysNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := exec.New(exec.Config{Parallel: 2}, nil)
		release := make(chan struct{})
		jobs := []exec.Job{
			{Spec: read("hangs"), Do: deaf(release)},
			{Spec: read("busy"), Do: fails(&tool.StatusError{Code: 429, After: 20 * time.Second})},
			{Spec: read("quick"), Do: takes(time.Second)},
			{Spec: read("quick"), Do: takes(time.Second)},
		}
		done, err := e.All(t.Context(), jobs)
		if err != nil {
			t.Fatal(err)
		}
		if done[0].Err == nil || done[1].Err == nil {
			t.Errorf("All = %+v, want that the first two fail", done)
		}
		if a, b := done[2].Waited, done[3].Waited; a != 0 || b != time.Second || done[2].Err != nil || done[3].Err != nil {
			t.Errorf("the quick ones waited for %s and %s, want 0s and 1s", a, b)
		}
		close(release)
	})
	// Runs do not wait for each other at all.
	synctest.Test(t, func(t *testing.T) {
		e := exec.New(exec.Config{Parallel: 1}, nil)
		release := make(chan struct{})
		for range 50 {
			go func() {
				_, _ = e.One(context.WithoutCancel(t.Context()), exec.Job{Spec: read("hangs"), Do: deaf(release)})
			}()
		}
		synctest.Wait()
		if got := one(t, e, read("quick"), says("ok")); got.Took+got.Waited != 0 || got.Err != nil {
			t.Errorf("beside 50 that hang = %+v, want ok at once", got)
		}
		close(release)
	})
}

// A stop ends all that runs and begins nothing more. What had ended is there.
func TestAStopEndsTheBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := exec.New(exec.Config{Parallel: 2}, nil)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		p := record(says("ok"))
		began := time.Now()
		done, err := e.All(ctx, []exec.Job{
			{Spec: read("a"), Do: takes(time.Second)},
			{Spec: read("b"), Do: takes(5 * time.Second)},
			{Spec: read("c"), Do: takes(5 * time.Second)},
			{Spec: read("d"), Do: p.do},
		})
		if !errors.Is(err, context.Canceled) || time.Since(began) != 3*time.Second || p.tries() != 0 {
			t.Errorf("All = %v after %s with %d tries of the last, want the end at 3s and none", err, time.Since(began), p.tries())
		}
		var ended []int
		for _, d := range done {
			ended = append(ended, d.Attempts)
		}
		if want := []int{1, 0, 0, 0}; !slices.Equal(ended, want) {
			t.Errorf("tries = %v, want %v: the first had ended", ended, want)
		}
	})
}

func ExampleExecutor_All() {
	e := exec.New(exec.Config{}, nil)
	sales := tool.Spec{Name: "query", Effect: tool.Read}
	done, err := e.All(context.Background(), []exec.Job{
		{Spec: sales, ID: "r1/1/a", Do: says("412 orders")},
		{Spec: sales, ID: "r1/1/b", Do: fails(tool.Failf(tool.InputError, "there is no month 13"))},
	})
	if err != nil {
		fmt.Println(err) // the context has ended
		return
	}
	for _, d := range done {
		if d.Err != nil {
			fmt.Println(d.Err)
			fmt.Println(d.Err.Suggestion)
			continue
		}
		fmt.Println(d.Result.Text)
	}
	// Output:
	// 412 orders
	// INPUT_ERROR: query: there is no month 13
	// Call query again with other arguments.
}
