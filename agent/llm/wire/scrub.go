package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"unicode/utf8"

	"hermes/agent/llm"
)

// Error is err as it leaves a client: of the kinds of package llm, with a short text
// that has neither words of the request nor anything that looks like a secret. If ctx
// has ended, that is the error.
func (l *Line) Error(ctx context.Context, err error, r llm.Request) error {
	if gone := ctx.Err(); gone != nil {
		err = gone
	} else {
		err = network(err)
	}
	kept := &trouble{text: l.scrub(err.Error(), r)}
	for _, kind := range []error{
		llm.ErrSlow, llm.ErrCut, llm.ErrBusy, llm.ErrTooLong, llm.ErrRefused, llm.ErrRejected, llm.ErrUnfit, llm.ErrEmpty, llm.ErrGarbled, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, kind) {
			kept.kinds = append(kept.kinds, kind)
		}
	}
	var wait *llm.WaitError
	if errors.As(err, &wait) {
		return &llm.WaitError{After: wait.After, Err: kept}
	}
	return kept
}

// network says what the network has done. A URL can hold a password, so only the
// host is told.
func network(err error) error {
	for _, known := range []error{llm.ErrBusy, llm.ErrTooLong, llm.ErrRefused, llm.ErrRejected, llm.ErrUnfit, llm.ErrGarbled} {
		if errors.Is(err, known) {
			return err
		}
	}
	var page *url.Error
	if errors.As(err, &page) {
		host := "the model's URL"
		if u, err := url.Parse(page.URL); err == nil && u.Host != "" {
			host = u.Host
		}
		return fmt.Errorf("%w: %s: %w", llm.ErrBusy, host, page.Err)
	}
	var broken net.Error
	if errors.As(err, &broken) {
		return fmt.Errorf("%w: %w", llm.ErrBusy, err)
	}
	return err
}

// A trouble is an error whose causes were taken away.
type trouble struct {
	text  string
	kinds []error
}

func (t *trouble) Error() string   { return t.text }
func (t *trouble) Unwrap() []error { return t.kinds }

// How long the text of an error may be, how many bytes in a row must be the request's
// to be a quotation, and from how many on a whole message is one.
const (
	maxText   = 240
	quotation = 16
	whole     = 6
)

func (l *Line) scrub(text string, r llm.Request) string {
	text = l.redact.Strict(strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), ""))
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	if i := quoted(text, r); i >= 0 {
		text = text[:i] + "… (the rest quotes the conversation)"
	}
	return l.cfg.Name + ": " + text
}

// quoted returns where in text words of the request begin, or -1.
func quoted(text string, r llm.Request) int {
	var said bytes.Buffer
	first := -1
	say := func(s string) {
		said.WriteString(s + "\n")
		if s = strings.Join(strings.Fields(s), " "); len(s) < whole {
			return
		}
		if i := strings.Index(text, s); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	// What is the same in every request is no secret, and much like an error.
	say(r.System[min(max(r.Fixed, 0), len(r.System)):])
	for _, m := range r.Messages {
		say(m.Text)
		say(string(m.Thought))
		for _, res := range m.Results {
			say(res.Text)
			say(res.Brief)
		}
		for _, c := range m.Calls {
			say(string(c.Args))
		}
	}
	all := strings.Join(strings.Fields(said.String()), " ")
	for i := 0; i+quotation <= len(text) && (first < 0 || i < first); i++ {
		if utf8.RuneStart(text[i]) && strings.Contains(all, text[i:i+quotation]) {
			return i
		}
	}
	return first
}
