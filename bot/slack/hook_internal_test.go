package slack

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// Issue 5, files and web: an address to answer a press at comes with the press, and is
// used if it is Slack's; where it leads elsewhere nothing is sent, and the log does not
// hold it.
func TestAnAnswerGoesToSlackAlone(t *testing.T) {
	t.Parallel()
	reached := map[string]int{}
	serve := func(name string) *httptest.Server {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { reached[name]++ }))
		t.Cleanup(srv.Close)
		return srv
	}
	home, foreign := serve("home"), serve("foreign")
	var log bytes.Buffer
	s := New(Config{APIURL: home.URL + "/api/", BotToken: "xoxb-1"}, nil, slog.New(slog.NewTextHandler(&log, nil)))
	for ts, url := range map[string]string{
		"1": home.URL + "/actions/secret", "2": foreign.URL + "/actions/secret", "3": "https://hooks.slack.com.example.org/actions/secret",
		"4": "http://169.254.169.254/actions/secret", "5": "https://127.0.0.1/actions/secret",
	} {
		s.hooks.keep("C1", ts, url)
		at := bot.Ref{Place: bot.Place{Channel: "C1"}, ID: ts}
		s.hook(t.Context(), bot.Post{Key: "k", Delivered: &at}, &slack.WebhookMessage{Text: "words"})
	}
	if reached["home"] != 1 || reached["foreign"] != 0 {
		t.Errorf("reached %v, want Slack alone", reached)
	}
	if said := log.String(); strings.Count(said, "not changed") != 4 || strings.Contains(said, "actions/secret") {
		t.Errorf("the log says:\n%s", said)
	}
}
