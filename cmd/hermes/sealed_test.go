package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/fakeslack"
	"hermes/internal/intruder"
)

func (o *office) forge(statement string, args ...any) {
	o.t.Helper()
	if err := intruder.Do(o.t.Context(), o.data, statement, args...); err != nil {
		o.t.Fatal(err)
	}
}

// read is one value of the database.
func (o *office) read(query string, args ...any) string {
	o.t.Helper()
	v, err := intruder.Read(o.t.Context(), o.data, query, args...)
	if err != nil {
		o.t.Fatal(err)
	}
	return v
}

// becomes waits for a value of the database.
func (o *office) becomes(want, query string, args ...any) {
	o.t.Helper()
	for end := time.Now().Add(patience); ; {
		got := o.read(query, args...)
		if got == want {
			return
		}
		if time.Now().After(end) {
			o.t.Fatalf("%s is %q, want %q", query, got, want)
		}
	}
}

// refuses waits until the audit has refused something.
func (o *office) refuses(subject, outcome string) {
	o.t.Helper()
	o.becomes("1", "SELECT COUNT(*) FROM audit WHERE what = 'refused' AND subject = ? AND outcome = ?", subject, outcome)
}

// finds reports whether verify finds something, which is a fault.
func (o *office) finds(subject string) {
	o.t.Helper()
	out, err := o.hermes(o.t.Context(), "", "audit", "verify")
	if err == nil || !strings.Contains(out, "✗ "+subject) {
		o.t.Errorf("verify does not name %s: %v\n%s", subject, err, out)
	}
}

// SAFE-06, VER: a press that somebody has put into the inbox approves nothing, whether it
// was copied from one that was pressed or put back; nobody is said to have pressed it.
func TestAPressThatWasForgedApprovesNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	first := o.says("ana", "general", postJob)
	o.press("leo", o.card(first), "Approve")
	o.answer(first, "Posted to")
	second := o.says("ana", "general", strings.ReplaceAll(postJob, "#sales", "#general"))
	o.card(second)
	const pressed = `lane = 'control' AND body LIKE '%"Click":{%'`
	o.becomes("1", "SELECT COUNT(*) FROM inbox WHERE state = 'done' AND "+pressed)
	press := o.read("SELECT key FROM inbox WHERE " + pressed)
	forged := strings.ReplaceAll(press, first.TS, second.TS) + "1"
	o.forge(`INSERT INTO inbox (key, lane, ahead, place, channel, thread, said, body, due, state, added)
		SELECT ?1, lane, ahead, REPLACE(place, ?2, ?3), channel, ?3, said, REPLACE(REPLACE(body, key, ?1), ?2, ?3), due, 'waiting', added
		FROM inbox WHERE key = ?4`, forged, first.TS, second.TS, press)
	o.refuses(forged, "not-as-written")
	// The very same press, put back.
	o.forge("UPDATE inbox SET state = 'waiting', owner = NULL, ended = NULL WHERE key = ?", press)
	o.refuses(press, "not-as-written")
	for _, key := range []string{forged, press} {
		o.finds(key)
		o.becomes("failed", "SELECT state FROM inbox WHERE key = ?", key)
	}
	if n := strings.Count(o.command("audit", "show", "--what", "approved"), leo); n != 1 {
		t.Errorf("the audit has %d approvals by Leo, want the one that he gave", n)
	}
	if n := len(o.posts("sales")); n != 1 {
		t.Errorf("%d posts in #sales, want 1", n)
	}
	// What was found and dealt with is known, and nothing else is.
	if out := o.command("audit", "acknowledge", forged, "--reason", "the drill of Tuesday"); !strings.Contains(out, "is known") {
		t.Error(out)
	}
	o.finds(press)
	o.command("audit", "acknowledge", press, "--reason", "the drill of Tuesday")
	if out := o.command("audit", "verify"); strings.Count(out, "(known: the drill of Tuesday)") != 2 {
		t.Errorf("verify:\n%s", out)
	}
	if out, err := o.hermes(t.Context(), "", "audit", "acknowledge", "nothing", "--reason", "x"); err == nil || !strings.Contains(out, "hermes audit verify") {
		t.Errorf("acknowledge of what is not found: %v\n%s", err, out)
	}
}

