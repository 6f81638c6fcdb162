package playbook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"hermes/scheduler"
	"hermes/scheduler/calendar"
)

// Read reads the YAML of a Playbook. Every fault is in the error, each with its line: a key
// that is not known with the nearest one, and what Validate finds.
func Read(text []byte) (Playbook, error) {
	if len(text) > mostText {
		return Playbook{}, fmt.Errorf("the text has %d bytes; at most %d", len(text), mostText)
	}
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&doc); err != nil {
		return Playbook{}, fmt.Errorf("no YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var more yaml.Node
	if dec.Decode(&more) == nil {
		return Playbook{}, fmt.Errorf("line %d: a second document begins; one file is one report", more.Line)
	}
	if len(doc.Content) == 0 {
		return Playbook{}, errors.New("the text is empty")
	}
	r := &reader{}
	var p Playbook
	r.object(doc.Content[0], "", fields{
		"name":  func(n *yaml.Node) { p.Name = r.text(n) },
		"title": func(n *yaml.Node) { p.Title = r.label(n) },
		"words": func(n *yaml.Node) { p.Words = r.texts(n) },
		"lang":  func(n *yaml.Node) { p.Lang = r.text(n) },
		"period": func(n *yaml.Node) {
			if p.Period = calendar.Unit(r.text(n)); p.Period == "none" {
				p.Period = ""
			}
		},
		"steps":      func(n *yaml.Node) { r.each(n, func(n *yaml.Node) { p.Steps = append(p.Steps, r.step(n)) }) },
		"commentary": func(n *yaml.Node) { p.Commentary = r.commentary(n) },
		"contract":   func(n *yaml.Node) { p.Contract = r.contract(n) },
		"formats": func(n *yaml.Node) {
			if n.Kind == yaml.ScalarNode {
				p.Formats = []string{r.text(n)}
				return
			}
			p.Formats = r.texts(n)
		},
		"policy": func(n *yaml.Node) { p.Policy = r.policy(n) },
		"post": func(n *yaml.Node) {
			r.object(n, "post", fields{"channel": func(n *yaml.Node) { p.Post = r.text(n) }})
		},
	})
	if len(r.faults) > 0 {
		return p, errors.Join(r.faults...)
	}
	return p, lined(doc.Content[0], p.Validate())
}

// lined puts before each fault of Validate the line of the part that it names.
func lined(root *yaml.Node, err error) error {
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var out []error
	for _, fault := range all.Unwrap() {
		if line := lineOf(root, fault.Error()); line > 0 {
			fault = fmt.Errorf("line %d: %w", line, fault)
		}
		out = append(out, fault)
	}
	return errors.Join(out...)
}

var (
	partForm = regexp.MustCompile(`^([a-z]+)(?:\.([a-z]+))?(?:\[(\d+)\])?`)
	stepForm = regexp.MustCompile(`^step ([a-z][a-z0-9_-]*)`)
)

// lineOf is where the part of a text stands that a fault names ("contract.rows[1]: …", "step
// sales: …"); 0 if it names none.
func lineOf(root *yaml.Node, fault string) int {
	if m := stepForm.FindStringSubmatch(fault); m != nil {
		for _, step := range under(root, "steps").Content {
			if id := under(step, "id"); id.Value == m[1] {
				return id.Line
			}
		}
		return 0
	}
	m := partForm.FindStringSubmatch(fault)
	if m == nil {
		return 0
	}
	n := under(root, m[1])
	if m[2] != "" && under(n, m[2]).Line > 0 {
		n = under(n, m[2])
	}
	if i, err := strconv.Atoi(m[3]); err == nil && i < len(n.Content) {
		n = n.Content[i]
	}
	return n.Line
}

// under is the value of a key; an empty node if there is none.
func under(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return &yaml.Node{}
}

type fields map[string]func(*yaml.Node)

// A reader reads nodes and keeps what is wrong with them.
type reader struct{ faults []error }

func (r *reader) bad(n *yaml.Node, format string, args ...any) {
	r.faults = append(r.faults, fmt.Errorf("line %d: "+format, append([]any{n.Line}, args...)...))
}

// object reads a mapping whose keys are known, each once.
func (r *reader) object(n *yaml.Node, at string, known fields) {
	if n.Kind == yaml.AliasNode || n.Kind == yaml.ScalarNode && n.Tag != "!!null" || n.Kind == yaml.SequenceNode {
		r.bad(n, "%s wants keys and values", or(at, "a report"))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		read, ok := known[key.Value]
		switch {
		case !ok:
			in := ""
			if at != "" {
				in = " in " + at
			}
			r.bad(key, "there is no key %q%s%s", key.Value, in, nearest(key.Value, slices.Sorted(maps.Keys(known))))
		case seen[key.Value]:
			r.bad(key, "the key %q stands there twice", key.Value)
		default:
			read(value)
		}
		seen[key.Value] = true
	}
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func (r *reader) each(n *yaml.Node, do func(*yaml.Node)) {
	switch {
	case n.Kind == yaml.SequenceNode:
		for _, x := range n.Content {
			do(x)
		}
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null":
	default:
		r.bad(n, "a list is wanted here")
	}
}

func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		r.bad(n, "a text is wanted here")
		return ""
	}
	if n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

func (r *reader) texts(n *yaml.Node) (all []string) {
	r.each(n, func(n *yaml.Node) { all = append(all, r.text(n)) })
	return all
}

func (r *reader) whole(n *yaml.Node) int {
	v, err := strconv.Atoi(r.text(n))
	if err != nil {
		r.bad(n, "%q is no whole number", n.Value)
	}
	return v
}

// label reads a title: one text, or one for each language.
func (r *reader) label(n *yaml.Node) (l Label) {
	if n.Kind == yaml.ScalarNode {
		if l.En = r.text(n); hasHan(l.En) {
			l.En, l.Zh = "", l.En
		}
		return l
	}
	r.object(n, "title", fields{"en": func(n *yaml.Node) { l.En = r.text(n) }, "zh": func(n *yaml.Node) { l.Zh = r.text(n) }})
	return l
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x4E00 && r <= 0x9FFF })
}

