package slack_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// five are the next five times of a Preview.
func five(zone string) bot.Preview {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	p := bot.Preview{When: "every month on the 1st at 09:00", Zone: zone}
	for m := range 5 {
		p.Next = append(p.Next, time.Date(2026, time.Month(12+m), 1, 9, 0, 0, 0, loc))
	}
	return p
}

// What the form for a schedule looks like, as it begins, with its dates, and with
// something wrong.
func TestScheduleFormGolden(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		d := bot.Draft{Zone: "Europe/Berlin", Lang: lang}
		body, err := slack.ScheduleView(d, bot.Preview{}, "")
		goldenView(t, "schedule_new."+lang, body, err)
		d = bot.Draft{Job: "j1", What: "count <orders>", When: "every Monday at 9:00", Zone: "Asia/Shanghai", To: "C0SALES01", Lang: lang}
		p := five("Asia/Shanghai")
		p.About = "November 2026"
		if lang == "zh" {
			p.When, p.About = "每月1日09:00", "2026年11月"
		}
		body, err = slack.ScheduleView(d, p, "")
		goldenView(t, "schedule_dates."+lang, body, err)
		body, err = slack.ScheduleView(d, bot.Preview{}, map[string]string{"en": "At what time?", "zh": "几点？"}[lang])
		goldenView(t, "schedule_wrong."+lang, body, err)
	}
}

// form waits until a person sees a form with some words in it.
func (r *rig) form(name, words string) fakeslack.View {
	r.t.Helper()
	h := r.fake.Human(name)
	var v fakeslack.View
	r.must(r.fake.Wait(r.ctx(), "a form with "+words, func() bool {
		for _, o := range r.fake.Views() {
			if o.Type == "modal" && o.User == h.ID() && !o.Closed && strings.Contains(o.Shown(), words) {
				v = o
				return true
			}
		}
		return false
	}))
	return v
}

func answered(r *rig, d fakeslack.Delivery, err error) fakeslack.Delivery {
	r.t.Helper()
	r.must(err)
	got, err := r.fake.WaitAnswer(r.ctx(), d)
	r.must(err)
	return got
}

// SLK-04: a schedule is made in a form: it shows the next five dates on the clock of who
// fills it in, and then it asks once, however often it is sent.
func TestSLK04AScheduleIsMadeInAForm(t *testing.T) {
	for how, open := range map[string]func(*rig) (fakeslack.Delivery, error){
		"from home": func(r *rig) (fakeslack.Delivery, error) {
			return r.fake.Human("ana").PressIn(r.opens("ana", "Waiting for you"), "New schedule")
		},
		"by command": func(r *rig) (fakeslack.Delivery, error) {
			return r.fake.Human("ana").Slash("sales", "/hermes", "schedule")
		},
	} {
		t.Run(how, func(t *testing.T) {
			r, o := homeRig(t, false)
			o.set(func() { o.preview = func(d bot.Draft) (bot.Preview, error) { return five(d.Zone), nil } })
			d, err := open(r)
			answered(r, d, err)
			v, h := r.form("ana", "What should I do?"), r.fake.Human("ana")
			_, err = h.ChooseIn(v, "what", "summarise sales")
			r.must(err)
			d, err = h.ChooseIn(v, "when", "every month on the 1st at 9:00")
			answered(r, d, err)
			v = r.form("ana", "Tue 1 Dec 2026 09:00")
			for _, want := range []string{"(Europe/Berlin)", "Fri 1 Jan 2027 09:00", "Mon 1 Feb 2027 09:00", "Mon 1 Mar 2027 09:00", "Thu 1 Apr 2027 09:00"} {
				if !strings.Contains(v.Shown(), want) {
					t.Errorf("the form does not show %q:\n%s", want, v.Shown())
				}
			}
			sent, err := h.Submit(map[string]string{"to": "C0SALES01"})
			answered(r, sent, err)
			r.form("ana", "Nothing is planned before the button there is pressed")
			r.fake.Redeliver(sent)
			got := o.asked(t, 3)
			want := "plan slack/" + fakeslack.Team + "/view/" + v.ID + " at slack/" + fakeslack.Team + "/"
			for _, plan := range got[1:] {
				if !strings.HasPrefix(plan, want) || !strings.HasSuffix(plan, " by "+ana) {
					t.Errorf("asked for %q, want %q", plan, want)
				}
			}
			draft := bot.Draft{What: "summarise sales", When: "every month on the 1st at 9:00", Zone: "Europe/Berlin", To: "#sales", Lang: "en"}
			if d := cmp.Diff(draft, o.last()); d != "" {
				t.Errorf("draft (-want +got):\n%s", d)
			}
			if n := len(r.ears.messages()); n != 0 {
				t.Errorf("the Receiver heard %d messages", n)
			}
		})
	}
}

