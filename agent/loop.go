package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/prompt"
	"hermes/agent/run"
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
	r, ok, err := a.store.Run(ctx, req.Key)
	if err != nil {
		return run.Outcome{}, fmt.Errorf("load run %s: %w", req.Key, err)
	}
	if !ok {
		if req.Text == "" {
			// To go on was noted for a Run that has never begun.
			return run.Outcome{}, nil
		}
		if req.Job == "" {
			if req.Turns, err = a.store.Turns(ctx, req.Home, req.Now, turns); err != nil {
				return run.Outcome{}, fmt.Errorf("turns of %s: %w", req.Home, err)
			}
		}
		if req.Lang, err = a.lang(ctx, req); err != nil {
			return run.Outcome{}, err
		}
		r.Request, r.State, r.Created = req, run.Working, a.now()
		// Work is on disk before the model is asked, so that it can be stopped
		// meanwhile by whom it is. Small talk is over before anybody could.
		if !r.Light {
			if r, err = a.store.Save(ctx, r); err != nil {
				return run.Outcome{}, fmt.Errorf("save run %s: %w", req.Key, err)
			}
		}
	}
	return a.work(ctx, r, watch)
}

// lang is the language to answer in: the one that the asker wants for good, or that
// of the text.
func (a *Agent) lang(ctx context.Context, req run.Request) (string, error) {
	if req.Light {
		return req.Lang, nil
	}
	facts, err := a.memory.Recall(ctx, req)
	if err != nil {
		return req.Lang, fmt.Errorf("recall for %s: %w", req.Key, err)
	}
	for _, f := range facts {
		if f.Predicate == "prefers-language" && f.Subject == req.Asker && (f.Object == "en" || f.Object == "zh") {
			return f.Object, nil
		}
	}
	return req.Lang, nil
}

// Fail ends a Run that cannot go on and returns what came of it. Of a Run that has
// yet to begin it returns the zero Outcome. It is called as Start is: one goroutine
// for one Home.
func (a *Agent) Fail(ctx context.Context, key string, why run.Why, watch Watcher) (run.Outcome, error) {
	r, ok, err := a.store.Run(ctx, key)
	if err != nil {
		return run.Outcome{}, fmt.Errorf("load run %s: %w", key, err)
	}
	if !ok {
		return run.Outcome{}, nil
	}
	if !r.Ended() {
		if r, err = a.store.Save(ctx, r.End(run.Failed, "", why)); err != nil {
			return run.Outcome{}, fmt.Errorf("save run %s: %w", key, err)
		}
	}
	return outcome(r), watch(ctx, r)
}

// work is the loop: it does the one next thing, saves, and starts over. All it
// knows is in the Run, so it can stop after any Save and be called again.
func (a *Agent) work(ctx context.Context, r run.Run, watch Watcher) (run.Outcome, error) {
	if err := watch(ctx, r); err != nil {
		return run.Outcome{}, fmt.Errorf("watch run %s: %w", r.Key, err)
	}
	for !r.Idle() {
		moved, err := a.next(ctx, r)
		if err != nil {
			return run.Outcome{}, err
		}
		if r, err = a.keep(ctx, r, moved); err != nil {
			return run.Outcome{}, fmt.Errorf("save run %s: %w", r.Key, err)
		}
		if err := watch(ctx, r); err != nil {
			return run.Outcome{}, fmt.Errorf("watch run %s: %w", r.Key, err)
		}
	}
	return outcome(r), nil
}

// keep saves what came of one move. A grant that has been used up or revoked since
// it was looked at turns the post into a question.
func (a *Agent) keep(ctx context.Context, before, r run.Run) (run.Run, error) {
	if r.State != run.Delivering || before.State == run.Delivering {
		return a.store.Save(ctx, r)
	}
	kept, err := a.store.Deliver(ctx, r)
	if !errors.Is(err, ErrNoGrant) {
		return kept, err
	}
	asking, err := a.ask(ctx, before, before.OpenCalls())
	if err != nil {
		return before, err
	}
	return a.store.Save(ctx, asking)
}

// outcome is a Run's Outcome with its Question as it now stands.
func outcome(r run.Run) run.Outcome {
	out := r.Outcome
	out.Lang, out.Model, out.Steps, out.Usage = r.Lang, r.Model, len(r.Steps), r.Usage()
	for i := range r.Questions {
		if r.Questions[i].ID == out.Asks && out.Asks != "" {
			out.Question = &r.Questions[i]
		}
	}
	return out
}

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
			return r.End(run.Suspended, "", run.Expired), nil
		}
		return r.GoOn(), nil
	}
	if calls := r.OpenCalls(); len(calls) > 0 {
		return a.use(ctx, r, calls)
	}
	if reply, ok := r.LastReply(); ok && len(reply.Calls) == 0 {
		return r.End(run.Done, reply.Text, ""), nil
	}
	if why := guard.Check(r, a.cfg.Limits); why != "" {
		return r.End(run.Suspended, "", why), nil
	}
	return a.think(ctx, r)
}

