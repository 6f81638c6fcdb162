package rules

import (
	"regexp"
	"slices"
	"strings"

	"hermes/scheduler/phrase"
)

// order claims a clause about figures, reports, sending and times.
func (p *parser) order(c clause) {
	r := p.reading
	var f figures
	var channels []string
	for i, t := range c.tokens {
		switch t.kind {
		case measure:
			f.measures = add(f.measures, t.name)
		case dimension:
			if !p.belongs(c.tokens, i) {
				f.by = add(f.by, t.name)
			}
		case value:
			f.where = addValue(f.where, t.in, t.name)
		case period:
			p.addPeriod(&f, t)
		case top:
			f.top, f.extreme = t.n, true
		case best:
			if f.top == 0 {
				f.top = 1
			}
			f.extreme = true
		case worst:
			f.worst, f.extreme, f.top = true, true, 0
		case compare:
			if t.name != "" && t.name != "growth" {
				f.compare = add(f.compare, t.name)
			}
		case report:
			r.report = true
		case trend:
			r.report, r.trend = true, true
			if r.chart == "" {
				r.chart = "line"
			}
		case chart:
			r.report = true
			if r.chart == "" || t.name != "auto" {
				r.chart = t.name
			}
		case format:
			r.report = r.report || t.name != "none"
			if r.format = t.name; r.format == "markdown" {
				r.format = formats[r.format]
			}
		case channel:
			channels = add(channels, t.name)
		case same, instead:
			r.elliptic = true
		case adding:
			r.adding = true
		case pronoun:
			r.pointing = true
		}
	}
	if c.has(instead, remove) && c.has(when) {
		r.change = true
	}
	if c.has(sold) && len(f.measures) == 0 && !p.measured() {
		f.measures = []string{p.soldIn(c)}
	}
	if c.has(soFar) {
		f.period = toDate(f.period)
	}
	if c.has(apart) {
		for _, w := range f.where {
			if len(w.Values) > 1 {
				f.by = add(f.by, w.Dimension)
			}
		}
	}
	p.comparison(c, &f)
	p.destination(c, channels)
	p.time(c)
	p.group(f, c)
}

// soldIn is the measure of "how much did we sell", and of "how many", which asks
// for pieces.
func (p *parser) soldIn(c clause) string {
	t := c.tokens[slices.IndexFunc(c.tokens, func(t token) bool { return t.kind == sold })]
	for i, q := range c.tokens {
		word := strings.ToLower(p.text[q.start:q.end])
		many := word == "how many" || word == "多少" && i+1 < len(c.tokens) && c.tokens[i+1].kind == value || slices.Contains([]string{"多少件", "几件", "多少个", "多少台"}, word)
		if q.kind == asking && many && t.in != "" {
			return t.in
		}
	}
	return t.name
}

// measured says whether an earlier clause has named a measure.
func (p *parser) measured() bool {
	return slices.ContainsFunc(p.reading.groups, func(f figures) bool { return len(f.measures) > 0 })
}

// belongs says whether a dimension is only the class of the value beside it:
// "customer Acme", 亚洲地区.
func (p *parser) belongs(tokens []token, i int) bool {
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(tokens) && tokens[j].kind == value && tokens[j].in == tokens[i].name && (i == 0 || tokens[i-1].kind != by) {
			return true
		}
	}
	return false
}

var fromHere = regexp.MustCompile(`(?i)(?:\bfrom (?:the )?|从 ?)$`)

// destination settles where something is to be said.
func (p *parser) destination(c clause, channels []string) {
	r := p.reading
	switch {
	case len(channels) > 0 && slices.ContainsFunc(c.tokens, func(t token) bool {
		return t.kind == channel && fromHere.MatchString(p.text[:t.start])
	}):
		p.giveUp(c) // "from #general" is no place to post to
	case len(channels) > 0 && c.has(send, when, again):
		for _, ch := range channels {
			r.sends = add(r.sends, ch)
		}
		r.post = r.post || c.has(send)
	case len(channels) > 0 && r.post && len(r.sends) == 0 && c.after.kind == joiner && c.has(measure):
		r.sends = channels // "post sales by region and orders by product to #sales"
	case len(channels) > 0 && len(c.tokens) == 1 || len(channels) > 0 && onlyFillers(c, channel):
		r.whereto = append(r.whereto, channels...)
	case len(channels) > 0:
		p.giveUp(c)
	case !slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == send && t.name != "put" }):
		// "Put it in a table" names no place.
	case c.has(send) && !c.has(toMe, here):
		r.post = true
	case c.has(send):
		// "Send me sales" is a question; "send it to me" is for what was shown.
		r.report = r.report || c.has(report, format, chart) || !c.has(measure, dimension, value, period)
		r.pointing = true
	}
}

