package tool

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// An ErrorType says what helps against a failure.
type ErrorType string

// The types of failure.
const (
	NetworkError ErrorType = "RETRIABLE_NETWORK_ERROR"    // timeout, connection, 5xx: later
	RateError    ErrorType = "RETRIABLE_RATE_LIMIT_ERROR" // too often: after a while
	InputError   ErrorType = "INPUT_ERROR"                // other arguments
	ConfigError  ErrorType = "CONFIG_ERROR"               // an operator must act; no try helps
	LogicError   ErrorType = "LOGIC_ERROR"                // it ran, and what it gave cannot be used
)

// Passing reports whether another try of the same call may help.
func (k ErrorType) Passing() bool { return k == NetworkError || k == RateError }

// An Error is why a call has failed, in words for the model and the trace: never
// the body of a vendor's answer, never a secret.
type Error struct {
	Type       ErrorType     `json:"error_type"`
	Tool       string        `json:"tool_name"`
	Attempt    int           `json:"attempt"` // of the last try, from 1
	Message    string        `json:"message"`
	Suggestion string        `json:"suggestion"`
	Fields     []string      `json:"fields,omitempty"` // paths of the arguments that are wrong
	After      time.Duration `json:"-"`                // how long the other side wants us to wait; 0: it did not say
	Err        error         `json:"-"`                // for the log; may be nil
}

// Error implements error.
func (e *Error) Error() string { return string(e.Type) + ": " + e.Message }

// Unwrap implements errors.Unwrap.
func (e *Error) Unwrap() error { return e.Err }

// Failf returns an Error of a type.
func Failf(k ErrorType, format string, args ...any) *Error {
	return &Error{Type: k, Message: fmt.Sprintf(format, args...)}
}

// A StatusError is an answer of HTTP that is no success.
type StatusError struct {
	Code  int
	After time.Duration // of Retry-After
}

// Error implements error.
func (e *StatusError) Error() string {
	return fmt.Sprintf("HTTP %d %s", e.Code, http.StatusText(e.Code))
}

// Classify says of what kind a tool's error is. It returns nil for nil. An error
// that it does not know is a LogicError: the tool is broken, and the same call would
// break it again.
func Classify(name string, err error) *Error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		e := *known
		e.Tool = name
		return &e
	}
	e := &Error{Tool: name, Type: LogicError, Message: "the tool " + name + " is broken: " + err.Error(), Err: err}
	var (
		status  *StatusError
		lookup  *net.DNSError
		cert    *tls.CertificateVerificationError
		network net.Error
	)
	switch {
	case errors.As(err, &status):
		e.Type, e.Message, e.After = status.kind(), status.Error(), status.After
	case errors.Is(err, context.DeadlineExceeded):
		e.Type, e.Message = NetworkError, "it took too long"
	case errors.As(err, &lookup) && lookup.IsNotFound:
		e.Type, e.Message = ConfigError, "there is no host of the name it is configured with"
	case errors.As(err, &cert):
		e.Type, e.Message = ConfigError, "the certificate of the other side is not trusted"
	case errors.As(err, &network):
		e.Type, e.Message = NetworkError, "the connection failed"
	}
	return e
}

func (e *StatusError) kind() ErrorType {
	switch {
	case e.Code == http.StatusTooManyRequests:
		return RateError
	case e.Code == http.StatusRequestTimeout, e.Code == http.StatusTooEarly, e.Code >= 500:
		return NetworkError
	case e.Code == http.StatusUnauthorized, e.Code == http.StatusForbidden, e.Code == http.StatusNotFound,
		e.Code == http.StatusMethodNotAllowed, e.Code == http.StatusPaymentRequired:
		return ConfigError
	default:
		return InputError
	}
}
