package bot_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/bot"
)

// X1, S12: what somebody writes is kept without the secret in it, in the words and in
// what the platform sent along; they are told kindly, in their language, and once; and
// what a model says of secrets is not said.
func TestX1ASecretInAMessage(t *testing.T) {
	token := "xo" + "xb-1234567890-" + strings.Repeat("aB3d", 6)
	for lang, tt := range map[string]struct{ text, kind, want string }{
		"en": {"@hermes what were the sales with " + token + "?", "slack token", "change it where it is from"},
		"zh": {"上个月的销售额是多少？密码是hunter22", "password", "到来源处更换"},
	} {
		t.Run(lang, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{says: map[string][]llm.Reply{"k1": {{Message: llm.Message{Role: llm.Assistant, Text: "Use " + token + "."}}}}})
				m := bot.Message{
					Key: "k1", Place: here, From: ana, Name: "Ana", Text: tt.text, Addressed: true, At: time.Now(), Zone: "UTC",
					Raw: []byte(`{"token":"a1b2c3d4e5f6a7b8","event":{"text":"` + tt.text + `"}}`),
				}
				r.receive(m)
				r.receive(m)
				warned := 0
				for _, text := range r.said(here) {
					if strings.Contains(text, tt.want) {
						warned++
						if !strings.Contains(text, tt.kind) {
							t.Errorf("it names no kind: %q", text)
						}
					}
					if strings.Contains(text, token) || strings.Contains(text, "hunter22") {
						t.Errorf("it is said: %q", text)
					}
				}
				if warned != 1 {
					t.Errorf("told %d times: %q", warned, r.said(here))
				}
				held, ok, err := r.in.Holding(t.Context(), "k1")
				if err != nil || !ok {
					t.Fatal(ok, err)
				}
				b, err := json.Marshal(held)
				if err != nil {
					t.Fatal(err)
				}
				if s := string(b) + string(held.Message.Raw); strings.Contains(s, token) || strings.Contains(s, "hunter22") || strings.Contains(s, "a1b2c3d4e5f6a7b8") {
					t.Errorf("it is kept: %s", s)
				}
			})
		})
	}
}
