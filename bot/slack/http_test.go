package slack_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// By HTTP everything is as over a socket: a mention, a press, a command and its
// answer, an edit; each once, however often Slack sends it.
func TestHTTPIsTheSamePath(t *testing.T) {
	r := newRig(t, setup{http: true})
	r.fake.Duplicate(2)
	m, k := r.say("sales", "@hermes last month's sales, please")
	got := r.ears.message(t, k)
	if got.Text != "last month's sales, please" || !got.Addressed || got.Place != place(m) {
		t.Errorf("heard %+v", got)
	}
	rc := r.post(bot.Post{Key: "q", Place: got.Place, Text: "Post it?", Kind: bot.Card, Question: "q7", Choices: []bot.Choice{{ID: "yes", Label: "Post now"}}})
	_, err := r.fake.Human("leo").Press(r.fake.Channel("sales").Thread(m.TS)[1], "Post now")
	r.must(err)
	d, err := r.fake.Human("ana").Slash("general", "/hermes", "sales of today")
	r.must(err)
	d, err = r.fake.WaitAnswer(r.ctx(), d)
	r.must(err)
	if !strings.Contains(string(d.Answer), "our conversation") {
		t.Errorf("the command is answered with %s", d.Answer)
	}
	r.must(r.fake.WaitAcked(r.ctx()))
	if ms := r.ears.messages(); len(ms) != 2 || r.ears.times[k] != 4 {
		t.Errorf("heard %d messages, the mention %d times; want 2, and 4 times", len(ms), r.ears.times[k])
	}
	for _, c := range r.ears.clicks {
		if c.Question != "q7" || c.Choice != "yes" || c.Place != rc.Ref.Place {
			t.Errorf("Click = %+v", c)
		}
	}
	if len(r.ears.clicks) != 1 {
		t.Errorf("%d clicks, want 1", len(r.ears.clicks))
	}
	if now, _ := r.fake.Conns(); now != 0 {
		t.Errorf("%d sockets are open, want none", now)
	}
}

// S6: of an event whose first try is lost and whose second the Receiver refuses, the
// third is taken as if it were the first.
func TestS6HTTPRetries(t *testing.T) {
	r := newRig(t, setup{http: true, still: true})
	r.fake.Lose(1)
	r.ears.refuses(errors.New("disk full"))
	_, k := r.say("general", "just a line")
	r.until("the second failure", func() bool { return r.fake.Deliveries()[0].Reason == "http_error" })
	r.ears.refuses(nil)
	r.clock.Advance(time.Minute)
	r.ears.message(t, k)
	r.must(r.fake.WaitAcked(r.ctx()))
	if d := r.fake.Deliveries()[0]; d.Attempts != 3 {
		t.Errorf("delivered %d times, want 3", d.Attempts)
	}
}

// A24: a request is one of Slack's only if it is signed with the secret, of this time, over
// the body as it came; without a secret nothing is. Only what can never be taken is
// not to be sent again.
func TestA24HTTPRequestsThatAreRefused(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	event := `{"type":"event_callback","team_id":"T111","event_id":"Ev1","event":{"type":"message","channel":"C1","user":"U1","ts":"1790000000.000100","text":"hi"}}`
	for name, tt := range map[string]struct {
		secret, kind, body string
		change             func(*http.Request)
		at                 time.Duration
		unknown            bool
		want               int
		noRetry            bool
		says               string
	}{
		"good":                 {want: 200},
		"a charset":            {kind: "application/json; charset=utf-8", want: 200},
		"almost old":           {at: -5 * time.Minute, want: 200},
		"old":                  {at: -5*time.Minute - time.Second, want: 401},
		"of tomorrow":          {at: 5*time.Minute + time.Second, want: 401},
		"another secret":       {secret: "other", want: 401},
		"no secret":            {secret: "-", want: 401},
		"no signature":         {change: func(r *http.Request) { r.Header.Del("X-Slack-Signature") }, want: 401},
		"no time":              {change: func(r *http.Request) { r.Header.Del("X-Slack-Request-Timestamp") }, want: 401},
		"another time":         {change: func(r *http.Request) { r.Header.Set("X-Slack-Request-Timestamp", "1") }, want: 401},
		"no version":           {change: func(r *http.Request) { cutHeader(r, "v0=") }, want: 401},
		"not POST":             {change: func(r *http.Request) { r.Method = http.MethodGet }, want: 405},
		"too long":             {body: strings.Repeat("x", 4<<20+1), want: 413, noRetry: true},
		"of no kind":           {kind: "text/plain", want: 415, noRetry: true},
		"a form of nothing":    {kind: form, body: "a=b", want: 415, noRetry: true},
		"nobody knows us yet":  {unknown: true, want: 503},
		"the challenge":        {body: `{"type":"url_verification","challenge":"3eZb"}`, unknown: true, want: 200, says: "3eZb"},
		"the challenge, false": {body: `{"type":"url_verification","challenge":"3eZb"}`, secret: "other", want: 401},
		"a check of the line":  {kind: form, body: "ssl_check=1&token=x", want: 200},
		"limited":              {body: `{"type":"app_rate_limited","team_id":"T111","minute_rate_limited":1518467820}`, want: 200},
		"no JSON":              {body: `{`, want: 200},
		"a press without JSON": {kind: form, body: "payload=%7B", want: 200},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := slack.Config{BotToken: "xoxb", SigningSecret: secret, Now: func() time.Time { return now }}
			if tt.secret == "-" {
				cfg.SigningSecret = ""
			}
			s, e := slack.New(cfg, nil, nil), newEars()
			if !tt.unknown {
				s.As("T111", fakeslack.BotUser, fakeslack.BotID)
			}
			body, kind, with := tt.body, tt.kind, tt.secret
			if body == "" {
				body = event
			}
			if kind == "" {
				kind = "application/json"
			}
			if with == "" {
				with = secret
			}
			if with == "-" {
				with = ""
			}
			req := signed(with, now.Add(tt.at), kind, body)
			if tt.change != nil {
				tt.change(req)
			}
			w := httptest.NewRecorder()
			s.Handler(e).ServeHTTP(w, req)
			if w.Code != tt.want || (w.Header().Get("X-Slack-No-Retry") != "") != tt.noRetry || tt.says != "" && w.Body.String() != tt.says {
				t.Errorf("answer = %d %v %q, want %d, no retry %t", w.Code, w.Header(), w.Body, tt.want, tt.noRetry)
			}
			if n := len(e.messages()); (n > 0) != (tt.want == 200 && tt.says == "" && !strings.Contains(body, "ssl_check") && !strings.Contains(body, "rate_limited")) {
				t.Errorf("heard %d messages", n)
			}
		})
	}
}

