package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/run"
	"hermes/internal/store"
)

// forgedGrant is a row of grants as somebody writes it who has the database alone.
func forgedGrant(id, question string) string {
	return fmt.Sprintf(`INSERT INTO grants (id, owner, job, tool, control, home, label, until, max, uses, by_whom, question, added)
		SELECT '%s', owner, job, tool, control, home, label, until, max, 0, by_whom, '%s', added FROM grants LIMIT 1`, id, question)
}

// SAFE-06: a grant counts as it was given and no further. One that was put into the table,
// widened, lengthened, counted back or taken out of its revocation is not used: it is
// listed as broken, told to the audit once, found by verify, and can be revoked.
func TestSAFE06AGrantThatWasForgedIsNotUsed(t *testing.T) {
	for name, c := range map[string]struct {
		tamper string
		why    string // empty: it still counts
	}{
		"untouched":                 {"", ""},
		"its home was left open":    {"UPDATE grants SET home = ''", "not what was given"},
		"it is for another control": {"UPDATE grants SET control = 'd'", "not what was given"},
		"it is for another tool":    {"UPDATE grants SET tool = 'delete_all'", "not what was given"},
		"it says another channel":   {"UPDATE grants SET label = '#hr'", "not what was given"},
		"it was lengthened":         {"UPDATE grants SET until = '2099-01-01T00:00:00.000000Z'", "not what was given"},
		"it may be used more often": {"UPDATE grants SET max = 1000", "not what was given"},
		"somebody else gave it":     {"UPDATE grants SET by_whom = 'slack:T:ceo'", "not what was given"},
		"its count was set back":    {"UPDATE grants SET uses = 0", "used 1 times by the audit, and 0 by its row"},
		"it was given by nobody":    {"", "no row of the audit gives it"},
		"its revocation was undone": {"UPDATE grants SET revoked = NULL", "revoked"},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, dsn string) {
				ctx, clk := t.Context(), newClock()
				d := open(t, store.Config{DSN: dsn, Now: clk.now})
				runs := d.Runs()
				r := likely(t, d, "m1", clk.now())
				a := answer(r, "press", bob, run.Like, clk.now())
				a.Scope = r.Questions[0].Scopes[0].ID
				must[run.Question](t)(runs.Settle(ctx, a))
				id := a.Scope
				must[run.Run](t)(runs.Deliver(ctx, sending(t, d, "slot1", id, sales.String(), clk.now())))
				do := raw(t, dsn)
				switch {
				case name == "it was given by nobody":
					ok(t, do("DELETE FROM grants WHERE id <> '"+id+"'"))
					ok(t, do(forgedGrant("gdeadbee", r.Questions[0].ID)))
					id = "gdeadbee"
				case strings.Contains(c.tamper, "revoked"):
					must[run.Grant](t)(runs.Revoke(ctx, id, ann))
				}
				if c.tamper != "" {
					ok(t, do(c.tamper))
				}
				for range 2 {
					all := must[[]run.Grant](t)(runs.Standing(ctx, ann))
					i := slices.IndexFunc(all, func(g run.Grant) bool { return g.ID == id })
					if i < 0 || (c.why == "") != (all[i].Broken == "") || !strings.Contains(all[i].Broken, c.why) {
						t.Fatalf("standing = %+v, want one broken as %q", all, c.why)
					}
				}
				told := must[[]store.Entry](t)(d.Journal().AuditOf(ctx, store.AuditFilter{What: store.Refused, Subject: id}, 9))
				v := must[store.Verified](t)(d.Journal().Verify(ctx))
				if c.why == "" {
					if len(told) != 0 || len(v.Doubts) != 0 {
						t.Errorf("of a sound grant: %+v, %+v", told, v.Doubts)
					}
				} else if len(told) != 1 || told[0].Outcome != "not-as-given" || len(v.Doubts) != 1 || v.Doubts[0].Subject != id || !strings.Contains(v.Doubts[0].How, c.why) {
					t.Errorf("told %+v, verify found %+v", told, v.Doubts)
				}
				if c.why != "" {
					if err := runs.Take(ctx, run.Use{Grant: id, Run: "m9", Call: "c", Hash: "h", By: ann}); !errors.Is(err, agent.ErrNoGrant) {
						t.Errorf("a use of it by a call = %v", err)
					}
				}
				_, err := runs.Deliver(ctx, sending(t, d, "slot2", id, sales.String(), clk.now()))
				if errors.Is(err, agent.ErrNoGrant) != (c.why != "") || c.why == "" && err != nil {
					t.Errorf("a use of it = %v", err)
				}
				if g := must[run.Grant](t)(runs.Revoke(ctx, id, ann)); g.Revoked.IsZero() {
					t.Errorf("it cannot be revoked: %+v", g)
				}
			})
		})
	}
}

