package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"testing"
	"time"

	"hermes/config"
	"hermes/internal/fakeslack"
)

// BenchmarkHi is the whole program in this process, from the moment at which a
// person says "hi" in Slack to the moment at which Slack has the answer, with the
// message and the answer on disk.
func BenchmarkHi(b *testing.B) {
	fake, err := fakeslack.Start(fakeslack.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer fake.Close()
	data, err := os.MkdirTemp("", "h")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(data)
	cfg, err := config.Load("")
	if err != nil {
		b.Fatal(err)
	}
	cfg.Data, cfg.Web.Addr = data, "127.0.0.1:0"
	cfg.Slack.APIURL, cfg.Slack.AppToken, cfg.Slack.BotToken = fake.APIURL(), fakeslack.AppToken, fakeslack.BotToken
	h, err := build(b.Context(), cfg, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- runAll(ctx, h.parts()) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
		if err := h.close(); err != nil {
			b.Error(err)
		}
	}()
	if err := fake.WaitConns(ctx, 1); err != nil {
		b.Fatal(err)
	}
	ana := fake.Human("ana")
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
