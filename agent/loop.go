package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// turns is how much of what was said before a Run is told.
const turns = 20

// A Watcher sees a Run before its first step, after each save, and in the end: at
// least once for every state in which Start leaves it, also if Start is called
// again. It must bear to see one state twice; its error ends Start.
type Watcher = func(context.Context, run.Run) error

// Start runs a Request until it has an Outcome, or must wait. A Request whose Key
// it knows goes on with the first, and returns at once what has come of it if there
// is nothing to do. Only one goroutine may be in Start for one Home; the caller's
// line of things to do sees to it.
func (a *Agent) Start(ctx context.Context, req run.Request, watch Watcher) (run.Outcome, error) {
	r, ok, err := a.Store.Run(ctx, req.Key)
	if err != nil {
		return run.Outcome{}, fmt.Errorf("load run %s: %w", req.Key, err)
	}
	if !ok {
		if req.Text == "" {
			// To go on was noted for a Run that has never begun.
			return run.Outcome{}, nil
		}
		if req.Job == "" {
			if req.Turns, err = a.Store.Turns(ctx, req.Home, req.Now, turns); err != nil {
				return run.Outcome{}, fmt.Errorf("turns of %s: %w", req.Home, err)
			}
			if len(req.Files) == 0 && !req.Light {
				if req.Files, err = a.earlier(ctx, req); err != nil {
					return run.Outcome{}, err
				}
			}
		}
		req.Began = a.began(ctx, req)
		req.Lang = a.lang(ctx, req)
		req.Profile = a.cfg.Profiles.For(req).Name
		r.Request, r.State, r.Created, r.Contract = req, run.Working, a.Now(), a.contract
		r.Goal = a.goal(ctx, r)
		if r, err = a.earlierPost(ctx, r); err != nil {
			return run.Outcome{}, err
		}
		if req.Order != nil {
			if r, err = a.order(ctx, r, *req.Order); err != nil {
				return run.Outcome{}, err
			}
		}
		// Work is on disk before the model is asked, so that it can be stopped
		// meanwhile by whom it is. Small talk is over before anybody could.
		if !r.Light {
			if r, err = a.Store.Save(ctx, r); err != nil {
				return run.Outcome{}, fmt.Errorf("save run %s: %w", req.Key, err)
			}
		}
	}
	return a.work(ctx, r, watch)
}

// lang is the language to answer in: the one that the asker wants for good, or that
// of the text.
func (a *Agent) lang(ctx context.Context, req run.Request) string {
	if req.Light {
		return req.Lang
	}
	for _, f := range a.recall(ctx, req) {
		if f.Predicate == "prefers-language" && f.Subject == req.Asker && (f.Object == "en" || f.Object == "zh") {
			return f.Object
		}
	}
	return req.Lang
}

// remembered is how long what was recalled holds for the next rounds: what somebody has
// taken back meanwhile is not told for much longer.
const remembered = 10 * time.Second

// recall is what is known that fits a request. Without a memory there is an answer
// all the same.
func (a *Agent) recall(ctx context.Context, req run.Request) []llm.Fact {
	now := a.Now()
	if facts, ok := a.live.recalled(req.Key, now); ok {
		return facts
	}
	facts, err := a.Memory.Recall(ctx, req)
	if err != nil {
		if ctx.Err() == nil {
			a.Log.Error("memory cannot be read; the run goes on without it", "run", req.Key, "err", err)
		}
		return facts
	}
	a.live.recalls(req.Key, facts, now.Add(remembered))
	return facts
}

// Fail ends a Run that cannot go on and returns what came of it. Of a Run that has
// yet to begin it returns the zero Outcome. It is called as Start is: one goroutine
// for one Home.
func (a *Agent) Fail(ctx context.Context, key string, why run.Why, watch Watcher) (run.Outcome, error) {
	r, ok, err := a.Store.Run(ctx, key)
	if err != nil {
		return run.Outcome{}, fmt.Errorf("load run %s: %w", key, err)
	}
	if !ok {
		return run.Outcome{}, nil
	}
	if !r.Ended() {
		if r, err = a.Store.Save(ctx, a.end(r, guard.Verdict{Guard: "error", State: run.Failed, Why: why}, "")); err != nil {
			return run.Outcome{}, fmt.Errorf("save run %s: %w", key, err)
		}
	}
	return a.outcome(r), watch(ctx, r)
}

