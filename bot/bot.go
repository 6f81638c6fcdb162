// Package bot is the chat bot: it hears a message, lets the router say what it
// is, has it answered, and brings the answer to where it belongs. It does not
// think; that is the Agent's part.
//
//	platform --Receive, Click--> Inbox --talk-----> Outbox --deliver--> platform
//	scheduler ------------Fire-----^ ^--control        |
//	                               ^------------------- a Run waited for it
//
// What stands in the Inbox or the Outbox survives a crash, and what comes out of
// a step has a Key made from what went in, so a step done again changes nothing.
//
// Whatever takes time is an Item of the lane Talk at the Run's home, where one is
// under way at a time. So two never hold one Run, and all that comes of a Run is
// said where it was asked for. A press, a stop, an answer in words is Control: it
// is noted at once, and the Run goes on by an Item of its own.
//
// A platform (Slack, a web page, a terminal) is a folder below this one, and
// imports nothing else of ours: it turns its own events into the words of
// words.go, and these words into its own calls. No platform's type leaves its
// folder.
//
// What a newcomer would break: nothing that lasts is said to a platform but by the
// outbox. What a Run does at the moment is shown beside it (show.go), and may be lost.
package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"hermes/agent/run"
	"hermes/internal/redact"
	"hermes/router"
	"hermes/scheduler"
)

// An Agent thinks. Start and Fail are called for one home at a time. The others may
// be called at any time: they note something on a Run, which a later Start takes
// in.
type Agent interface {
	// Start returns one Outcome for one Key, however often it is called. A
	// Run that waits for a delivery has the zero Outcome. watch is told of
	// every state that is on disk, and its error ends Start.
	Start(ctx context.Context, req run.Request, watch func(context.Context, run.Run) error) (run.Outcome, error)
	// Fail ends a Run that Start has failed on for good, and returns its last
	// Outcome; the zero one if it has yet to begin.
	Fail(ctx context.Context, key string, why run.Why, watch func(context.Context, run.Run) error) (run.Outcome, error)
	// Settle returns run.ErrAnswered to all but the first Answer, and
	// run.ErrExpired or run.ErrNotAllowed to one that does not count, with the
	// Question as it stands; run.ErrMore to one that counts where more must agree.
	Settle(context.Context, run.Answer) (run.Question, error)
	// Deciders are the persons and groups ("group:…") who may answer a Question with an
	// option now; with an empty one, with the first.
	Deciders(q run.Question, option string) []string
	// Awaited are those whose decision a Question waits for; nobody if who asked can take
	// it alone.
	Awaited(context.Context, run.Question) []string
	// Nudges returns the questions of which people should be told again by now, again
	// and again until they are answered.
	Nudges(context.Context) ([]run.Nudge, error)
	// Asked returns an open approval that a person may answer with a choice, for the
	// form by which they do; Editable those of its calls whose arguments they may change
	// before a yes. Fits returns what an Answer comes to before it is given, or what is wrong
	// with it, in an *run.Unfitting what of its arguments. Their other errors are those of Settle.
	Asked(ctx context.Context, question, by, choice string) (run.Question, error)
	Editable(ctx context.Context, question, by string) (run.Question, []run.Editable, error)
	Fits(context.Context, run.Answer) (run.Answer, error)
	// Allowed are the grants that stand and that a person may look at, Ending those of
	// whose end people should know by now. Revoke ends one; run.ErrNoGrant or
	// run.ErrNotAllowed if it does not.
	Allowed(ctx context.Context, person string) ([]run.Grant, error)
	Ending(context.Context) ([]run.Grant, error)
	Revoke(ctx context.Context, grant, by string) (run.Grant, error)
	// Overdue returns the open questions whose time is over, and Expire settles
	// one, or returns run.ErrAnswered if somebody was faster.
	Overdue(context.Context) ([]run.Question, error)
	Expire(ctx context.Context, question string) (run.Question, error)
	// Steer gives words of a person to the Run that is at work at home for them, once
	// for each Key, and returns its key; false if there is none.
	Steer(ctx context.Context, home, by, text, key string, at time.Time) (string, bool, error)
	// AtWork returns the newest Run that works at home: neither waits for somebody
	// nor has ended.
	AtWork(ctx context.Context, home string) (run.Run, bool, error)
	// Theirs returns the Runs of a person that have not ended, wherever they are, the
	// oldest first.
	Theirs(ctx context.Context, person string) ([]run.Run, error)
	// Stop returns the Runs that it will end, or run.ErrNotAllowed if there are
	// only such as the person may not end.
	Stop(context.Context, run.Stop) ([]run.Request, error)
	// CallOff stops the Runs of by at home that wait with an open approval, and
	// returns them; with like only those that ask for the very same.
	CallOff(ctx context.Context, home, by string, like *run.Question) ([]run.Request, error)
	// Look returns a Run as it stands, and false if it has yet to begin.
	Look(ctx context.Context, key string) (run.Run, bool, error)
	// Outcome returns what came of a Run that has ended, and false of any other.
	Outcome(ctx context.Context, key string) (run.Outcome, bool, error)
	// Resume returns the Run that will go on, run.ErrNotAllowed, or
	// run.ErrAnswered if it is not suspended.
	Resume(ctx context.Context, key, press, by string) (run.Request, error)
	// Abandon gives up a suspended Run for good and returns it with its Outcome. Its
	// errors are those of Resume; one press may come again.
	Abandon(ctx context.Context, key, press, by string) (run.Request, run.Outcome, error)
	// Hear reads words as the answer to what by is asked at home, or may decide
	// there, if they are.
	Hear(ctx context.Context, home, by, text string) (run.Answer, bool, error)
	// Serves reports whether a person has asked for something at home.
	Serves(ctx context.Context, home, person string) (bool, error)
	Delivered(context.Context, run.Receipt) error
	// Lately returns the last n Runs that people asked for at home in more than small
	// talk, the newest first.
	Lately(ctx context.Context, home string, n int) ([]run.Run, error)
}

