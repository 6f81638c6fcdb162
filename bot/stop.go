package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"hermes/agent/run"
)

// isStop reports whether a text means that the work in its place shall end. It is
// the whole text: "stop the report at row 10" is a task.
func isStop(text string) bool { return stops.MatchString(text) }

// stops are the words for it with what politeness adds. "Stop that" may mean the schedule
// of a post.
var stops = regexp.MustCompile(`(?i)^\s*(?:/stop|(?:please |pls |ok |okay |no[, ]+)*(?:stop|halt)(?:,? (?:please|pls|now|working|everything|here))*|(?:请|麻烦|快|先)?(?:你)?(?:停|停止|停下|停下来|停一下|停一停|别做了|不要做了|不用做了|不做了)(?:吧|了)?)[\s.!,。！，]*$`)

// callsOff are words that end work as a stop does while it is under way. On an open card
// they are a no, and elsewhere a request: "cancel" may be about a schedule.
var callsOff = regexp.MustCompile(`(?i)^\s*(?:please |pls |ok |okay |no[, ]+)*(?:cancel|abort)(?: (?:it|this|that))?(?:,? (?:please|pls|now))*[\s.!]*$|^(?:请|麻烦|先)?(?:取消|中止|不用做了|不要了|算了)(?:吧|了|它|这个|任务)?[\s!,。！，]*$`)

// wantsNoMore reports whether a Message ends work of its own person by such words.
func (b *Bot) wantsNoMore(ctx context.Context, m Message) (bool, error) {
	if !callsOff.MatchString(m.Text) || len(m.Files) > 0 {
		return false, nil
	}
	r, works, err := b.Agent.AtWork(ctx, m.Place.String())
	if err != nil {
		return false, fmt.Errorf("what is under way at %s: %w", m.Place, err)
	}
	return works && r.Asker == m.From && r.Job == "", nil
}

// stopPressed is a press on a Stop: it ends what is under way, and nothing that waits
// behind it. Where nothing is under way, what is about to begin for who pressed does not.
func (b *Bot) stopPressed(ctx context.Context, it Item, s run.Stop) error {
	lang := b.langOfPress(ctx, *it.Click)
	stopped, err := b.end(ctx, it, s)
	if text, ok := excuse(run.Question{}, err, lang); ok {
		return b.whisper(ctx, it, s.By, text, lang)
	}
	if err != nil || len(stopped) > 0 {
		return err
	}
	text := words(lang).nothingToStop
	if s.Home != "" {
		held, waits, err := b.gathering(ctx, it, s.By)
		if err != nil {
			return err
		}
		if waits {
			gone, err := b.Inbox.Withdraw(ctx, held.Key)
			if err != nil {
				return err
			}
			if gone {
				text = words(lang).ended[run.Stopped]
			}
		}
	}
	return b.whisper(ctx, it, s.By, text, lang)
}

// end stops Runs and has them go on to their end.
func (b *Bot) end(ctx context.Context, it Item, s run.Stop) ([]run.Request, error) {
	stopped, err := b.Agent.Stop(ctx, s)
	if err := b.refused(ctx, it, s.By, "stop", cmp.Or(s.Run, s.Home), err); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	for _, r := range stopped {
		if err := b.goOn(ctx, it.Key, r.Key, r.Home); err != nil {
			return nil, err
		}
	}
	return stopped, nil
}

// A reach is where a stop in words is meant. What is said in a thread is of that thread;
// what is said in a channel itself, or by a command there, is of all that its person has
// there.
type reach struct {
	at   Place
	wide bool
}

func reachOf(m Message) reach {
	if m.Given.Channel != "" {
		return reach{m.Given, true}
	}
	return reach{m.Place, m.Place.Thread == "" || begins(m)}
}

func (r reach) covers(p Place) bool { return p == r.at || r.wide && inChannel(p, r.at) }

