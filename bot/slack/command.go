package slack

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// given is a slash command. Over a socket Slack sends it as JSON, by HTTP as a form
// of the same fields.
type given struct {
	User    string `json:"user_id"`
	Channel string `json:"channel_id"`
	Text    string `json:"text"`
	Trigger string `json:"trigger_id"`
	Hook    string `json:"response_url"`
}

// answerCommand answers a command by the address that came with it, and reports whether
// that was done.
func (s *Slack) answerCommand(ctx context.Context, p bot.Post, pages []page) bool {
	i := strings.LastIndexByte(p.Key, '/')
	url := s.hooks.of("", p.Key[:max(0, i)])
	if url == "" {
		return false
	}
	for _, pg := range pages {
		m := &slack.WebhookMessage{Text: pg.text, Blocks: &slack.Blocks{BlockSet: pg.blocks}, ResponseType: slack.ResponseTypeEphemeral}
		if err := slack.PostWebhookCustomHTTPContext(ctx, url, s.out, m); err != nil {
			s.log.Info("slack command not answered by its address", "post", p.Key, "err", scrub(err.Error(), url))
			return false
		}
	}
	return true
}

// help is what a command without words asks for.
const help = "help"

// command makes a Message of a slash command. Slack has no thread for it, and nobody
// else in the channel is to see what comes of it: the conversation is the one that
// the person has with us, where cards and questions work, and the acknowledgement
// says so where the command was given.
func (s *Slack) command(ctx context.Context, me self, payload json.RawMessage) (content, error) {
	var g given
	if err := json.Unmarshal(payload, &g); err != nil {
		return content{}, err
	}
	if g.User == "" || g.Trigger == "" {
		return content{}, errShape
	}
	text := s.plain(me, g.Text)
	if asksForm(text) && s.cfg.Planner != nil {
		return content{then: func(ctx context.Context) { s.openSchedule(ctx, g.Trigger, g.User, bot.Draft{}) }}, nil
	}
	name, zone := s.people.known(g.User)
	s.people.ask(g.User)
	channel := s.dm(ctx, g.User)
	m := bot.Message{
		Key:    "slack/" + me.team + "/command/" + g.Trigger,
		Place:  bot.Place{Platform: platform, Workspace: me.team, Channel: channel},
		From:   bot.Person(platform, me.team, g.User),
		Name:   name,
		Zone:   zone,
		Text:   text,
		Direct: true,
		Via:    bot.ByCommand,
		At:     s.cfg.Now(),
		Raw:    payload,
	}
	if strings.HasPrefix(g.Channel, "C") || strings.HasPrefix(g.Channel, "G") {
		m.Given = bot.Place{Platform: platform, Workspace: me.team, Channel: g.Channel}
	}
	if text == "" {
		m.Text = help
	}
	if bot.AnsweredThere(m.Text) {
		// It is answered where it was asked, also where we are no member.
		if g.Hook != "" && m.Given.Channel != "" {
			s.hooks.keep("", m.Key, g.Hook)
		}
		return content{message: &m}, nil
	}
	lang := s.langSaid(g.User, text)
	word := say(lang, "On it: see our conversation.", "好的，请看我们的对话。")
	if link := me.address(channel); link != "" {
		word = say(lang, "On it: see <"+link+"|our conversation>.", "好的，请看<"+link+"|我们的对话>。")
	}
	return content{message: &m, answer: map[string]string{"response_type": slack.ResponseTypeEphemeral, "text": word}}, nil
}

// dm is the conversation that somebody has with us. It is known of all who ever had
// one; of others Slack is asked for a moment. The user's own id stands for it until
// Slack has said.
func (s *Slack) dm(ctx context.Context, user string) string {
	ctx, cancel := context.WithTimeout(ctx, s.times.open)
	defer cancel()
	id, err := s.room(ctx, user)
	if err != nil {
		s.log.Warn("slack conversation not opened", "user", user, "err", err)
		return user
	}
	return id
}

// meetRooms learns which conversations of two there are, as far as it gets until ctx
// ends.
func (s *Slack) meetRooms(ctx context.Context) {
	cursor := ""
	for range pages {
		var next string
		err := s.paced(ctx, "users.conversations", "", func() error {
			all, more, err := s.api.GetConversationsForUserContext(ctx, &slack.GetConversationsForUserParameters{
				Types: []string{"im"}, Limit: 200, Cursor: cursor,
			})
			for _, c := range all {
				s.rooms.keepDM(c.User, c.ID)
			}
			next = more
			return err
		})
		if err != nil {
			s.log.Debug("slack conversations not listed", "err", err)
			return
		}
		if next == "" {
			return
		}
		cursor = next
	}
}

// address is that of a channel.
func (me self) address(channel string) string {
	if me.url == "" {
		return ""
	}
	return strings.TrimSuffix(me.url, "/") + "/archives/" + channel
}

// langSaid is the language in which somebody is answered who has said that much.
func (s *Slack) langSaid(user, text string) string {
	switch {
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }):
		return "zh"
	case text != "":
		return "en"
	}
	return s.langOf(user)
}
