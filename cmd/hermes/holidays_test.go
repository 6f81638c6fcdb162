package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/config"
)

// Issue 6: in chat holidays that words except are left out as the calendar of the
// configuration has them, in both languages, also where the time is asked first; without
// one nothing is planned that forgets them, and a file that cannot be read is a fault.
func TestHolidaysOfTheConfigurationAreLeftOut(t *testing.T) {
	ics := filepath.Join(t.TempDir(), "days.ics")
	if err := os.WriteFile(ics, []byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261124\nEND:VEVENT\nEND:VCALENDAR\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	known := func(c *config.Config) { c.Schedules.Holidays = ics }
	friday := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for name, lines := range map[string][]string{
		"English":     {"@hermes send me yesterday's sales on weekdays at 8:30 except holidays"},
		"Chinese":     {"@hermes 工作日早上8点半（节假日除外）把昨天的销售额发给我"},
		"asked first": {"@hermes send me yesterday's sales on weekdays except holidays", "8:30"},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInsideOf(t, friday, known)
			here := room("general", "t1")
			for i, line := range lines {
				in.say("t1", line)
				if i < len(lines)-1 {
					in.lines(here, "the question", func(ls []bot.Line) bool {
						return slices.ContainsFunc(ls, func(l bot.Line) bool { return strings.Contains(l.Text, "At what time?") })
					})
				}
			}
			approves := func(l bot.Line) bool { return l.Question != "" && strings.Contains(l.Text, "23") }
			ls := in.lines(here, "the card", func(ls []bot.Line) bool { return slices.ContainsFunc(ls, approves) })
			card := ls[slices.IndexFunc(ls, approves)]
			if strings.Contains(card.Text, "Look at this first") || strings.Contains(card.Text, "请先看") {
				t.Errorf("a time in other figures than it was said in is a warning: %s", card.Text)
			}
			if strings.Contains(card.Text, "24 November 2026 08:30") || strings.Contains(card.Text, "11月24日（") {
				t.Errorf("card = %s", card.Text)
			}
			in.press(card, anaInDemo, run.Yes)
			in.lines(here, "the end", func(ls []bot.Line) bool {
				return slices.ContainsFunc(ls, func(l bot.Line) bool {
					return l.From == "" && l.Trace != "" && l.Question == "" && l.Kind == bot.Answer
				})
			})
			if spec := in.job().Spec; !strings.Contains(spec, "20261124") {
				t.Errorf("spec = %q, want the day off in it", spec)
			}
		})
	}
}
