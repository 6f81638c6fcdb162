package report

import (
	"math"

	"github.com/go-analyze/charts"
)

// pie draws the slices from twelve o'clock on, and beside them what each is: a name, an
// amount and a share. On a slice itself nothing is written that might not fit.
func (c *canvas) pie() {
	values := c.series[0].values
	total := add(values)
	x, y, radius := c.left+215, (c.top+c.bottom)/2+8, float64(c.bottom-c.top)/2-4
	share := c.style(11, charts.ColorWhite)
	var turned float64
	for i, v := range values {
		part := v / total
		c.slice(x, y, radius, turned, turned+part, c.colour(i))
		if part >= 0.06 {
			middle := 2 * math.Pi * (turned + part/2)
			c.at(percent(part), x+int(radius*0.68*math.Sin(middle)), y-int(radius*0.68*math.Cos(middle))+5, 0.5, share)
		}
		turned += part
	}
	c.key(x+int(radius)+56, values, total)
}

// slice fills a sector from one part of a turn to another, with a white edge.
func (c *canvas) slice(x, y int, radius, from, to float64, colour charts.Color) {
	edge := []charts.Point{{X: x, Y: y}}
	steps := max(2, int(math.Ceil((to-from)*72)))
	for i := range steps + 1 {
		a := 2 * math.Pi * (from + (to-from)*float64(i)/float64(steps))
		edge = append(edge, charts.Point{X: x + int(math.Round(radius*math.Sin(a))), Y: y - int(math.Round(radius*math.Cos(a)))})
	}
	edge = append(edge, edge[0])
	c.p.FillArea(edge, colour)
	c.p.LineStroke(edge, charts.ColorWhite, 2)
}

// key names the slices in their order.
func (c *canvas) key(left int, values []float64, total float64) {
	name, number := c.style(12, ink), c.style(11, grey)
	row := min(46, (c.bottom-c.top)/len(values))
	y := (c.top+c.bottom)/2 - row*len(values)/2 + row/2
	most := 0
	for _, v := range values {
		most = max(most, c.width(c.show(v)+"  "+percent(v/total), number))
	}
	for i, v := range values {
		c.p.FilledRect(left, y-7, left+14, y+7, c.colour(i), c.colour(i), 0)
		c.at(c.fit(c.labels[i], c.right-left-most-50, name), left+24, y+5, 0, name)
		c.at(c.show(v)+"  "+percent(v/total), c.right, y+5, 1, number)
		y += row
	}
}

func (c *canvas) standingStacks() {
	c.floor()
	slot := float64(c.right-c.left) / float64(len(c.labels))
	bar := math.Min(slot*0.72, 84)
	name, value := c.style(11, ink), c.style(10, ink)
	labels, sums := c.labels, c.heights()[0]
	if c.time {
		labels = c.sparse(name)
	}
	for i, l := range labels {
		middle := float64(c.left) + slot*(float64(i)+0.5)
		c.at(l, int(middle), c.bottom+26, 0.5, name)
		below := 0.0
		for k, s := range c.series {
			if v := s.values[i]; v != charts.GetNullValue() && v > 0 {
				c.p.FilledRect(int(middle-bar/2)+1, c.up(below+v), int(middle+bar/2)-1, c.up(below), c.colour(k), c.colour(k), 0)
				below += v
			}
		}
		if text := c.show(sums[i]); float64(c.width(text, value)) < slot-4 {
			c.at(text, int(middle), c.up(sums[i])-7, 0.5, value)
		}
	}
}

func (c *canvas) lyingStacks() {
	slot, bar := c.shelf()
	value, sums := c.style(10, ink), c.heights()[0]
	for i := range c.labels {
		top := float64(c.top) + slot*(float64(i)+0.5) - bar/2
		before := 0.0
		for k, s := range c.series {
			if v := s.values[i]; v != charts.GetNullValue() && v > 0 {
				c.p.FilledRect(c.along(before), int(top), c.along(before+v), max(int(top)+1, int(top+bar)-1), c.colour(k), c.colour(k), 0)
				before += v
			}
		}
		if slot > 14 {
			c.at(c.show(sums[i]), c.along(sums[i])+6, int(top+bar/2)+5, 0, value)
		}
	}
}
