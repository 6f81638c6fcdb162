// Package llm holds the words of a conversation with a language model and the one
// interface every provider fulfils. Providers are the folders below it; no
// vendor's type leaves its folder.
//
// What a newcomer would break: a Model keeps nothing between two calls. All it
// may know stands in the Request, so that a run can go on in another process.
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// A Role says who wrote a Message.
type Role string

// The roles in a conversation.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// A Message is one turn of a conversation.
type Message struct {
	Role    Role     `json:"role"`
	Text    string   `json:"text,omitempty"`
	Calls   []Call   `json:"calls,omitempty"`   // tools the assistant asks for
	Results []Result `json:"results,omitempty"` // what those tools said; Role is User
	// Thought is what the model that wrote the message wants to read again with
	// its calls. Only that model can read it; nobody else does.
	Thought json.RawMessage `json:"thought,omitempty"`
}

// A Call is the model's wish to use a tool. ID is unique within its run.
type Call struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"` // a JSON object
}

// A Result answers the Call of the same ID. Text is what the tool said, JSON where
// the tool has something structured to say; a model that reads prose reads Prose.
type Result struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
	// Brief, if not empty, is the part of Text that a model that reads prose
	// needs: rows cut, long fields shortened.
	Brief string `json:"brief,omitempty"`
	// Mark says where the text comes from, Note what is to be known of it: one
	// line each, written by code alone.
	Mark string `json:"mark,omitempty"`
	Note string `json:"note,omitempty"`
}

// Prose is the Result as a model reads it that reads prose.
func (r Result) Prose() string {
	text := r.Text
	if r.Brief != "" {
		text = r.Brief
	}
	if r.Mark != "" {
		text = r.Mark + "\n" + text
	}
	if r.Note != "" {
		text += "\n" + r.Note
	}
	return text
}

// A Tool is what the model is told of a tool.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage // JSON Schema of an object
}

// A Request asks for the next Message.
type Request struct {
	System string
	// Fixed is how many bytes at the start of System are the same in every
	// request, so that a vendor can be told to keep them; 0 if nobody knows.
	Fixed    int
	Messages []Message // ends with a message of Role User
	Tools    []Tool    // none: answer in words
	Scene    Scene
	// Stream, if not nil, is called with pieces of the text as they come, in
	// order and from one goroutine. What it was given stands again in the
	// Reply. An empty piece says that the text begins anew: what came before was
	// of a try that failed.
	Stream func(text string)
}

// A Scene is what System says in prose, once more as values, for a model that
// reads no prose (the built-in rules).
type Scene struct {
	Run   string // key of the run
	Asker string // platform:workspace:user
	Home  string // the place it answers at
	// Profile is how far the run may go, by the name of it.
	Profile string
	Lang    string // "en" or "zh": the language of the asker's text
	Now     time.Time
	Zone    string // IANA name
	// From and To are the period that a slot of a job is about, both zero
	// outside a slot.
	From, To time.Time
	Facts    []Fact // what is known of the asker and the place, best first
	Files    []File // that came with the request, or before it
	Heard    []Line // what others said at Home, the oldest first
	Lost     bool   // what they said could not be read
	Began    *Began // the post of ours with which the thread began; nil: it began otherwise
}

// A Began is a post that a thread began with. Words of it may be anybody's: data.
type Began struct {
	Job, Report, Title, Saved string
	Measure, By, Period       string
	When, Request, Channel    string // of the Job, if the asker may change it
}

// A File is what is known of a file: data, which asks for nothing.
type File struct {
	Name    string
	Read    bool
	Earlier bool     // it came with an earlier request
	Said    string   // what it is and amounts to, in Markdown and the language of the Scene
	Tables  []string // ids of the tables in it
}

// A Line is what somebody else said: data as well.
type Line struct {
	Name, Text string
	At         time.Time
}

// A Fact is one thing that is known.
type Fact struct {
	Subject, Predicate, Object string
	Label                      string // how sure it is, where from and since when; empty: nobody said
}

// A Reply is the next Message and what it cost.
type Reply struct {
	Message Message `json:"message"`
	Usage   Usage   `json:"usage"`
	Model   string  `json:"model"` // what answered: "rules", "openai/gpt-…"
	// Cut is set if the text ends at the limit of tokens and not where the model
	// would have ended it.
	Cut bool `json:"cut,omitempty"`
	// Called is set if the model says that it ended in order to call a tool, whether
	// there is a call in the Message or not.
	Called bool `json:"called,omitempty"`
}

// Usage counts tokens, and what they cost.
type Usage struct {
	In     int `json:"in"`
	Out    int `json:"out"`
	Cached int `json:"cached,omitempty"` // of In
	// Nanos is the price in billionths of a dollar, or 0 if the model has none.
	Nanos int64 `json:"nanos,omitempty"`
}

// Add returns the sum of two.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.In + v.In, u.Out + v.Out, u.Cached + v.Cached, u.Nanos + v.Nanos}
}

// A Model writes the next message. Its errors wrap one of the errors of this
// package where they are that; any other may or may not pass with another try.
// It returns when ctx ends.
type Model interface {
	Generate(context.Context, Request) (Reply, error)
	// Name is what Reply.Model says: provider/model. It never changes.
	Name() string
}

// Unreadable is the one property of a Call's Args when what the model wrote is no
// JSON object; its value is the text. The loop gives it back to the model as a
// failed result.
const Unreadable = "$unreadable"
