// Package schedule has the tools to plan jobs and to change them. Where a job
// answers, whose it is and what it may post comes from the call and the artifact,
// never from the model.
//
// What a newcomer would break: a scheduled run never makes schedules. None of these
// tools is Unattended.
package schedule

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/playbook"
	"hermes/agent/tool"
	"hermes/agent/tool/post"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// A Book keeps jobs.
type Book interface {
	Add(context.Context, scheduler.Job) error
	Update(context.Context, scheduler.Job) (scheduler.Job, error)
	Job(ctx context.Context, id string) (scheduler.Job, error)
	Jobs(context.Context) ([]scheduler.Job, error)
}

// Parts are what the tools are made of.
type Parts struct {
	Book Book
	// By is the Book in which what is changed is changed by a person. nil: Book.
	By func(person string) Book
	// Refused is told of a job that the asker of a Call may not change; it may be told
	// again. nil: nobody is told.
	Refused   func(ctx context.Context, c tool.Call, job string) error
	Artifacts tool.Artifacts
	Find      post.Finder
	Admin     func(person string) bool // may change other people's jobs
	// DaysOff are the holidays of this place as they are known at a time; nil: nobody has
	// said which days those are, and a schedule that excepts them is refused.
	DaysOff func(now time.Time) (*calendar.Holidays, error)
	// Audience is asked before anybody is. nil: anybody may read anything.
	Audience Audience
	Now      func() time.Time
	// Saved returns the saved report that the asker of a Call means by a name; an
	// *tool.Error of type InputError if there is none that they may run. nil: there are none.
	Saved func(ctx context.Context, c tool.Call, name string) (playbook.Kept, error)
	// Heir finds whom words of an admin mean who shall have a job; why says what is wrong
	// with it. nil: jobs stay whose they are.
	Heir func(ctx context.Context, c tool.Call, j scheduler.Job, words string) (to Heir, why string, err error)
	// Gone says, in the language of the Call, why a job cannot go on: its owner, or who has
	// allowed what it posts, is here no more. nil: everybody is.
	Gone func(ctx context.Context, c tool.Call, j scheduler.Job) (why string, err error)
	// Uses is how often what is allowed with a schedule may be used. 0: GrantSlots.
	Uses int
	// NameOf is how people call a person. nil: by their id.
	NameOf func(person string) string
}

// An Audience says why a job could not do what is planned for it, in the language of the
// Call; nothing if it may: its owner may not have in a slot what the request is about, or
// that may not be read in the channel. The report is one like those that it will make, if
// there is one, and to the channel, if it posts to one.
type Audience func(ctx context.Context, c tool.Call, request string, report tool.Artifact, to post.Target) (why string, err error)

// by is the Book in which the asker of a Call changes something.
func (p Parts) by(c tool.Call) Book {
	if p.By == nil {
		return p.Book
	}
	return p.By(c.Asker)
}

// refuse tells of a job that is not the asker's.
func (p Parts) refuse(ctx context.Context, c tool.Call, job string) error {
	if p.Refused == nil {
		return nil
	}
	if err := p.Refused(ctx, c, job); err != nil {
		return fmt.Errorf("job %s of somebody else: %w", job, err)
	}
	return nil
}

// New returns the tools.
func New(p Parts) []tool.Tool {
	return []tool.Tool{add{p}, list(p), change{p}, set{p}}
}

// A grant given with a schedule lives that many slots, or that many months,
// whichever ends first: a year of monthly reports, and then somebody looks again.
const (
	GrantSlots  = 12
	grantMonths = 13
)

// words are what people say of schedules.
var words = []string{
	"schedule", "every", "daily", "weekly", "monthly", "remind", "reminder", "job", "cron", "recurring",
	"定时", "每天", "每周", "每月", "提醒", "计划", "任务", "暂停", "恢复", "取消",
}

// addArgs are what the model may say of a job.
type addArgs struct {
	When    string `json:"when" jsonschema:"in their words, or cron"`
	Request string `json:"request" jsonschema:"what to do, without when"`
	Channel string `json:"channel,omitempty" jsonschema:"to post to; else here"`
	Report  string `json:"report,omitempty" jsonschema:"id of one like it; needed with channel" tool:"alias=artifact"`
	Name    string `json:"name,omitempty" jsonschema:"short" tool:"content"`
}

