package store_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "github.com/jackc/pgx/v5/stdlib"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/redact"
	"hermes/internal/store"
	"hermes/memory"
	"hermes/scheduler"
)

const (
	auditKey = "an audit key of thirty-two bytes and more"
	otherKey = "another audit key of thirty-two bytes and more"
)

// raw is the database as its owner has it, without the store before it.
func raw(t *testing.T, dsn string) func(statement string) error {
	t.Helper()
	driver := "sqlite"
	if strings.HasPrefix(dsn, "postgres") {
		driver = "pgx"
	}
	pool, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() }) // the store complains if it hurts
	return func(statement string) error {
		_, err := pool.ExecContext(t.Context(), statement)
		return err
	}
}

// unguard takes away what refuses a change, as an owner may.
func unguard(t *testing.T, dsn string, do func(string) error) {
	t.Helper()
	if strings.HasPrefix(dsn, "postgres") {
		ok(t, do("ALTER TABLE audit DISABLE TRIGGER ALL"))
		return
	}
	for _, name := range []string{"audit_unchanged", "audit_undeleted", "audit_unplaced"} {
		ok(t, do("DROP TRIGGER "+name))
	}
}

func addRows(t *testing.T, d *store.DB, n int) {
	t.Helper()
	for i := range n {
		ok(t, d.Jobs().Add(t.Context(), scheduler.Job{ID: fmt.Sprint("j", i), Owner: ann, Spec: "0 9 * * 1", Zone: "UTC", State: scheduler.Active}))
	}
}

// A row that was changed, deleted, put in or swapped is found by its number, and so is
// an end that was cut off, by a head that was noted before (X10).
func TestX10VerifyFindsTheRow(t *testing.T) {
	swap := "UPDATE audit SET seq = 100 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 4; UPDATE audit SET seq = 4 WHERE seq = 100"
	copied := func(seq int, version string) string {
		return fmt.Sprintf(`INSERT INTO audit (seq, at, who, what, subject, under, detail, prev, hash, version, key_id, part_of, place, tool, digest, outcome)
			SELECT %d, at, who, what, subject, under, detail, prev, hash, %s, part_of, place, tool, digest, outcome FROM audit WHERE seq = 2`, seq, version)
	}
	for name, c := range map[string]struct {
		tamper string
		row    int64
		how    string
	}{
		"untouched":                        {"", 0, ""},
		"who was changed":                  {"UPDATE audit SET who = 'slack:T:mallory' WHERE seq = 2", 2, "changed"},
		"the time was changed":             {"UPDATE audit SET at = '2020-01-01T00:00:00.000000Z' WHERE seq = 5", 5, "changed"},
		"text was put beside a row":        {"UPDATE audit SET detail = 'so' WHERE seq = 4", 4, "changed"},
		"a field ran into the next":        {"UPDATE audit SET who = '', what = who || what WHERE seq = 2", 2, "changed"},
		"the hash was made to fit none":    {"UPDATE audit SET hash = prev WHERE seq = 3", 3, "changed"},
		"one is missing":                   {"DELETE FROM audit WHERE seq = 3", 3, "missing"},
		"the first is missing":             {"DELETE FROM audit WHERE seq = 1", 1, "missing"},
		"two are swapped":                  {swap, 3, "changed or put in"},
		"one was put in":                   {copied(6, "version, key_id"), 6, "put in"},
		"one was put in far away":          {copied(60, "version, key_id"), 60, "put in"},
		"one of before keys was put in":    {copied(6, "1, ''"), 6, "put in"},
		"it claims another key":            {"UPDATE audit SET key_id = 'deadbeef' WHERE seq = 2", 2, "under key"},
		"the end is missing":               {"DELETE FROM audit WHERE seq > 3", 4, "missing"},
		"all of it is missing":             {"DELETE FROM audit", 1, "missing"},
		"a row of a later version was put": {"UPDATE audit SET version = 3 WHERE seq = 5", 5, "changed"},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, dsn string) {
				ctx := t.Context()
				d := open(t, store.Config{DSN: dsn, Now: newClock().now})
				addRows(t, d, 5)
				head := must[store.Head](t)(d.Journal().Head(ctx))
				if c.tamper != "" {
					do := raw(t, dsn)
					unguard(t, dsn, do)
					ok(t, do(c.tamper))
				}
				v, err := d.Journal().Verify(ctx, head)
				if c.row == 0 {
					if err != nil || v.Rows != 5 || v.Head.Hash != head.Hash || v.Heads != 1 || v.First.IsZero() {
						t.Errorf("verify = %+v, %v", v, err)
					}
					return
				}
				var broken *store.Broken
				if !errors.As(err, &broken) || !errors.Is(err, store.ErrBroken) || broken.Seq != c.row || !strings.Contains(broken.How, c.how) {
					t.Errorf("verify = %v, want row %d %s", err, c.row, c.how)
				}
			})
		})
	}
}

