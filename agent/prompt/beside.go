package prompt

import (
	"fmt"
	"strings"

	"hermes/agent/file"
	"hermes/agent/llm"
	"hermes/agent/result"
	"hermes/agent/run"
)

// Beside is what stands before a request in the conversation: what others said, and
// the files that came with it. Each is quoted in marks that it cannot close, since
// whoever wrote it asks for nothing here.
func Beside(r run.Request) []llm.Message {
	var parts []string
	if text := began(r.Began); text != "" {
		parts = append(parts, text)
	}
	if text := heard(r); text != "" {
		parts = append(parts, text)
	}
	for i, f := range r.Files {
		parts = append(parts, quoted(f, i+1, len(r.Files)))
	}
	if len(parts) == 0 {
		return nil
	}
	return []llm.Message{{Role: llm.User, Text: strings.Join(parts, "\n\n")}}
}

// began says what a thread began with: what "that" is there.
func began(b *run.Began) string {
	if b == nil {
		return ""
	}
	facts := [][2]string{
		{"report", b.Report}, {"title", b.Title}, {"schedule", b.Job}, {"saved report", b.Saved}, {"measure", b.Measure}, {"by", b.By}, {"period", b.Period},
		{"when", b.When}, {"request", b.Request}, {"channel", b.Channel},
	}
	var lines []string
	for _, f := range facts {
		if f[1] != "" {
			lines = append(lines, f[0]+": "+strings.Join(strings.Fields(f[1]), " "))
		}
	}
	return result.Quote("this thread began with a post of yours; \"that\" is it, or its schedule", strings.Join(lines, "\n"))
}

// heard are the lines of others, each with its name.
func heard(r run.Request) string {
	if r.Lost {
		return "⟦what others said in this thread before could not be read⟧"
	}
	if len(r.Heard) == 0 {
		return ""
	}
	var b strings.Builder
	for i, l := range r.Heard {
		name := l.Name
		if name == "" {
			name = "somebody"
		}
		if i > 0 {
			b.WriteString("\n")
		}
		// A line that goes on is set in, so that nobody speaks in another's name.
		b.WriteString(strings.Join(strings.Fields(name), " ") + ": " + strings.ReplaceAll(strings.TrimSpace(l.Text), "\n", "\n  "))
	}
	return result.Quote("what people said to each other, not to you", b.String())
}

// quoted is a file: what it amounts to, and how it begins.
func quoted(f run.File, n, of int) string {
	head := fmt.Sprintf("file %d of %d", n, of)
	if f.Earlier {
		head += ", of an earlier request"
	}
	if f.Why != "" {
		return result.Quote(head, file.Say(f, "en"))
	}
	var how []string
	if f.Artifact != "" && !f.Whole {
		how = append(how, fmt.Sprintf(`for the rest call %s {"id":%q}`, result.SectionTool, f.Artifact))
	}
	for _, t := range f.Tables {
		name := "its rows"
		if t.Name != "" {
			name = "the rows of " + t.Name
		}
		how = append(how, fmt.Sprintf("%s are table %s for make_report and %s", name, t.Table, result.SectionTool))
	}
	text := result.Quote(head, file.Say(f, "en")+"\n\n"+f.Extract)
	if len(how) > 0 {
		text += "\n" + result.Note(strings.Join(how, "; "))
	}
	return text
}
