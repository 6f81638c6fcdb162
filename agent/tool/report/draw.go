package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-analyze/charts"
	"github.com/golang/freetype/truetype"
)

// A canvas is a picture in the making. The library draws strokes and letters;
// where things stand is decided here, since its own layout starts bars above
// nothing, sets labels beside their marks and joins lines over missing days.
type canvas struct {
	drawing
	p                        *charts.Painter
	font                     *truetype.Font
	left, right, top, bottom int // the plot
	low, high, step          float64
}

// png renders the drawing. The font shows what the built-in one cannot; nil if
// there is no need.
func (d drawing) png(font *truetype.Font) (body []byte, err error) {
	// The library indexes into what it has measured; a picture is not worth a
	// daemon.
	defer func() {
		if p := recover(); p != nil {
			body, err = nil, fmt.Errorf("render chart: %v", p)
		}
	}()
	c := &canvas{
		drawing: d, font: font, left: margin, right: chartWidth - margin, top: 100, bottom: chartHeight - 52,
		p: charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputPNG, Width: chartWidth, Height: chartHeight, Font: font}),
	}
	c.p.FilledRect(0, 0, chartWidth, chartHeight, charts.ColorWhite, charts.ColorWhite, 0)
	c.low, c.high, c.step = d.scale()
	c.heading()
	switch {
	case d.kind == Pie:
		c.pie()
	case d.kind == Stacked && c.lying():
		c.lyingStacks()
	case d.kind == Stacked:
		c.standingStacks()
	case d.kind == Line:
		c.lines()
	case c.lying():
		c.lyingBars()
	default:
		c.standingBars()
	}
	if body, err = c.p.Bytes(); err != nil {
		return nil, fmt.Errorf("render chart: %w", err)
	}
	return body, nil
}

const margin = 32

func (c *canvas) style(size float64, colour charts.Color) charts.FontStyle {
	return charts.FontStyle{Font: c.font, FontSize: size, FontColor: colour}
}

func (c *canvas) width(s string, st charts.FontStyle) int { return c.p.MeasureText(s, 0, st).Width() }

// at writes a text so that the share of its width lies left of x: 0 begins
// there, 0.5 is centred, 1 ends there.
func (c *canvas) at(s string, x, y int, share float64, st charts.FontStyle) {
	if s != "" {
		c.p.Text(s, x-int(float64(c.width(s, st))*share), y, 0, st)
	}
}

// heading writes title and period, and a legend where there is something to
// tell apart.
func (c *canvas) heading() {
	title, sub := c.style(17, ink), c.style(11, grey)
	x := chartWidth - margin
	if len(c.series) > 1 && c.kind != Pie {
		x = c.legend(x, sub)
	}
	c.at(c.fit(c.title, chartWidth-2*margin, title), margin, 44, 0, title)
	c.at(c.fit(c.subtitle, x-margin, sub), margin, 70, 0, sub)
}

// legend writes the names of the series from right to left, as long as they can be on
// one line, and returns where it begins.
func (c *canvas) legend(x int, st charts.FontStyle) int {
	width := func(most int) int {
		w := 0
		for _, s := range c.series {
			w += c.width(clip(s.name, most), st) + 38
		}
		return w
	}
	most := 28
	for most > 6 && width(most) > chartWidth-2*margin-180 {
		most--
	}
	for i := len(c.series) - 1; i >= 0; i-- {
		name := clip(c.series[i].name, most)
		x -= c.width(name, st)
		c.p.Text(name, x, 70, 0, st)
		x -= 18
		c.p.FilledRect(x, 60, x+12, 72, c.colour(i), c.colour(i), 0)
		x -= 20
	}
	return x
}

func (c *canvas) colour(i int) charts.Color {
	if len(c.series) > 2 || c.kind == Pie || c.kind == Stacked {
		return charts.ColorFromHex(others[i%len(others)])
	}
	return [...]charts.Color{accent, pale}[i%2]
}

