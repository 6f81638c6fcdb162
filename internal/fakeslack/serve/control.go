package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"hermes/internal/fakeslack"
)

// An order is what somebody is to do. Channel is a name, an id or "dm".
type order struct {
	User    string `json:"user"`
	Channel string `json:"channel"`
	Thread  string `json:"thread"`
	TS      string `json:"ts"`     // of the message meant
	Text    string `json:"text"`   // to say
	Button  string `json:"button"` // action_id or label
	View    string `json:"view"`   // "home" or "modal": the button is there, not in a message
	Value   string `json:"value"`  // to choose or type into the control that button names

	Command  string            `json:"command"`  // as "/hermes"
	Callback string            `json:"callback"` // of a shortcut
	Emoji    string            `json:"emoji"`
	Values   map[string]string `json:"values"` // of a form, by action_id, block_id or label
	All      bool              `json:"all"`    // all modals; events on again
	Most     int               `json:"most"`   // events in an hour; 0: any number
	Least    int               `json:"least"`  // events in an hour from which on failures switch them off; 0: never
	Name     string            `json:"name"`   // of a file, whose content is text
	Reason   string            `json:"reason"` // of a disconnect
	Token    string            `json:"token"`  // "app" or "bot"
	Code     string            `json:"code"`   // with which a token is refused; empty gives it back
	Locale   string            `json:"locale"` // of a person, as "zh-CN"
	Zone     string            `json:"zone"`   // of a person; empty leaves it
}

// control is the door of the people.
func control(s *fakeslack.Server) http.Handler {
	mux := http.NewServeMux()
	do := func(name string, f func(order) (any, error)) {
		mux.HandleFunc("POST /_fake/"+name, func(w http.ResponseWriter, r *http.Request) {
			var o order
			if err := json.NewDecoder(r.Body).Decode(&o); err != nil && err != io.EOF {
				answer(w, nil, err)
				return
			}
			v, err := f(o)
			answer(w, v, err)
		})
	}
	do("say", func(o order) (any, error) {
		m, err := s.Human(o.User).Reply(o.Channel, o.Thread, o.Text)
		return show(m), err
	})
	do("edit", func(o order) (any, error) {
		m, err := find(s, o)
		if err != nil {
			return nil, err
		}
		return nil, s.Human(o.User).Edit(m, o.Text)
	})
	do("delete", func(o order) (any, error) {
		m, err := find(s, o)
		if err != nil {
			return nil, err
		}
		return nil, s.Human(o.User).Delete(m)
	})
	do("press", func(o order) (any, error) { return nil, use(s, o) })
	do("react", func(o order) (any, error) {
		m, err := find(s, o)
		if err != nil {
			return nil, err
		}
		return nil, s.Human(o.User).React(m, o.Emoji)
	})
	do("attach", func(o order) (any, error) {
		m, err := s.Human(o.User).Attach(o.Channel, o.Thread, "", fakeslack.File{Name: o.Name, Bytes: []byte(o.Text)})
		return show(m), err
	})
	do("slash", func(o order) (any, error) {
		_, err := s.Human(o.User).Slash(o.Channel, o.Command, o.Text)
		return nil, err
	})
	do("shortcut", func(o order) (any, error) {
		m, err := find(s, o)
		if err != nil {
			return nil, err
		}
		_, err = s.Human(o.User).Shortcut(m, o.Callback)
		return nil, err
	})
	do("home", func(o order) (any, error) {
		_, err := s.Human(o.User).OpenHome()
		return nil, err
	})
	do("submit", func(o order) (any, error) {
		_, err := s.Human(o.User).Submit(o.Values)
		return nil, err
	})
	do("dismiss", func(o order) (any, error) {
		_, err := s.Human(o.User).Dismiss(o.All)
		return nil, err
	})
	do("stop", func(o order) (any, error) {
		_, err := s.Human(o.User).PressStop(o.Channel, o.Thread)
		return nil, err
	})
	do("change", func(o order) (any, error) {
		s.ChangeUser(o.User, func(u *fakeslack.User) { u.Locale, u.Zone = cmp.Or(o.Locale, u.Locale), cmp.Or(o.Zone, u.Zone) })
		return nil, nil
	})
	do("limits", func(o order) (any, error) { s.LimitRates(o.All); return nil, nil })
	do("events", func(o order) (any, error) {
		s.LimitEvents(o.Most)
		s.DisableFailing(o.Least)
		if o.All {
			s.Enable()
		}
		return map[string]bool{"disabled": s.Disabled()}, nil
	})
	do("refresh", func(order) (any, error) { s.Refresh(); return nil, nil })
	do("mend", func(order) (any, error) { s.Mend(); return nil, nil })
	do("drop", func(order) (any, error) { s.DropSockets(); return nil, nil })
	do("freeze", func(order) (any, error) { s.Freeze(); return nil, nil })
	do("disconnect", func(o order) (any, error) { s.Disconnect(o.Reason); return nil, nil })
	do("revoke", func(o order) (any, error) {
		token, ok := map[string]string{"app": fakeslack.AppToken, "bot": fakeslack.BotToken}[o.Token]
		if !ok {
			return nil, fmt.Errorf("token is app or bot, not %q", o.Token)
		}
		s.Revoke(token, o.Code)
		return nil, nil
	})
	mux.HandleFunc("POST /_fake/http", func(w http.ResponseWriter, r *http.Request) {
		var e fakeslack.Endpoints
		err := json.NewDecoder(r.Body).Decode(&e)
		if err == nil {
			err = s.UseHTTP(r.Context(), e)
		}
		answer(w, nil, err)
	})
	mux.HandleFunc("POST /_fake/fault", func(w http.ResponseWriter, r *http.Request) {
		var f fakeslack.Fault
		err := json.NewDecoder(r.Body).Decode(&f)
		if err == nil {
			s.Fail(f)
		}
		answer(w, nil, err)
	})
	mux.HandleFunc("GET /_fake/state", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		in, err := within(s, q.Get("channel"), q.Get("user"))
		if err != nil {
			answer(w, nil, err)
			return
		}
		answer(w, state(s, in), nil)
	})
	return mux
}

