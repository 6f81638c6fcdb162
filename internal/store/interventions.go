package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"hermes/agent/run"
	"hermes/bot"
)

// habit is over which time approvals of one kind are counted.
const habit = 7 * 24 * time.Hour

// Interventions counts why people had to come in since a time, by the weeks of a zone.
// Everything is counted from the rows that the work itself keeps.
func (j Journal) Interventions(ctx context.Context, since time.Time, zone *time.Location) (bot.Interventions, error) {
	t := comings{since: since, zone: zone, runs: map[string]bool{}, with: map[string]bool{}, rows: map[bot.Intervention]int{}}
	for _, count := range []func(context.Context, *comings) error{j.countRuns, j.countAnswers, j.countNotes, j.countTries} {
		if err := count(ctx, &t); err != nil {
			return bot.Interventions{}, fmt.Errorf("interventions: %w", err)
		}
	}
	out := bot.Interventions{From: since, Runs: len(t.runs)}
	for key := range t.with {
		if t.runs[key] {
			out.With++
		}
	}
	for r, n := range t.rows {
		r.N = n
		out.Rows = append(out.Rows, r)
	}
	slices.SortFunc(out.Rows, func(a, b bot.Intervention) int {
		return cmp.Or(cmp.Compare(b.Week, a.Week), cmp.Compare(a.Tool, b.Tool), cmp.Compare(b.N, a.N), cmp.Compare(a.Cause, b.Cause))
	})
	var err error
	out.Often, err = j.often(ctx)
	return out, err
}

// comings counts as it goes.
type comings struct {
	since time.Time
	zone  *time.Location
	runs  map[string]bool // those that count
	with  map[string]bool
	rows  map[bot.Intervention]int
}

func (t *comings) add(at time.Time, run, tool string, c bot.Cause) {
	if at.Before(t.since) {
		return
	}
	d := at.In(t.zone)
	monday := d.AddDate(0, 0, -(int(d.Weekday())+6)%7)
	t.rows[bot.Intervention{Week: monday.Format(time.DateOnly), Tool: tool, Cause: c}]++
	if c.ByPerson() {
		t.with[run] = true
	}
}

func (j Journal) countRuns(ctx context.Context, t *comings) error {
	var rows []struct{ Key, Request, Body string }
	if err := j.db.r.WithContext(ctx).Raw("SELECT key, request, body FROM runs WHERE updated >= ? AND steps > 0", at(t.since)).Scan(&rows).Error; err != nil {
		return err
	}
	for _, row := range rows {
		var req run.Request
		if err := json.Unmarshal([]byte(row.Request), &req); err != nil {
			return fmt.Errorf("run %s: %w", row.Key, err)
		}
		t.runs[row.Key] = !req.Light && !req.Rehearse
		if !t.runs[row.Key] {
			delete(t.runs, row.Key)
		}
	}
	return nil
}

// countAnswers counts what people have decided. The first approval of a run is its first
// one ever, also if that was before.
func (j Journal) countAnswers(ctx context.Context, t *comings) error {
	qs, err := questions(j.db.r.WithContext(ctx), `JOIN runs r ON r.key = q.run WHERE a.question IS NOT NULL AND r.updated >= ? ORDER BY q.run, q.seq`, at(t.since))
	if err != nil {
		return err
	}
	approved := map[string]bool{}
	for _, q := range qs {
		tool := ""
		if len(q.Calls) > 0 {
			tool = q.Calls[0].Name
		}
		a := q.Answer
		switch {
		case a.Choice == run.Ceased: // the note of the stop counts
		case a.Choice == run.Late:
			t.add(a.At, q.Run, tool, bot.Unanswered)
		case q.Kind != run.Approve:
			t.add(a.At, q.Run, tool, bot.AskedPerson)
		case a.Choice == run.Change:
			t.add(a.At, q.Run, tool, bot.AskedChanges)
		case a.Choice == run.No:
			t.add(a.At, q.Run, tool, bot.DeniedBy)
		default:
			cause := bot.FirstApproval
			if approved[q.Run] {
				cause = bot.MoreApproval
			}
			approved[q.Run] = true
			t.add(a.At, q.Run, tool, cause)
			if len(a.Args) > 0 {
				t.add(a.At, q.Run, tool, bot.EditedBy)
			}
		}
	}
	return nil
}

