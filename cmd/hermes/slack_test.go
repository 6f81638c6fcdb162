package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/internal/fakeslack"
)

// The main job, as people do it in Slack, in both languages: asked in a channel,
// answered in its thread with steps as they come, one card that the wrong person
// cannot use, one press that counts, and a post with its table, chart and file; then
// it goes on in the thread without a mention.
func TestMainJobInSlack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		lang, ask                                      string
		buttons                                        []string
		notYours, settled, approved, done, table, date string
		next, follow, followed, by                     string
	}{
		{
			"en", "@hermes summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00",
			[]string{"Post now and monthly until ", "Post only now", "Edit …", "Ask for changes …", "Deny", "Deny with reason …"},
			"not yours to decide", "settled already", "Approved, now and as scheduled, by", "Done in", "Asia", ", 09:00\n",
			"pause", "now by product", "Headset", "region",
		},
		{
			"zh", "@hermes 把上个月的销售数据按地区汇总，写一份分析发到 #sales，以后每个月1号早上9点都做一次",
			[]string{"现在发，并每月发，到 ", "只发这一次", "修改…", "要求修改…", "拒绝", "拒绝并说明…"},
			"不由您决定", "已经定了", "已批准，现在及以后按计划", "完成", "亚洲", "）09:00\n",
			"暂停", "按产品看", "耳机", "地区",
		},
	} {
		t.Run(tt.lang, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, fakeslack.Options{})
			root := o.says("ana", "general", tt.ask)
			card := o.card(root)
			for i, b := range card.Buttons() {
				if len(card.Buttons()) != len(tt.buttons) || !strings.HasPrefix(b.Label, tt.buttons[i]) {
					t.Fatalf("buttons = %+v, want %q", card.Buttons(), tt.buttons)
				}
			}
			if !strings.Contains(card.Shown(), tt.table) {
				t.Errorf("the card does not show what will be posted:\n%s", card.Shown())
			}

			// Whoever may not decide is told so, alone, and nothing happens.
			o.press("gus", card, tt.buttons[0])
			o.told(gus, root, tt.notYours, 1)
			if n := len(o.posts("sales")); n != 0 {
				t.Fatalf("%d posts in #sales after a press that does not count", n)
			}

			// Of two presses one counts, and so it stays.
			press := o.press("leo", card, tt.buttons[0])
			o.press("leo", card, tt.buttons[0])
			o.answer(root, tt.approved)
			said := o.answer(root, "https://fake.slack.com/archives/")
			o.told(leo, root, tt.settled, 1)
			o.pressAgain(press, leo)
			o.told(leo, root, tt.settled, 2)

			posts := o.posts("sales")
			if len(posts) != 1 || !strings.Contains(posts[0].Shown(), tt.table) {
				t.Fatalf("posts in #sales = %+v, want one with %q", posts, tt.table)
			}
			o.until("chart and sheet under the post", func() bool { return o.files("sales", posts[0].TS) == "png xlsx" })
			link := "https://fake.slack.com/archives/" + posts[0].Channel + "/p" + strings.ReplaceAll(posts[0].TS, ".", "")
			if text := said.Shown(); !strings.Contains(text, link) || strings.Count(text, tt.date) != 5 || !strings.Contains(text, "Europe/Berlin") || !strings.Contains(text, tt.next) {
				t.Errorf("the answer lacks the link %s, five dates, their zone or how to pause:\n%s", link, text)
			}
			steps := o.work(root, tt.done)
			o.until("the progress to be finished", func() bool { return len(o.buttonsOf(steps)) == 0 })
			if steps.Revs < 1 || !strings.Contains(steps.Shown(), tt.by) {
				t.Errorf("the progress was changed %d times, want all steps at its end:\n%s", steps.Revs, steps.Shown())
			}

			follow := o.replies("ana", root, tt.follow)
			o.answer(follow, tt.followed)
			o.once(root, leo)
		})
	}
}

