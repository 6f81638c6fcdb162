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
	// What comes of it is seen before it is approved.
	o.submits("leo", map[string]string{"0.channel": "#general"})
	o.view("leo", "modal", "Nothing is approved yet")
	o.submits("leo", nil)
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

// A20: an edit of when a schedule comes shows the next five dates, in the language of who
// edits, and waits for another yes; the card does not say that anything was allowed for good.
func TestA20AnEditedScheduleShowsItsDatesFirst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, ask, lead, when, first, approved, not string }{
		{"en", "@hermes summarise last month's sales by region, post it to #sales, and do this every month on the 1st at 9:00", "checked and runs", "every Friday at 17:00", "Nothing is approved yet", "Approved by", "as scheduled"},
		{"zh", "@hermes 把上个月的销售数据按地区汇总，发到 #sales，以后每个月1号早上9点都做一次", "会先检查", "每周五17:00", "还没有批准", "批准", "现在及以后按计划"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, fakeslack.Options{})
			if tt.name == "zh" {
				o.fake.ChangeUser("leo", func(u *fakeslack.User) { u.Locale = "zh-CN" })
			}
			root := o.says("ana", "general", tt.ask)
			card := o.card(root)
			o.press("leo", card, card.Buttons()[2].Label)
			o.view("leo", "modal", tt.lead)
			o.submits("leo", map[string]string{"1.when": tt.when})
			v := o.view("leo", "modal", tt.first)
			if n := strings.Count(v.Shown(), "17:00"); n < 5 {
				t.Errorf("%d times are shown before the yes, want five:\n%s", n, v.Shown())
			}
			if n := len(o.posts("sales")); n != 0 {
				t.Fatalf("%d posts stand in #sales before the second yes", n)
			}
			o.submits("leo", nil)
			o.answer(root, "17:00")
			settled := o.message("the card", func(m fakeslack.Message) bool { return strings.HasSuffix(keyOf(m), "/q1") && len(m.Buttons()) == 0 })
			if text := settled.Shown(); !strings.Contains(text, tt.approved) || strings.Contains(text, tt.not) || strings.Contains(text, "allowed for good") || strings.Contains(text, "长期批准") {
				t.Errorf("the card says:\n%s", text)
			}
		})
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
