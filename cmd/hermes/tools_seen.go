package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"hermes/agent/tool"
	"hermes/bot"
	"hermes/config"
)

// A seenArgs is who asks, and where.
type seenArgs struct {
	Person  string `json:"person"`
	Home    string `json:"home"` // place
	Profile string `json:"profile"`
}

// A seenTool is a tool, and whether it is there for somebody.
type seenTool struct {
	Name, Effect string
	Seen         bool
	Alone        bool // a schedule may use it
}

// What somebody sees.
type seenAll struct {
	Tools   []seenTool
	Sources []seenTool
	Off     string // why nothing that writes is offered to anybody; empty: it is
}

// asking is how long it may take to find out what a person is.
const asking = 10 * time.Second

var opToolsSeen = asOp("tools.seen", func(ctx context.Context, h *hermes, in seenArgs) (seenAll, error) {
	ctx, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	v := tool.Viewer{Person: in.Person, Home: in.Home, Profile: in.Profile, Lang: "en"}
	catalog := tool.NewCatalog(h.tools, h.now)
	catalog.May = h.rights.MayUse
	all := seenAll{Tools: []seenTool{}}
	if len(h.rights.off) > 0 {
		all.Off = sayOff(h.rights.off)
	}
	for _, s := range h.tools.Specs() {
		_, seen := catalog.Spec(ctx, h.tools.Lookup(s.Name), v)
		all.Tools = append(all.Tools, seenTool{Name: s.Name, Effect: s.Does().String(), Seen: seen, Alone: s.Unattended})
	}
	for _, s := range h.figures.sources {
		all.Sources = append(all.Sources, seenTool{Name: s.Name(), Effect: "read", Seen: h.rights.maySee(ctx, v, s.Name()), Alone: true})
	}
	return all, nil
})

// placeIn reads where somebody asks: platform:workspace:channel, or "" or "direct" for
// the conversation that they have with the bot alone.
func placeIn(person, channel string) (bot.Place, error) {
	if err := config.CheckPerson("--as", person); err != nil {
		return bot.Place{}, err
	}
	f := strings.Split(person, ":")
	if channel == "" || channel == "direct" {
		p := bot.Place{Platform: f[0], Workspace: f[1], Channel: f[2]}
		if p.Platform == "web" {
			p.Channel = "dm-" + p.Channel
		}
		return p, nil
	}
	c := strings.Split(channel, ":")
	if len(c) != 3 || slices.Contains(c, "") {
		return bot.Place{}, fmt.Errorf("--in %q is no channel\n  hint: write platform:workspace:channel, for example slack:T0123ABC:C0456DEF, or direct", channel)
	}
	return bot.Place{Platform: c[0], Workspace: c[1], Channel: c[2]}, nil
}

// showSeen lists what somebody sees of the tools and sources. The running daemon knows
// who is a member and who is in a group; without one they count as neither.
func (s *shell) showSeen(ctx context.Context, person, channel, profile string) error {
	p, err := placeIn(person, channel)
	if err != nil {
		return err
	}
	all, err := inquire[seenAll](ctx, s, opToolsSeen, seenArgs{Person: person, Home: p.String(), Profile: profile})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	t := printer{w: w}
	t.f("NAME\tEFFECT\tALONE\tSEEN\n")
	for _, x := range all.Tools {
		t.f("%s\t%s\t%s\t%s\n", x.Name, x.Effect, yes(x.Alone), yes(x.Seen))
	}
	for _, x := range all.Sources {
		t.f("source %s\t%s\t%s\t%s\n", x.Name, x.Effect, yes(x.Alone), yes(x.Seen))
	}
	if all.Off != "" {
		t.f("! %s\n", all.Off)
	}
	return errors.Join(t.err, w.Flush())
}
