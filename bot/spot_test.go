package bot_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/bot"
)

// spots draws the runs that it is told to.
type spots struct {
	mu    sync.Mutex
	runs  []string
	draws []bot.Draw
	kept  map[string][]bot.Sample
}

func (s *spots) Draw(ctx context.Context, d bot.Draw) ([]bot.Sample, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draws = append(s.draws, d)
	if s.kept == nil {
		s.kept = map[string][]bot.Sample{}
	}
	if _, ok := s.kept[d.Week]; !ok {
		s.kept[d.Week] = []bot.Sample{}
		for i, key := range s.runs {
			s.kept[d.Week] = append(s.kept[d.Week], bot.Sample{Week: d.Week, N: i + 1, Run: key, Place: d.Place, Link: "https://chat/" + key})
		}
	}
	return slices.Clone(s.kept[d.Week]), nil
}

func (s *spots) Judge(_ context.Context, v bot.Verdict) (bot.Sample, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, x := range s.kept[v.Week] {
		if x.N != v.N {
			continue
		}
		x.Verdicts = append(slices.DeleteFunc(x.Verdicts, func(o bot.Verdict) bool { return o.Person == v.Person }), v)
		x.Rev++
		s.kept[v.Week][i] = x
		return x, nil
	}
	return bot.Sample{}, bot.ErrNoRun
}

func (s *spots) Judged(context.Context, time.Time) ([]bot.Sample, error) { return nil, nil }

// SAFE-11: once a week people are asked to look at runs that were drawn: what was asked
// for, what was done, what it cost, with a button for each verdict. A verdict shows who
// gave it, and a later one of the same person takes its place.
func TestSAFE11AWeekIsLookedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reviews := bot.Place{Platform: "slack", Workspace: "T1", Channel: "C9"}
		s := &spots{}
		r := start(t, setup{
			spots: s,
			cfg:   bot.Config{Spot: bot.SpotCheck{Place: reviews, N: 2, Day: time.Monday, At: 9 * time.Hour}},
			says:  map[string][]llm.Reply{"m1": {says("", call("query_metric", `{"measure":"sales"}`)), says("12 sold")}},
		})
		r.hear("m1", here, "@hermes sales <!channel>\nof `last` month?")
		r.hear("m2", there, "@hermes 上个月的销售额？")
		s.mu.Lock()
		s.runs = []string{"m1", "m2", "gone"}
		s.kept = nil
		s.mu.Unlock()
		monday := time.Date(2000, 1, 3, 9, 0, 0, 0, time.UTC)
		pass(time.Until(monday.Add(-time.Minute)))
		before := len(r.said(reviews))
		pass(10 * time.Minute)
		got := r.said(reviews)[before:]
		if len(got) != 3 {
			t.Fatalf("posts = %q", got)
		}
		for i, wants := range [][]string{
			{"Spot check, 27 Dec – 3 Jan 2000", "2 pieces of work"},
			{"asked:", "sales <!channel> of `last` month?", "✓ Look up figures: sales", "Done", "tokens", "Answer: https://chat/m1"},
			{"提出：", "上个月的销售额？", "完成"},
		} {
			for _, want := range wants {
				if !strings.Contains(got[i], want) {
					t.Errorf("post %d lacks %q: %s", i, want, got[i])
				}
			}
		}
		one := r.shows("spot:2000-01-03:1")
		if len(one.Choices) != 3 || one.Choices[0].ID != "right" || one.Choices[1].Label != "Wrong" || one.Trace == "" || one.Footer == "" {
			t.Errorf("the first = %+v", one)
		}

		r.press(reviews, lee, one.Question, "wrong")
		r.press(reviews, moe, one.Question, "right")
		if said := r.shows("spot:2000-01-03:1"); !strings.Contains(said.Text, "Wrong, says Lee") || !strings.Contains(said.Text, "Right, says Moe") || len(said.Choices) != 3 {
			t.Errorf("after two verdicts: %q", said.Text)
		}
		r.press(reviews, lee, one.Question, "unclear")
		if said := r.shows("spot:2000-01-03:1").Text; strings.Contains(said, "Wrong, says") || !strings.Contains(said, "Unclear, says Lee") {
			t.Errorf("after another of the same person: %q", said)
		}
		for _, bad := range []struct{ question, choice string }{{"spot:2000-01-03:9", "right"}, {"spot:1999-01-03:1", "right"}, {one.Question, "approve"}, {"spot:", "right"}} {
			told := len(r.whispers(reviews, gus))
			r.press(reviews, gus, bad.question, bad.choice)
			if len(r.whispers(reviews, gus)) != told+1 {
				t.Errorf("%+v is not answered", bad)
			}
		}

		// Nothing more in this week; the next one is asked about by itself.
		pass(6 * 24 * time.Hour)
		if n := len(r.said(reviews)) - before; n != 3+4 { // with what gus was told
			t.Errorf("%d posts in the week, want 7", n)
		}
		pass(24 * time.Hour)
		if n := len(r.said(reviews)) - before; n != 6+4 {
			t.Errorf("%d posts after the next, want 10", n)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		d := s.draws[len(s.draws)-1]
		if d.Week != "2000-01-10" || !d.From.Equal(monday) || !d.Until.Equal(monday.AddDate(0, 0, 7)) || d.N != 2 {
			t.Errorf("the draw = %+v", d)
		}
		// What only one person sees stays with them; without a judge, so does every other channel.
		for _, tt := range []struct {
			home bot.Place
			want bool
		}{{reviews, true}, {bot.Place{Platform: "slack", Workspace: "T1", Channel: "C9", Thread: "1"}, true}, {here, false}, {bot.Place{Platform: "web", Workspace: "T1", Channel: "C9"}, false}} {
			if got := d.Fits(t.Context(), tt.home); got != tt.want {
				t.Errorf("%s fits = %t", tt.home, got)
			}
		}
	})
}

// SAFE-11: without a channel nobody is asked.
func TestSAFE11NoChannelNoSpotCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &spots{}
		start(t, setup{spots: s})
		pass(8 * 24 * time.Hour)
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.draws) > 0 {
			t.Errorf("drawn %+v", s.draws)
		}
	})
}