// resolved is what is approved and run.
type resolved struct {
	Job     string `json:"job"`
	Name    string `json:"name"`
	Spec    string `json:"spec"`
	Zone    string `json:"zone"`
	Request string `json:"request"`
	To      string `json:"to,omitempty"` // place
	Channel string `json:"channel,omitempty"`
	Report  string `json:"report,omitempty"`
	Recipe  string `json:"recipe,omitempty"`
	Saved   string `json:"saved_report,omitempty"`
	Hash    string `json:"hash,omitempty"` // of that
	About   string `json:"about,omitempty"`
	// Policy is that of the saved report.
	Policy scheduler.Wishes `json:"policy,omitzero"`
}

type add struct{ Parts }

var _ tool.Planner = add{}

func (add) Spec() tool.Spec {
	return tool.Spec{
		Name:        AddName,
		Description: "Do a request again, or once later, at set times; not now.",
		Schema:      tool.SchemaOf[addArgs](),
		Aliases:     tool.AliasesOf[addArgs](),
		Content:     tool.ContentOf[addArgs](),
		IDs:         ids,
		Output:      tool.OutputOf[planned](),
		Effect:      tool.Keep,
		Words:       words,
	}
}

// Plan implements tool.Planner.
func (t add) Plan(ctx context.Context, c tool.Call) (tool.Plan, error) {
	in, err := tool.Decode[addArgs](c.Args)
	if err != nil {
		return tool.Plan{Fault: fmt.Sprintf("arguments of schedule_add: %v", err)}, nil
	}
	loc, err := time.LoadLocation(c.Zone)
	if err != nil {
		return tool.Plan{}, fmt.Errorf("zone of the asker: %w", err)
	}
	book, fault, err := t.book(ctx, c, in)
	if err != nil || fault != "" {
		return tool.Plan{Fault: fault}, err
	}
	if book != nil {
		in.Request, in.Channel = runsIt(book.Name, c.Lang), cmp.Or(in.Channel, book.Post)
		in.Name = cmp.Or(in.Name, book.Called(c.Lang))
	}
	if strings.TrimSpace(in.Request) == "" {
		return tool.Plan{Fault: in2(c.Lang, "request is empty: say what to do each time", "没有写要做什么：请写明每次做什么")}, nil
	}
	words, about := aboutIn(in.When)
	sched, fault, err := t.when(words, loc, c.Lang)
	if err != nil || fault != "" {
		return tool.Plan{Fault: fault}, err
	}
	args := resolved{Job: "j" + tool.NewID(c.ID, "job")[1:9], Spec: sched.String(), Zone: c.Zone, Request: in.Request, About: string(about)}
	if args.Name = in.Name; args.Name == "" {
		args.Name = shorten(in.Request)
	}
	plan := tool.Plan{Job: args.Job, Cadence: Cadence(sched, c.Lang)}
	if why := tooOften(book, sched, c.Lang); why != "" {
		return tool.Plan{Fault: why}, nil
	}
	var to post.Target
	if in.Channel != "" {
		to, err = t.Find(ctx, c.Home, in.Channel)
		switch {
		case errors.Is(err, post.ErrNoChannel):
			return tool.Plan{Fault: post.NoChannel(in.Channel, c.Lang)}, nil
		case err != nil:
			return tool.Plan{}, fmt.Errorf("find channel %s: %w", in.Channel, err)
		case !to.Member:
			return tool.Plan{Fault: post.NoMember(to.Name, c.Lang)}, nil
		}
		args.To, args.Channel = to.Place, to.Name
		plan.To, plan.ToName = to.Place, to.Name
	}
	var like tool.Artifact
	if in.Report != "" {
		like, err = t.Artifacts.Artifact(ctx, in.Report)
		switch {
		case errors.Is(err, tool.ErrNoArtifact), err == nil && (like.Kind != tool.Report || like.Run != c.Run):
			return tool.Plan{Fault: fmt.Sprintf(in2(c.Lang, "%q is no report of this request", "“%s”不是这次请求里做的报告"), in.Report)}, nil
		case err != nil:
			return tool.Plan{}, err
		}
		args.Report, args.Recipe = like.ID, like.Recipe
	}
	if t.Audience != nil {
		if why, err := t.Audience(ctx, c, in.Request, like, to); err != nil || why != "" {
			return tool.Plan{Fault: why}, err
		}
	}
	if book != nil {
		args.Policy = book.Policy
		args.Saved, args.Hash, args.Recipe, args.Report = book.Name, book.Hash, playbook.Recipe(book.Hash), ""
	}
	plan.Own = args.To == ""
	if plan.GrantControl = post.Control(args.To, args.Recipe, to.Private); plan.GrantControl != "" {
		plan.GrantTool = post.Name
		plan.Until = until(sched, t.Now(), loc)
	}
	if plan.Args, err = json.Marshal(args); err != nil {
		return tool.Plan{}, fmt.Errorf("encode plan: %w", err)
	}
	plan.Lines = lines(args, sched, t.Now(), loc, c.Lang)
	if book != nil {
		plan.Lines = append(plan.Lines, whichText(*book, c.Lang))
		policy, err := book.Policy.On(scheduler.Policy{})
		if err != nil {
			return tool.Plan{Fault: err.Error()}, nil //nolint:nilerr // it is for who asked
		}
		if say := sayPolicy(policy, c.Lang); say != "" {
			plan.Lines = append(plan.Lines, say)
		}
	}
	if book == nil && args.To != "" && like.Words() {
		plan.Lines = append(plan.Lines, onlyComputed(c.Lang))
	}
	if plan.GrantControl != "" {
		plan.Lines = append(plan.Lines, t.covers(sched, plan.Until, loc, c.Lang))
	}
	if about := sayAbout(scheduler.About(args.About), args.Request, sched, t.Now(), loc, c.Lang); about != "" {
		plan.Lines = append(plan.Lines, about)
	}
	return plan, nil
}

