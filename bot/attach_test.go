package bot_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/file"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/bot/bottest"
)

// A library is a platform with files and with what was said in threads.
type library struct {
	*bottest.Platform
	mu     sync.Mutex
	files  map[string][]byte
	fails  map[string][]error // by id, one for each try
	asked  []string
	quotes []bot.Quote
	lost   error
}

func (l *library) Fetch(_ context.Context, _ bot.Place, a bot.Attachment, most int64) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, "fetch "+a.ID)
	if errs := l.fails[a.ID]; len(errs) > 0 {
		l.fails[a.ID] = errs[1:]
		return nil, errs[0]
	}
	b, ok := l.files[a.ID]
	switch {
	case !ok:
		return nil, errors.New("no such file")
	case int64(len(b)) > most:
		return nil, bot.ErrTooLarge
	}
	return b, nil
}

// Reread returns what stands between two keys, which are times here.
func (l *library) Reread(_ context.Context, p bot.Place, after, before string, n int) ([]bot.Quote, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, fmt.Sprintf("reread %s after %q before %q", p.Thread, after, before))
	if l.lost != nil {
		return nil, l.lost
	}
	var out []bot.Quote
	for _, q := range l.quotes {
		if q.Key > after && q.Key < before {
			out = append(out, q)
		}
	}
	return out[max(0, len(out)-n):], nil
}

// startWith runs a Bot on a library.
func startWith(t *testing.T, l *library, says map[string][]llm.Reply) *rig {
	t.Helper()
	return start(t, setup{
		says: says, clerk: file.NewClerk(cabinet{}, nil),
		poster: func(p bot.Poster) bot.Poster { l.Platform = p.(*bottest.Platform); return l },
	})
}

// A cabinet keeps artifacts.
type cabinet map[string]tool.Artifact

func (c cabinet) Put(_ context.Context, a tool.Artifact) (tool.Artifact, error) {
	c[a.ID] = a
	return a, nil
}

func (c cabinet) Artifact(_ context.Context, id string) (tool.Artifact, error) {
	a, ok := c[id]
	if !ok {
		return a, tool.ErrNoArtifact
	}
	return a, nil
}

// asks has ana say something with files.
func (r *rig) asks(key, text string, files ...bot.Attachment) {
	r.t.Helper()
	r.receive(bot.Message{Key: key, Place: here, From: ana, Name: "Ana", Text: text, Addressed: true, At: time.Now(), Zone: "UTC", Files: files})
}

// lastAsked is the last request that the model was asked with.
func (r *rig) lastAsked() llm.Request {
	r.t.Helper()
	r.brain.mu.Lock()
	defer r.brain.mu.Unlock()
	if len(r.brain.heard) == 0 {
		r.t.Fatal("the model was asked nothing")
	}
	return r.brain.heard[len(r.brain.heard)-1]
}

// reads is what people read under a key.
func (r *rig) reads(key string) string {
	r.t.Helper()
	p, ok := r.chat.Shows(key)
	if !ok {
		r.t.Fatalf("nothing stands under %s", key)
	}
	return p.Text
}

// Issue 4: a file that comes with a message is fetched, read, and part of what the
// run is asked with.
func TestAFileIsReadForTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &library{files: map[string][]byte{"F1": []byte("region,amount\nAsia,5\nEurope,7\n")}}
		r := startWith(t, l, map[string][]llm.Reply{"m1": {says("Two rows.")}, "m2": {says("Seven.")}})
		r.asks("m1", "summarise this file", bot.Attachment{ID: "F1", Name: "dir/sales.csv", Mime: "text/csv", Size: 30})
		got := r.lastAsked().Scene.Files
		if len(got) != 1 || got[0].Name != "sales.csv" || !got[0].Read || len(got[0].Tables) != 1 || !strings.Contains(got[0].Said, "sum 12") {
			t.Fatalf("the run was asked with %+v", got)
		}
		if text := r.reads("m1/end"); text != "Two rows." {
			t.Errorf("answered %q", text)
		}
		<-time.After(time.Minute)
		// A later question finds it again, as one of before.
		r.asks("m2", "what is the largest amount in the file?")
		if got := r.lastAsked().Scene.Files; len(got) != 1 || !got[0].Earlier || got[0].Name != "sales.csv" {
			t.Errorf("the next run was asked with %+v, want the file as one of before", got)
		}
	})
}

