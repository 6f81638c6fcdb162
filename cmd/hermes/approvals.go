package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"hermes/agent/guard"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/config"
)

// approvals are the rules of the configuration, with the tools by the names that they
// have today.
func approvals(c config.Config, specs []tool.Spec) ([]guard.Approval, []guard.Delegate, error) {
	var rules []guard.Approval
	for i, r := range c.Approvals.Rules {
		a := guard.Approval{
			Name: r.Label(i), Tools: todaysTools(r.Tools, specs), Channels: r.Channels, By: r.By,
			Others: r.Others, Quorum: r.Quorum, After: r.Escalate.After, To: r.Escalate.To,
		}
		for _, m := range r.Where {
			w := guard.Match{Arg: m.Arg, Is: m.Is, Like: m.Like}
			if n, ok := m.Number(); ok {
				w.Above = &n
			}
			a.Where = append(a.Where, w)
		}
		rules = append(rules, a)
	}
	zone, err := time.LoadLocation(cmp.Or(c.Zone, "UTC"))
	if err != nil {
		return nil, nil, fmt.Errorf("config: zone: %w", err)
	}
	var away []guard.Delegate
	for i, d := range c.Approvals.Delegates {
		from, until, err := d.Span(zone)
		if err != nil {
			return nil, nil, fmt.Errorf("config: approvals.delegates[%d]: %w", i, err)
		}
		away = append(away, guard.Delegate{Of: d.Of, To: d.To, From: from, Until: until})
	}
	return rules, away, nil
}

// todaysTools are globs that fit by a tool's name of today what they fit by one of its
// former names.
func todaysTools(globs []string, specs []tool.Spec) []string {
	out := slices.Clone(globs)
	today := tool.Names(specs)
	for _, name := range slices.Sorted(maps.Keys(today)) {
		if fitsTool(globs, name) && !fitsTool(out, today[name]) {
			out = append(out, today[name])
		}
	}
	return out
}

func fitsTool(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(g string) bool {
		ok, err := path.Match(strings.ToLower(g), strings.ToLower(name))
		return ok && err == nil
	})
}

// rollsOf answer who is in a group or a channel, and who reads what, by the platform that
// they are of.
type rollsOf map[string]bot.Poster

// A grouper is a platform that has groups.
type grouper interface {
	InGroup(ctx context.Context, group, person string) (bool, error)
}

// InGroup implements agent.Roster.
func (r rollsOf) InGroup(ctx context.Context, group, person string) (bool, error) {
	platform, _, _ := strings.Cut(group, ":")
	g, ok := r[platform].(grouper)
	if !ok {
		return false, nil
	}
	return g.InGroup(ctx, group, person)
}

// InPlace implements agent.Roster.
func (r rollsOf) InPlace(ctx context.Context, place, person string) (bool, error) {
	p, err := bot.ParsePlace(place)
	if err != nil {
		return false, err
	}
	roster, ok := r[p.Platform].(bot.Roster)
	if !ok || direct(p) {
		return false, nil
	}
	p.Thread = ""
	return roster.In(ctx, person, p)
}

// isMember is InPlace in the words of post.Members.
func (r rollsOf) isMember(ctx context.Context, person, place string) (bool, error) {
	return r.InPlace(ctx, place, person)
}

// InGroup implements grouper.
func (w workspaces) InGroup(ctx context.Context, group, person string) (bool, error) {
	s, err := w.ofPerson(ctx, group)
	if s == nil || err != nil {
		return false, err
	}
	return s.InGroup(ctx, group, person)
}

// GroupName implements bot.GroupNamer.
func (w workspaces) GroupName(ctx context.Context, group string) string {
	s, err := w.ofPerson(ctx, group)
	if s == nil || err != nil {
		return ""
	}
	return s.GroupName(ctx, group)
}

// speaks is the language in which a person reads, empty if nobody knows.
func (r rollsOf) speaks(person string) string {
	platform, _, _ := strings.Cut(person, ":")
	if l, ok := r[platform].(bot.Linguist); ok {
		return l.Speaks(person)
	}
	return ""
}
