package rules

import (
	"fmt"
	"strings"
)

// inWords says what can be said without any call: small talk, help, and why nothing
// is done. It reports false for a reading that comes to calls.
func (c reader) inWords(r reading) (string, bool) {
	switch {
	case r.chat != "":
		return c.sayChat(r.chat), true
	case len(r.unclaimed) > 0:
		return c.sayUnclaimed(r), true
	case r.reminder != "" && c.slot:
		return c.sayReminder(r.reminder), true
	case r.reminder != "":
		return "", false
	case r.change:
		return c.sayChange(), true
	case !r.wants() && len(r.ops) == 0:
		r.unclaimed = []string{r.text}
		return c.sayUnclaimed(r), true
	case !r.schedule.IsZero() && len(c.missing(r)) == 0 && !c.keeps(r):
		return c.sayUnkept(), true
	}
	return "", false
}

// most is how much of a text is quoted back.
const most = 80

func quoted(parts []string, zh bool) string {
	var out []string
	for i, p := range parts {
		if i == 4 {
			out = append(out, "…")
			break
		}
		p = strings.Join(strings.Fields(p), " ")
		if r := []rune(p); len(r) > most {
			p = string(r[:most-1]) + "…"
		}
		out = append(out, "“"+p+"”")
	}
	if zh {
		return strings.Join(out, "、")
	}
	return strings.Join(out, ", ")
}

// sayUnclaimed quotes what was not understood and shows what would be.
func (c reader) sayUnclaimed(r reading) string {
	zh := c.lang == "zh"
	q := quoted(r.unclaimed, zh)
	var b strings.Builder
	switch {
	case r.hint != "":
		return c.pick("Nothing was done for "+q+". ", "什么都没有做："+q+"。") + r.hint
	case r.bottom:
		return c.pick(
			fmt.Sprintf("I can find the first few of something but not the last few (%s), so nothing was done. Ask for all of them, as in “sales by product last month”: the table has the lowest at its end.", q),
			fmt.Sprintf("我会找前几名，不会找后几名：%s。因此我什么都没有做。可以看全部，例如“上个月各产品的销售额”，最低的在表的最后。", q))
	case r.counting:
		known := strings.Join(c.labels(c.vocabulary.Measures), c.pick(", ", "、"))
		return c.pick(
			fmt.Sprintf("I cannot count those (%s), so nothing was done. The figures I know: %s.", q, known),
			fmt.Sprintf("这个数量我不会数：%s。因此我什么都没有做。我知道的数据：%s。", q, known))
	case r.prose && zh:
		fmt.Fprintf(&b, "我按内置规则工作，没有语言模型，不会概括文字：%s。我什么都没有做。", q)
	case r.prose:
		fmt.Fprintf(&b, "I work by built-in rules and cannot summarise what people wrote (%s); that needs a language model. Nothing was done.", q)
	case zh:
		fmt.Fprintf(&b, "这部分我没有看懂：%s。因此我什么都没有做。", q)
	default:
		fmt.Fprintf(&b, "I did not understand this part: %s. So nothing was done.", q)
	}
	b.WriteString(c.pick(" What I would understand, for example:", "我能看懂的说法，例如："))
	for _, e := range c.nearest(r.text, 3) {
		b.WriteString("\n- " + e)
	}
	return b.String()
}

// sayUnkept is said of what would be read as something else in a slot.
func (c reader) sayUnkept() string {
	return c.pick(
		"I found no words for this that I would read in the same way each time, so nothing was scheduled. Please say it more simply, as in “every Monday at 9:00 post last week's sales by region to #sales”.",
		"我找不到一种每次都会读成同样意思的说法，所以没有设置定时任务。请说得简单一些，例如“每周一早上9点把上周各地区的销售额发到 #sales”。")
}

