package fakeslack_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/slack-go/slack"

	"hermes/internal/fakeslack"
)

func lastEvent(t *testing.T, s *fakeslack.Server) (envelope, event m) {
	t.Helper()
	ds := s.Deliveries()
	envelope = decode(t, ds[len(ds)-1].Payload)
	return envelope, envelope["event"].(m)
}

// Guests, people of other workspaces and other bots are known by what Slack says of
// them.
func TestPeople(t *testing.T) {
	s := start(t, fakeslack.Options{Without: []string{"app_mention"}})
	api := slack.New(fakeslack.BotToken, slack.OptionAPIURL(s.APIURL()))
	guest := s.AddUser(fakeslack.User{Name: "gina", Single: true})
	eve := s.AddUser(fakeslack.User{Name: "eve", Team: "T0OTHER01", Zone: "Asia/Tokyo", Email: "eve@example.org"})
	bot := s.AddBot("deploy")
	for id, want := range map[string]struct{ restricted, ultra, stranger, bot bool }{
		guest.ID(): {true, true, false, false}, eve.ID(): {false, false, true, false}, bot.ID(): {false, false, false, true},
	} {
		u := must(api.GetUserInfoContext(soon(t), id))
		if u.IsRestricted != want.restricted || u.IsUltraRestricted != want.ultra || u.IsStranger != want.stranger || u.IsBot != want.bot {
			t.Errorf("user = %+v, want %+v", u, want)
		}
		if want.stranger && (u.TeamID != "T0OTHER01" || u.Profile.Email != "") {
			t.Errorf("of a stranger Slack tells team %s, address %q", u.TeamID, u.Profile.Email)
		}
	}
	if got := call(t, s, fakeslack.BotToken, "users.lookupByEmail", m{"email": "ana@example.com"}); got["ok"] != true {
		t.Errorf("lookup = %v", got)
	}
	room := s.Channel("sales")
	room.Change(func(c *fakeslack.Channel) { c.Shared = true })
	room.Invite(eve.ID())
	must(eve.Say("sales", "hello"))
	env, e := lastEvent(t, s)
	if env["is_ext_shared_channel"] != true || env["team_id"] != fakeslack.Team || e["user_team"] != "T0OTHER01" || e["source_team"] != "T0OTHER01" {
		t.Errorf("event = %v", env)
	}
	room.Invite(bot.ID())
	said := must(bot.Say("sales", "@hermes deployed"))
	_, e = lastEvent(t, s)
	if e["bot_id"] == nil || e["bot_id"] == fakeslack.BotID || e["subtype"] != nil || said.Mine() {
		t.Errorf("event of another bot = %v", e)
	}
	if got := call(t, s, fakeslack.BotToken, "bots.info", m{"bot": e["bot_id"]}); got["bot"].(m)["name"] != "deploy" {
		t.Errorf("bots.info = %v", got)
	}
	if got := call(t, s, fakeslack.BotToken, "chat.update", m{"channel": "C0SALES01", "ts": said.TS, "text": "x"}); got["error"] != "cant_update_message" {
		t.Errorf("another bot's message = %v", got)
	}
}

// Groups are listed, and who comes and goes is told.
func TestGroups(t *testing.T) {
	s := start(t, fakeslack.Options{})
	ana, leo := s.Human("ana").ID(), s.Human("leo").ID()
	id := s.SetGroup(fakeslack.Group{Handle: "approvers", Name: "Approvers", Users: []string{ana}})
	s.SetGroup(fakeslack.Group{ID: id, Handle: "approvers", Name: "Approvers", Users: []string{leo}})
	_, e := lastEvent(t, s)
	if e["type"] != "subteam_members_changed" || e["added_users"].([]any)[0] != leo || e["removed_users"].([]any)[0] != ana {
		t.Errorf("event = %v", e)
	}
	got := call(t, s, fakeslack.BotToken, "usergroups.users.list", m{"usergroup": id})
	if users := got["users"].([]any); len(users) != 1 || users[0] != leo {
		t.Errorf("users = %v", got)
	}
	if got := call(t, s, fakeslack.BotToken, "usergroups.list", m{"include_users": true}); len(got["usergroups"].([]any)) != 1 {
		t.Errorf("groups = %v", got)
	}
	if said := must(s.Human("ana").Say("sales", "@approvers look")); !strings.HasPrefix(said.Text, "<!subteam^"+id+">") {
		t.Errorf("text = %q", said.Text)
	}
	s.Forbid("usergroups:read")
	if got := call(t, s, fakeslack.BotToken, "usergroups.list", m{}); got["needed"] != "usergroups:read" {
		t.Errorf("answer = %v", got)
	}
}

