package file_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"hermes/agent/file"
	"hermes/agent/run"
	"hermes/internal/golden"
)

// The test is also the process that a Guard starts.
func TestMain(m *testing.M) {
	switch os.Getenv("FILE_TEST_CHILD") {
	case "":
		m.Run()
		return
	case "hang":
		select {}
	}
	if err := file.Serve(os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}

const sales = "day,region,amount,share,order id\n2026-10-01,Asia,\"1,200.50\",12%,0017\n2026-10-02,Europe,99.5,1%,0018\n2026-10-03,亚太,(20),3%,0019\n2026-10-04,Asia,n/a,,0020\n"

func sheets(t testing.TB) []byte {
	t.Helper()
	x := excelize.NewFile()
	set := func(sheet, cell string, v any) {
		if err := x.SetCellValue(sheet, cell, v); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.NewSheet("明细"); err != nil {
		t.Fatal(err)
	}
	for i, v := range []any{"Day", "Amount", "Share", "Twice"} {
		set("Sheet1", string(rune('A'+i))+"1", v)
	}
	day, err := x.NewStyle(&excelize.Style{NumFmt: 14})
	if err != nil {
		t.Fatal(err)
	}
	share, err := x.NewStyle(&excelize.Style{NumFmt: 10})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range []float64{10.25, 20, 1234567.5} {
		row := fmt.Sprint(i + 2)
		set("Sheet1", "A"+row, 46296+i) // 2026-10-01
		set("Sheet1", "B"+row, v)
		set("Sheet1", "C"+row, 0.125)
		if err := errors.Join(x.SetCellStyle("Sheet1", "A"+row, "A"+row, day), x.SetCellStyle("Sheet1", "C"+row, "C"+row, share)); err != nil {
			t.Fatal(err)
		}
	}
	set("明细", "A1", "地区")
	set("明细", "B1", "订单")
	set("明细", "A2", "亚太")
	set("明细", "B2", 7)
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	return withValue(t, b.Bytes())
}

// withValue gives the workbook a formula with what it comes to, as a program leaves it
// that computes.
func withValue(t testing.TB, b []byte) []byte {
	t.Helper()
	return rezipped(t, b, func(name, part string) string {
		if name != "xl/worksheets/sheet1.xml" {
			return part
		}
		return strings.Replace(part, `</row></sheetData>`, `<c r="D4"><f>B4*2</f><v>2469135</v></c></row></sheetData>`, 1)
	})
}

func rezipped(t testing.TB, b []byte, change func(name, part string) string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.BestSpeed) })
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var part bytes.Buffer
		if _, err := part.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		to, err := w.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write([]byte(change(f.Name, part.String()))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pdf is a PDF of pages, each a stream of its operators.
func pdf(pages ...string) []byte {
	var b bytes.Buffer
	var at []int
	obj := func(body string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), body)
	}
	b.WriteString("%PDF-1.4\n")
	kids := ""
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", 5+2*i)
	}
	cmap := "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n2 beginbfchar\n<0001> <5317>\n<0002> <4EAC>\nendbfchar\nendcmap\n"
	obj("<< /Type /Catalog /Pages 2 0 R >>")
	obj(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(pages)))
	obj("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	obj(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(cmap), cmap))
	for i, ops := range pages {
		obj(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R /F2 << /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /Identity-H /ToUnicode 4 0 R >> >> >> /Contents %d 0 R >>", 6+2*i))
		obj(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(ops), ops))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.Bytes()
}

func twoPages() []byte {
	return pdf("BT /F1 12 Tf 72 720 Td (Annual report) Tj 0 -20 Td (Sales grew to 1,234 in October. Costs fell.) Tj ET",
		"BT /F1 12 Tf 72 720 Td (Second page) Tj 0 -20 Td /F2 12 Tf <00010002> Tj ET")
}

func picture(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 80, 60))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What people and models read of files of every sort. The files say it, in both
// languages.
func TestWhatIsReadOfAFile(t *testing.T) {
	for name, b := range map[string][]byte{
		"sales.csv":  []byte(sales),
		"sales.xlsx": sheets(t),
		"report.pdf": twoPages(),
		"chart.png":  picture(t),
		"notes.md":   []byte("# Plan for November\n\nWe open two shops. Both need staff! More follows.\n\n## Shops\ntext\n## Staff\n```\n# no heading\n```\n"),
		"wages.json": []byte(`{"items": [{"a": 1}]}`),
		"main.go":    []byte("package main\n\nfunc main() {}\n"),
		"page.html":  []byte("<!DOCTYPE html><html><head><title>Prices</title></head><body><nav>menu</nav><p>All prices rise.</p></body></html>"),
		"semi.csv":   []byte("sep=;\nname;price\nA;1,50\nB;2.000,25\n"),
		"说明.txt":     []byte("会议记录\n今天讨论了三件事。第一件是预算。第二件是人手。\n"),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := file.Read(name, "application/octet-stream", b)
			if err != nil {
				t.Fatal(err)
			}
			text := file.Say(got.File, "en") + "\n---\n" + file.Say(got.File, "zh") + "\n---\n" + string(got.Sort) + " " + got.Mime + "\n" + got.Extract
			golden.Check(t, name+".golden", strings.TrimSpace(text)+"\n")
		})
	}
}

