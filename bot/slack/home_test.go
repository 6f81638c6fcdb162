package slack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// An office is a Desk and a Planner of which tests say what there is.
type office struct {
	mu        sync.Mutex
	questions map[string][]bot.OpenQuestion // by viewer
	jobs      map[string][]bot.JobView
	runs      map[string][]bot.RunView
	done      []string // what was asked of the Planner
	drafts    []bot.Draft
	refuse    error // of the Planner
	looks     int   // how often somebody's runs were looked up
	preview   func(bot.Draft) (bot.Preview, error)
	changed   chan struct{}
	rested    chan struct{} // a home has become as things are
}

func newOffice() *office {
	return &office{
		questions: map[string][]bot.OpenQuestion{}, jobs: map[string][]bot.JobView{}, runs: map[string][]bot.RunView{},
		changed: make(chan struct{}), rested: make(chan struct{}, 1),
	}
}

// set changes what there is.
func (o *office) set(f func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f()
}

func (o *office) Lines(context.Context, bot.Place, string, int) ([]bot.Line, error) { return nil, nil }
func (o *office) Facts(context.Context, string) ([]bot.FactView, error)             { return nil, nil }
func (o *office) Run(context.Context, string, string) (bot.RunView, []bot.StepView, error) {
	return bot.RunView{}, nil, errors.New("no run")
}

func (o *office) Questions(_ context.Context, viewer string) ([]bot.OpenQuestion, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.questions[viewer]), nil
}

func (o *office) Jobs(_ context.Context, viewer string) ([]bot.JobView, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.jobs[viewer]), nil
}

func (o *office) Runs(_ context.Context, viewer string, n int) ([]bot.RunView, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.looks++
	return slices.Clone(o.runs[viewer][:min(n, len(o.runs[viewer]))]), nil
}

func (o *office) note(what string, d bot.Draft) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done, o.drafts = append(o.done, what), append(o.drafts, d)
	close(o.changed)
	o.changed = make(chan struct{})
	return o.refuse
}

func (o *office) Preview(_ context.Context, viewer string, d bot.Draft) (bot.Preview, error) {
	err := o.note("preview by "+viewer, d)
	o.mu.Lock()
	f := o.preview
	o.mu.Unlock()
	if f != nil {
		return f(d)
	}
	return bot.Preview{}, err
}

func (o *office) Plan(_ context.Context, key string, home bot.Place, viewer string, d bot.Draft) error {
	return o.note(fmt.Sprintf("plan %s at %s by %s", key, home, viewer), d)
}

func (o *office) Draft(_ context.Context, viewer, job, lang string) (bot.Draft, error) {
	return bot.Draft{Job: job, What: "count orders", When: "every Monday at 09:00", Zone: "UTC", To: "C0SALES01", Lang: lang}, o.note("draft "+job+" by "+viewer, bot.Draft{})
}

func (o *office) Pause(_ context.Context, viewer, job string) error {
	return o.note("pause "+job+" by "+viewer, bot.Draft{})
}

func (o *office) Resume(_ context.Context, viewer, job string) error {
	return o.note("resume "+job+" by "+viewer, bot.Draft{})
}

func (o *office) Delete(_ context.Context, viewer, job string) error {
	return o.note("delete "+job+" by "+viewer, bot.Draft{})
}

// asked waits until the Planner was asked for n things, and returns them.
func (o *office) asked(t *testing.T, n int) []string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	for {
		o.mu.Lock()
		done, changed := slices.Clone(o.done), o.changed
		o.mu.Unlock()
		if len(done) >= n {
			return done
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("waited in vain for %d things, there are %q", n, done)
		}
	}
}

func (o *office) last() bot.Draft {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.drafts[len(o.drafts)-1]
}

var ana, leo = bot.Person("slack", fakeslack.Team, anaID), bot.Person("slack", fakeslack.Team, leoID)

// homeRig is a rig with an office, in which ana and leo have something of their own.
func homeRig(t *testing.T, still bool) (*rig, *office) {
	t.Helper()
	o := newOffice()
	room := aRoom("en")
	o.questions[ana], o.jobs[ana], o.runs[ana] = room.Questions, room.Jobs, room.Runs
	o.runs[leo] = []bot.RunView{{Trace: "1e000001", Key: "slack/T0/D9/1.0", Asker: leo, Text: "leo's own words", Status: "done"}}
	r := newRig(t, setup{still: still, office: o, before: func(r *rig) {
		r.s.OnRest(func() {
			select {
			case o.rested <- struct{}{}:
			default: // it is known already
			}
		})
	}})
	r.connected()
	return r, o
}

// opens lets a person look at their home and waits until it holds some words.
func (r *rig) opens(name, words string) fakeslack.View {
	r.t.Helper()
	h := r.fake.Human(name)
	_, err := h.OpenHome()
	r.must(err)
	return r.shown(h, words)
}

