package file_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/file"
)

// X1: the process that reads a file is told nothing of our environment.
func TestTheReaderHasNoEnvironment(t *testing.T) {
	t.Setenv("HERMES_TEST_CANARY", "hush")
	seen := filepath.Join(t.TempDir(), "env")
	g := file.NewGuard("/bin/sh", "-c", `/usr/bin/env > "$0"; cat > /dev/null; echo '{}'`, seen)
	if _, err := g.Read(t.Context(), "a.pdf", "", twoPages()); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	// A shell sets a few of its own.
	if s := string(b); strings.Contains(s, "hush") || strings.Contains(s, "HOME=") || strings.Contains(s, "PATH=/") {
		t.Errorf("it is told: %s", s)
	}
}
