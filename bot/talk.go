package bot

import (
	"context"
	"fmt"
	"time"

	"hermes/agent/run"
	"hermes/router"
)

// talk answers a Message or works on a Run. A Message that the router takes for
// something else the second time makes no difference, since the Agent goes by the
// first Request of a Key.
func (b *Bot) talk(ctx context.Context, it Item) error {
	if r := it.Request; r != nil {
		if r.Ready != nil {
			if denied, err := b.denies(ctx, it, *r); denied || err != nil {
				return err
			}
		}
		return b.think(ctx, it, *r, nil)
	}
	m := it.heard()
	lang, quoted := langOf(it), aboutOf(m)
	if len(quoted) > 0 && m.Text == "" {
		m.Text = words(lang).explain
	}
	m, lang = wordless(m, lang)
	d := withFiles(m, b.route(ctx, m))
	b.Log.Debug("message routed", "message", m.Key, "intent", d.Kind, "confidence", d.Confidence, "reason", d.Reason)
	if d.Kind == router.Ignore {
		return b.ignore(ctx, m, notForUs)
	}
	if m.Standing == Machine {
		if answers, err := b.converse(ctx, it, m); err != nil || !answers {
			return err
		}
	} else if meant, err := b.meant(ctx, m, d); err != nil {
		return err
	} else if !meant {
		return b.ignore(ctx, m, colleagues)
	}
	access, why, err := b.accessOf(ctx, m)
	switch {
	case err != nil:
		return err
	case access == Nothing && m.Standing == Machine:
		return b.ignore(ctx, m, fromBot)
	case access == Nothing:
		return b.deny(ctx, it, m, why)
	case b.stale(m) && (d.Kind == router.Chitchat || d.Kind == router.Command):
		return b.ignore(ctx, m, stalePast)
	}
	if err := b.warn(ctx, it); err != nil {
		return err
	}
	note, alone, err := b.talksOnly(ctx, it, m, d, access, why)
	switch {
	case err != nil || alone:
		return err
	case d.Kind == router.Command, b.isGrants(m):
		return b.command(ctx, it, m, lang)
	}
	zone := m.Zone
	if zone == "" {
		zone = b.cfg.Zone
	}
	now := m.At
	if loc, err := time.LoadLocation(zone); err == nil {
		now = now.In(loc)
	} else {
		b.Log.Warn("zone is not known", "zone", zone, "person", m.From, "err", err)
		zone, now = "UTC", now.UTC()
	}
	before, is, retaken, err := b.retaken(ctx, it, m)
	if err != nil {
		return err
	}
	switch {
	case retaken && is == router.Question:
		return b.leave(ctx, it, m, lang)
	case retaken:
		m.Text, m.Files = before.Text, before.Files
		d = router.Decision{Kind: is, Reason: "corrected in words", Confidence: 1}
	}
	chat := d.Kind == router.Chitchat
	if b.stale(m) {
		return b.offer(ctx, it, m, now.Location())
	}
	if d.Kind == router.Task && corrects(m.Text) || retaken {
		if err := b.supersede(ctx, it, m.From, nil); err != nil {
			return err
		}
	}
	req := run.Request{
		Key:     m.Key,
		Home:    it.Place.String(),
		Asker:   m.From,
		Profile: b.cfg.Profiles[m.Place.Channel],
		Text:    m.Text,
		Lang:    lang,
		Now:     now,
		Zone:    zone,
		Intent:  string(d.Kind),
		Routed:  routed(d),
		NoTools: chat || access == Chat,
		Light:   chat,
		Others:  it.others(),
		Source:  m.Link,
		Heard:   quoted,
	}
	if err := b.bring(ctx, it, m, &req); err != nil {
		return err
	}
	if offersTask(req) && access == Everything && note == nil {
		note = func(p *Post, out run.Outcome) {
			if out.State == run.Done && out.Question == nil && p.Question == "" && len(p.Choices) == 0 {
				p.Question, p.Choices = retakePrefix+req.Key, []Choice{{ID: choiceTask, Label: words(lang).asTask}}
			}
		}
	}
	return b.think(ctx, it, req, note)
}

