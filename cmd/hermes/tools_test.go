package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TOOL-01: the list of tools has for each all that is known of it; for people it is
// a table, and one tool is shown as a model reads it, with the tables of the database.
func TestTOOL01ToolsAreListed(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	text, err := hermesIn(t, "", "tools", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 12 {
		t.Fatalf("%d tools are listed", len(all))
	}
	for _, entry := range all {
		for _, key := range []string{
			"name", "description", "restrictions", "parameters", "output", "aliases", "examples", "effect", "unattended", "class", "timeout",
			"attempts", "idempotent", "repeatable", "alternates", "limit", "truncate", "screen", "words", "always", "version", "changes", "formerly",
		} {
			if _, ok := entry[key]; !ok {
				t.Errorf("%v has no %s", entry["name"], key)
			}
		}
	}
	if text, err = hermesIn(t, "", "tools"); err != nil || !strings.HasPrefix(text, "NAME ") || !strings.Contains(strings.Join(strings.Fields(text), " "), " post_message send normal ") {
		t.Errorf("tools = %v:\n%s", err, text)
	}
	if text, err = hermesIn(t, "", "tools", "query_database"); err != nil || !strings.Contains(text, "orders(day text") || !strings.Contains(text, "read-only") {
		t.Errorf("tools query_database = %v:\n%s", err, text)
	}
	if _, err = hermesIn(t, "", "tools", "query_databas"); err == nil || !strings.Contains(err.Error(), "did you mean query_database?") {
		t.Errorf("tools query_databas = %v", err)
	}
}

// TOOL-03, TOOL-04, FAIL-25: our own tools have nothing to mend.
func TestTOOL03OurToolsAreWellDescribed(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	if text, err := hermesIn(t, "", "tools", "--lint"); err != nil {
		t.Errorf("%v:\n%s", err, text)
	}
}

// `hermes try args` answers each line.
func TestTryArgs(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	got, err := hermesIn(t, `{"tools":[{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"integer"}}}}],"call":{"name":"f","arguments":{"n":"5"}}}
{
`, "try", "args")
	want := `{"valid":false,"errors":[{"path":"n","message":"wants a whole number; got \"5\", read as 5"}],"arguments":{"n":5},"coerced":["n"]}` + "\n" + `{"error":"unexpected end of JSON input"}` + "\n"
	if err != nil || got != want {
		t.Errorf("try args = %v:\n%s\nwant\n%s", err, got, want)
	}
}
