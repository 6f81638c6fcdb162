package exec_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/exec"
	"hermes/agent/tool"
)

// EXEC-05, ERR-02 to ERR-05, ERR-13, L2: what is tried again, and what is not.
func TestERR02WhatIsTriedAgain(t *testing.T) {
	timeout := &url.Error{Op: "Get", URL: "https://x/?key=secret", Err: context.DeadlineExceeded}
	for name, tt := range map[string]struct {
		err   error
		want  tool.ErrorType
		tries int
		says  string
	}{
		"ERR-02 refused connection":   {refusedConnection, tool.NetworkError, 3, "the connection failed: connection refused"},
		"ERR-02 lost connection":      {lostConnection, tool.NetworkError, 3, "the connection failed: connection reset by peer"},
		"ERR-02 closed connection":    {&url.Error{Op: "Get", URL: "https://x/?key=secret", Err: io.EOF}, tool.NetworkError, 3, "the other side closed it"},
		"ERR-02 a timeout of its own": {timeout, tool.NetworkError, 3, "no answer in time"},
		"ERR-02 a slow name server":   {&net.DNSError{IsTimeout: true}, tool.NetworkError, 3, "no answer in time"},
		"ERR-02 503":                  {&tool.StatusError{Code: 503}, tool.NetworkError, 3, "HTTP 503 Service Unavailable"},
		"L2 429 for ever":             {&tool.StatusError{Code: 429}, tool.RateError, 3, "HTTP 429 Too Many Requests"},
		"ERR-02 of the tool's own":    {fmt.Errorf("x: %w", tool.Failf(tool.RateError, "quota of the day")), tool.RateError, 3, "quota of the day"},
		"ERR-03 400":                  {&tool.StatusError{Code: 400}, tool.InputError, 1, "HTTP 400 Bad Request"},
		"ERR-03 of the tool's own":    {tool.Failf(tool.InputError, "no city of that name"), tool.InputError, 1, "no city"},
		"ERR-04 401":                  {&tool.StatusError{Code: 401}, tool.ConfigError, 1, "HTTP 401 Unauthorized"},
		"ERR-04 wrong host":           {&net.DNSError{IsNotFound: true}, tool.ConfigError, 1, "no host of the name"},
		"ERR-05 broken":               {errors.New("no column x"), tool.LogicError, 1, "no column x"},
		"ERR-05 of no type":           {&tool.Error{Message: "NaN"}, tool.LogicError, 1, "NaN"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := record(fails(tt.err))
				got := one(t, exec.New(exec.Config{}, nil), read("web_search"), p.do)
				if got.Err == nil || got.Err.Type != tt.want || p.tries() != tt.tries || got.Attempts != tt.tries {
					t.Fatalf("One = %+v with %v after %d tries, want %s after %d", got, got.Err, p.tries(), tt.want, tt.tries)
				}
				// ERR-01, ERR-06: every error is complete, and says what was the matter.
				if got.Err.Tool != "web_search" || got.Err.Attempt != tt.tries || got.Err.Suggestion == "" {
					t.Errorf("ERR-01 error = %+v, want tool, attempt and suggestion", got.Err)
				}
				if m := got.Err.Message; !strings.Contains(m, "web_search") || !strings.Contains(m, tt.says) || strings.Contains(m, "secret") {
					t.Errorf("ERR-06 message = %q, want the tool and %q", m, tt.says)
				}
				if tt.tries == 3 && !strings.HasSuffix(got.Err.Message, "; tried 3 times") {
					t.Errorf("ERR-06 message = %q, want how often", got.Err.Message)
				}
			})
		})
	}
}

// ERR-07, FAIL-22: what passes by itself is not for the model.
func TestERR07ATimeoutThatPassesIsASuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := record(takes(time.Hour), says("ok"))
		got := one(t, exec.New(exec.Config{}, nil), read("web"), p.do)
		if got.Err != nil || got.Result.Text != "ok" || got.Attempts != 2 || got.Took != 10*time.Second || got.Waited != time.Second {
			t.Errorf("One = %+v, want ok after 2 tries, 10s of them and 1s of waiting", got)
		}
	})
}

// The errors of a tool belong to the tool: they may be shared between its calls.
func TestAnErrorOfTheToolIsNotChanged(t *testing.T) {
	shared := tool.Failf(tool.InputError, "no city")
	one(t, exec.New(exec.Config{}, nil), read("web"), fails(shared))
	if shared.Message != "no city" || shared.Attempt != 0 || shared.Tool != "" || shared.Suggestion != "" {
		t.Errorf("the tool's error is now %+v", shared)
	}
}

