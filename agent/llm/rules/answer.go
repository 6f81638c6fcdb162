package rules

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A table is what query_metric says of its result, as far as a sentence needs it.
type table struct {
	Title   string
	Period  *struct{ From, To string }
	Columns []struct {
		Key, Label, Role, Unit string
		Scale                  int
	}
	Rows      [][]any
	RowCount  int `json:"row_count"`
	Truncated int
	Total     *totals
	Overall   *totals
	Missing   []string `json:"missing_days"`
	Note      string   // in words for people
}

type totals struct {
	Value    *float64 `json:"value"`
	Previous *float64 `json:"previous_period"`
	Year     *float64 `json:"year_before"`
}

// sayFigures answers with the figures: for a report in one sentence, since it
// stands beside; for a question with the total and the first row. Every number is
// a cell, a total that the tool gave, or a ratio of two of these.
func (w work) sayFigures() string {
	var lines []string
	for i, s := range w.steps {
		r, done := w.talk.result(i + 1)
		if !done || r.Failed {
			continue
		}
		switch s.name {
		case makeReport:
			var made struct{ Title string }
			title := ""
			if json.Unmarshal([]byte(r.Text), &made) == nil {
				title = made.Title
			}
			if w.reading.inherits || w.reading.report || !w.reading.attached {
				if title == "" {
					return w.pick("Here is the report.", "报告做好了。")
				}
				return w.pick("Here is the report: "+title+".", "报告做好了："+title+"。")
			}
			return ""
		case queryMetric:
			if line := w.sayTable(s, r.Text); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "\n\n")
}

func (w work) sayTable(s step, said string) string {
	var t table
	if json.Unmarshal([]byte(said), &t) != nil || len(t.Columns) == 0 {
		return ""
	}
	value := slices.IndexFunc(t.Columns, func(c struct {
		Key, Label, Role, Unit string
		Scale                  int
	}) bool {
		return c.Role == "value"
	})
	if value < 0 {
		return ""
	}
	col := t.Columns[value]
	number := func(x float64) string {
		n := group3(strconv.FormatFloat(round(x, col.Scale), 'f', col.Scale, 64))
		if col.Unit != "" {
			n += " " + col.Unit
		}
		return n
	}
	sums := t.Total
	if sums == nil {
		sums = t.Overall
	}
	if sums == nil && len(t.Columns) == 1 && len(t.Rows) == 1 {
		if x, ok := t.Rows[0][0].(float64); ok {
			sums = &totals{Value: &x}
		}
	}
	name := t.Title
	if name == "" {
		name = col.Label
	}
	if sums == nil || sums.Value == nil {
		if len(t.Rows) == 0 {
			return w.pick(name+": there is no data for that.", name+"：没有数据。")
		}
	}
	var b strings.Builder
	b.WriteString(name)
	top, _ := s.args["top"].(int)
	firsts := w.firsts(t, value, top, number)
	b.WriteString(firsts)
	if sums != nil && sums.Value != nil {
		colon := w.pick(": ", "：")
		if firsts != "" {
			colon = w.pick(". Total of all, not only of these: ", "。全部合计（不只这几个）：")
		}
		b.WriteString(colon + "**" + number(*sums.Value) + "**" + w.days(t))
		w.compared(&b, *sums.Value, sums.Previous, w.pick("the period before", "上一期"), number)
		w.compared(&b, *sums.Value, sums.Year, w.pick("the same period a year before", "去年同期"), number)
		b.WriteString(w.pick(".", "。"))
	} else {
		b.WriteString(w.days(t) + w.pick(".", "。"))
	}
	if by, _ := s.args["by"].([]string); len(by) > 0 && len(t.Rows) > 0 && firsts == "" {
		w.rows(&b, t, value, number, sums)
	}
	if t.Note != "" && sums != nil && sums.Value != nil {
		b.WriteString(w.pick(" ", "") + sentence(t.Note))
	}
	if n := len(t.Missing); n > 0 {
		fmt.Fprintf(&b, w.pick(" Days without data: %d.", "没有数据的天数：%d。"), n)
	}
	if g := t.grid(func(n int) string { return fmt.Sprintf(w.pick("… and %d more", "……还有 %d 行"), n) }); g != "" {
		b.WriteString("\n\n" + g)
	}
	return b.String()
}

// firsts are the first few rows where these were asked for: they are the answer,
// and the total beside them is that of everything.
func (w work) firsts(t table, value, top int, number func(float64) string) string {
	if top < 2 || len(t.Rows) < 2 {
		return ""
	}
	var parts []string
	for _, row := range t.Rows[:min(top, len(t.Rows), 5)] {
		x, ok := 0.0, false
		if value < len(row) {
			x, ok = row[value].(float64)
		}
		if !ok {
			return ""
		}
		parts = append(parts, t.label(row)+" "+number(x))
	}
	return w.pick(": ", "：") + strings.Join(parts, w.pick(", ", "、"))
}

// label is what a row is about.
func (t table) label(row []any) string {
	var parts []string
	for i, c := range t.Columns {
		if c.Role == "by" && i < len(row) {
			parts = append(parts, fmt.Sprint(row[i]))
		}
	}
	return strings.Join(parts, ", ")
}

// days are the first and last day of a period.
func (w work) days(t table) string {
	if t.Period == nil || t.Period.From == "" {
		return ""
	}
	from, err1 := time.Parse(time.DateOnly, t.Period.From)
	to, err2 := time.Parse(time.DateOnly, t.Period.To)
	if err1 != nil || err2 != nil {
		return ""
	}
	if from.Equal(to) {
		return w.pick(" ("+from.Format("2 January 2006")+")", "（"+from.Format("2006年1月2日")+"）")
	}
	return w.pick(" ("+from.Format("2 January 2006")+" to "+to.Format("2 January 2006")+")", "（"+from.Format("2006年1月2日")+"至"+to.Format("2006年1月2日")+"）")
}

// compared says a value beside another. Without a value to divide by there is no
// share to speak of.
func (w work) compared(b *strings.Builder, x float64, other *float64, name string, number func(float64) string) {
	if other == nil {
		return
	}
	fmt.Fprintf(b, w.pick(", %s: %s", "，%s：%s"), name, number(*other))
	if *other > 0 {
		change := (x/(*other) - 1) * 100
		fmt.Fprintf(b, w.pick(" (%+.1f%%)", "（%+.1f%%）"), change)
	}
}

// rows names the first row, or the last one if the least was asked for.
func (w work) rows(b *strings.Builder, t table, value int, number func(float64) string, sums *totals) {
	most, least := -1, -1
	var high, low float64
	for i, row := range t.Rows {
		if value >= len(row) {
			continue
		}
		x, ok := row[value].(float64)
		if !ok {
			continue
		}
		if most < 0 || x > high {
			most, high = i, x
		}
		if least < 0 || x < low {
			least, low = i, x
		}
	}
	if most < 0 {
		return
	}
	at, x, words := most, high, w.pick(" Highest: %s with %s", "最高的是%s：%s")
	if len(w.reading.groups) > 0 && w.reading.groups[0].worst && t.Truncated == 0 && t.RowCount <= len(t.Rows) {
		at, x, words = least, low, w.pick(" Lowest: %s with %s", "最低的是%s：%s")
	}
	fmt.Fprintf(b, words, t.label(t.Rows[at]), number(x))
	if sums != nil && sums == t.Total && sums.Value != nil && *sums.Value > 0 && x >= 0 {
		fmt.Fprintf(b, w.pick(" (%.1f%% of the total)", "（占总额的%.1f%%）"), x/(*sums.Value)*100)
	}
	b.WriteString(w.pick(".", "。"))
}

func round(x float64, digits int) float64 {
	p := math.Pow(10, float64(digits))
	return math.Round(x*p) / p
}

// group3 sets a comma between thousands.
func group3(s string) string {
	whole, rest, dot := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		whole += "." + rest
	}
	return sign + whole
}
