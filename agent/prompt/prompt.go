// Package prompt writes what the model reads before the conversation. Its
// templates are the Markdown files beside it.
//
// What a newcomer would break: the first part is the same for every request of one
// installation, byte for byte, so that a provider's prompt cache works; what
// changes comes last.
package prompt

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/template"
	"time"

	"hermes/agent/llm"
	"hermes/agent/result"
)

//go:embed *.md
var files embed.FS

var templates = template.Must(template.ParseFS(files, "*.md"))

// Names of the templates.
const (
	task    = "task.md"
	light   = "light.md"
	closing = "closing.md"
	// The comment under the figures of a saved report.
	commentary = "commentary.md"
	digest     = "digest.md"
)

// Digest is the system prompt of a model that shortens what a tool said.
//
//go:embed digest.md
var Digest string

// A Writer writes what a model reads before a conversation. The zero Writer uses the
// templates of this package.
type Writer struct {
	task    *template.Template
	version string
}

// builtin is how the templates of this package are called: it changes with any of
// them.
var builtin = version("")

func version(own string) string {
	h := sha256.New()
	for _, name := range []string{task, light, closing, digest, commentary} {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		h.Write(text)
		h.Write([]byte{0})
	}
	h.Write([]byte(own))
	return "p" + hex.EncodeToString(h.Sum(nil)[:3])
}

// New returns a Writer that says an operator's own text instead of the fixed part of
// a task's prompt. A text that lacks what every prompt must hold is an error that
// names all of it; faults are what it should not say.
func New(own string) (w Writer, faults []string, err error) {
	missing, faults := Lint(own)
	if len(missing) > 0 {
		return Writer{}, faults, errors.New("the prompt " + strings.Join(missing, "; "))
	}
	text, err := files.ReadFile(task)
	if err != nil {
		return Writer{}, faults, fmt.Errorf("prompt: %w", err)
	}
	dynamic := string(text[strings.Index(string(text), variable):])
	// What an operator writes is text, not a template.
	literal := "{{" + strconv.Quote(strings.TrimSpace(own)) + "}}"
	w.task, err = template.New(task).Parse(literal + dynamic)
	if err != nil {
		return Writer{}, faults, fmt.Errorf("prompt: %w", err)
	}
	w.version = version(own)
	return w, faults, nil
}

// variable is where the part of a task's prompt begins that changes with each
// request.
const variable = "\n\nAnswer in "

// Version names what the Writer says: it changes with any word of it.
func (w Writer) Version() string {
	if w.version == "" {
		return builtin
	}
	return w.version
}

// About is what else the model should know of its situation.
type About struct {
	Light    bool // small talk
	Job      bool // a slot of a job: nobody waits at the other end
	Rehearse bool
	Low      bool // most of what the run may use is used
}

// System writes the system prompt.
func (w Writer) System(s llm.Scene, a About) (string, error) {
	t, name := w.task, task
	if a.Light {
		name = light
	}
	if t == nil || a.Light {
		t = templates.Lookup(name)
	}
	var b strings.Builder
	err := t.Execute(&b, struct {
		llm.Scene
		About
		Today, Slot, Known string
	}{s, a, s.Now.Format("Monday 2006-01-02 15:04"), slot(s), known(s.Facts)})
	if err != nil {
		return "", fmt.Errorf("write prompt %s: %w", name, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// known is what is remembered, in marks that it cannot close: somebody has said it once,
// and it asks for nothing.
func known(facts []llm.Fact) string {
	if len(facts) == 0 {
		return ""
	}
	var lines []string
	for _, f := range facts {
		line := "- " + strings.Join(strings.Fields(f.Subject+" "+f.Predicate+": "+f.Object), " ")
		if f.Label != "" {
			line += " (" + f.Label + ")"
		}
		lines = append(lines, line)
	}
	return result.Quote("memory", strings.Join(lines, "\n"))
}

// Fixed is how many bytes of a system prompt are the same for every request, so that
// a provider may keep them.
func Fixed(system string) int {
	if i := strings.LastIndex(system, variable); i > 0 {
		return i
	}
	return 0
}

// Closing asks for the best answer without tools. why is why the work stops, in a
// few English words.
func Closing(why string) (string, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, closing, why); err != nil {
		return "", fmt.Errorf("write prompt %s: %w", closing, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// slot says the period of a slot: by its first and last day, or by the minute where
// it is not made of days.
func slot(s llm.Scene) string {
	const minute = "2006-01-02 15:04"
	switch {
	case s.From.IsZero():
		return ""
	case startsDay(s.From) && startsDay(s.To):
		return s.From.Format(time.DateOnly) + " to " + s.To.AddDate(0, 0, -1).Format(time.DateOnly)
	default:
		return s.From.Format(minute) + " to " + s.To.Format(minute)
	}
}

func startsDay(t time.Time) bool {
	h, m, s := t.Clock()
	return h+m+s == 0
}
