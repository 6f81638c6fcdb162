package bot

import "hermes/agent/run"

// revsPer is how many Revs of its progress each state of a Run has: one as it is
// reached, and one for each time that the work was cut off in it.
const revsPer = 16

// takenUp makes the Progress of a Run that works into the news that the work on it goes
// on, after it was cut off so often: whoever saw it stand still knows within a moment,
// however long the next step takes.
func (p *Post) takenUp(r run.Run, again int) {
	if again <= 0 || r.State != run.Working || p.Plan == nil {
		return
	}
	w := words(p.Lang)
	p.Rev += min(again, revsPer-1)
	p.Text = w.resumed + p.Text
	plan := *p.Plan
	plan.Title = w.resumed + plan.Title
	p.Plan = &plan
}
