package rules

import (
	"regexp"
	"strings"

	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// An either is a schedule that is one of two, by the answer to a question.
type either struct {
	question      string
	choices       []string
	first, second calendar.Schedule
	isFirst       *regexp.Regexp
	isSecond      *regexp.Regexp
}

// settle is the schedule that an answer decides for.
func (e *either) settle(answer string) (calendar.Schedule, bool) {
	first, second := e.isFirst.MatchString(answer), e.isSecond.MatchString(answer)
	switch {
	case first == second:
		return calendar.Schedule{}, false
	case first:
		return e.first, true
	}
	return e.second, true
}

// other says whether a schedule is none that was to be had before the answer.
func (e *either) other(s calendar.Schedule) bool {
	return s.String() != e.first.String() && s.String() != e.second.String()
}

var (
	lastDayWords = regexp.MustCompile(`(?i)\blast(?: day)?\b|\binstead\b|\bend of the month\b|最后|月底|月末`)
	notAtAll     = regexp.MustCompile(`(?i)\bnot at all\b|\bskip|\bleave (?:it|them|those) out\b|\b(?:don't|do not|not)\b|跳过|不做|不发|不要|不用|略过`)
)

// shortMonths is what to do in months that lack the day.
func shortMonths(r phrase.Reading) *either {
	if r.Skip.IsZero() || r.Spec.IsZero() || r.Skip.String() == r.Spec.String() {
		return nil
	}
	return &either{first: r.Spec, second: r.Skip, isFirst: lastDayWords, isSecond: notAtAll}
}

var (
	halfSaid  = regexp.MustCompile(`(?i)[ap]\.?m\b|morning|noon|evening|night|day ?time|早|上午|午|晚|凌晨|傍晚|夜|清晨`)
	smallEn   = regexp.MustCompile(`(?i)\bat ((?:half past |(?:a )?quarter (?:past|to) )?(?:[1-6]|one|two|three|four|five|six)(?::[0-5]\d|\.[0-5]\d)?)(?:\s*o'?clock)?(?:$|[\s,;!?])|\b([1-6]:[0-5]\d)\b`)
	smallZh   = regexp.MustCompile(`(?:^|[^0-9十零〇:：第])([1-6一二两三四五六](?:[点时](?:半|一刻|三刻|[0-5]?\d分?)?|[:：][0-5]\d))`)
	nightWord = regexp.MustCompile(`(?i)\ba\.?m\b|\d ?a\.?m\b|night|early|morning|凌晨|早|夜|上午|^0\d[:：]`)
	noonWord  = regexp.MustCompile(`(?i)\bp\.?m\b|\d ?p\.?m\b|afternoon|evening|下午|午后|傍晚|晚|\b1[3-8](?:[:：点]|$)`)
)

// halfOfDay asks which half of the day is meant by an hour from 1 to 5: few mean
// the night, and fewer want to find out by what is posted then. Six is taken as it
// is written, and asked about where it would not be.
func (c reader) halfOfDay(words string) *either {
	if halfSaid.MatchString(words) {
		return nil
	}
	var night, noon, clock string
	if m := smallZh.FindStringSubmatchIndex(words); m != nil && languageOf(words) == "zh" {
		clock = words[m[2]:m[3]]
		night, noon = words[:m[2]]+"凌晨"+words[m[2]:], words[:m[2]]+"下午"+words[m[2]:]
	} else if m := smallEn.FindStringSubmatchIndex(words); m != nil {
		start, end := max(m[2], m[4]), max(m[3], m[5])
		clock = words[start:end]
		night, noon = words[:end]+" am"+words[end:], words[:end]+" pm"+words[end:]
	} else {
		return nil
	}
	a, b := phrase.Read(night, c.now, c.loc, c.lang), phrase.Read(noon, c.now, c.loc, c.lang)
	if a.Kind != b.Kind || a.Kind != phrase.Recurring && a.Kind != phrase.Once || a.Spec.String() == b.Spec.String() {
		return nil
	}
	if six.MatchString(clock) && phrase.Read(words, c.now, c.loc, c.lang).Spec.String() == a.Spec.String() {
		return nil
	}
	e := &either{first: a.Spec, second: b.Spec, isFirst: nightWord, isSecond: noonWord}
	e.question = c.pick("Do you mean "+clock+" in the early morning or in the afternoon?", clock+"是指凌晨还是下午？")
	e.choices = []string{clock + " am", clock + " pm"}
	if c.lang == "zh" {
		e.choices = []string{"凌晨" + clock, "下午" + clock}
	}
	return e
}

var six = regexp.MustCompile(`(?i)(?:^| )(?:6|six|六)`)

var everyDayName = regexp.MustCompile(`(?i)\bevery (?:other )?(?:mon|tue|wed|thu|fri|sat|sun)|每(?:个)?(?:周|星期)[一二三四五六日天]`)

// lostDay says whether a day of the week was said and the schedule goes by none:
// "from next week, post it every Tuesday".
func lostDay(words string, s calendar.Schedule) bool {
	return everyDayName.MatchString(words) && strings.Contains(s.String(), "FREQ=DAILY") && !strings.Contains(s.String(), "BYDAY")
}

var holidays = regexp.MustCompile(`(?i)(?:[a-z']+ ){0,2}(?:except|excluding|but not|besides|other than|apart from)(?: [a-z']+){0,3} holidays?\b|(?:除了?|不含|不包括|排除)[^，。,;；]{0,8}?(?:节假日|假日|假期|节日)(?:以外|之外|外)?|(?:法定)?(?:节假日|假日|假期|节日)(?:除外|不算|不发|不做)?`)

// holidaysIn are the words that except holidays. Which days these are nobody has
// told us, so the exception cannot be kept.
func holidaysIn(text string) string {
	m := strings.TrimSpace(holidays.FindString(text))
	if i := strings.Index(strings.ToLower(m), "except"); i > 0 {
		m = m[i:]
	}
	if m == "" {
		return "holidays"
	}
	return m
}

// namesHoliday says whether what was taken for times speaks of holidays.
func namesHoliday(words string) bool {
	words = strings.ToLower(words)
	return strings.Contains(words, "holiday") || strings.Contains(words, "假日")
}

// nthJob are orders about the first, or another, of a list that only the person
// has before them.
var nthJob = regexp.MustCompile(`(?i)^(?:please )?(pause|suspend|stop|resume|unpause|restart|delete|cancel|remove) (?:the )?(?:first|second|third|fourth|last|1st|2nd|3rd)(?: (?:one|schedule|job|task|report|of them))?[.! ]*$|^(?:请|麻烦|帮我)*(暂停|停掉|停止|恢复|继续|删除|取消|删掉)(?:第[一二两三四五1-9]|最后一)(?:个|条|项)(?:任务|定时任务|计划|报告)?(?:吧)?[。! ！]*$|^(?:请|麻烦|帮我)*把?(?:第[一二两三四五1-9]|最后一)(?:个|条|项)(?:任务|定时任务|计划|报告)?(暂停|停掉|停止|恢复|删除|取消|删掉|删了|停了)(?:吧|了)?[。! ！]*$`)

// nthJobOp is what such an order comes to: the tool knows which there are.
func nthJobOp(text string) (op, bool) {
	m := nthJob.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return op{}, false
	}
	action := "delete"
	switch strings.ToLower(m[1] + m[2] + m[3]) {
	case "pause", "suspend", "stop", "暂停", "停掉", "停止", "停了":
		action = "pause"
	case "resume", "unpause", "restart", "恢复", "继续":
		action = "resume"
	}
	return op{scheduleChange, map[string]any{"job": "it", "action": action}}, true
}

