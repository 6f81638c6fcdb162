package slack_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hermes/bot"
	"hermes/bot/slack"
)

func isErr(err, want error) bool { return errors.Is(err, want) }

// S15: a page to sign in is no file, in whatever way it comes; the scope that is
// missing is named; and the token is never sent to anybody but Slack.
func TestS15SignInIsNoFile(t *testing.T) {
	leaked := ""
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		leaked += r.URL.Path + " " + r.Header.Get("Authorization") + ";"
	}))
	defer foreign.Close()
	const login = "<!DOCTYPE html><html><title>Slack</title><body>Sign in</body></html>"
	api := http.NewServeMux()
	api.HandleFunc("/api/auth.test", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-OAuth-Scopes", "chat:write,users:read")
		_, _ = w.Write([]byte(`{"ok":true,"team_id":"T1","user_id":"U1","bot_id":"B1"}`))
	})
	api.HandleFunc("/api/files.info", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"ok":false,"error":"missing_scope","needed":"files:read"}`))
	})
	api.HandleFunc("/page/", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(login)) })
	api.HandleFunc("/plain/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		_, _ = w.Write([]byte(login))
	})
	api.HandleFunc("/moved/", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/page/", http.StatusFound) })
	api.HandleFunc("/away/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, foreign.URL+"/away", http.StatusFound)
	})
	api.HandleFunc("/no/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	api.HandleFunc("/later/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	srv := httptest.NewServer(api)
	defer srv.Close()
	s := slack.New(slack.Config{APIURL: srv.URL + "/api/", AppToken: "xapp-1", BotToken: "xoxb-secret"}, nil, nil)
	s.Check(t.Context(), slack.Checks{}) // it learns the scopes

	for name, tt := range map[string]struct {
		url, mime string
		want      error
		says      string
	}{
		"a page":               {srv.URL + "/page/s.csv", "text/csv", bot.ErrNoAccess, "files:read"},
		"a page by name":       {srv.URL + "/plain/s.csv", "text/csv", bot.ErrNoAccess, "files:read"},
		"a redirect":           {srv.URL + "/moved/s.csv", "text/csv", bot.ErrNoAccess, "files:read"},
		"a redirect of pages":  {srv.URL + "/moved/s.html", "text/html", bot.ErrNoAccess, "files:read"},
		"a foreign redirect":   {srv.URL + "/away/s.csv", "text/csv", bot.ErrNoAccess, "not slack's"},
		"a foreign file":       {foreign.URL + "/s.csv", "text/csv", bot.ErrNoAccess, "not slack's"},
		"a like name":          {"https://files.slack.com.example.org/s.csv", "text/csv", bot.ErrNoAccess, "not slack's"},
		"another like name":    {"https://notslack.com/s.csv", "text/csv", bot.ErrNoAccess, "not slack's"},
		"in the clear":         {"http://files.slack.com/s.csv", "text/csv", bot.ErrNoAccess, "not slack's"},
		"with a user":          {"https://x@files.slack.com/s.csv", "text/csv", bot.ErrNoAccess, "not slack's"},
		"no address":           {"::", "text/csv", bot.ErrNoAccess, "not slack's"},
		"an address of a file": {"file:///etc/passwd", "text/csv", bot.ErrNoAccess, "not slack's"},
		"metadata":             {"http://169.254.169.254/latest/", "text/csv", bot.ErrNoAccess, "not slack's"},
		"our loopback":         {strings.Replace(srv.URL, "127.0.0.1", "localhost", 1) + "/plain/s.csv", "text/csv", bot.ErrNoAccess, "not slack's"},
		"a number":             {"https://2130706433/s.csv", "text/csv", bot.ErrNoAccess, "not slack's"},
		"refused":              {srv.URL + "/no/s.csv", "text/csv", bot.ErrNoAccess, "files:read"},
		"unknown":              {"", "text/csv", bot.ErrNoAccess, "files:read"},
		"later":                {srv.URL + "/later/s.csv", "text/csv", bot.ErrBusy, "502"},
	} {
		b, err := s.Fetch(t.Context(), bot.Place{}, bot.Attachment{ID: "F1", Name: "s.csv", Mime: tt.mime, URL: tt.url}, 1000)
		if b != nil || !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "xoxb-") {
			t.Errorf("%s: Fetch = %q, %v; want %v that says %q", name, b, err, tt.want, tt.says)
		}
	}
	if leaked != "" {
		t.Errorf("the token, or a request, has gone elsewhere: %s", leaked)
	}
	if got, err := s.Fetch(t.Context(), bot.Place{}, bot.Attachment{ID: "F1", Name: "s.html", Mime: "text/html", URL: srv.URL + "/page/s.html", Size: int64(len(login))}, 1000); err != nil || string(got) != login {
		t.Errorf("Fetch of a page = %q, %v; want it", got, err)
	}
	// Many a program exports a page under the name of a table.
	if got, err := s.Fetch(t.Context(), bot.Place{}, bot.Attachment{ID: "F1", Name: "s.xls", Mime: "application/vnd.ms-excel", URL: srv.URL + "/page/s.xls", Size: int64(len(login))}, 1000); err != nil || string(got) != login {
		t.Errorf("Fetch of a page of that size under another name = %q, %v; want it", got, err)
	}
}
