package report

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding/charmap"
)

// A press puts texts on the pages of a PDF. Latin letters are of the font that every
// reader has; all others of one more, of which the file holds the letters that it uses.
// Nothing is a link, and nothing tells when the file was made.
type press struct {
	f      *fpdf.Fpdf
	extra  *face // may be nil
	width  float64
	height float64
	y      float64 // where the next thing begins, in millimetres from the top
	used   bool    // of extra
}

// A look is how a text is printed.
type look struct {
	size         float64 // in points
	bold, struck bool
	colour       [3]int
}

var (
	inkRGB    = [3]int{0x1F, 0x29, 0x33}
	greyRGB   = [3]int{0x5B, 0x66, 0x73}
	accentRGB = [3]int{0x1F, 0x5F, 0xBF}
	paperRGB  = [3]int{0xFF, 0xFF, 0xFF}
)

// pageMargin and foot are in millimetres.
const (
	pageMargin = 18.0
	foot       = 16.0
	pointMM    = 25.4 / 72
)

// aDayOfNone is written by the library where it wants a time, and taken out again: equal
// reports are equal files, whenever they are made.
var aDayOfNone = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func newPress(lying bool, extra *face) (*press, error) {
	orientation := "P"
	if lying {
		orientation = "L"
	}
	f := fpdf.New(orientation, "mm", "A4", "")
	f.SetCatalogSort(true)
	f.SetCreationDate(aDayOfNone)
	f.SetModificationDate(aDayOfNone)
	f.SetCreator("Hermes", true)
	f.SetAutoPageBreak(false, 0)
	f.SetCellMargin(0)
	p := &press{f: f, extra: extra}
	if extra != nil {
		body, err := os.ReadFile(extra.path)
		if err != nil {
			return nil, fmt.Errorf("read font: %w", err)
		}
		if body, err = outlines(body); err != nil {
			return nil, fmt.Errorf("read font %s: %w", extra.path, err)
		}
		f.AddUTF8FontFromBytes("extra", "", body)
	}
	p.width, p.height = f.GetPageSize()
	p.turn()
	return p, f.Error()
}

// turn begins a new page.
func (p *press) turn() {
	p.f.AddPage()
	p.y = pageMargin
}

// room turns the page if less than so much is left.
func (p *press) room(height float64) {
	if p.y+height > p.height-foot-4 && p.y > pageMargin {
		p.turn()
	}
}

// bytes ends the file.
func (p *press) bytes() ([]byte, error) {
	var b bytes.Buffer
	if err := p.f.Output(&b); err != nil {
		return nil, fmt.Errorf("write PDF: %w", err)
	}
	out := b.Bytes()
	stamp := "Date (D:" + aDayOfNone.Format("20060102150405") + ")"
	for _, key := range []string{"/Creation", "/Mod"} {
		// Blanks in its place keep the offsets of the file what they are.
		out = bytes.ReplaceAll(out, []byte(key+stamp), bytes.Repeat([]byte(" "), len(key)+len(stamp)))
	}
	return out, nil
}

// prints reports whether a font at hand has the letter. What is no letter and no digit
// may be left out; see legible.
func prints(r rune, extra *face) bool {
	if _, ok := charmap.Windows1252.EncodeRune(r); ok && r >= ' ' {
		return true
	}
	return extra != nil && r <= 0xFFFF && extra.Index(r) != 0
}

// printable reports whether a text can be read when it is printed: all its letters and
// digits are there.
func printable(s string, extra *face) bool {
	for _, r := range legible(s) {
		if (unicode.IsLetter(r) || unicode.IsNumber(r)) && !prints(r, extra) {
			return false
		}
	}
	return true
}

// legible is a text without what would not show or do something else: no control signs,
// no marks that turn its direction, nothing of which a reader of PDFs makes a link.
func legible(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\u2212':
			return '-'
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return unlink.Replace(s)
}

// unlink keeps readers from making links of texts, as many do of what looks like one.
var unlink = strings.NewReplacer("://", ":// ", "@", " @", "www.", "www .", "WWW.", "WWW .", "mailto:", "mailto :")

// A run is a stretch of one font.
type run struct {
	text  string // as the font has it
	extra bool
}

// runs takes a legible text apart by fonts. What none of them shows is a question mark.
func (p *press) runs(s string) []run {
	var all []run
	for _, r := range s {
		b, latin := charmap.Windows1252.EncodeRune(r)
		one := run{string([]byte{b}), false}
		switch {
		case latin && r >= ' ':
		case prints(r, p.extra):
			one = run{string(r), true}
		default:
			one.text = "?"
		}
		if n := len(all); n > 0 && all[n-1].extra == one.extra {
			all[n-1].text += one.text
			continue
		}
		all = append(all, one)
	}
	return all
}

func (p *press) set(r run, l look) {
	switch {
	case r.extra:
		p.f.SetFont("extra", "", l.size)
	case l.bold:
		p.f.SetFont("Helvetica", "B", l.size)
	default:
		p.f.SetFont("Helvetica", "", l.size)
	}
}

// measure is how wide a text is, in millimetres.
func (p *press) measure(s string, l look) float64 {
	w := 0.0
	for _, r := range p.runs(s) {
		p.set(r, l)
		w += p.f.GetStringWidth(r.text)
	}
	return w
}

// put prints a text from x on, its letters standing on the base line, and returns where
// it ends.
func (p *press) put(s string, x, base float64, l look) float64 {
	from := x
	p.f.SetTextColor(l.colour[0], l.colour[1], l.colour[2])
	p.f.SetDrawColor(l.colour[0], l.colour[1], l.colour[2])
	for _, r := range p.runs(s) {
		p.set(r, l)
		thick := r.extra && l.bold // that font has one weight: its outline makes the other
		if thick {
			p.f.SetLineWidth(l.size * pointMM * 0.03)
			p.f.SetTextRenderingMode(2)
		}
		p.f.Text(x, base, r.text)
		if thick {
			p.f.SetTextRenderingMode(0)
		}
		p.used = p.used || r.extra
		x += p.f.GetStringWidth(r.text)
	}
	if l.struck {
		p.f.SetLineWidth(0.25)
		y := base - l.size*pointMM*0.3
		p.f.Line(from, y, x, y)
	}
	return x
}

// fit cuts a text to a width.
func (p *press) fit(s string, width float64, l look) string {
	for n := wide(s); n > 2 && p.measure(s, l) > width; {
		n -= max(1, n/20)
		s = clip(s, n)
	}
	return s
}
