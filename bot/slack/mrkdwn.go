package slack

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/slack-go/slack"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads what models and people write.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Strikethrough, extension.Table))
})

var (
	escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	userRef = regexp.MustCompile(`&lt;(@[UW][A-Z0-9]+)&gt;`)
)

// fallbackLimit is how much a notification says. It is well below what chat.update
// takes, 4,000 characters.
const fallbackLimit = 1200

// fallback is what a notification shows of a Markdown text, and what a client shows
// that knows no blocks: Slack's own markup. Nothing in it is a reference but links,
// and people's names as our own words have them.
func fallback(md string) string {
	src := []byte(cut(md, 2*fallbackLimit)) // a longer one is cut anyway
	m := mrkdwn{src: src}
	m.blocks(markdown().Parser().Parse(gmtext.NewReader(src)), "")
	t := strings.TrimSpace(m.out.String())
	return userRef.ReplaceAllString(cutMrkdwn(t, fallbackLimit), "<$1>")
}

// cutMrkdwn shortens a text of Slack's, and leaves no half of a link or an entity.
func cutMrkdwn(t string, n int) string {
	if utf8.RuneCountInString(t) <= n {
		return t
	}
	t = string([]rune(t)[:n-1])
	if i := strings.LastIndexByte(t, '<'); i >= 0 && !strings.Contains(t[i:], ">") {
		t = t[:i]
	}
	if i := strings.LastIndexByte(t, '&'); i >= 0 && !strings.Contains(t[i:], ";") {
		t = t[:i]
	}
	return t + "…"
}

// mrkdwn writes a tree of Markdown in Slack's markup.
type mrkdwn struct {
	src []byte
	out strings.Builder
}

// blocks writes the blocks below n, each line after a prefix.
func (m *mrkdwn) blocks(n ast.Node, prefix string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch b := c.(type) {
		case *ast.Heading:
			m.line(prefix, strong(m.inline(c)))
		case *ast.List:
			m.list(b, prefix)
		case *ast.Blockquote:
			m.blocks(c, prefix+"> ")
		case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
			m.raw(c, prefix)
		case *ast.ThematicBreak:
			m.line(prefix, "---")
		case *east.Table:
			for r := c.FirstChild(); r != nil; r = r.NextSibling() {
				var cells []string
				for d := r.FirstChild(); d != nil; d = d.NextSibling() {
					cells = append(cells, m.inline(d))
				}
				m.line(prefix, strings.Join(cells, " | "))
			}
		default:
			m.line(prefix, m.inline(c))
		}
	}
}

func (m *mrkdwn) line(prefix, text string) {
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		m.out.WriteString(prefix + l + "\n")
	}
}

func (m *mrkdwn) list(l *ast.List, prefix string) {
	n := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if l.IsOrdered() {
			mark = strconv.Itoa(n) + ". "
			n++
		}
		inner := mrkdwn{src: m.src}
		inner.blocks(item, "")
		text := strings.ReplaceAll(strings.TrimRight(inner.out.String(), "\n"), "\n", "\n"+prefix+"   ")
		m.out.WriteString(prefix + mark + text + "\n")
	}
}

// raw writes lines as they are.
func (m *mrkdwn) raw(n ast.Node, prefix string) {
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.Write(seg.Value(m.src))
	}
	text := escaped.Replace(b.String())
	if _, isHTML := n.(*ast.HTMLBlock); !isHTML {
		text = "```\n" + strings.TrimRight(text, "\n") + "\n```"
	}
	m.line(prefix, text)
}

// inline is what stands in a block.
func (m *mrkdwn) inline(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch t := c.(type) {
		case *ast.Emphasis:
			if t.Level > 1 {
				b.WriteString(strong(m.inline(c)))
			} else {
				b.WriteString(around("_", m.inline(c)))
			}
		case *east.Strikethrough:
			b.WriteString(around("~", m.inline(c)))
		case *ast.CodeSpan:
			b.WriteString(around("`", m.inline(c)))
		case *ast.Link:
			b.WriteString(linkTo(string(t.Destination), m.inline(c)))
		case *ast.AutoLink:
			b.WriteString(linkTo(string(t.URL(m.src)), escaped.Replace(string(t.Label(m.src)))))
		case *ast.Image:
			b.WriteString(m.inline(c))
		default:
			if words, ok := words(c, m.src); ok {
				b.WriteString(escaped.Replace(words))
			} else {
				b.WriteString(m.inline(c))
			}
		}
	}
	return b.String()
}

