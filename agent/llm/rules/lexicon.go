package rules

import "strings"

// A kind is what a token of a request is for.
type kind uint8

const (
	unknown   kind = iota // a word that nobody claims
	filler                // says nothing that changes what is to be done
	separator             // ends a clause, unless it joins a list
	joiner                // "and": as separator
	measure
	dimension
	value // of a dimension
	period
	when // a part of the schedule
	channel
	format
	chart
	report   // asks for more than a number
	trend    // asks for a report over time
	send     // to say it elsewhere
	toMe     // the asker as addressee
	here     // the place of the request as addressee
	by       // a dimension follows
	top      // n of them
	best     // the first of them
	worst    // the last of them
	compare  // with what the name says, or with what follows
	pronoun  // what was spoken of before
	same     // a follow-up
	rightNow // in the sentence of a schedule: now as well
	again    // what was asked for, once more at the times said
	instead  // another value for a slot
	job      // "schedule", "job"
	pause    // the verbs for jobs
	resume
	remove
	jobID
	asking   // makes of an order a question about it
	polite   // makes of a question an order
	negation // the clause is about what not to do
	condition
	quote
	prose      // words of people, which rules cannot summarise
	sold       // "sell", 卖: means the sales where no other measure is named
	soFar      // of the current unit only what has been
	adding     // to what was asked before
	apart      // the values of a dimension one by one
	everything // "all": one cannot point at all jobs
)

// An entry is what a phrase of the lexicon stands for.
type entry struct {
	kind kind
	name string // of the measure, the dimension, the format …
	in   string // of a value: its dimension; of sold: the measure that counts pieces
	// learned says that a person gave the phrase its meaning.
	learned bool
}

