package slack

import (
	"regexp"
	"strings"
)

// token is a reference in a text of Slack's: <@U1>, <#C1|sales>, <!here>,
// <https://…|words>. What a person typed as < is &lt; there.
var token = regexp.MustCompile(`<([^<>]*)>`)

var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// calls reports whether a text calls a user by name.
func calls(text, user string) bool {
	return user != "" && (strings.Contains(text, "<@"+user+">") || strings.Contains(text, "<@"+user+"|"))
}

// plain is a text of Slack's as a person sees it, without the call of our name.
// Tokens are read before anything is unescaped: what looks like one after that was
// typed by somebody.
func (s *Slack) plain(me self, text string) string {
	var b strings.Builder
	at := 0
	for _, m := range token.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(unescape.Replace(text[at:m[0]]))
		at = m[1]
		word := s.token(text[m[2]:m[3]])
		if calls(text[m[0]:m[1]], me.user) {
			word = ""
			if strings.HasSuffix(b.String(), " ") {
				for at < len(text) && text[at] == ' ' {
					at++
				}
			}
		}
		b.WriteString(word)
	}
	b.WriteString(unescape.Replace(text[at:]))
	return strings.TrimSpace(b.String())
}

// token is what a person sees of a reference.
func (s *Slack) token(t string) string {
	ref, label, _ := strings.Cut(t, "|")
	label = unescape.Replace(label)
	switch {
	case strings.HasPrefix(ref, "@"):
		if name, _ := s.people.known(ref[1:]); label == "" && name != "" {
			label = name
		}
		return either(label, "@"+strings.TrimPrefix(label, "@"), "<"+ref+">")
	case strings.HasPrefix(ref, "#"):
		if label == "" {
			label = s.rooms.nameOf(ref[1:])
		}
		return either(label, "#"+strings.TrimPrefix(label, "#"), "<"+ref+">")
	case strings.HasPrefix(ref, "!subteam^"):
		return either(label, "@"+strings.TrimPrefix(label, "@"), "@group")
	case strings.HasPrefix(ref, "!date^"):
		return label
	case strings.HasPrefix(ref, "!"):
		return "@" + either(label, strings.TrimPrefix(label, "@"), ref[1:])
	}
	url := unescape.Replace(ref)
	bare := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(url, "mailto:"), "https://"), "http://")
	switch {
	case strings.HasPrefix(url, "mailto:"):
		return bare
	case label == "", label == url, label == bare:
		// Slack makes a link of every "example.com"; the person wrote no more.
		return either(label, label, url)
	}
	return "[" + label + "](" + url + ")"
}

func either(test, yes, no string) string {
	if test != "" {
		return yes
	}
	return no
}

// silent takes from a text, in code and in prose alike, what would call somebody, by a
// space that nobody sees.
var silent = strings.NewReplacer("<!", "<\u200b!", "<@", "<\u200b@")

// cut shortens a text to n characters.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// scrub takes what is secret out of a text.
func scrub(text, secret string) string {
	if secret == "" {
		return text
	}
	return strings.ReplaceAll(text, secret, "…")
}