// A head may be noted as its hash alone.
func TestVerifyMissesAHeadByItsHash(t *testing.T) {
	d := open(t, store.Config{DSN: file(t)})
	addRows(t, d, 2)
	head := must[store.Head](t)(d.Journal().Head(t.Context()))
	if v, err := d.Journal().Verify(t.Context(), store.Head{Hash: head.Hash}); err != nil || v.Heads != 1 {
		t.Errorf("verify = %+v, %v", v, err)
	}
	if _, err := d.Journal().Verify(t.Context(), store.Head{Hash: strings.Repeat("0", 64)}); !errors.Is(err, store.ErrBroken) {
		t.Errorf("a hash that no row has = %v", err)
	}
}

// The database refuses to change what stands in the audit, whoever asks.
func TestTheAuditIsOnlyAddedTo(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		d := open(t, store.Config{DSN: dsn})
		addRows(t, d, 3)
		do := raw(t, dsn)
		statements := []string{"UPDATE audit SET who = 'x'", "DELETE FROM audit WHERE seq = 2", "DELETE FROM audit"}
		if strings.HasPrefix(dsn, "postgres") {
			statements = append(statements, "TRUNCATE audit")
		} else {
			statements = append(statements,
				"INSERT OR REPLACE INTO audit (seq, at, who, what, subject, under, detail, prev, hash) SELECT seq, at, 'x', what, subject, under, detail, prev, hash FROM audit WHERE seq = 2")
		}
		for _, s := range statements {
			if err := do(s); err == nil || !strings.Contains(err.Error(), "only added to") {
				t.Errorf("%s = %v, want a refusal", s, err)
			}
		}
		if v, err := d.Journal().Verify(t.Context()); err != nil || v.Rows != 3 {
			t.Errorf("verify = %+v, %v", v, err)
		}
	})
}

