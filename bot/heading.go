package bot

import (
	"slices"
	"strconv"
	"strings"

	"hermes/agent/run"
)

// A heading names what has become of the work, not only that it is over: a post that
// somebody refused is not done, however well the run has ended.

// doneHead is the heading of a Run that has its answer.
func (w *wording) doneHead(r run.Run) string {
	var did bool
	var refused, barred, broken []string
	note := func(list *[]string, tool string) {
		if name := oneLine.Replace(w.tool(tool)); !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	last := map[string]run.Result{} // of each tool: what was mended and tried again counts as it ended
	var order []string
	for _, s := range r.Steps {
		for c, res := range s.Pairs() {
			did = did || !res.Failed
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
			note(&refused, tool)
		case res.Hidden, res.Unrun == run.Forbidden:
			note(&barred, tool)
		default:
			note(&broken, tool)
		}
	}
	n := len(r.Steps)
	join := func(names []string) string { return strings.Join(names, w.listed) }
	switch {
	case len(refused) > 0 && did:
		return w.partDenied(n, join(refused))
	case len(refused) > 0:
		return w.allDenied(join(refused))
	case len(barred) > 0 && did:
		return w.partBarred(n, join(barred))
	case len(barred) > 0:
		return w.allBarred(join(barred))
	case len(broken) > 0 && !did:
		return w.allBroken(join(broken))
	}
	return w.states[run.Done](n)
}

// headings are the words of it.
type headings struct {
	allDenied, allBarred, allBroken func(tools string) string
	partDenied, partBarred          func(n int, tools string) string
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
}
