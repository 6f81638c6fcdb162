package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// listed is how many facts List returns at most: more than a person can have
// said on purpose, few enough to hold.
const listed = 1000

// breadth is how many times more than asked for is taken from the store, so that
// what is replaced or already said does not cost places.
const breadth = 6

// Recall returns the facts that help with a text and that v may see, best first.
// Of disputed facts the one in use stands before the others, which name it as
// Behind; a note whose statement a later note replaces is left out.
func (m *Memory) Recall(ctx context.Context, v Viewer, text string, limit int) ([]Scored, error) {
	if v.Person == "" || limit <= 0 || strings.TrimSpace(text) == "" {
		return nil, nil
	}
	found, err := m.candidates(ctx, v, text, max(breadth*limit, 60))
	if err != nil {
		return nil, err
	}
	found, err = m.inUseFirst(ctx, Standing(Rank(text, found)))
	if err != nil {
		return nil, err
	}
	return found[:min(limit, len(found))], nil
}

// candidates returns what the store finds. The store filters by audience;
// it is asked again here, since what slips through cannot be taken back.
func (m *Memory) candidates(ctx context.Context, v Viewer, text string, n int) ([]Scored, error) {
	found, err := m.store.Search(ctx, v, Widen(text), n)
	if err != nil {
		return nil, fmt.Errorf("search facts: %w", err)
	}
	return slices.DeleteFunc(found, func(s Scored) bool { return !v.Sees(s.Audience) }), nil
}

// inUseFirst puts, of the disputed facts on one thing, the one in use first and
// names it in the others. One that was not found is added: whoever asks for Excel
// must hear that CSV is used.
func (m *Memory) inUseFirst(ctx context.Context, found []Scored) ([]Scored, error) {
	var all []Scored
	had, asked := map[string]bool{}, map[string]bool{}
	for _, s := range found {
		had[s.ID] = true
	}
	for _, s := range found {
		all = append(all, s)
		if s.Status != Disputed || asked[s.slot()] {
			continue
		}
		asked[s.slot()] = true
		current, err := m.store.Current(ctx, s.Audience, s.Subject, s.Predicate)
		if err != nil {
			return nil, fmt.Errorf("look up %s of %s: %w", s.Predicate, s.Subject, err)
		}
		for _, f := range current {
			if f.Status == Disputed && !had[f.ID] {
				all = append(all, Scored{Fact: f, Score: s.Score})
			}
		}
	}
	return settleOrder(all), nil
}

// settleOrder is inUseFirst of facts that are all there.
func settleOrder(found []Scored) []Scored {
	places := map[string][]int{}
	for i, s := range found {
		if s.Status == Disputed {
			k := s.slot()
			places[k] = append(places[k], i)
		}
	}
	for _, at := range places {
		var facts []Scored
		for _, i := range at {
			facts = append(facts, found[i])
		}
		slices.SortStableFunc(facts, func(a, b Scored) int { return preferred(a.Fact, b.Fact) })
		scores := make([]float64, len(at))
		for j, i := range at {
			scores[j] = found[i].Score
		}
		for j, i := range at {
			facts[j].Score = scores[j]
			if j > 0 {
				facts[j].Behind = facts[0].ID
			}
			found[i] = facts[j]
		}
	}
	return found
}

// slot is what two facts must share to be on one thing.
func (f Fact) slot() string {
	return strings.Join([]string{f.Audience.Kind, f.Audience.ID, f.Subject, f.Predicate}, "\x00")
}

// Preferences returns how the person v wants things: for each preference the one
// fact that is in use, and what words mean to that person. They hold in every place for that person's own requests
// and are not for showing to others.
func (m *Memory) Preferences(ctx context.Context, v Viewer) ([]Fact, error) {
	if v.Person == "" {
		return nil, nil
	}
	var all []Fact
	for _, p := range preferences {
		current, err := m.store.Current(ctx, Audience{ForUser, v.Person}, v.Person, p)
		if err != nil {
			return nil, fmt.Errorf("look up %s of %s: %w", p, v.Person, err)
		}
		if len(current) > 0 {
			all = append(all, InUse(current))
		}
	}
	terms, err := m.terms(ctx, v)
	return append(all, terms...), err
}

