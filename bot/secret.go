package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hermes/internal/redact"
)

// discreet is a Message as it may be kept: without the secrets that somebody wrote into
// it, of which it names the kinds. What the platform sent along loses what its own names
// call a secret, too.
func (b *Bot) discreet(m Message) Message {
	found := b.Redact.Has(m.Text)
	if m.About != nil && m.Text == "" {
		found = nil // somebody else wrote it
	}
	m = redact.Deep(b.Redact, m)
	if len(m.Raw) > 0 {
		m.Raw = []byte(b.Redact.Text(string(m.Raw)))
	}
	m.Secrets = found
	return m
}

// warn tells who wrote a secret into what an Item is about that it is gone here, and not
// gone where they wrote it.
func (b *Bot) warn(ctx context.Context, it Item) error {
	if it.Message == nil {
		return nil
	}
	kinds := slices.Clone(it.Message.Secrets)
	for _, l := range it.Lines {
		kinds = append(kinds, l.Secrets...)
	}
	if len(kinds) == 0 {
		return nil
	}
	slices.Sort(kinds)
	lang := langOf(it)
	names := make([]string, 0, len(kinds))
	for _, k := range slices.Compact(kinds) {
		names = append(names, strings.ReplaceAll(k, "-", " "))
	}
	if err := b.Outbox.Add(ctx, Post{
		Key: it.Message.Key + "/secret", Place: it.Place, Lang: lang, Text: words(lang).secret(strings.Join(names, ", ")), By: it.Message.From,
	}); err != nil {
		return fmt.Errorf("secret in %s: %w", it.Message.Key, err)
	}
	return nil
}
