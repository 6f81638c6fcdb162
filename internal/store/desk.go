package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/memory"
	"hermes/scheduler"
)

// ErrNoRun is returned for a trace that names no run, or none that one may see.
var ErrNoRun = bot.ErrNoRun

// DeskConfig is what a Desk must be told, since it is decided elsewhere. What is nil
// shows nothing more than what is the viewer's own.
type DeskConfig struct {
	MayAnswer func(ctx context.Context, q run.Question, person string) bool
	// MayChoose is MayAnswer with one option; nil: whoever may answer may with any.
	MayChoose func(ctx context.Context, q run.Question, option, person string) bool
	Awaited   func(ctx context.Context, q run.Question) []string // who decides on a question
	Sees      func(viewer, owner, home string) bool              // runs and jobs of others
	Viewer    func(person string) memory.Viewer                  // whose facts are listed
	When      func(j scheduler.Job) string                       // a schedule in words
	Next      func(j scheduler.Job, n int) []time.Time           // its next times
}

// nextTimes is how many times ahead a JobView has, and slotViews how many behind.
const (
	nextTimes = 5
	slotViews = 12
)

type desk struct {
	Journal
	cfg DeskConfig
}

var _ bot.Desk = desk{}

// Desk returns what a console or an App Home shows.
func (d *DB) Desk(cfg DeskConfig) bot.Desk {
	if cfg.MayAnswer == nil {
		cfg.MayAnswer = func(_ context.Context, q run.Question, person string) bool { return q.Asked == person }
	}
	if cfg.MayChoose == nil {
		cfg.MayChoose = func(ctx context.Context, q run.Question, _, person string) bool {
			return cfg.MayAnswer(ctx, q, person)
		}
	}
	if cfg.Awaited == nil {
		cfg.Awaited = func(context.Context, run.Question) []string { return nil }
	}
	if cfg.Sees == nil {
		cfg.Sees = func(viewer, owner, _ string) bool { return viewer == owner }
	}
	if cfg.Viewer == nil {
		cfg.Viewer = func(person string) memory.Viewer { return memory.Viewer{Person: person, Direct: true} }
	}
	if cfg.When == nil {
		cfg.When = func(j scheduler.Job) string { return j.Spec }
	}
	if cfg.Next == nil {
		cfg.Next = func(scheduler.Job, int) []time.Time { return nil }
	}
	return desk{d.Journal(), cfg}
}

// Questions implements bot.Desk: those that the viewer was asked or may answer, in
// the words of their cards.
func (k desk) Questions(ctx context.Context, viewer string) ([]bot.OpenQuestion, error) {
	r := k.db.r.WithContext(ctx)
	qs, err := questions(r, "JOIN runs r ON r.key = q.run WHERE q.state = 'open' AND r.state = 'waiting' ORDER BY q.seq DESC")
	if err != nil {
		return nil, fmt.Errorf("open questions: %w", err)
	}
	var open []bot.OpenQuestion
	for _, q := range qs {
		mine := k.cfg.MayAnswer(ctx, q, viewer)
		if !mine && q.Asked != viewer {
			continue
		}
		v := bot.OpenQuestion{ID: q.ID, Asker: q.Asked, Text: q.Text, Expires: q.Expires, Mine: mine}
		if v.Home, err = bot.ParsePlace(q.Home); err != nil {
			return nil, fmt.Errorf("home of question %s: %w", q.ID, err)
		}
		for _, o := range q.Options {
			v.Choices = append(v.Choices, bot.Choice{ID: o.ID, Label: o.Label})
		}
		var cards []struct {
			Body   string
			Report []byte
		}
		err := r.Raw(`SELECT o.body, a.body AS report FROM outbox o LEFT JOIN artifacts a ON a.id = o.artifact AND a.kind = 'report'
			WHERE o.question = ? AND o.question <> '' AND (o.key = ? OR o.key = ?) ORDER BY o.seq LIMIT 2`, q.ID, q.ID, bot.CopyKey(q.ID, viewer)).Scan(&cards).Error
		if err != nil {
			return nil, fmt.Errorf("card of %s: %w", q.ID, err)
		}
		for i, c := range cards {
			var p bot.Post
			if err := json.Unmarshal([]byte(c.Body), &p); err != nil {
				return nil, fmt.Errorf("card of %s: %w", q.ID, err)
			}
			if i > 0 && p.Lang == q.Lang {
				continue // their copy says no more than the card
			}
			v.Text, v.Record, v.Choices = p.Whole(string(c.Report)), p.Record, p.Choices
		}
		if q.Kind == run.Approve {
			v.Choices, v.Mine = bot.Offered(v.Choices, func(option string) bool { return k.cfg.MayChoose(ctx, q, option, viewer) })
		}
		if !v.Mine {
			v.Waits = k.cfg.Awaited(ctx, q)
		}
		open = append(open, v)
	}
	return open, nil
}

