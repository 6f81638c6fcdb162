package bot

import (
	"cmp"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
)

// What a card says below what it asks: all that a person needs to decide, and nothing
// that could be taken for a word of ours.

// A Form is what a Choice needs beside the press on it.
type Form string

// The forms. A platform that has no place for one leaves such a Choice out.
const (
	NoForm    Form = ""
	NoteForm  Form = "note"  // a sentence
	ArgsForm  Form = "args"  // the arguments, to be changed
	ScopeForm Form = "scope" // one of the scopes
)

// The Choices of a card that are no options of its question by themselves.
const (
	EditChoice   = "edit"   // the first option, with other arguments
	ReasonChoice = "reason" // run.No with its reason
	DenyChoice   = run.No
)

// FormOf is what a Choice of a card needs beside the press on it, by its ID.
func FormOf(choice string) Form {
	switch choice {
	case EditChoice:
		return ArgsForm
	case ReasonChoice, run.Change:
		return NoteForm
	case run.Like:
		return ScopeForm
	}
	return NoForm
}

// choices are the buttons under a question.
func (w *wording) choices(q run.Question) []Choice {
	var out []Choice
	edit := Choice{ID: EditChoice, Label: w.option[EditChoice]}
	editable := q.Kind == run.Approve && q.Quorum < 2 && slices.ContainsFunc(q.Calls, func(c run.Planned) bool { return len(c.Wrote) > 0 })
	for _, o := range q.Options {
		if editable && len(o.Calls) == 0 || o.ID == run.Like && editable {
			out, editable = append(out, edit), false
		}
		c := Choice{ID: o.ID, Label: o.Label}
		if c.Label == "" {
			c.Label = w.label(q, o)
		}
		switch o.ID {
		case run.Yes, run.Always:
			c.Style = Primary
		case run.No:
			c.Style = Danger
		}
		out = append(out, c)
		if o.ID == run.No && q.Kind == run.Approve {
			out = append(out, Choice{ID: ReasonChoice, Label: w.option[ReasonChoice]})
		}
	}
	return out
}

// heeds is what a person must see beside what an approval asks, before the report: what
// would change, and what to look at twice.
func (w *wording) heeds(q run.Question) string {
	var text strings.Builder
	if q.Quorum > 1 && len(q.Agreed) == 0 && q.Answer == nil {
		text.WriteString("\n\n" + w.quorum(q.Quorum))
	}
	text.WriteString(w.diffs(q))
	// Where arguments come from is one thing, what stands in a report another: each of
	// that has a line of its own.
	var from, holds []string
	note := func(list *[]string, said string) {
		if !slices.Contains(*list, said) {
			*list = append(*list, said)
		}
	}
	for _, c := range q.Calls {
		for _, m := range c.Marks {
			if slices.Contains(q.Broken, m) {
				continue // it stands above
			}
			if said := w.marks[m]; said != "" {
				note(&from, said)
			} else {
				note(&holds, "⚠ "+w.lookFirst+code(m))
			}
		}
	}
	if len(from) > 0 {
		text.WriteString("\n\n" + w.marked(strings.Join(from, w.listed)))
	}
	if len(holds) > 0 {
		text.WriteString("\n\n" + strings.Join(holds, "\n"))
	}
	if q.Reason != "" {
		text.WriteString("\n\n" + w.itsReason + code(q.Reason))
		if away := awayIn(q.Reason); len(away) > 0 {
			text.WriteString("\n" + w.leadsAway(strings.Join(away, w.listed)))
		}
	}
	return text.String()
}