// A grant stands over a change of the key and over a prune of the row that gave it, with
// what was used of it before; and not where its key is known no more.
func TestAGrantOutlivesItsKeyAndItsRow(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now, Audit: store.AuditKeys{Current: auditKey}})
		asked := asking(t, d, "m1", clk.now())
		yes := answer(asked, "press", bob, run.Always, clk.now())
		must[run.Question](t)(d.Runs().Settle(ctx, yes))
		id := must[[]run.Grant](t)(d.Runs().Grants(ctx, "j1"))[0].ID
		must[run.Run](t)(d.Runs().Deliver(ctx, sending(t, d, "slot1", id, sales.String(), clk.now())))
		ok(t, d.Close())
		sound := func(d *store.DB, want bool) {
			t.Helper()
			gs := must[[]run.Grant](t)(d.Runs().Grants(ctx, "j1"))
			if len(gs) != 1 || (gs[0].Broken == "") != want || gs[0].Uses != 1 {
				t.Errorf("grants = %+v, want sound %t", gs, want)
			}
		}
		d = open(t, store.Config{DSN: dsn, Now: clk.now, Audit: store.AuditKeys{Current: otherKey, Former: []string{"lost:" + store.AuditKeyID(auditKey)}}})
		sound(d, false)
		ok(t, d.Close())
		d = open(t, store.Config{DSN: dsn, Now: clk.now, Audit: store.AuditKeys{Current: otherKey, Former: []string{auditKey}}})
		sound(d, true)
		clk.pass(time.Hour)
		if n := must[int64](t)(d.Journal().Prune(ctx, clk.now(), bob)); n < 4 {
			t.Errorf("%d rows are gone", n)
		}
		sound(d, true)
		if v := must[store.Verified](t)(d.Journal().Verify(ctx)); len(v.Doubts) != 0 {
			t.Errorf("verify = %+v", v)
		}
		must[run.Run](t)(d.Runs().Deliver(ctx, sending(t, d, "slot2", id, sales.String(), clk.now())))
		ok(t, raw(t, dsn)("UPDATE grants SET uses = 0"))
		if gs := must[[]run.Grant](t)(d.Runs().Grants(ctx, "j1")); len(gs) != 1 || !strings.Contains(gs[0].Broken, "2 times") {
			t.Errorf("counted back after a prune: %+v", gs)
		}
	})
}

