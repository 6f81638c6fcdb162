package redact

import "strings"

// A Stream takes secrets out of a text that comes in pieces. A secret that is cut by
// the end of a piece is held back until it is whole: never more than held bytes and the
// longest configured value.
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
