package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"hermes/agent"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/agent/tool/report"
	"hermes/bot"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
)

// threads is the agent.Threads of the store.
type threads struct{ h *hermes }

var _ agent.Threads = threads{}

// Began implements agent.Threads.
func (t threads) Began(ctx context.Context, home, asker string) (*run.Began, error) {
	place, err := bot.ParsePlace(home)
	if err != nil || place.Thread == "" {
		return nil, err
	}
	own, found, err := t.h.db.Journal().OwnBegan(ctx, place)
	if err != nil || !found {
		return nil, err
	}
	b := &run.Began{Run: own.Run}
	r, ok, err := t.h.db.Runs().Run(ctx, own.Run)
	if err != nil {
		return nil, fmt.Errorf("run of the post: %w", err)
	}
	if ok {
		b.Job = r.Job
		if r.Saved != nil {
			b.Saved = r.Saved.Name
		}
	}
	if err := t.figures(ctx, b, own.Post.Artifact); err != nil {
		return b, err
	}
	if b.Job == "" {
		return b, nil
	}
	j, err := t.h.db.Jobs().Job(ctx, b.Job)
	switch {
	case errors.Is(err, scheduler.ErrNoJob):
		return b, nil
	case err != nil:
		return b, err
	case j.Owner == asker || t.h.isAdmin(asker):
		b.When, b.Request, b.Channel = j.Spec, j.Request, j.ToName
	}
	return b, nil
}

// figures notes what a report has figures of.
func (t threads) figures(ctx context.Context, b *run.Began, id string) error {
	a, err := t.h.db.Artifacts().Artifact(ctx, id)
	switch {
	case errors.Is(err, tool.ErrNoArtifact):
		return nil // a post of words alone
	case err != nil:
		return err
	case a.Kind != tool.Report:
		return nil
	}
	b.Report, b.Title = a.ID, a.Title
	var made report.Meta
	if err := json.Unmarshal(a.Meta, &made); err != nil || len(made.Tables) == 0 {
		return nil //nolint:nilerr // a report without evidence has no figures to speak of
	}
	table, err := t.h.db.Artifacts().Artifact(ctx, made.Tables[0])
	if err != nil {
		return fmt.Errorf("table of report %s: %w", a.ID, err)
	}
	g, err := tool.DecodeGrid(table.Body)
	if err != nil {
		return err
	}
	b.Measure = g.Measure
	if len(g.By) > 0 {
		b.By = g.By[0]
	}
	if !g.Period.To.IsZero() {
		days := g.Period.From.Format("2006-01-02") + ".." + g.Period.To.AddDate(0, 0, -1).Format("2006-01-02")
		if _, wrong := calendar.ParseRange(days); wrong == nil {
			b.Period = days
		}
	}
	return nil
}
