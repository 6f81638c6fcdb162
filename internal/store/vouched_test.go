package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/store"
	"hermes/memory"
	"hermes/scheduler"
)

// furnished has a job, a report of two versions, a run of two steps that has cost, and a
// fact.
func furnished(t *testing.T, d *store.DB, clk *clock) {
	t.Helper()
	ctx := t.Context()
	_, err := d.Journal().Configured(ctx, nil)
	ok(t, err)
	ok(t, d.Jobs().Add(ctx, job("j1", clk)))
	later := must[scheduler.Job](t)(d.Jobs().Job(ctx, "j1"))
	later.Request = "sales by region"
	must[scheduler.Job](t)(d.Jobs().Update(ctx, later))
	for _, measure := range []string{"sales", "orders"} {
		_, _, err := d.Reports().Save(ctx, savedBook("sales", measure), false)
		ok(t, err)
	}
	r := run.Run{State: run.Working, Created: clk.now()}
	r.Request = run.Request{Key: "m1", Home: home.String(), Asker: ann, Text: "sales", Now: clk.now()}
	r = must[run.Run](t)(d.Runs().Save(ctx, r))
	for range 2 {
		r.Steps = append(r.Steps, run.Step{Reply: llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: "step"}, Usage: llm.Usage{In: 7, Out: 3}}, At: clk.now()})
		r = must[run.Run](t)(d.Runs().Save(ctx, r))
	}
	ok(t, d.Facts().Put(ctx, memory.Fact{ID: "f1", Subject: ann, Predicate: "prefers", Object: "tables", By: ann, Said: clk.now(), Audience: memory.Audience{Kind: "user", ID: ann}, Status: memory.Active}))
}

// SAFE-06: whose rights are used and which words are said stands in rows that somebody who
// can write to the database, and has not the key of the audit, cannot change: a row that
// was changed, copied, put back or taken away is not acted on, and verify names it.
func TestARowThatDecidesIsVouchedFor(t *testing.T) {
	const forgedRow = "hermes has not written"
	for name, c := range map[string]struct{ forge, kind, key, how string }{
		"a job of another owner":             {"UPDATE jobs SET body = REPLACE(body, '" + ann + "', '" + bob + "'), owner = '" + bob + "'", "job", "j1", forgedRow},
		"a job that asks for something else": {"UPDATE jobs SET body = REPLACE(body, 'by region', 'and salaries')", "job", "j1", forgedRow},
		"a job to another channel":           {"UPDATE jobs SET body = REPLACE(body, '" + sales.String() + "', 'test/w/C9/')", "job", "j1", forgedRow},
		"a job that was resumed":             {"UPDATE jobs SET state = 'paused'", "job", "j1", forgedRow},
		"a job that was put back":            {"UPDATE jobs SET version = was.version, body = was.body, mac = was.mac FROM was", "job", "j1", forgedRow},
		"a job that was copied":              {"INSERT INTO jobs (id, owner, origin, dest, state, version, created, since, body, mac) SELECT 'j2', owner, origin, dest, state, version, created, since, REPLACE(body, 'j1', 'j2'), mac FROM jobs", "job", "j2", forgedRow},
		"a job without a seal":               {"UPDATE jobs SET mac = ''", "job", "j1", forgedRow},
		"a job that is gone":                 {"DELETE FROM jobs", "", "j1", "has not"},
		"a report that says something else":  {"UPDATE reports SET body = REPLACE(body, 'orders', 'profit')", "report", "sales", forgedRow},
		"a report of before":                 {"DELETE FROM reports WHERE version = 2", "report", "sales", "v2"},
		"a report that was copied":           {"INSERT INTO reports SELECT name, 3, body, hash, owner, home, origin, file, by_whom, gone, at, mac FROM reports WHERE version = 1", "report", "sales", forgedRow},
		"a run that asks for something else": {"UPDATE runs SET request = REPLACE(request, 'sales', 'salaries')", "run", "m1", forgedRow},
		"a run of another asker":             {"UPDATE runs SET request = REPLACE(request, '" + ann + "', '" + bob + "'), asker = '" + bob + "'", "run", "m1", forgedRow},
		"a run whose asker is another":       {"UPDATE runs SET asker = '" + bob + "'", "run", "m1", forgedRow},
		"a run in another state":             {"UPDATE runs SET body = REPLACE(body, 'working', 'done')", "run", "m1", forgedRow},
		"a run with another step":            {"UPDATE steps SET body = REPLACE(body, 'step', 'send it') WHERE n = 1", "run", "m1", forgedRow},
		"a run with a step less":             {"DELETE FROM steps WHERE n = 2", "run", "m1", forgedRow},
		"a run with its steps in disorder":   {"UPDATE steps SET body = (SELECT s.body FROM steps s WHERE s.n = 1), mac = (SELECT s.mac FROM steps s WHERE s.n = 1) WHERE n = 2", "run", "m1", forgedRow},
		"a run that was copied": {`INSERT INTO runs (key, trace, home, asker, job, state, model, asked_at, request, body, steps, questions, tokens_in, tokens_out, version, created, updated, mac)
			SELECT 'm2', trace, home, asker, job, state, model, asked_at, REPLACE(request, 'm1', 'm2'), body, 0, questions, tokens_in, tokens_out, version, created, updated, mac FROM runs`, "run", "m2", forgedRow},
		"a fact that says something else": {"UPDATE facts SET object = 'charts'", "fact", "f1", forgedRow},
		"a fact for others":               {"UPDATE facts SET audience = '" + bob + "'", "fact", "f1", forgedRow},
		"what was spent":                  {"DELETE FROM spend WHERE n = 2", "", "m1", "cost"},
		"less was spent":                  {"UPDATE spend SET tokens = 1", "", "m1", "cost"},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, dsn string) {
				ctx, clk := t.Context(), newClock()
				var told []string
				d := open(t, store.Config{DSN: dsn, Now: clk.now, Altered: alteredInto(&told)})
				ok(t, d.Jobs().Add(ctx, job("j1", clk)))
				do := raw(t, dsn)
				ok(t, do("CREATE TABLE was AS SELECT version, body, mac FROM jobs"))
				furnished(t, d, clk)
				if v := must[store.Verified](t)(d.Journal().Verify(ctx)); len(v.Doubts) != 0 {
					t.Fatalf("before: %+v", v.Doubts)
				}
				ok(t, do(c.forge))
				v := must[store.Verified](t)(d.Journal().Verify(ctx))
				if len(v.Doubts) != 1 || v.Doubts[0].Subject != c.key || !strings.Contains(v.Doubts[0].How, c.how) {
					t.Errorf("verify found %+v", v.Doubts)
				}
				for range 2 {
					refused(t, d, c.kind, c.key)
				}
				rows := must[[]store.Entry](t)(d.Journal().AuditOf(ctx, store.AuditFilter{What: store.Refused}, 9))
				if want := min(len(c.kind), 1); len(rows) != want || len(told) != want {
					t.Errorf("audit has %+v, told %v", rows, told)
				}
				if err := d.Journal().Acknowledge(ctx, c.key, "our drill", bob); err != nil {
					t.Error(err)
				}
				v = must[store.Verified](t)(d.Journal().Verify(ctx))
				for _, x := range v.Doubts {
					if x.Known == "" {
						t.Errorf("not known: %+v", x)
					}
				}
			})
		})
	}
}

