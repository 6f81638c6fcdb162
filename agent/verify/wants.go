package verify

import (
	"slices"
	"strings"

	"hermes/agent/run"
)

// A Want is an act that a request asks for: without it the work is not done.
type Want struct {
	Act run.Act
	// Later says that it need not be now: a schedule that will do it is as good.
	Later bool
}

// longest is how much of a text is read: what people want stands at its beginning.
const longest = 4000

// Wants returns the acts that people ask for in what they said, the first text first;
// each act once, in the order of run.Acts. A later word against an act takes it back.
//
// It would rather miss a want than make one up: a request that is held against what
// nobody asked for costs a round and a false word under a good answer. So what may be
// a question, a condition, a denial, a quotation or something to be written asks for
// nothing.
func Wants(texts ...string) []Want {
	var found []Want
	later := false
	for _, text := range texts {
		if len(text) > longest {
			text = strings.ToValidUTF8(text[:longest], "")
		}
		low := strings.ToLower(text)
		if len(found) == 0 && !holds(low, wantStems...) {
			continue
		}
		for _, s := range sentences(plain(low)) {
			if foreign().MatchString(s.text) {
				break // what follows is something to work on
			}
			for _, w := range append(s.wantsEn(), s.wantsZh()...) {
				found, later = taken(found, w), later || w.whole
			}
		}
	}
	for i := range found {
		found[i].Later = found[i].Act != run.Scheduled && (found[i].Later || later)
	}
	if len(found) == 0 {
		return nil
	}
	order := run.Acts()
	slices.SortFunc(found, func(a, b Want) int { return slices.Index(order, a.Act) - slices.Index(order, b.Act) })
	return found
}

// A wanted is a Want, or with not what takes it back. whole is set if it is a schedule
// for all that is asked for: "every Monday at 9, post it". To be reminded is none, and
// neither is to do once more what is done now: "and do this every month".
type wanted struct {
	Want
	not, whole bool
}

// taken is what is wanted after one more word.
func taken(all []Want, w wanted) []Want {
	i := slices.IndexFunc(all, func(x Want) bool { return x.Act == w.Act })
	switch {
	case w.not && i >= 0:
		return slices.Delete(all, i, i+1)
	case w.not:
	case i < 0:
		return append(all, w.Want)
	default:
		all[i].Later = all[i].Later && w.Later
	}
	return all
}

// wantStems are parts of words without which nothing is asked for.
var wantStems = []string{
	"post", "publish", "announc", "upload", "forward", "broadcast", "send", "mail", "messag", "dm ", "text ", "ping ", "notif", "alert", "inform", "shar", "tell ", "let ",
	"remind", "set ", "alarm", "schedul", "every", "each ", "daily", "weekly", "monthly", "recurring",
	"delet", "remov", "eras", "cancel", "clear", "forget",
	"paus", "resum", "abl", "updat", "chang", "edit", "renam", "modif", "remember", "sav", "export", "writ", "note", "jot", "from now on", "put ", "add ", "enter", "record", "#", "@", "slack", "channel", "group",
	"stop", "kill", "discontinu", "unsubscrib", "get rid", "wake", "nudge", "call ", "buzz", "make sure", "ensure", "see that",
	"发", "贴", "推", "转", "通知", "告", "提醒", "设", "定", "每", "闹钟", "删", "取消", "清", "移除", "撤", "忘", "暂停", "恢复", "改", "更", "记", "存", "导出", "写", "从现在起", "以后", "停", "关", "终止", "退订", "点",
}

// foreign begins what hands over a text to be worked on; what stands in that is not
// said to the bot.
var foreign = re(`^(?:(?:please|can you|could you|请|帮我|麻烦)\s*)*(?:translate|proofread|rephrase|reword|rewrite|paraphrase|correct|spell|decode|classify|analy[sz]e (?:this|the following)|summari[sz]e (?:this|the following)|翻译|改写|润色|校对|纠正|修改这句|分析这)`)

