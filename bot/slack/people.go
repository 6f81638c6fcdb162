package slack

import (
	"context"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

// people are names and time zones. They are asked for beside everything else: a
// message never waits for them, and goes without if they are not known yet.
type people struct {
	mu    sync.Mutex
	of    map[string]person
	asked chan string
}

type person struct {
	name, zone string
	until      time.Time // when to ask again
}

const (
	fresh     = time.Hour       // for which an answer is good
	unlucky   = 5 * time.Minute // after which a failed question is asked again
	firstMeet = 1000            // how many people are asked for at start
)

func (p *people) known(user string) (name, zone string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of[user].name, p.of[user].zone
}

// ask asks for somebody, some time.
func (p *people) ask(user string) {
	select {
	case p.asked <- user:
	default: // so many are asked for that this one can wait for the next message
	}
}

func (p *people) due(user string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !now.Before(p.of[user].until)
}

func (p *people) learn(user string, u *slack.User, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of = map[string]person{}
	}
	k := p.of[user]
	k.until = until
	if u != nil {
		k.name, k.zone = nameOf(u), u.TZ
	}
	p.of[user] = k
}

func nameOf(u *slack.User) string {
	for _, n := range []string{u.Profile.DisplayName, u.RealName, u.Name} {
		if n != "" {
			return n
		}
	}
	return ""
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
			u, err := s.api.GetUserInfoContext(ctx, user)
			if err != nil {
				s.people.learn(user, nil, now.Add(unlucky))
				s.log.Debug("slack user not known", "user", user, "err", err)
				continue
			}
			s.people.learn(user, u, now.Add(fresh))
		}
	}
}

// meetAll learns who is there, as far as it gets until ctx ends.
func (s *Slack) meetAll(ctx context.Context) {
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
				s.people.learn(u.ID, &u, s.cfg.Now().Add(fresh))
			}
		}
	}
}
