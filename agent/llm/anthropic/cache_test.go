package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
)

// What is the same in every request is marked for the vendor's cache, and so is the
// end of the conversation, which the next step will say again.
func TestCache(t *testing.T) {
	marks := func(t *testing.T, r llm.Request) string {
		var in struct {
			Tools    []map[string]any
			System   []map[string]any
			Messages []struct{ Content []map[string]any }
		}
		if err := json.Unmarshal(body(t, r, nil), &in); err != nil {
			t.Fatal(err)
		}
		var marks []string
		note := func(what string, b map[string]any) {
			if b["cache_control"] != nil {
				marks = append(marks, what)
			}
		}
		for _, b := range in.Tools {
			note(b["name"].(string), b)
		}
		for _, b := range in.System {
			note("system:"+b["text"].(string), b)
		}
		for _, m := range in.Messages {
			for _, b := range m.Content {
				note(b["type"].(string), b)
			}
		}
		return strings.Join(marks, ", ")
	}
	task := func(fixed int, tools ...llm.Tool) llm.Request {
		return llm.Request{System: "Be 简.\n\nNow: 9:30", Fixed: fixed, Tools: tools, Messages: hello().Messages}
	}
	a, b := llm.Tool{Name: "a"}, llm.Tool{Name: "b"}
	fixed := len("Be 简.\n\n")
	for name, c := range map[string]struct {
		r    llm.Request
		want string
	}{
		"tools and a system prompt with a fixed part": {task(fixed, a, b), "b, system:Be 简.\n\n, text"},
		"nobody knows what is fixed":                  {task(0, a, b), "b, text"},
		"no tools":                                    {task(fixed), "system:Be 简.\n\n"},
		"all of the system prompt is fixed":           {task(len(task(0).System)), "system:" + task(0).System},
		"a fixed part that ends within a letter":      {task(4), ""},
		"one that is longer than all":                 {task(1000), ""},
		"neither":                                     {hello(), ""},
		"after calls":                                 {llmtest.Conversation(), "memory_list, system:You are Hermes.\n\nAnswer briefly.\n\n, tool_result"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := marks(t, c.r); got != c.want {
				t.Errorf("marked %q, want %q", got, c.want)
			}
		})
	}
	t.Run("the prefix is the same byte for byte", func(t *testing.T) {
		prefix := func(now string) string {
			r := llmtest.Conversation()
			r.System = r.System[:r.Fixed] + now
			all := string(body(t, r, nil))
			from, to := strings.Index(all, `"tools":`), strings.Index(all, now)
			if from < 0 || to < from {
				t.Fatalf("tools do not come before the system prompt: %s", all)
			}
			return all[from:to]
		}
		if one, two := prefix("It is Monday."), prefix("It is Tuesday."); one != two {
			t.Errorf("%s\n%s", one, two)
		}
	})
}
