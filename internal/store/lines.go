package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"hermes/bot"
)

// A spoken is a Line with what sorts it and names its thread.
type spoken struct {
	bot.Line
	added  stamp
	starts []string // names of the thread that it starts, or may
}

// Lines returns what was said in a place as one person sees it, as bot.Desk has it.
func (j Journal) Lines(ctx context.Context, p bot.Place, viewer string, n int) ([]bot.Line, error) {
	heard, err := j.heard(ctx, p, n)
	if err != nil {
		return nil, fmt.Errorf("messages of %s: %w", p, err)
	}
	shown, err := j.shown(ctx, p, viewer, n)
	if err != nil {
		return nil, fmt.Errorf("posts of %s: %w", p, err)
	}
	all := append(heard, shown...)
	slices.SortStableFunc(all, func(a, b spoken) int { return a.added.Compare(b.added.Time) })
	all = all[max(0, len(all)-n):]
	if p.Thread == "" {
		if err := j.count(ctx, p, viewer, all); err != nil {
			return nil, fmt.Errorf("threads of %s: %w", p, err)
		}
	}
	lines := make([]bot.Line, len(all))
	for i, s := range all {
		lines[i] = s.Line
	}
	return lines, nil
}

// heard are the messages, as they were last edited. Those that were taken back do
// not count.
func (j Journal) heard(ctx context.Context, p bot.Place, n int) ([]spoken, error) {
	for limit := n; ; limit *= 2 {
		said, rows, err := j.messages(ctx, p, limit)
		if err != nil || len(said) >= n || rows < limit {
			slices.Reverse(said)
			return said, err
		}
	}
}

type messageRow struct {
	Seq   int64
	Body  string
	Added stamp
}

func (r messageRow) message() (bot.Message, error) {
	var it bot.Item
	if err := json.Unmarshal([]byte(r.Body), &it); err != nil {
		return bot.Message{}, err
	}
	m := *it.Message
	if m.At.IsZero() {
		m.At = r.Added.Time
	}
	return m, nil
}

// messages makes lines of the newest rows, newest first, and says how many rows
// there were.
func (j Journal) messages(ctx context.Context, p bot.Place, limit int) ([]spoken, int, error) {
	where, args := "said = ?", []any{channelOf(p), inChannel}
	if p.Thread != "" {
		where, args = "thread = ? AND said IN (?, ?)", []any{channelOf(p), p.Thread, inThread, inChannel}
	}
	var rows []messageRow
	err := j.db.r.WithContext(ctx).Raw("SELECT seq, body, added FROM inbox WHERE channel = ? AND "+where+" ORDER BY seq DESC LIMIT ?", append(args, limit)...).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, 0, err
	}
	edits, err := j.edits(ctx, p, rows[len(rows)-1].Seq)
	if err != nil {
		return nil, 0, err
	}
	var said []spoken
	for _, row := range rows {
		m, err := row.message()
		if err != nil {
			return nil, 0, err
		}
		l := bot.Line{Key: m.Key, At: m.At, From: m.From, Name: m.Name, Text: cmp.Or(m.Said, m.Text), Place: m.Place}
		if text, ok := edits[m.Key]; ok {
			l.Text, l.Rev = text, 1
		}
		for _, a := range m.Files {
			l.Files = append(l.Files, bot.File{ID: a.ID, Name: a.Name, Mime: a.Mime})
		}
		_, changed := edits[m.Key]
		if l.Text != "" || len(l.Files) > 0 && !changed {
			said = append(said, spoken{l, row.Added, []string{cmp.Or(m.Place.Thread, lastOf(m.Key))}})
		}
	}
	return said, len(rows), nil
}

// edits returns what messages of a channel say now, by key, if that was changed
// after a row was heard; nothing if they were taken back.
func (j Journal) edits(ctx context.Context, p bot.Place, after int64) (map[string]string, error) {
	var rows []messageRow
	err := j.db.r.WithContext(ctx).Raw("SELECT seq, body, added FROM inbox WHERE channel = ? AND said = ? AND seq > ? ORDER BY seq", channelOf(p), inPlaceOf, after).Scan(&rows).Error
	edits := map[string]string{}
	for _, row := range rows {
		m, err := row.message()
		if err != nil {
			return nil, err
		}
		edits[m.Edits] = m.Text
	}
	return edits, err
}

