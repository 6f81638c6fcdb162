package redact

import (
	"encoding/base64"
	"strings"
	"sync"
)

// Names and values that are also words of prose count where they stand as in a file of
// settings, or where the value is none of prose.

// short takes what stands behind DB_PASS, pass and pw: these are words, and so the value
// must look like none, unless the name is that of a variable.
func short(s *scan, from, end int) {
	word := !members[letters][s.at(from-1)] // compass, bypass
	if !word || members[token][s.at(end)] {
		return
	}
	begin := from
	for begin > 0 && from-begin < 64 && members[dotted][s.text[begin-1]] {
		begin--
	}
	v := valueAt(s, begin, end)
	if v.from == v.to || v.sign == "is" || v.sign == " " || v.sign == ">" || s.marker(v.from) > v.from {
		return
	}
	w := s.text[v.from:min(v.to, v.from+longestValue)]
	if placeholder(w) || v.call || len(w) < 4 {
		return
	}
	variable := from > begin && s.text[from-1] == '_' && v.sign == "="
	if !variable && !unlikeProse(w) {
		return
	}
	s.spans = append(s.spans, span{anchor: begin, from: v.from, to: v.to, kind: "password", quote: v.wrap})
}

// unlikeProse is true of a word of letters and digits, or of either with a sign within.
func unlikeProse(w string) bool {
	return mixed(w) && !strings.ContainsAny(w, "/:") || strings.ContainsAny(w, "0123456789") && strings.ContainsAny(w, "!#$^&*+@") && !strings.ContainsAny(w, "/:")
}

// told takes the value of "my password hunter2".
func told(s *scan, from, end int) {
	at := end
	for _, w := range []string{"password ", "passwort ", "kennwort ", "passphrase ", "passcode ", "pin "} {
		if len(s.text)-at >= len(w) && lower(s.text[at:at+len(w)]) == w {
			at += len(w)
			to := s.before(s.run(bare, at), at, ".!?:*")
			if w := s.text[at:to]; s.begins(from) && len(w) >= 4 && unlikeProse(w) && !placeholder(w) && s.marker(at) == at {
				s.add(from, at, to, "password")
			}
			return
		}
	}
}

// proseWords are those of which one says that a line is no passphrase.
var proseWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("the a an is are was be been not no must may can will should please to of for in on at it this that your my our their and or if when how see use used has have do does change reset set enter with from least words characters long required") {
		m[w] = true
	}
	return m
}()

// phrase takes several words behind "passphrase:": four or more, none of prose.
func phrase(s *scan, from, end int) {
	v := valueAt(s, from, end)
	if v.sign != ":" && v.sign != "=" && v.sign != "is" || v.quoted || v.from == v.to || s.marker(v.from) > v.from {
		return
	}
	to, words := v.from, 0
	for words < 16 && to < len(s.text) {
		next := to
		for members[token][s.at(next)] {
			next++
		}
		w := lower(s.text[to:next])
		if w == "" || proseWords[w] {
			break
		}
		words++
		if s.at(next) != ' ' || !members[token][s.at(next+1)] {
			to = next
			break
		}
		to = next + 1
	}
	if words >= 4 && (to == len(s.text) || strings.IndexByte("\n\r.,;!\"'`)}", s.at(to)) >= 0) {
		s.add(from, v.from, to, "password")
	}
}

// encodings are what known tokens begin with in base64, from the beginning of a word.
var encodings = []string{
	"eG94Y", "eG94c", "eGFwcC0", "c2stYW50L", "c2stcHJva", "Z2hwX", "Z2hvX", "Z2hzX", "Z2l0aHViX3BhdF", "Z2xwYXQt", "QUtJQ", "QVNJQ", "LS0tLS1CRUdJTi",
	"c2tfbGl2ZV", "bnBtX", "QUl6Y",
}

// longestEncoded is how much of a word in base64 is read.
const longestEncoded = 8192

// encoded takes a word that is a known secret once it is read as base64.
func encoded(s *scan, from, _ int) {
	if !s.begins(from) {
		return
	}
	to := s.run(base64s, from)
	w := strings.TrimRight(s.text[from:min(to, from+longestEncoded)], "=")
	if len(w) < 20 {
		return
	}
	w = strings.NewReplacer("-", "+", "_", "/").Replace(w)
	plain, err := base64.RawStdEncoding.DecodeString(w[:len(w)-len(w)%4])
	if err == nil && shaped(string(plain)) {
		s.add(from, from, to, "base64-secret")
	}
}

// prefixes is the net of what a text in base64 is looked through for.
var prefixes = sync.OnceValue(func() *net { return weave(prefixed()) })

// shaped reports whether a text has a known shape.
func shaped(text string) bool {
	inner := &scan{text: text}
	prefixes().each(text, func(p *probe, end int) {
		if from := end - len(p.literal); p.exact == "" || text[from:end] == p.exact {
			p.look(inner, from, end)
		}
	})
	return len(inner.spans) > 0
}

// loose are the probes of these.
func loose() []probe {
	var all []probe
	for _, n := range []string{"pass", "pw"} {
		all = append(all, probe{literal: n, look: short})
	}
	for _, n := range []string{"my ", "mein ", "the wifi ", "the admin ", "the root "} {
		all = append(all, probe{literal: n, look: told})
	}
	for _, n := range []string{"passphrase", "pass phrase", "recovery phrase", "seed phrase"} {
		all = append(all, probe{literal: n, look: phrase})
	}
	for _, e := range encodings {
		all = append(all, probe{literal: lower(e), exact: e, solid: true, look: encoded})
	}
	return all
}
