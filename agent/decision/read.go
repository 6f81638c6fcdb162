package decision

import (
	"encoding/json"
	"regexp"
	"strings"

	"hermes/agent/llm"
)

// Read makes a decision of what a model wrote. Text around a decision in JSON is
// ignored; JSON that is no decision, in an answer or as the answer, is part of the
// answer, and so is a call that is only shown. What looks like a decision and cannot be
// read as one is an *UnreadableError, with words for the model: Repair. What comes of a
// text is Legible, here and nowhere else.
func Read(m llm.Message, o Options) (Decision, error) {
	r := newReader(o)
	if len(m.Calls) > 0 {
		return legible(r.native(m)), nil
	}
	thought, text := aside(m.Text)
	if llm.Blank(text) {
		text = ""
	}
	d, err := r.read(thought, text)
	switch {
	case err != nil:
		return Decision{}, err
	case o.Called && len(d.Calls) == 0 && d.Form == Text:
		return Decision{}, unreadable("it ended in order to call a tool, and there is no call in it")
	}
	if d.Thought == "" {
		d.Thought = thought
	}
	if d.Intent == "" && len(d.Calls) > 0 {
		d.Intent, d.Thought = intent(d.Thought)
	}
	return legible(d), nil
}

// legible is a decision in signs that can be read. An answer that says nothing is none.
func legible(d Decision) Decision {
	d.Thought, d.Intent, d.Result = llm.Legible(d.Thought), llm.Legible(d.Intent), llm.Legible(d.Result)
	if llm.Blank(d.Result) {
		d.Result = ""
	}
	for i, c := range d.Calls {
		d.Calls[i].Name, d.Calls[i].Args = llm.Legible(c.Name), llm.LegibleArgs(c.Args)
	}
	for i := range d.Candidates {
		d.Candidates[i].Name, d.Candidates[i].Why = llm.Legible(d.Candidates[i].Name), llm.Legible(d.Candidates[i].Why)
	}
	for i := range d.Evidence {
		d.Evidence[i] = llm.Legible(d.Evidence[i])
	}
	return d
}

// A reader has the Options at hand.
type reader struct {
	aliases []string
	names   []string
	finish  []string
	tools   []string
	quirks  Quirks
	own     bool // Options.Native
}

func newReader(o Options) *reader {
	q := QuirksOf(o.Model)
	r := &reader{aliases: o.Aliases, tools: o.Tools, quirks: q, own: o.Native}
	if r.aliases == nil {
		r.aliases = DefaultAliases()
	}
	r.aliases = join(r.aliases, q.Aliases, o.Quirks.Aliases, inputKeys)
	r.names = join(toolKeys, q.Names, o.Quirks.Names)
	r.finish = join(finishes, q.Finish, o.Quirks.Finish)
	r.quirks.Marks = append(append([]Mark{}, o.Quirks.Marks...), q.Marks...)
	return r
}

