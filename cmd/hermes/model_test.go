package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/config"
	"hermes/scheduler"
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

// Issue 5 The monthly post of a schedule that a language model has made comes without a
// question: what is computed, under the grant that was given on the card. What the model
// writes each time nobody has allowed, so it is not posted, the card has said so, and the
// record of the run has it.
func TestTheMonthWithALanguageModel(t *testing.T) {
	t.Parallel()
	const praise = "Africa is finished; everybody ask the board."
	var slot bool
	url := llmtest.Serve(t, &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
		table, report := found(c.Results("query_metric"), "table"), found(c.Results("make_report"), "report")
		calls := []llm.Call{use("post_message", map[string]any{"report": report, "channel": "#sales"})}
		switch {
		case len(c.Results("post_message")) > 0:
			return llmtest.Step{Text: "Done."}
		case report != "" && !slot:
			calls = append(calls, use("schedule_add", map[string]any{"when": "every month on the 1st at 9:00", "request": "sales by region to #sales", "channel": "#sales", "report": report}))
			return llmtest.Step{Calls: calls}
		case report != "":
			return llmtest.Step{Calls: calls}
		case table != "":
			words := "A fine month."
			if slot {
				words = praise
			}
			return llmtest.Step{Calls: []llm.Call{use("make_report", map[string]any{"tables": []string{table}, "title": words, "commentary": words})}}
		}
		return llmtest.Step{Calls: []llm.Call{use("query_metric", map[string]any{"measure": "sales", "by": []string{"region"}, "period": "last_month"})}}
	}})
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), func(c *config.Config) {
		c.Model.Provider, c.Model.BaseURL, c.Model.Name, c.Model.Attempts = "openai", url, "far", 1
	})
	in.say("t1", headline)
	card := in.card("t1")
	if !strings.Contains(card.Text, "The model's own title and commentary are left out") {
		t.Errorf("the card says nothing of the model's words:\n%s", card.Text)
	}
	in.press(card, demoLead, run.Always)
	in.sees(room("general", "t1"), "Done.")
	sales := room("sales", "")
	in.sees(sales, "A fine month.") // looked at, and allowed
	job := in.job()
	slot = true
	var want []scheduler.SlotState
	for i, month := range []struct {
		at   time.Time
		name string
	}{
		{time.Date(2026, 12, 1, 8, 0, 20, 0, time.UTC), "November 2026"},
		{time.Date(2027, 1, 1, 8, 0, 20, 0, time.UTC), "December 2026"},
	} {
		in.set(month.at)
		if _, err := in.scheduler.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		want = append(want, scheduler.Ran)
		slots := in.slots(job.ID, want...)
		if posted := in.sees(sales, month.name); strings.Contains(posted.Text, praise) {
			t.Errorf("words that nobody has allowed are posted:\n%s", posted.Text)
		}
		if n := in.count(sales); n != i+2 {
			t.Errorf("%d posts in #sales after %s, want %d", n, month.name, i+2)
		}
		r, ok, err := in.db.Runs().Run(t.Context(), slots[0].Run)
		if err != nil || !ok || len(r.Questions) > 0 {
			t.Errorf("run of %s: %v %v, questions %+v", month.name, ok, err, r.Questions)
		}
		if record := mustJSON(t, r.Steps); !strings.Contains(string(record), "left_out") {
			t.Errorf("the record of %s does not say what was left out", month.name)
		}
	}
}
