package querydb

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
)

// X7 A source that somebody may not use is not there for them: neither in what the tools
// say of themselves nor in their faults, and two sources with one measure are one to whom
// only one is open.
func TestX7ASourceIsThereForWhoMayUseIt(t *testing.T) {
	open, kept := plainShop(t, "open"), plainShop(t, "kept")
	kept.Restrict(func(_ context.Context, v tool.Viewer) bool { return v.Person == "fin" && v.Profile == "report" })
	call := func(who string) tool.Call {
		return tool.Call{ID: "c", Run: "k", Asker: who, Profile: "report", Lang: "en", Now: time.Now(), Zone: "UTC"}
	}
	measure := open.layer.Measures[0].Name
	for _, x := range []tool.Tool{Metric(shelf{}, open, kept), Database(shelf{}, open, kept)} {
		d := x.(tool.Discreet)
		for who, sees := range map[string]bool{"ana": false, "fin": true} {
			v := call(who).Viewer()
			spec, ok := d.For(t.Context(), v)
			live, err := x.(tool.Describer).Describe(t.Context(), v)
			if err != nil || !ok {
				t.Fatalf("%s for %s: %t, %v", x.Spec().Name, who, ok, err)
			}
			if got := strings.Contains(spec.Description+live, "ource kept"); got != sees && (x.Spec().Name == MetricName || sees) {
				t.Errorf("%s tells %s of the source: %t", x.Spec().Name, who, got)
			}
			if !sees && strings.Contains(spec.Description+live, "kept") {
				t.Errorf("%s tells %s of the source:\n%s\n%s", x.Spec().Name, who, spec.Description, live)
			}
		}
		none := map[string]tool.Tool{MetricName: Metric(shelf{}, kept), DatabaseName: Database(shelf{}, kept)}[x.Spec().Name]
		if _, ok := none.(tool.Discreet).For(t.Context(), call("ana").Viewer()); ok {
			t.Errorf("%s is there without a source", x.Spec().Name)
		}
	}
	run := func(x tool.Tool, who, args string) tool.Result {
		t.Helper()
		c := call(who)
		c.Args = []byte(args)
		res, err := x.Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	m, d := Metric(shelf{}, open, kept), Database(shelf{}, open, kept)
	for name, tt := range map[string]struct {
		res    tool.Result
		failed bool
	}{
		"one measure to who sees one source": {run(m, "ana", `{"measure":"`+measure+`"}`), false},
		"two to who sees both":               {run(m, "fin", `{"measure":"`+measure+`"}`), true},
		"by name, hidden":                    {run(m, "ana", `{"measure":"kept.`+measure+`"}`), true},
		"SQL at the hidden one":              {run(d, "ana", `{"source":"kept","sql":"SELECT 1"}`), true},
		"SQL at the one that is left":        {run(d, "ana", `{"sql":"SELECT 1"}`), false},
		"SQL by who may":                     {run(d, "fin", `{"source":"kept","sql":"SELECT 1"}`), false},
	} {
		if tt.res.Failed != tt.failed {
			t.Errorf("%s: %+v", name, tt.res)
		}
	}
	for _, res := range []tool.Result{run(m, "ana", `{"measure":"kept.`+measure+`"}`), run(d, "ana", `{"source":"kept","sql":"SELECT 1"}`)} {
		if strings.Contains(strings.SplitN(res.Text, ";", 2)[len(strings.SplitN(res.Text, ";", 2))-1], "kept") {
			t.Errorf("the fault names the source: %q", res.Text)
		}
	}
}

// X7, issue 5: who asks for a source that is not for them is told of, with the source, and
// nobody who asks for their own or for none at all.
func TestX7ATryForAnothersSourceIsTold(t *testing.T) {
	open, kept := plainShop(t, "open"), plainShop(t, "kept")
	kept.Restrict(func(_ context.Context, v tool.Viewer) bool { return v.Person == "fin" })
	var told []string
	kept.Denied(func(_ context.Context, c tool.Call) error {
		told = append(told, c.Asker+" "+string(c.Args))
		return nil
	})
	measure := open.layer.Measures[0].Name
	m, d := Metric(shelf{}, open, kept), Database(shelf{}, open, kept)
	hidden, sql := `{"measure":"kept.`+measure+`"}`, `{"source":"kept","sql":"SELECT 1"}`
	for _, x := range []struct {
		tool      tool.Tool
		who, args string
	}{
		{m, "ana", hidden}, {d, "ana", sql}, {m, "fin", hidden}, {d, "fin", sql}, {m, "ana", `{"measure":"none"}`}, {d, "ana", `{"source":"none","sql":"SELECT 1"}`},
	} {
		c := tool.Call{ID: "c", Run: "k", Asker: x.who, Lang: "en", Now: time.Now(), Zone: "UTC", Args: []byte(x.args)}
		if _, err := x.tool.Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"ana " + hidden, "ana " + sql}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}
