package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a fact may take. Only a broken promise makes anybody wait
// that long.
const patience = 60 * time.Second

var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hermes-bin-")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "hermes")
	cmd := exec.Command("go", "build", "-o", name, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", &buildError{string(out), err}
	}
	return name, nil
})

type buildError struct {
	out string
	err error
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + e.out }

// A daemon is the real program on a data folder. It may be killed and started
// again.
type daemon struct {
	t    *testing.T
	data string
	env  []string
	cmd  *exec.Cmd
	url  string // of the page, with its code
	log  *lines
}

// newDaemon starts the program on a folder of its own.
func newDaemon(t *testing.T, env ...string) *daemon {
	t.Helper()
	return newDaemonWith(t, "", env...)
}

// newDaemonWith is newDaemon with a configuration, as it stands in hermes.yaml.
func newDaemonWith(t *testing.T, yaml string, env ...string) *daemon {
	t.Helper()
	// A socket's path must be short, and a test's own folder may not be.
	data, err := os.MkdirTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	d := &daemon{t: t, data: data, env: env, log: &lines{}}
	t.Cleanup(func() {
		d.kill()
		if t.Failed() {
			t.Logf("log of the daemon:\n%s", d.log.text())
		}
		if err := os.RemoveAll(data); err != nil {
			t.Errorf("remove data: %v", err)
		}
	})
	if yaml != "" {
		if err := os.WriteFile(filepath.Join(data, "hermes.yaml"), []byte(yaml), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.start()
	return d
}

var pageURL = regexp.MustCompile(`http://127\.0\.0\.1:\d+/in\?code=\S+`)

// start runs the program until it says where its page is.
func (d *daemon) start() {
	d.t.Helper()
	name, err := binary()
	if err != nil {
		d.t.Fatalf("build: %v", err)
	}
	d.cmd = exec.Command(name, "serve", "--data", d.data)
	d.cmd.Dir = d.data
	d.cmd.Env = append(clean(os.Environ()), append([]string{"HERMES_WEB_ADDR=" + d.addr()}, d.env...)...)
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	d.cmd.Stderr = d.log
	if err := d.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	found := make(chan string, 1)
	go func() {
		s := bufio.NewScanner(out)
		for s.Scan() {
			d.log.add(s.Text())
			if u := pageURL.FindString(s.Text()); u != "" {
				found <- u
			}
		}
		close(found)
	}()
	select {
	case u, ok := <-found:
		if !ok {
			d.t.Fatalf("the daemon ended before it was up:\n%s", d.log.text())
		}
		d.url = u
	case <-time.After(patience):
		d.t.Fatalf("the daemon does not come up:\n%s", d.log.text())
	}
}

// addr is a port of its own at first, and the same one after a restart, so that an
// open page goes on.
func (d *daemon) addr() string {
	if d.url == "" {
		return "127.0.0.1:0"
	}
	return strings.TrimPrefix(d.url[:strings.Index(d.url, "/in?")], "http://")
}

// kill ends the program as a power cut would.
func (d *daemon) kill() {
	if d.cmd == nil {
		return
	}
	_ = d.cmd.Process.Signal(syscall.SIGKILL) // it may have ended by itself
	_ = d.cmd.Wait()                          // "signal: killed" is what was wanted
	d.cmd = nil
}

// stop ends the program as an operator does, and fails the test if that is not
// clean.
func (d *daemon) stop() {
	d.t.Helper()
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		d.t.Fatal(err)
	}
	if err := d.cmd.Wait(); err != nil {
		d.t.Errorf("stop: %v\n%s", err, d.log.text())
	}
	d.cmd = nil
}

// hermes runs a command of the program on the daemon's folder.
func (d *daemon) hermes(ctx context.Context, stdin string, args ...string) (string, error) {
	name, err := binary()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, name, append(args, "--data", d.data)...)
	cmd.Dir, cmd.Env, cmd.Stdin = d.data, append(clean(os.Environ()), d.env...), strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// clean takes from an environment what would configure the program.
func clean(env []string) []string {
	var kept []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "HERMES_") && !strings.HasPrefix(name, "SLACK_") && !strings.HasPrefix(name, "OPENAI_") {
			kept = append(kept, kv)
		}
	}
	return kept
}

// lines collects what a program says.
type lines struct {
	mu   sync.Mutex
	said strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said.Write(b)
}

func (l *lines) add(s string) { _, _ = l.Write([]byte(s + "\n")) }

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said.String()
}
