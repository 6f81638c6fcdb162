package result

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hermes/agent/tool"
)

// json cuts a structure and says what its table or array amounts to.
func (r *reader) json(raw string) {
	p := mainParts(raw)
	words := terms(r.in.Goal)
	t := trim{cfg: r.cfg, mode: r.in.Spec.Truncate, main: p.at, total: len(p.all), words: append(words, troubles...)}
	at, table := p.at, ""
	whole := raw
	if p.unit == "row" {
		t.main += "/rows"
		whole, _ = follow(raw, p.at)
		table, t.total = kept(whole, len(p.all))
	}
	r.told(raw)
	if p.unit != "member" {
		t.memo = map[string][]string{t.main: p.all}
	}
	if len(p.all) > r.cfg.ArrayMax {
		t.wanted = points(p.all, words, 5)
	}
	r.extract = within(r.describe(whole, p, t.total), r.limit/2)
	r.quality(p)
	t.limit = r.limit - r.taken()
	r.body = t.fit(raw)
	for _, c := range t.cuts {
		c.id = r.in.Artifact
		if table != "" && c.at == at && strings.HasPrefix(c.shown, "rows ") {
			c.id, c.at = table, ""
		}
		r.cuts = append(r.cuts, c)
	}
}

// taken is how many bytes the extract has.
func (r *reader) taken() int {
	if r.extract == "" {
		return 0
	}
	return len(mark("extract: %s", r.extract)) + 1
}

// kept returns the id of the artifact that a tool of ours has kept a table under,
// and how many rows there are in all.
func kept(table string, rows int) (id string, total int) {
	total = rows
	for k, v := range members(table) {
		switch keyOf(k) {
		case "row_count", "total_rows", "total_count":
			if n, err := strconv.Atoi(v); err == nil {
				total = max(total, n)
			}
		case "table":
			if v[0] == '"' && tool.IsID(decode(v)) {
				id = decode(v)
			}
		}
	}
	return id, total
}

// told notes that the tool itself says that there is more than it gave.
func (r *reader) told(raw string) {
	if raw[0] != '{' {
		return
	}
	for k, v := range members(raw) {
		if len(k) > 30 || !more[strings.ToLower(strings.ReplaceAll(keyOf(k), "_", ""))] {
			continue
		}
		if n, err := strconv.Atoi(v); v == "false" || v == "null" || v == `""` || v == "{}" || v == "[]" || err == nil && n == 0 {
			continue
		}
		r.partial = true
		r.notes = append(r.notes, fmt.Sprintf("not complete: the tool says %s %s", name(decode(k)), short(v, 40)))
	}
}

// more are keys by which a tool says that there is more, without case and lines.
var more = map[string]bool{
	"truncated": true, "hasmore": true, "nextcursor": true, "nextpagetoken": true, "nextpage": true, "incompleteresults": true,
}

// page cuts what a web page says: its title, and the first of its words.
func (r *reader) page(p page) {
	total, head := utf8.RuneCountInString(p.words), ""
	if p.title != "" {
		head = short(p.title, min(200, r.limit/8)) + "\n"
	}
	if total <= r.cfg.WebChars && len(head)+len(p.words) <= r.limit {
		r.body = head + p.words
		return
	}
	var kept, end int
	for n := min(r.cfg.WebChars, total); ; n = n * 9 / 10 {
		end = cutAt(p.words, n)
		kept = utf8.RuneCountInString(p.words[:end])
		r.body = head + p.words[:end] + "\n" + mark("first %d of %d characters of the page", kept, total)
		if len(r.body) <= r.limit || n < 2 {
			break
		}
	}
	r.cuts = append(r.cuts, cut{
		id: r.in.Artifact, shown: fmt.Sprintf("characters 1-%d of %d of the page", kept, total),
		from: max(1, len(lines(head+p.words[:end]))),
	})
}

// text cuts a text: of the lines that are left out, those stay that have words of
// the request, or that speak of trouble.
func (r *reader) text(text string, mode tool.Truncate) {
	all := lines(text)
	var wanted []int
	if len(all) > r.cfg.Lines {
		wanted = points(all, append(terms(r.in.Goal), troubles...), 5)
	}
	r.lines(text, all, mode, r.cfg.Lines, wanted)
}

// sheet cuts a table of text: its head and the first rows, and those that have words
// of the request.
func (r *reader) sheet(text string, s sheet) {
	r.extract = within(r.figures(fmt.Sprintf("%d rows; columns %s", s.rows, names(s.header, r.limit/4)), s.columns, s.rows, false), r.limit/2)
	all := lines(text)
	most := r.cfg.RowHead + 1
	var wanted []int
	if len(all) > most {
		wanted = slices.DeleteFunc(points(all, terms(r.in.Goal), 5), func(i int) bool { return i < most })
	}
	r.lines(text, all, tool.Head, most+len(wanted), wanted)
}

// lines cuts a text to at most so many lines, and to what the limit allows.
func (r *reader) lines(text string, all []string, mode tool.Truncate, most int, wanted []int) {
	room := r.limit - r.taken()
	if len(all) <= most && len(strings.TrimSuffix(text, "\n")) <= room {
		r.body = text
		if len(text) > room {
			r.body = strings.TrimSuffix(text, "\n")
		}
		return
	}
	tries := textSizes(min(most, len(all)))
	body, i, ok := first(len(tries), func(i int) (string, bool) {
		s := joinLines(all, pick(len(all), tries[i].lines, mode, wanted), tries[i].runes)
		return s, len(s) <= room
	})
	if !ok {
		r.body = mark("%d lines, too many to show", len(all))
		r.cuts = append(r.cuts, cut{id: r.in.Artifact, shown: fmt.Sprintf("none of %d lines", len(all)), from: 1})
		return
	}
	r.body = body
	shown := pick(len(all), tries[i].lines, mode, wanted)
	c := cut{id: r.in.Artifact, shown: fmt.Sprintf("lines %s of %d", ranges(shown), len(all)), from: gap(shown)}
	if len(shown) == len(all) {
		long := slices.IndexFunc(all, func(s string) bool { return utf8.RuneCountInString(s) > tries[i].runes })
		c = cut{id: r.in.Artifact, shown: fmt.Sprintf("%d lines, the long ones in part", len(all)), from: long + 1}
	}
	r.cuts = append(r.cuts, c)
}

type textSize struct{ lines, runes int }

// textSizes are what is tried for text until it fits: fewer lines, then shorter
// ones.
func textSizes(most int) []textSize {
	now := textSize{most, pieceRunes}
	out := []textSize{now}
	for now.lines > 8 {
		now.lines = max(8, now.lines*9/10)
		out = append(out, now)
	}
	for _, n := range []int{700, 500, 350, 250, 180, 120, 80} {
		now.runes = n
		out = append(out, now)
	}
	for now.lines > 1 {
		now.lines--
		out = append(out, now)
	}
	return append(out, textSize{1, 40}, textSize{1, 15})
}

// number reports whether JSON is a number.
func number(raw string) bool { return raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' }
