package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"hermes/agent/llm/llmtest"
	"hermes/config"
	"hermes/internal/fakeslack"
)

// BenchmarkHi is the whole program in this process, from the moment at which a
// person says "hi" in Slack to the moment at which Slack has the answer, with the
// message and the answer on disk.
func BenchmarkHi(b *testing.B) {
	fake := benchSlack(b, func(*config.Config) {})
	ctx, ana := b.Context(), fake.Human("ana")
	var took []time.Duration
	var room string
	for i := 0; b.Loop(); i++ {
		if i%50 == 0 { // Slack takes one a second from a channel, after a burst
			room = fake.AddChannel(fakeslack.Channel{Name: fmt.Sprint("r", i), Members: []string{fakeslack.BotUser, ana.ID()}})
		}
		posts := len(fake.Calls("chat.postMessage"))
		start := time.Now()
		if _, err := ana.Say(room, "@hermes hi"); err != nil {
			b.Fatal(err)
		}
		if err := fake.WaitCalls(ctx, "chat.postMessage", posts+1); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// benchSlack is the whole program in this process, connected to a fake Slack.
func benchSlack(b *testing.B, configure func(*config.Config)) *fakeslack.Server {
	b.Helper()
	_, fake := whole(b, configure)
	return fake
}

func whole(b testing.TB, configure func(*config.Config)) (*hermes, *fakeslack.Server) {
	b.Helper()
	fake, err := fakeslack.Start(fakeslack.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(fake.Close)
	cfg, err := config.Load("")
	if err != nil {
		b.Fatal(err)
	}
	cfg.Data, cfg.Web.Addr = b.TempDir(), "127.0.0.1:0"
	cfg.Slack.APIURL, cfg.Slack.AppToken, cfg.Slack.BotToken = fake.APIURL(), fakeslack.AppToken, fakeslack.BotToken
	configure(&cfg)
	h, err := build(b.Context(), cfg, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- runAll(ctx, h.parts()) }()
	b.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
		if err := h.close(); err != nil {
			b.Error(err)
		}
	})
	if err := fake.WaitConns(ctx, 1); err != nil {
		b.Fatal(err)
	}
	return h, fake
}

// BenchmarkFifty is fifty conversations at once with a model that takes a second for
// each answer: from the moment at which somebody asks to the moment at which Slack
// has the answer. Nobody should wait for anybody; the limit of the median is 1.1 s.
func BenchmarkFifty(b *testing.B) {
	const people = 50
	url := llmtest.Serve(b, &llmtest.Handler{Reply: func(llmtest.Chat) llmtest.Step {
		<-time.After(time.Second)
		return llmtest.Step{Text: "Good morning to you."}
	}})
	fake := benchSlack(b, func(c *config.Config) {
		c.Model.Provider, c.Model.BaseURL, c.Model.Name = "openai", url, "slow"
	})
	ana := fake.Human("ana")
	var took []time.Duration
	for n := 0; b.Loop(); n++ {
		rooms := make([]string, people)
		for i := range rooms {
			rooms[i] = fake.AddChannel(fakeslack.Channel{Name: fmt.Sprintf("r%d-%d", n, i), Members: []string{fakeslack.BotUser, ana.ID()}})
		}
		asked := map[string]time.Time{}
		before := len(fake.Calls("chat.postMessage"))
		for _, room := range rooms {
			asked[room] = time.Now()
			if _, err := ana.Say(room, "@hermes good morning, how are you today?"); err != nil {
				b.Fatal(err)
			}
		}
		if err := fake.WaitCalls(b.Context(), "chat.postMessage", before+people); err != nil {
			b.Fatal(err)
		}
		for _, c := range fake.Calls("chat.postMessage")[before:] {
			took = append(took, c.At.Sub(asked[c.Args["channel"]]))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Milliseconds()), "p99-ms")
}