// Two replicas that write at once keep one chain.
func TestReplicasKeepOneChain(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		dbs := []*store.DB{open(t, store.Config{DSN: dsn})}
		if strings.HasPrefix(dsn, "postgres") {
			dbs = append(dbs, open(t, store.Config{DSN: dsn}))
		}
		var all sync.WaitGroup
		const each = 20
		for i, d := range append(dbs, dbs...) {
			all.Go(func() {
				for n := range each {
					if err := d.Jobs().Add(t.Context(), scheduler.Job{ID: fmt.Sprintf("j%d-%d", i, n), Owner: ann, State: scheduler.Active}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if v, err := dbs[0].Journal().Verify(t.Context()); err != nil || v.Rows != 2*len(dbs)*each || v.Head.Seq != int64(v.Rows) {
			t.Errorf("verify = %+v, %v", v, err)
		}
	})
}

// A row is what the comment of the package says: a third party that has the export and
// the key comes to the same hash.
func TestARowVerifiesByTheBook(t *testing.T) {
	d := open(t, store.Config{DSN: file(t), Audit: store.AuditKeys{Current: auditKey}})
	addRows(t, d, 2)
	sum := func(text string) string {
		m := hmac.New(sha256.New, []byte(auditKey))
		m.Write([]byte(text))
		return hex.EncodeToString(m.Sum(nil))
	}
	prev := ""
	for i, e := range must[[]store.Entry](t)(d.Journal().AuditFrom(t.Context(), store.AuditFilter{}, 9)) {
		lines := "hermes-audit-2\n" + sum("key")[:8] + "\n" + strconv.Itoa(i+1) + "\n" + prev + "\n" + e.At.Format("2006-01-02T15:04:05.000000Z") + "\n" +
			e.Who + "\n" + e.What + "\n" + e.Subject + "\n" + e.Under + "\n" + e.Part + "\n" + e.Place + "\n" + e.Tool + "\n" + e.Digest + "\n" + e.Outcome + "\n"
		if got := sum(lines); got != e.Hash {
			t.Errorf("row %d has %s, by the book %s", e.Seq, e.Hash, got)
		}
		prev = e.Hash
	}
}

// Rows name their key: after a change of keys the former one verifies what it made, and
// without it nobody starts by accident.
func TestKeysAreChanged(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx := t.Context()
		with := func(current string, former ...string) (*store.DB, error) {
			d, err := store.Open(ctx, store.Config{DSN: dsn, Audit: store.AuditKeys{Current: current, Former: former}})
			if err == nil {
				t.Cleanup(func() { _ = d.Close() }) // again
			}
			return d, err
		}
		d := must[*store.DB](t)(with(auditKey))
		addRows(t, d, 2)
		first := d.Journal().AuditKeyID()
		ok(t, d.Close())

		_, err := with(otherKey)
		var told *store.Error
		if !errors.Is(err, store.ErrAuditKey) || !errors.As(err, &told) || !strings.Contains(told.Hint, "audit.former_keys") || strings.Contains(err.Error(), otherKey) {
			t.Errorf("another key = %v, want a refusal with a hint", err)
		}
		d = must[*store.DB](t)(with(otherKey, auditKey))
		if v, err := d.Journal().Verify(ctx); err != nil || v.Rows != 3 || v.Unproven != 0 {
			t.Errorf("with the former key: %+v, %v", v, err)
		}
		newest := must[[]store.Entry](t)(d.Journal().Audit(ctx, 1))[0]
		if newest.What != store.Rekeyed || newest.Digest != first || newest.Key != d.Journal().AuditKeyID() {
			t.Errorf("the change is told as %+v", newest)
		}
		ok(t, d.Close())

		d = must[*store.DB](t)(with(otherKey))
		var broken *store.Broken
		if _, err := d.Journal().Verify(ctx); !errors.As(err, &broken) || broken.Seq != 1 || !strings.Contains(broken.How, first) {
			t.Errorf("without the former key = %v, want row 1", err)
		}
		ok(t, d.Close())
		d = must[*store.DB](t)(with(otherKey, "lost:"+first))
		if v, err := d.Journal().Verify(ctx); err != nil || v.Unproven != 2 {
			t.Errorf("with the key lost: %+v, %v", v, err)
		}
	})
}

// SQLite makes a key of its own, for nobody else to read, and not a second one; an
// audit whose key is gone is no reason to make another. PostgreSQL wants one.
func TestTheKeyFile(t *testing.T) {
	ctx, path := t.Context(), file(t)
	name := store.AuditKeyFile(path)
	d := must[*store.DB](t)(store.Open(ctx, store.Config{DSN: path}))
	addRows(t, d, 1)
	ok(t, d.Close())
	key := must[[]byte](t)(os.ReadFile(name))
	if info := must[os.FileInfo](t)(os.Stat(name)); info.Mode().Perm() != 0o600 || len(bytes.TrimSpace(key)) != 64 || filepath.Dir(name) != filepath.Dir(path) {
		t.Errorf("%s has mode %v and %d bytes", name, info.Mode(), len(key))
	}
	d = must[*store.DB](t)(store.Open(ctx, store.Config{DSN: path}))
	if v, err := d.Journal().Verify(ctx); err != nil || v.Rows != 1 {
		t.Errorf("after a restart: %+v, %v", v, err)
	}
	ok(t, d.Close())
	for why, spoil := range map[string]func() error{
		"is gone":               func() error { return os.Remove(name) },
		"read by everybody":     func() error { return errors.Join(os.WriteFile(name, key, 0o600), os.Chmod(name, 0o644)) },
		"holds no key":          func() error { return errors.Join(os.Remove(name), os.WriteFile(name, []byte("short"), 0o600)) },
		"goes on under key":     func() error { return os.WriteFile(name, bytes.Repeat([]byte("a"), 64), 0o600) },
		"shorter than 32 bytes": nil,
	} {
		cfg := store.Config{DSN: path}
		if spoil == nil {
			cfg.Audit.Current = "short"
		} else {
			ok(t, spoil())
		}
		var told *store.Error
		if d, err := store.Open(ctx, cfg); d != nil || !errors.Is(err, store.ErrAuditKey) || !errors.As(err, &told) || told.Hint == "" {
			t.Errorf("a key that %s = %v", why, err)
		}
		if _, err := os.Stat(name); why == "is gone" && err == nil {
			t.Error("another key was made")
		}
		ok(t, os.RemoveAll(name))
		ok(t, os.WriteFile(name, key, 0o600))
	}
	if dsn := os.Getenv("HERMES_TEST_POSTGRES"); dsn != "" {
		_, err := store.Open(ctx, store.Config{DSN: schema(t)})
		var told *store.Error
		if !errors.Is(err, store.ErrAuditKey) || !errors.As(err, &told) || !strings.Contains(told.Hint, "HERMES_AUDIT_KEY") {
			t.Errorf("PostgreSQL without a key = %v", err)
		}
	}
}

// Pruned rows are gone, the rest verifies, and what was pruned by somebody else shows.
func TestPrune(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		addRows(t, d, 3)
		c.pass(48 * time.Hour)
		since := c.now()
		ok(t, d.Jobs().Add(ctx, scheduler.Job{ID: "late", Owner: ann, State: scheduler.Active}))
		for i, want := range []int64{3, 0} {
			if n, err := d.Journal().Prune(ctx, since, bob); err != nil || n != want {
				t.Fatalf("prune %d = %d, %v; want %d", i, n, err, want)
			}
		}
		v, err := d.Journal().Verify(ctx, store.Head{Seq: 2, Hash: "of a row that is gone"})
		if err != nil || v.Rows != 2 {
			t.Errorf("verify = %+v, %v", v, err)
		}
		do := raw(t, dsn)
		if err := do("DELETE FROM audit"); err == nil {
			t.Error("the triggers are not back")
		}
		unguard(t, dsn, do)
		ok(t, do("DELETE FROM audit WHERE seq = 4"))
		var broken *store.Broken
		if _, err := d.Journal().Verify(ctx); !errors.As(err, &broken) || broken.Seq != 4 {
			t.Errorf("one more is gone: %v, want row 4", err)
		}
		if _, err := d.Journal().Prune(ctx, c.now(), bob); !errors.Is(err, store.ErrBroken) {
			t.Errorf("prune of what is broken = %v", err)
		}
	})
}

