// Package decision makes a decision of what a model wrote: which tools to call with
// which arguments, or that the work is done and with what answer. It reads all the
// shapes in which models say that, and mends the JSON they are written in (Value,
// the only lenient JSON parser of the house). It also writes the contract for models
// that have no tool calls of their own (Plain). Whether a call may run, and whether
// the work is really done, is decided elsewhere.
//
// What a newcomer would break: a text is read once, from left to right. A doubtful
// mark is judged by what stands around it; whoever tries one meaning and comes back
// for another makes a parser that a hostile text can stop for minutes.
package decision

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hermes/agent/llm"
)

// A Form is how a decision is written.
type Form string

// The forms. Call is any other habit that names a tool and its arguments in JSON;
// Text is an answer in words. Native, Nested, Flat and Tagged can be asked for.
const (
	Nested Form = "nested" // {"thought", "action": {"name", "args"}}
	Flat   Form = "flat"   // {"thought", "action", "action_input", "is_finished", "final_answer"}
	Native Form = "native" // tool calls beside the text
	Tagged Form = "tagged" // [THOUGHT] … [ACTION] tool {json}
	Call   Form = "call"
	Text   Form = "text"
)

// A Decision is what a model wants. Either there are Calls, or Finished is set. Both
// are set where the model called for tools and said in the same breath that it was
// done: the caller decides which to believe.
type Decision struct {
	Thought string `json:"thought,omitempty"`
	Intent  string `json:"intent,omitempty"` // the line "# intent: …"
	// Calls have the names of Options.Tools where they mean one of them. An ID
	// is the model's own, or empty.
	Calls    []llm.Call `json:"calls,omitempty"`
	Finished bool       `json:"finished"`
	// Result is the answer. It may be empty although the model says that it is
	// done: then the caller asks for one.
	Result     string      `json:"result,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`
	Evidence   []string    `json:"evidence,omitempty"` // what the model says it relies on
	Form       Form        `json:"form"`
	Mended     bool        `json:"mended,omitempty"` // the JSON was not as it should be
	// Scraped is set where the text was cut off in the middle of a call, or the
	// call was picked out of what could not be read: arguments may be missing.
	// Such calls may look and must not change anything.
	Scraped bool `json:"scraped,omitempty"`
}

// A Candidate is an action that the model has weighed.
type Candidate struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
	Why    string  `json:"why,omitempty"`
}

// Options say how to read. The zero value reads all shapes.
type Options struct {
	// Aliases are the keys under which the arguments may stand, the first first;
	// nil are DefaultAliases.
	Aliases []string
	// Tools are the names of the tools there are. They tell a decision from JSON
	// that is quoted in an answer; without them only what has the looks of a
	// decision is taken for one.
	Tools []string
	// Native is set for a model that was given tools to call beside its text. What it
	// writes of a call in its text is made only if the text is nothing else, or marked
	// as a call: in the rest it explains.
	Native bool
	// Called is set if such a model says that it ended in order to call a tool. An
	// answer in words is none then.
	Called bool
	// Model is the name of the model, "provider/model" or "model"; its habits are
	// those of QuirksOf. Quirks come on top.
	Model  string
	Quirks Quirks
}

// DefaultAliases returns the keys under which arguments may stand.
func DefaultAliases() []string {
	return []string{"args", "arg", "arguments", "params", "action_input", "input", "parameters", "kwargs"}
}

// thoughtMax is how much of a thought is read again in the next rounds, in
// characters: enough for one line of intent.
const thoughtMax = 200

// Brief is a thought as it is told again: one line of at most 200 characters, cut
// at the end of a sentence or a word where there is one.
func Brief(thought string) string {
	s := strings.Join(strings.Fields(thought), " ")
	if utf8.RuneCountInString(s) <= thoughtMax {
		return s
	}
	runes := []rune(s)[:thoughtMax-1]
	for i := len(runes) - 1; i > thoughtMax/2; i-- {
		if strings.ContainsRune("。！？；", runes[i]) || unicode.IsSpace(runes[i]) && strings.ContainsRune(".!?;", runes[i-1]) {
			return strings.TrimSpace(string(runes[:i+1])) + "…"
		}
	}
	for i := len(runes) - 1; i > thoughtMax*3/4; i-- {
		if unicode.IsSpace(runes[i]) {
			return string(runes[:i]) + "…"
		}
	}
	return string(runes) + "…"
}
