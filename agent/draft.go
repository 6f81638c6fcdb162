package agent

import (
	"strings"

	"hermes/agent/decision"
	"hermes/agent/llm"
	"hermes/agent/run"
)

// preamble is how many bytes a model writes before a tool call, as a rule: what is no
// longer is not shown as an answer.
const preamble = 160

// drafts returns what takes the pieces that a model writes, nil where nobody would see
// them: small talk is there at once, the slot of a schedule has no reader, and a
// decision in JSON is not for people.
func (a *Agent) drafts(r run.Run, m Member) func(string) {
	if a.Draft == nil || r.Light || r.Job != "" || m.Rules || m.Form != "" && m.Form != decision.Native {
		return nil
	}
	var text strings.Builder
	told := false
	show := func(so string) {
		a.live.says(r.Key, so)
		a.Draft(r.Key, so)
	}
	return func(piece string) {
		if piece == "" {
			text.Reset()
			if told {
				show("")
			}
			told = false
			return
		}
		text.WriteString(llm.Legible(piece))
		if so := text.String(); told || isDraft(so) {
			told = true
			show(so)
		}
	}
}

// isDraft reports whether what a model has written so far is an answer in words. Some
// write their calls and thoughts as text, in tags or JSON; that is read when it is whole.
func isDraft(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) > preamble && !strings.ContainsRune("{[<`", rune(text[0])) &&
		!strings.Contains(text, "<think") && !strings.Contains(text, "<tool_call")
}