// nextRun are questions that the list of schedules answers.
var nextRun = regexp.MustCompile(`(?i)^(?:please )?(?:and )?(?:(?:when|what time) (?:does|will|is|do|are) (?:it|this|that|they|the (?:next|job|schedule|report|task)|j[0-9a-f]{6,12}|my (?:job|schedule|report)s?)(?: (?:job|schedule|report|task|one))?(?: (?:next|be|going to|scheduled to))*(?: (?:run|runs|running|go out|posted|sent|happen|due|scheduled|next run))?(?: next| again)?|(?:show|display|view|list|describe|what is|what's|see)(?: me)?(?: the)? (?:schedule|job|task)s? j[0-9a-f]{6,12}|(?:when is the |next )next run|next run)[?.! ]*$|^(?:请问|请)?(?:它|这个|那个)?(?:任务|定时任务|报告)?(?:下次|下一次|下回|接下来)(?:是)?(?:在)?(?:什么时候|何时|几点|哪天)(?:会)?(?:再)?(?:跑|执行|运行|发|做|开始|发送)?(?:呢|啊)?[？?。 ]*$|^(?:请)?(?:显示|查看|看看|看一下|看)(?:一下)?(?:定时任务|任务|计划) ?j[0-9a-f]{6,12}[？?。 ]*$`)

// bottomPattern is the last few of something. query_metric gives the first few.
var bottomPattern = regexp.MustCompile(`(?i)\b(?:worst|bottom|lowest|smallest|weakest|poorest|least) (?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twenty)\b|\b(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twenty) (?:worst|lowest|smallest|weakest|poorest)\b|(?:最差|最低|最少|最小|最弱)的?(?:后|前)?(?:\d{1,3}|[二两三四五六七八九十]+) ?(?:个|名|位|家|种|款)|(?:倒数|垫底的?|后)(?:前)?(?:\d{1,3}|[二两三四五六七八九十]+)(?:个|名|位|家)`)

var sinceLast = regexp.MustCompile(`(?i)\bthis (week|month|quarter|year)\b[^,.;?!]{0,40}\b(?:vs\.?|versus|against|with|than|compared to|and) (?:the )?last(?: one)?[ ?.!]*$`)

// untilLast ends "this month vs last" with the word that it leaves out.
func untilLast(text string) string {
	m := sinceLast.FindStringSubmatchIndex(text)
	if m == nil {
		return text
	}
	unit := text[m[2]:m[3]]
	cut := strings.TrimRight(text, " ?.!")
	if rest, ok := strings.CutSuffix(cut, " one"); ok {
		cut = rest
	}
	return cut + " " + unit
}
