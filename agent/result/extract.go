package result

import (
	"fmt"
	"slices"
	"strings"
)

// maxColumns is how many columns are counted.
const maxColumns = 100

// describe says what a table or an array amounts to, counted over all of it: how
// many rows, the names of its columns, and the figures of those that are numbers.
// total is how many rows there are; if they are not all here, there are no figures.
func (r *reader) describe(whole string, p Parts, total int) string {
	n := len(p.all)
	if p.unit == "member" || p.unit == "item" && p.at != "" && n < 2 {
		return ""
	}
	var head string
	var cols []*column
	switch {
	case p.unit == "row":
		names, _, _ := grid(whole)
		cols = columnsOf(p.all, names)
		head = "rows; columns"
	case n > 0 && p.all[0][0] == '{':
		cols = columnsOf(p.all, nil)
		head = "items; fields"
	case n > r.cfg.ArrayMax && number(p.all[0]):
		cols = []*column{newColumn("each")}
		for i, v := range p.all {
			cols[0].add(i, v)
		}
		return r.figures(fmt.Sprintf("%d items%s", n, where(p.at)), cols, n, false)
	default:
		return ""
	}
	unit, what, _ := strings.Cut(head, ";")
	head = fmt.Sprintf("%d %s%s;%s %s", total, unit, where(p.at), what, names(titles(cols), r.limit/4))
	if total > n || r.partial {
		return head
	}
	text := r.figures(head, cols, n, unsummed(whole))
	if gone := missing(n, cols); gone != "" && len(text)+len(gone) < r.limit/3 {
		text += "; " + gone
	}
	return text
}

func where(at string) string {
	if at == "" {
		return ""
	}
	return " at " + short(at, 80)
}

func titles(cols []*column) []string {
	var out []string
	for _, c := range cols {
		out = append(out, c.name)
	}
	return out
}

// unsummed reports whether a tool of ours says that the parts do not add up.
func unsummed(table string) bool {
	if table[0] != '{' {
		return false
	}
	overall := member(table, "overall")
	return overall != "" && overall != "null" || member(table, "no_total") == "true"
}

// figures adds to a head the figures of the columns that have some: those first that
// the request speaks of.
func (r *reader) figures(head string, cols []*column, rows int, unsummed bool) string {
	cols = slices.DeleteFunc(slices.Clone(cols), func(c *column) bool { return !c.figure() })
	goal := strings.ToLower(r.in.Goal)
	slices.SortStableFunc(cols, func(a, b *column) int { return rank(b, goal) - rank(a, goal) })
	text := head
	for i, c := range cols {
		said := c.say(rows, unsummed)
		if i == 8 || len(text)+len(said) > r.limit/4 {
			text += fmt.Sprintf("; figures of %d more", len(cols)-i)
			break
		}
		text += "; " + said
	}
	return text
}

func rank(c *column, goal string) int {
	name := strings.ToLower(c.name)
	if name != "" && (strings.Contains(goal, name) || strings.Contains(goal, strings.ReplaceAll(name, "_", " "))) {
		return 1
	}
	return 0
}

// missing says in how many rows a column was not returned, which is not the same as
// being empty, and in how many it is null.
func missing(rows int, cols []*column) string {
	var some []string
	for _, c := range cols {
		switch lack := rows - c.seen; {
		case len(some) == 10:
		case lack > 0 && c.null > 0:
			some = append(some, fmt.Sprintf("%s not returned in %d, null in %d", name(c.name), lack, c.null))
		case lack > 0:
			some = append(some, fmt.Sprintf("%s not returned in %d", name(c.name), lack))
		case c.null > 0:
			some = append(some, fmt.Sprintf("%s null in %d", name(c.name), c.null))
		}
	}
	return strings.Join(some, "; ")
}

// A column is what a column of a table amounts to.
type column struct {
	name      string
	seen      int // rows that have it
	null      int // rows in which it is null or empty
	numbers   int
	other     int // neither null nor a number
	last      int // the row seen last
	low, high decimal
	sum       total
}

func newColumn(name string) *column { return &column{name: name, last: -1} }

// columnsOf counts rows: arrays by their places, objects by their keys.
func columnsOf(rows, names []string) []*column {
	var cols []*column
	by := map[string]*column{}
	col := func(key string) *column {
		c := newColumn(clean(key))
		if by[key] = c; len(cols) < maxColumns {
			cols = append(cols, c)
		}
		return c
	}
	for _, name := range names {
		col(name)
	}
	for i, row := range rows {
		switch row[0] {
		case '{':
			for k, v := range members(row) {
				key := keyOf(k)
				c := by[key]
				if c == nil {
					c = col(key)
				}
				c.add(i, v)
			}
		case '[':
			n := 0
			for v := range items(row) {
				if n < len(names) && n < maxColumns {
					cols[n].add(i, v)
				}
				n++
			}
		}
	}
	return cols
}

// add counts a cell of JSON.
func (c *column) add(row int, raw string) {
	if c.last == row {
		return
	}
	c.last = row
	c.seen++
	switch {
	case raw == "null":
		c.null++
	case number(raw):
		c.number(raw)
	case raw[0] == '"' && len(raw) < aNumber:
		c.number(raw[1 : len(raw)-1])
	default:
		c.other++
	}
}

// number counts a cell that may be a number.
func (c *column) number(s string) {
	d, ok := parseDecimal(s)
	if !ok {
		c.other++
		return
	}
	if c.numbers == 0 || d.less(c.low) {
		c.low = d
	}
	if c.numbers == 0 || c.high.less(d) {
		c.high = d
	}
	c.numbers++
	c.sum.add(d)
}

// figure reports whether the column has figures worth telling.
func (c *column) figure() bool { return c.other == 0 && c.numbers > 1 && !label(c.name) }

func (c *column) say(rows int, unsummed bool) string {
	text := name(c.name)
	if c.numbers < rows {
		text += fmt.Sprintf(" count %d,", c.numbers)
	}
	text += fmt.Sprintf(" min %s, max %s", c.low.text, c.high.text)
	if !unsummed && !ratio(c.name) {
		text += ", sum " + c.sum.String()
	}
	return text
}
