package bot_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent"
	"hermes/agent/agenttest"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/agent/tool/ask"
	"hermes/bot"
	"hermes/bot/bottest"
	"hermes/router"
	"hermes/scheduler"
)

const (
	ana = "slack:T1:ana" // asks
	lee = "slack:T1:lee" // may approve
	moe = "slack:T1:moe" // may approve, too
	gus = "slack:T1:gus" // may nothing
	sal = "slack:T1:sal" // is in #sales
)

var (
	here  = bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: "1.0"}
	there = bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: "2.0"}
	sales = bot.Place{Platform: "slack", Workspace: "T1", Channel: "sales"}
	desk  = bot.Place{Platform: "slack", Workspace: "T1", Channel: "home-of-lee"}
)

// patience is how long a question stays open in these tests.
const patience = time.Hour

// A rig is a running Bot: the real agent on a model that follows a script, and
// everything else in memory.
type rig struct {
	files  folder // of the agent
	t      *testing.T
	bot    *bot.Bot
	chat   *bottest.Platform
	in     *inbox
	out    *outbox
	store  *shop
	brain  *brain
	tools  *tools
	slots  *slots
	shelf  *shelf
	ledger *bottest.Ledger
	heard  *journal
	clicks int
	told   *told
	tutor  *tutor
}

// A setup is what a test wants otherwise.
type setup struct {
	says   map[string][]llm.Reply      // by key of the run
	agent  func(bot.Agent) bot.Agent   // around the real one
	poster func(bot.Poster) bot.Poster // around the platform
	desk   bot.Desk
	clerk  bot.Clerk
	audit  bot.Auditor
	spots  bot.Spots
	cfg    bot.Config
	judges *guard.Deciders // nil: lee and moe are admins
	roster agent.Roster    // nil: nobody is in any group or channel
	speaks func(string) string
	router *router.Router // nil: one that asks nobody
}

// start runs a Bot until the test ends. It is called in a bubble of synctest, where
// the time is midnight of 1 January 2000.
func start(t *testing.T, s setup) *rig {
	t.Helper()
	r := &rig{
		t: t, chat: &bottest.Platform{}, brain: &brain{says: s.says}, tools: &tools{}, slots: &slots{},
		shelf: &shelf{hash: "h1", files: []bot.File{{ID: "f1", Name: "sales.xlsx", Mime: "x/y"}, {ID: "f2", Name: "sales.png", Mime: "image/png"}}},
		told:  &told{}, ledger: &bottest.Ledger{}, heard: &journal{}, tutor: &tutor{},
	}
	r.in = &inbox{Inbox: bottest.NewInbox()}
	r.out = &outbox{Outbox: bottest.NewOutbox()}
	r.store = &shop{Store: agenttest.NewStore(), out: r.out}
	set, err := tool.NewSet(r.tools.all()...)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(r.heard, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if s.judges == nil {
		s.judges = &guard.Deciders{Admins: []string{lee, moe}}
	}
	var thinks bot.Agent = agent.New(agent.Config{
		Deciders: *s.judges,
		Patience: patience, JobWait: 2 * patience, Uses: 12,
	}, agent.Parts{
		Models: agent.NewModels(time.Now, agent.Member{Model: r.brain, Rules: true}), Tools: set, Memory: nobody{}, Store: r.store, Shelf: &r.files, Roster: s.roster, Speaks: s.speaks,
		Now: time.Now, Log: log,
	})
	if s.agent != nil {
		thinks = s.agent(thinks)
	}
	r.told.Agent, r.told.out = thinks, r.out
	var poster bot.Poster = r.chat
	if s.poster != nil {
		poster = s.poster(poster)
	}
	r.bot = bot.New(s.cfg, bot.Parts{
		Router: cmp.Or(s.router, router.New(router.Config{}, nil)), Tutor: r.tutor,
		Agent: r.told, Inbox: r.in, Outbox: r.out, Slots: r.slots, Shelf: r.shelf,
		Chats:  map[string]bot.Poster{"slack": poster},
		Ledger: r.ledger, Desk: s.desk, Clerk: s.clerk, Audit: s.audit, Spots: s.spots,
		Now: time.Now, Log: log,
	})
	end := make(chan error)
	go func() { end <- r.bot.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := <-end; err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
	})
	return r
}

// hear has ana say something to the bot, and waits until nothing moves any more.
func (r *rig) hear(key string, p bot.Place, text string) {
	r.t.Helper()
	r.receive(bot.Message{Key: key, Place: p, From: ana, Name: "Ana", Text: text, Addressed: true, At: time.Now(), Zone: "Asia/Shanghai"})
}

func (r *rig) receive(m bot.Message) {
	r.t.Helper()
	if err := r.bot.Receive(r.t.Context(), m); err != nil {
		r.t.Fatal(err)
	}
	synctest.Wait()
}

