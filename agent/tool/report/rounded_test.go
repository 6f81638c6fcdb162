package report

import (
	"strings"
	"testing"

	"hermes/agent/tool"
)

// What is shown is rounded from exact figures, each by itself, and the report says so
// once: its total may differ from the sum of the rows as they are shown.
func TestARoundedReportSaysSo(t *testing.T) {
	for _, lang := range []string{"en", zh} {
		g := regions(lang)
		g.Columns = g.Columns[:3]
		g.Rows = [][]any{{"A", 1000.4, 900.0}, {"B", 2000.4, 1900.0}, {"C", 3000.4, 2900.4}}
		says := map[string]string{"en": "Amounts are rounded", zh: "四舍五入"}[lang]
		page := func(g tool.Grid) string {
			frames := []*frame{newFrame(g, 0)}
			analysis, _ := analyse(frames, lang)
			return page{lang: lang, title: "T", frames: frames, analysis: analysis}.markdown()
		}
		text := page(g)
		for _, want := range []string{"| $1,000 ", "| $2,000 ", "| $3,000 ", "**$6,001**", "**$5,700**", "$301"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
		if strings.Count(text, says) != 1 {
			t.Errorf("it is said %d times that amounts are rounded:\n%s", strings.Count(text, says), text)
		}
		g.Rows = [][]any{{"A", 1000.0, 900.0}, {"B", 2000.0, 1900.0}}
		if text := page(g); strings.Contains(text, says) {
			t.Errorf("nothing is rounded in\n%s", text)
		}
		g.Rows = [][]any{{"A", 10.25, 9.5}, {"B", 20.5, 19.25}}
		if text := page(g); strings.Contains(text, says) {
			t.Errorf("all digits are shown in\n%s", text)
		}
	}
}
