package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/agent/tool/post"
	"hermes/agent/tool/schedule"
	"hermes/bot"
	"hermes/internal/store"
	"hermes/router"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// A planner makes schedules out of forms. What a form says goes the way of what is
// said in chat: the same tools, the same card, the same audit.
type planner struct {
	jobs  store.Jobs
	inbox bot.Inbox
	find  post.Finder
	admin func(person string) bool
	users []string // for whom we work; none: all
	zone  string   // of people whose platform knows none
	now   func() time.Time
	// daysOff are the holidays as they are known at a time; nil: nobody knows.
	daysOff func(now time.Time) (*calendar.Holidays, error)
	// refused keeps who tried to change what is not theirs; nil: nobody does.
	refused func(context.Context, bot.Refusal) error
	// may says whether somebody may change schedules at all; nil: everybody.
	may func(ctx context.Context, viewer string) bool
}

var _ bot.Planner = planner{}

func (h *hermes) planner(find post.Finder) planner {
	return planner{jobs: h.db.Jobs(), inbox: h.db.Inbox(), find: find, admin: h.isAdmin, users: h.cfg.Policy.Users, zone: h.cfg.Zone, now: h.now, daysOff: daysOff(h.cfg.Schedules), refused: h.db.Journal().Refused, may: h.mayChangeJobs}
}

// shortestDay is what a day has at least, with clocks put forward.
const shortestDay = 23 * time.Hour

// nextShown is how many times a Preview shows.
const nextShown = 5

// meant is a Draft's time as it was read.
type meant struct {
	bot.Preview
	spec calendar.Schedule
	loc  *time.Location
}

// Preview implements bot.Planner.
func (p planner) Preview(ctx context.Context, viewer string, d bot.Draft) (bot.Preview, error) {
	m, err := p.read(d)
	if err != nil {
		return m.Preview, err
	}
	m.About = p.about(ctx, viewer, d, m)
	if d.To == "" {
		return m.Preview, nil
	}
	home := bot.Place{Channel: bot.UserOf(viewer)}
	home.Platform, home.Workspace = origin(viewer)
	to, err := p.find(ctx, home.String(), d.To)
	switch {
	case errors.Is(err, post.ErrNoChannel):
		return m.Preview, invalid(d, bot.FieldTo, "I do not see this channel. Invite me there with /invite first.", "我看不到这个频道，请先在那里用 /invite 邀请我。")
	case err != nil:
		return m.Preview, fmt.Errorf("find channel %s: %w", d.To, err)
	case !to.Member:
		return m.Preview, invalid(d, bot.FieldTo, "I am not a member of "+to.Name+". Invite me there with /invite first.", "我还不是 "+to.Name+" 的成员，请先在那里用 /invite 邀请我。")
	}
	return m.Preview, nil
}

// origin takes platform and workspace from a Person.
func origin(person string) (platform, workspace string) {
	platform, rest, _ := strings.Cut(person, ":")
	workspace, _, _ = strings.Cut(rest, ":")
	return platform, workspace
}

func invalid(d bot.Draft, field, en, zh string) error {
	if d.Lang == "zh" {
		return &bot.Invalid{Field: field, Text: zh}
	}
	return &bot.Invalid{Field: field, Text: en}
}

// read finds out when a Draft means. What chat would ask about is Invalid here.
func (p planner) read(d bot.Draft) (meant, error) {
	m := meant{Preview: bot.Preview{Zone: d.Zone}}
	if m.Zone == "" {
		m.Zone = p.zone
	}
	var err error
	if m.loc, err = time.LoadLocation(m.Zone); err != nil || strings.EqualFold(m.Zone, "local") {
		return m, invalid(d, bot.FieldZone, "I do not know this time zone. Write it like Europe/Berlin.", "没有这个时区。请写成 Asia/Shanghai 这样。")
	}
	now := p.now().In(m.loc)
	if m.spec, err = p.timesOf(d, now, m.loc); err != nil {
		return m, err
	}
	for _, t := range m.spec.NextN(now, m.loc, nextShown) {
		m.Next = append(m.Next, t.At.In(m.loc))
	}
	if len(m.Next) == 0 {
		return m, invalid(d, bot.FieldWhen, "That time never comes, or it has passed. When do you mean?", "这个时间不会到来，或者已经过去了。请问是什么时候？")
	}
	m.When = phrase.Say(m.spec, d.Lang)
	return m, nil
}

