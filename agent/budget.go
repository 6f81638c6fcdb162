package agent

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
)

// A Treasury keeps what runs have spent, which it knows by their Steps, and by how much
// limits were raised. It is part of what keeps the Runs.
type Treasury interface {
	// Spent adds up what was spent from a time up to, but without, another; zero times
	// are no bounds. per is one of guard's, and of whose; all if per is empty.
	Spent(ctx context.Context, per, of string, from, until time.Time) (run.Amount, error)
	// Spenders are at most n of those of whom something was spent then, who spent most
	// first.
	Spenders(ctx context.Context, per string, from, until time.Time, n int) ([]string, error)
	// Raised returns the last Raise of a budget of one for the period that begins so.
	Raised(ctx context.Context, budget, of string, from time.Time) (run.Raise, bool, error)
	// Raise keeps one, once for each Key, and has it in the audit.
	Raise(ctx context.Context, r run.Raise) error
	// Pledge notes what a call under way will probably cost, and returns what others have
	// pledged before it and not redeemed, of all that share the Treasury. Redeem forgets
	// what a Run has pledged, and may be called again.
	Pledge(ctx context.Context, p run.Pledge) (before []run.Pledge, err error)
	Redeem(ctx context.Context, run string) error
}

// pledges are the Runs that have pledged what a call under way will probably cost. That is
// held against budgets as if it were spent, so that calls side by side, here or in another
// replica, do not each find the last dollar.
type pledges struct {
	mu   sync.Mutex
	runs map[string]bool
}

func (p *pledges) add(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.runs == nil {
		p.runs = map[string]bool{}
	}
	p.runs[key] = true
}

// take reports whether a Run has pledged something, once.
func (p *pledges) take(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	has := p.runs[key]
	delete(p.runs, key)
	return has
}

// redeem forgets what a Run has pledged: it is on disk by now, or will never be. Where it
// cannot, the budgets have a little less for some minutes.
func (a *Agent) redeem(ctx context.Context, key string) {
	if !a.pledged.take(key) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), redeemTime)
	defer cancel()
	if err := a.Treasury.Redeem(ctx, key); err != nil {
		a.Log.Warn("what a run has pledged is held against budgets for longer", "run", key, "err", err)
	}
}

// redeemTime is how long that may take.
const redeemTime = 5 * time.Second

// firstReply is how many tokens a reply is taken to have before there is one.
const firstReply = 300

// guess is what the next call of a model will probably cost.
func guess(r run.Run, m Member, req llm.Request) run.Amount {
	u := llm.Estimate(req, llm.Reply{})
	u.Out = firstReply
	if last, ok := r.Last(); ok && last.Reply.Usage.Out > 0 {
		u.Out = last.Reply.Usage.Out
	}
	if m.Price != nil {
		u = m.Price(u)
	}
	return run.AmountOf(u)
}

// overdrawn returns the Purse of a Run that cannot bear a call of a model and spare
// beside it, if there is one. What it can bear is pledged until the Run is saved. Each
// call is held against every budget, on disk, right before it is made.
func (a *Agent) overdrawn(ctx context.Context, r run.Run, m Member, req llm.Request, spare run.Amount) (*run.Purse, error) {
	if len(a.cfg.Budgets) == 0 || m.Rules {
		return nil, nil
	}
	cost := guess(r, m, req)
	// What others have pledged is read before what was spent: what they redeem between the
	// two counts twice, and never not at all.
	a.pledged.add(r.Key)
	before, err := a.Treasury.Pledge(ctx, run.Pledge{Run: r.Key, Asker: r.Asker, Home: r.Home, Job: r.Job, Cost: cost})
	if err != nil {
		return nil, fmt.Errorf("pledge: %w", err)
	}
	for _, b := range a.cfg.Budgets {
		p, pays, err := a.purse(ctx, b, r.Request)
		switch {
		case err != nil:
			return nil, err
		case !pays:
			continue
		}
		bears := p
		for _, x := range before {
			if of, ok := b.Of(paying(x)); ok && of == p.Of {
				bears.Spent = bears.Spent.Add(x.Cost)
			}
		}
		if !bears.Holds(cost.Add(spare)) {
			a.redeem(ctx, r.Key)
			return &p, nil
		}
	}
	return nil, nil
}

