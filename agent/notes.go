package agent

import (
	"context"
	"errors"
	"fmt"

	"hermes/agent/exec"
	"hermes/agent/run"
)

// The methods below only note something on a Run, and return at once even while
// another goroutine works on it. What follows from the note comes with the next
// Start.

// Settle notes an Answer and returns the Question that it settles, by whom is asked
// too late with the Question as it was answered. Who may not answer gets
// run.ErrNotAllowed before anything else is told, and run.ErrUnsure where that cannot be
// found out. Where more must agree it returns run.ErrMore with the Question as it stands.
func (a *Agent) Settle(ctx context.Context, ans run.Answer) (run.Question, error) {
	q, err := a.Store.Question(ctx, ans.Question)
	if err != nil {
		return q, fmt.Errorf("question %s: %w", ans.Question, err)
	}
	switch ans.Choice {
	case run.Said:
		may, err := a.MayDecide(ctx, q, ans.By)
		switch {
		case err != nil:
			return q, fmt.Errorf("answer %s: %w", ans.Question, err)
		case !may && ans.By != q.Asked:
			return q, fmt.Errorf("answer %s: %w", ans.Question, run.ErrNotAllowed)
		}
		return q, fmt.Errorf("answer %s: %w", ans.Question, run.ErrSaid)
	case run.Ceased:
		return a.callOff(ctx, q, ans)
	}
	if err := a.allowed(ctx, q, ans); err != nil {
		return q, fmt.Errorf("answer %s: %w", ans.Question, err)
	}
	if q.Answer == nil && !ans.At.After(q.Expires) { // else the Store says what became of it
		if ans, err = a.fitting(ctx, q, ans); err != nil {
			return q, fmt.Errorf("answer %s: %w", ans.Question, err)
		}
	}
	if agrees(q, ans.Choice) && q.Answer == nil {
		if q, err = a.agree(ctx, q, ans); err != nil {
			return q, fmt.Errorf("answer %s: %w", ans.Question, err)
		}
	}
	ans.With = nil // what counted is not for who presses to say
	for _, x := range q.Agreed {
		ans.With = append(ans.With, x.By)
	}
	settled, err := a.Store.Settle(ctx, ans)
	settled.Agreed = q.Agreed
	if err != nil {
		return settled, fmt.Errorf("settle question %s: %w", ans.Question, err)
	}
	return settled, nil
}

// callOff stops the Run of a Question for whom it is, and settles the Question. The
// stop is noted first: found again, it is only noted once more.
func (a *Agent) callOff(ctx context.Context, q run.Question, ans run.Answer) (run.Question, error) {
	switch {
	case ans.By == "" || ans.By != q.Asked:
		return q, fmt.Errorf("call off %s: %w", q.ID, run.ErrNotAllowed)
	case q.Answer != nil && q.Answer.Key != ans.Key:
		return q, fmt.Errorf("call off %s: %w", q.ID, run.ErrAnswered)
	case ans.At.After(q.Expires):
		return q, fmt.Errorf("call off %s: %w", q.ID, run.ErrExpired)
	}
	if _, err := a.Store.Stop(ctx, run.Stop{Run: q.Run, By: ans.By}); err != nil {
		return q, fmt.Errorf("stop run %s: %w", q.Run, err)
	}
	settled, err := a.Store.Settle(ctx, ans)
	if err != nil {
		return settled, fmt.Errorf("call off %s: %w", q.ID, err)
	}
	return settled, nil
}

// CallOff notes a stop on each Run of by at a home that waits with an open approval,
// and returns them. With like these are only the Runs that ask for the very same as
// like does, without its own.
func (a *Agent) CallOff(ctx context.Context, home, by string, like *run.Question) ([]run.Request, error) {
	open, err := a.Store.Open(ctx, home)
	if err != nil {
		return nil, fmt.Errorf("open questions at %s: %w", home, err)
	}
	var off []run.Request
	for _, q := range open {
		if q.Kind != run.Approve || q.Asked != by || like != nil && (q.Run == like.Run || !q.Same(*like)) {
			continue
		}
		stopped, err := a.Store.Stop(ctx, run.Stop{Run: q.Run, By: by})
		if err != nil {
			return nil, fmt.Errorf("stop run %s: %w", q.Run, err)
		}
		off = append(off, stopped...)
	}
	return off, nil
}

