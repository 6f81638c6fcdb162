package fakeslack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"hermes/internal/fakeslack"
)

func start(t *testing.T, o fakeslack.Options) *fakeslack.Server {
	t.Helper()
	s, err := fakeslack.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(stop)
	return ctx
}

// call calls a method as JSON, and returns its answer.
func call(t *testing.T, s *fakeslack.Server, token, method string, args map[string]any) map[string]any {
	t.Helper()
	b, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, s.APIURL()+method, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

type m = map[string]any

func rep(s string, n int) string { return strings.Repeat(s, n) }

func section(n int) m { return m{"type": "section", "text": m{"type": "mrkdwn", "text": rep("x", n)}} }

func buttons(n int, f func(int, m)) m {
	var es []m
	for i := range n {
		e := m{"type": "button", "action_id": fmt.Sprint("a", i), "text": m{"type": "plain_text", "text": "ok"}}
		if f != nil {
			f(i, e)
		}
		es = append(es, e)
	}
	return m{"type": "actions", "elements": es}
}

// Slack's limits and words of refusal.
func TestPostMessageRefusals(t *testing.T) {
	s := start(t, fakeslack.Options{})
	blocks := func(bs ...m) m { return m{"channel": "C0SALES01", "text": "t", "blocks": bs} }
	many := make([]m, 51)
	for i := range many {
		many[i] = m{"type": "divider"}
	}
	tests := map[string]struct {
		args m
		want string
	}{
		"text":                    {m{"channel": "C0SALES01", "text": "hi"}, ""},
		"nothing":                 {m{"channel": "C0SALES01"}, "no_text"},
		"no channel":              {m{"text": "hi"}, "channel_not_found"},
		"unknown channel":         {m{"channel": "C9", "text": "hi"}, "channel_not_found"},
		"private, outside":        {m{"channel": "C0BOARD01", "text": "hi"}, "channel_not_found"},
		"public, outside":         {m{"channel": "C0RANDOM1", "text": "hi"}, "not_in_channel"},
		"50 blocks":               {blocks(many[:50]...), ""},
		"51 blocks":               {blocks(many...), "invalid_blocks"},
		"section of 3000":         {blocks(section(3000)), ""},
		"section of 3001":         {blocks(section(3001)), "invalid_blocks"},
		"empty section":           {blocks(section(0)), "invalid_blocks"},
		"markdown of 12000":       {blocks(m{"type": "markdown", "text": rep("长", 12000)}), ""},
		"markdown of 12001":       {blocks(m{"type": "markdown", "text": rep("长", 12001)}), "invalid_blocks"},
		"two markdowns of 7000":   {blocks(m{"type": "markdown", "text": rep("x", 7000)}, m{"type": "markdown", "text": rep("x", 7000)}), "msg_blocks_too_long"},
		"25 buttons":              {blocks(buttons(25, nil)), ""},
		"26 buttons":              {blocks(buttons(26, nil)), "invalid_blocks"},
		"value of 2001":           {blocks(buttons(1, func(_ int, e m) { e["value"] = rep("x", 2001) })), "invalid_blocks"},
		"label of 76":             {blocks(buttons(1, func(_ int, e m) { e["text"] = m{"type": "plain_text", "text": rep("x", 76)} })), "invalid_blocks"},
		"label in mrkdwn":         {blocks(buttons(1, func(_ int, e m) { e["text"] = m{"type": "mrkdwn", "text": "x"} })), "invalid_blocks"},
		"action_id of 256":        {blocks(buttons(1, func(_ int, e m) { e["action_id"] = rep("x", 256) })), "invalid_blocks"},
		"action_id twice":         {blocks(buttons(2, func(_ int, e m) { e["action_id"] = "a" })), "invalid_blocks"},
		"action_id in two blocks": {blocks(buttons(1, nil), buttons(1, nil)), "invalid_blocks"},
		"block_id twice":          {blocks(m{"type": "divider", "block_id": "b"}, m{"type": "divider", "block_id": "b"}), "invalid_blocks"},
		"unknown style":           {blocks(buttons(1, func(_ int, e m) { e["style"] = "loud" })), "invalid_blocks"},
		"unknown block":           {blocks(m{"type": "hologram"}), "invalid_blocks"},
		"blocks that are none":    {m{"channel": "C0SALES01", "text": "t", "blocks": "{"}, "invalid_blocks_format"},
		"markdown_text and text":  {m{"channel": "C0SALES01", "text": "t", "markdown_text": "m"}, "markdown_text_conflict"},
		"metadata":                {m{"channel": "C0SALES01", "text": "t", "metadata": m{"event_type": "x", "event_payload": m{"k": 1}}}, ""},
		"metadata without type":   {m{"channel": "C0SALES01", "text": "t", "metadata": m{"event_payload": m{}}}, "invalid_metadata_format"},
		"metadata of no object":   {m{"channel": "C0SALES01", "text": "t", "metadata": m{"event_type": "x", "event_payload": "p"}}, "invalid_metadata_format"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := call(t, s, fakeslack.BotToken, "chat.postMessage", tt.args)
			if code, _ := got["error"].(string); code != tt.want || got["ok"] != (tt.want == "") {
				t.Errorf("answer = %v, want error %q", got, tt.want)
			}
		})
	}
}

