package slack_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/bot"
)

// everything is an answer with all that Markdown has which Slack shows otherwise than it
// is written, and what must call nobody.
const everything = "# Sales\n\n**Europe** sold _12_, ~~11~~; see [the plan](https://example.com/a_(b)?x=1&y=2).\n\n" +
	"> <@U0LEO0001> said <!here>\n\n- one\n  - two\n1. three\n\n`a|b` and\n\n```go\nif a < b && c > d {}\n```\n\n" +
	"| region | sold |\n|:---|---:|\n| 亚洲 | 1,234.50 |\n| A\\|B | =1+1 |\n\n中文**粗体**和链接。"

// The same answer looks the same by whatever way it comes: posted, changed, streamed as
// a run goes and as it is written, and from a schedule into a channel.
func TestOneAnswerLooksTheSameOnAllPaths(t *testing.T) {
	bodies := map[string]string{}
	keep := func(u *turn, path string, rc bot.Receipt) {
		t.Helper()
		for _, m := range u.fake.Messages() {
			if m.TS != rc.Ref.ID || m.Channel != rc.Ref.Place.Channel {
				continue
			}
			var blocks any
			if len(m.Blocks) > 0 {
				if err := json.Unmarshal(m.Blocks, &blocks); err != nil {
					t.Fatal(err)
				}
			}
			shown := m.Shown()
			goldenShown(t, "path_"+path, map[string]any{"text": m.Text, "shown": strings.Split(shown, "\n"), "kinds": kinds(blocks)})
			from, to := strings.Index(shown, "# Sales"), strings.Index(shown, "和链接。")
			if from < 0 || to < from {
				t.Fatalf("%s shows\n%s", path, shown)
			}
			bodies[path] = shown[from:to]
			return
		}
		t.Fatalf("%s is nowhere", path)
	}
	start := func() *turn { return newTurn(t, newRig(t, setup{still: true, idle: true})) }

	u := start()
	p := u.answer(everything)
	rc := u.deliver(p)
	keep(u, "post", rc)

	u = start()
	p = u.answer("Not yet.")
	first := u.deliver(p)
	p.Rev, p.Delivered, p.Text = 1, &first.Ref, everything
	keep(u, "update", u.deliver(p))

	u = start()
	u.shows(1, false)
	u.pass(2 * time.Second)
	u.shows(1, true)
	keep(u, "stream", u.deliver(u.answer(everything)))

	u = start()
	u.shows(1, false)
	u.drafts(1, everything[:60], everything[:150], everything[:250])
	u.shows(1, true)
	keep(u, "draft", u.deliver(u.answer(everything)))

	u = start()
	report := bot.Post{Key: "S1/2026-12-01/c1", Place: u.at, Kind: bot.Report, Text: everything, Attempt: 1}
	report.Place.Thread = ""
	keep(u, "cron", u.deliver(report))

	for path, body := range bodies {
		if body != bodies["post"] {
			t.Errorf("%s shows\n%s\nand a post\n%s", path, body, bodies["post"])
		}
	}
}

// kinds are the types of blocks, in order.
func kinds(blocks any) []string {
	var out []string
	list, _ := blocks.([]any)
	for _, b := range list {
		if m, ok := b.(map[string]any); ok {
			if kind, ok := m["type"].(string); ok {
				out = append(out, kind)
			}
		}
	}
	return out
}