func (r *rig) shown(h fakeslack.Human, words string) fakeslack.View {
	r.t.Helper()
	var v fakeslack.View
	r.must(r.fake.Wait(r.ctx(), "a home with "+words, func() bool {
		for _, o := range r.fake.Views() {
			if o.Type == "home" && o.User == h.ID() && strings.Contains(o.Shown(), words) {
				v = o
				return true
			}
		}
		return false
	}))
	return v
}

// Everybody's home shows what is theirs, and nothing of anybody else's.
func TestAHomeShowsWhatIsItsViewers(t *testing.T) {
	r, _ := homeRig(t, false)
	mine := r.opens("ana", "Waiting for you")
	for _, want := range []string{"Sales, October", "every month on the 1st at 09:00", "7f3a0b11", "Waiting for others"} {
		if !strings.Contains(mine.Shown(), want) {
			t.Errorf("ana's home has no %q:\n%s", want, mine.Shown())
		}
	}
	theirs := r.opens("leo", "leo's own words")
	if strings.Contains(theirs.Shown(), "Sales") || strings.Contains(mine.Shown(), "leo's own words") {
		t.Errorf("leo sees:\n%s\nana sees:\n%s", theirs.Shown(), mine.Shown())
	}
	if got := r.opens("gus", "Nothing waits for your decision."); !strings.Contains(got.Shown(), "You have not asked for anything yet") {
		t.Errorf("an empty home:\n%s", got.Shown())
	}
}

// People of elsewhere get one sentence, and nobody's desk is
// looked at for them; a guest sees what is theirs and makes no schedules.
func TestPeopleOfElsewhereHaveNoHomeHere(t *testing.T) {
	r, o := homeRig(t, false)
	r.fake.AddUser(fakeslack.User{ID: "U0EXT0001", Name: "eve", Team: "T0OTHER01"})
	r.fake.AddUser(fakeslack.User{ID: "U0GST0001", Name: "gil", Guest: true})
	eve := bot.Person("slack", fakeslack.Team, "U0EXT0001")
	o.set(func() {
		o.runs[eve] = []bot.RunView{{Trace: "e", Key: "k", Text: "secret"}}
		o.jobs[bot.Person("slack", fakeslack.Team, "U0GST0001")] = aRoom("en").Jobs[:1]
	})
	v := r.opens("eve", "members of this workspace only")
	if strings.Contains(v.Shown(), "secret") || len(v.Buttons()) != 0 || strings.Contains(v.Shown(), "Recent") {
		t.Errorf("who is of elsewhere sees:\n%s", v.Shown())
	}
	o.set(func() {
		if o.looks != 0 {
			t.Errorf("the desk was looked at %d times", o.looks)
		}
	})
	if v = r.opens("gil", "Sales report"); len(v.Buttons()) != 0 {
		t.Errorf("a guest may press %+v", v.Buttons())
	}
	r.fake.Fail(fakeslack.Fault{Method: "users.info", Error: "fatal_error", Times: -1})
	r.fake.AddUser(fakeslack.User{ID: "U0NEW0001", Name: "new"})
	if v = r.opens("new", "who you are"); len(v.Buttons()) != 0 {
		t.Errorf("who is not known may press %+v", v.Buttons())
	}
}

// SLK-03: an approval is pressed in a home as on its card: the Receiver hears who, what and
// when, and the answer goes to the conversation with them. A press comes once.
func TestSLK03AnApprovalIsPressedInAHome(t *testing.T) {
	r, _ := homeRig(t, false)
	v := r.opens("ana", "Waiting for you")
	d, err := r.fake.Human("ana").PressIn(v, "Only now")
	r.must(err)
	r.ears.wait(t, "a click", func() bool { return len(r.ears.clicks) == 1 })
	r.fake.Redeliver(d)
	why, err := r.fake.Human("ana").PressIn(v, button(t, v, "choice:why:slack/T0/D1/2.0"))
	r.must(err)
	r.ears.wait(t, "two clicks", func() bool { return len(r.ears.clicks) == 2 })
	for _, d := range []fakeslack.Delivery{d, why} {
		if _, err := r.fake.WaitAnswer(r.ctx(), d); err != nil {
			t.Error(err)
		}
	}
	for key, c := range r.ears.clicks {
		if !strings.HasPrefix(key, "slack/"+fakeslack.Team+"/home/"+anaID+"/") || c.From != ana || c.At.IsZero() || c.Place.Workspace != fakeslack.Team ||
			c.Place.Channel == "" || c.Place.Thread != "" || !strings.Contains("DU", c.Place.Channel[:1]) {
			t.Errorf("click = %+v", c)
		}
		if asked := c.Question == "slack/T0/C0SALES01/1.0/q1" && c.Choice == "once"; asked == (c.Why == "slack/T0/D1/2.0") {
			t.Errorf("click = %+v", c)
		}
	}
}

