package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/bot/bottest"
	"hermes/scheduler"
)

const (
	fay     = "slack:T1:fay"
	finance = "group:slack:T1:S1"
)

// A city is a town that knows who is in which channel, and who is in the group of
// finance, which is fay. Everybody is in C1 but those who are away.
type city struct {
	*town
	langs map[string]string // in which people read, as far as that is known
	mu    sync.Mutex
	away  []string
	err   error
}

func (c *city) In(_ context.Context, person string, p bot.Place) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return p.Channel == "C1" && p.Thread == "" && !slices.Contains(c.away, person), c.err
}

func (c *city) InGroup(_ context.Context, group, person string) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return group == "slack:T1:S1" && person == fay, c.err
}

func (c *city) InPlace(context.Context, string, string) (bool, error) { return false, nil }

func (*city) GroupName(context.Context, string) string { return "@finance" }

func (c *city) Speaks(person string) string { return c.langs[person] }

func (c *city) down(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
}

// inCity starts a bot there in which these decide. Some are not in the channel.
func inCity(t *testing.T, d guard.Deciders, s setup, away ...string) (*rig, *city) {
	c := &city{town: &town{}, away: away}
	s.judges, s.roster = &d, c
	s.poster = func(p bot.Poster) bot.Poster { c.Platform = p.(*bottest.Platform); return c }
	return start(t, s), c
}

func alone(person string) bot.Place {
	return bot.Place{Platform: "slack", Workspace: "T1", Channel: bot.UserOf(person)}
}

// Issue 5: while more must agree the card says who has and who is lacking, and whoever
// has pressed hears it; in the end it says who all of them were.
func TestTheCardSaysWhoHasAgreed(t *testing.T) {
	for text, want := range map[string]struct{ first, card, told, no, end string }{
		monthly: {
			"It runs once 2 people have agreed.",
			"Agreed so far to “Post only now”: Lee. Still needed: one more yes of <@moe> or @finance.",
			"Your yes is noted; it runs once all have agreed. Still needed: one more yes of <@moe> or @finance.",
			"This is not yours to decide. It waits for <@lee> or <@moe> or @finance; who asked may deny it.",
			"**Approved for this one time by Lee, Fay**",
		},
		"把销售数据汇总，发到 #sales，以后每个月1号都做一次": {
			"需要 2 人同意后才会执行。",
			"已同意“只发这一次”：Lee。还需要：1 人同意（<@moe> 或 @finance）。",
			"已记下你的同意，人数够了才会执行。还需要：1 人同意（<@moe> 或 @finance）。",
			"这件事不由您决定。要等 <@lee> 或 <@moe> 或 @finance 决定；提出的人可以拒绝。",
			"**Lee、Fay 批准了这一次**",
		},
	} {
		t.Run(text[:9], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				two := guard.Deciders{Approvals: []guard.Approval{{By: []string{lee, moe, finance}, Others: true, Quorum: 2}}}
				r, _ := inCity(t, two, asksBoth())
				r.hear("m1", here, text)
				if got := r.shows("m1/q1").Text; !strings.Contains(got, want.first) {
					t.Errorf("before anybody has agreed the card has no %q: %q", want.first, got)
				}
				r.press(here, lee, "m1/q1", run.Once)
				r.press(here, lee, "m1/q1", run.Once)
				card := r.shows("m1/q1")
				if strings.Contains(card.Text, want.first) {
					t.Errorf("the card still says %q: %q", want.first, card.Text)
				}
				if !strings.HasPrefix(card.Text, want.card+"\n\n") || len(card.Choices) == 0 {
					t.Errorf("card = %q with %d buttons, want it to begin with %q", card.Text, len(card.Choices), want.card)
				}
				for _, s := range card.Names {
					if got := card.Text[s.From:s.To]; !slices.Contains([]string{"Lee", "<@moe>", "@finance"}, got) {
						t.Errorf("the card names %q", got)
					}
				}
				if diff := cmp.Diff([]string{want.told, want.told}, r.whispers(here, lee)); diff != "" {
					t.Errorf("who has pressed hears (-want +got):\n%s", diff)
				}
				r.press(here, gus, "m1/q1", run.Once)
				if diff := cmp.Diff([]string{want.no}, r.whispers(here, gus)); diff != "" {
					t.Errorf("who may not hears (-want +got):\n%s", diff)
				}
				if n := len(r.said(sales)); n != 0 {
					t.Fatalf("%d posts before two have agreed", n)
				}
				r.press(here, fay, "m1/q1", run.Once)
				if got := r.shows("m1/q1"); !strings.HasPrefix(got.Text, want.end) || len(got.Choices) != 0 {
					t.Errorf("card = %q, want %q", got.Text, want.end)
				}
				if n := len(r.said(sales)); n != 3 {
					t.Errorf("%d posts, want the report and its two files", n)
				}
			})
		})
	}
}