// press has somebody press a button of the question, at a place.
func (r *rig) press(p bot.Place, by, question, choice string) {
	r.t.Helper()
	r.click(bot.Click{Place: p, From: by, Name: nameOf(by), Question: question, Choice: choice})
}

// nameOf is how people call a person: Lee.
func nameOf(person string) string {
	n := bot.UserOf(person)
	return strings.ToUpper(n[:1]) + n[1:]
}

func (r *rig) click(c bot.Click) {
	r.t.Helper()
	c.At = time.Now()
	r.clicks++
	c.Key = fmt.Sprint("click/", r.clicks)
	if err := r.bot.Click(r.t.Context(), c); err != nil {
		r.t.Fatal(err)
	}
	synctest.Wait()
}

// shows returns what people see under a key.
func (r *rig) shows(key string) bot.Post {
	r.t.Helper()
	synctest.Wait()
	p, ok := r.chat.Shows(key)
	if !ok {
		var keys []string
		for _, p := range r.chat.Posts() {
			keys = append(keys, p.Key)
		}
		r.t.Fatalf("nothing is shown under %q; there are %q", key, keys)
	}
	return p
}

// said returns the texts that were newly posted at a place, without progress.
func (r *rig) said(p bot.Place) []string {
	synctest.Wait()
	var texts []string
	for _, q := range r.chat.Posts() {
		if q.Place == p && q.Kind != bot.Progress {
			texts = append(texts, q.Text)
		}
	}
	return texts
}

// whispers returns what only one person sees, at a place.
func (r *rig) whispers(p bot.Place, to string) []string {
	synctest.Wait()
	var texts []string
	for _, q := range r.chat.Posts() {
		if q.Place == p && q.Only == to {
			texts = append(texts, q.Text)
		}
	}
	return texts
}

func (r *rig) run(key string) run.Run {
	r.t.Helper()
	got, ok, err := r.store.Run(r.t.Context(), key)
	if err != nil || !ok {
		r.t.Fatalf("run %s = %t, %v", key, ok, err)
	}
	return got
}

// pass lets time go by.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func says(text string, calls ...llm.Call) llm.Reply {
	return llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: text, Calls: calls}}
}

func call(name, args string) llm.Call { return llm.Call{Name: name, Args: json.RawMessage(args)} }

// both is how a model posts now and each month.
func both() llm.Reply {
	return says("I post to #general, nothing else. Just press.", call("post_message", `{"channel":"#sales"}`), call("schedule_add", `{"when":"monthly"}`))
}

// A brain follows a script for each run, and says "done with KEY" after it. What is
// to be done slowly looks something up and then waits for the gate.
type brain struct {
	says map[string][]llm.Reply
	gate chan struct{}

	mu    sync.Mutex
	heard []llm.Request
}

func (b *brain) Name() string { return "script" }

func (b *brain) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) {
	b.mu.Lock()
	b.heard = append(b.heard, r)
	b.mu.Unlock()
	n, slowly := 0, false
	for _, m := range r.Messages {
		if m.Role == llm.Assistant {
			n++
		}
		slowly = slowly || strings.HasPrefix(m.Text, "export slowly")
	}
	script := b.says[r.Scene.Run]
	if slowly && script == nil {
		script = []llm.Reply{says("", call("query_metric", `{"measure":"sales"}`))}
	}
	if slowly && n > 0 && b.gate != nil {
		select {
		case <-b.gate:
		case <-ctx.Done():
			return llm.Reply{}, ctx.Err()
		}
	}
	if n < len(script) {
		return script[n], nil
	}
	return says("done with " + r.Scene.Run), nil
}

// runs counts those that the model was asked for.
func (b *brain) runs() int {
	keys := map[string]bool{}
	for _, r := range b.requests() {
		keys[r.Scene.Run] = true
	}
	return len(keys)
}

func (b *brain) requests() []llm.Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]llm.Request(nil), b.heard...)
}

type nobody struct{}

func (nobody) Recall(context.Context, run.Request) ([]llm.Fact, error) { return nil, nil }

// tools are what the model has.
type tools struct {
	mu    sync.Mutex
	added int
}

func (s *tools) all() []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "query_metric", Effect: tool.Read, Unattended: true}, func(context.Context, tool.Call, struct {
			Measure string `json:"measure,omitempty"`
		}) (tool.Result, error) {
			return tool.Result{Text: `{"n":7}`}, nil
		}),
		tool.New(tool.Spec{Name: "make_report", Effect: tool.Read, Unattended: true}, func(context.Context, tool.Call, struct{}) (tool.Result, error) {
			return tool.Result{Text: `{"artifact":"a1"}`, Shows: []string{"a1"}}, nil
		}),
		tool.New(tool.Spec{Name: "break", Effect: tool.Read, Unattended: true}, func(context.Context, tool.Call, struct{}) (tool.Result, error) {
			return tool.Result{Text: "mended"}, nil
		}),
		poster{}, adder{s}, raw{}, pauser{}, ask.Tool{},
	}
}

