package main

import (
	"log/slog"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/config"
	"hermes/internal/fakeslack"
)

// A11: once an approval is on disk the next step follows, though whoever has brought it is
// gone for good: nothing but the approval and what stands in its transaction is there when
// the program comes back.
func TestA11WorkGoesOnAfterAnApprovalAndNothingElse(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	root := o.says("ana", "general", mainJob)
	card := o.card(root)
	o.kill()
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Data, cfg.Web.Addr = o.data, "127.0.0.1:0"
	h, err := build(t.Context(), cfg, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	question := "slack/" + fakeslack.Team + "/" + root.Channel + "/" + root.TS + "/q1"
	_, err = h.db.Runs().Settle(t.Context(), run.Answer{Key: "press", Question: question, Choice: run.Once, By: "slack:" + fakeslack.Team + ":" + leo, At: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	since := o.restart()
	o.until("the post in #sales", func() bool { return len(o.posts("sales")) > 0 })
	t.Logf("the post is there %s after the restart of %s", since(), card.TS)
}
