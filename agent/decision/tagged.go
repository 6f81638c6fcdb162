package decision

import (
	"regexp"
	"strings"
)

// tags are the marks of decisions in tagged text: [ACTION], or "Action:" at the
// beginning of a line.
var tags = regexp.MustCompile(`(?m)[\[【][ ]?(THOUGHT|INTENT|ACTION|ARGS|OBSERVATION|RESULT|FINISH|FINAL ANSWER|FINAL|ANSWER|思考|意图|行动|动作|参数|观察|结果|完成|最终答案|答案)[ ]?[\]】][ \t]*[:：]?` +
	`|^[ \t*]*(Thought|Intent|Action Input|Action|Observation|Final Answer|思考|意图|行动输入|动作输入|行动|动作|观察|最终答案)[ \t*]*[:：][ \t*]*`)

// A part is a tag and the text up to the next.
type part struct{ tag, text string }

func parts(text string) []part {
	at := tags.FindAllStringSubmatchIndex(text, -1)
	found := make([]part, 0, len(at))
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		from := max(m[2], m[4])
		tag := text[from:max(m[3], m[5])]
		bracket := ""
		if m[2] >= 0 {
			bracket = "["
		}
		found = append(found, part{bracket + meaning[strings.ToLower(tag)], strings.TrimSpace(text[m[1]:end])})
	}
	return found
}

// meaning is what a tag is called here.
var meaning = map[string]string{
	"thought": "thought", "思考": "thought", "intent": "intent", "意图": "intent",
	"action": "action", "行动": "action", "动作": "action",
	"args": "args", "action input": "args", "参数": "args", "行动输入": "args", "动作输入": "args",
	"observation": "observation", "result": "observation", "观察": "observation", "结果": "observation",
	"finish": "finish", "final answer": "finish", "final": "finish", "answer": "finish", "完成": "finish", "最终答案": "finish", "答案": "finish",
}

// tagged reads a decision in tagged text. What comes after an observation is not
// read: the model has made up what only a tool can say.
func (r *reader) tagged(text string) (Decision, bool, error) {
	found := parts(text)
	if len(found) == 0 || !r.meant(found, strings.Trim(text[:tags.FindStringIndex(text)[0]], " \t\r\n`*#") == "") {
		return Decision{}, false, nil
	}
	d := Decision{Form: Tagged}
	finished := false
	for i, p := range found {
		switch strings.TrimPrefix(p.tag, "[") {
		case "thought":
			d.Thought = strings.TrimSpace(d.Thought + "\n" + p.text)
		case "intent":
			d.Intent = p.text
		case "action":
			args := ""
			if i+1 < len(found) && strings.TrimPrefix(found[i+1].tag, "[") == "args" {
				args = found[i+1].text
			}
			if err := r.act(&d, p.text, args); err != nil {
				return d, false, err
			}
		case "finish":
			if !finished {
				finished, d.Result = true, p.text
			}
		case "observation":
			if len(d.Calls) > 0 {
				return d, true, nil
			}
		}
	}
	if len(d.Calls) > 0 {
		if !d.Finished {
			d.Result = ""
		}
		return d, true, nil
	}
	if finished || d.Finished {
		d.Finished = true
		return d, true, nil
	}
	return d, false, unreadable("it has a thought, and neither an action nor an end")
}

// meant reports whether tags are those of a decision and not headings of an answer.
// first says that the text begins with them.
func (r *reader) meant(found []part, first bool) bool {
	thought, bracket := false, false
	for i, p := range found {
		tag, inBrackets := strings.CutPrefix(p.tag, "[")
		switch tag {
		case "thought":
			thought, bracket = true, bracket || inBrackets
		case "action":
			name, _, _ := strings.Cut(p.text, " ")
			name, _, _ = strings.Cut(name, "\n")
			_, known := r.known(strings.TrimRight(name, "({:"))
			switch {
			case known && (first || !r.own):
				return true
			case !first:
			case thought && (inBrackets || i+1 < len(found) && found[i+1].tag == "args"),
				inBrackets && (among(name, r.finish) || len(r.tools) == 0 && strings.Contains(p.text, "{")):
				return true
			}
		case "finish":
			if first && (thought || inBrackets && i == 0) {
				return true
			}
		}
	}
	return first && bracket && thought
}

// act adds the call that stands behind [ACTION].
func (r *reader) act(d *Decision, text, args string) error {
	if n := strings.IndexAny(text, "{｛"); n == 0 {
		l := look(text, nil)
		if len(l.finds) == 0 || l.deep {
			return unreadable("[ACTION] holds JSON that cannot be read")
		}
		one, ok, err := r.decide(l.finds[0], true)
		if err != nil {
			return err
		}
		if !ok {
			return unreadable("[ACTION] must name a tool before its arguments")
		}
		thought := d.Thought
		*d = merge(one, *d, true)
		d.Form, d.Thought = Tagged, thought
		return nil
	}
	name, rest := text, ""
	if n := strings.IndexAny(text, "({｛\n \t:："); n > 0 {
		name, rest = text[:n], strings.TrimSpace(strings.TrimLeft(text[n:], " \t:：("))
	}
	name = strings.Trim(name, "`\"'*“”")
	tool, known := r.known(name)
	switch {
	case known:
	case among(name, r.finish):
		d.Finished, d.Result = true, rest
		if l := look(rest, nil); l.whole && len(l.finds) == 1 {
			o, _ := fields(l.finds[0].raw)
			d.Result = r.answer(object{}, o)
		}
		return nil
	case !plainName.MatchString(name) || rest != "" && !strings.HasPrefix(rest, "{") && !strings.HasPrefix(rest, "`"):
		return mixed(text)
	default:
		tool = name
	}
	if args == "" {
		args = rest
	}
	if n := strings.IndexAny(args, "{｛"); n > 0 && !trifle(strings.TrimSuffix(args[:n], "json")) {
		return mixed(text)
	} else if n < 0 && strings.Trim(args, "() \n`") != "" {
		if strings.ContainsAny(strings.TrimSpace(args), " \n") && args == rest {
			return mixed(text)
		}
	}
	l := look(args, nil)
	call, cut := r.given(tool, strings.Trim(args, ")\n `"))
	d.Calls = append(d.Calls, call)
	d.Scraped = d.Scraped || cut
	d.Mended = d.Mended || len(l.finds) > 0 && l.finds[0].mended
	return nil
}

func mixed(text string) error {
	return unreadable("[ACTION] holds more than a tool and its arguments (%q); what you think belongs behind [THOUGHT]", short(text))
}
