package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// listed is how many rows a person reads in a chat; a report has all of them.
const listed = 20

// grid writes the rows of a table for the eye. One row needs none: the sentence has
// said it.
func (t table) grid(more func(n int) string) string {
	if len(t.Rows) < 2 {
		return ""
	}
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	var heads, rules []string
	for _, c := range t.Columns {
		heads = append(heads, cell(c.Label))
		if c.Role == "by" {
			rules = append(rules, "---")
		} else {
			rules = append(rules, "---:")
		}
	}
	line(heads)
	line(rules)
	for _, row := range t.Rows[:min(len(t.Rows), listed)] {
		var cells []string
		for i, c := range t.Columns {
			if i >= len(row) {
				break
			}
			if x, ok := row[i].(float64); ok && c.Role != "by" {
				cells = append(cells, group3(strconv.FormatFloat(round(x, c.Scale), 'f', c.Scale, 64)))
				continue
			}
			if row[i] == nil {
				cells = append(cells, "–")
				continue
			}
			cells = append(cells, cell(fmt.Sprint(row[i])))
		}
		line(cells)
	}
	if n := max(t.RowCount, len(t.Rows)) + t.Truncated - listed; n > 0 {
		b.WriteString("\n" + more(n))
	}
	return strings.TrimRight(b.String(), "\n")
}

// cell is text that ends no cell and no row.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}
