package slack_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hermes/bot/slack"
)

// fenceLine is a line that begins or ends a fence, wherever it stands.
var fenceLine = regexp.MustCompile("^ *(?:- |1\\. )?(`{3,})([a-z]*)$")

// outside are the lines of a part that are no code, and those that are; it reports
// whether every fence is closed.
func outside(part string) (prose, code []string, closed bool) {
	open := ""
	for line := range strings.SplitSeq(part, "\n") {
		m := fenceLine.FindStringSubmatch(line)
		switch {
		case m != nil && open == "":
			open = m[1]
		case m != nil && m[1] == open && m[2] == "":
			open = ""
		case open != "":
			code = append(code, line)
		default:
			prose = append(prose, line)
		}
	}
	return prose, code, open == ""
}

// A fence that is cut, wherever it stands in its block, is closed and opened again with
// its language and its indentation: what is code in the text is code in the parts.
func TestSplitClosesAndOpensFences(t *testing.T) {
	for name, s := range map[string]struct{ before, open, indent, after string }{
		"after a sentence":    {"Here is the code:\n", "```go", "", "\nThat is all."},
		"before an end":       {"", "```go", "", "\nend"},
		"alone":               {"", "```", "", ""},
		"in a list":           {"1. First:\n", "   ```go", "   ", "\n2. Second."},
		"at a mark of a list": {"", "- ```go", "  ", "\n- more"},
		"deep in a list":      {"1. One\n   - two:\n", "     ```go", "     ", "\n2. Second."},
		"longer marks":        {"So:\n", "````md", "", "\nend"},
	} {
		t.Run(name, func(t *testing.T) {
			mark := strings.Trim(s.open, "- 1.abcdefghijklmnopqrstuvwxyz")
			var lines strings.Builder
			for i := range 700 {
				fmt.Fprintf(&lines, "%sline%d := %d\n", s.indent, i, i)
			}
			text := s.before + s.open + "\n" + lines.String() + s.indent + mark + s.after
			parts := slack.Split(text, 9000)
			if len(parts) < 2 {
				t.Fatalf("%d parts, want some", len(parts))
			}
			var prose, code []string
			lang := strings.TrimLeft(s.open, "- ")
			for i, p := range parts {
				a, b, closed := outside(p)
				if prose, code = append(prose, a...), append(code, b...); !closed || len(p) > 9000 {
					t.Errorf("part %d of %d characters ends %q, closed %v", i, len(p), p[len(p)-20:], closed)
				}
				want := s.indent[:min(3, len(s.indent))] + lang + "\n"
				if i > 0 && !strings.HasPrefix(p, want) {
					t.Errorf("part %d begins %q, want %q", i, p[:20], want)
				}
			}
			wantProse, wantCode, _ := outside(text)
			trim := func(all []string) (out []string) {
				for _, l := range all {
					if len(s.indent) > 3 { // it comes up with its fence
						l = strings.TrimLeft(l, " ")
					}
					out = append(out, l)
				}
				return out
			}
			if !slices.Equal(trim(prose), trim(wantProse)) || !slices.Equal(trim(code), trim(wantCode)) {
				t.Errorf("%d lines of prose and %d of code, want %d and %d unchanged", len(prose), len(code), len(wantProse), len(wantCode))
			}
		})
	}
}

// Of any text every part is within the limit with all its fences closed, and the parts
// without fences are the text without them.
func TestSplitOfAnything(t *testing.T) {
	bare := func(text string) string {
		prose, code, _ := outside(text)
		return strings.Join(append(prose, code...), "")
	}
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for range 1 + rnd.IntN(8) {
			for i := range rnd.IntN(6) {
				fmt.Fprintf(&b, "prose %d %d\n", seed, i)
			}
			indent := strings.Repeat(" ", rnd.IntN(4))
			mark := strings.Repeat("`", 3+rnd.IntN(2))
			b.WriteString(indent + mark + []string{"", "go", "sql"}[rnd.IntN(3)] + "\n")
			for i := range rnd.IntN(40) {
				b.WriteString([]string{"", "code", indent + "x := f(" + strings.Repeat("y", rnd.IntN(200)) + ")"}[i%3] + "\n")
			}
			b.WriteString(indent + mark + "\n" + strings.Repeat("\n", rnd.IntN(2)))
		}
		text := b.String()
		n := 80 + rnd.IntN(400)
		parts := slack.Split(text, n)
		var got, want []string
		for i, p := range parts {
			prose, code, closed := outside(p)
			if !closed || len(p) > n {
				t.Errorf("seed %d, limit %d: part %d has %d characters, closed %v: %q", seed, n, i, len(p), closed, p)
			}
			for _, l := range slices.Concat(prose, code) {
				got = append(got, bare(l))
			}
		}
		prose, code, _ := outside(text)
		want = slices.Concat(prose, code)
		if g, w := sum(got), sum(want); g != w {
			t.Errorf("seed %d, limit %d: the parts have other words than the text:\n%q\n%q", seed, n, text, parts)
		}
	}
}

// sum counts characters, without ends of lines.
func sum(lines []string) (out [128]int) {
	for _, l := range lines {
		for i := range len(l) {
			out[l[i]]++
		}
	}
	return out
}
