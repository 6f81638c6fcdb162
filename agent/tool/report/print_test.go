package report

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"hermes/agent/tool"
	"hermes/internal/golden"
)

// printOf makes a PDF and returns it.
func printOf(t testing.TB, cfg Config, lang string, in Args, grids ...tool.Grid) (Made, []byte) {
	t.Helper()
	s, ids := stock(t, grids...)
	in.Tables, in.Format = ids, PDF
	tl, err := New(cfg, s)
	if err != nil {
		t.Fatal(err)
	}
	args, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	res, err := tl.Run(t.Context(), tool.Call{ID: "run/1/a", Run: "run", Args: args, Lang: lang, Now: now, Zone: "Asia/Shanghai"})
	if err != nil || res.Failed {
		t.Fatalf("%v %s", err, res.Text)
	}
	var m Made
	if err := json.Unmarshal([]byte(res.Text), &m); err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Files {
		if filepath.Ext(f.Name) == ".pdf" {
			return m, s.m[f.ID].Body
		}
	}
	return m, nil
}

var (
	streamForm = regexp.MustCompile(`(?s)stream\r?\n(.*?)\r?\nendstream`)
	shownForm  = regexp.MustCompile(`BT ([\d.-]+) ([\d.-]+) Td \(((?:[^()\\]|\\.)*)\) Tj`)
)

