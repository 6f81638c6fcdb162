package result_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hermes/agent/result"
)

// RES-04, RES-05 What a table amounts to is made by rules: its columns, its rows, and
// the figures of its numbers, those first that the request speaks of.
func TestRES05Extract(t *testing.T) {
	in := input("look", `{"columns":["region","order_id","year","orders","share","revenue","note"],"rows":[
		["North",7001,2025,3,0.25,"1200.50",null],["South",7002,2026,4,0.5,"0.1",null],["East",7003,2026,null,0.25,"-3.25",null]]}`)
	in.Goal = "revenue by region"
	const want = `⟦extract: 3 rows; columns "region", "order_id", "year", "orders", "share", "revenue", "note"; ` +
		`"revenue" min -3.25, max 1200.50, sum 1197.35; "orders" count 2, min 3, max 4, sum 7; "share" min 0.25, max 0.5; "orders" null in 1; "note" null in 3⟧`
	got, _, _ := strings.Cut(read(t, in, result.Config{}).Brief, "\n")
	if got != want {
		t.Errorf("extract\n got %s\nwant %s", got, want)
	}
	for name, tt := range map[string]struct{ text, want, not string }{
		"objects":                  {`{"data":{"orders":` + objects(5) + `}}`, `5 items at /data/orders; fields "id", "name", "amount"; "amount" min 0.50, max 4.50, sum 12.50`, `"id" min`},
		"numbers":                  {"[" + join(100, ",", func(i int) string { return fmt.Sprint(i) }) + "]", `100 items; "each" min 0, max 99, sum 4950`, ""},
		"parts that do not add up": {`{"columns":["a","n"],"rows":[["x",1],["y",2]],"overall":{"value":1.5}}`, `"n" min 1, max 2`, "sum"},
		"a part of the rows":       {grid(50, 312), `312 rows`, "min"},
		"large and small":          {`{"columns":["n"],"rows":[` + strings.Repeat("[999999999999999999],", 20) + `[0.000000000001],[-5e3],[25e-1]]}`, `max 999999999999999999, sum 19999999999999994982.500000000001`, ""},
		"too large to add up":      {`[{"n":1e30},{"n":2}]`, `2 items`, "min"},
		"negative":                 {`[{"n":-1.5},{"n":-0.25}]`, `"n" min -1.5, max -0.25, sum -1.75`, ""},
		"many columns":             {"[" + strings.Repeat("{"+join(90, ",", func(i int) string { return fmt.Sprintf(`"column number %d":%d`, i, i) })+"},", 2) + "{}]", "more; ", ""},
		"codes are no numbers":     {`{"columns":["zip","tel","n"],"rows":[["0123","007",1],["0456","008",2]]}`, `"n" min 1, max 2, sum 3`, `"tel" min`},
		"no table":                 {`{"a":1,"b":[1,2,3]}`, "", "extract"},
		"中文":                       {`[{"地区":"华北","订单数":3,"单价":1.5},{"地区":"华南","订单数":4,"单价":2}]`, `"订单数" min 3, max 4, sum 7; "单价" min 1.5, max 2⟧`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := input("look", tt.text)
			first, _, _ := strings.Cut(read(t, in, result.Config{}).Brief, "\n")
			if !strings.Contains(first, tt.want) || tt.not != "" && strings.Contains(first, tt.not) {
				t.Errorf("extract = %s, want %q and not %q", first, tt.want, tt.not)
			}
		})
	}
}

// TOOL-24, FAIL-31 What some rows lack is told apart from what is null in them.
func TestTOOL24NotReturned(t *testing.T) {
	in := input("look", `[{"id":1,"email":"a@x"},{"id":2,"email":null},{"id":3}]`)
	if out := read(t, in, result.Config{}); !strings.Contains(out.Brief, `"email" not returned in 1, null in 1`) {
		t.Errorf("brief = %s", out.Brief)
	}
	in = input("look", `{"id":1}`)
	in.Notes = []string{"email: not returned, which does not mean that there is none"}
	if out := read(t, in, result.Config{}); !strings.Contains(out.Note, in.Notes[0]) {
		t.Errorf("note = %s", out.Note)
	}
}

// RES-05, RES-12 Columns, rows and figures of an extract are those of the table,
// counted in another way.
func TestRES05ExtractIsTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.SliceOfNDistinct(rapid.StringMatching(`[abx]{1,6}`), 1, 6, rapid.ID).Draw(t, "columns")
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.OneOf(
			rapid.Just("null"),
			rapid.Map(rapid.IntRange(-1000, 100000), strconv.Itoa),
			rapid.Map(rapid.IntRange(-100000, 100000), func(n int) string { return fmt.Sprintf("%d.%02d", n/100, max(n, -n)%100) }),
		), len(columns), len(columns)), 2, 120).Draw(t, "rows")
		asObjects := rapid.Bool().Draw(t, "objects")
		var lines []string
		for _, row := range rows {
			var cells []string
			for i, c := range row {
				if asObjects {
					c = strconv.Quote(columns[i]) + ": " + c
				}
				cells = append(cells, c)
			}
			lines = append(lines, strings.Join(cells, ", "))
		}
		text := "[{" + strings.Join(lines, "}, {") + "}]"
		if !asObjects {
			names, err := json.Marshal(columns)
			if err != nil {
				t.Fatal(err)
			}
			text = `{"columns":` + string(names) + `,"rows":[[` + strings.Join(lines, "],[") + "]]}"
		}
		out, err := result.Read(input("look", text), result.Config{LargeBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		extract, _, _ := strings.Cut(out.Brief, "\n")
		if !strings.HasPrefix(extract, fmt.Sprintf("⟦extract: %d ", len(rows))) {
			t.Fatalf("%d rows: %s", len(rows), extract)
		}
		for i, name := range columns {
			if !strings.Contains(extract, strconv.Quote(name)) {
				t.Fatalf("no column %s in %s", name, extract)
			}
			sum, count := new(big.Rat), 0
			var least, most *big.Rat
			for _, row := range rows {
				v, ok := new(big.Rat).SetString(row[i])
				if !ok {
					continue
				}
				count++
				sum.Add(sum, v)
				if least == nil || v.Cmp(least) < 0 {
					least = v
				}
				if most == nil || v.Cmp(most) > 0 {
					most = v
				}
			}
			said := figure(name).FindStringSubmatch(extract)
			switch {
			case count < 2 && said != nil:
				t.Fatalf("figures of a column with %d numbers: %s", count, extract)
			case count < 2:
			case said == nil || rat(said[2]).Cmp(least) != 0 || rat(said[3]).Cmp(most) != 0 || rat(said[4]).Cmp(sum) != 0 || count < len(rows) && said[1] != strconv.Itoa(count):
				t.Fatalf("column %s: count %d, min %v, max %v, sum %v: %s", name, count, least, most, sum, extract)
			}
		}
	})
}

func figure(name string) *regexp.Regexp {
	return regexp.MustCompile(`; "` + name + `"(?: count (\d+),)? min ([-\d.]+), max ([-\d.]+), sum ([-\d.]+)`)
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return big.NewRat(1<<40, 7)
	}
	return r
}
