package playbook

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/agent/tool"
)

// A Contract is what must be true of a report before others see it. An empty one asks for
// nothing but that the report is made.
type Contract struct {
	Sections []string `json:"sections,omitempty"` // words that must stand in the report, such as its headings
	Rows     []Rows   `json:"rows,omitempty"`
	Fresh    []Fresh  `json:"fresh,omitempty"`
	Equal    []Equal  `json:"equal,omitempty"`
	Limits   []Limit  `json:"limits,omitempty"`
}

// Empty reports whether it asks for nothing.
func (c Contract) Empty() bool {
	return len(c.Sections)+len(c.Rows)+len(c.Fresh)+len(c.Equal)+len(c.Limits) == 0
}

// Rows is how many rows the table of a step must have. A bound that is nil is none.
type Rows struct {
	Step     string
	Min, Max *int
}

// Fresh says that the newest day with a figure in the table of a step may lie so many days
// before the end of the period and no more. Column is the one with the days; empty: the
// first that has any.
type Fresh struct {
	Step, Column string
	Within       int
}

// Equal says that two figures are the same, give or take the Tolerance: a number, or a
// percentage of the larger ("0.5%"); empty: half of the last digit that is shown.
type Equal struct {
	Name        string // what it means, for people; may be empty
	Left, Right string // figures
	Tolerance   Number
}

// A Limit says where a figure must be. A bound that is empty is none.
type Limit struct {
	Figure   string
	Min, Max Number
}

// A Number is one as it is written: "1000", "0.5%" for 0.005.
type Number string

var numberForm = regexp.MustCompile(`^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,2})?%?$`)

// Value is the Number, and whether it is a percentage; false if it is none.
func (n Number) Value() (v float64, percent, ok bool) {
	if !numberForm.MatchString(string(n)) {
		return 0, false, false
	}
	text, percent := strings.CutSuffix(string(n), "%")
	v, err := strconv.ParseFloat(text, 64)
	if percent {
		v /= 100
	}
	return v, percent, err == nil
}

func (n Number) fault() string {
	if _, _, ok := n.Value(); n != "" && !ok {
		return fmt.Sprintf("%q is no number; write 1000, 0.5 or 5%%", string(n))
	}
	return ""
}

// faults are those of a Contract of p.
func (c Contract) faults(p Playbook) (faults []error) {
	bad := func(at, format string, args ...any) {
		faults = append(faults, fmt.Errorf("contract."+at+": "+format, args...))
	}
	if n := len(c.Sections) + len(c.Rows) + len(c.Fresh) + len(c.Equal) + len(c.Limits); n > mostChecks {
		bad("contract", "%d checks are too many; at most %d", n, mostChecks)
	}
	known := func(at, id string) bool {
		_, ok := p.step(id)
		if !ok {
			bad(at, "there is no step %q%s", id, nearest(id, idsOf(p.Steps)))
		}
		return ok
	}
	figure := func(at, f string) {
		id, what, ok := strings.Cut(f, ".")
		if !ok || what == "" {
			bad(at, "%q is no figure; write step.total, step.rows or step.COLUMN", f)
			return
		}
		known(at, id)
	}
	for i, s := range c.Sections {
		at := fmt.Sprintf("sections[%d]", i)
		if strings.TrimSpace(s) == "" {
			bad(at, "it is empty")
		}
		if p.Report() < 0 {
			bad(at, "there is no step with %s that it could stand in", MakeReport)
		}
	}
	for i, r := range c.Rows {
		at := fmt.Sprintf("rows[%d]", i)
		known(at, r.Step)
		switch {
		case r.Min == nil && r.Max == nil:
			bad(at, "it has neither min nor max")
		case r.Min != nil && *r.Min < 0 || r.Max != nil && *r.Max < 0:
			bad(at, "a number of rows is not negative")
		case r.Min != nil && r.Max != nil && *r.Min > *r.Max:
			bad(at, "min %d is more than max %d", *r.Min, *r.Max)
		}
	}
	for i, f := range c.Fresh {
		at := fmt.Sprintf("fresh[%d]", i)
		known(at, f.Step)
		if p.Period == "" {
			bad(at, "the report has no period by whose end it could be judged")
		}
		if f.Within < 0 || f.Within > 366 {
			bad(at, "within: %d days; from 0 to 366", f.Within)
		}
	}
	for i, e := range c.Equal {
		at := fmt.Sprintf("equal[%d]", i)
		figure(at+".left", e.Left)
		figure(at+".right", e.Right)
		if why := e.Tolerance.fault(); why != "" {
			bad(at+".tolerance", "%s", why)
		}
	}
	for i, l := range c.Limits {
		at := fmt.Sprintf("limits[%d]", i)
		figure(at+".figure", l.Figure)
		if l.Min == "" && l.Max == "" {
			bad(at, "it has neither min nor max")
		}
		for _, n := range []Number{l.Min, l.Max} {
			if why := n.fault(); why != "" {
				bad(at, "%s", why)
			}
		}
		low, _, ok := l.Min.Value()
		high, _, also := l.Max.Value()
		if ok && also && low > high {
			bad(at, "min %s is more than max %s", l.Min, l.Max)
		}
	}
	return faults
}