// A start with another configuration is told by the names of its keys; what was set,
// secrets above all, stands nowhere.
func TestConfigured(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx := t.Context()
		d := open(t, store.Config{DSN: dsn, Audit: store.AuditKeys{Current: auditKey}})
		start := func(values map[string]string, want ...string) {
			t.Helper()
			if got := must[[]string](t)(d.Journal().Configured(ctx, values)); !cmp.Equal(got, want) {
				t.Errorf("changed %q, want %q", got, want)
			}
		}
		start(map[string]string{"zone": "UTC", "model.api_key": "sk-canary"})
		start(map[string]string{"zone": "UTC", "model.api_key": "sk-canary"})
		start(map[string]string{"zone": "UTC", "model.api_key": "sk-canary-2", "log.level": "info"}, "log.level", "model.api_key")
		start(map[string]string{"zone": "UTC"}, "log.level", "model.api_key")
		ok(t, d.Close())
		d = open(t, store.Config{DSN: dsn, Audit: store.AuditKeys{Current: otherKey, Former: []string{auditKey}}})
		start(map[string]string{"zone": "UTC"}) // under another key it is the same all the same
		start(map[string]string{"zone": "Asia/Shanghai"}, "zone")
		ok(t, d.Settings().Set(ctx, "", "audit.config", "{}"))
		start(map[string]string{"zone": "UTC"}) // of what was spoilt nobody can tell
		var told []string
		for _, e := range must[[]store.Entry](t)(d.Journal().AuditFrom(ctx, store.AuditFilter{}, 99)) {
			told = append(told, strings.TrimSpace(e.What+" "+e.Subject+" "+e.Outcome))
			if strings.Contains(fmt.Sprint(e), "canary") || strings.Contains(fmt.Sprint(e), "Shanghai") {
				t.Errorf("a value stands in %+v", e)
			}
		}
		want := []string{
			"rows sealed database", "rows sealed records", "configured configuration all", "key set log.level", "key set model.api_key", "configured configuration changed/2",
			"key set log.level", "key set model.api_key", "configured configuration changed/2",
			"audit key " + d.Journal().AuditKeyID(), "configured configuration changed/0",
			"key set zone", "configured configuration changed/1", "configured configuration all",
		}
		if d := cmp.Diff(want, told); d != "" {
			t.Errorf("audit (-want +got):\n%s", d)
		}
	})
}

