package verify

import (
	"strings"
	"sync"
)

// An order is a request to change something, by its form: it begins with a verb of which
// it is not known that it only asks for words or for a look, and has an object, a place
// or a time. Wants knows which act is asked for, and finds fewer.

// How sure it is that something is an order. Chinese has no form for it: what is neither
// a question nor of who says it, and asks for no words, may be one. Then the answer has to
// speak of the same thing.
const (
	none = iota
	perhaps
	sure
)

// orders returns how sure it is that one of some texts is an order. Words that take all
// back take back what was ordered before.
func orders(texts []string) int {
	found := none
	for _, text := range texts {
		if len(text) > longest {
			text = strings.ToValidUTF8(text[:longest], "")
		}
		for _, s := range sentences(plain(strings.ToLower(text))) {
			if foreign().MatchString(s.text) {
				break
			}
			if giveUp().MatchString(s.text) || giveUpZh().MatchString(s.text) {
				found = none
				continue
			}
			switch {
			case s.orders() || s.ordersZh():
				found = sure
			case s.mayOrderZh():
				found = max(found, perhaps)
			}
		}
	}
	return found
}

const (
	// spot is where things are brought in chat and by mail.
	spot = `(?:#\S|[\w.+-]+@[\w-]+\.\w|@\S|slack\b|(?:the|our|\w+'s) [\w' -]{0,24}?(?:channel|group|team|thread|inbox)\b|\w+'s inbox(?:es)?\b)`
	// talk are verbs that ask for words or a look: what answers them changes nothing.
	talk = `(?:show|list|give|get|tell|say|summari[sz]e|write|draft|compose|translate|explain|describe|compare|calculate|compute|count|check|find|look|search|analy[sz]e|read|review|see|help|suggest|recommend|think|guess|estimate|forecast|plot|draw|define|answer|reply|respond|speak|talk|chat|sing|imagine|pretend|consider|discuss|query|fetch|pull|break|rank|rate|outline|elaborate|clarify|verify|confirm that|make|prepare|generate|build|use|keep|be|stay|wait|hold|hang|continue|try|ask|ignore|skip|take|let|thank|love|like|hate|know|have|do|play|guide|teach|name|pick|choose|convert|shorten|rephrase|rewrite|proofread|correct|fix|improve|expand|solve|evaluate|identify|determine|include|exclude|group|sort|filter|round)`
	// noVerb are words that no order begins with.
	noVerb = `(?:i|you|he|she|it|we|they|this|that|these|those|there|here|the|a|an|my|your|our|his|her|its|their|some|any|all|every|each|no|not|yes|in|on|at|to|of|for|from|with|by|as|about|after|before|during|since|until|and|or|but|if|so|because|is|are|was|were|am|be|been|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|what|who|whom|whose|which|when|where|why|how|good|nice|great|thanks|thank|hello|hi|hey|bye|sorry|ok|okay|well|maybe|perhaps|only|also|too|very|more|most|less|last|next|first|into|onto|today|tomorrow|yesterday|now|then|still|never|always|\d\S*)`
)

