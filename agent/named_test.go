package agent

import (
	"context"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

// FAIL-14: a model that takes the name of a system for a tool calls the tool that the
// team has named so; where none is, it is told what the word means.
func TestFAIL14TheNameOfASystemIsNoUnknownTool(t *testing.T) {
	type none struct{}
	export := tool.NewTyped(tool.Spec{Name: "export_customers", Effect: tool.Read, Description: "Export customers."}, func(context.Context, tool.Call, none) (none, error) { return none{}, nil })
	set, err := tool.NewSet(export)
	if err != nil {
		t.Fatal(err)
	}
	a := &Agent{cfg: Config{Named: map[string]Named{"crm": {Tool: "export_customers"}, "看板": {Means: "source shop"}}}, Parts: Parts{Tools: set}}
	calls := []llm.Call{{Name: "CRM"}, {Name: "看板"}, {Name: "export_customers"}}
	a.meant(calls)
	for i, want := range []string{"export_customers", "看板", "export_customers"} {
		if calls[i].Name != want {
			t.Errorf("call %d is of %q, want %q", i, calls[i].Name, want)
		}
	}
	if said := a.word("看板"); !strings.Contains(said, "source shop") {
		t.Errorf("the model is told %q", said)
	}
}
