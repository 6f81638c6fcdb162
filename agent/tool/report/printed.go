package report

import (
	"fmt"
	"math"
	"strings"
)

// A printedTable is a table of a PDF: as that of the message, with all its rows.
type printedTable struct {
	page  page
	frame *frame
	cols  []printed
	head  string // over it; empty for none
	size  float64
	wide  []float64
}

// pad stands left and right of what is in a cell; leastText is how narrow a column of
// names may become.
const (
	pad       = 1.6
	leastText = 34.0
)

func (p page) printed() []printedTable {
	var all []printedTable
	for _, f := range p.frames {
		if len(f.Rows) == 0 {
			continue
		}
		t := printedTable{page: p, frame: f, cols: f.columns(p.lang)}
		if t.head = f.Title; len(p.frames) == 1 || t.head == "" {
			t.head = p.say("Table", "明细")
		}
		if len(t.cols) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// fits finds the largest letters in which the table stands on a page, and reports
// whether there are any.
func (t *printedTable) fits(p *press) bool {
	for _, size := range []float64{9, 8, 7} {
		if t.layOut(p, size) {
			return true
		}
	}
	return false
}

// layOut shares the width of a page out among the columns: numbers have what they need,
// and names what is left, in several lines if they must.
func (t *printedTable) layOut(p *press, size float64) bool {
	t.size = size
	bold, plain := look{size: size, bold: true}, look{size: size}
	t.wide = make([]float64, len(t.cols))
	texts, room := 0.0, p.width-2*pageMargin
	for i, c := range t.cols {
		w := math.Min(p.measure(legible(unesc(c.head)), bold), 30)
		for r := range t.rows() {
			w = math.Max(w, p.measure(legible(unesc(c.cell(r))), plain))
		}
		if t.frame.summed() {
			w = math.Max(w, p.measure(legible(unesc(t.total(i))), bold))
		}
		t.wide[i] = w + 2*pad
		if c.right {
			room -= t.wide[i]
		} else {
			texts += t.wide[i]
		}
	}
	least := 0.0
	for i, c := range t.cols {
		if !c.right {
			least += math.Min(t.wide[i], leastText)
		}
	}
	fit := least <= room
	switch {
	case !fit: // everything is squeezed
		all := texts + p.width - 2*pageMargin - room
		for i := range t.wide {
			t.wide[i] *= (p.width - 2*pageMargin) / all
		}
	case texts <= room: // what is left over is shared
		for i := range t.wide {
			t.wide[i] += (room - texts) / float64(len(t.wide))
		}
	default:
		t.squeeze(room, texts)
	}
	return fit
}

// squeeze takes from the columns of names what is too much, most from the widest.
func (t *printedTable) squeeze(room, texts float64) {
	over, loose := texts-room, 0.0
	for i, c := range t.cols {
		if !c.right {
			loose += math.Max(0, t.wide[i]-leastText)
		}
	}
	for i, c := range t.cols {
		if !c.right {
			t.wide[i] -= over * math.Max(0, t.wide[i]-leastText) / loose
		}
	}
}

// mostUnbroken is how many rows a table has that is not broken over two pages.
const mostUnbroken = 12

func (t *printedTable) rows() int { return min(len(t.frame.Rows), mostPrinted) }

// total is what the last row has in a column.
func (t *printedTable) total(col int) string {
	switch {
	case col == 0:
		return t.frame.totalName(t.page.lang)
	case t.cols[col].right:
		return t.cols[col].cell(AllRows)
	}
	return ""
}

func (t *printedTable) print(p *press) {
	if !t.fits(p) {
		t.layOut(p, 7)
	}
	if n := t.rows(); n <= mostUnbroken {
		height := 22.0
		for r := range n {
			height += t.height(p, func(c int) string { return t.cols[c].cell(r) }, look{size: t.size})
		}
		p.room(height)
	}
	p.heading(t.head)
	t.top(p)
	for r := range t.rows() {
		t.row(p, func(c int) string { return t.cols[c].cell(r) }, look{size: t.size, colour: inkRGB}, r%2 == 1)
	}
	if t.frame.summed() {
		t.rule(p)
		t.row(p, t.total, look{size: t.size, bold: true, colour: inkRGB}, false)
	}
	t.rule(p)
	p.y += 2
	if n := len(t.frame.Rows) - t.rows(); n > 0 {
		p.paragraph(fmt.Sprintf(t.page.say("… and %s more rows, which a file as Excel or CSV has.", "……另有 %s 行，Excel 或 CSV 文件中有全部。"), number(float64(n), 0)), look{size: 9, colour: greyRGB}, 0)
	}
}

// top prints the head of the columns, on each page that has rows.
func (t *printedTable) top(p *press) {
	p.f.SetFillColor(accentRGB[0], accentRGB[1], accentRGB[2])
	t.cells(p, func(c int) string { return t.cols[c].head }, look{size: t.size, bold: true, colour: paperRGB}, true)
}

func (t *printedTable) row(p *press, cell func(int) string, l look, shade bool) {
	page := p.f.PageCount()
	p.room(t.height(p, cell, l))
	if p.f.PageCount() > page {
		t.top(p)
	}
	p.f.SetFillColor(0xF4, 0xF6, 0xF9)
	t.cells(p, cell, l, shade)
}

// mostCellLines of a cell are printed: a name as long as a page is no name.
const mostCellLines = 8

func (t *printedTable) lines(p *press, col int, text string, l look) [][]bit {
	lines := p.wrap(p.bits(strings.Join(strings.Fields(text), " "), l), t.wide[col]-2*pad+0.01)
	if len(lines) > mostCellLines {
		lines = lines[:mostCellLines]
		last := lines[mostCellLines-1]
		last[len(last)-1].text = "…"
	}
	return lines
}

func (t *printedTable) height(p *press, cell func(int) string, l look) float64 {
	most := 1
	for c := range t.cols {
		most = max(most, len(t.lines(p, c, cell(c), l)))
	}
	return float64(most)*t.step() + 1.4
}

func (t *printedTable) step() float64 { return t.size * pointMM * 1.3 }

func (t *printedTable) cells(p *press, cell func(int) string, l look, fill bool) {
	height := t.height(p, cell, l)
	if fill {
		p.f.Rect(pageMargin, p.y, p.width-2*pageMargin, height, "F")
	}
	x := pageMargin
	for c, col := range t.cols {
		for i, line := range t.lines(p, c, cell(c), l) {
			at := x + pad
			if col.right {
				w := 0.0
				for _, b := range line {
					w += b.wide
				}
				at = x + t.wide[c] - pad - w
			}
			for _, b := range line {
				at = p.put(b.text, at, p.y+0.7+float64(i)*t.step()+t.size*pointMM*0.98, b.look)
			}
		}
		x += t.wide[c]
	}
	p.y += height
}

func (t *printedTable) rule(p *press) {
	p.f.SetDrawColor(accentRGB[0], accentRGB[1], accentRGB[2])
	p.f.SetLineWidth(0.25)
	p.f.Line(pageMargin, p.y, p.width-pageMargin, p.y)
}
