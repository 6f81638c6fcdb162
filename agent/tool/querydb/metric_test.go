package querydb

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

// shelf keeps artifacts as the store does.
type shelf map[string]tool.Artifact

func (s shelf) Put(_ context.Context, a tool.Artifact) (tool.Artifact, error) {
	if old, ok := s[a.ID]; ok {
		return old, nil
	}
	a.Hash = tool.HashOf(a, nil)
	s[a.ID] = a
	return a, nil
}

func (s shelf) Artifact(_ context.Context, id string) (tool.Artifact, error) {
	a, ok := s[id]
	if !ok {
		return a, tool.ErrNoArtifact
	}
	return a, nil
}

// shop is a small SQLite database. Its figures are small enough to be added by
// hand.
const shop = `
CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO regions VALUES (1, 'Asia'), (2, 'Europe'), (3, 'Africa');
CREATE TABLE orders (day TEXT, region INTEGER, amount INTEGER);
CREATE INDEX by_day ON orders (day);
INSERT INTO orders VALUES
	('2025-10-02', 1, 900), ('2025-10-03', 3, 50),
	('2026-09-01', 1, 1000), ('2026-09-01', 2, 2010), ('2026-09-30', 2, 1),
	('2026-10-01', 1, 1500), ('2026-10-02', 2, 1250), ('2026-10-02', 1, 5), ('2026-10-31', 3, 10),
	('2026-11-01', 1, 333), ('2026-11-02', 1, 333);
`

func shopLayer(path string) Layer {
	from := "orders o JOIN regions r ON r.id = o.region"
	return Layer{
		Name: "shop", Dialect: SQLite, DSN: path,
		Measures: []Measure{
			{Name: "sales", Label: Label{"Sales", "销售额"}, Synonyms: []string{"revenue", "营业额"}, SQL: "SUM(o.amount) / 100.0", From: from, Time: "o.day", Unit: "USD", Scale: 2, Daily: true},
			{Name: "orders", Label: Label{"Orders", "订单数"}, SQL: "COUNT(*)", From: from, Time: "o.day"},
			{Name: "average", Label: Label{"Average order", "客单价"}, SQL: "AVG(o.amount) / 100.0", From: from, Time: "o.day", Unit: "USD", Scale: 2, NoTotal: true},
		},
		Dimensions: []Dimension{{
			Name: "region", Label: Label{"region", "地区"}, Synonyms: []string{"area", "区域"}, SQL: "r.name", From: "regions r",
			ValueSynonyms: []Value{{Value: "Asia", Label: Label{"Asia", "亚洲"}, Words: []string{"APAC"}}, {Value: "Europe", Label: Label{"Europe", "欧洲"}}},
		}},
	}
}

func openShop(t *testing.T) *Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop ?#.db")
	db, err := sql.Open("sqlite", path[:len(path)-len(filepath.Base(path))]+"made.db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(shop + "VACUUM INTO '" + path + "'"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(shopLayer(path), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func callAt(now string, args string) tool.Call {
	at, err := time.Parse("2006-01-02T15:04", now)
	if err != nil {
		panic(err)
	}
	return tool.Call{ID: "call " + now + args, Args: json.RawMessage(args), Lang: "en", Now: at, Zone: "UTC"}
}

// promised holds a result against what its tool promises (TOOL-09).
func promised(t *testing.T, x tool.Tool, r tool.Result) {
	t.Helper()
	if notes, err := tool.CheckOutput(x, r); err != nil || len(notes) > 0 {
		t.Errorf("%s returns what it does not promise: %v, notes %v", x.Spec().Name, err, notes)
	}
}

func ask(t *testing.T, s *Source, c tool.Call) (answer, tool.Grid, tool.Artifact) {
	t.Helper()
	arts := shelf{}
	r, err := Metric(arts, s).Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed {
		t.Fatalf("%s: failed: %s", c.Args, r.Text)
	}
	promised(t, Metric(arts, s), r)
	var a answer
	if err := json.Unmarshal([]byte(r.Text), &a); err != nil {
		t.Fatal(err)
	}
	g, err := tool.DecodeGrid(arts[a.Table].Body)
	if err != nil {
		t.Fatal(err)
	}
	return a, g, arts[a.Table]
}

const noon = "2026-11-02T12:00"

