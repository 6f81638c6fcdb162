package decision

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
)

// DEC-03, DEC-12 A text that is nothing but a call, as a program or a person writes one, is
// that call, or is asked for again; people never read it. One that is explained is an answer.
func TestDEC03CallsInProse(t *testing.T) {
	sales := []llm.Call{call("query_metric", `{"measure":"sales"}`)}
	const answer, again = "answer", "again"
	for name, tt := range map[string]struct {
		text string
		want any
	}{
		"with keywords":        {`query_metric(measure="sales")`, sales},
		"in single quotes":     {`query_metric(measure='sales')`, sales},
		"of its module":        {`functions.query_metric({"measure":"sales"})`, sales},
		"with its JSON":        {`query_metric {"measure":"sales"}`, sales},
		"with its JSON below":  {"query_metric\n{\"measure\":\"sales\"}", sales},
		"in ticks":             {"`query_metric(measure=\"sales\")`", sales},
		"in a fence":           {"```python\nquery_metric(measure=\"sales\")\n```", sales},
		"in a program":         {"```tool_code\nprint(default_api.query_metric(measure=\"sales\"))\n```", sales},
		"given to a name":      {`result = query_metric(measure="sales")`, sales},
		"announced":            {`Calling query_metric(measure="sales")...`, sales},
		"announced with JSON":  {`Calling the tool query_metric with {"measure":"sales"}`, sales},
		"in Chinese":           {`调用 query_metric(measure="sales")`, sales},
		"in tags":              {`<invoke name="query_metric"><parameter name="measure">sales</parameter></invoke>`, sales},
		"in tags of tags":      {"<function_calls>\n<invoke name=\"query_metric\">\n<parameter name=\"measure\">sales</parameter>\n</invoke>\n</function_calls>", sales},
		"in tags, with JSON":   {`<invoke name="query_metric">{"measure":"sales"}</invoke>`, sales},
		"values of all sorts":  {`query_database(sql="select ')', \"a\"", limit=10, all=True, of=None, by=["x", 1.5])`, []llm.Call{call("query_database", `{"sql":"select ')', \"a\"","limit":10,"all":true,"of":null,"by":["x",1.5]}`)}},
		"two":                  {"query_metric(measure=\"sales\")\nlist_jobs()", []llm.Call{sales[0], call("list_jobs", `{}`)}},
		"announced only":       {"Calling query_metric...", again},
		"announced by a model": {"I'll call the `query_metric` tool now.", again},
		"announced in Chinese": {"正在调用 query_metric…", again},
		"by place":             {`query_metric("sales")`, again},
		"of what nobody knows": {`query_metric(measure=m)`, again},
		"torn":                 {`query_metric(measure="sal`, again},
		"torn tags":            {`<invoke name="query_metric">…`, again},
		"explained before":     {"To see sales you would call:\n\n```\nquery_metric(measure=\"sales\")\n```\n", answer},
		"explained after":      {"query_metric(measure=\"sales\")\n\nreads the sales of all regions.", answer},
		"a sentence":           {"query_metric (the tool for numbers) reads the sales.", answer},
		"an answer of its use": {"Calling query_metric brought nothing, so I cannot say.", answer},
		"a bare name":          {"query_metric", answer},
		"of another tool":      {`lookup(measure="sales")`, answer},
		"a formula":            {"f(x=1)", answer},
		"in tags, explained":   {"Models write <invoke name=\"query_metric\"></invoke> for that.", answer},
		"tags, and words":      {"<invoke name=\"query_metric\"></invoke> is how some models call it.", answer},
	} {
		for form, o := range map[string]Options{"native": {Tools: tools, Native: true}, "nested": {Tools: tools}} {
			t.Run(name+"/"+form, func(t *testing.T) {
				d, err := Read(said(tt.text), o)
				var got any = d.Calls
				switch {
				case err != nil:
					got = again
				case len(d.Calls) == 0:
					got = answer
				}
				if diff := cmp.Diff(tt.want, got, sameArgs); diff != "" {
					t.Errorf("%s\n%v", diff, err)
				}
				if got == answer && d.Result != strings.TrimSpace(tt.text) {
					t.Errorf("the answer is %q", d.Result)
				}
			})
		}
	}
	for _, text := range []string{"asdf{{{]]]", "x [[[}}} y"} {
		if d, err := Read(said(text), Options{Tools: tools}); err == nil {
			t.Errorf("%q is an answer: %+v", text, d)
		}
	}
	for form, want := range map[bool]bool{true: false, false: true} {
		d, err := Read(said("I look.\nquery_metric(measure=\"sales\")"), Options{Tools: tools, Native: form})
		if (len(d.Calls) == 1 && err == nil) != want || !want && err == nil {
			t.Errorf("native %t, at the end: %+v, %v", form, d, err)
		}
	}
}
