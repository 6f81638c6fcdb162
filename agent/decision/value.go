package decision

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// Errors of Value.
var (
	ErrNoJSON  = errors.New("no JSON in the text")
	ErrTooDeep = errors.New("JSON nested deeper than 200")
)

// Value returns the JSON that is found in a text, mended where it is broken. What
// is JSON by the letter comes back as it is, without the white space around it.
// Everything else is mended: taken out of prose and fences, its quotation marks,
// commas and brackets put right. Of several values that are the whole text Value
// makes an array; of several in prose it returns the one that looks most like an
// answer. Numbers keep their digits.
//
// The result is valid JSON, nested no deeper than 200. The error is ErrNoJSON, or
// ErrTooDeep.
func Value(text string) (v json.RawMessage, mended bool, err error) {
	text = strings.TrimSpace(text)
	if end, ok := strict(text, 0); ok && end == len(text) && utf8.ValidString(text) {
		return json.RawMessage(text), false, nil
	}
	thought, answer := aside(text)
	if answer == "" {
		answer = thought
	}
	l := look(answer, nil)
	switch {
	case l.deep:
		return nil, false, ErrTooDeep
	case len(l.finds) == 0:
		return nil, false, ErrNoJSON
	case l.whole && len(l.finds) > 1:
		v = l.all()
		if _, ok := strict(string(v), 0); !ok {
			return nil, false, ErrTooDeep
		}
		return v, true, nil
	}
	return l.best().raw, true, nil
}

// A find is one value in a text.
type find struct {
	raw        json.RawMessage
	start, end int
	mended     bool
	fenced     bool
	line       bool // it begins its line: nothing is said before it
	stand      stand
	open       int // lists that the text never closed, from the outermost
}

// A sight is what there is in a text.
type sight struct {
	text  string // in which the finds have their places: the one looked at, cleaned
	finds []find
	whole bool // there is nothing beside them
	deep  bool // nested too deep: nothing can be said
}

func (l sight) all() json.RawMessage {
	b := []byte{'['}
	for i, f := range l.finds {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, f.raw...)
	}
	return append(b, ']')
}

// best is the first of those that look most like an answer: objects before arrays,
// what is fenced before what is not, what was closed before what was cut off.
func (l sight) best() find {
	best, most := l.finds[0], -1
	for _, f := range l.finds {
		score := 0
		switch {
		case len(f.raw) <= 2:
		case f.raw[0] == '{':
			score = 6
		case f.raw[0] == '[' && bytes.IndexByte(f.raw, '{') > 0:
			score = 4
		case f.raw[0] == '[':
			score = 2
		}
		if f.fenced {
			score += 3
		}
		if f.open == 0 {
			score++
		}
		if score > most {
			best, most = f, score
		}
	}
	return best
}
