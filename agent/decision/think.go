package decision

import (
	"regexp"
	"strings"
)

// asideTag are the tags in which models think aloud before they answer.
var asideTag = regexp.MustCompile(`(?i)<(/?)(think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|思考)>`)

// aside parts what a model thought aloud from its answer. A thought that never
// ends leaves no answer. What stands after the first bracket is no thought: it may
// be the text of a string. An end without a beginning ends a thought that the
// prompt had begun.
func aside(text string) (thought, answer string) {
	var thoughts, kept []string
	rest := text
	for {
		at := asideTag.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		head, tag := rest[:at[0]], rest[at[4]:at[5]]
		closing := at[3] > at[2]
		if bracketed := strings.ContainsAny(head, "{["); bracketed && !closing || closing && begun(head) {
			break
		}
		rest = rest[at[1]:]
		if closing {
			thoughts, kept = append(thoughts, append(kept, head)...), nil
			continue
		}
		kept = append(kept, head)
		end := closeAside(rest, tag)
		if end == nil {
			thoughts, rest = append(thoughts, rest), ""
			break
		}
		thoughts, rest = append(thoughts, rest[:end[0]]), rest[end[1]:]
	}
	if len(thoughts) == 0 {
		return "", text
	}
	return strings.TrimSpace(strings.Join(thoughts, "\n")), strings.TrimSpace(strings.Join(append(kept, rest), ""))
}

// begun reports whether an answer has begun in what stands before the end of a
// thought.
func begun(head string) bool {
	head = strings.TrimLeftFunc(head, space)
	return strings.HasPrefix(head, "{") || strings.HasPrefix(head, "[{") || strings.HasPrefix(head, "```")
}

// closeAside finds the tag that closes a thought, and what comes before it.
func closeAside(s, tag string) []int {
	for from := 0; ; {
		at := asideTag.FindStringSubmatchIndex(s[from:])
		if at == nil {
			return nil
		}
		if at[3] > at[2] && strings.EqualFold(s[from+at[4]:from+at[5]], tag) {
			return []int{from + at[0], from + at[1]}
		}
		from += at[1]
	}
}
