package slack_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// fastClock runs faster than the wall's, so that a wait of seconds is one of a moment.
type fastClock struct{ start time.Time }

const speed = 20

func (c fastClock) Now() time.Time { return c.start.Add(speed * time.Since(c.start)) }

func (c fastClock) AfterFunc(d time.Duration, f func()) func() {
	t := time.AfterFunc(d/speed, f)
	return func() { t.Stop() }
}

func (c fastClock) wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d / speed)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A clerk is a Receiver that answers each message once, those of a thread one after
// another in the order in which it heard them, as the bot does.
type clerk struct {
	t     *testing.T
	fake  *fakeslack.Server
	s     *slack.Slack
	clock fastClock
	ctx   context.Context

	mu    sync.Mutex
	heard map[string]bool
	order map[bot.Place][]string // texts, as they were heard
	lines map[bot.Place][]bot.Message
	busy  map[bot.Place]bool
	left  int // messages that are not answered yet
	done  chan struct{}
	work  sync.WaitGroup
}

func (c *clerk) Click(context.Context, bot.Click) error { return nil }

func (c *clerk) Receive(_ context.Context, m bot.Message) error {
	if !m.Addressed {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard[m.Key] {
		return nil
	}
	c.heard[m.Key] = true
	c.order[m.Place] = append(c.order[m.Place], m.Text)
	c.lines[m.Place] = append(c.lines[m.Place], m)
	if !c.busy[m.Place] {
		c.busy[m.Place] = true
		c.work.Go(func() { c.serve(m.Place) })
	}
	return nil
}

// serve answers what waits in a thread.
func (c *clerk) serve(p bot.Place) {
	for {
		c.mu.Lock()
		line := c.lines[p]
		if len(line) == 0 || c.ctx.Err() != nil {
			c.busy[p] = false
			c.mu.Unlock()
			return
		}
		m := line[0]
		c.lines[p] = line[1:]
		c.mu.Unlock()
		c.answer(m)
		c.mu.Lock()
		if c.left--; c.left == 0 {
			close(c.done)
		}
		c.mu.Unlock()
	}
}

// answer says one answer, as the outbox does.
func (c *clerk) answer(m bot.Message) {
	p := bot.Post{Key: m.Key + "/answer", Place: m.Place, Text: "answer to " + m.Text}
	for p.Attempt = 1; ; p.Attempt++ {
		if c.ctx.Err() != nil {
			return
		}
		if p.Attempt > 1 {
			_, ok, err := c.s.Find(c.ctx, p)
			if ok {
				return
			}
			if err != nil || p.Attempt == 2 {
				_ = c.clock.wait(c.ctx, time.Second)
				continue
			}
		}
		_, err := c.s.Post(c.ctx, p)
		switch {
		case err == nil:
			return
		case errors.Is(err, bot.ErrBusy), errors.Is(err, bot.ErrUnknown):
		default:
			c.t.Errorf("Post %s: %v", p.Key, err)
			return
		}
	}
}

// O1, O12, S7, S17, SLK-02: ten thousand messages in two hundred threads, of which some are
// delivered twice or lost, while sockets break, Slack limits and answers get lost: each
// is answered exactly once, in the order of its thread. With the race detector it is a
// thousand; .ci/run has all of them without it.
func TestTenThousandMessages(t *testing.T) {
	const burst = 5 // messages in a thread of which none waits for the one before
	const ahead = 10
	threads, each := 200, 50
	if testing.Short() || raced {
		threads, each = 40, 25
	}
	clock := fastClock{time.Now()}
	fake, err := fakeslack.Start(fakeslack.Options{Clock: clock})
	must(t, err)
	t.Cleanup(fake.Close)
	s := slack.New(slack.Config{APIURL: fake.APIURL(), AppToken: fakeslack.AppToken, BotToken: fakeslack.BotToken, Now: clock.Now}, nil, nil)
	s.Wait(clock.wait)
	ctx, stop := context.WithTimeout(context.Background(), 8*time.Minute)
	defer stop()
	c := &clerk{
		t: t, fake: fake, s: s, clock: clock, ctx: ctx, heard: map[string]bool{}, order: map[bot.Place][]string{}, lines: map[bot.Place][]bot.Message{},
		busy: map[bot.Place]bool{}, left: threads * each, done: make(chan struct{}),
	}
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx, c) }()
	must(t, fake.WaitConns(ctx, 1))

	roots := make([]fakeslack.Message, threads)
	ana := fake.Human("ana")
	trouble := map[int]bool{} // rounds that may be heard in another order than they were said
	quiet := disturbed(fake)
	for round := range each / burst {
		switch round % 8 {
		case 2:
			fake.Lose(max(1, threads/50))
			trouble[round] = true
		case 3:
			fake.DropSockets()
			trouble[round] = true
		case 4:
			fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Status: 429, RetryAfter: 2, Times: max(1, threads/20)})
		case 5:
			fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Cut: true, Times: max(1, threads/10)})
		case 6:
			fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Status: 503, Times: max(1, threads/10)})
		case 7:
			fake.Refresh() // there are two sockets for a while
			trouble[round], trouble[round+1] = true, true
		}
		said := threads * round * burst
		for i := range roots {
			for n := round * burst; n < (round+1)*burst; n++ {
				text := fmt.Sprintf("@hermes %d.%d", i, n)
				if (n*threads+i)%100 == 0 {
					fake.Duplicate(1)
				}
				if n == 0 {
					room := fake.AddChannel(fakeslack.Channel{Name: fmt.Sprint("room", i), Members: []string{fakeslack.BotUser, ana.ID()}})
					roots[i], err = ana.Say(room, text)
				} else {
					_, err = ana.Reply(roots[i].Channel, roots[i].TS, text)
				}
				must(t, err)
				said++
			}
			c.hears(said - ahead) // people do not say very much more than is heard
		}
		c.hears(threads * (round + 1) * burst)
		if now := disturbed(fake); now != quiet {
			// The machine was so slow that Slack sent something again by itself, or that
			// a socket was given up.
			trouble[round], trouble[round+1], quiet = true, true, now
		}
	}
	select {
	case <-c.done:
	case <-ctx.Done():
		c.mu.Lock()
		t.Fatalf("%d of %d messages are heard, %d are not answered", len(c.heard), threads*each, c.left)
	}
	stop()
	must(t, <-ran)
	c.work.Wait()
	c.check(threads, each, func(n int) bool { return trouble[n/burst] })
}

