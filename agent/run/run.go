// Package run is the record of one piece of work and the moves it may make. It
// does nothing by itself: every function takes a Run and returns another, so its
// tests are tables.
//
//	         question            answer
//	Working ----------> Waiting ----------> Working
//	   |   post                sent or failed
//	   +-------------> Delivering --------> Working
//	   | guard, stop, model gone
//	   +-------------> Suspended --resume--> Working
//	   |                   +----abandon--> Done
//	   | answer
//	   +-------------> Done
//	   | nothing helps
//	   +-------------> Failed
//
// A Run that waits is suspended by a stop or when its time is over. One that is
// Delivering is not: what is on its way arrives.
//
// What a newcomer would break: a Run holds all there is to know of the work.
// Whatever is kept beside it between two saves is lost by the next crash.
package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

// A Request starts a Run. Requests of one Key are one Run, which goes by the
// first of them.
type Request struct {
	Key     string `json:"key"`
	Home    string `json:"home"`  // where it was asked for; answers and questions go there and nowhere else
	Asker   string `json:"asker"` // person: platform:workspace:user
	Profile string `json:"profile,omitempty"`
	Text    string `json:"text"`
	Lang    string `json:"lang"`            // "en" or "zh": the language to answer in
	Turns   []Turn `json:"turns,omitempty"` // what was said at Home before, the oldest first
	// Now is when it was asked for, or the slot's nominal time: "last month"
	// counts from here. It is in Zone.
	Now      time.Time `json:"now"`
	Zone     string    `json:"zone"`             // IANA name
	Period   Period    `json:"period,omitzero"`  // what a slot of a job is about
	Job      string    `json:"job,omitempty"`    // id of the job whose slot this is
	Due      time.Time `json:"due,omitzero"`     // when the slot should begin: Now, or later by the job's policy
	Next     time.Time `json:"next,omitzero"`    // when the job's next slot is; zero if there is none
	Rehearse bool      `json:"dry,omitempty"`    // nothing leaves Home and no grant is used
	Intent   string    `json:"intent,omitempty"` // what the router took it for
	Routed   *Routed   `json:"routed,omitempty"` // why; nil where no words were said
	NoTools  bool      `json:"talk,omitempty"`   // answer with words alone
	Light    bool      `json:"light,omitempty"`  // small talk: the short prompt
	// Expect is the place that a job's slot should post to, or empty: without a
	// post there the slot has failed, whatever the model says.
	Expect string `json:"expect,omitempty"`
	// Others is how many more messages of Asker than the first Text is made of.
	Others int    `json:"others,omitempty"`
	Source string `json:"source,omitempty"` // link to what was said, if the platform has links
	// Ready is what a form has made of it; then no model is asked.
	Ready *Ready `json:"ready,omitempty"`
	// Order names the saved report that is wanted; then no model is asked.
	Order *Order `json:"order,omitempty"`
	// Began is what the thread in which it was asked began with, if that is a post of ours.
	Began *Began `json:"began,omitempty"`
	// Heard is what others said that Text may be about, the oldest first. It is
	// something to read, and asks for nothing.
	Heard []Line `json:"heard,omitempty"`
	// Lost is set if what others said at Home before could not be read.
	Lost bool `json:"lost,omitempty"`
	// Files are those that came with it, or, marked as Earlier, with what was asked
	// at Home before.
	Files []File `json:"files,omitempty"`
}

// Ready are the calls that a Request comes down to, and what is said once all of
// them are done.
type Ready struct {
	Calls []llm.Call `json:"calls"`
	Words string     `json:"words"`
}

// A Line is what somebody else said.
type Line struct {
	From string    `json:"from,omitempty"` // person; empty for the bot
	Name string    `json:"name,omitempty"`
	Text string    `json:"text"`
	Link string    `json:"link,omitempty"`
	At   time.Time `json:"at,omitzero"`
}

// A Period goes from one time up to, but without, another. The zero Period is none.
type Period = tool.Period

// A Turn is something said before. By is the person, of one with the Role User; empty
// if nobody knows.
type Turn struct {
	Role llm.Role `json:"role"`
	By   string   `json:"by,omitempty"`
	Text string   `json:"text"`
}

