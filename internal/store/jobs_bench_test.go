package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"hermes/internal/store"
	"hermes/scheduler"
)

type nobody struct{}

func (nobody) Fire(context.Context, scheduler.Firing) error { return nil }

const crowd = 100_000

// manyJobs fills a store with 100,000 active jobs that have each had a slot, in one
// transaction: one by one they would wait for the disk each.
func manyJobs(b *testing.B) (*store.DB, *clock) {
	b.Helper()
	c := newClock()
	file := filepath.Join(b.TempDir(), "jobs.db")
	d := open(b, store.Config{DSN: file, Now: c.now})
	raw, err := sql.Open("sqlite", file)
	if err != nil {
		b.Fatal(err)
	}
	defer raw.Close()
	tx, err := raw.BeginTx(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	const layout = "2006-01-02T15:04:05.000000Z"
	start := c.now().UTC()
	for i := range crowd {
		j := job(fmt.Sprintf("j%06d", i), c)
		// Spread over the hours of the day and the days of the month; none is due
		// within the first minutes.
		j.Spec = fmt.Sprintf("%d %d %d * *", i%60, (start.Hour()+2+i%20)%24, 1+i%28)
		j.Zone = []string{"UTC", "Europe/Berlin", "Asia/Shanghai", "America/New_York"}[i%4]
		body, err := json.Marshal(j)
		if err != nil {
			b.Fatal(err)
		}
		at := start.Add(-time.Hour).Format(layout)
		for _, row := range []struct {
			text string
			args []any
		}{
			{"INSERT INTO jobs (id, owner, origin, dest, state, version, created, since, body) VALUES (?, ?, ?, ?, 'active', 0, ?, ?, ?)",
				[]any{j.ID, j.Owner, j.Origin, j.To, at, at, string(body)}},
			{"INSERT INTO slots (key, job, nominal, zone, at, period_from, period_to, state, reason, run, link, fired, claimed, ended) VALUES (?, ?, ?, ?, ?, ?, ?, 'ran', '', '', '', 1, ?, ?)",
				[]any{j.ID + "@x", j.ID, "x", j.Zone, at, at, at, at, at}},
		} {
			if _, err := tx.ExecContext(b.Context(), row.text, row.args...); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	return d, c
}

// Issue 6, "Shown by" 4: 100,000 jobs in SQLite. "start" is the first look of a new
// process, "tick" one at which nothing is due, "changed" one after a change.
func BenchmarkScheduler100000(b *testing.B) {
	d, c := manyJobs(b)
	quiet := slog.New(slog.DiscardHandler)
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			if _, err := scheduler.New(scheduler.NewKeeper(d.Jobs(), scheduler.Policy{}, c.now), nobody{}, quiet).Look(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	s := scheduler.New(scheduler.NewKeeper(d.Jobs(), scheduler.Policy{}, c.now), nobody{}, quiet)
	if _, err := s.Look(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Run("tick", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Look(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("changed", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			j := must[scheduler.Job](b)(d.Jobs().Job(b.Context(), "j000001"))
			j.Name += "."
			must[scheduler.Job](b)(d.Jobs().Update(b.Context(), j))
			b.StartTimer()
			if _, err := s.Look(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
