package fakeslack_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"hermes/internal/fakeslack"
)

var monday = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

func decode(t *testing.T, raw json.RawMessage) m {
	t.Helper()
	var out m
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// An app is one that acknowledges by hand.
type app struct {
	t *testing.T
	s *fakeslack.Server
	c *websocket.Conn
}

func listen(t *testing.T, s *fakeslack.Server) *app {
	t.Helper()
	c, err := dial(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if f := next(t, c); f["type"] != "hello" {
		t.Fatalf("frame = %v, want hello", f)
	}
	return &app{t, s, c}
}

// answer acknowledges a delivery with a payload, and returns how that went.
func (a *app) answer(d fakeslack.Delivery, payload any) fakeslack.Delivery {
	a.t.Helper()
	b, _ := json.Marshal(m{"envelope_id": d.EnvelopeID, "payload": payload})
	if err := a.c.Write(soon(a.t), websocket.MessageText, b); err != nil {
		a.t.Fatal(err)
	}
	return must(a.s.WaitAnswer(soon(a.t), d))
}

func modal(blocks ...m) m {
	return m{"type": "modal", "title": words("t"), "submit": words("Save"), "blocks": append([]m{}, blocks...)}
}

func ask(id string) m {
	return m{"type": "input", "block_id": id, "label": words(id), "element": m{"type": "plain_text_input", "action_id": id + "_in"}}
}

// pressed posts a button, has ana press it, and returns its trigger.
func pressed(t *testing.T, s *fakeslack.Server) (fakeslack.Delivery, string) {
	t.Helper()
	call(t, s, fakeslack.BotToken, "chat.postMessage", m{"channel": "C0SALES01", "text": "t", "blocks": []m{buttons(1, nil)}})
	roots := s.Channel("sales").Roots()
	d := must(s.Human("ana").Press(roots[len(roots)-1], "ok"))
	return d, decode(t, d.Payload)["trigger_id"].(string)
}

// What Slack does not take of a view.
func TestViewRefusals(t *testing.T) {
	s := start(t, fakeslack.Options{})
	change := func(key string, v any) m {
		out := modal(ask("a"))
		out[key] = v
		if v == nil {
			delete(out, key)
		}
		return out
	}
	many := make([]m, 101)
	for i := range many {
		many[i] = m{"type": "divider"}
	}
	for name, tt := range map[string]struct {
		view m
		want string
	}{
		"a form":                       {modal(ask("a")), ""},
		"100 blocks":                   {modal(many[:100]...), ""},
		"101 blocks":                   {modal(many...), "invalid_arguments"},
		"a title of 25":                {change("title", words(rep("x", 25))), "invalid_arguments"},
		"no title":                     {change("title", nil), "invalid_arguments"},
		"inputs without submit":        {change("submit", nil), "invalid_arguments"},
		"a submit of 25":               {change("submit", words(rep("x", 25))), "invalid_arguments"},
		"private_metadata of 3001":     {change("private_metadata", rep("x", 3001)), "invalid_arguments"},
		"callback_id of 256":           {change("callback_id", rep("x", 256)), "invalid_arguments"},
		"an unknown property":          {change("color", "red"), "invalid_arguments"},
		"a home":                       {m{"type": "home", "blocks": []m{section(1)}}, "invalid_arguments"},
		"a table":                      {modal(m{"type": "table", "rows": [][]m{{{"type": "raw_text", "text": "x"}}}}), "invalid_arguments"},
		"two that want the focus":      {modal(input(m{"type": "plain_text_input", "focus_on_load": true}), input(m{"type": "plain_text_input", "focus_on_load": true})), "invalid_arguments"},
		"a view of more than 250 KB":   {change("private_metadata", rep("x", 250_000)), "view_too_large"},
		"a section of 3001 characters": {modal(section(3001)), "invalid_arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			_, trigger := pressed(t, s)
			got := call(t, s, fakeslack.BotToken, "views.open", m{"trigger_id": trigger, "view": tt.view})
			if code, _ := got["error"].(string); code != tt.want {
				t.Errorf("answer = %v, want error %q", got, tt.want)
			}
		})
	}
	for name, tt := range map[string]struct {
		method string
		args   m
		want   string
	}{
		"a trigger that never was":  {"views.open", m{"trigger_id": "1.2", "view": modal()}, "invalid_trigger_id"},
		"a push from a message":     {"views.push", m{"trigger_id": second(pressed(t, s)), "view": modal()}, "invalid_trigger_id"},
		"an update of nothing":      {"views.update", m{"view_id": "V1", "view": modal()}, "not_found"},
		"an update without an id":   {"views.update", m{"view": modal()}, "invalid_arguments"},
		"a modal as a home":         {"views.publish", m{"user_id": s.Human("ana").ID(), "view": modal()}, "invalid_arguments"},
		"a home for nobody":         {"views.publish", m{"user_id": "U1", "view": m{"type": "home", "blocks": []m{}}}, "invalid_arguments"},
		"a home for a bot":          {"views.publish", m{"user_id": fakeslack.BotUser, "view": m{"type": "home", "blocks": []m{}}}, "invalid_arguments"},
		"a home with a title":       {"views.publish", m{"user_id": s.Human("ana").ID(), "view": m{"type": "home", "title": words("t"), "blocks": []m{}}}, "invalid_arguments"},
		"a home that is not a view": {"views.publish", m{"user_id": s.Human("ana").ID(), "view": "x"}, "invalid_arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := call(t, s, fakeslack.BotToken, tt.method, tt.args); got["error"] != tt.want {
				t.Errorf("answer = %v, want %s", got, tt.want)
			}
		})
	}
}

