package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// posts has m1 post to #sales, approved.
func posts(t *testing.T, s setup) *rig {
	t.Helper()
	s.says = map[string][]llm.Reply{"m1": {says("", call("post_message", `{"channel":"#sales"}`))}}
	r := start(t, s)
	r.hear("m1", here, "export the list")
	return r
}

const report = "m1/s1c1" // the key of that post

// O8: the receipt of a post is on disk before anybody is told of it, and who waits
// hears of it before the post has ended; cut off anywhere, it is not posted again.
func TestO8TheReceiptIsNotedBeforeItIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := posts(t, setup{})
		r.out.forget = map[string]int{report: 2}
		r.press(here, lee, "m1/q1", run.Yes)
		pass(10 * time.Second)
		if d := cmp.Diff([]string{"note", "told", "told", "told", "done"}, r.out.of(report)); d != "" {
			t.Errorf("order (-want +got):\n%s", d)
		}
		if n := len(r.said(sales)); n != 3 {
			t.Errorf("%d posts, want the report and its two files once", n)
		}
		if got := r.said(here); !slices.Contains(got, "done with m1") {
			t.Errorf("said %q, want the run to go on", got)
		}
	})
}

// O1: a post whose answer was lost is looked for, and found it is not said again.
func TestO1APostThatIsFoundIsNotSaidAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &watched{lost: report}
		r := posts(t, setup{poster: w.around})
		r.press(here, lee, "m1/q1", run.Yes)
		pass(time.Minute)
		if d := cmp.Diff([]string{"0s post", "1s find"}, w.of(report)); d != "" {
			t.Errorf("what was tried (-want +got):\n%s", d)
		}
		if n := len(r.said(sales)); n != 3 {
			t.Errorf("%d posts, want the report and its two files", n)
		}
		if got := r.run("m1"); got.State != run.Done {
			t.Errorf("run is %s", got.State)
		}
		if got, _ := r.run("m1").Posted(); len(got) != 1 || got[0].Link == "" {
			t.Errorf("the run knows of %+v, want the link", got)
		}
	})
}

// O1: a post that nobody knows of is looked for twice, a second apart, before it is said
// again.
func TestO1APostIsLookedForTwiceBeforeItIsSaidAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &watched{}
		r := posts(t, setup{poster: w.around})
		w.fail(bot.ErrUnknown)
		r.press(here, lee, "m1/q1", run.Yes)
		pass(time.Minute)
		want := []string{"0s post", "1s find", "2s find", "2s post"}
		if d := cmp.Diff(want, w.of(report)); d != "" {
			t.Errorf("what was tried (-want +got):\n%s", d)
		}
		if n := len(r.said(sales)); n != 3 {
			t.Errorf("%d posts, want the report and its two files", n)
		}
	})
}

// A post that cannot be looked for is never said blindly: the run hears that nobody
// knows.
func TestAPostThatCannotBeLookedForIsNotGuessed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &watched{blind: true}
		r := posts(t, setup{poster: w.around})
		w.fail(bot.ErrUnknown)
		r.press(here, lee, "m1/q1", run.Yes)
		pass(3 * time.Hour)
		tried := w.of(report)
		if d := cmp.Diff([]string{"0s post", "1s find", "3s find", "7s find", "15s find", "5m15s find"}, tried[:min(6, len(tried))]); d != "" {
			t.Errorf("what was tried at first (-want +got):\n%s", d)
		}
		if posts := slices.DeleteFunc(slices.Clone(tried), func(s string) bool { return strings.HasSuffix(s, "find") }); len(tried) != 20 || len(posts) != 1 {
			t.Errorf("tried %d times, and posted %d times; want 20 and once", len(tried), len(posts))
		}
		if _, why := r.run("m1").Posted(); !strings.HasPrefix(why, "nobody knows whether it arrived") {
			t.Errorf("the run hears %q", why)
		}
	})
}