// However often Slack tells of one thing said, and in whatever order, before a
// restart or after it, there is one answer (S7, S8).
func TestOneAnswerHoweverOftenItIsHeard(t *testing.T) {
	t.Parallel()
	for name, mentionFirst := range map[string]bool{"message before mention": false, "mention before message": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, fakeslack.Options{MentionFirst: mentionFirst})
			o.fake.Duplicate(2)
			root := o.says("ana", "general", "@hermes what were last month's sales in Asia?")
			o.answer(root, "USD")
			o.until("all to be acknowledged", o.acknowledged)
			heard := o.fake.Deliveries()
			o.kill()
			o.start()
			o.hears()
			for _, d := range heard {
				o.fake.Redeliver(d)
			}
			o.until("all to be acknowledged again", o.acknowledged)
			// A thread keeps its order: what is said now is answered last.
			o.answer(o.replies("ana", root, "same for Europe"), "Europe")
			answers := slices.DeleteFunc(o.mine(root), func(m fakeslack.Message) bool { return !strings.HasSuffix(keyOf(m), "/end") })
			if len(answers) != 2 || keyOf(answers[0]) != runOf(root)+"/end" {
				t.Errorf("%d answers in the thread, want one to each of two questions", len(answers))
			}
			o.unique()
		})
	}
}

// In a direct message the bot needs no mention. It greets without a tool, and when
// somebody says what is against what it remembers it keeps both and asks.
func TestTalkInADirectMessage(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	for said, want := range map[string]string{"hi": "Hello", "早上好": "好"} {
		m := o.says("ana", "dm", said)
		o.answer(m, want)
		if out := o.command("trace", traceOf(m)); strings.Contains(out, "query_") || !strings.Contains(out, "taken for: chitchat") {
			t.Errorf("%q was not taken for chit-chat:\n%s", said, out)
		}
	}
	o.answer(o.says("ana", "dm", "I like Excel reports"), "Excel")
	csv := o.says("ana", "dm", "From now on I want CSV")
	card := o.card(csv)
	for _, part := range []string{"I like Excel reports", "From now on I want CSV", "newer"} {
		if !strings.Contains(card.Shown(), part) {
			t.Errorf("the question does not say %q:\n%s", part, card.Shown())
		}
	}
	both := o.end(o.says("ana", "dm", "what do you remember about me?"))
	if text := both.Shown(); !strings.Contains(text, "Excel") || !strings.Contains(text, "CSV") || !strings.Contains(text, time.Now().UTC().Format(time.DateOnly)) {
		t.Errorf("what is remembered lacks one of both, or its date:\n%s", text)
	}
	o.press("ana", card, "Use CSV")
	o.until("the question to be settled", func() bool { return len(o.buttonsOf(card)) == 0 })
	kept := o.end(o.says("ana", "dm", "what do you remember about me?"))
	if !strings.Contains(kept.Shown(), "CSV") || strings.Contains(kept.Shown(), "Excel") {
		t.Errorf("what was given up is still remembered:\n%s", kept.Shown())
	}
}

// People of the fake Slack. Ana asks, Leo may approve, Gus may not.
const (
	ana = "U0ANA0001"
	leo = "U0LEO0001"
	gus = "U0GUS0001"
)

// An office is a Slack with people in it, and the real program connected to it.
type office struct {
	*daemon
	t    *testing.T
	fake *fakeslack.Server
	gate *gate
	life sync.Mutex // held while the program is started or killed
}

// start starts the program again.
func (o *office) start() {
	o.t.Helper()
	o.life.Lock()
	defer o.life.Unlock()
	o.fake.Anew()
	o.daemon.start()
}

// kill kills the program. It may be called where the Slack is called.
func (o *office) kill() {
	o.life.Lock()
	defer o.life.Unlock()
	o.daemon.kill()
}

