package slack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// The traps of Slack's library, each under its number, where our own code goes round
// it. What other tests promise too is run here again under that name.
func TestSLACK8Traps(t *testing.T) {
	t.Run("SLACK-8.1 reconnects make no storm", TestS1FlappingSocket)
	t.Run("SLACK-8.2 what cannot be read is acknowledged", func(t *testing.T) {
		for _, payload := range []string{`[1,2]`, `"x"`, `{"event":7}`, `{"event":{"type":[]}}`, `null`} {
			id, err := nobody(t).Frame(t.Context(), []byte(`{"type":"events_api","envelope_id":"e1","payload":`+payload+`}`), newEars())
			if err != nil || id != "e1" {
				t.Errorf("%s: acknowledged %q, %v", payload, id, err)
			}
		}
	})
	t.Run("SLACK-8.3 a refusal for good is not tried in a loop", TestS5RevokedAppToken)
	t.Run("SLACK-8.4 a refresh opens before it closes", TestS1RefreshOverlaps)
	t.Run("SLACK-8.5 many events wait while one is slow, and the socket lives", slowReceiver)
	t.Run("SLACK-8.6 acknowledgements do not hang where the socket is gone", goneBeforeTheAck)
	t.Run("SLACK-8.7 we ping ourselves", TestS2HalfOpenSocket)
	t.Run("SLACK-8.8 an acknowledgement is small, whatever it answers", smallAck)
	t.Run("SLACK-8.9 unknown things in an answer are no failure", TestUnknownBlocksInTheAnswer)
	t.Run("SLACK-8.10 unknown things in an event or a press take nothing with them", unknownInside)
	t.Run("SLACK-8.11 a no without a word is no yes", silentNo)
	t.Run("SLACK-8.13 the library debugs nothing", noDebug)
	t.Run("SLACK-8.14 a reply that lost its thread is noticed", TestAReplyWithoutItsThread)
	t.Run("SLACK-8.15 fields that the library lacks are read", lackedFields)
	t.Run("SLACK-8.16 the library is pinned to a version that was tried", pinned)
	t.Run("SLACK-8.17 the language is as new as the library needs", newEnough)
	t.Run("SLACK-8.18 no token stands in a log or an error", noToken)
}

// pinned holds go.mod to one release of the library: what changes it changes this line,
// and has the whole suite run against it.
func pinned(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	must(t, err)
	if !strings.Contains(string(mod), "github.com/slack-go/slack v0.35.0\n") || strings.Contains(string(mod), "replace github.com/slack-go") {
		t.Error("go.mod has another slack-go than v0.35.0, or a replacement; each release has broken something: try it against the fake and @slack/bolt")
	}
}

func newEnough(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	must(t, err)
	_, rest, _ := strings.Cut(string(mod), "\ngo ")
	var major, minor int
	if _, err := fmt.Sscanf(rest, "%d.%d", &major, &minor); err != nil || major != 1 || minor < 26 {
		t.Errorf("go.mod asks for go %d.%d (%v), slack-go for 1.26", major, minor, err)
	}
}

func slowReceiver(t *testing.T) {
	const many = 120
	free := make(chan struct{})
	r := newRig(t, setup{still: true})
	r.ears.on = func(context.Context, bot.Message) { <-free }
	r.connected()
	var keys []string
	for i := range many {
		_, k := r.say("general", fmt.Sprint("@hermes line ", i))
		keys = append(keys, k)
	}
	if now, _ := r.fake.Conns(); now != 1 {
		t.Errorf("%d sockets while one event is slow", now)
	}
	close(free)
	for _, k := range keys {
		r.ears.message(t, k)
	}
	r.must(r.fake.WaitAcked(r.ctx()))
	if n := len(r.fake.Opens()); n != 1 {
		t.Errorf("%d sockets were opened, want one", n)
	}
}

func goneBeforeTheAck(t *testing.T) {
	free := make(chan struct{})
	r := newRig(t, setup{still: true})
	var first sync.Once
	taken := make(chan struct{})
	r.ears.on = func(context.Context, bot.Message) {
		first.Do(func() { close(taken); <-free })
	}
	r.connected()
	var keys []string
	for i := range 30 {
		_, k := r.say("general", fmt.Sprint("@hermes line ", i))
		keys = append(keys, k)
	}
	<-taken
	r.fake.DropSockets()
	close(free)
	r.connected()
	r.clock.Advance(2 * time.Minute) // then Slack sends again what was not acknowledged
	for _, k := range keys {
		r.ears.message(t, k)
	}
	r.must(r.fake.WaitAcked(r.ctx()))
}

