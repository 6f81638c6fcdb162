package guard

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/run"
)

// A Verdict is which guard ends a Run, and how. The zero Verdict is none.
type Verdict struct {
	Guard string
	State run.State
	Why   run.Why
}

// Order is the order of the guards: of two that would end a run the first does, and
// the run says which. Those without a Why in Check belong to the loop: cancel is a
// person's stop, approval a question that waits, hook what must hold before an
// answer counts, finish the model's own end. An answer that is there is not thrown
// away for a limit that it took the last of.
var Order = []string{"cancel", "budget", "timeout", "approval", "hook", "finish", "duplicate", "validation", "no_progress", "cap"}

// Check returns which guard ends a Run before its next call or reply, if one does.
// next are the calls that wait to be run; none if it is the model's turn.
func (p Profile) Check(r run.Run, next []llm.Call, repeatable func(tool string) bool) (Verdict, bool) {
	steps := r.Counted()
	used := run.UsageOf(steps)
	why := func(guard string, w run.Why) (Verdict, bool) {
		v := Verdict{Guard: guard, State: run.Suspended, Why: w}
		if p.End {
			v.State = run.Done
		}
		if !slices.Contains(p.Ends, run.StatusOf(v.State, v.Why)) {
			// A profile that knows no such end ends as at its cap.
			v.Why = run.TooLong
		}
		return v, true
	}
	switch {
	case p.overBudget(used, steps, len(next) > 0):
		return why("budget", run.OverBudget)
	case p.Time > 0 && r.Worked >= p.Time:
		return why("timeout", run.TimeUp)
	case p.circles(r, steps, next, repeatable):
		return why("duplicate", run.InCircle)
	case r.Saved != nil:
		// What a saved report does next is counted beforehand: it has an end of its own,
		// and what is run again on purpose may say the same.
	case p.Misfits > 0 && inARow(steps, misfit) >= p.Misfits && len(next) == 0:
		return why("validation", run.Misfit)
	case p.NoGain > 0 && inARow(steps, idle) >= p.NoGain && len(next) == 0:
		return why("no_progress", run.Stalled)
	case p.SameTool > 0 && len(next) > 0 && mostOfOneTool(steps, next, repeatable) >= p.SameTool:
		return why("no_progress", run.Stalled)
	case p.Rounds > 0 && len(steps) >= p.Rounds && len(next) == 0:
		return why("cap", run.TooLong)
	}
	return Verdict{}, false
}

// Warn reports whether a run has used that share of its tokens, money, time or
// rounds.
func (p Profile) Warn(r run.Run, share float64) bool {
	used := run.UsageOf(r.Counted())
	of := func(n, limit float64) bool { return limit > 0 && n >= share*limit }
	return of(float64(used.In+used.Out), float64(p.Tokens)) || of(float64(used.Nanos), float64(p.Nanos)) ||
		of(float64(r.Worked), float64(p.Time)) || of(float64(len(r.Counted())), float64(p.Rounds))
}

// overBudget keeps as much back as the closing call will cost: about what the last
// reply has. Calls that are there are run before that, unless all is gone.
func (p Profile) overBudget(used llm.Usage, steps []run.Step, calls bool) bool {
	var last llm.Usage
	if len(steps) > 0 && !calls {
		last = steps[len(steps)-1].Reply.Usage
	}
	return p.Tokens > 0 && used.In+used.Out+last.In+last.Out > p.Tokens && used.In+used.Out > 0 ||
		p.Nanos > 0 && used.Nanos+last.Nanos > p.Nanos && used.Nanos > 0
}

// circles reports whether one of the next calls has been made too often.
func (p Profile) circles(r run.Run, steps []run.Step, next []llm.Call, repeatable func(string) bool) bool {
	for _, c := range next {
		if p.Same > 0 && r.Executions(c) >= p.Same {
			return true
		}
		if p.Hits == 0 || repeatable(c.Name) {
			continue
		}
		if hits(steps, c, p.Window) >= p.Hits {
			return true
		}
	}
	return false
}

// hits counts the rounds among the last of a window that make a call.
func hits(steps []run.Step, call llm.Call, window int) int {
	n, likeness := 0, run.Likeness(call)
	for _, s := range steps[max(0, len(steps)-window):] {
		if slices.ContainsFunc(s.Reply.Message.Calls, func(c llm.Call) bool {
			return c.Name == call.Name && run.Likeness(c) == likeness && !passed(s, c)
		}) {
			n++
		}
	}
	return n
}

