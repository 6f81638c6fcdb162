package router

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// Rows of many kinds that others have labelled. They are read where they lie and
// never copied here.
func TestDev(t *testing.T) {
	type row struct {
		Text, Lang, Label, Split string
		Accept                   []string
	}
	read := func(name string) []row {
		f, err := os.Open("../../shared/data/" + name)
		if err != nil {
			t.Skip("no shared data here")
		}
		defer f.Close()
		var rows []row
		s := bufio.NewScanner(f)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			var r row
			if err := json.Unmarshal(s.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, r)
		}
		return rows
	}
	router := New(Config{}, nil)
	var rows []row
	for _, r := range read("router_train_dev.jsonl") {
		if r.Split == "dev" {
			rows = append(rows, r)
		}
	}
	hit, said, real := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, r := range rows {
		d := router.Route(t.Context(), Message{Text: r.Text, Addressed: true})
		said[string(d.Kind)]++
		real[r.Label]++
		if string(d.Kind) == r.Label {
			hit[r.Label]++
		}
	}
	sum := 0.0
	for label := range real {
		f1 := 2 * hit[label] / (said[label] + real[label])
		sum += f1
		t.Logf("%-8s F1 %.3f (%.0f of %.0f, said %.0f)", label, f1, hit[label], real[label], said[label])
	}
	macro := sum / float64(len(real))
	t.Logf("macro-F1 %.3f", macro)
	if macro < 0.93 {
		t.Errorf("macro-F1 = %.3f, want at least 0.93", macro)
	}
	right := 0
	border := read("router_borderline_dev.jsonl")
	for _, r := range border {
		if d := router.Route(t.Context(), Message{Text: r.Text, Addressed: true}); slices.Contains(r.Accept, string(d.Kind)) {
			right++
		}
	}
	t.Logf("borderline: %d of %d", right, len(border))
	if float64(right) < 0.98*float64(len(border)) {
		t.Errorf("borderline = %d of %d, want at least 0.98", right, len(border))
	}
}
