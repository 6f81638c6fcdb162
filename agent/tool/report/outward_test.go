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
		"a link in entities":          {"", "See http:&#47;&#47;evil for more.", "a link: `http://evil`"},
		"a mention in entities":       {"", "Please look, &commat;here", "call somebody: `@here`"},
		"a blank in entities":         {"", "Asia gr&amp;#8203;ew.", "nobody sees"},
		"an ampersand":                {"", "Research &amp; development grew.", ""},
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
		"a wide stop":                 {"", "More on evil．com today", "an address: `evil.com`"},
		"a stop of Chinese":           {"", "详见 evil。com", "an address: `evil.com`"},
		"wide letters":                {"", "详见 ｅｖｉｌ．ｃｏｍ", "an address: `evil.com`"},
		"in between":                  {"", "More on evil\u200b.com", "an address: `evil.com`"},
		"told in words":               {"", "More on evil dot com today", "an address: `evil dot com`"},
		"told in words of Chinese":    {"", "详见 evil点com", "an address"},
		"with blanks":                 {"", "More on evil . com today", "an address"},
		"a dot plot":                  {"", "As a dot plot shows, Asia led.", ""},
		"another alphabet":            {"", "More on еvil.соm today", "an address: `evil.com`"},
		"a word of two alphabets":     {"", "Ask Jоhn about it", "look like others: `Jоhn`"},
		"a sign that nobody sees":     {"", "Asia gr\u200bew.", "nobody sees"},
		"turned around":               {"", "Asia \u202egrew.", "nobody sees"},
		"a picture of several":        {"", "Asia led 🏳\ufe0f\u200d🌈.", ""},
		"a number like a number":      {"", "Asia sold to twelvе thousand customers.", "look like others: `twelvе`"},
		"a letter without its dot":    {"", "Africa holds a thırd of sales.", "numbers that no table bears out"},
		"letters in a circle":         {"", "Asia sold to ⓣⓦⓔⓛⓥⓔ thousand.", "numbers that no table bears out"},
		"a number with a slip":        {"", "Asia sold to twleve tousand customers.", "may be a number: `twleve`"},
		"words near a number":         {"", "There were these severe events: the height of the quarter went forth with less weight.", ""},
		"digit by digit":              {"", "Call one three eight zero zero.", "digit by digit"},
		"digits of Chinese":           {"", "请致电一三八零零一三八零零零。", "numbers that no table bears out: 一三八零零一三八零零零"},
		"digits of a cheque":          {"", "请致电壹叁捌零零。", "numbers that no table bears out"},
		"tiers":                       {"", "一二三线城市领先。", ""},
		"a year of Chinese":           {"", "二〇二六年领先。", ""},
		"an accent":                   {"", "A naïve café in São Paulo led.", ""},
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

// Issue 5 Under a grant words come from the report version that it names: in a slot that
// runs none, what a model writes is left out, and the record of the run says so. Nobody
// has to look at what is computed.
func TestWordsOfNoSavedReportAreLeftOutInASlot(t *testing.T) {
	for name, tt := range map[string]struct {
		job, recipe    string
		title, comment string
		ruled          bool
		left, words    bool
	}{
		"words in a slot":                   {job: "j1", comment: "Asia grew.", left: true},
		"a title in a slot":                 {job: "j1", title: "Asia grew.", left: true},
		"what would be marked":              {job: "j1", title: "Asia grew.", comment: "Ask @ana, or evil.example.", left: true},
		"words in a slot of a saved report": {job: "j1", recipe: "saved report 1", comment: "Asia grew.", words: true},
		"words of the rules in a slot":      {job: "j1", title: "Asia grew.", ruled: true},
		"nothing but figures in a slot":     {job: "j1"},
		"words before somebody who waits":   {comment: "Asia grew.", words: true},
	} {
		for _, lang := range []string{"en", zh} {
			s, _ := stock(t, regions(lang))
			tl, err := New(Config{}, s)
			if err != nil {
				t.Fatal(err)
			}
			args, err := json.Marshal(Args{Tables: []string{"t0"}, Title: tt.title, Commentary: tt.comment, Format: None, Chart: None})
			if err != nil {
				t.Fatal(err)
			}
			res, err := tl.Run(t.Context(), tool.Call{ID: "c", Run: "run", Job: tt.job, Recipe: tt.recipe, Ruled: tt.ruled, Args: args, Lang: lang, Now: now, Zone: "UTC"})
			if err != nil || res.Failed {
				t.Fatalf("%s: %+v, %v", name, res, err)
			}
			a := s.m[res.Shows[0]]
			if len(a.Marks()) > 0 || a.Words() != tt.words {
				t.Errorf("%s: marks %q, words %v", name, a.Marks(), a.Words())
			}
			if got := strings.Contains(res.Text, `"left_out"`); got != tt.left {
				t.Errorf("%s: left out %v:\n%s", name, got, res.Text)
			}
			said := tt.title+tt.comment != ""
			if strings.Contains(a.Title+string(a.Body), "Asia grew.") != (said && !tt.left) {
				t.Errorf("%s: the report:\n%s\n%s", name, a.Title, a.Body)
			}
		}
	}
}
