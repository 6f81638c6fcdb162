package slack_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/golden"
)

// looks are posts of every kind.
func looks() map[string]bot.Post {
	plan := func(over bool, states ...bot.TaskState) *bot.Plan {
		p := &bot.Plan{Title: "Working on it …", Over: over}
		for i, s := range states {
			p.Tasks = append(p.Tasks, bot.Task{ID: fmt.Sprint("call", i+1), Title: fmt.Sprint("Look up figures: sales ", i+1), State: s})
		}
		return p
	}
	return map[string]bot.Post{
		"answer":   {Text: "**Europe** sold `12`.\n\n| region | sold |\n|---|---|\n| EU | 12 |\n", Footer: "built-in rules, no language model · 3 steps"},
		"progress": {Kind: bot.Progress, Text: "Working on it.\n✓ query_metric\n… make_report"},
		"card": {Kind: bot.Card, Question: "q1", Text: "Post this to #sales?", Record: bot.Record{Head: "For the record: exactly this runs", Details: []bot.Detail{
			{Label: "Post, arguments with the hash 0123456789ab", Text: "{\"to\":\"#sales <!channel> `*x*`\"}"},
			{Label: "Schedule, arguments with the hash fedcba987654: 2000 characters, all of them in the file arguments.json"},
		}}, Choices: []bot.Choice{
			{ID: "yes", Label: "Post now and monthly until 2027-01-01", Style: bot.Primary},
			{ID: "once", Label: "Post only now"},
			{ID: "no", Label: "Deny", Style: bot.Danger},
		}},
		"settled": {Kind: bot.Card, Question: "q1", Rev: 1, Text: "**Approved by <@U0LEO0001>**\n- Post **Sales** to **#sales**", Names: []bot.Span{{From: 14, To: 26}}},
		"report":  {Kind: bot.Report, Text: "# Sales, October 2026\n\nTotal 42, up 3 %.", Footer: "artifact a1 · 9f3c"},
		"trouble": {Kind: bot.Trouble, Text: "I could not reach the model. (trace 7f3a)", Choices: []bot.Choice{{ID: "continue:run/1", Label: "Continue"}}},
		"chinese": {Lang: "zh", Text: "上个月**华东**的销售额是 12。\n\n- 第一\n- 第二\n\n| 地区 | 销售额 |\n|---|---|\n| 华东 | 1,200 |\n| 华南地区 | 35 |\n", Footer: "内置规则",
			Of: "slack/T1/C1/1.1"},
		"calls":  {Text: "Tell <!channel> and <!subteam^S1|x>, `<!here>`, <@U0LEO0001>; 3 < 4 & 5 > 4.\n\n| who | <!here> |\n|---|---|\n| <@U0ANA0001> | <!channel> |\n"},
		"judged": {Of: "slack/T1/C1/1.1", Rev: 2, Text: "Europe sold 12.", Footer: "gpt · 3 steps · 1200 tokens · $0.0031 · trace 7f3a"},
		"markup": {Text: "# Head\n\nSome *words*, **more**, ~~gone~~ and [a page](https://a.b/?x=1&y=2), https://c.d too.\n\n" +
			"1. one\n2. two\n   - inner\n\n> said\n> twice\n\n```sql\nselect 1 < 2;\n```\n\n---\n\nThe **end** &amp; [no](javascript:x) <b>tag</b>."},
		"cells":  {Text: "Here:\n| name | what | sold | share |\n|:-:|---|---|--:|\n| **EU** | [page](https://a.b) | 1,200 | 12 % |\n| `a\\|b` |  | -3 | *x* |\n| short |\nafter"},
		"tables": {Text: "One:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nTwo:\n\n| 地区 | n |\n|---|---|\n| 华东 | 1 |\n| x | 22 |\n\nEnd."},
		"fenced": {Text: "```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n\n| no | table\n|---|"},
		"wide":   {Key: "wide", Text: wide(30, 2)},
		"long":   {Key: "long", Lang: "zh", Text: wide(3, 250)},
		"plan":   {Kind: bot.Progress, Rev: 3, Text: "Working", Plan: plan(false, bot.Complete, bot.Underway, bot.Pending), Choices: []bot.Choice{{ID: "stop:run/1", Label: "Stop"}}},
		"over":   {Kind: bot.Progress, Rev: 4, Text: "Done", Plan: plan(true, bot.Complete, bot.Failed)},
	}
}

