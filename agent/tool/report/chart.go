package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-analyze/charts"
)

// The chart's size in pixels: wide enough for twelve months, and shown by Slack
// without scaling up.
const (
	chartWidth  = 1000
	chartHeight = 560
)

// mostBars is how many categories a chart names; the rest is one bar.
const mostBars = 10

// The colours: one for what the report is about, a pale one for what it is
// compared with, grey for the rest.
var (
	accent = charts.ColorFromHex("#1F5FBF")
	pale   = charts.ColorFromHex("#B7CBEA")
	ink    = charts.ColorFromHex("#1F2933")
	grey   = charts.ColorFromHex("#5B6673")
	rule   = charts.ColorFromHex("#E6EAEF")
	axis   = charts.ColorFromHex("#B4BCC6")
	others = []string{"#1F5FBF", "#E08A1E", "#2E9E6B", "#8C5FBF", "#C2485C", "#3AA6B9", "#8A6D3B", "#7A8794"}
)

// mostLines is how many lines are drawn side by side: more cannot be told apart.
const mostLines = 5

// A drawing is a chart before it is drawn: texts and numbers only.
type drawing struct {
	kind     string // Bar, Line, Stacked or Pie
	instead  string // why it is not of the kind that was asked for, in words for people
	time     bool
	title    string
	subtitle string
	labels   []string
	series   []series
	unit     string
	rows     []int // of the table, from 0, for each label that is one
	blind    bool  // labels are row numbers
}

type series struct {
	name   string
	values []float64 // charts.GetNullValue() where there is none
}

// draw plans the chart of a frame, or returns false if there is nothing to see. Asked
// is a kind, or empty for what fits best; where a picture of that kind would say what is
// not so it becomes another, and the drawing says why. canShow says whether the fonts at
// hand show a text.
func draw(f *frame, asked, title, lang string, canShow func(string) bool) (drawing, bool) {
	if f.val < 0 || len(f.order(f.val)) == 0 || len(f.by) == 0 {
		return drawing{}, false
	}
	d := drawing{time: f.time && len(f.by) == 1, title: title, unit: f.unit()}
	d.kind, d.instead = f.kind(asked, lang)
	d.subtitle = periodName(f.Period, f.Zone, lang)
	switch {
	case d.kind == Pie:
		d.parts(f)
	case d.kind == Stacked:
		d.stacks(f, lang)
	case f.time && len(f.by) == 2 && d.kind == Line:
		d.several(f)
	default:
		d.plain(f, lang)
	}
	d.latin(f, canShow)
	return d, true
}

func null(v figure, ok bool) float64 {
	if !ok {
		return charts.GetNullValue()
	}
	return v.value
}

// plain draws each row as a bar or a point, with the period before beside it.
func (d *drawing) plain(f *frame, lang string) {
	rows := make([]int, len(f.Rows))
	for i := range rows {
		rows[i] = i
	}
	rest := []int(nil)
	if d.kind != Line && !f.time && len(rows) > mostBars+1 {
		rows = f.order(f.val)
		rows, rest = rows[:min(len(rows), mostBars)], rows[min(len(rows), mostBars):]
	}
	if f.time && len(rows) > 1 && f.labels[rows[0]] > f.labels[rows[len(rows)-1]] {
		slices.Reverse(rows)
	}
	cols := []int{f.val}
	switch {
	case f.prev >= 0 && f.counts(f.prev):
		cols = append(cols, f.prev)
	case f.year >= 0 && f.counts(f.year):
		cols = append(cols, f.year)
	}
	if f.fine && len(f.by) == 1 && d.kind == Line {
		rows, d.labels = f.everyDay(rows)
	} else {
		for _, r := range rows {
			d.labels = append(d.labels, f.tick(r))
		}
	}
	d.rows = rows
	withRest := len(rest) > 0 && f.additive
	if withRest {
		d.labels = append(d.labels, page{lang: lang}.say("Others", "其他"))
	}
	for _, c := range cols {
		name := f.Columns[c].Label
		if name == "" {
			name = f.Columns[c].Key
		}
		s := series{name: name}
		for _, r := range rows {
			v, ok := figure{}, false
			if r != noRow {
				v, ok = f.cell(r, c)
			}
			s.values = append(s.values, null(v, ok))
		}
		if withRest {
			var vs []float64
			for _, r := range rest {
				if v, ok := f.cell(r, c); ok {
					vs = append(vs, v.value)
				}
			}
			s.values = append(s.values, add(vs))
		}
		d.series = append(d.series, s)
	}
}

