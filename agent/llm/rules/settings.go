package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// scheduleSet gives a schedule another owner, or sets what becomes of times that are no
// good ones.
const scheduleSet = "schedule_set"

// What a schedule is called beside a setting of it, and who shall have it. Group 1 is the
// id or the words that name it, if it is not "it".
const (
	whichEn = `(?:(?:it|this|that)|(?:the |my |our |this |that )?(?:schedule|job|reminder|scheduled report)(?:\s+(j[0-9a-f]{6,12}|[“"'][^“”"']{1,60}[”"']))?|(j[0-9a-f]{6,12})|(?:the |my |our )([\p{L}\p{N} _-]{1,40}?) (?:schedule|job|reminder))`
	whichZh = `(?:它|这个|那个|(?:这个|那个|我的)?(?:定时任务|任务|日程|定时报告)\s*(j[0-9a-f]{6,12}|[“"'][^“”"']{1,60}[”"'])?|(j[0-9a-f]{6,12})|([\p{L}\p{N}_-]{1,30}?)(?:的)?(?:定时任务|任务|日程|定时报告))`
)

var (
	handEn = regexp.MustCompile(`(?i)^(?:please |can you |could you )*(?:hand|give|transfer|assign|pass|reassign)(?: over)? ` + whichEn + `(?: over)?(?: to| over to) (<@\w+>|@?[\p{L}\p{N}._:'-]+(?: \p{Lu}[\p{L}'-]+)?)(?: please)?$`)
	handZh = regexp.MustCompile(`^(?:请|麻烦|帮我)*(?:把|将)?\s*` + whichZh + `\s*(?:转交给?|移交给?|转给|交给|转让给|让给|归)\s*(<@\w+>|[@＠]?[\p{L}\p{N}._:-]+?)(?:负责|管理|来管|接手)?(?:吧)?$`)
)

// A setting is one way in which people say what becomes of times that are no good ones.
type setting struct {
	form *regexp.Regexp
	args func(m []string) map[string]any // nil: it says nothing whole
}

// setsTo are the arguments of a setting that is said in one way only.
func setsTo(key, value string) func([]string) map[string]any {
	return func([]string) map[string]any { return map[string]any{key: value} }
}

// wholeForm is a form over all of a text, with what names the schedule before or behind it.
func wholeForm(en, zh string) *regexp.Regexp {
	const (
		leadEn = `(?:please |and |but |then |no,? |ok(?:ay)?,? )*(?:for (?:the )?(?:schedule |job )?(?:j[0-9a-f]{6,12}|it|this|that)\s*[,:]\s*|(?:schedule |job )?j[0-9a-f]{6,12}\s*[,:]\s*)?`
		tailEn = `(?: (?:for|of|on) (?:(?:the |my )?(?:schedule |job )?(?:j[0-9a-f]{6,12})|it|this|that|(?:this|that|the|my) (?:schedule|job|reminder)))?(?: please)?`
		leadZh = `(?:请|麻烦|以后|那|那么)*(?:(?:把|让|对)?(?:定时任务|任务|日程)?\s*(?:j[0-9a-f]{6,12}|它|这个(?:定时)?任务|那个(?:定时)?任务|这个|那个)\s*[,，:：]?\s*)?(?:在)?`
		tailZh = `(?:就好|就行|吧|了|即可)?`
	)
	return regexp.MustCompile(`(?i)^(?:` + leadEn + `(?:` + en + `)` + tailEn + `|` + leadZh + `(?:` + zh + `)` + tailZh + `)$`)
}

const (
	itEn    = `(?:it|this|that|the (?:job|schedule|report)|this (?:job|schedule|report)|anything)`
	missEn  = `(?:(?:what|whatever|the (?:ones?|times?|runs?|slots?)|runs?|times?|slots?|it|any(?:thing)?|ones?)? ?(?:(?:that|which) )?(?:(?:was|were|is|are|has been|have been|got|it has|it|you|we) )?missed(?: (?:runs?|times?|slots?|ones?|reports?))?)`
	offEn   = `(?:(?:it was|it is|you were|you are|we were|we are|hermes was|the (?:bot|program|computer|machine|server) was|was|were) )?(?:offline|off|away|down|asleep|not running)`
	timeEn  = `(\d{1,2}(?:[:.]\d{2})?\s*(?:a\.?m\.?|p\.?m\.?)?|midnight|noon)`
	timeZh  = `((?:凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|晚|夜|早)?\s*(?:\d{1,2}[:：]\d{2}|(?:\d{1,2}|[一二两三四五六七八九十]{1,3})[点时](?:半|[0-5]?\d分?)?)(?:钟)?)`
	nightly = "22:00-07:00"
)

