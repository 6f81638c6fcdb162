package tabular

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A sign is what stands before the decimals.
type sign int

const (
	unseen sign = iota
	point
	comma
)

// typed reads all cells.
func (r *raw) typed(o Options) (Table, error) {
	t := Table{Files: []string{r.file}, Notes: r.notes, Rows: make([][]any, len(r.rows))}
	for i := range t.Rows {
		t.Rows[i] = make([]any, len(r.header))
	}
	used := map[string]bool{}
	for c, h := range r.header {
		name := Name(h)
		for base, n := name, 2; used[name]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		used[name] = true
		t.Columns = append(t.Columns, Column{Name: name, Header: h, Type: o.Types[name]})
		if o.Types[name] == "" {
			t.Columns[c].Type = o.Types[h]
		}
	}
	file := r.sign(o)
	for c := range t.Columns {
		if err := r.column(&t, c, file, o); err != nil {
			return Table{}, err
		}
	}
	return t, nil
}

// column reads the cells of one column.
func (r *raw) column(t *Table, c int, file sign, o Options) error {
	col := &t.Columns[c]
	cells, at := r.cells(c)
	want := col.Type
	if want == "" || want == Day || want == Time {
		layouts, err := r.days(c, cells, at, o, want != "")
		if err != nil {
			return err
		}
		if len(layouts) > 0 {
			return r.readDays(t, c, layouts)
		}
	}
	if want == Integer || want == Decimal || want == "" && !names(cells) {
		own := signOf(cells)
		if own == unseen {
			own = file
		}
		if odd := oddOf(cells, own == comma); want != "" || len(cells) > 0 && odd*10 <= len(cells) {
			return r.readNumbers(t, c, own == comma)
		}
	}
	col.Type = Text
	for i, row := range r.rows {
		if row[c] != "" {
			t.Rows[i][c] = row[c]
		}
	}
	return nil
}

// cells are those of a column that hold something, with their rows.
func (r *raw) cells(c int) (cells []string, at []int) {
	for i, row := range r.rows {
		if !Blank(row[c]) {
			cells, at = append(cells, row[c]), append(at, r.at[i])
		}
	}
	return cells, at
}

// names reports whether what looks like numbers are names: one begins with a zero that
// is no number.
func names(cells []string) bool {
	return slices.ContainsFunc(cells, func(s string) bool { return len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' })
}

func oddOf(cells []string, comma bool) (n int) {
	for _, s := range cells {
		if _, ok := NumberOf(s, comma); !ok {
			n++
		}
	}
	return n
}

// signOf is what the cells show that are numbers in one way of writing alone.
func signOf(cells []string) sign {
	points, commas := 0, 0
	for _, s := range cells {
		_, p := NumberOf(s, false)
		_, k := NumberOf(s, true)
		switch {
		case p && !k:
			points++
		case k && !p:
			commas++
		}
	}
	switch {
	case points > commas:
		return point
	case commas > points:
		return comma
	}
	return unseen
}

// sign is that of the file, for columns that do not show it.
func (r *raw) sign(o Options) sign {
	switch o.Comma {
	case PointSign:
		return point
	case CommaSign:
		return comma
	}
	found := unseen
	for c := range r.header {
		cells, _ := r.cells(c)
		own := signOf(cells)
		if own == unseen || oddOf(cells, own == comma)*10 > len(cells) {
			continue
		}
		if found != unseen && found != own {
			return point // the file is of two minds
		}
		found = own
	}
	if found == unseen && r.semicolon {
		return comma
	}
	return found
}

func (r *raw) readNumbers(t *Table, c int, comma bool) error {
	col := &t.Columns[c]
	whole, units, unit := true, 0, ""
	values := make([]Number, len(r.rows))
	for i, row := range r.rows {
		if Blank(row[c]) {
			continue
		}
		n, ok := NumberOf(row[c], comma)
		if !ok {
			return r.fault(r.at[i], col.Header, fmt.Sprintf("%s is no number, as the other cells are", quote(row[c])), fmt.Sprintf("mend the cell, or write columns: [{name: %s, type: text}]", col.Name))
		}
		values[i] = n
		whole = whole && n.Value.IsInt() && n.Value.Num().IsInt64()
		col.Scale = max(col.Scale, n.Digits)
		if n.Unit != "" && n.Unit != unit {
			unit, units = n.Unit, units+1
		}
	}
	if units > 1 {
		return r.fault(0, col.Header, "its amounts have different units", fmt.Sprintf("put the unit into a column of its own, or write columns: [{name: %s, type: text}]", col.Name))
	}
	switch {
	case col.Type == Integer && !whole:
		return r.fault(0, col.Header, "not all its numbers are whole", "write type: number")
	case col.Type == "" && whole && col.Scale == 0:
		col.Type = Integer
	case col.Type == "":
		col.Type = Decimal
	}
	col.Unit, col.Scale = unit, min(col.Scale, 9)
	for i, n := range values {
		switch {
		case n.Value == nil:
		case col.Type == Integer:
			t.Rows[i][c] = n.Value.Num().Int64()
		default:
			t.Rows[i][c], _ = n.Value.Float64()
		}
	}
	return nil
}

func quote(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:39]) + "…"
	}
	return strconv.Quote(s)
}