func (r *reader) step(n *yaml.Node) (s Step) {
	s.Args = map[string]any{}
	r.object(n, "a step", fields{
		"id": func(n *yaml.Node) { s.ID = r.text(n) }, "tool": func(n *yaml.Node) { s.Tool = r.text(n) },
		"args": func(n *yaml.Node) {
			switch v := r.value(n, 0).(type) {
			case map[string]any:
				s.Args = v
			case nil:
			default:
				r.bad(n, "args wants keys and values")
			}
		},
	})
	return s
}

// mostDeep is how deep arguments may be nested.
const mostDeep = 20

var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$`)

// value reads an argument as JSON has it.
func (r *reader) value(n *yaml.Node, depth int) any {
	if depth > mostDeep {
		r.bad(n, "nested deeper than %d", mostDeep)
		return nil
	}
	switch n.Kind {
	case yaml.SequenceNode:
		out := []any{}
		for _, x := range n.Content {
			out = append(out, r.value(x, depth+1))
		}
		return out
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if _, twice := out[key.Value]; twice || key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
				r.bad(key, "the key %q stands there twice, or is none", key.Value)
				continue
			}
			out[key.Value] = r.value(n.Content[i+1], depth+1)
		}
		return out
	case yaml.ScalarNode:
	default:
		r.bad(n, "anchors are not read; write the value out")
		return nil
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		if jsonNumber.MatchString(n.Value) {
			return json.Number(n.Value)
		}
		r.bad(n, "%s is a number that is not read; write it plainly, or in quotes for a text", n.Value)
		return nil
	case "!!str", "!!timestamp":
		return n.Value
	}
	r.bad(n, "%s is of a kind that is not read", n.Value)
	return nil
}

// commentary reads on, off, or what is to be written.
func (r *reader) commentary(n *yaml.Node) *Commentary {
	if n.Kind == yaml.ScalarNode {
		switch strings.ToLower(r.text(n)) {
		case "off", "false", "no", "":
			return nil
		case "on", "true", "yes":
			return &Commentary{}
		}
		return &Commentary{About: r.text(n)}
	}
	c := &Commentary{}
	r.object(n, "commentary", fields{"write": func(n *yaml.Node) { c.About = r.text(n) }})
	return c
}

// policy reads what becomes of times that are no good ones; a part that says nothing known is
// told of with its line.
func (r *reader) policy(n *yaml.Node) (w scheduler.Wishes) {
	part := func(put func(*scheduler.Wishes, string)) func(*yaml.Node) {
		return func(n *yaml.Node) {
			var one scheduler.Wishes
			put(&one, r.text(n))
			if _, err := one.On(scheduler.Policy{}); err != nil {
				r.bad(n, "policy: %w", err)
			}
			put(&w, r.text(n))
		}
	}
	r.object(n, "policy", fields{
		"catch_up": part(func(w *scheduler.Wishes, s string) { w.CatchUp = s }),
		"overlap":  part(func(w *scheduler.Wishes, s string) { w.Overlap = s }),
		"stagger":  part(func(w *scheduler.Wishes, s string) { w.Stagger = s }),
		"quiet":    part(func(w *scheduler.Wishes, s string) { w.Quiet = s }),
		"retries":  part(func(w *scheduler.Wishes, s string) { w.Retries = s }),
	})
	return w
}

func (r *reader) contract(n *yaml.Node) (c Contract) {
	count := func(n *yaml.Node) *int { v := r.whole(n); return &v }
	number := func(n *yaml.Node) Number { return Number(strings.ReplaceAll(r.text(n), " ", "")) }
	r.object(n, "contract", fields{
		"sections": func(n *yaml.Node) { c.Sections = r.texts(n) },
		"rows": func(n *yaml.Node) {
			c.Rows = listOf(r, n, "rows", func(x *Rows) fields {
				return fields{
					"step": func(n *yaml.Node) { x.Step = r.text(n) },
					"min":  func(n *yaml.Node) { x.Min = count(n) }, "max": func(n *yaml.Node) { x.Max = count(n) },
				}
			})
		},
		"fresh": func(n *yaml.Node) {
			c.Fresh = listOf(r, n, "fresh", func(x *Fresh) fields {
				return fields{
					"step": func(n *yaml.Node) { x.Step = r.text(n) }, "column": func(n *yaml.Node) { x.Column = r.text(n) },
					"within_days": func(n *yaml.Node) { x.Within = r.whole(n) },
				}
			})
		},
		"equal": func(n *yaml.Node) {
			c.Equal = listOf(r, n, "equal", func(x *Equal) fields {
				return fields{
					"name": func(n *yaml.Node) { x.Name = r.text(n) },
					"left": func(n *yaml.Node) { x.Left = r.text(n) }, "right": func(n *yaml.Node) { x.Right = r.text(n) },
					"tolerance": func(n *yaml.Node) { x.Tolerance = number(n) },
				}
			})
		},
		"limits": func(n *yaml.Node) {
			c.Limits = listOf(r, n, "limits", func(x *Limit) fields {
				return fields{
					"figure": func(n *yaml.Node) { x.Figure = r.text(n) },
					"min":    func(n *yaml.Node) { x.Min = number(n) }, "max": func(n *yaml.Node) { x.Max = number(n) },
				}
			})
		},
	})
	return c
}

// listOf reads a list of objects with the same keys; what says which list it is.
func listOf[T any](r *reader, n *yaml.Node, what string, keys func(*T) fields) (all []T) {
	r.each(n, func(n *yaml.Node) {
		var x T
		r.object(n, what, keys(&x))
		all = append(all, x)
	})
	return all
}

// Write is the YAML of a Playbook, as Read reads it back.
func Write(p Playbook) ([]byte, error) {
	w := writer{}
	root := w.object()
	root.put("name", w.text(p.Name))
	if p.Title != (Label{}) {
		title := w.object()
		title.some("en", p.Title.En)
		title.some("zh", p.Title.Zh)
		root.put("title", title.Node)
	}
	if len(p.Words) > 0 {
		root.put("words", w.texts(p.Words))
	}
	root.some("lang", p.Lang)
	root.some("period", string(p.Period))
	steps := w.list(false)
	for _, s := range p.Steps {
		step := w.object()
		step.put("id", w.text(s.ID))
		step.put("tool", w.text(s.Tool))
		if len(s.Args) > 0 {
			step.put("args", w.value(s.Args))
		}
		steps.Content = append(steps.Content, step.Node)
	}
	root.put("steps", steps)
	if p.Commentary != nil {
		c := w.object()
		c.put("write", w.text(p.Commentary.About))
		root.put("commentary", c.Node)
	}
	if !p.Contract.Empty() {
		root.put("contract", w.contract(p.Contract))
	}
	if len(p.Formats) > 0 {
		root.put("formats", w.texts(p.Formats))
	}
	if p.Policy != (scheduler.Wishes{}) {
		policy := w.object()
		policy.some("catch_up", p.Policy.CatchUp)
		policy.some("overlap", p.Policy.Overlap)
		policy.some("stagger", p.Policy.Stagger)
		policy.some("quiet", p.Policy.Quiet)
		policy.some("retries", p.Policy.Retries)
		root.put("policy", policy.Node)
	}
	if p.Post != "" {
		post := w.object()
		post.put("channel", w.text(p.Post))
		root.put("post", post.Node)
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(root.Node); err != nil {
		return nil, fmt.Errorf("write report %s: %w", p.Name, err)
	}
	return b.Bytes(), nil
}

type writer struct{}

// An object is a mapping in the order in which it is put.
type object struct{ *yaml.Node }

func (writer) object() object { return object{&yaml.Node{Kind: yaml.MappingNode}} }

func (o object) put(key string, value *yaml.Node) {
	o.Content = append(o.Content, writer{}.text(key), value)
}

func (o object) some(key, text string) {
	if text != "" {
		o.put(key, writer{}.text(text))
	}
}

// text is a scalar that is read back as a text, whatever it looks like.
func (writer) text(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	if isBlock(s) {
		n.Style = yaml.LiteralStyle
		return n
	}
	if strings.Contains(s, "{{") || strings.ContainsAny(s, "\r\u0085\u2028\u2029") || strings.TrimSpace(s) != s {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// isBlock reports whether a text of several lines, as SQL is, reads best as it stands.
func isBlock(s string) bool {
	if !strings.Contains(s, "\n") || s[0] == ' ' || s[0] == '\n' || strings.ContainsAny(s, "\r\t\u0085\u2028\u2029\ufeff") {
		return false
	}
	for _, line := range strings.Split(s, "\n") {
		if strings.TrimSpace(line) == "" || strings.TrimRight(line, " ") != line || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return false
		}
	}
	return true
}

func (writer) plain(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }

func (writer) list(short bool) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	if short {
		n.Style = yaml.FlowStyle
	}
	return n
}

func (w writer) texts(all []string) *yaml.Node {
	n := w.list(true)
	for _, s := range all {
		n.Content = append(n.Content, w.text(s))
	}
	return n
}

func (w writer) value(v any) *yaml.Node {
	switch v := v.(type) {
	case string:
		return w.text(v)
	case bool:
		return w.plain(strconv.FormatBool(v))
	case json.Number:
		return w.plain(v.String())
	case []any:
		n := w.list(flat(v))
		for _, x := range v {
			n.Content = append(n.Content, w.value(x))
		}
		return n
	case map[string]any:
		o := w.object()
		for _, k := range slices.Sorted(maps.Keys(v)) {
			o.put(k, w.value(v[k]))
		}
		return o.Node
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
}

// flat reports whether a list is best read in one line.
func flat(v []any) bool {
	size := 0
	for _, x := range v {
		switch x := x.(type) {
		case map[string]any, []any:
			return false
		case string:
			size += len(x)
		}
	}
	return size < 100
}

func (w writer) contract(c Contract) *yaml.Node {
	root := w.object()
	row := func() object {
		o := w.object()
		o.Style = yaml.FlowStyle
		return o
	}
	put := func(key string, rows []*yaml.Node) {
		if len(rows) > 0 {
			n := w.list(false)
			n.Content = rows
			root.put(key, n)
		}
	}
	if len(c.Sections) > 0 {
		root.put("sections", w.texts(c.Sections))
	}
	var rows, fresh, equal, limits []*yaml.Node
	for _, x := range c.Rows {
		o := row()
		o.put("step", w.text(x.Step))
		if x.Min != nil {
			o.put("min", w.plain(strconv.Itoa(*x.Min)))
		}
		if x.Max != nil {
			o.put("max", w.plain(strconv.Itoa(*x.Max)))
		}
		rows = append(rows, o.Node)
	}
	for _, x := range c.Fresh {
		o := row()
		o.put("step", w.text(x.Step))
		o.some("column", x.Column)
		o.put("within_days", w.plain(strconv.Itoa(x.Within)))
		fresh = append(fresh, o.Node)
	}
	for _, x := range c.Equal {
		o := row()
		o.some("name", x.Name)
		o.put("left", w.text(x.Left))
		o.put("right", w.text(x.Right))
		if x.Tolerance != "" {
			o.put("tolerance", w.plain(string(x.Tolerance)))
		}
		equal = append(equal, o.Node)
	}
	for _, x := range c.Limits {
		o := row()
		o.put("figure", w.text(x.Figure))
		if x.Min != "" {
			o.put("min", w.plain(string(x.Min)))
		}
		if x.Max != "" {
			o.put("max", w.plain(string(x.Max)))
		}
		limits = append(limits, o.Node)
	}
	put("rows", rows)
	put("fresh", fresh)
	put("equal", equal)
	put("limits", limits)
	return root.Node
}
