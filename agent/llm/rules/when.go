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

// A timing is what a text says about when to act.
type timing struct {
	phrase.Reading
	spans []phrase.Span // where it says so
	idle  []phrase.Span // "today" where it says no more than now
}

// words are those of the text that speak of when.
func (t timing) words(text string) string {
	var parts []string
	for _, s := range t.spans {
		parts = append(parts, text[s.Start:s.End])
	}
	return strings.Join(parts, " ")
}

// when reads the schedule in a text. What the figures are about is hidden first: in
// "post last month's sales by week tomorrow at 9" only one of the three is a time to
// act. A slot of a job is the time itself, and looks for none.
func (c reader) when(text string) timing {
	r := timing{Reading: phrase.Reading{Kind: phrase.None}}
	if c.slot {
		return r
	}
	hidden := []byte(text)
	hide := func(start, end int) {
		for i := max(0, start); i < end && i < len(hidden); i++ {
			hidden[i] = 'x' // a word, so that nothing is read across it
		}
	}
	tokens := c.scan(text, nil)
	for i, t := range tokens {
		switch {
		case t.kind == dimension && timeDimension(t.name):
			if start, cuts := cutsFigures(text, tokens, i); cuts {
				hide(start, t.end)
			}
		case t.kind != period:
		case t.period.Range == calendar.Ago(calendar.Day, 0):
			switch roleOfToday(text, tokens, i) {
			case todaysFigures:
				hide(t.start, t.end)
			case todayIsNow:
				hide(t.start, t.end)
				r.idle = append(r.idle, phrase.Span{Start: t.start, End: t.end})
			}
		case t.period.Shift != 0 || ofFigures(text, tokens, i) || c.behind(t.period.Range) && !dayToAct(text, tokens, i):
			start := t.start
			if m := leadsPeriod.FindStringIndex(text[:start]); m != nil {
				start = m[0] // else "from …" is where the schedule begins
			}
			hide(start, t.end)
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
	read := phrase.Read(string(hidden), c.now, c.loc, c.lang)
	for _, s := range read.Spans {
		if s.Start >= 0 && s.Start < s.End && s.End <= len(text) && saysTime(text[s.Start:s.End]) {
			r.spans = append(r.spans, s)
		}
	}
	if read.Kind == phrase.None || len(r.spans) == 0 {
		r.spans = nil
		return r
	}
	r.Reading = read
	return r
}

var namedDay = regexp.MustCompile(`(?i)\b(?:today|tomorrow|tonight|next|this|in|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|今|明|后天|下周|下个?月|\d+月|后`)

// rhythm joins the two halves of "a monthly report on the 2nd at 10:00". Alone the
// second half would be once, which nobody means who says monthly; but "tomorrow" is
// a day that does not come again, and "by month" is no rhythm.
func (c reader) rhythm(text string, when timing, tokens []token) (timing, []token) {
	if when.Kind != phrase.Once && when.Kind != phrase.Ask || !when.Skip.IsZero() {
		return when, tokens
	}
	i := slices.IndexFunc(tokens, func(t token) bool {
		return t.kind == dimension && timeDimension(t.name) && isAdverb(text[t.start:t.end]) && !saysLonger(tokens, t.name)
	})
	if i < 0 || !hasToken(tokens, report, send, again) || namedDay.MatchString(when.words(text)) {
		return when, tokens
	}
	words := c.pick("every "+tokens[i].name, "每"+map[string]string{"day": "天", "week": "周", "month": "个月", "quarter": "季度", "year": "年"}[tokens[i].name])
	joined := phrase.Read(words+" "+when.words(text), c.now, c.loc, c.lang)
	if joined.Kind != phrase.Recurring && joined.Skip.IsZero() {
		joined = phrase.Reading{Kind: phrase.Ask, Question: c.onceOrAgain()}
	}
	tokens = slices.Clone(tokens)
	tokens[i].kind = filler
	when.Reading = joined
	return when, tokens
}

// leftOut asks for the day and the time of day that a rhythm was said without. The
// choices are read as if they had been said.
func (c reader) leftOut(r phrase.Reading) (question string, choices []string) {
	if !r.NoDay && !r.NoTime {
		return "", nil
	}
	if !r.NoDay {
		return c.pick("At what time?", "几点做？"), []string{c.pick("at 9:00", "上午9点"), c.pick("at 17:00", "下午5点")}
	}
	day, each := c.pick("On which day of the month", "每月几号"), []string{"on the 1st", "on the last day"}
	zh := []string{"1号", "最后一天"}
	switch unit, _ := r.Spec.Cycle(); {
	case r.Kind == phrase.Once:
		day, each, zh = c.pick("On which day", "哪一天"), nil, nil
	case unit == calendar.Week:
		day, each, zh = c.pick("On which day of the week", "每周几"), []string{"on Monday", "on Friday"}, []string{"周一", "周五"}
	case unit == calendar.Quarter:
		day, each, zh = c.pick("On which day of the quarter", "每季度哪一天"), []string{"on the first day", "on the last day"}, []string{"第一天", "最后一天"}
	case unit == calendar.Year:
		day, each, zh = c.pick("On which date", "每年几月几号"), nil, nil
	}
	if c.lang == "zh" {
		each = zh
	}
	if !r.NoTime {
		return c.pick(day+"?", day+"？"), each
	}
	for _, d := range each {
		choices = append(choices, c.pick(d+" at 9:00", d+"上午9点"))
	}
	return c.pick(day+", and at what time?", day+"、几点？"), choices
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
