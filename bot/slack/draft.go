package slack

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// What a model has written of its answer so far is shown as what it will be: a stream
// gets the words that have come since, of which it can take nothing back, and a message
// gets all of them again. The answer that stands in the end goes by itself: where the
// stream has other words, they are replaced.

// longestDraft is how much of a draft a message shows.
const longestDraft = 6000

// leadOf is the part of a draft that a longer one begins with too: the text before the
// first table, without the lines that may become one.
func leadOf(draft string) string {
	units := segments(silent.Replace(draft))
	if len(units) == 0 || units[0].table != nil {
		return ""
	}
	lead := pack(units, markdownLimit)[0][0].text
	for {
		head, last := "", lead
		if i := strings.LastIndexByte(lead, '\n'); i >= 0 {
			head, last = lead[:i], lead[i+1:]
		}
		if !strings.Contains(last, "|") {
			return strings.TrimRight(lead, " \t\n")
		}
		if lead = head; lead == "" {
			return ""
		}
	}
}

// draftBlock shows the draft of a message.
func draftBlock(draft, id string) slack.Block {
	return slack.NewMarkdownBlock(id, cut(leadOf(draft), longestDraft)+" …")
}

// more is what a stream still has to be told of the draft, at most n characters or
// nothing. What was said before a tool was called stands above it, until the answer
// settles all. a.mu is held.
func (a *act) more(n int) string {
	if a.full || a.unsure || a.post.Draft == "" {
		return ""
	}
	lead := leadOf(a.post.Draft)
	more, ok := strings.CutPrefix(lead, a.told[a.from:])
	if !ok {
		if lead == "" || a.post.Rev == a.rev {
			return "" // it was begun anew
		}
		more = newDraft + lead
	}
	if len([]rune(more)) > n {
		a.full = true
		return ""
	}
	return more
}

// newDraft stands between two drafts in a stream.
const newDraft = "\n\n"

// tells notes that a stream has more of the draft. a.mu is held.
func (a *act) tells(more string) {
	if more == "" {
		return
	}
	if !strings.HasPrefix(leadOf(a.post.Draft), a.told[a.from:]+more) {
		a.from = len(a.told) + len(newDraft)
	}
	a.told += more
	a.rev = a.post.Rev
}

// replace ends a stream and puts the first page of the answer in the place of all that
// it says. It reports false if an ordinary post must say it. a.mu is held.
func (w *writer) replace(ctx context.Context) (bool, error) {
	a := w.act
	s := w.Slack
	s.roll(ctx, a)
	if a.open {
		return false, w.again() // it takes no end just now
	}
	var blocks []slack.Block
	if len(a.post.Plan.Tasks) > 0 && !w.acts.plain.Load() && len(w.out.pages[0].blocks) < blockLimit {
		blocks = append(blocks, planBlock(*a.post.Plan, shortKey(a.key)))
	}
	pg := w.out.pages[0]
	pg.blocks = append(blocks, pg.blocks...)
	w.out.pages[0] = pg
	a.sealed = w.post.Key
	err := w.paced(ctx, "chat.update", a.channel, func() error { return w.update(ctx, a.channel, a.ts, w.options(0)) })
	switch trouble := troubleOf(err); {
	case err == nil:
		a.pending = false
		return true, nil
	case errors.Is(trouble, bot.ErrRefused):
		w.log.Info("slack does not change a stream to its answer; it is posted", "post", w.post.Key, "err", err)
		a.sealed, a.pending = "", true
		return false, w.again()
	default:
		// If it is not the answer, it goes once another post is.
		a.sealed, a.dead = "", true
		return false, fmt.Errorf("change the stream of %s to its answer: %w", w.post.Key, trouble)
	}
}
