package eval

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"time"

	"hermes/agent/llm"
)

// A speaker is a language model as it is modelled: it takes time, and has troubles. What
// it says is its mind's. It counts no tokens, so the program counts them by its own
// estimate of what it has really sent and got (llm.Estimate).
type speaker struct {
	name  string
	clock *clock
	seed  uint64
	mind  func(ctx context.Context, r llm.Request) llm.Message
	// ails is the error of a call, or nil; nil: it is well.
	ails func(r llm.Request) error

	calls int
	own   time.Duration // really spent in here
}

var _ llm.Model = (*speaker)(nil)

// Name implements llm.Model.
func (s *speaker) Name() string { return s.name }

// Generate implements llm.Model.
func (s *speaker) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) {
	began := time.Now()
	defer func() { s.own += time.Since(began) }()
	s.calls++
	if s.ails != nil {
		if err := s.ails(r); err != nil {
			return llm.Reply{}, err
		}
	}
	reply := llm.Reply{Message: s.mind(ctx, r), Model: s.name}
	s.clock.pass(s.takes(llm.Estimate(r, reply)))
	return reply, nil
}

// How long a model takes: to begin, to read, and to write, with as much left to chance as
// makes one call in twenty take twice as long.
const (
	firstToken   = 700 * time.Millisecond
	readPerToken = 250 * time.Microsecond // 4,000 a second
	writePer     = 18 * time.Millisecond  // 55 a second
)

func (s *speaker) takes(u llm.Usage) time.Duration {
	base := firstToken + time.Duration(u.In)*readPerToken + time.Duration(u.Out)*writePer
	// A log-normal factor with the median 1 and the 95th percentile 2.
	return time.Duration(float64(base) * math.Exp(0.42*normal(s.seed, "latency", s.name, fmt.Sprint(s.calls))))
}

// chance is a number from 0 up to 1, the same for the same names.
func chance(seed uint64, names ...string) float64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	_, _ = h.Write(b[:])
	for _, n := range names {
		_, _ = h.Write([]byte(n))
		_, _ = h.Write([]byte{0})
	}
	x := h.Sum64()
	x ^= x >> 33 // FNV mixes its low bits well, and its high ones less
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

// normal is a number of the standard normal distribution, the same for the same names.
func normal(seed uint64, names ...string) float64 {
	u, v := chance(seed, append(names, "u")...), chance(seed, append(names, "v")...)
	return math.Sqrt(-2*math.Log(1-u)) * math.Cos(2*math.Pi*v)
}

// pick is one of n, the same for the same names.
func pick(n int, seed uint64, names ...string) int { return int(chance(seed, names...) * float64(n)) }
