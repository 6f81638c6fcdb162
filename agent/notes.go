package agent

import (
	"context"
	"fmt"

	"hermes/agent/run"
)

// The methods below only note something on a Run, and return at once even while
// another goroutine works on it. What follows from the note comes with the next
// Start.

// Settle notes an Answer and returns the Question that it settles, by whom is asked
// too late with the Question as it was answered. Who may not answer gets
// run.ErrNotAllowed before anything else is told.
func (a *Agent) Settle(ctx context.Context, ans run.Answer) (run.Question, error) {
	q, err := a.store.Question(ctx, ans.Question)
	if err != nil {
		return q, fmt.Errorf("question %s: %w", ans.Question, err)
	}
	if ans.Choice == run.Said {
		return q, fmt.Errorf("answer %s: %w", ans.Question, run.ErrSaid)
	}
	if !a.cfg.Deciders.MayChoose(q, ans.By, ans.Choice) {
		return q, fmt.Errorf("answer %s: %w", ans.Question, run.ErrNotAllowed)
	}
	if _, ok := q.Option(ans.Choice); !ok && q.Kind != run.Say {
		return q, fmt.Errorf("answer %s: no option %q: %w", ans.Question, ans.Choice, run.ErrNoQuestion)
	}
	settled, err := a.store.Settle(ctx, ans)
	if err != nil {
		return settled, fmt.Errorf("settle question %s: %w", ans.Question, err)
	}
	return settled, nil
}

// Overdue returns the open questions whose time is over.
func (a *Agent) Overdue(ctx context.Context) ([]run.Question, error) {
	overdue, err := a.store.Overdue(ctx, a.now())
	if err != nil {
		return nil, fmt.Errorf("overdue questions: %w", err)
	}
	return overdue, nil
}

// Expire settles a question whose time is over, and returns it. It may be called
// again; run.ErrAnswered means that somebody was faster.
func (a *Agent) Expire(ctx context.Context, question string) (run.Question, error) {
	q, err := a.store.Question(ctx, question)
	if err != nil {
		return q, fmt.Errorf("question %s: %w", question, err)
	}
	if a.now().Before(q.Expires) {
		return q, fmt.Errorf("expire question %s: it is open until %s: %w", question, q.Expires, run.ErrAnswered)
	}
	// At its last moment, so that a press made in time but read later loses to
	// nobody but another press.
	q, err = a.store.Settle(ctx, run.Answer{Key: q.ID + "/expired", Question: q.ID, Choice: run.Late, At: q.Expires})
	if err != nil {
		return q, fmt.Errorf("expire question %s: %w", question, err)
	}
	return q, nil
}

// Delivered notes what became of something posted.
func (a *Agent) Delivered(ctx context.Context, r run.Receipt) error {
	if err := a.store.Receive(ctx, r); err != nil {
		return fmt.Errorf("receipt of %s: %w", r.Post, err)
	}
	return nil
}

// Stop ends Runs before their next step, and returns those that it will end. One
// named by its key only its asker and admins may stop.
func (a *Agent) Stop(ctx context.Context, s run.Stop) ([]run.Request, error) {
	if s.Run != "" {
		r, ok, err := a.store.Run(ctx, s.Run)
		if err != nil {
			return nil, fmt.Errorf("load run %s: %w", s.Run, err)
		}
		if ok && !a.cfg.Deciders.MaySteer(r.Request, s.By) {
			return nil, fmt.Errorf("stop %s: %w", s.Run, run.ErrNotAllowed)
		}
	}
	stopped, err := a.store.Stop(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("stop: %w", err)
	}
	return stopped, nil
}

// Resume lets a suspended Run go on, and returns its Request.
func (a *Agent) Resume(ctx context.Context, key, press, by string) (run.Request, error) {
	r, ok, err := a.store.Run(ctx, key)
	switch {
	case err != nil:
		return run.Request{}, fmt.Errorf("load run %s: %w", key, err)
	case !ok:
		return run.Request{}, fmt.Errorf("resume %s: %w", key, run.ErrNoQuestion)
	case !a.cfg.Deciders.MaySteer(r.Request, by):
		return run.Request{}, fmt.Errorf("resume %s: %w", key, run.ErrNotAllowed)
	}
	req, err := a.store.Resume(ctx, key, press, by)
	if err != nil {
		return req, fmt.Errorf("resume %s: %w", key, err)
	}
	return req, nil
}

// Hear reads what a person says at a home as the answer to what that person is
// asked there. It reports false if it is none.
func (a *Agent) Hear(ctx context.Context, home, by, text string) (run.Answer, bool, error) {
	q, ok, err := a.store.Open(ctx, home, by)
	if err != nil || !ok {
		return run.Answer{}, false, err
	}
	ans, ok := q.Hear(text)
	ans.By = by
	return ans, ok, nil
}