// A Run is the record of one Request, from the first model call to the Outcome.
// Others note on it while it works or waits: the Answer of a Question, the
// Receipt of a Post, and who wants it to stop or to go on. These notes are not
// part of what the loop saves; the store keeps them beside the Run and gives them
// back with it.
type Run struct {
	Request
	State   State    `json:"state"`
	Model   string   `json:"model,omitempty"` // the model that began it goes on with it
	Steps   []Step   `json:"steps,omitempty"`
	Outcome Outcome  `json:"outcome"`
	Sending *Post    `json:"sending,omitempty"` // while it is Delivering
	Resumes int      `json:"resumes,omitempty"` // how often it was told to go on
	Shown   []string `json:"shown,omitempty"`   // artifacts that people have been given to see
	// From is where the steps begin that count: what stands before the last
	// Continue is paid for. Worked is the time since then that it has worked;
	// waiting for people and for posts is no work.
	From   int           `json:"from,omitempty"`
	Worked time.Duration `json:"worked,omitempty"`
	// Abandoned is the press by which it was given up for good.
	Abandoned string `json:"abandoned,omitempty"`
	// Paused is the call before which it was stopped to be looked at.
	Paused string `json:"paused,omitempty"`
	// Short is how often the model has found it too long: so much less is told.
	Short int `json:"short,omitempty"`
	// Instead is why the built-in rules began it while a model should have; empty: no
	// model is configured, or it did not answer.
	Instead Why `json:"instead,omitempty"`
	// Contract names the versions that it was begun with: of the prompt, of the
	// tools, and of the way in which the model decides.
	Contract string `json:"contract,omitempty"`
	// Saved is the saved report that the Run has become: from its step From on, what
	// comes next is what that says. nil: it is none.
	Saved *Saved `json:"saved,omitempty"`
	// Again is set if what the slot is about has been reported on before.
	Again *Earlier `json:"again,omitempty"`
	// Goal is what must have been done before it counts as done; Ticks say how it stands.
	Goal []Effect `json:"goal,omitempty"`
	// Taken is what was said to it under way and it has taken in, the oldest first.
	Taken     []Steer    `json:"taken,omitempty"`
	Created   time.Time  `json:"created"`
	Questions []Question `json:"-"` // all that it has asked, the oldest first
	Steered   []Steer    `json:"-"` // all that was said to it under way: it ends in Done only once that is Taken
	Stopped   string     `json:"-"` // who wants it to stop; nobody if empty
	Resumed   int        `json:"-"` // how often people pressed Continue
	Version   int64      `json:"-"` // counts saves; a save of an old one fails with ErrStale
}

// A Steer is what a person said to a Run under way. Key is as Request.Key: said
// twice, it counts once.
type Steer struct {
	Key   string    `json:"key"`
	By    string    `json:"by"`
	Text  string    `json:"text"`
	At    time.Time `json:"at"`
	After int       `json:"after,omitempty"` // the step after which it was taken in, from 1; 0: before the first
}

// Trace is the short name of the Run by which people and `hermes trace` know it.
func (r Run) Trace() string { return TraceOf(r.Key) }

// TraceOf returns the Trace of the Run with that key.
func TraceOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:4])
}

