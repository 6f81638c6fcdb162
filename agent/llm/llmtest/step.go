package llmtest

import (
	"slices"
	"time"

	"hermes/agent/llm"
)

// A Step is what a vendor answers to one request, whatever its protocol. The zero
// Step is an answer without any content.
type Step struct {
	Text  string
	Calls []llm.Call
	Usage llm.Usage
	// Finish is the reason to stop, in the words of OpenAI or of the vendor;
	// empty means the fitting one.
	Finish string
	// Thought is what the model thinks before it speaks.
	Thought string
	// Pause is how long a stream is silent before each of its pieces.
	Pause time.Duration
	// Gate, if not nil, holds a stream up in its middle until it is closed.
	Gate <-chan struct{}
	// Refusal is said instead of Text.
	Refusal string

	// Status, if not 0, makes the answer an error of HTTP, with Code and
	// Message as the vendor writes them.
	Status     int
	RetryAfter string // header
	Code       string
	Message    string

	Fault Fault
	// Body is sent as it is, of type Mime, if Fault is Raw.
	Body, Mime string
	Style      Style
}

// A Fault is what goes wrong on the way.
type Fault int

// The faults. Those without an end last until the client gives up.
const (
	Fine    Fault = iota
	Raw           // Body instead of an answer
	Hang          // no header and no byte, without an end
	Mute          // headers, then nothing, without an end
	Drip          // a comment or white space now and then and no answer, without an end
	Stall         // the first half of the answer, then nothing, without an end
	Cut           // the first half of the answer, then the connection is closed
	Reset         // the connection is closed before the headers
	NoUsage       // the answer does not say what it cost
	NoDone        // the stream ends without saying so, after the answer is complete
	Late          // an error of Status and Code within a stream that began well
)

// A Style is how a vendor cuts the calls of a streamed answer in pieces.
type Style int

// The styles. All of them were seen.
const (
	Tidy        Style = iota // call after call, arguments in a few pieces
	Crumbs                   // arguments in pieces of one character
	Interleaved              // pieces of several calls by turns
	NoIndex                  // calls have an id and no index
	SameIndex                // all calls have index 0 and ids of their own
	Repeats                  // id and name again with each piece
	Whole                    // everything in one piece
	Twice                    // every call again when all is said, as after a broken connection
	Bare                     // arguments are JSON that stands in no string
	Resumed                  // the calls begun, broken off, and all of them again
)

// calls are the calls as they are sent.
func (s Step) calls() []llm.Call {
	switch s.Style {
	case Twice:
		return slices.Concat(s.Calls, s.Calls)
	case Resumed:
		begun := slices.Clone(s.Calls)
		last := &begun[len(begun)-1]
		last.Args = last.Args[:len(last.Args)/2]
		return slices.Concat(begun, s.Calls)
	}
	return s.Calls
}

// A Chat is a request as the vendor got it, in the words of OpenAI: the result of a call is a
// message of its own.
type Chat struct {
	Model    string
	Messages []ChatMessage
	Tools    []llm.Tool
	Stream   bool
	// Usage is set if a stream is asked to say what it cost.
	Usage     bool
	MaxTokens int
	Key       string // the credentials it came with
	Body      []byte
}

// A ChatMessage is one message of a Chat. Role is "system", "user", "assistant" or
// "tool".
type ChatMessage struct {
	Role  string
	Text  string
	Calls []llm.Call
	ID    string // of the call that a tool message answers
	// Failed is set if a tool message is marked as that of a failed call, where
	// the protocol has a mark.
	Failed  bool
	Thought string // given back with the Calls
}

// Last returns the text of the last message of a role, or nothing.
func (c Chat) Last(role string) string {
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if c.Messages[i].Role == role {
			return c.Messages[i].Text
		}
	}
	return ""
}

// Results returns what the tools called name have said in this turn: since the
// last message of a user.
func (c Chat) Results(name string) []string {
	var out []string
	names := map[string]string{}
	for _, m := range c.Messages {
		if m.Role == "user" {
			out = nil
		}
		for _, call := range m.Calls {
			names[call.ID] = call.Name
		}
		if m.Role == "tool" && (name == "" || names[m.ID] == name) {
			out = append(out, m.Text)
		}
	}
	return out
}
