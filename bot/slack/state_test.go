package slack_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// S2: a socket that is open and on which nothing is answered is not ready, whatever comes
// in: readiness is an answer to a ping within ten seconds. After fifteen at most such a
// socket is given up, and it comes back without a restart.
func TestS2ReadyIsASignOfLife(t *testing.T) {
	r := newRig(t, setup{still: true, beats: true})
	if within := r.s.Ping() + r.s.Pong(); within > 15*time.Second {
		t.Errorf("a half-open socket is given up after %s, want 15 s at most", within)
	}
	r.connected()
	ready := func() bool { return r.s.State().Health == slack.Ready }
	r.until("being ready", ready)
	if st := r.s.State(); st.Limit > 10*time.Second || st.Proven.IsZero() {
		t.Errorf("state = %+v, want when it was proven, and how old that may be", st)
	}
	r.clock.Advance(11 * time.Second) // and nothing in it
	if st := r.s.State(); st.Health != slack.Deaf || st.Why == "" {
		t.Errorf("state = %+v after a silence, want deaf with a cause", st)
	}
	_, k := r.say("general", "hello")
	r.ears.message(t, k)
	if ready() {
		t.Errorf("state = %+v after an event, want deaf: that is one way", r.s.State())
	}
	r.beat()
	r.until("the answer to a ping", ready)
	if st := r.s.State(); !st.Proven.Equal(r.clock.Now()) {
		t.Errorf("proven at %s, want now", st.Proven)
	}
	r.fake.Freeze()
	r.dies()
	r.must(r.fake.Wait(r.ctx(), "another socket", func() bool {
		now, _ := r.fake.Conns()
		return now == 1 && r.fake.Frozen() == 0
	}))
	r.until("being ready again", ready)
}

// A mute is a connection that a sticky has dialled.
type mute struct {
	net.Conn
	sticky *sticky
	socket bool
}

// sticky dials sockets whose Close never returns once it says so, or that lose what is
// written.
type sticky struct {
	mu      sync.Mutex
	conns   []*mute
	stuck   map[*mute]bool
	dumb    map[*mute]bool
	forever chan struct{}
}

func newSticky(t *testing.T) *sticky {
	s := &sticky{stuck: map[*mute]bool{}, dumb: map[*mute]bool{}, forever: make(chan struct{})}
	t.Cleanup(func() { close(s.forever) })
	return s
}

func (s *sticky) client() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			var d net.Dialer
			c, err := d.DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			m := &mute{Conn: c, sticky: s}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.conns = append(s.conns, m)
			return m, nil
		},
	}}
}

// all marks the sockets that there are.
func (s *sticky) all(in map[*mute]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		in[c] = c.socket
	}
}

func (s *sticky) is(in map[*mute]bool, c *mute) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return in[c]
}

func (m *mute) Close() error {
	if m.sticky.is(m.sticky.stuck, m) {
		<-m.sticky.forever
	}
	return m.Conn.Close()
}

func (m *mute) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("Upgrade: websocket")) {
		m.sticky.mu.Lock()
		m.socket = true
		m.sticky.mu.Unlock()
	}
	if m.sticky.is(m.sticky.dumb, m) {
		return len(b), nil
	}
	return m.Conn.Write(b)
}

// S3: an old socket whose close never returns keeps nobody from hearing, nor from
// stopping.
func TestS3CloseThatNeverReturns(t *testing.T) {
	st := newSticky(t)
	r := newRig(t, setup{still: true, beats: true, client: st.client(), before: func(r *rig) { r.s.Hurry(100 * time.Millisecond) }})
	r.until("being ready", func() bool { return r.s.State().Health == slack.Ready })
	st.all(st.stuck)
	r.fake.Freeze()
	r.dies()
	r.must(r.fake.Wait(r.ctx(), "another socket", func() bool { return len(r.fake.Opens()) == 2 }))
	r.must(r.fake.Wait(r.ctx(), "a socket that is not frozen", func() bool {
		now, _ := r.fake.Conns()
		return now > r.fake.Frozen()
	}))
	r.until("being ready", func() bool { return r.s.State().Health == slack.Ready })
	_, k := r.say("general", "@hermes and now?")
	r.until("the message", func() bool { // Slack may have tried the dead one first
		r.clock.Advance(time.Second)
		return len(r.ears.messages()) > 0
	})
	if got := r.ears.messages()[0].Key; got != k {
		t.Errorf("heard %s, want %s", got, k)
	}
	start := time.Now()
	r.stop()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("stopping took %s", d)
	}
}

