package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"hermes/config"
	"hermes/internal/fakeslack"
	"hermes/internal/golden"
)

// init writes both files for the owner's eyes, and asks who may approve.
func TestInitWritesBothFilesForTheOwnerAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		stdin string
		args  []string
		admin string
		says  string
	}{
		"an admin by the flag": {"", []string{"--admin", "slack:T1:U1"}, "slack:T1:U1", "next: "},
		"an admin by answer":   {" slack:T1:U2 \n", nil, "slack:T1:U2", "Admin (empty for none yet): "},
		"nobody yet":           {"\n", nil, "", "nobody may approve yet: put a person under admins in hermes.yaml"},
		"nobody to ask":        {"", nil, "", "nobody may approve yet"},
	} {
		t.Run(name, func(t *testing.T) {
			unset(t)
			t.Chdir(t.TempDir())
			got, err := hermesIn(t, tt.stdin, append([]string{"init"}, tt.args...)...)
			if err != nil || !strings.Contains(got, tt.says) || !strings.Contains(got, "wrote hermes.yaml and slack-manifest.yaml") {
				t.Fatalf("init = %q, %v; want it to say %q", got, err, tt.says)
			}
			for _, f := range []string{"hermes.yaml", "slack-manifest.yaml"} {
				if info, err := os.Stat(f); err != nil || info.Mode() != 0o600 {
					t.Errorf("%s has mode %v, %v; want 0600", f, info.Mode(), err)
				}
			}
			cfg, err := config.Load("hermes.yaml")
			if err != nil || strings.Join(cfg.Admins, " ") != tt.admin {
				t.Errorf("admins = %q, %v; want %q", cfg.Admins, err, tt.admin)
			}
		})
	}
}