func (j Journal) countNotes(ctx context.Context, t *comings) error {
	var rows []struct {
		Run, Wish string
		At        stamp
	}
	if err := j.db.r.WithContext(ctx).Raw("SELECT run, wish, at FROM notes WHERE at >= ? ORDER BY seq", at(t.since)).Scan(&rows).Error; err != nil {
		return err
	}
	stopped := map[string]bool{}
	for _, row := range rows {
		switch row.Wish {
		case "stop":
			if !stopped[row.Run] {
				t.add(row.At.Time, row.Run, "", bot.StoppedBy)
			}
			stopped[row.Run] = true
		case "resume":
			stopped[row.Run] = false
			t.add(row.At.Time, row.Run, "", bot.ContinuedBy)
		case "steer":
			t.add(row.At.Time, row.Run, "", bot.Steered)
		}
	}
	var gone []struct {
		Key, Body string
		Updated   stamp
	}
	if err := j.db.r.WithContext(ctx).Raw(`SELECT key, body, updated FROM runs WHERE updated >= ? AND state = 'done' AND body LIKE '%"abandoned"%'`, at(t.since)).Scan(&gone).Error; err != nil {
		return err
	}
	for _, row := range gone {
		var r run.Run
		if err := json.Unmarshal([]byte(row.Body), &r); err != nil {
			return fmt.Errorf("run %s: %w", row.Key, err)
		}
		if r.Abandoned != "" {
			t.add(row.Updated.Time, row.Key, "", bot.GivenUp)
		}
	}
	return nil
}

// countTries counts the calls that have failed after more than one try.
func (j Journal) countTries(ctx context.Context, t *comings) error {
	var rows []struct{ Run, Body string }
	err := j.db.r.WithContext(ctx).Raw(`SELECT s.run, s.body FROM steps s JOIN runs r ON r.key = s.run
		WHERE r.updated >= ? AND s.body LIKE '%"attempts"%' ORDER BY s.run, s.n`, at(t.since)).Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, row := range rows {
		var s run.Step
		if err := json.Unmarshal([]byte(row.Body), &s); err != nil {
			return fmt.Errorf("step of run %s: %w", row.Run, err)
		}
		for c, res := range s.Pairs() {
			if res.Failed && res.Attempts > 1 {
				t.add(s.At, row.Run, c.Name, bot.FailedRetries)
			}
		}
	}
	return nil
}

// often are the kinds of call that one person has approved several times lately.
func (j Journal) often(ctx context.Context) ([]bot.Often, error) {
	all, err := j.db.Runs().approvals(ctx, j.db.now().Add(-habit))
	if err != nil {
		return nil, err
	}
	count := map[bot.Often]int{}
	for _, x := range all {
		count[bot.Often{Person: x.by, Tool: x.call.Name, What: cmp.Or(x.call.ToName, x.call.To)}]++
	}
	var out []bot.Often
	for o, n := range count {
		if o.N = n; n > 1 {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b bot.Often) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Person, b.Person), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.What, b.What))
	})
	return out, nil
}

// An approval is a call that somebody has let run by a press, for whom.
type approval struct {
	by, name, asker string
	call            run.Planned
}

// approvals are the single calls that people have approved since a time, the oldest first.
// What a grant has allowed is none.
func (s Runs) approvals(ctx context.Context, since time.Time) ([]approval, error) {
	qs, err := questions(s.db.r.WithContext(ctx), "WHERE a.at >= ? AND q.kind = ? ORDER BY q.seq", at(since), string(run.Approve))
	if err != nil {
		return nil, fmt.Errorf("approvals: %w", err)
	}
	var all []approval
	for _, q := range qs {
		if o, ok := q.Option(q.Answer.Choice); ok && len(q.Calls) == 1 && len(o.Calls) == 1 && q.Answer.By != "" {
			all = append(all, approval{by: q.Answer.By, name: q.Answer.Name, asker: q.Asked, call: q.Calls[0]})
		}
	}
	return all, nil
}

// Habit implements agent.Habits.
func (s Runs) Habit(ctx context.Context, asker, tool, control string, since time.Time) ([]run.Habit, error) {
	all, err := s.approvals(ctx, since)
	if err != nil {
		return nil, err
	}
	var out []run.Habit
	for _, x := range all {
		if x.asker != asker || x.call.Name != tool || x.call.Control != control {
			continue
		}
		i := slices.IndexFunc(out, func(h run.Habit) bool { return h.By == x.by })
		if i < 0 {
			out, i = append(out, run.Habit{By: x.by}), len(out)
		}
		out[i].N++
		out[i].Name = cmp.Or(x.name, out[i].Name)
	}
	return out, nil
}
