package slack_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// A payload as it was seen in real life, in the tests of Slack's own libraries.
type payload struct {
	Name, Kind, Type string
	Event            string          `json:"event_type"`
	Subtype          string          `json:"event_subtype"`
	Payload          json.RawMessage `json:"payload"`
}

// payloads reads the collection, which is not part of this repository. Its place is
// HERMES_SHARED, or the folder beside the repository.
func payloads(t testing.TB) []payload {
	t.Helper()
	dir := os.Getenv("HERMES_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	b, err := os.ReadFile(filepath.Join(dir, "data", "slack_payloads_dev.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no collection of payloads here")
	}
	if err != nil {
		t.Fatal(err)
	}
	var out []payload
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p payload
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// frame is a payload in its envelope.
func (p payload) frame() []byte {
	kind, body := "events_api", p.Payload
	switch p.Kind {
	case "interactive", "slash_commands":
		kind = p.Kind
	case "event":
		body = json.RawMessage(`{"type":"event_callback","event":` + string(p.Payload) + `}`)
	case "socketmode":
		if bytes.Contains(p.Payload, []byte(`"envelope_id"`)) {
			return p.Payload
		}
	}
	return []byte(`{"envelope_id":"env-1","type":"` + kind + `","payload":` + string(body) + `}`)
}

// request is a payload as it would come by HTTP.
func (p payload) request() (kind, body string) {
	var f struct {
		Type    string
		Payload json.RawMessage
	}
	_ = json.Unmarshal(p.frame(), &f)
	if f.Payload == nil {
		f.Payload = p.Payload
	}
	if f.Type == "interactive" {
		return form, "payload=" + url.QueryEscape(string(f.Payload))
	}
	return "application/json", string(f.Payload)
}

func byHTTP(t testing.TB) *slack.Slack {
	t.Helper()
	s := slack.New(slack.Config{APIURL: "http://127.0.0.1:1/", BotToken: "xoxb", SigningSecret: secret}, nil, nil)
	s.As("T111", fakeslack.BotUser, fakeslack.BotID)
	return s
}

func nobody(t testing.TB) *slack.Slack {
	t.Helper()
	// A command asks for its conversation, and nobody answers there.
	s := slack.New(slack.Config{APIURL: "http://127.0.0.1:1/", AppToken: "xapp", BotToken: "xoxb"}, nil, nil)
	s.As("T111", fakeslack.BotUser, fakeslack.BotID)
	return s
}

// Whatever Slack sends is acknowledged; what a person said is heard, and nothing
// else is.
func TestRealPayloads(t *testing.T) {
	said := 0
	for _, p := range payloads(t) {
		s, e := nobody(t), newEars()
		id, err := s.Frame(t.Context(), p.frame(), e)
		if err != nil || id == "" && bytes.Contains(p.frame(), []byte(`"envelope_id"`)) {
			t.Errorf("%s %s: Frame = %q, %v; want it acknowledged", p.Kind, p.Name, id, err)
		}
		for _, m := range e.messages() {
			said++
			real := strings.HasPrefix(m.Key, "slack/T111/") && m.Place.Channel != "" && len(m.Raw) > 0
			if !real {
				t.Errorf("%s %s: heard %+v", p.Kind, p.Name, m)
			}
			if kept := strings.Contains(m.Key, "/envelope/"); kept && (m.Text != "" || m.Addressed || m.Direct || m.InThread) {
				t.Errorf("%s %s: somebody speaks in what cannot be read: %+v", p.Kind, p.Name, m)
			}
			if p.Event != "" && p.Event != "message" && p.Event != "app_mention" {
				t.Errorf("%s %s: a %s is heard as %+v", p.Kind, p.Name, p.Event, m)
			}
		}
		// By HTTP it is the same.
		kind, body := p.request()
		w, h := httptest.NewRecorder(), newEars()
		byHTTP(t).Handler(h).ServeHTTP(w, signed(secret, time.Now(), kind, body))
		if w.Code != http.StatusOK {
			t.Errorf("%s %s by HTTP is answered with %d %s", p.Kind, p.Name, w.Code, w.Body)
		}
		if a, b := len(e.messages())+len(e.clicks), len(h.messages())+len(h.clicks); a != b && p.Kind != "socketmode" {
			t.Errorf("%s %s: %d things are heard over a socket and %d by HTTP", p.Kind, p.Name, a, b)
		}
	}
	if said == 0 {
		t.Error("no message was heard in all payloads")
	}
}

// The same with one value after another put in the place of each value: whatever
// is missing or of another kind, the envelope is acknowledged and nothing breaks.
func TestMutatedPayloads(t *testing.T) {
	with := []any{nil, 7.5, "x", []any{nil}, map[string]any{"id": 1}}
	n := 0
	for _, p := range append(payloads(t), ourPayloads...) {
		var tree map[string]any
		if json.Unmarshal(p.frame(), &tree) != nil {
			continue
		}
		// What is of no kind that we read is one path, however it is changed.
		if !slices.ContainsFunc(readKinds, func(k string) bool { return bytes.Contains(p.Payload, []byte(`"`+k+`"`)) }) {
			continue
		}
		s, e := nobody(t), newEars()
		mutate(tree, with, func() {
			n++
			b, err := json.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			id, err := s.Frame(t.Context(), b, e)
			if want, _ := tree["envelope_id"].(string); err != nil || id != want && tree["type"] != "disconnect" {
				t.Errorf("%s: Frame = %q, %v; want %q: %s", p.Name, id, err, want, b)
			}
		})
	}
	t.Logf("%d mutations", n)
}

// readKinds are words of the payloads that we read.
var readKinds = []string{
	"message", "app_mention", "block_actions", "view_submission", "message_action", "command", "agent_session_stopped",
	"app_home_opened", "assistant_thread_started", "tokens_revoked", "user_change", "channel_id_changed", "subteam_members_changed", "app_rate_limited",
}

// ourPayloads are of the kinds that the collection lacks, with all that we read of them.
var ourPayloads = []payload{
	{Name: "shortcut", Kind: "interactive", Payload: json.RawMessage(`{"type":"message_action","callback_id":"ask_about_message","action_ts":"1.2",
		"user":{"id":"U1","team_id":"T2"},"channel":{"id":"C1"},"response_url":"https://h/","message":{"type":"message","user":"U2","ts":"1.1","text":"hi","thread_ts":"1.0","files":[{"id":"F1","name":"a"}]}}`)},
	{Name: "stop", Kind: "event", Payload: json.RawMessage(`{"type":"agent_session_stopped","channel":"C1","thread_ts":"1.2","user":"U1","event_ts":"1.3"}`)},
	{Name: "home", Kind: "event", Payload: json.RawMessage(`{"type":"app_home_opened","channel":"D1","tab":"messages","user":"U1"}`)},
	{Name: "pane", Kind: "event", Payload: json.RawMessage(`{"type":"assistant_thread_started","assistant_thread":{"user_id":"U1","channel_id":"D1","thread_ts":"1.2"}}`)},
	{Name: "bot", Kind: "event", Payload: json.RawMessage(`{"type":"message","subtype":"bot_message","channel":"C1","bot_id":"B2","app_id":"A2","username":"x","bot_profile":{"name":"y"},"ts":"1.2","text":"hi","user_team":"T2"}`)},
	{Name: "group", Kind: "event", Payload: json.RawMessage(`{"type":"subteam_members_changed","subteam_id":"S1"}`)},
	{Name: "person", Kind: "event", Payload: json.RawMessage(`{"type":"user_change","user":{"id":"U1"}}`)},
	{Name: "command", Kind: "slash_commands", Payload: json.RawMessage(`{"command":"/hermes","user_id":"U1","text":"hi","trigger_id":"1.2","channel_id":"C1"}`)},
}

// mutate puts each value of with in the place of each value in a tree, and calls
// f every time.
func mutate(tree any, with []any, f func()) {
	swap := func(v any, set func(any)) {
		for _, w := range with {
			set(w)
			f()
		}
		set(v)
		mutate(v, with, f)
	}
	switch v := tree.(type) {
	case map[string]any:
		for k, old := range v {
			swap(old, func(w any) { v[k] = w })
		}
	case []any:
		for i, old := range v {
			swap(old, func(w any) { v[i] = w })
		}
	}
}

// Bytes of any kind break nothing.
func FuzzFrame(f *testing.F) {
	for _, s := range []string{
		`{"type":"hello"}`, `{"type":"disconnect","reason":"warning"}`, `{`, `[]`, `null`, `"x"`, `{"envelope_id":1}`,
		`{"envelope_id":"e","type":"events_api","payload":{"event":{"type":"message","channel":"C1","user":"U1","ts":"1.2","text":"<@U0HERMES1> <"}}}`,
		`{"envelope_id":"e","type":"interactive","payload":{"type":"block_actions","actions":[{"action_id":"choice:a","action_ts":"1.2"}]}}`,
	} {
		f.Add([]byte(s))
	}
	for _, p := range ourPayloads {
		f.Add(p.frame())
	}
	s := nobody(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := s.Frame(t.Context(), b, newEars()); err != nil {
			t.Errorf("Frame(%q) = %v", b, err)
		}
	})
}

