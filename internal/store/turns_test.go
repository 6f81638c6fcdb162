package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/internal/store"
)

// Turns are what was said and answered at a home, in the order in which it was.
func TestTurns(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		say := func(p bot.Post) {
			t.Helper()
			c.pass(time.Second)
			ok(t, d.Outbox().Add(ctx, p))
		}
		ask := func(key string) {
			t.Helper()
			c.pass(time.Second)
			must[run.Run](t)(d.Runs().Save(ctx, begun(key, c.now())))
		}
		report := tool.Artifact{ID: "a1", Kind: tool.Report, Body: []byte("# Sales"), Run: "m1"}
		must[tool.Artifact](t)(d.Artifacts().Put(ctx, report))
		ok(t, d.Inbox().Add(ctx, bot.Item{Key: "ignored", Place: home, Lane: bot.Talk, Message: &bot.Message{Key: "ignored", Place: home, Text: "lunch?", From: bob}}))
		ask("m1")
		say(bot.Post{Key: "m1/progress", Place: home, Kind: bot.Progress, Text: "1 of 2"})
		say(bot.Post{Key: "m1/end", Place: home, Text: "Here it is.", Artifact: "a1"})
		say(bot.Post{Key: "m1/end/file1", Place: home, Kind: bot.Report, After: "m1/end", File: &bot.File{ID: "f"}})
		say(bot.Post{Key: "no", Place: home, Text: "not yours", Only: bob})
		say(bot.Post{Key: "elsewhere", Place: sales, Text: "elsewhere"})
		ask("m2")
		say(bot.Post{Key: "m2/end", Place: home, Text: "by product", Trace: run.TraceOf("m2")})
		c.pass(time.Second)
		want := []run.Turn{
			{Role: llm.User, By: ann, Text: "sales of m1"}, {Role: llm.Assistant, Text: "Here it is.\n\n# Sales"},
			{Role: llm.User, By: ann, Text: "sales of m2"}, {Role: llm.Assistant, Text: "by product"},
		}
		before := c.now()
		ask("m3")
		if diff := cmp.Diff(want, must[[]run.Turn](t)(d.Runs().Turns(ctx, home.String(), before, 9))); diff != "" {
			t.Errorf("turns (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want[1:], must[[]run.Turn](t)(d.Runs().Turns(ctx, home.String(), before, 3))); diff != "" {
			t.Errorf("three turns (-want +got):\n%s", diff)
		}
	})
}

// A talk in the thread of a report begins with the report.
func TestTurnsUnderReport(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx := t.Context()
		d := open(t, store.Config{DSN: dsn})
		must[tool.Artifact](t)(d.Artifacts().Put(ctx, tool.Artifact{ID: "a1", Kind: tool.Report, Body: []byte("# Sales")}))
		ok(t, d.Outbox().Add(ctx, bot.Post{Key: "k", Place: sales, Kind: bot.Report, Artifact: "a1"}))
		p := must[bot.Post](t)(d.Outbox().Next(ctx))
		ok(t, d.Outbox().Note(ctx, p, bot.Receipt{Ref: bot.Ref{Place: sales, ID: "99.1"}}))
		ok(t, d.Outbox().Done(ctx, p))
		under := sales
		under.Thread = "99.1"
		got := must[[]run.Turn](t)(d.Runs().Turns(ctx, under.String(), time.Now().Add(time.Hour), 9))
		if diff := cmp.Diff([]run.Turn{{Role: llm.Assistant, Text: "# Sales"}}, got); diff != "" {
			t.Errorf("turns (-want +got):\n%s", diff)
		}
	})
}

func TestArtifacts(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx := t.Context()
		s := open(t, store.Config{DSN: dsn}).Artifacts()
		if _, err := s.Artifact(ctx, "none"); !errors.Is(err, tool.ErrNoArtifact) {
			t.Errorf("an unknown artifact = %v", err)
		}
		file := tool.Artifact{ID: "f1", Kind: tool.File, Name: "s.xlsx", Mime: "x/y", Body: []byte{0, 1, 2}, Run: "m1", Call: "c"}
		report := tool.Artifact{ID: "r1", Kind: tool.Report, Title: "Sales", Body: []byte("# Sales"), Files: []string{"f1"}, Recipe: "r", Meta: []byte("{}"), Run: "m1", Call: "c"}
		if _, err := s.Put(ctx, report); !errors.Is(err, tool.ErrNoArtifact) {
			t.Errorf("a report whose file is not there = %v, want ErrNoArtifact", err)
		}
		file = must[tool.Artifact](t)(s.Put(ctx, file))
		kept := must[tool.Artifact](t)(s.Put(ctx, report))
		if want := tool.HashOf(report, []string{file.Hash}); kept.Hash != want {
			t.Errorf("hash %s, want %s", kept.Hash, want)
		}
		other := report
		other.Body, other.Title = []byte("another"), "Another"
		if again := must[tool.Artifact](t)(s.Put(ctx, other)); again.Hash != kept.Hash || again.Title != "Sales" {
			t.Errorf("put again = %+v, want the first", again)
		}
		if diff := cmp.Diff(kept, must[tool.Artifact](t)(s.Artifact(ctx, "r1"))); diff != "" {
			t.Errorf("put (-) and got (+):\n%s", diff)
		}
		shown := must[bot.Shown](t)(s.Report(ctx, "r1"))
		if want := (bot.Shown{ID: "r1", Hash: kept.Hash, Title: "Sales", Text: "# Sales", Files: []bot.File{{ID: "f1", Name: "s.xlsx", Mime: "x/y"}}}); !cmp.Equal(shown, want) {
			t.Errorf("shown = %+v, want %+v", shown, want)
		}
		if f, body, err := s.Open(ctx, "f1"); err != nil || f.Name != "s.xlsx" || len(body) != 3 {
			t.Errorf("open = %+v, %v, %v", f, body, err)
		}
	})
}
