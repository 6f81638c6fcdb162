package web

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/bot"
)

// pulse is what the script asks now and then: how many approvals wait, and by its
// status whether the visitor is still let in.
func (c *Console) pulse(w http.ResponseWriter, r *http.Request, v visit) {
	writeJSON(w, http.StatusOK, map[string]any{"mine": c.mine(r, v)})
}

// showDesk writes a page beside chat, or its list alone for the script.
func (c *Console) showDesk(w http.ResponseWriter, r *http.Request, v visit, name string, body any) {
	if r.URL.Query().Get("part") == "list" {
		c.write(w, r, v.lang, http.StatusOK, name, "list", body)
		return
	}
	f := c.frame(r, v)
	f.Page, f.Title, f.Body = name, v.T("nav."+name), body
	if name == "run" {
		f.Page, f.Title = "runs", v.T("run.title")
	}
	f.Refresh = r.URL.Path + "?part=list"
	c.show(w, r, v, http.StatusOK, name, f)
}

type questionView struct {
	DOM, V, ID, Asker, Where, WhereURL string
	Initial                            string
	Hue                                int
	HTML                               template.HTML
	Record                             bot.Record
	Choices                            []choiceView
	Expires                            when
	Left                               string
	Mine                               bool
	CSRF, Nonce                        string
}

func (c *Console) approvals(w http.ResponseWriter, r *http.Request, v visit) {
	qs, err := c.desk.Questions(r.Context(), v.person)
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	for i := range qs {
		qs[i].Mine = qs[i].Mine && v.speaks()
	}
	slices.SortStableFunc(qs, func(a, b bot.OpenQuestion) int {
		return cmp.Compare(order(a.Mine), order(b.Mine))
	})
	body := []questionView{}
	for _, q := range qs {
		qv := questionView{
			DOM: "q-" + slug(q.ID), ID: q.ID, Asker: c.NameOf(q.Asker), HTML: c.render(v, q.Text), Record: q.Record,
			Expires: v.when(q.Expires), Mine: q.Mine, CSRF: c.door.token(v.session), Nonce: newNonce(c.now()),
		}
		qv.Initial, qv.Hue = initial(qv.Asker), hue(q.Asker)
		qv.Where, qv.WhereURL = c.where(v, q.Home)
		if !q.Expires.IsZero() {
			qv.Left = v.until(c.now(), q.Expires)
		}
		qv.Choices = c.choices(v, q.ID, q.Choices)
		stable := qv
		stable.Nonce, stable.CSRF = "", ""
		qv.V = hashOf(stable)
		body = append(body, qv)
	}
	c.showDesk(w, r, v, "approvals", body)
}

func order(mine bool) int {
	if mine {
		return 0
	}
	return 1
}

func (c *Console) render(v visit, md string) template.HTML {
	return render(md, c.sees(v))
}

// sees reports of a room's id whether the visitor sees it.
func (c *Console) sees(v visit) func(string) bool {
	return func(id string) bool {
		r, ok := c.home.room(id)
		return ok && r.owner == "" && v.user.sees(r)
	}
}

// where names a place, and where its page is if the visitor may see it.
func (c *Console) where(v visit, p bot.Place) (name, link string) {
	room, ok := c.room(p)
	switch {
	case !ok && p.Platform != platform:
		return p.Platform, ""
	case !ok || !v.user.sees(room):
		return v.T("where.elsewhere"), ""
	case room.owner != "":
		return v.T("where.direct"), pathOf(room.ID, "")
	default:
		return "#" + room.ID, pathOf(room.ID, threadSlug(p.Thread))
	}
}

// until says how long something is open still.
func (v visit) until(now, t time.Time) string {
	d := t.Sub(now)
	switch {
	case d <= 0:
		return v.T("until.over")
	case d < time.Hour:
		return counted(v.lang, "until.minutes", int(d.Minutes())+1)
	case d < 48*time.Hour:
		return counted(v.lang, "until.hours", int(d.Hours()))
	default:
		return counted(v.lang, "until.days", int(d.Hours()/24))
	}
}

type jobView struct {
	DOM, V, ID, Name, When, Zone, To, Owner, State, Grant string
	StateWord                                             string
	Next                                                  []string
	Slots                                                 []slotView
	Say                                                   []sayView
}

