package memorytest

import (
	"testing"

	"hermes/memory"
)

func TestStoreInMemory(t *testing.T) {
	TestStore(t, func(*testing.T) memory.Store { return New() })
}