// in2 chooses between the words of two languages: who edits a card reads a Fault too.
func in2(lang, en, zh string) string {
	if lang == "zh" {
		return zh
	}
	return en
}

// book is the saved report that a request asks to run; nil if it asks for something else,
// which a model reads each time.
func (t add) book(ctx context.Context, c tool.Call, in addArgs) (*playbook.Kept, string, error) {
	name, saved, ok := playbook.Wished(in.Request)
	if !ok || t.Saved == nil {
		return nil, "", nil
	}
	k, err := t.Saved(ctx, c, name)
	var none *tool.Error
	switch {
	case errors.As(err, &none) && none.Type == tool.InputError && saved:
		return nil, none.Message, nil
	case errors.As(err, &none) && none.Type == tool.InputError:
		return nil, "", nil // it speaks of no saved one
	case err != nil:
		return nil, "", fmt.Errorf("saved report %s: %w", name, err)
	case !saved && !k.Is(name):
		return nil, "", nil // "the sales report" may be of words as well
	}
	return &k, "", nil
}

// tooOften says that a schedule comes oftener than what its saved report is about: the same
// month would be reported on again and again.
func tooOften(book *playbook.Kept, s calendar.Schedule, lang string) string {
	if book == nil || book.Period == "" || s.Once() {
		return ""
	}
	unit, _ := s.Cycle()
	long := []calendar.Unit{calendar.Minute, calendar.Hour, calendar.Day, calendar.Week, calendar.Month, calendar.Quarter, calendar.HalfYear, calendar.Year}
	if slices.Index(long, unit) >= slices.Index(long, book.Period) {
		return ""
	}
	if lang == "zh" {
		return fmt.Sprintf("报表 %s 按%s统计，这个时间安排比它更密，会反复发同一段时间；请先用 `hermes report edit %s` 改它的 period，或者另存一份", book.Name, string(book.Period), book.Name)
	}
	return fmt.Sprintf("the saved report %s is about a %s, and this schedule comes more often, so the same %s would be sent again and again; change its period with `hermes report edit %s`, or save another one", book.Name, book.Period, book.Period, book.Name)
}

// runsIt says to run a saved report, as people would.
func runsIt(name, lang string) string {
	if lang == "zh" {
		return "运行已保存的报表 " + name
	}
	return "run the saved report " + name
}

// whichText says on a card which text of a saved report is meant: what is allowed for it
// is allowed for no other.
func whichText(k playbook.Kept, lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("已保存的报表 **%s**，第 %d 版（`%s`）；修改后之前的批准即作废", k.Name, k.Version, k.Hash[:12])
	}
	return fmt.Sprintf("The saved report **%s**, version %d (`%s`); once it is changed, what was allowed for it ends", k.Name, k.Version, k.Hash[:12])
}