// A sayView is something to say to the bot: a link opens the composer with it.
type sayView struct{ Text, URL string }

type slotView struct {
	Nominal, State, StateWord, Reason, Period, Run, Link string
	At                                                   when
}

// nextShown is how many coming dates a schedule shows.
const nextShown = 5

func (c *Console) schedules(w http.ResponseWriter, r *http.Request, v visit) {
	jobs, err := c.desk.Jobs(r.Context(), v.person)
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	body := []jobView{}
	for _, j := range jobs {
		jv := jobView{
			DOM: "j-" + slug(j.ID), ID: j.ID, Name: j.Name, When: j.When, Zone: j.Zone, To: j.To, Owner: c.NameOf(j.Owner),
			State: j.State, StateWord: v.state(j.State), Grant: v.granted(j),
		}
		zone, err := time.LoadLocation(j.Zone)
		if err != nil {
			zone = v.zone
		}
		for _, t := range j.Next[:min(len(j.Next), nextShown)] {
			jv.Next = append(jv.Next, v.date(t.In(zone)))
		}
		for _, s := range j.Slots {
			sv := slotView{Nominal: s.Nominal, State: s.State, StateWord: v.state(s.State), Reason: s.Reason, Period: s.Period, At: v.when(s.At)}
			if s.Trace != "" {
				sv.Run = "/runs/" + url.PathEscape(s.Trace)
			}
			if _, ok := safeLink(s.Link); ok {
				sv.Link = s.Link
			}
			jv.Slots = append(jv.Slots, sv)
		}
		words := []string{"say.pause", "say.delete"}
		if !v.speaks() {
			words = nil
		}
		if j.State == "paused" && v.speaks() {
			words[0] = "say.resume"
		}
		for _, key := range words {
			text := fmt.Sprintf(v.T(key), j.ID)
			jv.Say = append(jv.Say, sayView{text, pathOf(v.user.dm().ID, "") + "?say=" + url.QueryEscape(text)})
		}
		jv.V = hashOf(jv)
		body = append(body, jv)
	}
	c.showDesk(w, r, v, "schedules", body)
}

// granted says what a schedule may do without being asked for.
func (v visit) granted(j bot.JobView) string {
	switch g := j.Grant; {
	case g == nil:
		return v.T("schedules.nogrant")
	case g.Once:
		return v.T("schedules.once")
	default:
		until := g.Until.Format("2 Jan 2006")
		if v.lang == "zh" {
			until = g.Until.Format("2006年1月2日")
		}
		return fmt.Sprintf(v.T("schedules.until"), until, g.Left, g.Max)
	}
}

// date returns a time with its day and zone, as the schedule has them.
func (v visit) date(t time.Time) string {
	if v.lang == "zh" {
		return t.Format("2006年1月2日 ") + zhDays[t.Weekday()] + t.Format(" 15:04 MST")
	}
	return t.Format("Mon 2 Jan 2006, 15:04 MST")
}

// state returns the word of a state, which is shown as it is if we have none.
func (v visit) state(s string) string {
	if w, ok := lookup(v.lang, "state."+s); ok {
		return w
	}
	return s
}

type runView struct {
	DOM, V, Trace, URL, Asker, Initial, Text, State, StateWord, Model, Where, WhereURL string
	Hue, Steps                                                                         int
	Created                                                                            when
	Day, Took, Tokens                                                                  string
	Goal                                                                               []tickView
}

// A tickView is something that had to be done.
type tickView struct{ Mark, Text string }

// runsShown is how many runs the list has.
const runsShown = 100

func (c *Console) runs(w http.ResponseWriter, r *http.Request, v visit) {
	rs, err := c.desk.Runs(r.Context(), v.person, runsShown)
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	body := []runView{}
	for _, rv := range rs {
		body = append(body, c.runView(v, rv))
	}
	spent, err := c.spent(r, v)
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	came, err := c.came(r, v)
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	c.showDesk(w, r, v, "runs", runsBody{spent, came, body})
}

