package bot

import (
	"slices"
	"strconv"
	"strings"

	"hermes/agent/run"
)

// A heading names what has become of the work, not only that it is over: a post that
// somebody refused is not done, however well the run has ended.

// A Fate is what has become of the work of a Run that has its answer: the tools, by name,
// that somebody refused, that are not allowed there, or that failed for good.
type Fate struct {
	Steps                   int
	Did                     bool // something went well
	Refused, Barred, Broken []string
	Missed                  []string // of Broken, what was to change something, or came last: without it the work is not done
}

// FateOf returns it, empty for a Run that has no answer yet.
func FateOf(r run.Run) Fate {
	if r.State != run.Done {
		return Fate{}
	}
	f := Fate{Steps: len(r.Steps)}
	last := map[string]run.Result{} // of each tool: what was mended and tried again counts as it ended
	wrote := map[string]bool{}      // whether that had begun to change something
	var order, final []string
	for _, s := range r.Steps {
		if len(s.Results) > 0 {
			final = nil
		}
		for c, res := range s.Pairs() {
			final = append(final, c.Name)
			wrote[c.Name] = slices.ContainsFunc(s.Did, func(d run.Deed) bool { return d.Call == c.ID })
			f.Did = f.Did || !res.Failed
			if _, seen := last[c.Name]; !seen {
				order = append(order, c.Name)
			}
			last[c.Name] = res
		}
	}
	for _, tool := range order {
		switch res := last[tool]; {
		case !res.Failed:
		case res.Denied != "", res.Unrun == run.SentBack:
			f.Refused = append(f.Refused, tool)
		case res.Hidden, res.Unrun == run.Forbidden:
			f.Barred = append(f.Barred, tool)
		default:
			f.Broken = append(f.Broken, tool)
			if wrote[tool] || slices.Contains(final, tool) {
				f.Missed = append(f.Missed, tool)
			}
		}
	}
	return f
}

// Short says what was not done, in a language; nothing where the work is done.
func (f Fate) Short(lang string) string { return words(lang).short(f) }

// doneHead is the heading of a Run that has its answer.
func (w *wording) doneHead(r run.Run) string {
	f := FateOf(r)
	if short := w.short(f); short != "" {
		return short
	}
	return w.states[run.Done](f.Steps)
}

func (w *wording) short(f Fate) string {
	join := func(tools []string) string {
		var names []string
		for _, t := range tools {
			if name := oneLine.Replace(w.tool(t)); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return strings.Join(names, w.listed)
	}
	switch {
	case len(f.Refused) > 0 && f.Did:
		return w.partDenied(f.Steps, join(f.Refused))
	case len(f.Refused) > 0:
		return w.allDenied(join(f.Refused))
	case len(f.Barred) > 0 && f.Did:
		return w.partBarred(f.Steps, join(f.Barred))
	case len(f.Barred) > 0:
		return w.allBarred(join(f.Barred))
	case len(f.Broken) > 0 && !f.Did:
		return w.allBroken(join(f.Broken))
	case len(f.Missed) > 0:
		return w.partBroken(f.Steps, join(f.Missed))
	}
	return ""
}

// headings are the words of it.
type headings struct {
	allDenied, allBarred, allBroken func(tools string) string
	partDenied, partBarred          func(n int, tools string) string
	partBroken                      func(n int, tools string) string
}

var englishHeadings = headings{
	allDenied: func(tools string) string { return "Not done, denied (" + tools + ")" },
	allBarred: func(tools string) string { return "Not done, not allowed here (" + tools + ")" },
	allBroken: func(tools string) string { return "Not done, failed (" + tools + ")" },
	partDenied: func(n int, tools string) string {
		return "Ended after " + plural(n, "step") + ", denied (" + tools + ")"
	},
	partBarred: func(n int, tools string) string {
		return "Ended after " + plural(n, "step") + ", not allowed here (" + tools + ")"
	},
	partBroken: func(n int, tools string) string {
		return "Ended after " + plural(n, "step") + ", failed (" + tools + ")"
	},
}

var chineseHeadings = headings{
	allDenied: func(tools string) string { return "没有执行，被拒绝（" + tools + "）" },
	allBarred: func(tools string) string { return "没有执行，这里不允许（" + tools + "）" },
	allBroken: func(tools string) string { return "没有做成，失败（" + tools + "）" },
	partDenied: func(n int, tools string) string {
		return "共 " + strconv.Itoa(n) + " 步后结束，被拒绝（" + tools + "）"
	},
	partBarred: func(n int, tools string) string {
		return "共 " + strconv.Itoa(n) + " 步后结束，这里不允许（" + tools + "）"
	},
	partBroken: func(n int, tools string) string {
		return "共 " + strconv.Itoa(n) + " 步后结束，有一步失败（" + tools + "）"
	},
}
