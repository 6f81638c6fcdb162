package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hermes/agent/guard"
	"hermes/agent/run"
)

// A Roster knows who is in a group of a platform, and in a channel.
type Roster interface {
	// InGroup reports whether a person is in a group (platform:workspace:group).
	InGroup(ctx context.Context, group, person string) (bool, error)
	// InPlace reports whether a person is a member of the channel of a place.
	InPlace(ctx context.Context, place, person string) (bool, error)
}

// rolls are a Roster that is asked for one decision. What could not be found out is a
// no, and trouble says so.
type rolls struct {
	inGroup, inPlace func(where, person string) (bool, error)
	trouble          error
}

var _ guard.Rolls = (*rolls)(nil)

// roll returns the rolls for one decision.
func (a *Agent) roll(ctx context.Context) *rolls {
	if a.Roster == nil {
		none := func(string, string) (bool, error) { return false, nil }
		return &rolls{inGroup: none, inPlace: none}
	}
	return &rolls{
		inGroup: func(group, person string) (bool, error) { return a.Roster.InGroup(ctx, group, person) },
		inPlace: func(place, person string) (bool, error) { return a.Roster.InPlace(ctx, place, person) },
	}
}

// listing returns the rolls to list what waits for people: where somebody was a member
// when it was asked they are believed to be.
func (a *Agent) listing(ctx context.Context) *rolls {
	in := a.roll(ctx)
	in.inPlace = func(string, string) (bool, error) { return true, nil }
	return in
}

func (r *rolls) ask(find func(where, person string) (bool, error), where, person string) bool {
	in, err := find(where, person)
	if err != nil {
		r.trouble = errors.Join(r.trouble, fmt.Errorf("%w: %w", run.ErrUnsure, err))
	}
	return in && err == nil
}

// InGroup implements guard.Rolls.
func (r *rolls) InGroup(group, person string) bool { return r.ask(r.inGroup, group, person) }

// InPlace implements guard.Rolls.
func (r *rolls) InPlace(place, person string) bool { return r.ask(r.inPlace, place, person) }

// MayDecide reports whether a person may answer a Question now, be it with one option
// of several. Who is in a group that cannot be asked for may not: the error says so
// beside a plain no.
func (a *Agent) MayDecide(ctx context.Context, q run.Question, person string) (bool, error) {
	in := a.listing(ctx)
	options := []run.Option{{}}
	if len(q.Options) > 0 {
		options = q.Options
	}
	for _, o := range options {
		if a.cfg.Deciders.Say(q, o.ID, a.Now()).May(person, in) {
			return true, nil
		}
	}
	return false, in.trouble
}

// MayChoose reports whether a person may answer a Question with an option now, with an
// empty one with the first; as MayDecide does.
func (a *Agent) MayChoose(ctx context.Context, q run.Question, option, person string) (bool, error) {
	if guard.MayCallOff(q, person, option) {
		return true, nil
	}
	in := a.listing(ctx)
	may := a.cfg.Deciders.Say(q, option, a.Now()).May(person, in)
	return may, in.trouble
}

// Deciders are the persons and groups ("group:…") who may answer a Question with an
// option now; with an empty one, with the first.
func (a *Agent) Deciders(q run.Question, option string) []string {
	return a.cfg.Deciders.Say(q, option, a.Now()).People()
}

// Awaited are the persons and groups whose decision a Question waits for; nobody if
// who asked can take it alone.
func (a *Agent) Awaited(ctx context.Context, q run.Question) []string {
	now := a.Now()
	asker := []run.Answer{{By: q.Asked, At: now}}
	for _, o := range q.Options[:min(1, len(q.Options))] {
		if _, left := a.cfg.Deciders.Left(q, o.ID, asker, now, a.listing(ctx)); len(left) == 0 {
			return nil
		}
	}
	return a.cfg.Deciders.Say(q, "", now).People()
}

// allowed says whether an Answer counts, judged by its own time.
func (a *Agent) allowed(ctx context.Context, q run.Question, ans run.Answer) error {
	if guard.MayCallOff(q, ans.By, ans.Choice) {
		return nil
	}
	in := a.roll(ctx)
	switch {
	case a.cfg.Deciders.Say(q, ans.Choice, a.pressed(ans)).May(ans.By, in):
		return nil
	case in.trouble != nil:
		return in.trouble
	}
	return run.ErrNotAllowed
}

