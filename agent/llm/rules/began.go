package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/scheduler/calendar"
)

const scheduleEdit = "schedule_edit"

// What is said under a post of ours is about that: the schedule that it came of, and the
// figures that stand in it.
var (
	stopThat = regexp.MustCompile(`(?i)^(?:please )?(?:stop|quit|no longer|don'?t|do not|pause|cancel)(?: (?:sending|posting|doing|send|post|do))?(?: me| us)?(?: (?:that|this|it|these|those|them))?(?: (?:report|post|here|to this channel))?(?: any ?more| again)?(?: please)?$|^(?:请)?(?:别|不要|不用|停止|停掉|取消|暂停)再?(?:给我们|给我|继续)?(?:发送|发布|发|推送|做)?(?:这个|这份|这些|它|了)?(?:报告|报表)?(?:了|吧)?$`)
	makeIt   = regexp.MustCompile(`(?i)^(?:please )?(?:make|do|send|post|change|switch|turn) (?:it|that|this)(?: (?:to|into|be))?(?: (?:a )?)?(daily|weekly|monthly|quarterly|every day|every week|every month|every quarter)(?: (?:instead|one|report|please|from now on))*$|^(?:请)?(?:把它|把这个)?(?:改成|改为|换成|变成|改)(每天|每日|每周|每星期|每月|每个月|每季度|每个季度)(?:发|做|一次|发一次|做一次)*(?:吧|了)?$`)
	whyMoved = regexp.MustCompile(`(?i)^(?:so |and |but )?(?:why|how come|what (?:explains|is behind|drove|drives)|where does)\b.{0,80}$|^(?:为什么|为何|怎么|什么原因)|(?:为什么|为何|怎么回事|什么原因)`)
	moved    = regexp.MustCompile(`(?i)\b(?:down|up|fall|fell|falling|fallen|drop|dropped|rise|rose|rising|grow|grew|growing|grown|lower|higher|less|more|decline|declined|increase|increased|decrease|decreased|change|changed|behind|ahead|weak|strong|bad|good|low|high)\b|下降|下滑|下跌|减少|降|跌|少了|上升|上涨|增长|增加|涨|多了|变化|差|低|高`)
)

// units of the words of makeIt, each with the words that requests have for its period.
var rhythmOf = map[string]string{
	"daily": "day", "every day": "day", "每天": "day", "每日": "day", "weekly": "week", "every week": "week", "每周": "week", "每星期": "week",
	"monthly": "month", "every month": "month", "每月": "month", "每个月": "month", "quarterly": "quarter", "every quarter": "quarter", "每季度": "quarter", "每个季度": "quarter",
}

// lastOf are the words for the period before, by unit: what a request says of its time
// goes with its rhythm.
var lastOf = map[string][]string{
	"day": {"yesterday", "昨天"}, "week": {"last week", "上周"}, "month": {"last month", "上个月"}, "quarter": {"last quarter", "上季度"},
}

// underPost reads what is said in a thread that began with a post of ours.
func (c reader) underPost(text string, b *llm.Began, r *reading) bool {
	plain := strings.ToLower(strings.Trim(strings.TrimSpace(text), endMarks))
	if b == nil || plain == "" {
		return false
	}
	switch m := makeIt.FindStringSubmatch(plain); {
	case b.Job != "" && stopThat.MatchString(plain):
		r.ops = append(r.ops, op{scheduleChange, map[string]any{"job": b.Job, "action": "pause"}})
		return true
	case b.When != "" && m != nil:
		unit := rhythmOf[m[1]+m[2]]
		when, noDay, ok := inRhythm(b.When, unit, c.now, c.loc)
		if !ok {
			return false
		}
		if noDay {
			when, r.clock = "", when
		}
		args := map[string]any{"job": b.Job, "when": when, "request": b.Request}
		if b.Saved == "" {
			args["request"] = inUnit(b.Request, unit)
		}
		if b.Channel != "" {
			args["channel"] = b.Channel
		}
		r.ops = append(r.ops, op{scheduleEdit, args})
		return true
	case b.Measure != "" && b.Period != "" && whyMoved.MatchString(plain) && moved.MatchString(plain):
		return c.breakDown(text, b, r)
	}
	return false
}

