package store_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/internal/store"
)

func savedBook(name, measure string) playbook.Kept {
	return playbook.Kept{Owner: ann, Home: home.String(), Origin: playbook.Chat, By: ann, Playbook: playbook.Playbook{
		Name: name, Period: "month",
		Steps: []playbook.Step{{ID: "a", Tool: "query_metric", Args: map[string]any{"measure": measure, "top": json.Number("3"), "period": "{{period}}"}}},
	}}
}

// A report is kept with all its versions; a name is taken once, and a file and chat do not
// fight over one.
func TestReportsAreKeptWithTheirVersions(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		reports := d.Reports()
		if _, err := reports.Report(ctx, "sales"); !errors.Is(err, playbook.ErrNone) {
			t.Errorf("one that there is not: %v", err)
		}
		k, _, err := reports.Save(ctx, savedBook("sales", "sales"), true)
		ok(t, err)
		same, _, err := reports.Save(ctx, savedBook("sales", "sales"), true)
		if err != nil || same.Version != 1 || k.Version != 1 || same.Hash != k.Hash {
			t.Errorf("the same again is version %d, %v", same.Version, err)
		}
		if _, _, err := reports.Save(ctx, savedBook("sales", "orders"), true); !errors.Is(err, playbook.ErrTaken) {
			t.Errorf("another of that name: %v", err)
		}
		j := job("j1", c)
		j.Report = "sales"
		ok(t, d.Jobs().Add(ctx, j))
		edited := savedBook("sales", "orders")
		edited.By = "slack:T1:UBOB"
		k, _, err = reports.Save(ctx, edited, false)
		if err != nil || k.Version != 2 || k.Owner != ann {
			t.Errorf("edited it is version %d of %s, %v", k.Version, k.Owner, err)
		}
		file := savedBook("sales", "profit")
		file.Origin = playbook.File
		if _, _, err := reports.Save(ctx, file, false); !errors.Is(err, playbook.ErrTaken) {
			t.Errorf("a file of a name from chat: %v", err)
		}
		file.Name = "filed"
		_, _, err = reports.Save(ctx, file, false)
		ok(t, err)
		if _, _, err := reports.Save(ctx, savedBook("filed", "sales"), false); !errors.Is(err, playbook.ErrIsFile) {
			t.Errorf("chat over a file: %v", err)
		}
		running, err := reports.Running(ctx, "sales")
		if err != nil || len(running) != 1 || running[0].ID != "j1" {
			t.Errorf("run by %v, %v", running, err)
		}
		got, err := reports.Report(ctx, "sales")
		if err != nil || got.Steps[0].Args["measure"] != "orders" || got.Steps[0].Args["top"] != json.Number("3") {
			t.Errorf("report = %+v, %v", got, err)
		}
		if _, err := reports.Remove(ctx, "filed", ann, false); !errors.Is(err, playbook.ErrIsFile) {
			t.Errorf("a file is removed by hand: %v", err)
		}
		_, err = reports.Remove(ctx, "sales", ann, false)
		ok(t, err)
		all, err := reports.All(ctx)
		if err != nil || len(all) != 1 || all[0].Name != "filed" {
			t.Errorf("left are %v, %v", all, err)
		}
		back, _, err := reports.Save(ctx, savedBook("sales", "sales"), true)
		versions, err2 := reports.Versions(ctx, "sales")
		if err != nil || err2 != nil || back.Version != 4 || len(versions) != 3 {
			t.Errorf("saved anew it is version %d of %d, %v, %v", back.Version, len(versions), err, err2)
		}
	})
}

// Under a grant a period of a job is posted about once; what could not be posted does not
// count, and another post is for a person to say.
func TestADeliveredReportIsUniqueByJobAndPeriod(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		period := run.Period{From: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
		past := func(want int) {
			t.Helper()
			e, found, err := d.Runs().Delivered(ctx, "j1", period)
			if err != nil || found != (want > 0) || found && e.Revision != want {
				t.Errorf("the next is revision %d (%t), %v; want %d", e.Revision, found, err, want)
			}
		}
		deliver := func(key, failed string) {
			t.Helper()
			r := sending(t, d, key, "", sales.String(), c.now())
			r.Job, r.Period = "j1", period
			r, err := d.Runs().Deliver(ctx, r)
			ok(t, err)
			ok(t, d.Runs().Receive(ctx, run.Receipt{Post: r.Sending.Key, Run: key, Ref: "r", Link: "l", Failed: failed}))
		}
		past(0)
		deliver("job/j1@a", "the channel is archived")
		past(0)
		deliver("job/j1@b", "")
		past(2)
		deliver("job/j1@c", "")
		past(3)
	})
}
