package guard

import (
	"fmt"
	"slices"
)

// A Rail is one of the four guardrails without which nothing that writes is offered.
type Rail string

// The guardrails. That a write waits for a decision is code, and nothing can switch it
// off: where nobody is named, nobody decides.
const (
	ScreenRail   Rail = "lexical screen"
	ApprovalRail Rail = "approvals"
	RoundRail    Rail = "round cap"
	BudgetRail   Rail = "budget breaker"
)

// Off is a guardrail that is switched off, and by what.
type Off struct {
	Rail Rail
	Why  string // for an operator, with the key
}

// Rails returns those that are off, each once. priced says that every model in use has a price, so
// that money bounds a run.
func Rails(words Screen, all Profiles, budgets Budgets, priced bool) []Off {
	var off []Off
	if len(words) == 0 {
		off = append(off, Off{ScreenRail, "safety.words is empty"})
	}
	bounded := func(tokens, nanos int64) bool { return tokens > 0 || nanos > 0 && priced }
	perRun := false
	for _, b := range budgets {
		perRun = perRun || b.Per == PerRun && bounded(b.Limit.Tokens, b.Limit.Nanos)
	}
	told := func(r Rail) bool { return slices.ContainsFunc(off, func(o Off) bool { return o.Rail == r }) }
	for _, p := range all {
		if !told(RoundRail) && (p.Rounds < 1 || p.Rounds > Ceiling) {
			off = append(off, Off{RoundRail, fmt.Sprintf("profile %s has max_rounds %d", p.Name, p.Rounds)})
		}
		if !told(BudgetRail) && !perRun && !bounded(int64(p.Tokens), p.Nanos) {
			why := fmt.Sprintf("a run of profile %s has neither loop.budget_tokens nor loop.budget_usd, and there is no budget per run", p.Name)
			if p.Nanos > 0 {
				why = fmt.Sprintf("a run of profile %s has loop.budget_usd alone, and not every model has a price", p.Name)
			}
			off = append(off, Off{BudgetRail, why})
		}
	}
	return off
}
