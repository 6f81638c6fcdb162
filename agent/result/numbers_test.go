package result_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/result"
)

// RES-12 Every number of a summary is found in the raw text, in whatever way it is
// written there, or is named.
func TestRES12Invented(t *testing.T) {
	const raw = `{"total":12345678,"share":0.1234,"growth":"-5.6%","orders":[320,7,45],"price":19.99,"day":"2026-10-31","note":"约3.2万人, 2 million users"}`
	for name, tt := range map[string]struct {
		summary string
		want    []string
	}{
		"as it is":                 {"12345678 and 320, 7 or 45", nil},
		"thousands set apart":      {"12,345,678 or 12'345'678 or 12\u00a0345\u00a0678", nil},
		"rounded":                  {"12.3 million, 12.35 million, 12 million", nil},
		"rounded the wrong way":    {"12.4 million", []string{"12.4 million"}},
		"万 and 亿":                  {"1234.6万，0.12亿，约1235万", nil},
		"other 万":                  {"1234.9万", []string{"1234.9万"}},
		"short units":              {"12.3M users, 12346k", nil},
		"a percentage":             {"12.3% or 12.34 percent, 百分比 12%", nil},
		"another percentage":       {"13%", []string{"13%"}},
		"points and signs":         {"fell 5.6%, by 5.6 percentage points, −5.6%", nil},
		"percent said as a number": {"growth of -5.6 and 0.056", nil},
		"full width":               {"３２０ 和 １９．９９", nil},
		"Chinese words":            {"三百二十个订单，三万二千人，两百万用户", nil},
		"other Chinese words":      {"三百三十个订单", []string{"三百三十"}},
		"words of the language":    {"一个，万一，十分，两三天，千万不要", nil},
		"about":                    {"about 12,000,000; 约 20, roughly 320", nil},
		"not about":                {"12,000,000", []string{"12,000,000"}},
		"about, and wrong":         {"about 13,000,000", []string{"13,000,000"}},
		"a date":                   {"on 31 October 2026, 2026年10月31日", nil},
		"a list":                   {"1. first\n2) second\n 3、third", nil},
		"names":                    {"Q3, B2B, SKU_12", []string{}},
		"invented":                 {"sales of 555, costs 77.5%", []string{"555", "77.5%"}},
		"ends":                     {"5", []string{"5"}},
		"cut thousands":            {"12,34", []string{"12", "34"}},
		"a unit is a word":         {"7 men, 45 kg, 7 bottles", nil},
		"money":                    {"$19.99, ¥12345678", nil},
		"places rounded":           {"20.0, 20", nil},
		"an exponent":              {"1.2345678e7", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := result.Invented(tt.summary, raw)
			if len(got)+len(tt.want) > 0 {
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
			}
		})
	}
}

// What was counted by rules counts as known if the Brief is given with the raw text.
func TestInventedKnowsTheExtract(t *testing.T) {
	in := input("look", objects(300))
	out := read(t, in, result.Config{})
	const summary = "300 items, 45,000 in all"
	if got := result.Invented(summary, in.Text+out.Brief); len(got) > 0 {
		t.Errorf("invented %q", got)
	}
	if got := result.Invented(summary, in.Text); !cmp.Equal(got, []string{"45,000"}) {
		t.Errorf("without the extract invented %q", got)
	}
}

// FuzzInvented holds that a text invents nothing of itself, and that it takes no time.
func FuzzInvented(f *testing.F) {
	for _, s := range []string{"", "12,345.6万 and 12% of 三百二十", "1'234'567,89 1e9 1e400 約 ５", "0.1 (2) 3. x\n4. y", strings.Repeat("9", 400), "about 1,000 about", "五十亿零三"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := result.Invented(text, text); len(got) > 0 {
			t.Fatalf("%q is not in %q", got, text)
		}
		if got := result.Invented(text, ""); strings.Count(text, "") < len(got) {
			t.Fatalf("%d numbers in %q", len(got), text)
		}
	})
}

func ExampleInvented() {
	raw := `{"revenue": 1234567, "growth": 0.083}`
	fmt.Println(result.Invented("Revenue was 1.23 million, up 8.3%, with 42 new customers.", raw))
	// Output: [42]
}
