package web_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
)

func pngOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (s *stage) keep(t *testing.T, f bot.File, b []byte) bot.File {
	t.Helper()
	s.shelf[f.ID] = struct {
		file  bot.File
		bytes []byte
	}{f, b}
	return f
}

// A guest reads #general and nothing else: no page, no lines, no files, no thread.
func TestGuestSeesOnlyGeneral(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	line := said("sales", "", "aaaaaaaa1", "lead", "a secret of sales")
	line.Files = []bot.File{s.keep(t, bot.File{ID: "f1", Name: "x.csv", Mime: "text/csv"}, []byte("a,b"))}
	s.desk.add(line, said("general", "", "aaaaaaaa2", "lead", "hello all"))
	guest, lee := s.enter("guest"), s.enter("lead")

	for _, path := range []string{"/c/sales", "/c/sales/aaaaaaaa1", "/lines/sales", "/lines/sales/aaaaaaaa1", "/file/sales/-/aaaaaaaa1/f1", "/file/general/-/aaaaaaaa1/f1", "/c/dm-lead", "/lines/dm-lead"} {
		if code, page, _ := guest.get(path); code != http.StatusNotFound || strings.Contains(page, "secret") {
			t.Errorf("guest: GET %s = %d, want 404", path, code)
		}
	}
	if _, page, _ := guest.get("/c/general"); !strings.Contains(page, "hello all") || strings.Contains(page, "/c/sales") {
		t.Errorf("guest's #general lacks its line or leads to #sales")
	}
	for _, path := range []string{"/c/sales", "/file/sales/-/aaaaaaaa1/f1"} {
		if code, _, _ := lee.get(path); code != http.StatusOK {
			t.Errorf("lead: GET %s = %d, want 200", path, code)
		}
	}
}

// A line for one person is on that person's pages alone.
func TestPrivateLine(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	private := told("general", "", "post-1", "not yours to decide")
	private.Only = "web:demo:analyst"
	private.Files = []bot.File{s.keep(t, bot.File{ID: "f1", Name: "x.csv"}, []byte("a"))}
	s.desk.add(private)
	r, _ := s.con.Post(t.Context(), bot.Post{Key: private.Key, Place: private.Place, Only: private.Only})
	file := "/file/general/-/" + r.Link[strings.LastIndex(r.Link, "/")+1:] + "/f1"

	ana, lee := s.enter(""), s.enter("lead")
	if _, page, _ := ana.get("/c/general"); !strings.Contains(page, "not yours") || !strings.Contains(page, "Only you can see this") {
		t.Errorf("the person's own page lacks the private line")
	}
	if code, _, _ := ana.get(file); code != http.StatusOK {
		t.Errorf("its file = %d, want 200", code)
	}
	if _, page, _ := lee.get("/c/general"); strings.Contains(page, "not yours") {
		t.Errorf("another's page shows the private line")
	}
	if code, _, _ := lee.get(file); code != http.StatusNotFound {
		t.Errorf("its file for another = %d, want 404", code)
	}
	if code, _, _ := lee.get(r.Link); code != http.StatusNotFound {
		t.Errorf("its page for another = %d, want 404", code)
	}
}

