package slack

import (
	"context"
	"encoding/json"
	"time"

	"hermes/bot"
)

// A Room is what a home is made of.
type Room struct {
	User, Lang, Zone, Notice string
	Plans                    bool
	Questions                []bot.OpenQuestion
	Jobs                     []bot.JobView
	Runs                     []bot.RunView
	Grants                   []bot.Allowance
	Purses                   []bot.PurseView
}

// View is the home as Slack gets it.
func (r Room) View() ([]byte, error) {
	loc, err := time.LoadLocation(r.Zone)
	if err != nil {
		return nil, err
	}
	v, err := desk{r.User, r.Lang, loc, r.Plans, r.Notice, r.Questions, r.Jobs, r.Runs, r.Grants, r.Purses}.view()
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// ScheduleView is the form for a schedule as Slack gets it.
func ScheduleView(d bot.Draft, p bot.Preview, wrong string) ([]byte, error) {
	return json.Marshal(scheduleView(d, p, wrong))
}

// SheetView is the form for a decision as Slack gets it.
func SheetView(sheet bot.Sheet) ([]byte, error) {
	return json.Marshal(sheetView(sheet, deciding{Question: sheet.Question, Choice: sheet.Choice, Channel: "C1"}))
}

// Decides has a Decider.
func (s *Slack) Decides(d bot.Decider) { s.cfg.Decider = d }

// Learns has somebody read Chinese, or what else a locale says.
func (s *Slack) Learns(user, locale string) {
	s.people.learn(user, func(p *person) { p.locale = locale })
}

// Explains has f say what answers rest on.
func (s *Slack) Explains(f func(context.Context, string, string) (string, error)) { s.cfg.Why = f }

// DueHomes is how many homes wait to be made anew.
func (s *Slack) DueHomes() int {
	s.homes.mu.Lock()
	defer s.homes.mu.Unlock()
	n := 0
	for _, h := range s.homes.of {
		if h.due || h.busy {
			n++
		}
	}
	return n
}

// OnRest has f called whenever a home has become as things are. It is set before Run.
func (s *Slack) OnRest(f func()) { s.homes.rested = f }
