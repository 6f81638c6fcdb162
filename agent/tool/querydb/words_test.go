package querydb

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

// TOOL-06, H-06: what models call the arguments of query_metric is understood, and
// noted.
func TestTOOL06ArgumentsOfAMetricHaveOtherNames(t *testing.T) {
	s := Metric(shelf{}, openShop(t)).Spec()
	for given, want := range map[string]string{
		`{"metric":"sales"}`:                                                     `{"measure":"sales"}`,
		`{"metrics":["sales"]}`:                                                  `{"measure":"sales"}`,
		`{"measure":"sales","group_by":["region"]}`:                              `{"by":["region"],"measure":"sales"}`,
		`{"measure":"sales","group_by":"region"}`:                                `{"by":["region"],"measure":"sales"}`,
		`{"measure":"sales","dimension":"region"}`:                               `{"by":["region"],"measure":"sales"}`,
		`{"measure":"sales","dimensions":["region","day"]}`:                      `{"by":["region","day"],"measure":"sales"}`,
		`{"measure":"sales","time":"2026-10"}`:                                   `{"measure":"sales","period":"2026-10"}`,
		`{"measure":"sales","date_range":"2026-10"}`:                             `{"measure":"sales","period":"2026-10"}`,
		`{"measure":"sales","time_range":"last_month"}`:                          `{"measure":"sales","period":"last_month"}`,
		`{"measure":"sales","limit":"3"}`:                                        `{"measure":"sales","top":3}`,
		`{"measure":"sales","compare_to":"previous_period"}`:                     `{"compare":["previous_period"],"measure":"sales"}`,
		`{"measure":"sales","filters":[{"dimension":"region","values":"Asia"}]}`: `{"measure":"sales","where":[{"dimension":"region","values":["Asia"]}]}`,
	} {
		c := tool.Check(s, json.RawMessage(given), tool.CheckOptions{})
		if len(c.Faults) > 0 || string(c.Args) != want || c.Valid || len(c.Coerced) == 0 {
			t.Errorf("%s = %s, faults %v, coerced %v; want %s", given, c.Args, c.Faults, c.Coerced, want)
		}
	}
	for given, want := range map[string]string{
		`{"measure":"sales","metric":"orders"}`:  "metric: is another name of measure, which is given too",
		`{"metrics":["sales","orders"]}`:         "measure: wants a string",
		`{"measure":"sales","by":"region, day"}`: "by: wants a list",
	} {
		if c := tool.Check(s, json.RawMessage(given), tool.CheckOptions{}); !strings.Contains(c.Fault(), want) {
			t.Errorf("%s: faults %v, want %q", given, c.Faults, want)
		}
	}
}

// TOOL-07 Days are read in the ways people write them, where they can be read in one
// way; where not, it is asked which is meant.
func TestTOOL07DaysOfAPeriodAreReadInOneWay(t *testing.T) {
	x := Metric(shelf{}, openShop(t))
	for words, want := range map[string]Days{
		"31/10/2026":               {"2026-10-31", "2026-10-31"},
		"10/31/2026":               {"2026-10-31", "2026-10-31"},
		"2026年10月1日":               {"2026-10-01", "2026-10-01"},
		"13/10/2026..31/10/2026":   {"2026-10-13", "2026-10-31"},
		"2026-10-01 to 2026-10-31": {"2026-10-01", "2026-10-31"},
		"2026-10-01/2026-10-31":    {"2026-10-01", "2026-10-31"},
		"2026年10月1日至2026年10月31日":   {"2026-10-01", "2026-10-31"},
	} {
		args, err := json.Marshal(MetricArgs{Measure: "sales", Period: words})
		if err != nil {
			t.Fatal(err)
		}
		a, _, _ := ask(t, openShop(t), callAt(noon, string(args)))
		if d := cmp.Diff(&want, a.Period); d != "" {
			t.Errorf("%s (-want +got):\n%s", words, d)
		}
	}
	for words, want := range map[string]string{
		"02/03/2026":             `"02/03/2026" may be 2026-03-02 or 2026-02-03; ask the person which one is meant`,
		"01/10/2026..31/10/2026": `"01/10/2026" may be 2026-10-01 or 2026-01-10`,
		"02/03/26":               "not a period",
		"31/31/2026":             "not a period",
	} {
		args, err := json.Marshal(MetricArgs{Measure: "sales", Period: words})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := x.Run(t.Context(), callAt(noon, string(args))); err != nil || !r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%s = %+v, %v; want %q", words, r, err, want)
		}
	}
}
