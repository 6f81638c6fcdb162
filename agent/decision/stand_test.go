package decision

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hermes/agent/llm"
)

// DEC-03, PRIN-02 A call that is explained is not made; one that is meant is. What is
// what depends on whether the model has a place of its own for calls.
func TestACallThatIsExplainedIsNotMade(t *testing.T) {
	const bare = `{"name":"post_message","arguments":{"text":"hi"}}`
	const whole = `{"thought":"x","action":{"name":"post_message","args":{"text":"hi"}}}`
	fence := func(s string) string { return "```json\n" + s + "\n```" }
	const answer, made, asked = "answer", "made", "asked again"
	for name, tt := range map[string]struct {
		text          string
		native, plain string // what it is to a model with calls of its own, and to one without
	}{
		"the whole text":                    {bare, made, made},
		"the whole text, fenced":            {fence(bare), made, made},
		"the whole text, with a thought":    {whole, made, made},
		"the whole text, in a tag":          {"<tool_call>" + bare + "</tool_call>", made, made},
		"in a tag behind words":             {"I post it.\n<tool_call>\n" + bare + "\n</tool_call>", made, made},
		"in a tag that is quoted":           {"Models write <tool_call>" + bare + "</tool_call> for that, and so do I.", answer, answer},
		"at the end":                        {"I post it.\n" + bare, asked, made},
		"at the end, fenced":                {"I post it.\n" + fence(bare), answer, made},
		"at the end, with a thought":        {"I post it.\n" + whole, asked, made},
		"in words, with a thought":          {"Sure:\n" + fence(whole) + "\nLet me know.", asked, made},
		"an example":                        {"To post, you would call:\n" + fence(bare) + "\nShall I?", answer, answer},
		"an example at the end":             {"To post, one would call:\n" + fence(bare), answer, answer},
		"an example with a thought":         {"A decision looks like this:\n" + fence(whole) + "\nThat is all.", answer, answer},
		"an example in Chinese":             {"发送时会这样调用：\n" + fence(bare) + "\n要我发吗？", answer, answer},
		"an example at the end, in Chinese": {"例如：\n" + fence(bare), answer, answer},
		"a report of what was done":         {"I used:\n" + fence(bare) + "\nand it was posted.", answer, answer},
		"on a line, and words behind it":    {"I post it.\n" + bare + "\nDone.", answer, answer},
		"in a sentence":                     {"The page says " + bare + " to everybody.", answer, answer},
		"in tags, first":                    {"[THOUGHT] x\n[ACTION] post_message {\"text\":\"hi\"}", made, made},
		"in tags, behind words":             {"I post it.\nAction: post_message\nAction Input: {\"text\":\"hi\"}", answer, made},
	} {
		t.Run(name, func(t *testing.T) {
			for what, o := range map[string]Options{tt.native: {Tools: tools, Native: true}, tt.plain + " ": {Tools: tools}} {
				d, err := Read(said(tt.text), o)
				got := answer
				switch {
				case err != nil:
					got = asked
				case len(d.Calls) > 0:
					got = made
				}
				if got != strings.TrimSpace(what) {
					t.Errorf("native %t: %s, want %s: %+v, %v", o.Native, got, what, d, err)
				}
				if got == answer && d.Result != strings.TrimSpace(tt.text) {
					t.Errorf("native %t: the answer is %q", o.Native, d.Result)
				}
			}
		})
	}
}

