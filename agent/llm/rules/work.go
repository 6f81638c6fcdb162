package rules

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"hermes/agent/llm"
	"hermes/internal/slip"
)

// work is one run as far as it has come. It is read anew at every step.
type work struct {
	reader
	request llm.Request
	talk    talk
	reading reading
	steps   []step
}

// next is the one next thing: a question, the calls of the next stage, or the
// last words.
func (w work) next() llm.Message {
	if w.talk.foreign() {
		return llm.Message{Text: w.pick(
			"Another model began this, and I do not know how far it meant to go. Please ask again, and I will begin from the start.",
			"这件事是另一个模型开始的，我不知道它打算做到哪一步。请重新说一遍，我从头来做。")}
	}
	if m, ok := w.beside(); ok {
		return m
	}
	w.reading = w.fold(w.talk.turns)
	answer, asked := w.talk.asked()
	if asked && answer != "" && w.talk.calls[0].ID == askID {
		var no bool
		if w.reading, no = w.answered(w.reading, answer); no {
			return llm.Message{Text: w.pick("All right, nothing was done.", "好的，什么都没有做。")}
		}
		if offer := w.reading.offered; !offer.Spec.IsZero() && w.reading.schedule.IsZero() && w.has(askTool) {
			// A day that has passed was the answer: the one that may be meant is asked about.
			again, confirmed := w.talk.answerTo(confirmID)
			switch {
			case !confirmed:
				return llm.Message{Calls: []llm.Call{call(confirmID, askTool, map[string]any{"question": offer.Question})}}
			case again != "":
				if w.reading, no = w.answered(w.reading, again); no {
					return llm.Message{Text: w.pick("All right, nothing was done.", "好的，什么都没有做。")}
				}
			}
		}
	}
	if text, done := w.inWords(w.reading); done {
		if fresh := w.fresh(); len(w.reading.unclaimed) > 0 && len(fresh) > 0 {
			text = w.sayFiles(fresh) + "\n\n" + text
		}
		return llm.Message{Text: text}
	}
	if slots := w.missing(w.reading); len(slots) > 0 {
		if asked || !w.has(askTool) {
			return llm.Message{Text: w.sayMissing(slots)}
		}
		question, choices := w.ask(w.reading, slots)
		args := map[string]any{"question": question}
		if len(choices) > 0 {
			args["choices"] = choices
		}
		return llm.Message{Calls: []llm.Call{call(askID, askTool, args)}}
	}
	w.steps = w.plan(w.reading)
	for _, s := range w.steps {
		if !w.has(s.name) {
			return llm.Message{Text: w.pick(
				"I cannot do this here: the tool "+s.name+" is not available.",
				"这里做不了：没有 "+s.name+" 这个工具。")}
		}
	}
	return w.stage()
}

// answered is a reading with the answer to its question; no, if that is to leave it. A yes
// to a question that offers one thing takes that.
func (w work) answered(r reading, answer string) (_ reading, no bool) {
	yes := saysYes.MatchString(answer)
	slots := w.missing(r)
	if _, choices := w.ask(r, slots); yes && len(choices) == 1 && len(slots) == 1 {
		answer, yes = choices[0], false
	}
	if chatKind(answer) == "fine" && (!yes || r.offered.Spec.IsZero()) {
		return r, true
	}
	return w.amend(r, answer), false
}

func (w work) has(name string) bool {
	return slices.ContainsFunc(w.request.Tools, func(t llm.Tool) bool { return t.Name == name })
}