// disturbed counts sockets that were opened and acknowledgements that came late.
func disturbed(fake *fakeslack.Server) int {
	n := len(fake.Opens())
	for _, d := range fake.Deliveries() {
		if d.Acked && d.Took > 3*time.Second/speed {
			n++
		}
	}
	return n
}

// hears waits until n messages are heard.
func (c *clerk) hears(n int) {
	c.t.Helper()
	must(c.t, c.fake.Wait(c.ctx, fmt.Sprint(n, " messages to be heard"), func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.heard) >= n
	}))
}

// check looks at what people see. What was heard while nothing was lost was heard in
// the order in which it was said.
func (c *clerk) check(threads, each int, troubled func(int) bool) {
	t := c.t
	t.Helper()
	shown := map[bot.Place][]string{}
	for _, m := range c.fake.Messages() {
		if m.Mine() {
			shown[place(m)] = append(shown[place(m)], m.Shown())
		}
	}
	for p, order := range c.order {
		var want []string
		for i, text := range order {
			want = append(want, "answer to "+text)
			if _, n, _ := strings.Cut(text, "."); n != fmt.Sprint(i) && !troubled(i) {
				t.Errorf("%v: %q is heard as number %d", p, text, i)
			}
		}
		if got := shown[p]; strings.Join(got, "\n") != strings.Join(want, "\n") || len(got) != each {
			t.Errorf("%v: %d answers, want %d in the order of the questions:\n%v\n%v", p, len(got), each, got, want)
		}
	}
	if len(c.order) != threads {
		t.Errorf("%d threads, want %d", len(c.order), threads)
	}
	for _, what := range c.fake.Judge() {
		t.Error("slack judges: " + what)
	}
	if least := c.fake.OpensApart(); least < 5*time.Second {
		t.Errorf("sockets were opened %s apart, want 5 s", least)
	}
	t.Logf("%d messages, %d calls, acks %+v; of the latter 99 in 100 should take less than a second", threads*each, len(c.fake.Calls("")), c.fake.AckTimes())
}
