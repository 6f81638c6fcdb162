package fakeslack_test

import (
	"strings"
	"testing"

	"github.com/coder/websocket"

	"hermes/internal/fakeslack"
)

// What an app does wrong where Slack is silent is judged, each by a sentence of its own, and
// what is right is not.
func TestJudge(t *testing.T) {
	meta := m{"event_type": "app_post", "event_payload": m{"key": "k1"}}
	post := func(args m) func(*testing.T, *fakeslack.Server) {
		return func(t *testing.T, s *fakeslack.Server) {
			t.Helper()
			args["channel"] = "C0SALES01"
			if out := call(t, s, fakeslack.BotToken, "chat.postMessage", args); out["ok"] != true {
				t.Fatal(out)
			}
		}
	}
	open := func(t *testing.T, s *fakeslack.Server) string {
		t.Helper()
		url, _ := call(t, s, fakeslack.AppToken, "apps.connections.open", nil)["url"].(string)
		return url
	}
	for name, tt := range map[string]struct {
		do   func(*testing.T, *fakeslack.Server)
		want string // begins the only sentence; empty: none
	}{
		"a plain post":           {post(m{"text": "hi <@U0ANA0001>"}), ""},
		"a call of everybody":    {post(m{"text": "<!channel> hi"}), `chat.postMessage has "<!channel"`},
		"a call of a group":      {post(m{"text": "x", "blocks": []m{{"type": "section", "text": m{"type": "mrkdwn", "text": "hi <!subteam^S1>"}}}}), `chat.postMessage has "<!subteam"`},
		"what is shown as it is": {post(m{"text": "x", "blocks": []m{{"type": "section", "text": m{"type": "plain_text", "text": "<!channel>"}}}}), ""},
		"a token":                {post(m{"text": "it is " + fakeslack.BotToken}), "chat.postMessage has a token"},
		"the same post twice": {func(t *testing.T, s *fakeslack.Server) {
			post(m{"text": "a", "metadata": meta})(t, s)
			post(m{"text": "b", "metadata": meta})(t, s)
		}, `{"event_payload":{"key":"k1"},"event_type":"app_post"} stands twice in C0SALES01`},
		"the same post, one taken back": {func(t *testing.T, s *fakeslack.Server) {
			post(m{"text": "a", "metadata": meta})(t, s)
			call(t, s, fakeslack.BotToken, "chat.delete", m{"channel": "C0SALES01", "ts": s.Messages()[0].TS})
			post(m{"text": "b", "metadata": meta})(t, s)
		}, ""},
		"sockets opened in a row": {func(t *testing.T, s *fakeslack.Server) { open(t, s); open(t, s) }, "socket 2 was opened"},
		"a program started anew": {func(t *testing.T, s *fakeslack.Server) {
			open(t, s)
			s.Anew()
			open(t, s)
		}, ""},
		"a socket that was cut off": {func(t *testing.T, s *fakeslack.Server) {
			if _, _, err := websocket.Dial(soon(t), open(t, s), nil); err != nil {
				t.Fatal(err)
			}
			_ = s.WaitConns(soon(t), 1)
			s.DropSockets()
			open(t, s)
		}, "socket 2 was opened"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, fakeslack.Options{})
			tt.do(t, s)
			got := s.Judge()
			if tt.want == "" && len(got) != 0 || tt.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], tt.want)) {
				t.Errorf("judged %q, want %q", got, tt.want)
			}
		})
	}
}

// What people still see as under way is told until it ends.
func TestUnfinished(t *testing.T) {
	s := start(t, fakeslack.Options{})
	said := must(s.Human("ana").Say("sales", "@hermes hi"))
	status := func(state string) {
		call(t, s, fakeslack.BotToken, "agents.sessions.setStatus", m{"channel_id": said.Channel, "thread_ts": said.TS, "status": state})
	}
	status("processing")
	out := call(t, s, fakeslack.BotToken, "chat.startStream", m{
		"channel": said.Channel, "thread_ts": said.TS, "recipient_user_id": "U0ANA0001", "recipient_team_id": fakeslack.Team, "chunks": []m{{"type": "markdown_text", "text": "a"}},
	})
	if got := s.Unfinished(); len(got) != 2 {
		t.Errorf("unfinished: %q after %v, want the status and the stream", got, out)
	}
	status("active")
	call(t, s, fakeslack.BotToken, "chat.stopStream", m{"channel": said.Channel, "ts": out["ts"]})
	if got := s.Unfinished(); len(got) != 0 {
		t.Errorf("still unfinished: %q", got)
	}
}
