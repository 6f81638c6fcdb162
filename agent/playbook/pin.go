package playbook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/scheduler/calendar"
)

// Errors of Pin.
var (
	ErrNothing  = errors.New("nothing in this can be done again: no tool has given figures")
	ErrUnended  = errors.New("it has not ended yet")
	ErrUnpinned = errors.New("it rests on what cannot be had again")
)

// A Pinning is what is told to Pin beside the run.
type Pinning struct {
	Name string // empty: made of the title
	// Check reads the arguments of a call as its tool would; nil: as they are.
	Check func(name string, args []byte) []byte
	// Table returns an artifact of the run.
	Table func(id string) (tool.Artifact, bool)
}

// A Note is something that was not pinned, or not as it was, for a person.
type Note struct{ En, Zh string }

// In returns the Note in a language.
func (n Note) In(lang string) string { return Label(n).In(lang) }

// Pin makes a Playbook of a run that has ended: the calls that its report rests on (or
// the tables that it showed, where it made none), with what names the period as variables
// and what names an earlier result as references. What it has not taken over, and what
// will be otherwise, it notes. Its contract is what held of this run.
func Pin(r run.Run, o Pinning) (Playbook, []Note, error) {
	if r.State != run.Done {
		return Playbook{}, nil, ErrUnended
	}
	if o.Table == nil {
		o.Table = func(string) (tool.Artifact, bool) { return tool.Artifact{}, false }
	}
	loc, err := time.LoadLocation(r.Zone)
	if err != nil || r.Zone == "" {
		loc = time.UTC
	}
	n := pinner{run: r, Pinning: o, loc: loc, of: map[string]int{}}
	n.gather()
	if !n.choose() {
		return Playbook{}, nil, ErrNothing
	}
	if len(n.foreign) > 0 {
		return Playbook{}, n.notes, fmt.Errorf("%w: %s", ErrUnpinned, strings.Join(n.foreign, ", "))
	}
	n.findPeriod()
	p := n.book()
	if err := p.Validate(); err != nil {
		return p, n.notes, fmt.Errorf("pin run %s: %w", r.Key, err)
	}
	return p, n.notes, nil
}

// A deed is one call of the run that has succeeded.
type deed struct {
	id   string // of the step that it becomes
	tool string
	args map[string]any
	res  run.Result
	made string // the artifact of it
	said answered
}

// answered is what is read of a result.
type answered struct {
	Title  string `json:"title"`
	Period *struct {
		From string `json:"from"`
		To   string `json:"to"`
	} `json:"period"`
	Rows     [][]any `json:"rows"`
	RowCount int     `json:"row_count"`
}

type pinner struct {
	Pinning
	run     run.Run
	loc     *time.Location
	deeds   []deed
	of      map[string]int // the deed that made an artifact
	chosen  []int          // the deeds that are taken over, in order
	report  int            // the deed that made the report; negative: none has
	post    string
	unit    calendar.Unit
	period  run.Period
	notes   []Note
	foreign []string
}

func (n *pinner) note(en, zh string) { n.notes = append(n.notes, Note{en, zh}) }

// gather reads the calls of the run.
func (n *pinner) gather() {
	n.report = -1
	for _, s := range n.run.Steps {
		for c, res := range s.Pairs() {
			if res.Failed || res.Unrun != "" {
				continue
			}
			raw := []byte(c.Args)
			if n.Check != nil {
				raw = n.Check(c.Name, raw)
			}
			d := deed{tool: c.Name, res: res, args: map[string]any{}}
			dec := json.NewDecoder(bytes.NewReader(raw))
			dec.UseNumber()
			if dec.Decode(&d.args) != nil || d.args == nil {
				continue
			}
			if json.Unmarshal([]byte(res.Text), &d.said) != nil {
				d.said = answered{}
			}
			d.made = ArtifactOf(res.Text)
			switch c.Name {
			case PostMessage:
				var to struct {
					Posted  bool
					Channel string
				}
				if json.Unmarshal([]byte(res.Text), &to) == nil && to.Posted {
					n.post, _ = d.args["channel"].(string)
					if to.Channel != "" {
						n.post = to.Channel
					}
				}
				continue
			case "schedule_add":
				if to, ok := d.args["channel"].(string); ok && n.post == "" {
					n.post = to
				}
				continue
			case CheckReport, "report_save", "report_run", "report_list", "schedule_list", "schedule_change", "schedule_set", "report_delete", "ask", "memory_list":
				continue
			}
			if d.made == "" && !d.reads() {
				n.note("“"+c.Name+"” is not repeated: it is no part of the report", "“"+c.Name+"”不会重复执行：它不属于报表")
				continue
			}
			if d.made != "" {
				n.of[d.made] = len(n.deeds)
			}
			if c.Name == MakeReport {
				n.report = len(n.deeds)
			}
			n.deeds = append(n.deeds, d)
		}
	}
}

