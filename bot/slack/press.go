package slack

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"hermes/bot"
)

// chosen begins the action of every button that is a Choice; the Choice's ID
// follows. The button's value is the question's name and nothing else: whoever
// sees a button can send what it carries.
const chosen = "choice:"

// presser is who pressed, or used something else of ours.
type presser struct {
	ID   string `json:"id"`
	Team string `json:"team_id"`
}

// actions is a press on buttons of a message.
type actions struct {
	User    presser `json:"user"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Container struct {
		Type      string `json:"type"`
		Channel   string `json:"channel_id"`
		Message   string `json:"message_ts"`
		Thread    string `json:"thread_ts"`
		Ephemeral bool   `json:"is_ephemeral"`
	} `json:"container"`
	Message struct {
		Thread string `json:"thread_ts"`
	} `json:"message"`
	Trigger string `json:"trigger_id"`
	Hook    string `json:"response_url"`
	Actions []struct {
		ID    string `json:"action_id"`
		Value string `json:"value"`
		TS    string `json:"action_ts"`
	} `json:"actions"`
}

// press returns the Clicks of a press in a message, none if it is about something
// else.
func (s *Slack) press(me self, payload json.RawMessage) (content, error) {
	var a actions
	if err := json.Unmarshal(payload, &a); err != nil {
		return content{}, err
	}
	if a.Container.Type == "view" {
		return s.pressView(me, payload)
	}
	channel := cmp.Or(a.Channel.ID, a.Container.Channel)
	thread := cmp.Or(a.Container.Thread, a.Message.Thread)
	var c content
	for _, act := range a.Actions {
		click, ok := pressed(act.ID, act.Value)
		if !ok {
			continue
		}
		if channel == "" || a.User.ID == "" || !isTS(a.Container.Message) || !isTS(act.TS) {
			return content{}, errShape
		}
		click.Key = me.key(channel, a.Container.Message) + "/" + act.ID + "/" + a.User.ID + "/" + act.TS
		click.Place = me.place(channel, thread, a.Container.Message, strings.HasPrefix(channel, "D"))
		click.From = s.user(me, a.User)
		if open := s.sheetOf(a.Trigger, a.User.ID, click.From, click); open != nil {
			return content{then: open}, nil
		}
		click.At, click.Raw = timeOf(act.TS), payload
		c.clicks = append(c.clicks, click)
	}
	if a.Container.Ephemeral && a.Hook != "" {
		s.hooks.keep(channel, a.Container.Message, a.Hook)
	}
	return c, nil
}

// pressed is what a button of ours means, and false if it is none.
func pressed(action, value string) (bot.Click, bool) {
	if action == rated {
		run, good, ok := judgement(value)
		return bot.Click{Rates: run, Good: good}, ok
	}
	id, ok := strings.CutPrefix(action, chosen)
	if !ok {
		return bot.Click{}, false
	}
	switch word, run, _ := strings.Cut(id, ":"); {
	case word == "stop" && run != "":
		return bot.Click{Stop: run}, true
	case word == "continue" && run != "":
		return bot.Click{Continue: run}, true
	case word == "abandon" && run != "":
		return bot.Click{Abandon: run}, true
	case word == "save" && run != "":
		return bot.Click{Save: run}, true
	case word == "repeat" && run != "":
		return bot.Click{Repeat: run}, true
	case word == "why" && run != "":
		return bot.Click{Why: run}, true
	}
	return bot.Click{Question: value, Choice: id}, true
}

// user is who pressed. That they are of another organisation is remembered until
// somebody asks.
func (s *Slack) user(me self, u presser) string {
	if foreign(me, u.Team) {
		s.stranger(u.ID)
	}
	return bot.Person(platform, me.team, u.ID)
}

// hooks remembers how to change posts that only one person sees: by the address
// that comes with a press on them, and not in any other way. They are good for
// half an hour, so they live in memory.
type hooks struct {
	mu   sync.Mutex
	keys []string
	urls map[string]string
}

const mostHooks = 256

func (h *hooks) keep(channel, ts, url string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.urls == nil {
		h.urls = map[string]string{}
	}
	key := channel + "/" + ts
	if h.urls[key] == "" {
		h.keys = append(h.keys, key)
	}
	h.urls[key] = url
	if len(h.keys) > mostHooks {
		delete(h.urls, h.keys[0])
		h.keys = slices.Delete(h.keys, 0, 1)
	}
}

func (h *hooks) of(channel, ts string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.urls[channel+"/"+ts]
}
