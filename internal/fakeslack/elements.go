package fakeslack

import (
	"maps"
	"regexp"
)

func element(kinds ...string) check {
	return func(c *checker, v any) { byType("element", elementShapes(), kinds...)(c, v) }
}

// option is a choice. Some menus take only plain text.
func option(most int) check {
	return is(shape{
		need: map[string]check{"text": anyText(most), "value": str(1, 150)},
		may:  map[string]check{"description": anyText(75), "url": str(1, 3000)},
	})
}

func optionGroup(c *checker, v any) {
	c.object(v, shape{need: map[string]check{"label": plainText(75), "options": list(1, 100, option(75))}})
}

func confirmation(c *checker, v any) {
	c.object(v, shape{
		need: map[string]check{"title": plainText(100), "text": anyText(300), "confirm": plainText(30), "deny": plainText(30)},
		may:  map[string]check{"style": oneOf("primary", "danger")},
	})
}

func focus(c *checker, v any) {
	boolean(c, v)
	if v == true {
		c.focus++
	}
}

var (
	dateForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	timeForm = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`)
)

func form(re *regexp.Regexp) check {
	return func(c *checker, v any) {
		if t, _ := v.(string); !re.MatchString(t) {
			c.fault("must have the form %s", re)
		}
	}
}

// newElementShapes are Slack's elements with their limits.
func newElementShapes() map[string]shape {
	with := func(need, may map[string]check, extra ...map[string]check) shape {
		all := maps.Clone(may)
		if all == nil {
			all = map[string]check{}
		}
		for _, e := range extra {
			maps.Copy(all, e)
		}
		return shape{need: need, may: all}
	}
	type m = map[string]check
	ask := m{"confirm": confirmation}
	at := m{"focus_on_load": focus}
	hold := m{"placeholder": plainText(150)}
	dispatch := m{"dispatch_action_config": anything, "initial_value": str(0, 3000)}
	most := m{"max_selected_items": number(1, 100)}
	people, opts := list(0, 100, str(1, 255)), list(1, 100, option(75))
	staticMenu := func(more m) shape {
		s := with(nil, m{"options": opts, "option_groups": list(1, 100, optionGroup)}, ask, at, hold, more)
		s.extra = oneOfKeys("options", "option_groups")
		return s
	}
	style := oneOf("primary", "danger")
	return map[string]shape{
		"button":          with(m{"text": plainText(75)}, m{"value": str(0, 2000), "url": str(0, 3000), "style": style, "accessibility_label": str(0, 75)}, ask),
		"workflow_button": with(m{"text": plainText(75), "workflow": anything}, m{"style": style, "accessibility_label": str(0, 75)}),
		"icon_button": with(m{"icon": str(1, 255), "text": plainText(75)},
			m{"value": str(0, 2000), "accessibility_label": str(0, 75), "visible_to_user_ids": people}, ask),
		"feedback_buttons": with(m{"positive_button": feedback, "negative_button": feedback}, nil),
		"image": {
			need:  m{"alt_text": str(1, 2000)},
			may:   m{"image_url": str(1, 3000), "slack_file": anything},
			extra: onePicture,
		},
		"overflow":                   with(m{"options": list(1, 5, option(75))}, nil, ask),
		"checkboxes":                 with(m{"options": list(1, 10, option(75))}, m{"initial_options": list(1, 10, option(75))}, ask, at),
		"radio_buttons":              with(m{"options": list(1, 10, option(75))}, m{"initial_option": option(75)}, ask, at),
		"datepicker":                 with(nil, m{"initial_date": form(dateForm)}, ask, at, hold),
		"timepicker":                 with(nil, m{"initial_time": form(timeForm), "timezone": str(1, 255)}, ask, at, hold),
		"datetimepicker":             with(nil, m{"initial_date_time": number(1e9, 9999999999)}, ask, at),
		"plain_text_input":           with(nil, m{"multiline": boolean, "min_length": number(0, 3000), "max_length": number(1, 3000)}, dispatch, at, hold),
		"email_text_input":           with(nil, nil, dispatch, at, hold),
		"url_text_input":             with(nil, nil, dispatch, at, hold),
		"number_input":               with(m{"is_decimal_allowed": boolean}, m{"min_value": str(1, 50), "max_value": str(1, 50)}, dispatch, at, hold),
		"rich_text_input":            with(nil, m{"initial_value": richTextBlock, "dispatch_action_config": anything}, at, hold),
		"file_input":                 with(nil, m{"filetypes": people, "max_files": number(1, 10)}),
		"static_select":              staticMenu(m{"initial_option": option(75)}),
		"multi_static_select":        staticMenu(m{"initial_options": opts, "max_selected_items": number(1, 100)}),
		"external_select":            with(nil, m{"initial_option": option(75), "min_query_length": number(0, 100)}, ask, at, hold),
		"multi_external_select":      with(nil, m{"initial_options": opts, "min_query_length": number(0, 100)}, ask, at, hold, most),
		"users_select":               with(nil, m{"initial_user": str(1, 255)}, ask, at, hold),
		"multi_users_select":         with(nil, m{"initial_users": people}, ask, at, hold, most),
		"channels_select":            with(nil, m{"initial_channel": str(1, 255), "response_url_enabled": boolean}, ask, at, hold),
		"multi_channels_select":      with(nil, m{"initial_channels": people}, ask, at, hold, most),
		"conversations_select":       with(nil, m{"initial_conversation": str(1, 255), "default_to_current_conversation": boolean, "filter": anything, "response_url_enabled": boolean}, ask, at, hold),
		"multi_conversations_select": with(nil, m{"initial_conversations": people, "default_to_current_conversation": boolean, "filter": anything}, ask, at, hold, most),
	}
}

func feedback(c *checker, v any) {
	c.object(v, shape{
		need: map[string]check{"text": plainText(75), "value": str(1, 2000)},
		may:  map[string]check{"accessibility_label": str(0, 75)},
	})
}

// richText is a part of a rich_text block: a section, a list, a quote, or code.
func richText(c *checker, v any) {
	words := list(0, 1000, richWord)
	byType("rich", map[string]shape{
		"rich_text_section":      {need: map[string]check{"elements": words}},
		"rich_text_quote":        {need: map[string]check{"elements": words}, may: map[string]check{"border": anything}},
		"rich_text_preformatted": {need: map[string]check{"elements": words}, may: map[string]check{"border": anything, "language": str(0, 50)}},
		"rich_text_list": {
			need: map[string]check{"elements": list(0, 1000, richText), "style": oneOf("bullet", "ordered")},
			may:  map[string]check{"indent": number(0, 8), "offset": number(0, 1e6), "border": anything},
		},
	})(c, v)
}

func richWord(c *checker, v any) {
	looks := map[string]check{"style": anything}
	id := func(key string) shape { return shape{need: map[string]check{key: str(1, 255)}, may: looks} }
	byType("rich", map[string]shape{
		"text":      {need: map[string]check{"text": str(1, 40000)}, may: looks},
		"link":      {need: map[string]check{"url": str(1, 3000)}, may: map[string]check{"style": anything, "text": str(0, 40000), "unsafe": boolean}},
		"emoji":     {need: map[string]check{"name": str(1, 100)}, may: map[string]check{"style": anything, "unicode": str(0, 100), "skin_tone": anything, "url": anything}},
		"user":      id("user_id"),
		"usergroup": id("usergroup_id"),
		"channel":   id("channel_id"),
		"team":      id("team_id"),
		"broadcast": {need: map[string]check{"range": oneOf("here", "channel", "everyone")}, may: looks},
		"color":     {need: map[string]check{"value": str(4, 9)}, may: looks},
		"date":      {need: map[string]check{"timestamp": anything, "format": str(1, 255)}, may: map[string]check{"style": anything, "url": anything, "fallback": anything}},
	})(c, v)
}