// A15: a verdict in words by somebody with no say is answered to them alone, with who has
// one; a yes among people is none, and whoever has a say is told to press.
func TestAVerdictInWordsOfWhoHasNoSayIsAnsweredToThemAlone(t *testing.T) {
	for text, want := range map[string]struct{ word, no, press string }{
		monthly: {"approve", "This is not yours to decide. It waits for <@lee> or <@moe>; who asked may deny it.", "Words approve nothing here: please press a button on the card."},
		"把销售数据汇总，发到 #sales，以后每个月1号都做一次": {"同意", "这件事不由您决定。要等 <@lee> 或 <@moe> 决定；提出的人可以拒绝。", "文字不算批准：请按卡片上的按钮。"},
	} {
		t.Run(want.word, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, _ := inCity(t, guard.Deciders{Admins: []string{lee, moe}}, asksBoth())
				r.hear("m1", here, text)
				card, said := r.shows("m1/q1"), len(r.said(here))
				for i, by := range []string{gus, lee} {
					r.receive(bot.Message{Key: fmt.Sprint("w", i), Place: here, From: by, Name: nameOf(by), Text: want.word, Addressed: true, InThread: true, At: time.Now()})
				}
				r.receive(bot.Message{Key: "w2", Place: here, From: gus, Name: "Gus", Text: "ok", InThread: true, At: time.Now()})
				if diff := cmp.Diff([]string{want.no}, r.whispers(here, gus)); diff != "" {
					t.Errorf("who has no say hears (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff([]string{want.press}, r.whispers(here, lee)); diff != "" {
					t.Errorf("who has a say hears (-want +got):\n%s", diff)
				}
				if n := len(r.said(here)); n != said+2 || r.brain.runs() != 1 {
					t.Errorf("%d posts and %d runs, want %d with the two for one person each, and the one run", n, r.brain.runs(), said+2)
				}
				if got := r.shows("m1/q1"); len(got.Choices) != len(card.Choices) {
					t.Errorf("the card has %d buttons left of %d", len(got.Choices), len(card.Choices))
				}
			})
		})
	}
}

// Issue 5: who decides and is not where the card stands has it before them alone. A
// press on any of them counts once, and all of them say so.
func TestACardIsPutBeforeWhoIsNotThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := inCity(t, guard.Deciders{Admins: []string{lee, moe}}, asksBoth(), lee)
		r.hear("m1", here, monthly)
		copied := r.shows("m1/q1/for/" + lee)
		if copied.Place != alone(lee) || copied.Kind != bot.Card || len(copied.Choices) != len(r.shows("m1/q1").Choices) || copied.By != "" ||
			!strings.HasPrefix(copied.Text, "**<@ana> asks for this in #C1, and you may decide.**\n\n**May I do this?**") {
			t.Errorf("copy = %q at %v with %d buttons", copied.Text, copied.Place, len(copied.Choices))
		}
		if got := r.said(alone(moe)); len(got) != 0 {
			t.Errorf("who is there hears %q", got)
		}
		q, err := r.store.Question(t.Context(), "m1/q1")
		if err != nil || len(q.Cards) != 2 {
			t.Errorf("cards = %q, %v; want both", q.Cards, err)
		}
		r.press(alone(lee), lee, "m1/q1", run.Once)
		r.press(here, moe, "m1/q1", run.Once)
		if got := r.whispers(here, moe); len(got) != 1 || !strings.HasPrefix(got[0], "This is settled already") {
			t.Errorf("who comes second hears %q", got)
		}
		for key, begins := range map[string]string{
			"m1/q1":            "**Approved for this one time by Lee**",
			"m1/q1/for/" + lee: "**<@ana> asks for this in #C1.**\n\n**Approved for this one time by Lee**",
		} {
			if got := r.shows(key); !strings.HasPrefix(got.Text, begins) || len(got.Choices) != 0 || got.Delivered == nil {
				t.Errorf("%s = %q with %d buttons, want it changed to %q", key, got.Text, len(got.Choices), begins)
			}
		}
		if n := len(r.said(sales)); n != 3 {
			t.Errorf("%d posts, want one report with its files", n)
		}
		if got := r.shows("m1/end"); got.Place != here {
			t.Errorf("the end is at %v, want it at home", got.Place)
		}
	})
}

