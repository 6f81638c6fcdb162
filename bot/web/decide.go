package web

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"hermes/bot"
)

// choices are the buttons of a question for a visitor. One that needs a form is a link
// to the page that has it, or left out where nobody has forms.
func (c *Console) choices(v visit, question string, all []bot.Choice) []choiceView {
	var out []choiceView
	for _, ch := range all {
		cv := choiceView{ID: ch.ID, Label: ch.Label, Style: styleOf(ch.Style)}
		if question != "" && bot.FormOf(ch.ID) != bot.NoForm {
			if c.cfg.Decider == nil {
				continue
			}
			cv.URL = "/decide?" + url.Values{"q": {question}, "choice": {ch.ID}}.Encode()
		}
		if v.speaks() {
			out = append(out, cv)
		}
	}
	return out
}

// A sheetBody is the form for a decision.
type sheetBody struct {
	Lead                                      template.HTML
	Fields                                    []fieldView
	Send, Problem, Seen                       string
	Question, Choice, CSRF, Nonce, Back, Lang string
}

type fieldView struct {
	bot.Field
	DOM, Wrong string
	Chosen     map[string]bool
}

// waits finds a question that waits, as a visitor may see it.
func (c *Console) waits(r *http.Request, v visit, id string) (bot.OpenQuestion, bool, error) {
	qs, err := c.desk.Questions(r.Context(), v.person)
	i := slices.IndexFunc(qs, func(q bot.OpenQuestion) bool { return q.ID == id })
	if err != nil || i < 0 {
		return bot.OpenQuestion{}, false, err
	}
	return qs[i], true, nil
}

// decideForm shows the form that a choice needs.
func (c *Console) decideForm(w http.ResponseWriter, r *http.Request, v visit) {
	c.sheet(w, r, v, r.URL.Query().Get("q"), r.URL.Query().Get("choice"), nil, nil, nil, http.StatusOK)
}

