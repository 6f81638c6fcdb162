package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/tool"
	"hermes/memory"
)

type listArgs struct {
	About string `json:"about,omitempty" tool:"enum=me|here|all"`
	Query string `json:"query,omitempty" jsonschema:"words"`
}

// A Line is one fact, ready to be read out. One of Status "withheld" is no fact:
// its Text says how many are not read out here, and why.
type Line struct {
	ID     string `json:"id,omitempty"`
	Text   string `json:"text"`
	Said   string `json:"said,omitempty"`   // day, in the zone of the Call
	Source string `json:"source,omitempty"` // link to where it was said
	By     string `json:"by,omitempty"`     // who said it, if that was another
	Status string `json:"status"`           // "active", "disputed", "withheld"
	// InUse is set on the disputed fact that is used until somebody decides.
	InUse bool `json:"in_use,omitempty"`
}

// most is how many facts one answer lists: what fits into one chat message.
const most = 30

func (d desk) list() tool.Tool {
	return tool.New(tool.Spec{
		Name:        "memory_list",
		Description: "List what is remembered here; if empty say so.",
		Output:      tool.OutputOf[[]Line](),
		IDs:         []string{"id"},
		Words:       []string{"remember", "know", "about", "fact", "memory", "记得", "知道", "记忆", "了解"},
		Effect:      tool.Read,
		Unattended:  true,
	}, func(ctx context.Context, c tool.Call, in listArgs) (tool.Result, error) {
		v, err := d.viewer(ctx, c)
		if err != nil {
			return tool.Result{}, fmt.Errorf("see who is at %s: %w", c.Home, err)
		}
		lines, err := d.lines(ctx, c, v, in)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.JSON(lines)
	})
}

func (d desk) lines(ctx context.Context, c tool.Call, v memory.Viewer, in listArgs) ([]Line, error) {
	facts, err := d.keeper.List(ctx, v)
	if err != nil {
		return nil, err
	}
	var about func(memory.Fact) bool
	switch strings.ToLower(strings.TrimSpace(in.About)) {
	case "here", "channel", "这里":
		about = func(f memory.Fact) bool { return f.Audience.Kind != memory.ForUser }
	case "all", "everything", "全部":
		about = func(memory.Fact) bool { return true }
	default:
		about = func(f memory.Fact) bool { return f.Own(c.Asker) || f.Subject == c.Asker }
	}
	facts = slices.DeleteFunc(facts, func(f memory.Fact) bool { return !about(f) })
	if strings.TrimSpace(in.Query) != "" {
		if facts, err = d.matching(ctx, v, in.Query, facts); err != nil {
			return nil, err
		}
	}
	w := wordsIn(c.Lang)
	lines := []Line{}
	for _, f := range facts[:min(most, len(facts))] {
		lines = append(lines, w.line(f, c, inUse(f, facts)))
	}
	hidden, err := d.keeper.Withheld(ctx, v)
	if err != nil {
		return nil, err
	}
	if more := len(facts) - most; more > 0 {
		lines = append(lines, Line{Text: fmt.Sprintf(w.more, more), Status: "withheld"})
	}
	if hidden > 0 {
		lines = append(lines, Line{Text: fmt.Sprintf(w.withheld, hidden), Status: "withheld"})
	}
	return lines, nil
}

// inUse reports whether f is the disputed fact that is used for now.
func inUse(f memory.Fact, among []memory.Fact) bool {
	if f.Status != memory.Disputed {
		return false
	}
	var rivals []memory.Fact
	for _, g := range among {
		if g.Status == memory.Disputed && g.Audience == f.Audience && g.Subject == f.Subject && g.Predicate == f.Predicate {
			rivals = append(rivals, g)
		}
	}
	return memory.InUse(rivals).ID == f.ID
}

// matching returns those of the facts that fit a query: what recall finds, best
// first, and then what has the words of the query in it.
func (d desk) matching(ctx context.Context, v memory.Viewer, query string, facts []memory.Fact) ([]memory.Fact, error) {
	found, err := d.keeper.Recall(ctx, v, query, most)
	if err != nil {
		return nil, err
	}
	var out []memory.Fact
	add := func(f memory.Fact) {
		if !slices.ContainsFunc(out, func(g memory.Fact) bool { return g.ID == f.ID }) {
			out = append(out, f)
		}
	}
	for _, s := range found {
		if slices.ContainsFunc(facts, func(f memory.Fact) bool { return f.ID == s.ID }) {
			add(s.Fact)
		}
	}
	for _, f := range facts {
		if mentions(f, query) {
			add(f)
		}
	}
	return out, nil
}

// mentions reports whether the words of query stand in the fact.
func mentions(f memory.Fact, query string) bool {
	hay := strings.ToLower(f.Object + "\n" + f.Text + "\n" + f.Predicate)
	q := strings.Trim(strings.ToLower(query), " \t\"'“”.。?？!！")
	if q == "" {
		return false
	}
	if strings.Contains(hay, q) {
		return true
	}
	return f.Predicate != memory.Note && memory.Normalize(f.Predicate, q) == memory.Normalize(f.Predicate, f.Object)
}
