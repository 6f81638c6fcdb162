package decision

import (
	"encoding/json"
	"regexp"
	"strings"
)

// A stand is what the text around JSON says of it, where there is some.
type stand int

// The stands.
const (
	amid  stand = iota // words around it: a decision if it has what only decisions have
	shown              // it is an example, or quoted, and never a decision
	asks               // nobody knows: whoever wrote it is asked
	made               // a decision if it can be one
)

var (
	// callTag is the mark by which models that have learned tool calls begin one in text.
	callTag = regexp.MustCompile(`(?i)<(?:tool_?calls?|function_?calls?|invoke)>\s*$`)
	// example is how somebody begins who shows a call and does not make it.
	example = regexp.MustCompile(`(?i)\b(?:would|could|might|can|to)\s+(?:then\s+|also\s+|simply\s+|just\s+)?(?:call|send|write|use|run|issue|make|emit|look|be|say|invoke)\b|\b(?:for (?:example|instance)|e\.g\.|such as|examples?|sample|look(?:s|ing)? (?:something )?like|says?|template|hypothetical(?:ly)?|suppose|in the form|the format)` +
		`|例如|比如|譬如|举例|示例|样例|例子|会(?:这样|如此)|会(?:是|用|调用|发送|写)|可以(?:这样|用|调用)|假如|假设|格式|形如|长这样|类似|写着|写道`)
)

// nearby is how many bytes before JSON are looked at.
const nearby = 240

// stand says for each find in prose what the words around it make of it. A model that
// explains a call, quotes one of a page or writes a report of what it did has not made it.
// What is said last, on a line of its own, is made; so is what stands behind the mark of a
// call. A model with calls of its own makes those, and in text such as are marked alone.
func (r *reader) stand(l sight) {
	if l.whole {
		return
	}
	last := true
	for i := len(l.finds) - 1; i >= 0; i-- {
		f := &l.finds[i]
		next, from := len(l.text), 0
		if i+1 < len(l.finds) {
			next = l.finds[i+1].start
		}
		if i > 0 {
			from = l.finds[i-1].end
		}
		last = last && trifle(l.text[min(f.end, next):next])
		before := l.text[max(from, f.start-nearby):f.start]
		if at := strings.LastIndex(before, "\n\n"); at >= 0 && strings.Trim(before[at:], "` \t\r\n") != "" {
			before = before[at:]
		}
		shows := example.MatchString(before)
		switch {
		case callTag.MatchString(before) && !f.fenced && last:
			f.stand = made
		case r.own && !shows && (last && f.line && !f.fenced || full(f.raw)):
			f.stand = asks
		case r.own, shows && !last:
			f.stand = shown
		case last && f.line && !shows:
			f.stand = made
		}
	}
}

// full reports whether JSON is a decision with all that only decisions have.
func full(raw json.RawMessage) bool {
	o, _ := fields(raw)
	return o.has(thoughtKeys...) && o.has(actionKeys...)
}

// doubtful reports whether a call of a tool that there is stands in a text so that nobody
// knows whether it is to be made.
func (r *reader) doubtful(l sight) bool {
	for _, f := range l.finds {
		if f.stand != asks {
			continue
		}
		if d, ok, err := r.decide(find{raw: f.raw, mended: f.mended, open: f.open}, true); ok && err == nil && len(d.Calls) > 0 {
			if _, known := r.known(d.Calls[0].Name); known {
				return true
			}
		}
	}
	return false
}

// without is the text without the JSON that is as it should be.
func (l sight) without() string {
	var b strings.Builder
	at := 0
	for _, f := range l.finds {
		if !f.mended {
			b.WriteString(l.text[at:f.start])
			at = f.end
		}
	}
	b.WriteString(l.text[at:])
	return b.String()
}
