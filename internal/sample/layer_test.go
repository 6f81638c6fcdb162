package sample

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
	"hermes/agent/tool/querydb"
)

type shelf map[string]tool.Artifact

func (s shelf) Put(_ context.Context, a tool.Artifact) (tool.Artifact, error) {
	s[a.ID] = a
	return a, nil
}

func (s shelf) Artifact(_ context.Context, id string) (tool.Artifact, error) { return s[id], nil }

func source(t testing.TB, months int) (*querydb.Source, *DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.db")
	d := open(t, path, &clock{at: day29}, months)
	l := Layer()
	l.DSN = path
	s, err := querydb.Open(l, querydb.Options{Before: d.TopUp})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); d.Close() })
	return s, d
}

func run(t testing.TB, s *querydb.Source, lang, args string) (string, tool.Grid) {
	t.Helper()
	arts := shelf{}
	c := tool.Call{ID: "c" + args, Args: json.RawMessage(args), Lang: lang, Now: day29, Zone: "UTC"}
	r, err := querydb.Metric(arts, s).Run(t.Context(), c)
	if err != nil || r.Failed {
		t.Fatalf("%s: %v %s", args, err, r.Text)
	}
	g, err := tool.DecodeGrid(arts[tool.NewID(c.ID, "table")].Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.Text, g
}

// The layer fits its database, and every word of it means one thing.
func TestLayer(t *testing.T) {
	s, _ := source(t, 13)
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	add := func(name string, words []string) {
		for _, w := range words {
			w = strings.ToLower(w)
			if other, ok := seen[w]; ok && other != name {
				t.Errorf("%q means %s and %s", w, other, name)
			}
			seen[w] = name
		}
	}
	for _, m := range s.Layer().Measures {
		add(m.Name, m.Words())
	}
	for _, d := range s.Layer().AllDimensions() {
		add(d.Name, d.Words())
		values, err := s.Values(t.Context(), d.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range d.ValueSynonyms {
			if !slices.Contains(values, v.Value) {
				t.Errorf("%s has no %q", d.Name, v.Value)
			}
			add(d.Name+"="+v.Value, append(v.Words, v.Value, v.Label.Zh))
		}
	}
	// A margin is a share, and no measure here is one.
	for _, w := range []string{"margin", "profit margin", "gross margin", "毛利率", "利润率"} {
		if name, ok := seen[w]; ok {
			t.Errorf("%q means %s, which is money", w, name)
		}
	}
}

// The figures come from one source: to fill it is most of the time of the test.
func TestFigures(t *testing.T) {
	start := time.Now()
	s, _ := source(t, 13)
	opened := time.Since(start)
	t.Run("a first question waits for the filling", func(t *testing.T) {
		if _, g := run(t, s, "en", `{"measure":"orders","period":"2026-Q1"}`); g.Rows[0][0].(float64) < 2_000 {
			t.Errorf("orders of the quarter = %v", g.Rows)
		}
		t.Logf("opened after %v, answered after %v", opened, time.Since(start))
	})
	t.Run("every measure and dimension gives some, in both languages", func(t *testing.T) { allFigures(t, s) })
	t.Run("the parts of a sum are its whole, to the cent", func(t *testing.T) { sums(t, s) })
}

func allFigures(t *testing.T, s *querydb.Source) {
	check := func(m querydb.Measure, d querydb.Dimension, lang string) {
		text, g := run(t, s, lang, `{"measure":"`+m.Label.In(lang)+`","by":["`+d.Label.In(lang)+`"],"period":"last_week","compare":["previous_period","year_before"]}`)
		if len(g.Rows) == 0 || len(g.Columns) != 4 {
			t.Errorf("%s by %s: %s", m.Name, d.Name, text)
		}
		for _, row := range g.Rows {
			if (row[1] == nil || row[2] == nil) && d.Name != "day" && d.Name != "week" && !m.NoTotal {
				t.Errorf("%s by %s has a hole: %v", m.Name, d.Name, row)
			}
		}
	}
	measures, dimensions := s.Layer().Measures, s.Layer().AllDimensions()
	for _, m := range measures {
		check(m, dimensions[0], "zh")
	}
	for _, d := range dimensions {
		check(measures[0], d, "en")
	}
}

func sums(t *testing.T, s *querydb.Source) {
	text, g := run(t, s, "zh", `{"measure":"销售额","by":["地区"],"period":"last_month","compare":["previous_period","year_before"]}`)
	var a struct {
		Title string
		Total struct {
			Value    float64
			Previous float64 `json:"previous_period"`
			Year     float64 `json:"year_before"`
		}
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	sums := [3]int{}
	for _, row := range g.Rows {
		for i := range sums {
			sums[i] += int(row[i+1].(float64)*100 + 0.5)
		}
	}
	if want := [3]int{int(a.Total.Value*100 + 0.5), int(a.Total.Previous*100 + 0.5), int(a.Total.Year*100 + 0.5)}; sums != want {
		t.Errorf("sums = %v, totals = %v", sums, want)
	}
	if a.Title != "2026年10月按地区汇总的销售额" || g.Rows[0][0] != "亚洲" || len(g.Rows) != 6 {
		t.Errorf("title = %q, rows = %v", a.Title, g.Rows)
	}
	t.Log(text)
}

// All months of three years come within the time that people wait.
func BenchmarkMetric(b *testing.B) {
	s, _ := source(b, months)
	run(b, s, "en", `{"measure":"sales"}`)
	for name, args := range map[string]string{
		"month by region": `{"measure":"sales","by":["region"],"compare":["previous_period","year_before"]}`,
		"three years":     `{"measure":"sales","by":["month","region"],"period":"last_36_months"}`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run(b, s, "en", args)
			}
		})
	}
}
