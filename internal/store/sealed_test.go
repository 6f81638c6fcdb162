package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/internal/store"
)

func pressed(key string) bot.Item {
	return bot.Item{Key: key, Place: sales, Lane: bot.Control, Click: &bot.Click{Key: key, Place: sales, From: bob, Question: "q1", Choice: run.Yes}}
}

// SAFE-06: a row of inbox or outbox that somebody else has written, changed, copied to
// another key or put back is not given out: it has failed, the audit has it once, the
// operator reads what to do, and what stands behind it goes on.
func TestARowThatWasForgedIsNotGivenOut(t *testing.T) {
	const copied = `INSERT INTO %[1]s (key, lane, ahead, place, channel, thread, body, due, state, added, mac%[2]s) SELECT 'forged', lane, ahead, place, channel, thread, REPLACE(body, '"first"', '"forged"'), due, 'waiting', added, mac%[2]s FROM %[1]s WHERE key = 'first'`
	const rest = ", rev, after_key, kind, question, run, trace, only_person, artifact"
	for name, c := range map[string]struct{ table, forge, key string }{
		"a press that was copied":          {"inbox", fmt.Sprintf(copied, "inbox", ", said"), "forged"},
		"a press by somebody else":         {"inbox", "UPDATE inbox SET body = REPLACE(body, '" + bob + "', '" + ann + "') WHERE key = 'first'", "first"},
		"a press at another place":         {"inbox", "UPDATE inbox SET place = 'test/w/C9/' WHERE key = 'first'", "first"},
		"a press without a seal":           {"inbox", "UPDATE inbox SET mac = '' WHERE key = 'first'", "first"},
		"a press that was put back":        {"inbox", "UPDATE inbox SET state = 'waiting' WHERE key = 'done'", "done"},
		"a post that was copied":           {"outbox", fmt.Sprintf(copied, "outbox", rest), "forged"},
		"a post with other words":          {"outbox", "UPDATE outbox SET body = REPLACE(body, 'hello', 'pay me') WHERE key = 'first'", "first"},
		"a post after another":             {"outbox", "UPDATE outbox SET after_key = 'done' WHERE key = 'first'", "first"},
		"a post that stands elsewhere":     {"outbox", "UPDATE outbox SET ref = 'test/w/C9/ 1', receipt_rev = -1, rev = 0 WHERE key = 'first'", "first"},
		"a post that was put back":         {"outbox", "UPDATE outbox SET state = 'waiting' WHERE key = 'done'", "done"},
		"a post without its receipt":       {"outbox", "UPDATE outbox SET state = 'waiting', ref = '', receipt = '', receipt_rev = -1, mac = SUBSTR(mac, 1, 73) WHERE key = 'done'", "done"},
		"what it comes after is elsewhere": {"outbox", "UPDATE outbox SET ref = 'test/w/C9/ 1' WHERE key = 'done'", "after"},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, dsn string) {
				ctx, clk := t.Context(), newClock()
				var log bytes.Buffer
				d := open(t, store.Config{DSN: dsn, Now: clk.now, Log: slog.New(slog.NewTextHandler(&log, nil))})
				in, out := d.Inbox(), d.Outbox()
				next := func() string {
					if c.table == "inbox" {
						it := must[bot.Item](t)(in.Next(ctx, bot.Control))
						ok(t, in.Done(ctx, it))
						return it.Key
					}
					p := must[bot.Post](t)(out.Next(ctx))
					ok(t, out.Note(ctx, p, bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: "7"}}))
					ok(t, out.Done(ctx, p))
					return p.Key
				}
				add := func(key, after string) {
					if c.table == "inbox" {
						ok(t, in.Add(ctx, pressed(key)))
						return
					}
					ok(t, out.Add(ctx, bot.Post{Key: key, Place: sales, Text: "hello", After: after}))
				}
				add("done", "")
				next()
				_, err := d.Journal().Configured(ctx, nil)
				ok(t, err)
				want := map[string]bool{"first": true, "last": true}
				add("first", "")
				if c.key == "after" {
					add("after", "done")
				}
				ok(t, raw(t, dsn)(c.forge))
				add("last", "")
				if c.key == "first" {
					delete(want, "first")
				}
				for range len(want) {
					if key := next(); !want[key] {
						t.Errorf("%s was given out", key)
					}
				}
				v := must[store.Verified](t)(d.Journal().Verify(ctx))
				if len(v.Doubts) == 0 || !strings.Contains(fmt.Sprint(v.Doubts), c.key) && c.key != "after" {
					t.Errorf("verify found %+v", v.Doubts)
				}
				told := must[[]store.Entry](t)(d.Journal().AuditOf(ctx, store.AuditFilter{What: store.Refused}, 9))
				if c.key == "after" || name == "what it comes after is elsewhere" {
					return // the next look takes it
				}
				if len(told) == 0 {
					add("later", "")
					next()
					told = must[[]store.Entry](t)(d.Journal().AuditOf(ctx, store.AuditFilter{What: store.Refused}, 9))
				}
				if len(told) != 1 || told[0].Subject != c.key || told[0].Outcome != "not-as-written" || !strings.Contains(log.String(), "hermes audit verify") {
					t.Errorf("told %+v, log %s", told, log.String())
				}
			})
		})
	}
}