// poster is a Send that a grant can cover.
type poster struct{}

func (poster) Spec() tool.Spec {
	return tool.Spec{Name: "post_message", Effect: tool.Send, Unattended: true}
}

func (poster) Plan(_ context.Context, c tool.Call) (tool.Plan, error) {
	line := "Post **Sales** to **#sales** (exactly the report below)"
	if c.Lang == "zh" {
		line = "把**销售**发到 **#sales**（就是下面这份报告）"
	}
	args, err := json.Marshal(map[string]string{"to": "sales", "of": c.Run}) // a report belongs to its run
	if err != nil {
		return tool.Plan{}, err
	}
	return tool.Plan{Args: args, Control: "sales r1", Lines: []string{line}, Artifact: "a1", To: "slack/T1/sales/", Member: c.Asker == sal}, nil
}

func (poster) Run(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Post: &tool.Post{To: sales.String(), Artifact: "a1", Hash: "h1"}}, nil
}

// adder is a Write that adds a job.
type adder struct{ *tools }

func (adder) Spec() tool.Spec { return tool.Spec{Name: "schedule_add", Effect: tool.Write} }

func (adder) Plan(_ context.Context, c tool.Call) (tool.Plan, error) {
	p := tool.Plan{
		Args: c.Args, Job: "j1", Until: time.Date(2001, 1, 2, 9, 0, 0, 0, time.UTC), Cadence: "monthly",
		GrantTool: "post_message", GrantControl: "sales r1", Lines: []string{"Do it again **every month on the 1st**"},
	}
	if c.Lang == "zh" {
		p.Cadence, p.Lines = "每月", []string{"按计划重复：**每月1日**"}
	}
	return p, nil
}

func (a adder) Run(context.Context, tool.Call) (tool.Result, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.added++
	return tool.Result{Text: "planned"}, nil
}

// pauser is a Write of what is the asker's own.
type pauser struct{}

func (pauser) Spec() tool.Spec { return tool.Spec{Name: "schedule_change", Effect: tool.Write} }

func (pauser) Plan(_ context.Context, c tool.Call) (tool.Plan, error) {
	return tool.Plan{Args: c.Args, Lines: []string{"Pause it"}, Own: true}, nil
}

func (pauser) Run(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Text: "paused"}, nil
}

// raw is a Write that cannot say what it would do.
type raw struct{}

func (raw) Spec() tool.Spec { return tool.Spec{Name: "deploy", Effect: tool.Write} }

func (raw) Run(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Text: "deployed"}, nil
}

// A shop is a store that puts what a run sends into the outbox, as the real one does.
type shop struct {
	*agenttest.Store
	out bot.Outbox

	mu     sync.Mutex
	broken string // a run with a call of this tool cannot be saved
}

func (s *shop) Save(ctx context.Context, r run.Run) (run.Run, error) {
	s.mu.Lock()
	broken := s.broken
	s.mu.Unlock()
	if last, ok := r.Last(); ok && broken != "" && r.State == run.Working && slices.ContainsFunc(last.Reply.Message.Calls, func(c llm.Call) bool { return c.Name == broken }) {
		return r, errors.New("no such table")
	}
	return s.Store.Save(ctx, r)
}

func (s *shop) Deliver(ctx context.Context, r run.Run) (run.Run, error) {
	r, err := s.Store.Deliver(ctx, r)
	if err != nil {
		return r, err
	}
	p := *r.Sending
	to, err := bot.ParsePlace(p.Post.To)
	if err != nil {
		return r, err
	}
	home, err := bot.ParsePlace(p.Home)
	if err != nil {
		return r, err
	}
	return r, s.out.Add(ctx, bot.Post{
		Key: p.Key, Place: to, Artifact: p.Post.Artifact, Hash: p.Post.Hash,
		Run: r.Key, Home: home, Kind: bot.Report, Lang: r.Lang, Trace: r.Trace(),
	})
}

// A shelf has one artifact, a1.
type shelf struct {
	mu    sync.Mutex
	hash  string
	files []bot.File
}

func (s *shelf) Report(_ context.Context, id string) (bot.Shown, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bot.Shown{ID: id, Hash: s.hash, Title: "Sales", Text: "# Sales\n\n| a | b |", Files: s.files}, nil
}

func (s *shelf) Open(context.Context, string) (bot.File, []byte, error) {
	return bot.File{}, nil, errors.New("not here")
}

func (s *shelf) change(hash string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hash = hash
}

