package bot_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hermes/bot"
	"hermes/scheduler"
)

// Issue 6: what is said in a thread while a schedule runs there waits for it, and whoever
// says it is told so, however it is said: a slot takes nobody's words in.
func TestWhatIsSaidWhileAScheduleRunsIsQueued(t *testing.T) {
	const en, zh = "Queued: I do it after what is under way.", "已排队：手上的事做完就做。"
	for name, tt := range map[string]struct {
		by, text  string
		addressed bool
		begun     time.Duration
		want      string
	}{
		"a request":                     {ana, "export the list", true, time.Minute, en},
		"a request, Chinese":            {ana, "导出数据", true, time.Minute, zh},
		"a correction":                  {ana, "no, only the north", true, time.Minute, en},
		"a correction, Chinese":         {ana, "不对，只要北区", true, time.Minute, zh},
		"an addition by the thread":     {ana, "also by product", false, time.Minute, en},
		"an addition by the thread, zh": {ana, "再加上按产品", false, time.Minute, zh},
		"a correction by the thread":    {ana, "no, only the north", false, time.Minute, en},
		"a correction by the thread, z": {ana, "不对，只要北区", false, time.Minute, zh},
		"of another":                    {gus, "export the list", true, time.Minute, en},
		"just begun":                    {ana, "also by product", true, 0, en},
		"just begun, Chinese":           {ana, "再加上按产品", true, 0, zh},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.brain.gate = make(chan struct{})
				now := time.Now()
				err := r.bot.Fire(t.Context(), scheduler.Firing{
					Key: "job/j1/slot", Due: now,
					Job:  scheduler.Job{ID: "j1", Owner: ana, Origin: here.String(), Request: "export slowly", Lang: "en", Zone: "UTC"},
					Slot: scheduler.Slot{Job: "j1", At: now, Zone: "UTC"},
				})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				pass(tt.begun)
				for range 2 { // S7: it comes twice
					r.receive(bot.Message{Key: "m2", Place: here, From: tt.by, Name: "Ana", Text: tt.text, Addressed: tt.addressed, InThread: true, At: time.Now()})
				}
				pass(10 * time.Second)
				if got := fmt.Sprint(r.said(here)); got != fmt.Sprint([]string{tt.want}) {
					t.Errorf("said %s, want [%s]", got, tt.want)
				}
				close(r.brain.gate)
				pass(time.Minute)
				if _, ok, err := r.bot.Agent.Look(t.Context(), "m2"); err != nil || !ok {
					t.Errorf("what was said was not taken up afterwards: %v", err)
				}
			})
		})
	}
}
