package result

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// What is skipped before a search is never what the search would have found.
func TestNothingIsSkippedThatWouldBeFound(t *testing.T) {
	words := []string{
		"<", "</", "[", "[/", "|", "｜", `\u003c`, `\u003C`, "✿", ">", `\u003e`, "<<SYS>>", "INST]", "inst]", "ARGS]", "ſystem", "system", "System", "USER", "Human",
		"tool_call", "think", "S", "s", "x", "中", " ", "\t", "\n", "*", "#", ":", "：", "=", "1", ",", "]", `"`, "{", "\\",
	}
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 200_000 {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(words[r.IntN(len(words))])
		}
		s := b.String()
		border, turn := borders.MatchString(s), turns.MatchString(s)
		if border && !mayBorder(s) || turn && !mayTurn(s) {
			t.Fatalf("%q is skipped", s)
		}
		if border || turn {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d of the texts hold something: the test says nothing", found)
	}
}
