package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"hermes/agent/tool"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// changeArgs name a job and what becomes of it.
type changeArgs struct {
	Job    string `json:"job" jsonschema:"id or name"`
	Action string `json:"action" tool:"enum=pause|resume|delete"`
}

// change sets the state of a job.
type change struct{ Parts }

var _ tool.Planner = change{}

// changeName is what a model calls it by.
const changeName = "schedule_change"

func (change) Spec() tool.Spec {
	return tool.Spec{
		Name: changeName, Description: "Pause, resume or delete a schedule, if asked to.",
		Schema: tool.SchemaOf[changeArgs](), Output: tool.OutputOf[planned](), Effect: tool.Keep, Words: words, IDs: ids,
		Standing: []string{"job", "action"}, Open: []string{"job"},
		Version: 2, Changes: []tool.Change{{Version: 2, To: "action", Note: "each action was a tool of its own"}},
		Formerly: map[string]json.RawMessage{
			"schedule_pause":  json.RawMessage(`{"action":"pause"}`),
			"schedule_resume": json.RawMessage(`{"action":"resume"}`),
			"schedule_delete": json.RawMessage(`{"action":"delete"}`),
		},
	}
}

// actions are the states that the actions lead to, with the verbs of a card.
var actions = map[string]struct {
	to     scheduler.State
	en, zh string
}{
	"pause":  {scheduler.Paused, "Pause", "暂停"},
	"resume": {scheduler.Active, "Resume", "恢复"},
	"delete": {scheduler.Deleted, "Delete", "删除"},
}

// read takes the arguments apart; fault is what the model can mend.
func (change) read(args json.RawMessage) (in changeArgs, to scheduler.State, fault string) {
	in, err := tool.Decode[changeArgs](args)
	if err != nil {
		return in, "", fmt.Sprintf("arguments of %s: %v", changeName, err)
	}
	a, ok := actions[in.Action]
	if !ok {
		return in, "", fmt.Sprintf("%q is none of pause, resume and delete", in.Action)
	}
	return in, a.to, ""
}

// Plan implements tool.Planner.
func (t change) Plan(ctx context.Context, c tool.Call) (tool.Plan, error) {
	in, to, fault := t.read(c.Args)
	if fault != "" {
		return tool.Plan{Fault: fault}, nil
	}
	seen, err := visible(ctx, t.Book, c)
	if err != nil {
		return tool.Plan{}, err
	}
	j, fault := pick(seen, in.Job, c.Lang)
	switch {
	case fault != "":
		return tool.Plan{Fault: fault}, nil
	case j.Owner != c.Asker && !t.Admin(c.Asker):
		return tool.Plan{Fault: fmt.Sprintf(in2(c.Lang, "schedule %s belongs to somebody else; its owner or an admin can change it", "定时任务 %s 是别人的；只有它的主人或管理员可以修改"), j.ID)}, t.refuse(ctx, c, j.ID)
	case j.State == to:
		return tool.Plan{Fault: fmt.Sprintf(in2(c.Lang, "schedule %s (%s) is %s already", "定时任务 %s（%s）本来就是：%s"), j.ID, j.Name, stateIn(c.Lang, j.State))}, nil
	case to == scheduler.Active && t.Gone != nil:
		if why, err := t.Gone(ctx, c, j); err != nil || why != "" {
			return tool.Plan{Fault: why}, err
		}
	}
	args, err := json.Marshal(changeArgs{Job: j.ID, Action: in.Action})
	if err != nil {
		return tool.Plan{}, fmt.Errorf("encode plan: %w", err)
	}
	return tool.Plan{Args: args, Lines: []string{changeLine(in.Action, j, c.Lang)}, Diff: []tool.Diff{stateDiff(j.State, to, c.Lang)}, Own: j.Owner == c.Asker, Final: to == scheduler.Deleted}, nil
}

// stateDiff says a change of state to a person.
func stateDiff(was, to scheduler.State, lang string) tool.Diff {
	return tool.Diff{What: in2(lang, "State", "状态"), Was: stateIn(lang, was), Is: stateIn(lang, to)}
}

// stateIn is a state in a language.
func stateIn(lang string, s scheduler.State) string {
	if lang != "zh" {
		return string(s)
	}
	return map[scheduler.State]string{scheduler.Active: "运行中", scheduler.Paused: "已暂停", scheduler.Deleted: "已删除", scheduler.Ended: "已结束"}[s]
}

