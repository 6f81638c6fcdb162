package result

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"hermes/agent/tool"
)

// Places of parts are counted from 0 here, and stand in order.

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func union(a, b []int) []int {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// wantedOf are as many of those that are wanted as leave most of the room to the
// rest.
func wantedOf(wanted []int, most int) []int { return wanted[:min(len(wanted), most/4)] }

// pick takes most of n parts from the ends that a mode names, with some that are
// wanted among them.
func pick(n, most int, mode tool.Truncate, wanted []int) []int {
	if n <= most {
		return upTo(n)
	}
	wanted = wantedOf(wanted, most)
	room := most - len(wanted)
	head, tail := (room+1)/2, room/2
	switch mode {
	case tool.Head:
		head, tail = room, 0
	case tool.Tail:
		head, tail = 0, room
	}
	out := upTo(head)
	for i := n - tail; i < n; i++ {
		out = append(out, i)
	}
	return union(out, wanted)
}

// sample takes most of n parts: the first, the last, and evenly between, with some
// that are wanted among them.
func sample(n, most int, wanted []int) []int {
	if n <= most {
		return upTo(n)
	}
	wanted = wantedOf(wanted, most)
	var out []int
	for room := most - len(wanted); room <= most; room++ {
		even := []int{0}
		for i := 1; i < room; i++ {
			even = append(even, i*(n-1)/(room-1))
		}
		// One that is wanted may be there anyway; then there is room for another.
		if even = union(even, wanted); len(even) > most {
			break
		}
		out = even
	}
	return out
}

// gap is the number, from 1, of the first part that is not among the shown.
func gap(shown []int) int {
	for i, at := range shown {
		if at != i {
			return i + 1
		}
	}
	return len(shown) + 1
}

// ranges are numbers, from 1, as people write them: 1-50, 700.
func ranges(shown []int) string {
	var out []string
	for i := 0; i < len(shown); {
		j := i
		for j+1 < len(shown) && shown[j+1] == shown[j]+1 {
			j++
		}
		if i == j {
			out = append(out, fmt.Sprint(shown[i]+1))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", shown[i]+1, shown[j]+1))
		}
		i = j + 1
	}
	return strings.Join(out, ", ")
}

// joinLines writes the lines that are shown, a mark where some are left out. Each is
// cut after so many characters.
func joinLines(all []string, shown []int, chars int) string {
	var b strings.Builder
	missing := func(from, to int) {
		if from < to {
			b.WriteString(mark("lines %d-%d of %d left out", from+1, to, len(all)) + "\n")
		}
	}
	next := 0
	for _, i := range shown {
		missing(next, i)
		line := all[i]
		if end := runes(line, chars); end < len(line) {
			end = safe(line, end)
			line = line[:end] + mark("%d of %d characters of line %d left out", len([]rune(line[end:])), len([]rune(line)), i+1)
		}
		b.WriteString(line + "\n")
		next = i + 1
	}
	missing(next, len(all))
	return strings.TrimSuffix(b.String(), "\n")
}

// A text that is cut gets a mark, so of a short field nothing is won by cutting off
// less than a mark takes.
const (
	aField = 500
	aMark  = 40
)

// shorten cuts one text to a number of lines, and then to one of characters.
func shorten(s string, mode tool.Truncate, most, chars int, wanted []int) (string, cut) {
	out, c := s, cut{}
	if all := lines(s); len(all) > most && strings.Count(s, "\n") >= most {
		for ; ; most = most * 4 / 5 {
			shown := pick(len(all), most, mode, wanted)
			out, c = joinLines(all, shown, chars), cut{shown: fmt.Sprintf("lines %s of %d", ranges(shown), len(all)), from: gap(shown)}
			if most < 4 || utf8.RuneCountInString(out) <= chars {
				break
			}
		}
	}
	if n := utf8.RuneCountInString(out); n <= chars || chars < aField && n <= chars+aMark {
		return out, c
	}
	n := utf8.RuneCountInString(s)
	switch mode {
	case tool.Tail:
		i := safeFrom(s, runes(s, n-chars))
		left := utf8.RuneCountInString(s[:i])
		return mark("%d of %d characters left out", left, n) + s[i:], cut{shown: fmt.Sprintf("characters %d-%d of %d", left+1, n, n), from: 1}
	default:
		i := cutAt(s, chars)
		kept := utf8.RuneCountInString(s[:i])
		return s[:i] + mark("first %d of %d characters", kept, n), cut{shown: fmt.Sprintf("characters 1-%d of %d", kept, n), from: max(1, len(lines(s[:i])))}
	}
}
