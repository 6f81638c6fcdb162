package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/store"
)

// Issue 5, audit: of tries that are refused each one counts: the first is told at once and
// the others by their number, in one row a minute, however many there are; a press that is
// heard twice is one.
func TestRefusedTriesAreCounted(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		j := d.Journal()
		try := func(n int) {
			t.Helper()
			for range 2 {
				ok(t, j.Refused(ctx, bot.Refusal{Key: fmt.Sprint("press", n), Who: "slack:T:eve", Try: "approve", About: "m1/q1", Place: home}))
			}
		}
		told := func(want ...string) {
			t.Helper()
			var got []string
			for _, e := range must[[]store.Entry](t)(j.AuditFrom(ctx, store.AuditFilter{What: store.Refused}, 99)) {
				if e.Who != "slack:T:eve" || e.Subject != "m1/q1" {
					t.Errorf("row %+v", e)
				}
				got = append(got, e.Outcome)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("told (-want +got):\n%s", d)
			}
		}
		try(0)
		told("approve")
		for n := range 300 {
			try(n)
		}
		ok(t, j.Tally(ctx, false))
		told("approve")
		c.pass(time.Minute)
		ok(t, j.Tally(ctx, false))
		told("approve", "approve/299")
		try(1000)
		told("approve", "approve/299")
		ok(t, j.Tally(ctx, true)) // the program ends
		told("approve", "approve/299", "approve/1")
		for range 2 {
			c.pass(time.Minute)
			ok(t, j.Tally(ctx, false))
		}
		try(2000)
		told("approve", "approve/299", "approve/1", "approve")
		if _, err := j.Verify(ctx); err != nil {
			t.Error(err)
		}
	})
}

// However many kinds of tries there are, the rows of a minute are bounded.
func TestNobodyFillsTheAuditWithRefusals(t *testing.T) {
	d := open(t, store.Config{DSN: file(t), Now: newClock().now})
	for n := range 1500 {
		ok(t, d.Journal().Refused(t.Context(), bot.Refusal{Key: fmt.Sprint(n), Who: fmt.Sprint("slack:T:U", n), Try: "message", About: "policy"}))
	}
	ok(t, d.Journal().Tally(t.Context(), true))
	rows := must[[]store.Entry](t)(d.Journal().AuditFrom(t.Context(), store.AuditFilter{}, 2000))
	if last := rows[len(rows)-1]; len(rows) > 1010 || last.Outcome != "message/499" && last.Outcome != "others/499" {
		t.Errorf("%d rows, the last %+v", len(rows), last)
	}
}

// SAFE-14: a call that is refused, by the rights of who asked, for a schedule, or since a
// decision is not the one that was made, is told once, with what refused it.
func TestSAFE14ARefusedCallIsTold(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		for name, tt := range map[string]struct {
			res  run.Result
			want string
		}{
			"rights":     {run.Result{Hidden: true, Unrun: run.Unfit}, "rights"},
			"altered":    {run.Result{Unrun: run.Altered}, "altered"},
			"unattended": {run.Result{Unrun: run.Forbidden}, "unattended"},
			"denied":     {run.Result{Unrun: run.Forbidden, Denied: "Bob"}, ""},
			"unfit":      {run.Result{Unrun: run.Unfit}, ""},
		} {
			r := must[run.Run](t)(d.Runs().Save(ctx, heard(begun(name, c.now()), "post_message")))
			tt.res.Result = llm.Result{ID: r.OpenCalls()[0].ID, Text: "no", Failed: true}
			r = must[run.Run](t)(d.Runs().Save(ctx, r.With(tt.res)))
			must[run.Run](t)(d.Runs().Save(ctx, r))
			es := must[[]store.Entry](t)(d.Journal().AuditOf(ctx, store.AuditFilter{What: store.Refused, Subject: name}, 9))
			if (tt.want == "") != (len(es) == 0) || len(es) > 1 || len(es) == 1 && (es[0].Outcome != tt.want || es[0].Tool != "post_message" || es[0].Who != ann) {
				t.Errorf("%s: told %+v", name, es)
			}
		}
	})
}
