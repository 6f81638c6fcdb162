package web_test

import (
	"net/url"
	"strings"
	"testing"

	"hermes/bot"
)

// A Post is told to who may read it, with its place and no words.
func TestPostIsTold(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ana, gus := s.enter(""), s.enter("guest")
	toAna, toGus := ana.hear(ana.mark()), gus.hear(gus.mark())
	say := func(p bot.Post) {
		if _, err := s.con.Post(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	say(bot.Post{Key: "p1", Place: place("sales", ""), Text: "secret"})
	say(bot.Post{Key: "p2", Place: place("general", ""), Text: "secret", Only: "web:demo:analyst"})
	say(bot.Post{Key: "p3", Place: place("general", "aaaaaaaa1"), Text: "hello"})

	for _, want := range []string{`{"c":"sales","t":""}`, `{"c":"general","t":""}`, `{"c":"general","t":"aaaaaaaa1"}`} {
		if _, kind, data := toAna(); kind != "line" || data != want {
			t.Errorf("analyst hears %s %s, want line %s", kind, data, want)
		}
	}
	if _, _, data := toGus(); data != `{"c":"general","t":"aaaaaaaa1"}` {
		t.Errorf("guest hears first %s, want only what a guest may read", data)
	}
}

// A message is told to the other browsers, too.
func TestMessageIsTold(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ana, lee := s.enter(""), s.enter("lead")
	next := lee.hear(lee.mark())
	ana.post("/say", url.Values{"c": {"general"}, "text": {"hi"}, "nonce": {nonce}})
	if _, kind, data := next(); kind != "line" || !strings.Contains(data, `"c":"general"`) {
		t.Errorf("another browser hears %s %s, want the message's place", kind, data)
	}
}

// Who was away hears what was missed; who was away for too long, or while the
// program was started again, is told to read all again.
func TestReconnect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.enter("")
	before := b.mark()
	next := b.hear(before)
	for _, c := range []string{"general", "sales"} {
		if _, err := s.con.Post(t.Context(), bot.Post{Key: c, Place: place(c, "")}); err != nil {
			t.Fatal(err)
		}
	}
	first, _, _ := next()
	if _, _, data := b.hear(first)(); data != `{"c":"sales","t":""}` {
		t.Errorf("after the first event comes %s, want the second", data)
	}
	if _, kind, _ := b.hear("otherboot.1")(); kind != "reset" {
		t.Errorf("after a restart comes %q, want reset", kind)
	}
	for range 600 {
		if _, err := s.con.Post(t.Context(), bot.Post{Key: "x", Place: place("ops", "")}); err != nil {
			t.Fatal(err)
		}
	}
	if _, kind, _ := b.hear(before)(); kind != "reset" {
		t.Errorf("after too many events comes %q, want reset", kind)
	}
	if id, _, _ := b.hear("otherboot.1")(); id != b.mark() {
		t.Errorf("reset has id %s, want the last event %s", id, b.mark())
	}
}
