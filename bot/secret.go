package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/run"
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

// warnOfFiles tells who attached files with secrets in them what has become of these: the
// text that is kept has lost them, and the file itself has not.
func (b *Bot) warnOfFiles(ctx context.Context, it Item, m Message, req *run.Request) error {
	var names, kinds []string
	for _, f := range req.Files {
		if len(f.Secrets) == 0 || f.Earlier {
			continue
		}
		names = append(names, code(oneLine.Replace(f.Name)))
		for _, k := range f.Secrets {
			if k = strings.ReplaceAll(k, "-", " "); !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(kinds)
	w := words(req.Lang)
	err := b.Outbox.Add(ctx, Post{
		Key: m.Key + "/filesecret", Place: it.Place, Lang: req.Lang, Text: w.fileSecret(w.few(names), strings.Join(kinds, w.listed)), By: m.From,
	})
	if err != nil {
		return fmt.Errorf("secret in files of %s: %w", m.Key, err)
	}
	return nil
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
