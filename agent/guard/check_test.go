package guard_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// made returns a Run whose steps make these calls, one each, written "tool args
// result"; args and result may be left out. "!" before it: it was turned away as
// unfit; "?": it failed in a way that may pass. The last one is open if open is set.
func made(open bool, calls ...string) run.Run {
	var r run.Run
	for i, c := range calls {
		mark := c[0]
		c = strings.TrimLeft(c, "!?")
		parts := append(strings.Fields(c), "", "")
		args, text := parts[1], parts[2]
		if args == "" {
			args = "{}"
		}
		if text == "" {
			text = fmt.Sprint("result ", i)
		}
		id := fmt.Sprint("c", i)
		r = r.Heard(llm.Reply{Message: llm.Message{Calls: []llm.Call{{ID: id, Name: parts[0], Args: json.RawMessage(args)}}}, Usage: llm.Usage{In: 90, Out: 10, Nanos: 1000}}, time.Time{}, 0)
		if open && i == len(calls)-1 {
			return r
		}
		res := run.Result{Result: llm.Result{ID: id, Text: text}}
		switch mark {
		case '!':
			res.Unrun, res.Failed = run.Unfit, true
		case '?':
			res.Failed, res.Error = true, &tool.Error{Type: tool.NetworkError}
		}
		r = r.With(res)
	}
	return r
}

func check(p guard.Profile, r run.Run) guard.Verdict {
	v, _ := p.Check(r, r.OpenCalls(), func(name string) bool { return name == "poll" })
	return v
}

// The exits: each by its own number, and what does not count for it.
func TestCheck(t *testing.T) {
	p := guard.Default
	for name, tt := range map[string]struct {
		run  run.Run
		want string // guard and why
	}{
		"nothing yet": {run.Run{}, " "},
		"EXIT-02, SAFE-03 eight rounds are the most": {made(false, `a {"x":1}`, `a {"x":2}`, `a {"x":3}`, `a {"x":4}`, `b {"x":5}`, `b {"x":6}`, `b {"x":7}`, `b {"x":8}`), "cap too_long"},
		"EXIT-02 seven are not":                      {made(false, `a {"x":1}`, `a {"x":2}`, `a {"x":3}`, `a {"x":4}`, `b {"x":5}`, `b {"x":6}`, `b {"x":7}`), " "},
		"EXIT-04 A,B,A,C,A stops at the third":       {made(true, "a", "b", "a", "c", "a"), "duplicate in_circle"},
		"EXIT-04 A,B,A does not":                     {made(true, "a", "b", "a"), " "},
		"EXIT-04 beyond the window it is forgotten":  {made(true, "a", "a", "b", "c", "d", "e", "a"), " "},
		"EXIT-07 case and white space do not count":  {made(true, `a {"q":"big`, `a {"q":"Sales","n":1}`, `a {"n":1,"q":"sales"}`, `a {"q":"SALES","n":1}`), "duplicate in_circle"},
		"EXIT-07 another number is another call":     {made(true, `a {"m":"2026-01"}`, `a {"m":"2026-02"}`, `a {"m":"2026-03"}`), " "},
		"EXIT-04 C-42 a poll is no circle":           {made(true, "poll", "poll", "poll"), " "},
		"EXIT-04 but not without an end":             {made(true, "poll", "poll", "poll", "poll", "poll", "poll"), "duplicate in_circle"},
		"C-42 a call that may pass is no circle":     {made(true, "?a", "?a", "a"), " "},
		"EXIT-06 two rounds without news":            {made(false, "a {} same", `a {"x":1} same`, `a {"x":2} same`), "no_progress stalled"},
		"EXIT-06 one round without news":             {made(false, "a {} same", `a {"x":1} same`), " "},
		"EXIT-06 news in between":                    {made(false, "a {} same", `a {"x":1} same`, `a {"x":2} new`, `a {"x":3} new`), " "},
		"EXIT-09 ten calls of one tool":              {sameTool(12), " "},
		"EXIT-09 one more after ten are too many":    {sameTool(13), "no_progress stalled"},
		"EXEC-06 thirty calls of one reply are run":  {thirty(), " "},
		"L1 L4 three misfits in a row":               {made(false, "!a", "!b", "!c"), "validation misfit"},
		"L4 a fit call in between":                   {made(false, "!a", "!b", "c", "!d"), " "},
		"EXIT-16 tokens":                             {spent(func(u *llm.Usage) { u.In = 59_950 }), "budget over_budget"},
		"EXIT-16 what the closing call needs":        {spent(func(u *llm.Usage) { u.In = 30_100 }), "budget over_budget"},
		"EXIT-16 not yet":                            {spent(func(u *llm.Usage) { u.In = 29_000 }), " "},
		"EXIT-10 time":                               {worked(2 * time.Minute), "timeout time_up"},
		"EXIT-10 not yet":                            {worked(2*time.Minute - 1), " "},
		"EXIT-22 time goes before the cap": {func() run.Run {
			r := made(false, "a", "b", "c", "d", "e", "f", "g", "h")
			r.Worked = time.Hour
			return r
		}(), "timeout time_up"},
		"EXIT-22 budget goes before time":          {func() run.Run { r := spent(func(u *llm.Usage) { u.In = 70_000 }); r.Worked = time.Hour; return r }(), "budget over_budget"},
		"EXIT-22 a circle goes before no progress": {made(true, "a {} same", "a {} same", "a {} same"), "duplicate in_circle"},
		"Continue gives it all once more":          {resumed(made(false, "a", "b", "c", "d", "e", "f", "g", "h")), " "},
		"and no more":                              {made8again(), "cap too_long"},
	} {
		t.Run(name, func(t *testing.T) {
			if v := check(p, tt.run); v.Guard+" "+string(v.Why) != tt.want {
				t.Errorf("Check = %q %q, want %q", v.Guard, v.Why, tt.want)
			}
		})
	}
}

