package web

import (
	"context"
	"fmt"
	"net/http"

	"hermes/bot"
)

// A Counter counts why people had to come in. It reports false to who may not look.
type Counter func(ctx context.Context, viewer string) (bot.Interventions, bool, error)

// A cameView is how often people had to come in, and why.
type cameView struct {
	V, Text string
	Rows    []cameRow
}

// A cameRow is one cause of one tool in one week.
type cameRow struct {
	Week, Tool, Cause string
	N                 int
}

// mostCame is how many rows stand on the page; `hermes interventions` has all.
const mostCame = 60

// came is what stands over the runs of why people had to come in; nil if there is nothing
// to tell, or not to this visitor.
func (c *Console) came(r *http.Request, v visit) (*cameView, error) {
	if c.cfg.Interventions == nil {
		return nil, nil
	}
	x, may, err := c.cfg.Interventions(r.Context(), v.person)
	if err != nil || !may || x.Runs == 0 {
		return nil, err
	}
	out := &cameView{Text: fmt.Sprintf(word(v.lang, "came.share"), x.With, x.Runs, 100*x.Share())}
	for _, row := range x.Rows[:min(mostCame, len(x.Rows))] {
		tool := "–"
		if row.Tool != "" {
			tool = row.Tool
			if name, ok := bot.ToolWord(v.lang, row.Tool); ok {
				tool = name
			}
		}
		out.Rows = append(out.Rows, cameRow{row.Week, tool, word(v.lang, "came."+string(row.Cause)), row.N})
	}
	out.V = hashOf(out)
	return out, nil
}
