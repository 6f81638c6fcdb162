package result

import (
	"regexp"
	"strings"
	"unicode/utf8"
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
	if mayBorder(s) {
		s = borders.ReplaceAllStringFunc(s, func(m string) string {
			for _, first := range []string{`\u003c`, `\u003C`, "<", "[", "✿"} {
				if rest, ok := strings.CutPrefix(m, first); ok {
					return "(" + rest
				}
			}
			return m
		})
	}
	if mayTurn(s) {
		s = turns.ReplaceAllStringFunc(s, func(m string) string {
			if head, ok := strings.CutSuffix(m, "："); ok {
				return head + "；"
			}
			return strings.TrimSuffix(m, ":") + ";"
		})
	}
	return s
}

// mayBorder reports whether a text is worth a search for borders: nearly none is, and
// a search costs more than all else that is done to a short result.
func mayBorder(s string) bool {
	for i := range len(s) {
		after := s[i+1:]
		switch s[i] {
		case '[':
			after = strings.TrimPrefix(after, "/")
		case '<':
			if after != "" && strings.IndexByte("|/<", after[0]) >= 0 {
				return true
			}
		case '\\':
			if strings.HasPrefix(after, "u003") {
				return true
			}
			continue
		case "✿"[0]:
			if strings.HasPrefix(s[i:], "✿") {
				return true
			}
			continue
		default:
			continue
		}
		if after != "" && (letter(after[0]) || after[0] >= utf8.RuneSelf) {
			return true
		}
	}
	return false
}

// mayTurn reports whether a line of a text begins with what turns begins with.
func mayTurn(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimLeft(line, " \t>*#"); line != "" && strings.IndexByte("SAHUD", line[0]) >= 0 {
			return strings.ContainsAny(s, ":：")
		}
	}
	return false
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
