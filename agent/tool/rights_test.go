package tool_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
)

// X7 What somebody may not use takes no place among what they are told of: it is left out
// before the best are chosen, and is not kept for having been used.
func TestX7WhatIsHiddenTakesNoPlace(t *testing.T) {
	var all []tool.Tool
	for i := range 30 {
		all = append(all, tool.New(tool.Spec{Name: fmt.Sprintf("mail_%d", i), Description: "Send mail.", Effect: tool.Read},
			func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil }))
	}
	set, err := tool.NewSet(all...)
	if err != nil {
		t.Fatal(err)
	}
	c := tool.NewCatalog(set, time.Now)
	c.May = func(_ context.Context, v tool.Viewer, s tool.Spec) bool {
		return v.Person == "lee" || strings.HasSuffix(s.Name, "5")
	}
	told := func(who string) (names []string) {
		for _, s := range c.For(t.Context(), tool.Viewer{Person: who}, "mail", 5, []string{"mail_1"}) {
			names = append(names, s.Name)
		}
		return names
	}
	if got, want := fmt.Sprint(told("ana")), "[mail_5 mail_15 mail_25]"; got != want {
		t.Errorf("told of %s, want %s", got, want)
	}
	if got := told("lee"); len(got) != 5 {
		t.Errorf("who may use all is told of %q", got)
	}
	if _, ok := c.Spec(t.Context(), set.Lookup("mail_1"), tool.Viewer{Person: "ana"}); ok {
		t.Error("a hidden tool has a spec")
	}
}
