package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"hermes/agent/tool"
)

// mostRows is how many rows of a table go into the message. The rest is in the
// sheet.
const mostRows = 20

// mostBeside is how many rows a table behind the first one may have and still go
// into the message: thirty days beside six regions would bury them.
const mostBeside = 12

// A page is all that a report says.
type page struct {
	lang       string
	title      string
	frames     []*frame
	analysis   []string
	commentary string // checked
	revision   int    // from 2 for one that replaces what was posted before; its link is replaces
	replaces   string
	blind      bool     // the chart has numbers where labels should be
	instead    string   // why the chart is of another kind than was asked for
	noPDF      bool     // there is no font to print it with
	sheets     []string // by frame, the name of the file with all rows; empty without
}

func (p page) say(en, zhText string) string {
	if p.lang == zh {
		return zhText
	}
	return en
}

func (p page) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", esc(p.title))
	if line := p.periodLine(); line != "" {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	if p.revision > 1 {
		before := p.say("the report posted before", "之前发出的报告")
		if p.replaces != "" {
			before = "[" + before + "](" + p.replaces + ")"
		}
		fmt.Fprintf(&b, p.say("\n**Revision %d**, in place of %s.\n", "\n**第 %d 版**，替换%s。\n"), p.revision, before)
	}
	for i, f := range p.frames {
		if p.inSheet(i) {
			continue
		}
		if len(p.frames) > 1 && f.Title != "" {
			fmt.Fprintf(&b, "\n## %s\n", esc(f.Title))
		}
		if len(f.Rows) > 0 {
			b.WriteString("\n" + f.table(p.lang))
		}
	}
	if len(p.analysis) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", p.say("Analysis", "分析"), strings.Join(p.analysis, "\n\n"))
	}
	if p.commentary != "" {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", p.say("Comment", "评述"), p.commentary)
	}
	fmt.Fprintf(&b, "\n---\n\n")
	for _, n := range p.notes() {
		fmt.Fprintf(&b, "- %s\n", n)
	}
	return b.String()
}

// inSheet reports whether a table stands in the sheet alone.
func (p page) inSheet(i int) bool {
	return i > 0 && i < len(p.sheets) && len(p.frames[i].Rows) > mostBeside
}

func (p page) periodLine() string {
	f := p.frames[0]
	name := periodName(f.Period, f.Zone, p.lang)
	if name == "" {
		return ""
	}
	var parts []string
	parts = append(parts, p.say("**Period:** ", "**期间**：")+name)
	for _, w := range f.Where {
		parts = append(parts, esc(w.Dimension)+" = "+esc(strings.Join(w.Values, ", ")))
	}
	if u := f.unit(); u != "" && u != "%" {
		parts = append(parts, p.say("in ", "单位：")+esc(u))
	}
	return strings.Join(parts, " · ")
}

func (p page) notes() []string {
	var out []string
	for i, f := range p.frames {
		where := ""
		if len(p.frames) > 1 && f.Title != "" {
			where = esc(f.Title) + p.say(": ", "：")
		}
		switch {
		case p.inSheet(i):
			out = append(out, where+p.say("all rows are in ", "全部行见 ")+esc(p.sheets[i]))
		case len(f.Rows) == 0:
			out = append(out, where+p.say("no data.", "没有数据。"))
		case f.Truncated > 0:
			out = append(out, where+fmt.Sprintf(p.say("%s more rows were left out of the result.", "结果中另有 %s 行未列出。"), number(float64(f.Truncated), 0)))
		}
	}
	if days := p.missing(); len(days) > 0 {
		listed := strings.Join(days[:min(len(days), 7)], p.say(", ", "、"))
		if len(days) > 7 {
			listed += p.say(", …", "等")
		}
		out = append(out, p.say("Days without data: ", "缺少数据的日期：")+listed)
	}
	if p.rounded() {
		out = append(out, p.say("Amounts are rounded; sums, differences and shares are computed from the exact ones.",
			"金额经四舍五入；合计、差额和占比按精确值计算。"))
	}
	if p.instead != "" {
		out = append(out, p.instead)
	}
	if p.noPDF {
		out = append(out, p.say("No font for all letters of this report was found, so it comes as Excel and not as PDF. Whoever runs Hermes can install one (fonts-wqy-microhei) or name one under reports.font.",
			"未找到能显示本报告全部文字的字体，因此以Excel代替PDF。请管理员安装中文字体（fonts-wqy-microhei），或在配置 reports.font 中指定。"))
	}
	if p.blind {
		out = append(out, p.say("No font with Chinese characters was found: the chart shows row numbers for names.",
			"未找到中文字体：图表中以行号代替名称。"))
	}
	out = append(out, p.sources())
	return out
}

// rounded reports whether an amount that is shown has more digits than are shown.
func (p page) rounded() bool {
	for i, f := range p.frames {
		if p.inSheet(i) && i > 0 {
			continue
		}
		for c := range f.Columns {
			unit := math.Pow10(-f.places(c))
			for r := range min(len(f.Rows), mostRows) {
				if v, ok := f.cell(r, c); ok && math.Abs(v.value-math.Round(v.value/unit)*unit) > 1e-9*math.Max(1, math.Abs(v.value)) {
					return true
				}
			}
		}
	}
	return false
}

