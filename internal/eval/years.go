package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/scheduler"
)

// Span of the simulated years, and how many jobs there are.
const (
	YearsLong = 2 * 365 * 24 * time.Hour
	YearsJobs = 200
)

// yearsBegan is a day in winter: both changes of the clocks of both years are to come.
var yearsBegan = time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC)

// allPlanned is when all schedules have been approved, and get their policies.
var allPlanned = yearsBegan.Add(4 * 24 * time.Hour)

// Years plays jobs of people over a time: they are asked for in the chat and approved
// there, run at their times, and are met by misfortunes. Then an oracle says which slots
// there must be. The folder is there and empty. It needs no network; the same seed gives
// the same story.
func Years(ctx context.Context, dir string, seed uint64, jobs int, long time.Duration) (Slots, error) {
	parts := max(1, min(2, runtime.GOMAXPROCS(0), jobs/20))
	all := wishes(jobs)
	ended := make([]Slots, parts)
	errs := make([]error, parts)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() {
			var mine []wish
			for k := i; k < len(all); k += parts {
				mine = append(mine, all[k])
			}
			if ended[i], errs[i] = yearsOf(ctx, filepath.Join(dir, fmt.Sprint(i)), seed+uint64(i), mine, long); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	sum := Slots{Seed: seed, Long: long}
	for _, s := range ended {
		sum.add(s)
	}
	return sum, errors.Join(errs...)
}

// yearsOf plays some of the jobs in a world of their own.
func yearsOf(ctx context.Context, dir string, seed uint64, all []wish, long time.Duration) (s Slots, err error) {
	var channels []string
	for _, w := range all {
		if !slices.Contains(channels, w.channel) {
			channels = append(channels, w.channel)
		}
	}
	y, err := newYears(ctx, dir, seed, all, newFate(seed, yearsBegan, long, channels), long)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, y.close()) }()
	y.misfortunes(ctx)
	if err := y.play(ctx); err != nil {
		return s, err
	}
	return y.judge(ctx)
}

// newYears is a world in which people will ask for their reports.
func newYears(ctx context.Context, dir string, seed uint64, all []wish, f *fate, long time.Duration) (*years, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("folder of the years: %w", err)
	}
	y := &years{wishes: all, fate: f, long: long, pressed: map[string]bool{}, jobs: map[string][]string{}}
	mind := &speaker{name: "script/worker", seed: seed, mind: y.think}
	var err error
	y.world, err = newWorld(ctx, setting{
		dir: dir, began: yearsBegan, models: []llm.Model{mind}, uses: 120, idle: 6 * time.Hour, sweep: 72 * time.Hour,
	})
	if err != nil {
		return nil, err
	}
	mind.clock, y.mind = y.clock, mind
	y.asks(ctx)
	return y, nil
}

// years are the jobs of people in a world, and what befalls them.
type years struct {
	*world
	wishes []wish
	fate   *fate
	mind   *speaker
	long   time.Duration

	events  []event
	pressed map[string]bool     // questions
	jobs    map[string][]string // ids, by that of the wish
	changes []change
	upSince time.Time
	up      []span // in which the program was there and the clock was right
	counts  yearCounts
}

type yearCounts struct{ restarts, cuts, presses, jumps, mindAway int }

// A change of a wish: from an instant on it is another, or none.
type change struct {
	id  string
	at  time.Time
	now *wish // nil: it comes no more
}

var tag = regexp.MustCompile(`\bK\d{3}\b`)

// think is what the model of the years says: it makes the report and posts it, or, where
// it is asked for again and again, plans it.
func (y *years) think(_ context.Context, r llm.Request) llm.Message {
	var w wish
	for _, m := range r.Messages {
		if id := tag.FindString(m.Text); id != "" && m.Role == llm.User && len(m.Results) == 0 {
			w = y.wish(id)
		}
	}
	end := Call{"post_message", map[string]any{"channel": "#" + w.channel, "report": "$report"}}
	last := "It is posted."
	if !strings.HasPrefix(r.Scene.Run, "job/") {
		end = Call{"schedule_add", map[string]any{
			"when": w.when, "request": w.request(), "channel": "#" + w.channel, "report": "$report", "name": "Report " + w.id,
		}}
		last = "It is planned."
	}
	work := worker{last: last, stages: []stage{
		{call: Call{"query_metric", map[string]any{"measure": "sales", "by": []any{"region"}, "period": w.period}}},
		{call: reported(nil)}, {call: end},
	}}
	return work.think(r)
}

func (y *years) wish(id string) wish {
	i := slices.IndexFunc(y.wishes, func(w wish) bool { return w.id == id })
	if i < 0 {
		return wish{}
	}
	return y.wishes[i]
}

// at notes what happens at a time.
func (y *years) at(t time.Time, what string, do func() error) {
	e := event{t, what, do}
	i, _ := slices.BinarySearchFunc(y.events, e, func(x, e event) int { return cmp.Or(x.at.Compare(e.at), -1) })
	for i < len(y.events) && y.events[i].at.Equal(t) {
		i++
	}
	y.events = slices.Insert(y.events, i, e)
}

