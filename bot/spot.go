package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/agent/run"
)

// A SpotCheck is a weekly look of people at what was done: so many runs, drawn by lot,
// are put into a channel, and whoever reads there says whether they were right.
type SpotCheck struct {
	Place Place // a channel; the zero Place: there is none
	N     int
	Day   time.Weekday
	At    time.Duration // of the day, by the clock of Config.Zone
	// Fits says whether what was asked for at a Place may be read in the channel.
	// Without it only what was asked for in the channel itself may.
	Fits func(ctx context.Context, home Place) bool
}

// Spots keeps which runs were drawn, and what people have found.
type Spots interface {
	// Draw returns the runs of a Draw, which are drawn the first time; whoever asks for
	// the same Week again gets the same.
	Draw(ctx context.Context, d Draw) ([]Sample, error)
	// Judge keeps a Verdict in the place of what that person has found before, and
	// returns what it is about with all of its Verdicts. One Press counts once. Of what
	// was never drawn it returns ErrNoRun.
	Judge(ctx context.Context, v Verdict) (Sample, error)
	// Judged returns what was drawn since a time with all that people have found, the
	// newest week first.
	Judged(ctx context.Context, since time.Time) ([]Sample, error)
}

// A Draw takes so many runs by lot that have ended in a time, up to but without Until.
type Draw struct {
	Week        string
	Place       Place
	From, Until time.Time
	N           int
	Fits        func(ctx context.Context, home Place) bool
}

// A Sample is a run that was drawn.
type Sample struct {
	Week     string    `json:"week"` // the day of the slot
	N        int       `json:"n"`    // from 1
	Run      string    `json:"run"`
	Trace    string    `json:"trace"`
	Rev      int       `json:"rev"` // counts the Verdicts that were given
	Link     string    `json:"link,omitempty"`
	Place    Place     `json:"place"` // where people were asked
	Verdicts []Verdict `json:"verdicts,omitempty"`
}

// A Verdict is what a person finds of a Sample.
type Verdict struct {
	Week   string    `json:"week"`
	N      int       `json:"n"`
	Person string    `json:"person"`
	Name   string    `json:"name,omitempty"`
	Says   Finding   `json:"says"`
	Press  string    `json:"-"`
	At     time.Time `json:"at"`
}

// A Finding is what a run that was looked at is worth.
type Finding string

// The findings.
const (
	Right   Finding = "right"
	Wrong   Finding = "wrong"
	Unclear Finding = "unclear"
)

// Findings are all that a person can find.
func Findings() []Finding { return []Finding{Right, Wrong, Unclear} }

// spotPrefix begins the name of a question about a Sample. Then come its week and its
// number.
const spotPrefix = "spot:"

// A week of spot checks looks back so far; that is also how late one may be.
const spotWeek = 7

// slot is the last time at or before now at which people should have been asked.
func (s SpotCheck) slot(now time.Time) time.Time {
	y, m, d := now.Date()
	back := (int(now.Weekday()) - int(s.Day) + spotWeek) % spotWeek
	hour, minute := int(s.At/time.Hour), int(s.At%time.Hour/time.Minute)
	at := time.Date(y, m, d-back, hour, minute, 0, 0, now.Location())
	if at.After(now) {
		at = time.Date(y, m, d-back-spotWeek, hour, minute, 0, 0, now.Location())
	}
	return at
}

// spotCheck asks people to look at what was done in a week, once that week is over.
// Whoever does so draws the same, and says it under the same keys; done is the week that
// this program has asked about already.
func (b *Bot) spotCheck(ctx context.Context, done *string) error {
	s := b.cfg.Spot
	if s.Place == (Place{}) || b.Spots == nil {
		return nil
	}
	at := s.slot(b.Now().In(b.zone()))
	week := at.Format(time.DateOnly)
	if *done == week {
		return nil
	}
	drawn, err := b.Spots.Draw(ctx, Draw{Week: week, Place: s.Place, From: at.AddDate(0, 0, -spotWeek), Until: at, N: s.N, Fits: s.mayShow})
	if err != nil {
		return fmt.Errorf("spot check of %s: %w", week, err)
	}
	var posts []Post
	zh := 0
	for _, d := range drawn {
		p, ok, err := b.spotPost(ctx, d)
		if err != nil {
			return err
		}
		if ok {
			posts = append(posts, p)
		}
		if p.Lang == "zh" {
			zh++
		}
	}
	lang := "en"
	if zh > len(posts)/2 {
		lang = "zh"
	}
	head := Post{Key: spotPrefix + week, Place: s.Place, Lang: lang, Text: words(lang).spotHead(at.AddDate(0, 0, -spotWeek), at, len(posts))}
	for _, p := range append([]Post{head}, posts...) {
		if err := b.Outbox.Add(ctx, p); err != nil {
			return fmt.Errorf("spot check of %s: %w", week, err)
		}
	}
	*done = week
	return nil
}

