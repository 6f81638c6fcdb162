package report

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hermes/agent/tool"
)

// Check looks for every number of a text in the grids. It returns the text with
// what neither a cell nor sum, difference, ratio, share, mean, rank or count of
// cells accounts for struck out, the evidence of what it found, and what it
// struck. Numbers are compared as they are rounded in the text. A number that is
// said to have risen must have risen; in a sentence that names rows it must be
// about one of those, the largest or the smallest, or the whole. Dates, years,
// periods, places in a ranking and the numbers of a list are no claims.
//
// Check never fails; without grids it strikes out every number. A text that has
// been checked comes back as it is.
func Check(text string, grids []tool.Grid, lang string) (clean string, ev []Evidence, struck []string) {
	frames := make([]*frame, len(grids))
	for i, g := range grids {
		frames[i] = newFrame(g, i)
	}
	c := newChecker(text, frames)
	var out strings.Builder
	at := 0
	for _, n := range c.found {
		from, to := c.text.back[n.start], c.text.back[n.end]
		shown := text[from:to]
		if c.noClaim(n) {
			continue
		}
		if best, ok := c.account(n); ok {
			ev = append(ev, best.fig.evidence(shown, n.digit))
			continue
		}
		struck = append(struck, shown)
		out.WriteString(text[at:from])
		if r, _ := utf8.DecodeLastRuneInString(text[:from]); wordRune(r) {
			out.WriteByte(' ')
		}
		out.WriteString("~~" + shown + "~~")
		if r, _ := utf8.DecodeRuneInString(text[to:]); wordRune(r) {
			out.WriteByte(' ')
		}
		at = to
	}
	out.WriteString(text[at:])
	if len(struck) > 0 {
		note := "\n\n_Struck out: not found in the data._"
		if lang == zh {
			note = "\n\n_划去的数字：数据中未找到。_"
		}
		out.WriteString(note)
	}
	return out.String(), ev, struck
}

// wordRune is true of what must not touch a mark of Markdown: between 为 and $ it
// would open nothing.
func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

type checker struct {
	frames   []*frame
	text     folded
	lower    string
	pool     pool
	found    []numeral
	mentions []mention
	years    [2]int // first and last year that the data knows
	most     int    // rows of the longest table
	pairs    map[int]pool
	ends     map[int][]int
}

// A mention is a name of a row, or of a value of one of its dimensions, in the
// text.
type mention struct {
	start, end int
	table, row int
	group      string
}

func newChecker(text string, frames []*frame) *checker {
	c := &checker{frames: frames, text: fold(text), pool: newPool(frames), pairs: map[int]pool{}, ends: map[int][]int{}}
	c.lower = lowerASCII(c.text.s)
	masked := make([]bool, len(c.text.s)+1)
	hide(c.text.s, masked, noClaims)
	for _, f := range frames {
		c.most = max(c.most, len(f.Rows))
		c.readYears(f)
		c.names(f, masked)
	}
	c.found = numerals(c.text.s, masked)
	return c
}

// lowerASCII keeps every byte in its place, which strings.ToLower does not.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

var (
	rankBefore = regexp.MustCompile(`(?i)(?:\b(?:top|bottom|first|last|no\.?|nr\.?|number|rank(?:s|ed|ing)?|places?|placed|position)|#|前|后|排名?|第|居|名列)\s*$`)
	yearBefore = regexp.MustCompile(`(?i)(?:\b(?:in|since|year|during|until|fiscal|fy|of)|于|在|自)\s*$`)
	thingAfter = regexp.MustCompile(`(?i)^\s*(?:units?|orders?|items?|pieces?|customers?|people|users?|times|件|单|个|台|人|次|位|名|套|份)`)
)

// longest is how many places a ranking may have: the rows of the tables that the
// sentence speaks of, or of the longest.
func (c *checker) longest(n numeral) int {
	from, to := sentence(c.text.s, n.start, n.end)
	most := 0
	for _, m := range c.mentions {
		if m.table >= 0 && m.start >= from && m.end <= to {
			most = max(most, len(c.frames[m.table].Rows))
		}
	}
	if most > 0 {
		return most
	}
	return c.most
}