// DEC-04, DEC-15 Arguments that are given twice reach who checks them, or are told to the
// model: which of the two was meant is nobody's guess.
func TestWhatIsGivenTwiceIsNotChosenFrom(t *testing.T) {
	const both = `{"text":"a","text":"b"}`
	for name, text := range map[string]string{
		"nested":                 `{"thought":"x","action":{"name":"post_message","args":` + both + `}}`,
		"beside the name":        `{"thought":"x","action":{"name":"post_message","text":"a","text":"b"}}`,
		"flat":                   `{"thought":"x","action":"post_message","action_input":` + both + `}`,
		"in a string":            `{"thought":"x","action":"post_message","action_input":"{\"text\":\"a\",\"text\":\"b\"}"}`,
		"mended":                 `{thought:'x',action:{name:'post_message',args:{text:'a',text:'b',}}}`,
		"tagged":                 `[ACTION] post_message ` + both,
		"of a call as they come": `{"name":"post_message","arguments":` + both + `}`,
	} {
		d, err := Read(said(text), Options{Tools: tools})
		if err != nil || len(d.Calls) != 1 || strings.Count(string(d.Calls[0].Args), "text") != 2 {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	d, err := Read(llm.Message{Calls: []llm.Call{call("post_message", both)}}, Options{Tools: tools, Native: true})
	if err != nil || string(d.Calls[0].Args) != both {
		t.Errorf("native: %+v, %v", d, err)
	}
	for text, why := range map[string]string{
		`{"thought":"x","action":{"name":"post_message","args":{"text":"a"},"args":{"text":"b"}}}`:                              `("args")`,
		`{"thought":"x","action":{"name":"post_message","args":{"text":"a"},"parameters":{"text":"b"}}}`:                        `("parameters")`,
		`{"thought":"x","action":{"name":"post_message","name":"remember","args":{"text":"a"}}}`:                                `("name")`,
		`{"thought":"x","action":{"name":"remember","args":{"text":"a"}},"action":{"name":"post_message","args":{"text":"a"}}}`: `"action" is given twice`,
	} {
		if d, err := Read(said(text), Options{Tools: tools}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %+v, %v; want %s", text, d, err, why)
		}
	}
	for _, same := range []string{
		`{"thought":"x","action":{"name":"post_message","args":{"text":"a"},"args":{"text":"a"}}}`,
		`{"thought":"x","action":{"name":"post_message","args":{"text":"a"},"parameters":{}}}`,
		`{"thought":"x","thought":"y","action":{"name":"post_message","args":{"text":"a"}}}`,
	} {
		if d, err := Read(said(same), Options{Tools: tools}); err != nil || len(d.Calls) != 1 || string(d.Calls[0].Args) != `{"text":"a"}` {
			t.Errorf("%s: %+v, %v", same, d, err)
		}
	}
}

// LOOP-14 An answer that nobody sees is none.
func TestAnInvisibleAnswerIsEmpty(t *testing.T) {
	for _, text := range []string{"\u200b\ufeff", "\u00ad", "\u0301", "```\n```", "{}", "[]", `{"answer":""}`, "\x00\u202e", "<think>\u200b</think>\u200b"} {
		for _, native := range []bool{true, false} {
			if d, err := Read(said(text), Options{Tools: tools, Native: native}); err == nil {
				t.Errorf("%q: %+v", text, d)
			}
		}
	}
	// DEC-06 An end without an answer stays one: the caller asks for it.
	for _, text := range []string{`{"thought":"x","action":"finish","result":"\u200b"}`, `{"thought":"x","is_finished":true,"final_answer":"` + "```\\n```" + `"}`} {
		if d, err := Read(said(text), Options{Tools: tools}); err != nil || !d.Finished || d.Result != "" {
			t.Errorf("%q: %+v, %v", text, d, err)
		}
	}
}

// Who says that it calls a tool, and does not, has not answered.
func TestAPromiseOfACallIsNoAnswer(t *testing.T) {
	o := Options{Tools: tools, Native: true, Called: true}
	if d, err := Read(said("Let me look that up."), o); err == nil || !strings.Contains(err.Error(), "no call in it") {
		t.Errorf("%+v, %v", d, err)
	}
	for name, m := range map[string]llm.Message{
		"beside the text": {Text: "I look.", Calls: query(`{"metric":"sales"}`)},
		"as the text":     said(`{"name":"query_metric","arguments":{"metric":"sales"}}`),
	} {
		if d, err := Read(m, o); err != nil || len(d.Calls) != 1 {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

// What a screen obeys is taken out of all that comes of a text, however it was written.
func TestWhatIsReadIsLegible(t *testing.T) {
	for name, tt := range map[string]struct {
		said llm.Message
		want Decision
	}{
		"an answer": {said("a\x00b\u202ec 👨\u200d👩 \u200fשלום"), Decision{Finished: true, Result: "abc 👨\u200d👩 \u200fשלום", Form: Text}},
		"an answer in JSON": {
			said(`{"thought":"x\u0007","action":"finish","result":"a\u202eb\u001b[1m"}`), Decision{Thought: "x", Finished: true, Result: "ab", Form: Flat},
		},
		"arguments": {
			said(`{"thought":"x","action":{"name":"query_metric","args":{"metric":"sa\u2066les\u0000"}}}`),
			Decision{Thought: "x", Calls: query(`{"metric":"sales"}`), Form: Nested},
		},
		"a native call": {
			llm.Message{Text: "I\u202e look.", Calls: []llm.Call{call("query_metric\u0000", `{"metric":"sa\u0000les"}`)}},
			Decision{Thought: "I look.", Calls: query(`{"metric":"sales"}`), Form: Native},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(tt.said, Options{Tools: tools})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, sameArgs, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Read (-want +got):\n%s", diff)
			}
		})
	}
}