// refused looks for what is not acted on, where it would be.
func refused(t *testing.T, d *store.DB, kind, key string) {
	t.Helper()
	ctx := t.Context()
	switch kind {
	case "job":
		j := must[scheduler.Job](t)(d.Jobs().Job(ctx, key))
		if !j.Altered || j.State != scheduler.Paused || j.ID != key {
			t.Errorf("job %+v", j)
		}
		j.State = scheduler.Active
		if _, err := d.Jobs().Update(ctx, j); !errors.Is(err, scheduler.ErrAltered) {
			t.Errorf("it is made ours: %v", err)
		}
	case "report":
		if _, err := d.Reports().Report(ctx, key); !errors.Is(err, playbook.ErrAltered) {
			t.Errorf("report: %v", err)
		}
		if _, _, err := d.Reports().Save(ctx, savedBook(key, "profit"), false); !errors.Is(err, playbook.ErrAltered) {
			t.Errorf("it is made ours: %v", err)
		}
	case "run":
		if r, found, err := d.Runs().Run(ctx, key); !errors.Is(err, run.ErrAltered) || found || r.Asker != "" {
			t.Errorf("run %+v, %v, %v", r, found, err)
		}
	case "fact":
		for _, who := range []string{ann, bob} {
			if fs := must[[]memory.Fact](t)(d.Facts().List(ctx, memory.Viewer{Person: who, Direct: true}, 9)); len(fs) != 0 {
				t.Errorf("facts %+v", fs)
			}
		}
		if _, found, err := d.Facts().Fact(ctx, key); found || err != nil {
			t.Errorf("fact found, %v", err)
		}
	}
}

