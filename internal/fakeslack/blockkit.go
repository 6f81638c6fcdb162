package fakeslack

import (
	"regexp"
	"sync"
	"unicode/utf8"
)

// anyBlock checks a block of any kind. It is a function because blocks hold blocks.
func anyBlock(c *checker, v any) { byType("block", blockShapes())(c, v) }

// kit is made when it is first used: its parts speak of each other.
var kit struct {
	once             sync.Once
	blocks, elements map[string]shape
}

func makeKit() { kit.blocks, kit.elements = newBlockShapes(), newElementShapes() }

func blockShapes() map[string]shape {
	kit.once.Do(makeKit)
	return kit.blocks
}

func elementShapes() map[string]shape {
	kit.once.Do(makeKit)
	return kit.elements
}

// newBlockShapes are Slack's blocks with their limits.
func newBlockShapes() map[string]shape {
	image := shape{
		need:  map[string]check{"alt_text": str(1, 2000)},
		may:   map[string]check{"image_url": str(1, 3000), "slack_file": anything, "title": plainText(2000)},
		extra: onePicture,
	}
	return map[string]shape{
		"section": {
			may: map[string]check{
				"text": anyText(3000), "fields": list(1, 10, anyText(2000)), "expand": boolean,
				"accessory": element("button", "checkboxes", "datepicker", "image", "overflow", "radio_buttons", "timepicker", "workflow_button",
					"static_select", "external_select", "users_select", "conversations_select", "channels_select",
					"multi_static_select", "multi_external_select", "multi_users_select", "multi_conversations_select", "multi_channels_select"),
			},
			extra: oneOfKeys("text", "fields"),
		},
		"header":  {need: map[string]check{"text": plainText(150)}, may: map[string]check{"level": number(1, 4)}},
		"divider": {},
		"image":   image,
		"markdown": {need: map[string]check{"text": func(c *checker, v any) {
			str(1, markdownLimit)(c, v)
			t, _ := v.(string)
			c.markdown += utf8.RuneCountInString(t)
		}}},
		"context": {need: map[string]check{"elements": list(1, 10, func(c *checker, v any) {
			if m, _ := v.(map[string]any); m["type"] == "image" {
				element("image")(c, v)
			} else {
				anyText(3000)(c, v)
			}
		})}},
		"actions": {need: map[string]check{"elements": list(1, 25, element("button", "checkboxes", "datepicker", "datetimepicker", "overflow",
			"radio_buttons", "timepicker", "workflow_button", "rich_text_input", "static_select", "external_select", "users_select",
			"conversations_select", "channels_select", "multi_static_select", "multi_external_select", "multi_users_select",
			"multi_conversations_select", "multi_channels_select"))}},
		"context_actions": {need: map[string]check{"elements": list(1, 5, element("feedback_buttons", "icon_button"))}},
		"input": {
			need: map[string]check{"label": plainText(2000), "element": element("checkboxes", "datepicker", "datetimepicker", "email_text_input",
				"file_input", "number_input", "plain_text_input", "radio_buttons", "rich_text_input", "timepicker", "url_text_input",
				"static_select", "external_select", "users_select", "conversations_select", "channels_select", "multi_static_select",
				"multi_external_select", "multi_users_select", "multi_conversations_select", "multi_channels_select")},
			may: map[string]check{"hint": plainText(2000), "optional": boolean, "dispatch_action": boolean},
		},
		"rich_text": {need: map[string]check{"elements": list(0, 100, richText)}},
		"table": {
			need: map[string]check{"rows": list(1, 100, list(1, 20, cell("raw_text", "rich_text")))},
			may: map[string]check{"column_settings": list(0, 20, func(c *checker, v any) {
				if v != nil { // a column may have no settings
					c.object(v, shape{may: map[string]check{"align": oneOf("left", "center", "right"), "is_wrapped": boolean}})
				}
			})},
			extra: even,
		},
		"data_table": {
			need:  map[string]check{"rows": list(1, 1000, list(1, 20, cell("raw_text", "raw_number", "rich_text"))), "caption": str(1, 3000)},
			may:   map[string]check{"page_size": number(1, 100), "row_header_column_index": number(0, 19)},
			extra: even,
		},
		"task_card": {
			need: map[string]check{"task_id": str(1, 255), "title": str(1, 256), "status": taskStatus},
			may:  map[string]check{"details": richTextBlock, "output": richTextBlock, "sources": list(0, 50, urlSource)},
		},
		"plan": {
			need: map[string]check{"title": str(1, 256)},
			may:  map[string]check{"tasks": list(0, 50, func(c *checker, v any) { byType("block", blockShapes(), "task_card")(c, v) })},
		},
		"card": card(),
		"carousel": {need: map[string]check{"elements": list(1, 10, func(c *checker, v any) {
			byType("block", blockShapes(), "card")(c, v)
		})}},
		"alert": {need: map[string]check{"text": anyText(3000)}, may: map[string]check{"level": oneOf("default", "info", "warning", "error", "success")}},
		"container": {
			need: map[string]check{"child_blocks": list(1, 10, func(c *checker, v any) {
				byType("block", blockShapes(), "actions", "context", "divider", "file", "header", "image", "input", "rich_text", "section", "table", "video")(c, v)
			})},
			may: map[string]check{
				"title": plainText(150), "rich_text_title": richTextBlock, "subtitle": anyText(150), "icon": element("image"),
				"width": oneOf("narrow", "standard", "wide", "full"), "is_collapsible": boolean, "default_collapsed": boolean, "has_header_divider": boolean,
			},
			extra: oneOfKeys("title", "rich_text_title"),
		},
		"video": {
			need: map[string]check{"video_url": https, "thumbnail_url": str(1, 3000), "alt_text": str(1, 2000), "title": plainText(199)},
			may: map[string]check{
				"title_url": https, "author_name": str(0, 49), "provider_name": str(0, 2000), "provider_icon_url": str(0, 3000), "description": plainText(3000),
			},
		},
	}
}

