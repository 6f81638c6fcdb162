package bot

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/router"
)

// A Correction is what somebody has told the router about words of theirs that it took
// for something else.
type Correction struct {
	Text    string
	Was, Is router.Kind
	At      time.Time
}

// A Tutor keeps Corrections, for the next training.
type Tutor interface {
	Corrected(context.Context, Correction) error
}

// retakePrefix begins the name of what stands under small talk that may have been a
// task. The key of the Run comes after it.
const retakePrefix = "retake:"

// choiceTask is the button that makes small talk a task.
const choiceTask = "task"

// How people say that what they said before was taken for the wrong thing: as a message
// of its own.
var (
	justDo   = regexp.MustCompile(`(?i)^(?:no[,.!]?\s+)?(?:please\s+)?(?:(?:just|go ahead and) do (?:it|that|this)|do it(?: then)?|that was a task|run (?:it|that) as a task)(?:\s+please)?[.!]*$|^(?:那就|就|请)?(?:直接做|直接办|直接执行|去做吧|照做|这是任务|当任务做)(?:吧|就好|就行)?[。！!]*$`)
	onlyAsks = regexp.MustCompile(`(?i)^(?:no[,.!]?\s+)?(?:i (?:was|am) (?:only|just) (?:asking|wondering|curious)|i'm (?:only|just) (?:asking|wondering)|(?:that|it) was (?:only|just) a question|(?:only|just) asking)[.!]*$|^(?:不是?[，,。]?\s*)?我?(?:只是|就是|就|只)(?:问问|问一下|想问问|想知道|随口问问)(?:而已|罢了)?[。！!]*$`)
)

// retaken is what was said before by whom a Message corrects, and what it is in truth;
// false of one that corrects nothing. Where the words fit nothing they are words like
// others.
func (b *Bot) retaken(ctx context.Context, it Item, m Message) (before Message, is router.Kind, ok bool, err error) {
	switch {
	case justDo.MatchString(strings.TrimSpace(m.Text)):
		is = router.Task
	case onlyAsks.MatchString(strings.TrimSpace(m.Text)):
		is = router.Question
	default:
		return before, is, false, nil
	}
	said, err := b.Inbox.Before(ctx, it, retakeLooks)
	if err != nil {
		return before, is, false, fmt.Errorf("what %s corrects: %w", m.Key, err)
	}
	for _, before := range said {
		if before.From != m.From || before.Key == m.Key {
			continue
		}
		before.Addressed = true
		was := b.guess(before).Kind
		wrong := is == router.Task && (was == router.Chitchat || was == router.Question) || is == router.Question && was == router.Task
		if !wrong {
			return before, is, false, nil
		}
		return before, is, true, b.learn(ctx, m.Key, Correction{Text: before.Text, Was: was, Is: is, At: b.Now()})
	}
	return before, is, false, nil
}

// leave does no more of what somebody says they were only asking about: what waits for a
// decision is called off. Done once more as a question, with the same words and tools, it
// would come to the same card.
func (b *Bot) leave(ctx context.Context, it Item, m Message, lang string) error {
	if err := b.supersede(ctx, it, m.From, nil); err != nil {
		return err
	}
	p := Post{Key: it.Key + "/left", Place: it.Place, Lang: lang, By: m.From, Text: words(lang).leftAlone}
	if err := b.Outbox.Add(ctx, p); err != nil {
		return fmt.Errorf("answer %s: %w", it.Key, err)
	}
	return nil
}

// retakeLooks is how many messages back the one that is corrected may be.
const retakeLooks = 10

// learn keeps a Correction once.
func (b *Bot) learn(ctx context.Context, key string, c Correction) error {
	if b.Tutor == nil {
		return nil
	}
	if first, err := b.once(ctx, "corrected/"+key, key+"/"+string(c.Is), 100*365*24*time.Hour); err != nil || !first {
		return err
	}
	if err := b.Tutor.Corrected(ctx, c); err != nil {
		b.Log.Error("correction is not kept", "message", key, "err", err)
	}
	return nil
}

// offersTask reports whether small talk may have been a task: it is more than a word or
// two, and no rule says that it is small talk.
func offersTask(r run.Request) bool {
	return r.Light && r.Routed != nil && r.Routed.Open && length(r.Text) >= 2
}

// retake has small talk done as a task, if who said it wants so.
func (b *Bot) retake(ctx context.Context, it Item) error {
	c := *it.Click
	key := strings.TrimPrefix(c.Question, retakePrefix)
	lang := b.langOfPress(ctx, c)
	r, ok, err := b.Agent.Look(ctx, key)
	switch {
	case err != nil:
		return err
	case !ok || !r.Light || c.Choice != choiceTask:
		return b.whisper(ctx, it, c.From, words(lang).noQuestion, lang)
	case r.Asker != c.From:
		owner := b.nameOf(r.Asker)
		w := words(r.Lang)
		return b.tellOne(ctx, it, c.From, naming(w.notYours+w.onlyThey(owner), owner), r.Lang)
	}
	first, err := b.once(ctx, c.Question, c.Key, 100*365*24*time.Hour)
	if err != nil {
		return err
	}
	if !first {
		return b.whisper(ctx, it, c.From, words(r.Lang).alreadyGoing, r.Lang)
	}
	if err := b.learn(ctx, key, Correction{Text: r.Text, Was: router.Chitchat, Is: router.Task, At: b.Now()}); err != nil {
		return err
	}
	home, err := ParsePlace(r.Home)
	if err != nil {
		return fmt.Errorf("home of run %s: %w", key, err)
	}
	req := r.Request
	req.Key, req.Intent, req.Light, req.NoTools, req.Turns = key+"/task", string(router.Task), false, false, nil
	req.Routed = &run.Routed{Reason: "as a task, by a press", Sure: 1}
	return b.Inbox.Add(ctx, Item{Key: req.Key, Place: home, Lane: Talk, Request: &req})
}

// routed is what a Run keeps of how the router took what it is about.
func routed(d router.Decision) *run.Routed {
	return &run.Routed{Reason: d.Reason, Sure: d.Confidence, Terms: d.Terms, Tags: d.Tags, Open: !strings.HasPrefix(d.Reason, "rule ")}
}
