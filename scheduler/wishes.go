package scheduler

import (
	"fmt"
	"time"
)

// Wishes are the parts of a Policy in words, as people, commands and files say them. What is
// empty stays as it is.
type Wishes struct {
	CatchUp string `json:"catch_up,omitempty"` // as ParseCatchUp reads it
	Overlap string `json:"overlap,omitempty"`
	Stagger string `json:"stagger,omitempty"` // a length of time up to an hour
	Quiet   string `json:"quiet,omitempty"`
	Retries string `json:"retries,omitempty"` // 0 to 10
}

// AsConfigured takes back what was wished.
const AsConfigured = "default"

// On returns a Policy with what is wished of it.
func (w Wishes) On(p Policy) (Policy, error) {
	var err error
	for _, part := range []struct {
		words string
		read  func(string) error
		none  func()
	}{
		{w.CatchUp, func(s string) error { p.CatchUp, p.Window, err = ParseCatchUp(s); return err }, func() { p.CatchUp, p.Window = "", 0 }},
		{w.Overlap, func(s string) error { p.Overlap, err = ParseOverlap(s); return err }, func() { p.Overlap = "" }},
		{w.Stagger, func(s string) error { p.Stagger, err = parseStagger(s); return err }, func() { p.Stagger = 0 }},
		{w.Quiet, func(s string) error { p.Quiet, err = ParseQuiet(s); return err }, func() { p.Quiet = Quiet{} }},
		{w.Retries, func(s string) error { p.Retries, err = parseRetries(s); return err }, func() { p.Retries = 0 }},
	} {
		switch part.words {
		case "":
		case AsConfigured:
			part.none()
		default:
			if err := part.read(part.words); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

func parseStagger(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > time.Hour {
		return 0, fmt.Errorf("stagger %q is no length of time up to 1h, such as 10m", text)
	}
	return d, nil
}