// mayShow reports whether what was asked for at home may be read in the channel. What
// only one person sees stays with them, whatever Fits says.
func (s SpotCheck) mayShow(ctx context.Context, home Place) bool {
	home.Thread = ""
	return home == s.Place || home.Platform == s.Place.Platform && home.Workspace == s.Place.Workspace && s.Fits != nil && s.Fits(ctx, home)
}

// longestSpot is how much of a request stands in a spot check, and mostSpots how many of
// its steps.
const (
	longestSpot = 300
	mostSpots   = 6
)

// spotPost is a Sample with its buttons: what was asked for, what was done, what it cost,
// and what people have found so far. It reports false for a run that is not there.
func (b *Bot) spotPost(ctx context.Context, s Sample) (Post, bool, error) {
	r, ok, err := b.Agent.Look(ctx, s.Run)
	if err != nil || !ok {
		return Post{}, false, err
	}
	w := words(r.Lang)
	question := spotPrefix + s.Week + ":" + strconv.Itoa(s.N)
	p := Post{Key: question, Rev: s.Rev, Place: s.Place, Lang: r.Lang, Question: question, Trace: r.Trace(), Footer: w.trace(r.Trace())}
	asker := b.nameOf(r.Asker)
	said := phrase{text: fmt.Sprintf("**%d.** ", s.N)}.then(naming(w.spotAsked(asker), asker))
	said = said.then(phrase{text: "\n> " + code(cutTo(oneLine.Replace(r.Text), longestSpot)) + "\n" + w.spotDid(r)})
	if price := price(r.Usage().Nanos); price != "" {
		said.text += price
	}
	if s.Link != "" {
		said.text += "\n" + w.spotLink + s.Link
	}
	for _, v := range s.Verdicts {
		name := cmp.Or(v.Name, b.nameOf(v.Person))
		said = said.then(phrase{text: "\n"}).then(naming("**"+w.spotFound(v.Says, name)+"**", name))
	}
	p.Text, p.Names = said.text, said.names
	for _, f := range Findings() {
		p.Choices = append(p.Choices, Choice{ID: string(f), Label: w.finding[f]})
	}
	return p, true, nil
}

// spotDid is what a run has done, and how it ended.
func (w *wording) spotDid(r run.Run) string {
	var text strings.Builder
	n := 0
	for _, s := range r.Steps {
		for _, c := range s.Reply.Message.Calls {
			if n++; n > mostSpots {
				continue
			}
			mark := "–"
			switch stateOf(r, s, c.ID) {
			case Complete:
				mark = "✓"
			case Failed:
				mark = "✗"
			}
			text.WriteString(mark + " " + oneLine.Replace(w.step(c.Name, c.Args)) + "\n")
		}
	}
	if more := n - mostSpots; more > 0 {
		text.WriteString("…" + w.andMore(more) + "\n")
	}
	u := r.Usage()
	status := w.statuses[run.StatusOf(r.State, r.Outcome.Why)]
	return text.String() + w.spotCost(status, u.In+u.Out)
}

// spotJudged keeps what somebody finds of a Sample, and shows it there.
func (b *Bot) spotJudged(ctx context.Context, it Item) error {
	c := *it.Click
	week, number, _ := strings.Cut(strings.TrimPrefix(c.Question, spotPrefix), ":")
	n, err := strconv.Atoi(number)
	finding := Finding(c.Choice)
	if err != nil || b.Spots == nil || words("en").finding[finding] == "" {
		return b.whisper(ctx, it, c.From, words("en").noQuestion, "en")
	}
	_, err = b.JudgeSpot(ctx, Verdict{Week: week, N: n, Person: c.From, Name: cmp.Or(c.Name, b.nameOf(c.From)), Says: finding, Press: c.Key, At: c.At})
	if errors.Is(err, ErrNoRun) {
		return b.whisper(ctx, it, c.From, words("en").noQuestion, "en")
	}
	return err
}

// JudgeSpot keeps a Verdict and shows it where people were asked for it. It may be called
// again.
func (b *Bot) JudgeSpot(ctx context.Context, v Verdict) (Sample, error) {
	s, err := b.Spots.Judge(ctx, v)
	if err != nil {
		return s, err
	}
	p, ok, err := b.spotPost(ctx, s)
	if err != nil || !ok {
		return s, err
	}
	return s, b.Outbox.Add(ctx, p)
}
