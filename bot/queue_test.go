package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
)

// What waits behind something long is told so, each message once, and where it stands;
// a friendly word, and what waits for less than two seconds, is not.
func TestWhatIsQueuedIsSaid(t *testing.T) {
	const first = "Queued: I do it after what is under way."
	for name, tt := range map[string]struct {
		after time.Duration
		texts []string
		want  []string
	}{
		"one":             {3 * time.Second, []string{"export the list"}, []string{first}},
		"one, Chinese":    {3 * time.Second, []string{"导出数据"}, []string{"已排队：手上的事做完就做。"}},
		"several":         {3 * time.Second, []string{"export the list", "export it again", "export all"}, []string{first, "Queued as number 2: I do it after what is under way and 1 request before it.", "Queued as number 3: I do it after what is under way and 2 requests before it."}},
		"several Chinese": {3 * time.Second, []string{"导出数据", "导出名单"}, []string{"已排队：手上的事做完就做。", "已排队，第 2 位：手上的事和前面 1 件做完就做。"}},
		"short":           {2 * time.Second, []string{"export the list"}, nil},
		"a friendly word": {time.Minute, []string{"good morning"}, nil},
		"a stop":          {time.Minute, []string{"stop"}, []string{"Stopped.\n\nWhat I have so far:\n- Look up figures: sales\n  ` {\"n\":7} `"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.brain.gate = make(chan struct{})
				r.hear("m1", here, "export slowly")
				pass(tt.after)
				for i, text := range tt.texts {
					for range 2 { // S7: it comes twice
						r.says(fmt.Sprint("next", i), ana, here, text)
					}
				}
				if d := cmp.Diff(tt.want, r.said(here)); d != "" {
					t.Errorf("said (-want +got):\n%s", d)
				}
				close(r.brain.gate)
			})
		})
	}
}

// What comes when something has just begun is told that it waits as soon as it has waited
// for two seconds, by whichever way it was said; what is taken up before is not, and what
// is said while the first still waits for more lines neither.
func TestWhatWaitsForTwoSecondsIsSaid(t *testing.T) {
	const first = "Queued: I do it after what is under way."
	for name, tt := range map[string]struct {
		begun, takes time.Duration
		m            bot.Message
		cfg          bot.Config
		want         []string
	}{
		"it still waits":          {500 * time.Millisecond, time.Minute, bot.Message{Text: "export the list", Addressed: true}, bot.Config{}, []string{first}},
		"Chinese":                 {500 * time.Millisecond, time.Minute, bot.Message{Text: "导出数据", Addressed: true}, bot.Config{}, []string{"已排队：手上的事做完就做。"}},
		"of another":              {0, time.Minute, bot.Message{Text: "export the list", From: gus, Addressed: true}, bot.Config{}, []string{first}},
		"by command":              {500 * time.Millisecond, time.Minute, bot.Message{Text: "export the list", Via: bot.ByCommand}, bot.Config{}, []string{first}},
		"by command, long begun":  {time.Minute, time.Second, bot.Message{Text: "export the list", Via: bot.ByCommand}, bot.Config{}, []string{first}},
		"before the first begins": {0, time.Minute, bot.Message{Text: "export the list", From: gus, Addressed: true}, bot.Config{Gather: time.Second}, []string{first}},
		"it is taken up":          {500 * time.Millisecond, time.Second, bot.Message{Text: "export the list", Addressed: true}, bot.Config{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{cfg: tt.cfg})
				r.brain.gate = make(chan struct{})
				r.hear("m1", here, "export slowly")
				pass(tt.begun)
				tt.m.Key, tt.m.Place, tt.m.At = "m2", here, time.Now()
				if tt.m.From == "" {
					tt.m.From = ana
				}
				for range 2 { // S7: it comes twice
					r.receive(tt.m)
				}
				var said []string
				queued := func() {
					for _, text := range r.said(here) {
						if strings.HasPrefix(text, "Queued") || strings.HasPrefix(text, "已排队") {
							said = append(said, text)
						}
					}
				}
				if tt.takes > 10*time.Second {
					pass(10 * time.Second)
					queued()
				} else {
					pass(tt.takes)
				}
				close(r.brain.gate)
				pass(time.Minute)
				if said == nil {
					queued()
				}
				if d := cmp.Diff(tt.want, said); d != "" {
					t.Errorf("said (-want +got):\n%s", d)
				}
			})
		})
	}
}

// Quick lines that are one turn are told once that it waits.
func TestLinesThatAreOneTurnAreQueuedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, quickly())
		r.brain.gate = make(chan struct{})
		r.receive(line(1, "export slowly the list of all customers.", true, true))
		pass(5 * time.Second)
		for i, text := range []string{"export the returns", "of May", "by product, please"} {
			r.receive(line(2+i, text, true, true))
			pass(500 * time.Millisecond)
		}
		if d := cmp.Diff([]string{"Queued: I do it after what is under way."}, r.said(line(1, "", true, true).Place)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
		close(r.brain.gate)
		pass(time.Minute)
		if got := r.run("slack/T1/C1/2").Text; got != "export the returns\nof May\nby product, please" {
			t.Errorf("asked for %q", got)
		}
	})
}