// newOffice starts a Slack and the program, and returns when that hears. Of what
// the program says to the Slack everything passes a gate.
func newOffice(t *testing.T, opts fakeslack.Options, env ...string) *office {
	t.Helper()
	if opts.Clock == nil {
		opts.Clock = hasty{}
	}
	fake, err := fakeslack.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, what := range fake.Judge() {
			t.Error("slack judges: " + what)
		}
		fake.Close()
	})
	o := &office{t: t, fake: fake, gate: newGate(t, fake)}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the Slack:\n%s", o.transcript())
		}
	})
	o.daemon = newDaemon(t, append([]string{
		"HERMES_SLACK_API_URL=" + o.gate.url + "/api/",
		"SLACK_APP_TOKEN=" + fakeslack.AppToken, "SLACK_BOT_TOKEN=" + fakeslack.BotToken,
		"HERMES_ADMINS=slack:" + fakeslack.Team + ":" + leo,
		// Where Ana is. That Slack knows it too, the program learns beside its work.
		"HERMES_ZONE=" + berlin,
	}, env...)...)
	o.hears()
	return o
}

// hears waits until exactly one socket is open.
func (o *office) hears() {
	o.t.Helper()
	o.until("an open socket", func() bool { now, _ := o.fake.Conns(); return now == 1 })
}

// until waits for a fact of the Slack.
func (o *office) until(what string, fact func() bool) {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), patience)
	defer cancel()
	if err := o.fake.Wait(ctx, what, fact); err != nil {
		o.t.Fatal(err)
	}
}

// message waits for a message, and returns it.
func (o *office) message(what string, want func(fakeslack.Message) bool) fakeslack.Message {
	o.t.Helper()
	var found fakeslack.Message
	o.until(what, func() bool {
		ms := o.fake.Messages()
		i := slices.IndexFunc(ms, want)
		if i >= 0 {
			found = ms[i]
		}
		return i >= 0
	})
	return found
}

// says has a person say something in a channel.
func (o *office) says(who, channel, text string) fakeslack.Message {
	o.t.Helper()
	return o.replies(who, fakeslack.Message{Channel: channel}, text)
}

// replies has a person say something in the thread of a message.
func (o *office) replies(who string, to fakeslack.Message, text string) fakeslack.Message {
	o.t.Helper()
	m, err := o.fake.Human(who).Reply(to.Channel, to.TS, text)
	if err != nil {
		o.t.Fatal(err)
	}
	return m
}

// in reports whether a message of the bot stands where one is answered: in the
// thread that it begins or is in, or in the conversation of two.
func in(root, m fakeslack.Message) bool {
	thread := root.TS
	if root.ThreadTS != "" {
		thread = root.ThreadTS
	}
	return m.Mine() && m.Channel == root.Channel && m.Only == "" && m.TS > root.TS && (m.ThreadTS == thread || strings.HasPrefix(m.Channel, "D"))
}

// answer waits for a message of the bot with a text, in answer to another.
func (o *office) answer(root fakeslack.Message, text string) fakeslack.Message {
	o.t.Helper()
	return o.message(fmt.Sprintf("an answer with %q", text), func(m fakeslack.Message) bool {
		return in(root, m) && !isWork(m) && strings.Contains(m.Shown(), text)
	})
}

// isWork reports whether a message shows what is under way: it says again what was
// asked.
func isWork(m fakeslack.Message) bool {
	return m.Streaming == fakeslack.Streaming || strings.HasSuffix(keyOf(m), "/progress")
}

// work waits for a message that shows what is under way, or what was.
func (o *office) work(root fakeslack.Message, text string) fakeslack.Message {
	o.t.Helper()
	return o.message(fmt.Sprintf("work with %q", text), func(m fakeslack.Message) bool {
		return in(root, m) && isWork(m) && strings.Contains(m.Shown(), text)
	})
}

// end waits for the last words of the run that a message has begun.
func (o *office) end(begun fakeslack.Message) fakeslack.Message {
	o.t.Helper()
	return o.message("the end of a run", func(m fakeslack.Message) bool { return keyOf(m) == runOf(begun)+"/end" })
}

// card waits for an open card in answer to a message.
func (o *office) card(root fakeslack.Message) fakeslack.Message {
	o.t.Helper()
	return o.message("an open card", func(m fakeslack.Message) bool { return in(root, m) && isCard(m) })
}