// builtin are the phrases that do not depend on what the operator declared. The
// longest phrase wins, so that "no chart" is a wish and "no" a negation.
var builtin = []struct {
	kind    kind
	name    string
	phrases string
}{
	{filler, "", `please|pls|plz|kindly|i want|i'd like|i would like|i need|we need|we want|i want to|i'd like to|i would like to|i need to|let's|let me|help me
		the|a|an|some|any|of|'s|my|our|your|total|overall|in total|altogether|data|figures|figure|numbers|stats|statistics|result|results|details|values
		just|only|quick|quickly|short|brief|small|little|nice|full|detailed|simple|complete|clean|proper|clear|whole|entire|table|tables|view|overview of
		there|be|been|had|got|get|give|show|see|look|look at|take a look|take a look at|check|know|tell|find|find out|display|list|print|pull|pull up|fetch|grab|bring|want|need
		make|create|build|prepare|generate|produce|draw|write|write up|draft|put together|compile|run|do|work out|calculate|compute|count|turn|turned|into
		in|for|from|at|on|within|during|over|to|with|as|about|along|through|under|around|off|up|that we|we|i|you|it's|version|format|formatted|style|file|files|one|ones|too|well|as well
		hi|hello|hey|hi there|good morning|good afternoon|good evening|thanks|thank you|cheers|hermes|ok|okay|so|well|right|alright|actually|now then|perhaps|maybe
		gimme|i'd love|i would love|i'd love to see|i'd rather|i'd prefer|breakdown|a breakdown of|oh|oh wait|wait|no wait|hmm|um|uh|rn|atm|currently|btw|by the way|i mean|i meant|until further notice|for now|for the time being|for the moment|looks good and|come|came|coming|go|went|made|make up|look like|looking|doing|like|perform|performed|performing|happen|happened|stand|stood|amount|amounted|worth|level|going|biggest first|highest first|largest first|best first|top first|bought|in terms of|in detail|between|out|of it|terms
		want to see|want to know|would like to see|like to see|like to know|how much was|how much were|also show|break down|break it down|break that down|break this down|break them down|split it|split that|breakdown|broken down|breakdown of|split|group|grouped
		请|麻烦|劳驾|帮|帮我|帮忙|帮我们|我想|我要|我想要|想|要|想要|需要|我需要|你|您|给|把|将|在|是|有|为|对|从|里|里面|中|内|间|之间|期间|的|了|得|地|着|过|一下|下|看|看看|看下|看一下|查|查查|查一下|查看|查询|了解|知道|想知道|告诉|显示|列出|列一下|列|给出|统计|统计一下|算|算一下|算算|拉|拉一下|拉取|取
		情况|数据|数字|数值|结果|一份|一个|一张|一版|一篇|一些|个|份|张|篇|些|条|做|做个|做一个|做成|做出|写|写个|写一个|生成|出|出一份|制作|画|画个|画一张|绘制|绘|成|用|以|来|来一份|整理|整理成|整理一下|弄|弄个|搞|搞个|搞一份|简短|简单|简要|详细|完整|清楚
		吧|呢|啊|呀|嘛|哦|哈|谢谢|谢谢你|多谢|你好|您好|嗨|早上好|下午好|晚上好|好|好的|行|都|也|还|还有|就|就是|总|总的|总共|一共|合计|整体|总体|版|版本|格式|形式|文件|这份|那份|这些|那些|可|会|到|为止|具体|大概|格式的|的话题|部分|方面|左右|数|量|额|金额|表|列表|明细|以后|之后都|今后|往后|从今以后|一版|哪些|达到|达|表现|同一|段|时间|时间段|时期|按时|排名|排行|排行榜|排序|由高到低|从高到低|降序|位|名|最近|近|一份给|配|配上|配个|配一张|附上|附一张|附|带|带上|带一张|加一张|过来|出来|起来|上来|呈现|和|与|跟|及|以及|展示|展示一下|只|仅|只看|仅看|单看|光看|只要看|拆分|拆解|细分|划分|看到|帮看|介绍`},
	{everything, "", `all|all of|all the|all my|all our|所有|所有的|全部|全部的|一切`},
	{sold, "", `sell|sells|selling|sold|seller|sellers|卖|卖了|卖出|卖出了|卖掉|卖得|售出|售卖|畅销`},
	{adding, "", `add|include|加上|再加上|加|添上|补上|包括`},
	{apart, "", `respectively|separately|individually|each of them|分别|各自|分别是|分开`},
	{soFar, "", `so far|to date|until now|up to now|up to today|截至目前|截止目前|到目前为止|至今|迄今|迄今为止|截至今天`},
	{asking, "", `what|what's|whats|which|how|how much|how many|how's|was|were|is|are|am|did|does|has|have|who|whose|where|when|should|shall|may|might|must|do i|do we|do you
		多少钱|多少件|几件|多少个|多少台|什么|哪|哪个|哪些|哪一个|哪家|哪位|谁|怎么|怎么样|怎样|如何|多少|几|几个|吗|么|是否|是不是|有没有|有多少|是多少|应该|该`},
	{polite, "", `can someone|could someone|can anyone|could anyone|can somebody|can anybody|would someone|does anyone|does anyone know|does anybody know|anyone know|有没有人|谁能|谁可以|哪位能|can you|could you|would you|will you|can i have|could i have|may i have|can i get|could i get|can i see|could i see|can we have|can we get|can we see|can you please|could you please|would you please|would you mind
		能|能不能|能否|可以|可不可以|可否|好吗|行吗|可以吗|好不好|行不行|拜托`},
	{separator, "", `then|and then|after that|next|finally|afterwards|plus that|also|additionally|besides|然后|接着|再|最后|随后|之后|完了|另外|此外|顺便|顺带`},
	{joiner, "", `and|&|and also|plus|as well as|or|并|并且|同时|且|还要`},
	{by, "", `by|per|each|every|across|broken down by|break down by|breakdown by|broken out by|split by|split into|grouped by|group by|sorted by|for each|for every|by each|according to|along|按|按照|按着|依|依照|根据|各|各个|每|每个|每一个|每家|每种|每位|不同|分|逐`},
	{report, "", `summarise|summarize|summarised|summarized|summary|summaries|sum up|report|reports|reporting|analysis|analyses|analyse|analyze|analysing|write up on|overview|deep dive|dashboard|export|exported|download|digest|recap|review
		汇总|汇总一下|总结|总结一下|小结|报告|报表|分析|分析一下|分析报告|汇总报告|总结报告|简报|汇报|汇报一下|报告一下|月报|周报|日报|季报|年报|导出|导出成|导出为|下载|复盘|盘点|概览|综述`},
	{trend, "", `trend|trends|trending|over time|development of|evolution of|time series|走势|趋势|走向|变化趋势|走势图|趋势图|时间序列`},
	{chart, "bar", `bar chart|bar charts|bar graph|column chart|柱状图|条形图|柱形图|柱图|直方图`},
	{chart, "line", `line chart|line charts|line graph|line plot|折线图|曲线图|线图`},
	{chart, "pie", `pie|pie chart|pie charts|pie graph|pie diagram|donut chart|doughnut chart|饼图|饼状图|圆饼图|饼形图|扇形图|环形图`},
	{chart, "stacked", `stacked|stacked bar|stacked bars|stacked chart|stacked charts|stacked bar chart|stacked bar charts|stacked column chart|stacked columns|stacked graph|堆叠图|堆积图|堆叠柱状图|堆积柱状图|堆叠条形图|堆叠|堆积`},
	{chart, "auto", `chart|charts|graph|graphs|plot|diagram|visualise|visualize|visualisation|visualization|picture of|图表|图|图形|画图|作图|可视化|图示`},
	{chart, "none", `no chart|no charts|without a chart|without chart|without charts|without the chart|no graph|without a graph|不要图|不要图表|不带图|不用图|不用图表|无图`},
	{format, "xlsx", `excel|xlsx|xls|excel file|excel sheet|spreadsheet|spreadsheets|workbook|worksheet|excel表|excel表格|电子表格|表格|表格文件|excel文件|excel格式`},
	{format, "csv", `csv|csv file|comma separated|comma separated values|csv文件|csv格式|csv表`},
	{format, "pdf", `pdf|pdfs|pdf file|pdf files|pdf document|pdf report|portable document|pdf文件|pdf格式|pdf文档|pdf版|pdf报告|pdf报表`},
	{format, "markdown", `markdown|markdown only|as text only|text only|纯文本|只要文字|只发文字`},
	{format, "none", `不要pdf|no pdf|without a pdf|no file|no files|without a file|without files|no attachment|no attachments|without attachments|no spreadsheet|without a spreadsheet|no excel|without excel|不要文件|不带文件|不要附件|不带附件|不用附件|不要表格|不要excel`},
	{send, "", `post|send|share|publish|forward|post up|send out|send over|send it over
		发|发到|发送|发送到|发至|发给|发去|发往|发在|发布|发布到|发布在|发出|发出去|推送|推送到|推到|推送给|转发|转发到|分享|分享到|贴到|放到|发一份|发一份到|发份|同步到|抄送到`},
	{send, "put", `put|place|drop it in|put it in|put it on|put that in|put this in|put it into`},
	{toMe, "", `me|to me|for me|us|to us|for us|myself|我|给我|我们|给我们|咱们|我自己`},
	{here, "", `here|in here|to this channel|in this channel|this channel|to this thread|in this thread here|这里|这儿|此处|本频道|本群|这个频道|这个群|当前频道|这边`},
	{best, "", `best|highest|most|biggest|largest|top|strongest|leading|greatest|number one|最高|最多|最好|最大|最强|第一|榜首|冠军`},
	{worst, "", `worst|lowest|least|smallest|weakest|fewest|poorest|最低|最少|最差|最小|最弱|垫底|倒数第一`},
	{compare, "previous_period", `month over month|month on month|week over week|week on week|quarter over quarter|quarter on quarter|day over day|mom|qoq|wow|previous period|the previous period|period before|the period before|prior period|环比|与上期相比|上期|上一期|较上期`},
	{compare, "growth", `growth|grow|grown|grew|growing|change|changed|increase|increased|rise|rose|dropped|decline|declined|fall|fell|增长|增长率|增长了|涨幅|增幅|变化|下降|下滑|上升|上涨|减少|增加`},
	{compare, "year_before", `year over year|year on year|yoy|y/y|a year earlier|a year before|the year before|year earlier|year ago|a year ago|same period last year|the same period last year|same month last year|the same month last year|same period of last year|previous year|the previous year|同比|去年同期|上年同期|与去年同期|较去年同期|和去年同期|跟去年同期|同比增长|同比变化`},
	{compare, "", `ahead of|behind|which is higher|which is bigger|better than|worse than|higher than|lower than|more than|less than|bigger than|smaller than|better or worse than|compare|compared|compares|comparing|comparison|vs|vs.|versus|against|than|relative to|difference|difference between|differ|对比|对比一下|比较|比较一下|相比|比|比起|相较|较|差异|差别|差多少|谁高|谁更高|哪个高|哪个更高|谁多|谁更多|谁低|谁更低`},
	{pronoun, "", `it|this|that|them|these|those|the above|the result|the results|the above report|这个|那个|这|那|它|它们|其|这个结果|这个报告|上面的|上面|刚才的|刚刚的|上述`},
	{same, "", `same|same again|the same again|the same|same again for|same for|the same for|same with|do the same for|do the same|what about|how about|and for|now|now for|again for|same thing for|but for|instead of that|once more|again|同样|一样|那么|那|换|再来|再看`},
	{rightNow, "", `right now|immediately|right away|straight away|at once|now and|today and then|现在|马上|立刻|立即|立马|现在就`},
	{again, "", `do this|do that|do it|do so|do these|repeat|repeat this|repeat it|repeat that|run this|run it|run that|redo|redo this|keep doing this|keep doing it|keep doing that|keep doing so|keep doing|keep posting it|do the whole thing|do all this|do all of this|set up|set this up|set it up
		做一次|做一遍|再做一次|再做|重复|重复一次|重复一遍|照做|照此|同样做|跑一次|跑一遍|执行|执行一次|发一次|发一遍|来一次|来一遍|这样做|这么做|这样发|这么发|都这样发|都这样做|都这么做|照样发|照样做|都做|都发|都来|做一回|一次|一遍|一回`},
	{again, slotWhen, `schedule|schedule it|schedule this|schedule that|recurring|regularly|automatically|automate this|automate it|make this recurring|make it recurring|自动|自动做|自动发|定时|定期`},
	{instead, "", `instead|change it to|change that to|change to|make it|make that|switch to|switch it to|move it to|replace with|rather|reschedule|reschedule it|reschedule it to|move|改成|改为|改到|换成|换为|换到|换一下|改一下|调整为|调整到|改`},
	{job, "", `schedules do we have running|schedules do i have running|jobs do we have running|schedules are running|jobs are running|running schedules|running jobs|active schedules|active jobs|schedules|scheduled|job|jobs|scheduled job|scheduled jobs|scheduled report|scheduled reports|scheduled task|scheduled tasks|recurring report|recurring reports|recurring job|recurring jobs|task|tasks|reminder|reminders|my reminders|提醒事项|定时提醒|定时任务|任务|计划|计划任务|定时报告|定时计划|日程|定时发送|定时推送`},
	{pause, "", `pause|suspend|stop|hold|put on hold|暂停|停止|停掉|停一下|停了|先停|暂停一下|挂起|停用`},
	{resume, "", `resume|unpause|continue|restart|reactivate|re enable|start again|恢复|继续|重启|重新启用|重新开始|启用|恢复一下`},
	{remove, "", `delete|remove|cancel|drop|get rid of|删除|取消|删掉|删了|移除|去掉|撤销|删`},
	{negation, "", `not|don't|dont|do not|doesn't|does not|didn't|isn't|aren't|wasn't|weren't|won't|will not|can't|cannot|can not|shouldn't|should not|mustn't|never|no|none|nothing|nobody|without|neither|nor|skip|avoid|refrain|exclude|excluding|except|except for|apart from|other than|but not|minus
		不|不要|不用|不必|不需|不需要|别|别再|勿|请勿|没|没有|未|无需|无须|甭|禁止|先不|先别|不发|不能|不可|不可以|不准|不许|除了|除|除外|除去|排除|剔除|去除|不含|不包括`},
	{condition, "", `why|how come|if|unless|whenever|in case|provided|provided that|assuming|as soon as|once|until|till|before|after|while|only if|only when|whether|depending|otherwise|else
		为什么|为何|为啥|怎么会|如果|若|若是|要是|假如|假若|一旦|除非|当|的时候|时候|的话|万一|只要|只有|否则|不然|以前|之前|才|直到`},
	{quote, "", `"|“|”|「|」|『|』|《|》|«|»|` + "`"},
	{prose, "", `thread|this thread|the thread|conversation|this conversation|the conversation|discussion|the discussion|messages|chat history|article|this article|document|this document|meeting notes|transcript|web page|email thread|讨论|对话|聊天|聊天记录|聊天内容|会话|消息|文章|文档|会议纪要|这段话|这段文字|帖子|网页`},
	{dimension, "day", `daily|day by day|by day|per day|each day|by date|by the day|days by day|按天|按日|每天|每日|逐日|逐天|日度|分天|各天|按日期|天天的`},
	{dimension, "week", `weekly|week by week|by week|per week|each week|by the week|按周|每周|逐周|周度|分周|各周|每星期|每个星期|按星期`},
	{dimension, "month", `monthly|month by month|by month|per month|each month|by the month|months by month|按月|按月份|每月|每个月|逐月|月度|分月|各月|各个月|每月份|按每月|按每个月`},
	{dimension, "quarter", `quarterly|quarter by quarter|by quarter|per quarter|each quarter|按季度|按季|每季度|每个季度|每季|逐季|季度|分季度|各季度`},
	{dimension, "year", `yearly|annual|annually|year by year|by year|per year|each year|按年|按年度|每年|逐年|年度|分年|各年|各年度`},
}

