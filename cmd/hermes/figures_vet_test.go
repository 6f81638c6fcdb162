package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// R7, A04: a source that is the program's own store, or a login that can do more than
// read, keeps the daemon from starting, and what it says names the source and what to do.
// A source that is merely away does not.
func TestServeRefusesASourceThatIsUnfit(t *testing.T) {
	away := "  - name: away\n    dialect: postgres\n    dsn: postgres://nobody@127.0.0.1:1/none?connect_timeout=1\n"
	for name, c := range map[string]struct {
		source string
		want   []string
	}{
		"its own store": {"  - name: self\n    dialect: sqlite\n    dsn: DIR/hermes.db\n", []string{"config: sources: source self", "store of Hermes itself", "hint: "}},
		"a superuser":   {"  - name: boss\n    dialect: postgres\n    dsn: " + os.Getenv("HERMES_TEST_POSTGRES") + "\n", []string{"config: sources: source boss", "superuser", "hint: CREATE ROLE"}},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(c.source, "dsn: \n") {
				t.Skip("HERMES_TEST_POSTGRES is not set")
			}
			unset(t)
			dir := folder(t)
			path := filepath.Join(dir, "hermes.yaml")
			text := "sources:\n" + away + strings.ReplaceAll(c.source, "DIR", dir)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := hermesIn(t, "", "serve", "--data", dir, "--config", path)
			if err == nil {
				t.Fatalf("it starts: %s", got)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("serve = %v, want %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "away") {
				t.Errorf("serve = %v: what is away is no reason", err)
			}
		})
	}
}
