package agenttest_test

import (
	"testing"

	"hermes/agent"
	"hermes/agent/agenttest"
)

func TestStore(t *testing.T) {
	agenttest.TestStore(t, func(*testing.T) agent.Store { return agenttest.NewStore() })
}
