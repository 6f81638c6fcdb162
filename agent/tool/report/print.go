package report

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"strings"

	"codeberg.org/go-pdf/fpdf"
)

// mostPrinted is how many rows of a table are printed: forty pages that nobody will read.
const mostPrinted = 2000

// pdf prints the whole page: title, chart, what is said of the tables, the tables with
// all their rows, notes. Extra is a font for what Latin ones lack, or nil.
func (p page) pdf(chart []byte, extra *face) (body []byte, err error) {
	// The library indexes into what a font says of itself.
	defer func() {
		if r := recover(); r != nil {
			body, err = nil, fmt.Errorf("print report: %v", r)
		}
	}()
	tables := p.printed()
	pr, err := newPress(false, extra)
	if err != nil {
		return nil, err
	}
	lying := false
	for i := range tables {
		lying = lying || !tables[i].fits(pr)
	}
	if lying {
		if pr, err = newPress(true, extra); err != nil {
			return nil, err
		}
	}
	pr.f.SetTitle(legible(p.title), true)
	pr.f.SetLang(p.say("en", "zh-CN"))
	pr.paragraph(esc(p.title), look{size: 18, bold: true, colour: inkRGB}, 0)
	if line := p.periodLine(); line != "" {
		pr.paragraph(line, look{size: 9.5, colour: greyRGB}, 0)
	}
	if err := pr.picture(chart); err != nil {
		return nil, err
	}
	text := look{size: 10, colour: inkRGB}
	if len(p.analysis) > 0 {
		pr.heading(p.say("Analysis", "分析"))
		for _, para := range p.analysis {
			pr.paragraph(para, text, 0)
		}
	}
	if p.commentary != "" {
		pr.heading(p.say("Comment", "评述"))
		pr.prose(p.commentary, text)
	}
	for i := range tables {
		tables[i].print(pr)
	}
	pr.y += 3
	small := look{size: 8.5, colour: greyRGB}
	own := p
	own.sheets = nil // all rows are here
	for _, n := range own.notes() {
		pr.paragraph("• "+n, small, 3)
	}
	pr.foot(p)
	return pr.bytes()
}

// texts are all that is printed, but for the table cells.
func (p page) texts() []string {
	all := append([]string{p.title, p.periodLine(), p.commentary}, p.analysis...)
	return append(all, p.notes()...)
}

// printable reports whether all that is printed can be read.
func (p page) printable(extra *face) bool {
	for _, s := range p.texts() {
		if !printable(s, extra) {
			return false
		}
	}
	for _, t := range p.printed() {
		for _, c := range t.cols {
			if !printable(c.head, extra) {
				return false
			}
			for r := range min(len(t.frame.Rows), mostPrinted) {
				if !printable(c.cell(r), extra) {
					return false
				}
			}
		}
	}
	return true
}

// heading stands with two lines of what it is over.
func (p *press) heading(s string) {
	p.y += 3
	p.room(22)
	p.paragraph(esc(s), look{size: 12.5, bold: true, colour: accentRGB}, 0)
}

// prose prints the paragraphs and lists of a model.
func (p *press) prose(md string, l look) {
	for line := range strings.SplitSeq(md, "\n") {
		line = strings.TrimSpace(line)
		head := strings.TrimLeft(line, "#")
		switch {
		case line == "":
		case head != line && strings.HasPrefix(head, " "):
			bold := l
			bold.bold = true
			p.paragraph(strings.TrimSpace(head), bold, 0)
		case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "* "):
			p.paragraph("• "+strings.TrimSpace(line[2:]), l, 3)
		default:
			p.paragraph(line, l, 0)
		}
	}
}

// paragraph prints a text in the Markdown of a page. Lines behind the first are set in.
func (p *press) paragraph(md string, l look, indent float64) {
	height := l.size * pointMM * 1.45
	lines := p.wrap(p.bits(md, l), p.width-2*pageMargin-indent)
	for i, line := range lines {
		p.room(height)
		x := pageMargin
		if i > 0 {
			x += indent
		}
		for _, b := range line {
			x = p.put(b.text, x, p.y+l.size*pointMM*1.05, b.look)
		}
		p.y += height
	}
	p.y += l.size * pointMM * 0.5
}

// picture prints the chart over the width of the page.
func (p *press) picture(chart []byte) error {
	if chart == nil {
		return nil
	}
	c, err := png.DecodeConfig(bytes.NewReader(chart))
	if err != nil {
		return fmt.Errorf("read chart: %w", err)
	}
	width := math.Min(p.width-2*pageMargin, 190)
	height := width * float64(c.Height) / float64(c.Width)
	p.room(height)
	form := fpdf.ImageOptions{ImageType: "png"}
	p.f.RegisterImageOptionsReader("chart", form, bytes.NewReader(chart))
	p.f.ImageOptions("chart", pageMargin, p.y, width, height, false, form, 0, "")
	p.y += height + 2
	return p.f.Error()
}

// foot writes title and page number under each page.
func (p *press) foot(of page) {
	small := look{size: 8, colour: greyRGB}
	for n := range p.f.PageCount() {
		p.f.SetPage(n + 1)
		base := p.height - foot + 6
		p.f.SetDrawColor(0xE6, 0xEA, 0xEF)
		p.f.SetLineWidth(0.2)
		p.f.Line(pageMargin, base-5, p.width-pageMargin, base-5)
		number := fmt.Sprintf(of.say("Page %d of %d", "第 %d 页，共 %d 页"), n+1, p.f.PageCount())
		right := p.measure(number, small)
		p.put(number, p.width-pageMargin-right, base, small)
		p.put(p.fit(legible(of.title), p.width-2*pageMargin-right-8, small), pageMargin, base, small)
	}
}
