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
	t := trial{mem: New(store, time.Now), facts: map[string]*trialFact{}, talks: map[string][]*trialFact{}, given: map[string]bool{}}
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
	facts map[string]*trialFact   // by the id of the fact
	talks map[string][]*trialFact // by conversation, in the order they were said
	given map[string]bool         // ids of lines
	n     int
}

// trialFact is a Fact and its place in a conversation.
type trialFact struct {
	Fact
	id    string // as the line calls it
	talk  string
	at    int // in talks
	terms []string

	statement *Statement // once read; without a Key if it is none
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

// The one team of a trial and the person who asks.
const (
	trialTeam = "try:try"
	trialSelf = "try:try:self"
)

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
		Subject: cmp.Or(a.Speaker, "somebody"), Predicate: Note, Object: a.Text, Text: a.Text,
		Source: "try/" + a.ID, Place: a.Conversation, By: cmp.Or(a.Speaker, trialSelf),
		// Of two texts of one time the later line is the newer.
		Said:  cmp.Or(said, time.Unix(0, 0)).Add(time.Duration(t.n) * time.Microsecond),
		Event: event, Audience: Audience{ForTeam, trialTeam},
	}
	f, err = t.mem.ready(f)
	if err != nil {
		return fmt.Errorf("add %s: %w", a.ID, err)
	}
	// Not Remember, which would compare each line with all before it.
	if err := t.mem.store.Put(ctx, f); err != nil {
		return fmt.Errorf("add %s: %w", a.ID, err)
	}
	t.given[a.ID] = true
	tf := &trialFact{Fact: f, id: a.ID, talk: a.Conversation, at: len(t.talks[a.Conversation]), terms: termsOf(f)}
	t.facts[f.ID] = tf
	t.talks[a.Conversation] = append(t.talks[a.Conversation], tf)
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
	fits := func(s Scored) bool {
		f, ok := t.facts[s.ID]
		return ok && (l.Conversation == "" || f.talk == l.Conversation) && (now.IsZero() || !f.Said.After(now.Add(24*time.Hour)))
	}
	found := trialFound{IDs: []string{}, Scores: []float64{}}
	if strings.TrimSpace(*l.Query) == "" {
		return found, nil
	}
	n := max(100, breadth*k)
	all, err := t.candidates(ctx, l, n)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s Scored) bool { return !fits(s) })
	all = t.lean(rank(*l.Query, all, t.termsOf), fits)
	all = slices.DeleteFunc(all, func(s Scored) bool { return s.Score <= 0 })
	all = standing(all[:min(len(all), n)], t.statementOf)
	for _, s := range all[:min(k, len(all))] {
		found.IDs, found.Scores = append(found.IDs, t.facts[s.ID].id), append(found.Scores, math.Round(s.Score*1e4)/1e4)
	}
	return found, nil
}

// smallTalk is how many turns a conversation may have to be ranked as a whole,
// which takes milliseconds and needs no store to find the words.
const smallTalk = 3000

func (t *trial) candidates(ctx context.Context, l trialLine, n int) ([]Scored, error) {
	talk := t.talks[l.Conversation]
	if l.Conversation != "" && len(talk) <= smallTalk {
		all := make([]Scored, len(talk))
		for i, f := range talk {
			all[i] = Scored{Fact: f.Fact}
		}
		return all, nil
	}
	if l.Conversation != "" {
		n = len(t.facts) // what is of other conversations takes places
	}
	return t.mem.candidates(ctx, Viewer{Person: trialSelf, Team: trialTeam}, *l.Query, n)
}

// leans is how much a turn of a conversation gets of what its neighbours have. The
// answer to a question stands beside it and may share no word with it. A text of
// leanLength terms or fewer leans on its neighbours in full; a longer one speaks
// for itself.
var leans = []struct {
	by    int
	share float64
}{{-2, 0.12}, {-1, 0.35}, {1, 0.35}, {2, 0.12}}

const leanLength = 30

// statementOf reads a text once.
func (t *trial) statementOf(f Fact) (Statement, bool) {
	tf := t.facts[f.ID]
	if tf.statement == nil {
		st, _ := ReadStatement(f.Text)
		tf.statement = &st
	}
	return *tf.statement, tf.statement.Key != ""
}

func (t *trial) termsOf(f Fact) []string { return t.facts[f.ID].terms }

// lean gives the turns of conversations a share of their neighbours' scores.
func (t *trial) lean(found []Scored, fits func(Scored) bool) []Scored {
	own := map[string]float64{}
	for _, s := range found {
		own[s.ID] = s.Score
	}
	out := slices.Clone(found)
	in := map[string]bool{}
	for _, s := range found {
		in[s.ID] = true
	}
	// A neighbour without a word of the query joins in.
	for _, s := range found {
		f := t.facts[s.ID]
		if f.talk == "" {
			continue
		}
		for _, d := range []int{-1, 1} {
			if n := t.turn(f, d); n != nil && !in[n.ID] && fits(Scored{Fact: n.Fact}) {
				in[n.ID] = true
				out = append(out, Scored{Fact: n.Fact})
			}
		}
	}
	for i, s := range out {
		f := t.facts[s.ID]
		if f.talk == "" {
			continue
		}
		share := min(1, float64(leanLength)/float64(max(1, len(f.terms))))
		for _, l := range leans {
			if n := t.turn(f, l.by); n != nil {
				out[i].Score += share * l.share * own[n.ID]
			}
		}
	}
	slices.SortStableFunc(out, byScore)
	return out
}

// turn returns the turn at a distance from another in its conversation, or nil.
func (t *trial) turn(f *trialFact, d int) *trialFact {
	talk := t.talks[f.talk]
	if at := f.at + d; at >= 0 && at < len(talk) {
		return talk[at]
	}
	return nil
}
