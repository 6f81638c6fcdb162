package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

// changing lets everybody use all tools but those named by now.
type changing map[string]bool

func (c changing) MayUse(_ context.Context, _ tool.Viewer, s tool.Spec) bool { return !c[s.Name] }

// X7 LOOP-05 What a model was told of the tools is told again in the next round only as
// long as it is so: a right that is gone, and an argument that was wrong again and again,
// are seen at once.
func TestToolsAreToldAsTheyAreInEachRound(t *testing.T) {
	gone := changing{}
	n := 0
	var told []string
	m := modelFunc(func(_ context.Context, r llm.Request) (llm.Reply, error) {
		n++
		for _, tl := range r.Tools {
			told = append(told, fmt.Sprint(n, " ", tl.Name, " ", strings.Contains(tl.Description, "WARNING")))
		}
		switch n {
		case 1:
			return says("", call("look", `{"q":7.5}`), call("look", `{"qq":2}`)), nil
		case 2:
			gone["keep"] = true
			return says("", call("look", `{"q":{"a":1}}`), call("look", `{"q":[]}`), call("look", `{"q":{"b":1}}`)), nil
		case 3:
			gone["keep"] = false
			return says("", q("look", "a")), nil
		}
		return says("done"), nil
	})
	b := benchOf(t, &llmtest.Script{}, func(_ *agent.Config, p *agent.Parts) {
		set, err := tool.NewSet(
			reader("look", func(context.Context, tool.Call, query) (tool.Result, error) { return tool.Result{Text: "x"}, nil }),
			read("keep", func() (tool.Result, error) { return tool.Result{Text: "y"}, nil }),
		)
		if err != nil {
			t.Fatal(err)
		}
		p.Tools, p.Rights, p.Models = set, gone, agent.NewModels(p.Now, agent.Member{Model: m})
	})
	b.start(t, request("k"))
	all := strings.Join(told, "\n")
	for line, want := range map[string]bool{
		"1 keep": true, "2 keep": true, "3 keep": false, "4 keep": true, "1 look false": true, "3 look true": true,
	} {
		if strings.Contains(all, line) != want {
			t.Errorf("%q is told: %v, want %v; told:\n%s", line, !want, want, all)
		}
	}
}
