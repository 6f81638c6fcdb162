package file

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"hermes/agent/run"
	"hermes/internal/redact"
	"hermes/internal/tabular"
)

// A grid is a table as it stands in a file.
type grid struct {
	header []string
	rows   [][]string // each as long as the header
	ragged int
	more   bool // there are rows that were not looked at
}

// Bounds of a table.
const (
	mostRows    = 200_000
	mostColumns = 200
	mostCells   = 2_000_000
	longestCell = 4 << 10
)

// rowsOf reads a text as a table, by the sign that parts its cells best. A text whose
// name does not say that it is one must look like one from the first line on.
func rowsOf(body, ext string) (grid, bool) {
	head := body[:cutAt(body, 64<<10)]
	if len(head) < len(body) {
		if i := strings.LastIndexByte(head, '\n'); i > 0 {
			head = head[:i]
		}
	}
	said := ext == "csv" || ext == "tsv"
	best, score, width := ',', 0.0, 0
	for _, comma := range ",\t;|" {
		w, fit := widthOf(head, comma, said)
		if s := fit * float64(min(w, 8)); w > 1 && s > score {
			best, score, width = comma, s, w
		}
	}
	switch {
	case width > 1:
	case said:
		width = 1 // a list
	default:
		return grid{}, false
	}
	g := table(records(body, best), width)
	return g, len(g.header) > 0 && (said || len(g.rows) > 1)
}

// widthOf is how many cells most of the first lines have, and the share of lines that
// have as many. Of a text that nobody has called a table all have to.
func widthOf(head string, comma rune, said bool) (width int, fit float64) {
	count, all := map[int]int{}, 0
	for rec := range records(head, comma) {
		if all++; all > 100 {
			break
		}
		count[len(rec)]++
	}
	for w, n := range count {
		if n > count[width] || n == count[width] && w > width {
			width = w
		}
	}
	if all == 0 || !said && (all < 3 || count[width] < all || width < 3 && comma != '\t') {
		return 0, 0
	}
	return width, float64(count[width]) / float64(all)
}

// records are the records of a text with that sign between cells, empty ones left out.
func records(body string, comma rune) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		if first, rest, ok := strings.Cut(body, "\n"); ok && strings.HasPrefix(strings.ToLower(first), "sep=") {
			body = rest
		}
		r := csv.NewReader(strings.NewReader(body))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = comma, true, -1
		for {
			rec, err := r.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil || len(rec) == 1 && strings.TrimSpace(rec[0]) == "" {
				if err != nil {
					return
				}
				continue
			}
			if !yield(rec) {
				return
			}
		}
	}
}

// table makes a table of records: the first that is as wide as most are names its
// columns, unless it holds numbers.
func table(recs func(func([]string) bool), width int) grid {
	var g grid
	width = min(width, mostColumns)
	cells := 0
	for rec := range recs {
		for i := range rec {
			rec[i] = strings.TrimSpace(rec[i])
			if len(rec[i]) > longestCell {
				rec[i] = rec[i][:cutAt(rec[i], longestCell)] + "…"
			}
		}
		if g.header == nil {
			if len(rec) < width {
				g.ragged++ // what stands above a table
				continue
			}
			g.header = names(rec[:width])
			if g.header != nil {
				continue
			}
			for i := range width {
				g.header = append(g.header, "column "+strconv.Itoa(i+1))
			}
		}
		if len(g.rows) == mostRows || cells >= mostCells {
			g.more = true
			return g
		}
		if len(rec) != width {
			g.ragged++
		}
		row := make([]string, width)
		copy(row, rec)
		for i, cell := range row {
			if kind := redact.Named(g.header[i]); kind != "" && cell != "" {
				row[i] = redact.Marker(kind) // a column of passwords is not work
			}
		}
		g.rows = append(g.rows, row)
		cells += width
	}
	return g
}

// names are the cells of a record as names of columns; nil if they are none.
func names(rec []string) []string {
	out := make([]string, len(rec))
	seen := map[string]bool{}
	some := false
	for i, c := range rec {
		c = strings.Join(strings.Fields(c), " ")
		if _, ok := tabular.NumberOf(c, false); ok {
			return nil
		}
		if r := []rune(c); len(r) > 64 {
			c = string(r[:63]) + "…"
		}
		some = some || c != ""
		if c == "" {
			c = "column " + strconv.Itoa(i+1)
		}
		for base, n := c, 2; seen[c]; n++ {
			c = base + " " + strconv.Itoa(n)
		}
		seen[c], out[i] = true, c
	}
	if !some {
		return nil
	}
	return out
}

// take takes over a table: what its columns come to, and as many rows as are kept.
func (t *Text) take(name string, g grid) {
	s := run.Sheet{Name: name, Rows: len(g.rows), More: g.more, Ragged: g.ragged}
	columns := make([]column, len(g.header))
	for i, h := range g.header {
		columns[i] = columnOf(h, g, i)
		s.Columns = append(s.Columns, columns[i].fact)
	}
	kept, size := g.kept(columns), 0
	for _, old := range t.Grids {
		size += sizeOf(old)
	}
	kept, s.Unkept = within(kept, MaxText-size)
	if name == "" {
		kept.Title = t.Name
	} else {
		kept.Title = t.Name + " · " + name
	}
	kept.Source = t.Name
	t.Tables = append(t.Tables, s)
	t.Grids = append(t.Grids, kept)
	if len(t.Extract) < extract {
		t.show(name, g)
	}
	t.Whole = false // columns are counted up, so there is always more to say
}

// show puts the first rows of a table into the extract.
func (t *Text) show(name string, g grid) {
	var b strings.Builder
	b.WriteString(t.Extract)
	if name != "" {
		b.WriteString("[" + name + "]\n")
	}
	line := func(cells []string) string {
		out := make([]string, len(cells))
		for i, c := range cells {
			c = strings.Join(strings.Fields(c), " ")
			if utf8.RuneCountInString(c) > 60 {
				c = string([]rune(c)[:59]) + "…"
			}
			out[i] = c
		}
		return strings.Join(out, " | ") + "\n"
	}
	b.WriteString(line(g.header))
	for i, row := range g.rows {
		l := line(row)
		if i == 20 || b.Len()+len(l) > extract {
			break
		}
		b.WriteString(l)
	}
	t.Extract = strings.ToValidUTF8(b.String()[:cutAt(b.String(), extract)], "")
}
