package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hermes/agent/run"
)

// settledRev is the Rev of a card once it is settled: higher than those which say who
// has agreed so far.
const settledRev = 1000

// agreed says on a card who has agreed so far, and to who just has what is missing.
func (b *Bot) agreed(ctx context.Context, it Item, q run.Question, ans run.Answer) error {
	home, err := ParsePlace(q.Home)
	if err != nil {
		return fmt.Errorf("home of question %s: %w", q.ID, err)
	}
	draw := func(q run.Question) Post {
		p := card(home, q)
		p.Rev = min(q.Noted, settledRev-1)
		w := words(q.Lang)
		var names []string
		for _, x := range q.Agreed {
			names = append(names, cmp.Or(x.Name, b.nameOf(x.By)))
		}
		lacks, lacking := b.lacks(ctx, w, home.Platform, q)
		said := w.agreedBy(b.named(w, q, ans.Choice), strings.Join(names, w.listed), lacks)
		p.before(naming(said, append(names, lacking...)...).then(phrase{text: "\n\n"}))
		return p
	}
	if err := b.showCard(ctx, q, draw); err != nil {
		return err
	}
	lang := b.lang(it, q)
	lacks, lacking := b.lacks(ctx, words(lang), it.Place.Platform, q)
	return b.tellOne(ctx, it, ans.By, naming(words(lang).youAgreed(lacks), lacking...), lang)
}

// named is the button that was pressed, where there are several that say yes.
func (*Bot) named(w *wording, q run.Question, choice string) string {
	n, label := 0, ""
	for _, o := range q.Options {
		if len(o.Calls) == 0 {
			continue
		}
		if n++; o.ID == choice {
			label = cmp.Or(o.Label, w.label(q, o))
		}
	}
	if n < 2 {
		return ""
	}
	return label
}

// lacks is what a question lacks beside who has agreed, and the names in it in order.
func (b *Bot) lacks(ctx context.Context, w *wording, platform string, q run.Question) (text string, names []string) {
	var all []string
	for _, l := range q.Lacks {
		of := b.namesOf(ctx, platform, l.People)
		all, names = append(all, w.lack(l.N, strings.Join(of, w.comma))), append(names, of...)
	}
	return strings.Join(all, w.also), names
}

// nudge tells people once more of what waits for them: when half of its time is over,
// and when more of them may decide, who then have it before them too. told has what was
// said since the start.
func (b *Bot) nudge(ctx context.Context, told map[string]bool) error {
	nudges, err := b.Agent.Nudges(ctx)
	due := map[string]bool{}
	for _, n := range nudges {
		key := n.Question.ID + "/half"
		if n.Wider {
			key = n.Question.ID + "/wider/" + strconv.FormatInt(n.Due.Unix(), 10)
		}
		due[key] = true
		if told[key] {
			continue
		}
		if fault := b.nudgeOne(ctx, key, n); fault != nil {
			err = errors.Join(err, fmt.Errorf("nudge for %s: %w", n.Question.ID, fault))
			continue
		}
		told[key] = true
	}
	if err == nil {
		for key := range told {
			if !due[key] {
				delete(told, key) // it is answered
			}
		}
	}
	return err
}

func (b *Bot) nudgeOne(ctx context.Context, key string, n run.Nudge) error {
	q := n.Question
	home, err := ParsePlace(q.Home)
	if err != nil {
		return fmt.Errorf("home of question %s: %w", q.ID, err)
	}
	if n.Wider {
		if err := b.showOthers(ctx, home, q); err != nil {
			return err
		}
	}
	w := words(q.Lang)
	names := b.namesOf(ctx, home.Platform, n.People)
	said := naming(w.nudge(strings.Join(names, w.comma), q.Expires, n.Wider), names...)
	p := Post{Key: key, Place: home, Lang: q.Lang, Text: said.text, Names: said.names, Trace: run.TraceOf(q.Run)}
	if err := b.Outbox.Add(ctx, p); err != nil {
		return err
	}
	copies, err := b.copies(ctx, q.ID)
	for _, c := range copies {
		p.Key, p.Place = key+strings.TrimPrefix(c.Key, q.ID), c.Place
		p.Text, p.Names, p.Lang = words(c.Lang).nudge("", q.Expires, n.Wider), nil, c.Lang
		err = errors.Join(err, b.Outbox.Add(ctx, p))
	}
	return err
}