// noRow stands for a day that the table does not have.
const noRow = -1

// everyDay puts the days between that have no row: a line drawn over them would
// say that there was something.
func (f *frame) everyDay(rows []int) (all []int, labels []string) {
	for i, r := range rows {
		day, err := time.Parse(time.DateOnly, f.labels[r])
		if err != nil {
			return rows, f.labels
		}
		if i > 0 {
			before, _ := time.Parse(time.DateOnly, f.labels[rows[i-1]]) //nolint:errcheck // Parsed a moment ago.
			for d := before.AddDate(0, 0, 1); d.Before(day) && len(all) < 400; d = d.AddDate(0, 0, 1) {
				all, labels = append(all, noRow), append(labels, shortTick(d.Format(time.DateOnly), true))
			}
		}
		all, labels = append(all, r), append(labels, shortTick(f.labels[r], true))
	}
	return all, labels
}

// several draws a line for each of the largest values of the second dimension.
func (d *drawing) several(f *frame) {
	at := map[string]int{}
	sum := map[string]float64{}
	var names []string
	for r := range f.Rows {
		t, n := f.text(r, f.by[0]), f.text(r, f.by[1])
		if _, ok := at[t]; !ok {
			at[t] = 0
		}
		if _, ok := sum[n]; !ok {
			names = append(names, n)
		}
		v, _ := f.cell(r, f.val)
		sum[n] += math.Abs(v.value)
	}
	var ticks []string
	for t := range at {
		ticks = append(ticks, t)
	}
	slices.Sort(ticks)
	for i, t := range ticks {
		at[t] = i
		d.labels = append(d.labels, shortTick(t, f.fine))
	}
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case sum[a] > sum[b]:
			return -1
		case sum[a] < sum[b]:
			return 1
		}
		return 0
	})
	for _, n := range names[:min(len(names), mostLines)] {
		s := series{name: n, values: slices.Repeat([]float64{charts.GetNullValue()}, len(ticks))}
		for r := range f.Rows {
			if f.text(r, f.by[1]) == n {
				s.values[at[f.text(r, f.by[0])]] = null(f.cell(r, f.val))
			}
		}
		d.series = append(d.series, s)
	}
}

// counts is true if the column has a number.
func (f *frame) counts(col int) bool { return len(f.order(col)) > 0 }

func (f *frame) tick(r int) string {
	if f.time && len(f.by) == 1 {
		return shortTick(f.labels[r], f.fine)
	}
	return f.labels[r]
}

// shortTick leaves the year out of a day: the subtitle has it.
func shortTick(s string, day bool) string {
	if day && len(s) == len("2006-01-02") {
		return s[5:]
	}
	return s
}

// latin puts what no font can show into words that any can.
func (d *drawing) latin(f *frame, canShow func(string) bool) {
	hidden := func(ss []string) bool { return slices.ContainsFunc(ss, func(s string) bool { return !canShow(s) }) }
	if hidden(d.labels) {
		d.blind = true
		for i := range d.labels {
			if i < len(d.rows) {
				d.labels[i] = "#" + strconv.Itoa(d.rows[i]+1)
			} else {
				d.labels[i] = "…"
			}
		}
	}
	for i := range d.series {
		if canShow(d.series[i].name) {
			continue
		}
		d.series[i].name = [...]string{"Now", "Before"}[min(i, 1)]
		if len(d.series) > 2 {
			d.series[i].name = "#" + strconv.Itoa(i+1)
		}
	}
	if !canShow(d.title) {
		d.title = strings.ReplaceAll(strings.Trim(f.Measure+" by "+strings.Join(f.By, ", "), " "), "_", " ")
		if f.Measure == "" || !canShow(d.title) {
			d.title = ""
		}
	}
	if !canShow(d.subtitle) {
		d.subtitle = periodName(f.Period, f.Zone, "en")
	}
}

// texts are all that the drawing writes.
func (d drawing) texts() []string {
	all := append([]string{d.title, d.subtitle}, d.labels...)
	for _, s := range d.series {
		all = append(all, s.name)
	}
	return all
}
