// Package memory has the tools to keep facts, to read them out and to forget
// them. What contradicts what, and who may see what, is decided in package
// memory of the house; words for people are here, in English and Chinese.
//
// What a newcomer would break: who says a thing, who may see it, where it comes
// from and where it was said come from the Call, never from the model's
// arguments. A model that is talked into remembering something for everybody has
// no argument to do it with.
package memory

import (
	"cmp"
	"context"
	"strings"
	"time"

	"hermes/agent/tool"
	"hermes/memory"
)

// A Keeper is the part of memory.Memory that the tools use.
type Keeper interface {
	Keep(context.Context, memory.Fact) (memory.Receipt, error)
	Before(ctx context.Context, f memory.Fact) (is, was memory.Fact, ok bool, err error)
	Settle(ctx context.Context, conflict string, c memory.Choice, by string) (memory.Conflict, error)
	Recall(ctx context.Context, v memory.Viewer, text string, limit int) ([]memory.Scored, error)
	List(context.Context, memory.Viewer) ([]memory.Fact, error)
	Withheld(context.Context, memory.Viewer) (int, error)
	Mine(context.Context, memory.Viewer) ([]memory.Fact, error)
	Meant(ctx context.Context, v memory.Viewer, key string, ids []string) ([]string, error)
	Forget(ctx context.Context, v memory.Viewer, ids []string) (memory.Erased, error)
}

var _ Keeper = (*memory.Memory)(nil)

// Options are what a platform knows and a Call does not say. All may be nil.
type Options struct {
	// See returns who will see what is said at a home when that person asks:
	// whether others look on, and whether the person belongs to the team.
	// Without it nobody is alone and nobody belongs to a team.
	See func(ctx context.Context, person, home string) (memory.Viewer, error)
	// Link returns where people can read the message that began a run, or
	// nothing.
	Link func(ctx context.Context, run string) string
	// Working has what is said for one conversation alone; without it such a wish is
	// not kept at all.
	Working *memory.Working
}

// New returns the tools remember, memory_list and memory_forget. The clock is for
// a Call that does not say when it is.
func New(k Keeper, now func() time.Time, o Options) []tool.Tool {
	d := desk{k, now, o}
	return []tool.Tool{remember{d}, d.list(), forget{d}}
}

// desk is what the tools share.
type desk struct {
	keeper Keeper
	now    func() time.Time
	opt    Options
}

// viewer returns who will hear what a tool says to this Call: where it is asked for, or
// where the slot of a job will post what comes of it.
func (d desk) viewer(ctx context.Context, c tool.Call) (memory.Viewer, error) {
	home := cmp.Or(c.Expect, c.Home)
	if d.opt.See != nil {
		return d.opt.See(ctx, c.Asker, home)
	}
	return memory.Viewer{Person: c.Asker, Channel: memory.ChannelOf(home)}, nil
}

func (d desk) link(ctx context.Context, c tool.Call) string {
	if d.opt.Link == nil {
		return ""
	}
	return d.opt.Link(ctx, c.Run)
}

func (d desk) clock(c tool.Call) time.Time {
	if c.Now.IsZero() {
		return d.now()
	}
	return c.Now
}

// teamOf returns the platform:workspace of a person.
func teamOf(person string) string {
	f := strings.SplitN(person, ":", 3)
	if len(f) < 3 {
		return ""
	}
	return f[0] + ":" + f[1]
}
