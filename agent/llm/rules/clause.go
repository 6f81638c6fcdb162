package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hermes/scheduler/phrase"
)

// A clause is a part of a request that is claimed as a whole or not at all.
type clause struct {
	tokens []token
	after  token // the separator before it
}

// cut cuts tokens into clauses. A comma or an "and" between two things of one
// kind makes a list and cuts nothing.
func cut(tokens []token) []clause {
	var clauses []clause
	var now clause
	for i, t := range tokens {
		if t.kind != separator && t.kind != joiner || t.kind == joiner && joins(tokens, i) || t.kind == separator && isComma(t.name) && joins(tokens, i) {
			if t.kind != separator && t.kind != joiner {
				now.tokens = append(now.tokens, t)
			}
			continue
		}
		if len(now.tokens) > 0 {
			clauses = append(clauses, now)
			now = clause{}
		}
		if now.after.kind != joiner { // ", and": the joiner counts
			now.after = t
		}
	}
	if len(now.tokens) > 0 {
		clauses = append(clauses, now)
	}
	return clauses
}

func isComma(s string) bool { return s == "," || s == "，" || s == "、" }

// joins says whether what stands before and after tokens[i] is of one kind.
func joins(tokens []token, i int) bool {
	before, after := unknown, unknown
	for _, t := range slices.Backward(tokens[:i]) {
		if t.kind != filler && t.kind != by && t.kind != joiner {
			before = t.kind
			break
		}
	}
	for _, t := range tokens[i+1:] {
		if t.kind != filler && t.kind != by && t.kind != joiner {
			after = t.kind
			break
		}
	}
	switch before {
	case measure, dimension, value, period, channel, compare:
		return before == after
	}
	return false
}

// has says whether a clause has a token of one of the kinds.
func (c clause) has(kinds ...kind) bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool { return slices.Contains(kinds, t.kind) })
}

func (c clause) span() phrase.Span {
	return phrase.Span{Start: c.tokens[0].start, End: c.tokens[len(c.tokens)-1].end}
}

// A parser claims the clauses of one text for its reading.
type parser struct {
	reader
	reading *reading
	text    string
	named   int // times that name a job there is, and plan none
}

func (p *parser) clauses(clauses []clause) {
	for _, c := range clauses {
		switch {
		case len(clauses) > 1 && p.courtesy(c):
		case p.refuse(c):
		case p.job(c):
		default:
			p.order(c)
		}
	}
	p.finish(clauses)
}

// courtesy says whether a clause is small talk beside a wish: "looks good, post
// it", "谢谢". A yes or a no beside one is more than that.
func (p *parser) courtesy(c clause) bool {
	s := c.span()
	switch chatKind(p.text[s.Start:s.End]) {
	case "thanks", "hello", "morning", "evening", "bye", "sorry", "how":
		return true
	}
	return false
}

// refuse takes what must not be done in part: a clause about what not to do, or
// under a condition, or with words that nobody knows.
func (p *parser) refuse(c clause) bool {
	if p.counts(c) {
		p.reading.counting = true
		p.giveUp(c)
		return true
	}
	if c.has(best, worst, top) && slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == compare && t.name == "growth" }) {
		p.reading.hint = p.pick("I can rank by a figure, but not by how it changed. “sales by region last month, compared with the month before” shows the change of each.", "我只会按数值排名，不会按变化排名。说“上个月各地区的销售额，环比”可以看到每一个的变化。")
		p.giveUp(c)
		return true
	}
	if changePattern.MatchString(strings.TrimSpace(p.text[c.span().Start:])) && c.has(when) && !c.has(send, channel, negation, condition) {
		p.reading.change = true
		return true
	}
	if c.has(prose) {
		p.reading.prose = true
		p.giveUp(c)
		return true
	}
	if c.has(negation, condition) {
		p.giveUp(c)
		return true
	}
	asks := c.has(asking) && !p.isPolite(c)
	if c.has(send, again, pause, resume, remove) && (asks || c.has(quote)) && !p.listsJobs(c) {
		p.giveUp(c)
		return true
	}
	if c.has(when) && asks && c.has(send, again) {
		p.giveUp(c)
		return true
	}
	if p.freeValue(c) {
		return false
	}
	if c.has(unknown) && !p.namesJob(c) {
		for _, t := range c.tokens {
			if t.kind == unknown {
				p.reading.unclaimed = append(p.reading.unclaimed, p.text[t.start:t.end])
			}
		}
		return true
	}
	return false
}

var changePattern = regexp.MustCompile(`(?i)^(?:please )?(?:change|move|reschedule|shift|switch) .*\b(?:to|for)\b|^(?:请|麻烦)?(?:把|将).*(?:改成|改到|改为|换到|挪到|移到|调整到|调整为)`)

// counts says whether a clause asks how many there are of a dimension and names no
// figure: "how many customers", 有几个产品.
func (p *parser) counts(c clause) bool {
	if c.has(measure, sold, pause, resume, remove, job, top) || p.measured() {
		return false
	}
	for i, t := range c.tokens {
		word := strings.ToLower(strings.TrimSpace(p.text[t.start:t.end]))
		if t.kind != asking || word != "how many" && word != "多少" && word != "有多少" && word != "几个" && word != "几" {
			continue
		}
		for _, next := range c.tokens[i+1:] {
			if next.kind == filler {
				continue
			}
			if next.kind == dimension && !timeDimension(next.name) {
				return true
			}
			break
		}
	}
	return false
}

// isPolite says whether a clause only asks for something as a question: "can you
// post it?", 可以发到 #sales 吗.
func (p *parser) isPolite(c clause) bool {
	if !c.has(polite) {
		return false
	}
	return !slices.ContainsFunc(c.tokens, func(t token) bool {
		word := strings.TrimSpace(p.text[t.start:t.end])
		return t.kind == asking && word != "吗" && word != "么"
	})
}

func (p *parser) giveUp(c clause) {
	s := c.span()
	p.reading.unclaimed = append(p.reading.unclaimed, strings.TrimSpace(p.text[s.Start:s.End]))
}

// freeValue makes an unknown word behind a dimension a value of it: "customer
// Umbra". The list of values may be long, and the tool knows it.
func (p *parser) freeValue(c clause) bool {
	count, free := 0, -1
	for i, t := range c.tokens {
		if t.kind != unknown {
			continue
		}
		count++
		if i > 0 && p.isName(c, i) && c.tokens[i-1].kind == dimension && !timeDimension(c.tokens[i-1].name) && (i < 2 || c.tokens[i-2].kind != by) && c.has(measure) {
			free = i
		}
	}
	if count != 1 || free < 0 {
		return false
	}
	t := &c.tokens[free]
	t.kind, t.in, t.name = value, c.tokens[free-1].name, p.asWritten(*t)
	c.tokens[free-1].kind = filler
	return true
}

// asWritten is what a token was before its characters were simplified.
func (p *parser) asWritten(t token) string {
	if len(p.reading.text) >= t.end {
		return p.reading.text[t.start:t.end]
	}
	return p.text[t.start:t.end]
}

// isName says whether an unknown word is written like a name: with a capital
// letter or a digit, or, in Chinese, which has none, before a 的.
func (p *parser) isName(c clause, i int) bool {
	word := p.text[c.tokens[i].start:c.tokens[i].end]
	r, _ := utf8.DecodeRuneInString(word)
	if !unicode.Is(unicode.Han, r) {
		return unicode.IsUpper(r) || unicode.IsDigit(r)
	}
	return utf8.RuneCountInString(word) > 1 && i+1 < len(c.tokens) && strings.HasPrefix(p.text[c.tokens[i].end:], "的")
}
