package decision

import (
	"strings"
	"testing"
)

// DEC-26, DEC-23 A long thought is told again as one short line.
func TestBrief(t *testing.T) {
	for name, tt := range map[string]struct{ thought, want string }{
		"short stays":             {"look at the sales", "look at the sales"},
		"one line":                {"  look\n at\tthe  sales ", "look at the sales"},
		"a sentence is kept":      {strings.Repeat("a", 150) + ". " + strings.Repeat("b", 100), strings.Repeat("a", 150) + ".…"},
		"else a word":             {strings.Repeat("ab ", 100), strings.TrimSpace(strings.Repeat("ab ", 66)) + "…"},
		"else a cut":              {strings.Repeat("a", 300), strings.Repeat("a", 199) + "…"},
		"a Chinese sentence":      {strings.Repeat("查", 120) + "。" + strings.Repeat("看", 120), strings.Repeat("查", 120) + "。…"},
		"Chinese without an end":  {strings.Repeat("查", 300), strings.Repeat("查", 199) + "…"},
		"exactly 200":             {strings.Repeat("查", 200), strings.Repeat("查", 200)},
		"nothing":                 {" \n", ""},
		"5000 characters are cut": {strings.Repeat("x", 5000), strings.Repeat("x", 199) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Brief(tt.thought); got != tt.want || len([]rune(got)) > 200 {
				t.Errorf("Brief = %q (%d), want %q", got, len([]rune(got)), tt.want)
			}
		})
	}
}
