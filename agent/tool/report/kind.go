package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-analyze/charts"
)

// mostParts is how many parts a pie may have: of more nobody sees which is larger.
const mostParts = 8

// kind is the kind of chart for a frame: what was asked for if it tells the truth, else
// what does, and why in words for people.
func (f *frame) kind(asked, lang string) (kind, instead string) {
	say := page{lang: lang}.say
	plain := Bar
	if f.time && len(f.Rows) > 2 {
		plain = Line
	}
	name := map[string]string{Bar: say("bars", "柱状图"), Line: say("a line", "折线图")}[plain]
	switch asked {
	case Pie:
		if why := f.noPie(lang); why != "" {
			return plain, fmt.Sprintf(say("A pie chart would mislead here (%s), so the chart shows %s.", "这里用饼图会误导（%s），因此改为%s。"), why, name)
		}
	case Stacked:
		if why := f.noStack(lang); why != "" {
			return plain, fmt.Sprintf(say("A stacked chart would mislead here (%s), so the chart shows %s.", "这里用堆叠图会误导（%s），因此改为%s。"), why, name)
		}
	case "":
		return plain, ""
	}
	return asked, ""
}

// noPie is why a pie of the frame would lie: its slices are parts of a whole, or they
// are nothing. Empty: it would not.
func (f *frame) noPie(lang string) string {
	say := page{lang: lang}.say
	switch {
	case f.time:
		return say("the rows are times, not parts", "各行是时间，不是组成部分")
	case len(f.by) > 1:
		return say("there are two dimensions", "有两个维度")
	case len(f.Rows) < 2:
		return say("there is one part only", "只有一个部分")
	case len(f.Rows) > mostParts:
		return fmt.Sprintf(say("%d parts, more than %d", "共%d个部分，超过%d个"), len(f.Rows), mostParts)
	case !f.whole():
		return say("not all parts are in the table", "表中并非全部组成部分")
	}
	return f.noSum(lang)
}

// noStack is why bars of pieces laid on each other would lie.
func (f *frame) noStack(lang string) string {
	say := page{lang: lang}.say
	switch {
	case len(f.by) != 2:
		return say("it needs two dimensions", "需要两个维度")
	case !f.whole():
		return say("not all parts are in the table", "表中并非全部组成部分")
	}
	return f.noSum(lang)
}

// noSum is why the rows are no parts of one whole.
func (f *frame) noSum(lang string) string {
	say := page{lang: lang}.say
	if !f.additive {
		return say("the parts do not add up to a whole", "各部分相加不是总体")
	}
	some := false
	for r := range f.Rows {
		switch v, ok := f.cell(r, f.val); {
		case ok && v.value < 0:
			return say("some amounts are negative", "有负数")
		case ok && v.value > 0:
			some = true
		}
	}
	if !some {
		return say("all amounts are zero", "全部为零")
	}
	return ""
}

// parts are the slices of a pie, the largest first.
func (d *drawing) parts(f *frame) {
	d.rows = f.order(f.val)
	s := series{name: f.Columns[f.val].Label}
	for _, r := range d.rows {
		v, _ := f.cell(r, f.val)
		d.labels = append(d.labels, f.labels[r])
		s.values = append(s.values, v.value)
	}
	d.series = []series{s}
}

// mostPieces is how many pieces of a bar have a colour of their own; the rest is one.
const mostPieces = 6

// stacks lays for each value of the first dimension those of the second on each other.
func (d *drawing) stacks(f *frame, lang string) {
	rest := page{lang: lang}.say("Others", "其他")
	bars, pieces := f.sums(f.by[0]), f.sums(f.by[1])
	if d.time = f.time; d.time {
		slices.SortFunc(bars, func(a, b sum) int { return cmp.Compare(a.name, b.name) })
	}
	at, of := map[string]int{}, map[string]int{}
	for i, b := range bars {
		if !d.time && len(bars) > mostBars+1 && i >= mostBars {
			if at[b.name] = mostBars; i == mostBars {
				d.labels = append(d.labels, rest)
			}
			continue
		}
		at[b.name] = i
		label := b.name
		if d.time {
			label = shortTick(label, f.fine)
		}
		d.labels = append(d.labels, label)
	}
	for i, p := range pieces {
		if len(pieces) > mostPieces+1 && i >= mostPieces {
			if of[p.name] = mostPieces; i == mostPieces {
				d.series = append(d.series, series{name: rest})
			}
			continue
		}
		of[p.name] = i
		d.series = append(d.series, series{name: p.name})
	}
	for i := range d.series {
		d.series[i].values = slices.Repeat([]float64{charts.GetNullValue()}, len(d.labels))
	}
	for r := range f.Rows {
		v, ok := f.cell(r, f.val)
		if !ok {
			continue
		}
		cell := &d.series[of[f.name(r, f.by[1])]].values[at[f.name(r, f.by[0])]]
		if *cell == charts.GetNullValue() {
			*cell = 0
		}
		*cell += v.value
	}
}

// A sum is what the rows of one value of a dimension come to.
type sum struct {
	name   string
	amount float64
}

// sums are the values of a dimension with the most first; those that are equal stay in
// their order.
func (f *frame) sums(by int) []sum {
	at := map[string]int{}
	var all []sum
	for r := range f.Rows {
		n := f.name(r, by)
		if _, ok := at[n]; !ok {
			at[n] = len(all)
			all = append(all, sum{name: n})
		}
		v, _ := f.cell(r, f.val)
		all[at[n]].amount += math.Abs(v.value)
	}
	slices.SortStableFunc(all, func(a, b sum) int { return cmp.Compare(b.amount, a.amount) })
	return all
}

// name is a value of a dimension as a chart writes it.
func (f *frame) name(row, by int) string {
	if s := f.text(row, by); s != "" {
		return s
	}
	return "—"
}