// S3: the same while a socket is opened: one that never says hello and cannot be
// closed is left behind.
func TestS3OpeningThatNeverReturns(t *testing.T) {
	st := newSticky(t)
	dialled := make(chan struct{}, 8)
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ws, err := websocket.Accept(w, r, nil); err == nil {
			st.all(st.stuck)
			dialled <- struct{}{}
			_, _, _ = ws.Read(t.Context())
		}
	}))
	t.Cleanup(silent.CloseClientConnections)
	r := newRig(t, setup{still: true, idle: true, client: st.client(), before: func(r *rig) { r.s.Hello(200 * time.Millisecond) }})
	r.fake.Fail(fakeslack.Fault{Method: "apps.connections.open", Body: `{"ok":true,"url":"ws` + silent.URL[len("http"):] + `"}`})
	r.run()
	<-dialled
	r.connected()
	_, k := r.say("general", "@hermes hello")
	r.ears.message(t, k)
}

// S3: a socket that brings frames and on which nothing goes out is replaced: our
// acknowledgements get lost on it.
func TestS3SocketThatOnlyHears(t *testing.T) {
	st := newSticky(t)
	r := newRig(t, setup{still: true, beats: true, client: st.client()})
	r.until("being ready", func() bool { return r.s.State().Health == slack.Ready })
	st.all(st.dumb)
	for range int(r.s.Pong()/r.s.Ping()) + 1 {
		r.fake.SendRaw([]byte(`{"type":"noise"}`)) // Slack says something all the time
		r.beat()
	}
	r.must(r.fake.Wait(r.ctx(), "another socket", func() bool { return len(r.fake.Opens()) > 1 }))
}

// S4: what was stopped can be started: nothing of a stop stays set, even if the
// Receiver was stuck in it, and a stuck Receiver keeps no socket from being replaced.
func TestS4StopIsOfOneAttempt(t *testing.T) {
	r := newRig(t, setup{still: true})
	r.connected()
	release := make(chan struct{})
	r.ears.on = func(context.Context, bot.Message) { <-release }
	_, k := r.say("general", "@hermes hold on")
	r.ears.wait(t, "the message", func() bool { return r.ears.times[k] > 0 })
	r.fake.DropSockets()
	r.must(r.fake.Wait(r.ctx(), "another socket", func() bool { return len(r.fake.Opens()) == 2 }))
	r.connected()
	stopped := make(chan struct{})
	go func() { defer close(stopped); r.stop() }()
	close(release)
	<-stopped
	r.must(r.fake.WaitConns(r.ctx(), 0))
	if st := r.s.State(); st.Health == slack.Ready {
		t.Errorf("state = %+v after a stop", st)
	}
	r.ears.mu.Lock()
	r.ears.on = nil
	r.ears.mu.Unlock()
	r.run() // the same Slack
	r.connected()
	_, k = r.say("general", "@hermes go on")
	r.ears.message(t, k)
	r.until("being ready", func() bool { return r.s.State().Health == slack.Ready })
}

// S5: Slack says itself that a token was taken, or the app removed; the state says so
// at once, before anybody talks, and so does a probe where Slack says nothing.
func TestS5RevokedAtOnce(t *testing.T) {
	for name, event := range map[string]map[string]any{
		"tokens_revoked":  {"type": "tokens_revoked", "tokens": map[string]any{"oauth": []string{"U1"}, "bot": []string{fakeslack.BotUser}}},
		"app_uninstalled": {"type": "app_uninstalled"},
	} {
		r := newRig(t, setup{})
		r.connected()
		r.fake.Event(map[string]any{"type": "tokens_revoked", "tokens": map[string]any{"oauth": []string{"U1"}, "bot": []string{}}})
		r.must(r.fake.WaitAcked(r.ctx()))
		if st := r.s.State(); st.Health != slack.Ready {
			t.Errorf("state = %+v after somebody else's token was taken", st)
		}
		r.fake.Event(event)
		r.must(r.fake.WaitAcked(r.ctx()))
		if st := r.s.State(); st.Health != slack.AuthFailed || st.Why == "" {
			t.Errorf("%s: state = %+v, want auth_failed", name, st)
		}
	}
	r := newRig(t, setup{before: func(r *rig) { r.s.Probe(10 * time.Millisecond) }})
	r.connected()
	r.fake.Revoke(fakeslack.BotToken, "account_inactive")
	r.until("a failed probe", func() bool { return r.s.State().Health == slack.AuthFailed })
	r.fake.Revoke(fakeslack.BotToken, "")
	r.until("a good probe", func() bool { return r.s.State().Health == slack.Ready })
}

