package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/guard"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// covering returns the grant under which a planned call may run without a question.
func (a *Agent) covering(ctx context.Context, r run.Run, s tool.Spec, plan tool.Plan) (run.Grant, bool, error) {
	if plan.Control == "" {
		return run.Grant{}, false, nil
	}
	var grants []run.Grant
	var err error
	if r.Job != "" {
		grants, err = a.Store.Grants(ctx, r.Job)
	} else {
		grants, err = a.Store.Standing(ctx, r.Asker)
	}
	if err != nil {
		return run.Grant{}, false, fmt.Errorf("grants for %s: %w", r.Key, err)
	}
	g, ok := guard.Covering(grants, r.Request, s, plan, plan.Marks, a.Now())
	if !ok {
		a.warnBroken(grants, r, s, plan)
	}
	return g, ok, nil
}

// warnBroken tells the operator that a person is asked for what a grant would cover if it
// were still what was given.
func (a *Agent) warnBroken(grants []run.Grant, r run.Run, s tool.Spec, plan tool.Plan) {
	for _, g := range grants {
		why := g.Broken
		if g.Broken = ""; why == "" {
			continue
		}
		if _, would := guard.Covering([]run.Grant{g}, r.Request, s, plan, plan.Marks, a.Now()); would {
			a.Log.Error("a grant is not what was given, so that a person is asked", "grant", g.ID, "why", why, "run", r.Key, "tool", s.Name,
				"hint", "`hermes grants revoke "+g.ID+"` ends it; `hermes audit verify` says what else was changed in the database")
		}
	}
}

// Allowed returns the grants that stand now and that a person may look at: their own,
// those that they gave and, to an admin, all; those that end first come first.
func (a *Agent) Allowed(ctx context.Context, person string) ([]run.Grant, error) {
	all, err := a.Store.Standing(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("grants: %w", err)
	}
	all = slices.DeleteFunc(all, func(g run.Grant) bool { return !a.mayRevoke(g, person) })
	slices.SortStableFunc(all, func(g, h run.Grant) int {
		if c := g.Until.Compare(h.Until); c != 0 {
			return c
		}
		return strings.Compare(g.ID, h.ID)
	})
	return all, nil
}

// mayRevoke reports whether a person may end a grant: its owner, who gave it, and admins.
func (a *Agent) mayRevoke(g run.Grant, person string) bool {
	return person != "" && (person == g.Owner || person == g.By || slices.Contains(a.cfg.Deciders.Admins, person))
}

// Revoke ends a grant and returns it: from then on its uses are asked for again. It may
// be called again. Of one that is not there, and of one that is not theirs to end, it
// returns run.ErrNoGrant and run.ErrNotAllowed.
func (a *Agent) Revoke(ctx context.Context, grant, by string) (run.Grant, error) {
	g, err := a.Store.Grant(ctx, grant)
	if err != nil {
		return g, fmt.Errorf("revoke %s: %w", grant, err)
	}
	if !a.mayRevoke(g, by) {
		return run.Grant{}, fmt.Errorf("revoke %s: %w", grant, run.ErrNotAllowed)
	}
	if g, err = a.Store.Revoke(ctx, grant, by); err != nil {
		return g, fmt.Errorf("revoke %s: %w", grant, err)
	}
	return g, nil
}

// notice is how long before its end people are told of a grant, if it lives longer than
// twice that. One of a schedule is told of at half its life if that is later: what comes
// each day has twelve.
const notice = 7 * 24 * time.Hour

// slotsOf is how many slots of its schedule the time of a grant is for.
const slotsOf = 12

// endOf is when a grant is over at the latest: at its time or, of a schedule, when its uses
// are used up by then.
func endOf(g run.Grant, now time.Time) time.Time {
	if g.Job == "" {
		return g.Until
	}
	left := now.Add(time.Duration(max(0, g.Max-g.Uses)) * g.Until.Sub(g.Given) / slotsOf)
	if left.Before(g.Until) {
		return left
	}
	return g.Until
}

// isEnding reports whether people should know by now that a grant ends.
func isEnding(g run.Grant, now time.Time) bool {
	life, before := g.Until.Sub(g.Given), notice
	switch {
	case g.Broken != "" || !now.Before(g.Until):
		return false
	case life < 2*notice && g.Job == "":
		return false
	case life < 2*notice:
		before = life / 2
	}
	return !now.Before(endOf(g, now).Add(-before))
}

// Ending returns the grants of whose end people should know by now, again and again
// until they are over.
func (a *Agent) Ending(ctx context.Context) ([]run.Grant, error) {
	all, err := a.Store.Standing(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("grants: %w", err)
	}
	now := a.Now()
	return slices.DeleteFunc(all, func(g run.Grant) bool { return !isEnding(g, now) }), nil
}
