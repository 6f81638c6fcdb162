package tool_test

import (
	"encoding/json"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/tool"
)

// PRIN-05, TOOL-15: a tool takes at most twenty lines of Go and changes nothing else.
// The example of the README is as gofmt has it, compiles as a package of its own, and
// its calls are checked, run and checked again.
func TestPRIN05TheToolOfTheReadmeWorks(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## Write a tool\n")
	_, code, found := strings.Cut(section, "\n```go\n")
	code, _, closed := strings.Cut(code, "```\n")
	if !ok || !found || !closed {
		t.Fatal("README.md has no section \"Write a tool\" with code")
	}
	lines := 0
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			lines++
		}
	}
	if lines > 20 {
		t.Errorf("the tool takes %d lines", lines)
	}
	if tidy, err := format.Source([]byte(code)); err != nil || string(tidy) != code {
		t.Errorf("the code is not as gofmt has it: %v\n%s", err, tidy)
	}
	out := run(t, root, code)
	var got struct {
		Spec             tool.Spec
		Lint             []string
		Good, Bad, Other string
		Broken           string
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Good != `{"gross":119}` || got.Other != `{"gross":107}` || !strings.Contains(got.Bad, "rate: wants a number from 0 to 100; got 101") ||
		!strings.Contains(got.Broken, "gross: is missing") || len(got.Lint) > 0 || got.Spec.Name != "add_vat" {
		t.Errorf("the tool does %s", out)
	}
}

// caller uses the tool as the loop does.
const caller = `package main

import (
	"context"
	"encoding/json"
	"os"

	"hermes/agent/tool"
	"hermes/agent/tool/vat"
)

func main() {
	t := vat.New()
	call := func(args string) string {
		c := tool.Check(t.Spec(), json.RawMessage(args), tool.CheckOptions{})
		if err := c.Err(t.Spec().Name); err != nil {
			return err.Message
		}
		res, err := t.Run(context.Background(), tool.Call{Args: c.Args})
		if err != nil {
			panic(err)
		}
		if _, fault := tool.CheckOutput(t, res); fault != nil {
			return fault.Message
		}
		return res.Text
	}
	_, broken := tool.CheckOutput(t, tool.Result{Text: "{}"})
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{
		"Spec": t.Spec(), "Lint": tool.Lint([]tool.Spec{t.Spec()}), "Good": call("{\"net\":100}"), "Bad": call("{\"net\":100,\"rate\":101}"),
		"Other": call("{\"net\":\"100\",\"vat\":7}"), "Broken": broken.Message,
	}); err != nil {
		panic(err)
	}
}
`

// run compiles the code as a folder of this module, without writing into it, and
// runs the caller.
func run(t *testing.T, root, code string) string {
	t.Helper()
	dir := t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	for at, text := range map[string]string{"agent/tool/vat/vat.go": code, "agent/tool/vat/call/main.go": caller} {
		name := filepath.Join(dir, strings.ReplaceAll(at, "/", "_"))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][filepath.Join(root, filepath.FromSlash(at))] = name
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	where := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(where, list, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "-overlay", where, "./agent/tool/vat/call")
	cmd.Dir = root
	var faults strings.Builder
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &faults)
	}
	return string(out)
}
