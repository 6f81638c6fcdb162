package eval

import (
	"encoding/json"
	"regexp"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/tool/post"
)

// A stage is one call that a job of work needs.
type stage struct {
	call Call
	with []Call // calls of the same reply
}

// A slip is of the pen: a call that does not fit, or text that is none.
type slip struct {
	call *Call
	torn string
}

// A worker is a mind that follows a plan, by what it reads: it makes the call that no
// result shows as done, mends what was refused, and ends with words when all is done or
// nothing helps. In the arguments "$report" and "$table" stand for the newest ones.
type worker struct {
	stages []stage
	last   string // what it says in the end; "$first" is the first row of what was found
	// slips, if not nil, says what is written in the place of the call of a stage.
	slips func(stage int, c Call) *slip
	// next, if not nil, says what else it calls, by how many results there are: one that
	// never comes to an end.
	next func(n int) *Call
}

// mostFailures is after how many refusals of one call it gives up.
const mostFailures = 3

// think is what the worker says next.
func (w *worker) think(r llm.Request) llm.Message {
	done, failed, all := w.progress(r)
	if len(r.Tools) == 0 { // it is asked for its last words
		return llm.Message{Role: llm.Assistant, Text: "This is as far as I came: " + w.found(r) + " The rest is missing."}
	}
	if w.next != nil {
		if c := w.next(all); c != nil {
			return w.says(r, *c)
		}
	}
	for i, s := range w.stages {
		if done[s.call.Tool] > 0 {
			done[s.call.Tool]--
			continue
		}
		switch {
		case failed[s.call.Tool] >= mostFailures, failed[s.call.Tool] > 0 && s.call.Tool == post.Name: // a post that failed is a person's to look at
			return llm.Message{Role: llm.Assistant, Text: "I could not finish this: " + s.call.Tool + " does not work at the moment, so nothing was posted. " + w.found(r)}
		case w.slips != nil:
			if slip := w.slips(i, s.call); slip != nil && slip.call == nil {
				return llm.Message{Role: llm.Assistant, Text: slip.torn}
			} else if slip != nil {
				return w.says(r, *slip.call)
			}
		}
		return w.says(r, append([]Call{s.call}, s.with...)...)
	}
	return llm.Message{Role: llm.Assistant, Text: strings.ReplaceAll(w.last, "$first", w.found(r))}
}

// progress counts the calls that were done and those that failed in a row, by tool, and
// all results.
func (w *worker) progress(r llm.Request) (done, failed map[string]int, all int) {
	done, failed = map[string]int{}, map[string]int{}
	names := map[string]string{}
	for _, m := range r.Messages {
		for _, c := range m.Calls {
			names[c.ID] = c.Name
		}
		for _, res := range m.Results {
			all++
			name := names[res.ID]
			if res.Failed {
				failed[name]++
				continue
			}
			done[name]++
			failed[name] = 0
		}
	}
	return done, failed, all
}

func (w *worker) says(r llm.Request, calls ...Call) llm.Message {
	m := llm.Message{Role: llm.Assistant, Text: "# intent: " + strings.ReplaceAll(calls[0].Tool, "_", " ") + " for what was asked"}
	all := everything(r)
	for _, c := range calls {
		args := string(c.args())
		for mark, re := range made {
			if ids := re.FindAllStringSubmatch(all, -1); len(ids) > 0 {
				args = strings.ReplaceAll(args, mark, ids[len(ids)-1][1])
			}
		}
		m.Calls = append(m.Calls, llm.Call{Name: c.Tool, Args: json.RawMessage(args)})
	}
	return m
}

var (
	rowsOf  = regexp.MustCompile(`"rows":\[(\[[^\]]*\](?:,\[[^\]]*\])*)`)
	rowOf   = regexp.MustCompile(`\["([^"]+)",\s*([0-9.]+)`)
	mostSay = 4
)

// found are the first rows of the newest table that the worker has read, in words.
func (w *worker) found(r llm.Request) string {
	tables := rowsOf.FindAllStringSubmatch(everything(r), -1)
	if len(tables) == 0 {
		return "No figures were found."
	}
	var said []string
	for _, row := range rowOf.FindAllStringSubmatch(tables[len(tables)-1][1], mostSay) {
		said = append(said, "**"+row[1]+"**: "+row[2])
	}
	if len(said) == 0 {
		return "There are no rows for that time."
	}
	return "In the order of the table: " + strings.Join(said, "; ") +
		". These are the figures of the period that was asked for, as the database has them now; what came in since is not among them."
}