// work is the loop: it does the one next thing, saves, and starts over. All it
// knows is in the Run, so it can stop after any Save and be called again.
func (a *Agent) work(ctx context.Context, r run.Run, watch Watcher) (run.Outcome, error) {
	if err := watch(ctx, r); err != nil {
		return run.Outcome{}, fmt.Errorf("watch run %s: %w", r.Key, err)
	}
	a.learn(ctx)
	defer a.teach(ctx)
	move, end := a.live.begin(ctx, r.Key)
	defer func() { end() }()
	defer a.redeem(ctx, r.Key)
	defer a.live.says(r.Key, "")
	for !r.Idle() {
		began := a.Now()
		moved, err := a.next(move, r)
		switch {
		case err != nil && errors.Is(context.Cause(move), errStopped) && ctx.Err() == nil:
			// What was under way is cut off; the stop stands beside the Run.
			end()
			move, end = a.live.begin(ctx, r.Key)
			if r, _, err = a.Store.Run(ctx, r.Key); err != nil {
				return run.Outcome{}, fmt.Errorf("load run %s: %w", r.Key, err)
			}
			continue
		case err != nil:
			return run.Outcome{}, err
		}
		if r.State == run.Working {
			moved.Worked += a.Now().Sub(began)
		}
		kept, err := a.keep(ctx, r, moved)
		a.redeem(ctx, r.Key)
		switch {
		case errors.Is(err, run.ErrUnheard):
			// Something was said while it came to its end. It stands beside the Run.
			if r, _, err = a.Store.Run(ctx, r.Key); err != nil {
				return run.Outcome{}, fmt.Errorf("load run %s: %w", r.Key, err)
			}
			continue
		case err != nil:
			return run.Outcome{}, fmt.Errorf("save run %s: %w", r.Key, err)
		}
		r = kept
		if err := watch(ctx, r); err != nil {
			return run.Outcome{}, fmt.Errorf("watch run %s: %w", r.Key, err)
		}
	}
	return a.outcome(r), nil
}

// keep saves what came of one move. A grant that has been used up or revoked since
// it was looked at turns the post into a question.
func (a *Agent) keep(ctx context.Context, before, r run.Run) (run.Run, error) {
	if r.State != run.Delivering || before.State == run.Delivering {
		return a.Store.Save(ctx, r)
	}
	kept, err := a.Store.Deliver(ctx, r)
	if !errors.Is(err, ErrNoGrant) {
		return kept, err
	}
	if before, err = a.earlierPost(ctx, before); err != nil {
		return before, err
	}
	asking, err := a.ask(ctx, before, before.OpenCalls())
	if err != nil {
		return before, err
	}
	return a.Store.Save(ctx, asking)
}

// outcome is a Run's Outcome with its Question as it now stands.
func (a *Agent) outcome(r run.Run) run.Outcome {
	out := r.Outcome
	out.Lang, out.Asker, out.Model, out.Steps, out.Usage = r.Lang, r.Asker, r.Model, len(r.Steps), r.Usage()
	out.Instead, out.Others = r.Instead, r.Others
	for i := range r.Questions {
		if r.Questions[i].ID == out.Asks && out.Asks != "" {
			out.Question = &r.Questions[i]
		}
	}
	if r.Ended() {
		out.Unread = unread(r)
		out.Unsure = r.Unsure()
		out.Undone = r.Undone(a.writes)
		out.Idle = a.idle(r)
		if last, ok := r.Last(); ok {
			out.Cut = last.Reply.Cut && out.Text != "" && out.Why != run.Stopped
		}
		if out.Text == "" || out.Why == run.Stopped {
			out.Found = r.Findings()
		}
		out.Repeats, out.Unit = a.repeats(r)
	}
	return out
}

