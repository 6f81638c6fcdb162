package fakeslack_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/fakeslack"
)

// types are those of what was delivered, in its order; of events those within.
func types(t *testing.T, s *fakeslack.Server) (all []string) {
	t.Helper()
	for _, d := range s.Deliveries() {
		var e struct {
			Type   string `json:"type"`
			Minute int64  `json:"minute_rate_limited"`
			Event  struct {
				Type string `json:"type"`
			} `json:"event"`
		}
		if err := json.Unmarshal(d.Payload, &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Event.Type != "":
			all = append(all, e.Event.Type)
		case e.Minute != 0:
			all = append(all, e.Type+time.Unix(e.Minute, 0).UTC().Format(" 15:04"))
		default:
			all = append(all, e.Type)
		}
	}
	return all
}

// Beyond so many events in an hour the app hears of one app_rate_limited in each
// minute, and of nothing that happened; what happened before an hour counts no more.
func TestEventsAreLimited(t *testing.T) {
	clock := fakeslack.NewManual(time.Date(2026, 11, 2, 9, 0, 10, 0, time.UTC))
	s, err := fakeslack.Start(fakeslack.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.LimitEvents(3)
	say := func() {
		t.Helper()
		if _, err := s.Human("ana").Say("general", "a line"); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		say()
	}
	clock.Advance(time.Minute)
	say()
	clock.Advance(time.Hour)
	say()
	s.LimitEvents(0)
	for range 4 {
		say()
	}
	want := "message message message app_rate_limited 09:00 app_rate_limited 09:01 message message message message message"
	if got := strings.Join(types(t, s), " "); got != want {
		t.Errorf("delivered %s, want %s", got, want)
	}
	if n := len(s.Channel("general").Messages()); n != 11 {
		t.Errorf("%d messages stand there, want all 11", n)
	}
}

// An app that fails nearly all attempts of an hour in which much happens hears no events
// any more, though presses and commands; one in which little happens is let be, and so
// is one that takes some.
func TestFailingAppsAreSwitchedOff(t *testing.T) {
	for name, tt := range map[string]struct {
		events, taken int
		apart         time.Duration
		off           bool
	}{
		"all fail":                 {events: 10, off: true},
		"one in five is taken":     {events: 10, taken: 2},
		"too little happens":       {events: 9},
		"too little in each hour":  {events: 12, apart: 10 * time.Minute},
		"it failed for a while":    {events: 30, taken: 10},
		"the first were no better": {events: 300, taken: 1, off: true},
	} {
		t.Run(name, func(t *testing.T) {
			clock := fakeslack.NewManual(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC))
			s, err := fakeslack.Start(fakeslack.Options{Clock: clock})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			e := serve(t)
			if err := s.UseHTTP(t.Context(), fakeslack.Endpoints{Events: e.URL, Secret: signing}); err != nil {
				t.Fatal(err)
			}
			s.DisableFailing(10)
			left := tt.taken
			e.answers(func(w http.ResponseWriter, _ *http.Request, body string) {
				if left > 0 {
					left--
					return
				}
				w.Header().Set("X-Slack-No-Retry", "1")
				w.WriteHeader(http.StatusInternalServerError)
			})
			told := 0
			for range tt.events {
				d := s.Event(map[string]any{"type": "app_home_opened", "user": "U0ANA0001", "tab": "home"})
				if d.EnvelopeID == "" {
					continue
				}
				told++
				if _, err := s.WaitAnswer(t.Context(), d); err != nil {
					t.Fatal(err)
				}
				clock.Advance(tt.apart)
			}
			if s.Disabled() != tt.off || (told < tt.events) != (tt.off && tt.events > 10) {
				t.Errorf("switched off: %t after %d events, want %t", s.Disabled(), told, tt.off)
			}
			if !tt.off {
				return
			}
			e.answers(nil)
			d, err := s.Human("ana").Slash("general", "/hermes", "hi")
			if err != nil {
				t.Fatal(err)
			}
			if d, err = s.WaitAnswer(t.Context(), d); err != nil || !d.Acked {
				t.Errorf("a command is answered with %+v, %v", d, err)
			}
			s.Enable()
			d = s.Event(map[string]any{"type": "app_home_opened", "user": "U0ANA0001", "tab": "home"})
			if d, err = s.WaitAnswer(t.Context(), d); err != nil || !d.Acked {
				t.Errorf("switched on again: %+v, %v", d, err)
			}
		})
	}
}
