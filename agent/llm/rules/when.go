package rules

import (
	"regexp"
	"slices"
	"strings"

	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

var leadsPeriod = regexp.MustCompile(`(?i)(?:\b(?:from|between|since|starting)\s+|从|自|由)$`)

var leadsName = regexp.MustCompile(`(?i)\b(?:to|in|on|into)\s+(?:the\s+)?$`)

// when reads the schedule in a text. Periods that lie behind are hidden first: in
// "post last month's sales tomorrow at 9" only one of the two is a time to act.
func (c reader) when(text string) (phrase.Reading, []phrase.Span) {
	hidden := []byte(text)
	hide := func(start, end int) {
		for i := max(0, start); i < end && i < len(hidden); i++ {
			hidden[i] = 'x' // a word, so that nothing is read across it
		}
	}
	for _, p := range c.periodsIn(text) {
		if p.Shift != 0 || c.behind(p.Range) {
			start := p.Span.Start
			if m := leadsPeriod.FindStringIndex(text[:start]); m != nil {
				start = m[0] // else "from …" is where the schedule begins
			}
			hide(start, p.Span.End)
		}
	}
	// Names are no times, not even #at9 and j1a2b3c4.
	for _, re := range []*regexp.Regexp{channelPattern, jobPattern} {
		for _, m := range re.FindAllStringIndex(text, -1) {
			start := m[0]
			if lead := leadsName.FindStringIndex(text[:start]); lead != nil {
				start = lead[0] // else "to … every Monday" is where it ends
			}
			hide(start, m[1])
		}
	}
	whole := turnRound(hidden)
	r := phrase.Read(string(hidden), c.now, c.loc, c.lang)
	if r.Kind == phrase.Recurring {
		// "Every day at 18:00 give me today's orders": that day is the slot's.
		for _, p := range c.periodsIn(text) {
			if p.Range == calendar.Ago(calendar.Day, 0) {
				hide(p.Span.Start, p.Span.End)
			}
		}
		if again := phrase.Read(string(hidden), c.now, c.loc, c.lang); again.Kind == phrase.Recurring {
			r = again
		}
	}
	if r.Kind == phrase.None {
		return r, nil
	}
	var spans []phrase.Span
	for _, s := range r.Spans {
		if s.Start < 0 || s.Start >= s.End || s.End > len(text) || !saysTime(text[s.Start:s.End]) {
			continue
		}
		for _, w := range whole {
			if s.Start < w.End && w.Start < s.End {
				s.Start, s.End = min(s.Start, w.Start), max(s.End, w.End)
			}
		}
		spans = append(spans, s)
	}
	if len(spans) == 0 {
		return phrase.Reading{Kind: phrase.None}, nil
	}
	return r, spans
}

// rhythm joins the two halves of "a monthly report on the 2nd at 10:00". Alone the
// second half would be once, which nobody means who says monthly.
func (c reader) rhythm(text string, when phrase.Reading, spans []phrase.Span, tokens []token) (phrase.Reading, []token) {
	if when.Kind != phrase.Once && when.Kind != phrase.Ask || !when.Skip.IsZero() {
		return when, tokens
	}
	i := slices.IndexFunc(tokens, func(t token) bool { return t.kind == dimension && timeDimension(t.name) })
	if i < 0 || !slices.ContainsFunc(tokens, func(t token) bool { return t.kind == report || t.kind == send || t.kind == again }) {
		return when, tokens
	}
	words := c.pick("every "+tokens[i].name, "每"+map[string]string{"day": "天", "week": "周", "month": "个月", "quarter": "季度", "year": "年"}[tokens[i].name])
	for _, s := range spans {
		words += " " + text[s.Start:s.End]
	}
	again := phrase.Read(words, c.now, c.loc, c.lang)
	if again.Kind != phrase.Recurring && again.Skip.IsZero() {
		return phrase.Reading{Kind: phrase.Ask, Question: c.onceOrAgain()}, tokens
	}
	tokens = slices.Clone(tokens)
	tokens[i].kind = filler
	return again, tokens
}

var dayOfEach = regexp.MustCompile(`(?i)\b(?:on )?the ((?:first|second|third|fourth|last|\d{1,2}(?:st|nd|rd|th))(?: [a-z]+)?) of (?:every|each) (month|quarter|year)((?:,? at) \d{1,2}(?::\d\d)?(?: ?[ap]m)?)?`)

// turnRound writes "on the last day of every month at 5pm" as "every month on the
// last day at 5pm", in its place: the first half alone would be read as once. It
// returns where it did so.
func turnRound(text []byte) []phrase.Span {
	var spans []phrase.Span
	for _, m := range dayOfEach.FindAllSubmatchIndex(text, -1) {
		words := "every " + string(text[m[4]:m[5]]) + " on the " + string(text[m[2]:m[3]])
		if m[6] >= 0 {
			words += strings.TrimPrefix(string(text[m[6]:m[7]]), ",")
		}
		if len(words) > m[1]-m[0] {
			continue
		}
		copy(text[m[0]:m[1]], words+strings.Repeat(" ", m[1]-m[0]-len(words)))
		spans = append(spans, phrase.Span{Start: m[0], End: m[1]})
	}
	return spans
}

func (c reader) onceOrAgain() string {
	return c.pick("Once, or again and again? Please say it as in “every month on the 1st at 9:00”.", "只做一次，还是定期做？请说成“每个月1号早上9点”这样。")
}

// isAdverb says whether words are one like weekly, which is as often about the
// figures as about when to do something.
func isAdverb(words string) bool {
	switch strings.ToLower(strings.Trim(words, " ,，")) {
	case "daily", "weekly", "monthly", "quarterly", "yearly", "annual", "annually", "每天", "每日", "每周", "每月", "每个月", "每季度", "每年":
		return true
	}
	return false
}

// adverbsOnly says whether nothing else speaks of times.
func adverbsOnly(text string, spans []phrase.Span) bool {
	return len(spans) > 0 && !slices.ContainsFunc(spans, func(s phrase.Span) bool { return !isAdverb(text[s.Start:s.End]) })
}

// halfSaid finds "a weekly report" without a time to do it and without a period
// that it could be about. The adverb is then no dimension.
func (c reader) halfSaid(text string, tokens []token) bool {
	has := func(kinds ...kind) bool {
		return slices.ContainsFunc(tokens, func(t token) bool { return slices.Contains(kinds, t.kind) })
	}
	if has(when, period, pause, resume, remove, job) || !has(report, send) {
		return false
	}
	found := false
	for i, t := range tokens {
		if t.kind == dimension && isAdverb(text[t.start:t.end]) {
			tokens[i].kind, found = filler, true
		}
	}
	return found
}

// behind says whether a period is one to know about and none to act in.
func (c reader) behind(r calendar.Range) bool {
	return !r.Resolve(c.now, c.loc).To.After(c.now) || strings.HasPrefix(r.String(), "this_") || strings.HasSuffix(r.String(), "td")
}

// saysTime says whether words of a schedule are more than what joins them to the
// rest.
func saysTime(words string) bool {
	switch strings.Trim(strings.ToLower(words), " ,;.，。；、") {
	case "", "and", "to", "on", "at", "in", "from", "then", "到", "在", "一次", "都", "以后", "now", "right now", "immediately", "现在", "马上", "立刻":
		return false
	}
	return true
}

// roundBefore is what a slot is about when nobody says: the round before it.
func roundBefore(s calendar.Schedule) calendar.Range {
	if s.Once() {
		return calendar.Range{}
	}
	unit, n := s.Cycle()
	switch unit {
	case calendar.Minute, calendar.Hour:
		return calendar.Ago(calendar.Day, 0)
	}
	if n > 1 {
		return calendar.LastN(unit, n)
	}
	return calendar.Ago(unit, 1)
}
