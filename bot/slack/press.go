package slack

import (
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

// actions is a press on buttons of a message.
type actions struct {
	Type string `json:"type"`
	User struct {
		ID string `json:"id"`
	} `json:"user"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Container struct {
		Channel   string `json:"channel_id"`
		Message   string `json:"message_ts"`
		Thread    string `json:"thread_ts"`
		Ephemeral bool   `json:"is_ephemeral"`
	} `json:"container"`
	Message struct {
		Thread string `json:"thread_ts"`
	} `json:"message"`
	Hook    string `json:"response_url"`
	Actions []struct {
		ID    string `json:"action_id"`
		Value string `json:"value"`
		TS    string `json:"action_ts"`
	} `json:"actions"`
}

// press returns the Clicks of an interaction, none if it is about something else.
func (s *Slack) press(me self, payload json.RawMessage) ([]bot.Click, error) {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(payload, &kind); err != nil {
		return nil, err
	}
	if kind.Type != "block_actions" {
		return nil, nil
	}
	var a actions
	if err := json.Unmarshal(payload, &a); err != nil {
		return nil, err
	}
	channel := a.Channel.ID
	if channel == "" {
		channel = a.Container.Channel
	}
	thread := a.Container.Thread
	if thread == "" {
		thread = a.Message.Thread
	}
	var out []bot.Click
	for _, act := range a.Actions {
		id, ok := strings.CutPrefix(act.ID, chosen)
		if !ok {
			continue
		}
		if channel == "" || a.User.ID == "" || !isTS(a.Container.Message) || !isTS(act.TS) {
			return nil, errShape
		}
		c := bot.Click{
			Key:   me.key(channel, a.Container.Message) + "/" + act.ID + "/" + a.User.ID + "/" + act.TS,
			Place: me.place(channel, thread, a.Container.Message, strings.HasPrefix(channel, "D")),
			From:  bot.Person(platform, me.team, a.User.ID),
			At:    timeOf(act.TS),
			Raw:   payload,
		}
		switch word, run, _ := strings.Cut(id, ":"); {
		case word == "stop" && run != "":
			c.Stop = run
		case word == "continue" && run != "":
			c.Continue = run
		default:
			c.Question, c.Choice = act.Value, id
		}
		out = append(out, c)
	}
	if a.Container.Ephemeral && a.Hook != "" {
		s.hooks.keep(channel, a.Container.Message, a.Hook)
	}
	return out, nil
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
