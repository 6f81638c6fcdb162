package calendar

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The rows of robfig/cron's own tests, where daylight saving is not at play:
// the same times, the same refusals. Where it is, ours is another rule, which
// TestNextWhenClocksChange and TestNextAgreesWithWalkingMinutes hold.
func TestNextAgreesWithTheLibraryElsewhere(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "cron_next.jsonl"))
	if err != nil {
		t.Skipf("no rows to compare with: %v", err)
	}
	defer file.Close()
	counts := map[string]int{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var row struct {
			Kind, Time, Spec string
			Expected         any
			DST              bool
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		counts[row.Kind]++
		s, err := Parse(row.Spec)
		switch row.Kind {
		case "error":
			if err == nil {
				t.Errorf("Parse(%q) = %v, want an error", row.Spec, s)
			}
		case "activation":
			at := rowTime(t, row.Time)
			next, ok := s.Next(at.Add(-time.Second), time.UTC)
			if got := ok && next.At.Equal(at); err != nil || got != row.Expected {
				t.Errorf("%q runs at %v: %v (%v), want %v", row.Spec, at, got, err, row.Expected)
			}
		case "next":
			want, _ := row.Expected.(string)
			if want == "" {
				if err == nil {
					t.Errorf("Parse(%q) = %v, want an error", row.Spec, s)
				}
				continue
			}
			if err != nil {
				t.Errorf("Parse(%q): %v", row.Spec, err)
				continue
			}
			loc := time.UTC
			if name, ok := strings.CutPrefix(row.Time, "TZ="); ok {
				name, _, _ = strings.Cut(name, " ")
				loc = zone(t, name)
			}
			at, expected := rowTime(t, row.Time), rowTime(t, want)
			if loc == time.UTC {
				loc = at.Location()
			}
			next, ok := s.Next(at, loc)
			if row.DST {
				counts["dst"]++
				if !ok || !next.At.After(at) {
					t.Errorf("%q after %v = %v", row.Spec, at, next.At)
				}
				continue
			}
			if !ok || !next.At.Equal(expected) {
				t.Errorf("%q after %v = %v, want %v", row.Spec, at, next.At, expected)
			}
		}
	}
	t.Logf("rows: %v", counts)
}

func rowTime(t *testing.T, text string) time.Time {
	t.Helper()
	if strings.HasPrefix(text, "TZ=") {
		_, text, _ = strings.Cut(text, " ")
	}
	for _, layout := range []string{"Mon Jan 2 15:04 2006", "Mon Jan 2 15:04:05 2006", "2006-01-02T15:04:05-0700"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at
		}
	}
	t.Fatalf("time %q", text)
	return time.Time{}
}
