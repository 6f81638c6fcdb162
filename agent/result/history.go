package result

import (
	"slices"

	"hermes/agent/llm"
)

// Collapse returns the messages with each error that is over told in one line: one
// of a tool that a later message has a success of. Calls and results stay pairs, and
// an error that nothing has followed yet stays whole. The messages given are not
// changed.
func Collapse(messages []llm.Message) []llm.Message {
	names := map[string]string{} // of tools, by call
	good := map[string]int{}     // the last message with a success of a tool
	for i, m := range messages {
		for _, c := range m.Calls {
			names[c.ID] = c.Name
		}
		for _, r := range m.Results {
			if tool, ok := names[r.ID]; ok && !r.Failed {
				good[tool] = i
			}
		}
	}
	var out []llm.Message
	for i, m := range messages {
		for j, r := range m.Results {
			tool, ok := names[r.ID]
			if last, over := good[tool]; !r.Failed || !ok || !over || last <= i {
				continue
			}
			if out == nil {
				out = slices.Clone(messages)
			}
			if &out[i].Results[0] == &messages[i].Results[0] {
				out[i].Results = slices.Clone(m.Results)
			}
			what := "failed"
			if e, ok := errorOf(r.Text); ok {
				what += " with " + string(e.Type)
			}
			line := mark("tool %s, call %s: %s; a later call of the tool succeeded", short(oneLine(tool), 64), short(oneLine(r.ID), 64), what)
			out[i].Results[j].Brief, out[i].Results[j].Mark, out[i].Results[j].Note = line, "", ""
		}
	}
	if out == nil {
		return messages
	}
	return out
}

// lost is the result of a call of which none is known.
const lost = "unknown: the program stopped while this ran. Nobody knows whether it took effect; look before you try again."

// Pair returns the messages so that a provider takes them: behind the message with
// calls come their results, one for each, in the order of the calls, and there is no
// other result. A call without one gets one that has failed and says that nobody
// knows; of several results of a call the first counts. Messages that are as they
// should be come back as they are. It is for a history that was cut or damaged, when
// it is loaded and before it is sent.
func Pair(messages []llm.Message) []llm.Message {
	found := map[string][]reply{} // results by call, in order
	for i, m := range messages {
		if m.Role == llm.User {
			for _, r := range m.Results {
				found[r.ID] = append(found[r.ID], reply{i, r})
			}
		}
	}
	var out []llm.Message
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if m.Role == llm.User {
			// Its results, if they have a call, stand behind that already.
			m.Calls, m.Results = nil, nil
			out = appendFull(out, m)
			continue
		}
		m.Results = nil
		m.Calls = distinct(m.Calls)
		out = appendFull(out, m)
		if len(m.Calls) == 0 {
			continue
		}
		results := llm.Message{Role: llm.User}
		for _, c := range m.Calls {
			results.Results = append(results.Results, take(found, c.ID, i))
		}
		if next := i + 1; next < len(messages) && messages[next].Role == llm.User && len(messages[next].Results) > 0 {
			results.Text = messages[next].Text
			i = next
		}
		out = append(out, results)
	}
	return out
}

type reply struct {
	message int
	result  llm.Result
}

// take returns the first result of a call that stands behind its message and is not
// taken yet.
func take(found map[string][]reply, call string, message int) llm.Result {
	all := found[call]
	i := slices.IndexFunc(all, func(a reply) bool { return a.message > message })
	if i < 0 {
		return llm.Result{ID: call, Text: lost, Failed: true}
	}
	found[call] = all[i+1:]
	return all[i].result
}

// distinct are the calls of one message without those that share an id.
func distinct(calls []llm.Call) []llm.Call {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(calls), func(c llm.Call) bool {
		twice := seen[c.ID]
		seen[c.ID] = true
		return twice
	})
}

// appendFull adds a message unless there is nothing in it.
func appendFull(out []llm.Message, m llm.Message) []llm.Message {
	if m.Text == "" && len(m.Calls) == 0 {
		return out
	}
	return append(out, m)
}
