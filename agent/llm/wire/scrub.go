package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"unicode"
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
		llm.ErrSlow, llm.ErrBusy, llm.ErrTooLong, llm.ErrRefused, llm.ErrRejected, llm.ErrUnfit, llm.ErrEmpty, llm.ErrGarbled, context.Canceled, context.DeadlineExceeded,
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

// hidden takes the place of what looks like a secret.
const hidden = "[redacted]"

// masks are what no text of an error keeps, whoever wrote it: what stands in a URL
// beside its place, what follows the name of a secret, and what begins as keys do.
var masks = []struct {
	what *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`(?i)(\bhttps?://)[^\s/@"'<>]+@`), "${1}"},
	{regexp.MustCompile(`(?i)(\bhttps?://[^\s?#"'<>)]*)[?#][^\s"'<>)]*`), "${1}"},
	{regexp.MustCompile(`(?i)\b((?:proxy-)?authorization|x-api-key|api[_-]?key|access[_-]?token|token|secret|password)(["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;}]+`), "${1}${2}" + hidden},
	{regexp.MustCompile(`(?i)\b(bearer|basic)\s+[\w+/=.*~-]{6,}`), "${1} " + hidden},
	{regexp.MustCompile(`\b(?:sk|pk|rk|xox[a-z]|gh[a-z]|github_pat|glpat|AKIA|ASIA|AIza|eyJ)[-_A-Za-z0-9*][\w*.+/=-]{6,}`), hidden},
	{regexp.MustCompile(`[\w+/=-]*[\w]\*{3,}[\w+/=*-]*`), hidden}, // a key of which only the ends are shown
}

// lengthy is a word that may be a key: names of models and of errors have a hyphen
// sooner.
var lengthy = regexp.MustCompile(`[A-Za-z0-9]{16,}`)

// masked is a text without what looks like a secret.
func masked(text string) string {
	for _, m := range masks {
		text = m.what.ReplaceAllString(text, m.by)
	}
	return lengthy.ReplaceAllStringFunc(text, func(w string) string {
		if strings.ContainsAny(w, "0123456789") && strings.ContainsFunc(w, unicode.IsLetter) {
			return hidden
		}
		return w
	})
}

func (l *Line) scrub(text string, r llm.Request) string {
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "")
	if l.cfg.Secret != "" {
		text = strings.ReplaceAll(text, l.cfg.Secret, hidden)
	}
	text = masked(text)
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
