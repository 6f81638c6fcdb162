package slack

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// people are names, time zones, languages and standings. They are asked for beside
// everything else: a message never waits for them, and goes without if they are not
// known yet.
type people struct {
	mu    sync.Mutex
	of    map[string]person
	asked chan string
}

type person struct {
	name, zone string
	locale     string // BCP 47, such as zh-CN; empty of people from elsewhere
	standing   bot.Standing
	stands     time.Time // until when the standing counts
	until      time.Time // when to ask again
}

const (
	fresh     = time.Hour       // for which an answer is good
	unlucky   = 5 * time.Minute // after which a failed question is asked again
	firstMeet = 1000            // how many people are asked for at start
)

func (p *people) known(user string) (name, zone string) {
	who := p.get(user)
	return who.name, who.zone
}

func (p *people) get(user string) person {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of[user]
}

// called are the users of a name, in an order that stays.
func (p *people) called(name string) (users []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for user, who := range p.of {
		if strings.EqualFold(who.name, name) {
			users = append(users, user)
		}
	}
	slices.Sort(users)
	return users
}

// ask asks for somebody, some time.
func (p *people) ask(user string) {
	select {
	case p.asked <- user:
	default: // so many are asked for that this one can wait for the next message
	}
}

func (p *people) due(user string, now time.Time) bool { return !now.Before(p.get(user).until) }

// learn changes what is known of somebody.
func (p *people) learn(user string, f func(*person)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of = map[string]person{}
	}
	who := p.of[user]
	f(&who)
	p.of[user] = who
}

// forget has somebody asked for anew, when they come up again.
func (p *people) forget(user string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.of, user)
}

func nameOf(u *slack.User) string {
	for _, n := range []string{u.Profile.DisplayName, u.RealName, u.Name} {
		if n != "" {
			return n
		}
	}
	return ""
}

// met keeps what Slack says of somebody.
func (s *Slack) met(me self, u *slack.User) person {
	until := s.cfg.Now().Add(fresh)
	who := person{
		name: nameOf(u), zone: u.TZ, locale: u.Locale,
		standing: standingOf(me, u), stands: until, until: until,
	}
	s.people.learn(u.ID, func(p *person) { *p = who })
	return who
}

// meet learns who people are as they come, until ctx ends.
func (s *Slack) meet(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case user := <-s.people.asked:
			now := s.cfg.Now()
			if !s.people.due(user, now) {
				continue
			}
			if _, err := s.askWho(ctx, user); err != nil {
				s.people.learn(user, func(p *person) { p.until = now.Add(unlucky) })
				s.log.Debug("slack user not known", "user", user, "err", err)
			}
		}
	}
}

// askWho asks Slack who somebody is.
func (s *Slack) askWho(ctx context.Context, user string) (person, error) {
	me, known := s.me()
	if !known {
		return person{}, errUnknownSelf
	}
	var u *slack.User
	err := s.paced(ctx, "users.info", "", func() (err error) {
		u, err = s.api.GetUserInfoContext(ctx, user)
		return err
	})
	if err != nil {
		return person{}, err
	}
	return s.met(me, u), nil
}

// meetAll learns who is there, as far as it gets until ctx ends.
func (s *Slack) meetAll(ctx context.Context) {
	me, _ := s.me()
	page := s.api.GetUsersPaginated(slack.GetUsersOptionLimit(200))
	for n := 0; n < firstMeet; n += 200 {
		next, err := page.Next(ctx)
		if err != nil {
			if next.Failure(err) != nil {
				s.log.Debug("slack users not listed", "err", err)
			}
			return
		}
		page = next
		for _, u := range page.Users {
			if !u.IsBot && !u.Deleted {
				s.met(me, &u)
			}
		}
	}
}
