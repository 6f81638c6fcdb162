package bot

import (
	"strings"

	"hermes/agent/run"
)

// longestTitle is how much of what was asked for is the title of a Plan.
const longestTitle = 100

// planOf is what a Run does, as tasks: its calls so far. Its title is what was asked
// for, and in the end also how that went.
func planOf(w *wording, r run.Run, head string) *Plan {
	title := []rune(strings.Join(strings.Fields(r.Text), " "))
	if len(title) > longestTitle {
		title = append(title[:longestTitle], '…')
	}
	p := Plan{Title: string(title), Over: r.Ended()}
	if p.Over || r.State == run.Waiting || r.Rehearse || p.Title == "" {
		p.Title = w.brief(r, head) + strings.TrimSuffix(w.colon+p.Title, w.colon)
	}
	if r.Others > 0 {
		p.Title += " · " + w.together(r.Others)
	}
	for _, s := range r.Steps {
		for _, c := range s.Reply.Message.Calls {
			p.Tasks = append(p.Tasks, Task{ID: c.ID, Title: oneLine.Replace(w.step(c.Name, c.Args)), State: stateOf(r, s, c.ID)})
		}
	}
	return &p
}

// brief is how a Run stands in a word or two, before what it is about. Of one that has
// ended without its answer the head is a sentence, or more.
func (w *wording) brief(r run.Run, head string) string {
	if !r.Ended() || r.Outcome.Why == "" {
		return head
	}
	text := upper(w.statuses[run.StatusOf(r.State, r.Outcome.Why)])
	if r.Rehearse {
		text = w.rehearsal + text
	}
	return text
}

// stateOf is how far a call is. What waits for a decision has not begun, and what was
// not allowed never will.
func stateOf(r run.Run, s run.Step, call string) TaskState {
	res, ok := resultOf(s, call)
	switch {
	case ok && (res.Unrun == run.Forbidden || res.Unrun == run.SentBack || res.Unrun == run.Ended):
		return Pending
	case ok && res.Failed:
		return Failed
	case ok:
		return Complete
	case r.Ended() || r.State == run.Waiting:
		return Pending
	default:
		return Underway
	}
}
