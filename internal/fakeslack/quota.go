package fakeslack

import (
	"encoding/json"
	"slices"
	"time"
)

// Slack sends an app at most HourlyEvents events of one workspace in an hour; what
// happens beyond that it does not tell, neither then nor later. An app that takes
// events by HTTP and fails more than MostFailed of a hundred attempts within an hour
// hears no events any more, until somebody switches them on again; apps that hear of
// less than BusyApp events in that hour are let be.
const (
	HourlyEvents = 30_000
	BusyApp      = 1_000
	MostFailed   = 95
)

// window is how far back both look.
const window = time.Hour

// A quota is what Slack counts of the events of an app.
type quota struct {
	most   int         // events in an hour; 0: any number
	events []time.Time // that were sent
	minute time.Time   // of the last app_rate_limited

	least    int       // events in an hour from which on failures count; 0: they never do
	attempts []attempt // by HTTP
	disabled bool
}

type attempt struct {
	at     time.Time
	failed bool
	first  bool // of its event
}

// LimitEvents limits events to most in an hour by the Server's clock, as Slack does
// with HourlyEvents; 0 ends that. In each minute in which something is not told the
// app hears of one app_rate_limited.
func (s *Server) LimitEvents(most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quota.most, s.quota.events, s.quota.minute = most, nil, time.Time{}
}

// DisableFailing has events switched off once more than MostFailed of a hundred
// attempts by HTTP have failed within an hour of at least that many events, as Slack
// does with BusyApp; 0 ends that. Presses, commands and forms go on.
func (s *Server) DisableFailing(least int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quota.least, s.quota.attempts = least, nil
}

// Disabled reports whether events were switched off.
func (s *Server) Disabled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.quota.disabled
}

// Enable switches events on again, as somebody does in the app's settings. What
// happened meanwhile is not told.
func (s *Server) Enable() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quota.disabled, s.quota.attempts = false, nil
	s.touch()
}

// tells reports whether an event is sent. s.mu is held, as in all that follows.
func (s *Server) tells() bool {
	q, now := &s.quota, s.clock.Now()
	if q.disabled && s.endpoints != nil {
		return false
	}
	if q.most == 0 {
		return true
	}
	q.events = slices.DeleteFunc(q.events, func(at time.Time) bool { return now.Sub(at) >= window })
	if len(q.events) < q.most {
		q.events = append(q.events, now)
		return true
	}
	if minute := now.Truncate(time.Minute); !minute.Equal(q.minute) {
		q.minute = minute
		raw, _ := json.Marshal(reply{
			"token": "fake", "type": "app_rate_limited", "team_id": s.opts.Team, "api_app_id": App, "minute_rate_limited": minute.Unix(),
		})
		s.deliver("events_api", "", raw, nil)
	}
	return false
}

// tried counts an attempt to deliver an event by HTTP.
func (s *Server) tried(d *Delivery, failed bool) {
	q, now := &s.quota, s.clock.Now()
	if q.least == 0 || s.endpoints == nil || d.Type != "events_api" {
		return
	}
	q.attempts = append(q.attempts, attempt{now, failed, d.Attempts == 1})
	q.attempts = slices.DeleteFunc(q.attempts, func(a attempt) bool { return now.Sub(a.at) >= window })
	events, bad := 0, 0
	for _, a := range q.attempts {
		if a.first {
			events++
		}
		if a.failed {
			bad++
		}
	}
	if events >= q.least && bad*100 > MostFailed*len(q.attempts) {
		q.disabled = true
		s.touch()
	}
}
