// Package tool defines what a tool is, and what goes for all of them: the schema
// that a Go struct makes (SchemaOf), the check of every call and result against it
// (Check, CheckOutput), and what a model is told of them at the time (Catalog).
// Built-in tools are the folders below it, one a tool or a family. Which tool runs
// when, how often it is tried, and what becomes of its result is not decided here.
//
// What a newcomer would break: a tool never decides whether it may run. It says
// what it does (Effect) and, before it does it, exactly what (Plan); who may say
// yes is the agent's business.
package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// An Effect is what running a tool does to the world.
type Effect int

// The effects. A Write runs only after a person has approved it, and so do a Send
// and a Keep, which run twice without harm: a Send only writes the Post of its
// Result, and a Keep only what is our own, under a name that its approved arguments
// carry. Write comes first: a tool that does not say what it does is a Write.
const (
	Write Effect = iota
	Send
	Keep
	Read
)

// String is the Effect in a list of tools.
func (e Effect) String() string {
	switch e {
	case Send:
		return "send"
	case Keep:
		return "keep"
	case Read:
		return "read"
	default:
		return "write"
	}
}

// A Spec is what people and models are told of a tool, and how it may be run. Name,
// Description and a function are all that a tool must have; the rest has defaults.
type Spec struct {
	Name string // ^[a-z][a-z0-9_]*$
	// Description says what the tool is for, when to use it, and what its
	// neighbour does better.
	Description string
	// Restrictions say what it does not do and what becomes of bad input; empty
	// says nothing.
	Restrictions string
	Schema       json.RawMessage // JSON Schema of an object; New makes it of the Go struct
	// Aliases are other names that arguments may come by, each with the
	// argument's own: a model that writes q means query.
	Aliases map[string]string
	// Examples are arguments as they may be written, told with the Description.
	Examples []json.RawMessage
	Output   json.RawMessage // JSON Schema of what Result.Text holds; nil: not JSON, or not checked
	Effect   Effect
	// Keeps says that a Read keeps or deletes what is the asker's own, of which it asks
	// that person itself where that is needed. It runs as a Read; lists show a Keep.
	Keeps      bool
	Unattended bool // may be used by a slot of a job

	Class   Class         // how long it may run and how often it is tried, by default
	Timeout time.Duration // of one try; 0 is that of the Class
	// Attempts is how often a call is tried in all that fails in a way that may
	// pass; 0 is the default. A Write is tried once unless it is Idempotent.
	Attempts   int
	Idempotent bool // a Write that may run twice for one Call.ID and takes effect once
	// Repeatable says that the same call may give something new each time, as a
	// look at the clock or at a queue does; it is not held for going in a circle.
	Repeatable bool
	Alternates []string // names of tools that can do much the same

	Limit    int      // of Result.Text in bytes before it is cut for the model; 0 is the default
	Truncate Truncate // which part of what is too long is kept
	// Words are what people say when they want it, in any language. They are never
	// told: they choose which tools are, where there are too many for one request.
	Words  []string
	Always bool // told with every request, however many tools there are
	// Later is told only with requests that have used it, that a result of theirs names
	// it to, or that have one of its Words.
	Later bool
	// Live is what goes for one request only, such as the tables of a database as
	// they are now. A Catalog writes it; a tool leaves it empty.
	Live string
	// Digest says that a long text of its may be shortened by the model, where the
	// configuration lets it.
	Digest bool
	// Risk says how much there is to lose. What is of HighRisk a person decides on each
	// time: it is never granted.
	Risk Risk
	// Standing names the arguments, as a Plan has them, that say where to, whom, which and
	// how much, of a tool that a person may let run without a question from then on: what
	// was approved once holds for calls that are equal in all of them. A call with an
	// argument that stands neither here nor in Content is covered by nothing. None: it is
	// asked about each time, unless a Plan says a Control itself.
	Standing []string
	// Open are those of Standing that a person may leave open in calls that touch only what
	// is the asker's own.
	Open []string
	// Content names the arguments that are only shown or kept as they are. All others of
	// a tool that changes anything are control: they say where to, to whom, which and how
	// much, so what they hold must come from whom the run works for.
	Content []string
	// Control names arguments of a Read that are control all the same, such as an address
	// that it asks.
	Control []string
	// IDs name the properties of its results whose values this program has made: what
	// stands there may be written into control. Whatever else a tool says is data.
	IDs []string
	// Screen names further arguments in which words of danger stop a call for a person
	// even though the Effect would not; in control they always do.
	Screen []string

	Version int // of the Schema; 0 and 1 are the first
	// Changes are what has become of arguments since the first Version, the
	// oldest first: calls in old histories are read by them.
	Changes []Change
	// Formerly are other names that it had, each with the arguments that the name
	// itself said. Nobody is told of them; runs and configurations of that time go on.
	Formerly map[string]json.RawMessage

	said json.RawMessage // the arguments of the former name that it was looked up by
}

