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
	said, lang, err := b.reason(ctx, *it.Click)
	if err != nil {
		return err
	}
	return b.tellOne(ctx, it, it.Click.From, said, lang)
}

// reason is what who asks why is told, and in which language.
func (b *Bot) reason(ctx context.Context, c Click) (phrase, string, error) {
	lang := b.langOfPress(ctx, c)
	if b.Desk == nil {
		return phrase{text: words(lang).notShown}, lang, nil
	}
	v, steps, err := b.Desk.Run(ctx, c.From, run.TraceOf(c.Why))
	switch {
	case errors.Is(err, ErrNoRun):
		return phrase{text: words(lang).notShown}, lang, nil
	case err != nil:
		return phrase{}, lang, fmt.Errorf("why %s: %w", c.Why, err)
	}
	lang = cmp.Or(v.Lang, lang)
	return b.because(words(lang), v, steps), lang, nil
}

// Explain returns what the answer of a Run rests on, as far as a person may see it, as
// Markdown: for a platform that shows it to them elsewhere than in a Post.
func (b *Bot) Explain(ctx context.Context, person, key string) (string, error) {
	c := Click{From: person, Why: key}
	c.Place.Platform, _, _ = strings.Cut(person, ":")
	may, why, err := b.mayPress(ctx, c)
	if err != nil {
		return "", err
	}
	if !may {
		return b.denial(c.Place.Platform, b.langOfPress(ctx, c), why).text, nil
	}
	said, _, err := b.reason(ctx, c)
	return said.text, err
}

// because is what an answer rests on: steps, whose word they came under, who thought,
// and what it cost. What the tools said is not among it.
func (b *Bot) because(w *wording, v RunView, steps []StepView) phrase {
	said := phrase{text: w.why}
	var lines []string
	var sources []string
	calls := 0
	for _, s := range steps {
		if s.Call == "" {
			continue
		}
		if calls++; calls <= mostWhy {
			said = said.then(phrase{text: "\n"}).then(b.whyStep(w, s))
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
	if goal := w.asked(v.Goal); goal != "" {
		lines = append(lines, goal)
	}
	if taken := w.whyTaken[v.Intent]; v.Routed != nil && taken != "" {
		lines = append(lines, w.whyRouted(taken, v.Routed.Sure, v.Routed.Terms))
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
	return said.then(phrase{text: "\n" + strings.Join(lines, "\n")})
}

func (b *Bot) whyStep(w *wording, s StepView) phrase {
	name, args, _ := strings.Cut(s.Call, " ")
	line := phrase{text: "- " + w.step(name, json.RawMessage(args))}
	var beside []string
	if s.Failed && s.Ruling != Denied && s.Ruling != Returned {
		beside = append(beside, w.didFail)
	}
	who := ""
	if say, ok := w.ruled[s.Ruling]; ok {
		who = b.nameOf(s.By)
		beside = append(beside, say(who))
	}
	if len(beside) > 0 {
		line = line.then(naming(" ("+strings.Join(beside, w.listed)+")", who))
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

// judged keeps what a person thinks of an answer, and thanks them for each press: who
// thinks otherwise now is told that this is what counts.
func (b *Bot) judged(ctx context.Context, it Item) error {
	c := *it.Click
	if b.Ledger != nil {
		if err := b.Ledger.Rate(ctx, Rating{Run: c.Rates, Person: c.From, Good: c.Good, At: c.At}); err != nil {
			return err
		}
	}
	lang := b.langOfPress(ctx, c)
	return b.whisper(ctx, it, c.From, words(lang).thanks[c.Good], lang)
}