const (
	// det is how what is acted on begins, which tells a verb from a noun.
	det = `(?:(?:it|this|that|these|those|them|the|a|an|my|our|your|his|her|its|their|all|everything|both|another|today's|yesterday's|last|same)\b|[#@∎])`
	// person is somebody who is not who asks.
	person = `(?:[@#∎]\S*|everyone|everybody|him|her|them|(?:the|my|our) [\w' ]{0,24}?(?:team|boss|manager|channel|group|list|people|colleagues?|customers?|department|board|mom|mother|dad|father|wife|husband|sister|brother|friends?)\b)`
	// cadence is again and again, and moment a time of the day or the month.
	cadence = `(?:\b(?:every|each) (?:other |single |second )?(?:\d+ |few )?(?:days?|weeks?|months?|quarters?|years?|hours?|minutes?|mornings?|evenings?|nights?|weekdays?|(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:days?)?\b|1st\b|first\b|last\b)|\b(?:daily|weekly|monthly|hourly|quarterly|yearly)\b)`
	moment  = `(?:\bat (?:\d|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|\d ?(?:am|pm)\b|\d:\d\d|\bon the (?:\d|first|last))`
	// dest is where something is brought so that others see it.
	dest = `(?:#\S|slack\b|[\w.+-]+@[\w-]+\.\w|(?:the|our) [\w' -]{0,24}?(?:channel|group)\b)`
	// halt is an end put to what comes again and again.
	halt = `(?:(?:stop|cancel|kill|discontinue|terminate|get rid of|unsubscribe (?:me|us) from) (?:(?:the|my|our|that|this|these|those|all|your) )*[\w' -]{0,30}?(?:reports?|digests?|summar(?:y|ies)|newsletters?|updates?|alerts?|reminders?|alarms?|notifications?|posts|schedules?|jobs?|automations?)|unsubscribe (?:me|us)|(?:remove|drop|end|delete|turn off|switch off) (?:(?:the|my|our|that|this|all) )+(?:[\w'-]+ ){0,2}?(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)day|daily|weekly|monthly|nightly|recurring|scheduled|morning|evening)(?: [\w'-]+)? (?:reports?|digests?|summar(?:y|ies)|updates?|posts?|alerts?))(?: (?:please|now|for good|at once|again))*`
)

// posting is where wishes has what people want to be posted.
const posting = 1

