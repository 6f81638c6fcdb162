package slack

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// callSchedule is the callback of the form for a schedule. Its blocks and inputs are
// called as the fields of a bot.Draft, so that what is wrong finds its place.
const callSchedule = "schedule"

// blockPreview shows what the form means so far.
const blockPreview = "preview"

// metaLimit is what Slack keeps beside a form.
const metaLimit = 3000

// kept is what a form remembers of itself.
type kept struct {
	Job string `json:"job,omitempty"`
}

// openSchedule opens the form for a schedule: a new one that begins as a Draft, or
// the change of the one that the Draft names. The trigger comes with what the user
// has just pressed or written, and is good for three seconds; a call with it after
// that tells the user so.
func (s *Slack) openSchedule(ctx context.Context, trigger, user string, d bot.Draft) {
	lang := s.langOf(user)
	if s.cfg.Planner == nil {
		s.tellDirectly(ctx, "slack/"+s.Team()+"/form/"+trigger, user, lang, say(lang, "There are no forms for schedules here.", "这里没有定时任务的表单。"))
		return
	}
	s.openForm(ctx, trigger, user, scheduleTitle(lang, d.Job), func(ctx context.Context) *slack.ModalViewRequest {
		return s.scheduleForm(ctx, user, d)
	})
}

func scheduleTitle(lang, job string) string {
	if job != "" {
		return say(lang, "Change schedule", "修改定时任务")
	}
	return say(lang, "New schedule", "新建定时任务")
}

// scheduleForm is the form as it begins, or one sentence about why there is none.
func (s *Slack) scheduleForm(ctx context.Context, user string, d bot.Draft) *slack.ModalViewRequest {
	viewer := bot.Person(platform, s.Team(), user)
	standing, err := s.Standing(ctx, viewer)
	lang := s.langOf(user)
	no := func(en, zh string) *slack.ModalViewRequest {
		return modal(lang, scheduleTitle(lang, d.Job), section(say(lang, en, zh)))
	}
	switch {
	case err != nil:
		s.log.Warn("slack form for somebody unknown", "user", user, "err", err)
		return no("I cannot find out who you are right now. Please try again in a few minutes.", "我暂时无法确认您的身份，请几分钟后再试。")
	case standing != bot.Member:
		return no("Only members of this workspace can make schedules.", "只有本工作区的成员才能设置定时任务。")
	}
	if d.Job != "" {
		if d, err = s.cfg.Planner.Draft(ctx, viewer, d.Job, lang); err != nil {
			if !errors.Is(err, bot.ErrNoSchedule) {
				s.log.Warn("slack form without its schedule", "user", user, "err", err)
				return no("I cannot read this schedule right now. Please try again.", "暂时读不到这个定时任务，请再试一次。")
			}
			return no("This schedule is gone, or it is not yours to change.", "这个定时任务已经不在了，或者您无权修改。")
		}
	}
	d.Lang = lang
	if d.Zone == "" {
		_, d.Zone = s.people.known(user)
	}
	if d.Job == "" {
		return scheduleView(d, bot.Preview{}, "")
	}
	p, wrong := s.lookAhead(ctx, viewer, d)
	return scheduleView(d, p, wrong)
}

// lookAhead says when a Draft comes round, and what is wrong about it.
func (s *Slack) lookAhead(ctx context.Context, viewer string, d bot.Draft) (bot.Preview, string) {
	p, err := s.cfg.Planner.Preview(ctx, viewer, d)
	var invalid *bot.Invalid
	switch {
	case errors.As(err, &invalid):
		return p, invalid.Text
	case err != nil:
		s.log.Warn("slack form without a preview", "viewer", viewer, "err", err)
		return p, say(d.Lang, "I cannot look that up right now.", "暂时查不到，请稍后再试。")
	}
	return p, ""
}

