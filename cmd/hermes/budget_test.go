package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/internal/fakeslack"
)

// configured is an office whose program has a file.
func configured(t *testing.T, h *llmtest.Handler, file string) *office {
	t.Helper()
	o := newOffice(t, fakeslack.Options{}, "OPENAI_BASE_URL="+llmtest.Serve(t, h), "OPENAI_API_KEY="+llmtest.Secret, "HERMES_MODEL_NAME=scripted",
		"HERMES_MODEL_PRICE_PROMPT_PER_1K=0.01", "HERMES_MODEL_PRICE_COMPLETION_PER_1K=0.01")
	o.kill()
	put(t, filepath.Join(o.data, "hermes.yaml"), file)
	o.start()
	o.hears()
	return o
}

// X8, SAFE-04 Scripted spend: at four fifths who asked and the admin are told, once; at the
// limit the run says which budget it was, until when and who can raise it; the admin
// raises it in words, which the audit has, and Continue goes on.
func TestX8SAFE04SpendInSlack(t *testing.T) {
	t.Parallel()
	h := &llmtest.Handler{Key: llmtest.Secret, Reply: func(llmtest.Chat) llmtest.Step {
		return llmtest.Step{Text: "It is as it was.", Usage: llm.Usage{In: 39_000, Out: 1_000}} // $0.40
	}}
	o := configured(t, h, "budgets:\n  - {per: user, usd: 1.00}\n")
	name := "user/day:slack:" + fakeslack.Team + ":" + ana
	for i := range 3 {
		o.answer(o.says("ana", "general", fmt.Sprintf("@hermes how do things stand in case %d?", i)), "It is as it was.")
	}
	warned := func(only string) int {
		return o.count(func(m fakeslack.Message) bool {
			return m.Mine() && strings.Contains(m.Shown(), "of a budget is used") && (m.Only == ana) == (only == ana)
		})
	}
	o.until("both warnings", func() bool { return warned(ana) == 1 && warned(leo) == 1 })
	if text := o.privately("of a budget is used").Shown(); !strings.Contains(text, "80% of a budget is used (") || !strings.Contains(text, "today: $0.80 of $1.00") || !strings.Contains(text, "budget raise "+name) {
		t.Errorf("the admin is told %q", text)
	}

	calls := len(h.Heard())
	root := o.says("ana", "general", "@hermes how do things stand in the last case?")
	end := o.answer(root, "a budget is used up")
	for _, part := range []string{"You, today: $1.20 of $1.00", "It begins anew on ", "<@" + leo + "> can raise it"} {
		if !strings.Contains(end.Shown(), part) {
			t.Errorf("the end lacks %q:\n%s", part, end.Shown())
		}
	}
	if n := len(h.Heard()); n != calls {
		t.Errorf("%d calls were made beyond the limit", n-calls)
	}
	if warned(ana) != 1 || warned(leo) != 1 {
		t.Errorf("warned %d and %d times", warned(ana), warned(leo))
	}

	o.answer(o.says("ana", "dm", "budget raise "+name+" to $5"), "not yours to decide")
	o.answer(o.says("leo", "dm", "raise the budget of "+ana+" to $5"), "Raised. ")
	o.press("ana", end, "Continue")
	o.answer(root, "It is as it was.")

	if out := o.command("audit", "show", "--what", "budget raised"); !strings.Contains(out, name) || !strings.Contains(out, "usd:5.0000") || !strings.Contains(out, leo) {
		t.Errorf("the audit has\n%s", out)
	}
	if out := o.command("audit", "show", "--what", "refused"); !strings.Contains(out, ana) {
		t.Errorf("the audit has nothing of who tried:\n%s", out)
	}
	if out := o.command("budget", "list"); !strings.Contains(out, name) || !strings.Contains(out, "$1.60 of $5.00") {
		t.Errorf("budget list says\n%s", out)
	}
	if _, err := o.fake.Human("ana").Slash("general", "/hermes", "budget list"); err != nil {
		t.Fatal(err)
	}
	if text := o.privately("Budgets").Shown(); !strings.Contains(text, "you, today") || !strings.Contains(text, "$1.60 of $5.00") {
		t.Errorf("/hermes budget list says %q", text)
	}
}

// X7 Who has no right to a tool: the model is not told of it, a call of it is refused,
// and nothing is asked. Who has it goes on as ever.
func TestX7RightsInSlack(t *testing.T) {
	t.Parallel()
	h := &llmtest.Handler{Key: llmtest.Secret, Reply: func(c llmtest.Chat) llmtest.Step {
		switch results := c.Results("take_back"); {
		case len(c.Results("")) == 0 && strings.Contains(c.Last("user"), "take"):
			return llmtest.Step{Calls: []llm.Call{use("take_back", map[string]any{})}}
		case len(results) > 0 && strings.Contains(results[0], "there is no tool"):
			return llmtest.Step{Text: "There is no such tool here."}
		}
		return llmtest.Step{Text: "Done with it."}
	}}
	o := configured(t, h, "rights:\n  - {tools: [take_back, schedule_*], users: ['slack:"+fakeslack.Team+":"+leo+"'], channels: ['slack:"+fakeslack.Team+":*']}\n")
	told := func() []string {
		var names []string
		for _, tl := range h.Heard()[len(h.Heard())-1].Tools {
			names = append(names, tl.Name)
		}
		return names
	}
	o.answer(o.says("ana", "general", "@hermes take that back, please"), "There is no such tool here.")
	for _, hidden := range []string{"take_back", "schedule_add", "schedule_change"} {
		if slices.Contains(told(), hidden) {
			t.Errorf("the model of who may not is told of %s: %q", hidden, told())
		}
	}
	if !slices.Contains(told(), "query_metric") {
		t.Errorf("the model is told of %q alone", told())
	}
	o.answer(o.says("leo", "general", "@hermes take that back, please"), "Done with it.")
	if !slices.Contains(told(), "take_back") {
		t.Errorf("the model of who may is told of %q", told())
	}
	if out := o.command("audit", "show", "--what", "refused"); !strings.Contains(out, ana) || !strings.Contains(out, "take_back") || !strings.Contains(out, "rights") {
		t.Errorf("the audit has\n%s", out)
	}
	for who, want := range map[string]string{ana: "take_back keep - -", leo: "take_back keep - yes"} {
		out := o.command("tools", "--as", "slack:"+fakeslack.Team+":"+who, "--in", "slack:"+fakeslack.Team+":C1")
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("tools --as %s says\n%s\nwant %q", who, out, want)
		}
	}
}
