package result_test

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/agent/result"
	"hermes/agent/tool"
)

// A value is JSON that needs no cutting and has nothing wrapped in strings.
func value(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Just[any](nil), rapid.Just[any](true),
		rapid.Map(rapid.Int64(), func(n int64) any { return json.Number(strconv.FormatInt(n, 10)) }),
		rapid.Map(rapid.StringMatching(`[a-zA-Z数据é"\\ \n/]{0,20}`), func(s string) any { return s }),
	)
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(value(depth-1), 0, 6), func(s []any) any { return s }),
		rapid.Map(rapid.MapOfN(rapid.StringMatching(`[a-zé数"\\/~ ]{0,8}`), value(depth-1), 0, 6), func(m map[string]any) any { return m }),
	)
}

func decoded(t interface{ Fatalf(string, ...any) }, text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// RES-12 What is said to be complete has every value that the tool returned, as it
// was.
func TestRES12CompleteMeansAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(rapid.Map(rapid.SliceOfN(value(2), 0, 6), func(s []any) any { return s }),
			rapid.Map(rapid.MapOfN(rapid.StringMatching(`[a-z]{1,8}`), value(2), 0, 6), func(m map[string]any) any { return m })).Draw(t, "value")
		text, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		in := input("look", string(text))
		out, err := result.Read(in, result.Config{LargeBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(decoded(t, in.Text), decoded(t, body(in, out))); d != "" {
			t.Fatalf("(-said +read):\n%s", d)
		}
	})
}

var (
	digits  = regexp.MustCompile(`[0-9]+`)
	marks   = regexp.MustCompile(`⟦[^⟦⟧]*⟧`)
	escape  = regexp.MustCompile(`\\(?:u([0-9a-fA-F]{4})|(.))`)
	colours = regexp.MustCompile(`\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)`)
)

// figures are all numbers that a text has, however it is wrapped up.
func figures(text string) map[string]bool {
	out := map[string]bool{}
	for range 5 {
		for _, s := range []string{text, colours.ReplaceAllString(text, "")} {
			for _, d := range digits.FindAllString(s, -1) {
				out[d] = true
			}
		}
		text = escape.ReplaceAllStringFunc(text, func(s string) string {
			if m := escape.FindStringSubmatch(s); m[1] != "" {
				n, err := strconv.ParseUint(m[1], 16, 32)
				if err != nil {
					return s
				}
				return string(rune(n))
			}
			if strings.ContainsAny(s[1:2], "nrtbf") {
				return " "
			}
			return s[1:]
		})
	}
	return out
}

// FuzzRead holds for every text: nothing panics, what is read is valid and of the
// size that it may have, what is JSON stays JSON, only this package speaks in its
// signs, and RES-12 no number is read that the tool did not return.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "ok", grid(60, 100), objects(30), log(80), `{"a":"{\"b\":1}"}`, "a,b\n1,2\n3,4\n", "<div><p>1<script>2</script></p></div>", "⟦tool x⟧\x1b[1m\xff",
		`{"error_type":"INPUT_ERROR","tool_name":"x","attempt":1,"message":"m 5","suggestion":"s"}`, `[1,[2,[3]],{"a":[]}]`, `{"columns":["a",{"key":"b"}],"rows":[[1,2],{"a":3},[]],"row_count":9}`,
		`"\"[{\\\"a\\\":1}]\""`, strings.Repeat("1234567,", 400), strings.Repeat("9", 3000), `[1.5e3,-0,1E400]`, `{"title":"t","url":"u","date":"2020-01-01"}`, "{\"a\":1}\n{\"b\":2}",
	} {
		f.Add(s, 400, byte(0), "total of 5 in region 7, 订单", false, "")
		f.Add(s, 1000, byte(1), "", false, `{"type":"array","items":{"type":"object"}}`)
		f.Add(s, 100, byte(2), "", true, "")
	}
	f.Fuzz(func(t *testing.T, text string, limit int, mode byte, goal string, failed bool, schema string) {
		limit = max(1, min(limit, 20_000))
		in := input("look", text)
		in.Spec.Limit, in.Goal, in.Failed, in.Spec.Output = limit, goal, failed, json.RawMessage(schema)
		in.Spec.Truncate = []tool.Truncate{tool.Both, tool.Head, tool.Tail}[mode%3]
		out, err := result.Read(in, result.Config{})
		if again, err2 := result.Read(in, result.Config{}); !cmp.Equal(out, again) || (err == nil) != (err2 == nil) {
			t.Fatal("a second reading gives something else")
		}
		brief := out.Brief
		if brief == "" {
			brief = text
		}
		if brief == "" || !utf8.ValidString(brief) || !utf8.ValidString(out.Mark+out.Note) {
			t.Fatalf("it is empty or not valid: %q", brief)
		}
		if limit = max(limit, 400); len(brief) > limit || len(out.Note) > 1500 || len(out.Mark) > 300 {
			t.Fatalf("brief %d of %d, note %d, mark %d", len(brief), limit, len(out.Note), len(out.Mark))
		}
		if strings.ContainsAny(out.Mark+out.Note, "\n\r") || strings.ContainsAny(marks.ReplaceAllString(brief, ""), "⟦⟧") || strings.Contains(brief, result.Prefix) {
			t.Fatalf("a mark is not whole: %q %q %q", out.Mark, brief, out.Note)
		}
		if !out.Complete && !failed && err == nil && out.Note == "" {
			t.Fatal("nothing says what is missing")
		}
		if err != nil {
			return
		}
		if json.Valid([]byte(text)) && strings.ContainsAny(strings.TrimSpace(text)[:1], "{[") && !failed && !json.Valid([]byte(body(in, out))) {
			t.Fatalf("no JSON any more: %s", body(in, out))
		}
		if strings.ContainsAny(html.UnescapeString(text), "<") || strings.Contains(text, `\u003`) || slices.ContainsFunc(digits.FindAllString(text, -1), func(s string) bool { return len(s) > 100 }) {
			return // what a tag takes away is looked at elsewhere
		}
		known := figures(text)
		for _, d := range digits.FindAllString(marks.ReplaceAllString(brief, " "), -1) {
			if !known[d] {
				t.Fatalf("%s is not in %q: %q", d, text, brief)
			}
		}
	})
}