// settings are tried in turn: what says more stands before what says less.
var settings = []setting{
	{wholeForm(
		`(?:don'?t|do not|never) (?:run|post|send|start|do) (?:`+itEn+` )?(?:between|from) `+timeEn+` (?:and|to|until|till) `+timeEn+`|not (?:between|from) `+timeEn+` (?:and|to|until|till) `+timeEn+`|(?:keep (?:it |this )?quiet|(?:set )?quiet hours(?: are)?)(?: (?:between|from))?[: ]*`+timeEn+` ?(?:and|to|until|till|-|–) ?`+timeEn,
		timeZh+`\s*(?:到|至|-|–|~)\s*(?:第二天|次日)?`+timeZh+`(?:之间|期间)?(?:都)?(?:不要|别|不|不能|不可以)(?:再)?(?:跑|运行|执行|发|发送|打扰|做)|(?:静默|安静|免打扰)(?:时间|时段)?(?:设为|设成|是|为)?[:：]?\s*`+timeZh+`\s*(?:到|至|-|–|~)\s*(?:第二天|次日)?`+timeZh),
		func(m []string) map[string]any {
			from, ok := clockIn(m[0])
			to, fine := clockIn(m[1])
			if !ok || !fine || from == to {
				return nil
			}
			return map[string]any{"quiet": from + "-" + to}
		}},
	{wholeForm(
		`(?:don'?t|do not|never) (?:run|post|send|start|do) (?:`+itEn+` )?(?:at|during the|in the) nights?|(?:not|never) (?:at|in the) nights?|no (?:runs?|posts?) at night`,
		`(?:夜里|夜间|晚上|半夜|深夜)(?:都)?(?:不要|别|不|不能)(?:再)?(?:跑|运行|执行|发|发送|打扰)|(?:不要|别)(?:在)?(?:夜里|夜间|晚上|半夜|深夜)(?:跑|运行|执行|发|发送|打扰)`),
		setsTo("quiet", nightly)},
	{wholeForm(`(?:no|remove the|drop the|end the|without|turn off(?: the)?) quiet hours(?: any ?more)?|it may run at night(?: again)?`,
		`(?:取消|去掉|不要|关闭)(?:静默|安静|免打扰)(?:时间|时段)?|(?:夜里|夜间|晚上)(?:也)?(?:可以|能)(?:跑|运行|执行|发|发送)`),
		setsTo("quiet", "default")},
	{wholeForm(
		`(?:run|do|post|send) `+itEn+` late only (?:within|up to) (\d{1,3}) ?(hours?|hrs?|h|minutes?|mins?)|(?:catch up|run (?:`+missEn+`|it late)) (?:only )?(?:within|up to|if (?:it is )?(?:no more|not more|less) than) (\d{1,3}) ?(hours?|hrs?|h|minutes?|mins?)(?: late| after(?:wards)?)?|skip `+itEn+` (?:if|when) (?:it is |it's )?(?:more than|over) (\d{1,3}) ?(hours?|hrs?|h|minutes?|mins?) late`,
		`(?:错过|漏掉|晚了)?(?:的话)?[，,]?(?:超过|晚于|迟于)\s*(\d{1,3})\s*(个?小时|分钟)(?:就)?(?:不用补|不补|不要补|跳过)(?:跑|发)?(?:了)?|(?:错过|漏掉)(?:的|了)?[，,]?(?:只)?在?\s*(\d{1,3})\s*(个?小时|分钟)(?:之?内)(?:才|就|可以)?补(?:跑|发|上)?(?:一次)?`),
		func(m []string) map[string]any {
			n, err := strconv.Atoi(m[0])
			if err != nil || n < 1 {
				return nil
			}
			unit := "h"
			if strings.HasPrefix(strings.ToLower(m[1]), "m") || strings.HasPrefix(m[1], "分") {
				unit = "m"
			}
			return map[string]any{"catch_up": fmt.Sprintf("%d%s", n, unit)}
		}},
	{wholeForm(
		`(?:skip|drop|ignore|leave out|forget) `+missEn+`|(?:don'?t|do not|never) (?:catch up|run|do|post|send|make up for)(?: (?:on|with))? ?(?:`+missEn+`)?(?: (?:when|if|while|since) `+offEn+`)|(?:don'?t|do not|never) (?:catch up|make up)(?: (?:on|for|with) `+missEn+`)?|(?:don'?t|do not|never) (?:run|do|post|send) `+missEn+`|no catch(?:ing)?[- ]?up`,
		`(?:错过|漏掉|漏|错失|离线期间)(?:了)?(?:的)?(?:那些|那次|几次|就)?(?:都)?[，,]?(?:就)?(?:不用|不要|别|不必|无需|不需要)(?:再)?(?:补|补跑|补发|补做|执行|跑|发)(?:了)?|(?:错过|漏掉)(?:了)?(?:的)?(?:就)?(?:算了|跳过|忽略)|(?:跳过|忽略)(?:错过|漏掉)的|(?:不要|别|不用)(?:补跑|补发|补)`),
		setsTo("catch_up", "none")},
	{wholeForm(
		`(?:run|do|post|send) `+itEn+` once(?: (?:when|if|after|since) (?:`+offEn+`|it (?:was|has been|is|got) missed|(?:some|a few|several) (?:were|are) missed))|(?:if|when) (?:it (?:was|is|has been) missed|`+offEn+`)[, ]+(?:then )?(?:run|do|post|send) `+itEn+` once|(?:run|do|post|send) `+missEn+` once|catch up once(?: (?:when|if|after) `+offEn+`)?|catch up (?:on )?`+missEn+`(?: once)?`,
		`(?:错过|漏掉|离线|不在线|没运行|停机)(?:期间|的时候|时)?(?:错过|漏掉)?(?:了|的|的话)?[，,]?(?:就)?(?:只)?(?:要)?(?:补|补跑|补发|补做|跑|发)(?:跑|发|做)?(?:上)?一(?:次|遍|回)|(?:错过|漏掉)(?:了|的)?[，,]?(?:要|就|都|也)?(?:补上|补跑|补发|要补)`),
		setsTo("catch_up", "once")},
	{wholeForm(
		`(?:wait|queue it|let it wait|run it afterwards?)(?: (?:if|while|when|until) (?:the )?(?:one before|last one|previous (?:one|run)|last run) (?:still runs|is still running|has ended|is done|has not ended))`,
		`(?:上一次|前一次|上次|前面的|上一个)(?:还)?(?:没|未|没有)(?:跑|运行|做|执行)?(?:完|结束)(?:的话|时|就)*[，,]?(?:就|那就|先)?(?:等|等待|排队)(?:着|它|一下|它结束|它跑完)?`),
		setsTo("overlap", "wait")},
	{wholeForm(
		`(?:skip|drop) (?:it|one|the next(?: one)?) (?:if|while|when) (?:the )?(?:one before|last one|previous (?:one|run)|last run) (?:still runs|is still running|has not ended)`,
		`(?:上一次|前一次|上次|前面的|上一个)(?:还)?(?:没|未|没有)(?:跑|运行|做|执行)?(?:完|结束)(?:的话|时|就)*[，,]?(?:就|那就)?(?:跳过|不跑|不要跑|别跑)`),
		setsTo("overlap", "skip")},
	{wholeForm(`(?:don'?t|do not|never) (?:re-?try|try again|try it again)(?: (?:it|when it fails|if it fails|after a failure))*|no retries`,
		`(?:失败|出错)(?:了|后|的话)?[，,]?(?:就)?(?:不要|别|不用|不)(?:再)?(?:重试|再试)|(?:不要|别|不用)重试`),
		setsTo("retries", "0")},
	{wholeForm(
		`(?:re-?try(?: it)?|try (?:it )?again)(?: up to| at most)? (\d{1,2}) ?(?:times?|x)(?: (?:when|if) it fails)?|(?:if|when) it fails[, ]+(?:re-?try(?: it)?|try (?:it )?again)(?: up to)? (\d{1,2}) ?(?:times?|x)`,
		`(?:失败|出错)(?:了|后|的话|时)?[，,]?(?:就|请)?(?:最多)?(?:重试|再试)\s*(\d{1,2})\s*次|(?:最多)?重试\s*(\d{1,2})\s*次`),
		func(m []string) map[string]any { return map[string]any{"retries": m[0]} }},
}

