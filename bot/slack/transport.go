package slack

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"path"
	"strings"
	"time"
)

// client returns the HTTP client that Slack is reached by. The library has none
// with a timeout.
func client(c *http.Client) *http.Client {
	out := http.Client{Timeout: 30 * time.Second}
	if c != nil {
		out = *c
	}
	if out.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 32 // posts go out for many places at once
		out.Transport = t
	}
	if out.CheckRedirect == nil {
		// The Web API leads nowhere else, and whoever follows takes what was said along.
		out.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return &out
}

// lenient takes out of Slack's answers what the library decodes strictly and we do
// not read. Without it a message that was posted comes back as an error if Slack
// has put a block in it that the library does not know, and somebody would post it
// again.
type lenient struct{ next http.RoundTripper }

// heavy are the fields of a message in which unknown things stand.
var heavy = []string{"blocks", "attachments", "root", "state"}

func (l lenient) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(r)
	name := path.Base(r.URL.Path)
	if err != nil || resp.StatusCode != http.StatusOK ||
		!strings.HasPrefix(name, "chat.") && !strings.HasPrefix(name, "conversations.") && !strings.HasPrefix(name, "views.") {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	body = lighten(body)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	return resp, nil
}

// lighten returns an answer without what is heavy; one that it cannot read stays
// as it is.
func lighten(body []byte) []byte {
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		return body
	}
	delete(top, "errors") // of several shapes, and an unknown one hides "error"
	if m, ok := top["message"]; ok {
		top["message"] = lightMessage(m)
	}
	if v, ok := top["view"]; ok {
		top["view"] = lightMessage(v)
	}
	if list, ok := top["messages"]; ok {
		var ms []json.RawMessage
		if json.Unmarshal(list, &ms) == nil {
			for i := range ms {
				ms[i] = lightMessage(ms[i])
			}
			top["messages"], _ = json.Marshal(ms)
		}
	}
	out, err := json.Marshal(top)
	if err != nil {
		return body
	}
	return out
}

func lightMessage(m json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(m, &fields) != nil {
		return m
	}
	for _, h := range heavy {
		delete(fields, h)
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return m
	}
	return out
}
