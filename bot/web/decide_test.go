package web_test

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
	"hermes/bot/web"
)

// A judge is a Decider of which tests say what it answers.
type judge struct {
	mu      sync.Mutex
	clicks  []bot.Click
	values  []map[string]string
	revoked []string
	refuse  error
	barred  []bot.Click
}

func (j *judge) Barred(_ context.Context, c bot.Click, lang string) (string, error) {
	if c.Question != "k/theirs" {
		return "", nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.barred = append(j.barred, c)
	return map[string]string{"en": "It waits for Moe.", "zh": "等待 Moe 决定。"}[lang], nil
}

func (j *judge) Sheet(_ context.Context, _, question, choice string) (bot.Sheet, error) {
	return bot.Sheet{Question: question, Choice: choice, Lang: "en", Title: "Change and approve", Send: "Approve this", Lead: "**Look** <b>twice</b>", Fields: []bot.Field{
		{ID: "0.channel", Label: "channel", Kind: bot.TextField, Value: `#sales"><script>`},
		{ID: "0.how", Label: "how", Kind: bot.PickField, Value: "slow", Options: []bot.Choice{{ID: "fast", Label: "fast"}, {ID: "slow", Label: "slow"}}},
		{ID: "0.note", Label: "note", Kind: bot.LongField, Optional: true},
	}}, nil
}

func (j *judge) Decide(_ context.Context, c bot.Click, values map[string]string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.clicks, j.values = append(j.clicks, c), append(j.values, values)
	return j.refuse
}

func (j *judge) Grants(context.Context, string, string) ([]bot.Allowance, error) {
	return []bot.Allowance{{ID: "g0a1b2c3d", Says: "Post → #sales <b>", Used: 1, Max: 12, Owner: "web:demo:analyst", By: "web:demo:lead"}}, nil
}

func (j *judge) Revoke(_ context.Context, person, grant, _ string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.revoked = append(j.revoked, grant+" by "+person)
	return j.refuse
}

// A20: a choice that needs a form is a link to it. What is wrong is said at its field,
// with what was filled in; what is right is a Click with its own Key.
func TestA20ADecisionIsMadeInAForm(t *testing.T) {
	t.Parallel()
	j := &judge{}
	s := newStage(t, func(c *web.Config) { c.Decider = j })
	choices := []bot.Choice{{ID: "approve", Label: "Approve"}, {ID: "edit", Label: "Edit …"}}
	s.desk.questions = []bot.OpenQuestion{{ID: "k/q1", Asker: "web:demo:analyst", Text: "May I?", Home: place("general", "aaaaaaaa1"), Mine: true, Choices: choices}}
	b := s.enter("lead")
	_, page, _ := b.get("/approvals")
	if want := `<a class="more" href="/decide?choice=edit&amp;q=k%2Fq1">Edit …</a>`; !strings.Contains(page, want) || strings.Contains(page, `value="edit"`) {
		t.Errorf("the page has no %s:\n%s", want, page)
	}
	code, page, _ := b.get("/decide?choice=edit&q=k%2Fq1")
	if code != 200 || strings.Contains(page, "<script>") && strings.Contains(page, `sales"><script>`) || !strings.Contains(page, `<option value="slow" selected>`) || strings.Contains(page, "<b>twice") {
		t.Errorf("form = %d:\n%s", code, page)
	}
	for path, want := range map[string]int{"/decide?choice=approve&q=k%2Fq1": 404, "/decide?choice=edit&q=other": 410} {
		if code, _, _ := b.get(path); code != want {
			t.Errorf("%s = %d, want %d", path, code, want)
		}
	}
	form := url.Values{"nonce": {nonce}, "question": {"k/q1"}, "choice": {"edit"}, "f:0.channel": {"#nowhere"}, "f:0.note": {"a\r\nb"}}
	j.refuse = &bot.Invalid{Field: "0.channel", Text: "there is no #nowhere"}
	if code, page := b.post("/decide", form); code != 422 || !strings.Contains(page, "there is no #nowhere") || !strings.Contains(page, `value="#nowhere"`) {
		t.Errorf("what is wrong = %d:\n%s", code, page)
	}
	j.refuse = &bot.Becoming{Text: "- Post it on **Fridays**", Send: "Approve this", Seen: "5ee4"}
	if code, page := b.post("/decide", form); code != 200 || !strings.Contains(page, "Post it on <strong>Fridays</strong>") || !strings.Contains(page, `name="f:seen" value="5ee4"`) ||
		!strings.Contains(page, `value="#nowhere"`) || !strings.Contains(page, ">Approve this</button>") {
		t.Errorf("what comes of it = %d:\n%s", code, page)
	}
	j.refuse = nil
	form.Set("f:seen", "5ee4")
	if code, _ := b.post("/decide", form); code != 303 {
		t.Errorf("sent = %d", code)
	}
	if d := cmp.Diff(map[string]string{"0.channel": "#nowhere", "0.note": "a\nb", "seen": "5ee4"}, j.values[2]); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	c := j.clicks[2]
	if c.Key != "question/k/q1/edit/lead/"+nonce || c.From != "web:demo:lead" || c.Question != "k/q1" || c.Choice != "edit" || c.Place != place("general", "aaaaaaaa1") {
		t.Errorf("click = %+v", c)
	}
	form.Set("question", "other")
	if code, _ := b.post("/decide", form); code != 410 {
		t.Errorf("of another question = %d", code)
	}
}

// A question of others is said to be theirs, and of whom, however it is tried; one that is
// settled is said to be settled.
func TestAQuestionOfOthersIsSaidToBeTheirs(t *testing.T) {
	t.Parallel()
	j := &judge{}
	s := newStage(t, func(c *web.Config) { c.Decider = j })
	b := s.enter("lead")
	for _, tt := range []struct {
		question string
		code     int
		want     string
	}{{"k/theirs", 403, "It waits for Moe."}, {"k/settled", 410, "This is settled"}} {
		got := map[string][2]any{}
		code, page, _ := b.get("/decide?choice=edit&q=" + url.QueryEscape(tt.question))
		got["the form"] = [2]any{code, strings.Contains(page, tt.want)}
		for name, path := range map[string]string{"the form sent": "/decide", "a press": "/press"} {
			code, page := b.post(path, url.Values{"nonce": {nonce}, "question": {tt.question}, "choice": {"edit"}})
			got[name] = [2]any{code, strings.Contains(page, tt.want)}
		}
		for name, is := range got {
			if is != [2]any{tt.code, true} {
				t.Errorf("%s of %s = %v, want %d and %q", name, tt.question, is, tt.code, tt.want)
			}
		}
	}
	if len(j.barred) != 3 || j.barred[2].From != "web:demo:lead" || j.barred[2].Key != "question/k/theirs/edit/lead/"+nonce {
		t.Errorf("tries = %+v", j.barred)
	}
}

// SAFE-13: what runs, with its hash, is on the page and on the line of a card, folded, below
// the buttons; nothing of it is markup.
func TestSAFE13WhatRunsIsFoldedBelowTheButtons(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(c *web.Config) { c.Decider = &judge{} })
	rec := bot.Record{Head: "For the record", Details: []bot.Detail{{Label: "Post, arguments with the hash 0123456789ab", Text: `{"x":"</code><b>"}`}}}
	choices := []bot.Choice{{ID: "approve", Label: "Approve"}}
	s.desk.questions = []bot.OpenQuestion{{ID: "k/q1", Asker: "web:demo:analyst", Text: "May I?", Record: rec, Home: place("general", ""), Mine: true, Choices: choices}}
	s.desk.add(bot.Line{Key: "k/q1", Text: "May I?", Kind: bot.Card, Question: "k/q1", Place: place("general", ""), Choices: choices, Record: rec})
	b := s.enter("lead")
	for _, path := range []string{"/approvals", "/c/general"} {
		_, page, _ := b.get(path)
		button := strings.Index(page, `value="approve"`)
		record := strings.Index(page, `<details class="record"><summary>For the record</summary>`)
		if record < button || button < 0 || !strings.Contains(page[record:], "<p>Post, arguments with the hash 0123456789ab</p>") ||
			!strings.Contains(page, "{&#34;x&#34;:&#34;&lt;/code&gt;&lt;b&gt;&#34;}") {
			t.Errorf("%s:\n%s", path, page)
		}
	}
}

