package tabular

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	xunicode "golang.org/x/text/encoding/unicode"
)

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// CSV reads a file of separated values: with commas, semicolons, tabs or bars, in UTF-8,
// UTF-16 or GB18030. Its error is a Fault.
func CSV(file string, b []byte, o Options) (t Table, err error) {
	body, err := text(file, b, o)
	if err != nil {
		return Table{}, err
	}
	comma, skip := separator(body)
	r := csv.NewReader(strings.NewReader(body[skip:]))
	r.Comma, r.FieldsPerRecord = comma, -1
	var recs [][]string
	var at []int
	above := strings.Count(body[:skip], "\n")
	cells := 0
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return Table{}, Fault{File: file, Row: bad.StartLine + above, Why: "its quotes do not fit: " + bad.Err.Error(), Hint: `put a cell with quotes in it in quotes, and double those within: "a ""b"" c"`}
		}
		if err != nil {
			return Table{}, Fault{File: file, Why: err.Error()}
		}
		line, _ := r.FieldPos(0)
		if cells += len(rec); cells > mostCells || len(recs) > o.most()+50 {
			return Table{}, tooLarge(file, o)
		}
		recs, at = append(recs, rec), append(at, line+above)
	}
	return table(file, recs, at, comma == ';', o)
}

func tooLarge(file string, o Options) Fault {
	return Fault{File: file, Why: fmt.Sprintf("it has more than %d rows, or %d cells", o.most(), mostCells), Hint: "raise max_rows of the source, or put it into a database"}
}

// text makes text of bytes as the options say, or as the bytes do.
func text(file string, b []byte, o Options) (string, error) {
	var from encoding.Encoding
	switch o.Encoding {
	case "":
		s, ok := Decode(b)
		if !ok {
			return "", Fault{File: file, Why: "it is no text in UTF-8, UTF-16 or GB18030", Hint: "save it as CSV in UTF-8, or name its encoding"}
		}
		return s, nil
	case "utf-8":
		b = bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF"))
		if i := invalid(b); i >= 0 {
			return "", Fault{File: file, Row: 1 + bytes.Count(b[:i], []byte("\n")), Why: "it is not in UTF-8 as encoding says", Hint: "leave encoding out, and it is seen"}
		}
		return string(b), nil
	case "gb18030":
		from = simplifiedchinese.GB18030
	case "windows-1252":
		from = charmap.Windows1252
	case "utf-16":
		from = xunicode.UTF16(xunicode.LittleEndian, xunicode.UseBOM)
	}
	if from == nil {
		return "", Fault{File: file, Why: fmt.Sprintf("there is no encoding %q", o.Encoding), Hint: "it is utf-8, utf-16, gb18030 or windows-1252"}
	}
	out, err := from.NewDecoder().Bytes(b)
	if err != nil {
		return "", Fault{File: file, Why: "it is not in " + o.Encoding}
	}
	return strings.TrimPrefix(string(out), "\uFEFF"), nil
}

func invalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n < 2 {
			return i
		}
		i += n
	}
	return -1
}

// separator is the sign between the cells: that with which most of the first lines have
// the same number of cells, and more than one. Excel may say it in a line of its own.
func separator(body string) (comma rune, skip int) {
	if first, _, ok := strings.Cut(body, "\n"); ok && strings.HasPrefix(strings.ToLower(first), "sep=") {
		if rest := strings.TrimSpace(first[4:]); len(rest) == 1 && strings.Contains(",;|", rest) {
			return rune(rest[0]), len(first) + 1
		}
		if strings.Contains(first[4:], "\t") {
			return '\t', len(first) + 1
		}
	}
	head := body[:min(len(body), 64<<10)]
	comma, score := ',', 0.0
	for _, sign := range ",;\t|" {
		r := csv.NewReader(strings.NewReader(head))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = sign, true, -1
		count, all := map[int]int{}, 0
		for all < 100 {
			rec, err := r.Read()
			if err != nil {
				break
			}
			count[len(rec)]++
			all++
		}
		for width, n := range count {
			if s := float64(n) / float64(all) * float64(min(width, 8)); width > 1 && (s > score || s == score && sign == comma) {
				comma, score = sign, s
			}
		}
	}
	return comma, 0
}

