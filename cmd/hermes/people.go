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
	"hermes/bot/web"
	"hermes/config"
	"hermes/internal/store"
	"hermes/memory"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// demoLead is the one of the demo workspace who may approve.
var demoLead = bot.Person("web", "demo", "lead")

// admins are those of the configuration, whoever holds the data folder, in the demo the
// sales lead, and of a console without a chat platform those whose role it is. Beside a
// chat platform the console is one operator's, whom the configuration names or not.
func (h *hermes) admins() []string {
	all := append(slices.Clone(h.cfg.Admins), terminal.Owner)
	if h.demo() {
		return append(all, demoLead)
	}
	return append(all, h.inRole(web.Admin)...)
}

// inRole are the named users of a console without a chat platform who have a role.
func (h *hermes) inRole(r web.Role) []string {
	var all []string
	for _, u := range h.cfg.Web.Users {
		if len(h.cfg.AllWorkspaces()) == 0 && web.Role(u.Role) == r {
			all = append(all, bot.Person("web", "local", u.ID))
		}
	}
	return all
}

// page is the console as it is configured.
func (h *hermes) page(key []byte) web.Config {
	w := h.cfg.Web
	page := web.Config{
		Addr: w.Addr, AllowRemote: w.AllowRemote, URL: w.URL, Key: key, Version: version(), Probes: h.probes(),
		Entered: h.db.Journal().LoggedIn, Refused: h.db.Journal().Refused, Decider: decider{h},
		Interventions: func(ctx context.Context, viewer string) (bot.Interventions, bool, error) {
			if !h.isAdmin(viewer) {
				return bot.Interventions{}, false, nil
			}
			x, err := h.interventions(ctx, usualWeeks)
			return x, true, err
		},
	}
	for _, u := range w.Users {
		page.Users = append(page.Users, web.User{ID: u.ID, Name: u.Name, May: web.Role(u.Role), Secret: string(u.Secret)})
	}
	if len(h.cfg.AllWorkspaces()) == 0 {
		page.Rooms = web.NewRooms()
	}
	if h.demo() {
		page.Demo = web.NewDemo()
	}
	return page
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

// mayAnswer reports whether a person may answer a question now. Where that cannot be
// known they may not.
func (h *hermes) mayAnswer(ctx context.Context, q run.Question, person string) bool {
	may, err := h.agent.MayDecide(ctx, q, person)
	if err != nil {
		h.log.Warn("who may decide is not known", "question", q.ID, "err", err)
	}
	return may
}

func (h *hermes) deskConfig() store.DeskConfig {
	return store.DeskConfig{
		MayAnswer: h.mayAnswer,
		MayChoose: func(ctx context.Context, q run.Question, option, person string) bool {
			may, err := h.agent.MayChoose(ctx, q, option, person)
			if err != nil {
				h.log.Warn("who may decide is not known", "question", q.ID, "err", err)
			}
			return may
		},
		Awaited: func(_ context.Context, q run.Question) []string { return h.agent.Deciders(q, "") },
		Sees:    h.sees,
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
	memory  *memory.Memory
	working *memory.Working // what holds in one conversation goes before what is kept
	see     func(ctx context.Context, person, home string) (memory.Viewer, error)
	now     func() time.Time
	terms   []config.Term // words of the team; what somebody has said in chat goes before them
}

// recalled is how many facts beside the preferences a run is told, and recalledTokens
// about how much room they take at most.
const (
	recalled       = 8
	recalledTokens = 600
)

// Recall implements agent.Recaller.
func (r recaller) Recall(ctx context.Context, req run.Request) ([]llm.Fact, error) {
	home := req.Home
	if req.Expect != "" {
		home = req.Expect // whoever reads the post reads what is made of the facts
	}
	v, err := r.see(ctx, req.Asker, home)
	if err != nil {
		return nil, err
	}
	facts, err := r.memory.Preferences(ctx, v)
	if err != nil {
		return nil, err
	}
	held := r.working.Held(req.Home, req.Asker)
	facts = slices.DeleteFunc(facts, func(f memory.Fact) bool {
		return slices.ContainsFunc(held, func(h memory.Fact) bool {
			return memory.Single(h.Predicate) && h.Predicate == f.Predicate && h.Subject == f.Subject
		})
	})
	facts = append(held, facts...)
	found, err := r.memory.Find(ctx, v, memory.Query{Text: req.Text, Limit: recalled, Now: r.now(), Tokens: recalledTokens})
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		r.memory.Told(f.ID)
		if !slices.ContainsFunc(facts, func(x memory.Fact) bool { return x.ID == f.ID }) {
			facts = append(facts, f.Fact)
		}
	}
	out := termFacts(r.terms, req.Text)
	for _, f := range facts {
		out = slices.DeleteFunc(out, func(t llm.Fact) bool {
			return f.Predicate == memory.Means && strings.EqualFold(t.Subject, f.Subject)
		})
		out = append(out, llm.Fact{Subject: f.Subject, Predicate: f.Predicate, Object: f.Object, Label: f.Label()})
	}
	return out, nil
}

// madeBy says who asked for a run, and where.
func (h *hermes) madeBy(ctx context.Context, key string) (asker, home string, ok bool, err error) {
	r, ok, err := h.db.Runs().Run(ctx, key)
	return r.Asker, r.Home, ok, err
}