// stage returns the calls of the first stage that is not done, or the last words
// when all are done or one has failed for good.
func (w work) stage() llm.Message {
	if calls := w.revised(); len(calls) > 0 {
		return llm.Message{Calls: calls}
	}
	w.asChanged()
	answer, asked := w.talk.asked()
	for n := 1; n <= 3; n++ {
		var calls []llm.Call
		failed := false
		for i, s := range w.steps {
			if s.stage != n {
				continue
			}
			r, done := w.talk.result(i + 1)
			switch {
			case !done:
				calls = append(calls, call(stepID(i+1), s.name, w.resolve(s.args)))
			case r.Failed && s.name == queryMetric && !w.talk.mended(i+1):
				if args, ok := mend(s.args, r.Text); ok {
					calls = append(calls, call(mendedID(i+1), s.name, args))
					continue
				}
				failed = true
			case r.Failed && (s.name == scheduleChange || s.name == scheduleSet) && !w.talk.mended(i+1) && len(jobsNamed(s, r.Text)) > 1 && w.has(askTool):
				if !asked {
					return llm.Message{Calls: []llm.Call{call(askID, askTool, map[string]any{
						"question": w.pick("Which schedule do you mean?", "您指的是哪个定时任务？"), "choices": jobsNamed(s, r.Text)})}}
				}
				if answer != "" && chatKind(answer) != "fine" {
					args := copyOf(s.args)
					args["job"] = answer
					if id := jobPattern.FindString(answer); id != "" {
						args["job"] = id
					}
					calls = append(calls, call(mendedID(i+1), s.name, args))
				}
			case r.Failed && n < 3:
				failed = true
			}
		}
		if failed {
			break
		}
		if len(calls) > 0 {
			return llm.Message{Calls: calls}
		}
	}
	return llm.Message{Text: w.lastWords()}
}

var jobChoice = regexp.MustCompile(`\bj[0-9a-f]{6,12}\b(?: \([^()]{0,80}\))?`)

// jobsNamed are the jobs of which the tool says that each could be meant; none if
// an id was given, which is then one that is not there.
func jobsNamed(s step, said string) []string {
	if which, _ := s.args["job"].(string); jobPattern.MatchString(which) {
		return nil
	}
	found := jobChoice.FindAllString(said, -1)
	return found[:min(5, len(found))]
}

func call(id, name string, args map[string]any) llm.Call {
	b, err := json.Marshal(args)
	if err != nil {
		b = []byte("{}") // strings, numbers and lists of them always marshal
	}
	return llm.Call{ID: id, Name: name, Args: b}
}

// resolve puts the ids that earlier steps gave in the place of refs.
func (w work) resolve(args map[string]any) map[string]any {
	out := copyOf(args)
	for k, v := range out {
		switch v := v.(type) {
		case ref:
			out[k] = w.id(v)
		case []ref:
			ids := []string{}
			for _, r := range v {
				ids = append(ids, w.id(r))
			}
			out[k] = ids
		}
	}
	return out
}

// id is the id of what a step made.
func (w work) id(r ref) string {
	res, _ := w.talk.result(int(r))
	var made struct{ Table, Report, Artifact, ID string }
	if json.Unmarshal([]byte(res.Text), &made) != nil {
		return ""
	}
	for _, id := range []string{made.Report, made.Table, made.Artifact, made.ID} {
		if id != "" {
			return id
		}
	}
	return ""
}

// A tool that does not know a name says which ones are near; the first of them is
// tried once, if it is near in truth.
var nearestPattern = regexp.MustCompile(`(?s)"([^"]{1,60})"; (?:the )?nearest: ([^,;\n]+)`)

// mend returns the arguments with the name that the tool did not know replaced.
func mend(args map[string]any, said string) (map[string]any, bool) {
	m := nearestPattern.FindStringSubmatch(said)
	if m == nil || !alike(m[1], strings.TrimSpace(m[2])) {
		return nil, false
	}
	b, err := json.Marshal(args)
	if err != nil {
		return nil, false
	}
	old, err1 := json.Marshal(m[1])
	near, err2 := json.Marshal(strings.TrimSpace(m[2]))
	if err1 != nil || err2 != nil || !strings.Contains(string(b), string(old)) {
		return nil, false
	}
	var out map[string]any
	if json.Unmarshal([]byte(strings.ReplaceAll(string(b), string(old), string(near))), &out) != nil {
		return nil, false
	}
	return out, true
}

// alike says whether two names differ by a slip of the pen and no more.
func alike(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	x, y := []rune(a), []rune(b)
	longest := max(len(x), len(y))
	return longest > 0 && (strings.Contains(b, a) && len(a)*2 >= len(b) || slip.Between(x, y)*3 <= longest)
}