// wishes are what a request in English may begin with, once what is only polite is
// taken off; not are words with which it is none of them.
var wishes = []struct {
	act       run.Act
	stems     []string
	says, not lazy
}{
	{
		run.Scheduled,
		[]string{"remind", "alarm", "schedul", "recurring", "every", "each ", "daily", "weekly", "monthly", "hourly", "quarterly", "yearly", " me", " us"},
		re(`^(?:remind (?:me|us|` + person + `|[a-z]+) (?:(?:to|that|on|at|in|tomorrow|tonight|every|each|next|later|for|daily|weekly|monthly)\b|about .*` + later + `)` +
			`|(?:set(?: up)?|create|add|make|give me|start)\b.{0,40}\b(?:reminders?|alarms?|(?:recurring|scheduled|cron|monthly|weekly|daily) (?:job|task|report|post|reminder|run|message|summary)|schedule (?:that|to|which))\b` +
			`|(?:re)?schedule ` + det + `.*(?:` + later + `|` + cadence + `|` + moment + `|\bfor\b)` +
			`|(?:do|run|repeat|post|send|make|generate|prepare|create|share) (?:it|this|that|so|the same)\b.*` + cadence +
			`|(?:summari[sz]e|post|report|generate|make|create|prepare|check|run|send|e-?mail|share|publish|show|give|tell|get|list|analy[sz]e|write)\b.*` + cadence + `.*` + moment +
			`|(?:wake|ping|nudge|buzz|poke)(?: up)? (?:me|us)\b.*(?:` + later + `|` + moment + `)` +
			`|(?:call|text|dm) (?:me|us)\b(?: up)? ` + moment +
			`|` + cadence + `.*` + moment + `)`),
		re(`^remind (?:me|us) (?:again )?(?:what|how|who|where|which|why|whether|of)\b|\b(?:reminder|alarm) (?:app|clock|settings?)\b`),
	},
	{
		run.Posted,
		[]string{"post", "publish", "announc", "upload", "forward", "broadcast", "send", "mail", "messag", "dm ", "text ", "ping ", "notif", "alert", "inform", "shar", "tell ", "let ", "#", "@", "slack", "channel", "group", "make sure", "ensure", "see "},
		re(`^(?:(?:re-?|cross-?)?(?:post|publish|announce|upload|forward|broadcast) (?:` + det + `|(?:to|in|on|into) (?:#|the\b|slack\b)|.* (?:to|in|into) (?:#\S|the [\w ]{0,20}channel\b|slack\b))` +
			`|(?:re-?)?send (?:` + det + `.* to \S|(?:it|this|that|them|those)(?: out| off| now| again)*$|` + person + ` \S|(?:an? )?(?:e-?mails?|messages?|dms?|texts?|notifications?|invites?|invitations?|reminders?) (?:to|about|saying|that|out)\b|.* to (?:` + person + `|slack\b))` +
			`|send [a-z]+ (?:a|an|the|this|that|my|our)\b` +
			`|(?:e-?mail|message|dm|text|ping|notify|alert|inform) (?:` + person + `|(?:it|this|that|the|my|our)\b|[a-z]+ (?:the|a|an|that|this|about|saying|and|when|i|i'm)\b)` +
			`|(?:put|drop|place|stick|pop|throw|toss|paste|leave|dump|share|pin|announce) .*\b(?:to|in|into|on|onto|with) ` + dest +
			`|(?:report|submit|deliver|get|bring|slide|shoot|pass|hand|push|move|copy|relay|give|e-?mail|cc|slack) .*\b(?:to|into|onto) ` + dest +
			`|(?:(?:i|we)(?:'d| would)? (?:need|want|like)(?: to have| to see)?|have) .* (?:in|on|to|into) ` + dest +
			`|(?:make sure|ensure|see to it|see)(?: that)? (?:#\S+|` + person + `|(?:the|our) [\w' -]{0,24}?(?:channel|group)) (?:sees?|gets?|knows?|hears?|has|have|receives?|is told|are told|is informed)\b` +
			`|share ` + det + `.* (?:to|with|in|on) (?:` + person + `|the\b|slack\b|[a-z]+$)` +
			`|(?:tell|let) (?:` + person + `|[a-z]+)(?: (?:that|about|know|i|i'm)\b))`),
		re(`^(?:\S+ )(?:me|us|you|back|along|myself|one|of)\b|^(?:\S+ )over (?:the|it|this|that|all)\b|^(?:i|we|have) .*\b(?:messages?|posts?|threads?|conversations?|discussions?|people|members?|activity|history|count|number of|list of|what|who|how|said|posted)\b|\b(?:to|with) (?:me|us|myself|you|the (?:top|bottom|beginning|end|left|right|table|chart|list|answer|next|point|nearest|closest))\b|\b(?:here|below|above|in this (?:thread|chat|conversation|channel|reply|answer))\b|^(?:let|tell) (?:it|this|that)\b|^(?:post|text|message|alert|e-?mail|forward) (?:the |a |my |our )?(?:count|volume|rate|number|address)`),
	},
	{
		run.Deleted,
		[]string{"delet", "remov", "eras", "cancel", "clear", "unschedul", "forget", "stop", "kill", "discontinu", "terminat", "rid of", "unsubscrib", "drop ", "end ", " off "},
		re(`^(?:` + halt + `$|(?:delete|erase|remove|cancel|clear|unschedule|turn off) .*\b(?:reminders?|alarms?|schedules?|jobs?|preferences?|facts?|memory|memories|messages?|posts?|automations?|recurring)\b|(?:delete|erase|unschedule) (?:it|this|that)(?: now| again| please)*$|forget (?:that (?:i|my|we|our)|what (?:i|you|we)|my|everything|all|the fact)\b)`),
		re(`\b(?:columns?|rows?|cells?|tables?|charts?|duplicates?|outliers?|filters?|from (?:the|this|that|my|your) (?:report|answer|summary|table|chart|list|text|analysis|draft))\b`),
	},
	{
		run.Changed,
		[]string{"paus", "resum", "abl", "updat", "chang", "edit", "renam", "modif", "set ", "writ", "put ", "add ", "enter", "record"},
		re(`^(?:(?:pause|resume|disable|enable|unpause) .*\b(?:reminders?|alarms?|schedules?|jobs?|reports?|automations?|posts?)\b|(?:update|change|edit|rename|modify|adjust|set) (?:(?:the|my|our|that|this|all|your) )+[\w' ]{0,30}` + lasting + `|(?:write|enter|put|add|record) .*\b(?:to|into|in) (?:the |our |my )?(?:crm|database|ticket)\b)`),
		re(`\bjob (?:title|market|offer)|\b(?:columns?|tables?|charts?)\b`),
	},
	{
		run.Remembered,
		[]string{"remember", "sav", "export", "writ", "note", "jot", "from now on"},
		re(`^(?:remember(?::| (?:that|this|my|i|we|our|the|it)\b)|save (?:it|this|that|these|those|the|my|all|everything|a copy|∎)|export (?:(?:it|this|that|these|those|them|the|all|my|our|everything)\b|∎|.* (?:as|to|into) (?:an? )?(?:csv|excel|xlsx?|pdf|file|spreadsheet|markdown|json)\b)|(?:write|note|jot) (?:it |this |that )?down\b|(?:make|take) a note\b|write (?:it|this|that|the|a|all) .*(?:to|into) (?:a |the |my |your )?(?:file|memory)\b|from now on\b)`),
		re(`^save (?:the|my) (?:day|time|date|money|planet|world)\b|^remember the (?:time|day|days)\b`),
	},
}

