package bot

import (
	"cmp"
	"context"
	"fmt"
	"strings"
)

// lost tells whom a Post was for, where only they see it, that its place has not taken
// it, why, and what it says: they have asked for it, so it is theirs to read. What was
// to change it later changes that too, so one Post comes to one, and what fails there
// as well is no more than logged.
func (b *Bot) lost(ctx context.Context, p Post, why string) error {
	guide, ok := b.Chats[p.Place.Platform].(Guide)
	switch {
	case p.Kind == Report && p.File == nil && p.By == "":
		// It belongs to an answer, which says why if that is nowhere too.
		return b.Outbox.Add(ctx, Post{Key: p.Key + "/missing", Place: p.Place, Lang: p.Lang, Kind: Trouble, Trace: p.Trace, Text: words(p.Lang).unshown(why)})
	case !ok, p.By == "", p.Gone, p.Kind == Progress, p.Delivered != nil:
		return nil
	}
	alone := guide.Alone(p.By)
	if alone == p.Place {
		return b.unheard(ctx, guide, p)
	}
	w := words(p.Lang)
	what, err := b.whatFor(ctx, w, p)
	if err != nil {
		return err
	}
	say := w.lostRest
	switch {
	case why == w.unknown:
		say = w.lostDoubt
	case p.Question != "" && len(p.Choices) > 0:
		say = w.lostCard
	case p.Of != "":
		say = w.lostAnswer
	}
	mine := Post{
		Key: p.Key + "/lost", Rev: p.Rev, Place: alone, Text: p.Text, Names: p.Names, Lang: p.Lang, Kind: p.Kind, Trace: p.Trace,
		Question: p.Question, Choices: p.Choices, Artifact: p.Artifact, Hash: p.Hash, Files: p.Files, Footer: p.Footer, By: p.By,
	}
	if mine.Footer == "" && p.Trace != "" {
		mine.Footer = w.trace(p.Trace)
	}
	mine.before(phrase{text: say(what, guide.PlaceName(ctx, p.Place), why) + "\n\n"})
	if err := b.Outbox.Add(ctx, mine); err != nil {
		return fmt.Errorf("what %s was for: %w", p.Key, err)
	}
	if p.Of == "" || p.Rev > 0 {
		return nil
	}
	out, _, err := b.Agent.Outcome(ctx, p.Of)
	if err != nil {
		return fmt.Errorf("reports of %s: %w", p.Of, err)
	}
	for i, id := range out.Shows {
		if id == p.Artifact || out.Key != p.Key {
			continue
		}
		show := Post{Key: fmt.Sprintf("%s/show%d", mine.Key, i+1), Place: alone, Lang: p.Lang, Kind: Report, Artifact: id, Trace: p.Trace, After: mine.Key}
		if err := b.Outbox.Add(ctx, show); err != nil {
			return fmt.Errorf("show %s: %w", id, err)
		}
	}
	return nil
}

// unheard tells the admins of a schedule whose owner cannot be told that what it has made
// came to nobody: which one, and not what it says.
func (b *Bot) unheard(ctx context.Context, guide Guide, p Post) error {
	slot, ok := strings.CutPrefix(p.Key, "job/")
	job, _, cut := strings.Cut(slot, "@")
	if !ok || !cut || p.Rev > 0 {
		return nil
	}
	name := b.nameOf(p.By)
	for _, admin := range b.cfg.Approvers {
		at := guide.Alone(admin)
		if admin == p.By || !sameWorkspace(admin, p.By) {
			continue
		}
		say := naming(words(p.Lang).unheard(name, job), name)
		tell := Post{Key: p.Key + "/admin/" + admin, Place: at, Text: say.text, Names: say.names, Lang: p.Lang, Kind: Notice, Trace: p.Trace, By: admin}
		if err := b.Outbox.Add(ctx, tell); err != nil {
			return fmt.Errorf("tell %s of %s: %w", admin, p.Key, err)
		}
	}
	return nil
}

// TellAltered tells the admins of a row in the database that somebody else has written, and
// that is not acted on: which one, and not what it says.
func (b *Bot) TellAltered(ctx context.Context, table, key string) error {
	for _, admin := range b.cfg.Approvers {
		platform, _, _ := strings.Cut(admin, ":")
		guide, ok := b.Chats[platform].(Guide)
		if !ok {
			continue // there is no place where only they read it
		}
		lang := ""
		if l, ok := b.Chats[platform].(Linguist); ok {
			lang = l.Speaks(admin)
		}
		tell := Post{Key: "altered/" + table + "/" + key + "/" + admin, Place: guide.Alone(admin), Lang: lang, Kind: Notice, Text: words(lang).altered(table, key), By: admin}
		if err := b.Outbox.Add(ctx, tell); err != nil {
			return fmt.Errorf("tell %s of %s: %w", admin, key, err)
		}
	}
	return nil
}

// sameWorkspace reports whether two persons are of one workspace of one platform.
func sameWorkspace(a, b string) bool {
	return a[:strings.LastIndexByte(a, ':')+1] == b[:strings.LastIndexByte(b, ':')+1]
}

// longestAsked is how much of what was asked for names it, in characters.
const longestAsked = 60

// whatFor is what a Post is about: the beginning of what was asked for, and where that
// stands. It is empty if nobody knows any more.
func (b *Bot) whatFor(ctx context.Context, w *wording, p Post) (string, error) {
	key := p.Of
	if i := strings.LastIndex(p.Key, "/"); key == "" && i > 0 {
		key = p.Key[:i] // of a run's question, or beside a message
	}
	held, found, err := b.Inbox.Holding(ctx, key)
	if err != nil || !found {
		return "", err
	}
	text, link := "", ""
	switch {
	case held.Message != nil:
		m := held.heard()
		text, link = m.Text, m.Link
		if m.About != nil {
			text = cmp.Or(text, m.About.Text)
		}
	case held.Request != nil:
		text, link = held.Request.Text, held.Request.Source
	}
	if text = briefly(text, longestAsked); text == "" {
		return "", nil
	}
	return w.quoteAsked(text, link), nil
}
