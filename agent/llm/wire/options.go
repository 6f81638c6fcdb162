package wire

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// Options remembers which options of a request a vendor does not take from this
// model. Newer models drop what older ones had (a temperature, a budget of thought,
// a name for the limit of tokens), and a list of their names would be old within
// months. The zero value is ready, and safe for concurrent use.
type Options struct {
	mu      sync.Mutex
	refused map[string]bool
}

// untaken is how vendors say that an option is not for this model.
var untaken = regexp.MustCompile(`(?i)unsupported|not support|unrecognized|unknown|deprecated|not permitted|forbidden|not allowed|only .* (is|are) allowed|may only`)

// Takes reports whether an option was not refused yet.
func (o *Options) Takes(name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.refused[name]
}

// Refused notes which of the options that were sent err refuses, and returns that
// one, or "" if err is about something else. The same request without the option is
// then worth sending.
func (o *Options) Refused(err error, sent ...string) string {
	var f fault
	if !errors.As(err, &f) || !f.early || f.status != http.StatusBadRequest && f.status != http.StatusUnprocessableEntity {
		return ""
	}
	if strings.HasPrefix(f.message, "messages.") || !untaken.MatchString(f.message) {
		return "" // about what was said, which may hold any word, or about a value out of bounds
	}
	for _, name := range sent {
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
		if f.param != name && !word.MatchString(f.message) {
			continue
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.refused == nil {
			o.refused = map[string]bool{}
		}
		o.refused[name] = true
		return name
	}
	return ""
}

// Effort is the word for a ceiling of thought, for models that take no number.
func Effort(tokens int) string {
	switch {
	case tokens <= 2048:
		return "low"
	case tokens <= 8192:
		return "medium"
	}
	return "high"
}
