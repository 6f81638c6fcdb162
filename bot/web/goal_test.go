package web_test

import (
	"net/url"
	"strings"
	"testing"

	"hermes/bot"
)

// VER-10 The page of a run shows what was asked for, with ticks, in both languages.
func TestVER10ARunShowsItsTicks(t *testing.T) {
	full := newStage(t)
	full.desk.runs = []bot.RunView{{
		Trace: "t1", Asker: "web:demo:lead", Text: "by product", State: "done", Home: place("general", "aaaaaaaa1"),
		Goal: []bot.GoalView{{Act: "posted", Mark: "done"}, {Act: "scheduled", Mark: "denied", By: "<Lee>"}},
	}}
	b := full.enter("")
	_, page, _ := b.get("/runs/t1")
	for _, want := range []string{"Asked for", `<li class="tick-done">✓ posted</li>`, `<li class="tick-denied">✗ scheduled (denied by &lt;Lee&gt;)</li>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the run lacks %q", want)
		}
	}
	b.post("/lang", url.Values{"lang": {"zh"}, "back": {"/runs/t1"}})
	if _, page, _ = b.get("/runs/t1"); !strings.Contains(page, "要求做的") || !strings.Contains(page, "✗ 安排（被 &lt;Lee&gt; 拒绝）") {
		t.Error("the ticks are not in Chinese")
	}
}