// EXEC-11, C-14: a write is not done twice, and what nobody knows is said.
func TestEXEC11AWriteIsNotTriedBlindly(t *testing.T) {
	write := tool.Spec{Name: "send_mail"}
	idempotent := tool.Spec{Name: "send_mail", Idempotent: true}
	late := takes(time.Hour)
	for name, tt := range map[string]struct {
		spec    tool.Spec
		cfg     exec.Config
		steps   []do
		tries   int
		unknown bool
		ok      bool
	}{
		"EXEC-11 timeout":                          {write, exec.Config{}, []do{late}, 1, true, false},
		"EXEC-11 timeout of a deaf one":            {write, exec.Config{}, []do{deaf(nil)}, 1, true, false},
		"EXEC-11 lost connection":                  {write, exec.Config{}, []do{fails(lostConnection)}, 1, true, false},
		"EXEC-11 502":                              {write, exec.Config{}, []do{fails(&tool.StatusError{Code: 502})}, 1, true, false},
		"EXEC-11 panic":                            {write, exec.Config{}, []do{func(context.Context) (tool.Result, error) { panic("x") }}, 1, true, false},
		"EXEC-11 broken":                           {write, exec.Config{}, []do{fails(errors.New("cannot read the answer"))}, 1, true, false},
		"C-14 nobody was there":                    {write, exec.Config{}, []do{fails(refusedConnection)}, 1, false, false},
		"C-14 no such host":                        {write, exec.Config{}, []do{fails(&net.DNSError{IsNotFound: true})}, 1, false, false},
		"C-14 too often":                           {write, exec.Config{}, []do{fails(&tool.StatusError{Code: 429})}, 1, false, false},
		"C-14 bad arguments":                       {write, exec.Config{}, []do{fails(&tool.StatusError{Code: 400})}, 1, false, false},
		"EXEC-11 the operator cannot change it":    {write, exec.Config{Tools: []exec.Policy{{Name: "send_mail", Attempts: 5}}}, []do{fails(&tool.StatusError{Code: 429})}, 1, false, false},
		"EXEC-11 an idempotent one is tried again": {idempotent, exec.Config{}, []do{late, says("ok")}, 2, false, true},
		"EXEC-11 and is unknown in the end":        {idempotent, exec.Config{}, []do{late}, 3, true, false},
		"EXEC-11 also if the last try is refused":  {idempotent, exec.Config{}, []do{late, fails(&tool.StatusError{Code: 400})}, 2, true, false},
		"C-14 a read is tried again":               {read("send_mail"), exec.Config{}, []do{late}, 3, false, false},
		"C-14 so is what we keep":                  {tool.Spec{Name: "send_mail", Effect: tool.Keep}, exec.Config{}, []do{late}, 3, false, false},
		"C-14 so is a post":                        {tool.Spec{Name: "send_mail", Effect: tool.Send}, exec.Config{}, []do{late}, 3, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				if strings.HasSuffix(name, "a deaf one") {
					tt.steps = []do{deaf(release)}
				}
				p := record(tt.steps...)
				tt.spec.Alternates = []string{"post_letter"}
				got := one(t, exec.New(tt.cfg, nil), tt.spec, p.do)
				if p.tries() != tt.tries || got.Unknown != tt.unknown || (got.Err == nil) != tt.ok {
					t.Fatalf("One = %+v with %v after %d tries, want unknown %t after %d", got, got.Err, p.tries(), tt.unknown, tt.tries)
				}
				if got.Err != nil {
					if said := strings.Contains(got.Err.Message, "nobody knows whether it took effect"); said != tt.unknown {
						t.Errorf("message = %q, says that it is unknown %t, want %t", got.Err.Message, said, tt.unknown)
					}
					// Another tool would do it twice as well.
					if other := strings.Contains(got.Err.Suggestion, "post_letter"); other == tt.unknown && got.Err.Type != tool.InputError {
						t.Errorf("suggestion = %q, names another tool %t", got.Err.Suggestion, other)
					}
				}
				close(release)
			})
		})
	}
}

// ERR-18, ERR-19, ERR-20, FAIL-32: what a try gave is looked at, and what cannot be
// used is an error that no try helps against.
func TestERR18AnAnswerThatIsNoneIsALogicError(t *testing.T) {
	null := func(r tool.Result) ([]string, *tool.Error) {
		if r.Text == "null" {
			return []string{"x"}, tool.Failf(tool.NetworkError, "the body says code 500 and has no data")
		}
		return []string{"email was not returned"}, nil
	}
	for name, tt := range map[string]struct {
		effect  tool.Effect
		res     tool.Result
		check   func(tool.Result) ([]string, *tool.Error)
		notes   int
		fault   tool.ErrorType
		unknown bool
	}{
		"ERR-18 null data":                    {tool.Read, tool.Result{Text: "null"}, null, 0, tool.LogicError, false},
		"ERR-18 of a write is unknown":        {tool.Write, tool.Result{Text: "null"}, null, 0, tool.LogicError, true},
		"ERR-19 good data, with notes":        {tool.Read, tool.Result{Text: "[]"}, null, 1, "", false},
		"ERR-07 a failed Result is no output": {tool.Read, tool.Result{Text: "null", Failed: true}, null, 0, "", false},
		"ERR-20 nor is a question":            {tool.Read, tool.Result{Text: "null", Ask: &tool.Ask{}}, null, 0, "", false},
		"ERR-20 nor a post":                   {tool.Send, tool.Result{Text: "null", Post: &tool.Post{}}, null, 0, "", false},
		"ERR-20 a check that breaks": {tool.Read, tool.Result{Text: "null"},
			func(tool.Result) ([]string, *tool.Error) { panic("x") }, 0, tool.LogicError, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := record(func(context.Context) (tool.Result, error) { return tt.res, nil })
			got, err := exec.New(exec.Config{}, nil).One(t.Context(), exec.Job{Spec: tool.Spec{Name: "crm", Effect: tt.effect}, Do: p.do, Check: tt.check})
			if err != nil {
				t.Fatal(err)
			}
			var fault tool.ErrorType
			if got.Err != nil {
				fault = got.Err.Type
			}
			if fault != tt.fault || len(got.Notes) != tt.notes || p.tries() != 1 || got.Unknown != tt.unknown {
				t.Errorf("One = %+v with %v after %d tries, want %q, %d notes, unknown %t, one try", got, got.Err, p.tries(), tt.fault, tt.notes, tt.unknown)
			}
			if got.Err != nil && got.Result.Text != "" {
				t.Errorf("FAIL-32 a failed call passes on %q", got.Result.Text)
			}
		})
	}
}
