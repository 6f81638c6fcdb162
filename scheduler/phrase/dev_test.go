package phrase

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

type devRow struct {
	ID, Text, Lang, Kind, Ref, Granularity string
	Expected                               json.RawMessage
	Occurrences                            []string
	Past, Disputed                         bool
}

// right scores a row as the contract of `hermes try` says.
func (row devRow) right(got Trial) bool {
	if row.Past {
		return got.Kind == None || got.Kind == Ask
	}
	if string(got.Kind) != row.Kind {
		return false
	}
	want := row.Occurrences
	if row.Kind == "once" {
		var expected struct{ Datetime string }
		_ = json.Unmarshal(row.Expected, &expected)
		want = []string{expected.Datetime}
	}
	if len(want) > len(got.Next) {
		return false
	}
	for i := range want {
		a, b := want[i], got.Next[i]
		switch row.Granularity {
		case "date":
			if len(a) < 10 || a[:10] != b[:10] {
				return false
			}
		case "time":
			if a[:5] != b[11:16] {
				return false
			}
		default:
			if len(a) >= 16 && a[:16] != b[:16] {
				return false
			}
		}
	}
	return true
}

// Other projects' sentences are understood: a floor under what was reached, by
// kind and language. PHRASE_MISSES=once lists what is not.
func TestReadOnOthersSentences(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "schedule_dev.jsonl"))
	if err != nil {
		t.Skipf("no sentences to measure with: %v", err)
	}
	defer file.Close()
	right, all := map[string]int{}, map[string]int{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var row devRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Disputed || row.Granularity == "second" {
			continue
		}
		ref, err := time.Parse("2006-01-02T15:04:05", row.Ref)
		if err != nil {
			ref = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			var expected struct{ Datetime string }
			_ = json.Unmarshal(row.Expected, &expected)
			if len(expected.Datetime) >= 10 {
				if day, err := time.Parse("2006-01-02", expected.Datetime[:10]); err == nil {
					ref = day.AddDate(0, 0, -30)
				}
			}
		}
		got := Try(TrialInput{Text: row.Text, Now: ref.Format(time.RFC3339), TZ: "UTC"})
		key := row.Kind
		if row.Past {
			key = "past"
		}
		ok := row.right(got)
		for _, k := range []string{key, key + " " + row.Lang[:2], "all"} {
			all[k]++
			if ok {
				right[k]++
			}
		}
		if list := os.Getenv("PHRASE_MISSES"); !ok && list != "" && strings.HasPrefix(key, list) {
			fmt.Printf("%s %s %q now %s\n    want %s %v %.120s\n    got  %s %v %s %s\n", row.ID, key, row.Text, row.Ref, row.Granularity, row.Occurrences, row.Expected, got.Kind, got.Next, got.Spec, got.Question)
		}
	}
	floors := map[string]float64{
		"all": 0.93, "recurring": 0.97, "once": 0.90, "past": 1, "none": 1, "recurring en": 0.97, "recurring zh": 0.96, "once en": 0.90, "once zh": 0.90,
	}
	for _, key := range slices.Sorted(maps.Keys(floors)) {
		floor := floors[key]
		share := float64(right[key]) / float64(max(1, all[key]))
		t.Logf("%-13s %3d of %3d = %.3f", key, right[key], all[key], share)
		if share < floor {
			t.Errorf("%s: %.3f right, below the floor of %.2f", key, share, floor)
		}
	}
}
