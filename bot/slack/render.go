package slack

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// What Slack takes in one message: 12,000 characters of Markdown, 3,000 in a text
// object, 25 buttons in a row, 10 elements in small print, 75 characters on a button, 255 in an action.
const (
	markdownLimit = 12000
	textLimit     = 3000
	rowLimit      = 25
	contextLimit  = 10
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
	lead   string // the text of the first block, if that is Markdown
}

// An extra is a file that brings what has no room in the messages of a Post.
type extra struct {
	post bot.Post
	name string
	data []byte
}

// tag names the file: by its first half as one of that Post, by both as this one.
func (x extra) tag() string {
	return shortKey(x.post.Key) + "-" + shortKey(fmt.Sprint(x.post.Key, " ", x.name, " ", x.post.Rev))
}

// A rendering is all that Slack shows of a Post.
type rendering struct {
	pages  []page
	extras []extra
}

// look is how a Post is shown.
type look struct {
	limit int  // of characters on a page
	plain bool // without the blocks that Slack may refuse: tables and plans
}

// usual is how a Post is shown, if nothing stands against it.
var usual = look{limit: partLimit}

// render makes of a Post what Slack shows: one page, or more if the text is longer
// than a message may be. Every way out goes through here, first posts, changes and
// streams alike, so that they look the same.
func render(p bot.Post, l look) (rendering, error) {
	p.Text = hush(p)
	var r rendering
	var bodies [][]segment
	switch {
	case p.Kind == bot.Progress:
		bodies = [][]segment{{{text: strings.TrimSpace(p.Text)}}}
	case l.plain:
		for _, t := range split(flatten(p.Text), l.limit) {
			bodies = append(bodies, []segment{{text: t}})
		}
	default:
		var units []segment
		units, r.extras = fitted(p, l.limit)
		bodies = pack(units, l.limit)
	}
	if len(bodies) == 0 {
		bodies = [][]segment{nil}
	}
	if len(bodies) > mostParts && p.Only == "" {
		bodies = [][]segment{append(bodies[0], segment{text: say(p.Lang, "_The whole text is in the file below._", "_全文见下方文件。_")})}
		r.extras = []extra{{p, "answer.md", []byte(p.Text)}}
	}
	for i, body := range bodies {
		pg, err := draw(p, l, i, body, i == len(bodies)-1)
		if err != nil {
			return r, err
		}
		r.pages = append(r.pages, pg)
	}
	return r, nil
}

// mention is the name of a person as our own words have it.
var mention = regexp.MustCompile(`^<@[UW][A-Z0-9]+>$`)

// hush takes from the text of a Post what would call people, but for the names that
// are marked as our own words.
func hush(p bot.Post) string {
	var b strings.Builder
	at := 0
	for _, s := range p.Names {
		if s.From < at || s.To < s.From || s.To > len(p.Text) || !mention.MatchString(p.Text[s.From:s.To]) {
			continue
		}
		b.WriteString(silent.Replace(p.Text[at:s.From]) + p.Text[s.From:s.To])
		at = s.To
	}
	return b.String() + silent.Replace(p.Text[at:])
}

// fitted parts the text of a Post into what fits into blocks. Of a table that is too
// large it shows the first rows, and the whole is an extra.
func fitted(p bot.Post, limit int) (units []segment, extras []extra) {
	for _, s := range segments(p.Text) {
		if s.table == nil {
			units = append(units, s)
			continue
		}
		most := s.table.most(limit)
		units = append(units, segment{table: most})
		if most == s.table {
			continue
		}
		extras = append(extras, extra{p, fmt.Sprintf("table%d.csv", len(extras)+1), s.table.csv()})
		units = append(units, segment{text: s.table.rest(most, p.Lang)})
	}
	return units, extras
}

// say is one of two words by the language of a Post.
func say(lang, en, zh string) string {
	if lang == "zh" {
		return zh
	}
	return en
}