// Config is what a Bot can be told.
type Config struct {
	AtOnce   int               // how many conversations it works on at a time; 0 is 256
	Profiles map[string]string // by Place.Channel; other channels have the empty one
	Zone     string            // IANA name, for people whose platform knows none
	// Approvers are the admins, to be named to those for whom the bot does not work.
	Approvers []string
	// Policy says for whom the bot works.
	Policy Policy
	// Gather is how long a task or a question waits for more lines of the same
	// person, which are one turn with it; 0: not at all.
	Gather time.Duration
	// Console is the address at which people of the program find the console; empty
	// if they cannot be sent there.
	Console string
	// Spot is the weekly look of people at what was done; the zero one is none.
	Spot SpotCheck
	// Sweep is how often questions are looked at whose time is over: 30 s if 0, and never
	// if it is less, for whoever keeps another clock than the host's and calls Bot.Sweep.
	Sweep time.Duration
	// HasModel is set if a language model should answer, so that people are told
	// when the built-in rules do.
	HasModel bool
}

// Parts are what a Bot is made of.
type Parts struct {
	Router *router.Router
	Agent  Agent
	Inbox  Inbox
	Outbox Outbox
	Slots  Slots
	Shelf  Shelf
	Clerk  Clerk   // without one (nil) no file is read
	Ledger Ledger  // without one (nil) nothing is remembered over restarts
	Audit  Auditor // without one (nil) nobody keeps what was refused
	Tutor  Tutor   // without one (nil) nobody keeps what the router is told
	Spots  Spots   // without one (nil) there is no Config.Spot
	// Budgets is nil where there are none.
	Budgets Budgets
	Reports Reports           // without one (nil) nothing can be saved as a report
	Desk    Desk              // without one (nil) nobody is told what an answer rests on
	Chats   map[string]Poster // by Place.Platform
	Redact  *redact.Redactor  // of what is heard and said; nil knows the shapes of secrets alone
	Now     func() time.Time
	Log     *slog.Logger
}