// use uses a button or an input: of a message, of the home or of the modal on top.
func use(s *fakeslack.Server, o order) error {
	h := s.Human(o.User)
	var err error
	if o.View == "" {
		m, missing := find(s, o)
		switch {
		case missing != nil:
			err = missing
		case o.Value != "":
			_, err = h.Choose(m, o.Button, o.Value)
		default:
			_, err = h.Press(m, meant(m.Buttons(), o.Button))
		}
		return err
	}
	v, ok := h.Home()
	if o.View == "modal" {
		v, ok = h.Modal()
	}
	switch {
	case !ok:
		err = fmt.Errorf("%s sees no %s", o.User, o.View)
	case o.Value != "":
		_, err = h.ChooseIn(v, o.Button, o.Value)
	default:
		_, err = h.PressIn(v, meant(v.Buttons(), o.Button))
	}
	return err
}

// find returns the message of an order: the one with its ts, else the last one in
// the channel that has such a button.
func find(s *fakeslack.Server, o order) (fakeslack.Message, error) {
	in, err := within(s, o.Channel, o.User)
	if err != nil {
		return fakeslack.Message{}, err
	}
	all := s.Messages()
	for i := len(all) - 1; i >= 0; i-- {
		m := all[i]
		if o.TS != "" && m.TS == o.TS && in(m) {
			return m, nil
		}
		if o.TS != "" || o.Button == "" || !in(m) {
			continue
		}
		if _, ok := button(m.Buttons(), o.Button); ok {
			return m, nil
		}
	}
	return fakeslack.Message{}, fmt.Errorf("no such message: channel %q, ts %q, button %q", o.Channel, o.TS, o.Button)
}

