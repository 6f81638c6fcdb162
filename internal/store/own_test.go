package store_test

import (
	"testing"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/store"
)

// What "that" means: the last post of the bot's that stands here, what its run has
// posted elsewhere, the newest in a channel, or what a link points at. What was taken
// back, and what only one person sees, is none.
func TestOwn(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		out, j := d.Outbox(), d.Journal()
		for _, key := range []string{"m1", "m2", "m3"} {
			r := begun(key, c.now())
			if key == "m2" {
				r.Asker = bob
			}
			must[run.Run](t)(d.Runs().Save(ctx, r))
		}
		post := func(p bot.Post, link string) {
			t.Helper()
			if p.Trace == "" && p.Run == "" {
				p.Trace = run.TraceOf(p.Key[:2])
			}
			ok(t, out.Add(ctx, p))
			got := must[bot.Post](t)(out.Next(ctx))
			ok(t, out.Note(ctx, got, bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: p.Key}, Link: link}))
			ok(t, out.Done(ctx, got))
		}
		is := func(what string, o store.Own, found bool, err error, key, by string) {
			t.Helper()
			if err != nil || found != (key != "") || o.Key != key || o.By != by {
				t.Errorf("%s = %q of %q, %t, %v; want %q of %q", what, o.Key, o.By, found, err, key, by)
			}
		}
		here := func(except string) (store.Own, bool, error) { return j.OwnHere(ctx, home, except) }
		o, found, err := here("")
		is("of nothing", o, found, err, "", "")

		post(bot.Post{Key: "m1/end", Place: home, Text: "one"}, "https://x/a_b%25?thread=1")
		post(bot.Post{Key: "m1/progress", Place: home, Kind: bot.Progress, Text: "…"}, "")
		post(bot.Post{Key: "m1/told", Place: home, Text: "psst", Only: bob}, "")
		o, found, err = here("")
		is("the last here", o, found, err, "m1/end", ann)
		if o.Text != "one" || o.Link != "https://x/a_b%25?thread=1" || o.Run != "m1" {
			t.Errorf("it is %+v", o)
		}
		o, found, err = here("m1")
		is("but for the run itself", o, found, err, "", "")

		post(bot.Post{Key: "m2/step1", Place: sales, Text: "report", Kind: bot.Report, Run: "m2", Home: home, Trace: run.TraceOf("m2")}, "/c/sales/p1#m-1")
		post(bot.Post{Key: "m2/end", Place: home, Text: "posted"}, "")
		o, found, err = here("m3")
		is("what the last run here has posted elsewhere", o, found, err, "m2/step1", bob)

		for _, around := range []struct {
			at               bot.Place
			of, person, want string
			by               string
		}{
			{sales, "", ann, "m2/step1", bob}, {sales, bob, bob, "m2/step1", bob}, {sales, ann, ann, "", ""},
			{home, ann, ann, "m1/end", ann}, {home, bob, bob, "m2/step1", bob},
		} {
			at := around.at
			at.Thread = "new"
			o, found, err = j.OwnAround(ctx, at, around.of, around.person, "m3")
			is("around a new thread of "+at.Channel+" for "+around.person, o, found, err, around.want, around.by)
		}

		for link, want := range map[string]string{
			"https://x/a_b%25?thread=1": "m1/end", "https://x/a_b%25": "", "http://127.0.0.1:1/c/sales/p1#m-1": "m2/step1", "https://x/aXb%25?thread=1": "", "%": "", "": "",
		} {
			o, found, err = j.OwnAt(ctx, link)
			is(link, o, found, err, want, map[string]string{"m1/end": ann, "m2/step1": bob}[want])
		}
		for by, want := range map[string]string{bob: "m2/step1", "": "m2/step1", ann: ""} {
			o, found, err = j.OwnIn(ctx, sales, by)
			is("in a channel for "+by, o, found, err, want, map[string]string{"m2/step1": bob}[want])
		}

		post(bot.Post{Key: "m2/step1", Rev: 1, Place: sales, Gone: true, Trace: run.TraceOf("m2")}, "")
		o, found, err = j.OwnIn(ctx, sales, bob)
		is("in a channel where it is gone", o, found, err, "", "")
		o, found, err = here("m3")
		is("once that is gone", o, found, err, "m2/end", bob)
		lines := must[[]bot.Line](t)(j.Lines(ctx, sales, ann, 9))
		if len(lines) != 1 || !lines[0].Gone || lines[0].Text != "" || lines[0].State != "sent" {
			t.Errorf("lines where it stood: %+v", lines)
		}
	})
}

// A message shows what came with it, and one of files alone is a line, too.
func TestLinesShowAttachments(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		a := must[bot.Attachment](t)(d.Artifacts().Keep(ctx, "k/1", 1, bot.Attachment{Name: "a.csv", Mime: "text/csv"}, []byte("x,y")))
		again := must[bot.Attachment](t)(d.Artifacts().Keep(ctx, "k/1", 1, bot.Attachment{Name: "a.csv", Mime: "text/csv"}, []byte("other")))
		if again.ID != a.ID || again.Size != 3 {
			t.Errorf("kept again it is %+v, want the first %+v", again, a)
		}
		ok(t, d.Inbox().Add(ctx, bot.Item{Key: "k/1", Place: home, Lane: bot.Talk, Message: &bot.Message{Key: "k/1", Place: home, From: ann, Files: []bot.Attachment{a}}}))
		lines := must[[]bot.Line](t)(d.Journal().Lines(ctx, home, ann, 9))
		if len(lines) != 1 || len(lines[0].Files) != 1 || lines[0].Files[0] != (bot.File{ID: a.ID, Name: "a.csv", Mime: "text/csv"}) {
			t.Errorf("lines = %+v", lines)
		}
		if _, b, err := d.Artifacts().Open(ctx, a.ID); err != nil || string(b) != "x,y" {
			t.Errorf("opened %q, %v", b, err)
		}
	})
}
