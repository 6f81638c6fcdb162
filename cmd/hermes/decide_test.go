package main

import (
	"strings"
	"testing"

	"hermes/internal/fakeslack"
)

const postJob = "@hermes summarise last month's sales by region and post it to #sales"

// submits fills in the form that a person has open and sends it.
func (o *office) submits(who string, values map[string]string) {
	o.t.Helper()
	if _, err := o.fake.Human(who).Submit(values); err != nil {
		o.t.Fatal(err)
	}
}

// A20: who approves changes the channel in a form: a wrong one is said at its field, the
// right one is planned anew and is where the post stands; the card keeps both.
func TestA20AnApproverEditsInSlack(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	root := o.says("ana", "general", postJob)
	o.press("leo", o.card(root), "Edit …")
	o.view("leo", "modal", "checked and runs as it stands")
	o.submits("leo", map[string]string{"0.channel": "#nowhere"})
	o.until("an error at the field", func() bool {
		m, _ := o.fake.Human("leo").Modal()
		return strings.Contains(m.Errors["0.channel"], "#nowhere")
	})
	o.submits("leo", map[string]string{"0.channel": "#general"})
	o.answer(root, "Posted to")
	if n := len(o.posts("sales")); n != 0 {
		t.Errorf("%d posts stand in #sales, want none", n)
	}
	card := o.message("the card", func(m fakeslack.Message) bool { return strings.HasSuffix(keyOf(m), "/q1") })
	for _, want := range []string{"Changed before the yes", "#general", "#sales"} {
		if !strings.Contains(card.Shown(), want) {
			t.Errorf("the card has no %q:\n%s", want, card.Shown())
		}
	}
	if audit := o.command("audit", "show"); !strings.Contains(audit, "+edited") {
		t.Errorf("the audit does not say that it was edited:\n%s", audit)
	}
}

// A20: who asked, or who decides, asks for changes in a sentence, or denies with a reason.
// What the built-in rules cannot follow they say at once, and the card stays open; what
// they can is on the next card.
func TestA20ChangesAreAskedForInSlack(t *testing.T) {
	t.Parallel()
	t.Run("changes", func(t *testing.T) {
		t.Parallel()
		o := newOffice(t, fakeslack.Options{})
		root := o.says("ana", "general", postJob)
		o.press("ana", o.card(root), "Ask for changes …")
		o.view("ana", "modal", "#sales")
		o.submits("ana", map[string]string{"note": "shorter, and ask finance first"})
		o.until("an error at the form", func() bool {
			m, _ := o.fake.Human("ana").Modal()
			return strings.Contains(m.Errors["note"], "without a language model")
		})
		o.submits("ana", map[string]string{"note": "to #general instead"})
		o.message("the first card", func(m fakeslack.Message) bool {
			return strings.HasSuffix(keyOf(m), "/q1") && strings.Contains(m.Shown(), "asks for changes") && strings.Contains(m.Shown(), "to #general instead")
		})
		second := o.message("the next card", func(m fakeslack.Message) bool {
			return strings.HasSuffix(keyOf(m), "/q2") && strings.Contains(m.Shown(), "#general")
		})
		o.press("leo", second, "Approve")
		o.answer(root, "Posted to")
		if n := len(o.posts("sales")); n != 0 {
			t.Errorf("%d posts stand in #sales, want none", n)
		}
	})
	t.Run("a reason", func(t *testing.T) {
		t.Parallel()
		o := newOffice(t, fakeslack.Options{})
		root := o.says("ana", "general", postJob)
		o.press("ana", o.card(root), "Deny with reason …")
		o.view("ana", "modal", "#sales")
		o.submits("ana", map[string]string{"note": "October, not September"})
		o.answer(root, "October, not September")
		o.message("the card", func(m fakeslack.Message) bool {
			return strings.HasSuffix(keyOf(m), "/q1") && strings.Contains(m.Shown(), "Denied by") && strings.Contains(m.Shown(), "October, not September")
		})
		if n := len(o.posts("sales")); n != 0 {
			t.Errorf("%d posts stand in #sales, want none", n)
		}
		if plan := o.message("how it went", func(m fakeslack.Message) bool { return strings.Contains(m.Shown(), "denied (Post)") }); strings.Contains(plan.Shown(), "Done in") {
			t.Errorf("a refusal is called done: %s", plan.Shown())
		}
	})
}

// SAFE-06, A17, A18: "Allow like this" lets the same again run without a card; another
// channel is asked for; it stands in lists, and is asked for again once it is revoked.
func TestSAFE06AllowLikeThisInSlack(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	root := o.says("ana", "general", postJob)
	o.press("leo", o.card(root), "Allow like this …")
	o.view("leo", "modal", "may run without asking")
	o.submits("leo", map[string]string{"scope": o.scope("leo", "asked for anywhere")})
	o.answer(root, "Posted to")
	again := o.says("ana", "general", postJob)
	o.answer(again, "Posted to")
	if n := len(o.posts("sales")); n != 2 {
		t.Errorf("%d posts stand in #sales, want 2", n)
	}
	other := o.says("ana", "general", strings.ReplaceAll(postJob, "#sales", "#general"))
	o.card(other)
	list := o.command("grants", "list")
	id := firstID(list)
	if !strings.Contains(list, "1/12") || !strings.Contains(list, "#sales") || id == "" {
		t.Fatalf("grants list:\n%s", list)
	}
	if got := o.command("grants", "revoke", id); !strings.Contains(got, id+" (post_message) is revoked") {
		t.Errorf("grants revoke: %s", got)
	}
	o.card(o.says("ana", "general", postJob))
}

// scope is the option of the form that a person has open, which has some words.
func (o *office) scope(who, words string) string {
	o.t.Helper()
	m, ok := o.fake.Human(who).Modal()
	if !ok {
		o.t.Fatalf("%s has no form open", who)
	}
	if _, rest, found := strings.Cut(string(m.View), `"`+words); found {
		label, _, _ := strings.Cut(rest, `"`)
		return words + label
	}
	o.t.Fatalf("no option %q in %s", words, m.View)
	return ""
}

func firstID(list string) string {
	for _, word := range strings.Fields(list) {
		if len(word) == 9 && word[0] == 'g' {
			return word
		}
	}
	return ""
}
