package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/run"
	"hermes/bot"
)

// A counter is a desk that shows one run to ana alone.
type counter struct {
	bot.Desk
	view  bot.RunView
	steps []bot.StepView
}

func (c counter) Run(_ context.Context, viewer, trace string) (bot.RunView, []bot.StepView, error) {
	if viewer != ana || trace != c.view.Trace {
		return bot.RunView{}, nil, fmt.Errorf("trace %s: %w", trace, bot.ErrNoRun)
	}
	return c.view, c.steps, nil
}

// Who asks why is told the steps in words, whose word they came under, who thought and
// what it cost: to them alone, and without what the tools said. Who may not see the
// run is told only that.
func TestWhyTellsWhatAnAnswerRestsOn(t *testing.T) {
	view := bot.RunView{Trace: run.TraceOf("m1"), Key: "m1", Asker: ana, Model: "rules", In: 100, Out: 20, Nanos: 1_200_000_000, Lang: "en"}
	steps := []bot.StepView{
		{N: 1, Call: `query_metric {"measure":"sales","by":["region"],"period":"last_month"}`, Result: `{"source":"shop","secret":"4711"}`},
		{N: 1, Call: `query_metric {"measure":"orders"}`, Result: "no such table", Failed: true},
		{N: 2, Call: `post_message {"channel":"#sales"}`, Result: "posted", Under: "q", By: lee, Ruling: bot.Approved},
		{N: 3, Said: "Sales were 4711."},
	}
	zh := view
	zh.Lang, zh.Model, zh.Nanos = "zh", "gpt", 0
	many := make([]bot.StepView, 15)
	for i := range many {
		many[i] = steps[0]
	}
	for name, tt := range map[string]struct {
		by   string
		desk bot.Desk
		want string
	}{
		"all of it": {ana, counter{view: view, steps: steps}, "**Why this answer?**\n" +
			"- Look up figures: sales · region · last month\n- Look up figures: orders (failed)\n- Post: #sales (approved by Lee)\n" +
			"Figures from: shop\nThought by: built-in rules, no language model\nCost: 100 tokens in, 20 out · $1.2000\nTrace " + view.Trace +
			"\nAll of it: https://hermes.test/runs/" + view.Trace},
		"words alone, Chinese": {ana, counter{view: zh, steps: steps[3:]}, "**为什么这样回答？**\n没有用工具，只是文字回答。\n思考者：gpt\n花费：输入 100 tokens，输出 20\n" +
			"追踪号 " + view.Trace + "\n全部内容：https://hermes.test/runs/" + view.Trace},
		"many steps": {ana, counter{view: bot.RunView{Trace: view.Trace}, steps: many}, "**Why this answer?**\n" + strings.Repeat("- Look up figures: sales · region · last month\n", 12) +
			"- … and 3 more\nFigures from: shop\nTrace " + view.Trace + "\nAll of it: https://hermes.test/runs/" + view.Trace},
		"to who may not see": {gus, counter{view: view, steps: steps}, "Only who asked, and those who may see their work, are told why."},
		"without a desk":     {ana, nil, "Only who asked, and those who may see their work, are told why."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := policed(bot.Policy{})
				s.desk, s.cfg.Console = tt.desk, "https://hermes.test/"
				r := start(t, s)
				r.click(bot.Click{Place: here, From: tt.by, Why: "m1"})
				if d := cmp.Diff([]string{tt.want}, r.whispers(here, tt.by)); d != "" {
					t.Errorf("hears (-want +got):\n%s", d)
				}
				if strings.Contains(fmt.Sprint(r.chat.Posts()), "4711") {
					t.Error("what a tool said is told")
				}
			})
		})
	}
}

// A4: a judgement is kept, the last one counts, and each press is answered to who made
// it alone, in the language of the answer: who thinks otherwise now reads that this is
// what is kept.
func TestA4AJudgementIsKeptAndEachPressAnswered(t *testing.T) {
	for text, want := range map[string][2]string{
		"export the list": {"Thank you. I have kept that this helped.", "Thank you. I have kept that this did not help. If you say here what was wrong, I try again."},
		"导出数据":            {"谢谢，我已记下这个回答有用。", "谢谢，我已记下这个回答没有用。请在这里说说哪里不对，我再试一次。"},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, setup{})
			r.hear("m1", here, text)
			for _, good := range []bool{true, false, true, false} {
				pass(time.Second)
				r.click(bot.Click{Place: here, From: ana, Rates: "m1", Good: good})
			}
			r.click(bot.Click{Place: here, From: gus, Rates: "m1", Good: true})
			if d := cmp.Diff([]string{want[0], want[1], want[0], want[1]}, r.whispers(here, ana)); d != "" {
				t.Errorf("thanks (-want +got):\n%s", d)
			}
			if d := cmp.Diff([]string{want[0]}, r.whispers(here, gus)); d != "" {
				t.Errorf("thanks to another (-want +got):\n%s", d)
			}
			got := map[string]bool{}
			for _, x := range r.ledger.Ratings() {
				if x.Run != "m1" || x.At.IsZero() {
					t.Errorf("kept %+v", x)
				}
				got[x.Person] = x.Good
			}
			if d := cmp.Diff(map[string]bool{ana: false, gus: true}, got); d != "" {
				t.Errorf("kept (-want +got):\n%s", d)
			}
		})
	}
}

// A command without words gets help; one with words is done, and so is a shortcut,
// whose message goes in as something others said.
func TestCommandsAndShortcutsCallTheBot(t *testing.T) {
	about := &bot.Quote{Key: "q", From: gus, Name: "Gus", Text: "orders are down, do as I say", Link: "https://x", At: time.Date(1999, 12, 31, 9, 0, 0, 0, time.UTC)}
	for name, tt := range map[string]struct {
		m    bot.Message
		text string // of the run; none if empty
		says string
	}{
		"a command alone":      {bot.Message{Via: bot.ByCommand}, "", "I get work done in this chat."},
		"a command":            {bot.Message{Via: bot.ByCommand, Text: "export the list"}, "export the list", "done with m1"},
		"a shortcut":           {bot.Message{Via: bot.ByShortcut, About: about}, "Explain this message in short, and say what could be done about it.", "done with m1"},
		"a shortcut, Chinese":  {bot.Message{Via: bot.ByShortcut, About: &bot.Quote{Text: "订单下降了"}}, "简要解释这条消息，并说明可以怎么处理。", "done with m1"},
		"a shortcut and words": {bot.Message{Via: bot.ByShortcut, About: about, Text: "翻译一下"}, "翻译一下", "done with m1"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{cfg: bot.Config{Gather: time.Hour}})
				tt.m.Key, tt.m.Place, tt.m.From, tt.m.At = "m1", here, ana, time.Now()
				r.receive(tt.m)
				if got := r.said(here); len(got) != 1 || !strings.HasPrefix(got[0], tt.says) {
					t.Errorf("said %q, want %q", got, tt.says)
				}
				if tt.text == "" {
					return
				}
				m1 := r.run("m1")
				if m1.Text != tt.text {
					t.Errorf("asked for %q, want %q", m1.Text, tt.text)
				}
				if tt.m.About != nil && (len(m1.Request.Heard) != 1 || m1.Request.Heard[0].Text != tt.m.About.Text || m1.Request.Heard[0].From != tt.m.About.From) {
					t.Errorf("heard %+v", m1.Request.Heard)
				}
			})
		})
	}
}
