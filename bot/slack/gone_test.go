package slack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// What is taken back is gone with all its parts and files, and may be taken back
// again; nothing else goes.
func TestTakeBack(t *testing.T) {
	for name, text := range map[string]string{
		"one message": "Sold 12.", "three parts": prose(30000), "a file": prose(60000), "a table": wide(3, 250),
	} {
		for _, root := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", root ", root), func(t *testing.T) {
				r := newRig(t, setup{idle: true, shelf: shelf{"f1": []byte("a,b\n")}})
				_, at := salesThread(t, r)
				if root {
					at.Thread = ""
				}
				r.post(bot.Post{Key: "other", Place: at, Text: "stays"})
				p := bot.Post{Key: "k", Rev: 2, Place: at, Text: text, Attempt: 1}
				rc := r.post(p)
				r.post(bot.Post{Key: "k/file1", Place: at, File: &bot.File{ID: "f1"}, After: "k", Thread: rc.Ref, Attempt: 1})
				mine := func() (n int) {
					for _, m := range r.fake.Channel("sales").Messages() {
						if m.Mine() {
							n++
						}
					}
					return n
				}
				if mine() < 3 {
					t.Fatalf("%d messages before", mine())
				}
				p.Rev, p.Gone, p.Delivered, p.Text = 3, true, &rc.Ref, ""
				r.fake.Fail(fakeslack.Fault{Method: "chat.delete", Cut: true})
				if _, err := r.s.Post(r.ctx(), p); err == nil {
					t.Error("taken back although the connection was cut")
				}
				for range 2 {
					if got := r.post(p); got.Ref != rc.Ref || got.Failed != "" {
						t.Errorf("receipt = %+v, want the old place", got)
					}
				}
				if mine() != 1 {
					t.Errorf("%d messages of ours, want the other alone", mine())
				}
			})
		}
	}
}

// A file goes with what it belongs to also where nobody can read its thread any more,
// since its first message was deleted; it may go twice.
func TestAFileIsTakenBackFromAThreadThatIsGone(t *testing.T) {
	r := newRig(t, setup{idle: true, shelf: shelf{"f1": []byte("a,b\n")}})
	m, at := salesThread(t, r)
	card := r.post(bot.Post{Key: "k", Place: at, Text: "May I?", Kind: bot.Card, Attempt: 1})
	p := bot.Post{Key: "k/file1", Place: at, File: &bot.File{ID: "f1"}, After: "k", Thread: card.Ref, Attempt: 1}
	rc := r.post(p)
	must(t, r.fake.Human("ana").Delete(m))
	p.Rev, p.Gone, p.Delivered = 1, true, &rc.Ref
	r.fake.Fail(fakeslack.Fault{Method: "files.delete", Cut: true})
	if _, err := r.s.Post(r.ctx(), p); err == nil {
		t.Error("taken back although the connection was cut")
	}
	for range 2 {
		r.post(p)
	}
	for _, m := range r.fake.Channel("sales").Messages() {
		if len(m.Files) > 0 {
			t.Errorf("%s is still there", m.Files[0].Name)
		}
	}
	if files := r.fake.Files(); len(files) != 1 || !files[0].Deleted {
		t.Errorf("files = %+v, want it deleted", files)
	}
}

// What was never seen to arrive is looked for when it is taken back.
func TestTakeBackOfWhatMayBeThere(t *testing.T) {
	r := newRig(t, setup{idle: true})
	m, at := salesThread(t, r)
	r.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Cut: true})
	p := bot.Post{Key: "k", Place: at, Text: "x", Attempt: 1}
	if _, err := r.s.Post(r.ctx(), p); !errors.Is(err, bot.ErrUnknown) {
		t.Fatal(err)
	}
	p.Rev, p.Gone = 1, true
	r.post(p)
	if n := len(r.fake.Channel("sales").Thread(m.TS)); n != 1 {
		t.Errorf("%d messages, want the question alone", n)
	}
}

