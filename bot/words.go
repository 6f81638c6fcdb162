package bot

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Place is where a conversation happens. Places are comparable: two messages
// belong to one conversation exactly when their Places are equal.
type Place struct {
	Platform  string // "slack", "web", "terminal"
	Workspace string
	Channel   string
	Thread    string // empty outside a thread
}

// String returns the Place as one word, which ParsePlace reads back.
func (p Place) String() string {
	f := []string{p.Platform, p.Workspace, p.Channel, p.Thread}
	for i := range f {
		f[i] = url.PathEscape(f[i])
	}
	return strings.Join(f, "/")
}

// ParsePlace reads what String wrote.
func ParsePlace(s string) (Place, error) {
	f := strings.Split(s, "/")
	if len(f) != 4 || f[0] == "" || f[2] == "" {
		return Place{}, fmt.Errorf("place %q is not platform/workspace/channel/thread", s)
	}
	for i := range f {
		var err error
		if f[i], err = url.PathUnescape(f[i]); err != nil {
			return Place{}, fmt.Errorf("place %q: %w", s, err)
		}
	}
	return Place{f[0], f[1], f[2], f[3]}, nil
}

// Person returns the name by which the house knows a person: platform:workspace:user.
func Person(platform, workspace, user string) string {
	return platform + ":" + workspace + ":" + user
}

// UserOf returns the platform's own id of a Person.
func UserOf(person string) string {
	f := strings.SplitN(person, ":", 3)
	return f[len(f)-1]
}

// A Message is something a person said.
type Message struct {
	// Key names the message for ever. A platform that delivers one message
	// twice must give it one Key, since everything downstream is done once
	// per Key.
	Key string

	Place     Place
	From      string // Person
	Name      string // how people call From, if the platform knows it
	Text      string // without the call of the bot's name
	Said      string `json:",omitempty"` // as it was written, if a platform that shows lines took the call off
	Addressed bool   // the bot was called by name
	InThread  bool   // said in a thread in which the bot has spoken
	Direct    bool   // nobody else can see the place
	Edits     string // Key of the message that this one replaces or, without a Text, takes back
	At        time.Time
	Zone      string // IANA name of the person's, if the platform knows it
	Link      string // where people see it, if the platform has links
	Raw       []byte // the platform's own payload, kept as it came; may be nil

	Standing Standing     `json:",omitempty"` // of From, if the message itself tells
	Via      Via          `json:",omitempty"` // by what it was said
	Given    Place        `json:",omitzero"`  // the channel in which a command was given, if what comes of it goes elsewhere
	About    *Quote       `json:",omitempty"` // the message of somebody that it is about
	Files    []Attachment `json:",omitempty"`
	Missed   bool         `json:",omitempty"` // read from the history after an absence
	// Secrets are the kinds of those that were taken out of the Text when it was heard.
	Secrets []string `json:",omitempty"`
}

// A Standing is what a person is to the workspace in which they speak.
type Standing string

// The standings. Where a platform cannot tell, nobody is a Member.
const (
	Unsaid   Standing = ""         // a Knower has to be asked
	Member   Standing = "member"   // of the workspace
	Guest    Standing = "guest"    // of the workspace, and sees only some channels
	External Standing = "external" // of another organisation
	Left     Standing = "left"     // of the workspace no more, or not known there
	Machine  Standing = "bot"      // another bot
)

// A Via is by what a Message was said.
type Via string

// The ways to say something.
const (
	ByPost     Via = ""
	ByCommand  Via = "command"  // only who gave it sees what comes of it
	ByShortcut Via = "shortcut" // on somebody's message, which is its About
)

// A Quote is what somebody said before.
type Quote struct {
	Key  string // as Message.Key
	From string // Person; empty for the bot
	Name string
	Text string
	At   time.Time
	Link string
}

// An Attachment is a file that came with a Message. Its bytes come from a Fetcher.
type Attachment struct {
	ID   string // the platform's own
	Name string
	Mime string
	Size int64 // bytes, 0 if the platform does not say
	URL  string
}

// A Click is a person's press on one of the Choices of a Post, or on a button that
// stops a Run, lets it go on, or gives it up.
type Click struct {
	// Key is as Message.Key: one press, one Key. The platform makes it of the
	// place, the message, the action, the person and the time of the press: a
	// button alone has no name of its own, since two people may press it.
	Key      string
	Place    Place // where it was pressed; what comes of it goes to the Run's home
	From     string
	Name     string                     // how people call From, if the platform knows it
	Question string                     // Post.Question of the post that carried the button
	Scope    string                     `json:",omitempty"` // of run.Like: which of the Question's Scopes
	Choice   string                     // Choice.ID of the button
	Args     map[string]json.RawMessage // by call: what was changed in a form before the press
	Note     string                     // what was written beside the button
	Stop     string                     // Key of the Run to stop; then there is no Question
	Continue string                     // Key of the Run to go on with; then there is no Question
	Abandon  string                     // Key of the Run to give up; then there is no Question
	Save     string                     `json:",omitempty"` // Key of the Run to save as a report; then there is no Question
	Repeat   string                     `json:",omitempty"` // the same, and to plan it
	Halt     bool                       // stop what is under way at Place; then there is no Question
	Why      string                     // Key of the Run whose answer is to be explained; then there is no Question
	Rates    string                     // Key of the Run whose answer is judged; then there is no Question
	Good     bool                       // the judgement on Rates
	At       time.Time                  // of the press itself
	Raw      []byte                     // as of Message
}