// A Check is one thing that a Contract asks for, as it was found.
type Check struct {
	OK   bool   `json:"ok"`
	Step string `json:"step,omitempty"`
	// Text says what was asked for and what there is, with the figures.
	Text string `json:"text"`
}

// A Verdict is what a Contract says of one report.
type Verdict struct {
	Met    bool    `json:"met"`
	Checks []Check `json:"checks"`
}

// Broken are the texts of what is not as it was asked for.
func (v Verdict) Broken() (texts []string) {
	for _, c := range v.Checks {
		if !c.OK {
			texts = append(texts, c.Text)
		}
	}
	return texts
}

// Judge holds a report against the Contract: tables has the artifact that each step has
// made, and report is what would be posted.
func (c Contract) Judge(tables map[string]tool.Artifact, report tool.Artifact, t Time) Verdict {
	j := judge{tables: tables, zh: t.Lang == "zh"}
	for _, s := range c.Sections {
		ok := strings.Contains(strings.ToLower(string(report.Body)), strings.ToLower(s))
		j.say(ok, "", "the report says “"+s+"”", "the report says nothing of “"+s+"”", "报告里有“"+s+"”", "报告里没有“"+s+"”")
	}
	for _, r := range c.Rows {
		j.rows(r)
	}
	for _, f := range c.Fresh {
		j.fresh(f, t)
	}
	for _, e := range c.Equal {
		j.equal(e)
	}
	for _, l := range c.Limits {
		j.limit(l)
	}
	v := Verdict{Met: true, Checks: j.checks}
	if v.Checks == nil {
		v.Checks = []Check{}
	}
	for _, c := range v.Checks {
		v.Met = v.Met && c.OK
	}
	return v
}

type judge struct {
	tables map[string]tool.Artifact
	zh     bool
	checks []Check
}

func (j *judge) say(ok bool, step, good, bad, goodZh, badZh string) {
	text := map[[2]bool]string{{true, false}: good, {false, false}: bad, {true, true}: goodZh, {false, true}: badZh}[[2]bool{ok, j.zh}]
	j.checks = append(j.checks, Check{ok, step, text})
}

// cannot is a check that cannot be made, which is as good as one that fails.
func (j *judge) cannot(step, why, whyZh string) { j.say(false, step, "", why, "", whyZh) }

func (j *judge) grid(step string) (tool.Grid, bool) {
	a, ok := j.tables[step]
	if !ok || a.Kind != tool.Table {
		j.cannot(step, step+" has no table to be looked at", step+" 没有可检查的表")
		return tool.Grid{}, false
	}
	g, err := tool.DecodeGrid(a.Body)
	if err != nil {
		j.cannot(step, step+": its table cannot be read", step+" 的表读不出来")
	}
	return g, err == nil
}

func (j *judge) rows(r Rows) {
	g, ok := j.grid(r.Step)
	if !ok {
		return
	}
	n := len(g.Rows) + g.Truncated
	want, wantZh := "", ""
	switch {
	case r.Min != nil && r.Max != nil:
		want, wantZh = fmt.Sprintf("from %d to %d are wanted", *r.Min, *r.Max), fmt.Sprintf("应为 %d 到 %d 行", *r.Min, *r.Max)
	case r.Min != nil:
		want, wantZh = fmt.Sprintf("at least %d wanted", *r.Min), fmt.Sprintf("至少要 %d 行", *r.Min)
	default:
		want, wantZh = fmt.Sprintf("at most %d wanted", *r.Max), fmt.Sprintf("至多 %d 行", *r.Max)
	}
	good := (r.Min == nil || n >= *r.Min) && (r.Max == nil || n <= *r.Max)
	en, zh := fmt.Sprintf("rows of %s: %d, %s", r.Step, n, want), fmt.Sprintf("%s 有 %d 行，%s", r.Step, n, wantZh)
	j.say(good, r.Step, en, en, zh, zh)
}