// onlyComputed says on a card that what a language model has written in a report does not
// come each time: nobody can allow words that are not written yet.
func onlyComputed(lang string) string {
	return in2(lang,
		"Each time it posts what is computed: table, chart, analysis. The model's own title and commentary are left out; to have commentary each time, first press “Save as report” and schedule that",
		"每次只发计算得到的内容：表格、图表和分析；不含模型自己写的标题和评述。如果每次都要评述，请您先点“存为报表”，再为它定时")
}

// sayAbout says which period the slots are about, by the first of them, where that is
// chosen or could be thought to be another; empty where nobody would.
func sayAbout(about scheduler.About, request string, s calendar.Schedule, now time.Time, loc *time.Location, lang string) string {
	next, ok := s.Next(now, loc)
	if !ok || s.Once() || about == "" && !s.AtEnd() {
		return ""
	}
	p := about.For(request, s).Of(s, next.At, loc)
	from, last := p.From.In(loc).Format(time.DateOnly), p.To.In(loc).AddDate(0, 0, -1).Format(time.DateOnly)
	own := p.To.After(next.At)
	switch {
	case lang == "zh" && own:
		return fmt.Sprintf("每次统计当时所在的那段时间；第一次：%s 至 %s（要统计上一段，请说“关于前一个月”）", from, last)
	case lang == "zh":
		return fmt.Sprintf("每次统计之前的那段时间；第一次：%s 至 %s", from, last)
	case own:
		return fmt.Sprintf("Each time about the period that ends then; the first: %s to %s (for the one before say “about the month before”)", from, last)
	}
	return fmt.Sprintf("Each time about the period before; the first: %s to %s", from, last)
}

// covers says on a card which posts a grant that is given with the schedule is for.
func (p Parts) covers(s calendar.Schedule, until time.Time, loc *time.Location, lang string) string {
	n, last := 0, time.Time{}
	for _, t := range s.NextN(p.Now(), loc, min(cmp.Or(p.Uses, GrantSlots), GrantSlots)) {
		if t.At.Before(until) {
			n, last = n+1, t.At.In(loc)
		}
	}
	if lang == "zh" {
		return fmt.Sprintf("如果允许按计划发送，则涵盖接下来的 %d 次，最后一次是 %s；结束前会提醒", n, last.Format("2006年1月2日"))
	}
	if n == 1 {
		return "If allowed for later too, this covers its one post, on " + last.Format("2 Jan 2006")
	}
	return fmt.Sprintf("If allowed for later too, this covers the next %d posts, through %s; people are told before it ends", n, last.Format("2 Jan 2006"))
}

// until is when a grant given together with a schedule ends.
func until(s calendar.Schedule, now time.Time, loc *time.Location) time.Time {
	end := now.In(loc).AddDate(0, grantMonths, 0)
	if next := s.NextN(now, loc, GrantSlots); len(next) == GrantSlots {
		// The day after the last slot, so that a late one is still covered.
		if last := next[GrantSlots-1].At.In(loc).AddDate(0, 0, 1); last.Before(end) {
			end = last
		}
	}
	return end
}

// planLines are the words of a card: when it happens again, or once, and what each
// time, with the target or without.
var planLines = map[string]struct{ again, once, posted, here string }{
	"en": {"Do it again **%s** (%s): next on %s", "Do it **%s** (%s)", "Each time: “%s”, posted to **%s**", "Each time: “%s”, answered here"},
	"zh": {"按计划重复：**%s**（%s），接下来是 %s", "按计划做：**%s**（%s）", "每次做“%s”，发到 **%s**", "每次做“%s”，在这里回答"},
}

// shown is how many dates a person sees before a yes, as in the form for a schedule.
const shown = 5

// lines say the plan to a person.
func lines(a resolved, s calendar.Schedule, now time.Time, loc *time.Location, lang string) []string {
	w, ok := planLines[lang]
	comma := ", "
	if !ok {
		w = planLines["en"]
	}
	if lang == "zh" {
		comma = "、"
	}
	var dates []string
	for _, n := range s.NextN(now, loc, shown) {
		dates = append(dates, Date(n.At.In(loc), lang))
	}
	l := []string{fmt.Sprintf(w.again, phrase.Say(s, lang), a.Zone, strings.Join(dates, comma))}
	if s.Once() {
		l[0] = fmt.Sprintf(w.once, phrase.Say(s, lang), a.Zone)
	}
	if a.Channel != "" {
		return append(l, fmt.Sprintf(w.posted, a.Request, a.Channel))
	}
	return append(l, fmt.Sprintf(w.here, a.Request))
}

