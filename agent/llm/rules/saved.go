package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hermes/scheduler/phrase"
)

// The tools of saved reports.
const (
	reportSave = "report_save"
	reportList = "report_list"
	reportRun  = "report_run"
	reportGone = "report_delete"
)

// endMarks say nothing at the end of a request.
const endMarks = " \t,.;!?，。；！？、"

var (
	listReports = regexp.MustCompile(`(?i)^(?:please )?(?:(?:show|list|see|display)(?: me)?(?: all)?(?: of)?(?: my| the| our)?(?: saved)? reports|(?:what|which)(?: saved)? reports (?:are there|do (?:i|we) have|are saved|can you run)|my(?: saved)? reports)$|^(?:请)?(?:列出|查看|看看|显示|给我看)?(?:一下)?(?:我的|我们的|所有的?|全部的?)?(?:已?保存的|存好的)?报表(?:有哪些|列表)?$|^(?:我|我们|这里)?有(?:哪些|什么)(?:已?保存的)?报表$`)
	saveReport  = regexp.MustCompile(`(?i)^(?:please )?(?:save|keep|store) (?:the report|this report|that report|this|that|it)(?: (?:as|to) (?:a |an |my |the |our )?(?:saved )?reports?)?(?:,? (?:as|called|named|under(?: the name)?)?\s*[“"'‘]?(.+?)[”"'’]?)?$`)
	saysReport  = regexp.MustCompile(`(?i)\breports?\b`)
	saveReportZ = regexp.MustCompile(`^(?:请|帮我)?(?:把)?(?:这个|这份|它|刚才的|上面的|这|刚才那份)?(?:报告|报表|结果|分析)?(?:给我)?(?:存成|存为|保存成|保存为|另存为|存作|保存)(?:一?[个份])?(?:报表|报告)(?:[，, ]*(?:叫做?|名为|名字叫|命名为|名称是|取名)?\s*[“"‘《]?(.+?)[”"’》]?)?$`)
	runVerb     = regexp.MustCompile(`(?i)^(?:(?:please|then|and|now|can you|could you) )*(?:(?:run|do|make|produce|generate|show(?: me)?|give me|post|send|update|create|repeat|redo|rerun) )?(?:again )?(?:the |my |our |a )?(?:saved )?(?:reports? )?(?:called |named )?[“"'‘]?$|^(?:请|帮我|再)*(?:运行|跑|执行|做|生成|发送|发|出|看|给我|来)?(?:一下|一遍|一次|一份)?(?:已?保存的|存好的)?(?:报表|报告)?[“"‘《 ]*$`)
	runNoun     = regexp.MustCompile(`(?i)^[”"'’》]?(?: ?(?:这个|这份|的)?(?:报表|报告)|(?: saved)?(?: reports?)?)`)
	runFor      = regexp.MustCompile(`(?i)^,? ?(?:for|of|about|on|covering|from)? ?(?:the )?$|^[，, ]*(?:的|关于|统计|看)?$`)
	runTo       = regexp.MustCompile(`(?i),?\s*(?:and )?(?:post|send|put|share|publish)(?: it| that)? (?:to|in|into|on) (#[^\s,，。]+)|[，,]?\s*(?:并|然后|再)?(?:把它|把结果)?发(?:送)?到\s*(#[^\s,，。的]+)`)
	lead        = regexp.MustCompile(`(?i)^(?:and|then|also|please)\s+|^(?:并且?|然后|再|请)`)
	runOnly     = regexp.MustCompile(`(?i)^(?:a report|report|报表|报告)$`)
)

// savedReport reads what is asked of saved reports: to keep one, to list them, to run one,
// now or at set times. It claims a text as a whole or not at all.
func (c reader) savedReport(text string, r *reading) bool {
	plain := strings.Trim(strings.TrimSpace(text), endMarks)
	if listReports.MatchString(plain) {
		r.ops = append(r.ops, op{reportList, map[string]any{}})
		return true
	}
	for _, form := range []*regexp.Regexp{saveReport, saveReportZ} {
		m := form.FindStringSubmatch(plain)
		if m == nil || form == saveReport && !saysReport.MatchString(plain) {
			continue
		}
		args := map[string]any{}
		if name := strings.Trim(strings.TrimSpace(m[1]), endMarks); name != "" && !runOnly.MatchString(name) {
			args["name"] = name
		}
		r.ops = append(r.ops, op{reportSave, args})
		return true
	}
	return c.deletesReport(plain, r) || c.runsReport(text, r)
}

