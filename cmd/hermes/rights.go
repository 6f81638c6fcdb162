package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/llm/rules"
	"hermes/agent/tool"
	"hermes/agent/tool/post"
	"hermes/agent/tool/querydb"
	"hermes/agent/tool/report"
	"hermes/agent/tool/takeback"
	"hermes/bot"
	"hermes/config"
)

// rights are the rules of the configuration over the people of all platforms.
type rights struct {
	guard.Rights
	off   []guard.Off // guardrails without which nothing that writes is there
	chats map[string]bot.Poster
	*trouble
}

// trouble is what could not be found out about people of late. It is not asked again at
// once: one request looks at every tool.
type trouble struct {
	now func() time.Time
	log *slog.Logger

	mu    sync.Mutex
	until map[string]time.Time // by what was asked
}

// again is how long what could not be found out is not asked once more.
const again = 10 * time.Second

// rests reports whether something could not be found out just now.
func (t *trouble) rests(what string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now().Before(t.until[what])
}

func (t *trouble) had(what string, err error) {
	t.log.Warn("what a person may use is not known, so they may not", "asked", what, "err", err)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.until) > 1000 {
		clear(t.until)
	}
	t.until[what] = t.now().Add(again)
}

func (h *hermes) rightsOf(cfg config.Config, off []guard.Off) rights {
	return rights{
		Rights: guard.Rights{Admins: h.deciders.Admins, Rules: rulesOf(cfg.Rights)}, off: off, chats: h.chats,
		trouble: &trouble{now: h.now, log: h.log, until: map[string]time.Time{}},
	}
}

func rulesOf(all []config.Right) []guard.Right {
	var rules []guard.Right
	for _, r := range all {
		rules = append(rules, guard.Right{Tools: r.Tools, Sources: r.Sources, Users: r.Users, Channels: r.Channels, Profiles: r.Profiles})
	}
	return rules
}

// MayUse implements agent.Rights.
func (r rights) MayUse(ctx context.Context, v tool.Viewer, s tool.Spec) bool {
	if len(r.off) > 0 && s.Does() != tool.Read {
		return false
	}
	return r.Tool(append([]string{s.Name}, slices.Sorted(maps.Keys(s.Formerly))...), spotOf(v), ranksNow{ctx, r})
}

// maySee reports whether somebody may use a source.
func (r rights) maySee(ctx context.Context, v tool.Viewer, source string) bool {
	return r.Source(source, spotOf(v), ranksNow{ctx, r})
}

// keepsSources reports whether there is a rule for any source.
func (r rights) keepsSources() bool {
	return slices.ContainsFunc(r.Rules, func(x guard.Right) bool { return len(x.Sources) > 0 })
}

func spotOf(v tool.Viewer) guard.Spot {
	s := guard.Spot{Person: v.Person, Home: v.Home, Profile: v.Profile}
	if p, err := bot.ParsePlace(v.Home); err == nil {
		s.Direct = direct(p)
	}
	return s
}

// ranksNow answer what people are, for one look.
type ranksNow struct {
	ctx context.Context //nolint:containedctx // it lives as long as the one look
	of  rights
}

// InGroup implements guard.Ranks.
func (r ranksNow) InGroup(group, person string) bool {
	what := person + " in " + group
	if r.of.rests(what) {
		return false
	}
	in, err := rollsOf(r.of.chats).InGroup(r.ctx, group, person)
	if err != nil && r.ctx.Err() == nil {
		r.of.had(what, err)
	}
	return in && err == nil
}

// IsMember implements guard.Ranks.
func (r ranksNow) IsMember(person string) bool { return r.standing(person) == bot.Member }

// IsGuest implements guard.Ranks.
func (r ranksNow) IsGuest(person string) bool { return r.standing(person) == bot.Guest }

func (r ranksNow) standing(person string) bot.Standing {
	platform, _, _ := strings.Cut(person, ":")
	k, ok := r.of.chats[platform].(bot.Knower)
	if !ok {
		return bot.External
	}
	if r.of.rests(person) {
		return bot.Unsaid
	}
	s, err := k.Standing(r.ctx, person)
	if err != nil {
		if r.ctx.Err() == nil {
			r.of.had(person, err)
		}
		return bot.Unsaid
	}
	return s
}

// restrict keeps the sources to those who may use them.
func (h *hermes) restrict() {
	if !h.rights.keepsSources() {
		return
	}
	for _, s := range h.figures.sources {
		s.Restrict(func(ctx context.Context, v tool.Viewer) bool { return h.rights.maySee(ctx, v, s.Name()) })
		s.Denied(func(ctx context.Context, c tool.Call) error { return h.refusedCall(ctx, c, "source", s.Name()) })
	}
}

