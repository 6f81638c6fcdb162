package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/config"
	"hermes/scheduler"
)

// folder makes a data folder with a short path: a socket's must be.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// unset takes away for the time of a test what would configure the program.
func unset(t *testing.T) {
	t.Helper()
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		for _, prefix := range []string{"HERMES_", "SLACK_", "OPENAI_"} {
			if strings.HasPrefix(name, prefix) {
				t.Setenv(name, "")
			}
		}
	}
}

// hermesIn runs a command of the program in this process and returns what it wrote.
func hermesIn(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := command(strings.NewReader(stdin), &out, &out)
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

// plan keeps a schedule in a store.
func plan(t *testing.T, h *hermes, id string) {
	t.Helper()
	j := scheduler.Job{
		ID: id, Name: "Sales", Spec: "0 9 1 * *", Zone: "Asia/Shanghai", Request: "sales", Origin: "web/demo/general/", Owner: demoLead,
		Lang: "en", State: scheduler.Active, Created: h.now(), Since: h.now(),
	}
	if err := h.db.Jobs().Add(t.Context(), j); err != nil {
		t.Fatal(err)
	}
}

// raise builds the program on a folder and holds its lock.
func raise(t *testing.T, dir string) (h *hermes, end func()) {
	t.Helper()
	release, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Data, cfg.Web.Addr = dir, "127.0.0.1:0"
	if h, err = build(t.Context(), cfg, slog.New(slog.DiscardHandler), time.Now); err != nil {
		t.Fatal(err)
	}
	return h, func() {
		if err := h.close(); err != nil {
			t.Errorf("close: %v", err)
		}
		release()
	}
}

// What an earlier daemon left at the door gives way, and nobody but the owner of the
// folder may open the new one.
func TestAStaleSocketIsReplaced(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*testing.T, string){
		"nothing": func(*testing.T, string) {},
		"a socket of the dead": func(t *testing.T, name string) {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			l.SetUnlinkOnClose(false)
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"a file": func(t *testing.T, name string) {
			if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t)
			leave(t, socketName(dir))
			l, err := listen(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(socketName(dir))
			if err != nil || info.Mode().Perm() != 0o600 || info.Mode().Type() != fs.ModeSocket {
				t.Errorf("the door is %v, %v; want a socket of mode 0600", info.Mode(), err)
			}
			conn, err := net.Dial("unix", socketName(dir))
			if err != nil {
				t.Errorf("dial: %v", err)
			} else if err := conn.Close(); err != nil {
				t.Error(err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(socketName(dir)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a closed door leaves %v", err)
			}
		})
	}
}

// A folder whose path is too long for a socket is told so.
func TestAPathTooLongForADoorIsTold(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), strings.Repeat("long", 30))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := listen(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "hint: a socket's path must be short; --data names another folder") {
		t.Errorf("listen = %v, want a hint", err)
	}
}

