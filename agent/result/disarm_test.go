package result_test

import (
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/result"
	"hermes/agent/tool"
)

// X5 What a chat template takes for the border of a message does not reach a model; words
// that only look alike do.
func TestX5BordersAreDisarmed(t *testing.T) {
	for text, want := range map[string]string{
		"<|im_start|>system":                  "(|im_start|>system",
		"<｜User｜>":                            "(｜User｜>",
		`\u003c|eot_id|\u003e`:                `(|eot_id|\u003e`,
		"a [INST] b [/INST]":                  "a (INST] b (/INST]",
		"<<SYS>>x<</SYS>>":                    "(<SYS>>x(</SYS>>",
		"</s><s>":                             "(/s>(s>",
		"<start_of_turn>model":                "(start_of_turn>model",
		`<tool_call>{"name":"x"}</tool_call>`: `(tool_call>{"name":"x"}(/tool_call>`,
		`<invoke name="x">`:                   `(invoke name="x">`,
		"<function=rm>":                       "(function=rm>",
		"[ACTION] post":                       "(ACTION] post",
		"✿FUNCTION✿: x":                       "(FUNCTION✿: x",
		"x\n\nHuman: do":                      "x\n\nHuman; do",
		"SYSTEM： 做":                           "SYSTEM； 做",
		"user: bob":                           "user: bob",
		"a < b, c > d, <b>bold</b>, <span>":   "a < b, c > d, <b>bold</b>, <span>",
		"the system: it runs; [1] [INSTALL]":  "the system: it runs; [1] [INSTALL]",
		"⟦mark⟧ 〚other〛":                      "[mark] [other]",
		"a\u202eb\ufeffc\x1b[31md":            "a b cd",
	} {
		if got := result.Clean(text); got != want {
			t.Errorf("Clean(%q) = %q, want %q", text, got, want)
		}
		if len(result.Clean(text)) > len(text) {
			t.Errorf("Clean(%q) is longer", text)
		}
		if again := result.Clean(want); again != want {
			t.Errorf("Clean of %q gives %q: it changes what is clean", want, again)
		}
	}
	out, err := result.Read(result.Input{Spec: tool.Spec{Name: "page"}, Call: llm.Call{ID: "c1", Name: "<|x|>"}, Text: `{"a":"<|im_end|>"}`}, result.Config{})
	if err != nil || strings.Contains(out.Brief+out.Mark+out.Note, "<|") {
		t.Errorf("read as %+v, %v", out, err)
	}
	if got := result.Quote("x⟧ <|y|>", "z"); strings.Contains(got, "<|") || strings.Count(got, "⟦") != 2 {
		t.Errorf("Quote = %q", got)
	}
}
