package decision

import (
	"errors"
	"strings"
	"testing"
)

// What is meant as a decision and is none is told to the model, with a sample.
func TestReadUnreadable(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		why  string // part of it
	}{
		"DEC-02 reasoning in the action":             {`{"thought":"","action":"I should call query_metric to see the sales","is_finished":false}`, "more than the name of one tool"},
		"DEC-02 reasoning in a nested action":        {`{"thought":"","action":{"name":"first look, then decide what to do","args":{}}}`, "more than the name of one tool"},
		"DEC-02 reasoning in Chinese":                {`{"thought":"","action":"先查销售额，再决定"}`, "more than the name of one tool"},
		"DEC-02 reasoning in a tag":                  {"[THOUGHT] x\n[ACTION] query_metric would tell me the sales", "more than a tool and its arguments"},
		"DEC-05 neither action nor end":              {`{"thought":"x","action_input":{},"is_finished":false}`, `no "action"`},
		"DEC-05 an empty action":                     {`{"thought":"x","action":"","is_finished":false}`, `no "action"`},
		"DEC-05 a thought alone":                     {`{"thought":"x"}`, `no "action"`},
		"an action without a name":                   {`{"thought":"x","action":{"args":{"metric":"sales"}}}`, "names no tool"},
		"OBS-11 candidates without a choice":         {`{"thought":"x","candidates":[{"name":"ask","weight":1}]}`, "chosen"},
		"LOOP-14 nothing":                            {"", "empty"},
		"nothing but reasoning":                      {"<think>I wonder", "reasoning"},
		"DEC-24 an intent without a call":            {"# intent: need the figure", "calls no tool"},
		"DEC-12 nothing to scrape":                   {`{"thought": {"action": [`, "no \"action\""},
		"tags without an action":                     {"[THOUGHT] I will look into it", "neither an action nor an end"},
		"LOOP-14 marks of a chat template":           {"}}{{\"][ <|im_start|> {\"action\": [[[", "chat template"},
		"LOOP-14 a piece of a decision in words":     {"Let me see, {\"action\": the sales", "pieces of JSON"},
		"too deep":                                   {strings.Repeat("[", 500), "too deep"},
		"a tag that holds JSON without a tool in it": {"[THOUGHT] x\n[ACTION] {\"metric\": \"sales\"}", "name a tool"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Read(said(tt.text), Options{Tools: tools})
			var unreadable *UnreadableError
			if !errors.Is(err, ErrUnreadable) || !errors.As(err, &unreadable) {
				t.Fatalf("Read = %+v, %v; want an UnreadableError", d, err)
			}
			if !strings.Contains(unreadable.Why, tt.why) {
				t.Errorf("why = %q, want %q in it", unreadable.Why, tt.why)
			}
			// DEC-14 what the model is told says what is wrong and how it should be.
			for form, sample := range map[Form]string{Nested: `"action": {"name"`, Flat: `"action_input"`, Tagged: "[ACTION]", Native: "call a tool"} {
				if text := Repair(err, form); !strings.Contains(text, unreadable.Why) || !strings.Contains(text, sample) {
					t.Errorf("%s: %q", form, text)
				}
			}
		})
	}
}

// DEC-14 The sample that a model is shown can be read.
func TestRepairShowsWhatCanBeRead(t *testing.T) {
	for _, form := range []Form{Nested, Flat, Tagged} {
		for what, text := range map[string]string{"call": sample(form), "end": end(form)} {
			d, err := Read(said(text), Options{Tools: []string{"tool_name"}})
			if err != nil || d.Form != form || d.Mended || (what == "call") != (len(d.Calls) == 1) || (what == "end") != (d.Result == "the whole answer") {
				t.Errorf("%s %s: %+v, %v", form, what, d, err)
			}
		}
	}
}
