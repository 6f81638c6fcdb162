package result_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/agent/llm"
	"hermes/agent/result"
)

func asks(ids ...string) llm.Message {
	m := llm.Message{Role: llm.Assistant}
	for _, id := range ids {
		name, _, _ := strings.Cut(id, "-")
		m.Calls = append(m.Calls, llm.Call{ID: id, Name: name, Args: []byte(`{}`)})
	}
	return m
}

func answers(results ...llm.Result) llm.Message { return llm.Message{Role: llm.User, Results: results} }

func good(id string) llm.Result {
	return llm.Result{ID: id, Text: "said of " + id, Mark: "m", Note: "n"}
}

func bad(id string) llm.Result {
	return llm.Result{ID: id, Text: `{"error_type":"INPUT_ERROR","tool_name":"t","attempt":1,"message":"end before start"}`, Brief: "long words", Mark: "m", Note: "n", Failed: true}
}

// ERR-25 An error that a later call of the tool has got over is told in one line; one
// that stands, that of another tool, and one of the same round stay as they are.
func TestERR25Collapse(t *testing.T) {
	history := []llm.Message{
		{Role: llm.User, Text: "do it"},
		asks("orders-1", "mail-1"), answers(bad("orders-1"), bad("mail-1")),
		asks("orders-2", "orders-3"), answers(bad("orders-2"), good("orders-3")),
		asks("orders-4"), answers(bad("orders-4")),
		asks("orders-5", "stock-1"), answers(good("orders-5"), bad("stock-1")),
		asks("stock-2"), answers(bad("stock-2")),
	}
	before := fmt.Sprintf("%+v", history)
	got := result.Collapse(history)
	if after := fmt.Sprintf("%+v", history); after != before {
		t.Error("the messages given have changed")
	}
	over := []string{"orders-1", "orders-2", "orders-4"}
	for i, m := range got {
		for j, r := range m.Results {
			if !slices.Contains(over, r.ID) {
				if d := cmp.Diff(history[i].Results[j], r); d != "" {
					t.Errorf("%s (-want +got):\n%s", r.ID, d)
				}
				continue
			}
			if want := "⟦tool orders, call " + r.ID + ": failed with INPUT_ERROR; a later call of the tool succeeded⟧"; r.Prose() != want || !r.Failed || r.Text != history[i].Results[j].Text {
				t.Errorf("%s reads %q", r.ID, r.Prose())
			}
		}
	}
	if d := cmp.Diff(got, result.Pair(got)); d != "" {
		t.Errorf("L6 the pairs are not whole (-got +paired):\n%s", d)
	}
	if d := cmp.Diff(got, result.Collapse(got)); d != "" {
		t.Errorf("twice (-once +twice):\n%s", d)
	}
	if got := result.Collapse(nil); got != nil {
		t.Errorf("nothing collapses to %v", got)
	}
}

// paired reports what a provider would refuse.
func paired(messages []llm.Message) string {
	for i, m := range messages {
		switch {
		case m.Text == "" && len(m.Calls) == 0 && len(m.Results) == 0:
			return fmt.Sprintf("message %d is empty", i)
		case m.Role == llm.User && len(m.Calls) > 0, m.Role != llm.User && len(m.Results) > 0:
			return fmt.Sprintf("message %d has what its role cannot have", i)
		case len(m.Results) > 0 && (i == 0 || len(messages[i-1].Calls) == 0):
			return fmt.Sprintf("message %d has results and no calls before it", i)
		case len(m.Calls) > 0 && i+1 == len(messages):
			return "the last message has calls"
		case len(m.Calls) > 0:
			var calls, results []string
			for _, c := range m.Calls {
				calls = append(calls, c.ID)
			}
			for _, r := range messages[i+1].Results {
				results = append(results, r.ID)
			}
			if !slices.Equal(calls, results) {
				return fmt.Sprintf("calls %q have results %q", calls, results)
			}
		}
	}
	return ""
}