// What may run without a question is listed, and revoked.
func TestGrantsAreListedAndRevoked(t *testing.T) {
	t.Parallel()
	j := &judge{}
	s := newStage(t, func(c *web.Config) { c.Decider = j })
	b := s.enter("analyst")
	code, page, _ := b.get("/grants")
	for _, want := range []string{"Post → #sales &lt;b&gt;", "1 of 12 used", "g0a1b2c3d"} {
		if code != 200 || !strings.Contains(page, want) {
			t.Errorf("grants = %d without %q", code, want)
		}
	}
	if code, _ := b.post("/revoke", url.Values{"grant": {"g0a1b2c3d"}}); code != 303 {
		t.Errorf("revoke = %d", code)
	}
	j.refuse = &bot.Invalid{Text: "not yours"}
	if code, _ := b.post("/revoke", url.Values{"grant": {"g1"}}); code != 403 {
		t.Errorf("revoke of another's = %d", code)
	}
	if d := cmp.Diff([]string{"g0a1b2c3d by web:demo:analyst", "g1 by web:demo:analyst"}, j.revoked); d != "" {
		t.Errorf("revoked (-want +got):\n%s", d)
	}
}

// Without forms there are no links to them.
func TestWithoutADeciderThereAreNoForms(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.desk.questions = []bot.OpenQuestion{{ID: "q", Text: "May I?", Home: place("general", "aaaaaaaa1"), Mine: true, Choices: []bot.Choice{{ID: "approve", Label: "Approve"}, {ID: "edit", Label: "Edit …"}}}}
	b := s.enter("lead")
	if _, page, _ := b.get("/approvals"); strings.Contains(page, "Edit …") || !strings.Contains(page, "Approve") {
		t.Errorf("approvals:\n%s", page)
	}
	for _, path := range []string{"/decide?choice=edit&q=q", "/grants"} {
		if code, _, _ := b.get(path); code != 404 {
			t.Errorf("%s = %d", path, code)
		}
	}
}