// S15 A page to sign in that comes in the place of a file is refused, and not a word
// of it gets out; a page that was meant is read.
func TestS15APageToSignInIsNoFile(t *testing.T) {
	login := `<!DOCTYPE html><html><head><title>Sign in | Workspace</title></head><body><form><input type="password">secret words</form></body></html>`
	plain := "<html><head><title>Notes</title></head><body>plain secret words</body></html>"
	for name, body := range map[string]string{"sales.csv": login, "report.pdf": login, "page.html": login, "book.xlsx": plain, "data.csv": "  <!-- x -->\n" + plain, "a.txt": login} {
		got, err := file.Read(name, "text/csv", []byte(body))
		if !errors.Is(err, run.SignIn) || got.Why != run.SignIn || got.Body+got.Extract+got.Title+got.First != "" {
			t.Errorf("%s = %+v, %v; want it refused without its text", name, got, err)
		}
	}
	if got, err := file.Read("notes.html", "", []byte(plain)); err != nil || !strings.Contains(got.Body, "plain secret words") {
		t.Errorf("a page that was meant = %q, %v", got.Body, err)
	}
}

// Text is read in whatever it was written.
func TestTextIsDecoded(t *testing.T) {
	encode := func(s string, enc interface{ String(string) (string, error) }) string {
		t.Helper()
		out, err := enc.String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	utf16 := func(e unicode.Endianness, b unicode.BOMPolicy) interface{ String(string) (string, error) } {
		return unicode.UTF16(e, b).NewEncoder()
	}
	for name, tt := range map[string]struct{ in, want string }{
		"UTF-8":                     {"北京 ok", "北京 ok"},
		"UTF-8 with a mark":         {"\uFEFF北京 ok", "北京 ok"},
		"UTF-16 LE":                 {encode("北京 ok", utf16(unicode.LittleEndian, unicode.UseBOM)), "北京 ok"},
		"UTF-16 BE":                 {encode("北京 ok", utf16(unicode.BigEndian, unicode.UseBOM)), "北京 ok"},
		"UTF-16 LE without a mark":  {encode("hello there", utf16(unicode.LittleEndian, unicode.IgnoreBOM)), "hello there"},
		"GB18030":                   {encode("北京的销售额", simplifiedchinese.GB18030.NewEncoder()), "北京的销售额"},
		"Western":                   {encode("Müller zahlt 5 €, café", charmap.Windows1252.NewEncoder()), "Müller zahlt 5 €, café"},
		"lines of other systems":    {"a\r\nb\rc", "a\nb\nc"},
		"a table in a Chinese code": {encode("地区,金额\n亚太,5\n", simplifiedchinese.GB18030.NewEncoder()), ""},
	} {
		got, err := file.Read("x.txt", "text/plain", []byte(tt.in))
		if err != nil || tt.want != "" && got.Body != tt.want {
			t.Errorf("%s = %q, %v; want %q", name, got.Body, err, tt.want)
		}
		if tt.want == "" && !strings.Contains(got.Extract, "亚太") && !strings.Contains(got.Body, "亚太") {
			t.Errorf("%s = %+v", name, got)
		}
	}
}

// What cannot be read says why, and what a file is its bytes say.
func TestWhatIsNotReadSaysWhy(t *testing.T) {
	locked := append([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")...)
	var other bytes.Buffer
	w := zip.NewWriter(&other)
	if _, err := w.Create("word/document.xml"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		b    []byte
		want run.Unread
	}{
		"empty.csv":    {nil, run.EmptyFile},
		"blank.txt":    {[]byte(" \n"), run.EmptyFile},
		"big.csv":      {make([]byte, file.MaxBytes+1), run.TooLarge},
		"scan.pdf":     {pdf("q 1 0 0 1 0 0 cm Q", "q Q"), run.NoText},
		"torn.pdf":     {twoPages()[:300], run.Damaged},
		"locked.xlsx":  {locked, run.Locked},
		"letter.docx":  {other.Bytes(), run.UnreadSort},
		"old.xls":      {locked[:8], run.UnreadSort},
		"song.csv":     {[]byte("ID3\x03\x00\x00\x00"), run.UnreadSort},
		"program":      {append([]byte("\x7fELF"), bytes.Repeat([]byte{0, 1, 2, 3, 200}, 100)...), run.UnreadSort},
		"torn.xlsx":    {sheets(t)[:600], run.Damaged},
		"renamed.xlsx": {[]byte("a,b,c\n1,2,3\n"), ""},
	} {
		got, err := file.Read(name, "", tt.b)
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s = %v", name, err)
			}
			continue
		}
		if !errors.Is(err, tt.want) || got.Why != tt.want || got.Name != name {
			t.Errorf("%s = %+v, %v; want %s", name, got.File, err, tt.want)
		}
		for _, lang := range []string{"en", "zh"} {
			if said := file.Say(got.File, lang); !strings.Contains(said, name) || strings.Contains(said, "%!") || strings.Count(said, "\n") > 0 {
				t.Errorf("%s in %s: %q; want one sentence that names it", name, lang, said)
			}
		}
	}
}

// Every reason has its words, in both languages.
func TestEveryReasonHasItsWords(t *testing.T) {
	for _, why := range []run.Unread{run.TooLarge, run.TooMany, run.NoAccess, run.Unfetched, run.SignIn, run.EmptyFile, run.Locked, run.NoText, run.Damaged, run.UnreadSort} {
		for _, lang := range []string{"en", "zh"} {
			if said := file.Say(run.File{Name: "f.csv", Why: why, Pages: 3}, lang); !strings.Contains(said, "f.csv") || len(said) < 20 {
				t.Errorf("%s in %s: %q", why, lang, said)
			}
		}
	}
}

// A workbook that unpacks to much more than it is, is not unpacked.
func TestABombIsNotUnpacked(t *testing.T) {
	t.Parallel()
	bomb := rezipped(t, sheets(t), func(name, part string) string {
		if name == "xl/worksheets/sheet1.xml" {
			return part + strings.Repeat(" ", 101<<20)
		}
		return part
	})
	if len(bomb) > 2<<20 {
		t.Fatalf("the bomb has %d bytes; it should be small", len(bomb))
	}
	if _, err := file.Read("b.xlsx", "", bomb); !errors.Is(err, run.TooLarge) {
		t.Errorf("read = %v, want %s", err, run.TooLarge)
	}
}

// Of a long text the first megabyte is kept, and how much was left is said; of a long
// table all rows are counted and the first are kept.
func TestBounds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("北京 line\n", 300_000)
	got, err := file.Read("long.txt", "", []byte(long))
	if err != nil || len(got.Body) > file.MaxText || got.Left != int64(len(long)-len(got.Body)) || got.Whole {
		t.Fatalf("kept %d of %d, left %d, whole %t, %v", len(got.Body), len(long), got.Left, got.Whole, err)
	}
	if !strings.HasPrefix(long, got.Body) || len(got.Extract) > 3<<10 || !strings.Contains(file.Say(got.File, "en"), "kB more are not read") {
		t.Errorf("extract of %d bytes; said %q", len(got.Extract), file.Say(got.File, "en"))
	}
	var rows strings.Builder
	rows.WriteString("name,n,x\n")
	for i := range 100_000 {
		fmt.Fprintf(&rows, "some name %d,%d,y\n", i, i)
	}
	got, err = file.Read("long.csv", "", []byte(rows.String()))
	if err != nil {
		t.Fatal(err)
	}
	s := got.Tables[0]
	if s.Rows != 100_000 || s.Unkept == 0 || len(got.Grids[0].Rows)+s.Unkept != s.Rows || got.Grids[0].Truncated != s.Unkept {
		t.Errorf("%d rows, %d kept, %d unkept", s.Rows, len(got.Grids[0].Rows), s.Unkept)
	}
	if s.Columns[1].Sum != "4,999,950,000" {
		t.Errorf("sum = %s; all rows count", s.Columns[1].Sum)
	}
}