func second[A, B any](_ A, b B) B { return b }

// A form is opened, corrected, put on top of another and closed, as its answers say.
func TestForm(t *testing.T) {
	s := start(t, fakeslack.Options{})
	a := listen(t, s)
	ana := s.Human("ana")
	open := func(view m) m {
		t.Helper()
		_, trigger := pressed(t, s)
		got := call(t, s, fakeslack.BotToken, "views.open", m{"trigger_id": trigger, "view": view})
		if got["ok"] != true {
			t.Fatalf("views.open = %v", got)
		}
		return got["view"].(m)
	}
	open(modal(ask("name"), m{"type": "input", "block_id": "zone", "optional": true, "label": words("zone"), "element": m{
		"type": "static_select", "action_id": "z", "options": options(3), "initial_option": options(1)[0],
	}}))
	if _, err := ana.Submit(nil); err == nil {
		t.Error("a form was sent with a required input empty")
	}
	if _, err := s.Human("leo").Submit(map[string]string{"name": "x"}); err == nil {
		t.Error("leo sent a form that only ana sees")
	}
	if _, err := ana.Submit(map[string]string{"name": "x", "zone": "nowhere"}); err == nil {
		t.Error("an option was chosen that there is not")
	}
	d := must(ana.Submit(map[string]string{"name_in": "x"}))
	values := decode(t, d.Payload)["view"].(m)["state"].(m)["values"].(m)
	if got := values["name"].(m)["name_in"].(m)["value"]; got != "x" {
		t.Errorf("name = %v, want x", got)
	}
	if got := values["zone"].(m)["z"].(m)["selected_option"].(m)["value"]; got != "a" {
		t.Errorf("zone = %v, want what it began with", got)
	}
	if d = a.answer(d, m{"response_action": "errors", "errors": m{"name": "taken"}}); d.Refused != "" {
		t.Errorf("errors were refused: %s", d.Refused)
	}
	if v, _ := ana.Modal(); v.Errors["name"] != "taken" {
		t.Errorf("errors = %v, want one at name", v.Errors)
	}
	for what, answer := range map[string]any{
		"an error of no input": m{"response_action": "errors", "errors": m{"nothing": "x"}},
		"no errors":            m{"response_action": "errors"},
		"an unknown action":    m{"response_action": "dance"},
		"a view that is none":  m{"response_action": "update", "view": m{"type": "modal"}},
	} {
		if d := a.answer(must(ana.Submit(map[string]string{"name": "x"})), answer); d.Refused == "" {
			t.Errorf("%s was taken", what)
		}
	}
	for range 2 {
		if d := a.answer(must(ana.Submit(nilIfTop(ana))), m{"response_action": "push", "view": modal(ask("more"))}); d.Refused != "" {
			t.Errorf("push was refused: %s", d.Refused)
		}
	}
	if d := a.answer(must(ana.Submit(nilIfTop(ana))), m{"response_action": "push", "view": modal()}); !strings.Contains(d.Refused, "push_limit_reached") {
		t.Errorf("the fourth view: %q, want push_limit_reached", d.Refused)
	}
	a.answer(must(ana.Submit(nilIfTop(ana))), nil)
	if v, ok := ana.Modal(); !ok || v.Previous == "" {
		t.Errorf("after one of three was sent ana sees %+v, want the second", v)
	}
	a.answer(must(ana.Submit(nilIfTop(ana))), m{"response_action": "clear"})
	if _, ok := ana.Modal(); ok {
		t.Error("after clear there is still a modal")
	}
}

