// Package phrase reads times out of what people write and says schedules back,
// in English, Chinese and a mixture. It is pure: now and the zone are
// arguments. What a schedule computes is package calendar's.
//
//	text → tokens (lex) → chunks, each one thing said about time (chunk, dates,
//	clock, relative, repeat) → a moment (once) or a repeat (compose, days)
//
// The one rule: never guess in silence. What cannot be meant is a question,
// what was filled in is said back, and a word for a period ("sales per month")
// is no schedule.
package phrase

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/scheduler/calendar"
)

// A Kind is what a text turned out to say about times.
type Kind string

// The kinds of a Reading.
const (
	None      Kind = "none"
	Once      Kind = "once"
	Recurring Kind = "recurring"
	Ask       Kind = "ask"
)

// A Span is the bytes of a text from Start up to, and without, End.
type Span struct{ Start, End int }

// A Reading is what a text says about when.
type Reading struct {
	Kind Kind
	// Spec is the schedule; for Ask it is what is proposed, if anything is.
	Spec calendar.Schedule
	// Spans are the parts of the text that speak of the schedule; the rest is
	// the work to do.
	Spans []Span
	// Question is what to ask, in the asker's language; of kind Ask only.
	Question string
	// Note says what was filled in, in the asker's language.
	Note string
	// NoDay and NoTime say that no day was named ("every month", "in December")
	// and no time of day. Spec then has what was filled in: who can ask, asks.
	NoDay, NoTime bool
	// SkipHolidays says that holidays were excepted; which days those are is
	// the caller's knowledge.
	SkipHolidays bool
	// Nearer says that the text is an English weekday and nothing else, and that
	// the last such day is nearer than the one of Spec. Where it answers "when?"
	// the coming one is meant; where it is all that was said, either may be.
	// In Chinese a day that is over is told apart, 上周三 from 周三.
	Nearer bool
	// Skip is set where the question is what to do in months that lack a day:
	// the schedule that leaves these months out. Spec is then the one that takes
	// their last day, unless it equals Skip.
	Skip calendar.Schedule
}

// Read finds the schedule in a text that was written at now by somebody in loc.
// It takes time linear in the text, reads its first 4000 bytes, and never
// panics.
func Read(text string, now time.Time, loc *time.Location, lang string) Reading {
	if loc == nil {
		loc = time.UTC
	}
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	lang = language(lang)
	wall := wallOf(now, loc)
	p := newParser(text)
	p.asked = clock{hour: wall.Hour(), minute: wall.Minute(), sure: true}
	list := p.chunks()
	said := signsOf(text)
	if r, ok := p.lunar(text, list, said, lang); ok {
		return r
	}
	if p.happensAgain(list, said) {
		return p.recurring(list, wall, now, lang)
	}
	return p.once(list, wall, now, loc, said, lang)
}

func language(lang string) string {
	if strings.HasPrefix(strings.ToLower(lang), "zh") {
		return "zh"
	}
	return "en"
}

func hasChinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 0x3400 && r < 0xA000 })
}

func wallOf(t time.Time, loc *time.Location) time.Time {
	t = t.In(loc)
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// lunar asks about days that follow the moon.
func (p *parser) lunar(text string, list []chunk, said signs, lang string) (Reading, bool) {
	lower := strings.ToLower(text)
	for _, word := range lunar {
		at := strings.Index(lower, word)
		if at < 0 || word[0] < 0x80 && !wholeWord(lower, at, word) {
			continue
		}
		if said.data && !said.act || !said.act && len(list) == 0 && len(p.toks) > 12 {
			return Reading{}, false
		}
		q := fault{
			"That day follows the lunar calendar, and I do not guess it. Which date do you mean, for example 17 February?",
			"这是农历或按节气推算的日子，我不猜。请告诉我公历日期，例如2月17日。",
		}
		return Reading{Kind: Ask, Question: q.in(lang), Spans: []Span{{at, min(at+len(word), len(text))}}}, true
	}
	return Reading{}, false
}

func wholeWord(text string, at int, word string) bool {
	letter := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= 'a' && text[i] <= 'z' }
	return !letter(at-1) && !letter(at+len(word))
}

