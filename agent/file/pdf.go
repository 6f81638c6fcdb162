package file

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/ledongthuc/pdf"

	"hermes/agent/run"
)

// Bounds of a PDF.
const (
	mostPages   = 500
	mostClaimed = 1_000_000 // pages that a file may say it has
	fewestSigns = 3         // of text on a page, below which it is a picture with a page number
)

// pdf reads the text of a PDF, page by page.
func (t *Text) pdf(b []byte) error {
	t.Sort, t.Mime = run.PDF, "application/pdf"
	b = b[max(0, bytes.Index(b[:min(len(b), 1024)], []byte("%PDF-"))):]
	r, err := pdf.NewReader(bytes.NewReader(b), int64(len(b)))
	switch {
	case errors.Is(err, pdf.ErrInvalidPassword):
		return run.Locked
	case err != nil:
		return damaged("pdf", err)
	}
	pages := r.NumPage()
	if pages <= 0 || pages > mostClaimed {
		return run.Damaged
	}
	t.Pages = pages
	var text strings.Builder
	signs := 0
	for n := 1; n <= min(pages, mostPages) && text.Len() <= MaxText; n++ {
		words := pageText(r, n)
		for _, c := range words {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				signs++
			}
		}
		fmt.Fprintf(&text, "[page %d]\n%s\n", n, words)
	}
	if signs < fewestSigns*min(pages, mostPages) {
		return run.NoText
	}
	t.keep(strings.TrimRight(text.String(), "\n"))
	t.outline(strings.Join(strings.Split(t.Body, "[page 1]\n"), ""))
	return nil
}

// pageText is the text of one page, in lines as they stand on it. A page that cannot
// be read is empty; the others are not.
func pageText(r *pdf.Reader, n int) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	page := r.Page(n)
	if page.V.IsNull() {
		return ""
	}
	if text = tidy(linesOf(page)); text != "" {
		return text
	}
	plain, err := page.GetPlainText(nil)
	if err != nil {
		return ""
	}
	return tidy(plain)
}

// linesOf puts the signs of a page into lines: a PDF says where each stands, and not
// where a word ends.
func linesOf(page pdf.Page) string {
	defer func() { _ = recover() }() // what it draws besides is of no interest
	signs := page.Content().Text
	slices.SortStableFunc(signs, func(a, b pdf.Text) int {
		if math.Abs(a.Y-b.Y) > max(a.FontSize, b.FontSize, 1)/2 {
			return cmp.Compare(b.Y, a.Y)
		}
		return cmp.Compare(a.X, b.X)
	})
	var b strings.Builder
	for i, s := range signs {
		if i > 0 {
			last := signs[i-1]
			size := max(last.FontSize, s.FontSize, 1)
			switch gap := s.X - (last.X + last.W); {
			case math.Abs(s.Y-last.Y) > size/2:
				b.WriteString("\n")
			case gap > size*2:
				b.WriteString("\t")
			case gap > size/5 && last.S != " " && s.S != " ":
				b.WriteString(" ")
			}
		}
		b.WriteString(s.S)
	}
	return b.String()
}

// tidy leaves out empty lines and what is no text.
func tidy(s string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.ToValidUTF8(s, ""), "\n") {
		line = strings.TrimSpace(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\t' {
				return -1
			}
			return r
		}, line))
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
