package store

import (
	"context"
	"fmt"
	"slices"

	"hermes/agent/run"
	"hermes/bot"
)

// stepViews has one for each call, and one for each reply without any.
func (k desk) stepViews(ctx context.Context, r run.Run) ([]bot.StepView, error) {
	var views []bot.StepView
	for i, s := range r.Steps {
		said := bot.StepView{N: i + 1, Said: s.Reply.Message.Text, Took: s.Took}
		if len(s.Reply.Message.Calls) == 0 {
			views = append(views, said)
		}
		for c, call := range s.Reply.Message.Calls {
			v := bot.StepView{N: i + 1, Call: call.Name + " " + string(call.Args)}
			if c == 0 {
				v.Said = said.Said
			}
			for _, res := range s.Results {
				if res.ID == call.ID {
					v.Result, v.Failed, v.Took, v.Under = res.Text, res.Failed, res.Took, res.Under
					if err := k.rule(ctx, r, res, &v); err != nil {
						return nil, err
					}
				}
			}
			views = append(views, v)
		}
	}
	return views, nil
}

// rule adds whose word a step came under.
func (k desk) rule(ctx context.Context, r run.Run, res run.Result, v *bot.StepView) error {
	for _, q := range r.Questions {
		concerns := slices.ContainsFunc(q.Calls, func(c run.Planned) bool { return c.ID == res.ID })
		if q.Answer == nil || q.ID != res.Under && (res.Under != "" || res.Unrun != run.Forbidden && res.Unrun != run.SentBack || !concerns) {
			continue
		}
		v.By = q.Answer.By
		switch {
		case q.Kind != run.Approve:
			v.Ruling = bot.Answered
		case res.Unrun == run.Forbidden:
			v.Ruling = bot.Denied
		case res.Unrun == run.SentBack:
			v.Ruling = bot.Returned
		default:
			v.Ruling = bot.Approved
		}
		return nil
	}
	if res.Under == "" {
		return nil
	}
	var by []string
	if err := k.db.r.WithContext(ctx).Raw("SELECT by_whom FROM grants WHERE id = ?", res.Under).Scan(&by).Error; err != nil {
		return fmt.Errorf("grant %s: %w", res.Under, err)
	}
	if len(by) > 0 {
		v.By, v.Ruling = by[0], bot.Granted
	}
	return nil
}