func (c reader) sayChange() string {
	return c.pick(
		"I cannot move a schedule. Delete it and add it anew: first “show my schedules” for its id, then “delete j…”, then the request with the new time.",
		"我不能直接修改定时任务的时间。请先删除再重新添加：先说“有哪些定时任务”查编号，再说“删除 j…”，然后带上新的时间重新说一遍。")
}

// sayMissing is said when what was asked for was not answered in a way that can
// be used.
func (c reader) sayMissing(slots []string) string {
	names := map[string][2]string{
		slotMeasure: {"which figures", "哪项数据"}, slotPeriod: {"which period", "哪个时间段"}, slotDimension: {"by which dimension", "按什么来看"},
		slotChannel: {"which channel", "哪个频道"}, slotWhen: {"at which times", "什么时间"}, slotJob: {"which schedule", "哪个定时任务"}, slotDay: {"on which day of the week", "每周几"},
	}
	var parts []string
	for _, s := range slots {
		parts = append(parts, c.pick(names[s][0], names[s][1]))
	}
	return c.pick(
		"I still do not know "+strings.Join(parts, " and ")+", so nothing was done. Please ask again with that in the sentence.",
		"我还是不知道"+strings.Join(parts, "、")+"，所以什么都没有做。请把它写进句子里再说一遍。")
}

// sayPlan says in a few words what a reading would do.
func (c reader) sayPlan(r reading) string {
	var parts []string
	for _, o := range r.ops {
		parts = append(parts, o.name)
	}
	if r.reminder != "" {
		parts = append(parts, c.keptReminder(r.reminder))
	} else if r.wants() {
		var what []string
		for _, g := range r.groups {
			what = append(what, c.describeFigures(g))
		}
		parts = append(parts, strings.Join(what, c.pick("; ", "；")))
	}
	if len(r.sends) > 0 {
		parts = append(parts, c.pick("to ", "发到 ")+strings.Join(r.sends, ", "))
	}
	if !r.schedule.IsZero() {
		parts = append(parts, c.sayTimes(r.schedule))
	}
	return c.pick("Understood: ", "理解为：") + strings.Join(parts, c.pick(", ", "，"))
}

func (c reader) sayHelp() string {
	var b strings.Builder
	b.WriteString(c.pick("I work with built-in rules, without a language model. Five things I can do:", "我现在用内置规则工作，没有语言模型。我会做五件事："))
	for _, h := range helps {
		b.WriteString("\n- " + c.pick(h[0], h[1]) + c.example(h[2], h[3]))
	}
	if labels := c.labels(c.vocabulary.Measures); len(labels) > 0 {
		b.WriteString("\n" + c.pick("Figures I know: ", "我知道的数据：") + strings.Join(labels, c.pick(", ", "、")))
		if dims := c.labels(c.vocabulary.Dimensions); len(dims) > 0 {
			b.WriteString(c.pick("; by ", "；可以按") + strings.Join(dims, c.pick(", ", "、")) + c.pick(", day, week, month, quarter, year", "、天、周、月、季度、年来看"))
		}
		b.WriteString(c.pick(".", "。"))
	}
	return b.String()
}

var helps = [][4]string{
	{"**Figures**: ", "**数据**：", "what were last month's sales in Asia?", "上个月亚洲的销售额是多少？"},
	{"**Reports** with table, chart and file: ", "**报告**（表格、图表、文件）：", "summarise last month's sales by region, as PDF with a pie chart", "把上个月的销售按地区汇总，做成PDF，配饼图"},
	{"**Posting**, after somebody approves: ", "**发送**（先经人批准）：", "write an analysis of last month's sales and post it to #sales", "写一份上个月的销售分析，发到 #sales"},
	{"**Times**: ", "**定时**：", "do this every month on the 1st at 9:00", "以后每个月1号早上9点都做一次"},
	{"**Memory**: ", "**记忆**：", "from now on I want CSV", "以后我要CSV格式"},
}

func (c reader) example(en, zh string) string { return c.pick("“"+en+"”", "“"+zh+"”") }
