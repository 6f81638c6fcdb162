package slack

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/slack-go/slack"
	"golang.org/x/text/width"
)

// What Slack takes of a table: a hundred rows with the head, twenty cells in a row,
// and no empty cell. How many characters in all its documents do not say; beyond
// 8,000 nobody reads a table in a chat.
const (
	tableRows  = 100
	tableCells = 20
	tableLimit = 8000
	blank      = "\u00a0"
)

// A table is a pipe table of a Markdown text. Its rows and its head are as wide as each
// other, and its cells are Markdown.
type table struct {
	head  []string
	align []slack.ColumnAlignment // empty where the text does not say
	rows  [][]string
}

// delimiters is the line under the head of a table.
var delimiters = regexp.MustCompile(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

// segments parts a Markdown text into texts and tables, in their order.
func segments(md string) []segment {
	var out []segment
	for _, chunk := range chunks(md) {
		var text []string
		flush := func() {
			if len(text) > 0 {
				out = append(out, segment{text: strings.Join(text, "\n")})
				text = nil
			}
		}
		lines, code := strings.Split(chunk, "\n"), fence{}
		for i := 0; i < len(lines); i++ {
			if t, n := tableAt(lines[i:]); !code.open() && t != nil {
				flush()
				out = append(out, segment{table: t})
				i += n - 1
				continue
			}
			code = code.after(lines[i])
			text = append(text, lines[i])
		}
		flush()
	}
	return out
}

// tableAt reads the table that begins with the first of some lines, and says how many
// lines it has; nil if none begins there.
func tableAt(lines []string) (*table, int) {
	if len(lines) < 2 || !strings.Contains(lines[0], "|") || !delimiters.MatchString(lines[1]) {
		return nil, 0
	}
	t := &table{head: cells(lines[0])}
	marks := cells(lines[1])
	if len(marks) != len(t.head) {
		return nil, 0
	}
	for _, m := range marks {
		left, right := strings.HasPrefix(m, ":"), strings.HasSuffix(m, ":")
		switch {
		case left && right:
			t.align = append(t.align, slack.ColumnAlignmentCenter)
		case right:
			t.align = append(t.align, slack.ColumnAlignmentRight)
		case left:
			t.align = append(t.align, slack.ColumnAlignmentLeft)
		default:
			t.align = append(t.align, "")
		}
	}
	n := 2
	for ; n < len(lines) && strings.Contains(lines[n], "|"); n++ {
		t.rows = append(t.rows, cells(lines[n]))
	}
	t.widen()
	return t, n
}

// widen gives all rows as many cells as the longest has: what stands beyond the head
// is no less said.
func (t *table) widen() {
	w := len(t.head)
	for _, r := range t.rows {
		w = max(w, len(r))
	}
	full := func(row []string) []string { return append(row, make([]string, w-len(row))...) }
	t.head = full(t.head)
	t.align = append(t.align, make([]slack.ColumnAlignment, w-len(t.align))...)
	for i, r := range t.rows {
		t.rows[i] = full(r)
	}
}

// cells are the cells of one line. A pipe after a backslash is none.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = strings.TrimSuffix(line, "|")
	}
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(out, strings.TrimSpace(cell.String()))
}

// all are the head and the rows.
func (t *table) all() [][]string { return append([][]string{t.head}, t.rows...) }

func (t *table) size() int {
	n := 0
	for _, row := range t.all() {
		for _, c := range row {
			n += utf8.RuneCountInString(c) + 1
		}
	}
	return n
}

// most is the part of a table that Slack takes in at most n characters, and the table
// itself if that is all of it.
func (t *table) most(n int) *table {
	n = min(n, tableLimit)
	if len(t.rows) < tableRows && len(t.head) <= tableCells && t.size() <= n {
		return t
	}
	w := min(len(t.head), tableCells)
	out := &table{align: t.align[:w]}
	room := n
	row := func(from []string) []string {
		var row []string
		for _, c := range from[:w] {
			c = cut(c, max(1, n/w/2-1)) // so that the head and a row always fit
			row = append(row, c)
			room -= utf8.RuneCountInString(c) + 1
		}
		return row
	}
	out.head = row(t.head)
	for _, r := range t.rows {
		got := row(r)
		if room < 0 || len(out.rows) == tableRows-1 {
			break
		}
		out.rows = append(out.rows, got)
	}
	return out
}