// shown are the posts, with what their artifacts say. A thread begins with the post
// in whose thread it is.
func (j Journal) shown(ctx context.Context, p bot.Place, viewer string, n int) ([]spoken, error) {
	var rows []struct {
		Body                    string
		State, Ref, RefID, Open string
		Artifact                string
		Report                  []byte
		Added                   stamp
	}
	where, args := "o.thread = ''", []any{channelOf(p), viewer}
	if p.Thread != "" {
		where, args = "(o.thread = ? OR o.thread = '' AND (o.ref_id = ? OR o.key = ?))", append(args, p.Thread, p.Thread, p.Thread)
	}
	err := j.db.r.WithContext(ctx).Raw(`SELECT o.body, o.state, o.ref, o.ref_id, o.artifact, o.added, a.body AS report, COALESCE(q.state, '') AS open
		FROM outbox o LEFT JOIN artifacts a ON a.id = o.artifact AND a.kind = 'report' LEFT JOIN questions q ON q.id = o.question
		WHERE o.channel = ? AND (o.only_person = '' OR o.only_person = ?) AND `+where+" ORDER BY o.seq DESC LIMIT ?",
		append(args, n)...).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	var said []spoken
	for _, row := range rows {
		var post bot.Post
		if err := json.Unmarshal([]byte(row.Body), &post); err != nil {
			return nil, err
		}
		l := bot.Line{
			Key: post.Key, Rev: post.Rev, At: row.Added.Time, Text: post.Whole(string(row.Report)), Kind: post.Kind, Footer: post.Footer, Record: post.Record,
			Lang: post.Lang, Place: post.Place, Question: post.Question, Choices: post.Choices, File: post.File, Only: post.Only, Trace: post.Trace,
			State: map[string]string{"waiting": "queued", "done": "sent", "failed": "failed"}[row.State],
		}
		if post.Gone {
			if post.File != nil {
				continue // its post says it
			}
			l.Gone, l.Text, l.Choices, l.Footer, l.Record, l.Trace, row.Artifact = true, "", nil, "", bot.Record{}, "", ""
		}
		if row.Open != "" && row.Open != "open" {
			l.Choices = nil
		}
		if row.Artifact != "" {
			if l.Files, err = j.files(ctx, row.Artifact); err != nil {
				return nil, err
			}
		}
		said = append(said, spoken{l, row.Added, []string{cmp.Or(post.Place.Thread, row.RefID, post.Key), cmp.Or(post.Place.Thread, post.Key)}})
	}
	slices.Reverse(said)
	return said, nil
}

// files are those that belong to an artifact.
func (j Journal) files(ctx context.Context, artifact string) ([]bot.File, error) {
	var fs []bot.File
	err := j.db.r.WithContext(ctx).Raw(`SELECT a.id, a.name, a.mime FROM artifact_files f JOIN artifacts a ON a.id = f.file
		WHERE f.artifact = ? ORDER BY f.n`, artifact).Scan(&fs).Error
	return fs, err
}

// count adds how many answers the lines of a channel have in their threads.
func (j Journal) count(ctx context.Context, p bot.Place, viewer string, lines []spoken) error {
	names := []string{}
	for _, l := range lines {
		names = append(names, l.starts...)
	}
	if len(names) == 0 {
		return nil
	}
	var rows []struct {
		Thread string
		N      int
	}
	err := j.db.r.WithContext(ctx).Raw(`SELECT thread, SUM(n) AS n FROM (
			SELECT thread, COUNT(*) AS n FROM inbox WHERE channel = ? AND thread IN ? AND said = ? GROUP BY thread
			UNION ALL
			SELECT thread, COUNT(*) AS n FROM outbox WHERE channel = ? AND thread IN ? AND after_key = '' AND (only_person = '' OR only_person = ?) GROUP BY thread
		) AS both_sides GROUP BY thread`, channelOf(p), names, inThread, channelOf(p), names, viewer).Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, row := range rows {
		for i := range lines {
			if slices.Contains(lines[i].starts, row.Thread) {
				lines[i].Answers = row.N
			}
		}
	}
	return nil
}

func lastOf(key string) string {
	for i := len(key) - 1; i >= 0; i-- {
		if key[i] == '/' {
			return key[i+1:]
		}
	}
	return key
}