// A row that is none of a grant's keeps no other from being listed, and is revoked as any.
func TestABrokenRowOfGrantsIsListedAndRevoked(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now})
		runs := d.Runs()
		for _, key := range []string{"m1", "m2"} {
			r := likely(t, d, key, clk.now())
			a := answer(r, "press"+key, bob, run.Like, clk.now())
			a.Scope = r.Questions[0].Scopes[0].ID
			must[run.Question](t)(runs.Settle(ctx, a))
		}
		id := must[[]run.Grant](t)(runs.Standing(ctx, ""))[0].ID
		spoil := "UPDATE grants SET until = 'whenever', max = 'many', added = X'00ff' WHERE id = '" + id + "'"
		if strings.HasPrefix(dsn, "postgres") {
			spoil = "UPDATE grants SET until = 'infinity', added = '-infinity' WHERE id = '" + id + "'"
		}
		ok(t, raw(t, dsn)(spoil))
		all := must[[]run.Grant](t)(runs.Standing(ctx, ""))
		if len(all) != 2 || !slices.ContainsFunc(all, func(g run.Grant) bool { return g.ID == id && g.Broken != "" }) {
			t.Errorf("standing = %+v, want both and one broken", all)
		}
		clk.pass(100 * 24 * time.Hour)
		ok(t, d.Journal().ExpireGrants(ctx))
		if g := must[run.Grant](t)(runs.Revoke(ctx, id, ann)); g.ID != id || g.Revoked.IsZero() {
			t.Errorf("revoked = %+v", g)
		}
		if _, err := d.Journal().Verify(ctx); err != nil {
			t.Error(err)
		}
	})
}

// SAFE-14, VER: an approval that stands in the tables and not in the audit lets nothing
// run, whether all of it was put in or what it approves was exchanged; verify finds it. An
// agreement of that kind does not count.
func TestSAFE14ADecisionThatWasForgedIsNone(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: clk.now})
		runs, do := d.Runs(), raw(t, dsn)
		look := func(id string) (approved, altered bool) {
			t.Helper()
			q := must[run.Question](t)(runs.Question(ctx, id))
			_, approved = q.Approved(q.Calls[0].ID)
			return approved, q.Altered(q.Calls[0].ID)
		}
		for i, key := range []string{"m1", "m2", "m3", "m4", "m5", "m6"} {
			r := likely(t, d, key, clk.now())
			id := r.Questions[0].ID
			yes := answer(r, "press"+key, bob, run.Yes, clk.now())
			switch i {
			case 0: // given
				must[run.Question](t)(runs.Settle(ctx, yes))
			case 1: // put in
				ok(t, do(fmt.Sprintf(`INSERT INTO answers (question, key, choice, by_whom, at, body)
					VALUES ('%s', 'k', 'approve', '%s', '2026-12-01T09:00:00.000000Z', '{"key":"k","question":"%s","choice":"approve","by":"%s","at":"2026-12-01T09:00:00Z"}')`, id, bob, id, bob)))
				ok(t, do("UPDATE questions SET state = 'answered' WHERE id = '"+id+"'"))
			case 2: // exchanged
				must[run.Question](t)(runs.Settle(ctx, yes))
				old := r.Questions[0].Calls[0]
				hash := must[string](t)(run.HashArgs(old.Name, []byte(`{"evil":1}`)))
				ok(t, do(fmt.Sprintf("UPDATE questions SET body = replace(replace(body, '%s', '%s'), '\"args\":%s', '\"args\":{\"evil\":1}') WHERE id = '%s'", old.Hash, hash, old.Args, id)))
				if q := must[run.Question](t)(runs.Question(ctx, id)); q.Calls[0].Hash != hash || string(q.Calls[0].Args) != `{"evil":1}` {
					t.Fatalf("nothing was exchanged: %+v", q.Calls)
				}
			case 4, 5: // exchanged before it was given, and the signature with it
				old := r.Questions[0].Calls[0]
				hash := must[string](t)(run.HashArgs(old.Name, []byte(`{"evil":1}`)))
				ok(t, do(fmt.Sprintf("UPDATE questions SET body = replace(replace(body, '%s', '%s'), '\"args\":%s', '\"args\":{\"evil\":1}') WHERE id = '%s'", old.Hash, hash, old.Args, id)))
				if i == 5 {
					ok(t, do("UPDATE questions SET mac = '' WHERE id = '"+id+"'"))
				}
				like := yes
				like.Choice, like.Scope = run.Like, r.Questions[0].Scopes[0].ID
				must[run.Question](t)(runs.Settle(ctx, like))
				if gs := must[[]run.Grant](t)(runs.Standing(ctx, "")); len(gs) != 0 {
					t.Errorf("what nobody was shown is granted: %+v", gs)
				}
			case 3: // a no that was made a yes
				no := yes
				no.Choice = run.No
				must[run.Question](t)(runs.Settle(ctx, no))
				ok(t, do("UPDATE answers SET choice = 'approve', body = replace(body, '\"deny\"', '\"approve\"') WHERE question = '"+id+"'"))
			}
			if approved, altered := look(id); approved != (i == 0) || altered == (i == 0) {
				t.Errorf("%s: approved %t, altered %t", key, approved, altered)
			}
		}
		v := must[store.Verified](t)(d.Journal().Verify(ctx))
		if len(v.Doubts) != 4 || !strings.Contains(v.Doubts[0].How, "approval") || !strings.Contains(v.Doubts[3].How, "something else than was asked") {
			t.Errorf("verify found %+v, want four approvals", v.Doubts)
		}
		r := likely(t, d, "m7", clk.now())
		id := r.Questions[0].ID
		ok(t, do(fmt.Sprintf(`INSERT INTO agreements (question, person, choice, seq, at, body)
			VALUES ('%s', 'slack:T:ceo', 'approve', 0, '2026-12-01T09:00:00.000000Z', '{"key":"k","question":"%s","choice":"approve","by":"slack:T:ceo","at":"2026-12-01T09:00:00Z"}')`, id, id)))
		all := must[[]run.Answer](t)(runs.Agree(ctx, answer(r, "press7", bob, run.Yes, clk.now())))
		if len(all) != 1 || all[0].By != bob {
			t.Errorf("who agrees = %+v, want Bob alone", all)
		}
	})
}

