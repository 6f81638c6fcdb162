// Package agenttest has a store of runs in memory, and the promises that every
// other one must keep as well.
package agenttest

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"hermes/agent"
	"hermes/agent/run"
)

// Store is an agent.Store in memory. Its zero value is not ready: use NewStore.
type Store struct {
	mu        sync.Mutex
	runs      map[string][]byte // as JSON, so that what is not kept is lost, as on disk
	begun     []string          // their keys, in order
	version   map[string]int64
	questions []run.Question
	receipts  map[string]run.Receipt
	stops     []run.Stop
	steers    map[string][]run.Steer  // by run
	resumes   map[string][]string     // presses by run
	agreed    map[string][]run.Answer // by question
	grants    []run.Grant
	taken     []run.Use
	pledged   []run.Pledge
	raises    []run.Raise
	said      map[string][]heard
	sent      []run.Post
}

type heard struct {
	at   time.Time
	turn run.Turn
}

var _ agent.Store = (*Store)(nil)

// NewStore returns an empty Store.
func NewStore() *Store {
	return &Store{
		runs: map[string][]byte{}, version: map[string]int64{}, receipts: map[string]run.Receipt{},
		resumes: map[string][]string{}, steers: map[string][]run.Steer{}, said: map[string][]heard{},
	}
}

// Say makes something said at a home.
func (s *Store) Say(home string, at time.Time, t run.Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said[home] = append(s.said[home], heard{at, t})
}

// Sent returns the posts that Deliver has put into the outbox.
func (s *Store) Sent() []run.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent)
}

// Run implements agent.Store, and so do the methods below.
func (s *Store) Run(_ context.Context, key string) (run.Run, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load(key)
}

func (s *Store) load(key string) (run.Run, bool, error) {
	var r run.Run
	body, ok := s.runs[key]
	if ok {
		if err := json.Unmarshal(body, &r); err != nil {
			return r, false, err
		}
	}
	r.Key, r.Version = key, s.version[key]
	for _, q := range s.questions {
		if q.Run == key {
			r.Questions = append(r.Questions, q)
		}
	}
	for _, st := range s.stops {
		if st.Run == key {
			r.Stopped = st.By
		}
	}
	if r.Sending != nil {
		if rec, ok := s.receipts[r.Sending.Key]; ok {
			r.Sending.Receipt = &rec
		}
	}
	r.Resumed = len(s.resumes[key])
	r.Steered = slices.Clone(s.steers[key])
	return r, ok, nil
}

func (s *Store) Save(_ context.Context, r run.Run) (run.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.save(r)
}

func (s *Store) save(r run.Run) (run.Run, error) {
	if r.Version != s.version[r.Key] {
		return r, run.ErrStale
	}
	if r.State == run.Done && len(s.steers[r.Key]) > len(r.Taken) {
		return r, run.ErrUnheard
	}
	body, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	for _, q := range r.Questions {
		if !slices.ContainsFunc(s.questions, func(x run.Question) bool { return x.ID == q.ID }) {
			s.questions = append(s.questions, q)
		}
	}
	if s.runs[r.Key] == nil {
		s.begun = append(s.begun, r.Key)
	}
	s.runs[r.Key] = body
	s.version[r.Key]++
	saved, _, err := s.load(r.Key)
	return saved, err
}

func (s *Store) Deliver(_ context.Context, r run.Run) (run.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Version != s.version[r.Key] {
		return r, run.ErrStale
	}
	if id := r.Sending.Grant; id != "" {
		if err := s.use(id); err != nil {
			return r, err
		}
	}
	s.sent = append(s.sent, *r.Sending)
	return s.save(r)
}

func (s *Store) use(grant string) error {
	i := slices.IndexFunc(s.grants, func(g run.Grant) bool { return g.ID == grant })
	if i < 0 || s.grants[i].Uses >= s.grants[i].Max || !s.grants[i].Revoked.IsZero() {
		return agent.ErrNoGrant
	}
	s.grants[i].Uses++
	return nil
}