// Who calls, with what, and what is missing.
func TestTokensAndScopes(t *testing.T) {
	s := start(t, fakeslack.Options{Scopes: []string{"chat:write", "channels:read"}})
	tests := map[string]struct{ token, method, want string }{
		"bot":              {fakeslack.BotToken, "auth.test", ""},
		"no token":         {"", "auth.test", "not_authed"},
		"foreign token":    {"xoxb-other", "auth.test", "invalid_auth"},
		"app token":        {fakeslack.AppToken, "apps.connections.open", ""},
		"bot for app":      {fakeslack.BotToken, "apps.connections.open", "not_allowed_token_type"},
		"app for bot":      {fakeslack.AppToken, "chat.postMessage", "not_allowed_token_type"},
		"scope missing":    {fakeslack.BotToken, "users.info", "missing_scope"},
		"no such method":   {fakeslack.BotToken, "chat.shout", "unknown_method"},
		"history is apart": {fakeslack.BotToken, "conversations.history", "missing_scope"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := call(t, s, tt.token, tt.method, m{})
			if code, _ := got["error"].(string); code != tt.want {
				t.Errorf("answer = %v, want error %q", got, tt.want)
			}
			if tt.want == "missing_scope" && (got["needed"] == nil || got["provided"] != "chat:write,channels:read") {
				t.Errorf("answer = %v, want needed and provided", got)
			}
		})
	}
	s.Revoke(fakeslack.BotToken, "token_revoked")
	if got := call(t, s, fakeslack.BotToken, "auth.test", nil); got["error"] != "token_revoked" {
		t.Errorf("answer = %v, want token_revoked", got)
	}
}

// Slack's own odd ways with messages.
func TestMessages(t *testing.T) {
	s := start(t, fakeslack.Options{})
	post := func(args m) string {
		t.Helper()
		args["channel"] = "C0SALES01"
		got := call(t, s, fakeslack.BotToken, "chat.postMessage", args)
		ts, _ := got["ts"].(string)
		if ts == "" {
			t.Fatalf("answer = %v", got)
		}
		return ts
	}
	root := post(m{"text": "root", "metadata": m{"event_type": "x", "event_payload": m{"k": "v"}}})
	one := post(m{"text": "one", "thread_ts": root})
	lost := post(m{"text": "no parent", "thread_ts": "1.000001"})
	if th := s.Channel("sales").Thread(root); len(th) != 2 || th[1].TS != one {
		t.Errorf("thread = %+v", th)
	}
	if roots := s.Channel("#sales").Roots(); len(roots) != 2 || roots[1].TS != lost {
		t.Errorf("roots = %+v, want the one without a parent among them", roots)
	}
	update := func(args m) m {
		args["channel"] = "C0SALES01"
		return call(t, s, fakeslack.BotToken, "chat.update", args)
	}
	update(m{"ts": root, "blocks": []m{{"type": "divider"}}})
	if got := s.Channel("sales").Roots()[0]; got.Text != "root" || got.Blocks == nil {
		t.Errorf("after blocks alone %+v, want the text kept", got)
	}
	update(m{"ts": root, "text": "new"})
	if got := s.Channel("sales").Roots()[0]; got.Text != "new" || got.Blocks != nil {
		t.Errorf("after text alone %+v, want the blocks gone", got)
	}
	ana, err := s.Human("ana").Say("sales", "mine")
	if err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string]m{
		"msg_too_long":        {"ts": root, "text": rep("x", 4001)},
		"cant_update_message": {"ts": ana.TS, "text": "x"},
		"message_not_found":   {"ts": "1.000001", "text": "x"},
	} {
		if got := update(args); got["error"] != want {
			t.Errorf("update = %v, want %s", got, want)
		}
	}
	if got := call(t, s, fakeslack.BotToken, "chat.delete", m{"channel": "C0SALES01", "ts": one}); got["ok"] != true {
		t.Errorf("delete = %v", got)
	}
	for _, all := range []bool{false, true} {
		got := call(t, s, fakeslack.BotToken, "conversations.history", m{"channel": "C0SALES01", "include_all_metadata": all, "limit": 2})
		ms := got["messages"].([]any)
		if len(ms) != 2 || ms[0].(m)["text"] != "mine" || got["has_more"] != true {
			t.Errorf("history = %v, want the newest two of three", got)
		}
		cursor := got["response_metadata"].(m)["next_cursor"]
		got = call(t, s, fakeslack.BotToken, "conversations.history", m{"channel": "C0SALES01", "include_all_metadata": all, "limit": 2, "cursor": cursor})
		ms = got["messages"].([]any)
		if len(ms) != 1 || (ms[0].(m)["metadata"] != nil) != all {
			t.Errorf("history = %v, want one with metadata: %v", got, all)
		}
	}
}

