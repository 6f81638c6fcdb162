// Package prompt writes what the model reads before the conversation. Its
// templates are the Markdown files beside it.
//
// What a newcomer would break: the first part is the same for every request of one
// installation, byte for byte, so that a provider's prompt cache works; what
// changes comes last.
package prompt

import (
	"embed"
	"fmt"
	"strings"
	"text/template"
	"time"

	"hermes/agent/llm"
)

//go:embed *.md
var files embed.FS

var templates = template.Must(template.ParseFS(files, "*.md"))

// Names of the templates.
const (
	task  = "task.md"
	light = "light.md"
)

// About is what else the model should know of its situation.
type About struct {
	Light    bool // small talk
	Job      bool // a slot of a job: nobody waits at the other end
	Rehearse bool
}

// System writes the system prompt.
func System(s llm.Scene, a About) (string, error) {
	name := task
	if a.Light {
		name = light
	}
	var b strings.Builder
	err := templates.ExecuteTemplate(&b, name, struct {
		llm.Scene
		About
		Today, Slot string
	}{s, a, s.Now.Format("Monday 2006-01-02 15:04"), slot(s)})
	if err != nil {
		return "", fmt.Errorf("write prompt %s: %w", name, err)
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
