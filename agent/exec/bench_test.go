package exec_test

import (
	"testing"

	"hermes/agent/exec"
	"hermes/agent/tool"
)

// One's own work on a call that is answered at once.
func BenchmarkOne(b *testing.B) {
	e := exec.New(exec.Config{}, nil)
	job := exec.Job{Spec: read("t"), ID: "r1/1/a", Do: says("ok")}
	b.ReportAllocs()
	for b.Loop() {
		if d, err := e.One(b.Context(), job); err != nil || d.Err != nil {
			b.Fatal(d, err)
		}
	}
}

// The same from many conversations at once.
func BenchmarkOneSideBySide(b *testing.B) {
	e := exec.New(exec.Config{}, nil)
	job := exec.Job{Spec: read("t"), ID: "r1/1/a", Do: says("ok")}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if d, err := e.One(b.Context(), job); err != nil || d.Err != nil {
				b.Error(d, err)
			}
		}
	})
}

// An error that is made complete, with its schema read.
func BenchmarkOneWithAnInputError(b *testing.B) {
	e := exec.New(exec.Config{}, nil)
	s := read("t")
	s.Schema = []byte(`{"type":"object","properties":{"city":{"type":"string"},"date":{"type":"string"}},"required":["city"]}`)
	job := exec.Job{Spec: s, Do: fails(tool.Failf(tool.InputError, "city is unknown"))}
	b.ReportAllocs()
	for b.Loop() {
		if d, err := e.One(b.Context(), job); err != nil || d.Err == nil {
			b.Fatal(d, err)
		}
	}
}

// The list of a house with many tools.
func BenchmarkSlow(b *testing.B) {
	e := exec.New(exec.Config{}, nil)
	for i := range 100 {
		for range 128 {
			if _, err := e.One(b.Context(), exec.Job{Spec: read(string(rune('a' + i))), Do: says("ok")}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		e.Slow()
	}
}
