package decision

import "strings"

// prefix is the length of a prefix of Python at a string (r"…", b'…'), or 0.
func (p *parser) prefix() int {
	for n := 1; n <= 2 && p.i+n < len(p.s); n++ {
		if strings.IndexByte("bBuUrRfF", p.s[p.i+n-1]) < 0 {
			return 0
		}
		if c := p.s[p.i+n]; c == '"' || c == '\'' {
			if end := p.ahead(p.i+n+1, rune(c)); end >= 0 && p.fits(len(p.stack)-1, end+1) {
				return n
			}
			return 0
		}
	}
	return 0
}

// callee is the length of a name that stands before the parentheses of its one
// argument, or 0.
func (p *parser) callee() int {
	i := p.i
	if strings.HasPrefix(p.s[i:], "new ") {
		i += 4
	}
	first := i
	for i < len(p.s) && i-first < 64 {
		c := p.s[i] | 0x20
		if (c < 'a' || 'z' < c) && p.s[i] != '_' && p.s[i] != '$' && (i == first || (p.s[i] < '0' || '9' < p.s[i]) && p.s[i] != '.') {
			break
		}
		i++
	}
	p.work += i - first
	if i == first || i >= len(p.s) || p.s[i] != '(' {
		return 0
	}
	k := p.skip(i + 1)
	switch m, w := p.mark(k); m {
	case '{', '[':
		return i - p.i
	case '"':
		r, w := p.rune(k + w - 1)
		if p.s[k] != '\\' {
			r, w = p.rune(k)
		}
		if end := p.ahead(k+w, r); end >= 0 {
			_, w = p.rune(end)
			if m, _ := p.mark(p.skip(end + w)); m == ')' {
				return i - p.i
			}
		}
	case 'a':
		end := strings.IndexAny(p.s[k:min(len(p.s), k+64)], ",()[]{}\"'\n")
		p.work += 64
		if end >= 0 && p.s[k+end] == ')' {
			return i - p.i
		}
	}
	return 0
}

// regexp returns where a regular expression of JavaScript that begins at i ends,
// or 0.
func (p *parser) regexp(i int) int {
	for k := i + 1; k < len(p.s) && k-i < 4*maxKey; k++ {
		p.work++
		switch p.s[k] {
		case '\\':
			k++
		case '\n':
			return 0
		case '/':
			for k++; k < len(p.s) && 'a' <= p.s[k] && p.s[k] <= 'z'; k++ {
			}
			if p.fits(len(p.stack)-1, k) {
				return k
			}
		}
	}
	return 0
}
