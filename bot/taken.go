package bot

import "sync"

// mostTaken is how many Keys are remembered: more than a platform has on their way at once.
const mostTaken = 4096

// taken are the Keys of the Messages that were kept last. A platform brings one again a
// moment later as a matter of course (a mention is two events in Slack), and what is on disk
// need not be written to be found there. The zero value is ready; what it has forgotten the
// Inbox knows.
type taken struct {
	mu   sync.Mutex
	keys map[string]bool
	ring []string // the same, the oldest at next
	next int
}

func (t *taken) has(key string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.keys[key]
}

func (t *taken) note(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.keys[key]:
		return
	case t.keys == nil:
		t.keys = map[string]bool{}
	}
	if len(t.ring) < mostTaken {
		t.ring = append(t.ring, key)
	} else {
		delete(t.keys, t.ring[t.next])
		t.ring[t.next] = key
		t.next = (t.next + 1) % mostTaken
	}
	t.keys[key] = true
}
