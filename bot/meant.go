package bot

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"hermes/router"
)

// certain is how sure the router must be of words that nobody has addressed to the bot,
// and likely of those that end with a question mark: less, and they are what people
// say to each other. A word or two are clear only to whom they answer.
const (
	certain    = 0.8
	clearWords = 4
	likely     = 0.6
)

// meant reports whether a Message is for the bot. In a thread those whom it works for
// there need not call it again; what others say to each other is theirs, unless it
// clearly wants something.
func (b *Bot) meant(ctx context.Context, m Message, d router.Decision) (bool, error) {
	if m.Addressed || m.Direct || m.Via != ByPost || clearly(m.Text, d) {
		return true, nil
	}
	serves, err := b.Agent.Serves(ctx, m.Place.String(), m.From)
	if err != nil {
		return false, fmt.Errorf("whether %s is meant: %w", m.Key, err)
	}
	return serves, nil
}

func clearly(text string, d router.Decision) bool {
	if d.Kind != router.Question && d.Kind != router.Task || callsSomebody(text) {
		return false
	}
	return d.Confidence >= certain && length(text) >= clearWords || inquires(text) && d.Confidence >= likely
}

// inquires reports whether a text ends with a question mark.
func inquires(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}

// asksAnew reports whether words that could answer what the bot has asked are plainly
// a request of their own: the bot is called by name, and a task is put to it in more
// words than answers have.
func (b *Bot) asksAnew(ctx context.Context, m Message) bool {
	if !m.Addressed || length(m.Text) < wordy {
		return false
	}
	d := b.Router.Guess(router.Message{Text: m.Text, Addressed: m.Addressed, InThread: m.InThread, Direct: m.Direct})
	return d.Kind == router.Task && d.Confidence >= plain
}

// plain is how sure the router must be of a new request, and wordy how long that is.
const (
	plain = 0.85
	wordy = 6
)

// length counts words; two Han characters are one.
func length(text string) int {
	n := 0
	for _, w := range strings.Fields(text) {
		if han(w) == 0 {
			n++
		}
	}
	return n + han(text)/2
}

// han counts Chinese characters.
func han(text string) int {
	n := 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			n++
		}
	}
	return n
}

var (
	name         = regexp.MustCompile(`^(\p{Lu}\p{L}+)\s*[,:，：]`)
	interjection = regexp.MustCompile(`(?i)^(?:and|also|actually|but|so|ok|okay|hi|hey|hello|yes|no|wait|well|please|thanks|sorry|now|then|hermes)$`)
)

// callsSomebody reports whether a text begins with the name of somebody else.
func callsSomebody(text string) bool {
	m := name.FindStringSubmatch(strings.TrimSpace(text))
	return m != nil && !interjection.MatchString(m[1])
}
