package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
)

var changed = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// moved is a tool whose arguments have had other names.
var moved = tool.Spec{
	Name: "get_sales", Description: "Sales of a period.", Version: 4,
	Schema: json.RawMessage(`{"type":"object","properties":{"start_date":{"type":"string"},"end_date":{"type":"string"},"region":{"type":"string"},"limit":{"type":"integer"}}}`),
	Changes: []tool.Change{
		{Version: 2, From: "from", To: "start", At: changed.AddDate(-1, 0, 0)},
		{Version: 3, From: "start", To: "start_date", At: changed},
		{Version: 3, From: "zone", At: changed, Note: "all times are the asker's"},
		{Version: 4, To: "limit", At: changed},
	},
}

// TOOL-26, FAIL-28: calls in an old history are read by the changes since: renamed
// arguments get their names of today, those that are gone go, and an argument that
// was only added changes nothing.
func TestTOOL26OldCallsAreReadByTheChanges(t *testing.T) {
	for given, want := range map[string]string{
		`{"from":"2026-01-01","region":"Asia"}`:       `{"region":"Asia","start_date":"2026-01-01"}`,
		`{"start":1.50,"zone":"UTC"}`:                 `{"start_date":1.50}`,
		`{"start":"old","start_date":"2026-01-01"}`:   `{"start_date":"2026-01-01"}`,
		`{"start_date":"2026-01-01","region":"Asia"}`: "",
		`{}`:       "",
		`[1]`:      "",
		`{"from":`: "",
	} {
		got, did := moved.Upgrade(json.RawMessage(given))
		if did != (want != "") || did && string(got) != want || !did && string(got) != given {
			t.Errorf("%s = %s, %t; want %q", given, got, did, want)
		}
	}
	added := moved
	added.Changes = moved.Changes[3:]
	if got, did := added.Upgrade(json.RawMessage(`{"from":"x"}`)); did {
		t.Errorf("an argument that was added changed a call to %s", got)
	}
	if c := tool.Check(moved, json.RawMessage(`{"from":"2026-01-01"}`), tool.CheckOptions{}); len(c.Faults) == 0 {
		t.Error("an argument that is no more is taken")
	}
}

// TOOL-27: a change is told for a week, the new words beside the old.
func TestTOOL27AChangeIsToldForAWeek(t *testing.T) {
	set, err := tool.NewSet(tool.New(moved, func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil }))
	if err != nil {
		t.Fatal(err)
	}
	now := changed
	c := tool.NewCatalog(set, func() time.Time { return now })
	text := func() string { return c.For(t.Context(), tool.Viewer{}, "", 0, nil)[0].Text() }
	if got, want := text(), "Changed lately: start is now called start_date. zone is gone; all times are the asker's. limit is new."; !strings.Contains(got, want) || strings.Contains(got, "from") {
		t.Errorf("it says %q, want %q", got, want)
	}
	for _, at := range []time.Time{changed.Add(7 * 24 * time.Hour), changed.Add(-time.Hour)} {
		if now = at; strings.Contains(text(), "Changed") {
			t.Errorf("at %s it says %q", at, text())
		}
	}
}
