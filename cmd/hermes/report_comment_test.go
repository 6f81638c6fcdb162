package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm/llmtest"
	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/config"
	"hermes/scheduler"
)

// commentator is a vendor that writes the commentary of saved reports as it is told to, and
// refuses all else: the rules do it then.
func commentator(says llmtest.Step) func(llmtest.Chat) llmtest.Step {
	return func(c llmtest.Chat) llmtest.Step {
		if asksComment(c) {
			return says
		}
		return llmtest.Step{Status: http.StatusUnauthorized, Code: "invalid_api_key"}
	}
}

func asksComment(c llmtest.Chat) bool {
	return strings.HasPrefix(c.Last("system"), "You write the comment under the figures")
}

// Issue 6: a schedule runs a saved report with a language model of the real protocol, in
// both languages. What the model makes up is struck out, and a person looks before it is
// posted; with the model down the report comes all the same, without a commentary, and the
// run says so. The figures are the same each time, and those of plain SQL.
func TestAScheduledReportWithALanguageModel(t *testing.T) {
	t.Parallel()
	for lang, tt := range map[string]struct {
		make, save, plan, saved, planned, period string
		honest, made, heading, without           string
	}{
		"en": {
			"summarise last month's sales by region", "save this as report Board Numbers",
			"every month on the 1st at 9:00 run the board-numbers report and post it to #sales",
			"Saved as the report", "Scheduled as", "November 2026",
			"A calm month for all of them.", "Returns came to $7,654,321.", "## Comment", "without the commentary",
		},
		"zh": {
			"把上个月的销售额按地区汇总，写一份报告", "把这个存成报表，叫地区销售",
			"每月1号上午9点运行报表地区销售，发到 #sales",
			"已存为报表", "已设置定时任务", "2026年11月",
			"各地区都很平稳。", "退货共 $7,654,321。", "## 评述", "没有评述",
		},
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			tables := map[string]string{}
			for _, how := range []string{"honest", "made up", "down"} {
				says := map[string]llmtest.Step{
					"honest": {Text: tt.honest}, "made up": {Text: tt.honest + " " + tt.made},
					"down": {Status: http.StatusServiceUnavailable, Message: "overloaded"},
				}[how]
				h := &llmtest.Handler{Reply: commentator(says)}
				url := llmtest.Serve(t, h)
				in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), func(c *config.Config) {
					c.Model.Provider, c.Model.BaseURL, c.Model.Name, c.Model.Attempts = "openai", url, "scripted", 1
				})
				home, sales := room("general", "t1"), room("sales", "")
				in.say("t1", tt.make)
				in.sees(home, "2026")
				in.say("t1", tt.save)
				in.sees(home, tt.saved)
				all, err := in.db.Reports().All(t.Context())
				if err != nil || len(all) != 1 {
					t.Fatalf("reports = %v, %v", all, err)
				}
				in.edit(all[0].Name, func(p *playbook.Playbook) { p.Commentary = &playbook.Commentary{} })
				in.say("t1", tt.plan)
				card := in.card("t1")
				in.press(card, demoLead, run.Always)
				in.sees(home, tt.planned)

				in.set(time.Date(2026, 12, 1, 8, 0, 20, 0, time.UTC))
				if _, err := in.scheduler.Look(t.Context()); err != nil {
					t.Fatal(err)
				}
				if how == "made up" {
					asked := in.cardOther("t1", card.Question)
					if !strings.Contains(asked.Text, "7,654,321") {
						t.Errorf("the card does not say what is made up:\n%s", asked.Text)
					}
					in.press(asked, demoLead, run.Yes)
				}
				posted := in.sees(sales, tt.period)
				in.isPlain(posted.Text, "2026-11-01", "2026-12-01")
				slots := in.slots(in.job().ID, scheduler.Ran)
				r, ok, err := in.db.Runs().Run(t.Context(), slots[0].Run)
				if err != nil || !ok || r.State != run.Done {
					t.Fatalf("run = %v %v, %v", r.State, ok, err)
				}
				if !slices.ContainsFunc(h.Heard(), asksComment) {
					t.Error("the model was not asked for a commentary")
				}
				commented := how == "honest" || how == "made up"
				if got := strings.Contains(posted.Text, tt.heading); got != commented {
					t.Errorf("%s: commentary %v, want %v:\n%s", how, got, commented, posted.Text)
				}
				if got := strings.Contains(posted.Text, "~~$7,654,321~~"); got != (how == "made up") || strings.Count(posted.Text, "7,654,321") > 1 {
					t.Errorf("%s: struck out %v:\n%s", how, got, posted.Text)
				}
				if got := strings.Contains(r.Outcome.Text, tt.without); got == commented {
					t.Errorf("%s: the run says %q", how, r.Outcome.Text)
				}
				bare := strings.TrimSpace(posted.Text)
				if before, after, found := strings.Cut(bare, tt.heading); found {
					_, rest, _ := strings.Cut(after, "\n---")
					bare = before + "---" + rest
				}
				tables[how] = bare
			}
			for how, text := range tables {
				if text != tables["down"] {
					t.Errorf("the figures of %q are others than without a model:\n%s\n\nthan\n%s", how, text, tables["down"])
				}
			}
		})
	}
}
