package bot

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hermes/agent/run"
)

// rulesModel is the name of the built-in rules, which people are told of in words.
const rulesModel = "rules"

// reply turns an Outcome into words and buttons. What a person is asked to
// approve is written here, from the stored calls, and never by the model.
func (b *Bot) reply(home Place, key, lang string, out run.Outcome) Post {
	w := words(lang)
	trace := run.TraceOf(key)
	p := Post{Key: out.Key, Place: home, Text: out.Text, Lang: lang, Trace: trace}
	model := out.Model
	if model == rulesModel {
		model = w.rules
	}
	switch q := out.Question; {
	case q != nil:
		p = card(home, *q)
	case out.Why != "":
		if out.Why != run.Stopped && out.Why != run.Paused && out.Why != run.Abandoned && out.Why != run.Unfinished {
			p.Kind = Trouble
		}
		p.Text = w.ending(out)
		if deniedAlone(out) {
			p.Text = w.ended[run.Stopped]
		} else if out.State == run.Suspended {
			p.Choices = []Choice{
				{ID: "continue:" + key, Label: w.goOn, Style: Primary},
				{ID: "abandon:" + key, Label: w.giveUp},
			}
		}
	}
	if out.Question == nil && model == w.rules {
		// The built-in rules speak our words: they say who has refused.
		var who []string
		for _, x := range out.Undone {
			who = append(who, x.Denied)
		}
		p.Names = append(p.Names, naming(p.Text, who...).names...)
	}
	if b.Clerk != nil && out.Question == nil {
		for _, f := range out.Unread {
			p.Text = strings.TrimSpace(p.Text + "\n\n" + b.Clerk.Say(f, lang))
		}
	}
	for _, name := range out.Unsure {
		p.before(phrase{text: w.unsure(w.tool(name)) + "\n\n"})
	}
	if out.Cut {
		p.Text += "\n\n" + w.cut
	}
	if out.Question == nil && (out.Why != run.Stopped && model != w.rules || deniedAlone(out)) {
		for _, x := range out.Undone {
			if x.Hidden {
				p.Text += "\n\n" + w.hidden(w.tool(x.Tool))
				continue
			}
			p.after(naming("\n\n"+w.undone(w.tool(x.Tool), x.Denied), x.Denied))
		}
	}
	if len(out.Claimed) > 0 {
		p.Text += "\n\n" + w.claimed(out)
	}
	if len(out.Miscites) > 0 {
		p.Text += "\n\n" + w.miscited(out.Miscites)
	}
	if len(out.Unproven) > 0 {
		p.Text += "\n\n" + w.unproven(w.few(out.Unproven))
	}
	if p.Text == "" && out.Question == nil && out.State == run.Done {
		p.Text = w.noFind
		if len(out.Found) > 0 {
			p.Text = w.noWords + w.found(out.Found)
		}
	}
	switch {
	case !b.cfg.HasModel || out.Model == "":
	case out.Model != rulesModel:
		b.outage.over()
	case b.outage.tells(home, key, p.Key, out.Instead):
		p.before(phrase{text: w.instead[out.Instead] + "\n\n"})
	}
	if out.Question == nil {
		if out.Others > 0 {
			p.before(phrase{text: upper(w.together(out.Others)) + strings.TrimSpace(w.colon) + "\n\n"})
		}
		p.Of, p.By = key, out.Asker
		p.Choices = append(p.Choices, b.offers(key, lang, out)...)
	}
	if model != "" {
		p.Footer = w.footer(out, model, w.status(out), trace)
	} else {
		p.Footer = w.trace(trace)
	}
	return p
}

// endedFor is why a Run ended; without how to go on where there is nothing to continue.
func (w *wording) endedFor(why run.Why, s run.State) string {
	text := w.ended[why]
	if s != run.Done {
		return text
	}
	for _, end := range []string{". ", "。"} {
		if first, _, more := strings.Cut(text, end); more {
			text = first + strings.TrimSpace(end)
		}
	}
	return text
}

