package bot

import (
	"context"
	"errors"
	"fmt"

	"hermes/agent/run"
)

// An Auditor keeps what people tried who may not.
type Auditor interface {
	// Refused keeps a Refusal; one with the same About and Key is kept once.
	Refused(context.Context, Refusal) error
}

// A Refusal is a try that came to nothing because of who tried.
type Refusal struct {
	Key   string // of the message or press; it counts once
	Who   string // Person
	Try   string // what: "press", "message", or the choice of an answer
	About string // a question or a run; "policy" if it is for whom the bot works at all
	Place Place
}

// refused tells the Auditor of a try, if err says that it was one of somebody who may
// not.
func (b *Bot) refused(ctx context.Context, it Item, by, try, about string, err error) error {
	if b.Audit == nil || !errors.Is(err, run.ErrNotAllowed) {
		return nil
	}
	return b.keepRefusal(ctx, Refusal{Key: it.Key, Who: by, Try: try, About: about, Place: it.Place})
}

// unwelcome tells the Auditor that the bot does not work for somebody.
func (b *Bot) unwelcome(ctx context.Context, it Item, by, try string) error {
	if b.Audit == nil {
		return nil
	}
	return b.keepRefusal(ctx, Refusal{Key: it.Key, Who: by, Try: try, About: "policy", Place: it.Place})
}

func (b *Bot) keepRefusal(ctx context.Context, r Refusal) error {
	if err := b.Audit.Refused(ctx, r); err != nil {
		return fmt.Errorf("what %s tried: %w", r.Who, err)
	}
	return nil
}

// A Roster is a platform that knows who is in a channel.
type Roster interface {
	// In reports whether a person is in the channel of a Place. Of a channel that the
	// bot cannot see it says no.
	In(ctx context.Context, person string, p Place) (bool, error)
}
