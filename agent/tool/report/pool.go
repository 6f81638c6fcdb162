package report

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"hermes/agent/tool"
)

// A candidate is a figure that a number in a text may be.
type candidate struct {
	fig   figure
	v     float64 // as the text would count it: 0.123 for 12.3%
	moves bool    // it rose or fell
	free  bool    // its sign says nothing: the distance of two rows
	count bool    // of rows or days: has no unit
	top   bool    // of the largest rows together
	table int
	row   int    // the row it is about, or AllRows
	group string // or the value of a dimension that it is about
}

// A pool is what a text may say, by kind and ordered by size.
type pool map[measureKind][]candidate

// mostDerived is how many rows of a table are compared with one another. Beyond
// it only cells, totals and shares are known: a text about thousands of rows
// speaks of no pair of them.
const mostDerived = 5000

func (p pool) add(kind measureKind, c candidate) {
	c.v = c.fig.value
	if c.fig.unit == "%" && kind != multiple && !c.count {
		// The cell holds 12.3 and people write 12.3%.
		switch {
		case kind == plainNumber && c.moves:
			pp := c
			pp.v /= 100
			p[points] = append(p[points], pp)
		case kind == plainNumber:
			pc := c
			pc.v /= 100
			p[percentage] = append(p[percentage], pc)
		}
	}
	if finite(c.v) {
		p[kind] = append(p[kind], c)
	}
}

func (p pool) sort() {
	for k := range p {
		slices.SortFunc(p[k], func(a, b candidate) int { return cmp.Compare(math.Abs(a.v), math.Abs(b.v)) })
	}
}

// within are the candidates whose size is at most tol from v.
func (p pool) within(kind measureKind, v, tol float64) []candidate {
	cs := p[kind]
	from := sort.Search(len(cs), func(i int) bool { return math.Abs(cs[i].v) >= v-tol })
	to := from
	for to < len(cs) && math.Abs(cs[to].v) <= v+tol {
		to++
	}
	return cs[from:to]
}

func newPool(frames []*frame) pool {
	p := pool{}
	for _, f := range frames {
		p.cells(f)
		p.wholes(f)
		p.counts(f)
		if f.val >= 0 && len(f.Rows) <= mostDerived {
			p.rows(f)
			p.leaders(f)
			p.steps(f)
			p.groups(f)
		}
	}
	for i, a := range frames {
		for _, b := range frames[i+1:] {
			p.across(a, b)
		}
	}
	p.sort()
	return p
}

func (p pool) cells(f *frame) {
	for r := range f.Rows {
		for c := range f.Columns {
			v, ok := f.cell(r, c)
			if !ok {
				continue
			}
			k := candidate{fig: v, table: f.at, row: r}
			p.add(plainNumber, k)
			// A rate is kept as 0.123 and written as 12.3%.
			if v.unit == "" && math.Abs(v.value) <= 1 && v.value != math.Trunc(v.value) {
				p.add(percentage, k)
			}
		}
	}
}

// summable says whether a sum over the column means anything.
func (f *frame) summable(c int) bool {
	return f.additive || f.Columns[c].Role == tool.RoleOther && f.Columns[c].Unit != "%"
}

func (p pool) wholes(f *frame) {
	for c := range f.Columns {
		sum, mean, _, ok := f.column(c)
		if !ok || slices.Contains(f.by, c) {
			continue
		}
		if f.summable(c) {
			p.add(plainNumber, candidate{fig: sum, table: f.at, row: AllRows})
		}
		p.add(plainNumber, candidate{fig: mean, table: f.at, row: AllRows})
	}
	v, ok := f.total(f.val)
	if !ok {
		return
	}
	if f.additive {
		p.part(v, v, candidate{table: f.at, row: AllRows})
	}
	for _, b := range f.bases() {
		if base, ok := f.total(b.col); ok {
			p.compare(v, base, candidate{table: f.at, row: AllRows}, b.role)
		}
	}
}

type basis struct {
	col  int
	role tool.Role
}

// bases are the columns that the measure is compared with.
func (f *frame) bases() []basis {
	var out []basis
	if f.prev >= 0 {
		out = append(out, basis{f.prev, tool.RolePrevious})
	}
	if f.year >= 0 {
		out = append(out, basis{f.year, tool.RoleYear})
	}
	return out
}

// compare adds difference, change and ratio of a to b.
func (p pool) compare(a, b figure, like candidate, role tool.Role) {
	if d, ok := difference(a, b, role); ok {
		like.fig, like.moves = d, true
		p.add(plainNumber, like)
	}
	if c, ok := change(a, b, role); ok {
		like.fig, like.moves = c, true
		p.add(percentage, like)
	}
	like.moves = false
	if r, ok := ratio(a, b); ok {
		like.fig = r
		p.add(multiple, like)
		p.add(percentage, like)
	}
}

func (p pool) counts(f *frame) {
	n := func(v int, what string) {
		p.add(plainNumber, candidate{
			fig:   figure{op: OpCount, value: float64(v), cell: Cell{f.at, AllRows, what}},
			count: true, table: f.at, row: AllRows,
		})
	}
	n(len(f.Rows), "rows")
	n(len(f.Rows)-1, "other rows")
	if f.val >= 0 {
		n(len(f.order(f.val)), "rows with a value")
	}
	n(len(f.Missing), "missing")
	if f.Truncated > 0 {
		n(f.Truncated, "truncated")
		n(len(f.Rows)+f.Truncated, "all rows")
	}
	// A long table is cut in the message, which says by how much.
	if len(f.Rows) > mostRows {
		n(len(f.Rows)-mostRows, "rows not listed")
	}
	if f.Days > 0 {
		n(f.Days, "days")
	}
	if pd := local(f.Period, f.Zone); spanOf(pd) != noSpan {
		n(int(math.Round(pd.To.Sub(pd.From).Hours()/24)), "days of the period")
	}
	for _, c := range f.by {
		seen := map[string]bool{}
		for r := range f.Rows {
			seen[f.text(r, c)] = true
		}
		n(len(seen), "different "+f.Columns[c].Key)
	}
	for _, b := range f.bases() {
		var up, down int
		for r := range f.Rows {
			v, ok := f.cell(r, f.val)
			if base, also := f.cell(r, b.col); ok && also {
				if v.value > base.value {
					up++
				} else if v.value < base.value {
					down++
				}
			}
		}
		n(up, "rows above "+string(b.role))
		n(down, "rows below "+string(b.role))
	}
}
