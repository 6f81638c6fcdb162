package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"hermes/internal/fakeslack"
)

// SLACK-1, SLACK-2, S5: one program serves two workspaces, one over a socket and one by
// HTTP. Their people and channels have the same ids, and still nothing that is said,
// remembered or allowed in one counts in the other; one whose token was taken leaves the
// other alone.
func TestTwoWorkspacesInOneProgram(t *testing.T) {
	t.Parallel()
	socket := &office{t: t, fake: startFake(t, fakeslack.Options{Clock: hasty{}, Seed: 1})}
	hook := &office{t: t, fake: startFake(t, fakeslack.Options{
		Clock: hasty{}, Seed: 2, Team: "T0FAKE002", AppToken: "xapp-1-A0FAKE002-1-fake", BotToken: "xoxb-0-2-fake",
	})}
	addr := freeAddr(t)
	socket.daemon = newDaemonWith(t, fmt.Sprintf(`
admins: ["slack:%s:%s"]
slack:
  api_url: %s/api/
  listen: %s
  workspaces:
    - {name: plain, app_token: %s, bot_token: %s}
    - {name: hooked, bot_token: xoxb-0-2-fake, signing_secret: abcdef}
`, fakeslack.Team, leo, byToken(t, map[string]*fakeslack.Server{
		fakeslack.AppToken: socket.fake, fakeslack.BotToken: socket.fake, "xoxb-0-2-fake": hook.fake,
	}), addr, fakeslack.AppToken, fakeslack.BotToken))
	hook.daemon = socket.daemon
	socket.hears()
	if err := hook.fake.UseHTTP(t.Context(), fakeslack.Endpoints{Events: "http://" + addr + "/slack/hooked", Secret: "abcdef"}); err != nil {
		t.Fatal(err)
	}

	// What is remembered of Ana in one is nothing that Ana of the other is told.
	socket.answer(socket.says("ana", "dm", "I like Excel reports"), "Excel")
	socket.answer(socket.says("ana", "dm", "what do you remember about me?"), "Excel")
	if said := hook.answer(hook.says("ana", "dm", "what do you remember about me?"), ""); strings.Contains(said.Shown(), "Excel") {
		t.Errorf("what was said in the other workspace is told:\n%s", said.Shown())
	}

	// Leo decides where he is an admin, and not where somebody of the same id is none.
	ask := "@hermes summarise last month's sales by region and post it to #sales"
	card := hook.card(hook.says("gus", "general", ask))
	hook.mustPress("leo", card, "Approve")
	hook.until("leo to be told", func() bool {
		return hook.count(func(m fakeslack.Message) bool {
			return m.Only == leo && strings.Contains(m.Shown(), "not yours to decide")
		}) == 1
	})
	ours := socket.says("gus", "general", ask)
	socket.press("leo", socket.card(ours), "Approve")
	socket.until("the post", func() bool { return len(socket.posts("sales")) == 1 })
	if n := len(hook.posts("sales")); n != 0 {
		t.Errorf("%d posts in the other workspace", n)
	}

	// A token that was taken ends one of them.
	socket.fake.Revoke(fakeslack.BotToken, "token_revoked")
	socket.fake.Event(map[string]any{"type": "tokens_revoked", "tokens": map[string]any{"bot": []string{fakeslack.BotUser}}})
	socket.until("the event to be acknowledged", socket.acknowledged)
	hook.answer(hook.says("ana", "general", "@hermes what were last month's sales in Asia?"), "USD")
	out, err := socket.hermes(t.Context(), "", "health")
	if err == nil || !strings.Contains(out, "✗ Slack plain: auth_failed since ") || !strings.Contains(out, "✓ Slack hooked: ") {
		t.Errorf("health = %v:\n%s", err, out)
	}
}

// mustPress presses a button where there is no socket to wait for.
func (o *office) mustPress(who string, card fakeslack.Message, label string) {
	o.t.Helper()
	for _, b := range card.Buttons() {
		if strings.HasPrefix(b.Label, label) {
			if _, err := o.fake.Human(who).Press(card, b.ActionID); err != nil {
				o.t.Fatal(err)
			}
			return
		}
	}
	o.t.Fatalf("no button %q on %+v", label, card.Buttons())
}

// startFake starts a Slack that judges, at the end, what it was told.
func startFake(t *testing.T, o fakeslack.Options) *fakeslack.Server {
	t.Helper()
	fake, err := fakeslack.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, what := range fake.Judge() {
			t.Error("slack judges: " + what)
		}
		fake.Close()
	})
	return fake
}

// byToken is one address of several workspaces, as Slack's is: the token says which.
// What they name by their own address leads back through it.
func byToken(t *testing.T, fakes map[string]*fakeslack.Server) string {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	home := "http://" + s.Listener.Addr().String()
	to := map[string]http.Handler{} // by team
	for _, f := range fakes {
		target, err := url.Parse(f.URL())
		if err != nil {
			t.Fatal(err)
		}
		to[target.Port()] = &httputil.ReverseProxy{
			Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
			ModifyResponse: func(r *http.Response) error { return readdress(r, f.URL(), home+"/at/"+target.Port()) },
			ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/at/{port}/", func(w http.ResponseWriter, r *http.Request) {
		port := r.PathValue("port")
		http.StripPrefix("/at/"+port, to[port]).ServeHTTP(w, r)
	})
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			form, _ := url.ParseQuery(string(body))
			token = form.Get("token")
		}
		f := fakes[token]
		if f == nil {
			t.Errorf("%s with no token of ours", r.URL.Path)
			panic(http.ErrAbortHandler)
		}
		target, _ := url.Parse(f.URL())
		to[target.Port()].ServeHTTP(w, r.WithContext(context.WithoutCancel(r.Context())))
	})
	s.Config.Handler = mux
	s.Start()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return home
}
