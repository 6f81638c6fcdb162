package slack_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
	"hermes/bot/slack"
)

var update = flag.Bool("update", false, "write golden files anew")

// looks are posts of every kind.
func looks() map[string]bot.Post {
	return map[string]bot.Post{
		"answer":   {Text: "**Europe** sold `12`.\n\n| region | sold |\n|---|---|\n| EU | 12 |\n", Footer: "built-in rules, no language model · 3 steps"},
		"progress": {Kind: bot.Progress, Text: "Working on it.\n✓ query_metric\n… make_report"},
		"card": {Kind: bot.Card, Question: "q1", Text: "Post this to #sales?", Choices: []bot.Choice{
			{ID: "yes", Label: "Post now and monthly until 2027-01-01", Style: bot.Primary},
			{ID: "once", Label: "Post only now"},
			{ID: "no", Label: "Deny", Style: bot.Danger},
		}},
		"report":  {Kind: bot.Report, Text: "# Sales, October 2026\n\nTotal 42, up 3 %.", Footer: "artifact a1 · 9f3c"},
		"trouble": {Kind: bot.Trouble, Text: "I could not reach the model. (trace 7f3a)", Choices: []bot.Choice{{ID: "continue:run/1", Label: "Continue"}}},
		"chinese": {Lang: "zh", Text: "上个月**华东**的销售额是 12。\n\n- 第一\n- 第二", Footer: "内置规则"},
		"calls":   {Text: "Tell <!channel> and <!subteam^S1|x>, `<!here>`; 3 < 4 & 5 > 4."},
	}
}

// What Slack shows of each kind of post.
func TestRenderGolden(t *testing.T) {
	for name, p := range looks() {
		t.Run(name, func(t *testing.T) {
			pages, err := slack.Render(p)
			if err != nil || len(pages) != 1 {
				t.Fatalf("Render = %d pages, %v; want one", len(pages), err)
			}
			var b bytes.Buffer
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			if err := enc.Encode(map[string]any{"text": pages[0].Text(), "blocks": pages[0].Blocks()}); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".json")
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), b.String()); d != "" {
				t.Errorf("%s (-want +got):\n%s", file, d)
			}
		})
	}
}

// Nothing that a model writes calls a whole channel.
func TestNoCallOfEverybody(t *testing.T) {
	for _, text := range []string{"<!channel>", "a <!here> b", "```\n<!everyone>\n```", "<<!channel>>", "<!date^1^x|y>"} {
		for _, kind := range []bot.Kind{bot.Answer, bot.Progress, bot.Card} {
			pages, err := slack.Render(bot.Post{Text: text, Footer: "x", Kind: kind})
			if err != nil {
				t.Fatal(err)
			}
			b, _ := json.Marshal(pages[0].Blocks())
			if strings.Contains(string(b), `\u003c!`) || strings.Contains(pages[0].Text(), "<") {
				t.Errorf("%q is sent as %s and %q", text, b, pages[0].Text())
			}
		}
	}
}

// A text that is cut keeps every line, and each part is sound alone.
func TestSplit(t *testing.T) {
	table := "| a | b |\n|---|---|\n" + strings.Repeat("| left | right |\n", 40)
	code := "```go\n" + strings.Repeat("fmt.Println(1)\n\n", 40) + "```"
	tests := map[string]string{
		"short":        "one\n\ntwo",
		"paragraphs":   strings.Repeat("some words here.\n\n", 60),
		"one long":     strings.Repeat("word ", 200),
		"no space":     strings.Repeat("x", 777),
		"chinese":      strings.Repeat("上个月的销售额增长了。", 60),
		"table":        "before\n\n" + table + "\nafter",
		"code":         "before\n\n" + code + "\n\nafter",
		"fence inside": "````\n```\nno end\n```\n````\n\n" + strings.Repeat("p\n\n", 200),
		"open fence":   "```\n" + strings.Repeat("line\n", 100),
		"empty":        "",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			const n = 200
			parts := slack.Split(text, n)
			all := strings.Join(parts, "\n")
			for i, p := range parts {
				if l := len([]rune(p)); l > n || l == 0 {
					t.Errorf("part %d has %d characters, want 1 to %d", i, l, n)
				}
				if name == "code" && strings.Count(p, "```")%2 != 0 {
					t.Errorf("part %d leaves a fence open: %q", i, p)
				}
				if strings.Contains(p, "| left |") && !strings.Contains(p, "| a | b |\n|---|---|\n") {
					t.Errorf("part %d is a table without a head: %q", i, p)
				}
			}
			squeeze := func(s string) string {
				return strings.NewReplacer("\n", "", "```go", "", "```", "", "| a | b |", "", "|---|---|", "").Replace(s)
			}
			if got, want := squeeze(all), squeeze(text); got != want && name != "one long" {
				t.Errorf("parts say %q, want %q", got, want)
			}
		})
	}
}

