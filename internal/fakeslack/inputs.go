package fakeslack

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// state is what stands in the inputs of a view or a message, by block_id and
// action_id, as Slack sends it.
type state map[string]map[string]map[string]any

// A control is an element that a person can use.
type control struct {
	block map[string]any
	e     map[string]any
	input bool // of an input block
}

func (c control) str(key string) string {
	v, _ := c.e[key].(string)
	return v
}

func (c control) blockID() string {
	v, _ := c.block["block_id"].(string)
	return v
}

// label is what a person reads on the control, or over it.
func (c control) label() string {
	if l := plain(c.e["text"]); l != "" {
		return l
	}
	if l := plain(c.block["label"]); l != "" {
		return l
	}
	return plain(c.e["placeholder"])
}

// is reports whether a person or a test that says name means this control.
func (c control) is(name string) bool {
	return name != "" && (c.str("action_id") == name || c.label() == name || c.blockID() == name)
}

func plain(v any) string {
	m, _ := v.(map[string]any)
	t, _ := m["text"].(string)
	return t
}

// controlsOf returns what can be used in blocks, in the order in which it is seen.
func controlsOf(raw json.RawMessage) []control {
	var blocks []map[string]any
	if json.Unmarshal(raw, &blocks) != nil {
		var v struct{ Blocks []map[string]any }
		if json.Unmarshal(raw, &v) != nil {
			return nil
		}
		blocks = v.Blocks
	}
	var out []control
	for _, b := range blocks {
		out = append(out, controlsIn(b)...)
	}
	return out
}

func controlsIn(b map[string]any) []control {
	var out []control
	add := func(v any, input bool) {
		if e, ok := v.(map[string]any); ok && e["action_id"] != nil {
			out = append(out, control{b, e, input})
		}
	}
	add(b["accessory"], false)
	add(b["element"], true)
	for _, key := range []string{"elements", "actions", "child_blocks"} {
		list, _ := b[key].([]any)
		for _, v := range list {
			add(v, false)
			if inner, ok := v.(map[string]any); ok && inner["action_id"] == nil {
				out = append(out, controlsIn(inner)...)
			}
		}
	}
	return out
}

// newState is what stands in inputs that nobody touched, or that was typed before
// into ones of the same ids.
func newState(blocks json.RawMessage, before state) state {
	out := state{}
	for _, c := range controlsOf(blocks) {
		entry := c.initial()
		if entry == nil {
			continue
		}
		if old := before[c.blockID()][c.str("action_id")]; old != nil && old["type"] == entry["type"] {
			entry = old
		}
		out.set(c, entry)
	}
	return out
}

func (st state) set(c control, entry map[string]any) {
	b := c.blockID()
	if st[b] == nil {
		st[b] = map[string]map[string]any{}
	}
	st[b][c.str("action_id")] = entry
}

// clone returns a copy that can be changed without the other.
func (st state) clone() state {
	out := state{}
	for b, actions := range st {
		out[b] = map[string]map[string]any{}
		for a, e := range actions {
			out[b][a] = e
		}
	}
	return out
}

// valueKeys names, for each kind of input, where its value stands and where it
// starts. What is in no row is no input.
var valueKeys = map[string]struct{ value, initial string }{
	"plain_text_input":           {"value", "initial_value"},
	"email_text_input":           {"value", "initial_value"},
	"url_text_input":             {"value", "initial_value"},
	"number_input":               {"value", "initial_value"},
	"rich_text_input":            {"rich_text_value", "initial_value"},
	"static_select":              {"selected_option", "initial_option"},
	"external_select":            {"selected_option", "initial_option"},
	"radio_buttons":              {"selected_option", "initial_option"},
	"checkboxes":                 {"selected_options", "initial_options"},
	"multi_static_select":        {"selected_options", "initial_options"},
	"multi_external_select":      {"selected_options", "initial_options"},
	"users_select":               {"selected_user", "initial_user"},
	"channels_select":            {"selected_channel", "initial_channel"},
	"conversations_select":       {"selected_conversation", "initial_conversation"},
	"multi_users_select":         {"selected_users", "initial_users"},
	"multi_channels_select":      {"selected_channels", "initial_channels"},
	"multi_conversations_select": {"selected_conversations", "initial_conversations"},
	"datepicker":                 {"selected_date", "initial_date"},
	"timepicker":                 {"selected_time", "initial_time"},
	"datetimepicker":             {"selected_date_time", "initial_date_time"},
}