// pagesOf reads the texts of a PDF of Latin letters, page by page; those on one line
// stand on one.
func pagesOf(t testing.TB, body []byte) []string {
	t.Helper()
	var pages []string
	for _, m := range streamForm.FindAllSubmatch(body, -1) {
		r, err := zlib.NewReader(bytes.NewReader(m[1]))
		if err != nil {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil || !bytes.Contains(text, []byte("BT ")) {
			continue
		}
		var b strings.Builder
		y := ""
		for _, s := range shownForm.FindAllStringSubmatch(string(text), -1) {
			switch {
			case y != "" && y != s[2]:
				b.WriteString("\n")
			case y != "" && !strings.HasSuffix(b.String(), " "):
				b.WriteString(" ")
			}
			y = s[2]
			for _, c := range []byte(regexp.MustCompile(`\\(.)`).ReplaceAllString(s[3], "$1")) {
				b.WriteString(map[byte]string{0x95: "•", 0x96: "–", 0xB7: "·", 0x85: "…"}[c])
				if c < 0x80 {
					b.WriteByte(c)
				}
			}
		}
		pages = append(pages, b.String())
	}
	return pages
}

// What a PDF says is what the message says, and all rows besides.
func TestPrintedPages(t *testing.T) {
	_, body := printOf(t, Config{}, "en", Args{Chart: None, Commentary: "Asia grew 14.0%, **Europe** 99%.\n\n- a point"}, regions("en"), days("en"))
	golden.Check(t, "print.en.txt", strings.Join(pagesOf(t, body), "\n\f\n")+"\n")
}

// A table that breaks over pages has its head on each, and each page its number.
func TestHeadIsRepeated(t *testing.T) {
	_, body := printOf(t, Config{}, "en", Args{Chart: None}, long("en"))
	pages := pagesOf(t, body)
	if len(pages) < 3 {
		t.Fatalf("%d pages of a table of 120 rows", len(pages))
	}
	for i, p := range pages {
		if strings.Count(p, "Customer Sales Share Previous Change") != 1 {
			t.Errorf("page %d has no head:\n%s", i+1, p)
		}
		if want := "Page " + string(rune('1'+i)) + " of " + string(rune('0'+len(pages))); !strings.Contains(p, want) {
			t.Errorf("page %d has no %q", i+1, want)
		}
	}
	if all := strings.Join(pages, "\n"); !strings.Contains(all, "Customer 120") || !strings.Contains(all, "Total") {
		t.Error("rows or their total are missing")
	}
}

// Equal tables are equal files, whenever they are made, and the file says nothing of when.
// Nothing in it is a link, runs or is fetched.
func TestPrintIsPlainAndEqual(t *testing.T) {
	in := Args{Chart: Pie, Commentary: "See https://evil.example/x, www.evil.example, mail ana@evil.example, [here](http://evil.example) <!channel> =1+1"}
	_, a := printOf(t, Config{}, "en", in, regions("en"))
	_, b := printOf(t, Config{}, "en", in, regions("en"))
	if !bytes.Equal(a, b) {
		t.Error("two prints of one report differ")
	}
	for _, bad := range []string{"CreationDate", "ModDate", "/Annots", "/URI", "/JavaScript", "/JS", "/Launch", "/Filespec", "/AA", "/ID"} {
		if bytes.Contains(a, []byte(bad)) {
			t.Errorf("the file has %s", bad)
		}
	}
	for _, p := range pagesOf(t, a) {
		for _, bad := range []string{"://e", "www.", "ana@"} {
			if strings.Contains(p, bad) {
				t.Errorf("the page has %q, of which readers make a link:\n%s", bad, p)
			}
		}
	}
}

// Letters that Latin fonts lack are of the font that is configured, alone or in a
// collection, of which the file holds those that it uses.
func TestPrintWithAFont(t *testing.T) {
	dir := t.TempDir()
	alone, together := filepath.Join(dir, "go.ttf"), filepath.Join(dir, "go.ttc")
	for name, b := range map[string][]byte{alone: goregular.TTF, together: collection(goregular.TTF)} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := regions("en")
	g.Rows[0][0] = "Север и Запад"
	var sizes []int
	for _, font := range []string{alone, together} {
		m, body := printOf(t, Config{Font: font}, "en", Args{Chart: None}, g)
		if body == nil {
			t.Fatalf("%s: no PDF: %s", font, m.Text)
		}
		sizes = append(sizes, len(body))
		if !bytes.Contains(body, []byte("/FontFile2")) || len(body) > len(goregular.TTF) {
			t.Errorf("%s: %d bytes", font, len(body))
		}
		_, again := printOf(t, Config{Font: font}, "en", Args{Chart: None}, g)
		if !bytes.Equal(body, again) {
			t.Errorf("%s: two prints differ", font)
		}
	}
	if sizes[0] != sizes[1] {
		t.Errorf("a font of a collection comes to %d bytes, alone to %d", sizes[1], sizes[0])
	}
}

// collection puts a font into a collection of one.
func collection(ttf []byte) []byte {
	const head = 16
	out := append([]byte("ttcf\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x10"), ttf...)
	for i := range int(binary.BigEndian.Uint16(ttf[4:])) {
		at := head + 12 + 16*i + 8
		binary.BigEndian.PutUint32(out[at:], binary.BigEndian.Uint32(out[at:])+head)
	}
	return out
}

// Where no font has the letters the file is a workbook, and the report says why and what
// to do, in both languages. Signs that are no letters are no reason.
func TestPrintWithoutAFont(t *testing.T) {
	none := &maker{font: func() *face { return nil }}
	for lang, want := range map[string]string{"en": "comes as Excel and not as PDF", zh: "以Excel代替PDF"} {
		j := &job{maker: none, in: Args{Format: PDF, Chart: None}, lang: lang}
		g := products(lang)
		j.frames = []*frame{newFrame(g, 0)}
		j.tables = []tool.Artifact{{Title: g.Title}}
		j.page = page{lang: lang, frames: j.frames, title: "t"}
		if err := j.sheets(); err != nil {
			t.Fatal(err)
		}
		if len(j.files) != 1 || filepath.Ext(j.files[0].Name) != ".xlsx" || !strings.Contains(j.page.markdown(), want) || !strings.Contains(j.page.markdown(), "reports.font") {
			t.Errorf("%s: %v\n%s", lang, j.files, j.page.markdown())
		}
	}
	if !printable("All well 🎉 ✓ £12 — “so”", nil) || printable("销售", nil) || printable("Север", nil) {
		t.Error("what can be printed in Latin letters is taken for what cannot, or the other way")
	}
}

// Chinese on a machine that has a font for it.
func TestPrintChinese(t *testing.T) {
	if machineFont() == nil {
		t.Skip("no font with Chinese characters here")
	}
	_, body := printOf(t, Config{}, zh, Args{Chart: None}, products(zh))
	_, again := printOf(t, Config{}, zh, Args{Chart: None}, products(zh))
	if body == nil || !bytes.Equal(body, again) || len(body) > 200_000 {
		t.Errorf("%d bytes, again %d", len(body), len(again))
	}
}

// A damaged font or collection is an error, not a panic.
func FuzzOutlines(f *testing.F) {
	f.Add([]byte("ttcf"))
	f.Add(collection(goregular.TTF)[:600])
	f.Fuzz(func(t *testing.T, b []byte) {
		if out, err := outlines(b); err == nil && len(out) > 2*len(b)+1<<20 {
			t.Errorf("%d bytes out of %d", len(out), len(b))
		}
	})
}

// No line is wider than it may be, and no letter is lost.
func FuzzWrap(f *testing.F) {
	f.Add("Sales **rose** by ~~12~~ 3 %，其中“亚洲”（含日本）增长最快。", 40.0)
	f.Add("averyveryverylongwordthatfitsnowhere", 9.0)
	p, err := newPress(false, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, md string, width float64) {
		if width < 5 || width > 500 || len(md) > 2000 || width != width {
			return
		}
		l := look{size: 9}
		all := p.bits(md, l)
		var before, after strings.Builder
		for _, b := range all {
			before.WriteString(b.text)
		}
		for _, line := range p.wrap(all, width) {
			for _, b := range line {
				after.WriteString(b.text)
			}
		}
		if before.String() != after.String() {
			t.Errorf("%q became %q", before.String(), after.String())
		}
	})
}
