package tabular

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// What CheckWorkbook says of a file.
var (
	ErrNoWorkbook = errors.New("it is no workbook")
	ErrTooLarge   = errors.New("it is too large when it is unpacked")
)

// Bounds of a workbook.
const (
	MostUnpacked = 100 << 20 // bytes in all, and of one part
	mostParts    = 2000
	// mostRatio is how much a file may grow when it is unpacked, beyond what is small
	// anyway. XML packs well: of true workbooks 10 to 40 times.
	mostRatio   = 250
	smallEnough = 8 << 20
)

// CheckWorkbook looks into a zip: at what it holds, and how much comes out of it. What
// the parts say of their size is not believed.
func CheckWorkbook(b []byte) error {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	found := false
	for _, f := range z.File {
		found = found || f.Name == "xl/workbook.xml"
	}
	if !found {
		return ErrNoWorkbook
	}
	if len(z.File) > mostParts {
		return ErrTooLarge
	}
	left := min(int64(MostUnpacked), max(smallEnough, int64(len(b))*mostRatio))
	names := map[string]bool{}
	for _, f := range z.File {
		if names[f.Name] {
			return fmt.Errorf("%q is there twice", f.Name) // readers do not agree on which counts
		}
		names[f.Name] = true
		r, err := f.Open()
		if err != nil {
			return err
		}
		n, err := io.Copy(io.Discard, io.LimitReader(r, left+1))
		_ = r.Close()
		if left -= n; left < 0 {
			return ErrTooLarge
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var (
	dayShown   = regexp.MustCompile(`\d[-/.年 ]+(?:\d+|[A-Za-z]{3,9})[-/.月 ,]+\d|^\d{1,2}:\d\d|月`)
	monthShown = regexp.MustCompile(`^\d{4}[-/.]\d{1,2}$|^[A-Za-z]{3,9}[- ]\d{2,4}$`)
	onlyClock  = regexp.MustCompile(`^\d{1,2}:\d\d(?::\d\d)?(?: [AP]M)?$`)
)

// lastSerial is 31 December 9999, after which no workbook counts days.
const lastSerial = 2958465

// CellOf is what a cell holds: a workbook keeps days as numbers, and only how they
// are shown tells.
func CellOf(raw, shown string) string {
	n, err := strconv.ParseFloat(raw, 64)
	if err != nil || raw == shown {
		return raw
	}
	switch {
	case strings.HasSuffix(shown, "%"):
		return shown
	case onlyClock.MatchString(shown):
		return shown
	case n >= 1 && n <= lastSerial && (dayShown.MatchString(shown) || n == math.Trunc(n) && monthShown.MatchString(shown)):
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
