package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/bot/bottest"
)

// A shower is a platform that shows what is not kept, unless another process has
// brought it there.
type shower struct {
	*bottest.Platform
	elsewhere bool

	mu    sync.Mutex
	shown []bot.Post
	there map[string]int // by key: the Rev that was brought
}

func (s *shower) Post(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	r, err := s.Platform.Post(ctx, p)
	if err == nil && p.Kind == bot.Progress {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.there == nil {
			s.there = map[string]int{}
		}
		s.there[p.Key] = p.Rev
	}
	return r, err
}

func (s *shower) Show(p bot.Post) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.there[p.Key]; s.elsewhere || !ok {
		return false
	}
	s.shown = append(s.shown, p)
	return true
}

// all returns what was shown beside the outbox, in order.
func (s *shower) all() []bot.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]bot.Post(nil), s.shown...)
}

// A slowBrain takes its time for every step.
type slowBrain struct {
	bot.Agent
	took time.Duration
}

func (s slowBrain) Start(ctx context.Context, req run.Request, watch func(context.Context, run.Run) error) (run.Outcome, error) {
	return s.Agent.Start(ctx, req, func(ctx context.Context, r run.Run) error {
		<-time.After(s.took)
		return watch(ctx, r)
	})
}

// steps is a script of n different calls.
func steps(n int) []llm.Reply {
	var all []llm.Reply
	for i := range n {
		args, err := json.Marshal(map[string]string{"measure": fmt.Sprint("m", i)})
		if err != nil {
			panic(err)
		}
		all = append(all, says("", call("query_metric", string(args))))
	}
	return all
}

// kept is what the outbox has brought to a platform of a run's progress.
func kept(chat *bottest.Platform, key string) (revs []int) {
	for _, p := range append(chat.Posts(), chat.Edits()...) {
		if p.Key == key {
			revs = append(revs, p.Rev)
		}
	}
	return revs
}

// What a run does is shown as it does it; the disk hears of its beginning and its end.
func TestProgressIsShownBesideTheOutbox(t *testing.T) {
	for name, c := range map[string]struct {
		took      time.Duration
		elsewhere bool
		kept      func(n int) bool
		shows     func(n int) bool
	}{
		"by this process":         {time.Second, false, func(n int) bool { return n <= 2 && n > 0 }, func(n int) bool { return n >= 4 }},
		"at once, by this one":    {0, false, func(n int) bool { return n <= 2 && n > 0 }, func(int) bool { return true }},
		"slowly, by another":      {1100 * time.Millisecond, true, func(n int) bool { return n >= 4 }, func(n int) bool { return n == 0 }},
		"in a moment, by another": {0, true, func(n int) bool { return n <= 2 && n > 0 }, func(n int) bool { return n == 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s *shower
				r := start(t, setup{
					says:  map[string][]llm.Reply{"m1": steps(2)},
					agent: func(a bot.Agent) bot.Agent { return slowBrain{a, c.took} },
					poster: func(p bot.Poster) bot.Poster {
						s = &shower{Platform: p.(*bottest.Platform), elsewhere: c.elsewhere}
						return s
					},
				})
				r.hear("m1", here, "export it")
				pass(time.Minute)
				if got := r.shows("m1/end").Text; got != "done with m1" {
					t.Fatalf("answer = %q", got)
				}
				if got := r.shows("m1/progress"); !got.Plan.Over || len(got.Plan.Tasks) != 2 {
					t.Errorf("the last progress = %+v, want all of it", got.Plan)
				}
				if revs := kept(r.chat, "m1/progress"); !c.kept(len(revs)) {
					t.Errorf("the outbox brought Revs %d", revs)
				}
				shown := s.all()
				if !c.shows(len(shown)) {
					t.Errorf("%d states were shown beside it", len(shown))
				}
				for i, p := range shown {
					if p.Plan.Over || i > 0 && p.Rev < shown[i-1].Rev {
						t.Errorf("Rev %d after %d, over %t", p.Rev, shown[max(0, i-1)].Rev, p.Plan.Over)
					}
				}
			})
		})
	}
}

// What has come while the first was on its way follows it.
func TestProgressFollowsTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s *shower
		r := start(t, setup{poster: func(p bot.Poster) bot.Poster { s = &shower{Platform: p.(*bottest.Platform)}; return s }})
		r.brain.gate = make(chan struct{})
		r.hear("m1", here, "export slowly")
		shown := s.all()
		if len(shown) == 0 || len(shown[len(shown)-1].Plan.Tasks) != 1 || shown[len(shown)-1].Plan.Tasks[0].State != bot.Complete {
			t.Errorf("shown %+v, want the step that is done", shown)
		}
		close(r.brain.gate)
		synctest.Wait()
	})
}

// The answer is seen while it is written, as long as the run is at work and no longer.
func TestDraftIsShownWhileTheRunWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s *shower
		r := start(t, setup{poster: func(p bot.Poster) bot.Poster { s = &shower{Platform: p.(*bottest.Platform)}; return s }})
		r.brain.gate = make(chan struct{})
		r.bot.Draft("m1", "too early")
		r.hear("m1", here, "export slowly")
		before := len(s.all())
		r.bot.Draft("m1", "Sales rose")
		r.bot.Draft("m1", "Sales rose")
		r.bot.Draft("m2", "of another")
		r.bot.Draft("m1", "")
		shown := s.all()[before:]
		if len(shown) != 2 || shown[0].Draft != "Sales rose" || shown[1].Draft != "" || shown[0].Key != "m1/progress" {
			t.Errorf("shown %+v, want the draft and its end", shown)
		}
		r.bot.Draft("m1", "Sales rose by 3")
		close(r.brain.gate)
		synctest.Wait()
		before = len(s.all())
		r.bot.Draft("m1", "Sales rose by 3 %")
		if late := s.all()[before:]; len(late) != 0 {
			t.Errorf("shown after the end: %+v", late)
		}
		if got := r.shows("m1/progress"); got.Draft != "" {
			t.Errorf("the last progress has the draft %q", got.Draft)
		}
	})
}