// wide is a table of many cells.
func wide(columns, rows int) string {
	var b strings.Builder
	line := func(cell func(int) string) {
		for i := range columns {
			b.WriteString("| " + cell(i) + " ")
		}
		b.WriteString("|\n")
	}
	line(func(i int) string { return fmt.Sprint("c", i) })
	line(func(int) string { return "---" })
	for r := range rows {
		line(func(i int) string { return fmt.Sprint(r, ".", i) })
	}
	return b.String()
}

// What Slack shows of each kind of post.
func TestRenderGolden(t *testing.T) {
	for name, p := range looks() {
		t.Run(name, func(t *testing.T) {
			pages, files, err := slack.Render(p)
			if err != nil || len(pages) != 1 {
				t.Fatalf("Render = %d pages, %v; want one", len(pages), err)
			}
			shown := map[string]any{"text": pages[0].Text(), "blocks": pages[0].Blocks()}
			for _, f := range files {
				shown["file "+f.Name()] = strings.Split(string(f.Data()), "\n")[:3]
			}
			goldenShown(t, name, shown)
		})
	}
}

// Nothing that a model writes calls a whole channel.
func TestNoCallOfEverybody(t *testing.T) {
	for _, text := range []string{
		"<!channel>", "a <!here> b", "```\n<!everyone>\n```", "<<!channel>>", "<!date^1^x|y>", "<@U0LEO0001>", "`<@U0LEO0001|leo>`",
		"<@W0LEO0001> <!subteam^S1>", "| <!here> | <@U0LEO0001> |\n|---|---|\n| <!channel> | <@U1> |", "[<!here>](https://a.b)", "[x](<!here>)",
		"&lt;!channel&gt; &#60;!here&#62;", "\\<!channel>",
	} {
		for _, p := range []bot.Post{
			{}, {Kind: bot.Report}, {Kind: bot.Progress}, {Kind: bot.Trouble}, {Kind: bot.Card, Choices: []bot.Choice{{ID: "a", Label: "b"}}},
			{Kind: bot.Card}, {Only: "slack:T1:U1"}, {Names: []bot.Span{{From: -1, To: 2}, {From: 3, To: 2}, {From: 0, To: 999}}},
			{Kind: bot.Progress, Plan: &bot.Plan{Title: text, Tasks: []bot.Task{{ID: "t", Title: text}}}},
			{Kind: bot.Card, Record: bot.Record{Head: text, Details: []bot.Detail{{Label: text, Text: text}}}},
		} {
			p.Text, p.Footer = text, text
			pages, _, err := slack.Render(p)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := json.Marshal(live(pages[0].Blocks()))
			if strings.Contains(string(b), `\u003c!`) || strings.Contains(string(b), `\u003c@`) ||
				strings.Contains(pages[0].Text(), "<!") || strings.Contains(pages[0].Text(), "<@") {
				t.Errorf("%q of kind %q is sent as %s and %q", text, p.Kind, b, pages[0].Text())
			}
		}
	}
}

// Where our own words name a person the name calls them; the same name beside it, of a
// model, a tool or a person, calls nobody, to whomever it is shown.
func TestOnlyOurOwnWordsNamePeople(t *testing.T) {
	const ours, theirs = "Please ask <@U0LEO0001>.", "\n\nTell <@U0LEO0001> and <@U0ANA0001>, `<@U0LEO0001>` <!here>"
	for name, p := range map[string]bot.Post{
		"in a channel":   {},
		"alone":          {Only: "slack:T1:U1"},
		"a settled card": {Kind: bot.Card, Rev: 1},
		"a card":         {Kind: bot.Card, Choices: []bot.Choice{{ID: "a", Label: "b"}}},
	} {
		for where, text := range map[string]string{" above": ours + theirs, " below": theirs[2:] + "\n\n" + ours} {
			p.Text = text
			from := strings.Index(text, ours) + len("Please ask ")
			p.Names = []bot.Span{{From: from, To: from + len("<@U0LEO0001>")}}
			pages, _, err := slack.Render(p)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := json.Marshal(pages[0].Blocks())
			shown := strings.ReplaceAll(string(b), `\u003c`, "<")
			for what, said := range map[string]string{"shown": shown, "notified": pages[0].Text()} {
				if strings.Count(said, "<@") != 1 || !strings.Contains(said, "ask <@U0LEO0001") || strings.Contains(said, "<!") {
					t.Errorf("%s%s is %s as %s", name, where, what, said)
				}
			}
		}
	}
}

