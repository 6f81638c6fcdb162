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

// returning is a tool whose results have that schema, or none.
func returning(output string) tool.Tool {
	return tool.New(tool.Spec{Name: "fetch", Effect: tool.Read, Output: json.RawMessage(output)},
		func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil })
}

const weather = `{"type":"object","properties":{"temperature":{"type":"number"},"condition":{"type":"string"},"wind":{"type":["null","number"]}},"required":["temperature","condition"]}`

// TOOL-09, ERR-20: what a tool returns is held against what it promises. What cannot
// be used is a LogicError that says why; it is no success.
func TestTOOL09WhatIsReturnedIsChecked(t *testing.T) {
	for name, tt := range map[string]struct{ schema, text, want string }{
		"as promised":              {weather, `{"temperature":21.5,"condition":"rain","wind":3}`, ""},
		"more than promised":       {weather, `{"temperature":21.5,"condition":"rain","wind":3,"source":"x"}`, ""},
		"a field is missing":       {weather, `{"temperature":21.5}`, "condition: is missing"},
		"a number came as text":    {weather, `{"temperature":"21.5","condition":"rain"}`, `temperature: wants a number; got "21.5"`},
		"no JSON":                  {weather, `sunny`, "it is not JSON"},
		"another shape":            {weather, `[]`, "wants an object"},
		"not a number":             {weather, `{"temperature":NaN,"condition":"rain"}`, "it has NaN, which is no number"},
		"no end":                   {``, `{"temperature":-Infinity}`, "it has -Infinity, which is no number"},
		"larger than any number":   {weather, `{"temperature":9e999,"condition":"rain"}`, "it has 9e999, which is no number"},
		"and deep within":          {``, `{"rows":[["Asia",1],["EMEA",{"of":-1e400}]]}`, "it has -1e400, which is no number"},
		"so many digits":           {``, `[1` + strings.Repeat("0", 400) + `]`, "…, which is no number"},
		"the largest":              {``, `[1.7976931348623157e308, 1e-999, "9e999"]`, ""},
		"the word alone":           {``, `{"condition":"NaN \" Infinity"}`, ""},
		"words without a promise":  {``, `Infinity is a long time {`, ""},
		"an empty list":            {``, `[]`, ""},
		"a schema nobody can read": {`{`, `{}`, "its own schema cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tool.CheckOutput(returning(tt.schema), tool.Result{Text: tt.text})
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != "" && (err == nil || err.Type != tool.LogicError || err.Tool != "fetch" || err.Suggestion == "" || !strings.Contains(err.Message, tt.want)):
				t.Errorf("error = %+v, want %s", err, tt.want)
			}
		})
	}
}

// ERR-18, ERR-19: a good answer that says in its body that all is not well is no
// data. What says nothing of the kind, an empty list above all, is.
func TestERR18SoftErrorsAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"code":500,"message":"boom","data":null}`:                "code 500 with null as data",
		`{"code":"500","data":null}`:                               `code "500" with null as data`,
		`{"errcode":40013,"errmsg":"invalid appid","result":null}`: "errcode 40013 with null as data",
		`{"status":503,"body":null}`:                               "status 503 with null as data",
		`{"status":"error","message":"user not found"}`:            `status "error" ("user not found")`,
		`{"status":"NOT_FOUND"}`:                                   `status "NOT_FOUND"`,
		`{"status":"失败","msg":"没有权限"}`:                             `status "失败" ("没有权限")`,
		`{"error":"quota exceeded","data":[1]}`:                    `error: "quota exceeded"`,
		`{"error":{"code":1,"message":"x"}}`:                       "error an object",
		`{"errors":[{"message":"x"}],"data":null}`:                 "errors a list",
		`{"success":false,"msg":"no"}`:                             `success false ("no")`,
		`{"ok":false}`:                                             "ok false",
		`{"isError":true}`:                                         "isError true",
		`{"code":404,"message":"no such page"}`:                    "code 404",

		`{"code":0,"data":[]}`:                            "",
		`{"code":200,"message":"ok","data":null}`:         "",
		`{"status":"ok","items":[]}`:                      "",
		`{"status":"shipped","error":null,"errors":[]}`:   "",
		`{"errors":3,"error":0.02}`:                       "",
		`{"error":"","success":true}`:                     "",
		`{"code":404,"city":"Atlanta"}`:                   "",
		`{"status":3,"data":null}`:                        "",
		`{"results":[{"status":"error"}],"message":"hi"}`: "",
		`[]`:                         "",
		`[{"error":"x"}]`:            "",
		`{"status":"error`:           "",
		`not found`:                  "",
		`{"orders":[],"state":"GA"}`: "",
	} {
		_, err := tool.CheckOutput(returning(""), tool.Result{Text: text})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s is refused: %v", text, err)
		case want != "" && (err == nil || err.Type != tool.LogicError || !strings.Contains(err.Message, "it says "+want)):
			t.Errorf("%s = %+v, want %s", text, err, want)
		}
	}
}

// ERR-19: what the tool's own schema has as a property is data to it, but for a code
// of failure beside nothing.
func TestERR19APropertyOfTheSchemaIsData(t *testing.T) {
	x := returning(`{"type":"object","properties":{"status":{"enum":["paid","failed"]},"errors":{"type":"array"},"code":{"type":"integer"},"data":{}}}`)
	for text, bad := range map[string]bool{`{"status":"failed"}`: false, `{"errors":["a"]}`: false, `{"code":500,"data":null}`: true} {
		if _, err := tool.CheckOutput(x, tool.Result{Text: text}); (err != nil) != bad {
			t.Errorf("%s = %v", text, err)
		}
	}
}

