package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/guard"
	"hermes/config"
)

// A headcount is how many people somebody of the configuration is: a group as many as it
// has, and a person who is not there none. Of whom nobody knows it is not told.
type headcount map[string]int

// sayApprovals says who may decide on what, and where nobody could.
func (c *checking) sayApprovals(cfg config.Config, known headcount, now time.Time) {
	for i, r := range cfg.Approvals.Rules {
		c.f("· approvals, %s: %s\n", r.Label(i), sayRule(r))
		n, sure := peopleOf(r, cfg, known)
		switch need := max(r.Quorum, 1); {
		case !sure:
		case n < need:
			c.bad = true
			c.f("✗ approvals, %s: it takes %s and there %s, so nothing that it fits is ever approved\n  hint: name people who are there under approvals.rules[%d].by\n", r.Label(i), heads(need), are(n), i)
		case r.Others && n == need:
			c.f("! approvals, %s: if one of them asks, nobody is left who can decide\n", r.Label(i))
		}
	}
	zone, err := time.LoadLocation(cmp.Or(cfg.Zone, "UTC"))
	for _, d := range cfg.Approvals.Delegates {
		state := ""
		if from, until, fault := d.Span(zone); err == nil && fault == nil {
			switch {
			case !now.Before(until):
				state = ", which is over"
			case !now.Before(from):
				state = ", so now"
			}
		}
		c.f("· approvals: %s stands in for %s from %s to %s%s\n", d.To, d.Of, d.From, d.Until, state)
	}
	rest := "what is only theirs, who asked; a post alone into a channel that they are in, who asked or an admin; all else, admins"
	if len(cfg.Approvals.Rules) > 0 {
		c.f("· where no rule fits, these decide: %s\n", rest)
		return
	}
	c.f("· these decide: %s\n", rest)
}

// peopleOf are how many may say yes under a rule, at the best; false if nobody knows.
func peopleOf(r config.ApprovalRule, cfg config.Config, known headcount) (int, bool) {
	n := 0
	var seen []string
	by := slices.Concat(r.By, r.Escalate.To)
	for i := 0; i < len(by); i++ {
		who := by[i]
		if slices.Contains(seen, who) {
			continue
		}
		seen = append(seen, who)
		switch count, ok := known[who]; {
		case who == guard.Requester && r.Others:
		case who == guard.Requester:
			n++
		case who == guard.Admins:
			by = append(by, cfg.Admins...)
		case ok:
			n += count
		case strings.HasPrefix(who, guard.GroupMark):
			return 0, false
		default:
			n++
		}
	}
	return n, true
}

func heads(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

func are(n int) string {
	switch n {
	case 0:
		return "is nobody"
	case 1:
		return "is 1"
	}
	return fmt.Sprintf("are %d", n)
}

// sayRule is a rule in words.
func sayRule(r config.ApprovalRule) string {
	what := "everything"
	if len(r.Tools) > 0 {
		what = strings.Join(r.Tools, ", ")
	}
	if len(r.Channels) > 0 {
		what += " in " + strings.Join(r.Channels, ", ")
	}
	for i, m := range r.Where {
		word := " where "
		if i > 0 {
			word = " and "
		}
		switch {
		case m.Like != "":
			what += word + m.Arg + " is like " + m.Like
		case m.Above != "":
			what += word + m.Arg + " is above " + m.Above
		default:
			what += word + m.Arg + " is " + m.Is
		}
	}
	who := strings.Join(r.By, " or ")
	if r.Quorum > 1 {
		who = fmt.Sprintf("%d of %s", r.Quorum, who)
	}
	if r.Others {
		who += ", never who asked"
	}
	if r.Escalate.After > 0 {
		who += ", after " + strings.TrimSuffix(strings.TrimSuffix(r.Escalate.After.String(), "0s"), "0m") + " also " + strings.Join(r.Escalate.To, " or ")
	}
	return what + ": " + who
}

// decidersNamed are the persons and groups that the configuration names.
func decidersNamed(cfg config.Config) (persons, groups []string) {
	add := func(who string) {
		group, is := strings.CutPrefix(who, guard.GroupMark)
		switch {
		case who == guard.Requester, who == guard.Admins:
		case is && !slices.Contains(groups, group):
			groups = append(groups, group)
		case !is && !slices.Contains(persons, who):
			persons = append(persons, who)
		}
	}
	for _, a := range cfg.Admins {
		add(a)
	}
	for _, r := range cfg.Approvals.Rules {
		for _, who := range slices.Concat(r.By, r.Escalate.To) {
			add(who)
		}
	}
	for _, d := range cfg.Approvals.Delegates {
		add(d.To)
	}
	return persons, groups
}
