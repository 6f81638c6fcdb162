package report

import (
	"regexp"
	"strconv"
	"strings"
)

// readYears learns which years are years.
func (c *checker) readYears(f *frame) {
	see := func(y int) {
		if y < 1900 || y > 2100 {
			return
		}
		if c.years[0] == 0 || y < c.years[0] {
			c.years[0] = y
		}
		c.years[1] = max(c.years[1], y)
	}
	if p := local(f.Period, f.Zone); spanOf(p) != noSpan {
		see(p.From.Year())
		see(lastDay(p).Year())
	}
	if f.time && len(f.labels) > 0 {
		for _, l := range f.labels {
			y, _ := strconv.Atoi(l[:4]) //nolint:errcheck // A label of time begins with a year.
			see(y)
		}
	}
}

// names finds where the text speaks of rows, and hides the numbers in their names:
// "iPhone 15" and "Seven Seas" are no claims.
func (c *checker) names(f *frame, masked []bool) {
	note := func(name string, m mention) {
		name = lowerASCII(fold(strings.TrimSpace(name)).s)
		if name == "" {
			return
		}
		for _, at := range places(c.lower, name) {
			m.start, m.end = at, at+len(name)
			if nameless.MatchString(name) {
				continue
			}
			c.mentions = append(c.mentions, m)
			for i := m.start; i < m.end; i++ {
				masked[i] = true
			}
		}
	}
	for _, col := range f.Columns {
		note(col.Label, mention{table: -1})
	}
	seen := map[string]bool{}
	for r, l := range f.labels {
		if len(f.by) == 1 {
			for _, name := range spellings(l, f) {
				note(name, mention{table: f.at, row: r})
			}
			continue
		}
		for _, by := range f.by {
			s := f.text(r, by)
			if seen[s] {
				continue
			}
			seen[s] = true
			note(s, mention{table: f.at, row: r, group: s})
			if e := esc(s); e != s {
				note(e, mention{table: f.at, row: r, group: s})
			}
		}
	}
}

// nameless is a name that is nothing but a number: it hides nothing.
var nameless = regexp.MustCompile(`^[-+]?[$€£¥]?[\d.,\x1f]*[%kmb]?$`)

// spellings are the ways in which people write a row's name.
func spellings(label string, f *frame) []string {
	names := []string{label}
	if e := esc(label); e != label {
		names = append(names, e)
	}
	if f.fine && len(f.Rows) <= 400 {
		names = append(names, daySpellings(label)...)
	}
	return names
}

// places are where a name stands in a text as a word of its own.
func places(s, name string) []int {
	var out []int
	for from := 0; ; {
		i := strings.Index(s[from:], name)
		if i < 0 {
			return out
		}
		i += from
		from = i + len(name)
		if wordByte(s, i-1) && wordByte(s, i) || wordByte(s, from-1) && wordByte(s, from) {
			from = i + 1
			continue
		}
		out = append(out, i)
	}
}

func wordByte(s string, i int) bool {
	return i >= 0 && i < len(s) && (isDigit(s[i]) || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z')
}