// Channels are archived, renumbered, left and shared under the app's feet.
func TestPlacesChange(t *testing.T) {
	s := start(t, fakeslack.Options{})
	room := s.Channel("sales")
	post := func(channel string, more m) m {
		args := m{"channel": channel, "text": "x"}
		for k, v := range more {
			args[k] = v
		}
		return call(t, s, fakeslack.BotToken, "chat.postMessage", args)
	}
	root := must(s.Human("ana").Say("sales", "root"))
	s.Remove(root)
	if got := post("C0SALES01", m{"thread_ts": root.TS})["message"].(m); got["thread_ts"] != nil {
		t.Errorf("a reply to what is gone = %v, want it outside threads", got)
	}
	root = must(s.Human("ana").Say("sales", "root"))
	moved := room.Renumber()
	_, e := lastEvent(t, s)
	if e["type"] != "channel_id_changed" || e["old_channel_id"] != "C0SALES01" || e["new_channel_id"] != moved.ID() {
		t.Errorf("event = %v", e)
	}
	if got := post("C0SALES01", nil); got["error"] != "channel_not_found" {
		t.Errorf("the old id = %v", got)
	}
	if got := post(moved.ID(), m{"thread_ts": root.TS})["message"].(m); got["thread_ts"] != root.TS {
		t.Errorf("a thread of before = %v", got)
	}
	moved.Archive()
	if got := post(moved.ID(), nil); got["error"] != "is_archived" {
		t.Errorf("an archived channel = %v", got)
	}
	s.Channel("general").Kick(fakeslack.BotUser)
	if got := post("C0GENERAL", nil); got["error"] != "not_in_channel" {
		t.Errorf("a channel that we left = %v", got)
	}
	s.Channel("board").Publish()
	if got := call(t, s, fakeslack.BotToken, "conversations.info", m{"channel": "C0BOARD01"})["channel"].(m); got["is_private"] != false {
		t.Errorf("channel = %v", got)
	}
	got := call(t, s, fakeslack.BotToken, "conversations.open", m{"users": s.Human("ana").ID() + "," + s.Human("leo").ID()})
	id := got["channel"].(m)["id"].(string)
	must(s.Human("leo").Say(id, "hello both"))
	if _, e := lastEvent(t, s); e["channel_type"] != "mpim" {
		t.Errorf("event = %v", e)
	}
	s.Uninstall()
	if _, e := lastEvent(t, s); e["type"] != "app_uninstalled" || post(id, nil)["error"] != "account_inactive" {
		t.Errorf("after an uninstall: %v", e)
	}
}

// A reply that is broadcast stands in the channel too; one without a parent is plain.
func TestBroadcast(t *testing.T) {
	s := start(t, fakeslack.Options{})
	root := must(s.Human("ana").Say("sales", "root"))
	must(s.Human("leo").Broadcast("sales", root.TS, "all of you"))
	_, e := lastEvent(t, s)
	if e["subtype"] != "thread_broadcast" || e["root"].(m)["ts"] != root.TS || e["thread_ts"] != root.TS {
		t.Errorf("event = %v", e)
	}
	if got := call(t, s, fakeslack.BotToken, "conversations.history", m{"channel": "C0SALES01"})["messages"].([]any); len(got) != 2 {
		t.Errorf("history = %v, want both", got)
	}
}

