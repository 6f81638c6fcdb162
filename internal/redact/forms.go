package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Configured is the kind of a value that a Redactor was made for.
const Configured = "configured"

// A form is one way in which a value is written.
type form struct {
	text  string
	whole bool // only as a word of its own
}

// Lengths of values: from sure on one is looked for anywhere, from word on as a word of
// its own. announced is how much of a form is in the net; the rest is compared.
const (
	sure      = 8
	word      = 6
	announced = 16
)

func (f form) probe() probe {
	head := f.text[:min(len(f.text), announced)]
	return probe{literal: lower(head), exact: head, solid: isSolid(f.text), look: func(s *scan, from, _ int) {
		to := from + len(f.text)
		if !s.has(from, f.text) || f.whole && (!s.begins(from) || members[letters][s.at(to)] || s.at(to) == '_') {
			return
		}
		s.add(from, from, to, Configured)
	}}
}

func isSolid(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return r <= ' ' || r > '~' })
}

// lower folds ASCII alone, so that no byte moves.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c - 'A' + 'a'
		}
	}
	return string(b)
}

// formsOf returns all forms of values, each once.
func formsOf(values []string) []form {
	var all []form
	seen := map[string]bool{}
	add := func(text string, whole bool) {
		if !seen[text] {
			seen[text] = true
			all = append(all, form{text, whole})
		}
	}
	for _, v := range values {
		for _, p := range piecesOf(v) {
			switch {
			case len(p) < word, trivial[strings.ToLower(p)]:
			case len(p) < sure:
				if plainWord(p) {
					continue
				}
				add(p, true)
				for _, f := range written(p) {
					if len(f) >= sure { // encoded, it is no word that only happens to be the same
						add(f, false)
					}
				}
			default:
				for _, f := range written(p) {
					add(f, false)
				}
			}
		}
	}
	return all
}

// trivial are what a server is delivered with: no secrets, and words of everybody.
var trivial = map[string]bool{
	"postgres": true, "password": true, "changeme": true, "mariadb": true, "hermes": true, "default": true, "anonymous": true, "localhost": true,
}

func plainWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !isLetter(r) })
}

var (
	keyed  = regexp.MustCompile(`(?i)(?:^|[\s;?&])(?:password|passwd|pwd|sslpassword)\s*=\s*('(?:[^'\\]|\\.)*'|"[^"]*"|[^\s;&]+)`)
	tcpDSN = regexp.MustCompile(`^[^:@/\s]*:(.*)@(?:tcp|unix|udp)?\(`)
	// located is the address of something: what is secret of it is the password.
	located = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*://|^file:|(?:^|[\s;])(?:host|server|data source|dbname|database)\s*=`)
)

// piecesOf are the parts of a value that are secret each by itself: of an address its
// password, of a text of several lines the long ones.
func piecesOf(v string) []string {
	v = strings.TrimSpace(v)
	var pieces []string
	if m := tcpDSN.FindStringSubmatch(v); m != nil {
		return []string{m[1]}
	}
	if located.MatchString(v) {
		pieces = append(pieces, urlPassword(v)...)
		for _, m := range keyed.FindAllStringSubmatch(v, -1) {
			p := strings.Trim(m[1], `'"`)
			pieces = append(pieces, p)
			if plain, err := url.QueryUnescape(p); err == nil && plain != p {
				pieces = append(pieces, plain)
			}
		}
		return pieces
	}
	pieces = append(pieces, v)
	if strings.Contains(v, "\n") {
		for l := range strings.Lines(v) {
			if l = strings.TrimSpace(l); len(l) >= 2*sure && !strings.HasPrefix(l, "-----") {
				pieces = append(pieces, l)
			}
		}
	}
	return pieces
}

// urlPassword is the password of a URL as it stands there and as it is meant. One that
// is the name of the user is none.
func urlPassword(v string) []string {
	_, rest, ok := strings.Cut(v, "://")
	if !ok {
		return nil
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		// A password may hold these too where somebody has not escaped them.
		if at := strings.LastIndexByte(rest, '@'); at > i && !strings.Contains(rest[:i], "@") && !strings.Contains(rest[at:], "=") {
			i = len(rest)
		}
		rest = rest[:i]
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 {
		return nil
	}
	user, pass, ok := strings.Cut(rest[:at], ":")
	switch {
	case !ok && len(user) >= 2*sure && mixed(user):
		pass = user // a key in the place of a name
	case !ok, pass == user:
		return nil
	}
	pieces := []string{pass}
	if plain, err := url.PathUnescape(pass); err == nil && plain != pass {
		pieces = append(pieces, plain)
	}
	return pieces
}

// written are the ways to write a value of at least sure bytes.
func written(v string) []string {
	all := []string{v, hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v))), html.EscapeString(v), strings.ReplaceAll(v, "'", "''")}
	for _, e := range []string{url.QueryEscape(v), url.PathEscape(v), everyByte(v)} {
		all = append(all, e, lowerEscapes(e))
	}
	for _, once := range inJSON(v) {
		all = append(all, once, strings.ReplaceAll(once, "/", `\/`))
		all = append(all, inJSON(once)...) // JSON in a string of JSON
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for offset := range 3 {
			// The ends share their bits with what stands beside the value.
			text := enc.EncodeToString(append(make([]byte, offset), v...))
			first, last := (offset*8+5)/6, (offset+len(v))*8/6
			if last-first >= sure {
				all = append(all, text[first:last])
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// inJSON is a text inside a string of JSON, as Go writes it and as most others do.
func inJSON(s string) []string {
	b, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	plain := quoted(s)
	return []string{string(b[1 : len(b)-1]), string(plain[1 : len(plain)-1])}
}

// everyByte is a text with all but letters and digits percent-encoded.
func everyByte(v string) string {
	var b strings.Builder
	for _, c := range []byte(v) {
		if members[letters][c] {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return b.String()
}

var escape = regexp.MustCompile(`%[0-9A-F]{2}`)

func lowerEscapes(s string) string { return escape.ReplaceAllStringFunc(s, strings.ToLower) }
