package memory

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A Sign is what the index knows of one fact's words: enough to find it by, and not
// the words themselves.
type Sign struct {
	terms  []counted
	length uint16
	asks   bool // it ends as a question, so what follows may be an answer
	sketch sketch
}

type counted struct {
	term uint32 // hash
	n    uint8
}

// signVersion is raised when terms come to be cut otherwise: what is signed by an
// older one is signed anew.
const signVersion = 1

// signOf reads a fact's words. It is without a sketch if there is no vector.
func signOf(text string, words []string, v *Vector) Sign {
	hashes := make([]uint32, len(words))
	for i, w := range words {
		hashes[i] = hash(w)
	}
	slices.Sort(hashes)
	s := Sign{length: uint16(min(len(words), 1<<16-1))}
	s.asks = strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "吗") || strings.HasSuffix(text, "呢")
	for i := 0; i < len(hashes); {
		j := i + 1
		for j < len(hashes) && hashes[j] == hashes[i] {
			j++
		}
		s.terms = append(s.terms, counted{hashes[i], uint8(min(j-i, 255))})
		i = j
	}
	if v != nil {
		s.sketch = v.sketch()
	}
	return s
}

// Bytes is the Sign as a Store keeps it.
func (s Sign) Bytes() []byte {
	b := make([]byte, 0, 4+len(s.sketch)*8+5*len(s.terms))
	b = append(b, signVersion, 0)
	if s.asks {
		b[1] = 1
	}
	b = binary.LittleEndian.AppendUint16(b, s.length)
	for _, x := range s.sketch {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	for _, t := range s.terms {
		b = append(binary.LittleEndian.AppendUint32(b, t.term), t.n)
	}
	return b
}

// readSign is the way back; false for what was written by another version.
func readSign(b []byte) (Sign, bool) {
	const head = 4 + Dim/8
	if len(b) < head || b[0] != signVersion || (len(b)-head)%5 != 0 {
		return Sign{}, false
	}
	s := Sign{asks: b[1] != 0, length: binary.LittleEndian.Uint16(b[2:]), terms: make([]counted, 0, (len(b)-head)/5)}
	for i := range s.sketch {
		s.sketch[i] = binary.LittleEndian.Uint64(b[4+8*i:])
	}
	for b = b[head:]; len(b) > 0; b = b[5:] {
		s.terms = append(s.terms, counted{binary.LittleEndian.Uint32(b), b[4]})
	}
	return s, true
}
