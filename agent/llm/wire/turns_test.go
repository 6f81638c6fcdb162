package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/agent/llm"
	"hermes/agent/llm/wire"
)

// Whatever a run holds, each turn says something, each call has one result that says
// something, and all that people have said is there, in its order.
func TestTurnsOfAnyRunL6(t *testing.T) {
	id := rapid.SampledFrom([]string{"a", "b", "c", ""})
	text := rapid.SampledFrom([]string{"", " ", "words", "上个月"})
	message := rapid.Custom(func(t *rapid.T) llm.Message {
		m := llm.Message{Role: llm.User, Text: text.Draw(t, "text")}
		if rapid.Bool().Draw(t, "assistant") {
			m.Role = llm.Assistant
			for range rapid.IntRange(0, 3).Draw(t, "calls") {
				m.Calls = append(m.Calls, llm.Call{ID: id.Draw(t, "id"), Name: "t.x", Args: json.RawMessage(rapid.SampledFrom([]string{"", "{}", `{"a":`, "[1]", `"x"`}).Draw(t, "args"))})
			}
			return m
		}
		for range rapid.IntRange(0, 3).Draw(t, "results") {
			m.Results = append(m.Results, llm.Result{ID: id.Draw(t, "id"), Text: text.Draw(t, "said"), Failed: rapid.Bool().Draw(t, "failed")})
		}
		return m
	})
	rapid.Check(t, func(t *rapid.T) {
		messages := rapid.SliceOfN(message, 0, 8).Draw(t, "messages")
		var said, calls, heard, asked int
		for _, m := range messages {
			if strings.TrimSpace(m.Text) != "" {
				said++
			}
			calls += len(m.Calls)
		}
		for _, turn := range wire.Turns(messages) {
			if turn.Text != "" {
				heard++
			}
			if strings.TrimSpace(turn.Text) == "" && len(turn.Calls) == 0 {
				t.Errorf("a turn says nothing: %+v", turn)
			}
			if turn.Role != llm.Assistant && len(turn.Calls) > 0 {
				t.Errorf("a user calls: %+v", turn)
			}
			for _, c := range turn.Calls {
				asked++
				if strings.TrimSpace(c.Result) == "" || !wire.Object(string(c.Args)) || c.Name != "t_x" {
					t.Errorf("call %+v", c)
				}
			}
		}
		if heard != said || asked != calls {
			t.Errorf("%d texts and %d calls of %d and %d", heard, asked, said, calls)
		}
	})
}

// A call has the result that was given first, as prose is read, and one that was
// interrupted says so.
func TestResultsOfTurnsL6(t *testing.T) {
	turns := wire.Turns([]llm.Message{
		{Role: llm.Assistant, Calls: []llm.Call{{ID: "a", Name: "t"}, {ID: "b", Name: "t"}, {ID: "c", Name: "t"}}},
		{Role: llm.User, Results: []llm.Result{{ID: "a", Text: "one, long", Brief: "one", Mark: "[t a]"}, {ID: "a", Text: "two"}}},
		{Role: llm.User, Results: []llm.Result{{ID: "b", Failed: true}}},
		{Role: llm.Assistant, Text: "well"},
		{Role: llm.User, Results: []llm.Result{{ID: "c", Text: "too late"}}},
	})
	var got []string
	for _, c := range turns[0].Calls {
		got = append(got, fmt.Sprint(c.ID, ": ", c.Result, ", ", c.Failed))
	}
	want := []string{"a: [t a]\none, false", "b: (no output), true", "c: there is no result of this call; it was interrupted, true"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("results (-want +got):\n%s", d)
	}
}

func TestCalls(t *testing.T) {
	before := []llm.Message{{Role: llm.Assistant, Calls: []llm.Call{{ID: "call_0"}}}}
	for name, c := range map[string]struct {
		wishes []wire.Wish
		want   string
	}{
		"as they are":                        {[]wire.Wish{{ID: "a", Name: "t", Args: `{"n":1}`}, {ID: "b", Name: "t"}}, `a {"n":1}, b {}`},
		"L13 one call twice":                 {[]wire.Wish{{ID: "a", Name: "t", Args: `{"n":1}`}, {ID: "a", Name: "t", Args: `{"n":1}`}}, `a {"n":1}`},
		"one id for two calls":               {[]wire.Wish{{ID: "a", Name: "t", Args: `{"n":1}`}, {ID: "a", Name: "t", Args: `{"n":2}`}}, `a {"n":1}, a-2 {"n":2}`},
		"no ids, and alike":                  {[]wire.Wish{{Name: "t"}, {Name: "t"}}, `call {}, call-2 {}`},
		"L13 an id that was there before":    {[]wire.Wish{{ID: "call_0", Name: "t"}, {ID: "call_0-2", Name: "u"}}, `call_0-2 {}, call_0-2-2 {}`},
		"arguments that were not written":    {[]wire.Wish{{ID: "a", Name: "t", Cut: true}}, `a {"$unreadable":" … (cut off: the answer reached its limit of tokens)"}`},
		"long arguments that cannot be read": {[]wire.Wish{{ID: "a", Name: "t", Args: strings.Repeat("长", 5000)}}, `a {"$unreadable":"` + strings.Repeat("长", 666) + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			calls, err := wire.Calls(c.wishes, before)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, call := range calls {
				got = append(got, call.ID+" "+string(call.Args))
			}
			if d := cmp.Diff(c.want, strings.Join(got, ", ")); d != "" {
				t.Error(d)
			}
		})
	}
	t.Run("a call without a name is none", func(t *testing.T) {
		if calls, err := wire.Calls([]wire.Wish{{ID: "a"}}, nil); !errors.Is(err, llm.ErrGarbled) || calls != nil {
			t.Errorf("calls %+v, %v", calls, err)
		}
	})
}

// A thought is that of one model.
func TestThought(t *testing.T) {
	raw, err := wire.Thought("openai/a", "hm")
	if err != nil {
		t.Fatal(err)
	}
	var got string
	if !wire.Recall("openai/a", raw, &got) || got != "hm" {
		t.Errorf("recalled %q", got)
	}
	got = ""
	for _, bad := range []json.RawMessage{nil, json.RawMessage(`{}`), json.RawMessage(`"hm"`), json.RawMessage(`{"by":"openai/a","is":[1]}`)} {
		if wire.Recall("openai/a", bad, &got) {
			t.Errorf("recalled %q of %s", got, bad)
		}
	}
	if wire.Recall("openai/b", raw, &got) || got != "" {
		t.Errorf("another recalled %q", got)
	}
}
