package bot

import (
	"sync"
)

// A Board is for platforms whose pages read what the Desk has: it has what Runs at work
// show beside the outbox. Its zero value is ready for use.
type Board struct {
	mu   sync.Mutex
	all  map[string]Post // by Key, the newest Progress of each Run at work
	news map[Place]bool
}

// Posted notes a Post that was brought to the platform.
func (b *Board) Posted(p Post) {
	if p.Kind != Progress {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.Plan == nil || p.Plan.Over {
		delete(b.all, p.Key)
		return
	}
	if b.all == nil {
		b.all, b.news = map[string]Post{}, map[Place]bool{}
	}
	b.all[p.Key] = p
}

// Show implements Shower.
func (b *Board) Show(p Post) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	was, ok := b.all[p.Key]
	if ok && was.Rev <= p.Rev {
		b.all[p.Key] = p
		b.news[p.Place] = true
	}
	return ok
}

// News returns the places in which something was shown since it was last asked.
func (b *Board) News() []Place {
	b.mu.Lock()
	defer b.mu.Unlock()
	var places []Place
	for p := range b.news {
		places = append(places, p)
	}
	clear(b.news)
	return places
}

// Over returns the Lines of a place as they are by now: the progress of Runs at work as
// it stands, each followed by what its answer is so far.
func (b *Board) Over(lines []Line) []Line {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.all) == 0 {
		return lines
	}
	out := make([]Line, 0, len(lines)+1)
	for _, l := range lines {
		p, ok := b.all[l.Key]
		if ok && p.Rev >= l.Rev {
			l.Rev, l.Text, l.Choices = p.Rev, p.Text, p.Choices
		}
		out = append(out, l)
		if ok && p.Rev >= l.Rev && p.Draft != "" {
			out = append(out, Line{
				Key: p.Key + "/draft", Rev: len(p.Draft), At: l.At, Text: p.Draft + " …", Lang: l.Lang, Place: l.Place,
				Trace: l.Trace, Only: l.Only, State: "writing",
			})
		}
	}
	return out
}
