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

// The list of runs and the page of one say how a run ended in the words of the chat: what is
// not done there is not called done here, in the visitor's language.
func TestARunEndsInTheWordsOfTheChat(t *testing.T) {
	t.Parallel()
	full := newStage(t)
	home := place("general", "")
	full.desk.runs = []bot.RunView{
		{Trace: "t1", Asker: "web:demo:lead", Text: "post it", State: "done", Status: "done", Home: home, Fate: bot.Fate{Steps: 3, Did: true, Refused: []string{"post_message"}}},
		{Trace: "t2", Asker: "web:demo:lead", Text: "forget it", State: "done", Status: "done", Home: home, Fate: bot.Fate{Steps: 1, Broken: []string{"memory_forget"}}},
		{Trace: "t3", Asker: "web:demo:lead", Text: "look it up", State: "done", Status: "done", Home: home, Fate: bot.Fate{Steps: 1, Did: true}},
		{Trace: "t4", Asker: "web:demo:lead", Text: "not there", State: "done", Status: "delivery_failed", Home: home, Fate: bot.Fate{Steps: 1, Broken: []string{"memory_forget"}}},
	}
	b := full.enter("lead")
	_, list, _ := b.get("/runs")
	for trace, want := range map[string]string{
		"t1": `state-undone">Ended after 3 steps, denied (Post)<`, "t2": `state-undone">Not done, failed (Forget)<`,
		"t3": `state-done">done<`, "t4": ">answer not delivered<",
	} {
		if _, page, _ := b.get("/runs/" + trace); !strings.Contains(page, want) || !strings.Contains(list, want) {
			t.Errorf("%s does not end in %q:\n%s", trace, want, page)
		}
	}
	b.post("/lang", url.Values{"lang": {"zh"}, "back": {"/runs/t1"}})
	if _, page, _ := b.get("/runs/t1"); !strings.Contains(page, "共 3 步后结束，被拒绝（发送）") {
		t.Errorf("in Chinese:\n%s", page)
	}
}
