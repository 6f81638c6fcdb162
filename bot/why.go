package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/run"
)

// mostWhy is how many steps are told to who asks why; the rest is behind the link.
const mostWhy = 12

// explain tells who asks what an answer rests on, as far as they may see it.
func (b *Bot) explain(ctx context.Context, it Item) error {
	c := *it.Click
	lang := b.langOfPress(ctx, c)
	if b.Desk == nil {
		return b.whisper(ctx, it, c.From, words(lang).notShown, lang)
	}
	v, steps, err := b.Desk.Run(ctx, c.From, run.TraceOf(c.Why))
	switch {
	case errors.Is(err, ErrNoRun):
		return b.whisper(ctx, it, c.From, words(lang).notShown, lang)
	case err != nil:
		return fmt.Errorf("why %s: %w", c.Why, err)
	}
	lang = cmp.Or(v.Lang, lang)
	return b.whisper(ctx, it, c.From, b.because(words(lang), v, steps), lang)
}

// because is what an answer rests on: steps, whose word they came under, who thought,
// and what it cost. What the tools said is not among it.
func (b *Bot) because(w *wording, v RunView, steps []StepView) string {
	lines := []string{w.why}
	var sources []string
	calls := 0
	for _, s := range steps {
		if s.Call == "" {
			continue
		}
		if calls++; calls <= mostWhy {
			lines = append(lines, b.whyStep(w, s))
		}
		if from := sourceOf(s); from != "" && !slices.Contains(sources, from) {
			sources = append(sources, from)
		}
	}
	if calls == 0 {
		lines = append(lines, w.whyNone)
	}
	if calls > mostWhy {
		lines = append(lines, "- "+w.whyMore(calls-mostWhy))
	}
	if len(sources) > 0 {
		lines = append(lines, w.whySource(sources))
	}
	model := v.Model
	if model == rulesModel {
		model = w.rules
	}
	if model != "" {
		lines = append(lines, w.whyModel(model))
	}
	if v.In+v.Out > 0 {
		lines = append(lines, w.whyCost(v.In, v.Out, v.Nanos))
	}
	lines = append(lines, upper(w.trace(v.Trace)))
	if b.cfg.Console != "" {
		lines = append(lines, w.whyLink+strings.TrimSuffix(b.cfg.Console, "/")+"/runs/"+v.Trace)
	}
	return strings.Join(lines, "\n")
}

func (b *Bot) whyStep(w *wording, s StepView) string {
	name, args, _ := strings.Cut(s.Call, " ")
	line := "- " + w.step(name, json.RawMessage(args))
	var beside []string
	if s.Failed && s.Ruling != Denied {
		beside = append(beside, w.didFail)
	}
	if say, ok := w.ruled[s.Ruling]; ok {
		beside = append(beside, say(b.nameOf(s.By)))
	}
	if len(beside) > 0 {
		line += " (" + strings.Join(beside, w.listed) + ")"
	}
	return line
}

// sourceOf is the source that a tool names in what it says.
func sourceOf(s StepView) string {
	var in struct {
		Source string `json:"source"`
	}
	if s.Failed || json.Unmarshal([]byte(s.Result), &in) != nil {
		return ""
	}
	return oneLine.Replace(in.Source)
}

// judged keeps what a person thinks of an answer, and thanks them the first time.
func (b *Bot) judged(ctx context.Context, it Item) error {
	c := *it.Click
	if b.Ledger != nil {
		if err := b.Ledger.Rate(ctx, Rating{Run: c.Rates, Person: c.From, Good: c.Good, At: c.At}); err != nil {
			return err
		}
	}
	lang := b.langOfPress(ctx, c)
	return b.Outbox.Add(ctx, Post{Key: c.Rates + "/thanks/" + c.From, Place: it.Place, Lang: lang, Only: c.From, Text: words(lang).thanks[c.Good]})
}
