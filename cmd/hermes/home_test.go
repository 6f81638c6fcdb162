package main

import (
	"strings"
	"testing"

	"hermes/internal/fakeslack"
)

// home waits until a person's home shows some words.
func (o *office) home(who, words string) fakeslack.View {
	o.t.Helper()
	return o.view(who, "home", words)
}

func (o *office) view(who, kind, words string) fakeslack.View {
	o.t.Helper()
	h, found := o.fake.Human(who), fakeslack.View{}
	o.until("a "+kind+" of "+who+" with "+words, func() bool {
		for _, v := range o.fake.Views() {
			if v.Type == kind && v.User == h.ID() && !v.Closed && strings.Contains(v.Shown(), words) {
				found = v
				return true
			}
		}
		return false
	})
	return found
}

// opens has a person look at their home.
func (o *office) opens(who, words string) fakeslack.View {
	o.t.Helper()
	if _, err := o.fake.Human(who).OpenHome(); err != nil {
		o.t.Fatal(err)
	}
	return o.home(who, words)
}

// pressIn has a person press in a view.
func (o *office) pressIn(who string, v fakeslack.View, button string) {
	o.t.Helper()
	if _, err := o.fake.Human(who).PressIn(v, button); err != nil {
		o.t.Fatal(err)
	}
}

// privately waits for a line of the bot's in a conversation of two.
func (o *office) privately(words string) fakeslack.Message {
	o.t.Helper()
	return o.message("a line with "+words, func(m fakeslack.Message) bool {
		return m.Mine() && strings.HasPrefix(m.Channel, "D") && strings.Contains(m.Shown(), words)
	})
}

// SLK-03, SLK-04: the home is a control room. A schedule is made in a form with a look
// at its dates, waits for its card, is seen, paused and deleted there; what goes to a
// channel is approved by who may, in their own home, and nobody else's.
func TestSLK04AScheduleIsRunFromHome(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	o.pressIn("ana", o.opens("ana", "There are no schedules yet."), "New schedule")
	form := o.view("ana", "modal", "What should I do?")
	h := o.fake.Human("ana")
	if _, err := h.ChooseIn(form, "when", "every month on the 1st at 9:00"); err != nil {
		t.Fatal(err)
	}
	if v := o.view("ana", "modal", "every month on the 1st at 09:00"); strings.Count(v.Shown(), " 09:00\n")+strings.Count(v.Shown(), " 09:00 ") < 4 || !strings.Contains(v.Shown(), "Europe/Berlin") {
		t.Errorf("the form shows:\n%s", v.Shown())
	}
	if _, err := h.Submit(map[string]string{"what": "what were last month's sales in Asia?"}); err != nil {
		t.Fatal(err)
	}
	o.view("ana", "modal", "Nothing is planned before the button there is pressed")
	card := o.privately("Do it again")
	o.home("ana", "Waiting for you")
	o.pressIn("ana", o.home("ana", "Do it again"), "Approve")
	o.privately("Scheduled: **every month on the 1st at 09:00** (Europe/Berlin). Next on ")
	o.until("the card to be settled", func() bool { return len(o.buttonsOf(card)) == 0 })

	v := o.home("ana", "Active · next on")
	o.pressIn("ana", v, "Pause")
	v = o.home("ana", "Paused")
	if out := o.command("schedule", "list"); !strings.Contains(out, "paused") {
		t.Errorf("schedules:\n%s", out)
	}
	o.pressIn("ana", v, "Edit")
	o.view("ana", "modal", "What should I do?")
	if _, err := h.ChooseIn(o.view("ana", "modal", "What should I do?"), "to", o.fake.Channel("random").ID()); err != nil {
		t.Fatal(err)
	}
	o.view("ana", "modal", "I am not a member of #random.")
	if _, err := h.Submit(map[string]string{"when": "every Monday at 8:00", "to": o.fake.Channel("sales").ID()}); err != nil {
		t.Fatal(err)
	}
	o.privately("Change the schedule")
	o.home("ana", "Waiting for others")
	o.pressIn("leo", o.opens("leo", "posted to *#sales*"), "Approve")
	o.privately("Changed: **every Monday at 08:00** (Europe/Berlin)")
	v = o.home("ana", "Each post waits for an approval")
	if !strings.Contains(v.Shown(), "every Monday at 08:00 (Europe/Berlin) → #sales") {
		t.Errorf("ana's home:\n%s", v.Shown())
	}
	if gus := o.opens("gus", "There are no schedules yet."); strings.Contains(gus.Shown(), "Asia") {
		t.Errorf("gus sees:\n%s", gus.Shown())
	}
	o.pressIn("ana", v, "Delete")
	o.home("ana", "There are no schedules yet.")
}
