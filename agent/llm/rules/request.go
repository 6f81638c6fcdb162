package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// requestOf is what a job is to do each time, in the asker's words where these
// say it all, else in ours. Either way it must be read as the same figures in
// every slot: the grant holds for these and no others.
func (c reader) requestOf(r reading, channel string) string {
	if !r.inherits && len(r.ops) == 0 {
		own := without(r.text, r.cuts)
		for _, words := range []string{own, own + c.pick(", ", "，") + c.periodWords(r.groups[0].period)} {
			if c.sameWork(words, r) {
				return words
			}
		}
	}
	return c.describe(r, channel)
}

// sameWork says whether words are read as the figures, report and channels of r,
// in a slot of a job.
func (c reader) sameWork(words string, r reading) bool {
	again := c
	again.slot = true
	got := again.fold([]string{words})
	if len(got.unclaimed) > 0 || got.scheduled() || len(got.ops) > 0 || !got.wants() || !slices.Equal(got.sends, r.sends) || got.inherits {
		return false
	}
	if len(again.missing(got)) > 0 || got.groups[0].period.IsZero() {
		return false
	}
	asReport := got.report || got.post
	return asReport && fmt.Sprint(again.queries(got, true)) == fmt.Sprint(c.queries(r, true)) && c.formatOf(got) == c.formatOf(r) && chartOf(got) == chartOf(r)
}

// without cuts spans out of a text and tidies what is left.
func without(text string, spans []phrase.Span) string {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b phrase.Span) int { return a.Start - b.Start })
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.Start < at || s.End > len(text) || s.Start > s.End {
			continue
		}
		b.WriteString(text[at:s.Start])
		if !strings.HasSuffix(b.String(), " ") {
			b.WriteString(" ")
		}
		at = s.End
	}
	b.WriteString(text[at:])
	s := strings.Join(strings.Fields(b.String()), " ")
	for {
		cut := strings.TrimRight(s, " ,;:，；、。.!！")
		for _, word := range []string{" and", " then", "并且", "并", "然后", "以后", "今后", "同时", " please do this", " at", " on"} {
			cut = strings.TrimSuffix(cut, word)
		}
		cut = strings.TrimLeft(cut, " ,;:，；、。")
		for _, word := range []string{"以后", "今后", "and ", "then ", "on ", "at ", "of "} {
			cut = strings.TrimPrefix(cut, word)
		}
		if cut == s {
			return s
		}
		s = cut
	}
}

// describe says a reading as a request that stands for itself.
func (c reader) describe(r reading, channel string) string {
	var parts []string
	for _, g := range r.groups {
		parts = append(parts, c.describeFigures(g))
	}
	what := strings.Join(parts, c.pick(" and ", "，"))
	s := c.pick("report on "+what, "写一份报告："+what)
	if r.format != "" && r.format != "none" {
		s += c.pick(", as "+r.format, "，"+r.format+"格式")
	} else if r.format == "none" {
		s += c.pick(", no file", "，不要文件")
	}
	switch chart := chartOf(r); {
	case r.chart == "" || r.chart == "auto":
	case chart == "none":
		s += c.pick(", no chart", "，不要图表")
	default:
		s += c.pick(", with a "+chart+" chart", "，"+map[string]string{"bar": "柱状图", "line": "折线图"}[chart])
	}
	if channel != "" {
		s += c.pick(", post it to "+channel, "，发到 "+channel)
	}
	return s
}

func (c reader) describeFigures(g figures) string {
	var measures, by, values []string
	for _, m := range g.measures {
		measures = append(measures, c.labelOf(c.vocabulary.Measures, m))
	}
	for _, d := range g.by {
		by = append(by, c.dimensionWords(d))
	}
	for _, w := range g.where {
		values = append(values, w.Values...)
	}
	var s string
	if c.lang == "zh" {
		s = c.periodWords(g.period) + strings.Join(values, "、")
		if len(values) > 0 {
			s += "的"
		}
		s += strings.Join(measures, "、")
		for _, d := range by {
			s += "，按" + d
		}
		if g.top > 0 {
			s += "，前" + strconv.Itoa(g.top) + "名"
		}
		return s
	}
	s = strings.Join(measures, " and ")
	if len(by) > 0 {
		s += " by " + strings.Join(by, " and ")
	}
	if len(values) > 0 {
		s += " in " + strings.Join(values, " and ")
	}
	if g.top > 0 {
		s = "top " + strconv.Itoa(g.top) + " " + s
	}
	return s + " for " + c.periodWords(g.period)
}