// SLK-04: the words of a command that ask for the form, in both languages; with more of
// them they are a request.
func TestSLK04TheWordsThatOpenTheForm(t *testing.T) {
	r, _ := homeRig(t, false)
	h := r.fake.Human("ana")
	words := []string{"schedule", "New Schedule", "定时", "定时任务", "新建定时任务", "新建定时", "排程", "新的日程", "日程", "schedule."}
	for i, text := range words {
		d, err := h.Slash("sales", "/hermes", text)
		answered(r, d, err)
		r.must(r.fake.WaitCalls(r.ctx(), "views.open", i+1))
	}
	if n := len(r.ears.messages()); n != 0 {
		t.Errorf("the Receiver heard %d messages of %q", n, words)
	}
	for i, text := range []string{"schedule a report every Monday at 9:00", "每周一9点的定时任务", "定时任务有哪些？", "new", "新建"} {
		d, err := h.Slash("sales", "/hermes", text)
		answered(r, d, err)
		r.ears.wait(t, text, func() bool { return len(r.ears.heard) == i+1 })
	}
	if n := len(r.fake.Calls("views.open")); n != len(words) {
		t.Errorf("%d forms were opened, want %d", n, len(words))
	}
}

// What is wrong is said under its own field, and nothing of what was written is lost.
func TestWhatIsWrongIsSaidUnderItsField(t *testing.T) {
	r, o := homeRig(t, false)
	h := r.fake.Human("ana")
	d, err := h.PressIn(r.opens("ana", "Waiting for you"), "New schedule")
	answered(r, d, err)
	v := r.form("ana", "What should I do?")
	o.set(func() {
		o.refuse = &bot.Invalid{Field: bot.FieldWhen, Text: "At what time?"}
		o.preview = func(d bot.Draft) (bot.Preview, error) {
			return five(d.Zone), &bot.Invalid{Field: bot.FieldTo, Text: "Invite me there first."}
		}
	})
	d, err = h.PressIn(v, "Show the next dates")
	answered(r, d, err)
	if v = r.form("ana", "Invite me there first."); !strings.Contains(v.Shown(), "Tue 1 Dec 2026 09:00") {
		t.Errorf("with a channel that cannot be, the dates are gone:\n%s", v.Shown())
	}
	d, err = h.Submit(map[string]string{"what": "x", "when": "every Monday"})
	if got := answered(r, d, err); got.Refused != "" {
		t.Errorf("the answer is none: %s", got.Refused)
	}
	r.must(r.fake.Wait(r.ctx(), "an error at a field", func() bool {
		m, _ := h.Modal()
		return m.Errors["when"] == "At what time?"
	}))
	o.set(func() { o.refuse, o.preview = errors.New("the disk is full"), nil })
	d, err = h.Submit(nil)
	r.must(err)
	o.asked(t, 3)
	o.set(func() { o.refuse = nil })
	r.fake.Redeliver(d)
	if got := o.asked(t, 4); got[2] != got[3] {
		t.Errorf("sent again it is another thing: %q", got[2:])
	}
	r.form("ana", "I ask you in our messages")
}

