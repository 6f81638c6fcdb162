package tabular_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"hermes/internal/tabular"
)

// read is a CSV as columns and rows.
func read(t *testing.T, text string, o tabular.Options) (columns []string, rows [][]any) {
	t.Helper()
	got, err := tabular.CSV("f.csv", []byte(text), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Columns {
		columns = append(columns, c.Name+" "+string(c.Type)+" "+c.Unit)
	}
	return columns, got.Rows
}

// Numbers, days and names are told from each other in the notations of three languages.
func TestColumnsAreSeen(t *testing.T) {
	for name, tt := range map[string]struct {
		text    string
		options tabular.Options
		columns []string
		rows    [][]any
	}{
		"English": {"Date,Region,Amount,Qty\n2026-10-01,North,\"1,234.50\",3\n2026-10-02,,-0.5,\n", tabular.Options{},
			[]string{"date date ", "region text ", "amount number ", "qty integer "}, [][]any{{"2026-10-01", "North", 1234.5, int64(3)}, {"2026-10-02", nil, -0.5, nil}}},
		"German": {"Datum;Gebiet;Umsatz (€);Menge\n01.10.2026;Süd;1.234,50 €;1.000\n2.10.2026;Ost;7,5 €;2\n", tabular.Options{},
			[]string{"datum date ", "gebiet text ", "umsatz number €", "menge integer "}, [][]any{{"2026-10-01", "Süd", 1234.5, int64(1000)}, {"2026-10-02", "Ost", 7.5, int64(2)}}},
		"Chinese": {"日期,地区,销售额,单价\n2026年10月1日,华东,3.5万元,￥12.80\n2026年10月2日,华北,１２００元,￥９\n", tabular.Options{},
			[]string{"日期 date ", "地区 text ", "销售额 integer ¥", "单价 number ¥"}, [][]any{{"2026-10-01", "华东", int64(35000), 12.8}, {"2026-10-02", "华北", int64(1200), 9.0}}},
		"months first, as one day tells":     {"d,n\n3/4/2026,1\n3/14/2026,2\n", tabular.Options{}, []string{"d date ", "n integer "}, [][]any{{"2026-03-04", int64(1)}, {"2026-03-14", int64(2)}}},
		"days first, as one day tells":       {"d,n\n3/4/2026,1\n14/3/2026,2\n", tabular.Options{}, []string{"d date ", "n integer "}, [][]any{{"2026-04-03", int64(1)}, {"2026-03-14", int64(2)}}},
		"days first, as somebody tells":      {"d,n\n3/4/2026,1\n", tabular.Options{Days: "dmy"}, []string{"d date ", "n integer "}, [][]any{{"2026-04-03", int64(1)}}},
		"names of digits":                    {"zip,id\n01234,007\n99999,008\n", tabular.Options{}, []string{"zip text ", "id text "}, [][]any{{"01234", "007"}, {"99999", "008"}}},
		"as somebody tells":                  {"code,n\n12,1\n13,2\n", tabular.Options{Types: map[string]tabular.Type{"code": "text"}}, []string{"code text ", "n integer "}, [][]any{{"12", int64(1)}, {"13", int64(2)}}},
		"times keep the clock they show":     {"at,n\n2026-10-01T09:30:00+02:00,1\n2026-10-01 10:00,2\n", tabular.Options{}, []string{"at time ", "n integer "}, [][]any{{"2026-10-01 09:30:00", int64(1)}, {"2026-10-01 10:00:00", int64(2)}}},
		"a comma that another column tells":  {"a;b\n1.234;0,5\n2.500;1,25\n", tabular.Options{}, []string{"a integer ", "b number "}, [][]any{{int64(1234), 0.5}, {int64(2500), 1.25}}},
		"a point, between commas":            {"a,b\n1.234,x\n2.500,y\n", tabular.Options{}, []string{"a number ", "b text "}, [][]any{{1.234, "x"}, {2.5, "y"}}},
		"percent":                            {"r,share\na,12.5%\nb,n/a\n", tabular.Options{}, []string{"r text ", "share number %"}, [][]any{{"a", 12.5}, {"b", nil}}},
		"what Excel says of the sign":        {"sep=;\na;b\n1;2\n", tabular.Options{}, []string{"a integer ", "b integer "}, [][]any{{int64(1), int64(2)}}},
		"words of SQL and names of one kind": {"Order,order!,2026\na,b,c\n", tabular.Options{}, []string{"order_ text ", "order__2 text ", "c_2026 text "}, [][]any{{"a", "b", "c"}}},
		"a total is left out":                {"r,n\na,1\nb,2\nTotal,3\n", tabular.Options{}, []string{"r text ", "n integer "}, [][]any{{"a", int64(1)}, {"b", int64(2)}}},
		"a cell over two lines":              {"r,n\n\"a\nb\",1\n", tabular.Options{}, []string{"r text ", "n integer "}, [][]any{{"a\nb", int64(1)}}},
	} {
		t.Run(name, func(t *testing.T) {
			columns, rows := read(t, tt.text, tt.options)
			if diff := cmp.Diff(tt.columns, columns); diff != "" {
				t.Errorf("columns (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.rows, rows); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

// The encodings that files come in are seen, or told.
func TestEncodings(t *testing.T) {
	const text = "地区,销售额\n华东,1200\n华北,900\n"
	gb, err := simplifiedchinese.GB18030.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]any{{"华东", int64(1200)}, {"华北", int64(900)}}
	for name, body := range map[string]struct{ text, encoding string }{
		"UTF-8": {text, ""}, "with a mark": {"\ufeff" + text, ""}, "GB18030": {gb, ""}, "GB18030, told": {gb, "gb18030"}, "UTF-16": {wide, ""}, "UTF-16, told": {wide, "utf-16"}, "UTF-8, told": {"\ufeff" + text, "utf-8"},
	} {
		columns, rows := read(t, body.text, tabular.Options{Encoding: body.encoding})
		if !cmp.Equal(rows, want) || columns[0] != "地区 text " {
			t.Errorf("%s: %q %v", name, columns, rows)
		}
	}
}

// What cannot be read names file, row and column, and what to do.
func TestFaultsNameThePlace(t *testing.T) {
	many := "r,n\n" + strings.Repeat("a,1\n", 20)
	for name, tt := range map[string]struct {
		text    string
		options tabular.Options
		want    string
	}{
		"a word among numbers":       {many + "b,twelve\n", tabular.Options{}, `f.csv row 22, column n: "twelve" is no number`},
		"a word among days":          {"d\n" + strings.Repeat("2026-10-01\n", 20) + "soon\n", tabular.Options{}, `f.csv row 22, column d: "soon" is no day`},
		"a declared type":            {"a,b\nx,1\n", tabular.Options{Types: map[string]tabular.Type{"a": "number"}}, `f.csv row 2, column a: "x" is no number`},
		"too many cells":             {"a,b\n1,2\n1,2\n1,2,3\n", tabular.Options{}, "f.csv row 4: it has 3 cells, and there are 2 columns"},
		"too few cells":              {"a,b\n1,2\n1,2\n1\n", tabular.Options{}, "f.csv row 4: it has 1 cells"},
		"quotes that do not end":     {"a,b\n1,2\n\"1,2\n3,4\n", tabular.Options{}, "f.csv row 3: its quotes do not fit"},
		"no names":                   {"1,2\n3,4\n", tabular.Options{}, "f.csv row 1, column A: \"1\" stands where the name"},
		"two columns of one name":    {"a,a\n1,2\n", tabular.Options{}, "f.csv row 1, column a: two columns have this name"},
		"a column without a name":    {"a,,b\n1,2,3\n", tabular.Options{}, "f.csv row 1, column B: the column has no name"},
		"days of which nobody knows": {"d,n\n3/4/2026,1\n5/6/2026,2\n", tabular.Options{}, `f.csv row 2, column d: of "3/4/2026" nobody knows which is the month`},
		"days of two minds":          {"d,n\n14/3/2026,1\n3/14/2026,2\n", tabular.Options{}, "f.csv, column d: some of its days have the day first"},
		"amounts of two currencies":  {"a\n$1\n€2\n", tabular.Options{}, "f.csv, column a: its amounts have different units"},
		"too many rows":              {many, tabular.Options{MaxRows: 5}, "f.csv: it has more than 5 rows"},
		"not the encoding":           {"a,b\nx,\xff\n", tabular.Options{Encoding: "utf-8"}, "f.csv row 2: it is not in UTF-8"},
		"no text":                    {"\x00\x01\x02\x00\x03\x04", tabular.Options{}, "f.csv: it is no text"},
		"nothing":                    {"", tabular.Options{}, "f.csv: it has no table"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tabular.CSV("f.csv", []byte(tt.text), tt.options)
			var f tabular.Fault
			if !errors.As(err, &f) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v of %v, want %q", err, got, tt.want)
			}
		})
	}
}

// book makes a workbook.
func book(t testing.TB, sheets map[string][][]any) []byte {
	t.Helper()
	x := excelize.NewFile()
	day := "yyyy-mm-dd"
	style, err := x.NewStyle(&excelize.Style{CustomNumFmt: &day})
	if err != nil {
		t.Fatal(err)
	}
	for name, rows := range sheets {
		if _, err := x.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for r, row := range rows {
			for c, v := range row {
				cell, err := excelize.CoordinatesToCellName(c+1, r+1)
				if err != nil {
					t.Fatal(err)
				}
				if err := x.SetCellValue(name, cell, v); err != nil {
					t.Fatal(err)
				}
				if n, ok := v.(int); ok && n > 40000 {
					if err := x.SetCellStyle(name, cell, cell, style); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A workbook's days are days, its numbers whole, its title no row, and a sheet can be named.
func TestWorkbook(t *testing.T) {
	b := book(t, map[string][][]any{
		"Sales": {{"Sales of autumn"}, {"Day", "Region", "Amount"}, {46296, "North", 12.5}, {46297, "South", 1234}, {"合计", "", 1246.5}},
		"Notes": {{"by Kim"}},
	})
	tables, err := tabular.Workbook("b.xlsx", b, tabular.Options{})
	if err != nil || len(tables) != 1 || tables[0].Name != "sales" {
		t.Fatalf("%v %v", tables, err)
	}
	if diff := cmp.Diff([][]any{{"2026-10-01", "North", 12.5}, {"2026-10-02", "South", 1234.0}}, tables[0].Rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(tables[0].Notes) != 2 {
		t.Errorf("notes = %q", tables[0].Notes)
	}
	if _, err := tabular.Workbook("b.xlsx", b, tabular.Options{Sheet: "Costs"}); err == nil || !strings.Contains(err.Error(), `b.xlsx: it has no sheet "Costs"`) {
		t.Errorf("a sheet that is not there: %v", err)
	}
	bad := book(t, map[string][][]any{"S": {{"a", "b"}, {1, "x"}, {2, "y"}, {"#DIV/0!", "z"}}})
	if _, err := tabular.Workbook("b.xlsx", bad, tabular.Options{}); err == nil || !strings.HasPrefix(err.Error(), "b.xlsx/S row 4, column A: its formula comes to #DIV/0!") {
		t.Errorf("a formula that failed: %v", err)
	}
	for shown, want := range map[string]string{"2026-10": "2026-10-01", "Oct-26": "2026-10-01", "2026-10-01": "2026-10-01", "46,296": "46296", "$46,296.00": "46296"} {
		if got := tabular.CellOf("46296", shown); got != want {
			t.Errorf("a cell shown as %s is %s, want %s", shown, got, want)
		}
	}
	if _, err := tabular.Workbook("b.xlsx", []byte("PK\x03\x04junk"), tabular.Options{}); err == nil {
		t.Error("a damaged workbook is read")
	}
}

func decoded(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Objects within objects are columns by both names; paths lead through objects and lists.
func TestObjects(t *testing.T) {
	v, err := tabular.At(decoded(t, `{"data":{"pages":[{"items":[
		{"id":1,"at":"2026-10-01","owner":{"name":"Kim"},"amount":"12.50","tags":["a","b"],"won":true},
		{"id":2,"at":"2026-10-02","owner":{"name":"Lee"},"amount":3,"won":false}]}]}}`), "$.data.pages[0].items")
	if err != nil {
		t.Fatal(err)
	}
	got, err := tabular.Objects("crm", v.([]any), tabular.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range got.Columns {
		names = append(names, c.Name+" "+string(c.Type))
	}
	if diff := cmp.Diff([]string{"amount number", "at date", "id integer", "owner_name text", "tags text", "won text"}, names); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]any{{12.5, "2026-10-01", int64(1), "Kim", `["a","b"]`, "true"}, {3.0, "2026-10-02", int64(2), "Lee", nil, "false"}}, got.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for path, want := range map[string]string{"data.item": "there is: pages", "data.pages[3]": "nothing at [3]", "data.pages.x": "what it is sought in is a list"} {
		if _, err := tabular.At(decoded(t, `{"data":{"pages":[]}}`), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if _, err := tabular.Objects("crm", []any{"x"}, tabular.Options{}); err == nil || !strings.HasPrefix(err.Error(), "crm row 1: it is a text") {
		t.Errorf("rows that are no objects: %v", err)
	}
}

// Files of one table have the same columns, in any order.
func TestJoin(t *testing.T) {
	of := func(file, text string) tabular.Table {
		got, err := tabular.CSV(file, []byte(text), tabular.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	a, b := of("s-1.csv", "r,n\na,1\n"), of("s-2.csv", "n,r\n2.5,b\n")
	got, err := tabular.Join("s", []tabular.Table{a, b})
	if err != nil || !cmp.Equal(got.Rows, [][]any{{"a", 1.0}, {"b", 2.5}}) {
		t.Errorf("%v %v", got.Rows, err)
	}
	for text, want := range map[string]string{
		"r,m\na,1\n":   "s-2.csv, column m: there is no such column in s-1.csv",
		"r\na\n":       "s-2.csv, column n: it lacks this column",
		"r,n\na,old\n": "s-2.csv, column n: it holds texts here, and integers in s-1.csv",
	} {
		if _, err := tabular.Join("s", []tabular.Table{a, of("s-2.csv", text)}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Whatever a file holds, reading it ends in a table of equal rows or in a fault.
func FuzzCSV(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"), "", "")
	f.Add([]byte("日期;额\n1.2.2026;1.234,5\n"), "comma", "dmy")
	f.Add([]byte("sep=;\na;b\n\"x;y\";3/4/2026\n"), "", "mdy")
	f.Fuzz(func(t *testing.T, b []byte, comma, days string) {
		got, err := tabular.CSV("f.csv", b, tabular.Options{Comma: comma, Days: days, MaxRows: 1000})
		checkTable(t, got, err)
	})
}

// As FuzzCSV, for JSON.
func FuzzObjects(f *testing.F) {
	f.Add(`[{"a":1,"b":{"c":"x"}},{"a":"2026-01-01"}]`, "")
	f.Add(`{"d":[{"a":null}]}`, "d")
	f.Fuzz(func(t *testing.T, text, path string) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			return
		}
		v, err := tabular.At(v, path)
		if err != nil {
			return
		}
		if list, ok := v.([]any); ok {
			got, err := tabular.Objects("o", list, tabular.Options{})
			checkTable(t, got, err)
		}
	})
}

// As FuzzCSV, for workbooks.
func FuzzWorkbook(f *testing.F) {
	f.Add(book(f, map[string][][]any{"S": {{"a", "b"}, {1, "x"}, {46296, "y"}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		tables, err := tabular.Workbook("b.xlsx", b, tabular.Options{MaxRows: 1000})
		for _, got := range tables {
			checkTable(t, got, err)
		}
	})
}

func checkTable(t *testing.T, got tabular.Table, err error) {
	var f tabular.Fault
	if err != nil && !errors.As(err, &f) {
		t.Errorf("%v is no Fault", err)
	}
	names := map[string]bool{}
	for _, c := range got.Columns {
		if names[c.Name] {
			t.Errorf("two columns %q", c.Name)
		}
		names[c.Name] = true
	}
	for _, row := range got.Rows {
		if len(row) != len(got.Columns) {
			t.Errorf("a row of %d cells, of %d", len(row), len(got.Columns))
		}
	}
}
