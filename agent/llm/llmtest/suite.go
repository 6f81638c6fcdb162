package llmtest

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
)

// Secret is the credential that a Backend gives its Model: no error may hold it.
const Secret = "sk-secret-7f3a9c"

// A Backend makes a Model whose vendor answers with the steps, one a request, and
// tells what the vendor heard.
type Backend func(t *testing.T, steps ...Step) (m llm.Model, heard func() []Chat)

// TestModel runs what every provider promises.
func TestModel(t *testing.T, open Backend) {
	t.Run("words", func(t *testing.T) { testWords(t, open) })
	t.Run("calls", func(t *testing.T) { testCalls(t, open) })
	t.Run("conversation", func(t *testing.T) { testConversation(t, open) })
	t.Run("trouble", func(t *testing.T) { testTrouble(t, open) })
	t.Run("one try", func(t *testing.T) { testTry(t, open) })
	t.Run("endless", func(t *testing.T) { testEndless(t, open) })
	t.Run("L9 who hangs delays nobody else", func(t *testing.T) { testNeighbours(t, open) })
}

// ask is the simplest request; the text is one that no error may repeat.
func ask(streamed func(string)) llm.Request {
	return llm.Request{
		System:   "You are a test.",
		Messages: []llm.Message{{Role: llm.User, Text: confidential}},
		Stream:   streamed,
	}
}

const confidential = "what is the salary of our chief executive officer?"

// both runs a test with and without a stream.
func both(t *testing.T, f func(t *testing.T, stream func(string), streamed *strings.Builder)) {
	t.Run("at once", func(t *testing.T) { f(t, nil, nil) })
	t.Run("streamed", func(t *testing.T) {
		var b strings.Builder
		f(t, func(s string) { b.WriteString(s) }, &b)
	})
}

func testWords(t *testing.T, open Backend) {
	for name, text := range map[string]string{
		"English": "Sales rose by 4 % last month.",
		"Chinese": "上个月销售额增长了 4%，主要来自华东。",
		"markup":  "| a | b |\n|---|---|\n| 1 | <2> & \"3\" |\n",
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, stream func(string), streamed *strings.Builder) {
				want := llm.Usage{In: 120, Out: 17, Cached: 100}
				m, heard := open(t, Step{Text: text, Usage: want})
				r, err := m.Generate(t.Context(), ask(stream))
				if err != nil {
					t.Fatal(err)
				}
				if r.Message.Text != text || r.Message.Role != llm.Assistant || len(r.Message.Calls) != 0 {
					t.Errorf("message = %+v", r.Message)
				}
				if streamed != nil && streamed.String() != text {
					t.Errorf("streamed %q", streamed)
				}
				if r.Usage != want {
					t.Errorf("usage = %+v, want %+v", r.Usage, want)
				}
				if r.Model != m.Name() || !strings.Contains(m.Name(), "/") {
					t.Errorf("model %q, name %q", r.Model, m.Name())
				}
				if got := heard(); len(got) != 1 || got[0].Last("system") != "You are a test." || got[0].Last("user") != confidential || got[0].Key != Secret {
					t.Errorf("heard %+v", got)
				}
			})
		})
	}
	t.Run("a thought is not said", func(t *testing.T) {
		both(t, func(t *testing.T, stream func(string), streamed *strings.Builder) {
			m, _ := open(t, Step{Thought: "They must not hear this.", Text: "Hello."})
			r, err := m.Generate(t.Context(), ask(stream))
			if err != nil || r.Message.Text != "Hello." || streamed != nil && streamed.String() != "Hello." {
				t.Errorf("reply %+v, %v, streamed %v", r, err, streamed)
			}
		})
	})
	t.Run("nothing but a thought is no answer", func(t *testing.T) {
		both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
			m, _ := open(t, Step{Thought: "Hm."})
			if r, err := m.Generate(t.Context(), ask(stream)); !errors.Is(err, llm.ErrGarbled) {
				t.Errorf("reply %+v, %v", r, err)
			}
		})
	})
	t.Run("without usage", func(t *testing.T) {
		both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
			m, _ := open(t, Step{Text: "hi", Fault: NoUsage})
			if r, err := m.Generate(t.Context(), ask(stream)); err != nil || r.Message.Text != "hi" {
				t.Errorf("reply %+v, %v", r, err)
			}
		})
	})
}

