package llmtest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
)

func testTrouble(t *testing.T, open Backend) {
	raw := func(body, mime string) Step { return Step{Fault: Raw, Body: body, Mime: mime} }
	for name, c := range map[string]struct {
		step Step
		want error
	}{
		"429":                   {Step{Status: 429, Code: "rate_limit_exceeded"}, llm.ErrBusy},
		"503":                   {Step{Status: 503}, llm.ErrBusy},
		"529 overloaded":        {Step{Status: 529, Code: "overloaded_error"}, llm.ErrBusy},
		"500":                   {Step{Status: 500}, llm.ErrBusy},
		"502 of a proxy":        {Step{Status: 502, Fault: Raw, Body: "<html>Bad Gateway</html>", Mime: "text/html"}, llm.ErrBusy},
		"connection reset":      {Step{Fault: Reset}, llm.ErrBusy},
		"cut off":               {Step{Text: "Sales rose by a lot, really", Fault: Cut}, llm.ErrBusy},
		"401":                   {Step{Status: 401, Code: "invalid_api_key", Message: "Incorrect API key provided: " + Secret}, llm.ErrRejected},
		"403":                   {Step{Status: 403, Message: "no access for " + Secret}, llm.ErrRejected},
		"no money left":         {Step{Status: 429, Code: "insufficient_quota", Message: "You exceeded your current quota"}, llm.ErrRejected},
		"context length":        {Step{Status: 400, Code: "context_length_exceeded", Message: "This model's maximum context length is 8192 tokens"}, llm.ErrTooLong},
		"context length, local": {Step{Status: 400, Message: "the request exceeds the available context size, try increasing it"}, llm.ErrTooLong},
		"413":                   {Step{Status: 413}, llm.ErrTooLong},
		"content filter, asked": {Step{Status: 400, Code: "content_filter", Message: "The response was filtered: " + confidential}, llm.ErrRefused},
		"content filter":        {Step{Text: "I", Finish: "content_filter"}, llm.ErrRefused},
		"refusal":               {Step{Refusal: "I cannot help with that."}, llm.ErrRefused},
		"empty answer":          {Step{}, llm.ErrGarbled},
		"only white space":      {Step{Text: " \n "}, llm.ErrGarbled},
		"only what nobody sees": {Step{Text: "\u200b\ufeff"}, llm.ErrEmpty},
		"an empty fence":        {Step{Text: "```\n```"}, llm.ErrEmpty},
		"empty body":            {raw("", ""), llm.ErrGarbled},
		"empty object":          {raw("{}", ""), llm.ErrGarbled},
		"no choices":            {raw(`{"id":"x","object":"chat.completion","choices":[]}`, ""), llm.ErrGarbled},
		"null":                  {raw("null", ""), llm.ErrGarbled},
		"prose":                 {raw("all is well, and "+confidential, "text/plain"), llm.ErrGarbled},
		"HTML":                  {raw("<!DOCTYPE html><html><body>"+confidential+"</body></html>", "text/html; charset=utf-8"), llm.ErrGarbled},
		"half of JSON":          {raw(`{"choices":[{"message":{"role":"assi`, ""), llm.ErrGarbled},
		"JSON of another kind":  {raw(`{"choices":"none"}`, ""), llm.ErrGarbled},
		"an error in a 200":     {raw(`{"error":{"message":"Provider returned error","code":429}}`, ""), llm.ErrBusy},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, stream func(string), streamed *strings.Builder) {
				m, _ := open(t, c.step, c.step, c.step, c.step)
				r, err := m.Generate(t.Context(), ask(stream))
				if !errors.Is(err, c.want) {
					t.Fatalf("error = %v, want %v; reply %+v", err, c.want, r)
				}
				if !cmp.Equal(r, llm.Reply{}) {
					t.Errorf("reply beside the error: %+v", r)
				}
				if s := err.Error(); strings.Contains(s, Secret) || strings.Contains(s, confidential) || len(s) > 600 {
					t.Errorf("error tells too much: %s", s)
				}
				if streamed != nil && strings.Contains(streamed.String(), confidential) {
					t.Errorf("streamed the user's own text")
				}
			})
		})
	}
	t.Run("an error late in a stream", func(t *testing.T) {
		m, _ := open(t, Step{Text: "Sales", Fault: Late, Status: 503, Code: "overloaded_error"})
		if _, err := m.Generate(t.Context(), ask(func(string) {})); !errors.Is(err, llm.ErrBusy) {
			t.Errorf("error = %v, want ErrBusy", err)
		}
	})
	t.Run("a stream that does not say that it is over", func(t *testing.T) {
		m, _ := open(t, Step{Text: "Sales", Fault: NoDone})
		if r, err := m.Generate(t.Context(), ask(func(string) {})); err != nil || r.Message.Text != "Sales" {
			t.Errorf("reply %+v, %v", r, err)
		}
	})
}

// One Generate is one request, whatever comes of it: who tries again, and when, is
// decided elsewhere.
func testTry(t *testing.T, open Backend) {
	for name, s := range map[string]Step{
		"busy": {Status: 429, RetryAfter: "2"}, "500": {Status: 500}, "reset": {Fault: Reset}, "garbled": {Fault: Raw, Body: "{}"},
		"401": {Status: 401}, "404": {Status: 404}, "too long": {Status: 400, Code: "context_length_exceeded"}, "refusal": {Refusal: "no"},
	} {
		t.Run("one request: "+name, func(t *testing.T) {
			both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
				m, heard := open(t, s, Step{Text: "here"})
				if r, err := m.Generate(t.Context(), ask(stream)); err == nil || len(heard()) != 1 {
					t.Errorf("L2 reply %+v, error %v after %d requests", r, err, len(heard()))
				}
			})
		})
	}
	for header, want := range map[string]time.Duration{"7": 7 * time.Second, "120": 2 * time.Minute, "0": 0, "1.5": 1500 * time.Millisecond} {
		t.Run("ERR-12 the wait that the vendor names: "+header, func(t *testing.T) {
			both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
				for _, status := range []int{429, 503, 529} {
					m, _ := open(t, Step{Status: status, RetryAfter: header})
					_, err := m.Generate(t.Context(), ask(stream))
					var wait *llm.WaitError
					if !errors.As(err, &wait) || wait.After != want || !errors.Is(err, llm.ErrBusy) {
						t.Errorf("%d: error %v, want a WaitError of %s", status, err, want)
					}
				}
			})
		})
	}
	t.Run("what was streamed stays, and the error is told", func(t *testing.T) {
		m, heard := open(t, Step{Text: "Sales rose by a lot, really", Fault: Cut}, Step{Text: "Sales rose."})
		var b strings.Builder
		_, err := m.Generate(t.Context(), ask(func(p string) { b.WriteString(p) }))
		if !errors.Is(err, llm.ErrBusy) || len(heard()) != 1 || b.Len() == 0 {
			t.Errorf("error %v after %d requests, streamed %q", err, len(heard()), b.String())
		}
	})
}