// Numbers are added up exactly, in every way of writing them; what only looks like
// numbers is not added up, and a day of which nobody knows the month is none.
func TestColumns(t *testing.T) {
	for name, tt := range map[string]struct {
		cells []string
		want  run.ColumnFact
	}{
		"exact":          {[]string{"0.1", "0.2", "0.3"}, run.ColumnFact{Filled: 3, Sum: "0.6", Mean: "0.20", Min: "0.1", Max: "0.3"}},
		"money":          {[]string{"$1,000.50", "-$2.00", "($3)"}, run.ColumnFact{Filled: 3, Sum: "995.50", Mean: "331.83", Min: "-3.00", Max: "1,000.50", Unit: "$"}},
		"decimal commas": {[]string{"1.000,5", "2,25", "3"}, run.ColumnFact{Filled: 3, Sum: "1,005.75", Mean: "335.25", Min: "2.25", Max: "1,000.50"}},
		"percent":        {[]string{"10%", "20%"}, run.ColumnFact{Filled: 2, Mean: "15.00", Min: "10", Max: "20", Unit: "%"}},
		"zip":            {[]string{"10115", "10117"}, run.ColumnFact{Filled: 2, Distinct: 2, Values: []string{"10115", "10117"}}},
		"leading zeros":  {[]string{"007", "008"}, run.ColumnFact{Filled: 2, Distinct: 2, Values: []string{"007", "008"}}},
		"month known":    {[]string{"12/31/2026", "1/2/2026"}, run.ColumnFact{Filled: 2, From: "2026-01-02", To: "2026-12-31"}},
		"month unknown":  {[]string{"3/4/2026", "1/2/2026"}, run.ColumnFact{Filled: 2, Distinct: 2, Values: []string{"3/4/2026", "1/2/2026"}}},
		"日期":             {[]string{"2026年1月2日", "2026年12月3日"}, run.ColumnFact{Filled: 2, From: "2026-01-02", To: "2026-12-03"}},
		"words":          {[]string{"a", "b", "", "a"}, run.ColumnFact{Filled: 3, Distinct: 2, Values: []string{"a", "b"}}},
	} {
		tt.want.Name = name
		got, err := file.Read("t.csv", "", []byte("k\t"+name+"\nx\t"+strings.Join(tt.cells, "\nx\t")+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, got.Tables[0].Columns[1]); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// The rows of a file are a table that make_report takes: numbers are numbers and days
// are days.
func TestRowsAreATable(t *testing.T) {
	got, err := file.Read("sales.csv", "text/csv", []byte(sales))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]any{
		{"2026-10-01", "Asia", 1200.5, 12.0, "0017"}, {"2026-10-02", "Europe", 99.5, 1.0, "0018"},
		{"2026-10-03", "亚太", -20.0, 3.0, "0019"}, {"2026-10-04", "Asia", nil, nil, "0020"},
	}
	if d := cmp.Diff(want, got.Grids[0].Rows); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
}

// A title above a table is none of its names, and empty cells at the end of a row are
// no fault of it.
func TestASheetWithATitle(t *testing.T) {
	x := excelize.NewFile()
	for cell, v := range map[string]any{"A1": "Report of October", "A3": "name", "B3": "amount", "A4": "x", "B4": 5, "A5": "y"} {
		if err := x.SetCellValue("Sheet1", cell, v); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := file.Read("t.xlsx", "", b.Bytes())
	if err != nil || len(got.Tables) != 1 {
		t.Fatalf("read %+v, %v", got.File, err)
	}
	if s := got.Tables[0]; s.Rows != 2 || s.Columns[0].Name != "name" || s.Columns[1].Sum != "5" || s.Ragged != 1 {
		t.Errorf("the table is %+v", s)
	}
}

// Whatever comes, reading it ends, within bounds, and says what it is or why not.
func FuzzRead(f *testing.F) {
	f.Add("a.csv", []byte(sales))
	f.Add("a.png", picture(f))
	f.Add("a.md", []byte("# x\n\ny."))
	f.Add("a.html", []byte("<html><body>x"))
	f.Add("a.txt", []byte("\xFF\xFEa\x00b\x00"))
	f.Add("", []byte("{\"a\":"))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		if file.Dangerous(b) {
			t.Skip("read by a Guard")
		}
		got, err := file.Read(name, "", b)
		check(t, got, err)
	})
}

// What others' readers make of torn and twisted files ends as well, in a process of
// its own, with a reason or with what there is.
func TestTwistedFilesEnd(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g := file.NewGuard("/usr/bin/env", "FILE_TEST_CHILD=serve", self)
	g.SetLimit(time.Second)
	dice := rand.New(rand.NewPCG(1, 2))
	for _, whole := range [][]byte{sheets(t), twoPages()} {
		for range 6 {
			b := bytes.Clone(whole)
			for range 1 + dice.IntN(20) {
				b[8+dice.IntN(len(b)-8)] = byte(dice.IntN(256))
			}
			if dice.IntN(3) == 0 {
				b = b[:8+dice.IntN(len(b)-8)]
			}
			got, err := g.Read(t.Context(), "a", "", b)
			check(t, got, err)
		}
	}
}

func check(t *testing.T, got file.Text, err error) {
	t.Helper()
	var why run.Unread
	switch {
	case err != nil && !errors.As(err, &why):
		t.Fatalf("error %v is no reason", err)
	case err == nil && got.Sort == "":
		t.Fatalf("read as nothing: %+v", got.File)
	case len(got.Body) > file.MaxText || len(got.Extract) > 4<<10 || len(got.Grids) != len(got.Tables):
		t.Fatalf("out of bounds: body %d, extract %d, %d grids of %d tables", len(got.Body), len(got.Extract), len(got.Grids), len(got.Tables))
	}
	for _, lang := range []string{"en", "zh"} {
		if said := file.Say(got.File, lang); said == "" {
			t.Fatalf("%s: %q", lang, said)
		}
	}
}
