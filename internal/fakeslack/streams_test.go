package fakeslack_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/fakeslack"
)

// streaming begins a stream under a question in #sales, and returns both.
func streaming(t *testing.T, s *fakeslack.Server, first m) (root fakeslack.Message, ts string) {
	t.Helper()
	root = must(s.Human("ana").Say("sales", "question"))
	args := m{"channel": "C0SALES01", "thread_ts": root.TS, "recipient_user_id": s.Human("ana").ID(), "recipient_team_id": fakeslack.Team}
	for k, v := range first {
		args[k] = v
	}
	got := call(t, s, fakeslack.BotToken, "chat.startStream", args)
	if got["ok"] != true {
		t.Fatalf("startStream = %v", got)
	}
	return root, got["ts"].(string)
}

func chunks(cs ...m) m { return m{"chunks": cs} }

func said(text string) m { return m{"type": "markdown_text", "text": text} }

func stream(t *testing.T, s *fakeslack.Server, method, ts string, more m) m {
	t.Helper()
	args := m{"channel": "C0SALES01", "ts": ts}
	for k, v := range more {
		args[k] = v
	}
	return call(t, s, fakeslack.BotToken, "chat."+method, args)
}

// What a stream is not begun with.
func TestStartStreamRefusals(t *testing.T) {
	s := start(t, fakeslack.Options{})
	ana, dm := s.Human("ana"), must(s.Human("ana").Say("dm", "hi"))
	root := must(ana.Say("sales", "question"))
	reply := must(ana.Reply("sales", root.TS, "more"))
	base := m{"channel": "C0SALES01", "thread_ts": root.TS, "recipient_user_id": ana.ID(), "recipient_team_id": fakeslack.Team}
	for name, tt := range map[string]struct {
		change m
		want   string
	}{
		"all is there":           {nil, ""},
		"no recipient's team":    {m{"recipient_team_id": nil}, "missing_recipient_team_id"},
		"no recipient":           {m{"recipient_user_id": nil}, "missing_recipient_user_id"},
		"an unknown recipient":   {m{"recipient_user_id": "U1"}, "user_not_found"},
		"another team":           {m{"recipient_team_id": "T1"}, "team_not_found"},
		"no thread":              {m{"thread_ts": nil}, "invalid_thread_ts"},
		"a reply as thread":      {m{"thread_ts": reply.TS}, "invalid_thread_ts"},
		"not in the channel":     {m{"channel": "C0RANDOM1"}, "not_in_channel"},
		"no recipient in a DM":   {m{"channel": dm.Channel, "thread_ts": dm.TS, "recipient_user_id": nil, "recipient_team_id": nil}, ""},
		"both modes":             {m{"markdown_text": "x", "chunks": []m{said("x")}}, "invalid_arguments"},
		"12001 characters":       {m{"markdown_text": rep("x", 12001)}, "msg_too_long"},
		"an unknown chunk":       {chunks(m{"type": "poem"}), "invalid_chunks"},
		"a task without a title": {chunks(m{"type": "task_update", "id": "1", "status": "pending"}), "invalid_chunks"},
		"a task that is done":    {chunks(m{"type": "task_update", "id": "1", "title": "t", "status": "done"}), "invalid_chunks"},
		"a title of 257":         {chunks(m{"type": "plan_update", "title": rep("x", 257)}), "invalid_chunks"},
		"a source without text":  {chunks(m{"type": "task_update", "id": "1", "title": "t", "status": "pending", "sources": []m{{"type": "url", "url": "https://x.example"}}}), "invalid_chunks"},
		"51 blocks":              {chunks(m{"type": "blocks", "blocks": make([]m, 51)}), "invalid_blocks"},
		"an unknown mode":        {m{"task_display_mode": "dance"}, "invalid_arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			args := m{}
			for _, from := range []m{base, tt.change} {
				for k, v := range from {
					args[k] = v
				}
			}
			got := call(t, s, fakeslack.BotToken, "chat.startStream", args)
			if code, _ := got["error"].(string); code != tt.want {
				t.Errorf("answer = %v, want error %q", got, tt.want)
			}
		})
	}
}

