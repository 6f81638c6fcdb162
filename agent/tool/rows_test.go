package tool_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/tool"
)

// A callRow is one call with the verdict that a careful reader has given.
type callRow struct {
	tool.TrialInput
	ID    string `json:"id"`
	Valid bool   `json:"valid"`
	Why   string `json:"why"`
}

// callRows reads the calls that others have judged. They are no part of the
// repository.
func callRows(tb testing.TB) []callRow {
	tb.Helper()
	name := filepath.Join("..", "..", "..", "shared", "data", "toolcall_validation_dev.jsonl")
	f, err := os.Open(name)
	if err != nil {
		tb.Skip("the judged calls are not here: " + name)
	}
	defer f.Close()
	var rows []callRow
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var r callRow
			if err := json.Unmarshal(line, &r); err != nil {
				tb.Fatal(err)
			}
			rows = append(rows, r)
		}
		if err != nil {
			return rows
		}
	}
}

// TOOL-10, TOOL-14: of calls to other people's tools, as other people have judged
// them, every good one passes and every bad one is refused with its argument named.
func TestCallsAreJudgedAsPeopleJudgeThem(t *testing.T) {
	rows := callRows(t)
	right := 0
	for _, r := range rows {
		got := tool.Try(r.TrialInput)
		if got.Valid != r.Valid {
			t.Errorf("%s: valid = %t, want %t (%s): %v\ncall %s", r.ID, got.Valid, r.Valid, r.Why, got.Errors, r.Call.Arguments)
			continue
		}
		right++
		if r.Valid || r.Why == "unknown tool" {
			continue
		}
		// The reason ends with the argument: "missing required x", "wrong type for x: want …".
		what, _, _ := strings.Cut(r.Why, ": want ")
		if name := what[strings.LastIndexByte(what, ' ')+1:]; len(got.Errors) != 1 || got.Errors[0].Path != name {
			t.Errorf("%s: faults %v, want one at %s", r.ID, got.Errors, name)
		}
	}
	t.Logf("%d of %d", right, len(rows))
}
