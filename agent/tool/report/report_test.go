package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"hermes/agent/tool"
	"hermes/internal/golden"
)

// firstRows cuts a grid to its first rows.
func firstRows(g tool.Grid, rows int) tool.Grid {
	g.Rows = g.Rows[:rows]
	return g
}

// average is a measure whose rows cannot be added up.
func average(lang string) tool.Grid {
	g := regions(lang)
	g.Title, g.Measure, g.NoTotal = pick(lang, "Average order value by region", "各地区客单价"), "average_order_value", true
	g.Columns[1].Label = pick(lang, "Average order value", "客单价")
	g.Rows = [][]any{{"Asia", 81.2, 80.0, 60.0}, {"Europe", 95.55, 99.9, 100.0}, {"Africa", 41.0, nil, 0.0}}
	return g
}

// What people read, in both languages.
func TestMarkdown(t *testing.T) {
	for _, lang := range []string{"en", zh} {
		cut := regions(lang)
		cut.Truncated = 12
		for name, tt := range map[string]struct {
			in    Args
			grids []tool.Grid
		}{
			"regions-and-days": {Args{}, []tool.Grid{regions(lang), days(lang)}},
			"negative":         {Args{}, []tool.Grid{deficits(lang)}},
			"months":           {Args{}, []tool.Grid{months(lang)}},
			"two-dimensions":   {Args{}, []tool.Grid{lines(lang)}},
			"one-row":          {Args{}, []tool.Grid{firstRows(regions(lang), 1)}},
			"no-rows":          {Args{}, []tool.Grid{firstRows(regions(lang), 0)}},
			"average":          {Args{}, []tool.Grid{average(lang)}},
			"truncated":        {Args{}, []tool.Grid{cut}},
			"products":         {Args{Title: pick(lang, "Best sellers", "畅销产品")}, []tool.Grid{products(lang)}},
			"commentary": {Args{Commentary: pick(lang, "Asia grew 14.0%; Europe rose 16.6% and made **$999**.",
				"Asia 增长 14.0%；Europe 增长 16.6%，为 **$999**。")}, []tool.Grid{regions(lang)}},
		} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				tt.in.Format, tt.in.Chart = None, None
				m, _, _ := report(t, lang, tt.in, tt.grids...)
				golden.Check(t, name+"."+lang+".md", m.Text)
			})
		}
	}
}

func TestReportAndItsFiles(t *testing.T) {
	m, s, res := report(t, "en", Args{}, regions("en"), days("en"))
	if diff := cmp.Diff([]string{m.Report}, res.Shows); diff != "" {
		t.Errorf("shows (-want +got):\n%s", diff)
	}
	rep := s.m[m.Report]
	id := func(name string) string { return tool.NewID("run/1/a", name) }
	if rep.ID != id("report") || rep.Kind != tool.Report || rep.Hash != m.Hash || string(rep.Body) != m.Text {
		t.Errorf("report is %+v", rep)
	}
	if diff := cmp.Diff([]string{id("chart"), id("sheet")}, rep.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	want := []MadeFile{{id("chart"), "sales-by-region-2026-10.png"}, {id("sheet"), "sales-by-region-2026-10.xlsx"}}
	if diff := cmp.Diff(want, m.Files); diff != "" {
		t.Errorf("files told (-want +got):\n%s", diff)
	}
	pic, err := png.Decode(bytes.NewReader(s.m[id("chart")].Body))
	if err != nil || pic.Bounds().Dx() != chartWidth || pic.Bounds().Dy() != chartHeight {
		t.Errorf("chart: %v, %v", pic, err)
	}
	var meta Meta
	if err := json.Unmarshal(rep.Meta, &meta); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"t0", "t1"}, meta.Tables); diff != "" || len(meta.Evidence) < 10 {
		t.Errorf("tables (-want +got):\n%s%d pieces of evidence", diff, len(meta.Evidence))
	}
}