// noClaim is true of a number that says nothing of the data.
func (c *checker) noClaim(n numeral) bool {
	before := c.text.s[max(0, n.start-24):n.start]
	whole := n.value == math.Trunc(n.value) && n.kind == plainNumber && n.sign == 0 && n.currency == ""
	if whole && (n.ordinal || n.bare != "" && rankBefore.MatchString(before)) {
		return n.value >= 1 && n.value <= float64(c.longest(n))
	}
	if len(n.bare) == 4 && n.value >= 1900 && n.value <= 2100 && !thingAfter.MatchString(c.text.s[n.end:]) {
		known := c.years[0] > 0 && int(n.value) >= c.years[0]-3 && int(n.value) <= c.years[1]+2
		return known || yearBefore.MatchString(before)
	}
	return false
}

var (
	aboutBefore = regexp.MustCompile(`(?i)(?:\b(?:about|around|approximately|approx\.?|roughly|circa|some)|~|≈|约|大约|大概|将近)[\s*]*$`)
	overBefore  = regexp.MustCompile(`(?i)(?:\b(?:over|more than|above|at least|upwards of|exceed(?:s|ed|ing)?)|超过?|逾|多于|不止|至少|高于)[\s*]*$`)
	underBefore = regexp.MustCompile(`(?i)(?:\b(?:nearly|almost|under|less than|fewer than|below|just short of)|近|接近|不到|不足|少于|低于)[\s*]*$`)
	aboutAfter  = regexp.MustCompile(`(?i)^[\s*]*(?:左右|上下|or so\b)`)
	overAfter   = regexp.MustCompile(`(?i)^(?:\+|[\s*]*(?:多|余|以上|or more\b|plus\b))`)
)

// span is between which sizes the exact number must lie.
func (c *checker) span(n numeral) (low, high float64) {
	before, after := c.text.s[max(0, n.start-24):n.start], c.text.s[n.end:]
	half := n.digit/2 + 1e-9*math.Abs(n.value)
	wide := math.Max(half, math.Min(n.round, 0.05*math.Abs(n.value)))
	if n.wide > 0 {
		wide = n.wide
	}
	low, high = n.value-half, n.value+half
	switch {
	case overBefore.MatchString(before) || overAfter.MatchString(after):
		return low, n.value + wide
	case underBefore.MatchString(before):
		return n.value - wide, high
	case aboutBefore.MatchString(before) || aboutAfter.MatchString(after):
		return n.value - wide, n.value + wide
	}
	return low, high
}

// account finds the figure that the number is.
func (c *checker) account(n numeral) (candidate, bool) {
	if !finite(n.value) || n.ordinal {
		return candidate{}, false
	}
	low, high := c.span(n)
	st := stanceOf(c.text.s, n.start, n.end)
	from, to := sentence(c.text.s, n.start, n.end)
	middle, tol := (low+high)/2, (high-low)/2
	best, bestCost, found := candidate{}, math.Inf(1), false
	try := func(p pool, named bool) {
		for _, k := range p.within(n.kind, middle, tol) {
			if !c.fits(n, k, st, from, to) {
				continue
			}
			cost := float64(slices.Index(simplest, k.fig.op)) + math.Abs(math.Abs(k.v)-n.value)/(tol+1e-300)/10
			if !named && k.count {
				cost += 3
			}
			if cost < bestCost {
				best, bestCost, found = k, cost, true
			}
		}
	}
	try(c.pool, false)
	try(c.together(from, to), true)
	return best, found
}

// simplest is the order in which ops are believed to be meant.
var simplest = []Op{OpCell, OpSum, OpShare, OpChange, OpDifference, OpMean, OpCount, OpRatio, OpRank}

func (c *checker) fits(n numeral, k candidate, st stance, from, to int) bool {
	switch {
	case k.count:
		if n.currency != "" || n.sign != 0 || n.kind != plainNumber || st.moved && !st.more {
			return false
		}
	case k.top && !topWords.MatchString(c.text.s[from:to]):
		return false
	case n.kind == plainNumber && !n.inUnit(k.fig.unit):
		return false
	case n.currency != "" && n.kind != plainNumber:
		return false
	case st.moved && !k.moves && k.fig.op != OpRatio:
		return false
	case st.level && k.moves:
		return false
	case k.moves && st.basis != "" && (k.fig.basis == tool.RolePrevious || k.fig.basis == tool.RoleYear) && k.fig.basis != st.basis:
		return false
	}
	if n.word && !c.plainly(k, st, from, to) {
		return false
	}
	return signFits(n, k, st) && c.spokenOf(k, !n.word, from, to)
}

