package fakeslack_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"hermes/internal/fakeslack"
)

const signing = "a secret of the test"

// An endpoint is an app that takes events by HTTP, and answers as it is told.
type endpoint struct {
	*httptest.Server
	arrived chan struct{}

	mu   sync.Mutex
	got  []*http.Request
	body []string
	do   func(w http.ResponseWriter, r *http.Request, body string)
}

func serve(t *testing.T) *endpoint {
	t.Helper()
	e := &endpoint{arrived: make(chan struct{}, 100)}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		var v struct{ Type, Challenge string }
		if json.Unmarshal(b, &v); v.Type == "url_verification" {
			_, _ = io.WriteString(w, v.Challenge)
			return
		}
		e.mu.Lock()
		e.got, e.body = append(e.got, r), append(e.body, string(b))
		do := e.do
		e.mu.Unlock()
		e.arrived <- struct{}{}
		if do != nil {
			do(w, r, string(b))
		}
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) answers(f func(w http.ResponseWriter, r *http.Request, body string)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.do = f
}

func (e *endpoint) requests() ([]*http.Request, []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.got), slices.Clone(e.body)
}

func byHTTP(t *testing.T, clock fakeslack.Clock) (*fakeslack.Server, *endpoint) {
	t.Helper()
	s, e := start(t, fakeslack.Options{Clock: clock}), serve(t)
	if err := s.UseHTTP(t.Context(), fakeslack.Endpoints{Events: e.URL, Secret: signing}); err != nil {
		t.Fatal(err)
	}
	return s, e
}

// An address that does not answer the challenge gets nothing.
func TestChallenge(t *testing.T) {
	s := start(t, fakeslack.Options{})
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }))
	t.Cleanup(bad.Close)
	if err := s.UseHTTP(t.Context(), fakeslack.Endpoints{Events: bad.URL, Secret: signing}); err == nil {
		t.Error("an address was taken that does not know the challenge")
	}
}

// Requests are signed so that Slack's other client believes them, and nobody else's.
func TestSignature(t *testing.T) {
	s, e := byHTTP(t, nil)
	must(s.Human("ana").Say("dm", "hi"))
	if err := s.WaitAcked(soon(t)); err != nil {
		t.Fatal(err)
	}
	got, body := e.requests()
	for secret, want := range map[string]bool{signing: true, "another": false} {
		v, err := slack.NewSecretsVerifier(got[0].Header, secret)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(&v, body[0])
		if ok := v.Ensure() == nil; ok != want {
			t.Errorf("the signature is good for %q: %v", secret, ok)
		}
	}
	if got[0].Header.Get("X-Slack-Retry-Num") != "" || got[0].Header.Get("Content-Type") != "application/json" {
		t.Errorf("headers = %v", got[0].Header)
	}
	if err := s.UseHTTP(t.Context(), fakeslack.Endpoints{Events: e.URL, Secret: signing, Skew: -6 * time.Minute}); err != nil {
		t.Fatal(err)
	}
	must(s.Human("ana").Say("dm", "hi"))
	_ = s.WaitAcked(soon(t))
	got, _ = e.requests()
	if _, err := slack.NewSecretsVerifier(got[1].Header, signing); err == nil {
		t.Error("a request of six minutes ago is believed")
	}
}