// changeLine says a change to a person.
func changeLine(action string, j scheduler.Job, lang string) string {
	say := j.Spec
	if s, err := calendar.Parse(j.Spec); err == nil {
		say = phrase.Say(s, lang)
	}
	if lang == "zh" {
		return fmt.Sprintf("%s定时任务 **%s**：“%s”，%s", actions[action].zh, j.ID, j.Name, say)
	}
	return fmt.Sprintf("%s the schedule **%s**: “%s”, %s", actions[action].en, j.ID, j.Name, say)
}

// Run implements tool.Tool. Its arguments are those of a Plan.
func (t change) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	in, to, fault := t.read(c.Args)
	if fault != "" {
		return tool.Fail("%s", fault), nil
	}
	j, err := t.Book.Job(ctx, in.Job)
	switch {
	case errors.Is(err, scheduler.ErrNoJob), err == nil && j.State == scheduler.Deleted && to != scheduler.Deleted:
		return tool.Fail("there is no schedule %s any more", in.Job), nil
	case err != nil:
		return tool.Result{}, fmt.Errorf("job %s: %w", in.Job, err)
	}
	j.State = to
	if to == scheduler.Active {
		// What was due while it was paused stays undone.
		j.Since = t.Now()
	}
	return t.update(ctx, c, j)
}

// update keeps a job that was changed for the asker of a Call, and says what it is then.
func (p Parts) update(ctx context.Context, c tool.Call, j scheduler.Job) (tool.Result, error) {
	is, err := p.by(c).Update(ctx, j)
	switch {
	case errors.Is(err, scheduler.ErrAltered):
		return tool.Fail(altered(c.Lang), j.ID), nil
	case err != nil:
		return tool.Result{}, fmt.Errorf("change job %s: %w", j.ID, err)
	}
	said, err := describe(is, p.Now(), c.Lang)
	if err != nil {
		return tool.Result{}, err
	}
	return tool.JSON(said)
}

// altered says why a schedule can only be deleted.
func altered(lang string) string {
	return in2(lang, "the schedule %s was changed in my database, and not by me: it is paused and can only be deleted; then make it anew",
		"定时任务 %s 在我的数据库里被改动过，不是我改的：它已暂停，只能删除；请删除后重新创建")
}

// listArgs are none.
type listArgs struct{}

type listed struct {
	Jobs []planned `json:"jobs"`
}

// list shows the asker's jobs and those of the channel.
func list(p Parts) tool.Tool {
	return tool.NewTyped(tool.Spec{
		Name: "schedule_list", Effect: tool.Read, Words: words, IDs: ids,
		Description: "List schedules here to find one; it changes nothing.",
	}, func(ctx context.Context, c tool.Call, _ listArgs) (listed, error) {
		jobs, err := visible(ctx, p.Book, c)
		if err != nil {
			return listed{}, err
		}
		out := listed{[]planned{}}
		for _, j := range jobs {
			d, err := describe(j, p.Now(), c.Lang)
			if err != nil {
				return listed{}, err
			}
			if j.Owner != c.Asker {
				d.Owner = j.Owner
			}
			out.Jobs = append(out.Jobs, d)
		}
		return out, nil
	})
}

// visible returns the jobs that the asker owns, and those that answer in or post to
// the channel of the call: who can read there sees them anyway.
func visible(ctx context.Context, book Book, c tool.Call) ([]scheduler.Job, error) {
	all, err := book.Jobs(ctx)
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	var seen []scheduler.Job
	for _, j := range all {
		if j.Owner == c.Asker || sameChannel(j.Origin, c.Home) || sameChannel(j.To, c.Home) {
			seen = append(seen, j)
		}
	}
	return seen, nil
}

// sameChannel compares places without their thread.
func sameChannel(a, b string) bool {
	cut := func(p string) string { return p[:max(0, strings.LastIndexByte(p, '/'))] }
	return a != "" && cut(a) == cut(b)
}

