package bot

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"hermes/agent/run"
)

// correction is how people begin, or end, when they want something else than what
// they have just asked for.
var correction = regexp.MustCompile(`(?i)^(?:(?:oh|um+|uh|hm+|oops|ah|sorry|please)[\s,.!…—–-]+)*` +
	`(?:no\s*[,.!;:…—–-]|nope\b|no\s+(?:wait|actually|sorry|make|use|post|send|put|change|do|not|don't|instead|i\b)|` +
	`wait\b|hold on\b|hang on\b|instead\b|actually\b|rather\b|correction\b|scratch that\b|i meant\b|i mean\b|my mistake\b|on second thou?ght\b|change (?:it|that|this) to\b)` +
	`|\binstead\s*[.!]*$` +
	`|^(?:哦|啊|呃|抱歉|不好意思)?[，,。！!\s]*(?:等等|等一下|等一等|等下|慢着|不对|不是|错了|我说错了|说错了|搞错了|不[，,。！!\s]|改成|改为|改到|改发|换成|还是|更正|应该是)` +
	`|(?:改成|改为|改到|改发|换成)`)

// corrects reports whether a text takes back what was asked for before.
func corrects(text string) bool { return correction.MatchString(strings.TrimSpace(text)) }

// supersede ends what waits for a press in the place of an Item, if who asked for it
// now asks for something else, or with like for the same again: two cards of which
// one is meant could both be pressed. Its card says so, and so does its end. The
// place is ours while the Item is, so nobody else is in Start for it.
func (b *Bot) supersede(ctx context.Context, it Item, by string, like *run.Question) error {
	old, err := b.Agent.CallOff(ctx, it.Place.String(), by, like)
	if err != nil {
		return fmt.Errorf("call off what %s replaces: %w", it.Key, err)
	}
	for _, r := range old {
		out, err := b.Agent.Start(ctx, run.Request{Key: r.Key, Home: r.Home}, b.watcher(it.Place))
		if err != nil {
			return fmt.Errorf("end %s: %w", r.Key, err)
		}
		if out.Key == "" {
			continue
		}
		p, shows := b.ending(ctx, it.Place, r.Key, out.Lang, out)
		if out.Why == run.Stopped {
			p.Text, p.Choices = words(out.Lang).superseded, nil
		}
		if err := b.put(ctx, p, shows, out.Key); err != nil {
			return err
		}
	}
	return nil
}
