package router

import (
	"strings"
	"unicode"
)

// A text is seen by the classifier as the hashes of what stands in it: words and
// pairs of words, pieces of words of two to four letters, one to three Chinese
// characters, how it begins and ends, and its frame: the little words alone, with a
// gap for each of the others. The frame is what a text about pizza and one about
// payroll have in common.
const buckets = 1 << 17

// A feature is where the weights of something in a text stand.
type feature uint32

// hash is FNV-1a, kept so that it can go on.
type hash uint32

const hashSeed hash = 2166136261

func (h hash) byte(b byte) hash { return (h ^ hash(b)) * 16777619 }

func (h hash) text(s string) hash {
	for i := range len(s) {
		h = h.byte(s[i])
	}
	return h
}

func (h hash) of() feature {
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 13
	return feature(h & (buckets - 1))
}

// Kinds of features begin their hash with a letter each.
func kindOf(b byte) hash { return hashSeed.byte(b).byte(0) }

func wordFeature(word string) feature { return kindOf('w').text(word).of() }

// featuresOf gives every feature of a text to add.
func featuresOf(text string, w words, give func(feature)) {
	add := func(h hash) { give(h.of()) }
	n := len(w.at)
	frame := make([]string, 0, n+2)
	frame = append(frame, "^")
	for i := range n {
		s := w.word(i)
		han := s[0] >= 0xE0
		give(wordFeature(s))
		if i+1 < n {
			add(kindOf('b').text(w.text[w.at[i]:w.end(i+1)]))
		}
		if han && i+2 < n {
			add(kindOf('t').text(w.text[w.at[i]:w.end(i+2)]))
		}
		if i < 3 {
			add(kindOf('^').text(w.text[:w.end(i)]))
		}
		if i >= n-3 {
			add(kindOf('$').text(w.text[w.at[i]:]))
		}
		switch {
		case han:
			frame = append(frame, s)
		case little[s]:
			frame = append(frame, s)
			pieces(s, add)
		case frame[len(frame)-1] != "_":
			frame = append(frame, "_")
			fallthrough
		default:
			pieces(s, add)
		}
	}
	frame = append(frame, "$")
	for i := range frame {
		h := kindOf('f')
		for j := i; j < len(frame) && j < i+4; j++ {
			h = h.text(frame[j]).byte(' ')
			if j > i {
				add(h)
			}
		}
	}
	add(kindOf('n').byte(size(n)))
	if marks := strings.TrimRightFunc(text, unicode.IsSpace); marks != "" {
		switch end := marks[max(0, len(marks)-3):]; {
		case strings.HasSuffix(end, "?") || end == "？":
			add(kindOf('?'))
		case strings.HasSuffix(end, "!") || end == "！":
			add(kindOf('!'))
		}
	}
}

// pieces adds the pieces of a word, whose ends are pieces too.
func pieces(s string, add func(hash)) {
	s = "<" + s + ">"
	for i := range len(s) {
		h := kindOf('c')
		for j := i; j < len(s) && j < i+5; j++ {
			if h = h.byte(s[j]); j > i+1 && j-i < 5 {
				add(h)
			}
		}
	}
}

// size is how long a text is, roughly.
func size(words int) byte {
	for i, most := range []int{1, 2, 3, 5, 8, 12, 20, 40} {
		if words <= most {
			return byte(i)
		}
	}
	return 255
}

// little are the words that hold sentences together, whatever they are about.
var little = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields(`a an the this that these those some any each every all both no
		i me my mine we us our you your yours he him his she her it its they them their someone anybody everyone
		i'm i'd i've i'll you're you've it's that's there's we're let's what's who's where's how's when's
		am is are was were be been being do does did done doing have has had having will would shall should can could may might must
		don't doesn't didn't can't won't isn't aren't wasn't couldn't wouldn't shouldn't
		what which who whom whose where when why how if whether because so than then as
		of to in on at by for from with without about into over under after before between until since up down out off again
		and or but not nor please thanks hello hi hey yes ok just only also too very really more most much many few there here now
		tell let know want need like wanna gotta`) {
		m[s] = true
	}
	return m
}()
