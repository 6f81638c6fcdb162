package file_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"
	"time"

	"hermes/agent/file"
	"hermes/agent/run"
)

// parts is a zip of parts as they are.
func parts(t testing.TB, pairs ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i+1 < len(pairs); i += 2 {
		to, err := w.Create(pairs[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write([]byte(pairs[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// objects is a PDF of objects, the first of which is its catalogue.
func objects(all ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range all {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.Bytes()
}

// deflated is what unpacks to n times a text, made of one piece that is packed once.
func deflated(t testing.TB, text string, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Flush(); err != nil {
		t.Fatal(err)
	}
	return append(bytes.Repeat(b.Bytes(), n), 3, 0)
}

// bombs is a zip that looks like a workbook, of parts that unpack to so many megabytes,
// and say so unless they lie.
func bombs(t testing.TB, lies bool, megabytes ...int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	if _, err := w.Create("xl/workbook.xml"); err != nil {
		t.Fatal(err)
	}
	for i, n := range megabytes {
		b := deflated(t, strings.Repeat(" ", 1<<20), n)
		h := zip.FileHeader{Name: fmt.Sprintf("xl/part%d.xml", i), Method: zip.Deflate, CompressedSize64: uint64(len(b)), UncompressedSize64: uint64(n) << 20}
		if lies {
			h.UncompressedSize64 = 10
		}
		to, err := w.CreateRaw(&h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// flated is a stream that unpacks to n megabytes of a text.
func flated(t testing.TB, text string, n int) string {
	t.Helper()
	b := append([]byte("\x78\x9c"), deflated(t, strings.Repeat(text, 1<<20/len(text)), n)...)
	b = append(b, 0, 0, 0, 0)
	return fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", len(b), b)
}

const page = "<< /Type /Page /Parent 2 0 R /Resources << >> /Contents 4 0 R >>"

// Issue 5, files and web: files that are made to bring a reader down. Each ends with a
// reason and without a word of it, in a process of its own, whatever that does.
func TestHostileFilesEndWithAReason(t *testing.T) {
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g := file.NewGuard("/usr/bin/env", "FILE_TEST_CHILD=serve", self)
	g.SetLimit(3 * time.Second)
	book := func(change func(name, part string) string) []byte { return rezipped(t, sheets(t), change) }
	inSheet := func(rows string) []byte {
		return book(func(name, part string) string {
			if name != "xl/worksheets/sheet1.xml" {
				return part
			}
			return strings.Replace(part, "</sheetData>", rows+"</sheetData>", 1)
		})
	}
	var many []string
	for i := range 2001 {
		many = append(many, fmt.Sprintf("part%d", i), "x")
	}
	files := map[string]struct {
		b    []byte
		want []run.Unread // one of these; none: read, or any reason
	}{
		"a part that unpacks to 101 MB":      {bombs(t, false, 101), []run.Unread{run.TooLarge}},
		"many parts that unpack to 120 MB":   {bombs(t, false, 40, 40, 40), []run.Unread{run.TooLarge}},
		"a small file that grows 1000 times": {bombs(t, false, 30), []run.Unread{run.TooLarge}},
		"more parts than a workbook has":     {parts(t, append([]string{"xl/workbook.xml", "x"}, many...)...), []run.Unread{run.TooLarge}},
		"a part that is there twice":         {parts(t, "xl/workbook.xml", "x", "a", "1", "a", "2"), []run.Unread{run.Damaged}},
		"a zip in a zip":                     {parts(t, "inner.zip", string(parts(t, "xl/workbook.xml", strings.Repeat("a", 1<<20)))), []run.Unread{run.UnreadSort}},
		"a workbook that is a zip":           {parts(t, "xl/workbook.xml", string(parts(t, "a", "b"))), []run.Unread{run.Damaged, run.EmptyFile}},
		"a path out of the folder":           {parts(t, "xl/workbook.xml", "x", "../../../../tmp/hermes-out", "x"), []run.Unread{run.Damaged, run.EmptyFile}},
		"a lie about a size":                 {bombs(t, true, 120), []run.Unread{run.TooLarge, run.Damaged}},
		"entities": {book(func(name, part string) string {
			return strings.Replace(part, "?>", "?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>", 1)
		}), nil},
		"an entity of a file": {book(func(name, part string) string {
			return strings.Replace(part, "?>", "?><!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>", 1)
		}), nil},
		"elements in elements":            {inSheet(strings.Repeat("<row>", 200_000)), nil},
		"a cell in the last row":          {inSheet(`<row r="1048576"><c r="A1048576"><v>1</v></c></row>`), nil},
		"rows beyond the last":            {inSheet(`<row r="2147483647"><c r="A2147483647"><v>1</v></c></row>`), nil},
		"rows that are as wide as can be": {inSheet(wide(20_000)), nil},
		"one long text in every cell":     {longText(t), nil},

		"pages that hold themselves":     {objects("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"), []run.Unread{run.NoText, run.Damaged}},
		"parents in a circle":            {objects("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Parent 2 0 R /Kids [3 0 R] /Count 1 >>", "<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>", "<< /Length 0 >>\nstream\n\nendstream"), []run.Unread{run.NoText, run.Damaged}},
		"pages without number":           {objects("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>", page, "<< /Length 0 >>\nstream\n\nendstream"), []run.Unread{run.Damaged}},
		"a stream that is its length":    {objects("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, "<< /Length 4 0 R >>\nstream\nx\nendstream"), []run.Unread{run.NoText, run.Damaged}},
		"a reference to itself":          {objects("<< /Type /Catalog /Pages 2 0 R >>", "2 0 R"), []run.Unread{run.Damaged}},
		"tables that lead to themselves": {loop(), []run.Unread{run.Damaged, run.NoText}},
		"dictionaries in dictionaries":   {objects("<< /Type /Catalog /Pages 2 0 R >>", strings.Repeat("<< /A ", 1<<20)), []run.Unread{run.Damaged, run.NoText}},
		"a stream of a gigabyte":         {objects("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, flated(t, "BT (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj ET\n", 1<<10)), []run.Unread{run.Damaged, run.NoText}},
		"a stream packed thrice":         {objects("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, strings.Replace(flated(t, "q Q ", 4), "/FlateDecode", "["+strings.Repeat("/FlateDecode ", 50)+"]", 1)), []run.Unread{run.Damaged, run.NoText}},
		"fonts that hold themselves":     {objects("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", "<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>", "<< /Length 24 >>\nstream\nBT /F1 12 Tf (a) Tj ET  \nendstream", "<< /Type /Font /Subtype /Type0 /DescendantFonts [5 0 R] /ToUnicode 5 0 R /Encoding 5 0 R >>"), []run.Unread{run.Damaged, run.NoText}},

		"a picture of 60,000 × 60,000":  {head(60_000, 60_000, 8, 2), []run.Unread{run.Damaged}},
		"a picture with deep colours":   {head(10_000, 10_000, 16, 6), []run.Unread{run.Damaged}},
		"a picture that is only large":  {head(8_000, 6_000, 8, 2), nil},
		"a picture larger than numbers": {head(0x7fffffff, 0x7fffffff, 8, 6), nil},
	}
	t.Run("all", func(t *testing.T) {
		for name, tt := range files {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				got, err := g.Read(t.Context(), "hostile.bin", "", tt.b)
				check(t, got, err)
				// Whoever is out of time has met a damaged file; a bomb is found before that.
				fits := len(tt.want) == 0 || errors.Is(err, run.Damaged) || errors.Is(err, run.TooSlow)
				if len(tt.want) == 1 && tt.want[0] == run.TooLarge {
					if _, err := file.Read("hostile.bin", "", tt.b); !errors.Is(err, run.TooLarge) {
						t.Errorf("read here = %v, want %s", err, run.TooLarge)
					}
				}
				for _, w := range tt.want {
					fits = fits || errors.Is(err, w) && got.Body+got.Extract == "" && len(got.Grids) == 0
				}
				if !fits {
					t.Errorf("read = %+v, %v; want %v and nothing of it", got.File, err, tt.want)
				}
			})
		}
	})
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("left behind %q, %v", left, err)
	}
	if _, err := os.Stat("/tmp/hermes-out"); err == nil {
		t.Error("a part was written out of its folder")
	}
}

func wide(rows int) string {
	var b strings.Builder
	for i := range rows {
		fmt.Fprintf(&b, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i+10, i+10)
	}
	return b.String()
}

// longText is a workbook in which 200,000 cells point to one text of a megabyte, in runs
// that are put together for each.
func longText(t testing.TB) []byte {
	t.Helper()
	var cells strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&cells, `<row r="%d">`, i+10)
		for c := range 100 {
			fmt.Fprintf(&cells, `<c r="%s%d" t="s"><v>0</v></c>`, column(c), i+10)
		}
		cells.WriteString("</row>")
	}
	return rezipped(t, sheets(t), func(name, part string) string {
		switch name {
		case "xl/worksheets/sheet1.xml":
			return strings.Replace(part, "</sheetData>", cells.String()+"</sheetData>", 1)
		case "xl/sharedStrings.xml":
			i, j := strings.Index(part, "<si>"), strings.Index(part, "</si>")
			return part[:i] + "<si>" + strings.Repeat("<r><t>"+strings.Repeat("long ", 20_000)+"</t></r>", 10) + part[j:]
		}
		return part
	})
}

func column(n int) string {
	if n < 26 {
		return string(rune('A' + n))
	}
	return string(rune('A'+n/26-1)) + string(rune('A'+n%26))
}

// loop is a PDF whose tables of references name each other as the earlier one.
func loop() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R >>\nendobj\n")
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 2 /Root 1 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n", at, at)
	return b.Bytes()
}

// head is that of a picture, and nothing of what it shows.
func head(width, height uint32, bits, kind byte) []byte {
	ihdr := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)...)
	ihdr = append(ihdr, bits, kind, 0, 0, 0)
	b := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), ihdr...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(ihdr))
}
