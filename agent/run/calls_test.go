package run

import (
	"encoding/json"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

func round(r Run, calls ...llm.Call) Run {
	return r.Heard(llm.Reply{Message: llm.Message{Calls: calls}, Usage: llm.Usage{In: 10, Out: 1}}, time.Time{}, 0)
}

func a(id, name, args string) llm.Call {
	return llm.Call{ID: id, Name: name, Args: json.RawMessage(args)}
}

// EXIT-05, EXIT-07 Equal calls have one Signature; those that differ in case, white
// space and order have one Likeness, and those that differ in anything else have not.
func TestEXIT07SignatureAndLikeness(t *testing.T) {
	base := a("1", "look", `{"q":"Sales  by region","n":1}`)
	for name, tt := range map[string]struct {
		other          llm.Call
		same, likewise bool
	}{
		"order of keys":    {a("2", "look", `{"n":1, "q":"Sales  by region"}`), true, true},
		"letter case":      {a("2", "look", `{"q":"sales  by region","n":1}`), false, true},
		"white space":      {a("2", "look", `{"q":" Sales by\tregion ","n":1}`), false, true},
		"another word":     {a("2", "look", `{"q":"Sales by product","n":1}`), false, false},
		"another number":   {a("2", "look", `{"q":"Sales  by region","n":2}`), false, false},
		"another tool":     {a("2", "see", `{"q":"Sales  by region","n":1}`), false, false},
		"broken arguments": {a("2", "look", `{"q":`), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Same(base, tt.other); got != tt.same {
				t.Errorf("Same = %t", got)
			}
			if got := Signature(base) == Signature(tt.other); got != tt.same {
				t.Errorf("same = %t, want %t", got, tt.same)
			}
			if got := Likeness(base) == Likeness(tt.other); got != tt.likewise {
				t.Errorf("alike = %t, want %t", got, tt.likewise)
			}
		})
	}
}

// LOOP-20 A round that brings nothing that was not known is seen to bring nothing.
func TestLOOP20GainIsWhatWasNotKnown(t *testing.T) {
	r := round(Run{}, a("1", "look", `{}`)).With(Result{Result: llm.Result{ID: "1", Text: "seven"}})
	for name, tt := range map[string]struct {
		res  Result
		want bool
	}{
		"the same again":       {Result{Result: llm.Result{Text: "seven"}}, false},
		"something else":       {Result{Result: llm.Result{Text: "eight"}}, true},
		"an error, first":      {Result{Result: llm.Result{Text: "no shelf", Failed: true}}, true},
		"not run: repeated":    {Result{Result: llm.Result{Text: "not run", Failed: true}, Unrun: Repeated}, false},
		"not run: unfit":       {Result{Result: llm.Result{Text: "no tool", Failed: true}, Unrun: Unfit}, true},
		"a failure alike":      {Result{Result: llm.Result{Text: "seven", Failed: true}}, true},
		"what a person denied": {Result{Result: llm.Result{Text: "denied", Failed: true}, Unrun: Forbidden}, true},
	} {
		t.Run(name, func(t *testing.T) {
			tt.res.ID = "2"
			next := round(r, a("2", "look", `{"n":1}`)).With(tt.res)
			if last, _ := next.Last(); last.Gained() != tt.want {
				t.Errorf("gained = %t, want %t", last.Gained(), tt.want)
			}
		})
	}
}

// EXIT-05 What has run is counted, what was turned away is not; Continue counts anew.
func TestExecutions(t *testing.T) {
	same := a("", "look", `{}`)
	r := round(Run{}, a("1", "look", `{}`)).With(Result{Result: llm.Result{ID: "1", Text: "x"}})
	r = round(r, a("2", "look", `{ }`)).With(Result{Result: llm.Result{ID: "2"}, Unrun: Repeated})
	r = round(r, a("3", "look", `{}`)).With(Result{Result: llm.Result{ID: "3", Failed: true}, Error: &tool.Error{}})
	if n := r.Executions(same); n != 2 {
		t.Errorf("executions = %d, want 2", n)
	}
	r.Resumed++
	if n := r.Resume().Executions(same); n != 0 {
		t.Errorf("executions after Continue = %d, want 0", n)
	}
}

// EXEC-10 The write that a run has done is found again by what it was, unless it
// failed.
func TestEXEC10RanFindsWhatWasDone(t *testing.T) {
	r := round(Run{}, a("1", "send", `{"to":"x","n":1}`)).With(Result{Result: llm.Result{ID: "1", Text: "sent"}})
	r = round(r, a("2", "send", `{"to":"y"}`)).With(Result{Result: llm.Result{ID: "2", Text: "no", Failed: true}})
	if res, ok := r.Ran(a("9", "send", `{"n":1,"to":"x"}`)); !ok || res.Text != "sent" {
		t.Errorf("ran = %+v, %t", res, ok)
	}
	if _, ok := r.Ran(a("9", "send", `{"to":"y"}`)); ok {
		t.Error("what failed was found as done")
	}
}

// EXEC-08 A model reads results in the order of its calls, whichever came first, and
// one call never has two.
func TestEXEC08ResultsAreInTheOrderOfTheCalls(t *testing.T) {
	r := round(Run{Request: Request{Text: "go"}}, a("slow", "look", `{}`), a("fast", "look", `{"n":1}`))
	r = r.With(Result{Result: llm.Result{ID: "fast", Text: "2"}}).With(Result{Result: llm.Result{ID: "slow", Text: "1"}})
	r = r.With(Result{Result: llm.Result{ID: "slow", Text: "again"}})
	m := r.Transcript()
	got := m[len(m)-1].Results
	if len(got) != 2 || got[0].ID != "slow" || got[0].Text != "1" || got[1].ID != "fast" {
		t.Errorf("results = %+v", got)
	}
}

