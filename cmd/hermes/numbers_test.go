package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/config"
	"hermes/internal/fakeslack"
)

// BenchmarkSlack prints what Slack's people wait for, with message and answer on disk
// (synchronous FULL) and a model without latency of its own:
//
//	go test ./cmd/hermes -run '^$' -bench '^BenchmarkSlack$' -benchtime 300x
//
// "hi" should be at most 5 ms in the middle and 15 ms at the end, a turn of five tools
// 15 ms in the middle; an event is acknowledged within a second.
func BenchmarkSlack(b *testing.B) {
	b.Run("hi", func(b *testing.B) {
		fake := benchSlack(b, func(*config.Config) {})
		turns(b, fake, "@hermes hi", 1)
	})
	b.Run("five tools", func(b *testing.B) {
		url := llmtest.Serve(b, &llmtest.Handler{Reply: asksFor(5)})
		fake := benchSlack(b, func(c *config.Config) {
			c.Model.Provider, c.Model.BaseURL, c.Model.Name = "openai", url, "scripted"
		})
		turns(b, fake, monthly, 0)
	})
	b.Run("twenty at once", twentyAtOnce)
	b.Run("socket cut", socketCut)
}

// asksFor is a model that asks for n figures one after another, at most 5 as the profile of questions allows, and then
// answers.
func asksFor(n int) func(llmtest.Chat) llmtest.Step {
	return func(c llmtest.Chat) llmtest.Step {
		done := 0
		for _, m := range c.Messages {
			if m.Role == "tool" {
				done++
			}
		}
		if done == n {
			return llmtest.Step{Text: finalWord}
		}
		args := fmt.Sprintf(`{"measure":"sales","by":["region"],"period":"%d-0%d"}`, time.Now().Year()-1, done+1)
		return llmtest.Step{Calls: []llm.Call{{ID: fmt.Sprint("c", done), Name: "query_metric", Args: json.RawMessage(args)}}}
	}
}

const (
	monthly   = "@hermes show the sales of the last months, one by one"
	finalWord = "That is all of them."
)

// Issue 3: for a round of a run the whole daemon waits at most twice for the disk: what
// people are shown of it meanwhile is not kept, and what a tool has made goes with what
// names it.
func TestARoundIsTwoCommits(t *testing.T) {
	const few, many = 1, 5
	commits := func(n int) int64 {
		url := llmtest.Serve(t, &llmtest.Handler{Reply: asksFor(n)})
		h, fake := whole(t, func(c *config.Config) {
			c.Model.Provider, c.Model.BaseURL, c.Model.Name = "openai", url, "scripted"
		})
		m, err := fake.Human("ana").Say("general", monthly)
		if err != nil {
			t.Fatal(err)
		}
		_, err = fake.WaitMessage(t.Context(), func(got fakeslack.Message) bool {
			return got.ThreadTS == m.TS && got.Mine() && strings.Contains(got.Shown(), finalWord)
		})
		if err != nil {
			t.Fatal(err)
		}
		return h.db.Commits()
	}
	// The last answer may still be on its way into the books, and a lease be renewed.
	const chance = 3
	a, b := commits(few), commits(many)
	t.Logf("%d rounds: %d commits, %d rounds: %d", few, a, many, b)
	if b-a > 2*(many-few)+chance {
		t.Errorf("%d more rounds took %d commits, want two each", many-few, b-a)
	}
}