// Does is the Effect in the eyes of people who read a list of tools.
func (s Spec) Does() Effect {
	if s.Keeps && s.Effect == Read {
		return Keep
	}
	return s.Effect
}

// A Risk says how much there is to lose by a call that nobody has looked at.
type Risk int

// The risks. HighRisk is for what takes away something that is not to be had back.
const (
	UsualRisk Risk = iota
	HighRisk
)

// A Class says how much a tool may take.
type Class int

// The classes.
const (
	Normal Class = iota // 10 s
	Heavy               // 30 s
	Shell               // 30 s: runs code or commands
)

// String is the Class in a list of tools.
func (c Class) String() string {
	switch c {
	case Heavy:
		return "heavy"
	case Shell:
		return "shell"
	default:
		return "normal"
	}
}

// A Truncate says which part of a long text is kept.
type Truncate string

// The ways to cut. The zero value keeps both ends.
const (
	Both Truncate = ""
	Head Truncate = "head"
	Tail Truncate = "tail"
)

// A Change is what became of an argument with a Version. To is its new name, or
// empty if it is gone; Note is for what cannot be said by names. From is empty for
// one that was added.
type Change struct {
	Version  int
	From, To string
	Note     string
	At       time.Time // of the release that has it; the Note is told for some days
}

// A Period goes from one time up to, but without, another. The zero Period is
// none.
type Period struct {
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
}

// A Call is one use of a tool, with who wants it, where, and when. Nothing but Args
// comes from the model.
type Call struct {
	ID    string // unique for ever: run key + step + the model's id
	Args  json.RawMessage
	Run   string // key of the run
	Asker string // person: platform:workspace:user
	Home  string // place
	Lang  string // "en" or "zh"
	Now   time.Time
	// Snapshot is the same for all calls of one reply of the model: they run side
	// by side and see the same state of the run.
	Snapshot string
	Zone     string // IANA name; Now is in it
	// Period is what the slot is about; zero outside a job's slot.
	Period Period
	Job    string // id of the job whose slot this is, or empty
	// Profile is how far the run may go, by the name of it.
	Profile string
	// Expect is the place that the slot will post to, or empty: what the call says may
	// be read there.
	Expect string
	// Checked says that Args are as Check has returned them, without a fault: then they
	// are not held against the Spec once more.
	Checked bool
	// Recipe is the Recipe of the Reports that a saved report makes; empty outside one.
	Recipe string
	// Ruled says that the built-in rules have said the call: no words in it are a language
	// model's.
	Ruled bool
	// Revision is set, from 2, in a slot about whose period something was posted before,
	// and Replaces is the link of that.
	Revision int
	Replaces string
}

// A Result is what a tool has to say to the model. Failed means that the model can
// mend it (bad arguments, nothing of that name); what may pass with another try, or
// needs an operator, is an Error. If Ask is set, the tool has
// changed nothing yet and waits for a person. If Post is set, and the tool is a
// Send, the model hears what becomes of the Post.
type Result struct {
	Text   string
	Failed bool // the model can mend it: bad arguments, nothing found
	Ask    *Ask
	Post   *Post
	// Shows are the ids of Artifacts that belong beside the answer of the run:
	// people see them even if the model says nothing of them.
	Shows []string
	// Order, if set, is the saved report that the run goes on as.
	Order *Order
}

// An Order names a saved report, and the period that it is to be about; the zero one
// leaves that to the report.
type Order struct {
	Report  string
	Period  Period
	Channel string // to post to in place of the report's own; empty: its own
}