func testCalls(t *testing.T, open Backend) {
	two := []llm.Call{
		{ID: "call_a", Name: "query_metric", Args: json.RawMessage(`{"measure":"sales","by":["region"],"where":{"city":"上海 \"浦东\""}}`)},
		{ID: "call_b", Name: "memory_list", Args: json.RawMessage(`{}`)},
	}
	for name, style := range map[string]Style{
		"tidy": Tidy, "in crumbs": Crumbs, "interleaved": Interleaved, "without index": NoIndex, "of one index": SameIndex, "repeating": Repeats, "whole": Whole, "L13 twice": Twice,
		"arguments in no string": Bare, "broken off and sent again": Resumed,
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, stream func(string), streamed *strings.Builder) {
				m, heard := open(t, Step{Text: "Let me look.", Calls: two, Style: style})
				q := ask(stream)
				q.Tools = []llm.Tool{
					{Name: "query_metric", Description: "figures", Schema: json.RawMessage(`{"type":"object","properties":{"measure":{"type":"string"}}}`)},
					{Name: "memory_list", Description: "facts", Schema: json.RawMessage(`{"type":"object"}`)},
				}
				r, err := m.Generate(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(two, r.Message.Calls); d != "" {
					t.Error(d)
				}
				if r.Message.Text != "Let me look." || streamed != nil && streamed.String() != "Let me look." {
					t.Errorf("text %q, streamed %v", r.Message.Text, streamed)
				}
				if got := heard()[0].Tools; len(got) != 2 || got[0].Name != "query_metric" || got[0].Description != "figures" || !strings.Contains(string(got[0].Schema), "measure") {
					t.Errorf("tools %+v", got)
				}
			})
		})
	}
	for name, style := range map[string]Style{
		"tidy": Tidy, "in crumbs": Crumbs, "interleaved": Interleaved, "without index": NoIndex, "of one index": SameIndex, "repeating": Repeats, "whole": Whole, "twice": Twice, "in no string": Bare,
	} {
		t.Run("L13 two calls of one id are two: "+name, func(t *testing.T) {
			both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
				one := []llm.Call{
					{ID: "call_0", Name: "query_metric", Args: json.RawMessage(`{"measure":"sales"}`)},
					{ID: "call_0", Name: "query_metric", Args: json.RawMessage(`{"measure":"orders"}`)},
					{ID: "call_0", Name: "memory_list", Args: json.RawMessage(`{}`)},
				}
				m, _ := open(t, Step{Calls: one, Style: style})
				r, err := m.Generate(t.Context(), ask(stream))
				if err != nil || len(r.Message.Calls) != len(one) {
					t.Fatalf("reply %+v, %v", r, err)
				}
				seen := map[string]bool{}
				for i, c := range r.Message.Calls {
					if c.Name != one[i].Name || string(c.Args) != string(one[i].Args) || seen[c.ID] {
						t.Errorf("call %d is %s %s, id %q", i, c.Name, c.Args, c.ID)
					}
					seen[c.ID] = true
				}
			})
		})
	}
	for finish, want := range map[string]bool{"tool_calls": true, "stop": false, "length": false} {
		t.Run("a reply says whether it ended in order to call a tool: "+finish, func(t *testing.T) {
			both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
				m, _ := open(t, Step{Text: "I look.", Finish: finish})
				if r, err := m.Generate(t.Context(), ask(stream)); err != nil || r.Called != want {
					t.Errorf("reply %+v, %v", r, err)
				}
			})
		})
	}
	for name, c := range map[string]struct{ args, want string }{
		"L4 no arguments":           {``, `{}`},
		"null":                      {`null`, `{}`},
		"an object within a string": {`"{\"a\":1}"`, `{"a":1}`},
		"cut off":                   {`{"measure":"sal`, `{"$unreadable":"{\"measure\":\"sal"}`},
		"an array":                  {`[1]`, `{"$unreadable":"[1]"}`},
		"prose":                     {`sales by region`, `{"$unreadable":"sales by region"}`},
		"two objects":               {`{"a":1}{"a":2}`, `{"$unreadable":"{\"a\":1}{\"a\":2}"}`},
		"L13 one object twice":      {`{"a":1}{"a":1}`, `{"a":1}`},
		"an empty one before it":    {`{}{"a":1}`, `{"a":1}`},
	} {
		t.Run("arguments are an object: "+name, func(t *testing.T) {
			both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
				m, _ := open(t, Step{Calls: []llm.Call{{ID: "c1", Name: "query_metric", Args: json.RawMessage(c.args)}}})
				r, err := m.Generate(t.Context(), ask(stream))
				if err != nil || len(r.Message.Calls) != 1 {
					t.Fatalf("reply %+v, %v", r, err)
				}
				if got := string(r.Message.Calls[0].Args); got != c.want {
					t.Errorf("arguments %s, want %s", got, c.want)
				}
			})
		})
	}
	t.Run("a call that the limit of tokens cut off is not made", func(t *testing.T) {
		both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
			for _, args := range []string{``, `{"measure":"sal`} {
				m, _ := open(t, Step{Text: "Let me look.", Finish: "length", Calls: []llm.Call{{ID: "c1", Name: "query_metric", Args: json.RawMessage(args)}}})
				r, err := m.Generate(t.Context(), ask(stream))
				if err != nil || len(r.Message.Calls) != 1 {
					t.Fatalf("reply %+v, %v", r, err)
				}
				if got := string(r.Message.Calls[0].Args); !strings.Contains(got, llm.Unreadable) || !strings.Contains(got, "limit of tokens") {
					t.Errorf("arguments %q became %s", args, got)
				}
			}
		})
	})
	t.Run("ids are unique in the run", func(t *testing.T) {
		both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
			again := llm.Call{ID: "call_0", Name: "memory_list", Args: json.RawMessage(`{}`)}
			m, _ := open(t, Step{Calls: []llm.Call{again, {Name: "memory_list", Args: json.RawMessage(`{}`)}}})
			q := ask(stream)
			q.Messages = append(q.Messages,
				llm.Message{Role: llm.Assistant, Calls: []llm.Call{again}},
				llm.Message{Role: llm.User, Results: []llm.Result{{ID: "call_0", Text: "[]"}}})
			r, err := m.Generate(t.Context(), q)
			if err != nil || len(r.Message.Calls) != 2 {
				t.Fatalf("reply %+v, %v", r, err)
			}
			seen := map[string]bool{"call_0": true, "": true}
			for _, c := range r.Message.Calls {
				if seen[c.ID] {
					t.Errorf("L13 id %q is not new", c.ID)
				}
				seen[c.ID] = true
			}
		})
	})
}