// A schedule comes into its form as it is, and is changed there.
func TestAScheduleIsChangedInAForm(t *testing.T) {
	r, o := homeRig(t, false)
	h := r.fake.Human("ana")
	o.set(func() { o.preview = func(d bot.Draft) (bot.Preview, error) { return five(d.Zone), nil } })
	d, err := h.PressIn(r.opens("ana", "Waiting for you"), "Edit")
	answered(r, d, err)
	v := r.form("ana", "What should I do?")
	for _, want := range []string{"Tue 1 Dec 2026 09:00", "Thu 1 Apr 2027 09:00", "(UTC)"} {
		if !strings.Contains(v.Shown(), want) {
			t.Errorf("it opens without %q:\n%s", want, v.Shown())
		}
	}
	d, err = h.Submit(map[string]string{"when": "every Tuesday at 9:00"})
	answered(r, d, err)
	o.asked(t, 3)
	want := bot.Draft{Job: "j1", What: "count orders", When: "every Tuesday at 9:00", Zone: "UTC", To: "#sales", Lang: "en"}
	if d := cmp.Diff(want, o.last()); d != "" {
		t.Errorf("draft (-want +got):\n%s", d)
	}
}

// A form that names a channel where the bot is not is refused in the form, at that
// field, with what to do; once it was invited the same form is taken.
func TestAFormForAChannelWhereWeAreNot(t *testing.T) {
	for lang, words := range map[string][2]string{"en": {"What should I do?", "I am not a member of #random."}, "zh-CN": {"要做什么？", "我还不是 #random 的成员。"}} {
		r, o := homeRig(t, false)
		r.s.Learns(anaID, lang)
		h := r.fake.Human("ana")
		d, err := h.Slash("sales", "/hermes", "schedule")
		answered(r, d, err)
		r.form("ana", words[0])
		if _, err := h.Submit(map[string]string{"what": "x", "when": "every Monday at 9:00", "to": "C0RANDOM1"}); err != nil {
			t.Fatal(err)
		}
		r.must(r.fake.Wait(r.ctx(), "an error at a field", func() bool {
			m, _ := h.Modal()
			return strings.HasPrefix(m.Errors["to"], words[1]) && strings.Contains(m.Errors["to"], "/invite")
		}))
		o.set(func() {
			if len(o.done) != 0 {
				t.Errorf("the planner was asked: %q", o.done)
			}
		})
		r.fake.Channel("random").Invite(fakeslack.BotUser)
		d, err = h.Submit(nil)
		answered(r, d, err)
		if got := o.asked(t, 1); !strings.HasPrefix(got[0], "plan ") {
			t.Errorf("asked for %q", got)
		}
	}
}

// A Slack that does not say in time who is in a channel keeps no form waiting: the card
// finds out.
func TestAFormWithASilentSlackIsTaken(t *testing.T) {
	r, o := homeRig(t, false)
	r.s.Patience(50 * time.Millisecond)
	h := r.fake.Human("ana")
	d, err := h.Slash("sales", "/hermes", "schedule")
	answered(r, d, err)
	r.form("ana", "What should I do?")
	r.fake.Fail(fakeslack.Fault{Method: "conversations.info", Hang: true, Times: -1})
	d, err = h.Submit(map[string]string{"what": "x", "when": "every Monday at 9:00", "to": "C0RANDOM1"})
	if got := answered(r, d, err); !got.Acked {
		t.Errorf("the form is answered with %+v", got)
	}
	o.asked(t, 1)
}

// Why an answer is as it is stands over the home in which somebody asks, and nowhere
// else; who cannot be told now is told so there.
func TestWhyOpensOverTheHome(t *testing.T) {
	r, _ := homeRig(t, false)
	var asked []string
	fail := false
	r.s.Explains(func(_ context.Context, who, run string) (string, error) {
		asked = append(asked, who+" "+run)
		if fail {
			return "", errors.New("the disk is full")
		}
		return "**This answer rests on**\n- Look up figures (approved by <@" + leoID + ">)\n[the run](https://console.test/runs/1)\n" + strings.Repeat("- a step\n", 500), nil
	})
	v := r.opens("ana", "Waiting for you")
	press := func() {
		t.Helper()
		d, err := r.fake.Human("ana").PressIn(v, button(t, v, "choice:why:slack/T0/D1/2.0"))
		answered(r, d, err)
	}
	press()
	m := r.form("ana", "Look up figures")
	if !strings.Contains(m.Shown(), "*This answer rests on*") || !strings.Contains(m.Shown(), "<@"+leoID+">") || !strings.Contains(m.Shown(), "https://console.test/runs/1") {
		t.Errorf("it shows:\n%s", m.Shown())
	}
	if len(asked) != 1 || asked[0] != ana+" slack/T0/D1/2.0" {
		t.Errorf("asked for %q", asked)
	}
	fail = true
	press()
	r.form("ana", "I cannot look that up right now")
	if n := len(r.ears.clicked()); n != 0 {
		t.Errorf("the Receiver heard %d clicks", n)
	}
}

