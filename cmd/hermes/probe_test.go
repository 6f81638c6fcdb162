package main

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/config"
	"hermes/internal/fakeslack"
)

// probed asks the daemon at the console's address, without a login.
func (d *daemon) probed(path string) (int, readiness, string) {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, "http://"+d.addr()+path, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }() // it was read to its end
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	var is readiness
	if err := json.Unmarshal(body, &is); err != nil {
		d.t.Errorf("%s answers %q: %v", path, body, err)
	}
	return resp.StatusCode, is, string(body)
}

// S2, S5: whoever reaches the console's address may ask whether the daemon lives and is
// ready, without a login, and hears causes but no secrets and nothing that was said.
func TestProbesNeedNoLogin(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	o.answer(o.says("ana", "general", "@hermes what were last month's sales in Asia?"), "USD")
	if status, _, body := o.probed("/healthz"); status != http.StatusOK || !strings.Contains(body, `"alive":true`) {
		t.Errorf("/healthz = %d %s", status, body)
	}
	status, is, body := o.probed("/readyz")
	if status != http.StatusOK || !is.Ready || len(is.Checks) != 4 || is.Checks[1].Age == nil || is.Checks[1].Limit != 10 || is.Checks[1].Name != "slack default" || is.Checks[1].State != "ready" || is.Checks[1].Since.IsZero() {
		t.Errorf("/readyz = %d %s", status, body)
	}
	o.fake.Revoke(fakeslack.BotToken, "token_revoked")
	o.fake.Event(map[string]any{"type": "tokens_revoked", "tokens": map[string]any{"bot": []string{fakeslack.BotUser}}})
	o.until("the event to be acknowledged", o.acknowledged)
	status, is, body = o.probed("/readyz")
	if status != http.StatusServiceUnavailable || is.Ready || is.Checks[1].State != "auth_failed" || !strings.Contains(is.Checks[1].Why, "token_revoked") {
		t.Errorf("/readyz = %d %s", status, body)
	}
	for _, secret := range []string{fakeslack.BotToken, fakeslack.AppToken, "Asia", o.data} {
		if strings.Contains(body, secret) {
			t.Errorf("/readyz tells %q: %s", secret, body)
		}
	}
	if status, _, _ := o.probed("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz = %d though the process lives", status)
	}
	if resp, err := http.Get("http://" + o.addr() + "/runs"); err != nil || resp.StatusCode != http.StatusUnauthorized { //nolint:noctx // it answers at once
		t.Errorf("/runs = %v, %v; want a login", resp, err)
	} else if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
}

// X9: a daemon whose store answers and whose sockets are open is not ready if what comes
// in is not taken up, or what goes out is not brought; once it is, it is ready.
func TestX9ReadyIsThatPeopleAreAnswered(t *testing.T) {
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Data, cfg.Web.Addr = t.TempDir(), "127.0.0.1:0"
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	h, err := build(t.Context(), cfg, slog.New(slog.DiscardHandler), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.close(); err != nil {
			t.Error(err)
		}
	})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	look := func(what, wrong string) {
		t.Helper()
		is := h.readiness(t.Context())
		for _, a := range is.Checks {
			if a.Ready == (a.Name == wrong) || !a.Ready && (a.Untaken != 1 || a.Why == "") {
				t.Errorf("%s: %+v", what, a)
			}
		}
		if is.Ready == (wrong != "") {
			t.Errorf("%s: ready: %t", what, is.Ready)
		}
	}
	place := bot.Place{Platform: "web", Workspace: "local", Channel: "general"}
	for _, key := range []string{"m1", "m2"} { // the second waits for its turn
		must(h.db.Inbox().Add(t.Context(), bot.Item{Key: key, Place: place, Lane: bot.Talk, Message: &bot.Message{Key: key, Place: place, Text: "hi"}}))
	}
	now = now.Add(20 * time.Second)
	look("a message of just now", "")
	now = now.Add(20 * time.Second)
	look("a message that nobody takes up", "messages")
	it, err := h.db.Inbox().Next(t.Context(), bot.Talk)
	must(err)
	look("it is worked on", "")
	must(h.db.Outbox().Add(t.Context(), bot.Post{Key: "p1", Place: place, Text: "hi"}))
	must(h.db.Inbox().Done(t.Context(), it))
	it, err = h.db.Inbox().Next(t.Context(), bot.Talk)
	must(err)
	must(h.db.Inbox().Done(t.Context(), it))
	now = now.Add(40 * time.Second)
	look("an answer that nobody brings", "answers")
	_, err = h.db.Outbox().Next(t.Context())
	must(err)
	look("it is being brought", "")
}

// S2: health asks the daemon and needs none of its secrets: whatever the command's own
// environment lacks or has wrong, over a socket and by HTTP.
func TestHealthNeedsNoSecrets(t *testing.T) {
	t.Parallel()
	fake, err := fakeslack.Start(fakeslack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	d := newDaemon(t, "HERMES_SLACK_API_URL="+fake.APIURL(), "SLACK_BOT_TOKEN="+fakeslack.BotToken, "SLACK_SIGNING_SECRET=abcdef", "HERMES_SLACK_LISTEN="+freeAddr(t))
	o := &office{t: t, fake: fake, daemon: d}
	o.until("auth.test", func() bool { return len(fake.Calls("users.conversations")) > 0 })
	name, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for what, env := range map[string][]string{
		"nothing":              nil,
		"half of the secrets":  {"SLACK_SIGNING_SECRET=abcdef"},
		"what cannot be right": {"SLACK_BOT_TOKEN=xapp-1", "HERMES_WEB_ADDR=nowhere"},
		"the folder by name":   {"HERMES_DATA=" + d.data},
	} {
		args := []string{"health", "--data", d.data}
		if strings.HasPrefix(what, "the folder") {
			args = args[:1]
		}
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = t.TempDir(), append(clean([]string{"PATH=/usr/bin"}), env...)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "✓ Slack default: ready since ") || !strings.Contains(string(out), "✓ store") {
			t.Errorf("with %s: health = %v:\n%s", what, err, out)
		}
	}
}

// check slack has something to check, or it fails and says how to name it.
func TestCheckSlackWithoutTokensFails(t *testing.T) {
	unset(t)
	t.Setenv("HERMES_DATA", t.TempDir())
	got, err := hermesIn(t, "", "check", "slack")
	if !errors.Is(err, errChecks) || !strings.Contains(got, "✗ Slack: no workspace is configured") || !strings.Contains(got, "SLACK_BOT_TOKEN") {
		t.Errorf("check slack = %v:\n%s", err, got)
	}
	if got, err := hermesIn(t, "", "check"); err != nil || !strings.Contains(got, "no Slack workspace") {
		t.Errorf("check = %v:\n%s; without Slack all is well", err, got)
	}
}

// The data folder of a configuration is told whatever else that says.
func TestFolder(t *testing.T) {
	unset(t)
	file := filepath.Join(t.TempDir(), "hermes.yaml")
	if err := os.WriteFile(file, []byte("data: /srv/hermes\nslack:\n  workspaces:\n    - name: acme\nnonsense: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"": "hermes-data", file: "/srv/hermes"} {
		if got, err := config.Folder(name); got != want || err != nil {
			t.Errorf("Folder(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	t.Setenv("HERMES_DATA", "/elsewhere")
	if got, err := config.Folder(file); got != "/elsewhere" || err != nil {
		t.Errorf("Folder = %q, %v; want the environment's", got, err)
	}
	if _, err := config.Folder(file + "x"); err == nil {
		t.Error("a file that is not there is no fault")
	}
}