// recurring makes the Reading of something that happens again.
func (p *parser) recurring(list []chunk, wall, now time.Time, lang string) Reading {
	if hasKind(list, cDate) || p.badDay() {
		return Reading{Kind: Ask, Question: noSuchDay.in(lang), Spans: p.spans(list)}
	}
	if p.badClock() {
		return Reading{Kind: Ask, Question: noSuchTime.in(lang), Spans: p.spans(list)}
	}
	r := readRepeat(list, wall)
	reading := Reading{Kind: Recurring, Spans: p.spans(list), SkipHolidays: r.holidays, NoDay: r.noDay()}
	spec, defaulted, ask := r.spec(wall)
	reading.NoTime = defaulted && r.part == ""
	if spec != "" {
		spec = strings.Replace(spec, "%", now.UTC().Truncate(time.Minute).Format("2006-01-02T15:04Z"), 1)
		s, err := calendar.Parse(spec)
		if err != nil {
			no := noSuchDay
			if strings.Contains(err.Error(), "too often") {
				no = fault{"That is too often. How many minutes should be between two runs?", "太频繁了。每隔几分钟执行一次合适？"}
			}
			return Reading{Kind: Ask, Question: no.in(lang), Spans: reading.Spans}
		}
		reading.Spec = s
	}
	if ask != nil {
		reading.Kind, reading.Question = Ask, ask.in(lang)
		r.plain = true
		if plain, _, still := r.spec(wall); still == nil {
			reading.Skip, _ = calendar.Parse(plain)
		}
		return reading
	}
	if defaulted {
		reading.Note = noTime.in(lang)
	}
	return reading
}

var noSuchTime = fault{"No clock shows that time. What time do you mean?", "没有这样的钟点，请问是几点？"}

var noTime = fault{"No time was given; I took this one.", "没有说时间，先按这个时间。"}

var noSuchDay = fault{"There is no such day, or it has passed. When do you mean?", "没有这样的日子，或者已经过去了。请问是什么时候？"}

// once makes the Reading of one time, or of none.
func (p *parser) once(list []chunk, wall, now time.Time, loc *time.Location, said signs, lang string) Reading {
	if !said.act && said.data && !slices.ContainsFunc(list, func(c chunk) bool { return c.kind == cClock }) {
		return Reading{Kind: None}
	}
	if hasKind(list, cDate) {
		if !said.act && !(p.alone(list) && hasKind(list, cClock)) {
			return Reading{Kind: None}
		}
		return Reading{Kind: Ask, Question: noSuchDay.in(lang), Spans: p.spans(list)}
	}
	start := slices.IndexFunc(list, func(c chunk) bool { return standsAlone(c) })
	if start < 0 {
		return Reading{Kind: None}
	}
	g, used := collect(list[start:])
	if g.count == 0 {
		return Reading{Kind: None}
	}
	spans := p.spans(list[start : start+used])
	if g.timeOnly() && g.clock == nil && (g.part == "morning" || g.part == "night" || g.part == "" || said.greeting) {
		return Reading{Kind: None}
	}
	if !said.act && slices.ContainsFunc(list[start:start+used], p.attributive) {
		return Reading{Kind: None}
	}
	m, ok := g.resolve(wall)
	if !ok || hasKind(list, cCount) && !said.act || p.badClock() {
		return Reading{Kind: None}
	}
	if m.vague && len(g.units) > 0 && g.units[0].n == 0 && g.clock == nil && g.weekday == nil {
		return Reading{Kind: None} // "this year" is no time to do a thing at
	}
	at := m.wall(wall)
	floor := wall.Truncate(time.Minute)
	if at.Before(floor) && g.timeOnly() && !said.descriptor {
		m.day = m.day.AddDate(0, 0, 1)
		at = m.wall(wall)
	}
	if at.Before(floor) {
		if !said.act && !(p.alone(list) && (g.clock != nil || len(g.after) > 0)) {
			return Reading{Kind: None, Spans: spans}
		}
		q := fault{"That time has passed. When do you mean?", "这个时间已经过去了，请问是什么时候？"}
		return Reading{Kind: Ask, Question: q.in(lang), Spans: spans}
	}
	if at.Year() > 8000 {
		return Reading{Kind: None}
	}
	if m.vague && g.month == int(wall.Month()) && g.year == 0 && len(g.units) == 0 && m.day.Year() > wall.Year() {
		q := fault{
			"It is " + wall.Month().String() + " already. Which day do you mean?",
			fmt.Sprintf("现在已经是%d月了，请问是哪一天？", int(wall.Month())),
		}
		return Reading{Kind: Ask, Question: q.in(lang), Spans: spans}
	}
	if m.turned && !said.act && p.alone(list) && p.inWords(list) {
		// The day is over this year, and not long ago, and nothing says what for:
		// that one may be meant. In figures it is a plan's, and the coming one.
		q := fault{
			"That day has passed this year. Do you mean " + at.Format("2 January 2006") + "?",
			"今年的这一天已经过去了，是指" + at.Format("2006年1月2日") + "吗？",
		}
		reading := Reading{Kind: Ask, Question: q.in(lang), Spans: spans}
		reading.Spec, _ = calendar.Parse("@once " + at.Format("2006-01-02T15:04"))
		if m.clock == nil && !m.exact {
			reading.Note = noTime.in(lang)
		}
		return reading
	}
	reading := Reading{Kind: Once, Spans: spans}
	if m.exact && len(g.after) > 0 && g.day == nil {
		// A length from now is real time, whatever the clocks do meanwhile.
		reading.Spec = calendar.OnceAt(now.Add(at.Sub(wall)), loc)
		if fineOnly(g.after) {
			return reading
		}
	}
	s, err := calendar.Parse("@once " + at.Format("2006-01-02T15:04:05"))
	if err != nil {
		return Reading{Kind: None}
	}
	reading.Spec = s
	reading.NoDay, reading.NoTime = m.vague, m.clock == nil && !m.exact && m.part == "" && !m.end
	if m.clock == nil && !m.exact {
		reading.Note = noTime.in(lang)
	}
	reading.Nearer = m.nearer && !said.act && p.alone(list) && !p.zh
	return reading
}

