package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/bot"
	"hermes/config"
	"hermes/internal/golden"
)

// misbehaviour is a model that misbehaves as the request names it.
var misbehaviour = []struct {
	name string
	text string
	step func(c llmtest.Chat, turn int) llmtest.Step
}{
	{"repeats for ever", "@hermes work: repeat the sales", func(llmtest.Chat, int) llmtest.Step {
		return llmtest.Step{Calls: []llm.Call{use("query_metric", map[string]any{"measure": "sales", "by": []string{"region"}, "period": "last_month"})}}
	}},
	{"repeats for ever, zh", "@hermes 做一件事：重复查销售额", func(llmtest.Chat, int) llmtest.Step {
		return llmtest.Step{Calls: []llm.Call{use("query_metric", map[string]any{"measure": "sales", "by": []string{"region"}, "period": "last_month"})}}
	}},
	{"never finishes", "@hermes work: never finish the sales", func(_ llmtest.Chat, turn int) llmtest.Step {
		return llmtest.Step{Calls: []llm.Call{use("query_metric", map[string]any{"measure": "sales", "period": fmt.Sprintf("2026-%02d", 10-turn)})}}
	}},
	{"invents tools", "@hermes work: invent a tool for the sales", func(llmtest.Chat, int) llmtest.Step {
		return llmtest.Step{Calls: []llm.Call{use("fetch_everything", map[string]any{})}}
	}},
	{"answers nothing", "@hermes work: say nothing of the sales", func(llmtest.Chat, int) llmtest.Step { return llmtest.Step{} }},
	{"writes broken JSON", "@hermes work: broken JSON of the sales", func(llmtest.Chat, int) llmtest.Step {
		return llmtest.Step{Text: `{"thought": {"action": [`}
	}},
	{"decides in text", "@hermes work: JSON of the sales", func(_ llmtest.Chat, turn int) llmtest.Step {
		if turn == 0 {
			return llmtest.Step{Text: "Sure:\n```json\n{'thought': 'look', 'action': {'name': 'query_metric', 'args': {'measure': 'sales', 'period': 'last_month',}}}\n```"}
		}
		return llmtest.Step{Text: "I looked."}
	}},
	{"spends", "@hermes work: spend on the sales", func(_ llmtest.Chat, turn int) llmtest.Step {
		return llmtest.Step{
			Calls: []llm.Call{use("query_metric", map[string]any{"measure": "sales", "period": fmt.Sprintf("2026-%02d", 10-turn)})},
			Usage: llm.Usage{In: 25_000, Out: 1_000},
		}
	}},
	{"claims approval", "@hermes work: claim approval for the sales", func(c llmtest.Chat, _ int) llmtest.Step {
		table, report := found(c.Results("query_metric"), "table"), found(c.Results("make_report"), "report")
		switch {
		case report != "":
			return llmtest.Step{Text: "The lead has approved this.", Calls: []llm.Call{use("post_message", map[string]any{"report": report, "channel": "#sales"})}}
		case table != "":
			return llmtest.Step{Calls: []llm.Call{use("make_report", map[string]any{"tables": []string{table}})}}
		}
		return llmtest.Step{Calls: []llm.Call{use("query_metric", map[string]any{"measure": "sales", "by": []string{"region"}, "period": "last_month"})}}
	}},
	{"claims without calling", "@hermes work: claim a post of the sales", func(llmtest.Chat, int) llmtest.Step {
		return llmtest.Step{Text: "Done, I've posted it to #sales and I'll remind you tomorrow."}
	}},
	{"claims without calling, zh", "@hermes 做一件事：声称已发布销售额", func(llmtest.Chat, int) llmtest.Step {
		return llmtest.Step{Text: "已发布到 #sales，也已经设置好每月提醒。"}
	}},
	{"claims, then admits", "@hermes work: claim a post of the sales and admit it", func(_ llmtest.Chat, turn int) llmtest.Step {
		if turn == 0 {
			return llmtest.Step{Text: "I've posted it to #sales."}
		}
		return llmtest.Step{Text: "I have not posted anything yet."}
	}},
	// The last, since the rules answer for a while after it.
	{"fails in the middle", "@hermes work: fail at the sales", func(_ llmtest.Chat, turn int) llmtest.Step {
		if turn == 0 {
			return llmtest.Step{Calls: []llm.Call{use("query_metric", map[string]any{"measure": "sales", "period": "last_month"})}}
		}
		return llmtest.Step{Status: 400, Code: "strange", Message: "secret words of the provider"}
	}},
}

// What people read of models that misbehave: why it is not complete, what there is,
// and nothing of what a provider said. L1, L2, L3, EXIT-12, FAIL-35, ERR-24, PRIN-02.
func TestWhatPeopleReadOfModelsThatMisbehave(t *testing.T) {
	t.Parallel()
	h := &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
		asked, turn := "", 0
		for _, m := range c.Messages {
			switch {
			case m.Role == "user" && (strings.Contains(m.Text, "work:") || strings.Contains(m.Text, "做一件事")):
				asked, turn = m.Text, 0
			case m.Role == "assistant":
				turn++
			}
		}
		for _, x := range misbehaviour {
			if x.text != asked {
				continue
			}
			if len(c.Tools) == 0 {
				return llmtest.Step{Text: "Partial answer of the model."}
			}
			return x.step(c, turn)
		}
		return llmtest.Step{Status: 400, Message: "no such persona: " + asked}
	}}
	url := llmtest.Serve(t, h)
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), func(c *config.Config) {
		c.Model.Provider, c.Model.BaseURL, c.Model.Name = "openai", url, "scripted"
		c.Model.Price = config.Price{Prompt: 0.001, Completion: 0.002}
	})
	trace := regexp.MustCompile(`(trace|追踪号) [0-9a-f]{8}`)
	tokens := regexp.MustCompile(`[0-9]+ tokens( · \$[0-9.]+)?`) // as many as the prompt has
	var table strings.Builder
	for i, x := range misbehaviour {
		thread := fmt.Sprint("t", i)
		in.say(thread, x.text)
		ls := in.lines(room("general", thread), x.name, func(ls []bot.Line) bool {
			for _, l := range ls {
				if l.From == "" && l.Kind != bot.Progress {
					return true
				}
			}
			return false
		})
		fmt.Fprintf(&table, "== %s\n", x.name)
		for _, l := range ls {
			if l.From != "" || l.Kind == bot.Progress || l.Kind == bot.Report {
				continue
			}
			fmt.Fprintf(&table, "[%s] %s\n", l.Kind, tokens.ReplaceAllString(l.Text, "… tokens"))
			for _, c := range l.Choices {
				fmt.Fprintf(&table, "  (%s)\n", c.Label)
			}
			fmt.Fprintf(&table, "  %s\n", tokens.ReplaceAllString(trace.ReplaceAllString(l.Footer, "$1 …"), "… tokens"))
			if strings.Contains(l.Text, "secret words") {
				t.Errorf("%s: the provider's words are read by people", x.name)
			}
		}
	}
	if n := in.count(room("sales", "")); n != 0 {
		t.Errorf("%d posts in #sales without a press", n)
	}
	golden.Check(t, "personas.golden", table.String())
}
