package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/agent/tool"
)

// What the data bears out stays; what it does not is struck out. The grids are
// the samples of October by region and by day.
func TestCheck(t *testing.T) {
	for name, tt := range map[string]struct {
		text   string
		struck []string
	}{
		"a cell":                             {"Asia made $401,234.50.", nil},
		"a cell, rounded":                    {"Asia made $401,235 and Europe $0.3M.", nil},
		"a cell, in thousands":               {"Asia made 401.2K, Europe 302 thousand.", nil},
		"a cell in ten thousands":            {"Asia 销售额为 40.12万，Europe 为 30.2 万美元。", nil},
		"a cell, wrong in the last digit":    {"Asia made $401,236.", []string{"$401,236"}},
		"a cell of another row":              {"Latin America made 301,777.", []string{"301,777"}},
		"the total":                          {"Sales came to $1.36 million, 1,357,718 exactly.", nil},
		"the total, invented":                {"Sales came to $1.4 million.", nil}, // by day it is 1.44
		"a total of nothing":                 {"Sales came to $1.5 million.", []string{"$1.5 million"}},
		"a share":                            {"Asia holds 29.6%, North America 38 percent.", nil},
		"a share in Chinese":                 {"Asia 占百分之三十，North America 占 37.7％，Europe 约占两成。", nil},
		"a wrong share in Chinese":           {"Asia 占百分之四十。", []string{"百分之四十"}},
		"a rise":                             {"Asia grew 14.0% on the previous period.", nil},
		"a rise that was a fall":             {"Europe rose 16.6%.", []string{"16.6%"}},
		"a fall":                             {"Europe fell 16.6%.", nil},
		"a fall that was a rise":             {"Asia fell 14%.", []string{"14%"}},
		"a fall that was a rise, as a noun":  {"Asia saw a 14% decline.", []string{"14%"}},
		"a rise as a noun":                   {"Asia saw a 14% increase and Europe a 16.6% decrease.", nil},
		"a rise in brackets":                 {"Europe rose (16.6%).", []string{"16.6%"}},
		"two directions":                     {"Asia rose 14% while Europe fell 16.6%.", nil},
		"two directions, swapped":            {"Asia fell 14% while Europe rose 16.6%.", []string{"14%", "16.6%"}},
		"a rise in Chinese":                  {"Asia 环比增长14.0%，Europe 下降了16.6%。", nil},
		"a rise in Chinese that was a fall":  {"Europe 环比增长了 16.6%。", []string{"16.6%"}},
		"the wrong basis":                    {"Asia 同比增长14.0%。", []string{"14.0%"}},
		"the right basis":                    {"Asia 同比增长34.6%。Asia is up 34.6% on last year.", nil},
		"an amount of change":                {"Asia gained $49,124; Europe lost $60,223.", nil},
		"an amount of change, wrong way":     {"Asia lost $49,124.", []string{"$49,124"}},
		"a level after a fall":               {"Europe fell to $301,777.", nil},
		"a change given as a level":          {"Europe fell to 16.6%.", []string{"16.6%"}},
		"a level given as a change":          {"Europe fell by $301,777.", []string{"$301,777"}},
		"an explicit sign":                   {"Europe (-16.6%), Asia (+14.0%).", nil},
		"a wrong sign":                       {"Europe (+16.6%).", []string{"+16.6%"}},
		"times":                              {"North America made 1.3 times as much as Asia.", nil},
		"times in Chinese":                   {"North America 是 Asia 的 1.3 倍。", nil},
		"wrong times":                        {"North America made 2.4x as much as Asia.", []string{"2.4x"}},
		"the distance of two":                {"North America is $111,111 ahead of Asia.", nil},
		"the distance of two, said after":    {"Asia made 1.3 times what Europe made. The gap is $99,457.", nil},
		"two together":                       {"Asia and Europe together made 703,012.", nil},
		"a share of two":                     {"Asia and Europe make up 51.8%.", nil},
		"a mean":                             {"The daily average was $49,701.", nil},
		"how many":                           {"All 6 regions, 29 days with data, 2 without, of 31.", nil},
		"how many, wrong":                    {"All 17 regions.", []string{"17"}},
		"dates and years":                    {"On 2026-10-18, 18 October 2026, Oct 18, in 2026 and 2025, at 09:30, Q3, 10月18日, 2026年10月.", nil},
		"periods":                            {"Over the last 12 months; 近30天; a 3-month average; week 42.", nil},
		"a list":                             {"1. Asia\n2. Europe\n3) Africa", nil},
		"places":                             {"Asia rose from 3rd to 2nd, the top 3, No. 1, 前3名, 第2位.", nil},
		"a place that there is not":          {"Asia is 9th.", []string{"9th"}},
		"a year that is a count":             {"Asia sold 2026 units.", []string{"2026"}},
		"another currency":                   {"Asia made €401,234.", []string{"€401,234"}},
		"another currency in Chinese":        {"Asia 为 401,234 欧元。", []string{"401,234 欧元"}},
		"the same currency":                  {"Asia made USD 401,234, 401,234 USD, US$401,234.", nil},
		"about":                              {"Asia made about $400,000, over 400,000, nearly 402,000.", nil},
		"about, too far":                     {"Asia made about $450,000.", []string{"$450,000"}},
		"over, but under":                    {"Asia made over 402,000.", []string{"402,000"}},
		"round without a word":               {"Asia made $400,000.", []string{"$400,000"}},
		"full-width digits":                  {"Asia made ４０１,２３４.５０ and １２３４５.", []string{"１２３４５"}},
		"bold":                               {"Asia made **$401,234** and *999*.", []string{"999"}},
		"struck before":                      {"Asia made ~~999~~.", nil},
		"an address":                         {"See https://example.com/a/12345?x=99.", nil},
		"a table":                            {"| Asia | $401,234 | 29.6% |\n| Europe | $999 | -16.6% |", []string{"$999"}},
		"a version, or dots between":         {"1.357.718", []string{"1.357.718"}},
		"the part of the change":             {"Asia brought 102.6% of the net change.", nil},
		"made up is no rise":                 {"Latin America made up 6.5% of sales.", nil},
		"percentage points":                  {"Europe's share fell 5.4 percentage points.", nil},
		"percentage points that are percent": {"Europe's share fell 16.6 percentage points.", []string{"16.6 percentage points"}},
		"no number":                          {"Sales were strong. 表现亮眼。", nil},
	} {
		t.Run(name, func(t *testing.T) {
			clean, _, struck := Check(tt.text, []tool.Grid{regions("en"), days("en")}, "en")
			if diff := cmp.Diff(tt.struck, struck); diff != "" {
				t.Errorf("struck (-want +got):\n%s", diff)
			}
			if again, _, more := Check(clean, []tool.Grid{regions("en"), days("en")}, "en"); again != clean {
				t.Errorf("checking twice strikes %q", more)
			}
			for _, s := range tt.struck {
				if !strings.Contains(clean, "~~"+s+"~~") {
					t.Errorf("%q is not struck out in %q", s, clean)
				}
			}
			if (len(struck) > 0) != strings.Contains(clean, "not found in the data") {
				t.Errorf("note is wrong in %q", clean)
			}
		})
	}
}

