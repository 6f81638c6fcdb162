package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
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

// R7: what a released folder is taken from is not held on by a copy of its file, such
// as a forked child has for a moment.
func TestR7AReleaseFreesTheLockItself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	release, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	links, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no list of open files on this system")
	}
	for _, l := range links {
		fd, err := strconv.Atoi(l.Name())
		if err != nil {
			continue
		}
		if name, err := os.Readlink("/proc/self/fd/" + l.Name()); err == nil && name == filepath.Join(dir, "lock") {
			copied, err := unix.Dup(fd)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = unix.Close(copied) }()
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
