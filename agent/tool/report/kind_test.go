package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"hermes/agent/tool"
)

// A picture that would say what is not so is another one, and the report says why, in
// both languages.
func TestPieThatWouldLie(t *testing.T) {
	average, zero, cut := regions("en"), regions("en"), regions("en")
	average.NoTotal = true
	for _, r := range zero.Rows {
		r[1] = 0.0
	}
	cut.Truncated = 3
	for name, tt := range map[string]struct {
		grid  tool.Grid
		asked string
		kind  string
		why   string
	}{
		"parts of a whole":         {regions("en"), Pie, Pie, ""},
		"negative amounts":         {deficits("en"), Pie, Bar, "negative"},
		"too many parts":           {products("en"), Pie, Bar, "14 parts, more than 8"},
		"a course of time":         {days("en"), Pie, Line, "times, not parts"},
		"averages":                 {average, Pie, Bar, "do not add up"},
		"nothing at all":           {zero, Pie, Bar, "all amounts are zero"},
		"some of the parts":        {cut, Pie, Bar, "not all parts"},
		"one part":                 {firstRows(regions("en"), 1), Pie, Bar, "one part"},
		"a pie of two dimensions":  {matrix("en"), Pie, Bar, "two dimensions"},
		"a stack of two":           {matrix("en"), Stacked, Stacked, ""},
		"a stack over time":        {lines("en"), Stacked, Stacked, ""},
		"a stack of one dimension": {regions("en"), Stacked, Bar, "needs two dimensions"},
		"bars, as asked":           {days("en"), Bar, Bar, ""},
		"nobody asked":             {days("en"), "", Line, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, ok := draw(newFrame(tt.grid, 0), tt.asked, "t", "en", all)
			if !ok || d.kind != tt.kind || (d.instead == "") != (tt.why == "") || !strings.Contains(d.instead, tt.why) {
				t.Errorf("kind %q, %q; want %q, with %q", d.kind, d.instead, tt.kind, tt.why)
			}
			if tt.why == "" && tt.asked != "" { // the others are pictures of before
				if _, err := d.png(nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	m, _, _ := report(t, zh, Args{Chart: Pie, Format: None}, deficits(zh))
	if !strings.Contains(m.Text, "饼图会误导（有负数），因此改为柱状图") {
		t.Errorf("in Chinese:\n%s", m.Text)
	}
}

// Stacks hold all that the table has: the rest is a piece of its own.
func TestStacksAddUp(t *testing.T) {
	g := matrix("en")
	g.Rows = nil
	for i := range 15 {
		for k := range 9 {
			g.Rows = append(g.Rows, []any{"p" + string(rune('a'+i)), "r" + string(rune('a'+k)), float64(i*k + 1)})
		}
	}
	d, _ := draw(newFrame(g, 0), Stacked, "t", "en", all)
	if len(d.labels) != mostBars+1 || d.labels[mostBars] != "Others" || len(d.series) != mostPieces+1 || d.series[mostPieces].name != "Others" {
		t.Fatalf("labels %q, %d series", d.labels, len(d.series))
	}
	var got, want float64
	for _, s := range d.series {
		got += add(s.values)
	}
	for _, r := range g.Rows {
		want += r[2].(float64)
	}
	if got != want {
		t.Errorf("the bars come to %v, the table to %v", got, want)
	}
}

// A workbook has real numbers, dates that are dates, and a chart of its own, of the cells
// of the table or, where it shows something else, of a sheet with what it shows.
func TestWorkbookHasAChart(t *testing.T) {
	for name, tt := range map[string]struct {
		grid     tool.Grid
		in       Args
		sheets   int // beside the notes
		kind     string
		cell     string // a cell of the first sheet, raw
		raw      string
		category string
	}{
		"bars":        {regions("en"), Args{}, 1, "<barDir val=\"col\"", "B2", "512345.67", "'Sales by region'!$A$2:$A$7"},
		"a pie":       {regions("en"), Args{Chart: Pie}, 1, "<pieChart>", "B2", "512345.67", "'Sales by region'!$A$2:$A$7"},
		"months":      {months("en"), Args{Chart: Line}, 1, "<lineChart>", "A2", "46023", "'Orders by month'!$A$2:$A$11"},
		"stacks":      {matrix("en"), Args{Chart: Stacked}, 2, "<grouping val=\"stacked\"", "C2", "900", "'Chart'!$A$2:$A$7"},
		"ten of many": {products("en"), Args{}, 2, "<barChart>", "B2", "450000", "'Chart'!$A$2:$A$12"},
		"none":        {regions("en"), Args{Chart: None}, 1, "", "B2", "512345.67", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m, s, _ := report(t, "en", tt.in, tt.grid)
			body := s.m[m.Files[len(m.Files)-1].ID].Body
			x, err := excelize.OpenReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if got := len(x.GetSheetList()) - 1; got != tt.sheets {
				t.Errorf("sheets = %q", x.GetSheetList())
			}
			if got, err := x.GetCellValue(x.GetSheetName(0), tt.cell, excelize.Options{RawCellValue: true}); err != nil || got != tt.raw {
				t.Errorf("%s = %q, %v; want %q", tt.cell, got, err, tt.raw)
			}
			chart, ok := x.Pkg.Load("xl/charts/chart1.xml")
			if tt.kind == "" {
				if ok {
					t.Error("there is a chart")
				}
				return
			}
			if !ok {
				t.Fatal("there is no chart")
			}
			if text := strings.ReplaceAll(string(chart.([]byte)), "&#39;", "'"); !strings.Contains(text, tt.kind) || !strings.Contains(text, tt.category) {
				t.Errorf("no %q or no %q in the chart", tt.kind, tt.category)
			}
		})
	}
}
