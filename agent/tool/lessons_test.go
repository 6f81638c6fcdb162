package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
)

// after is a Catalog that has learned what another has, as after a restart.
func after(t *testing.T, c *tool.Catalog, now *time.Time, tools ...tool.Tool) *tool.Catalog {
	t.Helper()
	text, news := "", false
	if c != nil {
		if text, news = c.Lessons(); !news {
			t.Fatal("there is nothing to keep")
		}
	}
	set, err := tool.NewSet(tools...)
	if err != nil {
		t.Fatal(err)
	}
	next := tool.NewCatalog(set, func() time.Time { return *now })
	if err := next.Learn(text); err != nil {
		t.Fatal(err)
	}
	return next
}

func describe(t *testing.T, c *tool.Catalog) string {
	t.Helper()
	return c.For(t.Context(), tool.Viewer{}, "", 0, nil)[0].Text()
}

// TOOL-23: what was wrong three times is warned of after a restart, and ten good calls
// are counted over several.
func TestTOOL23WarningsSurviveARestart(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	c := after(t, nil, &now, mailer())
	for range 3 {
		c = after(t, c, &now, mailer())
		c.Failed("send_mail", tool.Failf(tool.LogicError, "x"))
	}
	for i := range 10 {
		c = after(t, c, &now, mailer())
		if text := describe(t, c); !strings.Contains(text, "WARNING") {
			t.Errorf("after %d good calls: %q", i, text)
		}
		c.Succeeded("send_mail")
	}
	c = after(t, c, &now, mailer())
	if text := describe(t, c); strings.Contains(text, "WARNING") {
		t.Errorf("after ten good calls: %q", text)
	}
	c.Lessons()
	if _, news := c.Lessons(); news {
		t.Error("what was kept is kept again")
	}
	if err := c.Learn("{"); err == nil {
		t.Error("what cannot be read is learned")
	}
}

// TOOL-27: a change is told to twenty runs, counted over restarts; then no more.
func TestTOOL27AChangeIsToldToTwentyRuns(t *testing.T) {
	now := changed.Add(time.Hour)
	still := tool.New(moved, func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil })
	c := after(t, nil, &now, still)
	for i := range 20 {
		if text := describe(t, c); !strings.Contains(text, "Changed lately: start is now called start_date") {
			t.Fatalf("to run %d it says %q", i+1, text)
		}
		c.Told(c.For(t.Context(), tool.Viewer{}, "", 0, nil))
		c = after(t, c, &now, still)
	}
	if text := describe(t, c); strings.Contains(text, "Changed") {
		t.Errorf("to run 21 it says %q", text)
	}
}

// TOOL-27: a version that takes the place of another here is told for a week from
// then, however old its release is, and under whichever name the other went; the first
// one here is no change.
func TestTOOL27AChangeCountsFromWhenItIsHere(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	of := func(s tool.Spec) tool.Tool {
		return tool.New(s, func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil })
	}
	second := tool.Spec{
		Name: "find", Description: "Finds.", Effect: tool.Read, Version: 2, Formerly: map[string]json.RawMessage{"look": nil},
		Changes: []tool.Change{{Version: 2, From: "q", To: "query"}},
	}
	if text := describe(t, after(t, nil, &now, of(second))); strings.Contains(text, "Changed") {
		t.Errorf("the first here: %q", text)
	}
	c := after(t, nil, &now, of(tool.Spec{Name: "look", Description: "Finds.", Effect: tool.Read}))
	now = now.Add(100 * 24 * time.Hour)
	c = after(t, c, &now, of(second))
	now = now.Add(6 * 24 * time.Hour)
	c = after(t, c, &now, of(second))
	if text := describe(t, c); !strings.Contains(text, "Changed lately: q is now called query.") {
		t.Errorf("six days later: %q", text)
	}
	if now = now.Add(24 * time.Hour); strings.Contains(describe(t, c), "Changed") {
		t.Errorf("a week later: %q", describe(t, c))
	}
}
