package decision

import (
	"slices"
	"strings"
)

// A finder remembers where it last found something, so that asking again and
// again on the way through a text reads the text once.
type finder struct {
	known    bool
	from, at int
}

// after returns where what begins first at or after i, or the end of the text.
func (f *finder) after(p *parser, i int, what string) int {
	if i >= len(p.s) {
		return len(p.s)
	}
	if f.known && f.from <= i && i <= f.at {
		return f.at
	}
	end := len(p.s)
	if f.known && i < f.from {
		end = min(end, f.from+len(what)-1)
	}
	at := strings.Index(p.s[i:end], what)
	switch {
	case at >= 0:
		p.work += at
		f.at = i + at
	case end < len(p.s):
		p.work += end - i
	default:
		p.work += end - i
		f.at = end
	}
	f.known, f.from = true, i
	return f.at
}

// quotes returns the first place at or after i in one of the two lists.
func (p *parser) quotes(i int, list *[]int32) int {
	p.list()
	n, _ := slices.BinarySearch(*list, int32(i))
	p.work += 8
	if n == len(*list) {
		return -1
	}
	return int((*list)[n])
}

// rank is how many plain quotation marks stand before i.
func (p *parser) rank(i int) int {
	p.list()
	n, _ := slices.BinarySearch(p.double, int32(i))
	p.work += 8
	return n
}

// list notes where all quotation marks stand that are not escaped.
func (p *parser) list() {
	if p.listed {
		return
	}
	p.listed = true
	p.work += len(p.s)
	for i := 0; i < len(p.s); i++ {
		switch p.s[i] {
		case '\\':
			i++
		case '"':
			p.double = append(p.double, int32(i))
		case '\'':
			p.single = append(p.single, int32(i))
		}
	}
}
