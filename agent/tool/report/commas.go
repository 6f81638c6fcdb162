package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// commas writes one frame as CSV with the mark by which Excel knows UTF-8. A
// text that a spreadsheet would take for a formula gets an apostrophe.
func commas(f *frame) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	var rec []string
	for c := range f.Columns {
		rec = append(rec, defuse(f.rawHead(c)))
	}
	if err := w.Write(rec); err != nil {
		return nil, fmt.Errorf("write CSV: %w", err)
	}
	for r := range f.Rows {
		for c := range f.Columns {
			rec[c] = defuse(f.text(r, c))
			if v, ok := f.cell(r, c); ok {
				rec[c] = strconv.FormatFloat(v.value, 'f', -1, 64)
			}
		}
		if err := w.Write(rec); err != nil {
			return nil, fmt.Errorf("write CSV: %w", err)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, fmt.Errorf("write CSV: %w", err)
	}
	return b.Bytes(), nil
}

// defuse is OWASP's advice on CSV injection: these first characters start a
// formula in one spreadsheet or another.
func defuse(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", firstRune(strings.TrimLeft(s, " "))) {
		return "'" + s
	}
	return s
}

func firstRune(s string) rune {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return 'x'
	}
	return r
}