// What is decided, granted, used, written, ended and refused is told, in ids: no word
// that somebody said is in any row.
func TestWhatTheAuditTells(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		runs := d.Runs()
		asked := asking(t, d, "m1", c.now())
		yes := answer(asked, "press", bob, run.Always, c.now())
		yes.Note = "zebra stripes please"
		must[run.Question](t)(runs.Settle(ctx, yes))
		grant := must[[]run.Grant](t)(runs.Grants(ctx, "j1"))[0].ID
		r := must[run.Run](t)(runs.Deliver(ctx, sending(t, d, "slot0", grant, sales.String(), c.now())))
		p := must[bot.Post](t)(d.Outbox().Next(ctx))
		ok(t, d.Outbox().Note(ctx, p, bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: "55"}, Link: "https://x/55"}))
		ok(t, runs.Receive(ctx, run.Receipt{Post: p.Key, Run: r.Key, Ref: "there", Link: "https://x/55"}))
		sent, _, err := runs.Run(ctx, "slot0")
		ok(t, err)
		sent = must[run.Run](t)(runs.Save(ctx, sent.Sent()))
		must[run.Run](t)(runs.Save(ctx, sent)) // it is told once

		no := asking(t, d, "m2", c.now())
		said := answer(no, "press2", bob, run.No, c.now())
		said.Note = "the zebra is wrong"
		must[run.Question](t)(runs.Settle(ctx, said))
		late := asking(t, d, "m3", c.now())
		must[run.Question](t)(runs.Settle(ctx, run.Answer{Key: "k", Question: late.Questions[0].ID, Choice: run.Late, At: c.now()}))
		for range 2 {
			ok(t, d.Journal().Refused(ctx, bot.Refusal{Key: "press3", Who: "slack:T:eve", Try: run.Yes, About: late.Questions[0].ID, Place: home}))
		}
		ok(t, d.Facts().Put(ctx, memory.Fact{ID: "f1", Text: "zebra facts", By: ann}))
		must[[]memory.Fact](t)(d.Facts().Delete(ctx, []string{"f1"}))
		ok(t, d.Journal().LoggedIn(ctx, "web:local:owner"))
		c.pass(25 * time.Hour)
		for range 2 {
			ok(t, d.Journal().ExpireGrants(ctx))
		}
		var told []string
		for _, e := range must[[]store.Entry](t)(d.Journal().AuditFrom(ctx, store.AuditFilter{}, 99)) {
			told = append(told, strings.Join([]string{e.Who, e.What, e.Subject, e.Under, e.Part, e.Tool, e.Outcome}, " | "))
			if strings.Contains(fmt.Sprint(e), "zebra") || strings.Contains(fmt.Sprint(e), "sales of") {
				t.Errorf("words stand in %+v", e)
			}
		}
		q := asked.Questions[0].ID
		want := []string{
			bob + " | approved | " + q + " |  | m1 | post_message | always",
			bob + " | granted | " + grant + " | " + q + " | j1 | post_message | 0/2",
			ann + " | grant used | " + grant + " |  | slot0 |  | ",
			ann + " | post queued | " + p.Key + " | " + grant + " | slot0 | post_message | ",
			ann + " | posted | " + p.Key + " | " + grant + " | slot0 | post_message | 55",
			ann + " | write | slot0/s1c1 | " + grant + " | slot0 | post_message | done",
			bob + " | denied | " + no.Questions[0].ID + " |  | m2 | post_message | deny",
			" | expired | " + late.Questions[0].ID + " |  | m3 | post_message | expired",
			"slack:T:eve | refused | " + late.Questions[0].ID + " |  |  |  | approve",
			ann + " | fact deleted | f1 |  |  |  | ",
			"web:local:owner | logged in | console |  |  |  | ",
			" | grant over | " + grant + " | " + q + " | j1 | post_message | 1/2",
		}
		if d := cmp.Diff(want, told); d != "" {
			t.Errorf("audit (-want +got):\n%s", d)
		}
		if _, err := d.Journal().Verify(ctx); err != nil {
			t.Error(err)
		}
		all := func(string, string) bool { return true }
		deeds := must[[]store.Deed](t)(d.Journal().Deeds(ctx, store.DeedFilter{What: []string{store.Posted}, Channel: sales.String(), Sees: all}, 5))
		if len(deeds) != 1 || deeds[0].By == nil || deeds[0].By.Who != bob || deeds[0].Grant != grant || deeds[0].Link != "https://x/55" || deeds[0].Owner != ann {
			t.Errorf("who approved the post = %+v", deeds)
		}
		none := func(owner, place string) bool { return owner == "slack:T:eve" }
		if deeds := must[[]store.Deed](t)(d.Journal().Deeds(ctx, store.DeedFilter{Sees: none}, 5)); len(deeds) != 0 {
			t.Errorf("somebody else sees %+v", deeds)
		}
	})
}