// sameTool makes n calls of one tool, all different, and the last is open.
func sameTool(n int) run.Run {
	var calls []string
	for i := range n {
		calls = append(calls, fmt.Sprintf(`a {"x":%d}`, i))
	}
	r := made(true, calls...)
	r.Steps = r.Steps[:0:0]
	// In few rounds, so that the cap is not what ends it.
	for i := 0; i < n; i += 4 {
		var m llm.Message
		for j := i; j < min(i+4, n); j++ {
			m.Calls = append(m.Calls, llm.Call{ID: fmt.Sprint("c", j), Name: "a", Args: json.RawMessage(fmt.Sprintf(`{"x":%d}`, j))})
		}
		r = r.Heard(llm.Reply{Message: m}, time.Time{}, 0)
		for _, c := range m.Calls {
			if i+4 < n {
				r = r.With(run.Result{Result: llm.Result{ID: c.ID, Text: c.ID}})
			}
		}
	}
	return r
}

// thirty are the calls of one reply.
func thirty() run.Run {
	var m llm.Message
	for i := range 30 {
		m.Calls = append(m.Calls, llm.Call{ID: fmt.Sprint("c", i), Name: "a", Args: json.RawMessage(fmt.Sprintf(`{"x":%d}`, i))})
	}
	return run.Run{}.Heard(llm.Reply{Message: m}, time.Time{}, 0)
}

func spent(f func(*llm.Usage)) run.Run {
	r := made(false, "a")
	f(&r.Steps[0].Reply.Usage)
	return r
}

func worked(d time.Duration) run.Run {
	r := made(false, "a")
	r.Worked = d
	return r
}

func resumed(r run.Run) run.Run {
	r.Resumed++
	return r.Resume()
}

func made8again() run.Run {
	calls := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	r := resumed(made(false, calls...))
	for _, s := range made(false, calls...).Steps {
		s.Results[0].Text += " again"
		r.Steps = append(r.Steps, s)
	}
	return r
}

// EXIT-02, EXIT-11 Each profile has its own numbers, in one process.
func TestEXIT02Profiles(t *testing.T) {
	all, err := guard.NewProfiles(guard.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		req    run.Request
		name   string
		rounds int
		time   time.Duration
	}{
		"a question":       {run.Request{Intent: "question"}, "qa", 5, 2 * time.Minute},
		"a task":           {run.Request{Intent: "task"}, "default", 8, 2 * time.Minute},
		"EXIT-10 a slot":   {run.Request{Job: "j", Intent: "task"}, "report", 8, 10 * time.Minute},
		"one that is told": {run.Request{Profile: "research", Intent: "question"}, "research", 20, 10 * time.Minute},
		"one that is not":  {run.Request{Profile: "nope"}, "default", 8, 2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			p := all.For(tt.req)
			if p.Name != tt.name || p.Rounds != tt.rounds || p.Time != tt.time {
				t.Errorf("profile %s with %d rounds, %s; want %s with %d, %s", p.Name, p.Rounds, p.Time, tt.name, tt.rounds, tt.time)
			}
		})
	}
}

