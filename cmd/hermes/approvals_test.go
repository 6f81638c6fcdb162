package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	"hermes/config"
	"hermes/internal/fakeslack"
)

// ahead is a clock that tests set forward; what waits for it waits by the wall's.
type ahead struct {
	hasty
	by atomic.Int64
}

func (a *ahead) Now() time.Time { return time.Now().Add(time.Duration(a.by.Load())) }

// A senate is a Slack, and the program in it with approvals of its own.
type senate struct {
	*office
	clock *ahead
}

func newSenate(t *testing.T, a config.Approvals, prepare func(*fakeslack.Server)) *senate {
	t.Helper()
	s := &senate{clock: &ahead{}}
	fake, err := fakeslack.Start(fakeslack.Options{Clock: s.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, what := range fake.Judge() {
			t.Error("slack judges: " + what)
		}
		fake.Close()
	})
	s.office = &office{t: t, fake: fake}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the Slack:\n%s", s.transcript())
		}
	})
	data, err := os.MkdirTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Data, cfg.Web.Addr, cfg.Zone, cfg.Agent.Gather = data, "127.0.0.1:0", berlin, 0
	cfg.Slack.APIURL, cfg.Slack.AppToken, cfg.Slack.BotToken = fake.APIURL(), fakeslack.AppToken, fakeslack.BotToken
	cfg.Admins, cfg.Approvals = []string{slackID(leo)}, a
	h, err := build(t.Context(), cfg, slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})), s.clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- runAll(ctx, h.parts()) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
		if err := h.close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if err := os.RemoveAll(data); err != nil {
			t.Error(err)
		}
	})
	s.hears()
	prepare(fake)
	return s
}

// approvedBy waits for a card to say that these have approved it, by name or, of whom
// Slack has said none yet, as a mention.
func (s *senate) approvedBy(root fakeslack.Message, users ...string) {
	s.t.Helper()
	text := s.answer(root, "Approved by").Shown()
	for _, u := range users {
		name := strings.ToLower(u[2:5])
		if head, _, _ := strings.Cut(text, "\n"); !strings.Contains(head, name) && !strings.Contains(head, "<@"+u+">") {
			s.t.Errorf("the card says %q, want %s in it", head, name)
		}
	}
}

// namedFor asks who approved something, and wants two named, in order, and nobody else.
func (s *senate) namedFor(ask, and string, first, second string) {
	s.t.Helper()
	verb := map[string]string{" and ": "approved **", " 和 ": "批准了**"}[and]
	text := s.answer(s.says("ana", "general", "@hermes "+ask), verb).Shown()
	called := func(u string) string { return `(?:<\x{200b}?@` + u + `>|` + strings.ToLower(u[2:5]) + `)` }
	if who := regexp.MustCompile(`(?im)^` + called(first) + and + called(second) + `(?: approved \*\*|于)`); !who.MatchString(text) {
		s.t.Errorf("%q is answered with %q; want %s%s%s", ask, text, first, and, second)
	}
}

func slackID(user string) string { return "slack:" + fakeslack.Team + ":" + user }

// Issue 5, A1, from end to end: two of a user group must agree to what goes to #sales,
// never who asked, and after four hours an admin may as well. Who is in the group Slack
// says, at the time of each press.
func TestTwoOfAGroupDecideInSlack(t *testing.T) {
	t.Parallel()
	const fay, fin, group = "U0FAY0001", "U0FIN0001", "S0FINANCE"
	s := newSenate(t, config.Approvals{Rules: []config.ApprovalRule{{
		Name: "finance", Tools: []string{"post_message"}, Channels: []string{"#sales"},
		By: []string{"group:" + slackID(group)}, Others: true, Quorum: 2,
		Escalate: config.Escalation{After: 4 * time.Hour, To: []string{"admins"}},
	}}}, func(f *fakeslack.Server) {
		for id, name := range map[string]string{fay: "fay", fin: "fin"} {
			f.AddUser(fakeslack.User{ID: id, Name: name})
			f.Channel("general").Invite(id)
		}
		f.SetGroup(fakeslack.Group{ID: group, Handle: "finance", Users: []string{fay, fin, ana}})
	})
	const ask = "@hermes summarise last month's sales by region and post it to #sales"
	posts := func(what string, n int) {
		t.Helper()
		s.until(what, func() bool { return len(s.posts("sales")) == n })
	}

	root := s.says("ana", "general", ask)
	card := s.card(root)
	s.press("ana", card, "Approve")
	s.told(ana, root, "This is not yours to decide. It waits for @finance; who asked may deny it.", 1)
	s.press("leo", card, "Approve")
	s.told(leo, root, "This is not yours to decide.", 1)
	s.press("fay", card, "Approve")
	s.told(fay, root, "Your yes is noted; it runs once all have agreed. Still needed: one more yes of @finance.", 1)
	s.answer(root, "Agreed so far")
	s.press("fay", card, "Approve")
	s.told(fay, root, "Still needed: one more yes of @finance.", 2)
	if n := len(s.posts("sales")); n != 0 {
		t.Fatalf("%d posts after one of two has agreed", n)
	}
	s.press("fin", card, "Approve")
	posts("the report in #sales", 1)
	s.approvedBy(root, fay, fin)
	s.namedFor("Who approved the last post?", " and ", fay, fin)
	s.namedFor("上一个帖子是谁批准的？", " 和 ", fay, fin)

	// Who was taken out of the group decides nothing more; their yes of before is none.
	root = s.says("ana", "general", ask)
	card = s.card(root)
	s.press("fin", card, "Approve")
	s.told(fin, root, "Your yes is noted", 1)
	s.fake.SetGroup(fakeslack.Group{ID: group, Handle: "finance", Users: []string{fay}})
	s.until("the change to be heard", s.acknowledged)
	s.press("fin", card, "Approve")
	s.told(fin, root, "This is not yours to decide.", 1)
	s.press("fay", card, "Approve")
	s.told(fay, root, "Your yes is noted", 1)
	s.clock.by.Store(int64(4 * time.Hour))
	s.press("leo", card, "Approve")
	posts("the second report in #sales", 2)
	s.approvedBy(root, fay, leo)
	s.namedFor("who approved the last post?", " and ", fay, leo) // and not fin, whose yes was none
}