// Bot is a Receiver and a scheduler.Runner.
type Bot struct {
	cfg Config
	Parts
	outage outage
	warned sync.Map // keys of warnings that were put into the outbox
	stage  stage
	taken  taken
	later  later

	sweeping sync.Mutex
	nudged   map[string]bool // nudges that were put into the outbox
	spotted  string          // the week whose spot check was
}

var (
	_ Receiver         = (*Bot)(nil)
	_ Reopener         = (*Bot)(nil)
	_ scheduler.Runner = (*Bot)(nil)
)

// New returns a Bot.
func New(cfg Config, p Parts) *Bot {
	if cfg.AtOnce == 0 {
		cfg.AtOnce = 256
	}
	if cfg.Zone == "" {
		cfg.Zone = "UTC"
	}
	if cfg.Sweep == 0 {
		cfg.Sweep = sweep
	}
	cfg.Policy = cfg.Policy.filled()
	return &Bot{cfg: cfg, Parts: p, nudged: map[string]bool{}}
}

// Receive implements Receiver. What is asked in words may be answered so by whom it
// is asked, unless the words plainly ask for something else; such an answer, like a
// stop or an edit, waits for nobody.
func (b *Bot) Receive(ctx context.Context, m Message) error {
	if b.taken.has(m.Key) {
		return nil
	}
	err := b.take(ctx, m)
	if err == nil {
		b.taken.note(m.Key)
	}
	return err
}

func (b *Bot) take(ctx context.Context, m Message) error {
	m = b.discreet(m)
	it := Item{Key: m.Key, Place: m.Place, Lane: Talk, Message: &m}
	if m.Edits != "" || isStop(m.Text) && (m.Addressed || m.InThread || m.Direct) {
		it.Lane = Control
		return b.Inbox.Add(ctx, it)
	}
	ans, ok, err := b.Agent.Hear(ctx, m.Place.String(), m.From, m.Text)
	if err != nil {
		return fmt.Errorf("hear %s: %w", m.Key, err)
	}
	if ok && len(m.Files) == 0 && !(ans.Choice == "" && b.asksAnew(ctx, m)) {
		ans.Key, ans.At, ans.Name = m.Key, m.At, m.Name
		it.Lane, it.Answer = Control, &ans
		return b.Inbox.Add(ctx, it)
	}
	if b.isStatus(m) || b.isGrants(m) || b.isBudget(m) {
		it.Lane = Control
		return b.Inbox.Add(ctx, it)
	}
	switch ends, err := b.wantsNoMore(ctx, m); {
	case err != nil:
		return err
	case ends:
		it.Lane = Control
		return b.Inbox.Add(ctx, it)
	}
	waits, err := b.arrange(ctx, &it)
	if err != nil {
		return fmt.Errorf("arrange %s: %w", m.Key, err)
	}
	if err := b.Inbox.Add(ctx, it); err != nil || waits == noWait {
		return err
	}
	return b.waits(ctx, m, waits)
}

// Click implements Receiver.
func (b *Bot) Click(ctx context.Context, c Click) error {
	c = redact.Deep(b.Redact, c)
	if len(c.Raw) > 0 {
		c.Raw = []byte(b.Redact.Text(string(c.Raw)))
	}
	return b.Inbox.Add(ctx, Item{Key: c.Key, Place: c.Place, Lane: Control, Click: &c})
}