// cease ends a Run that a person has stopped. What it has asked is called off with
// it: a card must not do anything for a Run that is no more.
func (a *Agent) cease(ctx context.Context, r run.Run) (run.Run, error) {
	for _, q := range r.Questions {
		if q.Answer != nil {
			continue
		}
		at := a.now()
		if at.After(q.Expires) {
			at = q.Expires
		}
		_, err := a.store.Settle(ctx, run.Answer{Key: q.ID + "/stopped", Question: q.ID, Choice: run.Ceased, By: r.Stopped, At: at})
		if err != nil && !errors.Is(err, run.ErrAnswered) {
			return r, fmt.Errorf("call off question %s: %w", q.ID, err)
		}
	}
	return r.End(run.Suspended, "", run.Stopped), nil
}

// think has the model say the next thing.
func (a *Agent) think(ctx context.Context, r run.Run) (run.Run, error) {
	m, err := a.models.pick(r.Model)
	if err != nil {
		a.log.Warn("run cannot go on", "run", r.Key, "model", r.Model, "err", err)
		return r.End(run.Suspended, "", run.ModelGone), nil
	}
	req, err := a.request(ctx, r)
	if err != nil {
		return r, err
	}
	began := a.now()
	reply, err := m.Generate(ctx, req)
	switch {
	case err == nil && len(reply.Message.Calls) == 0 && reply.Message.Text == "":
		err = fmt.Errorf("%w: neither words nor calls", llm.ErrGarbled)
		fallthrough
	case err != nil:
		return a.gone(ctx, r, m, err)
	}
	r.Model, reply.Model = m.Name(), m.Name()
	r = r.Heard(reply, began, a.now().Sub(began))
	if r.Light && len(reply.Message.Calls) == 0 {
		// Small talk ends in the save that it begins with; other words could have
		// been stopped meanwhile.
		return r.End(run.Done, reply.Message.Text, ""), nil
	}
	return r, nil
}

// gone says what becomes of a Run whose model has failed: another takes over if
// there is nothing yet that it would have to go on with, else the Run waits for a
// person to press Continue.
func (a *Agent) gone(ctx context.Context, r run.Run, m llm.Model, cause error) (run.Run, error) {
	if ctx.Err() != nil {
		return r, fmt.Errorf("generate step %d: %w", len(r.Steps)+1, cause)
	}
	spare := a.models.failed(m)
	a.log.Warn("model failed", "run", r.Key, "model", m.Name(), "step", len(r.Steps)+1, "err", cause)
	switch {
	case spare != nil && len(r.Steps) == 0:
		r.Model = spare.Name()
		return r, nil
	case len(r.Steps) > 0:
		return r.End(run.Suspended, "", run.ModelGone), nil
	default:
		return r, fmt.Errorf("generate step %d: %w", len(r.Steps)+1, worth(cause))
	}
}

// request is what the model is told.
func (a *Agent) request(ctx context.Context, r run.Run) (llm.Request, error) {
	req := llm.Request{Messages: r.Transcript(), Scene: llm.Scene{
		Run: r.Key, Asker: r.Asker, Home: r.Home, Lang: r.Lang, Now: r.Now, Zone: r.Zone,
		From: r.Period.From, To: r.Period.To,
	}}
	if !r.Light {
		facts, err := a.memory.Recall(ctx, r.Request)
		if err != nil {
			return req, fmt.Errorf("recall for %s: %w", r.Key, err)
		}
		req.Scene.Facts = facts
	}
	if !r.NoTools {
		for _, s := range a.tools.Specs() {
			if r.Job == "" || s.Unattended {
				req.Tools = append(req.Tools, llm.Tool{Name: s.Name, Description: s.Description, Schema: s.Schema})
			}
		}
	}
	system, err := prompt.System(req.Scene, prompt.About{Light: r.Light, Job: r.Job != "", Rehearse: r.Rehearse})
	if err != nil {
		return req, err
	}
	req.System = system
	return req, nil
}

// worth adds to a model's error what another try is worth.
func worth(err error) error {
	switch {
	case errors.Is(err, llm.ErrBusy):
		return fmt.Errorf("%w: %w", run.ErrBusy, err)
	case errors.Is(err, llm.ErrRefused), errors.Is(err, llm.ErrRejected):
		return fmt.Errorf("%w: %w", run.ErrRefused, err)
	default:
		return err
	}
}

// timeout is how long a tool may take.
func timeout(d, byDefault time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return byDefault
}