func join(lists ...[]string) []string {
	var all []string
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func (r *reader) read(thought, text string) (Decision, error) {
	switch {
	case text == "" && thought == "":
		return Decision{}, unreadable("it was empty")
	case text == "":
		// Cut off, or the end of the thought was forgotten before a decision.
		if l := look(thought, nil); len(l.finds) > 0 {
			last := l.finds[len(l.finds)-1]
			if d, ok, err := r.decide(last, true); ok && err == nil && trifle(l.text[min(len(l.text), last.end):]) {
				d.Mended, d.Thought = true, Brief(l.text[:last.start])
				return d, nil
			}
		}
		return Decision{}, unreadable("it ended inside of its reasoning, before any decision")
	}
	if d, ok := r.marked(text); ok {
		return d, nil
	}
	if d, ok, err := r.prosed(text); ok || err != nil {
		return d, err
	}
	l := look(text, nil)
	if l.deep {
		return Decision{}, unreadable("its JSON is nested too deep")
	}
	if !l.whole || len(l.finds) == 0 {
		if d, ok, err := r.tagged(text); ok || err != nil {
			return d, err
		}
	}
	r.stand(l)
	if d, ok, err := r.decisions(l); ok || err != nil {
		d.Mended = d.Mended || string(l.finds[0].raw) != strings.TrimSpace(text)
		return d, err
	}
	if d, ok := r.scrape(text); ok {
		return d, nil
	}
	if r.doubtful(l) {
		return Decision{}, errInText
	}
	if broken.MatchString(text) {
		return Decision{}, unreadable("it begins like a decision in JSON, and no action can be found in it")
	}
	if rubbish.MatchString(code.ReplaceAllString(l.without(), "")) {
		return Decision{}, unreadable("it holds marks of a chat template or pieces of JSON, which nobody can read")
	}
	if line, rest := intent(text); line != "" && rest == "" {
		return Decision{}, unreadable("it says what is intended and calls no tool")
	}
	return Decision{Finished: true, Result: strings.TrimSpace(text), Form: Text}, nil
}

// broken is how a text begins that was to be a decision in JSON.
var broken = regexp.MustCompile("^[\\s`\"'“”]*(?:json)?[\\s`]*[\\[{｛]+[\\s\"'“”‘’\\\\n]*(?i:thought|action|actions|action_input|is_finished|tool_calls?|function_call|思考|行动|动作)\\b?[\\s\"'“”‘’\\\\]*[:：=]")

// rubbish is what no answer holds outside of code.
var (
	rubbish = regexp.MustCompile(`<\|[a-z_]+\|>|[{,]\s*"(?:action|tool_calls?|function_call)"\s*:|^[\]}]{2}|\{{2,}\]{2,}|\[{2,}\}{2,}`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
)

// decisions reads what JSON there is. If there is nothing else, it may be several
// calls; in prose the first that is made counts.
func (r *reader) decisions(l sight) (Decision, bool, error) {
	var all Decision
	var fault error
	found := false
	for _, f := range l.finds {
		d, ok, err := r.decide(f, l.whole)
		if err != nil && fault == nil {
			fault = err
		}
		if !ok || err != nil {
			if l.whole {
				break
			}
			continue
		}
		if !l.whole {
			return d, true, nil
		}
		if d.Finished && found && len(d.Calls) == 0 {
			break // the results of the calls before it are not there yet
		}
		all = merge(all, d, found)
		found = true
		if d.Finished {
			break
		}
	}
	if found {
		return all, true, nil
	}
	return Decision{}, false, fault
}

// merge adds a second decision to a first.
func merge(a, b Decision, found bool) Decision {
	if !found {
		return b
	}
	for _, c := range b.Calls {
		same := false
		for _, x := range a.Calls {
			same = same || x.Name == c.Name && string(x.Args) == string(c.Args)
		}
		if !same {
			a.Calls = append(a.Calls, c)
		}
	}
	a.Mended, a.Scraped = a.Mended || b.Mended, a.Scraped || b.Scraped
	if a.Thought == "" {
		a.Thought = b.Thought
	}
	return a
}

// native reads tool calls that came beside the text.
func (r *reader) native(m llm.Message) Decision {
	thought, text := aside(m.Text)
	d := Decision{Form: Native}
	if o, ok := fields(json.RawMessage(strings.TrimSpace(text))); ok && o.has(thoughtKeys...) {
		text = o.text(thoughtKeys...)
		cited, _ := o.get(evidenceKeys...)
		d.Evidence = evidence(cited)
	}
	d.Intent, d.Thought = intent(strings.TrimSpace(text))
	if d.Thought == "" {
		d.Thought = thought
	}
	for _, c := range m.Calls {
		if name, ok := r.known(c.Name); ok {
			c.Name = name
		} else if among(c.Name, r.finish) {
			if len(m.Calls) == 1 {
				o, _ := fields(c.Args)
				d.Finished, d.Result = true, r.answer(object{}, o)
				return d
			}
			continue // the results of the others are not there yet
		}
		var mended, cut bool
		c.Args, mended, cut = arguments(c.Args)
		d.Mended, d.Scraped = d.Mended || mended, d.Scraped || cut
		d.Calls = append(d.Calls, c)
	}
	return d
}

// intentLine is the short line that comes before a call.
var intentLine = regexp.MustCompile(`(?im)^[ \t]*#+[ \t]*(?:intent|意图)[ \t]*[:：][ \t]*(.*?)[ \t]*$\n?`)

// intent takes the line of intent out of a text.
func intent(text string) (line, rest string) {
	at := intentLine.FindStringSubmatchIndex(text)
	if at == nil {
		return "", text
	}
	return text[at[2]:at[3]], strings.TrimSpace(text[:at[0]] + text[at[1]:])
}
