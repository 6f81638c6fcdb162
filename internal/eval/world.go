package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"hermes/agent"
	"hermes/agent/exec"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/llm/steady"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/agent/tool/ask"
	toolmemory "hermes/agent/tool/memory"
	"hermes/agent/tool/post"
	"hermes/agent/tool/querydb"
	"hermes/agent/tool/report"
	"hermes/agent/tool/schedule"
	"hermes/agent/tool/section"
	"hermes/bot"
	"hermes/internal/redact"
	"hermes/internal/sample"
	"hermes/internal/store"
	"hermes/memory"
	"hermes/router"
	"hermes/scheduler"
)

// A clock is on the wall: it is set, and it may be set back.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time       { return time.Unix(0, c.at.Load()).UTC() }
func (c *clock) set(t time.Time)      { c.at.Store(t.UnixNano()) }
func (c *clock) pass(d time.Duration) { c.at.Add(int64(d)) }

// sleep passes a pause on the clock.
func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.pass(max(0, d))
	return ctx.Err()
}

// A setting is how a world is.
type setting struct {
	dir    string // empty, and there
	began  time.Time
	models []llm.Model // each is steadied; the first first
	uses   int         // of a grant
	gather time.Duration
	idle   time.Duration // how long at most nobody looks
	sweep  time.Duration // how often questions are swept
	// query is called before each question to the database; its error is the database's.
	query func() error
	// saving is called before a run is saved; its error is the store's.
	saving func(run.Run) error
	log    io.Writer // nil: nobody reads it
}

// A world is the program on a clock of its own, whole but for vendors: store, scheduler,
// bot, agent, guards, tools, approvals and figures are the real ones. One thing is under
// way at a time, so that the same seed is the same story. The program in it can be ended
// and started again, and cut off at a point of its work.
type world struct {
	set   setting
	clock *clock
	chat  *chat
	fuse  *fuse
	turns *turns
	wakes wakes

	figures *sample.DB
	source  *querydb.Source

	// Of the program that runs; nil while it is down.
	db    *store.DB
	bot   *bot.Bot
	agent *agent.Agent
	sched *scheduler.Scheduler
	stop  context.CancelFunc
	ended chan error

	swept  time.Time
	looked time.Time
	worked func(ctx context.Context, thing any, really time.Duration) // is told what one thing has taken; may be nil
}

func newWorld(ctx context.Context, s setting) (*world, error) {
	w := &world{set: s, clock: &clock{}, fuse: &fuse{}, turns: newTurns()}
	w.clock.set(s.began)
	w.chat = newChat(w.clock, w.fuse)
	path := filepath.Join(s.dir, "sample.db")
	var err error
	if w.figures, err = sample.Open(ctx, path, w.clock.now); err != nil {
		return nil, fmt.Errorf("sample database: %w", err)
	}
	layer := sample.Layer()
	layer.DSN = path
	before := func(ctx context.Context) error {
		if s.query != nil {
			if err := s.query(); err != nil {
				return err
			}
		}
		return w.figures.TopUp(ctx)
	}
	if w.source, err = querydb.Open(layer, querydb.Options{Now: w.clock.now, Before: before, Store: w.file()}); err != nil {
		return nil, errors.Join(fmt.Errorf("figures: %w", err), w.figures.Close())
	}
	if err := errors.Join(w.figures.TopUp(ctx), w.start(ctx)); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *world) file() string { return filepath.Join(w.set.dir, "hermes.db") }

