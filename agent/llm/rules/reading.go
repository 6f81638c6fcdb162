package rules

import (
	"slices"
	"strings"

	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// A filter keeps some values of a dimension.
type filter struct {
	Dimension string   `json:"dimension"`
	Values    []string `json:"values"`
}

// figures are what is wanted to be known.
type figures struct {
	measures []string
	by       []string
	period   calendar.Range
	more     []calendar.Range // other periods, to set beside the first
	shift    int              // from the period of the turn before, in unit
	unit     calendar.Unit
	where    []filter
	top      int
	worst    bool
	extreme  bool // the best or the worst of something, which must be said
	compare  []string
	against  calendar.Range // to be set beside the period of the turn before
}

// none says whether nothing at all was said of figures.
func (f figures) none() bool {
	return len(f.measures) == 0 && len(f.by) == 0 && f.period.IsZero() && f.shift == 0 && len(f.where) == 0 && f.top == 0 && len(f.compare) == 0 && !f.extreme && f.against.IsZero()
}

// An op is one call that needs no figures.
type op struct {
	name string
	args map[string]any
}

// A reading is what a request says. One that is not whole asks, one that was not
// understood does nothing.
type reading struct {
	text      string // of the request
	groups    []figures
	report    bool
	trend     bool
	format    string
	preferred string // the format that this very text says is preferred
	chart     string
	adding    bool // to what was asked for before
	elliptic  bool // says only what is other than before
	pointing  bool // speaks of what was spoken of before

	sends   []string // channels
	post    bool     // somebody said "post", perhaps not where
	whereto []string // channels alone, which mean something only as the answer to "where?"

	schedule calendar.Schedule
	whenAsk  string // what the schedule lacks, as a question
	whenNote string
	either   *either       // what two answers to whenAsk would make of the schedule
	attached bool          // the schedule belongs to the order itself: nothing is posted now
	cuts     []phrase.Span // what of the text is about the schedule
	inherits bool          // figures come from an earlier turn

	ops       []op
	change    bool // wants another time for what is scheduled
	chat      string
	unclaimed []string
	prose     bool
	bottom    bool // the last few of something, which no tool finds
	counting  bool // how many there are of a dimension
}

// wants says whether figures are needed for what was said.
func (r reading) wants() bool {
	return len(r.groups) > 0 || r.report || r.post || len(r.sends) > 0 || r.scheduled() || r.format != "" || r.chart != ""
}

func (r reading) scheduled() bool { return !r.schedule.IsZero() || r.whenAsk != "" }

// writes says whether what was said would change or show anything to others.
func (r reading) writes() bool {
	return r.post || len(r.sends) > 0 || r.scheduled() || len(r.ops) > 0
}

// A reader is what a text is read with.
type reader struct {
	scanner
	vocabulary Vocabulary
	lang       string
	job        string // the job last spoken of, if known
	jobs       bool   // schedules were spoken of before
	slot       bool   // the run is a slot of a job
	format     string // the format that is preferred
	ownFormat  bool   // by the asker
}

// longest is how many bytes of a request are read. A longer one is a document,
// and no request that rules could follow.
const longest = 4000

// read reads one text for itself.
func (c reader) read(text string) reading {
	r := reading{text: text}
	if len(text) > longest {
		r.unclaimed = []string{text}
		return r
	}
	if r.chat = chatKind(text); r.chat != "" {
		return r
	}
	if nextRun.MatchString(strings.TrimSpace(text)) {
		r.ops = []op{{"schedule_list", map[string]any{}}}
		return r
	}
	rest, ops := c.memory(text)
	rest = untilLast(simplified(rest))
	r.ops = ops
	for _, o := range ops {
		if o.args["predicate"] == "prefers-format" {
			r.preferred, _ = o.args["object"].(string) // it holds from now, not from the next request
		}
	}
	if len(ops) > 0 && strings.TrimSpace(strings.Trim(rest, " ,.;!?，。；！？、")) == "" {
		return r
	}
	if o, ok := nthJobOp(rest); ok {
		r.ops = append(r.ops, o)
		return r
	}
	times, spans := c.when(rest)
	tokens := c.scan(rest, spans)
	if adverbsOnly(rest, spans) {
		// "And weekly?" says nothing of doing it again and again.
		tokens = c.scan(rest, nil)
	}
	if c.halfSaid(rest, tokens) {
		r.whenAsk, r.attached = c.onceOrAgain(), true
	}
	times, tokens = c.rhythm(rest, times, spans, tokens)
	if slices.ContainsFunc(tokens, func(t token) bool { return t.kind == when }) {
		r.schedule, r.whenNote = times.Spec, times.Note
		switch times.Kind {
		case phrase.Ask:
			r.whenAsk, r.schedule = times.Question, calendar.Schedule{}
			r.either = shortMonths(times)
		case phrase.Recurring:
			if lostDay(rest, spans, times.Spec) {
				r.whenAsk, r.schedule = c.pick("On which days, and from when? Please say the days first, as in “every Monday at 9:00 from 1 December”.", "哪几天、从什么时候开始？请先说哪几天，例如“从12月1日起每周一早上9点”。"), calendar.Schedule{}
			} else if e := c.halfOfDay(rest, spans); e != nil {
				r.whenAsk, r.schedule, r.either = e.question, calendar.Schedule{}, e
			}
		}
	}
	// A word that somebody gave a meaning is repeated as what it means.
	r.inherits = slices.ContainsFunc(tokens, func(t token) bool { return t.learned })
	if m := bottomPattern.FindString(rest); m != "" {
		r.bottom, r.unclaimed = true, append(r.unclaimed, m)
		return r
	}
	p := parser{reader: c, reading: &r, text: rest}
	p.clauses(cut(tokens))
	// Which days are holidays nobody has told us.
	if timed := slices.ContainsFunc(tokens, func(t token) bool { return t.kind == when }); timed && (times.SkipHolidays || namesHoliday(rest, spans)) {
		if !strings.Contains(strings.Join(r.unclaimed, " "), "holiday") && !strings.Contains(strings.Join(r.unclaimed, " "), "假日") {
			r.unclaimed = append(r.unclaimed, holidaysIn(rest))
		}
	}
	return r
}