// R7: a command asks the running daemon, and without one opens the store itself under
// the daemon's lock. It never opens it beside a daemon, and says whom it waits for.
func TestR7ACommandAsksTheDaemonOrHoldsItsLock(t *testing.T) {
	unset(t)
	dir := folder(t)
	list := func() (string, error) { return hermesIn(t, "", "schedule", "list", "--data", dir) }

	if got, err := list(); err != nil || !strings.HasPrefix(got, "no schedules yet") {
		t.Fatalf("without a daemon = %q, %v", got, err)
	}
	h, end := raise(t, dir) // which only works as the command has let go of the lock
	plan(t, h, "j0000000a")

	if got, err := list(); !errors.Is(err, errHeld) || !strings.Contains(err.Error(), "hint: wait for the other command, or stop it") {
		t.Errorf("beside another command = %q, %v; want errHeld and a hint", got, err)
	}
	if got, err := hermesIn(t, "", "serve", "--data", dir); !errors.Is(err, errHeld) || !strings.Contains(err.Error(), "`hermes url` opens its page") {
		t.Errorf("a second daemon = %q, %v; want errHeld and a hint", got, err)
	}

	door, err := listen(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.web.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- attend(ctx, door, h, h.log) }()
	go func() { ended <- h.web.Run(ctx, h.bot) }()
	if got, err := list(); err != nil || !strings.Contains(got, "j0000000a") || !strings.Contains(got, "active") {
		t.Errorf("the daemon's list = %q, %v; want its schedule", got, err)
	}
	for args, want := range map[string]string{
		"schedule pause j0000000a":  "j0000000a (Sales) is paused",
		"schedule show j0000000a":   "posts to where it was made, owned by web:demo:lead",
		"schedule resume j0000000a": "j0000000a (Sales) is active",
		"schedule set j0000000a --catch-up 6h --overlap wait --stagger 5m --quiet 22:00-07:00 --retries 0": "j0000000a (Sales): caught up within 6h0m0s, waits for the slot before, spread over 5m0s, quiet 22:00-07:00, not tried again",
		"url": "http://127.0.0.1:",
	} {
		got, err := hermesIn(t, "", append(strings.Fields(args), "--data", dir)...)
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s = %q, %v; want %q", args, got, err, want)
		}
	}
	for args, want := range map[string]string{
		"schedule show j9":                         "no such job: j9\n  hint: `hermes schedule list` shows their ids",
		"schedule pause j9":                        "no such job: j9\n",
		"schedule set j9 --retries 1":              "no such job: j9\n",
		"schedule set j0000000a":                   "hint: name one of --catch-up",
		"schedule set j0000000a --catch-up always": "catch-up \"always\" is none: it is once, none, or how late",
		"schedule set j0000000a --overlap both":    "overlap \"both\" is none",
		"schedule set j0000000a --quiet night":     "two times of a day, such as 22:00-07:00",
		"schedule set j0000000a --stagger 2h":      "no length of time up to 1h",
		"schedule set j0000000a --retries many":    "no number from 0 to 10",
		"schedule set j0000000a --retries 3x":      "no number from 0 to 10",
		"schedule rehearse j9":                     "no such job: j9\n",
		"schedule rehearse j0000000a --at tuesday": "hint: write 2026-12-01T09:00",
	} {
		if got, err := hermesIn(t, "", append(strings.Fields(args), "--data", dir)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s = %q, %v; want %q", args, got, err, want)
		}
	}
	for at, want := range map[string]string{
		"2026-12-05T10:00": "rehearsing the slot of 2027-01-01 09:00 (Asia/Shanghai), the first one after 2026-12-05 10:00, since the schedule has none then\nit is about 2026-12-01 to 2026-12-31\nthe result comes to web/demo/general/",
		"2027-01-01T09:00": "rehearsing the slot of 2027-01-01 09:00 (Asia/Shanghai)\nit is about",
	} {
		if got, err := hermesIn(t, "", "schedule", "rehearse", "j0000000a", "--at", at, "--data", dir); err != nil || !strings.Contains(got, want) {
			t.Errorf("rehearse at %s = %q, %v; want %q", at, got, err, want)
		}
	}
	if _, err := knock(t.Context(), dir, "schedule.show", []byte(`{"id":7}`)); err == nil || !strings.Contains(err.Error(), "arguments of schedule.show") {
		t.Errorf("bad arguments at the door = %v", err)
	}
	if _, err := knock(t.Context(), dir, "nothing", []byte(`{}`)); err == nil {
		t.Error("an op that is not there is answered")
	}

	cancel()
	for range 2 {
		if err := <-ended; err != nil {
			t.Errorf("the daemon ended with %v", err)
		}
	}
	end()
	if got, err := list(); err != nil || !strings.Contains(got, "j0000000a") {
		t.Errorf("after the daemon = %q, %v; want what it kept", got, err)
	}
	if got, err := hermesIn(t, "", "url", "--data", dir); err == nil || !strings.Contains(err.Error(), "hint: start one with `hermes serve`") {
		t.Errorf("url without a daemon = %q, %v; want a hint", got, err)
	}
	if got, err := hermesIn(t, "hello\n", "chat", "--data", dir); err == nil || !strings.Contains(err.Error(), "hint: start one with `hermes serve`") {
		t.Errorf("chat without a daemon = %q, %v; want a hint", got, err)
	}
}

// A command that may not have the folder has not touched the store.
func TestACommandBesideAnotherOpensNothing(t *testing.T) {
	unset(t)
	dir := folder(t)
	release, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hermesIn(t, "", "schedule", "list", "--data", dir); !errors.Is(err, errHeld) {
		t.Errorf("list beside a lock = %v, want errHeld", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "hermes.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the store was opened beside a lock: %v", err)
	}
	release()
}
