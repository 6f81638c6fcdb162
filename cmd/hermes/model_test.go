package main

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
)

// colleague is a model that does the main job as a good one would: figures, a report
// with a remark of its own, then post and schedule on one card, then words. What it
// says follows from what the tools have said.
func colleague(c llmtest.Chat) llmtest.Step {
	last := c.Last("user")
	if !strings.Contains(last, "sales") && !strings.Contains(last, "销售") {
		return llmtest.Step{Text: "Good morning!"}
	}
	table, report := found(c.Results("query_metric"), "table"), found(c.Results("make_report"), "report")
	posted := c.Results("post_message")
	switch {
	case len(posted) > 0 && strings.Contains(posted[0], `"posted":true`):
		return llmtest.Step{Text: "Done: it stands in #sales, and comes every month.", Usage: llm.Usage{In: 900, Out: 20}}
	case len(posted) > 0:
		return llmtest.Step{Text: "Not posted, as you wish."}
	case report != "":
		return llmtest.Step{Calls: []llm.Call{
			use("post_message", map[string]any{"report": report, "channel": "#sales"}),
			use("schedule_add", map[string]any{"when": "every month on the 1st at 9:00", "request": "sales by region to #sales", "channel": "#sales", "report": report}),
		}}
	case table != "":
		return llmtest.Step{Calls: []llm.Call{use("make_report", map[string]any{
			"tables": []string{table}, "commentary": "A remark with a number that nobody measured: 1,234,567.",
		})}}
	default:
		return llmtest.Step{Text: "Let me look.", Calls: []llm.Call{use("query_metric", map[string]any{
			"measure": "sales", "by": []string{"region"}, "period": "last_month", "compare": []string{"previous_period"},
		})}}
	}
}

func use(name string, args map[string]any) llm.Call {
	b, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return llm.Call{Name: name, Args: b}
}

// found returns a property of the last result that has it. What a model reads has
// lines of the house around the tool's own.
func found(results []string, property string) string {
	value := ""
	for _, r := range results {
		for line := range strings.SplitSeq(r, "\n") {
			var v map[string]any
			if json.Unmarshal([]byte(line), &v) == nil {
				if s, ok := v[property].(string); ok {
					value = s
				}
			}
		}
	}
	return value
}

// A language model of either protocol does the main job through the same loop, card
// and approval; what it makes up is struck out of the report; and a step that is on
// disk is not asked for again after a kill.
func TestMainJobWithALanguageModel(t *testing.T) {
	t.Parallel()
	for vendor, env := range map[string][2]string{
		"openai": {"OPENAI_BASE_URL", "OPENAI_API_KEY"}, "anthropic": {"ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"},
	} {
		t.Run(vendor, func(t *testing.T) {
			t.Parallel()
			h := &llmtest.Handler{Reply: colleague, Key: llmtest.Secret}
			d := newDaemon(t, env[0]+"="+llmtest.Serve(t, h), env[1]+"="+llmtest.Secret, "HERMES_MODEL_NAME=scripted")
			b := newBrowser(t, d)
			b.sayIn("general", "@hermes summarise last month's sales by region, post it to #sales, and do this every month on the 1st at 9:00")
			b.sees(".pane .card", "Post now and monthly until")
			b.sees(".pane .card del", "1,234,567")
			thread := b.path()
			d.kill()
			d.start()
			b.as("lead")
			b.open(thread)
			b.press("Post now and monthly until")
			b.sees(".pane .line", "it stands in #sales")
			b.sees(".pane .line .small", vendor+"/scripted")
			b.shot("model-" + vendor)
			b.open("/c/sales")
			b.sees("main .line.bot table", "Asia")
			b.has("main .line.bot .picture img", 1)
			if heard := h.Heard(); len(heard) != 4 {
				t.Errorf("the model was asked %d times, want 4: a step that is on disk is not asked again", len(heard))
			}
			if strings.Contains(d.log.text(), llmtest.Secret) {
				t.Error("the key stands in the log")
			}
		})
	}
}
