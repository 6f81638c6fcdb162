package report

import (
	"cmp"
	"slices"

	"hermes/agent/tool"
)

// rows adds what may be said of one row.
func (p pool) rows(f *frame) {
	total, whole := f.total(f.val)
	_, mean, _, averaged := f.column(f.val)
	for r := range f.Rows {
		like := candidate{table: f.at, row: r}
		v, ok := f.cell(r, f.val)
		if !ok {
			continue
		}
		if whole && f.additive {
			p.part(v, total, like)
		}
		if averaged && len(f.Rows) > 1 {
			p.compare(v, mean, like, tool.RoleOther)
		}
		for _, b := range f.bases() {
			base, ok := f.cell(r, b.col)
			sum, summed := f.total(b.col)
			if net, can := difference(total, sum, b.role); (!ok || base.value == 0) && summed && can && whole && f.additive {
				// What is new is a part of the change as a whole.
				c := like
				c.free = true
				p.part(v, net, c)
			}
			if !ok {
				continue
			}
			p.compare(v, base, like, b.role)
			ok = summed
			if !ok || !whole || !f.additive {
				continue
			}
			p.part(base, sum, like)
			now, ok1 := share(v, total)
			was, ok2 := share(base, sum)
			if d, ok := difference(now, was, b.role); ok1 && ok2 && ok {
				c := like
				c.fig, c.moves = d, true
				p.add(points, c)
			}
			d, ok1 := difference(v, base, b.role)
			net, ok2 := difference(total, sum, b.role)
			if s, ok := share(d, net); ok1 && ok2 && ok {
				c := like
				c.fig, c.free = s, true
				p.add(percentage, c)
			}
		}
	}
}

func (p pool) part(v, total figure, like candidate) {
	if s, ok := share(v, total); ok {
		like.fig = s
		p.add(percentage, like)
	}
}

// leaders adds the largest rows taken together, and how far the first is ahead.
func (p pool) leaders(f *frame) {
	order := f.order(f.val)
	total, whole := f.total(f.val)
	var top []figure
	like := candidate{table: f.at, row: AllRows}
	for k, r := range order[:min(len(order), 10)] {
		v, _ := f.cell(r, f.val)
		top = append(top, v)
		if k == 0 || !f.summable(f.val) {
			continue
		}
		if s, ok := sumOf(slices.Clone(top)); ok {
			c := like
			c.fig, c.top = s, true
			p.add(plainNumber, c)
			if whole {
				p.part(s, total, c)
			}
		}
	}
	if len(order) > 1 {
		like.row = order[0]
		first, _ := f.cell(order[0], f.val)
		for _, r := range []int{order[1], order[len(order)-1]} {
			v, _ := f.cell(r, f.val)
			p.pair(first, v, like)
		}
	}
}

// pair adds what may be said of two rows together. Which of them is spoken of
// first is unknown, so signs say nothing.
func (p pool) pair(a, b figure, like candidate) {
	like.free = true
	if d, ok := difference(a, b, tool.RoleOther); ok {
		like.fig, like.moves = d, true
		p.add(plainNumber, like)
	}
	for _, x := range [2][2]figure{{a, b}, {b, a}} {
		if c, ok := change(x[0], x[1], tool.RoleOther); ok {
			like.fig, like.moves = c, true
			p.add(percentage, like)
		}
		if r, ok := ratio(x[0], x[1]); ok {
			like.fig, like.moves = r, false
			p.add(multiple, like)
			p.add(percentage, like)
		}
	}
}

// steps adds the changes of a series: from each point to the next, and from the
// first to the last.
func (p pool) steps(f *frame) {
	if !f.time || len(f.by) != 1 {
		return
	}
	rows := make([]int, len(f.Rows))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(f.labels[a], f.labels[b]) })
	step := func(from, to, about int) {
		a, ok := f.cell(to, f.val)
		b, also := f.cell(from, f.val)
		if ok && also {
			p.compare(a, b, candidate{table: f.at, row: about}, tool.RoleOther)
		}
	}
	for i := 1; i < len(rows); i++ {
		step(rows[i-1], rows[i], rows[i])
	}
	if len(rows) > 2 {
		step(rows[0], rows[len(rows)-1], AllRows)
	}
}

// mostGroups is how many values of one dimension are added up.
const mostGroups = 200

// groups adds the parts of a table of two dimensions: all rows of Asia.
func (p pool) groups(f *frame) {
	if len(f.by) < 2 || !f.summable(f.val) {
		return
	}
	total, whole := f.total(f.val)
	for _, by := range f.by {
		rows := map[string][]int{}
		var names []string
		for r := range f.Rows {
			s := f.text(r, by)
			if len(rows[s]) == 0 {
				names = append(names, s)
			}
			rows[s] = append(rows[s], r)
		}
		for _, name := range names[:min(len(names), mostGroups)] {
			like := candidate{table: f.at, row: AllRows, group: name}
			v, ok := f.sumRows(rows[name], f.val)
			if !ok {
				continue
			}
			like.fig = v
			p.add(plainNumber, like)
			if whole {
				p.part(v, total, like)
			}
			for _, b := range f.bases() {
				if base, ok := f.sumRows(rows[name], b.col); ok {
					like.fig = base
					p.add(plainNumber, like)
					p.compare(v, base, like, b.role)
				}
			}
		}
	}
}

func (f *frame) sumRows(rows []int, col int) (figure, bool) {
	var cells []figure
	for _, r := range rows {
		if c, ok := f.cell(r, col); ok {
			cells = append(cells, c)
		}
	}
	return sumOf(cells)
}

// across compares two tables of one measure: this month's with last month's.
func (p pool) across(a, b *frame) {
	if a.val < 0 || b.val < 0 || a.Columns[a.val].Key != b.Columns[b.val].Key || a.Measure != b.Measure || a.Period == b.Period {
		return
	}
	if a.Period.From.Before(b.Period.From) {
		a, b = b, a
	}
	free := a.Period.From.IsZero() || b.Period.From.IsZero()
	x, ok := a.total(a.val)
	y, also := b.total(b.val)
	if ok && also {
		p.compare(x, y, candidate{table: a.at, row: AllRows, free: free}, tool.RoleOther)
	}
	if len(a.Rows) > mostDerived || len(b.Rows) > mostDerived {
		return
	}
	at := map[string]int{}
	for r, l := range b.labels {
		at[l] = r
	}
	for r, l := range a.labels {
		o, ok := at[l]
		if !ok || l == "" {
			continue
		}
		x, ok1 := a.cell(r, a.val)
		y, ok2 := b.cell(o, b.val)
		if ok1 && ok2 {
			p.compare(x, y, candidate{table: a.at, row: r, free: free}, tool.RoleOther)
		}
	}
}
