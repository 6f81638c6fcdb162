package slack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"hermes/bot/slack"
	"hermes/internal/golden"
)

type appManifest struct {
	Display  struct{ Name string } `yaml:"display_information"`
	Features struct {
		Home struct {
			ReadOnly *bool `yaml:"messages_tab_read_only_enabled"`
		} `yaml:"app_home"`
		Shortcuts []struct {
			Callback string `yaml:"callback_id"`
		}
		Commands []struct{ Command, URL string } `yaml:"slash_commands"`
	}
	Auth struct {
		Scopes struct{ Bot []string }
	} `yaml:"oauth_config"`
	Settings struct {
		Events struct {
			Bot []string `yaml:"bot_events"`
			URL string   `yaml:"request_url"`
		} `yaml:"event_subscriptions"`
		Interactivity struct {
			On  bool   `yaml:"is_enabled"`
			URL string `yaml:"request_url"`
		}
		Socket bool `yaml:"socket_mode_enabled"`
		Rotate bool `yaml:"token_rotation_enabled"`
	}
}

func loadManifest(t *testing.T, name, url string) appManifest {
	t.Helper()
	var m appManifest
	if err := yaml.Unmarshal([]byte(slack.Manifest(name, url)), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func manifestScopes(t *testing.T) []string { return loadManifest(t, "hermes", "").Auth.Scopes.Bot }

// The manifest is one that Slack takes, and asks for what we use: every other test
// of this package runs with its scopes and no more.
func TestManifest(t *testing.T) {
	const url = "https://hermes.example.com/slack/default"
	m := loadManifest(t, `a "bot": with a name that is longer than Slack allows`, "")
	if n := []rune(m.Display.Name); len(n) > 35 || !strings.HasPrefix(m.Display.Name, `a "bot": `) {
		t.Errorf("name = %q, want it cut to 35 characters", m.Display.Name)
	}
	if !m.Settings.Socket || !m.Settings.Interactivity.On || m.Settings.Rotate || m.Features.Home.ReadOnly == nil || *m.Features.Home.ReadOnly {
		t.Errorf("manifest = %+v, want Socket Mode and interactivity on, rotation off, and a pane to write in", m)
	}
	if len(m.Features.Shortcuts) != 1 || m.Features.Shortcuts[0].Callback != "ask_about_message" {
		t.Errorf("shortcuts = %+v", m.Features.Shortcuts)
	}
	byHTTP := loadManifest(t, "hermes", url)
	if s := byHTTP.Settings; s.Socket || s.Events.URL != url || s.Interactivity.URL != url || byHTTP.Features.Commands[0].URL != url {
		t.Errorf("by HTTP = %+v, want its URL for events, presses and commands, and no socket", byHTTP)
	}
	if diff := cmp.Diff(slack.Needs(), m.Auth.Scopes.Bot); diff != "" {
		t.Errorf("scopes of which check knows what they are for (-check +manifest):\n%s", diff)
	}
	if !slices.IsSorted(m.Settings.Events.Bot) || len(m.Settings.Events.Bot) != 17 {
		t.Errorf("%d events = %q, want 17 in order", len(m.Settings.Events.Bot), m.Settings.Events.Bot)
	}
	golden.Check(t, "manifest/socket.yaml", slack.Manifest("", ""))
	golden.Check(t, "manifest/http.yaml", slack.Manifest("Hermes", url))
}