func (c control) initial() map[string]any {
	keys, ok := valueKeys[c.str("type")]
	if !ok {
		return nil
	}
	v := c.e[keys.initial]
	if v == nil && strings.HasSuffix(keys.value, "s") {
		v = []any{}
	}
	return map[string]any{"type": c.str("type"), keys.value: v}
}

// entered is an input after a person entered or chose something. Several choices
// are separated by commas; an option is named by its value or by what stands on it.
func (c control) entered(text string) (map[string]any, error) {
	kind := c.str("type")
	keys, ok := valueKeys[kind]
	if !ok {
		return nil, fmt.Errorf("nothing can be entered into a %s", kind)
	}
	v, err := c.value(kind, text)
	if err != nil {
		return nil, err
	}
	return map[string]any{"type": kind, keys.value: v}, nil
}

func (c control) value(kind, text string) (any, error) {
	multi := strings.HasPrefix(kind, "multi_") || kind == "checkboxes"
	switch {
	case text == "" && multi:
		return []any{}, nil
	case text == "":
		return nil, nil
	case multi:
		all := []any{}
		for _, t := range strings.Split(text, ",") {
			one, err := c.value(map[bool]string{true: "static_select", false: strings.TrimPrefix(kind, "multi_")}[kind == "checkboxes"], strings.TrimSpace(t))
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	}
	switch kind {
	case "plain_text_input":
		n, least, most := utf8.RuneCountInString(text), c.number("min_length", 0), c.number("max_length", 3000)
		if n < least || n > most {
			return nil, fmt.Errorf("%s takes %d to %d characters, not %d", c.str("action_id"), least, most, n)
		}
	case "number_input":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || c.e["is_decimal_allowed"] != true && f != float64(int64(f)) {
			return nil, fmt.Errorf("%s takes no %q", c.str("action_id"), text)
		}
	case "static_select", "radio_buttons":
		return c.option(text)
	case "external_select":
		return map[string]any{"text": map[string]any{"type": "plain_text", "text": text, "emoji": true}, "value": text}, nil
	case "datetimepicker":
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("%s takes seconds, not %q", c.str("action_id"), text)
		}
		return n, nil
	case "rich_text_input":
		return map[string]any{"type": "rich_text", "elements": []any{map[string]any{
			"type": "rich_text_section", "elements": []any{map[string]any{"type": "text", "text": text}},
		}}}, nil
	}
	return text, nil
}

func (c control) number(key string, or int) int {
	if f, ok := c.e[key].(float64); ok {
		return int(f)
	}
	return or
}

// option finds one by its value or by what stands on it.
func (c control) option(name string) (any, error) {
	lists := []any{c.e["options"]}
	groups, _ := c.e["option_groups"].([]any)
	for _, g := range groups {
		group, _ := g.(map[string]any)
		lists = append(lists, group["options"])
	}
	var known []string
	for _, l := range lists {
		options, _ := l.([]any)
		for _, o := range options {
			m, _ := o.(map[string]any)
			v, _ := m["value"].(string)
			if v == name || plain(m["text"]) == name {
				return o, nil
			}
			known = append(known, v)
		}
	}
	slices.Sort(known)
	return nil, fmt.Errorf("%s has no option %q, it has %q", c.str("action_id"), name, known)
}

// empty reports whether a required input has nothing in it.
func (c control) empty(entry map[string]any) bool {
	switch v := entry[valueKeys[c.str("type")].value].(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	}
	return false
}
