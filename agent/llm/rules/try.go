package rules

import (
	"time"

	"hermes/agent/llm"
)

// A TrialInput is one line of `hermes try ask`.
type TrialInput struct {
	Text  string   `json:"text"`
	Turns []string `json:"turns"` // earlier texts of the same person
	Facts []struct {
		Subject   string `json:"subject"`
		Predicate string `json:"predicate"`
		Object    string `json:"object"`
	} `json:"facts"`
	Lang string `json:"lang"` // of the answer; guessed from the text
	Now  string `json:"now"`  // RFC 3339
	Zone string `json:"tz"`
}

// A Trial is what the rules make of it: the whole plan, where "$2" stands for what
// the second call gives.
type Trial struct {
	Calls     []TrialCall `json:"calls"`
	Missing   []string    `json:"missing"`
	Unclaimed []string    `json:"unclaimed"`
	Say       string      `json:"say"`
}

// A TrialCall is one call of a Trial.
type TrialCall struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// tryNow is the now of a trial that names none: the same line must give the same
// answer every day.
var tryNow = time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)

// Try answers one line of `hermes try ask`. The same input gives the same Trial.
func (m *Model) Try(in TrialInput) Trial {
	out := Trial{Calls: []TrialCall{}, Missing: []string{}, Unclaimed: []string{}}
	scene := llm.Scene{Lang: in.Lang, Zone: in.Zone, Now: tryNow}
	if now, err := time.Parse(time.RFC3339, in.Now); err == nil {
		scene.Now = now
	}
	if scene.Lang != "en" && scene.Lang != "zh" {
		scene.Lang = languageOf(in.Text)
	}
	for _, f := range in.Facts {
		scene.Facts = append(scene.Facts, llm.Fact{Subject: f.Subject, Predicate: f.Predicate, Object: f.Object})
	}
	t := talk{turns: append(append([]string{}, in.Turns...), in.Text)}
	c := m.reader(scene, t)
	r := c.fold(t.turns)
	if text, done := c.inWords(r); done {
		out.Say = text
		out.Unclaimed = append(out.Unclaimed, r.unclaimed...)
		return out
	}
	if slots := c.missing(r); len(slots) > 0 {
		out.Missing = slots
		out.Say, _ = c.ask(r, slots)
		return out
	}
	for _, s := range c.plan(r) {
		out.Calls = append(out.Calls, TrialCall{s.name, s.args})
	}
	out.Say = c.sayPlan(r)
	return out
}
