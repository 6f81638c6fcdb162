package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/internal/store"
	"hermes/memory"
)

// canary is a configured secret, and shaped a token that nobody has configured; it is
// put together here so that this file holds none.
const canary = `Canary-7&"value"/x`

var shaped = "ghp_" + strings.Repeat("a1B2c3D4e5", 4)

// X1, X2: whatever is written, no byte of the database holds a secret, be it of a
// message, a post, a run, an artifact, a fact or the reason of a failure.
func TestNoSecretIsKept(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		d := open(t, store.Config{DSN: dsn})
		ctx := t.Context()
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		said := "it is " + canary + " and " + shaped
		place := bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1"}
		must(d.Inbox().Add(ctx, bot.Item{Key: "k1", Place: place, Lane: bot.Talk, Message: &bot.Message{Key: "k1", Place: place, From: "slack:T1:U1", Text: said, At: time.Now()}}))
		it, err := d.Inbox().Next(ctx, bot.Talk)
		must(err)
		if it.Message.Text != "it is [redacted:configured] and [redacted:github-token]" {
			t.Errorf("the message is %q", it.Message.Text)
		}
		must(d.Inbox().Fail(ctx, it, "failed on "+said))
		must(d.Facts().PutEpisode(ctx, memory.Episode{ID: "e1", Text: said, At: time.Now(), Audience: memory.Audience{Kind: "user", ID: "slack:T1:U1"}}))
		must(d.Outbox().Add(ctx, bot.Post{Key: "p1", Place: place, Text: said}))
		r := run.Run{Request: run.Request{Key: "k1", Home: place.String(), Asker: "slack:T1:U1", Text: said, Now: time.Now()}, State: run.Working}
		r = r.Heard(llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: said, Calls: []llm.Call{{ID: "c1", Name: "x", Args: []byte(`{"token":"a1b2c3d4e5f6"}`)}}}}, time.Now(), 0)
		r = r.With(run.Result{Result: llm.Result{ID: "c1", Text: said, Note: said}, Error: &tool.Error{Message: said}})
		_, err = d.Runs().Save(ctx, r)
		must(err)
		kept, err := d.Artifacts().Put(ctx, tool.Artifact{ID: "a1", Kind: tool.File, Title: said, Name: "x.txt", Body: []byte("\xef\xbb\xbf" + said), Run: "k1", Call: "k1/c1"})
		must(err)
		back, err := d.Artifacts().Artifact(ctx, "a1")
		must(err)
		if !bytes.Equal(kept.Body, back.Body) || back.Hash != tool.HashOf(back, nil) || bytes.Contains(kept.Body, []byte(shaped)) {
			t.Errorf("the artifact is %q with hash %s, told %q", back.Body, back.Hash, kept.Body)
		}
		_, err = memory.New(d.Facts(), time.Now).Remember(ctx, memory.Fact{
			Subject: "slack:T1:U1", Predicate: "note", Object: said, Text: said, Kind: "stated", Source: "k1", By: "slack:T1:U1", Place: place.String(),
			Audience: memory.Audience{Kind: "user", ID: "slack:T1:U1"},
		})
		must(err)
		got, ok, err := d.Runs().Run(ctx, "k1")
		must(err)
		if last, _ := got.Last(); !ok || string(last.Reply.Message.Calls[0].Args) != `{"token":"a1b2c3d4e5f6"}` {
			t.Errorf("a run's own words are changed: %s", last.Reply.Message.Calls[0].Args)
		}
		if strings.HasPrefix(dsn, "postgres") {
			return // its bytes are elsewhere; what is written is the same
		}
		files, err := filepath.Glob(dsn + "*")
		must(err)
		for _, f := range files {
			b, err := os.ReadFile(f)
			must(err)
			for _, s := range []string{canary, `Canary-7`, shaped} {
				if bytes.Contains(bytes.ToLower(b), bytes.ToLower([]byte(s))) {
					t.Errorf("%s holds %s", filepath.Base(f), s)
				}
			}
		}
	})
}
