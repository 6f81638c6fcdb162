package main

import (
	"strings"
	"testing"

	"hermes/internal/fakeslack"
)

// The status, by command, says what waits and what comes next; who is denied in a
// channel reads whom to ask by name, and not a piece of Slack's markup.
func TestStatusAndDenialInSlack(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{}, "HERMES_POLICY_USERS=slack:"+fakeslack.Team+":"+ana+",slack:"+fakeslack.Team+":"+leo)
	root := o.says("ana", "general", "@hermes summarise last month's sales by region, write a short analysis, and post it to #sales")
	o.card(root)
	if _, err := o.fake.Human("ana").Slash("general", "/hermes", "status"); err != nil {
		t.Fatal(err)
	}
	text := o.message("the status, for her alone", func(m fakeslack.Message) bool {
		return m.Only == ana && m.Channel == root.Channel && strings.Contains(m.Shown(), "Under way: 1")
	}).Shown()
	for _, part := range []string{"“summarise last month's sales by region", "write a short analy…”: waiting for a decision", "Waiting for a decision: 1**\n- Post Sales by region, ", "to #sales\n", "You have no schedules."} {
		if !strings.Contains(text, part) {
			t.Errorf("the status lacks %q:\n%s", part, text)
		}
	}
	denied := o.answer(o.says("gus", "general", "@hermes sales last month"), "You are not among those I work for here. Please ask ")
	if text := denied.Shown(); !strings.Contains(text, "Please ask <@"+leo+">.") {
		t.Errorf("whom to ask is no name: %q", text)
	}
}