var topWords = regexp.MustCompile(`(?i)\b(?:top|largest|biggest|leading|leaders|best|first|together|combined)\b|前|最大|最高|领先`)

func signFits(n numeral, k candidate, st stance) bool {
	switch {
	case k.free || k.v == 0 || n.value == 0:
		return true
	case n.sign != 0:
		return k.v*float64(n.sign) > 0
	case k.moves && st.dir != 0:
		return k.v*float64(st.dir) > 0
	case k.moves:
		return true
	}
	return k.v > 0 || st.loss
}

// spokenOf says whether the sentence may mean the candidate. One that names rows
// means those, or the whole, or, where ends counts, the end of the scale that it
// compares them with.
func (c *checker) spokenOf(k candidate, ends bool, from, to int) bool {
	if k.row == AllRows && k.group == "" {
		return true
	}
	named := false
	f := c.frames[k.table]
	for _, m := range c.mentions {
		if m.start < from || m.end > to || m.table < 0 {
			continue
		}
		named = true
		switch {
		case m.table != k.table:
		case k.group != "":
			if m.group == k.group {
				return true
			}
		case m.group != "":
			for _, by := range f.by {
				if f.text(k.row, by) == m.group {
					return true
				}
			}
		case m.row == k.row:
			return true
		}
	}
	if !named {
		return true
	}
	return ends && k.group == "" && f.val >= 0 && k.fig.op == OpCell && k.fig.cell.Column == f.Columns[f.val].Key &&
		slices.Contains(c.extremes(f), k.row)
}

// extremes are the rows with the largest and the smallest number.
func (c *checker) extremes(f *frame) []int {
	if e, ok := c.ends[f.at]; ok {
		return e
	}
	var e []int
	if order := f.order(f.val); len(order) > 0 {
		e = []int{order[0], order[len(order)-1]}
	}
	c.ends[f.at] = e
	return e
}

// mostTogether is how many rows one sentence compares.
const mostTogether = 6

// together is what may be said of the rows that a sentence and the one before it
// name, as against one another and as one: "Asia beat Europe. The gap is …".
func (c *checker) together(from, to int) pool {
	if p, ok := c.pairs[from]; ok {
		return p
	}
	key := from
	if from > 0 {
		_, size := utf8.DecodeLastRuneInString(c.text.s[:from])
		from, _ = sentence(c.text.s, from-size, from)
	}
	p := pool{}
	for _, f := range c.frames {
		var rows []int
		for _, m := range c.mentions {
			if m.table == f.at && m.group == "" && m.start >= from && m.end <= to && !slices.Contains(rows, m.row) {
				rows = append(rows, m.row)
			}
		}
		if len(rows) == 0 || len(rows) > mostTogether || f.val < 0 {
			continue
		}
		cols := []int{f.val}
		for _, b := range f.bases() {
			cols = append(cols, b.col)
		}
		for _, col := range append(cols, f.more...) {
			p.these(f, rows, col)
		}
	}
	p.sort()
	c.pairs[key] = p
	return p
}

func (p pool) these(f *frame, rows []int, col int) {
	like := candidate{table: f.at, row: AllRows}
	var cells []figure
	for i, r := range rows {
		a, ok := f.cell(r, col)
		if !ok {
			continue
		}
		cells = append(cells, a)
		for _, o := range rows[:i] {
			if b, ok := f.cell(o, col); ok {
				p.pair(b, a, like)
			}
		}
	}
	if !f.summable(col) {
		return
	}
	total, whole := f.total(col)
	for k := range cells {
		if k == 0 {
			continue
		}
		s, ok := sumOf(cells[:k+1])
		if !ok {
			continue
		}
		like.fig = s
		p.add(plainNumber, like)
		if whole {
			p.part(s, total, like)
		}
	}
	if s, ok := sumOf(cells); ok && whole && len(f.Rows) > len(cells) {
		rest, _ := difference(total, s, "")
		like.fig = rest
		p.add(plainNumber, like)
		p.part(rest, total, like)
	}
}