// checker is a tool that says itself what it takes for a good result.
type checker struct {
	tool.Tool
	err error
}

func (c checker) Check(tool.Result) error { return c.err }

// ERR-20: a tool that checks its own result has the last word on it; nothing is
// guessed then. Its schema holds all the same.
func TestERR20AToolMayCheckItsOwnResult(t *testing.T) {
	odd := tool.Result{Text: `{"status":"error"}`}
	if _, err := tool.CheckOutput(checker{returning(""), nil}, odd); err != nil {
		t.Errorf("the tool says it is good: %v", err)
	}
	own := errors.New("the sum is not that of the parts")
	if _, err := tool.CheckOutput(checker{returning(""), own}, odd); err == nil || err.Type != tool.LogicError || !errors.Is(err, own) || !strings.Contains(err.Message, own.Error()) {
		t.Errorf("the tool says it is bad: %+v", err)
	}
	typed := tool.Failf(tool.NetworkError, "half of it came")
	if _, err := tool.CheckOutput(checker{returning(""), typed}, odd); err == nil || err.Type != tool.NetworkError || err.Tool != "fetch" || typed.Tool != "" {
		t.Errorf("the tool says of what type it is: %+v", err)
	}
	if _, err := tool.CheckOutput(checker{returning(weather), nil}, odd); err == nil {
		t.Error("its schema is not looked at")
	}
	x := tool.Lazy(returning("").Spec(), func(context.Context) (tool.Tool, error) { return checker{returning(""), own}, nil })
	if _, err := x.Run(t.Context(), tool.Call{}); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.CheckOutput(x, odd); !errors.Is(err, own) {
		t.Errorf("a lazy tool's own check: %v", err)
	}
}

// A result that has failed, asks or posts holds no data to check.
func TestWhatHoldsNoDataIsNotChecked(t *testing.T) {
	for _, res := range []tool.Result{{Text: "x", Failed: true}, {Ask: &tool.Ask{}}, {Post: &tool.Post{}}} {
		if notes, err := tool.CheckOutput(returning(weather), res); err != nil || notes != nil {
			t.Errorf("%+v = %v, %v", res, notes, err)
		}
	}
}

// TOOL-24: null is told apart from what was not returned, so that nobody says there
// is no e-mail address because a field was left out.
func TestTOOL24WhatWasNotReturnedIsSaid(t *testing.T) {
	type user struct {
		Name  string  `json:"name"`
		Email *string `json:"email,omitempty" tool:"nullable"`
		Phone *string `json:"phone,omitempty" tool:"nullable"`
		Title *string `json:"title,omitempty"`
	}
	one, many := string(tool.OutputOf[user]()), string(tool.OutputOf[struct {
		Users []user `json:"users"`
	}]())
	ref := `{"$ref":"#/$defs/u","$defs":{"u":{"type":"object","properties":{"email":{"anyOf":[{"type":"string"},{"type":"null"}]},"of":{"$ref":"#/$defs/u"}}}}}`
	for text, tt := range map[string]struct {
		schema string
		want   []string
	}{
		`{"name":"a","email":null,"phone":"1"}`:                                     {one, nil},
		`{"name":"a","phone":null}`:                                                 {one, []string{"email: not returned, which does not mean that there is none"}},
		`{"users":[{"name":"a","phone":"1"},{"name":"b","phone":"2","email":"x"}]}`: {many, []string{"users[].email: not returned for 1 of 2, which does not mean that there is none"}},
		`{"users":[]}`:           {many, nil},
		`{"of":{"email":null}}`:  {ref, []string{"email: not returned, which does not mean that there is none"}},
		`{"name":"no promises"}`: {"", nil},
	} {
		notes, err := tool.CheckOutput(returning(tt.schema), tool.Result{Text: text})
		if d := cmp.Diff(tt.want, notes); d != "" || err != nil {
			t.Errorf("%s: %v, notes (-want +got):\n%s", text, err, d)
		}
	}
}

// RES-02 Some rows that are wrong are left to whoever reads the result, who leaves
// them out; all rows, or anything beside the rows, make it a failure.
func TestRES02SomeWrongRowsAreNoFailure(t *testing.T) {
	type out struct {
		Rows []struct {
			N int `json:"n"`
		} `json:"rows"`
		Of string `json:"of"`
	}
	typed := tool.NewTyped(tool.Spec{Name: "rows", Description: "Rows.", Effect: tool.Read}, func(context.Context, tool.Call, struct{}) (out, error) { return out{}, nil })
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"one of three":       {`{"rows":[{"n":1},{"n":"x"},{"n":3}],"of":"a"}`, true},
		"all":                {`{"rows":[{"n":"x"},{}],"of":"a"}`, false},
		"one, and the rest":  {`{"rows":[{"n":1},{"n":"x"}]}`, false},
		"the only one":       {`{"rows":[{"n":"x"}],"of":"a"}`, false},
		"none":               {`{"rows":[],"of":"a"}`, true},
		"what is not a list": {`{"rows":{"0":{"n":"x"}},"of":"a"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := tool.CheckOutput(typed, tool.Result{Text: tt.text}); (err == nil) != tt.want {
				t.Errorf("CheckOutput = %v, want a success: %t", err, tt.want)
			}
		})
	}
}