// sheet writes that page; with what was filled in already, and what is wrong about it or
// comes of it.
func (c *Console) sheet(w http.ResponseWriter, r *http.Request, v visit, question, choice string, values map[string]string, invalid *bot.Invalid, becomes *bot.Becoming, code int) {
	if c.cfg.Decider == nil || bot.FormOf(choice) == bot.NoForm {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	q, ok, err := c.waits(r, v, question)
	if err != nil || !ok {
		c.gone(w, r, v, question, choice, newNonce(c.now()), err)
		return
	}
	s, err := c.cfg.Decider.Sheet(r.Context(), v.person, question, choice)
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	body := sheetBody{
		Lead: c.render(v, s.Lead), Send: s.Send, Question: question, Choice: choice, Lang: s.Lang,
		CSRF: c.door.token(v.session), Nonce: newNonce(c.now()), Back: "/approvals",
	}
	if _, link := c.where(v, q.Home); link != "" {
		body.Back = link
	}
	if invalid != nil && invalid.Field == "" {
		body.Problem = invalid.Text
	}
	if becomes != nil {
		body.Lead, body.Send, body.Seen = c.render(v, becomes.Text), becomes.Send, becomes.Seen
	}
	for _, f := range s.Fields {
		fv := fieldView{Field: f, DOM: "f-" + strings.ReplaceAll(f.ID, ".", "-"), Chosen: map[string]bool{}}
		if was, there := values[f.ID]; there {
			fv.Value = was
		}
		if invalid != nil && invalid.Field == f.ID {
			fv.Wrong = invalid.Text
		}
		fv.Chosen[fv.Value] = true
		body.Fields = append(body.Fields, fv)
	}
	f := c.frame(r, v)
	f.Page, f.Title, f.Body = "approvals", s.Title, body
	c.show(w, r, v, code, "decide", f)
}

// gone answers a try at a question that does not wait for the visitor: it is not theirs,
// which is audited, or it is settled.
func (c *Console) gone(w http.ResponseWriter, r *http.Request, v visit, question, choice, nonce string, err error) {
	barred := ""
	if err == nil && c.cfg.Decider != nil {
		click := bot.Click{Key: pressOf(v, question, choice, nonce), From: v.person, Name: v.user.Name, Question: question, Choice: choice, At: c.now()}
		barred, err = c.cfg.Decider.Barred(r.Context(), click, v.lang)
	}
	switch {
	case err != nil:
		c.broken(w, r, v, err)
	case barred != "":
		c.explained(w, r, v, http.StatusForbidden, v.T("fail.barred.short"), barred)
	default:
		c.fail(w, r, v, http.StatusGone)
	}
}

// pressOf is the key of a press on a question that is on no line.
func pressOf(v visit, question, choice, nonce string) string {
	return strings.Join([]string{"question/" + question, url.PathEscape(choice), v.user.ID, nonce}, "/")
}

// fieldMark begins the names of the inputs that are fields of a Sheet.
const fieldMark = "f:"

// decide takes such a form. What is wrong is said where it was filled in.
func (c *Console) decide(w http.ResponseWriter, r *http.Request, v visit) {
	f := r.PostForm
	nonce, question, choice := f.Get("nonce"), f.Get("question"), f.Get("choice")
	if c.cfg.Decider == nil || !nonceAt.MatchString(nonce) {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	q, ok, err := c.waits(r, v, question)
	if err != nil || !ok {
		c.gone(w, r, v, question, choice, nonce, err)
		return
	}
	values := map[string]string{}
	for name := range f {
		if id, ok := strings.CutPrefix(name, fieldMark); ok {
			values[id] = strings.ReplaceAll(f.Get(name), "\r\n", "\n")
		}
	}
	click := bot.Click{
		Key: pressOf(v, question, choice, nonce), Place: q.Home,
		From: v.person, Name: v.user.Name, Question: question, Choice: choice, At: c.now(),
	}
	err = c.cfg.Decider.Decide(r.Context(), click, values)
	var invalid *bot.Invalid
	var becomes *bot.Becoming
	switch {
	case errors.As(err, &invalid):
		c.sheet(w, r, v, question, choice, values, invalid, nil, http.StatusUnprocessableEntity)
		return
	case errors.As(err, &becomes):
		c.sheet(w, r, v, question, choice, values, nil, becomes, http.StatusOK)
		return
	case err != nil:
		c.log.Error("decision not stored", "press", click.Key, "err", err)
		c.fail(w, r, v, http.StatusServiceUnavailable)
		return
	}
	c.hub.tell(event{Channel: click.Place.Channel, Thread: click.Place.Thread, only: v.person})
	back := "/approvals"
	if _, link := c.where(v, q.Home); link != "" {
		back = link
	}
	http.Redirect(w, r, back, http.StatusSeeOther) //nolint:gosec // a path of a place that the visitor sees
}

type grantView struct {
	DOM, V, ID, Says, Owner, By string
	Used, Max                   int
	Speaks                      bool
	CSRF                        string
}

// grants lists what may run without a question.
func (c *Console) grants(w http.ResponseWriter, r *http.Request, v visit) {
	if c.cfg.Decider == nil {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	all, err := c.cfg.Decider.Grants(r.Context(), v.person, v.lang)
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	body := []grantView{}
	for _, g := range all {
		gv := grantView{
			DOM: "g-" + g.ID, ID: g.ID, Says: g.Says, Owner: c.NameOf(g.Owner), By: c.NameOf(g.By), Used: g.Used, Max: g.Max,
			Speaks: v.speaks(), CSRF: c.door.token(v.session),
		}
		stable := gv
		stable.CSRF = ""
		gv.V = hashOf(stable)
		body = append(body, gv)
	}
	c.showDesk(w, r, v, "grants", body)
}

// revoke ends one of them.
func (c *Console) revoke(w http.ResponseWriter, r *http.Request, v visit) {
	if c.cfg.Decider == nil {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	err := c.cfg.Decider.Revoke(r.Context(), v.person, r.PostForm.Get("grant"), v.lang)
	var invalid *bot.Invalid
	switch {
	case errors.As(err, &invalid):
		c.explained(w, r, v, http.StatusForbidden, v.T("fail.barred.short"), invalid.Text)
	case err != nil:
		c.log.Error("grant not revoked", "grant", r.PostForm.Get("grant"), "err", err)
		c.fail(w, r, v, http.StatusServiceUnavailable)
	default:
		http.Redirect(w, r, "/grants", http.StatusSeeOther)
	}
}
