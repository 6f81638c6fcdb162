package web

import (
	"bytes"
	"html/template"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown renders what people and models write. Raw HTML comes out as the text
// that it is, links lead to http, https or our own pages, and an image becomes a
// link: pictures come as files, never from an address in a text.
var markdown = goldmark.New(
	goldmark.WithExtensions(
		extension.Strikethrough,
		extension.TaskList,
		extension.NewLinkify(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})),
		// A style attribute would be against our Content-Security-Policy.
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
	),
	goldmark.WithParserOptions(
		parser.WithInlineParsers(
			util.Prioritized(nameParser{}, 150),
			util.Prioritized(emphasisParser{}, 450),
		),
		parser.WithASTTransformers(util.Prioritized(smaller{}, 500)),
	),
	goldmark.WithRendererOptions(
		html.WithHardWraps(),
		renderer.WithNodeRenderers(util.Prioritized(safe{}, 10)),
	),
)

var roomsKey = parser.NewContextKey()

// render returns Markdown as HTML. Names of rooms that the reader sees become links.
func render(md string, sees func(room string) bool) template.HTML {
	pc := parser.NewContext()
	pc.Set(roomsKey, sees)
	var b bytes.Buffer
	if err := markdown.Convert([]byte(md), &b, parser.WithContext(pc)); err != nil {
		return template.HTML("<p>" + template.HTMLEscapeString(md) + "</p>") //nolint:gosec // escaped here
	}
	return template.HTML(b.String()) //nolint:gosec // the renderer escapes, and takes no HTML
}

