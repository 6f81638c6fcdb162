// Package llmtest has a model that follows a script, for tests of what stands
// around a model, and the suite that every provider passes.
package llmtest

import (
	"context"
	"fmt"
	"sync"

	"hermes/agent/llm"
)

// A Script gives its replies in order and fails the call after the last. It is
// safe for concurrent use.
type Script struct {
	Replies []llm.Reply
	Errs    map[int]error // by call, from 0: fails instead of replying; the reply stays for the next call

	mu    sync.Mutex
	heard []llm.Request
	given int
}

var _ llm.Model = (*Script)(nil)

// Name implements llm.Model.
func (s *Script) Name() string { return "script" }

// Heard returns the requests so far.
func (s *Script) Heard() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]llm.Request(nil), s.heard...)
}

// Generate implements llm.Model.
func (s *Script) Generate(_ context.Context, r llm.Request) (llm.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.heard)
	s.heard = append(s.heard, r)
	if err := s.Errs[n]; err != nil {
		return llm.Reply{}, err
	}
	if s.given == len(s.Replies) {
		return llm.Reply{}, fmt.Errorf("script has %d replies, asked for one more", len(s.Replies))
	}
	s.given++
	return s.Replies[s.given-1], nil
}