// aboutOf is what a Message is about, as something that others said.
func aboutOf(m Message) []run.Line {
	if m.About == nil {
		return nil
	}
	return []run.Line{lineOf(*m.About)}
}

// think has the Agent answer. What note makes of the answer is what people see.
func (b *Bot) think(ctx context.Context, it Item, req run.Request, note func(*Post, run.Outcome)) error {
	defer b.stage.enter(req.Key, it.Attempt-1)()
	out, err := b.Agent.Start(ctx, req, b.moving(it, b.watcher(it.Place)))
	if err != nil {
		return fmt.Errorf("answer %s: %w", req.Key, err)
	}
	if out.Key == "" {
		return nil
	}
	p, shows := b.ending(ctx, it.Place, req.Key, out.Lang, out)
	if note != nil {
		note(&p, out)
	}
	if err := b.put(ctx, p, shows, out.Key); err != nil {
		return err
	}
	if q := out.Question; q != nil && q.Kind == run.Approve && q.Answer == nil {
		if err := b.showOthers(ctx, it.Place, *q); err != nil {
			return err
		}
		return b.supersede(ctx, it, q.Asked, q)
	}
	return nil
}

// moving tells the inbox of the first state that is new. A Run that was stopped
// often, and each time somewhere else, is not what stops the program.
func (b *Bot) moving(it Item, watch func(context.Context, run.Run) error) func(context.Context, run.Run) error {
	states := 0
	return func(ctx context.Context, r run.Run) error {
		if states++; states == 2 && it.Attempt > 1 {
			if err := b.Inbox.Moved(ctx, it); err != nil {
				return err
			}
		}
		return watch(ctx, r)
	}
}

// answer puts what came of a Run into the outbox: the answer or the card, and
// whatever else people should see.
func (b *Bot) answer(ctx context.Context, home Place, key, lang string, out run.Outcome) error {
	p, shows := b.ending(ctx, home, key, lang, out)
	return b.put(ctx, p, shows, out.Key)
}

// ending is what people see of an Outcome: a Post with the newest of its artifacts,
// and those that need posts of their own.
func (b *Bot) ending(ctx context.Context, home Place, key, lang string, out run.Outcome) (p Post, shows []string) {
	p, shows = b.reply(home, key, lang, out), out.Shows
	b.saySpent(ctx, &p, out)
	b.sayAgain(ctx, &p, key, out)
	if p.Artifact == "" && len(shows) > 0 {
		p.Artifact, shows = shows[len(shows)-1], shows[:len(shows)-1]
	}
	return p, shows
}

func (b *Bot) put(ctx context.Context, p Post, shows []string, key string) error {
	for i, id := range shows {
		show := Post{Key: fmt.Sprintf("%s/show%d", key, i+1), Place: p.Place, Lang: p.Lang, Kind: Report, Artifact: id, Trace: p.Trace}
		if err := b.Outbox.Add(ctx, show); err != nil {
			return fmt.Errorf("show %s: %w", id, err)
		}
	}
	return b.Outbox.Add(ctx, p)
}

// watcher shows the steps of a Run at its home as they come, and tells the slot
// that it stands for how it ended.
func (b *Bot) watcher(home Place) func(context.Context, run.Run) error {
	return func(ctx context.Context, r run.Run) error {
		if b.showsProgress(r) {
			if err := b.show(ctx, home, r); err != nil {
				return err
			}
		}
		if err := b.warnSpent(ctx, home, r); err != nil {
			return err
		}
		for _, q := range r.Questions {
			if r.State == run.Suspended && q.Answer != nil && q.Answer.Choice == run.Ceased {
				q.Answer.Name = b.nameOf(q.Answer.By)
				if err := b.showCard(ctx, q, func(q run.Question) Post { return settled(home, q) }); err != nil {
					return err
				}
			}
		}
		return b.tellSlot(ctx, r)
	}
}

// showsProgress reports whether a Run has something to show beside its answer:
// work does from the start, and a question too where a language model may think about
// it for long; else a question once it takes more than one step. What has
// been shown once is shown to its end.
func (b *Bot) showsProgress(r run.Run) bool {
	if r.NoTools {
		return false
	}
	return b.cfg.HasModel || r.Intent != string(router.Question) || len(r.Steps) > 2 || len(r.Questions) > 0
}
