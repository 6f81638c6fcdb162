package agent

import (
	"strings"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
)

// ready does the next thing of a Run whose calls came with its Request; false where
// there is none. They stand where a model's first reply would, so guards, cards and
// the audit know no difference; once they have their results, the Run ends, unless
// somebody has said more to it.
func (a *Agent) ready(r run.Run) (run.Run, bool) {
	if r.Ready == nil || len(r.OpenCalls()) > 0 {
		return r, false
	}
	switch len(r.Steps) {
	case 0:
		said := llm.Message{Role: llm.Assistant, Calls: r.Ready.Calls}
		return r.Heard(llm.Reply{Message: said}, a.Now(), 0), true
	case 1:
		if r.Steers() {
			return r, false
		}
	default:
		return r, false
	}
	text := r.Ready.Words
	last, _ := r.Last()
	for _, res := range last.Results {
		if !res.Failed {
			continue
		}
		text = ""
		if res.Denied == "" && !res.Hidden { // who has said no, and who may not, is told beside what is undone
			text = strings.TrimSpace(res.Text)
		}
		break
	}
	return a.end(r, guard.Verdict{Guard: "finish", State: run.Done}, text), true
}
