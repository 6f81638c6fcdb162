package report

import (
	"fmt"
	"strings"
)

func (p *prose) chinese(o findings, withTotal bool) []string {
	measure, when := o.about(p.lang)
	if o.val < 0 {
		return nil
	}
	if len(o.order(o.val)) == 0 {
		return []string{when + "没有数据。"}
	}
	var s []string
	say := func(format string, args ...any) { s = append(s, fmt.Sprintf(format, args...)) }
	if o.total != nil && withTotal {
		switch {
		case o.count != nil:
			say("%s所列 %s 行合计 %s%s。", when, p.count(*o.count), p.amt(*o.total), p.versusZh(o))
		case len(o.Rows) == 1:
			say("%s%s为 %s%s。", when, measure, p.amt(*o.total), p.versusZh(o))
		default:
			say("%s%s合计 %s%s。", when, measure, p.amt(*o.total), p.versusZh(o))
		}
	}
	if len(o.group) == 2 {
		a, b := o.group[0], o.group[1]
		say("按%s看，%s居首，为 %s，占比 %s；其次是%s，为 %s，占比 %s。", esc(o.groupBy), named(a.label), p.amt(a.value),
			p.pct(*a.share), before(b.label), p.amt(b.value), p.pct(*b.share))
	}
	if o.time {
		p.seriesZh(o, measure, say)
	} else {
		p.leadersZh(o, measure, say)
		p.changesZh(o, say)
	}
	return s
}

func (p *prose) versusZh(o findings) string {
	var b strings.Builder
	for _, v := range o.versus {
		than := vs(v.basis, "环比", "同比")
		switch {
		case p.still(v.diff):
			b.WriteString("，" + than + "持平")
		case v.base.value == 0:
			b.WriteString("，" + vs(v.basis, "上期", "去年同期") + "为零")
		default:
			way := "增加"
			if v.diff.value < 0 {
				way = "减少"
			}
			b.WriteString("，" + than + way + " " + p.by(v.diff))
			if sayable(v.change) {
				b.WriteString("（" + p.spct(*v.change) + "）")
			}
		}
	}
	return b.String()
}

func (p *prose) leadersZh(o findings, measure string, say func(string, ...any)) {
	if o.leader == nil {
		if o.leaderless() {
			say("各项%s相同，均为 %s。", measure, p.amt(o.rowAt(o.order(o.val)[0]).value))
		}
		return
	}
	if o.leader.share != nil {
		say("%s居首，为 %s，占比 %s；其次是%s，为 %s，占比 %s。", named(o.leader.label), p.amt(o.leader.value),
			p.pct(*o.leader.share), before(o.second.label), p.amt(o.second.value), p.pct(*o.second.share))
	} else {
		say("最高的是%s，为 %s；最低的是%s，为 %s。", before(o.leader.label), p.amt(o.leader.value),
			before(o.last.label), p.amt(o.last.value))
	}
	if o.top != nil {
		say("前 3 名合计占 %s。", p.pct(*o.top))
	}
}

func (p *prose) changesZh(o findings, say func(string, ...any)) {
	than := vs(o.againstBasis, "与上期相比", "与去年同期相比")
	list := func(rows []row) string {
		var parts []string
		for _, r := range rows {
			if r.share != nil && sayable(r.share) {
				parts = append(parts, fmt.Sprintf("%s（%s，占净变化的 %s）", before(r.label), p.delta(r.diff), p.pct(*r.share)))
			} else {
				parts = append(parts, fmt.Sprintf("%s（%s）", before(r.label), p.delta(r.diff)))
			}
		}
		return strings.Join(parts, "和")
	}
	if len(o.up) > 0 {
		say("%s，增量最大的是%s。", than, list(o.up))
	}
	if len(o.down) > 0 {
		if len(o.up) > 0 {
			say("减量最大的是%s。", list(o.down))
		} else {
			say("%s，减量最大的是%s。", than, list(o.down))
		}
	}
	for _, r := range o.fresh {
		of := ""
		if r.share != nil && sayable(r.share) {
			of = "，占净变化的 " + p.pct(*r.share)
		}
		say("%s为新增，为 %s%s。", named(r.label), p.amt(r.value), of)
	}
	for _, r := range o.gone {
		say("%s此前为 %s，本期为零。", named(r.label), p.amt(r.value))
	}
	switch {
	case o.rise != nil && o.fall != nil:
		say("%s，增幅最大的是%s（%s），降幅最大的是%s（%s）。", than, before(o.rise.label), p.spct(*o.rise.rate), before(o.fall.label), p.spct(*o.fall.rate))
	case o.rise != nil:
		say("%s，增幅最大的是%s（%s）。", than, before(o.rise.label), p.spct(*o.rise.rate))
	case o.fall != nil:
		say("%s，降幅最大的是%s（%s）。", than, before(o.fall.label), p.spct(*o.fall.rate))
	}
	var moved, odd []string
	for _, m := range o.moves {
		way := "升至"
		if m.to.value > m.from.value {
			way = "降至"
		}
		moved = append(moved, fmt.Sprintf("%s由%s%s%s", named(m.label), p.ordinal(m.from), way, p.ordinal(m.to)))
	}
	if len(moved) > 0 {
		say("排名方面，%s。", strings.Join(moved, "，"))
	}
	for _, r := range o.odd {
		if sayable(r.rate) {
			odd = append(odd, fmt.Sprintf("%s（%s）", esc(r.label), p.spct(*r.rate)))
		}
	}
	if len(odd) > 0 {
		say("%s的变化幅度与其他项相差很大。", strings.Join(odd, "和 "))
	}
}

func (p *prose) seriesZh(o findings, measure string, say func(string, ...any)) {
	if o.leader != nil && len(o.by) == 1 {
		lead := ""
		if o.fine {
			lead = "按日看，"
		}
		say("%s最高为 %s 的 %s，最低为 %s 的 %s。", lead, esc(o.leader.label), p.amt(o.leader.value), esc(o.last.label), p.amt(o.last.value))
	} else if o.leader != nil {
		say("最高的是%s，为 %s；最低的是%s，为 %s。", before(o.leader.label), p.amt(o.leader.value), before(o.last.label), p.amt(o.last.value))
	}
	if o.averaged() {
		what := "日均"
		if o.monthly {
			what = "月均"
		}
		say("%s %s。", what, p.amt(*o.mean))
	}
	if o.first != nil && o.latest != nil && o.first.value.value != o.latest.value.value {
		rate := ""
		if sayable(o.trend) {
			rate = "（" + p.spct(*o.trend) + "）"
		}
		say("从 %s 到 %s，%s由 %s 变为 %s%s。", esc(o.first.label), esc(o.latest.label), measure,
			p.amt(o.first.value), p.amt(o.latest.value), rate)
	}
	for _, r := range o.odd {
		say("%s 较为异常，为 %s，是平均值的 %s 倍。", esc(r.label), p.amt(r.value), p.times(*r.rate))
	}
	if o.daysMissing != nil {
		say("有 %s 天没有数据。", p.count(*o.daysMissing))
	}
}

// named is a name before a Chinese character: a Latin one keeps a space.
func named(label string) string {
	s := esc(label)
	if s != "" && s[len(s)-1] < 0x80 {
		return s + " "
	}
	return s
}

// before is a name after a Chinese character: a Latin one keeps a space.
func before(label string) string {
	s := esc(label)
	if s != "" && s[0] < 0x80 {
		return " " + s
	}
	return s
}
