package exec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hermes/agent/exec"
	"hermes/agent/tool"
)

// EXEC-16, L10: a tool that does not answer rests, is tried by one call after a
// while, for ever, and is whole again as soon as that is answered.
func TestEXEC16AToolThatDoesNotAnswerRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		e := exec.New(exec.Config{Open: 3, Attempts: 2, Rest: 30 * time.Second}, slog.New(slog.NewTextHandler(&log, nil)))
		s := read("web")
		s.Alternates = []string{"news"}
		late := takes(time.Hour)

		one(t, e, s, late)
		got := one(t, e, s, late)
		if got.Attempts != 1 || got.Err == nil || got.Err.Suggestion != "Ask for less at once, or call web again after 30s, not before. Or use news, which can do much the same." {
			t.Errorf("the third timeout = %+v with %+v, want no other try and the rest named", got, got.Err)
		}
		if !strings.Contains(log.String(), `msg="tool does not answer and will rest" tool=web`) {
			t.Errorf("log = %q, want that the tool rests", log.String())
		}

		<-time.After(5 * time.Second)
		p := record(says("ok"))
		began := time.Now()
		got = one(t, e, s, p.do)
		if p.tries() != 0 || time.Since(began) != 0 || got.Attempts != 0 || got.Err == nil || got.Err.Type != tool.NetworkError || got.Err.Tool != "web" {
			t.Fatalf("while it rests = %+v with %v, want a failure at once and no try", got, got.Err)
		}
		if got.Err.Message != "web was not called: it gave no answer in time, 3 times in a row" ||
			got.Err.Suggestion != "Call web again after 25s, not before. Or use news, which can do much the same." {
			t.Errorf("error = %+v, want why, when and what else", got.Err)
		}
		if other := one(t, e, read("news"), says("ok")); other.Err != nil {
			t.Errorf("another tool = %v, want that it works", other.Err)
		}

		// Half open: of two calls one goes through; it is late, and the rest begins anew.
		for range 3 {
			<-time.After(30 * time.Second)
			done, err := e.All(t.Context(), []exec.Job{{Spec: s, Do: late}, {Spec: s, Do: late}})
			if err != nil || done[0].Attempts+done[1].Attempts != 1 || done[0].Err == nil || done[1].Err == nil {
				t.Errorf("half open = %+v, %v, want one try and two errors", done, err)
			}
		}
		<-time.After(30 * time.Second)
		if got := one(t, e, s, p.do); got.Err != nil || got.Result.Text != "ok" {
			t.Errorf("the probe that is answered = %+v, want ok", got)
		}
		if got := one(t, e, s, p.do); got.Err != nil {
			t.Errorf("after it = %+v, want ok", got)
		}
		if got := one(t, e, s, late); got.Attempts != 2 {
			t.Errorf("a timeout after it = %+v, want that it is the first in a row", got)
		}
	})
}

// EXEC-16: only timeouts in a row make a tool rest.
func TestEXEC16WhatDoesNotOpenACircuit(t *testing.T) {
	late := takes(time.Hour)
	for name, tt := range map[string]do{
		"EXEC-16 an answer in between":       says("ok"),
		"EXEC-16 another error in between":   fails(&tool.StatusError{Code: 500}),
		"EXEC-16 bad arguments in between":   fails(tool.Failf(tool.InputError, "x")),
		"EXEC-16 a broken tool in between":   fails(errors.New("x")),
		"EXEC-16 a failed Result in between": func(context.Context) (tool.Result, error) { return tool.Fail("x"), nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := exec.New(exec.Config{Open: 2, Attempts: 1}, nil)
				for range 4 {
					if got := one(t, e, read("web"), late); got.Attempts != 1 {
						t.Fatalf("One = %+v, want a try", got)
					}
					if got := one(t, e, read("web"), tt); got.Attempts != 1 {
						t.Fatalf("One = %+v, want a try", got)
					}
				}
			})
		})
	}
	t.Run("EXEC-16 who was to try again says why it failed before", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := exec.New(exec.Config{Open: 1, Tools: []exec.Policy{{Name: "web", Timeout: 500 * time.Millisecond}}}, nil)
			p := record(fails(&tool.StatusError{Code: 503}))
			done, err := e.All(t.Context(), []exec.Job{{Spec: read("web"), Do: p.do}, {Spec: read("web"), Do: late}})
			if err != nil || p.tries() != 1 || done[0].Err == nil || done[0].Attempts != 1 {
				t.Fatalf("All = %+v, %v after %d tries of the first, want one", done, err, p.tries())
			}
			if got := done[0].Err; got.Message != "web: HTTP 503 Service Unavailable" || got.Attempt != 1 || got.Suggestion != "Call web again after 30s, not before." {
				t.Errorf("error = %+v, want that of its try, and when the tool has rested", got)
			}
		})
	})
	t.Run("a probe that is stopped lets another through", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := exec.New(exec.Config{Open: 1, Attempts: 1, Rest: time.Second}, nil)
			one(t, e, read("web"), late)
			<-time.After(time.Second)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := e.One(ctx, exec.Job{Spec: read("web"), Do: late}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("One = %v, want the end of the context", err)
			}
			if got := one(t, e, read("web"), says("ok")); got.Err != nil {
				t.Errorf("One = %+v, want ok", got.Err)
			}
		})
	})
}

