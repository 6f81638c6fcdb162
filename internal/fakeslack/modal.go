package fakeslack

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Modal returns the modal on top of those that h sees.
func (h Human) Modal() (View, bool) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	stack := h.s.stack(h.id)
	if len(stack) == 0 {
		return View{}, false
	}
	return *stack[len(stack)-1], true
}

// Home returns the home of the app as h sees it.
func (h Human) Home() (View, bool) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	if v := h.s.view(homeOf(h.id)); v != nil {
		return *v, true
	}
	return View{}, false
}

// OpenHome goes to the app's home, OpenMessages to the conversation with it.
func (h Human) OpenHome() (Delivery, error) { return h.opened("home") }

// OpenMessages goes to the conversation with the app.
func (h Human) OpenMessages() (Delivery, error) { return h.opened("messages") }

func (h Human) opened(tab string) (Delivery, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.id == "" {
		return Delivery{}, fmt.Errorf("there is no user %s", h.name)
	}
	e := reply{"type": "app_home_opened", "user": h.id, "channel": s.dm(h.id).ID, "tab": tab, "event_ts": s.ts()}
	if v := s.view(homeOf(h.id)); v != nil && tab == "home" {
		e["view"] = s.wireView(v)
	}
	return s.heard(e)
}

// Shown returns the words that a person sees in a view.
func (v View) Shown() string { return shownIn(v.View) }

// Buttons returns the buttons of a view in their order.
func (v View) Buttons() []Button { return buttonsOf(v.View) }

// open finds a view that h sees.
func (h Human) open(v View) (*View, error) {
	if o := h.s.view(v.ID); o != nil && o.User == h.id {
		return o, nil
	}
	return nil, fmt.Errorf("%s sees no view %s", h.name, v.ID)
}

// PressIn presses a button in a view, ChooseIn enters or chooses something.
func (h Human) PressIn(v View, button string) (Delivery, error) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	o, err := h.open(v)
	if err != nil {
		return Delivery{}, err
	}
	c, action, err := h.pressed(o.View, button)
	if err != nil {
		return Delivery{}, fmt.Errorf("view %s: %w", v.ID, err)
	}
	return *h.actIn(o, c, action), nil
}

// ChooseIn enters or chooses something in a control of a view. The app hears of it
// unless the control is an input that only its form reports; then the Delivery is
// empty.
func (h Human) ChooseIn(v View, control, value string) (Delivery, error) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	o, err := h.open(v)
	if err != nil {
		return Delivery{}, err
	}
	c, entry, err := chosen(o.View, control, value)
	if err != nil {
		return Delivery{}, fmt.Errorf("view %s: %w", v.ID, err)
	}
	if c.str("type") != "overflow" {
		o.enter(c, entry)
	}
	if c.input && c.block["dispatch_action"] != true {
		return Delivery{}, nil
	}
	action := reply{}
	for k, v := range entry {
		action[k] = v
	}
	return *h.actIn(o, c, action), nil
}

func (v *View) enter(c control, entry map[string]any) {
	v.state = v.state.clone()
	v.state.set(c, entry)
}

func (h Human) actIn(v *View, c control, action reply) *Delivery {
	p := h.payload("block_actions")
	p["container"] = reply{"type": "view", "view_id": v.ID}
	p["trigger_id"], p["view"] = h.s.trigger(h.id, v.ID), h.s.wireView(v)
	p["actions"] = []reply{h.s.action(c, action)}
	return h.s.interact(p, noPayload)
}

// Submit fills the inputs of the modal on top and sends it. Inputs are named by
// action_id, block_id or label. What the client itself would not send is an error.
func (h Human) Submit(values map[string]string) (Delivery, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	stack := s.stack(h.id)
	if len(stack) == 0 {
		return Delivery{}, fmt.Errorf("%s sees no modal", h.name)
	}
	v := stack[len(stack)-1]
	if err := v.fill(values); err != nil {
		return Delivery{}, fmt.Errorf("view %s: %w", v.ID, err)
	}
	p := h.payload("view_submission")
	p["trigger_id"], p["view"], p["response_urls"] = s.trigger(h.id, v.ID), s.wireView(v), []reply{}
	return *s.interact(p, func(answer json.RawMessage) string { return s.submitted(v, answer) }), nil
}

