package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// A view is what we show beyond messages: the home of a person, and forms. Its
// buttons carry ids only; what they lead to is looked up, and who may do it is
// asked, when they are pressed.

// acts are the actions of a home or a form that are no Choice. Their value is the id
// of a schedule, if they are about one.
const (
	actNew     = "schedule:new"
	actPreview = "schedule:preview"
	actEdit    = "job:edit"
	actPause   = "job:pause"
	actResume  = "job:resume"
	actDelete  = "job:delete"
	actRevoke  = "grant:revoke" // its value is the id of a grant
)

// viewed is a press in a view, or a form that was sent.
type viewed struct {
	User    presser `json:"user"`
	Trigger string  `json:"trigger_id"`
	View    struct {
		ID       string `json:"id"`
		Hash     string `json:"hash"`
		Callback string `json:"callback_id"`
		Meta     string `json:"private_metadata"`
		State    struct {
			Values map[string]map[string]entered `json:"values"`
		} `json:"state"`
	} `json:"view"`
	Actions []struct {
		ID    string `json:"action_id"`
		Block string `json:"block_id"`
		Value string `json:"value"`
		TS    string `json:"action_ts"`
	} `json:"actions"`
}

// entered is what stands in an input; of the fields one is set.
type entered struct {
	Value        string `json:"value"`
	Conversation string `json:"selected_conversation"`
	Date         string `json:"selected_date"`
	Option       *struct {
		Value string `json:"value"`
	} `json:"selected_option"`
}

func readViewed(payload json.RawMessage) (viewed, error) {
	var v viewed
	if err := json.Unmarshal(payload, &v); err != nil {
		return v, err
	}
	if v.User.ID == "" || v.View.ID == "" {
		return v, errShape
	}
	return v, nil
}

// pressView reads a press in a view.
func (s *Slack) pressView(me self, payload json.RawMessage) (content, error) {
	v, err := readViewed(payload)
	if err != nil {
		return content{}, err
	}
	user, viewer := v.User.ID, s.user(me, v.User)
	for _, act := range v.Actions {
		id := unnumbered(act.ID)
		if c, ok := pressed(id, act.Value); ok {
			if !isTS(act.TS) {
				return content{}, errShape
			}
			if c.Why != "" && s.cfg.Why != nil {
				return content{then: func(ctx context.Context) { s.openWhy(ctx, v.Trigger, user, viewer, c.Why) }}, nil
			}
			if open := s.sheetOf(v.Trigger, user, viewer, c); open != nil {
				return content{then: open}, nil
			}
			c.Key = "slack/" + me.team + "/home/" + user + "/" + id + "/" + act.Value + "/" + act.TS
			c.Place, c.From, c.At, c.Raw = s.privately(me, user), viewer, timeOf(act.TS), payload
			return content{clicks: []bot.Click{c}, then: s.touching(user)}, nil
		}
		if id == actRevoke && s.cfg.Decider != nil {
			return content{
				take: func(ctx context.Context) (any, error) { return nil, s.revoke(ctx, user, viewer, act.Value) },
				then: s.touching(user),
			}, nil
		}
		if s.cfg.Planner == nil {
			continue
		}
		switch id {
		case actNew:
			return content{then: func(ctx context.Context) { s.openSchedule(ctx, v.Trigger, user, bot.Draft{}) }}, nil
		case actEdit:
			return content{then: func(ctx context.Context) { s.openSchedule(ctx, v.Trigger, user, bot.Draft{Job: act.Value}) }}, nil
		case actPause, actResume, actDelete:
			return content{
				take: func(ctx context.Context) (any, error) { return nil, s.changeJob(ctx, id, user, viewer, act.Value) },
				then: s.touching(user),
			}, nil
		case actPreview, bot.FieldWhen, bot.FieldZone, bot.FieldTo:
			ts := act.TS
			s.forms.note(v.View.ID, ts)
			return content{then: func(ctx context.Context) { s.previewSchedule(ctx, v, viewer, ts) }}, nil
		}
	}
	return content{}, nil
}

