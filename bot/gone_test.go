package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/bot"
)

// Issue 4: what is taken back is handed to the platform with where it is, and nothing
// of it is filled in or looked for; a platform that refuses is told of at home, where
// it was said that it is done.
func TestWhatIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		add := func(p bot.Post) {
			t.Helper()
			if err := r.out.Add(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			<-time.After(10 * time.Minute)
			synctest.Wait()
		}
		add(bot.Post{Key: "p", Place: sales, Text: "Sales", Artifact: "a1"})
		add(bot.Post{Key: "p", Rev: 1, Place: sales, Text: "Sales", Artifact: "a1", Gone: true, Home: here})
		edits := r.chat.Edits()
		if len(edits) != 1 || !edits[0].Gone || edits[0].Delivered == nil || edits[0].Text != "Sales" {
			t.Fatalf("the platform was told %+v", edits)
		}
		for lang, want := range map[string]string{"en": "still stands", "zh": "还是原来的样子"} {
			key := "q" + lang
			add(bot.Post{Key: key, Place: sales, Text: "Orders"})
			r.chat.Fail(fmt.Errorf("%w: too old", bot.ErrRefused))
			add(bot.Post{Key: key, Rev: 1, Place: sales, Gone: true, Home: here, Lang: lang})
			told, ok := r.chat.Shows(key + "/stands1")
			if !ok || told.Place != here || !strings.Contains(told.Text, want) || told.Kind != bot.Trouble {
				t.Errorf("%s: at home it says %+v, %t; want that it %s", lang, told, ok, want)
			}
		}
	})
}