// slots remember how they ended.
type slots struct {
	mu    sync.Mutex
	ended []string
}

func (s *slots) Finish(_ context.Context, runKey string, state scheduler.SlotState, reason, link string, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := strings.TrimSpace(fmt.Sprintf("%s %s %s", runKey, state, strings.TrimSpace(reason+" "+link)))
	if n := len(s.ended); n == 0 || s.ended[n-1] != line {
		s.ended = append(s.ended, line)
	}
	return nil
}

// again is when a slot is tried again.
var again = time.Date(2026, 12, 1, 9, 1, 0, 0, time.UTC)

func (s *slots) Failed(_ context.Context, runKey, reason, link string, anew bool) (time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = append(s.ended, strings.TrimSpace(fmt.Sprintf("%s may pass, anew %v %s", runKey, anew, strings.TrimSpace(reason+" "+link))))
	return again, nil
}

func (s *slots) Planned(_ context.Context, runKey string) (time.Time, error) {
	if slices.ContainsFunc(s.all(), func(line string) bool { return strings.HasPrefix(line, runKey+" may pass") }) {
		return again, nil
	}
	return time.Time{}, nil
}

func (s *slots) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.ended...)
}

// An inbox remembers what it was given, and fails to note ends when told to.
type inbox struct {
	bottest.Inbox
	mu     sync.Mutex
	kept   []bot.Item
	failed []string
	forget int
}

func (in *inbox) Add(ctx context.Context, it bot.Item) error {
	in.mu.Lock()
	in.kept = append(in.kept, it)
	in.mu.Unlock()
	return in.Inbox.Add(ctx, it)
}

func (in *inbox) Done(ctx context.Context, it bot.Item) error {
	in.mu.Lock()
	forget := in.forget > 0
	if forget {
		in.forget--
	}
	in.mu.Unlock()
	if forget {
		return errors.New("power cut")
	}
	return in.Inbox.Done(ctx, it)
}

func (in *inbox) Fail(ctx context.Context, it bot.Item, reason string) error {
	in.mu.Lock()
	in.failed = append(in.failed, it.Key)
	in.mu.Unlock()
	return in.Inbox.Fail(ctx, it, reason)
}

// item returns what was kept under a key.
func (in *inbox) item(key string) (bot.Item, bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, it := range in.kept {
		if it.Key == key {
			return it, true
		}
	}
	return bot.Item{}, false
}

// An outbox remembers in which order receipts were noted, told and done with.
type outbox struct {
	bottest.Outbox
	mu     sync.Mutex
	log    []string
	forget map[string]int // ends that are not noted, by key
}

func (o *outbox) note(what, key string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.log = append(o.log, what+" "+key)
}

func (o *outbox) Note(ctx context.Context, p bot.Post, r bot.Receipt) error {
	o.note("note", p.Key)
	return o.Outbox.Note(ctx, p, r)
}

func (o *outbox) Done(ctx context.Context, p bot.Post) error {
	o.mu.Lock()
	forget := o.forget[p.Key] > 0
	if forget {
		o.forget[p.Key]--
	}
	o.mu.Unlock()
	if forget {
		return errors.New("power cut")
	}
	o.note("done", p.Key)
	return o.Outbox.Done(ctx, p)
}

// of returns what was logged of one key.
func (o *outbox) of(key string) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var got []string
	for _, l := range o.log {
		if what, found := strings.CutSuffix(l, " "+key); found {
			got = append(got, what)
		}
	}
	return got
}

// told is an agent that logs what it is told of posts.
type told struct {
	bot.Agent
	out *outbox
}

func (d *told) Delivered(ctx context.Context, r run.Receipt) error {
	d.out.note("told", r.Post)
	return d.Agent.Delivered(ctx, r)
}

// members has everybody be of the workspace.
type members struct{}

func (members) Standing(context.Context, string) (bot.Standing, error) { return bot.Member, nil }

// A journal is a log that can be read.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

// ignored returns why messages were answered with nothing, in order.
func (j *journal) ignored() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var whys []string
	for line := range strings.Lines(j.text.String()) {
		if strings.Contains(line, `msg="message ignored"`) {
			_, why, _ := strings.Cut(strings.TrimSpace(line), "reason=")
			whys = append(whys, strings.Trim(why, `"`))
		}
	}
	return whys
}

// folder keeps what the agent puts away.
type folder struct {
	tool.Artifacts
	mu  sync.Mutex
	all map[string]tool.Artifact
}

func (f *folder) Put(_ context.Context, a tool.Artifact) (tool.Artifact, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all == nil {
		f.all = map[string]tool.Artifact{}
	}
	if was, ok := f.all[a.ID]; ok {
		return was, nil
	}
	f.all[a.ID] = a
	return a, nil
}

func (f *folder) of(id string) tool.Artifact {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.all[id]
}