func card() shape {
	return shape{
		may: map[string]check{
			"hero_image": element("image"), "icon": element("image"), "title": mrkdwn(150), "subtitle": mrkdwn(150), "body": mrkdwn(200),
			"actions": list(1, 5, element("button")),
		},
		extra: oneOfKeys("hero_image", "title", "actions", "body"),
	}
}

var taskStatus = oneOf("pending", "in_progress", "complete", "error")

func https(c *checker, v any) {
	if t, _ := v.(string); !webAddress.MatchString(t) {
		c.fault("must be an https address")
	}
}

var webAddress = regexp.MustCompile(`^https://\S+$`)

// oneOfKeys wants one of some keys to be there.
func oneOfKeys(keys ...string) check {
	return func(c *checker, v any) {
		for _, k := range keys {
			if v.(map[string]any)[k] != nil {
				return
			}
		}
		c.fault("must have one of %q", keys)
	}
}

// onePicture wants a picture to come from one place.
func onePicture(c *checker, v any) {
	m := v.(map[string]any)
	if (m["image_url"] == nil) == (m["slack_file"] == nil) {
		c.fault("must have image_url or slack_file")
	}
}

// even wants all rows of a table to be equally long.
func even(c *checker, v any) {
	rows, _ := v.(map[string]any)["rows"].([]any)
	for i, r := range rows {
		first, _ := rows[0].([]any)
		if l, _ := r.([]any); len(l) != len(first) {
			c.fault("row %d has %d cells, the first has %d", i, len(l), len(first))
			return
		}
	}
}

// cell is one of a table. Its ids and those of rich text are nobody's.
func cell(kinds ...string) check {
	return func(c *checker, v any) {
		byType("cell", map[string]shape{
			"raw_text":   {need: map[string]check{"text": str(0, 3000)}},
			"raw_number": {need: map[string]check{"value": anything}, may: map[string]check{"text": str(0, 3000)}},
			"rich_text":  {need: map[string]check{"elements": list(0, 100, richText)}},
		}, kinds...)(c, v)
	}
}

func richTextBlock(c *checker, v any) { byType("block", blockShapes(), "rich_text")(c, v) }

func urlSource(c *checker, v any) {
	c.object(v, shape{need: map[string]check{"type": oneOf("url"), "url": str(1, 3000), "text": str(1, 3000)}})
}