// Fire implements scheduler.Runner. Nobody has to guess what a Job wants: it is
// a task. It answers where the Job was made; into any other place leads only a
// tool that asks, or a grant. Its Now is the slot's nominal time, so that a late
// run is still about the period that was meant.
func (b *Bot) Fire(ctx context.Context, f scheduler.Firing) error {
	home, err := ParsePlace(f.Job.Origin)
	if err != nil {
		return fmt.Errorf("origin of job %s: %w", f.Job.ID, err)
	}
	if f.Try > 0 {
		if done, err := b.fireAgain(ctx, f); done || err != nil {
			return err
		}
		f.Due = f.Slot.At // it is late
	}
	loc, err := time.LoadLocation(f.Slot.Zone)
	if err != nil {
		return fmt.Errorf("zone of job %s: %w", f.Job.ID, err)
	}
	expect := f.Job.To
	if f.Rehearse {
		expect = ""
	}
	return b.Inbox.Add(ctx, Item{Key: f.Key, Place: home, Lane: Talk, Request: &run.Request{
		Key:      f.Key,
		Home:     f.Job.Origin,
		Asker:    f.Job.Owner,
		Profile:  f.Job.Profile,
		Text:     f.Job.Request,
		Order:    orderOf(f.Job),
		Lang:     f.Job.Lang,
		Now:      f.Slot.At.In(loc),
		Zone:     f.Slot.Zone,
		Period:   run.Period{From: f.Slot.From.In(loc), To: f.Slot.To.In(loc)},
		Job:      f.Job.ID,
		Due:      f.Due,
		Next:     f.Next,
		Rehearse: f.Rehearse,
		Expect:   expect,
		Intent:   string(router.Task),
	}})
}

// orderOf is the saved report that the slots of a job run; nil if it is in words.
func orderOf(j scheduler.Job) *run.Order {
	if j.Report == "" {
		return nil
	}
	return &run.Order{Report: j.Report, Channel: j.ToName}
}

// sweep is how often questions are looked at whose time is over.
const sweep = 30 * time.Second

// Run empties the inbox and the outbox. It returns nil when ctx ends, and an
// error when one of the two cannot be read; either way it first waits for what
// is under way. What that leaves undone is given again at the next start.
func (b *Bot) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer b.later.end()
	lane := func(l Lane) func(context.Context) (Item, error) {
		return func(ctx context.Context) (Item, error) { return b.Inbox.Next(ctx, l) }
	}
	ends := make(chan error)
	go func() { ends <- each(ctx, b.cfg.AtOnce, lane(Talk), b.do) }()
	go func() { ends <- each(ctx, b.cfg.AtOnce, lane(Control), b.do) }()
	go func() { ends <- each(ctx, b.cfg.AtOnce, b.Outbox.Next, b.deliver) }()
	go func() { ends <- b.expire(ctx) }()
	var errs []error
	for range 4 {
		errs = append(errs, <-ends)
		stop()
	}
	return errors.Join(errs...)
}

