package slack

import (
	"strings"
	"testing"
)

// Issue 5: what a spreadsheet would take for a formula is text in the file of a table; a
// number stays one.
func TestCellsOfATableAreNoFormulas(t *testing.T) {
	cells := map[string]string{
		"=1+1": "'=1+1", "+49 rings": "'+49 rings", "-cmd|' /C calc'!A0": "'-cmd|' /C calc'!A0", "@SUM(A1)": "'@SUM(A1)", "＝1+1": "'＝1+1", "＠x": "'＠x",
		"-12.5%": "-12.5%", "-$300": "-$300", "+2.8%": "+2.8%", "Asia": "Asia", "a=b": "a=b", "–": "–", "": "",
	}
	tab := &table{head: []string{"=HYPERLINK(1)"}}
	var order []string
	for c := range cells {
		order = append(order, c)
		tab.rows = append(tab.rows, []string{strings.ReplaceAll(c, "|", `\|`)})
	}
	lines := strings.Split(strings.TrimSuffix(string(tab.csv()), "\n"), "\n")
	if lines[0] != "'=HYPERLINK(1)" {
		t.Errorf("the head is %q", lines[0])
	}
	for i, c := range order {
		got := strings.TrimSuffix(strings.TrimPrefix(lines[i+1], `"`), `"`)
		if want := cells[c]; got != want && got != strings.ReplaceAll(want, "|", `\|`) {
			t.Errorf("%q is %q, want %q", c, got, want)
		}
	}
}
