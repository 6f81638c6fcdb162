package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

// A tool that does not say what it does is a Write, which nobody runs unasked.
func TestAToolThatDoesNotSayIsAWrite(t *testing.T) {
	var s tool.Spec
	if s.Effect != tool.Write || s.Unattended {
		t.Errorf("the zero Spec is %v, unattended %t", s.Effect, s.Unattended)
	}
}

// The tools of a set have names of their own, and keep their order.
func TestASetHasEachNameOnce(t *testing.T) {
	named := func(name string) tool.Tool {
		return tool.New(tool.Spec{Name: name}, func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil })
	}
	if _, err := tool.NewSet(named("a"), named("b"), named("a")); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("two of one name = %v, want it named", err)
	}
	s, err := tool.NewSet(named("b"), named("a"))
	if err != nil {
		t.Fatal(err)
	}
	if specs := s.Specs(); len(specs) != 2 || specs[0].Name != "b" || specs[1].Name != "a" {
		t.Errorf("specs = %+v, want b and a", specs)
	}
	if s.Lookup("a").Spec().Name != "a" || s.Lookup("c") != nil {
		t.Error("a is not found, or c is")
	}
}

// An artifact's id is the same for the same call and name; its hash is of all that
// people see of it.
func TestAnArtifactIsNamedByItsCallAndHashedByItsContent(t *testing.T) {
	if a, b := tool.NewID("k/c1", "report"), tool.NewID("k/c1", "report"); a != b || len(a) != 13 {
		t.Errorf("ids %s and %s, want one of 13 letters", a, b)
	}
	ids := map[string]bool{}
	for _, x := range [][2]string{{"k/c1", "report"}, {"k/c1", "table"}, {"k/c2", "report"}, {"k/c1r", "eport"}} {
		ids[tool.NewID(x[0], x[1])] = true
	}
	if len(ids) != 4 {
		t.Errorf("%d ids of four calls and names", len(ids))
	}
	a := tool.Artifact{ID: "a1", Kind: tool.Report, Title: "Sales", Body: []byte("x"), Run: "k", Recipe: "r"}
	hash := tool.HashOf(a, []string{"f1", "f2"})
	other := a
	other.ID, other.Title, other.Run, other.Recipe = "a2", "Other", "k2", "r2"
	if tool.HashOf(other, []string{"f1", "f2"}) != hash {
		t.Error("the hash is not of the content alone")
	}
	file := tool.HashOf(tool.Artifact{Kind: tool.File}, nil)
	if tool.HashOf(tool.Artifact{Kind: tool.Report, Body: []byte("x\x00" + file)}, nil) == tool.HashOf(a, []string{file}) {
		t.Error("a body that holds the hash of a file has the hash of a report with that file")
	}
	for name, h := range map[string]string{
		"another file":  tool.HashOf(a, []string{"f1", "f3"}),
		"another order": tool.HashOf(a, []string{"f2", "f1"}),
		"files as one":  tool.HashOf(a, []string{"f1f2"}),
		"no files":      tool.HashOf(a, nil),
		"another body":  tool.HashOf(tool.Artifact{Kind: tool.Report, Body: []byte("y")}, []string{"f1", "f2"}),
		"another kind":  tool.HashOf(tool.Artifact{Kind: tool.Table, Body: []byte("x")}, []string{"f1", "f2"}),
	} {
		if h == hash {
			t.Errorf("%s has the same hash", name)
		}
	}
}

// A table reads back what it was written from, and names what is none.
func TestATableReadsBack(t *testing.T) {
	want := tool.Grid{Measure: "sales", Columns: []tool.Column{{Key: "region", Role: tool.RoleBy}}, Rows: [][]any{{"Asia", 1.5, nil}}, Source: "sample"}
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tool.DecodeGrid(body)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("table (-want +got):\n%s", d)
	}
	if _, err := tool.DecodeGrid([]byte("{")); err == nil || !strings.HasPrefix(err.Error(), "decode table: ") {
		t.Errorf("half a table = %v", err)
	}
}
