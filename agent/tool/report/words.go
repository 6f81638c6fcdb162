package report

import (
	"math"
	"reflect"
	"strings"

	"hermes/agent/tool"
)

const zh = "zh"

// A prose writes figures into sentences and keeps the evidence of each. It is the
// only way by which a number gets into an analysis.
type prose struct {
	lang   string
	places int
	unit   string
	ev     []Evidence
}

func (p *prose) keep(f figure, shown string, digit float64) string {
	p.ev = append(p.ev, f.evidence(shown, digit))
	return shown
}

// amt is a figure in the unit of the table.
func (p *prose) amt(f figure) string {
	places := p.places
	if f.op == OpMean && f.scale == 0 && math.Abs(f.value) < 100 {
		places = max(places, 1) // a mean of counts is no count
	}
	return p.keep(f, amount(f.value, places, p.unit), math.Pow10(-places))
}

// by is how much, without its sign: "up $1,200". Shares differ by points.
func (p *prose) by(f figure) string {
	f.value = math.Abs(f.value)
	if p.unit == "%" {
		return p.keep(f, number(f.value, p.places)+p.points(), math.Pow10(-p.places))
	}
	return p.keep(f, amount(f.value, p.places, p.unit), math.Pow10(-p.places))
}

// delta is how much, with its sign.
func (p *prose) delta(f figure) string {
	if p.unit == "%" {
		return p.keep(f, signed(number(f.value, p.places))+p.points(), math.Pow10(-p.places))
	}
	return p.keep(f, signed(amount(f.value, p.places, p.unit)), math.Pow10(-p.places))
}

func (p *prose) points() string {
	if p.lang == zh {
		return " 个百分点"
	}
	return " pp"
}

func (p *prose) pct(f figure) string { return p.keep(f, percent(f.value), percentDigit(f.value)) }

func (p *prose) spct(f figure) string {
	return p.keep(f, signed(percent(f.value)), percentDigit(f.value))
}

func percentDigit(v float64) float64 {
	if math.Abs(v) >= 10 {
		return 0.01
	}
	return 0.001
}

// times is a ratio: "2.3".
func (p *prose) times(f figure) string {
	places := 1
	if f.value < 1 {
		places = 2
	}
	return p.keep(f, number(f.value, places), math.Pow10(-places))
}

func (p *prose) count(f figure) string { return p.keep(f, number(f.value, 0), 1) }

// still is true of a difference that rounds to nothing.
func (p *prose) still(d figure) bool {
	return math.Abs(d.value) < math.Pow10(-p.places)/2
}

// sayable is true of a percentage that helps. Against almost nothing anything
// is a million percent.
func sayable(f *figure) bool { return f != nil && math.Abs(f.value) <= 100 }

// esc keeps a name from being read as Markdown.
func esc(s string) string {
	return strings.Join(strings.Fields(escaper.Replace(s)), " ")
}

var escaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
	"<", "&lt;", "://", ":&#47;&#47;", "~", `\~`, "|", `\|`)

// about names what the frame measures and of when: "Sales", "October 2026".
func (f *frame) about(lang string) (measure, when string) {
	if f.val >= 0 {
		measure = esc(f.Columns[f.val].Label)
		if measure == "" {
			measure = esc(f.Columns[f.val].Key)
		}
	}
	return measure, periodName(f.Period, f.Zone, lang)
}

// analyse says in a few sentences what the tables show, and gives the evidence
// of every number in them. One paragraph a table.
func analyse(frames []*frame, lang string) ([]string, []Evidence) {
	var paras []string
	var ev []Evidence
	for i, f := range frames {
		p := &prose{lang: lang, places: f.places(f.val), unit: f.unit()}
		var said []string
		if lang == zh {
			said = p.chinese(find(f), !totalSaid(frames, i))
		} else {
			said = p.english(find(f), !totalSaid(frames, i))
		}
		sep := " "
		if lang == zh {
			sep = ""
		}
		if len(said) > 0 {
			paras = append(paras, strings.Join(said, sep))
			ev = append(ev, p.ev...)
		}
	}
	return paras, ev
}

// totalSaid is true if a table before this one has the same measure of the same
// period: its total need not be said again.
func totalSaid(frames []*frame, i int) bool {
	f := frames[i]
	for _, g := range frames[:i] {
		same := g.Measure == f.Measure && f.Measure != "" && g.Period == f.Period
		if _, ok := g.total(g.val); same && ok && g.whole() && reflect.DeepEqual(g.Where, f.Where) {
			return true
		}
	}
	return false
}

// vs picks the words of a comparison.
func vs(basis tool.Role, previous, year string) string {
	if basis == tool.RoleYear {
		return year
	}
	return previous
}

// unesc undoes esc, for what is no Markdown.
func unesc(s string) string { return unescaper.Replace(s) }

var unescaper = strings.NewReplacer(
	`\\`, `\`, "\\`", "`", `\*`, "*", `\_`, "_", `\[`, "[", `\]`, "]",
	"&lt;", "<", "&#47;", "/", `\~`, "~", `\|`, "|", "**", "")
