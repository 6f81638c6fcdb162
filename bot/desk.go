package bot

import (
	"context"
	"errors"
	"time"

	"hermes/agent/run"
)

// A Desk is what a console or an App Home shows beyond chat. It is filled by the
// program; adapters know nothing of where it comes from. All lists are newest
// first unless they say otherwise; all are as the viewer, a Person, may see them.
type Desk interface {
	// Lines returns what was said in a place, oldest first, at most n of the
	// newest. With Thread empty it is the channel's own lines, each with the
	// number of answers in its thread.
	Lines(ctx context.Context, p Place, viewer string, n int) ([]Line, error)
	Questions(ctx context.Context, viewer string) ([]OpenQuestion, error)
	Jobs(ctx context.Context, viewer string) ([]JobView, error)
	Runs(ctx context.Context, viewer string, n int) ([]RunView, error)
	Run(ctx context.Context, viewer, trace string) (RunView, []StepView, error)
	Facts(ctx context.Context, viewer string) ([]FactView, error)
}

// A Line is one thing said in a place, by a person or by the bot.
type Line struct {
	Key      string // of the Message or Post
	Rev      int
	At       time.Time
	From     string // Person; empty for the bot
	Name     string
	Text     string // Markdown
	Kind     Kind
	Footer   string
	Record   Record `json:",omitzero"`
	Lang     string
	Place    Place // its Thread is the one it stands in
	Question string
	Choices  []Choice
	File     *File
	Files    []File // of an artifact that the line shows
	Only     string
	Trace    string
	Answers  int    // lines in the thread that it starts
	State    string // of a Post: "queued", "sent", "failed"
	Gone     bool   // it was taken back; nothing of what it said is here
}

// An OpenQuestion is an approval or a choice that waits.
type OpenQuestion struct {
	ID, Asker, Text string
	Record          Record // of its card
	Home            Place
	Choices         []Choice // those that the viewer may press
	Expires         time.Time
	Mine            bool     // it waits for the viewer: they may do more than call it off
	Waits           []string // the persons and groups ("group:…") whom it waits for
}

// A JobView is a schedule.
type JobView struct {
	ID, Name, When, Zone, To, Owner, State string
	Home                                   Place // where it was asked for, and its answers stand
	Next                                   []time.Time
	Slots                                  []SlotView
	Grant                                  *GrantView // nil: each post is asked for
}

// A GrantView is what a schedule may do without being asked for.
type GrantView struct {
	Until     time.Time
	Left, Max int
	Once      bool // it is for one time, which says it all
}

// A SlotView is one time of a schedule.
type SlotView struct {
	Nominal, State, Reason, Period, Trace string
	At                                    time.Time
	Link                                  string // of what was posted
}

// A RunView is one piece of work.
type RunView struct {
	Trace, Key, Asker, Text, State, Model string
	Status                                string // State, how it ended, and whether its answer arrived: a run.Status
	Fate                                  Fate   // of one that is done
	Lang                                  string
	Intent                                string      // what the router took it for
	Routed                                *run.Routed // why; nil where no words were said
	Nanos                                 int64       // what it has cost, in billionths of a dollar; only of Desk.Run
	Good, Bad                             int         // how many found its answer useful, and how many not
	Home                                  Place
	Steps, In, Out                        int
	Created, Updated                      time.Time
	Goal                                  []GoalView // what had to be done, with ticks; only of Desk.Run
}

// A StepView is one step of it, without bodies that the viewer may not see.
type StepView struct {
	N      int
	Said   string // what the model said
	Call   string // tool and arguments
	Result string
	Failed bool
	Took   time.Duration
	Under  string // the id of the question or the grant that it came under, or empty
	By     string // the Person whose word that was
	Ruling Ruling // and what it was
}

// A Ruling is how a person has decided on a step.
type Ruling string

// The rulings.
const (
	Approved Ruling = "approved" // by a press on its card
	Granted  Ruling = "granted"  // by what was allowed for the schedule
	Denied   Ruling = "denied"
	Returned Ruling = "returned" // they want it otherwise
	Answered Ruling = "answered" // a question of the tool
)

// A FactView is something remembered.
type FactView struct {
	ID, Text, Link, Status string
	At                     time.Time
}

// A Planner makes schedules out of forms.
type Planner interface {
	// Preview says what a Draft means, or returns an *Invalid. It looks for the
	// channel where people talk, so it may take as long as that does; what is to be
	// done it does not look at.
	Preview(ctx context.Context, viewer string, d Draft) (Preview, error)
	// Plan asks for the Draft as if its viewer had said so at home: nothing is
	// planned before the card that follows there is answered. One key asks once. It
	// returns an *Invalid as Preview does, but leaves the channel to the card: it is
	// quick.
	Plan(ctx context.Context, key string, home Place, viewer string, d Draft) error
	// Draft returns a schedule as its viewer would have filled it in. It and those
	// below return ErrNoSchedule for one that is not there, and for one that is
	// neither the viewer's nor the viewer an admin.
	Draft(ctx context.Context, viewer, job, lang string) (Draft, error)
	// Pause, Resume and Delete do so at once: what is one's own needs no card. They
	// may be called again.
	Pause(ctx context.Context, viewer, job string) error
	Resume(ctx context.Context, viewer, job string) error
	Delete(ctx context.Context, viewer, job string) error
}

// ErrNoSchedule is returned by a Planner for what its viewer has no say in.
var ErrNoSchedule = errors.New("no such schedule for this person")

// A Draft is a schedule as somebody fills it in.
type Draft struct {
	Job  string // id of the schedule to change; empty for a new one
	What string // what is asked for at each time
	When string // in words or as a cron expression
	Zone string // IANA name; empty for the viewer's
	To   string // the channel to post to, as a Directory finds it; empty for home
	Lang string
}

// A Preview is what a Draft means.
type Preview struct {
	When string      // read back in the Draft's language
	Zone string      // IANA name
	Next []time.Time // the next five times, fewer if there are no more
	// About is the period that the first of them is about, in the Draft's language: "October
	// 2026"; empty where nobody would ask.
	About string
}

// Invalid says which field of a Draft is wrong, in the Draft's language.
type Invalid struct{ Field, Text string }

// The fields of a Draft.
const (
	FieldWhat = "what"
	FieldWhen = "when"
	FieldZone = "zone"
	FieldTo   = "to"
)

func (e *Invalid) Error() string { return e.Field + ": " + e.Text }
