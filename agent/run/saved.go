package run

import (
	"encoding/json"
	"time"

	"hermes/agent/tool"
)

// An Order asks for a saved report. Period is what it is about, the zero one leaves that
// to the report; Channel is where it is posted to in place of its own, and Test keeps it
// from being posted at all.
type Order struct {
	Report  string `json:"report"`
	Period  Period `json:"period,omitzero"`
	Channel string `json:"channel,omitempty"`
	Test    bool   `json:"test,omitempty"`
}

// A Saved is a saved report as it stood when a Run became it: all that it needs to go on
// by itself, whatever becomes of the report meanwhile.
type Saved struct {
	Name    string          `json:"name"`
	Version int             `json:"version"`
	Hash    string          `json:"hash"`
	Recipe  string          `json:"recipe"` // of the reports that it makes
	Lang    string          `json:"lang,omitempty"`
	Book    json.RawMessage `json:"book"` // as playbook.Decode reads it
	Period  Period          `json:"period,omitzero"`
	Channel string          `json:"channel,omitempty"` // to post to; empty: none
	Test    bool            `json:"test,omitempty"`
	From    int             `json:"from"` // how many steps there were before
}

// An Earlier is what was posted before about the same period of the same job.
type Earlier struct {
	Revision int       `json:"revision"` // of what the Run would post: 2 for the first that replaces another
	Link     string    `json:"link,omitempty"`
	At       time.Time `json:"at,omitzero"`
}

// call is a call as a saved report makes it: of its period, in its language, and as if
// that were just over, so that made again later it comes to the same.
func (s *Saved) call(c tool.Call) tool.Call {
	if s == nil {
		return c
	}
	c.Recipe = s.Recipe
	if s.Lang != "" {
		c.Lang = s.Lang
	}
	if !s.Period.To.IsZero() {
		c.Period = s.Period
		if s.Period.To.Before(c.Now) {
			c.Now = s.Period.To.In(c.Now.Location())
		}
	}
	return c
}

// About is the period that the Run is about, as far as it is about any.
func (r Run) About() Period {
	if r.Saved != nil && !r.Saved.Period.To.IsZero() {
		return r.Saved.Period
	}
	return r.Period
}