// grounds is what stands below the report, near the buttons: what they allow for longer,
// on what it rests, and what it has cost.
func (w *wording) grounds(q run.Question) string {
	var parts, why []string
	if q.Grant != nil {
		parts = append(parts, w.grantWith(w.grantSays(*q.Grant, q.Grant.Until.Location())))
	}
	if h := q.Habit; h != nil && len(q.Scopes) > 0 && q.Answer == nil {
		widest := q.Scopes[len(q.Scopes)-1]
		parts = append(parts, w.habit(h.N, w.option[run.Like], widest.Until.Format(w.until)))
	}
	if len(q.Rests) > 0 {
		steps := make([]string, len(q.Rests))
		for i, r := range q.Rests {
			steps[i] = w.restsOn(r.Step, code(w.step(r.Tool, r.Args)))
		}
		why = append(why, w.evidence+strings.Join(steps, w.listed))
	}
	if q.Step > 0 {
		why = append(why, w.costs(q.Step, q.Cost.In+q.Cost.Out)+price(q.Cost.Nanos))
	}
	if len(why) > 0 {
		parts = append(parts, strings.Join(why, "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// record is all that the calls of a question run with.
func (w *wording) record(q run.Question) Record {
	if len(q.Calls) == 0 {
		return Record{}
	}
	r := Record{Head: w.exactly}
	if q.Answer != nil {
		for _, c := range q.Answer.Edited {
			d := w.argsOf(c)
			d.Label = w.edited + d.Label
			r.Details = append(r.Details, d)
		}
	}
	for _, c := range q.Calls {
		r.Details = append(r.Details, w.argsOf(c))
	}
	return r
}

// calling is what of a model's words would call people or lead elsewhere, were it not in
// the quotes that a card puts around them.
var calling = regexp.MustCompile(`(?i)<[@!#][^>\s]*>?|[@＠][\p{L}0-9][\p{L}0-9._-]*|\b[a-z][a-z0-9+.-]{1,20}://[^\s<>"|)\]]+|\b(?:mailto|tel):[^\s<>"|)\]]+|\bwww\.[^\s<>"|)\]]+`)

// awayIn are the first few of these in a text, each once, quoted.
func awayIn(text string) []string {
	const most, long = 5, 80
	var found []string
	for _, m := range calling.FindAllString(html.UnescapeString(text), -1) {
		if r := []rune(m); len(r) > long {
			m = string(r[:long]) + "…"
		}
		if m = code(m); !slices.Contains(found, m) && len(found) < most {
			found = append(found, m)
		}
	}
	return found
}

// hashShown is how much of a hash people compare, in characters.
const hashShown = 12

// argsOf is all that a call runs with, or where the file is that has it, with its hash.
func (w *wording) argsOf(c run.Planned) Detail {
	hash, file := c.Hash[:min(len(c.Hash), hashShown)], ""
	if c.File != "" {
		file = w.argsInFile(len([]rune(string(c.Args))))
		c.Args = nil
	}
	return Detail{Label: w.argsWith(plainTool(w, c.Name), hash) + file, Text: string(c.Args)}
}

// plainTool is how people call a tool, where nothing is a mark.
func plainTool(w *wording, name string) string { return cmp.Or(w.tools[name], name) }

// diffs are what the calls of a question would make another than it is, a line each.
func (w *wording) diffs(q run.Question) string {
	var text strings.Builder
	for _, c := range q.Calls {
		for _, d := range c.Diff {
			text.WriteString("\n- " + oneLine.Replace(d.What) + w.colon + w.side(d.Was, d.WasFrom) + " → " + w.side(d.Is, d.IsFrom))
		}
	}
	return text.String()
}

// side is one side of a diff, with where it is from.
func (w *wording) side(text, from string) string {
	said := w.nothingThere
	if text != "" {
		said = code(text)
	}
	if from != "" {
		said += w.aside(oneLine.Replace(from))
	}
	return said
}

// attached are the files that come with a card: arguments that are too long for it.
func attached(q run.Question) []File {
	var out []File
	for _, c := range q.Calls {
		if c.File != "" {
			out = append(out, File{ID: c.File, Name: argsFile, Mime: "application/json"})
		}
	}
	return out
}

// argsFile is what the file of a call's arguments is called.
const argsFile = "arguments.json"

// editedTo is what a person has made of calls before saying yes.
func (w *wording) editedTo(q run.Question) string {
	var text strings.Builder
	for _, c := range q.Answer.Edited {
		text.WriteString("\n- " + w.edited + strings.Join(flat(c.Lines), "; "))
	}
	return text.String()
}

func flat(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = oneLine.Replace(l)
	}
	return out
}

// grantSays is what a Grant allows, in one line.
func (w *wording) grantSays(g run.Grant, zone *time.Location) string {
	until := g.Until.In(zone).Format(w.until)
	if said, ok := w.patternOf(g); ok {
		return w.allowsCalls(w.allowed(g), said, w.from(g), until, g.Max)
	}
	return w.allows(w.allowed(g), w.from(g), until, g.Max)
}

// allowed is the tool of a Grant, with what it is called.
func (w *wording) allowed(g run.Grant) string {
	what := w.tool(g.Tool)
	if g.Label != "" {
		what += " → " + oneLine.Replace(g.Label)
	}
	return what
}

// longestBound is how much of an argument stands in what a Grant allows.
const longestBound = 60

// patternOf is which calls a Grant covers, by their arguments, and false for one that is
// about a kind of report. It is made of what the Grant itself holds for.
func (w *wording) patternOf(g run.Grant) (string, bool) {
	p, ok := run.PatternOf(g.Control)
	if !ok {
		return "", false
	}
	var said []string
	for _, name := range slices.Sorted(maps.Keys(p.Args)) {
		value := oneLine.Replace(shownArg(p.Args[name]))
		if r := []rune(value); len(r) > longestBound {
			value = string(r[:longestBound]) + "…"
		}
		said = append(said, w.argName(name)+w.colon+code(value))
	}
	return strings.Join(append(said, w.leftOpen(g)...), w.listed), true
}

// leftOpen are the arguments that a Grant leaves open.
func (w *wording) leftOpen(g run.Grant) (said []string) {
	p, _ := run.PatternOf(g.Control)
	for _, name := range p.Open {
		said = append(said, w.argName(name)+w.colon+w.anyOfTheirs)
	}
	return said
}

func (w *wording) argName(name string) string {
	return cmp.Or(w.argNames[name], upper(strings.ReplaceAll(name, "_", " ")))
}

// from says of what a Grant is: a schedule, what its owner asks for in one place, or
// anywhere.
func (w *wording) from(g run.Grant) string {
	switch {
	case g.Job != "":
		return w.ofJob(g.Job)
	case g.Home != "":
		return w.askedThere
	}
	return w.askedAnywhere
}

// scopeChosen is the Grant that an answer has let stand.
func scopeChosen(q run.Question) (run.Grant, bool) {
	if q.Answer == nil || q.Answer.Choice != run.Like {
		return run.Grant{}, false
	}
	return q.Granted()
}