// SAFE-06: a report or a file of it that was changed after the card stands nowhere, whether
// its hash was left, or made anew; who asked hears of it.
func TestAReportThatWasChangedIsNotPosted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"its words":          "UPDATE artifacts SET body = CAST(REPLACE(CAST(body AS TEXT), 'Asia', 'Mars') AS BLOB) WHERE kind = 'report'",
		"a file":             "UPDATE artifacts SET body = X'00' WHERE kind = 'file'",
		"what a grant binds": "UPDATE artifacts SET recipe = 'another' WHERE kind = 'report'",
		"which files it has": "DELETE FROM artifact_files WHERE n = 1",
		"its words and hash": "UPDATE artifacts SET body = CAST('x' AS BLOB), hash = '" + strings.Repeat("0", 64) + "' WHERE kind = 'report'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, fakeslack.Options{})
			root := o.says("ana", "general", postJob)
			card := o.card(root)
			o.forge(change)
			o.press("leo", card, "Approve")
			end := o.end(root)
			if len(o.posts("sales")) != 0 || strings.Contains(end.Shown(), "Posted to") {
				t.Errorf("it was posted: %s", end.Shown())
			}
			t.Log(end.Shown())
			o.finds("a")
		})
	}
}

// A report that is changed between the yes and the post is refused by the outbox as well.
func TestAReportThatIsChangedAtTheLastMomentIsNotPosted(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	root := o.says("ana", "general", postJob)
	card := o.card(root)
	o.forge(`CREATE TRIGGER late AFTER INSERT ON outbox WHEN NEW.run <> '' BEGIN
		UPDATE artifacts SET body = CAST('x' AS BLOB) WHERE id = NEW.artifact; END`)
	o.press("leo", card, "Approve")
	o.answer(root, "changed in my database")
	o.refuses(o.read("SELECT key FROM outbox WHERE run <> ''"), "not-as-made")
	if n := len(o.posts("sales")); n != 0 {
		t.Errorf("%d posts in #sales", n)
	}
}

// SAFE-06: what somebody has put into the outbox is not said: neither a copy of what was
// posted or answered, nor what was posted once more, nor a post whose words were changed
// while it waited; the run that waits for that one hears of it.
func TestAPostThatWasForgedIsNotSaid(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	root := o.says("ana", "general", postJob)
	o.press("leo", o.card(root), "Approve")
	o.answer(root, "Posted to")
	sales := o.posts("sales")[0]
	o.until("chart and sheet under the post", func() bool { return o.files("sales", sales.TS) == "png xlsx" })
	o.becomes("0", "SELECT COUNT(*) FROM outbox WHERE state = 'waiting'")
	told := func(m fakeslack.Message) bool {
		return strings.Contains(m.Shown(), "was changed in my database, and not by me")
	} // to the admin
	before := len(slices.DeleteFunc(o.fake.Messages(), told))
	const columns = "rev, lane, ahead, place, channel, thread, after_key, kind, question, run, trace, only_person, artifact"
	post, answer := o.read("SELECT key FROM outbox WHERE run <> ''"), runOf(root)+"/end"
	copied := func(from, key string) {
		o.forge(fmt.Sprintf(`INSERT INTO outbox (key, %s, body, due, state, added, mac) SELECT ?1, %s, REPLACE(REPLACE(body, key, ?1), '"Text":"', '"Text":"Everybody: '), due, 'waiting', added, mac
			FROM outbox WHERE key = ?2`, columns, columns), key, from)
		o.refuses(key, "not-as-written")
	}
	copied(post, "forged/1")
	copied(answer, "forged/2")
	for _, key := range []string{post + "/file1", post, answer} {
		o.forge("UPDATE outbox SET state = 'waiting', ref = '', receipt = '', receipt_rev = -1, attempts = 0, owner = NULL WHERE key = ?", key)
		o.refuses(key, "not-as-written")
		o.finds(key)
	}
	o.finds("forged/1")
	o.finds("forged/2")
	if n := len(slices.DeleteFunc(o.fake.Messages(), told)); n != before {
		t.Errorf("%d messages were said", n-before)
	}
	// Changed while it waits.
	other := o.says("ana", "general", postJob)
	card := o.card(other)
	o.forge(`CREATE TRIGGER late AFTER INSERT ON outbox WHEN NEW.run <> '' BEGIN
		UPDATE outbox SET body = REPLACE(body, '` + sales.Channel + `', '` + root.Channel + `') WHERE seq = NEW.seq; END`)
	o.press("leo", card, "Approve")
	o.answer(other, "changed in my database")
	if n := len(o.posts("sales")); n != 1 {
		t.Errorf("%d posts in #sales, want 1", n)
	}
}