// fit cuts a text to a width in pixels.
func (c *canvas) fit(s string, width int, st charts.FontStyle) string {
	for n := wide(s); n > 2 && c.width(s, st) > width; {
		n -= max(1, n/20)
		s = clip(s, n)
	}
	return s
}

// clip cuts a text to a width in columns.
func clip(s string, most int) string {
	if wide(s) <= most {
		return s
	}
	var b strings.Builder
	n := 1
	for _, r := range s {
		if n += wide(string(r)); n > most {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String()) + "…"
}

func (d drawing) show(v float64) string { return shortAmount(v, d.unit) }

// up is where a value stands in a picture whose values go up; along, in one
// where they go right.
func (c *canvas) up(v float64) int {
	return c.bottom - int(math.Round((v-c.low)/(c.high-c.low)*float64(c.bottom-c.top)))
}

func (c *canvas) along(v float64) int {
	return c.left + int(math.Round((v-c.low)/(c.high-c.low)*float64(c.right-c.left)))
}

// ticks are the values of the axis.
func (c *canvas) ticks() []float64 {
	var out []float64
	for i := range int(math.Round((c.high-c.low)/c.step)) + 1 {
		v := c.low + float64(i)*c.step
		if math.Abs(v) < c.step/1e6 {
			v = 0
		}
		out = append(out, v)
	}
	return out
}

// floor draws the value axis on the left and its rules, and makes room for it.
func (c *canvas) floor() {
	st := c.style(10, grey)
	most := 0
	for _, v := range c.ticks() {
		most = max(most, c.width(c.show(v), st))
	}
	c.left += most + 12
	for _, v := range c.ticks() {
		colour := rule
		if v == 0 {
			colour = axis
		}
		c.p.LineStroke([]charts.Point{{X: c.left, Y: c.up(v)}, {X: c.right, Y: c.up(v)}}, colour, 1)
		c.at(c.show(v), c.left-12, c.up(v)+5, 1, st)
	}
}

// lying is true if the names would not fit below standing bars.
func (c *canvas) lying() bool {
	n := len(c.labels)
	if c.time {
		return false // time goes from left to right
	}
	slot := (c.right - c.left - 60) / max(1, n)
	if c.kind == Bar && len(c.series) > 1 && slot < 130 {
		return true // the number over a bar would run into the next
	}
	return n > 12 || slices.ContainsFunc(c.labels, func(s string) bool { return c.width(s, c.style(11, ink)) > slot-10 })
}

func (c *canvas) standingBars() {
	c.floor()
	slot := float64(c.right-c.left) / float64(len(c.labels))
	bar := math.Min(slot*0.72/float64(len(c.series)), 84)
	name, value := c.style(11, ink), c.style(10, ink)
	labels := c.labels
	if c.time {
		labels = c.sparse(name)
	}
	for i, l := range labels {
		middle := float64(c.left) + slot*(float64(i)+0.5)
		c.at(l, int(middle), c.bottom+26, 0.5, name)
		x := middle - bar*float64(len(c.series))/2
		for k, s := range c.series {
			v := s.values[i]
			if v != charts.GetNullValue() {
				y, zero := c.up(v), c.up(0)
				c.p.FilledRect(int(x)+1, min(y, zero), int(x+bar)-1, max(y, zero), c.colour(k), c.colour(k), 0)
				if text := c.show(v); k == 0 && float64(c.width(text, value)) < slot-4 {
					under := y - 7
					if v < 0 {
						under = y + 17
					}
					c.at(text, int(x+bar/2), under, 0.5, value)
				}
			}
			x += bar
		}
	}
}

// shelf draws what lying bars stand on: names on the left, the value axis below. It
// returns the height of a row, and of what is drawn in it.
func (c *canvas) shelf() (slot, thick float64) {
	name, number := c.style(11, ink), c.style(10, grey)
	most := 0
	labels := slices.Clone(c.labels)
	for i := range labels {
		labels[i] = c.fit(labels[i], 280, name)
		most = max(most, c.width(labels[i], name))
	}
	c.left += most + 14
	c.right -= 24
	for _, v := range c.ticks() {
		colour := rule
		if v == 0 {
			colour = axis
		}
		c.p.LineStroke([]charts.Point{{X: c.along(v), Y: c.top - 6}, {X: c.along(v), Y: c.bottom}}, colour, 1)
		c.at(c.show(v), c.along(v), c.bottom+22, 0.5, number)
	}
	slot = float64(c.bottom-c.top) / float64(len(labels))
	for i, l := range labels {
		c.at(l, c.left-12, int(float64(c.top)+slot*(float64(i)+0.5))+5, 1, name)
	}
	return slot, math.Min(slot*0.76, 30)
}

func (c *canvas) lyingBars() {
	slot, _ := c.shelf()
	value := c.style(10, ink)
	bar := math.Min(slot*0.76/float64(len(c.series)), 30)
	for i := range c.labels {
		middle := float64(c.top) + slot*(float64(i)+0.5)
		y := middle - bar*float64(len(c.series))/2
		for k, s := range c.series {
			v := s.values[i]
			if v != charts.GetNullValue() {
				x, zero := c.along(v), c.along(0)
				c.p.FilledRect(min(x, zero), int(y), max(x, zero), max(int(y)+1, int(y+bar)-1), c.colour(k), c.colour(k), 0)
				if k == 0 && slot > 14 {
					if v < 0 {
						c.at(c.show(v), x-6, int(y+bar/2)+5, 1, value)
					} else {
						c.at(c.show(v), x+6, int(y+bar/2)+5, 0, value)
					}
				}
			}
			y += bar
		}
	}
}

func (c *canvas) lines() {
	c.floor()
	n := len(c.labels)
	inset := 24
	x := func(i int) int {
		if n == 1 {
			return (c.left + c.right) / 2
		}
		return c.left + inset + int(math.Round(float64(i)*float64(c.right-c.left-2*inset)/float64(n-1)))
	}
	st := c.style(10, grey)
	for i, l := range c.sparse(st) {
		c.at(l, x(i), c.bottom+24, 0.5, st)
	}
	// The first series is what the report is about: it lies on top.
	for k := len(c.series) - 1; k >= 0; k-- {
		var run []charts.Point
		draw := func() {
			if len(run) > 1 {
				c.p.LineStroke(run, c.colour(k), 2.5)
			}
			for _, pt := range run {
				if n <= 62 || len(run) == 1 {
					c.p.Circle(3, pt.X, pt.Y, c.colour(k), c.colour(k), 1)
				}
			}
			run = nil
		}
		for i, v := range c.series[k].values {
			if v == charts.GetNullValue() {
				draw()
				continue
			}
			run = append(run, charts.Point{X: x(i), Y: c.up(v)})
		}
		draw()
	}
	if len(c.series) <= 2 {
		c.peak(x)
	}
}

// peak writes the value of the highest point beside it.
func (c *canvas) peak(x func(int) int) {
	best, at := math.Inf(-1), -1
	for i, v := range c.series[0].values {
		if v != charts.GetNullValue() && v > best {
			best, at = v, i
		}
	}
	if at >= 0 {
		c.at(c.show(best), x(at), c.up(best)-10, 0.5, c.style(10, ink))
	}
}

// sparse leaves out labels of a time axis so that those left do not touch.
func (c *canvas) sparse(st charts.FontStyle) []string {
	widest := 1
	for _, l := range c.labels {
		widest = max(widest, c.width(l, st))
	}
	room := max(1, (c.right-c.left)/(widest+18))
	step := max(1, (len(c.labels)+room-1)/room)
	out := make([]string, len(c.labels))
	for i := 0; i < len(out); i += step {
		out[i] = c.labels[i]
	}
	return out
}
