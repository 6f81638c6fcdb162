package report

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"

	"hermes/agent/tool"
)

// A frame is a Grid read for its meaning: which columns are what, and whether
// its rows may be added up.
type frame struct {
	tool.Grid
	at   int   // place among the tables
	by   []int // columns of dimensions
	val  int   // column of the measure, or -1
	prev int   // column of the period before, or -1
	year int   // column of the year before, or -1
	more []int // further columns of numbers, of free SQL
	// time: the rows are points in time. fine: they are days. monthly: months.
	time, fine, monthly bool
	// additive: the sum of the rows is the measure of the whole.
	additive bool
	labels   []string
}

func newFrame(g tool.Grid, at int) *frame {
	f := &frame{Grid: g, at: at, val: -1, prev: -1, year: -1}
	for c, col := range g.Columns {
		switch {
		case col.Role == tool.RoleBy:
			f.by = append(f.by, c)
		case col.Role == tool.RoleValue && f.val < 0:
			f.val = c
		case col.Role == tool.RolePrevious && f.prev < 0:
			f.prev = c
		case col.Role == tool.RoleYear && f.year < 0:
			f.year = c
		case f.numeric(c):
			f.more = append(f.more, c)
		case len(f.more) == 0:
			// Text of free SQL names the row as long as it stands before the
			// first number.
			f.by = append(f.by, c)
		}
	}
	declared := f.val >= 0
	if !declared && len(f.more) > 0 {
		f.val, f.more = f.more[0], f.more[1:]
	}
	f.time, f.fine, f.monthly = f.times()
	// Nobody has declared what may be added in free SQL.
	f.additive = declared && f.val >= 0 && !g.NoTotal && g.Columns[f.val].Unit != "%"
	f.labels = make([]string, len(g.Rows))
	for r := range g.Rows {
		f.labels[r] = f.label(r)
	}
	return f
}

func (f *frame) numeric(c int) bool {
	some := false
	for _, row := range f.Rows {
		if c >= len(row) || row[c] == nil {
			continue
		}
		if _, ok := toNumber(row[c]); !ok {
			return false
		}
		some = true
	}
	return some
}

var (
	dayLabel  = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	timeLabel = regexp.MustCompile(`^\d{4}(-\d{2}(-\d{2})?|-?W\d{1,2}|-?Q[1-4])?$`)
)

// times says whether the first dimension is time, and whether its points are
// days or months.
func (f *frame) times() (points, days, months bool) {
	if len(f.by) == 0 || len(f.Rows) == 0 {
		return false, false, false
	}
	points, days, months = true, true, true
	for r := range f.Rows {
		s := f.text(r, f.by[0])
		points = points && timeLabel.MatchString(s)
		days = days && dayLabel.MatchString(s)
		months = months && len(s) == len("2006-01")
	}
	return points, points && days, points && months
}

// toNumber reads a cell. What is no finite number is none.
func toNumber(v any) (float64, bool) {
	var n float64
	switch v := v.(type) {
	case float64:
		n = v
	case int:
		n = float64(v)
	case int64:
		n = float64(v)
	case json.Number:
		var err error
		if n, err = v.Float64(); err != nil {
			return 0, false
		}
	default:
		return 0, false
	}
	return n, finite(n)
}

// text is a cell as people read it in a label.
func (f *frame) text(row, col int) string {
	if col >= len(f.Rows[row]) {
		return ""
	}
	switch v := f.Rows[row][col].(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		n, ok := toNumber(v)
		if !ok {
			return ""
		}
		return trimZeros(strings.ReplaceAll(number(n, 6), ",", ""))
	}
}

func (f *frame) label(row int) string {
	var parts []string
	for _, c := range f.by {
		s := strings.Join(strings.Fields(f.text(row, c)), " ")
		if s == "" {
			s = "—"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " / ")
}

func (f *frame) unit() string {
	if f.val < 0 {
		return ""
	}
	return f.Columns[f.val].Unit
}

// whole is true if the rows are all there are.
func (f *frame) whole() bool { return f.Truncated == 0 }

// cell returns a number of the grid.
func (f *frame) cell(row, col int) (figure, bool) {
	if col < 0 || col >= len(f.Rows[row]) {
		return figure{}, false
	}
	v, ok := toNumber(f.Rows[row][col])
	c := f.Columns[col]
	return figure{op: OpCell, value: v, cell: Cell{f.at, row, c.Key}, unit: c.Unit, scale: c.Scale}, ok
}

// column returns the sum, the mean and the count of the numbers of a column.
func (f *frame) column(col int) (sum, mean, count figure, ok bool) {
	var vs []float64
	for r := range f.Rows {
		if c, ok := f.cell(r, col); ok {
			vs = append(vs, c.value)
		}
	}
	if len(vs) == 0 {
		return
	}
	c := f.Columns[col]
	whole := figure{cell: Cell{f.at, AllRows, c.Key}, unit: c.Unit, scale: c.Scale}
	sum, mean, count = whole, whole, whole
	sum.op, sum.value = OpSum, add(vs)
	mean.op, mean.value = OpMean, sum.value/float64(len(vs))
	count.op, count.value, count.unit, count.scale = OpCount, float64(len(vs)), "", 0
	return sum, mean, count, finite(sum.value)
}

// total is what the column comes to as a whole: its sum, or its one cell.
func (f *frame) total(col int) (figure, bool) {
	if col < 0 {
		return figure{}, false
	}
	if len(f.Rows) == 1 {
		return f.cell(0, col)
	}
	if !f.additive {
		return figure{}, false
	}
	sum, _, _, ok := f.column(col)
	return sum, ok
}

// shares says whether a part of the column's sum means something: all there, all
// of one sign.
func (f *frame) shares() bool {
	if !f.additive || !f.whole() || len(f.Rows) < 2 {
		return false
	}
	some := false
	for r := range f.Rows {
		c, ok := f.cell(r, f.val)
		if ok && c.value < 0 {
			return false
		}
		some = some || ok && c.value > 0
	}
	return some
}

// places is how many digits after the point are worth reading.
func (f *frame) places(col int) int {
	if col < 0 {
		return 0
	}
	most := 0.0
	for r := range f.Rows {
		for _, c := range []int{col, f.val, f.prev, f.year} {
			if c >= 0 && (f.Columns[c].Role != tool.RoleOther || c == col) {
				if v, ok := f.cell(r, c); ok {
					most = math.Max(most, math.Abs(v.value))
				}
			}
		}
	}
	scale := min(max(f.Columns[col].Scale, 0), 6)
	if f.Columns[col].Role == tool.RoleOther && scale == 0 {
		scale = f.seen(col)
	}
	if most >= 1000 && f.Columns[col].Unit != "%" {
		return 0
	}
	return scale
}

// seen is how many digits the numbers of a column have, up to 4. Free SQL does
// not say.
func (f *frame) seen(col int) int {
	most := 0
	for r := range f.Rows {
		c, ok := f.cell(r, col)
		for ok && most < 4 && math.Abs(c.value) < 1e9 && math.Abs(c.value*math.Pow10(most)-math.Round(c.value*math.Pow10(most))) > 1e-6 {
			most++
		}
	}
	return most
}

// order returns the rows that have a number in the column, largest first; rows
// that are equal stay in their order.
func (f *frame) order(col int) []int {
	var rows []int
	for r := range f.Rows {
		if _, ok := f.cell(r, col); ok {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		x, _ := f.cell(a, col)
		y, _ := f.cell(b, col)
		switch {
		case x.value > y.value:
			return -1
		case x.value < y.value:
			return 1
		}
		return 0
	})
	return rows
}
