package file

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"hermes/agent/run"
	"hermes/internal/filename"
	"hermes/internal/tabular"
)

// Bounds of a workbook.
const (
	mostSheets   = 20
	mostCellText = 32 << 20 // bytes of cells; they may all be one long text of the file
)

// workbook reads an XLSX. What its formulas come to is read as the program that
// wrote it has left it; nothing is computed.
func (t *Text) workbook(b []byte) error {
	t.Mime = "application/zip"
	switch err := tabular.CheckWorkbook(b); {
	case errors.Is(err, tabular.ErrNoWorkbook):
		return run.UnreadSort
	case errors.Is(err, tabular.ErrTooLarge):
		return run.TooLarge
	case err != nil:
		return damaged("zip", err)
	}
	t.Sort, t.Mime = run.Workbook, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	x, err := excelize.OpenReader(bytes.NewReader(b), excelize.Options{UnzipSizeLimit: tabular.MostUnpacked, UnzipXMLSizeLimit: 16 << 20})
	if err != nil {
		return damaged("workbook", err)
	}
	defer func() { _ = x.Close() }() // it removes what it has unpacked
	cells := 0
	for i, name := range x.GetSheetList() {
		if i == mostSheets {
			break
		}
		g, err := sheet(x, name, &cells)
		if err != nil {
			return damaged("sheet", err)
		}
		if len(g.header) > 0 {
			t.take(filename.Clean(name), g)
		}
	}
	if len(t.Tables) == 0 {
		return run.EmptyFile
	}
	return nil
}

// sheet reads a sheet as a table.
func sheet(x *excelize.File, name string, cells *int) (grid, error) {
	recs, more, err := recordsOf(x, name, cells)
	if err != nil || len(recs) == 0 {
		return grid{}, err
	}
	width := widest(recs)
	begun := false
	g := table(func(yield func([]string) bool) {
		for _, r := range recs {
			// Empty cells at the end of a row are left out of the file. One cell alone
			// above all that is wider is a title.
			begun = begun || len(r) > 1
			if short := width - len(r); short > 0 && begun {
				r = append(r, make([]string, short)...)
			}
			if !yield(r) {
				return
			}
		}
	}, width)
	g.more = g.more || more
	return g, nil
}

// mostLeftOut is how many columns may have a name and nothing in the first rows.
const mostLeftOut = 3

// widest is the width of the first row that reads as names and is as wide as any of
// the first, or else what most of them have.
func widest(recs [][]string) int {
	count, width := map[int]int{}, 0
	recs = recs[:min(len(recs), 100)]
	for _, r := range recs {
		count[len(r)]++
	}
	for w, n := range count {
		if n > count[width] || n == count[width] && w > width {
			width = w
		}
	}
	for _, r := range recs {
		if len(r) > width && len(r) <= width+mostLeftOut && names(r) != nil {
			return len(r)
		}
	}
	return width
}

// blankRows is how many empty rows end a sheet: some have a format to their last row.
const blankRows = 10_000

// recordsOf reads the rows of a sheet that hold something: numbers as they are and not
// as they are shown, days as days. It reports whether there are more than are read.
func recordsOf(x *excelize.File, name string, cells *int) (recs [][]string, more bool, err error) {
	raw, err := x.Rows(name)
	if err != nil {
		return nil, false, nil //nolint:nilerr // a sheet of charts has none
	}
	defer func() { _ = raw.Close() }() // it has been read
	shown, err := x.Rows(name)
	if err != nil {
		return nil, false, fmt.Errorf("rows of %q: %w", name, err)
	}
	defer func() { _ = shown.Close() }()
	size := 0
	for empty := 0; raw.Next() && shown.Next() && empty < blankRows; {
		a, err := raw.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, false, fmt.Errorf("row of %q: %w", name, err)
		}
		b, err := shown.Columns()
		if err != nil {
			return nil, false, fmt.Errorf("row of %q: %w", name, err)
		}
		a = a[:min(len(a), mostColumns)]
		filled := false
		for i := range a {
			if i < len(b) {
				a[i] = tabular.CellOf(a[i], b[i])
			}
			if len(a[i]) > longestCell {
				a[i] = strings.Clone(a[i][:cutAt(a[i], longestCell)]) + "…"
			}
			size += len(a[i])
			filled = filled || strings.TrimSpace(a[i]) != ""
		}
		if !filled {
			empty++
			continue
		}
		if *cells += len(a); len(recs) > mostRows || *cells > mostCells || size > mostCellText {
			return recs, true, nil
		}
		recs = append(recs, a)
	}
	return recs, false, nil
}