// LOOP-15, DEC-14 What was said and what came of it are messages of their own, and
// so is what the loop says of a reply that could not be read.
func TestLOOP15Transcript(t *testing.T) {
	r := round(Run{Request: Request{Text: "go"}}).Note(func(s *Step) { s.Fault = "not JSON" })
	r = round(r, a("1", "look", `{}`)).With(Result{Result: llm.Result{ID: "1", Text: "x"}})
	r = r.Heard(llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: "partial"}}, time.Time{}, 0).Note(func(s *Step) { s.Closing = true })
	var got []string
	for _, m := range r.Transcript() {
		switch {
		case len(m.Results) > 0:
			got = append(got, "result "+m.Results[0].ID)
		case len(m.Calls) > 0:
			got = append(got, "call "+m.Calls[0].ID)
		default:
			got = append(got, m.Text)
		}
	}
	want := []string{"go", "", "not JSON", "call 1", "result 1", "partial", "Go on from here."}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("messages = %q, want %q", got, want)
		}
	}
}

// LOOP-11 Every way to end has its status, and the names that others use are known.
func TestLOOP11Status(t *testing.T) {
	for why, want := range map[Why]Status{
		TooLong: StatusSuspended, InCircle: StatusRepeated, Stalled: StatusStalled, Misfit: StatusStalled, TimeUp: StatusTimeout,
		OverBudget: StatusBudget, Misset: StatusConfig, Stopped: StatusCancelled, ModelGone: StatusSuspended, Expired: StatusSuspended,
		Paused: StatusSuspended,
	} {
		if got := StatusOf(Suspended, why); got != want {
			t.Errorf("%s = %s, want %s", why, got, want)
		}
	}
	for s, want := range map[State]Status{Working: StatusWorking, Waiting: StatusAwaiting, Delivering: StatusWorking, Done: StatusDone, Failed: StatusFailed} {
		if got := StatusOf(s, ""); got != want {
			t.Errorf("%s = %s, want %s", s, got, want)
		}
	}
	if got := StatusOf(Done, TooLong); got != StatusPartial {
		t.Errorf("done at a limit = %s", got)
	}
	for _, name := range []string{"max_rounds_exceeded", "max_iteration_reached", "stalled", "working"} {
		if _, ok := ReadStatus(name); !ok {
			t.Errorf("%s is not known", name)
		}
	}
	if _, ok := ReadStatus("happy"); ok {
		t.Error("happy is a status")
	}
}

// EXIT-12 What a run is stuck at is the last call that failed, else the last.
func TestEXIT12Stuck(t *testing.T) {
	r := round(Run{}, a("1", "look", `{}`), a("2", "see", `{}`))
	r = r.With(Result{Result: llm.Result{ID: "1", Text: "no shelf", Failed: true}}, Result{Result: llm.Result{ID: "2", Text: "x"}})
	if name, trouble := r.Stuck(); name != "look" || trouble != "no shelf" {
		t.Errorf("stuck = %q, %q", name, trouble)
	}
	r = round(r, a("3", "read", `{}`))
	if name, _ := r.Stuck(); name != "look" {
		t.Errorf("stuck = %q, want the last that failed", name)
	}
	if name, trouble := round(Run{}, a("3", "read", `{}`)).Stuck(); name != "read" || trouble != "" {
		t.Errorf("stuck = %q, %q", name, trouble)
	}
}

// LOOP-09 A run as JSON has what each round was.
func TestLOOP09RunAsJSON(t *testing.T) {
	r := round(Run{Request: Request{Key: "k", Text: "go"}, State: Working}, a("1", "look", `{}`)).With(Result{Result: llm.Result{ID: "1", Text: "x"}})
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Text  string
		Steps []struct {
			Reply, Results               json.RawMessage
			Perceive, Took, Act, Observe *int64
		}
	}
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	s := back.Steps[0]
	if back.Text != "go" || s.Reply == nil || s.Results == nil || s.Perceive == nil || s.Took == nil || s.Act == nil || s.Observe == nil {
		t.Errorf("the run is %s", b)
	}
}

// EXIT-06: what comes again with another id of its own is nothing new, and is told once.
func TestEXIT06AnotherIDIsNothingNew(t *testing.T) {
	a, b := tool.NewID("k/a", "table"), tool.NewID("k/b", "table")
	for name, tt := range map[string]struct {
		one, two string
		same     bool
	}{
		"the id alone":           {`{"table":"` + a + `","rows":[[1]]}`, `{"table":"` + b + `","rows":[[1]]}`, true},
		"at both ends":           {a + " and " + b, b + " and " + a, true},
		"a figure as well":       {`{"table":"` + a + `","rows":[[1]]}`, `{"table":"` + b + `","rows":[[2]]}`, false},
		"a longer text":          {`{"table":"` + a + `"}`, `{"table":"` + b + `"} `, false},
		"a part of another word": {"x" + a, "x" + b, false},
		"no id":                  {"a0000000000g1", "a0000000000h1", false},
		"an id and none":         {a, "a0000000000h1", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := Run{}.Heard(llm.Reply{Message: llm.Message{Calls: []llm.Call{{ID: "a", Name: "look"}}}}, time.Time{}, 0).With(Result{Result: llm.Result{ID: "a", Text: tt.one}})
			r = r.Heard(llm.Reply{Message: llm.Message{Calls: []llm.Call{{ID: "b", Name: "look"}}}}, time.Time{}, 0).With(Result{Result: llm.Result{ID: "b", Text: tt.two}})
			if last, _ := r.Last(); last.Gained() == tt.same || len(r.Findings()) == 2 == tt.same {
				t.Errorf("gained %v with %d findings", last.Gained(), len(r.Findings()))
			}
		})
	}
}
