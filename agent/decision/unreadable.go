package decision

import (
	"errors"
	"fmt"
)

// ErrUnreadable is what every error of Read is.
var ErrUnreadable = errors.New("decision cannot be read")

// An UnreadableError says what is wrong with what a model wrote, in words for the
// model. It is an ErrUnreadable.
type UnreadableError struct{ Why string }

// Error implements error.
func (e *UnreadableError) Error() string { return ErrUnreadable.Error() + ": " + e.Why }

// Unwrap implements errors.Unwrap.
func (e *UnreadableError) Unwrap() error { return ErrUnreadable }

func unreadable(format string, args ...any) error {
	return &UnreadableError{Why: fmt.Sprintf(format, args...)}
}

// errInText is what is said of a call of which nobody knows whether it is to be made.
var errInText = unreadable("it has a call in its text, and calls have a place of their own; if it is only an example, say so before it and put it into a fence")

// notUsed is how Repair begins.
const notUsed = "Your last reply was not used"

// Repair is what a model is told whose decision could not be read: what is wrong,
// and how it should look in its form.
func Repair(err error, f Form) string {
	why := "it could not be read"
	var e *UnreadableError
	if errors.As(err, &e) {
		why = e.Why
	}
	text := notUsed + ": " + why + ".\n"
	switch f {
	case Nested, Flat:
		return text + "Reply again with one JSON object and nothing else, like this:\n" + sample(f)
	case Tagged:
		return text + "Reply again like this and add nothing else:\n" + sample(f)
	default:
		return text + "Reply again: call a tool, or answer in words."
	}
}

// sample is the smallest call in a form of text.
func sample(f Form) string {
	switch f {
	case Flat:
		return `{"thought": "one short line", "action": "tool_name", "action_input": {"parameter": "value"}, "is_finished": false, "final_answer": ""}`
	case Tagged:
		return "[THOUGHT] one short line\n[ACTION] tool_name {\"parameter\": \"value\"}"
	default:
		return `{"thought": "one short line", "action": {"name": "tool_name", "args": {"parameter": "value"}}}`
	}
}

// end is the smallest end in a form of text.
func end(f Form) string {
	switch f {
	case Flat:
		return `{"thought": "one short line", "action": "finish", "action_input": {}, "is_finished": true, "final_answer": "the whole answer"}`
	case Tagged:
		return "[THOUGHT] one short line\n[FINISH] the whole answer"
	default:
		return `{"thought": "one short line", "action": {"name": "finish", "args": {}}, "result": "the whole answer"}`
	}
}
