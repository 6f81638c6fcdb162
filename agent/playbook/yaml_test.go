package playbook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/playbook"
	"hermes/internal/golden"
	"hermes/scheduler/calendar"
)

func ptr(n int) *int { return &n }

// sales is a whole report.
func sales() playbook.Playbook {
	return playbook.Playbook{
		Name: "sales-by-region", Title: playbook.Label{En: "Sales by region", Zh: "按地区汇总的销售额"},
		Words: []string{"regional sales", "地区销售"}, Lang: "en", Period: calendar.Month,
		Steps: []playbook.Step{
			{ID: "by_region", Tool: "query_metric", Args: map[string]any{
				"measure": "sales", "by": []any{"region"}, "period": "{{period}}", "compare": []any{"previous_period"}, "top": json.Number("5"),
				"where": []any{map[string]any{"dimension": "product", "values": []any{"Alpha"}}},
			}},
			{ID: "by_day", Tool: "query_database", Args: map[string]any{"sql": "SELECT day, sum(amount) FROM sales\nWHERE day BETWEEN '{{period.start}}' AND '{{period.end}}' GROUP BY 1"}},
			{ID: "report", Tool: "make_report", Args: map[string]any{"tables": []any{"{{steps.by_region.artifact}}", "{{steps.by_day.artifact}}"}, "format": "xlsx"}},
		},
		Commentary: &playbook.Commentary{About: "what changed most"},
		Contract: playbook.Contract{
			Sections: []string{"Analysis"}, Rows: []playbook.Rows{{Step: "by_region", Min: ptr(1), Max: ptr(50)}},
			Fresh:  []playbook.Fresh{{Step: "by_day", Within: 3}},
			Equal:  []playbook.Equal{{Name: "regions add up to days", Left: "by_region.total", Right: "by_day.total", Tolerance: "0.5%"}},
			Limits: []playbook.Limit{{Figure: "by_region.change", Min: "-50%", Max: "50%"}},
		},
		Post: "#sales",
	}
}

func TestAReportIsWrittenAsPeopleReadIt(t *testing.T) {
	text, err := playbook.Write(sales())
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "sales.yaml", string(text))
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	for i := range 2000 {
		p := sales()
		if i > 0 {
			p = anyBook(rnd)
		}
		text, err := playbook.Write(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := playbook.Read(text)
		if err != nil {
			t.Fatalf("%v of\n%s", err, text)
		}
		if d := cmp.Diff(p, got); d != "" {
			t.Fatalf("%s\nof\n%s", d, text)
		}
		a, err := p.Hash()
		b, err2 := got.Hash()
		if err != nil || err2 != nil || a != b {
			t.Fatalf("hashes %s and %s, %v, %v", a, b, err, err2)
		}
	}
}

var odd = []string{
	"a", "true", "no", "null", "~", "12", "1e3", "0x1F", "2026-10-01", "- x", "a: b", "#x", "按地区", " lead", "trail ", "two\nlines", "SELECT a,\n  b\nFROM t -- {{period}}", "tab\there",
	"\"quoted\"", "it's", "{{period.label}}", "&a", "*a", "!x", "%d", "@x", "`x`", "", "a\u2028b", "\u0085", "café", "[x]", "{x}", "a #b", "a\r\nb", "\n", "|", ">",
}

func anyBook(rnd *rand.Rand) playbook.Playbook {
	text := func() string { return odd[rnd.IntN(len(odd))] }
	p := playbook.Playbook{Name: fmt.Sprintf("n%d", rnd.IntN(100)), Title: playbook.Label{En: text(), Zh: text()}, Lang: "zh", Period: playbook.Units[rnd.IntN(len(playbook.Units))]}
	var value func(depth int) any
	value = func(depth int) any {
		switch n := rnd.IntN(7); {
		case n == 0:
			return nil
		case n == 1:
			return rnd.IntN(2) == 0
		case n == 2:
			return json.Number([]string{"0", "-1", "12", "3.25", "1e3", "-2.5E-7", "123456789012345678901234567890"}[rnd.IntN(7)])
		case n == 3 && depth > 0:
			l := []any{}
			for range rnd.IntN(4) {
				l = append(l, value(depth-1))
			}
			return l
		case n == 4 && depth > 0:
			m := map[string]any{}
			for range rnd.IntN(4) {
				m[text()] = value(depth - 1)
			}
			return m
		}
		return text()
	}
	for i := range 1 + rnd.IntN(4) {
		args := map[string]any{}
		for range rnd.IntN(5) {
			args[text()] = value(3)
		}
		p.Steps = append(p.Steps, playbook.Step{ID: fmt.Sprintf("s%d", i), Tool: "query_metric", Args: args})
	}
	if rnd.IntN(2) == 0 {
		p.Steps = append(p.Steps, playbook.Step{ID: "report", Tool: "make_report", Args: map[string]any{"tables": []any{"{{steps.s0.artifact}}"}}})
		p.Commentary, p.Post = &playbook.Commentary{About: text()}, "#"+text()
	}
	if rnd.IntN(2) == 0 {
		p.Contract.Limits = []playbook.Limit{{Figure: "s0.total", Min: "-1.5"}, {Figure: "s0." + "x", Max: "5%"}}
		p.Contract.Equal = []playbook.Equal{{Name: text(), Left: "s0.total", Right: "s0.rows"}}
		p.Contract.Rows = []playbook.Rows{{Step: "s0", Max: ptr(3)}}
	}
	return p
}

