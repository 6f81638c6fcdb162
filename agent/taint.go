package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/file"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// mostMarks is how many marks one call has: a card with more is not read.
const mostMarks = 6

// marks are what a person should look at twice in a call, in the language of its Run:
// control that only others have written, and signs that deceive the eye. Whatever was
// granted, a call with a mark is asked about.
func (a *Agent) marks(ctx context.Context, r run.Run, call llm.Call, s tool.Spec, plan tool.Plan) ([]string, error) {
	control, content := s.Parts(call.Args)
	word, danger := a.screened(call, s, control)
	marks := slices.Clone(plan.Marks)
	say := func(m string) {
		if !slices.Contains(marks, m) && len(marks) < mostMarks {
			marks = append(marks, m)
		}
	}
	if plan.ToName != "" {
		control = append(control, tool.Value{Arg: "channel", Text: plan.ToName})
	}
	if danger && s.Effect != tool.Keep {
		say(fmt.Sprintf(pick(r.Lang, "it holds the word “%s”", "含有“%s”一词"), word))
	}
	for _, v := range control {
		if odd, ok := guard.Oddity(v.Text); ok {
			say(oddMark(r.Lang, v, odd))
		}
	}
	if s.Effect == tool.Send {
		for _, why := range playbook.Broken(r) {
			say(why)
		}
		if r.Again != nil {
			say(revisionMark(r))
		}
	}
	if len(control)+len(content) == 0 || r.Saved != nil {
		// What a saved report says somebody has saved, and grants hold for that text alone.
		return marks, nil
	}
	texts, err := a.texts(ctx, r)
	if err != nil {
		return nil, err
	}
	from := guard.NewOrigins(texts)
	rests := false // on what the asker has said
	strict := a.strict(r, s, plan) && from.Foreign()
	for _, v := range control {
		ours, err := a.madeHere(ctx, r, v.Text)
		if err != nil {
			return nil, err
		}
		if ours {
			rests = true
			continue
		}
		foreign := from.Foreigners(v.Text)
		if a.Models.rules(r.Model) {
			// They say a time in figures of their own, and take nothing from others.
			foreign = slices.DeleteFunc(foreign, func(f guard.Finding) bool { return strings.Trim(f.Part, "0123456789") == "" })
		}
		for _, f := range foreign {
			say(foreignMark(r.Lang, v.Arg, f))
		}
		founded := from.Founded(v.Text)
		rests = rests || founded
		if strict && !founded && len(foreign) == 0 {
			say(fmt.Sprintf(pick(r.Lang, "`%s` (%s) does not stand in what you have said here", "`%s`（%s）不在您说过的话里"), guard.Shown(short(v.Text)), v.Arg))
		}
	}
	for _, v := range content {
		for _, f := range from.ForeignNames(v.Text) {
			say(foreignMark(r.Lang, v.Arg, f))
		}
	}
	switch {
	case s.Effect != tool.Read || !s.Keeps || !from.Foreign() || a.Models.rules(r.Model):
	case !rests:
		say(pick(r.Lang, "nothing of this stands in what you have said here", "这些内容都不在您说过的话里"))
	case s.Risk >= tool.HighRisk && (outside(texts) || !wanted(r, s)):
		// "last" and "that" stand in any text: where somebody else was read, they may mean
		// what that one wants.
		say(pick(r.Lang, "it cannot be had back, and others have written in what was read here", "删除后无法恢复，而这里读过别人写的内容"))
	}
	return marks, nil
}

// strict reports whether all control of a call must stand in the asker's words, once a Run
// has read anything else: where it could run without a question. What others have
// written may be hidden in a code that only a model reads. The slot of a schedule has a
// grant for its own target alone, and the built-in rules obey nobody's text.
func (a *Agent) strict(r run.Run, s tool.Spec, plan tool.Plan) bool {
	if a.Models.rules(r.Model) {
		return false
	}
	return s.Effect == tool.Read && !s.Keeps || s.Effect != tool.Read && plan.Control != "" && r.Job == ""
}