// rest says how much of a table a part of it shows, and where all of it is.
func (t *table) rest(part *table, lang string) string {
	rows, columns := len(part.rows) < len(t.rows), len(part.head) < len(t.head)
	var en, zh string
	switch {
	case rows && columns:
		en = fmt.Sprintf("The first %d of %d rows and %d of %d columns", len(part.rows), len(t.rows), len(part.head), len(t.head))
		zh = fmt.Sprintf("共 %d 行 %d 列，这里是前 %d 行 %d 列", len(t.rows), len(t.head), len(part.rows), len(part.head))
	case rows:
		en = fmt.Sprintf("The first %d of %d rows", len(part.rows), len(t.rows))
		zh = fmt.Sprintf("共 %d 行，这里是前 %d 行", len(t.rows), len(part.rows))
	case columns:
		en = fmt.Sprintf("The first %d of %d columns", len(part.head), len(t.head))
		zh = fmt.Sprintf("共 %d 列，这里是前 %d 列", len(t.head), len(part.head))
	default:
		return say(lang, "_The table has no room here; the whole is in the file below._", "_表格太大，完整内容见下方文件。_")
	}
	return say(lang, "_"+en+"; the whole table is in the file below._", "_"+zh+"；完整表格见下方文件。_")
}

// number is what people write as a figure: such a column stands to the right.
var number = regexp.MustCompile(`^[-+−(]?[$€£¥]? ?[-+−]?[\d.,' ]*\d[\d.,' ]* ?(%|\)|[$€£¥])?$`)

// alignments are those that the text tells, and for the other columns those of what
// is in them.
func (t *table) alignments() []slack.ColumnAlignment {
	out := make([]slack.ColumnAlignment, len(t.head))
	for i := range out {
		out[i] = t.align[i]
		if out[i] != "" {
			continue
		}
		figures, others := 0, 0
		for _, r := range t.rows {
			switch c := plainCell(r[i]); {
			case c == "":
			case number.MatchString(c):
				figures++
			default:
				others++
			}
		}
		out[i] = slack.ColumnAlignmentLeft
		if figures > 0 && others == 0 {
			out[i] = slack.ColumnAlignmentRight
		}
	}
	return out
}

// block shows a table.
func (t *table) block(id string) *slack.TableBlock {
	b := slack.NewTableBlock(id)
	for _, row := range t.all() {
		var cells []slack.TableCell
		for _, c := range row {
			cells = append(cells, richCell(c))
		}
		b.AddRow(cells...)
	}
	for _, a := range t.alignments() {
		b.ColumnSettings = append(b.ColumnSettings, slack.ColumnSetting{Align: a, IsWrapped: a != slack.ColumnAlignmentRight})
	}
	return b
}

// aligned shows a table as text of one width.
func (t *table) aligned() string {
	widths := make([]int, len(t.head))
	var lines [][]string
	for _, row := range t.all() {
		var line []string
		for i, c := range row {
			c = strings.ReplaceAll(plainCell(c), "```", "'''")
			widths[i] = max(widths[i], columns(c))
			line = append(line, c)
		}
		lines = append(lines, line)
	}
	aligns := t.alignments()
	var out strings.Builder
	out.WriteString("```\n")
	for n, line := range lines {
		var b strings.Builder
		for i, c := range line {
			if i > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-columns(c))
			if aligns[i] == slack.ColumnAlignmentRight {
				c, pad = pad, c
			}
			b.WriteString(c + pad)
		}
		out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
		if n == 0 {
			for i, w := range widths {
				if i > 0 {
					out.WriteString("  ")
				}
				out.WriteString(strings.Repeat("-", max(w, 1)))
			}
			out.WriteString("\n")
		}
	}
	out.WriteString("```")
	return out.String()
}

// columns is how wide a text is where all letters are as wide as each other, and a
// Chinese one as wide as two.
func columns(s string) int {
	n := 0
	for _, r := range s {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n++
		}
		n++
	}
	return n
}

// csv is a table as a file. What a spreadsheet would take for a formula, and is no
// number, gets an apostrophe.
func (t *table) csv() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range t.all() {
		line := make([]string, len(row))
		for i, c := range row {
			line[i] = defused(plainCell(c))
		}
		_ = w.Write(line) // into memory
	}
	w.Flush()
	return b.Bytes()
}

// defused is a cell that no spreadsheet runs: these first characters begin a formula in
// one of them or another.
func defused(s string) string {
	head := strings.TrimLeft(s, " \u00a0")
	if head != "" && strings.ContainsAny(head[:1], "=+-@\t\r\n") || strings.HasPrefix(head, "＝") || strings.HasPrefix(head, "＋") || strings.HasPrefix(head, "－") || strings.HasPrefix(head, "＠") {
		if !number.MatchString(s) {
			return "'" + s
		}
	}
	return s
}

// flatten shows the tables of a text as text of one width, for where Slack takes no
// table.
func flatten(md string) string {
	var out []string
	for _, s := range segments(md) {
		if s.table != nil {
			s.text = s.table.aligned()
		}
		out = append(out, s.text)
	}
	return strings.Join(out, "\n\n")
}
