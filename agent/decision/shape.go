package decision

import (
	"encoding/json"
	"strings"

	"hermes/agent/llm"
)

// decide reads one JSON value. ok says that it is a decision; whole, that it is all
// the model wrote, so that less is needed to take it for one.
func (r *reader) decide(f find, whole bool) (d Decision, ok bool, err error) {
	switch {
	case len(f.raw) == 0:
		return d, false, nil
	case f.raw[0] == '[':
		return r.several(f, whole)
	case f.raw[0] == '"' && whole:
		// JSON in a string.
		if l := look(words(f.raw), nil); l.whole && len(l.finds) == 1 && l.finds[0].raw[0] == '{' {
			inner := l.finds[0]
			inner.mended = true
			return r.decide(inner, whole)
		}
		return d, false, nil
	case f.raw[0] != '{':
		return d, false, nil
	}
	o, _ := fields(f.raw)
	d = Decision{
		Thought: strings.TrimSpace(o.text(thoughtKeys...)), Intent: strings.TrimSpace(o.text(intentKeys...)),
		Mended: f.mended,
	}
	if v, ok := o.get(candidateKeys...); ok {
		d.Candidates = candidates(v)
	}
	if v, ok := o.get(evidenceKeys...); ok {
		d.Evidence = evidence(v)
	}
	s := shape{reader: r, object: o, whole: whole, open: f.open}
	ok, err = s.read(&d)
	if !whole && (f.stand == shown || f.stand == asks || f.stand == amid && !s.sure()) {
		return d, false, nil
	}
	return d, ok, err
}

// several reads a list of calls.
func (r *reader) several(f find, whole bool) (Decision, bool, error) {
	var all Decision
	found := false
	for _, raw := range items(f.raw) {
		one := find{raw: raw, mended: f.mended, open: max(0, f.open-1)}
		if len(raw) == 0 || raw[0] != '{' {
			return all, false, nil
		}
		d, ok, err := r.decide(one, whole)
		if !ok || err != nil {
			return all, false, err
		}
		if d.Finished && found {
			break
		}
		all = merge(all, d, found)
		found = true
	}
	return all, found, nil
}

// A shape is an object that may be a decision.
type shape struct {
	*reader
	object
	whole bool
	open  int
}

// sure reports whether the object has what only decisions have.
func (s shape) sure() bool { return s.has(thoughtKeys...) || s.has(finishedKeys...) }

func (s shape) read(d *Decision) (bool, error) {
	action, has := s.get(actionKeys...)
	switch {
	case among(s.twice, join(actionKeys, callsKeys)):
		return true, unreadable("%q is given twice, and differs; decide for one", s.twice)
	case has && len(action) > 0 && action[0] == '{':
		d.Form = Nested
		return s.nested(d, action)
	case has && len(action) > 0 && action[0] == '[':
		d.Form = Nested
		for _, a := range items(action) {
			ok, err := s.nested(d, a)
			if !ok || err != nil {
				return ok, err
			}
		}
		return len(d.Calls) > 0 || d.Finished, nil
	case has && isString(action):
		d.Form = Flat
		return s.flat(d, words(action))
	}
	d.Form = Call
	if calls, ok := s.get(callsKeys...); ok {
		return s.listed(d, calls)
	}
	if name, o, ok := s.named(s.object); ok {
		return s.loose(d, name, o)
	}
	return s.ended(d)
}

// nested reads an action that is an object.
func (s shape) nested(d *Decision, action json.RawMessage) (bool, error) {
	a, ok := fields(action)
	if !ok {
		if isString(action) {
			return s.flat(d, words(action))
		}
		return s.sure(), unreadable(`"action" holds something that is no action`)
	}
	name, a, _ := s.named(a)
	if name == "" {
		// The name of the tool as the key of its arguments.
		for k, v := range a.members {
			if tool, ok := s.known(k); ok && len(a.members) == 1 {
				s.add(d, tool, v, a, object{})
				return true, nil
			}
		}
		if !s.sure() {
			return false, nil
		}
		if s.has(finishedKeys...) || s.has(finalKeys...) || len(a.members) == 0 {
			return s.ended(d)
		}
		return true, unreadable(`"action" names no tool: its "name" is missing`)
	}
	if !s.has(thoughtKeys...) && d.Thought == "" {
		d.Thought = strings.TrimSpace(a.text(thoughtKeys...))
	}
	return s.call(d, name, a, s.object)
}

// flat reads an action that is a name. The four fields of this form should all be
// there; one that is missing is empty, but there must be an action or an end.
func (s shape) flat(d *Decision, action string) (bool, error) {
	if among(strings.TrimSpace(action), nothings) {
		if !s.sure() && !s.has(finalKeys...) {
			return false, nil
		}
		return s.ended(d)
	}
	if _, ok := s.known(action); !ok && !s.sure() && !s.hasArgs(s.object) && !among(action, s.finish) {
		return false, nil
	}
	return s.call(d, action, s.object, s.object)
}

