package tool_test

import (
	"encoding/json"
	"testing"

	"hermes/agent/tool"
)

// What it costs to check a call, beside the seconds that its tool takes: a good one,
// one that is read, and one with faults.
func BenchmarkCheck(b *testing.B) {
	for name, args := range map[string]string{
		"good":  `{"query":"a","max_results":7,"day":"2024-01-01","ids":[1,2,3],"guest":{"name":"A","email":"a@b.c"}}`,
		"read":  `{"q":"a","max_results":"7","day":"2024/1/1","ids":"[1,2,3]","shared":"yes"}`,
		"wrong": `{"max_results":21,"day":"01/02/24","foo":1}`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				tool.Check(booking, json.RawMessage(args), tool.CheckOptions{})
			}
		})
	}
}

// All judged calls, each with its own schema.
func BenchmarkCheckRows(b *testing.B) {
	rows := callRows(b)
	for b.Loop() {
		for _, r := range rows {
			tool.Try(r.TrialInput)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
}