var (
	// andThen parts a clause where another wish may begin.
	andThen = re(`\s+(?:and|then|and then|and also)\s+`)
	// askFor is what may stand before a wish without changing it.
	askFor = re(`^(?:(?:please|kindly|pls|plz|hey|hi|hello|ok|okay|so|now|then|and|also|just|next|finally|afterwards|after (?:that|this)|first|lastly|yes|sure|thanks|thank you|great|hermes|can (?:you|u)|could (?:you|u)|will you|would you(?: mind| be able to| please)?|i(?:'d| would) like you to|i (?:want|need) you to|let's|help me(?: to)?|go ahead(?: and)?|make sure (?:to|you|that you)|be sure to|(?:don't|do not) forget to|remember to|immediately|automatically|quickly|right away|me|to me)\b[ ,!]*|@\S+ )*`)
	// wonders begins a sentence that wants to know, and hangs one that hangs on something.
	wonders = re(`^(?:(?:and|so|but|or|hi|hey|hello|ok|okay|please|also|now|tell me|can you tell me|could you tell me|do you know|i wonder|i(?:'d| would) like to (?:know|find out)|i (?:want|need) to (?:know|find out)|explain(?: to me)?|show me|help me understand|walk me through)[ ,]*)*(?:how|why|when|where|who|whom|whose|which|whether|do (?:you|i|we|they|the|these|those|people)|does|did|is|are|was|were|am|has|have (?:you|i|we|they|the|there|it)|had|should|shall|may|might|can (?:i|we|it|this|the|they|one|people)|could (?:i|we|it|this|the|they|one)|will (?:it|this|the|they|i|we)|would (?:it|this|the|they|i|we)|what(?:'s| is| are| does| do| did| if| happens| was the difference))\b`)
	what    = re(`^(?:\w+[ ,]+){0,3}what\b`)
	hangs   = re(`\b(?:if|unless|whenever|in case|provided|otherwise|as soon as|e\.g|pretend|imagine|suppose|would have)\b|(?:^|[^@.\w-])example\b|^(?:once|after (?:i|you|we|they|he|she|the)|before|until|while|in order to|to)\b`)
	courts  = re(`\b(?:can|could|will|would) (?:you|u)\b|\bplease\b|\bmind\b`)
	// denies is of a clause that wants it not, and gives up of all that was wanted.
	denies = re(`\b(?:don't|do not|dont|never|not|no|without|stop|avoid|rather than|instead of|no longer|needn't|must not|shouldn't)\b`)
	halts  = re(`^` + halt + `$`)
	denied = re(`\b(?:post|send|publish|share|mail|message|notify)(?:ing)?\b`)
	giveUp = re(`^(?:(?:please|ok|okay|actually|no|oh)[ ,]*)*(?:never ?mind|forget (?:it|that|about it)|scrap (?:it|that)|cancel (?:it|that|this)|call it off)$`)
	// again says that what was said before is to be done at other times too.
	again  = re(`^(?:do|run|repeat|post|send|make|generate|prepare|create|share) (?:it|this|that|so|the same)\b`)
	ring   = re(`^remind\b|\b(?:reminder|alarm)s?\b|提醒|闹钟`)
	placed = re(`\b(?:to|in|into|on) (?:#\S|the [\w ]{0,20}channel\b|slack\b)|\bremind\b`)
	soonEn = re(later + `|` + cadence)
)