// about is the period that the first of the times is about, as the slot will have it. A
// reminder is about none, and nor is a single time or one of several in a day.
func (p planner) about(ctx context.Context, viewer string, d bot.Draft, m meant) string {
	if m.spec.Once() || onlyReminds.MatchString(d.What) {
		return ""
	}
	about := scheduler.AsUsual
	if d.Job != "" {
		if j, err := p.alive(ctx, viewer, d.Job); err == nil && j.Spec == m.spec.String() {
			about = j.About // an edit of other things keeps it
		}
	}
	period := about.For(d.What, m.spec).Of(m.spec, m.Next[0], m.loc)
	if period.To.Sub(period.From) < shortestDay {
		return ""
	}
	unit, _ := m.spec.Cycle()
	return playbook.LabelOf(unit, run.Period{From: period.From, To: period.To}, m.loc, d.Lang)
}

func (p planner) timesOf(d bot.Draft, now time.Time, loc *time.Location) (calendar.Schedule, error) {
	text := strings.TrimSpace(d.When)
	if text == "" {
		return calendar.Schedule{}, invalid(d, bot.FieldWhen, "Say when, for example: every Monday at 9:00", "请填写时间，例如：每周一上午9点")
	}
	if s, err := calendar.Parse(text); err == nil {
		return s, nil
	}
	r := phrase.Read(text, now, loc, d.Lang)
	no := func(en, zh string) (calendar.Schedule, error) {
		return calendar.Schedule{}, invalid(d, bot.FieldWhen, en, zh)
	}
	switch {
	case r.Question != "":
		return no(r.Question, r.Question)
	case r.Kind != phrase.Recurring && r.Kind != phrase.Once:
		return no("I find no time in this. Write for example: every month on the 1st at 9:00", "这里面没有时间。可以写：每月1号上午9点")
	case r.SkipHolidays && p.daysOff == nil:
		return no("Which days are holidays I do not know. Leave that out.", "哪些天是假日我不知道，请去掉这个条件。")
	case r.NoDay && r.NoTime:
		return no("On which day, and at what time?", "哪一天、几点？")
	case r.NoDay:
		return no("On which day?", "哪一天？")
	case r.NoTime:
		return no("At what time?", "几点？")
	case r.SkipHolidays:
		off, err := p.daysOff(now)
		if err != nil {
			return calendar.Schedule{}, fmt.Errorf("days off: %w", err)
		}
		return r.Spec.Without(off, now)
	}
	return r.Spec, nil
}

// Plan implements bot.Planner. The Run that it begins has its one call with it, so
// that no model can make something else of the form.
func (p planner) Plan(ctx context.Context, key string, home bot.Place, viewer string, d bot.Draft) error {
	m, err := p.read(d)
	if err != nil {
		return err
	}
	what := strings.TrimSpace(d.What)
	if what == "" {
		return invalid(d, bot.FieldWhat, "Say what to do each time.", "请填写每次要做什么。")
	}
	args := map[string]string{"when": m.spec.String(), "request": what}
	if d.To != "" {
		args["channel"] = d.To
	}
	name := schedule.AddName
	if d.Job != "" {
		if _, err := p.alive(ctx, viewer, d.Job); err != nil {
			return err
		}
		name, args["job"] = schedule.EditName, d.Job
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("encode form %s: %w", key, err)
	}
	return p.inbox.Add(ctx, bot.Item{Key: key, Place: home, Lane: bot.Talk, Request: &run.Request{
		Key: key, Home: home.String(), Asker: viewer, Text: m.asked(what, d.Lang), Lang: d.Lang,
		Now: p.now().In(m.loc), Zone: m.Zone, Intent: string(router.Task),
		Ready: &run.Ready{Calls: []llm.Call{{ID: "form", Name: name, Args: raw}}, Words: m.done(d)},
	}})
}

// asked is a form in words, as it stands among what was asked for.
func (m meant) asked(what, lang string) string {
	if lang == "zh" {
		return m.When + "：" + what
	}
	return m.When + ": " + what
}

// done is what is said once it is planned.
func (m meant) done(d bot.Draft) string {
	verb, next := "Scheduled", ""
	switch {
	case d.Lang == "zh" && d.Job != "":
		verb = "已修改"
	case d.Lang == "zh":
		verb = "已安排"
	case d.Job != "":
		verb = "Changed"
	}
	if d.Lang == "zh" {
		if !m.spec.Once() {
			next = "下一次：" + schedule.Date(m.Next[0], d.Lang) + "。"
		}
		return fmt.Sprintf("%s：**%s**（%s）。%s", verb, m.When, m.Zone, next)
	}
	if !m.spec.Once() {
		next = " Next on " + schedule.Date(m.Next[0], d.Lang) + "."
	}
	return fmt.Sprintf("%s: **%s** (%s).%s", verb, m.When, m.Zone, next)
}

