package slack

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"hermes/bot"
)

// callback is an event with what stands around it. What a field of Slack's is not
// needed for is not here.
type callback struct {
	Type  string          `json:"type"`
	Team  string          `json:"team_id"`
	App   string          `json:"api_app_id"`
	Event json.RawMessage `json:"event"`
	ID    string          `json:"event_id"`
	Auths []struct {
		Team string `json:"team_id"`
	} `json:"authorizations"`
}

// ours reports whether an event is of our workspace. An app that is installed in
// several hears all of them on any socket.
func (c callback) ours(team string) bool {
	if c.Team == "" || c.Team == team {
		return true
	}
	for _, a := range c.Auths {
		if a.Team == team {
			return true
		}
	}
	return false
}

// event reads what has happened: what somebody said, or what changes how we work.
// Everything else is nothing to us.
func (s *Slack) event(me self, payload json.RawMessage) (content, error) {
	var c callback
	if err := json.Unmarshal(payload, &c); err != nil {
		return content{}, err
	}
	if c.Type == "app_rate_limited" {
		return s.rateLimited(payload), nil
	}
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(c.Event, &kind); err != nil {
		return content{}, err
	}
	if !c.ours(me.team) {
		return content{}, nil
	}
	if kind.Type == "message" || kind.Type == "app_mention" {
		m, err := s.spokenEvent(me, c)
		if m != nil {
			m.Raw = payload
		}
		return content{message: m}, err
	}
	return s.change(me, kind.Type, c), nil
}

// spokenEvent returns the message of an event, and nil if it is none that somebody
// said.
func (s *Slack) spokenEvent(me self, c callback) (*bot.Message, error) {
	var e said
	if err := json.Unmarshal(c.Event, &e); err != nil {
		return nil, err
	}
	if e.Channel == "" {
		return nil, errShape
	}
	me.app = c.App
	return s.heard(me, e)
}

// A changed is an event about the workspace and not about what is said there. Slack
// has many shapes of them; these are the fields of those that we read.
type changed struct {
	Channel   loose  `json:"channel"`
	ChannelID string `json:"channel_id"`
	Old       string `json:"old_channel_id"`
	New       string `json:"new_channel_id"`
	User      loose  `json:"user"`
	Thread    string `json:"thread_ts"`
	TS        string `json:"event_ts"`
	Tab       string `json:"tab"`
	Group     string `json:"subteam_id"`
	Assistant thread `json:"assistant_thread"`
	Tokens    struct {
		Bot []string `json:"bot"`
	} `json:"tokens"`
}

// thread is the thread of an assistant's pane.
type thread struct {
	User    string `json:"user_id"`
	Channel string `json:"channel_id"`
	TS      string `json:"thread_ts"`
}

// loose is an id that Slack writes as such or as an object that has it.
type loose string

// UnmarshalJSON implements json.Unmarshaler. What has no id is an empty one.
func (l *loose) UnmarshalJSON(b []byte) error {
	var id string
	var o struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(b, &id) != nil && json.Unmarshal(b, &o) == nil {
		id = o.ID
	}
	*l = loose(id)
	return nil
}

// left reports whether a user_change says that its user is deactivated.
func left(event json.RawMessage) bool {
	var e struct {
		User struct {
			Deleted bool `json:"deleted"`
		} `json:"user"`
	}
	return json.Unmarshal(event, &e) == nil && e.User.Deleted
}

// change reads an event about the workspace. One that cannot be read changes
// nothing: nobody has said anything in it.
func (s *Slack) change(me self, kind string, c callback) content {
	var e changed
	if err := json.Unmarshal(c.Event, &e); err != nil {
		s.log.Debug("slack change not readable", "type", kind, "err", err)
		return content{}
	}
	channel, user := string(e.Channel), string(e.User)
	switch kind {
	case "agent_session_stopped":
		return s.halt(me, e, c)
	case "assistant_thread_started":
		return s.greeting(e.Assistant.Channel, e.Assistant.TS, e.Assistant.User)
	case "app_home_opened":
		if e.Tab == "home" {
			return s.homeOpened(user, c.Event)
		}
		if e.Tab == "messages" {
			s.rooms.keepDM(user, channel)
			return s.greeting(channel, "", user)
		}
	case "tokens_revoked":
		if slices.Contains(e.Tokens.Bot, me.user) {
			s.refused("bot token: token_revoked")
		}
	case "app_uninstalled":
		s.refused("bot token: app_uninstalled")
	case "user_change":
		s.people.forget(user)
		if tell := s.cfg.Left; tell != nil && user != "" && left(c.Event) {
			return content{then: func(ctx context.Context) { tell(ctx, bot.Person(platform, me.team, user)) }}
		}
	case "member_joined_channel", "member_left_channel":
		if user == me.user {
			s.rooms.expire(channel) // we may post there, or may not any more
			s.absent.opens(channel)
		}
	case "channel_archive", "channel_unarchive", "channel_rename", "group_archive", "group_unarchive":
		s.rooms.expire(channel)
		s.absent.opens(channel)
	case "channel_id_changed":
		s.log.Warn("slack channel has another id", "old", e.Old, "new", e.New)
		s.rooms.forget(e.Old)
		s.rooms.expire(e.New)
	case "subteam_members_changed":
		s.groups.forget(e.Group)
		if tell := s.cfg.Group; tell != nil && e.Group != "" {
			return content{then: func(ctx context.Context) { tell(ctx, e.Group) }}
		}
	}
	return content{}
}

// rateLimited is the news that Slack holds back events of a minute, since there were
// too many: they never come. They are read once that minute is over.
func (s *Slack) rateLimited(payload json.RawMessage) content {
	var e struct {
		Minute int64 `json:"minute_rate_limited"` // when it began
	}
	_ = json.Unmarshal(payload, &e) // without it is the minute that is
	now := s.cfg.Now()
	left := min(max(time.Unix(e.Minute, 0).Add(time.Minute).Sub(now), 0), time.Minute)
	if e.Minute == 0 {
		left = time.Minute
	}
	s.log.Warn("slack holds events back: there were too many; the history is read when the minute is over", "in", left)
	return content{then: func(ctx context.Context) {
		if left == 0 || s.wait(ctx, left) == nil {
			s.mayHaveMissed(now.Add(left - time.Minute))
		}
	}}
}

// place is where work is shown that a Stop is about. In a conversation of two Slack
// may name as thread the message that we answer, and we work in the conversation.
func (ss *statuses) place(p bot.Place) bot.Place {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	whole := p
	whole.Thread = ""
	if ss.all[p] == nil && ss.all[whole] != nil {
		return whole
	}
	return p
}

// halt is the press on Slack's own Stop, under the status that we have set.
func (s *Slack) halt(me self, e changed, c callback) content {
	channel, user, at := string(e.Channel), string(e.User), e.TS
	if channel == "" || user == "" {
		s.log.Warn("slack stop not readable", "event", c.ID)
		return content{}
	}
	name := at
	if !isTS(at) {
		name = c.ID
	}
	click := bot.Click{
		Key:   me.key(channel, e.Thread) + "/halt/" + user + "/" + name,
		Place: s.statuses.place(me.place(channel, e.Thread, "", true)),
		From:  bot.Person(platform, me.team, user),
		Halt:  true,
		At:    timeOf(at),
		Raw:   c.Event,
	}
	if click.At.IsZero() {
		click.At = s.cfg.Now()
	}
	return content{clicks: []bot.Click{click}}
}
