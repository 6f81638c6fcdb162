package run

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

func fresh() Run {
	return Run{Request: Request{Key: "k", Home: "test/w/c/t", Asker: "test:w:ana", Text: "sales", Lang: "zh"}, State: Working, Created: noon}
}

func reply(text string, ids ...string) llm.Reply {
	m := llm.Message{Role: llm.Assistant, Text: text}
	for _, id := range ids {
		m.Calls = append(m.Calls, llm.Call{ID: id, Name: "look", Args: json.RawMessage(`{}`)})
	}
	return llm.Reply{Message: m, Usage: llm.Usage{In: 10, Out: 2, Cached: 1}}
}

func result(id string) Result { return Result{Result: llm.Result{ID: id, Text: "text of " + id}} }

// A model's ids are kept where they are fit and new; others get one of their own, so
// that no two calls of a run share one.
func TestHeardGivesEveryCallAnIDOfItsOwn(t *testing.T) {
	for name, tt := range map[string]struct{ give, want [][]string }{
		"kept":                        {[][]string{{"call_1", "x-Y"}}, [][]string{{"call_1", "x-Y"}}},
		"without any":                 {[][]string{{"", ""}, {""}}, [][]string{{"s1c1", "s1c2"}, {"s2c1"}}},
		"twice in a step":             {[][]string{{"a", "a"}}, [][]string{{"a", "s1c2"}}},
		"again in the next step":      {[][]string{{"a"}, {"a"}}, [][]string{{"a"}, {"s2c1"}}},
		"not fit for a key":           {[][]string{{"a/b", "a b", strings.Repeat("x", 65), "早"}}, [][]string{{"s1c1", "s1c2", "s1c3", "s1c4"}}},
		"of the form that we give":    {[][]string{{"s1c2", ""}}, [][]string{{"s1c2", "s1c3"}}},
		"of the form of another step": {[][]string{{"s2c1"}, {""}}, [][]string{{"s2c1"}, {"s2c2"}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := fresh()
			var got [][]string
			for _, ids := range tt.give {
				given := reply("", ids...)
				r = r.Heard(given, noon, time.Second)
				got = append(got, ids[:0:0])
				for _, c := range r.Steps[len(r.Steps)-1].Reply.Message.Calls {
					got[len(got)-1] = append(got[len(got)-1], c.ID)
				}
				if given.Message.Calls[0].ID != ids[0] {
					t.Error("the reply that was given has changed")
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("ids (-want +got):\n%s", d)
			}
		})
	}
}

func TestHeardNeverGivesAnIDTwice(t *testing.T) {
	ids := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "s1c1", "s1c2", "s2c1", "s2c3", "s3c2", "a/b"}), 1, 5)
	rapid.Check(t, func(t *rapid.T) {
		r, seen := fresh(), map[string]bool{}
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			r = r.Heard(reply("", ids.Draw(t, "ids")...), noon, 0)
			for _, c := range r.OpenCalls() {
				if seen[c.ID] || !fitID(c.ID) {
					t.Errorf("%q comes twice or is not fit for a key", c.ID)
				}
				seen[c.ID] = true
			}
		}
	})
}