// deniedAlone reports whether a Run was stopped when all that it had to do was denied:
// then that is how it ended, and there is nothing to go on with.
func deniedAlone(out run.Outcome) bool {
	return out.Why == run.Stopped && len(out.Undone) > 0 && !slices.ContainsFunc(out.Undone, func(x run.Undone) bool { return x.Denied == "" })
}

// ending is what people read of a Run that ended without its answer: why, where it
// stood, and what there is.
func (w *wording) ending(out run.Outcome) string {
	text := w.endedFor(out.Why, out.State)
	switch out.Why {
	case run.Unfinished:
		text = w.lacking(out)
	case run.Stopped, run.Abandoned, run.Expired, run.ModelGone, run.Declined, run.Busy, run.Refused, run.Broken:
	default:
		switch {
		case out.Stuck == "" && out.Why == run.Misset && out.Detail != "":
			text += "\n" + w.look + oneLine.Replace(out.Detail)
		case out.Stuck != "":
			text += "\n" + w.stuckAt + w.tool(out.Stuck)
			if out.Why == run.Misset && out.Detail != "" {
				text += " (" + oneLine.Replace(out.Detail) + ")"
			}
		}
	}
	switch {
	case out.Why == run.Stopped:
		if len(out.Found) > 0 {
			text += "\n\n" + w.soFar + w.found(out.Found)
		}
		if out.Text != "" {
			text += "\n\n" + w.unfinished + "\n\n" + cutOff(out.Text)
		}
	case out.Text != "":
		text += "\n\n" + out.Text
	case len(out.Found) > 0 && out.Why != run.Expired:
		text += "\n\n" + w.soFar + w.found(out.Found)
	}
	return text
}