// A Step is one round: one reply of the model and what its tools said. Started
// names the call of a Write that has begun: found again without a result, nobody
// knows whether it took effect, and it does not run a second time.
type Step struct {
	Reply   llm.Reply     `json:"reply"`
	Raw     string        `json:"raw,omitempty"`  // what the model wrote, where Reply holds only what was read from it
	Form    string        `json:"form,omitempty"` // in which it has decided
	At      time.Time     `json:"at"`
	Began   time.Duration `json:"perceive"` // how long it took to gather what the model reads
	Took    time.Duration `json:"took"`     // of the model
	Acted   time.Duration `json:"act"`      // of the tools, with their waits
	Read    time.Duration `json:"observe"`  // how long it took to take in what they said
	Started string        `json:"started,omitempty"`
	Did     []Deed        `json:"did,omitempty"` // the Writes that have begun
	Results []Result      `json:"results,omitempty"`
	// Fault is what the model is told of a reply that is neither an answer nor a
	// call; of a closing one, why there is none.
	Fault string `json:"fault,omitempty"`
	// Claimed is set if its Fault is that it speaks of what was not done, and Lacks has
	// what was to be done and was not when it wanted to be the last.
	Claimed bool     `json:"claimed,omitempty"`
	Lacks   []string `json:"lacks,omitempty"`
	// Miscites are steps and tools that it cites and that had not run, and Uncited is set
	// if it speaks of what a tool has shown without saying which. Both are found when the
	// Run ends.
	Miscites []string `json:"miscites,omitempty"`
	Uncited  bool     `json:"uncited,omitempty"`
	// Finished is set if the reply says of itself that it is the last.
	Finished bool `json:"finished,omitempty"`
	// Scraped is set if its calls were picked from broken text, and Left is how many calls
	// the reply had beyond those that are kept of it.
	Scraped bool     `json:"scraped,omitempty"`
	Left    int      `json:"left,omitempty"`
	Digests []Digest `json:"digests,omitempty"`
	// Closing is set if it was asked for what is known, without tools.
	Closing bool `json:"closing,omitempty"`
}

// A Digest is a result that a model has shortened, and what that took.
type Digest struct {
	Call  string        `json:"call"`
	Usage llm.Usage     `json:"usage"`
	Took  time.Duration `json:"took"`
}

// A Deed is a Write that has begun, with the hash of what it does: two calls of other
// words may do the same.
type Deed struct {
	Call string `json:"call"`
	Hash string `json:"hash"`
}

// A Result is what came of a call, with what the trace wants to know.
type Result struct {
	llm.Result
	Took     time.Duration `json:"took"`
	Attempts int           `json:"attempts,omitempty"` // 0: it did not run
	Error    *tool.Error   `json:"error,omitempty"`
	Unrun    Unrun         `json:"unrun,omitempty"`   // why it did not run
	New      bool          `json:"new"`               // it says something that was not known
	Denied   string        `json:"denied,omitempty"`  // who has said no to it
	Unknown  bool          `json:"unknown,omitempty"` // it may have taken effect: nobody can tell
	Hidden   bool          `json:"hidden,omitempty"`  // the tool is not for who asks
	Missing  []string      `json:"missing,omitempty"` // arguments that the call lacked
	Derived  bool          `json:"derived,omitempty"` // Brief was written by a model
	Kept     string        `json:"kept,omitempty"`    // the artifact that holds all of what was cut
	Shows    []string      `json:"shows,omitempty"`   // artifacts that people see
	Under    string        `json:"under,omitempty"`   // the question or grant that allowed it
}

// An Unrun is why a call did not run.
type Unrun string

// The reasons.
const (
	Unfit     Unrun = "unfit"     // no such tool, or its arguments are wrong
	Twice     Unrun = "twice"     // another call of the same reply is the same
	Repeated  Unrun = "repeated"  // the round before has made it
	Cached    Unrun = "cached"    // a write that this run has done
	Forbidden Unrun = "forbidden" // denied, or not for this run
	Ended     Unrun = "ended"     // the run came to an end first
	SentBack  Unrun = "sent_back" // a person wants it otherwise
	Altered   Unrun = "altered"   // it is not stored as it was approved
	Remade    Unrun = "remade"    // a person wants the report made anew first
	Excess    Unrun = "excess"    // more calls than one reply may have
)

// A State is where a Run stands.
type State string

// The states of a Run.
const (
	Working    State = "working"
	Waiting    State = "waiting"
	Delivering State = "delivering"
	Suspended  State = "suspended"
	Done       State = "done"
	Failed     State = "failed"
)

