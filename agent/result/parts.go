package result

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parts are what a text is made of: the rows of a table, the items of an array, the
// members of an object, or lines. They are numbered from 1 wherever people or
// models see the number, and in notes of this package as well.
type Parts struct {
	unit string   // "row", "item", "member", "line"
	head string   // names of the columns as a JSON array, or empty
	at   string   // where they are in the JSON
	all  []string // JSON as it stands in the text, a key with its value, or a line
}

// Open returns the parts of what stands at a JSON pointer in a text. Without one it
// takes the longest table or array that there is, else the members of the object,
// or the lines. An error says what there is instead, for the model to mend.
func Open(text, at string) (Parts, error) {
	text = clean(text)
	raw, ok := structure(text)
	if !ok {
		if at != "" {
			return Parts{}, fmt.Errorf("it is text and has nothing at %q; leave at out to read its lines", at)
		}
		if page, ok := pageOf(text); ok {
			text = page.text()
		}
		return Parts{unit: "line", all: lines(text)}, nil
	}
	if at == "" {
		return mainParts(raw), nil
	}
	v, ok := follow(raw, at)
	if !ok {
		return Parts{}, fmt.Errorf("there is nothing at %q; %s", at, offers(raw))
	}
	return partsOf(v, at), nil
}

// offers says what can be opened in an object or array.
func offers(raw string) string {
	if raw[0] == '[' {
		return fmt.Sprintf("it is an array of %d items: /0 is the first", len(partsOf(raw, "").all))
	}
	var keys []string
	for k := range members(raw) {
		keys = append(keys, pointer([]string{decode(k)}))
	}
	if len(keys) == 0 {
		return "it is an empty object"
	}
	return "there is " + names(keys, 500)
}

// partsOf are the parts of one value.
func partsOf(raw, at string) Parts {
	p := Parts{at: at}
	switch raw[0] {
	case '"':
		s := decode(raw)
		if in, ok := inner(s); ok {
			return partsOf(in, at)
		}
		if page, ok := pageOf(s); ok {
			s = page.text()
		}
		p.unit, p.all = "line", lines(s)
	case '[':
		p.unit = "item"
		for v := range items(raw) {
			p.all = append(p.all, v)
		}
	case '{':
		if columns, rows, ok := grid(raw); ok {
			p.unit, p.head = "row", string(appendNames(nil, columns))
			for v := range items(rows) {
				p.all = append(p.all, v)
			}
			return p
		}
		p.unit = "member"
		for pair := range pairs(raw) {
			p.all = append(p.all, pair)
		}
	default:
		p.unit, p.all = "item", []string{raw}
	}
	return p
}

// mainParts are those of the table or array that a result is about: itself, or the
// longest of those at most two steps inside.
func mainParts(raw string) Parts {
	whole := partsOf(raw, "")
	if whole.unit != "member" {
		return whole
	}
	best := whole
	for k, v := range members(raw) {
		switch v[0] {
		case '[':
			best = longer(best, partsOf(v, pointer([]string{decode(k)})))
		case '{':
			if _, _, ok := grid(v); ok {
				best = longer(best, partsOf(v, pointer([]string{decode(k)})))
				continue
			}
			for k2, v2 := range members(v) {
				if v2[0] == '[' {
					best = longer(best, partsOf(v2, pointer([]string{decode(k), decode(k2)})))
				}
			}
		}
	}
	return best
}

func longer(a, b Parts) Parts {
	if len(b.all) == 0 || a.unit != "member" && len(a.all) >= len(b.all) {
		return a
	}
	return b
}

// grid returns columns and rows of an object that is a table.
func grid(raw string) (columns []string, rows string, ok bool) {
	var cols string
	for k, v := range members(raw) {
		switch {
		case k == `"columns"` && v[0] == '[':
			cols = v
		case k == `"rows"` && v[0] == '[':
			rows = v
		}
	}
	if cols == "" || rows == "" {
		return nil, "", false
	}
	for c := range items(cols) {
		switch c[0] {
		case '"':
			columns = append(columns, decode(c))
			continue
		case '{':
			for _, key := range []string{"key", "name", "label"} {
				if v := member(c, key); v != "" && v[0] == '"' {
					columns = append(columns, decode(v))
					break
				}
			}
		}
	}
	return columns, rows, len(columns) > 0
}