// next does the one next thing. What it does may be done again after a crash,
// unless it is marked on disk.
func (a *Agent) next(ctx context.Context, r run.Run) (run.Run, error) {
	switch {
	case r.State == run.Suspended:
		return r.Resume(), nil
	case r.State == run.Delivering:
		return r.Sent(), nil
	case r.Stopped != "":
		return a.cease(ctx, r)
	case r.State == run.Waiting:
		if q := r.Questions[len(r.Questions)-1]; q.Answer.Choice == run.Late {
			return a.end(r, guard.Verdict{Guard: "approval", State: run.Suspended, Why: run.Expired}, ""), nil
		}
		return r.GoOn(), nil
	case r.Unheard():
		return r.Take(), nil
	}
	if moved, ok := a.ready(r); ok {
		return moved, nil
	}
	calls := r.OpenCalls()
	if len(calls) == 0 && !r.Steers() && r.Saved == nil {
		if last, ok := r.Last(); ok && last.Fault == "" && !last.Closing && len(last.Reply.Message.Calls) == 0 {
			return a.finish(ctx, r, last.Reply.Message.Text)
		}
	}
	if v, ends := a.cfg.Profiles.For(r.Request).Check(r, calls, a.repeatable); ends {
		return a.close(ctx, r, v)
	}
	if len(calls) > 0 {
		return a.use(ctx, r, calls)
	}
	if r.Saved != nil {
		return a.play(ctx, r)
	}
	return a.think(ctx, r)
}

// finish ends a Run with its answer. One that is empty is asked for once more, and so
// is one that claims what was not done, or comes before all is done that was asked for.
func (a *Agent) finish(ctx context.Context, r run.Run, text string) (run.Run, error) {
	if text == "" {
		return a.close(ctx, r, guard.Verdict{Guard: "finish", State: run.Done})
	}
	r = a.reread(ctx, r)
	o := a.objection(r, text)
	if again, ok := a.dispute(ctx, r, o); ok {
		return again, nil
	}
	return a.held(ctx, a.end(r, a.verdict(r, o, guard.Verdict{Guard: "finish", State: run.Done}), text), o)
}

// end ends a Run by a guard, with its last words.
func (a *Agent) end(r run.Run, v guard.Verdict, text string) run.Run {
	r = r.End(v.State, text, v.Why)
	r.Outcome.Guard = v.Guard
	if v.Why != "" {
		r.Outcome.Stuck, r.Outcome.Detail = r.Stuck()
	}
	return r
}

// writes reports whether a tool changes anything.
func (a *Agent) writes(name string) bool {
	t := a.Tools.Lookup(name)
	return t != nil && t.Spec().Effect != tool.Read
}

// repeatable reports whether calling a tool again is no circle.
func (a *Agent) repeatable(name string) bool {
	t := a.Tools.Lookup(name)
	return t != nil && t.Spec().Repeatable
}

// cease ends a Run that a person has stopped. What it has asked is called off with
// it: a card must not do anything for a Run that is no more.
func (a *Agent) cease(ctx context.Context, r run.Run) (run.Run, error) {
	for _, q := range r.Questions {
		if q.Answer != nil {
			continue
		}
		at := a.Now()
		if at.After(q.Expires) {
			at = q.Expires
		}
		_, err := a.Store.Settle(ctx, run.Answer{Key: q.ID + "/stopped", Question: q.ID, Choice: run.Ceased, By: r.Stopped, At: at})
		if err != nil && !errors.Is(err, run.ErrAnswered) {
			return r, fmt.Errorf("call off question %s: %w", q.ID, err)
		}
	}
	// What was written of an answer until then is the person's: they have seen it.
	text := a.live.written(r.Key)
	if last, ok := r.Last(); ok && text == "" && last.Fault == "" && len(last.Reply.Message.Calls) == 0 {
		text = last.Reply.Message.Text
	}
	text = strings.TrimSpace(text)
	return a.held(ctx, a.end(r, guard.Verdict{Guard: "cancel", State: run.Suspended, Why: run.Stopped}, text), a.objection(r, text))
}