// An Outcome is an answer, a Question while a Run waits, or nothing while it is
// Delivering. Its Key is the same however often and by whichever call the Outcome
// is returned, so whoever passes it on can do so once.
type Outcome struct {
	Key      string    `json:"key"`
	Text     string    `json:"text,omitempty"`
	Why      Why       `json:"why,omitempty"`      // of a Run without its answer: the bot has the words
	Guard    string    `json:"guard,omitempty"`    // which rule has ended it
	Stuck    string    `json:"stuck,omitempty"`    // the call it could not get past: a tool and its trouble
	Detail   string    `json:"detail,omitempty"`   // of Why, in words for an operator
	Purse    *Purse    `json:"purse,omitempty"`    // of Spent: what is used up
	Unproven []string  `json:"unproven,omitempty"` // numbers of Text that stand in nothing the run was told
	Claimed  []Act     `json:"claimed,omitempty"`  // acts that Text speaks of and that nothing proves
	Unmet    []Act     `json:"unmet,omitempty"`    // of Unfinished: acts that were asked for and that no tool has done
	Skipped  []string  `json:"skipped,omitempty"`  // of Unfinished: tools that had to run first and have not
	Miscites []string  `json:"miscites,omitempty"` // steps and tools that Text cites and that have not run
	Idle     bool      `json:"-"`                  // of a Run that has ended: no call of it may have changed anything
	Instead  Why       `json:"-"`                  // why the built-in rules have answered instead of a model; empty: none is known
	Shows    []string  `json:"shows,omitempty"`
	Question *Question `json:"-"`
	Asks     string    `json:"asks,omitempty"` // Question.ID
	State    State     `json:"state,omitempty"`
	Lang     string    `json:"-"` // of the Request
	Asker    string    `json:"-"` // of the Request
	Others   int       `json:"-"` // of the Request
	Model    string    `json:"-"` // what the Run has used so far
	Steps    int       `json:"-"`
	Usage    llm.Usage `json:"-"`
	// Unread are files that came and were not read.
	Unread []File `json:"-"`
	// Found is what the tools have said, of a Run that has no words of its own
	// about it.
	Found []Finding `json:"-"`
	// Repeats is set if what was done can be saved as a report, and Unit is the unit that
	// it is about, if it is about one and nobody has planned it.
	Repeats bool   `json:"-"`
	Unit    string `json:"-"`
	// Undone are the writes that were wanted and have not been done, whatever Text
	// says.
	Undone []Undone `json:"-"`
	Cut    bool     `json:"-"` // Text ends where the model was cut off
	// Unsure are the tools whose writes may have taken effect or not.
	Unsure []string `json:"-"`
}

// An Undone is a write that has not been done: Denied has who said no; empty if it
// failed or could not run. Hidden is set if it is not for who asked.
type Undone struct {
	Tool, Denied string
	Hidden       bool
}

// A Finding is what one call has brought.
type Finding struct {
	Tool string
	Args json.RawMessage
	Text string
}

// Why is why a Run ended without its answer.
type Why string

// The reasons.
const (
	TooLong    Why = "too_long"    // more rounds than allowed
	InCircle   Why = "in_circle"   // the same call over and over
	Stalled    Why = "stalled"     // nothing new for some rounds
	Misfit     Why = "misfit"      // calls that fit no tool, round after round
	TimeUp     Why = "time_up"     // worked longer than allowed
	OverBudget Why = "over_budget" // more tokens or money than allowed
	Spent      Why = "budget"      // a budget of several runs, or of this one for good, is used up
	Unfinished Why = "unfinished"  // it has ended without all that was asked for
	Paused     Why = "paused"      // it should be looked at before a tool runs
	Misset     Why = "misset"      // something is configured wrong
	Stopped    Why = "stopped"     // a person pressed Stop
	Abandoned  Why = "abandoned"   // a person has given up what was suspended
	TooBig     Why = "too_big"     // more to read than the model can
	Declined   Why = "declined"    // the model did not want to answer
	ModelGone  Why = "model_gone"  // the model that began it is not to be had
	Expired    Why = "expired"     // nobody answered the question in time
	NoReport   Why = "no_report"   // there is no saved report of that name
	Forged     Why = "forged"      // what is kept of it, or of its saved report, was changed by somebody else
	Unmade     Why = "unmade"      // a step of a saved report has failed
	Breached   Why = "breached"    // a saved report is not as its contract wants it
	Busy       Why = "busy"        // tried too often
	Refused    Why = "refused"
	Broken     Why = "broken"
)

