package guard

import (
	"strings"
	"time"

	"hermes/agent/run"
)

// For whom a Budget is; an empty Per is all.
const (
	PerRun       = "run"
	PerUser      = "user"
	PerChannel   = "channel"
	PerJob       = "job"
	PerWorkspace = "workspace"
)

// Over which period a Budget goes; an empty Every is none, of a run.
const (
	EveryDay   = "day"
	EveryMonth = "month"
)

// A Budget is how much may be spent for each of those that it is about in a period.
type Budget struct {
	Per, Every string
	Limit      run.Amount
	Warn       float64 // the share of Limit at which people are told
}

// Budgets are all that there are.
type Budgets []Budget

// Name is "run", "user/day", or for all "month".
func (b Budget) Name() string {
	if b.Per == "" || b.Every == "" {
		return b.Per + b.Every
	}
	return b.Per + "/" + b.Every
}

// Of is who of those that it is about pays for what a Request comes to; false if none
// does. What a job's slots cost is paid by its owner as well, as by whoever asks.
func (b Budget) Of(r run.Request) (string, bool) {
	of := ""
	switch b.Per {
	case "":
		return "", true
	case PerRun:
		of = r.Key
	case PerUser:
		of = r.Asker
	case PerChannel:
		of = channel(r.Home)
	case PerJob:
		of = r.Job
	case PerWorkspace:
		of = Workspace(r.Home)
	}
	return of, of != ""
}

// Channel is the channel of a place as platform:workspace:channel, and Workspace its
// workspace as platform:workspace; empty for what is no place.
func Channel(place string) string { return channel(place) }

// Workspace is said with Channel.
func Workspace(place string) string {
	ch := channel(place)
	return ch[:max(0, strings.LastIndexByte(ch, ':'))]
}

// Period is the one that holds a time, from a midnight of a zone up to another; both
// are zero for a Budget of a run.
func (b Budget) Period(at time.Time, zone *time.Location) (from, until time.Time) {
	y, m, d := at.In(zone).Date()
	switch b.Every {
	case EveryDay:
		return time.Date(y, m, d, 0, 0, 0, 0, zone), time.Date(y, m, d+1, 0, 0, 0, 0, zone)
	case EveryMonth:
		return time.Date(y, m, 1, 0, 0, 0, 0, zone), time.Date(y, m+1, 1, 0, 0, 0, 0, zone)
	}
	return time.Time{}, time.Time{}
}

// Purse is the Budget for one of those that it is about at a time, with nothing spent.
func (b Budget) Purse(of string, at time.Time, zone *time.Location) run.Purse {
	p := run.Purse{Budget: b.Name(), Of: of, Limit: b.Limit, Warn: b.Warn}
	p.From, p.Until = b.Period(at, zone)
	return p
}
