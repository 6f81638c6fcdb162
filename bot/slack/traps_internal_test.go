package slack

import (
	"net/http"
	"testing"
	"time"
)

// SLACK-8.12: the library waits for ever and tries nothing again; our client has a bound,
// and what it is given keeps its own.
func TestSLACK8Point12EveryCallHasABound(t *testing.T) {
	t.Run("SLACK-8.12 every call has a bound", func(t *testing.T) {
		if d := client(nil).Timeout; d <= 0 || d > time.Minute {
			t.Errorf("a call may take %s", d)
		}
		s := New(Config{BotToken: "xoxb"}, nil, nil)
		if s.http.Timeout <= 0 || s.http.Transport == nil {
			t.Errorf("calls go by %+v", s.http)
		}
		if d := client(&http.Client{Timeout: time.Second}).Timeout; d != time.Second {
			t.Errorf("a client of its own may take %s", d)
		}
	})
}