// scheduleView is the form with what it means so far, and what is wrong about it.
func scheduleView(d bot.Draft, p bot.Preview, wrong string) *slack.ModalViewRequest {
	w := func(en, zh string) string { return say(d.Lang, en, zh) }
	what := slack.NewPlainTextInputBlockElement(plainText(w("summarise last month's sales by region", "按地区汇总上个月的销售额"), 150), bot.FieldWhat)
	what.Multiline, what.MaxLength, what.InitialValue = true, textLimit, d.What
	when := slack.NewPlainTextInputBlockElement(plainText(w("every month on the 1st at 9:00", "每月1号上午9点"), 150), bot.FieldWhen)
	when.MaxLength, when.InitialValue = 200, d.When
	zone := slack.NewPlainTextInputBlockElement(plainText(w("Europe/Berlin", "Asia/Shanghai"), 150), bot.FieldZone)
	zone.MaxLength, zone.InitialValue = 64, d.Zone
	to := slack.NewOptionsSelectBlockElement(slack.OptTypeConversations, plainText(w("in our messages", "在我们的私信里"), 150), bot.FieldTo)
	to.InitialConversation = d.To
	to.Filter = &slack.SelectBlockElementFilter{Include: []string{"public", "private"}, ExcludeBotUsers: true}

	field := func(id, label, hint string, e slack.BlockElement) *slack.InputBlock {
		var under *slack.TextBlockObject
		if hint != "" {
			under = plainText(hint, 2000)
		}
		return slack.NewInputBlock(id, plainText(label, 2000), under, e)
	}
	times := field(bot.FieldWhen, w("When?", "什么时候？"), w("In words, or as cron: 0 9 1 * *", "用文字写，或写成 cron：0 9 1 * *"), when)
	times.DispatchAction = true
	clock := field(bot.FieldZone, w("Time zone", "时区"), "", zone)
	clock.DispatchAction, clock.Optional = true, true
	target := field(bot.FieldTo, w("Post to", "发到"), w("What goes to a channel waits for its approval each time.", "发到频道的内容，每次都要先得到批准。"), to)
	target.DispatchAction, target.Optional = true, true

	v := modal(d.Lang, scheduleTitle(d.Lang, d.Job),
		field(bot.FieldWhat, w("What should I do?", "要做什么？"), "", what), times, clock,
		slack.NewActionBlock("", viewButton(actPreview, "", w("Show the next dates", "看看接下来的日期"), slack.StyleDefault)),
		slack.NewSectionBlock(marked(nextDates(d.Lang, p, wrong)), nil, nil, slack.SectionBlockOptionBlockID(blockPreview)),
		target,
	)
	v.CallbackID = callSchedule
	v.Submit, v.Close = plainText(w("Ask for it", "提交"), 24), plainText(w("Cancel", "取消"), 24)
	if meta, err := json.Marshal(kept{d.Job}); err == nil && len(meta) <= metaLimit {
		v.PrivateMetadata = string(meta)
	}
	return v
}

// nextDates says when a Draft comes round, or what is wrong about it.
func nextDates(lang string, p bot.Preview, wrong string) string {
	var lines []string
	if wrong != "" {
		lines = append(lines, "⚠ "+escaped.Replace(wrong))
	}
	if len(p.Next) > 0 {
		lines = append(lines, "*"+escaped.Replace(p.When)+"*"+say(lang, " (", "（")+escaped.Replace(p.Zone)+say(lang, ")", "）"))
		for _, t := range p.Next {
			lines = append(lines, "• "+date(t, lang))
		}
		if p.About != "" {
			lines = append(lines, say(lang, "The first one is about "+escaped.Replace(p.About)+".", "第一次的内容是关于"+escaped.Replace(p.About)+"的。"))
		}
	}
	if len(lines) == 0 {
		return say(lang, "_The next dates stand here once you have said when._", "_填好时间后，这里会显示接下来的日期。_")
	}
	return strings.Join(lines, "\n")
}

// draftOf reads a form.
func (s *Slack) draftOf(v viewed) bot.Draft {
	var k kept
	_ = json.Unmarshal([]byte(v.View.Meta), &k) // of our own making; a form without is for a new schedule
	d := bot.Draft{
		Job: k.Job, What: v.textOf(bot.FieldWhat), When: v.textOf(bot.FieldWhen), Zone: v.textOf(bot.FieldZone),
		To: v.target(), Lang: s.langOf(v.User.ID),
	}
	if name := s.rooms.nameOf(d.To); name != "" {
		d.To = "#" + name // as people read it among the steps
	}
	if d.Zone == "" {
		_, d.Zone = s.people.known(v.User.ID)
	}
	return d
}

