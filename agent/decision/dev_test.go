package decision

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// same compares what two JSON texts mean: 2 and 2.0 are one number.
func same(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	return cmp.Equal(sense(t, a), sense(t, b))
}

func sense(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("decode %q: %v", raw, err)
	}
	return rational(v)
}

func rational(v any) any {
	switch v := v.(type) {
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok {
			return "number " + r.RatString()
		}
		return v
	case []any:
		for i := range v {
			v[i] = rational(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = rational(v[k])
		}
	}
	return v
}

// Other projects' broken JSON is mended as they would have it. DECISION_MISSES=1
// lists what is not.
func TestValueOnOthersRows(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "json_repair_dev.jsonl"))
	if err != nil {
		t.Skipf("no rows to measure with: %v", err)
	}
	defer file.Close()
	type count struct{ right, all int }
	counts := map[string]*count{"core": {}, "others": {}, "errors": {}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			ID, Input, Kind string
			Expected        json.RawMessage
			Core, Disputed  bool
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		got, _, err := Value(row.Input)
		if err == nil && !json.Valid(got) {
			t.Errorf("%s: Value(%q) = %q, which is no JSON", row.ID, row.Input, got)
			continue
		}
		right, which := err == nil && same(t, got, row.Expected), "others"
		switch {
		case row.Core:
			which = "core"
		case row.Kind == "error":
			right, which = err != nil, "errors"
		case row.Disputed:
			continue
		}
		counts[which].all++
		if right {
			counts[which].right++
		} else if os.Getenv("DECISION_MISSES") != "" {
			t.Logf("%s %s\n   in   %s\n   want %s\n   got  %s %v", row.ID, which, row.Input, row.Expected, got, err)
		}
	}
	for name, n := range counts {
		t.Logf("%-6s %d of %d", name, n.right, n.all)
	}
	core := counts["core"]
	if share := float64(core.right) / float64(core.all); share < 0.95 {
		t.Errorf("core rows: %.3f right, want at least 0.95", share)
	}
}
