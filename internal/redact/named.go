package redact

import (
	"strings"
	"unicode/utf8"
)

// A name announces a secret if a sign and a value follow it.
type name struct {
	kind  string
	words []string
	// sure says that what follows is a secret whatever it looks like; else it must
	// look like one too.
	sure bool
}

var names = []name{
	{"password", []string{"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "pwd", "密码", "口令"}, true},
	{"api-key", []string{"api_key", "api-key", "apikey", "api key", "accountkey", "account_key", "sharedaccesskey", "auth_key", "authkey"}, true},
	{"secret", []string{
		"secret_key", "secret-key", "secretkey", "secret key", "secret_access_key", "secretaccesskey", "client_secret", "client-secret", "clientsecret", "client secret",
		"signing_secret", "signing-secret", "signingsecret", "signing secret", "app_secret", "appsecret", "private_key", "private-key", "privatekey", "encryption_key",
		"access_key", "accesskey", "access key", "密钥",
	}, true},
	{"token", []string{"access_token", "refresh_token", "auth_token", "bot_token", "id_token", "session_token", "accesstoken", "authtoken"}, true},
	{"secret", []string{"secret", "credential", "credentials"}, false},
	{"token", []string{"token", "令牌"}, false},
}

// Named returns the kind of secret that a column, a field or a variable of that name
// holds, or nothing.
func Named(column string) string {
	column = strings.ToLower(strings.TrimSpace(column))
	for _, n := range names {
		if !n.sure {
			continue
		}
		for _, w := range n.words {
			if strings.HasSuffix(strings.ReplaceAll(column, " ", "_"), strings.ReplaceAll(w, " ", "_")) {
				return n.kind
			}
		}
	}
	switch column {
	case "secret", "token":
		return column
	}
	return ""
}

// named are the probes of named values.
func named() []probe {
	var all []probe
	for _, n := range names {
		for _, w := range n.words {
			all = append(all, probe{literal: w, look: func(s *scan, from, end int) { assigned(s, from, end, n) }})
		}
	}
	return append(all,
		probe{literal: "authorization", look: authorization},
		probe{literal: "cookie:", look: cookie},
	)
}

// assigned looks for a value after the name that stands at from.
func assigned(s *scan, from, end int, n name) {
	// Two digits may follow: PASSWORD2.
	for i := 0; i < 2 && members[digits][s.at(end)]; i++ {
		end++
	}
	if members[token][s.at(end)] {
		return // another word: password_hash, tokens
	}
	begin := from
	for begin > 0 && from-begin < 64 && members[dotted][s.text[begin-1]] {
		begin--
	}
	v := valueAt(s, begin, end)
	if v.from == v.to || s.marker(v.from) > v.from {
		return
	}
	if !v.secret(s, n.sure) || strings.HasSuffix(lower(s.text[from:end]), "pwd") && s.at(v.from) == '/' { // the folder of a shell
		return
	}
	s.spans = append(s.spans, span{anchor: begin, from: v.from, to: v.to, kind: n.kind, quote: v.wrap})
}

// A value is what stands after a name and a sign.
type value struct {
	from, to int
	sign     string // = : is > or a blank
	quoted   bool
	last     bool   // of its line, or before a sign that ends a value
	call     bool   // it is code that fetches one
	wrap     string // quotes that the marker needs, so that JSON stays JSON
}

// valueAt reads name="value" in the ways of many languages. The name stands from begin
// to end.
func valueAt(s *scan, begin, end int) (v value) {
	i, nameQuote := end, ""
	for _, q := range []string{`\"`, `"`, "'", "`", "**", "*"} {
		if s.has(i, q) {
			nameQuote = q
			i += len(q)
			break
		}
	}
	i = blanks(s, i)
	switch rest := s.text[i:]; {
	case strings.HasPrefix(rest, ":="), strings.HasPrefix(rest, "=>"), strings.HasPrefix(rest, "=="):
		v.sign, i = "=", i+2
	case strings.HasPrefix(rest, "="), strings.HasPrefix(rest, ":"):
		v.sign, i = rest[:1], i+1
	case strings.HasPrefix(rest, "＝"), strings.HasPrefix(rest, "："):
		v.sign, i = ":", i+3
	case strings.HasPrefix(rest, "是"), strings.HasPrefix(rest, "为"):
		v.sign, i = "is", i+3
	case i > end && strings.HasPrefix(rest, "is "):
		v.sign, i = "is", i+3
	case strings.HasPrefix(rest, "%3D"), strings.HasPrefix(rest, "%3d"), strings.HasPrefix(rest, "%3A"), strings.HasPrefix(rest, "%3a"):
		v.sign, i = "=", i+3
	case s.at(end) == '>' && s.at(begin-1) == '<':
		v.sign, i = ">", end+1
	case i > end && s.has(begin-2, "--"), i > end && strings.HasPrefix(s.text[begin:end], "--"):
		v.sign = " "
	default:
		return v
	}
	if s.has(i, "**") { // **Password:** x
		i += 2
	}
	i = blanks(s, i)
	for _, q := range []string{`\"`, `"`, `\'`, "'", "`"} {
		if s.has(i, q) {
			if to := closing(s, i+len(q), q); to > 0 {
				return value{from: i + len(q), to: to, sign: v.sign, quoted: true}
			}
			i += len(q)
			break
		}
	}
	v.from = i
	c := bare
	if v.sign == "is" || s.at(end-1) >= 0x80 {
		c = solid // 密码是 X&3
	}
	if v.sign == "=" && (begin == 0 || s.text[begin-1] == '\n' || s.has(begin-7, "export ")) && i == end+1 {
		c = solid // a file of variables: the value goes to the blank
	}
	v.to = s.run(c, i)
	v.call = isCall(s.text[i:min(len(s.text), v.to+1)])
	if c == solid {
		v.to = i + beforePair(s.text[i:min(v.to, i+longestValue)], v.to-i)
	}
	if to := v.from + firstForeign(s.text[v.from:min(v.to, v.from+4096)]); to < v.to {
		v.to = to
	}
	ends := ".!?:*"
	if c == solid && v.sign != "=" {
		ends += ",;()[]{}<>"
	}
	if to := s.before(v.to, v.from, ends); to > v.from {
		v.to = to
	}
	next := s.at(v.to)
	v.last = v.to == len(s.text) || next == '\n' || next == '\r' || strings.IndexByte(`,;}"'`, next) >= 0
	if (nameQuote == `"` || nameQuote == `\"`) && v.sign == ":" {
		v.wrap = nameQuote
	}
	return v
}

// isCall reports whether a value is code that fetches one: f(x).
func isCall(w string) bool {
	f, _, ok := strings.Cut(w, "(")
	return ok && f != "" && !strings.ContainsFunc(f, func(r rune) bool { return !isLetter(r) && r != '_' && r != '.' && (r < '0' || r > '9') }) &&
		(strings.HasSuffix(w, ")") || strings.HasSuffix(w, "("))
}

// beforePair is the length of a value of n bytes, or how much of it stands before the
// next pair of a form: &name=.
func beforePair(w string, n int) int {
	for at := 0; ; {
		i := strings.IndexByte(w[at:], '&')
		if i < 0 {
			return n
		}
		at += i + 1
		if rest := strings.TrimLeftFunc(w[at:], func(r rune) bool { return isLetter(r) || r == '_' }); strings.HasPrefix(rest, "=") && len(rest) < len(w)-at {
			return at - 1
		}
	}
}

// blanks returns the place after a few blanks.
func blanks(s *scan, i int) int {
	for n := 0; n < 8 && (s.at(i) == ' ' || s.at(i) == '\t'); n++ {
		i++
	}
	return i
}

// longestValue is how long a value in quotes may be.
const longestValue = 4096

// closing returns the place of the quote that ends a value, or 0.
func closing(s *scan, i int, q string) int {
	for stop := min(len(s.text), i+longestValue); i < stop; i++ {
		switch {
		case s.has(i, q):
			return i
		case s.text[i] == '\n':
			return 0
		case s.text[i] == '\\' && len(q) == 1:
			i++
		}
	}
	return 0
}

// firstForeign is where a value of ASCII goes over into words without a blank, as
// Chinese does.
func firstForeign(w string) int {
	if r, _ := utf8.DecodeRuneInString(w); r >= 0x2e80 {
		if i := strings.IndexAny(w, "，。；、）】」！？："); i >= 0 {
			return i
		}
		return len(w)
	}
	for i, r := range w {
		if r >= 0x2e80 {
			return i
		}
	}
	return len(w)
}

// secret judges a value by what it looks like, its sign, and how sure its name is.
func (v value) secret(s *scan, sure bool) bool {
	w := s.text[v.from:min(v.to, v.from+longestValue)]
	if placeholder(w) || v.call {
		return false
	}
	if !sure {
		return random(w)
	}
	switch {
	case v.quoted, v.sign == ">":
		return len(w) > 0
	case len(w) == 3 && v.sign != "=" && strings.ContainsAny(w, "0123456789") && strings.ContainsAny(w, "!#$^&*+@"):
		return true // X&3
	case len(w) < 4:
		return false
	case !plainWord(w):
		// 密码 is followed by anything; a word of Chinese is none.
		r, _ := utf8.DecodeRuneInString(w)
		return r < 0x2e80
	case v.sign == "=":
		return true
	}
	// Prose: "password: please change it", "the password is wrong".
	return v.sign == ":" && v.last && len(w) >= sure8
}

// sure8 is from how many letters on a plain word after a colon is no word of prose.
const sure8 = 6

// random reports whether a word looks drawn by lot: a long part of it is mixed.
func random(w string) bool {
	if len(w) < sure {
		return false
	}
	for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == '/' || r == ':' }) {
		if len(part) >= sure && mixed(part) {
			return true
		}
	}
	return len(w) >= 20 && mixed(w) && !strings.ContainsAny(w, "/:")
}

