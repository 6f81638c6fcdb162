package redact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A secret may be cut in two by what nobody sees, or by the end of a line where a mail
// or a terminal has wrapped it. It is looked for once more in the text without these
// seams; what is found there goes with the seams in it.

// unseen are characters without a width, that stand within words.
var unseen = []string{"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u180e", "\u200e", "\u200f"}

// breaks are ends of lines: as they are, and as JSON and code write them.
var breaks = []string{"\r\n", "\n", `\r\n`, `\n`}

// Lengths of what a seam may join: a credential is wrapped where it is long.
const (
	leastBefore = 8
	mostBehind  = 512
)

// across returns the secrets of s that seams run through.
func (r *Redactor) across(s string) []span {
	joined, seams := unsewn(s)
	if len(seams) == 0 {
		return nil
	}
	var out []span
	for _, f := range r.scan(joined) {
		i, _ := slices.BinarySearchFunc(seams, f.from, func(m seam, at int) int { return m.at - at })
		for i < len(seams) && seams[i].at <= f.from { // one right before it is not in it
			i++
		}
		if i == len(seams) || seams[i].at >= f.to {
			continue
		}
		if seams[i].line && !wraps(f.kind) {
			continue
		}
		out = append(out, span{anchor: whence(seams, f.anchor, false), from: whence(seams, f.from, false), to: whence(seams, f.to, true), kind: f.kind, quote: f.quote})
	}
	return out
}

// wraps reports whether a secret of a kind is known by its own characters, so that what
// it goes on with in the next line is still it.
func wraps(kind string) bool {
	switch kind {
	case Configured, "jwt", "aws-key", "telegram-token", "discord-token":
		return true
	}
	return slices.ContainsFunc(credentials, func(c credential) bool { return c.kind == kind })
}

// A seam is what was taken out of a text: where it was in what is left, and how many
// bytes were before and in it.
type seam struct {
	at, gone int // gone: all bytes taken out up to and with it
	own      int
	line     bool
}

// whence is the place in the text of a place in what is left of it. A place right at a
// seam lies behind it, unless something ends there.
func whence(seams []seam, at int, ends bool) int {
	gone := 0
	for _, m := range seams {
		if m.at > at || ends && m.at == at {
			break
		}
		gone = m.gone
	}
	return at + gone
}

// unsewn is a text without its seams.
func unsewn(s string) (string, []seam) {
	if !strings.ContainsAny(s, "\n\\") && !strings.ContainsFunc(s, isUnseen) {
		return s, nil
	}
	var b strings.Builder
	var seams []seam
	kept, gone := 0, 0
	cut := func(from, n int, line bool) {
		b.WriteString(s[kept:from])
		kept, gone = from+n, gone+n
		seams = append(seams, seam{b.Len(), gone, n, line})
	}
	run := 0 // characters of a token up to here
	for i := 0; i < len(s); {
		if n := seamAt(s[i:], unseen); n > 0 {
			cut(i, n, false)
			i += n
			continue
		}
		if n := seamAt(s[i:], breaks); n > 0 {
			lead := n
			for lead < n+8 && i+lead < len(s) && (s[i+lead] == ' ' || s[i+lead] == '\t' || s[i+lead] == '>') {
				lead++ // indented, or quoted by a mail
			}
			if run >= leastBefore && tornOff(s[i+lead:]) {
				cut(i, lead, true)
				i += lead
				continue
			}
			run = 0
			i += n
			continue
		}
		if members[opaque][s[i]] || s[i] == ':' {
			run++
		} else {
			run = 0
		}
		i++
	}
	if len(seams) == 0 {
		return s, nil
	}
	b.WriteString(s[kept:])
	return b.String(), seams
}

func seamAt(rest string, all []string) int {
	if c := rest[0]; c >= 0x21 && c < 0x80 && c != '\\' {
		return 0
	}
	for _, u := range all {
		if strings.HasPrefix(rest, u) {
			return len(u)
		}
	}
	return 0
}

func isUnseen(r rune) bool {
	return r > 0x7f && slices.Contains(unseen, string(r))
}

// tornOff reports whether a line begins with what is no word but a piece of something
// longer: letters with digits, or capitals within.
func tornOff(line string) bool {
	n := 0
	for n < len(line) && n < mostBehind && members[opaque][line[n]] {
		n++
	}
	w := line[:n]
	if n < 2 || n == mostBehind {
		return false
	}
	if n < len(line) {
		if r, _ := utf8.DecodeRuneInString(line[n:]); r >= 0x2e80 && !mixed(w) {
			return false
		}
		if line[n] == ':' {
			return false // the name of something
		}
	}
	if mixed(w) {
		return true
	}
	for i := 1; i < n; i++ {
		if upper(rune(w[i])) && w[i-1] >= 'a' && w[i-1] <= 'z' {
			return true
		}
	}
	return n >= 4 && strings.Trim(w, "0123456789") == ""
}