func (v *View) fill(values map[string]string) error {
	var top struct {
		Submit any `json:"submit"`
	}
	if _ = json.Unmarshal(v.View, &top); top.Submit == nil {
		return fmt.Errorf("there is no button to submit it")
	}
	for name, value := range values {
		c, entry, err := chosen(v.View, name, value)
		if err != nil {
			return err
		}
		v.enter(c, entry)
	}
	for _, c := range controlsOf(v.View) {
		if c.input && c.block["optional"] != true && c.empty(v.state[c.blockID()][c.str("action_id")]) {
			return fmt.Errorf("%q must not be empty", c.label())
		}
	}
	return nil
}

// submitted does what the app answered to a submission, and returns why not.
func (s *Server) submitted(v *View, answer json.RawMessage) string {
	if v.Closed {
		return "the view is closed"
	}
	v.Errors = nil
	if answer == nil {
		v.Closed = true
		return ""
	}
	var do struct {
		Action string            `json:"response_action"`
		Errors map[string]string `json:"errors"`
		View   json.RawMessage   `json:"view"`
	}
	if json.Unmarshal(answer, &do) != nil {
		return "it is no response_action"
	}
	switch do.Action {
	case "clear":
		s.closeAll(v.User)
		return ""
	case "errors":
		return s.wrong(v, do.Errors)
	case "update", "push":
		next, bad := s.checkView(args{"view": string(do.View), "view_id": v.ID}, "modal")
		if bad == nil && do.Action == "push" {
			bad = s.push(&next, v)
		} else if bad == nil {
			s.replace(v, next)
		}
		if bad != nil {
			return bad.Error()
		}
		return ""
	}
	return fmt.Sprintf("response_action %q is unknown", do.Action)
}

// wrong shows what is wrong with a form. Slack shows an error only under an input
// that there is.
func (s *Server) wrong(v *View, errs map[string]string) string {
	var inputs []string
	for _, c := range controlsOf(v.View) {
		if c.input {
			inputs = append(inputs, c.blockID())
		}
	}
	if len(errs) == 0 {
		return "errors names no error"
	}
	for id, text := range errs {
		if !slices.Contains(inputs, id) || text == "" {
			return fmt.Sprintf("errors names %q, which is no input", id)
		}
	}
	v.Errors = errs
	return ""
}

// Dismiss closes the modal on top, or all of them. The app hears of it if the view
// asks for that; otherwise the Delivery is empty.
func (h Human) Dismiss(all bool) (Delivery, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	stack := s.stack(h.id)
	if len(stack) == 0 {
		return Delivery{}, fmt.Errorf("%s sees no modal", h.name)
	}
	v := stack[len(stack)-1]
	seen := s.wireView(v)
	v.Closed = true
	if all {
		s.closeAll(h.id)
	}
	s.touch()
	if seen["notify_on_close"] != true {
		return Delivery{}, nil
	}
	p := h.payload("view_closed")
	p["view"], p["is_cleared"] = seen, all
	return *s.interact(p, noPayload), nil
}

// Suggest types into a menu whose options the app knows. The options are in the
// Answer of the Delivery once it is there, and Refused says what is wrong with them.
func (h Human) Suggest(v View, control, typed string) (Delivery, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := h.open(v)
	if err != nil {
		return Delivery{}, err
	}
	for _, c := range controlsOf(o.View) {
		if kind := c.str("type"); !c.is(control) || kind != "external_select" && kind != "multi_external_select" {
			continue
		}
		if len([]rune(typed)) < c.number("min_query_length", 3) {
			return Delivery{}, fmt.Errorf("%q is too short to be asked for", typed)
		}
		p := h.payload("block_suggestion")
		p["container"], p["view"] = reply{"type": "view", "view_id": o.ID}, s.wireView(o)
		p["action_id"], p["block_id"], p["value"] = c.str("action_id"), c.blockID(), typed
		return *s.interact(p, suggested), nil
	}
	return Delivery{}, fmt.Errorf("view %s has no menu %q that asks the app", v.ID, control)
}

func suggested(answer json.RawMessage) string {
	if answer == nil {
		return "there are no options"
	}
	return checkSuggestion(answer)
}
