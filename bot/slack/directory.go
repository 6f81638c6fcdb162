package slack

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// rooms are the channels that we can see, as they were when we last looked.
type rooms struct {
	mu     sync.Mutex
	byID   map[string]room
	dms    map[string]string // by user
	looked time.Time
	doubt  bool       // what was listed is so no more
	look   sync.Mutex // one listing at a time
}

type room struct {
	id, name        string
	private, member bool
	asked           time.Time
}

const (
	// certain is how long what is known of a channel is told without asking
	// again. Whether it is private decides what may be posted there, so it is
	// short.
	certain = 10 * time.Second
	// apart is the least time between two listings: Slack allows twenty a minute,
	// and a name that nobody has is asked for again and again.
	apart = 5 * time.Second
	pages = 50 // of a thousand channels each
)

var (
	channelRef = regexp.MustCompile(`^<#([A-Z0-9]+)(\|[^>]*)?>$`)
	channelID  = regexp.MustCompile(`^[CG][A-Z0-9]{7,}$`)
)

func (r *rooms) nameOf(id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byID[id].name
}

func (r *rooms) find(name string) (room, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.byID {
		if strings.EqualFold(c.name, name) {
			return c, true
		}
	}
	return room{}, false
}

func (r *rooms) keep(cs []slack.Channel, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil {
		r.byID = map[string]room{}
	}
	for _, c := range cs {
		r.byID[c.ID] = room{c.ID, c.Name, c.IsPrivate, c.IsMember, now}
	}
}

func (r *rooms) dm(user string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dms[user]
}

func (r *rooms) keepDM(user, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dms == nil {
		r.dms = map[string]string{}
	}
	r.dms[user] = id
}

func (r *rooms) forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byID, id)
}

// expire has a channel asked about anew, and all of them listed for a name that is
// not known.
func (r *rooms) expire(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.byID[id]; ok {
		c.asked = time.Time{}
		r.byID[id] = c
	}
	r.doubt = true
}

// doubted reports whether something has changed since it was asked last.
func (r *rooms) doubted() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	doubt := r.doubt
	r.doubt = false
	return doubt
}

// Channel implements bot.Directory.
func (s *Slack) Channel(ctx context.Context, _ bot.Place, name string) (bot.Channel, error) {
	name = strings.TrimSpace(name)
	id := ""
	if m := channelRef.FindStringSubmatch(name); m != nil {
		id = m[1]
	} else if channelID.MatchString(name) {
		id = name
	}
	if id != "" {
		return s.channelByID(ctx, id)
	}
	name = strings.TrimPrefix(name, "#")
	if name == "" {
		return bot.Channel{}, bot.ErrNoChannel
	}
	c, ok := s.rooms.find(name)
	if !ok {
		if err := s.listRooms(ctx); err != nil {
			return bot.Channel{}, err
		}
		if c, ok = s.rooms.find(name); !ok {
			return bot.Channel{}, fmt.Errorf("%w: #%s", bot.ErrNoChannel, name)
		}
	}
	if s.cfg.Now().Sub(c.asked) < certain {
		return s.channel(c), nil
	}
	got, err := s.channelByID(ctx, c.id)
	if err == nil && !strings.EqualFold(strings.TrimPrefix(got.Name, "#"), name) {
		// It has another name now, and perhaps another has this one.
		return bot.Channel{}, fmt.Errorf("%w: #%s", bot.ErrNoChannel, name)
	}
	return got, err
}

func (s *Slack) channelByID(ctx context.Context, id string) (bot.Channel, error) {
	c, err := s.api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: id})
	s.note(err)
	if code := codeOf(err); code == "channel_not_found" {
		s.rooms.forget(id)
		return bot.Channel{}, fmt.Errorf("%w: %s", bot.ErrNoChannel, id)
	}
	if err != nil {
		return bot.Channel{}, fmt.Errorf("channel %s: %w", id, readTrouble(err))
	}
	now := s.cfg.Now()
	s.rooms.keep([]slack.Channel{*c}, now)
	return s.channel(room{c.ID, c.Name, c.IsPrivate, c.IsMember, now}), nil
}

// listRooms lists all channels that we can see, unless that was just done.
func (s *Slack) listRooms(ctx context.Context) error {
	s.rooms.look.Lock()
	defer s.rooms.look.Unlock()
	if now := s.cfg.Now(); !s.rooms.doubted() && !s.rooms.looked.IsZero() && now.Sub(s.rooms.looked) < apart {
		return nil
	}
	cursor := ""
	for range pages {
		cs, next, err := s.api.GetConversationsContext(ctx, &slack.GetConversationsParameters{
			Types: []string{"public_channel", "private_channel"}, ExcludeArchived: true, Limit: 1000, Cursor: cursor,
		})
		s.note(err)
		if err != nil {
			return fmt.Errorf("list channels: %w", readTrouble(err))
		}
		s.rooms.keep(cs, s.cfg.Now())
		if next == "" {
			s.rooms.looked = s.cfg.Now()
			return nil
		}
		cursor = next
	}
	return errors.New("list channels: there are too many")
}

func (s *Slack) channel(r room) bot.Channel {
	return bot.Channel{
		Place: bot.Place{Platform: platform, Workspace: s.Team(), Channel: r.id},
		Name:  "#" + r.name, Private: r.private, Member: r.member,
	}
}
