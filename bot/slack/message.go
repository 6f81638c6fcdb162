package slack

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/bot"
)

const platform = "slack"

var (
	errUnknownSelf = errors.New("slack has not said who we are")
	errShape       = errors.New("not of the shape that Slack documents")
)

// callback is an event with what stands around it. What a field of Slack's is not
// needed for is not here.
type callback struct {
	Team  string          `json:"team_id"`
	Event json.RawMessage `json:"event"`
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

// said is a message in any of the three forms in which Slack tells of one.
type said struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	Channel     string `json:"channel"`
	ChannelType string `json:"channel_type"`
	User        string `json:"user"`
	Bot         string `json:"bot_id"`
	Text        string `json:"text"`
	TS          string `json:"ts"`
	Thread      string `json:"thread_ts"`
	Deleted     string `json:"deleted_ts"`
	Edited      *struct {
		User string `json:"user"`
		TS   string `json:"ts"`
	} `json:"edited"`
	Message  *said `json:"message"`
	Previous *said `json:"previous_message"`
}

// spoken are the subtypes of a message that a person wrote. All others are notes
// of Slack's own: somebody joined, a topic changed, a pin was set.
var spoken = []string{"", "file_share", "thread_broadcast", "me_message"}

// event returns the message of an event, and nil if it is none that somebody said.
func (s *Slack) event(me self, payload json.RawMessage) (*bot.Message, error) {
	var c callback
	if err := json.Unmarshal(payload, &c); err != nil {
		return nil, err
	}
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(c.Event, &kind); err != nil {
		return nil, err
	}
	if kind.Type != "message" && kind.Type != "app_mention" || !c.ours(me.team) {
		return nil, nil
	}
	var e said
	if err := json.Unmarshal(c.Event, &e); err != nil {
		return nil, err
	}
	if e.Channel == "" {
		return nil, errShape
	}
	m, err := s.heard(me, e)
	if m != nil {
		m.Raw = payload
	}
	return m, err
}

func (s *Slack) heard(me self, e said) (*bot.Message, error) {
	switch {
	case e.Subtype == "message_changed":
		return s.edited(me, e)
	case e.Subtype == "message_deleted":
		return s.deleted(me, e)
	case !slices.Contains(spoken, e.Subtype), me.wrote(e):
		return nil, nil
	case e.Type == "app_mention" && e.Edited != nil:
		// The edit comes as message_changed too, and only that one tells
		// whether we had been called before.
		return nil, nil
	}
	return s.message(me, e)
}

// wrote reports whether a message is no person's: ours, or another bot's. Two bots
// that answer each other never stop.
func (me self) wrote(e said) bool {
	return e.User == me.user || e.Bot != "" || e.User == "USLACKBOT"
}

// message makes a Message of one that was posted.
func (s *Slack) message(me self, e said) (*bot.Message, error) {
	if e.User == "" || !isTS(e.TS) {
		return nil, errShape
	}
	direct := e.ChannelType == "im" || strings.HasPrefix(e.Channel, "D")
	name, zone := s.people.known(e.User)
	s.people.ask(e.User)
	m := &bot.Message{
		// Slack sends a mention twice, as message and as app_mention, with two
		// event ids and one ts. The ts is the key.
		Key:       me.key(e.Channel, e.TS),
		Place:     me.place(e.Channel, e.Thread, e.TS, direct),
		From:      bot.Person(platform, me.team, e.User),
		Name:      name,
		Zone:      zone,
		Text:      s.plain(me, e.Text),
		Addressed: e.Type == "app_mention" || calls(e.Text, me.user),
		InThread:  e.Thread != "" && e.Thread != e.TS, // if we have spoken there
		Direct:    direct,
		At:        timeOf(e.TS),
		Link:      me.link(e.Channel, e.TS, e.Thread),
	}
	return m, nil
}

// edited makes a Message of an edit by which a person calls us who had not. Slack
// also tells of an edit when it adds a preview, or when we change a post of ours.
func (s *Slack) edited(me self, e said) (*bot.Message, error) {
	now, was := e.Message, e.Previous
	if now == nil {
		return nil, errShape
	}
	if me.wrote(*now) || !slices.Contains(spoken, now.Subtype) || now.Edited == nil || was == nil ||
		now.Text == was.Text || !calls(now.Text, me.user) || calls(was.Text, me.user) {
		return nil, nil
	}
	now.Channel, now.ChannelType = e.Channel, e.ChannelType
	m, err := s.message(me, *now)
	if err != nil {
		return nil, err
	}
	if !isTS(now.Edited.TS) {
		return nil, errShape
	}
	m.Edits = m.Key
	m.Key += "@" + now.Edited.TS
	m.At = timeOf(now.Edited.TS)
	return m, nil
}

// deleted makes a Message of one that a person has taken back.
func (s *Slack) deleted(me self, e said) (*bot.Message, error) {
	was := e.Previous
	if was == nil || me.wrote(*was) || !slices.Contains(spoken, was.Subtype) || !isTS(e.Deleted) {
		return nil, nil
	}
	was.Channel, was.ChannelType, was.TS = e.Channel, e.ChannelType, e.Deleted
	m, err := s.message(me, *was)
	if err != nil {
		return nil, err
	}
	m.Edits = m.Key
	m.Key += "@deleted"
	m.Text, m.Addressed = "", false
	m.At = timeOf(e.TS)
	return m, nil
}

// key names a message for ever.
func (me self) key(channel, ts string) string {
	return "slack/" + me.team + "/" + channel + "/" + ts
}

// place is where a message stands, and where an answer goes. In a channel that is
// a thread in any case: the one that it is in, or else the one that it begins.
func (me self) place(channel, thread, ts string, direct bool) bot.Place {
	if thread == "" && !direct {
		thread = ts
	}
	return bot.Place{Platform: platform, Workspace: me.team, Channel: channel, Thread: thread}
}

// isTS reports whether ts is a timestamp as Slack writes them: seconds, a point,
// digits. It is a name; nobody computes with it.
func isTS(ts string) bool {
	sec, frac, ok := strings.Cut(ts, ".")
	if !ok || sec == "" || frac == "" {
		return false
	}
	return strings.Trim(sec+frac, "0123456789") == ""
}

// timeOf reads a timestamp, and returns the zero time if it is none.
func timeOf(ts string) time.Time {
	sec, frac, _ := strings.Cut(ts, ".")
	n, err := strconv.ParseInt(sec, 10, 64)
	micro, err2 := strconv.ParseInt((frac + "000000")[:6], 10, 64)
	if err != nil || err2 != nil {
		return time.Time{}
	}
	return time.Unix(n, micro*1000).UTC()
}

// stamp writes a time as a timestamp.
func stamp(t time.Time) string {
	u := t.UnixMicro()
	return strconv.FormatInt(u/1e6, 10) + "." + strconv.FormatInt(u%1e6+1e6, 10)[1:]
}
