package tool

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tests that the makers of JSON Schema keep for readers of it travel with the
// library that writes our schemas. To the letter, and with names let in that a
// schema does not know, all pass but what needs an address elsewhere and the few
// keywords of which we read a part.
func TestSchemasMeanWhatTheStandardSays(t *testing.T) {
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil || len(dir) == 0 {
		t.Skip("the library is not here")
	}
	partly := []string{"refRemote.json", "dynamicRef.json", "unevaluatedItems.json", "unevaluatedProperties.json", "defs.json", "definitions.json", "format.json"}
	passed := 0
	for _, draft := range []string{"draft7", "draft2020-12"} {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "jsonschema", "testdata", draft, "*.json"))
		if err != nil || len(files) == 0 {
			t.Skip("its tests are not here")
		}
		for _, name := range files {
			if slices.Contains(partly, filepath.Base(name)) {
				continue
			}
			passed += suite(t, draft, name)
		}
	}
	if passed < 1500 {
		t.Errorf("only %d cases were tried", passed)
	}
	t.Logf("%d cases", passed)
}

func suite(t *testing.T, draft, name string) int {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var groups []struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Description string
			Data        json.RawMessage
			Valid       bool
		}
	}
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, g := range groups {
		s := string(g.Schema)
		// A $ref with rules beside it we read by the newer drafts: both hold.
		if strings.Contains(s, "$id") || strings.Contains(s, `"unevaluated`) || strings.Contains(s, "http://localhost") || strings.Contains(s, `"$ref": "http`) ||
			draft == "draft7" && strings.HasPrefix(g.Description, "ref overrides") {
			continue
		}
		n, err := compile(g.Schema)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range g.Tests {
			v, err := decode(c.Data)
			if err != nil {
				t.Fatal(err)
			}
			w := &walk{exact: true, bare: true, open: true, steps: new(int)}
			w.value(n, v, "", false)
			if (len(w.faults) == 0) != c.Valid {
				t.Errorf("%s/%s: %s: %s: %v, want valid %t", draft, filepath.Base(name), g.Description, c.Description, w.faults, c.Valid)
			}
			passed++
		}
	}
	return passed
}