// A "hi" in Slack waits three times for the disk: for the message, for the answer, and for
// where that stands. Its other event and whoever looks in vain for something to do write
// nothing, so that nothing holds up the answer: of eight writes in all five are the claims and
// ends of the message and of the answer, and the run.
func TestAHiIsThreeCommits(t *testing.T) {
	h, fake := whole(t, func(*config.Config) {})
	ana := fake.Human("ana")
	hi := func(n int) {
		t.Helper()
		if _, err := ana.Say("general", "@hermes hi"); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(fake.WaitCalls(t.Context(), "chat.postMessage", n), fake.WaitAcked(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	hi(1) // and whatever belongs to the first of all
	const many = 6
	commits, writes := h.db.Commits(), h.db.Writes()
	for n := range many {
		hi(n + 2)
	}
	// What was written of the first may come late, and a lease be renewed.
	const chance = 4
	commits, writes = h.db.Commits()-commits, h.db.Writes()-writes
	t.Logf("%d times hi: %d commits of %d writes", many, commits, writes)
	if commits > 3*many+chance {
		t.Errorf("%d times hi took %d commits, want three each", many, commits)
	}
	if writes > 8*many+chance {
		t.Errorf("%d times hi took %d writes, want eight each", many, writes)
	}
}

// turns measures from what somebody says to the answer in Slack: the post number n of
// the turn, or the one with the final word if n is 0.
func turns(b *testing.B, fake *fakeslack.Server, text string, n int) {
	ana := fake.Human("ana")
	var took []time.Duration
	var room string
	before := len(fake.Deliveries())
	for i := 0; b.Loop(); i++ {
		if i%20 == 0 { // Slack takes one post a second from a channel, after a burst
			room = fake.AddChannel(fakeslack.Channel{Name: fmt.Sprint("r", i), Members: []string{fakeslack.BotUser, ana.ID()}})
		}
		posts := len(fake.Calls("chat.postMessage"))
		start := time.Now()
		m, err := ana.Say(room, text)
		if err != nil {
			b.Fatal(err)
		}
		if n > 0 {
			err = fake.WaitCalls(b.Context(), "chat.postMessage", posts+n)
		} else {
			_, err = fake.WaitMessage(b.Context(), func(got fakeslack.Message) bool {
				return got.ThreadTS == m.TS && got.Mine() && strings.Contains(got.Shown(), finalWord)
			})
		}
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	quantiles(b, "", took)
	var acks []time.Duration
	for _, d := range fake.Deliveries()[before:] {
		if d.Acked {
			acks = append(acks, d.Took)
		}
	}
	quantiles(b, "ack-", acks)
}

// quantiles reports the middle and the end of what was measured.
func quantiles(b *testing.B, what string, took []time.Duration) {
	if len(took) == 0 {
		b.Fatal("nothing was measured")
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), what+"p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), what+"p99-µs")
}

// twentyAtOnce is twenty people who write to the bot alone at the same moment.
func twentyAtOnce(b *testing.B) {
	const people = 20
	fake := benchSlack(b, func(*config.Config) {})
	rooms := make([]string, people)
	ana := fake.Human("ana")
	for i := range rooms {
		rooms[i] = fake.AddChannel(fakeslack.Channel{Name: fmt.Sprint("p", i), Members: []string{fakeslack.BotUser, ana.ID()}})
	}
	var took []time.Duration
	for b.Loop() {
		before, start := len(fake.Calls("chat.postMessage")), time.Now()
		for _, room := range rooms {
			if _, err := ana.Say(room, "@hermes hi"); err != nil {
				b.Fatal(err)
			}
		}
		if err := fake.WaitCalls(b.Context(), "chat.postMessage", before+people); err != nil {
			b.Fatal(err)
		}
		for _, c := range fake.Calls("chat.postMessage")[before:] {
			took = append(took, c.At.Sub(start))
		}
	}
	quantiles(b, "", took)
}

// socketCut is how long an answer takes when the socket is cut right before the
// question. Sockets are opened at least five seconds apart, so the first cut costs
// less than the next.
func socketCut(b *testing.B) {
	var took []time.Duration
	for b.Loop() {
		fake := benchSlack(b, func(*config.Config) {})
		ana, start := fake.Human("ana"), time.Now()
		fake.DropSockets()
		if _, err := ana.Say("sales", "@hermes hi"); err != nil {
			b.Fatal(err)
		}
		if err := fake.WaitCalls(b.Context(), "chat.postMessage", 1); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	quantiles(b, "", took)
}