// missing are the days without data of all tables, each once.
func (p page) missing() []string {
	var days []string
	seen := map[string]bool{}
	for _, f := range p.frames {
		for _, d := range f.Missing {
			if !seen[d] {
				seen[d] = true
				days = append(days, d)
			}
		}
	}
	return days
}

func (p page) sources() string {
	var names []string
	seen := map[string]bool{}
	for _, f := range p.frames {
		if !seen[f.Source] && f.Source != "" {
			seen[f.Source] = true
			name := esc(f.Source)
			if !f.AsOf.IsZero() {
				name += p.say(", as of ", "，截至") + f.asOf(p.lang)
			}
			names = append(names, name)
		}
	}
	return p.say("Source: ", "数据来源：") + strings.Join(names, p.say("; ", "；"))
}

// asOf is of when the figures are, in the zone of the report.
func (f *frame) asOf(lang string) string {
	at := f.AsOf.UTC()
	zone := " UTC"
	if loc, err := time.LoadLocation(f.Zone); f.Zone != "" && err == nil {
		at, zone = f.AsOf.In(loc), ""
	}
	if lang == zh {
		return at.Format("2006年1月2日 15:04") + zone
	}
	return at.Format("2 January 2006, 15:04") + zone
}

// A column of the printed table.
type printed struct {
	head  string
	right bool
	cell  func(row int) string // AllRows is the total
}

// columns lays out what a table shows: the grid's own columns, and beside them
// share and changes.
func (f *frame) columns(lang string) []printed {
	say := page{lang: lang}.say
	var cols []printed
	for _, c := range f.by {
		cols = append(cols, printed{head: f.head(c), cell: func(r int) string { return esc(f.text(r, c)) }})
	}
	value := func(c int) {
		places, unit := f.places(c), f.Columns[c].Unit
		cols = append(cols, printed{head: f.head(c), right: true, cell: func(r int) string {
			v, ok := f.cellOrTotal(r, c)
			if !ok {
				return "–"
			}
			return amount(v.value, places, unit)
		}})
	}
	if f.val >= 0 {
		value(f.val)
	}
	if f.val >= 0 && f.shares() {
		cols = append(cols, printed{head: say("Share", "占比"), right: true, cell: func(r int) string {
			v, ok := f.cellOrTotal(r, f.val)
			all, also := f.total(f.val)
			s, can := share(v, all)
			if !ok || !also || !can {
				return "–"
			}
			return percent(s.value)
		}})
	}
	for _, b := range []struct {
		col  int
		role tool.Role
		head string
	}{{f.prev, tool.RolePrevious, say("Change", "环比")}, {f.year, tool.RoleYear, say("On year", "同比")}} {
		if b.col < 0 || !f.counts(b.col) {
			continue // nothing to compare with
		}
		value(b.col)
		if f.val < 0 || f.unit() == "%" {
			continue
		}
		cols = append(cols, printed{head: b.head, right: true, cell: func(r int) string {
			v, ok := f.cellOrTotal(r, f.val)
			base, also := f.cellOrTotal(r, b.col)
			switch ch, can := change(v, base, b.role); {
			case !ok:
				return "–"
			case (!also || base.value == 0) && v.value > 0 && r != AllRows:
				return say("new", "新增")
			case !also || !can || !sayable(&ch):
				return "–"
			default:
				return signed(percent(ch.value))
			}
		}})
	}
	for _, c := range f.more {
		value(c)
	}
	return cols
}

// cellOrTotal is a cell, or the total of its column for AllRows.
func (f *frame) cellOrTotal(row, col int) (figure, bool) {
	if row == AllRows {
		return f.total(col)
	}
	return f.cell(row, col)
}

func (f *frame) head(c int) string {
	if l := f.Columns[c].Label; l != "" {
		return esc(l)
	}
	return esc(f.Columns[c].Key)
}

// summed says whether the table ends with a row of totals.
func (f *frame) summed() bool {
	_, ok := f.total(f.val)
	return ok && len(f.Rows) > 1 && len(f.by) > 0
}

// totalName is what the row of totals is called.
func (f *frame) totalName(lang string) string {
	say := page{lang: lang}.say
	if f.whole() {
		return say("Total", "合计")
	}
	return say("Shown rows", "所列合计")
}

func (f *frame) table(lang string) string {
	say := page{lang: lang}.say
	cols := f.columns(lang)
	if len(cols) == 0 {
		return ""
	}
	var b strings.Builder
	line := func(cell func(printed) string) {
		for _, c := range cols {
			b.WriteString("| " + cell(c) + " ")
		}
		b.WriteString("|\n")
	}
	line(func(c printed) string { return c.head })
	for _, c := range cols {
		b.WriteString(map[bool]string{true: "| ---: ", false: "| --- "}[c.right])
	}
	b.WriteString("|\n")
	shown := min(len(f.Rows), mostRows)
	for r := range shown {
		line(func(c printed) string { return c.cell(r) })
	}
	if f.summed() {
		first := true
		line(func(c printed) string {
			s := ""
			switch {
			case first:
				s = f.totalName(lang)
			case c.right:
				s = c.cell(AllRows)
			}
			first = false
			if s == "" || s == "–" {
				return s
			}
			return "**" + s + "**"
		})
	}
	if n := len(f.Rows) - shown; n > 0 {
		fmt.Fprintf(&b, "\n"+say("… and %s more", "……另有 %s 行")+"\n", number(float64(n), 0))
	}
	return b.String()
}
