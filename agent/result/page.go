package result

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// A page is what a web page says: its title, and its words without scripts, menus
// and advertising.
type page struct {
	title, words string
}

// text is the title in a line of its own, and the words.
func (p page) text() string {
	if p.title == "" {
		return p.words
	}
	return p.title + "\n" + p.words
}

// pageOf reads HTML. It reports false for a text that is none.
func pageOf(text string) (page, bool) {
	if !isHTML(text) {
		return page{}, false
	}
	p := readPage(text, true)
	if p.words == "" {
		// All of it stood in what is taken for a menu, or within a tag that nobody
		// closed.
		p = readPage(text, false)
	}
	return p, true
}

// isHTML reports whether a text is a page or a part of one.
func isHTML(text string) bool {
	s := strings.TrimSpace(text[:min(len(text), 3000)])
	if !strings.HasPrefix(s, "<") {
		return false
	}
	s = strings.ToLower(s)
	for _, tag := range []string{"<!doctype html", "<html", "<head>", "<body", "<article", "<main", "<div", "<section", "<p>", "<p ", "<h1", "<table", "<ul", "<span"} {
		if strings.Contains(s, tag) {
			return true
		}
	}
	return false
}

// silent are elements of which nothing is read.
var silent = set("script style noscript template svg iframe object canvas audio video map select button datalist dialog")

// aside are elements that stand beside what a page says.
var aside = set("nav aside footer menu")

// single are elements that have no end.
var single = set("area base br col embed hr img input link meta source track wbr")

// loose are elements that the next of their kind ends.
var loose = set("p li dt dd tr td th option")

// blocks are elements that begin a line.
var blocks = set("address article blockquote body br dd div dl dt figcaption figure form h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section table tbody thead tr ul")

// bare are elements that are never taken for advertising.
var bare = set("html body main article")

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// readPage goes through the tags once. It makes no tree, so that no page, however
// deep or broken, takes longer than its length.
func readPage(text string, strict bool) page {
	z := html.NewTokenizer(strings.NewReader(text))
	var title strings.Builder
	var out words
	skipping, open := "", 0 // the element that is not read, and how many of its name are open
	inTitle, pre := false, 0
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return page{strings.TrimSpace(oneLine(strings.Join(strings.Fields(title.String()), " "))), out.String()}
		}
		if kind == html.TextToken {
			switch t := string(z.Text()); {
			case inTitle:
				title.WriteString(t)
			case skipping == "":
				out.add(t, pre > 0)
			}
			continue
		}
		if kind != html.StartTagToken && kind != html.EndTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		raw, more := z.TagName()
		tag := string(raw)
		start := kind != html.EndTagToken
		if tag == "title" && skipping == "" {
			inTitle = start && title.Len() == 0
			continue
		}
		if skipping != "" {
			switch {
			case tag != skipping:
				continue
			case start && tag == skipping && !loose[tag]:
				open++
				continue
			case !start:
				if open--; open > 0 {
					continue
				}
			}
			skipping = ""
			if !start {
				continue
			}
		}
		if start && !single[tag] && kind != html.SelfClosingTagToken && (silent[tag] || strict && (aside[tag] || !bare[tag] && more && besides(z))) {
			skipping, open = tag, 1
			if aside[tag] || blocks[tag] {
				out.newline()
			}
			continue
		}
		switch {
		case tag == "pre" && start:
			pre++
		case tag == "pre" && pre > 0:
			pre--
		}
		switch {
		case (tag == "td" || tag == "th") && start:
			out.cell()
		case tag == "sup" && start:
			out.add("^", true) // 10² is not 102
		case tag == "sub" && start:
			out.add("_", true)
		case tag == "li" && start:
			out.newline()
			out.add("- ", true)
		case blocks[tag]:
			out.newline()
		}
	}
}

// besides reports whether the attributes of a tag say that it is no part of what the
// page says.
func besides(z *html.Tokenizer) bool {
	for {
		key, val, more := z.TagAttr()
		switch string(key) {
		case "class", "id":
			for w := range strings.FieldsSeq(strings.ToLower(string(val))) {
				if advertising(w) {
					return true
				}
			}
		case "role":
			switch string(val) {
			case "navigation", "banner", "complementary", "contentinfo", "dialog", "search", "menu":
				return true
			}
		case "hidden":
			return true
		case "aria-hidden":
			if string(val) == "true" {
				return true
			}
		case "style":
			if strings.Contains(strings.ReplaceAll(string(val), " ", ""), "display:none") {
				return true
			}
		}
		if !more {
			return false
		}
	}
}

// advertising reports whether a class is one of advertising, or of what asks people
// for something.
func advertising(class string) bool {
	for _, w := range []string{"ad", "ads", "advert", "advertisement", "advertising", "adsbygoogle", "adslot", "sponsor", "sponsored", "promo", "cookie", "cookies", "popup", "newsletter"} {
		if rest, ok := strings.CutPrefix(class, w); ok && (rest == "" || rest[0] == '-' || rest[0] == '_') {
			return true
		}
	}
	return false
}

// words are a text as it is put together, with no blank twice.
type words struct {
	b     strings.Builder
	blank bool // one is due
	line  bool // a line break is due
}

func (w *words) add(s string, exact bool) {
	s = clean(s)
	if exact {
		bare := strings.Trim(s, "\n")
		if strings.HasPrefix(s, "\n") {
			w.newline()
		}
		if bare != "" {
			w.due()
			w.b.WriteString(bare)
			if strings.HasSuffix(s, "\n") {
				w.newline()
			}
		}
		return
	}
	rest := s
	for rest != "" {
		i := strings.IndexFunc(rest, unicode.IsSpace)
		if i == 0 {
			w.blank = true
			rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
			continue
		}
		if i < 0 {
			i = len(rest)
		}
		w.due()
		w.b.WriteString(rest[:i])
		rest = rest[i:]
	}
}

// due writes the breaks and the blank that stand before the next word.
func (w *words) due() {
	switch {
	case w.b.Len() == 0:
	case w.line:
		w.b.WriteByte('\n')
	case w.blank:
		w.b.WriteByte(' ')
	}
	w.line, w.blank = false, false
}

func (w *words) newline() { w.line = true }

// cell sets what follows off from the cell before it.
func (w *words) cell() {
	if !w.line && w.b.Len() > 0 {
		w.blank = false
		w.b.WriteString(" | ")
	}
}

func (w *words) String() string { return strings.TrimSpace(w.b.String()) }
