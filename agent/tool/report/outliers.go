package report

import (
	"cmp"
	"math"
	"slices"
)

// far returns which of the values lie far from the others: their distance to the
// median is more than 3.5 times what the median distance would make of normal
// noise (Iglewicz and Hoaglin, 1993). Fewer than five say nothing.
func far(vs []float64) []bool {
	out := make([]bool, len(vs))
	if len(vs) < 5 {
		return out
	}
	mid := median(vs)
	dist := make([]float64, len(vs))
	for i, v := range vs {
		dist[i] = math.Abs(v - mid)
	}
	mad := median(dist)
	if mad == 0 {
		return out
	}
	for i := range vs {
		out[i] = 0.6745*dist[i]/mad > 3.5
	}
	return out
}

func median(vs []float64) float64 {
	s := slices.Sorted(slices.Values(vs))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return s[n/2-1]/2 + s[n/2]/2
}

func (o *findings) oddChanges() {
	col, role := o.basis()
	if col < 0 {
		return
	}
	var rows []row
	var rates []float64
	for r := range o.Rows {
		v, has := o.cell(r, o.val)
		p, had := o.cell(r, col)
		if !has || !had {
			continue
		}
		if c, ok := change(v, p, role); ok {
			rows = append(rows, row{label: o.labels[r], value: v, rate: &c})
			rates = append(rates, c.value)
		}
	}
	mid := 0.0
	if len(rates) > 0 {
		mid = median(rates)
	}
	for i, isFar := range far(rates) {
		// Under ten points nobody would look, however quiet the others are.
		if isFar && math.Abs(rates[i]-mid) > 0.1 {
			o.odd = append(o.odd, rows[i])
		}
	}
	o.odd = o.odd[:min(2, len(o.odd))]
}

func (o *findings) oddPoints() {
	if o.mean == nil || o.mean.value <= 0 || len(o.by) > 1 || len(o.Rows) < 7 {
		return
	}
	var rows []row
	var vs []float64
	for r := range o.Rows {
		if v, ok := o.cell(r, o.val); ok {
			rows = append(rows, row{label: o.labels[r], value: v, rate: ptr(ratio(v, *o.mean))})
			vs = append(vs, v.value)
		}
	}
	for i, isFar := range far(vs) {
		rate := rows[i].rate
		if isFar && rate != nil && (rate.value >= 1.5 || rate.value <= 0.5 && rate.value >= 0) {
			o.odd = append(o.odd, rows[i])
		}
	}
	slices.SortStableFunc(o.odd, func(a, b row) int {
		return cmp.Compare(math.Abs(b.rate.value-1), math.Abs(a.rate.value-1))
	})
	o.odd = o.odd[:min(3, len(o.odd))]
}