// cutOff is a text that ends where it was cut off. Code that it has opened is closed, so
// that what stands below is none of it.
func cutOff(text string) string {
	fence := ""
	for line := range strings.Lines(text) {
		switch mark := strings.TrimSpace(line); {
		case fence == "" && (strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~")):
			fence = mark[:3]
		case fence != "" && strings.HasPrefix(mark, fence):
			fence = ""
		}
	}
	if fence != "" {
		return text + "\n" + fence + "\n…"
	}
	return text + " …"
}

// mostListed is how many things of one kind are named; of the rest the number is told.
const mostListed = 8

// few are the first of many things.
func (w *wording) few(all []string) string {
	n := min(len(all), mostListed)
	text := strings.Join(all[:n], w.listed)
	if more := len(all) - n; more > 0 {
		text += w.andMore(more)
	}
	return text
}

// price is what an answer has cost, if the model has a price.
func price(nanos int64) string {
	if nanos <= 0 {
		return ""
	}
	return fmt.Sprintf(" · $%.4f", float64(nanos)/1e9)
}

// status names how a Run has ended, unless it has its answer.
func (w *wording) status(out run.Outcome) string {
	if out.Why == "" || out.State == run.Waiting {
		return ""
	}
	return " · " + w.statuses[run.StatusOf(out.State, out.Why)]
}

// claimed is what stands under an answer that claims acts which nothing has done.
// One that claims several may have others that were not recognised: where nothing at
// all was done, that is said.
func (w *wording) claimed(out run.Outcome) string {
	if out.Idle {
		return run.Doubt + " " + w.idle
	}
	said := make([]string, len(out.Claimed))
	for i, act := range out.Claimed {
		said[i] = w.acts[act]
	}
	return run.Doubt + " " + w.nothing(strings.Join(said, w.or))
}

// tool is how people call a tool.
func (w *wording) tool(name string) string {
	if said := w.tools[name]; said != "" {
		return said
	}
	return code(name) // a model may ask for what is not there
}

// longestFound is how much of one finding is said.
const longestFound = 400

// found lists what the tools have said. It is data: it stands between marks that it
// cannot close.
func (w *wording) found(all []run.Finding) string {
	var text strings.Builder
	for _, f := range all {
		name := w.step(f.Tool, f.Args)
		said := []rune(strings.Join(strings.Fields(plainly(f.Text)), " "))
		if len(said) > longestFound {
			said = append(said[:longestFound], '…')
		}
		text.WriteString("\n- " + name + "\n  " + code(string(said)))
	}
	return text.String()
}

// plainly is what a tool said without the names of its fields, where it is a table or
// something with a title.
func plainly(text string) string {
	var table struct {
		Title string  `json:"title"`
		Rows  [][]any `json:"rows"`
	}
	if json.Unmarshal([]byte(text), &table) != nil || table.Title == "" {
		return text
	}
	var rows []string
	for _, row := range table.Rows {
		var cells []string
		for _, cell := range row {
			if n, ok := cell.(float64); ok {
				cell = strconv.FormatFloat(n, 'f', -1, 64)
			}
			cells = append(cells, fmt.Sprint(cell))
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	if len(rows) == 0 {
		return table.Title
	}
	return table.Title + ": " + strings.Join(rows, "; ")
}

// card is an open question.
func card(home Place, q run.Question) Post {
	w := words(q.Lang)
	p := Post{Key: q.ID, Place: home, Lang: q.Lang, Kind: Card, Question: q.ID, Trace: run.TraceOf(q.Run), Text: asks(q), By: q.Asked}
	for _, c := range q.Calls {
		if c.Artifact != "" && p.Artifact == "" {
			p.Artifact = c.Artifact
		}
	}
	if q.Kind == run.Approve {
		p.Text += w.heeds(q)
		p.Below, p.Record = w.grounds(q), w.record(q)
	} else {
		p.Text += w.diffs(q)
	}
	switch {
	case p.Artifact != "":
		p.Text += "\n\n---"
		if p.Below != "" {
			p.Below = "---\n\n" + p.Below
		}
	case p.Below != "":
		p.Text, p.Below = p.Text+"\n\n"+p.Below, ""
	}
	p.Choices, p.Files = w.choices(q), attached(q)
	return p
}

// label is what stands on a button of an approval.
func (w *wording) label(q run.Question, o run.Option) string {
	if o.ID == run.Yes && len(q.Broken) > 0 {
		return w.anyway
	}
	if o.ID != run.Always {
		return w.option[o.ID]
	}
	until, now := q.Grant.Until.Format(w.until), false
	for _, c := range q.Calls {
		now = now || c.Job == ""
		if isOnce(c) {
			until = "" // its time says it all
		}
	}
	if now {
		return w.alwaysNow(q.Cadence, until)
	}
	return w.always(q.Cadence, until)
}

// isOnce reports whether a call plans something for one time.
func isOnce(c run.Planned) bool {
	var in struct {
		Spec string `json:"spec"`
	}
	return c.Job != "" && json.Unmarshal(c.Args, &in) == nil && strings.HasPrefix(in.Spec, "@once ")
}

// asks is what a question asks, in words.
func asks(q run.Question) string {
	if q.Kind != run.Approve {
		return q.Text
	}
	w := words(q.Lang)
	var text strings.Builder
	text.WriteString(w.mayI)
	if len(q.Broken) > 0 {
		text.WriteString("\n\n" + w.broken)
		for _, why := range q.Broken {
			text.WriteString("\n- " + oneLine.Replace(why))
		}
		text.WriteString("\n")
	}
	for _, c := range q.Calls {
		lines := c.Lines
		if len(lines) == 0 {
			lines = []string{w.tool(c.Name)}
			if c.File == "" && len(c.Args) > 0 {
				lines[0] += w.colon + code(string(c.Args)) // nothing else says what it would do
			}
		}
		for _, l := range lines {
			text.WriteString("\n- " + oneLine.Replace(l))
		}
	}
	return text.String()
}

// oneLine keeps what is not ours from beginning a line, and so from looking like
// what is. JSON has no line break within a string, so it stays what it was.
var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// code puts text that is not ours between marks that it cannot close.
func code(s string) string {
	s = oneLine.Replace(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + " " + s + " " + fence
}

// settled is what stays of a card: what was asked, and who said what.
func settled(home Place, q run.Question) Post {
	p := card(home, chosenOf(q))
	p.Rev, p.Choices = settledRev, nil
	said := settledBy(q)
	if q.Kind == run.Approve {
		// The card begins with what it asks.
		w := words(q.Lang)
		p.Text = strings.TrimPrefix(p.Text, w.mayI)
		if g, ok := scopeChosen(q); ok {
			p.Text = "\n- " + w.allowedToo(w.grantSays(g, time.UTC)) + p.Text
		}
		p.Text = w.editedTo(q) + p.Text
		why := ""
		if reason := q.Answer.Reason(); reason != "" {
			why = w.colon + code(reason)
		}
		p.before(naming("**"+upper(said)+"**", decidersOf(q)...).then(phrase{text: why}))
		return p
	}
	p.after(naming("\n\n**"+said+"**", decidersOf(q)...))
	return p
}

// chosenOf is a question with what its answer has let happen alone: not the schedule, nor
// what would have been allowed, if it was for one time.
func chosenOf(q run.Question) run.Question {
	if q.Answer == nil {
		return q
	}
	if o, ok := q.Option(q.Answer.Choice); ok && len(o.Calls) > 0 {
		q.Calls = slices.DeleteFunc(slices.Clone(q.Calls), func(c run.Planned) bool { return !slices.Contains(o.Calls, c.ID) })
	}
	if g, ok := q.Granted(); q.Grant != nil && (!ok || g.ID != q.Grant.ID) {
		q.Grant = nil
	}
	q.Options = nil // there is nothing more to choose
	return q
}

// decidersOf is how who answered a question is called; all who had to agree, in the
// order in which they did.
func decidersOf(q run.Question) []string {
	if len(q.Agreed) < 2 {
		return []string{cmp.Or(q.Answer.Name, UserOf(q.Answer.By))}
	}
	var names []string
	for _, x := range q.Agreed {
		names = append(names, cmp.Or(x.Name, UserOf(x.By)))
	}
	return names
}

// settledBy says who chose what.
func settledBy(q run.Question) string {
	ans, w := q.Answer, words(q.Lang)
	name := strings.Join(decidersOf(q), w.listed)
	choice := ans.Choice
	if _, granted := q.Granted(); choice == run.Always && !granted {
		choice = run.Yes // what somebody has changed is for this time alone
	}
	if say, ok := w.chosen[choice]; ok {
		return say(name)
	}
	said := ans.Note
	if o, ok := q.Option(ans.Choice); ok {
		said = o.Label
	}
	return name + ": " + said
}

func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// progress is what a Run shows beside its answer: its steps so far.
func progress(home Place, r run.Run) Post {
	w := words(r.Lang)
	var text strings.Builder
	head := w.states[r.State](len(r.Steps))
	if r.State == run.Done {
		head = w.doneHead(r)
	}
	if _, ok := w.ended[r.Outcome.Why]; ok && r.Ended() {
		head, _, _ = strings.Cut(w.endedFor(r.Outcome.Why, r.State), "\n")
	}
	if r.Rehearse {
		head = w.rehearsal + head
	}
	text.WriteString(head)
	for _, s := range r.Steps {
		for _, c := range s.Reply.Message.Calls {
			text.WriteString("\n" + stepLine(w, s, c.ID, c.Name, c.Args))
		}
	}
	p := Post{
		Key: r.Key + "/progress", Rev: revsPer * int(r.Version), Place: home, Lang: r.Lang, Kind: Progress, Text: text.String(), Trace: r.Trace(),
		Of: r.Key, By: r.Asker, Plan: planOf(w, r, head),
	}
	if r.State == run.Working || r.State == run.Waiting {
		p.Choices = []Choice{{ID: "stop:" + r.Key, Label: w.stop}}
	}
	return p
}

// stepLine is one call as people see it: whether it is done, what it was, and what
// about.
func stepLine(w *wording, s run.Step, id, tool string, args json.RawMessage) string {
	mark := "▸"
	if res, ok := resultOf(s, id); ok {
		mark = "✓"
		switch {
		case res.Unrun == run.Forbidden, res.Unrun == run.SentBack: // somebody said no, which is no failure
			mark = "–"
		case res.Failed:
			mark = "✗"
		}
	}
	return mark + " " + w.step(tool, args)
}

// step is a call as people call it, and what it is about.
func (w *wording) step(tool string, args json.RawMessage) string {
	name := w.tool(tool)
	if about := w.about(args); about != "" {
		name += w.colon + about
	}
	return name
}

// resultOf is the result of a call, if it has one.
func resultOf(s run.Step, id string) (run.Result, bool) {
	for _, res := range s.Results {
		if res.ID == id {
			return res, true
		}
	}
	return run.Result{}, false
}

// longestAbout is how much of a call's arguments stands beside its name.
const longestAbout = 120

// about picks from a call's arguments what tells people most, as one short line: a
// second one would look like a step of its own.
func (w *wording) about(args json.RawMessage) string {
	var in struct {
		Measure string   `json:"measure"`
		By      []string `json:"by"`
		Period  string   `json:"period"`
		Channel string   `json:"channel"`
		When    string   `json:"when"`
		Object  string   `json:"object"`
	}
	if json.Unmarshal(args, &in) != nil {
		return ""
	}
	var parts []string
	by := make([]string, len(in.By))
	for i, s := range in.By {
		by[i] = w.term(s)
	}
	period := in.Period
	if period = w.term(period); period == in.Period {
		period = strings.ReplaceAll(period, "_", " ")
	}
	for _, s := range []string{w.term(in.Measure), strings.Join(by, w.listed), period, in.Channel, w.term(readable(in.When)), in.Object} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	text := []rune(strings.Join(strings.Fields(strings.Join(parts, " · ")), " "))
	if len(text) > longestAbout {
		text = append(text[:longestAbout], '…')
	}
	return string(text)
}

// cron is a time as programs write it, which tells people nothing.
var cron = regexp.MustCompile(`^(@|[-\d*/,?#LW]+( [-\d*/,?#LWA-Z]+){4,5}$)`)

// days are those that a time leaves out or puts in.
var days = regexp.MustCompile(` (?:EXDATE|RDATE)\S*`)

// readable is a time as people read it, or nothing if it is written for programs.
func readable(when string) string {
	if at, ok := strings.CutPrefix(when, "@once "); ok {
		return strings.Replace(at, "T", " ", 1)
	}
	if cron.MatchString(days.ReplaceAllString(when, "")) {
		return ""
	}
	return when
}

// excuse tells a person why a press does not count. It reports false for errors
// that are none of theirs.
func excuse(q run.Question, err error, lang string) (string, bool) {
	w := words(lang)
	q.Lang = lang
	var unfit *run.Unfitting
	switch {
	case errors.Is(err, run.ErrAnswered) && q.Answer != nil && q.Answer.Choice == run.Late:
		return w.expired(q.Expires), true
	case errors.Is(err, run.ErrAnswered) && q.Answer != nil:
		return w.faster(q.Answer.Name, settledBy(q)), true
	case errors.Is(err, run.ErrAnswered):
		return w.alreadyGoing, true
	case errors.Is(err, run.ErrExpired):
		return w.expired(q.Expires), true
	case errors.Is(err, run.ErrNotAllowed):
		return w.notYours, true
	case errors.As(err, &unfit):
		return unfit.Text, true
	case errors.Is(err, run.ErrAsIs):
		return w.asIs, true
	case errors.Is(err, run.ErrSaid):
		return w.pressIt, true
	case errors.Is(err, run.ErrNoQuestion):
		return w.noQuestion, true
	default:
		return "", false
	}
}
