package rules

import (
	"strings"
	"testing"

	"hermes/agent/llm"
)

// The kinds of file and of chart are named in both languages, alone and behind what was
// asked for.
func TestFormatsByName(t *testing.T) {
	m := New(layer())
	for _, tt := range []struct{ text, want string }{
		{"sales by region last month as pdf", "sales last_month by [region]; report pdf bar"},
		{"sales by region last month as a PDF file, please", "sales last_month by [region]; report pdf bar"},
		{"last month's sales by region as PDF with a pie chart", "sales last_month by [region]; report pdf pie"},
		{"last month's sales by region with a pie chart", "sales last_month by [region]; report xlsx pie"},
		{"export last month's sales by month and region as a stacked bar chart", "sales last_month by [month region]; report xlsx stacked"},
		{"show last month's sales by region as markdown", "sales last_month by [region]; report none bar"},
		{"把上个月各地区的销售额做成PDF", "sales last_month by [region]; report pdf bar"},
		{"把上个月各地区的销售额做成PDF，配饼图", "sales last_month by [region]; report pdf pie"},
		{"上个月各地区的销售额，用饼图", "sales last_month by [region]; report xlsx pie"},
		{"上个月各地区的销售额，画一张饼状图", "sales last_month by [region]; report xlsx pie"},
		{"上个月按月按地区的销售额，堆叠柱状图，导出成PDF", "sales last_month by [month region]; report pdf stacked"},
		{"every month on the 1st at 9 post last month's sales by region to #sales as pdf", "sales last_month by [region]; report pdf bar; schedule 0 9 1 * * #sales: post last month's sales by region to #sales as pdf"},
	} {
		if got := brief(m.Try(TrialInput{Text: tt.text})); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
	before := []string{"summarise last month's sales by region"}
	for _, tt := range []struct{ text, want string }{
		{"as pdf please", "sales last_month by [region]; report pdf bar"},
		{"export it as PDF", "sales last_month by [region]; report pdf bar"},
		{"make a pie chart", "sales last_month by [region]; report xlsx pie"},
		{"with a pie chart", "sales last_month by [region]; report xlsx pie"},
		{"做成PDF", "sales last_month by [region]; report pdf bar"},
		{"改成饼图", "sales last_month by [region]; report xlsx pie"},
		{"画一张饼图", "sales last_month by [region]; report xlsx pie"},
	} {
		if got := brief(m.Try(TrialInput{Text: tt.text, Turns: before})); got != tt.want {
			t.Errorf("after a report, %q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// MEM-15, SCEN-10 A format that somebody prefers is kept, and taken where none is named;
// what a request names goes before it, for that request.
func TestFormatsByPreference(t *testing.T) {
	m := New(layer())
	for text, want := range map[string]string{
		"I prefer PDF": "pdf", "from now on I want PDF": "pdf", "from now on, send me reports as pdf": "pdf", "I prefer PDF over Excel": "pdf",
		"I prefer PDF reports": "pdf", "I prefer Markdown": "markdown", "I prefer Excel": "xlsx", "from now on I want CSV files": "csv",
		"以后我要PDF格式": "pdf", "我喜欢PDF": "pdf", "以后报告都用PDF": "pdf", "我习惯用PDF格式的报告": "pdf",
	} {
		got := m.Try(TrialInput{Text: text}).Calls
		if len(got) != 1 || got[0].Name != "remember" || !strings.Contains(show(got...), `"object":"`+want+`"`) {
			t.Errorf("%q: %s", text, show(got...))
		}
	}
	for object, want := range map[string]string{"pdf": "pdf", "xlsx": "xlsx", "csv": "csv", "markdown": "none", "docx": "xlsx"} {
		g := game{tools: reportTools(), scene: llm.Scene{Asker: "ana", Facts: []llm.Fact{{Subject: "ana", Predicate: "prefers-format", Object: object}}}}
		log, _ := g.play(t, "summarise last month's sales by region")
		if all := strings.Join(log, "\n"); !strings.Contains(all, `"format":"`+want+`"`) {
			t.Errorf("prefers %s: %s", object, all)
		}
		if log, _ = g.play(t, "summarise last month's sales by region as csv"); !strings.Contains(strings.Join(log, "\n"), `"format":"csv"`) {
			t.Errorf("prefers %s, asks for CSV: %s", object, log)
		}
	}
}
