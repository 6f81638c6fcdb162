package main

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// X2 What the program makes in its data folder nobody else can read, whatever the umask
// is: the folder, the store, the sample database with what SQLite puts beside it, the
// lock, the socket, the trace. A sample database that others could read is closed.
func TestX2NobodyElseReadsTheDataFolder(t *testing.T) {
	name, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	top, err := os.MkdirTemp("", "h") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	for round, old := range []bool{false, true} {
		data := filepath.Join(top, map[bool]string{false: "new", true: "old"}[old])
		if old {
			if err := os.MkdirAll(data, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(data, "sample.db"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		d := &daemon{t: t, data: data, log: &lines{}}
		d.cmd = exec.CommandContext(t.Context(), "sh", "-c", `umask 0 && exec "$0" "$@"`, name, "serve", "--data", data)
		d.cmd.Dir, d.cmd.Stderr = top, d.log
		d.cmd.Env = append(clean(os.Environ()), "HERMES_WEB_ADDR=127.0.0.1:0")
		d.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		out, err := d.cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := d.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.kill)
		for s := bufio.NewScanner(out); ; {
			if !s.Scan() {
				t.Fatalf("round %d: the daemon ended before it was up:\n%s", round, d.log.text())
			}
			if pageURL.MatchString(s.Text()) {
				go func() {
					for s.Scan() {
						d.log.add(s.Text())
					}
				}()
				break
			}
		}
		d.data = data
		if said, err := d.hermes(t.Context(), "what were last month's sales?\n", "chat"); err != nil || !strings.Contains(said, "USD") {
			t.Fatalf("chat = %v: %s", err, said)
		}
		seen := map[string]bool{}
		err = filepath.WalkDir(data, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			want := fs.FileMode(0o600)
			if e.IsDir() {
				want = 0o700
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s is %v, want %v", strings.TrimPrefix(path, top), got, want)
			}
			seen[filepath.Base(path)] = true
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"hermes.db", "hermes.db-wal", "sample.db", "sample.db-wal", "lock", "hermes.sock", "trace"} {
			if !seen[file] {
				t.Errorf("there is no %s in the folder: %v", file, seen)
			}
		}
		d.stop()
	}
}
