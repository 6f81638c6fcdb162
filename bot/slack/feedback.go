package slack

import (
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// rated is the action of the two buttons by which an answer is judged. Their value
// is the judgement and, after it, the key of the run.
const (
	rated = "rate"
	good  = "good:"
	bad   = "bad:"
)

// judged reports whether people may judge a Post: it is what a run has answered, and
// everybody in the place sees it.
func judged(p bot.Post) bool {
	unfinished := slices.ContainsFunc(p.Choices, func(c bot.Choice) bool { return strings.HasPrefix(c.ID, "continue:") })
	return p.Kind == bot.Answer && p.Of != "" && p.Only == "" && !unfinished && len(good+p.Of) <= valueLimit
}

// valueLimit is what Slack takes as the value of a button.
const valueLimit = 2000

func judge(p bot.Post, id string) slack.Block {
	button := func(value, en, zh string) *slack.FeedbackButton {
		word := say(p.Lang, en, zh)
		return slack.NewFeedbackButton(slack.NewTextBlockObject(slack.PlainTextType, word, false, false), value).
			WithAccessibilityLabel(word)
	}
	return slack.NewContextActionsBlock(id, slack.NewFeedbackButtonsBlockElement(rated,
		button(good+p.Of, "Good answer", "回答得好"), button(bad+p.Of, "Bad answer", "回答得不好")))
}

// explain is the button that asks why an answer is as it is; an empty Choice if there
// is nothing to explain.
func explain(p bot.Post) bot.Choice {
	id := "why:" + p.Of
	if !judged(p) || len(chosen+id) > actionLimit {
		return bot.Choice{}
	}
	return bot.Choice{ID: id, Label: say(p.Lang, "Why this answer?", "为什么这样答？")}
}

// judgement reads the value of a pressed button, and reports false if it is none of
// ours.
func judgement(value string) (run string, isGood, ok bool) {
	if run, ok = strings.CutPrefix(value, good); ok {
		return run, true, run != ""
	}
	run, ok = strings.CutPrefix(value, bad)
	return run, false, ok && run != ""
}
