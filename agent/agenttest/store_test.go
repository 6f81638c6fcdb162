package agenttest_test

import (
	"testing"

	"hermes/agent"
	"hermes/agent/agenttest"
)

func TestTreasury(t *testing.T) {
	agenttest.TestTreasury(t, func(*testing.T) agenttest.Keeper { return agenttest.NewStore() })
}

func TestStore(t *testing.T) {
	agenttest.TestStore(t, func(*testing.T) agent.Store { return agenttest.NewStore() })
}
