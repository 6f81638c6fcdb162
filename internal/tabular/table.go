package tabular

import (
	"fmt"
	"slices"
	"strings"
)

// table makes a table of records: finds the header, holds each row against it, and reads
// the cells.
func table(file string, recs [][]string, at []int, semicolon bool, o Options) (Table, error) {
	r := raw{file: file, semicolon: semicolon}
	width := mostWide(recs)
	if width > mostColumns {
		return Table{}, r.fault(0, "", fmt.Sprintf("it has %d columns, more than %d", width, mostColumns), "")
	}
	for i, rec := range recs {
		for c := range rec {
			if rec[c] = strings.TrimSpace(rec[c]); len(rec[c]) > longestCell {
				return Table{}, r.fault(at[i], columnLetter(c), "the cell is longer than 32 KB", "")
			}
		}
		filled := slices.ContainsFunc(rec, func(s string) bool { return s != "" })
		switch {
		case !filled:
		case r.header == nil && (len(rec) < width || titled(rec, width)):
			r.notes = append(r.notes, fmt.Sprintf("%s: row %d stands above the table and was not read", file, at[i]))
		case r.header == nil:
			if err := r.name(rec, at[i]); err != nil {
				return Table{}, err
			}
		default:
			if err := r.add(rec, at[i]); err != nil {
				return Table{}, err
			}
		}
	}
	if r.header == nil {
		return Table{}, r.fault(0, "", "it has no table", "the first row must hold the names of the columns")
	}
	if r.dropTotal(); len(r.rows) > o.most() {
		return Table{}, tooLarge(file, o)
	}
	return r.typed(o)
}

// titled reports whether a row of a sheet holds a title alone, above a table.
func titled(rec []string, width int) bool {
	n := 0
	for _, s := range rec {
		if s != "" {
			n++
		}
	}
	return width > 2 && n == 1
}

// mostWide is how many cells most rows have.
func mostWide(recs [][]string) int {
	count, width := map[int]int{}, 0
	for _, r := range recs[:min(len(recs), 200)] {
		count[len(r)]++
	}
	for w, n := range count {
		if n > count[width] || n == count[width] && w > width {
			width = w
		}
	}
	return width
}

// name takes a row for the names of the columns.
func (r *raw) name(rec []string, at int) error {
	for len(rec) > 0 && rec[len(rec)-1] == "" {
		rec = rec[:len(rec)-1]
	}
	r.headerRow = at
	for i, s := range rec {
		s = strings.Join(strings.Fields(s), " ")
		if s == "" {
			return r.fault(at, columnLetter(i), "the column has no name", "write a name into the first row of the table")
		}
		if _, ok := NumberOf(s, false); ok && !yearName(s) {
			return r.fault(at, columnLetter(i), fmt.Sprintf("%q stands where the name of a column should", s), "the first row must hold the names of the columns")
		}
		if slices.Contains(r.header, s) {
			return r.fault(at, s, "two columns have this name", "give each a name of its own")
		}
		r.header = append(r.header, s)
	}
	return nil
}

func yearName(s string) bool { return len(s) == 4 && (s[:2] == "19" || s[:2] == "20") }

func (r *raw) add(rec []string, at int) error {
	for len(rec) > len(r.header) && rec[len(rec)-1] == "" {
		rec = rec[:len(rec)-1]
	}
	switch {
	case len(rec) > len(r.header):
		return r.fault(at, "", fmt.Sprintf("it has %d cells, and there are %d columns", len(rec), len(r.header)), "put a cell that has the sign between cells in it in quotes")
	case len(rec) < len(r.header):
		return r.fault(at, "", fmt.Sprintf("it has %d cells, and there are %d columns", len(rec), len(r.header)), "a row ends too early, or stands below the table")
	}
	r.rows, r.at = append(r.rows, rec), append(r.at, at)
	return nil
}

// totals are what a last row is called that adds the others up.
var totals = map[string]bool{
	"total": true, "grand total": true, "totals": true, "sum": true, "summe": true, "gesamt": true, "gesamtsumme": true, "insgesamt": true,
	"合计": true, "总计": true, "总和": true, "小计": true, "合計": true, "總計": true, "共计": true,
}

// dropTotal leaves out a last row that would be counted twice.
func (r *raw) dropTotal() {
	if len(r.rows) < 2 {
		return
	}
	last := r.rows[len(r.rows)-1]
	for _, s := range last {
		if s == "" {
			continue
		}
		if totals[strings.ToLower(strings.Trim(s, ":： "))] {
			n := len(r.rows) - 1
			r.notes = append(r.notes, fmt.Sprintf("%s: row %d is a total (%s) and was left out", r.file, r.at[n], s))
			r.rows, r.at = r.rows[:n], r.at[:n]
		}
		return
	}
}