// units become a dimension where the word before them asks for one: "best month",
// "哪天". Elsewhere they are part of a period, or nothing we know.
var units = map[string]string{
	"day": "day", "days": "day", "date": "day", "week": "week", "weeks": "week", "month": "month", "months": "month",
	"quarter": "quarter", "quarters": "quarter", "year": "year", "years": "year",
	"天": "day", "日": "day", "周": "week", "星期": "week", "月": "month", "月份": "month", "个月": "month", "季度": "quarter", "年": "year", "年份": "year",
}

// timeDimension says whether a dimension is a stretch of time.
func timeDimension(name string) bool {
	switch name {
	case "day", "week", "month", "quarter", "year":
		return true
	}
	return false
}

// A lexicon finds the longest phrase at a place of a normalised text.
type lexicon struct {
	next  map[rune]*lexicon
	entry *entry
}

// add keeps the first meaning of a phrase.
func (l *lexicon) add(phrase string, e entry) {
	runes := normalise(strings.TrimSpace(phrase)).runes
	if len(runes) == 0 {
		return
	}
	for _, r := range runes {
		if l.next == nil {
			l.next = map[rune]*lexicon{}
		}
		if l.next[r] == nil {
			l.next[r] = &lexicon{}
		}
		l = l.next[r]
	}
	if l.entry == nil {
		l.entry = &e
	}
}