// nilIfTop fills whatever stands in the modal on top.
func nilIfTop(h fakeslack.Human) map[string]string {
	v, _ := h.Modal()
	for _, id := range []string{"name", "more"} {
		if strings.Contains(string(v.View), `"block_id":"`+id+`"`) {
			return map[string]string{id: "x"}
		}
	}
	return nil
}

// A view changes by its hash, keeps what was typed, and tells when it is closed.
func TestViewUpdateAndClose(t *testing.T) {
	s := start(t, fakeslack.Options{})
	ana := s.Human("ana")
	_, trigger := pressed(t, s)
	first := modal(ask("name"), buttons(1, nil))
	first["notify_on_close"] = true
	first["external_id"] = "e1"
	v := call(t, s, fakeslack.BotToken, "views.open", m{"trigger_id": trigger, "view": first})["view"].(m)
	_, trigger = pressed(t, s)
	if got := call(t, s, fakeslack.BotToken, "views.open", m{"trigger_id": trigger, "view": first}); got["error"] != "duplicate_external_id" {
		t.Errorf("the same external_id = %v", got)
	}
	top, _ := ana.Modal()
	if d := must(ana.ChooseIn(top, "name", "typed")); d.EnvelopeID != "" {
		t.Error("typing was told to the app")
	}
	first["title"] = words("new")
	update := m{"view_id": v["id"], "hash": v["hash"], "view": first}
	if got := call(t, s, fakeslack.BotToken, "views.update", update); got["ok"] != true || got["view"].(m)["hash"] == v["hash"] {
		t.Errorf("update = %v, want another hash", got)
	}
	if got := call(t, s, fakeslack.BotToken, "views.update", update); got["error"] != "hash_conflict" {
		t.Errorf("update with the old hash = %v", got)
	}
	d := must(ana.PressIn(top, "ok"))
	p := decode(t, d.Payload)
	if p["container"].(m)["type"] != "view" || p["response_url"] != nil || p["message"] != nil {
		t.Errorf("press in a view = %s", d.Payload)
	}
	if got := p["view"].(m)["state"].(m)["values"].(m)["name"].(m)["name_in"].(m)["value"]; got != "typed" {
		t.Errorf("name = %v after an update, want what was typed", got)
	}
	if got := call(t, s, fakeslack.BotToken, "views.push", m{"trigger_id": p["trigger_id"], "view": modal()}); got["ok"] != true {
		t.Errorf("push = %v", got)
	}
	d = must(ana.Dismiss(true))
	if d.EnvelopeID != "" {
		t.Error("a view that does not ask for it told of its end")
	}
	if got := call(t, s, fakeslack.BotToken, "views.update", m{"view_id": v["id"], "view": first}); got["error"] != "not_found" {
		t.Errorf("update of a closed view = %v", got)
	}
	_, trigger = pressed(t, s)
	call(t, s, fakeslack.BotToken, "views.open", m{"trigger_id": trigger, "view": first})
	if p := decode(t, must(ana.Dismiss(false)).Payload); p["type"] != "view_closed" || p["is_cleared"] != false {
		t.Errorf("payload = %v, want view_closed", p)
	}
}

// The home is one for each person, and is told with the event that opens it.
func TestHome(t *testing.T) {
	s := start(t, fakeslack.Options{})
	ana := s.Human("ana")
	home := func(text string) m {
		return m{"type": "home", "blocks": []m{{"type": "section", "text": words(text), "accessory": m{"type": "button", "action_id": "go", "text": words("Go"), "value": "7"}}}}
	}
	if p := decode(t, must(ana.OpenHome()).Payload)["event"].(m); p["type"] != "app_home_opened" || p["tab"] != "home" || p["view"] != nil {
		t.Errorf("event = %v", p)
	}
	for _, text := range []string{"one", "two"} {
		call(t, s, fakeslack.BotToken, "views.publish", m{"user_id": ana.ID(), "view": home(text)})
	}
	v, ok := ana.Home()
	if !ok || !strings.HasPrefix(v.Shown(), "two") || len(v.Buttons()) != 1 || len(s.Views()) != 1 {
		t.Errorf("home = %+v", v)
	}
	if _, ok := s.Human("leo").Home(); ok {
		t.Error("leo sees what was published for ana")
	}
	if got := call(t, s, fakeslack.BotToken, "views.publish", m{"user_id": ana.ID(), "hash": "h0", "view": home("x")}); got["error"] != "hash_conflict" {
		t.Errorf("publish with an old hash = %v", got)
	}
	a := decode(t, must(ana.PressIn(v, "Go")).Payload)["actions"].([]any)[0].(m)
	if a["value"] != "7" || a["type"] != "button" {
		t.Errorf("action = %v", a)
	}
	if p := decode(t, must(ana.OpenHome()).Payload)["event"].(m); p["view"] == nil {
		t.Error("the event does not tell what is shown")
	}
}