// PRIN-11, FAIL-21 A profile by which a run could not end is refused, and what is wrong is
// named.
func TestPRIN11ProfilesThatCannotEndAreRefused(t *testing.T) {
	with := func(f func(*guard.Profile)) guard.Profile { p := guard.Default; p.Ends = run.Ends(); f(&p); return p }
	for name, tt := range map[string]struct {
		p    guard.Profile
		want string
	}{
		"no such status":        {with(func(p *guard.Profile) { p.Ends = append(p.Ends, "happy") }), `no status "happy"`},
		"no end":                {with(func(p *guard.Profile) { p.Ends = append(p.Ends, run.StatusWorking) }), `"working" is no end`},
		"no done":               {with(func(p *guard.Profile) { p.Ends = []run.Status{"suspended", "cancelled", "failed"} }), `lacks "done"`},
		"no end at the cap":     {with(func(p *guard.Profile) { p.Ends = []run.Status{"done", "cancelled", "failed"} }), `lacks "suspended"`},
		"none for on_cap end":   {with(func(p *guard.Profile) { p.End = true; p.Ends = []run.Status{"done", "cancelled", "failed"} }), `lacks "partial"`},
		"EXIT-02 no rounds":     {with(func(p *guard.Profile) { p.Rounds = 0 }), "max_rounds is 0"},
		"EXIT-02 over the roof": {with(func(p *guard.Profile) { p.Rounds = 31 }), "it must be 1 to 30"},
		"EXIT-10 no time":       {with(func(p *guard.Profile) { p.Time = 0 }), "task_timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := guard.NewProfiles(tt.p); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `"default"`) {
				t.Errorf("error = %v, want one that says %q", err, tt.want)
			}
		})
	}
	if _, err := guard.NewProfiles(guard.Default, guard.Default); err == nil {
		t.Error("two profiles of one name were taken")
	}
}

// PRIN-11 A profile that lacks an end ends in the one of its cap instead.
func TestPRIN11OnlyPermittedEnds(t *testing.T) {
	p := guard.Default
	p.Ends = []run.Status{run.StatusDone, run.StatusSuspended, run.StatusCancelled, run.StatusFailed}
	if v := check(p, made(true, "a", "a", "a")); v.Why != run.TooLong || v.Guard != "duplicate" || run.StatusOf(v.State, v.Why) != run.StatusSuspended {
		t.Errorf("verdict = %+v, want the end of the cap, by the guard that ended it", v)
	}
}

// EXIT-16 At four fifths of what a run may use the model is told to end.
func TestEXIT16Warn(t *testing.T) {
	p := guard.Default
	p.Nanos = 10_000
	for name, tt := range map[string]struct {
		run  run.Run
		want bool
	}{
		"rounds":  {made(false, "a", "b", "c", "d", "e", "f", "g"), true},
		"few":     {made(false, "a", "b", "c"), false},
		"money":   {spent(func(u *llm.Usage) { u.Nanos = 8000 }), true},
		"tokens":  {spent(func(u *llm.Usage) { u.In = 48_000 }), true},
		"time":    {worked(100 * time.Second), true},
		"nothing": {run.Run{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := p.Warn(tt.run, 0.8); got != tt.want {
				t.Errorf("Warn = %t, want %t", got, tt.want)
			}
		})
	}
}

// C-33 A word of danger in a screened argument, in either language, stops a call; in
// another argument it does not.
func TestScreen(t *testing.T) {
	call := func(args string) llm.Call { return llm.Call{Args: json.RawMessage(args)} }
	for name, tt := range map[string]struct {
		call llm.Call
		want string
	}{
		"english":         {call(`{"command":"please DELETE all"}`), "delete"},
		"chinese":         {call(`{"command":"把它删除"}`), "删除"},
		"nested":          {call(`{"command":["a",{"b":"overwrite"}]}`), "overwrite"},
		"escaped":         {call(`{"command":"\u5220\u9664"}`), "删除"},
		"another field":   {call(`{"note":"delete"}`), ""},
		"nothing of that": {call(`{"command":"list"}`), ""},
		"no arguments":    {call(`x`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := guard.Words().Finds(tt.call, []string{"command"}); got != tt.want {
				t.Errorf("Finds = %q, want %q", got, tt.want)
			}
		})
	}
}
