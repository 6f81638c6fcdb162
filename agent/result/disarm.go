package result

import (
	"regexp"
	"strings"
)

// Clean is text from outside as a model may read it: valid, without what is hidden,
// without the signs by which this program speaks, and without what a chat template
// takes for the border of a message.
func Clean(s string) string { return disarm(clean(s)) }

// borders are how chat templates and tokenizers write that somebody else speaks now, or
// that a tool is called: ChatML and Llama 3, Llama 2 and Mistral, Gemma, DeepSeek with
// its own bars, Qwen, the tags of calls and thoughts, and our own form in tags. JSON may
// write < as \u003c.
var borders = regexp.MustCompile(`(?i)(?:<|\\u003c)[|｜]` +
	`|(?:<|\\u003c)/?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn|tool_calls?|tool_response|tool_code|tools|function|function_calls?|function_results?|invoke|parameter|think|thinking|system|user|assistant|human)(?:[= ][^<>\n\\]{0,64})?(?:>|\\u003e)` +
	`|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|ARGS|THOUGHT|ACTION|OBSERVATION|FINISH)\]|✿[A-Z]+✿`)

// turns are lines that pass for the next turn of a conversation in plain text.
var turns = regexp.MustCompile(`(?m)^([ \t>*#]*(?:System|SYSTEM|Assistant|ASSISTANT|Human|HUMAN|User|USER|Developer|DEVELOPER)[ \t*]*)(:|：)`)

// disarm takes the first sign of each border, and the colon of each turn, for another
// that no tokenizer knows. The text can be read as before and is never longer.
func disarm(s string) string {
	if strings.ContainsAny(s, "<[✿") || strings.Contains(s, `\u003`) {
		s = borders.ReplaceAllStringFunc(s, func(m string) string {
			for _, first := range []string{`\u003c`, `\u003C`, "<", "[", "✿"} {
				if rest, ok := strings.CutPrefix(m, first); ok {
					return "(" + rest
				}
			}
			return m
		})
	}
	if strings.ContainsAny(s, ":：") {
		s = turns.ReplaceAllStringFunc(s, func(m string) string {
			if head, ok := strings.CutSuffix(m, "："); ok {
				return head + "；"
			}
			return strings.TrimSuffix(m, ":") + ";"
		})
	}
	return s
}
