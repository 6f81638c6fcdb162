package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"hermes/agent/tool"
	"hermes/agent/tool/post"
	"hermes/scheduler"
)

// SetName is what a model calls the tool by that gives a schedule another owner, or says
// what becomes of its times that are not good ones.
const SetName = "schedule_set"

// setArgs name a job and what of it is set; what is left out stays as it is.
type setArgs struct {
	Job     string `json:"job" jsonschema:"id or name"`
	Owner   string `json:"owner,omitempty" jsonschema:"who shall have it: a name or id"`
	CatchUp string `json:"catch_up,omitempty" jsonschema:"times missed while off: once, none, or how late such as 6h"`
	Overlap string `json:"overlap,omitempty" jsonschema:"while the one before runs: skip or wait"`
	Quiet   string `json:"quiet,omitempty" jsonschema:"when not to run, as 22:00-07:00"`
	Retries string `json:"retries,omitempty" jsonschema:"tries after a failure, 0 to 10"`
}

// settled is what is approved and run.
type settled struct {
	Job   string `json:"job"`
	Owner string `json:"owner,omitempty"` // person
	Home  string `json:"home,omitempty"`  // where it answers from then on, if that was the old owner's alone
	scheduler.Wishes
}

// An Heir is who shall have a job.
type Heir struct {
	Person string
	Name   string // as people call them
	// Home is where the job answers from then on; empty: where it did.
	Home string
}

type set struct{ Parts }

var _ tool.Planner = set{}

func (set) Spec() tool.Spec {
	return tool.Spec{
		Name:        SetName,
		Description: "Give a schedule another owner, or say what becomes of missed, overlapping, night or failed times, if asked to; not when it runs.",
		Schema:      tool.SchemaOf[setArgs](),
		Output:      tool.OutputOf[planned](),
		Effect:      tool.Keep,
		Later:       true,
		Words:       []string{"owner", "hand over", "quiet", "missed", "catch up", "overlap", "retries", "retry", "交给", "转给", "错过", "补跑", "晚上", "重叠", "重试", "负责人"},
		IDs:         ids,
	}
}

// Plan implements tool.Planner.
func (t set) Plan(ctx context.Context, c tool.Call) (tool.Plan, error) {
	in, err := tool.Decode[setArgs](c.Args)
	if err != nil {
		return tool.Plan{Fault: fmt.Sprintf("arguments of %s: %v", SetName, err)}, nil
	}
	say := func(en, zh string, args ...any) tool.Plan {
		return tool.Plan{Fault: fmt.Sprintf(in2(c.Lang, en, zh), args...)}
	}
	j, fault, err := t.named(ctx, c, in.Job)
	if err != nil || fault != "" {
		return tool.Plan{Fault: fault}, err
	}
	switch admin := t.Admin(c.Asker); {
	case j.Owner != c.Asker && !admin:
		return say("schedule %s belongs to somebody else; its owner or an admin can change it", "定时任务 %s 是别人的；只有它的主人或管理员可以修改", j.ID), t.refuse(ctx, c, j.ID)
	case in.Owner != "" && !admin:
		// It runs with the rights of whoever owns it.
		return say("only an admin can give a schedule to somebody else, since it runs with the rights of its owner", "定时任务以所有者的权限运行，所以只有管理员可以把它交给别人"), t.refuse(ctx, c, j.ID)
	}
	out := settled{Job: j.ID, Wishes: scheduler.Wishes{CatchUp: in.CatchUp, Overlap: in.Overlap, Quiet: in.Quiet, Retries: in.Retries}}
	was := j.Policy
	policy, err := out.On(was)
	if err != nil {
		return say("%v", "%v", err), nil
	}
	plan := tool.Plan{Own: j.Owner == c.Asker && in.Owner == "", Lines: []string{setLine(j, c.Lang)}}
	if in.Owner != "" {
		to, why, err := t.heir(ctx, c, j, in.Owner)
		if err != nil || why != "" {
			return tool.Plan{Fault: why}, err
		}
		out.Owner, out.Home = to.Person, to.Home
		plan.Diff = append(plan.Diff, tool.Diff{What: in2(c.Lang, "Owner", "所有者"), Was: t.nameOf(j.Owner), Is: to.Name})
		plan.Lines = append(plan.Lines, in2(c.Lang, "It runs with their rights from then on", "以后以新所有者的权限运行"))
		if j.State == scheduler.Paused {
			plan.Diff = append(plan.Diff, stateDiff(j.State, scheduler.Active, c.Lang))
		}
		if j.To != "" {
			plan.Lines = append(plan.Lines, ends(c.Lang))
		}
	}
	plan.Diff = append(plan.Diff, policyDiff(was, policy, c.Lang)...)
	if len(plan.Diff) == 0 {
		return say("schedule %s (%s) is set like that already", "定时任务 %s（%s）本来就是这样设置的", j.ID, j.Name), nil
	}
	if plan.Args, err = json.Marshal(out); err != nil {
		return tool.Plan{}, fmt.Errorf("encode plan: %w", err)
	}
	return plan, nil
}

// named is the job that words mean: an admin may name any by its id.
func (t set) named(ctx context.Context, c tool.Call, words string) (scheduler.Job, string, error) {
	if id := strings.ToLower(strings.TrimSpace(words)); namesID(id) && t.Admin(c.Asker) {
		j, err := t.Book.Job(ctx, id)
		if err == nil && j.State != scheduler.Deleted {
			return j, "", nil
		}
		if err != nil && !errors.Is(err, scheduler.ErrNoJob) {
			return j, "", fmt.Errorf("job %s: %w", id, err)
		}
	}
	seen, err := visible(ctx, t.Book, c)
	if err != nil {
		return scheduler.Job{}, "", err
	}
	j, fault := pick(seen, words, c.Lang)
	return j, fault, nil
}