// asks notes when people ask for their reports.
func (y *years) asks(ctx context.Context) {
	for i, w := range y.wishes {
		y.at(yearsBegan.Add(time.Duration(i+1)*7*time.Minute), "asked "+w.id, func() error {
			p := place(w.channel, "t"+w.id)
			if w.channel == "c00" {
				p = place("D"+bot.UserOf(w.owner), "t"+w.id)
			}
			text := w.request() + ", " + w.when
			if strings.HasPrefix(w.when, "@") || strings.Contains(w.when, "*") {
				text = w.request() + ", again and again by the schedule " + w.when
			}
			return y.bot.Receive(ctx, bot.Message{
				Key: "chat/T1/" + w.id, Place: p, From: w.owner, Name: bot.UserOf(w.owner), Text: text,
				Addressed: true, Direct: strings.HasPrefix(p.Channel, "D"), At: y.clock.now(), Zone: w.zone, Standing: bot.Member,
			})
		})
	}
	y.at(allPlanned, "all are planned", func() error {
		jobs, err := y.db.Jobs().Jobs(ctx)
		for _, j := range jobs {
			id := tag.FindString(j.Request)
			y.jobs[id] = append(y.jobs[id], j.ID)
			j.Policy = y.wish(id).policy
			if _, fault := y.db.Jobs().By(j.Owner).Update(ctx, j); fault != nil {
				err = errors.Join(err, fault)
			}
		}
		return err
	})
}

// misfortunes notes all that will befall the program.
func (y *years) misfortunes(ctx context.Context) {
	y.mind.ails = func(llm.Request) error {
		if within(y.fate.mindAway, y.clock.now()) {
			y.counts.mindAway++
			return fmt.Errorf("%w: 503", llm.ErrBusy)
		}
		if chance(y.fate.seed, "model", fmt.Sprint(y.mind.calls)) < 0.01 {
			return &llm.WaitError{After: 2 * time.Second, Err: errors.New("429")}
		}
		return nil
	}
	y.chat.trouble = func(p bot.Post) trouble { return y.fate.trouble(p, y.clock.now()) }
	y.chat.away = func() bool { return within(y.fate.chatAway, y.clock.now()) }
	for i, a := range y.fate.away {
		y.at(a.from, "away", func() error { return y.restart(ctx, a.to, i%3 == 0) })
	}
	for _, a := range y.fate.asleep {
		y.at(a.from, "asleep", func() error { y.wrong(); y.ahead(a.to); y.right(); return nil })
	}
	for i, t := range y.fate.cuts {
		y.at(t, "cut", func() error {
			y.fuse.arm(points[i%len(points)], pick(6, y.fate.seed, "skip", fmt.Sprint(i)))
			return nil
		})
	}
	for c, spans := range y.fate.archived {
		for _, s := range spans {
			y.at(s.from, "archived "+c, func() error { y.chat.archive(c, true); return nil })
			y.at(s.to, "open again "+c, func() error { y.chat.archive(c, within(spans, y.clock.now())); return nil })
		}
	}
	for _, j := range y.fate.jumps {
		y.at(j.at, "clock jumps", func() error {
			y.counts.jumps++
			y.wrong()
			y.clock.pass(j.by)
			y.at(y.clock.now().Add(j.back), "clock is set right", func() error {
				y.clock.pass(-j.by)
				return nil
			})
			return nil
		})
	}
	y.planChanges(ctx)
}

// ahead sets the clock, but never back.
func (y *years) ahead(t time.Time) {
	if t.After(y.clock.now()) {
		y.clock.set(t)
	}
}

// wrong and right bound the time in which nobody can say of a slot that it must be in time.
func (y *years) wrong() {
	if now := y.clock.now(); now.After(y.upSince) {
		y.up = append(y.up, span{y.upSince, now})
	}
	y.upSince = y.clock.now().AddDate(100, 0, 0)
}

func (y *years) right() { y.upSince = y.clock.now() }

// restart has the program away until a time.
func (y *years) restart(ctx context.Context, to time.Time, soon bool) error {
	y.wrong()
	if err := y.down(); err != nil {
		return err
	}
	y.counts.restarts++
	if soon {
		to = y.clock.now().Add(20 * time.Second)
	}
	y.ahead(to)
	if err := y.start(ctx); err != nil {
		return err
	}
	y.right()
	return nil
}

