package slack

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// callDecide is the callback of the forms by which people decide with more than a
// press. Their blocks and inputs are called as the fields of a bot.Sheet.
const callDecide = "decide"

// deciding is what such a form remembers of itself: what it is about, and where its
// button was pressed.
type deciding struct {
	Question string `json:"q"`
	Choice   string `json:"c"`
	Channel  string `json:"ch,omitempty"`
	Thread   string `json:"th,omitempty"`
	Seen     string `json:"s,omitempty"` // of a bot.Becoming that it shows
}

// sheetOf returns what opens the form that a Choice needs; nil if it needs none.
func (s *Slack) sheetOf(trigger, user, viewer string, c bot.Click) func(context.Context) {
	if s.cfg.Decider == nil || c.Question == "" || bot.FormOf(c.Choice) == bot.NoForm {
		return nil
	}
	lang := s.langOf(user)
	about := deciding{Question: c.Question, Choice: c.Choice, Channel: c.Place.Channel, Thread: c.Place.Thread}
	return func(ctx context.Context) {
		s.openForm(ctx, trigger, user, say(lang, "Your decision", "您的决定"), func(ctx context.Context) *slack.ModalViewRequest {
			sheet, err := s.cfg.Decider.Sheet(ctx, viewer, about.Question, about.Choice)
			if err != nil {
				s.log.Warn("slack form for a decision not made", "user", user, "question", about.Question, "err", err)
				return modal(lang, say(lang, "Your decision", "您的决定"), section(say(lang, "I cannot look that up right now. Please try again.", "暂时查不到，请再试一次。")))
			}
			return sheetView(sheet, about)
		})
	}
}

// sheetView is a form for a decision.
func sheetView(sheet bot.Sheet, about deciding) *slack.ModalViewRequest {
	var blocks []slack.Block
	if sheet.Lead != "" {
		for _, part := range split(sheet.Lead, textLimit-200) {
			blocks = append(blocks, section(mrkdwnOf(part)))
		}
	}
	fields := 0
	for _, f := range sheet.Fields {
		if in := input(f); in != nil && len(blocks) < viewBlocks {
			blocks = append(blocks, in)
			fields++
		}
	}
	v := modal(sheet.Lang, sheet.Title, blocks...)
	meta, err := json.Marshal(about)
	if fields == 0 || err != nil || len(meta) > metaLimit {
		return v
	}
	v.CallbackID, v.PrivateMetadata = callDecide, string(meta)
	v.Submit, v.Close = plainText(sheet.Send, 24), plainText(say(sheet.Lang, "Cancel", "取消"), 24)
	return v
}

// input is one field; nil if Slack could not show all that stands in it now. What is
// not shown stays as it is.
func input(f bot.Field) *slack.InputBlock {
	var e slack.BlockElement
	switch f.Kind {
	case bot.PickField:
		var options []*slack.OptionBlockObject
		var now *slack.OptionBlockObject
		for _, o := range f.Options {
			option := slack.NewOptionBlockObject(o.ID, plainText(o.Label, labelLimit), nil)
			if options = append(options, option); o.ID == f.Value && f.Value != "" {
				now = option
			}
		}
		if len(options) == 0 || len(options) > 100 {
			return nil
		}
		pick := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, nil, f.ID, options...)
		pick.InitialOption = now
		e = pick
	case bot.DateField:
		date := slack.NewDatePickerBlockElement(f.ID)
		date.InitialDate = f.Value
		e = date
	case bot.NumberField:
		number := slack.NewNumberInputBlockElement(nil, f.ID, true)
		number.InitialValue = f.Value
		e = number
	default:
		most := textLimit
		if f.Most > 0 {
			most = min(most, f.Most)
		}
		if len([]rune(f.Value)) > most {
			return nil
		}
		text := slack.NewPlainTextInputBlockElement(nil, f.ID)
		text.Multiline, text.MaxLength, text.InitialValue = f.Kind == bot.LongField, most, f.Value
		e = text
	}
	var hint *slack.TextBlockObject
	if f.Hint != "" {
		hint = plainText(f.Hint, 2000)
	}
	b := slack.NewInputBlock(f.ID, plainText(f.Label, 2000), hint, e)
	b.Optional = f.Optional
	return b
}