// What people attach is told, and read by who shows the token.
func TestAttachments(t *testing.T) {
	s := start(t, fakeslack.Options{})
	ana := s.Human("ana")
	must(ana.Attach("sales", "", "@hermes see", fakeslack.File{Name: "a.csv", Bytes: []byte("a,b")}))
	var f m
	for _, d := range s.Deliveries() {
		e := decode(t, d.Payload)["event"].(m)
		if e["type"] == "message" && e["subtype"] != "file_share" {
			t.Errorf("event = %v", e)
		}
		f = e["files"].([]any)[0].(m)
	}
	get := func(token string) (string, string) {
		req, _ := http.NewRequest(http.MethodGet, f["url_private_download"].(string), nil)
		if token != "" {
			req.Header.Set("Authorization", token)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		return resp.Header.Get("Content-Type"), string(b)
	}
	if kind, body := get("Bearer " + fakeslack.BotToken); body != "a,b" || !strings.HasPrefix(kind, "text/csv") {
		t.Errorf("download = %s %q", kind, body)
	}
	for _, token := range []string{"", "Bearer xoxb-other", fakeslack.BotToken} {
		if kind, body := get(token); !strings.HasPrefix(kind, "text/html") || !strings.Contains(body, "Sign in") {
			t.Errorf("download with %q = %s %q, want the page to sign in", token, kind, body)
		}
	}
	s.Fail(fakeslack.Fault{Method: "download", Redirect: s.URL() + "/signin"})
	if _, body := get("Bearer " + fakeslack.BotToken); !strings.Contains(body, "Sign in") {
		t.Errorf("S15: download = %q, want the page to sign in", body)
	}
	s.Forbid("files:read")
	if _, body := get("Bearer " + fakeslack.BotToken); !strings.Contains(body, "Sign in") {
		t.Error("a file was read without the scope files:read")
	}
}

// A file of another workspace is not described in its event.
func TestConnectFiles(t *testing.T) {
	s := start(t, fakeslack.Options{})
	eve := s.AddUser(fakeslack.User{Name: "eve", Team: "T0OTHER01"})
	s.Channel("sales").Change(func(c *fakeslack.Channel) { c.Shared = true })
	s.Channel("sales").Invite(eve.ID())
	must(eve.Attach("sales", "", "see", fakeslack.File{Name: "a.txt", Bytes: []byte("x")}))
	_, e := lastEvent(t, s)
	f := e["files"].([]any)[0].(m)
	if f["file_access"] != "check_file_info" || f["name"] != nil || f["url_private"] != nil {
		t.Errorf("file = %v", f)
	}
	got := call(t, s, fakeslack.BotToken, "files.info", m{"file": f["id"]})["file"].(m)
	if got["name"] != "a.txt" || got["url_private_download"] == nil {
		t.Errorf("files.info = %v", got)
	}
	s.DeleteFile(f["id"].(string))
	if got := call(t, s, fakeslack.BotToken, "files.info", m{"file": f["id"]}); got["error"] != "file_deleted" {
		t.Errorf("files.info of a deleted file = %v", got)
	}
}

// A rotated token is good for twelve hours, its refresh token once.
func TestRotation(t *testing.T) {
	clock := fakeslack.NewManual(monday)
	s := start(t, fakeslack.Options{Clock: clock})
	refresh := func(token string) m {
		return call(t, s, "", "oauth.v2.access", m{
			"client_id": fakeslack.ClientID, "client_secret": fakeslack.ClientSecret, "grant_type": "refresh_token", "refresh_token": token,
		})
	}
	got := refresh(fakeslack.RefreshToken)
	fresh, _ := got["access_token"].(string)
	if got["expires_in"] != 43200.0 || call(t, s, fresh, "auth.test", nil)["ok"] != true {
		t.Errorf("refresh = %v", got)
	}
	if again := refresh(fakeslack.RefreshToken); again["error"] != "invalid_refresh_token" {
		t.Errorf("the same refresh token = %v", again)
	}
	clock.Advance(12 * time.Hour)
	if got := call(t, s, fresh, "auth.test", nil); got["error"] != "token_expired" {
		t.Errorf("after twelve hours = %v", got)
	}
	s.Expire(fakeslack.BotToken, time.Minute)
	clock.Advance(time.Minute)
	if got := call(t, s, fakeslack.BotToken, "auth.test", nil); got["error"] != "token_expired" {
		t.Errorf("a token that expired = %v", got)
	}
}

// O12: tiers limit a method, not the app; posts are limited in each channel.
func TestRates(t *testing.T) {
	clock := fakeslack.NewManual(monday)
	s := start(t, fakeslack.Options{Clock: clock})
	s.LimitRates(true)
	api := slack.New(fakeslack.BotToken, slack.OptionAPIURL(s.APIURL()))
	limited := func(f func() error) (after int, wait time.Duration) {
		t.Helper()
		for n := range 1000 {
			var e *slack.RateLimitedError
			if err := f(); errors.As(err, &e) {
				return n, e.RetryAfter
			} else if err != nil {
				t.Fatal(err)
			}
		}
		return 1000, 0
	}
	posts := func(channel string) func() error {
		return func() error {
			_, _, err := api.PostMessageContext(soon(t), channel, slack.MsgOptionText("x", false))
			return err
		}
	}
	for name, tt := range map[string]struct {
		f    func() error
		most int
	}{
		"chat.postMessage":   {posts("C0SALES01"), 5},
		"in another channel": {posts("C0GENERAL"), 5},
		"conversations.list": {func() error {
			_, _, err := api.GetConversationsContext(soon(t), &slack.GetConversationsParameters{})
			return err
		}, 20},
		"users.info": {func() error {
			_, err := api.GetUserInfoContext(soon(t), "U0ANA0001")
			return err
		}, 100},
	} {
		if n, wait := limited(tt.f); n != tt.most || wait < time.Second {
			t.Errorf("%s: %d calls go well, then a wait of %s; want %d", name, n, wait, tt.most)
		}
	}
	clock.Advance(time.Second)
	if n, _ := limited(posts("C0SALES01")); n != 1 {
		t.Errorf("after a second %d posts go well, want one", n)
	}
	if n := len(s.Channel("sales").Messages()); n != 6 {
		t.Errorf("%d messages, want only those that went well", n)
	}
	s.LimitRates(false)
	if err := posts("C0SALES01")(); err != nil {
		t.Error(err)
	}
}

// Answers break in every way that networks know.
func TestAnswersBreak(t *testing.T) {
	s := start(t, fakeslack.Options{})
	room := s.Channel("sales")
	post := func() (string, error) {
		client := &http.Client{Timeout: 200 * time.Millisecond}
		resp, err := client.PostForm(s.APIURL()+"chat.postMessage", map[string][]string{
			"token": {fakeslack.BotToken}, "channel": {"C0SALES01"}, "text": {"x"},
		})
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		return string(b), err
	}
	for name, tt := range map[string]struct {
		fault fakeslack.Fault
		done  int // messages that came of it
		want  string
	}{
		"no error named":   {fakeslack.Fault{Silent: true}, 0, `{"ok":false}`},
		"502 of a proxy":   {fakeslack.Fault{Status: 502}, 0, "<html>"},
		"half an answer":   {fakeslack.Fault{Truncate: true}, 1, `{"channel"`},
		"never an answer":  {fakeslack.Fault{Hang: true}, 0, ""},
		"an answer late":   {fakeslack.Fault{Late: time.Hour}, 1, ""},
		"no answer at all": {fakeslack.Fault{Cut: true}, 1, ""},
	} {
		before := len(room.Messages())
		s.Fail(tt.fault)
		body, err := post()
		if !strings.Contains(body, tt.want) || (tt.want == "") != (err != nil) {
			t.Errorf("%s: %q, %v", name, body, err)
		}
		if n := len(room.Messages()) - before; n != tt.done {
			t.Errorf("%s: %d messages came of it, want %d", name, n, tt.done)
		}
	}
}

// Sockets break in every way that Slack knows, and are counted.
func TestSocketsBreak(t *testing.T) {
	clock := fakeslack.NewManual(monday)
	s := start(t, fakeslack.Options{Clock: clock})
	open := func() string {
		url, _ := call(t, s, fakeslack.AppToken, "apps.connections.open", nil)["url"].(string)
		return url
	}
	url := open()
	clock.Advance(31 * time.Second)
	if _, _, err := websocket.Dial(soon(t), url, nil); err == nil {
		t.Error("a ticket of half a minute ago was good")
	}
	s.Conflict(1)
	if _, resp, err := websocket.Dial(soon(t), open(), nil); err == nil || resp.StatusCode != http.StatusConflict {
		t.Errorf("an upgrade was not refused with 409: %v", err)
	}
	if d := s.OpensApart(); d != 31*time.Second {
		t.Errorf("openings %s apart, want 31 s", d)
	}
	s.Storm(1)
	a := listen(t, s)
	if f := next(t, a.c); f["type"] != "disconnect" {
		t.Errorf("frame = %v, want a disconnect after hello", f)
	}
	if _, _, err := a.c.Read(soon(t)); err == nil {
		t.Error("the socket is open after the storm")
	}
	a = listen(t, s)
	s.Refresh()
	if f := next(t, a.c); f["reason"] != "warning" {
		t.Errorf("frame = %v, want a warning", f)
	}
	clock.Advance(10 * time.Second)
	if f := next(t, a.c); f["reason"] != "refresh_requested" {
		t.Errorf("frame = %v, want refresh_requested", f)
	}
	if _, _, err := a.c.Read(soon(t)); err == nil {
		t.Error("the socket is open after a refresh")
	}
	if now, most := s.Conns(); now != 0 || most != 1 {
		t.Errorf("%d sockets now, %d at most", now, most)
	}
}

// S3: a socket that is half-open does not answer a goodbye; one that lingers answers
// and stays; one that is reset breaks off in a frame.
func TestSocketsEndBadly(t *testing.T) {
	s := start(t, fakeslack.Options{Linger: true})
	a := listen(t, s)
	gone := make(chan error, 1)
	go func() { gone <- a.c.Close(websocket.StatusNormalClosure, "") }()
	if err := <-gone; err != nil {
		t.Errorf("a goodbye = %v, want it answered", err)
	}
	if err := s.WaitConns(soon(t), 0); err != nil { // it has yet to see that we are gone
		t.Error(err)
	}
	a = listen(t, s)
	s.Freeze()
	if n := s.Frozen(); n != 1 {
		t.Errorf("%d sockets are frozen", n)
	}
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if err := a.c.Ping(ctx); err == nil {
		t.Error("a half-open socket answered a ping")
	}
	_ = a.c.CloseNow()
	if err := s.WaitConns(soon(t), 0); err != nil {
		t.Error(err)
	}
	a = listen(t, s)
	s.ResetSockets()
	if _, _, err := a.c.Read(soon(t)); err == nil {
		t.Error("a socket that was reset can be read")
	}
}

// Envelopes come in another order, twice, or are unknown; the token of the app goes
// in the header.
func TestOddDeliveries(t *testing.T) {
	s := start(t, fakeslack.Options{Without: []string{"app_mention"}})
	a := listen(t, s)
	s.Swap()
	first, then := must(s.Human("ana").Say("dm", "one")), must(s.Human("ana").Say("dm", "two"))
	for _, want := range []string{then.TS, first.TS} {
		if got := next(t, a.c)["payload"].(m)["event"].(m)["ts"]; got != want {
			t.Errorf("ts = %v, want %s", got, want)
		}
	}
	s.Event(m{"type": "hologram_moved"})
	if got := next(t, a.c)["payload"].(m)["event"].(m)["type"]; got != "hologram_moved" {
		t.Errorf("event = %v", got)
	}
	if d := a.answer(s.Deliveries()[0], m{"text": "x"}); d.Refused == "" {
		t.Error("an event was answered with a payload")
	}
	a.answer(s.Deliveries()[1], nil)
	if n := len(s.Complaints()); n != 1 {
		t.Errorf("%d complaints, want one: %q", n, s.Complaints())
	}
	resp, err := http.PostForm(s.APIURL()+"apps.connections.open", map[string][]string{"token": {fakeslack.AppToken}})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); !strings.Contains(string(b), "not_authed") {
		t.Errorf("the app's token in a form = %s", b)
	}
}

// Whatever the app sends can be looked at, in the types that the method takes.
func TestOnRequest(t *testing.T) {
	s := start(t, fakeslack.Options{})
	seen := make(chan fakeslack.Call, 10)
	s.OnRequest(func(c fakeslack.Call) { seen <- c })
	api := slack.New(fakeslack.BotToken, slack.OptionAPIURL(s.APIURL()))
	_, _, err := api.PostMessageContext(soon(t), "C0SALES01", slack.MsgOptionText("x", false), slack.MsgOptionBlocks(slack.NewDividerBlock()), slack.MsgOptionDisableLinkUnfurl())
	if err != nil {
		t.Fatal(err)
	}
	c := <-seen
	args := c.Arguments()
	if c.Method != "chat.postMessage" || c.JSON || c.Error != "" || args["unfurl_links"] != false || args["token"] != nil {
		t.Errorf("call = %+v", c)
	}
	if blocks := args["blocks"].([]any); blocks[0].(m)["type"] != "divider" {
		t.Errorf("blocks = %v", blocks)
	}
}
