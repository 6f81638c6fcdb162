package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hermes/bot"
)

// Heard is how far a place was heard: its newest message, by its Key.
type Heard struct {
	Place bot.Place
	Key   string
	Ours  bool // the bot has posted there
}

// An own key is that of a message as it was said: its place and the platform's id of it.
// Commands, forms and edits are heard of as well, and have keys that tell nothing of how
// far the place was.
const ownKey = `i.key LIKE i.channel || '%' AND i.key NOT LIKE i.channel || '%/%'`

// Heard returns how far the places of a workspace were heard since a time, each
// thread as a place of its own. Threads that a post has begun and in which nobody has
// said anything have the post's id as Key.
func (j Journal) Heard(ctx context.Context, platform, workspace string, since time.Time) ([]Heard, error) {
	var rows []struct {
		Channel, Thread, Key string
		Ours                 bool
	}
	all := strings.TrimSuffix(channelOf(bot.Place{Platform: platform, Workspace: workspace}), "/") + "%"
	err := j.db.r.WithContext(ctx).Raw(`SELECT i.channel, i.thread, MAX(i.key) AS key,
			EXISTS (SELECT 1 FROM outbox o WHERE o.channel = i.channel AND o.thread = i.thread) AS ours
		FROM inbox i WHERE i.channel LIKE ? AND i.said > 0 AND i.added >= ? AND `+ownKey+` GROUP BY i.channel, i.thread
		UNION ALL
		SELECT o.channel, o.ref_id AS thread, o.ref_id AS key, TRUE AS ours
		FROM outbox o WHERE o.channel LIKE ? AND o.thread = '' AND o.ref_id <> '' AND o.added >= ?
			AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.channel = o.channel AND i.thread = o.ref_id AND i.said > 0)`,
		all, at(since), all, at(since)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("what was heard last in %s: %w", workspace, err)
	}
	var heard []Heard
	for _, row := range rows {
		p, err := bot.ParsePlace(row.Channel)
		if err != nil {
			return nil, err
		}
		p.Thread = row.Thread
		heard = append(heard, Heard{Place: p, Key: row.Key, Ours: row.Ours})
	}
	return heard, nil
}