// button finds a button by what stands on it, its action_id or what that ends with, how
// the words on it begin, or its style; the first of these that fits one counts.
func button(all []fakeslack.Button, name string) (fakeslack.Button, bool) {
	if name == "" {
		return fakeslack.Button{}, false
	}
	for _, fits := range []func(fakeslack.Button) bool{
		func(b fakeslack.Button) bool { return b.ActionID == name || b.Label == name },
		func(b fakeslack.Button) bool { return strings.HasSuffix(b.ActionID, ":"+name) },
		func(b fakeslack.Button) bool { return strings.HasPrefix(b.Label, name) },
		func(b fakeslack.Button) bool { return b.Style == name },
	} {
		if i := slices.IndexFunc(all, fits); i >= 0 {
			return all[i], true
		}
	}
	return fakeslack.Button{}, false
}

// meant is the action_id of a button, or the name as it is: it may be that of another
// control.
func meant(all []fakeslack.Button, name string) string {
	b, ok := button(all, name)
	switch {
	case !ok || b.ActionID == "":
		return name
	case slices.ContainsFunc(all, func(o fakeslack.Button) bool {
		return o.ActionID == b.ActionID && o.BlockID == b.BlockID && o.Label != b.Label
	}):
		return b.Label // the two of a pair for feedback have one action
	}
	return b.ActionID
}

// within reports which messages stand in a channel; with "dm" in the conversations with
// the bot, of one person if they are named; with nothing anywhere.
func within(s *fakeslack.Server, channel, user string) (func(fakeslack.Message) bool, error) {
	switch {
	case channel == "":
		return func(fakeslack.Message) bool { return true }, nil
	case channel == "dm" && user == "":
		return func(m fakeslack.Message) bool { return strings.HasPrefix(m.Channel, "D") }, nil
	}
	id := s.Channel(channel).ID()
	if channel == "dm" {
		var err error
		if id, err = s.Human(user).DM(); err != nil {
			return nil, err
		}
	}
	return func(m fakeslack.Message) bool { return m.Channel == id }, nil
}

// shown is a message as a script wants it.
type shown struct {
	Channel string             `json:"channel"`
	TS      string             `json:"ts"`
	Thread  string             `json:"thread,omitempty"`
	User    string             `json:"user"`
	Mine    bool               `json:"bot,omitempty"`
	Only    string             `json:"only,omitempty"`
	Text    string             `json:"text"`
	Buttons []fakeslack.Button `json:"buttons,omitempty"`
	Files   []string           `json:"files,omitempty"`
	Revs    int                `json:"revs,omitempty"`
	Meta    json.RawMessage    `json:"metadata,omitempty"`
}

func show(m fakeslack.Message) shown {
	out := shown{m.Channel, m.TS, m.ThreadTS, m.User, m.Mine(), m.Only, m.Shown(), m.Buttons(), nil, m.Revs, m.Metadata}
	for _, f := range m.Files {
		out.Files = append(out.Files, f.Name)
	}
	return out
}

func state(s *fakeslack.Server, in func(fakeslack.Message) bool) map[string]any {
	messages := []shown{}
	for _, m := range s.Messages() {
		if in(m) {
			messages = append(messages, show(m))
		}
	}
	calls := map[string]int{}
	for _, c := range s.Calls("") {
		calls[c.Method]++
	}
	acked, waiting := 0, 0
	for _, d := range s.Deliveries() {
		if d.Acked {
			acked++
		} else {
			waiting++
		}
	}
	now, most := s.Conns()
	views := []map[string]any{}
	for _, v := range s.Views() {
		if !v.Closed {
			views = append(views, map[string]any{
				"id": v.ID, "user": v.User, "type": v.Type, "text": v.Shown(), "buttons": v.Buttons(), "errors": v.Errors,
			})
		}
	}
	return map[string]any{
		"views": views, "complaints": s.Judge(), "unfinished": s.Unfinished(), "messages": messages, "calls": calls, "acked": acked, "unacked": waiting, "sockets": now, "sockets_most": most,
	}
}

func answer(w http.ResponseWriter, v any, err error) {
	w.Header().Set("Content-Type", "application/json")
	out := map[string]any{"ok": err == nil}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		out["error"] = err.Error()
	} else if v != nil {
		out["result"] = v
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	_ = enc.Encode(out)
}
