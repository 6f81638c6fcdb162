package fakeslack

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Slack says nothing of much that an app does wrong: people see it, or nobody does. So a
// Server judges what it has seen, and a test that does not ask for something of it on
// purpose may demand that nothing of it was.

// openGap is how long an app must wait between two openings of a socket.
const openGap = 5 * time.Second

// Judge returns what the app did wrong so far, a sentence each, none if it did nothing:
//
//   - a socket opened less than five seconds after another, by a program that was not
//     started anew since, as Anew says
//   - words that call a whole channel or a group
//   - a token in what people read
//   - the same post twice where people see both: with the same metadata in one conversation
//   - what Complaints has
//
// How fast it acknowledges is not among it, since that is told by the wall's clock, and by
// AckTimes.
func (s *Server) Judge() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	wrong := func(format string, v ...any) { out = append(out, fmt.Sprintf(format, v...)) }
	for i := 1; i < len(s.opens); i++ {
		if apart := s.opens[i].Sub(s.opens[i-1]); apart < openGap && !s.anew[i] {
			wrong("socket %d was opened %s after the one before", i+1, apart)
		}
	}
	for _, c := range s.calls {
		for _, text := range c.words() {
			if call := calls(text); call != "" && !strings.HasPrefix(c.Method, "views.") { // a view calls nobody
				wrong("%s has %q", c.Method, call)
			}
			for token := range s.tokens {
				if strings.Contains(text, token) {
					wrong("%s has a token in what people read", c.Method)
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, m := range s.messages {
		if !m.Mine() || m.Deleted || len(m.Metadata) == 0 {
			continue
		}
		key := m.Channel + " " + string(m.Metadata)
		if seen[key] {
			wrong("%s stands twice in %s", m.Metadata, m.Channel)
		}
		seen[key] = true
	}
	return append(out, s.complaints...)
}

// Anew says that the program is started anew: it cannot know when it last opened a socket.
func (s *Server) Anew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.anew[len(s.opens)] = true
}

// Unfinished returns what people still see as under way: threads with a status, and
// streams. Once all work is done there is nothing of it.
func (s *Server) Unfinished() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for thread, v := range s.sessions {
		if v.status == "processing" || v.shown != "" {
			out = append(out, fmt.Sprintf("%s is still %q%s", thread, v.status, v.shown))
		}
	}
	for m, st := range s.streams {
		if st != nil && m.Streaming == Streaming && !m.Deleted {
			out = append(out, fmt.Sprintf("the stream %s in %s is still open", m.TS, m.Channel))
		}
	}
	slices.Sort(out)
	return out
}

// wordArgs are the arguments in which a call has words for people.
var wordArgs = []string{"text", "markdown_text", "initial_comment", "blocks", "attachments", "chunks", "view", "body"}

// words are the texts of a call in which Slack reads markup.
func (c Call) words() []string {
	var out []string
	for _, name := range wordArgs {
		v := c.Args[name]
		if v == "" {
			continue
		}
		var parsed any
		if name == "text" || name == "markdown_text" || name == "initial_comment" || json.Unmarshal([]byte(v), &parsed) != nil {
			out = append(out, v)
			continue
		}
		out = append(out, marked(parsed)...)
	}
	return out
}

// marked are the strings in a value but for those that Slack shows as they are, and names
// and values that nobody reads.
func marked(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, x := range v {
			out = append(out, marked(x)...)
		}
	case map[string]any:
		kind, _ := v["type"].(string)
		if kind == "broadcast" || kind == "usergroup" {
			return []string{"<!" + kind + ">"}
		}
		if kind == "plain_text" || kind == "raw_text" || kind == "text" {
			return nil
		}
		for key, x := range v {
			if _, name := x.(string); name && (strings.HasSuffix(key, "_id") || key == "value" || key == "private_metadata") {
				continue
			}
			out = append(out, marked(x)...)
		}
	}
	return out
}

// calls is the first thing in a text that calls more than one person.
func calls(text string) string {
	for _, what := range []string{"<!channel", "<!here", "<!everyone", "<!group", "<!subteam", "<!broadcast>", "<!usergroup>"} {
		if strings.Contains(text, what) {
			return what
		}
	}
	return ""
}