func appendNames(out []byte, names []string) []byte {
	out = append(out, '[')
	for i, n := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendQuoted(out, n)
	}
	return append(out, ']')
}

// Len is how many there are.
func (p Parts) Len() int { return len(p.all) }

// Unit is what one is called: row, item, member or line.
func (p Parts) Unit() string { return p.unit }

// Head are the names of the columns, as a JSON array, or empty.
func (p Parts) Head() string { return p.head }

// Has reports whether part i, from 0, has a text in it, in capitals or not.
func (p Parts) Has(i int, text string) bool {
	s := p.all[i]
	if p.unit != "line" && strings.Contains(s, `\`) {
		s = p.Part(i, len(s)+floor)
	}
	return strings.Contains(strings.ToLower(s), strings.ToLower(clean(text)))
}

// Part returns part i, from 0, in at most about that many bytes: JSON of rows,
// items and members, what is cut marked in its place.
func (p Parts) Part(i, bytes int) string {
	if p.unit == "line" {
		if s := p.all[i]; len(s) > bytes {
			return s[:safe(s, boundary(s, bytes))] + mark("%d more characters", utf8.RuneCountInString(s)-utf8.RuneCountInString(s[:safe(s, boundary(s, bytes))]))
		}
		return p.all[i]
	}
	t := trim{cfg: Config{}.WithDefaults(), limit: max(bytes, floor), row: p.unit == "row"}
	if p.unit == "member" {
		return t.fit("{" + p.all[i] + "}")
	}
	return t.fit(p.all[i])
}

// pieceRunes is how long a line may be before it counts as several: a text without
// a line break can be read in parts as well.
const pieceRunes = 1000

// lines splits a text.
func lines(s string) []string {
	s = strings.TrimSuffix(s, "\n")
	if s == "" {
		return nil
	}
	out := make([]string, 0, strings.Count(s, "\n")+1)
	for line := range strings.SplitSeq(s, "\n") {
		for len(line) > pieceRunes {
			i := cutAt(line, pieceRunes)
			if i == len(line) {
				break
			}
			if i == 0 { // digits and nothing else
				i = runes(line, pieceRunes)
			}
			out = append(out, line[:i])
			line = line[i:]
		}
		out = append(out, line)
	}
	return out
}

// runes is where the first n characters end.
func runes(s string, n int) int {
	for i := range s {
		if n--; n < 0 {
			return i
		}
	}
	return len(s)
}

// cutAt is where a text of at most n characters may end.
func cutAt(s string, n int) int { return safe(s, runes(s, n)) }

// aNumber is how long one is at most: what is longer and has commas is a list.
const aNumber = 40

// safe is the last place at or before i where a text may end without saying
// something else: not within a number, before its unit, or before an accent.
func safe(s string, i int) int {
	comma := 0
	for from := i; i > 0 && i < len(s); {
		before, size := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i:])
		if !joined(before, after) {
			break
		}
		if before == ',' && comma == 0 {
			comma = i
		}
		if i -= size; from-i > aNumber && comma > 0 {
			return comma
		}
	}
	return i
}

// safeFrom is the first place at or after i where a text may begin.
func safeFrom(s string, i int) int {
	comma := 0
	for from := i; i > 0 && i < len(s); {
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, size := utf8.DecodeRuneInString(s[i:])
		if !joined(before, after) {
			break
		}
		if before == ',' && comma == 0 {
			comma = i
		}
		if i += size; i-from > aNumber && comma > 0 {
			return comma
		}
	}
	return i
}

// joined reports whether two characters belong to one number or one letter.
func joined(before, after rune) bool {
	digit := func(r rune) bool { return r >= '0' && r <= '9' || r > 0x7F && unicode.IsDigit(r) }
	switch {
	case unicode.In(after, unicode.Mn, unicode.Me) || after == 0x200D || before == 0x200D:
		return true
	case digit(before) && (digit(after) || strings.ContainsRune(".,%％‰万亿千百eEkKmMbB", after)):
		return true
	case digit(after) && strings.ContainsRune(".,+-−$€£¥￥eE", before):
		return true
	}
	return false
}