// EXEC-16, ERR-26: what the tools have done is counted, the worst first.
func TestEXEC16TheWorstToolIsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := exec.New(exec.Config{Attempts: 1, Open: 4}, nil)
		for i := range 300 { // long ago it was late often, and is not any more
			d := says("ok")
			if i < 150 && i%3 == 0 {
				d = takes(time.Hour)
			}
			one(t, e, read("old"), d)
		}
		for i := range 100 {
			one(t, e, read("good"), takes(time.Duration(i+1)*time.Millisecond))
		}
		for _, d := range []do{takes(time.Hour), takes(time.Hour), says("ok"), takes(time.Hour), takes(time.Hour), takes(time.Hour), takes(time.Hour), says("ok")} {
			one(t, e, read("bad"), d)
		}
		one(t, e, read("new"), takes(time.Hour))
		for _, err := range []error{&tool.StatusError{Code: 503}, &tool.StatusError{Code: 429}, &tool.StatusError{Code: 400}, &tool.StatusError{Code: 401}, errors.New("x")} {
			one(t, e, read("errors"), fails(err))
		}
		one(t, e, read("errors"), func(context.Context) (tool.Result, error) { return tool.Fail("no such city"), nil })
		want := []exec.Tally{
			{Tool: "bad", Calls: 8, Tries: 7, Timeouts: 6, Refused: 1, Failed: map[tool.ErrorType]int{tool.NetworkError: 7}, P50: 10 * time.Second, P95: 10 * time.Second, Resting: 20 * time.Second},
			{Tool: "new", Calls: 1, Tries: 1, Timeouts: 1, Failed: map[tool.ErrorType]int{tool.NetworkError: 1}, P50: 10 * time.Second, P95: 10 * time.Second},
			{Tool: "good", Calls: 100, Tries: 100, P50: 50 * time.Millisecond, P95: 95 * time.Millisecond, Failed: map[tool.ErrorType]int{}},
			{Tool: "errors", Calls: 6, Tries: 6, Failed: map[tool.ErrorType]int{
				tool.NetworkError: 1, tool.RateError: 1, tool.InputError: 2, tool.ConfigError: 1, tool.LogicError: 1,
			}},
			{Tool: "old", Calls: 300, Tries: 300, Timeouts: 50, Failed: map[tool.ErrorType]int{tool.NetworkError: 50}},
		}
		if diff := cmp.Diff(want, e.Slow(), cmpopts.IgnoreUnexported(exec.Tally{})); diff != "" {
			t.Errorf("ERR-26 Slow (-want +got):\n%s", diff)
		}
		e.Slow()[0].Failed[tool.NetworkError] = 0
		if got := e.Slow()[0].Failed[tool.NetworkError]; got != 7 {
			t.Errorf("who reads a Tally can change it: %d", got)
		}
	})
}

// A server that renames its tools for ever does not fill the memory.
func TestTheTalliesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := exec.New(exec.Config{}, nil)
		for i := range 2000 {
			one(t, e, read(fmt.Sprint("t", i)), takes(time.Second))
			one(t, e, read("every_day"), says("ok"))
		}
		all := e.Slow()
		if len(all) != 1024 {
			t.Errorf("%d tallies, want 1024", len(all))
		}
		calls := map[string]int{}
		for _, tally := range all {
			calls[tally.Tool] = tally.Calls
		}
		if calls["every_day"] != 2000 || calls["t1999"] != 1 || calls["t0"] != 0 {
			t.Errorf("calls = %d, %d, %d, want 2000 of the one in use, 1 of the last, none of the first", calls["every_day"], calls["t1999"], calls["t0"])
		}
	})
}
