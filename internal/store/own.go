package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"hermes/bot"
)

// An Own is a post of the bot's that stands, with the run that it came of.
type Own struct {
	bot.Post
	Text string // with that of its artifact
	Link string
	Run  string // its key; empty if it came of none
	By   string // who asked for that: of a job its owner

}

// ownPosts are posts that people see and that stand by themselves; with words after
// AND, the newest first.
const ownPosts = `SELECT o.body, o.receipt, a.body AS report, COALESCE(r.key, '') AS made
	FROM outbox o LEFT JOIN artifacts a ON a.id = o.artifact AND a.kind = 'report'
		LEFT JOIN runs r ON r.trace = o.trace AND o.trace <> '' AND (r.key = o.run OR o.run = '' AND SUBSTR(o.key, 1, LENGTH(r.key) + 1) = r.key || '/')
	WHERE o.kind IN ('', 'report') AND o.only_person = '' AND o.after_key = '' AND o.ref <> '' AND `

// OwnHere returns what "that" means where nothing more is said: the last post at a
// home, or what the run that said it has posted elsewhere; without what the run of
// the key has said itself.
func (j Journal) OwnHere(ctx context.Context, home bot.Place, key string) (Own, bool, error) {
	here, ok, err := j.own(ctx, "o.channel = ? AND (o.thread = ? OR o.thread = '' AND o.ref_id = ?) AND o.run = '' AND COALESCE(r.key, '') <> ?",
		channelOf(home), home.Thread, cmp.Or(home.Thread, "-"), key)
	return j.orAway(ctx, here, ok, err)
}

// OwnBegan returns the post of the bot's with which the thread of a place began.
func (j Journal) OwnBegan(ctx context.Context, thread bot.Place) (Own, bool, error) {
	return j.own(ctx, "o.channel = ? AND o.thread = '' AND o.ref_id = ?", channelOf(thread), cmp.Or(thread.Thread, "-"))
}

// OwnAround returns what "that" means in a thread that has no post of the bot's: the
// newest of those that stand in its channel itself, of what of asked for, of what anybody
// did if of is empty, and of the answers to a person in any thread of it, or what that one
// has had posted elsewhere; without what the run of the key has said itself.
func (j Journal) OwnAround(ctx context.Context, home bot.Place, of, person, key string) (Own, bool, error) {
	o, ok, err := j.own(ctx, "o.channel = ? AND COALESCE(r.key, '') <> ? AND (o.thread = '' AND (? = '' OR r.asker = ?) OR o.run = '' AND r.asker = ?)",
		channelOf(home), key, of, of, person)
	if o.Post.Run != "" {
		return o, ok, err
	}
	return j.orAway(ctx, o, ok, err)
}

// orAway is what the run of an answer has posted elsewhere, else the answer.
func (j Journal) orAway(ctx context.Context, here Own, ok bool, err error) (Own, bool, error) {
	if err != nil || !ok || here.Run == "" {
		return here, ok, err
	}
	away, found, err := j.own(ctx, "o.run = ?", here.Run)
	if err != nil || !found {
		return here, true, err
	}
	return away, true, nil
}

// OwnIn returns the newest post in a channel that came of what a person asked for, of
// what anybody did if by is empty.
func (j Journal) OwnIn(ctx context.Context, channel bot.Place, by string) (Own, bool, error) {
	return j.own(ctx, "o.channel = ? AND o.thread = '' AND (? = '' OR r.asker = ?)", channelOf(channel), by, by)
}

// OwnAt returns the post that a link points at.
func (j Journal) OwnAt(ctx context.Context, link string) (Own, bool, error) {
	forms := []string{link}
	if u, err := url.Parse(link); err == nil {
		whole, local := *u, *u
		whole.RawQuery = ""
		local.Scheme, local.Host, local.RawQuery = "", "", ""
		forms = append(forms, whole.String(), local.String())
	}
	for _, f := range forms {
		quoted, err := json.Marshal(f)
		if err != nil || f == "" {
			continue
		}
		like := "%" + `"Link":` + strings.NewReplacer(`!`, `!!`, `%`, `!%`, `_`, `!_`).Replace(string(quoted)) + "%"
		if o, ok, err := j.own(ctx, "o.receipt LIKE ? ESCAPE '!'", like); ok || err != nil {
			return o, ok, err
		}
	}
	return Own{}, false, nil
}

// OwnOf returns the post of a key.
func (j Journal) OwnOf(ctx context.Context, key string) (Own, bool, error) {
	return j.own(ctx, "o.key = ?", key)
}

func (j Journal) own(ctx context.Context, where string, args ...any) (Own, bool, error) {
	var rows []struct {
		Body, Receipt string
		Report        []byte
		Made          string
	}
	if err := j.db.r.WithContext(ctx).Raw(ownPosts+where+" ORDER BY o.seq DESC LIMIT 1", args...).Scan(&rows).Error; err != nil {
		return Own{}, false, fmt.Errorf("own posts: %w", err)
	}
	if len(rows) == 0 {
		return Own{}, false, nil
	}
	row := rows[0]
	o := Own{Run: row.Made}
	if row.Made != "" {
		var made []runRow
		if err := j.db.r.WithContext(ctx).Where("key = ?", row.Made).Limit(1).Find(&made).Error; err != nil {
			return Own{}, false, fmt.Errorf("who asked for post of %s: %w", row.Made, err)
		}
		if len(made) > 0 && j.db.keys.asked(made[0]) {
			o.By = made[0].Asker
		}
	}
	var receipt bot.Receipt
	if err := json.Unmarshal([]byte(row.Body), &o.Post); err != nil {
		return o, false, fmt.Errorf("own post: %w", err)
	}
	if row.Receipt != "" {
		if err := json.Unmarshal([]byte(row.Receipt), &receipt); err != nil {
			return o, false, fmt.Errorf("receipt of own post %s: %w", o.Key, err)
		}
	}
	o.Text, o.Link = o.Post.Whole(string(row.Report)), receipt.Link
	return o, true, nil
}
