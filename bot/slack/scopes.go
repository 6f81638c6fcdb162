package slack

import (
	"net/http"
	"slices"
	"strings"
)

// scopesHeader is where Slack says what a token may.
const scopesHeader = "X-OAuth-Scopes"

// grants notes what the bot token may do, if an answer says it.
func (s *Slack) grants(h http.Header) {
	all := scopesOf(h)
	if all == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scopes = all
}

func scopesOf(h http.Header) []string {
	var all []string
	for _, name := range strings.Split(h.Get(scopesHeader), ",") {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// lacks says that the app lacks a scope, as the end of a sentence; nothing if it has
// it, or if nobody knows.
func (s *Slack) lacks(scope string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scopes == nil || slices.Contains(s.scopes, scope) {
		return ""
	}
	return ": the app lacks the scope " + scope
}

// spare is said of a scope of the manifest that no call needs so far.
const spare = "nothing breaks today, though the manifest asks for it"

// needs are the scopes of the manifest, and what is broken without each.
var needs = []struct{ scope, without string }{
	{"app_mentions:read", "who calls it by name in a channel is not heard"},
	{"assistant:write", "the assistant's pane has no suggested prompts and no status"},
	{"channels:history", "what is said in public channels is not heard, and a thread is joined blind"},
	{"channels:read", "no public channel is found by its name, so nothing is posted to one"},
	{"chat:write", "it cannot answer at all"},
	{"commands", "/hermes and the shortcut on messages do nothing"},
	{"files:read", "files that people attach cannot be read"},
	{"files:write", "no charts, sheets or long answers as files"},
	{"groups:history", "what is said in private channels is not heard"},
	{"groups:read", "no private channel is found by its name"},
	{"im:history", "direct messages are not heard"},
	{"im:read", "the conversations of two are not known before somebody writes"},
	{"im:write", "it cannot begin a direct message: commands and notices are not answered"},
	{"mpim:history", "messages of several people are not heard"},
	{"mpim:read", "messages of several people are not known as such"},
	{"reactions:read", spare},
	{"reactions:write", "no reaction shows that it works"},
	{"team:read", spare},
	{"usergroups:read", "nobody is in a user group, so who may decide as a member of one may not"},
	{"users:read", "nobody has a name, a time zone or a standing: guests and strangers cannot be told, so nobody is served"},
}
