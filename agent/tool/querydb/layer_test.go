package querydb

import (
	"strings"
	"testing"
)

// Every fault of a layer is named, with its key.
func TestValidate(t *testing.T) {
	if err := shopLayer("x.db").Validate(); err != nil {
		t.Errorf("a good layer: %v", err)
	}
	bad := Layer{
		Name: "Sales Data", Dialect: "oracle",
		Measures: []Measure{
			{Name: "sales", SQL: "SUM(a); DROP TABLE b", From: "orders WHERE 1 = 1 -- x", Time: "", Scale: 12, Dimensions: []string{"planet"}},
			{Name: "sales", SQL: "SUM(a", From: "(DELETE FROM b)", Time: "day"},
		},
		Dimensions: []Dimension{
			{Name: "month", SQL: "m"},
			{Name: "region", SQL: "pg_read_file('x')", ValueSynonyms: []Value{{Value: "Asia"}, {Value: "Asia"}}},
		},
	}
	err := bad.Validate()
	if err == nil {
		t.Fatal("a bad layer has no fault")
	}
	for _, want := range []string{
		`name: "Sales Data"`, `dialect: "oracle"`, "dsn: missing", "measures[sales].sql: has a semicolon", "measures[sales].from: has a comment",
		"measures[sales].time: missing", "measures[sales].scale: 12", `there is no dimension "planet"`, "measures[sales].name: used twice",
		"measures[sales].sql: a ( has no )", "measures[sales].from: DELETE is not a read", "dimensions[month].name: used twice",
		"dimensions[region].sql:", `value "Asia" is empty or used twice`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("faults lack %q", want)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}