// outside reports whether a Run has read anything that is neither the asker's nor known
// from before.
func outside(texts []guard.Text) bool {
	return slices.ContainsFunc(texts, func(t guard.Text) bool { return t.By != "" && !t.Kept && strings.TrimSpace(t.Body) != "" })
}

// wanted reports whether the asker has said a word by which people want a tool.
func wanted(r run.Run, s tool.Spec) bool {
	wish := strings.ToLower(r.Wish())
	return slices.ContainsFunc(s.Words, func(w string) bool { return strings.Contains(wish, w) })
}

// forced reports whether a call that only reads is asked about all the same: it keeps or
// deletes something, or asks somebody outside, by words that others have written; or it
// holds a word of danger.
func (a *Agent) forced(ctx context.Context, r run.Run, c llm.Call, t tool.Tool) (bool, error) {
	s := t.Spec()
	control, _ := s.Parts(c.Args)
	if _, found := a.screened(c, s, control); found {
		return true, nil
	}
	if s.Effect != tool.Read || len(control) == 0 {
		return false, nil
	}
	marks, err := a.marks(ctx, r, c, s, tool.Plan{})
	return len(marks) > 0, err
}

// madeHere reports whether a value is the id of what this Run has made, or of what came
// with its Request.
func (a *Agent) madeHere(ctx context.Context, r run.Run, value string) (bool, error) {
	if !tool.IsID(value) {
		return false, nil
	}
	for _, f := range r.Files {
		if f.Artifact == value || slices.ContainsFunc(f.Tables, func(t run.Sheet) bool { return t.Table == value }) {
			return true, nil
		}
	}
	made, err := a.Shelf.Artifact(ctx, value)
	if err != nil && !errors.Is(err, tool.ErrNoArtifact) {
		return false, fmt.Errorf("artifact %s: %w", value, err)
	}
	return err == nil && made.Run == r.Key, nil
}

// texts are those that a Run has read, each with who is answerable for it.
func (a *Agent) texts(ctx context.Context, r run.Run) ([]guard.Text, error) {
	var all []guard.Text
	add := func(by string, body ...string) {
		all = append(all, guard.Text{By: by, Body: strings.Join(body, "\n")})
	}
	add("", r.Wish(), r.Expect)
	if r.Ready != nil {
		for _, c := range r.Ready.Calls {
			add("", string(c.Args), flat(string(c.Args)))
		}
	}
	for _, t := range r.Turns {
		switch {
		case t.Role == llm.User && t.By == r.Asker:
			add("", t.Text)
		case t.Role == llm.User:
			add(pick(r.Lang, "what somebody else asked here before", "别人之前在这里提的请求"), t.Text)
		}
	}
	for _, q := range r.Questions {
		if q.Answer == nil || q.Answer.By != r.Asker {
			continue
		}
		add("", q.Answer.Note)
		if o, ok := q.Option(q.Answer.Choice); ok && q.Kind == run.Choose {
			add("", o.Label)
		}
	}
	for _, l := range r.Request.Heard {
		add(pick(r.Lang, "what others said", "别人说的话"), l.Name, l.Text)
	}
	for _, f := range r.Files {
		add(fmt.Sprintf(pick(r.Lang, "the file %s", "文件 %s"), guard.Shown(short(f.Name))), f.Name, f.Title, f.Extract, strings.Join(f.Headings, "\n"), file.Say(f, r.Lang))
	}
	for _, f := range a.recall(ctx, r.Request) {
		all = append(all, guard.Text{By: pick(r.Lang, "memory", "记忆"), Body: f.Subject + "\n" + f.Object, Kept: true})
	}
	for _, s := range r.Steps {
		for c, res := range s.Pairs() {
			all = append(all, a.said(r, c, res)...)
		}
	}
	return all, ctx.Err()
}

