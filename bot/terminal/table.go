package terminal

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

var ruler = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

// tableAt is how many lines of a table these begin with, 0 if none.
func tableAt(lines []string) int {
	if len(lines) < 2 || !strings.Contains(lines[0], "|") || !strings.Contains(lines[1], "|") || !ruler.MatchString(lines[1]) {
		return 0
	}
	n := 2
	for n < len(lines) && strings.Contains(lines[n], "|") {
		n++
	}
	return n
}

// table sets rows in columns. Numbers stand to the right where the table says so.
func (k look) table(lines []string) []string {
	var rows [][]string
	var right []bool
	for i, line := range lines {
		cells := cellsOf(line)
		if i == 1 {
			for _, c := range cells {
				right = append(right, strings.HasSuffix(c, ":") && !strings.HasPrefix(c, ":"))
			}
			continue
		}
		rows = append(rows, cells)
	}
	wide := make([]int, len(right))
	for _, row := range rows {
		for j := range min(len(row), len(wide)) {
			wide[j] = max(wide[j], cols(look{}.inline(row[j])))
		}
	}
	var out []string
	for i, row := range rows {
		var b strings.Builder
		for j := range wide {
			cell := ""
			if j < len(row) {
				cell = row[j]
			}
			text := k.inline(cell)
			if i == 0 {
				text = k.strong(look{}.inline(cell))
			}
			gap := strings.Repeat(" ", wide[j]-cols(look{}.inline(cell)))
			if j > 0 {
				b.WriteString("  ")
			}
			if right[j] {
				b.WriteString(gap + text)
			} else {
				b.WriteString(text + gap)
			}
		}
		out = append(out, strings.TrimRight(b.String(), " "))
		if i == 0 {
			var rules []string
			for _, w := range wide {
				rules = append(rules, strings.Repeat("-", w))
			}
			out = append(out, strings.TrimRight(strings.Join(rules, "  "), " "))
		}
	}
	return out
}

// cellsOf splits a row. A bar after a backslash, or in code, is text.
func cellsOf(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	var cells []string
	from := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '`':
			if _, n := code(line[i:]); n > 0 {
				i += n - 1
			}
		case '|':
			cells = append(cells, strings.TrimSpace(line[from:i]))
			from = i + 1
		}
	}
	if last := strings.TrimSpace(line[from:]); last != "" {
		cells = append(cells, last)
	}
	return cells
}

// cols is how many columns of a terminal a text takes: signs of Chinese take two.
func cols(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		default:
			n++
			if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
				n++
			}
		}
	}
	return n
}