// Retries say which they are and why: at once, after one minute, after five.
func TestHTTPRetries(t *testing.T) {
	for name, tt := range map[string]struct {
		do     func(http.ResponseWriter, *http.Request, string)
		reason string
	}{
		"500": {func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(500) }, "http_error"},
		"redirects": {func(w http.ResponseWriter, r *http.Request, _ string) {
			http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
		}, "too_many_redirects"},
		"cut":         {func(_ http.ResponseWriter, _ *http.Request, _ string) { panic(http.ErrAbortHandler) }, "connection_failed"},
		"not at once": {func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() }, "http_timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			clock := fakeslack.NewManual(monday)
			s, e := byHTTP(t, clock)
			e.answers(func(w http.ResponseWriter, r *http.Request, b string) {
				if r.Header.Get("X-Slack-Retry-Num") != "3" { // then it is taken at last
					tt.do(w, r, b)
				}
			})
			must(s.Human("ana").Say("dm", "hi"))
			var d fakeslack.Delivery
			var sent []time.Duration
			for !d.Acked {
				d = s.Deliveries()[0]
				hangs := tt.reason == "http_timeout" && d.Attempts < 4
				if hangs && len(sent) < d.Attempts {
					<-e.arrived
				}
				err := s.Wait(soon(t), "an attempt to end", func() bool {
					d = s.Deliveries()[0]
					return d.Acked || d.Failed == d.Attempts || hangs
				})
				switch {
				case err != nil:
					t.Fatal(err)
				case d.GivenUp:
					t.Fatalf("given up after %d attempts, want it taken at the fourth", d.Attempts)
				}
				if len(sent) < d.Attempts {
					sent = append(sent, d.Sent.Sub(monday).Truncate(time.Minute))
				}
				if !d.Acked {
					clock.Advance(time.Second)
				}
			}
			if want := []time.Duration{0, time.Minute, 6 * time.Minute}; !slices.Equal(sent[len(sent)-3:], want) {
				t.Errorf("attempts after %v, want the last ones after %v", sent, want)
			}
			got, _ := e.requests()
			last := got[len(got)-1]
			if last.Header.Get("X-Slack-Retry-Num") != "3" || last.Header.Get("X-Slack-Retry-Reason") != tt.reason {
				t.Errorf("headers of the last attempt = %v, want reason %s", last.Header, tt.reason)
			}
		})
	}
}

// Who says so is not tried again.
func TestNoRetry(t *testing.T) {
	s, e := byHTTP(t, nil)
	e.answers(func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("X-Slack-No-Retry", "1")
		w.WriteHeader(http.StatusBadRequest)
	})
	must(s.Human("ana").Say("dm", "hi"))
	d := must(s.WaitAnswer(soon(t), s.Deliveries()[0]))
	if !d.GivenUp || d.Attempts != 1 {
		t.Errorf("delivery = %+v, want it given up after one attempt", d)
	}
}

// What people do comes as a form, and the body of the answer is the answer.
func TestFormsByHTTP(t *testing.T) {
	s, e := byHTTP(t, nil)
	ana := s.Human("ana")
	e.answers(func(w http.ResponseWriter, _ *http.Request, body string) {
		form, err := url.ParseQuery(body)
		switch {
		case err != nil || strings.HasPrefix(body, "{"):
		case form.Get("command") != "":
			_, _ = io.WriteString(w, "you said "+form.Get("text"))
		case strings.Contains(form.Get("payload"), "view_submission"):
			_, _ = io.WriteString(w, `{"response_action":"errors","errors":{"a":"no"}}`)
		}
	})
	must(s.WaitAnswer(soon(t), must(ana.Slash("sales", "/hermes", "a b&c"))))
	if got := s.Channel("sales").Private(ana.ID()); len(got) != 1 || got[0].Text != "you said a b&amp;c" {
		t.Errorf("ana alone sees %+v", got)
	}
	_, trigger := pressed(t, s)
	call(t, s, fakeslack.BotToken, "views.open", m{"trigger_id": trigger, "view": modal(ask("a"))})
	must(s.WaitAnswer(soon(t), must(ana.Submit(map[string]string{"a": "x"}))))
	if v, _ := ana.Modal(); v.Errors["a"] != "no" {
		t.Errorf("errors = %v", v.Errors)
	}
	if err := s.WaitAcked(soon(t)); err != nil {
		t.Fatal(err)
	}
	got, _ := e.requests()
	for _, r := range got {
		if r.Header.Get("X-Slack-Signature") == "" {
			t.Errorf("a request of %s is not signed", r.Header.Get("Content-Type"))
		}
	}
	s.UseSockets()
	must(ana.Say("dm", "over sockets"))
	if after, _ := e.requests(); len(after) != len(got) {
		t.Error("HTTP goes on though sockets are on")
	}
}