func TestCheckKeepsEvidence(t *testing.T) {
	_, ev, _ := Check("Asia grew 14.0% to $401,234.", []tool.Grid{regions("en")}, "en")
	want := []Evidence{
		{
			Shown: "14.0%", Op: OpChange, Formula: "((T0.sales[1] - T0.previous[1]) / T0.previous[1])",
			Cells: []Cell{{0, 1, "sales"}, {0, 1, "previous"}}, Value: (401234.50 - 352110.25) / 352110.25, Unit: 0.001,
		},
		{Shown: "$401,234", Op: OpCell, Formula: "T0.sales[1]", Cells: []Cell{{0, 1, "sales"}}, Value: 401234.50, Unit: 1},
	}
	if diff := cmp.Diff(want, ev, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
}

// anyGrid is a declared measure by a category, or by day, or free SQL.
func anyGrid(lang string) *rapid.Generator[tool.Grid] {
	return rapid.Custom(func(t *rapid.T) tool.Grid {
		g := regions(lang)
		n := rapid.IntRange(0, 30).Draw(t, "rows")
		shape := rapid.SampledFrom([]string{"category", "day", "month", "average", "free", "two"}).Draw(t, "shape")
		g.Columns[1].Unit = rapid.SampledFrom([]string{"USD", "", "JPY", "%", "EUR", "CNY"}).Draw(t, "unit")
		g.Columns[1].Scale = rapid.IntRange(0, 3).Draw(t, "scale")
		for i := range g.Columns[2:] {
			g.Columns[i+2].Unit, g.Columns[i+2].Scale = g.Columns[1].Unit, g.Columns[1].Scale
		}
		g.Truncated = rapid.SampledFrom([]int{0, 0, 0, 7, 1200}).Draw(t, "truncated")
		g.Rows = nil
		if shape == "average" {
			g.NoTotal = true
			g.Measure, g.Columns[1].Label = "average_order_value", pick(lang, "Average order value", "客单价")
		}
		if shape == "free" {
			for i := range g.Columns {
				g.Columns[i].Role = tool.RoleOther
			}
			g.Measure, g.By = "", nil
		}
		if shape == "two" {
			g.Columns = append([]tool.Column{{Key: "channel", Label: "Channel", Role: tool.RoleBy}}, g.Columns...)
			g.By = []string{"channel", "region"}
		}
		size := rapid.SampledFrom([]float64{1, 100, 1e4, 1e6, 1e12}).Draw(t, "size")
		value := rapid.Custom(func(t *rapid.T) any {
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				return nil
			case 1:
				return 0.0
			case 2:
				return -math.Round(rapid.Float64Range(0, size).Draw(t, "v")*100) / 100
			}
			return math.Round(rapid.Float64Range(0, size).Draw(t, "v")*100) / 100
		})
		for i := range n {
			var label any = rapid.SampledFrom([]string{"Asia", "Europe", "Latin America", "华东", "iPhone 15", "SKU_12", "3D Printer", "北京 2号店", "x|y", "18-24", "Q3"}).Draw(t, "label") + fmt.Sprintf(" %c", 'A'+i)
			switch shape {
			case "day":
				label = fmt.Sprintf("2026-10-%02d", i+1)
			case "month":
				label = fmt.Sprintf("%d-%02d", 2025+i/12, i%12+1)
			}
			row := []any{label, value.Draw(t, "value"), value.Draw(t, "previous"), value.Draw(t, "year")}
			if shape == "two" {
				row = append([]any{rapid.SampledFrom([]string{"web", "shop"}).Draw(t, "channel")}, row...)
			}
			g.Rows = append(g.Rows, row)
		}
		if shape == "day" {
			g.By, g.Columns[0].Label = []string{"day"}, "Day"
		}
		return g
	})
}

