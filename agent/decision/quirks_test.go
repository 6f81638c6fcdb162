package decision

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// DEC-13 Arguments are found under all the usual names, and under those of the
// configuration.
func TestReadAliases(t *testing.T) {
	want := query(`{"metric":"sales"}`)
	shapes := []string{
		`{"thought":"x","action":{"name":"query_metric","%s":{"metric":"sales"}}}`,
		`{"thought":"x","action":"query_metric","%s":{"metric":"sales"}}`,
		`{"name":"query_metric","%s":{"metric":"sales"}}`,
		`{"tool_calls":[{"function":{"name":"query_metric","%s":{"metric":"sales"}}}]}`,
	}
	for _, shape := range shapes {
		for _, alias := range append(DefaultAliases(), "ARGS", "actionInput", "参数") {
			d, err := Read(said(fmt.Sprintf(shape, alias)), Options{Tools: tools})
			if diff := cmp.Diff(want, d.Calls, sameArgs); err != nil || diff != "" {
				t.Errorf("%s in %s: %v\n%s", alias, shape, err, diff)
			}
		}
		d, err := Read(said(fmt.Sprintf(shape, "payload")), Options{Aliases: []string{"payload"}, Tools: tools})
		if diff := cmp.Diff(want, d.Calls, sameArgs); err != nil || diff != "" {
			t.Errorf("payload in %s: %v\n%s", shape, err, diff)
		}
	}
}

// DEC-27 Two models with habits of their own both pass the corpus.
func TestReadQuirks(t *testing.T) {
	key := regexp.MustCompile(`\b(args|arguments|action_input)\b`)
	for model, q := range map[string]Quirks{
		"a": {Aliases: []string{"tool_args"}},
		"b": {Aliases: []string{"given"}, Names: []string{"use"}, Finish: []string{"over"}},
	} {
		with, without, all := 0, 0, 0
		for _, s := range corpus(t) {
			if s.want[0] == "text" || s.want[0] == "error" || !key.MatchString(s.text) || strings.Contains(s.name, "ReAct") {
				continue
			}
			all++
			s.text = key.ReplaceAllString(s.text, q.Aliases[0])
			for _, name := range q.Finish {
				s.text = strings.ReplaceAll(s.text, `"finish"`, `"`+name+`"`)
			}
			for _, name := range q.Names {
				s.text = strings.ReplaceAll(s.text, `"name": "`, `"`+name+`": "`)
			}
			if d, err := Read(said(s.text), Options{Tools: tools, Quirks: q}); s.understood(t, d, err) {
				with++
			} else {
				t.Logf("%s: %s: %+v %v", model, s.name, d, err)
			}
			if d, err := Read(said(s.text), Options{Tools: tools}); s.understood(t, d, err) {
				without++
			}
		}
		if float64(with) < 0.95*float64(all) || without > all/2 {
			t.Errorf("model %s: %d of %d understood, %d without its quirks", model, with, all, without)
		}
	}
}

// DEC-27 Calls that a server left in the text, in the marks of each family.
func TestReadMarks(t *testing.T) {
	want := query(`{"metric":"sales"}`)
	for model, text := range map[string]string{
		"vendor/DeepSeek-V3":    "Let me see.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>query_metric\n```json\n{\"metric\": \"sales\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
		"deepseek-v3.1":         "<｜tool▁call▁begin｜>query_metric<｜tool▁sep｜>{\"metric\": \"sales\"}<｜tool▁call▁end｜>",
		"moonshot/kimi-k2":      "<|tool_calls_section_begin|><|tool_call_begin|>functions.query_metric:0<|tool_call_argument_begin|>{\"metric\": \"sales\"}<|tool_call_end|>",
		"llama-3.1-8b-instruct": `<function=query_metric>{"metric": "sales"}</function>`,
		"mistral-small":         `[TOOL_CALLS]query_metric[ARGS]{"metric": "sales"}`,
		"openai/gpt-oss-20b":    `<|channel|>commentary to=functions.query_metric <|constrain|>json<|message|>{"metric": "sales"}<|call|>`,
		"qwen2-7b":              "✿FUNCTION✿: query_metric\n✿ARGS✿: {'metric': 'sales'}\n✿RESULT✿: 5",
		"command-r":             "Action: ```json\n[{\"tool_name\": \"query_metric\", \"parameters\": {\"metric\": \"sales\"}}]\n```",
		"yi-34b":                `{"tool": "query_metric", "tool_input": {"metric": "sales"}}`,
		"nobody-knows":          `<tool_call>{"name": "query_metric", "arguments": {"metric": "sales"}}</tool_call>`,
	} {
		t.Run(model, func(t *testing.T) {
			d, err := Read(said(text), Options{Tools: tools, Model: model})
			if diff := cmp.Diff(want, d.Calls, sameArgs); err != nil || diff != "" || d.Finished {
				t.Errorf("%+v %v\n%s", d, err, diff)
			}
		})
	}
}
