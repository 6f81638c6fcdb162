package web_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hermes/bot"
)

const nonce = "m9x2k3fq-0123456789abcdef"

// What is written in a composer is heard as one Message of its place.
func TestMessageIsHeard(t *testing.T) {
	t.Parallel()
	root := said("general", "", "aaaaaaaa1", "lead", "plain")
	asked := said("general", "aaaaaaaa2", "aaaaaaaa2", "lead", "asked")
	answer := told("general", "aaaaaaaa2", "post-1", "answered")
	report := told("sales", "", "job/7@slot", "a report")

	tests := map[string]struct {
		channel, thread, text string
		want                  bot.Message
	}{
		"a plain root is in no thread": {"general", "", "good morning",
			bot.Message{Place: place("general", ""), Text: "good morning"}},
		"a call begins a thread of its own": {"general", "", "@hermes: sales by region",
			bot.Message{Place: place("general", "ID"), Text: "sales by region", Said: "@hermes: sales by region", Addressed: true}},
		"a call in Chinese, without spaces": {"general", "", "请@Hermes把上个月的数据发到 #sales",
			bot.Message{Place: place("general", "ID"), Text: "请把上个月的数据发到 #sales", Said: "请@Hermes把上个月的数据发到 #sales", Addressed: true}},
		"a call without a word": {"general", "", "@Hermes",
			bot.Message{Place: place("general", "ID"), Said: "@Hermes", Addressed: true}},
		"a call at the end": {"general", "", "hi @hermes",
			bot.Message{Place: place("general", "ID"), Text: "hi", Said: "hi @hermes", Addressed: true}},
		"a call in a reply": {"general", "aaaaaaaa2", "@hermes and by product?",
			bot.Message{Place: place("general", "aaaaaaaa2"), Text: "and by product?", Said: "@hermes and by product?", Addressed: true, InThread: true}},
		"an address of a mail is no call": {"general", "", "write to me@hermes.example",
			bot.Message{Place: place("general", ""), Text: "write to me@hermes.example"}},
		"a direct message needs no call": {"dm-analyst", "", "hello",
			bot.Message{Place: place("dm-analyst", ""), Text: "hello", Direct: true}},
		"a direct message begins no thread": {"dm-analyst", "", "@hermes hello",
			bot.Message{Place: place("dm-analyst", ""), Text: "hello", Said: "@hermes hello", Addressed: true, Direct: true}},
		"a reply where the bot has not spoken": {"general", "aaaaaaaa1", "indeed",
			bot.Message{Place: place("general", "aaaaaaaa1"), Text: "indeed"}},
		"a reply where the bot has spoken": {"general", "aaaaaaaa2", "now by product",
			bot.Message{Place: place("general", "aaaaaaaa2"), Text: "now by product", InThread: true}},
		"a reply to what the bot posted": {"sales", "REPORT", "why?",
			bot.Message{Place: place("sales", "job/7@slot"), Text: "why?", InThread: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.desk.add(root, asked, answer, report)
			b := s.enter("")
			if tt.thread == "REPORT" {
				r, err := s.con.Post(t.Context(), bot.Post{Key: report.Key, Place: report.Place})
				if err != nil {
					t.Fatal(err)
				}
				tt.thread = r.Link[strings.LastIndex(r.Link, "/")+1:]
			}
			code, page := b.post("/say", url.Values{"c": {tt.channel}, "t": {tt.thread}, "text": {tt.text}, "nonce": {nonce}})
			if code != http.StatusSeeOther {
				t.Fatalf("say = %d, want 303:\n%s", code, page)
			}
			if len(s.ears.messages) != 1 {
				t.Fatalf("heard %d messages, want 1", len(s.ears.messages))
			}
			got := s.ears.messages[0]
			id := got.Key[strings.LastIndex(got.Key, "/")+1:]
			want := tt.want
			want.Key = "web/demo/" + tt.channel + "/" + id
			want.From, want.Name = "web:demo:analyst", "Ana"
			if want.Place.Thread == "ID" {
				want.Place.Thread = id
			}
			if d := cmp.Diff(want, got, cmpopts.IgnoreFields(bot.Message{}, "At", "Raw", "Link")); d != "" {
				t.Errorf("message (-want +got):\n%s", d)
			}
			if got.At.IsZero() || len(got.Raw) == 0 || !strings.HasPrefix(got.Link, "/c/"+tt.channel) {
				t.Errorf("message lacks its time, raw form or link: %+v", got)
			}
		})
	}
}

// A form that is sent again is the same Message; another one is another.
func TestNonceIsKey(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b, lee := s.enter(""), s.enter("lead")
	send := func(b *browser, nonce string) {
		b.post("/say", url.Values{"c": {"general"}, "text": {"hi"}, "nonce": {nonce}})
	}
	send(b, nonce)
	send(b, nonce)
	send(b, "m9x2k3fq-another-form")
	send(lee, nonce)
	var keys []string
	for _, m := range s.ears.messages {
		keys = append(keys, m.Key)
	}
	if len(keys) != 4 || keys[0] != keys[1] || keys[0] == keys[2] || keys[0] == keys[3] {
		t.Errorf("keys = %q, want the first two alike and the others not", keys)
	}
}

