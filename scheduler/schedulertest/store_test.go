package schedulertest_test

import (
	"testing"

	"hermes/scheduler"
	"hermes/scheduler/schedulertest"
)

func TestStore(t *testing.T) {
	schedulertest.TestStore(t, func(*testing.T) scheduler.Store { return &schedulertest.Store{} })
}
