package slack

import (
	"fmt"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// What Slack takes in one message: 12,000 characters of Markdown, 3,000 in a text
// object, 25 buttons in a row, 75 characters on a button, 255 in an action.
const (
	markdownLimit = 12000
	textLimit     = 3000
	rowLimit      = 25
	labelLimit    = 75
	actionLimit   = 255
	blockLimit    = 50
	// partLimit leaves room for the fences and heads that a cut adds, and for
	// what Slack counts and we do not.
	partLimit = 11500
	// mostParts is how many messages one post becomes; a longer text is a file.
	mostParts = 4
)

// A page is one message as it is sent.
type page struct {
	text   string // for notifications
	blocks []slack.Block
}

// render makes of a Post what Slack shows: one page, or more if the text is longer
// than a message may be. Every way out goes through here, first posts and changes
// alike, so that they look the same.
func render(p bot.Post) ([]page, error) {
	parts := split(quiet.Replace(p.Text), partLimit)
	if p.Kind == bot.Progress {
		parts = []string{strings.TrimSpace(quiet.Replace(p.Text))}
	}
	if len(parts) == 0 {
		parts = []string{""}
	}
	pages := make([]page, len(parts))
	for i, part := range parts {
		pages[i] = page{text: fallback(part)}
		if part != "" {
			pages[i].blocks = body(p.Kind, part)
		}
	}
	// What is to be pressed, and what is printed small, stands under the end.
	last := &pages[len(pages)-1]
	if p.Footer != "" {
		last.blocks = append(last.blocks, slack.NewContextBlock("",
			slack.NewTextBlockObject(slack.PlainTextType, cut(p.Footer, textLimit), false, false)))
	}
	rows, err := buttons(p)
	if err != nil {
		return nil, err
	}
	last.blocks = append(last.blocks, rows...)
	if len(last.blocks) > blockLimit {
		return nil, fmt.Errorf("%w: the post would have %d blocks", bot.ErrRefused, len(last.blocks))
	}
	if len(last.blocks) == 0 {
		return nil, fmt.Errorf("%w: the post is empty", bot.ErrRefused)
	}
	if last.text == "" {
		last.text = fallback(p.Footer)
	}
	return pages, nil
}

// No block has an id of ours: Slack wants another one after each change, and gives
// it if there is none.

// body shows a text. What is under way is plain: it is read while it changes.
func body(kind bot.Kind, text string) []slack.Block {
	if kind != bot.Progress {
		return []slack.Block{slack.NewMarkdownBlock("", text)}
	}
	var out []slack.Block
	parts := split(text, textLimit)
	if most := 8; len(parts) > most {
		parts = parts[len(parts)-most:] // the newest steps
	}
	for _, t := range parts {
		out = append(out, slack.NewSectionBlock(slack.NewTextBlockObject(slack.PlainTextType, t, false, false), nil, nil))
	}
	return out
}

// buttons shows the Choices of a Post.
func buttons(p bot.Post) ([]slack.Block, error) {
	var out []slack.Block
	for at := 0; at < len(p.Choices); at += rowLimit {
		var row []slack.BlockElement
		for _, c := range p.Choices[at:min(at+rowLimit, len(p.Choices))] {
			action := chosen + c.ID
			if len(action) > actionLimit {
				return nil, fmt.Errorf("%w: the choice %q has too long a name", bot.ErrRefused, c.ID)
			}
			label := cut(c.Label, labelLimit)
			if label == "" {
				label = cut(c.ID, labelLimit)
			}
			b := slack.NewButtonBlockElement(action, p.Question, slack.NewTextBlockObject(slack.PlainTextType, label, true, false))
			switch c.Style {
			case bot.Primary:
				b.Style = slack.StylePrimary
			case bot.Danger:
				b.Style = slack.StyleDanger
			}
			row = append(row, b)
		}
		out = append(out, slack.NewActionBlock("", row...))
	}
	return out, nil
}
