package report

import (
	"cmp"
	"math"
	"slices"

	"hermes/agent/tool"
)

// findings is what is worth saying of a frame, without words. What is nil or
// empty is not said.
type findings struct {
	*frame
	total        *figure
	count        *figure // rows shown, when some were left out
	versus       []versus
	leader       *row
	second       *row
	last         *row
	mean         *figure
	up, down     []row // contributors to the change, the largest first
	fresh, gone  []row
	rise, fall   *row  // the largest changes of what cannot be added up
	group        []row // the two largest values of a dimension, of two
	groupBy      string
	moves        []move
	odd          []row
	top          *figure // share of the three largest
	first        *row    // of a series
	latest       *row
	trend        *figure // from first to latest
	daysMissing  *figure
	againstBasis tool.Role // what up, down, moves and odd rows are measured against
}

// A row is one line of the frame with what is said of it.
type row struct {
	label string
	value figure
	diff  figure
	share *figure // of the total, or of the total change
	rate  *figure // change, or ratio to the mean
}

// versus compares the total with an earlier one.
type versus struct {
	basis  tool.Role
	base   figure
	diff   figure
	change *figure
}

// A move is a change of rank.
type move struct {
	label    string
	from, to figure
}

func find(f *frame) findings {
	out := findings{frame: f}
	if f.val < 0 || len(f.Rows) == 0 {
		return out
	}
	out.totals()
	if len(f.Rows) > 1 {
		out.leaders()
		out.groups()
		if f.time {
			out.series()
			out.oddPoints()
		} else {
			out.contributors()
			out.rates()
			out.ranks()
			out.oddChanges()
		}
	}
	if n := len(f.Missing); n > 0 {
		c := figure{op: OpCount, value: float64(n), cell: Cell{f.at, AllRows, "missing"}}
		out.daysMissing = &c
	}
	return out
}

func ptr(f figure, ok bool) *figure {
	if !ok {
		return nil
	}
	return &f
}

func (o *findings) totals() {
	o.total = ptr(o.frame.total(o.val))
	_, mean, count, ok := o.column(o.val)
	if ok && len(o.Rows) > 1 {
		o.mean = &mean
		if !o.whole() {
			o.count = &count
		}
	}
	if o.total == nil {
		return
	}
	for _, b := range []struct {
		col  int
		role tool.Role
	}{{o.prev, tool.RolePrevious}, {o.year, tool.RoleYear}} {
		base, ok := o.frame.total(b.col)
		if !ok {
			continue
		}
		d, ok := difference(*o.total, base, b.role)
		if !ok {
			continue
		}
		o.versus = append(o.versus, versus{b.role, base, d, ptr(change(*o.total, base, b.role))})
	}
}

func (o *findings) rowAt(r int) *row {
	v, _ := o.cell(r, o.val)
	return &row{label: o.labels[r], value: v}
}

func (o *findings) leaders() {
	rows := o.order(o.val)
	if len(rows) < 2 {
		return
	}
	o.leader, o.second, o.last = o.rowAt(rows[0]), o.rowAt(rows[1]), o.rowAt(rows[len(rows)-1])
	if o.leader.value.value == o.last.value.value {
		// All are equal: nobody leads.
		o.leader, o.second, o.last = nil, nil, nil
		return
	}
	if !o.shares() || o.total == nil {
		return
	}
	o.leader.share = ptr(share(o.leader.value, *o.total))
	o.second.share = ptr(share(o.second.value, *o.total))
	if len(rows) >= 5 && !o.time {
		var top []figure
		for _, r := range rows[:3] {
			top = append(top, o.rowAt(r).value)
		}
		if s, ok := sumOf(top); ok {
			if sh, ok := share(s, *o.total); ok && sh.value >= 0.6 {
				o.top = &sh
			}
		}
	}
}

// basis is the column that changes of rows are measured against.
func (o *findings) basis() (col int, role tool.Role) {
	if o.prev >= 0 {
		return o.prev, tool.RolePrevious
	}
	return o.year, tool.RoleYear
}

