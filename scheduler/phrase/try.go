package phrase

import (
	"fmt"
	"time"

	"hermes/scheduler/calendar"
)

// A TrialInput is one line for Try: a text or a cron expression, when it is
// asked (RFC 3339) and the asker's zone, which without TZ is the offset of Now.
type TrialInput struct {
	Text string `json:"text"`
	Cron string `json:"cron"`
	Now  string `json:"now"`
	TZ   string `json:"tz"`
	Lang string `json:"lang"` // "" is the text's own
}

// A Trial is the answer to a TrialInput.
type Trial struct {
	Kind     Kind     `json:"kind"`
	Next     []string `json:"next"`
	Say      string   `json:"say"`
	Question string   `json:"question"`
	Spec     string   `json:"spec"`
	Note     string   `json:"note,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// shown is how many times a Trial lists.
const shown = 5

// Try answers one line of `hermes try schedule`. It is how a text would be
// understood, without anybody there to be asked.
func Try(in TrialInput) Trial {
	loc := time.UTC
	if in.TZ != "" {
		zone, err := time.LoadLocation(in.TZ)
		if err != nil {
			return Trial{Next: []string{}, Error: fmt.Sprintf("tz %q: %v", in.TZ, err)}
		}
		loc = zone
	}
	now, err := time.Parse(time.RFC3339, in.Now)
	if err != nil {
		return Trial{Next: []string{}, Error: fmt.Sprintf("now %q: want RFC 3339, such as 2026-10-05T09:00:00+02:00", in.Now)}
	}
	if _, offset := now.Zone(); in.TZ == "" && offset != 0 {
		loc = time.FixedZone("", offset) // the clock that "now" was read from
	}
	lang := in.Lang
	if lang == "" && hasChinese(in.Text) {
		lang = "zh"
	}
	if in.Cron != "" {
		s, err := calendar.Parse(in.Cron)
		if err != nil {
			return Trial{Kind: Ask, Next: []string{}, Question: err.Error(), Error: err.Error()}
		}
		kind := Recurring
		if s.Once() {
			kind = Once
		}
		return trial(Reading{Kind: kind, Spec: s}, now, loc, lang)
	}
	r := Read(in.Text, now, loc, lang)
	if r.Nearer {
		r.Kind, r.Question = Ask, nearerDay(r.Spec, now, loc).in(lang)
	}
	// Somebody who writes "daily at 9" at nine sharp means to include it.
	return trial(r, now.Add(-time.Nanosecond), loc, lang)
}

// nearerDay asks about a weekday that is all of a message.
func nearerDay(s calendar.Schedule, now time.Time, loc *time.Location) fault {
	slot, _ := s.Next(now, loc)
	at := slot.At.In(loc)
	return fault{
		"The last " + at.Weekday().String() + " is nearer than the next. Do you mean " + at.Format("Monday 2 January 2006") + "?",
		"上一个" + voice{zh: true}.weekday(int(at.Weekday())) + "离现在更近，请问是指" + at.Format("2006年1月2日") + "吗？",
	}
}

func trial(r Reading, after time.Time, loc *time.Location, lang string) Trial {
	t := Trial{Kind: r.Kind, Question: r.Question, Note: r.Note, Spec: r.Spec.String(), Next: []string{}}
	if !r.Spec.IsZero() {
		for _, next := range r.Spec.NextN(after, loc, shown) {
			t.Next = append(t.Next, next.At.Format(time.RFC3339))
		}
		t.Say = Say(r.Spec, lang)
	}
	return t
}
