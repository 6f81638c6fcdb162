package slack

import (
	"cmp"
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

// said is a message in any of the three forms in which Slack tells of one.
type said struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	Channel     string `json:"channel"`
	ChannelType string `json:"channel_type"`
	User        string `json:"user"`
	Bot         string `json:"bot_id"`
	App         string `json:"app_id"`
	UserTeam    string `json:"user_team"`
	SourceTeam  string `json:"source_team"`
	Username    string `json:"username"`
	Text        string `json:"text"`
	TS          string `json:"ts"`
	Thread      string `json:"thread_ts"`
	Deleted     string `json:"deleted_ts"`
	Edited      *struct {
		User string `json:"user"`
		TS   string `json:"ts"`
	} `json:"edited"`
	Profile  json.RawMessage `json:"bot_profile"`
	Files    files           `json:"files"`
	Message  *said           `json:"message"`
	Previous *said           `json:"previous_message"`
}

// spoken are the subtypes of a message that somebody wrote. All others are notes
// of Slack's own: somebody joined, a topic changed, a pin was set.
var spoken = []string{"", "file_share", "thread_broadcast", "me_message", "bot_message"}

func (s *Slack) heard(me self, e said) (*bot.Message, error) {
	switch {
	case e.Subtype == "message_changed":
		return s.edited(me, e)
	case e.Subtype == "message_deleted":
		return s.deleted(me, e)
	case !slices.Contains(spoken, e.Subtype), me.wrote(e), e.User == slackbot:
		return nil, nil
	case e.Type == "app_mention" && e.Edited != nil:
		// The edit comes as message_changed too, and only that one tells
		// whether we had been called before.
		return nil, nil
	}
	return s.message(me, e)
}

// wrote reports whether a message is ours. Some of our posts come back without our
// user, and streams as somebody else's subtype; any one of three names is enough.
func (me self) wrote(e said) bool {
	return e.User != "" && e.User == me.user || e.Bot != "" && e.Bot == me.bot || e.App != "" && e.App == me.app
}

// slackbot is Slack itself, which talks to nobody.
const slackbot = "USLACKBOT"

// machine reports whether another bot wrote a message.
func (e said) machine() bool { return e.Bot != "" || e.Subtype == "bot_message" }

// speaker is who wrote a message: a person, or another bot, whose name is that of
// its user if it has one.
func (e said) speaker() string {
	if e.User == "" {
		return e.Bot
	}
	return e.User
}

// message makes a Message of one that was posted.
func (s *Slack) message(me self, e said) (*bot.Message, error) {
	who := e.speaker()
	if who == "" || !isTS(e.TS) {
		return nil, errShape
	}
	direct := e.ChannelType == "im" || strings.HasPrefix(e.Channel, "D")
	name, zone := s.people.known(who)
	if !e.machine() {
		s.people.ask(who)
		if direct {
			s.rooms.keepDM(who, e.Channel)
		}
	} else {
		name = e.botName(name)
	}
	return &bot.Message{
		// Slack sends a mention twice, as message and as app_mention, with two
		// event ids and one ts. The ts is the key.
		Key:       me.key(e.Channel, e.TS),
		Place:     me.place(e.Channel, e.Thread, e.TS, direct),
		From:      bot.Person(platform, me.team, who),
		Name:      name,
		Zone:      zone,
		Text:      s.plain(me, e.Text),
		Addressed: e.Type == "app_mention" || calls(e.Text, me.user),
		InThread:  e.Thread != "" && e.Thread != e.TS, // if we have spoken there
		Direct:    direct,
		At:        timeOf(e.TS),
		Link:      me.link(e.Channel, e.TS, e.Thread),
		Standing:  s.told(me, e),
		Files:     e.Files.attachments(),
	}, nil
}

// botName is how people call a bot.
func (e said) botName(known string) string {
	var profile struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(e.Profile, &profile) // without a name it has none
	return cmp.Or(e.Username, profile.Name, known)
}

// edited makes a Message of a person's edit of what they said to us: they call us, or
// had, or nobody else is there, or we take part in the thread. Slack also tells of an edit
// when it adds a preview, or when we or another bot change a post that grows as it is
// written.
func (s *Slack) edited(me self, e said) (*bot.Message, error) {
	now, was := e.Message, e.Previous
	if now == nil {
		return nil, errShape
	}
	if me.wrote(*now) || now.machine() || !slices.Contains(spoken, now.Subtype) || now.Edited == nil || was == nil ||
		s.plain(me, now.Text) == s.plain(me, was.Text) && calls(now.Text, me.user) == calls(was.Text, me.user) {
		return nil, nil
	}
	now.Channel, now.ChannelType = e.Channel, e.ChannelType
	m, err := s.message(me, *now)
	if err != nil {
		return nil, err
	}
	m.Addressed = m.Addressed || calls(was.Text, me.user)
	m.InThread = m.InThread || !m.Direct // if we have spoken in the thread that it begins
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
	if was == nil || me.wrote(*was) || was.machine() || !slices.Contains(spoken, was.Subtype) || !isTS(e.Deleted) {
		return nil, nil
	}
	was.Channel, was.ChannelType, was.TS = e.Channel, e.ChannelType, e.Deleted
	m, err := s.message(me, *was)
	if err != nil {
		return nil, err
	}
	m.Edits = m.Key
	m.Key += "@deleted"
	m.Text, m.Addressed, m.Files = "", false, nil
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