// start starts the program on the store as it stands.
func (w *world) start(ctx context.Context) error {
	w.fuse.mend()
	log := slog.New(slog.DiscardHandler)
	if w.set.log != nil {
		log = slog.New(slog.NewTextHandler(w.set.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	secrets := redact.New()
	var err error
	if w.db, err = store.Open(ctx, store.Config{DSN: w.file(), Now: w.clock.now, Log: log, Redact: secrets}); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	shelf, jobs := slowShelf{w.db.Artifacts(), w}, fusedJobs{w.db.Jobs(), w.fuse}
	mem := memory.New(w.db.Facts(), w.clock.now)
	tools, err := w.tools(shelf, jobs, mem)
	if err != nil {
		return err
	}
	var members []agent.Member
	for _, m := range w.set.models {
		members = append(members, agent.Member{Model: steady.New(m, steady.Config{Sleep: w.clock.sleep}, log)})
	}
	w.agent = agent.New(agent.Config{
		Deciders: guard.Deciders{Admins: []string{lead}}, Patience: 24 * time.Hour, JobWait: 7 * 24 * time.Hour, Uses: w.set.uses, OfferAfter: 3,
		Exec: exec.Config{Sleep: w.clock.sleep},
	}, agent.Parts{
		Models: agent.NewModels(w.clock.now, members...), Tools: tools, Memory: knows{mem}, Store: fusedRuns{w.db.Runs(), w}, Treasury: w.db.Runs(), Habits: w.db.Runs(),
		Shelf: shelf, Keeper: w.db.Settings(), Redact: secrets, Now: w.clock.now, Log: log,
	})
	slots := scheduler.NewKeeper(jobs, scheduler.Policy{}, w.clock.now)
	w.bot = bot.New(bot.Config{
		AtOnce: 1, Zone: "Europe/Berlin", HasModel: true, Gather: w.set.gather, Sweep: -1, Approvers: []string{lead},
	}, bot.Parts{
		Router: router.New(router.Config{}, nil), Agent: w.agent, Inbox: fusedInbox{w.db.Inbox(), w}, Outbox: fusedOutbox{w.db.Outbox(), w}, Slots: slots, Shelf: w.db.Artifacts(),
		Ledger: w.db.Ledger(), Audit: w.db.Journal(), Chats: map[string]bot.Poster{platform: w.chat}, Redact: secrets, Now: w.clock.now, Log: log,
	})
	w.sched = scheduler.New(slots, w.bot, log)
	inner, stop := context.WithCancel(ctx)
	w.stop, w.ended = stop, make(chan error, 1)
	w.turns.open()
	go func() { w.ended <- w.bot.Run(inner) }()
	return w.turns.ready(inner)
}

func (w *world) tools(shelf tool.Artifacts, jobs fusedJobs, mem *memory.Memory) (*tool.Set, error) {
	made := func(ctx context.Context, key string) (asker, home string, ok bool, err error) {
		r, ok, err := w.db.Runs().Run(ctx, key)
		return r.Asker, r.Home, ok, err
	}
	reports, err := report.New(report.Config{Made: made}, shelf)
	if err != nil {
		return nil, fmt.Errorf("tool make_report: %w", err)
	}
	all := []tool.Tool{
		querydb.Metric(shelf, w.source), querydb.Database(shelf, w.source), reports,
		post.New(shelf, w.chat.find, func(context.Context, string, string) (bool, error) { return true, nil }), ask.Tool{}, section.New(shelf, result.Open, made),
	}
	parts := schedule.Parts{Book: jobs, Artifacts: shelf, Find: w.chat.find, Admin: func(by string) bool { return by == lead }, Now: w.clock.now}
	all = append(append(all, schedule.New(parts)...), schedule.Edit(parts))
	all = append(all, toolmemory.New(mem, w.clock.now, toolmemory.Options{See: viewer})...)
	set, err := tool.NewSet(all...)
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	return set, nil
}

// viewer is who sees what is said at a home.
func viewer(_ context.Context, person, home string) (memory.Viewer, error) {
	return memory.Viewer{Person: person, Channel: memory.ChannelOf(home), Team: platform + ":" + team}, nil
}

// knows recalls as the program does: the preferences, and the facts that fit.
type knows struct{ memory *memory.Memory }

// Recall implements agent.Recaller.
func (k knows) Recall(ctx context.Context, req run.Request) ([]llm.Fact, error) {
	v, err := viewer(ctx, req.Asker, req.Home)
	if err != nil {
		return nil, err
	}
	found, err := k.memory.Recall(ctx, v, req.Text, 8)
	if err != nil {
		return nil, fmt.Errorf("recall: %w", err)
	}
	var facts []llm.Fact
	for _, f := range found {
		facts = append(facts, llm.Fact{Subject: f.Subject, Predicate: f.Predicate, Object: f.Object})
	}
	return facts, nil
}

// up reports whether the program runs.
func (w *world) up() bool { return w.db != nil }

// down ends the program, whether it is well or was cut off. What its store had lent is
// given back by Close, where after a real kill the next Open gives it back.
func (w *world) down() error {
	if !w.up() {
		return nil
	}
	w.stop()
	err := <-w.ended
	if w.fuse.blown() {
		err = nil // it could not end as it should
	}
	err = errors.Join(err, w.db.Close())
	w.db, w.bot, w.agent, w.sched = nil, nil, nil, nil
	return err
}

func (w *world) close() error {
	err := w.down()
	if w.source != nil {
		err = errors.Join(err, w.source.Close())
	}
	return errors.Join(err, w.figures.Close())
}

// rest lets the program do all that is due now. It returns errCut if it was cut off.
func (w *world) rest(ctx context.Context) error {
	w.looked = time.Time{} // something may have happened to the schedules
	for {
		if err := w.looks(ctx); err != nil {
			return err
		}
		some := false
		for did := true; did; some = some || did {
			var err error
			if did, err = w.step(ctx); err != nil {
				return err
			}
		}
		if !some {
			return nil
		}
		w.looked = time.Time{}
	}
}

// looks looks at the schedules if they are due, and sweeps the questions.
func (w *world) looks(ctx context.Context) error {
	now := w.clock.now()
	next, ok := w.sched.Next()
	if ok && !next.After(now) || now.Sub(w.looked) >= w.set.idle || now.Before(w.looked) {
		w.looked = now
		if _, err := w.sched.Look(ctx); err != nil {
			return w.cut(err)
		}
	}
	if now.Sub(w.swept) >= w.set.sweep || now.Before(w.swept) {
		w.swept = now
		if err := w.bot.Sweep(ctx); err != nil {
			return w.cut(err)
		}
	}
	return w.cut(nil)
}

// errCut says that the program was cut off at a point of its work.
var errCut = errors.New("cut off")

func (w *world) cut(err error) error {
	if w.fuse.blown() {
		return errCut
	}
	return err
}

// step has the bot do one thing that is due, what is to be said first.
func (w *world) step(ctx context.Context) (bool, error) {
	thing, lane, err := w.next(ctx)
	if err != nil || lane == noLane {
		return false, w.cut(err)
	}
	began := time.Now()
	if err := w.turns.give(ctx, lane, thing); err != nil {
		return false, err
	}
	if w.worked != nil {
		w.worked(ctx, thing, time.Since(began))
	}
	return true, w.cut(nil)
}

func (w *world) next(ctx context.Context) (any, lane, error) {
	p, err := w.db.Outbox().Take(ctx)
	if err == nil {
		return p, sayLane, nil
	}
	for _, l := range []lane{controlLane, talkLane} {
		if !errors.Is(err, store.ErrNothing) {
			return nil, noLane, err
		}
		var it bot.Item
		if it, err = w.db.Inbox().Take(ctx, l.of()); err == nil {
			return it, l, nil
		}
	}
	if errors.Is(err, store.ErrNothing) {
		err = nil
	}
	return nil, noLane, err
}

// until plays until a time on the wall, which is asked for whenever there is nothing more to
// do: what was said may have moved it.
func (w *world) until(ctx context.Context, when func() time.Time) error {
	for {
		if err := w.rest(ctx); err != nil {
			return err
		}
		t, now := when(), w.clock.now()
		if !now.Before(t) {
			return nil
		}
		next := w.wakes.after(now)
		if due, ok := w.sched.Next(); ok && due.Before(next) {
			next = due
		}
		for _, at := range []time.Time{t, w.looked.Add(w.set.idle), w.swept.Add(w.set.sweep)} {
			if at.Before(next) {
				next = at
			}
		}
		if next.After(now) {
			w.clock.set(next)
		}
	}
}

// wakes are the times at which something was put off to. They stay when the program ends,
// as the rows do.
type wakes struct{ at []time.Time }

func (w *wakes) add(t time.Time) {
	i, _ := slices.BinarySearchFunc(w.at, t, time.Time.Compare)
	w.at = slices.Insert(w.at, i, t)
}

// after is the first of them after now, those before it forgotten; far off if there is
// none.
func (w *wakes) after(now time.Time) time.Time {
	i, _ := slices.BinarySearchFunc(w.at, now, time.Time.Compare)
	for i < len(w.at) && !w.at[i].After(now) {
		i++
	}
	w.at = slices.Delete(w.at, 0, i)
	if len(w.at) == 0 {
		return now.AddDate(100, 0, 0)
	}
	return w.at[0]
}