// longest returns what the longest phrase that starts at i stands for, and where
// it ends; nil if none does. A phrase in Latin letters ends where a word ends.
func (l *lexicon) longest(t normal, i int) (*entry, int) {
	var found *entry
	end := i
	for j := i; j < len(t.runes); j++ {
		if l = l.next[t.runes[j]]; l == nil {
			break
		}
		if l.entry != nil && (j+1 == len(t.runes) || !isWord(t.runes[j]) || !isWord(t.runes[j+1])) {
			found, end = l.entry, j+1
		}
	}
	return found, end
}

// newLexicon holds the operator's words before the built-in ones, so that what was
// declared wins.
func newLexicon(v Vocabulary) *lexicon {
	l := &lexicon{}
	for _, m := range v.Measures {
		for _, w := range append([]string{m.Name, m.Label.En, m.Label.Zh}, m.Words...) {
			l.add(w, entry{kind: measure, name: m.Name})
			if lower := strings.ToLower(w); strings.Contains(lower, "average") {
				l.add(strings.ReplaceAll(lower, "average", "avg"), entry{kind: measure, name: m.Name})
			}
			if !ascii(w) {
				l.add(w+"数据", entry{kind: measure, name: m.Name}) // 订单数据 is not 订单数 and 据
			}
		}
	}
	for _, d := range v.Dimensions {
		if timeDimension(d.Name) {
			continue // its bare words, "day" or 月, are parts of periods
		}
		for _, w := range append([]string{d.Name, d.Label.En, d.Label.Zh}, d.Words...) {
			l.add(w, entry{kind: dimension, name: d.Name})
			if ascii(w) {
				l.add(w+"s", entry{kind: dimension, name: d.Name})
			}
		}
	}
	for _, c := range v.Channels {
		for _, w := range c.Words {
			l.add(w, entry{kind: channel, name: c.Name})
		}
	}
	sales, units := l.meaning("sales", "revenue", "销售额", "销售"), l.meaning("units", "units sold", "销量", "quantity")
	for _, b := range builtin {
		if b.kind == sold {
			b.name = sales
			if sales == "" {
				continue
			}
		}
		for line := range strings.SplitSeq(b.phrases, "\n") {
			for phrase := range strings.SplitSeq(line, "|") {
				e := entry{kind: b.kind, name: b.name}
				if b.kind == sold {
					e.in = units
				}
				l.add(phrase, e)
			}
		}
	}
	return l
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// meaning is the first measure that one of the words means, if one is declared.
func (l *lexicon) meaning(words ...string) string {
	for _, w := range words {
		t := normalise(w)
		if e, end := l.longest(t, 0); e != nil && e.kind == measure && end == len(t.runes) {
			return e.name
		}
	}
	return ""
}