// button is the name that a button has in a view, by the name that it has on a card.
func button(t *testing.T, v fakeslack.View, act string) string {
	t.Helper()
	for _, b := range v.Buttons() {
		if strings.HasPrefix(b.ActionID, act+"#") {
			return b.ActionID
		}
	}
	t.Fatalf("there is no %s: %+v", act, v.Buttons())
	return ""
}

// SLK-04: a schedule is paused, resumed and deleted from a home, at once; what one may not is
// said there; and when it cannot be done now Slack sends the press again.
func TestSLK04ASchedulesButtonsDoWhatTheySay(t *testing.T) {
	r, o := homeRig(t, true)
	h := r.fake.Human("ana")
	v := r.opens("ana", "Waiting for you")
	for i, press := range []string{"Pause", "Resume", "Delete"} {
		d, err := h.PressIn(v, press)
		r.must(err)
		_, err = r.fake.WaitAnswer(r.ctx(), d)
		r.must(err)
		want := []string{"pause j1 by " + ana, "resume j2 by " + ana, "delete j1 by " + ana}[i]
		if got := o.asked(t, i+1)[i]; got != want {
			t.Errorf("%s: %s, want %s", press, got, want)
		}
	}
	for _, b := range v.Buttons() {
		if strings.HasPrefix(b.ActionID, "job:") && !slices.Contains([]string{"j1", "j2", "j3"}, b.Value) {
			t.Errorf("the button %+v carries more than an id", b)
		}
	}
	o.set(func() { o.refuse = fmt.Errorf("%w: j1", bot.ErrNoSchedule) })
	_, err := h.PressIn(v, "Pause")
	r.must(err)
	r.shown(h, "it is not yours to change")
	o.set(func() { o.refuse = errors.New("the disk is full") })
	d, err := h.PressIn(v, "Pause")
	r.must(err)
	o.asked(t, 5)
	o.set(func() { o.refuse = nil })
	if got := r.fake.Delivered(d); got.Acked {
		t.Error("a press that was not taken is acknowledged")
	}
	r.fake.Redeliver(d)
	if got := o.asked(t, 6); got[5] != "pause j1 by "+ana {
		t.Errorf("asked for %q", got)
	}
}

// A home follows what happens, at most every three seconds, and is left alone while it
// would look the same.
func TestAHomeFollowsWhatHappensAndNoMore(t *testing.T) {
	r, o := homeRig(t, true)
	h := r.fake.Human("ana")
	r.opens("ana", "Waiting for you")
	calls := func() int { return len(r.fake.Calls("views.publish")) }
	r.must(r.fake.WaitCalls(r.ctx(), "views.publish", 1))
	at := bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: "C0SALES01"}
	for i := range 20 {
		o.set(func() {
			o.runs[ana] = []bot.RunView{{Trace: fmt.Sprint("t", i), Key: "k", Asker: ana, Text: "work", Status: "working"}}
		})
		r.post(bot.Post{Key: fmt.Sprint("p", i), Place: at, Text: "An answer."})
	}
	r.shown(h, "t19")
	times := []time.Time{}
	for _, c := range r.fake.Calls("views.publish") {
		times = append(times, c.At)
	}
	if len(times) > 21 {
		t.Errorf("%d views for 20 changes", len(times))
	}
	r.settled(o)
	before := calls()
	for i := range 5 {
		r.post(bot.Post{Key: fmt.Sprint("same", i), Place: at, Text: "Nothing of ana's."})
		r.settled(o)
	}
	if n := calls(); n != before {
		t.Errorf("%d views were published in which nothing is new", n-before)
	}
	r.clock.Advance(2 * time.Hour)
	o.set(func() { o.runs[ana] = nil })
	r.post(bot.Post{Key: "late", Place: at, Text: "Nobody looks any more."})
	r.settled(o)
	if n := calls(); n != before {
		t.Errorf("%d views were published after an hour in which nobody looked", n-before)
	}
}