// reads reports whether a call has looked something up that others may have used.
func (d deed) reads() bool { return len(d.said.Rows) > 0 }

var artifactForm = regexp.MustCompile(`\ba[0-9a-f]{12}\b`)

// choose takes what the report rests on, from its end; without a report all tables.
func (n *pinner) choose() bool {
	want := map[int]bool{}
	var rest func(i int)
	rest = func(i int) {
		if want[i] {
			return
		}
		want[i] = true
		for _, id := range idsIn(n.deeds[i].args) {
			from, ok := n.of[id]
			switch {
			case ok && from < i:
				rest(from)
			case !ok:
				n.foreign = append(n.foreign, fmt.Sprintf("%s uses %s, which this run has not made (a file, or an earlier request)", n.deeds[i].tool, id))
			}
		}
	}
	if n.report >= 0 {
		rest(n.report)
	} else {
		for i, d := range n.deeds {
			if d.made != "" && (d.tool == QueryMetric || len(d.said.Rows) > 0) {
				rest(i)
			}
		}
	}
	used := map[string]bool{}
	for i := range n.deeds {
		if !want[i] {
			continue
		}
		d := &n.deeds[i]
		d.id = n.idFor(*d, used)
		n.chosen = append(n.chosen, i)
	}
	if len(n.chosen) > mostSteps-1 {
		n.foreign = append(n.foreign, fmt.Sprintf("it takes %d calls; a saved report has at most %d", len(n.chosen), mostSteps))
	}
	tables := 0
	for _, i := range n.chosen {
		if n.deeds[i].tool != MakeReport && n.deeds[i].made != "" {
			tables++
		}
	}
	return tables > 0
}

// idFor names a step after what it does: by_region, by_day, report.
func (n *pinner) idFor(d deed, used map[string]bool) string {
	name := "q"
	switch by, _ := d.args["by"].([]any); {
	case d.tool == MakeReport:
		name = "report"
	case d.tool == QueryMetric && len(by) > 0:
		name = "by"
		for _, x := range by {
			name += "_" + fmt.Sprint(x)
		}
	case d.tool == QueryMetric:
		name = "total"
	}
	name = strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '_'
	}, strings.ToLower(name)), "_")
	name = name[:min(len(name), 24)]
	if !idForm.MatchString(name) {
		name = "q"
	}
	id := name
	for i := 2; used[id]; i++ {
		id = name + "_" + strconv.Itoa(i)
	}
	used[id] = true
	return id
}

func idsIn(v any) (ids []string) {
	switch v := v.(type) {
	case string:
		ids = artifactForm.FindAllString(v, -1)
	case []any:
		for _, x := range v {
			ids = append(ids, idsIn(x)...)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if k != "commentary" && k != "title" {
				ids = append(ids, idsIn(v[k])...)
			}
		}
	}
	return ids
}

// findPeriod finds the unit that the report is about: that of the first table, or what the
// days in SQL come to.
func (n *pinner) findPeriod() {
	for _, i := range n.chosen {
		d := n.deeds[i]
		if d.said.Period == nil {
			continue
		}
		from, err := time.ParseInLocation(time.DateOnly, d.said.Period.From, n.loc)
		last, err2 := time.ParseInLocation(time.DateOnly, d.said.Period.To, n.loc)
		if err != nil || err2 != nil {
			continue
		}
		p := run.Period{From: from, To: last.AddDate(0, 0, 1)}
		if n.unit = UnitOf(p, n.loc); n.unit != "" {
			n.period = p
			return
		}
		n.note("the time of the figures is no whole day, week, month, quarter or year, so it stays in the words that were used", "数据的时间段不是整天、整周、整月、整季或整年，因此保留原来的说法")
		return
	}
	for _, i := range n.chosen {
		if n.fromDays(n.deeds[i].args) {
			return
		}
	}
}

