package fakeslack

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// Slack's limits of blocks: in a message, in a view, characters of all Markdown in
// one message.
const (
	messageBlocks = 50
	viewBlocks    = 100
	markdownLimit = 12_000
)

// A check looks at a value and notes what is wrong with it.
type check func(c *checker, v any)

// A shape says what an object may hold. Anything else in it is wrong.
type shape struct {
	need  map[string]check
	may   map[string]check
	extra check // of the whole object
}

// A checker collects what is wrong with blocks.
type checker struct {
	at              string
	faults          []string
	blocks, actions map[string]bool
	markdown        int
	view            string // modal or home; empty in a message
	focus           int    // elements that want the focus
}

func newChecker(at, view string) *checker {
	return &checker{at: at, view: view, blocks: map[string]bool{}, actions: map[string]bool{}}
}

func (c *checker) fault(format string, v ...any) {
	c.faults = append(c.faults, fmt.Sprintf("[ERROR] "+format, v...)+" [json-pointer:"+c.at+"]")
}

// in looks at a part with a check.
func (c *checker) in(key any, v any, f check) {
	at := c.at
	c.at += fmt.Sprintf("/%v", key)
	f(c, v)
	c.at = at
}

func (c *checker) object(v any, s shape) {
	m, ok := v.(map[string]any)
	if !ok {
		c.fault("must be an object")
		return
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		f := s.need[key]
		if f == nil {
			f = s.may[key]
		}
		switch {
		case f == nil:
			c.fault("invalid additional property: %s", key)
		case m[key] == nil && s.may[key] != nil:
		default:
			c.in(key, m[key], f)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.need)) {
		if _, ok := m[key]; !ok {
			c.fault("missing required field: %s", key)
		}
	}
	if s.extra != nil {
		s.extra(c, m)
	}
}

// is checks against a shape.
func is(s shape) check { return func(c *checker, v any) { c.object(v, s) } }

// str is text of a length in characters.
func str(least, most int) check {
	return func(c *checker, v any) {
		t, ok := v.(string)
		if !ok {
			c.fault("must be a string")
			return
		}
		switch n := utf8.RuneCountInString(t); {
		case n > most:
			c.fault("must be less than %d characters", most+1)
		case n < least:
			c.fault("must be more than %d characters", least-1)
		}
	}
}

func oneOf(words ...string) check {
	return func(c *checker, v any) {
		if t, ok := v.(string); !ok || !slices.Contains(words, t) {
			c.fault("must be one of %q", words)
		}
	}
}

func boolean(c *checker, v any) {
	if _, ok := v.(bool); !ok {
		c.fault("must be a boolean")
	}
}

func number(least, most float64) check {
	return func(c *checker, v any) {
		if f, ok := v.(float64); !ok || f < least || f > most || f != float64(int64(f)) {
			c.fault("must be a whole number from %v to %v", least, most)
		}
	}
}

// list is a list of a length, all of one kind.
func list(least, most int, f check) check {
	return func(c *checker, v any) {
		l, ok := v.([]any)
		if !ok {
			c.fault("must be an array")
			return
		}
		switch {
		case len(l) > most:
			c.fault("no more than %d items allowed", most)
		case len(l) < least:
			c.fault("no fewer than %d items allowed", least)
		}
		for i, e := range l {
			c.in(i, e, f)
		}
	}
}

func anything(*checker, any) {}

// textOf is a text object of one of some kinds.
func textOf(most int, kinds ...string) check {
	return is(shape{
		need: map[string]check{"type": oneOf(kinds...), "text": str(1, most)},
		may:  map[string]check{"emoji": boolean, "verbatim": boolean},
		extra: func(c *checker, v any) {
			m := v.(map[string]any)
			if m["type"] == "plain_text" && m["verbatim"] != nil {
				c.fault("invalid additional property: verbatim")
			}
			if m["type"] == "mrkdwn" && m["emoji"] != nil {
				c.fault("invalid additional property: emoji")
			}
		},
	})
}

func plainText(most int) check { return textOf(most, "plain_text") }
func mrkdwn(most int) check    { return textOf(most, "mrkdwn") }
func anyText(most int) check   { return textOf(most, "plain_text", "mrkdwn") }

// byType checks an object by what its type says.
func byType(what string, shapes map[string]shape, kinds ...string) check {
	return func(c *checker, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			c.fault("must be an object")
			return
		}
		kind, _ := m["type"].(string)
		s, known := shapes[kind]
		if !known || len(kinds) > 0 && !slices.Contains(kinds, kind) {
			c.fault("unsupported type: %s", kind)
			return
		}
		c.named(what, m, s)
	}
}

