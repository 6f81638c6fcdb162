package fakeslack

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// The schemas are made of Slack's own packages and are not ours to keep, so this
// test needs them to have been made.
func gate(t *testing.T) *Gate {
	t.Helper()
	if os.Getenv(SchemaEnv) == "" {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not set", SchemaEnv)
		}
		t.Skipf("%s is not set; tools/slack makes the schemas", SchemaEnv)
	}
	g, err := NewGate(os.Getenv(SchemaEnv))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGateLetsThroughWhatSlackTakes(t *testing.T) {
	g := gate(t)
	for name, c := range map[string]struct {
		method string
		args   map[string]string
	}{
		"a text":                {"chat.postMessage", map[string]string{"channel": "C1", "text": "hi"}},
		"a reply":               {"chat.postMessage", map[string]string{"channel": "C1", "text": "hi", "thread_ts": "1.2"}},
		"a markdown block":      {"chat.postMessage", map[string]string{"channel": "C1", "blocks": `[{"type":"markdown","text":"**hi**"}]`}},
		"a table":               {"chat.update", map[string]string{"channel": "C1", "ts": "1.2", "blocks": `[{"type":"table","rows":[[{"type":"raw_text","text":"a"}]]}]`}},
		"a stream":              {"chat.startStream", map[string]string{"channel": "C1", "thread_ts": "1.2", "chunks": `[{"type":"markdown_text","text":"hi"}]`}},
		"a home":                {"views.publish", map[string]string{"user_id": "U1", "view": `{"type":"home","blocks":[{"type":"divider"}]}`}},
		"the head of a history": {"conversations.history", map[string]string{"channel": "C1", "limit": "15"}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := g.Check(Call{Method: c.method, Args: c.args}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestGateStopsWhatSlackRefuses(t *testing.T) {
	g := gate(t)
	long := strings.Repeat("x", 3001)
	for name, c := range map[string]struct {
		method string
		args   map[string]string
	}{
		"no channel":              {"chat.postMessage", map[string]string{"text": "hi"}},
		"an unknown argument":     {"chat.update", map[string]string{"channel": "C1", "ts": "1.2", "text": "x", "colour": "red"}},
		"an unknown block":        {"chat.postMessage", map[string]string{"channel": "C1", "blocks": `[{"type":"poem","text":"x"}]`}},
		"a section too long":      {"chat.postMessage", map[string]string{"channel": "C1", "blocks": `[{"type":"section","text":{"type":"mrkdwn","text":"` + long + `"}}]`}},
		"a field of no block":     {"chat.postMessage", map[string]string{"channel": "C1", "blocks": `[{"type":"markdown","text":"x","bold":true}]`}},
		"a button's label":        {"chat.postMessage", map[string]string{"channel": "C1", "blocks": `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"` + long[:76] + `"}}]}]`}},
		"a title of a modal":      {"views.open", map[string]string{"trigger_id": "1", "view": `{"type":"modal","title":{"type":"plain_text","text":"` + long[:25] + `"},"blocks":[]}`}},
		"too many in a context":   {"chat.postMessage", map[string]string{"channel": "C1", "blocks": `[{"type":"context","elements":[` + strings.Repeat(`{"type":"mrkdwn","text":"x"},`, 10) + `{"type":"mrkdwn","text":"x"}]}]`}},
		"an unknown chunk":        {"chat.appendStream", map[string]string{"channel": "C1", "ts": "1.2", "chunks": `[{"type":"song","text":"x"}]`}},
		"a long action_id":        {"chat.postMessage", map[string]string{"channel": "C1", "blocks": `[{"type":"actions","elements":[{"type":"button","action_id":"` + long[:256] + `","text":{"type":"plain_text","text":"x"}}]}]`}},
		"a list for a text block": {"chat.postMessage", map[string]string{"channel": "C1", "blocks": `[{"type":"markdown","text":["x"]}]`}},
	} {
		t.Run(name, func(t *testing.T) {
			if g.Check(Call{Method: c.method, Args: c.args}) == nil {
				t.Error("it was let through")
			}
		})
	}
	if err := g.Check(Call{Method: "chat.sing"}); !errors.Is(err, ErrNoSchema) {
		t.Errorf("a method that there is not: %v", err)
	}
}

// What these tests say wrongly they say to see it refused.
func TestMain(m *testing.M) {
	if err := os.Unsetenv(ViolationsEnv); err != nil {
		panic(err)
	}
	m.Run()
}
