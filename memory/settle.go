package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Settle ends a Conflict as a person wants it and returns it. The loser stays as
// superseded, with who and when. Of many answers the first counts: a later one
// gets ErrSettled with the Conflict as it was settled, unless it says the same by
// the same person, so that an answer may be handled again after a crash.
//
// Where a third statement came while two were disputed, the answer holds for all
// of them: what was not kept is superseded.
func (m *Memory) Settle(ctx context.Context, id string, choice Choice, by string) (Conflict, error) {
	if !slices.Contains([]Choice{KeepOld, TakeNew, KeepBoth}, choice) {
		return Conflict{}, fmt.Errorf("settle conflict %s: %q is no choice", id, choice)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c, err := m.store.Close(ctx, id, choice, by, m.now().UTC())
	if errors.Is(err, ErrSettled) && c.Settled == string(choice) && c.By == by {
		err = nil
	}
	if err != nil {
		return c, fmt.Errorf("settle conflict %s: %w", id, err)
	}
	if err := m.settleRest(ctx, c, choice, by); err != nil {
		return c, fmt.Errorf("settle what else conflicts with %s: %w", id, err)
	}
	return c, nil
}

// settleRest gives the facts that stand beside c's two the place that the answer
// means for them. It changes nothing when done again.
func (m *Memory) settleRest(ctx context.Context, c Conflict, choice Choice, by string) error {
	current, err := m.store.Current(ctx, c.New.Audience, c.New.Subject, c.New.Predicate)
	if err != nil {
		return err
	}
	kept := func(f Fact) bool {
		return choice != TakeNew && sameObject(f, c.Old) || choice != KeepOld && sameObject(f, c.New)
	}
	// The loser of c may stand in other open conflicts, although it is no
	// longer current.
	rivals := slices.Clone(current)
	for _, f := range []Fact{c.Old, c.New} {
		if !slices.ContainsFunc(rivals, func(g Fact) bool { return g.ID == f.ID }) {
			rivals = append(rivals, f)
		}
	}
	for i, newer := range rivals {
		for _, older := range rivals[i+1:] {
			if err := m.closeBoth(ctx, older, newer, kept, by); err != nil {
				return err
			}
		}
	}
	// One fact of each object remains; the newest one, of those that are kept.
	var winners []Fact
	for _, f := range current {
		if kept(f) && !slices.ContainsFunc(winners, func(w Fact) bool { return sameObject(w, f) }) {
			winners = append(winners, f)
		}
	}
	if len(winners) == 0 {
		return nil
	}
	for _, f := range current {
		successor := winners[0]
		for _, w := range winners {
			if sameObject(w, f) {
				successor = w
			}
		}
		if successor.ID == f.ID {
			continue
		}
		if err := m.store.Supersede(ctx, f.ID, successor); err != nil {
			return err
		}
	}
	return nil
}

// closeBoth closes the conflict between two facts, if there is one, whichever of
// them came first.
func (m *Memory) closeBoth(ctx context.Context, a, b Fact, kept func(Fact) bool, by string) error {
	for _, pair := range [][2]Fact{{a, b}, {b, a}} {
		choice := KeepBoth
		switch {
		case kept(pair[0]) && !kept(pair[1]):
			choice = KeepOld
		case kept(pair[1]) && !kept(pair[0]):
			choice = TakeNew
		}
		_, err := m.store.Close(ctx, ConflictID(pair[0].ID, pair[1].ID), choice, by, m.now().UTC())
		if err != nil && !errors.Is(err, ErrNoConflict) && !errors.Is(err, ErrSettled) {
			return err
		}
	}
	return nil
}
