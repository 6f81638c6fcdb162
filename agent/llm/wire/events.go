package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"hermes/agent/llm"
)

// maxLine is how long one line of a stream may be: some vendors send all arguments
// of a call in one.
const maxLine = 1 << 20

// An Event is one event of a stream.
type Event struct {
	Name string // may be empty
	Data []byte
}

// events reads server-sent events as leniently as vendors write them: lines end with
// LF, CRLF or CR; empty lines between two events, and after the last, may be missing;
// comments may stand anywhere.
type events struct {
	lines *bufio.Scanner
	begun Event // what is known of the next one
}

func newEvents(r io.Reader) *events {
	e := &events{lines: bufio.NewScanner(&limited{r, maxStream})}
	e.lines.Buffer(nil, maxLine)
	e.lines.Split(lineSplitter())
	return e
}

// lineSplitter ends a line at its CR without waiting for what follows, which may be
// long in coming.
func lineSplitter() bufio.SplitFunc {
	afterCR := false
	return func(data []byte, atEOF bool) (int, []byte, error) {
		skip := 0
		if afterCR && len(data) > 0 {
			afterCR = false
			if data[0] == '\n' {
				skip = 1
			}
		}
		line := data[skip:]
		end := bytes.IndexByte(line, '\n')
		if end >= 0 {
			line = line[:end]
		}
		if cr := bytes.IndexByte(line, '\r'); cr >= 0 {
			afterCR, end, line = true, cr, line[:cr]
		}
		switch {
		case end >= 0:
			return skip + end + 1, line, nil
		case atEOF && len(line) > 0:
			return len(data), line, nil
		}
		return skip, nil, nil
	}
}

func (e *events) next() (Event, error) {
	ev := e.begun
	e.begun = Event{}
	lines := 0 // of data
	if len(ev.Data) > 0 {
		lines = 1
	}
	over := func() bool { return lines == 1 && complete(ev.Data) }
	for e.lines.Scan() {
		line := bytes.TrimPrefix(e.lines.Bytes(), []byte("\ufeff"))
		if len(line) == 0 {
			if len(ev.Data) > 0 {
				return ev, nil
			}
			ev.Name = ""
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			if over() {
				e.begun.Name = string(value)
				return ev, nil
			}
			ev.Name = string(value)
		case "data":
			if over() {
				e.begun.Data = append([]byte(nil), value...)
				return ev, nil
			}
			if len(ev.Data) > 0 {
				ev.Data = append(ev.Data, '\n')
			}
			ev.Data = append(ev.Data, value...)
			lines++
		}
		if len(ev.Data) > MaxAnswer {
			return Event{}, errTooBig
		}
	}
	switch err := e.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return Event{}, fmt.Errorf("%w: a line without an end", llm.ErrGarbled)
	case err != nil:
		return Event{}, err
	case len(ev.Data) > 0:
		return ev, nil
	}
	return Event{}, io.EOF
}

// complete reports whether a line of data says all it has to say, so that what follows
// is another event.
func complete(data []byte) bool {
	return json.Valid(data) || string(data) == "[DONE]"
}

// looksLikeEvents reports whether text is a stream under another name.
func looksLikeEvents(text []byte) bool {
	text = bytes.TrimSpace(text)
	for _, field := range []string{"data:", "event:", ":"} {
		if bytes.HasPrefix(text, []byte(field)) {
			return true
		}
	}
	return false
}

// limited is a reader that fails, and does not merely end, after left bytes.
type limited struct {
	r    io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooBig
	}
	if len(p) > l.left {
		p = p[:l.left]
	}
	n, err := l.r.Read(p)
	l.left -= n
	return n, err
}
