package slack_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// BenchmarkHi measures from the moment at which a person posts to the moment at
// which Slack has the answer, with a Receiver that answers at once. What is more
// than this in the daemon is the daemon's.
func BenchmarkHi(b *testing.B) {
	fake, err := fakeslack.Start(fakeslack.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer fake.Close()
	s := slack.New(slack.Config{APIURL: fake.APIURL(), AppToken: fakeslack.AppToken, BotToken: fakeslack.BotToken}, nil, nil)
	e := newEars()
	e.on = func(ctx context.Context, m bot.Message) {
		if m.Addressed {
			go func() {
				if _, err := s.Post(context.WithoutCancel(ctx), bot.Post{Key: m.Key + "/a", Place: m.Place, Text: "Hi!"}); err != nil {
					b.Error(err)
				}
			}()
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Run(ctx, e) }()
	defer func() { stop(); <-done }()
	if err := fake.WaitConns(ctx, 1); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	var room string
	for i := 0; b.Loop(); i++ {
		if i%50 == 0 { // Slack takes one a second from a channel, after a burst
			room = fake.AddChannel(fakeslack.Channel{Name: fmt.Sprint("r", i), Members: []string{fakeslack.BotUser, fake.Human("ana").ID()}})
		}
		posts := len(fake.Calls("chat.postMessage"))
		start := time.Now()
		if _, err := fake.Human("ana").Say(room, "@hermes hi"); err != nil {
			b.Fatal(err)
		}
		if err := fake.WaitCalls(ctx, "chat.postMessage", posts+1); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	var acks []time.Duration
	for _, d := range fake.Deliveries() {
		acks = append(acks, d.Took)
	}
	slices.Sort(acks)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(acks[len(acks)*99/100].Microseconds()), "ack-p99-µs")
}
