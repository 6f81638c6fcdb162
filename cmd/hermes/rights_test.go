package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/config"
	"hermes/internal/sample"
	"hermes/memory"
)

// keptSource has the sample's figures kept to Ana, in #sales and where she is alone.
func keptSource(c *config.Config) {
	atOnce(c)
	c.Rights = []config.Right{{Sources: []string{sample.Layer().Name}, Users: []string{anaInDemo}, Channels: []string{"web:demo:sales", "direct"}}}
}

// X7 Of a source that is not theirs people hear nothing: neither the built-in rules nor
// what a model is told know a word of it, and its measures are as any that are not known.
func TestX7ASourceIsKnownToWhoMayUseIt(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), keptSource)
	measure := sample.Layer().Measures[0].Name
	ask := func(who, home string) (tool.Result, []tool.Spec) {
		t.Helper()
		v := tool.Viewer{Person: who, Home: home, Lang: "en"}
		catalog := tool.NewCatalog(in.tools, in.time)
		catalog.May = in.rights.MayUse
		res, err := in.tools.Lookup("query_metric").Run(t.Context(), tool.Call{
			ID: "c/" + who + home, Run: "c", Asker: who, Home: home, Lang: "en", Now: in.time(), Zone: "UTC", Args: []byte(`{"measure":"` + measure + `"}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		return res, catalog.For(t.Context(), v, "", 50, nil)
	}
	knows := func(specs []tool.Spec) bool {
		return slices.ContainsFunc(specs, func(s tool.Spec) bool {
			return strings.Contains(s.Text(), sample.Layer().Name) || s.Name == "query_metric"
		})
	}
	for name, tt := range map[string]struct {
		who  string
		home bot.Place
		want bool
	}{
		"hers, alone":            {anaInDemo, room("dm-ana", ""), true},
		"hers, in the channel":   {anaInDemo, room("sales", "t1"), true},
		"hers, in another":       {anaInDemo, room("general", "t1"), false},
		"somebody else's":        {demoLead, room("sales", "t1"), false},
		"somebody else's, alone": {demoLead, room("dm-lead", ""), false},
	} {
		res, specs := ask(tt.who, tt.home.String())
		if res.Failed == tt.want || knows(specs) != tt.want {
			t.Errorf("%s: result %q, told of %v", name, res.Text, knows(specs))
		}
		if !tt.want && !strings.Contains(res.Text, "there is no measure") {
			t.Errorf("%s: %q", name, res.Text)
		}
	}

	in.sayAs(anaInDemo, "t9", "sales last month by region")
	in.lines(room("general", "t9"), "an answer", func(ls []bot.Line) bool {
		return slices.ContainsFunc(ls, func(l bot.Line) bool {
			return l.From == "" && l.Kind == bot.Answer && !strings.Contains(l.Text, "Asia")
		})
	})
}

// X7 What comes from a source that is kept to some is posted only where a rule lets it be
// read, whoever approves.
func TestX7APostKeepsTheAudienceOfItsSource(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		channels []string
		posts    bool
	}{
		"a rule names the channel": {[]string{"web:demo:sales", "web:demo:general"}, true},
		"none does":                {[]string{"direct", "web:demo:general"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), func(c *config.Config) {
				atOnce(c)
				c.Rights = []config.Right{{Sources: []string{sample.Layer().Name}, Users: []string{anaInDemo}, Channels: tt.channels}}
			})
			in.say("t1", "summarise last month's sales by region and post it to #sales")
			if !tt.posts {
				in.sees(room("general", "t1"), "may not be posted to #sales")
				return
			}
			in.press(in.card("t1"), demoLead, "approve")
			in.sees(room("sales", ""), "Asia")
		})
	}
}

// Issue 5: what somebody has told in a direct message reaches no channel: neither what is
// asked there, nor what a schedule that was made in private posts there.
func TestDirectMemoryReachesNoChannel(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	mem := memory.New(in.db.Facts(), in.time)
	const secret = "my budget for Project Zebra is forty thousand"
	_, err := mem.Remember(t.Context(), memory.Fact{
		Subject: "Project Zebra", Predicate: "note", Object: secret, Text: secret, Kind: "stated", Source: "m1", By: anaInDemo, Said: in.time(),
		Place: room("dm-ana", "").String(), Audience: memory.Audience{Kind: memory.ForUser, ID: anaInDemo},
	})
	if err != nil {
		t.Fatal(err)
	}
	recall := recaller{mem, memory.NewWorking(in.time), in.see, in.time, nil}
	for name, tt := range map[string]struct {
		asker  string
		home   bot.Place
		expect string
		want   bool
	}{
		"in the direct message itself":              {anaInDemo, room("dm-ana", ""), "", true},
		"in a channel":                              {anaInDemo, room("general", "t1"), "", false},
		"in a slot that answers in private":         {anaInDemo, room("dm-ana", ""), "", true},
		"in a slot that posts to a channel":         {anaInDemo, room("dm-ana", ""), room("sales", "").String(), false},
		"for somebody else, in their own":           {demoLead, room("dm-lead", ""), "", false},
		"for somebody else, in the very same place": {demoLead, room("dm-ana", ""), "", false},
	} {
		req := run.Request{Key: "k", Asker: tt.asker, Home: tt.home.String(), Expect: tt.expect, Text: "what is the budget for Project Zebra?", Now: in.time()}
		facts, err := recall.Recall(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(facts, func(f llm.Fact) bool { return f.Object == secret }); got != tt.want {
			t.Errorf("%s: recalled %t, want %t", name, got, tt.want)
		}
		res, err := in.tools.Lookup("memory_list").Run(t.Context(), run.Run{Request: req}.ToolCall(llm.Call{ID: "c", Args: []byte(`{}`)}))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(res.Text, secret); got != tt.want {
			t.Errorf("%s: listed %t, want %t: %s", name, got, tt.want, res.Text)
		}
	}
}

// SAFE-05 With a guardrail off no tool that writes is there, for anybody; what only reads
// goes on.
func TestSAFE05WithAGuardrailOffNothingWrites(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		off  func(*config.Config)
		says string
	}{
		"no lexical screen": {func(c *config.Config) { c.Safety.Words = []string{} }, "the lexical screen is off (safety.words is empty)"},
		"no budget":         {func(c *config.Config) { c.Loop.BudgetTokens = 0 }, "the budget breaker is off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), func(c *config.Config) { atOnce(c); tt.off(c) })
			if got := sayOff(in.rights.off); !strings.Contains(got, tt.says) {
				t.Errorf("it says %q", got)
			}
			for _, s := range in.tools.Specs() {
				if got := in.rights.MayUse(t.Context(), tool.Viewer{Person: demoLead}, s); got != (s.Does() == tool.Read) {
					t.Errorf("%s (%s) is offered: %t", s.Name, s.Does(), got)
				}
			}
			in.say("t1", "sales last month by region")
			in.sees(room("general", "t1"), "Asia")
			in.say("t2", "summarise last month's sales by region and post it to #sales")
			in.sees(room("general", "t2"), "post_message is not available")
		})
	}
}

// `hermes check` says in words who may use what and what may be spent, and what of it is
// named wrong or cannot hold; a wrong name keeps the daemon from starting.
func TestCheckSaysTheRights(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	put(t, "hermes.yaml", `
rights:
  - {tools: [schedule_*], users: [members, admins]}
  - {tools: [post_mesage], sources: [payrol], channels: ["slack:T1:C1", direct]}
budgets:
  - {per: user, usd: 5}
  - {per: month, tokens: 9000000, warn: 0.5}
model: {provider: openai, base_url: "http://127.0.0.1:1/v1", name: m}
safety: {words: []}
`)
	out, _ := hermesIn(t, "", "check")
	for _, want := range []string{
		"· rights: the tools schedule_*: for members, admins, anywhere\n",
		"· rights: the tools post_mesage and the sources payrol: for everybody, in slack:T1:C1, conversations with one person\n",
		"✗ rights[1].tools[0]: ", "post_message", "✗ rights[1].sources[0]: there is no source \"payrol\"",
		"· budget: each user in a day: $5.00, told at 80%\n", "· budget: all together in a month: 9000000 tokens, told at 50%\n",
		"! budgets in dollars cannot hold for openai/m, which has no price",
		"✗ guardrails: no tool that writes is offered: the lexical screen is off (safety.words is empty)",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("check lacks %q:\n%s", want, out)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cfg, err := config.Load("hermes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Data = t.TempDir()
	if _, err := build(ctx, cfg, slog.New(slog.DiscardHandler), time.Now); err == nil || !strings.Contains(err.Error(), "rights[1].tools[0]") {
		t.Errorf("the program is built: %v", err)
	}
}

// What a rule says is read as it is written.
func TestRulesOf(t *testing.T) {
	got := rulesOf([]config.Right{{Tools: []string{"a"}, Sources: []string{"b"}, Users: []string{"c"}, Channels: []string{"d"}, Profiles: []string{"e"}}})
	want := []guard.Right{{Tools: []string{"a"}, Sources: []string{"b"}, Users: []string{"c"}, Channels: []string{"d"}, Profiles: []string{"e"}}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("rules = %v, want %v", got, want)
	}
}
