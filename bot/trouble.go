package bot

import (
	"errors"
	"fmt"

	"hermes/agent/run"
)

// Errors of a Poster. One that is none of them is broken: a later try may help.
var (
	ErrBusy      = errors.New("platform is busy")                 // try again later
	ErrRefused   = errors.New("platform refused")                 // do not try again: no such place, not a member
	ErrShut      = errors.New("platform does not let the bot in") // no fault of the post's: a person must mend it, then it goes
	ErrUnknown   = errors.New("nobody knows whether it arrived")  // look first
	ErrNoChannel = errors.New("no such channel")
	ErrTooLarge  = errors.New("file is too large")
	ErrNoAccess  = errors.New("file cannot be read by the bot")

	// Why a place takes nothing of the bot's for good. Each is an ErrRefused.
	ErrArchived   = fmt.Errorf("%w: the place is archived", ErrRefused)
	ErrVanished   = fmt.Errorf("%w: the place is gone, or hidden", ErrRefused)
	ErrOutside    = fmt.Errorf("%w: the bot is not in the place", ErrRefused)
	ErrRestricted = fmt.Errorf("%w: not everybody may post in the place", ErrRefused)

	// ErrNoRun is what a Desk returns for a run that is not there, or not for the
	// viewer to see.
	ErrNoRun = errors.New("no such run")
)

// tries is how often a thing is tried before it has failed. Inbox and Outbox count,
// so a thing that takes the program down with it is counted too.
const tries = 5

// lends is how often a post is given out before it counts as what takes the program
// down. It is more than tries, since a program that is killed for other reasons must
// not fail what was on its way.
const lends = 20

var errTooOften = errors.New("tried too often")

// undeliveredFor is why a post is nowhere, to who wanted it.
func (w *wording) undeliveredFor(p Post, err error) string {
	if errors.Is(err, ErrUnknown) {
		return w.unknown
	}
	for place, why := range w.refusing {
		if errors.Is(err, place) {
			return why
		}
	}
	if p.File != nil && troubleOf(err) == run.Refused {
		return w.noUpload
	}
	return w.undelivered[troubleOf(err)]
}

// troubleOf is what an error is to the person who waits.
func troubleOf(err error) run.Why {
	switch {
	case errors.Is(err, run.ErrAltered):
		return run.Forged
	case errors.Is(err, ErrRefused), errors.Is(err, run.ErrRefused):
		return run.Refused
	case errors.Is(err, ErrBusy), errors.Is(err, run.ErrBusy):
		return run.Busy
	default:
		return run.Broken
	}
}

// hopeless reports whether to give up after err on that attempt. A platform that lets
// nobody in is waited for as long as a post is lent out at all.
func hopeless(err error, attempt int) bool {
	if errors.Is(err, ErrShut) {
		return attempt >= lends
	}
	why := troubleOf(err)
	return attempt >= tries || why == run.Refused || why == run.Forged
}