// own returns a job that its viewer may change, be it a deleted one.
func (p planner) own(ctx context.Context, viewer, job string) (scheduler.Job, error) {
	j, err := p.jobs.Job(ctx, job)
	stranger := viewer == "" || len(p.users) > 0 && !slices.Contains(p.users, viewer)
	switch {
	case errors.Is(err, scheduler.ErrNoJob), err == nil && (stranger || j.Owner != viewer && !p.admin(viewer)):
		return scheduler.Job{}, fmt.Errorf("%w: %s", bot.ErrNoSchedule, job)
	case err != nil:
		return scheduler.Job{}, err
	}
	return j, nil
}

// alive is own without what is deleted.
func (p planner) alive(ctx context.Context, viewer, job string) (scheduler.Job, error) {
	j, err := p.own(ctx, viewer, job)
	if err == nil && j.State == scheduler.Deleted {
		err = fmt.Errorf("%w: %s is deleted", bot.ErrNoSchedule, job)
	}
	return j, err
}

// Draft implements bot.Planner. When is in words, if these are read as what they say.
func (p planner) Draft(ctx context.Context, viewer, job, lang string) (bot.Draft, error) {
	j, err := p.alive(ctx, viewer, job)
	if err != nil {
		return bot.Draft{}, err
	}
	d := bot.Draft{Job: j.ID, What: j.Request, When: j.Spec, Zone: j.Zone, Lang: lang}
	if j.To != "" {
		to, err := bot.ParsePlace(j.To)
		if err != nil {
			return bot.Draft{}, fmt.Errorf("target of job %s: %w", j.ID, err)
		}
		d.To = to.Channel
	}
	s, err := calendar.Parse(j.Spec)
	if err != nil {
		return bot.Draft{}, fmt.Errorf("schedule of job %s: %w", j.ID, err)
	}
	said := d
	said.When = phrase.Say(s, lang)
	if m, err := p.read(said); err == nil && sameTimes(m.spec, s, p.now(), m.loc) {
		d.When = said.When
	}
	return d, nil
}

// sameTimes reports whether two schedules are said alike and come round at the same
// times: "MON" and "1" are one day of the week.
func sameTimes(a, b calendar.Schedule, now time.Time, loc *time.Location) bool {
	const enough = 50
	times := func(s calendar.Schedule) (out []int64) {
		for _, t := range s.NextN(now, loc, enough) {
			out = append(out, t.At.Unix())
		}
		return out
	}
	return phrase.Say(a, "en") == phrase.Say(b, "en") && slices.Equal(times(a), times(b))
}

// Pause implements bot.Planner.
func (p planner) Pause(ctx context.Context, viewer, job string) error {
	return p.set(ctx, viewer, job, scheduler.Paused)
}

// Resume implements bot.Planner.
func (p planner) Resume(ctx context.Context, viewer, job string) error {
	return p.set(ctx, viewer, job, scheduler.Active)
}

// Delete implements bot.Planner.
func (p planner) Delete(ctx context.Context, viewer, job string) error {
	return p.set(ctx, viewer, job, scheduler.Deleted)
}

func (p planner) set(ctx context.Context, viewer, job string, to scheduler.State) error {
	j, err := p.own(ctx, viewer, job)
	if err == nil && p.may != nil && !p.may(ctx, viewer) {
		err = fmt.Errorf("%w: %s", bot.ErrNoSchedule, job)
	}
	switch {
	case errors.Is(err, bot.ErrNoSchedule) && p.refused != nil:
		key := fmt.Sprintf("%s/%s/%s/%d", viewer, job, to, p.now().Unix())
		return errors.Join(err, p.refused(ctx, bot.Refusal{Key: key, Who: viewer, Try: "job " + string(to), About: job}))
	case err != nil:
		return err
	case j.State == to:
		return nil
	case j.State == scheduler.Deleted, j.State == scheduler.Ended && to != scheduler.Deleted:
		return fmt.Errorf("%w: %s is %s", bot.ErrNoSchedule, job, j.State)
	}
	_, err = setState(ctx, p.jobs.By(viewer), j, to, p.now())
	return err
}

// setState pauses, resumes or deletes a job.
func setState(ctx context.Context, jobs store.Jobs, j scheduler.Job, to scheduler.State, now time.Time) (scheduler.Job, error) {
	if to == scheduler.Active {
		j.Since = now // what was due while it was paused stays undone
	}
	j.State = to
	j, err := jobs.Update(ctx, j)
	if err != nil {
		return j, fmt.Errorf("change job %s: %w", j.ID, err)
	}
	return j, nil
}
