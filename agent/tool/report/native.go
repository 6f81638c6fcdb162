package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-analyze/charts"
	"github.com/xuri/excelize/v2"
)

// A native chart is one that the spreadsheet draws itself, of cells of its own: whoever
// edits a number sees it move.
type native struct {
	drawing
	frame *frame
	sheet string // of the table, or of a sheet made for the chart alone
	own   bool
	cols  int // of the table
}

// nativeOf plans it. A picture that leaves rows out, or puts them together, has a sheet
// of its own with what it shows.
func nativeOf(f *frame, d drawing) native {
	n := native{drawing: d, frame: f}
	n.own = len(d.rows) != len(f.Rows) || len(d.labels) != len(d.rows)
	for i, r := range d.rows {
		n.own = n.own || r != i
	}
	return n
}

// chartNumber is the form of the numbers on the axis.
func (n native) chartNumber() string { return numberFormat(n.frame.Columns[n.frame.val]) }

// add puts the chart beside its cells. Its sheet has no rows yet: the library writes a
// sheet to its end at once.
func (n native) add(x *excelize.File) error {
	sheet := "'" + strings.ReplaceAll(n.sheet, "'", "''") + "'"
	letter := func(i int) string {
		s, _ := excelize.ColumnNumberToName(i + 1) //nolint:errcheck // A few columns.
		return s
	}
	names, first, last := len(n.frame.by), 2, len(n.labels)+1
	if n.own {
		names = 1
	}
	c := &excelize.Chart{
		Type: map[string]excelize.ChartType{Bar: excelize.Col, Line: excelize.Line, Stacked: excelize.ColStacked, Pie: excelize.Pie}[n.kind],
		// As wide as twelve months need.
		Dimension:    excelize.ChartDimension{Width: 760, Height: 400},
		Title:        excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: plain(n.title)}}},
		Legend:       excelize.ChartLegend{Position: "bottom"},
		ShowBlanksAs: "gap",
		VaryColors:   new(bool),
		XAxis:        excelize.ChartAxis{Font: excelize.Font{Color: "5B6673"}},
		YAxis:        excelize.ChartAxis{Font: excelize.Font{Color: "5B6673"}, MajorGridLines: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: n.chartNumber()}},
	}
	if n.time && !n.own { // else the axis would count days
		c.XAxis.NumFmt = excelize.ChartNumFmt{CustomNumFmt: map[bool]string{true: "yyyy-mm", false: "yyyy-mm-dd"}[n.frame.monthly]}
		if !n.frame.monthly && !n.frame.fine {
			c.XAxis.NumFmt = excelize.ChartNumFmt{} // weeks and quarters are words
		}
	}
	if n.kind == Bar && !n.time && slices.ContainsFunc(n.labels, func(s string) bool { return wide(s) > 14 }) {
		c.Type, c.XAxis.ReverseOrder = excelize.Bar, true // names lie flat, the first on top
	}
	for i := range n.series {
		col := letter(names + i)
		if !n.own && i == 1 && n.frame.prev < 0 {
			col = letter(names + 1) // the year before stands where there is no period before
		}
		c.Series = append(c.Series, excelize.ChartSeries{
			Name:       fmt.Sprintf("%s!$%s$1", sheet, col),
			Categories: fmt.Sprintf("%s!$A$%d:$%s$%d", sheet, first, letter(names-1), last),
			Values:     fmt.Sprintf("%s!$%s$%d:$%s$%d", sheet, col, first, col, last),
			Fill:       n.fill(i), Line: excelize.LineOptions{Fill: n.fill(i), Width: 2},
			Marker: excelize.ChartMarker{Symbol: "circle", Size: 5, Fill: n.fill(i)},
		})
	}
	if len(n.series) == 1 && n.kind != Pie {
		c.Legend.Position = "none"
	}
	if n.kind == Pie {
		c.PlotArea.ShowPercent, c.VaryColors = true, nil
		c.Series[0].Fill, c.Series[0].Line = excelize.Fill{}, excelize.LineOptions{}
		for i := range n.labels {
			c.Series[0].DataPoint = append(c.Series[0].DataPoint, excelize.ChartDataPoint{Index: i, Fill: solid(others[i%len(others)])})
		}
	}
	return x.AddChart(n.sheet, letter(n.cols+1)+"2", c)
}

// fill is the colour of a series in the picture too.
func (n native) fill(i int) excelize.Fill {
	if len(n.series) > 2 || n.kind == Stacked {
		return solid(others[i%len(others)])
	}
	return solid([...]string{"#1F5FBF", "#B7CBEA"}[i%2])
}

func solid(colour string) excelize.Fill {
	return excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{strings.TrimPrefix(colour, "#")}}
}

// write fills the sheet that is made for the chart alone.
func (n native) write(x *excelize.File) error {
	st, err := n.frame.styles(x)
	if err != nil {
		return err
	}
	form := n.chartNumber()
	number, err := x.NewStyle(&excelize.Style{CustomNumFmt: &form})
	if err != nil {
		return err
	}
	w, err := x.NewStreamWriter(n.sheet)
	if err != nil {
		return err
	}
	if err := w.SetColWidth(1, 1, 28); err != nil {
		return err
	}
	if err := w.SetColWidth(2, 1+len(n.series), 16); err != nil {
		return err
	}
	head := []any{excelize.Cell{StyleID: st.head, Value: plain(n.frame.rawHead(n.frame.by[0]))}}
	for _, s := range n.series {
		head = append(head, excelize.Cell{StyleID: st.head, Value: plain(s.name)})
	}
	if err := w.SetRow("A1", head); err != nil {
		return err
	}
	for i, l := range n.labels {
		row := []any{excelize.Cell{StyleID: st.text, Value: plain(l)}}
		for _, s := range n.series {
			cell := excelize.Cell{StyleID: number}
			if v := s.values[i]; v != charts.GetNullValue() {
				cell.Value = v
			}
			row = append(row, cell)
		}
		if err := w.SetRow("A"+strconv.Itoa(i+2), row); err != nil {
			return err
		}
	}
	return w.Flush()
}

// asDate is the day that a label of time begins with: a day, or the first of a month.
func asDate(label string) (at time.Time, month, ok bool) {
	if d, err := time.Parse(time.DateOnly, label); err == nil && d.Year() >= 1900 {
		return d, false, true
	}
	if d, err := time.Parse("2006-01", label); err == nil && d.Year() >= 1900 {
		return d, true, true
	}
	return at, false, false
}