// play has all happen, and then lets what is under way come to its end.
func (y *years) play(ctx context.Context) error {
	y.right()
	end := yearsBegan.Add(y.long)
	for {
		err := y.until(ctx, func() time.Time {
			y.answer(ctx)
			if len(y.events) > 0 {
				return y.events[0].at
			}
			return end
		})
		if err == nil && len(y.events) > 0 {
			e := y.events[0]
			y.events = y.events[1:]
			if err = e.do(); err != nil && y.fuse.blown() {
				y.at(y.clock.now().Add(time.Minute), e.what, e.do) // whoever did it does it again
			}
		} else if err == nil {
			return nil
		}
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case y.fuse.blown():
			y.counts.cuts++
			down := 3*time.Second + time.Duration(chance(y.fate.seed, "down", fmt.Sprint(y.counts.cuts))*float64(4*time.Minute))
			if y.counts.cuts%9 == 0 {
				down += 5 * time.Hour
			}
			if err := y.restart(ctx, y.clock.now().Add(down), false); err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// answer notes that people will press what they are asked.
func (y *years) answer(ctx context.Context) {
	for _, card := range y.chat.asked() {
		if y.pressed[card.Question] {
			continue
		}
		y.pressed[card.Question] = true
		after := 5*time.Minute + time.Duration(chance(y.fate.seed, "press", card.Question)*float64(9*time.Hour))
		if strings.HasPrefix(card.By, platform) && y.clock.now().Before(allPlanned) {
			after = 3 * time.Minute
		}
		y.at(y.clock.now().Add(after), "press", func() error { return y.press(ctx, card) })
	}
}

// press is the lead's yes, for good where there is such a choice.
func (y *years) press(ctx context.Context, card bot.Post) error {
	q, err := y.db.Runs().Question(ctx, card.Question)
	if err != nil {
		return fmt.Errorf("press: %w", err)
	}
	c := bot.Click{Key: "press/" + card.Question, Place: card.Place, From: lead, Name: "Lee", Question: card.Question, At: y.clock.now()}
	for _, o := range q.Options {
		switch o.ID {
		case run.Always, run.Like:
			c.Choice = o.ID
		case run.Yes:
			c.Choice = cmp.Or(c.Choice, o.ID)
		}
	}
	if c.Choice == run.Like {
		c.Scope = q.Scopes[len(q.Scopes)-1].ID
	}
	if err := y.bot.Click(ctx, c); err != nil {
		return err
	}
	y.counts.presses++
	return nil
}

// planChanges notes what people do with their schedules: some are deleted, some paused for
// a while, some moved to another time, and one of these to another zone.
func (y *years) planChanges(ctx context.Context) {
	some := func(what string, n int, do func(k int, w wish)) {
		for i := range n {
			k := pick(len(y.wishes), y.fate.seed, what, fmt.Sprint(i))
			if w := y.wishes[k]; w.every == 0 && !w.fort {
				do(i, w)
			}
		}
	}
	n := max(1, len(y.wishes)/25)
	update := func(id string, f func(*scheduler.Job)) func() error {
		return func() error {
			for _, key := range y.jobs[id] {
				j, err := y.db.Jobs().Job(ctx, key)
				if err != nil {
					return err
				}
				f(&j)
				j.Since = y.clock.now()
				if _, err := y.db.Jobs().By(j.Owner).Update(ctx, j); err != nil {
					return err
				}
			}
			return nil
		}
	}
	some("delete", n, func(i int, w wish) {
		y.at(y.fate.moment("delete", i), "delete "+w.id, func() error {
			y.changes = append(y.changes, change{w.id, y.clock.now(), nil})
			return update(w.id, func(j *scheduler.Job) { j.State = scheduler.Deleted })()
		})
	})
	some("pause", n, func(i int, w wish) {
		from := y.fate.moment("pause", i)
		y.at(from, "pause "+w.id, func() error {
			y.changes = append(y.changes, change{w.id, y.clock.now(), nil})
			return update(w.id, func(j *scheduler.Job) { j.State = scheduler.Paused })()
		})
		y.at(from.Add(y.fate.length("pause", i, 24*time.Hour, 40*24*time.Hour)), "resume "+w.id, func() error {
			y.changes = append(y.changes, change{w.id, y.clock.now(), y.asItIs(w)})
			return update(w.id, func(j *scheduler.Job) { j.State = scheduler.Active })()
		})
	})
	some("move", 2*n, func(i int, w wish) {
		y.at(y.fate.moment("move", i), "move "+w.id, func() error {
			is := y.asItIs(w)
			is.hour, is.minute = (is.hour+5)%24, 20
			if i%4 == 0 {
				is.zone = "America/Denver"
			}
			is.on, is.about = func(t time.Time) bool { return t.Day() == 6 || t.Day() == 21 }, nil
			y.changes = append(y.changes, change{w.id, y.clock.now(), is})
			return update(w.id, func(j *scheduler.Job) {
				j.Spec, j.Zone = fmt.Sprintf("%d %d 6,21 * *", is.minute, is.hour), is.zone
			})()
		})
	})
}

// asItIs is a wish as it was last changed.
func (y *years) asItIs(w wish) *wish {
	for _, c := range y.changes {
		if c.id == w.id && c.now != nil {
			w = *c.now
		}
	}
	return &w
}