// O1: who finds its post lost after it was said takes its own copy away if there is
// another, and leaves the only one.
func TestO1ASecondCopyIsRetracted(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	m, at := salesThread(t, r)
	p := bot.Post{Key: "k", Place: at, Text: "x", Attempt: 1}
	mine := r.post(p)
	must(t, r.s.Retract(r.ctx(), p, mine))
	if n := len(r.fake.Channel("sales").Thread(m.TS)); n != 2 {
		t.Fatalf("%d messages, want the only copy to stay", n)
	}
	other := r.build(setup{still: true})
	theirs, err := other.Post(r.ctx(), p)
	must(t, err)
	must(t, r.s.Retract(r.ctx(), p, mine))
	must(t, r.s.Retract(r.ctx(), p, mine))
	thread := r.fake.Channel("sales").Thread(m.TS)
	if len(thread) != 2 || thread[1].TS != theirs.Ref.ID {
		t.Errorf("thread = %+v, want the other copy", thread)
	}
}

// A reply whose thread is gone stands in the channel, and says so; all of it stands
// together.
func TestAReplyWithoutItsThread(t *testing.T) {
	r := newRig(t, setup{idle: true})
	m, at := salesThread(t, r)
	must(t, r.fake.Human("ana").Delete(m))
	rc := r.post(bot.Post{Key: "k", Place: at, Text: prose(25000), Attempt: 1})
	if rc.Ref.Place.Thread != "" {
		t.Errorf("receipt = %+v, want it in the channel", rc)
	}
	all := r.fake.Channel("sales").Thread(rc.Ref.ID)
	if len(all) != 3 || !strings.Contains(all[0].Shown(), "The thread that this belongs to is gone") || strings.Contains(all[1].Shown(), "is gone") {
		t.Errorf("%d messages, the first %q", len(all), all[0].Shown()[max(0, len(all[0].Shown())-200):])
	}
}

// O3: a post, a change, the end of a stream and the post of a schedule look alike.
func TestO3AllWaysLookAlike(t *testing.T) {
	for name, p := range looks() {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{still: true, idle: true})
			m, at := salesThread(t, r)
			t.Cleanup(func() { r.s.Rest(r.ctx()) })
			p.Attempt = 1
			last := func() fakeslack.Message {
				all := r.fake.Channel("sales").Messages()
				for i := len(all) - 1; ; i-- {
					if all[i].Mine() && len(all[i].Files) == 0 {
						return all[i]
					}
				}
			}
			p.Place, p.Key = at, "posted"
			r.post(p)
			want := plainly(last())

			p.Key, p.Rev = "changed", p.Rev+1
			rc := r.post(bot.Post{Key: "changed", Place: at, Text: "Working.", Kind: bot.Progress})
			p.Delivered = &rc.Ref
			if p.Plan == nil {
				r.post(p)
				if got := plainly(last()); got != want {
					t.Errorf("posted  %s\nchanged %s", want, got)
				}
			}

			p.Key, p.Delivered, p.Place.Thread = "slot", nil, ""
			p.Run = "slot/1"
			r.post(p)
			if got := plainly(last()); got != want {
				t.Errorf("posted   %s\nschedule %s", want, got)
			}
			if p.Kind != bot.Answer {
				return
			}
			if p.Of == "" {
				p.Of = "slack/T1/C1/1.1"
				p.Key, p.Place.Thread = "posted with a run", at.Thread
				r.post(p)
				want = plainly(last())
			}
			work := bot.Post{Key: "work", Place: at, Kind: bot.Progress, Of: p.Of, By: bot.Person("slack", fakeslack.Team, "U0ANA0001"), Plan: &bot.Plan{Title: "x"}, Attempt: 1}
			rc = r.post(work)
			p.Key, p.Place, p.Run = "sealed", at, ""
			if sealed := r.post(p); sealed.Ref != rc.Ref {
				t.Fatalf("the answer is at %+v, the stream at %+v", sealed.Ref, rc.Ref)
			}
			for _, s := range r.fake.Channel("sales").Thread(m.TS) {
				if s.TS == rc.Ref.ID {
					if got := plainly(s); got != want {
						t.Errorf("posted %s\nsealed %s", want, got)
					}
				}
			}
		})
	}
}