var (
	// commands are orders by their first words.
	commands = re(`^([a-z]+)(?: (?:off|out|up|down|away|back|over|in|on))? (?:` + det + `|me\b|us\b|off\b|` + spot + `|[a-z][\w' -]*? (?:to|in|into|on|onto|from|off|with|for|at) (?:` + spot + `|the\b|my\b|our\b|\w+)|([a-z]+) (?:\d|#))`)
	verbless = re(`^(?:` + noVerb + `|` + talk + `)$`)
	leave    = re(`^(?:(?:yes|yep|sure|ok|okay)[, ]*)?(?:i )?(?:approved?|confirm(?:ed)?|agreed?|accept(?:ed)?|go ahead|proceed|do (?:it|that|so)|ship it|go for it|lgtm|yes please|stop|cancel)(?: (?:it|this|that|now|please|it now))*$`)
	wishing  = re(`^(?:(?:i|we)(?:'d| would)? (?:need|want|like)(?: to have| to see)?|have) .*(?:\b(?:in|on|to|into) ` + spot + `|\b(?:gone|stopped|removed|cancell?ed|deleted|off|sent|posted|done|closed|muted|paused)$)`)
	// knows is of who wants to be told something.
	knows = re(`\b(?:what|whats|which|how (?:long|much|many)|hows)\b|^(?:what|how|who|where)s\b|^\w+ me (?:on|of|as|about|through)\b|\bwith me$|^prove\b`)
	// granting are orders by verbs that mostly ask for words.
	granting = re(`^give .*\b(?:access|permissions?|rights|admin)\b|^make (?:` + det + `).*\b(?:run|go out|fire|start|stop)\b`)
	seeing   = re(`\b(?:make sure|ensure|see to it|see that)(?: that)? ` + person + ` (?:sees?|gets?|knows?|hears?|has|have|receives?|is told|are told|is informed)\b`)
	longWays = re(`^(?:here|below|above)\b|\b(?:into|in|to|from|as) (?:a|an|the|this|that|one|two|your) (?:\w+ )?(?:table|chart|bullets?|columns?|rows?|paragraphs?|sentences?|words|answer|reply|summary)\b|\b(?:into|in|to|as|from) (?:a|an|one) (?:\w+ )?list\b|^(?:put|turn|get|bring|say|render|redo) .*\b(?:into|in|to) (?:(?:english|chinese|german|french|spanish|japanese|korean|italian|plain|simple|other words|your own words)\b)`)
)

// orders reports whether a sentence is an order in English.
func (s sentence) orders() bool {
	if leave().MatchString(s.text) || seeing().MatchString(s.text) && !s.asks {
		return true
	}
	if holds(s.text, wantStems...) && len(s.wantsEn()) > 0 {
		return true
	}
	if wonders().MatchString(s.text) || hangs().MatchString(s.text) || s.asks && !courts().MatchString(s.text) || able(s) {
		return false
	}
	for _, part := range s.clauses {
		c := strings.TrimSpace(askFor().ReplaceAllString(part, ""))
		if knows().MatchString(c) {
			continue
		}
		if granting().MatchString(c) || wishing().MatchString(c) && !wishes[posting].not().MatchString(c) {
			return true
		}
		if m := commands().FindStringSubmatch(c); m != nil && !verbless().MatchString(m[1]) && !verbless().MatchString(m[2]) && !longWays().MatchString(c) && !denies().MatchString(strings.TrimPrefix(c, "stop")) {
			return true
		}
	}
	return false
}

var (
	// commandsZh are orders by what stands in them, and talkZh begins what asks for words
	// or a look.
	politeZh   = `^(?:请|麻烦|劳驾|帮忙|帮我|帮|给我|你|您|能不能|能否|可否|可以|可不可以|能|好的?|那|那就|然后|再|把它|现在|马上|立刻|顺便|一下)*`
	talkZh     = re(politeZh + `(?:核对|核实|复核|确认|验|查|看|列|显示|告诉我|总结|汇总|分析|统计|计算|算|解释|翻译|写|介绍|比较|对比|画|说|讲|推荐|建议|预测|估计|描述|念|读|找|搜|想|聊|回答|举|生成|做一?[个张份]|改[短长写]|缩短|润色|校对|我(?:是|在|喜欢|觉得|想知道|不|有|们|叫)|谢)`)
	commandsZh = re(`\p{Han}{1,4}给\s*(?:\p{Han}|@)|(?:改|提|调|换|升|降|设|移|推迟|提前)(?:到|成|为|至)|给[^我你您，]{1,10}[开配发加]|(?:把|将)[^，]+?(?:到|进|给|在|往|派|改|设|关|停|删|掉|发|成|为|出|上|去)|^(?:` + strings.TrimPrefix(politeZh, "^") + `)(?:给[^我你您，]{1,10}[^，的]{1,3}[一个份张条封]|(?:取消|停[掉了止用发下每这那]|关[^于系键]|登记|标记|录入|升级|删|移除|忘|归档|合并|订|预订|退订|拉|邀请|踢|加入|添加|批准|同意|审批|通过|拒绝|设|安排|创建|新建|建|启用|禁用|静音|暂停|恢复|提交|发|推|转|贴|挂|丢|放|派|指派|记|存|保存|更新|修改|改|叫|喊|催|提醒|通知|让[^我你]|上传|下线|上线|部署|重启|清|撤|锁|解锁|开|打开|切换|执行|运行)\s*[^的吗呢了，]?)|^我(?:要|想要|需要|希望)[^，]*(?:#|@|取消|停|删|关|退订|发|提醒)|别再?[^，]{0,6}(?:发|推|响|提醒|通知|催)|(?:点|早|晚|前|后|周[一二三四五六日天末]|每[天周月日]|每个[^，]{1,4})[^，]{0,8}(?:叫|喊|催|提醒|给我|发给?|推)|` + cadenceZh + `[^，]{0,12}(?:给|要|来|送)|(?:算|记)一[笔下]`)
	leaveZh    = re(`^(?:我)?(?:批准|同意|确认|通过|准了|发吧|可以发|就这么办|去办吧|执行|取消|停)(?:了|吧)?$`)
)