// Commands answer their user; they are not there for people of other workspaces.
func TestSlash(t *testing.T) {
	clock := fakeslack.NewManual(monday)
	s := start(t, fakeslack.Options{Clock: clock})
	a := listen(t, s)
	ana := s.Human("ana")
	d := must(ana.Slash("sales", "/hermes", "ask @leo <now>"))
	p := decode(t, d.Payload)
	if d.Type != "slash_commands" || p["text"] != "ask <@U0LEO0001|leo> &lt;now&gt;" || p["channel_name"] != "sales" {
		t.Errorf("payload = %v", p)
	}
	a.answer(d, m{"text": "only you"})
	a.answer(must(ana.Slash("sales", "/hermes", "all")), m{"text": "all of you", "response_type": "in_channel"})
	if got := s.Channel("sales").Private(ana.ID()); len(got) != 1 || got[0].Text != "only you" {
		t.Errorf("ana alone sees %+v", got)
	}
	if got := s.Channel("sales").Roots(); len(got) != 1 || got[0].Text != "all of you" {
		t.Errorf("all see %+v", got)
	}
	if d := a.answer(must(ana.Slash("sales", "/hermes", "long")), m{"text": rep("x", 20_001-len(`{"text":""}`))}); d.Acked && d.Refused == "" {
		t.Error("an answer of more than 20 KB was taken")
	}
	stranger := s.AddUser(fakeslack.User{Name: "eve", Team: "T0OTHER01"})
	s.Channel("sales").Change(func(c *fakeslack.Channel) { c.Members = append(c.Members, stranger.ID()) })
	if _, err := stranger.Slash("sales", "/hermes", "hi"); err == nil {
		t.Error("a person of another workspace used a command")
	}
	if _, err := ana.Slash("sales", "/nothing", ""); err == nil {
		t.Error("a command was used that there is not")
	}
}

// A press, a command and a form are delivered once: who is late is not heard.
func TestLateAnswer(t *testing.T) {
	clock := fakeslack.NewManual(monday)
	s := start(t, fakeslack.Options{Clock: clock})
	a := listen(t, s)
	d := must(s.Human("ana").Slash("sales", "/hermes", "x"))
	clock.Advance(4 * time.Second)
	if d = s.Delivered(d); !d.GivenUp || d.Attempts != 1 {
		t.Errorf("after four seconds %+v, want it given up after one attempt", d)
	}
	a.answer(d, m{"text": "too late"})
	if err := s.Wait(soon(t), "a complaint", func() bool { return len(s.Complaints()) > 0 }); err != nil {
		t.Fatal(err)
	}
	if d = s.Delivered(d); d.Acked || !d.Late || len(s.Messages()) != 0 {
		t.Errorf("a late answer: %+v with %d messages", d, len(s.Messages()))
	}
	if times := s.AckTimes(); times.Late != 1 {
		t.Errorf("%+v, want one late", times)
	}
}

// Shortcuts stand on messages that one can see.
func TestShortcut(t *testing.T) {
	s := start(t, fakeslack.Options{})
	said := must(s.Human("leo").Say("sales", "look"))
	p := decode(t, must(s.Human("ana").Shortcut(said, "ask_about_message")).Payload)
	if p["type"] != "message_action" || p["message"].(m)["ts"] != said.TS || p["message_ts"] != said.TS || p["trigger_id"] == "" {
		t.Errorf("payload = %v", p)
	}
	if _, err := s.Human("ana").Shortcut(said, "nothing"); err == nil {
		t.Error("a shortcut was used that there is not")
	}
	eve := s.AddUser(fakeslack.User{Name: "eve"})
	if _, err := eve.Shortcut(said, "ask_about_message"); err == nil {
		t.Error("eve used a shortcut in a channel in which she is not")
	}
	s.Forbid("commands")
	if _, err := s.Human("ana").Shortcut(said, "ask_about_message"); err == nil {
		t.Error("there are shortcuts without the scope commands")
	}
}