// wantsEn returns what a sentence asks for in English.
func (s sentence) wantsEn() []wanted {
	if giveUp().MatchString(s.text) {
		return takeAll()
	}
	if wonders().MatchString(s.text) || hangs().MatchString(s.text) || s.asks && !courts().MatchString(s.text) || able(s) {
		return nil
	}
	half := what().MatchString(s.text) // "what were the sales, and post them to #sales"
	var found []wanted
	for _, part := range s.clauses {
		each := []string{part}
		if holds(part, " and ", " then ") {
			each = andThen().Split(part, -1)
		}
		for _, c := range each {
			c = strings.TrimSpace(askFor().ReplaceAllString(c, ""))
			c, more := strings.CutPrefix(c, "again ")
			if holds(c, "n't", "no", "stop", "avoid", "without", "dont", "rather", "instead") && denies().MatchString(c) && !halts().MatchString(c) {
				if denied().MatchString(c) {
					found = append(found, wanted{Want: Want{Act: run.Posted}, not: true})
				}
				continue
			}
			for _, w := range wishes {
				if !holds(c, w.stems...) || half && !placed().MatchString(c) || !w.says().MatchString(c) || w.not().MatchString(c) {
					continue
				}
				plan := w.act == run.Scheduled
				found = append(found, wanted{Want: Want{w.act, w.act == run.Posted && soonEn().MatchString(c)}, whole: plan && !more && !again().MatchString(c) && !ring().MatchString(c)})
				if plan && ring().MatchString(c) {
					return found // what follows is what to be reminded of
				}
			}
		}
	}
	return found
}

// takeAll takes back all that was wanted.
func takeAll() []wanted {
	var all []wanted
	for _, act := range run.Acts() {
		all = append(all, wanted{Want: Want{Act: act}, not: true})
	}
	return all
}