// pick finds the one job that words mean.
func pick(jobs []scheduler.Job, words, lang string) (scheduler.Job, string) {
	if len(jobs) == 0 {
		return scheduler.Job{}, in2(lang, "there are no schedules here", "这里没有定时任务")
	}
	for _, j := range jobs {
		if strings.EqualFold(j.ID, strings.TrimSpace(words)) {
			return j, ""
		}
	}
	// Who says a whole name means it, be there others that begin so.
	var exact []scheduler.Job
	for _, j := range jobs {
		if strings.EqualFold(strings.TrimSpace(j.Name), strings.TrimSpace(words)) {
			exact = append(exact, j)
		}
	}
	if len(exact) == 1 {
		return exact[0], ""
	}
	fits, named := inRhythm(jobs, words)
	if len(fits) > 0 {
		jobs = fits
	}
	var best []scheduler.Job
	most := 0
	for _, j := range jobs {
		n := shared(words, j.Name+" "+j.Request+" "+j.ToName)
		switch {
		case n > most:
			best, most = []scheduler.Job{j}, n
		case n == most && n > 0:
			best = append(best, j)
		}
	}
	switch {
	case len(best) == 1:
		return best[0], ""
	case len(jobs) == 1 && most == 0 && !namesID(words) && (len(fits) > 0 || !named):
		// "pause it", "pause the report", "pause the monthly one": there is only one.
		return jobs[0], ""
	case len(best) == 0:
		best = jobs
	}
	var ids []string
	for _, j := range best {
		ids = append(ids, fmt.Sprintf("%s (%s)", j.ID, j.Name))
	}
	return scheduler.Job{}, fmt.Sprintf(in2(lang, "%q could be any of %s; say its id", "“%s”可能是其中任何一个：%s；请写它的编号"), words, strings.Join(ids, ", "))
}

// rhythms are the words by which schedules are called after how often they come.
var rhythms = map[calendar.Unit]*regexp.Regexp{
	calendar.Day:     regexp.MustCompile(`(?i)\b(?:daily|(?:every|each) day)\b|每[天日]`),
	calendar.Week:    regexp.MustCompile(`(?i)\b(?:weekly|(?:every|each) week)\b|每个?(?:周|星期|礼拜)`),
	calendar.Month:   regexp.MustCompile(`(?i)\b(?:monthly|(?:every|each) month)\b|每个?月`),
	calendar.Quarter: regexp.MustCompile(`(?i)\b(?:quarterly|(?:every|each) quarter)\b|每个?季`),
	calendar.Year:    regexp.MustCompile(`(?i)\b(?:yearly|annual|(?:every|each) year)\b|每年`),
}

// inRhythm are the jobs that come as often as words say; named, whether they say that.
func inRhythm(jobs []scheduler.Job, words string) (found []scheduler.Job, named bool) {
	for _, p := range rhythms {
		named = named || p.MatchString(words)
	}
	for _, j := range jobs {
		s, err := calendar.Parse(j.Spec)
		if err != nil {
			continue
		}
		unit, n := s.Cycle()
		if p := rhythms[unit]; p != nil && n == 1 && !s.Once() && p.MatchString(words) {
			found = append(found, j)
		}
	}
	return found, named
}

// namesID reports whether words are an id, of a job that is not there.
func namesID(words string) bool {
	w := strings.TrimSpace(words)
	return len(w) == 9 && w[0] == 'j' && strings.Trim(w[1:], "0123456789abcdef") == ""
}

// common are words that every schedule could be called by.
var common = map[string]bool{
	"the": true, "a": true, "my": true, "our": true, "report": true, "reports": true, "schedule": true, "job": true,
	"it": true, "that": true, "this": true, "monthly": true, "weekly": true, "daily": true, "to": true, "of": true, "for": true,
	"报": true, "告": true, "定": true, "时": true, "任": true, "务": true, "这": true, "个": true, "那": true, "的": true,
}

// shared counts the words of a that are in b. A Han character is a word.
func shared(a, b string) int {
	known := map[string]bool{}
	for _, w := range split(b) {
		known[w] = true
	}
	n := 0
	for _, w := range split(a) {
		if known[w] && !common[w] {
			n++
		}
	}
	return n
}

func split(s string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = nil
		}
	}
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.Is(unicode.Han, r):
			flush()
			words = append(words, string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r):
			word = append(word, r)
		default:
			flush()
		}
	}
	flush()
	return words
}