var (
	deleteEn = regexp.MustCompile(`(?i)^(?:please )?(?:delete|remove|drop|throw away|get rid of) (?:the |my |our )?(?:(?:saved )?report (?:called |named )?[“"'‘]?(.+?)[”"'’]?|(?:saved )?[“"'‘]?(.+?)[”"'’]? (?:saved )?report)(?: please)?$`)
	deleteZh = regexp.MustCompile(`^(?:请|麻烦|帮我)*(?:删除|删掉|去掉)(?:掉)?(?:已?保存的|存好的)?(?:报表|报告)\s*[“"‘《]?(.+?)[”"’》]?(?:这个报表)?(?:吧)?$|^(?:请|麻烦|帮我)*把(?:已?保存的|存好的)?(?:报表|报告)?\s*[“"‘《]?(.+?)[”"’》]?(?:这个|这份)?(?:的)?(?:报表|报告)?(?:删除|删掉|删了)(?:吧)?$`)
)

// deletesReport reads "delete the report sales-by-region". It is meant only of one that there
// is: "delete the monthly report" may mean what comes each month.
func (c reader) deletesReport(plain string, r *reading) bool {
	if c.vocabulary.Reports == nil {
		return false
	}
	for _, form := range []*regexp.Regexp{deleteEn, deleteZh} {
		m := form.FindStringSubmatch(plain)
		if m == nil {
			continue
		}
		if c.gone != "" { // it has been asked for, and may be there no more
			r.ops = append(r.ops, op{reportGone, map[string]any{"report": c.gone}})
			return true
		}
		said := strings.ToLower(strings.TrimSpace(m[1] + m[2]))
		for _, k := range c.vocabulary.Reports() {
			if said == strings.ToLower(k.Name) || slices.ContainsFunc(k.Words, func(w string) bool { return said == strings.ToLower(w) }) {
				r.ops = append(r.ops, op{reportGone, map[string]any{"report": k.Name}})
				return true
			}
		}
	}
	return false
}

// sayGone says that a saved report is gone, and which schedules are paused with it.
func (w work) sayGone(said string) string {
	var d struct {
		Report string `json:"saved_report"`
		Paused []string
	}
	if json.Unmarshal([]byte(said), &d) != nil || d.Report == "" {
		return said
	}
	text := w.pick("Deleted: the saved report **"+d.Report+"**.", "已删除报表 **"+d.Report+"**。")
	if len(d.Paused) > 0 {
		text += w.pick(" Paused with it: "+strings.Join(d.Paused, ", ")+".", "随之暂停的定时任务："+strings.Join(d.Paused, "、")+"。")
	}
	return text
}

// runsReport reads "run the sales report for September, every month on the 1st".
func (c reader) runsReport(text string, r *reading) bool {
	if c.vocabulary.Reports == nil {
		return false
	}
	known := c.vocabulary.Reports()
	if len(known) == 0 || !namesAny(known, text) {
		return false
	}
	rest, when := text, ""
	if times := c.when(text); len(times.spans) > 0 && (times.Kind == phrase.Recurring || times.Kind == phrase.Once) && !times.NoDay && !times.NoTime && times.Question == "" {
		when, rest = times.Spec.String(), without(text, times.spans)
	}
	channel := ""
	if m := runTo.FindStringSubmatchIndex(rest); m != nil {
		channel = group(rest, m)
		rest = rest[:m[0]] + rest[m[1]:]
	}
	rest = strings.Trim(rest, endMarks)
	for cut := lead.ReplaceAllString(rest, ""); cut != rest; cut = lead.ReplaceAllString(rest, "") {
		rest = cut
	}
	name, before, after := longestName(known, rest)
	if name == "" || !runVerb.MatchString(before) {
		return false
	}
	after = strings.Trim(after[len(runNoun.FindString(after)):], " ")
	args := map[string]any{"report": name}
	if channel != "" {
		args["channel"] = channel
	}
	if after != "" {
		found := c.periodsIn(after)
		if len(found) != 1 || found[0].Shift != 0 || !runFor.MatchString(after[:found[0].Span.Start]) || strings.Trim(after[found[0].Span.End:], endMarks+"的") != "" {
			return false
		}
		args["period"] = found[0].Range.String()
	}
	if when == "" {
		if before == "" && after == "" {
			return false // a name alone asks for nothing
		}
		r.ops = append(r.ops, op{reportRun, args})
		return true
	}
	if args["period"] != nil {
		return false // each slot has a period of its own
	}
	plan := map[string]any{"when": when, "request": c.pick("run the saved report "+name, "运行已保存的报表 "+name)}
	if channel != "" {
		plan["channel"] = channel
	}
	r.ops = append(r.ops, op{scheduleAdd, plan})
	return true
}