// wishesZh are what a clause in Chinese may hold that asks for an act.
var wishesZh = []struct {
	act       run.Act
	says, not lazy
}{
	{
		run.Scheduled,
		re(`提醒(?:一下)?(?:我|大家|他|她|我们|@|各位|团队)|(?:设|定|创建|添加|新建|增加|加|建|安排|弄|给我(?:一个|个)?)[^，看列找]{0,14}(?:提醒|闹钟|定时|定期|定时任务|日程)|定时(?:发|推送|执行|生成|汇报)` +
			`|` + cadenceZh + `[^，]{0,20}(?:发|推送|做|执行|运行|提醒|生成|汇报|重复|来一[次份]|这样|跑|总结|汇总)` +
			`|` + cadenceZh + `[^，的]{0,12}` + timeZh + `[^，的]{0,8}(?:给[我大]|叫|喊|催|送)` +
			`|(?:设|定|创建|添加|新建|增加|加|建|安排|弄)[^，看列找的]{0,4}` + cadenceZh +
			`|(?:明[天早晚]|后天|今[天晚]|下?周[一二三四五六日天末]|星期[一二三四五六日天]|\d+ ?[点:])[^，的]{0,10}(?:` + timeZh + `)?[^，的]{0,4}(?:(?:叫|喊|催|唤)(?:我|醒|大家)|给我(?:发|推|送|来)|(?:发|推送|送)[^，]{0,14}给我)` +
			`|^(?:并|并且|以后|今后|然后|都|也|请|按)*` + cadenceZh + `[^，]{0,10}(?:点|\d:\d\d|早上|上午|下午|晚上|号)[^，]{0,6}$`),
		re(`提醒(?:我)?(?:什么|怎么|谁|哪)|的(?:提醒|闹钟|定时任务|日程)(?:有|是|列)|(?:删除|取消|关掉|删掉|暂停|恢复|停用|清除|移除|推迟)[^，]*(?:提醒|闹钟|定时|任务|日程)`),
	},
	{
		run.Posted,
		re(`(?:放|丢|甩|扔|挂|提交|递|挪|搬|发|贴|传)(?:到|进|在|给|去)了?\s*(?:#|@|[^，的]{0,8}(?:频道|群|邮箱))|在\s*#\S+?\s*(?:频道|群)?(?:里|中|上)?(?:发|贴|推送|公布|宣布|通知|说一)|给\s*#\S+\s*(?:频道|群)?(?:[来发]?一份|发|看一)|^(?:请|麻烦|帮我)*#\S+\s*(?:频道|群)?(?:里|中|上)?[来发放贴要]一` +
			`|(?:发布|发送|推送|转发|分享|同步|公布|发|贴)[^，#]{1,24}(?:到|至|去|进|给)\s*(?:#|@|[^，的我你您]{0,8}(?:频道|群|邮箱))` +
			`|(?:发|贴|推送|发布|发送|转发|分享|同步|上传|寄|转|推|传|转告|抄送)(?:送|布|一份|出)?(?:到|给|至|在|去|往)\s*[^我你您这此本，]|(?:通知|告知|转告)(?:一下)?[^我你您，的单栏中书]|告诉(?:一下)?(?:@|他|她|大家|团队|同事|老板|经理|客户|妈|爸)|给[^我你您，]{1,12}(?:发|写|寄)(?:一?[封条个份]|消息|邮件|短信|通知)|^(?:帮我|请|把它|把这个|将其)*(?:发|发送|发布|推送)(?:出去|它|吧|一下)$`),
		re(`(?:发|贴|转|推送|传)(?:给|到)(?:我|你|您|这里|此处|本)|已发|^(?:写|草拟|起草|拟)(?:[^，#]*$|[^，]*#\S+\s*的)`),
	},
	{run.Deleted, re(`(?:取消|停掉|停了|停止|终止|退订|撤掉|关掉|删掉|删除|停(?:发|每|这|那))[^，]{0,14}(?:报告|报表|汇总|日报|周报|月报|简报|推送|通知)$|^(?:请|帮我|麻烦|把|你)*(?:忘记|忘掉)[^，]*(?:我|件事|这个|那个|刚才)|(?:删除|删掉|删了|取消|清除|清空|移除|撤销|撤回|忘记|忘掉|关掉)[^，]*(?:提醒|闹钟|任务|日程|定时|计划|记忆|偏好|记录|消息|帖子|它|那条|这条)|把[^，]*(?:提醒|闹钟|任务|日程|定时|记忆|消息|它)[^，]{0,4}(?:删除|删掉|删了|取消|撤回)`), re(`(?:列|行|表格|重复)`)},
	{run.Changed, re(`(?:改|推迟|提前|挪)(?:到|成|为|至)[^，]{0,10}(?:点|\d:\d\d)[^，]{0,3}(?:发|推|跑|执行)|(?:暂停|恢复|停用|启用|修改|更新|更改|改)[^，]*(?:提醒|定时|任务|日程|偏好|设置|配置|客户资料|crm|数据库)|(?:暂停|恢复)[^，]*(?:报告|推送)|把[^，]*(?:提醒|定时|任务|日程)[^，]{0,4}(?:暂停|恢复|停用|改)`), re(`字段|表头`)},
	{run.Remembered, re(`记住|记下|记一[笔条]|记个|记一下|记好|记录下来|帮我记|(?:保存|存)(?:到|为|成|一下|这|下来|好|它|起来)|^(?:并|请|帮我|把它|然后)*保存$|导出|写(?:入|到|进)(?:文件|crm|数据库|记忆)|^(?:从现在起|以后|今后)[^，]{0,8}(?:用|叫我|默认)`), re(`导出(?:的|量|了)|记住了`)},
}

// timeZh is a time of the day.
const timeZh = `(?:点|\d:\d\d|早上?|上午|中午|下午|晚上?|前|后|号)`