// A12, A14: a call runs as it was approved, and only if what is stored is still what
// was hashed.
func TestA14ApprovedIsWhatWasHashed(t *testing.T) {
	args := json.RawMessage(`{"to":"#sales"}`)
	hash, err := HashArgs("post", args)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(change func(*Question)) Question {
		q := Question{
			Kind:  Approve,
			Calls: []Planned{{ID: "c1", Name: "post", Args: args, Hash: hash}, {ID: "c2", Name: "post", Args: args, Hash: hash}},
			Options: []Option{
				{ID: Always, Calls: []string{"c1", "c2"}}, {ID: Once, Calls: []string{"c1"}}, {ID: No},
			},
			Answer: &Answer{Choice: Always},
		}
		change(&q)
		return q
	}
	edit := func(q *Question, args string) {
		hash, err := HashArgs("post", json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		q.Answer.Args = map[string]json.RawMessage{"c1": json.RawMessage(args)}
		q.Answer.Edited = []Planned{{ID: "c1", Name: "post", Args: json.RawMessage(args), Hash: hash}}
	}
	for name, tt := range map[string]struct {
		change func(*Question)
		call   string
		want   string // arguments; empty: not approved
	}{
		"all of it":                      {func(*Question) {}, "c2", `{"to":"#sales"}`},
		"the part that was":              {func(q *Question) { q.Answer.Choice = Once }, "c1", `{"to":"#sales"}`},
		"the part that was not":          {func(q *Question) { q.Answer.Choice = Once }, "c2", ""},
		"denied":                         {func(q *Question) { q.Answer.Choice = No }, "c1", ""},
		"too late":                       {func(q *Question) { q.Answer.Choice = Late }, "c1", ""},
		"no answer":                      {func(q *Question) { q.Answer = nil }, "c1", ""},
		"another kind of question":       {func(q *Question) { q.Kind = Choose }, "c1", ""},
		"a call that it is not about":    {func(q *Question) { q.Options[0].Calls = []string{"c9"} }, "c9", ""},
		"stored arguments were changed":  {func(q *Question) { q.Calls[0].Args = json.RawMessage(`{"to":"#general"}`) }, "c1", ""},
		"stored arguments are no JSON":   {func(q *Question) { q.Calls[0].Args = json.RawMessage(`{`) }, "c1", ""},
		"the tool was changed":           {func(q *Question) { q.Calls[0].Name = "delete" }, "c1", ""},
		"there is no hash":               {func(q *Question) { q.Calls[0].Hash = "" }, "c1", ""},
		"stored with other white space":  {func(q *Question) { q.Calls[0].Args = json.RawMessage("{\n\"to\": \"#sales\" }") }, "c1", "{\n\"to\": \"#sales\" }"},
		"a person has changed arguments": {func(q *Question) { edit(q, `{"to":"#me"}`) }, "c1", `{"to":"#me"}`},
		"changed, and not planned":       {func(q *Question) { edit(q, `{"to":"#me"}`); q.Answer.Edited = nil }, "c1", ""},
		"changed, and then altered":      {func(q *Question) { edit(q, `{"to":"#me"}`); q.Answer.Args["c1"] = json.RawMessage(`{"to":"#all"}`) }, "c1", ""},
		"changed to another tool":        {func(q *Question) { edit(q, `{"to":"#me"}`); q.Answer.Edited[0].Name = "delete" }, "c1", ""},
		"of another call":                {func(q *Question) { q.Answer.Args = map[string]json.RawMessage{"c2": json.RawMessage(`{"to":"#me"}`)} }, "c1", `{"to":"#sales"}`},
	} {
		t.Run(name, func(t *testing.T) {
			c, ok := ask(tt.change).Approved(tt.call)
			if ok != (tt.want != "") || string(c.Args) != tt.want {
				t.Errorf("Approved = %s, %t; want %s", c.Args, ok, tt.want)
			}
		})
	}
}

// A17: a grant stands only for the arguments that it was proposed for.
func TestA17AGrantStandsForWhatItWasProposedFor(t *testing.T) {
	for name, tt := range map[string]struct {
		answer Answer
		stands bool
	}{
		"always":                 {Answer{Choice: Always, By: "lee"}, true},
		"once":                   {Answer{Choice: Once}, false},
		"deny":                   {Answer{Choice: No}, false},
		"too late":               {Answer{Choice: Late}, false},
		"always, but changed it": {Answer{Choice: Always, Args: map[string]json.RawMessage{"c1": nil}}, false},
		"alike":                  {Answer{Choice: Like, Scope: "s2", By: "lee"}, true},
		"alike, but not offered": {Answer{Choice: Like, Scope: "s9"}, false},
		"alike, and none chosen": {Answer{Choice: Like}, false},
		"alike, but changed it":  {Answer{Choice: Like, Scope: "s2", Args: map[string]json.RawMessage{"c1": nil}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			q := Question{
				Grant: &Grant{ID: "g"}, Scopes: []Grant{{ID: "s1"}, {ID: "s2"}}, Answer: &tt.answer,
				Options: []Option{{ID: Always, Grant: true}, {ID: Once}, {ID: Like}, {ID: No}},
			}
			if g, ok := q.Granted(); ok != tt.stands || ok && g.By != "lee" || q.Grant.By != "" {
				t.Errorf("Granted = %+v, %t; want %t, by whom pressed", g, ok, tt.stands)
			}
		})
	}
}

// L6: in what the model reads every call is followed by its result, and what was said
// before and asked stands before it.
func TestL6TheTranscriptPairsCallsAndResults(t *testing.T) {
	r := fresh()
	r.Turns = []Turn{{Role: llm.User, Text: "hi"}, {Role: llm.Assistant, Text: "hello"}}
	r = r.Heard(reply("I look", "a", "b"), noon, 0)
	if got := len(r.OpenCalls()); got != 2 {
		t.Fatalf("%d open calls, want 2", got)
	}
	half := r.With(result("b"))
	if open := half.OpenCalls(); len(open) != 1 || open[0].ID != "a" || len(r.OpenCalls()) != 2 {
		t.Errorf("open calls = %+v, and of the run before %d; want a, and 2", open, len(r.OpenCalls()))
	}
	r = half.With(result("a")).Heard(reply("seven"), noon, 0)
	want := []llm.Message{
		{Role: llm.User, Text: "hi"},
		{Role: llm.Assistant, Text: "hello"},
		{Role: llm.User, Text: "sales"},
		reply("I look", "a", "b").Message,
		{Role: llm.User, Results: []llm.Result{result("a").Result, result("b").Result}},
		{Role: llm.Assistant, Text: "seven"},
	}
	if d := cmp.Diff(want, r.Transcript()); d != "" {
		t.Errorf("transcript (-want +got):\n%s", d)
	}
	if got := r.Usage(); got != (llm.Usage{In: 20, Out: 4, Cached: 2}) {
		t.Errorf("usage = %+v", got)
	}
}

// A question knows its run, and its key is the outcome's, however often it is asked
// for; the next has another.
func TestAskStopsTheRunAtAQuestion(t *testing.T) {
	r := fresh().Heard(reply("", "a"), noon, 0)
	shown := Result{Result: llm.Result{ID: "a"}, Shows: []string{"a1", "a2"}}
	r = r.With(shown).Heard(reply("", "b"), noon, 0)
	q := Question{Kind: Approve, Calls: []Planned{{ID: "b", Artifact: "a1"}}, Grant: &Grant{Job: "j1"}}
	asked := r.Ask(q, noon.Add(time.Hour))
	got := asked.Questions[0]
	if asked.State != Waiting || got.ID != "k/q1" || got.Run != "k" || got.Home != r.Home || got.Asked != r.Asker || got.Lang != "zh" || got.Step != 2 || !got.Expires.Equal(noon.Add(time.Hour)) {
		t.Errorf("question = %+v", got)
	}
	if got.Grant.ID == "" || got.Grant.Question != "k/q1" || q.Grant.ID != "" {
		t.Errorf("grant = %+v, and of what was given %+v", got.Grant, q.Grant)
	}
	if out := asked.Outcome; out.Key != "k/q1" || out.Asks != "k/q1" || !slices.Equal(out.Shows, []string{"a2"}) {
		t.Errorf("outcome = %+v, want what the card does not show beside it", out)
	}
	if found, ok := asked.Asked("b"); !ok || found.ID != "k/q1" {
		t.Errorf("Asked = %+v, %t", found, ok)
	}
	if _, ok := asked.Asked("a"); ok {
		t.Error("a question of this step is found for a call of an earlier one")
	}
	if !asked.Idle() || asked.Ended() {
		t.Error("a run that waits is idle, and has not ended")
	}
	stopped := asked
	stopped.Stopped = "ana"
	if stopped.Idle() {
		t.Error("a run that waits can be stopped")
	}
	again := asked.GoOn().Ask(Question{Kind: Say}, noon)
	if again.Questions[1].ID != "k/q2" || len(asked.Questions) != 1 {
		t.Errorf("next question %s; the run before has %d", again.Questions[1].ID, len(asked.Questions))
	}
}

// What became of a post is the result of its call, under what allowed it, and the
// run knows of each place that it reached.
func TestSentIsTheResultOfTheCall(t *testing.T) {
	for name, tt := range map[string]struct {
		receipt Receipt
		text    string
		failed  bool
	}{
		"sent":   {Receipt{Ref: "r", Link: "/l"}, `{"posted":true,"link":"/l","to":"test/w/s/"}`, false},
		"failed": {Receipt{Failed: "not a member"}, `{"posted":false,"to":"test/w/s/","why":"not a member"}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := fresh().Heard(reply("", "a"), noon, 0).Send("a", tool.Post{To: "test/w/s/", Artifact: "a1", Hash: "h"}, "k/q1", "g1")
			p := r.Sending
			if r.State != Delivering || p.Key != "k/a" || p.Run != "k" || p.Home != r.Home || p.Under != "k/q1" || p.Grant != "g1" || !r.Idle() || r.Ended() {
				t.Fatalf("run is %s with %+v", r.State, p)
			}
			p.Receipt = &tt.receipt
			if r.Idle() {
				t.Error("a run whose post has arrived goes on")
			}
			sent := r.Sent()
			res := sent.Steps[0].Results[0]
			if sent.State != Working || sent.Sending != nil || res.ID != "a" || res.Text != tt.text || res.Failed != tt.failed || res.Under != "k/q1" {
				t.Errorf("run is %s with result %+v", sent.State, res)
			}
			posted, why := sent.Posted()
			if tt.failed && (len(posted) != 0 || why != "not a member") || !tt.failed && (why != "" || !slices.Equal(posted, []Receipted{{"test/w/s/", "/l"}})) {
				t.Errorf("Posted = %+v, %q", posted, why)
			}
		})
	}
}

// A20: a call that its approver has changed says where it went in the end.
func TestA20APostThatWasChangedSaysWhereItWent(t *testing.T) {
	for name, tt := range map[string]struct {
		edited []Planned
		want   string
	}{
		"changed":             {[]Planned{{ID: "a", To: "test/w/s/", ToName: "#ops"}}, `{"posted":true,"to":"test/w/s/","channel":"#ops"}`},
		"as it was asked for": {nil, `{"posted":true,"to":"test/w/s/"}`},
		"another was changed": {[]Planned{{ID: "b", To: "test/w/s/", ToName: "#ops"}}, `{"posted":true,"to":"test/w/s/"}`},
	} {
		r := fresh().Heard(reply("", "a"), noon, 0)
		r.Questions = []Question{{ID: "k/q1", Answer: &Answer{Edited: tt.edited}}, {ID: "k/q2"}}
		r = r.Send("a", tool.Post{To: "test/w/s/", Artifact: "a1", Hash: "h"}, "k/q1", "")
		r.Sending.Receipt = &Receipt{Ref: "r"}
		if got := r.Sent().Steps[0].Results[0].Text; got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// A15: a tool that says that it has posted has not: only what was allowed counts.
func TestA15WhatOnlySaysThatItPostedHasNot(t *testing.T) {
	r := fresh().Heard(reply("", "a"), noon, 0)
	r = r.With(Result{Result: llm.Result{ID: "a", Text: `{"posted":true,"to":"test/w/s/","link":"/l"}`}})
	if posted, why := r.Posted(); len(posted) != 0 || why != "" {
		t.Errorf("Posted = %+v, %q; want nothing", posted, why)
	}
}

// Each end after a Continue is an outcome of its own; the same end is the same one.
func TestEveryEndHasItsKey(t *testing.T) {
	r := fresh().End(Suspended, "", TooLong)
	if r.Outcome.Key != "k/end" || !r.Ended() || !r.Idle() {
		t.Errorf("end = %+v", r.Outcome)
	}
	r.Resumed = 1
	if r.Idle() {
		t.Error("a suspended run goes on once Continue was pressed")
	}
	r = r.Resume()
	if r.State != Working || r.Outcome.Key != "" {
		t.Errorf("resumed: %s, %+v", r.State, r.Outcome)
	}
	for range 2 {
		if got := r.End(Done, "seven", "").Outcome; got.Key != "k/end1" || got.Text != "seven" || got.State != Done {
			t.Errorf("end = %+v", got)
		}
	}
}

// A move leaves the run that it was made from as it was: what a failed save gives
// back is not half changed.
func TestMovesChangeNothingOfTheRunBefore(t *testing.T) {
	r := fresh().Heard(reply("", "a", "b"), noon, 0).With(result("a"))
	r = r.Ask(Question{Kind: Say, Calls: []Planned{{ID: "b"}}}, noon)
	before, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Start("b", "").With(result("b")).Heard(reply("x"), noon, 0).Ask(Question{}, noon).GoOn().End(Done, "x", "")
	_ = r.Send("b", tool.Post{To: "x"}, "q", "g")
	if after, err := json.Marshal(r); err != nil || string(after) != string(before) || len(r.Questions) != 1 {
		t.Errorf("run was\n%s\nand is\n%s\n%v", before, after, err)
	}
	if r.Started() != "" || r.Start("b", "").Started() != "b" {
		t.Errorf("started = %q and %q, want nothing and b", r.Started(), r.Start("b", "").Started())
	}
}

// A run that has not begun has nothing open and nothing said.
func TestARunThatHasNotBegun(t *testing.T) {
	var r Run
	if _, said := r.Last(); said || r.OpenCalls() != nil || r.Started() != "" || r.Open() {
		t.Errorf("a fresh run has said or begun something")
	}
	if got := TraceOf("k"); len(got) != 8 || (Run{Request: Request{Key: "k"}}).Trace() != got {
		t.Errorf("trace = %q, want eight letters", got)
	}
}