// values are what stands in the inputs of a form, by their blocks.
func (v viewed) values() map[string]string {
	out := map[string]string{}
	for block, all := range v.View.State.Values {
		in, ok := all[block]
		if !ok {
			continue
		}
		switch {
		case in.Option != nil:
			out[block] = in.Option.Value
		case in.Date != "":
			out[block] = in.Date
		default:
			out[block] = in.Value
		}
	}
	return out
}

// decided takes a form by which somebody decides. It is on disk before Slack hears that
// it was taken, and one form decides once however often it is sent.
func (s *Slack) decided(me self, v viewed, payload json.RawMessage) (content, error) {
	var about deciding
	if err := json.Unmarshal([]byte(v.View.Meta), &about); err != nil || about.Question == "" {
		return content{}, errShape
	}
	user, viewer := v.User.ID, s.user(me, v.User)
	lang := s.langOf(user)
	click := bot.Click{
		Key: "slack/" + me.team + "/view/" + v.View.ID + "/decision", Place: s.privately(me, user), From: viewer,
		Question: about.Question, Choice: about.Choice, At: s.cfg.Now(), Raw: payload,
	}
	if about.Channel != "" {
		click.Place = me.place(about.Channel, about.Thread, "", strings.HasPrefix(about.Channel, "D"))
	}
	take := func(ctx context.Context) (any, error) {
		values := v.values()
		if about.Seen != "" {
			values[bot.FieldSeen] = about.Seen
		}
		err := s.cfg.Decider.Decide(ctx, click, values)
		var invalid *bot.Invalid
		var becomes *bot.Becoming
		switch {
		case errors.As(err, &becomes):
			return s.becoming(ctx, viewer, about, values, becomes)
		case errors.As(err, &invalid) && invalid.Field != "":
			return slack.NewErrorsViewSubmissionResponse(map[string]string{invalid.Field: cut(invalid.Text, textLimit)}), nil
		case errors.As(err, &invalid):
			return slack.NewUpdateViewSubmissionResponse(modal(lang, say(lang, "Your decision", "您的决定"), section(escaped.Replace(invalid.Text)))), nil
		case err != nil:
			return nil, err
		}
		return nil, nil
	}
	return content{take: take, then: s.touching(user)}, nil
}

// becoming is the form again, as it was filled in, with what comes of that.
func (s *Slack) becoming(ctx context.Context, viewer string, about deciding, values map[string]string, becomes *bot.Becoming) (any, error) {
	sheet, err := s.cfg.Decider.Sheet(ctx, viewer, about.Question, about.Choice)
	if err != nil {
		return nil, err
	}
	for i, f := range sheet.Fields {
		if now, there := values[f.ID]; there {
			sheet.Fields[i].Value = now
		}
	}
	about.Seen = becomes.Seen
	if len(sheet.Fields) > 0 {
		sheet.Lead, sheet.Send = becomes.Text, becomes.Send
	}
	return slack.NewUpdateViewSubmissionResponse(sheetView(sheet, about)), nil
}

// grant shows what may run without a question, with a button that ends it.
func (d desk) grant(g bot.Allowance) []slack.Block {
	says := oneLineOf(g.Says, 300) + " · " + d.say(strconv.Itoa(g.Used)+" of "+strconv.Itoa(g.Max)+" used", "已用 "+strconv.Itoa(g.Used)+"/"+strconv.Itoa(g.Max)+" 次")
	if bot.UserOf(g.Owner) != d.user {
		says += " · " + d.who(g.Owner)
	}
	says += d.say(" · given by ", " · 批准人：") + d.who(g.By)
	b := section(says)
	end := viewButton(actRevoke, g.ID, d.say("Revoke", "收回"), slack.StyleDanger)
	end.Confirm = slack.NewConfirmationBlockObject(
		plainText(d.say("Revoke this?", "收回这项授权？"), 100),
		plainText(d.say("I will ask again each time.", "以后每次都会再问。"), 300),
		plainText(d.say("Revoke", "收回"), 30), plainText(d.say("Keep", "保留"), 30),
	).WithStyle(slack.StyleDanger)
	b.Accessory = slack.NewAccessory(end)
	return []slack.Block{b}
}

// revoke ends a grant. What its viewer may not is told in their home.
func (s *Slack) revoke(ctx context.Context, user, viewer, grant string) error {
	err := s.cfg.Decider.Revoke(ctx, viewer, grant, s.langOf(user))
	var invalid *bot.Invalid
	if errors.As(err, &invalid) {
		s.homes.tell(user, invalid.Text, s.cfg.Now())
		return nil
	}
	return err
}
