package agenttest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent"
	"hermes/agent/run"
)

var _ agent.Treasury = (*Store)(nil)

// A payment is a step of a run with what it has cost.
type payment struct {
	by   run.Request
	at   time.Time
	cost run.Amount
}

// payments are those of all runs, read from what was saved. s.mu is held.
func (s *Store) payments() ([]payment, error) {
	var all []payment
	for _, key := range s.begun {
		r, _, err := s.load(key)
		if err != nil {
			return nil, err
		}
		for _, step := range r.Steps {
			if cost := run.AmountOf(run.UsageOf([]run.Step{step})); cost != (run.Amount{}) {
				all = append(all, payment{r.Request, step.At, cost})
			}
		}
	}
	return all, nil
}

// whose is who of those that a budget is about pays for what a request comes to.
func whose(per string, r run.Request) (string, bool) {
	place := strings.Split(r.Home, "/")
	of := map[string]string{"": "", "run": r.Key, "user": r.Asker, "job": r.Job, "channel": strings.Join(place[:3], ":"), "workspace": strings.Join(place[:2], ":")}[per]
	return of, of != "" || per == ""
}

func within(at, from, until time.Time) bool {
	return (from.IsZero() || !at.Before(from)) && (until.IsZero() || at.Before(until))
}

// Spent implements agent.Treasury, and so do the methods below.
func (s *Store) Spent(_ context.Context, per, of string, from, until time.Time) (run.Amount, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := s.payments()
	if err != nil {
		return run.Amount{}, err
	}
	var sum run.Amount
	for _, p := range all {
		payer, pays := whose(per, p.by)
		if pays && payer == of && within(p.at, from, until) {
			sum = sum.Add(p.cost)
		}
	}
	return sum, nil
}

func (s *Store) Spenders(_ context.Context, per string, from, until time.Time, n int) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := s.payments()
	if err != nil || per == "" {
		return nil, err
	}
	sums := map[string]run.Amount{}
	var payers []string
	for _, p := range all {
		of, pays := whose(per, p.by)
		if !pays || !within(p.at, from, until) {
			continue
		}
		if _, ok := sums[of]; !ok {
			payers = append(payers, of)
		}
		sums[of] = sums[of].Add(p.cost)
	}
	slices.SortFunc(payers, func(a, b string) int {
		return cmp.Or(cmp.Compare(sums[b].Nanos, sums[a].Nanos), cmp.Compare(sums[b].Tokens, sums[a].Tokens), cmp.Compare(a, b))
	})
	return payers[:min(n, len(payers))], nil
}

func (s *Store) Raised(_ context.Context, budget, of string, from time.Time) (run.Raise, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range slices.Backward(s.raises) {
		if r.Budget == budget && r.Of == of && r.From.Equal(from) {
			return r, true, nil
		}
	}
	return run.Raise{}, false, nil
}

func (s *Store) Raise(_ context.Context, r run.Raise) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Key == "" {
		return fmt.Errorf("raise %s: it has no key", r.Purse)
	}
	if !slices.ContainsFunc(s.raises, func(x run.Raise) bool { return x.Key == r.Key }) {
		s.raises = append(s.raises, r)
	}
	return nil
}

// Pledge implements agent.Treasury, and so does Redeem.
func (s *Store) Pledge(_ context.Context, p run.Pledge) ([]run.Pledge, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := slices.Clone(s.pledged)
	s.pledged = append(s.pledged, p)
	return before, nil
}

func (s *Store) Redeem(_ context.Context, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pledged = slices.DeleteFunc(s.pledged, func(p run.Pledge) bool { return p.Run == key })
	return nil
}
