package tool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Explain says a Fault of Check in the language of a person who has filled in the
// arguments; the Message is for models, and for who reads English.
func Explain(s Spec, args json.RawMessage, f Fault, lang string) string {
	if lang != "zh" {
		return f.Message
	}
	v, err := decode(orEmpty(args))
	if err != nil {
		return "内容读不出来：不是有效的 JSON"
	}
	n := schemaNode(s)
	given := true
	for _, step := range stepsOf(f.Path) {
		n, v, given = inside(n, v, step)
		if n == nil {
			return "没有这一项"
		}
	}
	for range maxDepth { // a schema may refer to itself
		if n.ref == nil || len(n.types) > 0 || n.enum != nil {
			break
		}
		n = n.ref
	}
	return cmp.Or(n.inChinese(v, given), "这样填不行")
}

// pathStep is one part of a Path: a name, or a place in a list.
var pathStep = regexp.MustCompile(`\[(\d+)\]|[^.\[\]]+`)

func stepsOf(path string) []string { return pathStep.FindAllString(path, -1) }

// inside goes one step into a value and its schema; nil where the schema knows no such
// name.
func inside(n *node, v any, step string) (*node, any, bool) {
	if at, ok := strings.CutPrefix(step, "["); ok {
		i, err := strconv.Atoi(strings.TrimSuffix(at, "]"))
		list, _ := v.([]any)
		if err != nil || i >= len(list) {
			return nil, nil, false
		}
		of := n.part(func(m *node) *node {
			if i < len(m.first) {
				return m.first[i]
			}
			return m.rest
		})
		if of == nil {
			of = &node{}
		}
		return of, list[i], true
	}
	m, _ := v.(map[string]any)
	got, given := m[step]
	return n.part(func(m *node) *node { return m.props[step] }), got, given
}

// inChinese is why a value does not fit a schema; empty if that is not one of the few
// reasons that people are told.
func (n *node) inChinese(v any, given bool) string {
	text, isText := v.(string)
	switch {
	case !given || v == nil, isText && strings.TrimSpace(text) == "" && !n.mayBeBlank(text):
		return "必须填写" + n.hintChinese()
	case n.never:
		return "不能填写"
	case n.enum != nil:
		var all []string
		for _, e := range n.enum {
			if e != nil {
				all = append(all, strings.Trim(string(encode(e)), `"`))
			}
		}
		return "只能是以下之一：" + strings.Join(all, "、")
	case len(n.types) > 0 && !n.takesAs(v):
		return "类型不对，应当是" + n.typesChinese()
	}
	switch v := v.(type) {
	case string:
		long := utf8.RuneCountInString(v)
		switch {
		case n.shortest != nil && long < *n.shortest:
			return fmt.Sprintf("太短：至少 %d 个字符，现在是 %d 个", *n.shortest, long)
		case n.longest != nil && long > *n.longest:
			return fmt.Sprintf("太长：最多 %d 个字符，现在是 %d 个", *n.longest, long)
		}
		if days := Days(v); n.format == "date" && len(days) > 1 {
			return "这个日期有两种读法（" + strings.Join(days, " 或 ") + "），请写成 2026-01-31 这样"
		}
		if form, known := formats[n.format]; known && !form(v) {
			return "格式不对，应当是" + formsChinese[n.format]
		}
		if n.match != nil && !n.match.MatchString(v) {
			return "格式不对，应当符合 " + n.match.String()
		}
	case json.Number:
		return n.numberChinese(v)
	case []any:
		switch {
		case n.least != nil && len(v) < *n.least:
			return fmt.Sprintf("太少：至少 %d 项，现在是 %d 项", *n.least, len(v))
		case n.most != nil && len(v) > *n.most:
			return fmt.Sprintf("太多：最多 %d 项，现在是 %d 项", *n.most, len(v))
		case n.unique:
			return "有重复的项，每一项都要不同"
		}
	}
	return ""
}

// takesAs reports whether a value is of one of the types, or can be read as one.
func (n *node) takesAs(v any) bool {
	got := kind(v)
	if slices.Contains(n.types, got) || got == "integer" && slices.Contains(n.types, "number") {
		return true
	}
	if num, ok := v.(json.Number); ok && slices.Contains(n.types, "integer") {
		r := rat(num)
		return r != nil && r.IsInt()
	}
	_, ok := readAs(n, v)
	return ok
}

func (n *node) numberChinese(num json.Number) string {
	r := rat(num)
	if r == nil {
		return "数字的位数太多"
	}
	bound := func(word string, b *big.Rat) string { return word + plainRat(b) }
	switch {
	case n.min != nil && r.Cmp(n.min) < 0:
		return bound("太小：不能小于 ", n.min)
	case n.above != nil && r.Cmp(n.above) <= 0:
		return bound("太小：要大于 ", n.above)
	case n.max != nil && r.Cmp(n.max) > 0:
		return bound("太大：不能大于 ", n.max)
	case n.below != nil && r.Cmp(n.below) >= 0:
		return bound("太大：要小于 ", n.below)
	case n.multiple != nil:
		return bound("必须是倍数：", n.multiple)
	}
	return ""
}

var typesInChinese = map[string]string{
	"string": "文字", "integer": "整数", "number": "数字", "boolean": "是或否", "array": "列表", "object": "一组名称和内容",
}

func (n *node) typesChinese() string {
	var all []string
	for _, t := range n.types {
		if said := typesInChinese[t]; said != "" && !slices.Contains(all, said) {
			all = append(all, said)
		}
	}
	return strings.Join(all, "或")
}

// hintChinese is what goes where nothing was filled in, if it is not just words.
func (n *node) hintChinese() string {
	if said, ok := formsChinese[n.format]; ok {
		return "，应当是" + said
	}
	if said := n.typesChinese(); said != "" && said != "文字" {
		return "，应当是" + said
	}
	return ""
}

// formsChinese are the words for the formats that are checked.
var formsChinese = map[string]string{
	"date":      "日期，如 2026-01-31",
	"date-time": "时间，如 2026-01-31T09:00:00+08:00",
	"time":      "时刻，如 09:00:00Z",
	"email":     "电子邮箱，如 name@example.com",
	"uri":       "网址，如 https://example.com/page",
	"uuid":      "UUID",
	"ipv4":      "IPv4 地址",
	"ipv6":      "IPv6 地址",
}