var dayInText = regexp.MustCompile(`\b\d{4}-\d{2}(?:-\d{2})?\b`)

// fromDays reads the period out of days in a text, as in SQL: the first and the last one
// of a whole unit, or the day after that.
func (n *pinner) fromDays(args map[string]any) bool {
	var days []string
	for _, k := range slices.Sorted(maps.Keys(args)) {
		if s, ok := args[k].(string); ok {
			days = append(days, dayInText.FindAllString(s, -1)...)
		}
	}
	slices.Sort(days)
	if len(days) == 0 {
		return false
	}
	first, last := days[0], days[len(days)-1]
	if len(first) == 7 && first == last {
		return n.is(first, n.loc)
	}
	from, err := time.ParseInLocation(time.DateOnly, first, n.loc)
	to, err2 := time.ParseInLocation(time.DateOnly, last, n.loc)
	if err != nil || err2 != nil || first == last {
		return false
	}
	for _, end := range []time.Time{to.AddDate(0, 0, 1), to} {
		p := run.Period{From: from, To: end}
		if u := UnitOf(p, n.loc); u != "" && u != calendar.Day {
			n.unit, n.period = u, p
			return true
		}
	}
	return false
}

func (n *pinner) is(word string, loc *time.Location) bool {
	r, err := calendar.ParseRange(word)
	if err != nil {
		return false
	}
	p := r.Resolve(n.run.Now, loc)
	n.period = run.Period{From: p.From, To: p.To}
	n.unit = UnitOf(n.period, loc)
	return n.unit != ""
}

// book writes the Playbook.
func (n *pinner) book() Playbook {
	p := Playbook{Lang: n.run.Lang, Period: n.unit, Post: n.post}
	var tables []any
	for _, i := range n.chosen {
		d := n.deeds[i]
		s := Step{ID: d.id, Tool: d.tool, Args: n.variable(d)}
		if d.tool == MakeReport {
			if said, ok := s.Args["commentary"].(string); ok && strings.TrimSpace(said) != "" {
				delete(s.Args, "commentary")
				p.Commentary = &Commentary{}
				n.note("the words of the language model are not repeated: it writes them anew each time, and their numbers are checked", "语言模型写的评述不会照搬：每次重新撰写，其中的数字都会核对")
			}
		} else if d.made != "" {
			tables = append(tables, artifactRef(d.id))
		}
		p.Steps = append(p.Steps, s)
	}
	if n.report < 0 {
		p.Steps = append(p.Steps, Step{ID: "report", Tool: MakeReport, Args: map[string]any{"tables": tables[:min(len(tables), 6)]}})
	}
	n.copied()
	p.Title = n.title()
	p.Name = n.Name
	if p.Name == "" {
		p.Name = Slug(p.Title.In(n.run.Lang))
	}
	if p.Name == "" {
		p.Name = "report-" + n.run.Trace()
	}
	p.Contract = n.contract(p)
	return p
}

// title is what the report is called, without its period.
func (n *pinner) title() Label {
	i := n.report
	if i < 0 {
		i = n.chosen[0]
	}
	title := n.deeds[i].said.Title
	if n.unit != "" {
		for _, lang := range []string{"en", "zh"} {
			label := LabelOf(n.unit, n.period, n.loc, lang)
			for _, with := range []string{", " + label, "（" + label + "）", " (" + label + ")", " for " + label, " " + label, label} {
				title = strings.ReplaceAll(title, with, "")
			}
		}
	}
	title = strings.TrimSpace(strings.Trim(strings.TrimSpace(title), ",，"))
	if title == "" || dayInText.MatchString(title) {
		title = strings.TrimSpace(n.deeds[i].said.Title)
	}
	if n.run.Lang == "zh" {
		return Label{Zh: title}
	}
	return Label{En: title}
}

