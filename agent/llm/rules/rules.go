// Package rules is a model without a language model: it reads a request by rules,
// in English and Chinese, and answers with the calls and the words that a model
// would. It has five abilities (figures, reports, sending, times, memory) and
// does nothing that is not one of them.
//
// What a newcomer would break: every word of a request is claimed, or nothing is
// done. A word that is skipped because the rest is clear is how "don't post it"
// becomes a post.
package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"hermes/agent/llm"
	"hermes/scheduler/calendar"
)

// A Label is what a thing is called when it is shown.
type Label struct{ En, Zh string }

// A Term is a measure or a dimension that the operator has declared, with the
// words that mean it, in any language.
type Term struct {
	Name  string
	Words []string
	Label Label
}

// A Value is one value of a dimension with the words that mean it.
type Value struct {
	Dimension string
	Value     string
	Words     []string
}

// A Channel is a place to post to, with the words that mean it beside its name.
type Channel struct {
	Name  string // "#sales"
	Words []string
}

// A Report is one that is saved, with the words that name it. Owner is the person whose it
// is; empty: anybody's.
type Report struct {
	Name  string
	Words []string
	Owner string
}

// A Vocabulary is what can be spoken of.
type Vocabulary struct {
	Measures   []Term
	Dimensions []Term // without those of time, which are always there
	Channels   []Channel
	// Values returns the values of the dimensions. It is called at each request
	// and must be quick; nil means none.
	Values func() []Value
	// Reports returns the saved reports, as Values does.
	Reports func() []Report
	// DaysOff returns the holidays as they are known at a time; nil: nobody has said which
	// days those are, and what excepts them is not understood.
	DaysOff func(now time.Time) (*calendar.Holidays, error)
}

// Model answers by rules. It is safe for concurrent use and keeps nothing of what
// it is asked.
type Model struct {
	vocabulary Vocabulary
	words      *lexicon
	nouns      []noun

	mu     sync.Mutex // for what was made of the values last
	mark   string
	values *lexicon
}

var _ llm.Model = (*Model)(nil)

// New returns the Model for a Vocabulary.
func New(v Vocabulary) *Model {
	return &Model{vocabulary: v, words: newLexicon(v), nouns: nounsOf(v)}
}

// Name implements llm.Model.
func (*Model) Name() string { return "rules" }

// Generate implements llm.Model. It fails only when ctx has ended.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, fmt.Errorf("read by rules: %w", err)
	}
	msg := m.answer(req)
	msg.Role = llm.Assistant
	if req.Stream != nil && msg.Text != "" {
		req.Stream(msg.Text)
	}
	return llm.Reply{Message: msg, Model: m.Name()}, nil
}

func (m *Model) answer(req llm.Request) llm.Message {
	said := conversation(req.Messages)
	c := m.reader(req.Scene, said)
	if len(req.Tools) == 0 {
		return llm.Message{Text: c.sayChat(chatKind(said.text()))}
	}
	w := work{reader: c, request: req, talk: said}
	return w.next()
}

// reader is what a text of this scene is read with.
func (m *Model) reader(s llm.Scene, t talk) reader {
	loc, err := time.LoadLocation(s.Zone)
	if err != nil || s.Zone == "" {
		loc = time.UTC
	}
	lang := s.Lang
	if lang == "" {
		lang = languageOf(t.text())
	}
	c := reader{
		scanner: scanner{words: m.words, values: m.valuesNow(), nouns: m.nouns, now: s.Now.In(loc), loc: loc}, vocabulary: m.vocabulary,
		lang: lang, said: t.said, job: t.job, jobs: t.job != "", slot: !s.From.IsZero(), began: s.Began,
	}
	for _, x := range t.calls {
		var args struct{ Report string }
		if x.Name == reportGone && json.Unmarshal(x.Args, &args) == nil {
			c.gone = args.Report
		}
	}
	own, meant := false, map[string]bool{}
	for _, f := range s.Facts {
		switch f.Predicate {
		case "prefers-language":
			if !own && s.Asker != "" && f.Subject == s.Asker && (f.Object == "en" || f.Object == "zh") {
				c.lang, own = f.Object, true
			}
		case "means":
			// Of two that contradict each other the first is the one in use.
			if word := strings.ToLower(strings.TrimSpace(f.Subject)); !meant[word] {
				meant[word] = true
				c.learn(f.Subject, f.Object)
			}
		case "prefers-format":
			format, known := formats[f.Object]
			if !known {
				continue
			}
			// The asker's own wish goes before one of the team.
			if c.format == "" || f.Subject == s.Asker && !c.ownFormat {
				c.format, c.ownFormat = format, f.Subject == s.Asker
			}
		}
	}
	return c
}

// formats are what a preferred format comes to: a message is in Markdown as it is.
var formats = map[string]string{"xlsx": "xlsx", "csv": "csv", "pdf": "pdf", "markdown": "none"}

var articles = regexp.MustCompile(`(?i)^(?:the|our|my) |[.。]$`)

// learn adds a word of the team, if it means something that is known here.
func (c *reader) learn(word, meaning string) {
	t := normalise(articles.ReplaceAllString(strings.TrimSpace(meaning), ""))
	e, end := c.words.longest(t, 0)
	if v, vEnd := c.values.longest(t, 0); v != nil && vEnd >= end {
		e, end = v, vEnd
	}
	if e == nil || end != len(t.runes) {
		return
	}
	switch e.kind {
	case measure, dimension, value, channel:
		if c.team == nil {
			c.team = &lexicon{}
		}
		given := *e
		given.learned = true
		c.team.add(word, given)
	}
}

// valuesNow returns the lexicon of the values, made anew only when they changed.
func (m *Model) valuesNow() *lexicon {
	if m.vocabulary.Values == nil {
		return &lexicon{}
	}
	values := m.vocabulary.Values()
	var b strings.Builder
	for _, v := range values {
		b.WriteString(v.Dimension + "\x00" + v.Value + "\x00" + strings.Join(v.Words, "\x00") + "\x01")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil || m.mark != b.String() {
		m.mark, m.values = b.String(), &lexicon{}
		for _, v := range values {
			for _, w := range append([]string{v.Value}, v.Words...) {
				m.values.add(w, entry{kind: value, name: v.Value, in: v.Dimension})
				if ascii(w) {
					m.values.add(w+"s", entry{kind: value, name: v.Value, in: v.Dimension})
				}
			}
		}
	}
	return m.values
}

// languageOf guesses the language of a text that comes without one: any Han
// character makes it Chinese, since people who write it read it.
func languageOf(text string) string {
	for _, r := range text {
		if r >= 0x4E00 && r <= 0x9FFF {
			return "zh"
		}
	}
	return "en"
}