// Date says a time in a language, with its day of the week.
func Date(t time.Time, lang string) string {
	if lang == "zh" {
		return t.Format("2006年1月2日") + "（周" + string([]rune("日一二三四五六")[t.Weekday()]) + "）" + t.Format("15:04")
	}
	return t.Format("Mon 2 Jan 2006 15:04")
}

// Cadence is the short name of a schedule's rhythm.
func Cadence(s calendar.Schedule, lang string) string {
	unit, n := s.Cycle()
	names := map[calendar.Unit][2]string{
		calendar.Day: {"daily", "每天"}, calendar.Week: {"weekly", "每周"}, calendar.Month: {"monthly", "每月"},
		calendar.Quarter: {"quarterly", "每季度"}, calendar.Year: {"yearly", "每年"},
	}
	name, ok := names[unit]
	switch {
	case !ok || n != 1 || s.Once():
		return phrase.Say(s, lang)
	case lang == "zh":
		return name[1]
	default:
		return name[0]
	}
}

func shorten(s string) string {
	const most = 60
	r := []rune(strings.TrimSpace(s))
	if len(r) <= most {
		return string(r)
	}
	return strings.TrimSpace(string(r[:most])) + "…"
}

// ids are the properties of planned that nobody but this program writes.
var ids = []string{"job"}

// planned is what the model hears of a job.
type planned struct {
	Job     string   `json:"job"`
	Name    string   `json:"name"`
	Say     string   `json:"say"`
	Zone    string   `json:"zone"`
	Channel string   `json:"channel,omitempty"`
	State   string   `json:"state"`
	Saved   string   `json:"saved_report,omitempty"`
	About   string   `json:"about,omitempty"` // which period, in words
	Owner   string   `json:"owner,omitempty"`
	Policy  string   `json:"policy,omitempty"` // in words; empty: as configured
	Next    []string `json:"next"`             // RFC 3339
}

// Run implements tool.Tool. Its arguments are those of a Plan.
func (t add) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	in, err := tool.Decode[resolved](c.Args)
	if err != nil {
		return tool.Fail("arguments of schedule_add: %v", err), nil
	}
	now := t.Now()
	j := scheduler.Job{
		ID: in.Job, Name: in.Name, Spec: in.Spec, Zone: in.Zone, Request: in.Request,
		Origin: c.Home, To: in.To, ToName: in.Channel, Owner: c.Asker, Lang: c.Lang,
		State: scheduler.Active, Created: now, Since: now, Report: in.Saved, About: scheduler.About(in.About),
	}
	if j.Policy, err = in.Policy.On(j.Policy); err != nil {
		return tool.Fail("%v", err), nil
	}
	p, err := describe(j, now, c.Lang)
	switch {
	case err != nil:
		return tool.Result{}, err
	case len(p.Next) == 0:
		// It was approved later than it was for.
		return tool.Fail("its time, %s, has passed meanwhile, so nothing was scheduled", p.Say), nil
	}
	if err := t.Book.Add(ctx, j); err != nil {
		return tool.Result{}, fmt.Errorf("add job %s: %w", j.ID, err)
	}
	return tool.JSON(p)
}

// describe says a job with its next five times.
func describe(j scheduler.Job, now time.Time, lang string) (planned, error) {
	s, err := calendar.Parse(j.Spec)
	if err != nil {
		return planned{}, fmt.Errorf("schedule of job %s: %w", j.ID, err)
	}
	loc, err := time.LoadLocation(j.Zone)
	if err != nil {
		return planned{}, fmt.Errorf("zone of job %s: %w", j.ID, err)
	}
	p := planned{Job: j.ID, Name: j.Name, Say: phrase.Say(s, lang), Zone: j.Zone, Channel: j.ToName, State: string(j.State), Next: []string{}, Saved: j.Report}
	p.Policy = sayPolicy(j.Policy, lang)
	p.About = sayAbout(j.About, j.Request, s, now, loc, lang)
	if j.State == scheduler.Active {
		for _, n := range s.NextN(now, loc, 5) {
			p.Next = append(p.Next, n.At.In(loc).Format(time.RFC3339))
		}
	}
	return p, nil
}