// ordersZh reports whether a sentence is an order in Chinese.
func (s sentence) ordersZh() bool {
	if !han(s.text) {
		return false
	}
	if leaveZh().MatchString(s.text) || len(s.wantsZh()) > 0 {
		return true
	}
	polite := courtsZh().MatchString(s.text) && !asksZh().MatchString(s.text)
	if hangsZh().MatchString(s.text) || (s.asks || wondersZh().MatchString(s.text)) && !polite || able(s) {
		return false
	}
	for _, c := range s.clauses {
		if han(c) && !talkZh().MatchString(c) && !inAnswer().MatchString(c) && !beforeZh().MatchString(paidZh().Replace(c)) && commandsZh().MatchString(c) {
			return true
		}
	}
	return false
}

// paidZh takes out of an order the state that something is to have.
var paidZh = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer("为已", "为", "成已", "成") })

// mayOrderZh reports whether a sentence in Chinese may be an order.
func (s sentence) mayOrderZh() bool {
	return han(s.text) && !s.asks && !hangsZh().MatchString(s.text) && !wondersZh().MatchString(s.text) && !beforeZh().MatchString(s.text) &&
		!talkZh().MatchString(s.text) && !ofSelf().MatchString(s.text)
}

// ofSelf begins what people say of themselves and others, and empty is said of anything.
var (
	ofSelf = re(`^(?:我|你|您|他|她|它|这|那|今天|昨天|哈|嗯|谢|好)`)
	empty  = "的了我你您他她它把将到在一好已经是个这那过着给和与就都也请帮为上下来去"
)

// sharesHan reports whether two texts share a word in Chinese that is not empty.
func sharesHan(a, b string) bool {
	return strings.ContainsFunc(a, func(r rune) bool {
		return han(string(r)) && !strings.ContainsRune(empty, r) && strings.ContainsRune(b, r)
	})
}

var (
	// canDo asks what the bot is able to do: the object is of a kind, and no one thing.
	canDo   = re(`^(?:(?:hi|hey|hello|hermes|so|and|also)[ ,]+)*(?:can|could|do|will|would|are) you (?:able to |ever |also |even |actually )?[a-z-]+ (?:(?:to|in|on) )?(?:[a-z-]+ )?(?:reports|messages|e-?mails|reminders|posts|files|charts|summaries|updates|tables|alerts|notifications|images|pictures|pdfs|csvs|things|stuff|texts|tickets|records|schedules|jobs|tasks|people|users|dms|links)\b`)
	oneOf   = re(`\bplease\b|\b(?:this|that|these|those|the|my|our|it|them|now|today|tonight|tomorrow)\b.*\b(?:reports|messages|e-?mails|files|charts|summaries|posts|tables)\b|\b(?:now|today|tonight|tomorrow|at \d.*|about .*|saying .*|that .*|every .*)$`)
	canDoZh = re(`^(?:[你您]|hermes|机器人)(?:能不能|能够|能否|能|会不会|会|可不可以|可以|是否能)`)
	oneOfZh = re(`帮|请|麻烦|替我|给我|为我|一下|这|那|它|现在|马上|立刻|上个?月|本月|昨天|今天|明天|今晚|每|刚才|点|我的|我们|\d|月|周`)
)

// able reports whether a sentence only asks what the bot can do.
func able(s sentence) bool {
	if !s.asks {
		return false
	}
	return canDo().MatchString(s.text) && !oneOf().MatchString(s.text) || canDoZh().MatchString(s.text) && !oneOfZh().MatchString(s.text)
}