// A card is in the language of who reads it: before somebody alone in theirs, be it open,
// agreed to by one of two, or settled, and in the thread in that of who asked. So is what
// only one person hears of their press. Where nobody knows it, it is that of who asked.
func TestACardIsInTheLanguageOfItsReader(t *testing.T) {
	const zh = "把销售数据汇总，发到 #sales，以后每个月1号都做一次"
	type said struct{ asks, line, button, agreed, told, settled, late string }
	en := said{"**<@ana> asks for this in #C1, and you may decide.**\n\n**May I do this?**", "Do it again **every month on the 1st**", "Post now and monthly until 2 Jan 2001", "**<@ana> asks for this in #C1, and you may decide.**\n\nAgreed so far", "Your yes is noted", "**<@ana> asks for this in #C1.**\n\n**Approved for this one time by Fay, Lee**", "This is settled already"}
	cn := said{"**<@ana> 在 #C1 提出了这件事，你可以决定。**\n\n**可以这样做吗？**", "按计划重复：**每月1日**", "现在发，并每月发，到 2001年1月2日", "**<@ana> 在 #C1 提出了这件事，你可以决定。**\n\n已同意", "已记下你的同意", "**<@ana> 在 #C1 提出了这件事。**\n\n**Fay、Lee 批准了这一次**", "这件事已经"}
	for name, tt := range map[string]struct {
		text, lee  string
		want, home said
	}{
		"Chinese to an English ask": {monthly, "zh", cn, en},
		"English to a Chinese ask":  {zh, "en", en, cn},
		"nobody knows":              {zh, "", cn, cn},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &city{town: &town{}, away: []string{lee}, langs: map[string]string{lee: tt.lee}}
				two := guard.Deciders{Approvals: []guard.Approval{{By: []string{lee, fay}, Quorum: 2}}}
				r := start(t, setup{
					says: asksBoth().says, judges: &two, roster: c, speaks: c.Speaks,
					poster: func(p bot.Poster) bot.Poster { c.Platform = p.(*bottest.Platform); return c },
				})
				r.hear("m1", here, tt.text)
				begins := func(what, key, want string) bot.Post {
					t.Helper()
					p := r.shows(key)
					if !strings.HasPrefix(p.Text, want) {
						t.Errorf("%s = %q, want it to begin with %q", what, p.Text, want)
					}
					return p
				}
				copied, home := begins("the copy", "m1/q1/for/"+lee, tt.want.asks), r.shows("m1/q1")
				if !strings.Contains(copied.Text, tt.want.line) || copied.Choices[0].Label != tt.want.button {
					t.Errorf("the copy is %q with %+v, want %q and %q", copied.Text, copied.Choices, tt.want.line, tt.want.button)
				}
				if !strings.Contains(home.Text, tt.home.line) || home.Choices[0].Label != tt.home.button {
					t.Errorf("at home stands %q with %+v, want %q", home.Text, home.Choices, tt.home.line)
				}
				if s, err := r.bot.Sheet(t.Context(), lee, "m1/q1", bot.ReasonChoice); err != nil || s.Lang != copied.Lang || !strings.Contains(s.Lead, tt.want.line) {
					t.Errorf("the form is %+v, %v; want it as the copy", s, err)
				}
				r.press(here, fay, "m1/q1", run.Once)
				begins("the copy that one has agreed to", "m1/q1/for/"+lee, tt.want.agreed)
				if got := r.whispers(here, fay); len(got) != 1 || !strings.HasPrefix(got[0], tt.home.told) {
					t.Errorf("who is not known hears %q", got)
				}
				r.press(alone(lee), lee, "m1/q1", run.Once)
				begins("the settled copy", "m1/q1/for/"+lee, tt.want.settled)
				r.press(here, lee, "m1/q1", run.No)
				if got := r.whispers(here, lee); len(got) != 1 || !strings.HasPrefix(got[0], tt.want.late) {
					t.Errorf("who comes late hears %q, want it to begin with %q", got, tt.want.late)
				}
			})
		})
	}
}

