package slack_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	case "interactive":
		kind = "interactive"
	case "event":
		body = json.RawMessage(`{"type":"event_callback","event":` + string(p.Payload) + `}`)
	case "socketmode":
		if bytes.Contains(p.Payload, []byte(`"envelope_id"`)) {
			return p.Payload
		}
	}
	return []byte(`{"envelope_id":"env-1","type":"` + kind + `","payload":` + string(body) + `}`)
}

func nobody(t testing.TB) *slack.Slack {
	t.Helper()
	s := slack.New(slack.Config{AppToken: "xapp", BotToken: "xoxb"}, nil, nil)
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
	for _, p := range payloads(t) {
		var tree map[string]any
		if json.Unmarshal(p.frame(), &tree) != nil {
			continue
		}
		// What is of no kind that we read is one path, however it is changed.
		if b := string(p.Payload); !strings.Contains(b, `"message"`) && !strings.Contains(b, `"app_mention"`) && !strings.Contains(b, `"block_actions"`) {
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
	s := nobody(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := s.Frame(t.Context(), b, newEars()); err != nil {
			t.Errorf("Frame(%q) = %v", b, err)
		}
	})
}