// badClock finds a time that no clock shows, such as 10:99, or a year of
// antiquity; what stands beside it is then not to be trusted either.
func (p *parser) badClock() bool {
	for i := range p.toks {
		if p.is(i, "bc", "bce", "ad") && p.at(i-1).kind == number && i > 0 {
			return true
		}
		if p.is(i, "at") && p.at(i+1).digits > 0 && p.is(i+2, ":") && p.at(i+3).digits == 2 && (p.at(i+1).num > 24 || p.at(i+3).num > 59) {
			return true
		}
		if p.at(i).kind == number && p.at(i).num > 24 && p.is(i+1, "点") && p.at(i).num < 100 && !p.is(i-1, ":", ".") {
			return true
		}
	}
	return false
}

// badDay finds a day that no month has, such as 32号.
func (p *parser) badDay() bool {
	for i := range p.toks {
		if p.at(i).kind == number && p.at(i).num > 31 && p.at(i).num < 100 && p.is(i+1, "号") {
			return true
		}
	}
	return false
}

// alone says that a text is nothing but a time: somebody answers "when?".
func (p *parser) alone(list []chunk) bool {
	covered := 0
	for _, c := range list {
		covered = max(covered, c.j)
	}
	inside := func(i int) bool {
		return slices.ContainsFunc(list, func(c chunk) bool { return c.i <= i && i < c.j })
	}
	for i, t := range p.toks {
		if t.kind != mark && !inside(i) && !p.is(i, "on", "at", "the", "的", "o", "by") {
			return false
		}
	}
	return covered > 0
}

// inWords says that a month is named, not numbered.
func (p *parser) inWords(list []chunk) bool {
	for _, c := range list {
		for i := c.i; c.kind == cMonth && i < c.j; i++ {
			if monthNames[p.at(i).text] > 0 || p.is(i, "month") {
				return true
			}
		}
	}
	return false
}

// attributive says that a time of day belongs to a thing: "the 9 o'clock numbers",
// 9点的数据.
func (p *parser) attributive(c chunk) bool {
	if c.kind != cClock || c.i >= c.j {
		return false
	}
	if p.at(c.i).zh || p.at(c.j-1).zh {
		next := p.at(c.j + 1)
		return p.is(c.j, "的") && next.zh && next.kind == word && next.text != "时候" && !next.isDaypart()
	}
	return p.is(c.i-1, "the") && c.j < len(p.toks) && p.at(c.j).kind == word && dataTable[p.at(c.j).text]
}

func fineOnly(after []chunk) bool {
	for _, c := range after {
		if c.unit != second && c.unit != calendar.Minute && c.unit != calendar.Hour {
			return false
		}
	}
	return true
}

// standsAlone says whether a chunk can be what a time begins with.
func standsAlone(c chunk) bool {
	switch c.kind {
	case cMonth, cDays, cDay, cUnit, cWeekday, cAfter, cClock, cPart, cOrdinal, cFeast, cEnd, cStart:
		return !c.weak || c.kind == cAfter
	case cYear:
		return !c.weak
	}
	return false
}

// spans are the stretches of text that chunks cover, neighbours joined.
func (p *parser) spans(list []chunk) []Span {
	var spans []Span
	for k, c := range list {
		if c.i >= c.j {
			continue
		}
		if c.kind == cAnd || c.kind == cOnly || c.kind == cTo || c.kind == cCount && c.n == 0 {
			// A link belongs to what it links.
			if k == 0 || list[k-1].j != c.i || c.kind != cCount && (k+1 >= len(list) || list[k+1].i != c.j) {
				continue
			}
		}
		s := Span{p.toks[c.i].start, p.toks[c.j-1].end}
		if n := len(spans); n > 0 && s.Start-spans[n-1].End <= 2 && s.Start >= spans[n-1].Start {
			spans[n-1].End = max(spans[n-1].End, s.End)
			continue
		}
		spans = append(spans, s)
	}
	return spans
}
