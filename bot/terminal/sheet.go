package terminal

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"hermes/bot"
)

// The daemon's end of the forms by which a person decides with more than a press.

// filled is a form as a client has filled it in.
type filled struct {
	ID       string            `json:"id"`
	Question string            `json:"question"`
	Choice   string            `json:"choice"`
	Values   map[string]string `json:"values"`
}

// wrong is why a form is not taken, and at which of its fields.
type wrong struct {
	Field string `json:"field,omitempty"`
	Text  string `json:"text"`
}

// offers leaves out the choices that need a form where nobody has forms.
func (t *Terminal) offers(lines []bot.Line) []bot.Line {
	if t.decider != nil {
		return lines
	}
	lines = slices.Clone(lines)
	for i, l := range lines {
		if l.Question != "" {
			lines[i].Choices = slices.DeleteFunc(slices.Clone(l.Choices), func(ch bot.Choice) bool { return bot.FormOf(ch.ID) != bot.NoForm })
		}
	}
	return lines
}

// sheet answers with the form that a choice of a question opens.
func (t *Terminal) sheet(w http.ResponseWriter, r *http.Request) {
	question, choice := r.URL.Query().Get("question"), r.URL.Query().Get("choice")
	if t.decider == nil || bot.FormOf(choice) == bot.NoForm {
		http.Error(w, fmt.Sprintf("there is no form for %q", choice), http.StatusNotFound)
		return
	}
	s, err := t.decider.Sheet(r.Context(), Owner, question, choice)
	if err != nil {
		t.log.Error("form not made", "question", question, "choice", choice, "err", err)
		http.Error(w, "the form cannot be had now", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(s); err != nil {
		t.log.Debug("form not taken", "question", question, "err", err)
	}
}

// decide takes a form. What is wrong about it is said, and nothing is noted.
func (t *Terminal) decide(w http.ResponseWriter, r *http.Request) {
	var in filled
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in)
	if err == nil && in.ID == "" {
		err = errors.New("no id")
	}
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	case t.decider == nil || bot.FormOf(in.Choice) == bot.NoForm:
		http.Error(w, fmt.Sprintf("there is no form for %q", in.Choice), http.StatusNotFound)
		return
	}
	err = t.decider.Decide(r.Context(), bot.Click{
		Key: pressKey(in.ID), Place: place, From: Owner, Name: "you", Question: in.Question, Choice: in.Choice, At: t.now(),
	}, in.Values)
	var invalid *bot.Invalid
	if errors.As(err, &invalid) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		if err := json.NewEncoder(w).Encode(wrong{invalid.Field, invalid.Text}); err != nil {
			t.log.Debug("fault of a form not taken", "question", in.Question, "err", err)
		}
		return
	}
	var becomes *bot.Becoming
	if errors.As(err, &becomes) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusConflict)
		if err := json.NewEncoder(w).Encode(becomes); err != nil {
			t.log.Debug("effect of a form not taken", "question", in.Question, "err", err)
		}
		return
	}
	t.end(w, err)
}
