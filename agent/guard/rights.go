package guard

import (
	"path"
	"slices"
	"strings"
)

// Whom a Right may name beside persons, groups (GroupMark) and Admins, and the place it
// may name beside channels.
const (
	Members = "members" // of their workspace, and no guests of it
	Guests  = "guests"
	Direct  = "direct" // any conversation with one person alone
)

// A Right lets those use some tools and sources who fit it. Its lists are globs of
// names, and of channels as slack:T1:C1; of Users, Channels and Profiles all must fit,
// and an empty one fits all.
type Right struct{ Tools, Sources, Users, Channels, Profiles []string }

// Rights are all that there are. What none of them names everybody may use.
type Rights struct {
	Rules  []Right
	Admins []string
}

// A Spot is who asks for something, where, and in which Profile.
type Spot struct {
	Person, Home, Profile string
	Direct                bool // nobody else sees Home
}

// Ranks know what people are. What they cannot find out they answer with no.
type Ranks interface {
	InGroup(group, person string) bool
	IsMember(person string) bool
	IsGuest(person string) bool
}

// Tool reports whether a tool may be used. By names it is called now and was before:
// a rule that names one of them names it.
func (rs Rights) Tool(names []string, s Spot, in Ranks) bool {
	return rs.may(toolsOf, names, s, in)
}

// Source reports whether a source of figures may be used.
func (rs Rights) Source(name string, s Spot, in Ranks) bool {
	return rs.may(sourcesOf, []string{name}, s, in)
}

// Shown reports whether what comes from a source may be said in a channel, to all who
// read it: no rule names the source, or one names the channel with it or lets everybody
// use it anywhere. That somebody may use it alone lets nobody else read it.
func (rs Rights) Shown(source, place string) bool {
	return rs.open(sourcesOf, []string{source}, func(r Right) bool {
		return len(r.Channels) > 0 && like(r.Channels, channel(place)) || len(r.Channels)+len(r.Users) == 0
	})
}

func toolsOf(r Right) []string   { return r.Tools }
func sourcesOf(r Right) []string { return r.Sources }

// open reports whether no rule names a thing, or one that does lets it be used. A glob
// that is broken names everything, and lets nobody in.
func (rs Rights) open(list func(Right) []string, names []string, lets func(Right) bool) bool {
	named := false
	for _, r := range rs.Rules {
		if !slices.ContainsFunc(names, func(n string) bool { return fitsOne(list(r), n) }) {
			continue
		}
		named = true
		if slices.ContainsFunc(names, func(n string) bool { return like(list(r), n) }) && lets(r) {
			return true
		}
	}
	return !named
}

func (rs Rights) may(list func(Right) []string, names []string, s Spot, in Ranks) bool {
	return rs.open(list, names, func(r Right) bool { return rs.fits(r, s, in) })
}

func (rs Rights) fits(r Right, s Spot, in Ranks) bool {
	return (len(r.Profiles) == 0 || slices.Contains(r.Profiles, s.Profile)) &&
		(len(r.Channels) == 0 || like(r.Channels, channel(s.Home)) || s.Direct && slices.Contains(r.Channels, Direct)) &&
		(len(r.Users) == 0 || slices.ContainsFunc(r.Users, func(u string) bool { return rs.is(u, s.Person, in) }))
}

// is reports whether a person is one of those whom a rule means by a name.
func (rs Rights) is(name, person string, in Ranks) bool {
	group, isGroup := strings.CutPrefix(name, GroupMark)
	switch {
	case person == "":
		return false
	case name == Admins:
		return slices.Contains(rs.Admins, person)
	case name == person:
		return true
	case in == nil:
		return false
	case name == Members:
		return in.IsMember(person)
	case name == Guests:
		return in.IsGuest(person)
	}
	return isGroup && in.InGroup(group, person)
}

// like reports whether one of some globs fits. One that is broken fits nothing: here it
// would let somebody in.
func like(globs []string, s string) bool {
	s = slash.Replace(strings.ToLower(s))
	return s != "" && slices.ContainsFunc(globs, func(g string) bool {
		ok, err := path.Match(slash.Replace(strings.ToLower(g)), s)
		return ok && err == nil
	})
}
