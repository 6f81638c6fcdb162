package result_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hermes/agent/result"
	"hermes/agent/tool"
)

// RES-14 What the parts of a text are: rows, items, members or lines, wherever they
// stand in it.
func TestOpen(t *testing.T) {
	const whole = `{"n":5,"rows":{"columns":["a",{"label":"b"}],"rows":[[1,2],[3,4]]},"items":[{"x":[7,8,9]},{"y":1}],"text":"one\ntwo","page":"<p>one<p>two","in":"{\"deep\":[\"p\",\"q\"]}","a/b~c":{"k":null}}`
	for at, want := range map[string]string{
		"":             `2 row ["a","b"] [1,2]`, // the first of the longest
		"/rows":        `2 row ["a","b"] [1,2]`,
		"/rows/rows":   `2 item  [1,2]`,
		"/items":       `2 item  {"x":[7,8,9]}`,
		"/items/0/x":   `3 item  7`,
		"/items/1":     `1 member  {"y":1}`,
		"/text":        `2 line  one`,
		"/page":        `2 line  one`,
		"/in":          `1 member  {"deep":["p","q"]}`,
		"/in/deep":     `2 item  "p"`,
		"/n":           `1 item  5`,
		"/a~1b~0c":     `1 member  {"k":null}`,
		"/a~1b~0c/k":   `1 item  null`,
		"/in/deep/1":   `1 line  q`,
		"/items/0/x/2": `1 item  9`,
	} {
		p, err := result.Open(whole, at)
		if err != nil {
			t.Errorf("%q: %v", at, err)
			continue
		}
		if got := fmt.Sprintf("%d %s %s %s", p.Len(), p.Unit(), p.Head(), p.Part(0, 1000)); got != want {
			t.Errorf("%q: %s, want %s", at, got, want)
		}
	}
	for at, want := range map[string]string{
		"/zzz": `there is "/n", "/rows"`, "n": "nothing at", "/items/2": "nothing", "/items/x": "nothing", "/items/-1": "nothing", "/n/0": "nothing", "/text/0": "nothing", "/in/deep/5": "nothing",
	} {
		if _, err := result.Open(whole, at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", at, err, want)
		}
	}
	if _, err := result.Open("{}", "/x"); err == nil || !strings.Contains(err.Error(), "empty object") {
		t.Errorf("of an empty object: %v", err)
	}
}

// Part keeps to its size and stays JSON; Has finds what is written with escapes.
func TestParts(t *testing.T) {
	p, err := result.Open(`[{"name":"M\u00fcller","body":"`+strings.Repeat("数", 5000)+`"},[`+strings.Repeat("1,", 5000)+`1]]`, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Len() {
		if s := p.Part(i, 900); len(s) > 900 || !json.Valid([]byte(s)) || !strings.Contains(s, "⟦") {
			t.Errorf("part %d: %d bytes: %.100s", i, len(s), s)
		}
	}
	if !p.Has(0, "müller") || !p.Has(0, "MÜLLER") || p.Has(1, "müller") || p.Has(0, "meier") {
		t.Error("Has does not find what is there, or finds what is not")
	}
	p, err = result.Open(strings.Repeat("word 12345 ", 80), "")
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Part(0, 9); s != "word ⟦875 more characters⟧" {
		t.Errorf("a line: %q", s)
	}
}

// RES-12 A text is never cut within a number, nor between a number and what it
// counts, whichever end of it stays.
func TestRES12NumbersAreNotCut(t *testing.T) {
	word := rapid.SampledFrom([]string{"1,234,567.89", "-12.5%", "3.2万", "$9876543", "１２３４５", "7", "sales", "数据", "e\u0301", "👩‍👩‍👧", "2026-10-31"})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 20, 400).Draw(t, "words")
		text := strings.Join(words, " ")
		mode := rapid.SampledFrom([]tool.Truncate{tool.Head, tool.Tail}).Draw(t, "mode")
		chars := rapid.IntRange(5, 100).Draw(t, "chars")
		b, err := json.Marshal(map[string]string{"a": text})
		if err != nil {
			t.Fatal(err)
		}
		in := input("look", string(b))
		in.Spec.Truncate = mode
		out, err := result.Read(in, result.Config{WebChars: chars, LargeBytes: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := json.Unmarshal([]byte(body(in, out)), &got); err != nil {
			t.Fatal(err)
		}
		kept, mark, cut := strings.Cut(got["a"], "⟦")
		if mode == tool.Tail && cut {
			_, kept, _ = strings.Cut(mark, "⟧")
		}
		if utf8.RuneCountInString(kept) > chars+40 {
			t.Fatalf("%d characters of %d", utf8.RuneCountInString(kept), chars)
		}
		for w := range strings.FieldsSeq(kept) {
			if strings.ContainsAny(w, "0123456789１%$万") && !strings.Contains(" "+text+" ", " "+w+" ") && !strings.HasPrefix("2026-10-31", strings.TrimSuffix(w, "-")) && !strings.HasSuffix("2026-10-31", w) {
				t.Fatalf("%q is a part of a number in %q", w, kept)
			}
		}
	})
}