// O2, O3: files that bring what has no room are there once, whatever is cut.
func TestO2TheWholeTableIsAFile(t *testing.T) {
	for _, method := range []string{"files.completeUploadExternal", "files.getUploadURLExternal", "chat.postMessage"} {
		r := newRig(t, setup{still: true, idle: true})
		u := newTurn(t, r)
		r.fake.Fail(fakeslack.Fault{Method: method, Cut: true})
		u.deliver(u.answer(wide(25, 250) + "\nand\n\n" + wide(2, 120)))
		shared := 0
		for _, m := range u.thread() {
			shared += len(m.Files)
		}
		if shared != 2 || len(u.holding("c19")) != 1 {
			t.Errorf("%s cut: %d files, table in %d messages; want two and one", method, shared, len(u.holding("c19")))
		}
		for _, f := range r.fake.Files() {
			if f.Channel != "" && !strings.Contains(string(f.Bytes), "249.24") && !strings.Contains(string(f.Bytes), "119.1") {
				t.Errorf("file %s lacks the last row", f.Name)
			}
		}

	}
}

// A chart has words for who cannot see it.
func TestAChartHasWords(t *testing.T) {
	r := newRig(t, setup{idle: true, shelf: charts{}})
	m, at := salesThread(t, r)
	r.post(bot.Post{Key: "k", Place: at, File: &bot.File{ID: "f1"}, Attempt: 1})
	if got := r.fake.Calls("files.getUploadURLExternal")[0].Args["alt_txt"]; got != "Sales by region" {
		t.Errorf("alt_txt = %q", got)
	}
	if thread := r.fake.Channel("sales").Thread(m.TS); len(thread) != 2 || len(thread[1].Files) != 1 {
		t.Errorf("thread = %+v, want the chart", thread)
	}
}

// charts has one chart.
type charts struct{}

func (charts) Report(context.Context, string) (bot.Shown, error) {
	return bot.Shown{}, errors.New("no report")
}

func (charts) Open(context.Context, string) (bot.File, []byte, error) {
	return bot.File{ID: "f1", Name: "Sales by region.png", Mime: "image/png"}, []byte("png"), nil
}

// People say of an answer whether it is good, and ask why it is as it is.
func TestAnAnswerIsJudged(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	_, at := salesThread(t, r)
	for i, lang := range []string{"en", "zh"} {
		rc := r.post(bot.Post{Key: "k" + lang, Place: at, Of: "run/1", Text: "Sold 12.", Lang: lang, Attempt: 1})
		labels := [][]string{{"Good answer", "Bad answer", "Why this answer?"}, {"回答得好", "回答得不好", "为什么这样答？"}}[i]
		want := []bot.Click{{Rates: "run/1", Good: true}, {Rates: "run/1"}, {Why: "run/1"}}
		for j, label := range labels {
			before := len(r.ears.clicked())
			if _, err := r.fake.Human("leo").Press(fakeslack.Message{Channel: at.Channel, TS: rc.Ref.ID}, label); err != nil {
				t.Fatal(err)
			}
			r.ears.wait(t, "a press", func() bool { return len(r.ears.clicks) == before+1 })
			clicks := r.ears.clicked()
			found := slices.ContainsFunc(clicks, func(c bot.Click) bool {
				return c.Rates == want[j].Rates && c.Good == want[j].Good && c.Why == want[j].Why && c.From == bot.Person("slack", fakeslack.Team, "U0LEO0001") &&
					strings.Contains(c.Key, rc.Ref.ID)
			})
			if !found {
				t.Errorf("%s: clicks = %+v, want one as %+v", label, clicks, want[j])
			}
		}
	}
	for name, p := range map[string]bot.Post{
		"no run": {}, "a card": {Of: "r", Kind: bot.Card}, "trouble": {Of: "r", Kind: bot.Trouble}, "to one person": {Of: "r", Only: "slack:T:U"},
		"not the end": {Of: "r", Choices: []bot.Choice{{ID: "continue:r", Label: "Continue"}}}, "a long name": {Of: strings.Repeat("r", 3000)},
	} {
		p.Text = "x"
		pages, _, err := slack.Render(p)
		if err != nil {
			t.Fatal(err)
		}
		if raw, _ := json.Marshal(pages[0].Blocks()); strings.Contains(string(raw), "feedback") || strings.Contains(string(raw), "why:") {
			t.Errorf("%s: %s, want nothing to judge", name, raw)
		}
	}
}