func (c *Console) runView(v visit, rv bot.RunView) runView {
	out := runView{
		DOM: "r-" + slug(rv.Trace), Trace: rv.Trace, URL: "/runs/" + url.PathEscape(rv.Trace), Asker: c.NameOf(rv.Asker),
		Text: rv.Text, State: rv.State, StateWord: v.state(cmp.Or(rv.Status, rv.State)), Model: rv.Model, Steps: rv.Steps,
		Created: v.when(rv.Created), Day: v.day(rv.Created, c.now()),
	}
	if short := rv.Fate.Short(v.lang); short != "" && cmp.Or(rv.Status, rv.State) == "done" {
		out.StateWord, out.State = short, "undone" // what the thread calls not done is not done here either
	}
	out.Initial, out.Hue = initial(out.Asker), hue(rv.Asker)
	out.Where, out.WhereURL = c.where(v, rv.Home)
	if d := rv.Updated.Sub(rv.Created); d > 0 {
		out.Took = took(d)
	}
	if rv.In+rv.Out > 0 {
		out.Tokens = thousands(rv.In) + " → " + thousands(rv.Out)
	}
	for _, g := range rv.Goal {
		out.Goal = append(out.Goal, tickView{g.Mark, bot.GoalWord(v.lang, g)})
	}
	out.V = hashOf(out)
	return out
}

type runBody struct {
	Run   runView
	Steps []stepView
}

type stepView struct {
	DOM, V             string
	N                  int
	Said               template.HTML
	Tool, Call, Result string
	Failed             bool
	Took, Under        string
	Long               bool
}

// longResult is how many characters of a result stand open on the page.
const longResult = 600

func (c *Console) run(w http.ResponseWriter, r *http.Request, v visit) {
	rv, steps, err := c.desk.Run(r.Context(), v.person, r.PathValue("trace"))
	if err != nil {
		c.log.Warn("run not shown", "run", r.PathValue("trace"), "err", err)
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	body := runBody{Run: c.runView(v, rv)}
	for _, s := range steps {
		sv := stepView{
			DOM: "s-" + strconv.Itoa(s.N) + "-" + slug(s.Call), N: s.N, Result: s.Result, Failed: s.Failed && s.Ruling != bot.Denied && s.Ruling != bot.Returned, Under: c.ruled(v, s),
			Long: len(s.Result) > longResult,
		}
		if strings.TrimSpace(s.Said) != "" {
			sv.Said = c.render(v, s.Said)
		}
		sv.Tool, sv.Call, _ = strings.Cut(strings.TrimSpace(s.Call), " ")
		if i := strings.IndexAny(sv.Tool, "({"); i > 0 {
			sv.Tool, sv.Call = s.Call[:i], s.Call[i:]
		}
		if s.Took > 0 {
			sv.Took = took(s.Took)
		}
		sv.V = hashOf(sv)
		body.Steps = append(body.Steps, sv)
	}
	c.showDesk(w, r, v, "run", body)
}

// ruled says whose word a step came under.
func (c *Console) ruled(v visit, s bot.StepView) string {
	if s.Ruling == "" || s.By == "" {
		return ""
	}
	return fmt.Sprintf(v.T("run."+string(s.Ruling)), c.NameOf(s.By))
}

func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	default:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

type factView struct {
	DOM, V, ID, Text, Link, Status, StatusWord string
	At                                         when
	Day                                        string
}

func (c *Console) memory(w http.ResponseWriter, r *http.Request, v visit) {
	fs, err := c.desk.Facts(r.Context(), v.person)
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	body := memoryBody{Speaks: v.speaks(), Forget: pathOf(v.user.dm().ID, "") + "?say=" + url.QueryEscape(v.T("say.forget"))}
	for _, f := range fs {
		fv := factView{
			DOM: "f-" + slug(f.ID), ID: f.ID, Text: f.Text, Status: f.Status, StatusWord: v.state(f.Status),
			At: v.when(f.At), Day: v.day(f.At, c.now()),
		}
		if _, ok := safeLink(f.Link); ok {
			fv.Link = f.Link
		}
		fv.V = hashOf(fv)
		body.Facts = append(body.Facts, fv)
	}
	c.showDesk(w, r, v, "memory", body)
}

type memoryBody struct {
	Facts  []factView
	Forget string
	Speaks bool
}
