package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/decision"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/redact"
)

// A writer streams what it says, in the pieces that it is given.
type writer struct{ pieces []string }

func (writer) Name() string { return "writer" }

func (w writer) Generate(_ context.Context, r llm.Request) (llm.Reply, error) {
	said := ""
	for _, p := range w.pieces {
		if said += p; p == "" {
			said = ""
		}
		if r.Stream != nil {
			r.Stream(p)
		}
	}
	return llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: said}}, nil
}

// An answer is seen while it is written, from its first words on, if it is for people at
// all: what may be a call or a thought in text is waited for.
func TestDraft(t *testing.T) {
	long := strings.Repeat("Sales rose in every region. ", 6)
	light := func(r run.Request) run.Request { r.Light = true; return r }
	job := func(r run.Request) run.Request { r.Job = "S1"; return r }
	same := func(r run.Request) run.Request { return r }
	for name, c := range map[string]struct {
		pieces []string
		req    func(run.Request) run.Request
		form   decision.Form
		want   []string
	}{
		"as it comes":          {[]string{long, "Most in Asia.", " Really."}, same, "", []string{long, long + "Most in Asia.", long + "Most in Asia. Really."}},
		"native":               {[]string{long}, same, decision.Native, []string{long}},
		"from the first words": {[]string{"Sales", " rose", " in Asia."}, same, decision.Native, []string{"Sales rose", "Sales rose in Asia."}},
		"in Chinese":           {[]string{"上个月", "的销售额", "增长了"}, same, "", []string{"上个月的销售额", "上个月的销售额增长了"}},
		"nor a named thought":  {[]string{"Thought:", " I look up sales.", " Then I say it."}, same, "", nil},
		"nor an intent":        {[]string{"# 意图：", "查询 销售"}, same, "", nil},
		"nor a call like code": {[]string{"look(", `q = "a"`, ")"}, same, "", nil},
		"nor what is JSON":     {[]string{`{"answer":"` + long + `"}`}, same, "", nil},
		"nor a thought":        {[]string{"<think>" + long + "</think>It is 7 altogether."}, same, "", nil},
		"nor a call in a text": {[]string{"I look. <tool_call>", long}, same, "", nil},
		"nor one behind words": {[]string{"I look", " it up.", "\n<tool_", "call>", "{}"}, same, "", []string{"I look", "I look it up."}},
		"nor a form":           {[]string{long}, same, decision.Nested, nil},
		"nor small talk":       {[]string{long}, light, "", nil},
		"nor for a slot":       {[]string{long}, job, "", nil},
		"again after a break":  {[]string{long, "", long + "More."}, same, "", []string{long, "", long + "More."}},
		"a break that nobody saw": {
			[]string{"Sales", "", long}, same, "", []string{long},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			g := newRigOf(t, agent.Config{}, []tool.Tool{echo("look")})
			g.Models = agent.NewModels(g.Now, agent.Member{Model: writer{c.pieces}, Form: c.form})
			g.Draft = func(key, text string) {
				if key != "k" {
					t.Errorf("draft of %q", key)
				}
				got = append(got, text)
			}
			if _, err := g.Start(t.Context(), c.req(request("k")), func(context.Context, run.Run) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if c.form == decision.Nested {
				got = slices.Compact(got)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("drafts = %q, want %q", got, c.want)
			}
		})
	}
}

// A draft costs no more than its answer: it is shown when it has grown by a part, and not
// beyond what anybody looks at while it is written. A stop keeps all that was written.
func TestALongDraftIsShownInPart(t *testing.T) {
	pieces := slices.Repeat([]string{strings.Repeat("Sales rose. ", 10)}, 5_000)
	g := newRigOf(t, agent.Config{}, []tool.Tool{echo("look")})
	g.Models = agent.NewModels(g.Now, agent.Member{Model: writer{pieces}})
	times, longest := 0, 0
	g.Draft = func(_, text string) { times, longest = times+1, max(longest, len(text)) }
	out, err := g.Start(t.Context(), request("k"), func(context.Context, run.Run) error { return nil })
	if err != nil || len(out.Text) < 599_000 || times < 50 || times > 400 || longest > 32<<10 {
		t.Errorf("%d bytes, shown %d times, %d at most: %v", len(out.Text), times, longest, err)
	}
}

// BenchmarkLongDraft writes an answer of 1 MB and of 2 MB: the second takes twice as long.
func BenchmarkLongDraft(b *testing.B) {
	secrets := redact.New("s3cr3t-token-of-the-bot")
	took := func(size int) time.Duration {
		const piece = 4 << 10
		pieces := slices.Repeat([]string{strings.Repeat("Sales rose in all regions. ", piece/27)}, size/piece)
		g := newRigOf(b, agent.Config{}, []tool.Tool{echo("look")})
		g.Models = agent.NewModels(g.Now, agent.Member{Model: writer{pieces}})
		g.Draft = func(_, text string) { secrets.Text(text) }
		began := time.Now()
		if _, err := g.Start(b.Context(), request("k"), func(context.Context, run.Run) error { return nil }); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	var one, two time.Duration
	for b.Loop() {
		one, two = one+took(1<<20), two+took(2<<20)
	}
	b.ReportMetric(two.Seconds()/one.Seconds(), "of-1MB/2MB")
	b.ReportMetric(float64(one.Milliseconds())/float64(b.N), "ms/1MB")
}
