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

// TOOL-01: every tool that is listed is shown by its name, those too that a model is
// told of later; and what writes is not listed as what only reads.
func TestTOOL01EveryListedToolIsShown(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	list, err := hermesIn(t, "", "tools")
	if err != nil {
		t.Fatal(err)
	}
	effects := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(list), "\n")[1:] {
		effects[strings.Fields(line)[0]] = strings.Fields(line)[1]
	}
	for name, want := range map[string]string{"remember": "keep", "memory_forget": "keep", "memory_list": "read"} {
		if effects[name] != want {
			t.Errorf("%s is listed as %q, want %q", name, effects[name], want)
		}
	}
	for _, name := range []string{"read_file_section", "schedule_edit", "take_back", "remember"} {
		if text, err := hermesIn(t, "", "tools", name); err != nil || !strings.HasPrefix(text, name+" ("+effects[name]+")") {
			t.Errorf("tools %s = %v:\n%s", name, err, text)
		}
	}
}

// What a line has wrong is said in words, not in those of the program.
func TestTrySaysInWordsWhatALineHasWrong(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	for _, tt := range [][3]string{
		{"args", `{"call":3}`, "call: wants an object; got a number"},
		{"args", `{"call":{"name":3}}`, "call.name: wants a string; got a number"},
		{"args", `{"tools":"x"}`, "tools: wants a list; got a string"},
		{"decision", `[1]`, "the line: wants an object; got a list"},
		{"ask", `{"text":true}`, "text: wants a string; got true or false"},
	} {
		got, err := hermesIn(t, tt[1]+"\n", "try", tt[0])
		if want := `{"error":"` + tt[2] + `"}` + "\n"; err != nil || got != want {
			t.Errorf("try %s of %s = %s, %v; want %s", tt[0], tt[1], got, err, want)
		}
	}
}

// `hermes try args` answers each line.
func TestTryArgs(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	got, err := hermesIn(t, `{"tools":[{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"integer"}}}}],"call":{"name":"f","arguments":{"n":"5"}}}
{
`, "try", "args")
	want := `{"valid":false,"errors":[{"path":"n","message":"wants a whole number; got \"5\", read as 5"}],"arguments":{"n":5},"coerced":["n"]}` + "\n" + `{"error":"the line is not JSON: unexpected end of JSON input"}` + "\n"
	if err != nil || got != want {
		t.Errorf("try args = %v:\n%s\nwant\n%s", err, got, want)
	}
}
