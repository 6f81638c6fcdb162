package tool

import (
	"encoding/json"
	"fmt"
	"time"
)

// A Grid is the answer of a query: what the Body of a Table artifact holds, as
// JSON. Tools that make figures write it; tools that show figures read it.
type Grid struct {
	Title   string   `json:"title"`             // in the asker's language
	Measure string   `json:"measure,omitempty"` // name in the declared layer; empty for free SQL
	By      []string `json:"by,omitempty"`      // dimensions, in the order of the first columns
	Where   []Filter `json:"where,omitempty"`
	Range   string   `json:"range,omitempty"` // the period in canonical words, as asked: "last_month"
	Period  Period   `json:"period,omitzero"` // the same, resolved
	Zone    string   `json:"zone,omitempty"`
	Columns []Column `json:"columns"`
	// Rows hold a string, a float64 or nil for each column. Days are strings
	// of the form 2026-10-31.
	Rows      [][]any `json:"rows"`
	Truncated int     `json:"truncated,omitempty"` // rows left out
	// NoTotal says that the parts do not add up to the whole, as those of an
	// average do not.
	NoTotal bool   `json:"no_total,omitempty"`
	Source  string `json:"source"`        // name of the source
	SQL     string `json:"sql,omitempty"` // what was run
	// Days is how many days of Period had data and Missing which had none, for
	// a measure whose layer says that every day should have some.
	Days    int      `json:"days,omitempty"`
	Missing []string `json:"missing,omitempty"`
	// AsOf is of when the figures are, where they are not of now: when a file was changed,
	// or an address answered.
	AsOf time.Time `json:"as_of,omitzero"`
}

// A Filter keeps rows whose dimension has one of the values.
type Filter struct {
	Dimension string   `json:"dimension"`
	Values    []string `json:"values"`
}

// A Column is one column of a Grid.
type Column struct {
	Key   string `json:"key"`
	Label string `json:"label"` // in the asker's language
	Role  Role   `json:"role"`
	Unit  string `json:"unit,omitempty"`  // "USD"; empty for a count
	Scale int    `json:"scale,omitempty"` // digits after the point that mean something
}

// A Role is what a column is for.
type Role string

// The roles of a column.
const (
	RoleBy       Role = "by"          // a dimension
	RoleValue    Role = "value"       // the measure in the period
	RolePrevious Role = "previous"    // the measure in the period before
	RoleYear     Role = "year_before" // the measure in the same period a year before
	RoleOther    Role = "other"       // free SQL
)

// DecodeGrid reads the Body of a Table.
func DecodeGrid(body []byte) (Grid, error) {
	var g Grid
	if err := json.Unmarshal(body, &g); err != nil {
		return Grid{}, fmt.Errorf("decode table: %w", err)
	}
	return g, nil
}
