package decision

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// An object is a JSON object whose members are found by what their keys mean: case,
// underscores, hyphens and spaces do not count. The zero object has none.
type object struct {
	members map[string]json.RawMessage
	written map[string]string // by what a key means: how it is written
	twice   string            // a key that has two values, and nobody knows which was meant
	all     []member          // as they are written
}

// A member is one of an object as it is written.
type member struct{ key, value string }

// fields reads an object. Of two members with one key the last counts, and it is twice.
func fields(raw json.RawMessage) (object, bool) {
	var o object
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &o.members) != nil {
		return object{}, false
	}
	o.all = members(string(raw))
	if len(o.all) > len(o.members) {
		seen := map[string]string{}
		for _, m := range o.all {
			if was, ok := seen[m.key]; ok && was != m.value && o.twice == "" {
				o.twice = m.key
			}
			seen[m.key] = m.value
		}
	}
	o.written = make(map[string]string, len(o.members))
	for k := range o.members {
		if was, ok := o.written[key(k)]; !ok || k == key(k) || k < was && was != key(k) {
			o.written[key(k)] = k
		}
	}
	return o, true
}

var alike = strings.NewReplacer("_", "", "-", "", " ", "")

func key(s string) string { return alike.Replace(strings.ToLower(s)) }

// get returns the member of the first of the keys that is there.
func (o object) get(keys ...string) (json.RawMessage, bool) {
	for _, k := range keys {
		if k, ok := o.written[key(k)]; ok {
			return o.members[k], true
		}
	}
	return nil, false
}

// members are those of an object in valid JSON, in their order.
func members(s string) []member {
	var all []member
	for i := blank(s, 1); i < len(s) && s[i] == '"'; {
		end, ok := strictString(s, i)
		var name string
		if !ok || json.Unmarshal([]byte(s[i:end]), &name) != nil {
			break
		}
		i = blank(s, blank(s, end)+1)
		if end, ok = strictValue(s, i, maxDepth); !ok {
			break
		}
		all = append(all, member{name, s[i:end]})
		i = blank(s, blank(s, end)+1)
	}
	return all
}

// rest returns the members that have none of the keys, as an object. What stands twice
// does so in it too: whoever checks arguments has to see it.
func (o object) rest(keys ...string) json.RawMessage {
	var b []byte
	for _, m := range o.all {
		if among(m.key, keys) {
			continue
		}
		name, err := json.Marshal(m.key)
		if err != nil {
			return nil
		}
		b = append(append(append(append(b, ','), name...), ':'), m.value...)
	}
	if b == nil {
		return nil
	}
	b[0] = '{'
	return append(b, '}')
}

func (o object) has(keys ...string) bool {
	_, ok := o.get(keys...)
	return ok
}

// text returns the first of the members that is there as words.
func (o object) text(keys ...string) string {
	v, _ := o.get(keys...)
	return words(v)
}

// words is a JSON value as words: a string without its marks, nothing for null.
func words(v json.RawMessage) string {
	var s string
	switch {
	case len(v) == 0 || string(v) == "null":
		return ""
	case v[0] == '"' && json.Unmarshal(v, &s) == nil:
		return s
	}
	return string(v)
}

func isString(v json.RawMessage) bool { return len(v) > 0 && v[0] == '"' }

// truth reads a boolean as models write it.
func truth(v json.RawMessage) bool {
	switch strings.ToLower(strings.TrimSpace(words(v))) {
	case "true", "yes", "y", "1", "是", "已完成", "完成":
		return true
	}
	return false
}

// items reads an array, or makes one of a single value.
func items(v json.RawMessage) []json.RawMessage {
	var l []json.RawMessage
	if len(v) > 0 && v[0] == '[' && json.Unmarshal(v, &l) == nil {
		return l
	}
	if len(v) == 0 || string(v) == "null" {
		return nil
	}
	return []json.RawMessage{v}
}

// The keys under which things stand, in the languages of the house.
var (
	thoughtKeys   = []string{"thought", "thoughts", "thinking", "reasoning", "rationale", "思考", "想法", "推理"}
	intentKeys    = []string{"intent", "意图"}
	actionKeys    = []string{"action", "actions", "next_action", "行动", "动作", "操作"}
	toolKeys      = []string{"name", "tool", "tool_name", "function", "function_name", "action", "名称", "工具", "工具名", "工具名称", "函数"}
	inputKeys     = []string{"参数", "输入", "行动输入", "动作输入"}
	finishedKeys  = []string{"is_finished", "finished", "is_final", "是否完成", "是否结束"}
	finalKeys     = []string{"final_answer", "final_response", "最终答案", "最终回答"}
	resultKeys    = []string{"result", "answer", "response", "output", "结果", "答案", "回答"}
	callsKeys     = []string{"tool_calls", "tool_call", "function_calls", "function_call", "calls"}
	candidateKeys = []string{"candidates", "候选", "候选动作"}
	evidenceKeys  = []string{"evidence", "证据", "依据"}
	saidKeys      = []string{"text", "message", "content", "reply", "summary"}
)

// finishes are the names of the action that ends the work, and nothings those that
// mean that there is none.
var (
	finishes = []string{"finish", "finished", "final_answer", "final", "done", "end", "complete", "完成", "结束", "最终答案"}
	nothings = []string{"", "none", "null", "no_action", "无", "n/a"}
)

func among(name string, names []string) bool {
	for _, n := range names {
		if key(n) == key(name) {
			return true
		}
	}
	return false
}

// candidates reads what was weighed: a list of objects, or names with weights.
func candidates(v json.RawMessage) []Candidate {
	var found []Candidate
	for _, raw := range items(v) {
		o, ok := fields(raw)
		if !ok {
			continue
		}
		c := Candidate{Name: o.text(toolKeys...), Why: o.text("why", "reason", "rationale", "理由", "原因")}
		weight, _ := o.get("weight", "score", "probability", "confidence", "权重", "概率")
		c.Weight, _ = strconv.ParseFloat(strings.TrimSpace(words(weight)), 64)
		if c.Name != "" {
			found = append(found, c)
		}
	}
	if _, ok := fields(v); ok && len(found) == 0 {
		return weighed(v)
	}
	return found
}

// weighed reads names with weights, in their order.
func weighed(v json.RawMessage) []Candidate {
	var found []Candidate
	dec := json.NewDecoder(bytes.NewReader(v))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return found
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return found
		}
		if w, err := strconv.ParseFloat(words(raw), 64); err == nil {
			found = append(found, Candidate{Name: name.(string), Weight: w})
		}
	}
	return found
}

// evidence reads what the model relies on: a text, or a list of them.
func evidence(v json.RawMessage) []string {
	var found []string
	for _, raw := range items(v) {
		if s := strings.TrimSpace(words(raw)); s != "" {
			found = append(found, s)
		}
	}
	return found
}
