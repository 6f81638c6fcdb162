package fakeslack_test

import (
	"testing"

	"hermes/internal/fakeslack"
)

// one block in a message, with what the message needs beside it.
func with(block m) m { return m{"channel": "C0SALES01", "text": "t", "blocks": []m{block}} }

func words(s string) m { return m{"type": "plain_text", "text": s} }

func input(element m) m { return m{"type": "input", "label": words("l"), "element": element} }

func options(n int) []m {
	var out []m
	for i := range n {
		out = append(out, m{"text": words("o"), "value": string(rune('a' + i))})
	}
	return out
}

func rich(text string) m {
	return m{"type": "rich_text", "elements": []m{{"type": "rich_text_section", "elements": []m{{"type": "text", "text": text}}}}}
}

// Every kind of block, as Slack takes it and as it does not.
func TestBlockRefusals(t *testing.T) {
	s := start(t, fakeslack.Options{})
	table := func(rows ...[]m) m { return m{"type": "table", "rows": rows} }
	cell := m{"type": "raw_text", "text": "x"}
	row := func(n int) []m {
		var out []m
		for range n {
			out = append(out, cell)
		}
		return out
	}
	rows := func(n int) [][]m {
		var out [][]m
		for range n {
			out = append(out, row(1))
		}
		return out
	}
	task := func(change m) m {
		b := m{"type": "task_card", "task_id": "1", "title": "look", "status": "complete"}
		for k, v := range change {
			b[k] = v
		}
		return b
	}
	acts := func(n int, e func() m) m {
		var es []m
		for range n {
			es = append(es, e())
		}
		return m{"type": "context_actions", "elements": es}
	}
	icon := func() m { return m{"type": "icon_button", "icon": "trash", "text": words("Delete")} }
	thumbs := func(extra m) m {
		f := m{
			"type": "feedback_buttons", "action_id": "fb",
			"positive_button": m{"text": words("Good"), "value": "up"}, "negative_button": m{"text": words("Bad"), "value": "down"},
		}
		for k, v := range extra {
			f[k] = v
		}
		return m{"type": "context_actions", "elements": []m{f}}
	}
	menu := func(n int) m {
		return m{"type": "actions", "elements": []m{{"type": "static_select", "action_id": "s", "options": options(n)}}}
	}
	card := func(change m) m {
		b := m{"type": "card", "title": m{"type": "mrkdwn", "text": "t"}}
		for k, v := range change {
			b[k] = v
		}
		return b
	}
	for name, tt := range map[string]struct {
		block m
		ok    bool
	}{
		"table":                         {table(row(2), row(2)), true},
		"table of 101 rows":             {m{"type": "table", "rows": rows(101)}, false},
		"table of 21 cells":             {table(row(21)), false},
		"table with a short row":        {table(row(2), row(1)), false},
		"table with a number cell":      {table([]m{{"type": "raw_number", "value": 1}}), false},
		"data_table with a number cell": {m{"type": "data_table", "caption": "c", "rows": [][]m{{{"type": "raw_number", "value": 1}}}}, true},
		"data_table without caption":    {m{"type": "data_table", "rows": rows(1)}, false},
		"data_table of 101 a page":      {m{"type": "data_table", "caption": "c", "rows": rows(1), "page_size": 101}, false},
		"task_card":                     {task(m{"details": rich("d"), "sources": []m{{"type": "url", "url": "https://x.example", "text": "x"}}}), true},
		"task_card done":                {task(m{"status": "done"}), false},
		"task_card with plain details":  {task(m{"details": "d"}), false},
		"task_card of 257":              {task(m{"title": rep("x", 257)}), false},
		"plan":                          {m{"type": "plan", "title": "p", "tasks": []m{task(nil)}}, true},
		"plan of sections":              {m{"type": "plan", "title": "p", "tasks": []m{section(1)}}, false},
		"five icons":                    {acts(5, icon), true},
		"six icons":                     {acts(6, icon), false},
		"icon without words":            {acts(1, func() m { return m{"type": "icon_button", "icon": "trash"} }), false},
		"feedback":                      {thumbs(nil), true},
		"feedback of one button":        {thumbs(m{"negative_button": nil}), false},
		"button among feedback":         {m{"type": "context_actions", "elements": []m{{"type": "button", "text": words("x")}}}, false},
		"feedback among actions":        {m{"type": "actions", "elements": thumbs(nil)["elements"]}, false},
		"card":                          {card(nil), true},
		"card with a title of 151":      {card(m{"title": m{"type": "mrkdwn", "text": rep("x", 151)}}), false},
		"card with a body of 201":       {card(m{"body": m{"type": "mrkdwn", "text": rep("x", 201)}}), false},
		"card with nothing":             {m{"type": "card", "subtitle": m{"type": "mrkdwn", "text": "s"}}, false},
		"carousel of 11":                {m{"type": "carousel", "elements": []m{card(nil), card(nil), card(nil), card(nil), card(nil), card(nil), card(nil), card(nil), card(nil), card(nil), card(nil)}}, false},
		"container of 11":               {m{"type": "container", "title": words("t"), "child_blocks": []m{{"type": "divider"}, {"type": "divider"}, {"type": "divider"}, {"type": "divider"}, {"type": "divider"}, {"type": "divider"}, {"type": "divider"}, {"type": "divider"}, {"type": "divider"}, {"type": "divider"}, {"type": "divider"}}}, false},
		"header of 150":                 {m{"type": "header", "text": words(rep("x", 150))}, true},
		"header of 151":                 {m{"type": "header", "text": words(rep("x", 151))}, false},
		"header in mrkdwn":              {m{"type": "header", "text": m{"type": "mrkdwn", "text": "x"}}, false},
		"eleven fields":                 {m{"type": "section", "fields": []m{words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x")}}, false},
		"field of 2001":                 {m{"type": "section", "fields": []m{words(rep("x", 2001))}}, false},
		"context of 11":                 {m{"type": "context", "elements": []m{words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x"), words("x")}}, false},
		"context with a button":         {m{"type": "context", "elements": []m{{"type": "button", "text": words("x")}}}, false},
		"image":                         {m{"type": "image", "image_url": "https://x.example/i.png", "alt_text": "a"}, true},
		"image without alt_text":        {m{"type": "image", "image_url": "https://x.example/i.png"}, false},
		"image from nowhere":            {m{"type": "image", "alt_text": "a"}, false},
		"menu of 100":                   {menu(100), true},
		"menu of 101":                   {menu(101), false},
		"menu of nothing":               {menu(0), false},
		"overflow of 6":                 {m{"type": "section", "text": words("x"), "accessory": m{"type": "overflow", "options": options(6)}}, false},
		"eleven checkboxes":             {m{"type": "section", "text": words("x"), "accessory": m{"type": "checkboxes", "options": options(11)}}, false},
		"confirm with a title of 101": {buttons(1, func(_ int, e m) {
			e["confirm"] = m{"title": words(rep("x", 101)), "text": words("t"), "confirm": words("y"), "deny": words("n")}
		}), false},
		"confirm without deny":            {buttons(1, func(_ int, e m) { e["confirm"] = m{"title": words("t"), "text": words("t"), "confirm": words("y")} }), false},
		"url of 3001":                     {buttons(1, func(_ int, e m) { e["url"] = "https://" + rep("x", 3000) }), false},
		"date that is none":               {input(m{"type": "datepicker", "initial_date": "2.11.2026"}), false},
		"time that is none":               {input(m{"type": "timepicker", "initial_time": "25:00"}), false},
		"input":                           {input(m{"type": "plain_text_input", "action_id": "i"}), true},
		"input without label":             {m{"type": "input", "element": m{"type": "plain_text_input"}}, false},
		"input of a button":               {input(m{"type": "button", "text": words("x")}), false},
		"rich text":                       {rich("x"), true},
		"rich text of an unknown element": {m{"type": "rich_text", "elements": []m{{"type": "rich_text_poem"}}}, false},
		"block_id of 256":                 {m{"type": "divider", "block_id": rep("x", 256)}, false},
		"a property that no divider has":  {m{"type": "divider", "color": "red"}, false},
		"verbatim plain text":             {m{"type": "section", "text": m{"type": "plain_text", "text": "x", "verbatim": true}}, false},
		"mrkdwn with emoji":               {m{"type": "section", "text": m{"type": "mrkdwn", "text": "x", "emoji": true}}, false},
		"alert":                           {m{"type": "alert", "text": words("x"), "level": "warning"}, true},
		"alert of an unknown level":       {m{"type": "alert", "text": words("x"), "level": "loud"}, false},
		"video without https":             {m{"type": "video", "video_url": "http://x.example", "thumbnail_url": "https://x.example", "alt_text": "a", "title": words("t")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, s, fakeslack.BotToken, "chat.postMessage", with(tt.block))
			want := "invalid_blocks"
			if tt.ok {
				want = ""
			}
			if code, _ := got["error"].(string); code != want {
				t.Errorf("answer = %v, want error %q", got, want)
			}
			if want != "" && got["response_metadata"] == nil {
				t.Errorf("answer = %v, want it to say where", got)
			}
		})
	}
}

// What Slack would not read is refused, so that nobody believes in it.
func TestArgumentRefusals(t *testing.T) {
	s := start(t, fakeslack.Options{})
	for name, tt := range map[string]struct {
		method string
		args   m
		want   string
	}{
		"an unknown argument":          {"chat.postMessage", m{"channel": "C0SALES01", "text": "t", "colour": "red"}, "invalid_arguments"},
		"a boolean in words":           {"chat.postMessage", m{"channel": "C0SALES01", "text": "t", "unfurl_links": "yes"}, "invalid_arguments"},
		"a limit in words":             {"conversations.history", m{"channel": "C0SALES01", "limit": "all"}, "invalid_arguments"},
		"too high a limit":             {"conversations.list", m{"limit": 1001}, "invalid_limit"},
		"a cursor of one's own":        {"conversations.list", m{"cursor": "17"}, "invalid_cursor"},
		"an emoji with colons":         {"reactions.add", m{"channel": "C0SALES01", "timestamp": "1.1", "name": ":eyes:"}, "invalid_name"},
		"a reaction to nothing":        {"reactions.add", m{"channel": "C0SALES01", "timestamp": "1.1", "name": "eyes"}, "message_not_found"},
		"an unknown group":             {"usergroups.users.list", m{"usergroup": "S1"}, "no_such_subteam"},
		"an unknown address":           {"users.lookupByEmail", m{"email": "nobody@example.com"}, "users_not_found"},
		"an unknown bot":               {"bots.info", m{"bot": "B1"}, "bot_not_found"},
		"another workspace":            {"team.info", m{"team": "T1"}, "team_not_found"},
		"a conversation with nobody":   {"conversations.open", m{}, "users_list_not_supplied"},
		"a conversation with a bot":    {"conversations.open", m{"users": fakeslack.BotUser}, "cannot_dm_bot"},
		"a private channel to join":    {"conversations.join", m{"channel": "C0BOARD01"}, "channel_not_found"},
		"an unknown file":              {"files.info", m{"file": "F1"}, "file_not_found"},
		"a file of no length":          {"files.getUploadURLExternal", m{"filename": "a", "length": 0}, "invalid_arguments"},
		"another's secret":             {"oauth.v2.access", m{"client_id": fakeslack.ClientID, "client_secret": "x", "grant_type": "refresh_token"}, "bad_client_secret"},
		"an unknown session status":    {"agents.sessions.setStatus", m{"channel_id": "C0SALES01", "status": "busy"}, "invalid_arguments"},
		"a title of 201":               {"agents.sessions.rename", m{"channel_id": "C0SALES01", "title": rep("x", 201)}, "invalid_arguments"},
		"five prompts":                 {"assistant.threads.setSuggestedPrompts", m{"channel_id": "C0SALES01", "prompts": []m{{"title": "t", "message": "m"}, {"title": "t", "message": "m"}, {"title": "t", "message": "m"}, {"title": "t", "message": "m"}, {"title": "t", "message": "m"}}}, "invalid_arguments"},
		"a session without a thread":   {"agents.sessions.setStatus", m{"channel_id": "C0SALES01", "status": "active"}, "invalid_arguments"},
		"a session in no thread":       {"agents.sessions.setStatus", m{"channel_id": "C0SALES01", "thread_ts": "1.1", "status": "active"}, "invalid_thread_ts"},
		"status of a thread of no one": {"assistant.threads.setStatus", m{"channel_id": "C0SALES01", "thread_ts": "1.1", "status": "x"}, "invalid_thread_ts"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := call(t, s, fakeslack.BotToken, tt.method, tt.args); got["error"] != tt.want {
				t.Errorf("answer = %v, want %s", got, tt.want)
			}
		})
	}
	if n := len(s.Refusals()); n != 23 {
		t.Errorf("%d refusals are on record, want 23", n)
	}
}
