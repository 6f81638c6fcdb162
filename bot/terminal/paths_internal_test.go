package terminal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"hermes/internal/filename"
)

// SAFE-09: what is saved stays in the folder in which the client runs, whatever it is
// called: no name leads above it, through a link out of it, to a device, or over a file
// that is there, and a name that was made clean is always a plain file there.
func TestSAFE09WhatIsSavedStaysInItsFolder(t *testing.T) {
	outside := t.TempDir()
	precious := filepath.Join(outside, "precious")
	if err := os.WriteFile(precious, []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	t.Chdir(folder)
	for link, to := range map[string]string{"out": outside, "there": precious, "up": "..", "null": "/dev/null", "new": filepath.Join(outside, "new")} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		precious, "../precious", "a/../../precious", "..", ".", "", "/dev/null", "/dev/stdout", "/proc/self/mem", "out/precious", "out/new", "out/../precious",
		"there", "new", "up/x", "up/../../x", "null", "a\x00b", "nofolder/x", "//etc/passwd",
	} {
		if err := keep(name, []byte("hostile")); err == nil {
			t.Errorf("%q is written", name)
		}
		// The same name made clean is a plain file here, or is there already.
		clean := filename.Clean(name)
		if err := keep(clean, []byte("hostile")); err != nil && !errors.Is(err, fs.ErrExist) {
			t.Errorf("%q as %q: %v", name, clean, err)
		}
		if filepath.Base(clean) != clean || !filepath.IsLocal(clean) {
			t.Errorf("%q becomes %q", name, clean)
		}
	}
	for _, name := range []string{"report.csv", "REPORT.CSV"} { // two files where case tells them apart, else the first stays
		if err := keep(name, []byte(name)); err != nil && !errors.Is(err, fs.ErrExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if b, err := os.ReadFile("report.csv"); err != nil || string(b) != "report.csv" {
		t.Errorf("report.csv = %q, %v", b, err)
	}
	if b, err := os.ReadFile(precious); err != nil || string(b) != "keep" {
		t.Errorf("the file outside = %q, %v", b, err)
	}
	all, err := os.ReadDir(outside)
	if err != nil || len(all) != 1 {
		t.Errorf("outside are %d files, %v; want 1", len(all), err)
	}
}