// A Question stops a Run until a person answers it.
type Question struct {
	ID      string    `json:"id"`
	Run     string    `json:"run"`  // Request.Key
	Home    string    `json:"home"` // Request.Home; what comes of the answer goes there
	Lang    string    `json:"lang"`
	Step    int       `json:"step"` // len(Run.Steps) when it was asked
	Kind    Kind      `json:"kind"`
	Asked   string    `json:"asked"`           // the person who may answer in words; who else may press is the agent's to say
	Calls   []Planned `json:"calls"`           // what waits for the answer
	Options []Option  `json:"options"`         // the buttons; none: answered in words
	Words   bool      `json:"words,omitempty"` // of one with Options: other words are an answer too
	Grant   *Grant    `json:"grant,omitempty"` // proposed: it stands once an Option with Grant is chosen
	Cadence string    `json:"cadence,omitempty"`
	Token   string    `json:"token,omitempty"` // of the tool's Ask
	Text    string    `json:"text,omitempty"`
	At      time.Time `json:"at,omitzero"` // when it was asked
	Expires time.Time `json:"expires"`
	Cards   []string  `json:"cards,omitempty"`  // refs of where it is shown; it may be several places
	Quorum  int       `json:"quorum,omitempty"` // how many must agree at least, when it was asked; 0 is 1
	Agreed  []Answer  `json:"-"`                // who has, of several, to one option
	Noted   int       `json:"-"`                // how many have to any, those too who count no more
	Lacks   []Lack    `json:"-"`                // what is lacking beside Agreed
	Answer  *Answer   `json:"-"`                // nil while it is open
	Forged  bool      `json:"-"`                // nobody has given that Answer to these Calls
	// Broken is what the contract of a saved report says against what is to be posted.
	Broken []string `json:"broken,omitempty"`
	// Scopes are the Grants of which a person may choose one beside their yes, at most
	// MostScopes. Each says all that it allows; none is offered for what is of high risk.
	Scopes []Grant `json:"scopes,omitempty"`
	// Habit is who has approved the like most often of late, if that is often: then the
	// card offers the Scopes.
	Habit *Habit `json:"habit,omitempty"`
	// Reason is what the model said beside the calls, Rests are the results that they
	// rest on, and Cost is what the Run has used when it asked.
	Reason string    `json:"reason,omitempty"`
	Rests  []Rest    `json:"rests,omitempty"`
	Cost   llm.Usage `json:"cost,omitzero"`
}

// A Rest is a result that a call rests on: what the tool was asked in a step, from 1.
type Rest struct {
	Step int             `json:"step"`
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args,omitempty"`
}

// MostScopes is how many Grants a person may choose from: more than a glance takes are
// not read.
const MostScopes = 3

// A Planned is a call as a person approves it: with all names resolved. Hash is of
// the canonical arguments; the executor compares it before the call starts.
type Planned struct {
	ID       string          `json:"id"` // llm.Call.ID
	Name     string          `json:"name"`
	Args     json.RawMessage `json:"args"`
	Hash     string          `json:"hash"`
	Control  string          `json:"control,omitempty"`
	Lines    []string        `json:"lines,omitempty"`
	Artifact string          `json:"artifact,omitempty"`
	Job      string          `json:"job,omitempty"`
	Own      bool            `json:"own,omitempty"` // it touches only what is the asker's
	// To and ToName are the place on which it acts, if that is a channel, as an address
	// and as people know it; Member is set if the asker is a member of it.
	To     string `json:"to,omitempty"`
	ToName string `json:"to_name,omitempty"`
	Member bool   `json:"member,omitempty"`
	// Wrote are the arguments before names were resolved, as the tool's schema has
	// them: what a person may change. Diff is what would become another than it is.
	Wrote json.RawMessage `json:"wrote,omitempty"`
	Diff  []tool.Diff     `json:"diff,omitempty"`
	// Marks say where arguments come from that nobody here has said: a file, the web,
	// somebody else's message. With any the call is never granted.
	Marks []string `json:"marks,omitempty"`
	// File is the artifact that has all of Args where they are too long for a card.
	File string `json:"file,omitempty"`
	// Said are the Lines and the Diff in other languages, of those who may decide.
	Said map[string]Saying `json:"said,omitempty"`
	// Twins are other calls of the same reply that come to the same: they stand here with
	// it, and get its result.
	Twins []string `json:"twins,omitempty"`
}

