package exec

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool"
)

// mostNamed is how many arguments a suggestion names: the model has the schema.
const mostNamed = 12

// explain makes the error of a failed call complete: what was the matter with what,
// how often, and what can be done now. wait is how long the next call of the tool
// should wait.
func (e *Executor) explain(s tool.Spec, d *Done, o outcome, wait time.Duration) {
	err := d.Err
	err.Attempt = d.Attempts
	if err.Type == "" {
		err.Type = tool.LogicError
	}
	if strings.TrimSpace(err.Message) == "" {
		err.Message = "failed after " + round(o.took) + " and did not say why"
	}
	if !strings.Contains(err.Message, s.Name) {
		err.Message = s.Name + ": " + err.Message
	}
	if d.Attempts > 1 {
		err.Message += fmt.Sprintf("; tried %d times", d.Attempts)
	}
	var steps []string
	if err.Suggestion != "" {
		steps = append(steps, err.Suggestion)
	}
	if d.Unknown {
		err.Message += "; nobody knows whether it took effect"
		steps = append(steps, "Do not do it again, neither with "+s.Name+" nor otherwise: look first whether it took effect, and tell the user that this is not known.")
	} else {
		if err.Suggestion == "" || err.Type.Passing() {
			steps = append(steps, step(s, o, wait))
		}
		if others := e.awake(s.Alternates); len(others) > 0 && err.Type != tool.InputError {
			steps = append(steps, "Or use "+list(others, "or")+", which can do much the same.")
		}
	}
	err.Suggestion = strings.Join(steps, " ")
}

// step is what to do after a failure of this type.
func step(s tool.Spec, o outcome, wait time.Duration) string {
	switch o.err.Type {
	case tool.NetworkError, tool.RateError:
		again := "all " + s.Name + " again after " + round(wait) + ", not before."
		if o.late {
			return "Ask for less at once, or c" + again
		}
		return "C" + again
	case tool.InputError:
		return Mend(s, o.err.Message)
	case tool.ConfigError:
		return "No other call of " + s.Name + " helps: tell the user that its configuration is wrong and that an operator must correct it."
	default:
		return "The same call of " + s.Name + " would fail again: change its arguments, or go on without it and tell the user what is missing."
	}
}

// Mend is the suggestion for a call that a tool refused with a message: it says which
// arguments to write anew, those that the message names, if any, and which there are.
func Mend(s tool.Spec, message string) string {
	var schema struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	if json.Unmarshal(s.Schema, &schema) != nil || len(schema.Properties) == 0 {
		return "Call " + s.Name + " again with other arguments."
	}
	said := strings.FieldsFunc(message, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	var wrong, needed, free []string
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		if slices.Contains(said, name) {
			wrong = append(wrong, name)
		}
		if slices.Contains(schema.Required, name) {
			needed = append(needed, name+" (required)")
		} else {
			free = append(free, name)
		}
	}
	again := "other arguments"
	if len(wrong) > 0 {
		again = "another " + list(wrong, "and")
	}
	all := append(needed, free...)
	if more := len(all) - mostNamed; more > 0 {
		all = append(all[:mostNamed], fmt.Sprintf("%d more", more))
	}
	return "Call " + s.Name + " again with " + again + ". It takes " + list(all, "and") + "."
}

// list is "a, b or c".
func list(names []string, last string) string {
	n := len(names) - 1
	if n < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}

// round is a duration as people say it: up to the next second.
func round(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return (d + time.Second - 1).Truncate(time.Second).String()
}
