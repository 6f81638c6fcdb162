package slack

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A segment is what one block shows: a text, or a table.
type segment struct {
	text  string
	table *table
}

func (s segment) size() int {
	if s.table != nil {
		return s.table.size()
	}
	return utf8.RuneCountInString(s.text)
}

// split cuts a Markdown text into parts of at most n characters, between blocks
// if it can: a code fence that has to be cut is closed and opened again, and a
// table is given its head again, so that each part is sound alone.
func split(md string, n int) []string {
	var units []segment
	for _, c := range chunks(md) {
		units = append(units, segment{text: c})
	}
	var out []string
	for _, page := range pack(units, n) {
		if t := strings.Trim(page[0].text, "\n"); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// pack puts segments on pages of at most n characters, each with at most one table,
// since Slack takes no more in a message: a further one is shown as aligned text.
// A table must not be larger than n.
func pack(units []segment, n int) [][]segment {
	var out [][]segment
	var cur []segment
	size := 0
	flush := func() {
		if len(cur) > 0 {
			out = append(out, cur)
		}
		cur, size = nil, 0
	}
	add := func(u segment) {
		last := len(cur) - 1
		if u.table == nil && last >= 0 && cur[last].table == nil {
			cur[last].text += "\n\n" + u.text
			size += 2
		} else {
			cur = append(cur, u)
		}
		size += u.size()
	}
	for _, u := range units {
		fits := u
		if u.table != nil && slices.ContainsFunc(cur, func(s segment) bool { return s.table != nil }) {
			fits = segment{text: u.table.aligned()}
		}
		if size+fits.size()+2 > n {
			flush()
			fits = u
		}
		if fits.table != nil || fits.size() <= n {
			add(fits)
			continue
		}
		for i, piece := range pieces(fits.text, n) {
			if i > 0 {
				flush()
			}
			add(segment{text: piece})
		}
	}
	flush()
	return out
}

// chunks are the blocks of a Markdown text: what empty lines part, outside of code
// fences.
func chunks(md string) []string {
	var out []string
	var cur []string
	fence := ""
	flush := func() {
		if len(cur) > 0 {
			out = append(out, strings.Join(cur, "\n"))
			cur = nil
		}
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(md, "\r\n", "\n"), "\n") {
		if fence == "" && strings.TrimSpace(line) == "" {
			flush()
			continue
		}
		fence = fenced(fence, line)
		cur = append(cur, line)
	}
	flush()
	return out
}

// fenced returns the fence that is open after a line, if fence was before it.
func fenced(fence, line string) string {
	mark := fenceOf(line)
	if fence == "" {
		return mark
	}
	if strings.HasPrefix(mark, fence) && strings.TrimSpace(line) == mark {
		return ""
	}
	return fence
}

// fenceOf returns the run of marks by which a line begins or ends a code fence.
func fenceOf(line string) string {
	t := strings.TrimLeft(line, " ")
	if len(line)-len(t) > 3 {
		return ""
	}
	for _, c := range []string{"`", "~"} {
		if run := len(t) - len(strings.TrimLeft(t, c)); run >= 3 {
			return t[:run]
		}
	}
	return ""
}

// pieces cuts one block that is too long.
func pieces(block string, n int) []string {
	lines := strings.Split(block, "\n")
	head, foot := "", ""
	switch mark := fenceOf(lines[0]); {
	case mark != "" && len(lines) > 1:
		head, foot = lines[0]+"\n", "\n"+mark
		lines = lines[1:]
		if strings.TrimSpace(lines[len(lines)-1]) == mark {
			lines = lines[:len(lines)-1]
		}
	case len(lines) > 2 && strings.HasPrefix(strings.TrimSpace(lines[0]), "|"):
		head = lines[0] + "\n" + lines[1] + "\n"
		lines = lines[2:]
	}
	room := n - utf8.RuneCountInString(head) - utf8.RuneCountInString(foot)
	if room < n/2 {
		// A head of that size is no head.
		head, foot, room, lines = "", "", n, strings.Split(block, "\n")
	}
	var out, cur []string
	size := 0
	flush := func() {
		if len(cur) > 0 {
			out = append(out, head+strings.Join(cur, "\n")+foot)
			cur, size = nil, 0
		}
	}
	for _, line := range lines {
		for _, l := range wrap(line, room) {
			w := utf8.RuneCountInString(l) + 1
			if size+w > room+1 {
				flush()
			}
			cur = append(cur, l)
			size += w
		}
	}
	flush()
	return out
}

// wrap cuts a line that is too long, at a space or the end of a sentence if there
// is one in its second half.
func wrap(line string, n int) []string {
	var out []string
	r := []rune(line)
	for len(r) > n {
		at := n
		for i := n; i > n/2; i-- {
			if strings.ContainsRune(" 。！？；，、", r[i-1]) {
				at = i
				break
			}
		}
		out = append(out, string(r[:at]))
		r = r[at:]
	}
	return append(out, string(r))
}
