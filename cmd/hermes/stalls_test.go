package main

import (
	"fmt"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/config"
)

// EXIT-06, EXIT-09: the same figures in other words are nothing new, though each call
// makes a table of its own: the run ends after two rounds of it, and tells them once.
func TestEXIT06TheSameFiguresInOtherWordsStall(t *testing.T) {
	for name, step := range map[string]func(turn int) llm.Call{
		"SQL": func(turn int) llm.Call {
			return use("query_database", map[string]any{"sql": fmt.Sprintf("SELECT 1 AS a -- %d", turn)})
		},
		"measures": func(turn int) llm.Call {
			return use("query_metric", []map[string]any{
				{"measure": "sales"}, {"measure": "sales", "by": []string{}}, {"measure": "sales", "period": "last_month"}, {"measure": "sales", "period": "2026-10"},
				{"measure": "sales", "period": "2026-10-01..2026-10-31"}, {"measure": "sales", "period": "months_ago:1"},
			}[turn%6])
		},
	} {
		t.Run(name, func(t *testing.T) {
			turn := 0
			url := llmtest.Serve(t, &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
				if len(c.Tools) == 0 {
					return llmtest.Step{Status: 500}
				}
				turn++
				return llmtest.Step{Calls: []llm.Call{step(turn)}}
			}})
			in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), func(c *config.Config) {
				c.Model.Provider, c.Model.BaseURL, c.Model.Name, c.Model.Attempts = "openai", url, "stubborn", 1
			})
			in.say("t1", "@hermes work: look up the sales of last month")
			end := in.sees(room("general", "t1"), "What I have so far")
			if turn > 4 {
				t.Errorf("%d rounds, %q", turn, end.Text)
			}
			key := "web/demo/general/t1-1"
			out, _, err := in.agent.Outcome(t.Context(), key)
			if err != nil || out.Why != run.Stalled || len(out.Found) != 1 {
				t.Errorf("ended %s with %d findings, %v", out.Why, len(out.Found), err)
			}
		})
	}
}