// dayLayouts are the ways to write a day or a time that are read. Of those with the day
// and the month as numbers, the year last, there are two each.
var (
	sureLayouts = []string{
		"2006-01-02", "2006/1/2", "2006-1-2", "2006.1.2", "2006年1月2日", "20060102", "2.1.2006", "2.1.06", "2 Jan 2006", "2 January 2006", "2-Jan-2006", "2-Jan-06", "Jan 2, 2006", "January 2, 2006",
		"2006-01", "2006年1月", "2006/1",
		"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02 15:04:05.999999999", "2006/1/2 15:04", "2006/1/2 15:04:05", "2006年1月2日 15:04", "2006年1月2日 15:04:05",
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05Z07:00", "2.1.2006 15:04", "2.1.2006 15:04:05",
	}
	dayFirst   = []string{"2/1/2006", "2-1-2006", "2/1/06", "2/1/2006 15:04", "2/1/2006 15:04:05"}
	monthFirst = []string{"1/2/2006", "1-2-2006", "1/2/06", "1/2/2006 15:04", "1/2/2006 15:04:05", "1/2/2006 3:04 PM", "1/2/2006 3:04:05 PM"}
)

func dayOf(s string, layouts []string) (time.Time, bool) {
	if len(s) > 40 || len(s) < 6 {
		return time.Time{}, false
	}
	for _, l := range layouts {
		if d, err := time.Parse(l, s); err == nil && d.Year() >= 1900 && d.Year() <= 2200 {
			return d, true
		}
	}
	return time.Time{}, false
}

// days are the layouts in which a column writes days; none if it is no column of days.
func (r *raw) days(c int, cells []string, at []int, o Options, told bool) ([]string, error) {
	sure, day, month, either := 0, 0, 0, 0
	first := -1
	for i, s := range cells {
		if _, ok := dayOf(s, sureLayouts); ok {
			sure++
			continue
		}
		d, isDay := dayOf(s, dayFirst)
		m, isMonth := dayOf(s, monthFirst)
		switch {
		case isDay && isMonth && d.Equal(m):
			sure++
		case isDay && isMonth:
			if either++; first < 0 {
				first = i
			}
		case isDay:
			day++
		case isMonth:
			month++
		}
	}
	all := sure + day + month + either
	if !told && (len(cells) == 0 || all*10 < len(cells)*9) {
		return nil, nil
	}
	header := r.header[c]
	switch {
	case o.Days == DMY:
		return append(slices.Clone(sureLayouts), dayFirst...), nil
	case o.Days == MDY:
		return append(slices.Clone(sureLayouts), monthFirst...), nil
	case day > 0 && month > 0:
		return nil, r.fault(0, header, "some of its days have the day first, and some the month", "write days: dmy or days: mdy, and mend the others")
	case either > 0 && day == 0 && month == 0:
		return nil, r.fault(at[first], header, fmt.Sprintf("of %s nobody knows which is the month", quote(cells[first])), "write days: dmy or days: mdy")
	case month > 0:
		return append(slices.Clone(sureLayouts), monthFirst...), nil
	}
	return append(slices.Clone(sureLayouts), dayFirst...), nil
}

func (r *raw) readDays(t *Table, c int, layouts []string) error {
	col := &t.Columns[c]
	days := make([]time.Time, len(r.rows))
	clock := col.Type == Time
	for i, row := range r.rows {
		if Blank(row[c]) {
			continue
		}
		d, ok := dayOf(row[c], layouts)
		if !ok {
			return r.fault(r.at[i], col.Header, fmt.Sprintf("%s is no day, as the other cells are", quote(row[c])), fmt.Sprintf("mend the cell, or write columns: [{name: %s, type: text}]", col.Name))
		}
		days[i] = d
		h, m, s := d.Clock()
		clock = clock || col.Type == "" && (h+m+s > 0 || strings.Contains(row[c], ":"))
	}
	form := time.DateOnly
	if col.Type = Day; clock {
		col.Type, form = Time, time.DateTime
	}
	for i, d := range days {
		if !d.IsZero() {
			t.Rows[i][c] = d.Format(form)
		}
	}
	return nil
}
