package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// badWords are what services write where they say how it went, if it did not.
var badWords = []string{
	"error", "err", "fail", "failed", "failure", "exception", "not found", "unauthorized", "forbidden", "timeout",
	"错误", "失败", "异常", "未找到",
}

// softError is how a body says that the call has failed although it came as a good
// answer, or "". What the tool's own schema has as a property is data to it, such as
// the status of an order; only a code that says failure beside data that is null is
// believed whatever the schema has. An empty list is an answer.
func softError(v any, output json.RawMessage) string {
	m, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	names := map[string]string{} // as written, by how they are looked for
	for name := range m {
		names[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = name
	}
	get := func(name string) (any, bool) {
		v, ok := m[names[name]]
		return v, ok && names[name] != ""
	}
	holds, empty := false, false
	for _, name := range []string{"data", "result", "results", "items", "body", "payload"} {
		if v, given := get(name); given {
			holds, empty = true, v == nil
			break
		}
	}
	for _, name := range []string{"code", "errcode", "errorcode", "status", "statuscode", "httpstatus"} {
		if v, given := get(name); given && empty && badCode(name, v) {
			return names[name] + " " + show(v) + " with null as data" + saying(get)
		}
	}
	var declared map[string]*node
	if len(output) > 0 {
		if n, err := compile(output); err == nil {
			declared = n.props
		}
	}
	marks := []string{"error", "errors", "errormessage", "errmsg", "success", "ok", "iserror", "status", "state", "statuscode", "httpstatus"}
	if !holds && saying(get) != "" {
		marks = append(marks, "code") // alone it may be anything: 404 is the code of Atlanta
	}
	for _, name := range marks {
		v, given := get(name)
		if !given || declared[names[name]] != nil || !badMark(name, v) {
			continue
		}
		if _, told := v.(string); told && strings.HasPrefix(name, "err") {
			return names[name] + ": " + show(v)
		}
		return names[name] + " " + show(v) + saying(get)
	}
	return ""
}

// badCode reports whether a value says failure as a code of HTTP or, where the name
// is that of no other number, as one of those that are 0 when all is well.
func badCode(name string, v any) bool {
	if s, ok := v.(string); ok {
		if bad(s) {
			return true
		}
		num, ok := readText("integer", strings.TrimSpace(s))
		if !ok {
			return false
		}
		v = num
	}
	code, ok := whole(v)
	if strings.Contains(name, "status") {
		return ok && code >= 400 && code <= 599
	}
	return ok && code != 0 && code != 1 && (code < 200 || code > 299)
}

func whole(v any) (int64, bool) {
	r := rat(v)
	if r == nil || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// badMark reports whether what stands under one of the names by which services tell
// how it went says that it did not.
func badMark(name string, v any) bool {
	switch name {
	case "success", "ok":
		return v == false || v == "false"
	case "iserror":
		return v == true
	case "code", "status", "state", "statuscode", "httpstatus":
		if s, ok := v.(string); ok {
			return bad(s)
		}
		code, ok := whole(v)
		return ok && code >= 400 && code <= 599
	}
	switch v := v.(type) {
	case bool:
		return v
	case string:
		return strings.TrimSpace(v) != "" && !slices.Contains([]string{"none", "ok", "success", "no error", "无"}, strings.ToLower(strings.TrimSpace(v)))
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false // a number is a count or a rate
}

func bad(s string) bool {
	s = strings.ToLower(strings.TrimSpace(strings.NewReplacer("_", " ", "-", " ").Replace(s)))
	return slices.Contains(badWords, s)
}

// saying is the body's own words about it.
func saying(get func(string) (any, bool)) string {
	for _, name := range []string{"message", "msg", "detail", "description", "error"} {
		if v, given := get(name); given {
			if s, ok := v.(string); ok && s != "" {
				return fmt.Sprintf(" (%s)", show(s))
			}
		}
	}
	return ""
}
