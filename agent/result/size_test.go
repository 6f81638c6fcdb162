package result_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/result"
	"hermes/agent/tool"
)

// RES-03, C-21 Of a long array twenty items stay: the first, the last, and evenly
// between, the same each time, and the total is said. Long fields are cut.
func TestRES03ArraysAndFields(t *testing.T) {
	in := input("look", objects(300))
	out := read(t, in, result.Config{})
	var kept []json.RawMessage
	if err := json.Unmarshal([]byte(body(in, out)), &kept); err != nil {
		t.Fatal(err)
	}
	if len(kept) != 21 || !strings.HasPrefix(string(kept[0]), `{"id":1,`) || !strings.HasPrefix(string(kept[19]), `{"id":300,`) || !strings.Contains(string(kept[20]), "20 of 300 items") {
		t.Errorf("kept %d: %s … %s %s", len(kept), kept[0], kept[19], kept[20])
	}
	if out.Complete || !strings.Contains(out.Note, "20 of 300 items") {
		t.Errorf("note = %s", out.Note)
	}
	if again := read(t, in, result.Config{}); again.Brief != out.Brief {
		t.Error("a second reading gives something else")
	}
	if whole := read(t, input("look", objects(20)), result.Config{}); !whole.Complete {
		t.Errorf("twenty items: %s", whole.Note)
	}

	long := input("look", `{"title":"T","body":"`+strings.Repeat("数据", 3000)+`","tail":1}`)
	out = read(t, long, result.Config{})
	var got map[string]any
	if err := json.Unmarshal([]byte(body(long, out)), &got); err != nil {
		t.Fatal(err)
	}
	text, _ := got["body"].(string)
	if !strings.HasPrefix(text, strings.Repeat("数据", 1000)+"⟦first 2000 of 6000 characters⟧") || got["tail"] != 1.0 {
		t.Errorf("body = …%s, tail %v", text[max(0, len(text)-60):], got["tail"])
	}
}

// RES-07, C-21 Of a table of 1,000 rows the first 50 stay, with the total; a row that
// the request names stays as well.
func TestRES07TableHead(t *testing.T) {
	in := input("look", grid(1000, 1000))
	out := read(t, in, result.Config{})
	for _, want := range []string{`["Region 50",1049,49.25],"⟦rows 51-1000 of 1000 left out⟧"],"row_count":1000}`} {
		if !strings.HasSuffix(out.Brief, want) {
			t.Errorf("it ends in %s", out.Brief[len(out.Brief)-100:])
		}
	}
	if !strings.Contains(out.Note, "rows 1-50 of 1000") || !strings.Contains(out.Brief, "1000 rows") {
		t.Errorf("note = %s", out.Note)
	}
	in.Goal = "how is Region 777?"
	if out = read(t, in, result.Config{}); !strings.Contains(out.Brief, `["Region 777",1776,776.25]`) || !strings.Contains(out.Brief, `["Region 50",1049,49.25]`) {
		t.Errorf("the row that was asked for is not there: %s", out.Note)
	}

	wide := `{"columns":[` + join(60, ",", func(i int) string { return fmt.Sprintf(`"c%d"`, i) }) + `],"rows":[` +
		join(200, ",", func(i int) string {
			return "[" + join(60, ",", func(j int) string { return fmt.Sprint(i*60 + j) }) + "]"
		}) + `]}`
	in = input("look", wide)
	out = read(t, in, result.Config{})
	var got struct{ Rows []any }
	if err := json.Unmarshal([]byte(body(in, out)), &got); err != nil {
		t.Fatal(err)
	}
	if row, _ := got.Rows[0].([]any); len(row) != 60 || len(got.Rows) < 10 || len(out.Brief) > 8192 {
		t.Errorf("a wide table: %d rows of %d cells in %d bytes", len(got.Rows), len(row), len(out.Brief))
	}
}

// RES-09, C-20 Of 500 lines 50 stay: the first, the last, or half of each.
func TestRES09Lines(t *testing.T) {
	for mode, want := range map[tool.Truncate][2]int{tool.Head: {1, 50}, tool.Tail: {451, 500}, tool.Both: {1, 500}} {
		in := input("shell_exec", log(500))
		in.Spec.Truncate = mode
		out := read(t, in, result.Config{})
		var kept []string
		for line := range strings.SplitSeq(out.Brief, "\n") {
			if !strings.HasPrefix(line, "⟦") {
				kept = append(kept, line)
			}
		}
		if len(kept) != 50 || kept[0] != fmt.Sprintf("line %d of the job", want[0]) || kept[49] != fmt.Sprintf("line %d of the job", want[1]) {
			t.Errorf("%q: %d lines, %s … %s", mode, len(kept), kept[0], kept[len(kept)-1])
		}
		if mode == tool.Both && (kept[24] != "line 25 of the job" || kept[25] != "line 476 of the job" || !strings.Contains(out.Brief, "⟦lines 26-475 of 500 left out⟧")) {
			t.Errorf("both ends: %s, %s", kept[24], kept[25])
		}
	}
}

