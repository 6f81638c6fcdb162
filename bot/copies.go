package bot

import (
	"context"
	"fmt"
	"strings"

	"hermes/agent/run"
)

// mostCopies is before how many people a card is put beside its home: more would be
// told of what somebody else has long decided. It is looked for so many where they are.
const (
	mostCopies = 5
	mostLooked = 20
)

// copyMark stands in the Key of a copy between the question and the person.
const copyMark = "/for/"

// CopyKey is the Key of the Post that has the card of a question before a Person alone.
func CopyKey(question, person string) string { return question + copyMark + person }

// A GroupNamer knows how people call a group ("platform:workspace:group").
type GroupNamer interface {
	// GroupName is empty for one that is not known.
	GroupName(ctx context.Context, group string) string
}

// showOthers puts the card of an open approval also before those who are waited for and
// are not where it stands: each has it in the conversation that nobody else sees. It may
// be called again; who has it has it once.
func (b *Bot) showOthers(ctx context.Context, home Place, q run.Question) error {
	n, people := 0, b.Agent.Awaited(ctx, q)
	for _, person := range people[:min(len(people), mostLooked)] {
		platform, _, _ := strings.Cut(person, ":")
		guide, ok := b.Chats[platform].(Guide)
		if !ok || person == q.Asked || n == mostCopies || b.isAt(ctx, person, home, guide) {
			continue
		}
		n++
		theirs := b.readBy(q, person)
		p := card(home, theirs)
		p.Key, p.Place, p.By = CopyKey(q.ID, person), guide.Alone(person), ""
		p.before(b.copyOf(ctx, home, theirs))
		if err := b.Outbox.Add(ctx, p); err != nil {
			return fmt.Errorf("card of %s for %s: %w", q.ID, person, err)
		}
	}
	if n == 0 {
		return nil
	}
	// Who was faster has settled those that were there.
	r, ok, err := b.Agent.Look(ctx, q.Run)
	if err != nil || !ok {
		return err
	}
	for _, now := range r.Questions {
		if now.ID == q.ID && now.Answer != nil {
			return b.showCard(ctx, now, func(now run.Question) Post { return settled(home, now) })
		}
	}
	return nil
}

// readBy is a question in the language in which a person reads, as far as that is known
// and it can be said in that.
func (b *Bot) readBy(q run.Question, person string) run.Question {
	if lang := b.speaks(person); lang != "" {
		q, _ = q.In(lang)
	}
	return q
}

// speaks is the language in which a person reads, empty if nobody knows.
func (b *Bot) speaks(person string) string {
	platform, _, _ := strings.Cut(person, ":")
	if l, ok := b.Chats[platform].(Linguist); ok {
		return l.Speaks(person)
	}
	return ""
}

// isAt reports whether a person sees what is said at a home. Where nobody can say, they
// do not.
func (b *Bot) isAt(ctx context.Context, person string, home Place, guide Guide) bool {
	alone := guide.Alone(person)
	if alone.Platform != home.Platform || alone.Workspace != home.Workspace {
		return false
	}
	if alone.Channel == home.Channel {
		return true
	}
	roster, ok := b.Chats[home.Platform].(Roster)
	if !ok {
		return true // a platform that has no channels of some
	}
	home.Thread = ""
	in, err := roster.In(ctx, person, home)
	if err != nil {
		b.Log.Warn("nobody can say who is where a card stands; it is put before who decides as well", "place", home, "person", person, "err", err)
	}
	return in && err == nil
}

// copyOf says over a copy who asks, and where.
func (b *Bot) copyOf(ctx context.Context, home Place, q run.Question) phrase {
	where := ""
	if guide, ok := b.Chats[home.Platform].(Guide); ok {
		where = guide.PlaceName(ctx, home)
	}
	name := b.nameOf(q.Asked)
	return naming(words(q.Lang).asksThere(name, where, q.Answer == nil)+"\n\n", name)
}

// copies are the copies of a card.
func (b *Bot) copies(ctx context.Context, question string) ([]Post, error) {
	posts, err := b.Outbox.Asking(ctx, question)
	if err != nil {
		return nil, fmt.Errorf("cards of %s: %w", question, err)
	}
	var all []Post
	for _, p := range posts {
		if strings.HasPrefix(p.Key, question+copyMark) {
			all = append(all, p)
		}
	}
	return all, nil
}

// showCard changes a card, wherever it stands: draw makes it of the question in the
// language of its readers.
func (b *Bot) showCard(ctx context.Context, q run.Question, draw func(run.Question) Post) error {
	p := draw(q)
	if err := b.Outbox.Add(ctx, p); err != nil {
		return fmt.Errorf("card of %s: %w", q.ID, err)
	}
	copies, err := b.copies(ctx, q.ID)
	if err != nil {
		return err
	}
	for _, c := range copies {
		theirs, _ := q.In(c.Lang)
		like := draw(theirs)
		like.Key, like.Place, like.By = c.Key, c.Place, ""
		like.before(b.copyOf(ctx, p.Place, theirs))
		if err := b.Outbox.Add(ctx, like); err != nil {
			return fmt.Errorf("card of %s: %w", c.Key, err)
		}
	}
	return nil
}