// changeJob pauses, resumes or deletes a schedule. What its viewer may not is told in
// their home.
func (s *Slack) changeJob(ctx context.Context, act, user, viewer, job string) error {
	do := map[string]func(context.Context, string, string) error{
		actPause: s.cfg.Planner.Pause, actResume: s.cfg.Planner.Resume, actDelete: s.cfg.Planner.Delete,
	}[act]
	err := do(ctx, viewer, job)
	if errors.Is(err, bot.ErrNoSchedule) {
		lang := s.langOf(user)
		s.homes.tell(user, say(lang, "This schedule is gone, or it is not yours to change.", "这个定时任务已经不在了，或者您无权修改。"), s.cfg.Now())
		return nil
	}
	return err
}

// touching has the home of a user made anew, at once: they have just pressed something
// in it.
func (s *Slack) touching(user string) func(context.Context) {
	return func(context.Context) { s.homes.pressed(user, s.cfg.Now()) }
}

// openWhy shows what an answer rests on, over the home in which somebody asks.
func (s *Slack) openWhy(ctx context.Context, trigger, user, viewer, run string) {
	lang := s.langOf(user)
	title := say(lang, "Why this answer?", "为什么这样回答？")
	s.openForm(ctx, trigger, user, title, func(ctx context.Context) *slack.ModalViewRequest {
		text, err := s.cfg.Why(ctx, viewer, run)
		if err != nil {
			s.log.Warn("slack answer not explained", "user", user, "run", run, "err", err)
			text = say(lang, "I cannot look that up right now. Please try again.", "暂时查不到，请再试一次。")
		}
		var blocks []slack.Block
		for _, part := range split(text, textLimit-200) { // markup is longer than Markdown
			blocks = append(blocks, section(mrkdwnOf(part)))
		}
		return modal(lang, title, blocks[:min(len(blocks), viewBlocks)]...)
	})
}

// privately is the conversation with a user, by the user's id until its own is known.
func (s *Slack) privately(me self, user string) bot.Place {
	channel := s.rooms.dm(user)
	if channel == "" {
		channel = user
	}
	return me.place(channel, "", "", true)
}

// langOf is the language of what a user reads of ours beside a conversation: English if
// nobody knows.
func (s *Slack) langOf(user string) string { return cmp.Or(s.speaks(user), "en") }

// speaks is the language in which a user reads, empty if nobody knows.
func (s *Slack) speaks(user string) string {
	switch locale := strings.ToLower(s.people.get(user).locale); {
	case locale == "":
		return ""
	case strings.HasPrefix(locale, "zh"):
		return "zh"
	default:
		return "en"
	}
}

// zoneOf is where a user's clock is, UTC if nobody knows.
func (s *Slack) zoneOf(user string) *time.Location {
	loc, err := time.LoadLocation(s.people.get(user).zone)
	if err != nil {
		return time.UTC
	}
	return loc
}

// date says a time in a language, with its day of the week.
func date(t time.Time, lang string) string {
	if lang == "zh" {
		return t.Format("2006年1月2日") + "（周" + string([]rune("日一二三四五六")[t.Weekday()]) + "）" + t.Format("15:04")
	}
	return t.Format("Mon 2 Jan 2006 15:04")
}

// since is a time that a client shows as how long ago it was.
func since(t time.Time, loc *time.Location, lang string) string {
	return "<!date^" + stampSeconds(t) + "^{ago}|" + date(t.In(loc), lang) + ">"
}

func stampSeconds(t time.Time) string {
	sec, _, _ := strings.Cut(stamp(t), ".")
	return sec
}

// plainText is a text that Slack shows as it is.
func plainText(text string, limit int) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, cut(text, limit), false, false)
}

// marked is a text in Slack's markup. Nothing in it becomes a link by itself.
func marked(text string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.MarkdownType, cutMrkdwn(text, textLimit), false, true)
}

// section is a block of text in Slack's markup.
func section(text string) *slack.SectionBlock { return slack.NewSectionBlock(marked(text), nil, nil) }

// small is a line in small print.
func small(text string) slack.Block { return slack.NewContextBlock("", marked(text)) }

// viewButton is a button in a view.
func viewButton(act, value, label string, style slack.Style) *slack.ButtonBlockElement {
	b := slack.NewButtonBlockElement(act, value, plainText(label, labelLimit))
	b.Style = style
	return b
}

// oneLineOf is a text of a person's as one line of Slack's markup.
func oneLineOf(text string, limit int) string {
	return escaped.Replace(cut(strings.Join(strings.Fields(text), " "), limit))
}
