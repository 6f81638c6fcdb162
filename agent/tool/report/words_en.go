package report

import (
	"fmt"
	"strings"
)

func (p *prose) english(o findings, withTotal bool) []string {
	measure, when := o.about(p.lang)
	if o.val < 0 {
		return nil
	}
	if len(o.order(o.val)) == 0 {
		if when != "" {
			when = " for " + when
		}
		return []string{"There is no data" + when + "."}
	}
	if when != "" {
		when = " in " + when
		if sp := spanOf(local(o.Period, o.Zone)); sp == someDays || sp == someMonths {
			when = strings.Replace(when, " in ", " from ", 1)
		} else if spanOf(local(o.Period, o.Zone)) == aDay {
			when = strings.Replace(when, " in ", " on ", 1)
		}
	}
	var s []string
	say := func(format string, args ...any) { s = append(s, fmt.Sprintf(format, args...)) }
	if o.total != nil && withTotal {
		switch {
		case o.count != nil:
			say("The %s rows shown add up to %s%s%s.", p.count(*o.count), p.amt(*o.total), when, p.versusEn(o))
		default:
			say("%s came to %s%s%s.", measure, p.amt(*o.total), when, p.versusEn(o))
		}
	}
	if len(o.group) == 2 {
		a, b := o.group[0], o.group[1]
		say("By %s, %s leads with %s (%s of the total), ahead of %s with %s (%s).", strings.ToLower(esc(o.groupBy)), esc(a.label), p.amt(a.value),
			p.pct(*a.share), esc(b.label), p.amt(b.value), p.pct(*b.share))
	}
	if o.time {
		p.seriesEn(o, measure, say)
	} else {
		p.leadersEn(o, measure, say)
		p.changesEn(o, say)
	}
	return s
}

