package memory_test

import (
	"testing"

	"hermes/memory"
)

func BenchmarkReadStatement(b *testing.B) {
	for b.Loop() {
		memory.ReadStatement("The chief executive officer of the company is now Eve Adams.")
		memory.ReadStatement("公司总部现在位于广州市天河区。")
		memory.ReadStatement("I really appreciate having the chance to talk to someone who actually knows about your products and more")
	}
}

func BenchmarkRank(b *testing.B) {
	found := make([]memory.Scored, 60)
	for i := range found {
		found[i] = memory.Scored{Fact: memory.Fact{ID: string(rune('a' + i)), Text: "I'd love to know about the specific features of the espresso machines, especially the ones that might stand out for someone who is no barista"}}
	}
	for b.Loop() {
		memory.Rank("which features of espresso machines stand out?", found)
	}
}
