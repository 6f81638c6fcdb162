package decision_test

import (
	"encoding/json"
	"testing"

	"hermes/agent/decision"
	"hermes/agent/llm"
)

// L1, DEC-12: whatever family writes a call in its own marks, and however its server calls
// it, the call is made and nobody reads the marks.
func TestL1CallsInTheMarksOfAnyFamily(t *testing.T) {
	const args = `{"measure":"sales"}`
	for name, text := range map[string]string{
		"deepseek":      "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>query_metric\n```json\n" + args + "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
		"deepseek, new": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>query_metric<｜tool▁sep｜>" + args + "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
		"kimi":          "<|tool_calls_section_begin|><|tool_call_begin|>functions.query_metric:0<|tool_call_argument_begin|>" + args + "<|tool_call_end|><|tool_calls_section_end|>",
		"kimi, bare":    "functions.query_metric:0" + args,
		"mistral":       "[TOOL_CALLS]query_metric[ARGS]" + args,
		"mistral, list": `[TOOL_CALLS] [{"name":"query_metric","arguments":` + args + `}]`,
		"mistral, bare": "[TOOL_CALLS]query_metric" + args,
		"llama":         "<function=query_metric>" + args + "</function>",
		"qwen":          "✿FUNCTION✿: query_metric\n✿ARGS✿: " + args + "\n✿RESULT✿",
		"gpt-oss":       "<|start|>assistant<|channel|>commentary to=functions.query_metric<|message|>" + args + "<|call|>",
	} {
		for _, native := range []bool{true, false} {
			d, err := decision.Read(llm.Message{Role: llm.Assistant, Text: text}, decision.Options{Tools: []string{"query_metric", "make_report"}, Model: "far/model", Native: native})
			var got map[string]string
			if err != nil || len(d.Calls) != 1 || d.Calls[0].Name != "query_metric" || json.Unmarshal(d.Calls[0].Args, &got) != nil || got["measure"] != "sales" || d.Result != "" {
				t.Errorf("%s, native %v: %+v, %v", name, native, d, err)
			}
		}
	}
	for _, text := range []string{
		"Llama writes <function=other>{}</function> for a call.", "The list [TOOL_CALLS]other[ARGS]{} is how Mistral does it.", "functions.other:0 is a name.",
	} {
		d, err := decision.Read(llm.Message{Role: llm.Assistant, Text: text}, decision.Options{Tools: []string{"query_metric"}, Native: true})
		if err != nil || len(d.Calls) != 0 || d.Result != text {
			t.Errorf("%q = %+v, %v; want an answer in words", text, d, err)
		}
	}
}