// A Stop ends what is under way; what waits behind it goes on, whoever asked for it,
// and whatever it was told. Only who says stop in words gives up what they have waiting
// there themselves, and is told how much that is. Nothing ends without a word.
func TestAStopLeavesWhatIsQueued(t *testing.T) {
	type asked struct{ key, by string }
	word := func(by, text string) func(*rig) {
		return func(r *rig) {
			r.receive(bot.Message{Key: "stop", Place: here, From: by, Text: text, Addressed: true, At: time.Now()})
		}
	}
	press := func(by string) func(*rig) {
		return func(r *rig) { r.click(bot.Click{Place: here, From: by, Stop: "m1"}) }
	}
	halt := func(by string) func(*rig) {
		return func(r *rig) { r.click(bot.Click{Place: here, From: by, Halt: true}) }
	}
	const two, one = "2 requests of yours that were queued are dropped.", "1 request of yours that was queued is dropped."
	for name, tt := range map[string]struct {
		queued  []asked
		stop    func(*rig)
		goesOn  bool // what is under way
		done    []string
		dropped string // in what is said at the place
	}{
		"by the button":           {[]asked{{"a1", ana}, {"g1", gus}, {"a2", ana}}, press(ana), false, []string{"a1", "g1", "a2"}, ""},
		"by the platform's Stop":  {[]asked{{"a1", ana}, {"g1", gus}, {"a2", ana}}, halt(ana), false, []string{"a1", "g1", "a2"}, ""},
		"by an admin's button":    {[]asked{{"a1", ana}, {"l1", lee}}, press(lee), false, []string{"a1", "l1"}, ""},
		"by an admin's Stop":      {[]asked{{"a1", ana}, {"l1", lee}}, halt(lee), false, []string{"a1", "l1"}, ""},
		"by word":                 {[]asked{{"a1", ana}, {"g1", gus}, {"a2", ana}}, word(ana, "stop"), false, []string{"g1"}, two},
		"by word, Chinese":        {[]asked{{"a1", ana}, {"g1", gus}}, word(ana, "停"), false, []string{"g1"}, "你排队的 1 件事已取消。"},
		"by word, nothing queued": {[]asked{{"g1", gus}}, word(ana, "stop"), false, []string{"g1"}, ""},
		"by an admin's word":      {[]asked{{"a1", ana}, {"l1", lee}}, word(lee, "stop"), false, []string{"a1"}, one},
		// It is not theirs to stop what is under way, only what they wait for.
		"by the word of another": {[]asked{{"a1", ana}, {"g1", gus}}, word(gus, "stop"), true, []string{"a1"}, one},
		"by another's Stop":      {[]asked{{"a1", ana}, {"g1", gus}}, halt(gus), true, []string{"a1", "g1"}, ""},
	} {
		for gathers, cfg := range map[string]bot.Config{"": {}, ", gathered": {Gather: time.Second}} {
			t.Run(name+gathers, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := start(t, setup{cfg: cfg})
					r.brain.gate = make(chan struct{})
					r.hear("m1", here, "export slowly the list of all customers.")
					pass(5 * time.Second)
					for _, q := range tt.queued {
						r.receive(bot.Message{Key: q.key, Place: here, From: q.by, Text: "export the returns", Addressed: true, At: time.Now()})
						pass(5 * time.Second)
					}
					tt.stop(r)
					close(r.brain.gate)
					pass(time.Minute)
					var done, dropped []string
					for _, text := range r.said(here) {
						if key, ok := strings.CutPrefix(text, "done with "); ok {
							done = append(done, key)
						}
						if strings.Contains(text, "dropped") || strings.Contains(text, "取消") {
							dropped = append(dropped, text)
						}
					}
					want := tt.done
					if tt.goesOn {
						want = append([]string{"m1"}, want...)
					}
					if d := cmp.Diff(want, done); d != "" {
						t.Errorf("answered (-want +got):\n%s", d)
					}
					if got := strings.Join(dropped, "|"); got != tt.dropped {
						t.Errorf("said %q of what is dropped, want %q", got, tt.dropped)
					}
					if !tt.goesOn && !strings.HasPrefix(r.shows("m1/end").Text, "Stopped.") {
						t.Errorf("m1 ended with %q", r.shows("m1/end").Text)
					}
					if left := r.in.Waiting(); len(left) != 0 {
						t.Errorf("%q is left", left)
					}
				})
			})
		}
	}
}

// Cut off between a stop and its notes, it is said again and not twice.
func TestADroppedRequestIsSaidThoughTheProgramDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.brain.gate = make(chan struct{})
		r.hear("m1", here, "export slowly")
		pass(5 * time.Second)
		r.hear("m2", here, "export the list")
		r.in.forget = 1
		r.hear("m3", here, "stop")
		close(r.brain.gate)
		pass(time.Minute)
		n := 0
		for _, text := range r.said(here) {
			if strings.Contains(text, "1 request of yours that was queued is dropped.") {
				n++
			}
		}
		if n != 1 {
			t.Errorf("it is said %d times that a request was dropped", n)
		}
	})
}
