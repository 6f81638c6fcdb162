package wire

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/agent/llm"
)

// all reads a stream to its end.
func all(r io.Reader) (events []string, err error) {
	e := newEvents(r)
	for {
		ev, err := e.next()
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return events, err
		}
		events = append(events, ev.Name+"|"+string(ev.Data))
	}
}

func TestEvents(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"LF":                                 {"data: 1\n\ndata: 2\n\n", []string{"|1", "|2"}},
		"CRLF":                               {"data: 1\r\n\r\ndata: 2\r\n\r\n", []string{"|1", "|2"}},
		"CR":                                 {"data: 1\r\rdata: 2\r\r", []string{"|1", "|2"}},
		"no space":                           {"data:1\n\n", []string{"|1"}},
		"one space is the protocol's":        {"data:  1 \n\n", []string{"| 1 "}},
		"names":                              {"event: a\ndata: 1\n\ndata: 2\n\n", []string{"a|1", "|2"}},
		"what is complete waits for no name": {"data: 1\nevent: a\n\n", []string{"|1"}},
		"a name without data":                {"event: a\n\ndata: 1\n\n", []string{"|1"}},
		"several lines of data":              {"data: {\"a\":\ndata: 1}\n\n", []string{"|{\"a\":\n1}"}},
		"comments anywhere":                  {": hi\ndata: {\"a\":\n: hi\ndata: 1}\n:\n\n:\n\n", []string{"|{\"a\":\n1}"}},
		"other fields":                       {"id: 7\nretry: 10\ndata: 1\nnonsense\n\n", []string{"|1"}},
		"no empty line at the end":           {"data: 1\n\ndata: 2\n", []string{"|1", "|2"}},
		"no end of line at the end":          {"data: 1\n\ndata: 2", []string{"|1", "|2"}},
		"no empty line between":              {"data: {}\ndata: [DONE]\n", []string{"|{}", "|[DONE]"}},
		"no empty line between, and names":   {"event: a\ndata: {}\nevent: b\ndata: {}\n", []string{"a|{}", "b|{}"}},
		"many empty lines":                   {"\n\n\ndata: 1\n\n\n\n", []string{"|1"}},
		"a mark of the byte order":           {"\ufeffdata: 1\n\n", []string{"|1"}},
		"comments alone":                     {": hi\n\n: hi\n\n", nil},
		"nothing":                            {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
				got, err := all(r)
				if d := cmp.Diff(c.want, got); d != "" || err != nil {
					t.Errorf("error %v, events (-want +got):\n%s", err, d)
				}
			}
		})
	}
	t.Run("what breaks off is an error", func(t *testing.T) {
		got, err := all(io.MultiReader(strings.NewReader("data: 1\n\ndata: 2\n"), iotest.ErrReader(io.ErrUnexpectedEOF)))
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(got) != 1 {
			t.Errorf("events %q, error %v", got, err)
		}
	})
	t.Run("a line without an end", func(t *testing.T) {
		if _, err := all(io.MultiReader(strings.NewReader("data: "), endless("x"))); !errors.Is(err, llm.ErrGarbled) {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("an event without an end", func(t *testing.T) {
		if _, err := all(endless("data: " + strings.Repeat("x", 1000) + "\n")); !errors.Is(err, llm.ErrGarbled) {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("a stream without an end", func(t *testing.T) {
		if _, err := all(endless(": " + strings.Repeat("x", 1<<18) + "\n\n")); !errors.Is(err, llm.ErrGarbled) {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("a line that ends with CR is not held back", func(t *testing.T) {
		r, w := io.Pipe()
		e := newEvents(r)
		go func() { _, _ = io.WriteString(w, "data: 1\r\r") }()
		if ev, err := e.next(); err != nil || string(ev.Data) != "1" {
			t.Errorf("event %+v, %v", ev, err)
		}
	})
}

// endless repeats a text for ever.
type endless string

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}

// However a server writes its events, and however the network cuts them, they are
// read as they were meant.
func TestEventsInAnyForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "end")
		var b strings.Builder
		var want []string
		comment := func() {
			if rapid.Bool().Draw(t, "comment") {
				b.WriteString(":" + rapid.SampledFrom([]string{"", " wait", " data: x"}).Draw(t, "text") + end)
			}
		}
		for range rapid.IntRange(0, 5).Draw(t, "events") {
			name := rapid.SampledFrom([]string{"", "ping", "delta"}).Draw(t, "name")
			// Words that are no JSON, so that each line belongs to the one before.
			lines := rapid.SliceOfN(rapid.StringMatching(`[a-z一-三]{1,5}:?`), 1, 4).Draw(t, "lines")
			comment()
			if name != "" {
				b.WriteString("event: " + name + end)
			}
			for _, line := range lines {
				comment()
				b.WriteString("data: " + line + end)
			}
			b.WriteString(end)
			want = append(want, name+"|"+strings.Join(lines, "\n"))
		}
		var r io.Reader = strings.NewReader(b.String())
		if rapid.Bool().Draw(t, "cut") {
			r = iotest.OneByteReader(r)
		}
		got, err := all(r)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Fatalf("error %v, events (-want +got):\n%s\nof %q", err, d, b.String())
		}
	})
}