// words is the text of a node that has no other nodes in it, and false for others.
func words(n ast.Node, src []byte) (string, bool) {
	switch t := n.(type) {
	case *ast.Text:
		v := string(t.Segment.Value(src))
		if _, code := n.Parent().(*ast.CodeSpan); !code {
			v = string(util.ResolveNumericReferences(util.ResolveEntityNames(util.UnescapePunctuations([]byte(v)))))
		}
		if t.SoftLineBreak() || t.HardLineBreak() {
			v += "\n"
		}
		return v, true
	case *ast.String:
		return string(t.Value), true
	case *ast.RawHTML:
		var b strings.Builder
		for i := range t.Segments.Len() {
			seg := t.Segments.At(i)
			b.Write(seg.Value(src))
		}
		return b.String(), true
	}
	return "", false
}

func around(mark, text string) string {
	if strings.TrimSpace(text) == "" {
		return text
	}
	return mark + text + mark
}

func strong(text string) string { return around("*", strings.ReplaceAll(text, "*", "")) }

// linkTo is a link to a page or a letter; another one is its words.
func linkTo(to, words string) string {
	if !linked(to) {
		return words
	}
	to = strings.NewReplacer("&", "&amp;", "<", "%3C", ">", "%3E", "|", "%7C", " ", "%20").Replace(to)
	if words == "" || words == to {
		return "<" + to + ">"
	}
	return "<" + to + "|" + strings.NewReplacer("\n", " ", "|", "¦").Replace(words) + ">"
}

func linked(to string) bool {
	u, err := url.Parse(to)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" || err == nil && u.Scheme == "mailto"
}

// richCell is a cell of a table with its markup.
func richCell(md string) slack.TableCell {
	runs := cellRuns(md)
	if len(runs) == 0 {
		return slack.NewTableRawTextCell(blank) // Slack takes no empty one
	}
	if len(runs) == 1 {
		if t, ok := runs[0].(*slack.RichTextSectionTextElement); ok && t.Style == nil {
			return slack.NewTableRawTextCell(t.Text)
		}
	}
	return slack.NewTableRichTextCell(slack.NewRichTextSection(runs...))
}

// plainCell is a cell without its markup.
func plainCell(md string) string {
	var b strings.Builder
	for _, r := range cellRuns(md) {
		switch e := r.(type) {
		case *slack.RichTextSectionTextElement:
			b.WriteString(e.Text)
		case *slack.RichTextSectionLinkElement:
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// cellRuns are the pieces of a cell, each of one look.
func cellRuns(md string) []slack.RichTextSectionElement {
	if md == "" {
		return nil
	}
	plain := []slack.RichTextSectionElement{slack.NewRichTextSectionTextElement(md, nil)}
	if !strings.ContainsAny(md, "*_`[]<>~\\&!") {
		return plain
	}
	src := []byte(md)
	doc := markdown().Parser().Parse(gmtext.NewReader(src))
	p, ok := doc.FirstChild().(*ast.Paragraph)
	if !ok || p.NextSibling() != nil {
		return plain
	}
	r := runs{src: src}
	r.walk(p, slack.RichTextSectionTextStyle{}, "")
	return r.out
}

// runs collects the pieces of a cell.
type runs struct {
	src []byte
	out []slack.RichTextSectionElement
}

func (r *runs) walk(n ast.Node, style slack.RichTextSectionTextStyle, to string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		style, to := style, to
		switch t := c.(type) {
		case *ast.Emphasis:
			style.Bold, style.Italic = style.Bold || t.Level > 1, style.Italic || t.Level == 1
		case *east.Strikethrough:
			style.Strike = true
		case *ast.CodeSpan:
			style.Code = true
		case *ast.Link:
			to = string(t.Destination)
		case *ast.AutoLink:
			r.add(string(t.Label(r.src)), style, string(t.URL(r.src)))
			continue
		}
		if words, ok := words(c, r.src); ok {
			r.add(words, style, to)
			continue
		}
		r.walk(c, style, to)
	}
}

// add adds a piece; one that looks as the one before it goes on with that.
func (r *runs) add(words string, style slack.RichTextSectionTextStyle, to string) {
	words = strings.ReplaceAll(words, "\n", " ")
	if words == "" {
		return
	}
	var look *slack.RichTextSectionTextStyle
	if style != (slack.RichTextSectionTextStyle{}) {
		look = &style
	}
	if linked(to) {
		r.out = append(r.out, slack.NewRichTextSectionLinkElement(to, words, look))
		return
	}
	if len(r.out) > 0 {
		if last, ok := r.out[len(r.out)-1].(*slack.RichTextSectionTextElement); ok {
			if last.Style == nil && look == nil || last.Style != nil && look != nil && *last.Style == *look {
				last.Text += words
				return
			}
		}
	}
	r.out = append(r.out, slack.NewRichTextSectionTextElement(words, look))
}
