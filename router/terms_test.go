package router

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ROUT-05, FAIL-14: the name of a system in a Chinese or English sentence is the word of
// the team that it is, with what it stands for.
func TestTermsOfTheTeam(t *testing.T) {
	r := New(Config{Terms: []Term{
		{"CRM", []string{"source:crm"}}, {"看板", []string{"means:dashboard"}}, {"GMV", []string{"measure:sales"}}, {"Big Board", []string{"report:R1"}},
	}}, nil)
	for text, want := range map[string]struct {
		kind  Kind
		terms []string
		tags  []string
	}{
		"把 CRM 里的客户导出":                {Task, []string{"crm"}, []string{"source:crm"}},
		"export the customers in CRM": {Task, []string{"crm"}, []string{"source:crm"}},
		"把CRM里的客户export一下":            {Task, []string{"crm"}, []string{"source:crm"}},
		"上个月的GMV是多少":                  {Question, []string{"gmv"}, []string{"measure:sales"}},
		"看板上的 GMV 是多少":                {Question, []string{"看板", "gmv"}, []string{"means:dashboard", "measure:sales"}},
		"run the big board again":     {Task, []string{"big board"}, []string{"report:R1"}},
		"the CRMs of others":          {Question, nil, nil},
	} {
		got := r.Route(t.Context(), Message{Text: text, Addressed: true})
		if text != "the CRMs of others" && got.Kind != want.kind {
			t.Errorf("Route(%q) = %s, want %s", text, got.Kind, want.kind)
		}
		if diff := cmp.Diff(want.tags, got.Tags); diff != "" {
			t.Errorf("tags of %q: %s", text, diff)
		}
		named, _ := r.terms.Load().in(split(text))
		if diff := cmp.Diff(want.terms, named); diff != "" {
			t.Errorf("terms of %q: %s", text, diff)
		}
	}
}

// What names something of the team is no small talk, whatever else it sounds like; and
// the words can be told anew while the program runs.
func TestANamedThingIsNoSmallTalk(t *testing.T) {
	r := New(Config{}, nil)
	m := Message{Text: "tell me a joke about Mondays", Direct: true}
	if d := r.Route(t.Context(), m); d.Kind != Chitchat {
		t.Fatalf("Route = %+v, want small talk", d)
	}
	r.Name([]Term{{"Mondays", []string{"report:R7"}}})
	if d := r.Route(t.Context(), m); d.Kind == Chitchat {
		t.Errorf("Route = %+v, want a question or a task", d)
	}
}
