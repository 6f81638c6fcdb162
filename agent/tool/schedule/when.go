package schedule

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"hermes/agent/tool"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// when reads a time that is either words or one of the calendar's own forms. Words
// that leave a day or a time of day open, or that can be read as two days, are a
// fault that asks: what would be filled in is nobody's wish. Holidays that are excepted
// are left out, if it is known which days those are.
func (p Parts) when(text string, loc *time.Location, lang string) (s calendar.Schedule, fault string, err error) {
	if s, err := calendar.Parse(text); err == nil {
		return s, "", nil
	}
	now := p.Now().In(loc)
	r := phrase.Read(text, now, loc, lang)
	if q := eitherDay(text, lang); q != "" {
		return s, q, nil
	}
	switch {
	case r.Question != "":
		return s, r.Question, nil
	case r.Kind != phrase.Recurring && r.Kind != phrase.Once:
		return s, fmt.Sprintf("%q names no time; say for example %q or %q", text, "every month on the 1st at 9:00", "0 9 1 * *"), nil
	case r.NoDay || r.NoTime:
		return s, leftOut(text, r, lang), nil
	case r.SkipHolidays && p.DaysOff == nil:
		return s, in2(lang, "which days are holidays is not known here; leave that out, or have an operator name a calendar under schedules.holidays",
			"这里不知道哪些天是节假日：请去掉这个条件，或让管理员在 schedules.holidays 里指定日历文件"), nil
	case r.SkipHolidays:
		off, err := p.DaysOff(now)
		if err != nil {
			return s, "", fmt.Errorf("days off: %w", err)
		}
		if s, err = r.Spec.Without(off, now); err != nil {
			return s, err.Error(), nil //nolint:nilerr // it is for who asked
		}
		return s, "", nil
	}
	return r.Spec, "", nil
}

// leftOut asks for what words do not say.
func leftOut(text string, r phrase.Reading, lang string) string {
	en, zh := "which day", "哪一天"
	switch {
	case r.NoDay && r.NoTime:
		en, zh = "which day and what time", "哪一天、几点"
	case r.NoTime:
		en, zh = "what time", "几点"
	}
	if lang == "zh" {
		return fmt.Sprintf("“%s”没有说%s。先问对方是%s，再把两者都写进 when。", text, zh, zh)
	}
	return fmt.Sprintf("%q does not say %s. Ask the person %s is meant, and then give day and time in when.", text, en, en)
}

var numericDay = regexp.MustCompile(`\d{1,2}([-/.])\d{1,2}[-/.]\d{4}`)

// eitherDay asks which of two days a date is, if it can be read as two.
func eitherDay(text, lang string) string {
	for _, date := range numericDay.FindAllString(text, -1) {
		switch days := tool.Days(date); {
		case len(days) < 2:
		case lang == "zh":
			return fmt.Sprintf("“%s”可以是 %s。先问对方是哪一天，再写成 YYYY-MM-DD。", date, strings.Join(days, " 或 "))
		default:
			return fmt.Sprintf("%q may be %s. Ask the person which one is meant, and then write it as YYYY-MM-DD.", date, strings.Join(days, " or "))
		}
	}
	return ""
}