// mayRead implements post.Audience: what comes from a source that is kept to some is
// posted only where a rule lets it be read. It counts all that the run has asked for,
// since the words of a report may be of that too.
func (h *hermes) mayRead(ctx context.Context, c tool.Call, a tool.Artifact, to post.Target) (string, error) {
	if !h.rights.keepsSources() {
		return "", nil
	}
	var made report.Meta
	if err := json.Unmarshal(a.Meta, &made); err != nil && len(a.Meta) > 0 {
		return "", fmt.Errorf("what %s is made of: %w", a.ID, err)
	}
	var tables []tool.Artifact
	for _, id := range made.Tables {
		t, err := h.db.Artifacts().Artifact(ctx, id)
		if err != nil {
			return "", err
		}
		tables = append(tables, t)
	}
	return h.kept(ctx, c, tables, to.Place, to.Name)
}

// kept says why what a run has asked for, and some more, may not stand in a channel.
func (h *hermes) kept(ctx context.Context, c tool.Call, tables []tool.Artifact, place, name string) (string, error) {
	asked, err := h.db.Artifacts().Tables(ctx, c.Run)
	if err != nil {
		return "", err
	}
	for _, t := range append(asked, tables...) {
		var from tool.Grid
		if err := json.Unmarshal(t.Body, &from); err != nil {
			return "", fmt.Errorf("source of table %s: %w", t.ID, err)
		}
		if !h.figures.has(from.Source) || h.rights.Shown(from.Source, place) {
			continue
		}
		return sayKept(c.Lang, from.Source, name), nil
	}
	return "", nil
}

// sayKept says that what comes from a source may not be read in a channel.
func sayKept(lang, source, channel string) string {
	if lang == "zh" {
		return fmt.Sprintf("数据源 %s 的内容不能发到 %s：配置（rights）只允许部分人和频道看到它。请发到规则允许的频道，或就在这里回答", source, channel)
	}
	return fmt.Sprintf("what comes from the source %s may not be posted to %s: the configuration (rights) keeps it to some people and channels. Post it to a channel that a rule of it names, or answer here", source, channel)
}

// MayRead implements takeback.Audience.
func (p posts) MayRead(ctx context.Context, c tool.Call, at takeback.Post) (string, error) {
	if p.kept == nil {
		return "", nil
	}
	return p.kept(ctx, c, nil, at.Place, at.Where)
}

var _ takeback.Audience = posts{}

// scheduleChange is the tool that pauses, resumes and deletes schedules.
const scheduleChange = "schedule_change"

// mayChangeJobs reports whether somebody may change schedules where they are alone, as a
// home shows them: its buttons do what the tool does.
func (h *hermes) mayChangeJobs(ctx context.Context, viewer string) bool {
	p, err := placeIn(viewer, "")
	t := h.tools.Lookup(scheduleChange)
	return err == nil && t != nil && h.rights.MayUse(ctx, tool.Viewer{Person: viewer, Home: p.String()}, t.Spec())
}

// rails returns the guardrails that the configuration switches off.
func rails(cfg config.Config, limits guard.Profiles) []guard.Off {
	return guard.Rails(guard.Screen(cfg.Safety.Words), limits, budgets(cfg), len(unpriced(cfg)) == 0)
}

// sayOff is a guardrail that is off, and what follows, in one line.
func sayOff(off []guard.Off) string {
	var why []string
	for _, o := range off {
		why = append(why, fmt.Sprintf("the %s is off (%s)", o.Rail, o.Why))
	}
	return "no tool that writes is offered: " + strings.Join(why, "; ")
}

// rules are the built-in ones. Where sources are kept to some, they speak to each of
// those that they may use.
func (h *hermes) rules() llm.Model {
	if !h.rights.keepsSources() {
		return rules.New(h.vocabulary(h.figures.sources))
	}
	return &sightedRules{h: h, of: map[string]*rules.Model{}}
}

type sightedRules struct {
	h *hermes

	mu sync.Mutex
	of map[string]*rules.Model // by the names of the sources
}

// Name implements llm.Model.
func (*sightedRules) Name() string { return (*rules.Model)(nil).Name() }

// Generate implements llm.Model.
func (s *sightedRules) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	v := tool.Viewer{Person: req.Scene.Asker, Home: req.Scene.Home, Profile: req.Scene.Profile}
	var mine []*querydb.Source
	var names []string
	for _, src := range s.h.figures.sources {
		if s.h.rights.maySee(ctx, v, src.Name()) {
			mine, names = append(mine, src), append(names, src.Name())
		}
	}
	key := strings.Join(names, " ")
	s.mu.Lock()
	m := s.of[key]
	if m == nil {
		m = rules.New(s.h.vocabulary(mine))
		s.of[key] = m
	}
	s.mu.Unlock()
	return m.Generate(ctx, req)
}
