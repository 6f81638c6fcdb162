package report

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// workbook writes the frames as XLSX, one sheet a frame and one of notes. Equal
// input gives equal bytes: all its times are now.
// Chart may be nil.
func workbook(frames []*frame, lang, title string, notes []string, chart *native, now time.Time) ([]byte, error) {
	x := excelize.NewFile()
	defer x.Close() //nolint:errcheck // Nothing was opened.
	stamp := now.UTC().Format(time.RFC3339)
	if err := x.SetDocProps(&excelize.DocProperties{
		Title: title, Creator: "Hermes", LastModifiedBy: "Hermes", Created: stamp, Modified: stamp,
	}); err != nil {
		return nil, fmt.Errorf("set properties of workbook: %w", err)
	}
	names := sheetNames(frames, lang)
	var pictured *frame
	if chart != nil {
		pictured = chart.frame
	}
	for i, f := range frames {
		if i == 0 {
			if err := x.SetSheetName("Sheet1", names[0]); err != nil {
				return nil, fmt.Errorf("name sheet %q: %w", names[0], err)
			}
		} else if _, err := x.NewSheet(names[i]); err != nil {
			return nil, fmt.Errorf("add sheet %q: %w", names[i], err)
		}
		if f == pictured && !chart.own {
			chart.sheet, chart.cols = names[i], len(f.sheetColumns(lang))
			if err := chart.add(x); err != nil {
				return nil, fmt.Errorf("draw chart of sheet %q: %w", names[i], err)
			}
		}
		if err := writeSheet(x, names[i], f, lang); err != nil {
			return nil, fmt.Errorf("write sheet %q: %w", names[i], err)
		}
	}
	if chart != nil && chart.own {
		chart.sheet, chart.cols = names[len(frames)+1], 1+len(chart.series)
		if _, err := x.NewSheet(chart.sheet); err != nil {
			return nil, fmt.Errorf("add sheet %q: %w", chart.sheet, err)
		}
		if err := chart.add(x); err != nil {
			return nil, fmt.Errorf("draw chart: %w", err)
		}
		if err := chart.write(x); err != nil {
			return nil, fmt.Errorf("write sheet %q: %w", chart.sheet, err)
		}
	}
	if err := writeNotes(x, names[len(frames)], title, notes); err != nil {
		return nil, fmt.Errorf("write notes: %w", err)
	}
	buf, err := x.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("write workbook: %w", err)
	}
	return sorted(buf.Bytes())
}

// sorted puts the parts of a zip into one order, and the types in its list of them:
// excelize writes both as they come out of a map.
func sorted(body []byte) ([]byte, error) {
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, fmt.Errorf("sort workbook: %w", err)
	}
	slices.SortFunc(r.File, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		put := w.Copy
		if f.Name == "[Content_Types].xml" {
			put = func(f *zip.File) error { return sortTypes(w, f) }
		}
		if err := put(f); err != nil {
			return nil, fmt.Errorf("sort workbook: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("sort workbook: %w", err)
	}
	return out.Bytes(), nil
}

var defaultType = regexp.MustCompile(`<Default [^>]*></Default>`)

func sortTypes(w *zip.Writer, f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // It was only read.
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	types := defaultType.FindAllString(string(body), -1)
	slices.Sort(types)
	next := 0
	body = defaultType.ReplaceAllFunc(body, func([]byte) []byte {
		next++
		return []byte(types[next-1])
	})
	part, err := w.Create(f.Name)
	if err != nil {
		return err
	}
	_, err = part.Write(body)
	return err
}

// sheetNames gives each frame a name that Excel takes, and the notes and the chart one more each:
// at most 31 UTF-16 units, none of []:*?/\, no apostrophe at the ends, no two
// equal whatever their case.
func sheetNames(frames []*frame, lang string) []string {
	var names []string
	used := map[string]bool{}
	take := func(name string) {
		name = strings.Map(func(r rune) rune {
			if strings.ContainsRune(`[]:*?/\`, r) || r < ' ' || r == utf8.RuneError {
				return ' '
			}
			return r
		}, name)
		name = strings.Join(strings.Fields(name), " ")
		base := strings.Trim(name, "' ")
		if base == "" {
			base = page{lang: lang}.say("Table", "表")
		}
		base = strings.Trim(cutUTF16(base, 27), "' ")
		name = base
		for n := 2; used[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s %d", base, n)
		}
		used[strings.ToLower(name)] = true
		names = append(names, name)
	}
	for _, f := range frames {
		take(f.Title)
	}
	take(page{lang: lang}.say("Notes", "说明"))
	take(page{lang: lang}.say("Chart", "图表"))
	return names
}

func cutUTF16(s string, n int) string {
	var b strings.Builder
	for _, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}
