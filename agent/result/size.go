package result

import (
	"math"
	"sort"
)

// A size is how much of everything is kept.
type size struct {
	share int // of the parts that a Config names, in thousandths
	runes int // of one text
	keys  int // of one object
	depth int // of objects and arrays in each other
}

// sizes are what is tried for JSON, one after the other, until it fits: first its
// fields get shorter, then its parts fewer, then all of it.
var sizes = steps()

func steps() []size {
	full := size{1000, math.MaxInt, 200, 32}
	out := []size{full}
	step := func(change func(*size)) {
		next := out[len(out)-1]
		change(&next)
		out = append(out, next)
	}
	for _, n := range []int{1500, 1000, 700, 500, 350, 250, 180, 120, 80} {
		step(func(s *size) { s.runes = min(s.runes, n) })
	}
	for share := 1000; share > 15; share = share * 4 / 5 {
		step(func(s *size) { s.share = share })
	}
	for _, n := range []int{100, 50, 25, 12, 6, 3, 1} {
		step(func(s *size) { s.share, s.keys, s.runes, s.depth = 1, n, min(s.runes, 20+n), min(s.depth, 1+n/2) })
	}
	return out
}

// first returns the first of n tries that fits, or false. What a try leaves behind is
// that of the one returned: it is the last.
func first(n int, try func(int) (string, bool)) (string, int, bool) {
	if n > 0 {
		if text, ok := try(0); ok { // most results fit as they are
			return text, 0, true
		}
	}
	last, said := -1, ""
	i := sort.Search(n, func(i int) bool {
		if i == 0 {
			return false
		}
		text, ok := try(i)
		last, said = i, text
		return ok
	})
	if i == n {
		return "", n, false
	}
	if i != last {
		said, _ = try(i)
	}
	return said, i, true
}
