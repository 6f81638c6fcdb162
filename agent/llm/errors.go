package llm

import (
	"errors"
	"fmt"
	"time"
)

// Errors a provider returns, wrapped in its own words.
var (
	ErrBusy     = errors.New("model is busy")          // try again later
	ErrTooLong  = errors.New("request exceeds window") // shorten, then try again
	ErrRefused  = errors.New("model refused")          // do not try again
	ErrRejected = errors.New("credentials rejected")   // an operator must act
	ErrUnfit    = errors.New("request is not taken")   // as it is set up: an operator must look
	ErrGarbled  = errors.New("answer cannot be read")  // not of the protocol; try again
)

// ErrEmpty is an ErrGarbled that is of the protocol and holds neither words nor
// calls: the model can be told so.
var ErrEmpty = fmt.Errorf("%w: neither words nor calls", ErrGarbled)

// ErrSlow is an ErrBusy: there was no answer in time. Who has waited in vain does not
// wait for the same again at once.
var ErrSlow = fmt.Errorf("%w: it did not answer in time", ErrBusy)

// ErrSilent is an ErrSlow: not even a beginning came in time. It may be of this one
// request, which is worth one more.
var ErrSilent = fmt.Errorf("%w: it was silent", ErrSlow)

// ErrCut is an ErrBusy: an answer that had begun broke off. The model is there, and it may
// be of this one request.
var ErrCut = fmt.Errorf("%w: the stream was cut off", ErrBusy)

// A WaitError is ErrBusy with the time the provider named.
type WaitError struct {
	After time.Duration
	Err   error
}

func (e *WaitError) Error() string { return e.Err.Error() }

// Unwrap says that the model is busy, beside what happened.
func (e *WaitError) Unwrap() []error { return []error{ErrBusy, e.Err} }
