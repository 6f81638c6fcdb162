package memory

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// Try answers lines of JSON, for people who tune or measure recall:
//
//	{"add":{"id","text","at","speaker","conversation","event_date","inserted"}} → {"ok":true}
//	{"query","conversation","k","now"} → {"ids":[best first],"scores":[…]}
//
// Texts are kept in store as notes, which should be empty. A query with a
// conversation is answered from that conversation alone; one with now does not
// know what was said later. A bad line gives {"error":…} and the rest goes on; the
// error of Try is one of reading or writing.
func Try(ctx context.Context, store Store, in io.Reader, out io.Writer) error {
	return TryWith(ctx, NewWith(store, time.Now, Options{}), in, out)
}

// TryWith is Try with a Memory of one's own.
func TryWith(ctx context.Context, m *Memory, in io.Reader, out io.Writer) error {
	t := trial{mem: m, ids: map[string]string{}, given: map[string]bool{}}
	lines, w := bufio.NewReader(in), bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			said, bad := t.line(ctx, line)
			if bad != nil {
				said = trialError{bad.Error()}
			}
			if err := enc.Encode(said); err != nil {
				return fmt.Errorf("write answer: %w", err)
			}
		}
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		if err != nil {
			return fmt.Errorf("read line: %w", err)
		}
	}
}

type (
	trialOK struct {
		OK bool `json:"ok"`
	}
	trialError struct {
		Error string `json:"error"`
	}
	trialFound struct {
		IDs    []string  `json:"ids"`
		Scores []float64 `json:"scores"`
	}
)

// trial is one run of Try.
type trial struct {
	mem   *Memory
	ids   map[string]string // what lines call facts, by their ids
	talks []Audience        // conversations
	given map[string]bool   // ids of lines
	n     int
}

type trialLine struct {
	Add          *trialAdd `json:"add"`
	Query        *string   `json:"query"`
	Conversation string    `json:"conversation"`
	K            int       `json:"k"`
	Now          string    `json:"now"`
}

type trialAdd struct {
	ID           string          `json:"id"`
	Text         string          `json:"text"`
	At           string          `json:"at"`
	Speaker      string          `json:"speaker"`
	Conversation string          `json:"conversation"`
	EventDate    string          `json:"event_date"`
	Inserted     json.RawMessage `json:"inserted"` // a number or a time: when it was learned
}

func (t *trial) line(ctx context.Context, b []byte) (any, error) {
	var l trialLine
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, fmt.Errorf("not a line of the contract: %w", err)
	}
	switch {
	case l.Add != nil:
		return trialOK{true}, t.add(ctx, *l.Add)
	case l.Query != nil:
		return t.query(ctx, l)
	}
	return nil, errors.New(`neither "add" nor "query"`)
}

// trialSelf is who speaks where no speaker is named.
const trialSelf = "try:try:self"

// trialTalk is the audience of a conversation: its words are weighed by how rare they
// are in it.
func trialTalk(name string) Audience { return Audience{ForChannel, "try/try/" + name} }

func (t *trial) add(ctx context.Context, a trialAdd) error {
	switch {
	case a.ID == "":
		return errors.New("add: no id")
	case t.given[a.ID]:
		return fmt.Errorf("add: id %q was given before", a.ID)
	}
	said, err := trialTime(a.At)
	if err != nil {
		return fmt.Errorf("add %s: at: %w", a.ID, err)
	}
	event, err := trialTime(a.EventDate)
	if err != nil {
		return fmt.Errorf("add %s: event_date: %w", a.ID, err)
	}
	if learned, err := insertedTime(a.Inserted); err == nil && said.IsZero() {
		said = learned
	}
	t.n++
	f := Fact{
		Subject: cmp.Or(a.Speaker, trialSelf), Predicate: Note, Object: a.Text, Text: a.Text,
		Source: "try/" + a.ID, Place: a.Conversation, By: cmp.Or(a.Speaker, trialSelf),
		// Of two texts of one time the later line is the newer.
		Said:  cmp.Or(said, time.Unix(0, 0)).Add(time.Duration(t.n) * time.Microsecond),
		Event: event, Audience: trialTalk(a.Conversation),
	}
	f, err = t.mem.ready(f)
	if err != nil {
		return fmt.Errorf("add %s: %w", a.ID, err)
	}
	// Not Remember, which would compare each line with all before it.
	if err := t.mem.store.Put(ctx, f); err != nil {
		return fmt.Errorf("add %s: %w", a.ID, err)
	}
	t.given[a.ID], t.ids[f.ID] = true, a.ID
	if !slices.Contains(t.talks, f.Audience) {
		t.talks = append(t.talks, f.Audience)
	}
	return nil
}

// insertedTime reads when something was learned: a time, or a number that only
// says the order.
func insertedTime(raw json.RawMessage) (time.Time, error) {
	var n float64
	if json.Unmarshal(raw, &n) == nil {
		return time.Unix(int64(n), 0), nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return time.Time{}, fmt.Errorf("inserted: %w", err)
	}
	return trialTime(s)
}

// trialTime reads a time or a day; nothing is the zero time.
func trialTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.Parse(layout, s); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither RFC 3339 nor a day", s)
}

func (t *trial) query(ctx context.Context, l trialLine) (any, error) {
	now, err := trialTime(l.Now)
	if err != nil {
		return nil, fmt.Errorf("now: %w", err)
	}
	k := l.K
	if k <= 0 {
		k = 10
	}
	q := Query{Text: *l.Query, Limit: k, Now: now}
	if !now.IsZero() {
		q.AsOf = now.Add(24 * time.Hour) // a day may be all that is said of it
	}
	as := t.talks
	if l.Conversation != "" {
		as = []Audience{trialTalk(l.Conversation)}
	}
	all, err := t.mem.find(ctx, as, q)
	if err != nil {
		return nil, err
	}
	found := trialFound{IDs: []string{}, Scores: []float64{}}
	for _, s := range all {
		found.IDs, found.Scores = append(found.IDs, t.ids[s.ID]), append(found.Scores, math.Round(s.Score*1e4)/1e4)
	}
	return found, nil
}
