// Package steady makes any model one that can be relied on: it tries again what may
// pass, keeps a pace, and says what an answer has cost. How one try is made, and what
// its errors mean, is the model's own affair.
//
//	wait for a place (AtOnce) → for the pace (RPS) → one try ─ answer ──→ price it
//	        ↑                                           │
//	        └──────────────── pause ←── may pass ───────┴── cannot pass → its error
//
// What a newcomer would break: what people have seen of an answer is not taken back,
// so a stream that has begun is not begun again; and no error is ever turned into an
// answer.
package steady

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"time"

	"hermes/agent/llm"
)

// Config says how to try. The zero value is how it is meant.
type Config struct {
	Attempts int // tries of one answer, the first among them; 0 is 3
	// The pauses between tries: the first, doubling up to Max; 0 is 1 s and 30 s.
	Base, Max time.Duration
	// Jitter is the part of a pause that is left to chance, from 0 to 1, so that
	// those who failed together do not come back together.
	Jitter float64
	// Patience is the longest wait named by the vendor that is waited here; 0 is
	// Max. A longer one is the caller's, who can keep it on disk.
	Patience time.Duration
	// Total is how long one answer may take with all its tries; 0 is 3 min.
	Total  time.Duration
	RPS    float64 // tries a second at most, of all answers; 0: no bound
	AtOnce int     // tries under way at most; 0: no bound
	Price  Price
	// Sleep passes the time between tries, or returns the error of its context; nil: on
	// the clock of the host. Whoever plays a day in a second gives another.
	Sleep func(context.Context, time.Duration) error
}

// Price is what tokens cost, in dollars for 1,000. The zero value is no price: Nanos
// stays as the model gives it.
type Price struct {
	In, Out float64
	Cached  float64 // of In, what came from the vendor's cache; 0: as In
}

// Model is an llm.Model, safe for concurrent use.
type Model struct {
	model  llm.Model
	cfg    Config
	places chan struct{} // nil: no bound
	pace   *pace
	log    *slog.Logger
}

var _ llm.Model = (*Model)(nil)

// New returns a Model that asks another. The logger may be nil.
func New(m llm.Model, cfg Config, log *slog.Logger) *Model {
	if cfg.Attempts <= 0 {
		cfg.Attempts = 3
	}
	if cfg.Base <= 0 {
		cfg.Base = time.Second
	}
	if cfg.Max <= 0 {
		cfg.Max = 30 * time.Second
	}
	if cfg.Patience <= 0 {
		cfg.Patience = cfg.Max
	}
	if cfg.Total <= 0 {
		cfg.Total = 3 * time.Minute
	}
	if cfg.Sleep == nil {
		cfg.Sleep = sleep
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &Model{model: m, cfg: cfg, pace: newPace(cfg.RPS), log: log}
	if cfg.AtOnce > 0 {
		s.places = make(chan struct{}, cfg.AtOnce)
	}
	return s
}

// Name implements llm.Model: it is the other's.
func (s *Model) Name() string { return s.model.Name() }

// Generate implements llm.Model. An error is that of the last try.
func (s *Model) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) {
	total, cancel := context.WithTimeout(ctx, s.cfg.Total)
	defer cancel()
	began, say := false, r.Stream
	if say != nil {
		r.Stream = func(text string) {
			if text != "" {
				began = true
				say(text)
			}
		}
	}
	garbled, silent := false, false
	for try := 1; ; try++ {
		tried := time.Now()
		reply, err := s.try(total, r)
		if err == nil || errors.Is(err, llm.ErrEmpty) {
			if reply.Usage.In+reply.Usage.Out == 0 {
				reply.Usage = llm.Estimate(r, reply)
			}
			reply.Usage = s.cfg.Price.Of(reply.Usage)
			return reply, err
		}
		if ctx.Err() == nil && total.Err() != nil && errors.Is(err, total.Err()) {
			return llm.Reply{}, fmt.Errorf("%s: %w, tried for %s", s.Name(), llm.ErrSlow, s.cfg.Total)
		}
		wait, again := s.again(err, try)
		if again && errors.Is(err, llm.ErrGarbled) {
			again, garbled = !garbled, true
		}
		if errors.Is(err, llm.ErrSilent) && try < s.cfg.Attempts && !silent {
			// It may have hung this once; if there is time to wait as long again, it is asked again.
			end, ok := total.Deadline()
			wait, again, silent = 0, !ok || time.Until(end) >= time.Since(tried), true
		}
		if end, ok := total.Deadline(); ok && time.Until(end) <= wait {
			again = false // it would be too late
		}
		if !again || ctx.Err() != nil {
			return llm.Reply{}, err
		}
		s.log.Warn("model call will be tried again", "model", s.Name(), "try", try, "wait", wait, "err", err)
		if s.cfg.Sleep(ctx, wait) != nil {
			return llm.Reply{}, err
		}
		if began {
			began = false
			say("")
		}
	}
}

// try asks once, when there is a place and the pace allows it.
func (s *Model) try(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if s.places != nil {
		select {
		case s.places <- struct{}{}:
			defer func() { <-s.places }()
		case <-ctx.Done():
			return llm.Reply{}, fmt.Errorf("wait for one of %d places at %s: %w", s.cfg.AtOnce, s.Name(), ctx.Err())
		}
	}
	if err := s.pace.wait(ctx); err != nil {
		return llm.Reply{}, fmt.Errorf("keep to %g requests a second at %s: %w", s.cfg.RPS, s.Name(), err)
	}
	return s.model.Generate(ctx, r)
}

// again says whether another try may help, and after what pause. Who has waited in
// vain does not wait again, but for a beginning once: another model may be there. Who got an empty answer can
// do better than ask the same: it can say so to the model.
func (s *Model) again(err error, try int) (time.Duration, bool) {
	if errors.Is(err, llm.ErrEmpty) {
		return 0, false
	}
	busy := errors.Is(err, llm.ErrBusy) && !errors.Is(err, llm.ErrSlow)
	if try >= s.cfg.Attempts || !busy && !errors.Is(err, llm.ErrGarbled) {
		return 0, false
	}
	var named *llm.WaitError
	if errors.As(err, &named) {
		return named.After, named.After <= s.cfg.Patience
	}
	return s.pause(try), true
}

// pause is how long to wait after the nth try in a row that failed.
func (s *Model) pause(n int) time.Duration {
	d := min(float64(s.cfg.Base)*math.Pow(2, float64(n-1)), float64(s.cfg.Max))
	return time.Duration(d * (1 - s.cfg.Jitter*rand.Float64()))
}

// Of returns a Usage with its price.
func (p Price) Of(u llm.Usage) llm.Usage {
	if p == (Price{}) {
		return u
	}
	cached := p.Cached
	if cached == 0 {
		cached = p.In
	}
	// A dollar for 1,000 tokens is a million nanodollars for one.
	const each = 1e6
	u.Nanos = int64(math.Round(each * (p.In*float64(u.In-u.Cached) + cached*float64(u.Cached) + p.Out*float64(u.Out))))
	return u
}
