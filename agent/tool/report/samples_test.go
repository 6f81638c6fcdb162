package report

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"testing"
	"time"

	"hermes/agent/tool"
)

// TestMain asks fewer of each property than rapid does by itself: a table of
// thirty rows has thousands of figures. -rapid.checks=1000 asks more.
func TestMain(m *testing.M) {
	if f := flag.Lookup("rapid.checks"); f != nil {
		if err := f.Value.Set("30"); err != nil {
			panic(err)
		}
	}
	flag.Parse()
	m.Run()
}

var shanghai = time.FixedZone("CST", 8*3600)

// october is the period of the samples.
var october = tool.Period{
	From: time.Date(2026, 10, 1, 0, 0, 0, 0, shanghai),
	To:   time.Date(2026, 11, 1, 0, 0, 0, 0, shanghai),
}

var now = time.Date(2026, 11, 1, 9, 0, 0, 0, shanghai)

func pick(lang, en, zhText string) string {
	if lang == zh {
		return zhText
	}
	return en
}

func regions(lang string) tool.Grid {
	return tool.Grid{
		Title: pick(lang, "Sales by region", "各地区销售额"), Measure: "sales", By: []string{"region"},
		Range: "last_month", Period: october, Zone: "Asia/Shanghai", Source: "sample",
		Columns: []tool.Column{
			{Key: "region", Label: pick(lang, "Region", "地区"), Role: tool.RoleBy},
			{Key: "sales", Label: pick(lang, "Sales", "销售额"), Role: tool.RoleValue, Unit: "USD", Scale: 2},
			{Key: "previous", Label: pick(lang, "Previous", "上期"), Role: tool.RolePrevious, Unit: "USD", Scale: 2},
			{Key: "year_before", Label: pick(lang, "Year before", "去年同期"), Role: tool.RoleYear, Unit: "USD", Scale: 2},
		},
		Rows: [][]any{
			{"North America", 512345.67, 498200.10, 441000.00},
			{"Asia", 401234.50, 352110.25, 298000.00},
			{"Europe", 301777.20, 361999.90, 310500.00},
			{"Latin America", 88120.00, 85010.40, 90100.00},
			{"Middle East", 41250.75, nil, 12000.00},
			{"Africa", 12990.00, 12500.00, 0.0},
		},
	}
}

func days(lang string) tool.Grid {
	g := tool.Grid{
		Title: pick(lang, "Sales by day", "每日销售额"), Measure: "sales", By: []string{"day"},
		Range: "last_month", Period: october, Zone: "Asia/Shanghai", Source: "sample", Days: 29,
		Missing: []string{"2026-10-11", "2026-10-12"},
		Columns: []tool.Column{
			{Key: "day", Label: pick(lang, "Day", "日期"), Role: tool.RoleBy},
			{Key: "sales", Label: pick(lang, "Sales", "销售额"), Role: tool.RoleValue, Unit: "USD", Scale: 2},
		},
	}
	for d := range 31 {
		if d == 10 || d == 11 {
			continue
		}
		v := 40000 + float64((d*7919)%13)*1250.5
		if d == 17 {
			v = 131250.25
		}
		g.Rows = append(g.Rows, []any{fmt.Sprintf("2026-10-%02d", d+1), v})
	}
	return g
}

// products is a long list of Chinese names.
func products(lang string) tool.Grid {
	g := regions(lang)
	g.Title, g.By = pick(lang, "Sales by product", "各产品销售额"), []string{"product"}
	g.Columns[0] = tool.Column{Key: "product", Label: pick(lang, "Product", "产品"), Role: tool.RoleBy}
	g.Rows = nil
	for i, n := range []string{"手机", "笔记本电脑", "平板", "智能手表", "无线耳机", "机械键盘", "显示器", "鼠标", "路由器", "音箱", "充电器", "数据线", "电子阅读器（护眼版）", "摄像头"} {
		v := 900000 / float64(i+2)
		g.Rows = append(g.Rows, []any{n, v, v * (0.8 + float64(i%5)*0.1), v * 0.7})
	}
	return g
}

// deficits has negative values and one long name.
func deficits(lang string) tool.Grid {
	g := regions(lang)
	g.Title, g.Measure = pick(lang, "Profit by region", "各地区利润"), "profit"
	g.Rows = [][]any{
		{"North America", 1200.5, -300.0, nil}, {"Asia", -820.25, 40.0, nil}, {"Europe", 15.0, 14.0, nil},
		{"The Commonwealth of Independent States", -2300.0, -2500.0, nil},
	}
	return g
}

func months(lang string) tool.Grid {
	g := days(lang)
	g.Title, g.By, g.Missing, g.Days = pick(lang, "Orders by month", "每月订单数"), []string{"month"}, nil, 0
	g.Measure = "orders"
	g.Period = tool.Period{From: time.Date(2026, 1, 1, 0, 0, 0, 0, shanghai), To: time.Date(2026, 11, 1, 0, 0, 0, 0, shanghai)}
	g.Columns = []tool.Column{
		{Key: "month", Label: pick(lang, "Month", "月份"), Role: tool.RoleBy},
		{Key: "orders", Label: pick(lang, "Orders", "订单数"), Role: tool.RoleValue},
		{Key: "year_before", Label: pick(lang, "Year before", "去年同期"), Role: tool.RoleYear},
	}
	g.Rows = nil
	for m := range 10 {
		g.Rows = append(g.Rows, []any{fmt.Sprintf("2026-%02d", m+1), float64(8200 + (m*37%11)*310), float64(7900 + (m*53%7)*290)})
	}
	return g
}