// isCard reports whether a message has buttons of a question: they carry its name.
func isCard(m fakeslack.Message) bool {
	bs := m.Buttons()
	return len(bs) > 0 && strings.HasPrefix(bs[0].ActionID, "choice:") && bs[0].Value != ""
}

// press has a person press the button of a card that begins with a label.
func (o *office) press(who string, card fakeslack.Message, label string) fakeslack.Delivery {
	o.t.Helper()
	// A press that nobody takes is over: Slack tells the person so, and never sends it
	// again.
	o.until("a socket", func() bool { now, _ := o.fake.Conns(); return now > 0 })
	for _, b := range card.Buttons() {
		if !strings.HasPrefix(b.Label, label) {
			continue
		}
		d, err := o.fake.Human(who).Press(card, b.ActionID)
		if err != nil {
			o.t.Fatal(err)
		}
		return d
	}
	o.t.Fatalf("no button %q on %+v", label, card.Buttons())
	return fakeslack.Delivery{}
}

// pressAgain presses what was pressed before, though the button may be gone: a
// phone may still show it.
func (o *office) pressAgain(d fakeslack.Delivery, who string) {
	o.t.Helper()
	var p map[string]any
	if err := json.Unmarshal(d.Payload, &p); err != nil {
		o.t.Fatal(err)
	}
	p["user"].(map[string]any)["id"] = who
	now := time.Now().UnixMicro()
	p["actions"].([]any)[0].(map[string]any)["action_ts"] = fmt.Sprintf("%d.%06d", now/1e6, now%1e6)
	o.fake.Deliver("interactive", p)
}

// told waits for a line in a thread that only one person sees.
func (o *office) told(who string, root fakeslack.Message, text string, times int) {
	o.t.Helper()
	o.until(fmt.Sprintf("%d private lines with %q", times, text), func() bool {
		return o.count(func(m fakeslack.Message) bool {
			return m.Only == who && m.ThreadTS == root.TS && strings.Contains(m.Shown(), text)
		}) == times
	})
}

func (o *office) count(want func(fakeslack.Message) bool) int {
	n := 0
	for _, m := range o.fake.Messages() {
		if want(m) {
			n++
		}
	}
	return n
}

// posts are what the bot has posted in a channel, without what stands in threads.
func (o *office) posts(channel string) []fakeslack.Message {
	return slices.DeleteFunc(o.fake.Channel(channel).Roots(), func(m fakeslack.Message) bool { return !m.Mine() })
}

// files are the kinds of the files in a thread, in order of the alphabet.
func (o *office) files(channel, thread string) string {
	var kinds []string
	for _, m := range o.fake.Channel(channel).Thread(thread) {
		for _, f := range m.Files {
			kinds = append(kinds, f.Name[strings.LastIndex(f.Name, ".")+1:])
		}
	}
	slices.Sort(kinds)
	return strings.Join(kinds, " ")
}

// mine are the posts of the bot in answer to a message, without files and without
// what only one person sees, oldest first.
func (o *office) mine(root fakeslack.Message) []fakeslack.Message {
	return slices.DeleteFunc(o.fake.Messages(), func(m fakeslack.Message) bool { return !in(root, m) || len(m.Files) > 0 })
}

// keyOf is the key that a post of the bot carries.
func keyOf(m fakeslack.Message) string {
	var meta struct {
		Payload struct {
			Key string `json:"key"`
		} `json:"event_payload"`
	}
	if json.Unmarshal(m.Metadata, &meta) != nil {
		return ""
	}
	return meta.Payload.Key
}

// buttonsOf are the buttons of a message as it is now.
func (o *office) buttonsOf(m fakeslack.Message) []fakeslack.Button {
	for _, is := range o.fake.Messages() {
		if is.Channel == m.Channel && is.TS == m.TS {
			return is.Buttons()
		}
	}
	return nil
}

// acknowledged reports whether all that the Slack has sent is.
func (o *office) acknowledged() bool {
	return !slices.ContainsFunc(o.fake.Deliveries(), func(d fakeslack.Delivery) bool { return !d.Acked })
}