// Fail returns a Result that the model can mend.
func Fail(format string, args ...any) Result {
	return Result{Text: fmt.Sprintf(format, args...), Failed: true}
}

// JSON returns a Result with v as its text.
func JSON(v any) (Result, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return Result{}, fmt.Errorf("encode result: %w", err)
	}
	return Result{Text: string(b)}, nil
}

// A Post is an Artifact to be said at a place other than the one of the Call. Hash
// is the Artifact's: another content is not posted.
type Post struct {
	To       string `json:"to"` // place
	Artifact string `json:"artifact"`
	Hash     string `json:"hash"`
}

// An Ask is a question for a person, who picks one of the Choices or, if there
// are none, says it in words. Token is the tool's own note of what the question
// is about; it comes back in the Pick.
type Ask struct {
	Token   string
	Text    string
	Choices []Choice
	// Words says that an answer in words of one's own is as good as a Choice.
	Words bool
	Diff  []Diff // of what would become another than it is
}

// A Pick is a person's answer to an Ask: a Choice, or words.
type Pick struct{ Token, Choice, Words, By string }

// A Choice is one answer to an Ask.
type Choice struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// A Tool does one thing. What the model can mend (bad arguments, nothing of that
// name) is a failed Result. Any other failure is an error: best an *Error that says
// of what kind; Classify reads the others.
type Tool interface {
	Spec() Spec
	Run(context.Context, Call) (Result, error)
}

// A Chooser is a Tool whose Results may carry an Ask. Choose goes on where Run
// stopped; it may be called again with one Pick and then changes nothing more.
type Chooser interface {
	Tool
	Choose(context.Context, Call, Pick) (Result, error)
}

// A Planner is a Tool that can say before it runs exactly what it would do. Every
// Write and Send should be one: people approve a Plan, not what a model wrote.
// Plan changes nothing and may be called again; a second call for one Call gives
// the same Args. It is not called for arguments that came out of a Plan.
type Planner interface {
	Tool
	Plan(context.Context, Call) (Plan, error)
}

// A Plan is what a call would do.
type Plan struct {
	// Args are the arguments with all names resolved: ids of places, hashes,
	// dates. They are what is approved, hashed and run.
	Args json.RawMessage
	// Control is the part that says where and what kind, for ever equal for
	// equal wishes; a grant holds for it alone. Empty: never granted, unless the Spec says
	// what of Args it is (Standing).
	Control string
	// Lines say it to a person, in the Call's language: one fact a line.
	Lines []string
	// Diff is what would become another than it is, of a call that changes something.
	Diff []Diff
	// Artifact is what will be shown to others, or empty.
	Artifact string
	// Final says that what the call takes away is not to be had back: it is never granted.
	// So is what the lexical screen stops; the Agent says it.
	Final bool
	// Own says that the call touches only what is the asker's and answers only
	// where it was asked for: the asker may approve it alone.
	Own bool
	// To and ToName are the channel on which it acts, as a place and as people call it;
	// empty if it acts on none. Member says that who asks is a member of it.
	To     string
	ToName string
	Member bool
	// Job is the id of the job that the call would add, or empty. Until is how
	// long a grant given together with it would hold, Cadence how people name
	// its rhythm in the Call's language ("every month"). GrantTool and
	// GrantControl are what its slots would need, or empty.
	Job          string
	Until        time.Time
	Cadence      string
	GrantTool    string
	GrantControl string
	// Marks are what a person should look at twice, in the Call's language. A call with
	// one is always asked about, whatever was granted.
	Marks []string
	// Fault, if not empty, is why it cannot be done, for the model to mend;
	// then nobody is asked.
	Fault string
}

// A Diff is one thing that a call would change: what it is called, in the Call's
// language, and what it is before and after. An empty text says that there is none.
type Diff struct {
	What string `json:"what"`
	Was  string `json:"was,omitempty"`
	Is   string `json:"is,omitempty"`
	// WasFrom and IsFrom say where and when that was said, in the program's own words.
	WasFrom string `json:"was_from,omitempty"`
	IsFrom  string `json:"is_from,omitempty"`
}
