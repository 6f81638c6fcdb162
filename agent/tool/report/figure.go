package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hermes/agent/tool"
)

// An Op is how a figure comes from cells.
type Op string

// The ops: the only arithmetic that a report knows.
const (
	OpCell       Op = "cell"
	OpSum        Op = "sum"
	OpDifference Op = "difference"
	OpChange     Op = "change" // (a - b) / b
	OpRatio      Op = "ratio"
	OpShare      Op = "share" // a / b, where a is a part of b
	OpMean       Op = "mean"
	OpRank       Op = "rank"
	OpCount      Op = "count"
)

// A Cell names one cell of a result.
type Cell struct {
	Table  int    `json:"table"` // place among the tables of the report, from 0
	Row    int    `json:"row"`   // from 0; AllRows is each row of the column
	Column string `json:"column"`
}

// AllRows is the Row of a Cell that stands for a whole column.
const AllRows = -1

// Evidence says where a number that people read came from.
type Evidence struct {
	Shown   string  `json:"shown"`
	Op      Op      `json:"op"`
	Formula string  `json:"formula"` // "(T0.sales[*] - T0.previous[*]) / T0.previous[*]"
	Cells   []Cell  `json:"cells"`
	Value   float64 `json:"value"` // exact
	Unit    float64 `json:"unit"`  // of the last digit shown: 0.001 for "12.3%"
}

// A figure is a number with its origin. A sum, mean or count has one operand,
// the column; the others have two.
type figure struct {
	op    Op
	value float64
	cell  Cell // of OpCell, and of the column of OpSum, OpMean, OpCount and OpRank
	of    []figure
	// unit is the column's; scale is how many digits after its point mean
	// something. Both are of amounts, not of shares and changes.
	unit  string
	scale int
	basis tool.Role // of a difference or change: what it is measured against
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func difference(a, b figure, basis tool.Role) (figure, bool) {
	v := a.value - b.value
	return figure{op: OpDifference, value: v, of: []figure{a, b}, unit: a.unit, scale: max(a.scale, b.scale), basis: basis}, finite(v)
}

// Against nothing, or less than nothing, a percentage would mislead.
func change(a, b figure, basis tool.Role) (figure, bool) {
	if b.value <= 0 {
		return figure{}, false
	}
	v := (a.value - b.value) / b.value
	return figure{op: OpChange, value: v, of: []figure{a, b}, basis: basis}, finite(v)
}

func ratio(a, b figure) (figure, bool) {
	if b.value == 0 {
		return figure{}, false
	}
	v := a.value / b.value
	return figure{op: OpRatio, value: v, of: []figure{a, b}}, finite(v)
}

func share(a, b figure) (figure, bool) {
	if b.value == 0 {
		return figure{}, false
	}
	v := a.value / b.value
	return figure{op: OpShare, value: v, of: []figure{a, b}}, finite(v)
}

// sumOf adds figures of one column.
func sumOf(fs []figure) (figure, bool) {
	if len(fs) == 0 {
		return figure{}, false
	}
	vs := make([]float64, len(fs))
	for i, f := range fs {
		vs[i] = f.value
	}
	v := add(vs)
	return figure{op: OpSum, value: v, of: fs, unit: fs[0].unit, scale: fs[0].scale}, finite(v)
}

// add is Neumaier's summation: a column of cents must add up to its total
// whatever the order of its rows.
func add(vs []float64) float64 {
	var sum, lost float64
	for _, v := range vs {
		t := sum + v
		if math.Abs(sum) >= math.Abs(v) {
			lost += (sum - t) + v
		} else {
			lost += (v - t) + sum
		}
		sum = t
	}
	if r := sum + lost; finite(r) {
		return r
	}
	return sum
}

// formula writes the figure as arithmetic on cells.
func (f figure) formula() string {
	bin := func(op string) string {
		return "(" + f.of[0].formula() + " " + op + " " + f.of[1].formula() + ")"
	}
	switch f.op {
	case OpCell:
		return f.cell.String()
	case OpDifference:
		return bin("-")
	case OpRatio, OpShare:
		return bin("/")
	case OpChange:
		return "((" + f.of[0].formula() + " - " + f.of[1].formula() + ") / " + f.of[1].formula() + ")"
	case OpSum, OpMean, OpRank, OpCount:
		if len(f.of) == 0 {
			return string(f.op) + "(" + f.cell.String() + ")"
		}
		var parts []string
		for _, o := range f.of {
			parts = append(parts, o.formula())
		}
		return string(f.op) + "(" + strings.Join(parts, ", ") + ")"
	}
	return string(f.op)
}

// cells are the cells the figure rests on, each once.
func (f figure) cells() []Cell {
	var all []Cell
	var walk func(figure)
	walk = func(f figure) {
		if len(f.of) == 0 {
			if !slices.Contains(all, f.cell) {
				all = append(all, f.cell)
			}
			return
		}
		for _, o := range f.of {
			walk(o)
		}
	}
	walk(f)
	return all
}

func (c Cell) String() string {
	if c.Row == AllRows {
		return fmt.Sprintf("T%d.%s[*]", c.Table, c.Column)
	}
	return fmt.Sprintf("T%d.%s[%d]", c.Table, c.Column, c.Row)
}

// evidence is what is kept of a figure that was shown.
func (f figure) evidence(shown string, unit float64) Evidence {
	return Evidence{Shown: shown, Op: f.op, Formula: f.formula(), Cells: f.cells(), Value: f.value, Unit: unit}
}
