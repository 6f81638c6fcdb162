package rules

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

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
		s += c.pick(", with a "+chart+" chart", "，"+map[string]string{"bar": "柱状图", "line": "折线图", "pie": "饼图", "stacked": "堆叠图"}[chart])
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
		for _, v := range w.Values {
			if !c.knows(v) { // a name that only the tool knows is found behind its dimension
				v = c.dimensionWords(w.Dimension) + " " + v
			}
			values = append(values, v)
		}
	}
	var periods []string
	for _, r := range append([]calendar.Range{g.period}, g.more...) {
		periods = append(periods, c.periodWords(r))
	}
	when := strings.Join(periods, c.pick(" and ", "和"))
	var s string
	if c.lang == "zh" {
		s = when + strings.Join(values, "、")
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
	return s + " for " + when
}

// knows says whether a value of a dimension is read wherever it stands.
func (c reader) knows(value string) bool {
	t := normalise(value)
	e, end := c.values.longest(t, 0)
	return e != nil && end == len(t.runes)
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
	"day_before_last": {"the day before yesterday", "前天"}, "week_before_last": {"the week before last", "上上周"}, "quarter_before_last": {"the quarter before last", "上上个季度"}, "year_before_last": {"the year before last", "前年"},
	"wtd": {"this week so far", "本周至今"}, "mtd": {"this month so far", "本月至今"}, "qtd": {"this quarter so far", "本季度至今"}, "ytd": {"this year so far", "今年以来"},
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

// title says what a report is about, with its periods where it has several.
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
		if len(g.more) > 0 {
			var periods []string
			for _, r := range append([]calendar.Range{g.period}, g.more...) {
				periods = append(periods, r.Label(c.lang, c.now, c.loc))
			}
			s += c.pick(", "+strings.Join(periods, " and "), "（"+strings.Join(periods, "、")+"）")
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
