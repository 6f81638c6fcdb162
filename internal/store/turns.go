package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// A said is one turn with its place in the talk.
type said struct {
	run.Turn
	at  stamp
	seq int64
}

// Turns implements agent.Store. What a person said counts if it has begun a Run: the
// router ignored the rest. What the bot said counts if it was an answer or a report
// at that home, or the report under which the talk began.
func (s Runs) Turns(ctx context.Context, home string, before time.Time, n int) ([]run.Turn, error) {
	place, err := bot.ParsePlace(home)
	if err != nil || n <= 0 {
		return nil, err
	}
	turns, traces, err := s.askedTurns(ctx, home, before, n)
	if err != nil {
		return nil, fmt.Errorf("turns at %s: %w", home, err)
	}
	answers, err := s.answerTurns(ctx, place, before, traces, n)
	if err != nil {
		return nil, fmt.Errorf("turns at %s: %w", home, err)
	}
	turns = append(turns, answers...)
	slices.SortStableFunc(turns, func(a, b said) int { return cmp.Or(a.at.Compare(b.at.Time), cmp.Compare(a.seq, b.seq)) })
	turns = turns[max(0, len(turns)-n):]
	var ts []run.Turn
	for _, t := range turns {
		ts = append(ts, t.Turn)
	}
	return ts, nil
}

// askedTurns are what people asked, at the time our own clock took it up.
func (s Runs) askedTurns(ctx context.Context, home string, before time.Time, n int) ([]said, []string, error) {
	var rows []runRow
	err := s.db.r.WithContext(ctx).Where("home = ? AND asked_at < ?", home, at(before)).Order("seq DESC").Limit(n).Find(&rows).Error
	if err != nil {
		return nil, nil, err
	}
	var turns []said
	traces := []string{""} // an empty list is no SQL
	for _, row := range rows {
		if !s.db.keys.asked(row) {
			continue // nobody has said it
		}
		req, err := row.asked()
		if err != nil {
			return nil, nil, err
		}
		turns = append(turns, said{run.Turn{Role: llm.User, By: req.Asker, Text: req.Text}, row.Created, -1})
		traces = append(traces, row.Trace)
	}
	return turns, traces, nil
}

// answerTurns are what the bot answered. The answer to something said before was
// given before, whatever the clocks of two machines say.
func (s Runs) answerTurns(ctx context.Context, home bot.Place, before time.Time, traces []string, n int) ([]said, error) {
	var rows []struct {
		Seq      int64
		Body     string
		Artifact string
		Report   []byte
		Added    stamp
	}
	channel := channelOf(home)
	err := s.db.r.WithContext(ctx).Raw(`SELECT o.seq, o.body, o.artifact, a.body AS report, o.added
		FROM outbox o LEFT JOIN artifacts a ON a.id = o.artifact AND a.kind = 'report'
		WHERE o.channel = ? AND (o.thread = ? OR o.thread = '' AND o.ref_id = ?) AND o.kind IN ('', 'report')
			AND o.only_person = '' AND o.after_key = '' AND (o.added < ? OR o.trace IN ? AND o.trace <> '')
		ORDER BY o.seq DESC LIMIT ?`, channel, home.Thread, cmp.Or(home.Thread, "-"), at(before), traces, n).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	var turns []said
	for _, row := range rows {
		var p bot.Post
		if err := json.Unmarshal([]byte(row.Body), &p); err != nil {
			return nil, fmt.Errorf("post: %w", err)
		}
		if text := p.Whole(string(row.Report)); text != "" {
			turns = append(turns, said{run.Turn{Role: llm.Assistant, Text: text}, row.Added, row.Seq})
		}
	}
	return turns, nil
}
