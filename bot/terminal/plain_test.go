package terminal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What is said in Markdown is shown in plain words: nothing is lost but marks.
func TestMarkdownIsShownPlainly(t *testing.T) {
	for _, tt := range [][2]string{
		{"**Approve?** it is *yours*", "Approve? it is yours"},
		{"__bold__ and _slanted_, **a *b* c**", "bold and slanted, a b c"},
		{"snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"},
		{"**销售额**上升", "销售额上升"},
		{"**open", "**open"},
		{"~~999.9%~~ of it", "~~999.9%~~ of it"},
		{"see [the trace](https://h/t?a=b_c_d).", "see the trace (https://h/t?a=b_c_d)."},
		{"[https://h/x](https://h/x) <https://h/y>", "https://h/x https://h/y"},
		{"![chart](chart.png)", "chart (chart.png)"},
		{"[a [b]](x(1).png) [not a link] [1]", "a [b] (x(1).png) [not a link] [1]"},
		{"run `SELECT **x** FROM a_b_c` now", "run SELECT **x** FROM a_b_c now"},
		{"`` a ` b `` and ` lone", "a ` b and ` lone"},
		{`1\. \*not bold\* a\|b C:\x`, `1. *not bold* a|b C:\x`},
		{"a &amp; b &lt;c&gt; `&amp;`", "a & b <c> &amp;"},
		{"## Sales, 2026-10 ##\n\ntext  \nmore\\\n* one\n  + two\n- three", "Sales, 2026-10\n\ntext\nmore\n- one\n  - two\n- three"},
		{"```sql\nSELECT **1** | 2\n```\nend", "SELECT **1** | 2\nend"},
		{"a | b\nno table", "a | b\nno table"},
		{"| Region | Sales |\n|:--|--:|\n| EMEA | $1,200 |\n| **Total** | $12 |\n\nend",
			"Region   Sales\n------  ------\nEMEA    $1,200\nTotal      $12\n\nend"},
		{"| 地区 | 销售额 |\n|---|---:|\n| 北美洲 | 1,200 |\n| a\\|b | `x|y` |\n| short |",
			"地区    销售额\n------  ------\n北美洲   1,200\na|b        x|y\nshort"},
		{"\x1b[2Jgone\x07 \u202eback &#27;[31mred", "[2Jgone back [31mred"},
	} {
		if d := cmp.Diff(tt[1], look{}.plain(tt[0])); d != "" {
			t.Errorf("%q (-want +got):\n%s", tt[0], d)
		}
	}
}

// A terminal shows in bold what is strong, a pipe shows no escape at all, and the
// columns of a table stand as they do without.
func TestOnlyATerminalHasBold(t *testing.T) {
	const md = "# Head\n**strong**\n\n| **A** | B |\n|---|---|\n| **x** | y |"
	bold := look{bold: true}.plain(md)
	for _, want := range []string{"\x1b[1mHead\x1b[22m\n\x1b[1mstrong\x1b[22m", "\x1b[1mA\x1b[22m  \x1b[1mB\x1b[22m\n-  -\n\x1b[1mx\x1b[22m  y"} {
		if !strings.Contains(bold, want) {
			t.Errorf("shown %q, want %q in it", bold, want)
		}
	}
	if got := strings.NewReplacer("\x1b[1m", "", "\x1b[22m", "").Replace(bold); got != (look{}).plain(md) {
		t.Errorf("without its bold it is %q, want %q", got, look{}.plain(md))
	}
}

// Whatever is said, it is shown, and nothing of it steers the terminal.
func TestNothingSteersTheTerminal(t *testing.T) {
	parts := rapid.SliceOf(rapid.OneOf(rapid.SampledFrom([]string{"*", "**", "_", "`", "``", "[", "](", ")", "|", "\n", "|-|-|", "\\", "#", " ", "&#27;", "\x1b", "~~", "<https://", ">", "!", "销"}), rapid.String()))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(parts.Draw(t, "text"), "")
		for _, r := range (look{}).plain(text) {
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
				t.Fatalf("%q shows %q", text, r)
			}
		}
	})
}
