package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"hermes/agent/tool"
)

// styles of one sheet. A number has one by its column.
type styles struct{ head, text, day, month, totalText int }

func writeSheet(x *excelize.File, name string, f *frame, lang string) error {
	w, err := x.NewStreamWriter(name)
	if err != nil {
		return err
	}
	st, err := f.styles(x)
	if err != nil {
		return err
	}
	cols := f.sheetColumns(lang)
	for i, c := range cols {
		if err := w.SetColWidth(i+1, i+1, c.width); err != nil {
			return err
		}
	}
	if err := w.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	row := make([]any, len(cols))
	for i, c := range cols {
		row[i] = excelize.Cell{StyleID: st.head, Value: c.head}
	}
	if err := w.SetRow("A1", row, excelize.RowOpts{Height: 20}); err != nil {
		return err
	}
	formats := make([]int, len(cols))
	bold := make([]int, len(cols))
	for i, c := range cols {
		if c.format == "" {
			continue
		}
		if formats[i], err = x.NewStyle(&excelize.Style{CustomNumFmt: &c.format}); err != nil {
			return err
		}
		if bold[i], err = x.NewStyle(&excelize.Style{CustomNumFmt: &c.format, Font: &excelize.Font{Bold: true}, Border: topLine()}); err != nil {
			return err
		}
	}
	for r := range f.Rows {
		for i, c := range cols {
			cell := c.cell(r)
			switch v := cell.Value.(type) {
			case time.Time:
				if cell.StyleID = st.day; c.months {
					cell.StyleID = st.month
				}
			case float64:
				cell.StyleID = formats[i]
			case string:
				cell.Value, cell.StyleID = plain(v), st.text
			}
			row[i] = cell
		}
		if err := w.SetRow("A"+strconv.Itoa(r+2), row); err != nil {
			return err
		}
	}
	if f.summed() {
		for i, c := range cols {
			cell := c.cell(AllRows)
			cell.StyleID = bold[i]
			if cell.StyleID == 0 {
				cell.StyleID = st.totalText
			}
			row[i] = cell
		}
		row[0] = excelize.Cell{StyleID: st.totalText, Value: f.totalName(lang)}
		if err := w.SetRow("A"+strconv.Itoa(len(f.Rows)+2), row); err != nil {
			return err
		}
	}
	return w.Flush()
}

func topLine() []excelize.Border {
	return []excelize.Border{{Type: "top", Color: "1F5FBF", Style: 1}}
}

func (f *frame) styles(x *excelize.File) (styles, error) {
	var st styles
	day, month := "yyyy-mm-dd", "yyyy-mm"
	for _, s := range []struct {
		id    *int
		style excelize.Style
	}{
		{&st.head, excelize.Style{
			Font:      &excelize.Font{Bold: true, Color: "FFFFFF"},
			Fill:      excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"1F5FBF"}},
			Alignment: &excelize.Alignment{Vertical: "center", WrapText: false},
		}},
		// Format 49 is "text": a cell stays text when a person edits it.
		{&st.text, excelize.Style{NumFmt: 49}},
		{&st.day, excelize.Style{CustomNumFmt: &day, Alignment: &excelize.Alignment{Horizontal: "left"}}},
		{&st.month, excelize.Style{CustomNumFmt: &month, Alignment: &excelize.Alignment{Horizontal: "left"}}},
		{&st.totalText, excelize.Style{Font: &excelize.Font{Bold: true}, Border: topLine()}},
	} {
		id, err := x.NewStyle(&s.style)
		if err != nil {
			return st, err
		}
		*s.id = id
	}
	return st, nil
}

// A sheetColumn is a column of a sheet; cell gives its value, and a formula
// with the value that it has.
type sheetColumn struct {
	head   string
	width  float64
	format string
	months bool // its dates are the first of a month
	cell   func(row int) excelize.Cell
}

