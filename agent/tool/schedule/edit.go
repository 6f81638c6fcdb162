package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hermes/agent/tool"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// The tools that a form calls.
const (
	AddName  = "schedule_add"
	EditName = "schedule_edit"
)

// EditArgs are all that a job shall be from now on.
type EditArgs struct {
	Job     string `json:"job" jsonschema:"id"`
	When    string `json:"when" jsonschema:"words or cron"`
	Request string `json:"request" jsonschema:"what to do, without when"`
	Channel string `json:"channel,omitempty" jsonschema:"to post to; else it answers where it was made"`
}

// edit gives a job another time, request or channel. It is what a form calls that
// knows the whole job; a model is not told of it.
type edit struct{ Parts }

var _ tool.Planner = edit{}

// Edit returns the tool by which a form changes a job.
func Edit(p Parts) tool.Tool { return edit{p} }

func (edit) Spec() tool.Spec {
	return tool.Spec{
		Name:        EditName,
		Description: "Give a schedule another time, request or channel, when all three are at hand; it fills in nothing.",
		Schema:      tool.SchemaOf[EditArgs](),
		Output:      tool.OutputOf[planned](),
		Effect:      tool.Keep,
		Later:       true,
	}
}

// Plan implements tool.Planner. What the job becomes is planned as a new one is.
func (t edit) Plan(ctx context.Context, c tool.Call) (tool.Plan, error) {
	in, err := tool.Decode[EditArgs](c.Args)
	if err != nil {
		return tool.Plan{Fault: fmt.Sprintf("arguments of %s: %v", EditName, err)}, nil
	}
	j, err := t.Book.Job(ctx, strings.TrimSpace(in.Job))
	switch {
	case errors.Is(err, scheduler.ErrNoJob), err == nil && j.State == scheduler.Deleted:
		return tool.Plan{Fault: fmt.Sprintf(in2(c.Lang, "there is no schedule %s that you may change", "没有您可以修改的定时任务 %s"), in.Job)}, nil
	case err == nil && j.Owner != c.Asker && !t.Admin(c.Asker):
		return tool.Plan{Fault: fmt.Sprintf(in2(c.Lang, "there is no schedule %s that you may change", "没有您可以修改的定时任务 %s"), in.Job)}, t.refuse(ctx, c, j.ID)
	case j.Altered:
		return tool.Plan{Fault: fmt.Sprintf(altered(c.Lang), j.ID)}, nil
	case err != nil:
		return tool.Plan{}, fmt.Errorf("job %s: %w", in.Job, err)
	}
	if c.Args, err = json.Marshal(addArgs{When: in.When, Request: in.Request, Channel: in.Channel}); err != nil {
		return tool.Plan{}, fmt.Errorf("encode plan: %w", err)
	}
	plan, err := add(t).Plan(ctx, c)
	if err != nil || plan.Fault != "" {
		return plan, err
	}
	args, err := tool.Decode[resolved](plan.Args)
	if err != nil {
		return tool.Plan{}, fmt.Errorf("decode plan: %w", err)
	}
	args.Job, plan.Job = j.ID, j.ID
	if args.About == "" && args.Spec == j.Spec {
		args.About = string(j.About)
	}
	if j.Name != shorten(j.Request) {
		args.Name = j.Name // somebody has called it so
	}
	if plan.Args, err = json.Marshal(args); err != nil {
		return tool.Plan{}, fmt.Errorf("encode plan: %w", err)
	}
	plan.Lines = append([]string{editLine(j, c.Lang)}, plan.Lines...)
	if plan.Diff = diff(j, args, c.Lang); j.To != "" && len(plan.Diff) > 0 {
		plan.Lines = append(plan.Lines, ends(c.Lang))
	}
	return plan, nil
}

// diff is what of a job would become another.
func diff(j scheduler.Job, to resolved, lang string) []tool.Diff {
	names := [...]string{"When", "Request", "Channel"}
	if lang == "zh" {
		names = [...]string{"时间", "内容", "频道"}
	}
	say := func(spec, zone string) string {
		if s, err := calendar.Parse(spec); err == nil {
			spec = phrase.Say(s, lang)
		}
		return spec + " (" + zone + ")"
	}
	var out []tool.Diff
	if j.Spec != to.Spec || j.Zone != to.Zone {
		out = append(out, tool.Diff{What: names[0], Was: say(j.Spec, j.Zone), Is: say(to.Spec, to.Zone)})
	}
	if j.Request != to.Request {
		out = append(out, tool.Diff{What: names[1], Was: j.Request, Is: to.Request})
	}
	if j.To != to.To {
		out = append(out, tool.Diff{What: names[2], Was: j.ToName, Is: to.Channel})
	}
	return out
}

// ends says what becomes of the grants of a job that does something else from now on.
func ends(lang string) string {
	if lang == "zh" {
		return "以前给它的免审批授权随之作废：之后的发送会重新请求批准"
	}
	return "What was allowed for it without asking ends with this: its posts are asked for again"
}

// editLine says which job is to change, and what it has been.
func editLine(j scheduler.Job, lang string) string {
	say := j.Spec
	if s, err := calendar.Parse(j.Spec); err == nil {
		say = phrase.Say(s, lang)
	}
	if lang == "zh" {
		return fmt.Sprintf("修改定时任务 **%s**：“%s”，原来是%s（%s）", j.ID, j.Name, say, j.Zone)
	}
	return fmt.Sprintf("Change the schedule **%s**: “%s”, which has been %s (%s)", j.ID, j.Name, say, j.Zone)
}

// Run implements tool.Tool. Its arguments are those of a Plan. Whose the job is and
// where it answers stays.
func (t edit) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	in, err := tool.Decode[resolved](c.Args)
	if err != nil {
		return tool.Fail("arguments of %s: %v", EditName, err), nil
	}
	j, err := t.Book.Job(ctx, in.Job)
	switch {
	case errors.Is(err, scheduler.ErrNoJob), err == nil && j.State == scheduler.Deleted:
		return tool.Fail("there is no schedule %s any more", in.Job), nil
	case err != nil:
		return tool.Result{}, fmt.Errorf("job %s: %w", in.Job, err)
	}
	now := t.Now()
	if j.State == scheduler.Ended {
		j.State = scheduler.Active
	}
	j.Name, j.Spec, j.Zone, j.Request, j.To, j.ToName = in.Name, in.Spec, in.Zone, in.Request, in.To, in.Channel
	j.Report, j.About = in.Saved, scheduler.About(in.About)
	j.Since = now // what was due by the old times stays undone
	p, err := describe(j, now, c.Lang)
	switch {
	case err != nil:
		return tool.Result{}, err
	case j.State == scheduler.Active && len(p.Next) == 0:
		return tool.Fail("its time, %s, has passed meanwhile, so nothing was changed", p.Say), nil
	}
	return t.update(ctx, c, j)
}
