package phrase

import (
	"slices"
	"strings"
	"unicode"

	"hermes/scheduler/calendar"
)

// signs are what the words around times say: that data are asked for, that
// something is to be done. They decide between a schedule and a dimension.
type signs struct {
	data       bool // sales, how many, compare
	act        bool // send, remind, do this
	event      bool // meeting, drill, review
	question   bool // what, how, when
	greeting   bool
	descriptor bool // the way cron expressions are described: "At 07:00 AM"
}

const dataList = `sales revenue revenues turnover orders profit profits customers users signups churn margin margins figures totals total average averages avg count counts
inventory stock costs cost spend spending trend trends breakdown chart graph compare comparison growth volume volumes amount amounts sum units income expenses
returns refunds conversion conversions rate rates visitors visits traffic sessions numbers percentage kpi kpis metrics rainfall results budget performance earnings headcount leads bookings downloads retention arpu mrr arr nps deals utilization productivity throughput latency errors incidents temperature price prices salary salaries forecast statistics grouped group`

const actList = `send post remind reminder schedule deliver publish notify email mail share run repeat rerun start stop alert ping forward automate set remember call wake refresh check backup tell message book arrange
update`

const eventList = `meeting meetings review reviews drill drills standup standups reminder digest newsletter sync call calls retro retrospective checkup inspection maintenance backup leave happen happens happening back trip dinner lunch
visit event events financials run job task party class lesson payment rent audit audits update updates`

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		set[w] = true
	}
	return set
}

var chineseData = []string{"销售", "销量", "营收", "收入", "订单", "利润", "客户数", "用户数", "金额", "总额", "数量", "多少", "对比", "比较", "趋势", "占比", "增长", "排名", "平均", "合计", "总计", "总数", "库存", "成本", "支出", "统计", "报表数据", "分布", "明细", "环比", "同比", "转化率", "毛利", "业绩"}

var chineseAct = []string{"发送", "发给", "发到", "发一", "推送", "提醒", "安排", "通知", "执行", "运行", "做一", "都做", "自动", "定时", "跑一", "跑一次", "给我发", "叫我", "报告一次", "汇报", "开会", "例会", "都发", "重复", "发布", "群发", "发日报", "发周报", "发月报", "请", "帮我", "生成", "更新", "备份", "检查", "一次", "发报", "发我", "发"}

// signsOf looks for the words once each; a text is at most 4000 bytes.
func signsOf(text string) signs {
	lower := strings.ToLower(text)
	var s signs
	words := strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' || r >= 0x2E80 })
	for i, w := range words {
		s.data = s.data || dataTable[w]
		s.act = s.act || actTable[w]
		s.event = s.event || eventTable[w]
		switch w {
		case "do":
			s.act = s.act || i+1 < len(words) && (words[i+1] == "this" || words[i+1] == "that" || words[i+1] == "it" || words[i+1] == "so")
		case "how":
			s.question = true
			s.data = s.data || i+1 < len(words) && (words[i+1] == "many" || words[i+1] == "much")
		case "what", "which", "when", "why", "where", "who", "show", "list", "give":
			s.question = true
		}
	}
	for _, w := range chineseData {
		s.data = s.data || strings.Contains(lower, w)
	}
	for _, w := range []string{"吗", "哪", "什么", "为何", "怎么", "是否", "多少", "几个", "呢"} {
		s.question = s.question || strings.Contains(lower, w)
	}
	for _, w := range chineseAct {
		s.act = s.act || strings.Contains(lower, w)
	}
	for _, w := range []string{"good morning", "good afternoon", "good evening", "good night", "早上好", "上午好", "中午好", "下午好", "晚上好", "晚安"} {
		s.greeting = s.greeting || strings.Contains(lower, w)
	}
	s.descriptor = describesCron(text)
	return s
}

var dataTable, actTable, eventTable = wordSet(dataList), wordSet(actList), wordSet(eventList)

// describesCron knows how tools put a cron expression into words: "At 07:00 AM"
// with a padded hour is every day.
func describesCron(text string) bool {
	rest, ok := strings.CutPrefix(text, "At ")
	if !ok {
		rest, ok = strings.CutPrefix(text, "在 ")
	}
	if !ok || len(rest) < 8 || rest[2] != ':' {
		return false
	}
	rest = strings.TrimLeft(rest, "0123456789:")
	return strings.HasPrefix(rest, " AM") || strings.HasPrefix(rest, " PM")
}

