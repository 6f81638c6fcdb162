package file

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/tabular"
)

// A column is what the cells under one name are.
type column struct {
	fact   run.ColumnFact
	number bool
	comma  bool   // numbers are written with a comma before the decimals
	days   string // the layout of its days
}

// fewValues is how many different values are named one by one.
const fewValues = 6

// columnOf reads the cells of a column. It is one of numbers if hardly a cell is
// anything else, one of days if every cell is one in the same way of writing.
func columnOf(name string, g grid, at int) column {
	c := column{fact: run.ColumnFact{Name: name}}
	var cells []string
	for _, row := range g.rows {
		if !tabular.Blank(row[at]) {
			cells = append(cells, row[at])
		}
	}
	c.fact.Filled = len(cells)
	if len(cells) == 0 {
		return c
	}
	if c.days = tabular.LayoutOf(cells); c.days != "" {
		for _, s := range cells {
			d, _ := time.Parse(c.days, s)
			day := d.Format(time.DateOnly)
			if c.fact.From == "" || day < c.fact.From {
				c.fact.From = day
			}
			c.fact.To = max(c.fact.To, day)
		}
		return c
	}
	if !namesThings(name, cells) && c.numbers(cells) {
		return c
	}
	seen := map[string]bool{}
	for _, s := range cells {
		if seen[s] {
			continue
		}
		seen[s] = true
		if len(c.fact.Values) < fewValues {
			c.fact.Values = append(c.fact.Values, shortened(strings.Join(strings.Fields(s), " "), 40))
		}
	}
	c.fact.Distinct = len(seen)
	if c.fact.Distinct > fewValues {
		c.fact.Values = nil
	}
	return c
}

// numbers adds up the cells, exactly. It reports false if too many are no numbers.
func (c *column) numbers(cells []string) bool {
	odd := func(comma bool) (n int) {
		for _, s := range cells {
			if _, ok := tabular.NumberOf(s, comma); !ok {
				n++
			}
		}
		return n
	}
	c.fact.Odd = odd(false)
	if c.fact.Odd > 0 {
		if other := odd(true); other < c.fact.Odd {
			c.comma, c.fact.Odd = true, other
		}
	}
	good := len(cells) - c.fact.Odd
	if good == 0 || c.fact.Odd*10 > len(cells) {
		c.fact.Odd, c.comma = 0, false
		return false
	}
	c.number = true
	sum, least, most := new(big.Rat), (*big.Rat)(nil), (*big.Rat)(nil)
	digits, unit, units := 0, "", 0
	for _, s := range cells {
		n, ok := tabular.NumberOf(s, c.comma)
		if !ok {
			continue
		}
		sum.Add(sum, n.Value)
		if least == nil || n.Value.Cmp(least) < 0 {
			least = n.Value
		}
		if most == nil || n.Value.Cmp(most) > 0 {
			most = n.Value
		}
		digits = max(digits, n.Digits)
		if units == 0 || unit != n.Unit {
			unit, units = n.Unit, units+1
		}
	}
	if units == 1 {
		c.fact.Unit = unit
	}
	mean := new(big.Rat).Quo(sum, new(big.Rat).SetInt64(int64(good)))
	c.fact.Mean = grouped(mean.FloatString(min(max(digits, 2), 6)))
	c.fact.Min, c.fact.Max = grouped(least.FloatString(digits)), grouped(most.FloatString(digits))
	if c.fact.Unit != "%" {
		c.fact.Sum = grouped(sum.FloatString(digits))
	}
	return true
}

// idName is how columns are called whose numbers are names.
var idName = regexp.MustCompile(`(?i)(?:^|[ _.-])(?:id|no|nr|number|code|zip|year|phone|sku)$|ID$|编号|号码|编码|代码|年份|邮编|电话`)

var yearCell = regexp.MustCompile(`^(?:19|20)\d\d$`)

// namesThings reports whether what looks like numbers are names of things, which
// nobody adds up.
func namesThings(name string, cells []string) bool {
	if idName.MatchString(name) {
		return true
	}
	return !slices.ContainsFunc(cells, func(s string) bool { return len(s) < 2 || s[0] != '0' || s[1] < '0' || s[1] > '9' }) ||
		strings.EqualFold(name, "year") && !slices.ContainsFunc(cells, func(s string) bool { return !yearCell.MatchString(s) })
}

// grouped writes a decimal with commas between thousands.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, decimals, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if decimals != "" {
		decimals = "." + decimals
	}
	return sign + whole + decimals
}

// kept is the table as tools read it.
func (g grid) kept(columns []column) tool.Grid {
	out := tool.Grid{Rows: make([][]any, 0, len(g.rows))}
	for i, c := range columns {
		unit := c.fact.Unit
		out.Columns = append(out.Columns, tool.Column{Key: "c" + strconv.Itoa(i+1), Label: c.fact.Name, Role: tool.RoleOther, Unit: unit})
	}
	for _, row := range g.rows {
		cells := make([]any, len(row))
		for i, s := range row {
			switch n, ok := tabular.NumberOf(s, columns[i].comma); {
			case s == "", columns[i].number && tabular.Blank(s):
			case columns[i].number && ok:
				cells[i], _ = n.Value.Float64()
			case columns[i].days != "" && !tabular.Blank(s):
				d, _ := time.Parse(columns[i].days, s)
				cells[i] = d.Format(time.DateOnly)
				if h, m, sec := d.Clock(); h+m+sec > 0 {
					cells[i] = d.Format(time.DateTime)
				}
			default:
				cells[i] = s
			}
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// within keeps the first rows that have room, and says how many it left out.
func within(g tool.Grid, room int) (tool.Grid, int) {
	size := 0
	for i, row := range g.Rows {
		size += sizeOfRow(row)
		if size > room {
			g.Truncated = len(g.Rows) - i
			g.Rows = g.Rows[:i]
			return g, g.Truncated
		}
	}
	return g, 0
}

func sizeOf(g tool.Grid) (size int) {
	for _, row := range g.Rows {
		size += sizeOfRow(row)
	}
	return size
}

func sizeOfRow(row []any) int {
	size := 2
	for _, c := range row {
		switch c := c.(type) {
		case string:
			size += len(c) + 3
		default:
			size += 10
		}
	}
	return size
}