// What the template says is what Check would keep: each number, in both
// languages, of any table.
func TestTemplateStandsItsOwnCheck(t *testing.T) {
	for _, lang := range []string{"en", zh} {
		t.Run(lang, rapid.MakeCheck(func(t *rapid.T) {
			grids := rapid.SliceOfN(anyGrid(lang), 1, 2).Draw(t, "grids")
			frames := make([]*frame, len(grids))
			for i, g := range grids {
				frames[i] = newFrame(g, i)
			}
			paras, said := analyse(frames, lang)
			p := page{lang: lang, title: "Report", frames: frames, analysis: paras}
			for _, text := range []string{strings.Join(paras, "\n\n"), p.markdown()} {
				_, ev, struck := Check(text, grids, lang)
				if len(struck) > 0 {
					t.Fatalf("struck %q of\n%s", struck, text)
				}
				for _, e := range append(ev, said...) {
					if len(e.Cells) == 0 || !finite(e.Value) {
						t.Fatalf("evidence without cells: %+v", e)
					}
				}
			}
		}))
	}
}

// A number made of cells is kept, however it is rounded; one far above all that
// the data can add up to is struck.
func TestCheckKeepsFiguresAndStrikesOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGrid("en").Draw(t, "grid")
		f := newFrame(g, 0)
		var cells []figure
		sum := 0.0
		for r := range f.Rows {
			for c := range f.Columns {
				if v, ok := f.cell(r, c); ok {
					sum += math.Abs(v.value)
					if v.unit != "%" {
						cells = append(cells, v)
					}
				}
			}
		}
		if len(cells) > 0 {
			v := rapid.SampledFrom(cells).Draw(t, "cell").value
			places := rapid.IntRange(0, 3).Draw(t, "places")
			text := "It came to " + number(v, places) + " there."
			if _, _, struck := Check(text, []tool.Grid{g}, "en"); len(struck) > 0 {
				t.Fatalf("%q is struck of %q", struck, text)
			}
		}
		other := sum*3 + 5000 + rapid.Float64Range(0, 1e6).Draw(t, "other")
		text := "It came to " + number(other, 2) + " there."
		if _, _, struck := Check(text, []tool.Grid{g}, "en"); len(struck) != 1 {
			t.Fatalf("%q is kept", text)
		}
	})
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"Asia fell 12% to $1.2M", "增长12万，三成五", "1,234.5.6 -−+5e9%", "~~1~~ ２０２６", "\xff1\x00\xff%", "1e999 $-+5 US$", "百分之点", "V\xffk-\x18m\xff5m$1", "AUS$1 X€5 HK$2"} {
		f.Add(s)
	}
	grids := []tool.Grid{regions("en"), days(zh), {}, {Columns: []tool.Column{{Role: tool.RoleValue}}, Rows: [][]any{{}, {nil}, {math.Inf(1)}, {"x"}}}}
	f.Fuzz(func(t *testing.T, s string) {
		clean, _, struck := Check(s, grids, "en")
		if again, _, more := Check(clean, grids, "en"); again != clean && len(more) > 0 && !strings.Contains(s, "~") && !strings.Contains(s, "`") {
			t.Errorf("Check(%q) = %q, struck %q; again %q, struck %q", s, clean, struck, again, more)
		}
	})
}
