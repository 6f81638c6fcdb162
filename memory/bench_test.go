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
