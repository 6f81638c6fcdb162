package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/run"
)

// formed is what a form makes of a request.
func formed(key string, calls ...llm.Call) run.Request {
	r := request(key)
	r.Ready = &run.Ready{Calls: calls, Words: "planned, as asked"}
	return r
}

// SLK-04: a form goes the way of all writes. No model is asked, nothing is done before the
// card is answered, and the words of the form come after it.
func TestSLK04AFormWaitsForItsCardAndAsksNoModel(t *testing.T) {
	for name, tt := range map[string]struct {
		choice, want string
		wrote        int
	}{
		"approved": {run.Always, "planned, as asked", 1},
		"denied":   {run.No, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			req := formed("k", call("schedule_add", `{"when":"monthly"}`))
			out := b.start(t, req)
			if out.Question == nil || out.Question.Kind != run.Approve || len(out.Question.Calls) != 1 || b.wrote != 0 {
				t.Fatalf("outcome = %+v with %d writes, want a card and none", out, b.wrote)
			}
			if again := b.start(t, req); again.Key != out.Key {
				t.Errorf("sent twice it asks %s and %s", out.Key, again.Key)
			}
			if err := b.press(t, out.Question, lee, tt.choice); err != nil {
				t.Fatal(err)
			}
			out = b.on(t, "k")
			if out.State != run.Done || out.Text != tt.want || b.wrote != tt.wrote || len(out.Unproven) != 0 {
				t.Errorf("outcome = %+v with %d writes, want %q and %d", out, b.wrote, tt.want, tt.wrote)
			}
			if denied := len(out.Undone) == 1 && out.Undone[0].Denied == lee; denied != (tt.wrote == 0) {
				t.Errorf("undone = %+v", out.Undone)
			}
			if n := len(b.script.Heard()); n != 0 {
				t.Errorf("a model was asked %d times", n)
			}
		})
	}
}

// What a form asks for and cannot be is said in the tool's own words, and nobody is
// asked about it.
func TestAFormThatCannotBeSaysWhy(t *testing.T) {
	b := newBench(t)
	out := b.start(t, formed("k", call("post_message", `{"channel":"nowhere"}`)))
	if out.State != run.Done || !strings.Contains(out.Text, "no channel nowhere") || len(out.Undone) != 1 || len(b.script.Heard()) != 0 {
		t.Errorf("outcome = %+v", out)
	}
}

// A form survives its store.
func TestAFormIsKeptWithItsRequest(t *testing.T) {
	req := formed("k", call("schedule_add", `{"when":"monthly"}`))
	b, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	var back run.Request
	if err := json.Unmarshal(b, &back); err != nil || back.Ready == nil || back.Ready.Words != req.Ready.Words || len(back.Ready.Calls) != 1 || back.Ready.Calls[0].Name != "schedule_add" {
		t.Errorf("%s is read back as %+v, %v", b, back.Ready, err)
	}
}