// setJob reads a wish to give a schedule to somebody, or to say what becomes of its times
// that are no good ones. It claims a text as a whole or not at all.
func (c reader) setJob(text string, r *reading) bool {
	plain := strings.Trim(strings.TrimSpace(text), endMarks)
	which := func(said string) string {
		switch {
		case said != "":
			return strings.Trim(said, `“”"'`)
		case c.job != "":
			return c.job
		}
		return "it"
	}
	for _, form := range []*regexp.Regexp{handEn, handZh} {
		if m := form.FindStringSubmatch(plain); m != nil {
			r.ops = append(r.ops, op{scheduleSet, map[string]any{"job": which(m[1] + m[2] + m[3]), "owner": m[4]}})
			return true
		}
	}
	for _, s := range settings {
		m := s.form.FindStringSubmatch(plain)
		if m == nil {
			continue
		}
		var said []string
		for _, g := range m[1:] {
			if g != "" {
				said = append(said, g)
			}
		}
		args := s.args(said)
		if args == nil {
			return false
		}
		args["job"] = which(jobPattern.FindString(plain))
		r.ops = append(r.ops, op{scheduleSet, args})
		return true
	}
	return false
}

var (
	clockEn = regexp.MustCompile(`(?i)^(\d{1,2})(?:[:.](\d{2}))?\s*(a|p)?`)
	clockZh = regexp.MustCompile(`^(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|晚|夜|早)?\s*(?:(\d{1,2})[:：](\d{2})|(\d{1,2}|[一二两三四五六七八九十]{1,3})[点时](半|[0-5]?\d)?)`)
)