// L6 A history cut at any place is one that a provider takes, and one that was right
// stays as it is.
func TestL6CutAtEachPlace(t *testing.T) {
	history := []llm.Message{
		{Role: llm.User, Text: "hi"}, {Role: llm.Assistant, Text: "hello"}, {Role: llm.User, Text: "do it"},
		asks("a-1", "b-1"), answers(good("a-1"), bad("b-1")),
		{Role: llm.Assistant, Text: "and", Calls: asks("a-2").Calls}, {Role: llm.User, Text: "by the way", Results: []llm.Result{good("a-2")}},
		asks("c-1"), answers(good("c-1")), {Role: llm.Assistant, Text: "done"},
	}
	if d := cmp.Diff(history, result.Pair(history)); d != "" {
		t.Errorf("a whole history (-want +got):\n%s", d)
	}
	for i := range history {
		for _, part := range [][]llm.Message{history[:i], history[i:], slices.Delete(slices.Clone(history), i, i+1)} {
			got := result.Pair(part)
			if why := paired(got); why != "" {
				t.Errorf("cut at %d: %s", i, why)
			}
			if d := cmp.Diff(got, result.Pair(got)); d != "" {
				t.Errorf("cut at %d, mended twice (-once +twice):\n%s", i, d)
			}
		}
	}
	got := result.Pair(history[:4])
	last := got[len(got)-1]
	if len(last.Results) != 2 || !last.Results[0].Failed || !strings.Contains(last.Results[0].Text, "Nobody knows") {
		t.Errorf("killed within a tool: %+v", last)
	}
}

// L6 Of a damaged history no result is lost that has a call, and nothing is invented
// but that nobody knows.
func TestL6Mended(t *testing.T) {
	for name, tt := range map[string]struct{ given, want []llm.Message }{
		"an orphan":        {[]llm.Message{answers(good("a-1")), {Role: llm.User, Text: "x"}}, []llm.Message{{Role: llm.User, Text: "x"}}},
		"two of one call":  {[]llm.Message{asks("a-1"), answers(good("a-1"), bad("a-1"))}, []llm.Message{asks("a-1"), answers(good("a-1"))}},
		"another order":    {[]llm.Message{asks("a-1", "b-1"), answers(good("b-1"), good("a-1"))}, []llm.Message{asks("a-1", "b-1"), answers(good("a-1"), good("b-1"))}},
		"words between":    {[]llm.Message{asks("a-1"), {Role: llm.User, Text: "x"}, answers(good("a-1"))}, []llm.Message{asks("a-1"), answers(good("a-1")), {Role: llm.User, Text: "x"}}},
		"a reply between":  {[]llm.Message{asks("a-1"), {Role: llm.Assistant, Text: "x"}, answers(good("a-1"))}, []llm.Message{asks("a-1"), answers(good("a-1")), {Role: llm.Assistant, Text: "x"}}},
		"in two messages":  {[]llm.Message{asks("a-1", "b-1"), answers(good("a-1")), answers(good("b-1"))}, []llm.Message{asks("a-1", "b-1"), answers(good("a-1"), good("b-1"))}},
		"an id used twice": {[]llm.Message{asks("a-1", "a-1"), answers(good("a-1"))}, []llm.Message{asks("a-1"), answers(good("a-1"))}},
		"an id used again": {[]llm.Message{asks("a-1"), answers(good("a-1")), asks("a-1"), answers(bad("a-1"))}, []llm.Message{asks("a-1"), answers(good("a-1")), asks("a-1"), answers(bad("a-1"))}},
		"before the call":  {[]llm.Message{answers(good("a-1")), asks("a-1"), answers(bad("a-1"))}, []llm.Message{asks("a-1"), answers(bad("a-1"))}},
		"the wrong roles":  {[]llm.Message{{Role: llm.Assistant, Text: "x", Results: []llm.Result{good("a-1")}}, {Role: llm.User, Text: "y", Calls: asks("a-1").Calls}}, []llm.Message{{Role: llm.Assistant, Text: "x"}, {Role: llm.User, Text: "y"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, result.Pair(tt.given)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SampledFrom([]string{"a-1", "a-2", "b-1", "c-1"})
		given := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) llm.Message {
			m := asks(rapid.SliceOfN(ids, 0, 3).Draw(t, "calls")...)
			m.Role = rapid.SampledFrom([]llm.Role{llm.User, llm.Assistant}).Draw(t, "role")
			m.Text = rapid.SampledFrom([]string{"", "x"}).Draw(t, "text")
			for _, id := range rapid.SliceOfN(ids, 0, 3).Draw(t, "results") {
				m.Results = append(m.Results, good(id))
			}
			return m
		}), 0, 8).Draw(t, "history")
		got := result.Pair(given)
		if why := paired(got); why != "" {
			t.Fatalf("%s: %+v", why, got)
		}
		if d := cmp.Diff(got, result.Pair(got)); d != "" {
			t.Fatalf("(-once +twice):\n%s", d)
		}
	})
}
