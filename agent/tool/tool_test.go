package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

var update = flag.Bool("update", false, "write golden files anew")

// golden compares what a model reads with a file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// args has a property of every sort that our tools use.
type args struct {
	Measure string   `json:"measure" jsonschema:"what to add up"`
	By      []string `json:"by,omitempty" jsonschema:"dimensions"`
	Where   []filter `json:"where,omitempty"`
	Top     int      `json:"top,omitempty"`
	Share   float64  `json:"share,omitempty"`
	Compare bool     `json:"compare,omitempty"`
	Note    *string  `json:"note,omitempty"`
}

type filter struct {
	Dimension string   `json:"dimension"`
	Values    []string `json:"values"`
}

// The schema of a tool comes from its struct: names, what they mean, which may be
// left out, and that there are no others.
func TestTheSchemaComesFromTheStruct(t *testing.T) {
	var b bytes.Buffer
	if err := json.Indent(&b, tool.SchemaOf[args](), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "schema", append(b.Bytes(), '\n'))
	if s := tool.New(tool.Spec{Name: "x"}, func(context.Context, tool.Call, args) (tool.Result, error) { return tool.Result{}, nil }).Spec(); !bytes.Equal(s.Schema, tool.SchemaOf[args]()) {
		t.Errorf("schema of the tool = %s", s.Schema)
	}
	own := json.RawMessage(`{"type":"object"}`)
	if s := tool.New(tool.Spec{Name: "x", Schema: own}, func(context.Context, tool.Call, args) (tool.Result, error) { return tool.Result{}, nil }).Spec(); !bytes.Equal(s.Schema, own) {
		t.Errorf("schema = %s, want the tool's own", s.Schema)
	}
}

// What has no schema is found by the first test of its tool.
func TestWhatHasNoSchemaPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a function has a schema")
		}
	}()
	tool.SchemaOf[struct{ F func() }]()
}

// L4: bad arguments are a failed result that names the fault and the tool, never an
// error of the program; the tool does not run.
func TestL4BadArgumentsAreAFailedResult(t *testing.T) {
	for given, want := range map[string]string{
		``:                             "EOF",
		`{`:                            "EOF",
		`[]`:                           "cannot unmarshal array",
		`{"measure":7}`:                "measure",
		`{"measur":"sales"}`:           `unknown field "measur"`,
		`{"measure":"a"}{}`:            "more than one JSON value",
		`{"measure":"a"} x`:            "more than one JSON value",
		`{"where":[{"dimension":[]}]}`: "where.dimension",
	} {
		ran := false
		x := tool.New(tool.Spec{Name: "query"}, func(context.Context, tool.Call, args) (tool.Result, error) {
			ran = true
			return tool.Result{}, nil
		})
		res, err := x.Run(t.Context(), tool.Call{Args: json.RawMessage(given)})
		if err != nil || ran || !res.Failed || !strings.HasPrefix(res.Text, "arguments of query: ") || !strings.Contains(res.Text, want) {
			t.Errorf("arguments %s = %+v, %v, ran %t; want it to say %q", given, res, err, ran, want)
		}
	}
}

// Good arguments come to the function as they were written, with the call.
func TestGoodArgumentsComeAsTheyWereWritten(t *testing.T) {
	note := "n"
	want := args{Measure: "sales", By: []string{"region"}, Where: []filter{{"region", []string{"Asia"}}}, Top: 3, Share: 0.5, Compare: true, Note: &note}
	x := tool.New(tool.Spec{Name: "query", Effect: tool.Read}, func(_ context.Context, c tool.Call, in args) (tool.Result, error) {
		if d := cmp.Diff(want, in); d != "" || c.Asker != "ana" {
			t.Errorf("asker %q, arguments (-want +got):\n%s", c.Asker, d)
		}
		return tool.JSON(map[string]int{"n": 7})
	})
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	res, err := x.Run(t.Context(), tool.Call{Asker: "ana", Args: append(body, " \n"...)})
	if err != nil || res.Text != `{"n":7}` || res.Failed {
		t.Errorf("result = %+v, %v", res, err)
	}
	if _, err := tool.JSON(func() {}); err == nil {
		t.Error("a function is JSON")
	}
	if got := tool.Fail("no %s", "sales"); got.Text != "no sales" || !got.Failed {
		t.Errorf("Fail = %+v", got)
	}
}

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