// A Saying is how a call says itself in a language, and how that names its rhythm.
type Saying struct {
	Lines   []string    `json:"lines,omitempty"`
	Diff    []tool.Diff `json:"diff,omitempty"`
	Cadence string      `json:"cadence,omitempty"`
}

// In returns an approval as somebody reads it in a language, and false with it as it is if
// its calls do not say themselves in that.
func (q Question) In(lang string) (Question, bool) {
	if lang == q.Lang {
		return q, true
	}
	if q.Kind != Approve {
		return q, false
	}
	in := q
	in.Lang, in.Calls = lang, slices.Clone(q.Calls)
	for i, c := range in.Calls {
		said, ok := c.Said[lang]
		if !ok {
			return q, false
		}
		in.Calls[i].Lines, in.Calls[i].Diff = said.Lines, said.Diff
		if c.Job != "" && said.Cadence != "" {
			in.Cadence = said.Cadence
		}
	}
	return in, true
}

// Call returns the call to run.
func (p Planned) Call() llm.Call { return llm.Call{ID: p.ID, Name: p.Name, Args: p.Args} }

// HashArgs returns the hash of a tool's canonical arguments: keys sorted, no
// white space, numbers as they are written.
func HashArgs(name string, args json.RawMessage) (string, error) {
	canon, err := canonical(args)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(name+"\x00"), canon...))
	return hex.EncodeToString(sum[:]), nil
}

// An Option is one button under a Question, and what pressing it allows.
type Option struct {
	ID    string   `json:"id"`
	Label string   `json:"label,omitempty"` // of a tool's choice; the bot has words for the others
	Calls []string `json:"calls,omitempty"` // ids of the calls that it approves
	Grant bool     `json:"grant,omitempty"` // it lets the Grant stand
}

// A Kind says why a Question is asked.
type Kind string

// The kinds of question.
const (
	Approve Kind = "approve" // before Writes run; answered by a press alone
	Choose  Kind = "choose"  // a tool cannot decide alone
	Say     Kind = "say"     // a tool lacks something that only words can tell
)

// The options of an approval, and what the house itself answers.
const (
	Yes    = "approve" // all of it
	Once   = "once"    // what is to be done now, and nothing that lasts
	Always = "always"  // all of it, and the Grant stands
	Like   = "like"    // all of it, and one of the Scopes stands
	Change = "change"  // not like this: the Answer's Note says how, and the Run goes on
	Remake = "remake"  // not this: the saved report is run again
	No     = "deny"
	// Late is the answer that the house gives when nobody has in time.
	Late = "expired"
	// Ceased is the answer that a stop gives to what was asked.
	Ceased = "stopped"
	// Said is what words of consent are heard as: it settles nothing.
	Said = "said"
)

// A Grant lets a tool run without a question: for the same owner, in the slots of one
// job or, without a Job, in what the owner asks for; and only where Control, the part
// of the arguments that says where and what kind, is the same.
type Grant struct {
	ID       string    `json:"id"`
	Owner    string    `json:"owner"`
	Job      string    `json:"job,omitempty"`
	Home     string    `json:"home,omitempty"`  // only what is asked for there; empty: anywhere
	Label    string    `json:"label,omitempty"` // what it allows as people read it, such as the channel
	Tool     string    `json:"tool"`
	Control  string    `json:"control"`
	Until    time.Time `json:"until"`
	Max      int       `json:"max"`      // uses
	Uses     int       `json:"uses"`     // so far
	By       string    `json:"by"`       // who gave it
	Question string    `json:"question"` // whose answer gave it
	Given    time.Time `json:"given,omitzero"`
	Revoked  time.Time `json:"revoked,omitzero"`
	Broken   string    `json:"broken,omitempty"` // why it counts no more: what is kept is not what was given
}