// passed reports whether a call came to nothing for a reason that may pass: to make
// it again is no circle.
func passed(s run.Step, c llm.Call) bool {
	return slices.ContainsFunc(s.Results, func(res run.Result) bool {
		return res.ID == c.ID && res.Error != nil && res.Error.Type.Passing()
	})
}

// inARow counts how many of the last steps are so.
func inARow(steps []run.Step, so func(run.Step) bool) int {
	n := 0
	for _, s := range slices.Backward(steps) {
		if !so(s) {
			break
		}
		n++
	}
	return n
}

// misfit reports whether nothing of a step could be run.
func misfit(s run.Step) bool {
	if s.Fault != "" {
		return true
	}
	return len(s.Results) > 0 && !slices.ContainsFunc(s.Results, func(res run.Result) bool { return res.Unrun != run.Unfit })
}

// idle reports whether a step with calls has brought nothing new.
func idle(s run.Step) bool { return len(s.Results) > 0 && !s.Gained() }

// mostOfOneTool counts how often the tools of the next calls have run, and returns the
// most.
func mostOfOneTool(steps []run.Step, next []llm.Call, repeatable func(string) bool) int {
	counts, most := map[string]int{}, 0
	for _, s := range steps {
		for c, res := range s.Pairs() {
			if res.Unrun == "" {
				counts[c.Name]++
			}
		}
	}
	for _, c := range next {
		if !repeatable(c.Name) {
			most = max(most, counts[c.Name])
		}
	}
	return most
}

// MostCalls is how many calls of one reply are run: more nobody can oversee, and what they
// bring would not fit into the next request.
const MostCalls = 30

// Excess says why a call of the last reply is not run for being one too many; empty if it
// is not. What the reply holds twice counts once.
func (p Profile) Excess(r run.Run, call llm.Call, repeatable func(tool string) bool) string {
	last, _ := r.Last()
	calls := last.Reply.Message.Calls
	at := slices.IndexFunc(calls, func(c llm.Call) bool { return c.ID == call.ID })
	if at >= MostCalls {
		more := ""
		if last.Left > 0 {
			more = fmt.Sprintf(", and %d after it were left out", last.Left)
		}
		return fmt.Sprintf("not run: at most %d calls of one reply%s", MostCalls, more)
	}
	if p.SameTool <= 0 || at < p.SameTool && len(r.Steps) == 1 || repeatable(call.Name) {
		return ""
	}
	before := 0
	if counted := r.Counted(); len(counted) > 1 {
		before = mostOfOneTool(counted[:len(counted)-1], []llm.Call{call}, repeatable)
	}
	for i, c := range calls[:at] {
		if c.Name == call.Name && !slices.ContainsFunc(calls[:i], func(x llm.Call) bool { return run.Same(x, c) }) {
			before++
		}
	}
	if before < p.SameTool {
		return ""
	}
	return fmt.Sprintf("not run: at most %d calls of one tool", p.SameTool)
}

// A Screen finds words of danger in arguments.
type Screen []string

// Words are those that stop a call by themselves, in both languages.
func Words() Screen {
	return Screen{
		"delete", "overwrite", "transfer", "erase", "wipe", "truncate",
		"删除", "覆盖", "转账", "转帐", "删掉", "清空", "汇款", "打款",
	}
}

// In returns the first of the words that stands in a text, however it is written: in
// capitals, in wide letters, or with what nobody sees between them.
func (w Screen) In(text string) (string, bool) {
	text = fold(text)
	i := slices.IndexFunc(w, func(word string) bool { return word != "" && strings.Contains(text, fold(word)) })
	if i < 0 {
		return "", false
	}
	return w[i], true
}

// Finds returns the first of the words that stands in one of the named arguments of
// a call.
func (w Screen) Finds(c llm.Call, fields []string) (string, bool) {
	for _, f := range fields {
		if word, found := w.holds(field(c.Args, f)); found {
			return word, true
		}
	}
	return "", false
}

// holds returns the first of the words that stands in a value, as it is read and not as
// it is written.
func (w Screen) holds(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return w.In(v)
	case []any:
		for _, x := range v {
			if word, found := w.holds(x); found {
				return word, true
			}
		}
	case map[string]any:
		for k, x := range v {
			if word, found := w.In(k); found {
				return word, true
			}
			if word, found := w.holds(x); found {
				return word, true
			}
		}
	}
	return "", false
}

func field(args json.RawMessage, name string) any {
	var all map[string]any
	if json.Unmarshal(args, &all) != nil {
		return nil
	}
	return all[name]
}
