package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hermes/agent/llm"
)

// A fault is what a vendor says of an error. Vendors of both protocols write it
// alike: an object "error" with a message, a type, and perhaps a code and the name
// of a parameter.
type fault struct {
	status                     int  // of HTTP, or the code in its place
	early                      bool // it is the answer of HTTP: nothing else was sent
	code, kind, param, message string
}

// inside returns the error that stands in an answer or an event, or nil.
func inside(text []byte) error {
	if !bytes.Contains(text, []byte(`"error"`)) {
		return nil
	}
	var in struct {
		Error   json.RawMessage   `json:"error"`
		Choices []json.RawMessage `json:"choices"`
		Content json.RawMessage   `json:"content"`
	}
	// What is no JSON is no error of the vendor's either; who decodes it will say so.
	if err := json.Unmarshal(text, &in); err != nil || len(in.Choices) > 0 || len(in.Content) > 0 {
		return nil //nolint:nilerr // see above
	}
	if len(in.Error) == 0 || string(in.Error) == "null" {
		return nil
	}
	f := readFault(text)
	f.status = codeStatus(f.code)
	return f.classify()
}

// faultOf is the error of an answer that HTTP calls an error.
func faultOf(status int, header http.Header, body []byte, now time.Time) error {
	f := readFault(body)
	f.status, f.early = status, true
	err := f.classify()
	if after, ok := retryAfter(header, now); ok && errors.Is(err, llm.ErrBusy) {
		return &llm.WaitError{After: after, Err: err}
	}
	return err
}

// readFault reads the body of an error; of a page of a proxy it keeps nothing.
func readFault(body []byte) fault {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0] // some send a list of one
	}
	type object struct {
		Message json.RawMessage `json:"message"`
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
		Param   json.RawMessage `json:"param"`
		Detail  json.RawMessage `json:"detail"`
	}
	var outer struct {
		Error json.RawMessage `json:"error"`
		object
	}
	if json.Unmarshal(body, &outer) != nil {
		return fault{}
	}
	o := outer.object
	if len(outer.Error) > 0 {
		o = object{Message: outer.Error} // a text
		var inner object
		if json.Unmarshal(outer.Error, &inner) == nil {
			o = inner
		}
	}
	return fault{
		code: word(o.Code), kind: word(o.Type), param: word(o.Param),
		message: cmp.Or(word(o.Message), word(o.Detail)),
	}
}

// word is the text of a JSON value: some vendors write numbers where others write
// strings.
func word(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}

// codeStatus returns the status that gateways write as code of an error: that of the
// vendor behind them.
func codeStatus(code string) int {
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		return n
	}
	return 0
}

// classify decides by code and words first, since one status means many things: 429
// is "wait" and "pay", 400 is "too long" and "refused".
func (f fault) classify() error {
	all := strings.ToLower(f.code + " " + f.kind + " " + f.message)
	says := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(all, w) {
				return true
			}
		}
		return false
	}
	as := func(kind error) error { return fmt.Errorf("%w: %w", kind, f) }
	switch {
	case f.status == http.StatusRequestEntityTooLarge,
		says("context_length", "maximum context", "context window", "context size", "context length", "context limit", "prompt is too long",
			"too many tokens", "reduce the length", "request too large", "request_too_large", "input is too long", "string_above_max_length"):
		return as(llm.ErrTooLong)
	case says("content_filter", "content filtering", "content_policy", "content management policy", "content policy", "safety system", "responsibleai"):
		return as(llm.ErrRefused)
	case says("insufficient_quota", "billing", "credit balance", "usage limits", "invalid_api_key", "invalid api key", "incorrect api key",
		"authentication_error", "permission_error"),
		f.status == http.StatusUnauthorized, f.status == http.StatusForbidden, f.status == http.StatusPaymentRequired:
		return as(llm.ErrRejected)
	case says("overloaded", "rate_limit", "rate limit", "server_error", "api_error", "timeout_error", "temporarily unavailable"),
		f.status == http.StatusTooManyRequests, f.status == http.StatusRequestTimeout, f.status == http.StatusTooEarly, f.status >= 500:
		return as(llm.ErrBusy)
	case f.status >= 400, says("not_found", "invalid_request"):
		return as(llm.ErrUnfit)
	}
	return f
}

// Error says a fault to an operator.
func (f fault) Error() string {
	var parts []string
	if f.status > 0 {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("HTTP %d %s", f.status, http.StatusText(f.status))))
	}
	for _, s := range []string{cmp.Or(f.code, f.kind), f.message} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return cmp.Or(strings.Join(parts, ": "), "an error without a word")
}

// maxWait is more than any vendor means.
const maxWait = 30 * 24 * time.Hour

// retryAfter reads how long the vendor wants us to wait.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if d, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d, true
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if d, ok := number(v, time.Second); ok {
		return d, true
	}
	if at, err := http.ParseTime(v); err == nil {
		return min(max(0, at.Sub(now)), maxWait), true
	}
	return 0, false
}

func number(s string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n != n { // not a number
		return 0, false
	}
	return time.Duration(min(max(0, n*float64(unit)), float64(maxWait))), true
}