// Jobs implements bot.Desk.
func (k desk) Jobs(ctx context.Context, viewer string) ([]bot.JobView, error) {
	jobs, err := k.db.Jobs().Jobs(ctx)
	if err != nil {
		return nil, err
	}
	var views []bot.JobView
	for _, j := range slices.Backward(jobs) {
		if j.Owner != viewer && !k.cfg.Sees(viewer, j.Owner, j.Origin) {
			continue
		}
		v := bot.JobView{ID: j.ID, Name: j.Name, When: k.cfg.When(j), Zone: j.Zone, To: j.ToName, Owner: j.Owner, State: string(j.State)}
		if v.Home, err = bot.ParsePlace(j.Origin); err != nil {
			return nil, fmt.Errorf("origin of job %s: %w", j.ID, err)
		}
		if j.State == scheduler.Active {
			v.Next = k.cfg.Next(j, nextTimes)
		}
		slots, err := k.db.Jobs().Slots(ctx, j.ID, slotViews)
		if err != nil {
			return nil, err
		}
		for _, s := range slots {
			v.Slots = append(v.Slots, slotView(s))
		}
		grants, err := k.db.Runs().Grants(ctx, j.ID)
		if err != nil {
			return nil, err
		}
		for _, g := range grants {
			v.Grant = &bot.GrantView{Until: g.Until, Left: g.Max - g.Uses, Max: g.Max, Once: strings.HasPrefix(j.Spec, "@once ")}
		}
		views = append(views, v)
	}
	return views, nil
}

func slotView(s scheduler.Slot) bot.SlotView {
	v := bot.SlotView{Nominal: s.Nominal, State: string(s.State), Reason: s.Reason, At: s.At, Link: s.Link, Period: period(s.From, s.To)}
	if s.Run != "" {
		v.Trace = run.TraceOf(s.Run)
	}
	return v
}

// period says from when to when, the last day included: a month as "2026-11".
func period(from, to time.Time) string {
	switch last := to.AddDate(0, 0, -1); {
	case from.IsZero() || to.IsZero():
		return ""
	case from.Day() == 1 && to.Equal(from.AddDate(0, 1, 0)):
		return from.Format("2006-01")
	case !last.After(from):
		return from.Format(time.DateOnly)
	default:
		return from.Format(time.DateOnly) + " – " + last.Format(time.DateOnly)
	}
}

// Runs implements bot.Desk.
func (k desk) Runs(ctx context.Context, viewer string, n int) ([]bot.RunView, error) {
	var views []bot.RunView
	for before := int64(1 << 62); len(views) < n; {
		var rows []runRow
		if err := k.db.r.WithContext(ctx).Where("seq < ?", before).Order("seq DESC").Limit(100).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("runs: %w", err)
		}
		for _, row := range rows {
			before = row.Seq
			// Of one that somebody else has written nobody can tell whose it is.
			if len(views) == n || !k.db.keys.asked(row) || row.Asker != viewer && !k.cfg.Sees(viewer, row.Asker, row.Home) {
				continue
			}
			v, err := k.view(ctx, row)
			if err != nil {
				return nil, err
			}
			views = append(views, v)
		}
		if len(rows) < 100 {
			break
		}
	}
	return views, nil
}

// view is a run with what became of its answer: where that has not arrived, the run is
// not over for anybody.
func (k desk) view(ctx context.Context, row runRow) (bot.RunView, error) {
	v, body, err := row.view()
	if err != nil {
		return v, err
	}
	if body.State == run.Done {
		if body.Steps, err = steps(k.db.r.WithContext(ctx), v.Key); err != nil {
			return v, fmt.Errorf("run %s: %w", v.Key, err)
		}
		v.Fate = bot.FateOf(body)
	}
	ratings, err := k.Ratings(ctx, v.Key)
	if err != nil {
		return v, err
	}
	for _, r := range ratings {
		if r.Good {
			v.Good++
		} else {
			v.Bad++
		}
	}
	a, err := k.Arrival(ctx, body)
	if err == nil && a.Status != "" {
		v.Status = string(a.Status)
	}
	return v, err
}

