package agent

import (
	"strings"
	"unicode"

	"hermes/agent/decision"
	"hermes/agent/llm"
	"hermes/agent/run"
)

// preamble is how much a model has written of what may be a call or a thought in text
// before it is shown as an answer: what looks like neither is shown at once.
const preamble = 160

// drafts returns what takes the pieces that a model writes, nil where nobody would see
// them: small talk is there at once, the slot of a schedule has no reader, and a
// decision in JSON is not for people.
func (a *Agent) drafts(r run.Run, m Member) func(string) {
	if a.Draft == nil || r.Light || r.Job != "" || m.Rules || m.Form != "" && m.Form != decision.Native {
		return nil
	}
	var text strings.Builder
	told, next, last := false, 0, "" // next is how long it is when it is shown again
	return func(piece string) {
		if piece == "" {
			text.Reset()
			if told {
				a.live.says(r.Key, "")
				a.Draft(r.Key, "")
			}
			told, next, last = false, 0, ""
			return
		}
		text.WriteString(llm.Legible(piece))
		so := text.String()
		if told = told || isDraft(so); !told {
			return
		}
		a.live.says(r.Key, so)
		if len(so) >= next && next <= longestDraft {
			next = len(so) + len(so)/64
			if so = inWords(so[:min(len(so), longestDraft)]); so != last {
				last = so
				a.Draft(r.Key, so)
			}
		}
	}
}

// longestDraft is how much of an answer anybody looks at while it is written, in bytes.
const longestDraft = 32 << 10

// isDraft reports whether what a model has written so far is an answer in words. Some
// write their calls and thoughts as text, in tags or JSON, behind a name or a heading;
// that is read when it is whole.
func isDraft(text string) bool {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	if text == "" || strings.ContainsRune("{[<`", rune(text[0])) {
		return false
	}
	switch head := strings.TrimSpace(text[:min(len(text), 2*preamble)]); {
	case len(inWords(head)) < len(head):
		return false
	case len(head) > preamble:
		return true
	}
	// One word says what it is: "Thought:", "look_up(…", "# intent".
	wide := 0
	for _, c := range text {
		switch {
		case unicode.IsSpace(c):
			return true
		case strings.ContainsRune("#:：(（_=", c):
			return false
		case c >= 0x2e80:
			if wide++; wide > 4 {
				return true
			}
		}
	}
	return false
}

// inWords is a text up to what may be a call or a thought in it.
func inWords(text string) string {
	for _, mark := range []string{"<think", "<tool_call", "\n{", "\n```json"} {
		text, _, _ = strings.Cut(text, mark)
		for n := min(len(mark)-1, len(text)); n > 0; n-- {
			if strings.HasSuffix(text, mark[:n]) { // perhaps it goes on so
				text = text[:len(text)-n]
				break
			}
		}
	}
	return strings.ToValidUTF8(text, "")
}
