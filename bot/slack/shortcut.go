package slack

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// askAbout is the name of our shortcut on messages, as in the manifest.
const askAbout = "ask_about_message"

// shortcut makes a Message of "Ask Hermes about this": it says nothing itself, and is
// about what somebody has said. The answer goes into the thread of that.
func (s *Slack) shortcut(me self, payload json.RawMessage) (content, error) {
	var a struct {
		Callback string  `json:"callback_id"`
		User     presser `json:"user"`
		Channel  struct {
			ID string `json:"id"`
		} `json:"channel"`
		TS      string `json:"action_ts"`
		Hook    string `json:"response_url"`
		Message said   `json:"message"`
	}
	if err := json.Unmarshal(payload, &a); err != nil {
		return content{}, err
	}
	if a.Callback != askAbout {
		return content{}, nil
	}
	on := a.Message
	if a.Channel.ID == "" || a.User.ID == "" || !isTS(a.TS) || !isTS(on.TS) {
		return content{}, errShape
	}
	direct := a.Channel.ID[0] == 'D'
	name, zone := s.people.known(a.User.ID)
	s.people.ask(a.User.ID)
	m := bot.Message{
		Key:       me.key(a.Channel.ID, on.TS) + "/" + askAbout + "/" + a.User.ID + "/" + a.TS,
		Place:     me.place(a.Channel.ID, on.Thread, on.TS, direct),
		From:      s.user(me, a.User),
		Name:      name,
		Zone:      zone,
		Addressed: true,
		Direct:    direct,
		At:        timeOf(a.TS),
		Link:      me.link(a.Channel.ID, on.TS, on.Thread),
		Via:       bot.ByShortcut,
		About:     s.quote(me, a.Channel.ID, on),
		Files:     on.Files.attachments(),
		Raw:       payload,
	}
	if foreign(me, a.User.Team) {
		m.Standing = bot.External
	}
	return content{message: &m, then: func(ctx context.Context) { s.excuse(ctx, a.Channel.ID, a.User.ID, a.Hook) }}, nil
}

// quote is a message as somebody is told of it.
func (s *Slack) quote(me self, channel string, e said) *bot.Quote {
	q := bot.Quote{
		Key:  me.key(channel, e.TS),
		Text: s.plain(me, e.Text),
		At:   timeOf(e.TS),
		Link: me.link(channel, e.TS, e.Thread),
	}
	if !me.wrote(e) {
		q.From = bot.Person(platform, me.team, e.speaker())
		q.Name, _ = s.people.known(e.speaker())
		if e.machine() {
			q.Name = e.botName(q.Name)
		}
	}
	return &q
}

// excuse tells who used a shortcut where we cannot answer: it is offered in every
// channel, also in those that we are not in.
func (s *Slack) excuse(ctx context.Context, channel, user, hook string) {
	c, err := s.channelByID(ctx, channel)
	outside := errors.Is(err, bot.ErrNoChannel) || err == nil && channel[0] == 'C' && !c.Member
	if hook == "" || !outside {
		return
	}
	word := say(s.langOf(user),
		"I am not in this conversation, so I cannot answer here. Invite me with /invite, or ask me in a direct message.",
		"我不在这个会话里，无法在这里回答。请用 /invite 邀请我，或者私信问我。")
	err = slack.PostWebhookCustomHTTPContext(ctx, hook, s.out, &slack.WebhookMessage{Text: word, ResponseType: slack.ResponseTypeEphemeral})
	if err != nil {
		s.log.Warn("slack shortcut not answered", "channel", channel, "err", scrub(err.Error(), hook))
	}
}
