package report

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

func all(string) bool { return true }

func TestDrawNamesTheTenLargest(t *testing.T) {
	d, ok := draw(newFrame(products("en"), 0), Bar, "t", "en", all)
	if !ok || len(d.labels) != 11 || d.labels[10] != "Others" || d.labels[0] != "手机" {
		t.Fatalf("labels are %q", d.labels)
	}
	f := newFrame(products("en"), 0)
	total, _ := f.total(f.val)
	if got := add(d.series[0].values); got < total.value*0.999999 || got > total.value*1.000001 {
		t.Errorf("bars add up to %v, want %v", got, total.value)
	}
}

// A line is not drawn over days that the table does not have.
func TestDrawLeavesGaps(t *testing.T) {
	d, ok := draw(newFrame(days("en"), 0), Line, "t", "en", all)
	if !ok || len(d.labels) != 31 || d.labels[10] != "10-11" {
		t.Fatalf("labels are %q", d.labels)
	}
	if v := d.series[0].values[10]; finite(v) && v < 1e300 {
		t.Errorf("the day without data is drawn at %v", v)
	}
}

// Without a font for them Chinese names become row numbers, and titles English.
func TestDrawWithoutChineseFont(t *testing.T) {
	g := products(zh)
	slices.Reverse(g.Rows)
	d, ok := draw(newFrame(g, 0), Bar, "各产品销售额", zh, func(s string) bool { return shows(s, nil) })
	if !ok || !d.blind {
		t.Fatalf("drawing is %+v", d)
	}
	if diff := cmp.Diff([]string{"#14", "#13", "…"}, append(d.labels[:2:2], d.labels[10])); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	want := []string{"sales by product", "October 2026", "Now", "Before"}
	got := []string{d.title, d.subtitle, d.series[0].name, d.series[1].name}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	if slices.ContainsFunc(d.texts(), func(s string) bool { return !shows(s, nil) }) {
		t.Errorf("texts are %q", d.texts())
	}
}

func TestNothingToDraw(t *testing.T) {
	for name, g := range map[string]tool.Grid{
		"no rows": firstRows(regions("en"), 0), "no columns": {},
		"no numbers": {Columns: []tool.Column{{Key: "a", Role: tool.RoleOther}}, Rows: [][]any{{"x"}}},
	} {
		if d, ok := draw(newFrame(g, 0), Bar, "t", "en", all); ok {
			t.Errorf("%s: drawn as %+v", name, d)
		}
	}
}

// Whatever the numbers, there is a picture. A few grids only: under the race
// detector a picture takes a second.
func TestAnyGridIsDrawn(t *testing.T) {
	for seed := range 12 {
		g := anyGrid("en").Example(seed)
		d, ok := draw(newFrame(g, 0), []string{Bar, Line, Stacked, Pie}[seed%4], g.Title, "en", all)
		if !ok {
			continue
		}
		body, err := d.png(nil)
		if err != nil {
			t.Fatalf("grid %d: %v", seed, err)
		}
		if _, err := png.Decode(bytes.NewReader(body)); err != nil {
			t.Fatalf("grid %d: %v", seed, err)
		}
	}
}

func TestExtremeNumbersAreDrawn(t *testing.T) {
	for _, vs := range [][]float64{{0, 0}, {1e300, -1e300}, {1e-300, 0}, {5, 5}, {-3, -3}, {1.7e308, 1.7e308}} {
		g := regions("en")
		g.Rows = nil
		for i, v := range vs {
			g.Rows = append(g.Rows, []any{string(rune('a' + i)), v, nil, nil})
		}
		for _, kind := range []string{Line, Bar, Pie, Stacked} {
			d, ok := draw(newFrame(g, 0), kind, "t", "en", all)
			if !ok {
				t.Fatal("nothing to draw")
			}
			if d.kind != kind {
				continue // it would lie, and is one of the others
			}
			if _, err := d.png(nil); err != nil {
				t.Errorf("%v: %v", vs, err)
			}
		}
	}
}

func TestFonts(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.ttf")
	if err := os.WriteFile(bad, []byte("\x00\x01\x00\x00\x00\x10junkjunkjunkjunkjunk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Font: bad}, &shelf{}); err == nil {
		t.Error("a damaged font is taken")
	}
	if _, err := New(Config{Font: bad + "x"}, &shelf{}); err == nil {
		t.Error("a font that is not there is taken")
	}
	if f := findFont([]string{bad, "/nowhere/*.ttf"}); f != nil {
		t.Error("a damaged font is found")
	}
	if !shows("Sales — Größe €1", nil) || shows("销售额", nil) {
		t.Error("the built-in fonts show Latin and no Chinese")
	}
}

func FuzzFont(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x00"))
	f.Add([]byte("ttcf"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		parseFont(b) //nolint:errcheck // It must only return.
	})
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 5: "5", 1.25: "1.25", 999: "999", 1000: "1K", 12500: "12.5K", 999950: "1M", 1234567: "1.23M", 3e9: "3B", -4e12: "-4T", 0.001: "0.001", 2e20: "2.0e+20",
	} {
		if got := short(v); got != want {
			t.Errorf("short(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, tt := range []struct {
		v      float64
		places int
		want   string
	}{
		{0, 0, "0"}, {1234567.891, 2, "1,234,567.89"}, {-1234, 0, "-1,234"}, {-0.4, 0, "-0.40"}, {0.00004, 2, "0.000040"}, {1e-9, 2, "1.00e-09"},
		{123456789012345678, 0, "1.235e+17"}, {999, 0, "999"}, {-0.5, 0, "0"},
	} {
		if got := number(tt.v, tt.places); got != tt.want {
			t.Errorf("number(%v, %d) = %q, want %q", tt.v, tt.places, got, tt.want)
		}
	}
}