// Workbook reads the sheets of an XLSX that have rows, or the one that is named. What its
// formulas come to is what the program that wrote it has left.
func Workbook(file string, b []byte, o Options) (all []Table, err error) {
	defer func() {
		if p := recover(); p != nil { // a reader of somebody else's format met what it did not expect
			all, err = nil, Fault{File: file, Why: "it is damaged"}
		}
	}()
	if err := CheckWorkbook(b); err != nil {
		return nil, Fault{File: file, Why: err.Error(), Hint: "save it as XLSX, without a password"}
	}
	x, err := excelize.OpenReader(bytes.NewReader(b), excelize.Options{UnzipSizeLimit: MostUnpacked, UnzipXMLSizeLimit: 16 << 20})
	if err != nil {
		return nil, Fault{File: file, Why: "it is damaged: " + err.Error(), Hint: "save it as XLSX, without a password"}
	}
	defer func() { _ = x.Close() }() // it removes what it has unpacked
	names := x.GetSheetList()
	for _, sheet := range names {
		if o.Sheet != "" && !strings.EqualFold(sheet, o.Sheet) {
			continue
		}
		recs, at, err := rows(x, file, sheet, o)
		if err != nil {
			return nil, err
		}
		if len(recs) < 2 && o.Sheet == "" {
			continue // a sheet of charts or of notes
		}
		t, err := table(file+"/"+sheet, recs, at, false, o)
		if err != nil {
			return nil, err
		}
		t.Name = Name(sheet)
		all = append(all, t)
	}
	if o.Sheet != "" && len(all) == 0 {
		return nil, Fault{File: file, Why: fmt.Sprintf("it has no sheet %q", o.Sheet), Hint: "it has: " + strings.Join(names, ", ")}
	}
	return all, nil
}

// blankRows is how many empty rows end a sheet: some have a format to their last row.
const blankRows = 10_000

func rows(x *excelize.File, file, sheet string, o Options) (recs [][]string, at []int, err error) {
	where := file + "/" + sheet
	raw, err := x.Rows(sheet)
	if err != nil {
		return nil, nil, nil //nolint:nilerr // A sheet of charts has none.
	}
	defer func() { _ = raw.Close() }() // it has been read
	shown, err := x.Rows(sheet)
	if err != nil {
		return nil, nil, Fault{File: where, Why: err.Error()}
	}
	defer func() { _ = shown.Close() }()
	width, cells := 0, 0
	for row, empty := 1, 0; raw.Next() && shown.Next() && empty < blankRows; row++ {
		a, err := raw.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, nil, Fault{File: where, Row: row, Why: err.Error()}
		}
		b, err := shown.Columns()
		if err != nil {
			return nil, nil, Fault{File: where, Row: row, Why: err.Error()}
		}
		filled := false
		for i := range a {
			if i < len(b) {
				if isError(a[i]) {
					return nil, nil, Fault{File: where, Row: row, Column: columnLetter(i), Why: "its formula comes to " + a[i], Hint: "mend the formula, or take the cell out"}
				}
				a[i] = CellOf(a[i], b[i])
			}
			filled = filled || strings.TrimSpace(a[i]) != ""
		}
		if !filled {
			empty++
			continue
		}
		empty = 0
		if cells += len(a); cells > mostCells || len(recs) > o.most()+50 {
			return nil, nil, tooLarge(where, o)
		}
		width = max(width, len(a))
		recs, at = append(recs, a), append(at, row)
	}
	begun := false
	for i, r := range recs { // empty cells at the end of a row are left out of the file
		if begun = begun || len(r) > 1; begun && len(r) < width {
			recs[i] = append(r, make([]string, width-len(r))...)
		}
	}
	return recs, at, nil
}

// isError reports whether a cell is what a formula comes to that cannot be computed.
func isError(s string) bool {
	switch s {
	case "#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!":
		return true
	}
	return false
}

func columnLetter(i int) string {
	s, err := excelize.ColumnNumberToName(i + 1)
	if err != nil {
		return fmt.Sprint(i + 1)
	}
	return s
}