func namesAny(known []Report, text string) bool {
	t := strings.ToLower(text)
	return slices.ContainsFunc(known, func(k Report) bool {
		return slices.ContainsFunc(k.Words, func(w string) bool { return w != "" && strings.Contains(t, strings.ToLower(w)) })
	})
}

// longestName finds the longest name of a report in a text, with what stands around it.
func longestName(known []Report, text string) (name, before, after string) {
	low, best := strings.ToLower(text), 0
	if len(low) != len(text) {
		return "", "", ""
	}
	for _, k := range known {
		for _, w := range k.Words {
			w = strings.ToLower(w)
			i := strings.Index(low, w)
			if w == "" || i < 0 || len(w) <= best || ascii(w) && cutsWord(low, i, i+len(w)) {
				continue
			}
			best, name, before, after = len(w), k.Name, text[:i], text[i+len(w):]
		}
	}
	return name, before, after
}

// cutsWord reports whether a span begins or ends within a word.
func cutsWord(s string, from, to int) bool {
	letter := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '-' || b == '_' }
	return from > 0 && letter(s[from-1]) || to < len(s) && letter(s[to])
}

// A savedOne is what the tools say of a saved report.
type savedOne struct {
	Report  string `json:"saved_report"`
	Title   string
	Version int
	Period  string
	Channel string
	Origin  string
	Notes   []string
}

func (w work) saySaved(said string) string {
	var s savedOne
	if json.Unmarshal([]byte(said), &s) != nil || s.Report == "" {
		return said
	}
	text := w.pick(fmt.Sprintf("Saved as the report **%s**. To run it say: run the %s report.", s.Report, s.Report), fmt.Sprintf("已存为报表 **%s**。要运行就说：运行报表 %s。", s.Report, s.Report))
	if s.Period != "" {
		text += w.pick(fmt.Sprintf(" For another %s: run the %s report for …", s.Period, s.Report), "")
	}
	for _, n := range s.Notes {
		text += "\n- " + n
	}
	return text
}

func (w work) sayReports(said string) string {
	var list struct{ Reports []savedOne }
	if json.Unmarshal([]byte(said), &list) != nil {
		return said
	}
	if len(list.Reports) == 0 {
		return w.pick("There are no saved reports here. Under a report press “Save as report”, or say: save this as report NAME.", "这里没有已保存的报表。在报告下面按“存为报表”，或者说：把这个存成报表，叫……")
	}
	var b strings.Builder
	b.WriteString(w.pick("Saved reports:", "已保存的报表："))
	units := map[string][2]string{"day": {"a day", "天"}, "week": {"a week", "周"}, "month": {"a month", "月"}, "quarter": {"a quarter", "季度"}, "year": {"a year", "年"}}
	for _, s := range list.Reports {
		fmt.Fprintf(&b, w.pick("\n- **%s**: %s, version %d", "\n- **%s**：%s，第 %d 版"), s.Report, s.Title, s.Version)
		if u, ok := units[s.Period]; ok {
			b.WriteString(w.pick(", about "+u[0], "，按"+u[1]))
		}
		if s.Channel != "" {
			b.WriteString(w.pick(", to "+s.Channel, "，发到 "+s.Channel))
		}
	}
	b.WriteString(w.pick("\nTo run one say: run the NAME report for September.", "\n要运行就说：运行报表 名称。"))
	return b.String()
}
