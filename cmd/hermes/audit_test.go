package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
	"hermes/agent/tool/audit"
	"hermes/bot"
	"hermes/config"
	"hermes/internal/golden"
	"hermes/internal/store"
)

const testAuditKey = "an audit key of thirty-two bytes and more"

// keptAudit is a data folder with an audit that is the same for ever.
func keptAudit(t *testing.T) string {
	t.Helper()
	unset(t)
	t.Setenv("HERMES_AUDIT_KEY", testAuditKey)
	dir := folder(t)
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	now := func() time.Time { return at }
	pass := func() error { at = at.Add(20 * time.Hour); return nil }
	db, err := store.Open(t.Context(), store.Config{DSN: filepath.Join(dir, "hermes.db"), Now: now, Audit: store.AuditKeys{Current: testAuditKey}})
	if err != nil {
		t.Fatal(err)
	}
	_, noted := db.Journal().Configured(t.Context(), map[string]string{"zone": "UTC"})
	passed := pass()
	_, changed := db.Journal().Configured(t.Context(), map[string]string{"zone": "Asia/Shanghai"})
	err = errors.Join(noted, passed, changed, db.Journal().LoggedIn(t.Context(), "web:demo:analyst"), pass(), db.Journal().LoggedIn(t.Context(), "web:local:owner"),
		db.Journal().Refused(t.Context(), bot.Refusal{Key: "k", Who: "slack:T1:EVE", Try: "approve", About: "m1/q1", Place: bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1"}}), db.Close())
	if err != nil {
		t.Fatal(err)
	}
	noteHere(t, dir)
	return dir
}

// noteHere notes the head of an audit in the file, as the daemon does.
func noteHere(t *testing.T, dir string) {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{DSN: filepath.Join(dir, "hermes.db"), Audit: store.AuditKeys{Current: testAuditKey}})
	if err != nil {
		t.Fatal(err)
	}
	h := &hermes{cfg: config.Config{Data: dir}, log: slog.New(slog.DiscardHandler), now: time.Now, db: db}
	if err := errors.Join(h.noteHead(t.Context()), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// X10: that a head is gone is said, with a status of its own; an end that was cut off
// together with the file of heads is found by the head that the database keeps. A start
// tells both to the log.
func TestX10AMissingHeadIsSaid(t *testing.T) {
	dir := keptAudit(t)
	file := headFile(config.Config{Data: dir})
	verify := func() (string, error) { return hermesIn(t, "", "audit", "verify", "--data", dir) }
	if got, err := verify(); err != nil || codeOf(err) == unsaid {
		t.Fatalf("verify = %v: %s", err, got)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	started := func() string {
		t.Helper()
		db, err := store.Open(t.Context(), store.Config{DSN: filepath.Join(dir, "hermes.db"), Audit: store.AuditKeys{Current: testAuditKey}})
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		h := &hermes{cfg: config.Config{Data: dir}, log: slog.New(slog.NewTextHandler(&log, nil)), now: time.Now, db: db}
		if err := errors.Join(h.recallHead(t.Context()), db.Close()); err != nil {
			t.Fatal(err)
		}
		return log.String()
	}
	got, err := verify()
	if err == nil || codeOf(err) != unsaid || !strings.Contains(got, "! no head: "+file) || !strings.Contains(err.Error(), "hint: ") {
		t.Errorf("without the file: %v: %s", err, got)
	}
	if log := started(); !strings.Contains(log, "level=WARN") || !strings.Contains(log, "no file with heads") || !strings.Contains(log, "hint=") {
		t.Errorf("a start without the file logs %s", log)
	}
	short, err := os.ReadFile(filepath.Join(dir, "hermes.db"))
	if err != nil {
		t.Fatal(err)
	}
	var head string
	with := func(do func(*store.DB) error) {
		t.Helper()
		db, err := store.Open(t.Context(), store.Config{DSN: filepath.Join(dir, "hermes.db"), Audit: store.AuditKeys{Current: testAuditKey}})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(do(db), db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	with(func(db *store.DB) (err error) {
		err = errors.Join(db.Journal().LoggedIn(t.Context(), "web:local:owner"), db.Journal().LoggedIn(t.Context(), "web:local:owner"))
		head, _, _ = db.Settings().Get(t.Context(), "", "audit.head")
		return err
	})
	if err := os.WriteFile(filepath.Join(dir, "hermes.db"), short, 0o600); err != nil { // as if rows 9 and 10 were cut off
		t.Fatal(err)
	}
	with(func(db *store.DB) error { return db.Settings().Set(t.Context(), "", "audit.head", head) })
	if got, err := verify(); err == nil || codeOf(err) != failure || !strings.Contains(err.Error(), "row 9 is missing: row 10 was noted as the last one") {
		t.Errorf("cut off, and the file with it: %v: %s", err, got)
	}
	if log := started(); !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "row 9 is missing") {
		t.Errorf("a start then logs %s", log)
	}
	if err := verdict(store.Verified{Rows: 1, Headless: []string{store.HeadInDatabase}}); codeOf(err) != unsaid || !strings.Contains(err.Error(), "database") {
		t.Errorf("without a head in the database: %v", err)
	}
}

// Issue 5: what the tables have and the audit has not is listed, and is a failure.
func TestVerifySaysWhatIsForged(t *testing.T) {
	s := &shell{out: &bytes.Buffer{}}
	v := store.Verified{Rows: 1, Doubts: []store.Doubt{{Subject: "g1", How: "a grant: no row of the audit gives it"}}}
	err := errors.Join(s.sayVerified(v), verdict(v))
	if got := fmt.Sprint(s.out); codeOf(err) != failure || !strings.Contains(got, "✗ g1: a grant: no row of the audit gives it") || !strings.Contains(err.Error(), "hermes grants revoke") {
		t.Errorf("verify = %v: %s", err, got)
	}
}

// The commands of the audit say what their golden files say.
func TestAuditCommands(t *testing.T) {
	dir := keptAudit(t)
	for name, args := range map[string][]string{
		"verify":       {"verify"},
		"show":         {"show", "-n", "3"},
		"show_who":     {"show", "--who", "slack:T1:EVE"},
		"export_jsonl": {"export"},
		"export_csv":   {"export", "--format", "csv", "--from", "2026-12-01", "--to", "2026-12-01"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := hermesIn(t, "", append([]string{"audit"}, append(args, "--data", dir)...)...)
			if err != nil {
				t.Fatal(err)
			}
			if name == "export_jsonl" || name == "export_csv" {
				var last string
				if got, last, _ = strings.Cut(got, "rows: "); !strings.Contains(last, "the last, for `hermes audit verify --head`:\n") {
					t.Errorf("the export ends with %q", last)
				}
			}
			golden.Check(t, "audit/"+name+".golden", got)
		})
	}
}

// An export verifies with the key alone, line by line.
func TestAnExportVerifiesByItself(t *testing.T) {
	dir := keptAudit(t)
	out, err := hermesIn(t, "", "audit", "export", "--data", dir)
	if err != nil {
		t.Fatal(err)
	}
	out, last, _ := strings.Cut(out, "rows: ")
	prev, n := "", 0
	for line := range strings.Lines(out) {
		var e store.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		n++
		fields := []string{"hermes-audit-2", e.Key, fmt.Sprint(n), prev, e.At.Format("2006-01-02T15:04:05.000000Z"), e.Who, e.What, e.Subject, e.Under, e.Part, e.Place, e.Tool, e.Digest, e.Outcome}
		m := hmac.New(sha256.New, []byte(testAuditKey))
		m.Write([]byte(strings.Join(fields, "\n") + "\n"))
		if got := hex.EncodeToString(m.Sum(nil)); got != e.Hash {
			t.Errorf("row %d has %s, want %s", e.Seq, e.Hash, got)
		}
		prev = e.Hash
	}
	if n != 8 || !strings.HasSuffix(last, "\n8:"+prev+"\n") {
		t.Errorf("%d rows, and the last is told as %q", n, last)
	}
	table, err := hermesIn(t, "", "audit", "export", "--format", "csv", "--data", dir)
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ = strings.Cut(table, "rows: ")
	if rows, err := csv.NewReader(strings.NewReader(table)).ReadAll(); err != nil || len(rows) != 9 || rows[8][15] != prev {
		t.Errorf("csv = %d rows, %v", len(rows), err)
	}
}

// Verify fails where a noted head is not there, be it in the file or given; what is no
// head is said so. Prune wants to be told twice, and what it leaves verifies.
func TestAuditVerifyAndPrune(t *testing.T) {
	dir := keptAudit(t)
	audit := func(args ...string) (string, error) {
		return hermesIn(t, "", append(append([]string{"audit"}, args...), "--data", dir)...)
	}
	head := "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for args, want := range map[string]string{
		"verify --head " + head:                                 "no row has the hash",
		"verify --head 3:" + head:                               "row 3 is not the one that was noted",
		"verify --head 300:" + head:                             "row 9 is missing: row 300 was noted as the last one",
		"verify --head short":                                   "hint: write the 64 digits",
		"export --format xml":                                   "hint: jsonl",
		"export --from yesterday":                               "hint: write 2026-11-01",
		"show -n 0":                                             "hint: ",
		"prune":                                                 "hint: write the first day",
		"prune --before 2026-12-01":                             "hint: `hermes audit export --to 2026-12-01T00:00:00",
		"prune --before 2026-12-01T09:30:00Z":                   "hint: `hermes audit export --to 2026-12-01T09:30:00Z",
		"prune --before 2026-12-01 --yes":                       "--export is missing",
		"prune --before 2026-12-01 --yes --export /dev/null":    "does not have row 1",
		"prune --before 2026-12-01 --yes --export /none/at/all": "no such file",
	} {
		if got, err := audit(strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("audit %s = %v and\n%s\nwant %q", args, err, got, want)
		}
	}
	if _, err := hermesIn(t, "", "audit", "verify", "--data", dir+"/none"); err == nil || !strings.Contains(err.Error(), "there is no data folder") {
		t.Errorf("without a data folder: %v", err)
	}
	if err := os.WriteFile(headFile(config.Config{Data: dir}), []byte("2026-12-02T00:00:00Z 9 "+head+"\n2026-12-02T00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := audit("verify"); err == nil || !strings.Contains(err.Error(), "row 9 was noted as the last one on 2026-12-02T00:00:00Z") || !strings.Contains(err.Error(), "hint: ") {
		t.Errorf("a head in the file that is not there: %v", err)
	}
	if err := os.Remove(headFile(config.Config{Data: dir})); err != nil {
		t.Fatal(err)
	}
	out, err := audit("export", "--to", "2026-12-01T00:00:00+08:00")
	if err != nil {
		t.Fatal(err)
	}
	out, _, _ = strings.Cut(out, "rows: ")
	kept := filepath.Join(t.TempDir(), "audit.jsonl")
	for text, want := range map[string]string{
		strings.Replace(out, `"who":""`, `"who":"x"`, 1): "does not have row 1 as it is",
		out[:len(out)-20]: "unexpected EOF",
	} {
		if err := os.WriteFile(kept, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := audit("prune", "--before", "2026-12-01", "--yes", "--export", kept); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("prune with another export = %v, want %q", err, want)
		}
	}
	if err := os.WriteFile(kept, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := audit("prune", "--before", "2026-12-01", "--yes", "--export", kept); err != nil || !strings.Contains(got, " rows of before 2026-12-01 are gone") {
		t.Fatalf("prune = %v: %s", err, got)
	}
	got, err := audit("verify")
	if err != nil || !strings.Contains(got, "noted and are there: 1") {
		t.Errorf("verify after it = %v: %s", err, got)
	}
}

// A running daemon notes its configuration, its head and the grants that are over, and
// answers for its audit at the door; what was cut off while it was down it tells.
func TestTheDaemonKeepsItsAudit(t *testing.T) {
	unset(t)
	dir := folder(t)
	h, end := raise(t, dir)
	if err := errors.Join(h.noteConfig(t.Context()), h.noteConfig(t.Context())); err != nil {
		t.Fatal(err)
	}
	var noted time.Time
	for range 2 {
		if err := h.tendAudit(t.Context(), &noted); err != nil {
			t.Fatal(err)
		}
	}
	heads, err := readHeads(headFile(h.cfg))
	if err != nil || len(heads) != 1 || heads[0].Seq != 3 {
		t.Fatalf("heads = %+v, %v; want the row of the configuration", heads, err)
	}
	door, err := listen(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- attend(ctx, door, h, h.log) }()
	got, err := hermesIn(t, "", "audit", "verify", "--data", dir)
	if err != nil || !strings.Contains(got, "✓ rows: 3,") || !strings.Contains(got, heads[0].Hash) {
		t.Errorf("verify at the door = %v: %s", err, got)
	}
	if got, err := hermesIn(t, "", "audit", "export", "--data", dir); err != nil || strings.Count(got, "\n") != 5 || !strings.Contains(got, `"what":"configured"`) {
		t.Errorf("export at the door = %v: %s", err, got)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	end()
	got, err = hermesIn(t, "", "check", "--data", dir)
	if err != nil || !strings.Contains(got, "✓ audit: its key is the file "+filepath.Join(dir, "audit.key")) {
		t.Errorf("check = %v: %s", err, got)
	}
}

// Issue 5, SAFE: who approved last month's post is answered in chat from the audit, in
// both languages, with who, when, what and under what; somebody who tried and may not
// is in it; and after all of it no word that anybody said is in any of its rows.
func TestWhoApprovedLastMonthsPost(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	in.say("a1", "summarise last month's sales by region and post it to #sales")
	card := in.card("a1")
	in.press(card, anaInDemo, "approve") // it is not hers to approve
	in.lines(room("general", "a1"), "the refusal", func([]bot.Line) bool {
		tried, err := in.db.Journal().AuditOf(t.Context(), store.AuditFilter{What: store.Refused}, 9)
		return err == nil && len(tried) == 1 && tried[0].Who == anaInDemo && tried[0].Outcome == "approve"
	})
	in.press(card, demoLead, "approve")
	in.sees(room("general", "a1"), "Posted to")
	in.say("a1", "who approved it?")
	in.sees(room("general", "a1"), "approved **Sales")

	in.set(time.Date(2026, 12, 3, 10, 0, 0, 0, time.UTC))
	for thread, ask := range map[string]struct{ text, want string }{
		"a2": {"Who approved last month's post?", "approved **Sales"},
		"a3": {"谁批准了上个月的帖子？", "2026年11月20日"},
		"a4": {"who approved last month's post in #sales?", "20 November 2026"},
	} {
		in.say(thread, ask.text)
		l := in.sees(room("general", thread), ask.want)
		for _, want := range []string{"Lee", "#sales", "](", "`"} {
			if !strings.Contains(l.Text, want) {
				t.Errorf("%q is answered with %q, want %q in it", ask.text, l.Text, want)
			}
		}
	}
	// Of a channel is what acts on it, wherever it was asked for and decided.
	for thread, ask := range map[string]struct{ text, want string }{
		"a6": {"who approved what in #sales last month?", "Lee approved **Sales"}, "a7": {"上个月谁在 #sales 批准了什么？", "Lee于2026年11月20日"},
	} {
		in.say(thread, ask.text)
		if l := in.sees(room("general", thread), ask.want); !strings.Contains(l.Text, "#sales") {
			t.Errorf("%q is answered with %q, want #sales in it", ask.text, l.Text)
		}
	}
	in.say("a5", "who approved this month's post?")
	in.sees(room("general", "a5"), "nothing of that kind")

	words := []string{"summarise", "region", "approve it", "谁批准", "Asia", "Sales", "post it", "last month"}
	rows, err := in.db.Journal().AuditFrom(t.Context(), store.AuditFilter{}, 1000)
	if err != nil || len(rows) < 5 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, e := range rows {
		for _, w := range words {
			if strings.Contains(fmt.Sprint(e), w) {
				t.Errorf("%q stands in row %+v", w, e)
			}
		}
	}
	if _, err := in.db.Journal().Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// Of what happened in a direct message nobody else hears, and its owner not where
// others listen; an admin hears all in a direct message.
func TestWhoHearsOfADeed(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	const ana, gus = anaInDemo, "slack:T1:GUS"
	dm := bot.Place{Platform: "web", Workspace: "demo", Channel: "dm-analyst"}
	for name, c := range map[string]struct {
		asker         string
		home          bot.Place
		owner, place  string
		hears, hidden bool
	}{
		"one's own in a direct message":          {ana, dm, ana, dm.String(), true, false},
		"one's own of there, in a channel":       {ana, room("general", "x"), ana, dm.String(), false, true},
		"another's of a direct message":          {gus, room("general", "x"), ana, dm.String(), false, false},
		"another's in an open channel":           {ana, dm, demoLead, room("sales", "y").String(), true, false},
		"another's in this channel":              {ana, room("general", "x"), demoLead, room("general", "y").String(), true, false},
		"another's in a channel of another team": {gus, bot.Place{Platform: "slack", Workspace: "T1", Channel: "D1"}, ana, room("sales", "y").String(), false, false},
		"all, for an admin":                      {demoLead, bot.Place{Platform: "web", Workspace: "demo", Channel: "dm-lead"}, ana, dm.String(), true, false},
		"all, for an admin in a channel":         {demoLead, room("general", "x"), ana, dm.String(), false, true},
		"what nobody asked for":                  {ana, dm, "", "", false, false},
	} {
		l := listener{
			auditKeeper: auditKeeper{in.hermes, finder(map[string]bot.Directory{"web": in.web})}, asker: c.asker, home: c.home,
			open: map[string]bool{}, in: map[string]bool{},
		}
		if got := l.hears(t.Context(), c.owner, c.place); got != c.hears || (l.hidden > 0) != c.hidden {
			t.Errorf("%s: hears %t, hidden %d", name, got, l.hidden)
		}
	}
	k := auditKeeper{in.hermes, finder(map[string]bot.Directory{"web": in.web})}
	_, _, err := k.Find(t.Context(), tool.Call{Asker: ana, Home: dm.String(), Now: in.time()}, audit.Query{What: "post", Channel: "#nowhere"}, 5)
	if !errors.Is(err, audit.ErrNoChannel) {
		t.Errorf("a channel that is none = %v", err)
	}
	if !slices.Contains(deedsOf["decision"], store.Denied) {
		t.Error("a denial is no decision")
	}
}
