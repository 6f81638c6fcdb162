package bot_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hermes/bot"
)

// S11: a follow-up is neither ignored nor unwanted. One rule says so for every kind of
// place, with and without a mention, in and out of a thread in which the bot has spoken,
// for who has asked there and for another person; and whatever is answered goes on in
// the conversation in which it was said.
func TestS11FollowUpsAreAnsweredWhereTheyAreMeant(t *testing.T) {
	places := map[string]bot.Place{
		"direct":  {Platform: "slack", Workspace: "T1", Channel: "D1"},
		"group":   {Platform: "slack", Workspace: "T1", Channel: "G1", Thread: "1.0"},
		"channel": {Platform: "slack", Workspace: "T1", Channel: "C1", Thread: "1.0"},
	}
	texts := map[string]string{
		"a follow-up": "by product", "a request": "export the list of all customers", "a question": "what were the sales last month?", "chatter": "I was there on Monday, it rained",
	}
	for place, at := range places {
		for _, mention := range []bool{true, false} {
			for _, thread := range []bool{true, false} {
				for _, by := range []string{ana, gus} {
					for kind, text := range texts {
						clear := kind == "a request" || kind == "a question"
						want := place == "direct" || mention || thread && (by == ana || clear)
						t.Run(fmt.Sprintf("S11 %s, mention %t, thread %t, %s, %s", place, mention, thread, nameOf(by), kind), func(t *testing.T) {
							synctest.Test(t, func(t *testing.T) {
								r := start(t, setup{})
								m := bot.Message{Key: "m1", Place: at, From: ana, Text: "export the list", Addressed: true, Direct: place == "direct", At: time.Now()}
								r.receive(m)
								home := at
								if !thread && place != "direct" {
									home.Thread = "2.0" // it begins a thread of its own
								}
								m.Key, m.Place, m.From, m.Text, m.Addressed, m.InThread = "m2", home, by, text, mention, thread
								r.receive(m)
								_, answered := r.chat.Shows("m2/end")
								if answered != want {
									t.Errorf("answered: %t, want %t; ignored: %q", answered, want, r.heard.ignored())
								}
								if answered && r.run("m2").Home != home.String() {
									t.Errorf("it goes on at %s, want %s", r.run("m2").Home, home)
								}
								if !answered && len(r.heard.ignored()) != 1 {
									t.Errorf("it is ignored for %q, want one reason", r.heard.ignored())
								}
							})
						})
					}
				}
			}
		}
	}
}