// Whatever a run holds, the vendor gets a conversation that it accepts: the
// handler refuses an orphan as the vendor does.
func testConversation(t *testing.T, open Backend) {
	call := func(id string) llm.Call { return llm.Call{ID: id, Name: "t", Args: json.RawMessage(`{"n":1}`)} }
	user := func(s string) llm.Message { return llm.Message{Role: llm.User, Text: s} }
	calls := func(cs ...llm.Call) llm.Message { return llm.Message{Role: llm.Assistant, Calls: cs} }
	results := func(rs ...llm.Result) llm.Message { return llm.Message{Role: llm.User, Results: rs} }
	for name, c := range map[string]struct {
		messages []llm.Message
		want     string // roles, and ids of tool messages; or, with " | ", what else is right
	}{
		"paired":                       {[]llm.Message{user("q"), calls(call("a"), call("b")), results(llm.Result{ID: "b", Text: "2"}, llm.Result{ID: "a", Text: "1"})}, "system user assistant tool:a tool:b"},
		"L6 a call without its result": {[]llm.Message{user("q"), calls(call("a"), call("b")), results(llm.Result{ID: "a", Text: "1"})}, "system user assistant tool:a tool:b"},
		"L6 a call without any result": {[]llm.Message{user("q"), calls(call("a")), user("go on")}, "system user assistant tool:a user"},
		"L6 a result without its call": {[]llm.Message{user("q"), results(llm.Result{ID: "x", Text: "1"}), user("go on")}, "system user user"},
		"L6 a result twice":            {[]llm.Message{user("q"), calls(call("a")), results(llm.Result{ID: "a", Text: "1"}, llm.Result{ID: "a", Text: "2"})}, "system user assistant tool:a"},
		"L6 one id in two steps":       {[]llm.Message{user("q"), calls(call("a")), results(llm.Result{ID: "a", Text: "1"}), calls(call("a")), results(llm.Result{ID: "a", Text: "2"})}, "system user assistant tool:a assistant tool:a"},
		"results in two messages":      {[]llm.Message{user("q"), calls(call("a"), call("b")), results(llm.Result{ID: "a", Text: "1"}), results(llm.Result{ID: "b", Text: "2"})}, "system user assistant tool:a tool:b"},
		"a result that says nothing":   {[]llm.Message{user("q"), calls(call("a")), results(llm.Result{ID: "a"})}, "system user assistant tool:a"},
		"results and words":            {[]llm.Message{user("q"), calls(call("a")), {Role: llm.User, Text: "and?", Results: []llm.Result{{ID: "a", Text: "1"}}}}, "system user assistant tool:a user"},
		"an empty message":             {[]llm.Message{user("q"), {Role: llm.Assistant}, user(""), user("again")}, "system user user"},
		"L6 starts in the middle":      {[]llm.Message{results(llm.Result{ID: "a", Text: "1"}), user("q")}, "system user"},
		"starts with an answer":        {[]llm.Message{{Role: llm.Assistant, Text: "hello"}, user("q")}, "system assistant user | system user assistant user"},
		"an id of another's alphabet":  {[]llm.Message{user("q"), calls(call("functions.t:0")), results(llm.Result{ID: "functions.t:0", Text: "1"})}, "system user assistant tool:functions.t:0 | system user assistant tool:functions_t_0"},
		"a name that is none":          {[]llm.Message{user("q"), calls(llm.Call{ID: "a", Name: "functions.查询", Args: json.RawMessage(`{}`)}), results(llm.Result{ID: "a", Text: "no such tool", Failed: true})}, "system user assistant tool:a"},
		"words before the results":     {[]llm.Message{user("q"), calls(call("a")), user("go on from here"), results(llm.Result{ID: "a", Text: "1"})}, "system user assistant tool:a user"},
		"arguments that are no JSON":   {[]llm.Message{user("q"), calls(llm.Call{ID: "a", Name: "t", Args: json.RawMessage(`{"x`)}), results(llm.Result{ID: "a", Text: "1"})}, "system user assistant tool:a"},
	} {
		t.Run(name, func(t *testing.T) {
			m, heard := open(t, Step{Text: "ok"})
			if _, err := m.Generate(t.Context(), llm.Request{System: "s", Messages: c.messages}); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, msg := range heard()[0].Messages {
				if msg.ID != "" {
					// A vendor that takes an id once gets the second as a-2.
					msg.Role += ":" + regexp.MustCompile(`-2$`).ReplaceAllString(msg.ID, "")
				}
				got = append(got, msg.Role)
			}
			if s := strings.Join(got, " "); !slices.Contains(strings.Split(c.want, " | "), s) {
				t.Errorf("sent %s, want %s", s, c.want)
			}
		})
	}
	t.Run("a failed result says so", func(t *testing.T) {
		m, heard := open(t, Step{Text: "ok"})
		_, err := m.Generate(t.Context(), llm.Request{Messages: []llm.Message{user("q"), calls(call("a")), results(llm.Result{ID: "a", Text: "no such table", Failed: true})}})
		if err != nil {
			t.Fatal(err)
		}
		told := heard()[0].Messages
		last := told[len(told)-1]
		if !strings.Contains(last.Text, "no such table") || last.Text == "no such table" && !last.Failed {
			t.Errorf("tool message %+v", last)
		}
	})
}