// draw makes one page. What is to be pressed, and what is printed small, stands under
// the last.
func draw(p bot.Post, l look, part int, body []segment, last bool) (page, error) {
	// An id must be the only one in its message, and another one after each change.
	n := 0
	id := func() string {
		n++
		return fmt.Sprintf("%s.%d.%d.%d", shortKey(p.Key), p.Rev, part, n)
	}
	var pg page
	for _, s := range body {
		switch {
		case s.table != nil:
			pg.blocks = append(pg.blocks, s.table.block(id()))
			pg.text += "\n" + s.table.aligned()
		case strings.TrimSpace(s.text) == "":
		case p.Kind == bot.Progress:
			pg.blocks = append(pg.blocks, steps(p, l, id)...)
			if leadOf(p.Draft) != "" {
				pg.blocks = append(pg.blocks, draftBlock(p.Draft, id()))
			}
			pg.text += s.text
		default:
			if len(pg.blocks) == 0 {
				pg.lead = s.text
			}
			pg.blocks = append(pg.blocks, slack.NewMarkdownBlock(id(), s.text))
			pg.text += "\n\n" + s.text
		}
	}
	pg.text = fallback(pg.text)
	if last {
		if p.Footer != "" {
			pg.blocks = append(pg.blocks, slack.NewContextBlock(id(),
				slack.NewTextBlockObject(slack.PlainTextType, cut(p.Footer, textLimit), false, false)))
		}
		if judged(p) {
			pg.blocks = append(pg.blocks, judge(p, id()))
		}
		rows, err := buttons(p, id)
		if err != nil {
			return pg, err
		}
		pg.blocks = append(pg.blocks, rows...)
		pg.blocks = append(pg.blocks, recordBlocks(p.Record, id)...)
	}
	switch {
	case len(pg.blocks) > blockLimit:
		return pg, fmt.Errorf("%w: the post would have %d blocks", bot.ErrRefused, len(pg.blocks))
	case len(pg.blocks) == 0:
		return pg, fmt.Errorf("%w: the post is empty", bot.ErrRefused)
	case pg.text == "":
		pg.text = fallback(p.Footer)
	}
	return pg, nil
}

// steps shows what is under way: a plan with its tasks, or plain lines, which are
// read while they change.
func steps(p bot.Post, l look, id func() string) []slack.Block {
	if p.Plan != nil && !l.plain {
		return []slack.Block{planBlock(*p.Plan, id())}
	}
	var out []slack.Block
	parts := split(p.Text, textLimit)
	if most := 8; len(parts) > most {
		parts = parts[len(parts)-most:] // the newest steps
	}
	for _, t := range parts {
		out = append(out, slack.NewSectionBlock(slack.NewTextBlockObject(slack.PlainTextType, t, false, false), nil, nil,
			slack.SectionBlockOptionBlockID(id())))
	}
	return out
}

// recordBlocks show what exactly is done in small print.
func recordBlocks(r bot.Record, id func() string) []slack.Block {
	var out []slack.Block
	for part := range slices.Chunk(recordOf(r, textLimit, len(r.Details)+1), contextLimit) {
		out = append(out, slack.NewContextBlock(id(), part...))
	}
	return out
}

// recordOf are the first n lines of that, each of at most so many characters. None of it
// is markup, and none of it can call anybody.
func recordOf(r bot.Record, most, n int) []slack.MixedElement {
	if len(r.Details) == 0 {
		return nil
	}
	lines := []string{r.Head}
	for _, d := range r.Details {
		line := d.Label
		if d.Text != "" {
			line += ": " + d.Text
		}
		lines = append(lines, line)
	}
	var out []slack.MixedElement
	for _, line := range lines[:min(n, len(lines))] {
		out = append(out, slack.NewTextBlockObject(slack.PlainTextType, cut(line, most), false, false))
	}
	return out
}

// buttons shows the Choices of a Post, and the one that every answer has.
func buttons(p bot.Post, id func() string) ([]slack.Block, error) {
	choices := p.Choices
	if why := explain(p); why.ID != "" {
		choices = append(choices[:len(choices):len(choices)], why)
	}
	var out []slack.Block
	for at := 0; at < len(choices); at += rowLimit {
		var row []slack.BlockElement
		for _, c := range choices[at:min(at+rowLimit, len(choices))] {
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
		out = append(out, slack.NewActionBlock(id(), row...))
	}
	return out, nil
}
