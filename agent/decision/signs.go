package decision

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark says what stands at i between values: one of { } [ ] ( ) : , for itself
// and its full-width twin, " for a quotation mark of any sort, 0 for the end, and
// 'a' for all else. The second result is its width in bytes.
func (p *parser) mark(i int) (byte, int) {
	if i >= len(p.s) {
		return 0, 0
	}
	switch c := p.s[i]; c {
	case '{', '}', '[', ']', '(', ')', ':', ',', '"':
		return c, 1
	case '\'', '`':
		return '"', 1
	case '\\':
		// A quotation mark that was escaped once too often.
		if i+1 < len(p.s) && (p.s[i+1] == '"' || p.s[i+1] == '\'') {
			return '"', 2
		}
		return 'a', 1
	default:
		if c < utf8.RuneSelf {
			return 'a', 1
		}
	}
	r, w := utf8.DecodeRuneInString(p.s[i:])
	switch r {
	case '：', '﹕', '︓':
		return ':', w
	case '，', '﹐', '、':
		return ',', w
	case '｛':
		return '{', w
	case '｝':
		return '}', w
	case '［':
		return '[', w
	case '］':
		return ']', w
	case '（':
		return '(', w
	case '）':
		return ')', w
	}
	if quoting(r) {
		return '"', w
	}
	return 'a', w
}

// quoting reports whether a string may begin with r.
func quoting(r rune) bool {
	return strings.ContainsRune(`"'`+"`"+`“”„‟‘’‚‛´＂＇«»「」『』〝〞`, r)
}

// closes reports whether a string that began with one quotation mark may end with
// another.
func closes(began, r rune) bool {
	if began == r {
		return true
	}
	switch began {
	case '“', '”', '„', '‟', '＂', '〝', '〞':
		return strings.ContainsRune(`"“”‟＂〞`, r)
	case '‘', '’', '‚', '‛', '＇', '`', '´':
		return strings.ContainsRune(`'‘’＇´`, r)
	case '«':
		return r == '»'
	case '»':
		return r == '«'
	case '「':
		return r == '」'
	case '『':
		return r == '』'
	}
	return false
}

// space reports whether r is white, invisible, or a control character.
func space(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	switch r {
	case 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff:
		return true
	}
	return unicode.IsSpace(r)
}

// skip returns where the next thing after i begins that is neither white space nor
// a comment.
func (p *parser) skip(i int) int {
	began := i
	for i < len(p.s) {
		c := p.s[i]
		if c >= utf8.RuneSelf {
			r, w := utf8.DecodeRuneInString(p.s[i:])
			if !space(r) {
				break
			}
			i += w
			continue
		}
		if space(rune(c)) {
			i++
			continue
		}
		if c == '\\' && i+1 < len(p.s) && strings.IndexByte("nrt\r\n", p.s[i+1]) >= 0 {
			i += 2 // white space that was escaped once too often
			continue
		}
		end := p.comment(i)
		if end == i {
			break
		}
		i = end
	}
	p.work += i - began + 1
	return i
}

// comment returns where the comment that begins at i ends, or i.
func (p *parser) comment(i int) int {
	rest := p.s[i:]
	switch {
	case strings.HasPrefix(rest, "/*"):
		return min(len(p.s), p.blocks.after(p, i+2, "*/")+2)
	case strings.HasPrefix(rest, "<!--"):
		return min(len(p.s), p.tags.after(p, i+4, "-->")+3)
	case strings.HasPrefix(rest, "//"), rest[0] == '#' && (len(rest) == 1 || strings.IndexByte(" \t\r\n#!", rest[1]) >= 0):
		if end := p.lines.after(p, i, "\n"); end < len(p.s) {
			return end
		}
		// All stands on one line: the comment ends where a list does.
		return min(p.braces.after(p, i, "}"), p.brackets.after(p, i, "]"))
	}
	return i
}

// over reports whether the JSON is over at i although lists may still be open: at
// the end of the text, at the end of a fence, at a closing tag or an end token.
func (p *parser) over(i int) bool {
	if i >= len(p.s) || p.deep {
		return true
	}
	switch p.s[i] {
	case '`':
		return strings.HasPrefix(p.s[i:], "```")
	case '~':
		return strings.HasPrefix(p.s[i:], "~~~")
	case '<':
		return strings.HasPrefix(p.s[i:], "</") || strings.HasPrefix(p.s[i:], "<|")
	}
	return false
}