// FuzzPlain: whatever a text of Slack's holds, what a person is shown of it has no
// reference to us left, and reading it again changes no more than what is escaped.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{
		"<@U0HERMES1> hi", "a &amp;lt; b &lt;@U1&gt;", "<https://a.b|c> <mailto:x@y.z|x@y.z>", "<!subteam^S1|@all> <!here> <!date^1^{date}|then>",
		"<#C1|> <#C1|sales> <@U2|leo>", "<<@U0HERMES1>>", "<", "<>", "<|>", "<@>", "&", "\xff<@U0HERMES1|\xff>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := slack.Plain(fakeslack.BotUser, s)
		if !strings.ContainsAny(s, "<>&") && got != strings.TrimSpace(s) {
			t.Errorf("Plain(%q) = %q, want what it was", s, got)
		}
		if strings.Contains(s, "<@"+fakeslack.BotUser+">") && !strings.Contains(strings.ReplaceAll(s, "<@"+fakeslack.BotUser+">", ""), fakeslack.BotUser) &&
			strings.Contains(got, fakeslack.BotUser) {
			t.Errorf("Plain(%q) = %q still names us", s, got)
		}
		if n := strings.Count(s, "<") + strings.Count(s, "&lt;"); strings.Count(got, "<") > n {
			t.Errorf("Plain(%q) = %q has more signs than were written", s, got)
		}
	})
}