// labelOf is what a declared term is called.
func (c reader) labelOf(terms []Term, name string) string {
	for _, t := range terms {
		if t.Name != name {
			continue
		}
		if l := c.pick(t.Label.En, t.Label.Zh); l != "" {
			return inSentence(l)
		}
	}
	return name
}

var timeWords = map[string]string{"day": "天", "week": "周", "month": "月", "quarter": "季度", "year": "年"}

func (c reader) dimensionWords(name string) string {
	if timeDimension(name) {
		return c.pick(name, timeWords[name])
	}
	return c.labelOf(c.vocabulary.Dimensions, name)
}

var periodNames = map[string][2]string{
	"today": {"today", "今天"}, "yesterday": {"yesterday", "昨天"}, "this_week": {"this week", "本周"}, "last_week": {"last week", "上周"},
	"this_month": {"this month", "本月"}, "last_month": {"last month", "上个月"}, "month_before_last": {"the month before last", "上上个月"},
	"this_quarter": {"this quarter", "本季度"}, "last_quarter": {"last quarter", "上季度"}, "this_year": {"this year", "今年"}, "last_year": {"last year", "去年"},
}

// periodWords says a period in words that are read back as the same period; the
// canonical word, which is always read back, where there are none.
func (c reader) periodWords(r calendar.Range) string {
	name := r.String()
	words, ok := periodNames[name]
	if !ok {
		words = numbered(name)
	}
	if w := c.pick(words[0], words[1]); w != "" {
		if m := phrase.Periods(w); len(m) == 1 && m[0].Shift == 0 && m[0].Range == r {
			return w
		}
	}
	return name
}

var (
	partName = regexp.MustCompile(`^(month|quarter):(\d+)$`)
	lastName = regexp.MustCompile(`^last_(\d+)_(day|week|month|quarter|year)s$`)
)

// numbered are words for periods that have a number in them.
func numbered(name string) [2]string {
	if m := partName.FindStringSubmatch(name); m != nil {
		n, err := strconv.Atoi(m[2])
		switch {
		case err != nil || n < 1 || n > 12:
		case m[1] == "quarter":
			return [2]string{"Q" + m[2], m[2] + "季度"}
		default:
			return [2]string{time.Month(n).String(), m[2] + "月"}
		}
	}
	if m := lastName.FindStringSubmatch(name); m != nil {
		zh := map[string]string{"day": "天", "week": "周", "month": "个月", "quarter": "个季度", "year": "年"}[m[2]]
		return [2]string{"the last " + m[1] + " " + m[2] + "s", "最近" + m[1] + zh}
	}
	return [2]string{}
}

// title says what a report is about, without its period, which each slot has
// another of.
func (c reader) title(r reading) string {
	var parts []string
	for _, g := range r.groups {
		var measures, by, values []string
		for _, m := range g.measures {
			measures = append(measures, c.labelOf(c.vocabulary.Measures, m))
		}
		for _, d := range g.by {
			by = append(by, c.dimensionWords(d))
		}
		for _, w := range g.where {
			values = append(values, w.Values...)
		}
		var s string
		if c.lang == "zh" {
			s = strings.Join(values, "、") + strings.Join(measures, "、")
			if len(by) > 0 {
				s = "按" + strings.Join(by, "、") + "的" + s
			}
		} else {
			s = strings.Join(measures, " and ")
			if len(by) > 0 {
				s += " by " + strings.Join(by, " and ")
			}
			if len(values) > 0 {
				s += ", " + strings.Join(values, ", ")
			}
			s = capital(s)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, c.pick("; ", "；"))
}

// inSentence takes the capital off the first word, but not off an abbreviation.
func inSentence(s string) string {
	if r := []rune(s); len(r) > 1 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1]) {
		return string(unicode.ToLower(r[0])) + string(r[1:])
	}
	return s
}

func capital(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+utf8.RuneLen(r):]
	}
	return s
}