// What comes of a press in a home is seen at once: nothing is waited for that is waited
// for where nobody has pressed, be a change of the home waited for already.
func TestAPressShowsWhatComesOfIt(t *testing.T) {
	o := newOffice()
	o.jobs[ana] = aRoom("en").Jobs
	waiting := make(chan time.Duration, 100)
	r := newRig(t, setup{still: true, office: o, before: func(r *rig) {
		r.s.Wait(func(ctx context.Context, d time.Duration) error { // time stands still until who waits is told
			select {
			case waiting <- d:
			default:
			}
			<-ctx.Done()
			return ctx.Err()
		})
	}})
	r.connected()
	h := r.fake.Human("ana")
	v := r.opens("ana", "Sales report")
	at := bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: "C0SALES01"}
	o.set(func() {
		o.runs[ana] = []bot.RunView{{Trace: "feedf00d", Key: "k", Asker: ana, Text: "newer", Status: "done"}}
	})
	r.post(bot.Post{Key: "x", Place: at, Text: "done"})
	if d := <-waiting; d != 3*time.Second {
		t.Errorf("the home waits for %s, want three seconds", d)
	}
	o.set(func() { o.jobs[ana][0].State = "paused" })
	d, err := h.PressIn(v, "Pause")
	answered(r, d, err)
	if got := r.shown(h, "feedf00d"); !strings.Contains(got.Shown(), "Paused") {
		t.Errorf("the home shows:\n%s", got.Shown())
	}
	o.set(func() { o.jobs[ana][0].Name = "Renamed" }) // what comes of it later
	r.post(bot.Post{Key: "y", Place: at, Text: "done"})
	if d := <-waiting; d > 500*time.Millisecond {
		t.Errorf("what comes of a press waits for %s", d)
	}
}

// settled waits until no home is due.
func (r *rig) settled(o *office) {
	r.t.Helper()
	for r.s.DueHomes() > 0 {
		select {
		case <-o.rested:
		case <-r.ctx().Done():
			r.t.Fatal("a home stays due")
		}
	}
}

// The steps of a run change no home: its beginning and its end do.
func TestEachStepOfARunChangesNoHome(t *testing.T) {
	r, o := homeRig(t, true)
	r.opens("ana", "Waiting for you")
	r.settled(o)
	look := func() (n int) { o.set(func() { n = o.looks }); return n }
	before := look()
	at := bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: "C0SALES01"}
	stop := []bot.Choice{{ID: "stop:k", Label: "Stop"}}
	rc := r.post(bot.Post{Key: "p", Place: at, Kind: bot.Progress, Text: "1", Choices: stop})
	r.settled(o)
	began := look()
	for i := range 5 {
		r.post(bot.Post{Key: "p", Rev: i + 1, Place: at, Kind: bot.Progress, Text: fmt.Sprint(i), Choices: stop, Delivered: &rc.Ref})
		r.settled(o)
	}
	steps := look()
	r.post(bot.Post{Key: "p", Rev: 9, Place: at, Kind: bot.Progress, Text: "over", Delivered: &rc.Ref})
	r.settled(o)
	if began == before || steps != began || look() == steps {
		t.Errorf("looked up %d times, with the beginning %d, with the steps %d, with the end %d", before, began, steps, look())
	}
}

// A view that somebody else has changed is made once more of what is so by then, and
// does not overwrite what is newer.
func TestAHomeThatIsNewerIsNotOverwritten(t *testing.T) {
	r, o := homeRig(t, true)
	h := r.fake.Human("ana")
	r.opens("ana", "Waiting for you")
	r.settled(o)
	r.must(r.fake.WaitCalls(r.ctx(), "views.publish", 1))
	r.fake.Fail(fakeslack.Fault{Method: "views.publish", Error: "hash_conflict"})
	o.set(func() {
		o.runs[ana] = []bot.RunView{{Trace: "feedf00d", Key: "k", Asker: ana, Text: "newer", Status: "done"}}
	})
	before := len(r.fake.Calls("views.publish"))
	r.post(bot.Post{Key: "x", Place: bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: "C0SALES01"}, Text: "done"})
	r.shown(h, "feedf00d")
	r.settled(o)
	r.must(r.fake.WaitCalls(r.ctx(), "views.publish", before+2))
	all := r.fake.Calls("views.publish")[before:]
	if len(all) != 2 || all[0].Args["hash"] == "" || all[1].Args["hash"] != "" {
		t.Errorf("published %d times: %v", len(all), all)
	}
}

// No call stands before an acknowledgement: Slack hears at once, however slow it is
// itself.
func TestAHomeIsMadeAfterTheAcknowledgement(t *testing.T) {
	r, _ := homeRig(t, false)
	r.fake.Fail(fakeslack.Fault{Method: "views.publish", Hang: true, Times: -1})
	d, err := r.fake.Human("ana").OpenHome()
	r.must(err)
	got, err := r.fake.WaitAnswer(r.ctx(), d)
	r.must(err)
	if !got.Acked || got.Took > time.Second {
		t.Errorf("acknowledged %t after %s", got.Acked, got.Took)
	}
}

// A home speaks the language of who looks.
func TestAHomeSpeaksItsViewersLanguage(t *testing.T) {
	r, _ := homeRig(t, true)
	r.opens("ana", "Waiting for you")
	r.s.Learns(anaID, "zh-CN")
	r.opens("ana", "等您决定")
}
