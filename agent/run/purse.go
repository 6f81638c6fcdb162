package run

import (
	"errors"
	"time"

	"hermes/agent/llm"
)

// An Amount is what was or may be spent: tokens in and out, and money in billionths of
// a dollar. In a limit a number that is 0 is none.
type Amount struct {
	Tokens int64 `json:"tokens,omitempty"`
	Nanos  int64 `json:"nanos,omitempty"`
}

// AmountOf is what a Usage comes to.
func AmountOf(u llm.Usage) Amount { return Amount{int64(u.In) + int64(u.Out), u.Nanos} }

// Add returns the sum of two.
func (a Amount) Add(b Amount) Amount { return Amount{a.Tokens + b.Tokens, a.Nanos + b.Nanos} }

// A Purse is a budget as it stands for one of those that it is about.
type Purse struct {
	Budget string `json:"budget"` // its name: "run", "user/day", "month" for all
	// Of is whose it is: the key of a Run, a person, a channel (slack:T1:C1), a job, a
	// workspace (slack:T1). It is empty for one of all.
	Of    string    `json:"of,omitempty"`
	From  time.Time `json:"from,omitzero"` // the period, in the zone of the program; zero for a Run
	Until time.Time `json:"until,omitzero"`
	Spent Amount    `json:"spent,omitzero"`
	Limit Amount    `json:"limit,omitzero"`
	Warn  float64   `json:"warn,omitempty"` // the share at which people are told
	// Raised is who has set Limit for this period; empty: the configuration.
	Raised string `json:"raised,omitempty"`
}

// Name is by what people call it, and nothing else has: the budget and whose it is.
func (p Purse) Name() string {
	switch {
	case p.Of == "":
		return p.Budget
	case p.Budget == "run":
		return "run:" + TraceOf(p.Of)
	}
	return p.Budget + ":" + p.Of
}

// Holds reports whether so much more can be spent.
func (p Purse) Holds(more Amount) bool {
	all := p.Spent.Add(more)
	return (p.Limit.Tokens == 0 || all.Tokens <= p.Limit.Tokens) && (p.Limit.Nanos == 0 || all.Nanos <= p.Limit.Nanos)
}

// Share is how much of it is spent: of tokens and money the larger.
func (p Purse) Share() float64 {
	share := 0.0
	if p.Limit.Tokens > 0 {
		share = float64(p.Spent.Tokens) / float64(p.Limit.Tokens)
	}
	if p.Limit.Nanos > 0 {
		share = max(share, float64(p.Spent.Nanos)/float64(p.Limit.Nanos))
	}
	return share
}

// Near reports whether so much is spent that people are to be told.
func (p Purse) Near() bool { return p.Warn > 0 && p.Share() >= p.Warn }

// A Raise gives a Purse another Limit, until its period is over. A number that is 0
// stays as it is. Key is as Request.Key: given twice, it counts once.
type Raise struct {
	Key   string    `json:"key"`
	Purse string    `json:"purse"` // Purse.Name
	Limit Amount    `json:"limit"`
	By    string    `json:"by"` // person
	At    time.Time `json:"at"`

	// What the Purse is, as a store keeps it.
	Budget string    `json:"budget,omitempty"`
	Of     string    `json:"of,omitempty"`
	From   time.Time `json:"from,omitzero"`
}

// A Pledge is what a call under way will probably cost, and of which Request it is: the
// Run of that Key, of an Asker, at a Home, of a Job.
type Pledge struct {
	Run, Asker, Home, Job string
	Cost                  Amount
}

// Errors of a Raise beside ErrNotAllowed.
var (
	ErrNoPurse  = errors.New("no such budget")
	ErrNotMore  = errors.New("that is no more than it is now")
	ErrNoNumber = errors.New("the budget has no limit of that kind")
)

// With returns the Purse with the Limit of a Raise.
func (p Purse) With(r Raise) Purse {
	if r.Limit.Tokens > 0 {
		p.Limit.Tokens = r.Limit.Tokens
	}
	if r.Limit.Nanos > 0 {
		p.Limit.Nanos = r.Limit.Nanos
	}
	p.Raised = r.By
	return p
}

// Takes returns why a Raise is none: nil if it is more than there is now, of what the
// Purse limits.
func (p Purse) Takes(r Raise) error {
	switch limit, was := r.Limit, p.Limit; {
	case limit.Tokens > 0 && was.Tokens == 0, limit.Nanos > 0 && was.Nanos == 0:
		return ErrNoNumber
	case limit.Tokens <= was.Tokens && limit.Nanos <= was.Nanos, limit.Tokens > 0 && limit.Tokens < was.Tokens, limit.Nanos > 0 && limit.Nanos < was.Nanos:
		return ErrNotMore
	}
	return nil
}