// named checks a block or an element: its shape, and that its id is its own.
func (c *checker) named(what string, m map[string]any, s shape) {
	may := maps.Clone(s.may)
	if may == nil {
		may = map[string]check{}
	}
	may["type"] = anything
	key, ids := "block_id", c.blocks
	if what == "element" {
		key, ids = "action_id", c.actions
	}
	if s.need[key] == nil {
		may[key] = str(0, 255)
	}
	if id, _ := m[key].(string); id != "" {
		if ids[id] {
			c.fault("`%s` already in use: %s", key, id)
		}
		ids[id] = true
	}
	c.object(m, shape{s.need, may, s.extra})
}

// checkBlocks returns blocks as Slack keeps them, each with an id.
func checkBlocks(raw string, most int) (json.RawMessage, *refusal) {
	var blocks []any
	if err := json.Unmarshal([]byte(raw), &blocks); err != nil {
		return nil, no("invalid_blocks_format")
	}
	c := newChecker("/blocks", "")
	list(0, most, anyBlock)(c, blocks)
	if len(c.faults) > 0 {
		return nil, no("invalid_blocks", c.faults...)
	}
	if c.markdown > markdownLimit {
		return nil, no("msg_blocks_too_long")
	}
	return withIDs(blocks), nil
}

// withIDs gives a block_id to each block and an action_id to each element that has
// none, as Slack does.
func withIDs(blocks []any) json.RawMessage {
	for i, v := range blocks {
		b := v.(map[string]any)
		if b["block_id"] == nil || b["block_id"] == "" {
			b["block_id"] = fmt.Sprintf("b%d", i)
		}
		name := func(v any, n int) {
			if e, ok := v.(map[string]any); ok && usable(e) && (e["action_id"] == nil || e["action_id"] == "") {
				e["action_id"] = fmt.Sprintf("a%d-%d", i, n)
			}
		}
		name(b["accessory"], 0)
		name(b["element"], 0)
		for _, key := range []string{"elements", "actions"} {
			l, _ := b[key].([]any)
			for n, e := range l {
				name(e, n)
			}
		}
	}
	out, _ := json.Marshal(blocks)
	return out
}

// usable reports whether a person can use an element, so that it has an action_id.
func usable(e map[string]any) bool {
	kind, _ := e["type"].(string)
	_, known := elementShapes()[kind]
	return known && kind != "image"
}

// checkSuggestion checks the options that an app gives for what was typed.
func checkSuggestion(raw json.RawMessage) string {
	var v map[string]any
	if json.Unmarshal(raw, &v) != nil || (v["options"] == nil) == (v["option_groups"] == nil) {
		return "it needs options or option_groups"
	}
	c := newChecker("", "")
	c.object(v, shape{may: map[string]check{
		"options": list(0, 100, option(75)), "option_groups": list(0, 100, optionGroup),
	}})
	if len(c.faults) > 0 {
		return c.faults[0]
	}
	return ""
}

// checkViewJSON returns a view as Slack keeps it.
func checkViewJSON(raw, kind string) (json.RawMessage, *refusal) {
	var v map[string]any
	if json.Unmarshal([]byte(raw), &v) != nil {
		return nil, no("invalid_arguments", "[ERROR] view is no object [json-pointer:/view]")
	}
	c := newChecker("/view", kind)
	if v["type"] != kind {
		c.fault("type must be %s", kind)
	}
	c.object(v, viewShapes[kind])
	if blocks, ok := v["blocks"].([]any); ok && kind == "modal" && v["submit"] == nil {
		for _, b := range blocks {
			if m, ok := b.(map[string]any); ok && m["type"] == "input" {
				c.fault("missing required field: submit")
				break
			}
		}
	}
	if c.focus > 1 {
		c.fault("only one element may have focus_on_load")
	}
	if len(c.faults) > 0 {
		return nil, no("invalid_arguments", c.faults...)
	}
	v["blocks"] = withIDs(v["blocks"].([]any))
	out, _ := json.Marshal(v)
	return out, nil
}

// viewBlock is a block in a view, which takes fewer kinds than a message.
func viewBlock(c *checker, v any) {
	m, _ := v.(map[string]any)
	switch kind, _ := m["type"].(string); kind {
	case "table", "data_table", "markdown", "task_card", "plan", "context_actions", "card", "carousel", "alert", "container":
		c.fault("unsupported type: %s", kind)
	default:
		anyBlock(c, v)
	}
}

var viewShapes = map[string]shape{
	"modal": {
		need: map[string]check{"type": anything, "title": plainText(24), "blocks": list(0, viewBlocks, viewBlock)},
		may: map[string]check{
			"submit": plainText(24), "close": plainText(24), "private_metadata": str(0, 3000), "callback_id": str(0, 255),
			"external_id": str(0, 255), "clear_on_close": boolean, "notify_on_close": boolean, "submit_disabled": boolean,
		},
	},
	"home": {
		need: map[string]check{"type": anything, "blocks": list(0, viewBlocks, viewBlock)},
		may:  map[string]check{"private_metadata": str(0, 3000), "callback_id": str(0, 255), "external_id": str(0, 255)},
	},
}