// A Use is one use of a Grant: by a call of a Run with these arguments, by their Hash.
type Use struct {
	Grant, Run, Call, Hash string
	By, Home               string // of the Run
}

// An Answer settles a Question. The first one counts, and counts again when it
// is given again: Key tells it from another person's.
type Answer struct {
	Key      string                     `json:"key"`
	Question string                     `json:"question"`
	Choice   string                     `json:"choice,omitempty"`
	Args     map[string]json.RawMessage `json:"args,omitempty"`   // by Call.ID: what a person has changed before saying yes
	Edited   []Planned                  `json:"edited,omitempty"` // what Args come to; nothing of them runs otherwise
	Scope    string                     `json:"scope,omitempty"`  // of Like: the ID of one of the Question's Scopes
	Note     string                     `json:"note,omitempty"`   // in the person's words
	By       string                     `json:"by"`               // person
	Name     string                     `json:"name,omitempty"`   // how people call By
	With     []string                   `json:"with,omitempty"`   // where several must agree: the persons whose yes counted, By too
	At       time.Time                  `json:"at"`
}

// A Post is a Write whose effect is something said elsewhere than at Home. It is
// put into the outbox together with the state Delivering, and its Receipt is the
// result of the call.
type Post struct {
	Key     string    `json:"key"`
	Run     string    `json:"run"`  // Request.Key
	Home    string    `json:"home"` // Request.Home; where the Run goes on
	Call    string    `json:"call"` // llm.Call.ID
	Under   string    `json:"under"`
	Grant   string    `json:"grant,omitempty"` // the grant that one use is taken of
	Post    tool.Post `json:"post"`
	Receipt *Receipt  `json:"-"` // nil while it is on its way
}

// A Receipt tells what became of something posted: a Post, or a card.
type Receipt struct {
	Post     string `json:"post"`               // its key
	Run      string `json:"run,omitempty"`      // set if a Run waits for it
	Question string `json:"question,omitempty"` // set if it is a card of that Question
	Ref      string `json:"ref,omitempty"`      // where it is
	Link     string `json:"link,omitempty"`     // where people see it
	Failed   string `json:"failed,omitempty"`   // why it cannot
}

// A Lack is how many more must agree to a Question, and of whom.
type Lack struct {
	N      int
	People []string // persons and groups ("group:…")
}

// A Nudge is a Question of which people should be told again.
type Nudge struct {
	Question Question
	Wider    bool      // more people may decide by now; else half of its time is over
	Due      time.Time // since when
	People   []string  // persons and groups ("group:…") who may decide
}

// An Unfitting is why what a person has changed cannot be: in which argument of which
// call, and in the language of the Question. Field is empty for the call as a whole.
type Unfitting struct{ Call, Field, Text string }

func (e *Unfitting) Error() string { return e.Call + "." + e.Field + ": " + e.Text }

// An Editable is a call whose arguments a person may change before saying yes.
type Editable struct {
	Call, Name   string
	Args, Schema json.RawMessage
}

// A Stop is a person's wish that Runs end: one, or all of a Home.
type Stop struct{ Run, Home, By string }

// Errors of an Answer and of a save.
var (
	ErrAnswered   = errors.New("question is already answered")
	ErrExpired    = errors.New("question has expired")
	ErrNotAllowed = errors.New("person may not answer")
	ErrNoQuestion = errors.New("no such question")
	ErrMore       = errors.New("more people must agree")
	ErrUnsure     = errors.New("who may answer cannot be found out")              // try it later
	ErrAsIs       = errors.New("what several must agree to is approved as it is") // neither changed nor granted
	ErrNoGrant    = errors.New("no such grant")
	ErrSaid       = errors.New("words approve nothing")                                        // press the button
	ErrStale      = errors.New("run was saved by another")                                     // load it again
	ErrAltered    = errors.New("what is kept of the run was changed, and not by this program") // it does not go on
	ErrUnheard    = errors.New("more was said to the run")                                     // load it again, and take that in
)

// Errors that say what another try is worth. An error that is neither is broken:
// a later try may help, and an operator should look.
var (
	ErrBusy    = errors.New("busy")    // try again later
	ErrRefused = errors.New("refused") // do not try again
)
