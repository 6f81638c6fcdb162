package slack

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A fence is an open block of code; the zero fence is none.
type fence struct {
	indent int    // spaces before its marks; what marks a list item counts as such
	mark   string // the run of marks
	info   string // what stands after them: the language
}

// items are the marks of list items at the head of a line: a fence may follow them.
var items = regexp.MustCompile(`^ *(?:(?:[-*+]|\d{1,9}[.)]) +)*`)

// deepest is how far a fence is indented at most where no list item is around it.
const deepest = 3

func (f fence) open() bool { return f.mark != "" }

// after is the fence that is open after a line, if f was before it.
func (f fence) after(line string) fence {
	t := strings.TrimLeft(line, " ")
	if f.open() {
		mark := marks(t)
		if len(line)-len(t) <= f.indent+deepest && strings.HasPrefix(mark, f.mark) && strings.TrimSpace(t) == mark {
			return fence{}
		}
		return f
	}
	indent := len(items.FindString(line))
	mark := marks(line[indent:])
	info := line[indent+len(mark):]
	if mark == "" || mark[0] == '`' && strings.Contains(info, "`") {
		return fence{} // the latter is code within a line
	}
	return fence{indent, mark, info}
}

// marks is the run of marks of a fence with which t begins.
func marks(t string) string {
	for _, c := range []string{"`", "~"} {
		if run := len(t) - len(strings.TrimLeft(t, c)); run >= 3 {
			return t[:run]
		}
	}
	return ""
}

// head opens the fence once more at the head of a part of n characters, foot closes
// it at the end of one.
func (f fence) head(n int) string {
	s := strings.Repeat(" ", f.indent) + f.mark + f.info
	if utf8.RuneCountInString(s) > n/4 {
		s = strings.Repeat(" ", f.indent) + f.mark // so long a word is no language
	}
	return s
}

func (f fence) foot() string { return strings.Repeat(" ", f.indent) + f.mark }

// alone is the fence in a part that has nothing of what was around it: there it stands
// no deeper than it may, and its lines come up with it.
func (f fence) alone() fence {
	f.indent = min(f.indent, deepest)
	return f
}

// lift takes from a line of code the spaces by which its fence has come up.
func lift(line string, by int) string {
	for ; by > 0 && strings.HasPrefix(line, " "); by-- {
		line = line[1:]
	}
	return line
}
