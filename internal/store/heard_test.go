package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hermes/bot"
	"hermes/internal/store"
)

// How far each place of a workspace was heard, so that what was said after it can be
// looked for; presses, other workspaces and old things do not count.
func TestHeardUntil(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		place := func(workspace, channel, thread string) bot.Place {
			return bot.Place{Platform: "test", Workspace: workspace, Channel: channel, Thread: thread}
		}
		hear := func(key string, p bot.Place) {
			t.Helper()
			c.pass(time.Second)
			m := &bot.Message{Key: key, Place: p, From: ann, Text: "so", At: c.now()}
			ok(t, d.Inbox().Add(ctx, bot.Item{Key: key, Place: p, Lane: bot.Talk, Message: m}))
		}
		hear("test/w/C9/05.1", place("w", "C9", "05.1"))
		c.pass(time.Hour)
		since := c.now()
		hear("test/w/C1/10.1", place("w", "C1", "10.1"))
		hear("test/w/C1/12.1", place("w", "C1", "10.1"))
		hear("test/w/C1/11.1", place("w", "C1", "10.1")) // late
		hear("test/w/D1/13.1", place("w", "D1", ""))
		hear("test/w2/C1/14.1", place("w2", "C1", "14.1"))
		hear("test/w/command/1.2.0004", place("w", "D1", ""))       // what is no message there
		hear("test/w/C1/11.1/anew", place("w", "C1", "10.1"))       // and what is one anew
		hear("test/w/shortcut/99.9/0011", place("w", "C1", "10.1")) // or of another's
		hear("test/w/command/1.2.0005", place("w", "D7", ""))       // alone it is nothing
		ok(t, d.Inbox().Add(ctx, bot.Item{
			Key: "test/w/C1/99.1/choice", Place: place("w", "C1", "10.1"), Lane: bot.Control, Click: &bot.Click{Key: "test/w/C1/99.1/choice"},
		}))
		c.pass(time.Second)
		ok(t, d.Outbox().Add(ctx, bot.Post{Key: "a", Place: place("w", "C1", "10.1"), Text: "So many."}))
		deliver(t, d, "12.5")
		ok(t, d.Outbox().Add(ctx, bot.Post{Key: "r", Place: place("w", "C2", ""), Text: "Report"}))
		deliver(t, d, "20.1")

		got := must[[]store.Heard](t)(d.Journal().Heard(ctx, "test", "w", since))
		want := []store.Heard{
			{Place: place("w", "C1", "10.1"), Key: "test/w/C1/12.1", Ours: true},
			{Place: place("w", "C2", "20.1"), Key: "20.1", Ours: true},
			{Place: place("w", "D1", ""), Key: "test/w/D1/13.1"},
		}
		byKey := cmpopts.SortSlices(func(a, b store.Heard) bool { return a.Place.String() < b.Place.String() })
		if diff := cmp.Diff(want, got, byKey); diff != "" {
			t.Errorf("heard (-want +got):\n%s", diff)
		}
	})
}
