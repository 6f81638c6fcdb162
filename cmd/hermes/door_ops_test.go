package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Whatever a command can ask, the running daemon answers: an op that is not in the list
// works only while no daemon runs.
func TestEveryOpIsAtTheDoor(t *testing.T) {
	known := map[string]bool{}
	for _, o := range ops() {
		known[o.name] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`= asOp\("([^"]+)"`)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllStringSubmatch(string(b), -1) {
			if !known[m[1]] {
				t.Errorf("%s: the daemon does not answer %s", name, m[1])
			}
		}
	}
}