// A PNG is shown. All else is saved, under a plain name, and cannot run.
func TestFiles(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	line := said("general", "", "aaaaaaaa1", "lead", "files")
	// Few bytes that say that they are 50,000 pixels wide, and as high.
	huge := pngOf(t, 1, 1)
	copy(huge[16:], []byte{0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50})
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	line.Files = []bot.File{
		s.keep(t, bot.File{ID: "chart", Name: "sales by region.png", Mime: "image/png"}, pngOf(t, 30, 20)),
		s.keep(t, bot.File{ID: "book", Name: "../../销售 <1>.xlsx", Mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, make([]byte, 2500)),
		s.keep(t, bot.File{ID: "page", Name: "x.html", Mime: "text/html"}, []byte("<script>alert(1)</script>")),
		s.keep(t, bot.File{ID: "bomb", Name: "bomb.png", Mime: "image/png"}, huge),
		s.keep(t, bot.File{ID: "liar", Name: "x.png", Mime: "image/png"}, []byte("<script>alert(1)</script>")),
	}
	s.desk.add(line)
	b := s.enter("")
	type answer struct{ Kind, Disposition, Policy string }
	const policy = "default-src 'none'; sandbox; frame-ancestors 'none'"
	for id, want := range map[string]answer{
		"chart": {"image/png", `inline; filename="sales by region.png"`, policy},
		"book":  {"application/octet-stream", "attachment; filename*=utf-8''%E9%94%80%E5%94%AE%20-1-.xlsx", policy},
		"page":  {"application/octet-stream", "attachment; filename=x.html", policy},
		"liar":  {"application/octet-stream", "attachment; filename=x.png", policy},
		"bomb":  {"application/octet-stream", "attachment; filename=bomb.png", policy},
	} {
		code, _, h := b.get("/file/general/-/aaaaaaaa1/" + id)
		got := answer{h.Get("Content-Type"), h.Get("Content-Disposition"), h.Get("Content-Security-Policy")}
		if d := cmp.Diff(want, got); code != http.StatusOK || d != "" {
			t.Errorf("file %s = %d (-want +got):\n%s", id, code, d)
		}
	}
	_, page, _ := b.get("/c/general")
	for _, want := range []string{`<img src="/file/general/-/aaaaaaaa1/chart" width="30" height="20" alt="Chart: sales by region"`, "2.5 kB", `href="/file/general/-/aaaaaaaa1/liar" download`, `href="/file/general/-/aaaaaaaa1/bomb" download`} {
		if !strings.Contains(page, want) {
			t.Errorf("page lacks %q", want)
		}
	}
	if code, _, _ := b.get("/file/general/-/aaaaaaaa1/other"); code != http.StatusNotFound {
		t.Errorf("a file that the line does not have = %d, want 404", code)
	}
}

// The link of a Post leads to it, in the channel and in a thread, with its answers
// beside it.
func TestLinkLeadsToPost(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	root := told("sales", "", "slack-like/key with spaces@2026", "the monthly report")
	reply := said("sales", root.Key, "aaaaaaaa2", "lead", "well done")
	answer := told("sales", root.Key, "another#1", "thank you")
	s.desk.add(root, reply, answer)
	b := s.enter("")
	for _, l := range []bot.Line{root, answer} {
		r, err := s.con.Post(t.Context(), bot.Post{Key: l.Key, Place: l.Place})
		if err != nil {
			t.Fatal(err)
		}
		if want := (bot.Ref{Place: l.Place, ID: l.Key}); r.Ref != want {
			t.Errorf("Ref = %v, want %v", r.Ref, want)
		}
		path, anchor, _ := strings.Cut(r.Link, "#")
		code, page, _ := b.get(path)
		if code != http.StatusOK {
			t.Fatalf("GET %s = %d, want 200", path, code)
		}
		for _, want := range []string{"the monthly report", "well done", "thank you", `id="` + anchor} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", r.Link, want)
			}
		}
	}
	if _, err := s.con.Post(t.Context(), bot.Post{Key: "x", Place: place("nowhere", "")}); !errors.Is(err, bot.ErrRefused) {
		t.Errorf("Post to no channel = %v, want ErrRefused", err)
	}
}

// A page is as its lines are: people and bot, cards with buttons, progress as steps,
// files once, days between, and the call of the bot's name where it was.
func TestChannelPage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	file := s.keep(t, bot.File{ID: "f1", Name: "only-once.xlsx"}, []byte("x"))
	asked := said("general", "aaaaaaaa1", "aaaaaaaa1", "analyst", "sales by region")
	asked.Answers = 3
	progress := told("general", "aaaaaaaa1", "p1", "Working on it\n- [x] read\n- [~] query\n- [ ] write")
	progress.Kind, progress.Choices = bot.Progress, []bot.Choice{{ID: "stop:r", Label: "Stop"}}
	report := told("general", "aaaaaaaa1", "p2", "**Total** 12")
	report.Kind, report.Files, report.Footer, report.Trace = bot.Report, []bot.File{file}, "built-in rules", "t1"
	brings := told("general", "aaaaaaaa1", "p3", "")
	brings.File = &file
	s.desk.add(asked, progress, report, brings)
	b := s.enter("")

	_, channel, _ := b.get("/c/general")
	for _, want := range []string{`<span class="name">@hermes</span>`, "3 replies", `href="/c/general/aaaaaaaa1"`, "Today"} {
		if !strings.Contains(channel, want) {
			t.Errorf("channel lacks %q", want)
		}
	}
	called := said("ops", "aaaaaaaa3", "aaaaaaaa3", "analyst", "hi @hermes")
	s.desk.add(called)
	if _, ops, _ := b.get("/lines/ops"); strings.Count(ops, `<span class="name">@hermes</span>`) != 1 || !strings.Contains(ops, `<p>hi <span class="name">@hermes</span></p>`) {
		t.Errorf("the call of the name does not stand where it was written:\n%s", ops)
	}
	if strings.Contains(channel, "<strong>Total</strong>") {
		t.Errorf("channel shows what stands in the thread")
	}
	_, thread, _ := b.get("/c/general/aaaaaaaa1")
	for _, want := range []string{`<li class="done">`, `<li class="now">`, `<li class="todo">`, `value="stop:r">Stop`, "<strong>Total</strong>", `href="/runs/t1"`} {
		if !strings.Contains(thread, want) {
			t.Errorf("thread lacks %q", want)
		}
	}
	if n := strings.Count(thread, "<b>only-once.xlsx</b>"); n != 1 {
		t.Errorf("the file is shown %d times, want once", n)
	}
}