// Overdue returns the open questions whose time is over.
func (a *Agent) Overdue(ctx context.Context) ([]run.Question, error) {
	overdue, err := a.Store.Overdue(ctx, a.Now())
	if err != nil {
		return nil, fmt.Errorf("overdue questions: %w", err)
	}
	return overdue, nil
}

// Expire settles a question whose time is over, and returns it. It may be called
// again; run.ErrAnswered means that somebody was faster.
func (a *Agent) Expire(ctx context.Context, question string) (run.Question, error) {
	q, err := a.Store.Question(ctx, question)
	if err != nil {
		return q, fmt.Errorf("question %s: %w", question, err)
	}
	if a.Now().Before(q.Expires) {
		return q, fmt.Errorf("expire question %s: it is open until %s: %w", question, q.Expires, run.ErrAnswered)
	}
	// At its last moment, so that a press made in time but read later loses to
	// nobody but another press.
	q, err = a.Store.Settle(ctx, run.Answer{Key: q.ID + "/expired", Question: q.ID, Choice: run.Late, At: q.Expires})
	if err != nil {
		return q, fmt.Errorf("expire question %s: %w", question, err)
	}
	return q, nil
}

// Slow returns how the tools have done since the start, the worst first.
func (a *Agent) Slow() []exec.Tally { return a.exec.Slow() }

// Delivered notes what became of something posted.
func (a *Agent) Delivered(ctx context.Context, r run.Receipt) error {
	if err := a.Store.Receive(ctx, r); err != nil {
		return fmt.Errorf("receipt of %s: %w", r.Post, err)
	}
	return nil
}

// Stop ends Runs before their next step, and returns those that it will end: only
// their asker and admins may stop them. Of all Runs at a home it ends those that the
// person may; if there are others alone, it returns run.ErrNotAllowed.
func (a *Agent) Stop(ctx context.Context, s run.Stop) ([]run.Request, error) {
	keys, err := a.stoppable(ctx, s)
	if err != nil {
		return nil, err
	}
	var stopped []run.Request
	for _, key := range keys {
		ended, err := a.Store.Stop(ctx, run.Stop{Run: key, By: s.By})
		if err != nil {
			return nil, fmt.Errorf("stop: %w", err)
		}
		stopped = append(stopped, ended...)
	}
	for _, r := range stopped {
		a.live.stop(r.Key)
	}
	return stopped, nil
}

// stoppable returns the keys of the Runs that a Stop means and its person may stop.
func (a *Agent) stoppable(ctx context.Context, s run.Stop) ([]string, error) {
	if s.Run != "" {
		r, ok, err := a.Store.Run(ctx, s.Run)
		if err != nil {
			return nil, fmt.Errorf("load run %s: %w", s.Run, err)
		}
		if ok && !a.cfg.Deciders.MaySteer(r.Request, s.By) {
			return nil, fmt.Errorf("stop %s: %w", s.Run, run.ErrNotAllowed)
		}
		return []string{s.Run}, nil
	}
	under, err := a.Store.Under(ctx, s.Home)
	if err != nil {
		return nil, fmt.Errorf("runs under way at %s: %w", s.Home, err)
	}
	var keys []string
	for _, r := range under {
		if a.cfg.Deciders.MaySteer(r, s.By) {
			keys = append(keys, r.Key)
		}
	}
	if len(under) > 0 && len(keys) == 0 {
		return nil, fmt.Errorf("stop at %s: %w", s.Home, run.ErrNotAllowed)
	}
	return keys, nil
}

// Look returns a Run as it stands, and false if it has yet to begin.
func (a *Agent) Look(ctx context.Context, key string) (run.Run, bool, error) {
	r, ok, err := a.Store.Run(ctx, key)
	if err != nil {
		return r, false, fmt.Errorf("load run %s: %w", key, err)
	}
	return r, ok, nil
}