// Issue 5: before whom a card is put: not before who asked, not before a group, not
// before more than five; where nobody can say who is there, before all; and before
// nobody where who asked may decide alone.
func TestBeforeWhomACardIsPut(t *testing.T) {
	many := []string{lee, moe, gus, "slack:T1:a", "slack:T1:b", "slack:T1:c", "slack:T1:d"}
	for name, tt := range map[string]struct {
		d    guard.Deciders
		home bot.Place
		away []string
		err  error
		want []string // in any order
	}{
		"all are there":          {guard.Deciders{Admins: []string{lee, moe}}, here, nil, nil, nil},
		"a direct message":       {guard.Deciders{Admins: []string{lee, moe}}, alone(ana), nil, nil, []string{lee, moe}},
		"a group is not called":  {guard.Deciders{Approvals: []guard.Approval{{By: []string{finance, lee}}}}, alone(ana), nil, nil, []string{lee}},
		"who asked has it":       {guard.Deciders{Approvals: []guard.Approval{{By: []string{ana, lee}, Quorum: 2}}}, here, []string{ana, lee}, nil, []string{lee}},
		"who asked may alone":    {guard.Deciders{Admins: []string{ana, lee}}, alone(ana), nil, nil, nil},
		"five at most":           {guard.Deciders{Admins: many}, alone(ana), nil, nil, slices.Clone(many[:5])},
		"nobody can say":         {guard.Deciders{Admins: []string{lee}}, here, nil, errors.New("down"), []string{lee}},
		"of another platform":    {guard.Deciders{Admins: []string{"web:local:kim", lee}}, here, nil, nil, nil},
		"their own conversation": {guard.Deciders{Admins: []string{lee}}, alone(lee), nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, c := inCity(t, tt.d, asksBoth(), tt.away...)
				c.down(tt.err)
				r.hear("m1", tt.home, monthly)
				var got []string
				for _, p := range r.chat.Posts() {
					if who, ok := strings.CutPrefix(p.Key, "m1/q1/for/"); ok && !strings.Contains(who, "/") {
						got = append(got, who)
					}
				}
				slices.Sort(got)
				slices.Sort(tt.want)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("it is before (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// Issue 5: at half of its time people are told once of what waits, wherever a card is;
// and when more may decide, who have it before them then.
func TestPeopleAreToldAgainOfWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := guard.Deciders{Approvals: []guard.Approval{{By: []string{lee}, After: 20 * time.Minute, To: []string{moe, finance}}}}
		r, _ := inCity(t, d, asksBoth(), lee, moe)
		r.hear("m1", here, monthly)
		nudges := func(p bot.Place) (n int) {
			for _, text := range r.said(p) {
				if strings.Contains(text, "card above") {
					n++
				}
			}
			return n
		}
		counts := func(when string, want ...int) {
			t.Helper()
			got := []int{nudges(here), nudges(alone(lee)), nudges(alone(moe))}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: told at home, lee, moe (-want +got):\n%s", when, diff)
			}
		}
		pass(19 * time.Minute)
		counts("before that", 0, 0, 0)
		if _, ok := r.chat.Shows("m1/q1/for/" + moe); ok {
			t.Error("the card is before who may not decide yet")
		}
		pass(2 * time.Minute)
		counts("once more may", 1, 1, 1)
		if got := r.said(here); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "It waits for <@lee> or <@moe> or @finance.") }) {
			t.Errorf("at home is said %q, want who may", got)
		}
		pass(10 * time.Minute)
		counts("at half of its time", 2, 2, 2)
		pass(20 * time.Minute)
		counts("later", 2, 2, 2)
		pass(15 * time.Minute)
		for _, key := range []string{"m1/q1", "m1/q1/for/" + lee, "m1/q1/for/" + moe} {
			if got := r.shows(key); !strings.Contains(got.Text, "Expired: nobody decided in time") || len(got.Choices) != 0 {
				t.Errorf("%s = %q, want it expired", key, got.Text)
			}
		}
		if end := r.shows("m1/end"); len(end.Choices) == 0 || end.Choices[0].ID != "continue:m1" {
			t.Errorf("end = %+v, want a Continue", end.Choices)
		}
	})
}