// The value of every figure that the template writes can be worked out again
// from the cells that it names.
func TestEvidenceHolds(t *testing.T) {
	grids := []tool.Grid{regions("en"), days("en")}
	frames := []*frame{newFrame(grids[0], 0), newFrame(grids[1], 1)}
	_, ev := analyse(frames, "en")
	for _, e := range ev {
		for _, c := range e.Cells {
			if c.Table > 1 || c.Row >= len(frames[c.Table].Rows) {
				t.Errorf("%s: no such cell: %+v", e.Shown, c)
			}
		}
		if e.Op == OpCell {
			c := e.Cells[0]
			f := frames[c.Table]
			col := 1
			for i := range f.Columns {
				if f.Columns[i].Key == c.Column {
					col = i
				}
			}
			if got := f.Rows[c.Row][col]; got != e.Value {
				t.Errorf("%s: %s is %v, not %v", e.Shown, c, got, e.Value)
			}
		}
	}
}

// What is approved is the hash: the same report has the same bytes.
func TestSameInputSameBytes(t *testing.T) {
	first, s1, _ := report(t, zh, Args{}, regions(zh), days(zh))
	second, s2, _ := report(t, zh, Args{}, regions(zh), days(zh))
	if first.Hash != second.Hash {
		t.Errorf("hashes differ: %s, %s", first.Hash, second.Hash)
	}
	for _, f := range first.Files {
		if !bytes.Equal(s1.m[f.ID].Body, s2.m[f.ID].Body) {
			t.Errorf("%s differs", f.Name)
		}
	}
}

// A grant for October's report holds for November's, and for no other kind.
func TestRecipe(t *testing.T) {
	recipe := func(in Args, grids ...tool.Grid) string {
		m, s, _ := report(t, "en", in, grids...)
		return s.m[m.Report].Recipe
	}
	next := regions("en")
	next.Period = tool.Period{From: october.To, To: october.To.AddDate(0, 1, 0)}
	next.Rows = next.Rows[:3]
	base := recipe(Args{}, regions("en"))
	if got := recipe(Args{Title: "Another title"}, next); got != base {
		t.Errorf("another month has recipe %s, want %s", got, base)
	}
	seen := map[string]string{base: "base"}
	for name, r := range map[string]string{
		"csv": recipe(Args{Format: CSV}, regions("en")), "no chart": recipe(Args{Chart: None}, regions("en")),
		"two tables": recipe(Args{}, regions("en"), days("en")),
	} {
		if other, ok := seen[r]; ok {
			t.Errorf("%s has the recipe of %s", name, other)
		}
		seen[r] = name
	}
}

func TestFaultsAreForTheModel(t *testing.T) {
	s, _ := stock(t, regions("en"))
	s.m["f"] = tool.Artifact{ID: "f", Run: "run", Kind: tool.File}
	s.m["bad"] = tool.Artifact{ID: "bad", Run: "run", Kind: tool.Table, Body: []byte("{")}
	tl, err := New(Config{}, s)
	if err != nil {
		t.Fatal(err)
	}
	if sp := tl.Spec(); sp.Effect != tool.Read || !sp.Unattended {
		t.Errorf("spec is %+v", sp)
	}
	for args, want := range map[string]string{
		`{}`:                                       "tables: is missing",
		`{"tables":["nope"]}`:                      `no artifact "nope"`,
		`{"tables":["f"]}`:                         "f is a file, not a table",
		`{"tables":["bad"]}`:                       "decode table",
		`{"tables":["t0"],"format":"docx"}`:        `"xlsx", "csv", "pdf", "none"; got "docx"`,
		`{"tables":["t0"],"chart":"radar"}`:        `"bar", "line", "stacked", "pie", "none"; got "radar"`,
		`{"tables":["t0"],"colour":"red"}`:         "colour",
		`{"tables":["1","2","3","4","5","6","7"]}`: "of 1 to 6 items",
	} {
		res, err := tl.Run(t.Context(), tool.Call{ID: "c", Run: "run", Args: json.RawMessage(args), Now: now})
		if err != nil || !res.Failed || !strings.Contains(res.Text, want) {
			t.Errorf("%s: %+v, %v; want %q", args, res, err, want)
		}
	}
}

