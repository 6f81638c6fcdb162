package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/scheduler"
)

// Fortnight plays 14 days of an office: 84 tasks, 61 of them reports that come every day
// or week, with a schedule of faults that the seed fixes. The folder is there and empty.
//
// What is the program's own is what it really does: rounds, tokens by its own estimate of
// what was sent and got, retries, failover, guards, questions, grants and posts. What is
// modelled is what lies outside. A call of the model takes 0.7 s, 0.25 ms for each token
// that it reads and 18 ms for each that it writes, times a log-normal factor with the
// median 1 and the 95th percentile 2; a question to the database 0.8 s, a report 1.2 s, a
// call of the chat 0.35 s; pauses between tries pass on the same clock. The model follows
// a script for each task, and goes by what it reads: it mends what was refused, and gives
// up what fails again and again. How good a real one is, this does not say.
func Fortnight(ctx context.Context, dir string, seed uint64) (Days, error) {
	return days(ctx, dir, seed, fortnightTasks(), fortnightLong)
}

// days plays some tasks over a time.
func days(ctx context.Context, dir string, seed uint64, tasks []task, long time.Duration) (f Days, err error) {
	o := &fortnight{seed: seed, long: long, tasks: tasks, runs: map[string]*played{}, had: map[string]int{}, once: map[string]int{}}
	main := &speaker{name: "script/main", seed: seed, mind: o.think, ails: o.ails}
	other := &speaker{name: "script/fallback", seed: seed, mind: o.think}
	o.speakers = []*speaker{main, other}
	o.world, err = newWorld(ctx, setting{
		dir: dir, began: fortnightBegan, models: []llm.Model{main, other}, uses: 12, gather: time.Second,
		idle: 10 * time.Minute, sweep: 10 * time.Minute, query: o.query, saving: o.saving,
	})
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	main.clock, other.clock = o.clock, o.clock
	o.chat.trouble = o.trouble
	o.worked = o.spent
	if err := o.play(ctx); err != nil {
		return f, err
	}
	return o.figures(ctx)
}

// A fortnight is an office in which people ask for things for some days.
type fortnight struct {
	*world
	seed     uint64
	long     time.Duration
	tasks    []task
	speakers []*speaker

	runs   map[string]*played // by key of the run
	order  []string           // their keys, as they came
	events []event
	had    map[string]int // faults, by what they are
	once   map[string]int // faults that were given, by what and whom they befell
	fresh  int
}

// played is what came of one task or slot.
type played struct {
	task   int
	slot   string
	at     time.Time
	ended  time.Time     // the last that was said
	waited time.Duration // for people
	asked  time.Time     // since when a card is open
	humans []string      // what people had to do, and why
	really time.Duration // our own work
	posts  int           // in the channel that it should post to
}

// think is what a model says: the next of the script of the task that a run is of.
func (o *fortnight) think(ctx context.Context, r llm.Request) llm.Message {
	p := o.of(ctx, r.Scene.Run)
	if p == nil {
		return llm.Message{Role: llm.Assistant, Text: "I do not know what this is."}
	}
	t := o.tasks[p.task]
	w := worker{stages: t.stages, last: t.last, next: t.next, slips: o.slips(r.Scene.Run)}
	if p.slot != "" {
		w.stages, w.last = t.slots, "The report is posted. $first"
	}
	return w.think(r)
}

// of is the task of a run: people's messages have its id, and slots that of the job which
// was made for it.
func (o *fortnight) of(ctx context.Context, key string) *played {
	if p, ok := o.runs[key]; ok {
		return p
	}
	id, slot := strings.TrimPrefix(key, "chat/T1/"), ""
	if rest, ok := strings.CutPrefix(key, "job/"); ok {
		job, when, _ := strings.Cut(rest, "@")
		j, err := o.db.Jobs().Job(ctx, job)
		home, perr := bot.ParsePlace(j.Origin)
		if err != nil || perr != nil {
			return nil
		}
		id, slot = home.Thread, when
	}
	i := slices.IndexFunc(o.tasks, func(t task) bool { return t.id == id })
	if i < 0 {
		return nil
	}
	p := &played{task: i, slot: slot, at: o.tasks[i].at}
	if slot != "" {
		p.at = o.clock.now()
	}
	o.runs[key] = p
	o.order = append(o.order, key)
	return p
}

// runOf is the run that something is about, by its key.
func (o *fortnight) runOf(key string) (string, *played) {
	for k := key; k != ""; {
		if p, ok := o.runs[k]; ok {
			return k, p
		}
		k = k[:max(0, strings.LastIndexByte(k, '/'))]
	}
	return "", nil
}

// spent notes what one thing has really taken of our own.
func (o *fortnight) spent(ctx context.Context, thing any, d time.Duration) {
	key := ""
	switch t := thing.(type) {
	case bot.Post:
		key = t.Key
	case bot.Item:
		key = t.Key
		if t.Request != nil {
			key = t.Request.Key
		}
		if t.Lane == bot.Talk {
			o.of(ctx, key)
		}
	}
	for _, s := range o.speakers {
		d -= s.own
		s.own = 0
	}
	if _, p := o.runOf(key); p != nil {
		p.really += d
	}
}