// A response_url replaces, deletes, and speaks to one or all, within half an hour.
func TestResponseURL(t *testing.T) {
	clock := fakeslack.NewManual(monday)
	s := start(t, fakeslack.Options{Clock: clock})
	d, _ := pressed(t, s)
	use := func(url any, body m) int {
		t.Helper()
		b, _ := json.Marshal(body)
		resp, err := http.Post(url.(string), "application/json", strings.NewReader(string(b)))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	url := decode(t, d.Payload)["response_url"]
	for what, body := range map[string]m{
		"nothing to say":     {},
		"51 blocks":          {"blocks": make([]m, 51)},
		"an unknown type":    {"text": "x", "response_type": "loud"},
		"words that are not": {"text": 7},
	} {
		if got := use(url, body); got != http.StatusBadRequest {
			t.Errorf("%s = %d, want 400", what, got)
		}
	}
	room := s.Channel("sales")
	use(url, m{"text": "to all", "response_type": "in_channel"})
	use(url, m{"text": "instead", "replace_original": true})
	if got := room.Roots(); len(got) != 2 || got[0].Text != "instead" || len(got[0].Buttons()) != 0 || got[1].Text != "to all" {
		t.Errorf("messages = %+v", got)
	}
	use(url, m{"delete_original": true})
	if got := room.Roots(); len(got) != 1 {
		t.Errorf("messages = %+v, want the original gone", got)
	}
	if got := use(url, m{"text": "again", "replace_original": true}); got != http.StatusBadRequest {
		t.Errorf("replacing what is gone = %d", got)
	}
	d, _ = pressed(t, s)
	clock.Advance(31 * time.Minute)
	if got := use(decode(t, d.Payload)["response_url"], m{"text": "x"}); got != http.StatusNotFound {
		t.Errorf("after half an hour = %d, want 404", got)
	}
}

// Feedback and icons are pressed like buttons, and say what they are.
func TestFeedbackAndIcons(t *testing.T) {
	s := start(t, fakeslack.Options{})
	leo := s.Human("leo")
	call(t, s, fakeslack.BotToken, "chat.postMessage", m{"channel": "C0SALES01", "text": "t", "blocks": []m{{
		"type": "context_actions", "elements": []m{
			{
				"type": "feedback_buttons", "action_id": "fb",
				"positive_button": m{"text": words("Good"), "value": "up"}, "negative_button": m{"text": words("Bad"), "value": "down"},
			},
			{"type": "icon_button", "action_id": "bin", "icon": "trash", "text": words("Take back"), "visible_to_user_ids": []string{leo.ID()}},
		},
	}}})
	msg := s.Channel("sales").Roots()[0]
	a := decode(t, must(leo.Press(msg, "Bad")).Payload)["actions"].([]any)[0].(m)
	if a["type"] != "feedback_buttons" || a["value"] != "down" || a["action_id"] != "fb" {
		t.Errorf("action = %v", a)
	}
	if a := decode(t, must(leo.Press(msg, "Take back")).Payload)["actions"].([]any)[0].(m); a["type"] != "icon_button" {
		t.Errorf("action = %v", a)
	}
	if _, err := s.Human("ana").Press(msg, "Take back"); err == nil {
		t.Error("ana pressed an icon that only leo sees")
	}
	if len(msg.Buttons()) != 3 {
		t.Errorf("buttons = %+v, want three", msg.Buttons())
	}
}

// A menu asks the app for its options.
func TestSuggest(t *testing.T) {
	s := start(t, fakeslack.Options{})
	a := listen(t, s)
	ana := s.Human("ana")
	_, trigger := pressed(t, s)
	call(t, s, fakeslack.BotToken, "views.open", m{"trigger_id": trigger, "view": modal(input(m{"type": "external_select", "action_id": "who", "min_query_length": 2}))})
	v, _ := ana.Modal()
	if _, err := ana.Suggest(v, "who", "a"); err == nil {
		t.Error("one letter was asked for")
	}
	if d := a.answer(must(ana.Suggest(v, "who", "an")), m{"options": options(2)}); d.Refused != "" {
		t.Errorf("options were refused: %s", d.Refused)
	}
	for what, answer := range map[string]m{"101 options": {"options": options(101)}, "a word": {"option": "x"}} {
		if d := a.answer(must(ana.Suggest(v, "who", "an")), answer); d.Refused == "" {
			t.Errorf("%s were taken", what)
		}
	}
}