// live takes out of blocks what Slack shows as it is: plain text.
func live(v any) any {
	raw, _ := json.Marshal(v)
	var all any
	_ = json.Unmarshal(raw, &all)
	var walk func(any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case map[string]any:
			if v["type"] == "plain_text" || v["type"] == "raw_text" || v["type"] == "text" {
				return nil
			}
			for k := range v {
				v[k] = walk(v[k])
			}
		}
		return v
	}
	return walk(all)
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

// The fallback text is what a notification shows: Slack's own marks, nothing that it
// would take for a reference but links, and short enough for a change.
func TestFallback(t *testing.T) {
	if got, want := slack.Fallback("# Head\n**bold** [words](http://x) <!here> & `c`"), "*Head*\n*bold* <http://x|words> &lt;!here&gt; &amp; `c`"; got != want {
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
	if _, _, err := slack.Render(bot.Post{Text: "x", Choices: []bot.Choice{{ID: strings.Repeat("k", 300), Label: "a"}}}); err == nil {
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

// O2: limits are counted in code points, and no part of a text is lost between a block
// and the next.
func TestO2LimitsAreCodePoints(t *testing.T) {
	for name, unit := range map[string]string{"ascii": "word ", "chinese": "上个月的销售额增长了。", "emoji": "👩‍🔬 "} {
		text := strings.Repeat(unit+"\n\n", 30000/len([]rune(unit)))
		pages, files, err := slack.Render(bot.Post{Key: "k", Text: text})
		if err != nil || len(files) > 0 {
			t.Fatalf("%s: %d files, %v", name, len(files), err)
		}
		said := 0
		for i, pg := range pages {
			raw, _ := json.Marshal(pg.Blocks())
			var blocks []struct{ Text string }
			if err := json.Unmarshal(raw, &blocks); err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, b := range blocks {
				n += len([]rune(b.Text))
				said += strings.Count(b.Text, strings.TrimSpace(unit))
			}
			if n > 12000 || n < 5000 && i < len(pages)-1 {
				t.Errorf("%s: page %d has %d characters", name, i, n)
			}
		}
		if want := strings.Count(text, strings.TrimSpace(unit)); said != want {
			t.Errorf("%s: %d of %d are shown", name, said, want)
		}
	}
}

// An id of a block is the only one in its message, and another one after each change.
func TestBlockIDsChangeWithRev(t *testing.T) {
	had := map[string]string{}
	for name, p := range looks() {
		for rev := range 3 {
			p.Key, p.Rev = "k/"+name, rev
			pages, _, err := slack.Render(p)
			if err != nil {
				t.Fatal(err)
			}
			raw, _ := json.Marshal(pages[0].Blocks())
			var blocks []struct {
				ID string `json:"block_id"`
			}
			if err := json.Unmarshal(raw, &blocks); err != nil {
				t.Fatal(err)
			}
			for i, b := range blocks {
				at := fmt.Sprint(name, " rev ", rev, " block ", i)
				if b.ID == "" || had[b.ID] != "" {
					t.Errorf("%s has the id %q of %s", at, b.ID, had[b.ID])
				}
				had[b.ID] = at
			}
		}
	}
}

// What people see of a Markdown text in a notification is never a reference, never too
// long, and whole.
func FuzzFallback(f *testing.F) {
	for _, p := range looks() {
		f.Add(p.Text)
	}
	f.Add("[a](https://b.c/<!here>) **<@U0LEO0001>** &lt;!channel&gt;")
	f.Add("| a |\n|---|\n| [<!here>](http://x|y) |")
	f.Fuzz(func(t *testing.T, md string) {
		pages, _, err := slack.Render(bot.Post{Text: md, Footer: "x"})
		if err != nil {
			return
		}
		for _, pg := range pages {
			text := pg.Text()
			if strings.Contains(text, "<!") || strings.Contains(text, "<@") || strings.Contains(text, "<#") {
				t.Errorf("%q is told as %q", md, text)
			}
			if n := len([]rune(text)); n > 4000 {
				t.Errorf("%q is told in %d characters", md, n)
			}
		}
	})
}

// goldenShown holds what people see against the file of that name, with its marks as
// they are read and not escaped.
func goldenShown(t *testing.T, name string, v any) {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, name+".json", b.String())
}
