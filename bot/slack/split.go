package slack

import (
	"strings"
	"unicode/utf8"
)

// split cuts a Markdown text into parts of at most n characters, between blocks
// if it can: a code fence that has to be cut is closed and opened again, and a
// table is given its head again, so that each part is sound alone.
func split(md string, n int) []string {
	var out []string
	var cur strings.Builder
	size := 0
	flush := func() {
		if t := strings.Trim(cur.String(), "\n"); t != "" {
			out = append(out, t)
		}
		cur.Reset()
		size = 0
	}
	add := func(t string) {
		cur.WriteString(t)
		size += utf8.RuneCountInString(t)
	}
	for _, b := range chunks(md) {
		w := utf8.RuneCountInString(b)
		if size+w+2 > n {
			flush()
		}
		if w <= n {
			if size > 0 {
				add("\n\n")
			}
			add(b)
			continue
		}
		pieces := pieces(b, n)
		out = append(out, pieces[:len(pieces)-1]...)
		add(pieces[len(pieces)-1])
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
		mark := fenceOf(line)
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.TrimSpace(line) == mark {
				fence = ""
			}
		case mark != "":
			fence = mark
		case strings.TrimSpace(line) == "":
			flush()
			continue
		}
		cur = append(cur, line)
	}
	flush()
	return out
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
