package decision

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/internal/golden"
)

// conversation has all that can be in one.
func conversation() llm.Request {
	return llm.Request{
		System: "You are Hermes.\n\nNow: Monday.", Fixed: len("You are Hermes."),
		Messages: []llm.Message{
			{Role: llm.User, Text: "hello"},
			{Role: llm.Assistant, Text: "Hello! What can I do?"},
			{Role: llm.User, Text: "销售额 & refunds <now>"},
			{Role: llm.Assistant, Text: "thought, nothing else"},
			{Role: llm.User, Text: Repair(unreadable("there is no \"action\""), Nested)},
			{Role: llm.Assistant, Text: "need the figure", Calls: []llm.Call{
				{ID: "c1", Name: "query_metric", Args: json.RawMessage(`{"metric": "销售额", "filter": "a < b & c"}`)},
			}},
			{Role: llm.User, Results: []llm.Result{{ID: "c1", Text: `{"rows":[[5]]}`, Brief: "5", Mark: "from: figures", Note: "cut"}}},
			{Role: llm.Assistant, Text: "both", Calls: []llm.Call{
				{ID: "c2", Name: "query_metric", Args: json.RawMessage(`{"metric":"refunds"}`)},
				{ID: "c3", Name: "list_jobs", Args: json.RawMessage(`{}`)},
			}},
			{Role: llm.User, Results: []llm.Result{{ID: "c2", Text: "no such metric", Failed: true}, {ID: "c3", Text: "[]"}}},
		},
		Tools: []llm.Tool{
			{Name: "query_metric", Description: "Reads a figure.\nNot for text.", Schema: json.RawMessage("{\n  \"type\": \"object\",\n  \"properties\": {\"metric\": {\"type\": \"string\"}},\n  \"required\": [\"metric\"]\n}")},
			{Name: "list_jobs", Description: "Lists what is scheduled.\n"},
		},
		Stream: func(string) {},
	}
}

func written(r llm.Request) string {
	var b strings.Builder
	b.WriteString("system:\n" + r.System + "\n")
	for _, m := range r.Messages {
		b.WriteString("\n" + string(m.Role) + ":\n" + m.Text + "\n")
	}
	return b.String()
}

// What a model without tool calls of its own reads.
func TestPlain(t *testing.T) {
	for _, form := range []Form{Nested, Flat, Tagged} {
		t.Run(string(form), func(t *testing.T) {
			before := conversation()
			r := Plain(conversation(), form)
			got := written(r)
			golden.Check(t, string(form)+".golden", got)
			if r.Tools != nil || r.Stream != nil {
				t.Error("tools or a stream are left")
			}
			for _, m := range r.Messages {
				if len(m.Calls)+len(m.Results) > 0 || m.Text == "" {
					t.Errorf("a message that is no text: %+v", m)
				}
			}
			if !strings.HasPrefix(r.System, before.System[:before.Fixed]) || r.Fixed != before.Fixed {
				t.Errorf("what is the same for every request is not: %d bytes of %q", r.Fixed, r.System)
			}
			// DEC-16 A sample in JSON is there in the forms that are JSON.
			if sample := strings.Contains(r.System, `{"thought"`); sample != (form != Tagged) {
				t.Errorf("a sample in JSON is there: %v", sample)
			}
			if demand := strings.Contains(r.System, "one JSON object and nothing else"); demand != (form != Tagged) {
				t.Errorf("JSON alone is demanded: %v", demand)
			}
			// DEC-24 Nobody is invited to think at length.
			if strings.Contains(strings.ToLower(r.System), "step by step") {
				t.Error("it invites to think step by step")
			}
		})
	}
}

// A transcript in text says what happened: read again, it is the same calls.
func TestPlainCanBeReadAgain(t *testing.T) {
	before := conversation()
	for _, form := range []Form{Nested, Flat, Tagged} {
		r := Plain(conversation(), form)
		for i, m := range before.Messages {
			if len(m.Calls) == 0 {
				continue
			}
			d, err := Read(r.Messages[i], Options{Tools: []string{"query_metric", "list_jobs"}})
			if err != nil {
				t.Fatal(err)
			}
			want := Decision{Thought: m.Text, Form: form, Mended: form == Flat && len(m.Calls) > 1}
			for _, c := range m.Calls {
				want.Calls = append(want.Calls, call(c.Name, string(c.Args)))
			}
			if diff := cmp.Diff(want, d, sameArgs); diff != "" {
				t.Errorf("%s (-want +got):\n%s", form, diff)
			}
		}
		d, err := Read(r.Messages[1], Options{})
		if err != nil || !d.Finished || d.Result != before.Messages[1].Text {
			t.Errorf("%s: the answer is %+v, %v", form, d, err)
		}
	}
}

// Without tools nothing is said of a form; a model with calls of its own is told
// nothing new at all.
func TestPlainWithoutNeed(t *testing.T) {
	r := conversation()
	r.Tools = nil
	got := Plain(r, Nested)
	if got.System != r.System || got.Messages[1].Text != r.Messages[1].Text || got.Stream == nil {
		t.Errorf("without tools: %s", written(got))
	}
	for _, form := range []Form{Native, Text, Call, ""} {
		if got := Plain(conversation(), form); len(got.Tools) != 2 || got.System != r.System || len(got.Messages[5].Calls) != 1 {
			t.Errorf("%q changes the request", form)
		}
	}
	r = conversation()
	r.Fixed = 0
	if got := Plain(r, Nested); !strings.HasPrefix(got.System, r.System) || got.Fixed != 0 {
		t.Errorf("without a fixed part: %s", got.System)
	}
}
