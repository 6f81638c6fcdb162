package result

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/tool"
)

// failed is what a model reads of a call that has failed: the five fields of the
// error in two lines, or the words that there are.
func (r *reader) failed() Output {
	r.stages[0].In, r.stages[0].Out = len(r.in.Text), len(r.in.Text)
	r.cuts, r.notes, r.extract, r.dropped = nil, nil, "", 0
	whole := true
	e, ok := errorOf(r.in.Text)
	if ok {
		head := fmt.Sprintf("%s of %s: ", e.Type, short(oneLine(e.Tool), 40))
		if e.Attempt > 0 {
			head = fmt.Sprintf("%s of %s, attempt %d: ", e.Type, short(oneLine(e.Tool), 40), e.Attempt)
		}
		help := ""
		if e.Suggestion != "" {
			help = "\nsuggestion: " + within(oneLine(e.Suggestion), r.limit/4)
		}
		room := r.limit - len(head) - len(help)
		whole = len(e.Message) <= room
		r.body = head + within(clean(e.Message), room) + help
	} else {
		text := clean(r.in.Text)
		if strings.TrimSpace(text) == "" {
			text = mark("it failed and did not say why")
		}
		r.lines(text, lines(text), tool.Both, r.cfg.Lines, nil)
	}
	switch {
	case ok && e.Type == tool.ConfigError:
		r.notes = []string{"failed; no arguments help: an operator must act"}
	case ok && e.Type.Passing():
		r.notes = []string{"failed; it may work later"}
	case ok && e.Type == tool.LogicError:
		r.notes = []string{"failed; what it returned cannot be used"}
	default:
		r.notes = []string{"failed; the same arguments fail again"}
	}
	out := r.output()
	out.Complete = out.Complete && whole
	out.Note = r.note(false)
	return out
}

// within is a text in at most so many bytes.
func within(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	return s[:safe(s, boundary(s, max(0, bytes-len("…"))))] + "…"
}

// errorOf reads the JSON of an error.
func errorOf(text string) (tool.Error, bool) {
	var e tool.Error
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || json.Unmarshal([]byte(text), &e) != nil {
		return e, false
	}
	return e, slices.Contains(errorTypes, e.Type) && e.Message != ""
}

var errorTypes = []tool.ErrorType{tool.NetworkError, tool.RateError, tool.InputError, tool.ConfigError, tool.LogicError}