// inRhythm is a schedule at the same time of day in another rhythm. A week begins with the
// day of the week that the schedule has, if it has one for all its times; noDay, if it has
// none, so that the day is to be asked for. It reports false of a schedule with no one time of
// day.
func inRhythm(spec, unit string, now time.Time, loc *time.Location) (when string, noDay, ok bool) {
	s, err := calendar.Parse(spec)
	if err != nil || s.Once() {
		return "", false, false
	}
	times := s.NextN(now, loc, 24)
	if len(times) == 0 {
		return "", false, false
	}
	clock, day := times[0].Nominal[len("2006-01-02T"):], times[0].At.In(loc).Weekday()
	sameDay := true
	for _, t := range times {
		if t.Nominal[len("2006-01-02T"):] != clock {
			return "", false, false
		}
		sameDay = sameDay && t.At.In(loc).Weekday() == day
	}
	days := map[string]string{"day": "* * *", "week": "* * MON", "month": "1 * *", "quarter": "1 1,4,7,10 *"}[unit]
	if unit == "week" && sameDay && len(times) > 1 {
		days = "* * " + strings.ToUpper(day.String()[:3])
	}
	noDay = unit == "week" && !sameDay
	f := strings.Split(clock, ":")
	if len(f) != 2 || days == "" {
		return "", false, false
	}
	s, err = calendar.Parse(strings.TrimPrefix(f[1], "0") + " " + strings.TrimPrefix(f[0], "0") + " " + days)
	return s.String(), noDay, err == nil
}

// inUnit is a request about the period before in another unit.
func inUnit(request, unit string) string {
	for i := range 2 { // en, zh
		for from, words := range lastOf {
			if at := strings.Index(strings.ToLower(request), words[i]); from != unit && at >= 0 {
				return request[:at] + lastOf[unit][i] + request[at+len(words[i]):]
			}
		}
	}
	return request
}

// breakDown shows where a figure of a post has moved: what the rules can say to why. The
// parts of another dimension stand beside the period before.
func (c reader) breakDown(text string, b *llm.Began, r *reading) bool {
	period, err := calendar.ParseRange(b.Period)
	if err != nil {
		return false
	}
	if whole, ok := wholeOf(period, c); ok {
		period = whole
	}
	f := figures{measures: []string{b.Measure}, period: period, compare: []string{"previous_period"}}
	for _, t := range c.scan(simplified(text), nil) {
		if t.kind == value {
			f.where = addValue(f.where, t.in, t.name)
		}
	}
	for _, d := range c.vocabulary.Dimensions {
		used := d.Name == b.By
		for _, w := range f.where {
			used = used || w.Dimension == d.Name
		}
		if !used {
			f.by = []string{d.Name}
			break
		}
	}
	if len(f.by) == 0 {
		return false
	}
	r.groups = append(r.groups, f)
	return true
}

// wholeOf is a period of days as the one unit that it is, so that it is compared with the
// unit before.
func wholeOf(p calendar.Range, c reader) (calendar.Range, bool) {
	days := p.Resolve(c.now, c.loc)
	for _, u := range []calendar.Unit{calendar.Day, calendar.Week, calendar.Month, calendar.Quarter, calendar.Year} {
		whole := calendar.Ago(u, 1).Resolve(days.To, c.loc)
		if !whole.From.Equal(days.From) || !whole.To.Equal(days.To) {
			continue
		}
		word := days.From.Format("2006-01-02")
		switch u {
		case calendar.Week:
			year, week := days.From.ISOWeek()
			word = fmt.Sprintf("%04d-W%02d", year, week)
		case calendar.Month:
			word = days.From.Format("2006-01")
		case calendar.Quarter:
			word = fmt.Sprintf("%d-Q%d", days.From.Year(), (int(days.From.Month())-1)/3+1)
		case calendar.Year:
			word = days.From.Format("2006")
		}
		r, err := calendar.ParseRange(word)
		return r, err == nil
	}
	return p, false
}

// sayEdited says what became of a schedule.
func (w work) sayEdited(said string) string {
	var p planned
	if json.Unmarshal([]byte(said), &p) != nil || p.Job == "" {
		return said
	}
	text := w.pick(fmt.Sprintf("Changed: %s (“%s”) now comes %s (%s).", p.Job, p.Name, p.Say, p.Zone), fmt.Sprintf("已修改：%s（“%s”）现在是%s（%s）。", p.Job, p.Name, p.Say, p.Zone))
	if len(p.Next) > 0 {
		text += w.pick(" Next: ", "下一次：") + w.date(p.Next[0], p.Zone) + w.pick(".", "。")
	}
	return text
}
