package main

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/config"
	"hermes/scheduler"
)

// C5, C29: while the model is away a slot waits and is tried again: its owner is told at
// the first failure and when that will be, the run goes on where it was, and the slot has
// run once.
func TestC29ASlotIsTriedAgainWhenItsModelIsBack(t *testing.T) {
	var away atomic.Bool
	asked := map[bool]int{}
	url := llmtest.Serve(t, &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
		asked[away.Load()]++
		switch {
		case len(c.Results("query_metric")) == 0:
			return llmtest.Step{Calls: []llm.Call{use("query_metric", map[string]any{"measure": "sales", "period": "last_month"})}}
		case away.Load():
			return llmtest.Step{Status: http.StatusServiceUnavailable}
		}
		return llmtest.Step{Text: "The figures are in the table above."}
	}})
	in := newInsideOf(t, time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC), func(c *config.Config) {
		c.Model.Provider, c.Model.BaseURL, c.Model.Name, c.Model.Attempts = "openai", url, "far", 1
	})
	job := scheduler.Job{
		ID: "j1", Name: "Sales", Spec: "0 9 * * *", Zone: "UTC", Request: "sales last month", Origin: "web/demo/general/t1", Owner: anaInDemo, Lang: "en",
		State: scheduler.Active, Created: in.time(), Since: in.time(),
	}
	if err := in.db.Jobs().Add(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	look := func(at time.Time) {
		t.Helper()
		in.set(at)
		if _, err := in.scheduler.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	nine := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	away.Store(true)
	look(nine)
	in.sees(room("general", "t1"), "I try again by myself at 09:01")
	slots := in.slots("j1", scheduler.Deferred)
	if s := slots[0]; s.Tries != 1 || !s.Due.Equal(nine.Add(time.Minute)) || s.Reason != "model_gone" {
		t.Errorf("slot = %+v", s)
	}
	look(nine.Add(70 * time.Second))
	in.slots("j1", scheduler.Deferred)
	in.sees(room("general", "t1"), "I try again by myself at 09:06")
	away.Store(false)
	look(nine.Add(10 * time.Minute))
	end := in.sees(room("general", "t1"), "The figures are in the table above.")
	slots = in.slots("j1", scheduler.Ran)
	if s := slots[0]; s.Tries != 2 || s.Run != "job/j1@2026-12-01T09:00@UTC" {
		t.Errorf("slot = %+v", s)
	}
	if strings.Contains(end.Text, "again") || asked[true] < 3 {
		t.Errorf("end %q; the model was asked %v times while it was away", end.Text, asked[true])
	}
}
