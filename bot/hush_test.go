package bot_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// Who takes back what they asked for, while its card waits or while it is under way,
// reads nothing of it afterwards: the card closes without what it was about, its files
// go, and neither the work that is shown nor the end speaks of it; nothing can be
// pressed any more. What was asked by others is not theirs to take back.
func TestNothingOfWhatWasTakenBackIsShownAfterwards(t *testing.T) {
	const secret = "Tell nobody"
	for lang, want := range map[string]string{"en": "The request was taken back, so nothing is done.", "zh": "这个请求已被撤回，什么也没有做。"} {
		for name, script := range map[string][]llm.Reply{
			"while its card waits":  {says("", call("make_report", `{}`)), says("", call("post_message", `{"channel":"`+secret+`"}`))},
			"while it is under way": nil,
		} {
			t.Run(lang+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					says := map[string][]llm.Reply{}
					if script != nil {
						says["m1"] = script
					}
					r := start(t, setup{says: says})
					r.brain.gate = make(chan struct{})
					text := "export slowly " + secret
					if script != nil {
						text = "export it " + secret
					}
					if lang == "zh" {
						text += " 别告诉任何人"
					}
					r.hear("m1", here, text)
					posts, edits := len(r.chat.Posts()), len(r.chat.Edits())
					for range 2 {
						r.receive(bot.Message{Key: "m1@deleted", Edits: "m1", Place: here, From: ana, At: time.Now()})
					}
					close(r.brain.gate)
					pass(time.Minute)
					for _, p := range append(r.chat.Posts()[posts:], r.chat.Edits()[edits:]...) {
						title := ""
						if p.Plan != nil {
							title = p.Plan.Title
						}
						if strings.Contains(p.Text+title, secret) || !p.Gone && (len(p.Choices) > 0 || p.Artifact != "") {
							t.Errorf("shown afterwards: %+v", p)
						}
					}
					keys := []string{"m1/end", "m1/progress"}
					if script != nil {
						keys = append(keys, "m1/q1")
					}
					for _, key := range keys {
						if got := r.shows(key).Text; got != want {
							t.Errorf("%s = %q, want %q", key, got, want)
						}
					}
					if script != nil {
						for _, key := range []string{"m1/q1/file1", "m1/q1/file2"} {
							if !r.shows(key).Gone {
								t.Errorf("%s is still there", key)
							}
						}
						r.press(here, lee, "m1/q1", run.Yes)
						if got := r.whispers(here, lee); len(got) != 1 || len(r.said(sales)) != 0 {
							t.Errorf("a press afterwards is told %q", got)
						}
					}
				})
			})
		}
	}
}

// What is taken back is taken back before everybody: the card that somebody has who is
// not there closes as well, and its files go, also those that come to be there meanwhile.
func TestNothingOfWhatWasTakenBackIsShownElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := inCity(t, guard.Deciders{Admins: []string{lee, moe}}, asksBoth(), lee)
		r.hear("m1", here, monthly)
		copied := "m1/q1/for/" + lee
		file := r.shows(copied + "/file1")
		if file.Gone {
			t.Fatal("the copy has no file")
		}
		r.receive(bot.Message{Key: "m1@deleted", Edits: "m1", Place: here, From: ana, At: time.Now()})
		if got := r.shows(copied); got.Text != "The request was taken back, so nothing is done." || len(got.Choices) != 0 {
			t.Errorf("the copy = %q with %d buttons", got.Text, len(got.Choices))
		}
		for _, key := range []string{copied + "/file1", copied + "/file2", "m1/q1/file1", "m1/q1/file2"} {
			if !r.shows(key).Gone {
				t.Errorf("%s is still there", key)
			}
		}
		// A file that was on its way when the last word was put there.
		late := bot.Post{Key: "m1/q1/file9", Place: here, File: file.File, After: "m1/q1", Kind: bot.Report}
		if err := r.out.Add(t.Context(), late); err != nil {
			t.Fatal(err)
		}
		card := r.shows("m1/q1")
		card.Rev++
		if err := r.out.Add(t.Context(), card); err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		if !r.shows("m1/q1/file9").Gone {
			t.Error("a file that came later is still there")
		}
	})
}