// placeholder reports whether a value stands for one: <password>, ${PASSWORD}, null.
func placeholder(w string) bool {
	low := strings.ToLower(w)
	for _, p := range []string{open, "<", "${", "$(", "{{", "{", "%(", "os.", "process.", "env.", "env[", "getenv", "config.", "cfg.", "self.", "this.", "var.", "secrets.", "vault:", ":", "@", "&"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	if rest, ok := strings.CutPrefix(w, "$"); ok && !strings.ContainsFunc(rest, func(r rune) bool { return !isLetter(r) && r != '_' && (r < '0' || r > '9') }) {
		return true
	}
	if strings.Trim(low, "*•x.…-_?") == "" {
		return true
	}
	if strings.HasSuffix(low, "…") || strings.HasSuffix(low, "...") {
		return true
	}
	if strings.Contains(low, "your") && strings.ContainsFunc(low, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }) {
		return true
	}
	return ordinary[low]
}

// ordinary are words that stand where a secret may, and are none.
var ordinary = map[string]bool{
	"null": true, "none": true, "nil": true, "true": true, "false": true, "undefined": true, "empty": true, "unset": true, "n/a": true,
	"required": true, "optional": true, "missing": true, "invalid": true, "expired": true, "wrong": true, "incorrect": true, "changed": true, "reset": true,
	"string": true, "text": true, "bytes": true, "varchar": true, "integer": true, "boolean": true, "secret": true, "redacted": true, "[secret]": true, "hidden": true, "masked": true,
	"forgotten": true, "unknown": true, "protected": true, "encrypted": true, "hashed": true, "see": true, "here": true, "below": true,
}

