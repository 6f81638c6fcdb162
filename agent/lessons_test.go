package agent_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/agenttest"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// texts is a Keeper in memory.
type texts map[string]string

func (k texts) Get(_ context.Context, workspace, name string) (string, bool, error) {
	v, ok := k[workspace+"/"+name]
	return v, ok, nil
}

func (k texts) Set(_ context.Context, workspace, name, value string) error {
	k[workspace+"/"+name] = value
	return nil
}

// TOOL-23, TOOL-27 What was learned of the tools is known after a restart: at which
// argument calls went wrong, and to how many runs a change was told.
func TestTOOL23LessonsSurviveARestart(t *testing.T) {
	look := tool.New(tool.Spec{
		Name: "look", Description: "Reads.", Effect: tool.Read, Version: 2,
		Changes: []tool.Change{{Version: 2, From: "query", To: "q", At: time.Now().Add(-time.Hour)}},
	}, func(_ context.Context, _ tool.Call, in query) (tool.Result, error) {
		return tool.Result{Text: in.Q}, nil
	})
	kept, told := texts{}, ""
	for i := range 22 {
		set, err := tool.NewSet(look)
		if err != nil {
			t.Fatal(err)
		}
		// An agent of its own each time, as after a restart.
		s := &llmtest.Script{Replies: []llm.Reply{says("", call("look", `{"q":7}`)), says("", call("look", `{"q":[7]}`)), says("done")}}
		a := agent.New(agent.Config{}, agent.Parts{
			Models: agent.NewModels(time.Now, agent.Member{Model: s}), Tools: set, Memory: nobody{}, Store: agenttest.NewStore(),
			Shelf: &shelf{}, Keeper: kept, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		})
		if _, err := a.Start(t.Context(), request("k"), func(context.Context, run.Run) error { return nil }); err != nil {
			t.Fatal(err)
		}
		told = s.Heard()[0].Tools[0].Description
		if changed := strings.Contains(told, "query is now called q"); changed != (i < 20) {
			t.Errorf("run %d: the change is told: %t", i+1, changed)
		}
	}
	if !strings.Contains(told, "WARNING: q was wrong again and again") {
		t.Errorf("the last run was told\n%s", told)
	}
}