// Issue 4: a file that cannot be had or read is told of in one sentence under the
// answer, whatever the model says, and the run goes on with the others.
func TestAFileThatIsNotReadIsToldOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &library{
			files: map[string][]byte{"ok": []byte("some words"), "login": []byte("<html><title>Sign in</title><input type=password>secret</html>"), "odd": {0x7f, 'E', 'L', 'F', 0, 1, 2, 3}},
			fails: map[string][]error{"no": {bot.ErrNoAccess}, "busy": {bot.ErrBusy}},
		}
		l.files["busy"] = []byte("at last")
		r := startWith(t, l, map[string][]llm.Reply{"m1": {says("Here.")}, "m2": {says("So.")}})
		r.asks("m1", "compare these files", bot.Attachment{ID: "no", Name: "no.csv"}, bot.Attachment{ID: "big", Name: "big.csv", Size: 21 << 20},
			bot.Attachment{ID: "login", Name: "l.csv"}, bot.Attachment{ID: "odd", Name: "odd"}, bot.Attachment{ID: "ok", Name: "ok.txt"}, bot.Attachment{ID: "ok", Name: "sixth.txt"})
		text := r.reads("m1/end")
		for _, want := range []string{"Here.", "**no.csv**: I am not allowed", "**big.csv**: it is larger", "**l.csv**: in its place came a page to sign in", "I did not read **odd**", "**sixth.txt**: I read the first five"} {
			if !strings.Contains(text, want) {
				t.Errorf("answered %q, want %q in it", text, want)
			}
		}
		if strings.Contains(text, "ok.txt") || strings.Contains(fmt.Sprint(r.lastAsked()), "secret") {
			t.Errorf("S15 the page to sign in, or a file that was read, is told of: %q", text)
		}
		if cmp.Equal(l.asked, nil) || strings.Contains(strings.Join(l.asked, " "), "fetch big") {
			t.Errorf("asked for %q; a file that says that it is too large is not fetched", l.asked)
		}
		// What is busy is asked for again.
		r.asks("m2", "总结一下这个文件", bot.Attachment{ID: "busy", Name: "b.txt"})
		<-time.After(5 * time.Second)
		synctest.Wait()
		if text := r.reads("m2/end"); text != "So." {
			t.Errorf("answered %q, want the file read at the second try", text)
		}
	})
}

// Issue 4: a file without words is asked about, in the language of its name.
func TestAFileWithoutWordsIsAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &library{files: map[string][]byte{"F1": []byte("x y z")}}
		r := startWith(t, l, map[string][]llm.Reply{"m1": {says("One.")}, "m2": {says("一。")}, "m3": {says("Seen.")}})
		for key, want := range map[string]struct{ name, lang, asked string }{"m1": {"a.txt", "en", "What is in this file?"}, "m2": {"报告.txt", "zh", "这个文件里有什么？"}} {
			r.asks(key, "", bot.Attachment{ID: "F1", Name: want.name})
			got := r.lastAsked()
			if m := got.Messages[len(got.Messages)-1]; m.Text != want.asked || got.Scene.Lang != want.lang {
				t.Errorf("%s: asked %q in %s, want %q in %s", key, m.Text, got.Scene.Lang, want.asked, want.lang)
			}
		}
		// "Here you go" is no small talk if something comes with it.
		r.asks("m3", "thanks!", bot.Attachment{ID: "F1", Name: "a.txt"})
		if got := r.lastAsked(); len(got.Scene.Files) != 1 {
			t.Errorf("a file with a friendly word: asked with %+v", got.Scene.Files)
		}
	})
}

// A file says what it is to the person by the Clerk alone: every reason has a sentence
// in the language of the answer.
func TestReasonsAreToldInTheLanguageOfTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &library{fails: map[string][]error{"no": {bot.ErrNoAccess}}}
		r := startWith(t, l, map[string][]llm.Reply{"m1": {says("好的。")}})
		r.asks("m1", "分析一下这个文件", bot.Attachment{ID: "no", Name: "a.csv"})
		if text := r.reads("m1/end"); !strings.Contains(text, "没有取文件的权限") {
			t.Errorf("answered %q", text)
		}
		req, _, err := r.store.Run(t.Context(), "m1")
		if err != nil || len(req.Files) != 1 || req.Files[0].Why != run.NoAccess {
			t.Errorf("the run holds %+v, %v", req.Files, err)
		}
	})
}