// lines has two dimensions, the first of them time.
func lines(lang string) tool.Grid {
	g := months(lang)
	g.Title, g.By = pick(lang, "Orders by month and region", "每月各地区订单数"), []string{"month", "region"}
	g.Columns = []tool.Column{g.Columns[0], {Key: "region", Label: pick(lang, "Region", "地区"), Role: tool.RoleBy}, g.Columns[1]}
	var rows [][]any
	for i, r := range g.Rows {
		for k, n := range []string{"Asia", "Europe", "Africa"} {
			rows = append(rows, []any{r[0], n, r[1].(float64)/float64(k+2) + float64(i*k*40)})
		}
	}
	g.Rows = rows
	return g
}

// matrix has two dimensions, of which neither is time.
func matrix(lang string) tool.Grid {
	g := lines(lang)
	g.Title, g.By = pick(lang, "Orders by product and region", "各产品各地区订单数"), []string{"product", "region"}
	g.Columns[0] = tool.Column{Key: "product", Label: pick(lang, "Product", "产品"), Role: tool.RoleBy}
	g.Rows = nil
	for i, p := range []string{"Laptop 14 inch, with a docking station", "Phone", "Tablet", "电子阅读器（护眼版）", "Headphones", "Mechanical keyboard, tenkeyless"} {
		for k, n := range []string{"Asia", "Europe", "Africa", "Latin America"} {
			g.Rows = append(g.Rows, []any{p, n, float64(900 - i*110 + k*k*35)})
		}
	}
	return g
}

// long is a table of more pages than one, with long names.
func long(lang string) tool.Grid {
	g := regions(lang)
	g.Title, g.By = pick(lang, "Sales by customer", "各客户销售额"), []string{"customer"}
	g.Columns[0] = tool.Column{Key: "customer", Label: pick(lang, "Customer", "客户"), Role: tool.RoleBy}
	g.Rows = nil
	for i := range 120 {
		name := fmt.Sprintf("Customer %03d", i+1)
		if i%9 == 4 {
			name += " of the Commonwealth of Independent States and its many neighbours, Limited"
		}
		if lang == zh {
			name = fmt.Sprintf("第%d号客户（上海）国际贸易有限公司", i+1)
		}
		v := 90000 / float64(i+1)
		g.Rows = append(g.Rows, []any{name, v, v * 0.9, nil})
	}
	return g
}

// shelf keeps artifacts in memory.
type shelf struct{ m map[string]tool.Artifact }

func (s *shelf) Put(_ context.Context, a tool.Artifact) (tool.Artifact, error) {
	if old, ok := s.m[a.ID]; ok {
		return old, nil
	}
	var hashes []string
	for _, f := range a.Files {
		hashes = append(hashes, s.m[f].Hash)
	}
	a.Hash = tool.HashOf(a, hashes)
	s.m[a.ID] = a
	return a, nil
}

func (s *shelf) Artifact(_ context.Context, id string) (tool.Artifact, error) {
	a, ok := s.m[id]
	if !ok {
		return a, tool.ErrNoArtifact
	}
	return a, nil
}

// stock returns a shelf with the grids as tables t0, t1, …
func stock(t testing.TB, grids ...tool.Grid) (*shelf, []string) {
	t.Helper()
	s := &shelf{m: map[string]tool.Artifact{}}
	var ids []string
	for i, g := range grids {
		body, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("t%d", i)
		if _, err := s.Put(t.Context(), tool.Artifact{ID: id, Run: "run", Kind: tool.Table, Title: g.Title, Body: body, Recipe: g.Measure + "/" + g.Range}); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return s, ids
}

// report makes one and returns it with all its parts.
func report(t testing.TB, lang string, in Args, grids ...tool.Grid) (Made, *shelf, tool.Result) {
	t.Helper()
	s, ids := stock(t, grids...)
	in.Tables = ids
	tl, err := New(Config{}, s)
	if err != nil {
		t.Fatal(err)
	}
	args, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	res, err := tl.Run(t.Context(), tool.Call{ID: "run/1/a", Run: "run", Args: args, Lang: lang, Now: now, Zone: "Asia/Shanghai"})
	if err != nil {
		t.Fatal(err)
	}
	var m Made
	if notes, err := tool.CheckOutput(tl, res); err != nil || len(notes) > 0 {
		t.Errorf("it returns what it does not promise: %v, notes %v", err, notes)
	}
	if !res.Failed {
		if err := json.Unmarshal([]byte(res.Text), &m); err != nil {
			t.Fatal(err)
		}
	}
	return m, s, res
}