// paying is of a Request what says which budgets a Pledge draws on.
func paying(p run.Pledge) run.Request {
	return run.Request{Key: p.Run, Asker: p.Asker, Home: p.Home, Job: p.Job}
}

// closingCost is what is kept back for the words at the end, once there is something to
// say.
func closingCost(r run.Run, m Member, req llm.Request) run.Amount {
	if len(r.Steps) == 0 {
		return run.Amount{}
	}
	req.Tools = nil
	return guess(r, m, req)
}

// spentUp ends a Run since a budget does not bear its next call.
func (a *Agent) spentUp(ctx context.Context, r run.Run, p run.Purse) (run.Run, error) {
	v := guard.Verdict{Guard: "budget", State: run.Suspended, Why: run.Spent}
	if a.cfg.Profiles.For(r.Request).End {
		v.State = run.Done
	}
	a.Log.Warn("a budget is used up", "budget", p.Name(), "run", r.Key, "spent_tokens", p.Spent.Tokens, "spent_usd", float64(p.Spent.Nanos)/1e9)
	r, err := a.close(ctx, r, v)
	if err != nil {
		return r, err
	}
	r.Outcome.Purse = &p
	return r, nil
}

// zone is that of the budgets' days.
func (a *Agent) zone() *time.Location {
	if a.cfg.Zone == nil {
		return time.UTC
	}
	return a.cfg.Zone
}

// purse is a budget as it stands for what a Request comes to; false if it is not about
// that.
func (a *Agent) purse(ctx context.Context, b guard.Budget, r run.Request) (run.Purse, bool, error) {
	of, pays := b.Of(r)
	if !pays {
		return run.Purse{}, false, nil
	}
	p, err := a.purseOf(ctx, b, of)
	return p, true, err
}

func (a *Agent) purseOf(ctx context.Context, b guard.Budget, of string) (run.Purse, error) {
	p := b.Purse(of, a.Now(), a.zone())
	var err error
	if p.Spent, err = a.Treasury.Spent(ctx, b.Per, of, p.From, p.Until); err != nil {
		return p, fmt.Errorf("budget %s: %w", p.Name(), err)
	}
	raise, ok, err := a.Treasury.Raised(ctx, p.Budget, of, p.From)
	if err != nil {
		return p, fmt.Errorf("budget %s: %w", p.Name(), err)
	}
	if ok {
		p = p.With(raise)
	}
	return p, nil
}

// Near returns the budgets that a Request draws on and of which so much is spent that
// people are to be told, again and again.
func (a *Agent) Near(ctx context.Context, r run.Request) ([]run.Purse, error) {
	var near []run.Purse
	for _, b := range a.cfg.Budgets {
		p, pays, err := a.purse(ctx, b, r)
		if err != nil {
			return nil, err
		}
		if pays && p.Near() {
			near = append(near, p)
		}
	}
	return near, nil
}

// mostPurses is how many of one budget are listed: those of whom most is spent.
const mostPurses = 20

