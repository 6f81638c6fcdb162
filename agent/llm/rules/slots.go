package rules

import (
	"regexp"
	"slices"
	"strings"

	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// ask words the one question for all missing slots. Choices are offered when
// there is only one.
func (c reader) ask(r reading, slots []string) (string, []string) {
	var questions, choices []string
	for _, s := range slots {
		var q string
		switch s {
		case slotMeasure:
			q, choices = c.pick("Which figures do you mean?", "您指的是哪项数据？"), c.labels(c.vocabulary.Measures)
		case slotDimension:
			q, choices = c.pick("The best of what: by which dimension shall I look?", "是哪方面的最高或最低？按什么来看？"), c.labels(c.vocabulary.Dimensions)
		case slotPeriod:
			q = c.pick("For which period?", "看哪个时间段？")
			choices = []string{"last month", "this month", "last week", "last quarter", "this year"}
			if c.lang == "zh" {
				choices = []string{"上个月", "本月", "上周", "上季度", "今年"}
			}
		case slotChannel:
			q, choices = c.pick("In which channel shall I post it?", "要发到哪个频道？"), c.channelNames()
		case slotWhen:
			q, choices = r.whenAsk, r.choices
		case slotDay:
			q, choices = c.pick("On which day of the week?", "每周几？"), []string{c.pick("on Monday", "周一"), c.pick("on Friday", "周五")}
		case slotJob:
			q, choices = c.pick("Which schedule do you mean? Give its id or its words.", "您指的是哪个定时任务？请说编号或名称。"), nil
			if r.vague {
				q = c.pick("Call off what? A schedule: give its id or its words. What a card asks about: its own button.", "取消什么？如果是定时任务，请说编号或名称；如果是卡片上等待决定的事，请按那张卡片上的按钮。")
			}
		}
		questions = append(questions, q)
	}
	if len(slots) > 1 {
		choices = nil
	}
	return strings.Join(questions, c.pick(" ", "")), choices[:min(5, len(choices))]
}

func (c reader) labels(terms []Term) []string {
	var out []string
	for _, t := range terms {
		out = append(out, c.labelOf(terms, t.Name))
	}
	return out
}

func (c reader) channelNames() []string {
	var out []string
	for _, ch := range c.vocabulary.Channels {
		out = append(out, ch.Name)
	}
	return out
}

var hereOnly = regexp.MustCompile(`(?i)^(?:post it |send it |just )?(?:(?:in |to |right )?here|(?:in|to) this (?:channel|chat|thread|conversation)|this (?:channel|chat|thread)|(?:就)?(?:发到|发在|在|到)?(?:这里|这儿|本频道|本群|这个频道|这个群|当前频道))(?: please|吧)?[.。!！ ]*$`)

var plainChannel = regexp.MustCompile(`^(?i)(?:in |to |into |the |please |发到|到|在|给)*#?([\p{L}\p{N}_\-]{1,80}?)(?: channel|频道|群)?(?: please|吧)?$`)

// amend takes the answer to a question as if it had been part of the text. Each
// missing slot is looked for in it; it may say more.
func (c reader) amend(r reading, answer string) reading {
	slots := c.missing(r)
	answer = strings.TrimSpace(answer)
	if slices.Contains(slots, slotJob) {
		for i, o := range r.ops {
			if which, ok := o.args["job"]; ok && which == "" {
				args := copyOf(o.args)
				args["job"] = answer
				if id := jobPattern.FindString(answer); id != "" {
					args["job"] = id
				}
				r.ops[i] = op{o.name, args}
			}
		}
		return r
	}
	if slices.Contains(slots, slotDay) {
		return c.onDay(r, answer)
	}
	if len(slots) == 1 && slots[0] == slotChannel {
		if hereOnly.MatchString(answer) {
			r.post, r.report = false, true
			return r
		}
		if m := plainChannel.FindStringSubmatch(strings.TrimRight(answer, " .。!！")); m != nil && !strings.HasPrefix(answer, "<") {
			r.sends = []string{"#" + strings.TrimPrefix(m[1], "#")}
			return r
		}
	}
	if slices.Contains(slots, slotWhen) {
		spec, settled := calendar.Schedule{}, false
		if r.either != nil {
			spec, settled = r.either.settle(answer)
		}
		if bareTime.MatchString(answer) {
			answer = c.pick("at "+answer, strings.TrimSuffix(answer, "点")+"点")
		}
		words := r.timed + " " + answer
		when := phrase.Read(words, c.now, c.loc, c.lang)
		if when.Kind != phrase.Recurring && when.Kind != phrase.Once {
			words = answer
			when = phrase.Read(answer, c.now, c.loc, c.lang)
		}
		if when.Kind == phrase.Ask && !when.Spec.IsZero() && when.Skip.IsZero() {
			r.whenAsk, r.choices, r.offered = when.Question, nil, timing{Reading: when}
		}
		less, known := c.lessHolidays(when.Spec)
		if when.SkipHolidays && known {
			when.Spec, when.SkipHolidays = less, false
		}
		switch {
		case saysYes.MatchString(answer) && !r.offered.Spec.IsZero():
			when = phrase.Reading{Kind: phrase.Once, Spec: r.offered.Spec, Note: r.offered.Note}
		case settled:
			when = phrase.Reading{Kind: phrase.Recurring, Spec: spec}
		case when.SkipHolidays:
			r.unclaimed = append(r.unclaimed, holidaysIn(answer))
			return r
		case r.either != nil && when.Kind == phrase.Recurring && !r.either.other(when.Spec):
			when.Kind = phrase.None // the words of before have answered, not the person
		case r.either == nil && (when.NoDay || when.NoTime && lacksTime(phrase.Read(r.timed, c.now, c.loc, c.lang)) || c.halfOfDay(words) != nil):
			when.Kind = phrase.None // still only half of it
		}
		if when.Kind == phrase.Recurring || when.Kind == phrase.Once {
			r.schedule, r.whenAsk, r.whenNote = when.Spec, "", when.Note
			for i := range r.groups {
				if r.groups[i].period.IsZero() {
					r.groups[i].period = roundBefore(r.schedule)
				}
			}
		}
		if len(slots) == 1 {
			return r
		}
	}
	said := c.read(answer)
	if len(said.unclaimed) > 0 || said.chat != "" || len(said.ops) > 0 {
		return r
	}
	if len(said.groups) > 0 {
		said.groups[0].extreme = false
		if len(r.groups) == 0 {
			r.groups = []figures{{}}
		}
		measures := said.groups[0].measures
		r.groups = c.override(r.groups, said.groups[0])
		for i := range r.groups {
			if len(r.groups[i].measures) == 0 {
				r.groups[i].measures = measures
			}
		}
		// The request that a job repeats must say what was answered, too.
		r.inherits = true
	}
	if where := slices.Concat(said.sends, said.whereto); len(where) > 0 && len(r.sends) == 0 {
		r.sends = where
	}
	return r
}

// onDay is a change to once a week, on the day that was asked for.
func (c reader) onDay(r reading, answer string) reading {
	f := strings.Fields(r.clock)
	named := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(strings.Trim(answer, endMarks)), "on "), "every ")
	day := phrase.Read(c.pick("every "+named+" at 9:00", "每周"+strings.TrimLeft(named, "每周星期礼拜")+"上午9点"), c.now, c.loc, c.lang)
	if unit, n := day.Spec.Cycle(); day.Kind != phrase.Recurring || day.NoDay || unit != calendar.Week || n != 1 {
		return r
	}
	if spec := strings.Fields(day.Spec.String()); len(spec) == 5 {
		for i, o := range r.ops {
			if when, ok := o.args["when"]; ok && when == "" {
				args := copyOf(o.args)
				args["when"] = f[0] + " " + f[1] + " * * " + spec[4]
				r.ops[i], r.clock = op{o.name, args}, ""
			}
		}
	}
	return r
}

// saysYes is a yes to a question that offers one thing.
var saysYes = regexp.MustCompile(`(?i)^\W*(?:yes|yep|yeah|yup|sure|ok|okay|right|correct|exactly|of course|fine|that (?:one|day|is right)|yes,? (?:please|that one|that day|exactly|i do)|please do|do that)\W*$|^(?:是|是的|对|对的|没错|嗯|嗯嗯|好|好的|行|可以|就是|就是这天|就这天|那天)[吧啊呀的了]?[。！!，, ]*$`)

var bareTime = regexp.MustCompile(`^\d{1,2}(?:[:：]\d\d)?点?$`)

// lacksTime says whether the time of day is all that was left out.
func lacksTime(r phrase.Reading) bool { return r.NoTime && !r.NoDay }
