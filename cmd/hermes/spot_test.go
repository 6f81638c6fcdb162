package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/config"
)

// SAFE-11: once a week what was asked for in open channels is put before people, and
// nothing of a direct message; a verdict of the console and one of the command line stand
// there and are counted. SAFE-12, A18: interventions are counted, and the card of what one
// person approves again and again offers a scope; both on either store.
func TestSAFE11SAFE12TheWeekIsLookedAt(t *testing.T) {
	for name, dsn := range map[string]func(*testing.T) string{
		"sqlite":   func(*testing.T) string { return "" },
		"postgres": func(t *testing.T) string { dsn, _ := emptySchema(t); return dsn },
	} {
		t.Run(name, func(t *testing.T) {
			where := dsn(t)
			// A Monday, a few minutes before nine.
			in := newInsideOf(t, time.Date(2026, 11, 2, 8, 50, 0, 0, time.UTC), func(cfg *config.Config) {
				cfg.SpotCheck = config.SpotCheck{Channel: "web:demo:sales", Count: 20, When: "mon 09:00"}
				cfg.Approvals.OfferAfter = 3
				if where != "" {
					cfg.Database = config.Secret(where)
					cfg.Audit.Key = config.Secret(strings.Repeat("0f", 32))
				}
			})
			for i := range 4 {
				thread := fmt.Sprint("t", i)
				in.say(thread, "@hermes summarise last month's sales by region and post it to #sales")
				card := in.card(thread)
				offers := strings.Contains(card.Text, "The same person has approved this kind 3 times in 7 days")
				if offers != (i == 3) {
					t.Errorf("card %d offers a scope: %t\n%s", i+1, offers, card.Text)
				}
				if i == 3 {
					break
				}
				if err := in.bot.Click(t.Context(), bot.Click{
					Key: "press/" + thread, Place: card.Place, From: demoLead, Name: "Lee", Question: card.Question, Choice: run.Yes, At: in.time(),
				}); err != nil {
					t.Fatal(err)
				}
				in.sees(room("general", thread), "Posted to")
			}
			x, err := in.interventions(t.Context(), 4)
			if err != nil || x.With != 3 || len(x.Often) != 1 || x.Often[0].N != 3 || x.Often[0].What != "#sales" {
				t.Errorf("interventions = %+v, %v", x, err)
			}
			private := bot.Place{Platform: "web", Workspace: "demo", Channel: "dm-you"}
			s := in.spotCheck(in.cfg.SpotCheck, map[string]bot.Directory{"web": in.web})
			for home, want := range map[bot.Place]bool{room("general", ""): true, room("sales", ""): true, private: false, {Platform: "web", Workspace: "demo", Channel: "nowhere"}: false} {
				if got := s.Fits(t.Context(), home); got != want {
					t.Errorf("%s may be shown: %t", home, got)
				}
			}
			in.clock.Add(int64(20 * time.Minute))
			drawn, err := in.db.Spots().Draw(t.Context(), bot.Draw{
				Week: "2026-11-02", Place: s.Place, From: in.time().Add(-time.Hour), Until: in.time(), N: 20, Fits: s.Fits,
			})
			if err != nil || len(drawn) != 3 {
				t.Fatalf("drawn %+v, %v", drawn, err)
			}
			got, err := opSpotJudge.do(t.Context(), in.hermes, []byte(fmt.Sprintf(`{"key":"cli/1","trace":%q,"says":"wrong"}`, drawn[0].Trace)))
			if err != nil {
				t.Fatal(got, err)
			}
			all, err := in.db.Spots().Judged(t.Context(), in.time().Add(-time.Hour))
			if err != nil || len(all) != 3 || len(all[0].Verdicts) != 1 || all[0].Verdicts[0].Says != bot.Wrong {
				t.Errorf("judged %+v, %v", all, err)
			}
			if _, err := opSpotJudge.do(t.Context(), in.hermes, []byte(`{"key":"cli/2","trace":"00000000","says":"wrong"}`)); err == nil || !strings.Contains(err.Error(), "hint: `hermes spot list`") {
				t.Errorf("of what was not drawn: %v", err)
			}
			in.lines(room("sales", ""), "the verdict", func(ls []bot.Line) bool {
				return slices.ContainsFunc(ls, func(l bot.Line) bool {
					return strings.Contains(l.Text, "Wrong, says the operator") && len(l.Choices) == 3
				})
			})
		})
	}
}
