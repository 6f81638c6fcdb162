package file

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"hermes/agent/run"
	"hermes/internal/filename"
)

// Bounds of a workbook.
const (
	mostUnpacked = 100 << 20 // bytes in all, and of one part
	mostSheets   = 20
	mostParts    = 2000
	mostCellText = 32 << 20 // bytes of cells; they may all be one long text of the file
	// mostRatio is how much a file may grow when it is unpacked, beyond what is small
	// anyway. XML packs well: of true workbooks 10 to 40 times.
	mostRatio   = 250
	smallEnough = 8 << 20
)

// workbook reads an XLSX. What its formulas come to is read as the program that
// wrote it has left it; nothing is computed.
func (t *Text) workbook(b []byte) error {
	t.Mime = "application/zip"
	ok, err := isWorkbook(b)
	if err != nil || !ok {
		if err != nil {
			return err
		}
		return run.UnreadSort
	}
	t.Sort, t.Mime = run.Workbook, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	x, err := excelize.OpenReader(bytes.NewReader(b), excelize.Options{UnzipSizeLimit: mostUnpacked, UnzipXMLSizeLimit: 16 << 20})
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

// isWorkbook looks into a zip: at what it holds, and how much comes out of it. What
// the parts say of their size is not believed.
func isWorkbook(b []byte) (bool, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return false, damaged("zip", err)
	}
	found := false
	for _, f := range z.File {
		found = found || f.Name == "xl/workbook.xml"
	}
	if !found {
		return false, nil
	}
	if len(z.File) > mostParts {
		return true, run.TooLarge
	}
	left := min(int64(mostUnpacked), max(smallEnough, int64(len(b))*mostRatio))
	names := map[string]bool{}
	for _, f := range z.File {
		if names[f.Name] {
			return true, damaged("zip", fmt.Errorf("%q is there twice", f.Name)) // readers do not agree on which counts
		}
		names[f.Name] = true
		r, err := f.Open()
		if err != nil {
			return true, damaged("zip", err)
		}
		n, err := io.Copy(io.Discard, io.LimitReader(r, left+1))
		_ = r.Close()
		if left -= n; left < 0 {
			return true, run.TooLarge
		}
		if err != nil {
			return true, damaged("zip", err)
		}
	}
	return true, nil
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
				a[i] = cellOf(a[i], b[i])
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

var (
	dayShown  = regexp.MustCompile(`\d[-/.年 ]+(?:\d+|[A-Za-z]{3,9})[-/.月 ,]+\d|^\d{1,2}:\d\d|月`)
	onlyClock = regexp.MustCompile(`^\d{1,2}:\d\d(?::\d\d)?(?: [AP]M)?$`)
)

// lastSerial is 31 December 9999, after which no workbook counts days.
const lastSerial = 2958465

// cellOf is what a cell holds: a workbook keeps days as numbers, and only how they
// are shown tells.
func cellOf(raw, shown string) string {
	n, err := strconv.ParseFloat(raw, 64)
	if err != nil || raw == shown {
		return raw
	}
	switch {
	case strings.HasSuffix(shown, "%"):
		return shown
	case onlyClock.MatchString(shown):
		return shown
	case n >= 1 && n <= lastSerial && dayShown.MatchString(shown):
		d, err := excelize.ExcelDateToTime(n, false)
		if err != nil {
			return shown
		}
		if d = d.Round(time.Second); n == math.Trunc(n) {
			return d.Format(time.DateOnly)
		}
		return d.Format(time.DateTime)
	}
	return raw
}