// pressed is the time of an Answer, which is never later than now.
func (a *Agent) pressed(ans run.Answer) time.Time {
	if now := a.Now(); ans.At.IsZero() || ans.At.After(now) {
		return now
	}
	return ans.At
}

// agree counts a yes. Where it is not enough it is noted, and run.ErrMore comes with
// the Question: who has Agreed to the same, and what it Lacks. What somebody has changed
// is nothing that others have seen, so it must be enough alone.
func (a *Agent) agree(ctx context.Context, q run.Question, ans run.Answer) (run.Question, error) {
	ans.At = a.pressed(ans)
	in := a.roll(ctx)
	asked := q // for who decides on what was asked, and on what has become of it
	asked.Calls = slices.Concat(q.Calls, ans.Edited)
	_, left := a.cfg.Deciders.Left(asked, ans.Choice, []run.Answer{ans}, a.Now(), in)
	switch {
	case len(left) == 0:
		return q, nil
	case in.trouble != nil:
		return q, in.trouble
	case len(ans.Args) > 0, ans.Choice == run.Like:
		return q, run.ErrAsIs
	}
	noted, err := a.Store.Agree(ctx, ans)
	if errors.Is(err, run.ErrAnswered) {
		if settled, err := a.Store.Question(ctx, q.ID); err == nil {
			q = settled
		}
	}
	if err != nil {
		return q, err
	}
	same := slices.DeleteFunc(slices.Clone(noted), func(x run.Answer) bool { return x.Choice != ans.Choice })
	q.Noted, q.Lacks = len(noted), nil
	q.Agreed, left = a.cfg.Deciders.Left(q, ans.Choice, same, a.Now(), in)
	switch {
	case len(left) == 0:
		return q, nil
	case in.trouble != nil:
		return q, in.trouble // one of those who have said yes may count
	}
	for _, l := range left {
		q.Lacks = append(q.Lacks, run.Lack(l))
	}
	return q, run.ErrMore
}

// agrees reports whether an Answer lets a write run.
func agrees(q run.Question, choice string) bool {
	o, ok := q.Option(choice)
	return q.Kind == run.Approve && ok && len(o.Calls) > 0
}

// Nudges returns the open approvals of which people should be told again by now: each
// once half of its time is over, and whenever more people may decide. They are returned
// again and again until they are answered.
func (a *Agent) Nudges(ctx context.Context) ([]run.Nudge, error) {
	now := a.Now()
	open, err := a.Store.Overdue(ctx, now.Add(farOff))
	if err != nil {
		return nil, fmt.Errorf("open questions: %w", err)
	}
	var out []run.Nudge
	for _, q := range open {
		if q.Kind != run.Approve || q.At.IsZero() || !now.Before(q.Expires) {
			continue
		}
		say := a.cfg.Deciders.Say(q, "", now)
		for _, at := range slices.CompactFunc(say.Widens, time.Time.Equal) {
			if !now.Before(at) {
				out = append(out, run.Nudge{Question: q, Wider: true, Due: at, People: say.People()})
			}
		}
		if half := q.At.Add(q.Expires.Sub(q.At) / 2); !now.Before(half) {
			out = append(out, run.Nudge{Question: q, Due: half, People: say.People()})
		}
	}
	return out, nil
}

// farOff is later than any question stays open.
const farOff = 366 * 24 * time.Hour

// openUntil is until when an approval asked now stays open: a day for a person who is
// there; for a job's slot until the next one, which asks anew, and no longer than the
// longest wait. Once that next one has come somebody has pressed Continue, and is there.
func (a *Agent) openUntil(r run.Run, now time.Time) time.Time {
	until := now.Add(a.cfg.Patience)
	if r.Job != "" {
		most := now.Add(a.cfg.JobWait)
		switch {
		case r.Next.IsZero():
			until = most
		case r.Next.After(now):
			until = earlier(r.Next, most)
		default:
			until = earlier(until, most)
		}
	}
	if zone, err := time.LoadLocation(r.Zone); err == nil && r.Zone != "" {
		until = until.In(zone) // it is told to people there
	}
	return until
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
