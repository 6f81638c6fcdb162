// Package golden holds what people, models and vendors read against files of
// testdata. It is for tests alone; what a text is made of, and how it is laid out to be
// read in a diff, is theirs.
//
// The rule that a newcomer would break: a file is written anew with -update, and then
// read by a person before it is kept.
package golden

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files anew")

// Check fails a test that goes on if got is not what stands in the file of that name,
// with slashes, below testdata. With -update it writes the file first.
func Check(t testing.TB, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got); -update writes it anew:\n%s", file, d)
	}
}

// JSON is Check for a value as it is sent, indented to be read.
func JSON(t testing.TB, name string, body []byte) {
	t.Helper()
	var got bytes.Buffer
	if err := json.Indent(&got, body, "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	Check(t, name, got.String())
}
