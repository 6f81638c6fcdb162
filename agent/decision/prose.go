package decision

import (
	"encoding/json"
	"regexp"
	"strings"

	"hermes/agent/llm"
)

// Some models write their calls as a program has them, or say that they make one. Where
// such a call is all of a text, or its last line, it is made as one in JSON would be; where
// it cannot be read, whoever wrote it is asked.
var (
	// calleeName is the name of a tool with what a program or a person has before it.
	calleeName = regexp.MustCompile(`^[\s*>-]*(?:(?i:await|return|print\(|tool_code|python)\s*)*(?:[A-Za-z_]\w{0,63}\s*=\s*)?(` + saying + `)?[\x60"'“*]*((?:functions?|tools?|default_api|api|self)\.)?([A-Za-z_][\w-]{0,63})[\x60"'”*]*(?::\d{1,3}\b)?`)
	// keyword is the name of an argument before its value.
	keyword = regexp.MustCompile(`^\s*([A-Za-z_]\w{0,63})\s*[=:：]\s*`)
	// invoke are the tags of a call with its arguments in tags of their own, and around.
	invoke = regexp.MustCompile(`(?i)<invoke\s+name\s*=\s*["']?([\w.-]+)["']?\s*>`)
	given  = regexp.MustCompile(`(?is)<parameter\s+name\s*=\s*["']?([\w.-]+)["']?[^<>]*>(.*?)</parameter>`)
	around = regexp.MustCompile(`(?i)</?(?:[a-z]+:)?(?:function_?calls?|tool_?calls?)>`)
	fence  = regexp.MustCompile("(?s)^\\s*```[A-Za-z_]*[ \t]*\n(.*?)\\s*```\\s*$")
)

// saying is how a call is announced.
const saying = `(?i:(?:i\s+am|i['’]m|i\s+will|i['’]ll|let\s+me)?\s*(?:now\s+)?(?:calling|call|invoking|invoke|using|running|executing)\s+(?:the\s+)?(?:(?:tool|function)\s*:?\s+)?|(?:我)?(?:正在|现在|将|先|来)?(?:调用|使用)(?:工具)?\s*[:：]?\s*)`

// prosed reads a text that is nothing but calls of tools there are, and one that ends in
// such a call on a line of its own.
func (r *reader) prosed(text string) (Decision, bool, error) {
	if len(r.tools) == 0 {
		return Decision{}, false, nil
	}
	if m := fence.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	text = strings.Trim(strings.TrimSpace(text), "`")
	text = strings.TrimPrefix(text, "[TOOL_CALLS]")
	if d, ok, err := r.programmed(text); ok || err != nil {
		return d, ok, err
	}
	at := strings.LastIndexByte(text, '\n')
	if at < 0 || at > nearby {
		return Decision{}, false, nil
	}
	before := strings.TrimSpace(text[:at])
	if strings.HasSuffix(before, ":") || strings.HasSuffix(before, "：") || strings.Contains(before, "```") || example.MatchString(before) {
		return Decision{}, false, nil
	}
	d, ok, err := r.programmed(strings.TrimSpace(text[at:]))
	if ok && r.own {
		return d, false, errInText
	}
	d.Thought = before
	return d, ok, err
}

// programmed reads a text that is calls and nothing else.
func (r *reader) programmed(text string) (Decision, bool, error) {
	if m := invoke.FindStringSubmatchIndex(text); m != nil && strings.TrimSpace(around.ReplaceAllString(text[:m[0]], "")) == "" {
		return r.invoked(text)
	}
	d := Decision{Form: Call, Mended: true}
	for rest := text; ; {
		rest = strings.TrimLeft(rest, " \t\r\n;,`).…")
		if rest == "" {
			return d, len(d.Calls) > 0, nil
		}
		m := calleeName.FindStringSubmatchIndex(rest)
		if m == nil {
			return d, false, nil
		}
		name, ok := r.known(rest[m[6]:m[7]])
		if !ok {
			return d, false, nil
		}
		said := m[2] >= 0
		after := strings.TrimLeft(rest[m[1]:], " \t")
		bare := strings.Trim(after, " \t\r\n.…:：!。")
		switch {
		case said && (bare == "" || among(strings.ReplaceAll(bare, " ", ""), []string{"now", "tool", "function", "toolnow", "functionnow"})):
			return d, false, unreadable("it says that it calls %s, and makes no call", name)
		case strings.HasPrefix(after, "("):
			args, left, ok := parenthesized(after)
			if !ok {
				if trifle(left) {
					return d, false, unreadable("its call of %s cannot be read: give each argument by its name, and a value", name)
				}
				return d, false, nil
			}
			d.Calls, rest = append(d.Calls, llm.Call{Name: name, Args: args}), left
		case strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(after, "with"), " :\r\n"), "{"):
			l := look(after, nil)
			if len(l.finds) != 1 || !trifle(strings.TrimLeft(strings.TrimPrefix(after[:l.finds[0].start], "with"), " :")) || !trifle(after[l.finds[0].end:]) {
				return d, false, nil
			}
			raw, _, cut := arguments(l.finds[0].raw)
			d.Calls, d.Scraped = append(d.Calls, llm.Call{Name: name, Args: raw}), cut || l.finds[0].open > 0
			return d, true, nil
		default:
			return d, false, nil
		}
	}
}