// RES-10 A tool's own limit holds, whatever it returns.
func TestRES10OwnLimit(t *testing.T) {
	all := texts(200_000)
	all["failed"] = `{"error_type":"INPUT_ERROR","tool_name":"look","attempt":1,"message":"` + strings.Repeat("错误的参数 ", 5000) + `","suggestion":"` + strings.Repeat("x", 9000) + `"}`
	for name, text := range all {
		for _, limit := range []int{1, 400, 777, 3000} {
			in := input("look", text)
			in.Spec.Limit, in.Failed = limit, name == "failed"
			out, err := result.Read(in, result.Config{})
			if err != nil || len(out.Brief) > max(limit, 400) || out.Brief == "" || out.Complete || len(out.Note) > 1400 {
				t.Errorf("%s in %d bytes: %d bytes, complete %v, %v\n%s", name, limit, len(out.Brief), out.Complete, err, out.Note)
			}
		}
	}
}

// RES-14, RES-15, FAIL-12, LOOP-02, CTX-23 A large result is kept apart and only a
// small part of it is read; from what size on is configured.
func TestRES14Large(t *testing.T) {
	in := input("look", objects(1300))
	out := read(t, in, result.Config{})
	if len(in.Text) < 60_000 || len(out.Brief) > 2000 || !out.Keep || !strings.Contains(out.Note, `read_file_section {"id":"`+id+`","from":2}`) {
		t.Errorf("%d bytes: brief %d, keep %v, note %s", len(in.Text), len(out.Brief), out.Keep, out.Note)
	}
	text := strings.Repeat("x", 9000)
	if !result.Large(text, result.Config{}) || result.Large(text, result.Config{LargeBytes: 10_000}) || result.Large(text[:8192], result.Config{}) {
		t.Error("a text is large over 8192 bytes, or as configured")
	}
	if out := read(t, input("look", text), result.Config{LargeBytes: 10_000}); !out.Complete || out.Keep {
		t.Errorf("9000 of 10000 bytes: %s", out.Note)
	}
	lines := input("look", log(5000))
	if out := read(t, lines, result.Config{}); len(out.Brief) > 2000 || !out.Keep {
		t.Errorf("5,000 lines: %d bytes", len(out.Brief))
	}
}

// RES-19 What is cut says in its place that it is, of how much, and below it which
// call reads the rest; without a place where it is kept, what else helps.
func TestRES19WhatIsCut(t *testing.T) {
	for name, tt := range map[string]struct{ text, mark, call string }{
		"rows":              {grid(80, 80), "⟦rows 51-80 of 80 left out⟧", `{"id":"abbbbbbbbbbbb","from":51}`},
		"rows inside":       {`{"x":{"columns":["a"],"rows":[` + join(80, ",", func(i int) string { return fmt.Sprintf("[%d]", i) }) + `]}}`, "⟦rows 51-80 of 80 left out⟧", `{"id":"` + id + `","at":"/x","from":51}`},
		"items":             {`{"a/b":` + objects(21) + `}`, "⟦20 of 21 items", `{"id":"` + id + `","at":"/a~1b","from":`},
		"a text":            {`{"a":["` + strings.Repeat("y ", 3000) + `"]}`, "⟦first 2000 of 6000 characters⟧", `{"id":"` + id + `","at":"/a/0","from":2}`},
		"lines":             {log(60), "⟦lines 26-35 of 60 left out⟧", `{"id":"` + id + `","from":26}`},
		"members":           {"{" + join(300, ",", func(i int) string { return fmt.Sprintf(`"k%d":%d`, i, i) }) + "}", `"⟦200 of 300 members⟧":null`, `{"id":"` + id + `","from":201}`},
		"a number":          {`{"a":` + strings.Repeat("1", 200) + `}`, "⟦a number of 200 characters⟧", `{"id":"` + id + `","at":"/a","from":1}`},
		"the end of a text": {`{"a":"` + strings.Repeat("y ", 3000) + `"}`, "", `{"id":"` + id + `","at":"/a","from":`},
		"too deep":          {strings.Repeat(`{"a":`, 40) + `"` + strings.Repeat("x", 100) + `"` + strings.Repeat("}", 40), "bytes left out⟧", `{"id":"` + id + `","at":"/a/a`},
	} {
		t.Run(name, func(t *testing.T) {
			in := input("look", tt.text)
			out := read(t, in, result.Config{})
			if !strings.Contains(body(in, out), tt.mark) || !strings.Contains(out.Note, "read_file_section "+tt.call) || out.Complete {
				t.Errorf("mark or call is missing:\n%.2000s\n%s", body(in, out), out.Note)
			}
			in.Artifact = ""
			if out := read(t, in, result.Config{}); out.Keep || strings.Contains(out.Note, id) || !strings.Contains(out.Note, "cut: ") {
				t.Errorf("not kept: %s", out.Note)
			}
		})
	}
}

// What a section says was cut already, and is not cut a second time.
func TestASectionIsReadAsItIs(t *testing.T) {
	in := input(result.SectionTool, "rows 1-200 of 1000 in "+id+"; go on with from 201\n"+log(200))
	in.Spec.Limit = 16 * 1024
	if out := read(t, in, result.Config{}); out.Brief != "" || !out.Complete {
		t.Errorf("%s\n%.200s", out.Note, out.Brief)
	}
}

// NUMBERS.md §2 A result of 5 MB of any kind is read in well under a second.
func TestFiveMegabytes(t *testing.T) {
	for name, text := range texts(5 << 20) {
		began := time.Now()
		out := read(t, input("look", text), result.Config{})
		// The machine may be busy and the race detector on: this is a net for what
		// is not linear, BenchmarkRead measures.
		if took := time.Since(began); took > 15*time.Second || len(out.Brief) > 8192 || !out.Keep || out.Complete {
			t.Errorf("%s: %s, %d bytes, keep %v", name, took, len(out.Brief), out.Keep)
		}
	}
}
