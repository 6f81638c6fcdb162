package main

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"hermes/agent/tool"
)

// TOOL-32 The total amount and the number of orders of a period are what query_metric
// gives, and what SQL says of the same days in the sample database.
func TestTOOL32TotalsOfAPeriodAreThoseOfSQL(t *testing.T) {
	h, end := raise(t, t.TempDir())
	defer end()
	today := time.Now().UTC()
	for name, days := range map[string][2]time.Time{
		"a day":        {today.AddDate(0, 0, -40), today.AddDate(0, 0, -40)},
		"ten days":     {today.AddDate(0, 0, -50), today.AddDate(0, 0, -41)},
		"half a year":  {today.AddDate(0, -8, 0), today.AddDate(0, -2, 0)},
		"over a month": {today.AddDate(0, -3, -3), today.AddDate(0, -3, 3)},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := days[0].Format(time.DateOnly), days[1].Format(time.DateOnly)
			var bySQL struct{ Rows [][]float64 }
			askTool(t, h, "query_database", map[string]string{
				"sql": fmt.Sprintf("SELECT SUM(amount) / 100.0, COUNT(*) FROM orders WHERE day BETWEEN '%s' AND '%s'", from, to),
			}, &bySQL)
			if len(bySQL.Rows) != 1 || bySQL.Rows[0][1] == 0 {
				t.Fatalf("there are no orders from %s to %s: %v", from, to, bySQL.Rows)
			}
			for i, measure := range []string{"sales", "orders"} {
				var said struct{ Total struct{ Value float64 } }
				askTool(t, h, "query_metric", map[string]string{"measure": measure, "period": from + ".." + to}, &said)
				if want := bySQL.Rows[0][i]; said.Total.Value != want {
					t.Errorf("%s = %v, SQL says %v", measure, said.Total.Value, want)
				}
			}
		})
	}
}

// askTool has a tool run and reads what it says.
func askTool(t *testing.T, h *hermes, name string, in map[string]string, out any) {
	t.Helper()
	args, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	res, err := h.tools.Lookup(name).Run(t.Context(), tool.Call{ID: "k/" + string(args), Run: "k", Args: args, Lang: "en", Now: time.Now().UTC(), Zone: "UTC"})
	if err != nil || res.Failed {
		t.Fatalf("%s %s = %+v, %v", name, args, res, err)
	}
	if err := json.Unmarshal([]byte(res.Text), out); err != nil {
		t.Fatalf("%s says %s: %v", name, res.Text, err)
	}
}
