// Package audit lets a model say who approved what: from the audit, in which only what
// was decided and done stands. What there is, and what of it somebody may hear, the
// Keeper knows.
//
// What a newcomer would break: who approved something is never read from what was said
// in a conversation. A model that finds nothing here says so.
package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hermes/agent/tool"
	"hermes/scheduler/calendar"
)

// Name is the tool's name.
const Name = "audit_find"

// Args are what the model says.
type Args struct {
	Period  string `json:"period,omitempty" jsonschema:"last_month, 2026-10, day..day"`
	What    string `json:"what,omitempty" tool:"enum=post|decision|grant|schedule|refused,default=decision"`
	Channel string `json:"channel,omitempty" jsonschema:"#name, or here"`
}

// A Query is what is looked for, in times and as the asker of the Call may hear it.
type Query struct {
	From, To time.Time // from a time up to, and without, another; zero: any time
	What     string    // as in Args
	Channel  string    // as people call it; empty: anywhere
	Here     bool      // only what was asked for at the home of the Call
}

// A Deed is one thing decided or done. Times are RFC 3339 in the zone of the Call.
type Deed struct {
	What    string `json:"what"` // approved, denied, posted …
	At      string `json:"at"`
	By      string `json:"by,omitempty"`      // who did it, of a decision; all of them where it took several
	Allowed string `json:"allowed,omitempty"` // who approved it, all of them likewise
	When    string `json:"when,omitempty"`    // and when
	Under   string `json:"under,omitempty"`   // the question or grant
	Grant   bool   `json:"grant,omitempty"`   // it is a grant: approved once for many times
	Tool    string `json:"tool,omitempty"`
	Title   string `json:"title,omitempty"`
	Channel string `json:"channel,omitempty"`
	Link    string `json:"link,omitempty"`
	Asked   string `json:"asked,omitempty"` // who asked for it
	Hash    string `json:"hash,omitempty"`  // the first of its digits
	Choice  string `json:"choice,omitempty"`
}

// Found is what the model hears, the newest first.
type Found struct {
	Deeds []Deed `json:"deeds"`
	// Hidden is how many are not for the ears of this conversation.
	Hidden int `json:"hidden,omitempty"`
}

// A Keeper has the audit.
type Keeper interface {
	// Find returns the newest at most n that the asker may hear of at the home of the
	// call, and how many more only a direct message may have. It returns ErrNoChannel
	// for a channel that nobody can see.
	Find(ctx context.Context, c tool.Call, q Query, n int) ([]Deed, int, error)
}

// ErrNoChannel is returned by a Keeper.
var ErrNoChannel = errors.New("no such channel")

// most is how many a person reads.
const most = 10

// New returns the tool.
func New(k Keeper) tool.Tool {
	return tool.NewTyped(tool.Spec{
		Name:        Name,
		Description: "Who approved, denied or posted what and when; not for what was said.",
		Words: []string{
			"who approved", "who has approved", "who allowed", "who denied", "who declined", "who rejected", "who signed off", "who decided", "who confirmed", "who said yes", "who said no",
			"who pressed", "who tried", "approved by", "approver", "the audit", "audit log", "audit trail", "what was approved", "what was denied",
			"批准", "审批", "审计", "谁同意", "谁批", "谁拒绝", "谁否决", "谁通过", "谁授权", "同意的人",
		},
		Effect: tool.Read, Later: true,
	}, func(ctx context.Context, c tool.Call, in Args) (Found, error) {
		q := Query{What: in.What, Channel: strings.TrimSpace(in.Channel)}
		if q.Channel == "here" {
			q.Channel, q.Here = "", true
		}
		if in.Period != "" {
			r, err := calendar.ParseRange(in.Period)
			if err != nil {
				return Found{}, &tool.Error{Type: tool.InputError, Message: err.Error()}
			}
			p := r.Resolve(c.Now, c.Now.Location())
			q.From, q.To = p.From, p.To
		}
		deeds, hidden, err := k.Find(ctx, c, q, most)
		switch {
		case errors.Is(err, ErrNoChannel):
			return Found{}, &tool.Error{Type: tool.InputError, Message: fmt.Sprintf("there is no channel %q here", in.Channel)}
		case err != nil:
			return Found{}, fmt.Errorf("find in the audit: %w", err)
		case deeds == nil:
			deeds = []Deed{}
		}
		return Found{deeds, hidden}, nil
	})
}