// evil has names that a spreadsheet, or Markdown, would take for more.
func evil() tool.Grid {
	g := regions("en")
	g.Title = "=cmd()/[x]:* a very long title that no sheet can have"
	g.Rows = [][]any{
		{"=HYPERLINK(\"http://x\")", 1.0, -2.0, 3.0}, {"+1", 2.0, nil, nil}, {"-1", 3.0, 1.0, 1.0}, {"@SUM(A1)", 4.0, 1.0, 1.0},
		{"\t=1", 5.0, 1.0, 1.0}, {"<!channel> | [a](b) **x**", 6.0, 1.0, 1.0}, {"\x00\x07 bell", 7.0, 1.0, 1.0},
	}
	return g
}

func TestSheetIsSafeAndRight(t *testing.T) {
	m, s, _ := report(t, "en", Args{}, evil(), regions("en"), days("en"))
	x, err := excelize.OpenReader(bytes.NewReader(s.m[m.Files[1].ID].Body))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close() //nolint:errcheck // Read from memory.
	want := []string{"=cmd() x a very long title", "Sales by region", "Sales by day", "Notes"}
	if diff := cmp.Diff(want, x.GetSheetList()); diff != "" {
		t.Errorf("sheets (-want +got):\n%s", diff)
	}
	for _, cell := range []string{"A2", "A3", "A4", "A5", "A6"} {
		if f, err := x.GetCellFormula(want[0], cell); f != "" || err != nil {
			t.Errorf("%s is the formula %q, %v", cell, f, err)
		}
	}
	for cell, wants := range map[string][2]string{
		"B2": {"512345.67", ""}, "B8": {"1357718.12", "SUM(B2:B7)"}, "A8": {"Total", ""}, "C6": {"", ""},
		"F2": {"0.02839335038", "(B2-C2)/C2"},
	} {
		v, err := x.GetCellValue("Sales by region", cell, excelize.Options{RawCellValue: true})
		if err != nil || !strings.HasPrefix(v, wants[0][:min(len(wants[0]), 10)]) || wants[0] == "" && v != "" {
			t.Errorf("%s = %q, %v; want %q", cell, v, err, wants[0])
		}
		if f, err := x.GetCellFormula("Sales by region", cell); err != nil || f != wants[1] {
			t.Errorf("formula of %s = %q, %v; want %q", cell, f, err, wants[1])
		}
	}
	shown, err := x.GetCellValue("Sales by day", "A2")
	if err != nil || shown != "2026-10-01" {
		t.Errorf("first day is shown as %q, %v", shown, err)
	}
	if shown, _ = x.GetCellValue("Sales by region", "B2"); shown != "$512,345.67" {
		t.Errorf("an amount is shown as %q", shown)
	}
	p, err := x.GetDocProps()
	if err != nil || p.Created != now.UTC().Format(time.RFC3339) {
		t.Errorf("created %q, %v", p.Created, err)
	}
}

func TestCommasAreSafe(t *testing.T) {
	m, s, _ := report(t, "en", Args{Format: CSV, Chart: None}, evil(), evil())
	if len(m.Files) != 2 || m.Files[1].Name != "sales-by-region-2026-10-2.csv" {
		t.Fatalf("files are %+v", m.Files)
	}
	body, ok := bytes.CutPrefix(s.m[m.Files[0].ID].Body, []byte("\ufeff"))
	if !ok {
		t.Error("no byte order mark")
	}
	rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"Region", "Sales", "Previous", "Year before"}, {"'=HYPERLINK(\"http://x\")", "1", "-2", "3"}, {"'+1", "2", "", ""},
		{"'-1", "3", "1", "1"}, {"'@SUM(A1)", "4", "1", "1"}, {"'\t=1", "5", "1", "1"},
	}
	if diff := cmp.Diff(want, rows[:6]); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestNamesAreNoMarkdown(t *testing.T) {
	m, _, _ := report(t, "en", Args{Format: None, Chart: None}, evil())
	for _, bad := range []string{"<!channel>", "[a](b)", "**x**"} {
		if strings.Contains(m.Text, bad) {
			t.Errorf("%q is in\n%s", bad, m.Text)
		}
	}
}

