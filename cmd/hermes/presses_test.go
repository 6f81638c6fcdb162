package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/config"
)

// A9: of fifty presses at once, of several people and on different buttons, one decides,
// through the bot and either store: the post stands there once, the schedule once, and
// the decision has one row.
func TestA9FiftyPressesAreOneExecution(t *testing.T) {
	for name, dsn := range map[string]func(*testing.T) string{
		"sqlite":   func(*testing.T) string { return "" },
		"postgres": func(t *testing.T) string { dsn, _ := emptySchema(t); return dsn },
	} {
		t.Run(name, func(t *testing.T) {
			where := dsn(t)
			in := newInsideOf(t, time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), func(cfg *config.Config) {
				if where != "" {
					cfg.Database = config.Secret(where)
					cfg.Audit.Key = config.Secret(strings.Repeat("0f", 32))
				}
			})
			in.say("t1", headline)
			card := in.card("t1")
			const presses = 50
			var work sync.WaitGroup
			begin := make(chan struct{})
			for i := range presses {
				work.Go(func() {
					<-begin
					err := in.bot.Click(t.Context(), bot.Click{
						Key: fmt.Sprintf("press/%d", i), Place: card.Place, From: demoLead, Name: "Lee", Question: card.Question,
						Choice: []string{run.Always, run.Always, run.Once}[i%3], At: in.time(),
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			close(begin)
			work.Wait()
			told := func(ls []bot.Line) int {
				n := 0
				for _, l := range ls {
					if strings.HasPrefix(l.Text, "This is settled already") {
						n++
					}
				}
				return n
			}
			in.linesOf(demoLead, card.Place, "49 who are told that it is settled", func(ls []bot.Line) bool { return told(ls) == presses-1 })
			in.sees(room("general", "t1"), "Posted to")
			if n := in.count(room("sales", "")); n != 1 {
				t.Errorf("%d reports stand in #sales, want 1", n)
			}
			r, _, err := in.db.Runs().Run(t.Context(), "web/demo/general/t1-1")
			if err != nil {
				t.Fatal(err)
			}
			jobs, err := in.db.Jobs().Jobs(t.Context())
			want := 0
			if r.Questions[0].Answer.Choice == run.Always {
				want = 1
			}
			if err != nil || len(jobs) != want || len(r.Questions) != 1 {
				t.Errorf("%d schedules after %q, %v; want %d", len(jobs), r.Questions[0].Answer.Choice, err, want)
			}
		})
	}
}