// A row that was sealed under a key of before is given out under the next, and one under a
// key that nobody knows is not. A post that was said under the first is revised under the
// next.
func TestASealOutlivesItsKey(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now, Audit: store.AuditKeys{Current: auditKey}})
		_, err := d.Journal().Configured(ctx, nil)
		ok(t, err)
		ok(t, d.Inbox().Add(ctx, pressed("k1")))
		ok(t, d.Outbox().Add(ctx, bot.Post{Key: "p1", Place: sales, Text: "hello"}))
		p := must[bot.Post](t)(d.Outbox().Next(ctx))
		ok(t, d.Outbox().Note(ctx, p, bot.Receipt{Ref: bot.Ref{Place: sales, ID: "7"}}))
		ok(t, d.Outbox().Done(ctx, p))
		made := must[tool.Artifact](t)(d.Artifacts().Put(ctx, tool.Artifact{ID: "a9", Kind: tool.Report, Body: []byte("x")}))
		ok(t, d.Close())
		d = open(t, store.Config{DSN: dsn, Now: clk.now, Audit: store.AuditKeys{Current: otherKey, Former: []string{auditKey}}})
		if it := must[bot.Item](t)(d.Inbox().Next(ctx, bot.Control)); it.Key != "k1" {
			t.Errorf("item = %+v", it)
		}
		ok(t, d.Outbox().Add(ctx, bot.Post{Key: "p1", Rev: 1, Place: sales, Text: "hello again"}))
		if p := must[bot.Post](t)(d.Outbox().Next(ctx)); p.Delivered == nil || p.Delivered.ID != "7" {
			t.Errorf("post = %+v", p)
		}
		if a := must[tool.Artifact](t)(d.Artifacts().Artifact(ctx, "a9")); a.Altered || a.Hash != made.Hash {
			t.Errorf("artifact = %+v", a)
		}
		if v := must[store.Verified](t)(d.Journal().Verify(ctx)); len(v.Doubts) != 0 {
			t.Errorf("verify = %+v", v.Doubts)
		}
		ok(t, d.Close())
		d = open(t, store.Config{DSN: dsn, Now: clk.now, Audit: store.AuditKeys{Current: otherKey, Former: []string{"lost:" + store.AuditKeyID(auditKey)}}})
		if a := must[tool.Artifact](t)(d.Artifacts().Artifact(ctx, "a9")); !a.Altered {
			t.Error("an artifact under a key that is lost is as it was made")
		}
	})
}

// What waited when seals began is sealed once; what comes without one after that, at any
// start, is none of ours, whatever is done to the settings.
func TestRowsOfBeforeAreSealedOnce(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now})
		ok(t, d.Inbox().Add(ctx, pressed("k1")))
		ok(t, d.Outbox().Add(ctx, bot.Post{Key: "p1", Place: sales, Text: "hello"}))
		must[tool.Artifact](t)(d.Artifacts().Put(ctx, tool.Artifact{ID: "a9", Kind: tool.Report, Body: []byte("x")}))
		ok(t, d.Close())
		before := func() {
			for _, table := range []string{"inbox", "outbox", "artifacts"} {
				ok(t, raw(t, dsn)("UPDATE "+table+" SET mac = ''"))
			}
		}
		before()
		d = open(t, store.Config{DSN: dsn, Now: clk.now})
		it, p := must[bot.Item](t)(d.Inbox().Next(ctx, bot.Control)), must[bot.Post](t)(d.Outbox().Next(ctx))
		if it.Key != "k1" || p.Key != "p1" || must[tool.Artifact](t)(d.Artifacts().Artifact(ctx, "a9")).Altered {
			t.Errorf("given out: %+v, %+v", it, p)
		}
		ok(t, d.Close())
		before()
		ok(t, raw(t, dsn)("DELETE FROM settings WHERE name <> 'audit.head'"))
		d = open(t, store.Config{DSN: dsn, Now: clk.now})
		if !must[tool.Artifact](t)(d.Artifacts().Artifact(ctx, "a9")).Altered {
			t.Error("it was sealed a second time")
		}
		if v := must[store.Verified](t)(d.Journal().Verify(ctx)); len(v.Doubts) != 3 {
			t.Errorf("verify = %+v", v.Doubts)
		}
		// A prune keeps that they were sealed.
		clk.pass(time.Hour)
		must[int64](t)(d.Journal().Prune(ctx, clk.now(), bob))
		ok(t, d.Close())
		d = open(t, store.Config{DSN: dsn, Now: clk.now})
		if !must[tool.Artifact](t)(d.Artifacts().Artifact(ctx, "a9")).Altered {
			t.Error("it was sealed a second time after a prune")
		}
	})
}