// A stream is one message, of one mode, to which cards and text are added, and which
// ends with blocks and metadata.
func TestStream(t *testing.T) {
	s := start(t, fakeslack.Options{})
	root, ts := streaming(t, s, m{"task_display_mode": "plan"})
	task := func(status string) m { return m{"type": "task_update", "id": "1", "title": "look", "status": status} }
	stream(t, s, "appendStream", ts, chunks(m{"type": "plan_update", "title": "a plan"}, task("in_progress")))
	stream(t, s, "appendStream", ts, chunks(said("one "), task("complete")))
	for what, tt := range map[string]struct {
		method string
		args   m
		want   string
	}{
		"the other mode":          {"appendStream", m{"markdown_text": "x"}, "streaming_mode_mismatch"},
		"the other mode at last":  {"stopStream", m{"markdown_text": "x"}, "streaming_mode_mismatch"},
		"nothing":                 {"appendStream", m{}, "no_text"},
		"an update meanwhile":     {"update", m{"text": "x"}, "streaming_state_conflict"},
		"a stop with bad blocks":  {"stopStream", m{"blocks": []m{{"type": "poem"}}}, "invalid_blocks"},
		"a stop with bad data":    {"stopStream", m{"metadata": m{"event_type": "x"}}, "invalid_metadata_format"},
		"an unknown final status": {"stopStream", m{"session_status": "done"}, "invalid_arguments"},
		"another's message":       {"appendStream", m{"ts": root.TS, "markdown_text": "x"}, "message_not_owned_by_app"},
		"no message":              {"appendStream", m{"ts": "1.1", "markdown_text": "x"}, "message_not_found"},
	} {
		if got := stream(t, s, tt.method, ts, tt.args); got["error"] != tt.want {
			t.Errorf("%s = %v, want %s", what, got, tt.want)
		}
	}
	got := stream(t, s, "stopStream", ts, m{
		"chunks": []m{said("two")}, "blocks": []m{section(1)}, "session_status": "active",
		"metadata": m{"event_type": "x", "event_payload": m{"k": "v"}},
	})
	if got["ok"] != true {
		t.Fatalf("stopStream = %v", got)
	}
	th := s.Channel("sales").Thread(root.TS)
	if len(th) != 2 || th[1].Text != "one two" || th[1].Streaming != fakeslack.Streamed || th[1].Metadata == nil ||
		len(th[1].Tasks) != 1 || th[1].Tasks[0].Status != "complete" || th[1].Shown() != "a plan\nlook\none two\nx" {
		t.Errorf("thread = %+v, shown %q", th, th[1].Shown())
	}
	for _, method := range []string{"appendStream", "stopStream"} {
		if got := stream(t, s, method, ts, chunks(said("x"))); got["error"] != "message_not_in_streaming_state" {
			t.Errorf("%s after the end = %v", method, got)
		}
	}
	if got := stream(t, s, "update", ts, m{"text": "now plain"}); got["ok"] != true {
		t.Errorf("update after the end = %v", got)
	}
}

// A stream lives five minutes and says 12,000 characters.
func TestStreamEnds(t *testing.T) {
	clock := fakeslack.NewManual(monday)
	s := start(t, fakeslack.Options{Clock: clock})
	_, ts := streaming(t, s, m{"markdown_text": rep("x", 11_990)})
	if got := stream(t, s, "appendStream", ts, m{"markdown_text": rep("x", 11)}); got["error"] != "msg_too_long" {
		t.Errorf("12,001 characters = %v", got)
	}
	if got := stream(t, s, "appendStream", ts, m{"markdown_text": rep("x", 10)}); got["ok"] != true {
		t.Errorf("12,000 characters = %v", got)
	}
	clock.Advance(4*time.Minute + 59*time.Second)
	if got := stream(t, s, "appendStream", ts, m{"markdown_text": ""}); got["error"] != "no_text" {
		t.Errorf("before five minutes = %v", got)
	}
	clock.Advance(time.Second)
	if got := stream(t, s, "stopStream", ts, m{}); got["error"] != "message_not_in_streaming_state" {
		t.Errorf("after five minutes = %v", got)
	}
	// Cards count too.
	_, ts = streaming(t, s, chunks(m{"type": "task_update", "id": "1", "title": "t", "status": "pending", "details": rep("x", 11_999)}))
	if got := stream(t, s, "appendStream", ts, chunks(said("x"))); got["error"] != "msg_too_long" {
		t.Errorf("a card of 12,000 characters and one more = %v", got)
	}
}

