package slack

import (
	"context"
	"sync"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// greeted are the panes that have their prompts. Slack keeps prompts itself, so a
// restart only sets them once more.
type greeted struct {
	mu    sync.Mutex
	panes map[string]bool
}

// mostGreeted bounds the memory.
const mostGreeted = 4096

// first reports whether a pane is new.
func (g *greeted) first(pane string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.panes[pane] {
		return false
	}
	if g.panes == nil || len(g.panes) >= mostGreeted {
		g.panes = map[string]bool{}
	}
	g.panes[pane] = true
	return true
}

func (g *greeted) forget(pane string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.panes, pane)
}

// greeting has a pane greeted that somebody has opened, the first time.
func (s *Slack) greeting(channel, thread, user string) content {
	pane := channel + "/" + thread
	if channel == "" || user == "" || !s.greeted.first(pane) {
		return content{}
	}
	return content{then: func(ctx context.Context) {
		p := bot.Place{Platform: platform, Workspace: s.Team(), Channel: channel, Thread: thread}
		if err := s.greet(ctx, p, user); err != nil {
			s.greeted.forget(pane)
			s.log.Warn("slack prompts not set", "channel", channel, "err", err)
		}
	}}
}

// prompts are what somebody may want to say who has never talked to us: one for each
// thing that the bot is for. Slack shows four.
var prompts = map[string][]slack.AssistantThreadsPrompt{
	"en": {
		{Title: "What can you do?", Message: "What can you do here?"},
		{Title: "Last month's figures", Message: "What were last month's sales by region?"},
		{Title: "A report every Monday", Message: "Send me last week's sales by region every Monday at 9:00"},
		{Title: "My schedules", Message: "Which schedules do I have?"},
	},
	"zh": {
		{Title: "你能做什么？", Message: "你能做什么？"},
		{Title: "上个月的数据", Message: "上个月各地区的销售额是多少？"},
		{Title: "每周一的报告", Message: "每周一早上9点把上周各地区的销售额发给我"},
		{Title: "我的定时任务", Message: "我有哪些定时任务？"},
	},
}

// greet shows who has opened a pane what they may say, in the language of their
// Slack.
func (s *Slack) greet(ctx context.Context, p bot.Place, user string) error {
	if s.people.get(user).locale == "" {
		if _, err := s.askWho(ctx, user); err != nil {
			s.log.Debug("slack user not known", "user", user, "err", err)
		}
	}
	lang := s.langOf(user)
	return s.paced(ctx, "assistant.threads.setSuggestedPrompts", p.Channel, func() error {
		return s.api.SetAssistantThreadsSuggestedPromptsContext(ctx, slack.AssistantThreadsSetSuggestedPromptsParameters{
			ChannelID: p.Channel, ThreadTS: p.Thread, Prompts: prompts[lang],
			Title: say(lang, "Hello! What can I do for you?", "你好！我能帮你做什么？"),
		})
	})
}
