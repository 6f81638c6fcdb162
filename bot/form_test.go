package bot_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// O11: what is sent by a form is done for whom words would have been: everybody else
// hears why not, and nobody is asked anything.
func TestO11AFormIsForWhoMayHaveWorkDone(t *testing.T) {
	for name, tt := range map[string]struct {
		standing bot.Standing
		policy   bot.Policy
		want     string // of what ana reads
		asks     bool
	}{
		"a member":             {bot.Member, bot.Policy{}, "May I do this?", true},
		"a guest":              {bot.Guest, bot.Policy{}, "lease ask Lee or Moe", false},
		"from outside":         {bot.External, bot.Policy{}, "lease ask Lee or Moe", false},
		"who is on no list":    {bot.Member, bot.Policy{Users: []string{lee}}, "lease ask Lee or Moe", false},
		"a channel on no list": {bot.Member, bot.Policy{Channels: []string{"slack:T1:C9"}}, "May I do this?", true}, // a form is sent to nobody but us
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, policed(tt.policy))
				r.chat.Knows(ana, tt.standing)
				req := &run.Request{
					Key: "f1", Home: here.String(), Asker: ana, Text: "every month: sales", Lang: "en", Zone: "UTC", Intent: "task",
					Ready: &run.Ready{Calls: []llm.Call{{ID: "form", Name: "schedule_add", Args: json.RawMessage(`{"when":"monthly"}`)}}, Words: "Planned."},
				}
				for range 2 {
					if err := r.in.Add(t.Context(), bot.Item{Key: "f1", Place: here, Lane: bot.Talk, Request: req}); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
				}
				_, err := r.store.Question(t.Context(), "f1/q1")
				if asks := err == nil; asks != tt.asks {
					t.Fatalf("somebody is asked: %t, want %t (%v)", asks, tt.asks, err)
				}
				said := strings.Join(r.said(here), "\n")
				if !strings.Contains(said, tt.want) {
					t.Errorf("ana reads:\n%s\nwant %q", said, tt.want)
				}
				if tt.asks {
					r.press(here, lee, "f1/q1", run.Always)
					said = strings.Join(r.said(here), "\n")
					if !strings.Contains(said, "Planned.") {
						t.Errorf("ana reads:\n%s", said)
					}
				}
				if n := len(r.brain.requests()); n != 0 {
					t.Errorf("the model was asked %d times", n)
				}
			})
		})
	}
}