func (s *Store) Take(_ context.Context, u run.Use) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.taken, u) {
		return nil
	}
	if err := s.use(u.Grant); err != nil {
		return err
	}
	s.taken = append(s.taken, u)
	return nil
}

func (s *Store) Turns(_ context.Context, home string, before time.Time, n int) ([]run.Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var turns []run.Turn
	for _, h := range s.said[home] {
		if h.at.Before(before) {
			turns = append(turns, h.turn)
		}
	}
	return turns[max(0, len(turns)-n):], nil
}

func (s *Store) Grants(_ context.Context, job string) ([]run.Grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []run.Grant
	for _, g := range s.grants {
		if g.Job == job && g.Uses < g.Max && g.Revoked.IsZero() {
			found = append(found, g)
		}
	}
	return found, nil
}

func (s *Store) Standing(_ context.Context, owner string) ([]run.Grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []run.Grant
	for _, g := range s.grants {
		if (owner == "" || g.Owner == owner) && g.Uses < g.Max && g.Revoked.IsZero() {
			found = append(found, g)
		}
	}
	return found, nil
}

func (s *Store) Grant(_ context.Context, id string) (run.Grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.grants, func(g run.Grant) bool { return g.ID == id })
	if i < 0 {
		return run.Grant{}, run.ErrNoGrant
	}
	return s.grants[i], nil
}

func (s *Store) Revoke(_ context.Context, id, _ string) (run.Grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.grants, func(g run.Grant) bool { return g.ID == id })
	if i < 0 {
		return run.Grant{}, run.ErrNoGrant
	}
	if s.grants[i].Revoked.IsZero() {
		s.grants[i].Revoked = time.Unix(1, 0)
	}
	return s.grants[i], nil
}

// Tamper lets a question be stored as something else than it was.
func (s *Store) Tamper(id string, change func(*run.Question)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.find(id); i >= 0 {
		q := s.questions[i]
		q.Calls = slices.Clone(q.Calls)
		change(&q)
		s.questions[i] = q
	}
}

// Break has a grant be another than the one that was given.
func (s *Store) Break(id, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.grants, func(g run.Grant) bool { return g.ID == id }); i >= 0 {
		s.grants[i].Broken = why
	}
}

func (s *Store) Question(_ context.Context, id string) (run.Question, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.find(id); i >= 0 {
		return s.questions[i], nil
	}
	return run.Question{}, run.ErrNoQuestion
}

func (s *Store) find(id string) int {
	return slices.IndexFunc(s.questions, func(q run.Question) bool { return q.ID == id })
}

func (s *Store) Settle(_ context.Context, ans run.Answer) (run.Question, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(ans.Question)
	if i < 0 {
		return run.Question{}, run.ErrNoQuestion
	}
	q := &s.questions[i]
	switch {
	case q.Answer != nil && q.Answer.Key != ans.Key:
		return *q, run.ErrAnswered
	case q.Answer != nil:
		return *q, nil
	case ans.At.After(q.Expires):
		return *q, run.ErrExpired
	}
	q.Answer = &ans
	if g, ok := q.Granted(); ok {
		s.grants = append(s.grants, g)
	}
	return *q, nil
}

func (s *Store) Agree(_ context.Context, ans run.Answer) ([]run.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(ans.Question)
	switch {
	case i < 0:
		return nil, run.ErrNoQuestion
	case s.questions[i].Answer != nil:
		return nil, run.ErrAnswered
	case ans.At.After(s.questions[i].Expires):
		return nil, run.ErrExpired
	}
	all := s.agreed[ans.Question]
	if !slices.ContainsFunc(all, func(x run.Answer) bool { return x.By == ans.By && x.Choice == ans.Choice }) {
		all = append(all, ans)
	}
	if s.agreed == nil {
		s.agreed = map[string][]run.Answer{}
	}
	s.agreed[ans.Question] = all
	return slices.Clone(all), nil
}

