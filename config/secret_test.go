package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"hermes/config"
)

// X1: no verb of fmt that asks a value, no encoder and no log has a Secret print itself.
func TestSecretNeverPrints(t *testing.T) {
	const value = "hunter2-Hunter2"
	held := struct {
		S config.Secret
		P *config.Secret
		L []config.Secret
	}{S: value, L: []config.Secret{value}}
	s := config.Secret(value)
	held.P = &s
	for _, verb := range strings.Fields("%v %+v %#v %s %q %x %X %d %c %U %t %b %e %o %T") {
		for _, v := range []any{s, held, held.L, map[config.Secret]int{s: 1}, fmt.Errorf("w: %v", s)} {
			got := fmt.Sprintf(verb, v)
			if strings.Contains(got, value) || strings.Contains(got, fmt.Sprintf("%x", value)) || strings.Contains(got, fmt.Sprintf("%X", value)) {
				t.Errorf("%s of %T prints it: %s", verb, v, got)
			}
		}
	}
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "s", s, "held", held)
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "s", s, "held", held)
	for _, encode := range []func(any) ([]byte, error){json.Marshal, yaml.Marshal} {
		b, err := encode(held)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(b)
	}
	if strings.Contains(out.String(), value) {
		t.Errorf("it is written: %s", out.String())
	}
}

// X1, X2: what must not be told is every Secret of the file and what the environment
// calls so; paths, switches and public keys are not.
func TestX2SecretsAreKnown(t *testing.T) {
	c := config.Config{Database: "postgres://u:p4ss@h/d", Sources: []config.Source{{DSN: "shop.db"}, {DSN: "postgres://r:q4ss@h/e"}}}
	c.Model.APIKey = "key-1"
	c.Model.Fallbacks = []config.Endpoint{{APIKey: "key-2"}}
	c.Slack.BotToken = "xoxb-1"
	c.Slack.Workspaces = []config.Workspace{{SigningSecret: "sign-2"}}
	got := c.Secrets(
		"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI", "PGPASSWORD=pg-passw0rd", "SHOP_DB_PASS=Sh0p-pass", "GITHUB_TOKEN=gh-token-1", "DATABASE_URL=postgres://u:env-pass@h/d", "SENTRY_DSN=https://0123456789abcdef0@h/1",
		"PWD=/home/ana/work", "HOME=/home/ana", "SSL_KEY=/etc/key.pem", "USE_TOKEN=true", "FEATURE_KEY=production", "PUBLIC_KEY=ssh-ed25519 AAAA", "API_URL=https://example.com", "MONKEY=banana123",
	)
	want := []string{
		"postgres://u:p4ss@h/d", "postgres://r:q4ss@h/e", "key-1", "key-2", "xoxb-1", "sign-2",
		"wJalrXUtnFEMI", "pg-passw0rd", "Sh0p-pass", "gh-token-1", "postgres://u:env-pass@h/d", "https://0123456789abcdef0@h/1",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("Secrets = %q\nwant %q", got, want)
	}
}