// expire sweeps again and again, until ctx ends.
func (b *Bot) expire(ctx context.Context) error {
	if b.cfg.Sweep < 0 {
		<-ctx.Done()
		return nil
	}
	tick := time.NewTicker(b.cfg.Sweep)
	defer tick.Stop()
	for {
		if err := b.Sweep(ctx); err != nil && ctx.Err() == nil {
			b.Log.Warn("questions not looked at", "err", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Sweep looks for questions that nobody has answered in time, and for what else people
// should be told by now. What is over becomes an Item, so that a crash on the way leaves
// no Run waiting.
func (b *Bot) Sweep(ctx context.Context) error {
	b.sweeping.Lock()
	defer b.sweeping.Unlock()
	overdue, err := b.Agent.Overdue(ctx)
	for _, q := range overdue {
		err = errors.Join(err, b.noteOverdue(ctx, q))
	}
	return errors.Join(err, b.nudge(ctx, b.nudged), b.tellEnding(ctx), b.spotCheck(ctx, &b.spotted))
}

func (b *Bot) noteOverdue(ctx context.Context, q run.Question) error {
	home, err := ParsePlace(q.Home)
	if err != nil {
		return fmt.Errorf("home of question %s: %w", q.ID, err)
	}
	key := q.ID + "/expired"
	return b.Inbox.Add(ctx, Item{Key: key, Place: home, Lane: Control, Answer: &run.Answer{
		Key: key, Question: q.ID, Choice: run.Late, At: q.Expires,
	}})
}

// each does every thing that next gives out in a goroutine of its own, at most n at
// a time, until ctx ends, and waits for them.
func each[T any](ctx context.Context, n int, next func(context.Context) (T, error), do func(context.Context, T)) error {
	var work sync.WaitGroup
	defer work.Wait()
	room := make(chan struct{}, n)
	for {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		thing, err := next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("next: %w", err)
		}
		work.Go(func() {
			defer func() { <-room }()
			do(ctx, thing)
		})
	}
}

// do does one Item and notes its end. It may be called again for an Item that it
// has done: the second time changes nothing.
func (b *Bot) do(ctx context.Context, it Item) {
	work := b.talk
	if it.Lane == Control {
		work = b.control
	}
	err := errTooOften // it took the program down each time
	if it.Attempt <= tries {
		err = b.safely(it, func() error { return work(ctx, it) })
	}
	end := b.Inbox.Done
	if err != nil && ctx.Err() == nil && hopeless(err, it.Attempt) {
		cause := err
		err = b.giveUp(ctx, it, cause)
		end = func(ctx context.Context, it Item) error { return b.Inbox.Fail(ctx, it, cause.Error()) }
	}
	switch {
	case err == nil:
		err = end(ctx, it)
	case ctx.Err() != nil:
		// The program ends: it is given out again.
	default:
		// If another has it meanwhile, the Retry is refused.
		b.Log.Warn("item left for another try", "item", it.Key, "place", it.Place, "attempt", it.Attempt, "err", err)
		err = b.Inbox.Retry(ctx, it, err.Error(), b.Now().Add(pause(it.Attempt)))
	}
	if err != nil && ctx.Err() == nil {
		b.Log.Warn("end of item not noted", "item", it.Key, "place", it.Place, "attempt", it.Attempt, "err", err)
	}
}

// safely does one thing. A panic is that thing's failure, not the program's: others
// are being answered.
func (b *Bot) safely(it Item, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			b.Log.Error("item panicked", "item", it.Key, "place", it.Place, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do()
}

// giveUp ends the Run of an Item that has failed, and says so in one sentence.
func (b *Bot) giveUp(ctx context.Context, it Item, cause error) error {
	b.Log.Error("item failed", "item", it.Key, "place", it.Place, "attempt", it.Attempt, "err", cause)
	why, key, lang := troubleOf(cause), it.Key, langOf(it)
	if it.Lane == Talk {
		if it.Request != nil {
			key = it.Request.Key
		}
		out, err := b.Agent.Fail(ctx, key, why, b.watcher(it.Place))
		if err != nil && !errors.Is(err, run.ErrAltered) { // what is kept of such a run is left as it is
			return fmt.Errorf("give up %s: %w", key, err)
		}
		if out.Key != "" {
			return b.answer(ctx, it.Place, key, out.Lang, out)
		}
		if it.Request != nil && it.Request.Job != "" {
			// No Run has begun that could tell the slot.
			err := error(nil)
			if why == run.Busy {
				_, err = b.Slots.Failed(ctx, key, string(why), "", true)
			} else {
				err = b.Slots.Finish(ctx, key, scheduler.Broken, string(why), "", b.Now())
			}
			if err != nil {
				return fmt.Errorf("slot of %s: %w", key, err)
			}
		}
	}
	trace, sorry := run.TraceOf(key), words(lang).sorry[why]
	if errors.Is(cause, errStanding) || errors.Is(cause, run.ErrUnsure) {
		sorry = words(lang).whoAreYou
	}
	p := Post{
		Key: it.Key + "/failed", Place: it.Place, Lang: lang, Kind: Trouble, Text: sorry,
		Footer: words(lang).trace(trace), Trace: trace, By: byOf(it),
	}
	b.sayAgain(ctx, &p, key, run.Outcome{})
	return b.Outbox.Add(ctx, p)
}

// byOf is who waits for what comes of an Item.
func byOf(it Item) string {
	switch {
	case it.Message != nil:
		return it.Message.From
	case it.Click != nil:
		return it.Click.From
	case it.Request != nil:
		return it.Request.Asker
	}
	return ""
}

// langOf is the language of what an Item says.
func langOf(it Item) string {
	switch {
	case it.Request != nil && it.Request.Lang != "":
		return it.Request.Lang
	case it.Message != nil && it.Message.Text == "" && it.Message.About != nil:
		return router.Lang(it.Message.About.Text)
	case it.Message != nil:
		return router.Lang(it.heard().Text)
	default:
		return "en"
	}
}
