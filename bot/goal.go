package bot

import (
	"strings"

	"hermes/agent/run"
)

// A GoalView is something that had to be done for a Run, and how far it has come: a
// tick for people. Act is a run.Act; without one it is a check by Tool. Mark is a
// run.Mark, and By who has denied it.
type GoalView struct{ Act, Tool, Mark, By string }

// GoalOf is what had to be done for a Run, as it stands.
func GoalOf(r run.Run) []GoalView {
	var out []GoalView
	for _, t := range r.Ticks() {
		g := GoalView{Act: string(t.Act), Mark: string(t.Mark), By: t.By}
		if t.Act == "" {
			g.Tool = t.Tools[0]
		}
		out = append(out, g)
	}
	return out
}

// goalWords are what is said of what was asked for, in one language.
type goalWords struct {
	goal     string // over what was asked for
	check    func(tool string) string
	ticked   map[run.Mark]string
	vetoed   func(by string) string
	skipped  func(tools string) string
	notThose func(acts string) string // of acts that nothing has done
	beside   func(state string) string
	nth      func(n string) string // a step
	neverRan func(cited string) string
}

// signs stand before what was asked for.
var signs = map[run.Mark]string{
	run.Met: "✓", run.Unclear: "?", run.Open: "○", run.Asked: "…", run.Missed: "✗", run.Vetoed: "✗", run.Barred: "✗", run.NoWay: "✗",
}

var englishGoal = goalWords{
	goal:  "Asked for: ",
	check: func(tool string) string { return "check: " + tool },
	ticked: map[run.Mark]string{
		run.Open: "not done", run.Asked: "under way, or waits for a decision", run.Unclear: "may have been done", run.Missed: "failed",
		run.Vetoed: "denied", run.Barred: "not for who asked", run.NoWay: "there is no tool for it here",
	},
	vetoed:   func(by string) string { return "denied by " + by },
	skipped:  func(tools string) string { return "⚠ Not checked: " + tools + " had to come first and did not." },
	notThose: func(acts string) string { return "⚠ Not all that was asked for is done: nothing was " + acts + "." },
	beside:   func(state string) string { return " (" + state + ")" },
	nth:      func(n string) string { return "step " + n },
	neverRan: func(cited string) string { return "The answer cites what was never run: " + cited + "." },
}

var chineseGoal = goalWords{
	goal:  "要求做的：",
	check: func(tool string) string { return "检查：" + tool },
	ticked: map[run.Mark]string{
		run.Open: "没有做", run.Asked: "进行中，或等待决定", run.Unclear: "可能已经做了", run.Missed: "失败",
		run.Vetoed: "被拒绝", run.Barred: "提问的人无权使用", run.NoWay: "这里没有能做这件事的工具",
	},
	vetoed: func(by string) string { return "被 " + by + " 拒绝" },
	skipped: func(tools string) string {
		return "⚠ 未经检查：按规定要先做“" + tools + "”，但没有做。"
	},
	notThose: func(acts string) string { return "⚠ 要求的事没有全部做完：这次没有" + acts + "。" },
	beside:   func(state string) string { return "（" + state + "）" },
	nth:      func(n string) string { return "第 " + n + " 步" },
	neverRan: func(cited string) string { return "回答引用了没有执行过的：" + cited + "。" },
}

// GoalWord is what people read of a GoalView in a language, "en" or "zh".
func GoalWord(lang string, g GoalView) string { return words(lang).tick(g) }

func (w *wording) tick(g GoalView) string {
	what := w.acts[run.Act(g.Act)]
	if g.Act == "" {
		what = w.check(w.tool(g.Tool))
	}
	mark := run.Mark(g.Mark)
	text := signs[mark] + " " + what
	state := w.ticked[mark]
	if mark == run.Vetoed && g.By != "" {
		state = w.vetoed(g.By)
	}
	if state != "" {
		text += w.beside(state)
	}
	return text
}

// asked is a line of what was asked for, with ticks; nothing if that was words alone.
func (w *wording) asked(goal []GoalView) string {
	if len(goal) == 0 {
		return ""
	}
	var all []string
	for _, g := range goal {
		all = append(all, w.tick(g))
	}
	return w.goal + strings.Join(all, w.listed)
}

// lacking is what stands over an answer that comes without all that was asked for. What
// was tried is named beside it.
func (w *wording) lacking(out run.Outcome) string {
	var lines []string
	if len(out.Unmet) > 0 {
		said := make([]string, len(out.Unmet))
		for i, act := range out.Unmet {
			said[i] = w.acts[act]
		}
		lines = append(lines, w.notThose(strings.Join(said, w.or)))
	}
	if len(out.Skipped) > 0 {
		named := make([]string, len(out.Skipped))
		for i, name := range out.Skipped {
			named[i] = w.tool(name)
		}
		lines = append(lines, w.skipped(strings.Join(named, w.listed)))
	}
	if len(lines) == 0 {
		return w.ended[run.Unfinished]
	}
	return strings.Join(lines, "\n")
}

// miscited is what stands under an answer that cites what has not run.
func (w *wording) miscited(cites []string) string {
	var all []string
	for _, c := range cites {
		if n, ok := strings.CutPrefix(c, "step "); ok {
			all = append(all, w.nth(n))
			continue
		}
		all = append(all, w.tool(c))
	}
	return run.Doubt + " " + w.neverRan(strings.Join(all, w.listed))
}