// What of this was there before it had seals gets them once, at the first start; a job that
// the audit has otherwise gets none, and what comes without one later is none of ours.
func TestRecordsOfBeforeAreSealedOnce(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now})
		ok(t, d.Jobs().Add(ctx, job("j1", clk)))
		other := job("j2", clk)
		ok(t, d.Jobs().Add(ctx, other))
		r := run.Run{State: run.Working, Created: clk.now()}
		r.Request = run.Request{Key: "m1", Home: home.String(), Asker: ann, Text: "sales", Now: clk.now()}
		r = must[run.Run](t)(d.Runs().Save(ctx, r))
		r.Steps = append(r.Steps, run.Step{At: clk.now()})
		must[run.Run](t)(d.Runs().Save(ctx, r))
		_, _, err := d.Reports().Save(ctx, savedBook("sales", "sales"), true)
		ok(t, err)
		must[tool.Artifact](t)(d.Artifacts().Put(ctx, tool.Artifact{ID: "a9", Kind: tool.Report, Body: []byte("x")}))
		ok(t, d.Close())
		before := func() {
			for _, table := range []string{"jobs", "runs", "steps", "reports"} {
				ok(t, raw(t, dsn)("UPDATE "+table+" SET mac = ''"))
			}
		}
		before()
		ok(t, raw(t, dsn)("UPDATE jobs SET body = REPLACE(body, 'sales <b>', 'salaries') WHERE id = 'j2'"))
		d = open(t, store.Config{DSN: dsn, Now: clk.now})
		if j := must[scheduler.Job](t)(d.Jobs().Job(ctx, "j1")); j.Altered {
			t.Error("a job of before was not sealed")
		}
		if j := must[scheduler.Job](t)(d.Jobs().Job(ctx, "j2")); !j.Altered {
			t.Error("a job that the audit has otherwise was sealed")
		}
		got, found, err := d.Runs().Run(ctx, "m1")
		if !found || err != nil || len(got.Steps) != 1 {
			t.Errorf("run %v, %v", found, err)
		}
		must[run.Run](t)(d.Runs().Save(ctx, got))
		must[playbook.Kept](t)(d.Reports().Report(ctx, "sales"))
		ok(t, d.Close())
		before()
		d = open(t, store.Config{DSN: dsn, Now: clk.now})
		if j := must[scheduler.Job](t)(d.Jobs().Job(ctx, "j1")); !j.Altered {
			t.Error("it was sealed a second time")
		}
		if v := must[store.Verified](t)(d.Journal().Verify(ctx)); len(v.Doubts) != 4 {
			t.Errorf("verify = %+v", v.Doubts)
		}
	})
}

// Seals outlive their key, a run that goes on under the next too; and after a prune a job
// and a report are what their seals say.
func TestRecordsOutliveTheirKeyAndAPrune(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now, Audit: store.AuditKeys{Current: auditKey}})
		furnished(t, d, clk)
		ok(t, d.Close())
		d = open(t, store.Config{DSN: dsn, Now: clk.now, Audit: store.AuditKeys{Current: otherKey, Former: []string{auditKey}}})
		r, _, err := d.Runs().Run(ctx, "m1")
		ok(t, err)
		r.Steps = append(r.Steps, run.Step{At: clk.now()})
		must[run.Run](t)(d.Runs().Save(ctx, r))
		look := func() {
			t.Helper()
			if r, _, err := d.Runs().Run(ctx, "m1"); err != nil || len(r.Steps) != 3 {
				t.Errorf("run of %d steps, %v", len(r.Steps), err)
			}
			if j := must[scheduler.Job](t)(d.Jobs().Job(ctx, "j1")); j.Altered {
				t.Error("the job is none of ours")
			}
			must[playbook.Kept](t)(d.Reports().Report(ctx, "sales"))
			if v := must[store.Verified](t)(d.Journal().Verify(ctx)); len(v.Doubts) != 0 {
				t.Errorf("verify = %+v", v.Doubts)
			}
		}
		look()
		clk.pass(time.Hour)
		must[int64](t)(d.Journal().Prune(ctx, clk.now(), bob))
		look()
	})
}

// A job that was changed can be deleted, and its report removed and saved anew.
func TestWhatWasAlteredCanBeMadeAnew(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now})
		furnished(t, d, clk)
		for _, table := range []string{"jobs", "reports"} {
			ok(t, raw(t, dsn)(fmt.Sprintf("UPDATE %s SET body = REPLACE(body, 'sales', 'salaries')", table)))
		}
		j := must[scheduler.Job](t)(d.Jobs().Job(ctx, "j1"))
		j.State = scheduler.Deleted
		must[scheduler.Job](t)(d.Jobs().Update(ctx, j))
		_, err := d.Reports().Remove(ctx, "sales", bob, false)
		ok(t, err)
		_, _, err = d.Reports().Save(ctx, savedBook("sales", "sales"), true)
		ok(t, err)
		must[playbook.Kept](t)(d.Reports().Report(ctx, "sales"))
	})
}

// alteredInto notes what a store tells of.
func alteredInto(told *[]string) func(context.Context, string, string) error {
	return func(_ context.Context, table, key string) error {
		*told = append(*told, table+" "+key)
		return nil
	}
}
