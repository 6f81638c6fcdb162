package bot_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// guided is a platform that knows where it is alone with somebody.
type guided struct {
	bot.Poster
	members
}

func (guided) Alone(person string) bot.Place {
	return bot.Place{Platform: "slack", Workspace: "T1", Channel: "D" + bot.UserOf(person)}
}
func (guided) PlaceName(context.Context, bot.Place) string { return "" }

func posting() llm.Reply { return says("", call("post_message", `{}`)) }

// allowedLike starts a bot with a post that was allowed by its widest scope.
func allowedLike(t *testing.T) (*rig, string) {
	t.Helper()
	r := start(t, setup{
		says:   map[string][]llm.Reply{"m1": {posting()}, "m2": {posting()}, "m3": {posting()}},
		poster: func(p bot.Poster) bot.Poster { return guided{Poster: p} },
	})
	r.hear("m1", here, "summarise sales and post it to #sales")
	s, err := r.bot.Sheet(t.Context(), lee, "m1/q1", run.Like)
	if err != nil || len(s.Fields) != 1 || len(s.Fields[0].Options) != run.MostScopes {
		t.Fatalf("sheet = %+v, %v", s, err)
	}
	id := s.Fields[0].Options[2].ID
	r.clicks++
	err = r.bot.Decide(t.Context(), bot.Click{Key: "view/1", Place: here, From: lee, Name: "Lee", Question: "m1/q1", Choice: run.Like, At: time.Now()}, map[string]string{bot.FieldScope: id})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	if got := r.shows("m1/q1").Text; !strings.HasPrefix(got, "**Approved by Lee, and more of the kind allowed**\n- Allowed without asking from now on: Post") {
		t.Fatalf("card = %q", got)
	}
	return r, id
}

// SAFE-06: what may be done without asking is asked for in words, in both languages, and
// told to who asks alone; it is ended in words by who may, and then asked for again.
func TestSAFE06GrantsAreListedAndEndedInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, id := allowedLike(t)
		r.hear("m2", here, "summarise sales and post it to #sales")
		for _, p := range r.chat.Posts() {
			if p.Key == "m2/q1" {
				t.Fatal("the same again is asked for")
			}
		}
		for key, text := range map[string]string{"a1": "what may you do without asking?", "a2": "grants", "a3": "不用问就能做什么？", "a4": "授权"} {
			r.hear(key, here, text)
			by := map[bool]string{true: "given by lee", false: "由lee给出"}[key < "a3"]
			if got := r.shows(key + "/grants"); !strings.Contains(got.Text, id) || !strings.Contains(got.Text, "12") || !strings.Contains(got.Text, by) || got.Only != ana {
				t.Errorf("%q: %q to %q, want %q in it", text, got.Text, got.Only, by)
			}
		}
		r.store.Break(id, "it is not what was given")
		for key, x := range map[string]struct{ text, want string }{"b1": {"grants", "broken: it is not what was given"}, "b2": {"授权", "已损坏"}} {
			r.hear(key, here, x.text)
			if got := r.shows(key + "/grants").Text; !strings.Contains(got, id) || !strings.Contains(got, x.want) {
				t.Errorf("a broken one is listed as %q", got)
			}
		}
		r.receive(bot.Message{Key: "a5", Place: here, From: gus, Name: "Gus", Text: "revoke " + id, Addressed: true, At: time.Now()})
		if got := r.shows("a5/grants").Text; !strings.Contains(got, "not yours to end") {
			t.Errorf("gus hears %q", got)
		}
		r.hear("a6", here, "revoke "+id)
		if got := r.shows("a6/grants").Text; !strings.HasPrefix(got, "Revoked.") {
			t.Errorf("ana hears %q", got)
		}
		r.hear("a7", here, "grants")
		if got := r.shows("a7/grants").Text; got != "There is nothing that I may do without asking." {
			t.Errorf("then ana hears %q", got)
		}
		r.hear("m3", here, "summarise sales and post it to #sales")
		r.shows("m3/q1")
		r.hear("a8", here, "what may you do without asking the customer?")
		if _, ok := r.chat.Shows("a8/grants"); ok {
			t.Error("a question about something else is taken for the list")
		}
	})
}

// A week before its end its owner and who gave it are told of a grant, once each.
func TestTheEndOfAGrantIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, id := allowedLike(t)
		told := func() (n int) {
			for _, p := range r.chat.Posts() {
				if strings.HasPrefix(p.Key, "grant/"+id+"/ends/") {
					if !strings.Contains(p.Text, "In some days, a week at most, I will ask again") || !strings.HasPrefix(p.Place.Channel, "D") {
						t.Errorf("told %q at %v", p.Text, p.Place)
					}
					n++
				}
			}
			return n
		}
		pass(22 * 24 * time.Hour)
		if n := told(); n != 0 {
			t.Errorf("told %d times long before", n)
		}
		pass(25 * time.Hour)
		if n := told(); n != 2 {
			t.Errorf("told %d times, want the owner and who gave it", n)
		}
		pass(6 * 24 * time.Hour)
		if n := told(); n != 2 {
			t.Errorf("told %d times in the end, want once each", n)
		}
	})
}

// A20: where there are no forms a reason and a wish are written as a command, by who may
// decide or has asked; a form says what is wrong before anything is noted.
func TestA20CommandsAndForms(t *testing.T) {
	for text, want := range map[string]string{
		"/deny wrong month": "**Denied by Ana**: ` wrong month `", "/拒绝 月份不对": "**Denied by Ana**: ` 月份不对 `",
		"/change use October": "**Ana asks for changes**: ` use October `", "/修改 用十月的": "**Ana asks for changes**: ` 用十月的 `",
	} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, setup{says: map[string][]llm.Reply{"m1": {posting()}}})
			r.hear("m1", here, "summarise sales and post it to #sales")
			for _, choice := range []string{run.Change, bot.ReasonChoice} {
				if err := r.bot.Decide(t.Context(), bot.Click{Key: "view/0", Place: here, From: lee, Question: "m1/q1", Choice: choice, At: time.Now()}, nil); err == nil || err.Error() != "note: Please write a sentence." {
					t.Errorf("%s without a word: %v", choice, err)
				}
			}
			if err := r.bot.Decide(t.Context(), bot.Click{Key: "view/1", Place: here, From: gus, Question: "m1/q1", Choice: run.Change, At: time.Now()}, map[string]string{bot.FieldNote: "x"}); err == nil || !strings.Contains(err.Error(), "not yours to decide") {
				t.Errorf("by gus: %v", err)
			}
			r.hear("m2", here, text)
			if got := r.shows("m1/q1").Text; !strings.HasPrefix(got, want) {
				t.Errorf("%s: card = %.80q, want %q", text, got, want)
			}
			s, err := r.bot.Sheet(t.Context(), lee, "m1/q1", bot.EditChoice)
			if err != nil || len(s.Fields) != 0 || !strings.HasPrefix(s.Lead, "This is settled already") {
				t.Errorf("a form that comes too late = %+v, %v", s, err)
			}
		})
	}
}