// A21, issue 5: a slot's card waits to the next slot and stands before its approvers too;
// another job goes on meanwhile.
func TestA21ASlotWaitsForItsApproversAndOthersGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const first, second = "job/j1@2000-01-01T09:00@UTC", "job/j2@2000-01-01T09:00@UTC"
		r, _ := inCity(t, guard.Deciders{Admins: []string{lee}}, setup{says: map[string][]llm.Reply{
			first: {says("", call("post_message", `{"channel":"#sales"}`))},
		}}, lee)
		for id, key := range map[string]string{"j1": first, "j2": second} {
			job := scheduler.Job{ID: id, Owner: ana, Origin: here.String(), Request: "sales", Lang: "en"}
			if id == "j2" {
				job.Origin = there.String()
			}
			f := scheduler.Firing{Key: key, Job: job, Slot: scheduler.Slot{Zone: "UTC", At: time.Now()}, Next: time.Now().Add(30 * time.Minute)}
			if err := r.bot.Fire(t.Context(), f); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if got := r.shows(first + "/q1/for/" + lee); got.Place != alone(lee) {
			t.Errorf("the approver has it at %v", got.Place)
		}
		if got := r.shows(second + "/end").Text; got != "done with "+second {
			t.Errorf("the other job says %q", got)
		}
		pass(31 * time.Minute)
		if got := r.shows(first + "/q1"); !strings.Contains(got.Text, "Expired") {
			t.Errorf("the card = %q after the next slot, want it expired", got.Text)
		}
		if got := r.run(first); got.State != run.Suspended || len(r.said(sales)) != 0 {
			t.Errorf("the run is %s, with %d posts", got.State, len(r.said(sales)))
		}
	})
}

// Issue 5, A1: while nobody can say who is in a group a press waits, and counts by its
// own time once somebody can.
func TestAPressWaitsUntilItIsKnownWhoMayDecide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := inCity(t, guard.Deciders{Approvals: []guard.Approval{{By: []string{finance}}}}, asksBoth())
		r.hear("m1", here, monthly)
		c.down(errors.New("Slack is down"))
		r.press(here, fay, "m1/q1", run.Once)
		if n := len(r.said(sales)); n != 0 || len(r.whispers(here, fay)) != 0 {
			t.Errorf("%d posts, and %q is said, while nobody can say whether she may", n, r.whispers(here, fay))
		}
		c.down(nil)
		pass(time.Minute)
		if n := len(r.said(sales)); n != 3 {
			t.Errorf("%d posts once it is known that she may", n)
		}
	})
}

// A1 Who is a guest, or of another organisation, decides nothing, though a rule names
// them or a group that they are in.
func TestA1GuestsDecideNothingThoughTheyAreNamed(t *testing.T) {
	for name, s := range map[string]bot.Standing{"guest": bot.Guest, "external": bot.External, "bot": bot.Machine} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, _ := inCity(t, guard.Deciders{Approvals: []guard.Approval{{By: []string{finance, fay}}}}, asksBoth())
				r.hear("m1", here, monthly)
				r.chat.Knows(fay, s)
				r.press(here, fay, "m1/q1", run.Once)
				if got := r.shows("m1/q1"); len(got.Choices) == 0 || len(r.said(sales)) != 0 {
					t.Errorf("a %s has decided: %q", name, got.Text)
				}
				r.chat.Knows(fay, bot.Member)
				r.press(here, fay, "m1/q1", run.Once)
				if n := len(r.said(sales)); n != 3 {
					t.Errorf("%d posts after a member's press", n)
				}
			})
		})
	}
}
