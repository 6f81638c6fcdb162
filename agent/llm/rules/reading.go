package rules

import (
	"slices"
	"strings"

	"hermes/agent/llm"
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
	whenAsk  string   // what the schedule lacks, as a question
	choices  []string // answers to whenAsk
	timed    string   // the words that speak of when
	whenNote string
	either   *either       // what two answers to whenAsk would make of the schedule
	clock    string        // a schedule each week, of which the day is to be said
	offered  timing        // what a yes to whenAsk says, if it offers one time
	attached bool          // the schedule belongs to the order itself: nothing is posted now
	cuts     []phrase.Span // what of the text is about the schedule
	inherits bool          // figures come from an earlier turn

	reminder  string // what to be reminded of
	hint      string // what can be done instead of what was not claimed
	ops       []op
	change    bool // wants another time for what is scheduled
	vague     bool // calls something off and says not even that it is a schedule
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
	said       string // what the bot last said here
	job        string // the job last spoken of, if known
	gone       string // the saved report that this run deletes
	jobs       bool   // schedules were spoken of before
	slot       bool   // the run is a slot of a job
	began      *llm.Began
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
	if c.underPost(text, c.began, &r) || c.savedReport(text, &r) || c.setJob(text, &r) || c.remind(text, &r) {
		return r
	}
	if hint := c.hintFor(text); hint != "" {
		r.unclaimed, r.hint = []string{strings.TrimSpace(text)}, hint
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
	times := c.when(rest)
	rest = blanked(rest, times.idle)
	tokens := c.scan(rest, times.spans)
	if adverbsOnly(rest, times.spans) && !hasToken(tokens, send, again) {
		// "And weekly?" says nothing of doing it again and again.
		tokens = c.scan(rest, nil)
	}
	if c.halfSaid(rest, tokens) {
		r.whenAsk, r.attached = c.onceOrAgain(), true
	}
	times, tokens = c.rhythm(rest, times, tokens)
	timed := hasToken(tokens, when)
	if timed {
		c.settle(&r, rest, times)
	}
	// A word that somebody gave a meaning is repeated as what it means.
	r.inherits = slices.ContainsFunc(tokens, func(t token) bool { return t.learned })
	if m := bottomPattern.FindString(rest); m != "" {
		r.bottom, r.unclaimed = true, append(r.unclaimed, m)
		return r
	}
	p := parser{reader: c, reading: &r, text: rest}
	p.clauses(cut(tokens))
	if n := count(tokens, when); n > 0 && n == p.named {
		// "Delete the monthly schedule": what it is called, and nothing to plan.
		timed = false
		r.timed, r.schedule, r.whenNote, r.whenAsk, r.choices, r.either = "", calendar.Schedule{}, "", "", nil, nil
		r.offered = timing{}
	}
	if day := c.doubtfulDay(r); day != "" {
		r.whenAsk, r.schedule = day, calendar.Schedule{}
	}
	known := false
	if timed && times.SkipHolidays {
		r.schedule, known = c.lessHolidays(r.schedule)
	}
	// Which days are holidays nobody has told us.
	if timed && !known && (times.SkipHolidays || namesHoliday(times.words(rest))) {
		if !strings.Contains(strings.Join(r.unclaimed, " "), "holiday") && !strings.Contains(strings.Join(r.unclaimed, " "), "假日") {
			r.unclaimed = append(r.unclaimed, holidaysIn(rest))
		}
	}
	if len(r.unclaimed) > 0 && r.hint == "" {
		r.hint = c.hintBehind(rest)
	}
	return r
}

// lessHolidays is a schedule without the days off; false if it is not known which days
// those are. Where the time of it is asked first, the answer is held against them.
func (c reader) lessHolidays(s calendar.Schedule) (calendar.Schedule, bool) {
	if c.vocabulary.DaysOff == nil {
		return s, false
	}
	if s.IsZero() {
		return s, true
	}
	off, err := c.vocabulary.DaysOff(c.now)
	if err != nil {
		return s, false
	}
	less, err := s.Without(off, c.now.In(c.loc))
	return less, err == nil
}

// settle takes a schedule, or the question that it leaves open.
func (c reader) settle(r *reading, text string, t timing) {
	r.timed = t.words(text)
	r.schedule, r.whenNote = t.Spec, t.Note
	ask := func(question string, choices []string) {
		r.whenAsk, r.choices, r.schedule = question, choices, calendar.Schedule{}
	}
	switch t.Kind {
	case phrase.Ask:
		ask(t.Question, nil)
		if r.either = shortMonths(t.Reading); r.either == nil && !t.Spec.IsZero() {
			r.offered = t
		}
	case phrase.Once, phrase.Recurring:
		left, choices := c.leftOut(t.Reading)
		if lostDay(r.timed, t.Spec) {
			ask(c.pick("On which days, and from when? Please say the days first, as in “every Monday at 9:00 from 1 December”.", "哪几天、从什么时候开始？请先说哪几天，例如“从12月1日起每周一早上9点”。"), nil)
		} else if e := c.halfOfDay(r.timed); e != nil {
			ask(e.question, e.choices)
			r.either = e
		} else if left != "" {
			ask(left, choices)
		}
	}
}

// doubtfulDay asks about a day that figures would be of beside another period, since
// it may be the day to act on.
func (c reader) doubtfulDay(r reading) string {
	if r.schedule.IsZero() {
		return ""
	}
	for _, g := range r.groups {
		for _, p := range append([]calendar.Range{g.period}, g.more...) {
			if name := p.String(); len(g.more) > 0 && (strings.HasPrefix(name, "day:") || strings.HasPrefix(name, "weekday:")) {
				day := p.Label(c.lang, c.now, c.loc)
				return c.pick("Is "+day+" a day to do it on, or one that the figures are about? Please say when to do it, as in “on 5 December at 9:00”.", day+"是要做的日子，还是数据的日子？请说什么时候做，例如“12月5号早上9点”。")
			}
		}
	}
	return ""
}

// blanked writes spaces over parts of a text, so that places in it stay.
func blanked(text string, spans []phrase.Span) string {
	b := []byte(text)
	for _, s := range spans {
		for i := s.Start; i < s.End; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}