const form = "application/x-www-form-urlencoded"

func cutHeader(r *http.Request, prefix string) {
	r.Header.Set("X-Slack-Signature", strings.TrimPrefix(r.Header.Get("X-Slack-Signature"), prefix))
}

// signed is a request as Slack makes it.
func signed(secret string, at time.Time, kind, body string) *http.Request {
	req := httptest.NewRequest(http.MethodPost, "/slack/default", strings.NewReader(body))
	sec := strconv.FormatInt(at.Unix(), 10)
	req.Header.Set("Content-Type", kind)
	req.Header.Set("X-Slack-Request-Timestamp", sec)
	req.Header.Set("X-Slack-Signature", fakeslack.Sign(secret, sec, []byte(body)))
	return req
}

// What cannot be read has one Key however often it comes.
func TestHTTPUnreadableIsKeptOnce(t *testing.T) {
	s := slack.New(slack.Config{BotToken: "xoxb", SigningSecret: secret}, nil, nil)
	s.As("T111", fakeslack.BotUser, fakeslack.BotID)
	e := newEars()
	for range 3 {
		body := "payload=" + url.QueryEscape(`{"type":"block_actions","actions":[{"action_id":"choice:a"}]}`)
		w := httptest.NewRecorder()
		s.Handler(e).ServeHTTP(w, signed(secret, time.Now(), form, body))
		if w.Code != http.StatusOK {
			t.Fatalf("answer = %d %s", w.Code, w.Body)
		}
	}
	ms := e.messages()
	if len(ms) != 1 || ms[0].Text != "" || ms[0].From != "" {
		t.Errorf("heard %+v, want one message of nobody", ms)
	}
}

// Without a recent sign of life over HTTP nobody is ready: a request of Slack's or an
// answer to who we are is one. A workspace that is quiet stays ready.
func TestHTTPReadiness(t *testing.T) {
	r := newRig(t, setup{http: true, still: true, before: func(r *rig) { r.s.Probe(10 * time.Millisecond) }})
	if st := r.s.State(); st.Health != slack.Ready {
		t.Fatalf("state = %+v, want ready", st)
	}
	r.fake.Fail(fakeslack.Fault{Method: "auth.test", Status: 503, Times: -1})
	r.must(r.fake.Wait(r.ctx(), "a failed probe", func() bool {
		c := r.fake.Calls("auth.test")
		return c[len(c)-1].Fault
	}))
	r.clock.Advance(time.Second)
	r.until("the end of being ready", func() bool { return r.s.State().Health == slack.Deaf })
	_, k := r.say("general", "@hermes still there?")
	r.ears.message(t, k)
	if st := r.s.State(); st.Health != slack.Ready {
		t.Errorf("state = %+v after a request of Slack's, want ready", st)
	}
	r.clock.Advance(time.Second)
	r.fake.Mend()
	r.until("being ready again", func() bool { return r.s.State().Health == slack.Ready })
}

// FuzzHandler: whatever comes, nothing breaks, and nothing is heard that is not signed.
func FuzzHandler(f *testing.F) {
	f.Add("application/json", []byte(`{"type":"url_verification","challenge":"x"}`), true)
	f.Add("application/json", []byte(`{"type":"event_callback","event":{"type":"message","channel":"C1","user":"U1","ts":"1.2","text":"hi"}}`), false)
	f.Add(form, []byte("payload=%7B%22type%22%3A%22block_actions%22%7D"), true)
	f.Add(form, []byte("command=%2Fhermes&text=hi&user_id=U1&trigger_id=1.2"), true)
	f.Fuzz(func(t *testing.T, kind string, body []byte, good bool) {
		s := slack.New(slack.Config{APIURL: "http://127.0.0.1:1/", BotToken: "xoxb", SigningSecret: secret}, nil, nil)
		s.As("T111", fakeslack.BotUser, fakeslack.BotID)
		with := secret
		if !good {
			with = "other"
		}
		e, w := newEars(), httptest.NewRecorder()
		req := signed(with, time.Now(), "text/plain", string(body))
		req.Header["Content-Type"] = []string{kind}
		s.Handler(e).ServeHTTP(w, req.WithContext(context.Background()))
		if !good && (w.Code != http.StatusUnauthorized || len(e.messages())+len(e.clicks) > 0) {
			t.Errorf("unsigned %q of %q is answered with %d, and heard %d", body, kind, w.Code, len(e.messages()))
		}
		if w.Code >= 500 {
			t.Errorf("%q of %q is answered with %d: it would come again for ever", body, kind, w.Code)
		}
	})
}