// The database keeps the head of its audit: an end that is cut off shows without any
// other note, and no row that is written since hides it; a head that was taken away, or
// changed, shows too, and one that is set anew is told to the audit.
func TestTheDatabaseKeepsItsHead(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx := t.Context()
		d := open(t, store.Config{DSN: dsn, Now: newClock().now})
		addRows(t, d, 5)
		j, do := d.Journal(), raw(t, dsn)
		if has, err := j.CheckHead(ctx); !has || err != nil {
			t.Errorf("head = %t, %v", has, err)
		}
		unguard(t, dsn, do)
		ok(t, do("DELETE FROM audit WHERE seq > 3"))
		for range 2 {
			var broken *store.Broken
			if _, err := j.CheckHead(ctx); !errors.As(err, &broken) || broken.Seq < 4 {
				t.Errorf("at a start after the end was cut off: %v", err)
			}
			if _, err := j.Verify(ctx); !errors.As(err, &broken) || broken.Seq < 4 {
				t.Errorf("verify after the end was cut off: %v", err)
			}
			ok(t, d.Jobs().Add(ctx, job("late", newClock()))) // once
		}
		ok(t, do("UPDATE settings SET value = replace(value, ' 5 ', ' 4 ') WHERE name = 'audit.head'"))
		if _, err := j.Verify(ctx); !errors.Is(err, store.ErrBroken) || !strings.Contains(err.Error(), "head that the database keeps was changed") {
			t.Errorf("after the head was changed: %v", err)
		}
		ok(t, do("DELETE FROM settings WHERE name = 'audit.head'"))
		if has, err := j.CheckHead(ctx); has || err != nil {
			t.Errorf("after the head was taken away: %t, %v", has, err)
		}
		if v := must[store.Verified](t)(j.Verify(ctx)); len(v.Headless) != 1 || v.Headless[0] != store.HeadInDatabase {
			t.Errorf("verify without a head = %+v", v)
		}
		for _, want := range []bool{false, true} {
			if had := must[bool](t)(j.KeepHead(ctx)); had != want {
				t.Errorf("a head was kept: %t, want %t", had, want)
			}
		}
		v := must[store.Verified](t)(j.Verify(ctx))
		if es := must[[]store.Entry](t)(j.Audit(ctx, 1)); len(v.Headless) != 0 || es[0].What != store.HeadSet {
			t.Errorf("verify with a new head = %+v, told %+v", v, es)
		}
	})
}