// A table has the largest figure first, its total, and beside it what was asked
// for.
func TestMetricCompare(t *testing.T) {
	s := openShop(t)
	a, g, _ := ask(t, s, callAt(noon, `{"measure":"sales","by":["region"],"period":"last_month","compare":["year_before","previous_period"]}`))
	wantRows := [][]any{
		{"Asia", 15.05, 10.0, 9.0},
		{"Europe", 12.5, 20.11, 0.0},
		{"Africa", 0.1, 0.0, 0.5},
	}
	if diff := cmp.Diff(wantRows, g.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantRows, a.Rows); diff != "" {
		t.Errorf("rows of the answer (-want +got):\n%s", diff)
	}
	total, previous, year := 27.65, 30.11, 9.5
	if diff := cmp.Diff(&struct{ V, P, Y *float64 }{&total, &previous, &year}, &struct{ V, P, Y *float64 }{a.Total.Value, a.Total.Previous, a.Total.Year}); diff != "" {
		t.Errorf("total (-want +got):\n%s", diff)
	}
	wantColumns := []tool.Column{
		{Key: "region", Label: "region", Role: tool.RoleBy},
		{Key: "sales", Label: "Sales", Role: tool.RoleValue, Unit: "USD", Scale: 2},
		{Key: "sales_previous_period", Label: "Sales, September 2026", Role: tool.RolePrevious, Unit: "USD", Scale: 2},
		{Key: "sales_year_before", Label: "Sales, October 2025", Role: tool.RoleYear, Unit: "USD", Scale: 2},
	}
	if diff := cmp.Diff(wantColumns, g.Columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if a.Title != "Sales by region, October 2026" || *a.Period != (Days{"2026-10-01", "2026-10-31"}) {
		t.Errorf("title, period = %q, %v", a.Title, a.Period)
	}
	if g.Days != 3 || len(g.Missing) != 28 || g.Missing[0] != "2026-10-03" {
		t.Errorf("days = %d, missing = %v", g.Days, g.Missing)
	}
}

// The same in Chinese, with words of people for measure, dimension and value.
func TestMetricChinese(t *testing.T) {
	s := openShop(t)
	c := callAt(noon, `{"measure":"营业额","by":["区域"],"period":"2026-10","where":[{"dimension":"地区","values":["apac","欧洲"]}],"compare":["previous_period"]}`)
	c.Lang = "zh"
	a, g, _ := ask(t, s, c)
	if diff := cmp.Diff([][]any{{"亚洲", 15.05, 10.0}, {"欧洲", 12.5, 20.11}}, g.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if want := "2026年10月亚洲、欧洲按地区汇总的销售额"; a.Title != want {
		t.Errorf("title = %q, want %q", a.Title, want)
	}
	if got, want := g.Columns[2].Label, "2026年9月销售额"; got != want {
		t.Errorf("label = %q, want %q", got, want)
	}
	if diff := cmp.Diff([]tool.Filter{{Dimension: "region", Values: []string{"Asia", "Europe"}}}, g.Where); diff != "" {
		t.Errorf("where (-want +got):\n%s", diff)
	}
}

// Time goes forward, the figures that are beside lie on the same day of the month,
// and a day without data is not a day with zero.
func TestMetricByDay(t *testing.T) {
	_, g, _ := ask(t, openShop(t), callAt(noon, `{"measure":"sales","by":["daily"],"period":"month:10","compare":["previous_period"]}`))
	want := [][]any{{"2026-10-01", 15.0, 30.1}, {"2026-10-02", 12.55, nil}, {"2026-10-30", nil, 0.01}, {"2026-10-31", 0.1, nil}}
	if diff := cmp.Diff(want, g.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// Parts of time are the words of a period.
func TestMetricBuckets(t *testing.T) {
	s := openShop(t)
	for by, want := range map[string][][]any{
		"week":    {{"2026-W36", 2.0}, {"2026-W40", 4.0}, {"2026-W44", 2.0}, {"2026-W45", 1.0}},
		"month":   {{"2026-09", 3.0}, {"2026-10", 4.0}, {"2026-11", 2.0}},
		"quarter": {{"2026-Q3", 3.0}, {"2026-Q4", 6.0}},
		"year":    {{"2026", 9.0}},
	} {
		_, g, _ := ask(t, s, callAt("2026-12-01T00:00", `{"measure":"orders","by":["`+by+`"],"period":"2026"}`))
		if diff := cmp.Diff(want, g.Rows); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", by, diff)
		}
	}
}

// Top keeps the largest; the total is of all.
func TestMetricTop(t *testing.T) {
	a, g, _ := ask(t, openShop(t), callAt(noon, `{"measure":"sales","by":["region"],"top":1}`))
	if diff := cmp.Diff([][]any{{"Asia", 15.05}}, g.Rows); diff != "" || g.Truncated != 2 || *a.Total.Value != 27.65 {
		t.Errorf("truncated = %d, total = %v, rows (-want +got):\n%s", g.Truncated, *a.Total.Value, diff)
	}
}

// An average has no total but an overall figure, and nothing is not zero.
func TestMetricAverage(t *testing.T) {
	a, g, _ := ask(t, openShop(t), callAt(noon, `{"measure":"average","by":["region"],"compare":["previous_period"]}`))
	if diff := cmp.Diff([][]any{{"Europe", 12.5, 10.06}, {"Asia", 7.53, 10.0}, {"Africa", 0.1, nil}}, g.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if a.Total != nil || a.Overall == nil || *a.Overall.Value != 6.91 {
		t.Errorf("total = %v, overall = %v", a.Total, a.Overall)
	}
}

// One figure without rows of its own is a row too; no data is none.
func TestMetricOne(t *testing.T) {
	s := openShop(t)
	a, g, _ := ask(t, s, callAt(noon, `{"measure":"sales","period":"yesterday"}`))
	if diff := cmp.Diff([][]any{{3.33}}, g.Rows); diff != "" || a.Title != "Sales, 1 November 2026" {
		t.Errorf("title = %q, rows (-want +got):\n%s", a.Title, diff)
	}
	a, g, _ = ask(t, s, callAt(noon, `{"measure":"sales","period":"2020"}`))
	if len(g.Rows) != 0 || a.Total.Value != nil || a.Note == "" || len(a.MissingDays) != 0 {
		t.Errorf("rows = %v, total = %v, note = %q, missing = %v", g.Rows, a.Total, a.Note, a.MissingDays)
	}
}

// What has only begun is compared with as much of the period before.
func TestMetricUnfinished(t *testing.T) {
	a, g, _ := ask(t, openShop(t), callAt("2026-11-01T12:00", `{"measure":"sales","period":"this_month","compare":["previous_period"]}`))
	if diff := cmp.Diff([][]any{{6.66, 15.0}}, g.Rows); diff != "" || a.Compared[previousPeriod] != (Days{"2026-10-01", "2026-10-01"}) {
		t.Errorf("compared = %v, rows (-want +got):\n%s", a.Compared, diff)
	}
	if len(g.Missing) != 0 {
		t.Errorf("missing = %v, want none: the rest of the month is to come", g.Missing)
	}
	if a.Note != "The period is not over yet; it is compared with as many days." {
		t.Errorf("note = %q", a.Note)
	}
	c := callAt("2026-11-01T12:00", `{"measure":"sales","period":"this_month","compare":["previous_period"]}`)
	c.Lang = "zh"
	if a, _, _ := ask(t, openShop(t), c); a.Note != "这段时间还没有结束，对比的是同样多的天数。" {
		t.Errorf("note = %q", a.Note)
	}
	if a, _, _ := ask(t, openShop(t), callAt("2026-11-01T12:00", `{"measure":"sales","period":"last_month","compare":["previous_period"]}`)); a.Note != "" {
		t.Errorf("note of a whole month = %q", a.Note)
	}
}

// A slot is about its period whenever it is worked on, and all slots of a job
// have one recipe.
func TestMetricSlot(t *testing.T) {
	s := openShop(t)
	month := func(m time.Month) tool.Period {
		return tool.Period{From: time.Date(2026, m, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, m+1, 1, 0, 0, 0, 0, time.UTC)}
	}
	recipes := map[string]bool{}
	for _, args := range []string{`{"measure":"sales"}`, `{"measure":"revenue","period":"last_month","by":[],"where":[]}`, `{"measure":"shop.sales","period":"months_ago:1"}`} {
		for _, m := range []time.Month{9, 10} {
			c := callAt("2026-12-03T09:00", args)
			c.Period = month(m)
			a, g, kept := ask(t, s, c)
			if a.Period.From[5:7] != c.Period.From.Format("01") || !g.Period.From.Equal(c.Period.From) || !g.Period.To.Equal(c.Period.To) {
				t.Errorf("%s in the slot of %s is about %v", args, m, a.Period)
			}
			recipes[kept.Recipe] = true
		}
	}
	if len(recipes) != 1 {
		t.Errorf("%d recipes for one report", len(recipes))
	}
	// On the last day of a month a slot is about the month that ends.
	c := callAt("2026-11-30T09:00", `{"measure":"sales","period":"last_month"}`)
	c.Period = month(11)
	if a, _, _ := ask(t, s, c); *a.Period != (Days{"2026-11-01", "2026-11-30"}) {
		t.Errorf("last month of a slot at the end of November is %v", a.Period)
	}
	c = callAt("2026-12-01T09:00", `{"measure":"sales","period":"yesterday"}`)
	c.Period = month(11)
	if a, _, _ := ask(t, s, c); a.Period.From != "2026-11-30" {
		t.Errorf("yesterday of a slot of a month is %v", a.Period)
	}
	c = callAt("2026-12-01T09:00", `{"measure":"sales"}`)
	c.Period = tool.Period{From: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 10, 15, 0, 0, 0, 0, time.UTC)}
	if a, g, _ := ask(t, s, c); *a.Period != (Days{"2026-10-01", "2026-10-14"}) || g.Range != "slot" {
		t.Errorf("a slot of two weeks is about %v, %q", a.Period, g.Range)
	}
}

// Days are the asker's, summer time or not.
func TestMetricZone(t *testing.T) {
	c := callAt(noon, `{"measure":"sales","period":"2026-10"}`)
	c.Zone = "Europe/Berlin"
	a, g, _ := ask(t, openShop(t), c)
	if *a.Period != (Days{"2026-10-01", "2026-10-31"}) || *a.Total.Value != 27.65 || g.Zone != c.Zone {
		t.Errorf("period = %v, total = %v", a.Period, *a.Total.Value)
	}
}

// A call that is run again says what the first said, whatever the data is now.
func TestMetricAgain(t *testing.T) {
	s, arts := openShop(t), shelf{}
	first, err := Metric(arts, s).Run(t.Context(), callAt(noon, `{"measure":"sales"}`))
	if err != nil {
		t.Fatal(err)
	}
	c := callAt("2026-12-02T12:00", `{"measure":"sales"}`)
	c.ID = "call " + noon + `{"measure":"sales"}`
	again, err := Metric(arts, s).Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if first.Text != again.Text {
		t.Errorf("said %s, then %s", first.Text, again.Text)
	}
}

// What cannot be found is a failed Result that names what is near.
func TestMetricFaults(t *testing.T) {
	s := openShop(t)
	for args, want := range map[string]string{
		`{"measure":"salse"}`:                                                                  `no measure "salse"; the nearest: sales`,
		`{"measure":"sales","by":["regoin"]}`:                                                  `no dimension "regoin"; the nearest: region`,
		`{"measure":"sales","by":["region","地区"]}`:                                             "names region twice",
		`{"measure":"sales","by":["region","day","week","month"]}`:                             "at most 3",
		`{"measure":"sales","where":[{"dimension":"region","values":["Asai"]}]}`:               `no value "Asai"; the nearest: Asia`,
		`{"measure":"sales","where":[{"dimension":"region","values":[]}]}`:                     "no value of region",
		`{"measure":"sales","where":[{"dimension":"month","values":["10"]}]}`:                  "say it with period",
		`{"measure":"sales","period":"last mont"}`:                                             "not a period",
		`{"measure":"sales","period":"0001-01-01..9000-01-01"}`:                                "days; at most",
		`{"measure":"sales","compare":["last_year"]}`:                                          `"previous_period", "year_before"`,
		`{"measure":"sales","top":-1}`:                                                         "at least 1",
		`{"measure":"sales","where":[{"dimension":"region","values":["x' OR 1=1; DROP --"]}]}`: "has no value",
		`{"measure":"sales; DROP TABLE orders"}`:                                               "no measure",
		`{"measure":"sales","sort":"up"}`:                                                      "sort",
	} {
		r, err := Metric(shelf{}, s).Run(t.Context(), callAt(noon, args))
		if err != nil || !r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %v, %q; want %q", args, err, r.Text, want)
		}
	}
}

// Values are the vocabulary of a dimension.
func TestValues(t *testing.T) {
	s := openShop(t)
	got, err := s.Values(t.Context(), "region")
	if err != nil || !slices.Equal(got, []string{"Africa", "Asia", "Europe"}) {
		t.Errorf("Values = %v, %v", got, err)
	}
	if _, err := s.Values(t.Context(), "planet"); err == nil {
		t.Error("Values of an unknown dimension are no error")
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check = %v", err)
	}
}

// A model is told of every measure and dimension by name.
func TestMetricDescription(t *testing.T) {
	spec := Metric(shelf{}, openShop(t)).Spec()
	for _, want := range []string{"sales (Sales, USD)", "average", "region", "quarter", "last_month"} {
		if !strings.Contains(spec.Description+string(spec.Schema), want) {
			t.Errorf("description lacks %q:\n%s", want, spec.Description)
		}
	}
	if spec.Effect != tool.Read || !spec.Unattended {
		t.Errorf("effect = %v, unattended = %v", spec.Effect, spec.Unattended)
	}
}