// Purses returns the budgets as they stand that a person may look at: what is for all,
// their own, and that of their workspace and of where they are; to an admin those of all
// who have spent something, and of runs those that are nearly over.
func (a *Agent) Purses(ctx context.Context, viewer, home string) ([]run.Purse, error) {
	here := run.Request{Asker: viewer, Home: home}
	admin := slices.Contains(a.cfg.Deciders.Admins, viewer)
	var all []run.Purse
	for _, b := range a.cfg.Budgets {
		var whose []string
		if of, ok := b.Of(here); ok {
			whose = append(whose, of)
		}
		if admin && b.Per != "" {
			from, until := b.Period(a.Now(), a.zone())
			if b.Per == guard.PerRun {
				from = a.Now().Add(-runsLately)
			}
			spenders, err := a.Treasury.Spenders(ctx, b.Per, from, until, mostPurses)
			if err != nil {
				return nil, fmt.Errorf("budget %s: %w", b.Name(), err)
			}
			for _, of := range spenders {
				if !slices.Contains(whose, of) {
					whose = append(whose, of)
				}
			}
		}
		for _, of := range whose {
			p, err := a.purseOf(ctx, b, of)
			if err != nil {
				return nil, err
			}
			if b.Per != guard.PerRun || p.Near() {
				all = append(all, p)
			}
		}
	}
	return all, nil
}

// runsLately is how far back runs are looked at that are nearly over their budget.
const runsLately = 24 * time.Hour

// RaiseBudget gives a budget another limit until its period is over, and returns it as
// it stands then: admins may. It returns run.ErrNotAllowed, run.ErrNoPurse, and those of
// run.Purse.Takes; one Key raises once.
func (a *Agent) RaiseBudget(ctx context.Context, r run.Raise) (run.Purse, error) {
	if !slices.Contains(a.cfg.Deciders.Admins, r.By) {
		return run.Purse{}, fmt.Errorf("raise %s: %w", r.Purse, run.ErrNotAllowed)
	}
	p, err := a.named(ctx, r)
	if err != nil {
		return p, fmt.Errorf("raise %s: %w", r.Purse, err)
	}
	r.Budget, r.Of, r.From = p.Budget, p.Of, p.From
	last, ok, err := a.Treasury.Raised(ctx, p.Budget, p.Of, p.From)
	switch {
	case err != nil:
		return p, fmt.Errorf("raise %s: %w", r.Purse, err)
	case ok && last.Key == r.Key:
		return p, nil
	}
	if err := p.Takes(r); err != nil {
		return p, fmt.Errorf("raise %s: %w", r.Purse, err)
	}
	if r.At.IsZero() {
		r.At = a.Now()
	}
	now := p.With(r)
	r.Limit = now.Limit // whoever reads the last has all of it
	if err := a.Treasury.Raise(ctx, r); err != nil {
		return p, fmt.Errorf("raise %s: %w", r.Purse, err)
	}
	a.Log.Info("a budget is raised", "budget", p.Name(), "by", r.By, "tokens", r.Limit.Tokens, "usd", float64(r.Limit.Nanos)/1e9)
	return now, nil
}

// named is the budget that a Raise is for. One of whom nothing is spent yet can be
// raised too; of runs only such as have spent something.
func (a *Agent) named(ctx context.Context, r run.Raise) (run.Purse, error) {
	for _, b := range a.cfg.Budgets {
		of, ok := cutName(r.Purse, b.Name())
		if !ok || (of == "") != (b.Per == "") {
			continue
		}
		if b.Per == guard.PerRun {
			spenders, err := a.Treasury.Spenders(ctx, b.Per, a.Now().Add(-runsFound), time.Time{}, mostFound)
			if err != nil {
				return run.Purse{}, err
			}
			i := slices.IndexFunc(spenders, func(key string) bool { return run.TraceOf(key) == of || key == of })
			if i < 0 {
				return run.Purse{}, run.ErrNoPurse
			}
			of = spenders[i]
		}
		return a.purseOf(ctx, b, of)
	}
	return run.Purse{}, run.ErrNoPurse
}

// A run whose budget is raised is one of the last month.
const (
	runsFound = 31 * 24 * time.Hour
	mostFound = 10_000
)

// cutName takes the name of a budget from that of one of its Purses.
func cutName(purse, budget string) (of string, ok bool) {
	if purse == budget {
		return "", true
	}
	if len(purse) > len(budget)+1 && purse[:len(budget)+1] == budget+":" {
		return purse[len(budget)+1:], true
	}
	return "", false
}
