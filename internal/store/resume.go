package store

import (
	"fmt"

	"gorm.io/gorm"

	"hermes/agent/run"
	"hermes/bot"
)

// resume lets the Run of a question that is answered go on: the answer and what comes of
// it are there together or not at all, whatever becomes of who brought the answer. It has
// the Key under which that one would add it, so it is there once.
func (d *DB) resume(tx *gorm.DB, q run.Question, a run.Answer) error {
	home, err := bot.ParsePlace(q.Home)
	if err != nil || a.Choice == run.Late || a.Choice == run.Ceased {
		return nil //nolint:nilerr // nobody has answered, or it is of no place: who settles it lets it go on
	}
	it := bot.Item{
		Key: bot.ResumeKey(a.Key, q.Run), Place: home, Lane: bot.Talk, First: true,
		Request: &run.Request{Key: q.Run, Home: q.Home},
	}
	body, err := encode(it)
	if err != nil {
		return fmt.Errorf("let %s go on: %w", q.Run, err)
	}
	now := d.now()
	row := newRow{
		Key: plain(it.Key), Lane: string(it.Lane), Ahead: number(it.First), Place: home.String(), Channel: channelOf(home), Thread: home.Thread,
		Said: wordless, Body: body, Due: now, State: "waiting", Added: now,
	}
	if _, err := row.insert(tx, d); err != nil {
		return fmt.Errorf("let %s go on: %w", q.Run, err)
	}
	return d.notify(tx, "inbox")
}
