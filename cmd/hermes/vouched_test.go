package main

import (
	"strings"
	"testing"

	"hermes/internal/fakeslack"
)

// SAFE-06: work whose request, asker or steps somebody has changed while it waited for a
// decision does not go on: the yes posts nothing, who waits reads one honest sentence with
// the trace, and the admin which it was.
func TestWorkThatWasChangedDoesNotGoOn(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"what was asked": "UPDATE runs SET request = REPLACE(request, 'region', 'salary')",
		"who asked":      "UPDATE runs SET request = REPLACE(request, 'U0ANA0001', 'U0GUS0001'), asker = REPLACE(asker, 'U0ANA0001', 'U0GUS0001')",
		"what it did":    "UPDATE steps SET body = REPLACE(body, 'sales', 'costs') WHERE n = 1",
		"how far it is":  "UPDATE runs SET body = REPLACE(body, 'waiting', 'working')",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, fakeslack.Options{})
			root := o.says("ana", "general", postJob)
			card := o.card(root)
			o.forge(change)
			o.press("leo", card, "Approve")
			said := o.message("that it was changed", func(m fakeslack.Message) bool {
				return m.Channel == root.Channel && m.ThreadTS == root.TS && strings.Contains(m.Shown(), "was changed, and not by me")
			})
			if !strings.Contains(said.Shown(), "trace") {
				t.Errorf("without a trace: %s", said.Shown())
			}
			o.refuses(runOf(root), "not-as-written")
			o.message("the admin is told", func(m fakeslack.Message) bool {
				return m.Channel != root.Channel && strings.Contains(m.Shown(), "The work") && strings.Contains(m.Shown(), runOf(root))
			})
			o.finds(runOf(root))
			if n := len(o.posts("sales")); n != 0 {
				t.Errorf("%d posts in #sales", n)
			}
		})
	}
}

// SAFE-06: a schedule of which somebody has changed the owner, the request or the channel
// is paused: it does not run, by its time or by hand, is not resumed, and the admin is told
// which; deleted it can be.
func TestAScheduleThatWasChangedIsPaused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"its owner":   "UPDATE jobs SET body = REPLACE(body, 'U0ANA0001', 'U0GUS0001'), owner = REPLACE(owner, 'U0ANA0001', 'U0GUS0001')",
		"its request": "UPDATE jobs SET body = REPLACE(body, 'region', 'salary')",
		"its state":   "UPDATE jobs SET body = REPLACE(body, 'active', 'paused')",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, fakeslack.Options{})
			root := o.says("ana", "general", postJob+" and do this every month on the 1st at 9:00")
			o.press("leo", o.card(root), "Post now and monthly")
			o.becomes("1", "SELECT COUNT(*) FROM jobs")
			id := o.read("SELECT id FROM jobs")
			o.forge(change)
			if out, err := o.hermes(t.Context(), "", "schedule", "run", id); err == nil || !strings.Contains(out, "was changed in the database") {
				t.Errorf("run by hand: %v\n%s", err, out)
			}
			if out, err := o.hermes(t.Context(), "", "schedule", "resume", id); err == nil || !strings.Contains(out, "delete it and make it anew") {
				t.Errorf("resumed: %v\n%s", err, out)
			}
			o.refuses(id, "not-as-written")
			o.finds(id)
			o.message("the admin is told", func(m fakeslack.Message) bool {
				return m.Channel != root.Channel && strings.Contains(m.Shown(), "The schedule") && strings.Contains(m.Shown(), id)
			})
			if out := o.command("schedule", "list"); !strings.Contains(out, "paused") {
				t.Errorf("list:\n%s", out)
			}
			o.command("schedule", "delete", id)
		})
	}
}