func FuzzRead(f *testing.F) {
	text, err := playbook.Write(sales())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("name: x\nsteps: [{id: a, tool: t, args: {x: &a 1, y: *a}}]"))
	f.Add([]byte("name: x\nsteps:\n- {id: a, tool: t, args: {1: 2, x: 2026-10-01, b: !!binary aGk=}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := playbook.Read(text)
		if err != nil {
			return
		}
		again, err := playbook.Write(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := playbook.Read(again)
		if err != nil {
			t.Fatalf("%v of\n%s", err, again)
		}
		if d := cmp.Diff(p, got); d != "" {
			t.Fatalf("%s\nof\n%s", d, again)
		}
		third, err := playbook.Write(got)
		if err != nil || !bytes.Equal(again, third) {
			t.Fatalf("written twice it is another text, %v", err)
		}
	})
}

func TestFaultsNameTheLineAndTheNearestWord(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"key":        {"name: x\nsteps:\n  - id: a\n    tol: query_metric\n", "line 4: there is no key \"tol\" in a step; the nearest is tool"},
		"twice":      {"name: x\nname: y\n", "line 2: the key \"name\" stands there twice"},
		"later step": {"name: x\nsteps:\n  - {id: a, tool: t, args: {x: \"{{steps.b.artifact}}\"}}\n  - {id: b, tool: t}\n", "the step b comes later"},
		"no step":    {"name: x\nsteps:\n  - {id: regions, tool: t}\n  - {id: b, tool: t, args: {x: \"{{steps.region.artifact}}\"}}\n", "there is no step region; the nearest is regions"},
		"variable":   {"name: x\nperiod: month\nsteps:\n  - {id: a, tool: t, args: {x: \"{{period.begin}}\"}}\n", "there is no such variable; the nearest is period"},
		"no period":  {"name: x\nsteps:\n  - {id: a, tool: t, args: {x: \"{{period}}\"}}\n", "the report has no period"},
		"unit":       {"name: x\nperiod: decade\nsteps:\n  - {id: a, tool: t}\n", "\"decade\" is none of day, week"},
		"post step":  {"name: x\nsteps:\n  - {id: a, tool: post_message}\n", "what is posted is said by post: channel"},
		"no report":  {"name: x\nsteps:\n  - {id: a, tool: t}\npost: {channel: \"#x\"}\n", "there is nothing to post"},
		"contract":   {"name: x\nsteps:\n  - {id: a, tool: t}\ncontract:\n  rows: [{step: b, min: 1}]\n", "there is no step \"b\""},
		"number":     {"name: x\nsteps:\n  - {id: a, tool: t}\ncontract:\n  limits: [{figure: a.total, min: lots}]\n", "\"lots\" is no number"},
		"anchor":     {"name: x\nsteps:\n  - {id: a, tool: t, args: {x: &v 1, y: *v}}\n", "anchors are not read"},
		"hex":        {"name: x\nsteps:\n  - {id: a, tool: t, args: {x: 0x1F}}\n", "0x1F is a number that is not read"},
		"two":        {"name: x\n---\nname: y\n", "a second document begins"},
		"a name":     {"name: Sales Report\nsteps: [{id: a, tool: t}]\n", "\"Sales Report\" is none"},
		"empty":      {"", "no YAML"},
		"not yaml":   {"name: [", "no YAML"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := playbook.Read([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// EXEC: whatever is changed in a report, its hash is another; what is no part of it is not.
func TestTheHashIsOfAllThatIsInTheText(t *testing.T) {
	seen := map[string]string{}
	note := func(what string, p playbook.Playbook) {
		h, err := p.Hash()
		if err != nil || seen[h] != "" {
			t.Errorf("%s has the hash of %s, %v", what, seen[h], err)
		}
		seen[h] = what
	}
	note("the report", sales())
	for what, change := range map[string]func(*playbook.Playbook){
		"name": func(p *playbook.Playbook) { p.Name = "x" }, "title": func(p *playbook.Playbook) { p.Title.Zh = "x" },
		"period": func(p *playbook.Playbook) { p.Period = calendar.Week }, "post": func(p *playbook.Playbook) { p.Post = "#all" },
		"arguments": func(p *playbook.Playbook) { p.Steps[0].Args["measure"] = "orders" }, "order": func(p *playbook.Playbook) { slices.Reverse(p.Steps) },
		"tool": func(p *playbook.Playbook) { p.Steps[1].Tool = "x" }, "contract": func(p *playbook.Playbook) { p.Contract.Fresh[0].Within = 4 },
		"commentary": func(p *playbook.Playbook) { p.Commentary = nil }, "lang": func(p *playbook.Playbook) { p.Lang = "zh" },
	} {
		p := sales()
		change(&p)
		note(what, p)
	}
}

func TestNamesAreMadeOfWhatPeopleSay(t *testing.T) {
	for in, want := range map[string]string{
		"Sales by Region": "sales-by-region", "  Q3, EMEA!  ": "q3-emea", "按地区汇总的销售额": "按地区汇总的销售额", "--": "", "A/B test": "a-b-test",
		strings.Repeat("long ", 40): strings.TrimRight(strings.Repeat("long-", 12), "-"),
	} {
		if got := playbook.Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}
