package rules

import (
	"regexp"
	"slices"
	"strings"

	"hermes/scheduler/calendar"
)

// The same words say when to act and what the figures are about: "on December 5th
// at 9 post …" and "the sales of December 5th", "every month" and "sales for each
// month". What stands beside them decides.
var (
	clockBehind = regexp.MustCompile(`(?i)^,?\s*(?:at|around|by|@)\s*(?:\d{1,2}\b|noon|midnight|half|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|^,?\s*\d{1,2}(?:[:.]\d\d)?\s*[ap]\.?m\b|^,?\s*\d{1,2}:\d\d|^,?\s*(?:(?:in the )?(?:morning|afternoon|evening)|noon|midnight)\b` +
		`|^的?\s*(?:凌晨|清晨|早|上午|中午|正午|下午|傍晚|晚|夜里)|^的?\s*(?:\d{1,2}|[一二两三四五六七八九十]{1,3})\s*[点时:：]`)
	clockBefore = regexp.MustCompile(`(?i)(?:\bat\s+(?:\d{1,2}(?::\d\d)?|noon|midnight)(?:\s*[ap]\.?m\.?)?|\b\d{1,2}(?::\d\d)?\s*[ap]\.?m\.?|\b\d{1,2}:\d\d),?\s+(?:on\s+)?(?:the\s+)?$`)
	anyClock    = regexp.MustCompile(`(?i)\bat\s+(?:\d{1,2}\b|noon|midnight)|\d{1,2}\s*[ap]\.?m\b|\d{1,2}[:：]\d\d|[\d一二两三四五六七八九十][点时]|\bin (?:\d+|an?|two|three) (?:minute|hour)|(?:分钟|小时)后`)
	possessive  = regexp.MustCompile(`(?i)^(?:'s|’s|s')\b|^的`)

	roundBeforeDay = regexp.MustCompile(`(?i)\b(?:(?:every|each)(?:\s+(?:other|second|third|\d+(?:st|nd|rd|th)?))?(?:\s+(?:months?|quarters?|years?))?|monthly|quarterly|yearly|annually),?(?:\s+(?:on|in))?(?:\s+the)?\s+$|每(?:隔)?(?:[一两二三四五六\d]*个?)(?:月|季度|季|年)?的?\s*$`)
	boundBefore    = regexp.MustCompile(`(?i)\b(?:from|starting(?:\s+(?:from|on))?|beginning(?:\s+on)?|until|till|through|up to)\s+(?:the\s+)?$|(?:从|自|由|直到|截至|截止)\s*$`)
	boundBehind    = regexp.MustCompile(`^(?:起|开始|为止)`)
	anyRound       = regexp.MustCompile(`(?i)\b(?:every|each|daily|weekly|monthly|quarterly|yearly|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b|每`)
	inMonth        = regexp.MustCompile(`(?i)\bin\s+$`)
	ofDay          = regexp.MustCompile(`(?i)\b(?:of|for|in|during)\s+(?:the\s+)?$`)
	onDay          = regexp.MustCompile(`(?i)\bon\s+(?:the\s+)?$`)
	hanAct         = regexp.MustCompile(`^\s*(?:再|都|就)?\s*(?:把|将|给|请|发|推送|提醒|做|跑|汇报|在)`)
)

// figureKind says whether a token is of what is wanted to be known.
func figureKind(k kind) bool {
	return k == measure || k == dimension || k == value || k == trend
}

// beside returns what stands before and behind tokens[i], fillers aside.
func beside(tokens []token, i int) (before, behind kind) {
	before, behind = separator, separator
	for _, t := range slices.Backward(tokens[:i]) {
		if t.kind != filler {
			before = t.kind
			break
		}
	}
	for _, t := range tokens[i+1:] {
		if t.kind != filler {
			behind = t.kind
			break
		}
	}
	return before, behind
}

func hasToken(tokens []token, kinds ...kind) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return slices.Contains(kinds, t.kind) })
}

// owned says whether what a token names is of something else: "today's sales",
// 12月5号的销售额, but not 12月5号的早上9点.
func owned(text string, t token) bool {
	words, behind := text[t.start:t.end], text[t.end:]
	for _, s := range []string{"'s", "’s", "s'", "s’"} {
		if strings.HasSuffix(words, s) {
			return true
		}
	}
	return possessive.MatchString(behind) && !clockBehind.MatchString(behind)
}

// dayToAct says whether a period that lies behind is rather when to act. Of a day
// without its year the next one is meant then, and the last Friday is one of each
// month.
func dayToAct(text string, tokens []token, i int) bool {
	t := tokens[i]
	name := t.period.Range.String()
	day := strings.HasPrefix(name, "day:") || t.period.Range.Absolute() && t.period.Range.Unit() == calendar.Day
	before, behind := text[:t.start], text[t.end:]
	if owned(text, t) {
		return false
	}
	prev, next := beside(tokens, i)
	switch {
	case roundBeforeDay.MatchString(before):
		return day || strings.HasPrefix(name, "weekday:") || strings.HasPrefix(name, "month:") || name == "yesterday"
	case strings.HasPrefix(name, "month:") && hasToken(tokens, send, again) && alsoPeriod(tokens, i):
		return !figureKind(prev) && (inMonth.MatchString(before) || hanAct.MatchString(behind)) // "in December post last year's sales"
	case !day:
		return false
	case (boundBefore.MatchString(before) || boundBehind.MatchString(behind)) && anyRound.MatchString(text):
		return !figureKind(prev)
	case strings.Contains(name, ".."):
		return false
	case clockBehind.MatchString(behind), clockBefore.MatchString(before) && onDay.MatchString(before):
		return true
	case !hasToken(tokens, send, again), ofDay.MatchString(before), figureKind(prev):
		return false
	}
	return onDay.MatchString(before) || hanAct.MatchString(behind) || !figureKind(next)
}

