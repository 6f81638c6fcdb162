package fakeslack

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// A tier is how often a method may be called in a minute, as Slack lists it. A
// minute's worth may come at once.
type tier int

const (
	t1   tier = 1
	t2   tier = 20
	t3   tier = 50
	t4   tier = 100
	t600 tier = 600 // special ones
)

// chat.postMessage has a limit of its own: one a second in a channel, of which a few
// may come at once.
const (
	postRate  = 1.0
	postBurst = 5.0
)

// A bucket holds what may still be called.
type bucket struct {
	tokens float64
	at     time.Time
}

// take takes one out, or says how long to wait for it.
func (b *bucket) take(now time.Time, perSecond, most float64) time.Duration {
	if b.at.IsZero() {
		b.tokens = most
	} else {
		b.tokens = math.Min(most, b.tokens+now.Sub(b.at).Seconds()*perSecond)
	}
	b.at = now
	if b.tokens < 1 {
		return time.Duration((1 - b.tokens) / perSecond * float64(time.Second))
	}
	b.tokens--
	return 0
}

// LimitRates lets calls be limited as Slack's tiers do, or stops that.
func (s *Server) LimitRates(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limited, s.buckets = on, map[string]*bucket{}
}

// limit returns how long a method is not to be called. Only that method is limited,
// and of posts only those to one channel.
func (s *Server) limit(name string, a args) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.limited {
		return 0
	}
	now := s.clock.Now()
	take := func(key string, perSecond, most float64) time.Duration {
		if s.buckets[key] == nil {
			s.buckets[key] = &bucket{}
		}
		return s.buckets[key].take(now, perSecond, most)
	}
	if name == "chat.postMessage" {
		if wait := take(name+" "+a["channel"], postRate, postBurst); wait > 0 {
			return wait
		}
	}
	t := float64(methods[name].tier)
	if t == 0 {
		return 0
	}
	return take(name, t/60, t)
}

func tooMany(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	writeJSON(w, http.StatusTooManyRequests, reply{"ok": false, "error": "ratelimited"})
}