// clockIn is a time of day as it is written in quiet hours.
func clockIn(said string) (string, bool) {
	said = strings.ToLower(strings.TrimSpace(said))
	var hour, minute int
	switch {
	case said == "midnight":
		hour = 0
	case said == "noon":
		hour = 12
	case languageOf(said) == "zh":
		m := clockZh.FindStringSubmatch(said)
		if m == nil {
			return "", false
		}
		hour = numberOf(m[2] + m[4])
		if m[5] == "半" {
			minute = 30
		} else if n, err := strconv.Atoi(m[3] + m[5]); err == nil {
			minute = n
		}
		switch late := strings.Contains("下午 傍晚 晚上 夜里 晚 夜", m[1]) && m[1] != ""; {
		case late && hour == 12 && m[1] != "下午":
			hour = 0
		case late && hour < 12 && hour >= 4, m[1] == "下午" && hour < 12:
			hour += 12
		}
	default:
		m := clockEn.FindStringSubmatch(said)
		if m == nil {
			return "", false
		}
		hour, _ = strconv.Atoi(m[1])
		minute, _ = strconv.Atoi(m[2]) // empty is none
		switch {
		case m[3] == "p" && hour < 12:
			hour += 12
		case m[3] == "a" && hour == 12:
			hour = 0
		}
	}
	if hour == 24 {
		hour = 0
	}
	if hour < 0 || hour > 23 || minute > 59 {
		return "", false
	}
	return fmt.Sprintf("%02d:%02d", hour, minute), true
}

// numberOf is a number up to 99 in digits or in Chinese; -1 if it is none.
func numberOf(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	digits := map[rune]int{'一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	n, seen := 0, false
	for _, r := range s {
		switch d, ok := digits[r]; {
		case r == '十':
			n, seen = max(n, 1)*10, true
		case ok:
			n, seen = n+d, true
		default:
			return -1
		}
	}
	if !seen {
		return -1
	}
	return n
}

// saySet says what was set of a schedule.
func (w work) saySet(args map[string]any, said string) string {
	var p struct {
		planned
		Policy string
	}
	if json.Unmarshal([]byte(said), &p) != nil || p.Job == "" {
		return said
	}
	called := p.Job + w.pick(" (“"+p.Name+"”)", "（“"+p.Name+"”）")
	if who, ok := args["owner"].(string); ok {
		text := w.pick(called+" belongs to "+who+" now, and runs with their rights.", called+"已交给 "+who+"，以对方的权限运行。")
		if len(p.Next) > 0 {
			text += w.pick(" Next: ", "下一次：") + w.date(p.Next[0], p.Zone) + w.pick(" ("+p.Zone+").", "（"+p.Zone+"）。")
		}
		return text
	}
	if p.Policy == "" {
		return w.pick("Set: "+called+" is as configured again.", "已设置："+called+"恢复为按配置。")
	}
	return w.pick("Set: "+called+". ", "已设置："+called+"。") + p.Policy + w.pick(".", "。")
}