// Stop is there while the app says that it works, and ends its streams.
func TestPressStop(t *testing.T) {
	s := start(t, fakeslack.Options{})
	ana := s.Human("ana")
	root, ts := streaming(t, s, m{"markdown_text": "x"})
	if _, err := ana.PressStop("sales", root.TS); err == nil {
		t.Error("Stop was pressed though nothing is shown to work")
	}
	status := func(v string) m {
		return call(t, s, fakeslack.BotToken, "agents.sessions.setStatus", m{"channel_id": "C0SALES01", "thread_ts": root.TS, "status": v, "title": "first"})
	}
	if got := status("processing"); got["ok"] != true || got["warning"] != nil {
		t.Errorf("setStatus = %v", got)
	}
	room := s.Channel("sales")
	if room.Status(root.TS) != "processing" || room.Title(root.TS) != "first" {
		t.Errorf("status %q, title %q", room.Status(root.TS), room.Title(root.TS))
	}
	e := decode(t, must(ana.PressStop("sales", root.TS)).Payload)["event"].(m)
	if e["type"] != "agent_session_stopped" || e["user"] != ana.ID() || e["streaming_message_ts"].([]any)[0] != ts {
		t.Errorf("event = %v", e)
	}
	for _, method := range []string{"appendStream", "stopStream"} {
		if got := stream(t, s, method, ts, m{"markdown_text": "x"}); got["error"] != "stopped_by_user" {
			t.Errorf("%s after Stop = %v", method, got)
		}
	}
	if room.Status(root.TS) != "processing" {
		t.Error("the status went by itself")
	}
	status("active")
	if got := room.Status(root.TS); got != "" {
		t.Errorf("status = %q at the end", got)
	}
}

// Without the event there is no Stop, and Slack says so.
func TestStopWithoutSubscription(t *testing.T) {
	s := start(t, fakeslack.Options{Without: []string{"agent_session_stopped"}})
	root := must(s.Human("ana").Say("sales", "x"))
	got := call(t, s, fakeslack.BotToken, "agents.sessions.setStatus", m{"channel_id": "C0SALES01", "thread_ts": root.TS, "status": "processing"})
	if got["warning"] != "missing_agent_session_stopped_event_subscription" {
		t.Errorf("answer = %v, want the warning", got)
	}
	if _, err := s.Human("ana").PressStop("sales", root.TS); err == nil {
		t.Error("Stop was pressed")
	}
}

