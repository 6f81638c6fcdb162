package bot

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/golden"
)

const formSchema = `{"type":"object","required":["to","amount"],"properties":{
	"to":{"type":"string","description":"as in #sales","maxLength":80},
	"how":{"type":"string","enum":["fast","slow"]},
	"amount":{"type":["integer","null"]},
	"day":{"type":"string","format":"date"},
	"loud":{"type":"boolean"},
	"tags":{"type":"array","items":{"type":"string"}},
	"text":{"type":"string"},
	"deep":{"type":"object"}}}`

// A20: a form has one input for each argument that one can fill in, of its kind, with
// what stands there now; what has no input stays as it is.
func TestA20AFormHasAnInputForEachArgument(t *testing.T) {
	c := run.Editable{Call: "c1", Name: "pay", Schema: json.RawMessage(formSchema), Args: json.RawMessage(`{"to":"ann","amount":5,"how":"fast","tags":["a","b"],"text":"one\ntwo","deep":{"x":1}}`)}
	want := []Field{
		{ID: "1.to", Label: "To", Hint: "as in #sales", Kind: TextField, Value: "ann", Most: 80},
		{ID: "1.how", Label: "How", Kind: PickField, Value: "fast", Options: []Choice{{ID: "fast", Label: "fast"}, {ID: "slow", Label: "slow"}}, Optional: true},
		{ID: "1.amount", Label: "Amount", Kind: NumberField, Value: "5"},
		{ID: "1.day", Label: "Day", Kind: DateField, Optional: true},
		{ID: "1.loud", Label: "Loud", Kind: PickField, Options: []Choice{{ID: "true", Label: "Yes"}, {ID: "false", Label: "No"}}, Optional: true},
		{ID: "1.tags", Label: "Tags", Kind: LongField, Value: "a\nb", Optional: true},
		{ID: "1.text", Label: "Text", Kind: LongField, Value: "one\ntwo", Optional: true},
	}
	if d := cmp.Diff(want, english.argFields(1, c, false)); d != "" {
		t.Errorf("fields (-want +got):\n%s", d)
	}
	for name, tt := range map[string]struct {
		values  map[string]string
		want    string
		changed bool
	}{
		"nothing":          {map[string]string{"1.to": "ann", "1.amount": "5"}, string(c.Args), false},
		"another form's":   {map[string]string{"0.to": "bob"}, string(c.Args), false},
		"a text":           {map[string]string{"1.to": "bob"}, `{"to":"bob","amount":5,"how":"fast","tags":["a","b"],"text":"one\ntwo","deep":{"x":1}}`, true},
		"a number":         {map[string]string{"1.amount": " 7.50 "}, `{"to":"ann","amount":7.50,"how":"fast","tags":["a","b"],"text":"one\ntwo","deep":{"x":1}}`, true},
		"what is none":     {map[string]string{"1.amount": "many"}, `{"to":"ann","amount":"many","how":"fast","tags":["a","b"],"text":"one\ntwo","deep":{"x":1}}`, true},
		"a list":           {map[string]string{"1.tags": " x \n\n y "}, `{"to":"ann","amount":5,"how":"fast","tags":["x","y"],"text":"one\ntwo","deep":{"x":1}}`, true},
		"yes or no, a day": {map[string]string{"1.loud": "true", "1.day": "2026-12-31"}, `{"to":"ann","amount":5,"how":"fast","tags":["a","b"],"text":"one\ntwo","deep":{"x":1},"loud":true,"day":"2026-12-31"}`, true},
		"left empty":       {map[string]string{"1.how": "", "1.to": " "}, `{"amount":5,"tags":["a","b"],"text":"one\ntwo","deep":{"x":1}}`, true},
	} {
		got, changed, err := argsFrom(1, c, tt.values)
		var g, w map[string]any
		if err != nil || json.Unmarshal(got, &g) != nil || json.Unmarshal([]byte(tt.want), &w) != nil || changed != tt.changed {
			t.Fatalf("%s: %s, %t, %v", name, got, changed, err)
		}
		if d := cmp.Diff(w, g); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// SAFE-13, A12: what stands on a card beside what it asks, in both languages: changes as
// before and after, where arguments come from, why, on which steps it rests, and what it
// has cost; what stays of it says what was changed, and what is allowed from now on.
func TestSAFE13WhatACardSays(t *testing.T) {
	until := time.Date(2026, 12, 2, 9, 0, 0, 0, time.UTC)
	q := run.Question{
		ID: "k/q1", Run: "k", Kind: run.Approve, Step: 3, Asked: "slack:T:ANA",
		Calls: []run.Planned{
			{
				ID: "c1", Name: "schedule_edit", Args: json.RawMessage(`{"job":"j1","spec":"0 9 * * 2"}`), Hash: "0123456789abcdef", Wrote: json.RawMessage(`{}`),
				Lines: []string{"Change the schedule **j1**\n- and nothing else"}, Marks: []string{"file", "person", "<!channel>"},
				Diff: []tool.Diff{{What: "When", Was: "every Monday", Is: "every Tuesday"}, {What: "Channel", Was: "", Is: "#sales"}},
			},
			{ID: "c2", Name: "post_message", Args: json.RawMessage(`{}`), Hash: "fedcba9876543210", File: "a1", Lines: []string{"Post it"}},
		},
		Options: []run.Option{{ID: run.Yes, Calls: []string{"c1", "c2"}}, {ID: run.Like, Calls: []string{"c1", "c2"}}, {ID: run.Change}, {ID: run.No}},
		Scopes:  []run.Grant{{ID: "g1", Tool: "post_message", Label: "#sales", Until: until, Max: 3, Home: "x"}, {ID: "g2", Tool: "post_message", Label: "#sales", Until: until, Max: 12}},
		Reason:  "they want it `now` <!channel> [here](http://x)",
		Rests:   []run.Rest{{Step: 1, Tool: "query_metric", Args: json.RawMessage(`{"measure":"sales"}`)}, {Step: 2, Tool: "make_report"}},
	}
	q.Cost.In, q.Cost.Out, q.Cost.Nanos = 1200, 34, 12_300_000
	seen, seenBy := "", map[string]string{}
	for _, lang := range []string{"en", "zh"} {
		q.Lang, q.Answer = lang, nil
		home := Place{Platform: "slack", Workspace: "T", Channel: "C"}
		open := card(home, q)
		seen += "=== " + lang + "\n" + open.Text + "\n"
		for _, c := range open.Choices {
			seen += "[" + c.Label + "] " + c.ID + " " + string(FormOf(c.ID)) + "\n"
		}
		seen += recordSeen(open.Record)
		if d := cmp.Diff([]File{{ID: "a1", Name: "arguments.json", Mime: "application/json"}}, open.Files); d != "" {
			t.Errorf("files (-want +got):\n%s", d)
		}
		edited := q.Calls[0]
		edited.Args, edited.Hash, edited.Lines = json.RawMessage(`{"job":"j1","spec":"0 9 * * 5"}`), "aaaaaaaaaaaaaaaa", []string{"Change it to Fridays"}
		for name, a := range map[string]run.Answer{
			"1 edited": {Choice: run.Yes, Edited: []run.Planned{edited}, Args: map[string]json.RawMessage{"c1": edited.Args}},
			"2 like":   {Choice: run.Like, Scope: "g2"}, "3 change": {Choice: run.Change, Note: "use `October`\nplease <!here>"}, "4 reason": {Choice: run.No, Note: "too early"}, "5 no": {Choice: run.No, Note: "no thanks"},
		} {
			a.Name = "Lee"
			closed := q
			closed.Answer = &a
			p := settled(home, closed)
			before, _, _ := strings.Cut(p.Text, "\n\n")
			seenBy[lang+" "+name] = before
			if len(a.Edited) > 0 {
				seenBy[lang+" "+name] += "\n" + strings.TrimSpace(recordSeen(p.Record))
			}
		}
	}
	for _, lang := range []string{"en", "zh"} {
		for _, name := range []string{"1 edited", "2 like", "3 change", "4 reason", "5 no"} {
			seen += "--- " + lang + " " + name + "\n" + seenBy[lang+" "+name] + "\n"
		}
	}
	golden.Check(t, "card_details.golden", seen)
}

func recordSeen(r Record) string {
	text := "~ " + r.Head + "\n"
	for _, d := range r.Details {
		text += "~ " + d.Label + " | " + d.Text + "\n"
	}
	return text
}

// SAFE-13: who approves a report reads what, where and when, and what to look at twice, then the
// report; what a yes allows for longer stands below it, and what runs, with its hash, is
// in the record under all of that, in a file where it is long.
func TestSAFE13ACardBeginsWithWhatIsAskedAndEndsWithWhatRuns(t *testing.T) {
	q := run.Question{
		ID: "k/q1", Run: "k", Kind: run.Approve, Step: 2, Lang: "en", Cadence: "monthly",
		Calls: []run.Planned{
			{ID: "c1", Name: "post_message", Args: json.RawMessage(`{"artifact":"a1"}`), Hash: "0123456789abcdef", Artifact: "a1", Lines: []string{"Post **Sales** to **#sales**"}, Marks: []string{"<!here>"}},
			{ID: "c2", Name: "schedule_add", Args: json.RawMessage(`{"spec":"0 9 1 * *"}`), Hash: "fedcba9876543210", Job: "j1", Lines: []string{"Do it again **every month**"}},
		},
		Grant: &run.Grant{Tool: "post_message", Job: "j1", Max: 12},
		Rests: []run.Rest{{Step: 1, Tool: "make_report"}},
	}
	p := card(Place{}, q)
	whole := p.Whole("# THE REPORT")
	at := 0
	for _, want := range []string{"Post **Sales**", "every month", "Look at this first", "# THE REPORT", "If it is allowed for good", "It rests on"} {
		i := strings.Index(whole[at:], want)
		if i < 0 {
			t.Fatalf("%q does not stand in its place:\n%s", want, whole)
		}
		at += i
	}
	for _, never := range []string{"0123456789ab", `{"artifact"`, "0 9 1 * *"} {
		if strings.Contains(whole, never) {
			t.Errorf("%q stands in what people read first:\n%s", never, whole)
		}
	}
	want := []Detail{{"Post, arguments with the hash 0123456789ab", `{"artifact":"a1"}`}, {"Schedule, arguments with the hash fedcba987654", `{"spec":"0 9 1 * *"}`}}
	if d := cmp.Diff(want, p.Record.Details); d != "" {
		t.Errorf("record (-want +got):\n%s", d)
	}
}

// SAFE-06: what a grant by a pattern allows is said argument by argument, out of what it
// holds for and not out of a label, in both languages.
func TestSAFE06AGrantByAPatternSaysWhatItHoldsFor(t *testing.T) {
	until := time.Date(2026, 12, 30, 12, 0, 0, 0, time.UTC)
	narrow := run.Pattern{Args: map[string]json.RawMessage{"job": json.RawMessage(`"j0123 \n` + strings.Repeat("x", 90) + `"`), "action": json.RawMessage(`"pause"`)}, Own: true}
	wide := run.Pattern{Args: map[string]json.RawMessage{"action": json.RawMessage(`"pause"`)}, Open: []string{"job"}, Own: true}
	grant := func(p run.Pattern) run.Grant {
		return run.Grant{ID: "g1", Tool: "schedule_change", Control: p.Control(), Until: until, Max: 12}
	}
	for lang, want := range map[string][3]string{
		"en": {
			"Change a schedule: Change: ` pause `, Schedule: ` j0123  " + strings.Repeat("x", 53) + "… `; asked for anywhere, 12 times until 30 Dec 2026",
			"Change a schedule: Change: ` pause `, Schedule: any of their own; asked for anywhere, 12 times until 30 Dec 2026",
			"Schedule: any of their own, asked for anywhere, 12 times until 30 Dec 2026",
		},
		"zh": {
			"更改定时任务：操作：` pause `、定时任务：` j0123  " + strings.Repeat("x", 53) + "… `；在哪里提出都行，最多 12 次，到2026年12月30日为止",
			"更改定时任务：操作：` pause `、定时任务：请求者自己的任何一个；在哪里提出都行，最多 12 次，到2026年12月30日为止",
			"定时任务：请求者自己的任何一个、在哪里提出都行，最多 12 次，到2026年12月30日为止",
		},
	} {
		w := words(lang)
		for i, p := range []run.Pattern{narrow, wide} {
			if got := w.grantSays(grant(p), time.UTC); got != want[i] {
				t.Errorf("%s: says %q\nwant %q", lang, got, want[i])
			}
		}
		q := run.Question{Scopes: []run.Grant{grant(narrow), grant(wide)}}
		if lead := w.scopesLead(q); !strings.Contains(lead, w.scopeCalls) || !strings.Contains(lead, "pause") {
			t.Errorf("lead = %q", lead)
		}
		option := strings.Join(append(w.leftOpen(grant(wide)), w.scopeOption(w.from(grant(wide)), until.Format(w.until), 12)), w.listed)
		if option != want[2] || len([]rune(option)) > 75 {
			t.Errorf("option = %q, want %q within the length of an option in Slack", option, want[2])
		}
	}
}

// Issue 5: a card shows what would change, before → after with source and date, whether it
// asks for a yes or which of two holds; nobody's words lead out of their quotes.
func TestACardShowsBeforeAndAfter(t *testing.T) {
	diff := []tool.Diff{
		{What: "Preferred format", Was: "Excel", WasFrom: "3 May 2026, https://c.example/1", Is: "CSV `x`\n**bold**", IsFrom: "4 May 2026, said here"},
		{What: "Likes", Was: "tea", WasFrom: "3 May 2026"},
	}
	const want = "\n- Preferred format: ` Excel ` (3 May 2026, https://c.example/1) → `` CSV `x` **bold** `` (4 May 2026, said here)" +
		"\n- Likes: ` tea ` (3 May 2026) → nothing"
	for _, kind := range []run.Kind{run.Choose, run.Approve} {
		p := card(Place{Platform: "web", Workspace: "w", Channel: "c"}, run.Question{ID: "k/q1", Kind: kind, Lang: "en", Text: "Which one holds?", Calls: []run.Planned{{ID: "c", Name: "remember", Diff: diff}}})
		if !strings.Contains(p.Text, want) {
			t.Errorf("%s: card = %q, want %q in it", kind, p.Text, want)
		}
	}
}