// A mention is two events with two ids and one ts; nothing is told of a channel in
// which the app is not.
func TestEventsOfAMention(t *testing.T) {
	s := start(t, fakeslack.Options{})
	said, err := s.Human("ana").Say("sales", "@hermes <b> & #sales")
	if err != nil {
		t.Fatal(err)
	}
	if want := "<@" + fakeslack.BotUser + "> &lt;b&gt; &amp; <#C0SALES01|sales>"; said.Text != want {
		t.Errorf("text = %q, want %q", said.Text, want)
	}
	if _, err := s.Human("ana").Say("random", "@hermes"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Human("leo").Say("board", "x"); err == nil {
		t.Error("leo speaks in a channel in which he is not")
	}
	var kinds, ids []string
	for _, d := range s.Deliveries() {
		var p struct {
			ID    string `json:"event_id"`
			Event struct{ Type, TS string }
		}
		if err := json.Unmarshal(d.Payload, &p); err != nil || p.Event.TS != said.TS {
			t.Errorf("payload %s: %v", d.Payload, err)
		}
		kinds, ids = append(kinds, p.Event.Type), append(ids, p.ID)
	}
	if len(kinds) != 2 || kinds[0] != "message" || kinds[1] != "app_mention" || ids[0] == ids[1] {
		t.Errorf("events = %v with ids %v", kinds, ids)
	}
}

func dial(t *testing.T, s *fakeslack.Server) (*websocket.Conn, error) {
	t.Helper()
	got := call(t, s, fakeslack.AppToken, "apps.connections.open", nil)
	url, _ := got["url"].(string)
	c, _, err := websocket.Dial(soon(t), url, nil)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = c.CloseNow() })
	if _, _, again := websocket.Dial(soon(t), url, nil); again == nil {
		t.Error("a ticket was good twice")
	}
	return c, nil
}