// target is the id of the channel that a form names, if it does.
func (v viewed) target() string { return v.View.State.Values[bot.FieldTo][bot.FieldTo].Conversation }

// outside says that we are not in the channel of a form; empty if we are, or if Slack
// does not say so in the moment that there is before it must be told that the form was
// taken: then the card finds out.
func (s *Slack) outside(ctx context.Context, channel, lang string) string {
	if channel == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, s.times.open)
	defer cancel()
	c, err := s.channelByID(ctx, channel)
	switch {
	case errors.Is(err, bot.ErrNoChannel):
		return say(lang, "I do not see this channel. Invite me there with /invite, then send this again.", "我看不到这个频道。请先在那里用 /invite 邀请我，再提交一次。")
	case err != nil:
		s.log.Warn("slack channel of a form not looked at", "channel", channel, "err", err)
	case !c.Member:
		return say(lang, "I am not a member of "+c.Name+". Invite me there with /invite, then send this again.",
			"我还不是 "+c.Name+" 的成员。请先在那里用 /invite 邀请我，再提交一次。")
	}
	return ""
}

// previewSchedule shows in a form when what stands in it comes round.
func (s *Slack) previewSchedule(ctx context.Context, v viewed, viewer, ts string) {
	d := s.draftOf(v)
	p, wrong := s.lookAhead(ctx, viewer, d)
	if err := s.refresh(ctx, v.View.ID, v.View.Hash, ts, scheduleView(d, p, wrong)); err != nil {
		s.log.Warn("slack form not changed", "view", v.View.ID, "err", err)
	}
}

// submitted reads a form that was sent. What it asks for is on disk before Slack
// hears that it was taken, and a form asks once however often it is sent.
func (s *Slack) submitted(me self, payload json.RawMessage) (content, error) {
	v, err := readViewed(payload)
	switch {
	case err == nil && v.View.Callback == callDecide && s.cfg.Decider != nil:
		return s.decided(me, v, payload)
	case err != nil || v.View.Callback != callSchedule || s.cfg.Planner == nil:
		return content{}, err
	}
	user, viewer := v.User.ID, s.user(me, v.User)
	take := func(ctx context.Context) (any, error) {
		wrong := s.outside(ctx, v.target(), s.langOf(user)) // it learns the channel's name
		d := s.draftOf(v)
		end := func(en, zh string) any {
			return slack.NewUpdateViewSubmissionResponse(modal(d.Lang, scheduleTitle(d.Lang, d.Job), section(say(d.Lang, en, zh))))
		}
		if p := s.people.get(user).standing; p != bot.Member && p != bot.Unsaid {
			return end("Only members of this workspace can make schedules.", "只有本工作区的成员才能设置定时任务。"), nil
		}
		if wrong != "" {
			return slack.NewErrorsViewSubmissionResponse(map[string]string{bot.FieldTo: wrong}), nil
		}
		key := "slack/" + me.team + "/view/" + v.View.ID
		err := s.cfg.Planner.Plan(ctx, key, s.privately(me, user), viewer, d)
		var invalid *bot.Invalid
		switch {
		case errors.As(err, &invalid):
			return slack.NewErrorsViewSubmissionResponse(map[string]string{invalid.Field: cut(invalid.Text, textLimit)}), nil
		case errors.Is(err, bot.ErrNoSchedule):
			return end("This schedule is gone, or it is not yours to change.", "这个定时任务已经不在了，或者您无权修改。"), nil
		case err != nil:
			return nil, err
		}
		return end("I ask you in our messages. Nothing is planned before the button there is pressed.", "我会在私信里向您确认：按下那里的按钮之前，什么都不会安排。"), nil
	}
	return content{take: take, then: s.touching(user)}, nil
}

// asksForm reports whether the words of a command ask for the form of a new schedule.
// With more words they say it all, and are for the Receiver.
func asksForm(text string) bool {
	text = strings.ToLower(strings.Trim(strings.Join(strings.Fields(text), " "), " .!。！"))
	for _, begin := range []string{"new ", "新建", "新的", "新"} {
		text = strings.TrimPrefix(text, begin)
	}
	return slices.Contains([]string{"schedule", "定时", "定时任务", "排程", "日程"}, strings.TrimSpace(text))
}