// What people type is read as they see it.
func TestPlainText(t *testing.T) {
	tests := map[string]string{
		"<@U0ME> hi": "hi",
		"<@U0ME>把上个月的数据发到 <#C1|sales>":             "把上个月的数据发到 #sales",
		"ask <@U0ME|hermes> now":                   "ask now",
		"hi <@U0ME>":                               "hi",
		"<@U2> and <@U3|bob>":                      "<@U2> and @bob",
		"<#C1|> <#C2>":                             "<#C1> <#C2>",
		"3 &lt; 4 &amp;amp; 5 &gt; 4":              "3 < 4 &amp; 5 > 4",
		"&lt;@U0ME&gt; is no call":                 "<@U0ME> is no call",
		"<!here> <!channel|channel>":               "@here @channel",
		"<!subteam^S1|@ops> <!subteam^S2>":         "@ops @group",
		"<!date^1^{date}|1 May>":                   "1 May",
		"<https://a.b/?x=1&amp;y=2>":               "https://a.b/?x=1&y=2",
		"<http://example.com|example.com> is it":   "example.com is it",
		"<https://a.b|the page>":                   "[the page](https://a.b)",
		"<mailto:a@b.c|a@b.c>":                     "a@b.c",
		"a <b":                                     "a <b",
		"two lines\n<@U0ME>\nmore":                 "two lines\n\nmore",
		"&lt;!channel&gt; typed, &amp;lt; escaped": "<!channel> typed, &lt; escaped",
	}
	for in, want := range tests {
		if got := slack.Plain("U0ME", in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

// The fallback text is what a notification shows: no marks, nothing that Slack
// would take for a reference, and short enough for a change.
func TestFallback(t *testing.T) {
	if got, want := slack.Fallback("# Head\n**bold** [words](http://x) <!here> & `c`"), "Head\nbold words &lt;!here&gt; &amp; c"; got != want {
		t.Errorf("Fallback = %q, want %q", got, want)
	}
	if got, want := slack.Fallback("approved by <@U0LEO0001>"), "approved by <@U0LEO0001>"; got != want {
		t.Errorf("Fallback = %q, want %q", got, want)
	}
	if n := len([]rune(slack.Fallback(strings.Repeat("&", 20000)))); n > 4000 {
		t.Errorf("Fallback has %d characters, want 4,000 at most", n)
	}
}

// Buttons that Slack would refuse are refused here, and labels are cut.
func TestButtonLimits(t *testing.T) {
	if _, err := slack.Render(bot.Post{Text: "x", Choices: []bot.Choice{{ID: strings.Repeat("k", 300), Label: "a"}}}); err == nil {
		t.Error("an action of 307 characters was rendered")
	}
	var many []bot.Choice
	for _, r := range strings.Repeat("abcdefghij", 4) {
		many = append(many, bot.Choice{ID: string(r) + string(rune('0'+len(many))), Label: strings.Repeat("长", 90)})
	}
	r := newRig(t, setup{idle: true})
	_, at := salesThread(t, r)
	rc := r.post(bot.Post{Key: "k", Place: at, Text: "x", Choices: many})
	for _, m := range r.fake.Channel("sales").Messages() {
		if m.TS == rc.Ref.ID && len(m.Buttons()) != len(many) {
			t.Errorf("%d buttons, want %d", len(m.Buttons()), len(many))
		}
	}
}