func next(t *testing.T, c *websocket.Conn) m {
	t.Helper()
	_, b, err := c.Read(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	var f m
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// What is not acknowledged comes again: at once after three seconds, after a
// minute, after five, and then never.
func TestDeliverySchedule(t *testing.T) {
	clock := fakeslack.NewManual(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC))
	s := start(t, fakeslack.Options{Clock: clock})
	c, err := dial(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if f := next(t, c); f["type"] != "hello" {
		t.Fatalf("first frame = %v, want hello", f)
	}
	if _, err := s.Human("ana").Say("sales", "x"); err != nil {
		t.Fatal(err)
	}
	var id any
	for i, pass := range []time.Duration{0, 3 * time.Second, 3*time.Second + time.Minute, 3*time.Second + 5*time.Minute} {
		clock.Advance(pass)
		f := next(t, c)
		if f["retry_attempt"] != float64(i) || i > 0 && (f["envelope_id"] != id || f["retry_reason"] != "timeout") {
			t.Errorf("frame %d = %v", i, f)
		}
		id = f["envelope_id"]
	}
	clock.Advance(time.Hour)
	if d := s.Deliveries()[0]; !d.GivenUp || d.Attempts != 4 {
		t.Errorf("delivery = %+v, want it given up after four", d)
	}
	s.Redeliver(s.Deliveries()[0])
	f := next(t, c)
	ack, _ := json.Marshal(m{"envelope_id": f["envelope_id"]})
	if err := c.Write(soon(t), websocket.MessageText, ack); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitAcked(soon(t)); err != nil {
		t.Error(err)
	}
}

// Ten sockets and no more; frames of twenty kilobytes and no more; goodbyes are
// announced.
func TestSocketLimits(t *testing.T) {
	s := start(t, fakeslack.Options{})
	var last *websocket.Conn
	for range 10 {
		c, err := dial(t, s)
		if err != nil {
			t.Fatal(err)
		}
		if f := next(t, c); f["type"] != "hello" {
			t.Fatalf("frame = %v, want hello", f)
		}
		last = c
	}
	c, err := dial(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if f := next(t, c); f["reason"] != "too_many_websockets" {
		t.Errorf("frame = %v, want too_many_websockets", f)
	}
	s.Disconnect("warning")
	if f := next(t, last); f["type"] != "disconnect" || f["reason"] != "warning" {
		t.Errorf("frame = %v, want a warning", f)
	}
	if err := last.Write(soon(t), websocket.MessageText, []byte(rep("x", 20481))); err != nil {
		t.Fatal(err)
	}
	if _, _, err := last.Read(soon(t)); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("after a long frame: %v, want 1009", err)
	}
}

// A press carries what Slack says of it: its response_url is good for five uses,
// its trigger for one view within three seconds.
func TestPress(t *testing.T) {
	clock := fakeslack.NewManual(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC))
	s := start(t, fakeslack.Options{Clock: clock})
	call(t, s, fakeslack.BotToken, "chat.postMessage", m{"channel": "C0SALES01", "text": "t", "blocks": []m{buttons(1, func(_ int, e m) { e["value"] = "v" })}})
	msg := s.Channel("sales").Roots()[0]
	if _, err := s.Human("leo").Press(msg, "nothing"); err == nil {
		t.Error("a button that is not there was pressed")
	}
	d, err := s.Human("leo").Press(msg, "ok")
	if err != nil {
		t.Fatal(err)
	}
	var p slack.InteractionCallback
	if err := json.Unmarshal(d.Payload, &p); err != nil {
		t.Fatal(err)
	}
	a := p.ActionCallback.BlockActions
	if p.Type != slack.InteractionTypeBlockActions || len(a) != 1 || a[0].Value != "v" || a[0].ActionTs == "" ||
		p.Container.MessageTs != msg.TS || p.User.Name != "leo" || p.Message.Timestamp != msg.TS {
		t.Errorf("payload = %s", d.Payload)
	}
	for i := range 6 {
		resp, err := http.Post(p.ResponseURL, "application/json", strings.NewReader(`{"text":"only you"}`))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if ok := resp.StatusCode == 200; ok != (i < 5) {
			t.Errorf("use %d of the response_url = %s", i+1, resp.Status)
		}
	}
	if n := len(s.Channel("sales").Private(s.Human("leo").ID())); n != 5 {
		t.Errorf("leo sees %d private lines, want 5", n)
	}
	view := m{"trigger_id": p.TriggerID, "view": m{"type": "modal", "title": m{"type": "plain_text", "text": "t"}, "blocks": []m{section(1)}}}
	if got := call(t, s, fakeslack.BotToken, "views.open", view); got["ok"] != true {
		t.Errorf("views.open = %v", got)
	}
	if got := call(t, s, fakeslack.BotToken, "views.open", view); got["error"] != "exchanged_trigger_id" {
		t.Errorf("views.open again = %v", got)
	}
	d, _ = s.Human("leo").Press(msg, "ok")
	_ = json.Unmarshal(d.Payload, &p)
	clock.Advance(4 * time.Second)
	view["trigger_id"] = p.TriggerID
	if got := call(t, s, fakeslack.BotToken, "views.open", view); got["error"] != "expired_trigger_id" {
		t.Errorf("views.open late = %v", got)
	}
}

// What breaks, breaks as asked: how often, for whom, and with or without effect.
func TestFaults(t *testing.T) {
	s := start(t, fakeslack.Options{})
	api := slack.New(fakeslack.BotToken, slack.OptionAPIURL(s.APIURL()))
	post := func() error {
		_, _, err := api.PostMessageContext(soon(t), "C0SALES01", slack.MsgOptionText("x", false))
		return err
	}
	count := func() int { return len(s.Channel("sales").Messages()) }

	s.Fail(fakeslack.Fault{Method: "chat.postMessage", Skip: 1, Status: 429, RetryAfter: 7})
	var limited *slack.RateLimitedError
	if err := post(); err != nil {
		t.Errorf("the first call = %v, want it to go well", err)
	}
	if err := post(); !errors.As(err, &limited) || limited.RetryAfter != 7*time.Second {
		t.Errorf("the second = %v, want 429", err)
	}
	if err := post(); err != nil || count() != 2 {
		t.Errorf("the third = %v with %d messages, want the fault over", err, count())
	}
	s.Fail(fakeslack.Fault{Method: "chat.postMessage", Cut: true})
	if err := post(); err == nil || count() != 3 {
		t.Errorf("cut = %v with %d messages, want an error and the message", err, count())
	}
	s.Fail(fakeslack.Fault{Method: "chat.postMessage", Channel: "C0GENERAL", Error: "is_archived"})
	if err := post(); err != nil {
		t.Errorf("another channel = %v", err)
	}
	s.Mend()
	s.Fail(fakeslack.Fault{Status: 500, Times: -1})
	for range 3 {
		if err := post(); err == nil {
			t.Error("500 = nil")
		}
	}
}

// Slack's other client understands us: the library's own Socket Mode loop, which we
// do not use, hears the events and acknowledges them.
func TestLibrarySocketMode(t *testing.T) {
	s := start(t, fakeslack.Options{})
	api := slack.New(fakeslack.BotToken, slack.OptionAppLevelToken(fakeslack.AppToken), slack.OptionAPIURL(s.APIURL()))
	sm := socketmode.New(api)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- sm.RunContext(ctx) }()
	defer func() { stop(); <-done }()
	if err := s.WaitConns(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Human("ana").Say("sales", "@hermes hi"); err != nil {
		t.Fatal(err)
	}
	for heard := 0; heard < 2; {
		select {
		case ev := <-sm.Events:
			if ev.Type != socketmode.EventTypeEventsAPI {
				continue
			}
			heard++
			switch in := ev.Data.(slackevents.EventsAPIEvent).InnerEvent.Data.(type) {
			case *slackevents.MessageEvent:
				if in.User != s.Human("ana").ID() || in.ChannelType != "channel" {
					t.Errorf("message = %+v", in)
				}
			case *slackevents.AppMentionEvent:
			default:
				t.Errorf("event = %T", in)
			}
			if err := sm.Ack(*ev.Request); err != nil {
				t.Fatal(err)
			}
		case <-soon(t).Done():
			t.Fatal("waited in vain for events")
		}
	}
	if err := s.WaitAcked(soon(t)); err != nil {
		t.Error(err)
	}
}

// Files: three steps, of which only the last one shows anything, and only with the
// size that was announced. Who has no token downloads a page to sign in.
func TestFiles(t *testing.T) {
	s := start(t, fakeslack.Options{})
	api := slack.New(fakeslack.BotToken, slack.OptionAPIURL(s.APIURL()))
	f, err := api.UploadFileContext(soon(t), slack.UploadFileParameters{
		Filename: "a.csv", FileSize: 3, Content: "a,b", Title: "A", Channel: "C0SALES01",
	})
	if err != nil || f.Title != "A" {
		t.Fatalf("upload = %+v, %v", f, err)
	}
	if _, err := api.UploadFileContext(soon(t), slack.UploadFileParameters{Filename: "a", FileSize: 4, Content: "a,b", Channel: "C0SALES01"}); err == nil {
		t.Error("a file of another size was taken")
	}
	ms := s.Channel("sales").Messages()
	if len(ms) != 1 || len(ms[0].Files) != 1 || ms[0].Files[0].Name != "a.csv" {
		t.Errorf("messages = %+v", ms)
	}
	info, _, _, err := api.GetFileInfoContext(soon(t), f.ID, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(info.URLPrivateDownload)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); !bytes.Contains(b, []byte("Sign in")) {
		t.Errorf("download without a token = %s", b)
	}
}
