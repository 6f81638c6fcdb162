// Package router says what a message is: nothing for us, a command, small talk,
// a question or a task. It says no more. What follows from it is the caller's
// business, who must see to it that a wrong guess can do no harm.
//
// It goes in stages, each asked only where those before it leave something open: the
// rules, few and exact; the embedded classifier, whose weights `hermes router train`
// makes of labelled lines (testdata and NOTICE say of which); and a Classifier that may
// ask a model, where there is one.
//
// What a newcomer would break: a task taken for small talk is lost; small talk taken
// for a task costs a look. So small talk must be likelier than all else together, by a
// margin, and a text that names something of the team never is.
package router

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
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
	Terms      []string // the words of the text that decided, and those of the team
	Lang       string   // what it is written in: see Lang
	Tags       []string // what the words of the team stand for, such as "source:crm"
}

// A Classifier decides what all else leaves open. It may ask a model, so it may
// be slow, and it may fail: the Router then stays with its own guess.
type Classifier interface {
	Classify(context.Context, Message) (Decision, error)
}

// Config is what a Router can be told.
type Config struct {
	Rules  []Rule  // the first that matches decides; DefaultRules if there are none
	Linear *Linear // the classifier; the embedded one if nil
	Sure   float64 // the Confidence below which a Classifier is asked
	Terms  []Term  // the words of the team
}

// Router is safe for concurrent use if its Classifier is.
type Router struct {
	rules      *index
	linear     *Linear
	sure       float64
	classifier Classifier
	terms      atomic.Pointer[terms]
}

// New returns a Router. Without a Classifier (nil) the embedded one has the last word.
func New(cfg Config, c Classifier) *Router {
	rules := cfg.Rules
	if len(rules) == 0 {
		rules = DefaultRules()
	}
	r := &Router{rules: newIndex(rules), linear: cfg.Linear, sure: cfg.Sure, classifier: c}
	if r.linear == nil {
		r.linear = embedded()
	}
	r.Name(cfg.Terms)
	return r
}

// Route says what m is. It does not fail: where the Classifier does, the Router's own
// Decision stands and its Reason tells of the failure.
func (r *Router) Route(ctx context.Context, m Message) Decision {
	d := r.Guess(m)
	if r.classifier == nil || d.Kind == Ignore || d.Confidence >= r.sure {
		return d
	}
	second, err := r.classifier.Classify(ctx, m)
	switch {
	case err != nil:
		d.Reason += "; classifier: " + err.Error()
	case second.Confidence > d.Confidence:
		second.Terms, second.Tags, second.Lang = append(second.Terms, d.Terms...), d.Tags, d.Lang
		d = second
	}
	return d
}

// Guess says what m is without the Classifier: at once, for whoever cannot wait, as
// before a message is acknowledged.
func (r *Router) Guess(m Message) Decision {
	text := head(m.Text)
	w := split(text)
	named, tags := r.terms.Load().in(w)
	d := r.alone(m, text, w, len(named) > 0)
	for _, t := range named {
		if !slices.Contains(d.Terms, t) {
			d.Terms = append(d.Terms, t)
		}
	}
	d.Tags, d.Lang = tags, Lang(text)
	return d
}

// longest is how much of a text is read: what people want stands at the
// beginning, and a text of a megabyte must cost no more than one of a page.
const longest = 2000

// talk is how likely small talk must be to be taken for it.
const talk = 0.55

// alone is what a Message is by the rules and the embedded classifier.
func (r *Router) alone(m Message, text string, w words, named bool) Decision {
	switch {
	case !m.Addressed && !m.InThread && !m.Direct:
		return Decision{Kind: Ignore, Reason: "not addressed", Confidence: 1}
	case !m.Addressed && !m.Direct && toSomebodyElse(m.Text):
		return Decision{Kind: Ignore, Reason: "addressed to somebody else", Confidence: 0.9}
	}
	if len(w.at) == 0 {
		return wordless(text)
	}
	if t := strings.TrimSpace(text); len(t) > 1 && t[0] == '/' && t[1] >= 'a' && t[1] <= 'z' {
		name, _, _ := strings.Cut(t, " ")
		return Decision{Kind: Command, Reason: "rule slash", Confidence: 1, Terms: []string{name}}
	}
	if rule, terms := r.rules.match(w); rule != nil {
		return Decision{Kind: rule.Kind, Reason: "rule " + rule.Name, Confidence: rule.Confidence, Terms: terms}
	}
	return r.linear.decide(text, w, named)
}

// decide takes the likeliest kind. Small talk must be so by a margin, and is none where
// something of the team is named.
func (l *Linear) decide(text string, w words, named bool) Decision {
	p := l.guess(text, w)
	best := 1 // after small talk, the kinds of which none is lost
	if p[2] > p[1] {
		best = 2
	}
	if p[0] >= talk && !named {
		best = 0
	}
	return Decision{Kind: Guessed[best], Reason: "classifier", Confidence: float64(p[best]), Terms: l.speaking(w, best)}
}

func wordless(text string) Decision {
	switch {
	case strings.ContainsAny(text, "?？"):
		return Decision{Kind: Question, Reason: "a question mark alone", Confidence: 0.5, Terms: []string{"?"}}
	case strings.TrimSpace(text) != "":
		return Decision{Kind: Chitchat, Reason: "no words", Confidence: 0.6}
	default:
		return Decision{Kind: Command, Reason: "called without a word", Confidence: 1}
	}
}

// head is what is read of a text.
func head(text string) string {
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "")
	}
	return text
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
