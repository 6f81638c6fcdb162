package memory_test

import (
	"strings"
	"testing"

	"hermes/agent/tool"
)

func TestForget(t *testing.T) {
	setup := func(t *testing.T) *house {
		h := open(t)
		h.remember(ann, dm, args{"subject": "me", "predicate": "note", "object": "the budget meeting is on Monday"})
		h.remember(ann, dm, args{"subject": "me", "predicate": "note", "object": "the budget is 500"})
		h.remember(ann, dm, args{"subject": "me", "predicate": "prefers-language", "object": "Chinese"})
		h.remember(bob, pub, args{"subject": "team", "predicate": "note", "object": "reports are due on Friday"})
		return h
	}
	left := func(h *house) int { return len(h.list(ann, dm, "en", args{"about": "me"})) }

	t.Run("M17 the last, also when the step is done again", func(t *testing.T) {
		h := setup(t)
		c := h.call(ann, dm, "en", args{"what": "last"})
		if r := h.run("memory_forget", c); !strings.Contains(r.Text, "you prefer Chinese") {
			t.Errorf("said %q", r.Text)
		}
		if r := h.run("memory_forget", c); !strings.Contains(r.Text, "facts: 1") {
			t.Errorf("again: %q", r.Text)
		}
		if left(h) != 2 {
			t.Errorf("%d left, want 2", left(h))
		}
	})
	t.Run("the last, where nothing was said", func(t *testing.T) {
		for lang, want := range map[string]string{"en": "Which of these should I forget?", "zh": "要忘记哪一条？"} {
			h := setup(t)
			c := h.call(ann, dm+"thread-2", lang, args{"what": "last"})
			r := h.run("memory_forget", c)
			if r.Ask == nil || !strings.Contains(r.Ask.Text, want) || len(r.Ask.Choices) != 5 || left(h) != 3 {
				t.Fatalf("asked %+v, %d left; want a question and 3 left", r.Ask, left(h))
			}
			h.choose("memory_forget", c, tool.Pick{Token: r.Ask.Token, Choice: r.Ask.Choices[1].ID, By: ann})
			if left(h) != 2 {
				t.Errorf("%d left, want 2", left(h))
			}
		}
	})
	t.Run("by id", func(t *testing.T) {
		h := setup(t)
		id := h.list(ann, dm, "en", args{"query": "meeting"})[0].ID
		h.run("memory_forget", h.call(ann, dm, "en", args{"what": id}))
		if left(h) != 2 {
			t.Errorf("%d left, want 2", left(h))
		}
	})
	t.Run("by words that mean one", func(t *testing.T) {
		h := setup(t)
		if r := h.run("memory_forget", h.call(ann, dm, "en", args{"what": "budget meeting"})); r.Ask != nil || left(h) != 2 {
			t.Errorf("said %q, %d left", r.Text, left(h))
		}
	})
	t.Run("words that mean several are asked about", func(t *testing.T) {
		h := setup(t)
		c := h.call(ann, dm, "en", args{"what": "budget"})
		r := h.run("memory_forget", c)
		if r.Ask == nil || len(r.Ask.Choices) != 4 || left(h) != 3 {
			t.Fatalf("result %+v", r)
		}
		h.choose("memory_forget", c, tool.Pick{Token: r.Ask.Token, Choice: r.Ask.Choices[0].ID, By: ann})
		if left(h) != 2 {
			t.Errorf("%d left, want 2", left(h))
		}
	})
	t.Run("a choice that was not offered deletes nothing", func(t *testing.T) {
		h := setup(t)
		c := h.call(ann, dm, "en", args{"what": "budget"})
		r := h.run("memory_forget", c)
		other := h.list(ann, dm, "en", args{"query": "Chinese"})[0].ID
		h.choose("memory_forget", c, tool.Pick{Token: r.Ask.Token, Choice: other, By: ann})
		if left(h) != 3 {
			t.Errorf("%d left, want 3", left(h))
		}
	})
	t.Run("words that mean none", func(t *testing.T) {
		h := setup(t)
		if r := h.run("memory_forget", h.call(ann, dm, "en", args{"what": "Kubernetes"})); !r.Failed || left(h) != 3 {
			t.Errorf("said %q, %d left", r.Text, left(h))
		}
	})
	t.Run("all is confirmed first", func(t *testing.T) {
		h := setup(t)
		for _, p := range []struct {
			pick tool.Pick
			left int
		}{
			{tool.Pick{Choice: "none"}, 3}, {tool.Pick{Words: "hmm, not sure"}, 3}, {tool.Pick{Words: "Yes, please!"}, 0}, {tool.Pick{Choice: "yes"}, 0},
		} {
			c := h.call(ann, dm, "en", args{"what": "all"})
			r := h.run("memory_forget", c)
			if r.Ask == nil {
				if p.left != 0 {
					t.Fatalf("not asked: %q", r.Text)
				}
				continue
			}
			p.pick.Token, p.pick.By = r.Ask.Token, ann
			h.choose("memory_forget", c, p.pick)
			if left(h) != p.left {
				t.Errorf("%+v leaves %d, want %d", p.pick, left(h), p.left)
			}
		}
		if got := h.list(bob, pub, "en", args{"about": "me"}); len(got) != 1 {
			t.Errorf("another's facts: %+v", got)
		}
	})
	t.Run("another's facts stay, by id too", func(t *testing.T) {
		h := setup(t)
		id := h.list(ann, pub, "en", args{"about": "here"})[0].ID
		h.run("memory_forget", h.call(ann, pub, "en", args{"what": id}))
		if got := h.list(bob, pub, "en", args{"about": "me"}); len(got) != 1 {
			t.Errorf("left: %+v", got)
		}
	})
	t.Run("M3 in a channel private words are not said", func(t *testing.T) {
		h := setup(t)
		c := h.call(ann, pub, "en", args{"what": "all"})
		r := h.run("memory_forget", c)
		got := h.choose("memory_forget", c, tool.Pick{Token: r.Ask.Token, Choice: "yes", By: ann})
		if strings.Contains(r.Ask.Text+got.Text, "budget") || !strings.Contains(got.Text, "3") {
			t.Errorf("said %q and %q", r.Ask.Text, got.Text)
		}
	})
}
