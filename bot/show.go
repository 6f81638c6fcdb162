package bot

import (
	"context"
	"fmt"
	"sync"
	"time"

	"hermes/agent/run"
	"hermes/internal/redact"
)

// A Shower is a Poster that shows what a Run does while it works, beside the outbox:
// most of it is true for a moment only, and not worth a write to disk.
type Shower interface {
	// Show shows the Progress of a Run, if an earlier Rev of it was brought to the
	// platform by this program, and reports whether that is so. A Rev lower than the
	// last, or the last with an older Draft, is none. It returns at once, and what
	// comes too fast is left out. Nothing of it outlives the program.
	Show(p Post) bool
}

// keptEvery is how often the progress of a Run is written to disk where nobody can
// show it beside the outbox.
const keptEvery = time.Second

// A stage is where the Runs at work in this process are shown. What a Run comes to
// (it begins, waits, goes on, ends) goes the way of all posts; what it does meanwhile
// is shown beside the outbox, so that work writes to disk what has to last.
type stage struct {
	mu  sync.Mutex
	all map[string]*act // by key of the Run
}

// An act is one Run on the stage.
type act struct {
	again int       // how often the work was cut off since the Run came further
	post  Post      // the newest
	state run.State // of the newest that the outbox has; empty before the first
	kept  time.Time // when the outbox got that
}

// enter begins an act of a Run whose work was cut off so often, and returns what ends it.
func (s *stage) enter(key string, again int) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]*act{}
	}
	a := &act{again: again}
	s.all[key] = a
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.all[key] == a {
			delete(s.all, key)
		}
	}
}

// show brings the state of a Run before people.
func (b *Bot) show(ctx context.Context, home Place, r run.Run) error {
	p := progress(home, r)
	b.stage.mu.Lock()
	a := b.stage.all[r.Key]
	if a == nil {
		a = &act{} // nobody works on it any more
	}
	if a.state == "" {
		p.takenUp(r, a.again)
	}
	a.post = p
	lasts := a.state != r.State
	if !lasts && b.shown(p) {
		b.stage.mu.Unlock()
		return nil
	}
	now := b.Now()
	if _, able := b.Chats[home.Platform].(Shower); able && !lasts && now.Sub(a.kept) < keptEvery {
		// Either it is on its way to the platform, and then this one follows it, or
		// another process has brought it there, which is told no more often.
		b.stage.mu.Unlock()
		return nil
	}
	a.state, a.kept = r.State, now
	b.stage.mu.Unlock()
	if err := b.Outbox.Add(ctx, p); err != nil {
		return fmt.Errorf("progress of %s: %w", r.Key, err)
	}
	return nil
}

// Draft shows what a Run's answer is so far, while it is written. An empty text takes
// away what was shown.
func (b *Bot) Draft(key, text string) {
	b.stage.mu.Lock()
	defer b.stage.mu.Unlock()
	a := b.stage.all[key]
	if a == nil || a.state != run.Working || a.post.Draft == text {
		return
	}
	a.post.Draft = text
	b.shown(a.post)
}

// landed shows what has come since a Progress was handed to its platform.
func (b *Bot) landed(p Post) {
	if p.Kind != Progress {
		return
	}
	b.stage.mu.Lock()
	defer b.stage.mu.Unlock()
	if a := b.stage.all[p.Of]; a != nil && a.state == run.Working && (a.post.Rev > p.Rev || a.post.Draft != "") {
		b.shown(a.post)
	}
}

func (b *Bot) shown(p Post) bool {
	chat, ok := b.Chats[p.Place.Platform].(Shower)
	return ok && chat.Show(redact.Deep(b.Redact, p))
}
