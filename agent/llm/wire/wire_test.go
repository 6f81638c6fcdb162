package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/wire"
)

const key = "sk-secret-7f3a9c"

// send sends a letter to a server that answers with one status and body, and returns
// the error as it leaves a client.
func send(t *testing.T, r llm.Request, answer http.HandlerFunc) ([]byte, error) {
	t.Helper()
	l := wire.New(wire.Config{Name: "v/m", Secret: key, HTTP: llmtest.Pipe(t, answer)})
	got, err := l.Send(t.Context(), wire.Letter{URL: "http://model.example/v1/x", Body: map[string]string{}})
	if err == nil {
		defer got.Close()
		var v any
		err = wire.Decode(got.Whole, &v)
	}
	if err != nil {
		return nil, l.Error(t.Context(), err, r)
	}
	return got.Whole, nil
}

func answers(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Errors as different vendors and gateways write them.
func TestErrorsOfVendors(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   error // nil: of no kind
		text   string
	}{
		"OpenAI, wait":               {429, `{"error":{"message":"Rate limit reached for gpt-x","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`, llm.ErrBusy, "rate_limit_exceeded: Rate limit reached"},
		"OpenAI, pay":                {429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, llm.ErrRejected, "insufficient_quota"},
		"OpenAI, key":                {401, `{"error":{"message":"Incorrect API key provided: ` + key + `","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, llm.ErrRejected, "[redacted:configured]"},
		"OpenAI, too long":           {400, `{"error":{"message":"This model's maximum context length is 8192 tokens","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, llm.ErrTooLong, "8192"},
		"OpenAI, model":              {404, `{"error":{"message":"The model gpt-0 does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, llm.ErrUnfit, "gpt-0 does not exist"},
		"Azure, filter":              {400, `{"error":{"message":"The response was filtered","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, llm.ErrRefused, "content_filter"},
		"Anthropic, overloaded":      {529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`, llm.ErrBusy, "HTTP 529: overloaded_error"},
		"Anthropic, too long":        {400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, llm.ErrTooLong, "210000"},
		"Google, in a list":          {429, `[{"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}]`, llm.ErrBusy, "exhausted"},
		"a gateway, 200":             {200, `{"error":{"message":"Provider returned error","code":429}}`, llm.ErrBusy, "HTTP 429"},
		"a gateway, 200, a text":     {200, `{"error":"model is overloaded"}`, llm.ErrBusy, "overloaded"},
		"a local server, a text":     {400, `{"error":"the request exceeds the available context size"}`, llm.ErrTooLong, "context size"},
		"a local server, flat":       {400, `{"object":"error","message":"max_tokens must be at least 1","type":"BadRequestError","param":null,"code":400}`, llm.ErrUnfit, "must be at least 1"},
		"a local server, detail":     {404, `{"detail":"Not Found"}`, llm.ErrUnfit, "Not Found"},
		"a local server, details":    {422, `{"detail":[{"loc":["body","x"],"msg":"field required"}]}`, llm.ErrUnfit, "field required"},
		"a proxy":                    {502, `<html>Bad Gateway</html>`, llm.ErrBusy, "HTTP 502 Bad Gateway"},
		"a proxy, no body":           {503, ``, llm.ErrBusy, "HTTP 503"},
		"a page, 200":                {200, `<!DOCTYPE html><html>hello</html>`, llm.ErrGarbled, ""},
		"no word at all":             {418, `{}`, llm.ErrUnfit, "HTTP 418"},
		"no JSON, 200":               {200, `all is well`, llm.ErrGarbled, "not JSON"},
		"an error that is none, 200": {200, `{"error":null,"x"`, llm.ErrGarbled, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := send(t, llm.Request{}, answers(c.status, c.body))
			if err == nil || !strings.HasPrefix(err.Error(), "v/m: ") || !strings.Contains(err.Error(), c.text) {
				t.Fatalf("error = %v, want it to say %q", err, c.text)
			}
			for _, kind := range []error{llm.ErrBusy, llm.ErrTooLong, llm.ErrRefused, llm.ErrRejected, llm.ErrUnfit, llm.ErrGarbled} {
				if errors.Is(err, kind) != errors.Is(c.want, kind) {
					t.Errorf("error = %v, want %v; is %v: %v", err, c.want, kind, errors.Is(err, kind))
				}
			}
			if strings.Contains(err.Error(), key) {
				t.Errorf("the key stands in %v", err)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
		for name, c := range map[string]struct {
			header, value string
			want          time.Duration // -1: none
		}{
			"ERR-12 seconds":       {"Retry-After", "7", 7 * time.Second},
			"parts of a second":    {"Retry-After", "1.5", 1500 * time.Millisecond},
			"milliseconds":         {"Retry-After-Ms", "250", 250 * time.Millisecond},
			"a date":               {"Retry-After", in(7 * time.Second), 7 * time.Second},
			"a date long gone":     {"Retry-After", in(-time.Hour), 0},
			"less than nothing":    {"Retry-After", "-3", 0},
			"white space":          {"Retry-After", " 3 ", 3 * time.Second},
			"more than anybody's":  {"Retry-After", "1e300", 30 * 24 * time.Hour},
			"no number":            {"Retry-After", "NaN", -1},
			"words":                {"Retry-After", "soon", -1},
			"nothing":              {"X", "", -1},
			"a date too far ahead": {"Retry-After", in(10000 * time.Hour), 30 * 24 * time.Hour},
		} {
			_, err := send(t, llm.Request{}, answers(429, "", c.header, c.value))
			var wait *llm.WaitError
			if !errors.As(err, &wait) {
				wait = &llm.WaitError{After: -1}
			}
			if wait.After != c.want || !errors.Is(err, llm.ErrBusy) {
				t.Errorf("%s: wait %s, want %s (%v)", name, wait.After, c.want, err)
			}
		}
		var wait *llm.WaitError
		if _, err := send(t, llm.Request{}, answers(401, "", "Retry-After", "7")); errors.As(err, &wait) {
			t.Errorf("error %v: waiting does not help", err)
		}
	})
}

// An error has no word of the request, and is short.
func TestNothingIsTold(t *testing.T) {
	const said = "my salary is thirty-five thousand euros"
	args := []byte(`{"text":"` + said + `"}`)
	for name, r := range map[string]llm.Request{
		"what a person said":         {Messages: []llm.Message{{Role: llm.User, Text: "Listen: " + said}}},
		"what a tool said":           {Messages: []llm.Message{{Role: llm.User, Results: []llm.Result{{Text: said}}}}},
		"what was cut out of it":     {Messages: []llm.Message{{Role: llm.User, Results: []llm.Result{{Text: "…", Brief: said}}}}},
		"what a tool was told":       {Messages: []llm.Message{{Role: llm.Assistant, Calls: []llm.Call{{Args: args}}}}},
		"what the model thought":     {Messages: []llm.Message{{Role: llm.Assistant, Thought: args}}},
		"what is known of the asker": {System: "Be brief. Known: " + said, Fixed: 9},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := send(t, r, answers(400, `{"error":{"message":"I cannot read «`+said+`» with `+key+strings.Repeat(" and more", 100)+`"}}`))
			if err == nil || strings.Contains(err.Error(), "thirty-five") || strings.Contains(err.Error(), key) || len(err.Error()) > 400 {
				t.Errorf("error = %v", err)
			}
			if !strings.Contains(err.Error(), "I cannot read") {
				t.Errorf("error = %v, and does not say what is wrong", err)
			}
		})
	}
}

// What a vendor writes into an error is told without anything that looks like a key, a
// token or the query of a URL, whosever it is; its status, code and words stay.
func TestNoSecretIsTold(t *testing.T) {
	for said, want := range map[string]string{
		"Incorrect API key provided: sk-proj-AbCd1234EfGh5678.":                 "Incorrect API key provided: [redacted:openai-key].",
		"Incorrect API key provided: sk-ab************cd9f. See https://x.y/k.": "Incorrect API key provided: [redacted:api-key]. See https://x.y/k.",
		"bad header Authorization: Bearer abcdef.ghijkl":                        "bad header Authorization: [redacted:unnamed]",
		"got bearer abcdefghijkl, want another":                                 "got bearer [redacted:unnamed], want another",
		`{"api_key":"letmein","x":1}`:                                           `{"api_key":"[redacted:api-key]","x":1}`,
		"token=letmein; retry":                                                  "token=[redacted:unnamed]; retry",
		"POST https://u:pw@gate.example/v1/chat?key=letmein&x=1 failed":         "POST https://gate.example/v1/chat failed",
		"see https://gate.example/v1#letmein":                                   "see https://gate.example/v1",
		"request req_011CSHoEeqs5C35K2UUqR7Fy is refused":                       "is refused",
		"session eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln is over":             "session [redacted:jwt] is over",
		"key AKIAIOSFODNN7EXAMPLE is unknown":                                   "key [redacted:aws-key] is unknown",
		"The model gpt-4o-mini-2024-07-18 does not exist":                       "The model gpt-4o-mini-2024-07-18 does not exist",
		"maximum context length is 8192 tokens, you used 210000":                "maximum context length is 8192 tokens, you used 210000",
		"a token was expected at 7":                                             "a token was expected at 7",
	} {
		body, err := json.Marshal(map[string]any{"error": map[string]any{"message": said, "type": "invalid_request_error"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = send(t, llm.Request{}, answers(400, string(body)))
		switch {
		case err == nil || !strings.HasPrefix(err.Error(), "v/m: ") || !strings.Contains(err.Error(), "HTTP 400 Bad Request: invalid_request_error") || !strings.Contains(err.Error(), want):
			t.Errorf("error = %v, want it to say %q", err, want)
		case strings.Contains(err.Error(), "letmein"), strings.Contains(err.Error(), "AbCd1234"), strings.Contains(err.Error(), "UUqR7Fy"), strings.Contains(err.Error(), "cd9f"):
			t.Errorf("error = %v, which tells a secret", err)
		}
	}
}

// A message of a few words is a quotation when all of it stands there.
func TestAShortMessageIsNotToldEither(t *testing.T) {
	r := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "pin 4711"}}}
	_, err := send(t, r, answers(400, `{"error":{"message":"Invalid content: pin 4711","type":"invalid_request_error"}}`))
	if err == nil || strings.Contains(err.Error(), "4711") || !strings.Contains(err.Error(), "Invalid content") {
		t.Errorf("error = %v", err)
	}
}

// Five megabytes are more than any answer.
func TestAnswerIsBounded(t *testing.T) {
	long := func(n int) http.HandlerFunc {
		return answers(200, `{"text":"`+strings.Repeat("x", n)+`"}`, "Content-Type", "application/json")
	}
	if got, err := send(t, llm.Request{}, long(4<<20)); err != nil || len(got) < 4<<20 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := send(t, llm.Request{}, long(wire.MaxAnswer)); !errors.Is(err, llm.ErrGarbled) || !strings.Contains(err.Error(), "longer than any answer") {
		t.Errorf("error = %v, want ErrGarbled for its length", err)
	}
}

// Who is sent elsewhere does not go, and takes the key nowhere.
func TestRedirect(t *testing.T) {
	seen := ""
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header.Get("X-Api-Key") }))
	defer other.Close()
	vendor := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer vendor.Close()
	l := wire.New(wire.Config{Name: "v/m", Secret: key})
	_, err := l.Send(t.Context(), wire.Letter{URL: vendor.URL, Header: http.Header{"X-Api-Key": {key}}, Body: 1})
	if err = l.Error(t.Context(), err, llm.Request{}); seen != "" || !strings.Contains(err.Error(), "307") {
		t.Errorf("error %v; the other host saw %q", err, seen)
	}
}

// Who has left is told that, whatever the vendor did meanwhile.
func TestWhoHasLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l := wire.New(wire.Config{Name: "v/m", HTTP: llmtest.Pipe(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))})
	_, err := l.Send(ctx, wire.Letter{URL: "http://model.example", Body: 1})
	if err = l.Error(ctx, err, llm.Request{}); !errors.Is(err, context.Canceled) || errors.Is(err, llm.ErrBusy) {
		t.Errorf("error = %v, want context.Canceled", err)
	}
}

func TestLettersThatCannotBeSent(t *testing.T) {
	l := wire.New(wire.Config{Name: "v/m"})
	for name, letter := range map[string]wire.Letter{
		"a URL that is none": {URL: "http://[::1", Body: 1},
		"no JSON":            {URL: "http://model.example", Body: func() {}},
	} {
		if _, err := l.Send(t.Context(), letter); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