func (f *frame) sheetColumns(lang string) []sheetColumn {
	say := page{lang: lang}.say
	var cols []sheetColumn
	add := func(c sheetColumn, longest int) {
		c.head = plain(c.head)
		c.width = min(max(float64(max(wide(c.head), longest))+3, 10), 48)
		cols = append(cols, c)
	}
	letter := func(i int) string {
		s, _ := excelize.ColumnNumberToName(i + 1)
		return s
	}
	last := len(f.Rows) + 1
	place := map[int]string{}
	value := func(c int) {
		l := letter(len(cols))
		place[c] = l
		longest := 0
		for r := range f.Rows {
			if v, ok := f.cell(r, c); ok {
				longest = max(longest, len(amount(v.value, f.Columns[c].Scale, f.Columns[c].Unit)))
			}
		}
		add(sheetColumn{head: f.rawHead(c), format: numberFormat(f.Columns[c]), cell: func(r int) excelize.Cell {
			v, ok := f.cellOrTotal(r, c)
			if !ok {
				return excelize.Cell{}
			}
			if r == AllRows {
				return excelize.Cell{Value: v.value, Formula: fmt.Sprintf("SUM(%s2:%s%d)", l, l, last)}
			}
			return excelize.Cell{Value: v.value}
		}}, longest)
	}
	for _, c := range f.by {
		longest := 0
		for r := range f.Rows {
			longest = max(longest, wide(f.text(r, c)))
		}
		months := f.monthly && c == f.by[0]
		add(sheetColumn{head: f.rawHead(c), months: months, cell: func(r int) excelize.Cell {
			if r == AllRows {
				return excelize.Cell{}
			}
			s := f.text(r, c)
			if d, month, ok := asDate(s); ok && month == months {
				return excelize.Cell{Value: d}
			}
			return excelize.Cell{Value: s}
		}}, longest)
	}
	for _, c := range []int{f.val, f.prev, f.year} {
		if c >= 0 {
			value(c)
		}
	}
	for _, c := range f.more {
		value(c)
	}
	if f.val < 0 || f.unit() == "%" {
		return cols
	}
	rowOf := func(r int) int {
		if r == AllRows {
			return last + 1
		}
		return r + 2
	}
	fraction := func(head string, f2 func(r int) (figure, string, bool)) {
		add(sheetColumn{head: head, format: "0.0%", cell: func(r int) excelize.Cell {
			v, formula, ok := f2(r)
			if !ok {
				return excelize.Cell{}
			}
			return excelize.Cell{Value: v.value, Formula: formula}
		}}, 8)
	}
	if f.shares() {
		fraction(say("Share", "占比"), func(r int) (figure, string, bool) {
			v, ok := f.cellOrTotal(r, f.val)
			all, also := f.total(f.val)
			s, can := share(v, all)
			return s, fmt.Sprintf("%s%d/%s$%d", place[f.val], rowOf(r), place[f.val], last+1), ok && also && can && f.summed()
		})
	}
	for _, b := range []struct {
		col  int
		role tool.Role
		head string
	}{{f.prev, tool.RolePrevious, say("Change", "环比")}, {f.year, tool.RoleYear, say("On year", "同比")}} {
		if b.col < 0 {
			continue
		}
		fraction(b.head, func(r int) (figure, string, bool) {
			v, ok := f.cellOrTotal(r, f.val)
			base, also := f.cellOrTotal(r, b.col)
			ch, can := change(v, base, b.role)
			n := rowOf(r)
			return ch, fmt.Sprintf("(%s%d-%s%d)/%s%d", place[f.val], n, place[b.col], n, place[b.col], n), ok && also && can
		})
	}
	return cols
}

func (f *frame) rawHead(c int) string {
	head := f.Columns[c].Label
	if head == "" {
		head = f.Columns[c].Key
	}
	if u := f.Columns[c].Unit; u != "" && u != "%" && symbols[u] == "" {
		head += " (" + u + ")"
	}
	return head
}

func numberFormat(c tool.Column) string {
	s := "#,##0"
	if n := min(max(c.Scale, 0), 6); n > 0 {
		s += "." + strings.Repeat("0", n)
	}
	if c.Role == tool.RoleOther && c.Scale == 0 {
		s = "#,##0.####"
	}
	if sym := symbols[c.Unit]; sym != "" {
		return `"` + sym + `"` + s + `;-"` + sym + `"` + s
	}
	if c.Unit == "%" {
		return s + `"%"`
	}
	return s
}

// wide is how many columns of a spreadsheet's default digits a text needs.
func wide(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x1100 {
			n++
		}
	}
	return n
}

// plain makes a text safe as a cell of type text: Excel takes at most 32,767
// characters and no control characters.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return cutUTF16(s, 32767)
}

func writeNotes(x *excelize.File, name, title string, notes []string) error {
	if _, err := x.NewSheet(name); err != nil {
		return err
	}
	if err := x.SetColWidth(name, "A", "A", 90); err != nil {
		return err
	}
	for i, n := range append([]string{title}, notes...) {
		if err := x.SetCellStr(name, "A"+strconv.Itoa(i+1), plain(n)); err != nil {
			return err
		}
	}
	return nil
}