// Issue 5: what is asked for in a direct message stands before who decides as well, in
// their own; one press counts, and both cards say so. What a member posts to their own
// channel they approve themselves, and what lasts an admin.
func TestACardStandsBeforeWhoDecidesInSlack(t *testing.T) {
	t.Parallel()
	s := newSenate(t, config.Approvals{Rules: []config.ApprovalRule{{Channels: []string{"#general"}, By: []string{slackID(leo), slackID(gus)}}}}, func(*fakeslack.Server) {})
	root := s.says("ana", "dm", "summarise last month's sales by region and post it to #general")
	card := s.card(root)
	copied := s.message("the card before Leo", func(m fakeslack.Message) bool {
		return m.Mine() && m.Channel != root.Channel && strings.HasPrefix(m.Channel, "D") && isCard(m) && strings.Contains(m.Shown(), "asks for this in another conversation, and you may decide") && keyOf(m) != "" && strings.HasSuffix(keyOf(m), leo)
	})
	s.press("leo", copied, "Approve")
	s.until("the report in #general", func() bool { return len(s.posts("general")) == 1 })
	s.until("both cards to be settled", func() bool { return len(s.buttonsOf(card)) == 0 && len(s.buttonsOf(copied)) == 0 })
	s.answer(root, "Approved by")

	root = s.says("ana", "general", "@hermes summarise last month's sales by region, post it to #sales, and do this every month on the 1st at 9:00")
	card = s.card(root)
	s.press("ana", card, "Post now and monthly until ")
	s.told(ana, root, "This is not yours to decide.", 1)
	s.press("ana", card, "Post only now")
	s.until("the report in #sales", func() bool { return len(s.posts("sales")) == 1 })
}

// A rule by a former name of a tool holds for it as it is called today; one that fits no
// tool keeps the program from starting.
func TestApprovalsNameTools(t *testing.T) {
	specs := []tool.Spec{{Name: "post_message", Formerly: map[string]json.RawMessage{"send_post": nil}}, {Name: "deploy"}}
	cfg := config.Config{Approvals: config.Approvals{Rules: []config.ApprovalRule{
		{Tools: []string{"send_*"}}, {Tools: []string{"post_message"}}, {Name: "n", Where: []config.ArgMatch{{Arg: "a", Above: "2.5"}}},
	}}}
	rules, _, err := approvals(cfg, specs)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, r := range rules {
		got = append(got, r.Tools)
	}
	if diff := cmp.Diff([][]string{{"send_*", "post_message"}, {"post_message"}, nil}, got); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	if r := rules[2]; r.Name != "n" || r.Where[0].Above == nil || *r.Where[0].Above != 2.5 {
		t.Errorf("rule = %+v", r)
	}
	if err := namesTools(cfg, specs); err != nil {
		t.Errorf("names of tools: %v", err)
	}
	cfg.Approvals.Rules[1].Tools = []string{"post_message", "depoly"}
	if err := namesTools(cfg, specs); err == nil || !strings.Contains(err.Error(), "approvals.rules[1].tools[1]") || !strings.Contains(err.Error(), "deploy") {
		t.Errorf("a tool that there is not: %v", err)
	}
}
