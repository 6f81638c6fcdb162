// Package router says what a message is: nothing for us, a command, small talk,
// a question or a task. It says no more. What follows from it is the caller's
// business, who must see to it that a wrong guess can do no harm.
//
// What a newcomer would break: a message that no rule knows is a task. A task
// taken for small talk is lost; small talk taken for a task costs a look.
package router

import (
	"context"
	"strings"
)

// A Message is what there is to go by.
type Message struct {
	Text      string // without the call of the bot's name
	Addressed bool   // the bot was called by name
	InThread  bool   // said in a thread in which the bot has spoken
	Direct    bool   // nobody else can see it
}

// A Kind is what a Message is.
type Kind string

// The kinds.
const (
	Ignore   Kind = "ignore"   // meant for somebody else
	Command  Kind = "command"  // for the program itself, not its model
	Chitchat Kind = "chitchat" // a friendly word
	Question Kind = "question" // to know something; reading tools may be needed for it
	Task     Kind = "task"     // to have something done
)

// A Decision is what a Message was taken for, and why.
type Decision struct {
	Kind       Kind
	Reason     string   // for the trace; people never read it
	Confidence float64  // from 0, a guess, to 1, certain
	Terms      []string // the words of the text that decided
}

// A Classifier decides what the rules leave open. It may ask a model, so it may
// be slow, and it may fail: the Router then stays with its rules.
type Classifier interface {
	Classify(context.Context, Message) (Decision, error)
}

// Config is what a Router can be told.
type Config struct {
	Rules []Rule  // the first that matches decides; DefaultRules if there are none
	Sure  float64 // the Confidence below which the Classifier is asked
}

// Router is safe for concurrent use if its Classifier is.
type Router struct {
	rules      *index
	sure       float64
	classifier Classifier
}

// New returns a Router. Without a Classifier (nil) the rules have the last word.
func New(cfg Config, c Classifier) *Router {
	rules := cfg.Rules
	if len(rules) == 0 {
		rules = DefaultRules()
	}
	return &Router{rules: newIndex(rules), sure: cfg.Sure, classifier: c}
}

// Route says what m is. It does not fail: where the Classifier does, the rules'
// Decision stands and its Reason tells of the failure.
func (r *Router) Route(ctx context.Context, m Message) Decision {
	d := r.byRules(m)
	if d.Confidence >= r.sure || r.classifier == nil {
		return d
	}
	second, err := r.classifier.Classify(ctx, m)
	switch {
	case err != nil:
		d.Reason += "; classifier: " + err.Error()
	case second.Confidence > d.Confidence:
		d = second
	}
	return d
}

// longest is how much of a text the rules read: what people want stands at the
// beginning, and a text of a megabyte must cost no more than one of a page.
const longest = 2000

func (r *Router) byRules(m Message) Decision {
	switch {
	case !m.Addressed && !m.InThread && !m.Direct:
		return Decision{Kind: Ignore, Reason: "not addressed", Confidence: 1}
	case !m.Addressed && !m.Direct && toSomebodyElse(m.Text):
		return Decision{Kind: Ignore, Reason: "addressed to somebody else", Confidence: 0.9}
	}
	text := m.Text
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "")
	}
	w := split(text)
	if len(w.at) == 0 {
		if strings.ContainsAny(text, "?？") {
			return Decision{Kind: Question, Reason: "a question mark alone", Confidence: 0.5, Terms: []string{"?"}}
		}
		if strings.TrimSpace(text) != "" {
			return Decision{Kind: Chitchat, Reason: "no words", Confidence: 0.6}
		}
		return Decision{Kind: Command, Reason: "called without a word", Confidence: 1}
	}
	if t := strings.TrimSpace(text); len(t) > 1 && t[0] == '/' && t[1] >= 'a' && t[1] <= 'z' {
		name, _, _ := strings.Cut(t, " ")
		return Decision{Kind: Command, Reason: "rule slash", Confidence: 1, Terms: []string{name}}
	}
	if rule, terms := r.rules.match(w); rule != nil {
		return Decision{Kind: rule.Kind, Reason: "rule " + rule.Name, Confidence: rule.Confidence, Terms: terms}
	}
	if strings.HasSuffix(strings.TrimSpace(text), "?") || strings.HasSuffix(strings.TrimSpace(text), "？") {
		return Decision{Kind: Question, Reason: "question mark", Confidence: 0.6, Terms: []string{"?"}}
	}
	return Decision{Kind: Task, Reason: "no rule"}
}

// toSomebodyElse says whether a text begins with somebody's name as platforms
// write it. The call of the bot's own name has been taken off.
func toSomebodyElse(text string) bool {
	t := strings.TrimSpace(text)
	return strings.HasPrefix(t, "<@") || len(t) > 1 && t[0] == '@' && t[1] != ' '
}

// Lang is the language a text is written in, "en" or "zh". One with Han
// characters is Chinese even if it has more English words: who writes it reads
// both, and who reads no Chinese writes none.
func Lang(text string) string {
	for i, r := range text {
		if i > longest {
			break
		}
		if isHan(r) {
			return "zh"
		}
	}
	return "en"
}