// Who is no member gets no form, whichever way they ask for one.
func TestWhoIsNoMemberGetsNoForm(t *testing.T) {
	r, o := homeRig(t, false)
	r.fake.AddUser(fakeslack.User{ID: "U0GST0001", Name: "gil", Guest: true})
	d, err := r.fake.Human("gil").Slash("dm", "/hermes", "schedule")
	answered(r, d, err)
	r.form("gil", "Only members of this workspace")
	if _, err := r.fake.Human("gil").Submit(map[string]string{"what": "x"}); err == nil {
		t.Error("there is something to send")
	}
	o.set(func() {
		if len(o.done) != 0 {
			t.Errorf("the planner was asked: %q", o.done)
		}
	})
}

// What opens a form is good for three seconds. Whom it fails is told so in the
// conversation with them; one that has opened already opens nothing more.
func TestAFormThatDoesNotOpenIsTold(t *testing.T) {
	for code, want := range map[string]string{"expired_trigger_id": "too slow", "fatal_error": "could not open the form", "exchanged_trigger_id": ""} {
		t.Run(code, func(t *testing.T) {
			r, _ := homeRig(t, false)
			v := r.opens("ana", "Waiting for you")
			r.fake.Fail(fakeslack.Fault{Method: "views.open", Error: code})
			d, err := r.fake.Human("ana").PressIn(v, "New schedule")
			answered(r, d, err)
			if want != "" {
				m, err := r.fake.WaitMessage(r.ctx(), func(m fakeslack.Message) bool { return m.BotID != "" && strings.Contains(m.Text, want) })
				if err != nil || !strings.HasPrefix(m.Channel, "D") {
					t.Errorf("told %+v, %v", m, err)
				}
				return
			}
			r.must(r.fake.WaitCalls(r.ctx(), "views.open", 1))
			r.stop()
			if n := len(r.fake.Calls("chat.postMessage")); n != 0 {
				t.Errorf("somebody was told %d times of a form that is open", n)
			}
		})
	}
}

// A press that is older than another one in the same form does not replace what came of
// that, however long it took.
func TestAnOlderPreviewReplacesNoNewerOne(t *testing.T) {
	r, o := homeRig(t, false)
	h := r.fake.Human("ana")
	d, err := h.PressIn(r.opens("ana", "Waiting for you"), "New schedule")
	answered(r, d, err)
	v := r.form("ana", "What should I do?")
	slow := make(chan struct{})
	o.set(func() {
		o.preview = func(d bot.Draft) (bot.Preview, error) {
			if d.When == "old" {
				<-slow
			}
			return bot.Preview{When: "it is " + d.When, Zone: "UTC", Next: []time.Time{time.Unix(0, 0).UTC()}}, nil
		}
	})
	_, err = h.ChooseIn(v, "when", "old")
	r.must(err)
	o.asked(t, 1)
	_, err = h.ChooseIn(v, "when", "new")
	r.must(err)
	r.form("ana", "it is new")
	close(slow)
	_, err = h.ChooseIn(v, "when", "newest")
	r.must(err)
	r.form("ana", "it is newest")
	r.must(r.fake.WaitCalls(r.ctx(), "views.update", 3))
	r.stop()
	if m, _ := h.Modal(); !strings.Contains(m.Shown(), "it is newest") {
		t.Errorf("the form shows:\n%s", m.Shown())
	}
	if n := len(r.fake.Calls("views.update")); n != 3 {
		t.Errorf("the form was changed %d times, want its filling and the dates twice", n)
	}
}