// A list keeps its versions while nothing changes, so that the script leaves lines
// as they are.
func TestVersionsAreStable(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	card := told("general", "", "p1", "May I?")
	card.Kind, card.Question, card.Choices = bot.Card, "q", []bot.Choice{{ID: "y", Label: "Yes"}}
	s.desk.add(card)
	b := s.enter("")
	version := func() string {
		_, list, _ := b.get("/lines/general")
		_, v, _ := strings.Cut(list, `<article`)
		_, v, _ = strings.Cut(v, `data-v="`)
		v, _, _ = strings.Cut(v, `"`)
		return v
	}
	first := version()
	if again := version(); first == "" || again != first {
		t.Errorf("versions = %q and %q, want them alike", first, again)
	}
	s.desk.mu.Lock()
	s.desk.lines[0].Text, s.desk.lines[0].Rev = "Settled.", 1
	s.desk.mu.Unlock()
	if changed := version(); changed == first {
		t.Errorf("version stays %q after a change", changed)
	}
}

// The pages beside chat show what the desk has, and say what would be there if it
// has nothing.
func TestDeskPages(t *testing.T) {
	t.Parallel()
	empty := newStage(t).enter("")
	full := newStage(t)
	home := place("general", "aaaaaaaa1")
	full.desk.questions = []bot.OpenQuestion{
		{ID: "q2", Asker: "web:demo:guest", Text: "not **mine**", Home: home},
		{ID: "q1", Asker: "web:demo:analyst", Text: "post it?", Home: home, Mine: true, Choices: []bot.Choice{{ID: "y", Label: "Post now"}}, Expires: time.Now().Add(3*time.Hour + time.Minute)},
	}
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		t.Fatal(err)
	}
	full.desk.jobs = []bot.JobView{{ID: "S1", Name: "Monthly sales", When: "on the 1st at 9:00", Zone: "Asia/Shanghai", State: "active", Owner: "web:demo:analyst",
		Next: []time.Time{time.Date(2027, 1, 1, 9, 0, 0, 0, shanghai)}, Grant: &bot.GrantView{Until: time.Date(2027, 5, 3, 0, 0, 0, 0, shanghai), Left: 11, Max: 12},
		Slots: []bot.SlotView{{Nominal: "2026-12-01 09:00", State: "missed", Reason: "was off", Link: "javascript:alert(1)"}}}}
	full.desk.runs = []bot.RunView{{Trace: "t1", Asker: "web:demo:lead", Text: "by product", State: "done", Home: home}}
	full.desk.facts = []bot.FactView{{ID: "1", Text: "prefers CSV", Link: "/c/general/aaaaaaaa1", Status: "disputed", At: time.Now()}}
	b := full.enter("")

	for path, want := range map[string]struct {
		none string
		some []string
	}{
		"/approvals": {"Nothing waits for a decision", []string{"post it?", "Post now", "3 hours left", "<strong>mine</strong>", `title="1 waits for you"`}},
		"/schedules": {"No schedules yet", []string{"Monthly sales", "Fri 1 Jan 2027, 09:00 CST", "until 3 May 2027, 11 of 12 posts left", "was off", "pause schedule S1"}},
		"/runs":      {"No runs yet", []string{"by product", "/runs/t1"}},
		"/memory":    {"Nothing is remembered yet", []string{"prefers CSV", "where it was said", "disputed"}},
	} {
		if _, page, _ := empty.get(path); !strings.Contains(page, want.none) {
			t.Errorf("empty %s lacks %q", path, want.none)
		}
		_, page, _ := b.get(path)
		for _, w := range want.some {
			if !strings.Contains(page, w) {
				t.Errorf("%s lacks %q", path, w)
			}
		}
		if strings.Contains(page, "javascript:") {
			t.Errorf("%s has a link with javascript:", path)
		}
	}
	_, page, _ := b.get("/approvals")
	if strings.Index(page, "post it?") > strings.Index(page, "not <strong>mine") {
		t.Errorf("what waits for the viewer does not come first")
	}
	b.post("/lang", url.Values{"lang": {"zh"}, "back": {"/schedules"}})
	if _, page, _ = b.get("/schedules"); !strings.Contains(page, "到 2027年5月3日，还可发 11 次，共 12 次") {
		t.Error("the schedule's grant is not in Chinese")
	}
	b.post("/lang", url.Values{"lang": {"en"}, "back": {"/schedules"}})
	_, page, _ = b.get("/runs/t1")
	for _, w := range []string{"query_metric", "4 rows", "approved by Lee", "I look"} {
		if !strings.Contains(page, w) {
			t.Errorf("the run lacks %q", w)
		}
	}
	if strings.Contains(page, "web/demo/general/q1") {
		t.Error("the run shows the id of a question")
	}
	if code, _, _ := b.get("/runs/none"); code != http.StatusNotFound {
		t.Errorf("a run that is not there = %d, want 404", code)
	}
}