func smallAck(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	d, err := r.fake.Human("ana").Slash("sales", "/hermes", strings.Repeat("long ", 8000))
	r.must(err)
	d, err = r.fake.WaitAnswer(r.ctx(), d)
	r.must(err)
	if d.Refused != "" || len(d.Answer) == 0 || len(d.Answer) > 2000 {
		t.Errorf("answered with %d bytes (%s)", len(d.Answer), d.Refused)
	}
}

func unknownInside(t *testing.T) {
	const odd = `"blocks":[{"type":"actions","block_id":"b","elements":[{"type":"hologram","x":[1]}]},{"type":"hologram"}],"attachments":[{"blocks":[{"type":"hologram"}]}]`
	s, e := nobody(t), newEars()
	frame := func(kind, payload string) {
		t.Helper()
		if id, err := s.Frame(t.Context(), []byte(`{"type":"`+kind+`","envelope_id":"e1","payload":`+payload+`}`), e); err != nil || id != "e1" {
			t.Errorf("%s: acknowledged %q, %v", kind, id, err)
		}
	}
	frame("events_api", `{"team_id":"T111","event":{"type":"app_mention","channel":"C1","user":"U1","ts":"1700000000.000100","text":"<@`+fakeslack.BotUser+`> hi",`+odd+`}}`)
	frame("interactive", `{"type":"block_actions","user":{"id":"U1"},"channel":{"id":"C1"},"container":{"type":"message","channel_id":"C1","message_ts":"1700000000.000200"},
		"message":{"type":"message","ts":"1700000000.000200",`+odd+`},"actions":[{"type":"button","action_id":"choice:yes","value":"q1","action_ts":"1700000001.000000"}]}`)
	if ms := e.messages(); len(ms) != 1 || ms[0].Text != "hi" || !ms[0].Addressed {
		t.Errorf("heard %+v", ms)
	}
	if len(e.clicks) != 1 {
		t.Errorf("%d presses are heard", len(e.clicks))
	}
}

func silentNo(t *testing.T) {
	r := newRig(t, setup{idle: true})
	_, at := salesThread(t, r)
	r.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Silent: true})
	if _, err := r.s.Post(r.ctx(), bot.Post{Key: "a", Place: at, Text: "x"}); !errors.Is(err, bot.ErrUnknown) {
		t.Errorf("Post = %v, want that nobody knows", err)
	}
}

func noDebug(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte("OptionDebug")) || bytes.Contains(b, []byte("OptionLog")) {
			t.Errorf("%s has the library write what it sends", f.Name())
		}
	}
}

func lackedFields(t *testing.T) {
	s, e := nobody(t), newEars()
	for _, event := range []string{
		`{"type":"agent_session_stopped","channel":"C1","thread_ts":"1700000000.000100","user":"U1","event_ts":"1700000000.000300"}`,
		`{"type":"message","channel":"C1","user":"U9","user_team":"T999","ts":"1700000000.000400","text":"<@` + fakeslack.BotUser + `> hi"}`,
	} {
		b, err := json.Marshal(map[string]any{"type": "events_api", "envelope_id": "e1", "payload": json.RawMessage(`{"team_id":"T111","event":` + event + `}`)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Frame(t.Context(), b, e); err != nil {
			t.Errorf("%s: %v", event, err)
		}
	}
	halts := 0
	for _, c := range e.clicks {
		if c.Halt {
			halts++
		}
	}
	if ms := e.messages(); halts != 1 || len(ms) != 1 || ms[0].Standing != bot.External {
		t.Errorf("%d stops, heard %+v", halts, ms)
	}
}

func noToken(t *testing.T) {
	var log bytes.Buffer
	fake, err := fakeslack.Start(fakeslack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer fake.Close()
	s := slack.New(slack.Config{APIURL: fake.APIURL(), AppToken: fakeslack.AppToken, BotToken: fakeslack.BotToken}, nil,
		slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	s.As(fakeslack.Team, fakeslack.BotUser, fakeslack.BotID)
	place := bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: fake.Channel("general").ID()}
	var said []string
	for _, f := range []fakeslack.Fault{{Error: "invalid_auth"}, {Status: 500}, {Truncate: true}, {Cut: true}} {
		f.Method = "chat.postMessage"
		fake.Fail(f)
		_, err := s.Post(t.Context(), bot.Post{Key: "a", Place: place, Text: "x"})
		said = append(said, fmt.Sprint(err))
	}
	fake.Close()
	_, err = s.Post(t.Context(), bot.Post{Key: "a", Place: place, Text: "x"})
	said = append(said, fmt.Sprint(err), log.String())
	for _, text := range said {
		if strings.Contains(text, fakeslack.BotToken) || strings.Contains(text, fakeslack.AppToken) {
			t.Errorf("a token stands in %q", text)
		}
	}
}
