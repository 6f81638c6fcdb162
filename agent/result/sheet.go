package result

import (
	"strings"
	"unicode/utf8"
)

// A sheet is a text that is a table: a line of names, then lines with as many cells.
type sheet struct {
	header  []string
	rows    int
	columns []*column
}

// sheetOf reads a text as a table with commas, tabs, semicolons or bars between its
// cells. It reports false for a text of which one line has another number of
// cells: that is no table, or one in which lines are not rows.
func sheetOf(text string) (sheet, bool) {
	text = strings.TrimRight(text, "\n")
	head, body, _ := strings.Cut(text, "\n")
	if strings.Count(body, "\n") < 1 || len(head) > 2000 {
		return sheet{}, false
	}
	for _, sep := range []byte{'\t', ',', ';', '|'} {
		if strings.IndexByte(head, sep) < 0 {
			continue
		}
		s := sheet{}
		header, ok := cells(head, sep, nil)
		if !ok || !isHeader(header) {
			continue
		}
		s.header = header
		for _, h := range header {
			s.columns = append(s.columns, newColumn(h))
		}
		if s.read(body, sep) {
			return s, true
		}
	}
	return sheet{}, false
}

func (s *sheet) read(body string, sep byte) bool {
	row := make([]string, 0, len(s.header))
	for line := range strings.SplitSeq(body, "\n") {
		var ok bool
		if row, ok = cells(line, sep, row[:0]); !ok || len(row) != len(s.header) {
			return false
		}
		for i, cell := range row {
			c := s.columns[i]
			c.seen++
			if cell = strings.TrimSpace(cell); cell == "" {
				c.null++
			} else {
				c.number(cell)
			}
		}
		s.rows++
	}
	return true
}

// isHeader reports whether cells are names: short, none twice, and no numbers.
func isHeader(cells []string) bool {
	seen := map[string]bool{}
	for _, c := range cells {
		c = strings.TrimSpace(c)
		if c == "" || seen[c] || utf8.RuneCountInString(c) > 64 || c[0] >= '0' && c[0] <= '9' {
			return false
		}
		seen[c] = true
	}
	return len(cells) > 1
}

// cells splits a line. It reports false for quotes that do not close, as those of a
// cell of several lines.
func cells(line string, sep byte, out []string) ([]string, bool) {
	if strings.IndexByte(line, '"') < 0 {
		for {
			i := strings.IndexByte(line, sep)
			if i < 0 {
				return append(out, line), true
			}
			out = append(out, line[:i])
			line = line[i+1:]
		}
	}
	for {
		if !strings.HasPrefix(line, `"`) {
			i := strings.IndexByte(line, sep)
			if i < 0 {
				return append(out, line), true
			}
			out = append(out, line[:i])
			line = line[i+1:]
			continue
		}
		end := 1
		for end < len(line) && (line[end] != '"' || strings.HasPrefix(line[end:], `""`)) {
			if line[end] == '"' {
				end++
			}
			end++
		}
		if end >= len(line) || end+1 < len(line) && line[end+1] != sep {
			return out, false
		}
		out = append(out, strings.ReplaceAll(line[1:end], `""`, `"`))
		if end+1 == len(line) {
			return out, true
		}
		line = line[end+2:]
	}
}