// play has people ask, answer and press, and looks at what they are told.
func (o *fortnight) play(ctx context.Context) error {
	for i, t := range o.tasks {
		o.note(t.at, func() error { return o.ask(ctx, i, t.id, t.text) })
	}
	end := fortnightBegan.Add(o.long)
	for {
		err := o.until(ctx, func() time.Time {
			o.listen(ctx)
			if len(o.events) > 0 {
				return o.events[0].at
			}
			return end
		})
		if err != nil {
			return err
		}
		if len(o.events) == 0 {
			return nil
		}
		e := o.events[0]
		o.events = o.events[1:]
		if err := e.do(); err != nil {
			return err
		}
	}
}

func (o *fortnight) note(at time.Time, do func() error) {
	i := slices.IndexFunc(o.events, func(e event) bool { return e.at.After(at) })
	if i < 0 {
		i = len(o.events)
	}
	o.events = slices.Insert(o.events, i, event{at: at, do: do})
}

func (o *fortnight) ask(ctx context.Context, i int, key, text string) error {
	t := o.tasks[i]
	return o.bot.Receive(ctx, bot.Message{
		Key: "chat/T1/" + key, Place: place("general", t.id), From: t.from, Name: bot.UserOf(t.from), Text: text, Addressed: true,
		At: o.clock.now(), Zone: t.zone, Standing: bot.Member,
	})
}

// listen looks at what was said, and has people do what they are asked to.
func (o *fortnight) listen(ctx context.Context) {
	for _, s := range o.chat.news() {
		key, p := o.runOf(s.Key)
		if p == nil || s.Kind == bot.Progress {
			continue
		}
		if s.Run != "" && s.Place == place(o.tasks[p.task].posts, "") && s.File == nil {
			p.posts++
		}
		if s.Delivered == nil {
			p.ended = s.at
		}
		if s.Question == "" || s.Delivered != nil || !p.asked.IsZero() {
			continue
		}
		p.asked = s.at
		after := 4*time.Minute + time.Duration(chance(o.seed, "person", key)*float64(20*time.Minute))
		o.note(s.at.Add(after), func() error { return o.reply(ctx, key, p, s.Post) })
	}
}

// reply is what a person does about a question: the lead approves, for as long as is
// offered, and who is asked for words says them.
func (o *fortnight) reply(ctx context.Context, key string, p *played, card bot.Post) error {
	q, err := o.db.Runs().Question(ctx, card.Question)
	if err != nil {
		return fmt.Errorf("question %s: %w", card.Question, err)
	}
	p.waited += o.clock.now().Sub(p.asked)
	p.asked = time.Time{}
	if q.Kind != run.Approve {
		p.humans = append(p.humans, "missing input")
		o.fresh++
		return o.ask(ctx, p.task, fmt.Sprintf("%s/says%d", o.tasks[p.task].id, o.fresh), o.tasks[p.task].says)
	}
	c := bot.Click{Key: "press/" + q.ID, Place: card.Place, From: lead, Name: "Lee", Question: q.ID, Choice: run.Yes, At: o.clock.now()}
	why := "first approval"
	for _, k := range o.order {
		if other := o.runs[k]; k != key && other.task == p.task || o.tasks[other.task].text == o.tasks[p.task].text && k != key {
			if slices.Contains(other.humans, "first approval") {
				why = "approval again"
			}
		}
	}
	p.humans = append(p.humans, why)
	for _, opt := range q.Options {
		if opt.ID == run.Always || opt.ID == run.Like {
			c.Choice = opt.ID
		}
	}
	if c.Choice == run.Like {
		c.Scope = q.Scopes[len(q.Scopes)-1].ID
	}
	return o.bot.Click(ctx, c)
}

// befalls reports whether a fault befalls somebody, so many times at most.
func (o *fortnight) befalls(what, whom string, share float64, times int) bool {
	if chance(o.seed, what, whom) >= share || o.once[what+"/"+whom] >= times {
		return false
	}
	o.once[what+"/"+whom]++
	o.had[what]++
	return true
}

// slips are the slips of the pen that the model makes in a run.
func (o *fortnight) slips(key string) func(stage int, c Call) *slip {
	return func(n int, c Call) *slip {
		whom := fmt.Sprintf("%s/%d", key, n)
		switch {
		case n == 0 && o.befalls("answer that is no JSON", whom, 0.08, 1):
			return &slip{torn: `{"thought":"I look it up","action":"` + c.Tool + `","args":{"measure":`}
		case n == 0 && c.Tool == "query_metric" && o.befalls("wrong name of an argument", whom, 0.10, 1):
			args := map[string]any{}
			for k, v := range c.Args {
				args[k] = v
			}
			args["figure"] = args["measure"]
			delete(args, "measure")
			return &slip{call: &Call{c.Tool, args}}
		}
		return nil
	}
}