// stopSaid ends what somebody wants ended in words, and gives up what they themselves
// have waiting there. Where nothing of theirs is, they are told where else something is;
// to who is alone with the bot that can only be meant, if it is one thing.
func (b *Bot) stopSaid(ctx context.Context, it Item) error {
	m, lang := *it.Message, langOf(it)
	in := reachOf(m)
	dropped, err := b.drop(ctx, it, in)
	if err != nil {
		return err
	}
	theirs, err := b.theirs(ctx, m.From)
	if err != nil {
		return err
	}
	var stopped []run.Request
	var denied error
	if m.Given.Channel == "" {
		if stopped, err = b.end(ctx, it, run.Stop{Home: m.Place.String(), By: m.From}); errors.Is(err, run.ErrNotAllowed) {
			denied, err = err, nil
		}
		if err != nil {
			return err
		}
		theirs = slices.DeleteFunc(theirs, func(r errand) bool { return r.home == m.Place }) // their ends are seen here
	}
	if b.stale(m) {
		theirs = nil // nobody knew of them when it was said
	}
	mine, elsewhere := split(theirs, in.covers)
	if len(mine)+len(stopped) == 0 && !dropped {
		mine, elsewhere = b.meansElsewhere(m, elsewhere)
	}
	text, denial := "", ""
	if denied != nil {
		denial, _ = excuse(run.Question{}, denied, lang)
	}
	switch {
	case len(mine) > 0:
		return b.stopThese(ctx, it, mine)
	case len(stopped) > 0 || dropped:
		return nil
	case denial != "":
		return b.whisper(ctx, it, m.From, denial, lang)
	case b.stale(m):
		return b.ignore(ctx, m, stalePast)
	case len(elsewhere) > 0:
		text = words(lang).underElsewhere(b.errands(ctx, lang, elsewhere, in.at))
	default:
		text = words(lang).nothingToStop
	}
	p := Post{Key: it.Key + "/stop", Place: it.Place, Lang: lang, Text: text, By: m.From}
	if len(elsewhere) > 0 && !m.Direct {
		p.Only = m.From // it is of other places
	}
	return b.Outbox.Add(ctx, there(m, p))
}

// stopThese ends Runs whose end is not seen where it was asked for, and says which.
func (b *Bot) stopThese(ctx context.Context, it Item, mine []errand) error {
	m, lang := *it.Message, langOf(it)
	at := reachOf(m).at
	// It is said before it is done: cut off in between, it is done again, and then there
	// may be nothing left that could be named.
	p := there(m, Post{Key: it.Key + "/stop", Place: it.Place, Lang: lang, By: m.From})
	p.Text = words(lang).stoppedThere(b.errands(ctx, lang, mine, at))
	if !m.Direct && slices.ContainsFunc(mine, func(e errand) bool { return !inChannel(e.home, at) }) {
		p.Only = m.From
	}
	if err := b.Outbox.Add(ctx, p); err != nil {
		return err
	}
	var done []errand
	for _, e := range mine {
		stopped, err := b.end(ctx, it, run.Stop{Run: e.Key, By: m.From})
		if err != nil {
			return err
		}
		if len(stopped) > 0 {
			done = append(done, e)
		}
	}
	if len(done) == len(mine) {
		return nil
	}
	// Some have come to their end by themselves meanwhile.
	p.Rev, p.Text = 1, words(lang).nothingToStop
	if len(done) > 0 {
		p.Text = words(lang).stoppedThere(b.errands(ctx, lang, done, at))
	}
	return b.Outbox.Add(ctx, p)
}

// An errand is a Run that has not ended, and its home.
type errand struct {
	run.Run
	home Place
}

// theirs are the Runs of a person that they can mean when they say stop. A slot that
// waits for a decision is not under way for anybody: its card has a button.
func (b *Bot) theirs(ctx context.Context, person string) ([]errand, error) {
	runs, err := b.Agent.Theirs(ctx, person)
	if err != nil {
		return nil, err
	}
	var all []errand
	for _, r := range runs {
		home, err := ParsePlace(r.Home)
		if err != nil {
			return nil, fmt.Errorf("home of run %s: %w", r.Key, err)
		}
		if r.Job == "" || r.State != run.Waiting {
			all = append(all, errand{r, home})
		}
	}
	return all, nil
}