// happensAgain decides whether the chunks are a schedule that repeats.
func (p *parser) happensAgain(list []chunk, said signs) bool {
	var sure, weak, anchored, clocked bool
	for k, c := range list {
		switch c.kind {
		case cMark:
			sure = true
		case cEvery:
			if p.dimension(c, said) {
				continue
			}
			if c.weak && (c.unit == calendar.Hour || c.unit == calendar.Minute) || !c.weak {
				sure = true
			}
			weak = true
		case cMinutes:
			sure = true
		case cNear:
			sure = sure || c.n < 0
		case cClock:
			clocked = true
		case cPart:
			clocked = clocked || c.part != ""
		case cDays:
			anchored = anchored || !c.weak
			if joinedToEdge(list, k) && !hasKind(list, cMonth, cYear, cUnit) {
				sure = true
			}
			if len(c.nums) > 1 && !hasKind(list, cMonth, cYear, cUnit) {
				sure = true
			}
		case cOrdinal:
			anchored = true
			if hasKind(list, cMonth, cYear, cUnit) || k+1 >= len(list) {
				continue
			}
			if of := slices.IndexFunc(list, func(c chunk) bool { return c.kind == cOf }); of >= 0 {
				sure = true
			} else if list[k+1].kind == cWeekday && (c.i == 0 || p.is(c.i, "on", "the")) && len(p.toks) <= 8 {
				sure = true
			}
		case cWeekday, cStart, cEnd, cMonth, cFeast:
			anchored = true
		case cOf:
			if k > 0 && list[k-1].kind == cDays && slices.Contains(list[k-1].nums, -1) && c.unit == calendar.Month && !hasKind(list, cMonth, cYear, cUnit) {
				sure = true
			}
		}
	}
	if said.descriptor && !hasKind(list, cYear) {
		return true
	}
	sure = sure || clocked && severalDays(list) && !hasKind(list, cMonth, cYear, cDay, cUnit)
	switch {
	case sure && said.data && said.question && !said.act && !clocked && !anchoredOnly(list):
		return false
	case sure:
		return true
	case weak:
		return anchored && (!said.data || said.act || clocked) || clocked || said.act || said.event || !said.data && !said.question && p.short(list)
	}
	return false
}

// joinedToEdge is 1号和月底: two days of every month.
func joinedToEdge(list []chunk, k int) bool {
	return k+2 < len(list) && list[k+1].kind == cAnd && list[k+2].kind == cEnd && list[k+2].unit == calendar.Month
}

// severalDays is "Mon, Wed, Fri": with a time of day, every one of them.
func severalDays(list []chunk) bool {
	for k := 0; k+2 < len(list); k++ {
		a, b := list[k], list[k+2]
		if a.kind == cWeekday && b.kind == cWeekday && a.n == anyWeek && b.n == anyWeek && !a.weak && (list[k+1].kind == cAnd || list[k+1].kind == cTo) {
			return true
		}
	}
	return false
}

func anchoredOnly(list []chunk) bool { return hasKind(list, cUntil, cFrom, cCount, cFor) }

// short says that a text says little but the schedule: "weekly", "plan trip
// quarterly", "Every hour".
func (p *parser) short(list []chunk) bool {
	said := 0
	for _, c := range list {
		said += c.j - c.i
	}
	words := 0
	for _, t := range p.toks {
		if t.kind != mark {
			words++
		}
	}
	return words-said <= 4 || p.zh
}

func hasKind(list []chunk, kinds ...chunkKind) bool {
	return slices.ContainsFunc(list, func(c chunk) bool { return slices.Contains(kinds, c.kind) })
}

// dimension says whether an "every month" is a way to cut data and no time to
// do something at: "sales for each month", 每个月的销售额, "monthly sales".
func (p *parser) dimension(c chunk, said signs) bool {
	if !c.weak && c.unit != calendar.Day {
		return false
	}
	before, after := p.at(c.i-1), p.at(c.j)
	if p.at(c.i).zh {
		switch {
		case p.is(c.j, "的"):
			next := p.at(c.j + 1)
			return next.kind != number && next.kind != weekday && !next.isDaypart() && next.text != "last" && next.text != "firstone" && next.text != "workday"
		case said.data && !said.act:
			return true
		}
		return false
	}
	if p.is(c.i, "every") {
		return c.i > 0 && (before.text == "for" || before.text == "in" || before.text == "of" || before.text == "by" || before.text == "per" || before.text == "from" || before.text == "during" || before.text == "within") && !p.dayOf(c.i-2) && said.data ||
			c.i > 0 && said.data && said.question && !said.act
	}
	// An adjective of something that is measured: "monthly sales", "the weekly
	// report". With an article it is a thing that is known already, unless it is
	// to be made.
	if c.j < len(p.toks) && after.kind == word && !after.zh {
		if dataTable[after.text] || p.at(c.j+1).kind == word && dataTable[p.at(c.j+1).text] && !said.act {
			return true
		}
		if after.text == "report" || after.text == "reports" || after.text == "summary" || after.text == "overview" || after.text == "data" || after.text == "plan" || after.text == "active" {
			return !(said.act && p.is(c.i-1, "a", "an", "send", "post", "schedule"))
		}
	}
	return before.text == "per" || said.data && !said.act && said.question
}

// dayOf says whether a day stands at i, so that "of each month" behind it is the
// schedule's: "first business day of each month", "the end of every quarter".
func (p *parser) dayOf(i int) bool {
	unit, _ := p.unitAt(i)
	return p.is(i, "start", "end", "last") || unit == calendar.Day || p.at(i).kind == weekday || p.at(i).ordinal
}
