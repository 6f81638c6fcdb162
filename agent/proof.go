package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hermes/agent/file"
	"hermes/agent/llm"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// counted is up to where whole numbers are taken for a count of what was said, which
// needs no proof: "the 4 regions", "12 months".
const counted = 12

// unproven returns the numbers of an answer, in digits and in words, that stand in
// nothing that the run has been told: neither in a result of a tool, nor in the request
// or what was said before it. The built-in rules make nothing up; a language model may.
func (a *Agent) unproven(ctx context.Context, r run.Run, text string) ([]string, error) {
	if a.Models.rules(r.Model) || len(result.Invented(text, ""))+len(result.Unfounded(text, "")) == 0 {
		return nil, nil
	}
	var known strings.Builder
	say := func(s string) { known.WriteString(s + "\n") }
	say(r.Text)
	say(r.Now.Format("2006-01-02 15:04") + r.Now.AddDate(-1, 0, 0).Format(" 2006"))
	for _, p := range []time.Time{r.Period.From, r.Period.To} {
		if !p.IsZero() {
			say(p.Format(time.DateOnly))
		}
	}
	for _, t := range r.Turns {
		if t.Role == llm.User {
			say(t.Text) // what the bot has said itself proves nothing
		}
	}
	for _, f := range a.recall(ctx, r.Request) {
		say(f.Object)
	}
	for _, l := range r.Request.Heard {
		say(l.Text)
	}
	for _, f := range r.Files {
		say(f.Name + " " + f.Extract + " " + file.Say(f, "en"))
		ids := []string{f.Artifact}
		for _, t := range f.Tables {
			ids = append(ids, t.Table)
		}
		if err := a.sayKept(ctx, say, ids...); err != nil {
			return nil, err
		}
	}
	for _, q := range r.Questions {
		for _, c := range q.Calls {
			say(string(c.Args) + " " + strings.Join(c.Lines, " "))
		}
	}
	for _, s := range r.Steps {
		for _, res := range s.Results {
			say(res.Text)
			say(res.Brief)
			if err := a.sayKept(ctx, say, res.Kept); err != nil {
				return nil, err
			}
		}
	}
	var out []string
	for _, n := range result.Invented(text, known.String()) {
		if !isCount(n) {
			out = append(out, n)
		}
	}
	return append(out, result.Unfounded(text, known.String())...), nil
}

// sayKept says what is kept under ids; an empty one, or one that is there no more, has
// nothing to say.
func (a *Agent) sayKept(ctx context.Context, say func(string), ids ...string) error {
	for _, id := range ids {
		if id == "" {
			continue
		}
		kept, err := a.Shelf.Artifact(ctx, id)
		switch {
		case errors.Is(err, tool.ErrNoArtifact):
		case err != nil:
			return fmt.Errorf("artifact %s: %w", id, err)
		default:
			say(string(kept.Body))
		}
	}
	return nil
}

// isCount reports whether a number is small and whole and has no unit.
func isCount(n string) bool {
	var value int
	rest := ""
	if k, _ := fmt.Sscanf(n, "%d%s", &value, &rest); k != 1 {
		return false
	}
	return value >= 0 && value <= counted
}
