package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hermes/agent/tool"
)

type noted[In any] struct{}

// said is the text with which NewTyped refuses a struct of arguments.
func (noted[In]) said() (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	tool.NewTyped(tool.Spec{Name: "get_orders"}, func(context.Context, tool.Call, In) (struct{}, error) { return struct{}{}, nil })
	return ""
}

// TOOL-02, TOOL-08: arguments that nobody could give, or that would be lost without a
// word, are refused when the tool is made: with its name, the field, what is wrong and
// what to do.
func TestTOOL08TagsThatNothingFulfilsAreRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		got   string
		wants []string // none: it is taken
	}{
		"crossed bounds": {noted[struct {
			Top int `json:"top" tool:"min=5,max=1"`
		}]{}.said(), []string{"top: min 5 is above max 1", "swap them"}},
		"crossed lengths": {noted[struct {
			Name string `json:"name" tool:"min=5,max=1"`
		}]{}.said(), []string{"name: min 5 is above max 1"}},
		"crossed counts further in": {noted[struct {
			Where []struct {
				Days []string `json:"days" tool:"min=5,max=1"`
			} `json:"where"`
		}]{}.said(), []string{"where[].days: min 5 is above max 1"}},
		"a default outside": {noted[struct {
			Top int `json:"top" tool:"min=1,max=5,default=9"`
		}]{}.said(), []string{"top: the default 9 is refused", "from 1 to 5", "give another default"}},
		"a default that is no choice": {noted[struct {
			Kind string `json:"kind" tool:"default=z,enum=x|y"`
		}]{}.said(), []string{`kind: the default "z" is refused`, "x", "y"}},
		"a choice outside": {noted[struct {
			Level int `json:"level" tool:"enum=1|9,max=5"`
		}]{}.said(), []string{"level: the choice 9 can never be made"}},
		"a length below none": {noted[struct {
			Name string `json:"name" tool:"min=-1"`
		}]{}.said(), []string{"name/minLength", "from 0"}},
		"a rule twice": {noted[struct {
			Top int `json:"top" tool:"min=1,min=2"`
		}]{}.said(), []string{"Top: ", "min is there twice"}},
		"a name twice": {noted[struct {
			Top int
			B   int `json:"Top"`
		}]{}.said(), []string{`B: it has the json name "Top" of Top`, "give it another"}},
		"another name twice": {noted[struct {
			A int `json:"first" tool:"alias=x"`
			B int `json:"second" tool:"alias=x"`
		}]{}.said(), []string{`B: `, `alias "x" cannot be another name of second`}},
		"no struct": {noted[int]{}.said(), []string{"schema of int: arguments are a struct"}},
		"a list":    {noted[[]string]{}.said(), []string{"arguments are a struct"}},
		"nothing is exported": {noted[struct {
			top int
		}]{}.said(), []string{"top: no field of", "capitals"}},
		"a tag that nobody reads": {noted[struct {
			Top  int `json:"top"`
			kind int `tool:"max=3"` //nolint:unused // that is the fault
		}]{}.said(), []string{"kind: it has a tag and is not exported"}},
		"an unknown rule": {noted[struct {
			Top int `json:"top" tool:"least=1"`
		}]{}.said(), []string{"Top: ", `there is no "least"`}},
		"the length of a string": {noted[struct {
			Name string `json:"name" tool:"min=1,max=1"`
		}]{}.said(), nil},
		"no arguments": {noted[struct{}]{}.said(), nil},
		"a default and a choice at the bounds": {noted[struct {
			Top int `json:"top" tool:"min=1,max=5,default=5,enum=1|5"`
		}]{}.said(), nil},
	} {
		if len(tt.wants) == 0 && tt.got != "" {
			t.Errorf("%s is refused: %s", name, tt.got)
		}
		for _, want := range append(tt.wants, "tool get_orders: ") {
			if len(tt.wants) > 0 && !strings.Contains(tt.got, want) {
				t.Errorf("%s: it says %q, want %q", name, tt.got, want)
			}
		}
	}
}

// A schema that is written by hand is held to the same when the set is made.
func TestASetRefusesASchemaThatNothingFulfils(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"top":{"type":"integer","minimum":5,"maximum":1}}}`: "tool get_orders: its schema: top: min 5 is above max 1",
		`{"type":"object","properties":{"top":{"type":"integer","maximum":1,"default":2}}}`: "tool get_orders: its schema: top: the default 2 is refused",
		`{"type":"integer"}`: "tool get_orders: its schema: arguments are an object",
	} {
		s := good("get_orders")
		s.Schema = json.RawMessage(schema)
		if _, err := tool.NewSet(bare(s)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NewSet of %s = %v, want %q", schema, err, want)
		}
		if found := strings.Join(tool.Lint([]tool.Spec{s}), "\n"); !strings.Contains(found, strings.TrimPrefix(want, "tool get_orders: ")) {
			t.Errorf("Lint of %s = %q", schema, found)
		}
	}
}

// TOOL-04: a name of another style, one that nobody could call, and one by which a
// model ends its work are refused when the set is made.
func TestTOOL04ASetRefusesNames(t *testing.T) {
	for name, want := range map[string]string{
		"":                      `tool "": its name is empty; give it one`,
		"do it!":                `tool "do it!": names are words in small letters joined by _: call it do_it`,
		"!":                     `tool "!": names are words in small letters`,
		"getUserOrders":         "call it get_user_orders",
		"get-orders":            "call it get_orders",
		"finish":                `tool "finish": the name finish is reserved`,
		"final_answer":          "is reserved",
		strings.Repeat("a", 65): "has 65 letters",
	} {
		if _, err := tool.NewSet(bare(good("list_refunds")), bare(good(name))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NewSet of %q = %v, want %q", name, err, want)
		}
	}
	s := good("close_order")
	s.Formerly = map[string]json.RawMessage{"finish": nil}
	if _, err := tool.NewSet(bare(s)); err == nil || !strings.Contains(err.Error(), "the name finish is reserved") {
		t.Errorf("NewSet with the former name finish = %v", err)
	}
	s.Formerly = map[string]json.RawMessage{"closeOrder": nil} // old histories have it
	if _, err := tool.NewSet(bare(s)); err != nil {
		t.Errorf("NewSet with a former name of another style: %v", err)
	}
}

// bare is a tool that has nothing but its Spec.
func bare(s tool.Spec) tool.Tool {
	return tool.New(s, func(context.Context, tool.Call, json.RawMessage) (tool.Result, error) { return tool.Result{}, nil })
}