func (p *prose) versusEn(o findings) string {
	var parts []string
	for _, v := range o.versus {
		than := vs(v.basis, "the previous period", "a year before")
		switch {
		case p.still(v.diff):
			parts = append(parts, "unchanged from "+than)
		case v.base.value == 0:
			parts = append(parts, "after nothing in "+vs(v.basis, "the previous period", "the year before"))
		default:
			way := "up"
			if v.diff.value < 0 {
				way = "down"
			}
			rate := ""
			if sayable(v.change) {
				rate = " (" + p.spct(*v.change) + ")"
			}
			parts = append(parts, way+" "+p.by(v.diff)+rate+" from "+than)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", and ")
}

func (p *prose) leadersEn(o findings, measure string, say func(string, ...any)) {
	if o.leader == nil {
		if o.leaderless() {
			say("%s is the same everywhere: %s.", measure, p.amt(o.rowAt(o.order(o.val)[0]).value))
		}
		return
	}
	if o.leader.share != nil {
		say("%s leads with %s (%s of the total), ahead of %s with %s (%s).", esc(o.leader.label), p.amt(o.leader.value),
			p.pct(*o.leader.share), esc(o.second.label), p.amt(o.second.value), p.pct(*o.second.share))
	} else {
		say("The highest is %s with %s, the lowest %s with %s.", esc(o.leader.label), p.amt(o.leader.value),
			esc(o.last.label), p.amt(o.last.value))
	}
	if o.top != nil {
		say("The top 3 make up %s of the total.", p.pct(*o.top))
	}
}

func (p *prose) changesEn(o findings, say func(string, ...any)) {
	than := vs(o.againstBasis, "the previous period", "a year before")
	list := func(rows []row) string {
		var parts []string
		for _, r := range rows {
			if r.share != nil && sayable(r.share) {
				parts = append(parts, fmt.Sprintf("%s (%s, %s of the net change)", esc(r.label), p.delta(r.diff), p.pct(*r.share)))
			} else {
				parts = append(parts, fmt.Sprintf("%s (%s)", esc(r.label), p.delta(r.diff)))
			}
		}
		return strings.Join(parts, " and ")
	}
	if len(o.up) > 0 {
		say("Against %s, most was gained by %s.", than, list(o.up))
	}
	if len(o.down) > 0 {
		if len(o.up) > 0 {
			say("Most was lost by %s.", list(o.down))
		} else {
			say("Against %s, most was lost by %s.", than, list(o.down))
		}
	}
	for _, r := range o.fresh {
		of := ""
		if r.share != nil && sayable(r.share) {
			of = ", " + p.pct(*r.share) + " of the net change"
		}
		say("%s is new with %s%s.", esc(r.label), p.amt(r.value), of)
	}
	for _, r := range o.gone {
		say("%s, at %s before, has nothing now.", esc(r.label), p.amt(r.value))
	}
	switch {
	case o.rise != nil && o.fall != nil:
		say("Against %s, %s rose most (%s) and %s fell most (%s).", than, esc(o.rise.label), p.spct(*o.rise.rate), esc(o.fall.label), p.spct(*o.fall.rate))
	case o.rise != nil:
		say("Against %s, %s rose most (%s).", than, esc(o.rise.label), p.spct(*o.rise.rate))
	case o.fall != nil:
		say("Against %s, %s fell most (%s).", than, esc(o.fall.label), p.spct(*o.fall.rate))
	}
	var moved, odd []string
	for _, m := range o.moves {
		way := "rose"
		if m.to.value > m.from.value {
			way = "slipped"
		}
		moved = append(moved, fmt.Sprintf("%s %s from %s to %s", esc(m.label), way, p.ordinal(m.from), p.ordinal(m.to)))
	}
	if len(moved) > 0 {
		say("In rank, %s.", strings.Join(moved, ", "))
	}
	for _, r := range o.odd {
		if sayable(r.rate) {
			odd = append(odd, fmt.Sprintf("%s (%s)", esc(r.label), p.spct(*r.rate)))
		}
	}
	switch len(odd) {
	case 1:
		say("The change of %s is far from that of the others.", odd[0])
	case 2:
		say("The changes of %s are far from those of the others.", strings.Join(odd, " and "))
	}
}

func (p *prose) seriesEn(o findings, measure string, say func(string, ...any)) {
	if o.leader != nil && len(o.by) == 1 {
		lead, on := "The", "in"
		if o.fine {
			lead, on = "By day, the", "on"
		}
		say("%s high was %s %s %s, the low %s %s %s.", lead, p.amt(o.leader.value), on, esc(o.leader.label), p.amt(o.last.value), on, esc(o.last.label))
	} else if o.leader != nil {
		say("The highest is %s with %s, the lowest %s with %s.", esc(o.leader.label), p.amt(o.leader.value), esc(o.last.label), p.amt(o.last.value))
	}
	if o.averaged() {
		what := "The daily average"
		if o.monthly {
			what = "The monthly average"
		}
		say("%s was %s.", what, p.amt(*o.mean))
	}
	if o.first != nil && o.latest != nil && o.first.value.value != o.latest.value.value {
		rate := ""
		if sayable(o.trend) {
			rate = " (" + p.spct(*o.trend) + ")"
		}
		say("From %s to %s %s went from %s to %s%s.", esc(o.first.label), esc(o.latest.label), strings.ToLower(measure),
			p.amt(o.first.value), p.amt(o.latest.value), rate)
	}
	for _, r := range o.odd {
		say("%s stands out with %s, %s times the average.", esc(r.label), p.amt(r.value), p.times(*r.rate))
	}
	if o.daysMissing != nil {
		n := p.count(*o.daysMissing)
		days := "days have"
		if n == "1" {
			days = "day has"
		}
		say("%s %s no data.", n, days)
	}
}

func (p *prose) ordinal(f figure) string {
	if p.lang == zh {
		return "第" + p.count(f) + "位"
	}
	n := int(f.value)
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return p.count(f) + end
}

// leaderless is true if all of several rows are equal.
func (o findings) leaderless() bool { return o.leader == nil && len(o.order(o.val)) > 1 }

// averaged is true if the mean of a row means something to people.
func (o findings) averaged() bool {
	return o.mean != nil && o.whole() && len(o.by) == 1 && o.additive && (o.fine || o.monthly)
}
