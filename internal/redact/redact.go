// Package redact takes secrets out of texts: the values that a program was configured
// with, in every form in which they are usually written, and what has the shape of a
// known credential. Text goes in, text comes out; nothing here reads a file, the
// environment or a clock, and so every room may use it.
//
// What stands for a secret is [redacted:kind]. What is taken out:
//
//	configured values   themselves, in base64 (at any offset, so in a header of
//	                    Basic too), percent-encoded, in hex, escaped for JSON and HTML
//	credentials         by what they begin with: tokens of Slack, GitHub, vendors of
//	                    models, clouds and payments, JWTs, private keys, webhooks;
//	                    the common ones in base64 too
//	named values        password=…, DB_PASS=…, "api_key": "…", 密码：…, Authorization: …
//	passwords of URLs   scheme://user:password@host, user:password@tcp(host)
//	and of commands     curl -u user:password, mysql -ppassword
//
// They are found also where characters without a width stand in them; what is known by
// its own characters also where a line ends in it.
//
// What is left alone: everything that only looks random. A UUID, a hash, a trace id, an
// id of Slack, a long number or the base64 of a file is no secret by its looks, and a
// text that loses them is of no use. So there is no rule by entropy: an unnamed random
// word that nobody has configured passes.
//
// A configured value shorter than 6 characters is looked for nowhere, and one shorter
// than 8 only as a word of its own that has a digit or a sign in it: the text would lose
// words that only happen to be the same.
//
// What a newcomer would break: a shape ends where its characters do, is found in one
// pass with what is remembered of it, and never by going back. Texts are megabytes long
// and their authors are not our friends.
package redact

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Redactor takes secrets out of texts. It is safe for concurrent use. The nil
// Redactor knows the shapes and no values.
type Redactor struct {
	net     *net
	longest int // bytes of the longest form of a value
}

// shapes is what a Redactor without values is.
var shapes = New()

// New returns a Redactor for these values beside all shapes. A value that is the address
// of a database or a URL counts by the password in it: the rest is no secret.
func New(values ...string) *Redactor {
	r := &Redactor{}
	probes := slices.Concat(prefixed(), named(), loose(), commanded())
	for _, f := range formsOf(values) {
		r.longest = max(r.longest, len(f.text))
		probes = append(probes, f.probe())
	}
	r.net = weave(probes)
	return r
}

// Marker is what stands for a secret of a kind.
func Marker(kind string) string { return open + kind + "]" }

const open = "[redacted:"

// Text returns s without its secrets; s itself if it has none.
func (r *Redactor) Text(s string) string {
	out, _ := r.Redact(s)
	return out
}

// Redact returns s without its secrets, and their kinds, each once, in the order in
// which they stand; none if s has no secret.
func (r *Redactor) Redact(s string) (string, []string) {
	var kinds []string
	// What one pass leaves may border on a marker and only so be a word of its own;
	// chains of that are short.
	for range passes {
		spans := r.find(s)
		if len(spans) == 0 {
			break
		}
		for _, f := range spans {
			if !slices.Contains(kinds, f.kind) {
				kinds = append(kinds, f.kind)
			}
		}
		s = apply(s, spans)
	}
	return s, kinds
}

const passes = 8

// Has returns the kinds of the secrets in s, or none.
func (r *Redactor) Has(s string) []string {
	_, kinds := r.Redact(s)
	return kinds
}

// Taken returns the kinds of the secrets in s and of those that were taken out of it, or
// none.
func (r *Redactor) Taken(s string) []string {
	s, found := r.Redact(s)
	for i := 0; ; {
		n := strings.Index(s[i:], open)
		if n < 0 {
			return found
		}
		i += n
		if end := (&scan{text: s}).marker(i); end > i {
			if kind := s[i+len(open) : end-1]; !slices.Contains(found, kind) {
				found = append(found, kind)
			}
		}
		i += len(open)
	}
}

// Bytes is Text for what may be no text. In bytes that are no UTF-8, such as a picture,
// only configured values are looked for, and each becomes as many asterisks.
func (r *Redactor) Bytes(b []byte) []byte {
	if utf8.Valid(b) {
		s := string(b)
		if out := r.Text(s); out != s {
			return []byte(out)
		}
		return b
	}
	var out []byte
	for _, f := range r.find(string(b)) {
		if f.kind != Configured {
			continue
		}
		if out == nil {
			out = bytes.Clone(b)
		}
		copy(out[f.from:f.to], strings.Repeat("*", f.to-f.from))
	}
	if out == nil {
		return b
	}
	return out
}

// A span is a secret in a text. What it is known by begins at anchor.
type span struct {
	anchor, from, to int
	kind             string
	quote            string // stands around the marker on both sides
}

// find returns the secrets of s, in order and apart from each other.
func (r *Redactor) find(s string) []span {
	if len(s) < shortest {
		return nil
	}
	whole := r.scan(s)
	if sewn := r.across(s); len(sewn) > 0 {
		return apart(append(whole, sewn...))
	}
	return whole
}

// scans are lent out, since nearly every text is short and has nothing in it.
var scans = sync.Pool{New: func() any { return new(scan) }}

func (r *Redactor) scan(s string) []span {
	sc, _ := scans.Get().(*scan)
	*sc = scan{text: s}
	defer func() {
		*sc = scan{}
		scans.Put(sc)
	}()
	return r.into(sc)
}

// into is a scan that the caller has made.
func (r *Redactor) into(sc *scan) []span {
	if r == nil {
		r = shapes
	}
	s := sc.text
	r.net.each(s, func(p *probe, end int) {
		from := end - len(p.literal)
		if p.exact != "" && s[from:end] != p.exact {
			return
		}
		p.look(sc, from, end)
	})
	return apart(slices.DeleteFunc(sc.spans, sc.marked))
}

// apart orders spans and joins those that overlap.
func apart(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	// Of two that are the same the later has the longer literal, and says more.
	slices.Reverse(spans)
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	out := spans[:1]
	for _, f := range spans[1:] {
		last := &out[len(out)-1]
		if f.from < last.to {
			if f.to > last.to {
				last.to = f.to
			}
			last.anchor = min(last.anchor, f.anchor)
			continue
		}
		out = append(out, f)
	}
	return out
}

// shortest is the least that can be a secret with its name.
const shortest = 6

func apply(s string, spans []span) string {
	var b strings.Builder
	b.Grow(len(s) + 16*len(spans))
	at := 0
	for _, f := range spans {
		b.WriteString(s[at:f.from])
		b.WriteString(f.quote + Marker(f.kind) + f.quote)
		at = f.to
	}
	b.WriteString(s[at:])
	return b.String()
}
