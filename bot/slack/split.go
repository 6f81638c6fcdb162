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
	var open fence
	flush := func() {
		if len(cur) > 0 {
			out = append(out, strings.Join(cur, "\n"))
			cur = nil
		}
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(md, "\r\n", "\n"), "\n") {
		if !open.open() && strings.TrimSpace(line) == "" {
			flush()
			continue
		}
		open = open.after(line)
		cur = append(cur, line)
	}
	flush()
	return out
}

// pieces cuts one block that is too long. A fence that is open at a cut is closed
// before it and opened again after it, and a table gets its head again.
func pieces(block string, n int) []string {
	lines := strings.Split(block, "\n")
	head := ""
	if len(lines) > 2 && strings.HasPrefix(strings.TrimSpace(lines[0]), "|") {
		// A head of more than half a part is no head.
		if h := lines[0] + "\n" + lines[1] + "\n"; utf8.RuneCountInString(h) <= n/2 {
			head, lines = h, lines[2:]
		}
	}
	c := cutter{n: n, head: head, room: n - utf8.RuneCountInString(head)}
	for _, line := range lines {
		c.line(line)
	}
	return append(c.out, head+strings.Join(c.closed(), "\n"))
}

// A cutter makes pieces of lines.
type cutter struct {
	n, room int
	head    string
	out     []string
	cur     []string // the lines of the piece that grows
	size    int      // of cur, with the ends of its lines
	fence   fence    // open after cur
	opens   bool     // the last of cur opens it
	again   bool     // the first of cur is what the cut has added
	lifted  int      // by how many spaces the lines of the fence come up
}

func (c *cutter) add(line string) {
	c.cur = append(c.cur, line)
	c.size += cost(line)
}

// cost is what a line takes from the room.
func cost(line string) int { return utf8.RuneCountInString(line) + 1 }

// line adds a line, in a further piece if it has no room.
func (c *cutter) line(line string) {
	line = lift(line, c.lifted)
	next := c.fence.after(line)
	width, foot := c.room, 0
	if next.open() {
		foot = cost(next.foot())
	}
	if c.fence.open() {
		width -= cost(c.fence.head(c.n))
	}
	for i, l := range wrap(line, max(1, width-foot)) {
		for len(c.cur) > 0 && c.size+cost(l)+foot > c.room+1 && (len(c.cur) > 1 || !c.again) {
			was := c.lifted
			c.flush()
			if l = lift(l, c.lifted-was); c.fence.open() && next.open() {
				next = c.fence
			}
		}
		c.add(l)
		c.opens = i == 0 && !c.fence.open() && next.open()
		c.fence = next
	}
	if !c.fence.open() {
		c.lifted = 0
	}
}

// closed are the lines of a piece, with the end of a fence that is open.
func (c *cutter) closed() []string {
	if c.fence.open() {
		return append(c.cur, c.fence.foot())
	}
	return c.cur
}

func (c *cutter) flush() {
	if last := len(c.cur) - 1; c.opens && last > 0 {
		// A fence of which nothing is shown yet begins in the next piece.
		line := c.cur[last]
		c.out = append(c.out, c.head+strings.Join(c.cur[:last], "\n"))
		c.cur, c.size, c.again = nil, 0, false
		c.add(line)
		return
	}
	c.out = append(c.out, c.head+strings.Join(c.closed(), "\n"))
	c.cur, c.size, c.opens, c.again = nil, 0, false, c.fence.open()
	if c.again {
		alone := c.fence.alone()
		c.lifted += c.fence.indent - alone.indent
		c.fence = alone
		c.add(alone.head(c.n))
	}
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