// invoked reads calls in tags.
func (r *reader) invoked(text string) (Decision, bool, error) {
	d := Decision{Form: Call, Mended: true}
	for _, piece := range strings.SplitAfter(text, "</invoke>") {
		m := invoke.FindStringSubmatchIndex(piece)
		if m == nil {
			if strings.TrimSpace(around.ReplaceAllString(piece, "")) != "" {
				return d, false, nil // words behind it: it explains
			}
			continue
		}
		name, ok := r.known(piece[m[2]:m[3]])
		if !ok {
			return d, false, nil
		}
		inner, closed := strings.CutSuffix(piece[m[1]:], "</invoke>")
		args := map[string]json.RawMessage{}
		for _, p := range given.FindAllStringSubmatch(inner, -1) {
			v := strings.TrimSpace(p[2])
			if raw := json.RawMessage(v); v != "" && (v[0] == '{' || v[0] == '[') && json.Valid(raw) {
				args[p[1]] = raw
				continue
			}
			text, err := json.Marshal(v)
			if err != nil {
				return d, false, nil //nolint:nilerr // a string is always JSON
			}
			args[p[1]] = text
		}
		raw, err := json.Marshal(args)
		if rest := strings.TrimSpace(given.ReplaceAllString(inner, "")); err != nil || !closed || rest != "" {
			if l := look(rest, nil); err == nil && len(args) == 0 && l.whole && len(l.finds) == 1 && l.finds[0].raw[0] == '{' && l.finds[0].open == 0 {
				raw = l.finds[0].raw
			} else {
				return d, false, unreadable("its call of %s cannot be read", name)
			}
		}
		d.Calls = append(d.Calls, llm.Call{Name: name, Args: raw})
	}
	return d, len(d.Calls) > 0, nil
}

// parenthesized reads what is in the parentheses with which a text begins: nothing, an
// object, or arguments by name, and returns what stands behind.
func parenthesized(text string) (args json.RawMessage, rest string, ok bool) {
	pieces, rest, closed := listed(text)
	if !closed {
		return nil, "", false
	}
	if len(pieces) == 0 {
		return json.RawMessage(`{}`), rest, true
	}
	if one := strings.TrimSpace(pieces[0]); len(pieces) == 1 && strings.HasPrefix(one, "{") {
		l := look(one, nil)
		if !l.whole || len(l.finds) != 1 || l.finds[0].open > 0 || l.finds[0].raw[0] != '{' {
			return nil, rest, false
		}
		return l.finds[0].raw, rest, true
	}
	var b strings.Builder
	for i, p := range pieces {
		m := keyword.FindStringSubmatchIndex(p)
		if m == nil || !isLiteral(p[m[1]:]) {
			return nil, rest, false
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(`"` + p[m[2]:m[3]] + `": ` + p[m[1]:])
	}
	l := look("{"+b.String()+"}", nil)
	if !l.whole || len(l.finds) != 1 || l.finds[0].open > 0 || l.finds[0].raw[0] != '{' {
		return nil, rest, false
	}
	return l.finds[0].raw, rest, true
}

// isLiteral reports whether a text is a value by itself, and not a name of one.
func isLiteral(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	if c := text[0]; c == '"' || c == '\'' || c == '[' || c == '{' {
		return true
	}
	if _, ok := literal(text); ok {
		return true
	}
	_, ok := number(text)
	return ok
}

// listed splits what is in parentheses at its commas, once from left to right. It is not
// closed where the text ends first.
func listed(text string) (pieces []string, rest string, closed bool) {
	depth, from := 0, 1
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth > 0 {
				continue
			}
			if last := strings.TrimSpace(text[from:i]); last != "" {
				pieces = append(pieces, last)
			}
			return pieces, text[i+1:], true
		case c == ',' && depth == 1:
			pieces, from = append(pieces, text[from:i]), i+1
		}
	}
	return pieces, "", false
}
