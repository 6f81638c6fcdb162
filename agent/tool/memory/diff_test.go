package memory_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

func (h *house) plan(name string, c tool.Call) tool.Plan {
	h.t.Helper()
	p, err := h.set.Lookup(name).(tool.Planner).Plan(h.t.Context(), c)
	if err != nil {
		h.t.Fatalf("plan of %s: %v", name, err)
	}
	return p
}

const source = "https://chat.example/web/w/"

// Issue 5: who is asked about what is remembered sees what it was and what it would be,
// each with where and when it was said: in a contradiction, in an approval to keep or to
// forget, and before facts are chosen from. Planning changes nothing.
func TestWhoIsAskedSeesWhatChanges(t *testing.T) {
	old := args{"subject": "me", "predicate": "prefers-format", "object": "Excel"}
	next := args{"subject": "me", "predicate": "prefers-format", "object": "csv"}
	for lang, want := range map[string][]tool.Diff{
		"en": {
			{What: "Preferred format", Was: "Excel (XLSX)", WasFrom: "4 May 2026, " + source + "1", Is: "CSV", IsFrom: "4 May 2026, said here"},
			{What: "Preferred format", Was: "you prefer Excel (XLSX)", WasFrom: "4 May 2026, " + source + "1"},
			{What: "Remembered", Is: "the fair is in May", IsFrom: "4 May 2026, said here"},
		},
		"zh": {
			{What: "偏好的格式", Was: "Excel（XLSX）", WasFrom: "2026年5月4日，" + source + "1", Is: "CSV", IsFrom: "2026年5月4日，在这里说的"},
			{What: "偏好的格式", Was: "您喜欢Excel（XLSX）格式", WasFrom: "2026年5月4日，" + source + "1"},
			{What: "记忆", Is: "the fair is in May", IsFrom: "2026年5月4日，在这里说的"},
		},
	} {
		t.Run(lang, func(t *testing.T) {
			h := open(t)
			h.run("remember", h.call(ann, dm, lang, old))
			c := h.call(ann, dm, lang, next)
			same := func(what string, got []tool.Diff, want ...tool.Diff) {
				t.Helper()
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s (-want +got):\n%s", what, d)
				}
			}
			kept := h.plan("remember", c)
			same("plan to remember", kept.Diff, want[0])
			if !kept.Own || len(kept.Lines) != 1 || kept.Fault != "" || string(kept.Args) != string(c.Args) {
				t.Errorf("plan = %+v", kept)
			}
			same("plan of what is new", h.plan("remember", h.call(ann, dm, lang, args{"subject": "me", "predicate": "note", "object": "the fair is in May"})).Diff, want[2])
			gone := h.plan("memory_forget", h.call(ann, dm, lang, args{"what": "excel"}))
			same("plan to forget", gone.Diff, want[1])
			if !strings.Contains(string(gone.Args), `{"what":"`) || strings.Contains(string(gone.Args), "excel") || !gone.Own || !gone.Final {
				t.Errorf("plan = %+v, want the very fact, final", gone)
			}
			all := h.plan("memory_forget", h.call(ann, dm, lang, args{"what": "all"}))
			same("plan to forget all", all.Diff, want[1])
			if got := h.list(ann, dm, lang, args{}); len(got) != 1 {
				t.Errorf("planning has changed what is remembered: %+v", got)
			}
			same("a question to forget all", h.run("memory_forget", h.call(ann, dm, lang, args{"what": "all"})).Ask.Diff, want[1])
			r := h.run("remember", c)
			if r.Ask == nil {
				t.Fatalf("no question: %+v", r)
			}
			same("a contradiction", r.Ask.Diff, want[0])
			if p := h.plan("remember", h.call(ann, dm, lang, args{"subject": "me", "predicate": "hates", "object": "x"})); p.Fault == "" {
				t.Errorf("plan = %+v, want a fault", p)
			}
		})
	}
}

// M1: what was told in private is not read out in a channel, not even to say that it is
// contradicted, settled or forgotten there.
func TestM1WhatWasToldInPrivateIsNotReadOutByAQuestion(t *testing.T) {
	for lang, veil := range map[string]string{"en": "told me in private", "zh": "私下"} {
		for _, pick := range []string{"keep-old", "take-new", "keep-both"} {
			h := open(t)
			h.run("remember", h.call(ann, dm, lang, args{"subject": "me", "predicate": "reports-to", "object": "Zoe Secret", "text": "Zoe Secret is my boss"}))
			c := h.call(ann, pub, lang, args{"subject": "me", "predicate": "reports-to", "object": "Max"})
			said := []string{strings.Join(h.plan("remember", c).Lines, "")}
			for _, d := range h.plan("remember", c).Diff {
				said = append(said, d.Was, d.Is)
			}
			r := h.run("remember", c)
			if r.Ask == nil {
				t.Fatalf("no question: %+v", r)
			}
			said = append(said, r.Ask.Text, r.Ask.Diff[0].Was)
			for _, o := range r.Ask.Choices {
				said = append(said, o.Label)
			}
			said = append(said, h.choose("remember", c, tool.Pick{Token: r.Ask.Token, Choice: pick, By: ann}).Text)
			all := h.plan("memory_forget", h.call(ann, pub, lang, args{"what": "all"}))
			said = append(said, all.Lines...)
			for _, d := range all.Diff {
				said = append(said, d.Was)
			}
			if got := strings.Join(said, "\n"); strings.Contains(got, "Secret") || !strings.Contains(got, veil) {
				t.Errorf("%s, %s: in the channel stands %q", lang, pick, got)
			}
		}
	}
}