// outages are when the first model is not to be had.
var outages = []span{
	{fortnightBegan.Add(2*24*time.Hour + 2*time.Hour), fortnightBegan.Add(2*24*time.Hour + 5*time.Hour)},
	{fortnightBegan.Add(9*24*time.Hour + 11*time.Hour), fortnightBegan.Add(9*24*time.Hour + 13*time.Hour)},
}

// ails are the troubles of the first model.
func (o *fortnight) ails(r llm.Request) error {
	now, whom := o.clock.now(), fmt.Sprintf("%s/%d", r.Scene.Run, len(r.Messages))
	switch {
	case within(outages, now):
		o.had["model away, another takes over"]++
		o.clock.pass(200 * time.Millisecond)
		return fmt.Errorf("%w: 503", llm.ErrBusy)
	case o.befalls("429 of the model", whom, 0.05, 1):
		return &llm.WaitError{After: 2 * time.Second, Err: errors.New("429")}
	case o.befalls("5xx of the model", whom, 0.03, 2):
		return fmt.Errorf("%w: 502", llm.ErrBusy)
	}
	return nil
}

// query is a question to the database, which takes its time, or does not answer.
func (o *fortnight) query() error {
	o.had["questions to the database"]++
	whom := fmt.Sprint(o.had["questions to the database"])
	switch {
	case chance(o.seed, "slow", whom) < 0.06:
		o.had["tool timed out"]++
		o.clock.pass(10 * time.Second)
		return context.DeadlineExceeded
	case chance(o.seed, "gone", whom) < 0.03:
		o.had["database away"]++
		return fmt.Errorf("dial: %w", errAway)
	}
	o.clock.pass(queryTime)
	return nil
}

// errAway is a connection that failed.
var errAway = awayError{}

type awayError struct{}

func (awayError) Error() string   { return "connection refused" }
func (awayError) Timeout() bool   { return false }
func (awayError) Temporary() bool { return true }

// saving is the store that is busy.
func (o *fortnight) saving(r run.Run) error {
	if len(r.Steps) > 0 && o.befalls("busy store", fmt.Sprint(r.Key, len(r.Steps)), 0.015, 1) {
		return errors.New("database is locked")
	}
	return nil
}

func (o *fortnight) trouble(p bot.Post) trouble {
	whom := fmt.Sprint(p.Key, p.Rev)
	switch {
	case o.befalls("429 of the chat", whom, 0.03, 1):
		return busy
	case o.befalls("5xx of the chat", whom, 0.015, 1):
		return broken
	case o.befalls("answer of the chat lost", whom, 0.015, 1):
		return lost
	}
	return fine
}

// figures are what came of it.
func (o *fortnight) figures(ctx context.Context) (Days, error) {
	f := Days{Seed: o.seed, Had: o.had}
	fault := func(format string, args ...any) { f.Faults = append(f.Faults, fmt.Sprintf(format, args...)) }
	for _, key := range o.order {
		p := o.runs[key]
		t := o.tasks[p.task]
		r, ok, err := o.db.Runs().Run(ctx, key)
		if err != nil || !ok {
			return f, fmt.Errorf("run %s: %w", key, err)
		}
		used := r.Usage()
		d := Played{
			Key: key, Report: t.report, Rounds: len(r.Steps), In: used.In, Out: used.Out, Model: r.Model, State: string(r.State), Why: string(r.Outcome.Why), Guard: r.Outcome.Guard,
			Took: p.ended.Sub(p.at) - p.waited, Waited: p.waited, Humans: p.humans, Capped: r.Outcome.Why == run.TooLong,
			Whole: r.State == run.Done && r.Outcome.Why == "",
		}
		for _, s := range r.Steps {
			for _, res := range s.Results {
				d.tools += res.Took
			}
		}
		d.Own = max(0, p.really-d.tools)
		f.Tasks = append(f.Tasks, d)
		switch {
		case p.ended.IsZero():
			fault("%s: nobody was told anything", key)
		case !d.Whole && t.next == nil:
			fault("%s: it ended %s (%s)", key, r.State, r.Outcome.Why)
		case t.next != nil && d.Whole:
			fault("%s: it cannot come to an end, and did", key)
		case t.next != nil && r.Outcome.Text == "":
			fault("%s: it was ended without what there is", key)
		}
		if t.posts != "" && p.posts != 1 {
			fault("%s: %d reports in #%s, want one", key, p.posts, t.posts)
		}
		if p.slot != "" && len(p.humans) > 0 {
			fault("%s: %v in a slot under a grant", key, p.humans)
		}
	}
	for key, s := range o.chat.said {
		if s.times > 1 {
			fault("%s stands there %d times", key, s.times)
		}
	}
	jobs, err := o.db.Jobs().Jobs(ctx)
	if err != nil {
		return f, fmt.Errorf("jobs: %w", err)
	}
	for _, j := range jobs {
		rows, err := o.db.Jobs().Slots(ctx, j.ID, 100)
		if err != nil {
			return f, fmt.Errorf("slots: %w", err)
		}
		for _, row := range rows {
			if row.State != scheduler.Ran {
				fault("slot %s is %s (%s)", row.Key(), row.State, row.Reason)
			}
		}
	}
	f.Cap = guard.Default.Rounds
	f.check()
	return f, nil
}