// A title is a model's word too.
func TestTitleIsChecked(t *testing.T) {
	for in, want := range map[string]string{
		"Asia up 14% in October":  "Asia up 14% in October",
		"Asia up 44% in October":  "Sales by region, October 2026",
		"Top 3 regions":           "Top 3 regions",
		"Regions,\n  <!channel> ": "Regions, <!channel>",
	} {
		m, _, _ := report(t, "en", Args{Title: in, Format: None, Chart: None}, regions("en"))
		if m.Title != want || strings.Contains(m.Text, "<!channel>") {
			t.Errorf("title of %q is %q, want %q", in, m.Title, want)
		}
	}
}

func TestCommentaryCallsNobody(t *testing.T) {
	m, _, _ := report(t, "en", Args{Commentary: "<!channel> <@U1> look", Format: None, Chart: None}, regions("en"))
	if strings.Contains(m.Text, "<!") || strings.Contains(m.Text, "<@") {
		t.Errorf("people are called in\n%s", m.Text)
	}
}

func TestFileName(t *testing.T) {
	g := regions("en")
	quarter, days, free := g, g, g
	quarter.Period = tool.Period{From: time.Date(2026, 7, 1, 0, 0, 0, 0, shanghai), To: october.From}
	days.Period.From = october.From.AddDate(0, 0, 4)
	free.Measure, free.By, free.Title, free.Period = "", nil, "各地区 ../../etc", tool.Period{}
	chinese := free
	chinese.Title = "各地区"
	for want, g := range map[string]tool.Grid{
		"sales-by-region-2026-10.xlsx": g, "sales-by-region-2026-q3.xlsx": quarter,
		"sales-by-region-2026-10-05_2026-10-31.xlsx": days, "etc.xlsx": free, "report.xlsx": chinese,
	} {
		if got := fileName(newFrame(g, 0), "xlsx"); got != want {
			t.Errorf("fileName = %q, want %q", got, want)
		}
	}
}

func TestPeriodName(t *testing.T) {
	at := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, shanghai) }
	for _, tt := range []struct {
		from, to time.Time
		en, zh   string
	}{
		{at(2026, 10, 1), at(2026, 11, 1), "October 2026", "2026年10月"},
		{at(2026, 7, 1), at(2026, 10, 1), "Q3 2026", "2026年第三季度"},
		{at(2026, 10, 1), at(2027, 1, 1), "Q4 2026", "2026年第四季度"},
		{at(2026, 1, 1), at(2027, 1, 1), "2026", "2026年"},
		{at(2026, 12, 31), at(2027, 1, 1), "31 December 2026", "2026年12月31日"},
		{at(2026, 1, 1), at(2026, 11, 1), "January to October 2026", "2026年1月至10月"},
		{at(2025, 12, 1), at(2026, 2, 1), "December 2025 to January 2026", "2025年12月至2026年1月"},
		{at(2026, 10, 5), at(2026, 10, 12), "5 October 2026 to 11 October 2026", "2026年10月5日至2026年10月11日"},
		{time.Time{}, time.Time{}, "", ""},
	} {
		p := tool.Period{From: tt.from, To: tt.to}
		if got := periodName(p, "", "en"); got != tt.en {
			t.Errorf("periodName = %q, want %q", got, tt.en)
		}
		if got := periodName(p, "", zh); got != tt.zh {
			t.Errorf("periodName = %q, want %q", got, tt.zh)
		}
	}
}

func BenchmarkReport(b *testing.B) {
	for b.Loop() {
		report(b, "en", Args{Commentary: "Asia grew 14.0% to $401,234."}, regions("en"), days("en"))
	}
}

func BenchmarkCheck(b *testing.B) {
	grids := []tool.Grid{regions("en"), days("en")}
	for b.Loop() {
		Check("Asia grew 14.0% to $401,234, 29.6% of the total.", grids, "en")
	}
}
