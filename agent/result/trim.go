package result

import (
	"fmt"
	"strings"

	"hermes/agent/tool"
)

// trim writes JSON anew with what is too long cut, so that it is JSON again.
type trim struct {
	cfg    Config
	mode   tool.Truncate
	limit  int    // in bytes
	main   string // pointer of the array of which certain parts are wanted
	wanted []int
	words  []string // by which lines of a text are worth keeping
	total  int      // rows of the table at main, if it has more than are here
	row    bool     // the whole is a row: its cells are not to be thinned out
	web    bool     // what is written is a web page: its text counts by characters

	size size
	out  []byte
	full bool // limit is reached
	way  []string
	cuts []cut
	// What is long is gone through once, not for each try. The keys are pointers.
	memo    map[string][]string // arrays
	objects map[string]object
	said    map[string]saying // texts
	best    map[string][]int  // lines of texts that have the words
}

// fit writes as much as the limit allows.
func (t *trim) fit(raw string) string {
	if t.memo == nil {
		t.memo = map[string][]string{}
	}
	t.objects, t.said, t.best = map[string]object{}, map[string]saying{}, map[string][]int{}
	text, _, ok := first(len(sizes), func(i int) (string, bool) {
		t.size, t.out, t.full, t.way, t.cuts = sizes[i], t.out[:0], false, t.way[:0], nil
		t.size.runes = min(t.size.runes, t.cfg.WebChars)
		t.value(raw, t.row)
		return string(t.out), !t.full
	})
	if ok {
		return text
	}
	t.cuts = []cut{{shown: fmt.Sprintf("nothing of %d bytes", len(raw)), from: 1}}
	return quote(mark("%d bytes, too many to show", len(raw)))
}

func (t *trim) write(s string) {
	t.out = append(t.out, s...)
	t.full = t.full || len(t.out) > t.limit
}

func (t *trim) quote(s string) {
	t.out = appendQuoted(t.out, s)
	t.full = t.full || len(t.out) > t.limit
}

// cut notes what is left out at the place where the trim is.
func (t *trim) cut(from int, format string, args ...any) {
	at := pointer(t.way)
	shown := fmt.Sprintf(format, args...)
	if at != "" {
		shown += " at " + short(at, 80)
	}
	t.cuts = append(t.cuts, cut{at: at, shown: shown, from: from})
}

// deep is how many bytes an object or array has at least that is left out for
// standing too deep.
const deep = 80

// value writes one value; whole says that the items of an array all stay.
func (t *trim) value(raw string, whole bool) {
	switch {
	case t.full:
	case raw[0] == '"':
		t.text(raw)
	case (raw[0] == '{' || raw[0] == '[') && len(t.way) >= t.size.depth && len(raw) > deep:
		t.cut(1, "nothing of %d bytes", len(raw))
		t.quote(mark("%d bytes left out", len(raw)))
	case raw[0] == '{':
		t.object(raw)
	case raw[0] == '[':
		t.array(raw, whole)
	case len(raw) > 100:
		t.cut(1, "a number of %d characters left out", len(raw))
		t.quote(mark("a number of %d characters", len(raw)))
	default:
		t.write(raw)
	}
}

func (t *trim) step(key string, do func()) {
	t.way = append(t.way, key)
	do()
	t.way = t.way[:len(t.way)-1]
}

// An object is read once, if it is long.
type object struct {
	fields      []field
	table, page bool
}

type field struct{ key, value string }

func (t *trim) read(raw string) object {
	at := ""
	if len(raw) > aLong {
		at = pointer(t.way)
		if o, ok := t.objects[at]; ok {
			return o
		}
	}
	var o object
	for k, v := range members(raw) {
		o.fields = append(o.fields, field{k, v})
	}
	_, _, o.table = grid(raw)
	o.page = isPage(raw)
	if len(raw) > aLong {
		t.objects[at] = o
	}
	return o
}

func (t *trim) object(raw string) {
	o := t.read(raw)
	defer func(web bool) { t.web = web }(t.web)
	t.web = o.page
	t.write("{")
	for n, f := range o.fields[:min(len(o.fields), t.size.keys)] {
		if t.full {
			return
		}
		if n > 0 {
			t.write(",")
		}
		key := decode(f.key)
		t.quote(short(key, 100))
		t.write(":")
		t.step(key, func() {
			switch {
			case o.table && key == "rows" && f.value[0] == '[':
				t.rows(f.value)
			case o.table && key == "columns" && f.value[0] == '[':
				t.array(f.value, true)
			default:
				t.value(f.value, false)
			}
		})
	}
	if n := len(o.fields); n > t.size.keys {
		t.cut(t.size.keys+1, "members 1-%d of %d", t.size.keys, n)
		t.write(",")
		t.quote(mark("%d of %d members", t.size.keys, n))
		t.write(":null")
	}
	t.write("}")
}

// points are the lines of a text that have the words.
func (t *trim) points(s string) []int {
	if t.web || len(t.words) == 0 || strings.Count(s, "\n") < t.cfg.Lines {
		return nil
	}
	at := pointer(t.way)
	found, ok := t.best[at]
	if !ok {
		found = points(lines(s), t.words, 5)
		t.best[at] = found
	}
	return found
}

// aLong is how many bytes a text has at least that is not read again for each try.
const aLong = 4096

// A saying is what a string says: JSON, or words.
type saying struct {
	text string
	json bool
}

func sayingOf(raw string) saying {
	s := decode(raw)
	if in, ok := inner(s); ok {
		return saying{in, true}
	}
	if page, ok := pageOf(s); ok {
		s = page.text()
	}
	return saying{text: s}
}

// text writes a string: what it holds as JSON as such, a web page as its words.
func (t *trim) text(raw string) {
	var said saying
	if at := pointer(t.way); len(raw) <= aLong {
		said = sayingOf(raw)
	} else if kept, ok := t.said[at]; ok {
		said = kept
	} else {
		said = sayingOf(raw)
		t.said[at] = said
	}
	s := said.text
	if said.json && len(t.way) < t.size.depth {
		t.value(s, false)
		return
	}
	if len(s) <= t.size.runes && strings.Count(s, "\n") < t.cfg.Lines {
		t.quote(s)
		return
	}
	most := t.share(t.cfg.Lines)
	if t.web {
		most = len(s)
	}
	short, c := shorten(s, t.mode, most, t.size.runes, t.points(s))
	if c.shown != "" {
		t.cut(c.from, "%s", c.shown)
	}
	t.quote(short)
}
