package bottest_test

import (
	"testing"

	"hermes/bot"
	"hermes/bot/bottest"
)

func TestInbox(t *testing.T) {
	bottest.TestInbox(t, func(*testing.T) func() bot.Inbox {
		in := bottest.NewInbox()
		return func() bot.Inbox { in.Restart(); return in }
	})
}

func TestOutbox(t *testing.T) {
	bottest.TestOutbox(t, func(*testing.T) func() bot.Outbox {
		out := bottest.NewOutbox()
		return func() bot.Outbox { out.Restart(); return out }
	})
}
