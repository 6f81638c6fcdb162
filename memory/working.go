package memory

import (
	"regexp"
	"slices"
	"sync"
	"time"
)

// idle is how long a conversation is silent until what holds in it alone is over.
const idle = 2 * time.Hour

// A Working memory holds what was said for one conversation and no longer: "just this
// once, be brief". It is in RAM alone, ends when the conversation is silent for two
// hours, and is safe for concurrent use.
type Working struct {
	now func() time.Time

	mu   sync.Mutex
	held map[hold]*session
}

// A hold is a conversation and whose wish it is: what one person wants once is not what
// the others in the thread want.
type hold struct{ place, person string }

type session struct {
	facts []Fact
	last  time.Time
}

// mostHeld is how many facts hold in one conversation at most: the newest.
const mostHeld = 20

// NewWorking returns an empty Working memory.
func NewWorking(now func() time.Time) *Working { return &Working{now: now, held: map[hold]*session{}} }

// Hold keeps a fact for its place and the person who said it. Of one subject and a
// predicate that has one object the newer takes the place of the older.
func (w *Working) Hold(f Fact) error {
	switch {
	case f.By == "":
		return ErrNobody
	case f.Place == "":
		return ErrNoAudience
	case fold(f.Object) == "":
		return ErrEmpty
	}
	f.Object, f.Text = clip(f.Object), clip(f.Text)
	if slices.Contains(preferences, f.Predicate) {
		f.Object = Normalize(f.Predicate, f.Object)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sweep()
	key := hold{f.Place, f.By}
	h := w.held[key]
	if h == nil {
		h = &session{}
		w.held[key] = h
	}
	h.last = w.now()
	h.facts = slices.DeleteFunc(h.facts, func(g Fact) bool {
		return g.Subject == f.Subject && g.Predicate == f.Predicate && (Single(f.Predicate) || sameObject(g, f))
	})
	h.facts = append(h.facts, f)
	h.facts = h.facts[max(0, len(h.facts)-mostHeld):]
	return nil
}

// Held returns what holds for a person in a conversation, and keeps it alive.
func (w *Working) Held(place, person string) []Fact {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sweep()
	h := w.held[hold{place, person}]
	if h == nil {
		return nil
	}
	h.last = w.now()
	return slices.Clone(h.facts)
}

// End drops what holds in a conversation: it is over.
func (w *Working) End(place string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for k := range w.held {
		if k.place == place {
			delete(w.held, k)
		}
	}
}

// sweep drops what is over. There are few conversations in two hours.
func (w *Working) sweep() {
	since := w.now().Add(-idle)
	for k, h := range w.held {
		if !h.last.After(since) {
			delete(w.held, k)
		}
	}
}

var once = regexp.MustCompile(`(?i)\b(?:(?:just|only) (?:for )?(?:this (?:once|time)|now|today)|this (?:once|time)(?: only)?|for this (?:one|answer|reply|conversation|thread)|only once)\b` +
	`|(?:就|只|仅)(?:这|此)(?:一)?(?:次|回)|(?:这|此)(?:一)?(?:次|回)(?:就|先|请|用|要)|仅(?:限)?(?:本|这)次|下不为例`)

// Once reports whether a wish is for now alone, and so not for keeping.
func Once(text string) bool { return once.MatchString(text) }