func onlyFillers(c clause, but ...kind) bool {
	return !slices.ContainsFunc(c.tokens, func(t token) bool {
		return t.kind != filler && t.kind != pronoun && t.kind != same && !slices.Contains(but, t.kind)
	})
}

// "Now and every Monday" is one time for who reads schedules.
var nowPattern = regexp.MustCompile(`(?i)^(?:right )?now\b|^(?:现在|马上|立刻|立即)`)

// time settles whether the schedule is all that is wanted, or comes on top of
// doing it now.
func (p *parser) time(c clause) {
	r := p.reading
	if !c.has(when) {
		if c.has(again) && !r.scheduled() {
			r.pointing = true
			if slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == again && t.name == slotWhen }) {
				r.attached = c.has(measure, report, send)
				r.whenAsk = p.pick("When, and how often? For example: every month on the 1st at 9:00.", "什么时候做，多久一次？例如：每个月1号早上9点。")
			}
		}
		return
	}
	alsoNow := c.has(rightNow) || slices.ContainsFunc(c.tokens, func(t token) bool {
		return t.kind == when && nowPattern.MatchString(p.text[t.start:t.end])
	})
	extra := c.has(again) || alsoNow || c.after.kind == joiner && onlyFillers(c, when)
	if c.has(measure, report, send) && !alsoNow {
		extra = false
	}
	r.attached = !extra
	if extra && onlyTime(c) {
		r.cuts = append(r.cuts, phrase.Span{Start: c.after.start, End: c.span().End})
		return
	}
	for _, t := range c.tokens {
		if t.kind == when {
			r.cuts = append(r.cuts, phrase.Span{Start: t.start, End: t.end})
		}
	}
}

// onlyTime says whether a clause says nothing but when.
func onlyTime(c clause) bool { return !c.has(measure, dimension, value, period, report, send, channel) }

// group adds what a clause says of figures to the group it speaks of, or begins
// another one when it is whole for itself.
func (p *parser) group(f figures, c clause) {
	r := p.reading
	if f.none() {
		return
	}
	if len(r.groups) == 0 {
		r.groups = append(r.groups, f)
		return
	}
	last := &r.groups[len(r.groups)-1]
	if !f.against.IsZero() {
		last.against = f.against
	}
	if len(f.measures) > 0 && len(last.measures) > 0 && !slices.Equal(f.measures, last.measures) && (len(f.by) > 0 || !f.period.IsZero() || len(f.where) > 0) {
		r.groups = append(r.groups, f)
		return
	}
	for _, m := range f.measures {
		last.measures = add(last.measures, m)
	}
	for _, d := range f.by {
		last.by = add(last.by, d)
	}
	for _, w := range f.where {
		for _, v := range w.Values {
			last.where = addValue(last.where, w.Dimension, v)
		}
	}
	for _, x := range f.compare {
		last.compare = add(last.compare, x)
	}
	switch {
	case last.period.IsZero():
		last.period, last.more = f.period, f.more
	case !f.period.IsZero() && f.period != last.period:
		last.more = append(last.more, f.period)
	}
	if f.shift != 0 {
		last.shift, last.unit = f.shift, f.unit
	}
	if f.top > 0 || f.worst {
		last.top, last.worst = f.top, f.worst
	}
	last.extreme = last.extreme || f.extreme
}

// finish looks at the request as a whole.
func (p *parser) finish(clauses []clause) {
	r := p.reading
	if len(r.ops) == 0 && !r.wants() && len(r.unclaimed) == 0 && !r.elliptic && !r.pointing && len(r.whereto) == 0 {
		// Fillers only: nothing in it says what is wanted.
		for _, c := range clauses {
			p.giveUp(c)
		}
		if len(r.unclaimed) == 0 {
			r.unclaimed = []string{strings.TrimSpace(r.text)}
		}
	}
	for i := range r.groups {
		g := &r.groups[i]
		if g.extreme && g.top == 1 && len(g.by) == 0 && r.report {
			g.extreme, g.top = false, 0
		}
	}
}

func add(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func addValue(where []filter, dim, val string) []filter {
	for i := range where {
		if where[i].Dimension == dim {
			where[i].Values = add(where[i].Values, val)
			return where
		}
	}
	return append(where, filter{dim, []string{val}})
}