// heir is whom words mean, if they may have the job.
func (t set) heir(ctx context.Context, c tool.Call, j scheduler.Job, words string) (to Heir, why string, err error) {
	if t.Heir == nil {
		return to, in2(c.Lang, "schedules cannot be given to others here", "这里不能把定时任务交给别人"), nil
	}
	if to, why, err = t.Heir(ctx, c, j, words); err != nil || why != "" {
		return to, why, err
	}
	if to.Person == j.Owner && j.State != scheduler.Paused {
		return to, fmt.Sprintf(in2(c.Lang, "schedule %s is theirs already", "定时任务 %s 本来就是对方的"), j.ID), nil
	}
	if t.Audience != nil {
		c.Asker = to.Person
		why, err = t.Audience(ctx, c, j.Request, tool.Artifact{}, post.Target{Place: j.To, Name: j.ToName})
	}
	return to, why, err
}

func (t set) nameOf(person string) string {
	if t.NameOf == nil {
		return person
	}
	return t.NameOf(person)
}

// policyDiff is what of a policy would become another.
func policyDiff(was, to scheduler.Policy, lang string) []tool.Diff {
	var out []tool.Diff
	add := func(en, zh, was, is string) {
		if was != is {
			out = append(out, tool.Diff{What: in2(lang, en, zh), Was: was, Is: is})
		}
	}
	add("Times that were missed", "错过的时间", sayCatchUp(was, lang), sayCatchUp(to, lang))
	add("While the one before still runs", "前一次还没结束时", sayOverlap(was, lang), sayOverlap(to, lang))
	add("Quiet hours", "不运行的时段", sayQuiet(was, lang), sayQuiet(to, lang))
	add("Tried again", "失败后重试", sayRetries(was, lang), sayRetries(to, lang))
	return out
}

func sayCatchUp(p scheduler.Policy, lang string) string {
	switch p.CatchUp {
	case scheduler.Once:
		return in2(lang, "the newest runs once, late", "最近的一次补跑一次")
	case scheduler.Never:
		return in2(lang, "are not caught up", "不补跑")
	case scheduler.Within:
		return fmt.Sprintf(in2(lang, "the newest runs if at most %s late", "最近的一次在晚 %s 之内补跑"), short(p.Window))
	}
	return usual(lang)
}

func sayOverlap(p scheduler.Policy, lang string) string {
	switch p.Overlap {
	case scheduler.Skip:
		return in2(lang, "the next is skipped", "跳过后一次")
	case scheduler.Wait:
		return in2(lang, "the next waits", "后一次等待")
	}
	return usual(lang)
}

func sayQuiet(p scheduler.Policy, lang string) string {
	if p.Quiet.IsZero() {
		return usual(lang)
	}
	return p.Quiet.From + "–" + p.Quiet.To + in2(lang, "; what is due then begins at the end", "；这段时间到期的推迟到结束时")
}

func sayRetries(p scheduler.Policy, lang string) string {
	switch {
	case p.Retries < 0:
		return in2(lang, "never", "不重试")
	case p.Retries > 0:
		return fmt.Sprintf(in2(lang, "up to %d times", "最多 %d 次"), p.Retries)
	}
	return usual(lang)
}

func usual(lang string) string { return in2(lang, "as configured", "按配置") }

// short is a length of time without its empty parts: 6h, not 6h0m0s.
func short(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m")
}

// sayPolicy says what is set of a policy, in a line; nothing if it is as configured.
func sayPolicy(p scheduler.Policy, lang string) string {
	var all []string
	for _, d := range policyDiff(scheduler.Policy{}, p, lang) {
		all = append(all, d.What+in2(lang, ": ", "：")+d.Is)
	}
	return strings.Join(all, in2(lang, "; ", "；"))
}

// setLine says which job is set.
func setLine(j scheduler.Job, lang string) string {
	return fmt.Sprintf(in2(lang, "Set the schedule **%s**: “%s”", "设置定时任务 **%s**：“%s”"), j.ID, j.Name)
}

// Run implements tool.Tool. Its arguments are those of a Plan.
func (t set) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	in, err := tool.Decode[settled](c.Args)
	if err != nil {
		return tool.Fail("arguments of %s: %v", SetName, err), nil
	}
	j, err := t.Book.Job(ctx, in.Job)
	switch {
	case errors.Is(err, scheduler.ErrNoJob), err == nil && j.State == scheduler.Deleted:
		return tool.Fail("there is no schedule %s any more", in.Job), nil
	case err != nil:
		return tool.Result{}, fmt.Errorf("job %s: %w", in.Job, err)
	}
	if j.Policy, err = in.On(j.Policy); err != nil {
		return tool.Fail("%v", err), nil
	}
	if in.Owner != "" {
		j = HandOver(j, Heir{Person: in.Owner, Home: in.Home}, t.Now())
	}
	return t.update(ctx, c, j)
}

// HandOver is a job as its heir has it: one that was paused goes on, and what was due
// meanwhile stays undone.
func HandOver(j scheduler.Job, to Heir, now time.Time) scheduler.Job {
	j.Owner = to.Person
	if to.Home != "" {
		j.Origin = to.Home
	}
	if j.State == scheduler.Paused {
		j.State, j.Since = scheduler.Active, now
	}
	return j
}
