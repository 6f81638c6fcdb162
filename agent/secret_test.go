package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

// A secret that no text of this file is.
var secretToken = "xo" + "xb-1234567890-" + strings.Repeat("aB3d", 6)

// X1: a call whose arguments hold a secret, or the mark of one that was taken out, does
// not run; the model is told why, and what tools say and fail with has none.
func TestX1NoSecretInACallOrAResult(t *testing.T) {
	ran := 0
	leaks := reader("leaks", func(_ context.Context, _ tool.Call, in query) (tool.Result, error) {
		ran++
		if in.Q == "fail" {
			return tool.Result{}, errors.New("no access with " + secretToken)
		}
		return tool.Result{Text: `{"password": 12345678, "note":"` + secretToken + `"}`}, nil
	})
	say := func(calls ...llm.Call) llm.Reply {
		return llm.Reply{Message: llm.Message{Role: llm.Assistant, Calls: calls}}
	}
	g := newRig(t, []tool.Tool{leaks},
		say(q("leaks", "with "+secretToken)), say(q("leaks", "with [redacted:slack-token]")), say(q("leaks", "fine")), say(q("leaks", "fail")),
		llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: "Done."}})
	g.start(t, "k1")
	r := g.run(t, "k1")
	if ran == 0 || len(r.Steps) < 4 {
		t.Fatalf("it ran %d times in %d steps", ran, len(r.Steps))
	}
	for i, want := range []string{"hold a secret (slack-token)", "hold a secret (slack-token)", `{"password": "[redacted:password]", "note":"[redacted:slack-token]"}`, "[redacted:slack-token]"} {
		res := r.Steps[i].Results[0]
		if !strings.Contains(res.Text, want) || strings.Contains(res.Text+res.Note+res.Brief, secretToken) || res.Error != nil && strings.Contains(res.Error.Error(), secretToken) {
			t.Errorf("step %d says %q (%v), want %q", i+1, res.Text, res.Error, want)
		}
	}
	if r.Steps[0].Results[0].Error == nil || r.Steps[0].Results[0].Error.Suggestion == "" {
		t.Error("the model is not told what to do instead")
	}
}