// safeLink reports whether a destination is one that a text may have.
func safeLink(dest string) (outside, ok bool) {
	dest = strings.TrimSpace(dest)
	u, err := url.Parse(dest)
	switch {
	case err != nil || strings.HasPrefix(dest, "//") || strings.HasPrefix(dest, `\`) || strings.HasPrefix(dest, `/\`):
		return false, false
	case u.Scheme == "":
		return false, u.Host == "" && (strings.HasPrefix(dest, "/") || strings.HasPrefix(dest, "#"))
	default:
		s := strings.ToLower(u.Scheme)
		return true, (s == "http" || s == "https") && u.Host != ""
	}
}

// safe renders the nodes that could carry harm.
type safe struct{}

func (safe) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindRawHTML, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			writeLines(w, src, n.(*ast.RawHTML).Segments)
		}
		return ast.WalkSkipChildren, nil
	})
	reg.Register(ast.KindHTMLBlock, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		b := n.(*ast.HTMLBlock)
		if !entering {
			return ast.WalkContinue, nil
		}
		_, _ = w.WriteString("<p>")
		writeLines(w, src, b.Lines())
		if b.HasClosure() {
			template.HTMLEscape(w, b.ClosureLine.Value(src))
		}
		_, _ = w.WriteString("</p>\n")
		return ast.WalkSkipChildren, nil
	})
	reg.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		writeAnchor(w, destination(n.(*ast.Link).Destination), entering)
		return ast.WalkContinue, nil
	})
	reg.Register(ast.KindAutoLink, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		l := n.(*ast.AutoLink)
		dest := string(l.URL(src))
		writeAnchor(w, dest, true)
		template.HTMLEscape(w, l.Label(src))
		writeAnchor(w, dest, false)
		return ast.WalkContinue, nil
	})
	reg.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		dest := destination(n.(*ast.Image).Destination)
		writeAnchor(w, dest, entering)
		if entering && n.FirstChild() == nil {
			template.HTMLEscape(w, []byte(dest))
		}
		return ast.WalkContinue, nil
	})
	// A wide table scrolls in a frame, or it would widen the page.
	reg.Register(east.KindTable, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString("<div class=\"scroll\" tabindex=\"0\"><table>\n")
		} else {
			_, _ = w.WriteString("</table></div>\n")
		}
		return ast.WalkContinue, nil
	})
	reg.Register(kindName, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		name := n.(*nameNode)
		if name.room {
			_, _ = w.WriteString(`<a class="name" href="/c/` + url.PathEscape(name.text[1:]) + `">` + template.HTMLEscapeString(name.text) + `</a>`)
		} else {
			_, _ = w.WriteString(`<span class="name">` + template.HTMLEscapeString(name.text) + `</span>`)
		}
		return ast.WalkContinue, nil
	})
}

func writeLines(w util.BufWriter, src []byte, lines *text.Segments) {
	for i := range lines.Len() {
		s := lines.At(i)
		template.HTMLEscape(w, s.Value(src))
	}
}

// destination resolves what Markdown lets stand for a character, such as &#115;.
func destination(b []byte) string { return string(util.URLEscape(b, true)) }

// writeAnchor opens or closes a link. Where it may not lead, the words stay.
func writeAnchor(w util.BufWriter, dest string, opening bool) {
	outside, ok := safeLink(dest)
	switch {
	case !ok:
		return
	case !opening:
		_, _ = w.WriteString("</a>")
	case outside:
		_, _ = w.WriteString(`<a href="` + template.HTMLEscapeString(dest) + `" target="_blank" rel="noreferrer noopener">`)
	default:
		_, _ = w.WriteString(`<a href="` + template.HTMLEscapeString(dest) + `" rel="noreferrer noopener">`)
	}
}

// smaller puts headings of a message below those of the page.
type smaller struct{}

func (smaller) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			h.Level = min(h.Level+3, 6)
		}
		return ast.WalkContinue, nil
	})
}

// A nameNode is "@hermes" or the name of a room.
type nameNode struct {
	ast.BaseInline
	text string
	room bool
}

var kindName = ast.NewNodeKind("Name")

func (*nameNode) Kind() ast.NodeKind              { return kindName }
func (n *nameNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type nameParser struct{}

var nameAt = regexp.MustCompile(`^(?:(?i:@hermes)|#[a-z0-9][a-z0-9_-]*)`)

func (nameParser) Trigger() []byte { return []byte{'@', '#'} }

func (nameParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if before := block.PrecendingCharacter(); isWord(before) || before == '/' || before == '&' {
		return nil
	}
	line, _ := block.PeekLine()
	name := string(nameAt.Find(line))
	after, _ := utf8.DecodeRune(line[len(name):])
	if name == "" || after < utf8.RuneSelf && isWord(after) {
		return nil
	}
	room := name[0] == '#'
	if sees, ok := pc.Get(roomsKey).(func(string) bool); room && (!ok || !sees(name[1:])) {
		return nil
	}
	block.Advance(len(name))
	return &nameNode{text: name, room: room}
}

func isWord(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// An emphasisParser is goldmark's, except that Chinese text has no spaces round
// its words: in **地区：**增长 the second pair closes, which CommonMark denies
// because a sign stands before it and a letter after it.
type emphasisParser struct{}

type emphasis struct{}

func (emphasis) IsDelimiter(b byte) bool { return b == '*' || b == '_' }
func (emphasis) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}
func (emphasis) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

func (emphasisParser) Trigger() []byte { return []byte{'*', '_'} }

func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, emphasis{})
	if d == nil {
		return nil
	}
	after, _ := utf8.DecodeRune(line[d.OriginalLength:])
	if d.Char == '*' && (isWide(before) || isWide(after)) {
		d.CanOpen = d.CanOpen || after != utf8.RuneError && !unicode.IsSpace(after)
		d.CanClose = d.CanClose || !unicode.IsSpace(before)
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

// isWide reports whether r is a letter or sign of Chinese, Japanese or Korean text.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef || r == '“' || r == '”' || r == '‘' || r == '’'
}

// A step is one line of a progress message.
type step struct {
	State string // "done", "now", "todo", "failed", "denied"
	HTML  template.HTML
}

var (
	stepAt   = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+(.*)$`)
	stepMark = regexp.MustCompile(`^(\[[ xX~!-]\]|[✓✔☑✅✗✘✖❌⏳⌛→▶▸○◌●–])\x{fe0f}?\s*`)
	marks    = map[string]string{
		"[x]": "done", "[X]": "done", "✓": "done", "✔": "done", "☑": "done", "✅": "done", "●": "done",
		"[!]": "failed", "✗": "failed", "✘": "failed", "✖": "failed", "❌": "failed",
		"–":   "denied",
		"[~]": "now", "⏳": "now", "⌛": "now", "→": "now", "▶": "now", "▸": "now",
		"[ ]": "todo", "[-]": "todo", "○": "todo", "◌": "todo",
	}
)

// steps reads a progress message: the items of its lists, and the lines that begin
// with a mark ("✓", "✗", "–", "▸"), are steps, the rest are words. Of items without a
// mark all are done but, while work goes on, the last.
func steps(md string, live bool, sees func(string) bool) (template.HTML, []step) {
	var rest []string
	var list []step
	for line := range strings.Lines(md) {
		s, body := step{}, strings.TrimRight(line, "\r\n")
		if m := stepAt.FindStringSubmatch(body); m != nil {
			body = m[1]
		} else if !stepMark.MatchString(body) {
			rest = append(rest, line)
			continue
		}
		if k := stepMark.FindStringSubmatch(body); k != nil {
			s.State, body = marks[k[1]], body[len(k[0]):]
		}
		s.HTML = render(body, sees)
		list = append(list, s)
	}
	for i := range list {
		if list[i].State == "" {
			list[i].State = "done"
			if live && i == len(list)-1 {
				list[i].State = "now"
			}
		}
		if !live && list[i].State == "now" {
			list[i].State = "todo"
		}
	}
	return render(strings.TrimSpace(strings.Join(rest, "")), sees), list
}
