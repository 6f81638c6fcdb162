package redact

import (
	"strings"
	"unicode/utf8"
)

// A Stream takes secrets out of a text that comes in pieces. A secret that is cut by
// the end of a piece is held back until it is whole: never more than held bytes and the
// longest configured value, and of words that announce none only the last.
//
// A Stream is for one text and one goroutine.
type Stream struct {
	r    *Redactor
	emit func(string)
	buf  string
	next int   // length at which buf is looked at again
	eats class // what is left of a secret too long to be held; 0 (digits) with on false
	on   bool
}

// Bytes that a Stream holds back: usually, since a name and its value are closer, and at
// most, for a word that does not end.
const (
	held     = 160
	step     = 32 // by how much it grows before it is looked at again
	mostHeld = 16 << 10
)

// NewStream returns a Stream that gives what is safe to emit. emit is called from Write
// and Close alone, with pieces that are not empty.
func (r *Redactor) NewStream(emit func(string)) *Stream { return &Stream{r: r, emit: emit} }

// Write takes the next piece.
func (s *Stream) Write(piece string) {
	if s.on {
		if piece = s.eat(piece); s.on {
			return
		}
	}
	s.buf += piece
	if cut := s.plain(); cut > 0 {
		s.say(s.r.Text(s.buf[:cut]))
		s.buf, s.next = s.buf[cut:], 0
		return
	}
	if len(s.buf) < max(s.margin()+step, s.next) {
		return
	}
	defer func() { s.next = len(s.buf) + max(step, len(s.buf)/8) }()
	s.settle()
	cut := s.cut()
	if cut <= 0 {
		s.overflow()
		return
	}
	s.say(s.buf[:cut])
	s.buf = s.buf[cut:]
}

// Close gives out the rest.
func (s *Stream) Close() {
	s.say(s.r.Text(s.buf))
	s.buf, s.on = "", false
}

func (s *Stream) say(text string) {
	if text != "" {
		s.emit(text)
	}
}

// settle replaces the secrets that are whole.
func (s *Stream) settle() {
	spans := s.r.find(s.buf)
	for len(spans) > 0 && spans[len(spans)-1].to >= len(s.buf)-s.margin() {
		spans = spans[:len(spans)-1]
	}
	if len(spans) > 0 {
		s.buf = apply(s.buf, spans)
	}
}

// margin is how much at the end may still become part of something.
func (s *Stream) margin() int {
	if s.r == nil {
		return held
	}
	return max(held, min(s.r.longest, mostHeld/2))
}

// cut returns how much may be given out: up to a blank, before what may be a secret that
// has only begun.
func (s *Stream) cut() int {
	safe := len(s.buf) - s.margin()
	for _, f := range s.r.find(s.buf) {
		safe = min(safe, f.anchor)
	}
	if safe <= 0 {
		return 0
	}
	if at := strings.LastIndex(s.buf, "-----BEGIN "); at >= 0 && at < safe && !strings.Contains(s.buf[at:safe], "-----END ") {
		safe = at
	}
	return strings.LastIndexAny(s.buf[:safe], " \n\t") + 1
}

// mostPlain bounds what is read anew with each piece.
const mostPlain = 512

// plain returns how much at the beginning is whole words that announce no secret and go
// on in none. The sign after it is kept: what comes is read by what stands before it.
func (s *Stream) plain() int {
	if len(s.buf) > mostPlain {
		return 0
	}
	if _, seams := unsewn(s.buf); len(seams) > 0 {
		return 0
	}
	r := s.r
	if r == nil {
		r = shapes
	}
	stop, glued := len(s.buf), len(s.buf)
	part := r.net.each(s.buf, func(p *probe, end int) {
		from := end - len(p.literal)
		switch {
		case p.exact != "" && s.buf[from:end] != p.exact:
		case p.solid:
			glued = min(glued, from)
		default:
			stop = min(stop, from)
		}
	})
	stop = min(stop, len(s.buf)-part)
	cut := 0
	for i := stop - 1; i > 0 && cut == 0; i-- {
		if s.buf[i] == ' ' || s.buf[i] == '\t' {
			// A line that has only begun may be the rest of the one before.
			if before := strings.TrimRight(s.buf[:i], " \t>"); !strings.HasSuffix(before, "\n") && !strings.HasSuffix(before, `\n`) {
				cut = i
			}
		}
	}
	// Chinese has no blanks. A password may be written in it, but then a sign says so.
	wide := max(cut, min(stop, glued))
	if n := strings.IndexAny(s.buf[cut:wide], `:@/=\`); n >= 0 {
		wide = cut + n
	}
	for i := wide - 1; i > cut; i-- {
		if utf8.RuneStart(s.buf[i]) {
			if c, n := utf8.DecodeRuneInString(s.buf[i:wide]); c >= 0x2e80 && n > 1 && c != utf8.RuneError {
				return i
			}
		}
	}
	return cut
}

// overflow lets go of what is too long to be held: a secret becomes its marker and the
// rest of its characters is not said; what is none is said as it is.
func (s *Stream) overflow() {
	if len(s.buf) < mostHeld {
		return
	}
	spans := s.r.find(s.buf)
	if n := len(spans); n > 0 && spans[n-1].to == len(s.buf) {
		s.eats, s.on = opaque, true
		if spans[n-1].kind == "private-key" {
			s.eats = key
		}
		s.say(apply(s.buf, spans))
		s.buf = ""
		return
	}
	s.buf = apply(s.buf, spans)
	cut := max(0, len(s.buf)-s.margin())
	if at := strings.LastIndex(s.buf[max(0, cut-longestKind-len(open)):cut], open); at >= 0 {
		cut = max(0, cut-longestKind-len(open)) + at // not through a marker
	}
	s.say(s.buf[:cut])
	s.buf = s.buf[cut:]
}

// eat drops what still belongs to a secret, and returns what comes after it.
func (s *Stream) eat(piece string) string {
	for i := range len(piece) {
		if !members[s.eats][piece[i]] {
			s.on = false
			return piece[i:]
		}
	}
	return ""
}
