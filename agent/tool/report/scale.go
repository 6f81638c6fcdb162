package report

import (
	"math"

	"github.com/go-analyze/charts"
)

// scale is the value axis: from nothing to a round number above the largest, in
// about five steps. A bar that does not start at nothing lies; a line may leave
// nothing out if its lowest point is far above.
func (d drawing) scale() (low, high, step float64) {
	low, high = d.bounds()
	step = niceStep((high - low) / 5)
	return math.Floor(low/step) * step, math.Ceil(high/step) * step, step
}

// bounds are what the value axis must hold, with a little room above.
func (d drawing) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range d.heights() {
		for _, v := range s {
			if v != charts.GetNullValue() {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	// A line far above nothing may leave it out: its shape is what one reads.
	if d.kind != Line || low < 0 || low < high*0.7 {
		low = math.Min(low, 0)
	}
	high = math.Max(high, 0)
	if room := (high - low) * 0.04; finite(room) {
		// Room for the label of the longest bar.
		if high > 0 {
			high += room
		}
		if low < 0 {
			low -= room
		}
	}
	if low == high {
		high = low + 1
	}
	return low, high
}

// heights are how high the marks of a chart stand: the values, or in a stack their sums.
func (d drawing) heights() [][]float64 {
	var all [][]float64
	sums := make([]float64, len(d.labels))
	for _, s := range d.series {
		all = append(all, s.values)
		for i, v := range s.values {
			if d.kind == Stacked && v != charts.GetNullValue() {
				sums[i] += v
			}
		}
	}
	if d.kind == Stacked {
		return [][]float64{sums}
	}
	return all
}

// niceStep is the least of 1, 2, 2.5, 5 and 10 times a power of ten that is not
// below v.
func niceStep(v float64) float64 {
	if v <= 0 || !finite(v) {
		return 1
	}
	ten := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if v <= m*ten {
			return m * ten
		}
	}
	return 10 * ten
}