// An Arrival is what became of the last answer of a run.
type Arrival struct {
	Status run.Status // empty if it is there, or there is none
	Link   string     // where people see it, if it is there
	Tries  int        // so far, while it is not there
	Reason string     // why the last of them failed
}

// Arrival returns what became of the answer of a run that has ended.
func (j Journal) Arrival(ctx context.Context, of run.Run) (Arrival, error) {
	if !of.Ended() {
		return Arrival{}, nil
	}
	var rows []struct {
		Ref, Receipt, Failure, Reason string
		Attempts                      int
	}
	err := j.db.r.WithContext(ctx).Raw("SELECT ref, receipt, failure, reason, attempts FROM outbox WHERE key = ?", of.Outcome.Key).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return Arrival{}, wrapped(err, "answer of run "+of.Key)
	}
	row := rows[0]
	if row.Ref != "" {
		var r bot.Receipt
		if err := json.Unmarshal([]byte(row.Receipt), &r); err != nil {
			return Arrival{}, fmt.Errorf("receipt of run %s: %w", of.Key, err)
		}
		return Arrival{Link: r.Link}, nil
	}
	a := Arrival{Status: run.StatusDelivering, Tries: row.Attempts, Reason: cmp.Or(row.Failure, row.Reason)}
	if a.Reason != "" {
		a.Status = run.StatusUndelivered
	}
	return a, nil
}

// view is what the row alone tells, and the Run that it holds.
func (row runRow) view() (bot.RunView, run.Run, error) {
	body, err := row.run()
	if err != nil {
		return bot.RunView{}, body, fmt.Errorf("run %s: %w", row.Key, err)
	}
	body.Key = row.Key
	req := body.Request
	v := bot.RunView{
		Status: string(body.Status()), Lang: req.Lang, Intent: req.Intent, Routed: req.Routed,
		Trace: row.Trace, Key: row.Key, Asker: row.Asker, Text: req.Text, State: row.State, Model: row.Model,
		Steps: row.Steps, In: row.TokensIn, Out: row.TokensOut, Created: row.Created.Time, Updated: row.Updated.Time,
	}
	if v.Home, err = bot.ParsePlace(row.Home); err != nil {
		return v, body, fmt.Errorf("home of run %s: %w", row.Key, err)
	}
	return v, body, nil
}

// Run implements bot.Desk.
func (k desk) Run(ctx context.Context, viewer, trace string) (bot.RunView, []bot.StepView, error) {
	r, row, err := k.traced(ctx, trace)
	if err != nil {
		return bot.RunView{}, nil, err
	}
	if r.Asker != viewer && !k.cfg.Sees(viewer, r.Asker, r.Home) {
		return bot.RunView{}, nil, fmt.Errorf("trace %s: %w", trace, ErrNoRun)
	}
	v, err := k.view(ctx, row)
	if err != nil {
		return v, nil, err
	}
	v.Nanos = r.Usage().Nanos
	v.Goal = bot.GoalOf(r)
	steps, err := k.stepViews(ctx, r)
	return v, steps, err
}

// Trace returns the newest Run of that trace, whole.
func (j Journal) Trace(ctx context.Context, trace string) (run.Run, error) {
	r, _, err := j.traced(ctx, trace)
	return r, err
}

func (j Journal) traced(ctx context.Context, trace string) (run.Run, runRow, error) {
	var rows []runRow
	if err := j.db.r.WithContext(ctx).Where("trace = ?", trace).Order("seq DESC").Limit(1).Find(&rows).Error; err != nil {
		return run.Run{}, runRow{}, fmt.Errorf("trace %s: %w", trace, err)
	}
	if len(rows) == 0 {
		return run.Run{}, runRow{}, fmt.Errorf("trace %s: %w", trace, ErrNoRun)
	}
	r, _, err := j.db.Runs().Run(ctx, rows[0].Key)
	return r, rows[0], err
}

// Facts implements bot.Desk.
func (k desk) Facts(ctx context.Context, viewer string) ([]bot.FactView, error) {
	fs, err := k.db.Facts().List(ctx, k.cfg.Viewer(viewer), 500)
	if err != nil {
		return nil, err
	}
	var views []bot.FactView
	for _, f := range fs {
		text := f.Text
		if text == "" {
			text = f.Predicate + ": " + f.Object
		}
		views = append(views, bot.FactView{ID: f.ID, Text: text, Link: f.Link, Status: string(f.Status), At: f.Said})
	}
	return views, nil
}
