package fakeslack_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/internal/fakeslack"
)

// TestSlacksOwnFrameworkRunsAgainstIt runs a small app made with @slack/bolt, which is
// not ours, against a Server: whatever it is asked, hears, answers and refuses here it
// would with Slack itself.
func TestSlacksOwnFrameworkRunsAgainstIt(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"socket", "http"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := start(t, fakeslack.Options{})
			app := startBolt(t, s, mode)
			ana := s.Human("ana")

			// A mention comes as two events of one ts, and is answered in its thread.
			m := must(ana.Say("sales", "@hermes hello"))
			app.tells("app_mention", `"ts":"`+m.TS+`"`)
			app.tells("message", `"ts":"`+m.TS+`"`)
			app.tells("said", "")
			said := app.message(func(got fakeslack.Message) bool { return got.Mine() && got.ThreadTS == m.TS })
			if buttons := said.Buttons(); len(buttons) != 1 || buttons[0].Label != "Go" {
				t.Fatalf("buttons = %+v, want Go", buttons)
			}

			// A press is acknowledged and answered to who pressed alone.
			must(ana.Press(said, "Go"))
			app.tells("action", `"value":"7"`)
			app.tells("responded", "")
			if got := s.Channel("sales").Private(ana.ID()); len(got) != 1 || got[0].Text != "pressed" {
				t.Errorf("what ana alone sees = %+v, want one answer to the press", got)
			}

			// A command is answered twice: at once, and by its address.
			must(s.WaitAnswer(t.Context(), must(ana.Slash("sales", "/hermes", "status"))))
			app.tells("command", `"text":"status"`)
			var texts []string
			for _, m := range s.Channel("sales").Private(ana.ID()) {
				texts = append(texts, m.Text)
			}
			slices.Sort(texts) // the app may give the second before the first is heard
			if d := cmp.Diff([]string{"on it", "pressed", "you said status"}, texts); d != "" {
				t.Errorf("what ana alone sees (-want +got):\n%s", d)
			}

			// A shortcut opens a form, which is sent back with what is wrong until it is right.
			must(ana.Shortcut(m, "ask_about_message"))
			app.tells("shortcut", "hello")
			d := must(s.WaitAnswer(t.Context(), must(ana.Submit(map[string]string{"text": "bad"}))))
			app.tells("view", `"text":"bad"`)
			if !strings.Contains(string(d.Answer), "not this") {
				t.Errorf("the answer to a bad form is %s, want what is wrong", d.Answer)
			}
			if _, open := ana.Modal(); !open {
				t.Error("a form with an error is closed")
			}
			must(s.WaitAnswer(t.Context(), must(ana.Submit(map[string]string{"text": "good"}))))
			app.tells("view", `"text":"good"`)
			if _, open := ana.Modal(); open {
				t.Error("a form that was taken is still open")
			}

			// The home is published and its button pressed.
			must(ana.OpenHome())
			app.tells("published", "")
			home, ok := ana.Home()
			if !ok {
				t.Fatal("there is no home")
			}
			must(ana.PressIn(home, "Go"))
			app.tells("action", `"container":"view"`)

			// A stream is one message in the end.
			asked := must(ana.Say("sales", "@hermes stream it"))
			app.tells("streamed", "")
			streamed := app.message(func(got fakeslack.Message) bool { return got.Mine() && got.ThreadTS == asked.TS })
			if !strings.Contains(streamed.Shown(), "found") || !strings.Contains(streamed.Shown(), "it") {
				t.Errorf("the stream shows %q, want all that was said", streamed.Shown())
			}

			if mode == "socket" {
				// A socket that is cut is opened anew by their client too.
				s.DropSockets()
				if err := s.WaitConns(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
			}
			again := must(ana.Say("sales", "@hermes once more"))
			app.tells("app_mention", `"ts":"`+again.TS+`"`)
			app.nothing("error")
		})
	}
}

// A boltApp is the running app. Its lines are what it tells.
type boltApp struct {
	t     *testing.T
	s     *fakeslack.Server
	lines chan string
	told  []string
}

func startBolt(t *testing.T, s *fakeslack.Server, mode string) *boltApp {
	t.Helper()
	dir := filepath.Join("..", "..", "tools", "slack")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@slack", "bolt")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("@slack/bolt is not there; `npm ci` in tools/slack brings it")
	}
	const secret = "signed by our own fake"
	cmd := exec.CommandContext(t.Context(), "node", "bolt.mjs")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MODE="+mode, "SLACK_API_URL="+s.APIURL(),
		"SLACK_BOT_TOKEN="+fakeslack.BotToken, "SLACK_APP_TOKEN="+fakeslack.AppToken, "SLACK_SIGNING_SECRET="+secret)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	out := must(cmd.StdoutPipe())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	a := &boltApp{t: t, s: s, lines: make(chan string, 100)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(a.lines)
		for in := bufio.NewScanner(out); in.Scan(); {
			a.lines <- in.Text()
		}
	}()
	t.Cleanup(func() {
		<-read // the context of the test has ended, so the app ends
		_ = cmd.Wait()
	})
	var ready struct{ Port int }
	if err := json.Unmarshal([]byte(a.tells("ready", "")), &ready); err != nil {
		t.Fatal(err)
	}
	if mode == "http" {
		url := fmt.Sprintf("http://127.0.0.1:%d/slack/events", ready.Port)
		if err := s.UseHTTP(t.Context(), fakeslack.Endpoints{Events: url, Secret: secret}); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// tells waits until the app has told of something, once for each time that it did.
func (a *boltApp) tells(what, with string) string {
	a.t.Helper()
	match := func(line string) bool {
		return strings.HasPrefix(line, `{"what":"`+what+`"`) && strings.Contains(line, with)
	}
	for i, line := range a.told {
		if match(line) {
			a.told = append(a.told[:i], a.told[i+1:]...)
			return line
		}
	}
	late := time.After(30 * time.Second)
	for {
		select {
		case line, ok := <-a.lines:
			switch {
			case !ok:
				a.t.Fatalf("the app has ended and told nothing of %s %s; it told %q", what, with, a.told)
			case match(line):
				return line
			}
			a.told = append(a.told, line)
		case <-late:
			a.t.Fatalf("the app tells nothing of %s %s; it told %q", what, with, a.told)
		}
	}
}

// nothing fails if the app has told of something.
func (a *boltApp) nothing(what string) {
	a.t.Helper()
	for _, line := range a.told {
		if strings.HasPrefix(line, `{"what":"`+what+`"`) {
			a.t.Errorf("the app tells: %s", line)
		}
	}
}

func (a *boltApp) message(want func(fakeslack.Message) bool) fakeslack.Message {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), 10*time.Second)
	defer cancel()
	m, err := a.s.WaitMessage(ctx, want)
	if err != nil {
		a.t.Fatal(err)
	}
	return m
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