// O12, C19: a busy platform is tried again after 1, 4, 16 and 64 seconds, and then for over
// two hours, since it may be away for as long; then the run hears why.
func TestO12ABusyPlatformIsTriedAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		busy int
		want []string
		why  string
	}{
		"for a while": {2, []string{"0s post", "1s post", "5s post"}, ""},
		"for an hour": {11, []string{
			"0s post", "1s post", "5s post", "21s post", "1m25s post", "6m25s post", "11m25s post", "16m25s post", "21m25s post", "26m25s post",
			"36m25s post", "46m25s post",
		}, ""},
		"for ever": {1000, []string{
			"0s post", "1s post", "5s post", "21s post", "1m25s post", "6m25s post", "11m25s post", "16m25s post", "21m25s post", "26m25s post",
			"36m25s post", "46m25s post", "56m25s post", "1h6m25s post", "1h16m25s post", "1h26m25s post", "1h36m25s post", "1h46m25s post", "1h56m25s post", "2h6m25s post",
		}, "the place was busy for too long"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &watched{}
				r := posts(t, setup{poster: func(p bot.Poster) bot.Poster { return plain{Poster: w.around(p)} }})
				for range tt.busy {
					w.fail(fmt.Errorf("429: %w", bot.ErrBusy))
				}
				r.press(here, lee, "m1/q1", run.Yes)
				pass(3 * time.Hour)
				if d := cmp.Diff(tt.want, w.of(report)); d != "" {
					t.Errorf("what was tried (-want +got):\n%s", d)
				}
				if _, why := r.run("m1").Posted(); why != tt.why {
					t.Errorf("the run hears %q, want %q", why, tt.why)
				}
				if got := r.run("m1").State; got != run.Done {
					t.Errorf("run is %s, want it to go on and end", got)
				}
			})
		})
	}
}

// O12: that a platform does not let the bot in is no fault of the post's: it waits for
// hours until somebody has mended it, and then is there.
func TestO12APostOutlivesARevokedToken(t *testing.T) {
	for name, tt := range map[string]struct {
		shut      int
		last, why string // when it was last tried, and what the run hears
	}{
		"mended":       {6, "38m0s post", ""},
		"never mended": {1000, "2h48m0s post", "the place did not take it"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &watched{}
				r := posts(t, setup{poster: func(p bot.Poster) bot.Poster { return plain{Poster: w.around(p)} }})
				for range tt.shut {
					w.fail(fmt.Errorf("token_revoked: %w", bot.ErrShut))
				}
				r.press(here, lee, "m1/q1", run.Yes)
				pass(37 * time.Minute)
				if got := r.run("m1").State; got != run.Delivering {
					t.Errorf("run is %s before anybody has mended it", got)
				}
				first := []string{"0s post", "1m0s post", "3m0s post", "8m0s post", "18m0s post", "28m0s post"}
				if d := cmp.Diff(first, w.of(report)); d != "" {
					t.Errorf("what was tried first (-want +got):\n%s", d)
				}
				pass(4 * time.Hour)
				got := w.of(report)
				if last := got[len(got)-1]; last != tt.last {
					t.Errorf("last tried at %s, want %s", last, tt.last)
				}
				if _, why := r.run("m1").Posted(); why != tt.why {
					t.Errorf("the run hears %q, want %q", why, tt.why)
				}
			})
		})
	}
}

// O12: when the workspace lets the bot in again what waits for that goes at once, and
// with it all that stands behind it in its place, at whatever time it would be tried.
func TestO12AWorkspaceThatIsOpenAgainIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &watched{}
		r := posts(t, setup{poster: func(p bot.Poster) bot.Poster { return plain{Poster: w.around(p)} }})
		for range 4 {
			w.fail(fmt.Errorf("token_revoked: %w", bot.ErrShut))
		}
		r.press(here, lee, "m1/q1", run.Yes)
		pass(9 * time.Minute) // the next try is in nine more
		if got := r.run("m1").State; got != run.Delivering {
			t.Fatalf("run is %s, want it to wait", got)
		}
		if err := r.bot.Reopened(t.Context(), bot.Place{Platform: sales.Platform, Workspace: "other"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := len(r.said(sales)); n != 0 {
			t.Errorf("%d posts after another workspace was opened", n)
		}
		if err := r.bot.Reopened(t.Context(), bot.Place{Platform: sales.Platform, Workspace: sales.Workspace}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := len(r.said(sales)); n != 3 {
			t.Errorf("%d posts, want the report and its two files at once", n)
		}
		if got := r.run("m1").State; got != run.Done {
			t.Errorf("run is %s", got)
		}
	})
}

// What was refused is not tried again, and the run hears why at once, in its
// language; so it does of a platform that is not there.
func TestARefusedPostTellsTheRunWhy(t *testing.T) {
	for name, tt := range map[string]struct {
		text, why string
		setup     func(*refuser) setup
	}{
		"in English": {"export the list", "I may not post there, or what was approved has changed", func(r *refuser) setup { return setup{poster: r.around} }},
		"in Chinese": {"导出数据", "我无权发到那里，或者内容与批准的不一致", func(r *refuser) setup { return setup{poster: r.around} }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := tt.setup(&refuser{at: sales, err: fmt.Errorf("not_in_channel: %w", bot.ErrRefused)})
				s.says = map[string][]llm.Reply{"m1": {says("", call("post_message", `{}`))}}
				r := start(t, s)
				r.hear("m1", here, tt.text)
				r.press(here, lee, "m1/q1", run.Yes)
				if _, why := r.run("m1").Posted(); why != tt.why {
					t.Errorf("the run hears %q, want %q", why, tt.why)
				}
				heard := r.brain.requests()
				last := heard[len(heard)-1].Messages
				if res := last[len(last)-1].Results[0]; !res.Failed || !strings.Contains(res.Text, tt.why) {
					t.Errorf("the model hears %+v", res)
				}
				if got := r.said(sales); len(got) != 0 {
					t.Errorf("said %q there: a post that failed has no files", got)
				}
			})
		})
	}
}

