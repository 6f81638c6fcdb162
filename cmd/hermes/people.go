package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/bot/terminal"
	"hermes/internal/store"
	"hermes/memory"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// demoLead is the one of the demo workspace who may approve.
var demoLead = bot.Person("web", "demo", "lead")

// admins are those of the configuration, whoever holds the data folder, and in
// the demo the sales lead.
func (h *hermes) admins() []string {
	all := append(slices.Clone(h.cfg.Admins), terminal.Owner)
	if h.demo() {
		return append(all, demoLead)
	}
	return append(all, bot.Person("web", "local", "owner"))
}

func (h *hermes) isAdmin(person string) bool { return slices.Contains(h.deciders.Admins, person) }

// see says who will see what is said at a home when that person asks.
func (h *hermes) see(ctx context.Context, person, home string) (memory.Viewer, error) {
	v := memory.Viewer{Person: person, Channel: memory.ChannelOf(home)}
	if p, err := bot.ParsePlace(home); err == nil {
		v.Direct = direct(p)
	}
	v.Team = h.team(ctx, person)
	return v, nil
}

// direct reports whether nobody but one person sees a place.
func direct(p bot.Place) bool {
	switch p.Platform {
	case "terminal":
		return true
	case "web":
		return strings.HasPrefix(p.Channel, "dm-")
	default:
		// Slack's direct messages, and a user for the one with that user; one of
		// several people begins with G.
		return p.Channel != "" && strings.Contains("DUW", p.Channel[:1])
	}
}

// team is the workspace that a person belongs to; a guest belongs to none.
func (h *hermes) team(ctx context.Context, person string) string {
	f := strings.SplitN(person, ":", 3)
	if len(f) < 3 || !h.member(ctx, person) {
		return ""
	}
	return f[0] + ":" + f[1]
}

// sees reports whether a viewer may see a run or a job of somebody else: admins
// may, and members of the workspace what was asked for in an open channel.
func (h *hermes) sees(viewer, owner, home string) bool {
	if viewer == owner || h.isAdmin(viewer) {
		return true
	}
	p, err := bot.ParsePlace(home)
	if err != nil || direct(p) || p.Platform == "slack" {
		return false
	}
	return h.teamNow(viewer) == p.Platform+":"+p.Workspace
}

func (h *hermes) deskConfig() store.DeskConfig {
	return store.DeskConfig{
		MayAnswer: func(q run.Question, person string) bool { return h.deciders.May(q, person) },
		Sees:      h.sees,
		Viewer: func(person string) memory.Viewer {
			return memory.Viewer{Person: person, Team: h.teamNow(person), Direct: true}
		},
		When: func(j scheduler.Job) string {
			s, err := calendar.Parse(j.Spec)
			if err != nil {
				return j.Spec
			}
			return phrase.Say(s, j.Lang)
		},
		Next: func(j scheduler.Job, n int) []time.Time {
			s, err := calendar.Parse(j.Spec)
			loc, zoneErr := time.LoadLocation(j.Zone)
			if err != nil || zoneErr != nil || j.State != scheduler.Active {
				return nil
			}
			var next []time.Time
			for _, t := range s.NextN(h.now(), loc, n) {
				next = append(next, t.At.In(loc))
			}
			return next
		},
	}
}

// linkOf returns where people can read what began a run.
func (h *hermes) linkOf(ctx context.Context, key string) string {
	r, ok, err := h.db.Runs().Run(ctx, key)
	if err != nil || !ok {
		return ""
	}
	return r.Source
}

// spoken reports whether the bot has said something in a thread.
func (h *hermes) spoken(ctx context.Context, p bot.Place) bool {
	lines, err := h.db.Journal().Lines(ctx, p, "", 50)
	if err != nil {
		h.log.Warn("thread not read", "place", p, "err", err)
		return false
	}
	return slices.ContainsFunc(lines, func(l bot.Line) bool { return l.From == "" })
}

// A recaller tells a run what is known of who asks.
type recaller struct {
	memory *memory.Memory
	see    func(ctx context.Context, person, home string) (memory.Viewer, error)
}

// recalled is how many facts beside the preferences a run is told.
const recalled = 8

// Recall implements agent.Recaller.
func (r recaller) Recall(ctx context.Context, req run.Request) ([]llm.Fact, error) {
	v, err := r.see(ctx, req.Asker, req.Home)
	if err != nil {
		return nil, err
	}
	facts, err := r.memory.Preferences(ctx, v)
	if err != nil {
		return nil, err
	}
	found, err := r.memory.Recall(ctx, v, req.Text, recalled)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if !slices.ContainsFunc(facts, func(x memory.Fact) bool { return x.ID == f.ID }) {
			facts = append(facts, f.Fact)
		}
	}
	var out []llm.Fact
	for _, f := range facts {
		out = append(out, llm.Fact{Subject: f.Subject, Predicate: f.Predicate, Object: f.Object})
	}
	return out, nil
}

// madeBy says who asked for a run, and where.
func (h *hermes) madeBy(ctx context.Context, key string) (asker, home string, ok bool, err error) {
	r, ok, err := h.db.Runs().Run(ctx, key)
	return r.Asker, r.Home, ok, err
}
