package tabular

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Objects reads rows of JSON, decoded with numbers as json.Number. What is in an object
// within is a column by both names; what is deeper, or a list, is its JSON as text. What
// is written as text is read as that of a file is, with a point before the decimals.
func Objects(file string, rows []any, o Options) (Table, error) {
	if o.Comma == "" {
		o.Comma = PointSign
	}
	if len(rows) > o.most() {
		return Table{}, tooLarge(file, o)
	}
	r := raw{file: file, headerRow: 0}
	place := map[string]int{}
	var flat []map[string]string
	for i, v := range rows {
		object, ok := v.(map[string]any)
		if !ok {
			return Table{}, r.fault(i+1, "", fmt.Sprintf("it is %s, not an object", kindOf(v)), "rows must name a list of objects")
		}
		cells := map[string]string{}
		if err := flatten(cells, "", object, 0); err != nil {
			return Table{}, r.fault(i+1, "", err.Error(), "")
		}
		for _, name := range keys(cells) {
			if _, ok := place[name]; !ok {
				if len(r.header) == mostColumns {
					return Table{}, r.fault(i+1, name, fmt.Sprintf("it is more than the %dth column", mostColumns), "")
				}
				place[name] = len(r.header)
				r.header = append(r.header, name)
			}
		}
		flat = append(flat, cells)
	}
	if len(r.header)*len(flat) > mostCells {
		return Table{}, tooLarge(file, o)
	}
	for i, cells := range flat {
		row := make([]string, len(r.header))
		for name, s := range cells {
			row[place[name]] = s
		}
		r.rows, r.at = append(r.rows, row), append(r.at, i+1)
	}
	return r.typed(o)
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case []any:
		return "a list"
	case string:
		return "a text"
	case bool:
		return "true or false"
	}
	return "a number"
}

func keys(m map[string]string) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// deepest is how many objects within objects have columns of their own.
const deepest = 3

func flatten(into map[string]string, before string, object map[string]any, depth int) error {
	for k, v := range object {
		name := strings.TrimSpace(before + k)
		if name == "" {
			continue
		}
		if _, twice := into[name]; twice {
			return fmt.Errorf("%s is there twice: as one name, and as a name within another", name)
		}
		switch v := v.(type) {
		case nil:
			into[name] = ""
		case string:
			if len(v) > longestCell {
				return fmt.Errorf("%s is longer than 32 KB", name)
			}
			into[name] = strings.TrimSpace(v)
		case bool:
			into[name] = fmt.Sprint(v)
		case json.Number:
			into[name] = v.String()
		case map[string]any:
			if depth < deepest {
				if err := flatten(into, name+".", v, depth+1); err != nil {
					return err
				}
				continue
			}
			if err := put(into, name, v); err != nil {
				return err
			}
		default:
			if err := put(into, name, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func put(into map[string]string, name string, v any) error {
	b, err := json.Marshal(v)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case len(b) > longestCell:
		return fmt.Errorf("%s is longer than 32 KB", name)
	}
	into[name] = string(b)
	return nil
}

// At finds what a path names in decoded JSON: data.items, or data.pages[0].items. Empty
// is the whole.
func At(v any, path string) (any, error) {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "$"), ".")
	for path != "" {
		step, rest := path, ""
		if i := strings.IndexAny(path[1:], ".["); i >= 0 {
			step, rest = path[:i+1], strings.TrimPrefix(path[i+1:], ".")
		}
		if inner, ok := strings.CutPrefix(step, "["); ok {
			list, isList := v.([]any)
			var n int
			if _, err := fmt.Sscanf(inner, "%d]", &n); err != nil || !isList || n < 0 || n >= len(list) {
				return nil, fmt.Errorf("there is nothing at %s", step)
			}
			v = list[n]
		} else {
			object, ok := v.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("there is nothing at %s: what it is sought in is %s", step, kindOf(v))
			}
			if v, ok = object[step]; !ok {
				var have []string
				for k := range object {
					have = append(have, k)
				}
				slices.Sort(have)
				return nil, fmt.Errorf("there is nothing at %s; there is: %s", step, strings.Join(have[:min(len(have), 20)], ", "))
			}
		}
		path = rest
	}
	return v, nil
}

// Join puts the tables of several files of one kind into one. Their columns must be the
// same, in any order.
func Join(name string, all []Table) (Table, error) {
	out := Table{Name: name, Columns: slices.Clone(all[0].Columns), Rows: slices.Clip(all[0].Rows), Files: all[0].Files, Notes: all[0].Notes}
	for _, t := range all[1:] {
		place := make([]int, len(t.Columns))
		for i, c := range t.Columns {
			at := slices.IndexFunc(out.Columns, func(have Column) bool { return have.Name == c.Name })
			if at < 0 {
				return Table{}, Fault{File: t.Files[0], Column: c.Header, Why: "there is no such column in " + all[0].Files[0] + ", which is of the same table by its name", Hint: "give the column the same name in all of them, or the file another one"}
			}
			place[i] = at
			have := &out.Columns[at]
			have.Scale = max(have.Scale, c.Scale)
			if have.Type == c.Type || empty(t, i) {
				continue
			}
			if !joins(have, c, empty(out, at)) {
				return Table{}, Fault{File: t.Files[0], Column: c.Header, Why: fmt.Sprintf("it holds %ss here, and %ss in %s", c.Type, have.Type, all[0].Files[0]), Hint: fmt.Sprintf("mend one of them, or write columns: [{name: %s, type: text}]", c.Name)}
			}
		}
		if len(t.Columns) < len(out.Columns) {
			for _, c := range out.Columns {
				if !slices.ContainsFunc(t.Columns, func(have Column) bool { return have.Name == c.Name }) {
					return Table{}, Fault{File: t.Files[0], Column: c.Header, Why: "it lacks this column, which " + all[0].Files[0] + " has; both are of the same table by their names", Hint: "add the column, or give the file another name"}
				}
			}
		}
		for _, row := range t.Rows {
			next := make([]any, len(out.Columns))
			for i, v := range row {
				next[place[i]] = v
			}
			out.Rows = append(out.Rows, next)
		}
		out.Files, out.Notes = append(out.Files, t.Files...), append(out.Notes, t.Notes...)
	}
	for c, col := range out.Columns { // a whole number is a number among others
		for _, row := range out.Rows {
			if n, ok := row[c].(int64); ok && col.Type == Decimal {
				row[c] = float64(n)
			}
		}
	}
	return out, nil
}

// joins makes the type of a column wide enough for that of another file.
func joins(have *Column, other Column, bare bool) bool {
	switch {
	case bare:
		have.Type = other.Type
	case have.Type == Integer && other.Type == Decimal:
		have.Type = Decimal
	case have.Type == Decimal && other.Type == Integer:
	case have.Type == Day && other.Type == Time:
		have.Type = Time
	case have.Type == Time && other.Type == Day:
	default:
		return false
	}
	return true
}

func empty(t Table, c int) bool {
	return !slices.ContainsFunc(t.Rows, func(row []any) bool { return row[c] != nil })
}