// listed reads {"tool_calls": […]} and the like.
func (s shape) listed(d *Decision, calls json.RawMessage) (bool, error) {
	for _, raw := range items(calls) {
		c, _ := fields(raw)
		name, c, ok := s.named(c)
		if !ok {
			return false, nil
		}
		if ok, err := s.call(d, name, c, object{}); !ok || err != nil {
			return ok, err
		}
	}
	if len(d.Calls) == 0 && !d.Finished {
		return s.ended(d)
	}
	return true, nil
}

// ended reads an object without an action: it must be the end.
func (s shape) ended(d *Decision) (bool, error) {
	finished, has := s.get(finishedKeys...)
	switch {
	case has && truth(finished), s.has(finalKeys...) && s.text(finalKeys...) != "",
		s.has(thoughtKeys...) && s.has(resultKeys...) && !has:
		d.Finished, d.Result = true, s.answer(s.object, object{})
		if d.Form == Call {
			d.Form = Flat
		}
		d.Scraped = s.open > 0
		return true, nil
	case !s.whole && !has, !s.sure() && !s.has(actionKeys...):
		return false, nil
	case len(d.Candidates) > 0:
		return true, unreadable(`there are candidates, and no "action" chosen from them`)
	case s.has(finishedKeys...):
		return true, unreadable(`there is no "action", and "is_finished" is not true`)
	}
	return true, unreadable(`there is no "action", and no end either`)
}

// call adds a call of the tool of that name, whose arguments are in o, or the end if
// the name is that of finishing. around is the object in which an answer may stand.
func (s shape) call(d *Decision, name string, o, around object) (bool, error) {
	tool, args, ok := s.spoken(name)
	if !ok {
		return true, unreadable(`"action" holds more than the name of one tool (%q); what you think belongs into "thought"`, short(name))
	}
	if _, known := s.known(tool); !known && among(tool, s.finish) {
		d.Finished, d.Result, d.Scraped = true, s.answer(around, o), d.Scraped || s.open > 0
		return true, nil
	}
	if args == nil {
		if key := s.contrary(o); key != "" {
			return true, unreadable("the arguments of %s are given twice, and differ (%q); give them once", short(tool), key)
		}
		args = s.args(o)
	}
	s.add(d, tool, args, o, around)
	return true, nil
}

// add adds a call. What was cut off may have had more arguments.
func (s shape) add(d *Decision, tool string, args json.RawMessage, o, around object) {
	raw, mended, cut := arguments(args)
	d.Calls = append(d.Calls, llm.Call{ID: o.text("id", "call_id", "tool_call_id"), Name: tool, Args: raw})
	d.Mended = d.Mended || mended
	d.Scraped = d.Scraped || cut || s.open > 1 || s.open == 1 && (len(args) == 0 || args[0] != '{' || !s.hasArgs(o))
	if finished, _ := around.get(finishedKeys...); truth(finished) {
		d.Finished, d.Result = true, around.text(finalKeys...)
	}
}

// answer is the text with which the work ends: beside the action, in it, or in its
// arguments.
func (r *reader) answer(around, action object) string {
	for _, o := range []object{around, action} {
		for _, keys := range [][]string{finalKeys, resultKeys} {
			if s := strings.TrimSpace(o.text(keys...)); s != "" {
				return s
			}
		}
	}
	v := r.args(action) // what names the action is no part of it
	if isString(v) {
		return strings.TrimSpace(words(v))
	}
	args, _ := fields(v)
	if s := strings.TrimSpace(args.text(join(finalKeys, resultKeys, saidKeys)...)); s != "" {
		return s
	}
	if len(args.members) == 1 {
		for _, v := range args.members {
			if isString(v) {
				return strings.TrimSpace(words(v))
			}
		}
	}
	return ""
}

// contrary is a key by which an object has other arguments, or another tool, than by
// one before it; empty if there is none.
func (r *reader) contrary(o object) string {
	if among(o.twice, join(r.aliases, r.names)) {
		return o.twice
	}
	var first json.RawMessage
	for _, k := range r.aliases {
		v, ok := o.get(k)
		if f, is := fields(v); !ok || !is || len(f.members) == 0 {
			continue
		}
		if first != nil && string(first) != string(v) {
			return o.written[key(k)]
		}
		first = v
	}
	return ""
}

func (r *reader) hasArgs(o object) bool { return o.has(r.aliases...) }

// args is what stands under one of the names of arguments, or else what is left of
// an object that names a tool.
func (r *reader) args(o object) json.RawMessage {
	if v, ok := o.get(r.aliases...); ok {
		return v
	}
	return o.rest(join(r.names, actionKeys, thoughtKeys, intentKeys, finishedKeys, finalKeys, resultKeys, candidateKeys, evidenceKeys, []string{"id", "type", "call_id", "tool_call_id", "index"})...)
}