// The interface speaks the language that was chosen, else the browser's.
func TestLanguage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.enter("")
	req := b.request("GET", "/approvals", nil)
	req.Header.Set("Accept-Language", "fr, zh-CN;q=0.8, en;q=0.5")
	if _, page, _ := b.do(req); !strings.Contains(page, `<html lang="zh-CN">`) || !strings.Contains(page, "没有等待决定的事项") {
		t.Errorf("a Chinese browser gets another language")
	}
	b.post("/lang", map[string][]string{"lang": {"en"}})
	req = b.request("GET", "/approvals", nil)
	req.Header.Set("Accept-Language", "zh-CN")
	if _, page, _ := b.do(req); !strings.Contains(page, "Nothing waits") {
		t.Errorf("the chosen language is not kept")
	}
}

// The first page of an empty workspace says what to do, with examples.
func TestWelcome(t *testing.T) {
	t.Parallel()
	_, page, _ := newStage(t).enter("").get("/c/general")
	for _, want := range []string{"Welcome", "summarise last month", "把上个月的销售数据按地区汇总"} {
		if !strings.Contains(page, want) {
			t.Errorf("welcome lacks %q", want)
		}
	}
	if n := strings.Count(page, "data-fill="); n != 3 {
		t.Errorf("welcome has %d examples, want 3", n)
	}
}

// What is very long is folded to its beginning, and whole behind one press; a card is
// never folded.
func TestALongLineIsFolded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	long := strings.Repeat("word <b> ", 4000)
	card := told("general", "", "post-1", long)
	card.Kind, card.Choices = bot.Card, []bot.Choice{{ID: "y", Label: "Yes"}}
	s.desk.add(said("general", "", "aaaaaaaa1", "lead", long), said("general", "", "aaaaaaaa2", "lead", "short"), card)
	for lang, want := range map[string]string{"en": "Show all 36,000 characters", "zh": "展开全部 36,000 个字符"} {
		b := s.enter("")
		b.post("/lang", url.Values{"lang": {lang}, "back": {"/c/general"}})
		_, page, _ := b.get("/lines/general")
		if n := strings.Count(page, `<details class="fold">`); n != 1 || !strings.Contains(page, want) {
			t.Errorf("%s: %d lines are folded, want the long one with %q", lang, n, want)
		}
		start, rest, ok := strings.Cut(page, `class="more"`)
		if !ok || strings.Count(start, "word") > 60 || strings.Count(rest, "word") < 4000 || strings.Contains(page, "<b> word") {
			t.Errorf("%s: the beginning has %d words, the rest %d", lang, strings.Count(start, "word"), strings.Count(rest, "word"))
		}
	}
}
