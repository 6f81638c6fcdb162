package llm

import (
	"errors"
	"time"
)

// Errors a provider returns, wrapped in its own words.
var (
	ErrBusy     = errors.New("model is busy")          // try again later
	ErrTooLong  = errors.New("request exceeds window") // shorten, then try again
	ErrRefused  = errors.New("model refused")          // do not try again
	ErrRejected = errors.New("credentials rejected")   // an operator must act
	ErrGarbled  = errors.New("answer cannot be read")  // empty or not of the protocol; try again
)

// A WaitError is ErrBusy with the time the provider named.
type WaitError struct {
	After time.Duration
	Err   error
}

func (e *WaitError) Error() string { return e.Err.Error() }

// Unwrap says that the model is busy, beside what happened.
func (e *WaitError) Unwrap() []error { return []error{ErrBusy, e.Err} }