// init overwrites nothing, and leaves nothing behind that does not load.
func TestInitOverwritesNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		there, admin, want string
	}{
		"a configuration":  {"hermes.yaml", "slack:T1:U1", "hermes.yaml is there already, and nothing was written"},
		"a manifest":       {"slack-manifest.yaml", "slack:T1:U1", "slack-manifest.yaml is there already, and nothing was written"},
		"no such a person": {"", "lee", `admins: "lee" is not a person`},
	} {
		t.Run(name, func(t *testing.T) {
			unset(t)
			t.Chdir(t.TempDir())
			want := []string{}
			if tt.there != "" {
				want = append(want, tt.there)
				if err := os.WriteFile(tt.there, []byte("mine"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := hermesIn(t, "", "init", "--admin", tt.admin); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("init = %q, %v; want %q", got, err, tt.want)
			}
			if d := cmp.Diff(want, here(t)); d != "" {
				t.Errorf("files (-want +got):\n%s", d)
			}
			if tt.there != "" {
				if body, err := os.ReadFile(tt.there); err != nil || string(body) != "mine" {
					t.Errorf("%s is now %q, %v", tt.there, body, err)
				}
			}
		})
	}
}

// init --print shows a configuration that loads, and writes nothing.
func TestInitPrintLoads(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	got, err := hermesIn(t, "", "init", "--print")
	if err != nil || len(here(t)) != 0 {
		t.Fatalf("init --print = %v, and wrote %q", err, here(t))
	}
	name := filepath.Join(t.TempDir(), "printed.yaml")
	if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(name); err != nil {
		t.Errorf("what it prints does not load: %v", err)
	}
}

// here lists the files of the working folder.
func here(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A1: with Slack and without an admin nobody may approve, and check says so, with
// what to do; it also says what a wrong token is.
func TestA1CheckSaysThatNobodyMayApprove(t *testing.T) {
	fake, err := fakeslack.Start(fakeslack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer fake.Close()
	tokens := []string{"SLACK_APP_TOKEN=" + fakeslack.AppToken, "SLACK_BOT_TOKEN=" + fakeslack.BotToken}
	for name, tt := range map[string]struct {
		env    []string
		says   []string
		not    string
		passes bool
	}{
		"no admin": {
			tokens,
			[]string{"✗ admins: nobody may approve\n  hint: put a person under admins: slack:TEAM:USER; `hermes init` asks for one", "✓ Slack default: bot token: hermes in Fake", "✓ Slack default: events over a socket"}, "", false,
		},
		"an admin": {
			append(tokens, "HERMES_ADMINS=slack:"+fakeslack.Team+":"+leo),
			[]string{"✓ Slack default: scopes: all", "✓ Slack default: may approve: slack:T0FAKE001:U0LEO0001 (leo)", "· it works for members; guests: chat, other organisations: none, other bots: none"}, "nobody may approve", true,
		},
		"a wrong token": {
			[]string{"SLACK_APP_TOKEN=xapp-bad", "SLACK_BOT_TOKEN=" + fakeslack.BotToken, "HERMES_ADMINS=slack:" + fakeslack.Team + ":" + leo},
			[]string{"✗ Slack default: events over a socket: ask for a socket: invalid_auth"}, "nobody may approve", false,
		},
		"no Slack": {nil, []string{"no Slack workspace: the console is a demo workspace", "the built-in rules answer"}, "✗", true},
	} {
		t.Run(name, func(t *testing.T) {
			unset(t)
			t.Chdir(t.TempDir())
			t.Setenv("HERMES_SLACK_API_URL", fake.APIURL())
			for _, kv := range tt.env {
				key, value, _ := strings.Cut(kv, "=")
				t.Setenv(key, value)
			}
			got, err := hermesIn(t, "", "check")
			if tt.passes != (err == nil) || err != nil && !errors.Is(err, errChecks) {
				t.Errorf("check = %v, want it to pass: %t", err, tt.passes)
			}
			for _, want := range append(tt.says, "✓ configuration") {
				if !strings.Contains(got, want) {
					t.Errorf("check says\n%s\nwant %q", got, want)
				}
			}
			if tt.not != "" && strings.Contains(got, tt.not) {
				t.Errorf("check says\n%s\nnot wanted: %q", got, tt.not)
			}
			if _, err := os.Stat("hermes-data"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("check has made a data folder: %v", err)
			}
		})
	}
}

// What every command says of itself.
func TestHelp(t *testing.T) {
	var got bytes.Buffer
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		fmt.Fprintf(&got, "### %s\n%s\n%s\n", c.CommandPath(), c.Short, c.UsageString())
		for _, sub := range c.Commands() {
			if !slices.Contains([]string{"help", "completion"}, sub.Name()) {
				walk(sub)
			}
		}
	}
	walk(command(strings.NewReader(""), &got, &got))
	golden.Check(t, "help.golden", got.String())
}

// Who mistypes the first admin is asked again, three times in all; a script is told
// at once. Nothing is written before the answer is one.
func TestInitAsksAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		stdin  string
		person bool
		admin  string
		fault  bool
		asked  int
	}{
		"the second time": {"slack/T1/U1\nslack:T1:U1\n", true, "slack:T1:U1", false, 2},
		"then nobody":     {"lee\n\n", true, "", false, 2},
		"never":           {"a\nb\nc\nslack:T1:U1\n", true, "", true, 3},
		"then the end":    {"lee", true, "", true, 1},
		"a script":        {"lee\nslack:T1:U1\n", false, "", true, 1},
		"no end of line":  {"slack:T1:U1", true, "slack:T1:U1", false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			unset(t)
			t.Chdir(t.TempDir())
			var out bytes.Buffer
			s := &shell{in: strings.NewReader(tt.stdin), out: &out, err: &out, person: tt.person}
			err := s.writeConfig("")
			if n := strings.Count(out.String(), "Admin (empty for none yet): "); n != tt.asked {
				t.Errorf("asked %d times, want %d:\n%s", n, tt.asked, &out)
			}
			if tt.fault {
				if err == nil || !strings.Contains(err.Error(), "is not a person") || !strings.Contains(err.Error(), "nothing was written") || len(here(t)) != 0 {
					t.Errorf("init = %v, and wrote %q", err, here(t))
				}
				return
			}
			cfg, loadErr := config.Load("hermes.yaml")
			if err != nil || loadErr != nil || strings.Join(cfg.Admins, " ") != tt.admin {
				t.Errorf("init = %v, admins = %q, %v; want %q", err, cfg.Admins, loadErr, tt.admin)
			}
		})
	}
}