const cadenceZh = `每(?:隔)?(?:个)?(?:\d+|[一二两三四五六七八九十])?(?:个)?(?:天|日|周|星期|月|年|季度|小时|分钟|早|晚|工作日)`

var (
	// wondersZh is of a sentence that wants to know, courtsZh of one that asks politely.
	wondersZh = re(`怎么|怎样|如何|为什么|为何|什么|哪|多少|几[个次点条天]|谁|是否|是不是|有没有|会不会|[？?]|吗$|呢$|请问|难道`)
	courtsZh  = re(`(?:能不能|可不可以|可否|能否|能|可以|麻烦|请|帮)[^，]{0,3}(?:你|您|我|把|将|给|设|发|记|提醒|取消|删|在)`)
	asksZh    = re(`怎么|怎样|如何|为什么|为何|什么|哪|多少|谁|是不是|有没有|会不会|请问|难道`)
	hangsZh   = re(`如果|若|要是|假如|倘若|一旦|万一|除非|只要|例如|比如|假设|等[^，]{1,12}(?:再|后|之后)|的话`)
	deniesZh  = re(`不要|不用|别[^的人]|不必|无需|无须|不需要|不想|先不|没有?|未|不(?:发|删|存|设)|勿|而不是`)
	deniedZh  = re(`发|推送|通知|转发|贴|分享`)
	beforeZh  = re(`已经?|刚刚|(?:发|推送|通知|提醒|保存|删除|取消|设置|记录)(?:过|了(?:吗|没)?$)|(?:上次|昨天|之前)[^，]*(?:发|设|记)`)
	giveUpZh  = re(`^(?:算了|不用了|不做了|取消|作废|当我没说|撤销)[吧了啊]*$`)
	// ofData is what follows a verb in the name of a figure: 每天发送的邮件数.
	ofData = re(`(?:发|推送|发布|发送|转发|生成|执行|运行|提醒|导出|保存|做|汇总|总结)(?:(?:的|量|率|次数)|[^，]{0,3}(?:量|率|次数|数)(?:$|[是有为多]))`)
	thenZh = re(`(?:然后|并且|并|接着|随后|再|同时|顺便|以及)`)
	// onceMore is a time at which what was said before is done once more.
	onceMore = re(`(` + cadenceZh + `[一二三四五六日天末]?[^，再]{0,12})再`)
	againZh  = re(`(?:都|也)?(?:这样|重复|照做|这么|再)|^(?:以后|今后)`)
	soonZh   = re(`明天|后天|下周|下个?月|今晚|晚点|稍后|` + cadenceZh)
)

// wantsZh returns what a sentence asks for in Chinese.
func (s sentence) wantsZh() []wanted {
	if !han(s.text) {
		return nil
	}
	if giveUpZh().MatchString(s.text) {
		return takeAll()
	}
	polite := courtsZh().MatchString(s.text) && !asksZh().MatchString(s.text)
	if hangsZh().MatchString(s.text) || (s.asks || wondersZh().MatchString(s.text)) && !polite || able(s) {
		return nil
	}
	var found []wanted
	for _, part := range s.clauses {
		if !han(part) {
			continue
		}
		for _, c := range thenZh().Split(onceMore().ReplaceAllString(part, "${1}重复"), -1) {
			c = strings.TrimSpace(c)
			switch {
			case deniesZh().MatchString(c):
				if deniedZh().MatchString(c) {
					found = append(found, wanted{Want: Want{Act: run.Posted}, not: true})
				}
				continue
			case beforeZh().MatchString(c), ofData().MatchString(c):
				continue
			}
			for _, w := range wishesZh {
				if !w.says().MatchString(c) || w.not().MatchString(c) {
					continue
				}
				plan := w.act == run.Scheduled
				rings := ring().MatchString(c)
				found = append(found, wanted{Want: Want{w.act, w.act == run.Posted && soonZh().MatchString(c)}, whole: plan && !rings && !againZh().MatchString(c)})
				if plan && rings {
					return found
				}
			}
		}
	}
	return found
}

// han reports whether a text is written in Chinese, at least in part.
func han(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 0x4E00 && r <= 0x9FFF })
}