// S5, O12: the Receiver is told when the workspace lets us in: at the start, and when a
// token that was refused is good again, be it that a socket opens, that a call is taken,
// or that somebody who tries it out says something; and not while it is not.
func TestS5TheReceiverHearsThatWeAreLetIn(t *testing.T) {
	opened := func(r *rig, n int) {
		t.Helper()
		r.ears.wait(t, fmt.Sprint("being let in for time ", n), func() bool { return r.ears.opened == n })
	}
	for name, again := range map[string]func(*rig, bot.Post){
		"a call is taken": func(r *rig, p bot.Post) { r.post(p) },
		"an event comes":  func(r *rig, _ bot.Post) { r.say("general", "is it back?") },
	} {
		for _, way := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", by HTTP: ", way), func(t *testing.T) {
				r := newRig(t, setup{http: way})
				opened(r, 1)
				r.until("being ready", func() bool { return r.s.State().Health == slack.Ready })
				m, k := r.say("general", "@hermes hello")
				r.ears.message(t, k)
				r.fake.Revoke(fakeslack.BotToken, "token_revoked")
				p := bot.Post{Key: "a", Place: place(m), Text: "hi"}
				if _, err := r.s.Post(r.ctx(), p); !errors.Is(err, bot.ErrShut) {
					t.Errorf("Post = %v, want ErrShut", err)
				}
				asked := len(r.fake.Calls("auth.test"))
				_, k = r.say("general", "@hermes hello?")
				r.ears.message(t, k)
				r.must(r.fake.WaitCalls(r.ctx(), "auth.test", asked+1))
				if r.ears.opened != 1 {
					t.Errorf("told %d times while the token is refused", r.ears.opened)
				}
				r.fake.Revoke(fakeslack.BotToken, "")
				r.s.Forget()
				again(r, p)
				opened(r, 2)
				if st := r.s.State(); st.Health != slack.Ready {
					t.Errorf("state = %+v, want ready", st)
				}
			})
		}
	}
	t.Run("a socket opens", func(t *testing.T) {
		r := newRig(t, setup{still: true, idle: true})
		r.fake.Revoke(fakeslack.AppToken, "token_revoked")
		r.s.Wait(func(ctx context.Context, d time.Duration) error {
			r.fake.Revoke(fakeslack.AppToken, "")
			return r.passes(ctx, d)
		})
		r.run()
		opened(r, 2)
	})
}

// O12: a workspace that changes its mind again and again has not all that waits tried
// each time.
func TestO12LetInAgainAndAgain(t *testing.T) {
	r := newRig(t, setup{still: true})
	r.ears.wait(t, "the start", func() bool { return r.ears.opened == 1 })
	began := r.clock.Now()
	for n := range 6 {
		r.s.Shut("bot token: token_revoked")
		r.s.Note(nil)
		r.ears.wait(t, "being let in again", func() bool { return r.ears.opened == n+2 })
	}
	if d := r.clock.Now().Sub(began); d < 2*time.Minute {
		t.Errorf("told six times within %s", d)
	}
}

// S5: a workspace whose token was taken leaves the others alone.
func TestS5OtherWorkspacesLive(t *testing.T) {
	good, bad := newRig(t, setup{}), newRig(t, setup{still: true, idle: true})
	bad.fake.Revoke(fakeslack.BotToken, "token_revoked")
	tries := make(chan struct{}, 100)
	bad.s.Wait(func(ctx context.Context, d time.Duration) error {
		if d < time.Minute {
			t.Errorf("tries again after %s, want minutes", d)
		}
		tries <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	})
	bad.run()
	<-tries
	if st := bad.s.State(); st.Health != slack.AuthFailed {
		t.Errorf("state = %+v, want auth_failed", st)
	}
	good.connected()
	m, k := good.say("general", "@hermes hello")
	good.ears.message(t, k)
	good.post(bot.Post{Key: "a", Place: place(m), Text: "hi"})
	if _, err := bad.s.Post(bad.ctx(), bot.Post{Key: "a", Place: place(m), Text: "hi"}); !errors.Is(err, bot.ErrShut) {
		t.Errorf("Post = %v, want ErrShut", err)
	}
}
