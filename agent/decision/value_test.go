package decision

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is found in a text, and how it is mended. An empty want is no JSON.
func TestValue(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"good JSON stays as it is":                 {" {\"a\" : 1.0, \"b\":\"\\u00e9\"}\n", `{"a" : 1.0, "b":"\u00e9"}`},
		"DEC-07 explanation, then JSON":            {`I will look {"a": 1} now`, `{"a": 1}`},
		"DEC-07 brackets of prose are none":        {`see [1], {this} and {that: too? {"a": {"b": [2]}}`, `{"a": {"b": [2]}}`},
		"DEC-07 the first of two objects":          {`either {"a": 1} or {"b": 2}`, `{"a": 1}`},
		"DEC-07 a fence before what is said first": {"not {\"a\": 0} but\n```json\n{\"a\": 1}\n```", `{"a": 1}`},
		"DEC-08 field names":                       {`{thought: "x", action: {name: "y"}}`, `{"thought":"x","action":{"name":"y"}}`},
		"DEC-08 field names with numbers":          {`{1: "x", a1: 2}`, `{"1":"x","a1":2}`},
		"DEC-09 trailing commas":                   {`["a","b",]`, `["a","b"]`},
		"DEC-09 in an object":                      {`{"a":[1,],}`, `{"a":[1]}`},
		"DEC-10 single quotes":                     {`{'a': 'it's Ann's', 'b': '"x"'}`, `{"a":"it's Ann's","b":"\"x\""}`},
		"DEC-11 typographic":                       {`{“a”：“b”，‘c’: 1}`, `{"a":"b","c":1}`},
		"DEC-11 kept inside of strings":            {`{“a”: "“b”，：‘c’",}`, `{"a":"“b”，：‘c’"}`},
		"DEC-11 kept inside of keys":               {`{"“a”": 1,}`, `{"“a”":1}`},
		"digits stay":                              {`{'a': 12345678901234567890.10, 'b': 1e400, 'c': -0}`, `{"a":12345678901234567890.10,"b":1e400,"c":-0}`},
		"leading zeros are no number":              {`{a: 007, b: 0.5, c: -01}`, `{"a":"007","b":0.5,"c":"-01"}`},
		"hexadecimal":                              {`{a: 0xFF, b: 0x1ffffffffffffffffff}`, `{"a":255,"b":"0x1ffffffffffffffffff"}`},
		"what JSON cannot say":                     {`[NaN, Infinity, -Infinity, undefined, None]`, `[null,null,null,null,null]`},
		"a line of JSON each":                      {"{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", `[{"a":1},{"a":2},{"a":3}]`},
		"values with commas":                       {`{"a":1},{"b":2},`, `[{"a":1},{"b":2}]`},
		"an object goes on after its end":          {`{"a":1},"b":2}`, `{"a":1,"b":2}`},
		"Chinese quotes that are not escaped":      {`{"a": "他说"好的"，"再见"。", "b": 1}`, `{"a":"他说\"好的\"，\"再见\"。","b":1}`},
		"the wrong bracket":                        {`{"a": [1, 2}, "b": (3, 4], "c": {"d": 5]}`, `{"a":[1,2],"b":[3,4],"c":{"d":5}}`},
		"a bracket too many":                       {`{"a": [{"b": 1}}, {"b": 2}]}`, `{"a":[{"b":1},{"b":2}]}`},
		"a bracket missing":                        {`{"a": ["x", "b": "y"}`, `{"a":["x"],"b":"y"}`},
		"a brace missing":                          {`["a": 1, "b": 2]`, `[{"a":1,"b":2}]`},
		"a set of Python":                          {`{'a', 'b'}`, `["a","b"]`},
		"prefixes of Python":                       {`{'a': u'x', 'b': b"y", 'c': f'z'}`, `{"a":"x","b":"y","c":"z"}`},
		"types of MongoDB":                         {`{_id: ObjectId("a"), n: NumberLong(2), d: new Date("2026-10-01")}`, `{"_id":"a","n":2,"d":"2026-10-01"}`},
		"regular expressions":                      {`{a: /^\d+\/x$/i, b: 1}`, `{"a":"/^\\d+\\/x$/i","b":1}`},
		"a call that is a text":                    {`[This is F(3), and G(x, y)]`, `["This is F(3)","and G(x, y)"]`},
		"comments":                                 {"{/* a */ \"a\": 1, // b\n# c\n\"d\": 2 <!-- e --> }", `{"a":1,"d":2}`},
		"addresses are no comments":                {`{a: http://x.test/y, b: "http://z"}`, `{"a":"http://x.test/y","b":"http://z"}`},
		"a string of the whole text":               {`'it's "so"'`, `"it's \"so\""`},
		"a word of Python alone":                   {`None`, `null`},
		"a tag that closes":                        {`<result>{"a": [1, 2</result>`, `{"a":[1,2]}`},
		"an end token in a string":                 {`{"a": "b<|im_end|>`, `{"a":"b"}`},
		"a fence in a string":                      {"{\"a\": \"```x\\ny```\", b: 1}", "{\"a\":\"```x\\ny```\",\"b\":1}"},
		"cut off in a word":                        {`{"a": [true, fal`, `{"a":[true,false]}`},
		"cut off in a key":                         {`{"a": 1, "b`, `{"a":1,"b":null}`},
		"cut off before a key":                     {`{"a": 1, "`, `{"a":1}`},
		"invalid UTF-8":                            {"{\"a\": \"b\xff\"}", "{\"a\": \"b\uFFFD\"}"},
		"control characters":                       {"{\"a\": \"b\x00\x1b\"}", `{"a":"b\u0000\u001b"}`},
		"an escape that is none":                   {`{"a": "\q\u12 \x41"}`, `{"a":"\\q\\u12 A"}`},
		"nothing":                                  {"", ""},
		"prose":                                    {"The sales are up.", ""},
		"prose with brackets":                      {"The set [a, b] of {x}.", ""},
		"a word":                                   {"sales", ""},
		"Chinese prose":                            {"销售额上升了，【详见】附件。", ""},
		"an opening quote":                         {`"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, mended, err := Value(tt.text)
			if tt.want == "" {
				if !errors.Is(err, ErrNoJSON) {
					t.Fatalf("Value = %q, %v; want no JSON", got, err)
				}
				return
			}
			if err != nil || string(got) != tt.want {
				t.Fatalf("Value = %q, %v; want %q", got, err, tt.want)
			}
			if want := strings.TrimSpace(tt.text) != tt.want; mended != want {
				t.Errorf("mended = %v, want %v", mended, want)
			}
		})
	}
}

// What is nested too deep is refused at once, however long it is.
func TestValueDepth(t *testing.T) {
	nest := func(open, in, shut string, n int) string {
		return strings.Repeat(open, n) + in + strings.Repeat(shut, n)
	}
	for name, tt := range map[string]struct {
		text string
		deep bool
	}{
		"200 arrays":              {nest("[", "1", "]", 200), false},
		"201 arrays":              {nest("[", "1", "]", 201), true},
		"200 objects, broken":     {nest(`{"a":`, "1,", "}", 200), false},
		"201 objects, broken":     {nest(`{"a":`, "1,", "}", 201), true},
		"a megabyte of brackets":  {strings.Repeat("[", 1<<20), true},
		"a megabyte of objects":   {strings.Repeat(`{"a":`, 1<<18), true},
		"a megabyte of calls":     {"[" + strings.Repeat(`f(["a",`, 1<<17), true},
		"brackets in a string":    {`{"a": "` + strings.Repeat("[", 1<<20) + `",}`, false},
		"brackets after a string": {`{"a": "x" ` + strings.Repeat("[", 1000), false},
	} {
		t.Run(name, func(t *testing.T) {
			v, _, err := Value(tt.text)
			if tt.deep != errors.Is(err, ErrTooDeep) || !tt.deep && !json.Valid(v) {
				t.Errorf("Value = %.60q, %v", v, err)
			}
		})
	}
}

// anyJSON draws a JSON value and its text, written with or without white space.
func anyJSON(t *rapid.T, depth int) any {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.StringOf(rapid.RuneFrom([]rune("ab \"'“”‘’\\/{}[]:,，：。\n\t中文é🎉`<>#1-"))).Draw(t, "string")
	case 1:
		return rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
	case 2:
		return rapid.Bool().Draw(t, "bool")
	case 3:
		return nil
	case 4:
		list := []any{}
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			list = append(list, anyJSON(t, depth-1))
		}
		return list
	default:
		return anObject(t, depth-1)
	}
}

func anObject(t *rapid.T, depth int) map[string]any {
	o := map[string]any{}
	for range rapid.IntRange(1, 4).Draw(t, "members") {
		o[rapid.StringMatching(`[a-z_]{1,8}|[\x{4e00}-\x{4e20}]{1,3}`).Draw(t, "key")] = anyJSON(t, depth)
	}
	return o
}

func encoded(t *rapid.T, v any) string {
	b, err := json.MarshalIndent(v, "", rapid.SampledFrom([]string{"", "  "}).Draw(t, "indent"))
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "compact") {
		b, err = json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
	}
	return string(b)
}

// Good JSON comes out of whatever is put around it, byte for byte.
func TestValueOutOfWrappers(t *testing.T) {
	wrappers := map[string][2]string{
		"prose":             {"Sure, here is what I found: ", "\nLet me know if you need more."},
		"Chinese prose":     {"好的，结果如下：\n", "\n请查收。"},
		"a fence":           {"```json\n", "\n```"},
		"a fence in prose":  {"Here:\n\n```\n", "\n```\nDone."},
		"a thought":         {"<think>I could {use} \"this\" [1]</think>\n", ""},
		"half a thought":    {"that should do\n</think>\n\n", "\n"},
		"a tag":             {"<tool_call>", "</tool_call>"},
		"an end token":      {"", "<|im_end|>"},
		"a callback":        {"callback(", ");"},
		"an assignment":     {"const x = ", ";"},
		"a comment":         {"// here\n/* it */ ", " // is"},
		"byte order mark":   {"\ufeff", ""},
		"brackets in prose": {"See [a] and {b}: ", " (see [c])"},
		"a brace too many":  {"", "}"},
		"a trailing comma":  {"", ","},
	}
	for name, w := range wrappers {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := encoded(t, anObject(t, 3))
				got, mended, err := Value(w[0] + text + w[1])
				if err != nil || string(got) != text || !mended {
					t.Fatalf("Value(%q) = %q, mended %v, %v", w[0]+text+w[1], got, mended, err)
				}
			})
		})
	}
}

// One small fault costs nothing: all else comes back as it was.
func TestValueMendsOneFault(t *testing.T) {
	faults := map[string]func(*rapid.T, string) string{
		"a trailing comma": func(_ *rapid.T, s string) string { return s[:len(s)-1] + ",}" },
		"no last brace":    func(_ *rapid.T, s string) string { return strings.TrimRight(s[:len(s)-1], " \n") },
		"a comment":        func(_ *rapid.T, s string) string { return "{ // why: \"x\"\n" + s[1:] },
		"a bare first key": func(_ *rapid.T, s string) string {
			end := strings.IndexByte(s[strings.IndexByte(s, '"')+1:], '"')
			from := strings.IndexByte(s, '"')
			return s[:from] + s[from+1:from+1+end] + s[from+1+end+1:]
		},
		"raw lines in strings": func(_ *rapid.T, s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s[:len(s)-1], `\\`, `\u005c`), `\n`, "\n") + ",}"
		},
		"braces written twice": func(_ *rapid.T, s string) string { return "{" + s + "}" },
		"escaped once more": func(t *rapid.T, s string) string {
			b, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			return string(b[1 : len(b)-1])
		},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := encoded(t, anObject(t, 2))
				broken := fault(t, text)
				got, _, err := Value(broken)
				if err != nil || !equal(t, got, text) {
					t.Fatalf("Value(%q) = %q, %v", broken, got, err)
				}
			})
		})
	}
}

func equal(t *rapid.T, got json.RawMessage, want string) bool {
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		t.Fatalf("%q: %v", got, err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatalf("%q: %v", want, err)
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// A text may be cut off anywhere.
func TestValueOfEveryTruncation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := encoded(t, anObject(t, 3))
		for n := 1; n < len(text); n++ {
			v, mended, err := Value(text[:n])
			if err != nil || !mended || !json.Valid(v) {
				t.Fatalf("Value(%q) = %q, mended %v, %v", text[:n], v, mended, err)
			}
		}
	})
}