func count(tokens []token, k kind) (n int) {
	for _, t := range tokens {
		if t.kind == k {
			n++
		}
	}
	return n
}

// A todayRole is what "today" is in a request.
type todayRole int

const (
	todaysFigures todayRole = iota // today's sales
	todayToAct                     // today at 18:00
	todayIsNow                     // post it today
)

func roleOfToday(text string, tokens []token, i int) todayRole {
	t := tokens[i]
	before, behind := text[:t.start], text[t.end:]
	prev, next := beside(tokens, i)
	switch {
	case clockBehind.MatchString(behind), clockBefore.MatchString(before):
		return todayToAct
	case owned(text, t):
		return todaysFigures
	case boundBefore.MatchString(before) && !figureKind(prev):
		return todayToAct
	case !hasToken(tokens, send, again), ofDay.MatchString(before), figureKind(prev), figureKind(next) && !hanAct.MatchString(behind):
		return todaysFigures
	case anyClock.MatchString(text):
		return todayToAct
	case !alsoPeriod(tokens, i):
		return todaysFigures // "post sales by region, today": nothing else says of when
	}
	return todayIsNow
}

// alsoPeriod says whether another period is spoken of beside tokens[i].
func alsoPeriod(tokens []token, i int) bool {
	return slices.ContainsFunc(tokens, func(o token) bool { return o.kind == period && o.start != tokens[i].start })
}

// ofFigures says whether a period that is not over belongs to what stands beside it:
// "next month's sales", "report on sales for 2026-11-02".
func ofFigures(text string, tokens []token, i int) bool {
	t := tokens[i]
	before, behind := text[:t.start], text[t.end:]
	switch {
	case owned(text, t):
		return true
	case t.period.Range.Unit() != calendar.Day || !t.period.Range.Absolute() || clockBehind.MatchString(behind):
		return false
	}
	prev, next := beside(tokens, i)
	return figureKind(prev) || figureKind(next) && !onDay.MatchString(before) && !hanAct.MatchString(behind)
}

var (
	cycleWords = regexp.MustCompile(`(?i)^(?:(?:every|each)\s|(?:daily|weekly|monthly|quarterly|yearly|annual|annually)$)|^每`)
	forCycle   = regexp.MustCompile(`(?i)\b(?:for|by|per|in|over|during)\s+$`)
	ofCycle    = regexp.MustCompile(`(?i)(\S*)\s+of\s+$`)
	dayWord    = regexp.MustCompile(`(?i)^(?:days?|start|beginning|end|first|last|middle|\d{1,2}(?:st|nd|rd|th)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$`)
	hanTime    = regexp.MustCompile(`^\s*(?:[一二三四五六日天末]|\d|早|上午|中午|下午|晚|凌晨|傍晚|最后|第|月|底|初|首|工作日|周)`)
	hanEach    = regexp.MustCompile(`^\s*(?:$|[，,。；;、！!]|再|都|就|把|将|给|请|自动|定时|固定|准时|按时|定期|发|推送|做|跑|汇报|在|来|重复|执行)`)
)

// cutsFigures says whether a word for a rhythm is what figures are by, and no time
// to act: "by month", "monthly sales", 每个月的销售额. start is where the word
// begins, with an "every" before it.
func cutsFigures(text string, tokens []token, i int) (start int, cuts bool) {
	t := tokens[i]
	start = t.start
	if i > 0 && tokens[i-1].kind == by && strings.TrimSpace(text[tokens[i-1].end:t.start]) == "" {
		start = tokens[i-1].start
	}
	words := text[start:t.end]
	if !cycleWords.MatchString(words) {
		return start, units[strings.ToLower(words)] == "" // a bare unit: 第一个周一
	}
	before, behind := text[:start], text[t.end:]
	prev, next := beside(tokens, i)
	if start < t.start {
		prev, _ = beside(tokens, i-1)
	}
	if !ascii(words) {
		rest, of := strings.CutPrefix(behind, "的")
		switch {
		case hanTime.MatchString(rest):
			return start, false
		case of:
			return start, true
		}
		return start, !hanEach.MatchString(behind) && figureKind(next)
	}
	if m := ofCycle.FindStringSubmatch(before); m != nil {
		return start, !dayWord.MatchString(m[1])
	}
	switch {
	case forCycle.MatchString(before):
		return start, true
	case !isAdverb(words):
		return start, false
	case figureKind(next):
		return start, true
	}
	return start, figureKind(prev) && saysLonger(tokens, t.name)
}

// saysLonger says whether a period is spoken of that has several of a unit in it:
// "sales monthly for 2025".
func saysLonger(tokens []token, unit string) bool {
	rank := []string{"day", "week", "month", "quarter", "half_year", "year"}
	return slices.ContainsFunc(tokens, func(t token) bool {
		return t.kind == period && slices.Index(rank, string(t.period.Range.Unit())) > slices.Index(rank, unit)
	})
}
