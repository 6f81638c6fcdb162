package run

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

// Same reports whether two calls have one Signature. Most pairs differ in what a glance
// tells, and need not be read.
func Same(a, b llm.Call) bool {
	switch {
	case a.Name != b.Name:
		return false
	case bytes.Equal(a.Args, b.Args):
		return true
	case glance(a.Args) != glance(b.Args) && bytes.IndexByte(a.Args, '\\') < 0 && bytes.IndexByte(b.Args, '\\') < 0:
		return false
	}
	return Signature(a) == Signature(b)
}

// glance is equal for JSON without escapes that differs in white space and the order
// of keys alone.
func glance(b []byte) (sum int) {
	for _, c := range b {
		if c > ' ' {
			sum += 1<<16 + int(c)*int(c)
		}
	}
	return sum
}

// Signature is equal for equal calls: tool and canonical arguments.
func Signature(c llm.Call) string {
	b, err := canonical(c.Args)
	if err != nil {
		b = c.Args
	}
	return c.Name + "\x00" + string(b)
}

// Likeness is equal for calls that differ in letter case, white space and order of
// keys alone.
func Likeness(c llm.Call) string {
	var v any
	if json.Unmarshal(c.Args, &v) != nil {
		return Signature(c)
	}
	b, err := json.Marshal(folded(v))
	if err != nil {
		return Signature(c)
	}
	return c.Name + "\x00" + string(b)
}

func folded(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ToLower(strings.Join(strings.Fields(v), " "))
	case []any:
		for i := range v {
			v[i] = folded(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = folded(v[k])
		}
	}
	return v
}

// Pairs are the calls of a step that have a result, each with it, in the order in
// which they were asked for.
func (s Step) Pairs() iter.Seq2[llm.Call, Result] {
	return func(yield func(llm.Call, Result) bool) {
		for _, c := range s.Reply.Message.Calls {
			for _, res := range s.Results {
				if res.ID == c.ID && !yield(c, res) {
					return
				}
			}
		}
	}
}

// Ran reports whether a call has run: by itself, or as another of the same.
func (r Result) Ran() bool { return r.Unrun == "" || r.Unrun == Twice || r.Unrun == Cached }

// Ran returns the result of the newest call of the Run that is equal to one, has
// run, and has not failed.
func (r Run) Ran(call llm.Call) (Result, bool) {
	for _, s := range slices.Backward(r.Steps) {
		for c, res := range s.Pairs() {
			if !res.Failed && res.Unrun == "" && Same(c, call) {
				return res, true
			}
		}
	}
	return Result{}, false
}

// Executions counts how often a call equal to one has run since the last Continue.
func (r Run) Executions(call llm.Call) int {
	n := 0
	for _, s := range r.Counted() {
		for c, res := range s.Pairs() {
			if res.Unrun == "" && Same(c, call) {
				n++
			}
		}
	}
	return n
}

// Counted are the steps since the last Continue, without the closing ones.
func (r Run) Counted() []Step {
	if r.From >= len(r.Steps) {
		return nil
	}
	return r.Steps[r.From:]
}

// news reports whether a result says something that no earlier one has said.
func (r Run) news(res Result) bool {
	if res.Unrun != "" && res.Unrun != Forbidden && res.Unrun != Unfit && res.Unrun != SentBack {
		return false
	}
	for _, s := range r.Steps {
		for _, old := range s.Results {
			if old.ID != res.ID && old.Failed == res.Failed && saysTheSame(old.Text, res.Text) {
				return false
			}
		}
	}
	return true
}

// saysTheSame reports whether two texts differ in nothing but the ids of artifacts, of
// which each call makes its own.
func saysTheSame(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); {
		if a[i] == b[i] {
			i++
			continue
		}
		start := i
		for start > 0 && i-start < tool.IDSize && !(isID(a, start) && isID(b, start)) {
			start--
		}
		if !isID(a, start) || !isID(b, start) || start+tool.IDSize <= i {
			return false
		}
		i = start + tool.IDSize
	}
	return true
}

// isID reports whether a whole id of an artifact begins at a place of a text.
func isID(text string, at int) bool {
	if at+tool.IDSize > len(text) || !tool.IsID(text[at:at+tool.IDSize]) {
		return false
	}
	word := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] == '_' || text[i] >= '0' && text[i] <= '9' || text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z')
	}
	return !word(at-1) && !word(at+tool.IDSize)
}

// Gained reports whether a step has brought anything new.
func (s Step) Gained() bool {
	for _, res := range s.Results {
		if res.New {
			return true
		}
	}
	return false
}

// Findings are what the Run's tools have said, the oldest first, without what has
// failed, what the person has said to them, and what one has said before.
func (r Run) Findings() []Finding {
	var out []Finding
	answers := map[string]bool{}
	for _, q := range r.Questions {
		answers[q.ID] = q.Kind != Approve
	}
	for _, s := range r.Steps {
		for c, res := range s.Pairs() {
			said := slices.ContainsFunc(out, func(f Finding) bool { return f.Tool == c.Name && saysTheSame(f.Text, res.Text) })
			if !res.Failed && res.Unrun == "" && !answers[res.Under] && !said {
				out = append(out, Finding{c.Name, c.Args, res.Text})
			}
		}
	}
	return out
}

// Stuck says at which call the Run stands: the last that has failed or has not run,
// else the last; with its trouble.
func (r Run) Stuck() (name, trouble string) {
	for i := len(r.Steps) - 1; i >= r.From && i >= 0; i-- {
		s := r.Steps[i]
		for j := len(s.Reply.Message.Calls) - 1; j >= 0; j-- {
			c := s.Reply.Message.Calls[j]
			if name == "" {
				name = c.Name
			}
			for _, res := range s.Results {
				if res.ID == c.ID && res.Failed {
					return c.Name, res.Text
				}
			}
		}
	}
	return name, ""
}

// Unsure are the tools whose writes may have taken effect or not.
func (r Run) Unsure() []string {
	var names []string
	for _, s := range r.Steps {
		for c, res := range s.Pairs() {
			if res.Unknown {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// Denied returns who has denied a call equal to one in this Run.
func (r Run) Denied(call llm.Call) (string, bool) {
	for _, s := range r.Steps {
		for c, res := range s.Pairs() {
			if res.Denied != "" && c.ID != call.ID && Same(c, call) {
				return res.Denied, true
			}
		}
	}
	return "", false
}

// Undone are the writes of the Run that have not been done in the end: the last call
// of each tool that writes, where it failed, was denied, or did not run.
func (r Run) Undone(writes func(tool string) bool) []Undone {
	var names []string
	last := map[string]Result{}
	for _, s := range r.Steps {
		for c, res := range s.Pairs() {
			if !writes(c.Name) {
				continue
			}
			if _, seen := last[c.Name]; !seen {
				names = append(names, c.Name)
			}
			last[c.Name] = res
		}
	}
	var out []Undone
	for _, name := range names {
		if res := last[name]; res.Failed && !res.Unknown {
			out = append(out, Undone{name, res.Denied, res.Hidden})
		}
	}
	return out
}