// runOf is the key of the run that a message has begun, traceOf its trace.
func runOf(m fakeslack.Message) string {
	return "slack/" + fakeslack.Team + "/" + m.Channel + "/" + m.TS
}

func traceOf(m fakeslack.Message) string { return run.TraceOf(runOf(m)) }

// transcript is all that stands in the Slack.
func (o *office) transcript() string {
	var b strings.Builder
	for _, m := range o.fake.Messages() {
		fmt.Fprintf(&b, "%s %s in %s by %s only %s, changed %d times, %d files: %.400s\n", m.Channel, m.TS, m.ThreadTS, m.User, m.Only, m.Revs, len(m.Files), m.Shown())
		for _, btn := range m.Buttons() {
			fmt.Fprintf(&b, "    [%s] %s\n", btn.Label, btn.Value)
		}
	}
	for _, c := range o.fake.Calls("") {
		fmt.Fprintf(&b, "%s %s %s %s\n", c.At.Format("15:04:05.000"), c.Method, c.Args["channel"], c.Error)
	}
	for _, d := range o.fake.Deliveries() {
		if !d.Acked {
			fmt.Fprintf(&b, "not acknowledged after %d attempts: %s\n", d.Attempts, d.Type)
		}
	}
	return b.String()
}

// command runs a command of the program beside the daemon.
func (o *office) command(args ...string) string {
	o.t.Helper()
	out, err := o.hermes(o.t.Context(), "", args...)
	if err != nil {
		o.t.Fatalf("hermes %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// hasty is the wall's clock, on which what Slack does a minute later comes after a
// second: what was not acknowledged is sent again.
type hasty struct{}

func (hasty) Now() time.Time { return time.Now() }

func (hasty) AfterFunc(d time.Duration, f func()) func() {
	if d >= time.Minute {
		d /= 60
	}
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}

// A gate stands before a Slack and sees each call of the program. At a moment that
// was set, something is done while the call is held, and then the connection is
// cut.
type gate struct {
	url  string
	fake http.Handler

	mu  sync.Mutex
	set *moment
}

// A moment is a call of the Web API that matches, before the Slack hears of it or
// after it was done.
type moment struct {
	what  func(method string, args url.Values) bool
	after bool
	do    func()
	over  chan struct{} // closed when do has returned
}

func newGate(t *testing.T, fake *fakeslack.Server) *gate {
	t.Helper()
	to, err := url.Parse(fake.URL())
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(nil)
	g := &gate{url: "http://" + s.Listener.Addr().String()}
	g.fake = &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: func(r *http.Response) error { return readdress(r, fake.URL(), g.url) },
		// Who called is gone, since it was killed.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	s.Config.Handler = g
	s.Start()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return g
}

// readdress leads what Slack names by its address back through the gate: files are
// uploaded to the host of the API and nowhere else.
func readdress(r *http.Response, from, to string) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	text := strings.ReplaceAll(string(body), from, to)
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
	r.Header.Set("Content-Length", fmt.Sprint(len(text)))
	return nil
}

// at sets a moment, and returns what is closed when it is over.
func (g *gate) at(m moment) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	m.over = make(chan struct{})
	g.set = &m
	return m.over
}

// clear takes a moment back, and reports whether it had not come.
func (g *gate) clear() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	had := g.set != nil
	g.set = nil
	return had
}

// now returns the moment that was set, once, if a call is it.
func (g *gate) now(method string, args url.Values) *moment {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.set
	if m == nil || !m.what(method, args) {
		return nil
	}
	g.set = nil
	return m
}

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // who called is gone
	}
	args, err := url.ParseQuery(string(body))
	if err != nil {
		args = url.Values{} // JSON
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	method := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	m := g.now(method, args)
	if m == nil {
		g.fake.ServeHTTP(w, r)
		return
	}
	if m.after {
		g.fake.ServeHTTP(httptest.NewRecorder(), r)
	}
	m.do()
	close(m.over)
	panic(http.ErrAbortHandler)
}