// What cannot be taken is not heard, and its text stays in the composer.
func TestMessageIsRefused(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("字", 40_001)
	tests := map[string]struct {
		form url.Values
		err  error
		want int
		word string
	}{
		"empty":          {url.Values{"c": {"general"}, "text": {" \n"}, "nonce": {nonce}}, nil, http.StatusUnprocessableEntity, "nothing to send"},
		"too long":       {url.Values{"c": {"general"}, "text": {long}, "nonce": {nonce}}, nil, http.StatusRequestEntityTooLarge, long},
		"enormous":       {url.Values{"c": {"general"}, "text": {strings.Repeat(long, 2)}, "nonce": {nonce}}, nil, http.StatusRequestEntityTooLarge, "40,000 characters"},
		"without nonce":  {url.Values{"c": {"general"}, "text": {"keep me"}}, nil, http.StatusUnprocessableEntity, "keep me"},
		"not stored":     {url.Values{"c": {"general"}, "text": {"keep me"}, "nonce": {nonce}}, errors.New("disk full"), http.StatusServiceUnavailable, "keep me"},
		"foreign room":   {url.Values{"c": {"dm-lead"}, "text": {"hi"}, "nonce": {nonce}}, nil, http.StatusNotFound, "nothing here"},
		"no such thread": {url.Values{"c": {"general"}, "t": {"zzzzzzzz9"}, "text": {"hi"}, "nonce": {nonce}}, nil, http.StatusNotFound, "nothing here"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.ears.err = tt.err
			code, page := s.enter("").post("/say", tt.form)
			if code != tt.want || !strings.Contains(page, tt.word) {
				t.Errorf("say = %d, want %d with %.40q in it", code, tt.want, tt.word)
			}
			if len(s.ears.messages) != 0 {
				t.Errorf("heard %d messages, want none", len(s.ears.messages))
			}
		})
	}
}

// A press on a button is a Click with the question and the choice, and its own Key.
func TestPressIsClick(t *testing.T) {
	t.Parallel()
	card := told("general", "aaaaaaaa1", "ask-1", "May I?")
	card.Kind, card.Question = bot.Card, "q-1"
	card.Choices = []bot.Choice{{ID: "yes", Label: "Post", Style: bot.Primary}, {ID: "no", Label: "Deny", Style: bot.Danger}}
	progress := told("general", "aaaaaaaa1", "work-1", "Working")
	progress.Kind, progress.Choices = bot.Progress, []bot.Choice{{ID: "stop:run/1", Label: "Stop"}}
	end := told("general", "aaaaaaaa1", "end-1", "Stopped.")
	end.Choices = []bot.Choice{{ID: "continue:run/0", Label: "Continue"}, {ID: "abandon:run/0", Label: "Abandon"}}

	s := newStage(t)
	s.desk.add(said("general", "aaaaaaaa1", "aaaaaaaa1", "analyst", "ask"), card, progress, end)
	s.desk.questions = []bot.OpenQuestion{{ID: "q-1", Asker: "web:demo:analyst", Text: "May I?", Home: place("general", "aaaaaaaa1"), Mine: true, Choices: card.Choices}}
	b := s.enter("lead")
	slugOf := func(key string) string {
		r, _ := s.con.Post(t.Context(), bot.Post{Key: key, Place: card.Place})
		_, slug, _ := strings.Cut(r.Link, "#m-")
		return slug
	}
	press := func(form url.Values) int {
		form.Set("nonce", nonce)
		code, _ := b.post("/press", form)
		return code
	}
	base := url.Values{"c": {"general"}, "t": {"aaaaaaaa1"}}
	with := func(pairs ...string) url.Values {
		f := url.Values{}
		for k, v := range base {
			f[k] = v
		}
		for i := 0; i < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
		return f
	}
	for name, tt := range map[string]struct {
		form url.Values
		want int
	}{
		"on the card":           {with("line", slugOf("ask-1"), "question", "q-1", "choice", "yes"), 303},
		"on Stop":               {with("line", slugOf("work-1"), "choice", "stop:run/1"), 303},
		"on Continue":           {with("line", slugOf("end-1"), "choice", "continue:run/0"), 303},
		"on Abandon":            {with("line", slugOf("end-1"), "choice", "abandon:run/0"), 303},
		"in the approvals":      {url.Values{"question": {"q-1"}, "choice": {"no"}}, 303},
		"of another question":   {with("line", slugOf("ask-1"), "question", "q-2", "choice", "yes"), 404},
		"on no line":            {with("line", "zzzzzzzz9", "question", "q-1", "choice", "yes"), 404},
		"of a settled question": {url.Values{"question": {"q-0"}, "choice": {"yes"}}, 410},
	} {
		if got := press(tt.form); got != tt.want {
			t.Errorf("press %s = %d, want %d", name, got, tt.want)
		}
	}
	home := place("general", "aaaaaaaa1")
	want := []bot.Click{
		{Key: "ask-1/yes/lead/" + nonce, Place: home, From: "web:demo:lead", Name: "Lee", Question: "q-1", Choice: "yes"},
		{Key: "end-1/abandon:run%2F0/lead/" + nonce, Place: home, From: "web:demo:lead", Name: "Lee", Abandon: "run/0"},
		{Key: "end-1/continue:run%2F0/lead/" + nonce, Place: home, From: "web:demo:lead", Name: "Lee", Continue: "run/0"},
		{Key: "question/q-1/no/lead/" + nonce, Place: home, From: "web:demo:lead", Name: "Lee", Question: "q-1", Choice: "no"},
		{Key: "work-1/stop:run%2F1/lead/" + nonce, Place: home, From: "web:demo:lead", Name: "Lee", Stop: "run/1"},
	}
	less := cmpopts.SortSlices(func(a, b bot.Click) bool { return a.Key < b.Key })
	if d := cmp.Diff(want, s.ears.clicks, less, cmpopts.IgnoreFields(bot.Click{}, "At")); d != "" {
		t.Errorf("clicks (-want +got):\n%s", d)
	}
}