func (j *judge) fresh(f Fresh, t Time) {
	g, ok := j.grid(f.Step)
	if !ok {
		return
	}
	newest := newestDay(g, f.Column)
	end := t.Period.To.In(t.Zone).AddDate(0, 0, -1)
	least := end.AddDate(0, 0, -f.Within).Format(time.DateOnly)
	if newest == "" {
		j.cannot(f.Step, fmt.Sprintf("newest day of %s: none has a figure, %s wanted", f.Step, least), fmt.Sprintf("%s 里没有任何一天有数据，至少要到 %s", f.Step, least))
		return
	}
	en, zh := fmt.Sprintf("newest day of %s: %s, at least %s wanted", f.Step, newest, least), fmt.Sprintf("%s 最新的一天是 %s，至少要到 %s", f.Step, newest, least)
	j.say(newest >= least, f.Step, en, en, zh, zh)
}

var dayForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

// newestDay is the newest day of a column in a row with any figure; that of the first
// column that has days if none is named.
func newestDay(g tool.Grid, column string) (newest string) {
	for i, c := range g.Columns {
		if column != "" && c.Key != column {
			continue
		}
		for _, row := range g.Rows {
			day, ok := row[i].(string)
			filled := len(row) == 1 || slices.ContainsFunc(row, func(v any) bool { _, is := v.(float64); return is })
			if ok && dayForm.MatchString(day) && filled && day[:10] > newest {
				newest = day[:10]
			}
		}
		if newest != "" {
			return newest
		}
	}
	return ""
}

// figure is the value of "step.what", with as many digits as mean something.
func (j *judge) figure(name string) (v float64, scale int, ok bool) {
	id, what, _ := strings.Cut(name, ".")
	g, ok := j.grid(id)
	if !ok {
		return 0, 0, false
	}
	v, scale, ok = figureOf(g, j.tables[id].Meta, what)
	if !ok {
		keys := []string{"rows", "total", "previous", "change"}
		for _, c := range g.Columns {
			keys = append(keys, c.Key)
		}
		near := nearest(what, keys)
		j.cannot(id, name+": there is no such figure"+near, name+"：没有这个数字"+strings.Replace(near, "; the nearest is ", "；最接近的是 ", 1))
	}
	return v, scale, ok
}

// figureOf reads a figure of a table: rows, total, previous, year_before, change (against
// the period before), or a column, of which .min .max and .count may be asked; else it is
// added up.
func figureOf(g tool.Grid, meta []byte, what string) (float64, int, bool) {
	switch what {
	case "rows":
		return float64(len(g.Rows) + g.Truncated), 0, true
	case "total":
		return totalOf(g, meta, tool.RoleValue)
	case "previous":
		return totalOf(g, meta, tool.RolePrevious)
	case "year_before":
		return totalOf(g, meta, tool.RoleYear)
	case "change":
		now, _, ok := totalOf(g, meta, tool.RoleValue)
		before, _, also := totalOf(g, meta, tool.RolePrevious)
		if !ok || !also || before == 0 {
			return 0, 0, false
		}
		return now/before - 1, 4, true
	}
	key, of := what, "sum"
	if i := strings.LastIndexByte(what, '.'); i > 0 && slices.Contains([]string{"sum", "min", "max", "count"}, what[i+1:]) {
		key, of = what[:i], what[i+1:]
	}
	for i, c := range g.Columns {
		if c.Key == key {
			return columnOf(g, i, of)
		}
	}
	return 0, 0, false
}

func columnOf(g tool.Grid, i int, of string) (v float64, scale int, ok bool) {
	n := 0
	for _, row := range g.Rows {
		x, is := row[i].(float64)
		if !is {
			continue
		}
		switch n++; {
		case of == "sum":
			v += x
		case n == 1, of == "min" && x < v, of == "max" && x > v:
			v = x
		}
	}
	if of == "count" {
		return float64(n), 0, true
	}
	return v, g.Columns[i].Scale, n > 0 && (of != "sum" || g.Truncated == 0)
}