func (o *findings) contributors() {
	col, role := o.basis()
	if col < 0 || !o.additive {
		return
	}
	o.againstBasis = role
	var net *figure
	for _, v := range o.versus {
		if v.basis == role && o.whole() {
			net = &v.diff
		}
	}
	for r := range o.Rows {
		v, has := o.cell(r, o.val)
		p, had := o.cell(r, col)
		switch {
		case has && v.value != 0 && (!had || p.value == 0):
			n := row{label: o.labels[r], value: v}
			if net != nil && net.value*v.value > 0 {
				n.share = ptr(share(v, *net))
			}
			o.fresh = append(o.fresh, n)
		case had && p.value != 0 && (!has || v.value == 0):
			o.gone = append(o.gone, row{label: o.labels[r], value: p})
		}
		if !has || !had {
			continue
		}
		d, ok := difference(v, p, role)
		if !ok || d.value == 0 {
			continue
		}
		c := row{label: o.labels[r], value: v, diff: d}
		if net != nil && net.value*d.value > 0 {
			c.share = ptr(share(d, *net))
		}
		c.rate = ptr(change(v, p, role))
		if d.value > 0 {
			o.up = append(o.up, c)
		} else {
			o.down = append(o.down, c)
		}
	}
	larger := func(a, b row) int { return cmp.Compare(math.Abs(b.diff.value), math.Abs(a.diff.value)) }
	slices.SortStableFunc(o.up, larger)
	slices.SortStableFunc(o.down, larger)
	o.up, o.down = o.up[:min(2, len(o.up))], o.down[:min(2, len(o.down))]
	bigger := func(a, b row) int { return cmp.Compare(math.Abs(b.value.value), math.Abs(a.value.value)) }
	slices.SortStableFunc(o.fresh, bigger)
	slices.SortStableFunc(o.gone, bigger)
	o.fresh, o.gone = o.fresh[:min(3, len(o.fresh))], o.gone[:min(3, len(o.gone))]
}

// rates finds the largest changes of a measure whose rows cannot be added up, so
// that none of them contributes to anything.
func (o *findings) rates() {
	col, role := o.basis()
	if col < 0 || o.additive {
		return
	}
	for r := range o.Rows {
		v, has := o.cell(r, o.val)
		p, had := o.cell(r, col)
		c, ok := change(v, p, role)
		if !has || !had || !ok || !sayable(&c) {
			continue
		}
		n := &row{label: o.labels[r], value: v, rate: &c}
		if c.value > 0.0005 && (o.rise == nil || c.value > o.rise.rate.value) {
			o.rise = n
		}
		if c.value < -0.0005 && (o.fall == nil || c.value < o.fall.rate.value) {
			o.fall = n
		}
	}
	o.againstBasis = role
}

// groups adds up the rows of each value of one dimension of two: of the one that
// is not time, or of the first.
func (o *findings) groups() {
	if len(o.by) != 2 || !o.shares() || o.total == nil {
		return
	}
	by := o.by[0]
	if o.time {
		by = o.by[1]
	}
	rows := map[string][]int{}
	var names []string
	for r := range o.Rows {
		n := o.text(r, by)
		if len(rows[n]) == 0 {
			names = append(names, n)
		}
		rows[n] = append(rows[n], r)
	}
	if len(names) < 2 || len(names) > mostGroups || len(names) == len(o.Rows) {
		return
	}
	for _, n := range names {
		if v, ok := o.sumRows(rows[n], o.val); ok && n != "" {
			o.group = append(o.group, row{label: n, value: v, share: ptr(share(v, *o.total))})
		}
	}
	slices.SortStableFunc(o.group, func(a, b row) int { return cmp.Compare(b.value.value, a.value.value) })
	if len(o.group) < 2 || o.group[0].value.value == o.group[1].value.value {
		o.group = nil
		return
	}
	o.group, o.groupBy = o.group[:2], o.Columns[by].Label
}

// ranks finds who passed whom among the first five. Of long lists it says
// nothing: there every row moves a little.
func (o *findings) ranks() {
	col, _ := o.basis()
	if col < 0 || len(o.Rows) > 20 {
		return
	}
	was, is := o.rank(col), o.rank(o.val)
	for _, r := range o.order(o.val) {
		from, ok := was[r]
		if !ok || from.value == is[r].value || min(from.value, is[r].value) > 5 {
			continue
		}
		o.moves = append(o.moves, move{o.labels[r], from, is[r]})
	}
	o.moves = o.moves[:min(3, len(o.moves))]
}

// rank is each row's place in a column; equal rows share the better one.
func (o *findings) rank(col int) map[int]figure {
	ranks := map[int]figure{}
	place, before := 0, math.NaN()
	for i, r := range o.order(col) {
		v, _ := o.cell(r, col)
		if v.value != before {
			place, before = i+1, v.value
		}
		ranks[r] = figure{op: OpRank, value: float64(place), of: []figure{v}}
	}
	return ranks
}

// series compares the ends of a series. Not of days: one day against another
// says more of weekdays than of business.
func (o *findings) series() {
	if o.fine || len(o.by) > 1 || len(o.Rows) < 3 {
		return
	}
	first, latest := 0, len(o.Rows)-1
	if o.labels[first] > o.labels[latest] {
		first, latest = latest, first
	}
	a, ok := o.cell(first, o.val)
	b, also := o.cell(latest, o.val)
	if !ok || !also {
		return
	}
	o.first, o.latest = o.rowAt(first), o.rowAt(latest)
	o.trend = ptr(change(b, a, tool.RoleOther))
}
