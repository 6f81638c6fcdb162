package playbook_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// A done run has steps of calls with what came of them.
type did struct{ id, tool, args, said string }

func doneRun(text string, steps ...[]did) run.Run {
	r := run.Run{State: run.Done, Created: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	r.Request = run.Request{Key: "k", Text: text, Lang: "en", Zone: "Europe/Berlin", Now: time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC)}
	for _, step := range steps {
		var s run.Step
		for _, d := range step {
			s.Reply.Message.Calls = append(s.Reply.Message.Calls, llm.Call{ID: d.id, Name: d.tool, Args: json.RawMessage(d.args)})
			s.Results = append(s.Results, run.Result{Result: llm.Result{ID: d.id, Text: d.said, Failed: strings.HasPrefix(d.said, "failed")}, Under: "q1"})
		}
		r.Steps = append(r.Steps, s)
	}
	return r
}

const (
	tableA  = `{"table":"a000000000001","title":"Sales by region, October 2026","period":{"from":"2026-10-01","to":"2026-10-31"},"rows":[["Asia",1],["Europe",2]],"row_count":2}`
	tableB  = `{"table":"a000000000002","title":"Query","rows":[["x",3]],"row_count":1}`
	reportC = `{"report":"a000000000003","hash":"h","title":"Sales by region, October 2026"}`
)

