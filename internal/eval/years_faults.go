package eval

import (
	"fmt"
	"slices"
	"time"

	"hermes/bot"
)

// An event is something that happens to the world at a time on its wall.
type event struct {
	at   time.Time
	what string
	do   func() error
}

// A span is from one time up to another.
type span struct{ from, to time.Time }

func (s span) has(t time.Time) bool { return !t.Before(s.from) && t.Before(s.to) }

func within(all []span, t time.Time) bool {
	return slices.ContainsFunc(all, func(s span) bool { return s.has(t) })
}

// fate is what befalls the two years, made of the seed alone.
type fate struct {
	seed  uint64
	began time.Time
	long  time.Duration

	away     []span            // the program is not there
	asleep   []span            // the host is suspended: nothing runs, and the clock goes on
	chatAway []span            // the chat answers nobody
	mindAway []span            // the model answers nobody, for less than a slot is tried again
	archived map[string][]span // by channel
	cuts     []time.Time       // from then on the next point of that kind
	jumps    []jump
}

// A jump sets the clock on the wall, and later back to what is right.
type jump struct {
	at   time.Time
	by   time.Duration
	back time.Duration // after how long it is set right
}

// newFate is as many misfortunes as fit into a time; scale 1 is for two years.
func newFate(seed uint64, began time.Time, long time.Duration, channels []string) *fate {
	f := &fate{seed: seed, began: began, long: long, archived: map[string][]span{}}
	n := func(twoYears int) int { return max(1, int(float64(twoYears)*long.Hours()/(2*365*24))) }
	for i := range n(36) {
		at := f.moment("away", i)
		f.away = append(f.away, span{at, at.Add(f.length("away", i, 20*time.Minute, 4*24*time.Hour))})
	}
	for i := range n(24) {
		at := f.moment("asleep", i)
		f.asleep = append(f.asleep, span{at, at.Add(f.length("asleep", i, 10*time.Minute, 30*time.Hour))})
	}
	for i := range n(60) {
		at := f.moment("chat", i)
		f.chatAway = append(f.chatAway, span{at, at.Add(f.length("chat", i, 30*time.Second, 90*time.Minute))})
	}
	for i := range n(40) {
		at := f.moment("model", i)
		f.mindAway = append(f.mindAway, span{at, at.Add(f.length("model", i, 10*time.Second, 15*time.Minute))})
	}
	for i := range n(12) {
		at, c := f.moment("archived", i), channels[pick(len(channels), seed, "archived channel", fmt.Sprint(i))]
		f.archived[c] = append(f.archived[c], span{at, at.Add(f.length("archived", i, 24*time.Hour, 20*24*time.Hour))})
	}
	for i := range n(160) {
		f.cuts = append(f.cuts, f.moment("cut", i))
	}
	for i := range n(16) {
		by := f.length("jump", i, 20*time.Minute, 3*time.Hour)
		if i%2 == 1 {
			by = -by
		}
		f.jumps = append(f.jumps, jump{f.moment("jump", i), by, f.length("jump back", i, 30*time.Minute, 10*time.Hour)})
	}
	return f
}

// moment is some time after the reports have been wished for. Half of the moments lie
// close to the times at which many reports come.
func (f *fate) moment(what string, i int) time.Time {
	key := fmt.Sprint(i)
	t := f.began.Add(5*24*time.Hour + time.Duration(chance(f.seed, what, key)*float64(f.long-12*24*time.Hour)))
	if i%2 == 0 {
		t = time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, 1, 0)
		t = t.Add(-2*time.Hour + time.Duration(chance(f.seed, what, key, "near")*float64(12*time.Hour)))
		if last := f.began.Add(f.long - 7*24*time.Hour); t.After(last) {
			t = last.Add(-time.Duration(i) * time.Hour)
		}
	}
	return t.Truncate(time.Second)
}

// length is between two lengths, the short ones as likely as the long ones.
func (f *fate) length(what string, i int, least, most time.Duration) time.Duration {
	x := chance(f.seed, what, fmt.Sprint(i), "length")
	return (least + time.Duration(x*x*float64(most-least))).Truncate(time.Second)
}

// trouble says what becomes of a post.
func (f *fate) trouble(p bot.Post, now time.Time) trouble {
	if within(f.chatAway, now) {
		if chance(f.seed, "away how", p.Key) < 0.5 {
			return busy
		}
		return broken
	}
	switch x := chance(f.seed, "trouble", p.Key, fmt.Sprint(p.Rev, p.Attempt)); {
	case x < 0.04:
		return busy
	case x < 0.06:
		return broken
	case x < 0.08:
		return lost
	}
	return fine
}
