package report

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"hermes/agent/tool"
)

// A17, issue 5 The words of a model may hold no link, address, mention or channel, and no
// number that no table bears out, unless a person has looked: then the report has a mark,
// which no grant covers. What a table has, and dates, are none.
func TestModelsWordsAreMarked(t *testing.T) {
	for name, tt := range map[string]struct {
		title, comment string
		want           string // in the first mark; "" for none
	}{
		"plain words":                 {"", "Asia grew, and Europe followed.", ""},
		"a number of the table":       {"", "Asia grew 14.0%.", ""},
		"a date":                      {"", "As of 1 October 2026 all is well; see step 2.", ""},
		"no blank behind a stop":      {"", "Asia grew.Europe fell.", ""},
		"a number of nobody":          {"", "Sales were 987654321.", "numbers that no table bears out: 987654321"},
		"a number in the title":       {"Up 77.7%", "", "77.7%"},
		"a link":                      {"", "See https://evil.example/?q=1 for more.", "`https://evil.example/?q=1`"},
		"a link in Markdown":          {"", "See [the source](//evil.example/x).", "a link"},
		"a picture":                   {"", "![x](http://evil.example/p.png?d=1)", "a link"},
		"another scheme":              {"", "Call tel:+491234567 now", "a link"},
		"a host alone":                {"", "More on evil.example/x today", "an address: `evil.example/x`"},
		"a host without a path":       {"", "More on evil.example today", "an address: `evil.example`"},
		"a host in Chinese":           {"", "详见 evil.例子", "an address"},
		"an address of numbers":       {"", "Ask 10.1.2.3:8080/x", "an address"},
		"a mail address":              {"", "Write to mallory@evil.example", "`mallory@evil.example`"},
		"written around":              {"", "Write to mallory (at) evil (dot) example", "an address"},
		"a mention of Slack's":        {"", "Ask <@U123> about it", "call somebody"},
		"everybody":                   {"", "Please look, @here", "call somebody: `@here`"},
		"everybody, as Slack has it":  {"", "Please look <!channel>", "call somebody"},
		"somebody":                    {"", "As @lee said", "call somebody: `@lee`"},
		"somebody, in wide signs":     {"", "请 ＠李雷 看看", "call somebody"},
		"a channel":                   {"", "More in #general", "name a channel: `#general`"},
		"a channel in the title":      {"Report for #leak", "", "name a channel: `#leak`"},
		"a name with a dot, as it is": {"", "Node.js led.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := regions("en")
			g.Rows[2][0] = "Node.js"
			_, s, res := report(t, "en", Args{Title: tt.title, Commentary: tt.comment, Format: None, Chart: None}, g)
			marks := s.m[res.Shows[0]].Marks()
			switch {
			case tt.want == "" && len(marks) > 0:
				t.Errorf("marks = %q, want none", marks)
			case tt.want != "" && (len(marks) == 0 || !strings.Contains(marks[0], tt.want)):
				t.Errorf("marks = %q, want the first with %q", marks, tt.want)
			}
		})
	}
	_, s, res := report(t, zh, Args{Commentary: "详见 https://evil.example", Format: None, Chart: None}, regions(zh))
	if marks := s.m[res.Shows[0]].Marks(); len(marks) != 1 || !strings.Contains(marks[0], "模型写的文字里有链接") {
		t.Errorf("marks in Chinese = %q", marks)
	}
}

// X7 An id is no right: a report is made of tables of its own run, and of those of the
// same person at the same home; of others there is none.
func TestX7TablesOfOthersAreNotThere(t *testing.T) {
	s, _ := stock(t, regions("en"))
	made := map[string][2]string{"mine": {"ana", "home"}, "elsewhere": {"ana", "away"}, "theirs": {"gus", "home"}}
	tl, err := New(Config{Made: func(_ context.Context, run string) (asker, home string, ok bool, err error) {
		who, ok := made[run]
		return who[0], who[1], ok, nil
	}}, s)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := New(Config{}, s)
	if err != nil {
		t.Fatal(err)
	}
	table := s.m["t0"]
	for run, want := range map[string]bool{"run": true, "mine": true, "elsewhere": false, "theirs": false, "gone": false, "": false} {
		table.Run = run
		s.m["t0"] = table
		c := tool.Call{ID: "c" + run, Run: "run", Asker: "ana", Home: "home", Args: json.RawMessage(`{"tables":["t0"],"format":"none","chart":"none"}`), Lang: "en", Now: now, Zone: "UTC"}
		res, err := tl.Run(t.Context(), c)
		if err != nil || res.Failed == want || !want && !strings.Contains(res.Text, "there is no artifact") {
			t.Errorf("a table of %q: %+v, %v; want a report %t", run, res, err, want)
		}
		if res, err = alone.Run(t.Context(), c); err != nil || res.Failed == (run == "run") {
			t.Errorf("without anybody who knows, a table of %q: failed %t, %v", run, res.Failed, err)
		}
	}
}

// Values from rows are no formula in CSV and XLSX, no markup and no link in Markdown.
func TestValuesOfRowsAreOnlyText(t *testing.T) {
	hostile := []string{"=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "＝1", "<!here> <@U1>", "[x](https://evil.example)", "https://evil.example/?q=1", "a|b`c`*d*_e_~f~"}
	g := regions("en")
	row := g.Rows[0]
	g.Rows = nil
	for _, h := range hostile {
		g.Rows = append(g.Rows, append([]any{h}, row[1:]...))
	}
	for _, format := range []string{CSV, XLSX} {
		m, s, res := report(t, "en", Args{Format: format, Chart: None}, g)
		if strings.Contains(m.Text, "<!here>") || strings.Contains(m.Text, "](https://") || strings.Contains(m.Text, "https://evil") {
			t.Errorf("markup came through:\n%s", m.Text)
		}
		file := s.m[s.m[res.Shows[0]].Files[0]]
		if format == CSV {
			for _, line := range strings.Split(string(file.Body), "\n") {
				if cell := strings.TrimPrefix(strings.TrimPrefix(line, "\ufeff"), `"`); cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") && !strings.HasPrefix(cell, "\r") {
					t.Errorf("a cell begins a formula: %q", line)
				}
			}
			continue
		}
		x, err := excelize.OpenReader(bytes.NewReader(file.Body))
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close() //nolint:errcheck // it was only read
		sheet := x.GetSheetList()[0]
		for i := range hostile {
			cell, _ := excelize.CoordinatesToCellName(1, i+2)
			kind, err := x.GetCellType(sheet, cell)
			formula, ferr := x.GetCellFormula(sheet, cell)
			if err != nil || ferr != nil || formula != "" || kind == excelize.CellTypeFormula {
				t.Errorf("%s is %v with formula %q, %v %v", cell, kind, formula, err, ferr)
			}
		}
	}
}