// Outcome returns what came of a Run that has ended, and false of any other.
func (a *Agent) Outcome(ctx context.Context, key string) (run.Outcome, bool, error) {
	r, ok, err := a.Store.Run(ctx, key)
	switch {
	case err != nil:
		return run.Outcome{}, false, fmt.Errorf("load run %s: %w", key, err)
	case !ok || !r.Ended():
		return run.Outcome{}, false, nil
	}
	return a.outcome(r), true, nil
}

// Resume lets a suspended Run go on, and returns its Request.
func (a *Agent) Resume(ctx context.Context, key, press, by string) (run.Request, error) {
	r, ok, err := a.Store.Run(ctx, key)
	switch {
	case err != nil:
		return run.Request{}, fmt.Errorf("load run %s: %w", key, err)
	case !ok:
		return run.Request{}, fmt.Errorf("resume %s: %w", key, run.ErrNoQuestion)
	case !a.cfg.Deciders.MaySteer(r.Request, by):
		return run.Request{}, fmt.Errorf("resume %s: %w", key, run.ErrNotAllowed)
	}
	req, err := a.Store.Resume(ctx, key, press, by)
	if err != nil {
		return req, fmt.Errorf("resume %s: %w", key, err)
	}
	return req, nil
}

// Abandon gives up a suspended Run for good, and returns its Request with what came of
// it: who may let it go on may do so, and one press may come again. Of one that goes
// on or has ended it returns run.ErrAnswered.
func (a *Agent) Abandon(ctx context.Context, key, press, by string) (run.Request, run.Outcome, error) {
	fail := func(r run.Run, err error) (run.Request, run.Outcome, error) {
		return r.Request, run.Outcome{}, fmt.Errorf("abandon %s: %w", key, err)
	}
	r, ok, err := a.Store.Run(ctx, key)
	switch {
	case err != nil:
		return fail(r, err)
	case !ok:
		return fail(r, run.ErrNoQuestion)
	case !a.cfg.Deciders.MaySteer(r.Request, by):
		return fail(r, run.ErrNotAllowed)
	case r.Abandoned == press:
		return r.Request, a.outcome(r), nil
	case r.State != run.Suspended || !r.Idle():
		return fail(r, run.ErrAnswered)
	}
	r, err = a.Store.Save(ctx, r.Abandon(press))
	switch {
	case errors.Is(err, run.ErrStale):
		return fail(r, run.ErrAnswered)
	case err != nil:
		return fail(r, err)
	}
	return r.Request, a.outcome(r), nil
}

// Hear reads what a person says at a home as the answer to what is open there: to
// what that person is asked, or may decide. The newest question that the words can be
// about has them. A verdict by name of somebody with no say in any of them is heard too,
// so that Settle refuses it; else it reports false if there is none.
func (a *Agent) Hear(ctx context.Context, home, by, text string) (run.Answer, bool, error) {
	open, err := a.Store.Open(ctx, home)
	if err != nil {
		return run.Answer{}, false, fmt.Errorf("open questions at %s: %w", home, err)
	}
	newest := true // of those that the person is asked
	var others []run.Question
	for _, q := range open {
		asked := q.Asked == by
		switch {
		case asked && q.Kind == run.Say && !newest: // it takes any words, and they follow another
			continue
		case asked:
		case q.Kind != run.Approve:
			continue
		default:
			if ok, _ := a.MayDecide(ctx, q, by); !ok {
				others = append(others, q)
				continue
			}
		}
		newest = newest && !asked
		if ans, ok := q.Hear(by, text); ok {
			ans.By = by
			return ans, true, nil
		}
	}
	if by != "" && len(others) > 0 && run.IsVerdict(text) {
		ans, ok := others[0].Hear(by, text)
		ans.By = by
		return ans, ok, nil
	}
	return run.Answer{}, false, nil
}

// Serves reports whether a person has asked for something at a home.
func (a *Agent) Serves(ctx context.Context, home, person string) (bool, error) {
	serves, err := a.Store.Serves(ctx, home, person)
	if err != nil {
		return false, fmt.Errorf("runs of %s at %s: %w", person, home, err)
	}
	return serves, nil
}
