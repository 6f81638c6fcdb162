package sample

import (
	"math"
	"time"
)

// An order is one row. Its place in the day's list is its number.
type order struct {
	minute   int // of the day, 0 to 1439; never falls within a day
	region   int // these three are indexes into the lists of names
	product  int
	customer int
	quantity int
	amount   int // cents
	cost     int // cents
}

// chance is a stream of numbers that depends on its start alone, for ever: the
// generators of the standard library may change what they make of a seed.
// The steps are those of SplitMix64 (Steele, Lea, Flood 2014).
type chance uint64

func (c *chance) next() uint64 {
	*c += 0x9e3779b97f4a7c15
	z := uint64(*c)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (c *chance) below(n int) int { return int(c.next() >> 33 * uint64(n) >> 31) }

// between returns a number from a up to b.
func (c *chance) between(a, b float64) float64 {
	return a + (b-a)*float64(c.next()>>11)/(1<<53)
}

// pick returns an index, the more often the greater its weight.
func (c *chance) pick(weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	at := c.between(0, sum)
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// about returns the chance of a thing: a number for each kind of thing and each
// value makes a start of its own.
func about(seed uint64, kind, value int) *chance {
	c := chance(seed ^ uint64(kind)<<56 ^ uint64(int64(value))&(1<<56-1))
	c = chance(c.next())
	return &c
}

// The kinds of things that chance decides.
const (
	ofDay = iota + 1
	ofMonth
	ofYear
)

func dayNumber(day time.Time) int { return int(day.Unix() / 86400) }

// The day that growth is counted from. It is before every sample, and any day
// would do.
var origin = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

var (
	// Few buy desks in January, many buy gifts in December.
	season  = [12]float64{0.86, 0.89, 1.00, 0.97, 0.99, 0.96, 0.91, 0.90, 1.06, 1.04, 1.17, 1.24}
	weekday = [7]float64{0.70, 1.08, 1.10, 1.07, 1.06, 1.09, 0.82} // from Sunday
)

// An event makes a day unlike the others.
type event int

const (
	plainDay event = iota
	missing        // the data did not come
	bulk           // one very large order
	outage         // hardly an order
)

// events returns the unusual days of a year: four are missing, one has a bulk
// order, one an outage.
func events(seed uint64, year int) map[int]event {
	c := about(seed, ofYear, year)
	first := dayNumber(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))
	found := map[int]event{}
	for _, e := range []event{bulk, outage, missing, missing, missing, missing} {
		day := first + c.below(365)
		for found[day] != plainDay {
			day = first + c.below(365)
		}
		found[day] = e
	}
	return found
}

// ordersOf returns the orders of a day. It depends on seed and day alone: that is
// what the whole package rests on.
func ordersOf(seed uint64, day time.Time) []order {
	what := events(seed, day.Year())[dayNumber(day)]
	if what == missing {
		return nil
	}
	c := about(seed, ofDay, dayNumber(day))
	years := day.Sub(origin).Hours() / 24 / 365.25
	n := 43 * math.Pow(1.04, years) * season[day.Month()-1] * weekday[day.Weekday()] * c.between(0.9, 1.1)
	if what == outage {
		n *= 0.15
	}
	regionWeights, productWeights := monthOf(seed, day, years)
	orders := make([]order, 0, int(n)+1)
	for range int(n) {
		orders = append(orders, plainOrder(c, regionWeights, productWeights, years))
	}
	// Most people order in office hours.
	minutes := make([]float64, len(orders)+1)
	sum := 0.0
	for i := range minutes {
		minutes[i] = c.between(0.2, 1.8)
		sum += minutes[i]
	}
	at := 0.0
	for i := range orders {
		at += minutes[i]
		orders[i].minute = int(7*60 + at/sum*14*60)
	}
	if what == bulk && len(orders) > 0 {
		o := &orders[len(orders)/2]
		o.product = 2 // Standing Desk
		price := products[o.product].price
		o.quantity = 120 + c.below(80)
		o.amount = o.quantity * price * 85 / 100
		o.cost = o.quantity * price * 62 / 100
	}
	return orders
}

// monthOf says how much each region and product weighs in the month of a day:
// regions grow at their own pace, and no month is like the one before.
func monthOf(seed uint64, day time.Time, years float64) (regionWeights, productWeights []float64) {
	c := about(seed, ofMonth, day.Year()*12+int(day.Month()))
	for _, r := range regions {
		regionWeights = append(regionWeights, r.weight*math.Pow(r.growth, years)*c.between(0.85, 1.15))
	}
	for _, p := range products {
		productWeights = append(productWeights, p.weight*c.between(0.85, 1.15))
	}
	return regionWeights, productWeights
}

func plainOrder(c *chance, regionWeights, productWeights []float64, years float64) order {
	o := order{region: c.pick(regionWeights), product: c.pick(productWeights)}
	at := customersOf[o.region]
	// The first customers of a region are its largest.
	o.customer = at[min(c.below(len(at)), c.below(len(at)))]
	p := products[o.product]
	o.quantity = 1 + c.below(p.most)
	price := int(float64(p.price) * math.Pow(1.02, math.Floor(years)))
	discount := 0
	if o.quantity > p.most*2/3 {
		discount = 5 + c.below(11)
	}
	o.amount = o.quantity * price * (100 - discount) / 100
	o.cost = o.quantity * price * (p.cost + c.below(7) - 3) / 100
	return o
}
