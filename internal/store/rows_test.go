package store

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/scheduler"
)

// What stands in the rows of a database in use is still read. If this fails a field
// was renamed: give it a json tag with its old name, or write a migration.
func TestRowsOfBefore(t *testing.T) {
	when := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	place := bot.Place{Platform: "slack", Workspace: "T", Channel: "C", Thread: "1.0"}
	ref := bot.Ref{Place: place, ID: "2.0"}
	check := func(name, text string, got, want any) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	const inPlace = `{"Platform":"slack","Workspace":"T","Channel":"C","Thread":"1.0"}`
	check("item of a message", `{"Key":"k","Place":`+inPlace+`,"Lane":"talk","First":true,"Attempt":0,"Fence":0,
		"Message":{"Key":"k","Place":`+inPlace+`,"From":"slack:T:U","Name":"Ann","Text":"hi","Addressed":true,"InThread":true,"Direct":true,
		"Edits":"e","At":"2026-12-01T09:00:00Z","Zone":"UTC","Link":"l","Raw":null},"Answer":null,"Click":null,"Request":null}`,
		&bot.Item{}, &bot.Item{Key: "k", Place: place, Lane: bot.Talk, First: true, Message: &bot.Message{
			Key: "k", Place: place, From: "slack:T:U", Name: "Ann", Text: "hi", Addressed: true, InThread: true, Direct: true, Edits: "e", At: when, Zone: "UTC", Link: "l",
		}})
	check("item of a click", `{"Key":"k","Place":`+inPlace+`,"Lane":"control","Click":{"Key":"k","Place":`+inPlace+`,"From":"slack:T:U","Question":"q",
		"Choice":"approve","Args":{"s1c1":{"a":1}},"Note":"n","Stop":"s","Continue":"c","At":"2026-12-01T09:00:00Z","Raw":null}}`,
		&bot.Item{}, &bot.Item{Key: "k", Place: place, Lane: bot.Control, Click: &bot.Click{
			Key: "k", Place: place, From: "slack:T:U", Question: "q", Choice: "approve", Args: map[string]json.RawMessage{"s1c1": json.RawMessage(`{"a":1}`)},
			Note: "n", Stop: "s", Continue: "c", At: when,
		}})
	check("item of a request", `{"Key":"k","Place":`+inPlace+`,"Lane":"talk","Request":{"key":"k","home":"h","asker":"a","text":"t","lang":"en","now":"2026-12-01T09:00:00Z","zone":"UTC","job":"j"}}`,
		&bot.Item{}, &bot.Item{Key: "k", Place: place, Lane: bot.Talk, Request: &run.Request{Key: "k", Home: "h", Asker: "a", Text: "t", Lang: "en", Now: when, Zone: "UTC", Job: "j"}})
	check("post", `{"Key":"k","Rev":2,"Place":`+inPlace+`,"Text":"t","Lang":"zh","Kind":"card","Footer":"f","Question":"q","Choices":[{"id":"yes","label":"Yes","style":1}],
		"Only":"slack:T:U","Artifact":"a","Hash":"h","File":{"id":"f","name":"n","mime":"m"},"After":"p","Run":"r","Home":`+inPlace+`,"Trace":"x"}`,
		&bot.Post{}, &bot.Post{
			Key: "k", Rev: 2, Place: place, Text: "t", Lang: "zh", Kind: bot.Card, Footer: "f", Question: "q", Choices: []bot.Choice{{ID: "yes", Label: "Yes", Style: bot.Primary}},
			Only: "slack:T:U", Artifact: "a", Hash: "h", File: &bot.File{ID: "f", Name: "n", Mime: "m"}, After: "p", Run: "r", Home: place, Trace: "x",
		})
	check("receipt", `{"Ref":{"Place":`+inPlace+`,"ID":"2.0"},"Link":"l","Failed":"no"}`, &bot.Receipt{}, &bot.Receipt{Ref: ref, Link: "l", Failed: "no"})
	check("job", `{"ID":"j","Name":"n","Spec":"0 9 1 * *","Zone":"UTC","Request":"r","Origin":"o","To":"t","ToName":"#t","Profile":"p","Owner":"a","Lang":"en","State":"active",
		"Created":"2026-12-01T09:00:00Z","Since":"2026-12-01T09:00:00Z","Version":3}`,
		&scheduler.Job{}, &scheduler.Job{
			ID: "j", Name: "n", Spec: "0 9 1 * *", Zone: "UTC", Request: "r", Origin: "o", To: "t", ToName: "#t", Profile: "p", Owner: "a", Lang: "en",
			State: scheduler.Active, Created: when, Since: when, Version: 3,
		})
}

// A row that nobody can read fails, and what comes after it is given out.
func TestUnreadableRows(t *testing.T) {
	ctx := t.Context()
	d, err := Open(ctx, Config{DSN: filepath.Join(t.TempDir(), "a b%20c?#", "hermes.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	place := bot.Place{Platform: "test", Channel: "c"}
	for _, key := range []string{"bad", "good"} {
		if err := d.Inbox().Add(ctx, bot.Item{Key: key, Place: place, Lane: bot.Talk}); err != nil {
			t.Fatal(err)
		}
		if err := d.Outbox().Add(ctx, bot.Post{Key: key, Place: place}); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range []string{"inbox", "outbox"} {
		if err := d.commit(ctx, func(w *gorm.DB) error { return w.Exec("UPDATE " + table + " SET body = '{' WHERE key = 'bad'").Error }); err != nil {
			t.Fatal(err)
		}
	}
	if it, err := d.Inbox().Next(ctx, bot.Talk); it.Key != "good" || err != nil {
		t.Errorf("item = %q, %v", it.Key, err)
	}
	if p, err := d.Outbox().Next(ctx); p.Key != "good" || err != nil {
		t.Errorf("post = %q, %v", p.Key, err)
	}
}