func (s *Store) Receive(_ context.Context, r run.Receipt) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.receipts[r.Post]; !ok {
		s.receipts[r.Post] = r
	}
	if i := s.find(r.Question); r.Question != "" && i >= 0 && !slices.Contains(s.questions[i].Cards, r.Ref) {
		s.questions[i].Cards = append(slices.Clone(s.questions[i].Cards), r.Ref)
	}
	return nil
}

func (s *Store) Stop(_ context.Context, st run.Stop) ([]run.Request, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok, err := s.load(st.Run)
	if err != nil || ok && r.Ended() {
		return nil, err
	}
	s.stops = append(s.stops, st)
	if !ok {
		return nil, nil
	}
	return []run.Request{r.Request}, nil
}

func (s *Store) Steer(_ context.Context, key string, st run.Steer) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.steers[key], func(x run.Steer) bool { return x.Key == st.Key }) {
		return true, nil
	}
	r, ok, err := s.load(key)
	if err != nil || !ok || r.State != run.Working && r.State != run.Delivering {
		return false, err
	}
	s.steers[key] = append(s.steers[key], st)
	return true, nil
}

func (s *Store) Resume(_ context.Context, key, press, _ string) (run.Request, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, _, err := s.load(key)
	if err != nil {
		return run.Request{}, err
	}
	switch {
	case slices.Contains(s.resumes[key], press):
		return r.Request, nil
	case r.State != run.Suspended || r.Resumed > r.Resumes:
		return r.Request, run.ErrAnswered
	}
	s.resumes[key] = append(s.resumes[key], press)
	s.stops = slices.DeleteFunc(s.stops, func(st run.Stop) bool { return st.Run == key })
	return r.Request, nil
}

func (s *Store) Open(_ context.Context, home string) ([]run.Question, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var open []run.Question
	for _, q := range slices.Backward(s.questions) {
		if q.Home != home || q.Answer != nil {
			continue
		}
		r, ok, err := s.load(q.Run)
		if err != nil {
			return nil, err
		}
		if ok && !r.Ended() {
			open = append(open, q)
		}
	}
	return open, nil
}

func (s *Store) Under(_ context.Context, home string) ([]run.Request, error) {
	return s.open(func(r run.Run) bool { return r.Home == home })
}

func (s *Store) Theirs(_ context.Context, asker string) ([]run.Request, error) {
	return s.open(func(r run.Run) bool { return r.Asker == asker })
}

func (s *Store) open(is func(run.Run) bool) ([]run.Request, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var under []run.Request
	for _, key := range s.begun {
		r, _, err := s.load(key)
		if err != nil {
			return nil, err
		}
		if is(r) && !r.Ended() {
			under = append(under, r.Request)
		}
	}
	return under, nil
}

func (s *Store) Serves(_ context.Context, home, by string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range s.begun {
		r, _, err := s.load(key)
		if err != nil || r.Home == home && r.Asker == by {
			return err == nil, err
		}
	}
	return false, nil
}

func (s *Store) Lately(_ context.Context, home string, n int) ([]run.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lately []run.Run
	for _, key := range slices.Backward(s.begun) {
		r, _, err := s.load(key)
		if err != nil {
			return nil, err
		}
		if r.Home == home && r.Job == "" && !r.Light && len(lately) < n {
			r.Steps, r.Questions, r.Steered = nil, nil, nil
			lately = append(lately, r)
		}
	}
	return lately, nil
}

func (s *Store) Overdue(_ context.Context, before time.Time) ([]run.Question, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var over []run.Question
	for _, q := range s.questions {
		if q.Answer == nil && q.Expires.Before(before) {
			over = append(over, q)
		}
	}
	return over, nil
}

// Key returns a key of its own for each n, for tests that need several.
func Key(n int) string { return "test/run/" + strconv.Itoa(n) }
