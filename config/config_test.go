package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/config"
)

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "hermes.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// The example is the defaults, written out.
func TestExampleIsTheDefaults(t *testing.T) {
	want, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	got, err := config.Load(write(t, config.Example))
	if err != nil {
		t.Fatal(err)
	}
	empty := cmp.FilterValues(func(a, b any) bool { return fmt.Sprint(a) == "[]" && fmt.Sprint(b) == "[]" }, cmp.Ignore())
	if diff := cmp.Diff(want, got, empty); diff != "" {
		t.Errorf("the example differs from the defaults (-default +example):\n%s", diff)
	}
}

// Every file in testdata/bad is refused with the words of its first line.
func TestBadFilesSayWhatIsWrong(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/bad: %v, %v", files, err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(text), "\n")
			_, err = config.Load(name)
			if err == nil {
				t.Fatal("it loads")
			}
			for want := range strings.SplitSeq(strings.TrimPrefix(first, "# "), " | ") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error = %q, want it to say %q", err, want)
				}
			}
			if !strings.Contains(err.Error(), "hint: ") {
				t.Errorf("error = %q, want a hint", err)
			}
		})
	}
}

// The environment wins over the file, under our names and those of others.
func TestEnvironmentWins(t *testing.T) {
	t.Setenv("HERMES_WEB_ADDR", "127.0.0.1:1")
	t.Setenv("SLACK_APP_TOKEN", "xapp-1")
	t.Setenv("SLACK_BOT_TOKEN", "xoxb-1")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
	cfg, err := config.Load(write(t, "web: {addr: 127.0.0.1:2}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Web.Addr != "127.0.0.1:1" || cfg.Slack.AppToken != "xapp-1" || cfg.Model.BaseURL != "http://127.0.0.1:9/v1" {
		t.Errorf("config = %+v", cfg)
	}
	if ws := cfg.AllWorkspaces(); len(ws) != 1 || ws[0].BotToken != "xoxb-1" {
		t.Errorf("workspaces = %+v", ws)
	}
	if !cfg.UsesModel() {
		t.Error("a configured endpoint is not used")
	}
}

// A file that is named and is not there is an error, not the defaults.
func TestMissingFileIsAnError(t *testing.T) {
	if _, err := config.Load(filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("it loads")
	}
}

// X2 A secret prints itself nowhere.
func TestX2SecretsDoNotPrint(t *testing.T) {
	const canary = "xoxb-canary"
	cfg := config.Config{Database: canary, Slack: config.Slack{BotToken: canary, Workspaces: []config.Workspace{{BotToken: canary}}}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if s := fmt.Sprintf(verb, cfg); strings.Contains(s, canary) {
			t.Errorf("%s prints %q", verb, s)
		}
	}
}