// The older status goes with an answer, with an empty one, and after two minutes; that
// of a session after an hour.
func TestStatusLife(t *testing.T) {
	clock := fakeslack.NewManual(monday)
	s := start(t, fakeslack.Options{Clock: clock})
	root := must(s.Human("ana").Say("sales", "x"))
	room := s.Channel("sales")
	set := func(v string) {
		call(t, s, fakeslack.BotToken, "assistant.threads.setStatus", m{"channel_id": "C0SALES01", "thread_ts": root.TS, "status": v})
	}
	for what, end := range map[string]func(){
		"an answer": func() {
			call(t, s, fakeslack.BotToken, "chat.postMessage", m{"channel": "C0SALES01", "thread_ts": root.TS, "text": "x"})
		},
		"an empty":    func() { set("") },
		"two minutes": func() { clock.Advance(2 * time.Minute) },
	} {
		set("is thinking…")
		if room.Status(root.TS) == "" {
			t.Errorf("before %s there is no status", what)
		}
		if end(); room.Status(root.TS) != "" {
			t.Errorf("after %s there is still a status", what)
		}
	}
	call(t, s, fakeslack.BotToken, "agents.sessions.setStatus", m{"channel_id": "C0SALES01", "thread_ts": root.TS, "status": "processing"})
	call(t, s, fakeslack.BotToken, "chat.postMessage", m{"channel": "C0SALES01", "thread_ts": root.TS, "text": "x"})
	if room.Status(root.TS) == "" {
		t.Error("an answer took the status of a session away")
	}
	if clock.Advance(time.Hour); room.Status(root.TS) != "" {
		t.Error("after an hour there is still a status")
	}
}

// Titles, prompts and what a person does in the pane.
func TestPane(t *testing.T) {
	s := start(t, fakeslack.Options{})
	ana := s.Human("ana")
	th := must(ana.OpenThread())
	call(t, s, fakeslack.BotToken, "assistant.threads.setTitle", m{"channel_id": th.Channel, "thread_ts": th.TS, "title": "one"})
	call(t, s, fakeslack.BotToken, "assistant.threads.setSuggestedPrompts", m{"channel_id": th.Channel, "thread_ts": th.TS, "prompts": []m{{"title": "t", "message": "m"}}})
	room := s.Channel(th.Channel)
	if got := room.Prompts(th.TS); len(got) != 1 || got[0].Message != "m" || room.Title(th.TS) != "one" {
		t.Errorf("prompts = %v, title %q", got, room.Title(th.TS))
	}
	e := decode(t, must(ana.Rename(th.Channel, th.TS, "two")).Payload)["event"].(m)
	if e["title"] != "two" || e["previous_title"] != "one" {
		t.Errorf("event = %v", e)
	}
	if e := decode(t, must(ana.Looks("sales")).Payload)["event"].(m); !strings.Contains(string(must(ana.Looks("sales")).Payload), "C0SALES01") || e["type"] != "app_context_changed" {
		t.Errorf("event = %v", e)
	}
}

// Reactions are of each person, and come back as events.
func TestReactions(t *testing.T) {
	s := start(t, fakeslack.Options{})
	ana := s.Human("ana")
	msg := must(ana.Say("sales", "x"))
	on := m{"channel": "C0SALES01", "timestamp": msg.TS, "name": "eyes"}
	for _, tt := range []struct{ method, want string }{
		{"reactions.remove", "no_reaction"}, {"reactions.add", ""}, {"reactions.add", "already_reacted"},
	} {
		got := call(t, s, fakeslack.BotToken, tt.method, on)
		if code, _ := got["error"].(string); code != tt.want {
			t.Errorf("%s = %v, want %q", tt.method, got, tt.want)
		}
	}
	if err := ana.React(msg, "eyes"); err != nil {
		t.Error(err)
	}
	if err := ana.React(msg, "eyes"); err == nil {
		t.Error("ana reacted twice")
	}
	now := s.Channel("sales").Roots()[0]
	if len(now.Reactions) != 1 || len(now.Reactions[0].Users) != 2 || len(now.Reacted) != 1 {
		t.Errorf("reactions = %+v, ours %q", now.Reactions, now.Reacted)
	}
	if got := call(t, s, fakeslack.BotToken, "reactions.remove", on); got["ok"] != true {
		t.Errorf("remove = %v", got)
	}
	if now := s.Channel("sales").Roots()[0]; len(now.Reacted) != 0 || len(now.Reactions) != 1 {
		t.Errorf("reactions = %+v", now.Reactions)
	}
	ds := s.Deliveries()
	if e := decode(t, ds[len(ds)-1].Payload)["event"].(m); e["type"] != "reaction_removed" || e["item"].(m)["ts"] != msg.TS {
		t.Errorf("event = %v", e)
	}
}