func TestARunIsPinnedWithPeriodsAndReferences(t *testing.T) {
	r := doneRun("last month's sales by region, post it to #sales",
		[]did{{"c0", "query_metric", `{"measure":"profit"}`, "failed: no"}},
		[]did{
			{"c1", "query_metric", `{"measure":"sales","by":["region"],"period":"last_month"}`, tableA},
			{"c2", "query_database", `{"sql":"SELECT 1 FROM t WHERE d >= '2026-10-01' AND d < '2026-11-01' AND e = '2026-10-15' -- 2026-09"}`, tableB},
			{"c9", "query_metric", `{"measure":"orders"}`, strings.Replace(tableA, "a000000000001", "a000000000009", 1)},
		},
		[]did{{"c3", "make_report", `{"tables":["a000000000001","a000000000002"],"title":"Sales in October 2026","commentary":"Up a lot."}`, reportC}},
		[]did{{"c4", "post_message", `{"report":"a000000000003","channel":"#sales"}`, `{"posted":true,"to":"p","link":"l"}`}},
		[]did{{"c5", "remember", `{"text":"x"}`, `noted`}},
	)
	p, notes, err := playbook.Pin(r, playbook.Pinning{Name: "sales"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := playbook.Write(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `name: sales
title:
  en: Sales by region
lang: en
period: month
steps:
  - id: by_region
    tool: query_metric
    args:
      by: [region]
      measure: sales
      period: "{{period}}"
  - id: q
    tool: query_database
    args:
      sql: "SELECT 1 FROM t WHERE d >= '{{period.start}}' AND d < '{{period.until}}' AND e = '2026-10-15' -- {{previous}}"
  - id: report
    tool: make_report
    args:
      tables: ["{{steps.by_region.artifact}}", "{{steps.q.artifact}}"]
      title: "Sales in {{period.label}}"
commentary:
  write: ""
post:
  channel: '#sales'
`
	if string(text) != want {
		t.Errorf("pinned as\n%s", text)
	}
	var said []string
	for _, n := range notes {
		said = append(said, n.En)
		if n.Zh == "" {
			t.Errorf("%q is not said in Chinese", n.En)
		}
	}
	for _, part := range []string{"“remember” is not repeated", "writes them anew", "keeps the day 2026-10-15"} {
		if !strings.Contains(strings.Join(said, "\n"), part) {
			t.Errorf("no note says %q: %q", part, said)
		}
	}
}

func TestWhatCannotBePinnedIsNamed(t *testing.T) {
	query := did{"c1", "query_metric", `{"measure":"sales","by":["region"]}`, tableA}
	for name, c := range map[string]struct {
		r    run.Run
		err  error
		note string
	}{
		"no figures": {doneRun("hi", []did{{"c1", "memory_list", `{}`, `[]`}}), playbook.ErrNothing, ""},
		"under way":  {run.Run{State: run.Working}, playbook.ErrUnended, ""},
		"a file": {doneRun("report of the file", []did{query}, []did{{"c3", "make_report", `{"tables":["a000000000001","a00000000000f"]}`, reportC}}),
			playbook.ErrUnpinned, ""},
		"copied": {doneRun("sales of the best region by product", []did{query},
			[]did{{"c2", "query_metric", `{"measure":"sales","by":["product"],"where":[{"dimension":"region","values":["Europe"]}]}`, strings.Replace(tableA, "01", "02", 1)}},
			[]did{{"c3", "make_report", `{"tables":["a000000000001","a000000000002"]}`, reportC}}), nil, "“Europe” in step by_product came out of step by_region"},
		"own clock": {doneRun("x", []did{{"c2", "query_database", `{"sql":"SELECT sum(a) FROM t WHERE d >= date('now','-1 month')"}`, tableB}}), nil, "asks the database's own clock"},
		"odd time": {doneRun("x", []did{{"c1", "query_metric", `{"measure":"sales","period":"last_10_days"}`, strings.Replace(tableA, "2026-10-31", "2026-10-10", 1)}}), nil,
			"no whole day, week"},
	} {
		t.Run(name, func(t *testing.T) {
			p, notes, err := playbook.Pin(c.r, playbook.Pinning{Name: "x"})
			if !errors.Is(err, c.err) || c.err == nil && err != nil {
				t.Fatalf("%v, want %v", err, c.err)
			}
			if c.note != "" && !strings.Contains(fmt.Sprint(notes), c.note) {
				t.Errorf("no note says %q: %v", c.note, notes)
			}
			if err == nil && p.Report() < 0 {
				t.Error("it makes no report")
			}
		})
	}
}

// Next goes by what stands in the run: after a crash at any point it decides the same.
func TestNextTakesStepsInOrderAndEnds(t *testing.T) {
	book := sales()
	hash, err := book.Hash()
	if err != nil {
		t.Fatal(err)
	}
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r := run.Run{State: run.Working}
	r.Request = run.Request{Key: "job/j1", Lang: "en", Now: time.Date(2026, 12, 1, 9, 0, 0, 0, loc), Zone: "Europe/Berlin"}
	r.Saved = &run.Saved{Name: book.Name, Hash: hash, Channel: "#sales", Period: run.Period{From: time.Date(2026, 11, 1, 0, 0, 0, 0, loc), To: time.Date(2026, 12, 1, 0, 0, 0, 0, loc)}}
	next := func(want string) playbook.Decision {
		t.Helper()
		d, err := book.Next(r, loc, true)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("write=%t end=%t", d.Write, d.End != nil)
		for _, c := range d.Calls {
			got += " " + c.ID
		}
		if got != want {
			t.Fatalf("next is %q, want %q", got, want)
		}
		return d
	}
	take := func(d playbook.Decision, said ...string) {
		var s run.Step
		for i, c := range d.Calls {
			s.Reply.Message.Calls = append(s.Reply.Message.Calls, llm.Call{ID: c.ID, Name: c.Name, Args: c.Args})
			res := run.Result{Result: llm.Result{ID: c.ID, Text: said[i], Failed: strings.HasPrefix(said[i], "failed")}}
			if said[i] == "remade" {
				res.Failed, res.Unrun = true, run.Remade
			}
			s.Results = append(s.Results, res)
		}
		r.Steps = append(r.Steps, s)
	}
	d := next("write=false end=false p1-s-by_region p1-s-by_day")
	if got := string(d.Calls[0].Args); !strings.Contains(got, `"period":"2026-11"`) {
		t.Errorf("arguments are %s", got)
	}
	if got := string(d.Calls[1].Args); !strings.Contains(got, `'2026-11-01' AND '2026-11-30'`) {
		t.Errorf("arguments are %s", got)
	}
	take(d, tableA, tableB)
	next("write=true end=false")
	r.Steps = append(r.Steps, run.Step{Form: playbook.Written, Reply: llm.Reply{Message: llm.Message{Text: "North led with {{period}}."}}})
	d = next("write=false end=false p1-s-report")
	if got := string(d.Calls[0].Args); !strings.Contains(got, `"commentary":"North led with { {period} }."`) || !strings.Contains(got, "a000000000001") {
		t.Errorf("arguments are %s", got)
	}
	take(d, reportC)
	take(next("write=false end=false p1-check"), `{"met":false,"checks":[{"ok":false,"text":"no rows"}]}`)
	if got := fmt.Sprint(playbook.Broken(r)); got != "[no rows]" {
		t.Errorf("broken is %s", got)
	}
	take(next("write=false end=false p1-post"), "remade")
	d = next("write=false end=false p2-s-by_region p2-s-by_day")
	take(d, tableA, "failed: the source is away")
	if d = next("write=false end=true"); d.End.Failed != "by_day" || !strings.Contains(d.End.Why, "away") {
		t.Errorf("end is %+v", d.End)
	}
	r.From = len(r.Steps) // somebody presses Continue
	next("write=false end=false p3-s-by_region p3-s-by_day")
}

func TestAContractIsHeldAgainstFigures(t *testing.T) {
	grid := func(g tool.Grid, meta string) tool.Artifact {
		b, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		return tool.Artifact{Kind: tool.Table, Body: b, Meta: []byte(meta)}
	}
	value := tool.Column{Key: "sales", Role: tool.RoleValue, Scale: 2}
	tables := map[string]tool.Artifact{
		"a": grid(tool.Grid{Measure: "sales", Columns: []tool.Column{{Key: "region", Role: tool.RoleBy}, value, {Key: "sales_previous_period", Role: tool.RolePrevious}},
			Rows: [][]any{{"Asia", 10.5, 8.0}, {"Europe", 20.0, 12.0}}}, `{"totals":{"value":30.5,"previous":20}}`),
		"b": grid(tool.Grid{Measure: "sales", Columns: []tool.Column{{Key: "day", Role: tool.RoleBy}, value},
			Rows: [][]any{{"2026-10-29", 30.0}, {"2026-10-30", 0.4}, {"2026-10-31", nil}}}, ""),
	}
	at := playbook.Time{Period: run.Period{From: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}, Zone: time.UTC}
	for want, c := range map[string]playbook.Contract{
		"true rows of a: 2, from 1 to 2 are wanted":                             {Rows: []playbook.Rows{{Step: "a", Min: ptr(1), Max: ptr(2)}}},
		"false rows of a: 2, at least 3 wanted":                                 {Rows: []playbook.Rows{{Step: "a", Min: ptr(3)}}},
		"true newest day of b: 2026-10-30, at least 2026-10-30 wanted":          {Fresh: []playbook.Fresh{{Step: "b", Within: 1}}},
		"false newest day of b: 2026-10-30, at least 2026-10-31 wanted":         {Fresh: []playbook.Fresh{{Step: "b"}}},
		"false sum: a.total is 30.50 and b.sales is 30.40; they differ by 0.10": {Equal: []playbook.Equal{{Name: "sum", Left: "a.total", Right: "b.sales"}}},
		"true a.total 30.50 = b.sales 30.40 (tolerance 0.5%)":                   {Equal: []playbook.Equal{{Left: "a.total", Right: "b.sales", Tolerance: "0.5%"}}},
		"false a.change is 52.5%, from -50% to 50% wanted":                      {Limits: []playbook.Limit{{Figure: "a.change", Min: "-50%", Max: "50%"}}},
		"true a.sales.max is 20.00, at least 20 wanted":                         {Limits: []playbook.Limit{{Figure: "a.sales.max", Min: "20"}}},
		"false a.sale: there is no such figure; the nearest is sales":           {Limits: []playbook.Limit{{Figure: "a.sale", Min: "1"}}},
		"false c has no table to be looked at":                                  {Rows: []playbook.Rows{{Step: "c", Min: ptr(1)}}},
		"false the report says nothing of “Outlook”":                            {Sections: []string{"Outlook"}},
		"true the report says “Analysis”":                                       {Sections: []string{"Analysis"}},
	} {
		v := c.Judge(tables, tool.Artifact{Body: []byte("# x\n\n## Analysis\n")}, at)
		if len(v.Checks) != 1 || fmt.Sprintf("%t %s", v.Checks[0].OK, v.Checks[0].Text) != want || v.Met != v.Checks[0].OK {
			t.Errorf("%+v, want %q", v, want)
		}
		at.Lang = "zh"
		if zh := c.Judge(tables, tool.Artifact{Body: []byte("## Analysis")}, at); zh.Checks[0].Text == v.Checks[0].Text {
			t.Errorf("%q is not said in Chinese", v.Checks[0].Text)
		}
		at.Lang = ""
	}
}