// variable are the arguments of a deed with references in them.
func (n *pinner) variable(d deed) map[string]any {
	words := n.words()
	var change func(key string, v any) any
	change = func(key string, v any) any {
		switch v := v.(type) {
		case string:
			return n.text(key, v, words)
		case []any:
			out := make([]any, len(v))
			for i := range v {
				out[i] = change(key, v[i])
			}
			return out
		case map[string]any:
			out := map[string]any{}
			for k := range v {
				out[k] = change(k, v[k])
			}
			return out
		}
		return v
	}
	out, _ := change("", d.args).(map[string]any)
	if _, ok := out["period"]; !ok && d.tool == QueryMetric && n.unit != "" {
		out["period"] = "{{period}}"
	}
	if sql, ok := out["sql"].(string); ok {
		if m := ownClock.FindString(sql); m != "" {
			n.note("step "+d.id+" asks the database's own clock ("+m+"), so a late or repeated run is about another time; write {{period.start}} and {{period.end}} in its place",
				"步骤 "+d.id+" 使用数据库自己的时钟（"+m+"），晚跑或重跑时会是另一段时间；请改用 {{period.start}} 和 {{period.end}}")
		}
		for _, day := range dayInText.FindAllString(refForm.ReplaceAllString(sql, ""), -1) {
			n.note("step "+d.id+" keeps the day "+day+": it is no bound of the period", "步骤 "+d.id+" 中的日期 "+day+" 保持不变：它不是时间段的边界")
		}
	}
	return out
}

// ownClock is how SQL asks what time it is.
var ownClock = regexp.MustCompile(`(?i)'now'|\bcurrent_(?:date|timestamp)\b|\bnow\s*\(|\bcurdate\s*\(|\bgetdate\s*\(|\bsysdate\b`)

