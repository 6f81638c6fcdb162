package web

import (
	"net/http"

	"hermes/bot"
)

// A runsBody is the list of runs under the budgets that they draw on.
type runsBody struct {
	Spent []spentView
	Came  *cameView
	Runs  []runView
}

// A spentView is a budget as it stands.
type spentView struct {
	DOM, V, Text string
	Near         bool // so much is spent that people are told
}

// mostSpent is how many budgets stand over the runs.
const mostSpent = 10

// spent are the budgets that a visitor may look at; none where the desk knows of none.
func (c *Console) spent(r *http.Request, v visit) ([]spentView, error) {
	t, ok := c.desk.(bot.Treasurer)
	if !ok {
		return nil, nil
	}
	purses, err := t.Purses(r.Context(), v.person, "")
	if err != nil {
		return nil, err
	}
	var views []spentView
	for _, p := range purses[:min(mostSpent, len(purses))] {
		s := spentView{DOM: "b-" + slug(p.Name()), Text: bot.PurseLine(v.lang, p), Near: p.Near()}
		if p.Of != "" && p.Of != v.person {
			s.Text += " (" + p.Name() + ")"
		}
		s.V = hashOf(s)
		views = append(views, s)
	}
	return views, nil
}
