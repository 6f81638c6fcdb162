package bot

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"hermes/agent/run"
)

// addition is how people begin, or end, when they add to what they have just asked
// for, or narrow it.
var addition = regexp.MustCompile(`(?i)^(?:please\s+|and\s+|but\s+|oh,?\s+|ok(?:ay)?,?\s+)*` +
	`(?:also|only|just|plus|add|include|exclude|leave out|skip|without|except|make (?:it|that|them)|use|in (?:usd|eur|cny|rmb|gbp|dollars|euros|yuan)|not (?:for |the |by ))\b` +
	`|\b(?:too|as well)\s*[.!]*$` +
	`|^(?:请|那|还有|哦)?[，,\s]*(?:只[看要算查]|仅|就看|光看|也[要看按加算发]|还要|另外|顺便|补充|加上|再加|再按|再算上|算上|包括|去掉|不含|不算|不看|除了|除去|排除|用[^，。]{1,8}(?:计价|算|表示))` +
	`|也要[。！!]*$`)

// mostSteers is how long what steers may be, in words: what is longer is a request of
// its own.
const mostSteers = 20

// steers reports whether a text corrects what was asked for before, or adds to it.
func steers(text string) bool {
	text = strings.TrimSpace(text)
	if length(text) > mostSteers || inquires(text) {
		return false
	}
	return correction.MatchString(text) || addition.MatchString(text)
}

// steer puts what was said into what is under way. If that has come to its end
// meanwhile, it is a turn of its own.
func (b *Bot) steer(ctx context.Context, it Item) error {
	m := *it.Message
	_, taken, err := b.Agent.Steer(ctx, it.Place.String(), m.From, m.Text, m.Key, m.At)
	if err != nil {
		return err
	}
	if !taken {
		return b.Inbox.Add(ctx, Item{Key: m.Key + "/turn", Place: it.Place, Lane: Talk, Message: &m, Lines: []Message{m}})
	}
	if err := b.warn(ctx, it); err != nil {
		return err
	}
	lang := langOf(it)
	return b.Outbox.Add(ctx, Post{Key: m.Key + "/noted", Place: it.Place, Lang: lang, Text: words(lang).noted})
}

// edited begins anew what was edited while it waits or is under way, as it now reads,
// and ends what was taken back. What has been answered stays answered, and who edits it
// is told so; an edit that first calls the bot begins something.
func (b *Bot) edited(ctx context.Context, it Item) error {
	m := *it.Message
	held, found, err := b.Inbox.Holding(ctx, m.Edits)
	if err != nil {
		return err
	}
	key, place, lines := m.Edits, it.Place, []Message{{Key: m.Edits}}
	switch {
	case !found || held.Message == nil:
	case held.Message.Key == m.Key:
		return b.ignore(ctx, m, editOfOwn)
	case held.Steers && m.Text != "":
		return b.steer(ctx, it)
	case held.Lane == Control:
		return b.editInVain(ctx, it, editOfWords, words(langOf(it)).editDone)
	default:
		key, place, lines = held.Message.Key, held.Place, held.Lines
		if len(lines) == 0 {
			lines = []Message{*held.Message}
		}
	}
	out, ended, err := b.Agent.Outcome(ctx, key)
	if err != nil {
		return err
	}
	if ended && (it.Attempt == 1 || out.Why != run.Stopped) {
		return b.editInVain(ctx, it, editTooLate, words(langOf(it)).editLate)
	}
	lines = without(lines, m)
	if m.Text == "" {
		if err := b.hush(ctx, m, key, len(lines) == 0); err != nil {
			return err
		}
	}
	if found {
		if text, err := b.endFor(ctx, it, held, key); err != nil || text != "" {
			return errors.Join(err, b.told(ctx, it, m.From, text))
		}
	}
	if len(lines) == 0 || isStop(m.Text) {
		return b.ignore(ctx, m, tookBack)
	}
	if len(lines) == 1 && lines[0].Key == m.Key && held.Lines == nil {
		lines = nil
	}
	return b.Inbox.Add(ctx, Item{Key: it.Key + "/anew", Place: place, Lane: Talk, Message: &m, Lines: lines})
}

// editInVain tells who has edited something that nothing comes of it. Who has deleted it
// knows what they want.
func (b *Bot) editInVain(ctx context.Context, it Item, why ignored, text string) error {
	if m := *it.Message; m.Text == "" || isStop(m.Text) {
		return b.ignore(ctx, m, why)
	}
	return b.told(ctx, it, it.Message.From, text)
}

// without returns lines with the one that a Message replaces as it now reads.
func without(lines []Message, m Message) []Message {
	var now []Message
	for _, l := range lines {
		if l.Key == m.Edits || l.Edits == m.Edits {
			l = m
			l.Raw = nil
		}
		if l.Text != "" {
			now = append(now, l)
		}
	}
	return now
}

// endFor ends what has the words of an edited Message: it is withdrawn, or its Run is
// stopped. It returns what to tell who may not do that.
func (b *Bot) endFor(ctx context.Context, it, held Item, key string) (string, error) {
	gone, err := b.Inbox.Withdraw(ctx, held.Key)
	if err != nil || gone {
		return "", err
	}
	stopped, err := b.Agent.Stop(ctx, run.Stop{Run: key, By: it.Message.From})
	if text, ok := excuse(run.Question{}, err, langOf(it)); ok {
		return text, nil
	}
	if err != nil {
		return "", fmt.Errorf("stop %s: %w", key, err)
	}
	for _, r := range stopped {
		if err := b.goOn(ctx, it.Key, r.Key, r.Home); err != nil {
			return "", err
		}
	}
	return "", nil
}

func (b *Bot) told(ctx context.Context, it Item, to, text string) error {
	if text == "" {
		return nil
	}
	return b.whisper(ctx, it, to, text, langOf(it))
}