// totalOf is what a measure comes to over the whole period, as its query has found it, or
// the sum of its column.
func totalOf(g tool.Grid, meta []byte, role tool.Role) (float64, int, bool) {
	i := slices.IndexFunc(g.Columns, func(c tool.Column) bool { return c.Role == role })
	if i < 0 {
		if role != tool.RoleValue {
			return 0, 0, false
		}
		// Free SQL: the one column with numbers, if there is one only.
		for k := range g.Columns {
			if _, _, ok := columnOf(g, k, "sum"); ok {
				if i >= 0 {
					return 0, 0, false
				}
				i = k
			}
		}
		if i < 0 {
			return 0, 0, false
		}
	}
	var known struct {
		Totals map[tool.Role]*float64 `json:"totals"`
	}
	if len(meta) > 0 && json.Unmarshal(meta, &known) == nil && known.Totals != nil {
		if v := known.Totals[role]; v != nil {
			return *v, g.Columns[i].Scale, true
		}
		return 0, 0, false
	}
	if g.NoTotal {
		return 0, 0, false
	}
	return columnOf(g, i, "sum")
}

func (j *judge) equal(e Equal) {
	left, ls, ok := j.figure(e.Left)
	right, rs, also := j.figure(e.Right)
	if !ok || !also {
		return
	}
	scale := max(ls, rs)
	within, percent, given := e.Tolerance.Value()
	switch {
	case !given:
		within = math.Pow10(-scale)/2 + 1e-9*math.Max(math.Abs(left), math.Abs(right))
	case percent:
		within *= math.Max(math.Abs(left), math.Abs(right))
	}
	off := math.Abs(left - right)
	good := off <= within+1e-9*math.Max(1, math.Max(math.Abs(left), math.Abs(right)))
	name, nameZh := "", ""
	if e.Name != "" {
		name, nameZh = e.Name+": ", e.Name+"："
	}
	tolerance, tolZh := "", ""
	if given {
		tolerance, tolZh = fmt.Sprintf(" (tolerance %s)", e.Tolerance), fmt.Sprintf("（容差 %s）", e.Tolerance)
	}
	id, _, _ := strings.Cut(e.Left, ".")
	j.say(good, id,
		fmt.Sprintf("%s%s %s = %s %s%s", name, e.Left, shown(left, scale), e.Right, shown(right, scale), tolerance),
		fmt.Sprintf("%s%s is %s and %s is %s; they differ by %s%s", name, e.Left, shown(left, scale), e.Right, shown(right, scale), shown(off, scale), tolerance),
		fmt.Sprintf("%s%s %s = %s %s%s", nameZh, e.Left, shown(left, scale), e.Right, shown(right, scale), tolZh),
		fmt.Sprintf("%s%s 是 %s，%s 是 %s，相差 %s%s", nameZh, e.Left, shown(left, scale), e.Right, shown(right, scale), shown(off, scale), tolZh))
}

func (j *judge) limit(l Limit) {
	v, scale, ok := j.figure(l.Figure)
	if !ok {
		return
	}
	low, lowPercent, hasLow := l.Min.Value()
	high, highPercent, hasHigh := l.Max.Value()
	said := shown(v, scale)
	if lowPercent || highPercent {
		said = shown(v*100, 1) + "%"
	}
	want, wantZh := "at least "+string(l.Min), "至少要 "+string(l.Min)
	switch {
	case hasLow && hasHigh:
		want, wantZh = "from "+string(l.Min)+" to "+string(l.Max), "应在 "+string(l.Min)+" 到 "+string(l.Max)+" 之间"
	case hasHigh:
		want, wantZh = "at most "+string(l.Max), "至多 "+string(l.Max)
	}
	good := (!hasLow || v >= low) && (!hasHigh || v <= high)
	id, _, _ := strings.Cut(l.Figure, ".")
	en, zh := fmt.Sprintf("%s is %s, %s wanted", l.Figure, said, want), fmt.Sprintf("%s 是 %s，%s", l.Figure, said, wantZh)
	j.say(good, id, en, en, zh, zh)
}

// shown writes a figure with commas between the thousands.
func shown(v float64, scale int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', min(max(scale, 0), 6), 64)
	whole, rest, has := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if has {
		whole += "." + rest
	}
	if v < 0 && strings.Trim(s, "0.") != "" {
		return "-" + whole
	}
	return whole
}