// meansElsewhere says which of the Runs of other places are meant where there are none.
// A command of a channel was answered in the conversation with its person, so that comes
// next.
func (b *Bot) meansElsewhere(m Message, all []errand) (mine, elsewhere []errand) {
	switch {
	case m.Given.Channel != "":
		return split(all, func(p Place) bool { return inChannel(p, m.Place) })
	case m.Direct && len(all) == 1:
		return all, nil
	}
	return nil, all
}

func split(all []errand, in func(Place) bool) (mine, others []errand) {
	for _, e := range all {
		if in(e.home) {
			mine = append(mine, e)
		} else {
			others = append(others, e)
		}
	}
	return mine, others
}

// errands are Runs as they are named to who asked for them: what they said, with a link,
// and where, if that is not here.
func (b *Bot) errands(ctx context.Context, lang string, all []errand, here Place) []string {
	var lines []string
	for _, e := range all {
		lines = append(lines, words(lang).errand(briefly(e.Text, statusWords), e.Source, b.channelOf(ctx, e.home, here)))
	}
	return lines
}

// drop ends what a person has waiting where they say stop in words, and says how much
// that is; what others wait for goes on. It reports false if there was nothing.
func (b *Bot) drop(ctx context.Context, it Item, in reach) (bool, error) {
	mine, err := b.waiting(ctx, it, in)
	if err != nil || len(mine) == 0 {
		return false, err
	}
	// It is said before it is done: cut off in between, it is done again, and then there
	// may be nothing left that could be counted.
	p := there(*it.Message, Post{Key: it.Key + "/dropped", Place: it.Place, Lang: langOf(it), By: it.Message.From})
	w := words(p.Lang)
	p.Text = w.dropped(len(mine))
	if len(mine) == 1 {
		behind, err := b.underWay(ctx, mine[0].Place)
		if err != nil {
			return false, err
		}
		if !behind {
			p.Text = w.ended[run.Stopped] // it was about to begin, and is all there is
		}
	}
	if err := b.Outbox.Add(ctx, p); err != nil {
		return false, err
	}
	gone := 0
	for _, q := range mine {
		ok, err := b.Inbox.Withdraw(ctx, q.Key)
		if err != nil {
			return false, err
		}
		if ok {
			gone++
		}
	}
	if gone == len(mine) {
		return true, nil
	}
	// Some have begun meanwhile, and are stopped as what is under way.
	p.Rev, p.Gone, p.Text = 1, gone == 0, w.dropped(gone)
	return gone > 0, b.Outbox.Add(ctx, p)
}

// waiting are the requests of a person that have yet to begin where they say stop. To a
// place belongs what was begun in its channel, if they say so there itself.
func (b *Bot) waiting(ctx context.Context, it Item, in reach) ([]Item, error) {
	all, err := b.Inbox.QueuedAll(ctx)
	if err != nil {
		return nil, fmt.Errorf("queue of %s: %w", in.at, err)
	}
	by := it.Message.From
	mine := slices.DeleteFunc(all, func(q Item) bool {
		return q.Message == nil || q.Message.From != by || !in.covers(q.Place)
	})
	held, found, err := b.gathering(ctx, it, by)
	if err != nil {
		return nil, err
	}
	if found && !slices.ContainsFunc(mine, func(q Item) bool { return q.Key == held.Key }) {
		mine = append(mine, held)
	}
	return mine, nil
}

// underWay reports whether some Run at a place has begun and not ended.
func (b *Bot) underWay(ctx context.Context, p Place) (bool, error) {
	_, works, err := b.Agent.AtWork(ctx, p.String())
	if err != nil || works {
		return works, err
	}
	runs, err := b.Agent.Lately(ctx, p.String(), 20)
	if err != nil {
		return false, err
	}
	for _, r := range runs {
		if !r.Ended() {
			return true, nil
		}
	}
	return false, nil
}
