package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool"
	"hermes/agent/tool/audit"
	"hermes/agent/tool/post"
	"hermes/agent/tool/schedule"
	"hermes/bot"
	"hermes/internal/store"
)

// auditKeeper is the audit as an audit.Keeper: people hear of what they asked for
// themselves and of what stands in channels they are in, admins of all. What is from a
// direct message or a private channel is not told where others listen.
type auditKeeper struct {
	h    *hermes
	find post.Finder
}

// deedsOf are the rows that somebody means by a word.
var deedsOf = map[string][]string{
	"post":     {store.Posted},
	"decision": {store.Approved, store.Denied, store.Expired, store.CalledOff},
	"grant":    {store.Granted, store.GrantUsed, store.GrantOver, store.Revoked},
	"schedule": {store.JobAdded, "job active", "job paused", "job deleted"},
	"refused":  {store.Refused},
}

// Find implements audit.Keeper.
func (k auditKeeper) Find(ctx context.Context, c tool.Call, q audit.Query, n int) ([]audit.Deed, int, error) {
	home, err := bot.ParsePlace(c.Home)
	if err != nil {
		return nil, 0, err
	}
	f := store.DeedFilter{From: q.From, To: q.To, What: deedsOf[q.What]}
	if q.Here {
		f.Home = c.Home
	}
	if q.Channel != "" {
		to, err := k.find(ctx, c.Home, q.Channel)
		if errors.Is(err, post.ErrNoChannel) {
			return nil, 0, audit.ErrNoChannel
		}
		if err != nil {
			return nil, 0, fmt.Errorf("find channel %s: %w", q.Channel, err)
		}
		f.Channel = to.Place
	}
	l := listener{auditKeeper: k, asker: c.Asker, home: home, open: map[string]bool{}, in: map[string]bool{}}
	f.Sees = func(owner, place string) bool { return l.hears(ctx, owner, place) }
	rows, err := k.h.db.Journal().Deeds(ctx, f, n)
	if err != nil {
		return nil, 0, err
	}
	var deeds []audit.Deed
	for _, d := range rows {
		deeds = append(deeds, k.deed(ctx, c, d))
	}
	return deeds, l.hidden, nil
}

// A listener is who asks, and where; what was found out of channels holds for one call.
type listener struct {
	auditKeeper
	asker  string
	home   bot.Place
	hidden int // that the asker may hear of, elsewhere
	open   map[string]bool
	in     map[string]bool
}

// hears reports whether something asked for by an owner may be told of, which is seen
// at a place.
func (l *listener) hears(ctx context.Context, owner, place string) bool {
	p, err := bot.ParsePlace(place)
	here := err == nil && sameChannel(p, l.home)
	switch {
	case here, l.h.isAdmin(l.asker), owner != "" && owner == l.asker:
	case err != nil || !l.h.sees(l.asker, owner, place) && !l.isIn(ctx, p):
		return false
	}
	if !here && !direct(l.home) && err == nil && (direct(p) || !l.isOpen(ctx, p)) {
		l.hidden++
		return false
	}
	return true
}

func sameChannel(a, b bot.Place) bool {
	a.Thread, b.Thread = "", ""
	return a == b
}

// isIn reports whether the asker is in a channel. Where nobody can say, it is no.
func (l *listener) isIn(ctx context.Context, p bot.Place) bool {
	p.Thread = ""
	if known, ok := l.in[p.String()]; ok {
		return known
	}
	roster, ok := l.h.chats[p.Platform].(bot.Roster)
	if !ok || direct(p) {
		return false
	}
	in, err := roster.In(ctx, l.asker, p)
	if err != nil {
		l.h.log.Warn("nobody can say who is in a channel; nothing of it is told", "place", p, "err", err)
	}
	l.in[p.String()] = in && err == nil
	return in && err == nil
}

// isOpen reports whether a channel is one that everybody of the workspace may see.
func (l *listener) isOpen(ctx context.Context, p bot.Place) bool {
	p.Thread = ""
	if known, ok := l.open[p.String()]; ok {
		return known
	}
	to, err := l.find(ctx, p.String(), p.Channel)
	l.open[p.String()] = err == nil && !to.Private
	return l.open[p.String()]
}

// deed is a row in the words of the tool.
func (k auditKeeper) deed(ctx context.Context, c tool.Call, d store.Deed) audit.Deed {
	when := func(t time.Time) string { return t.In(c.Now.Location()).Format(time.RFC3339) }
	out := audit.Deed{
		What: d.What, At: when(d.At), Tool: d.Tool, Title: d.Title, Link: d.Link, Asked: k.h.nameOf(d.Owner), Choice: d.Outcome, Under: d.Under,
	}
	if d.What == store.Posted {
		out.Choice = ""
	} else {
		out.By = k.h.nameOf(d.Who)
	}
	if d.By != nil {
		out.Allowed, out.When = k.h.nameOf(d.By.Who), when(d.By.At)
	}
	if all := k.h.allOf(d.Yes, c.Lang); all != "" {
		switch {
		case d.By != nil:
			out.Allowed = all
		case d.What == store.Approved:
			out.By = all
		}
	}
	if out.Under == "" {
		out.Under = d.Subject
	}
	out.Grant = d.Grant != ""
	if !strings.HasPrefix(d.Digest, "hmac:") && len(d.Digest) > 12 {
		out.Hash = d.Digest[:12]
	}
	at := d.Place
	if len(d.To) == 1 {
		at = d.To[0] // what was decided is of that channel, wherever the card stood
	}
	if p, err := bot.ParsePlace(at); err == nil && !direct(p) {
		if to, err := k.find(ctx, at, p.Channel); err == nil {
			out.Channel = to.Name
		}
	}
	return out
}

// jobsBy are the schedules in which a person changes something.
func (h *hermes) jobsBy(person string) schedule.Book { return h.db.Jobs().By(person) }

// refusedJob tells the audit of a schedule that somebody may not change.
func (h *hermes) refusedJob(ctx context.Context, c tool.Call, job string) error {
	return h.refusedCall(ctx, c, "schedule_change", job)
}

// refusedCall tells the audit of a call for something that is not for who asked.
func (h *hermes) refusedCall(ctx context.Context, c tool.Call, try, about string) error {
	r := bot.Refusal{Key: c.ID, Who: c.Asker, Try: try, About: about}
	var err error
	if r.Place, err = bot.ParsePlace(c.Home); err != nil {
		return err
	}
	return h.db.Journal().Refused(ctx, r)
}

// allOf names in a language everybody whose yes it took; empty for none.
func (h *hermes) allOf(yeses []store.Entry, lang string) string {
	var names []string
	for _, y := range yeses {
		if name := h.nameOf(y.Who); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	and, comma := " and ", ", "
	if strings.HasPrefix(lang, "zh") {
		and, comma = " 和 ", "、"
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], comma) + and + names[n]
	}
	return strings.Join(names, comma)
}

// nameOf is how people call a Person.
func (h *hermes) nameOf(person string) string {
	if person == "" {
		return ""
	}
	platform, _, _ := strings.Cut(person, ":")
	if n, ok := h.chats[platform].(bot.Namer); ok {
		return n.NameOf(person)
	}
	return bot.UserOf(person)
}
