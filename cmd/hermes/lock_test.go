package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// R7: a data folder has one owner at a time. The second is told so, and gets it once
// the first has gone.
func TestR7ALockedFolderIsHeld(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "data")
	release, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := lock(dir); !errors.Is(err, errHeld) {
			t.Errorf("the second lock = %v, want errHeld", err)
		}
	}
	for name, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "lock"): 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v; want %v", name, info.Mode().Perm(), err, want)
		}
	}
	release()
	release, err = lock(dir)
	if err != nil {
		t.Fatalf("lock after its release = %v", err)
	}
	release()
}

// A folder that cannot be made is named, with what to do.
func TestAFolderThatCannotBeMadeIsNamed(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := lock(filepath.Join(name, "data"))
	if err == nil || errors.Is(err, errHeld) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "hint: --data") {
		t.Errorf("lock in a file = %v, want its name and a hint", err)
	}
}
