package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/config"
)

// FAIL-08, FAIL-01 A run that went round without an end is explained: the cause, and
// for each round what the tool said, what the model wrote and what it read then.
func TestFAIL08Diagnose(t *testing.T) {
	t.Parallel()
	url := llmtest.Serve(t, &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
		if len(c.Tools) == 0 {
			return llmtest.Step{Text: "Partial."}
		}
		return llmtest.Step{Calls: []llm.Call{use("query_metric", map[string]any{"measure": "sales", "period": "last_month"})}}
	}})
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), func(c *config.Config) {
		c.Model.Provider, c.Model.BaseURL, c.Model.Name = "openai", url, "scripted"
	})
	in.say("t", "@hermes check the sales again and again")
	ls := in.lines(room("general", "t"), "the end", func(ls []bot.Line) bool {
		return len(ls) > 0 && ls[len(ls)-1].From == "" && ls[len(ls)-1].Kind == bot.Trouble
	})
	var out strings.Builder
	r, err := in.db.Journal().Trace(t.Context(), ls[len(ls)-1].Trace)
	if err != nil {
		t.Fatal(err)
	}
	if err := explain(&out, traced{Run: r}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"repeated: ", "cause: weak model", "round 1", "the tool said:   {\"table\":", "the model wrote: query_metric{", "it read then:    ⟦tool query_metric",
		"not run: the round before made this very call", "prompt and tools: p",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("diagnose does not say %q:\n%s", want, out.String())
		}
	}
}

// An id that names no run is said once, and an empty one is said to be that.
func TestAnIDThatIsNoneIsSaidOnce(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	if err := os.Mkdir("data", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range []string{"diagnose", "trace"} {
		for id, want := range map[string]string{"nonsense": "trace nonsense: no such run\n  hint: ", "": "the id is empty\n  hint: ", " ": "the id is empty\n  hint: "} {
			if _, err := hermesIn(t, "", cmd, id, "--data", "data"); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s %q = %v, want %q", cmd, id, err, want)
			}
		}
	}
}

// ERR-01: where nothing is suggested, nothing is said to be.
func TestERR01NoEmptySuggestionIsShown(t *testing.T) {
	var out strings.Builder
	p := printer{w: &out}
	p.result(run.Result{Error: &tool.Error{Type: tool.InputError, Attempt: 1}})
	p.result(run.Result{Error: &tool.Error{Type: tool.InputError, Attempt: 2, Suggestion: "ask"}})
	if got := out.String(); strings.Contains(got, "suggested: \n") || !strings.Contains(got, "in try 1\n") || !strings.Contains(got, "in try 2; suggested: ask\n") {
		t.Errorf("it says\n%s", got)
	}
}