// authorization takes what stands behind the word of the scheme.
func authorization(s *scan, from, end int) {
	v := valueAt(s, from, end)
	if v.sign == "" || v.sign == "is" || v.from == v.to {
		return
	}
	at := v.from
	for _, scheme := range []string{"bearer ", "basic ", "token ", "apikey ", "api-key ", "negotiate ", "ntlm ", "bot "} {
		if len(s.text)-at >= len(scheme) && lower(s.text[at:at+len(scheme)]) == scheme {
			at += len(scheme)
			break
		}
	}
	to := s.run(opaque, at)
	to = s.before(to, at, ".")
	w := s.text[at:min(to, at+judged)]
	if len(w) >= 6 && !placeholder(w) && (at > v.from || random(w)) && (numbered(w) || len(w) >= 16) {
		s.add(from, at, to, "authorization")
	}
}

// cookie takes all cookies of a header.
func cookie(s *scan, from, end int) {
	at := blanks(s, end)
	stop := min(s.run(line, at), at+longestValue)
	if n := strings.IndexAny(s.text[at:stop], "\"'\\`"); n >= 0 {
		stop = at + n
	}
	if w := s.text[at:stop]; len(w) >= sure && strings.Contains(w, "=") && s.marker(at) == at {
		s.add(from, at, stop, "cookie")
	}
}