// mostTerms is how many words with a meaning a request is read with.
const mostTerms = 50

// terms returns what words mean to v: the person's own first, then those of the
// place. All of them, since a request may take its words from the one before.
func (m *Memory) terms(ctx context.Context, v Viewer) ([]Fact, error) {
	listed, err := m.store.List(ctx, v.alone(), listed)
	if err != nil {
		return nil, fmt.Errorf("list terms: %w", err)
	}
	var own, others []Fact
	bySlot := map[string][]Fact{}
	for _, f := range listed {
		if f.Predicate == Means {
			bySlot[f.slot()] = append(bySlot[f.slot()], f)
		}
	}
	for _, f := range listed {
		mine := f.Audience == Audience{ForUser, v.Person}
		switch {
		case f.Predicate != Means || InUse(bySlot[f.slot()]).ID != f.ID:
		case mine:
			own = append(own, f)
		case v.Sees(f.Audience):
			others = append(others, f)
		}
	}
	own = append(own, others...)
	return own[:min(mostTerms, len(own))], nil
}

// List returns the facts that may be read out where v is, newest first: those
// that v may see, and v's own that were said at this very place.
func (m *Memory) List(ctx context.Context, v Viewer) ([]Fact, error) {
	facts, _, err := m.list(ctx, v)
	return facts, err
}

// Withheld counts the facts of the person v that List leaves out because others
// look on.
func (m *Memory) Withheld(ctx context.Context, v Viewer) (int, error) {
	_, n, err := m.list(ctx, v)
	return n, err
}

func (m *Memory) list(ctx context.Context, v Viewer) (shown []Fact, withheld int, err error) {
	if v.Person == "" {
		return nil, 0, nil
	}
	all, err := m.store.List(ctx, v.alone(), listed)
	if err != nil {
		return nil, 0, fmt.Errorf("list facts: %w", err)
	}
	for _, f := range all {
		if v.MayHear(f) {
			shown = append(shown, f)
		} else {
			withheld++
		}
	}
	return shown, withheld, nil
}

// MayHear reports whether a fact may be read out where v is. What was said in
// this very channel is no secret in it.
func (v Viewer) MayHear(f Fact) bool {
	return v.Sees(f.Audience) || v.Channel != "" && ChannelOf(f.Place) == v.Channel && f.Own(v.Person)
}

// ChannelOf returns the platform/workspace/channel of a place, which may have a
// thread behind it.
func ChannelOf(place string) string {
	f := strings.SplitN(place, "/", 4)
	if len(f) < 3 {
		return ""
	}
	return strings.Join(f[:3], "/")
}

// Log keeps an Episode, once.
func (m *Memory) Log(ctx context.Context, e Episode) error {
	switch {
	case e.Who == "":
		return ErrNobody
	case !e.Audience.Valid():
		return ErrNoAudience
	}
	if err := m.store.PutEpisode(ctx, e); err != nil {
		return fmt.Errorf("keep episode %s: %w", e.ID, err)
	}
	return nil
}

// Episodes returns what happened that v may see: by the words of text, or the
// newest if there are none.
func (m *Memory) Episodes(ctx context.Context, v Viewer, text string, limit int) ([]Episode, error) {
	if v.Person == "" || limit <= 0 {
		return nil, nil
	}
	found, err := m.store.Episodes(ctx, v, text, limit+20)
	if err != nil {
		return nil, fmt.Errorf("search episodes: %w", err)
	}
	found = slices.DeleteFunc(found, func(e Episode) bool {
		return strings.HasPrefix(e.ID, meant) || !v.Sees(e.Audience)
	})
	return found[:min(limit, len(found))], nil
}