// A question that was decided stays decided, though its rows say that it is open.
func TestAQuestionThatIsPutBackIsNotDecidedAgain(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now})
		r := asking(t, d, "m1", clk.now())
		yes := answer(r, "press", bob, run.Once, clk.now())
		must[run.Question](t)(d.Runs().Settle(ctx, yes))
		do := raw(t, dsn)
		ok(t, do("DELETE FROM answers"))
		ok(t, do("UPDATE questions SET state = 'open'"))
		if _, err := d.Runs().Settle(ctx, yes); !errors.Is(err, run.ErrAnswered) {
			t.Errorf("settle = %v, want ErrAnswered", err)
		}
	})
}

// L1, L2, L4, M3: verify names an agreement that nobody gave and a row of the audit that
// cannot be read; what was dealt with is known, and only that; a try that was made at no
// place has none.
func TestVerifyNamesAndKnows(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now})
		r := asking(t, d, "m1", clk.now())
		q, j := r.Questions[0].ID, d.Journal()
		ok(t, j.Refused(ctx, bot.Refusal{Key: "k", Who: bob, Try: "yes", About: q}))
		if rows := must[[]store.Entry](t)(j.AuditOf(ctx, store.AuditFilter{What: store.Refused}, 1)); rows[0].Place != "" {
			t.Errorf("place = %q", rows[0].Place)
		}
		clk.pass(time.Second)
		ok(t, raw(t, dsn)(fmt.Sprintf(`INSERT INTO agreements (question, person, choice, seq, at, body) VALUES ('%s', '%s', 'yes', 0, '%s', '{"question":"%[1]s","choice":"yes","by":"%[2]s"}')`,
			q, bob, clk.now().Format("2006-01-02T15:04:05.000000Z"))))
		found := func(known string) {
			t.Helper()
			v := must[store.Verified](t)(j.Verify(ctx))
			if len(v.Doubts) != 1 || v.Doubts[0].Subject != q || v.Doubts[0].Known != known {
				t.Errorf("doubts = %+v", v.Doubts)
			}
		}
		found("")
		if err := j.Acknowledge(ctx, "another", "x", bob); !errors.Is(err, store.ErrNoDoubt) {
			t.Errorf("acknowledge = %v", err)
		}
		ok(t, j.Acknowledge(ctx, q, "our drill", bob))
		found("our drill")
		ok(t, raw(t, dsn)("UPDATE acknowledged SET reason = 'never mind'"))
		rows := must[[]store.Entry](t)(j.AuditOf(ctx, store.AuditFilter{What: store.Acknowledged}, 9))
		found(fmt.Sprint("acknowledged in row ", rows[0].Seq))
		ok(t, raw(t, dsn)("DELETE FROM acknowledged"))
		clk.pass(time.Hour)
		must[int64](t)(j.Prune(ctx, clk.now(), bob))
		if strings.HasPrefix(dsn, "postgres") {
			return
		}
		ok(t, raw(t, dsn)("DROP TRIGGER audit_unchanged"))
		ok(t, raw(t, dsn)("UPDATE audit SET at = '2026-12-01T09:00:00Z' WHERE seq = (SELECT MIN(seq) FROM audit)"))
		var broken *store.Broken
		if _, err := j.Verify(ctx); !errors.As(err, &broken) || broken.Seq == 0 || !strings.Contains(err.Error(), "cannot be read") {
			t.Errorf("verify = %v", err)
		}
	})
}
