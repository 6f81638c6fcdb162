package exec_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/exec"
	"hermes/agent/tool"
)

// ERR-15, ERR-06, FAIL-30: what the model reads of a failure is what was the matter
// and what it can do now.
func TestERR15ASuggestionNamesTheNextStep(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"limit":{},"city":{},"date":{}},"required":["date"]}`)
	many := json.RawMessage(`{"properties":{"a1":{},"a2":{},"a3":{},"a4":{},"a5":{},"a6":{},"a7":{},"a8":{},"a9":{},"b1":{},"b2":{},"b3":{},"b4":{},"b5":{}},"required":["b5"]}`)
	backup, two := []string{"forecast"}, []string{"forecast", "almanac"}
	own := func(k tool.ErrorType, message, suggestion string) error {
		return &tool.Error{Type: k, Message: message, Suggestion: suggestion}
	}
	for name, tt := range map[string]struct {
		schema     json.RawMessage
		others     []string
		do         do
		message    string
		suggestion string
	}{
		"ERR-15 timeout, with a backup": {schema, backup, takes(time.Hour),
			"weather gave no answer within 10s; tried 3 times",
			"Ask for less at once, or call weather again after 4s, not before. Or use forecast, which can do much the same."},
		"ERR-15 no connection": {schema, two, fails(refusedConnection),
			"weather: the connection failed: connection refused; tried 3 times",
			"Call weather again after 4s, not before. Or use forecast or almanac, which can do much the same."},
		"ERR-15 rate limit with its wait": {schema, nil, fails(&tool.StatusError{Code: 429, After: 90 * time.Second}),
			"weather: HTTP 429 Too Many Requests",
			"Call weather again after 1m30s, not before."},
		"ERR-15 bad arguments": {schema, backup, fails(tool.Failf(tool.InputError, "date: 31 February does not exist (dates are of the form 2026-02-28)")),
			"weather: date: 31 February does not exist (dates are of the form 2026-02-28)",
			"Call weather again with another date. It takes date (required), city and limit."},
		"ERR-15 in Chinese": {schema, nil, fails(tool.Failf(tool.InputError, "参数city和date无效")),
			"weather: 参数city和date无效",
			"Call weather again with another city and date. It takes date (required), city and limit."},
		"ERR-15 which is not said": {many, nil, fails(&tool.StatusError{Code: 422}),
			"weather: HTTP 422 Unprocessable Entity",
			"Call weather again with other arguments. It takes b5 (required), a1, a2, a3, a4, a5, a6, a7, a8, a9, b1, b2 and 2 more."},
		"ERR-15 no schema": {nil, nil, fails(&tool.StatusError{Code: 400}),
			"weather: HTTP 400 Bad Request",
			"Call weather again with other arguments."},
		"ERR-17 wrong key": {schema, backup, fails(&tool.StatusError{Code: 401}),
			"weather: HTTP 401 Unauthorized",
			"No other call of weather helps: tell the user that its configuration is wrong and that an operator must correct it. Or use forecast, which can do much the same."},
		"ERR-15 broken": {schema, nil, fails(errors.New("NaN")),
			"the tool weather is broken: NaN",
			"The same call of weather would fail again: change its arguments, or go on without it and tell the user what is missing."},
		"ERR-15 the tool knows better": {schema, backup, fails(own(tool.InputError, "no city Pari", "Did you mean Paris?")),
			"weather: no city Pari",
			"Did you mean Paris?"},
		"ERR-15 and is told when": {schema, backup, fails(own(tool.RateError, "the quota of this hour is used", "Ask for several cities at once.")),
			"weather: the quota of this hour is used; tried 3 times",
			"Ask for several cities at once. Call weather again after 4s, not before. Or use forecast, which can do much the same."},
		"ERR-06 a tool that says nothing": {schema, nil, func(ctx context.Context) (tool.Result, error) {
			<-time.After(1500 * time.Millisecond)
			return tool.Result{}, own(tool.LogicError, " ", "")
		},
			"weather: failed after 2s and did not say why",
			"The same call of weather would fail again: change its arguments, or go on without it and tell the user what is missing."},
		"ERR-06 less than a second": {schema, nil, func(ctx context.Context) (tool.Result, error) {
			<-time.After(120 * time.Millisecond)
			return tool.Result{}, own(tool.ConfigError, "", "")
		},
			"weather: failed after 120ms and did not say why",
			"No other call of weather helps: tell the user that its configuration is wrong and that an operator must correct it."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := tool.Spec{Name: "weather", Effect: tool.Read, Schema: tt.schema, Alternates: tt.others}
				got := one(t, exec.New(exec.Config{}, nil), s, tt.do)
				if got.Err == nil {
					t.Fatalf("One = %+v, want an error", got)
				}
				if got.Err.Message != tt.message {
					t.Errorf("message    = %q\nwant %q", got.Err.Message, tt.message)
				}
				if got.Err.Suggestion != tt.suggestion {
					t.Errorf("suggestion = %q\nwant %q", got.Err.Suggestion, tt.suggestion)
				}
			})
		})
	}
}

// EXEC-11: of a write that nobody knows of, the model is told to look.
func TestEXEC11TheModelIsToldToLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := one(t, exec.New(exec.Config{}, nil), tool.Spec{Name: "send_mail", Alternates: []string{"post"}}, takes(time.Hour))
		const message = "send_mail gave no answer within 10s; nobody knows whether it took effect"
		const suggestion = "Do not do it again, neither with send_mail nor otherwise: look first whether it took effect, and tell the user that this is not known."
		if got.Err == nil || got.Err.Message != message || got.Err.Suggestion != suggestion {
			t.Errorf("error = %+v\nwant %q\n%q", got.Err, message, suggestion)
		}
	})
}

// ERR-15: a backup that rests itself is no advice.
func TestERR15ABackupThatRestsIsNotNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := exec.New(exec.Config{Open: 3, Rest: time.Minute}, nil)
		one(t, e, read("forecast"), takes(time.Hour))
		s := read("weather")
		s.Alternates = []string{"forecast", "almanac"}
		const want = "Ask for less at once, or call weather again after 1m0s, not before. Or use almanac, which can do much the same."
		if got := one(t, e, s, takes(time.Hour)); got.Err == nil || got.Err.Suggestion != want {
			t.Errorf("error = %+v, want the suggestion %q", got.Err, want)
		}
		if s.Alternates[0] != "forecast" {
			t.Error("the Spec has been changed")
		}
	})
}
