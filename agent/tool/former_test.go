package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

type volume struct {
	Radio string `json:"radio" jsonschema:"which"`
	To    string `json:"to" tool:"enum=on|off"`
}

// radio has taken the place of radio_on and radio_off.
func radio() tool.Tool {
	return tool.New(tool.Spec{Name: "radio", Version: 2, Formerly: map[string]json.RawMessage{
		"radio_on": json.RawMessage(`{"to":"on"}`), "radio_off": json.RawMessage(`{"to":"off"}`), "wireless": nil,
	}}, func(_ context.Context, _ tool.Call, in volume) (tool.Result, error) {
		return tool.Result{Text: in.Radio + " " + in.To}, nil
	})
}

// TOOL-26, FAIL-28: a tool answers to the names that it had, and what such a name said
// goes without saying; it is told by its name of today, in old histories too.
func TestTOOL26AToolAnswersToTheNamesThatItHad(t *testing.T) {
	set, err := tool.NewSet(radio(), named("lamp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, args, want, told string }{
		{"radio_off", `{"radio":"kitchen"}`, "kitchen off", `{"radio":"kitchen","to":"off"}`},
		{"radio_on", `{"radio":"kitchen"}`, "kitchen on", `{"radio":"kitchen","to":"on"}`},
		{"radio_on", `{"radio":"kitchen","to":"off"}`, "kitchen off", `{"radio":"kitchen","to":"off"}`},
		{"wireless", `{"radio":"hall","to":"off"}`, "hall off", `{"radio":"hall","to":"off"}`},
		{"radio", `{"radio":"hall","to":"off"}`, "hall off", `{"radio":"hall","to":"off"}`},
	} {
		got := set.Lookup(tt.name)
		if got == nil || got.Spec().Name != "radio" {
			t.Fatalf("%s is %v, want the radio", tt.name, got)
		}
		if c := tool.Check(got.Spec(), json.RawMessage(tt.args), tool.CheckOptions{}); !c.Valid || string(c.Args) != tt.told {
			t.Errorf("%s: Check = %+v, %s; want %s", tt.name, c.Strict, c.Args, tt.told)
		}
		if res, err := got.Run(t.Context(), tool.Call{Args: json.RawMessage(tt.args)}); err != nil || res.Text != tt.want {
			t.Errorf("%s = %+v, %v; want %q", tt.name, res, err, tt.want)
		}
		if args, changed := got.Spec().Upgrade(json.RawMessage(tt.args)); string(args) != tt.told || changed != (tt.args != tt.told) {
			t.Errorf("%s: an old call is told as %s, %t; want %s", tt.name, args, changed, tt.told)
		}
	}
	if c := tool.Check(set.Lookup("radio").Spec(), json.RawMessage(`{"radio":"hall"}`), tool.CheckOptions{}); len(c.Missing) != 1 {
		t.Errorf("by its own name nothing goes without saying: %+v", c)
	}
	if set.Lookup("television") != nil {
		t.Error("it answers to a name that nobody had")
	}
	want := map[string]string{"radio": "radio", "radio_on": "radio", "radio_off": "radio", "wireless": "radio", "lamp": "lamp"}
	if d := cmp.Diff(want, tool.Names(set.Specs())); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
}

// A former name keeps its tool on the list that a model is told, by the name of today.
func TestAFormerNameKeepsItsTool(t *testing.T) {
	set, err := tool.NewSet(named("lamp"), named("door"), radio())
	if err != nil {
		t.Fatal(err)
	}
	told := tool.NewCatalog(set, time.Now).For(t.Context(), tool.Viewer{}, "lamp and door", 2, []string{"radio_off"})
	var names []string
	for _, s := range told {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); !strings.Contains(got, "radio") || strings.Contains(got, "radio_off") {
		t.Errorf("told of %s", got)
	}
}

// Two tools share no name, be it a former one.
func TestAFormerNameIsNobodyElses(t *testing.T) {
	for _, tools := range [][]tool.Tool{{radio(), named("radio_off")}, {named("radio_off"), radio()}} {
		if _, err := tool.NewSet(tools...); err == nil || !strings.Contains(err.Error(), `"radio_off"`) {
			t.Errorf("NewSet = %v, want the name that two have", err)
		}
	}
}

func named(name string) tool.Tool {
	return tool.New(tool.Spec{Name: name, Description: name}, func(context.Context, tool.Call, struct{}) (tool.Result, error) {
		return tool.Result{}, nil
	})
}