// A Post is something the bot says: what a place should show under a Key. Saying
// it again with a higher Rev changes what is there. Text is Markdown; each
// platform renders it as well as it can.
type Post struct {
	Key   string // as Message.Key, on the way out
	Rev   int    // of the content, from 0; the outbox keeps the highest
	Place Place
	Text  string
	// Names are where our own words in Text name people, in order: only there may a
	// platform call somebody.
	Names []Span `json:",omitempty"`
	Lang  string // "en" or "zh", for what the platform adds
	Kind  Kind
	// Below is Markdown that stands under what the Artifact shows.
	Below  string `json:",omitempty"`
	Footer string // small print under it
	// Record is small print too, for who looks twice: the last thing of all, folded where
	// a platform can.
	Record   Record `json:",omitzero"`
	Question string // set on every card of a question
	Choices  []Choice
	Only     string // the one Person who sees it; everybody if empty
	// Artifact, with its Hash, is what the Post shows besides its Text: Bot.say
	// fills Text and Files from it, and does not post another content.
	Artifact string
	Hash     string
	// Files are others that go with it.
	Files []File `json:",omitempty"`
	// File is set on a Post that brings one file; After is the Key of the Post
	// that it belongs to, which is delivered first.
	File  *File
	After string
	Run   string // key of the Run that waits to hear what becomes of the Post
	Home  Place  // of that Run
	Trace string // of the run it comes from
	// Of is the key of the Run that the Post is the progress or the answer of. A
	// platform may let people judge such an answer and ask why.
	Of   string
	By   string // the Person for whom that Run works
	Plan *Plan  // of a Progress: the same as its Text, for platforms that show tasks
	// Draft is on a Progress that is shown and not kept: the answer as far as it is
	// written, which may begin anew.
	Draft string
	// Gone takes back what is there under the Key. Nothing else of the Post counts.
	Gone bool

	Attempt int   // how often Next has given it out, this time included
	Fence   int64 // of the claim, set by Next
	// Altered is set by Next: somebody else has written what is kept under its Key. It is not
	// said, and who waits for it is told.
	Altered   bool     `json:"-"`
	Delivered *Ref     // what is already there, of a lower Rev; nil for a new post
	Receipt   *Receipt // set once the fate of this Rev is known
	Thread    Ref      // of After, once that is delivered
}

// Whole is the Text of a Post with what its Artifact shows, which is a report's text,
// and what stands below that.
func (p Post) Whole(report string) string {
	parts := slices.DeleteFunc([]string{p.Text, report, p.Below}, func(s string) bool { return s == "" })
	return strings.Join(parts, "\n\n")
}

// A Record is what exactly is done on a yes, under a heading; none has no Details.
type Record struct {
	Head    string   `json:"head"`
	Details []Detail `json:"details"`
}

// A Detail is a label in our words, and a text that is data: nothing in it is a mark.
type Detail struct {
	Label string `json:"label"`
	Text  string `json:"text,omitempty"`
}

// A Plan is what a Run does, as tasks.
type Plan struct {
	Title string
	Tasks []Task
	Over  bool // nothing more comes
}

// A Task is one call of a tool.
type Task struct {
	ID, Title string // of one line
	State     TaskState
}

// A TaskState is how far a Task is.
type TaskState string

// The states of a task.
const (
	Pending  TaskState = "pending" // not begun, or not allowed
	Underway TaskState = "underway"
	Complete TaskState = "complete"
	Failed   TaskState = "failed"
)

// A Kind is what a Post is for the eye.
type Kind string

// The kinds of post.
const (
	Answer   Kind = ""         // what was asked for
	Progress Kind = "progress" // what is under way
	Card     Kind = "card"     // a question with buttons
	Report   Kind = "report"   // an artifact
	Trouble  Kind = "trouble"  // what went wrong
	Notice   Kind = "notice"   // said on the way: neither an answer nor of the conversation
)

// A File is what an artifact of files looks like from outside; its bytes come from
// Shelf.
type File struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Mime string `json:"mime"`
}

// A Receipt is the fate of a Post: where it is, or why it is nowhere.
type Receipt struct {
	Ref    Ref
	Link   string
	Failed string
}

// A Choice is one button under a Post. For an ID that begins with "stop:",
// "continue:", "abandon:", "why:", "save:" or "repeat:" the rest is the key of a Run, and
// the press is a Click with Stop, Continue, Abandon, Why, Save or Repeat.
type Choice struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Style Style  `json:"style,omitempty"`
}

// Style is how much care a button asks for.
type Style int

// The styles of a button.
const (
	Plain Style = iota
	Primary
	Danger
)

// A Ref points at a delivered Post.
type Ref struct {
	Place Place
	ID    string
}

// String returns the Ref as one word, which ParseRef reads back.
func (r Ref) String() string { return r.Place.String() + "/" + url.PathEscape(r.ID) }

// ParseRef reads what String wrote.
func ParseRef(s string) (Ref, error) {
	i := max(0, strings.LastIndex(s, "/"))
	place, err := ParsePlace(s[:i])
	if err != nil {
		return Ref{}, fmt.Errorf("ref %q: %w", s, err)
	}
	id, err := url.PathUnescape(strings.TrimPrefix(s[i:], "/"))
	if err != nil {
		return Ref{}, fmt.Errorf("ref %q: %w", s, err)
	}
	return Ref{place, id}, nil
}
