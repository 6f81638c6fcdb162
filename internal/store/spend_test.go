package store_test

import (
	"encoding/json"
	"testing"
	"time"

	"hermes/agent/agenttest"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/store"
)

func TestTreasury(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		agenttest.TestTreasury(t, func(t *testing.T) agenttest.Keeper {
			return open(t, store.Config{DSN: another(t, dsn)}).Runs()
		})
	})
}

// X8 What a step has cost is written in the commit that saves it: there is none for the
// ledger.
func TestWhatAStepCostsTakesNoCommit(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		db := open(t, store.Config{DSN: dsn})
		r := run.Run{Request: run.Request{Key: "k", Home: "test/w/c/", Asker: "test:w:ana", Text: "x", Now: time.Now(), Zone: "UTC"}, State: run.Working}
		r = r.Heard(llm.Reply{Usage: llm.Usage{In: 5, Out: 2, Nanos: 3}}, time.Now(), 0)
		before := db.Commits()
		if _, err := db.Runs().Save(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if n := db.Commits() - before; n != 1 {
			t.Errorf("a save with a cost took %d commits", n)
		}
		if got, err := db.Runs().Spent(t.Context(), "channel", "test:w:c", time.Time{}, time.Time{}); err != nil || got != (run.Amount{Tokens: 7, Nanos: 3}) {
			t.Errorf("spent = %+v, %v", got, err)
		}
	})
}

// X8 Who raises a budget stands in the audit, once, with the budget and the limit.
func TestARaiseIsAudited(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		db := open(t, store.Config{DSN: dsn})
		r := run.Raise{Key: "m1", Budget: "user/day", Of: "slack:T1:U1", From: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC), Limit: run.Amount{Nanos: 10e9}, By: "slack:T1:LEE", At: time.Now()}
		for range 2 {
			if err := db.Runs().Raise(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		rows, err := db.Journal().AuditOf(t.Context(), store.AuditFilter{What: store.BudgetRaised}, 10)
		if err != nil || len(rows) != 1 {
			t.Fatalf("audit = %+v, %v; want one row", rows, err)
		}
		if e := rows[0]; e.Who != r.By || e.Subject != "user/day:slack:T1:U1" || e.Outcome != "usd:10.0000" {
			t.Errorf("row = %+v", e)
		}
		if _, err := db.Journal().Verify(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// The tables of a run are those that its queries have brought, and no others.
func TestTheTablesOfARun(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		db := open(t, store.Config{DSN: dsn})
		for _, a := range []tool.Artifact{
			{ID: "a1", Kind: tool.Table, Run: "k1"}, {ID: "a2", Kind: tool.Report, Run: "k1"}, {ID: "a3", Kind: tool.Table, Run: "k2"},
		} {
			body, err := json.Marshal(tool.Grid{Source: a.ID})
			if err != nil {
				t.Fatal(err)
			}
			a.Body = body
			if _, err := db.Artifacts().Put(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
		got, err := db.Artifacts().Tables(t.Context(), "k1")
		if err != nil || len(got) != 1 || got[0].ID != "a1" {
			t.Errorf("tables = %+v, %v; want a1", got, err)
		}
	})
}
