package rules

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/scheduler/phrase"
)

// What a person wants otherwise who was asked to approve a call: another channel, or
// another time. Anything else is for a language model.

var (
	wishChannel   = regexp.MustCompile(`(?i)^(?:please |no,? |not (?:there|here|to #[\p{L}\p{N}_-]+),? |rather |but |instead )*(?:(?:post|send|put|move|change|make|use) )?(?:it |this |that |the (?:post|report|channel) )?(?:be )?(?:(?:in|to|into|use|another channel:?|(?:the )?other channel:?) )?(?:the )?(#[\p{L}\p{N}_-]+)(?: channel)?(?: please| instead| rather|,? (?:not|instead of) (?:(?:in|to) )?#[\p{L}\p{N}_-]+)*[\s.!]*$`)
	wishChannelZh = regexp.MustCompile(`^(?:请|麻烦|还是|不要发到\s*#[\p{L}\p{N}_-]+[，,]?\s*|别发到\s*#[\p{L}\p{N}_-]+[，,]?\s*|换个频道[：:，,]?\s*|换频道[：:，,]?\s*)*(?:改成|改到|改为|换成|换到|改)?(?:发|发送|发布|贴|用)?(?:到|在|去|至)?\s*(#[\p{L}\p{N}_-]+?)\s*(?:频道)?(?:里)?(?:去)?(?:吧)?[\s。！]*$`)
	wishLead      = regexp.MustCompile(`(?i)^(?:please |rather |but |no,? )*(?:(?:change|move|set|make) (?:it|this|that|the time|the schedule|the day)(?: to)? |do it )?`)
	wishLeadZh    = regexp.MustCompile(`^(?:请|麻烦|还是)*(?:把?(?:时间|日期|它|任务))?(?:改成|改到|改为|换成|定在|改)?`)
	wishTail      = regexp.MustCompile(`(?i)(?: instead| rather| please|吧)*[\s.!。！]*$`)
	askedChanges  = regexp.MustCompile(`asks for changes: ("(?:[^"\\]|\\.)*")`)
)

// Revise returns the arguments of a call as a person wants them who was asked to approve
// it. It reports false for a wish that it cannot read to its last word, and for one that
// this call has nothing to do with. at is when, and in which zone, it was said.
func Revise(c llm.Call, wish string, at time.Time, lang string) (json.RawMessage, bool) {
	var args map[string]json.RawMessage
	if json.Unmarshal(c.Args, &args) != nil {
		return nil, false
	}
	set := func(key, value string) (json.RawMessage, bool) {
		var old string
		if json.Unmarshal(args[key], &old) != nil || strings.EqualFold(old, value) {
			return nil, false
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, false
		}
		args[key] = raw
		out, err := json.Marshal(args)
		return out, err == nil
	}
	wish = strings.TrimSpace(wish)
	if c.Name == postMessage || c.Name == scheduleAdd {
		for _, p := range []*regexp.Regexp{wishChannel, wishChannelZh} {
			if m := p.FindStringSubmatch(strings.ReplaceAll(wish, "＃", "#")); m != nil {
				return set("channel", m[1])
			}
		}
	}
	if c.Name == scheduleAdd {
		said := wishTail.ReplaceAllString(wishLeadZh.ReplaceAllString(wishLead.ReplaceAllString(wish, ""), ""), "")
		when := phrase.Read(said, at, at.Location(), lang)
		if (when.Kind == phrase.Recurring || when.Kind == phrase.Once) && !when.NoDay && !when.NoTime && !when.SkipHolidays && whole(said, when.Spans) {
			return set("when", when.Spec.String())
		}
	}
	return nil, false
}

// whole reports whether spans leave nothing of a text but blanks and commas.
func whole(text string, spans []phrase.Span) bool {
	rest := []byte(text)
	for _, s := range spans {
		for i := max(0, s.Start); i < min(len(rest), s.End); i++ {
			rest[i] = ' '
		}
	}
	return strings.Trim(string(rest), " \t,，") == ""
}

// wished is what a person wants otherwise who was asked for a call, if its result says so.
func wished(r llm.Result) (string, bool) {
	m := askedChanges.FindStringSubmatch(r.Text)
	if m == nil || !r.Failed || !strings.HasPrefix(r.Text, "not run: ") {
		return "", false
	}
	wish, err := strconv.Unquote(m[1])
	return wish, err == nil
}

// changedID names the k-th call of a step that was sent back k times.
func changedID(n, k int) string { return stepID(n) + "c" + strconv.Itoa(k) }

// latest is the last call of a step, and how often the step was sent back before it.
func (t talk) latest(n int) (last llm.Call, k int) {
	for _, c := range t.calls {
		switch c.ID {
		case stepID(n), mendedID(n):
			last = c
		case changedID(n, k+1):
			last, k = c, k+1
		}
	}
	return last, k
}

// revised are the calls that people have sent back with a wish, as they are to be asked
// for next: none if no wish can be followed.
func (w work) revised() []llm.Call {
	var calls []llm.Call
	follows := false
	for i := range w.steps {
		r, _ := w.talk.result(i + 1)
		wish, ok := wished(r)
		last, k := w.talk.latest(i + 1)
		if !ok || last.Name == "" {
			continue
		}
		next := llm.Call{ID: changedID(i+1, k+1), Name: last.Name, Args: last.Args}
		if args, ok := Revise(last, wish, w.now, w.lang); ok {
			next.Args, follows = args, true
		}
		calls = append(calls, next)
	}
	if !follows {
		return nil
	}
	return calls
}

// asChanged has the steps that were sent back say what became of them.
func (w work) asChanged() {
	for i := range w.steps {
		last, k := w.talk.latest(i + 1)
		var args map[string]any
		if k > 0 && json.Unmarshal(last.Args, &args) == nil {
			w.steps[i].args = args
		}
	}
}