// A post to a platform that is not there has failed; the rest goes on.
func TestAPostToNobodyHoldsUpNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.hear("m1", bot.Place{Platform: "pigeon", Channel: "C1"}, "export the list")
		r.hear("m2", here, "export the list")
		if d := cmp.Diff([]string{"done with m2"}, r.said(here)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
		if left := r.out.Waiting(); len(left) != 0 {
			t.Errorf("%q has not ended", left)
		}
	})
}

// One place that waits for its platform holds up no other, and keeps its order.
func TestAPlaceThatWaitsHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &watched{}
		r := start(t, setup{poster: func(p bot.Poster) bot.Poster { return plain{Poster: w.around(p)} }})
		w.fail(bot.ErrBusy)
		r.hear("m1", here, "help")
		r.hear("m2", here, "export the list")
		r.hear("m3", there, "export the list")
		if got := r.said(there); !slices.Equal(got, []string{"done with m3"}) {
			t.Errorf("said %q there, want m3", got)
		}
		if got := r.said(here); len(got) != 0 {
			t.Errorf("said %q here, while the first waits", got)
		}
		pass(5 * time.Second)
		if got := r.said(here); len(got) != 2 || !strings.HasPrefix(got[0], "I get work done") || got[1] != "done with m2" {
			t.Errorf("said %q here, want both in their order", got)
		}
	})
}

// Files come after the post that they belong to, each a post of its own, with the
// key of theirs; one that fails takes nothing else with it.
func TestFilesFollowTheirPost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &watched{}
		r := posts(t, setup{poster: w.around})
		r.press(here, lee, "m1/q1", run.Yes)
		var got []string
		for _, p := range r.chat.Posts() {
			if p.Place != sales {
				continue
			}
			line := p.Key
			if p.File != nil {
				line += " " + p.File.Name + " after " + p.Thread.ID
			}
			got = append(got, line)
		}
		want := []string{report, report + "/file1 sales.xlsx after " + report, report + "/file2 sales.png after " + report}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("posts (-want +got):\n%s", d)
		}
		if w.of(report + "/file1")[0] != "0s post" {
			t.Errorf("file: %q", w.of(report+"/file1"))
		}
	})
}

// A12, A16: what is not any more what was approved is not posted, with its files.
func TestAChangedArtifactIsNotPosted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := posts(t, setup{})
		r.shelf.change("h2")
		r.press(here, lee, "m1/q1", run.Yes)
		pass(time.Minute)
		if got := r.said(sales); len(got) != 0 {
			t.Errorf("posted %q", got)
		}
		if _, why := r.run("m1").Posted(); why != "it was changed in my database after it was made, so I did not post it" {
			t.Errorf("the run hears %q", why)
		}
	})
}

// A report that a run has made is shown beside its answer, with its files, once.
func TestAReportIsShownBesideTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{says: map[string][]llm.Reply{"m1": {says("", call("make_report", `{}`)), says("Here it is.")}}})
		r.hear("m1", here, "export the list")
		if d := cmp.Diff([]string{"Here it is.\n\n# Sales\n\n| a | b |", "", ""}, r.said(here)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
	})
}

// refuser is a platform that does not take posts at a place.
type refuser struct {
	bot.Poster
	members
	at  bot.Place
	err error
}

func (r *refuser) around(p bot.Poster) bot.Poster {
	r.Poster = p
	return r
}

func (r *refuser) Post(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	if p.Place == r.at && r.err != nil {
		return bot.Receipt{}, r.err
	}
	return r.Poster.Post(ctx, p)
}

// watched is a platform that notes when what is tried, and fails when told to. It
// may be unable to look.
type watched struct {
	bot.Poster
	members
	blind bool
	lost  string // key of the post that arrives while the answer does not

	mu    sync.Mutex
	fails []error
	log   []string
	first map[string]time.Time
}

func (w *watched) around(p bot.Poster) bot.Poster {
	w.Poster, w.first = p, map[string]time.Time{}
	return w
}

func (w *watched) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fails = append(w.fails, err)
}

// note returns the error of the next post that is new and public.
func (w *watched) note(what string, p bot.Post) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.first[p.Key]; !ok {
		w.first[p.Key] = time.Now()
	}
	w.log = append(w.log, fmt.Sprintf("%s %s %s", time.Since(w.first[p.Key]), what, p.Key))
	if what != "post" || p.Delivered != nil || p.Kind == bot.Progress || len(w.fails) == 0 {
		return nil
	}
	err := w.fails[0]
	w.fails = w.fails[1:]
	return err
}