// What is no id stands as a hash, whoever hands it in; the same has the same.
func TestTextBecomesAHash(t *testing.T) {
	d := open(t, store.Config{DSN: file(t)})
	for _, text := range []string{"two words", "=HYPERLINK(1)", "销售", strings.Repeat("a", 400), "a\nb", "-1"} {
		for range 2 {
			ok(t, d.Journal().LoggedIn(context.WithoutCancel(t.Context()), text))
		}
		es := must[[]store.Entry](t)(d.Journal().AuditOf(t.Context(), store.AuditFilter{Who: text}, 9))
		if len(es) != 2 || !strings.HasPrefix(es[0].Who, "hmac:") || es[0].Who != es[1].Who {
			t.Errorf("%q stands as %+v", text, es)
		}
	}
}

// A value that holds a secret is hashed as it is kept, so that the chain verifies.
func TestTheAuditOfASecretVerifies(t *testing.T) {
	const secret = "hunter2-hunter2-hunter2"
	d := open(t, store.Config{DSN: file(t), Redact: redact.New(secret)})
	for _, who := range []string{secret, "slack:T1:" + secret} {
		ok(t, d.Journal().LoggedIn(t.Context(), who))
	}
	if _, err := d.Journal().Verify(t.Context()); err != nil {
		t.Error(err)
	}
	for _, e := range must[[]store.Entry](t)(d.Journal().Audit(t.Context(), 9)) {
		if strings.Contains(fmt.Sprint(e), secret) {
			t.Errorf("the secret stands in %+v", e)
		}
	}
}