// words are what names the period, the longest first, each with its variable.
func (n *pinner) words() [][2]string {
	var all [][2]string
	if n.unit == "" {
		return nil
	}
	seen := map[string]bool{}
	en, zh := Time{n.period, n.loc, "en"}.values(n.unit), Time{n.period, n.loc, "zh"}.values(n.unit)
	for _, v := range variables {
		for _, text := range []string{en[v], zh[v]} {
			if text != "" && !seen[text] && utf8.RuneCountInString(text) >= 6 {
				seen[text] = true
				all = append(all, [2]string{text, "{{" + v + "}}"})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b [2]string) int { return len(b[0]) - len(a[0]) })
	return all
}

// text is one text of the arguments with its references.
func (n *pinner) text(key, s string, words [][2]string) string {
	if strings.Contains(s, "{{") {
		return s
	}
	if n.unit != "" && key == "period" {
		if r, err := calendar.ParseRange(s); err == nil {
			p := r.Resolve(n.run.Now, n.loc)
			for name, shift := range map[string]int{"period": 0, "previous": -1} {
				of := spanOf(n.unit, n.period, n.loc, shift)
				at := of.Resolve(of.now, n.loc)
				if at.From.Equal(p.From) && at.To.Equal(p.To) {
					return "{{" + name + "}}"
				}
			}
			if !r.Absolute() {
				return s // it counts from the period's end
			}
		}
	}
	for _, w := range words {
		s = replaceWhole(s, w[0], w[1])
	}
	return artifactForm.ReplaceAllStringFunc(s, func(id string) string {
		if i, ok := n.of[id]; ok && n.deeds[i].id != "" {
			return artifactRef(n.deeds[i].id)
		}
		return id
	})
}

// replaceWhole replaces what is no part of a longer number, day or reference.
func replaceWhole(s, old, with string) string {
	var b strings.Builder
	for at := 0; ; {
		i := strings.Index(s[at:], old)
		if i < 0 {
			b.WriteString(s[at:])
			return b.String()
		}
		i += at
		end := i + len(old)
		part := i > 0 && joins(s[i-1]) || end < len(s) && joins(s[end])
		inRef := strings.LastIndex(s[:i], "{{") > strings.LastIndex(s[:i], "}}")
		b.WriteString(s[at:i])
		if part || inRef {
			b.WriteString(old)
		} else {
			b.WriteString(with)
		}
		at = end
	}
}

func joins(c byte) bool { return c >= '0' && c <= '9' || c == '-' }

// copied notes values that came out of one result and went into a later call as they
// were: they stay what they are.
func (n *pinner) copied() {
	asked := strings.ToLower(n.run.Text)
	for _, s := range n.run.Taken {
		asked += "\n" + strings.ToLower(s.Text)
	}
	for at, i := range n.chosen {
		for _, value := range leaves(n.deeds[i].args) {
			if utf8.RuneCountInString(value) < 2 || strings.Contains(asked, strings.ToLower(value)) || artifactForm.MatchString(value) {
				continue
			}
			for _, j := range n.chosen[:at] {
				if n.deeds[j].shows(value) {
					n.note("“"+value+"” in step "+n.deeds[i].id+" came out of step "+n.deeds[j].id+" and stays as it is: no reference can stand for it",
						"步骤 "+n.deeds[i].id+" 中的“"+value+"”取自步骤 "+n.deeds[j].id+" 的结果，今后保持不变：它没有可用的引用")
					break
				}
			}
		}
	}
}

// shows reports whether a value is a cell of what a deed has brought.
func (d deed) shows(value string) bool {
	for _, row := range d.said.Rows {
		for _, cell := range row {
			if s, ok := cell.(string); ok && s == value {
				return true
			}
		}
	}
	return false
}

// leaves are the texts in arguments.
func leaves(v any) (all []string) {
	switch v := v.(type) {
	case string:
		all = append(all, v)
	case []any:
		for _, x := range v {
			all = append(all, leaves(x)...)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if k != "commentary" && k != "title" {
				all = append(all, leaves(v[k])...)
			}
		}
	}
	return all
}

// slack is how many days before the end of the period the newest figure may lie, where it
// was of the last day when the report was pinned.
const slack = 3

// contract is what held of the run: each table had rows, those by day came up to the end,
// and two ways to add up one measure came to the same.
func (n *pinner) contract(p Playbook) (c Contract) {
	one := 1
	type sum struct{ step, figure, like string }
	var sums []sum
	for _, i := range n.chosen {
		d := n.deeds[i]
		a, ok := n.Table(d.made)
		if d.tool == MakeReport {
			if ok {
				c.Sections = headings(string(a.Body))
			}
			continue
		}
		if !ok || a.Kind != tool.Table {
			continue
		}
		g, err := tool.DecodeGrid(a.Body)
		if err != nil {
			continue
		}
		if len(g.Rows) > 0 {
			c.Rows = append(c.Rows, Rows{Step: d.id, Min: &one})
		}
		if newest := newestDay(g, ""); n.unit != "" && n.unit != calendar.Day && newest != "" && newest == n.period.To.In(n.loc).AddDate(0, 0, -1).Format(time.DateOnly) {
			c.Fresh = append(c.Fresh, Fresh{Step: d.id, Within: slack})
		}
		if _, _, added := figureOf(g, nil, g.Measure); added && g.Measure != "" && !g.NoTotal && len(g.By) > 0 {
			sums = append(sums, sum{d.id, d.id + "." + g.Measure, fmt.Sprint(g.Measure, g.Where, g.Period.From.Unix(), g.Period.To.Unix())})
		}
	}
	for i, s := range sums {
		j := slices.IndexFunc(sums[:i], func(o sum) bool { return o.like == s.like })
		if j < 0 {
			continue
		}
		e := Equal{Left: sums[j].figure, Right: s.figure, Tolerance: "0.01%"}
		if n.equal(e) {
			c.Equal = append(c.Equal, e)
		}
	}
	return c
}

func (n *pinner) equal(e Equal) bool {
	tables := map[string]tool.Artifact{}
	for _, i := range n.chosen {
		if a, ok := n.Table(n.deeds[i].made); ok {
			tables[n.deeds[i].id] = a
		}
	}
	return Contract{Equal: []Equal{e}}.Judge(tables, tool.Artifact{}, Time{Zone: n.loc}).Met
}

// headings are those of a page of Markdown that name no time: what must stand in it.
func headings(body string) (all []string) {
	for line := range strings.Lines(body) {
		h, ok := strings.CutPrefix(strings.TrimSpace(line), "## ")
		if ok && !strings.ContainsAny(h, "0123456789") && !slices.Contains(all, h) && h != "Comment" && h != "评述" && len(all) < 4 {
			all = append(all, h)
		}
	}
	return all
}
