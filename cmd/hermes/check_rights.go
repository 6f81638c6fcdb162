package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"hermes/agent/tool"
	"hermes/config"
	"hermes/internal/sample"
)

// sourceNames are those of the sources that there are.
func sourceNames(c config.Config) []string {
	var names []string
	for _, s := range c.Sources {
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		names = append(names, sample.Layer().Name)
	}
	return names
}

// nameless are the names and globs of the rights that fit no tool or no source: what
// should be kept to some would be open to all, in silence.
func nameless(c config.Config, specs []tool.Spec) []misname {
	var tools []string
	for name := range tool.Names(specs) {
		tools = append(tools, name)
	}
	slices.Sort(tools)
	var out []misname
	look := func(key, glob string, names []string, unknown func() string) {
		if !slices.ContainsFunc(names, func(n string) bool {
			ok, err := path.Match(strings.ToLower(glob), strings.ToLower(n))
			return ok && err == nil
		}) {
			out = append(out, misname{key, errors.New(unknown())})
		}
	}
	for i, r := range c.Rights {
		for j, g := range r.Tools {
			look(fmt.Sprintf("rights[%d].tools[%d]", i, j), g, tools, func() string { return tool.Unknown(g, tools) })
		}
		for j, g := range r.Sources {
			look(fmt.Sprintf("rights[%d].sources[%d]", i, j), g, sourceNames(c), func() string {
				return fmt.Sprintf("there is no source %q; there are: %s", g, strings.Join(sourceNames(c), ", "))
			})
		}
	}
	return out
}

// sayRight is a rule in words.
func sayRight(r config.Right) string {
	var what []string
	if len(r.Tools) > 0 {
		what = append(what, "the tools "+strings.Join(r.Tools, ", "))
	}
	if len(r.Sources) > 0 {
		what = append(what, "the sources "+strings.Join(r.Sources, ", "))
	}
	who, where, how := "everybody", "anywhere", ""
	if len(r.Users) > 0 {
		who = strings.Join(r.Users, ", ")
	}
	if len(r.Channels) > 0 {
		where = "in " + strings.ReplaceAll(strings.Join(r.Channels, ", "), "direct", "conversations with one person")
	}
	if len(r.Profiles) > 0 {
		how = ", for what has the profile " + strings.Join(r.Profiles, " or ")
	}
	return fmt.Sprintf("%s: for %s, %s%s", strings.Join(what, " and "), who, where, how)
}

// checkRights says who may use what, what may be spent, and what of it cannot hold.
func (s *shell) checkRights(ctx context.Context, cfg config.Config, c *checking) {
	for _, r := range cfg.Rights {
		c.f("· rights: %s\n", sayRight(r))
		if len(r.Sources) > 0 && len(r.Users) > 0 && len(r.Channels) == 0 {
			c.f("! rights: what comes from %s is posted to no channel, since this rule names none; what these people ask in a channel is answered there\n", strings.Join(r.Sources, ", "))
		}
	}
	if len(cfg.Rights) > 0 {
		specs, err := s.toolSpecs(ctx, false)
		if err != nil {
			c.report("rights", err, "")
		} else {
			for _, n := range nameless(cfg, specs) {
				c.report(n.key, n.err, "mend the name: as it stands nobody is kept from anything")
			}
		}
	}
	for _, b := range cfg.Budgets {
		c.f("· budget: %s\n", sayBudget(b))
	}
	dollars := cfg.Loop.BudgetUSD > 0 || slices.ContainsFunc(cfg.Budgets, func(b config.Budget) bool { return b.USD > 0 }) ||
		slices.ContainsFunc(cfg.Loop.Profiles, func(p config.Profile) bool { return p.BudgetUSD > 0 })
	if none := unpriced(cfg); dollars && len(none) > 0 {
		c.f("! budgets in dollars cannot hold for %s, which has no price: set model.price, or limit tokens\n", strings.Join(none, ", "))
	}
	limits, err := profiles(cfg.Loop)
	if err != nil {
		return // it is said elsewhere
	}
	if off := rails(cfg, limits); len(off) > 0 {
		c.report("guardrails", errors.New(sayOff(off)), "all four must be on before any tool may write: leave the keys out for the defaults")
	}
}

// sayBudget is a budget in words.
func sayBudget(b config.Budget) string {
	per, every := b.Of()
	whose := "all together"
	if per != "" {
		whose = "each " + per
	}
	if every != "" {
		whose += " in a " + every
	}
	var most []string
	if b.Tokens > 0 {
		most = append(most, fmt.Sprintf("%d tokens", b.Tokens))
	}
	if b.USD > 0 {
		most = append(most, fmt.Sprintf("$%.2f", b.USD))
	}
	return fmt.Sprintf("%s: %s, told at %.0f%%", whose, strings.Join(most, " and "), 100*b.WarnAt())
}