func (w *watched) Post(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	if err := w.note("post", p); err != nil {
		return bot.Receipt{}, err
	}
	r, err := w.Poster.Post(ctx, p)
	if p.Key == w.lost && err == nil {
		return bot.Receipt{}, bot.ErrUnknown
	}
	return r, err
}

func (w *watched) Find(ctx context.Context, p bot.Post) (bot.Receipt, bool, error) {
	if err := w.note("find", p); err != nil {
		return bot.Receipt{}, false, err
	}
	if w.blind {
		return bot.Receipt{}, false, errors.New("no history")
	}
	return w.Poster.(bot.Finder).Find(ctx, p)
}

// of returns what was tried of one post.
func (w *watched) of(key string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var got []string
	for _, l := range w.log {
		if what, found := strings.CutSuffix(l, " "+key); found {
			got = append(got, what)
		}
	}
	return got
}

// plain hides that a platform can look.
type plain struct {
	bot.Poster
	members
}

// fileless is a platform that takes no files, or not the first so often.
type fileless struct {
	bot.Poster
	err   error
	until int // how often it fails; 0 is for ever

	mu    sync.Mutex
	tries int
}

func (f *fileless) around(p bot.Poster) bot.Poster {
	f.Poster = p
	return f
}

func (f *fileless) Post(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	if p.File == nil {
		return f.Poster.Post(ctx, p)
	}
	f.mu.Lock()
	f.tries++
	fails := f.until == 0 || f.tries <= f.until
	f.mu.Unlock()
	if fails {
		return bot.Receipt{}, f.err
	}
	return f.Poster.Post(ctx, p)
}

// Who was told that a report is posted is told once, and at home, which of its files
// are not there; so is who sees the card. Those that come late are no fault.
func TestMissingFilesAreNamedAtHome(t *testing.T) {
	refused, busy := fmt.Errorf("missing_scope: %w", bot.ErrRefused), fmt.Errorf("429: %w", bot.ErrBusy)
	for name, tt := range map[string]struct {
		text  string
		err   error
		until int
		want  []string
	}{
		"refused":            {"export the list", refused, 0, []string{"The post is there, but without 2 files: ` sales.xlsx `, ` sales.png ` (I may not upload files).", "What stands above is without 2 files: ` sales.xlsx `, ` sales.png ` (I may not upload files)."}},
		"refused in Chinese": {"导出数据", refused, 0, []string{"上面的内容缺少文件：` sales.xlsx `、` sales.png `（我无权上传文件）。", "消息已经发出，但缺少文件：` sales.xlsx `、` sales.png `（我无权上传文件）。"}},
		"one of two":         {"export the list", refused, 1, []string{"What stands above is without 1 file: ` sales.xlsx ` (I may not upload files)."}},
		"busy for ever":      {"export the list", busy, 0, []string{"The post is there, but without 2 files: ` sales.xlsx `, ` sales.png ` (the place was busy for too long).", "What stands above is without 2 files: ` sales.xlsx `, ` sales.png ` (the place was busy for too long)."}},
		"busy for a while":   {"export the list", busy, 3, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fileless{err: tt.err, until: tt.until}
				r := start(t, setup{
					says:   map[string][]llm.Reply{"m1": {says("", call("post_message", `{"channel":"#sales"}`))}},
					poster: func(p bot.Poster) bot.Poster { return plain{Poster: f.around(p)} },
				})
				r.hear("m1", here, tt.text)
				r.out.forget = map[string]int{report + "/file2": 1}
				r.press(here, lee, "m1/q1", run.Yes)
				pass(3 * time.Hour)
				var got []string
				for _, p := range r.chat.Posts() {
					if strings.HasSuffix(p.Key, "/missing") {
						got = append(got, p.Text)
						if p.Place != here {
							t.Errorf("said at %v, want at home", p.Place)
						}
					}
				}
				slices.Sort(got)
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Errorf("said of files (-want +got):\n%s", d)
				}
			})
		})
	}
}

// A file that waits for another try holds up nothing that is said in its place.
func TestAFileThatFailsHoldsUpNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fileless{err: bot.ErrBusy}
		r := start(t, setup{
			says:   map[string][]llm.Reply{"m1": {says("", call("make_report", `{}`)), says("Here it is.")}},
			poster: func(p bot.Poster) bot.Poster { return plain{Poster: f.around(p)} },
		})
		r.hear("m1", here, "export the list")
		r.hear("m2", here, "export the list")
		if got := r.said(here); !slices.Contains(got, "done with m2") {
			t.Errorf("said %q, want the next answer though files wait", got)
		}
	})
}
