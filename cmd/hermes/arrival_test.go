package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/store"
)

// O8: `hermes trace` says what became of the answer, what was said to the run under
// way, and what people thought of it.
func TestO8TraceTellsWhatBecameOfTheAnswer(t *testing.T) {
	noon := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	r := run.Run{Request: run.Request{Key: "k", Now: noon}, State: run.Done, Steps: []run.Step{{}, {}}, Taken: []run.Steer{{By: "slack:T:U1", Text: "only Asia", At: noon, After: 1}}}
	for name, tt := range map[string]struct {
		arrival store.Arrival
		want    string
	}{
		"failed":     {store.Arrival{Status: run.StatusUndelivered, Tries: 5, Reason: "not a member"}, "answer: delivery_failed after 5 tries: not a member\n"},
		"on its way": {store.Arrival{Status: run.StatusDelivering}, "answer: delivering\n"},
		"delivered":  {store.Arrival{Link: "https://x"}, "answer: delivered, https://x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			told := traced{Run: r, Arrival: tt.arrival, Ratings: []bot.Rating{{Person: "slack:T:U2", At: noon}}}
			if err := (&shell{out: &out}).tell(told); err != nil {
				t.Fatal(err)
			}
			said := strings.Index(out.String(), "told under way by slack:T:U1 at 12:00:00: only Asia")
			if said < strings.Index(out.String(), "round 1") || said > strings.Index(out.String(), "round 2") {
				t.Errorf("what was said does not stand after round 1:\n%s", out.String())
			}
			for _, want := range []string{tt.want, "judged not useful by slack:T:U2"} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("lacks %q:\n%s", want, out.String())
				}
			}
		})
	}
}

// told is a platform that says what everybody is.
type told struct {
	bot.Poster
	is  bot.Standing
	err error
}

func (t told) Standing(context.Context, string) (bot.Standing, error) { return t.is, t.err }

// S14: what the team has told is for members. Guests, people from outside, and those
// of whom nobody can say what they are belong to no team.
func TestS14OnlyMembersBelongToTheTeam(t *testing.T) {
	for name, tt := range map[string]struct {
		chat bot.Poster
		want string
	}{
		"a member":               {told{is: bot.Member}, "slack:T1"},
		"a guest":                {told{is: bot.Guest}, ""},
		"from outside":           {told{is: bot.External}, ""},
		"nobody can say":         {told{is: bot.Member, err: errors.New("users.info failed")}, ""},
		"a platform without one": {struct{ bot.Poster }{}, ""},
		"no such platform":       {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := &hermes{log: slog.New(slog.DiscardHandler), chats: map[string]bot.Poster{"slack": tt.chat}}
			if got := h.team(t.Context(), "slack:T1:U1"); got != tt.want {
				t.Errorf("team = %q, want %q", got, tt.want)
			}
		})
	}
}