// said are the texts of one result: what this program has made in it, and all of it.
func (a *Agent) said(r run.Run, c llm.Call, res run.Result) []guard.Text {
	t := a.Tools.Lookup(c.Name)
	if t == nil || res.Unrun != "" || strings.TrimSpace(res.Text) == "" || asksAsker(r, res) {
		return nil // nobody else has said it
	}
	s := t.Spec()
	if s.Effect == tool.Send && !res.Failed {
		return nil // what became of a post
	}
	by := fmt.Sprintf(pick(r.Lang, "what %s returned", "%s 返回的内容"), c.Name)
	return []guard.Text{{Body: strings.Join(s.Made(res.Text), "\n")}, {By: by, Body: res.Text + "\n" + flat(res.Text) + "\n" + res.Brief}}
}

// asksAsker reports whether a result is what the asker has answered to a tool.
func asksAsker(r run.Run, res run.Result) bool {
	return slices.ContainsFunc(r.Questions, func(q run.Question) bool {
		return q.ID == res.Under && q.Kind != run.Approve && q.Answer != nil && q.Answer.By == r.Asker
	})
}

// flat are the texts in JSON as they are read, a line each.
func flat(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return ""
	}
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\n")
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for k, x := range v {
				b.WriteString(k + "\n")
				walk(x)
			}
		}
	}
	walk(v)
	return b.String()
}

// foreignMark says where a part of an argument is from.
func foreignMark(lang, arg string, f guard.Finding) string {
	return fmt.Sprintf(pick(lang, "`%s` (%s) stands only in %s, and nobody here has asked for it", "`%s`（%s）只出现在%s里，请求者没有提过"),
		guard.Shown(short(f.Part)), arg, f.By)
}

// oddMark says what in an argument deceives the eye.
func oddMark(lang string, v tool.Value, odd guard.Odd) string {
	shown, sign := guard.Shown(short(v.Text)), fmt.Sprintf("U+%04X", odd.Sign)
	switch odd.Kind {
	case guard.Turned:
		return fmt.Sprintf(pick(lang, "`%s` (%s) has a mark that turns the direction of writing around (%s)", "`%s`（%s）含有改变书写方向的符号（%s）"), shown, v.Arg, sign)
	case guard.Mixed:
		return fmt.Sprintf(pick(lang, "`%s` (%s) mixes scripts in one word: %q is %s (%s)", "`%s`（%s）在一个词里混用不同文字：%q 是 %s 字母（%s）"),
			shown, v.Arg, odd.Sign, guard.Script(odd.Sign), sign)
	case guard.Alike:
		return fmt.Sprintf(pick(lang, "`%s` (%s) only looks like Latin letters: %q is %s (%s)", "`%s`（%s）只是看起来像拉丁字母：%q 是 %s 字母（%s）"),
			shown, v.Arg, odd.Sign, guard.Script(odd.Sign), sign)
	case guard.Styled:
		return fmt.Sprintf(pick(lang, "`%s` (%s) is written in letters that look like others (%s)", "`%s`（%s）用了看起来像普通字母的符号（%s）"), shown, v.Arg, sign)
	}
	return fmt.Sprintf(pick(lang, "`%s` (%s) has a sign that cannot be seen (%s)", "`%s`（%s）含有看不见的符号（%s）"), shown, v.Arg, sign)
}

// short is a text at the length of a card's line.
func short(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// revisionMark says that something was posted before about the same.
func revisionMark(r run.Run) string {
	at := ""
	if !r.Again.At.IsZero() {
		at = r.Again.At.In(zoneOf(r)).Format("2006-01-02 15:04")
	}
	said := fmt.Sprintf(pick(r.Lang, "a report about this period was posted before (%s); this would be revision %d", "这段时间的报表已经发过（%s）；这次是第 %d 版"), at, r.Again.Revision)
	if r.Again.Link != "" {
		said += pick(r.Lang, ", in place of ", "，替换 ") + r.Again.Link
	}
	return said
}
