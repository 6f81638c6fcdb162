package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

// args has a property of every sort that our tools use.
type args struct {
	Measure string   `json:"measure" jsonschema:"what to add up" tool:"alias=m|metric"`
	By      []string `json:"by,omitempty" jsonschema:"dimensions"`
	Where   []filter `json:"where,omitempty"`
	Top     int      `json:"top,omitempty" tool:"min=1,max=20"`
	Share   float64  `json:"share,omitempty"`
	Compare bool     `json:"compare,omitempty"`
	Note    *string  `json:"note,omitempty"`
}

type filter struct {
	Dimension string   `json:"dimension"`
	Values    []string `json:"values"`
}

func query(run func(args)) tool.Tool {
	return tool.New(tool.Spec{Name: "query"}, func(_ context.Context, _ tool.Call, in args) (tool.Result, error) {
		run(in)
		return tool.Result{}, nil
	})
}

// L4, TOOL-10: bad arguments are a failed result that names the tool and every
// fault, never an error of the program; the tool does not run.
func TestL4BadArgumentsAreAFailedResult(t *testing.T) {
	for given, want := range map[string]string{
		``:                             "measure: is missing",
		`{`:                            "not JSON",
		`[]`:                           "JSON object",
		`{"measure":true}`:             "measure: wants a string; got true",
		`{"measur":"sales"}`:           "measur: is unknown; did you mean measure?",
		`{"measure":"a"}{}`:            "not JSON",
		`{"measure":"a"} x`:            "not JSON",
		`{"measure":"a","measure":""}`: `"measure" is given twice`,
		`{"where":[{"dimension":[]}]}`: "where[0].dimension: wants a string; got a list []",
		`{"measure":"a","top":21}`:     "top: wants a whole number from 1 to 20; got 21",
	} {
		ran := false
		res, err := query(func(args) { ran = true }).Run(t.Context(), tool.Call{Args: json.RawMessage(given)})
		if err != nil || ran || !res.Failed || !strings.HasPrefix(res.Text, "arguments of query: ") || !strings.Contains(res.Text, want) {
			t.Errorf("arguments %s = %+v, %v, ran %t; want it to say %q", given, res, err, ran, want)
		}
	}
}

// Good arguments come to the function as they were written, with the call.
func TestGoodArgumentsComeAsTheyWereWritten(t *testing.T) {
	note := "n"
	want := args{Measure: "sales", By: []string{"region"}, Where: []filter{{"region", []string{"Asia"}}}, Top: 3, Share: 0.5, Compare: true, Note: &note}
	x := tool.New(tool.Spec{Name: "query", Effect: tool.Read}, func(_ context.Context, c tool.Call, in args) (tool.Result, error) {
		if d := cmp.Diff(want, in); d != "" || c.Asker != "ana" {
			t.Errorf("asker %q, arguments (-want +got):\n%s", c.Asker, d)
		}
		return tool.JSON(map[string]int{"n": 7})
	})
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	res, err := x.Run(t.Context(), tool.Call{Asker: "ana", Args: append(body, " \n"...)})
	if err != nil || res.Text != `{"n":7}` || res.Failed {
		t.Errorf("result = %+v, %v", res, err)
	}
	if _, err := tool.JSON(func() {}); err == nil {
		t.Error("a function is JSON")
	}
	if got := tool.Fail("no %s", "sales"); got.Text != "no sales" || !got.Failed {
		t.Errorf("Fail = %+v", got)
	}
}

// TOOL-06, TOOL-12: what can be read in one way only comes to the function as if it
// had been written right, and so does an argument under another of its names.
func TestTOOL12WhatCanBeReadInOneWayIsRead(t *testing.T) {
	var got args
	x := query(func(in args) { got = in })
	res, err := x.Run(t.Context(), tool.Call{Args: json.RawMessage(`{"m":"sales","by":"[\"region\"]","top":"3","compare":"yes","note":null}`)})
	if err != nil || res.Failed {
		t.Fatalf("result = %+v, %v", res, err)
	}
	if d := cmp.Diff(args{Measure: "sales", By: []string{"region"}, Top: 3, Compare: true}, got); d != "" {
		t.Errorf("arguments (-want +got):\n%s", d)
	}
}

// TOOL-09: what a typed tool returns is JSON of its struct, with the schema of that;
// its error is its own.
func TestTOOL09ATypedToolHasASchemaOfWhatItReturns(t *testing.T) {
	type report struct {
		Total float64 `json:"total_amount"`
		Count int     `json:"order_count"`
	}
	fail := errors.New("no database")
	x := tool.NewTyped(tool.Spec{Name: "get_sales_report", Effect: tool.Read}, func(_ context.Context, _ tool.Call, in struct {
		Start string `json:"start_date" tool:"format=date"`
	},
	) (report, error) {
		if in.Start == "2024-01-02" {
			return report{}, fail
		}
		return report{1.5, 2}, nil
	})
	res, err := x.Run(t.Context(), tool.Call{Args: json.RawMessage(`{"start_date":"2024/1/1"}`)})
	if err != nil || res.Text != `{"total_amount":1.5,"order_count":2}` {
		t.Errorf("result = %+v, %v", res, err)
	}
	if notes, err := tool.CheckOutput(x, res); err != nil || len(notes) != 0 {
		t.Errorf("its own result: %v, %v", notes, err)
	}
	if _, err := tool.CheckOutput(x, tool.Result{Text: `{"total_amount":1.5}`}); err == nil || err.Type != tool.LogicError || !strings.Contains(err.Message, "order_count: is missing") {
		t.Errorf("a result without order_count = %v", err)
	}
	if _, err := x.Run(t.Context(), tool.Call{Args: json.RawMessage(`{"start_date":"2024-01-02"}`)}); !errors.Is(err, fail) {
		t.Errorf("its error = %v", err)
	}
}
